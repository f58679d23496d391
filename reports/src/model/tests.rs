use super::*;
use crate::{Shard, sample};

fn fail() -> Outcome {
    Outcome::Fail { code: "hash-mismatch".into(), message: "differs".into(), details: vec![] }
}

fn error() -> Outcome {
    Outcome::Error { code: "hang".into(), message: "no answer in 5 s".into() }
}

fn not_comparable() -> Outcome {
    Outcome::NotComparable { reason: "no threads".into() }
}

/// A case whose checks have these outcomes.
fn case(name: &str, outcomes: impl IntoIterator<Item = Outcome>) -> CaseResult {
    let mut case = CaseResult::new("replay", name);
    for (index, outcome) in outcomes.into_iter().enumerate() {
        case.push(format!("check-{index}"), outcome, 1);
    }
    case
}

fn verdict(selected: u32, cases: Vec<CaseResult>) -> (Verdict, Option<Shortfall>) {
    let run = Run::new(sample::header(selected), cases, 0).unwrap();
    (run.footer().verdict, run.shortfall())
}

#[test]
fn cases_are_sorted_by_kind_then_name() {
    let run = sample::run();
    let paths: Vec<_> = run.cases().iter().map(CaseResult::path).collect();
    assert_eq!(paths, ["malformed::replay/steps-negative", "replay::crossing-flows", "replay::doorway"]);
}

#[test]
fn the_kind_decides_before_the_name() {
    let cases = vec![sample::passing("a-b", "a"), sample::passing("a", "z")];
    let run = Run::new(sample::header(2), cases, 0).unwrap();
    assert_eq!(run.cases()[0].key(), ("a", "z"));
}

#[test]
fn the_footer_counts_every_outcome_and_sums_the_figures() {
    let expected = Footer {
        cases: 3,
        checks: 6,
        passed: 2,
        failed: 1,
        errors: 1,
        not_comparable: 2,
        steps: 1500,
        agent_steps: (1 << 53) + 3001,
        duration_ms: 6543,
        verdict: Verdict::DoesNotConform,
    };
    assert_eq!(*sample::run().footer(), expected);
    assert_eq!(sample::run().max_agents(), 100);
    assert_eq!(Run::new(sample::header(1), vec![], 0).unwrap().max_agents(), 0);
}

#[test]
fn sums_stop_at_the_maximum() {
    let mut cases = vec![sample::passing("replay", "a"), sample::passing("replay", "b")];
    for case in &mut cases {
        case.figures = Figures { steps: u64::MAX, agent_steps: u64::MAX - 1, agents: 1, bytes: 1 };
    }
    let run = Run::new(sample::header(2), cases, 0).unwrap();
    assert_eq!((run.footer().steps, run.footer().agent_steps), (u64::MAX, u64::MAX));
}

#[test]
fn one_failure_or_error_among_passes_does_not_conform() {
    assert_eq!(verdict(1, vec![case("a", [Outcome::Pass])]), (Verdict::Conforms, None));
    for wrong in [fail(), error()] {
        let outcomes = [Outcome::Pass, wrong, Outcome::Pass];
        assert_eq!(verdict(1, vec![case("a", outcomes)]), (Verdict::DoesNotConform, None));
    }
}

#[test]
fn a_missing_case_makes_the_run_incomplete() {
    let missing = Shortfall::CasesMissing { done: 1, selected: 2 };
    assert_eq!(verdict(2, vec![case("a", [Outcome::Pass])]), (Verdict::Incomplete, Some(missing)));
    assert_eq!(missing.to_string(), "only 1 of 2 selected cases have a result");
}

#[test]
fn a_failure_counts_for_more_than_a_missing_case() {
    let missing = Shortfall::CasesMissing { done: 1, selected: 2 };
    assert_eq!(verdict(2, vec![case("a", [fail()])]), (Verdict::DoesNotConform, Some(missing)));
}

#[test]
fn not_comparable_alone_is_never_a_pass() {
    let incomplete = (Verdict::Incomplete, Some(Shortfall::NothingComparable));
    assert_eq!(verdict(1, vec![case("a", [not_comparable(), not_comparable()])]), incomplete);
    assert_eq!(verdict(1, vec![case("a", [not_comparable(), Outcome::Pass])]), (Verdict::Conforms, None));
    assert_eq!(verdict(1, vec![case("a", [not_comparable(), fail()])]), (Verdict::DoesNotConform, None));
}

