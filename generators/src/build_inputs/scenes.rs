//! The scenes of the corpus' replays as levels: meshes that are built, where the scenes' own are made by hand.
//!
//! A build takes a column for the ledge and the columns of the radius away from every border, so each level's floor is that much
//! larger than its scene's: what can be walked on is about the same.

use crowd_engine::Point;

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::{Range, Shape};
use crate::circle::on_circle;
use crate::scene::named;

/// An ordinary agent: a radius of 2 columns, a height of 15 cells, a climb of 4.
const PERSON: Numbers = Numbers { agent_radius: 0.3, agent_height: 1.8, merge_region_area: 20, ..EVEN };

/// What is lost at a border: 3 columns.
const LOST: f64 = 0.75;

const CLAUSES: &[&str] = &["BUILD-45"];

pub(super) fn levels() -> Vec<Level> {
    let level = |name, title, shape: Shape, numbers| Level::new(name, title, CLAUSES, &["scene"], shape.input(numbers));
    // Polygons are as high as the surface at their corners only: here walls have corners often enough. Ramps of 45 degrees take
    // a climb of 4 cells, and two more where heights are rounded up to the next cell.
    let uneven = Numbers { max_edge_length: 1.0, walkable_climb: 0.75, ..PERSON };
    vec![
        level("scene-arena", "the scene `arena`: a disc with a radius of 16 m", arena(), PERSON)
            .way([15.0, 0.0, 0.0], [-15.0, 0.0, 0.0], true)
            .way([10.5, 0.0, 10.5], [-10.5, 0.0, -10.5], true),
        level(
            "scene-bridge",
            "the scene `bridge`: a bridge with a ramp at each end, over a floor",
            bridge(),
            Numbers { partition: 2, ..uneven },
        )
        .way([1.0, 0.0, 6.0], [23.0, 0.0, 6.0], true)
        .way([1.0, 0.0, 4.5], [12.0, 4.0, 7.5], true)
        .way([12.0, 0.0, 1.0], [12.0, 0.0, 11.0], true)
        .way([9.0, 0.0, 6.0], [9.0, 4.0, 6.0], false),
        level(
            "scene-corridor",
            "the scene `corridor`: two rooms, joined by a corridor 3 m wide",
            of_scene("corridor"),
            Numbers { partition: 1, ..PERSON },
        )
        .way([1.0, 0.0, 1.0], [35.0, 0.0, 11.0], true)
        .way([13.0, 0.0, 3.25], [23.0, 0.0, 5.75], true)
        .at([18.0, 0.0, 2.5], false)
        .at([18.0, 0.0, 6.5], false),
        level(
            "scene-door",
            "the scene `door`: two rooms, joined by a door 0.75 m wide",
            door(),
            Numbers { cell_size: 0.125, ..PERSON },
        )
        .way([1.0, 0.0, 1.0], [24.0, 0.0, 11.0], true)
        .way([12.125, 0.0, 5.75], [12.125, 0.0, 6.25], true)
        .at([12.125, 0.0, 5.5], false)
        .at([12.125, 0.0, 6.5], false),
        level(
            "scene-islands",
            "the scene `islands`: three floors without a way between them",
            of_scene("islands"),
            PERSON,
        )
        .way([1.0, 0.0, 1.0], [5.0, 0.0, 9.0], true)
        .way([1.0, 0.0, 7.0], [9.0, 0.0, 7.0], false)
        .way([13.0, 0.0, 5.0], [17.0, 0.0, 5.0], false)
        .at([7.0, 0.0, 7.0], false),
        level("scene-pillars", "the scene `pillars`: a room with 16 pillars", of_scene("pillars"), PERSON)
            .way([1.0, 0.0, 1.0], [26.0, 0.0, 26.0], true)
            .way([1.0, 0.0, 26.0], [13.5, 0.0, 13.5], true)
            .at([4.5, 0.0, 4.5], false)
            .at([22.5, 0.0, 16.5], false),
        level("scene-room", "the scene `room`: one square polygon", of_scene("room"), PERSON).polygon_count(1).way(
            [0.125, 0.0, 0.125],
            [19.875, 0.0, 19.875],
            true,
        ),
        level(
            "scene-stairs",
            "the scene `stairs`: a landing, stairs and a ramp side by side, a landing 2 m above",
            stairs(),
            uneven,
        )
        .way([1.0, 0.0, 1.0], [15.0, 2.0, 1.0], true)
        .way([1.0, 0.0, 8.0], [15.0, 2.0, 8.0], true)
        .at([8.0, 1.0, 2.0], true)
        .at([8.0, 1.0, 7.0], true)
        .at([8.0, 1.0, 4.5], false),
        level(
            "scene-grid-50x40",
            "the scene `grid-50x40`: an open floor, which is one polygon when it is built",
            of_floors(&[((0.0, 50.0), (0.0, 40.0))]),
            PERSON,
        )
        .polygon_count(1)
        .way([0.5, 0.0, 0.5], [49.5, 0.0, 39.5], true),
        level(
            "scene-posts-50x40",
            "an open floor of 50 by 40 m with 81 posts, so that it takes many polygons",
            posts(),
            PERSON,
        )
        .way([1.0, 0.0, 1.0], [49.0, 0.0, 39.0], true)
        .at([5.125, 0.0, 4.125], false),
    ]
}

