//! Every query is total on every mesh that the snapshot reader accepts.

use crowd_engine::{NavMesh, NodeModel, QueryFilter, SurfacePoint};
use proptest::prelude::*;
use replay_format::{MeshPolygon, MeshSnapshot};

use crate::meshes::is_linked;

/// A coordinate: often a small whole number, so that points coincide and lie on lines; sometimes anything that is allowed.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (-3i32..4).prop_map(f64::from),
        2 => -3.0..3.0,
        1 => -2_097_151.9..2_097_151.9,
        1 => prop::sample::select(vec![0.0, -0.0, 5e-324, -1e-310, 1e-160, 2_097_151.999, -2_097_151.999, 1e-9]),
    ]
}

fn point() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(coordinate())
}

/// Any polygons over few vertices, some of them the reverse of the one before, and links wherever two edges allow one.
fn soup() -> impl Strategy<Value = MeshSnapshot> {
    let polygon = (prop::collection::vec(any::<prop::sample::Index>(), 3..17), any::<u8>(), any::<bool>());
    (prop::collection::vec(point(), 3..14), prop::collection::vec(polygon, 1..16), any::<u64>()).prop_map(
        |(vertices, specs, skip)| {
            let mut polygons: Vec<MeshPolygon> = Vec::new();
            for (corners, area, reverse) in specs {
                let mut chosen: Vec<u32> = Vec::new();
                for corner in corners {
                    let vertex = u32::try_from(corner.index(vertices.len())).expect("few vertices");
                    if !chosen.contains(&vertex) {
                        chosen.push(vertex);
                    }
                }
                if let Some(last) = polygons.last().filter(|_| reverse) {
                    chosen = last.vertices.iter().rev().copied().collect();
                }
                if chosen.len() >= 3 {
                    let links = vec![None; chosen.len()];
                    polygons.push(MeshPolygon { vertices: chosen, links, area: area % 4 });
                }
            }
            link(&mut polygons, skip);
            MeshSnapshot { revision: 0, vertices, polygons }
        },
    )
}

fn link(polygons: &mut [MeshPolygon], skip: u64) {
    let mut count = 0;
    for one in 0..polygons.len() {
        for two in one + 1..polygons.len() {
            for edge in 0..polygons[one].links.len() {
                let (a, b) = polygons[one].edge(edge);
                let back = (0..polygons[two].links.len()).find(|&e| polygons[two].edge(e) == (b, a));
                let Some(back) = back else { continue };
                if polygons[one].links[edge].is_some() || polygons[two].links[back].is_some() {
                    continue;
                }
                count += 1;
                if skip >> (count % 64) & 1 == 0 || count % 3 == 0 {
                    polygons[one].links[edge] = u32::try_from(two).ok();
                    polygons[two].links[back] = u32::try_from(one).ok();
                }
            }
        }
    }
}

fn is_sound(mesh: &NavMesh, at: &SurfacePoint) -> bool {
    let polygon = usize::try_from(at.polygon).ok().and_then(|p| mesh.snapshot().polygons.get(p));
    let corners =
        polygon.map(|p| p.vertices.iter().map(|&v| mesh.snapshot().vertices[usize::try_from(v).unwrap_or(0)]));
    let corners: Vec<[f64; 3]> = corners.into_iter().flatten().collect();
    at.point.iter().enumerate().all(|(axis, value)| {
        value.is_finite() && corners.iter().any(|c| c[axis] <= *value) && corners.iter().any(|c| c[axis] >= *value)
    })
}

