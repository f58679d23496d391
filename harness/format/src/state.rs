//! The crowd state: what `SaveState` gives and every state hash is made of. SPEC.md, chapter STATE.

use crate::error::{Code, Error, Stage};
use crate::fields::{Fields, Point, WriteError, write_count, write_f64, write_index, write_point};
use crate::limits::{self, SPEC_VERSION};
use crate::mesh::MeshSnapshot;
use crate::path::Path;
use crate::source::{Slice, Source};
use crate::{AgentOptions, CrowdOptions, xxh64};

/// The bytes of a state's header.
pub const STATE_HEADER_BYTES: usize = 40;

/// What comes before the agents of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateHeader {
    /// XXH64 (seed 0) of the mesh snapshot's bytes.
    pub mesh_digest: u64,
    /// XXH64 (seed 0) of the 25 bytes of the crowd options.
    pub options_digest: u64,
    /// Steps taken, 0 or more.
    pub step_count: i64,
    /// The id that the next agent gets, 1 or more.
    pub next_id: i64,
    /// How many agents follow.
    pub agent_count: i32,
}

impl StateHeader {
    /// The header's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; STATE_HEADER_BYTES] {
        let mut out = Vec::with_capacity(STATE_HEADER_BYTES);
        out.extend_from_slice(&SPEC_VERSION.to_le_bytes());
        out.extend_from_slice(&self.mesh_digest.to_le_bytes());
        out.extend_from_slice(&self.options_digest.to_le_bytes());
        out.extend_from_slice(&self.step_count.to_le_bytes());
        out.extend_from_slice(&self.next_id.to_le_bytes());
        out.extend_from_slice(&self.agent_count.to_le_bytes());
        let mut bytes = [0; STATE_HEADER_BYTES];
        bytes.copy_from_slice(&out);
        bytes
    }
}

/// What an agent is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// 0: nothing; it has had no destination, or was stopped.
    Idle,
    /// 1: it has a destination, and the next step looks for a way.
    Requested {
        /// Where to, as the host said.
        destination: Point,
    },
    /// 2 (the corridor ends in the destination's polygon) or 3 (it does not; the destination was not reached).
    Following {
        /// Where to, as the host said.
        destination: Point,
        /// The point of the last polygon that it walks to.
        target: Point,
        /// The polygons to walk through, each linked with the next. The first is the agent's own.
        corridor: Vec<u32>,
        /// Whether the last polygon is not the destination's.
        partial: bool,
    },
    /// 4: it reached its destination.
    Arrived,
    /// 5: it went as far as it found a way, and the destination is not there.
    Blocked,
    /// 6: no walkable polygon is near its destination.
    Unreachable,
}

impl Task {
    /// The byte of the state.
    #[must_use]
    pub fn byte(&self) -> u8 {
        match self {
            Task::Idle => 0,
            Task::Requested { .. } => 1,
            Task::Following { partial: false, .. } => 2,
            Task::Following { partial: true, .. } => 3,
            Task::Arrived => 4,
            Task::Blocked => 5,
            Task::Unreachable => 6,
        }
    }

    /// The corridor; empty where there is none.
    #[must_use]
    pub fn corridor(&self) -> &[u32] {
        match self {
            Task::Following { corridor, .. } => corridor,
            _ => &[],
        }
    }

    /// The name of the byte.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Task::Idle => "idle",
            Task::Requested { .. } => "requested",
            Task::Following { partial: false, .. } => "following",
            Task::Following { partial: true, .. } => "following-partial",
            Task::Arrived => "arrived",
            Task::Blocked => "blocked",
            Task::Unreachable => "unreachable",
        }
    }
}

/// A wall: an edge of a polygon that leads nowhere an agent can walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallEdge {
    /// The polygon.
    pub polygon: u32,
    /// The edge of it, from 0.
    pub edge: u8,
}

/// The walls that an agent keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct WallCache {
    /// Where the agent was when they were searched: x and z.
    pub anchor: [f64; 2],
    /// The walls, nearest to the anchor first.
    pub walls: Vec<WallEdge>,
}

