//! `SHA256SUMS`: the digests that guard the bytes of the corpus, in the ordinary format of `sha256sum`.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 of some bytes: 64 lower-case hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Path and digest of files. Prints itself as `sha256sum` does, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests {
    lines: BTreeMap<String, String>,
}

/// Why `SHA256SUMS` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DigestsError {
    /// It cannot be read.
    #[error("SHA256SUMS: {0}; `conform bless` writes it")]
    Unreadable(String),
    /// A line of it is wrong.
    #[error("SHA256SUMS, line {line}: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong.
        why: &'static str,
    },
}

impl Digests {
    /// Reads what `sha256sum` writes, in text or binary mode.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Digests, DigestsError> {
        let mut lines = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let (path, digest) = parse_line(line).map_err(|why| DigestsError::Line { line: number, why })?;
            if lines.insert(path.to_owned(), digest.to_owned()).is_some() {
                return Err(DigestsError::Line { line: number, why: "this path has a line already" });
            }
        }
        Ok(Digests { lines })
    }

    /// The digest of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.lines.get(path).map(String::as_str)
    }

    /// Sets the digest of a path.
    pub fn insert(&mut self, path: &str, digest: String) {
        self.lines.insert(path.to_owned(), digest);
    }

    /// Keeps only the paths that `keep` wants.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.lines.retain(|path, _| keep(path));
    }

    /// Path and digest, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().map(|(path, digest)| (path.as_str(), digest.as_str()))
    }
}

impl fmt::Display for Digests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(path, digest)| writeln!(f, "{digest}  {path}"))
    }
}

fn parse_line(line: &str) -> Result<(&str, &str), &'static str> {
    let shape = "it must be 64 lower-case hexadecimal digits, two spaces, and a path";
    let (digest, rest) = line.split_at_checked(64).ok_or(shape)?;
    if !digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(shape);
    }
    let path = rest.strip_prefix("  ").or_else(|| rest.strip_prefix(" *")).ok_or(shape)?;
    let part_is_odd = |part: &str| part.is_empty() || part == "." || part == "..";
    if path.contains('\\') || path.split('/').any(part_is_odd) {
        return Err("the path must be relative to the corpus, joined with `/`, without `.` and `..`");
    }
    Ok((path, digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn it_reads_and_writes_what_sha256sum_writes() {
        let text = format!("{EMPTY}  replays/a b.oprp\n{}  setups/c.oprs\n", sha256(b"abc"));
        let digests = Digests::parse(&text).unwrap();
        assert_eq!(digests.get("replays/a b.oprp"), Some(EMPTY));
        assert_eq!(digests.get("setups/c.oprs").unwrap().get(..8), Some("ba7816bf"));
        assert_eq!(digests.to_string(), text);
        assert_eq!(Digests::parse(&text.replace("  ", " *")).unwrap(), digests);
    }

    #[test]
    fn it_says_which_line_is_wrong() {
        let good = format!("{EMPTY}  a\n");
        for bad in [
            "",
            "# comment",
            &format!("{EMPTY} a"),
            &format!("{EMPTY}  "),
            &format!("{EMPTY}  ../a"),
            &format!("{EMPTY}  /a"),
            &format!("{EMPTY}  a\\b"),
            &format!("{EMPTY}  a"),
            &format!("{}  b", EMPTY.to_uppercase()),
            &format!("{}é  b", &EMPTY[..63]),
        ] {
            let error = Digests::parse(&format!("{good}{bad}\n")).unwrap_err();
            assert!(error.to_string().starts_with("SHA256SUMS, line 2: "), "{bad:?}: {error}");
        }
        assert_eq!(Digests::parse("").unwrap(), Digests::default());
    }
}
