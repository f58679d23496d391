//! Checks of bytes: `round-trip` and `streamed`.

use std::io;

use replay_format::{
    AgentOptions, BuildInput, Code, CrowdState, Error, LiveCapture, LiveRecord, LiveVisitor, MeshSnapshot, Operation,
    OperationsLayout, Path, Replay, ReplayVisitor, SettingsExtent, Setup, Stage, StateContext, Step, StreamError,
    WriteError, stream_live, stream_replay, xxh64,
};
use reports::Outcome;

use super::{Checked, Context, fail, refused};
use crate::words::len64;
use crate::{Format, Kind, difference};

/// Written from its decoded values, nested blocks included, the file comes out byte for byte.
pub(super) fn round_trip(context: &Context) -> Checked {
    let (_, format) = context.file()?;
    let bytes = context.bytes()?;
    let written = rewrite(format, bytes).map_err(|error| match error {
        RewriteError::Refused(error) => refused(&error),
        RewriteError::CannotWrite(error) => fail("cannot-write", error.to_string()),
    })?;
    match difference(format, bytes, &written) {
        None => Ok(()),
        Some(difference) => Err(fail("bytes-differ", format!("written from its values: {difference}"))),
    }
}

enum RewriteError {
    Refused(Error),
    CannotWrite(WriteError),
}

impl From<Error> for RewriteError {
    fn from(error: Error) -> RewriteError {
        RewriteError::Refused(error)
    }
}

impl From<WriteError> for RewriteError {
    fn from(error: WriteError) -> RewriteError {
        RewriteError::CannotWrite(error)
    }
}

/// The bytes of a file, written from its decoded values alone.
fn rewrite(format: Format, bytes: &[u8]) -> Result<Vec<u8>, RewriteError> {
    match format {
        Format::Replay => {
            let replay = Replay::read(bytes)?;
            let path = Path::ROOT.field("setup");
            let setup = rewrite_setup(&replay.setup, &path)?;
            let rewrite_step = |step: &Step<&[u8]>| -> Result<Step<Vec<u8>>, Error> {
                let mut operations = Vec::new();
                for item in step.operations(Path::ROOT, SettingsExtent::OURS) {
                    rewrite_operation(&item?.1, &mut operations)?;
                }
                Ok(Step { operations, operations_offset: 0, hash: step.hash })
            };
            let steps = replay.steps.iter().map(rewrite_step).collect::<Result<_, _>>()?;
            Ok(Replay { setup, steps }.write()?)
        }
        Format::Setup => {
            let mut out = Vec::new();
            rewrite_setup(&Setup::read(bytes)?, &Path::ROOT)?.write(&mut out)?;
            Ok(out)
        }
        Format::Live => {
            let capture = LiveCapture::read(bytes)?;
            let path = Path::ROOT.field("setup");
            let mut out = Vec::new();
            rewrite_setup(&capture.setup, &path)?.write(&mut out)?;
            for (_, record) in &capture.records {
                match record {
                    LiveRecord::Operation(operation) => {
                        out.push(replay_format::RECORD_OPERATION);
                        rewrite_operation(operation, &mut out)?;
                    }
                    LiveRecord::Step(_) => record.write(&mut out),
                }
            }
            Ok(out)
        }
        Format::Build => Ok(BuildInput::read(bytes)?.write()?),
        Format::Mesh => Ok(MeshSnapshot::read(bytes)?.write()?),
        Format::State => {
            let expected = "a setup block around it";
            Err(Error::of_field(Code::Truncated, Stage::Restore, Path::ROOT, "a state alone", expected).into())
        }
    }
}

/// A setup block whose mesh, state and options were decoded and encoded.
fn rewrite_setup(setup: &Setup<&[u8]>, path: &Path<'_>) -> Result<Setup<Vec<u8>>, RewriteError> {
    let options = setup.options.validate(&path.field("options"))?;
    let mesh = MeshSnapshot::read_at(setup.mesh, setup.mesh_offset, &path.field("mesh"))?;
    let mut options_bytes = Vec::new();
    setup.options.write(&mut options_bytes);
    let context = StateContext {
        mesh: &mesh,
        mesh_digest: xxh64(setup.mesh),
        options: &options,
        options_digest: xxh64(&options_bytes),
        start_step: Some(setup.start_step),
    };
    let state = CrowdState::read(setup.state, setup.state_offset, &path.field("state"), &context)?;
    Ok(Setup {
        dt: setup.dt,
        start_step: setup.start_step,
        options: options.to_bits(),
        mesh: mesh.write()?,
        mesh_offset: 0,
        state: state.write()?,
        state_offset: 0,
    })
}

/// An operation whose agent options were decoded and encoded.
fn rewrite_operation(operation: &Operation<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let Operation::Add { position, settings, settings_offset } = operation else {
        operation.write(out);
        return Ok(());
    };
    let path = Path::ROOT.field("settings");
    let settings = AgentOptions::read(settings, *settings_offset, &path, Stage::Play)?.to_bytes();
    Operation::Add { position: *position, settings: &settings, settings_offset: 0 }.write(out);
    Ok(())
}

