//! Where an agent wants to go: path requests, corridors, and the preferred velocity. SPEC.md `[STEP-3]` to `[STEP-5]`.

use replay_format::{AgentRecord, CrowdOptions, PathFollower, Task};

use super::avoid::{away_from_wall, dot};
use super::{snap_extents, surface_point};
use crate::{FoundPath, NavMesh, PathScratch, QueryFilter, SurfacePoint, distance_squared};

/// Beyond this many polygons put before a corridor by detours, a new way is looked for.
const DETOUR_LIMIT: usize = 8;
/// How often a target is moved away from the nearest wall.
const CLEARANCE_ROUNDS: usize = 4;
/// How far a step may go past a corner that is not the target, metres. A step that ended at the corner would come ever nearer to it
/// and never be past it, where walls meet there.
const PAST_CORNER: f64 = 1.0 / 64.0;
/// A corner nearer than this is cut, metres.
const CORNER_CUT_REACH: f64 = 1.0;

/// What an agent wants in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Wish {
    /// The preferred velocity, metres a second.
    pub(super) velocity: [f64; 2],
    /// How far it may be displaced before collision pushes, metres.
    pub(super) reach: f64,
    /// Nothing but the target is left of its way.
    pub(super) sees_target: bool,
}

/// Looks for a way, where the agent has asked for one.
pub(super) fn request_path(
    agent: &mut AgentRecord,
    mesh: &NavMesh,
    options: &CrowdOptions,
    filter: Option<&QueryFilter>,
    scratch: &mut PathScratch,
) {
    let Task::Requested { destination } = agent.task else { return };
    let Some(goal) = mesh.nearest(&destination, snap_extents(&agent.options), filter) else {
        agent.task = Task::Unreachable;
        return;
    };
    let start = surface_point(agent);
    let nodes = usize::try_from(options.query_nodes).unwrap_or(0);
    let FoundPath { corridor, partial, .. } =
        mesh.find_path_with(scratch, &start, &goal, nodes, options.query_node_model, filter);
    let last = corridor.last().copied().unwrap_or(agent.polygon);
    let end = if partial { mesh.clamp_to_polygon(last, [goal.point[0], goal.point[2]]) } else { goal.point };
    let target = clear_of_walls(SurfacePoint { polygon: last, point: end }, agent.options.wall_clearance, mesh, filter);
    if partial && corridor.len() <= 1 && has_arrived(agent, &target) {
        agent.task = Task::Blocked;
        return;
    }
    agent.task = Task::Following { destination, target, corridor, partial };
}

/// Moves a target away from walls, so that an agent that keeps its clearance can reach it: up to four times by what is missing
/// to the nearest wall.
fn clear_of_walls(from: SurfacePoint, clearance: f64, mesh: &NavMesh, filter: Option<&QueryFilter>) -> [f64; 3] {
    let (mut at, mut walls, mut visited) = (from, Vec::new(), Vec::new());
    for _ in 0..CLEARANCE_ROUNDS {
        walls.clear();
        mesh.walls_near(&at, clearance, 1, filter, &mut walls);
        let Some(&wall) = walls.first() else { break };
        let position = [at.point[0], at.point[2]];
        let (a, b) = mesh.wall_segment(wall);
        let Some((normal, distance)) = away_from_wall(position, a, b) else { break };
        let missing = clearance - distance;
        if missing <= 0.0 {
            break;
        }
        let to = [position[0] + normal[0] * missing, position[1] + normal[1] * missing];
        visited.clear();
        at = mesh.move_along_surface(&at, to, filter, &mut visited);
    }
    at.point
}

