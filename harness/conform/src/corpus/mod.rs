//! A corpus: its files, its settings, its cases.
//!
//! ```text
//! corpus.toml   what the corpus is: title, SPEC version, layouts
//! SHA256SUMS    the digest of every case file, as `sha256sum` writes it
//! replays/ live/ builds/ setups/ malformed/FORMAT/   a file and a sidecar of the same stem are a case
//! builds/NAME.opnm                                    the mesh that must come of builds/NAME.opbi
//! ```
//!
//! Discovery ([`Corpus::discover`]) looks at paths only: nothing is read, parsed or hashed before a check needs it.

mod digests;
mod discovery;
mod settings;
mod source;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use digests::{Digests, DigestsError, sha256};
pub use settings::{Layouts, Settings};
pub use source::{CorpusSource, Embedded, Folder};

use crate::checks::{CheckOptions, Context, PlannedCheck, Shared};
use crate::{Case, Check, Kind};

/// The file that makes a folder a corpus.
pub const SETTINGS: &str = "corpus.toml";
/// The file that guards the bytes.
pub const DIGESTS: &str = "SHA256SUMS";
/// The name of the case that is the corpus itself.
pub const WHOLE: &str = "whole";

/// Why a corpus cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder of it cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// Why.
        why: String,
    },
    /// The folder is no corpus.
    #[error("{path}: this is no corpus: it has no corpus.toml")]
    NotACorpus {
        /// The folder.
        path: String,
    },
    /// A file's name cannot be a case's.
    #[error("{path}: a case's name is made of the letters a to z, A to Z, digits, `-`, `_` and `.`")]
    Name {
        /// The file.
        path: String,
    },
    /// Two files would make the same case.
    #[error("{first} and {second} would be the same case")]
    SameName {
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
    /// `corpus.toml` is wrong.
    #[error("corpus.toml: {0}")]
    Settings(String),
}

/// A corpus. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Corpus {
    shared: Arc<Shared>,
}

impl Corpus {
    /// The corpus whose files `source` has.
    #[must_use]
    pub fn new(source: impl CorpusSource + 'static) -> Corpus {
        Corpus { shared: Arc::new(Shared::new(Box::new(source))) }
    }

    /// Where its files are.
    #[must_use]
    pub fn source(&self) -> &dyn CorpusSource {
        &*self.shared.source
    }

    /// Its cases, sorted by kind, then name; the corpus itself is one of them. Reads no file.
    ///
    /// # Errors
    /// Where a folder cannot be listed, or a file's name cannot be a case's.
    pub fn discover(&self) -> Result<Vec<Case>, CorpusError> {
        let cases = discovery::cases(&self.source().paths()?)?;
        let names: BTreeSet<String> = cases.iter().map(Case::path).collect();
        assert_eq!(names.len(), cases.len(), "two cases have the same name");
        Ok(cases)
    }

    /// Its settings.
    ///
    /// # Errors
    /// Where `corpus.toml` cannot be read, is wrong, or is of another SPEC version.
    pub fn settings(&self) -> Result<Settings, CorpusError> {
        settings_of(self.source())
    }

    /// What `SHA256SUMS` says, read once.
    ///
    /// # Errors
    /// Where it cannot be read or is wrong.
    pub fn digests(&self) -> Result<&Digests, DigestsError> {
        self.shared.digests()
    }

    /// The checks of a case, in order. They share what they read and play; nothing is read before one of them runs.
    #[must_use]
    pub fn checks(&self, case: &Case, options: CheckOptions) -> Vec<PlannedCheck> {
        let context = Arc::new(Context::new(case.clone(), Arc::clone(&self.shared), options));
        case.checks().iter().map(|&check| PlannedCheck::new(Arc::clone(&context), check)).collect()
    }

    /// What the checks of a case share, for one who wants to look at the case in another way.
    #[must_use]
    pub fn context(&self, case: &Case) -> Context {
        Context::new(case.clone(), Arc::clone(&self.shared), CheckOptions::default())
    }

    /// SHA-256 over the corpus: over one line for each file, `digest  path`, sorted by path. Documentation (`.md`) does not
    /// count. Two runs with the same value had the same files and the same expectations.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn sha256(&self) -> Result<String, CorpusError> {
        let mut digests = Digests::default();
        for path in self.source().paths()? {
            if !discovery::is_documentation(&path) {
                digests.insert(&path, sha256(&self.read(&path)?));
            }
        }
        Ok(sha256(digests.to_string().as_bytes()))
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self, path: &str) -> Result<std::borrow::Cow<'static, [u8]>, CorpusError> {
        read(self.source(), path)
    }
}

pub(crate) fn read(source: &dyn CorpusSource, path: &str) -> Result<std::borrow::Cow<'static, [u8]>, CorpusError> {
    source
        .read(path)
        .map_err(|error| CorpusError::Unreadable { path: path.to_owned(), why: crate::format::plain(&error) })
}

/// What `corpus.toml` says.
pub(crate) fn settings_of(source: &dyn CorpusSource) -> Result<Settings, CorpusError> {
    settings::read(source)
}

/// The files that belong to nothing.
pub(crate) fn strays(source: &dyn CorpusSource) -> Result<Vec<String>, CorpusError> {
    Ok(source.paths()?.into_iter().filter(|path| discovery::is_stray(path)).collect())
}

/// The case files of a corpus.
pub(crate) fn case_files(source: &dyn CorpusSource) -> Result<BTreeSet<String>, CorpusError> {
    let cases = discovery::cases(&source.paths()?)?;
    let files = |case: Case| case.file.map(|(path, _)| path).into_iter().chain(case.result);
    Ok(cases.into_iter().flat_map(files).collect())
}

/// The case that is the corpus itself.
pub(crate) fn whole() -> Case {
    Case { kind: Kind::Corpus, name: WHOLE.into(), file: None, sidecar: None, result: None }
}

/// The name of a trial: `kind::case::check`.
#[must_use]
pub fn trial_name(case: &Case, check: Check) -> String {
    format!("{case}::{}", check.name())
}
