//! Trees of files that the readers accept: which fields there are, what may stand in them, which length encloses what.
//!
//! A file that is not accepted is one run of bytes. The test demands that a tree writes the very file that it was made from, for
//! every seed.

use replay_format::{
    AgentOptions, AgentRecord, Bits64, BuildInput, CrowdOptionsBits, CrowdState, LiveCapture, LiveRecord, MeshPolygon,
    MeshSnapshot, Operation, Path, Point, RECORD_OPERATION, RECORD_STEP, Replay, Setup, Stage, Task, known_operations,
    limits,
};

use crate::context::Context;
use crate::tree::{Block, Claim, Count, Filling, Lists, Node, Number, Range};

/// Whether nested blocks are taken apart: outer readers never look into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outer,
    Nested,
}

/// The tree of a replay as its reader sees it.
pub(crate) fn of_replay(bytes: &[u8]) -> Vec<Node> {
    replay(bytes, Depth::Outer)
}

/// The tree of a replay with all that is nested in it.
pub(crate) fn of_played(bytes: &[u8]) -> Vec<Node> {
    replay(bytes, Depth::Nested)
}

fn replay(bytes: &[u8], depth: Depth) -> Vec<Node> {
    let Ok(replay) = Replay::read(bytes) else { return unread(bytes) };
    let mut nodes = header(limits::REPLAY_MAGIC, true);
    nodes.push(block(i64::from(i32::MAX), setup(&replay.setup, depth)));
    let steps = replay.steps.iter().map(|step| {
        let operations = known_operations(step.operations).map(|op| operation(&op)).collect();
        let operations =
            Node::Lists(Lists { lists: vec![operations], filling: Some(Filling::Operations), ..Lists::default() });
        Node::Record(vec![block(signed(limits::OPERATIONS_MAX), vec![operations]), bits(8, step.hash)])
    });
    nodes.push(counted(4, limits::STEPS_MAX, limits::STEP_MIN_BYTES, steps.collect()));
    nodes
}

/// The tree of a setup block.
pub(crate) fn of_setup(bytes: &[u8]) -> Vec<Node> {
    Setup::read(bytes).map_or_else(|_| unread(bytes), |read| setup(&read, Depth::Outer))
}

/// The tree of a live capture.
pub(crate) fn of_live(bytes: &[u8]) -> Vec<Node> {
    let Ok(capture) = LiveCapture::read(bytes) else { return unread(bytes) };
    let records = capture.records.iter().map(|(_, record)| {
        Node::Record(match record {
            LiveRecord::Operation(op) => vec![byte(RECORD_OPERATION, 1, 2), operation(op)],
            LiveRecord::Step(hash) => vec![byte(RECORD_STEP, 1, 2), bits(8, *hash)],
        })
    });
    let records = Lists { lists: vec![records.collect()], filling: Some(Filling::Records), ..Lists::default() };
    let mut nodes = setup(&capture.setup, Depth::Outer);
    nodes.push(Node::Lists(records));
    nodes
}

/// The tree of a run of operations.
pub(crate) fn of_operations(bytes: &[u8]) -> Vec<Node> {
    let operations = known_operations(bytes).map(|op| operation(&op)).collect();
    vec![Node::Lists(Lists { lists: vec![operations], filling: Some(Filling::Operations), ..Lists::default() })]
}

