//! `conform record`: a scenario played through the recorder.

use std::path::PathBuf;

use clap::Args;
use conform::{Format, read_file};

use super::output::{Output, tell};
use super::sidecars::scenario_of;
use super::{CannotRun, Done, open_corpus, write_file};

/// Play a scenario through the recorder and keep what was recorded.
///
/// SCENARIO.toml is a scenario, or a sidecar of the corpus with a [scenario]. The same scenario gives the same bytes on every
/// machine. Where it names a build input (`build = "NAME"`), that is builds/NAME.opbi of the corpus.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform record door.toml -o door.oprp
  conform record corpus/live/late-viewer.toml -o run.oprp --live late-viewer.oplr

Exit codes: 0 recorded, 2 could not run (a wrong scenario, too).")]
pub(super) struct Record {
    /// The scenario
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    /// Where to write the replay
    #[arg(short, long, value_name = "OUT.oprp")]
    output: PathBuf,
    /// Where to write the live capture that the scenario makes
    #[arg(long, value_name = "OUT.oplr")]
    live: Option<PathBuf>,
    /// The corpus that has the build input which the scenario names [default: ./corpus, else the embedded one]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

impl Record {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        Format::of_path(&self.output, &[Format::Replay])?;
        if let Some(live) = &self.live {
            Format::of_path(live, &[Format::Live])?;
        }
        let file = self.scenario.display();
        let corpus = open_corpus(self.corpus.as_deref())?;
        let bytes = read_file(&self.scenario)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| CannotRun(format!("{file}: it is not UTF-8 text")))?;
        let table = scenario_of(text).map_err(|why| CannotRun(format!("{file}: {why}")))?;
        let recorded =
            conform::observe::record(&table, corpus.source()).map_err(|why| CannotRun(format!("{file}: {why}")))?;
        write_file(&self.output, &recorded.replay)?;
        output.line(format_args!("{}: {} bytes", self.output.display(), recorded.replay.len()))?;
        match (&self.live, recorded.live) {
            (Some(path), Some(live)) => {
                write_file(path, &live)?;
                output.line(format_args!("{}: {} bytes", path.display(), live.len()))?;
            }
            (Some(_), None) => {
                return Err(CannotRun(format!("{file}: this scenario makes no live capture; leave --live out")));
            }
            (None, Some(_)) => tell("the scenario makes a live capture, too; --live OUT.oplr keeps it"),
            (None, None) => {}
        }
        Ok(Done::Conforms)
    }
}
