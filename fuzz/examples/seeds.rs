//! Writes the seeds of the targets named as arguments (of all, where none is): `corpus/TARGET` to be mutated and
//! `corpus/TARGET-full` to be run once. Prints a line for each: name, longest input, dictionary, how many seeds of each kind.
//!
//! Seeds are the built-in ones and small files of `../corpus`, malformed ones included. An example and not a binary, so that
//! `cargo fuzz` does not take it for a target.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crowd_fuzz::{Seed, TARGETS, Target};
use walkdir::WalkDir;

/// Files of the corpus that are larger than this are not looked at, bytes.
const FILE_BYTES_MAX: u64 = 1 << 22;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    match write_all(&names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seeds: {error}");
            ExitCode::from(2)
        }
    }
}

fn write_all(names: &[String]) -> Result<(), Box<dyn Error>> {
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|target| target.name != **name)) {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        return Err(format!("no target is named {unknown}; there are {}", known.join(", ")).into());
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = corpus_files(&home.join("../corpus"))?;
    for target in TARGETS.iter().filter(|target| names.is_empty() || names.iter().any(|name| name == target.name)) {
        let folder = home.join("corpus").join(target.name);
        let mut seeds = target.seeds();
        for (name, file) in &files {
            seeds.extend(target.seeds_of_file(name, &fs::read(file)?));
        }
        let (target, full): (&Target, _) = (target, target.full_seeds());
        write(&folder, &seeds)?;
        write(&folder.with_file_name(format!("{}-full", target.name)), &full)?;
        println!("{} {} {} {} {}", target.name, target.max_len, target.dictionary, seeds.len(), full.len());
    }
    Ok(())
}

/// The corpus' small files, each with a name that says where it stands; none where there is no corpus.
fn corpus_files(corpus: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(corpus).sort_by_file_name() {
        let Ok(entry) = entry else { continue };
        if entry.file_type().is_file() && entry.metadata()?.len() <= FILE_BYTES_MAX {
            let name = entry.path().strip_prefix(corpus)?.to_string_lossy().replace(['/', '\\'], "-");
            files.push((name, entry.into_path()));
        }
    }
    Ok(files)
}

fn write(folder: &Path, seeds: &[Seed]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for seed in seeds {
        fs::write(folder.join(&seed.name), &seed.bytes)?;
    }
    Ok(())
}
