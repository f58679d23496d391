//! The funnel against brute force: the shortest of all ways over portal ends.

use crowd_engine::{NavMesh, PolygonSpec, Portal, string_pull};

use crate::meshes::{Random, corridor_between, floor};

type Whole = [i64; 2];

/// A corridor in whole numbers: consecutive portals (left, right) are two sides of a weakly convex polygon.
#[derive(Debug)]
struct Sleeve {
    start: Whole,
    portals: Vec<(Whole, Whole)>,
    goal: Whole,
}

fn near(random: &mut Random, around: Whole, reach: i64) -> Whole {
    let span = u64::try_from(2 * reach + 1).expect("a reach above 0");
    [0, 1].map(|axis| around[axis] + i64::try_from(random.below(span)).expect("a small number") - reach)
}

fn cross(a: Whole, b: Whole, q: Whole) -> i64 {
    (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

fn dot(a: Whole, b: Whole) -> i64 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1]]
}

fn is_weakly_convex(corners: &[Whole]) -> bool {
    let next = |i: usize| corners[(i + 1) % corners.len()];
    (0..corners.len()).all(|i| corners.iter().all(|&q| cross(corners[i], next(i), q) >= 0))
}

fn random_sleeve(random: &mut Random) -> Option<Sleeve> {
    let start = [0, 0];
    let length = 1 + random.below(6);
    let mut portals: Vec<(Whole, Whole)> = Vec::new();
    for _ in 0..length {
        let (left, right) = match portals.last() {
            None => (near(random, start, 4), near(random, start, 4)),
            Some(&(left, right)) => match random.below(4) {
                0 => (left, near(random, right, 3)),
                1 => (near(random, left, 3), right),
                _ => (near(random, left, 3), near(random, right, 3)),
            },
        };
        let fits = match portals.last() {
            None => cross(right, left, start) >= 0,
            // Without area there is no inside that tells left from right: the portals must say it.
            Some(&(l, r)) => {
                let flat = [right, left].iter().all(|&q| cross(r, l, q) == 0);
                is_weakly_convex(&[r, right, left, l]) && (!flat || dot(minus(l, r), minus(left, right)) >= 0)
            }
        };
        if !fits {
            return None;
        }
        portals.push((left, right));
    }
    let &(left, right) = portals.last()?;
    let goal = near(random, left, 4);
    (cross(right, left, goal) <= 0).then_some(Sleeve { start, portals, goal })
}

/// Whether the straight way from `p` to `q` runs through all `portals` in order.
fn sees(p: Whole, q: Whole, portals: &[(Whole, Whole)]) -> bool {
    let way = minus(q, p);
    // The parameter so far, a fraction.
    let (mut at, mut of) = (0, 1);
    for &(left, right) in portals {
        let across = minus(right, left);
        let (from_left, from_right) = (cross(p, q, left), cross(p, q, right));
        if way == [0, 0] {
            let on = cross(left, right, p) == 0 && dot(minus(left, p), minus(right, p)) <= 0;
            if !on {
                return false;
            }
            continue;
        }
        let (low, high) = if from_left == 0 && from_right == 0 {
            let (one, two) = (dot(way, minus(left, p)), dot(way, minus(right, p)));
            let of = dot(way, way);
            ((one.min(two), of), (one.max(two), of))
        } else if from_left.signum() * from_right.signum() <= 0 {
            // p + t way = left + s across
            let mut of = way[0] * across[1] - way[1] * across[0];
            let offset = minus(left, p);
            let mut t = offset[0] * across[1] - offset[1] * across[0];
            if of < 0 {
                (of, t) = (-of, -t);
            }
            ((t, of), (t, of))
        } else {
            return false;
        };
        if low.0 * of > at * low.1 {
            (at, of) = low;
        }
        if at * high.1 > high.0 * of || at > of {
            return false;
        }
    }
    true
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    crowd_engine::distance_squared(a, b).sqrt()
}

fn float(a: Whole) -> [f64; 2] {
    a.map(|value| f64::from(i32::try_from(value).expect("a small number")))
}

/// The length of the shortest way, or none where no way bends at portal ends only.
fn shortest(sleeve: &Sleeve) -> Option<f64> {
    // Places: the portal before which no more is needed, the point, the shortest way to it.
    let mut places = vec![(0, sleeve.start, 0.0)];
    let ends = sleeve.portals.iter().enumerate().flat_map(|(i, &(left, right))| [(i + 1, left), (i + 1, right)]);
    let mut best = None;
    for (after, point) in ends.chain([(sleeve.portals.len() + 1, sleeve.goal)]) {
        best = None;
        for &(from, place, length) in &places {
            if from < after && sees(place, point, &sleeve.portals[from..after - 1]) {
                let whole: f64 = length + distance(float(place), float(point));
                if best.is_none_or(|best| whole < best) {
                    best = Some(whole);
                }
            }
        }
        if let Some(length) = best {
            places.push((after, point, length));
        }
    }
    best
}

