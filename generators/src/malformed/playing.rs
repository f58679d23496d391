//! Faults that only show when a replay or live capture is played, and files that are wrong in two ways.
//!
//! What is refused in stage play stands in the first step, so that no hash comes before it; where it stands later, the hash
//! before it is right.

use replay_format::Code::{self, IdsExhausted, StepsExhausted, UnknownAgent};
use replay_format::Stage::{Play, Read, Restore};
use replay_format::xxh64;

use super::bases::{
    self, NAN, Parts, add, agent_options, live_of, operation_record, remove, replay_of, set_destination, step,
    step_record, stop, teleport,
};
use super::case::FileKind::{Build, Live, Mesh, Replay, Setup};
use super::case::{MalformedCase, case};
use super::layout::Layout;

/// A hash that nobody gets to.
const UNSEEN: u64 = 0x6666_6666_6666_6666;

/// Operations that the crowd refuses, and counters at their ends.
pub(super) fn plays() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let setup = bases::setup();
    let mut push = |name: &str, title: &str, operations: &[Layout], at: usize| {
        let layout = replay_of(&setup, &[step(operations, UNSEEN)]);
        let field = format!("steps[0].operations[{at}].agent");
        cases.push(case((Replay, name), title, "CROWD-8", &layout, (Play, UnknownAgent, field.as_str())));
    };
    push("remove-of-an-unknown-agent", "agent 2 is removed, there are 1 and 3", &[remove(2)], 0);
    push("destination-of-an-unknown-agent", "agent 4 gets a destination, there are 1 and 3", &[set_destination(4)], 0);
    push("stop-of-an-unknown-agent", "agent 0 is stopped, there are 1 and 3", &[stop(3), stop(0)], 1);
    push("teleport-of-an-unknown-agent", "agent 2^63 - 1 is teleported", &[stop(1), stop(3), teleport(i64::MAX)], 2);
    push("stop-of-a-negative-agent", "agent -1 is stopped", &[stop(-1)], 0);
    push("removed-twice", "agent 3 is removed twice in a step", &[remove(3), remove(3)], 1);
    push("teleport-after-removal", "agent 1 is teleported after it was removed", &[remove(1), teleport(1)], 1);
    push(
        "next-id-before-it-is-given",
        "agent 5 is stopped before it is added",
        &[stop(5), add(&agent_options(false))],
        0,
    );
    let added = [add(&agent_options(false)), stop(5), stop(6)];
    push("id-after-the-one-that-was-added", "agent 6 is stopped, the one just added is 5", &added, 2);
    cases.push(after_a_failed_add());
    cases.push(unknown_in_a_later_step());
    cases.push(unknown_in_a_live_capture());
    cases.extend(ids_exhausted());
    cases.extend(steps_exhausted());
    cases.extend(exhausted_in_a_live_capture());
    cases
}

/// A failed add takes no id.
fn after_a_failed_add() -> MalformedCase {
    let options = bases::options().set("max_agents", 2_i32);
    let setup = Parts { options, ..Parts::default() }.setup();
    let layout = replay_of(&setup, &[step(&[add(&agent_options(false)), stop(5)], UNSEEN)]);
    let title = "the crowd is full, the add fails and takes no id, so agent 5 is unknown";
    let fault = (Play, UnknownAgent, "steps[0].operations[1].agent");
    case((Replay, "id-of-a-failed-add"), title, "CROWD-3 CROWD-8", &layout, fault)
}

/// The hash of an empty crowd is that of its header alone, so that a step before the fault can have the right one.
fn unknown_in_a_later_step() -> MalformedCase {
    let parts = Parts { agents: Vec::new(), ..Parts::default() };
    let hash = xxh64(parts.state_header(parts.start_step + 1).bytes());
    let layout = replay_of(&parts.setup(), &[step(&[], hash), step(&[stop(1)], UNSEEN)]);
    let fault = (Play, UnknownAgent, "steps[1].operations[0].agent");
    case((Replay, "steps-1-unknown-agent"), "agent 1 is stopped, and there is none", "CROWD-8 STATE-18", &layout, fault)
}

