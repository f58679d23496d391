//! The step, phase by phase. SPEC.md, chapter STEP.
//!
//! Two passes over the agents. The first reads every agent as it was before the step and writes each one's plan: its way, its
//! neighbours, its walls, its new velocity, and where that takes it. The second reads every plan and moves each agent there,
//! pushed apart from those it would overlap. Neither pass reads what it writes, so chunks of agents can be worked on in any
//! order.

use replay_format::{AgentRecord, WallCache, WallEdge, dt_is_valid};

use super::avoid::{
    HalfPlane, away_from_wall, dot, neighbour_half_plane, solve_velocity, wall_end_half_plane, wall_half_plane,
};
use super::collide::{Disc, push, shorten};
use super::grid::Grid;
use super::steer::{self, Wish};
use super::trace::AgentTrace;
use super::{Crowd, CrowdError, surface_point};
use crate::{PathScratch, closest_on_segment, distance_squared};

/// What other agents see of an agent: as it was before the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 2],
    pub(super) radius: f64,
    pub(super) height: f64,
    pub(super) neighbour_distance: f64,
    pub(super) max_neighbours: u8,
    /// The preferred velocity of this step.
    pub(super) wish: [f64; 2],
    /// How far it is to the next corner of its way, metres.
    pub(super) reach: f64,
}

impl Body {
    fn of(agent: &AgentRecord) -> Body {
        Body {
            position: agent.position,
            velocity: agent.velocity,
            radius: agent.options.radius,
            height: agent.options.height,
            neighbour_distance: agent.options.neighbour_distance,
            max_neighbours: agent.options.max_neighbours,
            wish: [0.0, 0.0],
            reach: 0.0,
        }
    }

    pub(super) fn plan(&self) -> [f64; 2] {
        [self.position[0], self.position[2]]
    }
}

/// What an agent will do in a step.
#[derive(Debug, Clone, Default)]
struct Plan {
    wish: Wish,
    velocity: [f64; 2],
    /// Where the velocity takes it, before pushes.
    aim: [f64; 2],
    /// Slots, nearest first.
    neighbours: Vec<u32>,
    trace: Option<Box<AgentTrace>>,
}

/// How much of the preferred velocity an agent turns to its right when it gives way to one in front, at least.
const SIDE_STEP: f64 = 0.125;
/// The same, where one of those comes the other way.
const SIDE_STEP_OPPOSED: f64 = 0.4375;
/// By this much, in equal parts, the ids of a row turn differently.
const SIDE_STEP_SPREAD: f64 = 0.0625;
/// How many ids are in a row.
const SIDE_STEP_IDS: i64 = 8;

impl Crowd {
    /// Takes one step of `dt` seconds.
    ///
    /// # Errors
    /// Where `dt` is not above 0 and at most 3600, or the step count has reached its end. Then nothing has changed.
    pub fn step(&mut self, dt: f64) -> Result<(), CrowdError> {
        self.step_with(dt, false).map(|_| ())
    }

    /// Takes one step of `dt` seconds and gives what each agent computed in it, in slot order.
    ///
    /// # Errors
    /// As [`Crowd::step`].
    pub fn step_traced(&mut self, dt: f64) -> Result<Vec<AgentTrace>, CrowdError> {
        self.step_with(dt, true)
    }

    fn step_with(&mut self, dt: f64, traced: bool) -> Result<Vec<AgentTrace>, CrowdError> {
        if !dt_is_valid(dt) {
            return Err(CrowdError::Dt { dt });
        }
        if self.step_count == i64::MAX {
            return Err(CrowdError::StepsExhausted);
        }
        let mut agents = std::mem::take(&mut self.agents);
        let mut room = std::mem::take(&mut self.room);
        room.begin(&agents, traced);
        let Room { bodies, ids, plans, grid, discs, scratches } = &mut room;
        self.threads.for_chunks(&mut agents, plans, scratches, |_, agents, plans, scratch| {
            for (agent, plan) in agents.iter_mut().zip(plans) {
                let filter = self.filter.as_ref();
                steer::request_path(agent, &self.mesh, &self.options, filter, &mut scratch.path);
                self.refresh_walls(agent);
                plan.wish = steer::preferred_velocity(agent, &self.mesh, &mut scratch.corners);
            }
        });
        for (body, plan) in bodies.iter_mut().zip(&*plans) {
            body.wish = plan.wish.velocity;
            body.reach = plan.wish.reach;
        }
        self.threads.for_chunks(&mut agents, plans, scratches, |first, agents, plans, scratch| {
            for (index, (agent, plan)) in agents.iter_mut().zip(plans).enumerate() {
                self.plan_agent(agent, first + index, bodies, ids, grid, dt, plan, scratch);
            }
        });
        discs.clear();
        discs.extend(plans.iter().zip(&agents).map(|(plan, agent)| Disc {
            id: agent.id,
            centre: plan.aim,
            radius: agent.options.radius,
        }));
        self.threads.for_chunks(&mut agents, plans, scratches, |first, agents, plans, scratch| {
            for (index, (agent, plan)) in agents.iter_mut().zip(plans).enumerate() {
                self.move_agent(agent, first + index, plan, discs, &mut scratch.visited);
            }
        });
        let traces = plans.iter_mut().filter_map(|plan| plan.trace.take()).map(|trace| *trace).collect();
        self.agents = agents;
        self.room = room;
        self.step_count += 1;
        Ok(traces)
    }

