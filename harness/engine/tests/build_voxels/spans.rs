//! Voxels: cutting, merging, what the order must not change, and inputs without sense.

use crowd_engine::build::{Grid, Settings, grid_of, voxelize, voxelize_on};
use replay_format::{BuildInput, Code};

use crate::inputs::{Random, Scene, bits, clutter, settings, span};

/// A one-column input whose pieces are `[floor, ceiling]` and walkable or not.
fn pieces(list: &[([f64; 2], bool)]) -> BuildInput {
    let mut scene = Scene::new();
    for &([floor, ceiling], walkable) in list {
        // A gentle or a steep triangle, facing up or down.
        let corners = [[0.0, floor, 0.0], [0.0, floor, 1.0], [1.0, ceiling, 1.0]];
        let turned = [corners[0], corners[2], corners[1]];
        scene = scene.triangle(if walkable { corners } else { turned });
    }
    scene.0
}

/// REPORTS 1: which of three overlapping spans comes first does not matter.
#[test]
fn merging_does_not_depend_on_the_order() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let (a, b, c) = (([10.0, 11.0], true), ([10.0, 12.0], false), ([11.0, 13.0], false));
    let ground = ([0.0, 0.0], false);
    for (climb, area) in [(1, 0), (2, 63)] {
        let s = Settings { climb_cells: climb, ..settings() };
        for order in orders {
            let [p, q, r] = order.map(|index: usize| [a, b, c][index]);
            let h = voxelize(&pieces(&[p, ground, q, r]), &s).expect("small");
            assert_eq!(h.spans, [span(0, 0, 0), span(10, 13, area)], "{order:?}");
        }
    }
}

#[test]
fn order_numbers_and_first_corners_change_no_byte() {
    for seed in 1..=3 {
        let scene = clutter(seed);
        let expected = scene.spans().to_bytes();
        let mut random = Random(seed + 100);
        for _ in 0..20 {
            let mut input = scene.0.clone();
            random.shuffle(&mut input.triangles);
            let mut numbers: Vec<usize> = (0..input.vertices.len()).collect();
            random.shuffle(&mut numbers);
            for (from, &to) in numbers.iter().enumerate() {
                input.vertices[to] = scene.0.vertices[from];
            }
            for triangle in &mut input.triangles {
                *triangle = triangle.map(|vertex| u32::try_from(numbers[vertex as usize]).expect("few"));
                triangle.rotate_left(usize::try_from(random.below(3)).expect("small"));
            }
            assert_eq!(voxelize(&input, &settings()).expect("small").to_bytes(), expected);
        }
    }
}

/// REPORTS 2: a column holds the same, whichever part of the world is looked at; nothing left of a part is pulled into it.
#[test]
fn a_column_is_the_same_in_every_part() {
    let mut scene = Scene::new();
    // In the report's strips of 0.3 no part has exact places; in strips of 5/16 every one has.
    for strip in 0..64 {
        let x = [f64::from(strip) * 0.3125, f64::from(strip + 1) * 0.3125];
        scene = scene.ramp(x, [0.0, 5.0], x.map(|x| 4.0 * x));
    }
    let s = settings();
    let whole = voxelize(&scene.0, &s).expect("small");
    assert_eq!((whole.width, whole.depth), (20, 5));
    for first in [-3_i32, 0, 1, 10, 17] {
        let grid = Grid { origin: [f64::from(first), 0.0, 0.0], width: 10, depth: 5 };
        let part = voxelize_on(grid, &scene.0, &s).expect("small");
        for column in 0..50_usize {
            let (x, z) = (i32::try_from(column % 10).expect("small") + first, column / 10);
            match usize::try_from(x) {
                Ok(x) if x < 20 => assert_eq!(part.column(column), whole.column(x + z * 20)),
                _ => assert_eq!(part.column(column), []),
            }
        }
    }
    let column = whole.column(10);
    assert_eq!((column[0].floor, column[0].ceiling), (40, 44));
    for (width, x) in [(0, 0.0), (4, 100.0), (4, -100.0)] {
        let part = voxelize_on(Grid { origin: [x, 0.0, 0.0], width, depth: 4 }, &scene.0, &s).expect("small");
        assert!(part.spans.is_empty());
    }
}

#[test]
fn a_level_moved_by_whole_cells_is_the_same() {
    // Heights and places in 64ths, so that every move is exact.
    let mut scene = clutter(7);
    scene.0.vertices.iter_mut().flatten().for_each(|value| *value = (*value * 64.0).floor() / 64.0);
    let expected = scene.spans();
    let input = scene.0;
    for by in [[-1.0, 0.0, -1.0], [-7.0, -3.0, 5.0], [4096.0, 0.0, 4096.0], [-100_000.0, 1000.0, 65_536.0]] {
        let moved = Scene(input.clone()).moved(by).spans();
        assert_eq!((&moved.columns, &moved.spans), (&expected.columns, &expected.spans));
    }
}

