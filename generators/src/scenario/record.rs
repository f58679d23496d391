//! A scenario, played through the recorder.

use std::collections::BTreeMap;
use std::sync::mpsc;

use crowd_engine::build::build_mesh;
use crowd_engine::{AgentOptions, Crowd, CrowdRecorder, NavMesh, Point, RecorderError};
use replay_format::BuildInput;

use super::event::Action;
use super::{Group, Ids, Move, Scenario, ScenarioError};

/// What comes of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The replay.
    pub replay: Vec<u8>,
    /// The live capture, where a viewer attaches.
    pub live: Option<Vec<u8>>,
}

/// The things that happen before each step, in order.
type Timeline<'s> = BTreeMap<i64, Vec<Action<'s>>>;

impl Scenario {
    /// Plays the scenario and records it. A scenario on a build input needs [`record_with`](Scenario::record_with).
    ///
    /// # Errors
    /// Where the scenario does not fit together, or something in it is refused.
    pub fn record(&self) -> Result<Recorded, ScenarioError> {
        self.record_with(|_| Err("there is no corpus to take it from".into()))
    }

    /// Plays the scenario and records it. `builds` gives the bytes of a build input by its name, or why there are none.
    ///
    /// # Errors
    /// Where the scenario does not fit together, or something in it is refused.
    pub fn record_with(&self, builds: impl FnOnce(&str) -> Result<Vec<u8>, String>) -> Result<Recorded, ScenarioError> {
        let timeline = self.timeline()?;
        let mesh = match (&self.scene, &self.build) {
            (Some(scene), None) => scene.mesh()?,
            (None, Some(name)) => {
                mesh_of(builds(name)).map_err(|why| ScenarioError::Build { name: name.clone(), why })?
            }
            _ => return Err(ScenarioError::Ground),
        };
        let crowd = Crowd::new(mesh, self.crowd.options()?);
        let mut host =
            Host { timeline, step: -i64::from(self.warmup), crowd: Recording::Warmup(Box::new(crowd), self.dt) };
        while host.step < 0 {
            host.act(|_, _| Ok(()))?;
            host.take_step()?;
        }
        host.begin()?;
        let mut live = None;
        loop {
            let recorded_step = u32::try_from(host.step).unwrap_or(u32::MAX);
            let attach = self.live.filter(|attach| attach.step == recorded_step);
            let mut operations = 0;
            host.act(|recorder, operation| {
                operations = operation;
                match attach {
                    Some(attach) if attach.after == operation => attach_viewer(recorder, &mut live),
                    _ => Ok(()),
                }
            })?;
            if let Some(attach) = attach.filter(|attach| attach.after > operations) {
                return Err(ScenarioError::Attach { step: attach.step, after: attach.after, found: operations });
            }
            if recorded_step >= self.steps {
                break;
            }
            host.take_step()?;
        }
        let live = live.map(|(mut bytes, records): (Vec<u8>, mpsc::Receiver<Vec<u8>>)| {
            records.try_iter().for_each(|record| bytes.extend(record));
            bytes
        });
        Ok(Recorded { replay: self.replay(&host)?, live })
    }