/// One agent of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRecord {
    /// Its id, 1 or more.
    pub id: i64,
    /// Its settings.
    pub options: AgentOptions,
    /// Where it is, metres.
    pub position: Point,
    /// The polygon it stands on.
    pub polygon: u32,
    /// Its velocity along x and z, metres a second; each below 2^21 in magnitude.
    pub velocity: [f64; 2],
    /// What it is doing.
    pub task: Task,
    /// The walls it keeps; none when they must be searched at the next step.
    pub walls: Option<WallCache>,
}

impl AgentRecord {
    /// Appends the record's bytes.
    ///
    /// # Errors
    /// Where a list is larger than the layout can say.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        out.extend_from_slice(&self.id.to_le_bytes());
        self.options.write(out);
        write_point(out, &self.position);
        write_index(out, self.polygon)?;
        write_f64(out, self.velocity[0]);
        write_f64(out, self.velocity[1]);
        out.push(self.task.byte());
        match &self.task {
            Task::Requested { destination } => write_point(out, destination),
            Task::Following { destination, target, corridor, .. } => {
                write_point(out, destination);
                write_point(out, target);
                write_count(out, corridor.len(), limits::CORRIDOR_MAX)?;
                for polygon in corridor {
                    write_index(out, *polygon)?;
                }
            }
            Task::Idle | Task::Arrived | Task::Blocked | Task::Unreachable => {}
        }
        match &self.walls {
            None => out.push(0),
            Some(cache) => {
                out.push(1);
                write_f64(out, cache.anchor[0]);
                write_f64(out, cache.anchor[1]);
                out.push(u8::try_from(cache.walls.len()).map_err(|_| WriteError::TooLarge)?);
                for wall in &cache.walls {
                    write_index(out, wall.polygon)?;
                    out.push(wall.edge);
                }
            }
        }
        Ok(())
    }
}

/// A crowd state.
#[derive(Debug, Clone, PartialEq)]
pub struct CrowdState {
    /// What comes before the agents.
    pub header: StateHeader,
    /// The agents, in slot order, which is the order of their ids.
    pub agents: Vec<AgentRecord>,
}

/// What a state is checked against.
#[derive(Debug, Clone, Copy)]
pub struct StateContext<'m> {
    /// The mesh of the crowd.
    pub mesh: &'m MeshSnapshot,
    /// XXH64 (seed 0) of the mesh's bytes.
    pub mesh_digest: u64,
    /// The options of the crowd.
    pub options: &'m CrowdOptions,
    /// XXH64 (seed 0) of the options' bytes.
    pub options_digest: u64,
    /// The setup's start step, where the state belongs to a setup.
    pub start_step: Option<i64>,
}

impl CrowdState {
    /// The state's bytes. The agents are counted anew.
    ///
    /// # Errors
    /// Where a list is larger than the layout can say.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = self.counted_header()?.to_vec();
        for agent in &self.agents {
            agent.write(&mut out)?;
        }
        Ok(out)
    }

    /// The state hash (SPEC.md `[STATE-18]`): XXH64 over the header and the XXH64 of each agent's record.
    ///
    /// # Errors
    /// Where a list is larger than the layout can say.
    pub fn hash(&self) -> Result<u64, WriteError> {
        let mut summary = self.counted_header()?.to_vec();
        let mut record = Vec::new();
        for agent in &self.agents {
            record.clear();
            agent.write(&mut record)?;
            summary.extend_from_slice(&xxh64(&record).to_le_bytes());
        }
        Ok(xxh64(&summary))
    }

    fn counted_header(&self) -> Result<[u8; STATE_HEADER_BYTES], WriteError> {
        let agent_count = i32::try_from(self.agents.len()).map_err(|_| WriteError::TooLarge)?;
        Ok(StateHeader { agent_count, ..self.header }.to_bytes())
    }

    /// Reads the state that is all of `bytes`, which begin at `offset` of the outermost file.
    ///
    /// # Errors
    /// The first check of chapter STATE that fails.
    pub fn read(bytes: &[u8], offset: u64, path: &Path<'_>, context: &StateContext<'_>) -> Result<CrowdState, Error> {
        let mut source = Slice::within(bytes, offset, Stage::Restore);
        let header = read_state_header(&mut source, path, context)?;
        let agents_path = path.field("agents");
        let mut agents: Vec<AgentRecord> = Vec::with_capacity(usize::try_from(header.agent_count).unwrap_or(0));
        for index in 0..u64::try_from(header.agent_count).unwrap_or(0) {
            let after = agents.last().map_or(0, |a| a.id);
            agents.push(read_agent(&mut source, &agents_path.index(index), after, header.next_id, context)?);
        }
        source.read_end(path)?;
        Ok(CrowdState { header, agents })
    }
}

