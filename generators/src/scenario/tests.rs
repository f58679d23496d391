use crowd_engine::find_mismatch;
use replay_format::{LiveCapture, LiveRecord, Operation, Replay, known_operations};

use super::{Recorded, Scenario};

fn record(toml: &str) -> Result<Recorded, String> {
    let scenario: Scenario = toml::from_str(toml).map_err(|error| error.message().to_owned())?;
    scenario.record().map_err(|error| error.to_string())
}

fn operations(replay: &Replay<&[u8]>, step: usize) -> Vec<String> {
    known_operations(replay.steps[step].operations).map(|op| format!("{}{:?}", op.name(), op.agent())).collect()
}

const ROOM: &str = "scene = 'room'\ndt = 0.0625\nsteps = 6\n";

#[test]
fn things_happen_in_their_steps_in_their_order() {
    let recorded = record(&format!(
        "{ROOM}
        groups = [
            {{ at = {{ list = [[1.0, 0.0, 1.0], [3.0, 0.0, 1.0]] }}, to = {{ mirror_x = 10.0 }} }},
            {{ step = 2, at = {{ same = {{ point = [5.0, 0.0, 5.0], count = 1 }} }} }},
        ]
        events = [
            {{ step = 2, stop = 'all' }},
            {{ step = 2, remove = 1 }},
            {{ step = 3, repeat = {{ every = 2, times = 2 }}, teleport = {{ agents = '1..=2', to = {{ point = [9.0, 0.0, 9.0] }} }} }},
            {{ step = 4, destination = {{ agents = [3, 2], to = {{ offset = [1.0, 0.0, 0.0] }} }} }},
        ]"
    ))
    .unwrap();
    let replay = Replay::read(&recorded.replay).unwrap();
    let all: Vec<Vec<String>> = (0..6).map(|step| operations(&replay, step)).collect();
    assert_eq!(all[0], ["AddNone", "SetDestinationSome(1)", "AddNone", "SetDestinationSome(2)"]);
    assert_eq!(all[1], [""; 0]);
    assert_eq!(all[2], ["AddNone", "StopSome(1)", "StopSome(2)", "StopSome(3)", "RemoveSome(1)"]);
    assert_eq!(all[3], ["TeleportSome(2)"]);
    assert_eq!(all[4], ["SetDestinationSome(3)", "SetDestinationSome(2)"]);
    assert_eq!(all[5], ["TeleportSome(2)"]);
    assert_eq!(find_mismatch(&replay, 1).unwrap(), None);
}

#[test]
fn a_warm_up_is_not_recorded_but_counted() {
    let recorded = record(&format!(
        "{ROOM}warmup = 5
        groups = [{{ at = {{ list = [[1.0, 0.0, 1.0]] }}, to = {{ point = [9.0, 0.0, 9.0] }} }}]
        events = [{{ step = -1, stop = 1 }}, {{ step = 0, remove = 1 }}]"
    ))
    .unwrap();
    let replay = Replay::read(&recorded.replay).unwrap();
    assert_eq!((replay.setup.start_step, replay.steps.len()), (5, 6));
    assert_eq!(operations(&replay, 0), ["RemoveSome(1)"]);
    assert_eq!(find_mismatch(&replay, 1).unwrap(), None);
}

#[test]
fn a_viewer_attaches_between_operations_and_sees_the_rest() {
    let recorded = record(&format!(
        "{ROOM}live = {{ step = 2, after = 1 }}
        groups = [{{ at = {{ list = [[1.0, 0.0, 1.0], [3.0, 0.0, 1.0]] }} }}]
        events = [{{ step = 2, stop = 'all' }}, {{ step = 6, remove = 2 }}]"
    ))
    .unwrap();
    let live = recorded.live.unwrap();
    let capture = LiveCapture::read(&live).unwrap();
    assert_eq!(capture.setup.start_step, 2);
    let records: Vec<LiveRecord<'_>> = capture.records.iter().map(|(_, record)| *record).collect();
    assert!(matches!(records[0], LiveRecord::Operation(Operation::Stop { agent: 2 })));
    assert_eq!(records.iter().filter(|record| matches!(record, LiveRecord::Step(_))).count(), 4);
    assert!(matches!(records[5], LiveRecord::Operation(Operation::Remove { agent: 2 })));
    assert_eq!(Replay::read(&recorded.replay).unwrap().steps.len(), 6, "what comes after the last step is in no step");
}

#[test]
fn wrong_hashes_are_wrong_where_they_should_be() {
    let recorded = record(&format!("{ROOM}corrupt_hash = [3, 5]")).unwrap();
    let mismatch = find_mismatch(&Replay::read(&recorded.replay).unwrap(), 1).unwrap().unwrap();
    assert_eq!((mismatch.step, mismatch.recorded), (3, mismatch.replayed ^ 1));
}