fn pulled(sleeve: &Sleeve) -> Vec<[f64; 2]> {
    let portals: Vec<Portal> =
        sleeve.portals.iter().map(|&(left, right)| Portal { left: float(left), right: float(right) }).collect();
    let mut corners = Vec::new();
    string_pull(float(sleeve.start), &portals, float(sleeve.goal), usize::MAX, &mut corners);
    corners
}

fn length(sleeve: &Sleeve, corners: &[[f64; 2]]) -> f64 {
    let mut length = 0.0;
    let mut from = float(sleeve.start);
    for &corner in corners {
        length += distance(from, corner);
        from = corner;
    }
    length
}

#[test]
fn agrees_with_brute_force() {
    let mut random = Random::new(1);
    let mut done = 0;
    while done < 20_000 {
        let Some(sleeve) = random_sleeve(&mut random) else { continue };
        done += 1;
        let corners = pulled(&sleeve);
        assert_eq!(corners.last(), Some(&float(sleeve.goal)), "{sleeve:?}");
        let (found, expected) = (length(&sleeve, &corners), shortest(&sleeve).expect("a sleeve has a way"));
        assert!((found - expected).abs() < 1e-9, "{corners:?} is {found} long, not {expected}: {sleeve:?}");
    }
}

#[test]
fn goes_round_the_last_end_on_a_line() {
    // REPORTS 21: strict comparisons go round (6, 0), 9.1623 m.
    let portals = vec![([6, 0], [2, 0]), ([6, 0], [4, 0]), ([6, -1], [4, -1])];
    let sleeve = Sleeve { start: [0, 0], portals, goal: [5, -3] };
    let corners = pulled(&sleeve);
    assert_eq!(corners, [[4.0, 0.0], [5.0, -3.0]]);
    assert_eq!(length(&sleeve, &corners), 4.0 + 10.0_f64.sqrt());
}

#[test]
fn the_mirrored_line_goes_round_the_mirrored_end() {
    let portals = vec![([2, 0], [6, 0]), ([4, 0], [6, 0]), ([4, 1], [6, 1])];
    let corners = pulled(&Sleeve { start: [0, 0], portals, goal: [5, 3] });
    assert_eq!(corners, [[4.0, 0.0], [5.0, 3.0]]);
}

#[test]
fn passes_through_portals_of_no_width() {
    let portals = vec![([2, 1], [2, 1]), ([4, -1], [4, -1])];
    let corners = pulled(&Sleeve { start: [0, 0], portals, goal: [6, 0] });
    assert_eq!(corners, [[2.0, 1.0], [4.0, -1.0], [6.0, 0.0]]);
}

#[test]
fn stays_at_a_corner_that_a_portal_of_no_width_is_at() {
    let portals = vec![([-1, -1], [-3, -2]), ([-1, -1], [0, -1]), ([-1, -1], [-1, -1]), ([2, 0], [-1, -1])];
    let corners = pulled(&Sleeve { start: [0, 0], portals, goal: [1, -4] });
    assert_eq!(corners, [[-1.0, -1.0], [1.0, -4.0]]);
}

#[test]
fn starts_on_the_end_of_a_portal() {
    for start in [[2, 1], [2, -1], [2, 0]] {
        let portals = vec![([2, 1], [2, -1]), ([4, 1], [4, -1])];
        let corners = pulled(&Sleeve { start, portals, goal: [6, 0] });
        assert_eq!(corners, [[6.0, 0.0]], "from {start:?}");
    }
}

#[test]
fn turns_straight_back_at_a_portal_of_no_width() {
    let corners = pulled(&Sleeve { start: [0, 0], portals: vec![([4, 0], [4, 0])], goal: [2, 0] });
    assert_eq!(corners, [[4.0, 0.0], [2.0, 0.0]]);
}

#[test]
fn gives_the_goal_where_start_and_goal_are_one() {
    assert_eq!(pulled(&Sleeve { start: [3, 3], portals: Vec::new(), goal: [3, 3] }), [[3.0, 3.0]]);
}

#[test]
fn gives_as_many_corners_as_asked_for() {
    let portals: Vec<Portal> = (0..10i32)
        .map(f64::from)
        .map(|x| if x % 2.0 == 0.0 { [x, 1.0] } else { [x, -1.0] })
        .map(|end| Portal { left: end, right: end })
        .collect();
    for most in 0..12 {
        let mut corners = vec![[-7.0, -7.0]];
        string_pull([-1.0, 0.0], &portals, [20.0, 0.0], most, &mut corners);
        assert_eq!(corners.len(), 1 + if most < 11 { most } else { 11 });
    }
}

