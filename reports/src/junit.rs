//! The report as JUnit XML, for the CI systems that show it.
//!
//! A kind is a test suite, a check is a test case: `classname` is `kind.case`, `name` is the check. What the outcomes become:
//!
//! | outcome | element | attributes |
//! |---|---|---|
//! | pass | none | |
//! | fail | `failure` | `type` is the code, `message` the message; the text repeats it and adds the details |
//! | error | `error` | `type` is the code, `message` the message |
//! | not comparable | `skipped` | `type` is `not-comparable`, `message` the reason |
//!
//! A message or reason of several lines is repeated as text as well, since an XML attribute loses line feeds.
//!
//! JUnit has no word for a run that stopped early, and a viewer would show the cases that passed in green. So a run with a
//! [`Shortfall`](crate::Shortfall) gets one suite more, `run`, whose only test case `complete` is an `error`.
//!
//! Suites and cases stand in the order of the run, and nothing is added that the run does not hold: the same run gives the same
//! bytes. Attachments are left out. Characters that XML 1.0 cannot hold are left out or replaced, terminal colours left out.

use crate::{CheckResult, Header, Outcome, Run, WriteError};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::{borrow::Cow, io, time::Duration};

/// Writes the run as one XML document.
pub fn write_junit<W: io::Write>(out: W, run: &Run) -> Result<(), WriteError> {
    let mut report = Report::new(text(&run.header().tool.name));
    report.set_time(Duration::from_millis(run.footer().duration_ms));
    for cases in run.cases().chunk_by(|a, b| a.kind == b.kind) {
        let mut suite = suite(&cases[0].kind, run.header());
        let mut milliseconds = 0u64;
        for case in cases {
            let classname = format!("{}.{}", case.kind, case.name);
            for check in &case.checks {
                suite.add_test_case(test_case(&classname, check));
                milliseconds = milliseconds.saturating_add(check.duration_ms);
            }
        }
        suite.set_time(Duration::from_millis(milliseconds));
        report.add_test_suite(suite);
    }
    if let Some(shortfall) = run.shortfall() {
        let code = "incomplete".into();
        let outcome = Outcome::Error { code, message: shortfall.to_string() };
        let mut suite = suite("run", run.header());
        suite.add_test_case(test_case("run", &CheckResult { name: "complete".into(), outcome, duration_ms: 0 }));
        suite.set_time(Duration::ZERO);
        report.add_test_suite(suite);
    }
    report.serialize(out).map_err(|error| WriteError::Io(io::Error::other(error)))
}

/// An empty suite that says what was tested where. JUnit has no place for this above the suites.
fn suite(kind: &str, header: &Header) -> TestSuite {
    let Header { tool, spec, corpus, implementation, platform, .. } = header;
    let mut suite = TestSuite::new(text(kind));
    for (name, value) in [
        ("tool", format!("{} {}", tool.name, tool.version)),
        ("spec", spec.clone()),
        ("corpus", corpus.sha256.clone()),
        ("implementation", format!("{} {}", implementation.name, implementation.version)),
        ("platform", format!("{} {}", platform.os, platform.target)),
        ("profile", platform.profile.clone()),
        ("threads", platform.threads.to_string()),
    ] {
        suite.add_property((name, text(value.trim_end()).as_ref()));
    }
    suite
}

fn test_case(classname: &str, check: &CheckResult) -> TestCase {
    let mut case = TestCase::new(text(&check.name), status(&check.outcome));
    case.set_classname(text(classname));
    case.set_time(Duration::from_millis(check.duration_ms));
    case
}

fn status(outcome: &Outcome) -> TestCaseStatus {
    let (mut status, code, message, details) = match outcome {
        Outcome::Pass => return TestCaseStatus::success(),
        Outcome::Fail { code, message, details } => {
            (TestCaseStatus::non_success(NonSuccessKind::Failure), code.as_str(), message, details.as_slice())
        }
        Outcome::Error { code, message } => {
            (TestCaseStatus::non_success(NonSuccessKind::Error), code.as_str(), message, [].as_slice())
        }
        Outcome::NotComparable { reason } => (TestCaseStatus::skipped(), "not-comparable", reason, [].as_slice()),
    };
    status.set_type(text(code));
    status.set_message(text(message));
    if !details.is_empty() || message.contains('\n') {
        // The message again: a viewer that shows the text often hides the attribute, and an attribute loses its line feeds.
        let lines: Vec<_> = std::iter::once(message).chain(details).map(String::as_str).collect();
        status.set_description(text(&lines.join("\n")));
    }
    status
}

