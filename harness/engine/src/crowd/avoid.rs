//! Avoidance: the velocity nearest to the preferred one that keeps clear of walls and neighbours. SPEC.md `[STEP-6]`.
//!
//! Each wall and each neighbour forbids a half-plane of velocities. Neighbours do it by optimal reciprocal collision avoidance
//! (van den Berg, Guy, Lin, Manocha: "Reciprocal n-body collision avoidance", 2011). The half-planes are a linear program in
//! two dimensions, solved one after another (Seidel: "Small-dimensional linear programming", 1991) in fixed order, walls first.
//! Where no velocity satisfies all, walls still hold and the largest violation among the neighbours is made as small as can be.

use super::step::Body;
use crate::closest_on_segment;

/// Velocities on one side of a line: those `v` with `normal · (v - point) >= 0`. Metres a second, along x and z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfPlane {
    /// A point of the line.
    pub point: [f64; 2],
    /// A unit vector to the allowed side.
    pub normal: [f64; 2],
}

/// Agents that overlap are to be apart after this many seconds.
pub(super) const OVERLAP_TIME: f64 = 0.25;
/// Squared lengths below this count as none (2^-40).
pub(super) const NO_LENGTH_SQUARED: f64 = 9.094_947_017_729_282e-13;
/// Two lines whose directions' cross product is at most this are parallel (2^-40).
const PARALLEL: f64 = 9.094_947_017_729_282e-13;

/// Sixteen unit vectors around the circle, by quarter: the directions into which agents at one point are parted.
const DIRECTIONS: [[f64; 2]; 16] = {
    const A: f64 = 0.923_879_532_511_286_7;
    const B: f64 = 0.382_683_432_365_089_8;
    const C: f64 = 0.707_106_781_186_547_5;
    [
        [1.0, 0.0],
        [A, B],
        [C, C],
        [B, A],
        [0.0, 1.0],
        [-B, A],
        [-C, C],
        [-A, B],
        [-1.0, 0.0],
        [-A, -B],
        [-C, -C],
        [-B, -A],
        [0.0, -1.0],
        [B, -A],
        [C, -C],
        [A, -B],
    ]
};

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The direction in which agent `own` leaves agent `other`, where they stand at the same point: by their ids, and opposite for
/// the two of them.
pub(super) fn parting_direction(own: i64, other: i64) -> [f64; 2] {
    let (low, high) = if own < other { (own, other) } else { (other, own) };
    let turn = low.wrapping_mul(5).wrapping_add(high.wrapping_mul(3)).rem_euclid(16) as usize;
    let [x, z] = DIRECTIONS[turn];
    if own < other { [x, z] } else { [-x, -z] }
}

/// The unit vector from the nearest point of a wall to `position`, and the distance, metres. On the wall itself it points inwards.
/// None for a wall without length that the position is on.
pub(super) fn away_from_wall(position: [f64; 2], a: [f64; 2], b: [f64; 2]) -> Option<([f64; 2], f64)> {
    let (nearest, _) = closest_on_segment(position, a, b);
    let from_wall = [position[0] - nearest[0], position[1] - nearest[1]];
    let squared = dot(from_wall, from_wall);
    if squared > NO_LENGTH_SQUARED {
        let distance = squared.sqrt();
        return Some(([from_wall[0] / distance, from_wall[1] / distance], distance));
    }
    let inward = [a[1] - b[1], b[0] - a[0]];
    let length = dot(inward, inward).sqrt();
    (length > 0.0).then(|| ([inward[0] / length, inward[1] / length], 0.0))
}

/// What a wall forbids: coming nearer to its nearest point than `clearance` within `horizon` seconds. Who is nearer already may
/// not come nearer still; standing still is always allowed.
pub(super) fn wall_half_plane(normal: [f64; 2], distance: f64, clearance: f64, horizon: f64) -> HalfPlane {
    let room = distance - clearance;
    let approach = if room > 0.0 { room / horizon } else { 0.0 };
    HalfPlane { point: [-normal[0] * approach, -normal[1] * approach], normal }
}

