//! The navigation mesh: polygons, their links, and what queries derive from them once. SPEC.md, chapters MESH and GEO.
//!
//! A mesh comes from polygon lists ([`NavMesh::from_polygons`], which refuses what is not a clean mesh) or from a snapshot
//! ([`NavMesh::from_snapshot`], any polygon soup that the reader accepts). Queries are total on both.

use replay_format::limits::{
    AREA_MAX, MESH_POLYGONS_MAX, MESH_VERTICES_MAX, POLYGON_VERTICES_MAX, POLYGON_VERTICES_MIN,
};
use replay_format::{MeshPolygon, MeshSnapshot, Point, WallEdge, check_point, xxh64};

use crate::QueryFilter;
use crate::geometry::{Bounds, cross, distance_squared, plan};
use crate::index::Tree;

/// "No polygon" on the other side of an edge.
const NO_LINK: u32 = u32::MAX;

/// A polygon to make a mesh from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolygonSpec {
    /// Indices of its corners, 3 to 16, each once, the interior on the left of each edge (see [`crate::cross`]).
    pub vertices: Vec<u32>,
    /// 0 to 63; 0 is not walkable.
    pub area: u8,
}

/// A place on the mesh: a polygon and a point on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The polygon.
    pub polygon: u32,
    /// The point, metres.
    pub point: Point,
}

/// An edge of a polygon, in the polygon's direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Vertex where it starts.
    pub(crate) a: u32,
    /// Vertex where it ends.
    pub(crate) b: u32,
    link: u32,
    /// Its length in plan, metres.
    pub(crate) length: f64,
}

impl Edge {
    /// The polygon on the other side.
    pub(crate) fn link(&self) -> Option<u32> {
        (self.link != NO_LINK).then_some(self.link)
    }
}

/// A navigation mesh.
#[derive(Clone, Debug)]
pub struct NavMesh {
    snapshot: MeshSnapshot,
    digest: u64,
    /// Edges of all polygons, one polygon after another.
    edges: Vec<Edge>,
    /// For each polygon its first edge, and at the end the number of edges.
    first: Vec<u32>,
    areas: Vec<u8>,
    bounds: Vec<Bounds>,
    /// For each vertex whether it touches a wall edge of a polygon whose area is not 0.
    boundary: Vec<bool>,
    tree: Tree,
}

impl NavMesh {
    /// Makes a mesh of revision 0. Polygons are linked where one has the edge (a, b) and the other (b, a), by vertex index.
    ///
    /// # Errors
    /// The first polygon that is refused, see [`MeshError`]; then an edge that two polygons have in the same direction.
    pub fn from_polygons(vertices: Vec<Point>, polygons: Vec<PolygonSpec>) -> Result<NavMesh, MeshError> {
        check_polygons(&vertices, &polygons)?;
        let links = link_polygons(&polygons)?;
        Ok(NavMesh::of_parts(vertices, polygons, links))
    }

    /// Makes a mesh of revision 0 with the links that are given, which must agree (`[MESH-10]`). Polygons that overlap may have an
    /// edge in the same direction.
    ///
    /// # Errors
    /// The first polygon that is refused, see [`MeshError`].
    pub(crate) fn from_linked(
        vertices: Vec<Point>,
        polygons: Vec<PolygonSpec>,
        links: Vec<Vec<Option<u32>>>,
    ) -> Result<NavMesh, MeshError> {
        check_polygons(&vertices, &polygons)?;
        Ok(NavMesh::of_parts(vertices, polygons, links))
    }

    fn of_parts(vertices: Vec<Point>, polygons: Vec<PolygonSpec>, links: Vec<Vec<Option<u32>>>) -> NavMesh {
        let polygons = polygons
            .into_iter()
            .zip(links)
            .map(|(spec, links)| MeshPolygon { vertices: spec.vertices, links, area: spec.area })
            .collect();
        NavMesh::from_snapshot(MeshSnapshot { revision: 0, vertices, polygons })
    }

