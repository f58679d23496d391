//! Corpus, cases, checks, outcomes: the determinism conformance harness as a library. The command `conform` and the test
//! target `corpus` are thin wrappers over it.
//!
//! 1. [`corpus`]: where the files are ([`CorpusSource`]: a folder, or the copy embedded in this crate), and which cases
//!    they make. Discovery looks at paths only.
//! 2. [`sidecar`]: what must come out of a case, as its author wrote it down.
//! 3. [`checks`]: one module per question that is put to a case; each gives a [`reports::Outcome`].
//! 4. [`runner`]: many checks at once, results in the order of the cases.
//! 5. [`observe`]: what comes out of a case now; `conform bless` writes it down.
//! 6. [`walk`]: every field of a file with its offset, for `conform inspect` and for messages.
//! 7. [`obj`]: the triangles of an OBJ file, for the mesh build.
//! 8. [`picture`]: the stages of a mesh build, drawn.
//!
//! Limits: a case's file is held in memory, and so is what its play gave (16 bytes a step) while its checks run.
//!
//! ```
//! use conform::{CheckOptions, Corpus, Embedded};
//!
//! let corpus = Corpus::new(Embedded);
//! for case in corpus.discover()? {
//!     for check in corpus.checks(&case, CheckOptions::default()) {
//!         assert!(check.name().starts_with(case.kind.name()));
//!     }
//! }
//! # Ok::<(), conform::CorpusError>(())
//! ```

mod built;
mod case;
pub mod checks;
pub mod corpus;
mod difference;
mod format;
pub mod obj;
pub mod observe;
pub mod picture;
mod recording;
pub mod runner;
pub mod sidecar;
pub mod walk;
mod words;

pub use built::{Built, build, figures_of};
pub use case::{Case, Check, Kind};
pub use checks::{CheckOptions, ErrorMode, PlannedCheck};
pub use corpus::{Corpus, CorpusError, CorpusSource, Embedded, Folder};
pub use difference::difference;
pub use format::{FileError, Format, read_file};
pub use recording::Recording;
pub use sidecar::{Expect, Sidecar, SidecarError};
pub use words::operation_in_words;