/// What a wall forbids whose nearest point is an end of it, farther away than the clearance: to come nearer to that point than the
/// clearance within the horizon. Unlike a wall's side, an end can be passed by on both sides; the side is that of the velocity, relative
/// to the point. (Were it forbidden as a side is, an agent that keeps no clearance could not pass a corner that it touches.)
/// `apart` leads from the agent to the point. Standing still is always allowed.
pub(super) fn wall_end_half_plane(
    apart: [f64; 2],
    away: [f64; 2],
    clearance: f64,
    horizon: f64,
    velocity: [f64; 2],
) -> HalfPlane {
    let distance_squared = dot(apart, apart);
    let clearance_squared = clearance * clearance;
    let centre = [apart[0] / horizon, apart[1] / horizon];
    let w = [velocity[0] - centre[0], velocity[1] - centre[1]];
    let w_squared = dot(w, w);
    let along = dot(w, apart);
    if along < 0.0 && along * along > clearance_squared * w_squared {
        // Too slow to be there within the horizon: nearest to the disc.
        let normal = if w_squared < NO_LENGTH_SQUARED {
            away
        } else {
            {
                let length = w_squared.sqrt();
                [w[0] / length, w[1] / length]
            }
        };
        let radius = clearance / horizon;
        return HalfPlane { point: [centre[0] + normal[0] * radius, centre[1] + normal[1] * radius], normal };
    }
    let normal = leg(apart, distance_squared, clearance, w, (distance_squared - clearance_squared).sqrt());
    HalfPlane { point: [0.0, 0.0], normal }
}

/// What a neighbour forbids: the reciprocal velocity obstacle's half-plane.
///
/// `share` of the change of velocity that parts the two is this agent's.
pub(super) fn neighbour_half_plane(own: &Body, other: &Body, ids: (i64, i64), horizon: f64, share: f64) -> HalfPlane {
    let apart = [other.position[0] - own.position[0], other.position[2] - own.position[2]];
    let relative = [own.velocity[0] - other.velocity[0], own.velocity[1] - other.velocity[1]];
    let distance_squared = dot(apart, apart);
    let radius = own.radius + other.radius;
    let radius_squared = radius * radius;
    let overlap = distance_squared <= radius_squared;
    let inverse_time = if overlap { 1.0 / OVERLAP_TIME } else { 1.0 / horizon };
    // From the centre of the disc that cuts the cone off, to the relative velocity.
    let w = [relative[0] - apart[0] * inverse_time, relative[1] - apart[1] * inverse_time];
    let w_squared = dot(w, w);
    let along = dot(w, apart);
    if overlap || (along < 0.0 && along * along > radius_squared * w_squared) {
        // Nearest to the disc.
        let (normal, length) = if w_squared < NO_LENGTH_SQUARED {
            (parting_direction(ids.0, ids.1), 0.0)
        } else {
            let length = w_squared.sqrt();
            ([w[0] / length, w[1] / length], length)
        };
        let change = (radius * inverse_time - length) * share;
        return HalfPlane {
            point: [own.velocity[0] + normal[0] * change, own.velocity[1] + normal[1] * change],
            normal,
        };
    }
    let normal = leg(apart, distance_squared, radius, w, (distance_squared - radius_squared).sqrt());
    // How far the relative velocity is inside of the leg, as a change along the normal.
    let change = -dot(relative, normal) * share;
    HalfPlane { point: [own.velocity[0] + normal[0] * change, own.velocity[1] + normal[1] * change], normal }
}

/// The leg of the cone of velocities that lead into a disc that is nearest to `w`: the left one where `w` lies on the left, else the
/// right one. Exactly in front is right, for two agents alike, so that they pass each other. Its normal leads out of the cone.
fn leg(apart: [f64; 2], distance_squared: f64, radius: f64, w: [f64; 2], leg: f64) -> [f64; 2] {
    if apart[0] * w[1] - apart[1] * w[0] > 0.0 {
        let x = (apart[0] * leg - apart[1] * radius) / distance_squared;
        let z = (apart[0] * radius + apart[1] * leg) / distance_squared;
        [-z, x]
    } else {
        let x = (apart[0] * leg + apart[1] * radius) / distance_squared;
        let z = (apart[1] * leg - apart[0] * radius) / distance_squared;
        [z, -x]
    }
}

