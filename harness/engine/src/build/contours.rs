//! Contours: the boundaries of the regions, simplified, holes merged into their outlines. SPEC.md, chapter BUILD.
//!
//! The spans of a region are the faces of a mesh of unit squares; a side without a linked span of the same region is a boundary
//! edge, its span on the left. Boundary edges follow each other around corners, so that every edge is on exactly one loop. Loops
//! are cut into chains where the region on the other side changes. A chain between two regions is simplified once, for both.

use crate::build::simplify::{Chain, assemble};
use crate::build::{COORDINATE_MAX, CompactHeightfield, NO_SPAN, RegionMap, Settings, usize_of};

/// The label of a contour's edge that is on no boundary: one side of the cut that joins a hole to its outline.
pub const BRIDGE: u32 = u32::MAX;

/// The boundary of a region, or of one part of it: a loop with the interior on the left of each edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contour {
    /// The region, 1 or more.
    pub region: u32,
    /// The area of the region's first span.
    pub area: u8,
    /// Its corners: x in cell corners, height in cell heights, z in cell corners.
    pub vertices: Vec<[i32; 3]>,
    /// For each corner what is beyond the edge that starts there: a region, 0 for a wall, [`BRIDGE`].
    pub neighbours: Vec<u32>,
}

/// Why a contour, or a part of one, was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It encloses nothing: fewer than 3 corners, or all on one line.
    NoArea,
    /// Its interior is on the right of its edges.
    Reversed,
    /// It crosses or overlaps itself, or one of its holes.
    Crossing,
    /// A hole that no outline of its region encloses.
    HoleOutside,
    /// A hole that no cut joins to its outline.
    NoBridge,
    /// A coordinate's magnitude is above [`crate::build::COORDINATE_MAX`].
    OutOfRange,
    /// As many neighbours as corners are needed, or the area is above 63.
    Malformed,
    /// No ear is left to cut, though more than three corners are.
    NoEar,
}

/// A contour, or a part of one, that was left out. The others are not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its region.
    pub region: u32,
    /// Why.
    pub reason: SkipReason,
}

/// The contours of all regions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContourSet {
    /// By region; the outlines of one region in the order in which their first spans come.
    pub contours: Vec<Contour>,
    /// What was left out, by region.
    pub skipped: Vec<Skipped>,
}

impl ContourSet {
    /// Canonical bytes, little-endian: number of contours (u32); each with region (u32), area (u8), number of corners (u32), and
    /// for each corner x, height, z (i32 each) and the neighbour (u32); then the number of skipped ones (u32), each with region
    /// (u32) and reason (u8, in the order of [`SkipReason`] from 0).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_count(&mut bytes, self.contours.len());
        for contour in &self.contours {
            bytes.extend(contour.region.to_le_bytes());
            bytes.push(contour.area);
            put_count(&mut bytes, contour.vertices.len());
            for (corner, vertex) in contour.vertices.iter().enumerate() {
                for value in vertex {
                    bytes.extend(value.to_le_bytes());
                }
                bytes.extend(contour.neighbours.get(corner).copied().unwrap_or(0).to_le_bytes());
            }
        }
        put_skipped(&mut bytes, &self.skipped);
        bytes
    }
}

pub(super) fn put_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

pub(super) fn put_skipped(bytes: &mut Vec<u8>, skipped: &[Skipped]) {
    put_count(bytes, skipped.len());
    for skip in skipped {
        bytes.extend(skip.region.to_le_bytes());
        bytes.push(skip.reason as u8);
    }
}

/// Traces the boundary of each region, simplifies it, and merges holes into their outlines.
///
/// Total on every input: a neighbour that does not point back, or is not in the column beside, counts as none; so does a region
/// for a span that has none.
#[must_use]
pub fn contours(compact: &CompactHeightfield, regions: &RegionMap, settings: &Settings) -> ContourSet {
    let surface = Surface::new(compact, regions);
    let loops = surface.loops();
    let traced = chains(&surface, &loops, settings);
    assemble(traced, settings)
}

/// "No edge", "no chain".
const NONE: usize = usize::MAX;

/// The spans as a mesh of squares. An edge is `span * 4 + side`; the sides 3, 2, 1, 0 follow each other with the span on the
/// left.
pub(super) struct Surface<'a> {
    compact: &'a CompactHeightfield,
    regions: &'a [u32],
    /// For each span its x and z.
    place: Vec<Option<[i32; 2]>>,
}

/// The boundary edges, numbered by span and side. Most spans have none: what is kept for each edge is kept for these only.
struct Boundary {
    /// For each span its sides that are boundary edges, a bit each.
    sides: Vec<u8>,
    /// For each span how many boundary edges there are before its own.
    first: Vec<u32>,
    /// How many there are.
    count: usize,
}

impl Boundary {
    fn has(&self, edge: usize) -> bool {
        self.sides.get(edge / 4).is_some_and(|sides| sides >> (edge % 4) & 1 == 1)
    }

