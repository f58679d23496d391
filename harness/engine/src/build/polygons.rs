//! Polygons: contours cut into triangles, triangles merged into convex polygons, polygons linked. SPEC.md, chapter BUILD.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::build::contours::{put_count, put_skipped};
use crate::build::holes::check_shape;
use crate::build::triangulate::{Plan, all_pairs, cross_properly, distance, doubled_area, edges_of, triangulate, turn};
use crate::build::{BRIDGE, Contour, ContourSet, Settings, SkipReason, Skipped, usize_of};

/// A convex polygon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polygon {
    /// Its corners, each once, the interior on the left of each edge. A corner may be in the middle of a straight side.
    pub vertices: Vec<u32>,
    /// For each edge (from a corner to the next one) the polygon on the other side.
    pub neighbours: Vec<Option<u32>>,
    /// The region that it is part of.
    pub region: u32,
    /// The area, 0 to 63.
    pub area: u8,
}

/// Convex polygons that share their vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolygonMesh {
    /// x in cell corners, height in cell heights, z in cell corners; each vertex once, in the order of first use.
    pub vertices: Vec<[i32; 3]>,
    /// Contour by contour, in the order of each polygon's first triangle.
    pub polygons: Vec<Polygon>,
    /// What the contour set had left out already, then the contours that could not be cut into triangles.
    pub skipped: Vec<Skipped>,
}

impl PolygonMesh {
    /// Canonical bytes, little-endian: number of vertices (u32), each with x, height, z (i32 each); number of polygons (u32), each
    /// with region (u32), area (u8), number of corners (u8), and for each corner the vertex (u32) and the neighbour (u32, 2^32 - 1
    /// where there is none); then the number of skipped contours (u32), each with region (u32) and reason (u8).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_count(&mut bytes, self.vertices.len());
        for value in self.vertices.iter().flatten() {
            bytes.extend(value.to_le_bytes());
        }
        put_count(&mut bytes, self.polygons.len());
        for polygon in &self.polygons {
            bytes.extend(polygon.region.to_le_bytes());
            bytes.push(polygon.area);
            bytes.push(u8::try_from(polygon.vertices.len()).unwrap_or(u8::MAX));
            for (corner, vertex) in polygon.vertices.iter().enumerate() {
                bytes.extend(vertex.to_le_bytes());
                let neighbour = polygon.neighbours.get(corner).copied().flatten();
                bytes.extend(neighbour.unwrap_or(u32::MAX).to_le_bytes());
            }
        }
        put_skipped(&mut bytes, &self.skipped);
        bytes
    }
}

/// Makes convex polygons of contours: each contour is cut into triangles by ear clipping, and triangles are merged across their
/// longest shared edge as long as the result is convex and has at most `max_verts_per_poly` corners (3 to 16).
///
/// Two polygons are linked where they share an edge: inside of their contour, or where each contour says that the other's region
/// is beyond. A contour that can't be cut is left out and
/// listed in [`PolygonMesh::skipped`]; the others are not affected. A spike (a corner where the contour turns back on itself)
/// and a repeated corner are cut off first.
#[must_use]
pub fn polygonize(set: &ContourSet, settings: &Settings) -> PolygonMesh {
    let mut mesh = PolygonMesh { skipped: set.skipped.clone(), ..PolygonMesh::default() };
    let limit = usize_of(settings.max_verts_per_poly).clamp(3, 16);
    let mut shared = Shared::default();
    let mut origins: Vec<Origin> = Vec::new();
    for (index, contour) in set.contours.iter().enumerate() {
        match contour_polygons(contour, limit, &mut shared) {
            Ok(parts) => {
                for (vertices, beyond) in parts {
                    let neighbours = vec![None; vertices.len()];
                    origins.push(Origin { contour: index, beyond });
                    mesh.polygons.push(Polygon { vertices, neighbours, region: contour.region, area: contour.area });
                }
            }
            Err(reason) => mesh.skipped.push(Skipped { region: contour.region, reason }),
        }
    }
    mesh.vertices = shared.vertices;
    link(&mut mesh.polygons, &origins);
    mesh
}

/// Where a polygon is from.
struct Origin {
    /// The contour.
    contour: usize,
    /// What is beyond each edge: `None` inside of the contour.
    beyond: Vec<Option<u32>>,
}

/// The vertices so far, each once.
#[derive(Default)]
struct Shared {
    vertices: Vec<[i32; 3]>,
    index: BTreeMap<[i32; 3], u32>,
}

impl Shared {
    fn add(&mut self, vertex: [i32; 3]) -> u32 {
        let next = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        let index = *self.index.entry(vertex).or_insert(next);
        if index == next {
            self.vertices.push(vertex);
        }
        index
    }
}

fn plan(vertex: [i32; 3]) -> Plan {
    [i64::from(vertex[0]), i64::from(vertex[2])]
}

