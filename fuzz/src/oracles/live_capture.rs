//! The reader of live captures: borrowed, streamed, and made into a replay.

use replay_format::{
    Code, Error, LiveCapture, LiveRecord, LiveVisitor, Replay, Setup, Stage, Step, limits, stream_live,
};

use super::owned;
use super::reading::{Contract, HEADER, OPERATIONS, Reading, SETUP};
use super::streams::{Streams, stream};
use crate::verdict::{Finding, Verdict, ensure};

const CONTRACT: Contract = Contract {
    stage: Stage::Read,
    codes: &[HEADER, SETUP, OPERATIONS, &[Code::RecordKindUnknown, Code::OperationsOverLimit]],
    after_end: Code::RecordKindUnknown,
    closed: false,
};

/// Everything that a streamed reader shows: the setup block, then each record's offset and bytes.
#[derive(Debug, Default)]
struct Seen {
    setup: Option<Setup<Vec<u8>>>,
    records: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

impl LiveVisitor for Seen {
    fn setup(&mut self, setup: Setup<Vec<u8>>) {
        self.setup = Some(setup);
    }

    fn record(&mut self, offset: u64, record: LiveRecord<'_>) {
        self.records.push((offset, self.bytes.len()));
        record.write(&mut self.bytes);
    }
}

/// The steps of a capture, and the operations after the last.
type Steps = (Vec<Step<Vec<u8>>>, Vec<u8>);

#[derive(Debug)]
struct Observation<'a> {
    reading: Reading,
    borrowed: Result<LiveCapture<'a>, Error>,
    streams: Streams<Seen>,
    steps: Option<Steps>,
    /// How many steps the replay of these steps has.
    as_replay: Option<Result<usize, Error>>,
}

/// Holds the reader of live captures to its promises on these bytes.
///
/// # Errors
/// The first property that does not hold.
pub fn live_capture(bytes: &[u8]) -> Verdict {
    judge(bytes, &observe(bytes))
}

fn observe(bytes: &[u8]) -> Observation<'_> {
    let borrowed = LiveCapture::read(bytes);
    let steps = borrowed.as_ref().ok().map(LiveCapture::steps);
    let as_replay = borrowed.as_ref().ok().zip(steps.as_ref()).map(|(capture, (steps, _))| {
        let setup = owned(&capture.setup);
        let written = Replay { setup, steps: steps.clone() }.write().unwrap_or_default();
        Replay::read(&written).map(|replay| replay.steps.len())
    });
    Observation {
        reading: Reading::of(
            bytes,
            LiveCapture::read,
            |bytes| LiveCapture::read(bytes).map(|_| ()),
            LiveCapture::write,
        ),
        borrowed,
        streams: stream(bytes, |chunks, length, seen| stream_live(chunks, length, seen)),
        steps,
        as_replay,
    }
}

fn judge(bytes: &[u8], observation: &Observation<'_>) -> Verdict {
    let outcome = CONTRACT.judge(bytes, &observation.reading)?;
    let Observation { borrowed, streams, steps, as_replay, .. } = observation;
    streams.judge(bytes.len(), borrowed, |seen, capture| {
        let offsets = seen.records.iter().map(|(offset, _)| *offset);
        let first = capture.records.first().map_or(bytes.len(), |(offset, _)| usize::try_from(*offset).unwrap_or(0));
        seen.setup.as_ref() == Some(&owned(&capture.setup))
            && offsets.eq(capture.records.iter().map(|(offset, _)| *offset))
            && bytes.get(first..) == Some(&seen.bytes)
    })?;
    for streamed in streams.complete.iter().chain(&streams.starved) {
        // Whatever came before an error was there.
        let Seen { records, bytes: written, .. } = &streamed.seen;
        let first = records.first().map_or(0, |(offset, _)| *offset);
        let right = records.iter().all(|(offset, at)| *offset == first + *at as u64)
            && usize::try_from(first).ok().and_then(|first| bytes.get(first..)).is_some_and(|b| b.starts_with(written));
        ensure(right, "streamed-values", || format!("{}: records that are not there", streamed.how))?;
    }
    if let (Ok(capture), Some(steps), Some(as_replay)) = (borrowed, steps, as_replay) {
        super::setup::judge_values(&capture.setup, bytes, 0)?;
        judge_steps(capture, steps)?;
        let count = steps.0.len();
        ensure(as_replay == &Ok(count), "as-replay", || format!("{count} steps, as a replay: {as_replay:?}"))?;
    }
    Ok(outcome)
}