/// The tree of a build input.
pub(crate) fn of_build(bytes: &[u8]) -> Vec<Node> {
    let Ok(input) = BuildInput::read(bytes) else { return unread(bytes) };
    let mut nodes = header(limits::BUILD_MAGIC, false);
    nodes.extend(input.settings.doubles().iter().map(|(_, value)| float(*value, 0.0, 100.0)));
    let settings = input.settings;
    let integers =
        [settings.min_region_area, settings.merge_region_area, settings.max_verts_per_poly, settings.partition];
    nodes.extend(integers.map(|value| int(4, value.into(), 0, 12)));
    let vertices = input.vertices.iter().map(point).collect();
    let count = signed(input.vertices.len() as u64);
    let triangles = input
        .triangles
        .iter()
        .map(|triangle| Node::Record(triangle.iter().map(|index| int(4, i64::from(*index), 0, count - 1)).collect()));
    nodes.push(Node::Lists(Lists {
        counts: vec![count_of(4, limits::BUILD_VERTICES_MAX, 24), count_of(4, limits::BUILD_TRIANGLES_MAX, 12)],
        lists: vec![vertices, triangles.collect()],
        ..Lists::default()
    }));
    nodes
}

/// The tree of a mesh snapshot, of agent options, of a setup block, or of a crowd state on the mesh of the seeds.
pub(crate) fn of_nested(bytes: &[u8]) -> Vec<Node> {
    if bytes.starts_with(&limits::SETUP_MAGIC) {
        return Setup::read(bytes).map_or_else(|_| unread(bytes), |read| setup(&read, Depth::Nested));
    }
    if bytes.starts_with(&limits::MESH_MAGIC) {
        return of_mesh(bytes);
    }
    if let Ok(options) = AgentOptions::read(bytes, 0, &Path::ROOT, Stage::Restore) {
        return vec![agent_options(&options)];
    }
    let context = Context::of_states();
    CrowdState::read(bytes, 0, &Path::ROOT, &context.borrow(None)).map_or_else(|_| unread(bytes), |s| state(&s))
}

/// The tree of a mesh snapshot.
pub(crate) fn of_mesh(bytes: &[u8]) -> Vec<Node> {
    let Ok(mesh) = MeshSnapshot::read(bytes) else { return unread(bytes) };
    let mut nodes = header(limits::MESH_MAGIC, false);
    nodes.push(int(8, mesh.revision, 0, i64::MAX));
    let (vertices, polygons) = (signed(mesh.vertices.len() as u64), signed(mesh.polygons.len() as u64));
    nodes.push(Node::Lists(Lists {
        counts: vec![count_of(4, limits::MESH_VERTICES_MAX, 24), count_of(4, limits::MESH_POLYGONS_MAX, 26)],
        lists: vec![
            mesh.vertices.iter().map(point).collect(),
            mesh.polygons.iter().map(|p| polygon(p, vertices, polygons)).collect(),
        ],
        ..Lists::default()
    }));
    nodes
}

fn polygon(polygon: &MeshPolygon, vertices: i64, polygons: i64) -> Node {
    let corners = polygon.vertices.iter().map(|vertex| int(4, i64::from(*vertex), 0, vertices - 1)).collect();
    let links = polygon.links.iter().map(|link| int(4, link.map_or(-1, i64::from), -1, polygons - 1)).collect();
    Node::Lists(Lists {
        counts: vec![count_of(1, limits::POLYGON_VERTICES_MAX.into(), 8)],
        between: vec![byte(polygon.area, 0, limits::AREA_MAX)],
        lists: vec![corners, links],
        ..Lists::default()
    })
}

fn setup<B: AsRef<[u8]>>(setup: &Setup<B>, depth: Depth) -> Vec<Node> {
    let (mesh, state_bytes) = (setup.mesh.as_ref(), setup.state.as_ref());
    let mut nodes = header(limits::SETUP_MAGIC, true);
    nodes.push(float(Bits64::new(setup.dt), f64::from_bits(1), limits::DT_MAX));
    nodes.push(int(8, setup.start_step, 0, i64::MAX));
    nodes.extend(crowd_options(&setup.options));
    let (mesh, state) = match depth {
        Depth::Outer => (unread(mesh), unread(state_bytes)),
        Depth::Nested => {
            let context = Context::of_setup(setup);
            let read = context.and_then(|c| CrowdState::read(state_bytes, 0, &Path::ROOT, &c.borrow(None)).ok());
            (of_mesh(mesh), read.map_or_else(|| unread(state_bytes), |read| state(&read)))
        }
    };
    nodes.push(block(i64::from(i32::MAX), mesh));
    nodes.push(block(i64::from(i32::MAX), state));
    nodes
}

