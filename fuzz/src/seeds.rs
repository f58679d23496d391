//! The built-in seeds: small files that every reader accepts, together with every kind of every field, and the recipes that put
//! each length and count of theirs at its limits.

use replay_format::{
    AgentOptions, AgentRecord, Bits64, BuildInput, BuildSettingsBits, CrowdOptions, CrowdState, LiveRecord,
    MeshPolygon, MeshSnapshot, NodeModel, Operation, PathFollower, Point, Replay, Setup, StateHeader, Step, Task,
    WallCache, WallEdge, limits, xxh64,
};

use crate::context::Context;
use crate::input::recipe;
use crate::patch::Patch;
use crate::tree::{Claim, Node, change_lists, count_lists, parts};

/// The most lengths and counts of a seed that recipes are made for.
const CLAIMS_MAX: u16 = 16;

/// A named input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// What it is, in kebab-case.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

fn seed(name: &str, bytes: Vec<u8>) -> Seed {
    Seed { name: name.to_owned(), bytes }
}

/// Replays, from none to eight steps.
pub(crate) fn replays() -> Vec<Seed> {
    let (near, far) = (add(&[1.0, 0.0, 1.0], None), add(&[19.0, 0.5, 9.0], Some(PathFollower::default())));
    let every_kind = vec![
        join(&[near.clone(), far.clone()]),
        join(&[set_destination(1, [19.0, 0.0, 1.0]), set_destination(2, [0.5, -0.0, 5.0])]),
        Vec::new(),
        teleport(1, [12.0, 0.0, 3.0]),
        stop(2),
        join(&[remove(1), far]),
    ];
    let crowd: Vec<Vec<u8>> = (0..8).map(|i| add(&[5.0, 0.0, f64::from(i / 2)], None)).collect();
    let goals: Vec<Vec<u8>> = (1..=8).map(|id| set_destination(id, [id as f64 * 2.0, 0.0, 9.0])).collect();
    let off_mesh = join(&[add(&[500.0, 0.0, 0.0], None), set_destination(1, [-400.0, 9.0, 1e6])]);
    let one_node =
        CrowdOptions { query_nodes: 1, query_node_model: NodeModel::PortalCrossing, ..CrowdOptions::default() };
    vec![
        replay("replay-zero-steps", setup(two_squares(), CrowdOptions::default(), 0.125, 0, Vec::new()), Vec::new()),
        replay("replay-every-kind", setup(two_squares(), one_node, 1.0 / 60.0, 0, Vec::new()), every_kind),
        replay("replay-mid-run", setup(two_squares(), CrowdOptions::default(), 0.5, 7, agents()), vec![Vec::new(); 8]),
        replay(
            "replay-crowd",
            setup(octagon(), CrowdOptions::default(), 0.25, 0, Vec::new()),
            vec![join(&crowd), join(&goals), Vec::new(), off_mesh, Vec::new()],
        ),
        replay("replay-dt-largest", setup(two_squares(), one_node, limits::DT_MAX, 0, agents()), vec![Vec::new(); 2]),
        replay("replay-empty-mesh", setup(empty_mesh(), CrowdOptions::default(), 5e-324, 0, Vec::new()), vec![near]),
    ]
}

/// Setup blocks.
pub(crate) fn setups() -> Vec<Seed> {
    let full = CrowdOptions { max_agents: 7, max_walls_per_agent: 2, ..CrowdOptions::default() };
    vec![
        seed("setup-agents", bytes_of(&setup(two_squares(), full, 0.5, 7, agents()))),
        seed("setup-octagon", bytes_of(&setup(octagon(), CrowdOptions::default(), 0.25, 0, Vec::new()))),
        seed("setup-empty-mesh", bytes_of(&setup(empty_mesh(), full, 3600.0, i64::MAX, Vec::new()))),
    ]
}

/// Live captures.
pub(crate) fn lives() -> Vec<Seed> {
    let head = setup(two_squares(), CrowdOptions::default(), 0.5, 7, agents());
    let bare = bytes_of(&head);
    let mut stepped = bare.clone();
    let operations =
        [add(&[1.0, 0.0, 1.0], Some(PathFollower::default())), set_destination(1, [3.0, 0.0, 3.0]), stop(1), remove(2)];
    for operation in &operations {
        stepped.push(replay_format::RECORD_OPERATION);
        stepped.extend_from_slice(operation);
        LiveRecord::Step(7).write(&mut stepped);
    }
    let mut after = stepped.clone();
    after.push(replay_format::RECORD_OPERATION);
    after.extend(teleport(3, [1.0, 0.0, 2.0]));
    vec![seed("live-steps", stepped), seed("live-after-last-step", after), seed("live-bare", bare)]
}

/// Runs of operations.
pub(crate) fn operations() -> Vec<Seed> {
    let all = [
        add(&[1.0, 0.0, 1.0], None),
        add(&[-0.0, 2_097_151.9, -2_097_151.9], Some(PathFollower::default())),
        remove(1),
        set_destination(i64::MIN, [0.0; 3]),
        stop(i64::MAX),
        teleport(2, [4.0, 0.5, 4.0]),
    ];
    vec![
        seed("operations-every-kind", join(&all)),
        seed("operations-stop", stop(1)),
        seed("operations-none", Vec::new()),
    ]
}

