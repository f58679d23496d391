//! Random streams of valid operations, as a proptest strategy that shrinks to few operations.
//!
//! A [`Stream`] does not name agents: it *picks* them, and a pick becomes an id only when the stream is played, among the
//! agents that are in the crowd at that moment. So every stream is valid, and stays so when proptest takes steps, operations or
//! agents out of it: an operation that finds no agent to pick is left out.
//!
//! ```
//! use generators::strategy::stream_of_seed;
//!
//! let recorded = stream_of_seed(7).record()?;
//! let replay = replay_format::Replay::read(&recorded.replay)?;
//! assert_eq!(crowd_engine::find_mismatch(&replay, 2)?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod parts;
#[cfg(test)]
mod tests;

use std::sync::mpsc;

use crowd_engine::{AgentOptions, Crowd, CrowdOptions, CrowdRecorder, Point};
use proptest::strategy::{Just, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{collection::vec, prop_oneof};

use crate::scenario::{Recorded, ScenarioError};
use crate::scene::named;
use crate::splitmix::SplitMix64;

/// A run of a crowd: which one, and what happens to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// The name of the scene.
    pub scene: &'static str,
    /// The crowd options.
    pub options: CrowdOptions,
    /// The time step, seconds.
    pub dt: f64,
    /// What happens before each step.
    pub steps: Vec<Vec<Action>>,
    /// What happens after the last step.
    pub trailing: Vec<Action>,
    /// After how many calls of the recorder, operations and steps alike, a viewer attaches; counted from the first one again
    /// where there are fewer.
    pub attach: usize,
}

/// Something that a host does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// Adds an agent.
    Add {
        /// Where, metres; not always on the mesh.
        position: Point,
        /// Its options.
        options: AgentOptions,
    },
    /// Removes an agent.
    Remove {
        /// Which of those that are there.
        pick: usize,
    },
    /// Gives an agent a destination.
    SetDestination {
        /// Which of those that are there.
        pick: usize,
        /// Where to, metres; not always on the mesh.
        destination: Point,
    },
    /// Stops an agent.
    Stop {
        /// Which of those that are there.
        pick: usize,
    },
    /// Puts an agent elsewhere.
    Teleport {
        /// Which of those that are there.
        pick: usize,
        /// Where, metres; not always on the mesh.
        position: Point,
    },
}

/// Streams of up to 12 steps of up to 5 operations, on the small scenes, with crowds that are soon full.
pub fn streams() -> impl Strategy<Value = Stream> {
    let scene = prop_oneof![Just("room"), Just("islands"), Just("stairs"), Just("bridge"), Just("door")];
    let steps = vec(vec(parts::action(), 0..=5), 0..=12);
    let trailing = vec(parts::action(), 0..=2);
    (scene, parts::crowd_options(), parts::time_step(), steps, trailing, 0..40_usize).prop_map(
        |(scene, options, dt, steps, trailing, attach)| Stream { scene, options, dt, steps, trailing, attach },
    )
}

/// The stream of a seed: always the same one (for the same version of this crate and of proptest).
#[must_use]
pub fn stream_of_seed(seed: u64) -> Stream {
    let mut random = SplitMix64::new(seed);
    let bytes: Vec<u8> = (0..4).flat_map(|_| random.next_u64().to_le_bytes()).collect();
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, random);
    match streams().new_tree(&mut runner) {
        Ok(tree) => tree.current(),
        Err(why) => unreachable!("the strategy rejects nothing: {why}"),
    }
}

/// Something that a host did: an operation or a step.
type Call<'s> = Option<&'s Action>;

impl Stream {
    /// Plays the stream through the recorder.
    ///
    /// # Errors
    /// Where the recorder refuses a call: that is a fault, since every stream is valid.
    pub fn record(&self) -> Result<Recorded, ScenarioError> {
        let refused =
            |step: usize| move |error| ScenarioError::Refused { step: i64::try_from(step).unwrap_or(i64::MAX), error };
        let crowd = Crowd::new(named(self.scene)?.mesh()?, self.options);
        let mut recorder = CrowdRecorder::new(crowd, self.dt).map_err(refused(0))?;
        let calls = self.calls();
        let attach = self.attach % (calls.len() + 1);
        let (sender, records) = mpsc::channel();
        let mut live = Vec::new();
        let mut step = 0;
        for number in 0..=calls.len() {
            if number == attach {
                live = recorder.write_snapshot().map_err(refused(step))?;
                let sender = sender.clone();
                recorder.on_record(Box::new(move |record| drop(sender.send(record.to_vec()))));
            }
            match calls.get(number) {
                Some(Some(action)) => action.call(&mut recorder).map_err(refused(step))?,
                Some(None) => {
                    recorder.step().map_err(refused(step))?;
                    step += 1;
                }
                None => {}
            }
        }
        records.try_iter().for_each(|record: Vec<u8>| live.extend(record));
        let replay = recorder.replay_bytes().map_err(refused(step))?;
        Ok(Recorded { replay, live: Some(live) })
    }

    /// Everything that the host does, in order; a step is none.
    fn calls(&self) -> Vec<Call<'_>> {
        let mut calls: Vec<Call<'_>> = Vec::new();
        for actions in &self.steps {
            calls.extend(actions.iter().map(Some));
            calls.push(None);
        }
        calls.extend(self.trailing.iter().map(Some));
        calls
    }
}

impl Action {
    /// Does it, where there is an agent to do it to.
    fn call(&self, recorder: &mut CrowdRecorder) -> Result<(), crowd_engine::RecorderError> {
        let agents = recorder.crowd().agents();
        let picked = |pick: usize| agents.get(pick % agents.len().max(1)).map(|agent| agent.id);
        match *self {
            Action::Add { position, options } => recorder.try_add(&position, &options).map(drop),
            Action::Remove { pick } => picked(pick).map_or(Ok(()), |id| recorder.remove(id)),
            Action::SetDestination { pick, destination } => {
                picked(pick).map_or(Ok(()), |id| recorder.set_destination(id, &destination))
            }
            Action::Stop { pick } => picked(pick).map_or(Ok(()), |id| recorder.stop(id)),
            Action::Teleport { pick, position } => picked(pick).map_or(Ok(()), |id| recorder.teleport(id, &position)),
        }
    }
}
