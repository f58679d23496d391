//! Regions as basins around the places that are farthest from walls. SPEC.md `[BUILD-19]`.

use std::ops::Range;

use super::cells::Cells;
use super::compact::CompactHeightfield;
use super::usize_of;

/// Floods from the greatest distance down, two half columns at a time. At each level the regions that are there grow into its spans
/// step by step; what they do not reach begins new regions.
pub(super) fn watershed<'a>(c: &'a CompactHeightfield, distances: &[u32]) -> Cells<'a> {
    let level = |span: usize| distances.get(span).map_or(0, |distance| usize_of(distance / 2));
    let highest = (0..c.spans.len()).map(level).fold(0, usize::max);
    // The spans of a level lie together, as they are walked.
    let (mut cells, ends) = Cells::new(c, highest + 1, |span| highest - level(span));
    let mut growth = Growth::default();
    let mut queue = Vec::new();
    let (mut last, mut start) = (0, 0);
    for end in ends {
        let level = start..end;
        start = end;
        growth.grow(&mut cells, &level);
        for span in level.clone() {
            if cells.at(span).region == 0 {
                last += 1;
                fill(&mut cells, &level, span, last, &mut queue);
            }
        }
    }
    cells
}

/// Gives a new region to a free span and to all free ones of its level that are linked with it, breadth first, none that excludes another.
fn fill(cells: &mut Cells<'_>, level: &Range<u32>, from: u32, region: u32, queue: &mut Vec<u32>) {
    cells.at_mut(from).region = region;
    queue.clear();
    queue.push(from);
    let mut next = 0;
    while let Some(&span) = queue.get(next) {
        next += 1;
        for side in cells.at(span).sides {
            if level.contains(&side) && cells.at(side).region == 0 && may_join(cells, level, side, region) {
                cells.at_mut(side).region = region;
                queue.push(side);
            }
        }
    }
}

/// Whether a span may join a region. Those of lower levels have none yet.
fn may_join(cells: &Cells<'_>, level: &Range<u32>, span: u32, region: u32) -> bool {
    cells.excluded(span).all(|other| other >= level.end || cells.at(other).region != region)
}

/// Grows regions into the spans of a level, one step a round: a span takes the lowest id of those beside it that it may join. Of two
/// spans that exclude each other and want the same region in a round the later one gets none.
///
/// A span's mark is what it wants in this round, 0 for nothing; [`LISTED`] while it is a candidate for the next one.
#[derive(Default)]
struct Growth {
    /// The spans that have a chance in this round: those of the level, then what is beside those that got a region.
    candidates: Vec<u32>,
    /// Who wants what in this round; 0 for those that get nothing.
    wanted: Vec<(u32, u32)>,
}

/// No region.
const LISTED: u32 = u32::MAX;

impl Growth {
    fn grow(&mut self, cells: &mut Cells<'_>, level: &Range<u32>) {
        self.want(cells, level, level.clone());
        while !self.wanted.is_empty() {
            // As all were before the round: nobody is given anything before all have chosen, and who gets nothing is known.
            for (span, region) in &mut self.wanted {
                if cells
                    .excluded(*span)
                    .any(|other| level.start <= other && other < *span && cells.at(other).mark == *region)
                {
                    *region = 0;
                }
            }
            self.candidates.clear();
            for &(span, region) in &self.wanted {
                let cell = cells.at_mut(span);
                (cell.region, cell.mark) = (region, 0);
                // The others that want something still have their marks.
                for side in std::iter::once(span).chain(cell.sides) {
                    let cell = cells.at_mut(side);
                    if level.contains(&side) && cell.region == 0 && cell.mark == 0 {
                        cell.mark = LISTED;
                        self.candidates.push(side);
                    }
                }
            }
            let candidates = std::mem::take(&mut self.candidates);
            self.want(cells, level, candidates.iter().copied());
            self.candidates = candidates;
        }
    }

    /// Asks each candidate what it wants.
    fn want(&mut self, cells: &mut Cells<'_>, level: &Range<u32>, candidates: impl Iterator<Item = u32>) {
        self.wanted.clear();
        for span in candidates {
            let mut best = 0;
            for side in cells.at(span).sides {
                let region = cells.at(side).region;
                if region != 0 && (best == 0 || region < best) && may_join(cells, level, span, region) {
                    best = region;
                }
            }
            cells.at_mut(span).mark = best;
            if best != 0 {
                self.wanted.push((span, best));
            }
        }
    }
}
