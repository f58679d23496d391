//! Every field of a file with its offset, in file order.
//!
//! A walk goes by the layouts of SPEC.md, but it checks nothing: it shows what stands there, as far as the bytes allow, so it
//! works on malformed files too. It knows the layouts a second time, apart from the readers; the tests hold the two against
//! each other.

mod layouts;

use std::fmt;
use std::ops::ControlFlow;

use replay_format::{Bits64, Code, Error, Path, Stage};

use crate::Format;
use crate::words::len64;

/// A field of a file.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a, 'p> {
    /// Its offset, in bytes from 0.
    pub offset: u64,
    /// Its path, such as `steps[3].operations[1].position.y`.
    pub path: &'p Path<'p>,
    /// What stands there.
    pub value: Value<'a>,
}

/// What stands in a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// A byte.
    U8(u8),
    /// Four bytes, unsigned.
    U32(u32),
    /// Four bytes, signed.
    I32(i32),
    /// Eight bytes, signed.
    I64(i64),
    /// Eight bytes that are a hash or a digest.
    U64(u64),
    /// A double.
    F64(Bits64),
    /// Four letters.
    Magic([u8; 4]),
    /// Bytes without a meaning: reserved ones, and those that fit no layout.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// How many bytes it takes.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Value::U8(_) => 1,
            Value::U32(_) | Value::I32(_) | Value::Magic(_) => 4,
            Value::I64(_) | Value::U64(_) | Value::F64(_) => 8,
            Value::Bytes(bytes) => len64(bytes.len()),
        }
    }

    /// Its type in a word.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::U8(_) => "u8",
            Value::U32(_) => "u32",
            Value::I32(_) => "i32",
            Value::I64(_) => "i64",
            Value::U64(_) => "u64",
            Value::F64(_) => "f64",
            Value::Magic(_) => "magic",
            Value::Bytes(_) => "bytes",
        }
    }
}

impl fmt::Display for Value<'_> {
    /// Numbers in decimal, hashes and bytes in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::U8(value) => write!(f, "{value}"),
            Value::U32(value) => write!(f, "{value}"),
            Value::I32(value) => write!(f, "{value}"),
            Value::I64(value) => write!(f, "{value}"),
            Value::U64(value) => write!(f, "{value:016x}"),
            Value::F64(value) => write!(f, "{value}"),
            Value::Magic(letters) => write!(f, "\"{}\"", letters.escape_ascii()),
            Value::Bytes(bytes) => {
                const SHOWN: usize = 32;
                for byte in bytes.iter().take(SHOWN) {
                    write!(f, "{byte:02x}")?;
                }
                if bytes.len() > SHOWN { write!(f, "… ({} bytes)", bytes.len()) } else { Ok(()) }
            }
        }
    }
}

/// Shows `see` each field of a file, in file order and without gaps, until it breaks off. What does not fit the layout any
/// more comes as [`Value::Bytes`].
pub fn walk<'a>(format: Format, bytes: &'a [u8], mut see: impl FnMut(&Field<'a, '_>) -> ControlFlow<()>) {
    let mut cursor = Cursor { bytes, at: 0, end: bytes.len(), see: &mut see };
    let root = Path::ROOT;
    let walked = match format {
        Format::Replay => cursor.replay(&root),
        Format::Setup => cursor.setup(&root),
        Format::Live => cursor.live(&root),
        Format::Build => cursor.build_input(&root),
        Format::Mesh => cursor.mesh(&root),
        Format::State => cursor.state(&root),
    };
    match walked {
        ControlFlow::Break(Ending::Stopped) => {}
        ControlFlow::Continue(()) | ControlFlow::Break(Ending::Broken) => {
            // Nothing comes after what is left, so it does not matter whether `see` breaks off.
            let _ = cursor.rest(&root.field("rest"));
        }
    }
}

