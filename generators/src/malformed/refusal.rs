//! What our own reader, engine, player and mesh build say of a malformed file: never an expectation, only what expectations are compared
//! with, and the words of the message.

use crowd_engine::build::{BuildFailure, build_mesh};
use crowd_engine::{Crowd, CrowdPlayer};
use replay_format::{BuildInput, Error, LiveCapture, LiveRecord, MeshSnapshot, Path, Replay, Setup, Step};

use super::case::FileKind;

/// Reads, restores and plays (or builds) a file, until something refuses it. None where nothing does.
#[must_use]
pub fn refusal(kind: FileKind, bytes: &[u8]) -> Option<Error> {
    let result = match kind {
        FileKind::Build => BuildInput::read(bytes).and_then(|input| build(&input)),
        FileKind::Live => play_live(bytes),
        FileKind::Mesh => MeshSnapshot::read(bytes).map(drop),
        FileKind::Replay => play_replay(bytes),
        FileKind::Setup => Setup::read(bytes).and_then(|setup| Crowd::restore(&setup)).map(drop),
    };
    result.err()
}

fn build(input: &BuildInput) -> Result<(), Error> {
    match build_mesh(input, &mut ()) {
        Ok(_) | Err(BuildFailure::Stopped { .. }) => Ok(()),
        Err(BuildFailure::Refused(error)) => Err(error.0),
    }
}

fn play_replay(bytes: &[u8]) -> Result<(), Error> {
    let replay = Replay::read(bytes)?;
    let mut player = CrowdPlayer::of_replay(&replay.setup)?;
    (0..).zip(&replay.steps).try_for_each(|(index, step)| player.play_step(index, step).map(drop))
}

/// Record by record: so that an error has the path and the offset of the record.
fn play_live(bytes: &[u8]) -> Result<(), Error> {
    let capture = LiveCapture::read(bytes)?;
    let mut player = CrowdPlayer::of_replay(&capture.setup)?;
    // Operations after the last step record are kept, but not applied.
    let played = capture.records.iter().rposition(|(_, record)| matches!(record, LiveRecord::Step(_)));
    for (index, (offset, record)) in capture.records.iter().enumerate().take(played.map_or(0, |last| last + 1)) {
        let mut step = Step { operations: Vec::new(), operations_offset: offset + 1, hash: 0 };
        match record {
            LiveRecord::Operation(operation) => {
                operation.write(&mut step.operations);
                player.apply_operations(&step, &Path::ROOT).map_err(|error| of_record(&error, index))?;
            }
            LiveRecord::Step(_) => drop(player.play_step(0, &step).map_err(|error| of_step(&error, index))?),
        }
    }
    Ok(())
}

/// The error of a step, as that of its record.
fn of_step(error: &Error, index: usize) -> Error {
    let fault = error.fault();
    Error::of_field(fault.code, fault.stage, format!("records[{index}]"), &fault.found, &fault.expected)
}

/// The error of the only operation of a list, as that of a record's operation.
fn of_record(error: &Error, index: usize) -> Error {
    let fault = error.fault();
    let path = fault.path.strip_prefix("[0]").unwrap_or(&fault.path);
    let path = format!("records[{index}].operation{path}");
    match fault.offset {
        Some(offset) => Error::at(fault.code, fault.stage, offset, path, &fault.found, &fault.expected),
        None => Error::of_field(fault.code, fault.stage, path, &fault.found, &fault.expected),
    }
}
