//! The layouts under one roof: read some bytes, write what was read.

use std::io;
use std::sync::LazyLock;

use replay_format::{
    AgentOptions, BuildInput, CrowdOptions, CrowdState, Error, LiveCapture, LiveRecord, LiveVisitor, MeshSnapshot,
    OperationsLayout, Path, Replay, ReplayVisitor, SettingsExtent, Setup, Stage, StateContext, Step, StreamError,
    stream_live, stream_replay, xxh64,
};

use crate::fixtures;

/// A layout that can be a file, or be tried like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Setup,
    Replay,
    Live,
    Record,
    Build,
    Mesh,
    State,
    Settings,
}

impl Layout {
    pub const ALL: [(Layout, &'static str); 8] = [
        (Layout::Setup, "setup.oprs"),
        (Layout::Replay, "replay.oprp"),
        (Layout::Live, "capture.oplr"),
        (Layout::Record, "record.bin"),
        (Layout::Build, "build.opbi"),
        (Layout::Mesh, "mesh.opnm"),
        (Layout::State, "state.opcs"),
        (Layout::Settings, "settings.bin"),
    ];

    /// Reads the bytes and writes what was read. A state is one of the crowd of `setup.oprs`.
    pub fn rewrite(self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Layout::Setup => Setup::read(bytes).map(|setup| {
                let mut out = Vec::new();
                setup.write(&mut out).unwrap();
                out
            }),
            Layout::Replay => Replay::read(bytes).map(|replay| replay.write().unwrap()),
            Layout::Live => LiveCapture::read(bytes).map(|capture| capture.write().unwrap()),
            Layout::Record => LiveRecord::read(bytes, SettingsExtent::OURS).map(|record| {
                let mut out = Vec::new();
                record.write(&mut out);
                out
            }),
            Layout::Build => BuildInput::read(bytes).map(|input| input.write().unwrap()),
            Layout::Mesh => MeshSnapshot::read(bytes).map(|mesh| mesh.write().unwrap()),
            Layout::State => read_state(bytes).map(|state| state.write().unwrap()),
            Layout::Settings => {
                AgentOptions::read(bytes, 0, &Path::ROOT, Stage::Play).map(|options| options.to_bytes())
            }
        }
    }

    /// What is wrong with the bytes.
    pub fn error(self, bytes: &[u8]) -> Error {
        match self.rewrite(bytes) {
            Ok(_) => panic!("{self:?} was accepted"),
            Err(error) => error,
        }
    }
}

/// A crowd that states are checked against.
#[derive(Debug, Clone)]
pub struct World {
    pub mesh: MeshSnapshot,
    pub options: CrowdOptions,
    pub start_step: Option<i64>,
}

impl World {
    /// That of `setup.oprs`.
    pub fn of_fixture() -> World {
        let bytes = fixtures::bytes("setup.oprs");
        let setup = Setup::read(&bytes).unwrap();
        World {
            mesh: MeshSnapshot::read(setup.mesh).unwrap(),
            options: setup.options.validate(&Path::ROOT).unwrap(),
            start_step: Some(setup.start_step),
        }
    }

    pub fn mesh_digest(&self) -> u64 {
        xxh64(&self.mesh.write().unwrap())
    }

    pub fn options_digest(&self) -> u64 {
        let mut bytes = Vec::new();
        self.options.to_bits().write(&mut bytes);
        xxh64(&bytes)
    }

    pub fn read_state(&self, bytes: &[u8]) -> Result<CrowdState, Error> {
        let context = StateContext {
            mesh: &self.mesh,
            mesh_digest: self.mesh_digest(),
            options: &self.options,
            options_digest: self.options_digest(),
            start_step: self.start_step,
        };
        CrowdState::read(bytes, 0, &Path::ROOT, &context)
    }
}

/// Reads a state of the crowd of `setup.oprs`.
pub fn read_state(bytes: &[u8]) -> Result<CrowdState, Error> {
    static WORLD: LazyLock<World> = LazyLock::new(World::of_fixture);
    WORLD.read_state(bytes)
}

/// What a replay's visitor saw.
#[derive(Debug, Default, PartialEq)]
pub struct SeenReplay {
    pub setup: Option<Setup<Vec<u8>>>,
    pub count: Option<u64>,
    pub steps: Vec<Step<Vec<u8>>>,
}

