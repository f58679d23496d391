//! Settings of agents, and which agents an event means.

use std::fmt;
use std::ops::RangeInclusive;

use crowd_engine::{AgentOptions, PathFollower};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Agent options; the defaults of [`AgentOptions`] where they say nothing, and with their ranges.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// Metres.
    pub radius: f64,
    /// Metres.
    pub height: f64,
    /// Metres a second.
    pub max_speed: f64,
    /// Metres a second squared.
    pub max_acceleration: f64,
    /// Metres.
    pub neighbour_distance: f64,
    /// Seconds.
    pub agent_horizon: f64,
    /// Seconds.
    pub wall_horizon: f64,
    /// Metres.
    pub wall_clearance: f64,
    /// The most neighbours that are avoided.
    pub max_neighbours: u8,
    /// Path-follower settings, where the agent has them.
    pub follower: Option<FollowerSettings>,
}

/// Path-follower settings; the defaults of [`PathFollower`] where they say nothing, and with their ranges.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FollowerSettings {
    /// Metres.
    pub arrival_distance: f64,
    /// Metres.
    pub slowing_distance: f64,
    /// 0 to 1.
    pub corner_cut: f64,
}

impl Default for AgentSettings {
    fn default() -> AgentSettings {
        let options = AgentOptions::default();
        AgentSettings {
            radius: options.radius,
            height: options.height,
            max_speed: options.max_speed,
            max_acceleration: options.max_acceleration,
            neighbour_distance: options.neighbour_distance,
            agent_horizon: options.agent_horizon,
            wall_horizon: options.wall_horizon,
            wall_clearance: options.wall_clearance,
            max_neighbours: options.max_neighbours,
            follower: None,
        }
    }
}

impl Default for FollowerSettings {
    fn default() -> FollowerSettings {
        let PathFollower { arrival_distance, slowing_distance, corner_cut } = PathFollower::default();
        FollowerSettings { arrival_distance, slowing_distance, corner_cut }
    }
}

impl AgentSettings {
    /// As the crowd takes them.
    #[must_use]
    pub fn options(&self) -> AgentOptions {
        let follower = |settings: FollowerSettings| PathFollower {
            arrival_distance: settings.arrival_distance,
            slowing_distance: settings.slowing_distance,
            corner_cut: settings.corner_cut,
        };
        AgentOptions {
            radius: self.radius,
            height: self.height,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            neighbour_distance: self.neighbour_distance,
            agent_horizon: self.agent_horizon,
            wall_horizon: self.wall_horizon,
            wall_clearance: self.wall_clearance,
            max_neighbours: self.max_neighbours,
            follower: self.follower.map(follower),
        }
    }
}

/// Which agents: `3`, `[3, 5]`, `"3..=9"` or `"all"`.
///
/// Agents that are named one by one must be in the crowd; of a range, or of all, those are meant that are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ids {
    /// These.
    Listed(Vec<i64>),
    /// Those of these that are in the crowd.
    Within(RangeInclusive<i64>),
}

impl Ids {
    /// The ids, given those that are in the crowd.
    #[must_use]
    pub fn among(&self, present: impl Iterator<Item = i64>) -> Vec<i64> {
        match self {
            Ids::Listed(ids) => ids.clone(),
            Ids::Within(range) => present.filter(|id| range.contains(id)).collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ids, D::Error> {
        deserializer.deserialize_any(IdsVisitor)
    }
}

struct IdsVisitor;

impl<'de> Visitor<'de> for IdsVisitor {
    type Value = Ids;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an agent's id, a list of them, a range such as \"3..=9\", or \"all\"")
    }

    fn visit_i64<E: Error>(self, id: i64) -> Result<Ids, E> {
        Ok(Ids::Listed(vec![id]))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Ids, E> {
        if text == "all" {
            return Ok(Ids::Within(1..=i64::MAX));
        }
        let range = text.split_once("..=").and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
        range
            .map(Ids::Within)
            .ok_or_else(|| E::custom(format!("{text:?} is neither \"all\" nor a range such as \"3..=9\"")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ids, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = items.next_element()? {
            ids.push(id);
        }
        Ok(Ids::Listed(ids))
    }
}
