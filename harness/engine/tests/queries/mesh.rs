//! Making and editing meshes.

use crowd_engine::{MeshError, NavMesh, PolygonSpec, WallEdge};
use proptest::prelude::*;
use replay_format::{MeshSnapshot, xxh64};

use crate::meshes::{PILLARS, floor};

fn square() -> Vec<[f64; 3]> {
    vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 0.0, 4.0], [2.0, 0.0, 0.0], [2.0, 0.0, 1.0]]
}

fn refusal(polygons: &[&[u32]]) -> MeshError {
    let polygons = polygons.iter().map(|vertices| PolygonSpec { vertices: vertices.to_vec(), area: 1 }).collect();
    NavMesh::from_polygons(square(), polygons).expect_err("a bad mesh")
}

#[test]
fn refuses_what_is_not_a_clean_mesh() {
    assert_eq!(refusal(&[&[0, 1]]), MeshError::CornerCount { polygon: 0, count: 2 });
    assert_eq!(refusal(&[&[]]), MeshError::CornerCount { polygon: 0, count: 0 });
    assert_eq!(refusal(&[&[0; 17]]), MeshError::CornerCount { polygon: 0, count: 17 });
    assert_eq!(refusal(&[&[0, 1, 2, 3], &[0, 1, 6]]), MeshError::Index { polygon: 1, vertex: 6 });
    assert_eq!(refusal(&[&[0, 1, 2, 0]]), MeshError::RepeatedVertex { polygon: 0, vertex: 0 });
    assert_eq!(refusal(&[&[3, 2, 1, 0]]), MeshError::Orientation { polygon: 0 });
    assert_eq!(refusal(&[&[0, 4, 1]]), MeshError::Orientation { polygon: 0 });
    assert_eq!(refusal(&[&[0, 5, 1, 2, 3]]), MeshError::NotConvex { polygon: 0 });
    assert_eq!(refusal(&[&[0, 1, 2], &[0, 1, 3]]), MeshError::SharedEdge { polygons: [0, 1], a: 0, b: 1 });
    let area = PolygonSpec { vertices: vec![0, 1, 2], area: 64 };
    assert_eq!(NavMesh::from_polygons(square(), vec![area]).err(), Some(MeshError::Area { polygon: 0, area: 64 }));
    for bad in [f64::NAN, f64::INFINITY, 2_097_152.0, -2_097_152.0] {
        let vertices = vec![[0.0; 3], [0.0, bad, 0.0]];
        assert_eq!(NavMesh::from_polygons(vertices, Vec::new()).err(), Some(MeshError::Vertex { vertex: 1 }));
    }
}

#[test]
fn refuses_a_star_that_winds_twice() {
    // Every corner turns left, and yet it is not convex.
    let star = [[0.0, 10.0], [-6.0, -8.0], [9.0, 3.0], [-9.0, 3.0], [6.0, -8.0]];
    let vertices = star.iter().map(|&[x, z]| [x, 0.0, z]).collect();
    let polygon = PolygonSpec { vertices: vec![0, 1, 2, 3, 4], area: 1 };
    assert_eq!(NavMesh::from_polygons(vertices, vec![polygon]).err(), Some(MeshError::NotConvex { polygon: 0 }));
}

#[test]
fn takes_corners_on_one_line() {
    let polygon = PolygonSpec { vertices: vec![0, 4, 1, 2, 3], area: 1 };
    assert!(NavMesh::from_polygons(square(), vec![polygon]).is_ok());
}

#[test]
fn takes_a_mesh_of_nothing() {
    let mesh = NavMesh::from_polygons(Vec::new(), Vec::new()).expect("an empty mesh");
    assert_eq!(mesh.nearest(&[0.0; 3], [9.0; 3], None), None);
}

#[test]
fn links_shared_edges_and_comes_back_from_its_bytes() {
    let mesh = floor(&PILLARS, |x, z| x * 0.1 + z);
    let snapshot = MeshSnapshot::read(&mesh.to_bytes()).expect("a snapshot that is accepted");
    assert_eq!(&snapshot, mesh.snapshot());
    assert_eq!(NavMesh::from_snapshot(snapshot).digest(), mesh.digest());
    assert_eq!(mesh.digest(), xxh64(&mesh.to_bytes()));
    // Reading order: cell (1, 0) is right of cell (0, 0), beyond its second edge.
    assert_eq!(mesh.snapshot().polygons[0].links[..2], [None, Some(1)]);
}

