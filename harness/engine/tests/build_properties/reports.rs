//! Faults that other engines had which only show in the whole build.

use std::collections::BTreeSet;

use crowd_engine::build::{BuildFailure, Grid, Settings, build_mesh, voxelize, voxelize_on};
use replay_format::{Bits64, BuildInput, BuildSettingsBits, Code};

use crate::built::{Built, build, try_build};
use crate::inputs::{Shapes, bits};
use crate::surface::check_mesh;

fn refusal(input: &BuildInput) -> (Code, String) {
    match build_mesh(input, &mut ()) {
        Err(BuildFailure::Refused(error)) => (error.0.code(), error.0.path().to_owned()),
        other => panic!("not refused: {other:?}"),
    }
}

fn metre_cells() -> BuildSettingsBits {
    BuildSettingsBits { cell_size: Bits64::new(1.0), ..bits() }
}

/// REPORTS 2: the strips of the report, 0.3 wide. World column 10 to 11 begins at y = 40 (a cell of rounding is allowed), not at 37.2,
/// where what lies left of a part would pull it; and the part that ends there is what it is in the whole.
#[test]
fn reports_2_strips_left_of_a_part_do_not_pull_it_down() {
    let mut shapes = Shapes::new();
    for strip in 0..67 {
        let x = [f64::from(strip) * 0.3, if strip == 66 { 20.0 } else { f64::from(strip + 1) * 0.3 }];
        shapes = shapes.ramp(x, [0.0, 5.0], x.map(|x| 4.0 * x));
    }
    let input = shapes.input(metre_cells());
    let settings = Settings { cell_height: 1.0, ..Settings::new(&input.settings).expect("in range") };
    let whole = voxelize(&input, &settings).expect("small");
    let right = Grid { origin: [10.0, 0.0, 0.0], width: 10, depth: 5 };
    let part = voxelize_on(right, &input, &settings).expect("small");
    for column in 0..50 {
        let (x, z) = (column % 10, column / 10);
        let ([own], [same]) = (part.column(column), whole.column(x + 10 + z * 20)) else { panic!("one span each") };
        let low = 40 + 4 * i32::try_from(x).expect("small");
        assert!((low - 1..=low).contains(&own.floor) && (low + 4..=low + 5).contains(&own.ceiling), "{own:?}");
        assert!(own.floor.abs_diff(same.floor) <= 1 && own.ceiling.abs_diff(same.ceiling) <= 1);
    }
}

/// REPORTS 3: places that a mesh can't have are refused by name, and the next build works. Just below the limit the square has the
/// cells that it has at the origin.
#[test]
fn reports_3_far_out() {
    let square = |at: f64| {
        let settings = BuildSettingsBits { cell_size: Bits64::new(0.5), ..bits() };
        Shapes::new().floor([at, at + 16.0], [at, at + 16.0], 0.0).input(settings)
    };
    let here = build(&square(0.0));
    for at in [16_777_216.0, 245_764_512.0, 2_097_152.0, -2_097_160.0, -16_777_216.0] {
        assert_eq!(refusal(&square(at)), (Code::PositionOutOfRange, "vertices[0].x".to_owned()), "{at}");
        assert_eq!(build(&square(0.0)).bytes, here.bytes);
    }
    for (value, code) in [
        (-1.6e29, Code::PositionOutOfRange),
        (f64::NAN, Code::PositionNotFinite),
        (f64::INFINITY, Code::PositionNotFinite),
        (f64::NEG_INFINITY, Code::PositionNotFinite),
    ] {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let mut input = square(0.0);
            input.vertices[1][axis] = value;
            assert_eq!(refusal(&input), (code, format!("vertices[1].{name}")));
        }
    }
    for at in [4096.0, 2_097_135.5, -2_097_151.5] {
        let there = build(&square(at));
        assert_eq!((&here.open.spans, &here.polygons), (&there.open.spans, &there.polygons));
    }
}

/// REPORTS 4: two surfaces far apart keep their heights or are refused; no vertex is outside of the input.
#[test]
fn reports_4_heights() {
    let pad = |y: f64, step: f64| {
        let settings = BuildSettingsBits { cell_height: Bits64::new(step), ..bits() };
        Shapes::new().floor([0.0, 20.0], [0.0, 20.0], 0.0).floor([8.0, 12.0], [8.0, 12.0], y).input(settings)
    };
    for (y, step) in [(2000.0, 0.2), (13_107.0, 0.2), (1_000_000.0, 16.0)] {
        for partition in 0..3 {
            let mut input = pad(y, step);
            input.settings.partition = partition;
            let heights: BTreeSet<u64> =
                build(&input).mesh.snapshot().vertices.iter().map(|vertex| vertex[1].to_bits()).collect();
            assert_eq!(heights.len(), 2);
            let [low, high] = [0, 1].map(|index| heights.iter().nth(index).map(|&bits| f64::from_bits(bits)));
            assert_eq!(low, Some(0.0));
            assert!(high.is_some_and(|high| (high - y).abs() < 1e-9), "{high:?}");
        }
    }
    assert_eq!(refusal(&pad(20_000.0, 0.2)), (Code::GridOverLimit, "grid.height".to_owned()));
    assert_eq!(refusal(&pad(13_107.3, 0.2)), (Code::GridOverLimit, "grid.height".to_owned()));
}

