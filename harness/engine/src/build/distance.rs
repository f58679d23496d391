//! How far walkable spans are from the nearest wall or drop: erosion and the distance field. SPEC.md `[BUILD-15]` to `[BUILD-17]`.
//!
//! A place is *absent* for a span where no walkable span can be stepped to. Each span carries the plan offset, in columns, to the
//! nearest absent place that it knows of, and neighbours hand theirs on in two sweeps. The length of an offset is a Euclidean
//! distance, so a diagonal is as long as it is; it is never below the true distance, and above it by less than a tenth of a
//! column.

use std::ops::Range;

use super::compact::CompactHeightfield;
use super::steps::Steps;
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
    let offsets = nearest_absent(&c, &Steps::new(&c));
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
    let steps = Steps::new(c);
    let sharp: Vec<u32> = nearest_absent(c, &steps).into_iter().map(half_columns).collect();
    let absent = steps.absent();
    let mut smooth = Vec::with_capacity(sharp.len());
    for (index, &own) in sharp.iter().enumerate() {
        if own <= 2 {
            smooth.push(own);
            continue;
        }
        let mut total = u64::from(own);
        for (direction, side) in steps.from(index_of(index)).into_iter().enumerate() {
            let corner = steps.from(side)[(direction + 1) % 4];
            for around in [side, corner] {
                total += u64::from(if around == absent { own } else { sharp[usize_of(around)] });
            }
        }
        smooth.push(u32::try_from((total + 4) / 9).unwrap_or(u32::MAX));
    }
    smooth
}

/// The canonical bytes of a distance field, little-endian: the number of spans, then the distance of each (u32 each).
#[must_use]
pub fn distance_bytes(field: &[u32]) -> Vec<u8> {
    let mut out = index_of(field.len()).to_le_bytes().to_vec();
    field.iter().for_each(|distance| out.extend_from_slice(&distance.to_le_bytes()));
    out
}

/// For each span the offset to its nearest absent place, as far as two sweeps find it; (0, 0) where it is not walkable.
fn nearest_absent(c: &CompactHeightfield, steps: &Steps) -> Vec<[i32; 2]> {
    let mut offsets: Vec<[i32; 2]> = Vec::with_capacity(c.spans.len() + 1);
    offsets.extend(c.spans.iter().zip(0..).map(|(span, index)| match span.area {
        AREA_NONE => [0, 0],
        _ => start(steps, index),
    }));
    // Nobody learns anything from an absent place by stepping there: what is next to one is known from the start.
    offsets.push(FAR);
    let rows = usize_of(c.depth);
    // Down the rows: from the row before, then along the row both ways. Then up again.
    for z in 0..rows {
        sweep_row(row(c, z), steps, &mut offsets, 3);
    }
    for z in (0..rows).rev() {
        sweep_row(row(c, z), steps, &mut offsets, 1);
    }
    offsets.pop();
    offsets
}

/// The spans of a row: those of its columns follow one another.
fn row(c: &CompactHeightfield, z: usize) -> Range<usize> {
    let start = z.saturating_mul(usize_of(c.width));
    let ends = [start, start.saturating_add(usize_of(c.width))];
    let [first, last] = ends.map(|column| c.columns.get(column).map_or(0, |&span| usize_of(span)));
    if last <= c.spans.len() { first..last } else { 0..0 }
}

/// The offset of a walkable span to an absent place among the eight around it.
fn start(steps: &Steps, span: u32) -> [i32; 2] {
    let absent = steps.absent();
    let sides = steps.from(span);
    if let Some(direction) = sides.iter().position(|&side| side == absent) {
        return STEPS[direction];
    }
    let mut best = FAR;
    for (direction, side) in sides.into_iter().enumerate() {
        let turn = (direction + 1) % 4;
        if steps.from(side)[turn] == absent {
            best = add(STEPS[direction], STEPS[turn]);
        }
    }
    best
}

fn sweep_row(row: Range<usize>, steps: &Steps, offsets: &mut [[i32; 2]], from: usize) {
    let step = STEPS[from];
    for index in row.clone() {
        let mut own = Nearest::of(offsets[index]);
        if own.squared == 0 {
            continue;
        }
        let sides = steps.from(index_of(index));
        let beside = steps.from(sides[from]);
        own.take(offsets[usize_of(sides[0])], STEPS[0]);
        own.take(offsets[usize_of(beside[0])], add(step, STEPS[0]));
        own.take(offsets[usize_of(sides[from])], step);
        own.take(offsets[usize_of(beside[2])], add(step, STEPS[2]));
        offsets[index] = own.offset;
    }
    for index in row.rev() {
        let mut own = Nearest::of(offsets[index]);
        if own.squared != 0 {
            own.take(offsets[usize_of(steps.from(index_of(index))[2])], STEPS[2]);
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
