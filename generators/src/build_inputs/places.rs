//! Where a level is, and how large its cells are.

use crowd_engine::Point;

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

pub(super) fn levels() -> Vec<Level> {
    let grid: &[&str] = &["BUILD-5", "BUILD-6", "BUILD-44"];
    let far = |name, title, by| moved(Level::new(name, title, grid, &["limits"], terrace().moved(by).input(EVEN)), by);
    let at = |x: f64, z: f64| [x, 0.0, z];
    vec![
        far(
            "far-from-zero",
            "two floors and a ramp, 1,048,576 m from zero along each axis: as near zero",
            [1_048_576.0; 3],
        ),
        far(
            "far-below-zero",
            "two floors and a ramp, 1,048,576 m below zero along each axis: as near zero",
            [-1_048_576.0; 3],
        ),
        far(
            "far-and-uneven",
            "two floors and a ramp, far from zero by no whole number of cells: as near zero",
            [1_048_576.078_125, -65_536.046_875, -1_048_575.906_25],
        ),
        Level::new(
            "across-zero",
            "strips of rising floor from -0.7 to 20 m, a metre wide cells: each column is as high as its own strips",
            grid,
            &[],
            across_zero().input(Numbers {
                cell_size: 1.0,
                cell_height: 0.25,
                agent_radius: 0.0,
                walkable_climb: 2.0,
                max_slope: 60.0,
                ..EVEN
            }),
        )
        .way(at_height(1.0), at_height(17.0), true),
        Level::new(
            "cells-do-not-divide",
            "cells of 0.3 m, a climb of 0.3 m in cells of 0.1 m, which is three: a way up the step",
            &["BUILD-2", "BUILD-5"],
            &["limits"],
            Shape::default().flat((0.0, 5.0), 0.0, (0.0, 10.0)).flat((5.0, 10.0), 0.3, (0.0, 10.0)).input(Numbers {
                cell_size: 0.3,
                cell_height: 0.1,
                walkable_climb: 0.3,
                agent_radius: 0.6,
                ..EVEN
            }),
        )
        .way(at(2.5, 5.0), [7.5, 0.3, 5.0], true),
        Level::new(
            "cells-tiny",
            "a table of 1 by 1 m in cells of 1/64 m, and a cup on it: a way around the cup",
            grid,
            &["limits"],
            table().input(Numbers {
                cell_size: 0.015_625,
                cell_height: 0.015_625,
                agent_radius: 0.031_25,
                agent_height: 0.25,
                walkable_climb: 0.031_25,
                ..EVEN
            }),
        )
        .way([0.125, 0.5, 0.5], [0.875, 0.5, 0.5], true)
        .at([0.5, 0.5, 0.5], false),
        Level::new(
            "cells-huge",
            "a plain of 1,024 by 1,024 m in cells of 16 m, with a crater: a way around the crater",
            grid,
            &["limits"],
            Shape::default().ring(((0.0, 1024.0), (0.0, 1024.0)), 0.0, ((384.0, 640.0), (384.0, 640.0))).input(
                Numbers {
                    cell_size: 16.0,
                    cell_height: 8.0,
                    agent_radius: 16.0,
                    agent_height: 24.0,
                    walkable_climb: 8.0,
                    ..EVEN
                },
            ),
        )
        .way(at(128.0, 512.0), at(896.0, 512.0), true)
        .at(at(512.0, 512.0), false),
        Level::new(
            "columns-at-limit",
            "4,000,000 columns in a row, which is the limit: all of it is ledge, so there are no polygons",
            &["OPBI-8", "BUILD-5", "BUILD-11"],
            &["limits", "large"],
            Shape::default()
                .flat((0.0, 4_000_000.0 / 1024.0), 0.0, (0.0, 1.0 / 1024.0))
                .input(Numbers { cell_size: 1.0 / 1024.0, ..EVEN }),
        )
        .walkable(false),
        Level::new(
            "height-cells-at-limit",
            "two floors 65,535 cells of 1/64 m apart, which is the limit: two polygons at their own heights",
            &["BUILD-5", "BUILD-13"],
            &["limits"],
            two_heights(65_535.0).input(Numbers { cell_height: 0.015_625, ..EVEN }),
        )
        .polygon_count(2)
        .way(at(4.0, 4.0), [16.0, 1_023.984_375, 4.0], false),
    ]
}

/// Two floors, 65,535 or more cells of 1/64 m apart.
pub(super) fn two_heights(cells: f64) -> Shape {
    Shape::default().flat((0.0, 8.0), 0.0, (0.0, 8.0)).flat((12.0, 20.0), cells / 64.0, (0.0, 8.0))
}

fn terrace() -> Shape {
    let z = (0.0, 6.0);
    Shape::default().flat((0.0, 6.0), 0.0, z).floor((6.0, 10.0), (0.0, 2.0), z).flat((10.0, 16.0), 2.0, z).flat(
        (0.0, 6.0),
        4.0,
        z,
    )
}

fn moved(level: Level, by: Point) -> Level {
    let at = |point: Point| [0, 1, 2].map(|axis| point[axis] + by[axis]);
    level
        .way(at([3.0, 0.0, 3.0]), at([13.0, 2.0, 3.0]), true)
        .way(at([3.0, 0.0, 3.0]), at([3.0, 4.0, 3.0]), false)
        .at(at([0.625, 0.0, 3.0]), false)
        .at(at([17.0, 0.0, 3.0]), false)
}

fn at_height(x: f64) -> Point {
    [x, x, 4.0]
}

/// The slope y = x in strips, two of which lie wholly between -0.7 and -0.1.
fn across_zero() -> Shape {
    let strips = [-0.6875, -0.375, -0.125].into_iter().chain((0..=20_u8).map(f64::from)).collect::<Vec<_>>();
    strips
        .windows(2)
        .fold(Shape::default(), |shape, ends| shape.floor((ends[0], ends[1]), (ends[0], ends[1]), (-0.75, 8.0)))
}

fn table() -> Shape {
    Shape::default()
        .boxed([0.0, 0.453_125, 0.0], [1.0, 0.5, 1.0])
        .boxed([0.406_25, 0.5, 0.406_25], [0.593_75, 0.6875, 0.593_75])
}
