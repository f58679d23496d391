//! What this crate refuses, as data with one wording each.
//!
//! [`ModelError`]: values that no report may hold, whoever made them. [`WriteError`]: those, or the output failed.
//! [`ReadError`]: those, or the file is not a whole report; it names the line, counted from 1.

use std::io;
use thiserror::Error;

/// A value that no report may hold. A case in a message is written `kind::name`, a check `kind::name::check`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// A field of the header is out of its range.
    #[error("header field {field} is {found}, expected {expected}")]
    Header {
        /// Path of the field inside the header.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it may hold.
        expected: &'static str,
    },
    /// A kind, case or check has a name that a test runner's filter, or the joined path, could not carry.
    #[error("{what} name {name:?} is empty or has white space, a control character, a bracket or `::`")]
    Name {
        /// `kind`, `case` or `check`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A case without a check: it would count as run, and nothing was looked at.
    #[error("case {case} has no check")]
    NoChecks {
        /// The case.
        case: String,
    },
    /// Two checks of a case share a name.
    #[error("case {case} has two checks named {check}")]
    DuplicateCheck {
        /// The case.
        case: String,
        /// The name they share.
        check: String,
    },
    /// A check failed without a code, or is not comparable without a reason.
    #[error("check {check} has an empty {what}")]
    Unexplained {
        /// The check.
        check: String,
        /// `code` or `reason`.
        what: &'static str,
    },
    /// Two results for one case.
    #[error("case {case} has two results")]
    DuplicateCase {
        /// The case.
        case: String,
    },
    /// A case that sorts before the one written last; cases go in order of kind, then name, by bytes.
    #[error("case {case} comes after {after}; cases go in order of kind, then name")]
    OutOfOrder {
        /// The case.
        case: String,
        /// The case before it.
        after: String,
    },
    /// More results than the header says were selected.
    #[error("case {case} is one more than the {selected} cases that the header selects")]
    TooManyCases {
        /// The first case too many.
        case: String,
        /// Cases that the header selects.
        selected: u32,
    },
}

/// Why a report could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The value breaks a rule of the model. Nothing of it was written.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The output refused the bytes. A part of a line may be out; such a file is not read back.
    #[error("cannot write the report: {0}")]
    Io(#[from] io::Error),
}

/// Why a file was not accepted as a report.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The input failed.
    #[error("cannot read the report: {0}")]
    Io(#[from] io::Error),
    /// The first line is not a header.
    #[error("no header: {found}")]
    NoHeader {
        /// What stands there instead.
        found: &'static str,
    },
    /// The header carries a schema version that this crate does not read.
    #[error("line 1: schema version is {found}, this program reads {supported}")]
    UnknownSchema {
        /// The version as JSON text; `missing` where there is none.
        found: String,
        /// [`SCHEMA`](crate::SCHEMA).
        supported: u32,
    },
    /// A line is not JSON.
    #[error("line {line}, column {column}: not JSON: {message}")]
    NotJson {
        /// Line, from 1.
        line: u64,
        /// Where the JSON reader stood, in bytes from 1; 0 before the first.
        column: usize,
        /// What the JSON reader said.
        message: String,
    },
    /// A line is JSON, but not a line of a report.
    #[error("line {line}, column {column}: not a line of a report: {message}")]
    NotALine {
        /// Line, from 1.
        line: u64,
        /// Where the JSON reader stood, in bytes from 1; 0 before the first.
        column: usize,
        /// What was wrong.
        message: String,
    },
    /// A header after the first line.
    #[error("line {line}: a second header")]
    SecondHeader {
        /// Line, from 1.
        line: u64,
    },
    /// Something after the footer.
    #[error("line {line}: a line after the footer")]
    AfterFooter {
        /// Line, from 1.
        line: u64,
    },
    /// The file ends, in a line or between two, before its footer: the run was stopped, and its result is not known.
    #[error("the run was cut short: the report ends at line {line} without a footer, after {cases} cases")]
    CutShort {
        /// The last line there is, from 1.
        line: u64,
        /// Whole cases before the end.
        cases: u32,
    },
    /// The footer says something other than the lines above it.
    #[error("line {line}: footer says {field} {stated}, the lines above say {counted}")]
    FooterDisagrees {
        /// Line, from 1.
        line: u64,
        /// The first field that differs.
        field: &'static str,
        /// Its value in the footer.
        stated: String,
        /// Its value counted from the lines.
        counted: String,
    },
    /// A line holds a value that no report may hold.
    #[error("line {line}: {source}")]
    Model {
        /// Line, from 1.
        line: u64,
        /// The rule it breaks.
        source: ModelError,
    },
}
