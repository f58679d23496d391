//! The replay file: a setup block and the recorded steps. SPEC.md, chapter OPRP.

use std::io;

use crate::error::Stage;
use crate::fields::{Fields, WriteError, write_count, write_length};
use crate::limits;
use crate::operation::{Operations, SettingsExtent};
use crate::path::Path;
use crate::setup::{Setup, read_setup};
use crate::source::{Slice, Source, Stream, StreamError, Window};
use crate::{Error, Operation};

/// What a replay's operations are to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationsLayout {
    /// They can be split: agent settings have this extent.
    Split(SettingsExtent),
    /// One blob a step (the agent settings' extent is not known).
    Opaque,
}

impl OperationsLayout {
    /// This project's own.
    pub const OURS: OperationsLayout = OperationsLayout::Split(SettingsExtent::OURS);
}

/// One recorded step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<B> {
    /// The operations before the step, concatenated.
    pub operations: B,
    /// The offset of `operations` in the outermost file.
    pub operations_offset: u64,
    /// The crowd's state hash after the step.
    pub hash: u64,
}

impl<B: AsRef<[u8]>> Step<B> {
    /// The operations one after another. `path` is their list's, such as `steps[3].operations`.
    #[must_use]
    pub fn operations<'p>(&self, path: Path<'p>, extent: SettingsExtent) -> Operations<'_, 'p> {
        Operations::new(self.operations.as_ref(), self.operations_offset, path, extent)
    }
}

/// Sees a replay as it is read: the setup, how many steps come, then each of them.
pub trait ReplayVisitor<B> {
    /// The setup block.
    fn setup(&mut self, setup: Setup<B>);
    /// How many steps follow.
    fn step_count(&mut self, count: u64);
    /// The next step, which is number `index` (from 0).
    fn step(&mut self, index: u64, step: Step<B>);
}

/// A replay in memory. `B` is how its bytes are held: `&[u8]` borrowed from the file, or `Vec<u8>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay<B> {
    /// The setup block.
    pub setup: Setup<B>,
    /// The steps in order.
    pub steps: Vec<Step<B>>,
}

impl<'a> Replay<&'a [u8]> {
    /// Reads a replay file whose operations are laid out as this project's.
    ///
    /// # Errors
    /// The first check of chapter OPRP that fails.
    pub fn read(bytes: &'a [u8]) -> Result<Replay<&'a [u8]>, Error> {
        Replay::read_with(bytes, OperationsLayout::OURS)
    }

    /// Reads a replay file.
    ///
    /// # Errors
    /// The first check of chapter OPRP that fails.
    pub fn read_with(bytes: &'a [u8], layout: OperationsLayout) -> Result<Replay<&'a [u8]>, Error> {
        let mut parts = Collect { setup: None, steps: Vec::new() };
        read_replay(&mut Slice::new(bytes, Stage::Read), layout, &mut parts)?;
        parts.finish().ok_or_else(|| {
            Error::at(crate::Code::Truncated, Stage::Read, 0, Path::ROOT, "no setup block", "a setup block")
        })
    }
}

impl<B: AsRef<[u8]>> Replay<B> {
    /// The bytes of a replay file whose operations are laid out as this project's.
    ///
    /// # Errors
    /// As [`Replay::write_with`].
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        self.write_with(OperationsLayout::OURS)
    }

    /// The file's bytes, written from the decoded values: each operation that can be split is decoded and encoded anew.
    ///
    /// # Errors
    /// Where a block or list is larger than the layout can say, or a step's operations cannot be decoded.
    pub fn write_with(&self, layout: OperationsLayout) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::new();
        write_replay_head(&mut out, &self.setup)?;
        write_count(&mut out, self.steps.len(), limits::STEPS_MAX)?;
        let steps = Path::ROOT.field("steps");
        let mut operations = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            operations.clear();
            match layout {
                OperationsLayout::Opaque => operations.extend_from_slice(step.operations.as_ref()),
                OperationsLayout::Split(extent) => {
                    let path = steps.item(index);
                    for item in step.operations(path.field("operations"), extent) {
                        item?.1.write(&mut operations);
                    }
                }
            }
            write_count(&mut out, operations.len(), limits::OPERATIONS_MAX)?;
            out.extend_from_slice(&operations);
            out.extend_from_slice(&step.hash.to_le_bytes());
        }
        Ok(out)
    }
}

