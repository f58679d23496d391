//! Each way of being wrong that this crate can tell, with the whole message: path, found, expected, stage, offset and code.
//!
//! `every_code_is_raised_in_every_stage` reads these files: a code without a test here fails it.

mod framing;
mod lengths;
mod nested;
mod values;

use expect_test::Expect;
use replay_format::{AgentOptions, Code, Path, Stage};

use crate::fixtures::{bytes, cut, patched_at};
use crate::layout::{Layout, read_state};
use crate::spec;

fn refuses(layout: Layout, bytes: &[u8], expected: Expect) {
    expected.assert_eq(&layout.error(bytes).to_string());
}

/// A setup block within a replay, patched at a field of the setup block.
fn replay_with_setup(name: &str, with: impl AsRef<[u8]>) -> Vec<u8> {
    patched_at("replay.oprp", 12 + crate::fixtures::offset_of("setup.oprs", name), with)
}

/// A replay of one step with these operations.
fn replay_of(operations: &[u8]) -> Vec<u8> {
    let mut out = cut("replay.oprp", 627);
    out.extend(1_i32.to_le_bytes());
    out.extend((operations.len() as i32).to_le_bytes());
    out.extend(operations);
    out.extend([0; 8]);
    out
}

#[test]
fn an_error_says_the_same_in_its_parts_and_in_words() {
    let error = AgentOptions::read(&[0; 7], 1000, &Path::ROOT.field("settings"), Stage::Play).unwrap_err();
    let fault = error.fault();
    assert_eq!((fault.code, fault.stage, fault.offset), (Code::Truncated, Stage::Play, Some(1000)));
    assert_eq!((fault.path.as_str(), error.path()), ("settings.radius", "settings.radius"));
    let words = "settings.radius: found 7 of its bytes, expected 8 bytes (play at byte 1000: truncated)";
    assert_eq!(error.to_string(), words);
    assert!(read_state(&bytes("state.opcs")).is_ok());
}

#[test]
fn every_code_is_raised_in_every_stage() {
    let source =
        [include_str!("framing.rs"), include_str!("lengths.rs"), include_str!("nested.rs"), include_str!("values.rs")]
            .concat();
    for row in spec::code_rows() {
        for stage in row.stages.iter().filter(|stage| matches!(stage, Stage::Read | Stage::Restore)) {
            let ending = format!(": {})", row.code);
            let begins = [format!("({stage} at byte "), format!("({stage}: ")];
            let raised = source
                .lines()
                .any(|line| line.contains(&ending) && begins.iter().any(|begin| line.contains(begin.as_str())));
            assert!(raised, "no test raises {} in stage {stage}", row.code);
        }
    }
}
