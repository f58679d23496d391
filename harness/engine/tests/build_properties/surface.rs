//! Polygons lie over walkable input, are convex, and are linked both ways, in world coordinates too.

use proptest::prelude::*;
use proptest::sample::select;
use replay_format::{BuildInput, MeshSnapshot};

use crate::built::{Built, build};
use crate::inputs::{settings, shapes};
use crate::plane::{Plan, distance_to_polygon, edges, heights_over, plan, turn};

/// The triangles that face up and are no steeper than the limit.
fn walkable(input: &BuildInput) -> Vec<[[f64; 3]; 3]> {
    let limit = input.settings.max_slope.value().to_radians().tan();
    let triangles = input.triangles.iter().map(|triangle| triangle.map(|vertex| input.vertices[vertex as usize]));
    let gentle = |&[a, b, c]: &[[f64; 3]; 3]| {
        let [u, v] = [b, c].map(|q| [0, 1, 2].map(|axis| q[axis] - a[axis]));
        let up = u[2] * v[0] - u[0] * v[2];
        let across = (u[1] * v[2] - u[2] * v[1]).hypot(u[0] * v[1] - u[1] * v[0]);
        up > 0.0 && across <= up * limit * (1.0 + 1e-9)
    };
    triangles.filter(gentle).collect()
}

/// Corners, middles of edges, the middle of all, and what is between.
fn samples(corners: &[[f64; 3]]) -> Vec<Plan> {
    let half = |a: Plan, b: Plan| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let corners: Vec<Plan> = corners.iter().copied().map(plan).collect();
    let count = corners.len() as f64;
    let middle = [0, 1].map(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / count);
    let mut samples = vec![middle];
    for (a, b) in edges(&corners) {
        samples.extend([a, half(a, b), half(a, middle), half(half(a, b), middle)]);
    }
    samples
}

/// Convex, within the limit of corners, linked both ways; all in world coordinates.
pub fn check_mesh(built: &Built) {
    let snapshot = MeshSnapshot::read(&built.mesh.to_bytes()).expect("a mesh that the reader accepts");
    assert_eq!(snapshot.polygons.len(), built.polygons.polygons.len());
    for (index, polygon) in snapshot.polygons.iter().enumerate() {
        let corners: Vec<Plan> = built.corners(index).into_iter().map(plan).collect();
        assert!((3..=built.settings.max_verts_per_poly as usize).contains(&corners.len()));
        let whole: f64 = corners.windows(2).map(|pair| crowd_engine::cross(corners[0], pair[0], pair[1])).sum();
        assert!(whole > 0.0, "polygon {index} has no area");
        for (a, b) in edges(&corners) {
            assert!(corners.iter().all(|&q| crowd_engine::cross(a, b, q) >= 0.0), "polygon {index}: {corners:?}");
        }
        for (edge, link) in polygon.links.iter().enumerate() {
            assert_eq!(*link, built.polygons.polygons[index].neighbours[edge]);
            let Some(link) = link else { continue };
            let (a, b) = polygon.edge(edge);
            let other = &snapshot.polygons[*link as usize];
            let back = (0..other.links.len()).find(|&e| other.edge(e) == (b, a)).map(|e| other.links[e]);
            assert_eq!(back, Some(Some(u32::try_from(index).expect("few"))), "polygon {index}, edge {edge}");
        }
    }
    for contour in &built.contours.contours {
        let corners: Vec<[i64; 2]> = contour.vertices.iter().map(|v| [v[0].into(), v[2].into()]).collect();
        let edges: Vec<_> = edges(&corners).collect();
        for (i, one) in edges.iter().enumerate() {
            for two in &edges[..i] {
                let sides = |p: &([i64; 2], [i64; 2]), q: &([i64; 2], [i64; 2])| {
                    turn(p.0, p.1, q.0).signum() * turn(p.0, p.1, q.1).signum()
                };
                assert!(sides(one, two) >= 0 || sides(two, one) >= 0, "{one:?} and {two:?} cross");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn polygons_lie_over_walkable_input(shapes in shapes(8), settings in settings()) {
        let input = shapes.input(settings);
        let built = build(&input);
        let walkable = walkable(&input);
        let (cell, step) = (built.settings.cell_size, built.settings.cell_height);
        // A column is walkable where a triangle is over any point of it; its outline may stray by the error.
        let away = (built.settings.contour_max_error + 2_f64.sqrt()) * cell * (1.0 + 1e-9);
        let triangles: Vec<Vec<Plan>> = walkable.iter().map(|triangle| triangle.map(plan).to_vec()).collect();
        for polygon in 0..built.mesh.polygon_count() {
            for q in samples(&built.corners(polygon)) {
                let over = triangles.iter().any(|triangle| distance_to_polygon(q, triangle) <= away);
                prop_assert!(over, "polygon {} at {:?}: nothing to walk on", polygon, q);
            }
        }
        // The top of what is walked on is a whole cell up; merged spans and low obstacles are a climb higher each.
        let above = f64::from(1 + 2 * built.settings.climb_cells) * step + 1e-9;
        let places = built.detail.polygons.iter().flat_map(|polygon| polygon.vertices.iter().copied());
        for at in places.chain((0..built.mesh.polygon_count()).flat_map(|polygon| built.corners(polygon))) {
            let holds = |&triangle: &[[f64; 3]; 3]| {
                let heights = heights_over(triangle, plan(at), cell * (1.0 + 1e-9));
                heights.is_some_and(|(low, high)| low - 1e-9 <= at[1] && at[1] <= high + above)
            };
            prop_assert!(walkable.iter().any(holds), "{:?} is at no height of the input", at);
        }
    }

    #[test]
    fn polygons_are_convex_and_linked_both_ways(
        shapes in shapes(8),
        settings in settings(),
        edge in select(vec![0.0, 0.5, 2.0]),
        by in select(vec![[0.0, 0.0], [0.1, -0.7], [4096.0, 1e4], [-1_500_000.3, 1_999_999.9], [1.0 / 3.0, -2_000_000.1]]),
    ) {
        let mut input = shapes.moved([by[0], 0.1, by[1]]).input(settings);
        input.settings.max_edge_length = replay_format::Bits64::new(edge);
        check_mesh(&build(&input));
    }
}
