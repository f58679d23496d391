//! The targets: which oracle, which seeds, which files of the corpus. One table, which the glue in `fuzz_targets`, the seeder
//! and `fuzz/run` read.

use std::borrow::Cow;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

use crate::input::{is_recipe, produce};
use crate::seeds::{self, Seed};
use crate::tree::Node;
use crate::verdict::{Finding, Verdict};
use crate::{grammar, memory, oracles};

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// Its name: of the binary, the corpus folder, and what libFuzzer is told.
    pub name: &'static str,
    /// The dictionary in `fuzz/dict`, without its ending.
    pub dictionary: &'static str,
    /// The longest input, bytes. (A recipe may make more of it.)
    pub max_len: usize,
    oracle: fn(&[u8]) -> Verdict,
    grammar: fn(&[u8]) -> Vec<Node>,
    seeds: LazyLock<Vec<Seed>>,
}

macro_rules! target {
    ($(#[doc = $doc:literal])+ $constant:ident, $name:literal, $dictionary:literal, $max_len:literal, $oracle:expr, $grammar:expr, $seeds:expr) => {
        $(#[doc = $doc])+
        pub static $constant: Target = Target {
            name: $name,
            dictionary: $dictionary,
            max_len: $max_len,
            oracle: $oracle,
            grammar: $grammar,
            seeds: LazyLock::new($seeds),
        };
    };
}

target!(
    /// The replay reader.
    REPLAY_READER, "replay_reader", "crowd", 8192, oracles::replay_reader, grammar::of_replay, seeds::replays
);
target!(
    /// The reader of operations.
    OPERATIONS, "operations", "crowd", 2048, oracles::operations, grammar::of_operations, seeds::operations
);
target!(
    /// The reader of live captures.
    LIVE_CAPTURE, "live_capture", "crowd", 8192, oracles::live_capture, grammar::of_live, seeds::lives
);
target!(
    /// The reader of setup blocks.
    SETUP, "setup", "crowd", 4096, oracles::setup, grammar::of_setup, seeds::setups
);
target!(
    /// The reader of build inputs.
    BUILD_INPUT, "build_input", "build", 4096, oracles::build_input, grammar::of_build, seeds::builds
);
target!(
    /// The nested readers: mesh snapshot, agent options, crowd state, crowd options.
    MESH_STATE, "mesh_state", "crowd", 4096, oracles::mesh_state, grammar::of_nested, seeds::nested
);

target!(
    /// Restoring and playing.
    PLAY, "play", "crowd", 8192, oracles::play, grammar::of_played, seeds::replays
);

/// Every target.
pub static TARGETS: [&Target; 7] =
    [&REPLAY_READER, &OPERATIONS, &LIVE_CAPTURE, &SETUP, &BUILD_INPUT, &MESH_STATE, &PLAY];

impl Target {
    /// The file that an input stands for: itself, or what its recipe makes.
    #[must_use]
    pub fn produce<'i>(&self, input: &'i [u8]) -> Cow<'i, [u8]> {
        produce(input, &self.seeds, self.grammar)
    }

    /// Holds the code to every property of this target on one input.
    ///
    /// # Errors
    /// The first property that does not hold.
    pub fn check(&self, input: &[u8]) -> Verdict {
        (self.oracle)(&self.produce(input))
    }

    /// What libFuzzer calls.
    ///
    /// # Panics
    /// Where a property does not hold.
    pub fn fuzz(&self, input: &[u8]) {
        memory::watch();
        if let Err(finding) = self.check(input) {
            panic!("{finding}");
        }
    }

    /// The built-in seeds, and a recipe for each of their lengths and counts at each of its limits.
    #[must_use]
    pub fn seeds(&self) -> Vec<Seed> {
        let mut seeds = self.seeds.clone();
        seeds.extend(seeds::claims(&self.seeds, self.grammar));
        seeds
    }

    /// Recipes that fill lists up to their limits, 16 MiB of operations among them: to be run once, not to be mutated.
    #[must_use]
    pub fn full_seeds(&self) -> Vec<Seed> {
        seeds::fills(&self.seeds, self.grammar)
    }

    #[cfg(test)]
    pub(crate) fn built_in(&self) -> &[Seed] {
        &self.seeds
    }

    /// How many numbers patches can change in a built-in seed.
    #[cfg(test)]
    pub(crate) fn count_fields(&self, seed: usize) -> usize {
        crate::tree::parts(&mut (self.grammar)(&self.seeds[seed].bytes)).numbers.len()
    }

    /// The seeds among a file of the corpus: it, or the parts of it that this target is about.
    #[must_use]
    pub fn seeds_of_file(&self, name: &str, bytes: &[u8]) -> Vec<Seed> {
        crate::seeds_of_files::of_file(self, name, bytes)
    }

    /// Checks files, or the built-in seeds where none are named, and prints what came out. Where a recipe found something, what it
    /// made is written beside it.
    pub fn replay(&self, files: impl Iterator<Item = OsString>) -> ExitCode {
        memory::watch();
        let files: Vec<OsString> = files.collect();
        let mut findings = 0;
        for file in &files {
            let path = Path::new(file);
            match std::fs::read(path) {
                Ok(input) => findings += usize::from(!self.report(&path.display().to_string(), &input, Some(path))),
                Err(error) => {
                    eprintln!("{}: {error}", path.display());
                    return ExitCode::from(2);
                }
            }
        }
        if files.is_empty() {
            for seed in self.seeds().into_iter().chain(self.full_seeds()) {
                findings += usize::from(!self.report(&seed.name, &seed.bytes, None));
            }
        }
        if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Checks one input, prints the verdict, and says whether everything held.
    fn report(&self, name: &str, input: &[u8], path: Option<&Path>) -> bool {
        let verdict = catch_unwind(AssertUnwindSafe(|| self.check(input)));
        let verdict = verdict.unwrap_or_else(|_| {
            Err(Finding { property: "never-panics", detail: "it panicked (see above)".to_owned() })
        });
        match verdict {
            Ok(outcome) => println!("{}: {name}: {outcome}", self.name),
            Err(finding) => {
                println!("{}: {name}: FOUND: {finding}", self.name);
                if let Some(path) = path.filter(|_| is_recipe(input)) {
                    let produced = path.with_extension("produced");
                    match std::fs::write(&produced, self.produce(input)) {
                        Ok(()) => println!("{}: {name}: what the recipe makes is {}", self.name, produced.display()),
                        Err(error) => eprintln!("{}: {error}", produced.display()),
                    }
                }
                return false;
            }
        }
        true
    }
}
