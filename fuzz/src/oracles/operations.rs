//! The reader of operations, over raw bytes.

use replay_format::{
    Code, Error, LiveCapture, LiveRecord, Operation, Operations, Path, Replay, SettingsExtent, Stage, check_point,
    known_operations, limits,
};

use super::reading::{Contract, OPERATIONS, Reading, ensure_nested};
use crate::verdict::{Finding, Verdict, ensure};

const CONTRACT: Contract =
    Contract { stage: Stage::Read, codes: &[OPERATIONS], after_end: Code::OperationKindUnknown, closed: false };

/// Where the operations of the first step stand in [`in_replay`], after a setup block with nothing in it.
const OFFSET_IN_REPLAY: u64 = 12 + 57 + 8;
/// An offset that does not fit 32 bits.
const FAR: u64 = 1 << 40;

type Items<'a> = Vec<(u64, Operation<'a>)>;

#[derive(Debug)]
struct Observation<'a> {
    reading: Reading,
    items: Result<Items<'a>, Error>,
    /// What came before the error, where there was one.
    before: Items<'a>,
    /// Whether the iterator gave anything after its error.
    goes_on: bool,
    /// The same operations, far into a large file.
    far: Result<Items<'a>, Error>,
    /// The same bytes as the only step of a replay.
    in_replay: Result<(), Error>,
    /// The operations that were read as live records.
    in_live: Result<(), Error>,
    known: usize,
}

/// Holds the reader of operations to its promises on these bytes.
///
/// # Errors
/// The first property that does not hold.
pub fn operations(bytes: &[u8]) -> Verdict {
    judge(bytes, &observe(bytes))
}

fn read(bytes: &[u8], offset: u64) -> Result<Items<'_>, Error> {
    Operations::new(bytes, offset, Path::ROOT.field("operations"), SettingsExtent::OURS).collect()
}

fn write(items: &Items<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for (_, operation) in items {
        operation.write(&mut out);
    }
    out
}

fn observe(bytes: &[u8]) -> Observation<'_> {
    let mut iterator = Operations::new(bytes, 0, Path::ROOT.field("operations"), SettingsExtent::OURS);
    let before: Items<'_> = iterator.by_ref().map_while(Result::ok).collect();
    Observation {
        reading: Reading::of(
            bytes,
            |bytes| read(bytes, 0),
            |bytes| read(bytes, 0).map(|_| ()),
            |items| Ok(write(items)),
        ),
        items: read(bytes, 0),
        in_live: in_live(&before),
        before,
        goes_on: iterator.next().is_some(),
        far: read(bytes, FAR),
        in_replay: Replay::read(&in_replay(bytes)).map(|_| ()),
        known: known_operations(bytes).count(),
    }
}

/// A replay whose only step has these operations.
fn in_replay(operations: &[u8]) -> Vec<u8> {
    let mut out = b"OPRP\x01\x01\0\0".to_vec();
    let setup = bare_setup();
    out.extend_from_slice(&(setup.len() as i32).to_le_bytes());
    out.extend_from_slice(&setup);
    out.extend_from_slice(&1_i32.to_le_bytes());
    out.extend_from_slice(&i32::try_from(operations.len()).unwrap_or(i32::MAX).to_le_bytes());
    out.extend_from_slice(operations);
    out.extend_from_slice(&[0; 8]);
    out
}

fn in_live(items: &Items<'_>) -> Result<(), Error> {
    let mut out = bare_setup();
    for (_, operation) in items {
        LiveRecord::Operation(*operation).write(&mut out);
        LiveRecord::Step(0).write(&mut out);
    }
    LiveCapture::read(&out).map(|_| ())
}

/// A setup block that the outer readers accept.
fn bare_setup() -> Vec<u8> {
    let mut out = b"OPRS\x01\x01\0\0".to_vec();
    out.extend_from_slice(&1_f64.to_le_bytes());
    out.extend_from_slice(&[0; 57 - 16]);
    out
}

fn judge(bytes: &[u8], observation: &Observation<'_>) -> Verdict {
    let outcome = CONTRACT.judge(bytes, &observation.reading)?;
    let Observation { items, before, goes_on, far, in_replay, in_live, known, .. } = observation;
    ensure(!goes_on, "stops", || "something came after the error".to_owned())?;
    ensure(*known == before.len(), "known-operations", || format!("{known}, not {}", before.len()))?;
    ensure(in_live.is_ok(), "live-records", || format!("operations that were read, as live records: {in_live:?}"))?;
    let read = write(before);
    ensure(bytes.starts_with(&read), "round-trip", || "what came before the error is not what was there".to_owned())?;
    judge_items(&read, 0, before)?;
    match items {
        Ok(items) => {
            ensure(items == before, "twice", || format!("{items:?}, then {before:?}"))?;
            let shifted = far.as_ref().is_ok_and(|far| {
                far.len() == items.len() && far.iter().zip(items).all(|(far, near)| far.0 == near.0 + FAR)
            });
            ensure(shifted, "offset", || format!("far into a file: {far:?}"))?;
            let fits = bytes.len() as u64 <= limits::OPERATIONS_MAX;
            let code = in_replay.as_ref().err().map(Error::code);
            let wanted = if fits { None } else { Some(Code::LengthOverLimit) };
            ensure(code == wanted, "in-replay", || format!("as a step of a replay: {in_replay:?}"))?;
        }
        Err(error) => {
            let at_or_after = error.offset().is_some_and(|offset| offset >= read.len() as u64);
            ensure(at_or_after, "offset", || format!("before the end of the last operation that was read: {error}"))?;
            let prefix = format!("operations[{}].", before.len());
            ensure(error.path().starts_with(&prefix), "path", || format!("not of {prefix}..: {error}"))?;
            let shifted = far.as_ref().is_err_and(|far| far.offset() == error.offset().map(|offset| offset + FAR));
            ensure(shifted, "offset", || format!("far into a file: {far:?}"))?;
            if bytes.len() as u64 <= limits::OPERATIONS_MAX {
                ensure_nested(in_replay, error, OFFSET_IN_REPLAY, "steps[0]")?;
            }
        }
    }
    Ok(outcome)
}

