//! The crowd options: six numbers of the setup block, validated when the crowd is restored. SPEC.md, chapter CO.

use std::fmt;

use crate::error::{Code, Error, Stage};
use crate::fields::{Bits64, Fields};
use crate::limits;
use crate::path::Path;
use crate::source::Source;

/// Crowd options as they stand in a file, not validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrowdOptionsBits {
    /// `MaxAgents`.
    pub max_agents: i32,
    /// `QueryNodes`.
    pub query_nodes: i32,
    /// `QueryNodeModel`.
    pub query_node_model: u8,
    /// `MaxWallsPerAgent`.
    pub max_walls_per_agent: i32,
    /// `WallRefreshDistance`, metres.
    pub wall_refresh_distance: Bits64,
    /// `MaxWallsAvoided`.
    pub max_walls_avoided: i32,
}

impl CrowdOptionsBits {
    pub(crate) fn read_from<S: Source>(source: &mut S, path: &Path<'_>) -> Result<CrowdOptionsBits, S::Error> {
        Ok(CrowdOptionsBits {
            max_agents: source.read_i32(&path.field("max_agents"))?,
            query_nodes: source.read_i32(&path.field("query_nodes"))?,
            query_node_model: source.read_u8(&path.field("query_node_model"))?,
            max_walls_per_agent: source.read_i32(&path.field("max_walls_per_agent"))?,
            wall_refresh_distance: source.read_bits(&path.field("wall_refresh_distance"))?,
            max_walls_avoided: source.read_i32(&path.field("max_walls_avoided"))?,
        })
    }

    /// Appends the 25 bytes of the options.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.max_agents.to_le_bytes());
        out.extend_from_slice(&self.query_nodes.to_le_bytes());
        out.push(self.query_node_model);
        out.extend_from_slice(&self.max_walls_per_agent.to_le_bytes());
        out.extend_from_slice(&self.wall_refresh_distance.0.to_le_bytes());
        out.extend_from_slice(&self.max_walls_avoided.to_le_bytes());
    }

    /// Checks every option, in file order. `path` is the field path of the options.
    ///
    /// # Errors
    /// `option-out-of-range` (stage restore, no offset) for the first that is outside its range.
    pub fn validate(&self, path: &Path<'_>) -> Result<CrowdOptions, Error> {
        let check = |field, found: &dyn fmt::Display, ok, expected: fmt::Arguments<'_>| {
            check(&path.field(field), found, ok, expected)
        };
        let counts = [
            ("max_agents", self.max_agents, 1, limits::MAX_AGENTS_MAX),
            ("query_nodes", self.query_nodes, 1, limits::QUERY_NODES_MAX),
            ("query_node_model", i32::from(self.query_node_model), 0, i32::from(limits::QUERY_NODE_MODEL_MAX)),
            ("max_walls_per_agent", self.max_walls_per_agent, 0, limits::WALLS_PER_AGENT_MAX),
        ];
        for (field, value, min, max) in counts {
            check(field, &value, value >= min && value <= max, format_args!("{min} to {max}"))?;
        }
        let refresh = self.wall_refresh_distance.value();
        let in_range = (0.0..=limits::WALL_REFRESH_MAX).contains(&refresh);
        let allowed = format_args!("0.0 to {:?}", limits::WALL_REFRESH_MAX);
        check("wall_refresh_distance", &self.wall_refresh_distance, in_range, allowed)?;
        let avoided = self.max_walls_avoided;
        let in_range = (0..=limits::WALLS_AVOIDED_MAX).contains(&avoided);
        let allowed = format_args!("0 to {}", limits::WALLS_AVOIDED_MAX);
        check("max_walls_avoided", &avoided, in_range, allowed)?;
        Ok(CrowdOptions {
            max_agents: self.max_agents,
            query_nodes: self.query_nodes,
            query_node_model: if self.query_node_model == 0 {
                NodeModel::PortalMidpoint
            } else {
                NodeModel::PortalCrossing
            },
            max_walls_per_agent: self.max_walls_per_agent,
            wall_refresh_distance: refresh,
            max_walls_avoided: avoided,
        })
    }
}

fn check(field: &Path<'_>, found: impl fmt::Display, ok: bool, expected: fmt::Arguments<'_>) -> Result<(), Error> {
    if ok { Ok(()) } else { Err(Error::of_field(Code::OptionOutOfRange, Stage::Restore, field, found, expected)) }
}

/// Where a search puts the node of a polygon that it enters through a portal: `QueryNodeModel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeModel {
    /// 0: at the portal's midpoint.
    #[default]
    PortalMidpoint,
    /// 1: where the straight way from the parent node to the goal crosses the portal, clamped to the portal's ends.
    PortalCrossing,
}

/// Valid crowd options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdOptions {
    /// The most agents at a time, 1 to 1,000,000. Memory is taken as agents come.
    pub max_agents: i32,
    /// The most nodes that one path search opens, 1 to 1,000,000.
    pub query_nodes: i32,
    /// Where a search puts its nodes.
    pub query_node_model: NodeModel,
    /// The most walls that an agent keeps, 0 to 64.
    pub max_walls_per_agent: i32,
    /// How far an agent moves before its walls are searched again, metres, 0 to 1024.
    pub wall_refresh_distance: f64,
    /// The most of its walls that an agent avoids in a step, 0 to 64.
    pub max_walls_avoided: i32,
}

impl CrowdOptions {
    /// The options as a setup block holds them.
    #[must_use]
    pub fn to_bits(&self) -> CrowdOptionsBits {
        CrowdOptionsBits {
            max_agents: self.max_agents,
            query_nodes: self.query_nodes,
            query_node_model: match self.query_node_model {
                NodeModel::PortalMidpoint => 0,
                NodeModel::PortalCrossing => 1,
            },
            max_walls_per_agent: self.max_walls_per_agent,
            wall_refresh_distance: Bits64::new(self.wall_refresh_distance),
            max_walls_avoided: self.max_walls_avoided,
        }
    }
}

impl Default for CrowdOptions {
    /// 1,000 agents, 2,048 nodes at portal midpoints, 16 walls kept within 0.5 m of moving, 8 avoided.
    fn default() -> CrowdOptions {
        CrowdOptions {
            max_agents: 1000,
            query_nodes: 2048,
            query_node_model: NodeModel::PortalMidpoint,
            max_walls_per_agent: 16,
            wall_refresh_distance: 0.5,
            max_walls_avoided: 8,
        }
    }
}
