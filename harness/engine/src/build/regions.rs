//! Walkable spans into regions, by one of three partitions. SPEC.md `[BUILD-18]` to `[BUILD-23]`.
//!
//! Whatever the partition, a region is connected, has at most one span in a column, and its spans in columns side by side are linked:
//! seen from above it is a plain shape, which does not lie over or beside itself at another height.

use std::ops::Range;

use super::compact::{CompactHeightfield, CompactSpan};
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
    let steps = Steps::new(c);
    let rivals = Rivals::new(c, &steps);
    let mut map = match s.partition {
        Partition::Watershed => watershed(c, &steps, &rivals, distances),
        Partition::Monotone => monotone(c, &steps, &rivals),
        Partition::Layers => join_layers(&steps, &rivals, monotone(c, &steps, &rivals)),
    };
    drop_islands(&steps, s.min_region_area, &mut map);
    merge_small(&steps, &rivals, s.merge_region_area, &mut map);
    number(map)
}

/// Which spans exclude each other: no region has both. Those are the walkable ones of a column, and those of columns side by side
/// that are not linked.
pub(super) struct Rivals<'a> {
    c: &'a CompactHeightfield,
    steps: &'a Steps,
    /// The column of each span; `ALONE` for one that excludes no other, as most do.
    of: Vec<u32>,
}

/// No column.
const ALONE: u32 = u32::MAX;

impl<'a> Rivals<'a> {
    fn new(c: &'a CompactHeightfield, steps: &'a Steps) -> Rivals<'a> {
        let (width, depth) = (usize_of(c.width), usize_of(c.depth));
        let is_walkable = |span: &&CompactSpan| span.area != AREA_NONE;
        let spans = |column: usize| column_range(&c.columns, column);
        // How many walkable spans each column has; after the last one that there is none.
        let count = |column| c.spans.get(spans(column)).map_or(0, |spans| spans.iter().filter(is_walkable).count());
        let mut counts: Vec<usize> = (0..width * depth).map(count).collect();
        let none = counts.len();
        counts.push(0);
        let mut of = vec![ALONE; c.spans.len()];
        for z in 0..depth {
            for x in 0..width {
                let column = x + z * width;
                if counts[column] == 0 {
                    continue;
                }
                let sides = [
                    counts[if x > 0 { column - 1 } else { none }],
                    counts[if z + 1 < depth { column + width } else { none }],
                    counts[if x + 1 < width { column + 1 } else { none }],
                    counts[if z > 0 { column - width } else { none }],
                ];
                // A span is alone where all that are beside it are linked with it.
                for span in spans(column) {
                    let linked = steps.from(index_of(span)).map(|step| usize::from(step != steps.absent()));
                    if counts[column] > 1 || linked != sides {
                        of[span] = index_of(column);
                    }
                }
            }
        }
        Rivals { c, steps, of }
    }

    /// The spans of the columns beside a column, in directions 0 to 3.
    fn sides(&self, column: u32) -> [Range<usize>; 4] {
        let (width, depth) = (self.c.width.max(1), self.c.depth);
        let (x, z) = (column % width, column / width);
        let spans = |exists: bool, column: u32| match exists {
            true => column_range(&self.c.columns, usize_of(column)),
            false => 0..0,
        };
        [
            spans(x > 0, column.wrapping_sub(1)),
            spans(z + 1 < depth, column.wrapping_add(width)),
            spans(x + 1 < width, column.wrapping_add(1)),
            spans(z > 0, column.wrapping_sub(width)),
        ]
    }

    /// Whether a span excludes no other.
    fn is_alone(&self, span: u32) -> bool {
        self.of[usize_of(span)] == ALONE
    }

    /// Whether one of the spans that a span excludes (or one that is not walkable) is what is asked for.
    pub(super) fn any(&self, span: u32, mut test: impl FnMut(usize) -> bool) -> bool {
        if self.is_alone(span) {
            return false;
        }
        let column = self.of[usize_of(span)];
        let mut own = column_range(&self.c.columns, usize_of(column));
        own.any(|other| other != usize_of(span) && test(other))
            || self
                .sides(column)
                .into_iter()
                .zip(self.steps.from(span))
                .any(|(mut side, step)| side.any(|other| other != usize_of(step) && test(other)))
    }

    /// Whether a region has a span that a span excludes.
    fn has(&self, span: u32, region: u32, regions: &[u32]) -> bool {
        self.any(span, |other| regions[other] == region)
    }
}

