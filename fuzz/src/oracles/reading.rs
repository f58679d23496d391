//! What must hold of any reader: it gives back the same bytes, it says where and why it refuses, a byte more or less changes what
//! it says only where it should, and its memory stays within a small multiple of the bytes.

use replay_format::{Code, Error, Path, Stage, WriteError};

use super::justify::ensure_justified;
use crate::memory::measure;
use crate::verdict::{Finding, Outcome, Verdict, ensure};

/// The codes of magic, version, kind and reserved bytes, and of bytes that are not there.
pub(crate) const HEADER: &[Code] =
    &[Code::Truncated, Code::MagicMismatch, Code::VersionUnsupported, Code::KindUnsupported, Code::ReservedNonzero];
/// The codes of a setup block before its end.
pub(crate) const SETUP: &[Code] =
    &[Code::DtOutOfRange, Code::StartStepNegative, Code::LengthNegative, Code::LengthExceedsInput];
/// The codes of operations.
pub(crate) const OPERATIONS: &[Code] = &[
    Code::Truncated,
    Code::OperationKindUnknown,
    Code::PositionNotFinite,
    Code::PositionOutOfRange,
    Code::FlagInvalid,
];
/// The codes of a count.
pub(crate) const COUNT: &[Code] = &[Code::CountNegative, Code::CountOverLimit, Code::CountExceedsInput];
/// The codes of points.
pub(crate) const POINTS: &[Code] = &[Code::PositionNotFinite, Code::PositionOutOfRange];
/// The code of a layout that has an end.
pub(crate) const END: &[Code] = &[Code::TrailingBytes];

/// Codes that bytes after the input can take away.
const OF_THE_END: &[Code] = &[Code::Truncated, Code::LengthExceedsInput, Code::CountExceedsInput];
/// Codes that are found after later bytes were read than those that they point at.
const LATE: &[Code] = &[Code::LinkMismatch, Code::OperationsOverLimit];

/// A reader may take this many times the input's bytes, and [`MEMORY_FLOOR`]. An empty step of a replay (12 bytes) and the
/// smallest polygon are held in about eight times their bytes, and a list that grows has the old one beside the new.
const MEMORY_TIMES: usize = 24;
/// What an error's words and a few small lists take, bytes.
const MEMORY_FLOOR: usize = 1 << 14;

/// What a reader promises.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contract {
    /// The stage of its errors.
    pub(crate) stage: Stage,
    /// The only codes that it raises.
    pub(crate) codes: &'static [&'static [Code]],
    /// What a zero byte after an accepted input is.
    pub(crate) after_end: Code,
    /// Whether an accepted input without its last byte is refused.
    pub(crate) closed: bool,
}

/// What a reader said of an input.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    /// The bytes written from the values that it read.
    pub(crate) written: Result<Result<Vec<u8>, WriteError>, Error>,
    /// Of the input and a zero byte more.
    pub(crate) longer: Result<(), Error>,
    /// Of the input without its last byte.
    pub(crate) shorter: Result<(), Error>,
    /// The most bytes that it had at a time, where they were measured.
    pub(crate) memory: Option<usize>,
}

impl Reading {
    /// Lets `read` read the input and its neighbours; `write` writes what was read.
    pub(crate) fn of<'a, T>(
        bytes: &'a [u8],
        read: impl Fn(&'a [u8]) -> Result<T, Error>,
        longer: impl Fn(&[u8]) -> Result<(), Error>,
        write: impl Fn(&T) -> Result<Vec<u8>, WriteError>,
    ) -> Reading {
        let (result, memory) = measure(|| read(bytes));
        let written = result.map(|value| write(&value));
        let (_, shorter) = bytes.split_last().unwrap_or((&0, &[]));
        let mut more = bytes.to_vec();
        more.push(0);
        Reading { written, longer: longer(&more), shorter: read(shorter).map(|_| ()), memory }
    }
}