/// The path of the field that the byte at `offset` belongs to, its first byte and its value in words.
#[must_use]
pub fn field_at(format: Format, bytes: &[u8], offset: u64) -> Option<(String, u64, String)> {
    let mut found = None;
    walk(format, bytes, |field| {
        if offset < field.offset.saturating_add(field.value.length()) {
            found = Some((field.path.to_string(), field.offset, field.value.to_string()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// Whether a crowd state that stands alone has the shape of one. What its values must fit (mesh and options) stands elsewhere.
///
/// # Errors
/// `truncated` where it breaks off, `trailing-bytes` where something follows it.
pub fn check_state(bytes: &[u8]) -> Result<(), Error> {
    let mut last = String::new();
    let mut see = |field: &Field<'_, '_>| {
        last = field.path.to_string();
        ControlFlow::Continue(())
    };
    let mut cursor = Cursor { bytes, at: 0, end: bytes.len(), see: &mut see };
    let whole = cursor.state(&Path::ROOT).is_continue();
    let (at, left) = (len64(cursor.at), cursor.left());
    let error = |code, found: String, expected| Err(Error::at(code, Stage::Restore, at, Path::ROOT, found, expected));
    match (whole, left) {
        (true, 0) => Ok(()),
        (true, left) => error(Code::TrailingBytes, format!("{left} more bytes after {last}"), "the end"),
        (false, left) => {
            error(Code::Truncated, format!("{left} bytes after {last} that do not go on"), "the rest of a crowd state")
        }
    }
}

/// Why a walk ended early.
enum Ending {
    /// The one who looks has seen enough.
    Stopped,
    /// The bytes do not fit the layout any more.
    Broken,
}

type Walked<T = ()> = ControlFlow<Ending, T>;

/// A place in the bytes, and the end that binds it.
struct Cursor<'a, 'v> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    see: &'v mut dyn FnMut(&Field<'a, '_>) -> ControlFlow<()>,
}

impl<'a> Cursor<'a, '_> {
    fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    fn show(&mut self, offset: usize, path: &Path<'_>, value: Value<'a>) -> Walked {
        match (self.see)(&Field { offset: len64(offset), path, value }) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Ending::Stopped),
        }
    }

    fn take<const N: usize>(&mut self) -> Walked<[u8; N]> {
        let window = self.bytes.get(self.at..self.end).unwrap_or(&[]);
        match window.first_chunk::<N>() {
            Some(bytes) => {
                self.at += N;
                ControlFlow::Continue(*bytes)
            }
            None => ControlFlow::Break(Ending::Broken),
        }
    }

    fn magic(&mut self, path: &Path<'_>) -> Walked {
        let at = self.at;
        let letters = self.take::<4>()?;
        self.show(at, path, Value::Magic(letters))
    }

    fn u8(&mut self, path: &Path<'_>) -> Walked<u8> {
        let at = self.at;
        let [value] = self.take::<1>()?;
        self.show(at, path, Value::U8(value))?;
        ControlFlow::Continue(value)
    }

    fn u32(&mut self, path: &Path<'_>) -> Walked<u32> {
        let at = self.at;
        let value = u32::from_le_bytes(self.take()?);
        self.show(at, path, Value::U32(value))?;
        ControlFlow::Continue(value)
    }

    fn i32(&mut self, path: &Path<'_>) -> Walked<i32> {
        let at = self.at;
        let value = i32::from_le_bytes(self.take()?);
        self.show(at, path, Value::I32(value))?;
        ControlFlow::Continue(value)
    }

    fn i64(&mut self, path: &Path<'_>) -> Walked<i64> {
        let at = self.at;
        let value = i64::from_le_bytes(self.take()?);
        self.show(at, path, Value::I64(value))?;
        ControlFlow::Continue(value)
    }

    fn u64(&mut self, path: &Path<'_>) -> Walked<u64> {
        let at = self.at;
        let value = u64::from_le_bytes(self.take()?);
        self.show(at, path, Value::U64(value))?;
        ControlFlow::Continue(value)
    }

    fn f64(&mut self, path: &Path<'_>) -> Walked {
        let at = self.at;
        let value = u64::from_le_bytes(self.take()?);
        self.show(at, path, Value::F64(Bits64(value)))
    }

    fn point(&mut self, path: &Path<'_>) -> Walked {
        ["x", "y", "z"].into_iter().try_for_each(|axis| self.f64(&path.field(axis)))
    }

    fn reserved(&mut self, count: usize, path: &Path<'_>) -> Walked {
        let end = self.at.saturating_add(count);
        if end > self.end {
            return ControlFlow::Break(Ending::Broken);
        }
        self.run_to(end, path)
    }

    /// Whatever is left before the end.
    fn rest(&mut self, path: &Path<'_>) -> Walked {
        self.run_to(self.end, path)
    }

    fn run_to(&mut self, end: usize, path: &Path<'_>) -> Walked {
        let at = self.at;
        match self.bytes.get(at..end) {
            Some(bytes) if !bytes.is_empty() => {
                self.at = end;
                self.show(at, path, Value::Bytes(bytes))
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// A block of `length` bytes: what is inside cannot lead beyond it, and what inside does not fit comes as its `rest`.
    fn block(&mut self, length: i32, path: &Path<'_>, inside: impl FnOnce(&mut Self) -> Walked) -> Walked {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let outer = self.end;
        let end = match self.at.checked_add(length) {
            Some(end) if end <= outer => end,
            _ => return ControlFlow::Break(Ending::Broken),
        };
        self.end = end;
        let walked = inside(self);
        if !matches!(walked, ControlFlow::Break(Ending::Stopped)) {
            self.rest(&path.field("rest"))?;
            self.end = outer;
            return ControlFlow::Continue(());
        }
        walked
    }
}

#[cfg(test)]
mod tests;
