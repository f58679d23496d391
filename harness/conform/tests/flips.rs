//! No byte of a recording can change unnoticed: with SHA256SUMS sealed anew, a flip in any field turns the run red, and the
//! message says what and where.

mod support;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

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

/// Flips a sample of bytes of a case, and gives the fields where nothing was noticed.
fn unnoticed(folder: &Folder, case: &Case) -> Vec<String> {
    let corpus = Corpus::new(folder.clone());
    let bytes = corpus.read(&case.file.as_ref().expect("a file").0).expect("its bytes");
    let mut unnoticed = Vec::new();
    for (offset, path) in sample(case, &bytes) {
        match red(folder, case, &bytes, offset) {
            None => unnoticed.push(path),
            // What and where: a check's name, then a field with its offset, a step, or a value that differs.
            Some(message) => {
                let places = ["byte ", "step ", "step_count", "options.", "the snapshot", "the state hash"];
                assert!(places.iter().any(|place| message.contains(place)), "{path} at {offset}: {message}");
            }
        }
    }
    unnoticed
}

#[test]
fn a_small_corpus_notices_all_that_matters() {
    let (_kept, root) = support::small_corpus();
    let folder = Folder::open(root).unwrap();
    let cases = Corpus::new(folder.clone()).discover().unwrap();
    let find = |kind| cases.iter().find(|case| case.kind == kind).unwrap();
    // A height above the surface, and a low bit of it: the agent comes to stand at the same point of the mesh. Only the
    // scenario that recorded a file can tell, and these have none. Nor does anything depend on the operation after the
    // capture's last step, or on the time step of a setup block after which no step comes.
    let unseen =
        |path: &String| path.ends_with("position.y") || path.starts_with("records[6].operation") || path == "dt";
    for kind in [Kind::Replay, Kind::Live, Kind::Setup] {
        let left: Vec<String> = unnoticed(&folder, find(kind)).into_iter().filter(|path| !unseen(path)).collect();
        assert!(left.is_empty(), "{kind:?}: {left:#?}");
    }
}

/// Every replay of the corpus that has a scenario and is short enough to be played a few hundred times.
#[test]
fn the_corpus_notices_everything() {
    const BYTES: usize = 20_000;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folder = Folder::open(root).unwrap();
    let corpus = Corpus::new(folder.clone());
    let mut flipped = 0;
    for case in corpus.discover().unwrap().iter().filter(|case| matches!(case.kind, Kind::Replay | Kind::Live)) {
        let context = corpus.context(case);
        if context
            .sidecar()
            .is_ok_and(|sidecar| sidecar.scenario.is_some() && sidecar.tags.iter().any(|tag| tag == "short"))
            && context.bytes().is_ok_and(|bytes| bytes.len() < BYTES)
        {
            let left = unnoticed(&folder, case);
            assert!(left.is_empty(), "{case}: {left:#?}");
            flipped += 1;
        }
    }
    assert!(flipped > 0, "no short replay with a scenario");
}
