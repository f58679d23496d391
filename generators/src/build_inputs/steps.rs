//! Stairs, kerbs, ledges, and what hangs low: what is climbed, and what is one cell too high.

use super::Level;
use super::settings::EVEN;
use super::shapes::Shape;

/// The climb, and one cell more.
const AT: f64 = 0.5;
const ABOVE: f64 = 0.625;

pub(super) fn levels() -> Vec<Level> {
    let stairs = |name, title, rise, is| {
        let (clauses, end): (&[&str], _) = (&["BUILD-11", "BUILD-14"], 8.0 * rise);
        Level::new(name, title, clauses, &["limits"], stairs(rise).input(EVEN))
            .way([2.0, 0.0, 2.0], [14.0, end, 2.0], is)
            .way([14.0, end, 2.0], [2.0, 0.0, 2.0], is)
    };
    let across = |name, title, clauses, shape: Shape, is| {
        Level::new(name, title, clauses, &["limits"], shape.input(EVEN)).way([2.0, 0.0, 2.0], [10.0, 0.0, 2.0], is)
    };
    let hanging: &[&str] = &["BUILD-10", "BUILD-12"];
    let merged: &[&str] = &["BUILD-9"];
    let ledges: &[&str] = &["BUILD-11", "BUILD-14"];
    vec![
        stairs("stairs-at-climb", "eight steps as high as the climb: one way up and down", AT, true),
        stairs("stairs-above-climb", "eight steps that are a cell higher than the climb: no way", ABOVE, false),
        across("kerb-at-climb", "a kerb as high as the climb: a way over it", ledges, kerb(AT), true),
        across(
            "kerb-above-climb",
            "a kerb that is a cell higher than the climb: no way over it",
            ledges,
            kerb(ABOVE),
            false,
        ),
        across(
            "low-hanging-at-climb",
            "a sheet that looks down, as high above the floor as the climb: a way over it",
            hanging,
            sheet(AT),
            true,
        ),
        across(
            "low-hanging-above-climb",
            "a sheet that looks down, a cell higher above the floor than the climb: no way",
            hanging,
            sheet(ABOVE),
            false,
        ),
        across(
            "ridge-at-climb",
            "a ridge on the floor, too steep to walk on, as high as the climb: a way over it",
            merged,
            ridge(AT),
            true,
        ),
        across(
            "ridge-above-climb",
            "a ridge on the floor, too steep to walk on, a cell higher than the climb: no way",
            merged,
            ridge(ABOVE),
            false,
        ),
        Level::new(
            "ledges",
            "terraces that are one climb apart are one, those a cell more apart are not: a drop is no way down either",
            ledges,
            &[],
            terraces().input(EVEN),
        )
        .way([2.0, 0.0, 2.0], [6.0, 0.5, 2.0], true)
        .way([6.0, 0.5, 2.0], [10.0, 1.125, 2.0], false)
        .way([10.0, 1.125, 2.0], [6.0, 0.5, 2.0], false)
        .way([10.0, 1.125, 2.0], [14.0, 1.625, 2.0], true),
    ]
}

/// Treads of 1 m between floors of 4 m.
fn stairs(rise: f64) -> Shape {
    let z = (0.0, 4.0);
    Shape::default().flat((0.0, 4.0), 0.0, z).stairs(4.0, 0.0, z, (8, 1.0, rise)).flat((12.0, 16.0), 8.0 * rise, z)
}

fn floor() -> Shape {
    Shape::default().flat((0.0, 12.0), 0.0, (0.0, 4.0))
}

/// A box across a floor, wide enough to stand on.
fn kerb(height: f64) -> Shape {
    floor().boxed([5.0, 0.0, 0.0], [7.0, height, 4.0])
}

fn sheet(height: f64) -> Shape {
    floor().underside((5.0, 7.0), height, (0.0, 4.0))
}

/// Two steep faces against each other, each over less than a column.
fn ridge(height: f64) -> Shape {
    floor().floor((5.75, 5.875), (0.0, height), (0.0, 4.0)).floor((5.875, 6.0), (height, 0.0), (0.0, 4.0))
}

fn terraces() -> Shape {
    let z = (0.0, 4.0);
    let heights = [0.0, 0.5, 1.125, 1.625];
    (0_u8..).zip(heights).fold(Shape::default(), |shape, (index, height)| {
        let x = 4.0 * f64::from(index);
        shape.flat((x, x + 4.0), height, z)
    })
}
