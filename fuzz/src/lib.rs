//! Fuzz targets for every reader of `replay-format`, and for restoring and playing what the readers accept.
//!
//! * [`oracles`]: what must hold of any input, one property a file. [`Verdict`] is what they give.
//! * [`input`]: an input is a file as it is, or a recipe: a built-in seed and patches that put lengths and counts at their
//!   limits while everything around them agrees.
//! * [`Target`]: the table of targets. `fuzz_targets/` has a few lines of glue for each.
//!
//! Under `cfg(fuzzing)` the binaries are libFuzzer's; otherwise they replay files, so everything builds and runs on stable, and a
//! find is looked at without cargo-fuzz.
//!
//! ```
//! use crowd_fuzz::{Outcome, REPLAY_READER};
//!
//! let verdict = REPLAY_READER.check(b"OPRP\x01\x01\0\0\xff\xff\xff\xff");
//! assert!(matches!(verdict, Ok(Outcome::Refused(error)) if error.offset() == Some(8)));
//! ```

mod context;
mod grammar;
pub mod input;
mod memory;
pub mod oracles;
mod patch;
mod seeds;
mod seeds_of_files;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod verdict;

pub use memory::watch;
pub use seeds::Seed;
pub use target::{BUILD_INPUT, LIVE_CAPTURE, MESH_STATE, OPERATIONS, PLAY, REPLAY_READER, SETUP, TARGETS, Target};
pub use verdict::{Finding, Outcome, Verdict};