/// Operations that were read from `bytes`, which begin at `offset`: each is where the one before it ends, its kind byte is its
/// kind, its numbers are in range, its settings are the bytes that stand there.
pub(super) fn judge_items(bytes: &[u8], offset: u64, items: &[(u64, Operation<'_>)]) -> Result<(), Finding> {
    let mut next = offset;
    let mut out = Vec::new();
    for (index, (at, operation)) in items.iter().enumerate() {
        let detail = || format!("operation {index} at {at}: {operation:?}");
        ensure(*at == next, "contiguous", detail)?;
        let rest = usize::try_from(at - offset).ok().and_then(|at| bytes.get(at..)).unwrap_or(&[]);
        ensure(rest.first() == Some(&operation.kind()) && (1..=5).contains(&operation.kind()), "kind", detail)?;
        out.clear();
        operation.write(&mut out);
        ensure(rest.starts_with(&out), "round-trip", detail)?;
        next = at + out.len() as u64;
        match operation {
            Operation::Add { position, settings, settings_offset } => {
                ensure(check_point(position).is_ok(), "finite", detail)?;
                ensure(*settings_offset == at + 25 && matches!(settings.len(), 66 | 90), "settings", detail)?;
            }
            Operation::SetDestination { destination: point, .. } | Operation::Teleport { position: point, .. } => {
                ensure(check_point(point).is_ok(), "finite", detail)?;
            }
            Operation::Remove { .. } | Operation::Stop { .. } => {}
        }
    }
    ensure(next == offset + bytes.len() as u64, "contiguous", || format!("the last operation ends at {next}"))
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

    /// The same mistake in both readings, so that only the values themselves can show it.
    fn edit(observation: &mut Observation<'_>, mistake: fn(&mut Items<'_>)) {
        mistake(observation.items.as_mut().unwrap());
        mistake(&mut observation.before);
    }

    #[test]
    fn accepted_operations_are_judged() {
        let doctors: [(&str, Doctor); 12] = [
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("stops", |o| o.goes_on = true),
            ("known-operations", |o| o.known -= 1),
            ("live-records", |o| o.in_live = Err(doctored(Code::Truncated, 0, "records[0]"))),
            ("twice", |o| {
                o.items.as_mut().unwrap().pop();
            }),
            ("offset", |o| o.far.as_mut().unwrap()[2].0 -= FAR),
            ("in-replay", |o| o.in_replay = Err(doctored(Code::LengthOverLimit, 70, "steps[0].operations_length"))),
            ("contiguous", |o| edit(o, |items| items[1].0 += 1)),
            ("round-trip", |o| edit(o, |items| items[2].1 = Operation::Stop { agent: 1 })),
            ("round-trip", |o| edit(o, |items| items[2].1 = Operation::Remove { agent: 2 })),
            ("round-trip", |o| {
                edit(o, |items| {
                    if let Operation::Teleport { position, .. } = &mut items[5].1 {
                        position[1] = f64::NAN;
                    }
                });
            }),
            ("settings", |o| {
                edit(o, |items| {
                    if let Operation::Add { settings_offset, .. } = &mut items[0].1 {
                        *settings_offset += 1;
                    }
                });
            }),
        ];
        let bytes = &crate::seeds::operations()[0].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }

    #[test]
    fn a_position_that_is_not_finite_is_found() {
        let operation = Operation::Teleport { agent: 1, position: [0.0, f64::NAN, 0.0] };
        let mut bytes = Vec::new();
        operation.write(&mut bytes);
        let finding = judge_items(&bytes, 5, &[(5, operation)]).unwrap_err();
        assert_eq!(finding.property, "finite");
        let finding = judge_items(&bytes[..32], 0, &[(0, Operation::Stop { agent: 1 })]).unwrap_err();
        assert_eq!(finding.property, "kind");
    }

    #[test]
    fn refused_operations_are_judged() {
        let doctors: [(&str, Doctor); 6] = [
            ("stops", |o| o.goes_on = true),
            ("offset", |o| o.items = Err(doctored(Code::OperationKindUnknown, 8, "operations[1].kind"))),
            ("path", |o| o.items = Err(doctored(Code::OperationKindUnknown, 9, "operations[0].kind"))),
            ("offset", |o| o.far = Err(doctored(Code::OperationKindUnknown, 9, "operations[1].kind"))),
            ("nested-error", |o| o.in_replay = Ok(())),
            ("nested-error", |o| {
                o.in_replay = Err(doctored(Code::OperationKindUnknown, 87, "steps[0].operations[1].kind"));
            }),
        ];
        let mut bytes = crate::seeds::operations()[1].bytes.clone();
        bytes.push(6);
        assert!(matches!(judge_doctored(&bytes, |_| {}), Ok(Outcome::Refused(_))));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(&bytes, doctor), Err(property), "doctor {number}");
        }
    }
}