/// The preferred velocity: towards the next corner of the way, slower near the target.
pub(super) fn preferred_velocity(agent: &AgentRecord, mesh: &NavMesh, corners: &mut Vec<[f64; 2]>) -> Wish {
    let standing = Wish { velocity: [0.0, 0.0], reach: agent.options.radius, sees_target: false };
    let Task::Following { target, corridor, .. } = &agent.task else { return standing };
    let position = [agent.position[0], agent.position[2]];
    let target = [target[0], target[2]];
    corners.clear();
    mesh.corners(position, corridor, target, agent.options.wall_clearance, 2, corners);
    let Some(&first) = corners.first() else { return standing };
    let follower = follower(agent);
    let way = [first[0] - position[0], first[1] - position[1]];
    let length = dot(way, way).sqrt();
    let sees_target = corners.len() == 1;
    if length <= 0.0 {
        return Wish { sees_target, ..standing };
    }
    let mut direction = [way[0] / length, way[1] / length];
    if let Some(&second) = corners.get(1) {
        direction = cut_corner(direction, length, first, second, follower.corner_cut);
    }
    let mut speed = agent.options.max_speed;
    let to_target = distance_squared(position, target).sqrt();
    if sees_target && to_target < follower.slowing_distance {
        speed *= to_target / follower.slowing_distance;
    }
    let reach = if sees_target { length } else { length + PAST_CORNER };
    Wish { velocity: [direction[0] * speed, direction[1] * speed], reach, sees_target }
}

/// Turns towards the corner after the next one, the more so the nearer the next one is.
fn cut_corner(direction: [f64; 2], length: f64, first: [f64; 2], second: [f64; 2], cut: f64) -> [f64; 2] {
    let after = [second[0] - first[0], second[1] - first[1]];
    let after_length = dot(after, after).sqrt();
    if after_length <= 0.0 || length >= CORNER_CUT_REACH || cut <= 0.0 {
        return direction;
    }
    let weight = cut * (1.0 - length / CORNER_CUT_REACH);
    let mixed = [direction[0] + after[0] / after_length * weight, direction[1] + after[1] / after_length * weight];
    let mixed_length = dot(mixed, mixed).sqrt();
    if mixed_length < 0.125 {
        return direction;
    }
    [mixed[0] / mixed_length, mixed[1] / mixed_length]
}

/// Follows the agent's move: the corridor begins at the polygon that it now stands on.
///
/// `visited` is the chain of polygons from the corridor's first to that one. What the corridor has of it is cut off; what it has
/// not is put before it.
pub(super) fn advance_corridor(agent: &mut AgentRecord, visited: &[u32]) {
    let Task::Following { destination, corridor, .. } = &mut agent.task else { return };
    if corridor.first() == Some(&agent.polygon) {
        return;
    }
    let joint = visited
        .iter()
        .enumerate()
        .rev()
        .find_map(|(v, polygon)| corridor.iter().rposition(|c| c == polygon).map(|c| (v, c)));
    let Some((v, c)) = joint else {
        agent.task = Task::Requested { destination: *destination };
        return;
    };
    let detour = visited.len() - 1 - v;
    if detour > DETOUR_LIMIT {
        agent.task = Task::Requested { destination: *destination };
        return;
    }
    let mut next: Vec<u32> = visited[v + 1..].iter().rev().copied().collect();
    next.extend_from_slice(&corridor[c..]);
    *corridor = next;
}

/// Ends a task whose target has been reached. One that could not lead to the destination looks for a way again from there.
pub(super) fn arrive(agent: &mut AgentRecord) {
    let Task::Following { destination, target, partial, .. } = &agent.task else { return };
    if !has_arrived(agent, target) {
        return;
    }
    agent.task = if *partial { Task::Requested { destination: *destination } } else { Task::Arrived };
}

fn has_arrived(agent: &AgentRecord, target: &[f64; 3]) -> bool {
    let arrival = follower(agent).arrival_distance;
    let distance = distance_squared([agent.position[0], agent.position[2]], [target[0], target[2]]);
    distance <= arrival * arrival && (agent.position[1] - target[1]).abs() <= agent.options.height
}

fn follower(agent: &AgentRecord) -> PathFollower {
    agent.options.follower.unwrap_or_default()
}
