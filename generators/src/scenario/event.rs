//! What happens before a step.

use serde::Deserialize;

use super::{Group, Ids, ScenarioError, To};

/// Something that happens before a step: exactly one of the things it can be.
///
/// `{ step = 30, stop = "1..=4" }`, `{ step = 40, teleport = { agents = 7, to = { point = [1.0, 0.0, 2.0] } } }`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Before which step.
    pub step: i64,
    /// How often, and how far apart; once where this says nothing.
    #[serde(default)]
    pub repeat: Option<Repeat>,
    /// Agents are added (the group's own `step` is not looked at).
    #[serde(default)]
    pub add: Option<Group>,
    /// Agents are removed.
    #[serde(default)]
    pub remove: Option<Ids>,
    /// Agents get destinations.
    #[serde(default)]
    pub destination: Option<Move>,
    /// Agents are stopped.
    #[serde(default)]
    pub stop: Option<Ids>,
    /// Agents are put elsewhere.
    #[serde(default)]
    pub teleport: Option<Move>,
}

/// How often something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// How many steps apart.
    pub every: u32,
    /// How many times in all.
    pub times: u32,
}

/// Agents and where they go, from where they are at that moment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Which.
    pub agents: Ids,
    /// Where to.
    pub to: To,
}

/// The one thing that an event is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Action<'e> {
    Add(&'e Group),
    Remove(&'e Ids),
    Destination(&'e Move),
    Stop(&'e Ids),
    Teleport(&'e Move),
}

impl Event {
    /// The one thing that it is; `index` is its number.
    pub(super) fn action(&self, index: usize) -> Result<Action<'_>, ScenarioError> {
        let all = [
            self.add.as_ref().map(Action::Add),
            self.remove.as_ref().map(Action::Remove),
            self.destination.as_ref().map(Action::Destination),
            self.stop.as_ref().map(Action::Stop),
            self.teleport.as_ref().map(Action::Teleport),
        ];
        let mut given = all.into_iter().flatten();
        match (given.next(), given.count()) {
            (Some(action), 0) => Ok(action),
            (None, _) => Err(ScenarioError::Event { index, found: 0 }),
            (Some(_), more) => Err(ScenarioError::Event { index, found: more + 1 }),
        }
    }

    /// The steps before which it happens.
    pub(super) fn steps(&self) -> impl Iterator<Item = i64> {
        let Repeat { every, times } = self.repeat.unwrap_or(Repeat { every: 1, times: 1 });
        let first = self.step;
        (0..i64::from(times)).map(move |time| first.saturating_add(time.saturating_mul(i64::from(every))))
    }
}
