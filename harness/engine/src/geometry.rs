//! Plane geometry that every query shares. SPEC.md, chapter GEO.
//!
//! The plan is the (x, z) plane; plan points are `[x, z]`, metres. Every function is total: finite arguments give finite
//! results, and each division stands behind a guard. Formulas are evaluated exactly as they are written here.

use replay_format::Point;

/// The plan of a point: x and z.
pub(crate) fn plan(point: &Point) -> [f64; 2] {
    [point[0], point[2]]
}

/// Twice the signed area of the plan triangle `a`, `b`, `q`, square metres: above 0 where `q` is left of the way from `a` to
/// `b`, 0 where it is on the line, below 0 right of it. "Left" is the interior of a polygon.
#[must_use]
pub fn cross(a: [f64; 2], b: [f64; 2], q: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

/// The squared plan distance, square metres.
#[must_use]
pub fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    dx * dx + dz * dz
}

/// The squared distance of two points, square metres.
pub(crate) fn distance_squared_3(a: &Point, b: &Point) -> f64 {
    let (dx, dy, dz) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    (dx * dx + dy * dy) + dz * dz
}

/// The distance of two points, metres.
pub(crate) fn distance_3(a: &Point, b: &Point) -> f64 {
    distance_squared_3(a, b).sqrt()
}

/// `value` cut to 0..=1. Gives 0.0 for -0.0 and for NaN.
pub(crate) fn clamp_unit(value: f64) -> f64 {
    if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 }
}

/// `value` cut to `low..=high`, where `low <= high`. A value that equals a bound stays as it is, with its sign of zero.
pub(crate) fn clamp(value: f64, low: f64, high: f64) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}

/// The number at `t` of the way from `a` to `b`: `a` itself up to 0, `b` itself from 1, never outside of the two.
pub(crate) fn between(a: f64, b: f64, t: f64) -> f64 {
    if t <= 0.0 {
        a
    } else if t >= 1.0 {
        b
    } else {
        let value = a + (b - a) * t;
        if a <= b { clamp(value, a, b) } else { clamp(value, b, a) }
    }
}

/// The plan point at `t` of the way from `a` to `b`, each axis by [`between`].
pub(crate) fn along(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [between(a[0], b[0], t), between(a[1], b[1], t)]
}

/// The point at `t` of the way from `a` to `b`, each axis by [`between`].
pub(crate) fn along_3(a: &Point, b: &Point, t: f64) -> Point {
    [between(a[0], b[0], t), between(a[1], b[1], t), between(a[2], b[2], t)]
}

/// The point of the segment from `a` to `b` that is closest to `p`, and its parameter: 0 at `a`, 1 at `b`.
///
/// A segment whose squared length is 0 is its first end, with parameter 0. At parameters 0 and 1 the ends come back bit for
/// bit.
#[must_use]
pub fn closest_on_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> ([f64; 2], f64) {
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    let length_squared = dx * dx + dz * dz;
    let t =
        if length_squared > 0.0 { clamp_unit(((p[0] - a[0]) * dx + (p[1] - a[1]) * dz) / length_squared) } else { 0.0 };
    (along(a, b, t), t)
}

/// An axis-aligned box, both ends included, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Point,
    pub(crate) max: Point,
}

impl Bounds {
    /// The box of one point.
    pub(crate) fn of(point: Point) -> Bounds {
        Bounds { min: point, max: point }
    }

    /// Grows the box to hold `point`. Of two equal coordinates the first stays.
    pub(crate) fn add(&mut self, point: &Point) {
        for ((min, max), &value) in self.min.iter_mut().zip(self.max.iter_mut()).zip(point) {
            if value < *min {
                *min = value;
            }
            if value > *max {
                *max = value;
            }
        }
    }

    /// Grows the box to hold `other`.
    pub(crate) fn join(&mut self, other: &Bounds) {
        self.add(&other.min);
        self.add(&other.max);
    }

    /// Whether a plan point is in the box, its edges included.
    pub(crate) fn contains_plan(&self, q: [f64; 2]) -> bool {
        q[0] >= self.min[0] && q[0] <= self.max[0] && q[1] >= self.min[2] && q[1] <= self.max[2]
    }

    /// How far `point` is outside of the box along each axis, 0 or more.
    ///
    /// For every `q` in the box each gap is at most the rounded `|q - point|` of its axis, because rounding is monotonic: what
    /// is pruned by gaps can't be chosen.
    pub(crate) fn gaps(&self, point: &Point) -> [f64; 3] {
        let gap = |axis: usize| {
            let value = point[axis];
            if value < self.min[axis] {
                self.min[axis] - value
            } else if value > self.max[axis] {
                value - self.max[axis]
            } else {
                0.0
            }
        };
        [gap(0), gap(1), gap(2)]
    }
}
