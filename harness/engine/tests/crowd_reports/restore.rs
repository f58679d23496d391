//! Saved states: all is in them, and a run goes on from them.

use crowd_engine::{AgentRecord, Crowd, CrowdOptions, CrowdPlayer, CrowdRecorder, PathFollower, Task, find_mismatch};
use replay_format::{CrowdState, Path, StateContext, WallCache, WallEdge, xxh64};

use crate::scenes::{add, crowd, floor, mesh, person, send};

/// Agents that do different things, 5 steps on.
fn scene() -> Crowd {
    let corners = [[0.0, 0.0], [5.0, 0.0], [5.0, 10.0], [0.0, 10.0], [10.0, 0.0], [10.0, 10.0]];
    let mut crowd = crowd(mesh(&corners, &[&[0, 1, 2, 3], &[1, 4, 5, 2]]));
    let follower = Some(PathFollower::default());
    for z in 0..8 {
        let options = crowd_engine::AgentOptions { follower: follower.filter(|_| z % 2 == 0), ..person() };
        let id = add(&mut crowd, [1.0, 1.0 + f64::from(z)], &options);
        if z < 6 {
            send(&mut crowd, id, [9.0, 8.0 - f64::from(z)]);
        }
    }
    for _ in 0..5 {
        crowd.step(0.05).expect("a step");
    }
    crowd
}

/// REPORTS 39: saved at step 40, run to 60, restored, run to 60 again: the hashes of 41 to 60 are those of the first time, with any
/// number of threads; and the state that was saved is not changed by going on.
#[test]
fn reports_39_run_again_from_a_save() {
    let mut crowd = scene();
    let mut first = Vec::new();
    let mut saved = None;
    while crowd.step_count() < 100 {
        if crowd.step_count() == 40 {
            saved = Some(crowd.setup(0.05));
        }
        crowd.step(0.05).expect("a step");
        first.push((crowd.step_count(), crowd.state_hash()));
    }
    let saved = saved.expect("step 40");
    for (threads, end) in [(1, 60), (1, 100), (3, 60), (8, 100)] {
        let mut again = Crowd::restore(&saved).expect("its own state");
        again.set_threads(threads);
        assert_eq!(again.step_count(), 40);
        while again.step_count() < end {
            again.step(0.05).expect("a step");
            assert!(first.contains(&(again.step_count(), again.state_hash())), "step {}", again.step_count());
        }
        // And back, in one process.
        assert_eq!(Crowd::restore(&saved).expect("its own state").setup(0.05), saved);
    }
}

/// REPORTS 39: a run that goes wrong in step 57 (the first is 0) is wrong in step 57, not beside it, and the two hashes are those of the
/// states after that step.
#[test]
fn reports_39_the_first_wrong_step() {
    let mut recorder = CrowdRecorder::new(scene(), 0.05).expect("valid");
    let mut after = Vec::new();
    for step in 0..100 {
        if step == 57 {
            recorder.crowd_mut().stop(2).expect("an agent");
        }
        recorder.step().expect("a step");
        after.push(recorder.crowd().state_hash());
    }
    let replay = recorder.replay();
    let mut player = CrowdPlayer::of_replay(&replay.setup).expect("its own setup");
    let played: Vec<u64> =
        (0..).zip(&replay.steps).map(|(index, step)| player.play_step(index, step).expect("a step")).collect();
    assert_eq!(played[..57], after[..57]);
    let mismatch = find_mismatch(replay, 1).expect("a replay").expect("a mismatch");
    assert_eq!((mismatch.step, mismatch.recorded, mismatch.replayed), (57, after[57], played[57]));
}

fn state_of(crowd: &Crowd) -> CrowdState {
    let mut options = Vec::new();
    crowd.options().to_bits().write(&mut options);
    let context = StateContext {
        mesh: crowd.mesh().snapshot(),
        mesh_digest: crowd.mesh().digest(),
        options: crowd.options(),
        options_digest: xxh64(&options),
        start_step: None,
    };
    CrowdState::read(&crowd.save_state(), 0, &Path::ROOT, &context).expect("its own state")
}

type Change = fn(&mut AgentRecord);

/// One step up in the last place: what a field of too few bits, or a rounded one, would lose.
fn nudge(value: &mut f64) {
    *value = f64::from_bits(value.to_bits() ^ 1);
}

