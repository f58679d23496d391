//! Random valid values of every layout.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proptest::prelude::*;
use proptest::sample::Index;
use replay_format::{
    AgentOptions, AgentRecord, Bits64, BuildInput, BuildSettingsBits, CrowdOptionsBits, CrowdState, LiveRecord,
    MeshPolygon, MeshSnapshot, NodeModel, Operation, PathFollower, Point, Setup, StateHeader, Task, WallCache,
    WallEdge, limits,
};

use crate::layout::World;

/// A finite double from `range`, its ends and the zeros in it among them.
pub fn double(range: RangeInclusive<f64>) -> BoxedStrategy<f64> {
    let (min, max) = (*range.start(), *range.end());
    let mut edges = vec![min, max, min.next_up(), max.next_down()];
    edges.extend([0.0, -0.0, 5e-324, -5e-324].into_iter().filter(|zero| range.contains(zero)));
    prop_oneof![3 => range, 1 => prop::sample::select(edges)].boxed()
}

pub fn coordinate() -> BoxedStrategy<f64> {
    let most = limits::POSITION_LIMIT.next_down();
    double(-most..=most)
}

pub fn point() -> impl Strategy<Value = Point> {
    [coordinate(), coordinate(), coordinate()]
}

/// Any 64 bits, NaNs of all kinds often.
pub fn bits() -> impl Strategy<Value = Bits64> {
    prop_oneof![
        any::<u64>(),
        any::<u64>().prop_map(|bits| bits | 0x7ff0_0000_0000_0000),
        any::<f64>().prop_map(f64::to_bits),
    ]
    .prop_map(Bits64)
}

pub fn agent_options() -> impl Strategy<Value = AgentOptions> {
    let sizes = (
        double(0.0..=limits::RADIUS_MAX),
        double(0.0..=limits::HEIGHT_MAX),
        double(0.0..=limits::SPEED_MAX),
        double(0.0..=limits::ACCELERATION_MAX),
    );
    let sight = (
        double(0.0..=limits::NEIGHBOUR_DISTANCE_MAX),
        double(limits::HORIZON_MIN..=limits::HORIZON_MAX),
        double(limits::HORIZON_MIN..=limits::HORIZON_MAX),
        double(0.0..=limits::WALL_CLEARANCE_MAX),
        0..=limits::NEIGHBOURS_MAX,
    );
    let follower = (
        double(0.0..=limits::ARRIVAL_DISTANCE_MAX),
        double(0.0..=limits::SLOWING_DISTANCE_MAX),
        double(0.0..=limits::CORNER_CUT_MAX),
    )
        .prop_map(|(arrival_distance, slowing_distance, corner_cut)| PathFollower {
            arrival_distance,
            slowing_distance,
            corner_cut,
        });
    (sizes, sight, prop::option::of(follower)).prop_map(|(sizes, sight, follower)| AgentOptions {
        radius: sizes.0,
        height: sizes.1,
        max_speed: sizes.2,
        max_acceleration: sizes.3,
        neighbour_distance: sight.0,
        agent_horizon: sight.1,
        wall_horizon: sight.2,
        wall_clearance: sight.3,
        max_neighbours: sight.4,
        follower,
    })
}

/// The bytes of one operation.
pub fn operation() -> impl Strategy<Value = Vec<u8>> {
    let settings = prop_oneof![
        agent_options().prop_map(|options| options.to_bytes()),
        // The outer readers look at nothing but the flag.
        prop::collection::vec(any::<u8>(), 90).prop_map(|mut bytes| {
            bytes[65] &= 1;
            bytes.truncate(if bytes[65] == 1 { 90 } else { 66 });
            bytes
        }),
    ];
    let bytes = |operation: Operation<'_>| {
        let mut out = Vec::new();
        operation.write(&mut out);
        out
    };
    prop_oneof![
        (point(), settings).prop_map(move |(position, settings)| {
            bytes(Operation::Add { position, settings: &settings, settings_offset: 0 })
        }),
        any::<i64>().prop_map(move |agent| bytes(Operation::Remove { agent })),
        (any::<i64>(), point())
            .prop_map(move |(agent, destination)| bytes(Operation::SetDestination { agent, destination })),
        any::<i64>().prop_map(move |agent| bytes(Operation::Stop { agent })),
        (any::<i64>(), point()).prop_map(move |(agent, position)| bytes(Operation::Teleport { agent, position })),
    ]
}

