//! `conform play`: one replay or live capture, every hash verified.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::Args;
use conform::sidecar::Hash;
use conform::{Format, Recording, read_file};
use replay_format::Error;

use super::output::{Output, colour, progress, seconds};
use super::{CannotRun, Done, cannot_write, write_file};

/// Play one replay or live capture and verify each recorded hash.
///
/// FILE ends in .oprp (a replay) or .oplr (a live capture). It is read, its crowd is restored, and its steps are played by the
/// reference engine. Where a hash is not the recorded one, the first such step is shown, with the operations that led there.
///
/// Steps are numbered from 0. --dump-steps writes the state after each step of a range as .opcs files, to compare with those of
/// another machine.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform play run.oprp
  conform play run.oprp --threads 7
  conform play run.oprp --dump-steps 16..18 --out states     the states after steps 16 and 17

Exit codes: 0 every hash is as recorded, 1 one is not or the file is malformed, 2 could not run.")]
pub(super) struct Play {
    /// The replay or live capture
    file: PathBuf,
    /// How many threads a step uses at most; results do not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Write the states after steps A, A+1, … up to but not including B
    #[arg(long, value_name = "A..B", requires = "out")]
    dump_steps: Option<Steps>,
    /// The folder for the states
    #[arg(long, value_name = "DIR", requires = "dump_steps")]
    out: Option<PathBuf>,
}

/// A range of steps, `A..B`.
#[derive(Debug, Clone)]
struct Steps(Range<u64>);

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Steps, String> {
        let (from, to) = text.split_once("..").ok_or("it must be two step numbers, A..B")?;
        let number = |part: &str| part.parse::<u64>().map_err(|_| format!("{part:?} is not a step number"));
        let range = number(from)?..number(to)?;
        if range.is_empty() { Err("B must be above A".into()) } else { Ok(Steps(range)) }
    }
}

/// What a play found.
#[derive(Default)]
struct Found {
    /// Hashes that are not as recorded.
    bad: u64,
    /// The first of them: step, recorded, replayed.
    first: Option<(u64, Hash, Hash)>,
    agents: usize,
    final_hash: u64,
}

impl Play {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        let format = Format::of_path(&self.file, &[Format::Replay, Format::Live])?;
        let bytes = read_file(&self.file)?;
        let started = Instant::now();
        let malformed = |output: &mut Output, error: &Error| {
            output.line(format_args!("{}malformed{}: {error}", colour::BAD, colour::PLAIN))?;
            Ok(Done::DoesNot)
        };
        let recording = match Recording::read(format, &bytes) {
            Ok(Some(recording)) => recording,
            Ok(None) => return Err(CannotRun(format!("{}: a {format} cannot be played", self.file.display()))),
            Err(error) => return malformed(output, &error),
        };
        let steps = recording.steps.len();
        if let Some(Steps(range)) =
            self.dump_steps.as_ref().filter(|Steps(range)| range.end > recording.steps.len() as u64)
        {
            let last = range.end - 1;
            return Err(CannotRun(format!(
                "--dump-steps: {} has {steps} steps, there is no step {last}",
                self.file.display()
            )));
        }
        let found = match self.play(&recording)? {
            Ok(found) => found,
            Err(error) => return malformed(output, &error),
        };
        let time = seconds(started.elapsed());
        match found.first {
            None => {
                let (agents, hash) = (found.agents, Hash(found.final_hash));
                output.line(format_args!(
                    "{}conforms{}: {steps} of {steps} hashes are as recorded; {agents} agents at the end, final hash {hash}; {time}",
                    colour::GOOD, colour::PLAIN,
                ))?;
                Ok(Done::Conforms)
            }
            Some((step, recorded, replayed)) => {
                output.line(format_args!(
                    "{}does not conform{}: step {step} of {steps}: replayed hash is {replayed}, recorded {recorded}",
                    colour::BAD,
                    colour::PLAIN,
                ))?;
                output.line(format_args!("  {} of {steps} hashes differ; {time}", found.bad))?;
                for line in recording.operations_in_words(step) {
                    output.line(format_args!("  {line}"))?;
                }
                Ok(Done::DoesNot)
            }
        }
    }

    fn play(&self, recording: &Recording<'_>) -> Result<Result<Found, Error>, CannotRun> {
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        }
        let mut player = match recording.player(self.threads.get()) {
            Ok(player) => player,
            Err(error) => return Ok(Err(error)),
        };
        let bar = progress(recording.steps.len(), "{bar:30} {pos}/{len} steps, {elapsed}");
        let mut found = Found { final_hash: player.crowd().state_hash(), ..Found::default() };
        for (index, step) in recording.numbered() {
            let hash = match recording.play_step(&mut player, index, step) {
                Ok(hash) => hash,
                Err(error) => return Ok(Err(error)),
            };
            if hash != step.hash {
                found.bad += 1;
                found.first = found.first.or(Some((index, Hash(step.hash), Hash(hash))));
            }
            found.final_hash = hash;
            if let (Some(Steps(range)), Some(folder)) = (&self.dump_steps, &self.out)
                && range.contains(&index)
            {
                self.dump(folder, index, &player.crowd().save_state())?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        found.agents = player.crowd().agent_count();
        Ok(Ok(found))
    }

    fn dump(&self, folder: &Path, step: u64, state: &[u8]) -> Result<(), CannotRun> {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.step-{step:06}.{}", Format::State.ending());
        write_file(&folder.join(name), state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!("3..7".parse::<Steps>().map(|steps| steps.0), Ok(3..7));
        for text in ["", "3", "..", "3..3", "7..3", "-1..3", "3..=7", "a..b"] {
            assert!(text.parse::<Steps>().is_err(), "{text}");
        }
    }
}
