//! No byte of a recording can change unnoticed: with SHA256SUMS sealed anew, a flip in any field turns the run red, and the
//! message says what and where.

mod support;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use conform::corpus::{DIGESTS, Digests, sha256};
use conform::{Case, CheckOptions, Corpus, CorpusError, CorpusSource, Folder, Kind, runner, walk};
use reports::Outcome;

/// A corpus in which one file has other bytes, and the digests say that this is right.
#[derive(Debug)]
struct Flipped {
    folder: Folder,
    path: String,
    bytes: Vec<u8>,
}

impl CorpusSource for Flipped {
    fn describe(&self) -> String {
        format!("{} with another {}", self.folder.describe(), self.path)
    }

    fn paths(&self) -> Result<Vec<String>, CorpusError> {
        self.folder.paths()
    }

    fn read(&self, path: &str) -> io::Result<Cow<'static, [u8]>> {
        if path == self.path {
            return Ok(Cow::Owned(self.bytes.clone()));
        }
        let bytes = self.folder.read(path)?;
        if path != DIGESTS {
            return Ok(bytes);
        }
        let mut digests = Digests::parse(&String::from_utf8_lossy(&bytes)).map_err(io::Error::other)?;
        digests.insert(&self.path, sha256(&self.bytes));
        Ok(Cow::Owned(digests.to_string().into_bytes()))
    }
}

/// Path of a field without its numbers: fields that are read by the same code.
fn shape(path: &str) -> String {
    path.split('[').map(|part| part.rsplit_once(']').map_or(part, |(_, rest)| rest)).collect::<Vec<_>>().join("[]")
}

/// A few fields of each shape (the first, one in the middle, the last), and a byte of each: its offset and the field's path.
fn sample(case: &Case, bytes: &[u8]) -> Vec<(u64, String)> {
    let (_, format) = case.fitting_file().expect("a file");
    let mut shapes: BTreeMap<String, Vec<(u64, u64, String)>> = BTreeMap::new();
    walk::walk(format, bytes, |field| {
        let path = field.path.to_string();
        shapes.entry(shape(&path)).or_default().push((field.offset, field.value.length(), path));
        ControlFlow::Continue(())
    });
    let mut turn = 0;
    let mut chosen = Vec::new();
    for fields in shapes.into_values() {
        for index in std::collections::BTreeSet::from([0, fields.len() / 2, fields.len() - 1]) {
            let (offset, length, path) = &fields[index];
            // Another byte of the field each time, so that low and high ones take their turns.
            turn += 1;
            chosen.push((offset + turn % length, path.clone()));
        }
    }
    chosen
}

/// What the first check that is not green says about the case with this byte flipped.
fn red(folder: &Folder, case: &Case, bytes: &[u8], offset: u64) -> Option<String> {
    let (path, _) = case.fitting_file().expect("a file");
    let mut flipped = bytes.to_vec();
    flipped[usize::try_from(offset).expect("in memory")] ^= 0x11;
    let corpus = Corpus::new(Flipped { folder: folder.clone(), path: path.into(), bytes: flipped });
    corpus.checks(case, CheckOptions::default()).iter().find_map(|check| match runner::run_one(check).0 {
        Outcome::Pass | Outcome::NotComparable { .. } => None,
        Outcome::Fail { code, message, .. } => Some(format!("{} ({code}): {message}", check.name())),
        Outcome::Error { code, message } => panic!("{}, byte {offset}: {code}: {message}", check.name()),
    })
}

/// Flips a sample of bytes of each case, and gives the fields where nothing was noticed.
fn unnoticed(folder: &Folder, cases: &[Case]) -> Vec<String> {
    let corpus = Corpus::new(folder.clone());
    let mut flips = Vec::new();
    for case in cases {
        let bytes = corpus.read(&case.file.as_ref().expect("a file").0).expect("its bytes");
        flips.extend(sample(case, &bytes).into_iter().map(|(offset, path)| (case, bytes.clone(), offset, path)));
    }
    let (next, unnoticed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((case, bytes, offset, path)) = flips.get(next.fetch_add(1, Ordering::Relaxed)) {
            match red(folder, case, bytes, *offset) {
                None => unnoticed.lock().expect("a lock").push(format!("{case}: {path}")),
                // What and where: a check's name, then a field with its offset, a step, or a value that differs.
                Some(message) => {
                    let places = [
                        "byte ",
                        "step ",
                        "step_count",
                        "options.",
                        "the snapshot",
                        "the state hash",
                        "the final hash",
                    ];
                    assert!(
                        places.iter().any(|place| message.contains(place)),
                        "{case}, {path} at {offset}: {message}"
                    );
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    unnoticed.into_inner().expect("a lock")
}

#[test]
fn a_small_corpus_notices_all_that_matters() {
    let (_kept, root) = support::small_corpus();
    let folder = Folder::open(root).unwrap();
    let mut cases = Corpus::new(folder.clone()).discover().unwrap();
    cases.retain(|case| matches!(case.kind, Kind::Replay | Kind::Live | Kind::Setup));
    // A height above the surface, and a low bit of it: the agent comes to stand at the same point of the mesh. Only the
    // scenario that recorded a file can tell, and these have none. Nor does anything depend on the operation after the
    // capture's last step, or on the time step of a setup block after which no step comes.
    let unseen = |field: &String| {
        field.ends_with("position.y")
            || field.starts_with("live::late: records[6].operation")
            || field == "setup::end: dt"
    };
    let left: Vec<String> = unnoticed(&folder, &cases).into_iter().filter(|field| !unseen(field)).collect();
    assert!(left.is_empty(), "{left:#?}");
}

/// The recordings of the corpus that are cheap enough to be played many times, and the one with every kind of operation.
#[test]
fn the_corpus_notices_everything() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folder = Folder::open(root).unwrap();
    let corpus = Corpus::new(folder.clone());
    let mut cases = corpus.discover().unwrap();
    cases.retain(|case| {
        let cheap = |tags: &[String]| tags.iter().any(|tag| tag == "short") || case.name == "every-operation";
        matches!(case.kind, Kind::Replay | Kind::Live)
            && corpus.context(case).sidecar().is_ok_and(|sidecar| sidecar.scenario.is_some() && cheap(&sidecar.tags))
    });
    assert!(cases.len() > 3, "there are some");
    let left = unnoticed(&folder, &cases);
    assert!(left.is_empty(), "{left:#?}");
}
