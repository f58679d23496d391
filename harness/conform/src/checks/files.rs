//! Checks of what stands around a case: sidecar, digest, and the corpus as a whole.

use std::collections::BTreeSet;

use reports::Outcome;

use super::{Checked, Context, fail, fail_with};
use crate::corpus::{self, sha256};
use crate::words::{count, len64};

/// The file has a sidecar, the sidecar a file, and it can be read.
pub(super) fn sidecar(context: &Context) -> Checked {
    let case = &context.case;
    let Some((path, format)) = &case.file else {
        let endings: Vec<String> = case.kind.formats().iter().map(|f| format!(".{}", f.ending())).collect();
        let sidecar = case.sidecar.as_deref().unwrap_or_default();
        let message = format!("{sidecar} has no file: {} with the ending {}", case.name, endings.join(", "));
        return Err(fail("file-missing", message));
    };
    if case.fitting_file().is_none() {
        let folder = case.kind.folder().unwrap_or_default();
        return Err(fail("wrong-ending", format!("{path}: a {format} does not belong into {folder}/")));
    }
    context.sidecar().map(drop)
}

/// The file's SHA-256 is the one of `SHA256SUMS`; so is that of the result beside it.
pub(super) fn digest(context: &Context) -> Checked {
    let (path, _) = context.file()?;
    let digests = context.shared.digests().map_err(|error| fail("digests-invalid", error.to_string()))?;
    check_digest(path, context.bytes()?, digests.get(path))?;
    let Some(path) = &context.case.result else { return Ok(()) };
    let result = corpus::read(context.source(), path)
        .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })?;
    check_digest(path, &result, digests.get(path))
}

fn check_digest(path: &str, bytes: &[u8], listed: Option<&str>) -> Checked {
    let found = sha256(bytes);
    match listed {
        Some(listed) if listed == found => Ok(()),
        Some(listed) => {
            let message = format!("{path}: the SHA-256 of its bytes is {found}, SHA256SUMS says {listed}");
            Err(fail("digest-mismatch", message))
        }
        None => Err(fail("digest-missing", format!("{path} is not in SHA256SUMS; its SHA-256 is {found}"))),
    }
}

/// `corpus.toml` can be read.
pub(super) fn settings(context: &Context) -> Checked {
    corpus::settings_of(context.source()).map(drop).map_err(|error| fail("settings-invalid", error.to_string()))
}

/// `SHA256SUMS` lists every case file, and only files that exist. The bytes of case files are looked at by their own checks,
/// those of other listed files here.
pub(super) fn digests(context: &Context) -> Checked {
    let source = context.source();
    let digests = context.shared.digests().map_err(|error| fail("digests-invalid", error.to_string()))?;
    let unreadable =
        |error: corpus::CorpusError| Outcome::Error { code: "unreadable".into(), message: error.to_string() };
    let all: BTreeSet<String> = source.paths().map_err(unreadable)?.into_iter().collect();
    let files = corpus::case_files(source).map_err(unreadable)?;
    let mut wrong: Vec<String> = Vec::new();
    for (path, digest) in digests.iter() {
        if !all.contains(path) {
            wrong.push(format!("{path} is in SHA256SUMS, but does not exist"));
        } else if !files.contains(path) {
            let bytes = corpus::read(source, path).map_err(unreadable)?;
            if let Err(Outcome::Fail { message, .. }) = check_digest(path, &bytes, Some(digest)) {
                wrong.push(message);
            }
        }
    }
    wrong.extend(
        files.iter().filter(|path| digests.get(path).is_none()).map(|path| format!("{path} is not in SHA256SUMS")),
    );
    if wrong.is_empty() {
        return Ok(());
    }
    let message = format!("SHA256SUMS and the files differ in {}", count(len64(wrong.len()), "path"));
    Err(fail_with("digests-differ", message, wrong))
}

/// No file of the corpus belongs to nothing.
pub(super) fn strays(context: &Context) -> Checked {
    let strays = corpus::strays(context.source())
        .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })?;
    if strays.is_empty() {
        return Ok(());
    }
    let message = format!("{} of the corpus belong to no case", count(len64(strays.len()), "file"));
    Err(fail_with("stray-files", message, strays))
}