/// The polygons that can be walked on of a scene with a level floor of rectangles, as floors.
fn of_scene(name: &str) -> Shape {
    // A name that is none gives no floors, which the tests see.
    let (vertices, polygons) = named(name).and_then(|scene| scene.polygons()).unwrap_or_default();
    let floors: Vec<(Range, Range)> = polygons
        .iter()
        .filter(|polygon| polygon.area > 0)
        .map(|polygon| {
            let corners = || polygon.vertices.iter().map(|&vertex| vertices[vertex as usize]);
            (range(corners(), 0), range(corners(), 2))
        })
        .collect();
    of_floors(&floors)
}

/// From the least to the greatest coordinate of points.
fn range(points: impl Iterator<Item = Point>, axis: usize) -> Range {
    points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
        let value = point[axis];
        (if value < low { value } else { low }, if value > high { value } else { high })
    })
}

/// Level floors, each made larger on every side by what is lost there; they may overlap.
fn of_floors(floors: &[(Range, Range)]) -> Shape {
    let grown = |(low, high): Range| (low - LOST, high + LOST);
    floors.iter().fold(Shape::default(), |shape, &(x, z)| shape.flat(grown(x), 0.0, grown(z)))
}

/// The polygon of 16 corners; its corners lose more than its sides.
fn arena() -> Shape {
    let at = |index: u32| {
        let [x, z] = on_circle(index, 16).map(|part| (part * 17.0 * 1024.0).round() / 1024.0);
        [x, 0.0, z]
    };
    (0..16).fold(Shape::default(), |shape, index| shape.triangle([[0.0; 3], at(index + 1), at(index)]))
}

fn bridge() -> Shape {
    let z = (4.0 - LOST, 8.0 + LOST);
    of_floors(&[((8.0, 16.0), (0.0, 12.0))])
        .flat((-LOST, 4.0), 0.0, z)
        .floor((4.0, 8.0), (0.0, 4.0), z)
        .flat((8.0, 16.0), 4.0, z)
        .floor((16.0, 20.0), (4.0, 0.0), z)
        .flat((20.0, 24.0 + LOST), 0.0, z)
}

/// Both rooms as one floor, and a wall in two parts, 2 columns thick. At it, only the radius is lost (3 columns of 1/8 m).
fn door() -> Shape {
    let wall = (12.0625, 12.1875);
    Shape::default()
        .flat((-0.5, 24.75), 0.0, (-0.5, 12.5))
        .boxed([wall.0, 0.0, -0.5], [wall.1, 2.5, 5.1875])
        .boxed([wall.0, 0.0, 6.8125], [wall.1, 2.5, 12.5])
}

/// The lanes of the stairs and of the ramp touch, but for a wall between them; its ends are as far from the landings as an
/// agent is from it.
fn stairs() -> Shape {
    let (low, high) = ((-LOST, 4.5), (4.5, 9.0 + LOST));
    let mut shape = Shape::default()
        .flat((-LOST, 4.0), 0.0, (low.0, high.1))
        .flat((12.0, 16.0 + LOST), 2.0, (low.0, high.1))
        .floor((4.0, 12.0), (0.0, 2.0), high)
        .boxed([4.5, 0.0, 4.4375], [11.25, 4.0, 4.5625]);
    for step in (0..8_u8).map(f64::from) {
        let (x, y) = (4.0 + step, 0.25 * step);
        shape = shape.flat((x, x + 0.75), y, low).floor((x + 0.75, x + 1.0), (y, y + 0.25), low);
    }
    shape
}

/// Posts in the middle of columns, 5 m apart along x and 4 m along z.
fn posts() -> Shape {
    let shape = of_floors(&[((0.0, 50.0), (0.0, 40.0))]);
    (0..81_u8)
        .map(|post| (5.0 * f64::from(post % 9 + 1), 4.0 * f64::from(post / 9 + 1)))
        .fold(shape, |shape, (x, z)| shape.boxed([x + 0.0625, 0.0, z + 0.0625], [x + 0.1875, 2.5, z + 0.1875]))
}
