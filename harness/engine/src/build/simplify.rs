//! Chains of boundary edges simplified, and outlines and holes made of them. SPEC.md `[BUILD-32]` to `[BUILD-34]`.

use std::collections::BTreeMap;

use crate::build::contours::{Point, Trace, Traced};
use crate::build::holes::{encloses, merge_holes};
use crate::build::triangulate::{Plan, distance, doubled_area, turn};
use crate::build::{Contour, ContourSet, Settings, SkipReason, Skipped};
use crate::{closest_on_segment, distance_squared};

/// The level of a chain that has all its corners.
const EXACT: u8 = 2;

/// A run of boundary edges with the same regions on its two sides, and what was kept of its corners.
pub(super) struct Chain {
    points: Vec<Point>,
    /// The regions on the left and on the right; 0 is a wall.
    regions: [u32; 2],
    /// Indices of the points that are kept, ascending; the first and the last always are.
    kept: Vec<usize>,
    /// 0: simplified; 1: every corner where the direction changes is kept; 2: every corner is.
    level: u8,
}

impl Chain {
    /// A chain of `points`, both ends included. Where it is a whole loop, it starts at its lowest corner by (x, z), and the
    /// highest one is kept too.
    pub(super) fn new(mut points: Vec<Point>, regions: [u32; 2], whole: bool, settings: &Settings) -> Chain {
        let mut kept = vec![0];
        if whole {
            points.pop();
            let place = |i: &usize| points[*i].place;
            let lowest = (0..points.len()).min_by_key(place).unwrap_or(0);
            points.rotate_left(lowest);
            let place = |i: &usize| points[*i].place;
            kept.extend((0..points.len()).rev().max_by_key(place));
            points.extend(points.first().copied());
        }
        kept.push(points.len() - 1);
        let mut chain = Chain { points, regions, kept, level: 0 };
        let error = settings.contour_max_error;
        if error > 0.0 {
            chain.split_where_far(error * error);
            chain.split_long(settings.max_edge_cells);
        } else {
            chain.refine(settings.max_edge_cells);
        }
        chain
    }

    /// Keeps, between two kept corners, the farthest one from the segment that joins them, as long as that is farther than the
    /// error; of equally far ones the first.
    fn split_where_far(&mut self, error_squared: f64) {
        self.split(|chain, from, to| {
            let at = |i: usize| chain.points[i].place.map(f64::from);
            let (a, b) = (at(from), at(to));
            let mut farthest = (error_squared, None);
            for index in from + 1..to {
                let point = at(index);
                let far = distance_squared(point, closest_on_segment(point, a, b).0);
                if far > farthest.0 {
                    farthest = (far, Some(index));
                }
            }
            farthest.1
        });
    }

    /// Splits the edges along walls that are longer than the limit at the corner in the middle of what they stand for.
    fn split_long(&mut self, limit: u32) {
        if limit == 0 || self.regions[1] != 0 {
            return;
        }
        let limit = i64::from(limit) * i64::from(limit);
        self.split(|chain, from, to| {
            let long = distance(chain.plan(from), chain.plan(to)) > limit;
            (long && to - from > 1).then(|| from + (to - from) / 2)
        });
    }

    fn split(&mut self, place: impl Fn(&Chain, usize, usize) -> Option<usize>) {
        let mut done = Vec::with_capacity(self.kept.len());
        let mut ahead: Vec<usize> = self.kept.iter().rev().copied().collect();
        let Some(mut from) = ahead.pop() else { return };
        done.push(from);
        while let Some(&to) = ahead.last() {
            match place(self, from, to) {
                Some(between) => ahead.push(between),
                None => {
                    done.push(to);
                    from = to;
                    ahead.pop();
                }
            }
        }
        self.kept = done;
    }

    fn refine(&mut self, limit: u32) {
        self.level = (self.level + 1).min(EXACT);
        let last = self.points.len() - 1;
        let at = |i: usize| self.plan(i);
        self.kept = (0..=last)
            .filter(|&i| {
                let end = i == 0 || i == last || self.level == EXACT;
                end || turn(at(i - 1), at(i), at(i + 1)) != 0 || at(i - 1) == at(i + 1)
            })
            .collect();
        self.split_long(limit);
    }

    fn plan(&self, point: usize) -> Plan {
        self.points[point].place.map(i64::from)
    }
}

pub(super) fn plan(vertex: &[i32; 3]) -> Plan {
    [i64::from(vertex[0]), i64::from(vertex[2])]
}

/// A corner of a loop and what is beyond the edge that starts there.
pub(super) type Corner = ([i32; 3], u32);

pub(super) fn plans(corners: &[Corner]) -> Vec<Plan> {
    corners.iter().map(|(vertex, _)| plan(vertex)).collect()
}