/// What `quick-junit` does not do: it drops tabs, and lets the two characters through that XML forbids above U+001F.
fn text(raw: &str) -> Cow<'_, str> {
    if raw.contains(['\t', '\u{fffe}', '\u{ffff}']) {
        Cow::Owned(raw.replace('\t', " ").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
    } else {
        Cow::Borrowed(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaseResult, Shard, sample};
    use expect_test::expect;

    fn xml(run: &Run) -> String {
        let mut out = vec![];
        write_junit(&mut out, run).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_whole_document() {
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="conform" tests="6" skipped="2" failures="1" errors="1" time="6.543">
                <testsuite name="malformed" tests="1" skipped="0" errors="0" failures="0" time="0.000">
                    <properties>
                        <property name="tool" value="conform 0.1.0"/>
                        <property name="spec" value="1.0"/>
                        <property name="corpus" value="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"/>
                        <property name="implementation" value="tiny &lt;crowd&gt; 3.1"/>
                        <property name="platform" value="linux s390x-unknown-linux-gnu"/>
                        <property name="profile" value="release, opt-level 3"/>
                        <property name="threads" value="4"/>
                    </properties>
                    <testcase name="code" classname="malformed.replay/steps-negative" time="0.000"/>
                </testsuite>
                <testsuite name="replay" tests="5" skipped="2" errors="1" failures="1" time="6.036">
                    <properties>
                        <property name="tool" value="conform 0.1.0"/>
                        <property name="spec" value="1.0"/>
                        <property name="corpus" value="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"/>
                        <property name="implementation" value="tiny &lt;crowd&gt; 3.1"/>
                        <property name="platform" value="linux s390x-unknown-linux-gnu"/>
                        <property name="profile" value="release, opt-level 3"/>
                        <property name="threads" value="4"/>
                    </properties>
                    <testcase name="round-trip" classname="replay.crossing-flows" time="0.002"/>
                    <testcase name="hashes" classname="replay.crossing-flows" time="1.034">
                        <failure message="step 17: hash is 00ff, recorded was &lt;ff00&gt;" type="hash-mismatch">step 17: hash is 00ff, recorded was &lt;ff00&gt;
            agent 3: velocity.x differs by 1 ulp
            agents 4 &amp; 5: &quot;same&quot;
            second line</failure>
                    </testcase>
                    <testcase name="threads-7" classname="replay.crossing-flows" time="0.000">
                        <skipped message="no threads on this platform" type="not-comparable"/>
                    </testcase>
                    <testcase name="round-trip" classname="replay.doorway" time="0.000">
                        <skipped message="no threads on this platform" type="not-comparable"/>
                    </testcase>
                    <testcase name="hashes" classname="replay.doorway" time="5.000">
                        <error message="signal 11 after `step`" type="crash"/>
                    </testcase>
                </testsuite>
            </testsuites>
        "#]].assert_eq(&xml(&sample::run()));
    }

    #[test]
    fn the_same_cases_in_any_order_give_the_same_bytes() {
        let expected = xml(&sample::run());
        let mut cases = sample::cases();
        for _ in 0..cases.len() {
            cases.rotate_left(1);
            assert_eq!(xml(&Run::new(sample::header(3), cases.clone(), 6543).unwrap()), expected);
        }
    }

    #[test]
    fn a_run_that_stopped_early_has_an_error_in_it() {
        let run = Run::new(sample::header(2), vec![sample::passing("replay", "a")], 10).unwrap();
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="conform" tests="2" skipped="0" failures="0" errors="1" time="0.010">
                <testsuite name="replay" tests="1" skipped="0" errors="0" failures="0" time="0.001">
                    <properties>
                        <property name="tool" value="conform 0.1.0"/>
                        <property name="spec" value="1.0"/>
                        <property name="corpus" value="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"/>
                        <property name="implementation" value="tiny &lt;crowd&gt; 3.1"/>
                        <property name="platform" value="linux s390x-unknown-linux-gnu"/>
                        <property name="profile" value="release, opt-level 3"/>
                        <property name="threads" value="4"/>
                    </properties>
                    <testcase name="hashes" classname="replay.a" time="0.001"/>
                </testsuite>
                <testsuite name="run" tests="1" skipped="0" errors="1" failures="0" time="0.000">
                    <properties>
                        <property name="tool" value="conform 0.1.0"/>
                        <property name="spec" value="1.0"/>
                        <property name="corpus" value="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"/>
                        <property name="implementation" value="tiny &lt;crowd&gt; 3.1"/>
                        <property name="platform" value="linux s390x-unknown-linux-gnu"/>
                        <property name="profile" value="release, opt-level 3"/>
                        <property name="threads" value="4"/>
                    </properties>
                    <testcase name="complete" classname="run" time="0.000">
                        <error message="only 1 of 2 selected cases have a result" type="incomplete"/>
                    </testcase>
                </testsuite>
            </testsuites>
        "#]].assert_eq(&xml(&run));
    }

    #[test]
    fn a_whole_run_and_a_spare_shard_have_none() {
        let whole = Run::new(sample::header(1), vec![sample::passing("replay", "a")], 10).unwrap();
        assert!(!xml(&whole).contains("<error"));
        let mut header = sample::header(3);
        (header.corpus.selected, header.shard) = (0, Shard::new(4, 4));
        assert!(
            xml(&Run::new(header, vec![], 0).unwrap()).contains(r#"tests="0" skipped="0" failures="0" errors="0""#)
        );
    }

    #[test]
    fn text_that_xml_cannot_hold_is_made_fit() {
        let mut case = CaseResult::new("replay", "a");
        let message = "a\tb \u{0}\u{8}\u{1b}[1;31mred\u{1b}[0m \u{fffe}\u{ffff} ]]> & <x> \"q\"".into();
        let details = vec!["line 1\nline 2\twith tab".into()];
        case.push("hashes", Outcome::Fail { code: "odd".into(), message, details }, 0);
        let xml = xml(&Run::new(sample::header(1), vec![case], 0).unwrap());
        assert!(xml.contains("message=\"a b red \u{fffd}\u{fffd} ]]&gt; &amp; &lt;x&gt; &quot;q&quot;\""), "{xml}");
        assert!(xml.contains("\nline 1\nline 2 with tab</failure>"), "{xml}");
        let forbidden = |c: char| (c < ' ' && c != '\n') || c == '\u{fffe}' || c == '\u{ffff}';
        assert!(!xml.contains(forbidden));
    }

    #[test]
    fn a_message_of_several_lines_keeps_them() {
        let mut case = CaseResult::new("replay", "a");
        case.push("x", Outcome::Error { code: "crash".into(), message: "one\ntwo".into() }, 0);
        case.push("y", Outcome::NotComparable { reason: "three\nfour".into() }, 0);
        let xml = xml(&Run::new(sample::header(1), vec![case], 0).unwrap());
        assert!(xml.contains(">one\ntwo</error>") && xml.contains(">three\nfour</skipped>"), "{xml}");
    }

    #[test]
    fn times_that_no_clock_shows_do_not_overflow() {
        let mut case = CaseResult::new("replay", "a");
        case.push("one", Outcome::Pass, u64::MAX);
        case.push("two", Outcome::Pass, u64::MAX);
        let run = Run::new(sample::header(1), vec![case], u64::MAX).unwrap();
        assert_eq!(xml(&run).matches(r#"time="18446744073709552"#).count(), 4);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let mut space = [0; 100];
        let error = write_junit(space.as_mut_slice(), &sample::run()).unwrap_err();
        assert!(matches!(error, WriteError::Io(_)), "{error}");
    }
}
