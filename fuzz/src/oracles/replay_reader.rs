//! The replay reader: borrowed, streamed, and with operations unread.

use replay_format::{
    Code, Error, OperationsLayout, Replay, ReplayVisitor, SettingsExtent, Setup, Stage, Step, limits, stream_replay,
};

use super::reading::{COUNT, Contract, END, HEADER, OPERATIONS, Reading, SETUP, root};
use super::streams::{Streams, stream};
use crate::verdict::{Finding, Outcome, Verdict, ensure};

pub(super) const CONTRACT: Contract = Contract {
    stage: Stage::Read,
    codes: &[HEADER, SETUP, COUNT, OPERATIONS, END, &[Code::LengthOverLimit]],
    after_end: Code::TrailingBytes,
    closed: true,
};

/// Everything that a streamed reader shows.
#[derive(Debug, Default)]
struct Seen {
    setup: Option<Setup<Vec<u8>>>,
    step_count: Option<u64>,
    steps: Vec<Step<Vec<u8>>>,
    in_order: bool,
}

impl ReplayVisitor<Vec<u8>> for Seen {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        self.in_order = self.setup.is_none() && self.step_count.is_none();
        self.setup = Some(setup);
    }

    fn step_count(&mut self, count: u64) {
        self.in_order &= self.setup.is_some() && self.step_count.is_none();
        self.step_count = Some(count);
    }

    fn step(&mut self, index: u64, step: Step<Vec<u8>>) {
        self.in_order &= self.step_count.is_some_and(|count| index < count) && index == self.steps.len() as u64;
        self.steps.push(step);
    }
}

#[derive(Debug)]
struct Observation<'a> {
    reading: Reading,
    borrowed: Result<Replay<&'a [u8]>, Error>,
    opaque: Result<Replay<&'a [u8]>, Error>,
    opaque_written: Option<Vec<u8>>,
    streams: Streams<Seen>,
}

/// Holds the replay reader to its promises on these bytes.
///
/// # Errors
/// The first property that does not hold.
pub fn replay_reader(bytes: &[u8]) -> Verdict {
    judge(bytes, &observe(bytes))
}

fn observe(bytes: &[u8]) -> Observation<'_> {
    let opaque = Replay::read_with(bytes, OperationsLayout::Opaque);
    let write = |replay: &Replay<&[u8]>| replay.write_with(OperationsLayout::Opaque).ok();
    Observation {
        reading: Reading::of(bytes, Replay::read, |bytes| Replay::read(bytes).map(|_| ()), Replay::write),
        borrowed: Replay::read(bytes),
        opaque_written: opaque.as_ref().ok().and_then(write),
        opaque,
        streams: stream(bytes, |chunks, length, seen| stream_replay(chunks, length, OperationsLayout::OURS, seen)),
    }
}

fn judge(bytes: &[u8], observation: &Observation<'_>) -> Verdict {
    let outcome = CONTRACT.judge(bytes, &observation.reading)?;
    let Observation { borrowed, opaque, streams, .. } = observation;
    streams.judge(bytes.len(), borrowed, is_same)?;
    for streamed in streams.complete.iter().chain(&streams.starved) {
        let seen = &streamed.seen;
        let in_order = seen.in_order || seen.setup.is_none() && seen.steps.is_empty();
        ensure(in_order, "visits", || format!("{}: the visitor was called out of order", streamed.how))?;
    }
    match (borrowed, opaque) {
        (Ok(borrowed), Ok(opaque)) => {
            ensure(borrowed == opaque, "opaque", || "other values unsplit".to_owned())?;
            let written = observation.opaque_written.as_deref();
            ensure(written == Some(bytes), "opaque", || "written unsplit, the bytes are others".to_owned())?;
        }
        (Err(error), Err(_)) if !OPERATIONS.contains(&error.code()) => {}
        (Ok(_), Err(error)) => {
            return Err(Finding { property: "opaque", detail: format!("refused only where unsplit: {error}") });
        }
        _ => {}
    }
    if let Ok(replay) = borrowed {
        judge_values(bytes, replay)?;
    }
    match (&outcome, borrowed) {
        (Outcome::Accepted, Ok(_)) => Ok(outcome),
        (Outcome::Refused(first), Err(second)) if first == second => Ok(outcome),
        _ => Err(Finding { property: "twice", detail: format!("{outcome}, then {borrowed:?}") }),
    }
}

fn judge_values(bytes: &[u8], replay: &Replay<&[u8]>) -> Result<(), Finding> {
    super::setup::judge_values(&replay.setup, bytes, 12)?;
    ensure(replay.steps.len() as u64 <= limits::STEPS_MAX, "step-count", || replay.steps.len().to_string())?;
    for (index, step) in (0..).zip(&replay.steps) {
        let length = step.operations.len() as u64;
        ensure(length <= limits::OPERATIONS_MAX, "operations-length", || format!("step {index} has {length} bytes"))?;
        super::ensure_window(bytes, step.operations_offset, step.operations, "operations")?;
        let items: Result<Vec<_>, Error> = step.operations(root(), SettingsExtent::OURS).collect();
        let items = items.map_err(|error| Finding { property: "operations", detail: error.to_string() })?;
        super::operations::judge_items(step.operations, step.operations_offset, &items)?;
    }
    Ok(())
}

