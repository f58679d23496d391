//! Polygons cover what was found to be walkable: exactly without a contour error, within it otherwise.

use proptest::prelude::*;
use replay_format::{Bits64, BuildSettingsBits};

use crate::built::{Built, build};
use crate::inputs::{Shapes, bits, settings, shapes};
use crate::plane::{Plan, distance_to_segment, doubled_area, edges};

/// The spans beside a span: in direction 0 = -x, 1 = +z, 2 = +x, 3 = -z.
fn same_region(built: &Built, span: usize, direction: usize) -> bool {
    let region = |span: usize| built.regions.regions[span];
    let link = built.open.spans[span].neighbours[direction];
    built.regions.regions.get(link as usize).is_some_and(|&other| other == region(span))
}

/// The edges of a region's cells that are its boundary, in cell corners.
fn boundary(built: &Built, region: u32) -> Vec<(Plan, Plan)> {
    let mut found = Vec::new();
    for z in 0..built.open.depth {
        for x in 0..built.open.width {
            let Some(span) = built.span_of(region, x as usize, z as usize) else { continue };
            let [x, z] = [f64::from(x), f64::from(z)];
            let corners = [[x, z], [x, z + 1.0], [x + 1.0, z + 1.0], [x + 1.0, z]];
            let sides = (0..4).filter(|&side| !same_region(built, span, side));
            found.extend(sides.map(|side| (corners[side], corners[(side + 1) % 4])));
        }
    }
    found
}

/// How many polygons of a region have a plan point inside, and how many have it inside or on an edge.
fn holding(built: &Built, region: u32, q: Plan) -> (usize, usize) {
    let (mut inside, mut on) = (0, 0);
    for (index, _) in built.polygons.polygons.iter().enumerate().filter(|(_, polygon)| polygon.region == region) {
        let corners: Vec<Plan> = built.cells(index).iter().map(|c| [c[0] as f64, c[1] as f64]).collect();
        let sides = || edges(&corners).map(|(a, b)| crowd_engine::cross(a, b, q));
        inside += usize::from(sides().all(|side| side > 0.0));
        on += usize::from(sides().all(|side| side >= 0.0));
    }
    (inside, on)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_an_error_each_region_has_the_area_of_its_cells(shapes in shapes(8), settings in settings()) {
        let built = build(&shapes.input(BuildSettingsBits { contour_max_error: Bits64::new(0.0), ..settings }));
        for region in 1..=built.regions.count {
            let cells = built.regions.regions.iter().filter(|&&other| other == region).count();
            let polygons = (0..built.polygons.polygons.len()).filter(|&p| built.polygons.polygons[p].region == region);
            let area: i64 = polygons.map(|polygon| doubled_area(&built.cells(polygon))).sum();
            prop_assert_eq!(area, 2 * cells as i64, "region {}", region);
        }
    }

    /// The middle of a cell that is farther than the error from its region's boundary is in one polygon of the region; of one
    /// that is so far outside, in none.
    #[test]
    fn within_the_error_polygons_cover_their_regions(shapes in shapes(6), settings in settings()) {
        let built = build(&shapes.input(settings));
        let error = built.settings.contour_max_error + 1e-9;
        for region in 1..=built.regions.count {
            let boundary = boundary(&built, region);
            for z in 0..built.open.depth as usize {
                for x in 0..built.open.width as usize {
                    let middle = [x as f64 + 0.5, z as f64 + 0.5];
                    if boundary.iter().any(|&(a, b)| distance_to_segment(middle, a, b) <= error) {
                        continue;
                    }
                    let (inside, on) = holding(&built, region, middle);
                    if built.span_of(region, x, z).is_some() {
                        prop_assert!(inside <= 1 && on >= 1, "region {} at {:?}: {} {}", region, middle, inside, on);
                    } else {
                        prop_assert_eq!(inside, 0, "region {} at {:?}", region, middle);
                    }
                }
            }
        }
    }
}

