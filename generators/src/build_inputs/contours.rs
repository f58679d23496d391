//! Settings of contours and polygons: errors, edge lengths, vertices of a polygon.

use super::Level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;
use crate::circle::on_circle;

pub(super) fn levels() -> Vec<Level> {
    let with = |name, title, clauses, numbers: Numbers| {
        Level::new(name, title, clauses, &[], disc().input(numbers))
            .way([1.5, 0.0, 8.0], [14.5, 0.0, 8.0], true)
            .at([8.0, 0.0, 8.0], false)
    };
    let errors: &[&str] = &["BUILD-32", "BUILD-33"];
    let edges: &[&str] = &["BUILD-2", "BUILD-32"];
    let corners: &[&str] = &["BUILD-37", "BUILD-38"];
    vec![
        with(
            "contour-error-0",
            "a disc with a hole, no contour error: every corner of every column is kept",
            errors,
            Numbers { contour_max_error: 0.0, ..EVEN },
        ),
        with(
            "contour-error-half",
            "a disc with a hole, a contour error of half a column",
            errors,
            Numbers { contour_max_error: 0.5, ..EVEN },
        ),
        // Only the ends of chains are kept: what is near the border is lost.
        Level::new(
            "contour-error-large",
            "a disc with a hole, a contour error of 64 columns, which is more than all of it: still a ring",
            errors,
            &[],
            disc().input(Numbers { contour_max_error: 64.0, ..EVEN }),
        )
        .way([4.0, 0.0, 8.0], [12.0, 0.0, 8.0], true)
        .at([8.0, 0.0, 8.0], false),
        with(
            "edge-length-one-column",
            "a disc with a hole, no wall longer than a column",
            edges,
            Numbers { max_edge_length: 0.25, ..EVEN },
        ),
        with(
            "edge-length-below-a-column",
            "a disc with a hole, no wall longer than 1/64 m: a column, the mesh of `edge-length-one-column`",
            edges,
            Numbers { max_edge_length: 0.015_625, ..EVEN },
        )
        .mesh_of("edge-length-one-column"),
        with(
            "edge-length-2",
            "a disc with a hole, no wall longer than 2 m",
            edges,
            Numbers { max_edge_length: 2.0, ..EVEN },
        ),
        with("vertices-3", "a disc with a hole in triangles", corners, Numbers { max_verts_per_poly: 3, ..EVEN }),
        with(
            "vertices-4",
            "a disc with a hole in polygons of at most 4 vertices",
            corners,
            Numbers { max_verts_per_poly: 4, ..EVEN },
        ),
        with("vertices-6", "a disc with a hole in polygons of at most 6 vertices", corners, EVEN),
        with(
            "vertices-16",
            "a disc with a hole in polygons of at most 16 vertices",
            corners,
            Numbers { max_verts_per_poly: 16, ..EVEN },
        ),
        with(
            "radius-0",
            "a disc with a hole, an agent without radius: only ledges are lost",
            &["BUILD-16"],
            Numbers { agent_radius: 0.0, ..EVEN },
        )
        .at([0.5, 0.0, 8.0], true),
        with(
            "radius-below-a-column",
            "a disc with a hole, a radius of 1/64 m: a column, since radii are rounded up",
            &["BUILD-2", "BUILD-16"],
            Numbers { agent_radius: 0.015_625, ..EVEN },
        ),
    ]
}

/// A disc of 32 corners around (8, 0, 8) with a radius of 8 m, with a hole of 3 m; places are rounded to 1/1024 m.
fn disc() -> Shape {
    let at = |index: u32, radius: f64| {
        let [x, z] = on_circle(index, 32).map(|part| 8.0 + (part * radius * 1024.0).round() / 1024.0);
        [x, 0.0, z]
    };
    (0..32).fold(Shape::default(), |shape, index| {
        shape.quad([at(index, 3.0), at(index + 1, 3.0), at(index + 1, 8.0), at(index, 8.0)])
    })
}
