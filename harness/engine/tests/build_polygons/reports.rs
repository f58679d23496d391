//! Faults that other engines had, in contours and polygons.

use crowd_engine::build::{
    Contour, ContourSet, Polygon, PolygonMesh, RegionMap, Settings, SkipReason, Skipped, contours, detail, merge_holes,
    polygonize,
};

use crate::fields::{assert_sound, build, doubled_areas, field, parts, plan, settings, ways};

fn contour(region: u32, corners: &[[i32; 2]]) -> Contour {
    let vertices = corners.iter().map(|&[x, z]| [x, 0, z]).collect();
    Contour { region, area: 1, vertices, neighbours: vec![0; corners.len()] }
}

fn square() -> Contour {
    contour(2, &[[20, 0], [30, 0], [30, 10], [20, 10]])
}

/// A contour beside a clean square: the square is there with its area, whatever happens to the other one.
fn beside_a_square(corners: &[[i32; 2]]) -> (PolygonMesh, Option<i64>) {
    let set = ContourSet { contours: vec![contour(1, corners), square()], skipped: Vec::new() };
    let mesh = polygonize(&set, &settings());
    let areas = doubled_areas(&mesh);
    assert_eq!(areas.get(&2), Some(&200));
    let own = areas.get(&1).copied();
    assert_eq!(own.is_none(), !mesh.skipped.is_empty());
    (mesh, own)
}

fn skipped(reason: SkipReason) -> Vec<Skipped> {
    vec![Skipped { region: 1, reason }]
}

#[test]
fn reports_11a_a_bow_tie_is_skipped_and_listed() {
    let (mesh, area) = beside_a_square(&[[0, 0], [4, 4], [4, 0], [0, 4]]);
    assert_eq!(area, None);
    assert!(mesh.skipped == skipped(SkipReason::Crossing) || mesh.skipped == skipped(SkipReason::NoArea));
    let (mesh, _) = beside_a_square(&[[0, 0], [8, 4], [8, 0], [0, 6]]);
    assert_eq!(mesh.skipped, skipped(SkipReason::Crossing));
}

#[test]
fn reports_11b_a_spur_is_cut_off() {
    let (_, area) = beside_a_square(&[[0, 0], [6, 0], [9, 0], [6, 0], [6, 4], [0, 4]]);
    assert_eq!(area, Some(48));
    let (_, area) = beside_a_square(&[[9, 0], [6, 0], [6, 4], [0, 4], [0, 0], [6, 0]]);
    assert_eq!(area, Some(48), "across the seam");
}

#[test]
fn reports_11c_what_is_on_one_line_is_skipped() {
    let (mesh, _) = beside_a_square(&[[0, 0], [3, 0], [7, 0]]);
    assert_eq!(mesh.skipped, skipped(SkipReason::NoArea));
    let (mesh, _) = beside_a_square(&[]);
    assert_eq!(mesh.skipped, skipped(SkipReason::NoArea));
}

#[test]
fn reports_11d_a_repeated_corner_is_dropped() {
    let (_, area) = beside_a_square(&[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]);
    assert_eq!(area, Some(32));
}

#[test]
fn reports_11e_a_hole_where_none_can_be() {
    let outline = contour(1, &[[0, 0], [10, 0], [10, 10], [0, 10]]);
    let outside = contour(1, &[[12, 2], [12, 4], [14, 4], [14, 2]]);
    assert_eq!(merge_holes(&outline, &[outside]), Err(SkipReason::HoleOutside));
    let sharing = contour(1, &[[4, 0], [4, 4], [6, 4], [6, 0]]);
    assert_eq!(merge_holes(&outline, &[sharing]), Err(SkipReason::Crossing));
    let crossing = contour(1, &[[8, 2], [8, 4], [14, 4], [14, 2]]);
    assert_eq!(merge_holes(&outline, &[crossing]), Err(SkipReason::Crossing));
    let clean = contour(1, &[[4, 2], [4, 4], [6, 4], [6, 2]]);
    let touching = contour(1, &[[6, 4], [6, 6], [8, 6], [8, 4]]);
    let merged = merge_holes(&outline, &[clean.clone(), touching]).expect("holes that touch each other");
    let set = ContourSet { contours: vec![merged, square()], skipped: Vec::new() };
    assert_eq!(doubled_areas(&polygonize(&set, &settings())).into_values().collect::<Vec<_>>(), [200 - 16, 200]);
    let reversed = contour(1, &[[4, 2], [6, 2], [6, 4], [4, 4]]);
    assert_eq!(merge_holes(&outline, &[reversed]), Err(SkipReason::Reversed));
    assert_eq!(merge_holes(&clean, &[]), Err(SkipReason::Reversed));
}

