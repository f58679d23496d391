//! Regions: many of them, islands that are dropped, regions that are merged; and settings at the ends of their ranges.

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

/// Without a radius, so that an island loses a column on each side, to the ledge filter.
const THIN: Numbers = Numbers { agent_radius: 0.0, ..EVEN };

pub(super) fn levels() -> Vec<Level> {
    let mut levels = vec![
        Level::new(
            "many-regions",
            "400 pads of one walkable column: as many regions and polygons",
            &["BUILD-19", "BUILD-23", "BUILD-27"],
            &["large"],
            pads(20).input(THIN),
        )
        .polygon_count(400)
        .at([0.375, 0.0, 0.375], true)
        .at([19.375, 0.0, 19.375], true)
        .way([0.375, 0.0, 0.375], [1.375, 0.0, 0.375], false),
        islands(
            "islands-dropped",
            "islands of 8, 9 and 10 columns, of which those below 9 are dropped",
            9,
            [false, true, true],
        ),
        islands("islands-kept", "islands of 8, 9 and 10 columns, of which none is dropped", 0, [true, true, true]),
        islands(
            "islands-all-dropped",
            "islands of 8, 9 and 10 columns, all of which are dropped: no polygons",
            11,
            [false; 3],
        )
        .walkable(false),
    ];
    for (name, title, merge_region_area) in [
        ("regions-not-merged", "a comb, in monotone regions: its teeth are regions of their own", 0),
        ("regions-merged", "a comb, in monotone regions, of which those below 4,000,000 columns are merged", 4_000_000),
    ] {
        let numbers = Numbers { merge_region_area, partition: 1, ..EVEN };
        levels.push(Level::new(name, title, &["BUILD-20", "BUILD-22"], &[], comb().input(numbers)).way(
            [1.5, 0.0, 1.5],
            [13.5, 0.0, 1.5],
            true,
        ));
    }
    levels.extend(ends_of_ranges());
    levels
}

/// `side * side` squares of 3 by 3 columns, a column apart.
fn pads(side: u32) -> Shape {
    (0..side * side).fold(Shape::default(), |shape, index| {
        let (x, z) = (f64::from(index % side), f64::from(index / side));
        shape.flat((x, x + 0.75), 0.0, (z, z + 0.75))
    })
}

/// Islands of 6 by 4, 5 by 5 and 7 by 4 columns.
fn islands(name: &'static str, title: &'static str, min_region_area: i32, are: [bool; 3]) -> Level {
    let shape = Shape::default().flat((0.0, 1.5), 0.0, (0.0, 1.0)).flat((4.0, 5.25), 0.0, (0.0, 1.25)).flat(
        (8.0, 9.75),
        0.0,
        (0.0, 1.0),
    );
    let level = Level::new(name, title, &["BUILD-22"], &[], shape.input(Numbers { min_region_area, ..THIN }));
    [0.75, 4.625, 8.75].into_iter().zip(are).fold(level, |level, (x, is)| level.at([x, 0.0, 0.5], is))
}

/// A back along x and four teeth along z.
fn comb() -> Shape {
    (0..4_u8)
        .map(|tooth| 4.0 * f64::from(tooth))
        .fold(Shape::default().flat((0.0, 15.0), 0.0, (6.0, 9.0)), |shape, x| shape.flat((x, x + 3.0), 0.0, (0.0, 6.0)))
}

fn ends_of_ranges() -> Vec<Level> {
    let zeros = |zero: f64| Numbers {
        agent_radius: zero,
        walkable_climb: zero,
        max_slope: zero,
        contour_max_error: zero,
        max_edge_length: zero,
        detail_sample_distance: zero,
        detail_max_error: zero,
        ..EVEN
    };
    let floor = || Shape::default().flat((0.0, 4.0), 0.0, (0.0, 4.0));
    let clauses: &[&str] = &["BUILD-1", "BUILD-2"];
    let lowest = Numbers {
        // The smallest number above 0.
        agent_height: f64::from_bits(1),
        cell_size: 0.000_976_562_5,
        cell_height: 0.000_976_562_5,
        max_verts_per_poly: 3,
        ..zeros(0.0)
    };
    let highest = Numbers {
        agent_radius: 1024.0,
        agent_height: 1024.0,
        walkable_climb: 1024.0,
        max_slope: 90.0,
        cell_size: 1024.0,
        cell_height: 1024.0,
        contour_max_error: 1024.0,
        max_edge_length: 1_000_000.0,
        detail_sample_distance: 1024.0,
        detail_max_error: 1024.0,
        min_region_area: 0,
        merge_region_area: 4_000_000,
        max_verts_per_poly: 16,
        partition: 2,
    };
    let plain = || Shape::default().flat((0.0, 65_536.0), 0.0, (0.0, 65_536.0));
    vec![
        Level::new(
            "settings-lowest",
            "every setting at the lower end of its range: a walkable floor, in triangles",
            clauses,
            &["limits"],
            Shape::default().flat((0.0, 0.0625), 0.0, (0.0, 0.0625)).input(lowest),
        )
        .polygon_count(2)
        .at([0.031_25, 0.0, 0.031_25], true),
        Level::new(
            "settings-highest",
            "every setting but one at the upper end of its range: a walkable floor",
            clauses,
            &["limits"],
            plain().input(highest),
        )
        .polygon_count(1)
        .at([32_768.0, 0.0, 32_768.0], true),
        Level::new(
            "settings-drop-all",
            "every setting at the upper end of its range: islands below 4,000,000 columns are dropped",
            clauses,
            &["limits"],
            plain().input(Numbers { min_region_area: 4_000_000, ..highest }),
        )
        .walkable(false),
        Level::new(
            "settings-zero",
            "every setting that may be 0 is 0: a walkable floor",
            clauses,
            &["limits"],
            floor().input(zeros(0.0)),
        )
        .polygon_count(1),
        Level::new(
            "settings-minus-zero",
            "every setting that may be 0 is -0.0, which is 0: the mesh of `settings-zero`",
            clauses,
            &["limits"],
            floor().input(zeros(-0.0)),
        )
        .mesh_of("settings-zero"),
    ]
}
