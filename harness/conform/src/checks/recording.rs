//! Checks of how a case was recorded: `scenario` and `same-as-replay`.

use std::borrow::Cow;

use crowd_engine::CrowdPlayer;
use replay_format::{Path, SettingsExtent, Step};
use reports::Outcome;

use super::{Checked, Context, fail, fail_with, not_comparable, refused};
use crate::sidecar::{Expect, ExpectLive, Hash};
use crate::words::{len64, operation_in_words};
use crate::{Format, Recording, corpus, difference, observe};

/// The sidecar's scenario, recorded anew, gives the file byte for byte.
pub(super) fn scenario(context: &Context) -> Checked {
    let (_, format) = context.file()?;
    let Some(table) = &context.sidecar()?.scenario else {
        return Err(not_comparable("the sidecar has no [scenario] to record anew"));
    };
    let bytes = observe::record_case(context.case.kind, table, context.source())
        .map_err(|error| fail("scenario-refused", format!("[scenario]: {error}")))?;
    match difference(format, context.bytes()?, &bytes) {
        None => Ok(()),
        Some(difference) => Err(fail("bytes-differ", format!("recorded anew: {difference}"))),
    }
}

/// A live capture equals the replay of the same run from the moment that the viewer attached: the crowd then, and every step
/// from there to the end.
pub(super) fn same_as_replay(context: &Context) -> Checked {
    let Expect::Live(expect) = &context.sidecar()?.expect else { return Ok(()) };
    let Some(name) = &expect.replay else {
        return Err(not_comparable("the sidecar names no replay of the same run"));
    };
    let path = format!("replays/{name}.{}", Format::Replay.ending());
    let bytes = corpus::read(context.source(), &path)
        .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })?;
    let wrong = |error| fail("refused", format!("{path}: {error}"));
    let replay = Recording::read(Format::Replay, &bytes).map_err(wrong)?;
    let replay = replay.ok_or_else(|| fail("refused", format!("{path} is no replay")))?;
    let capture = context.recording()?;
    let first = usize::try_from(expect.first_step.unwrap_or(0)).unwrap_or(usize::MAX);
    if first > replay.steps.len() {
        let message = format!("first_step is {first}, but {path} has {} steps", replay.steps.len());
        return Err(fail("sidecar-invalid", message));
    }
    same_crowd(context, &replay, first, expect)?;
    same_steps(&capture, &replay, first, expect, &path)
}

/// The snapshot is the replayed crowd at that moment.
fn same_crowd(context: &Context, replay: &Recording<'_>, first: usize, expect: &ExpectLive) -> Checked {
    let mut player: CrowdPlayer = replay.player(1).map_err(|error| refused(&error))?;
    for (index, step) in replay.numbered().take(first) {
        replay.play_step(&mut player, index, step).map_err(|error| refused(&error))?;
    }
    if let Some(step) = replay.steps.get(first) {
        let before = head(step, expect.skip_operations.unwrap_or(0));
        let path = Path::ROOT.field("operations");
        player.apply_operations(&before, &path).map_err(|error| refused(&error))?;
    }
    let snapshot = player.setup_now().map_err(|error| fail("cannot-write", error.to_string()))?;
    let bytes = context.bytes()?;
    let taken = bytes.get(..snapshot.len()).unwrap_or(bytes);
    match difference(Format::Setup, &snapshot, taken) {
        None => Ok(()),
        Some(difference) => {
            let message = format!("the snapshot is not the replayed crowd before step {first}: {difference}");
            Err(fail("snapshot-differs", message))
        }
    }
}

/// The first `count` operations of a step.
fn head<'s>(step: &'s Step<Cow<'_, [u8]>>, count: u64) -> Step<&'s [u8]> {
    let all = step.operations.as_ref();
    let operations = all.get(..prefix_length(step, count)).unwrap_or(all);
    Step { operations, operations_offset: step.operations_offset, hash: step.hash }
}

/// How many bytes the first `count` operations of a step take.
fn prefix_length(step: &Step<Cow<'_, [u8]>>, count: u64) -> usize {
    let mut starts = step.operations(Path::ROOT, SettingsExtent::OURS).filter_map(Result::ok).map(|(offset, _)| offset);
    let skipped = usize::try_from(count).unwrap_or(usize::MAX);
    match starts.nth(skipped) {
        Some(start) => usize::try_from(start - step.operations_offset).unwrap_or(usize::MAX),
        None => step.operations.len(),
    }
}

fn same_steps(
    capture: &Recording<'_>,
    replay: &Recording<'_>,
    first: usize,
    expect: &ExpectLive,
    path: &str,
) -> Checked {
    let wanted = &replay.steps[first..];
    for (index, (captured, step)) in capture.steps.iter().zip(wanted).enumerate() {
        let skip = if index == 0 { prefix_length(step, expect.skip_operations.unwrap_or(0)) } else { 0 };
        let operations = step.operations.get(skip..).unwrap_or(&[]);
        let place = format!("step {index} of the capture, {} of {path}", first + index);
        if captured.operations.as_ref() != operations {
            let mut details = vec!["the capture has:".to_owned()];
            details.extend(in_words(&captured.operations));
            details.push("the replay has:".to_owned());
            details.extend(in_words(operations));
            return Err(fail_with("operations-differ", format!("{place}: the operations differ"), details));
        }
        if captured.hash != step.hash {
            let (found, expected) = (Hash(captured.hash), Hash(step.hash));
            let message = format!("{place}: the capture's hash is {found}, the replay's {expected}");
            return Err(fail_with("hash-mismatch", message, capture.operations_in_words(len64(index))));
        }
    }
    if capture.steps.len() == wanted.len() {
        return Ok(());
    }
    let (found, expected) = (capture.steps.len(), wanted.len());
    Err(fail("steps-differ", format!("the capture has {found} steps, {path} has {expected} from step {first} on")))
}

fn in_words(operations: &[u8]) -> impl Iterator<Item = String> {
    replay_format::known_operations(operations).map(|operation| operation_in_words(&operation))
}
