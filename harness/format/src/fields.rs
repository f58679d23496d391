//! The fields that layouts are made of: integers, doubles, lengths, counts, positions. One function each, so that no reader
//! forgets a check or words it in its own way.

use std::fmt;

use crate::error::{Code, Error};
use crate::limits::POSITION_LIMIT;
use crate::path::Path;
use crate::source::{Source, len64};

/// A double that nobody has validated yet: its 64 bits, kept as they are (a NaN's payload too, on every processor).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bits64(pub u64);

impl Bits64 {
    /// The bits of `value`.
    #[must_use]
    pub fn new(value: f64) -> Bits64 {
        Bits64(value.to_bits())
    }

    /// The double with these bits.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for Bits64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

impl fmt::Display for Bits64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

/// A point: x, y (up), z in metres. A validated one is finite and each axis' magnitude is below 2^21.
pub type Point = [f64; 3];

/// The field readers of every [`Source`].
pub(crate) trait Fields: Source {
    fn fail<T>(
        &self,
        code: Code,
        offset: u64,
        path: &Path<'_>,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Result<T, Self::Error> {
        Err(Error::at(code, self.stage(), offset, path, found, expected).into())
    }

    fn read_u8(&mut self, path: &Path<'_>) -> Result<u8, Self::Error> {
        self.take_array(path).map(u8::from_le_bytes)
    }

    fn read_u32(&mut self, path: &Path<'_>) -> Result<u32, Self::Error> {
        self.take_array(path).map(u32::from_le_bytes)
    }

    fn read_i32(&mut self, path: &Path<'_>) -> Result<i32, Self::Error> {
        self.take_array(path).map(i32::from_le_bytes)
    }

    fn read_i64(&mut self, path: &Path<'_>) -> Result<i64, Self::Error> {
        self.take_array(path).map(i64::from_le_bytes)
    }

    fn read_u64(&mut self, path: &Path<'_>) -> Result<u64, Self::Error> {
        self.take_array(path).map(u64::from_le_bytes)
    }

    fn read_bits(&mut self, path: &Path<'_>) -> Result<Bits64, Self::Error> {
        self.read_u64(path).map(Bits64)
    }

    /// Magic, version and the bytes after it that must have fixed values, in file order.
    fn read_header(&mut self, path: &Path<'_>, magic: [u8; 4], kind: bool) -> Result<(), Self::Error> {
        let offset = self.offset();
        let found: [u8; 4] = self.take_array(&path.field("magic"))?;
        if found != magic {
            let (found, expected) = (found.escape_ascii(), magic.escape_ascii());
            return self.fail(
                Code::MagicMismatch,
                offset,
                &path.field("magic"),
                format_args!("\"{found}\""),
                format_args!("\"{expected}\""),
            );
        }
        let offset = self.offset();
        let version = self.read_u8(&path.field("version"))?;
        if version != crate::limits::VERSION {
            return self.fail(Code::VersionUnsupported, offset, &path.field("version"), version, "1");
        }
        if kind {
            let offset = self.offset();
            let kind = self.read_u8(&path.field("kind"))?;
            if kind != crate::limits::KIND_CROWD {
                return self.fail(Code::KindUnsupported, offset, &path.field("kind"), kind, "1 (crowd)");
            }
            self.read_reserved::<2>(&path.field("reserved"))
        } else {
            self.read_reserved::<3>(&path.field("reserved"))
        }
    }

    /// Bytes that must be 0. The error stands at the first that is not.
    fn read_reserved<const N: usize>(&mut self, path: &Path<'_>) -> Result<(), Self::Error> {
        let offset = self.offset();
        let bytes: [u8; N] = self.take_array(path)?;
        match bytes.iter().position(|&b| b != 0) {
            None => Ok(()),
            Some(at) => {
                let found = bytes.get(at).copied().unwrap_or(0);
                self.fail(Code::ReservedNonzero, offset.saturating_add(len64(at)), path, found, "0")
            }
        }
    }

