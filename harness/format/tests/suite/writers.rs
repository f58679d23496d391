//! What writers refuse, and what they write for values that no reader gave.

use replay_format::{
    BuildInput, CrowdState, MeshSnapshot, Replay, Setup, Step, Task, WallEdge, WriteError, write_replay_head,
};

use crate::fixtures;
use crate::layout::{own_setup, read_state};

fn setup() -> Setup<Vec<u8>> {
    own_setup(&Setup::read(&fixtures::bytes("setup.oprs")).unwrap())
}

fn replay_with(operations: Vec<u8>) -> Replay<Vec<u8>> {
    let empty = Step { operations: Vec::new(), operations_offset: 0, hash: 0 };
    Replay { setup: setup(), steps: vec![empty, Step { operations, operations_offset: 500, hash: 1 }] }
}

#[test]
fn operations_that_cannot_be_decoded_say_so() {
    let error = replay_with(vec![2, 1]).write().unwrap_err();
    assert!(matches!(error, WriteError::Operations(_)));
    let message = "the operations of a step cannot be decoded: steps[1].operations[0].agent: found 1 of its bytes, \
                   expected 8 bytes (read at byte 501: truncated)";
    assert_eq!(error.to_string(), message);
}

#[test]
fn more_operations_than_a_step_holds_are_too_large() {
    let mut stop = [0; 9];
    stop[0] = 4;
    let error = replay_with(stop.repeat(16_777_216 / 9 + 1)).write();
    assert_eq!(error, Err(WriteError::TooLarge));
    assert_eq!(WriteError::TooLarge.to_string(), "a block or list is larger than the file layout can hold");
}

#[test]
fn the_head_of_a_replay_is_everything_before_its_step_count() {
    let mut head = Vec::new();
    write_replay_head(&mut head, &setup()).unwrap();
    assert_eq!(head, fixtures::cut("replay.oprp", 627));
}

#[test]
fn indices_that_do_not_fit_are_too_large() {
    let mut mesh = MeshSnapshot::read(&fixtures::bytes("mesh.opnm")).unwrap();
    mesh.polygons[1].vertices[0] = 1 << 31;
    assert_eq!(mesh.write(), Err(WriteError::TooLarge));
    mesh.polygons[1].vertices[0] = 0;
    mesh.polygons[1].links[0] = Some(u32::MAX);
    assert_eq!(mesh.write(), Err(WriteError::TooLarge));
    mesh.polygons[1].links[0] = Some(0);
    mesh.polygons[1].vertices = (0..256).collect();
    assert_eq!(mesh.write(), Err(WriteError::TooLarge));

    let mut input = BuildInput::read(&fixtures::bytes("build.opbi")).unwrap();
    input.triangles[0][1] = 1 << 31;
    assert_eq!(input.write(), Err(WriteError::TooLarge));
}

#[test]
fn lists_of_a_state_that_do_not_fit_are_too_large() {
    let state = || read_state(&fixtures::bytes("state.opcs")).unwrap();
    let refused = |state: &CrowdState| {
        assert_eq!(state.write(), Err(WriteError::TooLarge));
        assert_eq!(state.hash(), Err(WriteError::TooLarge));
    };
    let mut wrong = state();
    wrong.agents[0].polygon = u32::MAX;
    refused(&wrong);
    let mut wrong = state();
    let Task::Following { corridor, .. } = &mut wrong.agents[0].task else { panic!("it follows") };
    corridor.push(1 << 31);
    refused(&wrong);
    let mut wrong = state();
    wrong.agents[0].walls.as_mut().unwrap().walls = vec![WallEdge { polygon: 0, edge: 0 }; 256];
    refused(&wrong);
}

#[test]
fn a_state_counts_its_agents_when_it_is_written() {
    let mut state = read_state(&fixtures::bytes("state.opcs")).unwrap();
    let hash = state.hash().unwrap();
    state.header.agent_count = 7;
    assert_eq!(state.write().unwrap(), fixtures::bytes("state.opcs"));
    assert_eq!(state.hash(), Ok(hash));
    state.agents.pop();
    assert_eq!(read_state(&state.write().unwrap()).unwrap().header.agent_count, 1);
    assert_ne!(state.hash(), Ok(hash));
}
