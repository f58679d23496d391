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

use std::io::Write;
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

/// Writes a file that the user asked for: the whole of it or, where that is interrupted, nothing.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CannotRun> {
    // A pipe or a device is written to as it is.
    let is_other = path.metadata().is_ok_and(|found| !found.is_file());
    let written = if is_other { std::fs::write(path, bytes) } else { replace(path, bytes) };
    written.map_err(|error| cannot_write(path, &error))
}

/// Puts a new file in the place of an old one, if there is one, once it is complete.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Of a link the file that it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".conform-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    if let Ok(found) = path.metadata() {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CannotRun {
    CannotRun(format!("{}: cannot write it: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        write_file(&path, b"one").expect("a new file");
        write_file(&path, b"two").expect("an old one");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left");
        let missing = folder.path().join("missing/out.txt");
        let error = write_file(&missing, b"three").expect_err("no such folder");
        assert!(error.0.contains("out.txt: cannot write it"), "{error:?}");
        assert!(write_file(folder.path(), b"four").is_err(), "a folder is no file");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_keeps_its_permissions_and_its_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
        write_file(&path, b"one").expect("a new file");
        let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        assert_ne!(mode(&path) & 0o044, 0, "others may read it, as far as the umask lets them");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("own file");
        symlink(&path, &link).expect("a link");
        write_file(&link, b"two").expect("by the link");
        assert!(link.is_symlink() && mode(&path) == 0o640);
        assert_eq!(std::fs::read(&path).expect("it is there"), b"two");
    }

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
