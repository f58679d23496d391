//! The setup block: everything needed to rebuild the crowd at its first recorded step. SPEC.md, chapter OPRS.

use crate::error::{Code, Stage};
use crate::fields::{Bits64, Fields, WriteError, write_length};
use crate::limits;
use crate::path::Path;
use crate::source::{Slice, Source};
use crate::{CrowdOptionsBits, Error};

/// A setup block. Mesh and state are nested bytes, unread; the crowd options are not validated.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup<B> {
    /// The time step, seconds: above 0, at most 3600.
    pub dt: f64,
    /// The crowd's step count at the first recorded step, 0 or more.
    pub start_step: i64,
    /// The crowd options as they stand in the file.
    pub options: CrowdOptionsBits,
    /// The mesh snapshot.
    pub mesh: B,
    /// The offset of `mesh` in the outermost file.
    pub mesh_offset: u64,
    /// The crowd state.
    pub state: B,
    /// The offset of `state` in the outermost file.
    pub state_offset: u64,
}

impl<B: AsRef<[u8]>> Setup<B> {
    /// Appends its bytes, from its values.
    ///
    /// # Errors
    /// Where mesh or state have 2^31 bytes or more.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        out.extend_from_slice(&limits::SETUP_MAGIC);
        out.extend_from_slice(&[limits::VERSION, limits::KIND_CROWD, 0, 0]);
        out.extend_from_slice(&self.dt.to_bits().to_le_bytes());
        out.extend_from_slice(&self.start_step.to_le_bytes());
        self.options.write(out);
        for block in [self.mesh.as_ref(), self.state.as_ref()] {
            write_length(out, block.len())?;
            out.extend_from_slice(block);
        }
        Ok(())
    }
}

impl<'a> Setup<&'a [u8]> {
    /// Reads a setup file.
    ///
    /// # Errors
    /// The first check of chapter OPRS that fails.
    pub fn read(bytes: &'a [u8]) -> Result<Setup<&'a [u8]>, Error> {
        let mut source = Slice::new(bytes, Stage::Read);
        let setup = read_setup(&mut source, &Path::ROOT)?;
        source.read_end(&Path::ROOT)?;
        Ok(setup)
    }
}

/// Reads a setup block; what follows it is left in the source.
pub(crate) fn read_setup<S: Source>(source: &mut S, path: &Path<'_>) -> Result<Setup<S::Bytes>, S::Error> {
    source.read_header(path, limits::SETUP_MAGIC, true)?;
    let dt = read_dt(source, &path.field("dt"))?;
    let offset = source.offset();
    let start_step = source.read_i64(&path.field("start_step"))?;
    if start_step < 0 {
        return source.fail(Code::StartStepNegative, offset, &path.field("start_step"), start_step, "0 or more");
    }
    let options = CrowdOptionsBits::read_from(source, &path.field("options"))?;
    let length = source.read_length(&path.field("mesh_length"), None)?;
    let mesh_offset = source.offset();
    let mesh = source.take(length, &path.field("mesh"))?;
    let length = source.read_length(&path.field("state_length"), None)?;
    let state_offset = source.offset();
    let state = source.take(length, &path.field("state"))?;
    Ok(Setup { dt, start_step, options, mesh, mesh_offset, state, state_offset })
}

fn read_dt<S: Source>(source: &mut S, path: &Path<'_>) -> Result<f64, S::Error> {
    let offset = source.offset();
    let dt: Bits64 = source.read_bits(path)?;
    if !dt_is_valid(dt.value()) {
        return source.fail(Code::DtOutOfRange, offset, path, dt, "above 0 and at most 3600");
    }
    Ok(dt.value())
}

/// Whether `dt` is above 0 and at most 3600 seconds.
#[must_use]
pub fn dt_is_valid(dt: f64) -> bool {
    dt > 0.0 && dt <= limits::DT_MAX
}