fn read_state_header(
    source: &mut Slice<'_>,
    path: &Path<'_>,
    context: &StateContext<'_>,
) -> Result<StateHeader, Error> {
    let at = source.offset();
    let version = source.read_u32(&path.field("spec_version"))?;
    if version != SPEC_VERSION {
        let (found, expected) = (format_args!("{version:#010x}"), format_args!("{SPEC_VERSION:#010x} (1.0)"));
        return source.fail(Code::SpecVersionMismatch, at, &path.field("spec_version"), found, expected);
    }
    let mut digest = |name, code, expected: u64| {
        let at = source.offset();
        let found = source.read_u64(&path.field(name))?;
        if found == expected {
            return Ok(found);
        }
        source.fail(code, at, &path.field(name), format_args!("{found:016x}"), format_args!("{expected:016x}"))
    };
    let mesh_digest = digest("mesh_digest", Code::MeshDigestMismatch, context.mesh_digest)?;
    let options_digest = digest("options_digest", Code::OptionsDigestMismatch, context.options_digest)?;
    let at = source.offset();
    let step_count = source.read_i64(&path.field("step_count"))?;
    if step_count < 0 {
        return source.fail(Code::ValueOutOfRange, at, &path.field("step_count"), step_count, "0 or more");
    }
    if let Some(start_step) = context.start_step.filter(|&s| s != step_count) {
        let expected = format_args!("the setup's start step, {start_step}");
        return source.fail(Code::StartStepMismatch, at, &path.field("step_count"), step_count, expected);
    }
    let at = source.offset();
    let next_id = source.read_i64(&path.field("next_id"))?;
    if next_id < 1 {
        return source.fail(Code::ValueOutOfRange, at, &path.field("next_id"), next_id, "1 or more");
    }
    let max = u64::try_from(context.options.max_agents).unwrap_or(0);
    let agent_count = source.read_count(&path.field("agent_count"), max, limits::AGENT_MIN_BYTES, 0)?;
    let agent_count = i32::try_from(agent_count).unwrap_or(i32::MAX);
    Ok(StateHeader { mesh_digest, options_digest, step_count, next_id, agent_count })
}

fn read_agent(
    source: &mut Slice<'_>,
    path: &Path<'_>,
    after: i64,
    next_id: i64,
    context: &StateContext<'_>,
) -> Result<AgentRecord, Error> {
    let polygons = u64::try_from(context.mesh.polygons.len()).unwrap_or(0);
    let at = source.offset();
    let id = source.read_i64(&path.field("id"))?;
    if id <= after || id >= next_id {
        let expected = format_args!("above {after} and below the next id, {next_id}");
        return source.fail(Code::IdOrder, at, &path.field("id"), id, expected);
    }
    let options = AgentOptions::read_from(source, &path.field("options"))?;
    let position = source.read_point(&path.field("position"))?;
    let polygon = source.read_index(&path.field("polygon"), polygons)?;
    let velocity_path = path.field("velocity");
    let velocity =
        [source.read_coordinate(&velocity_path.field("x"))?, source.read_coordinate(&velocity_path.field("z"))?];
    let task = read_task(source, path, polygon, context)?;
    let walls = read_walls(source, &path.field("walls"), context)?;
    Ok(AgentRecord { id, options, position, polygon, velocity, task, walls })
}

