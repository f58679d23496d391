//! Random valid values: what is written is read as the same values, and written again as the same bytes; in memory, as a stream,
//! and however the stream is cut up.

use proptest::prelude::*;
use replay_format::{
    AgentOptions, BuildInput, LiveCapture, LiveRecord, MeshSnapshot, Operation, Operations, OperationsLayout, Path,
    Replay, SettingsExtent, Setup, Stage, Step, xxh64,
};

use crate::layout::{assert_live_streams_alike, assert_replay_streams_alike};
use crate::strategies::{agent_options, build_input, live_records, mesh, operations, setup, world_and_state};
use crate::streams::Chunks;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) }
}

/// Steps as a replay holds them; offsets are left out.
fn steps() -> impl Strategy<Value = Vec<Step<Vec<u8>>>> {
    let step =
        (operations(), any::<u64>()).prop_map(|(operations, hash)| Step { operations, operations_offset: 0, hash });
    prop::collection::vec(step, 0..6)
}

fn chunk_sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..70_usize, 1..5)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn agent_options_survive(options in agent_options(), offset in 0..1_000_u64) {
        let bytes = options.to_bytes();
        prop_assert_eq!(bytes.len(), if options.follower.is_some() { 90 } else { 66 });
        let read = AgentOptions::read(&bytes, offset, &Path::ROOT, Stage::Restore).unwrap();
        prop_assert_eq!(read, options);
        prop_assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn setups_survive(setup in setup()) {
        let mut bytes = Vec::new();
        setup.write(&mut bytes).unwrap();
        prop_assert_eq!(bytes.len(), 57 + setup.mesh.len() + setup.state.len());
        let read = Setup::read(&bytes).unwrap();
        prop_assert_eq!(read.dt.to_bits(), setup.dt.to_bits());
        prop_assert_eq!(crate::layout::own_setup(&read), setup);
        let mut again = Vec::new();
        read.write(&mut again).unwrap();
        prop_assert_eq!(again, bytes);
    }

    #[test]
    fn replays_survive(setup in setup(), steps in steps(), sizes in chunk_sizes()) {
        let replay = Replay { setup, steps };
        let bytes = replay.write().unwrap();
        let read = Replay::read(&bytes).unwrap();
        prop_assert_eq!(read.setup.mesh_offset, 12 + 53);
        prop_assert_eq!(read.steps.len(), replay.steps.len());
        for (read, step) in read.steps.iter().zip(&replay.steps) {
            prop_assert_eq!(read.operations, &step.operations);
            prop_assert_eq!(read.hash, step.hash);
            let at = read.operations_offset as usize;
            prop_assert_eq!(&bytes[at..at + read.operations.len()], read.operations);
        }
        prop_assert_eq!(&read.write().unwrap(), &bytes);
        assert_replay_streams_alike(&bytes, Chunks::new(&bytes, &sizes));
        // Whoever cannot split the operations sees the same replay.
        let opaque = Replay::read_with(&bytes, OperationsLayout::Opaque).unwrap();
        prop_assert_eq!(&opaque.write_with(OperationsLayout::Opaque).unwrap(), &bytes);
        prop_assert_eq!(opaque, read);
    }

    #[test]
    fn operations_know_where_they_stand(bytes in operations(), offset in 0..1_000_u64) {
        let mut end = offset;
        let mut written = Vec::new();
        for item in Operations::new(&bytes, offset, Path::ROOT, SettingsExtent::OURS) {
            let (at, operation) = item.unwrap();
            prop_assert_eq!(at, end);
            if let Operation::Add { settings, settings_offset, .. } = operation {
                let from = (settings_offset - offset) as usize;
                prop_assert_eq!(&bytes[from..from + settings.len()], settings);
            }
            operation.write(&mut written);
            end = offset + written.len() as u64;
        }
        prop_assert_eq!(written, bytes);
    }

    #[test]
    fn live_captures_survive(setup in setup(), records in live_records(), sizes in chunk_sizes()) {
        let mut bytes = Vec::new();
        setup.write(&mut bytes).unwrap();
        let mut offset = bytes.len() as u64;
        bytes.extend(records.concat());
        let read = LiveCapture::read(&bytes).unwrap();
        prop_assert_eq!(read.records.len(), records.len());
        for ((at, record), bytes) in read.records.iter().zip(&records) {
            prop_assert_eq!(*at, offset);
            offset += bytes.len() as u64;
            let mut written = Vec::new();
            record.write(&mut written);
            prop_assert_eq!(&written, bytes);
            // A record is the same on its own, but for where it stands.
            let mut alone = Vec::new();
            LiveRecord::read(bytes, SettingsExtent::OURS).unwrap().write(&mut alone);
            prop_assert_eq!(&alone, bytes);
        }
        prop_assert_eq!(&read.write().unwrap(), &bytes);
        assert_live_streams_alike(&bytes, Chunks::new(&bytes, &sizes));
        // Joined, the records are the operations of the steps, and what is left belongs to none.
        let (steps, rest) = read.steps();
        let joined = steps.iter().map(|step| step.operations.len()).sum::<usize>() + rest.len();
        prop_assert_eq!(joined + 9 * steps.len() + (records.len() - steps.len()), records.concat().len());
        let replay = Replay { setup, steps };
        prop_assert_eq!(Replay::read(&replay.write().unwrap()).unwrap().steps.len(), replay.steps.len());
    }

    #[test]
    fn build_inputs_survive(input in build_input()) {
        let bytes = input.write().unwrap();
        prop_assert_eq!(bytes.len(), 112 + 24 * input.vertices.len() + 12 * input.triangles.len());
        let read = BuildInput::read(&bytes).unwrap();
        prop_assert_eq!(&read.write().unwrap(), &bytes);
        prop_assert_eq!(read, input);
    }

    #[test]
    fn meshes_survive(mesh in mesh(), offset in 0..1_000_u64) {
        let bytes = mesh.write().unwrap();
        let read = MeshSnapshot::read_at(&bytes, offset, &Path::ROOT.field("mesh")).unwrap();
        prop_assert_eq!(&read.write().unwrap(), &bytes);
        prop_assert_eq!(read, mesh);
    }

    #[test]
    fn states_survive((world, state) in world_and_state()) {
        let bytes = state.write().unwrap();
        let read = world.read_state(&bytes).unwrap();
        prop_assert_eq!(&read.write().unwrap(), &bytes);
        prop_assert_eq!(&read, &state);
        // The hash as SPEC.md [STATE-18] has it.
        let mut hashed = bytes[..40].to_vec();
        for agent in &state.agents {
            let mut record = Vec::new();
            agent.write(&mut record).unwrap();
            hashed.extend(xxh64(&record).to_le_bytes());
        }
        prop_assert_eq!(read.hash().unwrap(), xxh64(&hashed));
    }
}
