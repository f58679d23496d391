//! Agent options: the settings of one agent, as an `Add` operation and the crowd state hold them. SPEC.md, chapter AO.

use crate::Error;
use crate::error::Stage;
use crate::fields::{Fields, write_f64};
use crate::limits;
use crate::path::Path;
use crate::source::{Slice, Source};

/// The settings of one agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentOptions {
    /// Radius of the agent's disc, metres, 0 to 1024.
    pub radius: f64,
    /// Height of the agent, metres, 0 to 1024. Agents whose heights do not overlap ignore each other.
    pub height: f64,
    /// The highest speed before collision pushes, metres a second, 0 to 1024.
    pub max_speed: f64,
    /// The highest change of velocity before collision pushes, metres a second squared, 0 to 65,536.
    pub max_acceleration: f64,
    /// How far away another agent can be to be seen, metres, 0 to 1024, between centres.
    pub neighbour_distance: f64,
    /// How far ahead collisions with agents are avoided, seconds, 1/64 to 64.
    pub agent_horizon: f64,
    /// How far ahead collisions with walls are avoided, seconds, 1/64 to 64.
    pub wall_horizon: f64,
    /// How far the agent's centre stays from walls, metres, 0 to 1024. The radius on a mesh that reaches to the real walls; 0
    /// on one that was shrunk by the radius when it was built.
    pub wall_clearance: f64,
    /// The most neighbours that are avoided, 0 to 32.
    pub max_neighbours: u8,
    /// Path-follower settings; the defaults of [`PathFollower`] where there are none.
    pub follower: Option<PathFollower>,
}

/// How an agent follows its path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathFollower {
    /// The agent has arrived when it is this close to its target, metres, 0 to 1024.
    pub arrival_distance: f64,
    /// Nearer to its target than this, the agent slows down in proportion, metres, 0 to 1024.
    pub slowing_distance: f64,
    /// How much a corner is cut in favour of the one after it, 0 to 1.
    pub corner_cut: f64,
}

impl Default for AgentOptions {
    /// A person: radius 0.3 m, height 1.8 m, 1.4 m/s, 8 m/s².
    fn default() -> AgentOptions {
        AgentOptions {
            radius: 0.3,
            height: 1.8,
            max_speed: 1.4,
            max_acceleration: 8.0,
            neighbour_distance: 4.0,
            agent_horizon: 0.5,
            wall_horizon: 0.25,
            wall_clearance: 0.3,
            max_neighbours: 12,
            follower: None,
        }
    }
}

impl Default for PathFollower {
    /// Arrives within 0.125 m, slows within 0.5 m, cuts no corner.
    fn default() -> PathFollower {
        PathFollower { arrival_distance: 0.125, slowing_distance: 0.5, corner_cut: 0.0 }
    }
}

impl AgentOptions {
    /// Reads the agent options that are all of `bytes`, which begin at `offset` of the outermost file.
    ///
    /// # Errors
    /// The first check of chapter AO that fails, in stage `stage`.
    pub fn read(bytes: &[u8], offset: u64, path: &Path<'_>, stage: Stage) -> Result<AgentOptions, Error> {
        let mut source = Slice::within(bytes, offset, stage);
        let options = AgentOptions::read_from(&mut source, path)?;
        source.read_end(path)?;
        Ok(options)
    }

    pub(crate) fn read_from<S: Source>(source: &mut S, path: &Path<'_>) -> Result<AgentOptions, S::Error> {
        let mut ranged = |name, min, max| source.read_ranged(&path.field(name), min, max);
        let radius = ranged("radius", 0.0, limits::RADIUS_MAX)?;
        let height = ranged("height", 0.0, limits::HEIGHT_MAX)?;
        let max_speed = ranged("max_speed", 0.0, limits::SPEED_MAX)?;
        let max_acceleration = ranged("max_acceleration", 0.0, limits::ACCELERATION_MAX)?;
        let neighbour_distance = ranged("neighbour_distance", 0.0, limits::NEIGHBOUR_DISTANCE_MAX)?;
        let agent_horizon = ranged("agent_horizon", limits::HORIZON_MIN, limits::HORIZON_MAX)?;
        let wall_horizon = ranged("wall_horizon", limits::HORIZON_MIN, limits::HORIZON_MAX)?;
        let wall_clearance = ranged("wall_clearance", 0.0, limits::WALL_CLEARANCE_MAX)?;
        let max_neighbours = source.read_byte_up_to(&path.field("max_neighbours"), limits::NEIGHBOURS_MAX)?;
        let follower = if source.read_flag(&path.field("has_follower"))? {
            let path = path.field("follower");
            let mut ranged = |name, max| source.read_ranged(&path.field(name), 0.0, max);
            Some(PathFollower {
                arrival_distance: ranged("arrival_distance", limits::ARRIVAL_DISTANCE_MAX)?,
                slowing_distance: ranged("slowing_distance", limits::SLOWING_DISTANCE_MAX)?,
                corner_cut: ranged("corner_cut", limits::CORNER_CUT_MAX)?,
            })
        } else {
            None
        };
        Ok(AgentOptions {
            radius,
            height,
            max_speed,
            max_acceleration,
            neighbour_distance,
            agent_horizon,
            wall_horizon,
            wall_clearance,
            max_neighbours,
            follower,
        })
    }

    /// Appends the 66 bytes of the options, or 90 with path-follower settings.
    pub fn write(&self, out: &mut Vec<u8>) {
        for value in [
            self.radius,
            self.height,
            self.max_speed,
            self.max_acceleration,
            self.neighbour_distance,
            self.agent_horizon,
            self.wall_horizon,
            self.wall_clearance,
        ] {
            write_f64(out, value);
        }
        out.push(self.max_neighbours);
        match &self.follower {
            None => out.push(0),
            Some(follower) => {
                out.push(1);
                for value in [follower.arrival_distance, follower.slowing_distance, follower.corner_cut] {
                    write_f64(out, value);
                }
            }
        }
    }

    /// The options' bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(90);
        self.write(&mut out);
        out
    }
}
