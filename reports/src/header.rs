//! Who ran what, where: the first line of every report.
//!
//! Two runs can be compared when their `spec` and `corpus.sha256` agree; everything else here is what they may differ in.

use crate::{ModelError, decimal};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Version of the report format that this crate writes, and the only one it reads.
pub const SCHEMA: u32 = 1;

/// What a run was set up to do. Known before the first case starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the report format: [`SCHEMA`].
    pub schema: u32,
    /// The program that ran the cases.
    pub tool: Software,
    /// Version of the specification that the cases test, such as `1.0`. Not empty.
    pub spec: String,
    /// The corpus, and how much of it this run takes.
    pub corpus: Corpus,
    /// What was tested.
    pub implementation: Software,
    /// Where it ran.
    pub platform: Platform,
    /// Conformance levels asked for: at least one, ascending.
    pub levels: Vec<u8>,
    /// Filters as given by the user; empty where there was none.
    pub filter: Vec<String>,
    /// The part of the matching cases that this run takes; `None` for all.
    pub shard: Option<Shard>,
}

/// A name and a version of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Software {
    /// Name, not empty.
    pub name: String,
    /// Version in the program's own notation; empty where it tells none.
    pub version: String,
}

impl Software {
    /// Both fields at once.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into() }
    }
}

/// Which cases there were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// SHA-256 over the corpus, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Cases that levels and filter let through, before sharding.
    pub matched: u32,
    /// Cases that this run takes: `matched` without a shard, at most `matched` with one.
    pub selected: u32,
}

/// Where the implementation ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// Operating system, as in [`std::env::consts::OS`].
    pub os: String,
    /// Target triple, or the architecture where the triple is not known.
    pub target: String,
    /// Byte order.
    pub endianness: Endianness,
    /// Bits of a pointer: 16, 32 or 64.
    pub pointer_width: u32,
    /// How it was compiled, in words: profile, optimisation level, options that could matter.
    pub profile: String,
    /// Most threads that a case may use, from 1; 1 where the platform has none.
    pub threads: u32,
}

impl Platform {
    /// The platform that this crate was compiled for. It cannot see the build's profile, nor how many threads a case may use.
    pub fn current(profile: impl Into<String>, threads: u32) -> Self {
        Self {
            os: std::env::consts::OS.into(),
            target: std::env::consts::ARCH.into(),
            endianness: if cfg!(target_endian = "big") { Endianness::Big } else { Endianness::Little },
            pointer_width: usize::BITS,
            profile: profile.into(),
            threads,
        }
    }
}

/// Byte order of a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Endianness {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// Part `index` of `of` equal parts of the matching cases; written `2/5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// `None` unless `1 <= index <= of`.
    pub fn new(index: u32, of: u32) -> Option<Self> {
        if (1..=of).contains(&index) { Some(Self { index, of }) } else { None }
    }

    /// Which part, from 1 to [`of`](Self::of).
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many parts, from 1.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let part = |digits| decimal::parse(digits).and_then(|value| u32::try_from(value).ok());
        text.split_once('/')
            .and_then(|(index, of)| Shard::new(part(index)?, part(of)?))
            .ok_or_else(|| out_of_range("shard", format!("{text:?}"), "I/N with 1 <= I <= N"))
    }
}

impl TryFrom<String> for Shard {
    type Error = ModelError;

