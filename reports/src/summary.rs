//! The report as a few lines of plain text, for people: the counts, the verdict, then whatever did not pass.
//!
//! No colours and no control characters: what an adapter wrote into a message cannot move the reader's cursor. The caller
//! decides how to set the text, and may colour lines by their first word.

use crate::{Outcome, Run};
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

/// Bytes that a CI job summary may have. GitHub drops a summary whole above 1 MiB; this leaves room for what stands around it.
pub const JOB_SUMMARY_LIMIT: usize = 900 * 1024;

/// The whole summary. Ends with a line feed.
pub fn summary(run: &Run) -> String {
    summary_within(run, usize::MAX)
}

/// The summary in at most `limit` bytes. Of what did not pass, whole entries are left out from the end until the rest fits, and
/// the last line says how many. The counts always stand, whatever the limit.
pub fn summary_within(run: &Run, limit: usize) -> String {
    let mut out = Overview(run).to_string();
    let entries = entries(run);
    // The longest last line there can be, so that it fits whenever it is needed.
    let reserve = if entries.is_empty() { 0 } else { left_out(entries.len(), limit).len() };
    let total: usize = entries.iter().map(String::len).sum();
    let all_fit = out.len().saturating_add(total) <= limit;
    for (index, entry) in entries.iter().enumerate() {
        if !all_fit && out.len() + entry.len() + reserve > limit {
            out.push_str(&left_out(entries.len() - index, limit));
            break;
        }
        out.push_str(entry);
    }
    out
}

fn left_out(entries: usize, limit: usize) -> String {
    format!("\nleft out: {} more, to stay within {} bytes\n", grouped(entries as u64), grouped(limit as u64))
}

/// The lines above the list. Labels are padded to one width.
struct Overview<'a>(&'a Run);

impl fmt::Display for Overview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(run) = self;
        let (header, footer) = (run.header(), run.footer());
        let (corpus, platform) = (&header.corpus, &header.platform);
        let label = |name: &str| format!("{name:<16}");

        line(f, &label("tool"), &format!("{} {}, spec {}", header.tool.name, header.tool.version, header.spec))?;
        let implementation = &header.implementation;
        line(f, &label("implementation"), format!("{} {}", implementation.name, implementation.version).trim_end())?;
        let byte_order = match platform.endianness {
            crate::Endianness::Little => "little-endian",
            crate::Endianness::Big => "big-endian",
        };
        let width = platform.pointer_width;
        let place = format!("{} {}, {byte_order}, {width}-bit", platform.os, platform.target);
        line(f, &label("platform"), &format!("{place}, {}, threads: {}", platform.profile, platform.threads))?;
        line(f, &label("corpus"), &corpus.sha256)?;
        let levels: Vec<_> = header.levels.iter().map(u8::to_string).collect();
        let mut selection = format!("levels {}", levels.join(", "));
        if !header.filter.is_empty() {
            let _ = write!(selection, "; filter {}", header.filter.join(" "));
        }
        if let Some(shard) = header.shard {
            let _ = write!(selection, "; shard {shard} of {} matching cases", grouped(corpus.matched.into()));
        }
        line(f, &label("selection"), &selection)?;

        let count = |value: u32| grouped(value.into());
        line(f, &label("cases"), &format!("{} of {} selected", count(footer.cases), count(corpus.selected)))?;
        let [passed, failed] = [footer.passed, footer.failed].map(count);
        let [errors, not_comparable] = [footer.errors, footer.not_comparable].map(count);
        let outcomes = format!("{passed} passed, {failed} failed, {errors} in error, {not_comparable} not comparable");
        line(f, &label("checks"), &format!("{}: {outcomes}", count(footer.checks)))?;
        line(f, &label("steps"), &format!("{} replayed", grouped(footer.steps)))?;
        let agents = format!("at most {}; {} agent-steps", count(run.max_agents()), grouped(footer.agent_steps));
        line(f, &label("agents"), &agents)?;
        let (seconds, rest) = (footer.duration_ms / 1000, footer.duration_ms % 1000);
        line(f, &label("time"), &format!("{}.{rest:03} s", grouped(seconds)))?;
        let mut verdict = footer.verdict.to_string();
        if let Some(shortfall) = run.shortfall() {
            let _ = write!(verdict, "; {shortfall}");
        } else if corpus.selected == 0 {
            verdict.push_str("; empty shard, there are more shards than cases");
        }
        line(f, &label("verdict"), &verdict)
    }
}

/// What did not pass, an entry each: failed and errored checks in the order of the run, then reasons of those not comparable.
fn entries(run: &Run) -> Vec<String> {
    let mut entries = vec![];
    let mut reasons = BTreeMap::<&str, u64>::new();
    for case in run.cases() {
        for check in &case.checks {
            let (word, code, message, details) = match &check.outcome {
                Outcome::Pass => continue,
                Outcome::NotComparable { reason } => {
                    *reasons.entry(reason).or_default() += 1;
                    continue;
                }
                Outcome::Fail { code, message, details } => ("FAILED", code, message, details.as_slice()),
                Outcome::Error { code, message } => ("ERROR", code, message, [].as_slice()),
            };
            let mut entry = format!("\n{word} {}::{} ", case.path(), check.name);
            // Writing to a string cannot fail.
            let _ = line(&mut entry, "", &format!("({code})"));
            let _ = line(&mut entry, "    ", message);
            for detail in details {
                let _ = line(&mut entry, "      ", detail);
            }
            entries.push(entry);
        }
    }
    for (reason, count) in reasons {
        let mut entry = format!("\nNOT COMPARABLE, checks: {}\n", grouped(count));
        let _ = line(&mut entry, "    ", reason);
        entries.push(entry);
    }
    entries
}

