//! Agents at walls, at edges, off the mesh, and on what stops being walkable.

use crowd_engine::{AgentOptions, Crowd, CrowdOptions, NavMesh, NodeModel, Task};

use crate::scenes::{add, arrived, crowd, floor, mesh, person, plan, run, send};

/// A hall with a wall of no thickness from (0, 0) to (4, 0).
fn slit() -> NavMesh {
    let corners = [
        [-6.0, -5.0],
        [0.0, -5.0],
        [4.0, -5.0],
        [10.0, -5.0],
        [-6.0, 0.0],
        [0.0, 0.0],
        [4.0, 0.0],
        [10.0, 0.0],
        [-6.0, 5.0],
        [0.0, 5.0],
        [4.0, 5.0],
        [10.0, 5.0],
        [2.0, 0.0],
        [2.0, 0.0],
    ];
    mesh(
        &corners,
        &[&[0, 1, 5, 4], &[1, 2, 6, 12, 5], &[2, 3, 7, 6], &[4, 5, 9, 8], &[5, 13, 6, 10, 9], &[6, 7, 11, 10]],
    )
}

/// REPORTS 28: level with the very end of a wall and overlapping it: a collision like any other. The velocity is finite and leads no
/// nearer to the wall, and the agent arrives.
#[test]
fn reports_28_level_with_a_walls_end() {
    for start in
        [[4.0, -0.3], [0.0, -0.3], [4.0, 0.3], [0.0, 0.3], [4.0, 0.0], [0.0, 0.0], [2.0, 0.0], [2.0, -0.5], [4.5, 0.0]]
    {
        for goal in [[4.0, 4.0], [0.0, -4.0], [2.0, 4.0], [2.0, -4.0]] {
            let mut crowd = crowd(slit());
            let id = add(&mut crowd, start, &person());
            send(&mut crowd, id, goal);
            let wall = |at: [f64; 2]| {
                let (nearest, _) = crowd_engine::closest_on_segment(at, [0.0, 0.0], [4.0, 0.0]);
                crowd_engine::distance_squared(at, nearest).sqrt()
            };
            let mut before = wall(start);
            run(&mut crowd, 600, 0.05, |crowd| {
                let now = wall(plan(crowd.agent(id).expect("an agent")));
                assert!(now >= before - 1e-9 || now >= 0.5 - 1e-9, "{start:?} to {goal:?}: {before} and then {now}");
                before = now;
                arrived(crowd, &[id])
            });
            // Exactly on the end of a wall that has no thickness both of its sides are in the way: there it may stand.
            let is_on_end = start == [4.0, 0.0] || start == [0.0, 0.0];
            assert!(is_on_end || arrived(&crowd, &[id]), "{start:?} to {goal:?}: {:?}", crowd.agents());
        }
    }
}

/// REPORTS 26: two squares that meet at x = 5 and are not linked. Who walks from A towards B stays on A, also exactly on the edge, and
/// arrives at what is on the edge, because the lower polygon has it.
#[test]
fn reports_26_on_an_edge() {
    let corners = [[0.0, 0.0], [5.0, 0.0], [5.0, 5.0], [0.0, 5.0], [5.0, 0.0], [10.0, 0.0], [10.0, 5.0], [5.0, 5.0]];
    let mesh = mesh(&corners, &[&[0, 1, 2, 3], &[4, 5, 6, 7]]);
    let point = AgentOptions { radius: 0.0, wall_clearance: 0.0, ..person() };
    let mut crowd = crowd(mesh);
    // Not so near that it has arrived at once.
    let id = add(&mut crowd, [4.5, 2.0], &point);
    send(&mut crowd, id, [5.2, 2.0]);
    run(&mut crowd, 100, 0.05, |crowd| {
        assert_eq!(crowd.agent(id).map(|agent| agent.polygon), Some(0));
        false
    });
    let agent = crowd.agent(id).expect("an agent");
    assert!(agent.task == Task::Blocked && (4.875..=5.0).contains(&plan(agent)[0]), "{agent:?}");
    for z in [0.0, 2.0, 5.0] {
        send(&mut crowd, id, [5.0, z]);
        run(&mut crowd, 200, 0.05, |crowd| arrived(crowd, &[id]));
        assert!(arrived(&crowd, &[id]), "{:?}", crowd.agents());
        assert_eq!(crowd.agent(id).map(|agent| agent.polygon), Some(0));
    }
}

