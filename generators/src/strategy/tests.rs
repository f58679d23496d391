use std::collections::BTreeSet;

use crowd_engine::{Crowd, CrowdPlayer, find_mismatch};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestError};
use replay_format::{LiveCapture, Operation, Operations, Path, Replay, SettingsExtent, Setup, Step, known_operations};

use super::*;

/// The same streams every time; `PROPTEST_CASES` says how many.
fn check(property: impl Fn(&Stream) -> TestCaseResult) {
    if let Err(error) = runner().run(&streams(), |stream| property(&stream)) {
        panic!("{error}");
    }
}

fn runner() -> TestRunner {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(96);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn recorded_written_read_and_replayed_the_hashes_are_the_same() {
    check(|stream| {
        let recorded = stream.record().expect("every stream is valid");
        let replay = Replay::read(&recorded.replay).expect("what the recorder writes can be read");
        prop_assert_eq!(replay.steps.len(), stream.steps.len());
        let written = replay.write().expect("it was written before");
        prop_assert_eq!(written, recorded.replay.clone());
        for threads in [1, 2, 7] {
            prop_assert_eq!(find_mismatch(&replay, threads).expect("it can be played"), None, "{} threads", threads);
        }
        Ok(())
    });
}

#[test]
fn restored_between_any_two_operations_the_run_goes_on_as_before() {
    check(|stream| {
        let recorded = stream.record().expect("every stream is valid");
        let replay = Replay::read(&recorded.replay).expect("what the recorder writes can be read");
        let mut player = CrowdPlayer::of_replay(&replay.setup).expect("it can be restored");
        for (index, step) in (0..).zip(&replay.steps) {
            // Restored before each operation and before the step; what goes on is always the last one restored.
            for (offset, operation) in operations(step) {
                player = restored(&player)?;
                let mut one = Step { operations: Vec::new(), operations_offset: offset, hash: 0 };
                operation.write(&mut one.operations);
                player.apply_operations(&one, &Path::ROOT).expect("it could be done before");
            }
            player = restored(&player)?;
            let nothing = Step { operations: Vec::new(), ..step_of(step) };
            let hash = player.play_step(index, &nothing).expect("it could be done before");
            prop_assert_eq!(hash, step.hash, "step {}", index);
        }
        Ok(())
    });
}

fn operations<'s>(step: &Step<&'s [u8]>) -> Vec<(u64, Operation<'s>)> {
    Operations::new(step.operations, step.operations_offset, Path::ROOT, SettingsExtent::OURS)
        .map(|item| item.expect("read before"))
        .collect()
}

fn step_of(step: &Step<&[u8]>) -> Step<Vec<u8>> {
    Step { operations: step.operations.to_vec(), operations_offset: step.operations_offset, hash: step.hash }
}

fn restored(player: &CrowdPlayer) -> Result<CrowdPlayer, TestCaseError> {
    let bytes = player.setup_now().expect("it is small");
    let setup = Setup::read(&bytes).expect("what was saved can be read");
    let again = CrowdPlayer::new(&setup).expect("what was saved can be restored");
    prop_assert_eq!(again.setup_now().expect("it is small"), bytes.clone());
    prop_assert_eq!(again.crowd().state_hash(), player.crowd().state_hash());
    Ok(again)
}

#[test]
fn a_live_capture_is_the_end_of_the_replay() {
    check(|stream| {
        let recorded = stream.record().expect("every stream is valid");
        let live = recorded.live.expect("a viewer attaches");
        let capture = LiveCapture::read(&live).expect("what the recorder sends can be read");
        prop_assert_eq!(capture.write().expect("it was written before"), live.clone());
        let replay = Replay::read(&recorded.replay).expect("what the recorder writes can be read");
        let (steps, _) = capture.steps();
        let first = replay.steps.len() - steps.len();
        let mut crowd = CrowdPlayer::of_replay(&capture.setup).expect("it can be restored");
        for (index, (captured, step)) in steps.iter().zip(&replay.steps[first..]).enumerate() {
            let tail = step.operations.ends_with(&captured.operations);
            prop_assert!(tail && (index == 0 || captured.operations == step.operations), "step {}", index);
            prop_assert_eq!(captured.hash, step.hash, "step {}", index);
            prop_assert_eq!(crowd.play_step(0, captured).expect("it can be played"), step.hash, "step {}", index);
        }
        Ok(())
    });
}

#[test]
fn streams_reach_what_they_should() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for seed in 0..200 {
        let stream = stream_of_seed(seed);
        let recorded = stream.record().expect("every stream is valid");
        let replay = Replay::read(&recorded.replay).expect("what the recorder writes can be read");
        let mut crowd: Crowd = Crowd::restore(&replay.setup).expect("it can be restored");
        for step in &replay.steps {
            for operation in known_operations(step.operations) {
                seen.insert(operation.name().into());
                let before = crowd.agent_count();
                apply(&mut crowd, &operation);
                if matches!(operation, Operation::Add { .. }) && crowd.agent_count() == before {
                    let full = before == crowd.options().max_agents as usize;
                    seen.insert(if full { "full" } else { "off the mesh" }.into());
                }
            }
            crowd.step(replay.setup.dt).expect("it could be done before");
            seen.extend(crowd.agents().iter().map(|agent| agent.task.name().into()));
        }
    }
    let wanted = [
        "Add",
        "Remove",
        "SetDestination",
        "Stop",
        "Teleport",
        "full",
        "off the mesh",
        "idle",
        "following",
        "following-partial",
        "arrived",
        "blocked",
        "unreachable",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|&what| !seen.contains(what)).collect();
    assert!(missing.is_empty(), "no stream reaches {missing:?}");
}

fn apply(crowd: &mut Crowd, operation: &Operation<'_>) {
    let done = match operation {
        Operation::Add { position, settings, .. } => {
            let options = AgentOptions::read(settings, 0, &Path::ROOT, replay_format::Stage::Play).expect("valid");
            crowd.try_add(position, &options).map(drop)
        }
        Operation::Remove { agent } => crowd.remove(*agent),
        Operation::SetDestination { agent, destination } => crowd.set_destination(*agent, destination),
        Operation::Stop { agent } => crowd.stop(*agent),
        Operation::Teleport { agent, position } => crowd.teleport(*agent, position),
    };
    done.expect("every stream is valid");
}

#[test]
fn a_seed_always_gives_the_same_stream() {
    assert_eq!(stream_of_seed(3), stream_of_seed(3));
    assert_ne!(stream_of_seed(3), stream_of_seed(4));
}

/// A fault that needs an agent to be added and removed shrinks to just that.
#[test]
fn a_failure_shrinks_to_the_operations_that_matter() {
    let fails_on_removal = |stream: Stream| {
        let recorded = stream.record().expect("every stream is valid");
        let replay = Replay::read(&recorded.replay).expect("what the recorder writes can be read");
        let removes = |step: &Step<&[u8]>| known_operations(step.operations).any(|op| op.name() == "Remove");
        prop_assert!(!replay.steps.iter().any(removes));
        Ok(())
    };
    match runner().run(&streams(), fails_on_removal) {
        Err(TestError::Fail(_, stream)) => {
            let operations: usize = stream.steps.iter().map(Vec::len).sum();
            assert!(stream.steps.len() <= 2 && operations == 2 && stream.trailing.is_empty(), "{stream:?}");
        }
        other => panic!("no stream removed an agent: {other:?}"),
    }
}
