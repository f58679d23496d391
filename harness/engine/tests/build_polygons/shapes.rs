//! Simple shapes keep their exact area; neighbours share vertices.

use crowd_engine::build::{CompactHeightfield, RegionMap, Settings, contours, polygonize};

use crate::fields::{assert_sound, build, doubled_areas, field, plan, settings, total};

/// Twice the areas by region, after checking everything else.
fn areas(text: &str, settings: &Settings) -> Vec<i64> {
    let (compact, regions) = plan(text);
    areas_of(&compact, &regions, settings)
}

fn areas_of(compact: &CompactHeightfield, regions: &RegionMap, settings: &Settings) -> Vec<i64> {
    let (mesh, heights) = build(compact, regions, settings);
    assert_eq!(mesh.skipped, []);
    assert_sound(&mesh, &heights, compact, settings);
    doubled_areas(&mesh).into_values().collect()
}

#[test]
fn a_square_is_one_polygon() {
    let (compact, regions) = plan("aaaa aaaa aaaa aaaa");
    let (mesh, _) = build(&compact, &regions, &settings());
    assert_eq!(mesh.polygons.len(), 1);
    assert_eq!(mesh.vertices.len(), 4);
    assert_eq!(areas("aaaa aaaa aaaa aaaa", &settings()), [32]);
}

#[test]
fn a_single_cell_stays() {
    assert_eq!(areas("... .a. ...", &settings()), [2]);
}

#[test]
fn an_l_and_a_ring_are_exact() {
    let l = "aaaa.... aaaa.... aaaa.... aaaa.... aaaaaaaa aaaaaaaa aaaaaaaa";
    assert_eq!(areas(l, &settings()), [80]);
    let ring = "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaa...aaa aaa...aaa aaa...aaa aaaaaaaaa aaaaaaaaa aaaaaaaaa";
    assert_eq!(areas(ring, &settings()), [144]);
}

#[test]
fn several_holes_are_exact() {
    let text =
        "aaaaaaaaaaaa aaaaaaaaaaaa aa..aaaa..aa aa..aaaa..aa aaaaaaaaaaaa aaaa....aaaa aaaa....aaaa aaaaaaaaaaaa";
    assert_eq!(areas(text, &Settings { contour_max_error: 0.0, ..settings() }), [2 * (96 - 16)]);
}

#[test]
fn a_hole_that_touches_the_outline_at_a_corner() {
    let text = "aaaaa a.aaa aa.aa aaa.. aaa..";
    let exact = Settings { contour_max_error: 0.0, ..settings() };
    assert_eq!(areas(text, &exact), [2 * 19]);
}

#[test]
fn a_hole_with_an_island_of_another_region() {
    let text = "aaaaaaa a.....a a.bbb.a a.bbb.a a.bbb.a a.....a aaaaaaa";
    assert_eq!(areas(text, &settings()), [48, 18]);
}

#[test]
fn two_regions_share_their_border() {
    let text = "aaaabbbb aaabbbbb aaaaabbb aabbbbbb aaaabbbb aaaabbbb";
    for error in [0.0, 0.5, 1.0, 1.5, 3.0] {
        for max_edge_cells in [0, 2, 3] {
            let settings = Settings { contour_max_error: error, max_edge_cells, ..settings() };
            let areas = areas(text, &settings);
            assert_eq!(total(areas), 96, "nothing between the two is lost or counted twice");
            let (compact, regions) = plan(text);
            let (mesh, _) = build(&compact, &regions, &settings);
            let joined = mesh.polygons.iter().filter(|p| p.region == 1).flat_map(|p| p.neighbours.iter().flatten());
            let joined: Vec<u32> =
                joined.map(|&n| mesh.polygons[usize::try_from(n).expect("small")].region).filter(|&r| r == 2).collect();
            assert!(!joined.is_empty());
        }
    }
}

