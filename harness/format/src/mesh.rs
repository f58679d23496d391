//! The mesh snapshot: vertices, convex polygons, the links between them. SPEC.md, chapter MESH.
//!
//! Nothing geometric is checked here: any set of polygons whose indices and links agree is accepted, and every query is
//! total on it.

use crate::error::{Code, Error, Stage};
use crate::fields::{Fields, Point, WriteError, write_count, write_index, write_point};
use crate::limits;
use crate::path::Path;
use crate::source::{Slice, Source};

/// A polygon of a mesh: corners in order, counter-clockwise seen from above (y up, x to the right, z towards the viewer; the
/// interior is on the left of each edge, where "left" means a cross product of 0 or more, see SPEC chapter GEO).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshPolygon {
    /// Vertex indices, 3 to 16, each once.
    pub vertices: Vec<u32>,
    /// For each edge (from vertex `i` to vertex `i + 1`) the polygon on its other side, or none: then it is a wall.
    pub links: Vec<Option<u32>>,
    /// 0 to 63; 0 is not walkable.
    pub area: u8,
}

impl MeshPolygon {
    /// The two vertices of edge `edge` (from 0), in the polygon's order.
    #[must_use]
    pub fn edge(&self, edge: usize) -> (u32, u32) {
        let first = self.vertices.first().copied().unwrap_or(0);
        let from = self.vertices.get(edge).copied().unwrap_or(first);
        (from, self.vertices.get(edge.saturating_add(1)).copied().unwrap_or(first))
    }
}

/// A mesh snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshSnapshot {
    /// How many times the mesh was edited, 0 or more.
    pub revision: i64,
    /// Vertices, metres, y up.
    pub vertices: Vec<Point>,
    /// Polygons.
    pub polygons: Vec<MeshPolygon>,
}

impl MeshSnapshot {
    /// Reads a mesh snapshot that is a file of its own.
    ///
    /// # Errors
    /// The first check of chapter MESH that fails.
    pub fn read(bytes: &[u8]) -> Result<MeshSnapshot, Error> {
        MeshSnapshot::read_at(bytes, 0, &Path::ROOT)
    }

    /// Reads the mesh snapshot that is all of `bytes`, which begin at `offset` of the outermost file.
    ///
    /// # Errors
    /// The first check of chapter MESH that fails.
    pub fn read_at(bytes: &[u8], offset: u64, path: &Path<'_>) -> Result<MeshSnapshot, Error> {
        let mut source = Slice::within(bytes, offset, Stage::Restore);
        source.read_header(path, limits::MESH_MAGIC, false)?;
        let at = source.offset();
        let revision = source.read_i64(&path.field("revision"))?;
        if revision < 0 {
            return source.fail(Code::ValueOutOfRange, at, &path.field("revision"), revision, "0 or more");
        }
        let vertex_count =
            source.read_count(&path.field("vertex_count"), limits::MESH_VERTICES_MAX, limits::POINT_BYTES, 0)?;
        let vertex_bytes = vertex_count.saturating_mul(limits::POINT_BYTES);
        let count_path = path.field("polygon_count");
        let polygon_count =
            source.read_count(&count_path, limits::MESH_POLYGONS_MAX, limits::POLYGON_MIN_BYTES, vertex_bytes)?;
        let vertices_path = path.field("vertices");
        let mut vertices = Vec::with_capacity(usize::try_from(vertex_count).unwrap_or(0));
        for index in 0..vertex_count {
            vertices.push(source.read_point(&vertices_path.index(index))?);
        }
        let polygons_path = path.field("polygons");
        let mut polygons = Vec::with_capacity(usize::try_from(polygon_count).unwrap_or(0));
        let polygons_offset = source.offset();
        for index in 0..polygon_count {
            polygons.push(read_polygon(&mut source, &polygons_path.index(index), vertex_count, polygon_count)?);
        }
        check_links(&polygons, polygons_offset, source.stage(), &polygons_path)?;
        source.read_end(path)?;
        Ok(MeshSnapshot { revision, vertices, polygons })
    }

