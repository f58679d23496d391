//! Values of the outer layouts, and coordinates, flags and indices anywhere.

use expect_test::expect;
use replay_format::Code;

use super::{refuses, replay_with_setup};
use crate::fixtures::{patched, patched_at};
use crate::layout::Layout;

#[test]
fn a_time_step_out_of_range() {
    for dt in [0.0, -0.0, -1.0, f64::INFINITY, f64::NAN, 3600.0_f64.next_up()] {
        let error = Layout::Setup.error(&patched("setup.oprs", "dt", dt.to_le_bytes()));
        assert_eq!((error.code(), error.offset(), error.path()), (Code::DtOutOfRange, Some(8), "dt"));
        assert_eq!(error.fault().found, format!("{dt:?}"));
    }
    refuses(
        Layout::Replay,
        &replay_with_setup("dt", (-0.0_f64).to_le_bytes()),
        expect!["setup.dt: found -0.0, expected above 0 and at most 3600 (read at byte 20: dt-out-of-range)"],
    );
    let above = 3600.0_f64.next_up();
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "dt", above.to_le_bytes()),
        expect!["dt: found 3600.0000000000005, expected above 0 and at most 3600 (read at byte 8: dt-out-of-range)"],
    );
}

#[test]
fn a_start_step_below_zero() {
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "start_step", i64::MIN.to_le_bytes()),
        expect!["start_step: found -9223372036854775808, expected 0 or more (read at byte 16: start-step-negative)"],
    );
    refuses(
        Layout::Replay,
        &replay_with_setup("start_step", (-1_i64).to_le_bytes()),
        expect!["setup.start_step: found -1, expected 0 or more (read at byte 28: start-step-negative)"],
    );
}

#[test]
fn a_coordinate_that_is_not_finite() {
    let name = "steps[0].operations[0].position.y";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, f64::NAN.to_le_bytes()),
        expect![
            "steps[0].operations[0].position.y: found NaN, expected a finite number (read at byte 644: position-not-finite)"
        ],
    );
    let name = "steps[0].operations[1].destination.x";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, f64::INFINITY.to_le_bytes()),
        expect![
            "steps[0].operations[1].destination.x: found inf, expected a finite number (read at byte 759: position-not-finite)"
        ],
    );
    let name = "steps[2].operations[0].position.z";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, f64::NEG_INFINITY.to_le_bytes()),
        expect![
            "steps[2].operations[0].position.z: found -inf, expected a finite number (read at byte 832: position-not-finite)"
        ],
    );
    let name = "records[0].operation.destination.z";
    refuses(
        Layout::Live,
        &patched("capture.oplr", name, f64::NAN.to_le_bytes()),
        expect![
            "records[0].operation.destination.z: found NaN, expected a finite number (read at byte 641: position-not-finite)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "vertices[2].y", f64::NAN.to_le_bytes()),
        expect!["vertices[2].y: found NaN, expected a finite number (read at byte 168: position-not-finite)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "vertices[3].z", f64::NAN.to_le_bytes()),
        expect!["vertices[3].z: found NaN, expected a finite number (restore at byte 112: position-not-finite)"],
    );
    for name in ["position.x", "velocity.x", "velocity.z", "destination.y", "target.z", "walls.anchor.x"] {
        let bytes = patched("state.opcs", &format!("agents[0].{name}"), f64::NAN.to_le_bytes());
        let error = Layout::State.error(&bytes);
        assert_eq!((error.code(), error.path()), (Code::PositionNotFinite, format!("agents[0].{name}").as_str()));
    }
    let name = "agents[0].velocity.z";
    refuses(
        Layout::State,
        &patched("state.opcs", name, f64::NAN.to_le_bytes()),
        expect!["agents[0].velocity.z: found NaN, expected a finite number (restore at byte 150: position-not-finite)"],
    );
}

#[test]
fn a_coordinate_out_of_range() {
    let (limit, below) = (2_097_152.0_f64, -2_097_152.0_f64);
    let name = "steps[0].operations[0].position.x";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, limit.to_le_bytes()),
        expect![
            "steps[0].operations[0].position.x: found 2097152.0, expected a magnitude below 2^21 (2097152) (read at byte 636: position-out-of-range)"
        ],
    );
    let name = "steps[0].operations[1].destination.z";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, below.to_le_bytes()),
        expect![
            "steps[0].operations[1].destination.z: found -2097152.0, expected a magnitude below 2^21 (2097152) (read at byte 775: position-out-of-range)"
        ],
    );
    let name = "steps[2].operations[0].position.y";
    refuses(
        Layout::Replay,
        &patched("replay.oprp", name, f64::MAX.to_le_bytes()),
        expect![
            "steps[2].operations[0].position.y: found 1.7976931348623157e308, expected a magnitude below 2^21 (2097152) (read at byte 824: position-out-of-range)"
        ],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "vertices[0].x", limit.to_le_bytes()),
        expect![
            "vertices[0].x: found 2097152.0, expected a magnitude below 2^21 (2097152) (read at byte 112: position-out-of-range)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "vertices[0].z", below.to_le_bytes()),
        expect![
            "vertices[0].z: found -2097152.0, expected a magnitude below 2^21 (2097152) (restore at byte 40: position-out-of-range)"
        ],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].position.z", limit.to_le_bytes()),
        expect![
            "agents[1].position.z: found 2097152.0, expected a magnitude below 2^21 (2097152) (restore at byte 356: position-out-of-range)"
        ],
    );
}