/// The steps are the records without their first bytes, each step at most 16 MiB.
fn judge_steps(capture: &LiveCapture<'_>, steps: &Steps) -> Result<(), Finding> {
    let (steps, after) = steps;
    let mut wanted = Vec::new();
    for (_, record) in &capture.records {
        match record {
            LiveRecord::Operation(operation) => operation.write(&mut wanted),
            LiveRecord::Step(hash) => wanted.extend_from_slice(&hash.to_le_bytes()),
        }
    }
    let mut joined = Vec::with_capacity(wanted.len());
    for step in steps {
        joined.extend_from_slice(&step.operations);
        joined.extend_from_slice(&step.hash.to_le_bytes());
    }
    joined.extend_from_slice(after);
    ensure(joined == wanted, "steps", || "the steps are not what the records say".to_owned())?;
    let most = steps.iter().map(|step| step.operations.len()).chain([after.len()]).max().unwrap_or(0);
    ensure(most as u64 <= limits::OPERATIONS_MAX, "operations-length", || format!("a step of {most} bytes"))
}

#[cfg(test)]
mod tests {
    use super::super::reading::doctored;
    use super::*;
    use crate::verdict::Outcome;

    type Doctor = fn(&mut Observation<'_>);

    fn judge_doctored(bytes: &[u8], doctor: Doctor) -> Result<Outcome, &'static str> {
        let mut observation = observe(bytes);
        doctor(&mut observation);
        judge(bytes, &observation).map_err(|finding| finding.property)
    }

    #[test]
    fn an_accepted_capture_is_judged() {
        let doctors: [(&str, Doctor); 12] = [
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("streamed-values", |o| o.streams.complete[0].seen.records[1].0 += 1),
            ("streamed-values", |o| {
                o.streams.complete[1].seen.records.pop();
            }),
            ("streamed-values", |o| o.streams.complete[1].seen.bytes[3] ^= 1),
            ("streamed-values", |o| o.streams.complete[1].seen.setup.as_mut().unwrap().start_step += 1),
            ("streamed-values", |o| o.streams.starved.as_mut().unwrap().seen.bytes[3] ^= 1),
            ("streamed-result", |o| {
                o.streams.complete[1].result = Err(doctored(Code::Truncated, 8, "setup.dt").into());
            }),
            ("dt", |o| o.borrowed.as_mut().unwrap().setup.dt = -1.0),
            ("steps", |o| o.steps.as_mut().unwrap().0[0].hash ^= 1),
            ("steps", |o| {
                o.steps.as_mut().unwrap().0.pop();
            }),
            ("steps", |o| o.steps.as_mut().unwrap().1.clear()),
            ("as-replay", |o| o.as_replay = Some(Ok(0))),
        ];
        let bytes = &crate::seeds::lives()[1].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            let doctored = judge_doctored(bytes, doctor);
            assert!(doctored == Err(property) || (number == 7 && doctored.is_err()), "doctor {number}: {doctored:?}");
        }
    }

    #[test]
    fn a_refused_capture_is_judged() {
        let mut bytes = crate::seeds::lives()[1].bytes.clone();
        bytes.push(3);
        let at = bytes.len() as u64 - 1;
        assert!(matches!(judge_doctored(&bytes, |_| {}), Ok(Outcome::Refused(_))));
        let mut observation = observe(&bytes);
        observation.streams.complete[1].result = Err(doctored(Code::RecordKindUnknown, at, "records[8].kind").into());
        assert_eq!(judge(&bytes, &observation).unwrap_err().property, "streamed-error");
        let doctors: [(&str, Doctor); 3] = [
            ("streamed-result", |o| o.streams.complete[1].result = Ok(())),
            ("code", |o| o.reading.written = Err(doctored(Code::TrailingBytes, 300, "records[9]"))),
            ("byte-after-end", |o| o.reading.longer = Ok(())),
        ];
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(&bytes, doctor), Err(property), "doctor {number}");
        }
    }
}
