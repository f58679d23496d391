//! `conform run`: every case of the corpus.

use std::fs::File;
use std::io::BufWriter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use conform::{Case, CheckOptions, Corpus, ErrorMode, PlannedCheck, runner};
use replay_format::limits::SPEC_VERSION_TEXT;
use reports::{CaseResult, Header, Outcome, Platform, Run as RunReport, SCHEMA, Shard, Software, Verdict, Writer};

use super::output::{Output, colour, progress, tell};
use super::{CannotRun, Done, cannot_write, open_corpus, selects};

/// Run every case of the corpus, or those that a filter selects.
///
/// A case is a file of the corpus and the sidecar beside it that says what must come out. Each check of each case has a name,
/// such as `replay::crossing-flows::hashes`; a filter selects the checks whose name contains it, and several filters select what
/// any of them does.
///
/// Without --corpus, ./corpus is used if it is one, otherwise the corpus embedded in this program.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform run                               everything
  conform run crossing-flows                one case
  conform run ::hashes ::restore            two checks of every case
  conform run malformed:: --errors code     malformed files; stage and code are enough
  conform run --tag short                   cases with the tag `short`
  conform run --shard 2/3                   the second third of the cases
  conform run --report run.jsonl --junit run.xml
  conform run --list                        the names, without running anything

Exit codes: 0 conforms, 1 does not conform, 2 could not run (nothing selected, too).")]
pub(super) struct Run {
    /// Select checks whose name contains one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// The corpus's folder
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Select cases that have one of these tags
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// How many checks run at a time [default: as many as the machine has processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run part I of N equal parts of the selected cases
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// How exactly a malformed file's error must be the expected one
    #[arg(long, value_name = "MODE", value_enum, default_value_t = Errors::Exact)]
    errors: Errors,
    /// Write a report as JSON Lines
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write a report as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print the names of the selected checks, and run nothing
    #[arg(long)]
    list: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Errors {
    /// Stage, code, offset, field and message.
    Exact,
    /// Stage and code.
    Code,
    /// Any error.
    Reject,
}

impl From<Errors> for ErrorMode {
    fn from(errors: Errors) -> ErrorMode {
        match errors {
            Errors::Exact => ErrorMode::Exact,
            Errors::Code => ErrorMode::Code,
            Errors::Reject => ErrorMode::Reject,
        }
    }
}

/// What was selected.
struct Selection {
    /// The checks of each selected case.
    cases: Vec<Vec<PlannedCheck>>,
    /// How many cases match, before sharding.
    matched: u32,
}

impl Run {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        let started = Instant::now();
        let corpus = open_corpus(self.corpus.as_deref())?;
        let selection = self.select(&corpus)?;
        if self.list {
            for check in selection.cases.iter().flatten() {
                output.line(check.name())?;
            }
            return Ok(Done::Conforms);
        }
        let settings = corpus.settings()?;
        let found = corpus.source().describe();
        tell(format_args!("corpus: {found} ({}): {}", settings.title, selection.summary(self.shard)));
        let header = self.header(&corpus, &selection)?;
        let mut report = self.report.as_deref().map(|path| Report::create(path, &header)).transpose()?;
        // Created before the run: a run of an hour whose report cannot be written is an hour lost.
        let junit = self.junit.as_deref().map(|path| create(path).map(|file| (path, file))).transpose()?;

        let mut results = Vec::new();
        self.run_checks(selection.cases, |case| {
            if let Some(report) = &mut report {
                report.write(&case);
            }
            results.push(case);
        });

        let duration = milliseconds(started.elapsed());
        let run = RunReport::new(header, results, duration).map_err(|error| CannotRun(error.to_string()))?;
        print(&run, output)?;
        if let Some(report) = report {
            report.finish(duration)?;
        }
        if let Some((path, file)) = junit {
            reports::write_junit(BufWriter::new(file), &run)
                .map_err(|error| CannotRun(format!("{}: {error}", path.display())))?;
        }
        match run.footer().verdict {
            Verdict::Conforms => Ok(Done::Conforms),
            Verdict::DoesNotConform => Ok(Done::DoesNot),
            Verdict::Incomplete => {
                let why = run.shortfall().map_or("the run is incomplete".into(), |shortfall| shortfall.to_string());
                Err(CannotRun(why))
            }
        }
    }

    fn select(&self, corpus: &Corpus) -> Result<Selection, CannotRun> {
        let options = CheckOptions { errors: self.errors.into() };
        let mut cases: Vec<Vec<PlannedCheck>> = Vec::new();
        for case in corpus.discover()? {
            let mut checks = corpus.checks(&case, options);
            checks.retain(|check| selects(&self.filter, &check.name()));
            if !checks.is_empty() && self.has_tag(corpus, &case) {
                cases.push(checks);
            }
        }
        if cases.is_empty() {
            let all = "`conform run --list` prints all names";
            return Err(CannotRun(format!("nothing is selected by {}; {all}", self.filter_words().join(" "))));
        }
        let matched = u32::try_from(cases.len()).unwrap_or(u32::MAX);
        if let Some(shard) = self.shard {
            let mut numbers = 0..;
            cases.retain(|_| numbers.next().is_some_and(|number| runner::in_shard(number, shard)));
        }
        Ok(Selection { cases, matched })
    }

