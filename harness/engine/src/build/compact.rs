//! The open space above walkable tops, linked with its neighbours. SPEC.md `[BUILD-13]`, `[BUILD-14]`.

use replay_format::Point;

use super::settings::Settings;
use super::voxelize::Heightfield;
use super::{AREA_NONE, beside, column_range, index_of, usize_of, write_head};

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

    /// Whether a span exists and is walkable.
    pub(super) fn is_walkable(&self, span: u32) -> bool {
        self.spans.get(usize_of(span)).is_some_and(|span| span.area != AREA_NONE)
    }

    /// The walkable span that an agent can step to from `span` in a direction.
    pub(super) fn step(&self, span: u32, direction: usize) -> Option<u32> {
        let next = *self.spans.get(usize_of(span))?.neighbours.get(direction)?;
        self.is_walkable(next).then_some(next)
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
    let wanted = wanted_links(&columns, &spans, [h.width, h.depth], s);
    for (index, (span, wanted_here)) in spans.iter_mut().zip(&wanted).enumerate() {
        for (direction, (link, &there)) in span.neighbours.iter_mut().zip(wanted_here).enumerate() {
            let back = wanted.get(usize_of(there)).and_then(|links| links.get((direction + 2) % 4));
            if back.is_some_and(|&back| back == index_of(index)) {
                *link = there;
            }
        }
    }
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

/// For each span the neighbours that it means, whether or not they mean it.
fn wanted_links(columns: &[u32], spans: &[CompactSpan], sides: [u32; 2], s: &Settings) -> Vec<[u32; 4]> {
    let mut wanted = vec![[NO_SPAN; 4]; spans.len()];
    for column in 0..columns.len().saturating_sub(1) {
        let range = column_range(columns, column);
        for direction in 0..4 {
            let Some(there) = beside(column, direction, sides) else { continue };
            let candidates = column_range(columns, there);
            for index in range.clone() {
                let (Some(span), Some(links)) = (spans.get(index), wanted.get_mut(index)) else { continue };
                let mut best: Option<(u32, usize)> = None;
                for candidate in candidates.clone() {
                    let Some(other) = spans.get(candidate) else { continue };
                    let rise = span.floor.abs_diff(other.floor);
                    if rise <= s.climb_cells && shares(span, other, s) && best.is_none_or(|(least, _)| rise < least) {
                        best = Some((rise, candidate));
                    }
                }
                if let (Some((_, candidate)), Some(link)) = (best, links.get_mut(direction)) {
                    *link = index_of(candidate);
                }
            }
        }
    }
    wanted
}

/// Whether the space that two spans have in common is high enough.
fn shares(a: &CompactSpan, b: &CompactSpan, s: &Settings) -> bool {
    let floor = i64::from(a.floor.max(b.floor));
    let top = |span: &CompactSpan| i64::from(span.floor).saturating_add(i64::from(span.clearance));
    top(a).min(top(b)).saturating_sub(floor) >= i64::from(s.height_cells)
}
