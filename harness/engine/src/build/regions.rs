//! Walkable spans into regions, by one of three partitions. SPEC.md `[BUILD-18]` to `[BUILD-23]`.
//!
//! Whatever the partition, a region is connected and has at most one span in a column: seen from above it does not lie over
//! itself.

use std::ops::Range;

use super::compact::CompactHeightfield;
use super::regions_merge::{drop_islands, join_layers, merge_small, number};
use super::settings::{Partition, Settings};
use super::steps::Steps;
use super::{AREA_NONE, column_range, index_of, usize_of};

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
    let (steps, columns) = (Steps::new(c), Columns::new(c));
    let mut map = match s.partition {
        Partition::Watershed => watershed(c, &steps, &columns, distances),
        Partition::Monotone => monotone(c, &steps),
        Partition::Layers => join_layers(&steps, &columns, monotone(c, &steps)),
    };
    drop_islands(&steps, s.min_region_area, &mut map);
    merge_small(&steps, &columns, s.merge_region_area, &mut map);
    number(map)
}

/// The spans that share a column.
pub(super) struct Columns<'a> {
    c: &'a CompactHeightfield,
    /// The column of each span; `ALONE` for the only one of its column.
    of: Vec<u32>,
}

/// No column.
const ALONE: u32 = u32::MAX;

impl<'a> Columns<'a> {
    fn new(c: &'a CompactHeightfield) -> Columns<'a> {
        let mut of = vec![ALONE; c.spans.len()];
        for (column, ends) in c.columns.windows(2).enumerate() {
            if ends[1].saturating_sub(ends[0]) > 1 {
                let spans = column_range(&c.columns, column);
                of.get_mut(spans).unwrap_or_default().fill(index_of(column));
            }
        }
        Columns { c, of }
    }

    /// All spans in the column of a span, where there is more than that one; otherwise none.
    pub(super) fn beside(&self, span: u32) -> Range<usize> {
        match self.of[usize_of(span)] {
            ALONE => 0..0,
            column => column_range(&self.c.columns, usize_of(column)),
        }
    }

    /// Whether a region has another span in the column of a span.
    fn has(&self, span: u32, region: u32, regions: &[u32]) -> bool {
        regions[self.beside(span)].contains(&region)
    }
}

/// A region's or a span's value; 0 where there is none.
pub(super) fn at(values: &[u32], index: u32) -> u32 {
    values.get(usize_of(index)).copied().unwrap_or(0)
}

/// Floods from the greatest distance down, two half columns at a time. At each level the regions that are there grow into its spans
/// step by step; what they do not reach begins new regions.
fn watershed(c: &CompactHeightfield, steps: &Steps, columns: &Columns<'_>, distances: &[u32]) -> Vec<u32> {
    let mut levels: Vec<u32> = (0..c.spans.len()).map(|span| distances.get(span).map_or(0, |d| d / 2)).collect();
    // For the absent place: of no level.
    levels.push(u32::MAX);
    let mut by_level: Vec<(u32, u32)> = (0..index_of(c.spans.len()))
        .filter(|&span| c.spans[usize_of(span)].area != AREA_NONE)
        .map(|span| (u32::MAX - levels[usize_of(span)], span))
        .collect();
    by_level.sort_unstable();
    let mut flood = Flood { steps, columns, levels, regions: vec![0; c.spans.len() + 1], queue: Vec::new() };
    let mut growth = Growth { choices: vec![0; c.spans.len()], ..Growth::default() };
    let mut last = 0;
    for level in by_level.chunk_by(|a, b| a.0 == b.0) {
        growth.grow(&mut flood, level.iter().map(|&(_, span)| span));
        for &(_, span) in level {
            if flood.regions[usize_of(span)] == 0 {
                last += 1;
                flood.fill(span, last);
            }
        }
    }
    flood.regions.pop();
    flood.regions
}

/// The regions of a watershed while they are made.
struct Flood<'a> {
    steps: &'a Steps,
    columns: &'a Columns<'a>,
    /// Of each span, and of the absent place.
    levels: Vec<u32>,
    /// Of each span, 0 for a free one, and of the absent place, which is 0 too.
    regions: Vec<u32>,
    /// Room for [`Flood::fill`].
    queue: Vec<u32>,
}