#[test]
fn recording_twice_gives_the_same_bytes() {
    let text = "scene = 'arena'\ndt = 0.05\nsteps = 30\nlive = { step = 7 }
        [[groups]]
        at = { circle = { centre = [0.0, 0.0, 0.0], radius = 12.0, count = 17 } }
        to = { antipode = [0.0, 0.0, 0.0] }
        agent = { max_speed = 2.0, follower = { corner_cut = 0.5 } }
        [[groups]]
        at = { random = { seed = 1, from = [-5.0, 0.0, -5.0], to = [5.0, 0.0, 5.0], count = 9 } }
        to = { random = { seed = 2, from = [-9.0, 0.0, -9.0], to = [9.0, 0.0, 9.0] } }";
    assert_eq!(record(text).unwrap(), record(text).unwrap());
}

#[test]
fn what_does_not_fit_is_named() {
    for (text, message) in [
        (
            "events = [{ step = 1 }]",
            "event 0 must have exactly one of add, destination, remove, stop and teleport; it has 0",
        ),
        (
            "events = [{ step = 1, stop = 1, remove = 1 }]",
            "event 0 must have exactly one of add, destination, remove, stop and teleport; it has 2",
        ),
        ("events = [{ step = 7, stop = 'all' }]", "event 0 is at step 7, but the steps are 0 to 6"),
        ("events = [{ step = -1, stop = 'all' }]", "event 0 is at step -1, but the steps are 0 to 6"),
        ("events = [{ step = 3, stop = 9 }]", "step 3: no agent has the id 9"),
        ("corrupt_hash = [6]", "corrupt_hash is at step 6, but the steps are 0 to 6"),
        ("live = { step = 2, after = 1 }", "live attaches after 1 operations of step 2, which has 0"),
        ("live = { step = 7 }", "live is at step 7, but the steps are 0 to 6"),
        (
            "crowd = { max_agents = 0 }",
            "crowd.max_agents: found 0, expected 1 to 1000000 (restore: option-out-of-range)",
        ),
        (
            "crowd = { max_agent = 1 }",
            "unknown field `max_agent`, expected one of `max_agents`, `query_nodes`, `query_node_model`, `max_walls_per_agent`, `wall_refresh_distance`, `max_walls_avoided`",
        ),
        (
            "groups = [{ at = { grid = { from = [0.0, 0.0, 0.0], columns = 0, count = 1, spacing = [1.0, 1.0] } } }]",
            "a grid has no columns",
        ),
        (
            "groups = [{ at = { same = { point = [0.0, 0.0, 0.0], count = 100001 } } }]",
            "a group has 100001 agents; at most 100000",
        ),
        ("groups = [{ at = { list = [[1.0, 0.0, 1.0]] }, to = { list = [] } }]", "a list of destinations is empty"),
        ("events = [{ step = 1, stop = '3-4' }]", "\"3-4\" is neither \"all\" nor a range such as \"3..=9\""),
    ] {
        assert_eq!(record(&format!("{ROOM}{text}")).unwrap_err(), message, "{text}");
    }
    let unknown = record("scene = 'harbour'\ndt = 1.0\nsteps = 1").unwrap_err();
    assert!(unknown.starts_with("there is no scene \"harbour\"; there are arena, bridge, "), "{unknown}");
    let dt = record("scene = 'room'\ndt = 0.0\nsteps = 1").unwrap_err();
    assert_eq!(dt, "step 0: dt is 0.0; it must be above 0 and at most 3600 seconds");
}

/// A scenario on a build input happens on the mesh that comes of it.
#[test]
fn a_build_input_is_built() {
    let text = "build = \"floor\"\ndt = 0.25\nsteps = 2\n";
    let scenario: Scenario = toml::from_str(text).unwrap();
    let level = crate::build_inputs::levels().into_iter().find(|level| level.name == "box-room").unwrap();
    let input = level.input.write().unwrap();
    let recorded = scenario.record_with(|name| if name == "floor" { Ok(input) } else { Err("no".into()) }).unwrap();
    let mesh = crowd_engine::build::build_mesh(&level.input, &mut ()).unwrap();
    assert_eq!(replay_format::Replay::read(&recorded.replay).unwrap().setup.mesh, mesh.to_bytes());

    let message = scenario.record().unwrap_err().to_string();
    assert_eq!(message, "build input floor: there is no corpus to take it from");
    let message = scenario.record_with(|_| Ok(Vec::new())).unwrap_err().to_string();
    assert!(message.starts_with("build input floor: magic: "), "{message}");
    for text in ["dt = 0.25\nsteps = 2\n".to_owned(), format!("{text}scene = \"room\"\n")] {
        let scenario: Scenario = toml::from_str(&text).unwrap();
        assert_eq!(
            scenario.record().unwrap_err().to_string(),
            "a scenario has either `scene` or `build`, and not both"
        );
    }
}
