//! Walkable spans as the partitions see them: where each leads to, which ones it excludes, its region. SPEC.md `[BUILD-18]`.

use std::ops::Range;

use super::compact::CompactHeightfield;
use super::{AREA_NONE, NO_SPAN, column_range, index_of, usize_of};

/// A walkable span while regions are made. All that is asked of one is in one place: the partitions walk about, and each place is a wait.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// The places of the walkable spans beside it, [`Cells::absent`] for none.
    pub(super) sides: [u32; 4],
    /// Where the spans that it excludes begin in [`Cells::excluded`]; [`ALONE`] for one that excludes none, as most do.
    excluded: u32,
    /// 0 for none.
    pub(super) region: u32,
    /// Whatever the partition keeps account of.
    pub(super) mark: u32,
}

/// Where an empty list is.
const ALONE: u32 = 0;

impl Cell {
    /// Whether it excludes no other.
    pub(super) fn is_alone(&self) -> bool {
        self.excluded == ALONE
    }
}

/// The walkable spans of a compact heightfield, in the order in which a partition comes to them, and after them one place that stands for
/// none.
pub(super) struct Cells<'a> {
    c: &'a CompactHeightfield,
    /// From the absent one all steps lead back to it; it has no region.
    pub(super) list: Vec<Cell>,
    /// For each span its place in the list, the absent one's for one that is not walkable.
    places: Vec<u32>,
    /// The places of the spans that a span excludes, list after list, each up to an absent one.
    excluded: Vec<u32>,
}

impl<'a> Cells<'a> {
    /// The walkable spans in the order of their keys, below `keys`; those of the same key by index.
    pub(super) fn new(c: &'a CompactHeightfield, keys: usize, key: impl Fn(usize) -> usize) -> (Cells<'a>, Vec<u32>) {
        let walkable = || (0..c.spans.len()).filter(|&span| c.spans[span].area != AREA_NONE);
        let mut ends = vec![0; keys];
        walkable().for_each(|span| ends[key(span)] += 1);
        let mut absent = 0;
        for end in &mut ends {
            absent += std::mem::replace(end, absent);
        }
        let mut places = vec![absent; c.spans.len()];
        for span in walkable() {
            // Each key's start moves up to its end.
            let end = &mut ends[key(span)];
            places[span] = *end;
            *end += 1;
        }
        let nowhere = Cell { sides: [absent; 4], excluded: ALONE, region: 0, mark: 0 };
        let mut list = vec![nowhere; usize_of(absent) + 1];
        let place =
            |next: u32| if next == NO_SPAN { absent } else { places.get(usize_of(next)).copied().unwrap_or(absent) };
        for span in walkable() {
            list[usize_of(places[span])].sides = c.spans[span].neighbours.map(place);
        }
        let mut cells = Cells { c, list, places, excluded: vec![absent] };
        cells.find_excluded();
        (cells, ends)
    }

    /// Notes what each span excludes: the others of its column, and those beside it that it is not linked with.
    fn find_excluded(&mut self) {
        let (c, absent) = (self.c, self.absent());
        let (width, depth) = (usize_of(c.width), usize_of(c.depth));
        let Cells { list, places, excluded, .. } = self;
        let walkable =
            |column| column_range(&c.columns, column).map(|span| places[span]).filter(|&place| place != absent);
        // How many walkable spans each column has; after the last one that there is none.
        let mut counts: Vec<u32> = (0..width * depth).map(|column| index_of(walkable(column).count())).collect();
        counts.push(0);
        let none = width * depth;
        for z in 0..depth {
            for x in 0..width {
                let column = x + z * width;
                if counts[column] == 0 {
                    continue;
                }
                let sides = [
                    if x > 0 { column - 1 } else { none },
                    if z + 1 < depth { column + width } else { none },
                    if x + 1 < width { column + 1 } else { none },
                    if z > 0 { column - width } else { none },
                ];
                for place in walkable(column) {
                    let cell = &mut list[usize_of(place)];
                    // Most are linked with all that are beside them.
                    let linked = cell.sides.map(|side| u32::from(side != absent));
                    if counts[column] == 1 && linked == sides.map(|side| counts[side]) {
                        continue;
                    }
                    cell.excluded = index_of(excluded.len());
                    excluded.extend(walkable(column).filter(|&other| other != place));
                    for (side, linked) in sides.into_iter().zip(cell.sides) {
                        excluded.extend(walkable(side).filter(|&other| other != linked));
                    }
                    excluded.push(absent);
                }
            }
        }
    }

    /// What stands for "no span": the place after the last one.
    pub(super) fn absent(&self) -> u32 {
        index_of(self.list.len() - 1)
    }

    pub(super) fn at(&self, place: u32) -> &Cell {
        &self.list[usize_of(place)]
    }

    pub(super) fn at_mut(&mut self, place: u32) -> &mut Cell {
        &mut self.list[usize_of(place)]
    }

    /// The places of the walkable spans of a row of columns, in the order of the spans.
    pub(super) fn row(&self, z: usize) -> impl Iterator<Item = u32> {
        let ends = [z, z + 1].map(|z| self.c.columns.get(z * usize_of(self.c.width)).map_or(0, |&span| usize_of(span)));
        let spans: Range<usize> = ends[0]..ends[1];
        spans.map(|span| self.places[span]).filter(|&place| place != self.absent())
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        usize_of(self.c.depth)
    }

    /// The spans that a span excludes.
    pub(super) fn excluded(&self, place: u32) -> impl Iterator<Item = u32> {
        let from = usize_of(self.at(place).excluded);
        self.excluded[from..].iter().copied().take_while(|&other| other != self.absent())
    }

    /// Whether a span may join a region: it excludes none of its spans.
    pub(super) fn may_join(&self, place: u32, region: u32) -> bool {
        self.excluded(place).all(|other| self.at(other).region != region)
    }

    /// The region of each span, 0 for one that is not walkable.
    pub(super) fn regions(&self) -> impl Iterator<Item = u32> {
        self.places.iter().map(|&place| self.at(place).region)
    }
}
