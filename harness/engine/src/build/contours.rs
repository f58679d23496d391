//! Contours: the boundaries of the regions, simplified, holes merged into their outlines. SPEC.md, chapter BUILD.
//!
//! The spans of a region are the faces of a mesh of unit squares; a side without a linked span of the same region is a boundary
//! edge, its span on the left. Boundary edges follow each other around corners, so that every edge is on exactly one loop. Loops
//! are cut into chains where the region on the other side changes. A chain between two regions is simplified once, for both.

use std::ops::Range;

use crate::build::simplify::{Chain, assemble};
use crate::build::{COORDINATE_MAX, CompactHeightfield, RegionMap, Settings, column_range, index_of, usize_of};

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
    let mut trace = Trace::new(Surface::new(compact, regions));
    let traced = chains(&mut trace, settings);
    assemble(traced, &trace, settings)
}

/// The spans and their regions.
pub(super) struct Surface<'a> {
    compact: &'a CompactHeightfield,
    regions: &'a [u32],
}

impl<'a> Surface<'a> {
    pub(super) fn new(compact: &'a CompactHeightfield, regions: &'a RegionMap) -> Surface<'a> {
        Surface { compact, regions: &regions.regions }
    }

    pub(super) fn region(&self, span: usize) -> u32 {
        self.regions.get(span).copied().unwrap_or(0)
    }

    pub(super) fn floor(&self, span: usize) -> i32 {
        self.compact.spans[span].floor
    }

    /// The spans of a column.
    pub(super) fn column(&self, x: i64, z: i64) -> Range<usize> {
        let inside = x >= 0 && z >= 0 && x < i64::from(self.compact.width) && z < i64::from(self.compact.depth);
        let index = usize::try_from(x + z * i64::from(self.compact.width)).ok().filter(|_| inside);
        let spans = index.map_or(0..0, |index| column_range(&self.compact.columns, index));
        if spans.end <= self.compact.spans.len() { spans } else { 0..0 }
    }
}

/// The spans as a mesh of squares, and its boundary. An edge is `span * 4 + side`; the sides 3, 2, 1, 0 follow each other with the
/// span on the left.
pub(super) struct Trace<'a> {
    surface: Surface<'a>,
    /// For each span the sides where it is linked (bits 0 to 3), and those that are boundary edges (bits 4 to 7).
    sides: Vec<u8>,
    /// For each span how many boundary edges there are before its own: these are numbered by span and side. Most spans have none, so
    /// what is kept for each edge is kept for these only.
    first: Vec<u32>,
    /// Where each boundary edge starts: x, z in cell corners.
    starts: Vec<[i32; 2]>,
    /// For each boundary edge the one that follows it, as an edge.
    next: Vec<u32>,
}

/// "No edge", "no chain".
const NONE: u32 = u32::MAX;

/// The bit of a side that is a boundary edge.
fn boundary_bit(side: u32) -> u8 {
    16 << side
}

