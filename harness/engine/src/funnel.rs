//! Corners of the shortest way through a corridor: the funnel algorithm. SPEC.md `[QRY-4]`.
//!
//! Lee, Preparata, "Euclidean shortest paths in the presence of rectilinear barriers", 1984, in the form that keeps only the two
//! rays that bound what the apex sees (Mononen, "Simple Stupid Funnel Algorithm", 2010) and goes back to the portal of a new
//! apex. Where things lie on one line the comparisons are not strict and the farther end wins, so that a corner is never put
//! beyond the point where the way turns (REPORTS 21).

use crate::NavMesh;
use crate::geometry::{along, closest_on_segment, cross, distance_squared, plan};

/// A start that is on or past a portal's line and within this distance of the portal has passed it, metres.
const PASSED: f64 = 1.0 / 1024.0;

/// The way from one polygon of a corridor into the next: the ends of their shared edge, as seen by who walks through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The left end, plan.
    pub left: [f64; 2],
    /// The right end, plan.
    pub right: [f64; 2],
}

impl Portal {
    /// Whether a walker at `start` has this portal behind.
    fn is_passed(&self, start: [f64; 2]) -> bool {
        let (closest, _) = closest_on_segment(start, self.right, self.left);
        cross(self.right, self.left, start) <= 0.0 && distance_squared(closest, start) <= PASSED * PASSED
    }

    /// A portal that lies on a ray from the apex is crossed where it begins: both ends are its nearer one.
    fn seen_from(self, apex: [f64; 2]) -> Portal {
        let Portal { left, right } = self;
        if cross(apex, right, left) != 0.0 || dot(apex, right, left) <= 0.0 {
            return self;
        }
        let nearer = if dot(apex, left, left) < dot(apex, right, right) { left } else { right };
        Portal { left: nearer, right: nearer }
    }
}

/// Appends the corners of the shortest way from `start` through all portals to `goal`, at most `max_corners` of them; the goal
/// is the last where there is room for it.
///
/// Consecutive portals are sides of convex polygons, as they are in a corridor. For other lists the result is some way, found in
/// bounded time.
pub fn string_pull(start: [f64; 2], portals: &[Portal], goal: [f64; 2], max_corners: usize, out: &mut Vec<[f64; 2]>) {
    let passed = portals.iter().take_while(|portal| portal.is_passed(start)).count();
    pull(start, passed, portals.len(), |index| portals.get(index).copied(), goal, max_corners, out);
}

impl NavMesh {
    /// Appends the next corners of the shortest way from `position` through a corridor to `target`, in plan, at most
    /// `max_corners` of them; the target is the last where there is room for it.
    ///
    /// An end of a portal that touches a wall (a vertex of an edge of a polygon with area above 0 that leads to no polygon with
    /// area above 0; filters play no part) is moved inwards along the portal by `clearance` metres, at most to its midpoint.
    /// The position may be anywhere: portals that it is on, or behind within a millimetre, count as passed. Where two
    /// polygons of the corridor are not linked, the corridor ends before the second.
    pub fn corners(
        &self,
        position: [f64; 2],
        corridor: &[u32],
        target: [f64; 2],
        clearance: f64,
        max_corners: usize,
        out: &mut Vec<[f64; 2]>,
    ) {
        let pairs = || corridor.iter().copied().zip(corridor.iter().copied().skip(1));
        let portals = pairs().map(|(from, to)| self.portal(from, to, 0.0));
        let passed = portals.take_while(|p| p.is_some_and(|p| p.is_passed(position))).count();
        let count = corridor.len().saturating_sub(1);
        let portal = |index: usize| {
            let (from, to) = (corridor.get(index)?, corridor.get(index.checked_add(1)?)?);
            self.portal(*from, *to, clearance)
        };
        pull(position, passed, count, portal, target, max_corners, out);
    }

