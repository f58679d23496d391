//! Streams that give the same bytes in different ways: a streamed reader must say what the borrowed one says.

use std::fmt::Debug;
use std::io::{self, ErrorKind};

use replay_format::{Error, StreamError};

use super::reading::same_place;
use crate::verdict::{Finding, ensure};

/// Inputs larger than this are not streamed byte by byte: it would take seconds.
const SINGLE_BYTES_MAX: usize = 1 << 13;

/// Bytes in chunks of a size.
#[derive(Debug)]
pub(crate) struct Chunks<'a> {
    rest: &'a [u8],
    size: usize,
}

impl io::Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(buffer.len());
        io::Read::read(&mut self.rest, &mut buffer[..count])
    }
}

/// What a streamed reader said.
#[derive(Debug)]
pub(crate) struct Streamed<T> {
    /// How the bytes came.
    pub(crate) how: &'static str,
    /// What it read up to its end or its error.
    pub(crate) seen: T,
    /// Its end.
    pub(crate) result: Result<(), StreamError>,
}

/// Lets `read` read the bytes in one piece, byte by byte, and from a stream that ends one byte too soon.
pub(crate) fn stream<T: Default>(
    bytes: &[u8],
    read: impl Fn(Chunks<'_>, u64, &mut T) -> Result<(), StreamError>,
) -> Streams<T> {
    let single = if bytes.len() > SINGLE_BYTES_MAX { 4093 } else { 1 };
    let run = |how, rest, size| {
        let mut seen = T::default();
        let result = read(Chunks { rest, size }, bytes.len() as u64, &mut seen);
        Streamed { how, seen, result }
    };
    Streams {
        complete: vec![run("in one piece", bytes, usize::MAX), run("byte by byte", bytes, single)],
        starved: bytes.split_last().map(|(_, rest)| run("a byte too few", rest, usize::MAX)),
    }
}

/// What a streamed reader said of the same bytes that came in different ways.
#[derive(Debug)]
pub(crate) struct Streams<T> {
    /// All bytes came.
    pub(crate) complete: Vec<Streamed<T>>,
    /// All but the last came; none where there is none.
    pub(crate) starved: Option<Streamed<T>>,
}

impl<T: Debug> Streams<T> {
    /// Demands what the borrowed reader said; `same` compares what was read (in whole, where it was accepted).
    pub(crate) fn judge<B: Debug>(
        &self,
        length: usize,
        borrowed: &Result<B, Error>,
        same: impl Fn(&T, &B) -> bool,
    ) -> Result<(), Finding> {
        for Streamed { how, seen, result } in &self.complete {
            match (borrowed, result) {
                (Ok(borrowed), Ok(())) => {
                    ensure(same(seen, borrowed), "streamed-values", || format!("{how}: other values were read"))?;
                }
                (Err(borrowed), Err(StreamError::Format(streamed))) => {
                    ensure(same_place(streamed, borrowed), "streamed-error", || {
                        format!("{how}: {streamed}; borrowed: {borrowed}")
                    })?;
                    ensure(streamed == borrowed, "streamed-words", || {
                        format!("{how}: {streamed}; borrowed: {borrowed}")
                    })?;
                }
                (borrowed, _) => {
                    let borrowed = borrowed.as_ref().map(|_| "accepted").map_err(Error::to_string);
                    return Err(Finding {
                        property: "streamed-result",
                        detail: format!("{how}: {result:?}; borrowed: {borrowed:?}"),
                    });
                }
            }
        }
        self.starved.as_ref().map_or(Ok(()), |starved| judge_starved(length, borrowed.as_ref().err(), starved))
    }
}

/// A stream that ends too soon is an error of the stream, or the one that the reader found before it noticed.
fn judge_starved<T>(length: usize, borrowed: Option<&Error>, starved: &Streamed<T>) -> Result<(), Finding> {
    let right = match &starved.result {
        Ok(()) => false,
        Err(StreamError::Format(error)) => borrowed.is_some_and(|borrowed| same_place(error, borrowed)),
        Err(StreamError::Io { offset, error }) => error.kind() == ErrorKind::UnexpectedEof && *offset < length as u64,
    };
    ensure(right, "stream-ends-early", || format!("{}: {:?}; borrowed: {borrowed:?}", starved.how, starved.result))
}
