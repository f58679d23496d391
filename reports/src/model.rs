//! Cases, checks, outcomes, and the verdict that follows from them.
//!
//! Every way to a report (a [`Run`] made at once, a [`Writer`](crate::Writer) fed case by case, a file read back) goes
//! through the same tally, so the same rules hold and the same counts come out.

use crate::{Header, ModelError, decimal, header::check_header};
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, collections::BTreeSet, fmt};

/// What came out for one case of the corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// Sort of case, such as `replay`. Like every name: not empty; no white space, control character, bracket or `::`.
    pub kind: String,
    /// Name within the kind. A run has one result per kind and name.
    pub name: String,
    /// How much work the case was.
    pub figures: Figures,
    /// The checks in the order they were made: at least one, each name once.
    pub checks: Vec<CheckResult>,
    /// What goes with the case, for people to look at. No renderer of this crate but JSON Lines carries it.
    pub attachments: Vec<Attachment>,
}

impl CaseResult {
    /// A case without checks yet, with all figures zero.
    pub fn new(kind: impl Into<String>, name: impl Into<String>) -> Self {
        let (kind, name) = (kind.into(), name.into());
        Self { kind, name, figures: Figures::default(), checks: vec![], attachments: vec![] }
    }

    /// Adds a check.
    pub fn push(&mut self, name: impl Into<String>, outcome: Outcome, duration_ms: u64) {
        self.checks.push(CheckResult { name: name.into(), outcome, duration_ms });
    }

    /// `kind::name`.
    pub fn path(&self) -> String {
        format!("{}::{}", self.kind, self.name)
    }

    /// What cases are ordered by: kind, then name, each by its bytes.
    pub fn key(&self) -> (&str, &str) {
        (&self.kind, &self.name)
    }
}

/// How much work a case was. Zero where a figure has no meaning for the kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Steps replayed.
    #[serde(with = "decimal")]
    pub steps: u64,
    /// Sum over the steps of the agents alive in each.
    #[serde(with = "decimal")]
    pub agent_steps: u64,
    /// Most agents alive in a step.
    pub agents: u32,
    /// Bytes of the case's input.
    #[serde(with = "decimal")]
    pub bytes: u64,
}

/// What came out for one check of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// Name within the case.
    pub name: String,
    /// What came out.
    pub outcome: Outcome,
    /// How long it took, in milliseconds.
    #[serde(with = "decimal")]
    pub duration_ms: u64,
}

/// What a check can come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// The implementation did what it must.
    Pass,
    /// It did something else.
    Fail {
        /// Stable word for the kind of difference, not empty.
        code: String,
        /// What differs, in one sentence.
        message: String,
        /// Whatever helps to find out why; one or more lines each.
        details: Vec<String>,
    },
    /// It did not answer properly: it crashed, hung, or broke the protocol.
    Error {
        /// Stable word for what happened, not empty.
        code: String,
        /// What happened, in one sentence.
        message: String,
    },
    /// The check could not be made here. It is counted apart, and never as a pass.
    NotComparable {
        /// Why, not empty.
        reason: String,
    },
}

/// Text that goes with a case, such as a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// File name to offer.
    pub name: String,
    /// Media type, such as `image/svg+xml`.
    pub media_type: String,
    /// The text itself.
    pub content: String,
}

/// The counts of a run, and what follows from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// Cases with a result.
    pub cases: u32,
    /// Their checks: `passed + failed + errors + not_comparable`.
    pub checks: u32,
    /// Checks that passed.
    pub passed: u32,
    /// Checks that failed.
    pub failed: u32,
    /// Checks that ended in an error.
    pub errors: u32,
    /// Checks that could not be made.
    pub not_comparable: u32,
    /// Steps replayed in all cases; stops at `u64::MAX`.
    #[serde(with = "decimal")]
    pub steps: u64,
    /// Agent-steps of all cases; stops at `u64::MAX`.
    #[serde(with = "decimal")]
    pub agent_steps: u64,
    /// From the start of the run to its end, in milliseconds.
    #[serde(with = "decimal")]
    pub duration_ms: u64,
    /// What follows.
    pub verdict: Verdict,
}

/// The answer that a run gives. The first that applies:
///
/// 1. a check failed or ended in an error: [`DoesNotConform`](Self::DoesNotConform);
/// 2. there is a [`Shortfall`]: [`Incomplete`](Self::Incomplete);
/// 3. otherwise [`Conforms`](Self::Conforms). Checks that are not comparable do not stand in its way as long as others passed;
///    their number and reasons are in every rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything that could be checked was right.
    Conforms,
    /// Something was wrong.
    DoesNotConform,
    /// Nothing was wrong, but not everything was looked at.
    Incomplete,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conforms => "conforms",
            Self::DoesNotConform => "does not conform",
            Self::Incomplete => "incomplete",
        })
    }
}

/// Why a run without anything wrong is still no proof of conformance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortfall {
    /// No case was selected. An empty shard is no shortfall where there are more shards than matching cases, and at least one
    /// case matches.
    NothingSelected,
    /// Selected cases have no result.
    CasesMissing {
        /// Cases with a result.
        done: u32,
        /// Cases selected.
        selected: u32,
    },
    /// Not one check could be made.
    NothingComparable,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingSelected => f.write_str("no case was selected"),
            Self::CasesMissing { done, selected } => {
                write!(f, "only {done} of {selected} selected cases have a result")
            }
            Self::NothingComparable => f.write_str("not one check could be made"),
        }
    }
}

/// A whole run. What it holds obeys the model, and its footer is what its cases add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    header: Header,
    cases: Vec<CaseResult>,
    footer: Footer,
}

