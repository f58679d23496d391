//! What holds a layout together: magics, versions, reserved bytes, ends; and the order of checks.

use expect_test::expect;
use replay_format::{MeshSnapshot, Path};

use super::{refuses, replay_with_setup};
use crate::fixtures::{bytes, cut, patched};
use crate::layout::Layout;

#[test]
fn an_empty_file() {
    refuses(Layout::Replay, b"", expect!["magic: found 0 of its bytes, expected 4 bytes (read at byte 0: truncated)"]);
    refuses(Layout::Setup, b"", expect!["magic: found 0 of its bytes, expected 4 bytes (read at byte 0: truncated)"]);
    refuses(
        Layout::Live,
        b"",
        expect!["setup.magic: found 0 of its bytes, expected 4 bytes (read at byte 0: truncated)"],
    );
    refuses(Layout::Build, b"", expect!["magic: found 0 of its bytes, expected 4 bytes (read at byte 0: truncated)"]);
    refuses(Layout::Mesh, b"", expect!["magic: found 0 of its bytes, expected 4 bytes (restore at byte 0: truncated)"]);
    refuses(
        Layout::State,
        b"",
        expect!["spec_version: found 0 of its bytes, expected 4 bytes (restore at byte 0: truncated)"],
    );
    refuses(Layout::Record, b"", expect!["kind: found 0 of its bytes, expected 1 byte (read at byte 0: truncated)"]);
    refuses(
        Layout::Settings,
        b"",
        expect!["radius: found 0 of its bytes, expected 8 bytes (play at byte 0: truncated)"],
    );
}

