//! Scenarios: what a host does to a crowd, written down in TOML, and recorded.
//!
//! Steps are numbered from the first recorded one, so that the steps of a warm-up have negative numbers. Before each step come
//! the groups and then the events of its number, in the order in which they stand.
//!
//! ```
//! let scenario: generators::scenario::Scenario = toml::from_str(r#"
//! scene = "corridor"
//! dt = 0.0625
//! steps = 40
//! events = [{ step = 30, stop = "1..=2" }, { step = 35, remove = 4 }]
//! [[groups]]
//! at = { grid = { from = [1.0, 0.0, 1.0], columns = 2, count = 4, spacing = [1.0, 1.0] } }
//! to = { mirror_x = 18.0 }
//! "#)?;
//! let recorded = scenario.record()?;
//! let replay = replay_format::Replay::read(&recorded.replay)?;
//! assert_eq!(replay.steps.len(), 40);
//! assert_eq!(crowd_engine::find_mismatch(&replay, 1)?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod event;
mod places;
mod record;

use std::fmt;

use crowd_engine::{CrowdOptions, RecorderError};
use replay_format::{Bits64, CrowdOptionsBits, Path};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::scene::{Scene, SceneError, named};

pub use agents::{AgentSettings, FollowerSettings, Ids};
pub use event::{Event, Move, Repeat};
pub use places::{At, Circle, Grid, Random, Same, To};
pub use record::Recorded;

/// A crowd run to record.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Where it happens: the name of a scene, or a scene. Either this or `build`.
    #[serde(default, deserialize_with = "scene")]
    pub scene: Option<Scene>,
    /// Where it happens: on the mesh of a build input, by its name in the corpus (`builds/NAME.opbi`). Either this or `scene`.
    #[serde(default)]
    pub build: Option<String>,
    /// The time step, seconds.
    pub dt: f64,
    /// How many steps are recorded.
    pub steps: u32,
    /// How many steps are taken before the recording begins.
    #[serde(default)]
    pub warmup: u32,
    /// The crowd options.
    #[serde(default)]
    pub crowd: CrowdSettings,
    /// Agents that are added together.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// What else happens.
    #[serde(default)]
    pub events: Vec<Event>,
    /// When a viewer attaches, for a live capture.
    #[serde(default)]
    pub live: Option<Attach>,
    /// Recorded steps whose hashes are made wrong in the replay.
    #[serde(default)]
    pub corrupt_hash: Vec<u32>,
}

/// Crowd options; the defaults of [`CrowdOptions`] where they say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrowdSettings {
    /// The most agents at a time.
    pub max_agents: i32,
    /// The most nodes that one path search opens.
    pub query_nodes: i32,
    /// Where a search puts its nodes: 0 or 1.
    pub query_node_model: u8,
    /// The most walls that an agent keeps.
    pub max_walls_per_agent: i32,
    /// How far an agent moves before its walls are searched again, metres.
    pub wall_refresh_distance: f64,
    /// The most of its walls that an agent avoids in a step.
    pub max_walls_avoided: i32,
}

impl Default for CrowdSettings {
    fn default() -> CrowdSettings {
        let bits = CrowdOptions::default().to_bits();
        CrowdSettings {
            max_agents: bits.max_agents,
            query_nodes: bits.query_nodes,
            query_node_model: bits.query_node_model,
            max_walls_per_agent: bits.max_walls_per_agent,
            wall_refresh_distance: bits.wall_refresh_distance.value(),
            max_walls_avoided: bits.max_walls_avoided,
        }
    }
}

impl CrowdSettings {
    fn options(&self) -> Result<CrowdOptions, ScenarioError> {
        let bits = CrowdOptionsBits {
            max_agents: self.max_agents,
            query_nodes: self.query_nodes,
            query_node_model: self.query_node_model,
            max_walls_per_agent: self.max_walls_per_agent,
            wall_refresh_distance: Bits64::new(self.wall_refresh_distance),
            max_walls_avoided: self.max_walls_avoided,
        };
        bits.validate(&Path::ROOT.field("crowd")).map_err(ScenarioError::Options)
    }
}

/// Agents that are added together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Before which step; before the first of all, warm-up included, where this says nothing.
    #[serde(default)]
    pub step: Option<i64>,
    /// Where.
    pub at: At,
    /// Their settings.
    #[serde(default)]
    pub agent: AgentSettings,
    /// Their destinations, which each gets as soon as it is added; none where this says nothing.
    #[serde(default)]
    pub to: Option<To>,
}

/// When a viewer attaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// In or before which recorded step. The number of steps: after the last one.
    pub step: u32,
    /// After how many operations of that step.
    #[serde(default)]
    pub after: u32,
}

/// Why a scenario cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The scene is refused.
    #[error("scene: {0}")]
    Scene(#[from] SceneError),
    /// There is no one place where it happens.
    #[error("a scenario has either `scene` or `build`, and not both")]
    Ground,
    /// There is no mesh of the build input.
    #[error("build input {name}: {why}")]
    Build {
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
    /// A crowd option is refused.
    #[error("{0}")]
    Options(replay_format::Error),
    /// The recorder or the crowd refuses something.
    #[error("step {step}: {error}")]
    Refused {
        /// Before or in which step.
        step: i64,
        /// Why.
        #[source]
        error: RecorderError,
    },
    /// An event does not say exactly one thing.
    #[error("event {index} must have exactly one of add, destination, remove, stop and teleport; it has {found}")]
    Event {
        /// Its number, from 0.
        index: usize,
        /// How many it has.
        found: usize,
    },
    /// Something is to happen in a step that does not come.
    #[error("{what} is at step {step}, but the steps are {first} to {last}")]
    Step {
        /// What.
        what: String,
        /// Its step.
        step: i64,
        /// The first step.
        first: i64,
        /// The last one, before which things can happen.
        last: i64,
    },
    /// The viewer is to attach after more operations than the step has.
    #[error("live attaches after {after} operations of step {step}, which has {found}")]
    Attach {
        /// The step.
        step: u32,
        /// After how many.
        after: u32,
        /// How many there are.
        found: u32,
    },
    /// A list or number of places does not fit.
    #[error("{0}")]
    Places(String),
}

/// The name of a scene, or a scene.
fn scene<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Scene>, D::Error> {
    struct NameOrScene;

    impl<'de> Visitor<'de> for NameOrScene {
        type Value = Scene;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the name of a scene, or a scene")
        }

        fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Scene, E> {
            named(name).map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Scene, A::Error> {
            Scene::deserialize(MapAccessDeserializer::new(map)).map_err(A::Error::custom)
        }
    }

    deserializer.deserialize_any(NameOrScene).map(Some)
}

#[cfg(test)]
mod tests;
