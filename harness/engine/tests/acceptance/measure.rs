//! Runs a crowd and measures what is demanded of it.

use crowd_engine::{AgentRecord, Crowd, NavMesh, Point, Task};

/// What a scene demands.
pub struct Demand {
    /// At least 99% of the agents arrive within this many times the longest unobstructed walk.
    pub times: f64,
    /// Seconds.
    pub dt: f64,
}

/// Runs `crowd`, whose agents have the destinations `goals` (by slot), and checks everything.
pub fn run(name: &str, mut crowd: Crowd, goals: &[Point], demand: &Demand) {
    assert!(goals.len() >= 100 && crowd.agent_count() == goals.len(), "{name}: at least 100 agents");
    let ids: Vec<i64> = crowd.agents().iter().map(|a| a.id).collect();
    for (id, goal) in ids.iter().zip(goals) {
        crowd.set_destination(*id, goal).expect("agent and goal exist");
    }
    let longest = longest_walk(&crowd, goals);
    let steps = (longest * demand.times / demand.dt).ceil() as usize;
    let (mut close, mut agent_steps) = (0usize, 0usize);
    let mut last_arrival = 0;
    for step in 0..steps {
        let before = crowd.agents().to_vec();
        crowd.step(demand.dt).expect("a step");
        for (old, new) in before.iter().zip(crowd.agents()) {
            check_move(name, step, crowd.mesh(), old, new, demand.dt);
        }
        close += too_close(crowd.agents());
        agent_steps += crowd.agent_count();
        if arrived(&crowd) * 100 >= goals.len() * 99 && last_arrival == 0 {
            last_arrival = step + 1;
        }
    }
    let share = close as f64 / agent_steps as f64;
    println!(
        "{name}: {} of {} arrived; 99% after {:.1} s of {:.1} s (longest walk {longest:.1} s); too close {:.3}%",
        arrived(&crowd),
        goals.len(),
        last_arrival as f64 * demand.dt,
        steps as f64 * demand.dt,
        share * 100.0,
    );
    assert!(arrived(&crowd) * 100 >= goals.len() * 99, "{name}: {} of {} arrived", arrived(&crowd), goals.len());
    assert!(share <= 0.01, "{name}: {:.2}% of agent-steps are closer than 0.8 radii", share * 100.0);
}

fn arrived(crowd: &Crowd) -> usize {
    crowd.agents().iter().filter(|a| a.task == Task::Arrived).count()
}

/// The longest way of all agents at full speed, in seconds.
fn longest_walk(crowd: &Crowd, goals: &[Point]) -> f64 {
    let mesh = crowd.mesh();
    let mut longest: f64 = 0.0;
    for (agent, goal) in crowd.agents().iter().zip(goals) {
        let start = crowd_engine::SurfacePoint { polygon: agent.polygon, point: agent.position };
        let goal = mesh.nearest(goal, [2.0, 4.0, 2.0], None).expect("a goal on the mesh");
        let found = mesh.find_path(&start, &goal, 100_000, crowd_engine::NodeModel::PortalCrossing, None);
        assert!(!found.partial, "a goal that can be reached");
        let mut corners = Vec::new();
        let from = [agent.position[0], agent.position[2]];
        let target = [goal.point[0], goal.point[2]];
        mesh.corners(from, &found.corridor, target, agent.options.wall_clearance, usize::MAX, &mut corners);
        let (mut length, mut at) = (0.0, from);
        for corner in corners {
            length += crowd_engine::distance_squared(at, corner).sqrt();
            at = corner;
        }
        longest = longest.max(length / agent.options.max_speed);
    }
    longest
}

/// One agent's move: finite, on the surface, connected, within its settings.
pub fn check_move(name: &str, step: usize, mesh: &NavMesh, old: &AgentRecord, new: &AgentRecord, dt: f64) {
    let what = format!("{name}, step {step}, agent {}", new.id);
    assert!(new.position.iter().chain(&new.velocity).all(|v| v.is_finite()), "{what}: {new:?}");
    let speed = new.velocity[0].hypot(new.velocity[1]);
    assert!(speed <= new.options.max_speed * (1.0 + 1e-9), "{what}: speed {speed}");
    let change = (new.velocity[0] - old.velocity[0]).hypot(new.velocity[1] - old.velocity[1]);
    assert!(change <= new.options.max_acceleration * dt * (1.0 + 1e-9) + 1e-12, "{what}: velocity changed by {change}");
    assert!(distance_to_polygon(mesh, new.polygon, new.position) < 1e-9, "{what}: has left its polygon");
    let height = mesh.height_at(new.polygon, new.position[0], new.position[2]);
    assert!((height - new.position[1]).abs() < 1e-9, "{what}: is not on the surface");
    assert!(is_connected(mesh, old, new), "{what}: no walk from {:?} to {:?}", old.position, new.position);
}

/// Whether polygons that are linked through edges near the move lead from its start to its end.
fn is_connected(mesh: &NavMesh, old: &AgentRecord, new: &AgentRecord) -> bool {
    let polygons = &mesh.snapshot().polygons;
    let length = (new.position[0] - old.position[0]).hypot(new.position[2] - old.position[2]);
    let mut reached = vec![old.polygon];
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        if at == new.polygon {
            return true;
        }
        next += 1;
        let polygon = &polygons[at as usize];
        for (edge, link) in polygon.links.iter().enumerate() {
            let Some(link) = *link else { continue };
            let (a, b) = polygon.edge(edge);
            let near = distance_to_segment(mesh, a, b, old.position) <= length + 0.01;
            if near && !reached.contains(&link) {
                reached.push(link);
            }
        }
    }
    false
}

fn distance_to_segment(mesh: &NavMesh, a: u32, b: u32, p: Point) -> f64 {
    let [a, b] = [a, b].map(|v| mesh.snapshot().vertices[v as usize]);
    let (p, a, b) = ([p[0], p[2]], [a[0], a[2]], [b[0], b[2]]);
    let (nearest, _) = crowd_engine::closest_on_segment(p, a, b);
    crowd_engine::distance_squared(p, nearest).sqrt()
}

/// How far outside of a convex polygon a point is in plan; 0 inside.
fn distance_to_polygon(mesh: &NavMesh, polygon: u32, p: Point) -> f64 {
    let polygon = &mesh.snapshot().polygons[polygon as usize];
    let mut outside: f64 = 0.0;
    for edge in 0..polygon.vertices.len() {
        let (a, b) = polygon.edge(edge);
        let [a, b] = [a, b].map(|v| mesh.snapshot().vertices[v as usize]);
        let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
        let cross = dx * (p[2] - a[2]) - dz * (p[0] - a[0]);
        outside = outside.max(-cross / dx.hypot(dz));
    }
    outside
}

/// How many agents have another one closer than 0.8 of the sum of their radii.
pub fn too_close(agents: &[AgentRecord]) -> usize {
    let mut close = 0;
    for (slot, a) in agents.iter().enumerate() {
        close += usize::from(agents.iter().enumerate().any(|(other, b)| {
            let apart = (a.position[0] - b.position[0]).hypot(a.position[2] - b.position[2]);
            let heights = (a.position[1] - b.position[1]).abs() < a.options.height;
            other != slot && heights && apart < 0.8 * (a.options.radius + b.options.radius)
        }));
    }
    close
}