    fn try_from(text: String) -> Result<Self, ModelError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

/// Checks the ranges that the fields' docs state, in the order of the fields.
pub(crate) fn check_header(header: &Header) -> Result<(), ModelError> {
    let Header { schema, tool, spec, corpus, implementation, platform, levels, filter: _, shard } = header;
    if *schema != SCHEMA {
        return Err(out_of_range("schema", schema.to_string(), "the version that this program writes"));
    }
    for (field, text) in [("tool.name", &tool.name), ("spec", spec)] {
        check_text(field, text)?;
    }
    if corpus.sha256.len() != 64 || !corpus.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        let expected = "64 lower-case hexadecimal digits";
        return Err(out_of_range("corpus.sha256", format!("{:?}", corpus.sha256), expected));
    }
    if corpus.selected > corpus.matched || (shard.is_none() && corpus.selected != corpus.matched) {
        let expected = if shard.is_some() { "at most corpus.matched" } else { "corpus.matched, as there is no shard" };
        return Err(out_of_range("corpus.selected", corpus.selected.to_string(), expected));
    }
    for (field, text) in [
        ("implementation.name", &implementation.name),
        ("platform.os", &platform.os),
        ("platform.target", &platform.target),
        ("platform.profile", &platform.profile),
    ] {
        check_text(field, text)?;
    }
    if !matches!(platform.pointer_width, 16 | 32 | 64) {
        return Err(out_of_range("platform.pointer_width", platform.pointer_width.to_string(), "16, 32 or 64"));
    }
    if platform.threads == 0 {
        return Err(out_of_range("platform.threads", "0".into(), "at least 1"));
    }
    if levels.is_empty() || !levels.is_sorted_by(|a, b| a < b) {
        return Err(out_of_range("levels", format!("{levels:?}"), "at least one, ascending, each once"));
    }
    Ok(())
}

fn check_text(field: &'static str, text: &str) -> Result<(), ModelError> {
    if text.trim().is_empty() { Err(out_of_range(field, format!("{text:?}"), "a text")) } else { Ok(()) }
}

fn out_of_range(field: &'static str, found: String, expected: &'static str) -> ModelError {
    ModelError::Header { field, found, expected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn every_range_is_checked() {
        type Change = fn(&mut Header);
        let faults: [(&str, Change); 15] = [
            ("schema", |h| h.schema = 2),
            ("tool.name", |h| h.tool.name.clear()),
            ("spec", |h| h.spec = " ".into()),
            ("corpus.sha256", |h| h.corpus.sha256 = "A".repeat(64)),
            ("corpus.sha256", |h| h.corpus.sha256 = "a".repeat(63)),
            ("corpus.selected", |h| h.corpus.selected -= 1),
            ("corpus.selected", |h| (h.corpus.selected, h.shard) = (h.corpus.matched + 1, Shard::new(1, 1))),
            ("implementation.name", |h| h.implementation.name.clear()),
            ("platform.os", |h| h.platform.os.clear()),
            ("platform.target", |h| h.platform.target = "\n".into()),
            ("platform.profile", |h| h.platform.profile.clear()),
            ("platform.pointer_width", |h| h.platform.pointer_width = 65),
            ("platform.threads", |h| h.platform.threads = 0),
            ("levels", |h| h.levels.clear()),
            ("levels", |h| h.levels = vec![2, 2]),
        ];
        assert_eq!(check_header(&sample::header(3)), Ok(()));
        for (expected, change) in faults {
            let mut header = sample::header(3);
            change(&mut header);
            match check_header(&header) {
                Err(ModelError::Header { field, .. }) => assert_eq!(field, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_shard_may_take_fewer_cases_than_match() {
        let mut header = sample::header(3);
        (header.corpus.selected, header.shard) = (0, Shard::new(4, 4));
        assert_eq!(check_header(&header), Ok(()));
    }

    #[test]
    fn shards_are_read_in_one_spelling() {
        for text in ["1/1", "2/5", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "/", "0/1", "2/1", "0/0", "+1/2", "01/2", "1/2/3", "1 /2", "1/4294967296"] {
            assert!(text.parse::<Shard>().is_err(), "{text:?}");
        }
        let shard = Shard::new(2, 5).unwrap();
        assert_eq!((shard.index(), shard.of()), (2, 5));
    }

    #[test]
    fn the_current_platform_is_in_range() {
        let mut header = sample::header(1);
        header.platform = Platform::current("opt-level 3", 2);
        assert_eq!(check_header(&header), Ok(()));
        assert_eq!((header.platform.profile.as_str(), header.platform.threads), ("opt-level 3", 2));
        assert_eq!(header.platform.endianness == Endianness::Big, 1u16.to_be_bytes() == 1u16.to_ne_bytes());
    }
}
