//! Agents in one place, and agents in each other's way.

use crowd_engine::AgentOptions;

use crate::scenes::{add, apart, arrived, crowd, floor, person, plan, run, send};

/// REPORTS 29: agents at one point come 0.95 of their radii apart and stay on the mesh; so do twins that are a hair or one step of
/// the number apart, and agents of different sizes.
#[test]
fn reports_29_agents_at_one_point() {
    let twins = [[0.0, 0.0], [1e-30, 0.0]];
    let neighbours = [[5.0, 5.0], [5.0_f64.next_up(), 5.0]];
    let thrice = [[5.0, 5.0], [5.0, 5.0], [5.0_f64.next_down(), 5.0_f64.next_up()]];
    let many = vec![[5.0, 5.0]; 64];
    for places in [&twins[..], &neighbours, &thrice, &many] {
        for radii in [[0.5, 0.5], [0.25, 1.0]] {
            let mut crowd = crowd(floor([-20.0, 20.0], [-20.0, 20.0]));
            for (index, &place) in places.iter().enumerate() {
                let id = add(&mut crowd, place, &AgentOptions { radius: radii[index % 2], ..person() });
                assert_eq!(crowd.agent(id).map(plan), Some(place), "an agent is put where it was to be");
            }
            run(&mut crowd, 400, 0.05, |_| false);
            for (slot, a) in crowd.agents().iter().enumerate() {
                for b in &crowd.agents()[..slot] {
                    let least = 0.95 * (a.options.radius + b.options.radius);
                    assert!(apart(a, b) >= least, "{} and {} are {} apart", a.id, b.id, apart(a, b));
                }
            }
        }
    }
}

/// REPORTS 29: agents without radius may stay; nothing is divided by zero, whatever the time step.
#[test]
fn reports_29_agents_without_radius() {
    for dt in [0.05, 1e-300, 3600.0] {
        for options in [
            AgentOptions { radius: 0.0, ..person() },
            AgentOptions { radius: 0.0, wall_clearance: 0.0, neighbour_distance: 0.0, ..person() },
            AgentOptions { radius: 0.0, height: 0.0, max_speed: 0.0, max_acceleration: 0.0, ..person() },
        ] {
            let mut crowd = crowd(floor([-5.0, 5.0], [-5.0, 5.0]));
            for place in [[0.0, 0.0], [0.0, 0.0], [-0.0, 0.0], [1e-30, 0.0], [5e-324, 0.0], [5.0, 5.0], [5.0, 5.0]] {
                let id = add(&mut crowd, place, &options);
                send(&mut crowd, id, [0.0, 0.0]);
            }
            run(&mut crowd, 100, dt, |_| false);
        }
    }
}

/// REPORTS 29: where two go from one point is a matter of their ids: opposite ways, the same again, whatever other agents there are.
#[test]
fn reports_29_the_way_apart_is_by_ids() {
    for removed in 0..20 {
        let pair = |bystanders: bool| {
            let mut crowd = crowd(floor([-20.0, 20.0], [-20.0, 20.0]));
            for _ in 0..removed {
                let id = add(&mut crowd, [9.0, 9.0], &person());
                crowd.remove(id).expect("an agent");
            }
            let ids = [0, 1].map(|_| add(&mut crowd, [0.0, 0.0], &person()));
            if bystanders {
                add(&mut crowd, [-18.0, -18.0], &person());
            }
            run(&mut crowd, 1, 0.05, |_| false);
            ids.map(|id| plan(crowd.agent(id).expect("an agent")))
        };
        let [a, b] = pair(false);
        assert!(a != b && a == [-b[0], -b[1]], "{a:?} {b:?}");
        assert_eq!(pair(true), [a, b]);
    }
}

/// REPORTS 31: two that walk straight at each other arrive within 30 s, along any direction, wherever zero is, whoever came first.
#[test]
fn reports_31_head_on() {
    for offset in [[0.0, 0.0], [0.1, -1.0 / 3.0], [-0.5, 0.25]] {
        for way in [[5.0, 0.0], [0.0, 5.0], [3.0, 4.0], [-5.0, 0.0], [0.0, -5.0]] {
            let mut crowd = crowd(floor([-10.0, 10.0], [-10.0, 10.0]));
            let ends = [[offset[0] - way[0], offset[1] - way[1]], [offset[0] + way[0], offset[1] + way[1]]];
            let ids = ends.map(|end| add(&mut crowd, end, &person()));
            send(&mut crowd, ids[0], ends[1]);
            send(&mut crowd, ids[1], ends[0]);
            run(&mut crowd, 600, 0.05, |crowd| {
                let [a, b] = ids.map(|id| crowd.agent(id).expect("an agent"));
                assert!(apart(a, b) >= 0.95, "they walk through each other");
                arrived(crowd, &ids)
            });
            assert!(arrived(&crowd, &ids), "{offset:?} {way:?}: {:#?}", crowd.agents());
        }
    }
}

/// REPORTS 31: four agents change places across a square, and eight across a circle's octagon.
#[test]
fn reports_31_crossings() {
    let square = [[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]];
    let octagon: Vec<[f64; 2]> =
        [[6.0, 0.0], [4.0, 4.0], [0.0, 6.0], [-4.0, 4.0]].into_iter().flat_map(|[x, z]| [[x, z], [-x, -z]]).collect();
    for ends in [&square[..], &octagon] {
        let mut crowd = crowd(floor([-10.0, 10.0], [-10.0, 10.0]));
        let ids: Vec<i64> = ends.iter().map(|&end| add(&mut crowd, end, &person())).collect();
        for (&id, end) in ids.iter().zip(ends) {
            send(&mut crowd, id, [-end[0], -end[1]]);
        }
        run(&mut crowd, 600, 0.05, |crowd| arrived(crowd, &ids));
        assert!(arrived(&crowd, &ids), "{:#?}", crowd.agents());
    }
}

/// REPORTS 31: a corridor with an agent parked in it. Past one that leaves 1.15 m a walker comes within 30 s. One that leaves 0.95 m
/// steps aside for it where it can; where it cannot move at all, the two never pass through each other.
#[test]
fn reports_31_a_parked_agent() {
    let fixed = AgentOptions { max_speed: 0.0, ..person() };
    for (width, parked, passes) in
        [(2.2, fixed, Some(true)), (2.2, person(), Some(true)), (2.0, person(), Some(true)), (2.0, fixed, None)]
    {
        let mut crowd = crowd(floor([-10.0, 10.0], [0.0, width]));
        let standing = add(&mut crowd, [0.0, 0.55], &parked);
        // Where it walks, it keeps no more clear of the walls than its radius needs.
        let walker = add(&mut crowd, [-6.0, 1.1], &AgentOptions { wall_clearance: 0.5, ..person() });
        send(&mut crowd, walker, [6.0, 1.1]);
        run(&mut crowd, 600, 0.05, |crowd| {
            let [a, b] = [standing, walker].map(|id| crowd.agent(id).expect("an agent"));
            assert!(apart(a, b) >= 0.8, "{} m apart", apart(a, b));
            arrived(crowd, &[walker])
        });
        assert!(passes.is_none() || arrived(&crowd, &[walker]), "{width}: {:#?}", crowd.agents());
    }
}