    /// A length in bytes (i32): not negative, at most `max`, no more than the bytes left after it, in this order.
    fn read_length(&mut self, path: &Path<'_>, max: Option<u64>) -> Result<u64, Self::Error> {
        let offset = self.offset();
        let length = self.read_i32(path)?;
        let Ok(unsigned) = u64::try_from(length) else {
            return self.fail(
                Code::LengthNegative,
                offset,
                path,
                format_args!("a length of {length} bytes"),
                "0 or more",
            );
        };
        if let Some(max) = max.filter(|&max| unsigned > max) {
            let found = format_args!("a length of {length} bytes");
            return self.fail(Code::LengthOverLimit, offset, path, found, format_args!("at most {max}"));
        }
        if unsigned > self.left() {
            let found = format_args!("a length of {length} bytes");
            let expected = format!("at most the {} bytes that are left", self.left());
            return self.fail(Code::LengthExceedsInput, offset, path, found, expected);
        }
        Ok(unsigned)
    }

    /// A count of items (i32): not negative, at most `max`; and the items, of at least `item_bytes` each, must fit in the
    /// bytes left beside `other_bytes` that are needed for something else.
    fn read_count(&mut self, path: &Path<'_>, max: u64, item_bytes: u64, other_bytes: u64) -> Result<u64, Self::Error> {
        let offset = self.offset();
        let count = self.read_i32(path)?;
        let Ok(unsigned) = u64::try_from(count) else {
            return self.fail(Code::CountNegative, offset, path, format_args!("a count of {count}"), "0 or more");
        };
        if unsigned > max {
            let expected = format_args!("at most {max}");
            return self.fail(Code::CountOverLimit, offset, path, format_args!("a count of {count}"), expected);
        }
        let needed = unsigned.saturating_mul(item_bytes).saturating_add(other_bytes);
        if needed > self.left() {
            let expected = format!("one that needs at most the {} bytes that are left", self.left());
            let found = format!("a count of {count}, which needs {needed} bytes");
            return self.fail(Code::CountExceedsInput, offset, path, found, expected);
        }
        Ok(unsigned)
    }

    /// A byte of at most `max`.
    fn read_byte_up_to(&mut self, path: &Path<'_>, max: u8) -> Result<u8, Self::Error> {
        let offset = self.offset();
        let value = self.read_u8(path)?;
        if value > max {
            return self.fail(Code::ValueOutOfRange, offset, path, value, format_args!("at most {max}"));
        }
        Ok(value)
    }

    /// A flag byte, 0 or 1.
    fn read_flag(&mut self, path: &Path<'_>) -> Result<bool, Self::Error> {
        let offset = self.offset();
        match self.read_u8(path)? {
            0 => Ok(false),
            1 => Ok(true),
            other => self.fail(Code::FlagInvalid, offset, path, other, "0 or 1"),
        }
    }

    /// Three doubles, each finite and of magnitude below 2^21, checked one after another.
    fn read_point(&mut self, path: &Path<'_>) -> Result<Point, Self::Error> {
        Ok([
            self.read_coordinate(&path.field("x"))?,
            self.read_coordinate(&path.field("y"))?,
            self.read_coordinate(&path.field("z"))?,
        ])
    }

    /// One double of a point.
    fn read_coordinate(&mut self, path: &Path<'_>) -> Result<f64, Self::Error> {
        let offset = self.offset();
        let value = self.read_bits(path)?.value();
        if !value.is_finite() {
            return self.fail(Code::PositionNotFinite, offset, path, format_args!("{value:?}"), "a finite number");
        }
        if value.abs() >= POSITION_LIMIT {
            let expected = "a magnitude below 2^21 (2097152)";
            return self.fail(Code::PositionOutOfRange, offset, path, format_args!("{value:?}"), expected);
        }
        Ok(value)
    }

