//! Walkable spans into regions, by one of three partitions. SPEC.md `[BUILD-18]` to `[BUILD-23]`.
//!
//! Whatever the partition, a region is connected and has at most one span in a column: seen from above it does not lie over
//! itself.

use super::compact::CompactHeightfield;
use super::regions_merge::{drop_islands, join_layers, merge_small, number};
use super::settings::{Partition, Settings};
use super::{column_range, index_of, usize_of};

/// The region of each span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegionMap {
    /// For each span its region, 0 for none.
    pub regions: Vec<u32>,
    /// How many regions there are. Their ids are 1 to `count`, in the order of their first spans.
    pub count: u32,
}

impl RegionMap {
    /// The canonical bytes, little-endian: the number of regions, the number of spans, then the region of each span (u32 each).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.count.to_le_bytes().to_vec();
        out.extend_from_slice(&index_of(self.regions.len()).to_le_bytes());
        self.regions.iter().for_each(|region| out.extend_from_slice(&region.to_le_bytes()));
        out
    }
}

/// The regions of a compact heightfield: the partition's, layers joined; then islands (regions that are linked with one another)
/// of fewer spans than `min_region_area` are dropped, and regions of fewer than `merge_region_area` merged into neighbours.
///
/// `distances` is the [`distance_field`](super::distance_field) of the compact heightfield; only the watershed reads it.
#[must_use]
pub fn regions(c: &CompactHeightfield, distances: &[u32], s: &Settings) -> RegionMap {
    let columns = Columns::new(c);
    let mut map = match s.partition {
        Partition::Watershed => watershed(c, &columns, distances),
        Partition::Monotone => monotone(c),
        Partition::Layers => join_layers(c, &columns, monotone(c)),
    };
    drop_islands(c, s.min_region_area, &mut map);
    merge_small(c, &columns, s.merge_region_area, &mut map);
    number(map)
}

/// The spans that share a column.
pub(super) struct Columns<'a> {
    c: &'a CompactHeightfield,
    /// The column of each span.
    of: Vec<u32>,
}

