//! The catalogue as files of the corpus: written, and compared with what stands there.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::{FileKind, MalformedCase, catalogue, refusal};

/// The tag of the cases that this catalogue writes. A malformed file without it was put there by a person.
pub const CATALOGUE_TAG: &str = "catalogue";

/// Writes the catalogue into `corpus/malformed` of the corpus folder `corpus`, and removes what it no longer has.
///
/// # Errors
/// Where a file cannot be read, written or removed.
pub fn write_malformed(corpus: &Path) -> io::Result<usize> {
    let cases = catalogue();
    for case in &cases {
        fs::create_dir_all(corpus.join("malformed").join(case.kind.folder()))?;
        write_changed(&corpus.join(case.path()), &case.bytes)?;
        write_changed(&corpus.join(case.sidecar_path()), sidecar(case).as_bytes())?;
    }
    for stem in stale(corpus, &cases)? {
        for file in [format!("{stem}.toml"), file_of(&stem)] {
            match fs::remove_file(corpus.join(file)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(cases.len())
}

/// What differs between the catalogue and the files in the corpus folder `corpus`, a line each.
///
/// # Errors
/// Where a file cannot be read.
pub fn compare_malformed(corpus: &Path) -> io::Result<Vec<String>> {
    let cases = catalogue();
    let mut differences = Vec::new();
    for case in &cases {
        for (path, wanted) in [(case.path(), case.bytes.clone()), (case.sidecar_path(), sidecar(case).into_bytes())] {
            match fs::read(corpus.join(&path)) {
                Ok(found) if found == wanted => {}
                Ok(_) => differences.push(format!("{path} is not what the catalogue says")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => differences.push(format!("{path} is missing")),
                Err(error) => return Err(error),
            }
        }
    }
    differences.extend(stale(corpus, &cases)?.iter().map(|stem| format!("{stem} is not in the catalogue any more")));
    Ok(differences)
}

/// The sidecar of a case.
#[must_use]
pub fn sidecar(case: &MalformedCase) -> String {
    let list = |items: &[String]| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "title = {}\nclauses = [{}]\ntags = [{}]\n\n[expect]\nstage = \"{}\"\ncode = \"{}\"\n",
        quoted(&case.title),
        list(&case.clauses),
        list(&case.tags),
        case.expect.stage,
        case.expect.code,
    );
    let mut line = |name: &str, value: String| {
        let written = writeln!(text, "{name} = {value}");
        debug_assert!(written.is_ok(), "a string takes everything");
    };
    if let Some(offset) = case.expect.offset {
        line("offset", offset.to_string());
    }
    line("field", quoted(&case.expect.field));
    if let Some(error) = refusal(case.kind, &case.bytes) {
        line("message", quoted(&error.to_string()));
    }
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Leaves a file alone that is as it should be, so that nothing is built anew for it.
fn write_changed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == bytes) { Ok(()) } else { fs::write(path, bytes) }
}

/// The cases in the corpus folder that have the catalogue's tag and are not in it: their paths without an ending.
fn stale(corpus: &Path, cases: &[MalformedCase]) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for kind in FileKind::ALL {
        let folder = format!("malformed/{}", kind.folder());
        let entries = match fs::read_dir(corpus.join(&folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other?,
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".toml") else { continue };
            let is_ours = fs::read_to_string(corpus.join(&folder).join(&name))?
                .parse::<toml::Table>()
                .is_ok_and(|sidecar| has_tag(&sidecar));
            if is_ours && !cases.iter().any(|case| case.kind == kind && case.name == stem) {
                found.push(format!("{folder}/{stem}"));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn has_tag(sidecar: &toml::Table) -> bool {
    let tags = sidecar.get("tags").and_then(toml::Value::as_array);
    tags.is_some_and(|tags| tags.iter().any(|tag| tag.as_str() == Some(CATALOGUE_TAG)))
}

/// The file beside the sidecar of that stem.
fn file_of(stem: &str) -> String {
    let folder = stem.split('/').nth(1).unwrap_or_default();
    let ending = FileKind::ALL.into_iter().find(|kind| kind.folder() == folder).map_or("", FileKind::ending);
    format!("{stem}.{ending}")
}
