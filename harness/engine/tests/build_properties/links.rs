//! Where polygons are linked: across every edge that can be walked over, across no other.

use proptest::prelude::*;
use replay_format::{Bits64, BuildSettingsBits};

use crate::built::{Built, build};
use crate::inputs::{Shapes, bits, settings, shapes};
use crate::plane::edges;

/// For a polygon's edge along an axis, the spans on its left and the direction out of them.
fn steps(built: &Built, region: u32, a: [i64; 2], b: [i64; 2]) -> Vec<(usize, usize)> {
    let along = usize::from(a[0] == b[0]);
    let forward = b[along] > a[along];
    // On +x the left is +z, on +z it is -x.
    let (direction, inward) = match (along, forward) {
        (0, true) => (3, 0),
        (0, false) => (1, -1),
        (_, true) => (2, -1),
        (_, false) => (0, 0),
    };
    let (low, high) = if forward { (a[along], b[along]) } else { (b[along], a[along]) };
    let spans = (low..high).filter_map(|at| {
        let (x, z) = if along == 0 { (at, a[1] + inward) } else { (a[0] + inward, at) };
        built.span_of(region, usize::try_from(x).ok()?, usize::try_from(z).ok()?)
    });
    spans.map(|span| (span, direction)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    /// Without a contour error an edge of the outline is linked to another region where each of its cells is, and is a wall where
    /// none is; what is inside of a region is always linked.
    #[test]
    fn links_are_where_spans_are_linked(shapes in shapes(8), settings in settings()) {
        // So high that no stair winds around one corner of a cell: its steps would be at one place in plan.
        let height = settings.agent_height.value() + 4.0 * settings.walkable_climb.value() + 0.5;
        let built = build(&shapes.input(BuildSettingsBits {
            agent_height: Bits64::new(height),
            contour_max_error: Bits64::new(0.0),
            ..settings
        }));
        prop_assert_eq!(&built.polygons.skipped, &[]);
        for (index, polygon) in built.polygons.polygons.iter().enumerate() {
            let corners = built.cells(index);
            for (edge, (a, b)) in edges(&corners).enumerate() {
                let link = polygon.neighbours[edge].map(|other| built.polygons.polygons[other as usize].region);
                if a[0] != b[0] && a[1] != b[1] {
                    // Only cuts are slanted.
                    prop_assert_eq!(link, Some(polygon.region));
                    continue;
                }
                let steps = steps(&built, polygon.region, a, b);
                prop_assert_eq!(steps.len() as i64, (a[0] - b[0]).abs() + (a[1] - b[1]).abs());
                for (span, direction) in steps {
                    let beyond = built.open.spans[span].neighbours[direction];
                    let beyond = built.regions.regions.get(beyond as usize).copied().filter(|&region| region != 0);
                    prop_assert!(
                        link == beyond,
                        "polygon {} of region {}, {:?} to {:?}: linked to {:?}, spans to {:?}",
                        index, polygon.region, a, b, link, beyond
                    );
                }
            }
        }
    }
}

/// REPORTS 17: polygons that touch in one corner only are never linked, on each diagonal and for each partition.
#[test]
fn corners_do_not_link() {
    for partition in 0..3 {
        for mirrored in [false, true] {
            // Two halls that touch in the middle. The other two quarters are too high to climb and too low to pass under, so
            // the halls have no drop there.
            let mut shapes = Shapes::new();
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let from = |n: i32| [f64::from(n) * 2.5, f64::from(n) * 2.5 + 2.5];
                shapes = shapes.floor(from(i), from(j), if (i == j) != mirrored { 0.0 } else { 1.75 });
            }
            let built = build(&shapes.input(BuildSettingsBits { partition, ..bits() }));
            let halls: Vec<usize> = (0..built.mesh.polygon_count())
                .filter(|&polygon| built.corners(polygon).iter().all(|corner| corner[1] == 0.0))
                .collect();
            assert_eq!(halls.len(), 2);
            let [one, two] = [0, 1].map(|hall: usize| &built.polygons.polygons[halls[hall]]);
            let shared: Vec<_> = one.vertices.iter().filter(|vertex| two.vertices.contains(vertex)).collect();
            assert_eq!(shared.len(), 1, "they have the corner in common");
            assert!(one.neighbours.iter().chain(&two.neighbours).all(Option::is_none));
        }
    }
}