fn unknown_in_a_live_capture() -> MalformedCase {
    let parts = Parts { agents: Vec::new(), ..Parts::default() };
    let hash = xxh64(parts.state_header(parts.start_step + 1).bytes());
    let records = [
        step_record(hash),
        operation_record(&add(&agent_options(true))),
        operation_record(&remove(4)),
        step_record(UNSEEN),
    ];
    let layout = live_of(&parts.setup(), &records);
    let fault = (Play, UnknownAgent, "records[2].operation.agent");
    case((Live, "records-2-unknown-agent"), "agent 4 is removed, there is only 5", "CROWD-8", &layout, fault)
}

fn ids_exhausted() -> Vec<MalformedCase> {
    let parts = Parts { next_id: i64::MAX, ..Parts::default() };
    let layout = replay_of(&parts.setup(), &[step(&[stop(1), add(&agent_options(true))], UNSEEN)]);
    let fault = (Play, IdsExhausted, "steps[0].operations[1]");
    let full = Parts { options: bases::options().set("max_agents", 2_i32), ..parts };
    let full = replay_of(&full.setup(), &[step(&[add(&agent_options(false))], UNSEEN)]);
    let last = Parts { next_id: i64::MAX - 1, ..Parts::default() };
    let last = replay_of(&last.setup(), &[step(&[add(&agent_options(false)), add(&agent_options(false))], UNSEEN)]);
    vec![
        case((Replay, "ids-exhausted"), "an Add where the next id is 2^63 - 1", "CROWD-3 CROWD-8", &layout, fault),
        case(
            (Replay, "ids-exhausted-after-the-last"),
            "an Add after the one that got the last id, 2^63 - 2",
            "CROWD-3 CROWD-8 STATE-6",
            &last,
            (Play, IdsExhausted, "steps[0].operations[1]"),
        ),
        case(
            (Replay, "ids-exhausted-and-crowd-full"),
            "the next id is 2^63 - 1 and the crowd is full: the ids are looked at first",
            "CROWD-3 CROWD-8",
            &full,
            (Play, IdsExhausted, "steps[0].operations[0]"),
        ),
    ]
}

fn steps_exhausted() -> Vec<MalformedCase> {
    let parts = Parts { start_step: i64::MAX, ..Parts::default() };
    let layout = replay_of(&parts.setup(), &[step(&[stop(1)], UNSEEN)]);
    let last = Parts { start_step: i64::MAX - 1, agents: Vec::new(), ..Parts::default() };
    let hash = xxh64(last.state_header(i64::MAX).bytes());
    let last = replay_of(&last.setup(), &[step(&[], hash), step(&[], UNSEEN)]);
    let title = "a step where the step count is 2^63 - 1";
    vec![
        case((Replay, "steps-exhausted"), title, "STEP-0 ERR-6", &layout, (Play, StepsExhausted, "steps[0]")).nowhere(),
        case(
            (Replay, "steps-exhausted-after-the-last"),
            "a step after the one that made the step count 2^63 - 1",
            "STEP-0 ERR-6",
            &last,
            (Play, StepsExhausted, "steps[1]"),
        )
        .nowhere(),
    ]
}

/// In a live capture an operation's error stands at its record, and so does a step's.
fn exhausted_in_a_live_capture() -> Vec<MalformedCase> {
    let ids = Parts { next_id: i64::MAX, ..Parts::default() };
    let records = [operation_record(&stop(1)), operation_record(&add(&agent_options(true))), step_record(UNSEEN)];
    let ids = live_of(&ids.setup(), &records);
    let last = Parts { start_step: i64::MAX - 1, agents: Vec::new(), ..Parts::default() };
    let hash = xxh64(last.state_header(i64::MAX).bytes());
    let last = live_of(&last.setup(), &[step_record(hash), step_record(UNSEEN)]);
    vec![
        case(
            (Live, "records-1-ids-exhausted"),
            "an Add where the next id is 2^63 - 1",
            "CROWD-3 CROWD-8",
            &ids,
            (Play, IdsExhausted, "records[1].operation"),
        ),
        case(
            (Live, "records-1-steps-exhausted"),
            "a step after the one that made the step count 2^63 - 1",
            "STEP-0 ERR-6",
            &last,
            (Play, StepsExhausted, "records[1]"),
        )
        .nowhere(),
    ]
}

