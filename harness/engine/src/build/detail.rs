//! Detail: triangles per polygon that follow the heights of the spans. SPEC.md, chapter BUILD.
//!
//! Places are whole numbers of 1/64 cell and heights whole numbers of cell heights, so that which triangle a place is in is exact.
//! Every height is a corner's or a span's floor: nothing is ever extrapolated.

use crate::Point;
use crate::build::contours::{Surface, put_count};
use crate::build::finish::world;
use crate::build::triangulate::{Plan, distance, triangulate, turn};
use crate::build::{COORDINATE_MAX, CompactHeightfield, Polygon, PolygonMesh, RegionMap, Settings, usize_of};

/// Places per cell.
const SCALE: i64 = 64;
/// The most parts that an edge is sampled in.
const EDGE_PARTS_MAX: i64 = 32;
/// The most places sampled inside of a polygon: above it the distance between them is doubled.
const SAMPLES_MAX: i64 = 1024;
/// The most places inside of a polygon that become vertices.
const INNER_MAX: usize = 128;

/// The triangles of one polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailPolygon {
    /// World points: the polygon's corners in its order, then places on its edges, then places inside.
    pub vertices: Vec<Point>,
    /// Indices into `vertices`, the interior on the left of each edge.
    pub triangles: Vec<[u32; 3]>,
}

/// The triangles of all polygons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailMesh {
    /// One for each polygon, in their order.
    pub polygons: Vec<DetailPolygon>,
}

impl DetailMesh {
    /// Canonical bytes, little-endian: number of polygons (u32); each with the number of vertices (u32), x, y, z of each (f64), the
    /// number of triangles (u32) and the three indices of each (u32).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_count(&mut bytes, self.polygons.len());
        for polygon in &self.polygons {
            put_count(&mut bytes, polygon.vertices.len());
            for value in polygon.vertices.iter().flatten() {
                bytes.extend(value.to_bits().to_le_bytes());
            }
            put_count(&mut bytes, polygon.triangles.len());
            for index in polygon.triangles.iter().flatten() {
                bytes.extend(index.to_le_bytes());
            }
        }
        bytes
    }
}

/// Samples heights along each polygon's edges and inside of it, at `detail_sample_distance` (at least a cell), and makes vertices
/// of the places that are farther than `detail_max_error` above or below the triangles without them. At distance 0 nothing is
/// sampled: a polygon of n corners is n - 2 triangles.
///
/// The work is bounded: at most 32 parts an edge, 1024 samples a polygon, 128 vertices inside.
#[must_use]
pub fn detail(
    mesh: &PolygonMesh,
    compact: &CompactHeightfield,
    regions: &RegionMap,
    settings: &Settings,
) -> DetailMesh {
    let surface = Surface::new(compact, regions);
    let sampler = Sampler::new(mesh, &surface, settings);
    let polygons = mesh.polygons.iter().map(|polygon| {
        let patch = sampler.patch(polygon);
        let index = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let place = |v: &Vertex| world(compact, [cells(v.place[0]), f64::from(v.height), cells(v.place[1])]);
        DetailPolygon {
            vertices: patch.vertices.iter().map(place).collect(),
            triangles: patch.triangles.iter().map(|t| t.map(index)).collect(),
        }
    });
    DetailMesh { polygons: polygons.collect() }
}

/// A number of 1/64 cells, as cells: exact, because it is below 2^53.
fn cells(value: i64) -> f64 {
    value as f64 / SCALE as f64
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    place: Plan,
    height: i32,
}

struct Sampler<'a> {
    mesh: &'a PolygonMesh,
    surface: &'a Surface<'a>,
    /// Distance between samples in 1/64 cells; `None`: no samples.
    step: Option<i64>,
    /// Largest error, in cell heights.
    error: f64,
}

