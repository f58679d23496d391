//! The navigation mesh of a polygon mesh and its heights. SPEC.md, chapter BUILD.

use replay_format::limits::{MESH_POLYGONS_MAX, MESH_VERTICES_MAX};
use replay_format::{Code, check_point};

use crate::build::{BuildError, CompactHeightfield, DetailMesh, Polygon, PolygonMesh, usize_of};
use crate::{MeshError, NavMesh, Point, PolygonSpec};

/// A corner in the world: origin + cells * size on each axis, the product first.
pub(super) fn world(compact: &CompactHeightfield, vertex: [f64; 3]) -> Point {
    let [x, y, z] = vertex;
    [
        compact.origin[0] + x * compact.cell_size,
        compact.origin[1] + y * compact.cell_height,
        compact.origin[2] + z * compact.cell_size,
    ]
}

/// Makes the navigation mesh, of revision 0: the polygons in their order, x and z of the vertices from their cell corners, y from
/// the detail mesh (of the first polygon that has the vertex; without one, from the vertex's height). Links are those of the
/// polygon mesh, which must agree on both sides; they are not looked for anew.
///
/// # Errors
/// For the first check of a polygon by [`NavMesh::from_polygons`] that fails: `GridOverLimit` for more vertices or polygons than a mesh can have
/// (`mesh.vertices`, `mesh.polygons`), and where cells are so small, so far from the origin, that a polygon does not survive
/// rounding (`mesh.polygons[i]`); `PositionOutOfRange` for a cell corner of magnitude 2^21 or more (`mesh.vertices[i].y`).
pub fn nav_mesh(mesh: &PolygonMesh, detail: &DetailMesh, compact: &CompactHeightfield) -> Result<NavMesh, BuildError> {
    let mut vertices: Vec<Point> = mesh.vertices.iter().map(|v| world(compact, v.map(f64::from))).collect();
    let mut known = vec![false; vertices.len()];
    for (polygon, heights) in mesh.polygons.iter().zip(&detail.polygons) {
        for (&vertex, corner) in polygon.vertices.iter().zip(&heights.vertices) {
            let index = usize_of(vertex);
            if let (Some(known @ false), Some(own)) = (known.get_mut(index), vertices.get_mut(index)) {
                *known = true;
                own[1] = corner[1];
            }
        }
    }
    for (index, vertex) in vertices.iter().enumerate() {
        check_point(vertex).map_err(|(code, axis, value)| {
            let path = format_args!("mesh.vertices[{index}].{axis}");
            BuildError::new(code, path, value, "a magnitude below 2^21 (2097152)")
        })?;
    }
    let specs = mesh.polygons.iter().map(|p| PolygonSpec { vertices: p.vertices.clone(), area: p.area }).collect();
    let link = |p: &Polygon, edge: usize| p.neighbours.get(edge).copied().flatten();
    let links = mesh.polygons.iter().map(|p| (0..p.vertices.len()).map(|edge| link(p, edge)).collect()).collect();
    NavMesh::from_linked(vertices, specs, links).map_err(|error| refusal(&error))
}

fn refusal(error: &MeshError) -> BuildError {
    let polygon = match *error {
        MeshError::TooManyVertices { count } => {
            return BuildError::grid("mesh.vertices", count, MESH_VERTICES_MAX, "vertices");
        }
        MeshError::TooManyPolygons { count } => {
            return BuildError::grid("mesh.polygons", count, MESH_POLYGONS_MAX, "polygons");
        }
        MeshError::CornerCount { polygon, .. }
        | MeshError::Area { polygon, .. }
        | MeshError::Index { polygon, .. }
        | MeshError::RepeatedVertex { polygon, .. }
        | MeshError::Orientation { polygon }
        | MeshError::NotConvex { polygon }
        | MeshError::SharedEdge { polygons: [_, polygon], .. } => polygon,
        MeshError::NoPolygon { polygon } => usize_of(polygon),
        // Checked before.
        MeshError::Vertex { vertex } => vertex,
    };
    let path = format_args!("mesh.polygons[{polygon}]");
    BuildError::new(Code::GridOverLimit, path, error, "cells that survive rounding so far from the origin")
}
