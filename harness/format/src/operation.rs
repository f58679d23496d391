//! Operations: what a host does to a crowd between steps. SPEC.md, chapter OP.

use crate::error::{Code, Error, Stage};
use crate::fields::{Fields, Point, write_point};
use crate::limits;
use crate::path::Path;
use crate::source::{Slice, Source};

/// How many bytes the agent settings of an `Add` take, without knowing what they mean.
///
/// The outer readers never look into nested blocks; this is all they need to find where an operation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsExtent {
    /// The bytes that are always there.
    pub size: u64,
    /// The optional part: (offset of its flag byte within the fixed part, bytes that follow when the flag is 1).
    pub optional: Option<(u64, u64)>,
}

impl SettingsExtent {
    /// The extent of this project's agent options ([`crate::AgentOptions`]).
    pub const OURS: SettingsExtent =
        SettingsExtent { size: limits::AGENT_OPTIONS_BYTES, optional: Some((65, limits::FOLLOWER_BYTES)) };
}

/// One operation. Settings are nested bytes, unread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation<'a> {
    /// Kind 1: try to add an agent.
    Add {
        /// Where, metres.
        position: Point,
        /// Its settings, as [`crate::AgentOptions`] lays them out.
        settings: &'a [u8],
        /// The offset of `settings` in the outermost file.
        settings_offset: u64,
    },
    /// Kind 2: remove an agent.
    Remove {
        /// Its id.
        agent: i64,
    },
    /// Kind 3: give an agent a destination.
    SetDestination {
        /// Its id.
        agent: i64,
        /// Where to, metres.
        destination: Point,
    },
    /// Kind 4: stop an agent.
    Stop {
        /// Its id.
        agent: i64,
    },
    /// Kind 5: put an agent elsewhere.
    Teleport {
        /// Its id.
        agent: i64,
        /// Where, metres.
        position: Point,
    },
}

impl Operation<'_> {
    /// The kind byte.
    #[must_use]
    pub fn kind(&self) -> u8 {
        match self {
            Operation::Add { .. } => 1,
            Operation::Remove { .. } => 2,
            Operation::SetDestination { .. } => 3,
            Operation::Stop { .. } => 4,
            Operation::Teleport { .. } => 5,
        }
    }

    /// The kind's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Add { .. } => "Add",
            Operation::Remove { .. } => "Remove",
            Operation::SetDestination { .. } => "SetDestination",
            Operation::Stop { .. } => "Stop",
            Operation::Teleport { .. } => "Teleport",
        }
    }

    /// The agent it names; none for `Add`.
    #[must_use]
    pub fn agent(&self) -> Option<i64> {
        match *self {
            Operation::Add { .. } => None,
            Operation::Remove { agent }
            | Operation::SetDestination { agent, .. }
            | Operation::Stop { agent }
            | Operation::Teleport { agent, .. } => Some(agent),
        }
    }

    /// Appends its bytes, from its values.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(self.kind());
        if let Some(agent) = self.agent() {
            out.extend_from_slice(&agent.to_le_bytes());
        }
        match self {
            Operation::Add { position, settings, .. } => {
                write_point(out, position);
                out.extend_from_slice(settings);
            }
            Operation::SetDestination { destination: point, .. } | Operation::Teleport { position: point, .. } => {
                write_point(out, point);
            }
            Operation::Remove { .. } | Operation::Stop { .. } => {}
        }
    }
}

/// Reads one operation. `path` is the operation's own.
pub(crate) fn read_operation<'a>(
    source: &mut Slice<'a>,
    path: &Path<'_>,
    extent: SettingsExtent,
) -> Result<Operation<'a>, Error> {
    let offset = source.offset();
    let kind = source.read_u8(&path.field("kind"))?;
    match kind {
        1 => {
            let position = source.read_point(&path.field("position"))?;
            let settings_offset = source.offset();
            let settings = read_settings(source, &path.field("settings"), extent)?;
            Ok(Operation::Add { position, settings, settings_offset })
        }
        2 => Ok(Operation::Remove { agent: source.read_i64(&path.field("agent"))? }),
        3 => Ok(Operation::SetDestination {
            agent: source.read_i64(&path.field("agent"))?,
            destination: source.read_point(&path.field("destination"))?,
        }),
        4 => Ok(Operation::Stop { agent: source.read_i64(&path.field("agent"))? }),
        5 => Ok(Operation::Teleport {
            agent: source.read_i64(&path.field("agent"))?,
            position: source.read_point(&path.field("position"))?,
        }),
        other => source.fail(Code::OperationKindUnknown, offset, &path.field("kind"), other, "1 to 5"),
    }
}

/// How many bytes an operation of this kind takes, as far as what stands after its kind byte tells: for an Add whose flag is
/// not there yet, without the optional part. None for an unknown kind.
pub(crate) fn operation_bytes(kind: u8, fields: &[u8], extent: SettingsExtent) -> Option<u64> {
    const ID: u64 = 8;
    let fields = match kind {
        1 => {
            let flag = extent.optional.and_then(|(flag_at, more)| {
                let at = usize::try_from(limits::POINT_BYTES.saturating_add(flag_at)).ok()?;
                (fields.get(at) == Some(&1)).then_some(more)
            });
            limits::POINT_BYTES.saturating_add(extent.size).saturating_add(flag.unwrap_or(0))
        }
        2 | 4 => ID,
        3 | 5 => limits::POINT_BYTES.saturating_add(ID),
        _ => return None,
    };
    Some(fields.saturating_add(1))
}

/// Takes the bytes of nested agent settings, which are one field: the fixed part and, where its flag is 1, the optional part.
fn read_settings<'a>(source: &mut Slice<'a>, path: &Path<'_>, extent: SettingsExtent) -> Result<&'a [u8], Error> {
    let mut ahead = source.clone();
    let fixed = ahead.take(extent.size, path)?;
    let more = match extent.optional {
        None => 0,
        Some((flag_at, more)) => {
            let flag = usize::try_from(flag_at).ok().and_then(|at| fixed.get(at)).copied().unwrap_or(0);
            match flag {
                0 => 0,
                1 => more,
                other => {
                    let at = source.offset().saturating_add(flag_at);
                    return source.fail(Code::FlagInvalid, at, &path.field("optional_flag"), other, "0 or 1");
                }
            }
        }
    };
    source.take(extent.size.saturating_add(more), path)
}

/// The operations in a run of bytes, one after another.
///
/// After the first error it ends.
#[derive(Debug, Clone)]
pub struct Operations<'a, 'p> {
    source: Slice<'a>,
    extent: SettingsExtent,
    path: Path<'p>,
    index: u64,
    failed: bool,
}

impl<'a, 'p> Operations<'a, 'p> {
    /// The operations in `bytes`, which begin at `offset` of the outermost file; `path` is their list's.
    #[must_use]
    pub fn new(bytes: &'a [u8], offset: u64, path: Path<'p>, extent: SettingsExtent) -> Operations<'a, 'p> {
        Operations { source: Slice::within(bytes, offset, Stage::Read), extent, path, index: 0, failed: false }
    }
}

impl<'a> Iterator for Operations<'a, '_> {
    /// The operation's offset in the outermost file, and the operation.
    type Item = Result<(u64, Operation<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.source.is_empty() {
            return None;
        }
        let offset = self.source.offset();
        let path = self.path.index(self.index);
        let result = read_operation(&mut self.source, &path, self.extent);
        self.index = self.index.saturating_add(1);
        self.failed = result.is_err();
        Some(result.map(|operation| (offset, operation)))
    }
}