    /// A case whose sidecar cannot be read has every tag: it is a fault, and must not hide from a run that selects by tags.
    fn has_tag(&self, corpus: &Corpus, case: &Case) -> bool {
        if self.tag.is_empty() {
            return true;
        }
        if case.kind == conform::Kind::Corpus {
            return false;
        }
        match corpus.context(case).sidecar() {
            Ok(sidecar) => sidecar.tags.iter().any(|tag| self.tag.contains(tag)),
            Err(_) => true,
        }
    }

    fn filter_words(&self) -> Vec<String> {
        self.filter.iter().cloned().chain(self.tag.iter().map(|tag| format!("--tag {tag}"))).collect()
    }

    fn header(&self, corpus: &Corpus, selection: &Selection) -> Result<Header, CannotRun> {
        let version = env!("CARGO_PKG_VERSION");
        let most_threads = if cfg!(target_family = "wasm") { 1 } else { 7 };
        let assertions = if cfg!(debug_assertions) { ", assertions" } else { "" };
        let profile = format!("{}, opt-level {}{assertions}", env!("CONFORM_PROFILE"), env!("CONFORM_OPT_LEVEL"));
        let mut platform = Platform::current(profile, most_threads);
        platform.target = env!("CONFORM_TARGET").into();
        if platform.os.is_empty() {
            // WebAssembly has no name for it.
            platform.os = if cfg!(target_os = "wasi") { "wasi" } else { "none" }.into();
        }
        let selected = u32::try_from(selection.cases.len()).unwrap_or(u32::MAX);
        Ok(Header {
            schema: SCHEMA,
            tool: Software::new("conform", version),
            spec: SPEC_VERSION_TEXT.into(),
            corpus: reports::Corpus { sha256: corpus.sha256()?, matched: selection.matched, selected },
            implementation: Software::new("reference", version),
            platform,
            levels: vec![1, 2, 3, 4],
            filter: self.filter_words(),
            shard: self.shard,
        })
    }

    fn run_checks(&self, cases: Vec<Vec<PlannedCheck>>, case: impl FnMut(CaseResult) + Send) {
        let available = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = self.jobs.map_or_else(available, NonZeroUsize::get);
        let checks = cases.iter().map(Vec::len).sum();
        let bar = progress(checks, "{bar:30} {pos}/{len} checks, {elapsed} {wide_msg}");
        let done = |check: &PlannedCheck, outcome: &Outcome| {
            if matches!(outcome, Outcome::Fail { .. } | Outcome::Error { .. }) {
                bar.set_message(format!("failed: {}", check.name()));
            }
            bar.inc(1);
        };
        runner::run(cases, jobs, done, case);
        bar.finish_and_clear();
    }
}

impl Selection {
    fn summary(&self, shard: Option<Shard>) -> String {
        let (cases, checks) = (self.cases.len(), self.cases.iter().map(Vec::len).sum::<usize>());
        match shard {
            Some(shard) if cases == 0 => {
                format!("shard {shard} is empty, as there are only {} matching cases", self.matched)
            }
            Some(shard) => format!("shard {shard}, {cases} of {} cases, {checks} checks", self.matched),
            None => format!("{cases} cases, {checks} checks"),
        }
    }
}

/// The report of record, written case by case. The first fault is kept until the end: the run is worth more than its report.
struct Report {
    path: PathBuf,
    writer: Option<Writer<File>>,
    fault: Option<String>,
}

impl Report {
    fn create(path: &Path, header: &Header) -> Result<Report, CannotRun> {
        let writer =
            Writer::new(create(path)?, header).map_err(|error| CannotRun(format!("{}: {error}", path.display())))?;
        Ok(Report { path: path.to_owned(), writer: Some(writer), fault: None })
    }

    fn write(&mut self, case: &CaseResult) {
        let Some(writer) = &mut self.writer else { return };
        if let Err(error) = writer.write_case(case) {
            self.fault = Some(error.to_string());
            self.writer = None;
        }
    }

    fn finish(self, duration: u64) -> Result<(), CannotRun> {
        let fault = match (self.fault, self.writer) {
            (Some(fault), _) => fault,
            (None, Some(writer)) => match writer.finish(duration) {
                Ok(_) => return Ok(()),
                Err(error) => error.to_string(),
            },
            (None, None) => "it was not written".into(),
        };
        Err(CannotRun(format!("{}: {fault}", self.path.display())))
    }
}

fn create(path: &Path) -> Result<File, CannotRun> {
    File::create(path).map_err(|error| cannot_write(path, &error))
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn print(run: &RunReport, output: &mut Output) -> Result<(), CannotRun> {
    let verdict = match run.footer().verdict {
        Verdict::Conforms => colour::GOOD,
        Verdict::DoesNotConform | Verdict::Incomplete => colour::BAD,
    };
    for line in reports::summary(run).lines() {
        let paint = match line.split(' ').next() {
            Some("FAILED" | "ERROR") => colour::BAD,
            Some("verdict") => verdict,
            _ => "",
        };
        match paint {
            "" => output.line(line)?,
            paint => output.line(format_args!("{paint}{line}{}", colour::PLAIN))?,
        }
    }
    Ok(())
}