impl<'a> Columns<'a> {
    fn new(c: &'a CompactHeightfield) -> Columns<'a> {
        let mut of = vec![0; c.spans.len()];
        for column in 0..c.columns.len() {
            for span in column_range(&c.columns, column) {
                if let Some(slot) = of.get_mut(span) {
                    *slot = index_of(column);
                }
            }
        }
        Columns { c, of }
    }

    /// All spans in the column of a span.
    pub(super) fn beside(&self, span: u32) -> std::ops::Range<usize> {
        let column = self.of.get(usize_of(span)).copied().unwrap_or(u32::MAX);
        column_range(&self.c.columns, usize_of(column))
    }

    /// Whether a region has a span in the column of a span.
    fn has(&self, span: u32, region: u32, regions: &[u32]) -> bool {
        regions.get(self.beside(span)).unwrap_or_default().contains(&region)
    }
}

fn at(values: &[u32], index: u32) -> u32 {
    values.get(usize_of(index)).copied().unwrap_or(0)
}

/// Floods from the greatest distance down, two half columns at a time. At each level the regions that are there grow into its spans
/// step by step; what they do not reach begins new regions.
fn watershed(c: &CompactHeightfield, columns: &Columns<'_>, distances: &[u32]) -> Vec<u32> {
    let mut by_level: Vec<(u32, u32)> = (0..index_of(c.spans.len()))
        .filter(|&span| c.is_walkable(span))
        .map(|span| (u32::MAX.saturating_sub(at(distances, span) / 2), span))
        .collect();
    by_level.sort_unstable();
    let mut regions = vec![0; c.spans.len()];
    let mut last = 0;
    for level in by_level.chunk_by(|a, b| a.0 == b.0) {
        let spans: Vec<u32> = level.iter().map(|&(_, span)| span).collect();
        grow(c, columns, &spans, distances, &mut regions);
        let level = spans.first().map_or(0, |&span| at(distances, span) / 2);
        for &span in &spans {
            if at(&regions, span) == 0 {
                last = u32::saturating_add(last, 1);
                flood(c, columns, span, last, |span| at(distances, span) / 2 >= level, &mut regions);
            }
        }
    }
    regions
}

/// Grows regions into the spans of a level, one step a round: a span takes the lowest id of those beside it that have no other
/// span in its column.
fn grow(c: &CompactHeightfield, columns: &Columns<'_>, level: &[u32], distances: &[u32], regions: &mut [u32]) {
    let own = level.first().map_or(0, |&span| at(distances, span) / 2);
    let mut candidates = level.to_vec();
    while !candidates.is_empty() {
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for &span in &candidates {
            let mut best = 0;
            for side in (0..4).filter_map(|direction| c.step(span, direction)) {
                let region = at(regions, side);
                if region != 0 && (best == 0 || region < best) && !columns.has(span, region, regions) {
                    best = region;
                }
            }
            if best != 0 {
                taken.push((span, best));
            }
        }
        candidates.clear();
        for &(span, region) in &taken {
            // Two spans of a column may both have been given this region in this round.
            if columns.has(span, region, regions) {
                continue;
            }
            if let Some(slot) = regions.get_mut(usize_of(span)) {
                *slot = region;
            }
        }
        for &(span, _) in &taken {
            for side in std::iter::once(span).chain((0..4).filter_map(|direction| c.step(span, direction))) {
                if at(regions, side) == 0 && at(distances, side) / 2 == own {
                    candidates.push(side);
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
    }
}

/// Gives a new region to a span and to all that are linked with it, allowed and free, breadth first, at most one in a column.
fn flood(
    c: &CompactHeightfield,
    columns: &Columns<'_>,
    from: u32,
    region: u32,
    allowed: impl Fn(u32) -> bool,
    regions: &mut [u32],
) {
    let mut queue = vec![from];
    if let Some(slot) = regions.get_mut(usize_of(from)) {
        *slot = region;
    }
    let mut next = 0;
    while let Some(&span) = queue.get(next) {
        next = next.saturating_add(1);
        for side in (0..4).filter_map(|direction| c.step(span, direction)) {
            if at(regions, side) == 0 && allowed(side) && !columns.has(side, region, regions) {
                if let Some(slot) = regions.get_mut(usize_of(side)) {
                    *slot = region;
                }
                queue.push(side);
            }
        }
    }
}

/// A run of linked spans along a row.
#[derive(Clone, Copy)]
struct Run {
    /// The one region of the row before that it touches; 0 none, `MANY` more than one.
    above: u32,
}

/// "More than one".
const MANY: u32 = u32::MAX;

/// Cuts each row into runs of linked spans along x. A run goes on with a region of the row before where it touches no other region there and that region is
/// touched by no other run.
fn monotone(c: &CompactHeightfield) -> Vec<u32> {
    let (width, depth) = (usize_of(c.width), usize_of(c.depth));
    let mut regions = vec![0; c.spans.len()];
    let mut run_of = vec![0_u32; c.spans.len()];
    // For each region of the row before the run that goes on with it.
    let mut claimed: Vec<u32> = vec![0];
    for z in 0..depth {
        let start = z.saturating_mul(width);
        let row = start..start.saturating_add(width);
        let spans = row.flat_map(|column| column_range(&c.columns, column)).map(index_of).filter(|&s| c.is_walkable(s));
        let spans: Vec<u32> = spans.collect();
        // Runs count from 1.
        let mut runs = vec![Run { above: 0 }];
        for &span in &spans {
            let run = match c.step(span, 0) {
                Some(before) => at(&run_of, before),
                None => {
                    runs.push(Run { above: 0 });
                    index_of(runs.len()).saturating_sub(1)
                }
            };
            if let Some(slot) = run_of.get_mut(usize_of(span)) {
                *slot = run;
            }
            let above = c.step(span, 3).map_or(0, |above| at(&regions, above));
            if let (1.., Some(slot)) = (above, runs.get_mut(usize_of(run))) {
                slot.above = if slot.above == 0 || slot.above == above { above } else { MANY };
            }
            if let (1.., Some(claim)) = (above, claimed.get_mut(usize_of(above))) {
                *claim = if *claim == 0 || *claim == run { run } else { MANY };
            }
        }
        let mut ids = vec![0; runs.len()];
        for (index, (run, id)) in runs.iter().zip(&mut ids).enumerate().skip(1) {
            let goes_on = run.above != 0 && run.above != MANY && at(&claimed, run.above) == index_of(index);
            *id = if goes_on { run.above } else { index_of(claimed.len()) };
            if !goes_on {
                claimed.push(0);
            }
        }
        for &span in &spans {
            // Claims are for one row.
            if let Some(claim) = c.step(span, 3).and_then(|above| claimed.get_mut(usize_of(at(&regions, above)))) {
                *claim = 0;
            }
            if let Some(slot) = regions.get_mut(usize_of(span)) {
                *slot = at(&ids, at(&run_of, span));
            }
        }
    }
    regions
}
