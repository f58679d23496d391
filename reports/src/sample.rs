//! The run that the tests of this crate share: every outcome once, and text that each renderer has to take care of.

use crate::{CaseResult, Corpus, Endianness, Figures, Header, Outcome, Platform, Run, SCHEMA, Software};

/// A header that selects `cases` cases, all that match.
pub(crate) fn header(cases: u32) -> Header {
    Header {
        schema: SCHEMA,
        tool: Software::new("conform", "0.1.0"),
        spec: "1.0".into(),
        corpus: Corpus { sha256: "0123456789abcdef".repeat(4), matched: cases, selected: cases },
        implementation: Software::new("tiny <crowd>", "3.1"),
        platform: Platform {
            os: "linux".into(),
            target: "s390x-unknown-linux-gnu".into(),
            endianness: Endianness::Big,
            pointer_width: 64,
            profile: "release, opt-level 3".into(),
            threads: 4,
        },
        levels: vec![1, 2],
        filter: vec![],
        shard: None,
    }
}

/// A case with one passing check.
pub(crate) fn passing(kind: &str, name: &str) -> CaseResult {
    let mut case = CaseResult::new(kind, name);
    case.push("hashes", Outcome::Pass, 1);
    case
}

/// Three cases, given out of order.
pub(crate) fn cases() -> Vec<CaseResult> {
    let mut crossing = CaseResult::new("replay", "crossing-flows");
    crossing.figures = Figures { steps: 1200, agent_steps: (1 << 53) + 1, agents: 64, bytes: 81_234 };
    crossing.push("round-trip", Outcome::Pass, 2);
    let mismatch = Outcome::Fail {
        code: "hash-mismatch".into(),
        message: "step 17: hash is 00ff, recorded was <ff00>".into(),
        details: vec!["agent 3: velocity.x differs by 1 ulp".into(), "agents 4 & 5: \"same\"\nsecond line".into()],
    };
    crossing.push("hashes", mismatch, 1034);
    crossing.push("threads-7", Outcome::NotComparable { reason: "no threads on this platform".into() }, 0);

    let mut doorway = CaseResult::new("replay", "doorway");
    doorway.figures = Figures { steps: 300, agent_steps: 3000, agents: 100, bytes: 4_096 };
    doorway.push("round-trip", Outcome::NotComparable { reason: "no threads on this platform".into() }, 0);
    let crash = Outcome::Error { code: "crash".into(), message: "signal 11\u{1b}[31m after\t`step`".into() };
    doorway.push("hashes", crash, 5000);

    let mut malformed = CaseResult::new("malformed", "replay/steps-negative");
    malformed.figures.bytes = 40;
    malformed.push("code", Outcome::Pass, 0);
    vec![doorway, crossing, malformed]
}

/// A run of all of [`cases`].
pub(crate) fn run() -> Run {
    Run::new(header(3), cases(), 6543).expect("the sample obeys the model")
}
