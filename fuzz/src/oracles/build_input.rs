//! The reader of build inputs.

use replay_format::{BuildInput, Code, Error, Stage, check_point, limits};

use super::reading::{COUNT, Contract, END, HEADER, POINTS, Reading};
use crate::verdict::{Finding, Verdict, ensure};

const CONTRACT: Contract = Contract {
    stage: Stage::Read,
    codes: &[HEADER, COUNT, POINTS, END, &[Code::IndexOutOfRange]],
    after_end: Code::TrailingBytes,
    closed: true,
};

/// The bytes before the vertices.
const HEAD: usize = 8 + 80 + 16 + 8;

#[derive(Debug)]
struct Observation {
    reading: Reading,
    values: Result<BuildInput, Error>,
}

/// Holds the reader of build inputs to its promises on these bytes.
///
/// # Errors
/// The first property that does not hold.
pub fn build_input(bytes: &[u8]) -> Verdict {
    judge(bytes, &observe(bytes))
}

fn observe(bytes: &[u8]) -> Observation {
    Observation {
        reading: Reading::of(bytes, BuildInput::read, |bytes| BuildInput::read(bytes).map(|_| ()), BuildInput::write),
        values: BuildInput::read(bytes),
    }
}

fn judge(bytes: &[u8], observation: &Observation) -> Verdict {
    let outcome = CONTRACT.judge(bytes, &observation.reading)?;
    if let Ok(input) = &observation.values {
        judge_values(bytes, input)?;
    }
    Ok(outcome)
}

fn judge_values(bytes: &[u8], input: &BuildInput) -> Result<(), Finding> {
    let (vertices, triangles) = (input.vertices.len(), input.triangles.len());
    let wanted = HEAD + vertices * 24 + triangles * 12;
    ensure(wanted == bytes.len(), "counts", || {
        format!("{vertices} vertices and {triangles} triangles take {wanted} bytes; there are {}", bytes.len())
    })?;
    let within = vertices as u64 <= limits::BUILD_VERTICES_MAX && triangles as u64 <= limits::BUILD_TRIANGLES_MAX;
    ensure(within, "counts", || format!("{vertices} vertices, {triangles} triangles"))?;
    let bad = input.vertices.iter().find(|vertex| check_point(vertex).is_err());
    ensure(bad.is_none(), "finite", || format!("{bad:?}"))?;
    let bad = input.triangles.iter().flatten().find(|index| **index as usize >= vertices);
    ensure(bad.is_none(), "index", || format!("{bad:?} of {vertices} vertices"))
}

#[cfg(test)]
mod tests {
    use super::super::reading::doctored;
    use super::*;
    use crate::verdict::Outcome;

    type Doctor = fn(&mut Observation);

    fn judge_doctored(bytes: &[u8], doctor: Doctor) -> Result<Outcome, &'static str> {
        let mut observation = observe(bytes);
        doctor(&mut observation);
        judge(bytes, &observation).map_err(|finding| finding.property)
    }

    #[test]
    fn an_accepted_input_is_judged() {
        let doctors: [(&str, Doctor); 5] = [
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("counts", |o| {
                o.values.as_mut().unwrap().triangles.pop();
            }),
            ("finite", |o| o.values.as_mut().unwrap().vertices[3][2] = f64::INFINITY),
            ("finite", |o| o.values.as_mut().unwrap().vertices[0][0] = -limits::POSITION_LIMIT),
            ("index", |o| o.values.as_mut().unwrap().triangles[1][2] = 4),
        ];
        let bytes = &crate::seeds::builds()[0].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }

    #[test]
    fn a_refused_input_is_judged() {
        let bytes = crate::seeds::builds()[0].bytes[..50].to_vec();
        assert!(matches!(judge_doctored(&bytes, |_| {}), Ok(Outcome::Refused(_))));
        let doctors: [(&str, Doctor); 2] = [
            ("code", |o| o.reading.written = Err(doctored(Code::KindUnsupported, 5, "kind"))),
            ("offset", |o| o.reading.written = Err(doctored(Code::Truncated, 51, "settings"))),
        ];
        for (number, (property, doctor)) in doctors.into_iter().enumerate().skip(1) {
            assert_eq!(judge_doctored(&bytes, doctor), Err(property), "doctor {number}");
        }
    }
}
