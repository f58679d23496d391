//! Levels such as a game has, with the settings that a host may use.

use super::Level;
use super::settings::{Numbers, USUAL};
use super::shapes::Shape;

pub(super) fn levels() -> Vec<Level> {
    let of = |partition| Numbers { partition, ..USUAL };
    vec![
        Level::new(
            "box-room",
            "a floor with four walls around it",
            &["BUILD-11", "BUILD-16"],
            &[],
            box_room().input(of(0)),
        )
        .at([5.0, 0.0, 4.0], true)
        .at([0.75, 0.0, 4.0], false),
        Level::new(
            "bridge",
            "a deck on two ramps above a floor: two surfaces above each other, and a way under the deck",
            &["BUILD-12", "BUILD-14", "BUILD-21"],
            &[],
            bridge().input(of(2)),
        )
        .way([12.0, 0.0, 2.0], [12.0, 0.0, 10.0], true)
        .way([1.0, 0.0, 6.0], [12.0, 3.0, 6.0], true)
        .way([12.0, 0.0, 6.0], [12.0, 3.0, 6.0], true),
        Level::new(
            "degenerate",
            "triangles without area, vertices at one place, -0.0: one floor",
            &["BUILD-5", "BUILD-8"],
            &["limits"],
            degenerate().input(of(0)),
        )
        .polygon_count(1)
        .at([4.0, 0.0, 4.0], true),
        Level::new(
            "empty",
            "no vertices and no triangles: a mesh without polygons",
            &["BUILD-5"],
            &["limits"],
            Shape::default().input(of(0)),
        )
        .walkable(false),
        Level::new("ramp", "a floor, a ramp of 30 degrees, a platform", &["BUILD-8"], &[], ramp().input(of(1))).way(
            [1.0, 0.0, 3.0],
            [12.0, 2.309_570_312_5, 3.0],
            true,
        ),
        Level::new(
            "slopes",
            "four slopes, of which two are steeper than the limit of 45 degrees",
            &["BUILD-3", "BUILD-8"],
            &[],
            slopes().input(of(1)),
        )
        .way([2.0, 0.0, 2.0], [6.0, 1.0, 2.0], true)
        .at([6.0, 2.007_812_5, 10.0], false)
        .at([6.0, 4.0, 14.0], false),
        Level::new(
            "stairs",
            "eight steps of 0.25 m up to a platform",
            &["BUILD-11", "BUILD-14"],
            &[],
            stairs().input(of(2)),
        )
        .way([1.0, 0.0, 2.0], [10.0, 2.0, 2.0], true),
    ]
}

fn box_room() -> Shape {
    Shape::default()
        .boxed([0.0, -0.5, 0.0], [10.0, 0.0, 8.0])
        .boxed([0.0, 0.0, 0.0], [0.5, 2.5, 8.0])
        .boxed([9.5, 0.0, 0.0], [10.0, 2.5, 8.0])
        .boxed([0.5, 0.0, 0.0], [9.5, 2.5, 0.5])
        .boxed([0.5, 0.0, 7.5], [9.5, 2.5, 8.0])
}

fn ramp() -> Shape {
    // 4 m along rise by 4 tan 30 degrees, to the next 1/1024.
    let top = 2.309_570_312_5;
    Shape::default().flat((0.0, 6.0), 0.0, (0.0, 6.0)).floor((6.0, 10.0), (0.0, top), (2.0, 4.0)).flat(
        (10.0, 14.0),
        top,
        (0.0, 6.0),
    )
}

fn stairs() -> Shape {
    let mut shape = Shape::default().flat((0.0, 4.0), 0.0, (0.0, 4.0));
    for step in 0..8_u8 {
        let (x, y) = (4.0 + 0.5 * f64::from(step), 0.25 * f64::from(step + 1));
        shape = shape.boxed([x, 0.0, 0.5], [x + 0.5, y, 3.5]);
    }
    shape.boxed([8.0, 1.5, 0.0], [12.0, 2.0, 4.0])
}

/// Also a shape for other levels.
pub(super) fn bridge() -> Shape {
    Shape::default()
        .flat((0.0, 24.0), 0.0, (0.0, 12.0))
        .floor((2.0, 8.0), (0.0, 3.0), (4.0, 8.0))
        .boxed([8.0, 2.75, 4.0], [16.0, 3.0, 8.0])
        .floor((16.0, 22.0), (3.0, 0.0), (4.0, 8.0))
}

fn slopes() -> Shape {
    let mut shape = Shape::default().flat((0.0, 4.0), 0.0, (0.0, 16.0));
    // Rises of 2, just below 4, just above 4, and 8 m over 4 m.
    for (lane, rise) in [2.0, 3.984_375, 4.015_625, 8.0].into_iter().enumerate() {
        let z = 4.0 * lane as f64;
        shape = shape.floor((4.0, 8.0), (0.0, rise), (z, z + 4.0));
    }
    shape
}

fn degenerate() -> Shape {
    let mut shape = Shape::default().quad([[-0.0, -0.0, -0.0], [-0.0, -0.0, 8.0], [8.0, -0.0, 8.0], [8.0, -0.0, -0.0]]);
    let first = shape.next();
    shape.vertices.extend([[4.0, 0.0, 4.0], [4.0, 0.0, 4.0], [6.0, 0.0, 6.0], [7.0, 0.0, 7.0]]);
    // One vertex three times, two at one place, three in a line; and a vertex that no triangle has.
    shape.triangles.extend([[0, 0, 0], [first, first + 1, first + 2], [first, first + 2, first + 3]]);
    shape.vertices.push([1e6, -1e6, 1e6]);
    shape
}
