//! What streams are made of. The first of alternatives is the plainest: shrinking goes there.

use crowd_engine::{AgentOptions, CrowdOptions, NodeModel, PathFollower, Point};
use proptest::strategy::{Just, Strategy};
use proptest::{option, prop_oneof};

use super::Action;

/// Ordinary time steps, and the ends of the range.
pub(super) fn time_step() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => Just(0.0625),
        2 => Just(1.0 / 60.0),
        1 => Just(1.0),
        1 => Just(5e-324),
        1 => Just(3600.0),
    ]
}

/// Small crowds, small searches, few walls: what is scarce runs out.
pub(super) fn crowd_options() -> impl Strategy<Value = CrowdOptions> {
    let model = prop_oneof![Just(NodeModel::PortalMidpoint), Just(NodeModel::PortalCrossing)];
    let walls = (0..=8_i32, prop_oneof![Just(0.5), Just(0.0), Just(1024.0)], 0..=8_i32);
    let nodes = prop_oneof![Just(2048), 1..=4_i32];
    (1..=8_i32, nodes, model, walls).prop_map(
        |(max_agents, query_nodes, query_node_model, (kept, refresh, avoided))| CrowdOptions {
            max_agents,
            query_nodes,
            query_node_model,
            max_walls_per_agent: kept,
            wall_refresh_distance: refresh,
            max_walls_avoided: avoided,
        },
    )
}

/// Operations; adds are frequent, so that there are agents to pick.
pub(super) fn action() -> impl Strategy<Value = Action> {
    let pick = || 0..8_usize;
    prop_oneof![
        4 => (point(), agent_options()).prop_map(|(position, options)| Action::Add { position, options }),
        4 => (pick(), point()).prop_map(|(pick, destination)| Action::SetDestination { pick, destination }),
        1 => pick().prop_map(|pick| Action::Stop { pick }),
        1 => (pick(), point()).prop_map(|(pick, position)| Action::Teleport { pick, position }),
        1 => pick().prop_map(|pick| Action::Remove { pick }),
    ]
}

/// Points in and around the scenes, on a grid of 1/8 m so that some coincide; seldom, the farthest that there are.
fn point() -> impl Strategy<Value = Point> {
    let near = (0..=200_i32, 0..=32_i32, 0..=100_i32)
        .prop_map(|(x, y, z)| [f64::from(x) / 8.0, f64::from(y) / 8.0, f64::from(z) / 8.0]);
    let level = (0..=200_i32, 0..=100_i32).prop_map(|(x, z)| [f64::from(x) / 8.0, 0.0, f64::from(z) / 8.0]);
    let far = f64::from_bits(2_097_152_f64.to_bits() - 1);
    prop_oneof![
        12 => level,
        4 => near,
        1 => Just([-0.0, -0.0, -0.0]),
        1 => Just([far, -far, far]),
    ]
}

/// Ordinary agents, and agents at the ends of their ranges.
fn agent_options() -> impl Strategy<Value = AgentOptions> {
    let plain = AgentOptions::default();
    let size = prop_oneof![4 => Just(plain.radius), 1 => Just(0.0), 1 => Just(1024.0), 2 => Just(1e-9), 2 => Just(1.5)];
    let speed = prop_oneof![4 => Just(plain.max_speed), 1 => Just(0.0), 1 => Just(1024.0)];
    let pace = prop_oneof![4 => Just(plain.max_acceleration), 1 => Just(0.0), 1 => Just(65_536.0)];
    let sight = prop_oneof![4 => Just(plain.neighbour_distance), 1 => Just(0.0), 1 => Just(1024.0)];
    let horizon = || prop_oneof![4 => Just(1.0), 1 => Just(0.015_625), 1 => Just(64.0)];
    let neighbours = prop_oneof![4 => Just(plain.max_neighbours), 1 => Just(0), 1 => Just(32), 1 => Just(1)];
    let height = prop_oneof![4 => Just(plain.height), 1 => Just(0.0), 1 => Just(1024.0)];
    (size, (speed, pace), sight, (horizon(), horizon()), (neighbours, height), option::weighted(0.3, follower()))
        .prop_map(|(radius, (speed, pace), sight, (agents, walls), (max_neighbours, height), follower)| AgentOptions {
            radius,
            height,
            max_speed: speed,
            max_acceleration: pace,
            neighbour_distance: sight,
            agent_horizon: agents,
            wall_horizon: walls,
            wall_clearance: radius,
            max_neighbours,
            follower,
        })
}

fn follower() -> impl Strategy<Value = PathFollower> {
    let distance = || prop_oneof![4 => Just(0.5), 1 => Just(0.0), 1 => Just(1024.0)];
    let cut = prop_oneof![2 => Just(0.0), 1 => Just(0.5), 1 => Just(1.0)];
    (distance(), distance(), cut).prop_map(|(arrival_distance, slowing_distance, corner_cut)| PathFollower {
        arrival_distance,
        slowing_distance,
        corner_cut,
    })
}
