//! Rays along the surface.

use crowd_engine::{
    NavMesh, PolygonSpec, QueryFilter, RayHit, SurfacePoint, WallEdge, closest_on_segment, distance_squared,
};

use crate::meshes::{PILLARS, Random, floor, is_linked, place};

fn plan(point: [f64; 3]) -> [f64; 2] {
    [point[0], point[2]]
}

fn cast(mesh: &NavMesh, from: [f64; 2], to: [f64; 2]) -> RayHit {
    mesh.raycast(&place(mesh, from), to, None)
}

#[test]
fn goes_along_a_shared_edge() {
    // REPORTS 23
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(|[x, z]| [x, 0.0, z]);
    let triangles = [[0, 1, 2], [0, 2, 3]].map(|corners| PolygonSpec { vertices: corners.to_vec(), area: 1 });
    let mesh = NavMesh::from_polygons(corners.to_vec(), triangles.to_vec()).expect("a clean mesh");
    let ways = [
        ([0.0, 0.0], [4.0, 4.0]),
        ([1.0, 1.0], [3.0, 3.0]),
        ([4.0, 4.0], [0.0, 0.0]),
        ([2.0, 2.0], [2.0, 2.0]),
        ([0.0, 4.0], [4.0, 0.0]),
        ([0.0, 0.0], [4.0, 0.0]),
        ([4.0, 4.0], [4.0, 0.0]),
    ];
    for (from, to) in ways {
        for polygon in 0..2 {
            let [x, y, z] = mesh.clamp_to_polygon(polygon, from);
            if [x, z] != from {
                continue;
            }
            let ray = mesh.raycast(&SurfacePoint { polygon, point: [x, y, z] }, to, None);
            assert_eq!((ray.hit, ray.fraction), (None, 1.0), "{from:?} to {to:?}");
            assert!(ray.polygons.len() <= 2);
            assert_eq!(plan(ray.end.point), to);
        }
    }
}

#[test]
fn passes_along_walls_and_touches_corners() {
    let mesh = floor(&["....", ". ..", ".. ."], |_, _| 0.0);
    // Along the outer wall, along the hole's edge, and past two corners on both sides of the ray.
    for (from, to) in [([0.0, 0.0], [4.0, 0.0]), ([0.0, 1.0], [4.0, 1.0]), ([0.0, 3.0], [0.0, 0.0])] {
        assert_eq!(cast(&mesh, from, to).hit, None, "{from:?} to {to:?}");
        assert_eq!(cast(&mesh, to, from).hit, None, "{to:?} to {from:?}");
    }
    let slalom = floor(&[".. ...", "......", "... .."], |_, _| 0.0);
    assert_eq!(cast(&slalom, [0.0, 0.0], [6.0, 3.0]).hit, None);
    assert_eq!(cast(&slalom, [6.0, 3.0], [0.0, 0.0]).hit, None);
    // What stops it is the wall it runs into, not the ones it touches on its way.
    let ray = cast(&slalom, [0.0, 0.0], [8.0, 4.0]);
    assert_eq!((ray.fraction, ray.end.point), (0.75, [6.0, 0.0, 3.0]));
    assert!(cast(&slalom, [0.0, 0.0], [6.0, 2.999]).hit.is_some());
    assert!(cast(&slalom, [0.0, 0.0], [6.0, 3.001]).hit.is_some());
}

#[test]
fn does_not_pass_where_polygons_share_a_corner_only() {
    let mesh = floor(&[". ", " ."], |_, _| 0.0);
    let ray = cast(&mesh, [0.5, 0.5], [1.5, 1.5]);
    assert_eq!((ray.fraction, ray.end.polygon), (0.5, 0));
    assert_eq!(ray.hit, Some(WallEdge { polygon: 0, edge: 1 }));
}

#[test]
fn stops_at_the_first_wall() {
    let mesh = floor(&["..  ..", "......"], |x, _| x);
    let ray = cast(&mesh, [0.5, 0.5], [5.5, 0.5]);
    assert_eq!(ray.hit, Some(WallEdge { polygon: 1, edge: 1 }));
    assert_eq!(ray.fraction, 0.3);
    assert_eq!((ray.end.polygon, ray.end.point), (1, [2.0, 2.0, 0.5]));
    assert_eq!(ray.polygons, [0, 1]);
}

