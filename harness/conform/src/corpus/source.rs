//! Where the files of a corpus are: a folder, or the copy that is embedded in this crate.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, DirEntry, include_dir};
use walkdir::WalkDir;

use super::CorpusError;
use crate::format::plain;

/// The files of a corpus. Paths are relative to it and joined with `/` on every system.
pub trait CorpusSource: Send + Sync + fmt::Debug {
    /// What to call it, for people.
    fn describe(&self) -> String;

    /// The path of every file, sorted. Hidden files, whose name begins with a dot, are left out. Reads no file.
    ///
    /// # Errors
    /// Where a folder cannot be listed or a name is not Unicode.
    fn paths(&self) -> Result<Vec<String>, CorpusError>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>>;
}

/// A corpus in a folder.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The corpus in `root`.
    ///
    /// # Errors
    /// Where there is no such folder, or it has no `corpus.toml`.
    pub fn open(root: impl Into<PathBuf>) -> Result<Folder, CorpusError> {
        let root = root.into();
        let io = |error: io::Error| CorpusError::Unreadable { path: root.display().to_string(), why: plain(&error) };
        if !fs::metadata(&root).map_err(io)?.is_dir() {
            let why = "this is a file; a corpus is a folder".into();
            return Err(CorpusError::Unreadable { path: root.display().to_string(), why });
        }
        match fs::metadata(root.join(super::SETTINGS)) {
            Ok(found) if found.is_file() => Ok(Folder { root }),
            Ok(_) => Err(CorpusError::NotACorpus { path: root.display().to_string() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(CorpusError::NotACorpus { path: root.display().to_string() })
            }
            Err(error) => Err(io(error)),
        }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a file of the corpus stands in the file system.
    #[must_use]
    pub fn locate(&self, path: &str) -> PathBuf {
        path.split('/').fold(self.root.clone(), |at, name| at.join(name))
    }

    fn unreadable(&self, error: &walkdir::Error) -> CorpusError {
        let path = error.path().unwrap_or(&self.root).display().to_string();
        let why = match error.io_error() {
            Some(error) => plain(error),
            None => "a symbolic link leads back to a folder above it".into(),
        };
        CorpusError::Unreadable { path, why }
    }
}

impl CorpusSource for Folder {
    fn describe(&self) -> String {
        self.root.display().to_string()
    }

    fn paths(&self) -> Result<Vec<String>, CorpusError> {
        let visible =
            |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
        let mut paths = Vec::new();
        let walk = WalkDir::new(&self.root).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(visible) {
            let entry = entry.map_err(|error| self.unreadable(&error))?;
            if entry.file_type().is_dir() {
                continue;
            }
            let inside = entry.path().strip_prefix(&self.root).unwrap_or(entry.path());
            let names: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
            let Some(names) = names else {
                return Err(CorpusError::Name { path: inside.display().to_string() });
            };
            paths.push(names.join("/"));
        }
        paths.sort();
        Ok(paths)
    }

    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>> {
        fs::read(self.locate(path)).map(Cow::Owned)
    }
}

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../corpus");

/// The corpus that was embedded when this crate was built.
#[derive(Debug, Clone, Copy)]
pub struct Embedded;

impl CorpusSource for Embedded {
    fn describe(&self) -> String {
        "embedded in this program".into()
    }

    fn paths(&self) -> Result<Vec<String>, CorpusError> {
        let mut paths = Vec::new();
        collect(&EMBEDDED, &mut paths)?;
        paths.sort();
        Ok(paths)
    }

    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>> {
        // The entries' paths were joined by the system that built the program.
        let native = path.split('/').collect::<PathBuf>();
        let file = EMBEDDED.get_file(&native).or_else(|| EMBEDDED.get_file(path));
        file.map(|file| Cow::Borrowed(file.contents())).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

fn collect(folder: &Dir<'static>, paths: &mut Vec<String>) -> Result<(), CorpusError> {
    for entry in folder.entries() {
        let path =
            entry.path().to_str().ok_or_else(|| CorpusError::Name { path: entry.path().display().to_string() })?;
        let path = path.replace('\\', "/");
        if path.rsplit('/').next().is_some_and(|name| name.starts_with('.')) {
            continue;
        }
        match entry {
            DirEntry::Dir(inner) => collect(inner, paths)?,
            DirEntry::File(_) => paths.push(path),
        }
    }
    Ok(())
}
