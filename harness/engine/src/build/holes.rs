//! Holes merged into the outlines around them. SPEC.md `[BUILD-35]`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::build::simplify::{Corner, plan, plans};
use crate::build::triangulate::{Plan, all_pairs, apart, distance, doubled_area, edges_of, in_cone, on_segment, turn};
use crate::build::{BRIDGE, COORDINATE_MAX, Contour, SkipReason};

/// Whether the first corner of a hole that is no corner of the outline is inside of the outline, or on it. (The first corner of
/// all where there is none.)
pub(super) fn encloses(outline: &Contour, hole: &Contour) -> bool {
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