#[test]
fn an_unknown_operation() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "steps[0].operations[1].kind", [6]),
        expect!["steps[0].operations[1].kind: found 6, expected 1 to 5 (read at byte 750: operation-kind-unknown)"],
    );
    refuses(
        Layout::Live,
        &patched("capture.oplr", "records[3].operation.kind", [0]),
        expect!["records[3].operation.kind: found 0, expected 1 to 5 (read at byte 668: operation-kind-unknown)"],
    );
    refuses(
        Layout::Record,
        &patched("record.bin", "operation.kind", [255]),
        expect!["operation.kind: found 255, expected 1 to 5 (read at byte 1: operation-kind-unknown)"],
    );
}

#[test]
fn an_unknown_record() {
    refuses(
        Layout::Live,
        &patched("capture.oplr", "records[2].kind", [3]),
        expect!["records[2].kind: found 3, expected 1 (operation) or 2 (step) (read at byte 658: record-kind-unknown)"],
    );
    refuses(
        Layout::Record,
        &patched("record.bin", "kind", [0]),
        expect!["kind: found 0, expected 1 (operation) or 2 (step) (read at byte 0: record-kind-unknown)"],
    );
}

#[test]
fn a_flag_that_is_neither() {
    let flag = crate::fixtures::offset_of("replay.oprp", "steps[0].operations[0].position.z") + 8 + 65;
    refuses(
        Layout::Replay,
        &patched_at("replay.oprp", flag, [2]),
        expect![
            "steps[0].operations[0].settings.optional_flag: found 2, expected 0 or 1 (read at byte 725: flag-invalid)"
        ],
    );
    refuses(
        Layout::Settings,
        &patched("settings.bin", "has_follower", [255]),
        expect!["has_follower: found 255, expected 0 or 1 (play at byte 65: flag-invalid)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].options.has_follower", [2]),
        expect!["agents[1].options.has_follower: found 2, expected 0 or 1 (restore at byte 315: flag-invalid)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].walls.searched", [2]),
        expect!["agents[1].walls.searched: found 2, expected 0 or 1 (restore at byte 385: flag-invalid)"],
    );
}

#[test]
fn an_index_out_of_range() {
    refuses(
        Layout::Build,
        &patched("build.opbi", "triangles[0][2]", 3_i32.to_le_bytes()),
        expect!["triangles[0][2]: found 3, expected 0 or more and below 3 (read at byte 192: index-out-of-range)"],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "triangles[0][0]", (-1_i32).to_le_bytes()),
        expect!["triangles[0][0]: found -1, expected 0 or more and below 3 (read at byte 184: index-out-of-range)"],
    );
    let name = "polygons[1].vertices[2]";
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", name, 4_i32.to_le_bytes()),
        expect![
            "polygons[1].vertices[2]: found 4, expected 0 or more and below 4 (restore at byte 156: index-out-of-range)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygons[0].links[0]", 2_i32.to_le_bytes()),
        expect![
            "polygons[0].links[0]: found 2, expected -1, or 0 or more and below 2 (restore at byte 134: index-out-of-range)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygons[0].links[0]", (-2_i32).to_le_bytes()),
        expect![
            "polygons[0].links[0]: found -2, expected -1, or 0 or more and below 2 (restore at byte 134: index-out-of-range)"
        ],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].polygon", 2_i32.to_le_bytes()),
        expect!["agents[0].polygon: found 2, expected 0 or more and below 2 (restore at byte 138: index-out-of-range)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].corridor[1]", 2_i32.to_le_bytes()),
        expect![
            "agents[0].corridor[1]: found 2, expected 0 or more and below 2 (restore at byte 215: index-out-of-range)"
        ],
    );
    let name = "agents[0].walls[0].polygon";
    refuses(
        Layout::State,
        &patched("state.opcs", name, (-1_i32).to_le_bytes()),
        expect![
            "agents[0].walls[0].polygon: found -1, expected 0 or more and below 2 (restore at byte 237: index-out-of-range)"
        ],
    );
}