impl Run {
    /// Sorts the cases and counts them. `duration_ms`: from the start of the run to its end.
    pub fn new(header: Header, mut cases: Vec<CaseResult>, duration_ms: u64) -> Result<Self, ModelError> {
        cases.sort_by(|a, b| a.key().cmp(&b.key()));
        let mut tally = Tally::new(&header)?;
        for case in &cases {
            tally.add(case)?;
        }
        let footer = tally.footer(duration_ms);
        Ok(Self { header, cases, footer })
    }

    /// What the run was set up to do.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The results, in order of kind, then name.
    pub fn cases(&self) -> &[CaseResult] {
        &self.cases
    }

    /// The counts and the verdict.
    pub fn footer(&self) -> &Footer {
        &self.footer
    }

    /// What keeps the run from being a proof, if anything does; a run with failures can have one too.
    pub fn shortfall(&self) -> Option<Shortfall> {
        shortfall(&self.header, &self.footer)
    }

    /// Most agents alive in a step of any case.
    pub fn max_agents(&self) -> u32 {
        self.cases.iter().map(|case| case.figures.agents).max().unwrap_or(0)
    }
}

/// Counts cases as they come, in order, and refuses those that break a rule. Keeps no case.
#[derive(Debug)]
pub(crate) struct Tally {
    header: Header,
    last: Option<CaseResult>,
    counts: Footer,
}

impl Tally {
    /// Refuses a header that breaks a rule.
    pub(crate) fn new(header: &Header) -> Result<Self, ModelError> {
        check_header(header)?;
        let counts = Footer {
            cases: 0,
            checks: 0,
            passed: 0,
            failed: 0,
            errors: 0,
            not_comparable: 0,
            steps: 0,
            agent_steps: 0,
            duration_ms: 0,
            verdict: Verdict::Incomplete,
        };
        Ok(Self { header: header.clone(), last: None, counts })
    }

    /// Checks the case's place, then its content, as [`add`](Self::add) does, without counting it.
    pub(crate) fn check(&self, case: &CaseResult) -> Result<(), ModelError> {
        check_name("kind", &case.kind)?;
        check_name("case", &case.name)?;
        if let Some(last) = &self.last {
            match last.key().cmp(&case.key()) {
                Ordering::Less => {}
                Ordering::Equal => return Err(ModelError::DuplicateCase { case: case.path() }),
                Ordering::Greater => return Err(ModelError::OutOfOrder { case: case.path(), after: last.path() }),
            }
        }
        let selected = self.header.corpus.selected;
        if self.counts.cases >= selected {
            return Err(ModelError::TooManyCases { case: case.path(), selected });
        }
        check_checks(case)
    }

    /// Counts the case. Where it breaks a rule, nothing changes.
    pub(crate) fn add(&mut self, case: &CaseResult) -> Result<(), ModelError> {
        self.check(case)?;
        self.last = Some(CaseResult::new(&case.kind, &case.name));
        let counts = &mut self.counts;
        counts.cases += 1;
        counts.steps = counts.steps.saturating_add(case.figures.steps);
        counts.agent_steps = counts.agent_steps.saturating_add(case.figures.agent_steps);
        for check in &case.checks {
            let count = match check.outcome {
                Outcome::Pass => &mut counts.passed,
                Outcome::Fail { .. } => &mut counts.failed,
                Outcome::Error { .. } => &mut counts.errors,
                Outcome::NotComparable { .. } => &mut counts.not_comparable,
            };
            *count = count.saturating_add(1);
            counts.checks = counts.checks.saturating_add(1);
        }
        Ok(())
    }

    /// Cases counted so far.
    pub(crate) fn cases(&self) -> u32 {
        self.counts.cases
    }

    /// The footer, should the run end here.
    pub(crate) fn footer(&self, duration_ms: u64) -> Footer {
        let verdict = if self.counts.failed > 0 || self.counts.errors > 0 {
            Verdict::DoesNotConform
        } else if shortfall(&self.header, &self.counts).is_some() {
            Verdict::Incomplete
        } else {
            Verdict::Conforms
        };
        Footer { duration_ms, verdict, ..self.counts.clone() }
    }
}

fn shortfall(header: &Header, counts: &Footer) -> Option<Shortfall> {
    let (done, matched, selected) = (counts.cases, header.corpus.matched, header.corpus.selected);
    let spare_shard = matched > 0 && header.shard.is_some_and(|shard| shard.of() > matched);
    match selected {
        0 if spare_shard => None,
        0 => Some(Shortfall::NothingSelected),
        _ if done < selected => Some(Shortfall::CasesMissing { done, selected }),
        _ if counts.not_comparable == counts.checks => Some(Shortfall::NothingComparable),
        _ => None,
    }
}

fn check_checks(case: &CaseResult) -> Result<(), ModelError> {
    if case.checks.is_empty() {
        return Err(ModelError::NoChecks { case: case.path() });
    }
    let mut names = BTreeSet::new();
    for check in &case.checks {
        check_name("check", &check.name)?;
        if !names.insert(&check.name) {
            return Err(ModelError::DuplicateCheck { case: case.path(), check: check.name.clone() });
        }
        let what = match &check.outcome {
            Outcome::Fail { code, .. } | Outcome::Error { code, .. } if code.trim().is_empty() => "code",
            Outcome::NotComparable { reason } if reason.trim().is_empty() => "reason",
            _ => continue,
        };
        return Err(ModelError::Unexplained { check: format!("{}::{}", case.path(), check.name), what });
    }
    Ok(())
}

fn check_name(what: &'static str, name: &str) -> Result<(), ModelError> {
    let refused = |c: char| c.is_whitespace() || c.is_control() || "()[]{}<>".contains(c);
    if name.is_empty() || name.contains(refused) || name.contains("::") {
        return Err(ModelError::Name { what, name: name.into() });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
