//! The six file formats, told apart by their endings, and files read with errors that a person understands.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file format, told by the file's ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `.oprp`: a replay.
    Replay,
    /// `.oprs`: a setup block.
    Setup,
    /// `.oplr`: a live capture.
    Live,
    /// `.opbi`: the input of a mesh build.
    Build,
    /// `.opnm`: a mesh snapshot.
    Mesh,
    /// `.opcs`: a crowd state.
    State,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] =
        [Format::Replay, Format::Setup, Format::Live, Format::Build, Format::Mesh, Format::State];

    /// The ending, without its dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Format::Replay => "oprp",
            Format::Setup => "oprs",
            Format::Live => "oplr",
            Format::Build => "opbi",
            Format::Mesh => "opnm",
            Format::State => "opcs",
        }
    }

    /// What a file of this format is called in a sentence.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Format::Replay => "replay",
            Format::Setup => "setup block",
            Format::Live => "live capture",
            Format::Build => "build input",
            Format::Mesh => "mesh snapshot",
            Format::State => "crowd state",
        }
    }

    /// The format of that ending (without its dot).
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.ending() == ending)
    }

    /// The format that a file's name tells.
    ///
    /// # Errors
    /// [`FileError::Ending`] where it tells none of `among`.
    pub fn of_path(path: &Path, among: &[Format]) -> Result<Format, FileError> {
        let format = path.extension().and_then(|ending| ending.to_str()).and_then(Format::of_ending);
        format.filter(|format| among.contains(format)).ok_or_else(|| FileError::Ending {
            path: path.to_owned(),
            expected: among.iter().map(|format| format!(".{}", format.ending())).collect::<Vec<_>>().join(", "),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}

/// Why a file could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Its ending tells no format that can be used here.
    #[error("{}: the ending tells no format that this command takes; it takes {expected}", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
        /// The endings that can be used.
        expected: String,
    },
    /// A folder stands where a file is wanted.
    #[error("{}: this is a folder, not a file", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The system says no.
    #[error("{}: {}", path.display(), plain(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// A whole file.
///
/// # Errors
/// Where it is missing, a folder, or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let fail = |error| FileError::Io { path: path.to_owned(), error };
    // Opening a folder gives a different error on every system.
    if fs::metadata(path).map_err(fail)?.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    fs::read(path).map_err(fail)
}

/// An error of the system in words that are the same on every one, where it is one of the usual.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it".into(),
        io::ErrorKind::NotADirectory => "a part of this path is a file, not a folder".into(),
        _ => error.to_string(),
    }
}
