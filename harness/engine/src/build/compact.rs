//! The open space above walkable tops, linked with its neighbours. SPEC.md `[BUILD-13]`, `[BUILD-14]`.

use std::ops::Range;

use replay_format::Point;

use super::settings::Settings;
use super::voxelize::Heightfield;
use super::{AREA_NONE, column_range, index_of, usize_of, write_head};

/// "No span" in a direction.
pub const NO_SPAN: u32 = u32::MAX;

/// The clearance where nothing is above.
const CLEARANCE_OPEN: i32 = 65_535;

/// The open space above a walkable top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactSpan {
    /// The top of the solid below, cell heights above the origin.
    pub floor: i32,
    /// Cells to the next solid above, 65,535 where there is none.
    pub clearance: i32,
    /// The spans that an agent can step to, or [`NO_SPAN`]: 0 = -x, 1 = +z, 2 = +x, 3 = -z. A link leads back.
    pub neighbours: [u32; 4],
    /// 0 not walkable, 63 walkable.
    pub area: u8,
}

/// The walkable space of a grid of columns.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactHeightfield {
    /// The corner of column 0 with the lowest x and z, at height 0. Metres.
    pub origin: Point,
    /// Columns along x.
    pub width: u32,
    /// Columns along z.
    pub depth: u32,
    /// The side of a column, metres.
    pub cell_size: f64,
    /// The height of a cell, metres.
    pub cell_height: f64,
    /// For each column (`x + z * width`) its first span, and at the end the number of spans.
    pub columns: Vec<u32>,
    /// The spans of one column after another, ascending in a column.
    pub spans: Vec<CompactSpan>,
}

impl CompactHeightfield {
    /// The canonical bytes, little-endian: origin (3 f64), cell size, cell height (f64 each), width, depth (u32 each), the first span of each
    /// column and the number of spans (u32 each), then of each span floor and clearance (i32 each), the four neighbours
    /// (u32 each, 0xffffffff for none) and area (u8).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let (sides, cell) = ([self.width, self.depth], [self.cell_size, self.cell_height]);
        write_head(&mut out, &self.origin, sides, cell, &self.columns);
        for span in &self.spans {
            out.extend_from_slice(&span.floor.to_le_bytes());
            out.extend_from_slice(&span.clearance.to_le_bytes());
            for neighbour in span.neighbours {
                out.extend_from_slice(&neighbour.to_le_bytes());
            }
            out.push(span.area);
        }
        out
    }
}

/// The open space above the walkable spans of a heightfield.
///
/// A span is linked to a span of a neighbouring column where the space that both have in common is at least the agent's height and
/// their floors are at most the climb apart. Of several the one with the nearest floor is meant, of two equally near ones the
/// lower; and there is a link only where each means the other.
#[must_use]
pub fn compact(h: &Heightfield, s: &Settings) -> CompactHeightfield {
    let mut columns = Vec::with_capacity(h.columns.len());
    let mut spans = Vec::new();
    let count = h.columns.len().saturating_sub(1);
    for column in 0..count {
        columns.push(index_of(spans.len()));
        let solids = h.column(column);
        for (index, solid) in solids.iter().enumerate().filter(|(_, solid)| solid.area != AREA_NONE) {
            let clearance = solids
                .get(index.saturating_add(1))
                .map_or(CLEARANCE_OPEN, |above| above.floor.saturating_sub(solid.ceiling).min(CLEARANCE_OPEN));
            let neighbours = [NO_SPAN; 4];
            spans.push(CompactSpan { floor: solid.ceiling, clearance, neighbours, area: solid.area });
        }
    }
    columns.push(index_of(spans.len()));
    link(&columns, &mut spans, h.width, s);
    CompactHeightfield {
        origin: h.origin,
        width: h.width,
        depth: h.depth,
        cell_size: h.cell_size,
        cell_height: h.cell_height,
        columns,
        spans,
    }
}

/// Links the spans of each column with those of the columns after it along x and along z.
fn link(columns: &[u32], spans: &mut [CompactSpan], width: u32, s: &Settings) {
    let width = usize_of(width);
    let mut x = 0;
    let mut here = column_range(columns, 0);
    for column in 0..columns.len().saturating_sub(1) {
        x = if x == width { 1 } else { x + 1 };
        let next = column_range(columns, column + 1);
        if !here.is_empty() {
            if x < width {
                link_columns(spans, &here, &next, 2, s);
            }
            link_columns(spans, &here, &column_range(columns, column.saturating_add(width)), 1, s);
        }
        here = next;
    }
}

/// Links the spans of two columns, the second of which is in a direction (1 or 2) from the first, where each means the other.
fn link_columns(spans: &mut [CompactSpan], here: &Range<usize>, there: &Range<usize>, direction: usize, s: &Settings) {
    if let (1, 1) = (here.len(), there.len()) {
        // Of single spans, as most are, there is no other to be meant.
        let [own, other] = [here.start, there.start];
        if rise(&spans[own], &spans[other]) <= s.climb_cells && shares(&spans[own], &spans[other], s) {
            join(spans, [own, other], direction);
        }
        return;
    }
    for own in here.clone() {
        let Some(other) = meant(spans, own, there, s) else { continue };
        if meant(spans, other, here, s) == Some(own) {
            join(spans, [own, other], direction);
        }
    }
}

fn join(spans: &mut [CompactSpan], [own, other]: [usize; 2], direction: usize) {
    spans[own].neighbours[direction] = index_of(other);
    spans[other].neighbours[(direction + 2) % 4] = index_of(own);
}

fn rise(a: &CompactSpan, b: &CompactSpan) -> u32 {
    a.floor.abs_diff(b.floor)
}

/// The span of a column that a span beside it means.
fn meant(spans: &[CompactSpan], own: usize, column: &Range<usize>, s: &Settings) -> Option<usize> {
    let mut best: Option<(u32, usize)> = None;
    for candidate in column.clone() {
        let rise = rise(&spans[own], &spans[candidate]);
        let near = rise <= s.climb_cells && best.is_none_or(|(least, _)| rise < least);
        if near && shares(&spans[own], &spans[candidate], s) {
            best = Some((rise, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Whether the space that two spans have in common is high enough.
fn shares(a: &CompactSpan, b: &CompactSpan, s: &Settings) -> bool {
    let floor = i64::from(a.floor.max(b.floor));
    let top = |span: &CompactSpan| i64::from(span.floor).saturating_add(i64::from(span.clearance));
    top(a).min(top(b)).saturating_sub(floor) >= i64::from(s.height_cells)
}
