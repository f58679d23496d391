//! What the checks of a case share: the file, the sidecar, and one play of it, each had when first asked for.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use replay_format::{BuildInput, Error};
use reports::{Figures, Outcome};

use super::{CheckOptions, Checked, fail, fail_with, refused};
use crate::corpus::{self, CorpusSource, DIGESTS, Digests, DigestsError};
use crate::words::len64;
use crate::{Built, Case, Format, Recording, Sidecar, built};

/// What all cases of a corpus share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) source: Box<dyn CorpusSource>,
    digests: OnceLock<Result<Digests, DigestsError>>,
}

impl Shared {
    pub(crate) fn new(source: Box<dyn CorpusSource>) -> Shared {
        Shared { source, digests: OnceLock::new() }
    }

    pub(crate) fn digests(&self) -> Result<&Digests, DigestsError> {
        let read = || {
            let unreadable = |why: String| DigestsError::Unreadable(why);
            let bytes = self.source.read(DIGESTS).map_err(|error| unreadable(crate::format::plain(&error)))?;
            let text = std::str::from_utf8(&bytes).map_err(|_| unreadable("it is not UTF-8 text".into()))?;
            Digests::parse(text)
        };
        self.digests.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// What one play of a case gave, with one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The state hash after each step.
    pub hashes: Vec<u64>,
    /// The state hash after the last step; of the setup's crowd where there are no steps.
    pub final_hash: u64,
    /// How many agents there are after the last step.
    pub agents: u64,
    /// The most agents alive in a step.
    pub most_agents: u64,
    /// Sum over the steps of the agents alive in each.
    pub agent_steps: u64,
}

/// What the checks of a case share.
#[derive(Debug)]
pub struct Context {
    pub(crate) case: Case,
    pub(crate) shared: Arc<Shared>,
    pub(crate) options: CheckOptions,
    bytes: OnceLock<Checked<Cow<'static, [u8]>>>,
    sidecar: OnceLock<Checked<Sidecar>>,
    played: OnceLock<Result<Played, Unplayable>>,
    built: OnceLock<Result<Built, Error>>,
}

impl Context {
    pub(crate) fn new(case: Case, shared: Arc<Shared>, options: CheckOptions) -> Context {
        let (bytes, sidecar, played, built) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        Context { case, shared, options, bytes, sidecar, played, built }
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &Case {
        &self.case
    }

    pub(crate) fn source(&self) -> &dyn CorpusSource {
        &*self.shared.source
    }

    /// The file's path and format.
    ///
    /// # Errors
    /// Where there is none of a fitting format.
    pub(crate) fn file(&self) -> Checked<(&str, Format)> {
        self.case.fitting_file().ok_or_else(|| fail("file-missing", "there is no file of this case"))
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// An outcome that says why they cannot be had.
    pub fn bytes(&self) -> Result<&[u8], Outcome> {
        let read = || {
            let (path, _) = self.file()?;
            corpus::read(self.source(), path)
                .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })
        };
        self.bytes.get_or_init(read).as_ref().map(|bytes| &**bytes).map_err(Clone::clone)
    }

    /// The sidecar.
    ///
    /// # Errors
    /// An outcome that says why it cannot be had.
    pub fn sidecar(&self) -> Result<&Sidecar, Outcome> {
        let read = || {
            let Some(path) = &self.case.sidecar else {
                let (path, _) = self.file()?;
                let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
                return Err(fail("sidecar-missing", format!("{path} has no sidecar, {stem}.toml")));
            };
            let bytes = corpus::read(self.source(), path)
                .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })?;
            let invalid = |why: String| fail("sidecar-invalid", format!("{path}: {why}"));
            let text = std::str::from_utf8(&bytes).map_err(|_| invalid("it is not UTF-8 text".into()))?;
            Sidecar::parse(self.case.kind, text).map_err(|error| invalid(error.to_string()))
        };
        self.sidecar.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    /// The case as a recording.
    pub(crate) fn recording(&self) -> Checked<Recording<'_>> {
        let (path, format) = self.file()?;
        let recording = Recording::read(format, self.bytes()?).map_err(|error| refused(&error))?;
        recording.ok_or_else(|| fail("file-missing", format!("{path}: a {format} cannot be played")))
    }

    /// What one play gives. It is played when first asked for, and once.
    ///
    /// # Errors
    /// An outcome that says why it cannot be played.
    pub fn played(&self) -> Result<&Played, Outcome> {
        let recording = self.recording()?;
        let played = self.played.get_or_init(|| play(&recording));
        played.as_ref().map_err(|Unplayable { step, error }| {
            let details = step.map(|step| recording.operations_in_words(step)).unwrap_or_default();
            fail_with("refused", format!("a good file is refused: {error}"), details)
        })
    }

    /// What a build gives. It is built when first asked for, and once.
    ///
    /// # Errors
    /// An outcome that says why there is no mesh.
    pub fn built(&self) -> Result<&Built, Outcome> {
        let bytes = self.bytes()?;
        let built = self.built.get_or_init(|| BuildInput::read(bytes).and_then(|input| built::build(&input)));
        built.as_ref().map_err(refused)
    }

    /// How much work the case was, as far as it is known by now.
    pub(crate) fn figures(&self) -> Figures {
        let bytes = self.bytes.get().and_then(|bytes| bytes.as_ref().ok()).map_or(0, |bytes| len64(bytes.len()));
        let mut figures = Figures { bytes, ..Figures::default() };
        if let Some(Ok(played)) = self.played.get() {
            figures.steps = len64(played.hashes.len());
            figures.agent_steps = played.agent_steps;
            figures.agents = u32::try_from(played.most_agents).unwrap_or(u32::MAX);
        }
        figures
    }
}

/// Why a recording cannot be played to its end.
#[derive(Debug)]
struct Unplayable {
    /// The step in which it is refused; none where no crowd can be restored.
    step: Option<u64>,
    error: Error,
}

fn play(recording: &Recording<'_>) -> Result<Played, Unplayable> {
    let mut player = recording.player(1).map_err(|error| Unplayable { step: None, error })?;
    let mut played = Played {
        hashes: Vec::with_capacity(recording.steps.len()),
        final_hash: player.crowd().state_hash(),
        agents: len64(player.crowd().agent_count()),
        most_agents: 0,
        agent_steps: 0,
    };
    for (index, step) in recording.numbered() {
        let hash =
            recording.play_step(&mut player, index, step).map_err(|error| Unplayable { step: Some(index), error })?;
        played.hashes.push(hash);
        played.final_hash = hash;
        played.agents = len64(player.crowd().agent_count());
        played.most_agents = played.most_agents.max(played.agents);
        played.agent_steps = played.agent_steps.saturating_add(played.agents);
    }
    Ok(played)
}
