//! What holds for every heightfield.

use crowd_engine::build::{CompactHeightfield, RegionMap, Settings, contours};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fields::{assert_sound, build, components, doubled_areas, field, parts, settings, ways, ways_of_spans};

const WIDTH: usize = 12;

/// Fields with holes and steps, and connected regions.
fn fields() -> impl Strategy<Value = (CompactHeightfield, RegionMap)> {
    let cell = prop_oneof![3 => (0..2i32, 1..2u32), 1 => (0..4i32, 0..4u32)];
    (vec(cell, WIDTH * 10), 0..4u32).prop_map(|(cells, holes)| {
        let is_floor = |label: u32| holes == 0 || label != 0;
        let floors: Vec<Option<i32>> = cells.iter().map(|&(floor, label)| is_floor(label).then_some(floor)).collect();
        let compact = field(WIDTH, &floors, 1);
        let labels: Vec<u32> = cells
            .iter()
            .filter(|(_, label)| is_floor(*label))
            .map(|&(_, label)| label.max(1).min(holes.max(1)))
            .collect();
        let regions = components(&compact, &labels);
        (compact, regions)
    })
}

/// Flat fields of blocks: of one region, of another, of nothing.
fn blocks() -> impl Strategy<Value = (CompactHeightfield, RegionMap)> {
    const SIDE: usize = 20;
    let block = (0..SIDE, 0..SIDE, 1..7usize, 1..7usize, 0..3u32);
    vec(block, 1..30).prop_map(|blocks| {
        let mut labels = vec![1; SIDE * SIDE];
        for (x, z, width, depth, label) in blocks {
            for z in z..(z + depth).min(SIDE) {
                labels[z * SIDE..(z + 1) * SIDE][x..(x + width).min(SIDE)].fill(label);
            }
        }
        let floors: Vec<Option<i32>> = labels.iter().map(|&label| (label != 0).then_some(0)).collect();
        let compact = field(SIDE, &floors, 1);
        labels.retain(|&label| label != 0);
        let regions = components(&compact, &labels);
        (compact, regions)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn polygons_are_sound(
        (compact, regions) in fields(),
        error in prop_oneof![Just(0.0), Just(0.6), Just(1.0), Just(1.3), Just(3.0)],
        max_edge_cells in 0..4u32,
        max_verts_per_poly in 3..9u32,
    ) {
        let settings = Settings {
            contour_max_error: error,
            max_edge_cells,
            max_verts_per_poly,
            detail_sample_distance: 1.0,
            detail_max_error: 0.5,
            ..settings()
        };
        let (mesh, heights) = build(&compact, &regions, &settings);
        assert_sound(&mesh, &heights, &compact, &settings);
        // Nothing but cracks inside of a region is ever left out.
        prop_assert!(mesh.skipped.iter().all(|s| s.reason == crowd_engine::build::SkipReason::NoArea), "{:?}", mesh.skipped);
        prop_assert_eq!(contours(&compact, &regions, &settings), contours(&compact, &regions, &settings));
    }

    /// However much is simplified: polygons hang together as spans do.
    #[test]
    fn ways_are_those_of_the_spans(
        (compact, regions) in blocks(),
        error in prop_oneof![Just(0.0), Just(1.0), Just(1.3), Just(2.0), Just(4.0)],
        max_edge_cells in 0..4u32,
    ) {
        let settings = Settings { contour_max_error: error, max_edge_cells, ..settings() };
        let (mesh, _) = build(&compact, &regions, &settings);
        prop_assert_eq!(mesh.skipped.clone(), []);
        prop_assert_eq!(ways(&mesh), ways_of_spans(&compact, &regions));
        for region in 1..=regions.count {
            prop_assert_eq!(parts(&mesh, region), 1, "region {}", region);
        }
    }

    #[test]
    fn without_error_areas_are_exact((compact, regions) in fields()) {
        let settings = Settings { contour_max_error: 0.0, ..settings() };
        let (mesh, _) = build(&compact, &regions, &settings);
        let mut cells = std::collections::BTreeMap::new();
        for &region in regions.regions.iter().filter(|&&region| region != 0) {
            *cells.entry(region).or_insert(0) += 2;
        }
        prop_assert_eq!(doubled_areas(&mesh), cells);
    }

    #[test]
    fn heights_are_within_the_spans((compact, regions) in fields()) {
        let settings = Settings { detail_sample_distance: 1.0, detail_max_error: 0.1, ..settings() };
        let (_, heights) = build(&compact, &regions, &settings);
        let floors = || compact.spans.iter().map(|span| f64::from(span.floor));
        for y in heights.polygons.iter().flat_map(|p| p.vertices.iter().map(|v| v[1])) {
            prop_assert!(floors().any(|floor| floor == y), "{y}");
        }
    }
}