#[test]
fn a_region_inside_of_another_one_shares_its_whole_border() {
    let text = "aaaaaaaaa aaaaaaaaa aabbbbaaa aabbbbbaa aaabbbaaa aaaaaaaaa";
    for error in [0.0, 1.0, 2.0] {
        assert_eq!(total(areas(text, &Settings { contour_max_error: error, ..settings() })), 108);
    }
}

#[test]
fn regions_that_meet_in_one_corner_are_not_linked_there() {
    let (compact, regions) = plan("aa.. aa.. ..bb ..bb");
    let (mesh, _) = build(&compact, &regions, &settings());
    assert_eq!(mesh.polygons.len(), 2);
    assert!(mesh.polygons.iter().all(|p| p.neighbours.iter().all(Option::is_none)));
}

#[test]
fn a_wall_edge_is_split_and_a_shared_one_is_not() {
    let (compact, regions) = plan("aaaabbbb aaaabbbb aaaabbbb aaaabbbb");
    let set = contours(&compact, &regions, &Settings { max_edge_cells: 2, ..settings() });
    for contour in &set.contours {
        for (i, a) in contour.vertices.iter().enumerate() {
            let b = contour.vertices[(i + 1) % contour.vertices.len()];
            let length = (a[0] - b[0]).abs() + (a[2] - b[2]).abs();
            assert_eq!(length, if contour.neighbours[i] == 0 { 2 } else { 4 });
        }
    }
}

#[test]
fn a_cliff_between_two_open_ends_is_no_link() {
    // A hump beside a floor: linked at its ends, too high in the middle.
    let rows = [[0; 7], [0; 7], [0, 1, 2, 3, 2, 1, 0], [0, 1, 2, 3, 2, 1, 0]];
    let floors: Vec<Option<i32>> = rows.concat().into_iter().map(Some).collect();
    let compact = field(7, &floors, 1);
    let regions = RegionMap { regions: (0..28).map(|i| if i < 14 { 1 } else { 2 }).collect(), count: 2 };
    let (mesh, heights) = build(&compact, &regions, &settings());
    assert_sound(&mesh, &heights, &compact, &settings());
    let lengths = mesh
        .polygons
        .iter()
        .filter(|p| p.region == 1)
        .flat_map(|p| (0..p.vertices.len()).map(move |i| (p, i)))
        .filter(|(p, i)| {
            p.neighbours[*i].is_some_and(|n| mesh.polygons[usize::try_from(n).expect("small")].region == 2)
        })
        .map(|(p, i)| {
            let at = |i: usize| mesh.vertices[usize::try_from(p.vertices[i % p.vertices.len()]).expect("small")];
            i64::from((at(i)[0] - at(i + 1)[0]).abs())
        });
    assert_eq!(total(lengths), 4, "two cells at each end");
}

#[test]
fn heights_at_corners_are_the_highest_floor_that_meets_there() {
    let floors: Vec<Option<i32>> = [0, 1, 0, 1].into_iter().map(Some).collect();
    let compact = field(2, &floors, 1);
    let set = contours(&compact, &RegionMap { regions: vec![1, 2, 1, 2], count: 2 }, &settings());
    for contour in &set.contours {
        for [x, height, _] in &contour.vertices {
            assert_eq!(*height, i32::from(*x > 0));
        }
    }
    let mesh = polygonize(&set, &settings());
    assert_eq!(mesh.vertices.len(), 6);
}

#[test]
fn bytes_are_canonical() {
    let (compact, regions) = plan("aabb aabb");
    let set = contours(&compact, &regions, &settings());
    let bytes = set.to_bytes();
    assert_eq!(bytes.len(), 4 + 2 * (4 + 1 + 4 + 4 * 16) + 4);
    assert_eq!(bytes[..13], [2, 0, 0, 0, 1, 0, 0, 0, 1, 4, 0, 0, 0]);
    let (mesh, heights) = build(&compact, &regions, &settings());
    assert_eq!(mesh.to_bytes().len(), 4 + 6 * 12 + 4 + 2 * (4 + 1 + 1 + 4 * 8) + 4);
    assert_eq!(heights.to_bytes().len(), 4 + 2 * (4 + 4 * 24 + 4 + 2 * 12));
}
