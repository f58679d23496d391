//! Paths over polygons.

use crowd_engine::{FoundPath, NavMesh, NodeModel, PathScratch, PolygonSpec, QueryFilter};
use expect_test::expect;
use proptest::prelude::*;

use crate::meshes::{PILLARS, floor, is_linked, place};

const MODELS: [NodeModel; 2] = [NodeModel::PortalMidpoint, NodeModel::PortalCrossing];

fn path(mesh: &NavMesh, from: [f64; 2], to: [f64; 2], nodes: usize, model: NodeModel) -> FoundPath {
    mesh.find_path(&place(mesh, from), &place(mesh, to), nodes, model, None)
}

#[test]
fn stays_within_its_nodes() {
    // REPORTS 24: a corridor of 300 polygons.
    let row = ".".repeat(300);
    let mesh = floor(&[&row], |_, _| 0.0);
    for model in MODELS {
        for nodes in [0, 1, 2, 64, 299, 300, 301, 65_535, 65_536, 70_000, usize::MAX] {
            let found = path(&mesh, [0.5, 0.5], [299.5, 0.5], nodes, model);
            let opened = nodes.clamp(1, 300);
            assert_eq!(found.corridor, (0..).take(opened).collect::<Vec<u32>>(), "{nodes} nodes");
            assert_eq!((found.partial, found.out_of_nodes), (nodes < 300, nodes < 300), "{nodes} nodes");
            assert_eq!(found.nodes_opened, opened);
        }
    }
}

#[test]
fn more_nodes_than_16_bits_count() {
    // 70,000 polygons, all of which must be opened.
    let row = ".".repeat(700);
    let rows = vec![&row[..]; 100];
    let mesh = floor(&rows, |_, _| 0.0);
    let mut cut = mesh.clone();
    cut.set_area(69_998, 0).expect("a valid edit");
    cut.set_area(69_299, 0).expect("a valid edit");
    for nodes in [65_535, 65_536, 69_996, 69_997, 70_000] {
        let found = path(&cut, [0.5, 0.5], [699.5, 99.5], nodes, NodeModel::PortalMidpoint);
        assert!(found.partial);
        assert_eq!((found.nodes_opened, found.out_of_nodes), (nodes.clamp(0, 69_997), nodes < 69_997));
    }
    assert!(!path(&mesh, [0.5, 0.5], [699.5, 99.5], 70_000, NodeModel::PortalMidpoint).partial);
}

#[test]
fn three_neighbours_make_no_cycle() {
    // REPORTS 24: mutually adjacent, costs 1, 0.1, 1, round the vertex in the middle; and a fourth that can't be reached.
    let vertices = [[0.0, 0.0], [6.0, -4.0], [0.0, 6.0], [-6.0, -4.0], [50.0, 0.0], [51.0, 0.0], [51.0, 1.0]];
    let vertices = vertices.map(|[x, z]| [x, 0.0, z]).to_vec();
    let specs = [([0, 1, 2], 1), ([0, 2, 3], 2), ([0, 3, 1], 1), ([4, 5, 6], 1)];
    let polygons = specs.map(|(corners, area)| PolygonSpec { vertices: corners.to_vec(), area });
    let mesh = NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a clean mesh");
    let mut filter = QueryFilter::new();
    filter.set_cost(2, 0.1).expect("a valid cost");
    for model in MODELS {
        for (start, goal) in [([3.0, 0.5], [-3.0, 0.5]), ([3.0, 0.5], [50.9, 0.1]), ([0.0, -2.0], [50.9, 0.1])] {
            let found = mesh.find_path(&place(&mesh, start), &place(&mesh, goal), 100, model, Some(&filter));
            let mut sorted = found.corridor.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), found.corridor.len(), "{found:?}");
            assert_eq!(found.partial, goal[0] > 50.0);
        }
    }
}

#[test]
fn a_goal_out_of_reach_gives_the_way_to_the_nearest_polygon() {
    let mesh = floor(&["...  ", ". .  ", "... ."], |_, _| 0.0);
    for model in MODELS {
        let found = path(&mesh, [0.5, 0.5], [4.5, 2.5], 1000, model);
        assert!(found.partial && !found.out_of_nodes);
        assert_eq!(found.corridor.last(), Some(&7), "{found:?}");
    }
}

#[test]
fn start_and_goal_in_one_polygon_are_a_path() {
    let mesh = floor(&["0"], |_, _| 0.0);
    let at = crowd_engine::SurfacePoint { polygon: 0, point: [0.5, 0.0, 0.5] };
    let found = mesh.find_path(&at, &at, 1, NodeModel::PortalMidpoint, None);
    assert_eq!(found, FoundPath { corridor: vec![0], partial: false, out_of_nodes: false, nodes_opened: 1 });
}