const CHANGES: [(&str, Change); 29] = [
    ("id", |a| a.id ^= 1 << 40),
    ("radius", |a| nudge(&mut a.options.radius)),
    ("height", |a| nudge(&mut a.options.height)),
    ("max_speed", |a| nudge(&mut a.options.max_speed)),
    ("max_acceleration", |a| nudge(&mut a.options.max_acceleration)),
    ("neighbour_distance", |a| nudge(&mut a.options.neighbour_distance)),
    ("agent_horizon", |a| nudge(&mut a.options.agent_horizon)),
    ("wall_horizon", |a| nudge(&mut a.options.wall_horizon)),
    ("wall_clearance", |a| nudge(&mut a.options.wall_clearance)),
    ("max_neighbours", |a| a.options.max_neighbours ^= 1),
    ("follower", |a| a.options.follower = a.options.follower.xor(Some(PathFollower::default()))),
    ("arrival_distance", |a| nudge(&mut a.options.follower.get_or_insert_default().arrival_distance)),
    ("slowing_distance", |a| nudge(&mut a.options.follower.get_or_insert_default().slowing_distance)),
    ("corner_cut", |a| nudge(&mut a.options.follower.get_or_insert_default().corner_cut)),
    ("position.x", |a| nudge(&mut a.position[0])),
    ("position.y", |a| nudge(&mut a.position[1])),
    ("position.z", |a| nudge(&mut a.position[2])),
    ("polygon", |a| a.polygon ^= 1 << 17),
    ("velocity.x", |a| nudge(&mut a.velocity[0])),
    ("velocity.z", |a| nudge(&mut a.velocity[1])),
    ("task", |a| a.task = if a.task == Task::Arrived { Task::Blocked } else { Task::Arrived }),
    ("destination", |a| {
        if let Task::Following { destination, .. } | Task::Requested { destination } = &mut a.task {
            nudge(&mut destination[1]);
        } else {
            a.task = Task::Requested { destination: [0.0; 3] };
        }
    }),
    ("target", |a| match &mut a.task {
        Task::Following { target, .. } => nudge(&mut target[2]),
        other => *other = Task::Requested { destination: [0.0; 3] },
    }),
    ("corridor", |a| match &mut a.task {
        Task::Following { corridor, .. } => corridor.reverse(),
        other => *other = Task::Requested { destination: [0.0; 3] },
    }),
    ("corridor's length", |a| match &mut a.task {
        Task::Following { corridor, .. } => corridor.push(7),
        other => *other = Task::Requested { destination: [0.0; 3] },
    }),
    ("partial", |a| match &mut a.task {
        Task::Following { partial, .. } => *partial = !*partial,
        other => *other = Task::Requested { destination: [0.0; 3] },
    }),
    ("walls", |a| {
        a.walls = match a.walls.take() {
            Some(_) => None,
            None => Some(WallCache { anchor: [0.0; 2], walls: Vec::new() }),
        };
    }),
    ("anchor", |a| {
        let cache = a.walls.get_or_insert(WallCache { anchor: [0.0; 2], walls: Vec::new() });
        nudge(&mut cache.anchor[1]);
    }),
    ("wall", |a| {
        let cache = a.walls.get_or_insert(WallCache { anchor: [0.0; 2], walls: Vec::new() });
        cache.walls.push(WallEdge { polygon: 1, edge: 3 });
    }),
];

/// REPORTS 39: every field of every agent, and of the header, is in the hash, to the last bit; no two changes give the same state.
#[test]
fn reports_39_every_field_is_in_the_hash() {
    let crowd = scene();
    let state = state_of(&crowd);
    let base = state.hash().expect("small");
    assert_eq!((base, state.write().expect("small")), (crowd.state_hash(), crowd.save_state()));
    let mut following = 0;
    for slot in 0..state.agents.len() {
        following += usize::from(matches!(state.agents[slot].task, Task::Following { .. }));
        let mut seen = vec![base];
        for (name, change) in CHANGES {
            let mut changed = state.clone();
            change(&mut changed.agents[slot]);
            if changed == state {
                // A corridor of one polygon is its own reverse.
                assert_eq!(name, "corridor");
                continue;
            }
            let hash = changed.hash().expect("small");
            assert_ne!(hash, base, "agent {slot}: {name}");
            // What has no corridor was changed in the same way by several of them.
            let is_same = seen.contains(&hash) && matches!(state.agents[slot].task, Task::Following { .. });
            assert!(!is_same, "agent {slot}: {name} looks like another change");
            seen.push(hash);
        }
    }
    assert!(following >= 5);
    for change in [|s: &mut CrowdState| s.header.step_count += 1, |s: &mut CrowdState| s.header.next_id += 1] {
        let mut changed = state.clone();
        change(&mut changed);
        assert_ne!(changed.hash().expect("small"), base);
    }
    let mut shorter = state.clone();
    shorter.agents.pop();
    assert_ne!(shorter.hash().expect("small"), base);
    // What a crowd is made of besides: its mesh and its options.
    let other = Crowd::new(floor([0.0, 10.0], [0.0, 10.0]), CrowdOptions::default());
    let more = Crowd::new(floor([0.0, 10.0], [0.0, 10.0]), CrowdOptions { query_nodes: 7, ..CrowdOptions::default() });
    let mut edited = other.clone();
    edited.mesh_mut().set_area(0, 1).expect("a polygon");
    assert!(other.state_hash() != more.state_hash() && other.state_hash() != edited.state_hash());
}