fn plan(at: &SurfacePoint) -> [f64; 2] {
    [at.point[0], at.point[2]]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_query_is_total(
        snapshot in soup(),
        polygons in prop::array::uniform2(any::<prop::sample::Index>()),
        points in prop::array::uniform3(point()),
        radius in prop::sample::select(vec![0.0, 0.5, 3.0, 1024.0]),
        nodes in 1usize..20,
        excluded in 0u8..5,
        dear in 1u8..4,
    ) {
        let bytes = snapshot.write().expect("a small mesh");
        let snapshot = MeshSnapshot::read(&bytes).expect("what the reader accepts");
        prop_assume!(!snapshot.polygons.is_empty());
        let mesh = NavMesh::from_snapshot(snapshot);
        let mut filter = QueryFilter::new();
        filter.exclude(excluded).expect("an area that exists");
        filter.set_cost(dear, 100.0).expect("a valid cost");
        let [start, goal] = [0, 1].map(|i| SurfacePoint {
            polygon: u32::try_from(polygons[i].index(mesh.polygon_count())).expect("few polygons"),
            point: points[i],
        });
        let to = [points[2][0], points[2][2]];
        for filter in [None, Some(&filter)] {
            if let Some(found) = mesh.nearest(&points[0], [radius; 3], filter) {
                prop_assert!(is_sound(&mesh, &found), "nearest {:?}", found);
                prop_assert!(mesh.is_walkable(found.polygon, filter));
            }
            let mut visited = Vec::new();
            let end = mesh.move_along_surface(&start, to, filter, &mut visited);
            prop_assert!(is_sound(&mesh, &end), "move {:?}", end);
            prop_assert!(is_linked(&mesh, &visited));
            prop_assert_eq!((visited.first(), visited.last()), (Some(&start.polygon), Some(&end.polygon)));
            prop_assert!(visited.iter().skip(1).all(|&p| mesh.is_walkable(p, filter)));

            let mut walls = Vec::new();
            mesh.walls_near(&start, radius, 9, filter, &mut walls);
            prop_assert!(walls.len() <= 9);

            let ray = mesh.raycast(&start, to, filter);
            prop_assert!(is_sound(&mesh, &ray.end), "ray {:?}", ray);
            prop_assert!((0.0..=1.0).contains(&ray.fraction));
            prop_assert!(is_linked(&mesh, &ray.polygons));

            for model in [NodeModel::PortalMidpoint, NodeModel::PortalCrossing] {
                let found = mesh.find_path(&start, &goal, nodes, model, filter);
                prop_assert!(is_linked(&mesh, &found.corridor));
                prop_assert!(found.nodes_opened <= nodes && found.corridor.len() <= found.nodes_opened);
                let mut corners = Vec::new();
                mesh.corners(plan(&start), &found.corridor, plan(&goal), radius, 64, &mut corners);
                prop_assert!(corners.iter().flatten().all(|value| value.is_finite()));
                prop_assert_eq!(corners.last(), Some(&plan(&goal)));
            }
        }
    }
}

#[test]
fn a_snapshot_that_no_reader_accepts_does_no_harm() {
    let polygon = |vertices: &[u32], links: &[Option<u32>]| MeshPolygon {
        vertices: vertices.to_vec(),
        links: links.to_vec(),
        area: 1,
    };
    let polygons = vec![
        polygon(&[], &[]),
        polygon(&[7, 9, 11], &[Some(1), Some(99)]),
        polygon(&[0, 1, 0], &[Some(1), Some(0), None, Some(2)]),
    ];
    let mesh = NavMesh::from_snapshot(MeshSnapshot { revision: -3, vertices: vec![[1.0; 3], [2.0; 3]], polygons });
    for polygon in 0..5 {
        let at = SurfacePoint { polygon, point: [1.5; 3] };
        let mut visited = Vec::new();
        assert!(mesh.move_along_surface(&at, [9.0, 9.0], None, &mut visited).point[0].is_finite());
        assert!(mesh.raycast(&at, [9.0, 9.0], None).fraction <= 1.0);
        assert_eq!(mesh.find_path(&at, &at, 9, NodeModel::PortalCrossing, None).corridor, [polygon]);
    }
    assert!(mesh.nearest(&[0.0; 3], [9.0; 3], None).is_some());
}