/// REPORTS 24: with too few nodes for the whole way an agent goes as far as it sees and looks again; it arrives with 17 nodes. With
/// one, which is its own polygon, it says that it is blocked; with two or three that depends on where in a polygon it looks again: at
/// the very edge there is nothing nearer to the goal in its own, and no node is left for what lies beyond.
#[test]
fn reports_24_few_nodes() {
    let corners: Vec<[f64; 2]> = (0..=40).flat_map(|x| [[f64::from(x), 0.0], [f64::from(x), 1.0]]).collect();
    let squares: Vec<[u32; 4]> = (0..40).map(|x| [2 * x, 2 * x + 2, 2 * x + 3, 2 * x + 1]).collect();
    let squares: Vec<&[u32]> = squares.iter().map(|square| &square[..]).collect();
    let corridor = mesh(&corners, &squares);
    let quick = AgentOptions { max_speed: 4.0, wall_clearance: 0.25, radius: 0.25, ..person() };
    for query_node_model in [NodeModel::PortalMidpoint, NodeModel::PortalCrossing] {
        for query_nodes in [1, 2, 3, 17, 40, 65_535, 65_536, 70_000] {
            let options = CrowdOptions { query_nodes, query_node_model, ..CrowdOptions::default() };
            let mut crowd = Crowd::new(corridor.clone(), options);
            let id = add(&mut crowd, [0.5, 0.5], &quick);
            send(&mut crowd, id, [39.5, 0.5]);
            run(&mut crowd, 1200, 0.05, |crowd| {
                let task = &crowd.agent(id).expect("an agent").task;
                let mut corridor = task.corridor().to_vec();
                corridor.sort_unstable();
                corridor.dedup();
                assert_eq!(corridor.len(), task.corridor().len(), "a polygon twice in {task:?}");
                arrived(crowd, &[id])
            });
            let task = &crowd.agent(id).expect("an agent").task;
            match query_nodes {
                1 => assert_eq!(*task, Task::Blocked),
                2 | 3 => assert!(matches!(task, Task::Arrived | Task::Blocked), "{task:?}"),
                _ => assert_eq!(*task, Task::Arrived, "{query_nodes} nodes"),
            }
        }
    }
}

/// REPORTS 33: a goal off the mesh is taken to the mesh where that is as near as the agent's own size and 2 m allow, and refused
/// otherwise: then the agent stays where it is. The same above and below.
#[test]
fn reports_33_a_goal_off_the_mesh() {
    for (radius, clearance, x, y, end) in [
        (3.0, 0.0, 14.0, 0.0, Some(10.0)),
        (3.0, 0.0, 15.0, 0.0, Some(10.0)),
        (3.0, 1.0, 14.0, 0.0, Some(9.0)),
        (3.0, 0.0, 15.5, 0.0, None),
        (0.0, 0.0, 12.0, 0.0, Some(10.0)),
        (0.0, 0.0, 14.0, 0.0, None),
        (0.0, 0.0, 5.0, 3.5, Some(5.0)),
        (0.0, 0.0, 5.0, 4.0, None),
        (0.0, 0.0, 5.0, -4.0, None),
    ] {
        let mut crowd = crowd(floor([0.0, 10.0], [0.0, 10.0]));
        let options = AgentOptions { radius, wall_clearance: clearance, ..person() };
        let id = add(&mut crowd, [5.0, 5.0], &AgentOptions { height: 1.5, ..options });
        crowd.set_destination(id, &[x, y, 5.0]).expect("an agent");
        run(&mut crowd, 400, 0.05, |crowd| arrived(crowd, &[id]));
        let agent = crowd.agent(id).expect("an agent");
        match end {
            Some(end) => {
                assert_eq!(agent.task, Task::Arrived);
                assert!((plan(agent)[0] - end).abs() <= 0.125, "{agent:?}");
            }
            None => assert_eq!((&agent.task, plan(agent)), (&Task::Unreachable, [5.0, 5.0])),
        }
    }
}

