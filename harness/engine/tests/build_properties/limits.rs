//! Equal is walkable, one step above is not: through the whole build (REPORTS 13).

use proptest::prelude::*;
use replay_format::{Bits64, BuildSettingsBits};

use crate::built::{Built, build};
use crate::inputs::{Shapes, bits};

fn step_up(value: f64) -> f64 {
    f64::from_bits(value.to_bits() + 1)
}

/// Whether a place at a height is on the mesh.
fn walkable(built: &Built, [x, z]: [f64; 2], y: f64) -> bool {
    built.mesh.nearest(&[x, y, z], [0.0, 0.01, 0.0], None).is_some()
}

/// Whether one polygon or a chain of linked ones leads from one place to another.
fn connected(built: &Built, from: [f64; 3], to: [f64; 3]) -> bool {
    // Without detail a polygon over a step is a slant.
    let place = |at: [f64; 3]| built.mesh.nearest(&at, [0.0, 100.0, 0.0], None).expect("a place on the mesh");
    let (from, to) = (place(from), place(to));
    !built.mesh.find_path(&from, &to, 10_000, crowd_engine::NodeModel::PortalMidpoint, None).partial
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A ceiling of exactly the agent's height above the floor lets it through, one cell less or a taller agent does not.
    #[test]
    fn clearance(cells in 1..60u32, fraction in 1..8u32, partition in 0..3i32, base in 0..40u32) {
        let step = f64::from(fraction) / 8.0;
        let height = f64::from(cells) * step;
        let base = f64::from(base) * step;
        let under = |ceiling: f64, agent: f64| {
            let shapes = Shapes::new()
                .floor([0.0, 6.0], [0.0, 6.0], base)
                .floor([1.0, 5.0], [1.0, 5.0], base + ceiling);
            // Something below makes the floor's own cell one among others.
            let shapes = shapes.floor([20.0, 21.0], [0.0, 1.0], 0.0);
            let built = build(&shapes.input(BuildSettingsBits {
                agent_height: Bits64::new(agent),
                cell_height: Bits64::new(step),
                walkable_climb: Bits64::new(0.0),
                partition,
                ..bits()
            }));
            walkable(&built, [3.0, 3.0], base)
        };
        prop_assert!(under(height, height));
        prop_assert!(under(height, height - step / 2.0));
        prop_assert!(!under(height, step_up(height) * (1.0 + 1e-14)));
        prop_assert!(!under(height, height + step));
        prop_assert!(under(height + step, height));
        prop_assert!(cells == 1 || !under(height - step, height));
        // A ceiling that is inside of a cell fills the cell.
        prop_assert!(!under(height - step / 4.0, height));
    }

    /// A rise of exactly the climb connects, one cell more does not.
    #[test]
    fn climb(cells in 0..20u32, fraction in 1..8u32, partition in 0..3i32) {
        let step = f64::from(fraction) / 8.0;
        let climb = f64::from(cells) * step;
        let over = |rise: f64, climb: f64| {
            let shapes = Shapes::new().floor([0.0, 3.0], [0.0, 4.0], 0.0).block([3.0, 6.0], [0.0, 4.0], [0.0, rise]);
            let built = build(&shapes.input(BuildSettingsBits {
                cell_height: Bits64::new(step),
                walkable_climb: Bits64::new(climb),
                // So much that there is no room under the block.
                agent_height: Bits64::new(100.0),
                partition,
                ..bits()
            }));
            connected(&built, [1.0, 0.0, 2.0], [5.0, rise, 2.0])
        };
        prop_assert!(over(climb, climb));
        prop_assert!(over(climb, climb + step / 2.0));
        prop_assert!(!over(climb + step, climb));
        prop_assert!(!over(climb + step, climb + step - step / 4.0));
        // A rise inside of a cell ends at the cell's top.
        prop_assert!(!over(climb + step / 4.0, climb));
    }

    /// A slope of exactly the limit is walkable, one that is a little steeper is not.
    #[test]
    fn slope(run in 1..64u32, rise in 1..64u32, partition in 0..3i32) {
        let (run, rise) = (f64::from(run) / 8.0, f64::from(rise) / 8.0);
        let length = 6.0;
        let walks = |limit: f64, rise: f64| {
            let shapes = Shapes::new().ramp([0.0, length], [0.0, 4.0], [0.0, length * rise / run]);
            let built = build(&shapes.input(BuildSettingsBits {
                max_slope: Bits64::new(limit),
                // So much that no edge of a cell is a ledge.
                walkable_climb: Bits64::new(1000.0),
                partition,
                ..bits()
            }));
            built.mesh.polygon_count() > 0
        };
        let degrees = rise.atan2(run).to_degrees();
        prop_assert!(walks(degrees + 1e-6, rise) && walks((degrees + 1.0).min(90.0), rise) && walks(90.0, rise));
        prop_assert!(!walks(degrees - 1e-6, rise) && !walks(0.0, rise));
        prop_assert!(walks(45.0, run) && walks(45.0, run * (1.0 - 1e-9)) && !walks(45.0, run * (1.0 + 1e-9)));
        prop_assert!(walks(0.0, 0.0));
    }
}

/// A clearance that is the agent's height is walkable where lengths are no sums of powers of two as well: 0.3 / 0.1 is less than 3 in
/// binary, and yet a ceiling 0.3 above leaves room for an agent of 0.3. A tenth lower it does not.
#[test]
fn decimal_clearances() {
    let under = |height: f64, ceiling: f64, step: f64, base: f64| {
        let shapes = Shapes::new()
            .floor([0.0, 6.0], [0.0, 6.0], base)
            .floor([1.0, 5.0], [1.0, 5.0], base + ceiling)
            .floor([20.0, 21.0], [0.0, 1.0], 0.0);
        let built = build(&shapes.input(BuildSettingsBits {
            agent_height: Bits64::new(height),
            cell_height: Bits64::new(step),
            walkable_climb: Bits64::new(0.0),
            ..bits()
        }));
        walkable(&built, [3.0, 3.0], base)
    };
    for (step, cells) in [0.1, 0.2, 0.3, 0.05, 0.7].into_iter().flat_map(|step| (2..40).map(move |n| (step, n))) {
        let height = f64::from(cells) * step;
        for base in [0.0, step, 13.0 * step] {
            assert!(under(height, height, step, base), "{cells} cells of {step} on {base}");
            assert!(!under(height, f64::from(cells - 1) * step, step, base), "{cells} cells of {step} on {base}");
        }
    }
}

/// So does a rise of the climb.
#[test]
fn decimal_climbs() {
    for (step, cells) in [0.1, 0.2, 0.3, 0.05, 0.7].into_iter().flat_map(|step| (1..24).map(move |n| (step, n))) {
        let climb = f64::from(cells) * step;
        for (rise, allowed) in [(climb, true), (f64::from(cells + 1) * step, false)] {
            let shapes =
                Shapes::new().floor([0.0, 3.0], [0.0, 4.0], step).block([3.0, 6.0], [0.0, 4.0], [step, step + rise]);
            let shapes = shapes.floor([20.0, 21.0], [0.0, 1.0], 0.0);
            let built = build(&shapes.input(BuildSettingsBits {
                cell_height: Bits64::new(step),
                walkable_climb: Bits64::new(climb),
                agent_height: Bits64::new(100.0),
                ..bits()
            }));
            let found = connected(&built, [1.0, step, 2.0], [5.0, step + rise, 2.0]);
            assert_eq!(found, allowed, "{rise} in cells of {step}, climb {climb}");
        }
    }
}
