//! Floors in plan: flat ones, strips, holes in holes, pillars, islands.

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

pub(super) fn levels() -> Vec<Level> {
    let thin = Numbers { agent_radius: 0.0, ..EVEN };
    vec![
        Level::new(
            "flat",
            "a floor of 8 by 8 m: one polygon, 3 columns smaller on each side (a ledge and the radius)",
            &["BUILD-11", "BUILD-16", "BUILD-44"],
            &[],
            flat().input(EVEN),
        )
        .polygon_count(1)
        .at([0.875, 0.0, 0.875], true)
        .at([7.125, 0.0, 7.125], true)
        .at([0.625, 0.0, 4.0], false)
        .at([4.0, 0.0, 7.375], false),
        Level::new(
            "flat-of-slivers",
            "the floor of `flat`, cut into 64 slivers around a point of its border: the very same mesh",
            &["BUILD-7", "BUILD-9"],
            &[],
            slivers().input(EVEN),
        )
        .mesh_of("flat"),
        Level::new(
            "strip-one-column-wide",
            "a strip of 1 by 400 columns: all of it is ledge, so there are no polygons",
            &["BUILD-5", "BUILD-11"],
            &["limits"],
            Shape::default().flat((0.0, 0.25), 0.0, (0.0, 100.0)).input(thin),
        )
        .walkable(false),
        Level::new(
            "strip-three-columns-wide",
            "a strip of 3 by 400 columns for an agent without radius: one polygon, a column wide",
            &["BUILD-5", "BUILD-11", "BUILD-16"],
            &["limits"],
            Shape::default().flat((0.0, 0.75), 0.0, (0.0, 100.0)).input(thin),
        )
        .polygon_count(1)
        .way([0.375, 0.0, 0.5], [0.375, 0.0, 99.5], true),
        Level::new(
            "holes-three-deep",
            "an island in a hole in an island in a hole in a floor: three surfaces, no ways between them",
            &["BUILD-34", "BUILD-35"],
            &[],
            rings().input(EVEN),
        )
        .way([2.0, 0.0, 16.0], [30.0, 0.0, 16.0], true)
        .way([8.0, 0.0, 16.0], [24.0, 0.0, 16.0], true)
        .way([13.0, 0.0, 16.0], [19.0, 0.0, 16.0], true)
        .way([2.0, 0.0, 16.0], [8.0, 0.0, 16.0], false)
        .way([8.0, 0.0, 16.0], [13.0, 0.0, 16.0], false)
        .at([5.0, 0.0, 16.0], false)
        .at([10.5, 0.0, 16.0], false)
        .at([16.0, 0.0, 16.0], false),
        Level::new(
            "pillars",
            "a floor with 16 square pillars, the holes of one region: a way between them",
            &["BUILD-34", "BUILD-35"],
            &[],
            pillars().input(EVEN),
        )
        .way([1.5, 0.0, 1.5], [18.5, 0.0, 18.5], true)
        .at([4.0, 0.0, 4.0], false)
        .at([16.0, 0.0, 12.0], false),
        Level::new(
            "erosion-is-round",
            "a radius of 20 columns around a pillar: (14, 14) away is eroded, (15, 15) and (21, 0) are not",
            &["BUILD-15", "BUILD-16"],
            &["limits"],
            one_pillar().input(Numbers { agent_radius: 20.0, cell_size: 1.0, contour_max_error: 0.0, ..EVEN }),
        )
        .at([48.5 + 15.0, 0.0, 48.5 + 15.0], true)
        .at([48.5 + 21.0, 0.0, 48.5], true)
        .at([48.5 - 21.0, 0.0, 48.5], true)
        .at([48.5 + 14.0, 0.0, 48.5 + 14.0], false)
        .at([48.5 - 14.0, 0.0, 48.5 + 14.0], false)
        .at([48.5 + 20.0, 0.0, 48.5], false),
    ]
}

/// Also a shape for other levels.
pub(super) fn flat() -> Shape {
    Shape::default().flat((0.0, 8.0), 0.0, (0.0, 8.0))
}

/// The square as a fan around (0, 0, 3.5): places along its border, counter-clockwise seen from above.
fn slivers() -> Shape {
    let centre = [0.0, 0.0, 3.5];
    let at = |step: u32| {
        let way = f64::from(step % 64) * 0.5;
        let along = way % 8.0;
        match step % 64 / 16 {
            0 => [0.0, 0.0, along],
            1 => [along, 0.0, 8.0],
            2 => [8.0, 0.0, 8.0 - along],
            _ => [8.0 - along, 0.0, 0.0],
        }
    };
    (0..64).fold(Shape::default(), |shape, step| shape.triangle([centre, at(step), at(step + 1)]))
}

/// Squares around (16, 0, 16), by half their sides: floor from 16 to 12, 10 to 7, 5 to 1.
fn rings() -> Shape {
    let square = |half: f64| ((16.0 - half, 16.0 + half), (16.0 - half, 16.0 + half));
    [(16.0, 12.0), (10.0, 7.0), (5.0, 1.0)]
        .into_iter()
        .fold(Shape::default(), |shape, (outer, inner)| shape.ring(square(outer), 0.0, square(inner)))
}

fn pillars() -> Shape {
    let mut shape = Shape::default().flat((0.0, 20.0), 0.0, (0.0, 20.0));
    for (i, j) in (0..16_u8).map(|index| (f64::from(index % 4), f64::from(index / 4))) {
        let (x, z) = (3.5 + 4.0 * i, 3.5 + 4.0 * j);
        shape = shape.boxed([x, 0.0, z], [x + 1.0, 3.0, z + 1.0]);
    }
    shape
}

/// 97 by 97 columns of 1 m; a pillar that is inside of the middle one.
fn one_pillar() -> Shape {
    Shape::default().flat((0.0, 97.0), 0.0, (0.0, 97.0)).boxed([48.25, 0.0, 48.25], [48.75, 4.0, 48.75])
}
