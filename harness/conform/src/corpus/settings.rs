//! `corpus.toml`: what a corpus is.

use replay_format::limits::SPEC_VERSION_TEXT;
use serde::Deserialize;

use super::{CorpusError, CorpusSource, SETTINGS, read as read_bytes};
use crate::sidecar::in_one_line;

/// What `corpus.toml` says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the corpus is, in a line.
    pub title: String,
    /// The version of SPEC.md that its expectations are about.
    pub spec: String,
    /// Whose layouts its nested blocks have.
    pub layouts: Layouts,
}

/// Whose layouts the nested blocks of a corpus have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layouts {
    /// This project's: all of SPEC.md.
    Ours,
}

pub(super) fn read(source: &dyn CorpusSource) -> Result<Settings, CorpusError> {
    let bytes = read_bytes(source, SETTINGS)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| CorpusError::Settings("it is not UTF-8 text".into()))?;
    let settings: Settings = toml::from_str(text).map_err(|error| CorpusError::Settings(in_one_line(&error, text)))?;
    if settings.spec != SPEC_VERSION_TEXT {
        let found = &settings.spec;
        let why = format!("the corpus is of SPEC version {found:?}, this program of {SPEC_VERSION_TEXT:?}");
        return Err(CorpusError::Settings(why));
    }
    Ok(settings)
}
