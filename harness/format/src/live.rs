//! Live records and live captures. SPEC.md, chapters LIVE and OPLR.

use std::io;

use crate::error::{Code, Stage};
use crate::fields::{Fields, WriteError};
use crate::limits;
use crate::operation::{Operation, SettingsExtent, operation_bytes, read_operation};
use crate::path::Path;
use crate::setup::{Setup, read_setup};
use crate::source::{Slice, Source, Stream, StreamError, len64};
use crate::{Error, Step};

/// The first byte of a record that holds an operation.
pub const RECORD_OPERATION: u8 = 1;
/// The first byte of a record that holds a hash.
pub const RECORD_STEP: u8 = 2;

/// One live record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LiveRecord<'a> {
    /// First byte 1: the host did this between steps.
    Operation(Operation<'a>),
    /// First byte 2: the host stepped, and this is the crowd's hash after it.
    Step(u64),
}

impl<'a> LiveRecord<'a> {
    /// Reads exactly one record.
    ///
    /// # Errors
    /// The first check of chapter LIVE that fails.
    pub fn read(bytes: &'a [u8], extent: SettingsExtent) -> Result<LiveRecord<'a>, Error> {
        let mut source = Slice::new(bytes, Stage::Read);
        let record = read_record(&mut source, &Path::ROOT, extent)?;
        source.read_end(&Path::ROOT)?;
        Ok(record)
    }

    /// Appends its bytes, from its values.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            LiveRecord::Operation(operation) => {
                out.push(RECORD_OPERATION);
                operation.write(out);
            }
            LiveRecord::Step(hash) => {
                out.push(RECORD_STEP);
                out.extend_from_slice(&hash.to_le_bytes());
            }
        }
    }
}

fn read_record<'a>(source: &mut Slice<'a>, path: &Path<'_>, extent: SettingsExtent) -> Result<LiveRecord<'a>, Error> {
    let offset = source.offset();
    match source.read_u8(&path.field("kind"))? {
        RECORD_OPERATION => read_operation(source, &path.field("operation"), extent).map(LiveRecord::Operation),
        RECORD_STEP => source.read_u64(&path.field("hash")).map(LiveRecord::Step),
        other => source.fail(Code::RecordKindUnknown, offset, &path.field("kind"), other, "1 (operation) or 2 (step)"),
    }
}

/// The live records in a run of bytes, one after another. After the first error it ends.
///
/// The operations since the last step record may take 16 MiB together, as a step of a replay may.
#[derive(Debug, Clone)]
pub struct LiveRecords<'a> {
    source: Slice<'a>,
    extent: SettingsExtent,
    index: u64,
    pending: u64,
    failed: bool,
}

