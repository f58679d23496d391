//! Which tops of solid spans an agent can stand on. SPEC.md `[BUILD-10]` to `[BUILD-12]`.

use super::settings::Settings;
use super::voxelize::{Heightfield, Span};
use super::{AREA_NONE, beside, column_range};

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
    let sides = [h.width, h.depth];
    let mut ledges = Vec::new();
    for column in 0..h.columns.len() {
        let range = column_range(&h.columns, column);
        let spans = h.column(column);
        for (index, (span, at)) in spans.iter().zip(range).enumerate() {
            let top = spans.get(index.saturating_add(1)).map_or(OPEN, |above| above.floor);
            if span.area != AREA_NONE && is_ledge(&h, s, [span.ceiling, top], (0..4).map(|d| beside(column, d, sides)))
            {
                ledges.push(at);
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

fn is_ledge(
    h: &Heightfield,
    s: &Settings,
    [floor, ceiling]: [i32; 2],
    neighbours: impl Iterator<Item = Option<usize>>,
) -> bool {
    let (mut least, mut most) = (floor, floor);
    for neighbour in neighbours {
        let spans = neighbour.map(|column| h.column(column)).unwrap_or_default();
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