#[test]
fn keeps_clear_of_walls_but_never_beyond_the_middle() {
    // A door 1 m wide between two rooms.
    let mesh = floor(&["...", " . ", "..."], |_, _| 0.0);
    let corridor = corridor_between(&mesh, [1.125, 0.5], [1.125, 2.5]);
    let corners = |clearance| {
        let mut corners = Vec::new();
        mesh.corners([1.125, 0.5], &corridor, [1.125, 2.5], clearance, 9, &mut corners);
        corners
    };
    let goal = [1.125, 2.5];
    assert_eq!(corners(0.0), [goal]);
    assert_eq!(corners(0.25), [[1.25, 1.0], [1.25, 2.0], goal]);
    assert_eq!(corners(0.5), [[1.5, 1.0], [1.5, 2.0], goal]);
    assert_eq!(corners(100.0), [[1.5, 1.0], [1.5, 2.0], goal]);
    assert_eq!(corners(f64::NAN), [goal]);
}

#[test]
fn an_end_in_the_open_stays_where_it_is() {
    // The corner (1, 1) of the portals from 0 to 3 and back has polygons all round it, the other ends have not.
    let mesh = floor(&["...", "...", "..."], |_, _| 0.0);
    for (from, corridor, to) in [([0.9, 0.5], [0, 3, 4], [2.0, 1.01]), ([0.9, 1.5], [3, 0, 1], [2.0, 0.99])] {
        let mut corners = Vec::new();
        mesh.corners(from, &corridor, to, 0.25, 3, &mut corners);
        assert_eq!(corners, [[1.0, 1.0], to]);
    }
}

#[test]
fn a_start_just_past_a_portal_has_passed_it() {
    let mesh = floor(&["..."], |_, _| 0.0);
    let mut corners = Vec::new();
    mesh.corners([1.0001, 0.0], &[0, 1, 2], [2.5, 0.0], 0.25, 3, &mut corners);
    assert_eq!(corners, [[2.0, 0.25], [2.5, 0.0]]);
}

#[test]
fn a_corridor_that_is_not_linked_ends_there() {
    let mesh = floor(&["...", "..."], |_, _| 0.0);
    let mut corners = Vec::new();
    mesh.corners([0.5, 0.5], &[0, 5, 2], [2.5, 0.5], 0.0, 9, &mut corners);
    assert_eq!(corners, [[2.5, 0.5]]);
}

/// Turned by a 3-4-5 triangle's angle and shrunk to a tenth, so that what was on one line is so up to rounding only.
fn rounded(a: Whole) -> [f64; 2] {
    let [x, z] = float(a);
    [x * 0.06 - z * 0.08 + 0.1, x * 0.08 + z * 0.06 + 0.7]
}

#[test]
fn rounding_hardly_ever_costs_a_detour() {
    let mut random = Random::new(7);
    let (mut done, mut bad) = (0, 0);
    while done < 20_000 {
        let Some(sleeve) = random_sleeve(&mut random) else { continue };
        let has_area =
            |one: &(Whole, Whole), two: &(Whole, Whole)| cross(one.1, two.1, two.0) + cross(one.1, two.0, one.0) > 0;
        let mut wide = sleeve.portals.iter().zip(sleeve.portals.iter().skip(1)).all(|(one, two)| has_area(one, two));
        wide &= sleeve.portals.iter().all(|p| p.0 != p.1);
        wide &= cross(sleeve.portals[0].1, sleeve.portals[0].0, sleeve.start) > 0;
        if !wide {
            continue;
        }
        done += 1;
        let portals: Vec<Portal> =
            sleeve.portals.iter().map(|&(left, right)| Portal { left: rounded(left), right: rounded(right) }).collect();
        let mut corners = Vec::new();
        string_pull(rounded(sleeve.start), &portals, rounded(sleeve.goal), usize::MAX, &mut corners);
        let mut found = 0.0;
        let mut from = rounded(sleeve.start);
        for &corner in &corners {
            found += distance(from, corner);
            from = corner;
        }
        let expected = shortest(&sleeve).expect("a sleeve has a way") * 0.1;
        if (found - expected).abs() > 1e-9 {
            bad += 1;
        }
    }
    // Two have start, goal and both ends of the last portal on one line: whether the goal is before it is rounding's choice.
    assert!(bad <= 2, "{bad} ways are not the shortest");
}

#[test]
fn clearance_is_a_length_along_the_portal() {
    // A room 4 m wide and one 2 m wide beside it, the portal all of the second's side.
    let vertices = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [4.0, 3.0], [4.0, 4.0], [0.0, 4.0], [6.0, 1.0], [6.0, 3.0]];
    let vertices = vertices.map(|[x, z]| [x, 0.0, z]).to_vec();
    let polygons = [vec![0, 1, 2, 3, 4, 5], vec![2, 6, 7, 3]].map(|vertices| PolygonSpec { vertices, area: 1 });
    let mesh = NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a clean mesh");
    for (clearance, z) in [(0.25, 1.25), (0.75, 1.75), (1.0, 2.0), (3.0, 2.0)] {
        let mut corners = Vec::new();
        mesh.corners([3.5, 0.0], &[0, 1], [4.5, 1.0], clearance, 1, &mut corners);
        assert_eq!(corners, [[4.0, z]], "{clearance} m clear");
    }
}