impl Contract {
    /// Judges what a reader of this contract said of `bytes`.
    pub(crate) fn judge(&self, bytes: &[u8], reading: &Reading) -> Verdict {
        if let Some(memory) = reading.memory {
            let most = bytes.len() * MEMORY_TIMES + MEMORY_FLOOR;
            ensure(memory <= most, "memory", || {
                format!("reading {} bytes took {memory} bytes at a time; at most {most} are allowed", bytes.len())
            })?;
        }
        for error in [reading.written.as_ref().err(), reading.longer.as_ref().err(), reading.shorter.as_ref().err()] {
            error.map_or(Ok(()), |error| self.judge_error(error))?;
        }
        match &reading.written {
            Ok(written) => {
                let written = written.as_ref().map_err(|error| Finding {
                    property: "round-trip",
                    detail: format!("what was read cannot be written: {error}"),
                })?;
                judge_written(bytes, written)?;
                self.judge_neighbours_of_accepted(bytes, reading)?;
                Ok(Outcome::Accepted)
            }
            Err(error) => {
                judge_neighbours_of_refused(bytes, error, reading)?;
                Ok(Outcome::Refused(error.clone()))
            }
        }
    }

    fn judge_neighbours_of_accepted(&self, bytes: &[u8], reading: &Reading) -> Result<(), Finding> {
        let seen = reading.longer.as_ref().map_err(|error| (error.code(), error.offset()));
        let wanted = (self.after_end, Some(bytes.len() as u64));
        ensure(seen == Err(wanted), "byte-after-end", || {
            format!("a zero byte after the accepted input should be {wanted:?}; it is {:?}", reading.longer)
        })?;
        ensure(!self.closed || bytes.is_empty() || reading.shorter.is_err(), "byte-missing", || {
            "the accepted input is accepted without its last byte too".to_owned()
        })
    }

    /// What must hold of every error.
    pub(crate) fn judge_error(&self, error: &Error) -> Result<(), Finding> {
        ensure(error.stage() == self.stage, "stage", || format!("not of stage {}: {error}", self.stage))?;
        ensure(self.codes.iter().any(|codes| codes.contains(&error.code())), "code", || {
            format!("a code that this layout does not raise: {error}")
        })?;
        ensure(error.offset().is_some(), "offset", || format!("it has no place: {error}"))?;
        ensure(!error.path().is_empty() || error.code() == Code::TrailingBytes, "path", || {
            format!("it names no field: {error}")
        })?;
        let words = error.to_string();
        let plain = !words.chars().any(char::is_control) && words.contains(error.code().as_str());
        ensure(plain, "one-line", || format!("not one line that holds its code: {words:?}"))
    }
}

fn judge_written(bytes: &[u8], written: &[u8]) -> Result<(), Finding> {
    ensure(written == bytes, "round-trip", || {
        let at = bytes.iter().zip(written).position(|(a, b)| a != b).unwrap_or(bytes.len().min(written.len()));
        let (read, wrote) = (bytes.len(), written.len());
        format!("{read} bytes were read and {wrote} written; byte {at} is the first that differs")
    })
}

fn judge_neighbours_of_refused(bytes: &[u8], error: &Error, reading: &Reading) -> Result<(), Finding> {
    let offset = error.offset().unwrap_or(u64::MAX);
    let length = bytes.len() as u64;
    let inside = if error.code() == Code::TrailingBytes { offset < length } else { offset <= length };
    ensure(inside, "offset", || format!("outside of the {length} bytes: {error}"))?;
    if !OF_THE_END.contains(&error.code()) {
        ensure(offset < length, "offset", || format!("at the end, where no byte can be wrong: {error}"))?;
    }
    ensure_justified(bytes, error)?;
    if !OF_THE_END.contains(&error.code()) {
        let same = reading.longer.as_ref().is_err_and(|longer| same_place(longer, error));
        ensure(same, "byte-after-end", || {
            format!("a zero byte after the refused input changes {error} to {:?}", reading.longer)
        })?;
    }
    if LATE.contains(&error.code()) {
        return Ok(());
    }
    let earlier = match &reading.shorter {
        Ok(()) => offset + 1 >= length,
        Err(shorter) => LATE.contains(&shorter.code()) || shorter.offset().is_some_and(|shorter| shorter <= offset),
    };
    ensure(bytes.is_empty() || earlier, "byte-missing", || {
        format!("without its last byte the refused input goes from {error} to {:?}", reading.shorter)
    })
}

/// Whether two errors are of the same kind at the same place.
pub(crate) fn same_place(a: &Error, b: &Error) -> bool {
    (a.code(), a.stage(), a.offset(), a.path()) == (b.code(), b.stage(), b.offset(), b.path())
}

/// Whether `outer` is `inner`, read within a larger file: its offset is `shift` more and its path begins with `prefix`.
pub(crate) fn is_nested(outer: &Error, inner: &Error, shift: u64, prefix: &str) -> bool {
    let path = match (prefix, inner.path()) {
        (prefix, "") => prefix.to_owned(),
        (prefix, path) if path.starts_with('[') => format!("{prefix}{path}"),
        (prefix, path) => format!("{prefix}.{path}"),
    };
    outer.code() == inner.code()
        && outer.stage() == inner.stage()
        && outer.offset() == inner.offset().map(|offset| offset + shift)
        && outer.path() == path
}