#[test]
fn stops_at_what_is_not_walkable() {
    let mesh = floor(&["1021"], |_, _| 0.0);
    assert_eq!(cast(&mesh, [0.5, 0.5], [3.5, 0.5]).hit, Some(WallEdge { polygon: 0, edge: 1 }));
    let mut filter = QueryFilter::new();
    assert_eq!(mesh.raycast(&place(&mesh, [2.5, 0.5]), [3.5, 0.5], Some(&filter)).hit, None);
    filter.exclude(1).expect("an area that exists");
    let ray = mesh.raycast(&place(&mesh, [2.5, 0.5]), [3.5, 0.5], Some(&filter));
    assert_eq!(ray.hit, Some(WallEdge { polygon: 2, edge: 1 }));
}

#[test]
fn both_directions_agree() {
    let mesh = floor(&PILLARS, |_, _| 0.0);
    let mut random = Random::new(6);
    let mut outcomes = [0, 0];
    for round in 0..20_000 {
        let mut point = |from: &NavMesh| {
            let [x, z] = [random.unit(12.0), random.unit(9.0)];
            // Every other one on whole and half coordinates: corners and edges.
            let snap = |value: f64| if round % 2 == 0 { (value * 2.0).floor() / 2.0 } else { value };
            place(from, [snap(x), snap(z)])
        };
        let (one, two) = (point(&mesh), point(&mesh));
        let there = mesh.raycast(&one, plan(two.point), None);
        if there.hit.is_none() {
            // From the very place where it arrived: where polygons share a corner only, a point is several places.
            let back = mesh.raycast(&there.end, plan(one.point), None);
            assert_eq!(back.hit, None, "{one:?} to {:?}: {there:?} {back:?}", there.end);
        }
        assert!(is_linked(&mesh, &there.polygons));
        assert_eq!(there.polygons.last(), Some(&there.end.polygon));
        let mut sorted = there.polygons.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), there.polygons.len(), "a polygon twice");
        // All the way up to where it ended is walkable.
        for step in 0..=16 {
            let t = f64::from(step) / 16.0 * there.fraction;
            let q = [0, 2].map(|axis| one.point[axis] + (two.point[axis] - one.point[axis]) * t);
            assert!(mesh.nearest(&[q[0], 0.0, q[1]], [1e-5; 3], None).is_some(), "{q:?} on {there:?}");
        }
        match there.hit {
            None => assert_eq!(there.fraction, 1.0),
            Some(wall) => {
                let (a, b) = mesh.wall_segment(wall);
                let end = plan(there.end.point);
                assert!(distance_squared(closest_on_segment(end, a, b).0, end) < 1e-18);
            }
        }
        outcomes[usize::from(there.hit.is_some())] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 2000), "{outcomes:?}");
}

#[test]
fn what_is_just_off_the_surface_is_on_it() {
    let mesh = floor(&["...."], |_, _| 0.0);
    let mut from = place(&mesh, [0.5, 0.0]);
    let arrives = |from: &SurfacePoint, to| {
        let ray = mesh.raycast(from, to, None);
        assert_eq!((ray.hit, ray.fraction, ray.end.polygon), (None, 1.0, 3), "{from:?} to {to:?}");
    };
    arrives(&from, [3.5, -1e-9]);
    from.point[2] = -1e-9;
    arrives(&from, [3.5, 0.0]);
    arrives(&from, [3.5, -1e-9]);
    // Past its own portal.
    from.point = [1.0 + 1e-9, 0.0, 0.5];
    arrives(&from, [3.5, 0.5]);
}

#[test]
fn a_wall_that_it_almost_runs_along_does_not_stop_it() {
    let mesh = floor(&["...."], |_, _| 0.0);
    let ray = cast(&mesh, [0.5, 1e-9], [6.5, -1e-10]);
    assert_eq!(ray.hit, Some(WallEdge { polygon: 3, edge: 1 }));
    assert!((ray.fraction - 3.5 / 6.0).abs() < 1e-9);
}

#[test]
fn crosses_thousands_of_polygons() {
    let row = "./".repeat(2000);
    let mesh = floor(&[&row], |_, _| 0.0);
    let ray = cast(&mesh, [0.5, 0.1], [3999.5, 0.9]);
    assert_eq!((ray.hit, ray.polygons.len()), (None, 6000));
}