/// Writes `text` after `indent`; further lines of it stand below its first. Control characters are spelled out.
fn line(out: &mut impl Write, indent: &str, text: &str) -> fmt::Result {
    let mut before = indent.to_owned();
    for part in text.split('\n') {
        out.write_str(&before)?;
        for c in part.trim_end_matches('\r').chars() {
            match c {
                '\t' => out.write_char(' ')?,
                c if c.is_control() || is_invisible_format(c) => write!(out, "{}", c.escape_unicode())?,
                c => out.write_char(c)?,
            }
        }
        out.write_char('\n')?;
        before = " ".repeat(indent.len());
    }
    Ok(())
}

/// Line and paragraph separators, and the characters that change the direction of the text around them.
fn is_invisible_format(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Decimal digits in groups of three: `1,234,567`.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaseResult, Shard, sample};
    use expect_test::expect;

    #[test]
    fn the_whole_text() {
        expect![[r#"
            tool            conform 0.1.0, spec 1.0
            implementation  tiny <crowd> 3.1
            platform        linux s390x-unknown-linux-gnu, big-endian, 64-bit, release, opt-level 3, threads: 4
            corpus          0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
            selection       levels 1, 2
            cases           3 of 3 selected
            checks          6: 2 passed, 1 failed, 1 in error, 2 not comparable
            steps           1,500 replayed
            agents          at most 100; 9,007,199,254,743,993 agent-steps
            time            6.543 s
            verdict         does not conform

            FAILED replay::crossing-flows::hashes (hash-mismatch)
                step 17: hash is 00ff, recorded was <ff00>
                  agent 3: velocity.x differs by 1 ulp
                  agents 4 & 5: "same"
                  second line

            ERROR replay::doorway::hashes (crash)
                signal 11\u{1b}[31m after `step`

            NOT COMPARABLE, checks: 2
                no threads on this platform
        "#]]
        .assert_eq(&summary(&sample::run()));
    }

    #[test]
    fn a_run_that_conforms_lists_nothing() {
        let run = Run::new(sample::header(1), vec![sample::passing("replay", "a")], 1_234_005).unwrap();
        let text = summary(&run);
        assert!(text.ends_with("time            1,234.005 s\nverdict         conforms\n"), "{text}");
    }

    #[test]
    fn a_run_that_stopped_early_says_so() {
        let run = Run::new(sample::header(2), vec![sample::passing("replay", "a")], 0).unwrap();
        let text = summary(&run);
        assert!(text.contains("cases           1 of 2 selected\n"), "{text}");
        assert!(text.ends_with("verdict         incomplete; only 1 of 2 selected cases have a result\n"), "{text}");
    }

    #[test]
    fn filter_and_shard_are_shown() {
        let mut header = sample::header(3);
        header.filter = vec!["crossing".into(), "door".into()];
        (header.corpus.selected, header.shard) = (0, Shard::new(4, 4));
        let text = summary(&Run::new(header, vec![], 0).unwrap());
        assert!(text.contains("levels 1, 2; filter crossing door; shard 4/4 of 3 matching cases\n"), "{text}");
        assert!(text.ends_with("verdict         conforms; empty shard, there are more shards than cases\n"), "{text}");
    }

    #[test]
    fn what_an_implementation_says_cannot_move_the_cursor() {
        let mut header = sample::header(1);
        header.implementation.version = "1\u{1b}[2J\r\u{9b}".into();
        let mut case = CaseResult::new("replay", "a");
        let message = "a\u{1b}[31m\u{8}\u{202e}\r\nb\rc\td\u{2028}".into();
        case.push("hashes", Outcome::Error { code: "x\u{7}".into(), message }, 0);
        let text = summary(&Run::new(header, vec![case], 0).unwrap());
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || is_invisible_format(c)), "{text}");
        let expected = "hashes (x\\u{7})\n    a\\u{1b}[31m\\u{8}\\u{202e}\n    b\\u{d}c d\\u{2028}\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn at_every_limit_the_text_fits_and_says_what_is_missing() {
        let run = sample::run();
        let whole = summary(&run);
        let overview = Overview(&run).to_string();
        let entries = entries(&run);
        let mut counts_seen = std::collections::BTreeSet::new();
        for limit in 0..whole.len() {
            let text = summary_within(&run, limit);
            let (kept, missing) = text.rsplit_once("\nleft out: ").unwrap();
            let missing: usize = missing.split_once(' ').unwrap().0.parse().unwrap();
            let expected = overview.clone() + &entries[..entries.len() - missing].concat();
            assert_eq!(kept, expected);
            assert!(text.len() <= limit || missing == entries.len(), "limit {limit}, {} bytes", text.len());
            let one_more = kept.len() + entries[entries.len() - missing].len() + left_out(entries.len(), limit).len();
            assert!(one_more > limit, "limit {limit}: another entry would have fitted");
            counts_seen.insert(missing);
        }
        assert_eq!(counts_seen.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(summary_within(&run, whole.len()), whole);
        assert_eq!(JOB_SUMMARY_LIMIT, 921_600); // 1 MiB is 1,048,576
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (value, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(value), expected);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }
}
