//! Checks that play a recording: `hashes`, `restore`, `twice`, `threads`.
//!
//! What a step must give is what the file says; where a replay is wrong on purpose (`first_bad_step`), what the first play
//! gave, so that the other checks still hold the plays against each other.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crowd_engine::CrowdPlayer;
use replay_format::Setup;

use super::{Checked, Context, fail, fail_with, not_comparable, refused};
use crate::sidecar::{Expect, Hash};
use crate::words::len64;
use crate::{Format, Recording, difference};

/// The thread counts of the check `threads`. The other checks play with one.
const THREADS: [usize; 2] = [2, 7];

/// Played, every step gives the recorded hash.
pub(super) fn hashes(context: &Context) -> Checked {
    let recording = context.recording()?;
    let played = context.played()?;
    let expected = first_bad_step(context)?;
    let found = first_mismatch(&recording, &played.hashes);
    match (expected, found) {
        (None, None) => Ok(()),
        (Some(expected), Some(found)) if expected == found => Ok(()),
        (Some(expected), None) => {
            let message = format!("every hash is as recorded, but step {expected} is expected to be bad");
            Err(fail("no-mismatch", message))
        }
        (Some(expected), Some(found)) => {
            let message = format!("the first bad step is {found}, expected {expected}");
            Err(fail_with("mismatch-elsewhere", message, recording.operations_in_words(found)))
        }
        (None, Some(found)) => Err(mismatch(&recording, found, &played.hashes)),
    }
}

fn mismatch(recording: &Recording<'_>, step: u64, hashes: &[u64]) -> reports::Outcome {
    let at = |list: Option<u64>| Hash(list.unwrap_or(0));
    let index = usize::try_from(step).unwrap_or(usize::MAX);
    let recorded = at(recording.steps.get(index).map(|step| step.hash));
    let replayed = at(hashes.get(index).copied());
    let all = len64(recording.steps.len());
    let bad = recording.steps.iter().zip(hashes).filter(|(step, hash)| step.hash != **hash).count();
    let message = format!("step {step} of {all}: replayed hash is {replayed}, recorded {recorded}");
    let mut details = vec![format!("{bad} of {all} hashes differ")];
    details.extend(recording.operations_in_words(step));
    fail_with("hash-mismatch", message, details)
}

pub(crate) fn first_mismatch(recording: &Recording<'_>, hashes: &[u64]) -> Option<u64> {
    recording.numbered().zip(hashes).find(|((_, step), hash)| step.hash != **hash).map(|((index, _), _)| index)
}

fn first_bad_step(context: &Context) -> Checked<Option<u64>> {
    Ok(match &context.sidecar()?.expect {
        Expect::Replay(expect) => expect.first_bad_step,
        _ => None,
    })
}

/// What each step must give in every play.
fn expected_hashes(context: &Context, recording: &Recording<'_>) -> Checked<Vec<u64>> {
    match first_bad_step(context)? {
        Some(_) => Ok(context.played()?.hashes.clone()),
        None => Ok(recording.steps.iter().map(|step| step.hash).collect()),
    }
}

/// Played a second time in the same process, the hashes stay the same.
pub(super) fn twice(context: &Context) -> Checked {
    let recording = context.recording()?;
    let first = context.played()?;
    let mut player = recording.player(1).map_err(|error| refused(&error))?;
    play_on(&recording, &mut player, 0..recording.steps.len(), &first.hashes, "the second play")
}

/// Played with other numbers of threads, the hashes stay the same.
pub(super) fn threads(context: &Context) -> Checked {
    if cfg!(target_family = "wasm") {
        return Err(not_comparable("this platform has no threads"));
    }
    let recording = context.recording()?;
    let expected = expected_hashes(context, &recording)?;
    for threads in THREADS {
        let mut player = recording.player(threads).map_err(|error| refused(&error))?;
        let what = format!("with {threads} threads");
        play_on(&recording, &mut player, 0..recording.steps.len(), &expected, &what)?;
    }
    Ok(())
}

