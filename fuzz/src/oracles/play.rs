//! Restoring and playing whatever the readers accept: it never panics, every position and velocity stays finite, and the same run
//! again (with threads, or restored half-way) gives the same hashes.

use crowd_engine::{CrowdPlayer, find_mismatch};
use replay_format::{
    AgentRecord, Code, CrowdState, Error, Path, Replay, STATE_HEADER_BYTES, Setup, Stage, Step, check_point, xxh64,
};

use super::owned;
use crate::context::Context;
use crate::verdict::{Finding, Outcome, Verdict, ensure};

/// The most agents of a crowd: more of them show nothing new and take longer.
const AGENTS_MAX: i32 = 24;
/// The most steps that are played.
const STEPS_MAX: usize = 8;
/// The largest replay that is played, bytes.
const BYTES_MAX: usize = 1 << 16;
/// How many threads the second run uses.
const THREADS: usize = 3;

/// What playing a step can refuse: agents that are not there, agent options, counters at their ends.
const PLAY_CODES: [Code; 7] = [
    Code::UnknownAgent,
    Code::IdsExhausted,
    Code::StepsExhausted,
    Code::ValueNotFinite,
    Code::ValueOutOfRange,
    Code::FlagInvalid,
    Code::Truncated,
];

/// A crowd between two steps.
#[derive(Debug, Clone)]
struct Moment {
    step_count: i64,
    agents: Vec<AgentRecord>,
    state: Vec<u8>,
    hash: u64,
}

/// A run from its first step, or from a moment.
#[derive(Debug, Default)]
struct Run {
    /// The hash after each step that could be played.
    hashes: Vec<u64>,
    /// The crowd before the first step and after each.
    moments: Vec<Moment>,
    /// Why the next step could not be played.
    refused: Option<Error>,
}

#[derive(Debug)]
struct Observation {
    /// The run, or why the crowd could not be restored.
    run: Result<Run, Error>,
    /// The step before which the crowd was saved and restored, and the run from there.
    resumed: Option<(usize, Result<Run, Error>)>,
    /// What verifying the run's own hashes with several threads says, where every step could be played.
    verified: Option<Result<Option<u64>, Error>>,
}

/// Restores and plays the replay in these bytes, with digests that fit its mesh and its options.
///
/// # Errors
/// The first property that does not hold.
pub fn play(bytes: &[u8]) -> Verdict {
    let fitted = match fit(bytes) {
        Ok(fitted) => fitted,
        Err(outcome) => return Ok(outcome),
    };
    match Replay::read(&fitted) {
        Ok(replay) => judge(fitted.len(), &replay, &observe(&replay)),
        Err(error) => Err(Finding { property: "fitted", detail: format!("the fitted replay is refused: {error}") }),
    }
}

/// The replay with few agents and steps, and with a state that fits the mesh and the options.
fn fit(bytes: &[u8]) -> Result<Vec<u8>, Outcome> {
    if bytes.len() > BYTES_MAX {
        return Err(Outcome::NotComparable("too large to be played here"));
    }
    let Replay { setup, mut steps } = Replay::read(bytes).map_err(Outcome::Refused)?;
    steps.truncate(STEPS_MAX);
    let mut setup = owned(&setup);
    if setup.options.max_agents > AGENTS_MAX {
        setup.options.max_agents = AGENTS_MAX;
    }
    if let Some(context) = Context::of_setup(&setup) {
        setup.state = context.fit(&setup.state, Some(setup.start_step));
    }
    let own = |step: Step<&[u8]>| Step {
        operations: step.operations.to_vec(),
        operations_offset: step.operations_offset,
        hash: step.hash,
    };
    let replay = Replay { setup, steps: steps.into_iter().map(own).collect() };
    replay.write().map_err(|_| Outcome::NotComparable("the fitted replay cannot be written"))
}

fn observe(replay: &Replay<&[u8]>) -> Observation {
    let mut player = match CrowdPlayer::of_replay(&replay.setup) {
        Ok(player) => player,
        Err(error) => return Observation { run: Err(error), resumed: None, verified: None },
    };
    let half = replay.steps.len() / 2;
    let mut saved = None;
    let mut run = Run { moments: vec![moment(&player)], ..Run::default() };
    for (index, step) in replay.steps.iter().enumerate() {
        if index == half {
            saved = player.setup_now().ok();
        }
        play_step(&mut player, index, step, &mut run);
        if run.refused.is_some() {
            break;
        }
    }
    let resumed = saved.map(|setup| (half, resume(&setup, half, &replay.steps)));
    let verified = run.refused.is_none().then(|| verify(replay, &run.hashes));
    Observation { run: Ok(run), resumed, verified }
}

fn play_step(player: &mut CrowdPlayer, index: usize, step: &Step<&[u8]>, run: &mut Run) {
    match player.play_step(index as u64, step) {
        Ok(hash) => run.hashes.push(hash),
        Err(error) => run.refused = Some(error),
    }
    run.moments.push(moment(player));
}