impl Flood<'_> {
    /// Gives a new region to a free span and to all free ones of its level that are linked with it, breadth first, at most one in a column.
    fn fill(&mut self, from: u32, region: u32) {
        let level = self.levels[usize_of(from)];
        self.regions[usize_of(from)] = region;
        self.queue.clear();
        self.queue.push(from);
        let mut next = 0;
        while let Some(&span) = self.queue.get(next) {
            next += 1;
            for side in self.steps.from(span) {
                let at = usize_of(side);
                if self.levels[at] == level && self.regions[at] == 0 && !self.columns.has(side, region, &self.regions) {
                    self.regions[at] = region;
                    self.queue.push(side);
                }
            }
        }
    }
}

/// Grows regions into the spans of a level, one step a round: a span takes the lowest id of those beside it that have no other
/// span in its column. Two spans of a column may want the same region in a round: then the lower one gets it.
#[derive(Default)]
struct Growth {
    /// The spans that have a chance in this round: those of the level, then what is beside those that got a region.
    candidates: Vec<u32>,
    /// Who wants what in this round.
    wanted: Vec<(u32, u32)>,
    /// For each span what it wants in this round, 0 for nothing; [`TRIED`] while it is a candidate for the next one.
    choices: Vec<u32>,
}

/// No region.
const TRIED: u32 = u32::MAX;

impl Growth {
    fn grow(&mut self, flood: &mut Flood<'_>, level: impl Iterator<Item = u32>) {
        self.candidates.clear();
        self.candidates.extend(level);
        let Some(own) = self.candidates.first().map(|&span| flood.levels[usize_of(span)]) else { return };
        while !self.candidates.is_empty() {
            self.wanted.clear();
            for &span in &self.candidates {
                let mut best = 0;
                for side in flood.steps.from(span) {
                    let region = flood.regions[usize_of(side)];
                    let better = region != 0 && (best == 0 || region < best);
                    if better && !flood.columns.has(span, region, &flood.regions) {
                        best = region;
                    }
                }
                self.choices[usize_of(span)] = best;
                if best != 0 {
                    self.wanted.push((span, best));
                }
            }
            self.candidates.clear();
            // As the regions were before the round: nobody is given anything before all have chosen.
            for &(span, region) in &self.wanted {
                let mut lower = flood.columns.beside(span).take_while(|&other| other < usize_of(span));
                if !lower.any(|other| self.choices[other] == region) {
                    flood.regions[usize_of(span)] = region;
                }
            }
            for &(span, _) in &self.wanted {
                self.choices[usize_of(span)] = 0;
            }
            for &(span, _) in &self.wanted {
                for side in std::iter::once(span).chain(flood.steps.from(span)) {
                    let at = usize_of(side);
                    if flood.levels[at] == own && flood.regions[at] == 0 && self.choices[at] != TRIED {
                        self.choices[at] = TRIED;
                        self.candidates.push(side);
                    }
                }
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
fn monotone(c: &CompactHeightfield, steps: &Steps) -> Vec<u32> {
    let (width, depth) = (usize_of(c.width), usize_of(c.depth));
    let mut regions = vec![0; c.spans.len()];
    let mut run_of = vec![0_u32; c.spans.len()];
    // For each region of the row before the run that goes on with it.
    let mut claimed: Vec<u32> = vec![0];
    for z in 0..depth {
        let start = z.saturating_mul(width);
        let row = start..start.saturating_add(width);
        let spans = row
            .flat_map(|column| column_range(&c.columns, column))
            .map(index_of)
            .filter(|&span| c.spans.get(usize_of(span)).is_some_and(|span| span.area != AREA_NONE));
        let spans: Vec<u32> = spans.collect();
        // Runs count from 1.
        let mut runs = vec![Run { above: 0 }];
        for &span in &spans {
            let run = match steps.to(span, 0) {
                Some(before) => at(&run_of, before),
                None => {
                    runs.push(Run { above: 0 });
                    index_of(runs.len()).saturating_sub(1)
                }
            };
            if let Some(slot) = run_of.get_mut(usize_of(span)) {
                *slot = run;
            }
            let above = steps.to(span, 3).map_or(0, |above| at(&regions, above));
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
            if let Some(claim) = steps.to(span, 3).and_then(|above| claimed.get_mut(usize_of(at(&regions, above)))) {
                *claim = 0;
            }
            if let Some(slot) = regions.get_mut(usize_of(span)) {
                *slot = at(&ids, at(&run_of, span));
            }
        }
    }
    regions
}