#[test]
fn what_is_malformed_or_far_out_is_skipped() {
    let (mesh, _) = beside_a_square(&[[0, 0], [i32::MAX, 0], [0, i32::MIN]]);
    assert_eq!(mesh.skipped, skipped(SkipReason::OutOfRange));
    let (mesh, _) = beside_a_square(&[[0, 0], [0, 4], [4, 4], [4, 0]]);
    assert_eq!(mesh.skipped, skipped(SkipReason::Reversed));
    let short = Contour { neighbours: vec![0], ..contour(1, &[[0, 0], [1, 0], [0, 1]]) };
    let set = ContourSet { contours: vec![short, square()], skipped: Vec::new() };
    assert_eq!(polygonize(&set, &settings()).skipped, skipped(SkipReason::Malformed));
}

#[test]
fn contours_on_top_of_each_other_do_not_stop_the_mesh() {
    let set =
        ContourSet { contours: vec![square(), square(), contour(1, &[[0, 0], [4, 0], [4, 4]])], skipped: Vec::new() };
    let mesh = polygonize(&set, &settings());
    assert_eq!(mesh.vertices.len(), 4 + 3);
    assert!(mesh.polygons.iter().all(|polygon| polygon.neighbours.iter().all(Option::is_none)), "walls all around");
    let (compact, regions) = plan("a");
    let heights = detail(&mesh, &compact, &regions, &settings());
    assert_sound(&mesh, &heights, &compact, &settings());
}

/// Two regions linked along two short edges, beside each other's walls: their polygons have the edge from (3, 2) to (3, 5) in the same
/// direction, one along its wall and one inside.
#[test]
fn polygons_on_top_of_each_other_are_linked_with_their_own() {
    let lower = Contour {
        region: 1,
        area: 1,
        vertices: vec![[4, 4, 2], [3, 4, 2], [3, 4, 5], [4, 4, 5], [2, 0, 6], [2, 0, 1]],
        neighbours: vec![2, 0, 2, 0, 0, 0],
    };
    let upper = Contour {
        region: 2,
        area: 1,
        vertices: vec![[3, 4, 2], [4, 4, 2], [4, 4, 5], [3, 4, 5], [1, 12, 4]],
        neighbours: vec![1, 0, 1, 0, 0],
    };
    let set = ContourSet { contours: vec![lower, upper], skipped: Vec::new() };
    let settings = Settings { max_verts_per_poly: 3, ..settings() };
    let mesh = polygonize(&set, &settings);
    let edges = |a: [i32; 3], b: [i32; 3]| {
        let at = |corner: u32| mesh.vertices[usize::try_from(corner).expect("small")];
        let has = |p: &&Polygon| (0..3).any(|i| (at(p.vertices[i]), at(p.vertices[(i + 1) % 3])) == (a, b));
        mesh.polygons.iter().filter(has).count()
    };
    assert_eq!(edges([3, 4, 2], [3, 4, 5]), 2, "on top of each other");
    assert_eq!(ways(&mesh), [(1, 2)].into());
    assert_eq!([parts(&mesh, 1), parts(&mesh, 2)], [1, 1]);
    let (compact, regions) = plan("ab");
    let heights = detail(&mesh, &compact, &regions, &settings);
    assert_sound(&mesh, &heights, &compact, &settings);
}

#[test]
fn reports_5_more_than_32767_regions() {
    let size = 182 * 2 - 1;
    let floors: Vec<Option<i32>> =
        (0..size * size).map(|cell| (cell % size % 2 == 0 && cell / size % 2 == 0).then_some(0)).collect();
    let compact = field(size, &floors, 1);
    let regions = RegionMap { regions: (1..=33_124).collect(), count: 33_124 };
    let set = contours(&compact, &regions, &settings());
    assert_eq!((set.contours.len(), set.skipped.len()), (33_124, 0));
    let (mesh, heights) = build(&compact, &regions, &settings());
    assert_eq!((mesh.polygons.len(), heights.polygons.len()), (33_124, 33_124));
    assert!(mesh.polygons.iter().zip(1..).all(|(p, region)| p.region == region && p.neighbours == [None; 4]));
}

#[test]
fn a_field_that_contradicts_itself_is_no_panic() {
    let floors: Vec<Option<i32>> = vec![Some(0); 16];
    let mut compact = field(4, &floors, 1);
    compact.spans[5].neighbours = [3, 17, 99, 5];
    compact.columns[7] = 40;
    let regions = RegionMap { regions: vec![1; 9], count: 1 };
    let (mesh, _) = build(&compact, &regions, &settings());
    assert!(mesh.polygons.len() < 16);
    compact.columns.clear();
    let (mesh, _) = build(&compact, &regions, &settings());
    assert_eq!(mesh.polygons, []);
}