fn moment(player: &CrowdPlayer) -> Moment {
    let crowd = player.crowd();
    Moment {
        step_count: crowd.step_count(),
        agents: crowd.agents().to_vec(),
        state: crowd.save_state(),
        hash: crowd.state_hash(),
    }
}

fn resume(setup: &[u8], from: usize, steps: &[Step<&[u8]>]) -> Result<Run, Error> {
    let mut player = CrowdPlayer::new(&Setup::read(setup)?)?;
    let mut run = Run { moments: vec![moment(&player)], ..Run::default() };
    for (index, step) in steps.iter().enumerate().skip(from) {
        play_step(&mut player, index, step, &mut run);
        if run.refused.is_some() {
            break;
        }
    }
    Ok(run)
}

fn verify(replay: &Replay<&[u8]>, hashes: &[u64]) -> Result<Option<u64>, Error> {
    let mut replay = replay.clone();
    for (step, hash) in replay.steps.iter_mut().zip(hashes) {
        step.hash = *hash;
    }
    find_mismatch(&replay, THREADS).map(|mismatch| mismatch.map(|mismatch| mismatch.step))
}

fn judge(length: usize, replay: &Replay<&[u8]>, observation: &Observation) -> Verdict {
    let run = match &observation.run {
        Ok(run) => run,
        Err(error) => {
            judge_error(length, error, Stage::Restore)?;
            return Ok(Outcome::Refused(error.clone()));
        }
    };
    let context = Context::of_setup(&replay.setup);
    let context = context.ok_or(Finding {
        property: "restore",
        detail: "options or mesh are not valid, yet the crowd was restored".to_owned(),
    })?;
    for (number, moment) in run.moments.iter().enumerate() {
        judge_moment(moment, &context)
            .map_err(|finding| Finding { detail: format!("before step {number}: {}", finding.detail), ..finding })?;
    }
    judge_progress(replay, run)?;
    if let Some((from, resumed)) = &observation.resumed {
        judge_resumed(run, *from, resumed)?;
    }
    if let Some(verified) = &observation.verified {
        ensure(matches!(verified, Ok(None)), "threads", || format!("verified with {THREADS} threads: {verified:?}"))?;
    }
    match &run.refused {
        None => Ok(Outcome::Accepted),
        Some(error) => {
            judge_error(length, error, Stage::Play)?;
            Ok(Outcome::Refused(error.clone()))
        }
    }
}

fn judge_error(length: usize, error: &Error, stage: Stage) -> Result<(), Finding> {
    ensure(error.stage() == stage, "stage", || format!("not of stage {stage}: {error}"))?;
    ensure(error.offset().is_none_or(|offset| offset <= length as u64), "offset", || error.to_string())?;
    let (right, prefix) = match stage {
        Stage::Play => (PLAY_CODES.contains(&error.code()), "steps["),
        _ => (true, "setup."),
    };
    ensure(right, "code", || format!("a code that stage {stage} does not raise: {error}"))?;
    ensure(error.path().starts_with(prefix), "path", || format!("not of {prefix}..: {error}"))
}

/// Everything finite and in range; the state can be read again and says the same; the hash is the one of SPEC.
fn judge_moment(moment: &Moment, context: &Context) -> Result<(), Finding> {
    for agent in &moment.agents {
        let [vx, vz] = agent.velocity;
        let finite = check_point(&agent.position).is_ok() && check_point(&[vx, 0.0, vz]).is_ok();
        ensure(finite, "finite", || format!("{agent:?}"))?;
    }
    let read = CrowdState::read(&moment.state, 0, &Path::ROOT, &context.borrow(None));
    let read = read.map_err(|error| Finding {
        property: "restorable",
        detail: format!("its state cannot be restored: {error}"),
    })?;
    let same = read.agents == moment.agents && read.write().as_deref() == Ok(&moment.state);
    ensure(same, "restorable", || "its state is read as another".to_owned())?;
    let mut summary = moment.state.get(..STATE_HEADER_BYTES).unwrap_or(&[]).to_vec();
    for agent in &read.agents {
        let mut record = Vec::new();
        let _ = agent.write(&mut record);
        summary.extend_from_slice(&xxh64(&record).to_le_bytes());
    }
    ensure(xxh64(&summary) == moment.hash, "hash", || format!("{:016x} is not the hash of its state", moment.hash))
}

fn judge_progress(replay: &Replay<&[u8]>, run: &Run) -> Result<(), Finding> {
    let played = run.hashes.len();
    let all = played == replay.steps.len();
    ensure(all != run.refused.is_some(), "progress", || format!("{played} steps, then {:?}", run.refused))?;
    for (number, moment) in run.moments.iter().enumerate().take(played + 1) {
        let wanted = replay.setup.start_step.saturating_add(i64::try_from(number).unwrap_or(0));
        ensure(moment.step_count == wanted, "step-count", || format!("{} before step {number}", moment.step_count))?;
    }
    let hashes = run.moments.iter().skip(1).map(|moment| moment.hash);
    ensure(hashes.zip(&run.hashes).all(|(a, b)| a == *b), "hash", || {
        "a step gave another hash than the crowd".to_owned()
    })
}

