//! The player: does to a restored crowd what a replay says. SPEC.md, chapter REC.

use replay_format::{AgentOptions, Code, Error, Operation, Path, Replay, SettingsExtent, Setup, Stage, Step, TooLarge};

use crate::{Crowd, CrowdError};

/// Plays a replay's steps on the crowd of its setup block.
#[derive(Debug, Clone)]
pub struct CrowdPlayer {
    crowd: Crowd,
    dt: f64,
}

impl CrowdPlayer {
    /// The crowd of a setup block, ready for the first step.
    ///
    /// # Errors
    /// Stage restore: as [`Crowd::restore`].
    pub fn new<B: AsRef<[u8]>>(setup: &Setup<B>) -> Result<CrowdPlayer, Error> {
        Ok(CrowdPlayer { crowd: Crowd::restore(setup)?, dt: setup.dt })
    }

    /// [`CrowdPlayer::new`] for the setup block of a replay file: field paths begin with `setup`.
    ///
    /// # Errors
    /// Stage restore: as [`Crowd::restore`].
    pub fn of_replay<B: AsRef<[u8]>>(setup: &Setup<B>) -> Result<CrowdPlayer, Error> {
        let path = Path::ROOT.field("setup");
        Ok(CrowdPlayer { crowd: Crowd::restore_within(setup, &path)?, dt: setup.dt })
    }

    /// How many threads a step uses at most. Results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.crowd.set_threads(threads);
    }

    /// The crowd.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The setup block of the crowd as it is now.
    ///
    /// # Errors
    /// Where mesh or state are larger than the file layout can say.
    pub fn setup_now(&self) -> Result<Vec<u8>, TooLarge> {
        let mut out = Vec::new();
        self.crowd.setup(self.dt).write(&mut out)?;
        Ok(out)
    }

    /// Applies the operations of step `index` (from 0), then steps. Gives the state hash after it.
    ///
    /// # Errors
    /// Stage play: an operation that names an agent which is not in the crowd, agent options out of range, or a counter at its
    /// end. The crowd is then as the operations before the wrong one left it.
    pub fn play_step<B: AsRef<[u8]>>(&mut self, index: u64, step: &Step<B>) -> Result<u64, Error> {
        let steps = Path::ROOT.field("steps");
        let path = steps.index(index);
        self.apply_operations(step, &path.field("operations"))?;
        self.crowd
            .step(self.dt)
            .map_err(|error| Error::of_field(error.code(), Stage::Play, path, error, "a crowd that can step"))?;
        Ok(self.crowd.state_hash())
    }

    /// Applies operations without stepping. `path` is the field path of their list.
    ///
    /// # Errors
    /// As [`CrowdPlayer::play_step`].
    pub fn apply_operations<B: AsRef<[u8]>>(&mut self, step: &Step<B>, path: &Path<'_>) -> Result<(), Error> {
        for (number, item) in step.operations(*path, SettingsExtent::OURS).enumerate() {
            let (offset, operation) = item?;
            self.apply(&operation, offset, &path.item(number))?;
        }
        Ok(())
    }

    fn apply(&mut self, operation: &Operation<'_>, offset: u64, path: &Path<'_>) -> Result<(), Error> {
        let result = match operation {
            Operation::Add { position, settings, settings_offset } => {
                let settings_path = path.field("settings");
                let options = AgentOptions::read(settings, *settings_offset, &settings_path, Stage::Play)?;
                self.crowd.try_add(position, &options).map(|_| ())
            }
            Operation::Remove { agent } => self.crowd.remove(*agent),
            Operation::SetDestination { agent, destination } => self.crowd.set_destination(*agent, destination),
            Operation::Stop { agent } => self.crowd.stop(*agent),
            Operation::Teleport { agent, position } => self.crowd.teleport(*agent, position),
        };
        result.map_err(|error| match error {
            CrowdError::UnknownAgent { id } => {
                // The id stands after the kind byte.
                let expected = "the id of an agent that is in the crowd";
                Error::at(Code::UnknownAgent, Stage::Play, offset + 1, path.field("agent"), id, expected)
            }
            other => Error::at(other.code(), Stage::Play, offset, path, other, "an operation that the crowd can do"),
        })
    }
}

/// The first step whose replayed hash is not the recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// Its number, from 0.
    pub step: u64,
    /// The hash in the replay.
    pub recorded: u64,
    /// The hash of the replayed crowd.
    pub replayed: u64,
}

/// Plays a whole replay with at most `threads` threads and gives the first step whose hash differs from the recorded one.
///
/// # Errors
/// Stages restore and play: as [`CrowdPlayer::of_replay`] and [`CrowdPlayer::play_step`].
pub fn find_mismatch<B: AsRef<[u8]>>(replay: &Replay<B>, threads: usize) -> Result<Option<Mismatch>, Error> {
    let mut player = CrowdPlayer::of_replay(&replay.setup)?;
    player.set_threads(threads);
    for (index, step) in (0..).zip(&replay.steps) {
        let replayed = player.play_step(index, step)?;
        if replayed != step.hash {
            return Ok(Some(Mismatch { step: index, recorded: step.hash, replayed }));
        }
    }
    Ok(None)
}
