//! What an agent-step costs: 1,000 agents on a mesh of 2,000 polygons, state hash included, one thread.
//!
//! Divan prints items a second; the figure in µs an agent-step is printed below the table.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::time::Instant;

use crowd_engine::{AgentOptions, Crowd, CrowdOptions, NavMesh, PolygonSpec};

const AGENTS: usize = 1000;

fn main() {
    print_agent_step();
    divan::main();
}

/// A hall of 50 × 40 squares of 1.5 m.
fn mesh() -> NavMesh {
    let (across, deep, cell) = (50u32, 40u32, 1.5);
    let mut vertices = Vec::new();
    for z in 0..=deep {
        for x in 0..=across {
            vertices.push([f64::from(x) * cell, 0.0, f64::from(z) * cell]);
        }
    }
    let mut polygons = Vec::new();
    for z in 0..deep {
        for x in 0..across {
            let corner = z * (across + 1) + x;
            polygons.push(PolygonSpec {
                vertices: vec![corner, corner + 1, corner + across + 2, corner + across + 1],
                area: 1,
            });
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a valid mesh")
}

/// Agents all over the hall, each walking to the point opposite.
fn crowd(agents: usize) -> Crowd {
    let mut crowd = Crowd::new(mesh(), CrowdOptions { max_agents: 100_000, ..CrowdOptions::default() });
    let across = (agents as f64 * 75.0 / 60.0).sqrt().ceil() as usize;
    for index in 0..agents {
        let x = 1.0 + 73.0 * (index % across) as f64 / across as f64;
        let z = 1.0 + 58.0 * (index / across) as f64 / agents.div_ceil(across) as f64;
        let id = crowd.try_add(&[x, 0.0, z], &AgentOptions::default()).expect("valid").expect("on the mesh");
        crowd.set_destination(id, &[75.0 - x, 0.0, 60.0 - z]).expect("an agent");
    }
    crowd
}

fn print_agent_step() {
    let mut crowd = crowd(AGENTS);
    crowd.step(1.0 / 60.0).expect("a step");
    let steps = 500;
    let begin = Instant::now();
    let mut last = 0;
    for _ in 0..steps {
        crowd.step(1.0 / 60.0).expect("a step");
        last = crowd.state_hash();
    }
    let spent = begin.elapsed().as_secs_f64();
    let micros = spent * 1e6 / (steps * AGENTS) as f64;
    println!("{AGENTS} agents, 2,000 polygons, {steps} steps with hash: {micros:.2} µs an agent-step ({last:016x})");
}

#[divan::bench(args = [100, 1000, 5000])]
fn step_and_hash(bencher: divan::Bencher, agents: usize) {
    let mut crowd = crowd(agents);
    crowd.step(1.0 / 60.0).expect("a step");
    bencher.counter(divan::counter::ItemsCount::new(agents)).bench_local(|| {
        crowd.step(1.0 / 60.0).expect("a step");
        crowd.state_hash()
    });
}

#[divan::bench]
fn save_and_restore(bencher: divan::Bencher) {
    let crowd = crowd(AGENTS);
    let setup = crowd.setup(1.0 / 60.0);
    bencher.bench_local(|| Crowd::restore(&setup).expect("a valid setup").save_state().len());
}
