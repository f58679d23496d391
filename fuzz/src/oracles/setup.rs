//! The reader of setup blocks: alone, in a replay, and at the beginning of a live capture.

use replay_format::{Code, Error, LiveCapture, Replay, Setup, Stage, limits};

use super::ensure_window;
use super::reading::{Contract, END, HEADER, Reading, SETUP, ensure_nested};
use crate::verdict::{Finding, Verdict, ensure};

const CONTRACT: Contract =
    Contract { stage: Stage::Read, codes: &[HEADER, SETUP, END], after_end: Code::TrailingBytes, closed: true };

/// Where the setup block stands in a replay.
const OFFSET_IN_REPLAY: u64 = 12;

#[derive(Debug)]
struct Observation<'a> {
    reading: Reading,
    values: Result<Setup<&'a [u8]>, Error>,
    in_replay: Result<(), Error>,
    in_live: Result<usize, Error>,
}

/// Holds the reader of setup blocks to its promises on these bytes.
///
/// # Errors
/// The first property that does not hold.
pub fn setup(bytes: &[u8]) -> Verdict {
    judge(bytes, &observe(bytes))
}

fn observe(bytes: &[u8]) -> Observation<'_> {
    let write = |setup: &Setup<&[u8]>| {
        let mut out = Vec::new();
        setup.write(&mut out).map(|()| out)
    };
    Observation {
        reading: Reading::of(bytes, Setup::read, |bytes| Setup::read(bytes).map(|_| ()), write),
        values: Setup::read(bytes),
        in_replay: Replay::read(&in_replay(bytes)).map(|_| ()),
        in_live: LiveCapture::read(bytes).map(|capture| capture.records.len()),
    }
}

/// A replay of no steps with this setup block.
fn in_replay(setup: &[u8]) -> Vec<u8> {
    let mut out = b"OPRP\x01\x01\0\0".to_vec();
    out.extend_from_slice(&i32::try_from(setup.len()).unwrap_or(i32::MAX).to_le_bytes());
    out.extend_from_slice(setup);
    out.extend_from_slice(&[0; 4]);
    out
}

fn judge(bytes: &[u8], observation: &Observation<'_>) -> Verdict {
    let outcome = CONTRACT.judge(bytes, &observation.reading)?;
    let Observation { values, in_replay, in_live, .. } = observation;
    match values {
        Ok(setup) => {
            judge_values(setup, bytes, 0)?;
            ensure(in_replay.is_ok(), "in-replay", || format!("in a replay of no steps: {in_replay:?}"))?;
            ensure(in_live == &Ok(0), "in-live", || format!("as a live capture: {in_live:?}"))?;
        }
        Err(error) => {
            ensure_nested(in_replay, error, OFFSET_IN_REPLAY, "setup")?;
            if error.code() == Code::TrailingBytes {
                // A live capture has records there.
                let after =
                    in_live.as_ref().map_or_else(|live| live.offset() >= error.offset(), |records| *records > 0);
                ensure(after, "in-live", || format!("as a live capture: {in_live:?}"))?;
            } else {
                ensure_nested(in_live, error, 0, "setup")?;
            }
        }
    }
    Ok(outcome)
}

/// A setup block that was read from `bytes`, where it begins at `offset`.
pub(super) fn judge_values(setup: &Setup<&[u8]>, bytes: &[u8], offset: u64) -> Result<(), Finding> {
    let (dt, start) = (setup.dt, setup.start_step);
    ensure(dt > 0.0 && dt <= limits::DT_MAX, "dt", || format!("{dt:?}"))?;
    ensure(start >= 0, "start-step", || start.to_string())?;
    let mesh_offset = offset + 53;
    let state_offset = mesh_offset + setup.mesh.len() as u64 + 4;
    let offsets = (setup.mesh_offset, setup.state_offset);
    ensure(offsets == (mesh_offset, state_offset), "offset", || format!("{offsets:?}"))?;
    ensure_window(bytes, mesh_offset, setup.mesh, "mesh")?;
    ensure_window(bytes, state_offset, setup.state, "state")
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
    fn an_accepted_setup_is_judged() {
        let doctors: [(&str, Doctor); 9] = [
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("dt", |o| o.values.as_mut().unwrap().dt = 0.0),
            ("dt", |o| o.values.as_mut().unwrap().dt = f64::NAN),
            ("start-step", |o| o.values.as_mut().unwrap().start_step = -1),
            ("offset", |o| o.values.as_mut().unwrap().state_offset -= 1),
            ("window", |o| o.values.as_mut().unwrap().state = b"other bytes"),
            ("in-replay", |o| o.in_replay = Err(doctored(Code::DtOutOfRange, 20, "setup.dt"))),
            ("in-live", |o| o.in_live = Err(doctored(Code::DtOutOfRange, 8, "setup.dt"))),
            ("in-live", |o| o.in_live = Ok(1)),
        ];
        let bytes = &crate::seeds::setups()[0].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }

    #[test]
    fn a_refused_setup_is_judged() {
        let mut bytes = crate::seeds::setups()[0].bytes.clone();
        bytes.push(9);
        assert!(matches!(judge_doctored(&bytes, |_| {}), Ok(Outcome::Refused(_))));
        assert_eq!(judge_doctored(&bytes, |o| o.in_live = Ok(0)), Err("in-live"));
        bytes[15] = 0xFF;
        assert!(matches!(judge_doctored(&bytes, |_| {}), Ok(Outcome::Refused(_))));
        let doctors: [Doctor; 4] = [
            |o| o.in_live = Ok(0),
            |o| o.in_replay = Ok(()),
            |o| o.in_replay = Err(doctored(Code::DtOutOfRange, 8, "setup.dt")),
            |o| o.in_replay = Err(doctored(Code::DtOutOfRange, 20, "dt")),
        ];
        for (number, doctor) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(&bytes, doctor), Err("nested-error"), "doctor {number}");
        }
    }
}
