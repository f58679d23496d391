//! The crowd: agents on a mesh, what a host does to them, and the step. SPEC.md, chapters CROWD and STEP.

mod avoid;
mod chunks;
mod collide;
mod error;
mod grid;
mod save;
mod steer;
mod step;
mod trace;

pub use avoid::{HalfPlane, solve_velocity};
pub use error::CrowdError;
pub use trace::AgentTrace;

use replay_format::{AgentOptions, AgentRecord, Code, CrowdOptions, Path, Point, Stage, Task, check_point, xxh64};

use crate::{NavMesh, QueryFilter, SurfacePoint};

use chunks::Threads;
use step::Room;

/// How much farther than its radius and height an agent looks for a polygon, metres (SPEC `[CROWD-2]`).
const SNAP_MARGIN: f64 = 2.0;

/// A crowd of agents on a mesh.
///
/// Agents are kept in the order of their ids, which never come again. Equal crowds that are treated equally stay equal bit for
/// bit, on every processor and with any number of threads.
///
/// ```
/// use crowd_engine::{AgentOptions, Crowd, CrowdOptions, NavMesh, PolygonSpec};
///
/// let square = vec![[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.0, 9.0], [0.0, 0.0, 9.0]];
/// let mesh = NavMesh::from_polygons(square, vec![PolygonSpec { vertices: vec![0, 1, 2, 3], area: 1 }])?;
/// let mut crowd = Crowd::new(mesh, CrowdOptions::default());
/// let id = crowd.try_add(&[1.0, 0.0, 1.0], &AgentOptions::default())?.expect("there is room");
/// crowd.set_destination(id, &[8.0, 0.0, 8.0])?;
/// for _ in 0..600 {
///     crowd.step(1.0 / 60.0)?;
/// }
/// assert_eq!(crowd.agent(id).map(|a| a.task.name()), Some("arrived"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Crowd {
    mesh: NavMesh,
    options: CrowdOptions,
    options_digest: u64,
    filter: Option<QueryFilter>,
    threads: Threads,
    room: Room,
    step_count: i64,
    next_id: i64,
    agents: Vec<AgentRecord>,
}

