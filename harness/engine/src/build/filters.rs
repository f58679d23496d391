//! Which tops of solid spans an agent can stand on. SPEC.md `[BUILD-10]` to `[BUILD-12]`.

use super::settings::Settings;
use super::voxelize::{Heightfield, Span};
use super::{AREA_NONE, column_range, usize_of};

/// A height above everything.
const OPEN: i32 = i32::MAX;

/// Lets an agent step onto low obstacles: a span that is not walkable takes the area of the one below it in its column, where
/// that was walkable before the filter and the tops are at most the climb apart.
#[must_use]
pub fn filter_low_hanging(mut h: Heightfield, s: &Settings) -> Heightfield {
    for column in 0..h.columns.len() {
        let Some(spans) = h.spans.get_mut(column_range(&h.columns, column)) else { continue };
        let mut below = Span::default();
        for span in spans {
            let own = *span;
            if own.area == AREA_NONE && below.area != AREA_NONE && own.ceiling.abs_diff(below.ceiling) <= s.climb_cells
            {
                span.area = below.area;
            }
            below = own;
        }
    }
    h
}

/// Takes away what an agent would fall off from: a span is no longer walkable where, for one of the four neighbouring columns, the
/// lowest place that the agent fits into is more than the climb below, or where of those places that are within the climb
/// the lowest and the highest are more than the climb apart.
///
/// The agent fits into a neighbouring place where the open space above it and that above the span have the agent's height
/// in common. Below a column's lowest span, in a column without spans and past the grid's border there is no ground: a drop.
#[must_use]
pub fn filter_ledges(mut h: Heightfield, s: &Settings) -> Heightfield {
    let width = usize_of(h.width);
    // No more rows than there are columns for.
    let depth = usize_of(h.depth).min(h.columns.len() / width.max(1));
    let mut ledges = Vec::new();
    for z in 0..depth {
        for x in 0..width {
            let column = x + z * width;
            let spans = h.column(column);
            if spans.iter().all(|span| span.area == AREA_NONE) {
                continue;
            }
            let beside = [
                if x > 0 { h.column(column - 1) } else { &[] },
                if z + 1 < depth { h.column(column + width) } else { &[] },
                if x + 1 < width { h.column(column + 1) } else { &[] },
                if z > 0 { h.column(column - width) } else { &[] },
            ];
            for (index, (span, at)) in spans.iter().zip(column_range(&h.columns, column)).enumerate() {
                let top = spans.get(index + 1).map_or(OPEN, |above| above.floor);
                if span.area != AREA_NONE && is_ledge(s, [span.ceiling, top], &beside) {
                    ledges.push(at);
                }
            }
        }
    }
    for at in ledges {
        if let Some(span) = h.spans.get_mut(at) {
            span.area = AREA_NONE;
        }
    }
    h
}

/// Takes away what is too low for an agent: a span is no longer walkable where the next one above it begins less than the agent's
/// height above its top.
#[must_use]
pub fn filter_low_ceilings(mut h: Heightfield, s: &Settings) -> Heightfield {
    for column in 0..h.columns.len() {
        let Some(spans) = h.spans.get_mut(column_range(&h.columns, column)) else { continue };
        let mut above = OPEN;
        for span in spans.iter_mut().rev() {
            if !fits([span.ceiling, above], s.height_cells) {
                span.area = AREA_NONE;
            }
            above = span.floor;
        }
    }
    h
}

/// Whether an agent fits between a floor and a ceiling.
fn fits([floor, ceiling]: [i32; 2], height: u32) -> bool {
    i64::from(ceiling).saturating_sub(i64::from(floor)) >= i64::from(height)
}

fn is_ledge(s: &Settings, [floor, ceiling]: [i32; 2], beside: &[&[Span]; 4]) -> bool {
    let (mut least, mut most) = (floor, floor);
    for spans in beside {
        let bottom = spans.first().map_or(OPEN, |first| first.floor);
        if fits([floor, if bottom < ceiling { bottom } else { ceiling }], s.height_cells) {
            return true;
        }
        for (index, span) in spans.iter().enumerate() {
            let top = spans.get(index.saturating_add(1)).map_or(OPEN, |above| above.floor);
            let common = [span.ceiling.max(floor), top.min(ceiling)];
            if !fits(common, s.height_cells) {
                continue;
            }
            if span.ceiling.abs_diff(floor) <= s.climb_cells {
                least = least.min(span.ceiling);
                most = most.max(span.ceiling);
            } else if span.ceiling < floor {
                return true;
            }
        }
    }
    most.abs_diff(least) > s.climb_cells
}