/// Files that are wrong in two ways: which one is the error pins the order of checks.
pub(super) fn orders() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let mut push = |file, name: &str, title: &str, layout: Layout, fault: (_, Code, &str)| {
        cases.push(case((file, name), title, "ERR-2", &layout, fault));
    };
    push(
        Setup,
        "order-version-before-kind",
        "two faults: version 2 and kind 0; the version comes first in the file",
        bases::setup().set("version", 2_u8).set("kind", 0_u8),
        (Read, Code::VersionUnsupported, "version"),
    );
    push(
        Setup,
        "order-dt-before-start-step",
        "two faults: dt and the start step; dt comes first in the file",
        bases::setup().set("dt", NAN).set("start_step", -1_i64),
        (Read, Code::DtOutOfRange, "dt"),
    );
    push(
        Setup,
        "order-mesh-length-before-state-length",
        "two faults: both lengths are negative; the mesh's comes first in the file",
        bases::setup().set("mesh_length", -1_i32).set("state_length", -1_i32),
        (Read, Code::LengthNegative, "mesh_length"),
    );
    push(
        Replay,
        "order-operation-before-hash",
        "two faults: an unknown operation, and the hash after it is cut; operations are checked before the hash is read",
        replay_of(&bases::setup(), &bases::steps()[..1])
            .set("steps[0].operations[1].kind", 9_u8)
            .cut("steps[0].hash", 1),
        (Read, Code::OperationKindUnknown, "steps[0].operations[1].kind"),
    );
    push(
        Build,
        "order-counts-before-vertices",
        "two faults: a vertex that is not finite and a negative triangle count; both counts come before the vertices",
        bases::build().set("triangle_count", -1_i32).set("vertices[0].x", NAN),
        (Read, Code::CountNegative, "triangle_count"),
    );
    push(
        Mesh,
        "order-polygons-before-links",
        "two faults: a link that is not matched and, after it, an area of 64; links are compared when all polygons are read",
        bases::mesh().set("polygons[0].links[0]", 2_i32).set("polygons[2].area", 64_u8),
        (Restore, Code::ValueOutOfRange, "polygons[2].area"),
    );
    push(
        Mesh,
        "order-links-before-surplus",
        "two faults: a link that is not matched and surplus bytes; links are compared first",
        bases::mesh().set("polygons[2].links[0]", 1_i32).put("surplus", 0_u8),
        (Restore, Code::LinkMismatch, "polygons[2].links[0]"),
    );
    push(
        Mesh,
        "order-index-before-repetition",
        "two faults: corners beyond the vertices, twice the same; the first index is refused before the repetition is seen",
        bases::mesh().set("polygons[0].vertices[1]", 9_i32).set("polygons[0].vertices[2]", 9_i32),
        (Restore, Code::IndexOutOfRange, "polygons[0].vertices[1]"),
    );
    push(
        Setup,
        "order-start-step-before-next-id",
        "two faults: the step count is not the start step and the next id is 0; the step count comes first",
        bases::setup().set("state.step_count", 8_i64).set("state.next_id", 0_i64),
        (Restore, Code::StartStepMismatch, "state.step_count"),
    );
    push(
        Setup,
        "order-corridor-range-before-link",
        "two faults: a polygon of the corridor that is neither in the mesh nor linked; its range is checked first",
        bases::setup().set("state.agents[0].corridor[2]", 77_i32),
        (Restore, Code::IndexOutOfRange, "state.agents[0].corridor[2]"),
    );
    cases.extend(stages());
    cases.push(options_before_mesh());
    cases
}