/// REPORTS 7: what needs too many columns is refused before anything is allocated; the next build in the same process works.
#[test]
fn reports_7_large_grids() {
    let slab = |x: f64, z: f64, cell: f64| {
        let settings = BuildSettingsBits { cell_size: Bits64::new(cell), ..bits() };
        Shapes::new().floor([0.0, x], [0.0, z], 0.0).input(settings)
    };
    let small = build(&slab(4.0, 4.0, 0.25)).bytes;
    let sides =
        [(1200.0, 2500.0, 0.25), (46_341.0, 46_341.0, 1.0), (100_000.0, 100_000.0, 1.0), (2_000_000.0, 3.0, 1.0)];
    for (x, z, cell) in sides.into_iter().chain([(2_097_151.0, 2_097_151.0, 1.0 / 1024.0)]) {
        assert_eq!(refusal(&slab(x, z, cell)), (Code::GridOverLimit, "grid.columns".to_owned()));
        assert_eq!(build(&slab(4.0, 4.0, 0.25)).bytes, small);
    }
    // As many columns as there may be, in one row.
    assert_eq!(build(&slab(2_000_000.0, 1.5, 1.0)).open.width, 2_000_000);
}

/// REPORTS 12: (i) a flat floor without samples is as many triangles as its polygon has corners, less two.
#[test]
fn reports_12i_flat() {
    for sample in [0.0, 1e-12, 0.2, 6.0] {
        let settings = BuildSettingsBits {
            detail_sample_distance: Bits64::new(sample),
            detail_max_error: Bits64::new(1.0),
            ..bits()
        };
        let built = build(&Shapes::new().floor([0.0, 10.0], [0.0, 10.0], 0.0).input(settings));
        assert_eq!(built.detail.polygons.iter().map(|polygon| polygon.triangles.len()).collect::<Vec<_>>(), [2]);
    }
}

/// REPORTS 12: (ii) a box of no size has no mesh, whatever the sample distance.
#[test]
fn reports_12ii_no_size() {
    for sample in [0.0, 6.0] {
        for (x, y, z) in [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 1.0)] {
            let settings = BuildSettingsBits { detail_sample_distance: Bits64::new(sample), ..bits() };
            let block = Shapes::new().block([0.0, x], [0.0, z], [0.0, y]);
            for partition in 0..3 {
                assert_eq!(build(&block.input(BuildSettingsBits { partition, ..settings })).mesh.polygon_count(), 0);
            }
        }
    }
}

/// Every height of the detail is that of a span in one of the columns around it, of the polygon's region or of one beside it.
fn assert_heights_are_of_spans(built: &Built) {
    for (polygon, detail) in built.polygons.polygons.iter().zip(&built.detail.polygons) {
        let own: Vec<i32> = (0..built.open.spans.len())
            .filter(|&span| built.regions.regions[span] == polygon.region)
            .map(|span| built.open.spans[span].floor)
            .collect();
        let (low, high) = (own.iter().min().expect("spans"), own.iter().max().expect("spans"));
        // A corner has the highest floor that is linked around it: at most two climbs up.
        let slack = 2 * i32::try_from(built.settings.climb_cells).expect("small");
        for vertex in &detail.vertices {
            let height = (vertex[1] - built.open.origin[1]) / built.settings.cell_height;
            let floor = height.round() as i32;
            assert!((height - f64::from(floor)).abs() < 1e-6 && (*low..=*high + slack).contains(&floor), "{vertex:?}");
            let [x, z] = [0, 2].map(|axis| (vertex[axis] - built.open.origin[axis]) / built.settings.cell_size);
            let columns = |at: f64| ((at - 0.02).floor().max(0.0) as usize)..=((at + 0.02).floor().max(0.0) as usize);
            let mut around = columns(z).flat_map(|z| columns(x).map(move |x| (x, z)));
            assert!(around.any(|(x, z)| built.column(x, z).any(|span| built.open.spans[span].floor == floor)));
        }
    }
}

