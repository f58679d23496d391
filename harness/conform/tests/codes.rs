//! Every error code is raised by a malformed file of the corpus, and really so.

use std::collections::BTreeSet;
use std::path::Path;

use conform::{CheckOptions, Corpus, Expect, Folder, Kind, runner};
use replay_format::{Code, LiveCapture, LiveRecord, Operation, Stage};
use reports::Outcome;

/// Codes that no small file can raise. Each is raised by a test below instead.
const LARGE: &[Code] = &[
    // Takes 16 MiB of operations between two steps of a live capture.
    Code::OperationsOverLimit,
];

#[test]
fn every_code_has_a_case_that_raises_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let corpus = Corpus::new(Folder::open(root).unwrap());
    let mut raised = BTreeSet::new();
    for case in corpus.discover().unwrap().into_iter().filter(|case| case.kind == Kind::Malformed) {
        let context = corpus.context(&case);
        let Ok(sidecar) = context.sidecar() else { continue };
        let Expect::Malformed(expect) = &sidecar.expect else { continue };
        let checks = corpus.checks(&case, CheckOptions::default());
        let error = checks.iter().find(|check| check.check() == conform::Check::Error);
        if error.is_some_and(|check| runner::run_one(check).0 == Outcome::Pass) {
            raised.insert(expect.code);
        }
    }
    let missing: Vec<&Code> = Code::ALL.iter().filter(|code| !raised.contains(code) && !LARGE.contains(code)).collect();
    assert!(missing.is_empty(), "no malformed case raises {missing:?}");
    let needless: Vec<&Code> = LARGE.iter().filter(|code| raised.contains(code)).collect();
    assert!(needless.is_empty(), "a case raises {needless:?}; take them from the lists");
}

#[test]
fn operations_over_limit() {
    let head = smallest_setup();
    let mut operation = Vec::new();
    LiveRecord::Operation(Operation::Stop { agent: 1 }).write(&mut operation);
    // Nine bytes each, without the record's kind byte.
    let fitting = usize::try_from(replay_format::limits::OPERATIONS_MAX).unwrap() / 9;
    let mut bytes = head.clone();
    bytes.extend(operation.repeat(fitting));
    assert!(LiveCapture::read(&bytes).is_ok());
    let offset = bytes.len();
    bytes.extend(&operation);
    let error = LiveCapture::read(&bytes).unwrap_err();
    assert_eq!((error.code(), error.stage()), (Code::OperationsOverLimit, Stage::Read));
    assert_eq!(error.offset(), Some(u64::try_from(offset).unwrap()));
    assert_eq!(error.path(), format!("records[{fitting}]"));
}

/// A setup block whose nested blocks are empty; the outer readers do not mind.
fn smallest_setup() -> Vec<u8> {
    let mut bytes = b"OPRS\x01\x01\0\0".to_vec();
    bytes.extend(1.0_f64.to_le_bytes());
    bytes.extend([0; 8 + 25 + 4 + 4]);
    bytes
}
