//! The nested readers: mesh snapshot, agent options, crowd state; and, in a setup block, crowd options, mesh and state in turn.

use std::fmt::Debug;

use replay_format::{
    AgentOptions, Code, CrowdState, Error, MeshSnapshot, Path, Setup, Stage, Task, WriteError, check_point, limits,
};

use super::reading::{COUNT, Contract, END, HEADER, POINTS, Reading, ensure_nested};
use crate::context::Context;
use crate::verdict::{Finding, Outcome, Verdict, ensure};

const MESH: Contract = Contract {
    stage: Stage::Restore,
    codes: &[
        HEADER,
        COUNT,
        POINTS,
        END,
        &[Code::ValueOutOfRange, Code::IndexOutOfRange, Code::PolygonVertexRepeated, Code::LinkMismatch],
    ],
    after_end: Code::TrailingBytes,
    closed: true,
};

const VALUES: &[Code] = &[Code::Truncated, Code::ValueNotFinite, Code::ValueOutOfRange, Code::FlagInvalid];

const AGENT_OPTIONS: Contract =
    Contract { stage: Stage::Restore, codes: &[VALUES, END], after_end: Code::TrailingBytes, closed: true };

const STATE: Contract = Contract {
    stage: Stage::Restore,
    codes: &[
        VALUES,
        COUNT,
        POINTS,
        END,
        &[
            Code::SpecVersionMismatch,
            Code::MeshDigestMismatch,
            Code::OptionsDigestMismatch,
            Code::StartStepMismatch,
            Code::IdOrder,
            Code::IndexOutOfRange,
            Code::CorridorInvalid,
            Code::WallInvalid,
        ],
    ],
    after_end: Code::TrailingBytes,
    closed: true,
};

/// An offset that does not fit 32 bits: nested blocks keep the offsets of the outermost file.
const FAR: u64 = 1 << 40;

/// What a nested reader said: of the bytes as a file of their own, and far into another file.
#[derive(Debug)]
struct Observation<T> {
    reading: Reading,
    values: Result<T, Error>,
    far: Result<T, Error>,
}

/// Holds the nested readers to their promises on these bytes: each reads all of them; those of a setup block are read as restoring
/// it would.
///
/// # Errors
/// The first property that does not hold.
pub fn mesh_state(bytes: &[u8]) -> Verdict {
    let outcome = judge(MESH, bytes, &observe(bytes, MeshSnapshot::read_at, MeshSnapshot::write), mesh_values)?;
    if outcome == Outcome::Accepted || bytes.starts_with(&limits::MESH_MAGIC) {
        return Ok(outcome);
    }
    if bytes.starts_with(&limits::SETUP_MAGIC) {
        return restore(bytes);
    }
    if judge(AGENT_OPTIONS, bytes, &observe(bytes, read_options, write_options), option_values)? == Outcome::Accepted {
        return Ok(Outcome::Accepted);
    }
    let context = Context::of_states();
    let state = context.fit(bytes, None);
    state_alone(&state, &context)
}

fn state_alone(state: &[u8], context: &Context) -> Verdict {
    let read = |bytes: &[u8], offset, path: &Path<'_>| CrowdState::read(bytes, offset, path, &context.borrow(None));
    let observation = observe(state, read, CrowdState::write);
    judge(STATE, state, &observation, |_, values| state_values(values, context))
}

