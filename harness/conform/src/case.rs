//! A case: a file of the corpus with its sidecar, and the checks that it gets. All of this follows from paths alone.

use std::fmt;

use crate::Format;

/// Sort of case: which folder of the corpus it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `builds/`: inputs of the mesh build.
    Build,
    /// The corpus itself: its settings and its list of digests.
    Corpus,
    /// `live/`: live captures.
    Live,
    /// `malformed/`: files that must be refused.
    Malformed,
    /// `replays/`: recorded runs.
    Replay,
    /// `setups/`: setup blocks.
    Setup,
}

impl Kind {
    /// Every kind, in the order of their names.
    pub const ALL: [Kind; 6] = [Kind::Build, Kind::Corpus, Kind::Live, Kind::Malformed, Kind::Replay, Kind::Setup];

    /// The name, as trials and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Build => "build",
            Kind::Corpus => "corpus",
            Kind::Live => "live",
            Kind::Malformed => "malformed",
            Kind::Replay => "replay",
            Kind::Setup => "setup",
        }
    }

    /// The folder of the corpus; none for the corpus itself.
    #[must_use]
    pub fn folder(self) -> Option<&'static str> {
        match self {
            Kind::Build => Some("builds"),
            Kind::Corpus => None,
            Kind::Live => Some("live"),
            Kind::Malformed => Some("malformed"),
            Kind::Replay => Some("replays"),
            Kind::Setup => Some("setups"),
        }
    }

    /// The formats that a case of this kind can have.
    #[must_use]
    pub fn formats(self) -> &'static [Format] {
        match self {
            Kind::Build => &[Format::Build],
            Kind::Corpus => &[],
            Kind::Live => &[Format::Live],
            Kind::Malformed => &Format::ALL,
            Kind::Replay => &[Format::Replay],
            Kind::Setup => &[Format::Setup],
        }
    }
}

/// One question that is put to a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The file has a sidecar, the sidecar a file, and the sidecar can be read.
    Sidecar,
    /// The file's SHA-256 is the one in `SHA256SUMS`.
    Digest,
    /// Written from its decoded values, nested blocks included, the file comes out byte for byte.
    RoundTrip,
    /// Read as a stream, the file gives the same values (or the same error) as borrowed.
    Streamed,
    /// Played, every step gives the recorded hash.
    Hashes,
    /// Saved at several points, restored there and played on, the hashes stay the same.
    Restore,
    /// Played (or built) a second time in the same process, the hashes stay the same.
    Twice,
    /// Played with 2 and with 7 threads, the hashes stay the same.
    Threads,
    /// Counts and final hash are those of the sidecar.
    Expect,
    /// The sidecar's scenario, recorded anew, gives the file byte for byte.
    Scenario,
    /// A live capture equals the replay of the same run from the moment that the viewer attached.
    SameAsReplay,
    /// Built, each stage gives the bytes whose digest the sidecar has.
    Stages,
    /// Built, the mesh is the `.opnm` beside the input, byte for byte.
    Mesh,
    /// A malformed file gives the error of its sidecar.
    Error,
    /// `corpus.toml` can be read and is of this SPEC version.
    Settings,
    /// `SHA256SUMS` lists every case file, and only files that exist.
    Digests,
    /// No file of the corpus belongs to nothing.
    Strays,
}

impl Check {
    /// The name, as trials and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::Sidecar => "sidecar",
            Check::Digest => "digest",
            Check::RoundTrip => "round-trip",
            Check::Streamed => "streamed",
            Check::Hashes => "hashes",
            Check::Restore => "restore",
            Check::Twice => "twice",
            Check::Threads => "threads",
            Check::Expect => "expect",
            Check::Scenario => "scenario",
            Check::SameAsReplay => "same-as-replay",
            Check::Stages => "stages",
            Check::Mesh => "mesh",
            Check::Error => "error",
            Check::Settings => "settings",
            Check::Digests => "digests",
            Check::Strays => "strays",
        }
    }
}

/// A case: a file of the corpus with its sidecar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Sort of case.
    pub kind: Kind,
    /// Name within the kind: the path within the kind's folder, without the ending, joined with `/`.
    pub name: String,
    /// The file's path in the corpus and the format that its ending tells; none where only a sidecar is there.
    pub file: Option<(String, Format)>,
    /// The sidecar's path in the corpus; none where only a file is there.
    pub sidecar: Option<String>,
    /// The path of a file that must come out: the mesh of a build input.
    pub result: Option<String>,
}

impl Case {
    /// `kind::name`, as trials begin and reports say it.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}::{}", self.kind.name(), self.name)
    }

    /// What cases are ordered by: the kind's name, then the case's, by their bytes.
    #[must_use]
    pub fn key(&self) -> (&'static str, &str) {
        (self.kind.name(), &self.name)
    }

    /// The file, where its format is one that the kind can have.
    #[must_use]
    pub fn fitting_file(&self) -> Option<(&str, Format)> {
        let (path, format) = self.file.as_ref()?;
        self.kind.formats().contains(format).then_some((path.as_str(), *format))
    }

    /// The checks that the case gets, in the order in which they are made. Known from paths alone: a case that lacks its file
    /// or its sidecar gets `sidecar`, which fails.
    #[must_use]
    pub fn checks(&self) -> &'static [Check] {
        use Check as C;
        if self.kind == Kind::Corpus {
            return &[C::Settings, C::Digests, C::Strays];
        }
        let (Some((_, format)), Some(_)) = (self.fitting_file(), &self.sidecar) else { return &[C::Sidecar] };
        match (self.kind, format) {
            (Kind::Malformed, Format::Replay | Format::Live) => &[C::Sidecar, C::Digest, C::Streamed, C::Error],
            (Kind::Malformed, _) => &[C::Sidecar, C::Digest, C::Error],
            (Kind::Replay, _) => &[
                C::Sidecar,
                C::Digest,
                C::RoundTrip,
                C::Streamed,
                C::Hashes,
                C::Restore,
                C::Twice,
                C::Threads,
                C::Expect,
                C::Scenario,
            ],
            (Kind::Live, _) => &[
                C::Sidecar,
                C::Digest,
                C::RoundTrip,
                C::Streamed,
                C::Hashes,
                C::Restore,
                C::Twice,
                C::Threads,
                C::Expect,
                C::SameAsReplay,
                C::Scenario,
            ],
            (Kind::Setup, _) => &[C::Sidecar, C::Digest, C::RoundTrip, C::Restore, C::Scenario],
            (Kind::Build | Kind::Corpus, _) => {
                &[C::Sidecar, C::Digest, C::RoundTrip, C::Expect, C::Stages, C::Mesh, C::Twice]
            }
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.kind.name(), self.name)
    }
}