    /// One double of a nested block: finite, then from `min` to `max`.
    fn read_ranged(&mut self, path: &Path<'_>, min: f64, max: f64) -> Result<f64, Self::Error> {
        let offset = self.offset();
        let value = self.read_bits(path)?.value();
        if !value.is_finite() {
            return self.fail(Code::ValueNotFinite, offset, path, format_args!("{value:?}"), "a finite number");
        }
        if value < min || value > max {
            let expected = format_args!("{min:?} to {max:?}");
            return self.fail(Code::ValueOutOfRange, offset, path, format_args!("{value:?}"), expected);
        }
        Ok(value)
    }

    /// An index (i32) into a list of `count` items.
    fn read_index(&mut self, path: &Path<'_>, count: u64) -> Result<u32, Self::Error> {
        let offset = self.offset();
        let index = self.read_i32(path)?;
        match u32::try_from(index) {
            Ok(unsigned) if u64::from(unsigned) < count => Ok(unsigned),
            _ => {
                let expected = format_args!("0 or more and below {count}");
                self.fail(Code::IndexOutOfRange, offset, path, index, expected)
            }
        }
    }

    /// Nothing may be left.
    fn read_end(&mut self, path: &Path<'_>) -> Result<(), Self::Error> {
        match self.left() {
            0 => Ok(()),
            left => {
                let found = format!("{left} more {}", if left == 1 { "byte" } else { "bytes" });
                self.fail(Code::TrailingBytes, self.offset(), path, found, "the end")
            }
        }
    }
}

impl<S: Source + ?Sized> Fields for S {}

/// The checks of SPEC.md `[GEN-8]`, for a point that did not come from bytes. Gives the axis and what is wrong.
///
/// # Errors
/// The code, the axis (`x`, `y` or `z`) and its value, for the first axis that is refused.
pub fn check_point(point: &Point) -> Result<(), (Code, &'static str, f64)> {
    for (value, axis) in point.iter().copied().zip(["x", "y", "z"]) {
        if !value.is_finite() {
            return Err((Code::PositionNotFinite, axis, value));
        }
        if value.abs() >= POSITION_LIMIT {
            return Err((Code::PositionOutOfRange, axis, value));
        }
    }
    Ok(())
}

pub(crate) fn write_f64(out: &mut Vec<u8>, value: f64) {
    out.extend_from_slice(&value.to_bits().to_le_bytes());
}

pub(crate) fn write_point(out: &mut Vec<u8>, point: &Point) {
    for value in point {
        write_f64(out, *value);
    }
}

/// Writes the length of a block as i32.
pub(crate) fn write_length(out: &mut Vec<u8>, length: usize) -> Result<(), WriteError> {
    write_count(out, length, u64::from(i32::MAX.unsigned_abs()))
}

/// Writes a length or count of at most `max` as i32.
pub(crate) fn write_count(out: &mut Vec<u8>, count: usize, max: u64) -> Result<(), WriteError> {
    if len64(count) > max {
        return Err(WriteError::TooLarge);
    }
    let count = i32::try_from(count).map_err(|_| WriteError::TooLarge)?;
    out.extend_from_slice(&count.to_le_bytes());
    Ok(())
}

/// Writes an index as i32.
pub(crate) fn write_index(out: &mut Vec<u8>, index: u32) -> Result<(), WriteError> {
    let index = i32::try_from(index).map_err(|_| WriteError::TooLarge)?;
    out.extend_from_slice(&index.to_le_bytes());
    Ok(())
}

/// What cannot be written.
///
/// Writers refuse what the layout has no room for, and no more: a value that a reader would refuse is written as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A block, list or index is larger than the layout can hold.
    #[error("a block or list is larger than the file layout can hold")]
    TooLarge,
    /// A step's operations cannot be decoded. Offset and path are those that they had where they came from.
    #[error("the operations of a step cannot be decoded: {0}")]
    Operations(#[from] Error),
}

/// The former name of [`WriteError`].
pub type TooLarge = WriteError;
