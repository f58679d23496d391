//! Exact plane geometry on whole numbers, and ear clipping. SPEC.md, chapter BUILD.
//!
//! Plan coordinates are at most [`COORDINATE_MAX`] cells, scaled by at most 64, in magnitude: every product of two differences
//! then fits in an i64 with room for the difference of two products.

use std::collections::BTreeSet;

/// The largest magnitude of a contour's coordinate, cells. What is farther out is skipped, so that nothing overflows.
pub const COORDINATE_MAX: i32 = 1 << 23;

/// A plan point: x and z, whole numbers.
pub(super) type Plan = [i64; 2];

/// Twice the signed area of a triangle: above 0 where `q` is left of the way from `a` to `b`.
pub(super) fn turn(a: Plan, b: Plan, q: Plan) -> i64 {
    (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

/// The squared distance.
pub(super) fn distance(a: Plan, b: Plan) -> i64 {
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    dx * dx + dz * dz
}

/// Twice the signed area of a loop, above 0 where its interior is on the left.
pub(super) fn doubled_area(points: &[Plan]) -> i128 {
    let Some(&first) = points.first() else { return 0 };
    let mut area = 0;
    for pair in points.windows(2) {
        area += i128::from(turn(first, pair[0], pair[1]));
    }
    area
}

/// Whether the way from `p` to `q` leaves `p` strictly inside of the loop that comes from `before` and goes on to `after`.
pub(super) fn in_cone(before: Plan, p: Plan, after: Plan, q: Plan) -> bool {
    if turn(before, p, after) >= 0 {
        turn(p, q, before) > 0 && turn(q, p, after) > 0
    } else {
        !(turn(p, q, after) >= 0 && turn(q, p, before) >= 0)
    }
}

/// Whether `q` is on the segment, its ends included.
pub(super) fn on_segment(a: Plan, b: Plan, q: Plan) -> bool {
    turn(a, b, q) == 0 && (0..2).all(|axis| q[axis] >= a[axis].min(b[axis]) && q[axis] <= a[axis].max(b[axis]))
}

/// Whether two segments cross at a point that is inside of both.
pub(super) fn cross_properly(a: (Plan, Plan), b: (Plan, Plan)) -> bool {
    let (c, d) = (turn(a.0, a.1, b.0).signum(), turn(a.0, a.1, b.1).signum());
    let (e, f) = (turn(b.0, b.1, a.0).signum(), turn(b.0, b.1, a.1).signum());
    c * d < 0 && e * f < 0
}

/// Whether two segments have nothing in common but one end at most.
pub(super) fn apart(a: (Plan, Plan), b: (Plan, Plan)) -> bool {
    let beside = |axis: usize| {
        let ((a, b), (c, d)) = ((a.0[axis], a.1[axis]), (b.0[axis], b.1[axis]));
        a.max(b) < c.min(d) || c.max(d) < a.min(b)
    };
    if beside(0) || beside(1) {
        return true;
    }
    let shared = |q: Plan, other: (Plan, Plan)| q == other.0 || q == other.1;
    let touches = |q: Plan, other: (Plan, Plan)| !shared(q, other) && on_segment(other.0, other.1, q);
    let both = shared(a.0, b) && shared(a.1, b);
    let touching = touches(a.0, b) || touches(a.1, b) || touches(b.0, a) || touches(b.1, a);
    !(both || touching || cross_properly(a, b))
}

/// Whether each pair of edges passes `test`. Only pairs whose ranges of x and z overlap are tested.
pub(super) fn all_pairs(edges: &[(Plan, Plan)], test: impl Fn((Plan, Plan), (Plan, Plan)) -> bool) -> bool {
    let range = |edge: &(Plan, Plan), axis: usize| {
        let (a, b) = (edge.0[axis], edge.1[axis]);
        if a <= b { (a, b) } else { (b, a) }
    };
    let mut order: Vec<&(Plan, Plan)> = edges.iter().collect();
    order.sort_by_key(|edge| range(edge, 0));
    for (index, one) in order.iter().enumerate() {
        let ((_, right), (low, high)) = (range(one, 0), range(one, 1));
        for two in order.iter().skip(index + 1) {
            if range(two, 0).0 > right {
                break;
            }
            let (from, to) = range(two, 1);
            if from <= high && to >= low && !test(**one, **two) {
                return false;
            }
        }
    }
    true
}

/// A loop's edges.
pub(super) fn edges_of(points: &[Plan]) -> impl Iterator<Item = (Plan, Plan)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Cuts a loop into triangles, all of area above 0 and with the loop's orientation; corners are indices into `points`.
///
/// The loop may touch itself (at bridges to holes), not cross itself. Of the ears (a corner whose triangle holds nothing of the
/// rest of the loop) the one with the shortest diagonal is cut first, of equal ones that with the lowest index. `None` where no
/// ear is left: the loop is not one that can be cut.
pub(super) fn triangulate(points: &[Plan]) -> Option<Vec<[usize; 3]>> {
    if points.len() < 3 {
        return None;
    }
    let mut ring = Ring::new(points);
    let mut triangles = Vec::with_capacity(points.len() - 2);
    while ring.left > 3 {
        let tip = ring.pop().or_else(|| {
            ring.refresh_all();
            ring.pop()
        })?;
        triangles.push(ring.cut(tip));
    }
    let corner = ring.any;
    let last = [ring.before[corner], corner, ring.after[corner]];
    if turn(points[last[0]], points[last[1]], points[last[2]]) <= 0 {
        return None;
    }
    triangles.push(last);
    Some(triangles)
}

/// What is left of a loop while ears are cut off.
struct Ring<'a> {
    points: &'a [Plan],
    before: Vec<usize>,
    after: Vec<usize>,
    gone: Vec<bool>,
    /// The corners that were not convex at first: only these can be in an ear's triangle (a convex corner stays convex).
    reflex: Vec<usize>,
    /// The ears by the squared length of their diagonal.
    ears: BTreeSet<(i64, usize)>,
    left: usize,
    /// A corner that is left.
    any: usize,
}

impl<'a> Ring<'a> {
    fn new(points: &'a [Plan]) -> Ring<'a> {
        let count = points.len();
        let before: Vec<usize> = (0..count).map(|i| if i == 0 { count - 1 } else { i - 1 }).collect();
        let after: Vec<usize> = (0..count).map(|i| if i + 1 == count { 0 } else { i + 1 }).collect();
        let reflex = (0..count).filter(|&i| turn(points[before[i]], points[i], points[after[i]]) <= 0).collect();
        let ears = BTreeSet::new();
        let mut ring = Ring { points, before, after, gone: vec![false; count], reflex, ears, left: count, any: 0 };
        ring.refresh_all();
        ring
    }

    fn refresh_all(&mut self) {
        for corner in (0..self.points.len()).filter(|&i| !self.gone[i]).collect::<Vec<_>>() {
            self.refresh(corner);
        }
    }

    fn refresh(&mut self, corner: usize) {
        if self.is_ear(corner) {
            self.ears.insert((self.diagonal(corner), corner));
        }
    }

    fn diagonal(&self, corner: usize) -> i64 {
        distance(self.points[self.before[corner]], self.points[self.after[corner]])
    }

    fn pop(&mut self) -> Option<usize> {
        self.ears.pop_first().map(|(_, corner)| corner)
    }

    fn cut(&mut self, tip: usize) -> [usize; 3] {
        let (a, c) = (self.before[tip], self.after[tip]);
        for corner in [a, c] {
            self.ears.remove(&(self.diagonal(corner), corner));
        }
        self.after[a] = c;
        self.before[c] = a;
        self.gone[tip] = true;
        self.left -= 1;
        self.any = a;
        if self.left.is_multiple_of(64) {
            let at = |i: usize| self.points[i];
            let (before, after) = (&self.before, &self.after);
            self.reflex.retain(|&i| !self.gone[i] && turn(at(before[i]), at(i), at(after[i])) <= 0);
        }
        self.refresh(a);
        self.refresh(c);
        [a, tip, c]
    }

    fn is_ear(&self, corner: usize) -> bool {
        let (ia, ic) = (self.before[corner], self.after[corner]);
        let at = |i: usize| self.points[i];
        let (a, b, c) = (at(ia), at(corner), at(ic));
        if turn(a, b, c) <= 0 || !in_cone(at(self.before[ia]), a, b, c) || !in_cone(b, c, at(self.after[ic]), a) {
            return false;
        }
        let low = [0, 1].map(|axis| a[axis].min(b[axis]).min(c[axis]));
        let high = [0, 1].map(|axis| a[axis].max(b[axis]).max(c[axis]));
        let blocked = |&i: &usize| {
            let q = at(i);
            (0..2).all(|axis| q[axis] >= low[axis] && q[axis] <= high[axis])
                && !self.gone[i]
                && q != a
                && q != b
                && q != c
                && turn(a, b, q) >= 0
                && turn(b, c, q) >= 0
                && turn(c, a, q) >= 0
        };
        !self.reflex.iter().any(blocked)
    }
}