    #[expect(clippy::too_many_arguments, reason = "one agent's share of what the whole pass reads")]
    fn plan_agent(
        &self,
        agent: &mut AgentRecord,
        slot: usize,
        bodies: &[Body],
        ids: &[i64],
        grid: &Grid,
        dt: f64,
        plan: &mut Plan,
        scratch: &mut Scratch,
    ) {
        let wish = plan.wish;
        grid.neighbours(bodies, slot, &plan.neighbours, &mut scratch.neighbours);
        let own = &bodies[slot];
        scratch.planes.clear();
        self.wall_half_planes(agent, scratch);
        let walls = scratch.planes.len();
        let (mut blocked, mut opposed) = (false, false);
        for &(_, other) in &scratch.neighbours {
            let body = &bodies[other as usize];
            let ids = (agent.id, ids[other as usize]);
            let share = share(own, body, ids);
            if share <= 0.0 {
                continue;
            }
            scratch.planes.push(neighbour_half_plane(own, body, ids, agent.options.agent_horizon, share));
            let apart = [body.position[0] - own.position[0], body.position[2] - own.position[2]];
            if dot(apart, wish.velocity) > 0.0 {
                blocked = true;
                opposed |= dot(body.wish, wish.velocity) < 0.0;
            }
        }
        let preferred = if blocked { side_step(wish.velocity, agent.id, opposed) } else { wish.velocity };
        let wanted = solve_velocity(&scratch.planes, walls, preferred, agent.options.max_speed);
        let change = [wanted[0] - agent.velocity[0], wanted[1] - agent.velocity[1]];
        let change = shorten(change, agent.options.max_acceleration * dt);
        plan.velocity = [agent.velocity[0] + change[0], agent.velocity[1] + change[1]];
        let displacement = shorten([plan.velocity[0] * dt, plan.velocity[1] * dt], wish.reach);
        plan.aim = [agent.position[0] + displacement[0], agent.position[2] + displacement[1]];
        if let Some(trace) = &mut plan.trace {
            trace.id = agent.id;
            trace.task = agent.task.byte();
            trace.corridor = agent.task.corridor().to_vec();
            trace.wish = wish.velocity;
            trace.reach = wish.reach;
            trace.neighbours = scratch.neighbours.iter().map(|&(d, slot)| (ids[slot as usize], d)).collect();
            trace.walls = walls;
            trace.planes.clone_from(&scratch.planes);
            trace.preferred = preferred;
            trace.wanted = wanted;
            trace.velocity = plan.velocity;
            trace.aim = plan.aim;
        }
        plan.neighbours.clear();
        plan.neighbours.extend(scratch.neighbours.iter().map(|&(_, slot)| slot));
    }

    /// Searches the agent's walls again when it has none, or has moved too far from where it searched them.
    fn refresh_walls(&self, agent: &mut AgentRecord) {
        let position = [agent.position[0], agent.position[2]];
        let refresh = self.options.wall_refresh_distance;
        if let Some(cache) = &agent.walls
            && distance_squared(cache.anchor, position) <= refresh * refresh
        {
            return;
        }
        let reach = agent.options.wall_clearance + agent.options.max_speed * agent.options.wall_horizon + refresh;
        let most = usize::try_from(self.options.max_walls_per_agent).unwrap_or(0);
        let mut walls = agent.walls.take().map(|cache| cache.walls).unwrap_or_default();
        walls.clear();
        self.mesh.walls_near(&surface_point(agent), reach, most, self.filter.as_ref(), &mut walls);
        agent.walls = Some(WallCache { anchor: position, walls });
    }

    /// The half-planes of the nearest walls: the agent may not come nearer to the nearest point of a wall than its clearance
    /// within its wall horizon; one that is nearer already may not come nearer still.
    fn wall_half_planes(&self, agent: &AgentRecord, scratch: &mut Scratch) {
        scratch.walls.clear();
        let position = [agent.position[0], agent.position[2]];
        let kept: &[WallEdge] = agent.walls.as_ref().map_or(&[], |cache| &cache.walls);
        for (index, &wall) in kept.iter().enumerate() {
            let (a, b) = self.mesh.wall_segment(wall);
            if let Some((normal, distance)) = away_from_wall(position, a, b) {
                let (nearest, t) = closest_on_segment(position, a, b);
                let end = (t <= 0.0 || t >= 1.0).then_some([nearest[0] - position[0], nearest[1] - position[1]]);
                scratch.walls.push(NearWall { distance, index, normal, end });
            }
        }
        scratch.walls.sort_unstable_by(|x, y| x.distance.total_cmp(&y.distance).then(x.index.cmp(&y.index)));
        scratch.walls.truncate(usize::try_from(self.options.max_walls_avoided).unwrap_or(0));
        let (clearance, horizon) = (agent.options.wall_clearance, agent.options.wall_horizon);
        for wall in &scratch.walls {
            scratch.planes.push(match wall.end {
                Some(apart) if wall.distance > 0.0 && dot(apart, apart) > clearance * clearance => {
                    let velocity = agent.velocity;
                    wall_end_half_plane(apart, wall.normal, clearance, horizon, velocity)
                }
                _ => wall_half_plane(wall.normal, wall.distance, clearance, horizon),
            });
        }
    }

