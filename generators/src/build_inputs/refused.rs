//! Levels that can be read and are refused in stage build: settings out of their ranges, grids and places over their limits.

use super::Level;
use super::floors::flat;
use super::places::two_heights;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

pub(super) fn levels() -> Vec<Level> {
    let mut levels: Vec<Level> =
        doubles().into_iter().map(|(name, field, change)| setting(name, field, change)).collect();
    levels.extend(integers().into_iter().map(|(name, field, change)| setting(name, field, change)));
    levels.push(setting("settings-two-out-of-range", "agent_height", |n| {
        (n.agent_height, n.cell_size, n.partition) = (0.0, -1.0, 9);
    }));
    levels.extend(grids());
    levels
}

/// A change of the settings.
type Change = fn(&mut Numbers);

/// Settings are checked before anything else, in the order of the file.
fn setting(name: &'static str, field: &'static str, change: Change) -> Level {
    let mut numbers = EVEN;
    change(&mut numbers);
    let clauses: &[&str] = &["BUILD-1"];
    let title = format!("a setting that is not in its range, {field} from {}: refused", range(field));
    Level::new(name, title, clauses, &["settings"], flat().input(numbers))
        .refused("setting-out-of-range", &format!("settings.{field}"))
}

/// The range of a setting, as the table of `[BUILD-1]` has it.
fn range(field: &str) -> &'static str {
    match field {
        "agent_height" => "above 0 to 1024",
        "max_slope" => "0 to 90",
        "cell_size" | "cell_height" => "1/1024 to 1024",
        "max_edge_length" => "0 to 1000000",
        "min_region_area" | "merge_region_area" => "0 to 4000000",
        "max_verts_per_poly" => "3 to 16",
        "partition" => "0 to 2",
        _ => "0 to 1024",
    }
}

/// The largest number below 0.
const BELOW_0: f64 = -f64::from_bits(1);

/// The number after the positive number `value`.
fn after(value: f64) -> f64 {
    f64::from_bits(value.to_bits() + 1)
}

/// The number before the positive number `value`.
fn before(value: f64) -> f64 {
    f64::from_bits(value.to_bits() - 1)
}

fn doubles() -> Vec<(&'static str, &'static str, Change)> {
    const CELL: f64 = 0.000_976_562_5;
    vec![
        ("radius-below-0", "agent_radius", |n| n.agent_radius = BELOW_0),
        ("radius-above-1024", "agent_radius", |n| n.agent_radius = after(1024.0)),
        ("radius-nan", "agent_radius", |n| n.agent_radius = f64::from_bits(0x7ff8_0000_0000_0000)),
        ("radius-infinite", "agent_radius", |n| n.agent_radius = f64::INFINITY),
        ("height-0", "agent_height", |n| n.agent_height = 0.0),
        ("height-minus-0", "agent_height", |n| n.agent_height = -0.0),
        ("height-below-0", "agent_height", |n| n.agent_height = -2.0),
        ("height-above-1024", "agent_height", |n| n.agent_height = after(1024.0)),
        ("height-nan", "agent_height", |n| n.agent_height = f64::from_bits(0xfff8_0000_0000_0000)),
        ("climb-below-0", "walkable_climb", |n| n.walkable_climb = BELOW_0),
        ("climb-above-1024", "walkable_climb", |n| n.walkable_climb = after(1024.0)),
        ("climb-nan", "walkable_climb", |n| n.walkable_climb = f64::from_bits(0x7ff8_0000_0000_0001)),
        ("slope-below-0", "max_slope", |n| n.max_slope = BELOW_0),
        ("slope-above-90", "max_slope", |n| n.max_slope = after(90.0)),
        ("slope-infinite", "max_slope", |n| n.max_slope = f64::INFINITY),
        ("slope-nan", "max_slope", |n| n.max_slope = f64::from_bits(0x7ff0_0000_0000_0001)),
        ("cell-size-0", "cell_size", |n| n.cell_size = 0.0),
        ("cell-size-below-0", "cell_size", |n| n.cell_size = -0.25),
        ("cell-size-below-1-of-1024", "cell_size", |n| n.cell_size = before(CELL)),
        ("cell-size-above-1024", "cell_size", |n| n.cell_size = after(1024.0)),
        ("cell-size-infinite", "cell_size", |n| n.cell_size = f64::NEG_INFINITY),
        ("cell-size-nan", "cell_size", |n| n.cell_size = f64::from_bits(0x7fff_ffff_ffff_ffff)),
        ("cell-height-0", "cell_height", |n| n.cell_height = 0.0),
        ("cell-height-below-1-of-1024", "cell_height", |n| n.cell_height = before(CELL)),
        ("cell-height-above-1024", "cell_height", |n| n.cell_height = after(1024.0)),
        ("cell-height-nan", "cell_height", |n| n.cell_height = f64::from_bits(0x7ff8_0000_0000_0000)),
        ("contour-error-below-0", "contour_max_error", |n| n.contour_max_error = BELOW_0),
        ("contour-error-above-1024", "contour_max_error", |n| n.contour_max_error = after(1024.0)),
        ("contour-error-nan", "contour_max_error", |n| n.contour_max_error = f64::from_bits(0x7ff8_0000_0000_0000)),
        ("edge-length-below-0", "max_edge_length", |n| n.max_edge_length = BELOW_0),
        ("edge-length-above-1000000", "max_edge_length", |n| n.max_edge_length = after(1_000_000.0)),
        ("edge-length-infinite", "max_edge_length", |n| n.max_edge_length = f64::INFINITY),
        ("sample-distance-below-0", "detail_sample_distance", |n| n.detail_sample_distance = BELOW_0),
        ("sample-distance-above-1024", "detail_sample_distance", |n| n.detail_sample_distance = after(1024.0)),
        ("sample-distance-nan", "detail_sample_distance", |n| {
            n.detail_sample_distance = f64::from_bits(0x7ff8_0000_0000_0000)
        }),
        ("detail-error-below-0", "detail_max_error", |n| n.detail_max_error = BELOW_0),
        ("detail-error-above-1024", "detail_max_error", |n| n.detail_max_error = after(1024.0)),
        ("detail-error-infinite", "detail_max_error", |n| n.detail_max_error = f64::INFINITY),
    ]
}