/// REPORTS 3: what a reader would not let through is named.
#[test]
fn senseless_vertices_are_named() {
    let s = settings();
    let square = || Scene::new().floor([0.0, 16.0], [0.0, 16.0], 0.0);
    let cases = [
        (f64::NAN, 1, Code::PositionNotFinite, "vertices[2].y"),
        (f64::INFINITY, 0, Code::PositionNotFinite, "vertices[2].x"),
        (-1.6e29, 1, Code::PositionOutOfRange, "vertices[2].y"),
        (16_777_216.0, 2, Code::PositionOutOfRange, "vertices[2].z"),
        (2_097_152.0, 0, Code::PositionOutOfRange, "vertices[2].x"),
    ];
    for (value, axis, code, path) in cases {
        let mut input = square().0;
        input.vertices[2][axis] = value;
        let error = voxelize(&input, &s).expect_err(path).0;
        assert_eq!((error.code(), error.path(), error.offset()), (code, path, None));
    }
    let mut input = square().0;
    input.triangles[1][2] = 6;
    let error = voxelize(&input, &s).expect_err("no vertex 6").0;
    assert_eq!((error.code(), error.path()), (Code::IndexOutOfRange, "triangles[1][2]"));

    let s = Settings { cell_size: 0.5, ..s };
    let near = voxelize(&square().0, &s).expect("small");
    let far = voxelize(&square().moved([4096.0, 0.0, 4096.0]).0, &s).expect("small");
    assert_eq!((near.width, &near.columns, &near.spans), (32, &far.columns, &far.spans));
}

/// REPORTS 4: heights are kept or refused, never cut.
#[test]
fn heights_are_true_or_over_the_limit() {
    let s = Settings { cell_height: 0.2, ..settings() };
    let scene = |y| Scene::new().floor([0.0, 20.0], [0.0, 20.0], 0.0).floor([8.0, 12.0], [8.0, 12.0], y).0;
    let h = voxelize(&scene(2000.0), &s).expect("10,000 height cells");
    assert_eq!(h.column(9 + 9 * 20), [span(0, 0, 63), span(10_000, 10_000, 63)]);
    let error = voxelize(&scene(20_000.0), &s).expect_err("100,000 height cells").0;
    assert_eq!((error.code(), error.path()), (Code::GridOverLimit, "grid.height"));
    assert_eq!(error.fault().found, "100000");
    assert!(voxelize(&scene(65_535.0 * 0.2), &s).is_ok());
    assert!(voxelize(&scene(65_535.5 * 0.2), &s).is_err());
}

/// REPORTS 7: too many columns are refused, and the next build works.
#[test]
fn large_grids_are_refused_before_allocating() {
    let s = settings();
    let scene = |x, z| Scene::new().floor([0.0, x], [0.0, z], 0.0).0;
    let quarter = Settings { cell_size: 0.25, ..s };
    for (input, s) in
        [(scene(1200.0, 2500.0), quarter), (scene(46_341.0, 46_341.0), s), (scene(100_000.0, 100_000.0), s)]
    {
        let error = voxelize(&input, &s).expect_err("too many columns").0;
        assert_eq!((error.code(), error.path()), (Code::GridOverLimit, "grid.columns"));
        assert_eq!(voxelize(&scene(4.0, 4.0), &s).map(|h| h.to_bytes().is_empty()), Ok(false));
    }
    let tiny = Settings { cell_size: 1.0 / 1024.0, ..s };
    let widest = Scene::new().floor([-2_097_151.0, 2_097_151.0], [-2_097_151.0, 2_097_151.0], 0.0).0;
    assert!(grid_of(&widest, &tiny).is_err());
    let sides = |grid: Grid| (grid.width, grid.depth);
    assert_eq!(grid_of(&scene(2000.0, 2000.0), &s).map(sides), Ok((2000, 2000)));
    assert!(grid_of(&scene(2000.0, 2000.5), &s).is_err());
    assert!(voxelize_on(Grid { origin: [0.0; 3], width: u32::MAX, depth: u32::MAX }, &scene(1.0, 1.0), &s).is_err());
}

#[test]
fn empty_and_degenerate_inputs_are_defined() {
    let s = settings();
    let h =
        voxelize(&BuildInput { settings: bits(), vertices: vec![[9.0; 3]], triangles: Vec::new() }, &s).expect("empty");
    assert_eq!((h.width, h.depth, &h.columns, h.spans.len()), (0, 0, &vec![0], 0));
    // A point, a line on the grid's far border, a line along a cell line.
    let point = Scene::new().triangle([[3.0; 3]; 3]).spans();
    assert_eq!((point.width, point.depth, point.spans), (1, 1, vec![span(0, 0, 0)]));
    let line = Scene::new().triangle([[0.0; 3], [4.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).spans();
    assert_eq!((line.width, line.depth, line.spans), (4, 1, vec![span(0, 0, 0); 4]));
    // A wall on a floor's border, and one along a line within it, are in one column each.
    let wall = |x: f64| {
        let scene = Scene::new().floor([0.0, 4.0], [0.0, 4.0], 0.0);
        let scene = scene.triangle([[x, 0.0, 0.0], [x, 3.0, 0.0], [x, 0.0, 4.0]]).spans();
        (0..4).map(|x| scene.column(x)[0].ceiling).collect::<Vec<_>>()
    };
    assert_eq!(wall(4.0), [0, 0, 0, 3]);
    assert_eq!(wall(2.0), [0, 0, 3, 0]);
    // The least of two zeros has no sign.
    let zeros = |y| Scene::new().triangle([[-0.0, y, 0.0], [0.0, 0.0, 1.0], [1.0, -0.0, 1.0]]).spans().to_bytes();
    assert_eq!(zeros(0.0), zeros(-0.0));
}

/// A triangle is in exactly the columns whose inside it reaches, at the heights that it has there.
#[test]
fn pieces_are_where_the_triangle_is() {
    // x + z < 8, y = x.
    let h = Scene::new().triangle([[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 0.0]]).spans();
    for z in 0..8_usize {
        for x in 0..8_usize {
            let low = i32::try_from(x).expect("small");
            let expected = if x + z < 8 { vec![span(low, low + 1, 63)] } else { Vec::new() };
            assert_eq!(h.column(x + z * 8), expected, "{x} {z}");
        }
    }
}
