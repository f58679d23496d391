//! How far walkable spans are from the nearest wall or drop: erosion and the distance field. SPEC.md `[BUILD-15]` to `[BUILD-17]`.
//!
//! A place is *absent* for a span where no walkable span can be stepped to. Each span carries the plan offset, in columns, to the
//! nearest absent place that it knows of, and neighbours hand theirs on in two sweeps. The length of an offset is a Euclidean
//! distance, so a diagonal is as long as it is; it is never below the true distance, and above it by less than a tenth of a
//! column.

use std::ops::Range;

use super::compact::{CompactHeightfield, CompactSpan, NO_SPAN};
use super::{AREA_NONE, index_of, usize_of};

/// Directions as plan steps: 0 = -x, 1 = +z, 2 = +x, 3 = -z.
const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/// "No offset known yet".
const FAR: [i32; 2] = [i32::MAX, i32::MAX];

/// Takes away what is closer to a wall or a drop than the radius: a span is no longer walkable where the distance between the
/// middle of its column and that of the nearest absent one is less than the radius plus one. So a radius of 1 takes the
/// columns along a wall, and every point of a column that stays is at least the radius away from a straight wall.
///
/// The distances do not depend on the radius: a larger one never erodes less. Radius 0 takes nothing.
#[must_use]
pub fn erode(mut c: CompactHeightfield, radius_cells: u32) -> CompactHeightfield {
    if radius_cells == 0 {
        return c;
    }
    let reach = u64::from(radius_cells).saturating_add(1);
    let limit = reach.saturating_mul(reach);
    let offsets = nearest_absent(&c);
    for (span, offset) in c.spans.iter_mut().zip(offsets) {
        if squared(offset) < limit {
            span.area = AREA_NONE;
        }
    }
    c
}

/// For each span its distance to the nearest wall or drop in half columns, smoothed: 0 at the edge and where a span is not walkable.
///
/// The distance between the middles of two columns is rounded down to half columns, and 2 taken off: the edge itself is at 0. Then each
/// distance above 2 is the mean of the nine around it (its own standing in for one that is not there), rounded half up.
#[must_use]
pub fn distance_field(c: &CompactHeightfield) -> Vec<u32> {
    let sharp: Vec<u32> = nearest_absent(c).into_iter().map(half_columns).collect();
    let smooth = |(span, &own): (&CompactSpan, &u32)| {
        if own <= 2 {
            return own;
        }
        let at = |span: u32| sharp.get(usize_of(span)).copied().unwrap_or(own);
        let mut total = u64::from(own);
        for (direction, side) in span.neighbours.into_iter().enumerate() {
            let corner = c.spans.get(usize_of(side)).map_or(NO_SPAN, |side| side.neighbours[(direction + 1) % 4]);
            total += u64::from(at(side)) + u64::from(at(corner));
        }
        u32::try_from((total + 4) / 9).unwrap_or(u32::MAX)
    };
    // What is above 2 is not beside an absent place, nor corner to corner with one: all around are walkable.
    c.spans.iter().zip(&sharp).map(smooth).collect()
}

/// The canonical bytes of a distance field, little-endian: the number of spans, then the distance of each (u32 each).
#[must_use]
pub fn distance_bytes(field: &[u32]) -> Vec<u8> {
    let mut out = index_of(field.len()).to_le_bytes().to_vec();
    field.iter().for_each(|distance| out.extend_from_slice(&distance.to_le_bytes()));
    out
}

/// For each span the offset to its nearest absent place, as far as two sweeps find it; (0, 0) where it is not walkable.
///
/// What is not walkable is an absent place itself: a step there gives the offset of that step, as it should. Steps go on beyond it too,
/// but nothing is nearer than one step.
fn nearest_absent(c: &CompactHeightfield) -> Vec<[i32; 2]> {
    let mut offsets: Vec<[i32; 2]> = c.spans.iter().map(|span| start(c, span)).collect();
    let rows = usize_of(c.depth);
    // Down the rows: from the row before, then along the row both ways. Then up again.
    for z in 0..rows {
        sweep_row(c, row(c, z), &mut offsets, 3);
    }
    for z in (0..rows).rev() {
        sweep_row(c, row(c, z), &mut offsets, 1);
    }
    offsets
}