/// REPORTS 12: (iii) a gangway 0.35 wide from a floor at 0 up to one at 2: no height comes from beside it, and there is a way up
/// where there is room for one.
#[test]
fn reports_12iii_a_narrow_gangway() {
    for (slope, sample) in [(true, 0.0), (true, 0.1), (true, 1.0), (false, 0.1)] {
        for partition in 0..3 {
            let shapes = Shapes::new().floor([0.0, 5.0], [0.0, 5.0], 0.0).floor([9.0, 14.0], [0.0, 5.0], 2.0);
            let shapes = shapes.ramp([5.0, 9.0], [2.3, 2.65], if slope { [0.0, 2.0] } else { [1.0, 1.0] });
            let built = build(&shapes.input(BuildSettingsBits {
                cell_size: Bits64::new(0.1),
                cell_height: Bits64::new(0.1),
                detail_sample_distance: Bits64::new(sample),
                detail_max_error: Bits64::new(0.1),
                partition,
                ..bits()
            }));
            check_mesh(&built);
            assert_heights_are_of_spans(&built);
            let on = |x: f64, y: f64| built.mesh.nearest(&[x, y, 2.5], [0.0, 0.25, 0.0], None);
            let (low, high) = (on(2.0, 0.0).expect("the floor"), on(12.0, 2.0).expect("the upper floor"));
            let way = built.mesh.find_path(&low, &high, 10_000, crowd_engine::NodeModel::PortalMidpoint, None);
            assert_eq!(way.partial, !slope);
        }
    }
}

/// REPORTS 12: (iv) a tiny sample distance is bounded work, on a floor of any size and roughness.
#[test]
fn reports_12iv_a_tiny_sample_distance() {
    let heights: Vec<f64> = (0..11 * 11).map(|index| f64::from(index * 7 % 5) * 0.5).collect();
    let shapes = Shapes::new().terrain([0.0, 0.0], 10.0, 11, &heights);
    for (sample, cell) in [(0.001, 1.0), (0.9, 1.0), (1.0, 1.0), (1024.0, 1.0)] {
        let built = build(&shapes.input(BuildSettingsBits {
            cell_size: Bits64::new(cell),
            detail_sample_distance: Bits64::new(sample),
            detail_max_error: Bits64::new(0.0),
            ..bits()
        }));
        assert_heights_are_of_spans(&built);
        for (polygon, detail) in built.polygons.polygons.iter().zip(&built.detail.polygons) {
            assert!(detail.vertices.len() <= polygon.vertices.len() * 32 + 128);
            assert!(sample >= 0.9 || detail.vertices.len() == polygon.vertices.len());
        }
    }
}

/// REPORTS 17: two floors that meet at x = 10 are linked all along, here and 469,504 m away.
#[test]
fn reports_17_links_do_not_depend_on_the_place() {
    let floors = Shapes::new().floor([0.0, 10.0], [0.0, 10.0], 0.0).floor([10.0, 20.0], [0.0, 10.0], 0.0);
    for partition in 0..3 {
        let settings = BuildSettingsBits { partition, max_edge_length: Bits64::new(3.0), ..metre_cells() };
        let here = build(&floors.input(settings));
        assert_eq!(here.doubled_area(), 2 * 18 * 8);
        let way = |built: &Built, from: [f64; 3], to: [f64; 3]| {
            let [from, to] = [from, to].map(|at| built.mesh.nearest(&at, [0.0; 3], None).expect("on the floor"));
            !built.mesh.find_path(&from, &to, 1000, crowd_engine::NodeModel::PortalMidpoint, None).partial
        };
        for by in [0.0, 469_504.0, -2_000_000.0, 0.1, 469_504.3] {
            let there = build(&floors.clone().moved([by, 0.0, by]).input(settings));
            assert!(way(&there, [by + 2.0, 0.0, by + 2.0], [by + 18.0, 0.0, by + 8.0]));
            // Where the move is exact, all is the same.
            if by == by.trunc() {
                assert_eq!(here.mesh.snapshot().polygons, there.mesh.snapshot().polygons);
            }
        }
    }
}

/// REPORTS 5 and 11: many regions of one cell, and whatever is left out is said so: nothing here.
#[test]
fn reports_5_pads_of_one_cell() {
    // A pad has to be three cells wide to have one that is not at a drop.
    let mut shapes = Shapes::new();
    for (i, j) in (0..30).flat_map(|i| (0..30).map(move |j| (f64::from(i), f64::from(j)))) {
        shapes = shapes.floor([i * 4.0, i * 4.0 + 3.0], [j * 4.0, j * 4.0 + 3.0], 0.0);
    }
    for partition in 0..3 {
        let built = try_build(&shapes.input(BuildSettingsBits { partition, ..metre_cells() })).expect("small");
        assert_eq!((built.regions.count, built.mesh.polygon_count(), built.polygons.skipped.len()), (900, 900, 0));
        assert!(built.polygons.polygons.iter().zip(1..).all(|(polygon, region)| polygon.region == region));
    }
}