impl<'a> Trace<'a> {
    fn new(surface: Surface<'a>) -> Trace<'a> {
        let count = surface.compact.spans.len();
        let (sides, first) = (vec![0; count], vec![0; count]);
        let mut trace = Trace { surface, sides, first, starts: Vec::new(), next: Vec::new() };
        let most = COORDINATE_MAX.unsigned_abs();
        let [width, depth] = [trace.surface.compact.width, trace.surface.compact.depth].map(|side| side.min(most));
        for z in 0..depth {
            let [mut here, mut above] = [z, z + 1].map(|z| trace.surface.column(0, i64::from(z)));
            for x in 0..width {
                // What is linked with a span of the columns before is known: a link leads back.
                let column = |x: u32, z: u32| trace.surface.column(i64::from(x), i64::from(z));
                let (beside, up) = (
                    if x + 1 < width { column(x + 1, z) } else { 0..0 },
                    if z + 1 < depth { std::mem::replace(&mut above, column(x + 1, z + 1)) } else { 0..0 },
                );
                for span in std::mem::replace(&mut here, beside.clone()) {
                    trace.link(span, 1, &up);
                    trace.link(span, 2, &beside);
                    trace.note_boundary(span, [x as i32, z as i32]);
                }
            }
        }
        trace.next = vec![NONE; trace.starts.len()];
        trace
    }

    /// Links a span with its neighbour on a side, where that is in the column there and points back.
    fn link(&mut self, span: usize, side: u32, column: &Range<usize>) {
        let spans = &self.surface.compact.spans;
        let other = usize_of(spans[span].neighbours[usize_of(side)]);
        if column.contains(&other) && usize_of(spans[other].neighbours[usize_of(opposite(side))]) == span {
            self.sides[span] |= 1 << side;
            self.sides[other] |= 1 << opposite(side);
        }
    }

    /// Numbers the boundary edges of a span whose links are known.
    fn note_boundary(&mut self, span: usize, [x, z]: [i32; 2]) {
        self.first[span] = index_of(self.starts.len());
        let region = self.surface.region(span);
        if region == 0 {
            return;
        }
        for (side, start) in (0..).zip([[x, z + 1], [x + 1, z + 1], [x + 1, z], [x, z]]) {
            if self.linked(span, side).is_none_or(|other| self.surface.region(other) != region) {
                self.sides[span] |= boundary_bit(side);
                self.starts.push(start);
            }
        }
    }

    /// The neighbour on a side (0 to 3), where it is beside the span and points back.
    fn linked(&self, span: usize, side: u32) -> Option<usize> {
        let other = self.surface.compact.spans[span].neighbours[usize_of(side)];
        (self.sides[span] >> side & 1 == 1).then_some(usize_of(other))
    }

    fn is_boundary(&self, edge: u32) -> bool {
        self.sides.get(usize_of(edge / 4)).is_some_and(|sides| sides & boundary_bit(edge % 4) != 0)
    }

    /// The number of an edge, where it is a boundary edge.
    fn number(&self, edge: u32) -> Option<usize> {
        let span = usize_of(edge / 4);
        let before = || self.sides[span] & (boundary_bit(edge % 4) - boundary_bit(0));
        self.is_boundary(edge).then(|| usize_of(self.first[span] + before().count_ones()))
    }

    /// The boundary edge that follows one.
    fn next(&self, edge: u32) -> u32 {
        self.number(edge).map_or(NONE, |number| self.next[number])
    }

    /// The region beyond a boundary edge, 0 for a wall.
    fn beyond(&self, edge: u32) -> u32 {
        self.linked(usize_of(edge / 4), edge % 4).map_or(0, |other| self.surface.region(other))
    }

    fn twin(&self, edge: u32) -> u32 {
        self.linked(usize_of(edge / 4), edge % 4).map_or(NONE, |other| index_of(other) * 4 + opposite(edge % 4))
    }

    fn region(&self, edge: u32) -> u32 {
        self.surface.region(usize_of(edge / 4))
    }

    /// The boundary edge that starts where a boundary edge ends: of those around that corner the first one from the left.
    fn follow(&self, edge: u32) -> u32 {
        let mut next = edge / 4 * 4 + (edge + 3) % 4;
        // Links go both ways, so going around a corner is a permutation of its edges: it comes to an end at `edge` at the latest.
        while !self.is_boundary(next) {
            let other = self.surface.compact.spans[usize_of(next / 4)].neighbours[usize_of(next % 4)];
            next = other * 4 + (opposite(next % 4) + 3) % 4;
        }
        next
    }

    /// The loops of boundary edges: all edges, one loop after another, and where each loop ends.
    fn loops(&mut self) -> (Vec<u32>, Vec<usize>) {
        let mut edges = Vec::with_capacity(self.starts.len());
        let mut ends = Vec::new();
        for span in 0..index_of(self.sides.len()) {
            if self.sides[usize_of(span)] < boundary_bit(0) {
                continue;
            }
            for edge in [3, 2, 1, 0].map(|side| span * 4 + side) {
                let before = edges.len();
                let mut at = edge;
                while let Some(number) = self.number(at).filter(|&number| self.next[number] == NONE) {
                    edges.push(at);
                    at = self.follow(at);
                    self.next[number] = at;
                }
                if edges.len() > before {
                    ends.push(edges.len());
                }
            }
        }
        (edges, ends)
    }

    /// The place where a boundary edge starts.
    fn start(&self, edge: u32) -> Point {
        Point { place: self.number(edge).map_or([0; 2], |number| self.starts[number]), edge }
    }

    /// The height where an edge starts: the highest floor of the spans that are linked around that corner, at most three steps either way.
    pub(super) fn height(&self, edge: u32) -> i32 {
        let mut height = self.surface.floor(usize_of(edge / 4));
        for backwards in [false, true] {
            let (mut span, mut side) = (usize_of(edge / 4), edge % 4);
            for _ in 0..3 {
                let across = if backwards { (side + 1) % 4 } else { side };
                let Some(other) = self.linked(span, across) else { break };
                (span, side) = (other, (side + if backwards { 3 } else { 1 }) % 4);
                height = height.max(self.surface.floor(span));
            }
        }
        height
    }
}

/// A corner of a boundary.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// x, z in cell corners.
    pub(super) place: [i32; 2],
    /// An edge that starts there.
    pub(super) edge: u32,
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

fn chains(trace: &mut Trace<'_>, settings: &Settings) -> Traced {
    let (mut edges, ends) = trace.loops();
    let trace = &*trace;
    let breaks = |one: u32, two: u32| {
        let beyond = trace.beyond(one);
        let twins = || trace.next(trace.twin(two)) == trace.twin(one);
        beyond != trace.beyond(two) || (beyond != 0 && !twins())
    };
    // Each loop as runs of edges, starting at a break where there is one.
    let mut runs: Vec<Run> = Vec::new();
    let mut start = 0;
    for end in ends {
        let own = &mut edges[start..end];
        let found = usize_of(own[0] / 4);
        let first = (0..own.len()).find(|&i| breaks(own[(i + own.len() - 1) % own.len()], own[i]));
        own.rotate_left(first.unwrap_or(0));
        let mut from = start;
        for at in start..end {
            if at + 1 == end || breaks(edges[at], edges[at + 1]) {
                runs.push(Run { edges: from..at + 1, whole: first.is_none(), begins: from == start, found });
                from = at + 1;
            }
        }
        start = end;
    }
    let owns = |edge: u32| trace.beyond(edge) == 0 || trace.region(edge) < trace.beyond(edge);
    let mut chain_of = vec![NONE; trace.starts.len()];
    let mut list: Vec<Chain> = Vec::new();
    for run in runs.iter().filter(|run| owns(edges[run.edges.start])) {
        let own = &edges[run.edges.clone()];
        for number in own.iter().filter_map(|&edge| trace.number(edge)) {
            chain_of[number] = index_of(list.len());
        }
        let end = own.last().map(|&edge| trace.next(edge));
        let points = own.iter().copied().chain(end).map(|edge| trace.start(edge)).collect();
        list.push(Chain::new(points, [trace.region(own[0]), trace.beyond(own[0])], run.whole, settings));
    }
    let traced = |span: usize| {
        let (region, area) = (trace.surface.region(span), trace.surface.compact.spans[span].area);
        Loop { region, area, chains: Vec::new() }
    };
    let mut loops: Vec<Loop> = Vec::new();
    for run in &runs {
        let first = edges[run.edges.start];
        if run.begins {
            // The span at which the loop was found, before it was turned to a break.
            loops.push(traced(run.found));
        }
        let forward = owns(first);
        let edge = if forward { first } else { trace.twin(first) };
        if let (Some(number), Some(traced)) = (trace.number(edge), loops.last_mut()) {
            traced.chains.push((usize_of(chain_of[number]), forward));
        }
    }
    loops.sort_by_key(|traced| traced.region);
    Traced { loops, chains: list }
}

/// A run of edges between two breaks of a loop, or a whole loop without any.
struct Run {
    edges: Range<usize>,
    whole: bool,
    /// Whether it is the first one of its loop.
    begins: bool,
    /// The span at which its loop was found.
    found: usize,
}

fn opposite(side: u32) -> u32 {
    (side + 2) % 4
}
