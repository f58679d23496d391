//! Moves along the surface, and the walls around a place.

use crowd_engine::{NavMesh, PolygonSpec, QueryFilter, SurfacePoint, WallEdge, closest_on_segment, distance_squared};
use proptest::prelude::*;

use crate::meshes::{PILLARS, Random, components, floor, is_linked, place};
use crate::nearest::not_linked;

fn moved(mesh: &NavMesh, from: [f64; 2], to: [f64; 2]) -> (SurfacePoint, Vec<u32>) {
    let mut visited = vec![99];
    let end = mesh.move_along_surface(&place(mesh, from), to, None, &mut visited);
    (end, visited)
}

fn plan(at: &SurfacePoint) -> [f64; 2] {
    [at.point[0], at.point[2]]
}

/// Halls of pillars on both sides of a wall 0.25 m thick: two components.
fn two_halls() -> NavMesh {
    let hall = floor(&PILLARS, |x, z| (x - z) * 0.125);
    let mut vertices = hall.snapshot().vertices.clone();
    let mut polygons = Vec::new();
    let second = u32::try_from(vertices.len()).expect("few vertices");
    for &[x, y, z] in &hall.snapshot().vertices {
        vertices.push([x, y, z + 9.25]);
    }
    for shift in [0, second] {
        for polygon in &hall.snapshot().polygons {
            let corners = polygon.vertices.iter().map(|v| v + shift).collect();
            polygons.push(PolygonSpec { vertices: corners, area: 1 });
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a clean mesh")
}

proptest! {
    #[test]
    fn a_walk_never_leaves_its_component(
        start in (0.0..12.0, 0.0..18.25),
        moves in prop::collection::vec((-1.0..1.0, -1.0..1.0, prop::sample::select(vec![0.05, 0.5, 3.0, 30.0])), 1..40),
    ) {
        let mesh = two_halls();
        let components = components(&mesh);
        let component = |polygon: u32| components[usize::try_from(polygon).expect("an index")];
        let mut at = place(&mesh, start.into());
        let mut visited = Vec::new();
        for (dx, dz, length) in moves {
            let from = at;
            let to = [from.point[0] + dx * length, from.point[2] + dz * length];
            at = mesh.move_along_surface(&from, to, None, &mut visited);
            prop_assert_eq!((visited.first(), visited.last()), (Some(&from.polygon), Some(&at.polygon)));
            prop_assert!(is_linked(&mesh, &visited), "{:?}", visited);
            prop_assert_eq!(component(at.polygon), component(from.polygon));
            let off = distance_squared(plan(&at), {
                let [x, _, z] = mesh.clamp_to_polygon(at.polygon, plan(&at));
                [x, z]
            });
            prop_assert!(off <= 1e-18, "{:?} is {} m off its polygon", at, off.sqrt());
            prop_assert_eq!(at.point[1], mesh.height_at(at.polygon, at.point[0], at.point[2]));
            // Never farther from where it wanted to go than standing still.
            prop_assert!(distance_squared(plan(&at), to) <= distance_squared(plan(&from), to));
        }
    }
}

#[test]
fn reaches_what_it_can_see() {
    let mesh = floor(&["./.", "/./"], |x, z| x + z);
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let from = [random.unit(3.0), random.unit(2.0)];
        let to = [random.unit(3.0), random.unit(2.0)];
        let (end, _) = moved(&mesh, from, to);
        assert_eq!(plan(&end), to);
        assert!(mesh.contains(end.polygon, to));
    }
}

#[test]
fn slides_along_walls() {
    let mesh = floor(&["...", "...", "..."], |_, _| 0.0);
    assert_eq!(
        moved(&mesh, [0.5, 0.5], [1.5, -2.0]),
        (SurfacePoint { polygon: 1, point: [1.5, 0.0, 0.0] }, vec![0, 1])
    );
    assert_eq!(moved(&mesh, [0.5, 0.5], [-1.0, -2.0]), (SurfacePoint { polygon: 0, point: [0.0; 3] }, vec![0]));
}

#[test]
fn stops_before_an_edge_that_is_not_linked() {
    // REPORTS 26
    let mesh = not_linked();
    let (end, visited) = moved(&mesh, [4.9, 2.0], [5.2, 2.0]);
    assert_eq!((end, visited), (SurfacePoint { polygon: 0, point: [5.0, 0.0, 2.0] }, vec![0]));
    // And it stays with its polygon there.
    let mut visited = Vec::new();
    assert_eq!(mesh.move_along_surface(&end, [5.0, 2.0], None, &mut visited), end);
}

#[test]
fn never_squeezes_through_a_shared_corner() {
    // REPORTS 33: two triangles that touch at (5, 5).
    let vertices = [[0.0, 0.0], [5.0, 5.0], [0.0, 10.0], [10.0, 0.0], [10.0, 10.0]];
    let vertices = vertices.map(|[x, z]| [x, 0.0, z]).to_vec();
    let polygons = [[0, 1, 2], [3, 4, 1]].map(|corners| PolygonSpec { vertices: corners.to_vec(), area: 1 });
    let mesh = NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a clean mesh");
    let mut random = Random::new(4);
    let mut at = place(&mesh, [3.0, 5.0]);
    let mut visited = Vec::new();
    for _ in 0..1000 {
        let to = [at.point[0] + random.unit(2.0), 4.0 + random.unit(2.0)];
        at = mesh.move_along_surface(&at, to, None, &mut visited);
        assert_eq!(at.polygon, 0);
        assert!(at.point[0] <= 5.0);
    }
    assert_eq!(mesh.move_along_surface(&at, [7.0, 5.0], None, &mut visited).point, [5.0, 0.0, 5.0]);
}

#[test]
fn does_not_enter_what_is_not_walkable_but_leaves_it() {
    let mesh = floor(&["102"], |_, _| 0.0);
    assert_eq!(moved(&mesh, [0.5, 0.5], [1.5, 0.5]).0.point, [1.0, 0.0, 0.5]);
    let inside = SurfacePoint { polygon: 1, point: [1.5, 0.0, 0.5] };
    let mut visited = Vec::new();
    let end = mesh.move_along_surface(&inside, [2.5, 0.5], None, &mut visited);
    assert_eq!((end.polygon, &visited[..]), (2, &[1, 2][..]));
    let mut filter = QueryFilter::new();
    filter.exclude(2).expect("an area that exists");
    let end = mesh.move_along_surface(&inside, [2.5, 0.5], Some(&filter), &mut visited);
    assert_eq!(end.point, [2.0, 0.0, 0.5]);
}

#[test]
fn does_not_look_beyond_the_circle_of_its_move() {
    // Round the pillar in the middle there is a way to the other side, but not within a move's reach.
    let mesh = floor(&["...", ". .", "..."], |_, _| 0.0);
    let (end, _) = moved(&mesh, [0.9, 1.5], [1.9, 1.5]);
    assert_eq!(plan(&end), [1.0, 1.5]);
    // A circle with both ways round in it arrives.
    let (end, _) = moved(&mesh, [0.9, 1.05], [2.1, 1.05]);
    assert_eq!(plan(&end), [2.1, 1.05]);
}

#[test]
fn looks_at_256_polygons_at_most() {
    let row = ".".repeat(300);
    let mesh = floor(&[&row], |_, _| 0.0);
    let (end, visited) = moved(&mesh, [0.5, 0.5], [255.5, 0.5]);
    assert_eq!((end.polygon, visited.len()), (255, 256));
    let (end, _) = moved(&mesh, [0.5, 0.5], [256.5, 0.5]);
    // The way on is no wall: the closest walls are the sides of the last polygon, as close as its corners.
    assert_eq!(end, SurfacePoint { polygon: 255, point: [256.0, 0.0, 0.0] });
}

#[test]
fn finds_the_walls_within_reach_nearest_first() {
    let mesh = floor(&PILLARS, |x, z| x + z);
    let mut random = Random::new(5);
    let mut walls = Vec::new();
    let mut found = 0;
    for _ in 0..2000 {
        let at = place(&mesh, [random.unit(12.0), random.unit(9.0)]);
        let radius = random.unit(1.5);
        let mut expected = Vec::new();
        for (polygon, listed) in (0u32..).zip(&mesh.snapshot().polygons) {
            for (edge, _) in (0u8..).zip(&listed.links).filter(|(_, link)| link.is_none()) {
                let wall = WallEdge { polygon, edge };
                let (a, b) = mesh.wall_segment(wall);
                // As from the vertex with the lower index, which is the earlier one in reading order.
                let forwards = (a[1], a[0]) < (b[1], b[0]);
                let (low, high) = if forwards { (a, b) } else { (b, a) };
                let distance = distance_squared(closest_on_segment(plan(&at), low, high).0, plan(&at));
                if distance <= radius * radius {
                    expected.push((distance, wall));
                }
            }
        }
        expected.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
        let expected: Vec<WallEdge> = expected.into_iter().map(|(_, wall)| wall).collect();
        mesh.walls_near(&at, radius, usize::MAX, None, &mut walls);
        // A wall beyond a hole may not be reachable within the radius; the others are in the same order.
        let reachable: Vec<WallEdge> = expected.iter().copied().filter(|wall| walls.contains(wall)).collect();
        assert_eq!(walls, reachable);
        found += walls.len();
        let mut first = Vec::new();
        mesh.walls_near(&at, radius, 2, None, &mut first);
        assert_eq!(first, walls.iter().copied().take(2).collect::<Vec<_>>());
    }
    assert!(found > 4000, "only {found} walls");
}

#[test]
fn walls_at_one_distance_are_in_order() {
    let mesh = floor(&["."], |_, _| 0.0);
    let mut walls = Vec::new();
    mesh.walls_near(&place(&mesh, [0.5, 0.5]), 0.5, 9, None, &mut walls);
    assert_eq!(walls, [0, 1, 2, 3].map(|edge| WallEdge { polygon: 0, edge }));
    mesh.walls_near(&place(&mesh, [0.5, 0.5]), 0.499, 9, None, &mut walls);
    assert_eq!(walls, []);
    for radius in [f64::NAN, -1.0] {
        mesh.walls_near(&place(&mesh, [0.0, 0.0]), radius, 9, None, &mut walls);
        assert_eq!(walls, []);
    }
}

#[test]
fn walls_are_looked_for_in_128_polygons() {
    let row = ".".repeat(300);
    let mesh = floor(&[&row], |_, _| 0.0);
    let mut walls = Vec::new();
    mesh.walls_near(&place(&mesh, [0.5, 0.5]), 1000.0, usize::MAX, None, &mut walls);
    // Two walls each, and the end of the row.
    assert_eq!(walls.len(), 257);
}