    /// The number of an edge, where it is a boundary edge.
    fn number(&self, edge: usize) -> Option<usize> {
        let before = |sides: u8| (sides & ((1 << (edge % 4)) - 1)).count_ones();
        self.has(edge).then(|| usize_of(self.first[edge / 4] + before(self.sides[edge / 4])))
    }
}

/// The loops of boundary edges.
struct Loops {
    all: Vec<Vec<usize>>,
    boundary: Boundary,
    /// For each boundary edge the one that follows it.
    next: Vec<usize>,
}

impl Loops {
    fn next(&self, edge: usize) -> usize {
        self.boundary.number(edge).map_or(NONE, |number| self.next[number])
    }
}

impl<'a> Surface<'a> {
    pub(super) fn new(compact: &'a CompactHeightfield, regions: &'a RegionMap) -> Surface<'a> {
        let mut place = vec![None; compact.spans.len()];
        // A grid that is wider than any coordinate may be has its places in the first row only.
        let width = i32::try_from(compact.width.max(1)).unwrap_or(i32::MAX);
        let (mut x, mut z) = (0, 0);
        for ends in compact.columns.windows(2) {
            let spans = place.get_mut(usize_of(ends[0])..usize_of(ends[1]));
            if let (0..COORDINATE_MAX, 0..COORDINATE_MAX, Some(spans)) = (x, z, spans) {
                spans.fill(Some([x, z]));
            }
            x += 1;
            if x == width {
                (x, z) = (0, z + 1);
            }
        }
        Surface { compact, regions: &regions.regions, place }
    }

    pub(super) fn region(&self, span: usize) -> u32 {
        if self.place[span].is_none() { 0 } else { self.regions.get(span).copied().unwrap_or(0) }
    }

    pub(super) fn floor(&self, span: usize) -> i32 {
        self.compact.spans[span].floor
    }

    /// The spans of a column.
    pub(super) fn column(&self, x: i64, z: i64) -> std::ops::Range<usize> {
        let inside = x >= 0 && z >= 0 && x < i64::from(self.compact.width) && z < i64::from(self.compact.depth);
        let ends = || {
            let index = usize::try_from(x + z * i64::from(self.compact.width)).ok()?;
            Some(usize_of(*self.compact.columns.get(index)?)..usize_of(*self.compact.columns.get(index + 1)?))
        };
        let spans = if inside { ends().unwrap_or(0..0) } else { 0..0 };
        if spans.end <= self.compact.spans.len() { spans } else { 0..0 }
    }

    /// The neighbour on a side (0 to 3), where it is beside the span and points back.
    pub(super) fn linked(&self, span: usize, side: usize) -> Option<usize> {
        let neighbour = self.compact.spans[span].neighbours[side];
        if neighbour == NO_SPAN {
            return None;
        }
        let [x, z] = self.place[span]?;
        let beside = match side {
            0 => [x - 1, z],
            1 => [x, z + 1],
            2 => [x + 1, z],
            _ => [x, z - 1],
        };
        let other = usize_of(neighbour);
        let back = self.compact.spans.get(other)?.neighbours[opposite(side)];
        (usize_of(back) == span && self.place[other] == Some(beside)).then_some(other)
    }

    /// Which edges are boundary edges.
    fn boundary(&self) -> Boundary {
        let count = self.compact.spans.len();
        let mut sides: Vec<u8> = (0..count).map(|span| if self.region(span) == 0 { 0 } else { 15 }).collect();
        for span in 0..count {
            // A link leads back, so half of the sides tell about all.
            for side in [1, 2] {
                let other = self.compact.spans[span].neighbours[side];
                // Most others are of another region, or none: only those of the same one need a closer look.
                let region = self.regions.get(usize_of(other)).copied().unwrap_or(0);
                if sides[span] != 0 && region == self.regions[span] && self.linked(span, side).is_some() {
                    sides[span] &= !(1 << side);
                    sides[usize_of(other)] &= !(1 << opposite(side));
                }
            }
        }
        let mut boundary = Boundary { sides, first: Vec::with_capacity(count), count: 0 };
        let mut edges = 0_u32;
        for sides in &boundary.sides {
            boundary.first.push(edges);
            edges += sides.count_ones();
        }
        boundary.count = usize_of(edges);
        boundary
    }

    /// The region beyond a boundary edge, 0 for a wall.
    fn beyond(&self, edge: usize) -> u32 {
        self.linked(edge / 4, edge % 4).map_or(0, |other| self.region(other))
    }

    fn twin(&self, edge: usize) -> usize {
        self.linked(edge / 4, edge % 4).map_or(NONE, |other| other * 4 + opposite(edge % 4))
    }

    /// The boundary edge that starts where a boundary edge ends: of those around that corner the first one from the left.
    fn follow(&self, edge: usize, boundary: &Boundary) -> usize {
        let mut next = edge / 4 * 4 + (edge + 3) % 4;
        // Links go both ways, so going around a corner is a permutation of its edges: it comes to an end at `edge` at the latest.
        while !boundary.has(next) {
            let other = usize_of(self.compact.spans[next / 4].neighbours[next % 4]);
            next = other * 4 + (opposite(next % 4) + 3) % 4;
        }
        next
    }

    fn loops(&self) -> Loops {
        let boundary = self.boundary();
        let mut next = vec![NONE; boundary.count];
        let mut all = Vec::new();
        for span in (0..self.compact.spans.len()).filter(|&span| boundary.sides[span] != 0) {
            for edge in [3, 2, 1, 0].map(|side| span * 4 + side) {
                let mut edges = Vec::new();
                let mut at = edge;
                while let Some(number) = boundary.number(at).filter(|&number| next[number] == NONE) {
                    edges.push(at);
                    at = self.follow(at, &boundary);
                    next[number] = at;
                }
                if !edges.is_empty() {
                    all.push(edges);
                }
            }
        }
        Loops { all, boundary, next }
    }

    /// Where an edge starts: x, z in cell corners, and the highest floor of the spans that are linked around that corner, at
    /// most three steps either way.
    fn start(&self, edge: usize) -> [i32; 3] {
        let [x, z] = self.place[edge / 4].unwrap_or([0, 0]);
        let (x, z) = match edge % 4 {
            3 => (x, z),
            2 => (x + 1, z),
            1 => (x + 1, z + 1),
            _ => (x, z + 1),
        };
        let mut height = self.floor(edge / 4);
        for backwards in [false, true] {
            let (mut span, mut side) = (edge / 4, edge % 4);
            for _ in 0..3 {
                let across = if backwards { (side + 1) % 4 } else { side };
                let Some(other) = self.linked(span, across) else { break };
                (span, side) = (other, (side + if backwards { 3 } else { 1 }) % 4);
                height = height.max(self.floor(span));
            }
        }
        [x, height, z]
    }
}