#[test]
fn costs_lead_round_mud_and_exclusions_round_lava() {
    let mesh = floor(&["11211", "11211", "11111"], |_, _| 0.0);
    let (start, goal) = (place(&mesh, [0.5, 0.5]), place(&mesh, [4.5, 0.5]));
    let mut filter = QueryFilter::new();
    let corridor =
        |filter: &QueryFilter| mesh.find_path(&start, &goal, 1000, NodeModel::PortalMidpoint, Some(filter)).corridor;
    assert_eq!(corridor(&filter), [0, 1, 2, 3, 4]);
    filter.set_cost(2, 20.0).expect("a valid cost");
    let dry = corridor(&filter);
    assert!(dry.contains(&12) && !dry.contains(&2) && !dry.contains(&7), "{dry:?}");
    // Cheap as well: then the estimate must not promise more than the cheapest area keeps.
    filter.set_cost(2, 1.0).expect("a valid cost");
    filter.set_cost(1, 20.0).expect("a valid cost");
    assert_eq!(corridor(&filter), [0, 1, 2, 3, 4]);
    filter = QueryFilter::new();
    filter.exclude(2).expect("an area that exists");
    let dry = corridor(&filter);
    assert!(dry.contains(&12) && !dry.contains(&2) && !dry.contains(&7), "{dry:?}");
}

#[test]
fn the_estimate_promises_no_more_than_the_cheapest_area_keeps() {
    let mesh = floor(&["1111111", "2222222"], |_, _| 0.0);
    let (start, goal) = (place(&mesh, [0.5, 0.5]), place(&mesh, [6.5, 0.5]));
    let mut filter = QueryFilter::new();
    filter.set_cost(2, 0.001).expect("a valid cost");
    let found = mesh.find_path(&start, &goal, 1000, NodeModel::PortalMidpoint, Some(&filter));
    assert_eq!(found.corridor, [0, 7, 8, 9, 10, 11, 12, 13, 6]);
}

#[test]
fn the_start_may_stand_on_what_is_not_walkable_but_the_goal_may_not() {
    let mesh = floor(&["011", "110"], |_, _| 0.0);
    let at = |polygon, x, z| crowd_engine::SurfacePoint { polygon, point: [x, 0.0, z] };
    let (start, goal) = (at(0, 0.5, 0.5), at(5, 2.5, 1.5));
    let found = mesh.find_path(&start, &goal, 100, NodeModel::PortalMidpoint, None);
    assert!(found.partial);
    assert!(found.corridor.first() == Some(&0) && found.corridor.last() != Some(&5));
}

#[test]
fn equal_ways_go_through_the_lowest_polygon() {
    // Two ways round a pillar, of equal length.
    let mesh = floor(&["...", ". .", "..."], |_, _| 0.0);
    let found = path(&mesh, [0.5, 1.5], [2.5, 1.5], 100, NodeModel::PortalMidpoint);
    assert_eq!(found.corridor, [3, 0, 1, 2, 4]);
}

#[test]
fn node_models_differ_where_portals_are_wide() {
    let mesh = floor(&PILLARS, |x, z| (x + z) * 0.125);
    let shown = MODELS.map(|model| {
        let found = path(&mesh, [0.25, 8.75], [11.75, 0.25], 1000, model);
        format!("{model:?} {} {:?}\n", found.nodes_opened, found.corridor)
    });
    expect![[r#"
        PortalMidpoint 54 [83, 84, 75, 76, 65, 64, 53, 54, 46, 47, 38, 39, 28, 16, 6]
        PortalCrossing 54 [83, 84, 75, 63, 64, 53, 54, 55, 56, 47, 48, 39, 28, 16, 6]
    "#]]
    .assert_eq(&shown.concat());
}

#[test]
fn a_crossing_is_where_the_line_to_the_goal_runs() {
    // One portal 8 m wide from (4, 0) to (4, 8): by its middle the way up and down is dear, by the crossing it is straight.
    let vertices = [[0.0, 0.0], [4.0, 0.0], [4.0, 8.0], [0.0, 8.0], [8.0, 0.0], [8.0, 8.0]];
    let vertices = vertices.map(|[x, z]| [x, 0.0, z]).to_vec();
    let polygons = [[0, 1, 2, 3], [1, 4, 5, 2]].map(|corners| PolygonSpec { vertices: corners.to_vec(), area: 1 });
    let mesh = NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a clean mesh");
    for model in MODELS {
        for (from, to) in [([0.0, 1.0], [8.0, 1.0]), ([4.0, 1.0], [4.0, 7.0]), ([0.0, 8.0], [8.0, 8.0])] {
            assert_eq!(path(&mesh, from, to, 9, model).corridor.last(), Some(&1).filter(|_| to[0] > 4.0).or(Some(&0)));
        }
    }
}

proptest! {
    #[test]
    fn scratch_memory_leaves_no_trace(ways in prop::collection::vec(((0.0..12.0, 0.0..9.0), (0.0..12.0, 0.0..9.0), 1usize..120), 1..12)) {
        let mesh = floor(&PILLARS, |x, z| x * 0.5 - z * 0.25);
        let mut scratch = PathScratch::default();
        for ((from, to, nodes), model) in ways.into_iter().zip(MODELS.into_iter().cycle()) {
            let (start, goal) = (place(&mesh, from.into()), place(&mesh, to.into()));
            let again = mesh.find_path_with(&mut scratch, &start, &goal, nodes, model, None);
            let fresh = mesh.find_path(&start, &goal, nodes, model, None);
            prop_assert_eq!(&again, &fresh);
            prop_assert!(is_linked(&mesh, &fresh.corridor));
            prop_assert_eq!(fresh.corridor[0], start.polygon);
            prop_assert!(fresh.nodes_opened <= nodes);
            prop_assert!(fresh.partial || fresh.corridor.last() == Some(&goal.polygon));
        }
    }
}
