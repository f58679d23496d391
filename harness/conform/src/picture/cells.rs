//! Columns as filled rectangles, one path per colour: equal neighbours are one rectangle, so that a large level stays a small file.
//!
//! Storeys: the top of a column fills it, those below are stripes across it (a wide one under what is not walkable, such as a roof). So each keeps the colour that the legend explains,
//! which transparency would not.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Path, corner};
use super::colours::Colour;
use super::frame::Frame;

/// How a span is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fill {
    /// How much it matters: of several columns that are drawn as one block the one with the most is shown.
    pub(super) weight: u8,
    /// What it belongs to, for the explanation.
    pub(super) group: u32,
    pub(super) colour: Colour,
}

/// The weight of what is not walkable, and drawn only where it is on top.
pub(super) const PLAIN: u8 = 1;

impl Fill {
    /// A fill of the least weight.
    pub(super) fn plain(colour: Colour) -> Fill {
        Fill { weight: PLAIN, group: 0, colour }
    }
}

/// Where a storey is in its column, in hundredths of the column's depth: the top one, the second, the third, and a second one under a
/// top that is not walkable. Those below the third are not drawn.
const BANDS: [[i64; 2]; 4] = [[0, 100], [30, 60], [72, 88], [15, 85]];
/// The last of the bands.
const WIDE: usize = 3;

/// A run of columns of the same fill, over one or more rows.
#[derive(Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    row: u32,
    fill: Fill,
}

/// Draws all columns. `look` gives the fills of a column, the top one first; `explain` what a group is.
pub(super) fn draw_cells(
    plot: &mut Canvas,
    frame: &Frame,
    look: impl Fn(usize, &mut Vec<Fill>),
    explain: impl Fn(u32) -> Option<String>,
) {
    let blocks = [frame.width, frame.depth].map(|side| side.div_ceil(frame.block));
    let mut paths: BTreeMap<(usize, Fill), Path> = BTreeMap::new();
    let mut open: Vec<Run> = Vec::new();
    let (mut fills, mut candidate) = (Vec::new(), Vec::new());
    for row in 0..blocks[1] {
        let mut runs: [Vec<Run>; BANDS.len()] = Default::default();
        for block in 0..blocks[0] {
            fills.clear();
            for column in columns(frame, block, row) {
                candidate.clear();
                look(column, &mut candidate);
                let weight = |fills: &[Fill]| fills.iter().map(|fill| fill.weight).max().unwrap_or(0);
                if weight(&candidate) > weight(&fills) {
                    std::mem::swap(&mut fills, &mut candidate);
                }
            }
            for (storey, &fill) in fills.iter().enumerate().take(WIDE) {
                let wide = storey == 1 && fills.len() == 2 && fills.first().is_some_and(|top| top.weight == PLAIN);
                let Some(runs) = runs.get_mut(if wide { WIDE } else { storey }) else { continue };
                match runs.last_mut() {
                    Some(run) if run.to == block && run.fill == fill => run.to = block + 1,
                    _ => runs.push(Run { from: block, to: block + 1, row, fill }),
                }
            }
        }
        let [mut top, below @ ..] = runs;
        // What goes on from the row before begins there.
        let mut before = open.iter().peekable();
        for run in &mut top {
            while let Some(old) = before.next_if(|old| old.from < run.from) {
                put(&mut paths, frame, 0, old, row);
            }
            if let Some(old) = before.next_if(|old| old.from == run.from) {
                if old.to == run.to && old.fill == run.fill {
                    run.row = old.row;
                } else {
                    put(&mut paths, frame, 0, old, row);
                }
            }
        }
        before.for_each(|old| put(&mut paths, frame, 0, old, row));
        open = top;
        for (layer, runs) in below.iter().enumerate() {
            runs.iter().for_each(|run| put(&mut paths, frame, layer + 1, run, row + 1));
        }
    }
    open.iter().for_each(|run| put(&mut paths, frame, 0, run, blocks[1]));
    // Without softened edges the columns leave no seams between them. Stripes would get lost without.
    for (layer, rendering) in [(0, "crispEdges"), (1, "auto"), (2, "auto"), (WIDE, "auto")] {
        plot.open("g", &[("shape-rendering", &rendering)]);
        for ((_, fill), path) in paths.range((layer, FIRST)..=(layer, LAST)) {
            match explain(fill.group) {
                Some(title) => plot.explained("path", &[("fill", &fill.colour), ("d", path)], &title),
                None => plot.shape("path", &[("fill", &fill.colour), ("d", path)]),
            }
        }
        plot.close("g");
    }
}

const FIRST: Fill = Fill { weight: 0, group: 0, colour: Colour(0, 0, 0) };
const LAST: Fill = Fill { weight: u8::MAX, group: u32::MAX, colour: Colour(255, 255, 255) };

/// The columns of a block.
fn columns(frame: &Frame, x: u32, z: u32) -> impl Iterator<Item = usize> {
    let range = |at: u32, end: u32| at * frame.block..(at * frame.block).saturating_add(frame.block).min(end);
    let (xs, width) = (range(x, frame.width), frame.width);
    range(z, frame.depth).flat_map(move |z| xs.clone().map(move |x| index(z) * index(width) + index(x)))
}

fn put(paths: &mut BTreeMap<(usize, Fill), Path>, frame: &Frame, layer: usize, run: &Run, end: u32) {
    let at = |x: u32, z: u32| {
        let along = |at: u32, end: u32| i64::from(at.saturating_mul(frame.block).min(end));
        corner(along(x, frame.width), along(z, frame.depth))
    };
    let (mut from, mut to) = (at(run.from, run.row), at(run.to, end));
    if layer > 0 {
        let [low, high] = BANDS.get(layer).copied().unwrap_or_default();
        let depth = to[1] - from[1];
        [from[1], to[1]] = [from[1] + depth * low / 100, from[1] + depth * high / 100];
    }
    paths.entry((layer, run.fill)).or_default().rectangle(from, to);
}

/// A number of 32 bits as an index.
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The sides of columns: each once, what is in line as one line.
#[derive(Default)]
pub(super) struct Sides(Vec<(bool, u32, u32)>);

impl Sides {
    /// The side of a column in a direction: 0 = -x, 1 = +z, 2 = +x, 3 = -z.
    pub(super) fn add(&mut self, x: u32, z: u32, direction: usize) {
        self.0.push(match direction {
            0 => (true, x, z),
            1 => (false, z.saturating_add(1), x),
            2 => (true, x.saturating_add(1), z),
            _ => (false, z, x),
        });
    }

    /// All sides as lines; those shorter than a block are left out.
    pub(super) fn path(mut self, frame: &Frame) -> Path {
        self.0.sort_unstable();
        self.0.dedup();
        let mut path = Path::default();
        let in_line = |a: &(bool, u32, u32), b: &(bool, u32, u32)| a.0 == b.0 && a.1 == b.1 && a.2 + 1 == b.2;
        for run in self.0.chunk_by(in_line) {
            let (Some(&(upright, at, from)), Some(&(.., to))) = (run.first(), run.last()) else { continue };
            let (at, from, to) = (i64::from(at), i64::from(from), i64::from(to) + 1);
            if to - from >= i64::from(frame.block) {
                let ends = [from, to].map(|along| if upright { corner(at, along) } else { corner(along, at) });
                path.line(ends[0], ends[1]);
            }
        }
        path
    }
}