    fn move_agent(
        &self,
        agent: &mut AgentRecord,
        slot: usize,
        plan: &mut Plan,
        discs: &[Disc],
        visited: &mut Vec<u32>,
    ) {
        let push = push(&discs[slot], plan.neighbours.iter().map(|&other| discs[other as usize]));
        let to = [plan.aim[0] + push[0], plan.aim[1] + push[1]];
        visited.clear();
        let end = self.mesh.move_along_surface(&surface_point(agent), to, self.filter.as_ref(), visited);
        agent.position = end.point;
        agent.polygon = end.polygon;
        agent.velocity = plan.velocity;
        steer::advance_corridor(agent, visited);
        if plan.wish.sees_target {
            steer::arrive(agent);
        }
        if let Some(trace) = &mut plan.trace {
            trace.push = push;
            trace.position = agent.position;
            trace.polygon = agent.polygon;
        }
    }
}

/// The share of the change of velocity between two agents that is `own`'s: 1 where `own` gives way, 0 where it has the right of
/// way, a half where they walk side by side (or both stand).
///
/// Who wants nothing gives way to who walks. Of two that walk, who has the other one in front gives way to who has not. Where
/// each has the other in front, and they go the same way, the one nearer to its next corner has the right of way; otherwise,
/// and where these are equally near, the one with the lower id. So a standoff cannot be symmetric.
fn share(own: &Body, other: &Body, ids: (i64, i64)) -> f64 {
    let (own_idle, other_idle) = (own.wish == [0.0, 0.0], other.wish == [0.0, 0.0]);
    if own_idle || other_idle {
        return match (own_idle, other_idle) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => 0.5,
        };
    }
    let apart = [other.position[0] - own.position[0], other.position[2] - own.position[2]];
    let other_in_front = dot(apart, own.wish) > 0.0;
    let own_in_front = dot(apart, other.wish) < 0.0;
    let gives_way = match (other_in_front, own_in_front) {
        (true, false) => true,
        (false, true) => false,
        (true, true) if dot(own.wish, other.wish) > 0.0 && own.reach != other.reach => own.reach > other.reach,
        (true, true) => ids.0 > ids.1,
        (false, false) => return 0.5,
    };
    if gives_way { 1.0 } else { 0.0 }
}

#[derive(Debug)]
struct NearWall {
    distance: f64,
    index: usize,
    normal: [f64; 2],
    /// Where the nearest point is an end of the wall, the way there.
    end: Option<[f64; 2]>,
}

/// Room to work in, kept from step to step. Of what it holds a step reads nothing before it has written it, but for the neighbours of the
/// step before, as a guess that cannot change a result.
#[derive(Debug, Default)]
pub(super) struct Room {
    bodies: Vec<Body>,
    ids: Vec<i64>,
    plans: Vec<Plan>,
    grid: Grid,
    discs: Vec<Disc>,
    scratches: Vec<Scratch>,
}

impl Room {
    fn begin(&mut self, agents: &[AgentRecord], traced: bool) {
        self.bodies.clear();
        self.bodies.extend(agents.iter().map(Body::of));
        self.ids.clear();
        self.ids.extend(agents.iter().map(|agent| agent.id));
        self.grid.rebuild(&self.bodies);
        self.plans.resize_with(agents.len(), Plan::default);
        for plan in &mut self.plans {
            plan.trace = traced.then(Box::default);
        }
    }
}

impl Clone for Room {
    /// A copy needs none of it.
    fn clone(&self) -> Room {
        Room::default()
    }
}

/// Room to work in, kept from agent to agent.
#[derive(Debug, Default)]
struct Scratch {
    visited: Vec<u32>,
    path: PathScratch,
    corners: Vec<[f64; 2]>,
    neighbours: Vec<(f64, u32)>,
    walls: Vec<NearWall>,
    planes: Vec<HalfPlane>,
}

/// Turns the preferred velocity a little to the right, by how much depends on the id: so a standoff that is symmetric in every
/// other way is not.
fn side_step(preferred: [f64; 2], id: i64, opposed: bool) -> [f64; 2] {
    let base = if opposed { SIDE_STEP_OPPOSED } else { SIDE_STEP };
    let part = base + SIDE_STEP_SPREAD * (id % SIDE_STEP_IDS) as f64 / SIDE_STEP_IDS as f64;
    [preferred[0] + preferred[1] * part, preferred[1] - preferred[0] * part]
}