impl ReplayVisitor<Vec<u8>> for SeenReplay {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        assert!(self.setup.replace(setup).is_none(), "one setup block");
    }

    fn step_count(&mut self, count: u64) {
        assert!(self.setup.is_some() && self.count.replace(count).is_none(), "one count, after the setup block");
    }

    fn step(&mut self, index: u64, step: Step<Vec<u8>>) {
        assert_eq!(index, self.steps.len() as u64);
        self.steps.push(step);
    }
}

/// What a live capture's visitor saw: the setup block, then each record's offset and bytes.
#[derive(Debug, Default, PartialEq)]
pub struct SeenLive {
    pub setup: Option<Setup<Vec<u8>>>,
    pub records: Vec<(u64, Vec<u8>)>,
}

impl LiveVisitor for SeenLive {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        assert!(self.setup.replace(setup).is_none(), "one setup block");
    }

    fn record(&mut self, offset: u64, record: LiveRecord<'_>) {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        if let LiveRecord::Operation(replay_format::Operation::Add { settings_offset, .. }) = record {
            assert_eq!(settings_offset, offset + 26, "where the settings stand in the file");
        }
        self.records.push((offset, bytes));
    }
}

/// Owns what a borrowed setup block holds.
pub fn own_setup(setup: &Setup<&[u8]>) -> Setup<Vec<u8>> {
    Setup {
        dt: setup.dt,
        start_step: setup.start_step,
        options: setup.options,
        mesh: setup.mesh.to_vec(),
        mesh_offset: setup.mesh_offset,
        state: setup.state.to_vec(),
        state_offset: setup.state_offset,
    }
}

pub fn own_step(step: &Step<&[u8]>) -> Step<Vec<u8>> {
    Step { operations: step.operations.to_vec(), operations_offset: step.operations_offset, hash: step.hash }
}

pub fn read_streamed_replay(reader: impl io::Read, length: u64) -> (SeenReplay, Result<(), StreamError>) {
    let mut seen = SeenReplay::default();
    let result = stream_replay(reader, length, OperationsLayout::OURS, &mut seen);
    (seen, result)
}

pub fn read_streamed_live(reader: impl io::Read, length: u64) -> (SeenLive, Result<(), StreamError>) {
    let mut seen = SeenLive::default();
    let result = stream_live(reader, length, &mut seen);
    (seen, result)
}

/// The format error of a stream.
pub fn format_error(result: Result<(), StreamError>) -> Result<(), Error> {
    result.map_err(|error| match error {
        StreamError::Format(error) => error,
        StreamError::Io { offset, error } => panic!("the reader failed at byte {offset}: {error}"),
    })
}

/// Demands that a replay read in memory and one read as a stream are the same, errors included.
pub fn assert_replay_streams_alike(bytes: &[u8], reader: impl io::Read) {
    let borrowed = Replay::read(bytes);
    let (seen, result) = read_streamed_replay(reader, bytes.len() as u64);
    match (borrowed, format_error(result)) {
        (Ok(replay), Ok(())) => {
            assert_eq!(seen.count, Some(replay.steps.len() as u64));
            assert_eq!(seen.setup, Some(own_setup(&replay.setup)));
            assert_eq!(seen.steps, replay.steps.iter().map(own_step).collect::<Vec<_>>());
        }
        (borrowed, streamed) => assert_eq!(borrowed.map(|_| ()), streamed),
    }
}

/// Demands that a live capture read in memory and one read as a stream are the same, errors included.
pub fn assert_live_streams_alike(bytes: &[u8], reader: impl io::Read) {
    let borrowed = LiveCapture::read(bytes);
    let (seen, result) = read_streamed_live(reader, bytes.len() as u64);
    match (borrowed, format_error(result)) {
        (Ok(capture), Ok(())) => {
            assert_eq!(seen.setup, Some(own_setup(&capture.setup)));
            let records = capture.records.iter().map(|(offset, record)| {
                let mut bytes = Vec::new();
                record.write(&mut bytes);
                (*offset, bytes)
            });
            assert_eq!(seen.records, records.collect::<Vec<_>>());
        }
        (borrowed, streamed) => assert_eq!(borrowed.map(|_| ()), streamed),
    }
}
