//! Any triangles and any settings: a build ends with a mesh that is sound or with an error that has a code, and never panics.

use crowd_engine::build::BuildFailure;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use replay_format::{Bits64, BuildInput, BuildSettingsBits, Code, Stage};

use crate::built::try_build;
use crate::inputs::{Shapes, bits};
use crate::surface::check_mesh;

/// A coordinate: mostly small whole numbers, so that triangles are degenerate and coincide.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-3..4i32).prop_map(f64::from),
        3 => -4.0..4.0f64,
        1 => select(vec![0.0, -0.0, 5e-324, -1e-310, 1e-160, 1e-9, 0.1, 1.0 / 3.0]),
    ]
}

fn triangles() -> impl Strategy<Value = (Vec<[f64; 3]>, Vec<[u32; 3]>)> {
    let vertices = vec(prop::array::uniform3(coordinate()), 1..14);
    (vertices, vec(prop::array::uniform3(any::<Index>()), 0..30)).prop_map(|(vertices, corners)| {
        let number = |index: Index| u32::try_from(index.index(vertices.len())).expect("few");
        let triangles = corners.iter().map(|corner| corner.map(number)).collect();
        (vertices, triangles)
    })
}

/// A length of any size from 2^-10 to 1024, or an end of a range.
fn length(least: f64) -> impl Strategy<Value = f64> {
    prop_oneof![4 => (-10.0..10.0f64).prop_map(f64::exp2), 1 => Just(least), 1 => Just(1024.0)]
}

fn any_settings() -> impl Strategy<Value = BuildSettingsBits> {
    let lengths = (length(0.0), length(5e-324), length(0.0), 0.0..=90.0f64, length(1.0 / 1024.0));
    let errors = (length(0.0), length(0.0), length(0.0), length(0.0));
    let count = || select(vec![0, 1, 7, 300, 4_000_000]);
    (lengths, errors, count(), count(), 3..=16i32, 0..3i32).prop_map(
        |((radius, height, climb, slope, step), (error, edge, sample, detail), least, merge, verts, partition)| {
            let bits = Bits64::new;
            BuildSettingsBits {
                agent_radius: bits(if radius < 64.0 { radius / 64.0 } else { radius }),
                agent_height: bits(height),
                walkable_climb: bits(climb),
                max_slope: bits(slope),
                cell_size: bits(1.0),
                cell_height: bits(step),
                contour_max_error: bits(error),
                max_edge_length: bits(edge),
                detail_sample_distance: bits(sample),
                detail_max_error: bits(detail),
                min_region_area: least,
                merge_region_area: merge,
                max_verts_per_poly: verts,
                partition,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn builds_end_well(
        (mut vertices, triangles) in triangles(),
        mut settings in any_settings(),
        scale in select(vec![1.0, 1.0, 8.0, 1e-3, 100.0, 3e4, 5e5]),
        stretch in prop::array::uniform3(select(vec![1.0, 1.0, 1.0, 1e-3, 0.0])),
        by in select(vec![0.0, 0.0, 0.7, -1e4, 2e6]),
        columns in 1..40u32,
    ) {
        for vertex in &mut vertices {
            *vertex = [0, 1, 2].map(|axis| vertex[axis] * scale * stretch[axis] + by);
        }
        // So many columns across the widest soup.
        settings.cell_size = Bits64::new((8.0 * scale / f64::from(columns)).clamp(1.0 / 1024.0, 1024.0));
        match try_build(&BuildInput { settings, vertices, triangles }) {
            Ok(built) => check_mesh(&built),
            Err(BuildFailure::Refused(error)) => {
                let codes = [Code::GridOverLimit, Code::PositionOutOfRange];
                prop_assert!(codes.contains(&error.0.code()) && error.0.stage() == Stage::Build, "{}", error);
            }
            Err(stopped) => prop_assert!(false, "{}", stopped),
        }
    }
}

/// Triangles that are huge and tiny, degenerate and twice there, do not take a floor's place away.
#[test]
fn what_is_degenerate_does_not_spoil_the_rest() {
    let floor = Shapes::new().floor([0.0, 6.0], [0.0, 6.0], 0.0);
    let expected = crate::built::build(&floor.input(bits())).mesh.to_bytes();
    let twice = floor.clone().and(&floor);
    let points = floor.clone().triangle([[1.0, 0.0, 1.0]; 3]).triangle([[6.0, 0.0, 6.0]; 3]);
    let lines = floor.clone().triangle([[0.0; 3], [6.0, 0.0, 6.0], [3.0, 0.0, 3.0]]).triangle([
        [0.0; 3],
        [0.0; 3],
        [6.0, 0.0, 0.0],
    ]);
    let below = floor.clone().triangle([[0.0; 3], [6.0, 0.0, 0.0], [6.0, 0.0, 6.0]]);
    let slivers = floor.clone().triangle([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0 + 1e-300], [1.0 + 1e-16, 0.0, 1.0]]);
    for shapes in [twice, points, lines, below, slivers] {
        assert!(crate::built::build(&shapes.input(bits())).mesh.to_bytes() == expected);
    }
}