/// The cells, times two, of a build with each partition; each contour error must give that area.
fn areas(shapes: &Shapes, errors: &[f64]) -> i64 {
    let mut found = None;
    for partition in 0..3 {
        for &error in errors {
            for verts in [3, 6, 16] {
                let built = build(&shapes.input(BuildSettingsBits {
                    partition,
                    contour_max_error: Bits64::new(error),
                    max_verts_per_poly: verts,
                    ..bits()
                }));
                let area = built.doubled_area();
                assert_eq!(*found.get_or_insert(area), area, "partition {partition}, error {error}");
                assert_eq!(area, 2 * built.spans_in_regions() as i64);
                assert_eq!(built.polygons.skipped, []);
            }
        }
    }
    found.expect("errors")
}

/// Floors lose one column along each drop (BUILD-11); the rest is exact. Cells of a quarter metre.
#[test]
fn simple_shapes_are_exact() {
    let all = [0.0, 0.5];
    let square = Shapes::new().floor([0.0, 5.0], [0.0, 5.0], 0.0);
    assert_eq!(areas(&square, &all), 2 * 18 * 18);
    // The hole grows by the drop around it.
    let hole = Shapes::new().floor_with_hole([[0.0, 5.0], [0.0, 5.0]], [[2.0, 3.0], [2.0, 3.0]], 0.0);
    assert_eq!(areas(&hole, &all), 2 * (18 * 18 - 6 * 6 + 4));
    let island = Shapes::new().floor_with_hole([[0.0, 8.0], [0.0, 8.0]], [[2.0, 6.0], [2.0, 6.0]], 0.0).floor(
        [3.0, 5.0],
        [3.0, 5.0],
        0.0,
    );
    assert_eq!(areas(&island, &all), 2 * (30 * 30 - 18 * 18 + 4 + 6 * 6));
    let l = Shapes::new().floor([0.0, 2.0], [0.0, 5.0], 0.0).floor([2.0, 5.0], [0.0, 2.0], 0.0);
    assert_eq!(areas(&l, &all), 2 * (18 * 6 + 6 * 12 + 1));
    let u = Shapes::new().floor([0.0, 6.0], [0.0, 2.0], 0.0).floor([0.0, 2.0], [2.0, 5.0], 0.0).floor(
        [4.0, 6.0],
        [2.0, 5.0],
        0.0,
    );
    assert_eq!(areas(&u, &all), 2 * (22 * 6 + 2 * (6 * 12 + 1)));
}

/// Eight rooms in a ring, with walls between them that have doors.
#[test]
fn a_ring_of_rooms_is_exact() {
    let mut shapes = Shapes::new().floor_with_hole([[0.0, 12.0], [0.0, 12.0]], [[4.0, 8.0], [4.0, 8.0]], 0.0);
    let mut walls = 0;
    for [x, z] in [[4.0, 0.0], [8.0, 0.0], [4.0, 8.0], [8.0, 8.0]] {
        // Across a corridor that runs along x: a column thick, 2 m long, from the outside.
        let z = if z == 0.0 { [0.0, 2.0] } else { [10.0, 12.0] };
        shapes = shapes.block([x + 0.0625, x + 0.1875], [z[0] + 0.0625, z[1] - 0.0625], [0.0, 3.0]);
        walls += 7;
    }
    let area = areas(&shapes, &[0.0, 0.5]);
    assert_eq!(area, 2 * (46 * 46 - 18 * 18 + 4 - walls));
}

/// Pillars stand in the columns that they reach into; nothing else is lost.
#[test]
fn a_hall_of_pillars_is_exact() {
    let mut shapes = Shapes::new().floor([0.0, 10.0], [0.0, 10.0], 0.0);
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (f64::from(i), f64::from(j)))) {
        let side = |n: f64| [2.0 + n * 2.5 + 0.0625, 3.0 + n * 2.5 - 0.0625];
        shapes = shapes.block(side(i), side(j), [0.0, 3.0]);
    }
    // Its sides stand in 12 columns, with floor between them; its top is a floor of 4 by 4 columns less the drop around it.
    assert_eq!(areas(&shapes, &[0.0, 0.5]), 2 * (38 * 38 - 9 * 12 + 9 * 4));
}
