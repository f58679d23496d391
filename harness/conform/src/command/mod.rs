//! The command line. Each command is a module: its arguments, its help, what it does.
//!
//! Exit codes: 0 conforms, 1 does not, 2 could not run. Results go to stdout, progress and diagnostics to stderr.

mod bless;
mod build;
mod build_settings;
mod convert;
mod copy;
mod inspect;
mod output;
mod play;
mod record;
mod run;
mod sidecars;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use conform::corpus::SETTINGS;
use conform::{Corpus, CorpusError, Embedded, FileError, Folder};

use output::{Output, tell};

/// Checks that recorded crowds replay bit for bit.
///
/// A recording holds what a host did to a crowd between steps, and a hash of the whole state after each step. `conform run` plays
/// a corpus of recordings and checks every byte and every hash; where something differs, it says where and why.
#[derive(Debug, Parser)]
#[command(name = "conform", version, propagate_version = true, after_help = EXIT_CODES)]
struct Conform {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 conforms, 1 does not conform, 2 could not run.";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Play(play::Play),
    Inspect(inspect::Inspect),
    Record(record::Record),
    Build(build::Build),
    Convert(convert::Convert),
    Bless(bless::Bless),
    Copy(copy::Copy),
}

/// What a command that could run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// Everything is as it must be.
    Conforms,
    /// Something is not.
    DoesNot,
}

/// Why a command could not run, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CannotRun(String);

impl From<CorpusError> for CannotRun {
    fn from(error: CorpusError) -> CannotRun {
        CannotRun(error.to_string())
    }
}

impl From<FileError> for CannotRun {
    fn from(error: FileError) -> CannotRun {
        CannotRun(error.to_string())
    }
}

pub(super) fn main() -> ExitCode {
    // Bad arguments end here, with code 2.
    let arguments = Conform::parse();
    let mut output = Output::new();
    let done = match &arguments.command {
        Command::Run(run) => run.run(&mut output),
        Command::Play(play) => play.run(&mut output),
        Command::Inspect(inspect) => inspect.run(&mut output),
        Command::Record(record) => record.run(&mut output),
        Command::Build(build) => build.run(&mut output),
        Command::Convert(convert) => convert.run(&mut output),
        Command::Bless(bless) => bless.run(&mut output),
        Command::Copy(copy) => copy.run(&mut output),
    };
    let done = done.and_then(|done| output.flush().map(|()| done));
    match done {
        Ok(Done::Conforms) => ExitCode::SUCCESS,
        Ok(Done::DoesNot) => ExitCode::from(1),
        Err(CannotRun(why)) => {
            // What was said before is a result too.
            let _ = output.flush();
            tell(format_args!("conform: {}", why.replace('\n', " ")));
            ExitCode::from(2)
        }
    }
}

/// The corpus that `--corpus` names; without it `./corpus`, where that is one; otherwise the embedded one.
fn open_corpus(named: Option<&Path>) -> Result<Corpus, CannotRun> {
    match folder_of(named)? {
        Some(folder) => Ok(Corpus::new(folder)),
        None => Ok(Corpus::new(Embedded)),
    }
}

/// The folder that [`open_corpus`] would open, if any.
fn folder_of(named: Option<&Path>) -> Result<Option<Folder>, CannotRun> {
    if let Some(named) = named {
        return Ok(Some(Folder::open(named)?));
    }
    let here = PathBuf::from(".").join("corpus");
    if here.join(SETTINGS).is_file() { Ok(Some(Folder::open(here)?)) } else { Ok(None) }
}

/// Whether a name is selected: no filter, or one that it contains. `::` and `/` count as the same.
fn selects(filter: &[String], name: &str) -> bool {
    let plain = |text: &str| text.replace("::", "/");
    filter.is_empty() || filter.iter().any(|part| plain(name).contains(&plain(part)))
}

/// Writes a file that the user asked for.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CannotRun> {
    std::fs::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CannotRun {
    CannotRun(format!("{}: cannot write it: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory as _;
        Conform::command().debug_assert();
    }

    #[test]
    fn filters_select_parts_of_names() {
        let filter = |parts: &[&str]| parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>();
        let name = "malformed::mesh/empty::error";
        assert!(selects(&[], name));
        assert!(selects(&filter(&["nothing", "empty"]), name));
        assert!(selects(&filter(&["malformed::mesh::empty::err"]), name));
        assert!(!selects(&filter(&["replay"]), name));
    }
}