/// A region's or a span's value; 0 where there is none.
pub(super) fn at(values: &[u32], index: u32) -> u32 {
    values.get(usize_of(index)).copied().unwrap_or(0)
}

/// Floods from the greatest distance down, two half columns at a time. At each level the regions that are there grow into its spans
/// step by step; what they do not reach begins new regions.
fn watershed(c: &CompactHeightfield, steps: &Steps, rivals: &Rivals<'_>, distances: &[u32]) -> Vec<u32> {
    let mut levels: Vec<u32> = (0..c.spans.len()).map(|span| distances.get(span).map_or(0, |d| d / 2)).collect();
    // For the absent place: of no level.
    levels.push(u32::MAX);
    // The highest level first, in a level by index: one number for both sorts faster than a pair.
    let mut by_level: Vec<u64> = (0..index_of(c.spans.len()))
        .filter(|&span| c.spans[usize_of(span)].area != AREA_NONE)
        .map(|span| u64::from(u32::MAX - levels[usize_of(span)]) << 32 | u64::from(span))
        .collect();
    by_level.sort_unstable();
    let span_of = |entry: u64| (entry & u64::from(u32::MAX)) as u32;
    let mut flood = Flood { steps, rivals, levels, regions: vec![0; c.spans.len() + 1], queue: Vec::new() };
    let mut growth = Growth { choices: vec![0; c.spans.len()], ..Growth::default() };
    let mut last = 0;
    for level in by_level.chunk_by(|a, b| a >> 32 == b >> 32) {
        growth.grow(&mut flood, level.iter().map(|&entry| span_of(entry)));
        for span in level.iter().map(|&entry| span_of(entry)) {
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
    rivals: &'a Rivals<'a>,
    /// Of each span, and of the absent place.
    levels: Vec<u32>,
    /// Of each span, 0 for a free one, and of the absent place, which is 0 too.
    regions: Vec<u32>,
    /// Room for [`Flood::fill`].
    queue: Vec<u32>,
}

impl Flood<'_> {
    /// Gives a new region to a free span and to all free ones of its level that are linked with it, breadth first, none that excludes another.
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
                if self.levels[at] == level && self.regions[at] == 0 && !self.rivals.has(side, region, &self.regions) {
                    self.regions[at] = region;
                    self.queue.push(side);
                }
            }
        }
    }
}

/// Grows regions into the spans of a level, one step a round: a span takes the lowest id of those beside it that have no span that
/// it excludes. Of two spans that exclude each other and want the same region in a round the later one gets none.
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
                    if better && !flood.rivals.has(span, region, &flood.regions) {
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
                if !flood.rivals.any(span, |other| other < usize_of(span) && self.choices[other] == region) {
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
    /// The one region of the row before that it touches; 0 none, `MANY` more than one, or one that it cannot go on with.
    above: u32,
}

/// "More than one".
const MANY: u32 = u32::MAX;

/// Cuts each row into runs of linked spans along x. A run goes on with a region of the row before where it touches no other region
/// there, that region is touched by no other run, and it has no span that one of the run excludes.
fn monotone(c: &CompactHeightfield, steps: &Steps, rivals: &Rivals<'_>) -> Vec<u32> {
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
        for &span in spans.iter().filter(|&&span| !rivals.is_alone(span)) {
            let run = runs.get_mut(usize_of(at(&run_of, span))).filter(|run| !matches!(run.above, 0 | MANY));
            if let Some(run) = run.filter(|run| rivals.has(span, run.above, &regions)) {
                run.above = MANY;
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
