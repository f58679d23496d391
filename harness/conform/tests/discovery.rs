//! Discovery reads nothing, and a check that panics is an outcome.

mod support;

use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use conform::{Check, CheckOptions, Corpus, CorpusError, CorpusSource, Folder, runner};
use reports::Outcome;

/// A corpus that counts how often a file is read.
#[derive(Debug)]
struct Counting {
    folder: Folder,
    reads: Arc<AtomicUsize>,
}

impl CorpusSource for Counting {
    fn describe(&self) -> String {
        self.folder.describe()
    }

    fn paths(&self) -> Result<Vec<String>, CorpusError> {
        self.folder.paths()
    }

    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.folder.read(path)
    }
}

#[test]
fn nothing_is_read_before_a_check_runs() {
    let (_folder, root) = support::small_corpus();
    let reads = Arc::new(AtomicUsize::new(0));
    let corpus = Corpus::new(Counting { folder: Folder::open(root).unwrap(), reads: Arc::clone(&reads) });
    let cases = corpus.discover().unwrap();
    let checks: Vec<_> = cases.iter().flat_map(|case| corpus.checks(case, CheckOptions::default())).collect();
    assert_eq!(checks.len(), 43);
    assert!(checks.iter().all(|check| !check.name().is_empty()));
    assert_eq!(reads.load(Ordering::SeqCst), 0);
    // The checks of a case read its file once, its sidecar once, and all cases together read SHA256SUMS once.
    for check in checks.iter().filter(|check| check.case().name == "small" && check.check() != Check::Scenario) {
        assert_eq!(runner::run_one(check).0, Outcome::Pass, "{}", check.name());
    }
    assert_eq!(reads.load(Ordering::SeqCst), 3);
}

/// A corpus whose files cannot even be asked for.
#[derive(Debug)]
struct Panicking;

impl CorpusSource for Panicking {
    fn describe(&self) -> String {
        "a trap".into()
    }

    fn paths(&self) -> Result<Vec<String>, CorpusError> {
        Ok(vec!["builds/a.opbi".into(), "builds/a.toml".into(), "builds/b.opbi".into(), "builds/b.toml".into()])
    }

    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>> {
        panic!("no {path} for you");
    }
}

#[test]
fn a_panic_is_an_outcome_and_the_run_goes_on() {
    let corpus = Corpus::new(Panicking);
    let cases = corpus.discover().unwrap();
    let checks = cases.iter().map(|case| corpus.checks(case, CheckOptions::default())).collect();
    let results = Mutex::new(Vec::new());
    runner::run(checks, 3, |_, _| {}, |case| results.lock().unwrap().push(case));
    let results = results.into_inner().unwrap();
    assert_eq!(results.iter().map(|case| case.path()).collect::<Vec<_>>(), ["build::a", "build::b", "corpus::whole"]);
    let Outcome::Error { code, message } = &results[0].checks[0].outcome else { panic!("{results:?}") };
    assert_eq!(code, "panic");
    assert!(message.starts_with("panic at ") && message.ends_with(": no builds/a.toml for you"), "{message}");
}
