//! The checks: each puts one question to a case and gives an outcome.
//!
//! | module | checks |
//! |---|---|
//! | `files` | `sidecar`, `digest`, and the corpus' own `settings`, `digests`, `strays` |
//! | `bytes` | `round-trip`, `streamed` |
//! | `playing` | `hashes`, `restore`, `twice`, `threads` |
//! | `expectations` | `expect`, and `restore` of setups |
//! | `recording` | `scenario`, `same-as-replay` |
//! | `malformed` | `error` |
//! | `building` | `stages`, `mesh`, and `twice` of build inputs |
//!
//! The checks of a case share a [`Context`], so the file is read once and played once for all that only look at the play.

mod building;
mod bytes;
mod context;
mod expectations;
mod files;
mod malformed;
mod playing;
mod recording;

use std::sync::Arc;

use replay_format::Error;
use reports::{Figures, Outcome};

pub(crate) use context::Shared;
pub use context::{Context, Played};
pub(crate) use malformed::{Refusal, refusal};
pub(crate) use playing::first_mismatch;

use crate::{Case, Check, Kind, corpus};

/// How exactly an error must be the expected one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ErrorMode {
    /// Stage, code, offset, field and message, as far as the sidecar names them.
    #[default]
    Exact,
    /// Stage and code.
    Code,
    /// Any error.
    Reject,
}

/// How checks are made.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckOptions {
    /// How exactly an error must be the expected one.
    pub errors: ErrorMode,
}

/// Nothing wrong and a value, or an outcome other than a pass.
pub(crate) type Checked<T = ()> = Result<T, Outcome>;

/// A check of a case that can be made.
#[derive(Debug, Clone)]
pub struct PlannedCheck {
    context: Arc<Context>,
    check: Check,
}

impl PlannedCheck {
    pub(crate) fn new(context: Arc<Context>, check: Check) -> PlannedCheck {
        PlannedCheck { context, check }
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &Case {
        &self.context.case
    }

    /// The check.
    #[must_use]
    pub fn check(&self) -> Check {
        self.check
    }

    /// `kind::case::check`.
    #[must_use]
    pub fn name(&self) -> String {
        corpus::trial_name(&self.context.case, self.check)
    }

    /// Makes the check.
    #[must_use]
    pub fn run(&self) -> Outcome {
        let context = &*self.context;
        let checked = match self.check {
            Check::Sidecar => files::sidecar(context),
            Check::Digest => files::digest(context),
            Check::Settings => files::settings(context),
            Check::Digests => files::digests(context),
            Check::Strays => files::strays(context),
            Check::RoundTrip => bytes::round_trip(context),
            Check::Streamed => bytes::streamed(context),
            Check::Hashes => playing::hashes(context),
            Check::Restore if context.case.kind == Kind::Setup => expectations::setup(context),
            Check::Restore => playing::restore(context),
            Check::Twice if context.case.kind == Kind::Build => building::twice(context),
            Check::Twice => playing::twice(context),
            Check::Stages => building::stages(context),
            Check::Mesh => building::mesh(context),
            Check::Threads => playing::threads(context),
            Check::Expect => expectations::expect(context),
            Check::Scenario => recording::scenario(context),
            Check::SameAsReplay => recording::same_as_replay(context),
            Check::Error => malformed::error(context),
        };
        checked.err().unwrap_or(Outcome::Pass)
    }

    /// How much work the case was, as far as its checks have done it by now.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.context.figures()
    }
}

/// Something was wrong.
pub(crate) fn fail(code: &str, message: impl Into<String>) -> Outcome {
    fail_with(code, message, Vec::new())
}

/// Something was wrong, and there is more to say.
pub(crate) fn fail_with(code: &str, message: impl Into<String>, details: Vec<String>) -> Outcome {
    Outcome::Fail { code: code.into(), message: message.into(), details }
}

/// A good file was refused.
pub(crate) fn refused(error: &Error) -> Outcome {
    fail_with("refused", format!("a good file is refused: {error}"), vec![])
}

/// The check cannot be made here.
pub(crate) fn not_comparable(reason: impl Into<String>) -> Outcome {
    Outcome::NotComparable { reason: reason.into() }
}

/// What differs from the sidecar.
#[derive(Default)]
pub(crate) struct Differences(Vec<String>);

impl Differences {
    pub(crate) fn compare<T: PartialEq + std::fmt::Display>(&mut self, what: &str, found: &T, expected: &T) {
        if found != expected {
            self.0.push(format!("{what} is {found}, expected {expected}"));
        }
    }

    /// Fails with everything that differs.
    pub(crate) fn finish(mut self, code: &str) -> Checked {
        if self.0.is_empty() {
            return Ok(());
        }
        let first = self.0.remove(0);
        Err(fail_with(code, first, self.0))
    }
}
