//! Writes the malformed files and the build inputs of the catalogue into a corpus folder.
//!
//! `cargo run -p generators --example write-corpus -- corpus`

use std::path::PathBuf;
use std::process::ExitCode;

use generators::build_inputs::write_levels;
use generators::malformed::write_malformed;

fn main() -> ExitCode {
    let Some(corpus) = std::env::args_os().nth(1).map(PathBuf::from).filter(|path| path.is_dir()) else {
        eprintln!("write-corpus: give the corpus folder, such as `corpus`");
        return ExitCode::from(2);
    };
    match write_malformed(&corpus).and_then(|malformed| Ok((malformed, write_levels(&corpus)?))) {
        Ok((malformed, levels)) => {
            println!("{malformed} malformed files and {levels} build inputs in {}", corpus.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("write-corpus: {}: {error}", corpus.display());
            ExitCode::from(2)
        }
    }
}
