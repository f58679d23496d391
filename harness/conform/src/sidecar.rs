//! The sidecar of a case: what the case is about and what must come out of it. TOML; a field that is not known here is
//! refused, and an error names line and column.
//!
//! ```
//! use conform::{Expect, Kind, Sidecar};
//!
//! let text = r#"
//! title = "the step count is below 0"
//! clauses = ["OPRP-4"]
//! tags = ["counts"]
//! [expect]
//! stage = "read"
//! code = "count-negative"
//! offset = 102
//! field = "step_count"
//! "#;
//! let sidecar = Sidecar::parse(Kind::Malformed, text)?;
//! assert!(matches!(sidecar.expect, Expect::Malformed(expect) if expect.offset == Some(102)));
//! # Ok::<(), conform::SidecarError>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crowd_engine::build::BuildStage;
use replay_format::{Code, Stage};
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};

use crate::Kind;

/// A sidecar.
#[derive(Debug, Clone, PartialEq)]
pub struct Sidecar {
    /// What the case shows, in a line.
    pub title: String,
    /// The clauses of SPEC.md that it covers, such as `OPRP-4`.
    pub clauses: Vec<String>,
    /// Words to select cases by.
    pub tags: Vec<String>,
    /// Whether a person has still to confirm the expectation.
    pub review: Option<Review>,
    /// What must come out.
    pub expect: Expect,
    /// The scenario that recorded the case, as `generators` reads it.
    pub scenario: Option<toml::Table>,
}

/// Where an expectation stands with its reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Review {
    /// It only repeats what our own reader said; nobody has confirmed it.
    Pending,
}

/// What must come out of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// Of a replay.
    Replay(ExpectReplay),
    /// Of a live capture.
    Live(ExpectLive),
    /// Of a setup block.
    Setup(ExpectSetup),
    /// Of a build input.
    Build(ExpectBuild),
    /// Of a malformed file.
    Malformed(ExpectMalformed),
}

/// What must come out of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectReplay {
    /// How many steps it has.
    pub steps: u64,
    /// How many agents there are after the last step.
    pub agents: u64,
    /// The state hash of the replayed crowd after the last step (of the setup's crowd where there are no steps).
    pub final_hash: Hash,
    /// The first step whose recorded hash is wrong, from 0; for replays that are wrong on purpose.
    pub first_bad_step: Option<u64>,
}

/// What must come out of a live capture.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectLive {
    /// How many step records it has.
    pub steps: u64,
    /// How many records it has.
    pub records: u64,
    /// How many operations follow the last step record.
    pub trailing_operations: u64,
    /// The state hash of the crowd after the last step.
    pub final_hash: Hash,
    /// The name of the replay case of the same run.
    pub replay: Option<String>,
    /// The step of that replay, from 0, in or before which the viewer attached.
    pub first_step: Option<u64>,
    /// How many operations of that step came before the snapshot.
    pub skip_operations: Option<u64>,
}

/// What must come out of a setup block.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectSetup {
    /// How many agents the crowd has.
    pub agents: u64,
    /// The crowd's state hash.
    pub state_hash: Hash,
}

/// What must come out of a build input.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectBuild {
    /// How many vertices it has.
    pub vertices: u64,
    /// How many triangles it has.
    pub triangles: u64,
    /// How many polygons its mesh has.
    pub polygons: u64,
    /// The digest of each stage of its build, in order: SHA-256, 64 lower-case hexadecimal digits.
    #[serde(deserialize_with = "stages")]
    pub stages: Vec<(BuildStage, String)>,
}

/// What must come out of a malformed file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectMalformed {
    /// The stage that must refuse it.
    #[serde(deserialize_with = "stage")]
    pub stage: Stage,
    /// The code of the error.
    #[serde(deserialize_with = "code")]
    pub code: Code,
    /// The offset of the error, in bytes from 0; an error without a place in the file has none.
    pub offset: Option<u64>,
    /// The path of the field; without it, any.
    pub field: Option<String>,
    /// The reference engine's words; without them, any.
    pub message: Option<String>,
}

/// A state hash: 16 lower-case hexadecimal digits, most significant first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub u64);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        let canonical = text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let value = if canonical { u64::from_str_radix(&text, 16).ok() } else { None };
        value.map(Hash).ok_or_else(|| de::Error::custom(format!("{text:?} is not 16 lower-case hexadecimal digits")))
    }
}

fn stage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stage, D::Error> {
    let text = String::deserialize(deserializer)?;
    let unknown = || de::Error::custom(format!("unknown stage {text:?}; there are read, restore, play and build"));
    Stage::parse(&text).ok_or_else(unknown)
}