/// The bytes of some operations.
pub fn operations() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(operation(), 0..5).prop_map(|operations| operations.concat())
}

/// The bytes of some live records.
pub fn live_records() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let record = prop_oneof![
        operation().prop_map(|operation| [vec![replay_format::RECORD_OPERATION], operation].concat()),
        any::<u64>().prop_map(|hash| {
            let mut out = Vec::new();
            LiveRecord::Step(hash).write(&mut out);
            out
        }),
    ];
    prop::collection::vec(record, 0..12)
}

pub fn crowd_options_bits() -> impl Strategy<Value = CrowdOptionsBits> {
    (any::<(i32, i32, u8, i32, i32)>(), bits()).prop_map(|(numbers, wall_refresh_distance)| CrowdOptionsBits {
        max_agents: numbers.0,
        query_nodes: numbers.1,
        query_node_model: numbers.2,
        max_walls_per_agent: numbers.3,
        wall_refresh_distance,
        max_walls_avoided: numbers.4,
    })
}

/// A setup block whose nested blocks are any bytes.
pub fn setup() -> impl Strategy<Value = Setup<Vec<u8>>> {
    let block = || prop::collection::vec(any::<u8>(), 0..60);
    let dt = double(5e-324..=limits::DT_MAX);
    (dt, 0..=i64::MAX, crowd_options_bits(), block(), block()).prop_map(|(dt, start_step, options, mesh, state)| {
        let mesh_offset = 53;
        let state_offset = 57 + mesh.len() as u64;
        Setup { dt, start_step, options, mesh, mesh_offset, state, state_offset }
    })
}

pub fn build_input() -> impl Strategy<Value = BuildInput> {
    let settings = (prop::array::uniform10(bits()), any::<[i32; 4]>());
    (settings, prop::collection::vec(point(), 1..20)).prop_flat_map(|((doubles, integers), vertices)| {
        let settings = BuildSettingsBits {
            agent_radius: doubles[0],
            agent_height: doubles[1],
            walkable_climb: doubles[2],
            max_slope: doubles[3],
            cell_size: doubles[4],
            cell_height: doubles[5],
            contour_max_error: doubles[6],
            max_edge_length: doubles[7],
            detail_sample_distance: doubles[8],
            detail_max_error: doubles[9],
            min_region_area: integers[0],
            merge_region_area: integers[1],
            max_verts_per_poly: integers[2],
            partition: integers[3],
        };
        let index = 0..vertices.len() as u32;
        let triangle = [index.clone(), index.clone(), index];
        (Just(vertices), prop::collection::vec(triangle, 0..20)).prop_map(move |(vertices, triangles)| BuildInput {
            settings,
            vertices,
            triangles,
        })
    })
}

/// A grid of quads with random vertices and areas, of which some neighbours are linked.
pub fn mesh() -> impl Strategy<Value = MeshSnapshot> {
    (1..5_usize, 1..5_usize).prop_flat_map(|(width, depth)| {
        let points = (width + 1) * (depth + 1);
        let quads = width * depth;
        (
            prop::collection::vec(point(), points),
            prop::collection::vec((0..=limits::AREA_MAX, any::<[bool; 2]>()), quads),
            0..=i64::MAX,
        )
            .prop_map(move |(vertices, quads, revision)| MeshSnapshot {
                revision,
                vertices,
                polygons: grid_polygons(width, &quads),
            })
    })
}