/// Saved at several points, restored there and played on, the hashes stay the same.
///
/// From each point the restored crowd goes on to the next, and from the middle to the end, so that each point begins with a
/// crowd that was restored many times, and one restored crowd goes a long way.
pub(super) fn restore(context: &Context) -> Checked {
    let recording = context.recording()?;
    let expected = expected_hashes(context, &recording)?;
    let steps = recording.steps.len();
    let mut player = recording.player(1).map_err(|error| refused(&error))?;
    let mut at = 0;
    for point in points(steps) {
        play_on(&recording, &mut player, at..point, &expected, &format!("restored before step {at}"))?;
        at = point;
        player = restored(&recording, &player, point)?;
        if point == steps / 2 {
            let what = format!("restored before step {point}");
            play_on(&recording, &mut player.clone(), point..steps, &expected, &what)?;
        }
    }
    play_on(&recording, &mut player, at..steps, &expected, &format!("restored before step {at}"))
}

/// Where to save: before the first step, after each of the first two, in the middle and its neighbourhood, before the last,
/// and after it.
fn points(steps: usize) -> BTreeSet<usize> {
    let wanted = [0, 1, 2, steps / 4, steps / 2, steps / 2 + 1, steps / 4 * 3, steps.saturating_sub(1), steps];
    wanted.into_iter().filter(|&point| point <= steps).collect()
}

/// The crowd after a way through bytes: saved, its setup block read, restored.
fn restored(recording: &Recording<'_>, player: &CrowdPlayer, point: usize) -> Checked<CrowdPlayer> {
    let saved = player.setup_now().map_err(|error| fail("cannot-write", error.to_string()))?;
    let what = format!("saved before step {point}");
    let refuse =
        |error: replay_format::Error| fail("save-refused", format!("{what}, the setup block is refused: {error}"));
    let setup = Setup::read(&saved).map_err(refuse)?;
    if setup.dt.to_bits() != recording.setup.dt.to_bits() || setup.options != recording.setup.options {
        return Err(fail("restore-differs", format!("{what}, the setup block has another dt or other options")));
    }
    let restored = CrowdPlayer::new(&setup).map_err(refuse)?;
    let again = restored.setup_now().map_err(|error| fail("cannot-write", error.to_string()))?;
    if let Some(difference) = difference(Format::Setup, &saved, &again) {
        return Err(fail("restore-differs", format!("{what}, restored and saved again: {difference}")));
    }
    let (before, after) = (player.crowd().state_hash(), restored.crowd().state_hash());
    if before != after {
        let message = format!("{what}: the restored crowd's hash is {}, the saved one's {}", Hash(after), Hash(before));
        return Err(fail("restore-differs", message));
    }
    Ok(restored)
}

/// Plays some steps, each of which must give its expected hash.
fn play_on(
    recording: &Recording<'_>,
    player: &mut CrowdPlayer,
    range: std::ops::Range<usize>,
    expected: &[u64],
    what: &str,
) -> Checked {
    for index in range {
        let step: &replay_format::Step<Cow<'_, [u8]>> = &recording.steps[index];
        let hash = recording.play_step(player, len64(index), step).map_err(|error| {
            fail_with("refused", format!("{what}: {error}"), recording.operations_in_words(len64(index)))
        })?;
        if hash != expected[index] {
            let message = format!("{what}, step {index}: hash is {}, expected {}", Hash(hash), Hash(expected[index]));
            return Err(fail_with("hash-mismatch", message, recording.operations_in_words(len64(index))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_in_order_and_within() {
        assert_eq!(points(0).into_iter().collect::<Vec<_>>(), [0]);
        assert_eq!(points(1).into_iter().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(points(3).into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(points(600).into_iter().collect::<Vec<_>>(), [0, 1, 2, 150, 300, 301, 450, 599, 600]);
    }
}