#[test]
fn an_edit_changes_revision_digest_walls_and_boundary() {
    let mut mesh = floor(&["...", "...", "..."], |_, _| 0.0);
    let (digest, corner) = (mesh.digest(), [0.9, 0.5]);
    mesh.set_area(1, 0).expect("a valid edit");
    assert_eq!((mesh.revision(), mesh.area(1)), (1, 0));
    assert_ne!(mesh.digest(), digest);
    assert_eq!(mesh.digest(), xxh64(&mesh.to_bytes()));
    assert_eq!(mesh.snapshot().polygons[1].area, 0);
    let from = mesh.nearest(&[0.9, 0.0, 0.5], [0.2; 3], None).expect("a place");
    let mut walls = Vec::new();
    mesh.walls_near(&from, 0.2, 9, None, &mut walls);
    assert_eq!(walls, [WallEdge { polygon: 0, edge: 1 }]);
    // The corner (1, 1) of the portal from 0 to 3 touches a wall now.
    let mut corners = Vec::new();
    mesh.corners(corner, &[0, 3, 4], [2.0, 1.01], 0.25, 1, &mut corners);
    assert_eq!(corners, [[0.75, 1.0]]);
    assert_eq!(mesh.set_area(1, 64), Err(MeshError::Area { polygon: 1, area: 64 }));
    assert_eq!(mesh.set_area(9, 1), Err(MeshError::NoPolygon { polygon: 9 }));
    assert_eq!(mesh.revision(), 1);
}

#[test]
fn the_revision_stops_at_its_end() {
    let mut snapshot = floor(&["."], |_, _| 0.0).snapshot().clone();
    snapshot.revision = i64::MAX;
    let mut mesh = NavMesh::from_snapshot(snapshot);
    mesh.set_area(0, 2).expect("a valid edit");
    assert_eq!(mesh.revision(), i64::MAX);
}

#[test]
fn a_wall_has_its_interior_on_the_left() {
    let mesh = floor(&["."], |_, _| 0.0);
    let (a, b) = mesh.wall_segment(WallEdge { polygon: 0, edge: 1 });
    assert_eq!((a, b), ([1.0, 0.0], [1.0, 1.0]));
    assert!(crowd_engine::cross(a, b, [0.5, 0.5]) > 0.0);
    assert_eq!(mesh.wall_segment(WallEdge { polygon: 0, edge: 4 }), ([0.0; 2], [0.0; 2]));
    assert_eq!(mesh.wall_segment(WallEdge { polygon: 7, edge: 0 }), ([0.0; 2], [0.0; 2]));
}

proptest! {
    #[test]
    fn both_sides_of_an_edge_agree_exactly(
        ends in prop::array::uniform2(prop::array::uniform2(-5e5..5e5)),
        (left, right) in (0.125..1.0f64, 0.125..1.0f64),
        (t, near) in (0.0..1.0, prop::array::uniform2(-1e-9..1e-9)),
    ) {
        let [a, b] = ends;
        let way = [b[0] - a[0], b[1] - a[1]];
        let beside = |by: f64| [a[0] - way[1] * by, a[1] + way[0] * by];
        let vertices = [a, b, beside(left), beside(-right)].map(|[x, z]| [x, 0.0, z]);
        // The shared edge is the third of either.
        let polygons = [[1, 2, 0], [0, 3, 1]].map(|vertices| PolygonSpec { vertices: vertices.to_vec(), area: 1 });
        let mesh = NavMesh::from_polygons(vertices.to_vec(), polygons.to_vec()).expect("a clean mesh");
        // On the edge or so, where a sign is easily wrong.
        let q = [0, 1].map(|axis| a[axis] + way[axis] * t + near[axis]);
        prop_assert_eq!(mesh.orient(0, 2, q), -mesh.orient(1, 2, q));
        prop_assert!(mesh.contains(0, q) || mesh.contains(1, q));
    }
}