fn crowd_options(options: &CrowdOptionsBits) -> [Node; 6] {
    [
        int(4, options.max_agents.into(), 1, limits::MAX_AGENTS_MAX.into()),
        int(4, options.query_nodes.into(), 1, limits::QUERY_NODES_MAX.into()),
        byte(options.query_node_model, 0, limits::QUERY_NODE_MODEL_MAX),
        int(4, options.max_walls_per_agent.into(), 0, limits::WALLS_PER_AGENT_MAX.into()),
        float(options.wall_refresh_distance, 0.0, limits::WALL_REFRESH_MAX),
        int(4, options.max_walls_avoided.into(), 0, limits::WALLS_AVOIDED_MAX.into()),
    ]
}

fn state(state: &CrowdState) -> Vec<Node> {
    let header = state.header;
    vec![
        bits(4, limits::SPEC_VERSION.into()),
        bits(8, header.mesh_digest),
        bits(8, header.options_digest),
        int(8, header.step_count, 0, i64::MAX),
        int(8, header.next_id, 1, i64::MAX),
        counted(4, limits::MAX_AGENTS_MAX.unsigned_abs().into(), 120, state.agents.iter().map(agent).collect()),
    ]
}

fn agent(agent: &AgentRecord) -> Node {
    let mut nodes = vec![int(8, agent.id, 1, i64::MAX), agent_options(&agent.options), point(&agent.position)];
    nodes.push(int(4, agent.polygon.into(), 0, 1));
    nodes.extend(agent.velocity.map(coordinate));
    nodes.push(byte(agent.task.byte(), 0, 6));
    match &agent.task {
        Task::Requested { destination } => nodes.push(point(destination)),
        Task::Following { destination, target, corridor, .. } => {
            nodes.extend([point(destination), point(target)]);
            let corridor = corridor.iter().map(|polygon| int(4, i64::from(*polygon), 0, 1)).collect();
            nodes.push(counted(4, limits::CORRIDOR_MAX, 4, corridor));
        }
        Task::Idle | Task::Arrived | Task::Blocked | Task::Unreachable => {}
    }
    nodes.push(byte(agent.walls.is_some().into(), 0, 1));
    if let Some(cache) = &agent.walls {
        nodes.extend(cache.anchor.map(coordinate));
        let walls = cache.walls.iter().map(|wall| {
            Node::Record(vec![int(4, wall.polygon.into(), 0, 1), byte(wall.edge, 0, limits::POLYGON_VERTICES_MAX)])
        });
        nodes.push(counted(1, limits::WALLS_PER_AGENT_MAX.unsigned_abs().into(), 5, walls.collect()));
    }
    Node::Record(nodes)
}

fn agent_options(options: &AgentOptions) -> Node {
    let mut nodes = vec![
        range(options.radius, 0.0, 1024.0),
        range(options.height, 0.0, 1024.0),
        range(options.max_speed, 0.0, 1024.0),
        range(options.max_acceleration, 0.0, 65_536.0),
        range(options.neighbour_distance, 0.0, 1024.0),
        range(options.agent_horizon, 0.015_625, 64.0),
        range(options.wall_horizon, 0.015_625, 64.0),
        range(options.wall_clearance, 0.0, 1024.0),
        byte(options.max_neighbours, 0, 32),
        byte(options.follower.is_some().into(), 0, 1),
    ];
    if let Some(follower) = &options.follower {
        nodes.extend([
            range(follower.arrival_distance, 0.0, 1024.0),
            range(follower.slowing_distance, 0.0, 1024.0),
            range(follower.corner_cut, 0.0, 1.0),
        ]);
    }
    Node::Record(nodes)
}

