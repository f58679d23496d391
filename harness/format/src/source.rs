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
    if count <= source.left() {
        return Ok(());
    }
    Err(Error::at(
        Code::Truncated,
        source.stage(),
        source.offset(),
        path,
        format_args!("{} of its bytes", source.left()),
        format_args!("{count} bytes"),
    ))
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

    fn split(&mut self, count: usize, path: &Path<'_>) -> Result<&'a [u8], Error> {
        let wanted = len64(count);
        match self.rest.split_at_checked(count) {
            Some((head, tail)) => {
                self.rest = tail;
                self.offset = self.offset.saturating_add(wanted);
                Ok(head)
            }
            None => Err(check_left(self, wanted, path).err().unwrap_or_else(|| {
                Error::at(
                    Code::Truncated,
                    self.stage,
                    self.offset,
                    path,
                    "too few bytes",
                    format_args!("{wanted} bytes"),
                )
            })),
        }
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
        check_left(self, count, path)?;
        self.split(usize::try_from(count).unwrap_or(usize::MAX), path)
    }

    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.split(N, path)?);
        Ok(array)
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
        check_left(self, count, path)?;
        let mut bytes = Vec::new();
        let got = io::Read::take(&mut self.reader, count)
            .read_to_end(&mut bytes)
            .map_err(|error| StreamError::Io { offset: self.offset, error })?;
        if len64(got) < count {
            let error = io::Error::from(io::ErrorKind::UnexpectedEof);
            return Err(StreamError::Io { offset: self.offset.saturating_add(len64(got)), error });
        }
        self.advance(count);
        Ok(bytes)
    }

    fn take_array<const N: usize>(&mut self, path: &Path<'_>) -> Result<[u8; N], StreamError> {
        check_left(self, len64(N), path)?;
        let mut array = [0; N];
        self.reader.read_exact(&mut array).map_err(|error| StreamError::Io { offset: self.offset, error })?;
        self.advance(len64(N));
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
