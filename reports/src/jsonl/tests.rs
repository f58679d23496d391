use super::*;
use crate::{Attachment, ModelError, Outcome, Shard, sample};
use expect_test::expect;

fn text(run: &Run) -> String {
    let mut out = vec![];
    write_run(&mut out, run).unwrap();
    String::from_utf8(out).unwrap()
}

fn read(text: &str) -> Result<Run, ReadError> {
    read_run(text.as_bytes())
}

/// The error for the sample with its line `line` (from 1) replaced.
fn with_line(line: usize, new: &str) -> ReadError {
    let text = text(&sample::run());
    let mut lines: Vec<_> = text.lines().collect();
    lines[line - 1] = new;
    read(&(lines.join("\n") + "\n")).unwrap_err()
}

/// The error for the sample with the first `from` in line `line` (from 1) replaced.
fn with_change(line: usize, from: &str, to: &str) -> ReadError {
    let text = text(&sample::run());
    let old = text.lines().nth(line - 1).unwrap();
    assert!(old.contains(from), "{old}");
    with_line(line, &old.replacen(from, to, 1))
}

#[test]
fn the_whole_text() {
    expect![[r#"
        {"header":{"schema":1,"tool":{"name":"conform","version":"0.1.0"},"spec":"1.0","corpus":{"sha256":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","matched":3,"selected":3},"implementation":{"name":"tiny <crowd>","version":"3.1"},"platform":{"os":"linux","target":"s390x-unknown-linux-gnu","endianness":"big","pointer_width":64,"profile":"release, opt-level 3","threads":4},"levels":[1,2],"filter":[],"shard":null}}
        {"case":{"kind":"malformed","name":"replay/steps-negative","figures":{"steps":"0","agent_steps":"0","agents":0,"bytes":"40"},"checks":[{"name":"code","outcome":"pass","duration_ms":"0"}],"attachments":[]}}
        {"case":{"kind":"replay","name":"crossing-flows","figures":{"steps":"1200","agent_steps":"9007199254740993","agents":64,"bytes":"81234"},"checks":[{"name":"round-trip","outcome":"pass","duration_ms":"2"},{"name":"hashes","outcome":{"fail":{"code":"hash-mismatch","message":"step 17: hash is 00ff, recorded was <ff00>","details":["agent 3: velocity.x differs by 1 ulp","agents 4 & 5: \"same\"\nsecond line"]}},"duration_ms":"1034"},{"name":"threads-7","outcome":{"not-comparable":{"reason":"no threads on this platform"}},"duration_ms":"0"}],"attachments":[]}}
        {"case":{"kind":"replay","name":"doorway","figures":{"steps":"300","agent_steps":"3000","agents":100,"bytes":"4096"},"checks":[{"name":"round-trip","outcome":{"not-comparable":{"reason":"no threads on this platform"}},"duration_ms":"0"},{"name":"hashes","outcome":{"error":{"code":"crash","message":"signal 11\u001b[31m after\t`step`"}},"duration_ms":"5000"}],"attachments":[]}}
        {"footer":{"cases":3,"checks":6,"passed":2,"failed":1,"errors":1,"not_comparable":2,"steps":"1500","agent_steps":"9007199254743993","duration_ms":"6543","verdict":"does-not-conform"}}
    "#]].assert_eq(&text(&sample::run()));
}

#[test]
fn what_is_written_reads_back_equal() {
    let run = sample::run();
    assert_eq!(read(&text(&run)).unwrap(), run);

    let mut header = sample::header(2);
    (header.corpus.matched, header.shard) = (5, Shard::new(2, 5));
    header.filter = vec!["a b".into(), "\"q\"\u{2028}".into()];
    let mut case = sample::passing("replay", "a");
    case.figures.bytes = u64::MAX;
    let (name, media_type) = ("map.svg".into(), "image/svg+xml".into());
    case.attachments.push(Attachment { name, media_type, content: "<svg>\n</svg>".into() });
    let run = Run::new(header, vec![case], u64::MAX).unwrap();
    assert_eq!(read(&text(&run)).unwrap(), run);
}

#[test]
fn the_writer_gives_the_same_bytes_and_the_footer() {
    let run = sample::run();
    let mut writer = Writer::new(vec![], run.header()).unwrap();
    for case in run.cases() {
        writer.write_case(case).unwrap();
    }
    let (bytes, footer) = writer.finish(6543).unwrap();
    assert_eq!(footer, *run.footer());
    assert_eq!(String::from_utf8(bytes).unwrap(), text(&run));
}

#[test]
fn each_line_is_out_before_the_next_is_asked_for() {
    /// Counts flushes; only what was flushed would survive a kill.
    #[derive(Default)]
    struct Flushed(Vec<u8>, Vec<u8>);
    impl io::Write for Flushed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            self.1.append(&mut self.0);
            Ok(())
        }
    }
    let run = sample::run();
    let whole = text(&run);
    let mut writer = Writer::new(Flushed::default(), run.header()).unwrap();
    for (index, case) in run.cases().iter().enumerate() {
        assert_eq!(writer.out.1, whole.split_inclusive('\n').take(1 + index).collect::<String>().as_bytes());
        writer.write_case(case).unwrap();
    }
    let (out, _) = writer.finish(6543).unwrap();
    assert_eq!(out.1, whole.as_bytes());
}

#[test]
fn the_writer_refuses_and_writes_nothing() {
    let mut writer = Writer::new(vec![], &sample::header(3)).unwrap();
    writer.write_case(&sample::passing("replay", "b")).unwrap();
    let before = writer.out.clone();
    let refused = [
        (sample::passing("replay", "b"), "case replay::b has two results"),
        (sample::passing("replay", "a"), "case replay::a comes after replay::b; cases go in order of kind, then name"),
        (CaseResult::new("replay", "c"), "case replay::c has no check"),
    ];
    for (case, message) in refused {
        assert_eq!(writer.write_case(&case).unwrap_err().to_string(), message);
        assert_eq!(writer.out, before);
    }
    let (bytes, footer) = writer.finish(0).unwrap();
    assert_eq!((footer.cases, footer.verdict), (1, Verdict::Incomplete));
    assert_eq!(*read_run(bytes.as_slice()).unwrap().footer(), footer);

    let mut header = sample::header(1);
    header.levels.clear();
    let mut out = vec![];
    assert!(matches!(Writer::new(&mut out, &header), Err(WriteError::Model(ModelError::Header { .. }))));
    assert!(out.is_empty());
}

#[test]
fn a_full_disk_is_an_error_and_the_part_is_not_a_report() {
    let run = sample::run();
    for size in 0..text(&run).len() {
        let mut space = vec![0; size];
        let mut rest = space.as_mut_slice();
        assert!(matches!(write_run(&mut rest, &run), Err(WriteError::Io(_))), "{size} bytes");
    }
}

#[test]
fn a_report_cut_after_any_line_is_refused() {
    let whole = text(&sample::run());
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(read("").unwrap_err().to_string(), "no header: the input is empty");
    for count in 1..lines.len() {
        let expected = format!(
            "the run was cut short: the report ends at line {count} without a footer, after {} cases",
            count - 1
        );
        assert_eq!(read(&lines[..count].concat()).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_report_cut_after_any_byte_is_refused() {
    let whole = text(&sample::run());
    for end in 1..whole.len() - 1 {
        match read_run(&whole.as_bytes()[..end]) {
            Err(ReadError::CutShort { line, cases }) => {
                let complete = whole.lines().zip(whole[..end].lines()).filter(|(whole, cut)| whole == cut).count();
                assert_eq!(line as usize, whole[..end].lines().count());
                assert_eq!(cases as usize, complete.saturating_sub(1), "{end} bytes");
            }
            other => panic!("{end} bytes: {other:?}"),
        }
    }
    assert_eq!(read(&whole[..whole.len() - 1]).unwrap(), sample::run());
}

#[test]
fn a_report_without_any_one_of_its_lines_is_refused() {
    let whole = text(&sample::run());
    for missing in 0..5 {
        let rest: String =
            whole.split_inclusive('\n').enumerate().filter(|(i, _)| *i != missing).map(|(_, l)| l).collect();
        let error = read(&rest).unwrap_err();
        match missing {
            0 => assert_eq!(error.to_string(), "no header: line 1 is something else"),
            4 => assert!(matches!(error, ReadError::CutShort { line: 4, cases: 3 }), "{error}"),
            _ => {
                let expected = "line 4: footer says cases 3, the lines above say 2";
                assert_eq!(error.to_string(), expected);
            }
        }
    }
}

#[test]
fn a_footer_that_disagrees_is_refused_whichever_field_it_is() {
    let faults = [
        (r#""cases":3"#, r#""cases":2"#, "cases 2, the lines above say 3"),
        (r#""checks":6"#, r#""checks":7"#, "checks 7, the lines above say 6"),
        (r#""passed":2"#, r#""passed":6"#, "passed 6, the lines above say 2"),
        (r#""failed":1"#, r#""failed":0"#, "failed 0, the lines above say 1"),
        (r#""errors":1"#, r#""errors":0"#, "errors 0, the lines above say 1"),
        (r#""not_comparable":2"#, r#""not_comparable":0"#, "not_comparable 0, the lines above say 2"),
        (r#""steps":"1500""#, r#""steps":"1501""#, "steps 1501, the lines above say 1500"),
        (
            r#""agent_steps":"9007199254743993""#,
            r#""agent_steps":"9007199254743992""#,
            "agent_steps 9007199254743992, the lines above say 9007199254743993",
        ),
        (
            r#""verdict":"does-not-conform""#,
            r#""verdict":"conforms""#,
            "verdict `conforms`, the lines above say `does not conform`",
        ),
    ];
    for (from, to, message) in faults {
        assert_eq!(with_change(5, from, to).to_string(), format!("line 5: footer says {message}"));
    }
}

#[test]
fn a_case_line_changed_to_green_disagrees_with_the_footer() {
    let text = text(&sample::run());
    let line = text.lines().nth(3).unwrap();
    let start = line.find(r#"{"error""#).unwrap();
    let end = line.find(r#","duration_ms":"5000""#).unwrap();
    let green = format!(r#"{}"pass"{}"#, &line[..start], &line[end..]);
    assert_eq!(with_line(4, &green).to_string(), "line 5: footer says passed 2, the lines above say 3");
}

#[test]
fn another_schema_version_is_refused_before_its_fields_are_looked_at() {
    for (line, found) in [
        (r#"{"header":{"schema":2,"shape":"new"}}"#, "2"),
        (r#"{"header":{"schema":"1"}}"#, r#""1""#),
        (r#"{"header":{"schema":1.0}}"#, "1.0"),
        (r#"{"header":{"tool":"x"}}"#, "missing"),
        (r#"{"header":7}"#, "missing"),
    ] {
        let expected = format!("line 1: schema version is {found}, this program reads 1");
        assert_eq!(with_line(1, line).to_string(), expected);
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_line() {
    for line in 1..=5 {
        let error = with_line(line, "passed: 3").to_string();
        assert_eq!(error, format!("line {line}, column 1: not JSON: expected value"));
    }
    let error = with_line(3, "").to_string();
    assert_eq!(error, "line 3, column 0: not JSON: EOF while parsing a value");
    let mut bytes = text(&sample::run()).into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    bytes[at] = 0xff;
    let error = read_run(bytes.as_slice()).unwrap_err().to_string();
    assert_eq!(error, "line 2, column 20: not JSON: invalid unicode code point");
}

#[test]
fn json_that_is_no_line_of_a_report_is_refused_with_its_line() {
    let unknown = with_change(2, r#""kind":"#, r#""sort":"#).to_string();
    assert!(unknown.starts_with("line 2, column 15: not a line of a report: unknown field `sort`"), "{unknown}");
    let twice = with_change(2, r#""kind":"#, r#""kind":"x","kind":"#).to_string();
    assert_eq!(twice, "line 2, column 26: not a line of a report: duplicate field `kind`");
    let number = with_change(3, r#""steps":"1200""#, r#""steps":1200"#);
    assert!(matches!(number, ReadError::NotALine { line: 3, .. }), "{number}");
    let outcome = with_change(4, r#"{"error":{"code""#, r#"{"fine":{"code""#);
    assert!(outcome.to_string().contains("unknown variant `fine`"), "{outcome}");
    let two_keys = with_change(5, r#"}}"#, r#"},"x":1}"#);
    assert!(matches!(two_keys, ReadError::NotALine { line: 5, .. } | ReadError::NotJson { line: 5, .. }), "{two_keys}");
    let other = with_line(3, r#"{"note":"hello"}"#).to_string();
    assert!(other.contains("line 3") && other.contains("unknown variant `note`"), "{other}");
    let no_object = with_line(1, "[1]").to_string();
    assert_eq!(no_object, "no header: line 1 is something else");
}

#[test]
fn lines_in_the_wrong_place_are_refused() {
    let whole = text(&sample::run());
    let lines: Vec<_> = whole.lines().collect();
    assert_eq!(with_line(3, lines[0]).to_string(), "line 3: a second header");
    for extra in [lines[4], lines[1], "", "x"] {
        assert_eq!(read(&format!("{whole}{extra}\n")).unwrap_err().to_string(), "line 6: a line after the footer");
    }
    assert_eq!(with_line(1, lines[4]).to_string(), "no header: line 1 is something else");
}

#[test]
fn the_rules_of_the_model_hold_for_what_is_read() {
    let whole = text(&sample::run());
    let lines: Vec<_> = whole.lines().collect();
    assert_eq!(with_line(4, lines[2]).to_string(), "line 4: case replay::crossing-flows has two results");
    let order = with_line(3, lines[3]).to_string();
    assert_eq!(order, "line 4: case replay::doorway has two results");
    let before = with_line(4, lines[1]).to_string();
    assert!(before.starts_with("line 4: case malformed::replay/steps-negative comes after replay::cross"), "{before}");
    let name = with_change(4, r#""name":"doorway""#, r#""name":"door way""#).to_string();
    assert!(name.starts_with(r#"line 4: case name "door way" is empty or has"#), "{name}");
    let shard = with_change(1, r#""shard":null"#, r#""shard":"3/2""#).to_string();
    assert!(shard.contains(r#"shard is "3/2", expected I/N"#), "{shard}");
    let digest = with_change(1, "0123456789abcdef", "0123456789ABCDEF").to_string();
    assert!(digest.starts_with("line 1: header field corpus.sha256 is"), "{digest}");
    let selected = with_change(1, r#""matched":3,"selected":3"#, r#""matched":2,"selected":2"#).to_string();
    assert_eq!(selected, "line 4: case replay::doorway is one more than the 2 cases that the header selects");
}

#[test]
fn carriage_returns_of_another_system_do_no_harm() {
    let text = text(&sample::run()).replace('\n', "\r\n");
    assert_eq!(read(&text).unwrap(), sample::run());
}

#[test]
fn input_that_fails_is_not_a_short_report() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let whole = text(&sample::run());
    let start = &whole.as_bytes()[..whole.len() / 2];
    let error = read_run(io::BufReader::new(io::Read::chain(start, Broken))).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the report: unplugged");
}

#[test]
fn a_passing_outcome_is_a_bare_word() {
    assert_eq!(serde_json::to_string(&Outcome::Pass).unwrap(), r#""pass""#);
}