/// Read as a stream, the file gives the same values, or the same error, as borrowed.
pub(super) fn streamed(context: &Context) -> Checked {
    let (_, format) = context.file()?;
    let bytes = context.bytes()?;
    let (borrowed, streamed) = match format {
        Format::Live => (Values::borrow_live(bytes), Values::stream_live(bytes)),
        _ => (Values::borrow_replay(bytes), Values::stream_replay(bytes)),
    };
    let streamed = streamed.map_err(|error| match error {
        StreamError::Format(error) => Ok(error),
        StreamError::Io { .. } => Err(error.to_string()),
    });
    match (borrowed, streamed) {
        (_, Err(Err(io))) => Err(Outcome::Error { code: "stream-broken".into(), message: io }),
        (Ok(borrowed), Ok(streamed)) => same_values(&borrowed, &streamed),
        (Err(borrowed), Err(Ok(streamed))) if borrowed == streamed => match context.case.kind {
            Kind::Malformed => Ok(()),
            _ => Err(refused(&borrowed)),
        },
        (borrowed, streamed) => {
            let borrowed = borrowed.err().map_or("it is accepted".into(), |error| error.to_string());
            let streamed = streamed.err().and_then(Result::ok).map_or("it is accepted".into(), |e| e.to_string());
            let message = format!("borrowed and streamed differ: borrowed: {borrowed}; streamed: {streamed}");
            Err(fail("stream-differs", message))
        }
    }
}

/// What a reader saw.
#[derive(Debug, Default, PartialEq)]
struct Values {
    setup: Option<Setup<Vec<u8>>>,
    count: Option<u64>,
    steps: Vec<Step<Vec<u8>>>,
    records: Vec<(u64, Vec<u8>)>,
}

impl Values {
    fn borrow_replay(bytes: &[u8]) -> Result<Values, Error> {
        let Replay { setup, steps } = Replay::read(bytes)?;
        let count = Some(len64(steps.len()));
        let own = |step: Step<&[u8]>| Step {
            operations: step.operations.to_vec(),
            operations_offset: step.operations_offset,
            hash: step.hash,
        };
        let steps = steps.into_iter().map(own).collect();
        Ok(Values { setup: Some(own_setup(&setup)), count, steps, records: Vec::new() })
    }

    fn stream_replay(bytes: &[u8]) -> Result<Values, StreamError> {
        let mut values = Values::default();
        stream_replay(Trickle::new(bytes), len64(bytes.len()), OperationsLayout::OURS, &mut values)?;
        Ok(values)
    }

    fn borrow_live(bytes: &[u8]) -> Result<Values, Error> {
        let LiveCapture { setup, records } = LiveCapture::read(bytes)?;
        let records = records.iter().map(|(offset, record)| (*offset, record_bytes(record))).collect();
        Ok(Values { setup: Some(own_setup(&setup)), records, ..Values::default() })
    }

    fn stream_live(bytes: &[u8]) -> Result<Values, StreamError> {
        let mut values = Values::default();
        stream_live(Trickle::new(bytes), len64(bytes.len()), &mut values)?;
        Ok(values)
    }
}

impl ReplayVisitor<Vec<u8>> for Values {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        self.setup = Some(setup);
    }

    fn step_count(&mut self, count: u64) {
        self.count = Some(count);
    }

    fn step(&mut self, index: u64, step: Step<Vec<u8>>) {
        assert_eq!(index, len64(self.steps.len()), "steps come in order");
        self.steps.push(step);
    }
}

impl LiveVisitor for Values {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        self.setup = Some(setup);
    }

    fn record(&mut self, offset: u64, record: LiveRecord<'_>) {
        self.records.push((offset, record_bytes(&record)));
    }
}

fn own_setup(setup: &Setup<&[u8]>) -> Setup<Vec<u8>> {
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

fn record_bytes(record: &LiveRecord<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    record.write(&mut out);
    out
}

fn same_values(borrowed: &Values, streamed: &Values) -> Checked {
    let differs = |what: String| Err(fail("stream-differs", format!("borrowed and streamed differ in {what}")));
    if borrowed.setup != streamed.setup {
        return differs("the setup block".into());
    }
    if borrowed.count != streamed.count || borrowed.steps.len() != streamed.steps.len() {
        return differs("the number of steps".into());
    }
    if let Some(step) = borrowed.steps.iter().zip(&streamed.steps).position(|(a, b)| a != b) {
        return differs(format!("step {step}"));
    }
    if borrowed.records.len() != streamed.records.len() {
        return differs("the number of records".into());
    }
    match borrowed.records.iter().zip(&streamed.records).position(|(a, b)| a != b) {
        Some(record) => differs(format!("record {record}")),
        None => Ok(()),
    }
}

/// A reader as slow as a network: a few bytes at a time, a different number each time, and now and then interrupted.
struct Trickle<'a> {
    bytes: &'a [u8],
    turn: usize,
}

impl<'a> Trickle<'a> {
    fn new(bytes: &'a [u8]) -> Trickle<'a> {
        Trickle { bytes, turn: 0 }
    }
}

impl io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const SIZES: [usize; 7] = [1, 2, 3, 0, 7, 64, 4096];
        let size = SIZES[self.turn % SIZES.len()];
        self.turn += 1;
        if size == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (now, later) = self.bytes.split_at(size.min(buffer.len()).min(self.bytes.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.bytes = later;
        Ok(now.len())
    }
}
