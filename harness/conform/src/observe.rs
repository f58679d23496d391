//! What comes out of a case now, as the fields that its sidecar's `[expect]` should have. `conform bless` writes it down.

use std::borrow::Cow;

use crowd_engine::Crowd;
use generators::scenario::{Recorded, Scenario};
use replay_format::{BuildInput, Error, Setup};
use reports::Outcome;

use crate::checks::{Context, Refusal, first_mismatch, refusal};
use crate::sidecar::Hash;
use crate::words::len64;
use crate::{CorpusSource, Format, Kind, Recording, corpus};

/// A value of `[expect]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// A count or an offset.
    Number(u64),
    /// A hash, a name, a message.
    Text(String),
    /// A table of texts.
    Table(Vec<(&'static str, String)>),
    /// The field must not be there.
    Absent,
}

/// The fields of `[expect]` that follow from the file, in the order in which a new sidecar has them.
///
/// A replay's first bad step is noted only where the sidecar expects one (`wants_bad_step`), since a bad step that nobody asked
/// for is a fault, not an expectation.
///
/// # Errors
/// Why the case cannot be blessed, in a sentence.
pub fn observe(context: &Context, wants_bad_step: bool) -> Result<Vec<(&'static str, Observed)>, String> {
    let (_, format) = context.file().map_err(in_words)?;
    let bytes = context.bytes().map_err(in_words)?;
    let refused = |error: Error| format!("a good file is refused: {error}");
    match context.case.kind {
        Kind::Replay => replay(context, wants_bad_step),
        Kind::Live => live(context),
        Kind::Setup => {
            let setup = Setup::read(bytes).map_err(refused)?;
            let crowd = Crowd::restore(&setup).map_err(refused)?;
            Ok(vec![("agents", Observed::Number(len64(crowd.agent_count()))), ("state_hash", hash(crowd.state_hash()))])
        }
        Kind::Build => {
            let input = BuildInput::read(bytes).map_err(refused)?;
            let built = context.built().map_err(in_words)?;
            let digests = built.stages.iter().map(|(stage, digest)| (stage.as_str(), digest.clone()));
            Ok(vec![
                ("vertices", Observed::Number(len64(input.vertices.len()))),
                ("triangles", Observed::Number(len64(input.triangles.len()))),
                ("polygons", Observed::Number(built.polygons)),
                ("stages", Observed::Table(digests.collect())),
            ])
        }
        Kind::Malformed => match refusal(format, bytes) {
            Refusal::Refused(error) => Ok(malformed(&error)),
            Refusal::Accepted => Err("it is accepted, and so is not malformed".into()),
            Refusal::Unknown(why) => Err(why.into()),
        },
        Kind::Corpus => Ok(Vec::new()),
    }
}

fn replay(context: &Context, wants_bad_step: bool) -> Result<Vec<(&'static str, Observed)>, String> {
    let recording = context.recording().map_err(in_words)?;
    let played = context.played().map_err(in_words)?;
    let mut fields = vec![
        ("steps", Observed::Number(len64(played.hashes.len()))),
        ("agents", Observed::Number(played.agents)),
        ("final_hash", hash(played.final_hash)),
    ];
    match (wants_bad_step, first_mismatch(&recording, &played.hashes)) {
        (true, Some(step)) => fields.push(("first_bad_step", Observed::Number(step))),
        (true, None) => fields.push(("first_bad_step", Observed::Absent)),
        (false, None) => {}
        (false, Some(step)) => {
            return Err(format!(
                "step {step} does not give its recorded hash; record it anew (--record), or expect \
                                first_bad_step"
            ));
        }
    }
    Ok(fields)
}

fn live(context: &Context) -> Result<Vec<(&'static str, Observed)>, String> {
    let recording = context.recording().map_err(in_words)?;
    let played = context.played().map_err(in_words)?;
    if let Some(step) = first_mismatch(&recording, &played.hashes) {
        return Err(format!("step {step} does not give its recorded hash; record it anew (--record)"));
    }
    Ok(vec![
        ("steps", Observed::Number(len64(played.hashes.len()))),
        ("records", Observed::Number(recording.records)),
        ("trailing_operations", Observed::Number(trailing_operations(&recording))),
        ("final_hash", hash(played.final_hash)),
    ])
}

fn malformed(error: &Error) -> Vec<(&'static str, Observed)> {
    vec![
        ("stage", Observed::Text(error.stage().as_str().into())),
        ("code", Observed::Text(error.code().as_str().into())),
        ("offset", error.offset().map_or(Observed::Absent, Observed::Number)),
        ("field", Observed::Text(error.path().into())),
        ("message", Observed::Text(error.to_string())),
    ]
}

/// Plays a scenario through the recorder. A build input that it names is taken from the corpus.
///
/// # Errors
/// What is wrong with the scenario, in a sentence.
pub fn record(scenario: &toml::Table, corpus: &dyn CorpusSource) -> Result<Recorded, String> {
    let scenario: Scenario = toml::Value::Table(scenario.clone())
        .try_into()
        .map_err(|error: toml::de::Error| error.to_string().trim().replace('\n', ", "))?;
    let build = |name: &str| {
        let path = format!("builds/{name}.{}", Format::Build.ending());
        corpus::read(corpus, &path).map(Cow::into_owned).map_err(|error| error.to_string())
    };
    scenario.record_with(build).map_err(|error| error.to_string())
}

/// The file that a scenario gives for a case of this kind: the replay, the live capture, or the setup block (the viewer's, where
/// one attaches, otherwise the replay's).
///
/// # Errors
/// What is wrong with the scenario, in a sentence.
pub fn record_case(kind: Kind, scenario: &toml::Table, corpus: &dyn CorpusSource) -> Result<Vec<u8>, String> {
    let Recorded { replay, live } = record(scenario, corpus)?;
    match kind {
        Kind::Replay => Ok(replay),
        Kind::Live => live.ok_or_else(|| "the scenario makes no live capture".into()),
        Kind::Setup => {
            let recording = match &live {
                Some(live) => Recording::read(Format::Live, live),
                None => Recording::read(Format::Replay, &replay),
            };
            let refused = |error| format!("what was recorded is refused: {error}");
            let recording = recording.map_err(refused)?.ok_or("nothing was recorded")?;
            let mut setup = Vec::new();
            recording.setup.write(&mut setup).map_err(|error| error.to_string())?;
            Ok(setup)
        }
        Kind::Build | Kind::Corpus | Kind::Malformed => Err(format!("a case of kind {} is not recorded", kind.name())),
    }
}

/// How many operations follow the last step record of a live capture.
pub(crate) fn trailing_operations(recording: &Recording<'_>) -> u64 {
    len64(replay_format::known_operations(&recording.trailing).count())
}

fn hash(value: u64) -> Observed {
    Observed::Text(Hash(value).to_string())
}

fn in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Fail { message, .. } | Outcome::Error { message, .. } => message,
        Outcome::NotComparable { reason } => reason,
        Outcome::Pass => String::new(),
    }
}
