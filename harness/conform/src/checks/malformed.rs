//! The check of malformed files: `error`.
//!
//! A file is read, restored and played (or built), in this order, until something refuses it.

use crowd_engine::Crowd;
use replay_format::{BuildInput, Error, MeshSnapshot, Setup};

use super::{Checked, Context, Differences, ErrorMode, fail, not_comparable};
use crate::sidecar::Expect;
use crate::{Format, Recording, built};

/// What comes of a file that is read, restored and played (or built) as far as it goes.
pub(crate) enum Refusal {
    /// Something refused it.
    Refused(Error),
    /// Nothing did.
    Accepted,
    /// It cannot be tried here.
    Unknown(&'static str),
}

/// Reads, restores and plays (or builds) a file.
pub(crate) fn refusal(format: Format, bytes: &[u8]) -> Refusal {
    let result = match format {
        Format::Replay | Format::Live => play(format, bytes),
        Format::Setup => Setup::read(bytes).and_then(|setup| Crowd::restore(&setup).map(drop)),
        Format::Mesh => MeshSnapshot::read(bytes).map(drop),
        Format::Build => BuildInput::read(bytes).and_then(|input| built::build(&input).map(drop)),
        Format::State => return Refusal::Unknown("a crowd state is read only within a setup block"),
    };
    match result {
        Ok(()) => Refusal::Accepted,
        Err(error) => Refusal::Refused(error),
    }
}

fn play(format: Format, bytes: &[u8]) -> Result<(), Error> {
    let Some(recording) = Recording::read(format, bytes)? else { return Ok(()) };
    let mut player = recording.player(1)?;
    for (index, step) in recording.numbered() {
        recording.play_step(&mut player, index, step)?;
    }
    Ok(())
}

/// A malformed file gives the error of its sidecar.
pub(super) fn error(context: &Context) -> Checked {
    let (_, format) = context.file()?;
    let Expect::Malformed(expect) = &context.sidecar()?.expect else { return Ok(()) };
    let error = match refusal(format, context.bytes()?) {
        Refusal::Refused(error) => error,
        Refusal::Unknown(why) => return Err(not_comparable(why)),
        Refusal::Accepted => {
            let message = format!("it is accepted; expected {} in stage {}", expect.code, expect.stage);
            return Err(fail("accepted", message));
        }
    };
    let mut differences = Differences::default();
    let mode = context.options.errors;
    if mode != ErrorMode::Reject {
        differences.compare("the stage", &error.stage(), &expect.stage);
        differences.compare("the code", &error.code(), &expect.code);
    }
    if mode == ErrorMode::Exact {
        let place = |offset: Option<u64>| offset.map_or("none".to_owned(), |offset| format!("byte {offset}"));
        differences.compare("the offset", &place(error.offset()), &place(expect.offset));
        if let Some(field) = &expect.field {
            let quoted = |path: &str| format!("`{path}`");
            differences.compare("the field", &quoted(error.path()), &quoted(field));
        }
        if let Some(message) = &expect.message {
            differences.compare("the message", &error.to_string(), message);
        }
    }
    differences.finish("error-differs").map_err(|outcome| with_error(outcome, &error))
}

/// Adds the whole error to what differs from it.
fn with_error(outcome: reports::Outcome, error: &Error) -> reports::Outcome {
    match outcome {
        reports::Outcome::Fail { code, message, mut details } => {
            details.push(format!("the error: {error}"));
            reports::Outcome::Fail { code, message, details }
        }
        other => other,
    }
}
