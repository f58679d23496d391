//! The triangles of a Wavefront OBJ file, as the mesh build takes them.

use replay_format::limits::{BUILD_TRIANGLES_MAX, BUILD_VERTICES_MAX};
use replay_format::{Point, check_point};

use crate::words::len64;

/// Vertices and triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Geometry {
    /// Metres, y up.
    pub vertices: Vec<Point>,
    /// Indices of vertices; a face with more corners is a fan of triangles from its first one.
    pub triangles: Vec<[u32; 3]>,
}

/// Why an OBJ file can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjError {
    /// It is not OBJ.
    #[error("this is no OBJ file that can be read: {0}")]
    Syntax(String),
    /// It has no faces.
    #[error("there is no face in it; a build needs triangles (lines that begin with `f`)")]
    NoFaces,
    /// A position that no build input can have.
    #[error("vertex {number} of its faces: {axis} is {value}; it must be finite and below 2097152 in magnitude")]
    Position {
        /// The vertex, from 1, in the order in which faces use them.
        number: usize,
        /// Which coordinate.
        axis: String,
        /// What it is.
        value: String,
    },
    /// More than a build input can hold.
    #[error("it has {found} {what}; a build input has at most {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        found: u64,
        /// How many there may be.
        most: u64,
    },
}

/// Reads an OBJ file. Objects and groups become one list; materials, normals, texture coordinates, lines and points are left
/// out, and so are vertices that no face has. `y` is up.
///
/// # Errors
/// Where it can't be read, has no faces, or has more, or others, than a build input can hold.
pub fn read_obj(bytes: &[u8]) -> Result<Geometry, ObjError> {
    let options = tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, single_index: false };
    let mut reader = bytes;
    let no_materials = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
    let (models, _) =
        tobj::load_obj_buf(&mut reader, &options, no_materials).map_err(|error| ObjError::Syntax(error.to_string()))?;
    let mut geometry = Geometry::default();
    for tobj::Model { mesh, .. } in models {
        let first = u32::try_from(geometry.vertices.len()).unwrap_or(u32::MAX);
        geometry.vertices.extend(mesh.positions.as_chunks::<3>().0);
        let corners = mesh.indices.as_chunks::<3>().0;
        geometry.triangles.extend(corners.iter().map(|corners| corners.map(|corner| first.saturating_add(corner))));
    }
    check(&geometry)?;
    Ok(geometry)
}

fn check(geometry: &Geometry) -> Result<(), ObjError> {
    if geometry.triangles.is_empty() {
        return Err(ObjError::NoFaces);
    }
    for (what, found, most) in [
        ("vertices", len64(geometry.vertices.len()), BUILD_VERTICES_MAX),
        ("triangles", len64(geometry.triangles.len()), BUILD_TRIANGLES_MAX),
    ] {
        if found > most {
            return Err(ObjError::TooMany { what, found, most });
        }
    }
    for (number, vertex) in (1..).zip(&geometry.vertices) {
        check_point(vertex).map_err(|(_, axis, value)| ObjError::Position {
            number,
            axis: axis.to_string(),
            value: value.to_string(),
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_triangles() {
        let text = "# a floor and a wall\no floor\nv 0 0 0\nv 0 0 2.5\nv 2 0 2\nv 2 0 0\nv 9 9 9\nvn 0 1 0\nf 1//1 2//1 3//1 4//1\n\
                    o wall\nv 0 1e1 0\nf -1 2 1\nl 1 2\n";
        let geometry = read_obj(text.as_bytes()).unwrap();
        let corners = |triangle: [u32; 3]| triangle.map(|corner| geometry.vertices[corner as usize]);
        assert_eq!(geometry.triangles.len(), 3);
        assert_eq!(corners(geometry.triangles[0]), [[0.0; 3], [0.0, 0.0, 2.5], [2.0, 0.0, 2.0]]);
        assert_eq!(corners(geometry.triangles[1]), [[0.0; 3], [2.0, 0.0, 2.0], [2.0, 0.0, 0.0]]);
        assert_eq!(corners(geometry.triangles[2]), [[0.0, 10.0, 0.0], [0.0, 0.0, 2.5], [0.0; 3]]);
        assert!(!geometry.vertices.contains(&[9.0; 3]), "no face has it");
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        for (text, expected) in [
            ("", "there is no face in it"),
            ("hello\n", "there is no face in it"),
            ("v 0 0 0\nv 1 0 0\nl 1 2\n", "there is no face in it"),
            ("v 0 0 0\nf 1 2 3\n", "this is no OBJ file that can be read: "),
            ("v 0 x 0\n", "this is no OBJ file that can be read: "),
            ("v 0 0 0\nv 1 0 0\nv nan 0 0\nf 1 2 3\n", "vertex 3 of its faces: x is NaN"),
            (
                "v 0 0 0\nv 1 0 0\nv 0 0 -3e6\nf 1 2 3\n",
                "vertex 3 of its faces: z is -3000000; it must be finite and below",
            ),
        ] {
            let message = read_obj(text.as_bytes()).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{text:?}: {message}");
        }
        assert!(read_obj(b"f 1 \xff\xfe\0").is_err());
    }
}