#[test]
fn a_magic_of_another_layout() {
    refuses(
        Layout::Replay,
        &bytes("setup.oprs"),
        expect![[r#"magic: found "OPRS", expected "OPRP" (read at byte 0: magic-mismatch)"#]],
    );
    refuses(
        Layout::Setup,
        &bytes("replay.oprp"),
        expect![[r#"magic: found "OPRP", expected "OPRS" (read at byte 0: magic-mismatch)"#]],
    );
    refuses(
        Layout::Live,
        &bytes("build.opbi"),
        expect![[r#"setup.magic: found "OPBI", expected "OPRS" (read at byte 0: magic-mismatch)"#]],
    );
    refuses(
        Layout::Build,
        &bytes("mesh.opnm"),
        expect![[r#"magic: found "OPNM", expected "OPBI" (read at byte 0: magic-mismatch)"#]],
    );
    refuses(
        Layout::Mesh,
        b"\"\\\n\x7f\xff",
        expect![[r#"magic: found "\"\\\n\x7f", expected "OPNM" (restore at byte 0: magic-mismatch)"#]],
    );
    refuses(
        Layout::Replay,
        &replay_with_setup("magic", b"OPRP"),
        expect![[r#"setup.magic: found "OPRP", expected "OPRS" (read at byte 12: magic-mismatch)"#]],
    );
}

#[test]
fn a_version_of_tomorrow() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "version", [2]),
        expect!["version: found 2, expected 1 (read at byte 4: version-unsupported)"],
    );
    refuses(
        Layout::Replay,
        &replay_with_setup("version", [0]),
        expect!["setup.version: found 0, expected 1 (read at byte 16: version-unsupported)"],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "version", [2]),
        expect!["version: found 2, expected 1 (read at byte 4: version-unsupported)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "version", [255]),
        expect!["version: found 255, expected 1 (restore at byte 4: version-unsupported)"],
    );
}

#[test]
fn a_kind_that_is_no_crowd() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "kind", [0]),
        expect!["kind: found 0, expected 1 (crowd) (read at byte 5: kind-unsupported)"],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "kind", [2]),
        expect!["kind: found 2, expected 1 (crowd) (read at byte 5: kind-unsupported)"],
    );
}

#[test]
fn a_reserved_byte_that_is_used() {
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "reserved", [0, 1]),
        expect!["reserved: found 1, expected 0 (read at byte 7: reserved-nonzero)"],
    );
    refuses(
        Layout::Setup,
        &patched("setup.oprs", "reserved", [7, 1]),
        expect!["reserved: found 7, expected 0 (read at byte 6: reserved-nonzero)"],
    );
    refuses(
        Layout::Build,
        &patched("build.opbi", "reserved", [0, 0, 9]),
        expect!["reserved: found 9, expected 0 (read at byte 7: reserved-nonzero)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "reserved", [0, 3, 9]),
        expect!["reserved: found 3, expected 0 (restore at byte 6: reserved-nonzero)"],
    );
}

#[test]
fn a_field_that_is_cut() {
    refuses(
        Layout::Replay,
        &cut("replay.oprp", 7),
        expect!["reserved: found 1 of its bytes, expected 2 bytes (read at byte 6: truncated)"],
    );
    refuses(
        Layout::Replay,
        &cut("replay.oprp", 629),
        expect!["step_count: found 2 of its bytes, expected 4 bytes (read at byte 627: truncated)"],
    );
    refuses(
        Layout::Replay,
        &cut("replay.oprp", 633),
        expect![
            "step_count: found a count of 3, which needs 36 bytes, expected one that needs at most the 2 bytes that are left (read at byte 627: count-exceeds-input)"
        ],
    );
    refuses(
        Layout::Replay,
        &cut("replay.oprp", 865),
        expect!["steps[2].hash: found 7 of its bytes, expected 8 bytes (read at byte 858: truncated)"],
    );
    refuses(
        Layout::Setup,
        &cut("setup.oprs", 40),
        expect!["options.wall_refresh_distance: found 3 of its bytes, expected 8 bytes (read at byte 37: truncated)"],
    );
    refuses(
        Layout::Live,
        &cut("capture.oplr", 676),
        expect!["records[3].operation.agent: found 7 of its bytes, expected 8 bytes (read at byte 669: truncated)"],
    );
    refuses(
        Layout::Build,
        &cut("build.opbi", 47),
        expect!["settings.cell_size: found 7 of its bytes, expected 8 bytes (read at byte 40: truncated)"],
    );
    refuses(
        Layout::State,
        &cut("state.opcs", 100)[..39],
        expect!["agent_count: found 3 of its bytes, expected 4 bytes (restore at byte 36: truncated)"],
    );
}

#[test]
fn a_setup_block_that_is_shorter_than_its_fields() {
    // The setup's length says 8: its fields do not fit, whatever stands behind it.
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", 10_i32.to_le_bytes()),
        expect!["setup.dt: found 2 of its bytes, expected 8 bytes (read at byte 20: truncated)"],
    );
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", 0_i32.to_le_bytes()),
        expect!["setup.magic: found 0 of its bytes, expected 4 bytes (read at byte 12: truncated)"],
    );
    refuses(
        Layout::Replay,
        &patched("replay.oprp", "setup_length", 614_i32.to_le_bytes()),
        expect![
            "setup.state_length: found a length of 386 bytes, expected at most the 385 bytes that are left (read at byte 237: length-exceeds-input)"
        ],
    );
}

#[test]
fn bytes_after_the_end() {
    refuses(
        Layout::Replay,
        &[bytes("replay.oprp"), vec![0]].concat(),
        expect!["file: found 1 more byte, expected the end (read at byte 866: trailing-bytes)"],
    );
    refuses(
        Layout::Setup,
        &[bytes("setup.oprs"), vec![1, 2]].concat(),
        expect!["file: found 2 more bytes, expected the end (read at byte 615: trailing-bytes)"],
    );
    refuses(
        Layout::Build,
        &[bytes("build.opbi"), vec![0; 3]].concat(),
        expect!["file: found 3 more bytes, expected the end (read at byte 196: trailing-bytes)"],
    );
    refuses(
        Layout::Record,
        &[bytes("record.bin"), vec![0]].concat(),
        expect!["file: found 1 more byte, expected the end (read at byte 10: trailing-bytes)"],
    );
    refuses(
        Layout::Mesh,
        &[bytes("mesh.opnm"), vec![0]].concat(),
        expect!["file: found 1 more byte, expected the end (restore at byte 172: trailing-bytes)"],
    );
    refuses(
        Layout::State,
        &[bytes("state.opcs"), vec![0]].concat(),
        expect!["file: found 1 more byte, expected the end (restore at byte 386: trailing-bytes)"],
    );
    refuses(
        Layout::Settings,
        &[bytes("settings.bin"), vec![0]].concat(),
        expect!["file: found 1 more byte, expected the end (play at byte 90: trailing-bytes)"],
    );
    let longer = patched("replay.oprp", "setup_length", 618_i32.to_le_bytes());
    refuses(
        Layout::Replay,
        &longer,
        expect!["setup: found 3 more bytes, expected the end (read at byte 627: trailing-bytes)"],
    );
}

#[test]
fn nested_blocks_keep_the_offsets_of_the_file() {
    let mesh = [bytes("mesh.opnm"), vec![0]].concat();
    let path = Path::ROOT.field("setup");
    let error = MeshSnapshot::read_at(&mesh, 65, &path.field("mesh")).unwrap_err();
    expect!["setup.mesh: found 1 more byte, expected the end (restore at byte 237: trailing-bytes)"]
        .assert_eq(&error.to_string());
    let error = MeshSnapshot::read_at(&mesh[..30], 65, &path.field("mesh")).unwrap_err();
    expect!["setup.mesh.vertex_count: found a count of 4, which needs 96 bytes, expected one that needs at most the 10 bytes that are left (restore at byte 81: count-exceeds-input)"].assert_eq(&error.to_string());
}

#[test]
fn a_field_is_checked_before_the_ones_after_it() {
    // Everything is wrong; the first field is the error, and then the first of the rest.
    let mut bytes = vec![0xff; 400];
    let mut codes = Vec::new();
    for (offset, with) in [(0, &b"OPRS"[..]), (4, &[1]), (5, &[1]), (6, &[0]), (7, &[0])] {
        codes.push(Layout::Setup.error(&bytes).code().as_str());
        bytes[offset..offset + with.len()].copy_from_slice(with);
    }
    for (offset, with) in [(8, 1.0_f64.to_le_bytes()), (16, 0_i64.to_le_bytes())] {
        codes.push(Layout::Setup.error(&bytes).code().as_str());
        bytes[offset..offset + 8].copy_from_slice(&with);
    }
    codes.push(Layout::Setup.error(&bytes).code().as_str());
    bytes[49..53].copy_from_slice(&0_i32.to_le_bytes());
    codes.push(Layout::Setup.error(&bytes).code().as_str());
    bytes[53..57].copy_from_slice(&0_i32.to_le_bytes());
    codes.push(Layout::Setup.error(&bytes).code().as_str());
    bytes.truncate(57);
    assert!(Layout::Setup.rewrite(&bytes).is_ok());
    let expected = [
        "magic-mismatch",
        "version-unsupported",
        "kind-unsupported",
        "reserved-nonzero",
        "reserved-nonzero",
        "dt-out-of-range",
        "start-step-negative",
        "length-negative",
        "length-negative",
        "trailing-bytes",
    ];
    assert_eq!(codes, expected);
}