/// The nested blocks of a setup block, each against those before it.
fn restore(bytes: &[u8]) -> Verdict {
    let Ok(setup) = Setup::read(bytes) else {
        return Ok(Outcome::NotComparable("the setup block is refused, so nothing nested is read"));
    };
    let options = setup.options.validate(&Path::ROOT.field("options"));
    judge_options(&setup, &options)?;
    let mesh = judge(MESH, setup.mesh, &observe(setup.mesh, MeshSnapshot::read_at, MeshSnapshot::write), mesh_values)?;
    let (Ok(_), Outcome::Accepted) = (options, &mesh) else { return Ok(mesh) };
    let context = Context::of_setup(&setup);
    let context = context.ok_or(Finding { property: "twice", detail: "accepted, then refused".to_owned() })?;
    let start = Some(setup.start_step);
    let state = context.fit(setup.state, start);
    let read = |bytes: &[u8], offset, path: &Path<'_>| CrowdState::read(bytes, offset, path, &context.borrow(start));
    judge(STATE, &state, &observe(&state, read, CrowdState::write), |_, values| {
        ensure(values.header.step_count == setup.start_step, "start-step", || format!("{:?}", values.header))?;
        state_values(values, &context)
    })
}

fn judge_options(setup: &Setup<&[u8]>, options: &Result<replay_format::CrowdOptions, Error>) -> Result<(), Finding> {
    match options {
        Ok(options) => ensure(options.to_bits() == setup.options, "round-trip", || format!("{options:?}")),
        Err(error) => {
            let right = error.code() == Code::OptionOutOfRange
                && error.stage() == Stage::Restore
                && error.offset().is_none()
                && error.path().starts_with("options.");
            ensure(right, "option-error", || error.to_string())
        }
    }
}

