//! Recording, playing, restoring.

use std::sync::{Arc, Mutex};

use crowd_engine::{
    AgentOptions, Crowd, CrowdError, CrowdOptions, CrowdPlayer, CrowdRecorder, NavMesh, PolygonSpec, QueryFilter,
    RecorderError, Task, find_mismatch,
};
use replay_format::{Code, LiveCapture, LiveRecord, Replay, Setup, Stage, known_operations};

const DT: f64 = 1.0 / 30.0;

/// Two rooms of `size` cells each way side by side, not linked.
fn mesh(size: u32) -> NavMesh {
    let mut vertices = Vec::new();
    let mut polygons = Vec::new();
    for room in 0..2 {
        let base = vertices.len() as u32;
        for z in 0..=size {
            for x in 0..=size {
                vertices.push([f64::from(x + room * (size + 10)), 0.0, f64::from(z)]);
            }
        }
        for z in 0..size {
            for x in 0..size {
                let corner = base + z * (size + 1) + x;
                let vertices = vec![corner, corner + 1, corner + size + 2, corner + size + 1];
                polygons.push(PolygonSpec { vertices, area: 1 });
            }
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a valid mesh")
}

fn crowd(max_agents: i32) -> Crowd {
    Crowd::new(mesh(10), CrowdOptions { max_agents, ..CrowdOptions::default() })
}

/// A recording with every kind of operation.
fn busy_recording() -> CrowdRecorder {
    let mut recorder = CrowdRecorder::new(crowd(6), DT).expect("valid");
    let options = AgentOptions::default();
    for z in 0..6 {
        let id = recorder.try_add(&[1.0, 0.0, 1.0 + f64::from(z)], &options).unwrap().expect("room");
        recorder.set_destination(id, &[9.0, 0.0, 7.0 - f64::from(z)]).unwrap();
    }
    assert_eq!(recorder.try_add(&[5.0, 0.0, 5.0], &options).unwrap(), None, "the crowd is full");
    for step in 0..60 {
        match step {
            10 => recorder.remove(3).unwrap(),
            11 => assert_eq!(recorder.try_add(&[50.0, 0.0, 50.0], &options).unwrap(), None, "off the mesh"),
            12 => assert_eq!(recorder.try_add(&[5.0, 0.0, 9.0], &options).unwrap(), Some(7)),
            20 => recorder.teleport(1, &[25.0, 0.0, 5.0]).unwrap(),
            30 => recorder.stop(2).unwrap(),
            31 => recorder.set_destination(4, &[27.0, 0.0, 5.0]).unwrap(),
            _ => {}
        }
        recorder.step().unwrap();
    }
    recorder
}

#[test]
fn a_recording_replays_without_a_mismatch_on_any_number_of_threads() {
    let bytes = busy_recording().replay_bytes().unwrap();
    let replay = Replay::read(&bytes).unwrap();
    assert_eq!(replay.steps.len(), 60);
    for threads in [1, 2, 7] {
        assert_eq!(find_mismatch(&replay, threads), Ok(None));
    }
}

#[test]
fn a_change_behind_the_recorders_back_shows_at_that_very_step() {
    for step in [0, 17, 59] {
        let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
        let id = recorder.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
        for index in 0..60 {
            if index == step {
                recorder.crowd_mut().set_destination(id, &[8.0, 0.0, 8.0]).unwrap();
            }
            recorder.step().unwrap();
        }
        let mismatch = find_mismatch(recorder.replay(), 1).unwrap().expect("a mismatch");
        assert_eq!(mismatch.step, step);
        assert_ne!(mismatch.recorded, mismatch.replayed);
    }
}

#[test]
fn stepping_across_an_edit_of_the_mesh_is_refused() {
    let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
    recorder.step().unwrap();
    recorder.crowd_mut().mesh_mut().set_area(0, 2).unwrap();
    let before = recorder.replay_bytes().unwrap();
    assert_eq!(recorder.step(), Err(RecorderError::MeshChanged { then: 0, now: 1 }));
    assert_eq!(recorder.replay_bytes().unwrap(), before);
    assert_eq!(recorder.crowd().step_count(), 1);
}

#[test]
fn a_crowd_with_a_filter_is_refused() {
    let mut crowd = crowd(6);
    crowd.set_filter(Some(QueryFilter::new()));
    assert!(matches!(CrowdRecorder::new(crowd.clone(), DT), Err(RecorderError::HasFilter)));
    crowd.set_filter(None);
    let mut recorder = CrowdRecorder::new(crowd, DT).unwrap();
    recorder.crowd_mut().set_filter(Some(QueryFilter::new()));
    assert_eq!(recorder.step(), Err(RecorderError::HasFilter));
}

#[test]
fn refused_calls_change_nothing_and_emit_nothing() {
    let records = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&records);
    let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
    recorder.on_record(Box::new(move |_| *counter.lock().unwrap() += 1));
    let id = recorder.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
    recorder.step().unwrap();
    let (state, bytes) = (recorder.crowd().save_state(), recorder.replay_bytes().unwrap());
    let unknown = RecorderError::Crowd(CrowdError::UnknownAgent { id: 99 });
    assert_eq!(recorder.remove(99), Err(unknown.clone()));
    assert_eq!(recorder.stop(99), Err(unknown.clone()));
    assert_eq!(recorder.set_destination(99, &[1.0, 0.0, 1.0]), Err(unknown.clone()));
    assert_eq!(recorder.teleport(99, &[1.0, 0.0, 1.0]), Err(unknown));
    assert!(recorder.set_destination(id, &[f64::NAN, 0.0, 1.0]).is_err());
    assert!(recorder.teleport(id, &[1.0, 2_097_152.0, 1.0]).is_err());
    assert!(recorder.try_add(&[1.0, 0.0, f64::INFINITY], &AgentOptions::default()).is_err());
    let negative = AgentOptions { radius: -1.0, ..AgentOptions::default() };
    assert!(recorder.try_add(&[1.0, 0.0, 1.0], &negative).is_err());
    assert_eq!((recorder.crowd().save_state(), recorder.replay_bytes().unwrap()), (state, bytes));
    assert_eq!(*records.lock().unwrap(), 2);
}

#[test]
fn a_steps_operations_end_at_16_mib() {
    let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
    let id = recorder.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
    // An add took 91 bytes, a stop takes 9: as many as fit.
    let fit = (16_777_216 - 91) / 9;
    for _ in 0..fit {
        recorder.stop(id).unwrap();
    }
    let refused = recorder.set_destination(id, &[8.0, 0.0, 8.0]);
    assert!(matches!(refused, Err(RecorderError::OperationsOverLimit { .. })), "{refused:?}");
    assert_eq!(recorder.crowd().agent(id).unwrap().task, Task::Idle);
    recorder.step().unwrap();
    recorder.set_destination(id, &[8.0, 0.0, 8.0]).unwrap();
    let bytes = recorder.replay_bytes().unwrap();
    assert!(Replay::read(&bytes).is_ok());
}

#[test]
fn an_operation_on_an_unknown_agent_is_an_error_that_names_it() {
    let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
    let id = recorder.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
    recorder.step().unwrap();
    recorder.stop(id).unwrap();
    recorder.remove(id).unwrap();
    recorder.step().unwrap();
    let mut bytes = recorder.replay_bytes().unwrap();
    // The last step is: length, Stop (1 + 8), Remove (1 + 8), hash. Make the Remove name another agent.
    let at = bytes.len() - 8 - 8;
    bytes[at..at + 8].copy_from_slice(&77i64.to_le_bytes());
    let replay = Replay::read(&bytes).expect("reading knows nothing of agents");
    let error = find_mismatch(&replay, 1).unwrap_err();
    assert_eq!((error.code(), error.stage()), (Code::UnknownAgent, Stage::Play));
    assert_eq!(error.offset(), Some(at as u64));
    assert_eq!(error.path(), "steps[1].operations[1].agent");
    assert!(error.to_string().contains("77"), "{error}");
}

#[test]
fn restoring_at_any_step_equals_never_having_stopped() {
    let recorder = busy_recording();
    let replay = recorder.replay();
    for at in [0, 1, 10, 11, 12, 20, 31, 45, 60] {
        let mut player = CrowdPlayer::of_replay(&replay.setup).unwrap();
        for (index, step) in (0..).zip(&replay.steps[..at]) {
            player.play_step(index, step).unwrap();
        }
        let block = player.setup_now().unwrap();
        let mut resumed = CrowdPlayer::new(&Setup::read(&block).unwrap()).unwrap();
        assert_eq!(resumed.crowd().state_hash(), player.crowd().state_hash());
        for (index, step) in (0u64..).zip(&replay.steps).skip(at) {
            assert_eq!(resumed.play_step(index, step).unwrap(), step.hash, "restored before step {at}, step {index}");
        }
    }
}

#[test]
fn live_records_are_the_replay() {
    let capture = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&capture);
    let mut recorder = CrowdRecorder::new(crowd(6), DT).unwrap();
    recorder.on_record(Box::new(move |record| sink.lock().unwrap().extend_from_slice(record)));
    let a = recorder.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
    recorder.step().unwrap();
    recorder.set_destination(a, &[8.0, 0.0, 2.0]).unwrap();
    // A viewer attaches in the middle of a step.
    let mut bytes = recorder.write_snapshot().unwrap();
    capture.lock().unwrap().clear();
    let b = recorder.try_add(&[8.0, 0.0, 2.0], &AgentOptions::default()).unwrap().unwrap();
    recorder.set_destination(b, &[2.0, 0.0, 2.0]).unwrap();
    recorder.step().unwrap();
    recorder.step().unwrap();
    recorder.stop(b).unwrap();
    bytes.extend_from_slice(&capture.lock().unwrap());
    let live = LiveCapture::read(&bytes).unwrap();
    let (steps, rest) = live.steps();
    assert_eq!(live.write().unwrap(), bytes);
    assert_eq!(steps.len(), 2);
    assert_eq!(known_operations(&rest).count(), 1);
    let recorded = &recorder.replay().steps[1..];
    assert_eq!(steps.iter().map(|s| s.hash).collect::<Vec<_>>(), recorded.iter().map(|s| s.hash).collect::<Vec<_>>());
    // The operation before the snapshot is in the snapshot.
    assert_eq!(steps[0].operations, recorded[0].operations[33..]);
    let mut player = CrowdPlayer::new(&live.setup).unwrap();
    for (index, step) in (0..).zip(&steps) {
        assert_eq!(player.play_step(index, step).unwrap(), step.hash);
    }
    assert!(matches!(live.records.last(), Some((_, LiveRecord::Operation(_)))));
}