/// An earlier stage is done with the whole file before the next one begins.
fn stages() -> Vec<MalformedCase> {
    let broken_state = bases::setup().set("state.agents[0].task", 7_u8);
    let bad_settings = step(&[add(&agent_options(false).set("radius", -1.0))], UNSEEN);
    let unknown = step(&[stop(2)], UNSEEN);
    let far = step(&[set_destination(2)], UNSEEN);
    let clauses = "ERR-1";
    vec![
        case(
            (Setup, "stage-read-before-restore"),
            "two faults: a broken mesh, and after it a state length that is too large, which stage read refuses",
            clauses,
            &bases::setup().set("mesh.version", 9_u8).set("state_length", i32::MAX),
            (Read, Code::LengthExceedsInput, "state_length"),
        ),
        case(
            (Replay, "stage-read-before-restore"),
            "two faults: a broken state, and a surplus byte at the very end, which stage read refuses",
            clauses,
            &replay_of(&broken_state, &bases::steps()).put("surplus", 0_u8),
            (Read, Code::TrailingBytes, "surplus"),
        )
        .in_field(""),
        case(
            (Replay, "stage-restore-before-play"),
            "two faults: an unknown agent in the first step, and a broken state",
            clauses,
            &replay_of(&broken_state, std::slice::from_ref(&unknown)),
            (Restore, Code::ValueOutOfRange, "setup.state.agents[0].task"),
        ),
        case(
            (Replay, "stage-read-before-play"),
            "two faults: agent options out of range in the first step, and a position in the second that is not finite",
            clauses,
            &replay_of(&bases::setup(), &[bad_settings.clone(), step(&[teleport(1)], UNSEEN)])
                .set("steps[1].operations[0].position.x", NAN),
            (Read, Code::PositionNotFinite, "steps[1].operations[0].position.x"),
        ),
        case(
            (Replay, "stage-read-position-before-unknown-agent"),
            "two faults in one operation: an unknown agent, and a destination too far away, which stage read refuses",
            clauses,
            &replay_of(&bases::setup(), &[far]).set("steps[0].operations[0].destination.z", -2_097_152.0),
            (Read, Code::PositionOutOfRange, "steps[0].operations[0].destination.z"),
        ),
        case(
            (Live, "stage-read-before-play"),
            "two faults: an unknown agent in the first record, and a last record of no kind",
            clauses,
            &live_of(&bases::setup(), &[operation_record(&stop(2)), step_record(UNSEEN).set("kind", 7_u8)]),
            (Read, Code::RecordKindUnknown, "records[1].kind"),
        ),
        case(
            (Replay, "order-play-first-operation"),
            "two faults in stage play: an unknown agent, then agent options out of range; the first operation's is the error",
            "ERR-2 CROWD-8",
            &replay_of(&bases::setup(), &[step(&[stop(2), add(&agent_options(false).set("height", 2000.0))], UNSEEN)]),
            (Play, UnknownAgent, "steps[0].operations[0].agent"),
        ),
        case(
            (Replay, "order-play-options-before-full"),
            "an Add to a full crowd would fail and be no error, but its options are looked at first",
            "CROWD-3 CROWD-8 OP-7",
            &replay_of(&full_crowd(), &[bad_settings]),
            (Play, Code::ValueOutOfRange, "steps[0].operations[0].settings.radius"),
        ),
    ]
}

fn full_crowd() -> Layout {
    Parts { options: bases::options().set("max_agents", 2_i32), ..Parts::default() }.setup()
}

/// Crowd options come before the mesh, and the mesh before the state.
fn options_before_mesh() -> MalformedCase {
    let options = bases::options().set("max_walls_avoided", -1_i32);
    let mesh = bases::mesh().set("version", 2_u8);
    let layout = Parts { options, mesh, ..Parts::default() }.setup().set("state.spec_version", 0_u32);
    let title = "three faults in stage restore: the last crowd option, the mesh, the state; options come first";
    let fault = (Restore, Code::OptionOutOfRange, "options.max_walls_avoided");
    case((Setup, "order-options-mesh-state"), title, "OPRS-8 CO-7 ERR-2", &layout, fault).nowhere()
}