fn stages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(BuildStage, String)>, D::Error> {
    let table = BTreeMap::<String, String>::deserialize(deserializer)?;
    if let Some(name) = table.keys().find(|name| BuildStage::parse(name).is_none()) {
        let known = BuildStage::ALL.map(BuildStage::as_str).join(", ");
        return Err(de::Error::custom(format!("unknown stage {name:?}; there are {known}")));
    }
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if let Some((name, digest)) = table.iter().find(|(_, digest)| !is_digest(digest)) {
        let message = format!("{name}: {digest:?} is no SHA-256 (64 lower-case hexadecimal digits)");
        return Err(de::Error::custom(message));
    }
    let listed = |stage: BuildStage| table.get(stage.as_str()).map(|digest| (stage, digest.clone()));
    Ok(BuildStage::ALL.into_iter().filter_map(listed).collect())
}

fn code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
    let text = String::deserialize(deserializer)?;
    Code::parse(&text).ok_or_else(|| de::Error::custom(format!("unknown error code {text:?}")))
}

/// Why a sidecar cannot be used: where, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SidecarError(String);

/// A sidecar as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<E> {
    title: String,
    clauses: Vec<String>,
    tags: Vec<String>,
    review: Option<Review>,
    expect: E,
    scenario: Option<toml::Table>,
}

impl Sidecar {
    /// Reads the sidecar of a case of this kind.
    ///
    /// # Errors
    /// Where the text is not TOML, or a field is missing, unknown or wrong.
    pub fn parse(kind: Kind, text: &str) -> Result<Sidecar, SidecarError> {
        match kind {
            Kind::Build => parse(text, Expect::Build),
            Kind::Live => parse(text, Expect::Live),
            Kind::Malformed => parse(text, Expect::Malformed),
            Kind::Replay => parse(text, Expect::Replay),
            Kind::Setup => parse(text, Expect::Setup),
            Kind::Corpus => Err(SidecarError("the corpus as a whole has no sidecar".into())),
        }
    }
}

fn parse<E: DeserializeOwned>(text: &str, wrap: impl FnOnce(E) -> Expect) -> Result<Sidecar, SidecarError> {
    let raw: Raw<E> = toml::from_str(text).map_err(|error| SidecarError(in_one_line(&error, text)))?;
    let Raw { title, clauses, tags, review, expect, scenario } = raw;
    if title.trim().is_empty() {
        return Err(SidecarError("the title is empty".into()));
    }
    if let Some(clause) = clauses.iter().find(|clause| !is_clause(clause)) {
        return Err(SidecarError(format!(
            "{clause:?} is no clause of SPEC.md; one is written like OPRP-4 or STEP-3.2"
        )));
    }
    let expect = wrap(expect);
    if let Expect::Live(ExpectLive { replay: None, first_step, skip_operations, .. }) = &expect
        && (first_step.is_some() || skip_operations.is_some())
    {
        return Err(SidecarError("first_step and skip_operations are of a replay, and none is named".into()));
    }
    Ok(Sidecar { title, clauses, tags, review, expect, scenario })
}

/// A chapter in capital letters, a hyphen, numbers with dots between them.
fn is_clause(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let chapter = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase());
    text.split_once('-').is_some_and(|(name, numbers)| chapter(name) && numbers.split('.').all(number))
}