fn operation(operation: &Operation<'_>) -> Node {
    let mut nodes = vec![byte(operation.kind(), 1, 5)];
    nodes.extend(operation.agent().map(|agent| int(8, agent, 1, i64::MAX)));
    match operation {
        Operation::Add { position, settings, settings_offset } => {
            nodes.push(point(position));
            let path = Path::ROOT;
            let read = AgentOptions::read(settings, *settings_offset, &path, Stage::Play);
            nodes.push(read.map_or_else(|_| Node::Bytes(settings.to_vec()), |options| agent_options(&options)));
        }
        Operation::SetDestination { destination: at, .. } | Operation::Teleport { position: at, .. } => {
            nodes.push(point(at));
        }
        Operation::Remove { .. } | Operation::Stop { .. } => {}
    }
    Node::Record(nodes)
}

fn header(magic: [u8; 4], kind: bool) -> Vec<Node> {
    let mut nodes = vec![bits(4, u32::from_le_bytes(magic).into()), byte(limits::VERSION, 1, 1)];
    if kind {
        nodes.push(byte(limits::KIND_CROWD, 1, 1));
    }
    nodes.extend((0..if kind { 2 } else { 3 }).map(|_| byte(0, 0, 0)));
    nodes
}

fn unread(bytes: &[u8]) -> Vec<Node> {
    vec![Node::Bytes(bytes.to_vec())]
}

fn block(limit: i64, content: Vec<Node>) -> Node {
    Node::Block(Block { claim: Claim::Truth, limit, content })
}

fn count_of(width: usize, limit: u64, item_bytes: u64) -> Count {
    Count { width, claim: Claim::Truth, limit: signed(limit), item_bytes }
}

fn counted(width: usize, limit: u64, item_bytes: u64, items: Vec<Node>) -> Node {
    Node::Lists(Lists { counts: vec![count_of(width, limit, item_bytes)], lists: vec![items], ..Lists::default() })
}

fn point(point: &Point) -> Node {
    Node::Record(point.map(coordinate).to_vec())
}

fn coordinate(value: f64) -> Node {
    let max = limits::POSITION_LIMIT.next_down();
    range(value, -max, max)
}

fn range(value: f64, min: f64, max: f64) -> Node {
    float(Bits64::new(value), min, max)
}

fn float(value: Bits64, min: f64, max: f64) -> Node {
    Node::Number(Number { width: 8, bits: value.0, range: Range::Float { min, max } })
}

fn int(width: usize, value: i64, min: i64, max: i64) -> Node {
    Node::Number(Number { width, bits: value.cast_unsigned(), range: Range::Int { min, max } })
}

fn byte(value: u8, min: u8, max: u8) -> Node {
    int(1, value.into(), min.into(), max.into())
}

fn bits(width: usize, bits: u64) -> Node {
    Node::Number(Number { width, bits, range: Range::Bits })
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds;
    use crate::tree::write;

    #[test]
    fn trees_write_the_files_they_were_made_from() {
        type Grammar = fn(&[u8]) -> Vec<Node>;
        let families: [(Grammar, Vec<seeds::Seed>); 7] = [
            (of_replay, seeds::replays()),
            (of_played, seeds::replays()),
            (of_setup, seeds::setups()),
            (of_live, seeds::lives()),
            (of_operations, seeds::operations()),
            (of_build, seeds::builds()),
            (of_nested, seeds::nested()),
        ];
        for (grammar, seeds) in families {
            for seed in seeds {
                let nodes = grammar(&seed.bytes);
                assert_eq!(write(&nodes), seed.bytes, "{}", seed.name);
                let bytes = nodes.iter().any(|node| matches!(node, Node::Bytes(_)));
                assert!(!bytes || seed.bytes.is_empty(), "{} is taken apart", seed.name);
            }
        }
    }
}