/// A polygon's vertices, and what is beyond its edges.
type Part = (Vec<u32>, Vec<Option<u32>>);

fn contour_polygons(contour: &Contour, limit: usize, shared: &mut Shared) -> Result<Vec<Part>, SkipReason> {
    check_shape(contour)?;
    let corners = without_spikes(contour);
    let points: Vec<Plan> = corners.iter().map(|&(vertex, _)| plan(vertex)).collect();
    let area = doubled_area(&points);
    if corners.len() < 3 || area == 0 {
        return Err(SkipReason::NoArea);
    }
    if !all_pairs(&edges_of(&points).collect::<Vec<_>>(), |a, b| !cross_properly(a, b)) {
        return Err(SkipReason::Crossing);
    }
    if area < 0 {
        return Err(SkipReason::Reversed);
    }
    let triangles = triangulate(&points).ok_or(SkipReason::NoEar)?;
    let ids: Vec<u32> = corners.iter().map(|&(vertex, _)| shared.add(vertex)).collect();
    let mut labels: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (i, &(_, label)) in corners.iter().enumerate().filter(|(_, (_, label))| *label != BRIDGE) {
        labels.insert((ids[i], ids[(i + 1) % ids.len()]), label);
    }
    let mut merging = Merging::new(&shared.vertices, &labels, limit);
    for triangle in triangles {
        merging.add(triangle.iter().map(|&corner| ids[corner]).collect());
    }
    merging.run();
    let label = |polygon: &[u32], i: usize| labels.get(&(polygon[i], polygon[(i + 1) % polygon.len()])).copied();
    let polygons = merging.polygons.into_iter().filter(|polygon| !polygon.is_empty());
    Ok(polygons.map(|p| (p.clone(), (0..p.len()).map(|i| label(&p, i)).collect())).collect())
}

/// The corners, without those that repeat the one before and those where the contour turns back on itself.
fn without_spikes(contour: &Contour) -> Vec<([i32; 3], u32)> {
    let mut corners: Vec<([i32; 3], u32)> = Vec::new();
    let is_spike = |a: Plan, b: Plan, c: Plan| {
        let dot = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]);
        a == b || b == c || (turn(a, b, c) == 0 && dot > 0)
    };
    // The edge into a spike is dropped, the one out of it goes on from the corner before.
    let drop_last = |corners: &mut Vec<([i32; 3], u32)>| {
        if let (Some((_, label)), Some(before)) = (corners.pop(), corners.last_mut()) {
            before.1 = label;
        }
    };
    for (&vertex, &label) in contour.vertices.iter().zip(&contour.neighbours) {
        corners.push((vertex, label));
        while let [.., a, b, c] = corners[..] {
            if !is_spike(plan(a.0), plan(b.0), plan(c.0)) {
                break;
            }
            corners.pop();
            drop_last(&mut corners);
            corners.push(c);
        }
    }
    // The same across the seam.
    loop {
        match corners[..] {
            [first, second, .., before, last] => {
                if is_spike(plan(before.0), plan(last.0), plan(first.0)) {
                    drop_last(&mut corners);
                } else if is_spike(plan(last.0), plan(first.0), plan(second.0)) {
                    corners.remove(0);
                    if let Some(last) = corners.last_mut() {
                        last.1 = first.1;
                    }
                } else {
                    return corners;
                }
            }
            _ => return corners,
        }
    }
}

/// A shared edge that may go: squared length, the two polygons (lower first), their versions, the edge.
type Candidate = (i64, Reverse<[usize; 2]>, [u32; 2], (u32, u32));

/// The polygons of one contour while they are merged.
struct Merging<'a> {
    vertices: &'a [[i32; 3]],
    labels: &'a BTreeMap<(u32, u32), u32>,
    limit: usize,
    /// Empty where it has become part of another one.
    polygons: Vec<Vec<u32>>,
    versions: Vec<u32>,
    /// The polygon on the left of each edge.
    owner: BTreeMap<(u32, u32), usize>,
    heap: BinaryHeap<Candidate>,
}