/// A loop as a list of chains; `true` where it runs along the chain's own direction.
pub(super) struct Loop {
    pub(super) region: u32,
    pub(super) area: u8,
    pub(super) chains: Vec<(usize, bool)>,
}

/// What was traced: loops by region, and the chains that they are made of.
pub(super) struct Traced {
    pub(super) loops: Vec<Loop>,
    pub(super) chains: Vec<Chain>,
}

fn chains(surface: &Surface<'_>, loops: &Loops, settings: &Settings) -> Traced {
    let breaks = |one: usize, two: usize| {
        let beyond = surface.beyond(one);
        let twins = || loops.next(surface.twin(two)) == surface.twin(one);
        beyond != surface.beyond(two) || (beyond != 0 && !twins())
    };
    // Each loop as runs of edges, starting at a break where there is one.
    let mut runs: Vec<(usize, Vec<usize>, bool)> = Vec::new();
    for (index, edges) in loops.all.iter().enumerate() {
        let count = edges.len();
        let first = (0..count).find(|&i| breaks(edges[(i + count - 1) % count], edges[i]));
        let mut run = Vec::new();
        for step in 0..count {
            let at = (first.unwrap_or(0) + step) % count;
            run.push(edges[at]);
            if step + 1 == count || breaks(edges[at], edges[(at + 1) % count]) {
                runs.push((index, std::mem::take(&mut run), first.is_none()));
            }
        }
    }
    let region = |edge: usize| surface.region(edge / 4);
    let owns = |edge: usize| surface.beyond(edge) == 0 || region(edge) < surface.beyond(edge);
    let mut chain_of = vec![NONE; loops.boundary.count];
    let mut list: Vec<Chain> = Vec::new();
    for (_, run, whole) in runs.iter().filter(|(_, run, _)| owns(run[0])) {
        let mut points: Vec<[i32; 3]> = run.iter().map(|&edge| surface.start(edge)).collect();
        points.extend(run.last().map(|&edge| surface.start(loops.next(edge))));
        for number in run.iter().filter_map(|&edge| loops.boundary.number(edge)) {
            chain_of[number] = list.len();
        }
        list.push(Chain::new(points, [region(run[0]), surface.beyond(run[0])], *whole, settings));
    }
    let mut traced: Vec<Loop> = loops
        .all
        .iter()
        .map(|edges| {
            let span = edges[0] / 4;
            Loop { region: surface.region(span), area: surface.compact.spans[span].area, chains: Vec::new() }
        })
        .collect();
    for (index, run, _) in &runs {
        let forward = owns(run[0]);
        let edge = if forward { run[0] } else { surface.twin(run[0]) };
        if let Some(chain) = loops.boundary.number(edge).map(|number| chain_of[number]) {
            traced[*index].chains.push((chain, forward));
        }
    }
    traced.sort_by_key(|traced| traced.region);
    Traced { loops: traced, chains: list }
}

fn opposite(side: usize) -> usize {
    (side + 2) % 4
}
