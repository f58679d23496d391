//! A case of the catalogue: bytes, and what must be said about them.

use replay_format::{Code, Stage};

use super::layout::Layout;

/// The layout that a malformed file is meant to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A build input.
    Build,
    /// A live capture.
    Live,
    /// A mesh snapshot.
    Mesh,
    /// A replay.
    Replay,
    /// A setup block.
    Setup,
}

impl FileKind {
    /// Every kind, in the order of their folders.
    pub const ALL: [FileKind; 5] = [FileKind::Build, FileKind::Live, FileKind::Mesh, FileKind::Replay, FileKind::Setup];

    /// The folder in `corpus/malformed`.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            FileKind::Build => "build",
            FileKind::Live => "live",
            FileKind::Mesh => "mesh",
            FileKind::Replay => "replay",
            FileKind::Setup => "setup",
        }
    }

    /// The ending, without its dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            FileKind::Build => "opbi",
            FileKind::Live => "oplr",
            FileKind::Mesh => "opnm",
            FileKind::Replay => "oprp",
            FileKind::Setup => "oprs",
        }
    }
}

/// A malformed file and what must be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedCase {
    /// The layout that it is meant to have.
    pub kind: FileKind,
    /// The file's name without its ending, after the fault.
    pub name: String,
    /// The fault in a line.
    pub title: String,
    /// The clauses of SPEC.md that refuse it.
    pub clauses: Vec<String>,
    /// Words to select cases by.
    pub tags: Vec<String>,
    /// The file.
    pub bytes: Vec<u8>,
    /// What must be said.
    pub expect: Expectation,
}

/// The error that a malformed file must give, from the map of its fields and SPEC.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The stage that refuses it.
    pub stage: Stage,
    /// The code.
    pub code: Code,
    /// The offset in the file, where the fault has a place in it.
    pub offset: Option<u64>,
    /// The path of the field.
    pub field: String,
}

/// A case whose fault stands at the first byte of a field.
pub(super) fn case(
    (kind, name): (FileKind, &str),
    title: &str,
    clauses: &str,
    layout: &Layout,
    (stage, code, field): (Stage, Code, &str),
) -> MalformedCase {
    MalformedCase {
        kind,
        name: name.to_owned(),
        title: title.to_owned(),
        clauses: clauses.split(' ').map(str::to_owned).collect(),
        tags: Vec::new(),
        bytes: layout.bytes().to_vec(),
        expect: Expectation { stage, code, offset: Some(layout.at(field)), field: field.to_owned() },
    }
}

/// A case whose fault is bytes after the end of a block or file: they are the field `surplus` of the layout.
pub(super) fn surplus(
    (kind, name): (FileKind, &str),
    title: &str,
    clauses: &str,
    layout: &Layout,
    (stage, surplus): (Stage, &str),
) -> MalformedCase {
    let block = surplus.strip_suffix("surplus").unwrap_or(surplus).trim_end_matches('.').to_owned();
    case((kind, name), title, clauses, layout, (stage, Code::TrailingBytes, surplus)).in_field(&block)
}

impl MalformedCase {
    /// The fault stands `bytes` bytes into its field.
    pub(super) fn further(mut self, bytes: u64) -> MalformedCase {
        self.expect.offset = self.expect.offset.map(|offset| offset + bytes);
        self
    }

    /// The fault has no place in the file.
    pub(super) fn nowhere(mut self) -> MalformedCase {
        self.expect.offset = None;
        self
    }

    /// The fault's path is another one than the name of the place.
    pub(super) fn in_field(mut self, field: &str) -> MalformedCase {
        self.expect.field = field.to_owned();
        self
    }

    /// The file's path in the corpus.
    #[must_use]
    pub fn path(&self) -> String {
        format!("malformed/{}/{}.{}", self.kind.folder(), self.name, self.kind.ending())
    }

    /// The sidecar's path in the corpus.
    #[must_use]
    pub fn sidecar_path(&self) -> String {
        format!("malformed/{}/{}.toml", self.kind.folder(), self.name)
    }
}
