//! Lengths and counts, and operations that do not fit in them.

use expect_test::expect;
use replay_format::{OperationsLayout, Replay};

use super::{refuses, replay_of, replay_with_setup};
use crate::fixtures::{bytes, patched};
use crate::layout::Layout;

#[test]
fn a_length_below_zero() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", (-1_i32).to_le_bytes()),
        expect!["setup_length: found a length of -1 bytes, expected 0 or more (read at byte 8: length-negative)"],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "mesh_length", i32::MIN.to_le_bytes()),
        expect![
            "mesh_length: found a length of -2147483648 bytes, expected 0 or more (read at byte 49: length-negative)"
        ],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "state_length", (-1_i32).to_le_bytes()),
        expect!["state_length: found a length of -1 bytes, expected 0 or more (read at byte 225: length-negative)"],
    );
    let steps = patched("replay.oprp", "steps[2].operations_length", (-1_i32).to_le_bytes());
    refuses(
        Layout::Replay,
        &steps,
        expect![
            "steps[2].operations_length: found a length of -1 bytes, expected 0 or more (read at byte 803: length-negative)"
        ],
    );
}

#[test]
fn a_length_over_its_limit() {
    let name = "steps[1].operations_length";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, 16_777_217_i32.to_le_bytes()),
        expect![
            "steps[1].operations_length: found a length of 16777217 bytes, expected at most 16777216 (read at byte 791: length-over-limit)"
        ],
    );
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, i32::MAX.to_le_bytes()),
        expect![
            "steps[1].operations_length: found a length of 2147483647 bytes, expected at most 16777216 (read at byte 791: length-over-limit)"
        ],
    );
}

#[test]
fn a_length_beyond_the_bytes() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", i32::MAX.to_le_bytes()),
        expect![
            "setup_length: found a length of 2147483647 bytes, expected at most the 854 bytes that are left (read at byte 8: length-exceeds-input)"
        ],
    );
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", 855_i32.to_le_bytes()),
        expect![
            "setup_length: found a length of 855 bytes, expected at most the 854 bytes that are left (read at byte 8: length-exceeds-input)"
        ],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "mesh_length", 563_i32.to_le_bytes()),
        expect![
            "mesh_length: found a length of 563 bytes, expected at most the 562 bytes that are left (read at byte 49: length-exceeds-input)"
        ],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "state_length", 387_i32.to_le_bytes()),
        expect![
            "state_length: found a length of 387 bytes, expected at most the 386 bytes that are left (read at byte 225: length-exceeds-input)"
        ],
    );
    let name = "steps[2].operations_length";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, 16_777_216_i32.to_le_bytes()),
        expect![
            "steps[2].operations_length: found a length of 16777216 bytes, expected at most the 59 bytes that are left (read at byte 803: length-exceeds-input)"
        ],
    );
    // The setup block ends before the file does, and its mesh must end in it.
    refuses(
        Layout::Replay,
        &replay_with_setup("mesh_length", 563_i32.to_le_bytes()),
        expect![
            "setup.mesh_length: found a length of 563 bytes, expected at most the 562 bytes that are left (read at byte 61: length-exceeds-input)"
        ],
    );
}

#[test]
fn operations_that_leave_no_room_for_the_hash() {
    let name = "steps[2].operations_length";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, 59_i32.to_le_bytes()),
        expect!["steps[2].operations[3].kind: found 255, expected 1 to 5 (read at byte 858: operation-kind-unknown)"],
    );
    // Whoever cannot split them gets as far as the hash.
    let bytes = patched("replay.oprp", name, 59_i32.to_le_bytes());
    let error = Replay::read_with(&bytes, OperationsLayout::Opaque).unwrap_err();
    expect!["steps[2].hash: found 0 of its bytes, expected 8 bytes (read at byte 866: truncated)"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_count_below_zero() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "step_count", (-1_i32).to_le_bytes()),
        expect!["step_count: found a count of -1, expected 0 or more (read at byte 627: count-negative)"],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "vertex_count", (-3_i32).to_le_bytes()),
        expect!["vertex_count: found a count of -3, expected 0 or more (read at byte 104: count-negative)"],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "triangle_count", i32::MIN.to_le_bytes()),
        expect!["triangle_count: found a count of -2147483648, expected 0 or more (read at byte 108: count-negative)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "vertex_count", (-1_i32).to_le_bytes()),
        expect!["vertex_count: found a count of -1, expected 0 or more (restore at byte 16: count-negative)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygon_count", (-1_i32).to_le_bytes()),
        expect!["polygon_count: found a count of -1, expected 0 or more (restore at byte 20: count-negative)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agent_count", (-1_i32).to_le_bytes()),
        expect!["agent_count: found a count of -1, expected 0 or more (restore at byte 36: count-negative)"],
    );
    let name = "agents[0].corridor_count";
    refuses(
        Layout::State,
        &patched("state.opcs", name, (-1_i32).to_le_bytes()),
        expect![
            "agents[0].corridor_count: found a count of -1, expected 0 or more (restore at byte 207: count-negative)"
        ],
    );
}