/// The velocity nearest to `preferred` of length at most `speed` that satisfies `planes`, of which the first `walls` come from
/// walls. Standing still must satisfy those.
///
/// Where no velocity satisfies all planes, the walls are kept and the largest violation of the others is minimised.
#[must_use]
pub fn solve_velocity(planes: &[HalfPlane], walls: usize, preferred: [f64; 2], speed: f64) -> [f64; 2] {
    let mut velocity = within_disc(preferred, speed);
    match nearest(planes, preferred, speed, &mut velocity) {
        None => velocity,
        Some(failed) if failed < walls => [0.0, 0.0],
        Some(failed) => least_violation(planes, walls, failed, speed, velocity),
    }
}

fn within_disc(v: [f64; 2], radius: f64) -> [f64; 2] {
    let squared = dot(v, v);
    if squared <= radius * radius {
        return v;
    }
    let length = squared.sqrt();
    [v[0] / length * radius, v[1] / length * radius]
}

/// Planes one after another: where one is violated, the best velocity lies on its line. Gives the first plane that leaves no
/// velocity; `velocity` then satisfies those before it.
fn nearest(planes: &[HalfPlane], preferred: [f64; 2], speed: f64, velocity: &mut [f64; 2]) -> Option<usize> {
    for (index, plane) in planes.iter().enumerate() {
        if violation(plane, *velocity) <= 0.0 {
            continue;
        }
        let Some((low, high)) = segment(planes, index, speed) else { return Some(index) };
        let direction = [plane.normal[1], -plane.normal[0]];
        let wanted = dot(direction, [preferred[0] - plane.point[0], preferred[1] - plane.point[1]]);
        let t = if wanted < low {
            low
        } else if wanted > high {
            high
        } else {
            wanted
        };
        *velocity = [plane.point[0] + direction[0] * t, plane.point[1] + direction[1] * t];
    }
    None
}

/// How far `velocity` is on the forbidden side.
fn violation(plane: &HalfPlane, velocity: [f64; 2]) -> f64 {
    dot(plane.normal, [plane.point[0] - velocity[0], plane.point[1] - velocity[1]])
}

/// The part of plane `index`'s line that lies in the disc and satisfies all planes before it, as a range along the line's
/// direction (the normal turned by a quarter, `[normal.z, -normal.x]`), from its point.
fn segment(planes: &[HalfPlane], index: usize, speed: f64) -> Option<(f64, f64)> {
    let plane = &planes[index];
    let direction = [plane.normal[1], -plane.normal[0]];
    let middle = dot(plane.point, direction);
    let discriminant = middle * middle + speed * speed - dot(plane.point, plane.point);
    if discriminant < 0.0 {
        return None;
    }
    let half = discriminant.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in &planes[..index] {
        let slope = dot(other.normal, direction);
        let needed = dot(other.normal, [other.point[0] - plane.point[0], other.point[1] - plane.point[1]]);
        if slope.abs() <= PARALLEL {
            if needed > 0.0 {
                return None;
            }
            continue;
        }
        let t = needed / slope;
        if slope > 0.0 {
            low = if t > low { t } else { low };
        } else {
            high = if t < high { t } else { high };
        }
        if low > high {
            return None;
        }
    }
    Some((low, high))
}