    /// Makes a mesh of a snapshot that [`MeshSnapshot::read`] has checked. Nothing geometric is checked: polygons may be of zero
    /// area, not convex, wound the wrong way, on top of each other. Every query is total all the same.
    ///
    /// An index that the reader would have refused is taken for vertex (0, 0, 0), a link like that for none.
    #[must_use]
    pub fn from_snapshot(snapshot: MeshSnapshot) -> NavMesh {
        let count = snapshot.polygons.len();
        let mut mesh = NavMesh {
            digest: 0,
            edges: Vec::with_capacity(
                snapshot.polygons.iter().map(|p| p.vertices.len()).fold(0, usize::saturating_add),
            ),
            first: Vec::with_capacity(count.saturating_add(1)),
            areas: snapshot.polygons.iter().map(|p| p.area).collect(),
            bounds: Vec::with_capacity(count),
            boundary: Vec::new(),
            tree: Tree::default(),
            snapshot,
        };
        for (index, polygon) in mesh.snapshot.polygons.iter().enumerate() {
            mesh.first.push(index_of(mesh.edges.len()));
            for edge in 0..polygon.vertices.len() {
                let (a, b) = polygon.edge(edge);
                let link = polygon.links.get(edge).copied().flatten();
                let link = link.filter(|&l| index_of(index) != l && usize_of(l) < count).unwrap_or(NO_LINK);
                let length = distance_squared(plan(&mesh.vertex(a)), plan(&mesh.vertex(b))).sqrt();
                mesh.edges.push(Edge { a, b, link, length });
            }
            let mut corners = polygon.vertices.iter().map(|&v| vertex_of(&mesh.snapshot, v));
            let mut bounds = Bounds::of(corners.next().unwrap_or([0.0; 3]));
            corners.for_each(|corner| bounds.add(&corner));
            mesh.bounds.push(bounds);
        }
        mesh.first.push(index_of(mesh.edges.len()));
        mesh.tree = Tree::new(&mesh.bounds);
        mesh.refresh();
        mesh
    }

    /// The mesh as a snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &MeshSnapshot {
        &self.snapshot
    }

    /// The snapshot's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Counts are within the layout's limits where the snapshot was read or made by `from_polygons`.
        self.snapshot.write().unwrap_or_default()
    }

    /// XXH64 of the snapshot's bytes.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// How many times the mesh was edited, 0 or more.
    #[must_use]
    pub fn revision(&self) -> i64 {
        self.snapshot.revision
    }

    /// How many polygons there are.
    #[must_use]
    pub fn polygon_count(&self) -> usize {
        self.areas.len()
    }

    /// The area of a polygon, 0 to 63; 0 where there is no such polygon.
    #[must_use]
    pub fn area(&self, polygon: u32) -> u8 {
        self.areas.get(usize_of(polygon)).copied().unwrap_or(0)
    }

    /// Edits the mesh: gives a polygon another area (the same one counts as an edit too). The revision goes up by one, up to
    /// its end at 2^63 - 1; the digest changes with it.
    ///
    /// # Errors
    /// Where the polygon does not exist or the area is above 63. Nothing is changed then.
    pub fn set_area(&mut self, polygon: u32, area: u8) -> Result<(), MeshError> {
        if area > AREA_MAX {
            return Err(MeshError::Area { polygon: usize_of(polygon), area });
        }
        let index = usize_of(polygon);
        let (Some(own), Some(listed)) = (self.areas.get_mut(index), self.snapshot.polygons.get_mut(index)) else {
            return Err(MeshError::NoPolygon { polygon });
        };
        *own = area;
        listed.area = area;
        self.snapshot.revision = self.snapshot.revision.saturating_add(1);
        self.refresh();
        Ok(())
    }

    /// Whether a query may use a polygon: it exists, its area is not 0 and not excluded.
    #[must_use]
    pub fn is_walkable(&self, polygon: u32, filter: Option<&QueryFilter>) -> bool {
        let area = self.area(polygon);
        area != 0 && !filter.is_some_and(|filter| filter.excludes(area))
    }

    /// The plan ends (x, z) of a wall, in its polygon's direction: the interior is on the left. Twice (0, 0) where there is no
    /// such edge.
    #[must_use]
    pub fn wall_segment(&self, wall: WallEdge) -> ([f64; 2], [f64; 2]) {
        match self.edges_of(wall.polygon).get(usize::from(wall.edge)) {
            Some(edge) => (plan(&self.vertex(edge.a)), plan(&self.vertex(edge.b))),
            None => ([0.0; 2], [0.0; 2]),
        }
    }

    /// Which side of an edge a plan point is on: above 0 inside, 0 on its line, below 0 outside; twice the area of the triangle,
    /// square metres. 0 where there is no such edge.
    ///
    /// Computed from the edge's end with the lower vertex index to the other one, and negated where the polygon runs the other
    /// way: the two sides of a shared edge give exactly opposite numbers, so that no point falls between two polygons.
    #[must_use]
    pub fn orient(&self, polygon: u32, edge: usize, q: [f64; 2]) -> f64 {
        self.edges_of(polygon).get(edge).map_or(0.0, |edge| self.side(edge, q))
    }

    /// [`NavMesh::orient`] for an edge at hand.
    pub(crate) fn side(&self, edge: &Edge, q: [f64; 2]) -> f64 {
        let (a, b) = (plan(&self.vertex(edge.a)), plan(&self.vertex(edge.b)));
        if edge.a <= edge.b { cross(a, b, q) } else { -cross(b, a, q) }
    }

    pub(crate) fn edges_of(&self, polygon: u32) -> &[Edge] {
        let index = usize_of(polygon);
        let start = self.first.get(index).copied().map(usize_of);
        let end = index.checked_add(1).and_then(|next| self.first.get(next)).copied().map(usize_of);
        start.zip(end).and_then(|(start, end)| self.edges.get(start..end)).unwrap_or(&[])
    }

    pub(crate) fn vertex(&self, vertex: u32) -> Point {
        vertex_of(&self.snapshot, vertex)
    }

    /// The ends of an edge, the one with the lower vertex index first: the same from both sides.
    pub(crate) fn ends(&self, edge: &Edge) -> (Point, Point) {
        let (low, high) = if edge.a <= edge.b { (edge.a, edge.b) } else { (edge.b, edge.a) };
        (self.vertex(low), self.vertex(high))
    }

    /// The polygon behind an edge, where a query may go there; otherwise the edge is a wall.
    pub(crate) fn passage(&self, edge: &Edge, filter: Option<&QueryFilter>) -> Option<u32> {
        edge.link().filter(|&polygon| self.is_walkable(polygon, filter))
    }

    pub(crate) fn bounds(&self, polygon: u32) -> Option<&Bounds> {
        self.bounds.get(usize_of(polygon))
    }

    pub(crate) fn is_boundary(&self, vertex: u32) -> bool {
        self.boundary.get(usize_of(vertex)).copied().unwrap_or(false)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Derives again what an edit can change: the boundary flags and the digest.
    fn refresh(&mut self) {
        let mut boundary = vec![false; self.snapshot.vertices.len()];
        for polygon in (0..index_of(self.polygon_count())).filter(|&p| self.area(p) != 0) {
            for edge in self.edges_of(polygon) {
                if self.passage(edge, None).is_none() {
                    for vertex in [edge.a, edge.b] {
                        if let Some(flag) = boundary.get_mut(usize_of(vertex)) {
                            *flag = true;
                        }
                    }
                }
            }
        }
        self.boundary = boundary;
        self.digest = xxh64(&self.to_bytes());
    }
}

