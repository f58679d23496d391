//! Where bytes come from: a slice, a stream, or a window of either. Every reader is written once, over [`Source`].
//!
//! A source knows its offset in the outermost file and how many bytes are left, so a reader can check a length before it
//! asks for the bytes, and an error can name the place. A [`Slice`] lends its bytes; a [`Stream`] hands out owned ones and
//! never holds more than it was asked for.

use std::io::{self, Read as _};

use crate::error::{Code, Error, Stage};
use crate::path::Path;

/// A run of bytes with a known end.
pub trait Source {
    /// What [`Source::take`] gives: borrowed bytes or owned ones.
    type Bytes: AsRef<[u8]>;
    /// What can go wrong: the layout, and for a stream also the reading itself.
    type Error: From<Error>;

    /// The offset of the next byte in the outermost file.
    fn offset(&self) -> u64;
    /// How many bytes are left.
    fn left(&self) -> u64;
    /// The stage that errors of this source belong to.
    fn stage(&self) -> Stage;
    /// The next `count` bytes.
    ///
    /// # Errors
    /// `truncated` where fewer are left; a stream also gives its reader's errors.
    fn take(&mut self, count: u64, path: &Path<'_>) -> Result<Self::Bytes, Self::Error>;
    /// The next `N` bytes.
    ///
    /// # Errors
    /// As [`Source::take`].
    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], Self::Error>;
}

fn check_left<S: Source + ?Sized>(source: &S, count: u64, path: &Path<'_>) -> Result<(), Error> {
    if count <= source.left() { Ok(()) } else { Err(truncated(source, count, path)) }
}

fn truncated<S: Source + ?Sized>(source: &S, count: u64, path: &Path<'_>) -> Error {
    let found = format_args!("{} of its bytes", source.left());
    let expected = format_args!("{count} {}", if count == 1 { "byte" } else { "bytes" });
    Error::at(Code::Truncated, source.stage(), source.offset(), path, found, expected)
}

/// Bytes in memory, lent out.
#[derive(Debug, Clone)]
pub struct Slice<'a> {
    rest: &'a [u8],
    offset: u64,
    stage: Stage,
}

impl<'a> Slice<'a> {
    /// A whole file, read in stage `stage`.
    #[must_use]
    pub fn new(bytes: &'a [u8], stage: Stage) -> Slice<'a> {
        Slice::within(bytes, 0, stage)
    }

    /// Bytes that begin at `offset` of the outermost file.
    #[must_use]
    pub fn within(bytes: &'a [u8], offset: u64, stage: Stage) -> Slice<'a> {
        Slice { rest: bytes, offset, stage }
    }

    /// The bytes not yet taken.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'a> Source for Slice<'a> {
    type Bytes = &'a [u8];
    type Error = Error;

    fn offset(&self) -> u64 {
        self.offset
    }

    fn left(&self) -> u64 {
        len64(self.rest.len())
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn take(&mut self, count: u64, path: &Path<'_>) -> Result<&'a [u8], Error> {
        // A count that does not fit in memory's own size is more than there is.
        let split = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((head, tail)) = split else { return Err(truncated(self, count, path)) };
        self.rest = tail;
        self.offset = self.offset.saturating_add(count);
        Ok(head)
    }

    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], Error> {
        let Some((head, tail)) = self.rest.split_first_chunk::<N>() else {
            return Err(truncated(self, len64(N), path));
        };
        self.rest = tail;
        self.offset = self.offset.saturating_add(len64(N));
        Ok(*head)
    }
}

/// What stops a streaming reader.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The bytes are wrong.
    #[error(transparent)]
    Format(#[from] Error),
    /// The bytes could not be had.
    #[error("cannot read the stream at byte {offset}: {error}")]
    Io {
        /// The offset of the byte that did not come.
        offset: u64,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// Bytes that arrive one after another, with a known number of them.
///
/// Memory: [`Source::take`] grows its result as bytes arrive, so a length that lies costs nothing.
#[derive(Debug)]
pub struct Stream<R> {
    reader: R,
    offset: u64,
    left: u64,
    stage: Stage,
}

impl<R: io::Read> Stream<R> {
    /// A stream of exactly `length` bytes. Give it a buffered reader: it asks for a few bytes at a time.
    #[must_use]
    pub fn new(reader: R, length: u64, stage: Stage) -> Stream<R> {
        Stream { reader, offset: 0, left: length, stage }
    }

    fn advance(&mut self, count: u64) {
        self.offset = self.offset.saturating_add(count);
        self.left = self.left.saturating_sub(count);
    }

    /// Appends the next `count` bytes.
    pub(crate) fn take_onto(&mut self, bytes: &mut Vec<u8>, count: u64, path: &Path<'_>) -> Result<(), StreamError> {
        check_left(self, count, path)?;
        let before = bytes.len();
        let result = io::Read::take(&mut self.reader, count).read_to_end(bytes);
        let got = len64(bytes.len().saturating_sub(before));
        self.advance(got);
        match result {
            Ok(_) if got == count => Ok(()),
            Ok(_) => Err(self.io_error(io::ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(self.io_error(error)),
        }
    }

    fn io_error(&self, error: io::Error) -> StreamError {
        StreamError::Io { offset: self.offset, error }
    }
}

impl<R: io::Read> Source for Stream<R> {
    type Bytes = Vec<u8>;
    type Error = StreamError;

    fn offset(&self) -> u64 {
        self.offset
    }

    fn left(&self) -> u64 {
        self.left
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn take(&mut self, count: u64, path: &Path<'_>) -> Result<Vec<u8>, StreamError> {
        let mut bytes = Vec::new();
        self.take_onto(&mut bytes, count, path)?;
        Ok(bytes)
    }

    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], StreamError> {
        check_left(self, len64(N), path)?;
        let mut array = [0; N];
        let mut rest = array.as_mut_slice();
        while !rest.is_empty() {
            match self.reader.read(rest) {
                Ok(0) => return Err(self.io_error(io::ErrorKind::UnexpectedEof.into())),
                Ok(got) => {
                    rest = rest.get_mut(got..).unwrap_or_default();
                    self.advance(len64(got));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.io_error(error)),
            }
        }
        Ok(array)
    }
}

/// The next bytes of another source, with their own end: a nested block of given length.
#[derive(Debug)]
pub struct Window<'s, S> {
    source: &'s mut S,
    left: u64,
}

impl<'s, S: Source> Window<'s, S> {
    /// The next `length` bytes of `source`, which must be there.
    #[must_use]
    pub fn new(source: &'s mut S, length: u64) -> Window<'s, S> {
        let left = length.min(source.left());
        Window { source, left }
    }
}

impl<S: Source> Source for Window<'_, S> {
    type Bytes = S::Bytes;
    type Error = S::Error;

    fn offset(&self) -> u64 {
        self.source.offset()
    }

    fn left(&self) -> u64 {
        self.left
    }

    fn stage(&self) -> Stage {
        self.source.stage()
    }

    fn take(&mut self, count: u64, path: &Path<'_>) -> Result<S::Bytes, S::Error> {
        check_left(self, count, path)?;
        let bytes = self.source.take(count, path)?;
        self.left = self.left.saturating_sub(count);
        Ok(bytes)
    }

    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], S::Error> {
        check_left(self, len64(N), path)?;
        let bytes = self.source.take_array(path)?;
        self.left = self.left.saturating_sub(len64(N));
        Ok(bytes)
    }
}

/// A length in memory as 64 bits, which it always fits.
pub(crate) fn len64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
