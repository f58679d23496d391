//! `conform copy`: the embedded corpus, written out.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;
use conform::{Corpus, CorpusSource as _, Embedded};

use super::output::Output;
use super::{CannotRun, Done, cannot_write, write_file};

/// Write the corpus that is embedded in this program into a folder.
///
/// The folder is made where it does not exist; one with anything in it is refused.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  conform copy my-corpus && conform run --corpus my-corpus

Exit codes: 0 written, 2 could not run.")]
pub(super) struct Copy {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Copy {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        let folder = self.folder.display();
        match fs::read_dir(&self.folder).map(|mut entries| entries.next().is_some()) {
            Ok(false) => {}
            Ok(true) => return Err(CannotRun(format!("{folder}: the folder is not empty"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(CannotRun(format!("{folder}: this is a file, not a folder")));
            }
            Err(error) => return Err(CannotRun(format!("{folder}: {error}"))),
        }
        let corpus = Corpus::new(Embedded);
        let paths = Embedded.paths()?;
        for path in &paths {
            let to = path.split('/').fold(self.folder.clone(), |at, name| at.join(name));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(|error| cannot_write(parent, &error))?;
            }
            write_file(&to, &corpus.read(path)?)?;
        }
        output.line(format_args!("{folder}: {} files", paths.len()))?;
        Ok(Done::Conforms)
    }
}
