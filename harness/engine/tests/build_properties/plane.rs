//! Plane geometry for what measures.

pub type Plan = [f64; 2];

/// Above 0 where `q` is left of the way from `a` to `b`.
pub fn turn(a: [i64; 2], b: [i64; 2], q: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

pub fn doubled_area(corners: &[[i64; 2]]) -> i64 {
    corners.windows(2).map(|pair| turn(corners[0], pair[0], pair[1])).sum()
}

pub fn plan(point: [f64; 3]) -> Plan {
    [point[0], point[2]]
}

pub fn distance_to_segment(q: Plan, a: Plan, b: Plan) -> f64 {
    let (nearest, _) = crowd_engine::closest_on_segment(q, a, b);
    crowd_engine::distance_squared(q, nearest).sqrt()
}

/// The edges of a loop.
pub fn edges<T: Copy>(corners: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// The distance from a convex polygon, 0 inside of it. Its corners may run either way.
pub fn distance_to_polygon(q: Plan, corners: &[Plan]) -> f64 {
    let sides: Vec<f64> = edges(corners).map(|(a, b)| crowd_engine::cross(a, b, q)).collect();
    if sides.iter().any(|&side| side != 0.0) && (sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)) {
        return 0.0;
    }
    edges(corners).map(|(a, b)| distance_to_segment(q, a, b)).fold(f64::INFINITY, f64::min)
}

/// The least and greatest y of the part of a triangle that is over a square around `middle`.
pub fn heights_over(triangle: [[f64; 3]; 3], middle: Plan, half: f64) -> Option<(f64, f64)> {
    let mut part = triangle.to_vec();
    for (axis, at) in [(0, middle[0]), (2, middle[1])] {
        for (sign, limit) in [(1.0, at + half), (-1.0, -at + half)] {
            let off = |point: &[f64; 3]| point[axis] * sign - limit;
            let mut kept = Vec::new();
            for (a, b) in edges(&part) {
                if off(&a) <= 0.0 {
                    kept.push(a);
                }
                if (off(&a) < 0.0) != (off(&b) < 0.0) && off(&a) != off(&b) {
                    let t = off(&a) / (off(&a) - off(&b));
                    kept.push([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t));
                }
            }
            part = kept;
        }
    }
    let heights = || part.iter().map(|point| point[1]);
    let low = heights().fold(f64::INFINITY, f64::min);
    (!part.is_empty()).then(|| (low, heights().fold(f64::NEG_INFINITY, f64::max)))
}