/// REPORTS 33: a goal on another island gives a way that says it is a part, and ends blocked at this island's end.
#[test]
fn reports_33_another_island() {
    let square = |x: f64| [[x, 0.0], [x + 10.0, 0.0], [x + 10.0, 10.0], [x, 10.0]];
    let islands = mesh(&[square(0.0), square(20.0)].concat(), &[&[0, 1, 2, 3], &[4, 5, 6, 7]]);
    let mut crowd = crowd(islands);
    let id = add(&mut crowd, [5.0, 5.0], &person());
    send(&mut crowd, id, [25.0, 5.0]);
    run(&mut crowd, 1, 0.05, |_| false);
    assert!(matches!(crowd.agent(id).map(|agent| &agent.task), Some(Task::Following { partial: true, .. })));
    run(&mut crowd, 400, 0.05, |_| false);
    let agent = crowd.agent(id).expect("an agent");
    assert_eq!((agent.polygon, &agent.task), (0, &Task::Blocked));
    assert!((plan(agent)[0] - 9.5).abs() <= 0.125 && plan(agent)[0] <= 9.5 + 1e-9, "{agent:?}");
}

/// REPORTS 33: two triangles that share the vertex (5, 5) only; 30 agents push into the notch for 20 s. None gets through or off.
#[test]
fn reports_33_a_notch() {
    let corners = [[0.0, 0.0], [5.0, 5.0], [0.0, 10.0], [10.0, 0.0], [10.0, 10.0]];
    for radius in [0.0, 0.3, 0.5] {
        let mut crowd = crowd(mesh(&corners, &[&[0, 1, 2], &[3, 4, 1]]));
        for index in 0..30 {
            let place = [0.3 + f64::from(index % 5) * 0.6, 3.2 + f64::from(index / 5) * 0.7];
            let id = add(&mut crowd, place, &AgentOptions { radius, wall_clearance: radius, ..person() });
            send(&mut crowd, id, [7.0, 5.0]);
        }
        run(&mut crowd, 400, 0.05, |crowd| {
            assert!(crowd.agents().iter().all(|agent| agent.polygon == 0 && agent.position[0] <= 5.0));
            false
        });
    }
}

/// REPORTS 33: what an agent stands on stops being walkable, and is walkable again. It keeps its place, is never lost, and arrives.
#[test]
fn reports_33_the_floor_is_taken_away_and_put_back() {
    let corners: Vec<[f64; 2]> = (0..=3).flat_map(|x| [[f64::from(x) * 4.0, 0.0], [f64::from(x) * 4.0, 4.0]]).collect();
    let rooms = mesh(&corners, &[&[0, 2, 3, 1], &[2, 4, 5, 3], &[4, 6, 7, 5]]);
    let mut crowd = crowd(rooms);
    let id = add(&mut crowd, [1.0, 2.0], &person());
    send(&mut crowd, id, [11.0, 2.0]);
    run(&mut crowd, 400, 0.05, |crowd| crowd.agent(id).is_some_and(|agent| agent.polygon == 1));
    for area in [0, 1, 0, 1] {
        crowd.mesh_mut().set_area(1, area).expect("a polygon");
        run(&mut crowd, 10, 0.05, |crowd| {
            assert!(crowd.agent(id).is_some_and(|agent| agent.polygon >= 1));
            false
        });
    }
    assert!(crowd.agent(id).is_some_and(|agent| agent.polygon == 1), "it is still there");
    // All of it, under its feet.
    for polygon in 0..3 {
        crowd.mesh_mut().set_area(polygon, 0).expect("a polygon");
    }
    run(&mut crowd, 40, 0.05, |_| false);
    send(&mut crowd, id, [11.0, 2.0]);
    run(&mut crowd, 40, 0.05, |_| false);
    assert_eq!(crowd.agent(id).map(|agent| &agent.task), Some(&Task::Unreachable));
    for polygon in 0..3 {
        crowd.mesh_mut().set_area(polygon, 1).expect("a polygon");
    }
    send(&mut crowd, id, [11.0, 2.0]);
    run(&mut crowd, 400, 0.05, |crowd| arrived(crowd, &[id]));
    assert!(arrived(&crowd, &[id]), "{:?}", crowd.agents());
}