impl<'a> LiveRecords<'a> {
    /// The records in `bytes`, which begin at `offset` of the outermost file.
    #[must_use]
    pub fn new(bytes: &'a [u8], offset: u64, extent: SettingsExtent) -> LiveRecords<'a> {
        LiveRecords { source: Slice::within(bytes, offset, Stage::Read), extent, index: 0, pending: 0, failed: false }
    }

    fn read_next(&mut self) -> Result<(u64, LiveRecord<'a>), Error> {
        let records = Path::ROOT.field("records");
        let path = records.index(self.index);
        let offset = self.source.offset();
        let record = read_record(&mut self.source, &path, self.extent)?;
        match record {
            LiveRecord::Step(_) => self.pending = 0,
            LiveRecord::Operation(_) => {
                let length = self.source.offset().saturating_sub(offset).saturating_sub(1);
                self.pending = self.pending.saturating_add(length);
                if self.pending > limits::OPERATIONS_MAX {
                    let found = format_args!("{} bytes of operations since the last step", self.pending);
                    let expected = format_args!("at most {}", limits::OPERATIONS_MAX);
                    return self.source.fail(Code::OperationsOverLimit, offset, &path, found, expected);
                }
            }
        }
        self.index = self.index.saturating_add(1);
        Ok((offset, record))
    }
}

impl<'a> Iterator for LiveRecords<'a> {
    /// The record's offset in the outermost file, and the record.
    type Item = Result<(u64, LiveRecord<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.source.is_empty() {
            return None;
        }
        let result = self.read_next();
        self.failed = result.is_err();
        Some(result)
    }
}

/// A live capture: the setup block that a viewer took, then the records it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveCapture<'a> {
    /// The setup block.
    pub setup: Setup<&'a [u8]>,
    /// The records, each with its offset in the file.
    pub records: Vec<(u64, LiveRecord<'a>)>,
}

impl<'a> LiveCapture<'a> {
    /// Reads a live capture.
    ///
    /// # Errors
    /// The first check of chapter OPLR that fails.
    pub fn read(bytes: &'a [u8]) -> Result<LiveCapture<'a>, Error> {
        LiveCapture::read_with(bytes, SettingsExtent::OURS)
    }

    /// Reads a live capture whose agent settings have this extent.
    ///
    /// # Errors
    /// The first check of chapter OPLR that fails.
    pub fn read_with(bytes: &'a [u8], extent: SettingsExtent) -> Result<LiveCapture<'a>, Error> {
        let mut source = Slice::new(bytes, Stage::Read);
        let setup = read_setup(&mut source, &Path::ROOT.field("setup"))?;
        let records = LiveRecords::new(source.rest(), source.offset(), extent).collect::<Result<_, _>>()?;
        Ok(LiveCapture { setup, records })
    }

    /// The file's bytes, written from the decoded values.
    ///
    /// # Errors
    /// Where a block is larger than the layout can say.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::new();
        self.setup.write(&mut out)?;
        for (_, record) in &self.records {
            record.write(&mut out);
        }
        Ok(out)
    }

    /// The steps as a replay would hold them, and the operations after the last step record, which belong to no step.
    ///
    /// A step's `operations_offset` is where its first operation stands in the file. In the file a record's kind byte stands
    /// before each further one: [`LiveCapture::records`] has the place of each.
    #[must_use]
    pub fn steps(&self) -> (Vec<Step<Vec<u8>>>, Vec<u8>) {
        let mut steps = Vec::new();
        let mut pending = Vec::new();
        let mut first = None;
        for (offset, record) in &self.records {
            match record {
                LiveRecord::Operation(operation) => {
                    first = first.or(Some(offset.saturating_add(1)));
                    operation.write(&mut pending);
                }
                LiveRecord::Step(hash) => steps.push(Step {
                    operations: std::mem::take(&mut pending),
                    operations_offset: first.take().unwrap_or(*offset),
                    hash: *hash,
                }),
            }
        }
        (steps, pending)
    }
}

/// Sees a live capture as it arrives.
pub trait LiveVisitor {
    /// The setup block.
    fn setup(&mut self, setup: Setup<Vec<u8>>);
    /// The next record and its offset in the file.
    fn record(&mut self, offset: u64, record: LiveRecord<'_>);
}

/// Reads a live capture of `length` bytes as it arrives, one record at a time, in constant memory.
///
/// A record is seen as soon as its last byte has come: nothing is read ahead.
///
/// # Errors
/// The first check of chapter OPLR that fails, or the reader's own error. What the visitor saw before then stands.
pub fn stream_live<R: io::Read>(reader: R, length: u64, visitor: &mut impl LiveVisitor) -> Result<(), StreamError> {
    stream_live_with(reader, length, SettingsExtent::OURS, visitor)
}

/// [`stream_live`] for agent settings of this extent.
///
/// # Errors
/// As [`stream_live`].
pub fn stream_live_with<R: io::Read>(
    reader: R,
    length: u64,
    extent: SettingsExtent,
    visitor: &mut impl LiveVisitor,
) -> Result<(), StreamError> {
    let mut source = Stream::new(reader, length, Stage::Read);
    let setup = read_setup(&mut source, &Path::ROOT.field("setup"))?;
    visitor.setup(setup);
    let (mut index, mut pending) = (0, 0);
    let mut record: Vec<u8> = Vec::new();
    while source.left() > 0 {
        record.clear();
        let offset = source.offset();
        // A record has no length of its own: its first bytes say how long it is. Where the file ends before, or a kind is
        // unknown, what is there is enough for the reader of borrowed records to say so.
        while let Some(more) = bytes_missing(&record, extent).map(|more| more.min(source.left())).filter(|&m| m > 0) {
            source.take_onto(&mut record, more, &Path::ROOT)?;
        }
        let mut records = LiveRecords { index, pending, ..LiveRecords::new(&record, offset, extent) };
        let (at, record) = records.read_next()?;
        visitor.record(at, record);
        (index, pending) = (records.index, records.pending);
    }
    Ok(())
}

/// How many more bytes a record needs, as far as its first bytes tell; 0 where it is whole, none where its kind is unknown.
fn bytes_missing(record: &[u8], extent: SettingsExtent) -> Option<u64> {
    let size = match *record {
        [] => 1,
        [RECORD_STEP, ..] => 9,
        [RECORD_OPERATION] => 2,
        [RECORD_OPERATION, kind, ref fields @ ..] => operation_bytes(kind, fields, extent)?.saturating_add(1),
        [_, ..] => return None,
    };
    size.checked_sub(len64(record.len()))
}
