//! Heights and nearest polygons.

use crowd_engine::{NavMesh, PolygonSpec, QueryFilter, SurfacePoint};
use proptest::prelude::*;
use replay_format::{MeshPolygon, MeshSnapshot};

use crate::meshes::{PILLARS, Random, floor};

/// Scans all polygons.
fn scan(
    mesh: &NavMesh,
    point: &[f64; 3],
    half_extents: [f64; 3],
    filter: Option<&QueryFilter>,
) -> Option<SurfacePoint> {
    let mut best: Option<(f64, SurfacePoint)> = None;
    for polygon in (0..).take(mesh.polygon_count()).filter(|&p| mesh.is_walkable(p, filter)) {
        let found = mesh.clamp_to_polygon(polygon, [point[0], point[2]]);
        let [dx, dy, dz] = [0, 1, 2].map(|axis| found[axis] - point[axis]);
        let distance = dx * dx + dy * dy + dz * dz;
        let within = [dx, dy, dz].iter().zip(half_extents).all(|(d, half)| d.abs() <= half);
        if within && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, SurfacePoint { polygon, point: found }));
        }
    }
    best.map(|(_, found)| found)
}

/// Two halls on top of each other, whose storeys are not level.
fn storeys() -> NavMesh {
    let mut vertices = Vec::new();
    let mut polygons = Vec::new();
    for storey in [0.0, 3.0] {
        let level = floor(&PILLARS, |x, z| storey + x * 0.25 - z * 0.5);
        let first = u32::try_from(vertices.len()).expect("few vertices");
        vertices.extend_from_slice(&level.snapshot().vertices);
        for polygon in &level.snapshot().polygons {
            let corners = polygon.vertices.iter().map(|v| v + first).collect();
            polygons.push(PolygonSpec { vertices: corners, area: if polygon.vertices[0] % 5 == 0 { 2 } else { 1 } });
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a clean mesh")
}

#[test]
fn agrees_with_a_scan_over_all_polygons() {
    let mesh = storeys();
    let mut filter = QueryFilter::new();
    filter.exclude(2).expect("an area that exists");
    let mut random = Random::new(2);
    let mut found = 0;
    for round in 0..20_000 {
        // Every other point has whole or half coordinates: ties of edges and corners.
        let mut axis = |from: f64, to: f64| {
            let value = from + random.unit(to - from);
            if round % 2 == 0 { (value * 2.0).floor() / 2.0 } else { value }
        };
        let point = [axis(-2.0, 14.0), axis(-6.0, 8.0), axis(-2.0, 11.0)];
        let half_extents = [axis(0.0, 4.0), axis(0.0, 4.0), axis(0.0, 4.0)];
        let filter = (round % 3 == 0).then_some(&filter);
        let nearest = mesh.nearest(&point, half_extents, filter);
        assert_eq!(nearest, scan(&mesh, &point, half_extents, filter), "{point:?} within {half_extents:?}");
        if let Some(SurfacePoint { polygon, point }) = nearest {
            found += 1;
            // REPORTS 26: what nearest gives, height accepts.
            assert!((mesh.height_at(polygon, point[0], point[2]) - point[1]).abs() < 1e-12);
        }
    }
    assert!(found > 8_000, "only {found} points were near enough");
}

#[test]
fn ties_go_to_the_lowest_polygon() {
    // REPORTS 26: B before A in no way but by its index; they meet at x = 5 and are not linked.
    let mesh = not_linked();
    for z in [0.0, 2.0, 5.0] {
        assert_eq!(
            mesh.nearest(&[5.0, 0.0, z], [1.0; 3], None),
            Some(SurfacePoint { polygon: 0, point: [5.0, 0.0, z] })
        );
    }
}

/// A = [0, 5] x [0, 5] and B = [5, 10] x [0, 5] with corners of their own.
pub fn not_linked() -> NavMesh {
    let square = |x: f64| [[x, 0.0, 0.0], [x + 5.0, 0.0, 0.0], [x + 5.0, 0.0, 5.0], [x, 0.0, 5.0]];
    let vertices = [square(0.0), square(5.0)].concat();
    let polygons = [[0, 1, 2, 3], [4, 5, 6, 7]];
    let polygons = polygons.map(|corners| PolygonSpec { vertices: corners.to_vec(), area: 1 });
    NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a clean mesh")
}

#[test]
fn has_heights_on_corners_edges_and_inside() {
    // REPORTS 26, on a slope: y = 2 x + 3 z.
    let height = |x: f64, z: f64| 2.0 * x + 3.0 * z;
    let corners = [[2.0, 0.0], [6.0, 0.0], [6.0, 2.0], [1.0, 2.0]];
    let vertices = corners.iter().map(|&[x, z]| [x, height(x, z), z]).collect();
    let mesh = NavMesh::from_polygons(vertices, vec![PolygonSpec { vertices: vec![0, 1, 2, 3], area: 1 }])
        .expect("a clean mesh");
    for (index, &[x, z]) in corners.iter().enumerate() {
        let [next_x, next_z] = corners[(index + 1) % 4];
        let (middle_x, middle_z) = ((x + next_x) / 2.0, (z + next_z) / 2.0);
        assert_eq!(mesh.height_at(0, x, z), height(x, z));
        assert_eq!(mesh.height_at(0, middle_x, middle_z), height(middle_x, middle_z));
        assert!(mesh.contains(0, [x, z]) && mesh.contains(0, [middle_x, middle_z]));
    }
    assert_eq!(mesh.height_at(0, 3.0, 1.0), 9.0);
    // Outside: the closest point on an edge.
    assert_eq!(mesh.height_at(0, 9.0, 1.0), height(6.0, 1.0));
    assert_eq!(mesh.height_at(0, 4.0, -7.0), height(4.0, 0.0));
    assert_eq!(mesh.height_at(1, 3.0, 1.0), 0.0);
}

#[test]
fn heights_follow_the_fan_around_the_first_corner() {
    // A saddle: corner heights 0, 4, 0, 4. The diagonal runs from corner 0 to 2, at height 0.
    let vertices = vec![[0.0, 0.0, 0.0], [4.0, 4.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]];
    let from = |vertices: Vec<u32>, saddle: &Vec<[f64; 3]>| {
        NavMesh::from_polygons(saddle.clone(), vec![PolygonSpec { vertices, area: 1 }]).expect("a clean mesh")
    };
    assert_eq!(from(vec![0, 1, 2, 3], &vertices).height_at(0, 2.0, 2.0), 0.0);
    assert_eq!(from(vec![1, 2, 3, 0], &vertices).height_at(0, 2.0, 2.0), 4.0);
}

#[test]
fn a_goal_off_the_mesh_is_taken_to_it_or_refused() {
    // REPORTS 33
    let vertices = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [0.0, 0.0, 10.0]];
    let mesh = NavMesh::from_polygons(vertices, vec![PolygonSpec { vertices: vec![0, 1, 2, 3], area: 1 }])
        .expect("a clean mesh");
    let goal = [14.0, 0.0, 5.0];
    assert_eq!(mesh.nearest(&goal, [5.0; 3], None), Some(SurfacePoint { polygon: 0, point: [10.0, 0.0, 5.0] }));
    assert_eq!(mesh.nearest(&goal, [1.0; 3], None), None);
    // "No farther than" is closed.
    assert!(mesh.nearest(&goal, [4.0, 0.0, 0.0], None).is_some());
    assert!(mesh.nearest(&[5.0, 3.0, 5.0], [1.0, 2.9, 1.0], None).is_none());
}

#[test]
fn what_is_not_a_number_finds_nothing() {
    let mesh = not_linked();
    assert_eq!(mesh.nearest(&[f64::NAN; 3], [1.0; 3], None), None);
    assert_eq!(mesh.nearest(&[1.0; 3], [f64::NAN; 3], None), None);
    assert_eq!(mesh.nearest(&[f64::INFINITY, 0.0, 0.0], [f64::INFINITY; 3], None), None);
}

#[test]
fn area_0_and_excluded_areas_are_not_found() {
    let mesh = floor(&["012"], |_, _| 0.0);
    let mut filter = QueryFilter::new();
    let polygon = |mesh: &NavMesh, filter: Option<&QueryFilter>| {
        mesh.nearest(&[0.5, 0.0, 0.5], [5.0; 3], filter).map(|found| found.polygon)
    };
    assert_eq!(polygon(&mesh, None), Some(1));
    filter.exclude(1).expect("an area that exists");
    assert_eq!(polygon(&mesh, Some(&filter)), Some(2));
    filter.exclude(2).expect("an area that exists");
    assert_eq!(polygon(&mesh, Some(&filter)), None);
    assert!(filter.exclude(64).is_err() && filter.set_cost(64, 1.0).is_err());
    for cost in [0.0, -1.0, 9e-4, 1001.0, f64::NAN, f64::INFINITY] {
        assert!(filter.set_cost(1, cost).is_err(), "{cost}");
    }
}

proptest! {
    #[test]
    fn an_edge_is_the_same_from_both_sides(
        ends in prop::array::uniform2(prop::array::uniform3(-5e3..5e3)),
        (t, off) in (0.0..1.0f64, 1e-6..1.0f64),
    ) {
        let [a, b] = ends;
        let way = [b[0] - a[0], b[2] - a[2]];
        let beside = |along: f64, by: f64| [a[0] + way[0] * along - way[1] * by, a[2] + way[1] * along + way[0] * by];
        let third = |by: f64| { let [x, z] = beside(0.5, by); [x, 0.0, z] };
        // Two triangles on the left of the edge, the second run through backwards: the point on the right is in neither.
        let polygon = |vertices: [u32; 3]| MeshPolygon { vertices: vertices.to_vec(), links: vec![None; 3], area: 1 };
        let polygons = vec![polygon([0, 1, 2]), polygon([1, 0, 3])];
        let vertices = vec![a, b, third(0.5), third(1.0)];
        let mesh = NavMesh::from_snapshot(MeshSnapshot { revision: 0, vertices, polygons });
        let q = beside(t, -off);
        prop_assert_eq!(mesh.clamp_to_polygon(0, q).map(f64::to_bits), mesh.clamp_to_polygon(1, q).map(f64::to_bits));
    }
}
