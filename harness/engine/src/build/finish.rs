//! The navigation mesh of a polygon mesh and its heights. SPEC.md, chapter BUILD.

use replay_format::MeshSnapshot;

use crate::build::{CompactHeightfield, DetailMesh, PolygonMesh, Settings};
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
/// polygon mesh.
///
/// # Errors
/// The first check of [`NavMesh::from_polygons`] that fails: more vertices or polygons than a mesh can have, or coordinates so
/// far out, or cells so small, that a polygon does not survive rounding.
pub fn nav_mesh(
    mesh: &PolygonMesh,
    detail: &DetailMesh,
    compact: &CompactHeightfield,
    _settings: &Settings,
) -> Result<NavMesh, MeshError> {
    let mut vertices: Vec<Point> = mesh.vertices.iter().map(|v| world(compact, v.map(f64::from))).collect();
    let mut known = vec![false; vertices.len()];
    for (polygon, heights) in mesh.polygons.iter().zip(&detail.polygons) {
        for (&vertex, corner) in polygon.vertices.iter().zip(&heights.vertices) {
            let index = usize::try_from(vertex).unwrap_or(usize::MAX);
            if let (Some(known @ false), Some(own)) = (known.get_mut(index), vertices.get_mut(index)) {
                *known = true;
                own[1] = corner[1];
            }
        }
    }
    let specs = mesh.polygons.iter().map(|p| PolygonSpec { vertices: p.vertices.clone(), area: p.area }).collect();
    let checked = NavMesh::from_polygons(vertices, specs)?;
    // `from_polygons` links by vertex index alone; a wall can run along an edge whose ends are open on both sides.
    let mut snapshot: MeshSnapshot = checked.snapshot().clone();
    let mut closed = false;
    for (own, polygon) in snapshot.polygons.iter_mut().zip(&mesh.polygons) {
        for (link, neighbour) in own.links.iter_mut().zip(&polygon.neighbours) {
            closed |= link.is_some() && neighbour.is_none();
            if neighbour.is_none() {
                *link = None;
            }
        }
    }
    Ok(if closed { NavMesh::from_snapshot(snapshot) } else { checked })
}
