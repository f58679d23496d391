//! `conform bless`: what came out, written down as what must come out.

use std::path::PathBuf;

use clap::Args;
use conform::corpus::{DIGESTS, Digests, sha256};
use conform::{Case, Check, Corpus, Folder, Format, Kind, Sidecar, observe};
use similar::TextDiff;

use super::output::{Output, progress, tell};
use super::sidecars::{scenario_of, skeleton, wants_bad_step, with_expectation};
use super::{CannotRun, Done, folder_of, selects, write_file};

/// Write what comes out of cases now as what must come out of them, and show each change.
///
/// In each selected case's sidecar the fields of [expect] are written; everything else in it stays as it is. Beside a build input
/// the mesh that comes of it is written (.opnm). A file without a
/// sidecar gets one, marked `review = "pending"`: give it a title and the clauses it covers, check the expectation, and take the
/// mark away. SHA256SUMS is written anew for the selected cases.
///
/// The expectation of a malformed file with the tag `catalogue` stays: `write-corpus` of the generators writes it, from the
/// catalogue and not from what our reader says.
///
/// With --record, cases whose sidecar has a [scenario] are recorded first.
///
/// Read what it prints: it makes whatever the reader, the engine and the recorder do today the truth. It refuses to run in CI
/// (where the environment variable CI is set).
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform bless                             everything
  conform bless malformed::mesh             some cases
  conform bless --record live::late-viewer  recorded anew, then written

Exit codes: 0 written (or nothing to write), 1 some cases could not be blessed, 2 could not run.")]
pub(super) struct Bless {
    /// Select cases whose name (such as `replay::crossing-flows`) contains one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// The corpus's folder [default: ./corpus]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Record cases with a [scenario] anew first
    #[arg(long)]
    record: bool,
}

/// A blessing under way.
struct Blessing<'o> {
    folder: Folder,
    output: &'o mut Output,
    changed: usize,
    refused: usize,
}

/// Whether a malformed file's expectation comes from the catalogue, which knows better than our own reader.
fn is_of_the_catalogue(case: &Case, sidecar: &str) -> bool {
    let tagged = |sidecar: Sidecar| sidecar.tags.iter().any(|tag| tag == generators::malformed::CATALOGUE_TAG);
    case.kind == Kind::Malformed && Sidecar::parse(case.kind, sidecar).is_ok_and(tagged)
}

impl Bless {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        if std::env::var_os("CI").is_some() {
            return Err(CannotRun("bless refuses to run where the environment variable CI is set".into()));
        }
        let Some(folder) = folder_of(self.corpus.as_deref())? else {
            let why = "there is no ./corpus here; name a folder with --corpus (the embedded corpus cannot be changed)";
            return Err(CannotRun(why.into()));
        };
        let corpus = Corpus::new(folder.clone());
        corpus.settings()?;
        let selected = self.select(&corpus)?;
        if selected.is_empty() {
            return Err(CannotRun(format!("no case is selected by {}", self.filter.join(" "))));
        }
        let mut blessing = Blessing { folder, output, changed: 0, refused: 0 };
        if self.record {
            blessing.each(&selected, |blessing, case| blessing.record(&corpus, case))?;
        }
        // Files may have come.
        let selected = self.select(&corpus)?;
        blessing.each(&selected, |blessing, case| blessing.expectation(&corpus, case))?;
        let selected = self.select(&corpus)?;
        blessing.digests(&corpus, &selected, self.filter.is_empty())?;
        let files = if blessing.changed == 1 { "file" } else { "files" };
        let Blessing { output, changed, refused, .. } = blessing;
        output.line(format_args!("{changed} {files} written"))?;
        Ok(if refused == 0 { Done::Conforms } else { Done::DoesNot })
    }

    fn select(&self, corpus: &Corpus) -> Result<Vec<Case>, CannotRun> {
        let mut cases = corpus.discover()?;
        cases.retain(|case| case.kind != Kind::Corpus && selects(&self.filter, &case.path()));
        Ok(cases)
    }
}

