//! Meshes and crowds.

use crowd_engine::{AgentOptions, AgentRecord, Crowd, CrowdOptions, NavMesh, Point, PolygonSpec};

/// Polygons of area 1 on level ground, from plan corners.
pub fn mesh(corners: &[[f64; 2]], polygons: &[&[u32]]) -> NavMesh {
    let vertices = corners.iter().map(|&[x, z]| [x, 0.0, z]).collect();
    let polygons = polygons.iter().map(|vertices| PolygonSpec { vertices: vertices.to_vec(), area: 1 }).collect();
    NavMesh::from_polygons(vertices, polygons).expect("a clean mesh")
}

/// One rectangle.
pub fn floor(x: [f64; 2], z: [f64; 2]) -> NavMesh {
    mesh(&[[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]], &[&[0, 1, 2, 3]])
}

pub fn crowd(mesh: NavMesh) -> Crowd {
    Crowd::new(mesh, CrowdOptions::default())
}

/// The agent of the reports: radius 0.5, speed 1.
pub fn person() -> AgentOptions {
    AgentOptions { radius: 0.5, max_speed: 1.0, wall_clearance: 0.5, ..AgentOptions::default() }
}

pub fn add(crowd: &mut Crowd, [x, z]: [f64; 2], options: &AgentOptions) -> i64 {
    let at: Point = [x, 0.0, z];
    crowd.try_add(&at, options).expect("valid").expect("on the mesh")
}

pub fn send(crowd: &mut Crowd, id: i64, [x, z]: [f64; 2]) {
    crowd.set_destination(id, &[x, 0.0, z]).expect("an agent");
}

pub fn plan(agent: &AgentRecord) -> [f64; 2] {
    [agent.position[0], agent.position[2]]
}

pub fn apart(a: &AgentRecord, b: &AgentRecord) -> f64 {
    crowd_engine::distance_squared(plan(a), plan(b)).sqrt()
}

/// Steps; after each every agent is finite and on its polygon. Gives up early when `done`.
pub fn run(crowd: &mut Crowd, steps: usize, dt: f64, mut done: impl FnMut(&Crowd) -> bool) {
    for _ in 0..steps {
        crowd.step(dt).expect("a step");
        for agent in crowd.agents() {
            assert!(agent.position.iter().chain(&agent.velocity).all(|value| value.is_finite()), "{agent:?}");
            let [x, _, z] = crowd.mesh().clamp_to_polygon(agent.polygon, plan(agent));
            assert!(crowd_engine::distance_squared([x, z], plan(agent)) < 1e-18, "{agent:?} is off its polygon");
        }
        if done(crowd) {
            return;
        }
    }
}

/// Whether all of them have arrived.
pub fn arrived(crowd: &Crowd, ids: &[i64]) -> bool {
    ids.iter().all(|&id| crowd.agent(id).is_some_and(|agent| agent.task == crowd_engine::Task::Arrived))
}