impl<'a> Sampler<'a> {
    fn new(mesh: &'a PolygonMesh, surface: &'a Surface<'a>, settings: &Settings) -> Sampler<'a> {
        // A cast from f64 cuts to the range of i64, and makes 0 of NaN.
        let step = ((settings.detail_sample_distance / settings.cell_size) * SCALE as f64).floor() as i64;
        let step = (settings.detail_sample_distance > 0.0).then_some(step.clamp(SCALE, SCALE << 24));
        Sampler { mesh, surface, step, error: settings.detail_max_error / settings.cell_height }
    }

    fn vertex(&self, index: u32) -> Vertex {
        let [x, height, z] = self.mesh.vertices.get(usize_of(index)).copied().unwrap_or_default();
        let scaled = |c: i32| i64::from(c.clamp(-COORDINATE_MAX, COORDINATE_MAX)) * SCALE;
        Vertex { place: [scaled(x), scaled(z)], height }
    }

    fn patch(&self, polygon: &Polygon) -> Patch {
        let corners: Vec<Vertex> = polygon.vertices.iter().map(|&v| self.vertex(v)).collect();
        let plain = Patch::new(corners.clone(), &(0..corners.len()).collect::<Vec<_>>());
        let Some(step) = self.step else { return plain.unwrap_or(Patch::bare(corners)) };
        let (mut vertices, mut hull) = (corners.clone(), Vec::new());
        for corner in 0..corners.len() {
            hull.push(corner);
            for vertex in self.edge(polygon, corner, step) {
                hull.push(vertices.len());
                vertices.push(vertex);
            }
        }
        // Places on a slanted edge are rounded; where that breaks a very thin polygon, its edges stay as they are.
        let Some(mut patch) = Patch::new(vertices, &hull).or(plain) else { return Patch::bare(corners) };
        let samples = self.samples(polygon, &corners, &patch, step);
        patch.refine(samples, self.error);
        patch
    }

    /// The vertices inside of an edge, from its start to its end. They are found from the end with the lower index, in the spans
    /// of the regions on both sides, so that both polygons find the same ones.
    fn edge(&self, polygon: &Polygon, corner: usize, step: i64) -> Vec<Vertex> {
        let (a, b) = (polygon.vertices[corner], polygon.vertices[(corner + 1) % polygon.vertices.len()]);
        let other = polygon.neighbours.get(corner).copied().flatten();
        let other = other.and_then(|other| self.mesh.polygons.get(usize_of(other))).map(|p| p.region);
        let allowed = [polygon.region, other.unwrap_or(polygon.region)];
        let (from, to) = (self.vertex(a.min(b)), self.vertex(a.max(b)));
        let length = (distance(from.place, to.place) as f64).sqrt();
        let parts = ((length / step as f64).floor() as i64 + 1).clamp(1, EDGE_PARTS_MAX);
        let mut line = vec![from];
        for part in 1..parts {
            let along = |axis: usize| {
                let way = to.place[axis] - from.place[axis];
                from.place[axis] + (way * part + parts / 2).div_euclid(parts)
            };
            let place = [along(0), along(1)];
            let expected = between(&from, &to, part as f64 / parts as f64);
            // A place on the line between two columns is in both.
            let columns = [-1, 0].map(|dz| [-1, 0].map(|dx| [place[0] + dx, place[1] + dz]));
            if let Some(height) = self.height(columns.as_flattened(), allowed, expected) {
                line.push(Vertex { place, height });
            }
        }
        line.push(to);
        let mut kept = self.bends(&line);
        if a > b {
            kept.reverse();
        }
        kept
    }

    /// The vertices inside of a line that it needs to stay within the error: the farthest one first, of equal ones the first.
    fn bends(&self, line: &[Vertex]) -> Vec<Vertex> {
        let mut kept = Vec::new();
        let mut from = 0;
        let mut ahead = vec![line.len() - 1];
        while let Some(&to) = ahead.last() {
            let (a, b) = (&line[from], &line[to]);
            let length = (distance(a.place, b.place) as f64).sqrt();
            let mut worst = (self.error, None);
            for (index, vertex) in line.iter().enumerate().take(to).skip(from + 1) {
                let t = (distance(a.place, vertex.place) as f64).sqrt() / length;
                let off = (f64::from(vertex.height) - between(a, b, t)).abs();
                if off > worst.0 {
                    worst = (off, Some(index));
                }
            }
            match worst.1 {
                Some(index) => ahead.push(index),
                None => {
                    kept.push(line[to]);
                    from = to;
                    ahead.pop();
                }
            }
        }
        kept.pop();
        kept
    }

    /// The floor that is closest to what is expected, of the spans of two regions in the columns of some places; of equally close
    /// ones the lowest.
    fn height(&self, places: &[Plan], regions: [u32; 2], expected: f64) -> Option<i32> {
        let mut best: Option<(f64, i32)> = None;
        for place in places {
            let column = self.surface.column(place[0].div_euclid(SCALE), place[1].div_euclid(SCALE));
            for span in column.filter(|&span| regions.contains(&self.surface.region(span))) {
                let floor = self.surface.floor(span);
                let off = (f64::from(floor) - expected).abs();
                if best.is_none_or(|(least, lowest)| off < least || (off == least && floor < lowest)) {
                    best = Some((off, floor));
                }
            }
        }
        best.map(|(_, floor)| floor)
    }

    /// The places inside of a polygon, at least half a step from its edges, on a grid that all polygons share.
    fn samples(&self, polygon: &Polygon, corners: &[Vertex], patch: &Patch, step: i64) -> Vec<Sample> {
        let range = |axis: usize| {
            let low = corners.iter().map(|c| c.place[axis]).min().unwrap_or(0);
            let high = corners.iter().map(|c| c.place[axis]).max().unwrap_or(0);
            (low, high)
        };
        let (x, z) = (range(0), range(1));
        let mut step = step;
        while ((x.1 - x.0) / step + 1) * ((z.1 - z.0) / step + 1) > SAMPLES_MAX {
            step *= 2;
        }
        let ends = |(low, high): (i64, i64)| (low.div_euclid(step), high.div_euclid(step));
        let mut samples = Vec::new();
        for row in ends(z).0..=ends(z).1 {
            for column in ends(x).0..=ends(x).1 {
                let place = [column * step, row * step];
                let clear = |i: usize| {
                    let (a, b) = (corners[i].place, corners[(i + 1) % corners.len()].place);
                    let side = i128::from(turn(a, b, place));
                    let half = i128::from(step / 2);
                    side > 0 && side * side >= half * half * i128::from(distance(a, b))
                };
                if !(0..corners.len()).all(clear) {
                    continue;
                }
                let Some(triangle) = (0..patch.triangles.len()).find(|&t| patch.holds(t, place)) else { continue };
                let expected = patch.height(triangle, place);
                if let Some(height) = self.height(&[place], [polygon.region; 2], expected) {
                    samples.push(Sample { vertex: Vertex { place, height }, triangle, used: false });
                }
            }
        }
        samples
    }
}

/// The height at `t` of the way.
fn between(a: &Vertex, b: &Vertex, t: f64) -> f64 {
    f64::from(a.height) + (f64::from(b.height) - f64::from(a.height)) * t
}

/// A place with its height, and the triangle that it is in.
struct Sample {
    vertex: Vertex,
    triangle: usize,
    used: bool,
}

/// A polygon's triangles.
struct Patch {
    vertices: Vec<Vertex>,
    triangles: Vec<[usize; 3]>,
}

impl Patch {
    fn new(vertices: Vec<Vertex>, hull: &[usize]) -> Option<Patch> {
        let places: Vec<Plan> = hull.iter().map(|&i| vertices[i].place).collect();
        let triangles = triangulate(&places)?.iter().map(|t| t.map(|i| hull[i])).collect();
        Some(Patch { vertices, triangles })
    }