    /// Everything that happens, by step.
    fn timeline(&self) -> Result<Timeline<'_>, ScenarioError> {
        let (first, last) = (-i64::from(self.warmup), i64::from(self.steps));
        let mut timeline = Timeline::new();
        let mut put = |step: i64, what: &dyn Fn() -> String, action| {
            if step < first || step > last {
                return Err(ScenarioError::Step { what: what(), step, first, last });
            }
            timeline.entry(step).or_default().push(action);
            Ok(())
        };
        for (index, group) in self.groups.iter().enumerate() {
            put(group.step.unwrap_or(first), &|| format!("group {index}"), Action::Add(group))?;
        }
        for (index, event) in self.events.iter().enumerate() {
            let action = event.action(index)?;
            for step in event.steps() {
                put(step, &|| format!("event {index}"), action)?;
            }
        }
        let never =
            |what: &str, step: u32| ScenarioError::Step { what: what.into(), step: step.into(), first: 0, last };
        if let Some(attach) = self.live.filter(|attach| i64::from(attach.step) > last) {
            return Err(never("live", attach.step));
        }
        if let Some(&step) = self.corrupt_hash.iter().find(|&&step| step >= self.steps) {
            return Err(never("corrupt_hash", step));
        }
        Ok(timeline)
    }

    /// The replay's bytes, with the hashes that are to be wrong made wrong.
    fn replay(&self, host: &Host<'_>) -> Result<Vec<u8>, ScenarioError> {
        let Recording::Recorded(recorder) = &host.crowd else { return Ok(Vec::new()) };
        let mut replay = recorder.replay().clone();
        for &step in &self.corrupt_hash {
            if let Some(step) = replay.steps.get_mut(step as usize) {
                step.hash ^= 1;
            }
        }
        let too_large = |error| ScenarioError::Refused { step: host.step, error: RecorderError::from(error) };
        replay.write().map_err(too_large)
    }
}

/// The mesh that comes of a build input.
fn mesh_of(bytes: Result<Vec<u8>, String>) -> Result<NavMesh, String> {
    let input = BuildInput::read(&bytes?).map_err(|error| error.to_string())?;
    build_mesh(&input, &mut ()).map_err(|error| error.to_string())
}

/// Takes the snapshot, and sends every record from now on.
fn attach_viewer(
    recorder: &mut CrowdRecorder,
    live: &mut Option<(Vec<u8>, mpsc::Receiver<Vec<u8>>)>,
) -> Result<(), RecorderError> {
    let snapshot = recorder.write_snapshot()?;
    let (sender, records) = mpsc::channel();
    // The receiver lives as long as the recording: nothing is lost.
    recorder.on_record(Box::new(move |record| drop(sender.send(record.to_vec()))));
    *live = Some((snapshot, records));
    Ok(())
}

/// The crowd, before and after the recording begins.
enum Recording {
    Warmup(Box<Crowd>, f64),
    Recorded(Box<CrowdRecorder>),
}

/// Does what the timeline says.
struct Host<'s> {
    timeline: Timeline<'s>,
    step: i64,
    crowd: Recording,
}

impl<'s> Host<'s> {
    /// Does what comes before the current step. `seen` is called before the first operation and after each, with how many
    /// there were; not in the warm-up.
    fn act(
        &mut self,
        mut seen: impl FnMut(&mut CrowdRecorder, u32) -> Result<(), RecorderError>,
    ) -> Result<(), ScenarioError> {
        let step = self.step;
        let actions = self.timeline.remove(&step).unwrap_or_default();
        let mut hands = Hands { crowd: &mut self.crowd, operations: 0, seen: &mut seen };
        let refused = |error| ScenarioError::Refused { step, error };
        hands.tell().map_err(refused)?;
        for action in actions {
            match action {
                Action::Add(group) => hands.add(group, step)?,
                Action::Remove(ids) => hands.each(ids, |hands, id| hands.remove(id)).map_err(refused)?,
                Action::Stop(ids) => hands.each(ids, |hands, id| hands.stop(id)).map_err(refused)?,
                Action::Destination(to) => hands.send(to, step, |hands, id, point| hands.set_destination(id, point))?,
                Action::Teleport(to) => hands.send(to, step, |hands, id, point| hands.teleport(id, point))?,
            }
        }
        Ok(())
    }

    fn take_step(&mut self) -> Result<(), ScenarioError> {
        let taken = match &mut self.crowd {
            Recording::Warmup(crowd, dt) => crowd.step(*dt).map_err(RecorderError::from),
            Recording::Recorded(recorder) => recorder.step().map(drop),
        };
        taken.map_err(|error| ScenarioError::Refused { step: self.step, error })?;
        self.step += 1;
        Ok(())
    }