impl Blessing<'_> {
    /// Does something to each case; why it cannot be done is said, and the next case comes.
    fn each(
        &mut self,
        cases: &[Case],
        mut step: impl FnMut(&mut Self, &Case) -> Result<Result<(), String>, CannotRun>,
    ) -> Result<(), CannotRun> {
        let bar = progress(cases.len(), "{bar:30} {pos}/{len} cases, {elapsed}");
        for case in cases {
            if let Err(why) = step(self, case)? {
                self.refused += 1;
                tell(format_args!("{case}: not blessed: {why}"));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Records a case anew, where its sidecar says how.
    fn record(&mut self, corpus: &Corpus, case: &Case) -> Result<Result<(), String>, CannotRun> {
        let Some(sidecar) = &case.sidecar else { return Ok(Ok(())) };
        let (Kind::Replay | Kind::Live | Kind::Setup, [format]) = (case.kind, case.kind.formats()) else {
            return Ok(Ok(()));
        };
        let text = match read_text(corpus, sidecar)? {
            Ok(text) => text,
            Err(why) => return Ok(Err(why)),
        };
        if !toml::from_str::<toml::Table>(&text).is_ok_and(|table| table.contains_key("scenario")) {
            return Ok(Ok(()));
        }
        let bytes = match scenario_of(&text).and_then(|table| observe::record_case(case.kind, &table, corpus.source()))
        {
            Ok(bytes) => bytes,
            Err(why) => return Ok(Err(why)),
        };
        let stem = sidecar.strip_suffix(".toml").unwrap_or(sidecar);
        let path = format!("{stem}.{}", format.ending());
        if case.file.is_some() && corpus.read(&path).is_ok_and(|before| *before == *bytes) {
            return Ok(Ok(()));
        }
        write_file(&self.folder.locate(&path), &bytes)?;
        self.changed += 1;
        self.output.line(format_args!("{path}: recorded anew, {} bytes", bytes.len()))?;
        Ok(Ok(()))
    }

    /// Writes a case's expectation.
    fn expectation(&mut self, corpus: &Corpus, case: &Case) -> Result<Result<(), String>, CannotRun> {
        let Some((file, _)) = case.fitting_file() else {
            // There is nothing to look at; the check `sidecar` says so, too.
            return Ok(Err(format!("it has no file that belongs there; its check `{}` fails", Check::Sidecar.name())));
        };
        let before = match &case.sidecar {
            Some(path) => match read_text(corpus, path)? {
                Ok(text) => Some(text),
                Err(why) => return Ok(Err(why)),
            },
            None => None,
        };
        if before.as_deref().is_some_and(|text| is_of_the_catalogue(case, text)) {
            return Ok(Ok(()));
        }
        let context = corpus.context(case);
        let written = observe::observe(&context, before.as_deref().is_some_and(wants_bad_step)).and_then(|observed| {
            let after = match &before {
                Some(text) => with_expectation(text, &observed),
                None => skeleton(case, &observed),
            }?;
            Sidecar::parse(case.kind, &after).map_err(|error| error.to_string()).map(|_| after)
        });
        let after = match written {
            Ok(after) => after,
            Err(why) => return Ok(Err(why)),
        };
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let path = case.sidecar.clone().unwrap_or_else(|| format!("{stem}.toml"));
        self.write(&path, before.as_deref().unwrap_or(""), &after)?;
        if case.kind == Kind::Build
            && let Ok(built) = context.built()
        {
            self.result(corpus, &format!("{stem}.{}", Format::Mesh.ending()), &built.mesh)?;
        }
        Ok(Ok(()))
    }

    /// Writes the file that must come out of a case.
    fn result(&mut self, corpus: &Corpus, path: &str, bytes: &[u8]) -> Result<(), CannotRun> {
        if corpus.read(path).is_ok_and(|before| *before == *bytes) {
            return Ok(());
        }
        write_file(&self.folder.locate(path), bytes)?;
        self.changed += 1;
        self.output.line(format_args!("{path}: written anew, {} bytes", bytes.len()))
    }

    /// Writes `SHA256SUMS`: the lines of the selected cases, or, where no filter was given, all of it.
    fn digests(&mut self, corpus: &Corpus, selected: &[Case], all: bool) -> Result<(), CannotRun> {
        let before = match corpus.source().read(DIGESTS) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(CannotRun(format!("{DIGESTS}: {error}"))),
        };
        let mut digests = if all {
            Digests::default()
        } else {
            Digests::parse(&before).map_err(|error| CannotRun(error.to_string()))?
        };
        let files =
            |case: &Case| case.file.as_ref().map(|(path, _)| path.clone()).into_iter().chain(case.result.clone());
        for path in &selected.iter().flat_map(files).collect::<Vec<_>>() {
            digests.insert(path, sha256(&corpus.read(path)?));
        }
        self.write(DIGESTS, &before, &digests.to_string())
    }

    fn write(&mut self, path: &str, before: &str, after: &str) -> Result<(), CannotRun> {
        if before == after {
            return Ok(());
        }
        write_file(&self.folder.locate(path), after.as_bytes())?;
        self.changed += 1;
        let difference = TextDiff::from_lines(before, after);
        self.output.write(format_args!("{}", difference.unified_diff().context_radius(2).header(path, path)))
    }
}

/// A file of the corpus as text; why it is none, in words.
fn read_text(corpus: &Corpus, path: &str) -> Result<Result<String, String>, CannotRun> {
    let bytes = corpus.read(path)?.into_owned();
    Ok(String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8 text")))
}
