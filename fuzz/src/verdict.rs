//! What an oracle says of an input: an outcome, or the bug that it found.

use std::fmt;

use replay_format::Error;

/// What became of an input on which every property held.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The reader took it.
    Accepted,
    /// The reader refused it, as it should.
    Refused(Error),
    /// There was nothing to hold the properties against, because of this.
    NotComparable(&'static str),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Accepted => f.write_str("accepted"),
            Outcome::Refused(error) => write!(f, "refused: {error}"),
            Outcome::NotComparable(reason) => write!(f, "not comparable: {reason}"),
        }
    }
}

/// A bug: a property that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The property's name, such as `round-trip`.
    pub property: &'static str,
    /// What was seen instead.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "property {} does not hold: {}", self.property, self.detail)
    }
}

impl std::error::Error for Finding {}

/// What an oracle gives.
pub type Verdict = Result<Outcome, Finding>;

/// Demands that a property holds; `detail` says what was seen where it does not.
pub(crate) fn ensure(holds: bool, property: &'static str, detail: impl FnOnce() -> String) -> Result<(), Finding> {
    if holds { Ok(()) } else { Err(Finding { property, detail: detail() }) }
}
