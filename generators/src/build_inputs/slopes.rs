//! Slopes at their limit and just above it.

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

const CLAUSES: &[&str] = &["BUILD-3", "BUILD-8"];

pub(super) fn levels() -> Vec<Level> {
    let thirty = Numbers { max_slope: 30.0, ..EVEN };
    vec![
        // Its columns differ by 2 cells, so that the ledge filter finds 4 between neighbours: the climb.
        ramp(
            "ramp-at-slope-limit",
            "a ramp of exactly 45 degrees, which is the limit: walkable",
            EVEN,
            (4.0, 4.0),
            true,
        ),
        ramp(
            "ramp-above-slope-limit",
            "a ramp that rises by 1/256 m more than 45 degrees do: not walkable",
            EVEN,
            (4.0, 4.003_906_25),
            false,
        ),
        // tan 30 is 1/sqrt 3. 3 * 780^2 = 1351^2 - 1: below; 3 * 571^2 = 989^2 + 2: above, both by less than a millionth.
        ramp(
            "ramp-at-30-degrees",
            "a ramp that rises by 780 over 1351, a millionth less than 30 degrees: walkable",
            thirty,
            (1351.0 / 256.0, 780.0 / 256.0),
            true,
        ),
        ramp(
            "ramp-above-30-degrees",
            "a ramp that rises by 571 over 989, a millionth more than 30 degrees: not walkable",
            thirty,
            (989.0 / 256.0, 571.0 / 256.0),
            false,
        ),
        Level::new(
            "slope-limit-0",
            "a limit of 0 degrees: the level floor is walkable, the one that rises by 1/1024 m over 8 m is not",
            CLAUSES,
            &["limits"],
            Shape::default()
                .flat((0.0, 8.0), 0.0, (0.0, 8.0))
                .floor((16.0, 24.0), (0.0, 0.000_976_562_5), (0.0, 8.0))
                .input(Numbers { max_slope: 0.0, ..EVEN }),
        )
        .polygon_count(1)
        .at([4.0, 0.0, 4.0], true)
        .at([20.0, 0.0, 4.0], false),
        Level::new(
            "slope-limit-90",
            "a limit of 90 degrees and a climb of 12 cells: a ramp that rises by 3 over 1 is walkable",
            &["BUILD-3", "BUILD-8", "BUILD-11"],
            &["limits"],
            ramp_between_floors((2.0, 6.0), 4.0).input(Numbers { max_slope: 90.0, walkable_climb: 1.5, ..EVEN }),
        )
        .way([2.0, 0.0, 2.0], [8.0, 6.0, 2.0], true),
        // As `ramp-at-slope-limit`, but cut at every eleventh of its depth, which no double is.
        Level::new(
            "ramp-11-rows-deep",
            "a ramp of 45 degrees, 11 rows deep: each column is 2 cells higher than the one before, and a way up",
            &["BUILD-7", "BUILD-11"],
            &["limits"],
            ramp_between_floors((4.0, 4.0), 2.75).input(EVEN),
        )
        .way([2.0, 0.0, 1.375], [10.0, 4.0, 1.375], true),
        Level::new(
            "slopes-to-all-sides",
            "four ramps of 45 degrees down from one platform, one to each side: a way over each",
            CLAUSES,
            &[],
            pyramid().input(EVEN),
        )
        .way([0.0, 0.0, 8.0], [16.0, 0.0, 8.0], true)
        .way([8.0, 0.0, 0.0], [8.0, 0.0, 16.0], true)
        .way([0.0, 0.0, 8.0], [8.0, 4.0, 8.0], true),
    ]
}

fn ramp(name: &'static str, title: &'static str, numbers: Numbers, (run, rise): (f64, f64), is: bool) -> Level {
    Level::new(name, title, CLAUSES, &["limits"], ramp_between_floors((run, rise), 4.0).input(numbers))
        .way([2.0, 0.0, 2.0], [6.0 + run, rise, 2.0], is)
        .way([6.0 + run, rise, 2.0], [2.0, 0.0, 2.0], is)
        .at([4.0 + run / 2.0, rise / 2.0, 2.0], is)
}

/// A floor, a ramp from x = 4 on, and a floor at its top.
fn ramp_between_floors((run, rise): (f64, f64), depth: f64) -> Shape {
    let (z, end) = ((0.0, depth), 4.0 + run);
    Shape::default().flat((0.0, 4.0), 0.0, z).floor((4.0, end), (0.0, rise), z).flat((end, end + 4.0), rise, z)
}

/// A platform 4 m high in the middle, and ramps from it to the sides of a floor that is open below it.
fn pyramid() -> Shape {
    let quad = |shape: Shape, corners: [[f64; 3]; 4]| shape.quad(corners);
    let shape = Shape::default().ring(((-2.0, 18.0), (-2.0, 18.0)), 0.0, ((2.0, 14.0), (2.0, 14.0))).flat(
        (6.0, 10.0),
        4.0,
        (6.0, 10.0),
    );
    let shape = quad(shape, [[2.0, 0.0, 6.0], [2.0, 0.0, 10.0], [6.0, 4.0, 10.0], [6.0, 4.0, 6.0]]);
    let shape = quad(shape, [[10.0, 4.0, 6.0], [10.0, 4.0, 10.0], [14.0, 0.0, 10.0], [14.0, 0.0, 6.0]]);
    let shape = quad(shape, [[6.0, 0.0, 2.0], [6.0, 4.0, 6.0], [10.0, 4.0, 6.0], [10.0, 0.0, 2.0]]);
    quad(shape, [[6.0, 4.0, 10.0], [6.0, 0.0, 14.0], [10.0, 0.0, 14.0], [10.0, 4.0, 10.0]])
}