fn observe<T>(
    bytes: &[u8],
    read: impl Fn(&[u8], u64, &Path<'_>) -> Result<T, Error>,
    write: impl Fn(&T) -> Result<Vec<u8>, WriteError>,
) -> Observation<T> {
    let root = Path::ROOT;
    Observation {
        reading: Reading::of(bytes, |bytes| read(bytes, 0, &root), |bytes| read(bytes, 0, &root).map(|_| ()), write),
        values: read(bytes, 0, &root),
        far: read(bytes, FAR, &root.field("nested")),
    }
}

fn judge<T: PartialEq + Debug>(
    contract: Contract,
    bytes: &[u8],
    observation: &Observation<T>,
    values: impl Fn(&[u8], &T) -> Result<(), Finding>,
) -> Verdict {
    let outcome = contract.judge(bytes, &observation.reading)?;
    match &observation.values {
        Ok(read) => {
            values(bytes, read)?;
            let same = observation.far.as_ref().is_ok_and(|far| far == read);
            ensure(same, "nested-values", || format!("far into a file: {:?}", observation.far))?;
        }
        Err(error) => ensure_nested(&observation.far, error, FAR, "nested")?,
    }
    Ok(outcome)
}

fn read_options(bytes: &[u8], offset: u64, path: &Path<'_>) -> Result<AgentOptions, Error> {
    AgentOptions::read(bytes, offset, path, Stage::Restore)
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a nested writer")]
fn write_options(options: &AgentOptions) -> Result<Vec<u8>, WriteError> {
    Ok(options.to_bytes())
}

fn option_values(bytes: &[u8], options: &AgentOptions) -> Result<(), Finding> {
    let length = if options.follower.is_some() { 90 } else { 66 };
    ensure(bytes.len() == length, "length", || format!("{} bytes", bytes.len()))?;
    let follower = options.follower.iter().flat_map(|f| [f.arrival_distance, f.slowing_distance, f.corner_cut]);
    let most = [options.radius, options.height, options.max_speed, options.neighbour_distance, options.wall_clearance]
        .into_iter()
        .chain(follower)
        .fold(0.0, |most: f64, value| if value > most { value } else { most });
    let finite = most <= 1024.0
        && (0.0..=65_536.0).contains(&options.max_acceleration)
        && [options.agent_horizon, options.wall_horizon].iter().all(|t| (0.015_625..=64.0).contains(t));
    ensure(finite && options.max_neighbours <= 32, "range", || format!("{options:?}"))
}

fn mesh_values(bytes: &[u8], mesh: &MeshSnapshot) -> Result<(), Finding> {
    let (vertices, polygons) = (mesh.vertices.len(), mesh.polygons.len());
    let corners: usize = mesh.polygons.iter().map(|polygon| 2 + polygon.vertices.len() * 8).sum();
    ensure(24 + vertices * 24 + corners == bytes.len(), "counts", || format!("{vertices} and {polygons}"))?;
    let bad = mesh.vertices.iter().find(|vertex| check_point(vertex).is_err());
    ensure(bad.is_none(), "finite", || format!("{bad:?}"))?;
    for (index, polygon) in (0_u32..).zip(&mesh.polygons) {
        let detail = || format!("polygon {index}: {polygon:?}");
        let count = polygon.vertices.len();
        ensure((3..=16).contains(&count) && polygon.links.len() == count, "corners", detail)?;
        ensure(polygon.area <= limits::AREA_MAX, "area", detail)?;
        ensure(polygon.vertices.iter().all(|vertex| (*vertex as usize) < vertices), "index", detail)?;
        for (edge, link) in polygon.links.iter().enumerate().filter_map(|(edge, link)| link.map(|link| (edge, link))) {
            let (from, to) = polygon.edge(edge);
            let back = mesh.polygons.get(link as usize).is_some_and(|other| {
                other.links.iter().enumerate().any(|(e, l)| *l == Some(index) && other.edge(e) == (to, from))
            });
            ensure(back && link != index, "link", detail)?;
        }
    }
    Ok(())
}

fn state_values(state: &CrowdState, context: &Context) -> Result<(), Finding> {
    let header = state.header;
    let count = state.agents.len();
    let right = i32::try_from(count).is_ok_and(|count| count == header.agent_count)
        && header.agent_count <= context.options.max_agents
        && header.step_count >= 0;
    ensure(right, "header", || format!("{header:?} with {count} agents"))?;
    let ordered = state.agents.windows(2).all(|pair| pair[0].id < pair[1].id)
        && state.agents.iter().all(|agent| agent.id >= 1 && agent.id < header.next_id);
    ensure(ordered, "id-order", || "ids out of order".to_owned())?;
    for agent in &state.agents {
        let detail = || format!("{agent:?}");
        let [vx, vz] = agent.velocity;
        ensure(check_point(&agent.position).is_ok() && check_point(&[vx, 0.0, vz]).is_ok(), "finite", detail)?;
        let polygons = context.mesh.polygons.len();
        ensure((agent.polygon as usize) < polygons, "index", detail)?;
        if let Task::Following { corridor, .. } = &agent.task {
            let linked = corridor.windows(2).all(|pair| {
                context.mesh.polygons.get(pair[0] as usize).is_some_and(|p| p.links.contains(&Some(pair[1])))
            });
            ensure(linked && corridor.first() == Some(&agent.polygon), "corridor", detail)?;
        }
        let walls = agent.walls.as_ref().map_or(0, |cache| cache.walls.len());
        ensure(i32::try_from(walls).is_ok_and(|w| w <= context.options.max_walls_per_agent), "walls", detail)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::reading::doctored;
    use super::*;
    use crate::seeds;

    fn seed(name: &str) -> Vec<u8> {
        seeds::nested().into_iter().find(|seed| seed.name == name).unwrap().bytes
    }

    fn judge_mesh(doctor: fn(&mut Observation<MeshSnapshot>)) -> Result<Outcome, &'static str> {
        let bytes = seed("mesh-two-squares");
        let mut observation = observe(&bytes, MeshSnapshot::read_at, MeshSnapshot::write);
        doctor(&mut observation);
        judge(MESH, &bytes, &observation, mesh_values).map_err(|finding| finding.property)
    }

    #[test]
    fn a_mesh_is_judged() {
        type Doctor = fn(&mut Observation<MeshSnapshot>);
        let doctors: [(&str, Doctor); 12] = [
            ("round-trip", |o| o.reading.written = Ok(Ok(Vec::new()))),
            ("counts", |o| {
                o.values.as_mut().unwrap().vertices.pop();
            }),
            ("finite", |o| o.values.as_mut().unwrap().vertices[1][1] = f64::NAN),
            ("counts", |o| {
                o.values.as_mut().unwrap().polygons[0].vertices.pop();
            }),
            ("corners", |o| {
                o.values.as_mut().unwrap().polygons[0].links.pop();
            }),
            ("area", |o| o.values.as_mut().unwrap().polygons[0].area = 64),
            ("index", |o| o.values.as_mut().unwrap().polygons[0].vertices[0] = 6),
            ("link", |o| o.values.as_mut().unwrap().polygons[0].links[1] = None),
            ("link", |o| o.values.as_mut().unwrap().polygons[0].links[0] = Some(0)),
            ("nested-values", |o| o.far.as_mut().unwrap().revision += 1),
            ("nested-values", |o| o.far = Err(doctored(Code::Truncated, 0, "nested.magic"))),
            ("nested-error", |o| {
                o.values = Err(doctored(Code::Truncated, 0, "magic"));
                o.far = Err(doctored(Code::Truncated, 0, "nested.magic"));
            }),
        ];
        assert_eq!(judge_mesh(|_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_mesh(doctor), Err(property), "doctor {number}");
        }
    }

    #[test]
    fn agent_options_are_judged() {
        type Doctor = fn(&mut AgentOptions);
        let bytes = seed("options-follower");
        let options = read_options(&bytes, 0, &Path::ROOT).unwrap();
        assert_eq!(option_values(&bytes, &options), Ok(()));
        let doctors: [(&str, Doctor); 5] = [
            ("length", |options| options.follower = None),
            ("range", |options| options.radius = 1025.0),
            ("range", |options| options.agent_horizon = 0.0),
            ("range", |options| options.max_acceleration = f64::NAN),
            ("range", |options| options.max_neighbours = 33),
        ];
        for (property, doctor) in doctors {
            let mut options = options;
            doctor(&mut options);
            assert_eq!(option_values(&bytes, &options).unwrap_err().property, property);
        }
    }

    #[test]
    fn a_state_is_judged() {
        type Doctor = fn(&mut CrowdState);
        let context = Context::of_states();
        let state = CrowdState::read(&seed("state-agents"), 0, &Path::ROOT, &context.borrow(None)).unwrap();
        assert_eq!(state_values(&state, &context), Ok(()));
        let doctors: [(&str, Doctor); 8] = [
            ("header", |state| state.header.agent_count += 1),
            ("header", |state| {
                state.agents.pop();
            }),
            ("id-order", |state| state.agents.swap(0, 1)),
            ("id-order", |state| state.header.next_id = 7),
            ("finite", |state| state.agents[3].velocity[1] = f64::NAN),
            ("index", |state| state.agents[0].polygon = 2),
            ("corridor", |state| state.agents[2].polygon = 1),
            ("walls", |state| {
                let walls = state.agents[2].walls.as_mut().unwrap();
                walls.walls = vec![walls.walls[0]; 17];
            }),
        ];
        for (property, doctor) in doctors {
            let mut state = state.clone();
            doctor(&mut state);
            assert_eq!(state_values(&state, &context).unwrap_err().property, property);
        }
    }

    #[test]
    fn crowd_options_are_judged() {
        let bytes = seed("setup-agents");
        let setup = Setup::read(&bytes).unwrap();
        let options = setup.options.validate(&Path::ROOT.field("options"));
        assert_eq!(judge_options(&setup, &options), Ok(()));
        let mut other = options.unwrap();
        other.query_nodes += 1;
        assert_eq!(judge_options(&setup, &Ok(other)).unwrap_err().property, "round-trip");
        let wrong_stage = doctored(Code::OptionOutOfRange, 24, "options.max_agents");
        assert_eq!(judge_options(&setup, &Err(wrong_stage)).unwrap_err().property, "option-error");
    }
}