/// Build inputs.
pub(crate) fn builds() -> Vec<Seed> {
    let bits = Bits64::new;
    let settings = BuildSettingsBits {
        agent_radius: bits(0.5),
        agent_height: bits(2.0),
        walkable_climb: bits(0.5),
        max_slope: bits(45.0),
        cell_size: bits(0.25),
        cell_height: bits(0.25),
        contour_max_error: bits(1.25),
        max_edge_length: bits(12.0),
        detail_sample_distance: bits(6.0),
        detail_max_error: bits(1.0),
        min_region_area: 8,
        merge_region_area: 20,
        max_verts_per_poly: 6,
        partition: 0,
    };
    let vertices = vec![[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, -0.0, 8.0], [0.0, 1.0, 8.0]];
    let square = BuildInput { settings, vertices, triangles: vec![[0, 2, 1], [0, 3, 2]] };
    let empty = BuildInput { vertices: Vec::new(), triangles: Vec::new(), ..square.clone() };
    let write = |input: &BuildInput| input.write().unwrap_or_default();
    vec![seed("build-square", write(&square)), seed("build-empty", write(&empty))]
}

/// Mesh snapshots.
pub(crate) fn meshes() -> Vec<Seed> {
    [("mesh-two-squares", two_squares()), ("mesh-octagon", octagon()), ("mesh-empty", empty_mesh())]
        .map(|(name, mesh)| seed(name, mesh.write().unwrap_or_default()))
        .into()
}

/// Everything that is nested in other files, and setup blocks, which hold it all.
pub(crate) fn nested() -> Vec<Seed> {
    let mut seeds = meshes();
    seeds.push(seed("options-bare", agent_options(None).to_bytes()));
    seeds.push(seed("options-follower", agent_options(Some(PathFollower::default())).to_bytes()));
    let state = setup(two_squares(), CrowdOptions::default(), 0.5, 7, agents()).state;
    seeds.push(seed("state-agents", state));
    let mut setups = setups();
    seeds.append(&mut setups);
    seeds
}

impl Context {
    /// What crowd states that stand alone are read against: the two squares and the default options.
    pub(crate) fn of_states() -> Context {
        let mesh = two_squares();
        let bytes = mesh.write().unwrap_or_default();
        Context::new(mesh, &bytes, CrowdOptions::default())
    }
}

/// For each seed, the recipes that put each of its lengths and counts around its limit, the truth, the bytes left and the ends of
/// its type.
pub(crate) fn claims(seeds: &[Seed], grammar: fn(&[u8]) -> Vec<Node>) -> Vec<Seed> {
    let near = [-1, 0, 1];
    let claims = near.map(Claim::LimitAnd).into_iter().chain(near.map(Claim::LeftAnd));
    let claims = claims.chain([-1, 1].map(Claim::TruthAnd)).chain([-1, i32::MIN, i32::MAX, 0].map(Claim::Value));
    let claims: Vec<Claim> = claims.collect();
    let mut recipes = Vec::new();
    for (number, seed) in (0..=u8::MAX).zip(seeds) {
        let mut nodes = grammar(&seed.bytes);
        // The first few: of a hundred agents' or steps' lengths the first shows it.
        for at in (0..CLAIMS_MAX).take(parts(&mut nodes).claims.len()) {
            recipes.extend(claims.iter().map(|claim| {
                let words = format!("{claim:?}").to_lowercase().replace('(', "-").replace(')', "");
                let name = format!("{}-claim-{at}-{words}", seed.name);
                Seed { name, bytes: recipe(number, &[Patch::Claim { at, claim: *claim }]) }
            }));
        }
    }
    recipes
}

/// The recipes that fill lists up to their limit: what has a limit in bytes, in the first seed that has such a list with items;
/// counts of one byte, in every seed.
pub(crate) fn fills(seeds: &[Seed], grammar: fn(&[u8]) -> Vec<Node>) -> Vec<Seed> {
    let mut recipes = Vec::new();
    let mut filled = false;
    for (number, seed) in (0..=u8::MAX).zip(seeds) {
        let mut nodes = grammar(&seed.bytes);
        for at in (0..u16::MAX).take(count_lists(&mut nodes)) {
            let mut fills = false;
            change_lists(&mut nodes, at.into(), &mut |lists| {
                let items = lists.lists.first().is_some_and(|list| !list.is_empty());
                fills = items && lists.counts.first().is_some_and(|count| count.width == 1);
                if items && lists.filling.is_some() && !filled {
                    (fills, filled) = (true, true);
                }
            });
            recipes.extend([-1, 0, 1].iter().filter(|_| fills).map(|more| {
                let name = format!("{}-fill-{at}-{more}", seed.name);
                Seed { name, bytes: recipe(number, &[Patch::Fill { at, more: *more }]) }
            }));
        }
    }
    recipes
}