    /// Corners without triangles, for what is no polygon.
    fn bare(vertices: Vec<Vertex>) -> Patch {
        Patch { vertices, triangles: Vec::new() }
    }

    fn place(&self, vertex: usize) -> Plan {
        self.vertices[vertex].place
    }

    /// For each edge of a triangle twice the area between it and `q`.
    fn sides(&self, triangle: usize, q: Plan) -> [i64; 3] {
        let [a, b, c] = self.triangles[triangle].map(|v| self.place(v));
        [turn(a, b, q), turn(b, c, q), turn(c, a, q)]
    }

    fn holds(&self, triangle: usize, q: Plan) -> bool {
        self.sides(triangle, q).iter().all(|&side| side >= 0)
    }

    fn height(&self, triangle: usize, q: Plan) -> f64 {
        let [c, a, b] = self.sides(triangle, q).map(|side| side as f64);
        let heights = self.triangles[triangle].map(|v| f64::from(self.vertices[v].height));
        ((a * heights[0] + b * heights[1]) + c * heights[2]) / ((a + b) + c)
    }

    /// Makes vertices of samples, the one with the largest error first (of equal ones the first), until none is above `error`.
    fn refine(&mut self, mut samples: Vec<Sample>, error: f64) {
        let off =
            |patch: &Patch, s: &Sample| (f64::from(s.vertex.height) - patch.height(s.triangle, s.vertex.place)).abs();
        let mut errors: Vec<f64> = samples.iter().map(|s| off(self, s)).collect();
        for _ in 0..INNER_MAX {
            let mut worst = (error, None);
            for (index, &value) in errors.iter().enumerate() {
                if !samples[index].used && value > worst.0 {
                    worst = (value, Some(index));
                }
            }
            let Some(index) = worst.1 else { break };
            samples[index].used = true;
            let changed = self.insert(samples[index].vertex, samples[index].triangle);
            for (sample, error) in samples.iter_mut().zip(&mut errors) {
                if !sample.used && changed.binary_search(&sample.triangle).is_ok() {
                    let now = changed.iter().copied().find(|&t| self.holds(t, sample.vertex.place));
                    sample.triangle = now.unwrap_or(sample.triangle);
                    *error = off(self, sample);
                }
            }
        }
    }

