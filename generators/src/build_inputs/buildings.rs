//! Ceilings, storeys and things that wind over themselves.

use super::Level;
use super::first::bridge;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;
use crate::circle::on_circle;

pub(super) fn levels() -> Vec<Level> {
    let low: &[&str] = &["BUILD-12", "BUILD-13", "BUILD-14"];
    let under = |name, title, height, is| {
        Level::new(name, title, low, &["limits"], ceiling(height).input(EVEN)).way(
            [2.0, 0.0, 2.0],
            [10.0, 0.0, 2.0],
            is,
        )
    };
    let mut levels = vec![
        under("ceiling-at-height", "a ceiling exactly as high as the agent: a way under it", 2.0, true),
        under("ceiling-below-height", "a ceiling that is a cell lower than the agent: no way under it", 1.875, false),
        Level::new(
            "ceiling-that-slopes",
            "a ceiling that comes down from 4 m to 1 m: walkable where it is high, not where it is low",
            low,
            &[],
            sloped_ceiling().input(EVEN),
        )
        .at([2.0, 0.0, 4.0], true)
        .at([12.0, 0.0, 4.0], false)
        .at([15.0, 0.0, 4.0], false),
        Level::new(
            "storeys",
            "four floors above each other without stairs: four surfaces, one polygon each, no way between them",
            &["BUILD-9", "BUILD-13", "BUILD-14", "BUILD-18"],
            &[],
            storeys().input(EVEN),
        )
        .polygon_count(4)
        .way([4.0, 0.0, 4.0], [4.0, 3.0, 4.0], false)
        .way([4.0, 3.0, 4.0], [4.0, 9.0, 4.0], false),
        Level::new(
            "storeys-with-stairs",
            "three floors, stairs to the middle one: a way from under it onto it, none to the top",
            &["BUILD-13", "BUILD-14", "BUILD-18"],
            &[],
            house().input(EVEN),
        )
        .way([4.0, 0.0, 4.0], [4.0, 3.0, 4.0], true)
        .way([4.0, 3.0, 4.0], [4.0, 6.0, 4.0], false)
        .way([4.0, 6.0, 4.0], [4.0, 0.0, 4.0], false),
    ];
    for (partition, name) in [(0, "bridge-watershed"), (1, "bridge-monotone"), (2, "bridge-layers")] {
        let numbers = Numbers { partition, ..EVEN };
        levels.push(
            Level::new(
                name,
                "a deck on two ramps above a floor: the same ways in every partition",
                PARTITIONS,
                &[],
                bridge().input(numbers),
            )
            .way([12.0, 0.0, 2.0], [12.0, 0.0, 10.0], true)
            .way([12.0, 0.0, 6.0], [12.0, 3.0, 6.0], true),
        );
    }
    for (partition, name) in [(0, "spiral-watershed"), (1, "spiral-monotone"), (2, "spiral-layers")] {
        levels.push(spiral_level(name, Numbers { partition, ..EVEN }));
    }
    levels
}

/// What a level in all three partitions is about.
pub(super) const PARTITIONS: &[&str] = &["BUILD-18", "BUILD-19", "BUILD-20", "BUILD-21"];

/// A slab over the middle of a floor.
fn ceiling(height: f64) -> Shape {
    Shape::default().flat((0.0, 12.0), 0.0, (0.0, 4.0)).boxed([4.0, height, 0.0], [8.0, height + 0.5, 4.0])
}

fn sloped_ceiling() -> Shape {
    Shape::default().flat((0.0, 16.0), 0.0, (0.0, 8.0)).quad([
        [0.0, 4.0, 0.0],
        [16.0, 1.0, 0.0],
        [16.0, 1.0, 8.0],
        [0.0, 4.0, 8.0],
    ])
}

fn storeys() -> Shape {
    (0..4_u8)
        .map(f64::from)
        .fold(Shape::default(), |shape, storey| shape.boxed([0.0, 3.0 * storey - 0.25, 0.0], [8.0, 3.0 * storey, 8.0]))
}

/// Stairs from beside the house up to its middle floor.
fn house() -> Shape {
    let mut shape = Shape::default()
        .flat((0.0, 20.0), 0.0, (0.0, 8.0))
        .boxed([0.0, 2.75, 0.0], [8.0, 3.0, 8.0])
        .boxed([0.0, 5.75, 0.0], [8.0, 6.0, 8.0]);
    for step in (0..6_u8).map(f64::from) {
        shape = shape.boxed([13.0 - step, 0.0, 2.0], [14.0 - step, 0.5 * (step + 1.0), 6.0]);
    }
    shape
}

/// The segments of a turn, and the turns.
const SEGMENTS: u32 = 24;
const TURNS: u32 = 3;
/// What a turn rises by, metres.
const PITCH: f64 = 3.0;

/// Also for other settings.
pub(super) fn spiral_level(name: &'static str, numbers: Numbers) -> Level {
    let mut level = Level::new(
        name,
        "a ramp that winds over itself three times: one way from its bottom to its top, in every partition",
        PARTITIONS,
        &[],
        spiral().input(numbers),
    );
    // In the middle of the ramp, an eighth of a turn on, where the third turn is above the second and that above the first.
    let (along, height) = (3.5 * std::f64::consts::FRAC_1_SQRT_2, PITCH / 8.0);
    let on = |turn: f64| [along, height + PITCH * turn, along];
    for (from, to) in [(0.0, 1.0), (0.0, 2.0), (2.0, 1.0)] {
        level = level.way(on(from), on(to), true);
    }
    level
}

/// Quadrilaterals between circles of 2 m and 5 m; places are rounded to 1/1024 m.
fn spiral() -> Shape {
    let round = |value: f64| (value * 1024.0).round() / 1024.0;
    let at = |index: u32, radius: f64| {
        let [x, z] = on_circle(index, SEGMENTS);
        [round(x * radius), PITCH * f64::from(index) / f64::from(SEGMENTS), round(z * radius)]
    };
    (0..TURNS * SEGMENTS).fold(Shape::default(), |shape, index| {
        shape.quad([at(index, 2.0), at(index + 1, 2.0), at(index + 1, 5.0), at(index, 5.0)])
    })
}
