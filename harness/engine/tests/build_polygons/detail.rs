//! Heights: within the spans', bounded work, the same on both sides of an edge.

use crowd_engine::build::{RegionMap, Settings, nav_mesh};

use crate::fields::{assert_sound, build, components, field, settings};

#[test]
fn reports_12i_a_flat_square_without_samples_is_two_triangles() {
    let compact = field(10, &[Some(0); 100], 1);
    let regions = RegionMap { regions: vec![1; 100], count: 1 };
    let (mesh, heights) = build(&compact, &regions, &settings());
    assert_eq!(mesh.polygons.len(), 1);
    assert_eq!(heights.polygons[0].triangles.len(), 2);
    let (_, heights) = build(&compact, &regions, &Settings { detail_sample_distance: 1.0, ..settings() });
    assert_eq!(heights.polygons[0].triangles.len(), 2, "flat: no sample is off");
}

#[test]
fn reports_12iv_a_tiny_sample_distance_is_bounded_work() {
    let floors: Vec<Option<i32>> = (0..10_000).map(|i| Some(i * 7 % 3)).collect();
    let compact = field(100, &floors, 3);
    let regions = RegionMap { regions: vec![1; 10_000], count: 1 };
    for distance in [0.001, 1e-300, f64::NAN, f64::INFINITY, -1.0] {
        let settings = Settings { detail_sample_distance: distance, detail_max_error: 0.1, ..settings() };
        let (mesh, heights) = build(&compact, &regions, &settings);
        assert_sound(&mesh, &heights, &compact, &settings);
        for patch in &heights.polygons {
            assert!(patch.vertices.len() <= 6 + 6 * 31 + 128);
            assert!(patch.vertices.iter().all(|v| v[1] >= 0.0 && v[1] <= 2.0));
        }
    }
}

#[test]
fn reports_12iii_no_height_comes_from_another_floor() {
    // A gangway of one cell between floors that it does not touch.
    let mut floors = vec![Some(0); 60];
    floors[20..40].fill(None);
    (20..40).filter(|i| i % 10 == 4).for_each(|i| floors[i] = Some(10));
    floors[40..].fill(Some(20));
    let compact = field(10, &floors, 1);
    let regions = components(&compact, &[1; 60]);
    let settings = Settings { detail_sample_distance: 1.0, detail_max_error: 0.1, ..settings() };
    let (mesh, heights) = build(&compact, &regions, &settings);
    assert_sound(&mesh, &heights, &compact, &settings);
    for (polygon, patch) in mesh.polygons.iter().zip(&heights.polygons) {
        let own = [0.0, 10.0, 20.0][usize::try_from(polygon.region).expect("small") - 1];
        assert!(patch.vertices.iter().all(|v| v[1] == own));
    }
}

#[test]
fn a_hill_is_followed_within_the_error() {
    let floors: Vec<Option<i32>> = (0..400i32).map(|i| Some(20 - (i % 20 - 10).abs() - (i / 20 - 10).abs())).collect();
    let compact = field(20, &floors, 2);
    let regions = RegionMap { regions: (0..400).map(|i| if i % 20 < 9 { 1 } else { 2 }).collect(), count: 2 };
    let settings = Settings { detail_sample_distance: 1.0, detail_max_error: 0.5, ..settings() };
    let (mesh, heights) = build(&compact, &regions, &settings);
    assert_sound(&mesh, &heights, &compact, &settings);
    assert!(heights.polygons.iter().all(|p| p.triangles.len() > 10));
    // What is on the shared edge is the same from both sides.
    let on_edge = |region: u32| {
        let patches = mesh.polygons.iter().zip(&heights.polygons).filter(move |(p, _)| p.region == region);
        let mut found: Vec<[u64; 3]> = patches
            .flat_map(|(_, patch)| patch.vertices.iter().filter(|v| v[0] == 9.0).map(|v| v.map(f64::to_bits)))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    assert!(on_edge(1).len() > 2);
    assert_eq!(on_edge(1), on_edge(2));
}

#[test]
fn the_finished_mesh_is_in_world_coordinates() {
    let mut compact = field(4, &[Some(3); 16], 1);
    compact.origin = [-10.0, 1.0, 5.0];
    compact.cell_size = 0.5;
    compact.cell_height = 0.25;
    let regions = RegionMap { regions: vec![1; 16], count: 1 };
    let (mesh, heights) = build(&compact, &regions, &settings());
    let finished = nav_mesh(&mesh, &heights, &compact).expect("a clean mesh");
    let mut vertices = finished.snapshot().vertices.clone();
    vertices.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[2].total_cmp(&b[2])));
    assert_eq!(vertices, [[-10.0, 1.75, 5.0], [-10.0, 1.75, 7.0], [-8.0, 1.75, 5.0], [-8.0, 1.75, 7.0]]);
    compact.origin[0] = f64::NAN;
    nav_mesh(&mesh, &heights, &compact).expect_err("not a place");
}
