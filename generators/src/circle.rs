//! Points of the unit circle without a mathematical library: the same bits everywhere.
//!
//! The angle is reduced to an eighth of the circle with integers, and there sine and cosine are their Taylor polynomials,
//! summed in a fixed order with `+` and `*` alone. The error is below 2^-50, which no scenario notices.

/// The point of the unit circle (x, z) after `index` of `count` equal parts of a turn, from (1, 0) towards (0, 1).
#[must_use]
pub fn on_circle(index: u32, count: u32) -> [f64; 2] {
    if count == 0 {
        return [1.0, 0.0];
    }
    // In eighths: index / count of a turn is (8 * index) / count of them.
    let eighths = u64::from(index % count) * 8;
    let (octant, rest) = (eighths / u64::from(count), eighths % u64::from(count));
    // An odd octant is measured back from its end, so that both ends of every octant are exact and octants mirror.
    let part = if octant % 2 == 0 { rest } else { u64::from(count) - rest };
    let (sine, cosine) = of_eighth(part as f64 / f64::from(count));
    match octant {
        0 => [cosine, sine],
        1 => [sine, cosine],
        2 => [-sine, cosine],
        3 => [-cosine, sine],
        4 => [-cosine, -sine],
        5 => [-sine, -cosine],
        6 => [sine, -cosine],
        _ => [cosine, -sine],
    }
}

/// Sine and cosine of `part` (0 to 1) of an eighth of a turn.
fn of_eighth(part: f64) -> (f64, f64) {
    let angle = part * std::f64::consts::FRAC_PI_4;
    let square = angle * angle;
    let (mut sine, mut cosine) = (1.0, 1.0);
    // From the smallest term to the largest, x^18 and x^17 on.
    for n in (1..=9_u8).rev() {
        let even = f64::from(2 * n);
        cosine = 1.0 - square / (even * (even - 1.0)) * cosine;
        sine = 1.0 - square / (even * (even + 1.0)) * sine;
    }
    (angle * sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::on_circle;

    #[test]
    fn the_points_are_those_of_the_circle() {
        for count in [1, 3, 8, 17, 360] {
            for index in 0..count {
                let angle = f64::from(index) / f64::from(count) * std::f64::consts::TAU;
                let [x, z] = on_circle(index, count);
                assert!((x - angle.cos()).abs() < 1e-15 && (z - angle.sin()).abs() < 1e-15, "{index} of {count}");
            }
        }
    }

    #[test]
    fn quarters_are_exact_and_opposites_opposite() {
        assert_eq!(
            [0, 1, 2, 3].map(|q| on_circle(q, 4).map(f64::abs)),
            [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
        );
        for index in 0..12 {
            let (here, there) = (on_circle(index, 24), on_circle(index + 12, 24));
            assert_eq!(here, there.map(|x| -x));
        }
    }
}