fn replay(name: &str, setup: Setup<Vec<u8>>, operations: Vec<Vec<u8>>) -> Seed {
    let step = |operations| Step { operations, operations_offset: 0, hash: 0x0123_4567_89AB_CDEF };
    let replay = Replay { setup, steps: operations.into_iter().map(step).collect() };
    seed(name, replay.write().unwrap_or_default())
}

fn setup(
    mesh: MeshSnapshot,
    options: CrowdOptions,
    dt: f64,
    start_step: i64,
    agents: Vec<AgentRecord>,
) -> Setup<Vec<u8>> {
    let mesh = mesh.write().unwrap_or_default();
    let mut option_bytes = Vec::new();
    options.to_bits().write(&mut option_bytes);
    let header = StateHeader {
        mesh_digest: xxh64(&mesh),
        options_digest: xxh64(&option_bytes),
        step_count: start_step,
        next_id: 1 + agents.len() as i64,
        agent_count: i32::try_from(agents.len()).unwrap_or(0),
    };
    let state = CrowdState { header, agents }.write().unwrap_or_default();
    Setup { dt, start_step, options: options.to_bits(), mesh, mesh_offset: 0, state, state_offset: 0 }
}

fn bytes_of(setup: &Setup<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    let _ = setup.write(&mut out);
    out
}

/// Two squares of 10 m beside each other.
pub(crate) fn two_squares() -> MeshSnapshot {
    let vertices = [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [0.0, 10.0], [10.0, 10.0], [20.0, 10.0]];
    let polygon = |vertices: [u32; 4], links: [Option<u32>; 4]| MeshPolygon {
        vertices: vertices.into(),
        links: links.into(),
        area: 1,
    };
    MeshSnapshot {
        revision: 0,
        vertices: vertices.map(|[x, z]| [x, 0.0, z]).into(),
        polygons: vec![
            polygon([0, 1, 4, 3], [None, Some(1), None, None]),
            polygon([1, 2, 5, 4], [None, None, None, Some(0)]),
        ],
    }
}

/// One polygon of 16 corners, sloping.
fn octagon() -> MeshSnapshot {
    let corners = [[3, 0], [7, 0], [10, 3], [10, 7], [7, 10], [3, 10], [0, 7], [0, 3]];
    let mut vertices = Vec::new();
    for (index, [x, z]) in corners.iter().enumerate() {
        let [next_x, next_z] = corners[(index + 1) % corners.len()];
        for [x, z] in [[f64::from(*x), f64::from(*z)], [f64::from(x + next_x) / 2.0, f64::from(z + next_z) / 2.0]] {
            vertices.push([x, x / 8.0, z]);
        }
    }
    let polygon = MeshPolygon { vertices: (0..16).collect(), links: vec![None; 16], area: limits::AREA_MAX };
    MeshSnapshot { revision: i64::MAX, vertices, polygons: vec![polygon] }
}

fn empty_mesh() -> MeshSnapshot {
    MeshSnapshot { revision: 1, vertices: Vec::new(), polygons: Vec::new() }
}

/// One agent of each task, on the two squares.
fn agents() -> Vec<AgentRecord> {
    let (destination, target) = ([19.0, 0.0, 5.0], [18.0, 0.0, 5.0]);
    let following = |partial| Task::Following { destination, target, corridor: vec![0, 1], partial };
    let tasks = [
        Task::Idle,
        Task::Requested { destination },
        following(false),
        following(true),
        Task::Arrived,
        Task::Blocked,
        Task::Unreachable,
    ];
    let walls =
        |anchor| WallCache { anchor, walls: vec![WallEdge { polygon: 0, edge: 0 }, WallEdge { polygon: 1, edge: 1 }] };
    let agent = |(id, task): (i64, Task)| {
        let z = 1.25 * id as f64;
        AgentRecord {
            id,
            options: agent_options((id % 2 == 0).then(PathFollower::default)),
            position: [2.0, 0.0, z],
            polygon: 0,
            velocity: [0.5, -0.0],
            task,
            walls: (id % 3 == 0).then(|| walls([2.0, z])),
        }
    };
    (1..).zip(tasks).map(agent).collect()
}

fn agent_options(follower: Option<PathFollower>) -> AgentOptions {
    AgentOptions { follower, ..AgentOptions::default() }
}

fn join(operations: &[Vec<u8>]) -> Vec<u8> {
    operations.concat()
}

fn bytes_of_operation(operation: &Operation<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    operation.write(&mut out);
    out
}

fn add(position: &Point, follower: Option<PathFollower>) -> Vec<u8> {
    let settings = agent_options(follower).to_bytes();
    bytes_of_operation(&Operation::Add { position: *position, settings: &settings, settings_offset: 0 })
}

fn remove(agent: i64) -> Vec<u8> {
    bytes_of_operation(&Operation::Remove { agent })
}

fn set_destination(agent: i64, destination: Point) -> Vec<u8> {
    bytes_of_operation(&Operation::SetDestination { agent, destination })
}

fn stop(agent: i64) -> Vec<u8> {
    bytes_of_operation(&Operation::Stop { agent })
}

fn teleport(agent: i64, position: Point) -> Vec<u8> {
    bytes_of_operation(&Operation::Teleport { agent, position })
}