impl<'a> Merging<'a> {
    fn new(vertices: &'a [[i32; 3]], labels: &'a BTreeMap<(u32, u32), u32>, limit: usize) -> Merging<'a> {
        let (polygons, versions) = (Vec::new(), Vec::new());
        Merging { vertices, labels, limit, polygons, versions, owner: BTreeMap::new(), heap: BinaryHeap::new() }
    }

    fn at(&self, vertex: u32) -> Plan {
        self.vertices.get(usize_of(vertex)).map_or([0, 0], |&v| plan(v))
    }

    fn add(&mut self, polygon: Vec<u32>) {
        let index = self.polygons.len();
        self.polygons.push(polygon);
        self.versions.push(0);
        self.offer(index);
    }

    /// Enters a polygon's edges, and offers those that it shares with another polygon.
    fn offer(&mut self, index: usize) {
        let polygon = self.polygons[index].clone();
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            self.owner.insert((a, b), index);
            let Some(&other) = self.owner.get(&(b, a)) else { continue };
            if other == index || self.labels.contains_key(&(a, b)) || self.labels.contains_key(&(b, a)) {
                continue;
            }
            let pair = if other < index { [other, index] } else { [index, other] };
            let edge = if pair[0] == index { (a, b) } else { (b, a) };
            let versions = pair.map(|i| self.versions[i]);
            self.heap.push((distance(self.at(a), self.at(b)), Reverse(pair), versions, edge));
        }
    }

    fn run(&mut self) {
        while let Some((_, Reverse([one, two]), versions, edge)) = self.heap.pop() {
            if [one, two].map(|i| self.versions[i]) != versions {
                continue;
            }
            if let Some(merged) = self.merged(one, two, edge) {
                self.polygons[one] = merged;
                self.polygons[two] = Vec::new();
                self.versions[one] += 1;
                self.versions[two] += 1;
                self.owner.remove(&edge);
                self.owner.remove(&(edge.1, edge.0));
                self.offer(one);
            }
        }
    }

    /// The two polygons as one, without the edge (in the direction of the first), where that is convex and not too big.
    fn merged(&self, one: usize, two: usize, edge: (u32, u32)) -> Option<Vec<u32>> {
        let (a, b) = (&self.polygons[one], &self.polygons[two]);
        if a.len() + b.len() - 2 > self.limit {
            return None;
        }
        let (from, to) = (a.iter().position(|&v| v == edge.1)?, b.iter().position(|&v| v == edge.0)?);
        // From the edge's end around the first one to the edge's start, then around the second one.
        let mut merged: Vec<u32> = a[from..].iter().chain(&a[..from]).copied().collect();
        let rest: Vec<u32> = b[to..].iter().chain(&b[..to]).copied().skip(1).take(b.len() - 2).collect();
        if rest.iter().any(|v| merged.contains(v)) {
            return None;
        }
        merged.extend(rest);
        let count = merged.len();
        let fits = [0, a.len() - 1].iter().all(|&i| {
            let [p, q, r] = [(i + count - 1) % count, i, (i + 1) % count].map(|i| self.at(merged[i]));
            let turn = turn(p, q, r);
            // A straight angle only along an axis: there world coordinates are exactly on one line too.
            turn > 0 || (turn == 0 && (p[0] == r[0] || p[1] == r[1]))
        });
        fits.then_some(merged)
    }
}

/// An edge from a vertex to the next one: of which polygon, and which of its edges.
type Edge = ((u32, u32), usize, usize);

/// Links polygons across the edges that they share. More than two may have an edge: polygons of regions that are not linked can
/// overlap, where their boundaries were simplified across each other.
fn link(polygons: &mut [Polygon], origins: &[Origin]) {
    let mut edges: Vec<Edge> = Vec::new();
    for (index, polygon) in polygons.iter().enumerate() {
        for (i, &a) in polygon.vertices.iter().enumerate() {
            edges.push(((a, polygon.vertices[(i + 1) % polygon.vertices.len()]), index, i));
        }
    }
    edges.sort_unstable();
    let open = |&(_, one, i): &Edge, &(_, two, j): &Edge| match (origins[one].beyond[i], origins[two].beyond[j]) {
        (None, None) => origins[one].contour == origins[two].contour && one != two,
        (Some(there), Some(here)) => there == polygons[two].region && here == polygons[one].region,
        _ => false,
    };
    let mut linked: Vec<[(usize, usize); 2]> = Vec::new();
    for forward in edges.chunk_by(|one, two| one.0 == two.0) {
        let Some(&((a, b), ..)) = forward.first().filter(|((a, b), ..)| a < b) else { continue };
        let start = edges.partition_point(|edge| edge.0 < (b, a));
        let back = &edges[start..];
        let back = &back[..back.iter().take_while(|edge| edge.0 == (b, a)).count()];
        for one in forward {
            let Some(two) = only(back.iter().filter(|two| open(one, two))) else { continue };
            if only(forward.iter().filter(|other| open(other, two))).is_some() {
                linked.push([(one.1, one.2), (two.1, two.2)]);
            }
        }
    }
    for [one, two] in linked {
        polygons[one.0].neighbours[one.1] = u32::try_from(two.0).ok();
        polygons[two.0].neighbours[two.1] = u32::try_from(one.0).ok();
    }
}

/// What there is, if it is one thing.
fn only<T>(mut things: impl Iterator<Item = T>) -> Option<T> {
    let first = things.next()?;
    things.next().is_none().then_some(first)
}