fn vertex_of(snapshot: &MeshSnapshot, vertex: u32) -> Point {
    snapshot.vertices.get(usize_of(vertex)).copied().unwrap_or([0.0; 3])
}

fn usize_of(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn index_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn exceeds(count: usize, max: u64) -> bool {
    u64::try_from(count).unwrap_or(u64::MAX) > max
}

/// What [`NavMesh::from_polygons`] refuses before it looks at links.
fn check_polygons(vertices: &[Point], polygons: &[PolygonSpec]) -> Result<(), MeshError> {
    if exceeds(vertices.len(), MESH_VERTICES_MAX) {
        return Err(MeshError::TooManyVertices { count: vertices.len() });
    }
    if exceeds(polygons.len(), MESH_POLYGONS_MAX) {
        return Err(MeshError::TooManyPolygons { count: polygons.len() });
    }
    if let Some(vertex) = vertices.iter().position(|v| check_point(v).is_err()) {
        return Err(MeshError::Vertex { vertex });
    }
    polygons.iter().enumerate().try_for_each(|(index, polygon)| check_polygon(vertices, index, polygon))
}

/// Corner count, area, indices, repetition, then the shape: area above 0, and no corner right of any edge.
fn check_polygon(vertices: &[Point], index: usize, spec: &PolygonSpec) -> Result<(), MeshError> {
    let corners = spec.vertices.len();
    if corners < usize::from(POLYGON_VERTICES_MIN) || corners > usize::from(POLYGON_VERTICES_MAX) {
        return Err(MeshError::CornerCount { polygon: index, count: corners });
    }
    if spec.area > AREA_MAX {
        return Err(MeshError::Area { polygon: index, area: spec.area });
    }
    let mut points = Vec::with_capacity(corners);
    for (corner, &vertex) in spec.vertices.iter().enumerate() {
        let point = vertices.get(usize_of(vertex)).ok_or(MeshError::Index { polygon: index, vertex })?;
        if spec.vertices[..corner].contains(&vertex) {
            return Err(MeshError::RepeatedVertex { polygon: index, vertex });
        }
        points.push(plan(point));
    }
    let mut area = 0.0;
    for corner in 1..corners - 1 {
        area += cross(points[0], points[corner], points[corner + 1]);
    }
    if area <= 0.0 {
        return Err(MeshError::Orientation { polygon: index });
    }
    for corner in 0..corners {
        let (a, b) = (points[corner], points[(corner + 1) % corners]);
        if points.iter().any(|&q| cross(a, b, q) < 0.0) {
            return Err(MeshError::NotConvex { polygon: index });
        }
    }
    Ok(())
}

/// For each polygon the links of its edges.
fn link_polygons(polygons: &[PolygonSpec]) -> Result<Vec<Vec<Option<u32>>>, MeshError> {
    let edge_of = |polygon: &PolygonSpec, edge: usize| {
        let corners = polygon.vertices.len();
        (polygon.vertices[edge], polygon.vertices[(edge + 1) % corners])
    };
    let mut edges = Vec::new();
    for (index, polygon) in polygons.iter().enumerate() {
        for edge in 0..polygon.vertices.len() {
            edges.push((edge_of(polygon, edge), index_of(index)));
        }
    }
    edges.sort_unstable();
    for (one, two) in edges.iter().zip(edges.iter().skip(1)) {
        if one.0 == two.0 {
            let ((a, b), polygons) = (one.0, [usize_of(one.1), usize_of(two.1)]);
            return Err(MeshError::SharedEdge { polygons, a, b });
        }
    }
    let link = |(a, b): (u32, u32)| {
        let found = edges.binary_search_by(|&(edge, _)| edge.cmp(&(b, a))).ok()?;
        edges.get(found).map(|&(_, polygon)| polygon)
    };
    Ok(polygons.iter().map(|p| (0..p.vertices.len()).map(|edge| link(edge_of(p, edge))).collect()).collect())
}

/// Why a mesh, or an edit of one, is refused. Polygons and vertices are named by index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// More than 8,000,000 vertices.
    #[error("{count} vertices; a mesh has at most 8,000,000")]
    TooManyVertices {
        /// How many.
        count: usize,
    },
    /// More than 4,000,000 polygons.
    #[error("{count} polygons; a mesh has at most 4,000,000")]
    TooManyPolygons {
        /// How many.
        count: usize,
    },
    /// A coordinate is not finite, or its magnitude is 2^21 or more.
    #[error("vertex {vertex} has a coordinate that is not finite or not below 2^21 in magnitude")]
    Vertex {
        /// The vertex.
        vertex: usize,
    },
    /// Fewer than 3 or more than 16 corners.
    #[error("polygon {polygon} has {count} corners; it must have 3 to 16")]
    CornerCount {
        /// The polygon.
        polygon: usize,
        /// How many.
        count: usize,
    },
    /// The area is above 63.
    #[error("polygon {polygon} has area {area}; areas are 0 to 63")]
    Area {
        /// The polygon.
        polygon: usize,
        /// The area.
        area: u8,
    },
    /// A corner names a vertex that does not exist.
    #[error("polygon {polygon} names vertex {vertex}, which does not exist")]
    Index {
        /// The polygon.
        polygon: usize,
        /// The vertex.
        vertex: u32,
    },
    /// Two corners name the same vertex.
    #[error("polygon {polygon} names vertex {vertex} twice")]
    RepeatedVertex {
        /// The polygon.
        polygon: usize,
        /// The vertex.
        vertex: u32,
    },
    /// The corners run the wrong way round, or enclose nothing.
    #[error("polygon {polygon} has no area, or its interior is not on the left of its edges")]
    Orientation {
        /// The polygon.
        polygon: usize,
    },
    /// A corner lies outside of an edge.
    #[error("polygon {polygon} is not convex")]
    NotConvex {
        /// The polygon.
        polygon: usize,
    },
    /// Two polygons have the same edge in the same direction: they overlap.
    #[error("polygons {} and {} both have the edge from vertex {a} to {b}", polygons[0], polygons[1])]
    SharedEdge {
        /// The two polygons.
        polygons: [usize; 2],
        /// Where the edge starts.
        a: u32,
        /// Where it ends.
        b: u32,
    },
    /// The polygon does not exist.
    #[error("there is no polygon {polygon}")]
    NoPolygon {
        /// Its index.
        polygon: u32,
    },
}