/// The spans of a row: those of its columns follow one another.
fn row(c: &CompactHeightfield, z: usize) -> Range<usize> {
    let start = z.saturating_mul(usize_of(c.width));
    let ends = [start, start.saturating_add(usize_of(c.width))];
    let [first, last] = ends.map(|column| c.columns.get(column).map_or(0, |&span| usize_of(span)));
    if last <= c.spans.len() { first..last } else { 0..0 }
}

/// The offset of a span to an absent place among the eight around it.
fn start(c: &CompactHeightfield, span: &CompactSpan) -> [i32; 2] {
    if span.area == AREA_NONE {
        return [0, 0];
    }
    let walkable = |side: u32| c.spans.get(usize_of(side)).filter(|side| side.area != AREA_NONE);
    let sides = span.neighbours.map(walkable);
    if let Some(direction) = sides.iter().position(Option::is_none) {
        return STEPS[direction];
    }
    let mut best = FAR;
    for (direction, side) in sides.into_iter().flatten().enumerate() {
        let turn = (direction + 1) % 4;
        if walkable(side.neighbours[turn]).is_none() {
            best = add(STEPS[direction], STEPS[turn]);
        }
    }
    best
}

fn sweep_row(c: &CompactHeightfield, row: Range<usize>, offsets: &mut [[i32; 2]], from: usize) {
    let step = STEPS[from];
    let at = |offsets: &[[i32; 2]], span: u32| offsets.get(usize_of(span)).copied().unwrap_or(FAR);
    for (span, index) in c.spans[row.clone()].iter().zip(row.clone()) {
        let mut own = Nearest::of(offsets[index]);
        if own.squared <= 1 {
            continue;
        }
        let sides = span.neighbours;
        own.take(at(offsets, sides[0]), STEPS[0]);
        if let Some(beside) = c.spans.get(usize_of(sides[from])) {
            own.take(at(offsets, beside.neighbours[0]), add(step, STEPS[0]));
            own.take(at(offsets, sides[from]), step);
            own.take(at(offsets, beside.neighbours[2]), add(step, STEPS[2]));
        }
        offsets[index] = own.offset;
    }
    for (span, index) in c.spans[row.clone()].iter().zip(row).rev() {
        let mut own = Nearest::of(offsets[index]);
        if own.squared > 1 {
            own.take(at(offsets, span.neighbours[2]), STEPS[2]);
            offsets[index] = own.offset;
        }
    }
}

/// The nearest absent place so far.
struct Nearest {
    offset: [i32; 2],
    squared: u64,
}

impl Nearest {
    fn of(offset: [i32; 2]) -> Nearest {
        Nearest { offset, squared: squared(offset) }
    }

    /// Takes over what a place one or two steps away knows, where that is nearer.
    fn take(&mut self, known: [i32; 2], way: [i32; 2]) {
        // No known offset is longer than the grid, so there is no overflow.
        if known != FAR {
            let found = Nearest::of(add(known, way));
            if found.squared < self.squared {
                *self = found;
            }
        }
    }
}

fn add(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn squared([x, z]: [i32; 2]) -> u64 {
    let (x, z) = (u64::from(x.unsigned_abs()), u64::from(z.unsigned_abs()));
    x * x + z * z
}

/// The length of an offset in half columns less 2, rounded down, not below 0.
fn half_columns(offset: [i32; 2]) -> u32 {
    // Exact below 2^52: the root of a whole number is rounded to a whole number only where it is one.
    let length = (squared(offset).saturating_mul(4) as f64).sqrt().floor();
    (length as u32).saturating_sub(2)
}
