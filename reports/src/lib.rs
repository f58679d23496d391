//! The result of a conformance run: its model, and the files that carry it.
//!
//! A [`Run`] is a [`Header`] (who ran what, where), one [`CaseResult`] per case, and a [`Footer`] with the counts and the
//! [`Verdict`]. The crate knows no file format and no engine: a case is a kind and a name, a check is a name and an
//! [`Outcome`]. It reads no clock, starts no thread and opens no file; durations are passed in, bytes go to the caller's
//! writer.
//!
//! 1. [`header`], [`model`]: the values, and the rules that every report obeys ([`ModelError`] lists them)
//! 2. [`jsonl`]: the report of record, written case by case; a file that stops early is never read as a result
//! 3. [`junit`]: the same for CI systems
//! 4. [`mod@summary`]: the same for people
//!
//! Limits: counts are `u32`; sums of figures stop at `u64::MAX`; [`read_run`] holds a whole run in memory.
//!
//! ```
//! use reports::*;
//!
//! let header = Header {
//!     schema: SCHEMA,
//!     tool: Software::new("conform", "0.1.0"),
//!     spec: "1.0".into(),
//!     corpus: Corpus { sha256: "0".repeat(64), matched: 1, selected: 1 },
//!     implementation: Software::new("reference", "0.1.0"),
//!     platform: Platform::current("opt-level 1", 4),
//!     levels: vec![1, 2],
//!     filter: vec![],
//!     shard: None,
//! };
//! let mut case = CaseResult::new("replay", "crossing-flows");
//! case.push("hashes", Outcome::Pass, 12);
//!
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.write_case(&case)?;
//! let (bytes, footer) = writer.finish(15)?;
//! assert_eq!(footer.verdict, Verdict::Conforms);
//!
//! let run = read_run(bytes.as_slice())?;
//! assert_eq!(run.cases(), [case]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decimal;
mod error;
pub mod header;
pub mod jsonl;
pub mod junit;
pub mod model;
#[cfg(test)]
mod sample;
pub mod summary;

pub use error::{ModelError, ReadError, WriteError};
pub use header::{Corpus, Endianness, Header, Platform, SCHEMA, Shard, Software};
pub use jsonl::{Writer, read_run, write_run};
pub use junit::write_junit;
pub use model::{Attachment, CaseResult, CheckResult, Figures, Footer, Outcome, Run, Shortfall, Verdict};
pub use summary::{JOB_SUMMARY_LIMIT, summary, summary_within};