fn is_same(seen: &Seen, borrowed: &Replay<&[u8]>) -> bool {
    let Replay { setup, steps } = borrowed;
    seen.setup.as_ref() == Some(&super::owned(setup))
        && seen.step_count == Some(steps.len() as u64)
        && seen.steps.len() == steps.len()
        && seen.steps.iter().zip(steps).all(|(a, b)| {
            a.operations == b.operations && a.operations_offset == b.operations_offset && a.hash == b.hash
        })
}

#[cfg(test)]
mod tests {
    use std::io;

    use replay_format::StreamError;

    use super::super::reading::doctored;
    use super::*;

    type Doctor = fn(&mut Observation<'_>);

    fn judge_doctored(bytes: &[u8], doctor: Doctor) -> Result<Outcome, &'static str> {
        let mut observation = observe(bytes);
        doctor(&mut observation);
        judge(bytes, &observation).map_err(|finding| finding.property)
    }

    fn replay<'o, 'a>(observation: &'o mut Observation<'a>) -> &'o mut Replay<&'a [u8]> {
        observation.borrowed.as_mut().unwrap()
    }

    #[test]
    fn an_accepted_replay_is_judged() {
        let doctors: [(&str, Doctor); 16] = [
            ("opaque", |o| o.opaque_written = None),
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("streamed-values", |o| o.streams.complete[0].seen.steps[2].hash ^= 1),
            ("streamed-values", |o| o.streams.complete[1].seen.steps[0].operations_offset += 1),
            ("streamed-values", |o| o.streams.complete[1].seen.setup.as_mut().unwrap().mesh[0] ^= 1),
            ("streamed-values", |o| o.streams.complete[1].seen.step_count = Some(1)),
            ("streamed-result", |o| {
                o.streams.complete[1].result = Err(doctored(Code::Truncated, 8, "setup_length").into());
            }),
            ("stream-ends-early", |o| o.streams.starved.as_mut().unwrap().result = Ok(())),
            ("stream-ends-early", |o| {
                let error = io::Error::from(io::ErrorKind::UnexpectedEof);
                o.streams.starved.as_mut().unwrap().result = Err(StreamError::Io { offset: 1 << 30, error });
            }),
            ("visits", |o| o.streams.complete[0].seen.in_order = false),
            ("opaque", |o| o.opaque.as_mut().unwrap().steps[0].hash ^= 1),
            ("opaque", |o| o.opaque = Err(doctored(Code::Truncated, 8, "setup_length"))),
            ("twice", |o| {
                let error = doctored(Code::OperationKindUnknown, 8, "setup_length");
                o.borrowed = Err(error.clone());
                for streamed in &mut o.streams.complete {
                    streamed.result = Err(error.clone().into());
                }
                o.streams.starved = None;
            }),
            ("offset", |o| edit(o, |replay| replay.setup.mesh_offset += 1)),
            ("window", |o| edit(o, |replay| replay.steps[1].operations_offset += 1)),
            ("operations", |o| edit(o, |replay| replay.steps[1].operations = &replay.steps[1].operations[..1])),
        ];
        let bytes = &crate::seeds::replays()[1].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }

    /// The same mistake in every reader, so that only the values themselves can show it.
    fn edit(observation: &mut Observation<'_>, mistake: fn(&mut Replay<&[u8]>)) {
        mistake(replay(observation));
        mistake(observation.opaque.as_mut().unwrap());
        let replay = replay(observation).clone();
        for streamed in &mut observation.streams.complete {
            streamed.seen.setup = Some(super::super::owned(&replay.setup));
            for (seen, step) in streamed.seen.steps.iter_mut().zip(&replay.steps) {
                seen.operations = step.operations.to_vec();
                seen.operations_offset = step.operations_offset;
            }
        }
    }

    #[test]
    fn a_refused_replay_is_judged() {
        let doctors: [(&str, Doctor); 5] = [
            ("streamed-error", |o| {
                o.streams.complete[1].result = Err(doctored(Code::LengthNegative, 9, "setup_length").into())
            }),
            ("streamed-error", |o| {
                o.streams.complete[1].result = Err(doctored(Code::LengthNegative, 8, "setup").into())
            }),
            ("streamed-error", |o| {
                o.streams.complete[0].result = Err(doctored(Code::Truncated, 8, "setup_length").into())
            }),
            ("streamed-words", |o| {
                o.streams.complete[0].result = Err(doctored(Code::LengthNegative, 8, "setup_length").into());
            }),
            ("streamed-result", |o| o.streams.complete[0].result = Ok(())),
        ];
        let bytes = b"OPRP\x01\x01\0\0\xff\xff\xff\xff";
        assert!(matches!(judge_doctored(bytes, |_| {}), Ok(Outcome::Refused(_))));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }
}
