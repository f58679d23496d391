//! What the agent's radius keeps clear of.

use crowd_engine::build::{Settings, erode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use replay_format::{Bits64, BuildSettingsBits};

use crate::built::build;
use crate::inputs::{Shapes, bits, range, settings, shapes};
use crate::plane::{Plan, distance_to_polygon, distance_to_segment, edges, plan};

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// No polygon of the ground is nearer to a pillar or to the end of the floor than the radius less a cell.
    #[test]
    fn erosion_keeps_clear_of_walls(
        pillars in vec((range(10, 1, 12), range(10, 1, 12)), 0..6),
        (radius, cell) in (0.0..1.6f64, select(vec![0.25, 0.1, 0.3, 1.0 / 3.0])),
        error in select(vec![0.0, 1.0]),
        partition in 0..3i32,
    ) {
        let mut shapes = Shapes::new().floor([0.0, 10.0], [0.0, 10.0], 0.0);
        for &(x, z) in &pillars {
            shapes = shapes.block(x, z, [0.0, 4.0]);
        }
        let built = build(&shapes.input(BuildSettingsBits {
            agent_radius: Bits64::new(radius),
            cell_size: Bits64::new(cell),
            contour_max_error: Bits64::new(error),
            partition,
            ..bits()
        }));
        let clear = radius - cell * (1.0 + error) - 1e-9;
        for polygon in 0..built.mesh.polygon_count() {
            let corners = built.corners(polygon);
            if corners.iter().any(|corner| corner[1] > 1.0) {
                continue;
            }
            let own: Vec<Plan> = corners.iter().copied().map(plan).collect();
            for q in &own {
                let end = [q[0], q[1], 10.0 - q[0], 10.0 - q[1]].into_iter().fold(f64::INFINITY, f64::min);
                prop_assert!(end >= clear, "{:?} is {} from the end", q, end);
            }
            for &(x, z) in &pillars {
                // Two convex shapes are nearest at a corner of one of them.
                let pillar = [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]];
                let is_within = |q: &Plan| x[0] < q[0] && q[0] < x[1] && z[0] < q[1] && q[1] < z[1];
                let distance = if own.iter().all(is_within) {
                    // A pillar is hollow, and a wide one has floor inside.
                    let sides = |q: &Plan| edges(&pillar).map(|(a, b)| distance_to_segment(*q, a, b)).fold(9.0, f64::min);
                    own.iter().map(sides).fold(9.0, f64::min)
                } else {
                    let there = own.iter().map(|&q| distance_to_polygon(q, &pillar));
                    let back = pillar.iter().map(|&q| distance_to_polygon(q, &own));
                    there.chain(back).fold(f64::INFINITY, f64::min)
                };
                prop_assert!(distance >= clear, "{:?} is {} from {:?}", own, distance, pillar);
            }
        }
        // It does not keep clear of more than it must: a room is left in the middle of an empty hall.
        prop_assert!(!pillars.is_empty() || built.mesh.polygon_count() > 0);
    }

    /// A larger radius never leaves what a smaller one takes, for lengths and for cells; nor does a much larger one.
    #[test]
    fn growing_the_radius_never_erodes_less(shapes in shapes(8), settings in settings(), radii in vec(0.0..25.0f64, 1..5)) {
        let uneroded = BuildSettingsBits { agent_radius: Bits64::new(0.0), ..settings };
        let open = build(&shapes.input(uneroded)).open;
        let mut radii = radii;
        radii.extend([255.0, 256.0, 1024.0]);
        radii.sort_by(f64::total_cmp);
        let mut before = open.clone();
        for radius in radii {
            let derived = Settings::new(&BuildSettingsBits { agent_radius: Bits64::new(radius), ..settings });
            let after = erode(open.clone(), derived.expect("in range").radius_cells);
            let less = before.spans.iter().zip(&after.spans).find(|(before, after)| after.area > before.area);
            prop_assert!(less.is_none(), "{} m: {:?}", radius, less);
            before = after;
        }
        prop_assert!(before.spans.iter().all(|span| span.area == 0), "nothing is 1 km from a wall");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_cell_more_never_erodes_less(shapes in shapes(8), settings in settings()) {
        let open = build(&shapes.input(BuildSettingsBits { agent_radius: Bits64::new(0.0), ..settings })).open;
        let mut before = open.clone();
        for cells in 0..=200 {
            let after = erode(open.clone(), cells);
            prop_assert!(before.spans.iter().zip(&after.spans).all(|(b, a)| a.area <= b.area), "{} cells", cells);
            before = after;
        }
    }
}
