//! Chains of boundary edges simplified, loops made of them, holes merged into outlines. SPEC.md, chapter BUILD.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::build::contours::Traced;
use crate::build::triangulate::{Plan, all_pairs, apart, distance, doubled_area, edges_of, in_cone, on_segment, turn};
use crate::build::{BRIDGE, COORDINATE_MAX, Contour, ContourSet, Settings, SkipReason, Skipped};
use crate::{closest_on_segment, distance_squared};

/// The level of a chain that has all its corners.
const EXACT: u8 = 2;

/// A run of boundary edges with the same regions on its two sides, and what was kept of its corners.
pub(super) struct Chain {
    points: Vec<[i32; 3]>,
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
    pub(super) fn new(mut points: Vec<[i32; 3]>, regions: [u32; 2], whole: bool, settings: &Settings) -> Chain {
        let mut kept = vec![0];
        if whole {
            points.pop();
            let place = |i: &usize| (points[*i][0], points[*i][2]);
            let lowest = (0..points.len()).min_by_key(place).unwrap_or(0);
            points.rotate_left(lowest);
            let place = |i: &usize| (points[*i][0], points[*i][2]);
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
            let at = |i: usize| [f64::from(chain.points[i][0]), f64::from(chain.points[i][2])];
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
            let long = distance(plan(&chain.points[from]), plan(&chain.points[to])) > limit;
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
        let at = |i: usize| plan(&self.points[i]);
        self.kept = (0..=last)
            .filter(|&i| {
                let end = i == 0 || i == last || self.level == EXACT;
                end || turn(at(i - 1), at(i), at(i + 1)) != 0 || at(i - 1) == at(i + 1)
            })
            .collect();
        self.split_long(limit);
    }
}

fn plan(vertex: &[i32; 3]) -> Plan {
    [i64::from(vertex[0]), i64::from(vertex[2])]
}

/// A corner of a loop and what is beyond the edge that starts there.
type Corner = ([i32; 3], u32);

fn plans(corners: &[Corner]) -> Vec<Plan> {
    corners.iter().map(|(vertex, _)| plan(vertex)).collect()
}

/// Makes the contours of all regions. A region whose simplified loops cross, or enclose nothing, gets its boundary back with every
/// corner where the direction changes, and where that is not enough with every corner; so do the regions beside it along the same
/// chains; until nothing changes any more.
pub(super) fn assemble(mut traced: Traced, settings: &Settings) -> ContourSet {
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
            results[index] = region_contours(&traced, range.clone(), level);
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
fn region_contours(traced: &Traced, range: std::ops::Range<usize>, level: u8) -> Result<Parts, SkipReason> {
    let mut parts = Parts { contours: Vec::new(), skipped: Vec::new() };
    let mut outlines: Vec<(i128, Contour, Vec<Contour>)> = Vec::new();
    let mut holes: Vec<Contour> = Vec::new();
    for traced_loop in &traced.loops[range] {
        for corners in split_at_repeats(loop_corners(traced, &traced_loop.chains)) {
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

fn loop_corners(traced: &Traced, chains: &[(usize, bool)]) -> Vec<Corner> {
    let mut corners = Vec::new();
    for &(index, forward) in chains {
        let chain = &traced.chains[index];
        let kept = chain.kept.iter();
        if forward {
            corners.extend(kept.take(chain.kept.len() - 1).map(|&i| (chain.points[i], chain.regions[1])));
        } else {
            corners.extend(kept.skip(1).rev().map(|&i| (chain.points[i], chain.regions[0])));
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

/// Whether the first corner of a hole that is no corner of the outline is inside of the outline, or on it. (The first corner of
/// all where there is none.)
fn encloses(outline: &Contour, hole: &Contour) -> bool {
    let points: Vec<Plan> = outline.vertices.iter().map(plan).collect();
    let mut corners = hole.vertices.iter().map(plan);
    let first = corners.next();
    let free = first.into_iter().chain(corners).find(|q| !points.contains(q));
    let Some(q) = free.or(first) else { return false };
    let mut inside = false;
    for (a, b) in edges_of(&points) {
        if on_segment(a, b, q) {
            return true;
        }
        if (a[1] > q[1]) != (b[1] > q[1]) && (turn(a, b, q) > 0) == (b[1] > a[1]) {
            inside = !inside;
        }
    }
    inside
}

/// Joins holes to the outline around them, so that one loop remains: each hole, from the one with the lowest corner by (x, z),
/// by a cut from that corner (or, failing that, the next one along the hole) to the nearest corner of the loop so far that it can
/// reach without touching anything; of equally near ones to the first. A hole that touches the loop at a corner is joined there,
/// before any cut.
///
/// # Errors
/// Why the outline and its holes are not what they should be; see [`SkipReason`].
pub fn merge_holes(outline: &Contour, holes: &[Contour]) -> Result<Contour, SkipReason> {
    check_shape(outline)?;
    let mut edges: Vec<(Plan, Plan)> = edges_of(&outline.vertices.iter().map(plan).collect::<Vec<_>>()).collect();
    for hole in holes {
        check_shape(hole)?;
        edges.extend(edges_of(&hole.vertices.iter().map(plan).collect::<Vec<_>>()));
    }
    let area = |contour: &Contour| doubled_area(&contour.vertices.iter().map(plan).collect::<Vec<_>>());
    if area(outline) <= 0 {
        return Err(if area(outline) == 0 { SkipReason::NoArea } else { SkipReason::Reversed });
    }
    if let Some(hole) = holes.iter().find(|hole| area(hole) >= 0) {
        return Err(if area(hole) == 0 { SkipReason::NoArea } else { SkipReason::Reversed });
    }
    if !all_pairs(&edges, apart) {
        return Err(SkipReason::Crossing);
    }
    if holes.iter().any(|hole| !encloses(outline, hole)) {
        return Err(SkipReason::HoleOutside);
    }
    let corners = |contour: &Contour| -> Vec<Corner> {
        contour.vertices.iter().copied().zip(contour.neighbours.iter().copied()).collect()
    };
    let mut waiting: Vec<Vec<Corner>> = holes.iter().map(corners).collect();
    for hole in &mut waiting {
        let lowest = (0..hole.len()).min_by_key(|&i| plan(&hole[i].0)).unwrap_or(0);
        hole.rotate_left(lowest);
    }
    waiting.sort_by_key(|hole| hole.first().map(|corner| plan(&corner.0)));
    let mut merging = Merging::new(corners(outline), &waiting, edges);
    let mut left: BTreeSet<usize> = (0..waiting.len()).collect();
    while !left.is_empty() {
        // First what touches the loop already: a cut to it would part the loop in two.
        let touching = merging.touching.iter().find_map(|&index| Some((index, merging.touch(&waiting[index])?)));
        let cut = || left.iter().find_map(|&index| Some((index, merging.cut(&waiting[index])?)));
        let Some((index, place)) = touching.or_else(cut) else { return Err(SkipReason::NoBridge) };
        left.remove(&index);
        merging.join(index, &waiting[index], place);
    }
    let (vertices, neighbours) = merging.corners.into_iter().unzip();
    Ok(Contour { region: outline.region, area: outline.area, vertices, neighbours })
}

pub(super) fn check_shape(contour: &Contour) -> Result<(), SkipReason> {
    if contour.neighbours.len() != contour.vertices.len() || contour.area > replay_format::limits::AREA_MAX {
        return Err(SkipReason::Malformed);
    }
    if contour.vertices.iter().flatten().any(|c| !(-COORDINATE_MAX..=COORDINATE_MAX).contains(c)) {
        return Err(SkipReason::OutOfRange);
    }
    if contour.vertices.len() < 3 { Err(SkipReason::NoArea) } else { Ok(()) }
}

/// A corner with the ones before and after it.
fn around(list: &[Plan], i: usize) -> (Plan, Plan, Plan) {
    let count = list.len();
    (list[(i + count - 1) % count], list[i], list[(i + 1) % count])
}

/// The loop while holes are merged into it.
struct Merging {
    corners: Vec<Corner>,
    /// Where the corners are.
    points: Vec<Plan>,
    /// The places of them.
    places: BTreeSet<Plan>,
    /// What no cut may cross: edges of the outline and of all holes, and cuts.
    edges: Vec<(Plan, Plan)>,
    /// The holes that have a corner at a place, for those that are not part of the loop.
    holes_at: BTreeMap<Plan, Vec<usize>>,
    /// The holes that touch the loop and are not part of it.
    touching: BTreeSet<usize>,
}

impl Merging {
    fn new(outline: Vec<Corner>, holes: &[Vec<Corner>], edges: Vec<(Plan, Plan)>) -> Merging {
        let mut holes_at: BTreeMap<Plan, Vec<usize>> = BTreeMap::new();
        for (index, hole) in holes.iter().enumerate() {
            for (vertex, _) in hole {
                holes_at.entry(plan(vertex)).or_default().push(index);
            }
        }
        let points = plans(&outline);
        let (places, touching) = (BTreeSet::new(), BTreeSet::new());
        let mut merging = Merging { corners: outline, points: Vec::new(), places, edges, holes_at, touching };
        merging.visit(&points);
        merging.points = points;
        merging
    }

    /// Places that are on the loop from now on.
    fn visit(&mut self, points: &[Plan]) {
        for point in points.iter().filter(|&&point| self.places.insert(point)) {
            self.touching.extend(self.holes_at.get(point).into_iter().flatten());
        }
    }

    /// The corner of the loop that the first corner of a hole which is on the loop is on, with the hole inside; and that corner.
    fn touch(&self, hole: &[Corner]) -> Option<(usize, usize)> {
        let from = hole.iter().position(|corner| self.places.contains(&plan(&corner.0)))?;
        let (before, h, after) = around(&plans(hole), from);
        let fits = |at: usize| {
            let (back, p, on) = around(&self.points, at);
            p == h && in_cone(back, p, on, before) && in_cone(back, p, on, after)
        };
        (0..self.points.len()).find(|&at| fits(at)).map(|at| (at, from))
    }

    /// The corners of the loop and of the hole that a cut can join.
    fn cut(&self, hole: &[Corner]) -> Option<(usize, usize)> {
        let inner = plans(hole);
        for from in 0..inner.len() {
            let (before, h, after) = around(&inner, from);
            let joins = |at: usize| {
                let (back, p, on) = around(&self.points, at);
                in_cone(back, p, on, h)
                    && in_cone(before, h, after, p)
                    && self.edges.iter().all(|&edge| apart(edge, (p, h)))
            };
            let away = || self.points.iter().enumerate().map(|(i, &p)| (distance(p, h), i));
            // Mostly one of the nearest will do: only where they do not, all are put in order.
            let mut last = None;
            for _ in 0..SCANS {
                let Some(next) = away().filter(|&one| last.is_none_or(|last| one > last)).min() else { break };
                if joins(next.1) {
                    return Some((next.1, from));
                }
                last = Some(next);
            }
            let rest = away().filter(|&one| last.is_none_or(|last| one > last)).map(Reverse);
            let mut rest: BinaryHeap<Reverse<(i64, usize)>> = rest.collect();
            if let Some(Reverse((_, at))) = std::iter::from_fn(|| rest.pop()).find(|&Reverse((_, at))| joins(at)) {
                return Some((at, from));
            }
        }
        None
    }

    /// Makes a hole part of the loop: goes from a corner of the loop to one of the hole, around it and back.
    fn join(&mut self, index: usize, hole: &[Corner], (at, from): (usize, usize)) {
        let (way, entry) = (self.corners[at], hole[from]);
        let round = hole[from..].iter().chain(&hole[..from]).copied();
        let mut joined: Vec<Corner> = Vec::with_capacity(hole.len() + 2);
        if plan(&way.0) == plan(&entry.0) {
            joined.extend(round);
        } else {
            self.edges.push((plan(&way.0), plan(&entry.0)));
            joined.push((way.0, BRIDGE));
            joined.extend(round);
            joined.push((entry.0, BRIDGE));
        }
        self.points.splice(at..at, plans(&joined));
        self.corners.splice(at..at, joined);
        self.touching.remove(&index);
        for vertex in hole.iter().map(|(vertex, _)| plan(vertex)) {
            if let Some(holes) = self.holes_at.get_mut(&vertex) {
                holes.retain(|&other| other != index);
            }
        }
        self.visit(&plans(hole));
    }
}

/// How often the next nearest corner is looked for before all are put in order.
const SCANS: usize = 8;
