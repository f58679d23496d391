//! Streams: the same errors as in memory, whatever the reader does; and a reader that fails is told apart from bytes that are wrong.

use std::io::{self, ErrorKind, Read};

use replay_format::{LiveCapture, StreamError};

use crate::fixtures;
use crate::layout::{
    Layout, assert_live_streams_alike, assert_replay_streams_alike, format_error, read_streamed_live,
    read_streamed_replay,
};

/// A reader that gives no more than so many bytes at a time, and is interrupted in between.
#[derive(Debug)]
pub struct Chunks<'a> {
    bytes: &'a [u8],
    sizes: &'a [usize],
    turn: usize,
}

impl<'a> Chunks<'a> {
    /// The sizes are taken in turns.
    pub fn new(bytes: &'a [u8], sizes: &'a [usize]) -> Chunks<'a> {
        Chunks { bytes, sizes, turn: 0 }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let count = self.sizes[self.turn % self.sizes.len()].min(into.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(count);
        into[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}

/// A reader that gives its bytes and then fails, or ends where `kind` is none.
struct Failing<'a> {
    bytes: &'a [u8],
    kind: Option<ErrorKind>,
}

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match (self.bytes, self.kind) {
            ([], Some(kind)) => Err(kind.into()),
            _ => self.bytes.read(into),
        }
    }
}

/// The replay's setup block, count and steps end at these offsets.
const REPLAY_ENDS: [usize; 5] = [627, 631, 791, 803, 866];
/// The capture's setup block and records end at these offsets.
const LIVE_ENDS: [usize; 5] = [615, 649, 658, 667, 677];

#[test]
fn a_reader_that_gives_one_byte_at_a_time_changes_nothing() {
    let replay = fixtures::bytes("replay.oprp");
    assert_replay_streams_alike(&replay, Chunks::new(&replay, &[1]));
    let capture = fixtures::bytes("capture.oplr");
    assert_live_streams_alike(&capture, Chunks::new(&capture, &[1]));
}

#[test]
fn errors_are_the_same_at_every_cut_and_every_flipped_bit_however_the_bytes_come() {
    for (layout, fixture) in [(Layout::Replay, "replay.oprp"), (Layout::Live, "capture.oplr")] {
        let alike = |bytes: &[u8], sizes: &[usize]| match layout {
            Layout::Live => assert_live_streams_alike(bytes, Chunks::new(bytes, sizes)),
            _ => assert_replay_streams_alike(bytes, Chunks::new(bytes, sizes)),
        };
        let mut bytes = fixtures::bytes(fixture);
        for length in 0..bytes.len() {
            alike(&bytes[..length], &[1]);
        }
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            alike(&bytes, &[7, 1, 64]);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_reader_that_fails_is_reported_at_the_byte_that_did_not_come() {
    let replay = fixtures::bytes("replay.oprp");
    let capture = fixtures::bytes("capture.oplr");
    for kind in [None, Some(ErrorKind::ConnectionReset), Some(ErrorKind::UnexpectedEof)] {
        let expected_kind = kind.unwrap_or(ErrorKind::UnexpectedEof);
        let check = |result: Result<(), StreamError>, at: usize| match result {
            Err(StreamError::Io { offset, error }) => {
                assert_eq!((offset, error.kind()), (at as u64, expected_kind));
            }
            other => panic!("cut at {at}: {other:?}"),
        };
        for at in 0..replay.len() {
            let reader = Failing { bytes: &replay[..at], kind };
            let (seen, result) = read_streamed_replay(reader, replay.len() as u64);
            check(result, at);
            let ends = REPLAY_ENDS.iter().filter(|&&end| end <= at).count();
            let seen = usize::from(seen.setup.is_some()) + usize::from(seen.count.is_some()) + seen.steps.len();
            assert_eq!(seen, ends, "what had come before byte {at} was seen");
        }
        for at in 0..capture.len() {
            let reader = Failing { bytes: &capture[..at], kind };
            let (seen, result) = read_streamed_live(reader, capture.len() as u64);
            check(result, at);
            let ends = LIVE_ENDS.iter().filter(|&&end| end <= at).count();
            let seen = usize::from(seen.setup.is_some()) + seen.records.len();
            assert_eq!(seen, ends, "what had come before byte {at} was seen");
        }
    }
}

#[test]
fn a_stream_reads_no_byte_beyond_its_length() {
    let mut bytes = fixtures::bytes("capture.oplr");
    let length = bytes.len() as u64;
    bytes.extend(b"next");
    let mut reader = &bytes[..];
    let (_, result) = read_streamed_live(&mut reader, length);
    format_error(result).unwrap();
    assert_eq!(reader, b"next");

    let mut bytes = fixtures::bytes("replay.oprp");
    let length = bytes.len() as u64;
    bytes.extend(b"next");
    let mut reader = &bytes[..];
    let (_, result) = read_streamed_replay(&mut reader, length);
    format_error(result).unwrap();
    assert_eq!(reader, b"next");
}

#[test]
fn an_error_of_a_reader_says_where() {
    let (_, result) = read_streamed_replay(Failing { bytes: b"OPRP", kind: Some(ErrorKind::NotFound) }, 60);
    assert_eq!(result.unwrap_err().to_string(), "cannot read the stream at byte 4: entity not found");
}

#[test]
fn settings_of_another_extent_are_split_by_it_in_memory_and_as_a_stream() {
    use replay_format::{OperationsLayout, Replay, SettingsExtent, stream_live_with};
    let mut setup = fixtures::bytes("setup.oprs");
    let head = setup.len();
    let extent = SettingsExtent { size: 3, optional: Some((0, 2)) };
    for settings in [&[0, 9, 9][..], &[1, 9, 9, 8, 8]] {
        setup.truncate(head);
        setup.extend([1, 1]);
        setup.extend([0; 24]);
        setup.extend(settings);
        setup.extend([1, 2, 5, 0, 0, 0, 0, 0, 0, 0]);
        let capture = LiveCapture::read_with(&setup, extent).unwrap();
        assert_eq!(capture.records.len(), 2);
        assert_eq!(capture.write().unwrap(), setup);
        let mut seen = crate::layout::SeenLive::default();
        stream_live_with(Chunks::new(&setup, &[1]), setup.len() as u64, extent, &mut seen).unwrap();
        assert_eq!(seen.records.len(), 2);
        assert!(LiveCapture::read(&setup).is_err());

        let (steps, rest) = capture.steps();
        assert!(steps.is_empty());
        let step = replay_format::Step { operations: &rest[..], operations_offset: 0, hash: 7 };
        let replay = Replay { setup: capture.setup.clone(), steps: vec![step] };
        let bytes = replay.write_with(OperationsLayout::Split(extent)).unwrap();
        assert_eq!(bytes, replay.write_with(OperationsLayout::Opaque).unwrap());
        assert!(Replay::read_with(&bytes, OperationsLayout::Split(extent)).is_ok());
        assert!(Replay::read_with(&bytes, OperationsLayout::Opaque).is_ok());
        assert!(replay.write().is_err());
    }
}