fn integers() -> Vec<(&'static str, &'static str, Change)> {
    vec![
        ("min-region-area-below-0", "min_region_area", |n| n.min_region_area = -1),
        ("min-region-area-above-4000000", "min_region_area", |n| n.min_region_area = 4_000_001),
        ("merge-region-area-lowest", "merge_region_area", |n| n.merge_region_area = i32::MIN),
        ("merge-region-area-above-4000000", "merge_region_area", |n| n.merge_region_area = 4_000_001),
        ("vertices-2", "max_verts_per_poly", |n| n.max_verts_per_poly = 2),
        ("vertices-17", "max_verts_per_poly", |n| n.max_verts_per_poly = 17),
        ("partition-below-0", "partition", |n| n.partition = -1),
        ("partition-3", "partition", |n| n.partition = 3),
    ]
}

fn grids() -> Vec<Level> {
    let grid: &[&str] = &["OPBI-8", "BUILD-5"];
    let coarse = Numbers { cell_size: 1.0, ..EVEN };
    let over = |name, title, numbers, shape: Shape, field| {
        Level::new(name, title, grid, &["limits"], shape.input(numbers)).refused("grid-over-limit", field)
    };
    let floor = |x: f64, z: f64| Shape::default().flat((0.0, x), 0.0, (0.0, z));
    vec![
        over(
            "columns-above-limit",
            "4,000,001 columns in a row: refused, one above the limit",
            Numbers { cell_size: 0.000_976_562_5, ..EVEN },
            floor(4_000_001.0 / 1024.0, 0.000_976_562_5),
            "grid.columns",
        ),
        over("columns-2000-by-2001", "2,000 by 2,001 columns: refused", coarse, floor(2000.0, 2001.0), "grid.columns"),
        over(
            "columns-above-2-to-the-31",
            "46,341 by 46,341 columns, which is more than 2^31: refused",
            coarse,
            floor(46_341.0, 46_341.0),
            "grid.columns",
        ),
        over(
            "columns-above-2-to-the-32",
            "65,537 by 65,536 columns, which is 65,536 in 32 bits: refused",
            coarse,
            floor(65_537.0, 65_536.0),
            "grid.columns",
        ),
        over(
            "columns-of-one-thin-triangle",
            "a triangle without area from corner to corner of 2,001 by 2,000 columns: refused",
            coarse,
            Shape::default().triangle([[0.0, 0.0, 0.0], [2001.0, 0.0, 2000.0], [0.0, 0.0, 0.0]]),
            "grid.columns",
        ),
        over(
            "height-cells-above-limit",
            "two floors 65,536 cells of 1/64 m apart, one above the limit: refused",
            Numbers { cell_height: 0.015_625, ..EVEN },
            two_heights(65_536.0),
            "grid.height",
        ),
        over(
            "height-cells-by-a-step",
            "two floors 65,535 cells and 1/1024 m apart: refused, since a part of a cell is one",
            Numbers { cell_height: 0.015_625, ..EVEN },
            two_heights(65_535.062_5),
            "grid.height",
        ),
        over(
            "height-cells-of-a-degenerate-triangle",
            "a floor, and a triangle without area 2,000,000 m below it: refused",
            EVEN,
            flat().triangle([[4.0, -2_000_000.0, 4.0]; 3]),
            "grid.height",
        ),
        over(
            "columns-before-height",
            "too many columns and too many height cells: the columns are the error",
            coarse,
            floor(2000.0, 2001.0).flat((0.0, 1.0), 10_000.0, (0.0, 1.0)),
            "grid.columns",
        ),
        over(
            "pieces-above-limit",
            "nine floors of 2,000 by 2,000 columns at one place, 36,000,000 pieces: refused while they are cut",
            coarse,
            (0..9).fold(Shape::default(), |shape, _| shape.flat((0.0, 2000.0), 0.0, (0.0, 2000.0))),
            "grid.cell_visits",
        ),
        Level::new(
            "spans-above-limit",
            "five floors of 2,000 by 2,000 columns above each other, 20,000,000 spans: refused while they are merged",
            grid,
            &["limits", "large"],
            (0..5_u8)
                .map(f64::from)
                .fold(Shape::default(), |shape, storey| shape.flat((0.0, 2000.0), 4.0 * storey, (0.0, 2000.0)))
                .input(coarse),
        )
        .refused("grid-over-limit", "grid.spans"),
        Level::new(
            "vertex-beyond-coordinates",
            "a floor below 2^21 m in cells of 1,000 m: the top of its cell is above, where no vertex can be: refused",
            &["BUILD-44", "GEN-8"],
            &["limits"],
            flat().moved([0.0, 2_097_151.5, 0.0]).triangle([[4.0, 0.0, 4.0]; 3]).input(Numbers {
                cell_height: 1000.0,
                agent_height: 1000.0,
                ..EVEN
            }),
        )
        .refused("position-out-of-range", "mesh.vertices[0].y"),
    ]
}
