//! Collisions: agents that overlap are pushed apart, and away from walls. SPEC.md `[STEP-8]`.

use super::avoid::{NO_LENGTH_SQUARED, dot, parting_direction};

/// The part of an overlap that each of two agents gives way for in a step.
const PUSH_SHARE: f64 = 0.5;

/// Where an agent is after integration, with what a collision needs of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disc {
    pub(super) id: i64,
    pub(super) centre: [f64; 2],
    pub(super) radius: f64,
}

/// The push on `own` from all `others` that it overlaps, at most its own radius long.
pub(super) fn push(own: &Disc, others: impl Iterator<Item = Disc>) -> [f64; 2] {
    let mut sum = [0.0, 0.0];
    for other in others {
        let apart = [own.centre[0] - other.centre[0], own.centre[1] - other.centre[1]];
        let squared = dot(apart, apart);
        let radius = own.radius + other.radius;
        if squared >= radius * radius {
            continue;
        }
        let (direction, distance) = if squared < NO_LENGTH_SQUARED {
            (parting_direction(own.id, other.id), 0.0)
        } else {
            let distance = squared.sqrt();
            ([apart[0] / distance, apart[1] / distance], distance)
        };
        let amount = (radius - distance) * PUSH_SHARE;
        sum = [sum[0] + direction[0] * amount, sum[1] + direction[1] * amount];
    }
    shorten(sum, own.radius)
}

/// The vector, no longer than `most`.
pub(super) fn shorten(v: [f64; 2], most: f64) -> [f64; 2] {
    let squared = dot(v, v);
    if squared <= most * most {
        return v;
    }
    let scale = most / squared.sqrt();
    [v[0] * scale, v[1] * scale]
}