#[test]
fn a_count_over_its_limit() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "step_count", 67_108_865_i32.to_le_bytes()),
        expect![
            "step_count: found a count of 67108865, expected at most 67108864 (read at byte 627: count-over-limit)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "vertex_count", 4_000_001_i32.to_le_bytes()),
        expect![
            "vertex_count: found a count of 4000001, expected at most 4000000 (read at byte 104: count-over-limit)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "triangle_count", 8_000_001_i32.to_le_bytes()),
        expect![
            "triangle_count: found a count of 8000001, expected at most 8000000 (read at byte 108: count-over-limit)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "vertex_count", 8_000_001_i32.to_le_bytes()),
        expect![
            "vertex_count: found a count of 8000001, expected at most 8000000 (restore at byte 16: count-over-limit)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygon_count", 4_000_001_i32.to_le_bytes()),
        expect![
            "polygon_count: found a count of 4000001, expected at most 4000000 (restore at byte 20: count-over-limit)"
        ],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agent_count", 101_i32.to_le_bytes()),
        expect!["agent_count: found a count of 101, expected at most 100 (restore at byte 36: count-over-limit)"],
    );
    let name = "agents[0].corridor_count";
    refuses(
        Layout::State,
        &patched("state.opcs", name, 1_000_001_i32.to_le_bytes()),
        expect![
            "agents[0].corridor_count: found a count of 1000001, expected at most 1000000 (restore at byte 207: count-over-limit)"
        ],
    );
}

#[test]
fn a_count_beyond_the_bytes() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "step_count", 20_i32.to_le_bytes()),
        expect![
            "step_count: found a count of 20, which needs 240 bytes, expected one that needs at most the 235 bytes that are left (read at byte 627: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "step_count", 67_108_864_i32.to_le_bytes()),
        expect![
            "step_count: found a count of 67108864, which needs 805306368 bytes, expected one that needs at most the 235 bytes that are left (read at byte 627: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "vertex_count", 4_000_000_i32.to_le_bytes()),
        expect![
            "vertex_count: found a count of 4000000, which needs 96000000 bytes, expected one that needs at most the 88 bytes that are left (read at byte 104: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "triangle_count", 2_i32.to_le_bytes()),
        expect![
            "triangle_count: found a count of 2, which needs 96 bytes, expected one that needs at most the 84 bytes that are left (read at byte 108: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "vertex_count", 7_i32.to_le_bytes()),
        expect![
            "vertex_count: found a count of 7, which needs 168 bytes, expected one that needs at most the 152 bytes that are left (restore at byte 16: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygon_count", 3_i32.to_le_bytes()),
        expect![
            "polygon_count: found a count of 3, which needs 174 bytes, expected one that needs at most the 148 bytes that are left (restore at byte 20: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agent_count", 3_i32.to_le_bytes()),
        expect![
            "agent_count: found a count of 3, which needs 360 bytes, expected one that needs at most the 346 bytes that are left (restore at byte 36: count-exceeds-input)"
        ],
    );
    let name = "agents[0].corridor_count";
    refuses(
        Layout::State,
        &patched("state.opcs", name, 1_000_000_i32.to_le_bytes()),
        expect![
            "agents[0].corridor_count: found a count of 1000000, which needs 4000000 bytes, expected one that needs at most the 175 bytes that are left (restore at byte 207: count-exceeds-input)"
        ],
    );
}

#[test]
fn an_operation_that_ends_after_its_step() {
    // Five bytes of a Remove.
    refuses(
        Layout::Replay,
        &replay_of(&[2, 1, 0, 0, 0]),
        expect!["steps[0].operations[0].agent: found 4 of its bytes, expected 8 bytes (read at byte 636: truncated)"],
    );
    // An Add with no room for its settings, one with 65 bytes of them, and one whose optional part is cut.
    let add = [&[1][..], &[0; 24], &bytes("settings.bin")].concat();
    refuses(
        Layout::Replay,
        &replay_of(&add[..25]),
        expect![
            "steps[0].operations[0].settings: found 0 of its bytes, expected 66 bytes (read at byte 660: truncated)"
        ],
    );
    refuses(
        Layout::Replay,
        &replay_of(&add[..90]),
        expect![
            "steps[0].operations[0].settings: found 65 of its bytes, expected 66 bytes (read at byte 660: truncated)"
        ],
    );
    refuses(
        Layout::Replay,
        &replay_of(&add[..91]),
        expect![
            "steps[0].operations[0].settings: found 66 of its bytes, expected 90 bytes (read at byte 660: truncated)"
        ],
    );
    refuses(
        Layout::Replay,
        &replay_of(&add[..114]),
        expect![
            "steps[0].operations[0].settings: found 89 of its bytes, expected 90 bytes (read at byte 660: truncated)"
        ],
    );
}

#[test]
fn more_operations_than_a_step_holds() {
    let mut bytes = bytes("capture.oplr");
    let stop = [1, 4, 7, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend(stop.repeat(16_777_216 / 9));
    refuses(
        Layout::Live,
        &bytes,
        expect![
            "records[1864138]: found 16777224 bytes of operations since the last step, expected at most 16777216 (read at byte 18642017: operations-over-limit)"
        ],
    );
}