#[test]
fn every_field_of_the_state_is_in_the_hash() {
    let recorder = busy_recording();
    let setup = recorder.crowd().setup(DT);
    let base = recorder.crowd().state_hash();
    let state = setup.state.clone();
    let mut refused = 0;
    for byte in 0..state.len() {
        let mut setup = setup.clone();
        setup.state[byte] ^= 1;
        match Crowd::restore(&setup) {
            Ok(crowd) => assert_ne!(crowd.state_hash(), base, "byte {byte} of the state"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && refused < state.len());
}

#[test]
fn counters_end_with_a_code() {
    let mut crowd = crowd(6);
    crowd.try_add(&[2.0, 0.0, 2.0], &AgentOptions::default()).unwrap();
    let mut setup = crowd.setup(DT);
    setup.start_step = i64::MAX;
    setup.state[20..28].copy_from_slice(&i64::MAX.to_le_bytes());
    setup.state[28..36].copy_from_slice(&i64::MAX.to_le_bytes());
    let mut last = Crowd::restore(&setup).unwrap();
    assert_eq!(last.step(DT), Err(CrowdError::StepsExhausted));
    assert_eq!(last.try_add(&[3.0, 0.0, 3.0], &AgentOptions::default()), Err(CrowdError::IdsExhausted));
    assert_eq!(last.step(0.0), Err(CrowdError::Dt { dt: 0.0 }));
}
