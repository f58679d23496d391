//! What an agent computed in a step, for those who want to see why: SPEC.md's worked step, and mismatches explained.

use super::HalfPlane;

/// The intermediate values of one agent in one step. Names are those of SPEC.md, chapter STEP.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentTrace {
    /// The agent's id.
    pub id: i64,
    /// Its task's byte after the path request (STEP-1).
    pub task: u8,
    /// Its corridor after the path request; empty where it follows none.
    pub corridor: Vec<u32>,
    /// The wish (STEP-5), metres a second.
    pub wish: [f64; 2],
    /// The reach (STEP-5), metres.
    pub reach: f64,
    /// Neighbours (STEP-2), nearest first: id and squared distance.
    pub neighbours: Vec<(i64, f64)>,
    /// How many of the planes come from walls.
    pub walls: usize,
    /// Half-planes: walls (STEP-4), then neighbours (STEP-6).
    pub planes: Vec<HalfPlane>,
    /// The preferred velocity after the side-step (STEP-8).
    pub preferred: [f64; 2],
    /// The linear program's solution (STEP-9).
    pub wanted: [f64; 2],
    /// The new velocity (STEP-8).
    pub velocity: [f64; 2],
    /// Where it takes the agent before pushes (STEP-8), metres.
    pub aim: [f64; 2],
    /// The push of collisions (STEP-10), metres.
    pub push: [f64; 2],
    /// The new position (STEP-11), metres.
    pub position: [f64; 3],
    /// The new polygon (STEP-11).
    pub polygon: u32,
}