    /// The portal from a polygon into another: its first edge with a link to it.
    fn portal(&self, from: u32, to: u32, clearance: f64) -> Option<Portal> {
        let edge = self.edges_of(from).iter().find(|edge| edge.link() == Some(to))?;
        // Who leaves through an edge has its start on the right.
        let (right, left) = (plan(&self.vertex(edge.a)), plan(&self.vertex(edge.b)));
        let length = edge.length;
        if !(clearance > 0.0 && length > 0.0) {
            return Some(Portal { left, right });
        }
        let t = clearance / length;
        let inwards = |end: [f64; 2], other: [f64; 2]| {
            if t < 0.5 { along(end, other, t) } else { along(right, left, 0.5) }
        };
        Some(Portal {
            left: if self.is_boundary(edge.b) { inwards(left, right) } else { left },
            right: if self.is_boundary(edge.a) { inwards(right, left) } else { right },
        })
    }
}

/// The funnel over the portals `first..count` and then the goal, a portal of no width. A portal that is missing is the end.
fn pull(
    start: [f64; 2],
    first: usize,
    count: usize,
    portal: impl Fn(usize) -> Option<Portal>,
    goal: [f64; 2],
    max_corners: usize,
    out: &mut Vec<[f64; 2]>,
) {
    let most = out.len().saturating_add(max_corners);
    let (mut apex, mut left, mut right) = (start, start, start);
    let (mut left_index, mut right_index) = (first, first);
    let mut index = first;
    while out.len() < most {
        let next = if index < count { portal(index) } else { None };
        let at = next.unwrap_or(Portal { left: goal, right: goal }).seen_from(apex);
        if at.left == apex && at.right == apex && (left == apex || right == apex) {
            // The way is still at the apex, which all portals since have in common.
            (left, right) = (apex, apex);
        }
        let mut corner = None;
        if turns_back(apex, left, right, at) {
            let nearer = dot(apex, left, left) < dot(apex, right, right);
            corner = Some(if nearer { (left, left_index) } else { (right, right_index) });
        }
        if corner.is_none() && narrows(apex, right, left, at.right, 1.0) {
            if left != apex && right != apex && cross(apex, left, at.right) > 0.0 {
                corner = Some((left, left_index));
            } else {
                (right, right_index) = (at.right, index);
            }
        }
        if corner.is_none() && narrows(apex, left, right, at.left, -1.0) {
            if left != apex && right != apex && cross(apex, right, at.left) < 0.0 {
                corner = Some((right, right_index));
            } else {
                (left, left_index) = (at.left, index);
            }
        }
        match corner {
            // The corner's portal is not before the apex's, and a portal that the apex is an end of is not looked at again: so
            // this goes back at most once for each portal.
            Some((point, at)) => {
                out.push(point);
                (apex, left, right) = (point, point, point);
                index = at + 1;
            }
            None if next.is_none() => {
                if apex != goal || apex == start {
                    out.push(goal);
                }
                return;
            }
            None => index += 1,
        }
    }
}

/// Whether `next` takes the place of `ray`'s end: it is on the inner side (`side` 1: left, -1: right), or on the ray and not
/// nearer, or on the `other` ray where that is half a turn away. A ray without length gives way to anything.
fn narrows(apex: [f64; 2], ray: [f64; 2], other: [f64; 2], next: [f64; 2], side: f64) -> bool {
    let turn = cross(apex, ray, next) * side;
    if ray == apex || turn > 0.0 {
        return true;
    }
    let forwards = dot(apex, next, ray);
    let is_other = || forwards < 0.0 && cross(apex, other, next) == 0.0 && dot(apex, other, next) > 0.0;
    turn == 0.0 && (forwards >= dot(apex, ray, ray) || is_other())
}

/// Whether the apex sees along one line only, and the next portal is on this line, but nearer than where the line must be left
/// at the earliest: the way turns straight back.
fn turns_back(apex: [f64; 2], left: [f64; 2], right: [f64; 2], next: Portal) -> bool {
    let is_short = |end: [f64; 2]| {
        let on_line = cross(apex, right, end) == 0.0;
        on_line && dot(apex, end, right) < dot(apex, right, right) && dot(apex, end, left) < dot(apex, left, left)
    };
    left != apex
        && right != apex
        && cross(apex, right, left) == 0.0
        && dot(apex, right, left) > 0.0
        && is_short(next.left)
        && is_short(next.right)
}

/// The dot product of the ways from `apex` to `a` and to `b`.
fn dot(apex: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - apex[0]) * (b[0] - apex[0]) + (a[1] - apex[1]) * (b[1] - apex[1])
}
