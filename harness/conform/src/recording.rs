//! What can be played: a setup block and steps, from a replay or a live capture.

use std::borrow::Cow;

use crowd_engine::CrowdPlayer;
use replay_format::{Error, LiveCapture, Operation, Path, Replay, SettingsExtent, Setup, Step};

use crate::Format;
use crate::words::{count, len64, operation_in_words};

/// The most operations of a step that a message tells.
const OPERATIONS_TOLD: usize = 12;

/// A setup block and the steps after it.
#[derive(Debug, Clone)]
pub struct Recording<'a> {
    /// The setup block.
    pub setup: Setup<&'a [u8]>,
    /// The steps.
    pub steps: Vec<Step<Cow<'a, [u8]>>>,
    /// For a live capture, the operations after the last step record; they belong to no step.
    pub trailing: Vec<u8>,
    /// How many records a live capture has; steps, for a replay.
    pub records: u64,
    /// Whether this is a live capture, where a record's kind byte stands before each operation.
    live: bool,
}

impl<'a> Recording<'a> {
    /// Reads a replay or a live capture; none for other formats.
    ///
    /// # Errors
    /// Stage read: the first check that fails.
    pub fn read(format: Format, bytes: &'a [u8]) -> Result<Option<Recording<'a>>, Error> {
        match format {
            Format::Replay => Replay::read(bytes).map(|replay| Some(Recording::of_replay(replay))),
            Format::Live => LiveCapture::read(bytes).map(|capture| Some(Recording::of_live(capture))),
            Format::Setup | Format::Build | Format::Mesh | Format::State => Ok(None),
        }
    }

    /// A replay.
    #[must_use]
    pub fn of_replay(replay: Replay<&'a [u8]>) -> Recording<'a> {
        let borrow = |step: Step<&'a [u8]>| Step {
            operations: Cow::Borrowed(step.operations),
            operations_offset: step.operations_offset,
            hash: step.hash,
        };
        let records = len64(replay.steps.len());
        let steps = replay.steps.into_iter().map(borrow).collect();
        Recording { setup: replay.setup, steps, trailing: Vec::new(), records, live: false }
    }

    /// A live capture.
    #[must_use]
    pub fn of_live(capture: LiveCapture<'a>) -> Recording<'a> {
        let (steps, trailing) = capture.steps();
        let own = |step: Step<Vec<u8>>| Step {
            operations: Cow::Owned(step.operations),
            operations_offset: step.operations_offset,
            hash: step.hash,
        };
        let steps = steps.into_iter().map(own).collect();
        Recording { setup: capture.setup, steps, trailing, records: len64(capture.records.len()), live: true }
    }

    /// A player at the first step.
    ///
    /// # Errors
    /// Stage restore: the first check that fails.
    pub fn player(&self, threads: usize) -> Result<CrowdPlayer, Error> {
        let mut player = CrowdPlayer::of_replay(&self.setup)?;
        player.set_threads(threads);
        Ok(player)
    }

    /// Plays a step, which is number `index`. Gives the state hash after it.
    ///
    /// # Errors
    /// Stage play, with offset and path in this file.
    pub fn play_step(&self, player: &mut CrowdPlayer, index: u64, step: &Step<Cow<'a, [u8]>>) -> Result<u64, Error> {
        let played = player.play_step(index, step);
        if self.live { played.map_err(|error| self.of_record(index, step, &error)) } else { played }
    }

    /// The error of a step as that of the record that it is about.
    fn of_record(&self, index: u64, step: &Step<Cow<'a, [u8]>>, error: &Error) -> Error {
        let fault = error.fault();
        let before = self.numbered().take_while(|(number, _)| *number < index);
        let first: u64 = before.map(|(_, step)| len64(operations(step).len()) + 1).sum();
        match fault.offset {
            Some(offset) => {
                let operation = operation_at(step, offset);
                let inside = fault.path.split_once(".operations[").and_then(|(_, rest)| rest.split_once(']'));
                let path = format!("records[{}].operation{}", first + operation, inside.map_or("", |(_, rest)| rest));
                Error::at(fault.code, fault.stage, offset + operation, path, &fault.found, &fault.expected)
            }
            None => {
                let path = format!("records[{}]", first + len64(operations(step).len()));
                Error::of_field(fault.code, fault.stage, path, &fault.found, &fault.expected)
            }
        }
    }

    /// A step of a live capture holds its operations one after another, as a replay does. In the file a record's kind byte
    /// stands between each two of them, which `offset` does not count.
    fn offset_in_file(&self, step: &Step<Cow<'a, [u8]>>, offset: u64) -> u64 {
        if self.live { offset + operation_at(step, offset) } else { offset }
    }

    /// The steps, numbered from 0.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Step<Cow<'a, [u8]>>)> {
        (0..).zip(&self.steps)
    }

    /// The operations before step `index`, a line each, with their offsets in the file; the last lines where there are many.
    #[must_use]
    pub fn operations_in_words(&self, index: u64) -> Vec<String> {
        let Some((_, step)) = self.numbered().find(|(number, _)| *number == index) else { return Vec::new() };
        let operations = operations(step);
        let mut lines: Vec<String> = (0_u64..)
            .zip(&operations)
            .take(OPERATIONS_TOLD)
            .map(|(number, (offset, operation))| {
                let offset = self.offset_in_file(step, *offset);
                format!("operation {number} (byte {offset}): {}", operation_in_words(operation))
            })
            .collect();
        match operations.len() {
            0 => lines.push("no operations before this step".into()),
            all if all > OPERATIONS_TOLD => {
                lines.push(format!("and {} more", count(len64(all - OPERATIONS_TOLD), "operation")));
            }
            _ => {}
        }
        lines
    }
}

/// The number of the operation that `offset` belongs to.
fn operation_at(step: &Step<Cow<'_, [u8]>>, offset: u64) -> u64 {
    let begun = operations(step).iter().filter(|(start, _)| *start <= offset).count();
    len64(begun).saturating_sub(1)
}

/// The operations of a step that was read before, so that no error can come.
fn operations<'s>(step: &'s Step<Cow<'_, [u8]>>) -> Vec<(u64, Operation<'s>)> {
    step.operations(Path::ROOT, SettingsExtent::OURS).filter_map(Result::ok).collect()
}