/// Makes the contours of all regions. A region whose simplified loops cross, or enclose nothing, gets its boundary back with every
/// corner where the direction changes, and where that is not enough with every corner; so do the regions beside it along the same
/// chains; until nothing changes any more.
pub(super) fn assemble(mut traced: Traced, trace: &Trace<'_>, settings: &Settings) -> ContourSet {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, traced_loop) in traced.loops.iter().enumerate() {
        match ranges.last_mut() {
            Some(range) if traced.loops[range.start].region == traced_loop.region => range.end = index + 1,
            _ => ranges.push(index..index + 1),
        }
    }
    let mut results: Vec<Result<Parts, SkipReason>> = ranges.iter().map(|_| Err(SkipReason::NoArea)).collect();
    let mut dirty: Vec<usize> = (0..ranges.len()).collect();
    while !dirty.is_empty() {
        let mut changed = Vec::new();
        for &index in &dirty {
            let range = ranges[index].clone();
            let used = || traced.loops[range.clone()].iter().flat_map(|l| l.chains.iter().map(|&(chain, _)| chain));
            let level = used().map(|chain| traced.chains[chain].level).min().unwrap_or(EXACT);
            results[index] = region_contours(&traced, trace, range.clone(), level);
            if results[index].is_err() {
                changed.extend(used().filter(|&chain| traced.chains[chain].level == level));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let mut touched = Vec::new();
        for &chain in &changed {
            traced.chains[chain].refine(settings.max_edge_cells);
            touched.extend(traced.chains[chain].regions);
        }
        touched.sort_unstable();
        touched.dedup();
        dirty = touched
            .iter()
            .filter_map(|&region| ranges.binary_search_by_key(&region, |range| traced.loops[range.start].region).ok())
            .collect();
    }
    let mut set = ContourSet::default();
    for (range, result) in ranges.iter().zip(results) {
        let region = traced.loops[range.start].region;
        match result {
            Ok(parts) => {
                set.contours.extend(parts.contours);
                set.skipped.extend(parts.skipped.into_iter().map(|reason| Skipped { region, reason }));
            }
            Err(reason) => set.skipped.push(Skipped { region, reason }),
        }
    }
    set
}

struct Parts {
    contours: Vec<Contour>,
    skipped: Vec<SkipReason>,
}

/// The contours of one region, whose chains have at least this level. What can't be used is left out at the last level only, so
/// that the chains are refined before; a crack (a wall between spans of the region, which encloses nothing) from level 1.
fn region_contours(
    traced: &Traced,
    trace: &Trace<'_>,
    range: std::ops::Range<usize>,
    level: u8,
) -> Result<Parts, SkipReason> {
    let mut parts = Parts { contours: Vec::new(), skipped: Vec::new() };
    let mut outlines: Vec<(i128, Contour, Vec<Contour>)> = Vec::new();
    let mut holes: Vec<Contour> = Vec::new();
    for traced_loop in &traced.loops[range] {
        for corners in split_at_repeats(loop_corners(traced, trace, &traced_loop.chains)) {
            let area = doubled_area(&plans(&corners));
            let (vertices, neighbours) = corners.into_iter().unzip();
            let contour = Contour { region: traced_loop.region, area: traced_loop.area, vertices, neighbours };
            if area > 0 {
                outlines.push((area, contour, Vec::new()));
            } else if area < 0 {
                holes.push(contour);
            } else if level > 0 {
                parts.skipped.push(SkipReason::NoArea);
            } else {
                return Err(SkipReason::NoArea);
            }
        }
    }
    for hole in holes {
        let around = outlines.iter_mut().filter(|(_, outline, _)| encloses(outline, &hole)).min_by_key(|o| o.0);
        match around {
            Some((_, _, inside)) => inside.push(hole),
            None if level == EXACT => parts.skipped.push(SkipReason::HoleOutside),
            None => return Err(SkipReason::HoleOutside),
        }
    }
    for (_, outline, inside) in outlines {
        match merge_holes(&outline, &inside) {
            Ok(contour) => parts.contours.push(contour),
            Err(reason) if level == EXACT => parts.skipped.push(reason),
            Err(reason) => return Err(reason),
        }
    }
    Ok(parts)
}

fn loop_corners(traced: &Traced, trace: &Trace<'_>, chains: &[(usize, bool)]) -> Vec<Corner> {
    let mut corners = Vec::new();
    for &(index, forward) in chains {
        let chain = &traced.chains[index];
        // Only of the corners that are kept the height is of interest.
        let corner = |&i: &usize, beyond: u32| {
            let Point { place: [x, z], edge } = chain.points[i];
            ([x, trace.height(edge), z], beyond)
        };
        let kept = chain.kept.iter();
        if forward {
            corners.extend(kept.take(chain.kept.len() - 1).map(|i| corner(i, chain.regions[1])));
        } else {
            corners.extend(kept.skip(1).rev().map(|i| corner(i, chain.regions[0])));
        }
    }
    corners
}

/// Cuts a loop that comes to the same place twice into loops that do not.
fn split_at_repeats(corners: Vec<Corner>) -> Vec<Vec<Corner>> {
    let mut loops = Vec::new();
    let mut open: Vec<Corner> = Vec::new();
    let mut seen: BTreeMap<Plan, usize> = BTreeMap::new();
    for corner in corners {
        let place = plan(&corner.0);
        if let Some(&at) = seen.get(&place) {
            let closed = open.split_off(at);
            for (vertex, _) in &closed {
                seen.remove(&plan(vertex));
            }
            loops.push(closed);
        }
        seen.insert(place, open.len());
        open.push(corner);
    }
    loops.push(open);
    loops
}
