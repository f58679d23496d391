//! Small troubles that other engines had.

use crowd_engine::{AgentOptions, Crowd, CrowdOptions, Point, Task};

use crate::measure::check_move;
use crate::plan;

fn hall(size: usize) -> Crowd {
    let rows = vec![".".repeat(size); size];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Crowd::new(plan::flat(&rows, 1.0), CrowdOptions::default())
}

fn add(crowd: &mut Crowd, at: Point, options: &AgentOptions) -> i64 {
    crowd.try_add(&at, options).expect("valid").expect("on the mesh")
}

fn steps(name: &str, crowd: &mut Crowd, count: usize, dt: f64) {
    for step in 0..count {
        let before = crowd.agents().to_vec();
        crowd.step(dt).expect("a step");
        for (old, new) in before.iter().zip(crowd.agents()) {
            check_move(name, step, crowd.mesh(), old, new, dt);
        }
    }
}

fn all_arrived(crowd: &Crowd) -> bool {
    crowd.agents().iter().all(|a| a.task == Task::Arrived)
}

/// REPORTS 31: both arrive within 30 s.
#[test]
fn two_agents_head_on() {
    let mut crowd = hall(14);
    let options = AgentOptions { radius: 0.5, max_speed: 1.0, wall_clearance: 0.5, ..AgentOptions::default() };
    let a = add(&mut crowd, [2.0, 0.0, 7.0], &options);
    let b = add(&mut crowd, [12.0, 0.0, 7.0], &options);
    crowd.set_destination(a, &[12.0, 0.0, 7.0]).unwrap();
    crowd.set_destination(b, &[2.0, 0.0, 7.0]).unwrap();
    steps("head-on", &mut crowd, 600, 0.05);
    assert!(all_arrived(&crowd), "{:#?}", crowd.agents());
}

/// REPORTS 31: all arrive within 30 s.
#[test]
fn four_agents_from_the_corners_of_a_square() {
    let mut crowd = hall(14);
    let options = AgentOptions { radius: 0.5, max_speed: 1.0, wall_clearance: 0.5, ..AgentOptions::default() };
    let corners = [[2.0, 0.0, 2.0], [12.0, 0.0, 2.0], [12.0, 0.0, 12.0], [2.0, 0.0, 12.0]];
    for (index, corner) in corners.iter().enumerate() {
        let id = add(&mut crowd, *corner, &options);
        crowd.set_destination(id, &corners[(index + 2) % 4]).unwrap();
    }
    steps("square", &mut crowd, 600, 0.05);
    assert!(all_arrived(&crowd), "{:#?}", crowd.agents());
}

/// REPORTS 29: in the end all are 0.95 of their radii apart, and on the mesh.
#[test]
fn many_agents_at_one_point_come_apart() {
    for count in [2, 33, 200] {
        let mut crowd = hall(40);
        let options = AgentOptions { radius: 0.5, wall_clearance: 0.5, ..AgentOptions::default() };
        for _ in 0..count {
            add(&mut crowd, [5.0, 0.0, 5.0], &options);
        }
        steps("one point", &mut crowd, 400, 0.05);
        for (slot, a) in crowd.agents().iter().enumerate() {
            for b in &crowd.agents()[slot + 1..] {
                let apart = (a.position[0] - b.position[0]).hypot(a.position[2] - b.position[2]);
                assert!(apart >= 0.95, "{count} agents: {} and {} are {apart} apart", a.id, b.id);
            }
        }
    }
}

/// REPORTS 29: finite and on the mesh.
#[test]
fn twins_without_radius_or_a_hair_apart() {
    let mut crowd = hall(10);
    let points = AgentOptions { radius: 0.0, ..AgentOptions::default() };
    add(&mut crowd, [5.0, 0.0, 5.0], &points);
    add(&mut crowd, [5.0, 0.0, 5.0], &points);
    add(&mut crowd, [1e-30, 0.0, 3.0], &AgentOptions::default());
    add(&mut crowd, [0.0, 0.0, 3.0], &AgentOptions::default());
    steps("twins", &mut crowd, 200, 0.05);
}

/// REPORTS 28: a collision like any other; it arrives.
#[test]
fn an_agent_level_with_a_walls_end() {
    // A wall of one cell sticks into the hall; the agent stands level with its end, overlapping it.
    for (x, z) in [(4.0, 4.0), (4.0, 3.75), (4.25, 4.0), (4.0, 5.0), (4.3, 5.25)] {
        let rows = ["..........", "..........", "..........", "..........", "####......", "..........", ".........."];
        let mut crowd = Crowd::new(plan::flat(&rows, 1.0), CrowdOptions::default());
        let id =
            add(&mut crowd, [x, 0.0, z], &AgentOptions { radius: 0.5, wall_clearance: 0.5, ..AgentOptions::default() });
        crowd.set_destination(id, &[1.5, 0.0, 6.0]).unwrap();
        steps("wall's end", &mut crowd, 400, 0.05);
        assert!(all_arrived(&crowd), "from {x}, {z}: {:#?}", crowd.agents());
    }
}

#[test]
fn time_steps_from_tiny_to_huge() {
    for dt in [f64::MIN_POSITIVE, 1e-300, 1e-9, 10.0, 3600.0] {
        let mut crowd = hall(20);
        for index in 0..20 {
            let z = f64::from(index) * 0.9 + 1.0;
            let id = add(&mut crowd, [3.0, 0.0, z], &AgentOptions::default());
            crowd.set_destination(id, &[17.0, 0.0, 19.0 - z]).unwrap();
        }
        steps("dt", &mut crowd, 60, dt);
    }
}

#[test]
fn speed_zero_and_tiny_radius() {
    let mut crowd = hall(10);
    let still = add(&mut crowd, [2.0, 0.0, 2.0], &AgentOptions { max_speed: 0.0, ..AgentOptions::default() });
    let tiny = AgentOptions { radius: 1e-12, wall_clearance: 0.0, ..AgentOptions::default() };
    let small = add(&mut crowd, [1.0, 0.0, 2.0], &tiny);
    crowd.set_destination(still, &[8.0, 0.0, 8.0]).unwrap();
    crowd.set_destination(small, &[8.0, 0.0, 2.0]).unwrap();
    steps("tiny", &mut crowd, 400, 0.05);
    assert_eq!(crowd.agent(small).unwrap().task, Task::Arrived);
    assert_ne!(crowd.agent(still).unwrap().task, Task::Arrived);
}

/// REPORTS 33: taken to the mesh where it is near enough, else unreachable.
#[test]
fn destinations_off_the_mesh() {
    let mut crowd = hall(10);
    let id = add(&mut crowd, [2.0, 0.0, 5.0], &AgentOptions::default());
    crowd.set_destination(id, &[11.0, 0.0, 5.0]).unwrap();
    steps("near", &mut crowd, 400, 0.05);
    assert_eq!(crowd.agent(id).unwrap().task, Task::Arrived);
    assert!((crowd.agent(id).unwrap().position[0] - 10.0).abs() < 0.5);
    crowd.set_destination(id, &[14.0, 0.0, 5.0]).unwrap();
    steps("far", &mut crowd, 10, 0.05);
    assert_eq!(crowd.agent(id).unwrap().task, Task::Unreachable);
}