/// From the plane that failed on: whenever a plane is violated more than any before, the velocity that violates it least while
/// violating none before it more (and no wall at all).
fn least_violation(planes: &[HalfPlane], walls: usize, failed: usize, speed: f64, start: [f64; 2]) -> [f64; 2] {
    let mut velocity = start;
    let mut worst = 0.0;
    let mut projected: Vec<HalfPlane> = Vec::with_capacity(planes.len());
    for (index, plane) in planes.iter().enumerate().skip(failed) {
        if violation(plane, velocity) <= worst {
            continue;
        }
        projected.clear();
        projected.extend_from_slice(&planes[..walls]);
        for other in &planes[walls..index] {
            // Velocities that violate `other` no more than `plane`.
            let m = [other.normal[0] - plane.normal[0], other.normal[1] - plane.normal[1]];
            let squared = dot(m, m);
            if squared < NO_LENGTH_SQUARED {
                continue;
            }
            let length = squared.sqrt();
            let normal = [m[0] / length, m[1] / length];
            let bound = (dot(other.normal, other.point) - dot(plane.normal, plane.point)) / length;
            projected.push(HalfPlane { point: [normal[0] * bound, normal[1] * bound], normal });
        }
        if let Some(better) = farthest(&projected, plane.normal, speed) {
            velocity = better;
        }
        worst = violation(plane, velocity);
    }
    velocity
}

/// The velocity farthest along `direction`, of length at most `speed`, that satisfies all planes.
fn farthest(planes: &[HalfPlane], direction: [f64; 2], speed: f64) -> Option<[f64; 2]> {
    let mut velocity = [direction[0] * speed, direction[1] * speed];
    for (index, plane) in planes.iter().enumerate() {
        if violation(plane, velocity) <= 0.0 {
            continue;
        }
        let (low, high) = segment(planes, index, speed)?;
        let line = [plane.normal[1], -plane.normal[0]];
        let t = if dot(line, direction) > 0.0 { high } else { low };
        velocity = [plane.point[0] + line[0] * t, plane.point[1] + line[1] * t];
    }
    Some(velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(point: [f64; 2], normal: [f64; 2]) -> HalfPlane {
        HalfPlane { point, normal }
    }

    #[test]
    fn free_agents_take_what_they_prefer_within_their_speed() {
        assert_eq!(solve_velocity(&[], 0, [0.5, 0.25], 1.0), [0.5, 0.25]);
        assert_eq!(solve_velocity(&[], 0, [0.0, 4.0], 1.0), [0.0, 1.0]);
        assert_eq!(solve_velocity(&[], 0, [3.0, 4.0], 0.0), [0.0, 0.0]);
    }

    #[test]
    fn a_plane_bends_the_velocity_onto_its_line() {
        let wall = plane([0.0, 0.0], [-1.0, 0.0]);
        assert_eq!(solve_velocity(&[wall], 1, [1.0, 0.5], 2.0), [0.0, 0.5]);
    }

    #[test]
    fn two_planes_meet_in_a_corner() {
        let planes = [plane([0.25, 0.0], [-1.0, 0.0]), plane([0.0, 0.5], [0.0, -1.0])];
        assert_eq!(solve_velocity(&planes, 0, [1.0, 1.0], 2.0), [0.25, 0.5]);
    }

    #[test]
    fn walls_hold_where_neighbours_cannot_be_satisfied() {
        // A neighbour pushes into the wall harder than speed allows.
        let planes = [plane([0.0, 0.0], [-1.0, 0.0]), plane([5.0, 0.0], [1.0, 0.0])];
        let velocity = solve_velocity(&planes, 1, [0.0, 0.0], 1.0);
        assert!(velocity[0] <= 0.0, "{velocity:?}");
        assert!(velocity[0] > -1e-9, "{velocity:?}");
    }

    #[test]
    fn conflicting_neighbours_share_the_violation() {
        let planes = [plane([0.5, 0.0], [1.0, 0.0]), plane([-0.5, 0.0], [-1.0, 0.0])];
        let velocity = solve_velocity(&planes, 0, [0.0, 0.0], 2.0);
        assert!(violation(&planes[0], velocity) <= 0.5 + 1e-9 && violation(&planes[1], velocity) <= 0.5 + 1e-9);
    }

    #[test]
    fn parting_directions_are_opposite() {
        for (a, b) in [(1, 2), (1, 17), (5, i64::MAX - 1), (3, 19)] {
            let (x, y) = (parting_direction(a, b), parting_direction(b, a));
            assert_eq!([x[0], x[1]], [-y[0], -y[1]]);
        }
    }
}
