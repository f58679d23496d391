//! How far walkable spans are from the nearest wall or drop: erosion and the distance field. SPEC.md `[BUILD-15]` to `[BUILD-17]`.
//!
//! A place is *absent* for a span where no walkable span can be stepped to. Each span carries the plan offset, in columns, to the
//! nearest absent place that it knows of, and neighbours hand theirs on in two sweeps. The length of an offset is a Euclidean
//! distance, so a diagonal is as long as it is; it is never below the true distance, and above it by less than a tenth of a
//! column.

use super::compact::CompactHeightfield;
use super::{AREA_NONE, column_range, index_of, usize_of};

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
    let at = |span: u32| sharp.get(usize_of(span)).copied();
    let mut smooth = Vec::with_capacity(sharp.len());
    for (index, &own) in sharp.iter().enumerate() {
        if own <= 2 {
            smooth.push(own);
            continue;
        }
        let span = index_of(index);
        let mut total = u64::from(own);
        for direction in 0..4 {
            let side = c.step(span, direction);
            let corner = side.and_then(|side| c.step(side, (direction + 1) % 4));
            for around in [side, corner] {
                total = total.saturating_add(u64::from(around.and_then(at).unwrap_or(own)));
            }
        }
        smooth.push(u32::try_from(total.saturating_add(4) / 9).unwrap_or(u32::MAX));
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
fn nearest_absent(c: &CompactHeightfield) -> Vec<[i32; 2]> {
    let mut offsets: Vec<[i32; 2]> = (0..c.spans.len()).map(|index| start(c, index_of(index))).collect();
    let rows = usize_of(c.depth);
    // Down the rows: from the row before, then along the row both ways. Then up again.
    for z in 0..rows {
        sweep_row(c, &mut offsets, z, 3);
    }
    for z in (0..rows).rev() {
        sweep_row(c, &mut offsets, z, 1);
    }
    offsets
}

/// The offset to an absent place among the eight around a span.
fn start(c: &CompactHeightfield, span: u32) -> [i32; 2] {
    if !c.is_walkable(span) {
        return [0, 0];
    }
    let mut best = FAR;
    for (direction, &step) in STEPS.iter().enumerate() {
        let Some(side) = c.step(span, direction) else { return step };
        let turn = (direction + 1) % 4;
        if c.step(side, turn).is_none() {
            best = add(step, STEPS.get(turn).copied().unwrap_or_default());
        }
    }
    best
}

fn sweep_row(c: &CompactHeightfield, offsets: &mut [[i32; 2]], z: usize, from: usize) {
    let width = usize_of(c.width);
    let start = z.saturating_mul(width);
    let row = start..start.saturating_add(width);
    let spans = |column: usize| column_range(&c.columns, column);
    for index in row.clone().flat_map(spans) {
        let span = index_of(index);
        take(c, offsets, span, [Some(0), None]);
        take(c, offsets, span, [Some(from), Some(0)]);
        take(c, offsets, span, [Some(from), None]);
        take(c, offsets, span, [Some(from), Some(2)]);
    }
    for index in row.rev().flat_map(spans) {
        take(c, offsets, index_of(index), [Some(2), None]);
    }
}

/// Takes over the offset of the span one or two steps away where that is nearer.
fn take(c: &CompactHeightfield, offsets: &mut [[i32; 2]], span: u32, way: [Option<usize>; 2]) {
    let (mut there, mut step) = (span, [0, 0]);
    for direction in way.into_iter().flatten() {
        let Some(next) = c.step(there, direction) else { return };
        there = next;
        step = add(step, STEPS.get(direction).copied().unwrap_or_default());
    }
    let Some(&known) = offsets.get(usize_of(there)) else { return };
    if let Some(own) = offsets.get_mut(usize_of(span)).filter(|own| **own != [0, 0] && known != FAR) {
        let found = add(known, step);
        if squared(found) < squared(*own) {
            *own = found;
        }
    }
}

fn add(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
}

fn squared([x, z]: [i32; 2]) -> u64 {
    let (x, z) = (u64::from(x.unsigned_abs()), u64::from(z.unsigned_abs()));
    x.saturating_mul(x).saturating_add(z.saturating_mul(z))
}

/// The length of an offset in half columns less 2, rounded down, not below 0.
fn half_columns(offset: [i32; 2]) -> u32 {
    // Exact below 2^52: the root of a whole number is rounded to a whole number only where it is one.
    let length = (squared(offset).saturating_mul(4) as f64).sqrt().floor();
    (length as u32).saturating_sub(2)
}
