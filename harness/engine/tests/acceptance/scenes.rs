//! The scenes.

use crowd_engine::{AgentOptions, Crowd, CrowdOptions, NavMesh, Point};

use crate::measure::{Demand, run};
use crate::plan;

fn crowd(mesh: NavMesh, starts: &[Point], options: &AgentOptions) -> Crowd {
    let mut crowd = Crowd::new(mesh, CrowdOptions::default());
    for start in starts {
        crowd.try_add(start, options).expect("valid").expect("on the mesh");
    }
    crowd
}

/// `across` × `deep` points, `step` apart, from (x, z).
fn block(x: f64, z: f64, across: usize, deep: usize, step: f64) -> Vec<Point> {
    (0..across * deep).map(|i| [x + (i % across) as f64 * step, 0.0, z + (i / across) as f64 * step]).collect()
}

#[test]
fn two_groups_swap_sides_through_a_corridor() {
    let mut rows = Vec::new();
    for row in 0..12 {
        let open = (3..9).contains(&row);
        rows.push(format!("{}{}{}", ".".repeat(12), if open { "." } else { "#" }.repeat(10), ".".repeat(12)));
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let left = block(1.0, 1.5, 5, 10, 1.0);
    let right = block(29.0, 1.5, 5, 10, 1.0);
    let starts: Vec<Point> = left.iter().chain(&right).copied().collect();
    let goals: Vec<Point> = right.iter().chain(&left).copied().collect();
    let crowd = crowd(plan::flat(&rows, 1.0), &starts, &AgentOptions::default());
    run("corridor", crowd, &goals, &Demand { times: 3.0, dt: 1.0 / 30.0 });
}

#[test]
fn a_circle_goes_to_its_antipodes() {
    let rows = vec![".".repeat(56); 56];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let count = 100;
    let starts: Vec<Point> = (0..count)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / f64::from(count);
            [28.0 + 24.0 * angle.cos(), 0.0, 28.0 + 24.0 * angle.sin()]
        })
        .collect();
    let goals: Vec<Point> = starts.iter().map(|p| [56.0 - p[0], 0.0, 56.0 - p[2]]).collect();
    let crowd = crowd(plan::flat(&rows, 1.0), &starts, &AgentOptions::default());
    run("circle", crowd, &goals, &Demand { times: 3.0, dt: 1.0 / 30.0 });
}

#[test]
fn a_door_two_and_a_half_radii_wide() {
    // Two rooms of 18 × 17 and a wall of one cell between them with a door of 0.75 m (radius 0.3).
    let mut rows = vec![format!("{}#{}", ".".repeat(18), ".".repeat(18)); 17];
    rows[8] = ".".repeat(37);
    let xs = plan::lines(37, 1.0);
    let mut zs = vec![0.0];
    for row in 0..17 {
        zs.push(zs[row] + if row == 8 { 0.75 } else { 1.0 });
    }
    let mesh = plan::mesh(&rows, &xs, &zs, |_, _| 0.0);
    let starts = block(1.5, 1.6, 10, 10, 1.5);
    let goals = block(21.5, 1.6, 10, 10, 1.5);
    let crowd = crowd(mesh, &starts, &AgentOptions::default());
    run("door", crowd, &goals, &Demand { times: 5.0, dt: 1.0 / 30.0 });
}

#[test]
fn a_room_with_pillars() {
    let rows: Vec<String> = (0..30)
        .map(|z| (0..30).map(|x| if x % 6 >= 4 && z % 6 >= 4 && x < 28 && z < 28 { '#' } else { '.' }).collect())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let starts = [block(1.0, 1.0, 3, 25, 1.1), block(26.5, 1.0, 3, 25, 1.1)].concat();
    let goals = [block(26.5, 1.0, 3, 25, 1.1), block(1.0, 1.0, 3, 25, 1.1)].concat();
    let crowd = crowd(plan::flat(&rows, 1.0), &starts, &AgentOptions::default());
    run("pillars", crowd, &goals, &Demand { times: 3.0, dt: 1.0 / 30.0 });
}

#[test]
fn stairs_up_and_down() {
    // A floor at 0, stairs of 8 steps to 3.2 m, a floor above; a ramp beside the stairs.
    let mut rows = vec![format!("{}{}{}", ".".repeat(10), ".".repeat(8), ".".repeat(10)); 14];
    for row in rows.iter_mut().take(8).skip(6) {
        row.replace_range(10..18, &"#".repeat(8));
    }
    let rise = |x: f64, z: f64| -> f64 {
        let t = ((x - 10.0) / 8.0).clamp(0.0, 1.0);
        if z < 6.5 { (t * 8.0).floor() / 8.0 * 3.2 } else { t * 3.2 }
    };
    let mesh = plan::mesh(&rows, &plan::lines(28, 1.0), &plan::lines(14, 1.0), rise);
    let up = |p: &Point| [p[0], 3.2, p[2]];
    let low = block(1.0, 1.2, 5, 10, 1.2);
    let high: Vec<Point> = block(21.0, 1.2, 5, 10, 1.2).iter().map(up).collect();
    let starts = [low.clone(), high.clone()].concat();
    let goals = [high, low].concat();
    let options = AgentOptions { max_neighbours: 10, ..AgentOptions::default() };
    let crowd = crowd(mesh, &starts, &options);
    run("stairs", crowd, &goals, &Demand { times: 3.0, dt: 1.0 / 60.0 });
}
