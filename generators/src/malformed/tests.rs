use std::collections::BTreeSet;
use std::path::Path;

use replay_format::Code;

use super::case::FileKind;
use super::{bases, catalogue, compare_malformed, refusal, write_malformed};

#[test]
fn the_base_files_are_accepted_at_every_stage() {
    for (kind, layout) in [
        (FileKind::Setup, bases::setup()),
        (FileKind::Replay, bases::replay()),
        (FileKind::Live, bases::live()),
        (FileKind::Mesh, bases::mesh()),
        (FileKind::Build, bases::build()),
    ] {
        assert_eq!(refusal(kind, layout.bytes()), None, "{kind:?}");
    }
}

#[test]
fn every_case_gives_exactly_its_error() {
    let mut wrong = Vec::new();
    for case in catalogue() {
        let expect = &case.expect;
        let expected = (expect.stage, expect.code, expect.offset, expect.field.as_str());
        match refusal(case.kind, &case.bytes) {
            None => wrong.push(format!("{}: accepted, expected {expected:?}", case.path())),
            Some(error) if (error.stage(), error.code(), error.offset(), error.path()) == expected => {}
            Some(error) => wrong.push(format!("{}: {error}; expected {expected:?}", case.path())),
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_are_unique_and_plain() {
    let mut seen = BTreeSet::new();
    for case in catalogue() {
        assert!(seen.insert(case.path()), "{} is there twice", case.path());
        assert!(case.name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", case.name);
        assert!(case.bytes.len() < 2048, "{} has {} bytes", case.path(), case.bytes.len());
        assert!(!case.title.is_empty() && !case.clauses.is_empty(), "{}", case.path());
    }
    assert!(seen.len() >= 110, "{} cases", seen.len());
}

#[test]
fn no_two_cases_are_the_same_file() {
    let mut seen = BTreeSet::new();
    for case in catalogue() {
        assert!(seen.insert((case.kind, case.bytes.clone())), "{} has the bytes of another case", case.path());
    }
}

#[test]
fn every_code_is_raised() {
    /// Codes that no small file can raise: it takes 16 MiB of operations.
    const NOT_HERE: [Code; 1] = [Code::OperationsOverLimit];
    let raised: BTreeSet<Code> = catalogue().iter().map(|case| case.expect.code).collect();
    for &code in Code::ALL {
        assert_ne!(raised.contains(&code), NOT_HERE.contains(&code), "{code}");
    }
}

#[test]
fn the_corpus_is_what_the_catalogue_says() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let differences = compare_malformed(&corpus).expect("the corpus can be read");
    assert!(differences.is_empty(), "`just corpus` writes them anew:\n{}", differences.join("\n"));
}

#[test]
fn what_differs_from_the_catalogue_is_named_and_written_anew() {
    let corpus = tempfile::tempdir().expect("a folder");
    let differences = || compare_malformed(corpus.path()).expect("it can be read");
    assert_eq!(write_malformed(corpus.path()).expect("it can be written"), catalogue().len());
    assert_eq!(differences(), [""; 0]);
    let folder = corpus.path().join("malformed/setup");
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it can be written");
    put("dt-nan.oprs", "else");
    std::fs::remove_file(folder.join("dt-zero.toml")).expect("it is there");
    put("gone.toml", "tags = ['catalogue']");
    put("gone.oprs", "");
    put("by-hand.toml", "tags = ['fuzzing']");
    let expected = [
        "malformed/setup/dt-nan.oprs is not what the catalogue says",
        "malformed/setup/dt-zero.toml is missing",
        "malformed/setup/gone is not in the catalogue any more",
    ];
    assert_eq!(differences(), expected);
    write_malformed(corpus.path()).expect("it can be written");
    assert_eq!(differences(), [""; 0]);
    assert!(folder.join("by-hand.toml").exists() && !folder.join("gone.oprs").exists());
}

#[test]
fn clauses_exist() {
    let spec = include_str!("../../../harness/format/SPEC.md");
    for case in catalogue() {
        for clause in &case.clauses {
            assert!(spec.contains(&format!("[{clause}]")), "{}: SPEC.md has no [{clause}]", case.path());
        }
    }
}

/// Operations after a capture's last step record are kept, but not applied: a wrong one among them is no error.
#[test]
fn operations_after_the_last_step_are_not_applied() {
    let unknown = [bases::operation_record(&bases::remove(4))];
    let capture = bases::live_of(&bases::Parts::default().setup(), &unknown);
    assert_eq!(refusal(FileKind::Live, capture.bytes()), None);
}