fn read_task(source: &mut Slice<'_>, path: &Path<'_>, polygon: u32, context: &StateContext<'_>) -> Result<Task, Error> {
    let byte = source.read_byte_up_to(&path.field("task"), limits::TASK_MAX)?;
    Ok(match byte {
        1 => Task::Requested { destination: source.read_point(&path.field("destination"))? },
        2 | 3 => {
            let destination = source.read_point(&path.field("destination"))?;
            let target = source.read_point(&path.field("target"))?;
            let corridor = read_corridor(source, path, polygon, context)?;
            Task::Following { destination, target, corridor, partial: byte == 3 }
        }
        4 => Task::Arrived,
        5 => Task::Blocked,
        6 => Task::Unreachable,
        _ => Task::Idle,
    })
}

fn read_corridor(
    source: &mut Slice<'_>,
    path: &Path<'_>,
    polygon: u32,
    context: &StateContext<'_>,
) -> Result<Vec<u32>, Error> {
    let at = source.offset();
    let count = source.read_count(&path.field("corridor_count"), limits::CORRIDOR_MAX, 4, 0)?;
    if count == 0 {
        return source.fail(Code::ValueOutOfRange, at, &path.field("corridor_count"), 0, "1 or more");
    }
    let polygons = u64::try_from(context.mesh.polygons.len()).unwrap_or(0);
    let corridor_path = path.field("corridor");
    let mut corridor: Vec<u32> = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    for index in 0..count {
        let at = source.offset();
        let path = corridor_path.index(index);
        let next = source.read_index(&path, polygons)?;
        match corridor.last() {
            None if next != polygon => {
                let expected = format_args!("the agent's polygon, {polygon}");
                return source.fail(Code::CorridorInvalid, at, &path, next, expected);
            }
            Some(&last) if !is_linked(context.mesh, last, next) => {
                let expected = format_args!("a polygon that is linked with {last}");
                return source.fail(Code::CorridorInvalid, at, &path, next, expected);
            }
            _ => corridor.push(next),
        }
    }
    Ok(corridor)
}

fn is_linked(mesh: &MeshSnapshot, from: u32, to: u32) -> bool {
    usize::try_from(from).ok().and_then(|p| mesh.polygons.get(p)).is_some_and(|p| p.links.contains(&Some(to)))
}

fn read_walls(source: &mut Slice<'_>, path: &Path<'_>, context: &StateContext<'_>) -> Result<Option<WallCache>, Error> {
    if !source.read_flag(&path.field("searched"))? {
        return Ok(None);
    }
    let anchor_path = path.field("anchor");
    let anchor = [source.read_coordinate(&anchor_path.field("x"))?, source.read_coordinate(&anchor_path.field("z"))?];
    let max = u8::try_from(context.options.max_walls_per_agent).unwrap_or(u8::MAX);
    let count = source.read_byte_up_to(&path.field("count"), max)?;
    let mut walls: Vec<WallEdge> = Vec::with_capacity(usize::from(count));
    for index in 0..u64::from(count) {
        let wall_path = path.index(index);
        let polygons = u64::try_from(context.mesh.polygons.len()).unwrap_or(0);
        let polygon = source.read_index(&wall_path.field("polygon"), polygons)?;
        let at = source.offset();
        let edge = source.read_u8(&wall_path.field("edge"))?;
        let edges =
            usize::try_from(polygon).ok().and_then(|p| context.mesh.polygons.get(p)).map_or(0, |p| p.links.len());
        let wall = WallEdge { polygon, edge };
        if usize::from(edge) >= edges || walls.contains(&wall) {
            let expected = format_args!("an edge of polygon {polygon} (below {edges}), each once");
            return source.fail(Code::WallInvalid, at, &wall_path.field("edge"), edge, expected);
        }
        walls.push(wall);
    }
    Ok(Some(WallCache { anchor, walls }))
}
