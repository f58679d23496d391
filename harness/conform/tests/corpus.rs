//! Every check of every case of the corpus as a test, against the reference engine. `CONFORM_SHARD=I/N` runs a part of them.
//!
//! Names and filters are those of `conform run`. Nothing is read before a test's own closure, and nothing is printed to stdout
//! before the tests run, so that runners which start one process a test (nextest) can list them and stay fast.

use std::path::Path;
use std::process::ExitCode;

use conform::{CheckOptions, Corpus, Folder, PlannedCheck, runner};
use libtest_mimic::{Arguments, Failed, Trial};
use reports::{Outcome, Shard};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("corpus: {why}");
            ExitCode::from(2)
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let shard: Option<Shard> = match std::env::var_os("CONFORM_SHARD") {
        Some(text) => Some(text.to_string_lossy().parse().map_err(|error| format!("CONFORM_SHARD: {error}"))?),
        None => None,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let corpus = Corpus::new(Folder::open(root).map_err(|error| error.to_string())?);
    let cases = corpus.discover().map_err(|error| error.to_string())?;
    let chosen =
        cases.iter().enumerate().filter(|(number, _)| shard.is_none_or(|shard| runner::in_shard(*number, shard)));
    let checks = chosen.flat_map(|(_, case)| corpus.checks(case, CheckOptions::default()));
    Ok(checks.map(|check| Trial::test(check.name(), move || test(&check))).collect())
}

/// A check that cannot be made here is no failure; `conform run` counts it apart.
fn test(check: &PlannedCheck) -> Result<(), Failed> {
    let (outcome, _) = runner::run_one(check);
    match outcome {
        Outcome::Pass | Outcome::NotComparable { .. } => Ok(()),
        Outcome::Error { code, message } => Err(format!("{} ({code}): {message}", check.name()).into()),
        Outcome::Fail { code, message, details } => {
            let mut text = format!("{} ({code}): {message}", check.name());
            for line in details {
                text.push_str("\n  ");
                text.push_str(&line);
            }
            Err(text.into())
        }
    }
}