/// The quads of a grid `width` wide. Each says its area and whether it is linked with the one after it along x, and along z.
fn grid_polygons(width: usize, quads: &[(u8, [bool; 2])]) -> Vec<MeshPolygon> {
    let linked = |from: usize, to: Option<usize>, axis: usize| {
        let to = to?;
        let (low, high) = (from.min(to), from.max(to));
        quads.get(high)?;
        quads[low].1[axis].then_some(to as u32)
    };
    (0..quads.len())
        .map(|index| {
            let (x, z) = (index % width, index / width);
            let corner = (z * (width + 1) + x) as u32;
            let below = corner + width as u32 + 1;
            MeshPolygon {
                vertices: vec![corner, corner + 1, below + 1, below],
                links: vec![
                    linked(index, index.checked_sub(width), 1),
                    linked(index, (x + 1 < width).then_some(index + 1), 0),
                    linked(index, Some(index + width), 1),
                    linked(index, index.checked_sub(1).filter(|_| x > 0), 0),
                ],
                area: quads[index].0,
            }
        })
        .collect()
}

/// What a random agent's numbers are made from.
type AgentSeed = (AgentOptions, Point, [f64; 2], Index, u8, [Point; 2], Vec<Index>, Option<([f64; 2], Vec<Index>)>);

/// A mesh, options and a state of that crowd.
pub fn world_and_state() -> impl Strategy<Value = (World, CrowdState)> {
    let agent = (
        agent_options(),
        point(),
        [coordinate(), coordinate()],
        any::<Index>(),
        0..=limits::TASK_MAX,
        [point(), point()],
        prop::collection::vec(any::<Index>(), 0..6),
        prop::option::of(([coordinate(), coordinate()], prop::collection::vec(any::<Index>(), 0..6))),
    );
    let agents = prop::collection::vec(agent, 0..5);
    let options = (5..=limits::MAX_AGENTS_MAX, 6..=limits::WALLS_PER_AGENT_MAX, double(0.0..=limits::WALL_REFRESH_MAX));
    let step = prop_oneof![Just(0), Just(i64::MAX), 0..=i64::MAX];
    (mesh(), options, agents, step, any::<bool>(), any::<bool>()).prop_map(|(mesh, options, seeds, step, last, own)| {
        let options = replay_format::CrowdOptions {
            max_agents: options.0,
            max_walls_per_agent: options.1,
            wall_refresh_distance: options.2,
            query_node_model: if last { NodeModel::PortalCrossing } else { NodeModel::PortalMidpoint },
            ..Default::default()
        };
        let next_id = if last { i64::MAX } else { 2 * seeds.len() as i64 + 1 };
        let spread = if last { next_id / 8 } else { 2 };
        let agents = (0..).zip(&seeds).map(|(slot, seed)| agent_of(seed, 1 + slot * spread, &mesh)).collect();
        let world = World { mesh, options, start_step: own.then_some(step) };
        let header = StateHeader {
            mesh_digest: world.mesh_digest(),
            options_digest: world.options_digest(),
            step_count: step,
            next_id,
            agent_count: seeds.len() as i32,
        };
        (world, CrowdState { header, agents })
    })
}

fn agent_of(seed: &AgentSeed, id: i64, mesh: &MeshSnapshot) -> AgentRecord {
    let (options, position, velocity, polygon, task, [destination, target], way, walls) = seed;
    let polygon = polygon.index(mesh.polygons.len()) as u32;
    let (destination, target) = (*destination, *target);
    let task = match *task {
        0 => Task::Idle,
        1 => Task::Requested { destination },
        byte @ (2 | 3) => {
            let mut corridor = vec![polygon];
            for turn in way {
                let links = &mesh.polygons[corridor[corridor.len() - 1] as usize].links;
                corridor.extend(links[turn.index(links.len())]);
            }
            Task::Following { destination, target, corridor, partial: byte == 3 }
        }
        4 => Task::Arrived,
        5 => Task::Blocked,
        _ => Task::Unreachable,
    };
    let walls = walls.as_ref().map(|(anchor, walls)| {
        let edges: BTreeSet<usize> = walls.iter().map(|wall| wall.index(4 * mesh.polygons.len())).collect();
        let walls = edges.into_iter().map(|at| WallEdge { polygon: (at / 4) as u32, edge: (at % 4) as u8 }).collect();
        WallCache { anchor: *anchor, walls }
    });
    AgentRecord { id, options: *options, position: *position, polygon, velocity: *velocity, task, walls }
}
