//! Records every sidecar with a `[scenario]` in a corpus folder: replays, live captures, setup blocks. Expectations are left to `conform bless`.
//!
//! `cargo run --release -p generators --example record-corpus -- corpus`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use generators::scenario::{Recorded, Scenario};
use replay_format::{Replay, Setup};
use serde::Deserialize;

/// What is read of a sidecar.
#[derive(Deserialize)]
struct Sidecar {
    scenario: Option<Scenario>,
}

fn main() -> ExitCode {
    let Some(corpus) = env::args_os().nth(1).map(PathBuf::from).filter(|path| path.is_dir()) else {
        eprintln!("record-corpus: give the corpus folder, such as `corpus`");
        return ExitCode::from(2);
    };
    for (folder, ending) in [("replays", "oprp"), ("live", "oplr"), ("setups", "oprs")] {
        if let Err(error) = record_folder(&corpus, folder, ending) {
            eprintln!("record-corpus: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn record_folder(corpus: &Path, folder: &str, ending: &str) -> Result<(), Box<dyn Error>> {
    let build = |name: &str| fs::read(corpus.join("builds").join(name).with_extension("opbi"));
    let mut sidecars: Vec<PathBuf> =
        fs::read_dir(corpus.join(folder))?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    sidecars.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    sidecars.sort();
    for path in sidecars {
        let place = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let sidecar: Sidecar = toml::from_str(&fs::read_to_string(&path)?).map_err(|error| place(&error))?;
        let Some(scenario) = sidecar.scenario else { continue };
        let start = Instant::now();
        let bytes = file(
            scenario
                .record_with(|name| build(name).map_err(|error| error.to_string()))
                .map_err(|error| place(&error))?,
            ending,
        )?;
        println!("{:>9} bytes {:>6} ms  {}", bytes.len(), start.elapsed().as_millis(), path.display());
        fs::write(path.with_extension(ending), bytes)?;
    }
    Ok(())
}

/// The file of that ending. A setup block is what a viewer takes that attaches at the very end, or the replay's own.
fn file(recorded: Recorded, ending: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    match (ending, recorded.live) {
        ("oplr", Some(live)) => Ok(live),
        ("oplr", None) => Err("the scenario has no viewer that attaches".into()),
        ("oprs", Some(live)) => {
            Setup::read(&live)?;
            Ok(live)
        }
        ("oprs", None) => {
            let mut setup = Vec::new();
            Replay::read(&recorded.replay)?.setup.write(&mut setup)?;
            Ok(setup)
        }
        _ => Ok(recorded.replay),
    }
}