/// Restoring at any point and going on equals never having stopped.
fn judge_resumed(run: &Run, from: usize, resumed: &Result<Run, Error>) -> Result<(), Finding> {
    let resumed = resumed.as_ref().map_err(|error| Finding {
        property: "resumed",
        detail: format!("saved before step {from}, it cannot be restored: {error}"),
    })?;
    let states = |run: &Run, skip| run.moments.iter().skip(skip).map(|moment| moment.state.clone()).collect::<Vec<_>>();
    ensure(run.hashes.get(from..) == Some(&resumed.hashes), "resumed", || {
        format!("restored before step {from}: {:x?}; never stopped: {:x?}", resumed.hashes, run.hashes)
    })?;
    ensure(states(run, from) == states(resumed, 0), "resumed", || format!("other states when restored at {from}"))?;
    ensure(run.refused == resumed.refused, "resumed", || format!("{:?}, not {:?}", resumed.refused, run.refused))
}

#[cfg(test)]
mod tests {
    use super::super::reading::doctored;
    use super::*;

    type Doctor = fn(&mut Observation);

    fn judge_doctored(bytes: &[u8], doctor: Doctor) -> Result<Outcome, &'static str> {
        let fitted = fit(bytes).unwrap();
        let replay = Replay::read(&fitted).unwrap();
        let mut observation = observe(&replay);
        doctor(&mut observation);
        judge(fitted.len(), &replay, &observation).map_err(|finding| finding.property)
    }

    fn run(observation: &mut Observation) -> &mut Run {
        observation.run.as_mut().unwrap()
    }

    fn resumed(observation: &mut Observation) -> &mut Run {
        observation.resumed.as_mut().unwrap().1.as_mut().unwrap()
    }

    #[test]
    fn a_run_is_judged() {
        let doctors: [(&str, Doctor); 17] = [
            ("stage", |o| o.run = Err(doctored(Code::Truncated, 3, "setup.mesh"))),
            ("path", |o| {
                o.run = Err(Error::at(Code::Truncated, Stage::Restore, 3, "mesh.magic", "", ""));
            }),
            ("offset", |o| {
                o.run = Err(Error::at(Code::Truncated, Stage::Restore, 1 << 30, "setup.mesh.magic", "", ""));
            }),
            ("finite", |o| run(o).moments[3].agents[0].position[1] = f64::NAN),
            ("finite", |o| run(o).moments[3].agents[0].velocity[1] = f64::NEG_INFINITY),
            ("restorable", |o| run(o).moments[3].agents[0].velocity[1] += 1.0),
            ("restorable", |o| run(o).moments[3].state[0] ^= 1),
            ("restorable", |o| run(o).moments[3].state.push(0)),
            ("hash", |o| run(o).moments[3].hash ^= 1),
            ("hash", |o| run(o).hashes[3] ^= 1),
            ("progress", |o| {
                run(o).hashes.pop();
            }),
            ("step-count", |o| run(o).moments[2].step_count += 1),
            ("resumed", |o| resumed(o).hashes[0] ^= 1),
            ("resumed", |o| resumed(o).moments[1].state[20] ^= 1),
            ("resumed", |o| o.resumed.as_mut().unwrap().1 = Err(doctored(Code::Truncated, 0, "state"))),
            ("threads", |o| o.verified = Some(Ok(Some(4)))),
            ("threads", |o| o.verified = Some(Err(doctored(Code::Truncated, 0, "state")))),
        ];
        let bytes = &crate::seeds::replays()[1].bytes;
        assert_eq!(judge_doctored(bytes, |_| {}), Ok(Outcome::Accepted));
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(bytes, doctor), Err(property), "doctor {number}");
        }
    }

    #[test]
    fn a_run_that_stops_is_judged() {
        // The replay of every kind, whose fourth step names an agent that is not there.
        let seed = &crate::seeds::replays()[1].bytes;
        let mut replay = Replay::read(seed).unwrap();
        let unknown = [[2].as_slice(), &99_i64.to_le_bytes()].concat();
        replay.steps[3].operations = &unknown;
        let bytes = replay.write().unwrap();
        let outcome = judge_doctored(&bytes, |_| {});
        assert!(matches!(outcome, Ok(Outcome::Refused(error)) if error.code() == Code::UnknownAgent));
        let doctors: [(&str, Doctor); 4] = [
            ("progress", |o| run(o).refused = None),
            ("resumed", |o| resumed(o).refused = None),
            ("code", |o| edit(o, Code::MagicMismatch, "steps[3]")),
            ("path", |o| edit(o, Code::UnknownAgent, "operations[3]")),
        ];
        for (number, (property, doctor)) in doctors.into_iter().enumerate() {
            assert_eq!(judge_doctored(&bytes, doctor), Err(property), "doctor {number}");
        }
    }

    /// The same mistake in both runs.
    fn edit(observation: &mut Observation, code: Code, path: &str) {
        let error = Error::at(code, Stage::Play, 5, path, "", "");
        run(observation).refused = Some(error.clone());
        resumed(observation).refused = Some(error);
    }
}