/// What is wrong with some TOML, with line and column, in one line.
pub(crate) fn in_one_line(error: &toml::de::Error, text: &str) -> String {
    let message = error.message().replace('\n', ", ");
    match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => {
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            format!("line {line}, column {column}: {message}")
        }
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = \"t\"\nclauses = []\ntags = []\n";

    fn fails(kind: Kind, text: &str) -> String {
        Sidecar::parse(kind, text).unwrap_err().to_string()
    }

    #[test]
    fn a_replay_with_everything() {
        let text = "title = \"t\"\nclauses = [\"OPRP-1\"]\ntags = [\"short\"]\nreview = \"pending\"\n\
                    [expect]\nsteps = 3\nagents = 2\nfinal_hash = \"00000000000000ff\"\nfirst_bad_step = 1\n\
                    [scenario]\nseed = 1\n";
        let sidecar = Sidecar::parse(Kind::Replay, text).unwrap();
        assert_eq!(sidecar.review, Some(Review::Pending));
        assert_eq!(sidecar.scenario.unwrap().len(), 1);
        let expect = ExpectReplay { steps: 3, agents: 2, final_hash: Hash(255), first_bad_step: Some(1) };
        assert_eq!(sidecar.expect, Expect::Replay(expect));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let malformed = |expect: &str| fails(Kind::Malformed, &format!("{HEAD}[expect]\n{expect}"));
        for (message, expected) in [
            (malformed("stage = \"read\"\ncode = \"nope\"\n"), "line 6, column 8: unknown error code \"nope\""),
            (
                malformed("stage = \"eat\"\ncode = \"truncated\"\n"),
                "line 5, column 9: unknown stage \"eat\"; there are read, restore, play and build",
            ),
            (
                malformed("stage = \"read\"\ncode = \"truncated\"\noffset = -1\n"),
                "line 7, column 10: invalid value: integer `-1`, expected u64",
            ),
            (
                fails(Kind::Setup, &format!("{HEAD}[expect]\nagents = 1\nstate_hash = \"FF\"\n")),
                "line 6, column 14: \"FF\" is not 16 lower-case hexadecimal digits",
            ),
            (
                fails(Kind::Setup, &format!("{HEAD}review = \"done\"\n")),
                "line 4, column 10: unknown variant `done`, expected `pending`",
            ),
            (
                fails(Kind::Build, &format!("{HEAD}[expect]\nvertices = 1\n")),
                "line 4, column 1: missing field `triangles`",
            ),
            (
                fails(Kind::Build, &build("mesh = \"00\"")),
                "line 9, column 1: mesh: \"00\" is no SHA-256 (64 lower-case hexadecimal digits)",
            ),
            (fails(Kind::Build, HEAD), "line 1, column 1: missing field `expect`"),
            (
                fails(Kind::Build, "title = \"\u{e9}\" x"),
                "line 1, column 13: unexpected key or value, expected newline, `#`",
            ),
        ] {
            assert_eq!(message, expected);
        }
        let message = malformed("stage = \"read\"\ncode = \"truncated\"\nofset = 1\n");
        assert!(message.starts_with("line 7, column 1: unknown field `ofset`, expected one of "), "{message}");
    }

    /// A sidecar of a build with this row in `[expect.stages]`.
    fn build(row: &str) -> String {
        format!("{HEAD}[expect]\nvertices = 1\ntriangles = 1\npolygons = 1\n\n[expect.stages]\n{row}\n")
    }

    #[test]
    fn stages_stand_in_their_order() {
        let digest = "0123456789abcdef".repeat(4);
        let text = build(&format!("mesh = \"{digest}\"\nvoxelize = \"{digest}\""));
        let Expect::Build(expect) = Sidecar::parse(Kind::Build, &text).unwrap().expect else { panic!("of a build") };
        assert_eq!(expect.stages, [(BuildStage::Voxelize, digest.clone()), (BuildStage::Mesh, digest.clone())]);
        let message = fails(Kind::Build, &build(&format!("rasterize = \"{digest}\"")));
        assert!(message.contains("unknown stage \"rasterize\"; there are voxelize, low-hanging, "), "{message}");
    }

    #[test]
    fn clauses_have_a_form() {
        for text in ["OPRP-4", "STEP-3.2", "A-1.2.3"] {
            assert!(is_clause(text), "{text}");
        }
        for text in ["", "OPRP", "OPRP-", "-1", "oprp-1", "OPRP-1.", "OPRP-a", "[OPRP-1]", "OPRP 1"] {
            assert!(!is_clause(text), "{text}");
        }
        let text = "title = \"t\"\nclauses = [\"x\"]\ntags = []\n[expect]\nvertices = 1\ntriangles = 1\npolygons = 0\nstages = {}\n";
        assert!(fails(Kind::Build, text).starts_with("\"x\" is no clause of SPEC.md; "));
    }

    #[test]
    fn a_step_of_a_replay_needs_a_replay() {
        let text = format!(
            "{HEAD}[expect]\nsteps = 1\nrecords = 1\ntrailing_operations = 0\nfinal_hash = \"00000000000000ff\"\nfirst_step = 1\n"
        );
        assert!(fails(Kind::Live, &text).contains("none is named"));
        assert!(Sidecar::parse(Kind::Live, &format!("{text}replay = \"x\"\n")).is_ok());
    }

    #[test]
    fn a_title_says_something() {
        let text = "title = \" \"\nclauses = []\ntags = []\n[expect]\nvertices = 1\ntriangles = 1\npolygons = 0\nstages = {}\n";
        assert_eq!(fails(Kind::Build, text), "the title is empty");
    }
}
