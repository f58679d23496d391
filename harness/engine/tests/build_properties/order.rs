//! What must change nothing: the order of triangles, the numbers of vertices, where a level is.

use proptest::prelude::*;
use proptest::sample::Index;
use replay_format::BuildInput;

use crate::built::build;
use crate::inputs::{exact, settings, shapes};

/// Exchanges items as drawn.
fn shuffle<T>(items: &mut [T], draws: &[Index]) {
    for (end, draw) in (1..items.len()).rev().zip(draws.iter().cycle()) {
        items.swap(end, draw.index(end + 1));
    }
}

/// The same triangles in another order, of vertices with other numbers, some of which no triangle uses, from other corners on.
fn rewritten(input: &BuildInput, draws: &[Index], turns: &[usize]) -> BuildInput {
    let spare = [[-900.0, 3.0, 7.0], [1e6, -50.0, -1e6]];
    let mut numbers: Vec<usize> = (0..input.vertices.len() + spare.len()).collect();
    shuffle(&mut numbers, draws);
    let mut vertices = vec![[0.0; 3]; numbers.len()];
    for (from, vertex) in input.vertices.iter().chain(&spare).enumerate() {
        vertices[numbers[from]] = *vertex;
    }
    let renumbered = |vertex: u32| u32::try_from(numbers[vertex as usize]).expect("few");
    let mut triangles: Vec<[u32; 3]> = input.triangles.iter().map(|t| t.map(renumbered)).collect();
    for (triangle, turn) in triangles.iter_mut().zip(turns.iter().cycle()) {
        triangle.rotate_left(*turn);
    }
    shuffle(&mut triangles, draws);
    BuildInput { settings: input.settings, vertices, triangles }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    /// REPORTS 1: the order of triangles is of no matter; nor is anything else that means the same.
    #[test]
    fn order_numbers_and_first_corners_change_no_byte_of_any_stage(
        shapes in shapes(8),
        settings in settings(),
        draws in prop::collection::vec(any::<Index>(), 7),
        turns in prop::collection::vec(0..3usize, 5),
        by in prop::array::uniform3(-100.0..100.0f64),
    ) {
        // Places that are no sums of powers of two: rounding must not depend on the order either.
        let input = shapes.moved(by).input(settings);
        let expected = build(&input).bytes;
        let found = build(&rewritten(&input, &draws, &turns)).bytes;
        prop_assert_eq!(expected.len(), found.len());
        for ((stage, expected), (_, found)) in expected.iter().zip(&found) {
            prop_assert!(expected == found, "stage {} differs", stage);
        }
    }

    /// REPORTS 2, 3 and 17: a level that is moved by whole cells has the same cells, polygons and links; across 0 too, where
    /// cutting off fractions would put two rows of cells into one.
    #[test]
    fn a_moved_level_is_the_same_mesh_moved(
        shapes in shapes(8),
        settings in settings(),
        by in prop_oneof![
            prop::array::uniform3(-20..4i32),
            Just([8192, 0, 8192]),
            Just([939_008, 8, 939_008]),
            Just([-4_000_000, -9_000, 4_000_000]),
        ],
    ) {
        let input = shapes.input(exact(settings));
        let by = [f64::from(by[0]) * 0.5, f64::from(by[1]) * 0.125, f64::from(by[2]) * 0.5];
        let (here, there) = (build(&input), build(&shapes.moved(by).input(exact(settings))));
        prop_assert_eq!(&here.open.columns, &there.open.columns);
        prop_assert_eq!(&here.open.spans, &there.open.spans);
        prop_assert_eq!(&here.regions, &there.regions);
        prop_assert_eq!(&here.contours, &there.contours);
        prop_assert_eq!(&here.polygons, &there.polygons);
        let (here, there) = (here.mesh.snapshot(), there.mesh.snapshot());
        prop_assert_eq!(&here.polygons, &there.polygons);
        let moved = here.vertices.iter().map(|v| [v[0] + by[0], v[1] + by[1], v[2] + by[2]]);
        prop_assert!(moved.eq(there.vertices.iter().copied()));
    }
}

/// REPORTS 38: zeros with and without a sign are the same place and the same setting, to the last byte of every stage.
#[test]
fn a_zero_has_no_sign() {
    let bits = crate::inputs::bits();
    let plain =
        crate::inputs::Shapes::new().floor([0.0, 3.0], [-2.0, 0.0], 0.0).block([1.0, 2.0], [-1.0, 0.0], [0.0, 1.0]);
    let mut signed = plain.input(bits);
    let zeros = signed.vertices.iter_mut().flatten().filter(|value| **value == 0.0);
    zeros.step_by(2).for_each(|value| *value = -0.0);
    let minus = replay_format::Bits64::new(-0.0);
    signed.settings = replay_format::BuildSettingsBits {
        agent_radius: minus,
        contour_max_error: minus,
        max_edge_length: minus,
        detail_sample_distance: minus,
        ..bits
    };
    let (plain, signed) = (build(&plain.input(bits)), build(&signed));
    assert_eq!(plain.bytes, signed.bytes);
    let vertices = &plain.mesh.snapshot().vertices;
    assert!(vertices.iter().flatten().all(|value| *value != 0.0 || value.is_sign_positive()));
}
