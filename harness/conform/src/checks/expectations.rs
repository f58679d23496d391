//! Checks against the numbers of the sidecar: `expect`, and `restore` of setups.

use crowd_engine::Crowd;
use replay_format::{BuildInput, Setup};

use super::{Checked, Context, Differences, fail, refused};
use crate::sidecar::{Expect, Hash};
use crate::words::len64;
use crate::{Format, difference, observe};

/// Counts and final hash are those of the sidecar.
pub(super) fn expect(context: &Context) -> Checked {
    let mut differences = Differences::default();
    match &context.sidecar()?.expect {
        Expect::Replay(expect) => {
            let played = context.played()?;
            differences.compare("the number of steps", &len64(played.hashes.len()), &expect.steps);
            differences.compare("the number of agents at the end", &played.agents, &expect.agents);
            differences.compare("the final hash", &Hash(played.final_hash), &expect.final_hash);
        }
        Expect::Live(expect) => {
            let recording = context.recording()?;
            let played = context.played()?;
            differences.compare("the number of steps", &len64(played.hashes.len()), &expect.steps);
            differences.compare("the number of records", &recording.records, &expect.records);
            let trailing = observe::trailing_operations(&recording);
            differences.compare("the number of trailing operations", &trailing, &expect.trailing_operations);
            differences.compare("the final hash", &Hash(played.final_hash), &expect.final_hash);
        }
        Expect::Build(expect) => {
            let input = BuildInput::read(context.bytes()?).map_err(|error| refused(&error))?;
            differences.compare("the number of vertices", &len64(input.vertices.len()), &expect.vertices);
            differences.compare("the number of triangles", &len64(input.triangles.len()), &expect.triangles);
            differences.compare("the number of polygons", &context.built()?.polygons, &expect.polygons);
        }
        Expect::Setup(_) | Expect::Malformed(_) => {}
    }
    differences.finish("value-differs")
}

/// A setup block restores to the crowd of its sidecar, which saves itself as the same block.
pub(super) fn setup(context: &Context) -> Checked {
    let bytes = context.bytes()?;
    let setup = Setup::read(bytes).map_err(|error| refused(&error))?;
    let crowd = Crowd::restore(&setup).map_err(|error| refused(&error))?;
    let mut saved = Vec::new();
    crowd.setup(setup.dt).write(&mut saved).map_err(|error| fail("cannot-write", error.to_string()))?;
    if let Some(difference) = difference(Format::Setup, bytes, &saved) {
        return Err(fail("restore-differs", format!("restored and saved again: {difference}")));
    }
    let mut differences = Differences::default();
    if let Expect::Setup(expect) = &context.sidecar()?.expect {
        differences.compare("the number of agents", &len64(crowd.agent_count()), &expect.agents);
        differences.compare("the state hash", &Hash(crowd.state_hash()), &expect.state_hash);
    }
    differences.finish("value-differs")
}