/// REPORTS 33: where a room is closed before an agent, it takes the other way; where it is opened again, the wall that was there is not
/// in its way any more, however little it has moved.
#[test]
fn reports_33_a_room_is_closed_and_opened() {
    // A corridor of three rooms, and a way round the middle one.
    let corners: Vec<[f64; 2]> =
        (0..=2).flat_map(|z| (0..=3).map(move |x| [f64::from(x) * 4.0, f64::from(z) * 4.0])).collect();
    let rooms =
        mesh(&corners, &[&[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[4, 5, 9, 8], &[5, 6, 10, 9], &[6, 7, 11, 10]]);
    let mut crowd = crowd(rooms);
    let id = add(&mut crowd, [1.0, 2.0], &person());
    send(&mut crowd, id, [11.0, 2.0]);
    run(&mut crowd, 20, 0.05, |_| false);
    crowd.mesh_mut().set_area(1, 0).expect("a polygon");
    run(&mut crowd, 600, 0.05, |crowd| {
        let agent = crowd.agent(id).expect("an agent");
        assert!(agent.polygon != 1 && agent.task.corridor().iter().all(|&polygon| polygon != 1));
        arrived(crowd, &[id])
    });
    assert!(arrived(&crowd, &[id]), "{:?}", crowd.agents());
    // Against the closed room's wall, and on when it is open.
    send(&mut crowd, id, [8.5, 2.0]);
    run(&mut crowd, 200, 0.05, |crowd| arrived(crowd, &[id]));
    for polygon in 3..6 {
        crowd.mesh_mut().set_area(polygon, 0).expect("a polygon");
    }
    send(&mut crowd, id, [1.0, 2.0]);
    run(&mut crowd, 40, 0.05, |_| false);
    assert_eq!(crowd.agent(id).map(|agent| &agent.task), Some(&Task::Blocked));
    crowd.mesh_mut().set_area(1, 1).expect("a polygon");
    send(&mut crowd, id, [1.0, 2.0]);
    run(&mut crowd, 400, 0.05, |crowd| arrived(crowd, &[id]));
    assert!(arrived(&crowd, &[id]), "{:?}", crowd.agents());
}

/// A filter says what is a wall as the mesh does.
#[test]
fn a_filter_that_is_dropped_leaves_no_walls() {
    let corners: Vec<[f64; 2]> = (0..=2).flat_map(|x| [[f64::from(x) * 4.0, 0.0], [f64::from(x) * 4.0, 4.0]]).collect();
    let mut rooms = mesh(&corners, &[&[0, 2, 3, 1], &[2, 4, 5, 3]]);
    rooms.set_area(1, 2).expect("a polygon");
    let mut crowd = crowd(rooms);
    let mut filter = crowd_engine::QueryFilter::new();
    filter.exclude(2).expect("an area");
    crowd.set_filter(Some(filter));
    let id = add(&mut crowd, [1.0, 2.0], &person());
    send(&mut crowd, id, [6.0, 2.0]);
    run(&mut crowd, 200, 0.05, |_| false);
    assert!(crowd.agent(id).is_some_and(|agent| agent.position[0] <= 3.5 + 1e-9 && agent.position[0] >= 3.25));
    crowd.set_filter(None);
    send(&mut crowd, id, [7.0, 2.0]);
    run(&mut crowd, 200, 0.05, |crowd| arrived(crowd, &[id]));
    assert!(arrived(&crowd, &[id]), "{:?}", crowd.agents());
}

/// Who keeps no clearance walks along walls, on a mesh that was eroded: past the joint of two walls in one line, and around the
/// corner of a pillar. An end of a wall is not in the way as its side is.
#[test]
fn ends_of_walls_are_passed_without_clearance() {
    // A ring of four floors around a pillar of 2 by 2; the outer walls are in two parts each.
    let corners = [
        [0.0, 0.0],
        [3.0, 0.0],
        [6.0, 0.0],
        [0.0, 6.0],
        [3.0, 6.0],
        [6.0, 6.0],
        [2.0, 2.0],
        [4.0, 2.0],
        [2.0, 4.0],
        [4.0, 4.0],
    ];
    let ring = mesh(&corners, &[&[0, 1, 2, 7, 6], &[2, 5, 9, 7], &[5, 4, 3, 8, 9], &[3, 0, 6, 8]]);
    for (from, to) in [
        ([1.0, 2.5], [5.0, 2.5]),
        ([2.0, 3.0], [4.0, 3.0]),
        ([5.0, 3.5], [1.0, 3.5]),
        ([3.0, 2.0], [3.0, 4.0]),
        ([1.0, 0.0], [5.0, 0.0]),
        ([5.5, 6.0], [0.5, 6.0]),
    ] {
        for wall_horizon in [0.25, 1.0] {
            let options = AgentOptions { wall_clearance: 0.0, wall_horizon, ..person() };
            let mut crowd = crowd(ring.clone());
            let id = add(&mut crowd, from, &options);
            send(&mut crowd, id, to);
            run(&mut crowd, 200, 0.05, |crowd| arrived(crowd, &[id]));
            assert!(arrived(&crowd, &[id]), "{from:?} to {to:?}: {:?}", crowd.agent(id));
        }
    }
}