/// Demands that a nested error is the one that the block alone gives.
pub(crate) fn ensure_nested<T: std::fmt::Debug>(
    outer: &Result<T, Error>,
    inner: &Error,
    shift: u64,
    prefix: &str,
) -> Result<(), Finding> {
    let same = outer.as_ref().is_err_and(|outer| is_nested(outer, inner, shift, prefix));
    ensure(same, "nested-error", || format!("alone: {inner}; {shift} bytes into {prefix}: {outer:?}"))
}

/// An error for doctored readings.
#[cfg(test)]
pub(crate) fn doctored(code: Code, offset: u64, path: &str) -> Error {
    Error::at(code, Stage::Read, offset, path, "something", "something else")
}

/// A path for readers that want one.
pub(crate) fn root() -> Path<'static> {
    Path::ROOT
}

#[cfg(test)]
mod tests {
    use replay_format::Replay;

    use super::super::replay_reader::CONTRACT;
    use super::*;

    type Doctor = fn(&mut Reading);

    fn judge(bytes: &[u8], doctor: Doctor) -> Result<Outcome, &'static str> {
        let mut reading = Reading::of(bytes, Replay::read, |bytes| Replay::read(bytes).map(|_| ()), Replay::write);
        reading.memory = Some(1);
        doctor(&mut reading);
        CONTRACT.judge(bytes, &reading).map_err(|finding| finding.property)
    }

    #[test]
    fn an_accepted_input_is_judged() {
        let doctors: [(&str, Doctor); 7] = [
            ("round-trip", |reading| reading.written = Ok(Err(WriteError::TooLarge))),
            ("round-trip", |reading| reading.written.as_mut().unwrap().as_mut().unwrap()[20] ^= 1),
            ("round-trip", |reading| reading.written.as_mut().unwrap().as_mut().unwrap().push(0)),
            ("byte-after-end", |reading| reading.longer = Ok(())),
            ("byte-after-end", |reading| reading.longer = Err(doctored(Code::TrailingBytes, 3, ""))),
            ("byte-missing", |reading| reading.shorter = Ok(())),
            ("memory", |reading| reading.memory = Some(10_000_000)),
        ];
        let bytes = &crate::seeds::replays()[1].bytes;
        assert_eq!(judge(bytes, |_| {}), Ok(Outcome::Accepted));
        for (property, doctor) in doctors {
            assert_eq!(judge(bytes, doctor), Err(property));
        }
    }

    #[test]
    fn a_refused_input_is_judged() {
        let doctors: [(&str, Doctor); 11] = [
            ("stage", |reading| {
                reading.written = Err(Error::at(Code::Truncated, Stage::Play, 8, "setup_length", "", ""));
            }),
            ("code", |reading| reading.written = Err(doctored(Code::WallInvalid, 8, "setup_length"))),
            ("code", |reading| reading.longer = Err(doctored(Code::WallInvalid, 8, "setup_length"))),
            ("offset", |reading| {
                reading.written = Err(Error::of_field(Code::LengthNegative, Stage::Read, "setup_length", "", ""));
            }),
            ("path", |reading| reading.written = Err(doctored(Code::LengthNegative, 8, ""))),
            ("one-line", |reading| {
                reading.written = Err(Error::at(Code::LengthNegative, Stage::Read, 8, "setup_length", "a\nb", ""));
            }),
            ("offset", |reading| reading.written = Err(doctored(Code::Truncated, 99, "setup_length"))),
            ("offset", |reading| reading.written = Err(doctored(Code::LengthNegative, 12, "setup_length"))),
            ("byte-after-end", |reading| reading.longer = Ok(())),
            ("byte-after-end", |reading| reading.longer = Err(doctored(Code::LengthNegative, 7, "setup_length"))),
            ("byte-missing", |reading| reading.shorter = Err(doctored(Code::Truncated, 9, "setup_length"))),
        ];
        let bytes = b"OPRP\x01\x01\0\0\xff\xff\xff\xff";
        assert!(matches!(judge(bytes, |_| {}), Ok(Outcome::Refused(_))));
        for (property, doctor) in doctors {
            assert_eq!(judge(bytes, doctor), Err(property));
        }
    }
}