    /// The recording begins.
    fn begin(&mut self) -> Result<(), ScenarioError> {
        if let Recording::Warmup(crowd, dt) = &self.crowd {
            let recorder = CrowdRecorder::new(Crowd::clone(crowd), *dt);
            let recorder = recorder.map_err(|error| ScenarioError::Refused { step: self.step, error })?;
            self.crowd = Recording::Recorded(Box::new(recorder));
        }
        Ok(())
    }
}

/// Called with the recorder and how many operations of the step there were.
type Seen<'h> = &'h mut dyn FnMut(&mut CrowdRecorder, u32) -> Result<(), RecorderError>;

/// One operation after another, on the crowd or through the recorder.
struct Hands<'h> {
    crowd: &'h mut Recording,
    operations: u32,
    seen: Seen<'h>,
}

macro_rules! operation {
    ($name:ident($($argument:ident: $type:ty),+) -> $result:ty) => {
        fn $name(&mut self, $($argument: $type),+) -> Result<$result, RecorderError> {
            let result = match self.crowd {
                Recording::Warmup(crowd, _) => crowd.$name($($argument),+)?,
                Recording::Recorded(recorder) => recorder.$name($($argument),+)?,
            };
            self.operations += 1;
            self.tell()?;
            Ok(result)
        }
    };
}

impl Hands<'_> {
    operation!(try_add(position: &Point, options: &AgentOptions) -> Option<i64>);
    operation!(remove(id: i64) -> ());
    operation!(set_destination(id: i64, destination: &Point) -> ());
    operation!(stop(id: i64) -> ());
    operation!(teleport(id: i64, position: &Point) -> ());

    fn tell(&mut self) -> Result<(), RecorderError> {
        match self.crowd {
            Recording::Warmup(..) => Ok(()),
            Recording::Recorded(recorder) => (self.seen)(recorder, self.operations),
        }
    }

    fn current(&self) -> &Crowd {
        match &*self.crowd {
            Recording::Warmup(crowd, _) => crowd,
            Recording::Recorded(recorder) => recorder.crowd(),
        }
    }

    /// Adds a group; an add that fails is as much a part of the run as one that does not.
    fn add(&mut self, group: &Group, step: i64) -> Result<(), ScenarioError> {
        let points = group.at.points()?;
        let options = group.agent.options();
        let destinations = group.to.as_ref().map(|to| to.destinations(&points)).transpose()?;
        for (index, point) in points.iter().enumerate() {
            let refused = |error| ScenarioError::Refused { step, error };
            let added = self.try_add(point, &options).map_err(refused)?;
            let destination = destinations.as_ref().and_then(|destinations| destinations.get(index));
            if let (Some(id), Some(destination)) = (added, destination) {
                self.set_destination(id, destination).map_err(refused)?;
            }
        }
        Ok(())
    }

    fn each(
        &mut self,
        ids: &Ids,
        mut operation: impl FnMut(&mut Self, i64) -> Result<(), RecorderError>,
    ) -> Result<(), RecorderError> {
        let ids = ids.among(self.current().agents().iter().map(|agent| agent.id));
        ids.into_iter().try_for_each(|id| operation(self, id))
    }

    fn send(
        &mut self,
        to: &Move,
        step: i64,
        mut operation: impl FnMut(&mut Self, i64, &Point) -> Result<(), RecorderError>,
    ) -> Result<(), ScenarioError> {
        let crowd = self.current();
        let ids = to.agents.among(crowd.agents().iter().map(|agent| agent.id));
        // An agent that is not there is refused by the crowd; where it would go from does not matter.
        let from: Vec<Point> = ids.iter().map(|&id| crowd.agent(id).map_or([0.0; 3], |agent| agent.position)).collect();
        let points = to.to.destinations(&from)?;
        for (&id, point) in ids.iter().zip(&points) {
            operation(self, id, point).map_err(|error| ScenarioError::Refused { step, error })?;
        }
        Ok(())
    }
}