impl Crowd {
    /// An empty crowd. The first agent gets id 1.
    #[must_use]
    pub fn new(mesh: NavMesh, options: CrowdOptions) -> Crowd {
        let mut bytes = Vec::new();
        options.to_bits().write(&mut bytes);
        Crowd {
            mesh,
            options,
            options_digest: xxh64(&bytes),
            filter: None,
            threads: Threads::new(1),
            room: Room::default(),
            step_count: 0,
            next_id: 1,
            agents: Vec::new(),
        }
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, to edit. An edit bumps its revision; a recorder refuses to step across one. The agents look for their walls and
    /// their ways anew (SPEC `[CROWD-9]`), also where nothing is edited.
    pub fn mesh_mut(&mut self) -> &mut NavMesh {
        self.look_again();
        &mut self.mesh
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &CrowdOptions {
        &self.options
    }

    /// The filter of the agents' queries.
    #[must_use]
    pub fn filter(&self) -> Option<&QueryFilter> {
        self.filter.as_ref()
    }

    /// Sets or drops the filter of the agents' queries. It is not part of the state and cannot be recorded. The agents look for
    /// their walls and their ways anew (SPEC `[CROWD-9]`).
    pub fn set_filter(&mut self, filter: Option<QueryFilter>) {
        self.look_again();
        self.filter = filter;
    }

    /// How many threads a step uses at most; 0 counts as 1. Results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = Threads::new(threads);
    }

    /// Steps taken since the crowd was made.
    #[must_use]
    pub fn step_count(&self) -> i64 {
        self.step_count
    }

    /// The id that the next agent gets.
    #[must_use]
    pub fn next_id(&self) -> i64 {
        self.next_id
    }

    /// How many agents there are.
    #[must_use]
    pub fn agent_count(&self) -> usize {
        self.agents.len()
    }

    /// The agents, in the order of their ids.
    #[must_use]
    pub fn agents(&self) -> &[AgentRecord] {
        &self.agents
    }

    /// The agent of that id.
    #[must_use]
    pub fn agent(&self, id: i64) -> Option<&AgentRecord> {
        self.slot(id).ok().and_then(|slot| self.agents.get(slot))
    }

    /// Adds an agent at the nearest point of a walkable polygon.
    ///
    /// Gives its id, or none where the crowd is full or no walkable polygon is near enough (SPEC `[CROWD-3]`): then nothing
    /// has changed.
    ///
    /// # Errors
    /// Where position or options are out of range, or the last id has been given out.
    pub fn try_add(&mut self, position: &Point, options: &AgentOptions) -> Result<Option<i64>, CrowdError> {
        check_options(options)?;
        check_position(position)?;
        if self.next_id == i64::MAX {
            return Err(CrowdError::IdsExhausted);
        }
        if self.agents.len() >= usize::try_from(self.options.max_agents).unwrap_or(0) {
            return Ok(None);
        }
        let Some(at) = self.mesh.nearest(position, snap_extents(options), self.filter.as_ref()) else {
            return Ok(None);
        };
        let id = self.next_id;
        self.next_id += 1;
        self.agents.push(AgentRecord {
            id,
            options: *options,
            position: at.point,
            polygon: at.polygon,
            velocity: [0.0, 0.0],
            task: Task::Idle,
            walls: None,
        });
        Ok(Some(id))
    }

    /// Removes an agent. Its id never comes again.
    ///
    /// # Errors
    /// Where no agent has this id.
    pub fn remove(&mut self, id: i64) -> Result<(), CrowdError> {
        let slot = self.slot(id)?;
        self.agents.remove(slot);
        Ok(())
    }

    /// Gives an agent a destination. The next step looks for a way.
    ///
    /// # Errors
    /// Where no agent has this id, or the destination is out of range.
    pub fn set_destination(&mut self, id: i64, destination: &Point) -> Result<(), CrowdError> {
        let slot = self.slot(id)?;
        check_position(destination)?;
        self.agents[slot].task = Task::Requested { destination: *destination };
        Ok(())
    }

    /// Takes an agent's destination away. It slows down as its acceleration allows.
    ///
    /// # Errors
    /// Where no agent has this id.
    pub fn stop(&mut self, id: i64) -> Result<(), CrowdError> {
        let slot = self.slot(id)?;
        self.agents[slot].task = Task::Idle;
        Ok(())
    }

    /// Puts an agent at the nearest point of a walkable polygon, standing still. One with a destination keeps it and looks
    /// for a new way. Where no walkable polygon is near enough, nothing changes.
    ///
    /// # Errors
    /// Where no agent has this id, or the position is out of range.
    pub fn teleport(&mut self, id: i64, position: &Point) -> Result<(), CrowdError> {
        let slot = self.slot(id)?;
        check_position(position)?;
        let extents = snap_extents(&self.agents[slot].options);
        let Some(at) = self.mesh.nearest(position, extents, self.filter.as_ref()) else { return Ok(()) };
        let agent = &mut self.agents[slot];
        agent.position = at.point;
        agent.polygon = at.polygon;
        agent.velocity = [0.0, 0.0];
        agent.walls = None;
        agent.task = match agent.task {
            Task::Requested { destination } | Task::Following { destination, .. } => Task::Requested { destination },
            Task::Idle | Task::Arrived | Task::Blocked | Task::Unreachable => Task::Idle,
        };
        Ok(())
    }

    /// What agents know of the mesh may not be so any more: without this one would go on keeping clear of a wall that is gone, or
    /// walk against one on a way that is closed.
    fn look_again(&mut self) {
        for agent in &mut self.agents {
            agent.walls = None;
            if let Task::Following { destination, .. } = agent.task {
                agent.task = Task::Requested { destination };
            }
        }
    }

    fn slot(&self, id: i64) -> Result<usize, CrowdError> {
        self.agents.binary_search_by(|agent| agent.id.cmp(&id)).map_err(|_| CrowdError::UnknownAgent { id })
    }
}

/// The box that an agent's points are looked for in: half-extents along x, y, z (SPEC `[CROWD-2]`).
fn snap_extents(options: &AgentOptions) -> [f64; 3] {
    let across = options.radius + SNAP_MARGIN;
    [across, options.height + SNAP_MARGIN, across]
}

fn surface_point(agent: &AgentRecord) -> SurfacePoint {
    SurfacePoint { polygon: agent.polygon, point: agent.position }
}

fn check_position(position: &Point) -> Result<(), CrowdError> {
    check_point(position).map_err(|(code, axis, value)| CrowdError::Position { code, axis, value })
}

/// Agent options are valid when their own bytes can be read.
fn check_options(options: &AgentOptions) -> Result<(), CrowdError> {
    let path: Path<'static> = Path::ROOT;
    AgentOptions::read(&options.to_bytes(), 0, &path.field("settings"), Stage::Play)
        .map(|_| ())
        .map_err(|error| CrowdError::Options(strip_offset(&error)))
}

/// Options that a host gave stand in no file.
fn strip_offset(error: &replay_format::Error) -> replay_format::Error {
    let fault = error.fault();
    let code: Code = fault.code;
    replay_format::Error::of_field(code, fault.stage, &fault.path, &fault.found, &fault.expected)
}