/// Writes everything of a replay file before its step count.
///
/// # Errors
/// Where a block is larger than the layout can say.
pub fn write_replay_head<B: AsRef<[u8]>>(out: &mut Vec<u8>, setup: &Setup<B>) -> Result<(), WriteError> {
    let mut block = Vec::new();
    setup.write(&mut block)?;
    out.extend_from_slice(&limits::REPLAY_MAGIC);
    out.extend_from_slice(&[limits::VERSION, limits::KIND_CROWD, 0, 0]);
    write_length(out, block.len())?;
    out.extend_from_slice(&block);
    Ok(())
}

/// Reads a replay of `length` bytes as they arrive, one step at a time, in constant memory (one step's operations, or the
/// setup block, at a time).
///
/// # Errors
/// The first check of chapter OPRP that fails, or the reader's own error. What the visitor saw before then stands.
pub fn stream_replay<R: io::Read>(
    reader: R,
    length: u64,
    layout: OperationsLayout,
    visitor: &mut impl ReplayVisitor<Vec<u8>>,
) -> Result<(), StreamError> {
    read_replay(&mut Stream::new(reader, length, Stage::Read), layout, visitor)
}

fn read_replay<S: Source>(
    source: &mut S,
    layout: OperationsLayout,
    visitor: &mut impl ReplayVisitor<S::Bytes>,
) -> Result<(), S::Error> {
    let root = Path::ROOT;
    source.read_header(&root, limits::REPLAY_MAGIC, true)?;
    let length = source.read_length(&root.field("setup_length"), None)?;
    let setup_path = root.field("setup");
    let mut block = Window::new(source, length);
    let setup = read_setup(&mut block, &setup_path)?;
    block.read_end(&setup_path)?;
    visitor.setup(setup);
    let count = source.read_count(&root.field("step_count"), limits::STEPS_MAX, limits::STEP_MIN_BYTES, 0)?;
    visitor.step_count(count);
    let steps = root.field("steps");
    for index in 0..count {
        let step = read_step(source, &steps.index(index), layout)?;
        visitor.step(index, step);
    }
    source.read_end(&root)
}

fn read_step<S: Source>(source: &mut S, path: &Path<'_>, layout: OperationsLayout) -> Result<Step<S::Bytes>, S::Error> {
    let length = source.read_length(&path.field("operations_length"), Some(limits::OPERATIONS_MAX))?;
    let operations_offset = source.offset();
    let operations = source.take(length, &path.field("operations"))?;
    if let OperationsLayout::Split(extent) = layout {
        for item in Operations::new(operations.as_ref(), operations_offset, path.field("operations"), extent) {
            item?;
        }
    }
    let hash = source.read_u64(&path.field("hash"))?;
    Ok(Step { operations, operations_offset, hash })
}

struct Collect<B> {
    setup: Option<Setup<B>>,
    steps: Vec<Step<B>>,
}

impl<B> Collect<B> {
    fn finish(self) -> Option<Replay<B>> {
        Some(Replay { setup: self.setup?, steps: self.steps })
    }
}

impl<B> ReplayVisitor<B> for Collect<B> {
    fn setup(&mut self, setup: Setup<B>) {
        self.setup = Some(setup);
    }

    fn step_count(&mut self, count: u64) {
        // The count was checked against the bytes left, so this is backed by bytes; still, take it in small bites.
        self.steps.reserve(usize::try_from(count.min(1 << 16)).unwrap_or(0));
    }

    fn step(&mut self, _index: u64, step: Step<B>) {
        self.steps.push(step);
    }
}

/// The operations of a step, for one who has read them before: no error can come.
pub fn known_operations(bytes: &[u8]) -> impl Iterator<Item = Operation<'_>> {
    Operations::new(bytes, 0, Path::ROOT, SettingsExtent::OURS).filter_map(|item| item.ok().map(|(_, op)| op))
}
