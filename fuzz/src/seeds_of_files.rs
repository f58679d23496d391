//! Seeds out of the corpus: each target takes of a file what it is about, and no more than its longest input.

use replay_format::{LiveCapture, Replay, Setup};

use crate::Target;
use crate::seeds::Seed;

/// The most runs of operations that one file gives.
const OPERATIONS_MAX: usize = 6;

pub(crate) fn of_file(target: &Target, name: &str, bytes: &[u8]) -> Vec<Seed> {
    let ending = name.rsplit('.').next().unwrap_or("");
    let mut parts: Vec<Vec<u8>> = match (target.name, ending) {
        ("replay_reader" | "play", "oprp") => vec![shorten(bytes, target.max_len)],
        ("live_capture", "oplr" | "oprs") | ("setup", "oprs") | ("build_input", "opbi") => vec![bytes.to_vec()],
        ("setup", "oprp") => setup_of(bytes),
        ("mesh_state", "opnm" | "opcs" | "oprs") => vec![bytes.to_vec()],
        ("mesh_state", "oprp") => setup_of(bytes),
        ("operations", "oprp") => operations_of_replay(bytes),
        ("operations", "oplr") => operations_of_live(bytes),
        _ => Vec::new(),
    };
    parts.retain(|part| part.len() <= target.max_len);
    parts.into_iter().enumerate().map(|(number, bytes)| Seed { name: format!("{name}-{number}"), bytes }).collect()
}

/// The replay with as many of its steps as fit.
fn shorten(bytes: &[u8], max_len: usize) -> Vec<u8> {
    let Ok(mut replay) = Replay::read(bytes) else { return bytes.to_vec() };
    let step_bytes = |operations: &[u8]| operations.len() + 12;
    let mut size = bytes.len();
    while size > max_len {
        let Some(step) = replay.steps.pop() else { break };
        size -= step_bytes(step.operations);
    }
    replay.write().unwrap_or_default()
}

fn setup_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Ok(replay) = Replay::read(bytes) else { return Vec::new() };
    write_setup(&replay.setup)
}

fn write_setup(setup: &Setup<&[u8]>) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    setup.write(&mut out).map(|()| vec![out]).unwrap_or_default()
}

fn operations_of_replay(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Ok(replay) = Replay::read(bytes) else { return Vec::new() };
    let steps = replay.steps.iter().map(|step| step.operations.to_vec());
    steps.filter(|operations| !operations.is_empty()).take(OPERATIONS_MAX).collect()
}

fn operations_of_live(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Ok(capture) = LiveCapture::read(bytes) else { return Vec::new() };
    let (steps, after) = capture.steps();
    let all = steps.into_iter().map(|step| step.operations).chain([after]);
    all.filter(|operations| !operations.is_empty()).take(OPERATIONS_MAX).collect()
}