#[test]
fn a_run_of_nothing_conforms_only_as_a_spare_shard() {
    assert_eq!(verdict(0, vec![]), (Verdict::Incomplete, Some(Shortfall::NothingSelected)));
    for (matched, of, expected) in [
        (3, 4, Verdict::Conforms),
        (3, 3, Verdict::Incomplete), // three shards of three cases: none is empty
        (0, 4, Verdict::Incomplete), // the filter matched nothing
    ] {
        let mut header = sample::header(matched);
        (header.corpus.selected, header.shard) = (0, Shard::new(of, of));
        assert_eq!(Run::new(header, vec![], 0).unwrap().footer().verdict, expected, "{matched} cases, {of} shards");
    }
}

#[test]
fn every_rule_refuses_what_breaks_it() {
    let unnamed = || CaseResult::new("replay", "");
    let mut no_code = case("a", []);
    no_code.push("x", Outcome::Fail { code: " ".into(), message: "m".into(), details: vec![] }, 0);
    let mut no_code_in_error = case("a", []);
    no_code_in_error.push("x", Outcome::Error { code: "".into(), message: "m".into() }, 0);
    let mut no_reason = case("a", []);
    no_reason.push("x", Outcome::NotComparable { reason: "".into() }, 0);
    let mut twice = case("a", [Outcome::Pass]);
    twice.push("check-0", Outcome::Pass, 0);
    let mut odd_check = case("a", []);
    odd_check.push("has space", Outcome::Pass, 0);
    let passing = |name| sample::passing("replay", name);
    let refused = [
        (vec![unnamed()], r#"case name "" is empty or has white space, a control character, a bracket or `::`"#),
        (
            vec![odd_check],
            r#"check name "has space" is empty or has white space, a control character, a bracket or `::`"#,
        ),
        (vec![case("a", [])], "case replay::a has no check"),
        (vec![twice], "case replay::a has two checks named check-0"),
        (vec![no_code], "check replay::a::x has an empty code"),
        (vec![no_code_in_error], "check replay::a::x has an empty code"),
        (vec![no_reason], "check replay::a::x has an empty reason"),
        (vec![passing("b"), passing("a"), passing("b")], "case replay::b has two results"),
        (
            vec![passing("a"), passing("b"), passing("c"), passing("d")],
            "case replay::d is one more than the 3 cases that the header selects",
        ),
    ];
    for (cases, message) in refused {
        assert_eq!(Run::new(sample::header(3), cases, 0).unwrap_err().to_string(), message);
    }
}

#[test]
fn names_hold_what_filters_and_paths_can_carry() {
    for name in ["a", "crossing-flows", "replay/steps-2", "a.b_c+d", "a:b", "größe"] {
        assert_eq!(check_name("case", name), Ok(()));
    }
    for name in ["", " ", "a b", "a\tb", "a\nb", "a\u{7f}b", "a\u{a0}b", "a[0]", "a(b", "a}b", "a<b", "a::b"] {
        assert!(check_name("case", name).is_err(), "{name:?}");
    }
}

#[test]
fn a_refused_case_leaves_the_tally_as_it_was() {
    let mut tally = Tally::new(&sample::header(3)).unwrap();
    tally.add(&sample::passing("replay", "b")).unwrap();
    let before = tally.footer(0);
    for refused in [sample::passing("replay", "b"), sample::passing("replay", "a"), case("c", [])] {
        tally.add(&refused).unwrap_err();
        assert_eq!(tally.footer(0), before);
    }
    tally.add(&sample::passing("replay", "c")).unwrap();
    assert_eq!(tally.cases(), 2);
}

#[test]
fn a_header_out_of_range_makes_no_run() {
    let mut header = sample::header(1);
    header.corpus.sha256.pop();
    let message = Run::new(header, vec![], 0).unwrap_err().to_string();
    let found = &"0123456789abcdef".repeat(4)[..63];
    assert_eq!(
        message,
        format!("header field corpus.sha256 is \"{found}\", expected 64 lower-case hexadecimal digits")
    );
}
