//! Triangles that lie on one another, look down, or are seen edge-on; and levels with nothing to walk on.

use super::Level;
use super::first::bridge;
use super::floors::flat;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

pub(super) fn levels() -> Vec<Level> {
    let slope: &[&str] = &["BUILD-8", "BUILD-9"];
    vec![
        Level::new(
            "duplicates",
            "every triangle of `flat` three times, from each of its corners: the very same mesh",
            &["BUILD-9"],
            &[],
            duplicates().input(EVEN),
        )
        .mesh_of("flat"),
        Level::new(
            "coincident-down-first",
            "a floor that looks down at the place of one that looks up, before it: the mesh of `flat`",
            slope,
            &[],
            down().flat((0.0, 8.0), 0.0, (0.0, 8.0)).input(EVEN),
        )
        .mesh_of("flat"),
        Level::new(
            "coincident-up-first",
            "a floor that looks down at the place of one that looks up, after it: the mesh of `flat`",
            slope,
            &[],
            flat().underside((0.0, 8.0), 0.0, (0.0, 8.0)).input(EVEN),
        )
        .mesh_of("flat"),
        Level::new(
            "merged-tops",
            "three faces within a climb, of which only the lowest is walkable: the highest decides, one climb up",
            &["BUILD-9"],
            &["limits"],
            merged_tops().input(EVEN),
        )
        .at([4.0, 0.5, 4.0], true)
        .at([20.0, 0.625, 4.0], false),
        Level::new(
            "upside-down",
            "floors that look down: nothing to walk on, a mesh without polygons",
            &["BUILD-8"],
            &[],
            down().input(EVEN),
        )
        .walkable(false),
        Level::new(
            "edge-on",
            "upright faces only, seen edge-on from above: nothing to walk on",
            &["BUILD-7", "BUILD-8"],
            &[],
            edge_on().input(EVEN),
        )
        .walkable(false),
        Level::new(
            "edge-on-floor",
            "the floor of `flat` with upright faces that lie under it and end at its height: the very same plan",
            &["BUILD-7", "BUILD-8", "BUILD-9"],
            &[],
            flat().sheet(3.0, (-2.0, 0.0), (0.0, 8.0)).sheet(5.125, (-2.0, 0.0), (2.0, 4.0)).input(EVEN),
        )
        .polygon_count(1)
        .way([1.0, 0.0, 4.0], [7.0, 0.0, 4.0], true),
        Level::new(
            "one-place",
            "a hundred triangles, all of whose corners are at one place: a mesh without polygons",
            &["BUILD-5", "BUILD-8"],
            &["limits"],
            one_place().input(EVEN),
        )
        .walkable(false),
        Level::new(
            "eroded-away",
            "the floor of `flat` and an agent with a radius of 16 columns: everything is eroded",
            &["BUILD-16"],
            &["limits"],
            flat().input(Numbers { agent_radius: 4.0, ..EVEN }),
        )
        .walkable(false),
        Level::new(
            "too-steep",
            "slopes of 60 degrees and more to all sides: nothing to walk on",
            &["BUILD-8"],
            &[],
            steep().input(EVEN),
        )
        .walkable(false),
        Level::new(
            "soup",
            "the triangles of `bridge-watershed`, each with vertices of its own, in reverse order: the very same mesh",
            &["BUILD-5", "BUILD-9"],
            &[],
            soup(&bridge()).input(EVEN),
        )
        .mesh_of("bridge-watershed"),
    ]
}

fn duplicates() -> Shape {
    let mut shape = flat();
    let once = shape.triangles.clone();
    for &[a, b, c] in &once {
        shape.triangles.extend([[b, c, a], [c, a, b]]);
    }
    shape
}

fn down() -> Shape {
    Shape::default().underside((0.0, 8.0), 0.0, (0.0, 8.0))
}

/// At x = 0, a floor and undersides 2 and 4 cells above, with upright faces that make one span of them in every column; at
/// x = 16, the same with the highest a cell higher.
fn merged_tops() -> Shape {
    let mut shape = Shape::default();
    for (x, top) in [(0.0, 0.5), (16.0, 0.625)] {
        let end = x + 8.0;
        shape = shape.flat((x, end), 0.0, (0.0, 8.0)).underside((x, end), 0.25, (0.0, 8.0)).underside(
            (x, end),
            top,
            (0.0, 8.0),
        );
        for column in (0..32_u8).map(f64::from) {
            shape = shape.sheet(x + 0.25 * column + 0.125, (0.0, top), (0.0, 8.0));
        }
    }
    shape
}

fn edge_on() -> Shape {
    Shape::default()
        .sheet(0.0, (0.0, 4.0), (0.0, 8.0))
        .sheet(4.0, (0.0, 4.0), (0.0, 8.0))
        .quad([[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [4.0, 4.0, 2.0], [0.0, 4.0, 2.0]])
        .quad([[0.0, 0.0, 0.0], [8.0, 0.0, 8.0], [8.0, 4.0, 8.0], [0.0, 4.0, 0.0]])
}

fn one_place() -> Shape {
    let mut shape = Shape { vertices: vec![[1.5, 2.5, -3.5]; 8], triangles: Vec::new() };
    shape.triangles = (0..100).map(|index| [index % 8, (index / 2) % 8, (index / 3) % 8]).collect();
    shape
}

/// A tent with a square base 8 m wide and a top 7 m above it.
fn steep() -> Shape {
    let base = [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
    let top = [4.0, 7.0, 4.0];
    (0..4).fold(Shape::default(), |shape, side| shape.triangle([top, base[side], base[(side + 1) % 4]]))
}

fn soup(of: &Shape) -> Shape {
    of.triangles
        .iter()
        .rev()
        .fold(Shape::default(), |shape, triangle| shape.triangle(triangle.map(|vertex| of.vertices[vertex as usize])))
}