    /// Adds a vertex inside of a triangle, or on an edge of it, and turns the diagonals around it that get shorter by that. Gives
    /// the triangles that changed, ascending.
    fn insert(&mut self, vertex: Vertex, triangle: usize) -> Vec<usize> {
        let new = self.vertices.len();
        let sides = self.sides(triangle, vertex.place);
        let [a, b, c] = self.triangles[triangle];
        let mut around = vec![(triangle, [(a, b), (b, c), (c, a)])];
        if let Some(edge) = sides.iter().position(|&side| side == 0) {
            let (u, v) = around[0].1[edge];
            let Some((other, w)) = self.across(u, v) else { return Vec::new() };
            around.push((other, [(v, u), (u, w), (w, v)]));
        }
        self.vertices.push(vertex);
        let (mut changed, mut open) = (Vec::new(), Vec::new());
        for (old, edges) in around {
            let mut slot = Some(old);
            for (u, v) in edges {
                if turn(self.place(u), self.place(v), vertex.place) <= 0 {
                    continue;
                }
                let index = slot.take().unwrap_or(self.triangles.len());
                if index == self.triangles.len() {
                    self.triangles.push([new, u, v]);
                } else {
                    self.triangles[index] = [new, u, v];
                }
                changed.push(index);
                open.push(index);
            }
        }
        // Each turn makes the diagonals shorter in sum, so there is an end.
        while let Some(index) = open.pop() {
            let [_, u, v] = self.triangles[index];
            let Some((other, w)) = self.across(u, v) else { continue };
            let [p, pu, pv, pw] = [new, u, v, w].map(|i| self.place(i));
            if turn(p, pu, pw) > 0 && turn(p, pw, pv) > 0 && distance(p, pw) < distance(pu, pv) {
                self.triangles[index] = [new, u, w];
                self.triangles[other] = [new, w, v];
                changed.push(other);
                open.extend([index, other]);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The triangle on the other side of an edge, and its third vertex.
    fn across(&self, u: usize, v: usize) -> Option<(usize, usize)> {
        self.triangles.iter().enumerate().find_map(|(index, &[a, b, c])| {
            [(a, b, c), (b, c, a), (c, a, b)]
                .into_iter()
                .find(|&(x, y, _)| (x, y) == (v, u))
                .map(|(_, _, w)| (index, w))
        })
    }
}