    /// The snapshot's bytes.
    ///
    /// # Errors
    /// Where a list is larger than the layout can say.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::new();
        out.extend_from_slice(&limits::MESH_MAGIC);
        out.extend_from_slice(&[limits::VERSION, 0, 0, 0]);
        out.extend_from_slice(&self.revision.to_le_bytes());
        write_count(&mut out, self.vertices.len(), limits::MESH_VERTICES_MAX)?;
        write_count(&mut out, self.polygons.len(), limits::MESH_POLYGONS_MAX)?;
        for vertex in &self.vertices {
            write_point(&mut out, vertex);
        }
        for polygon in &self.polygons {
            out.push(u8::try_from(polygon.vertices.len()).map_err(|_| WriteError::TooLarge)?);
            out.push(polygon.area);
            for vertex in &polygon.vertices {
                write_index(&mut out, *vertex)?;
            }
            for link in &polygon.links {
                match link {
                    None => out.extend_from_slice(&(-1_i32).to_le_bytes()),
                    Some(polygon) => write_index(&mut out, *polygon)?,
                }
            }
        }
        Ok(out)
    }
}

fn read_polygon(
    source: &mut Slice<'_>,
    path: &Path<'_>,
    vertex_count: u64,
    polygon_count: u64,
) -> Result<MeshPolygon, Error> {
    let at = source.offset();
    let corners = source.read_u8(&path.field("vertex_count"))?;
    let (min, max) = (limits::POLYGON_VERTICES_MIN, limits::POLYGON_VERTICES_MAX);
    if corners < min || corners > max {
        let expected = format_args!("{min} to {max}");
        return source.fail(Code::ValueOutOfRange, at, &path.field("vertex_count"), corners, expected);
    }
    let area = source.read_byte_up_to(&path.field("area"), limits::AREA_MAX)?;
    let vertices_path = path.field("vertices");
    let mut vertices = Vec::with_capacity(usize::from(corners));
    for corner in 0..u64::from(corners) {
        let at = source.offset();
        let vertex = source.read_index(&vertices_path.index(corner), vertex_count)?;
        if vertices.contains(&vertex) {
            let found = format_args!("vertex {vertex} again");
            let expected = "each vertex once";
            return source.fail(Code::PolygonVertexRepeated, at, &vertices_path.index(corner), found, expected);
        }
        vertices.push(vertex);
    }
    let links_path = path.field("links");
    let mut links = Vec::with_capacity(usize::from(corners));
    for edge in 0..u64::from(corners) {
        links.push(read_link(source, &links_path.index(edge), polygon_count)?);
    }
    Ok(MeshPolygon { vertices, links, area })
}

/// Links must agree: where edge (a, b) of one polygon leads to another, edge (b, a) of that one leads back. Checked when all
/// polygons are known, in file order.
fn check_links(polygons: &[MeshPolygon], mut offset: u64, stage: Stage, path: &Path<'_>) -> Result<(), Error> {
    for (index, polygon) in polygons.iter().enumerate() {
        let corners = u64::try_from(polygon.vertices.len()).unwrap_or(0);
        offset = offset.saturating_add(2).saturating_add(corners.saturating_mul(4));
        for (edge, link) in polygon.links.iter().enumerate() {
            let at = offset;
            offset = offset.saturating_add(4);
            let Some(link) = *link else { continue };
            let own = u32::try_from(index).unwrap_or(u32::MAX);
            let (a, b) = polygon.edge(edge);
            let other = usize::try_from(link).ok().and_then(|l| polygons.get(l));
            let returned = other.is_some_and(|other| {
                (0..other.vertices.len()).any(|e| other.edge(e) == (b, a) && other.links.get(e) == Some(&Some(own)))
            });
            if !returned || link == own {
                let polygon_path = path.item(index);
                let links_path = polygon_path.field("links");
                let found = format!("{link}, which has no edge from vertex {b} to {a} that links back to {own}");
                let expected = "links that agree on both sides of an edge";
                return Err(Error::at(Code::LinkMismatch, stage, at, links_path.item(edge), found, expected));
            }
        }
    }
    Ok(())
}

fn read_link(source: &mut Slice<'_>, path: &Path<'_>, polygon_count: u64) -> Result<Option<u32>, Error> {
    let offset = source.offset();
    let value = source.read_i32(path)?;
    match u32::try_from(value) {
        Ok(polygon) if u64::from(polygon) < polygon_count => Ok(Some(polygon)),
        Err(_) if value == -1 => Ok(None),
        _ => {
            let expected = format_args!("-1, or 0 or more and below {polygon_count}");
            source.fail(Code::IndexOutOfRange, offset, path, value, expected)
        }
    }
}
