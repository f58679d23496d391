//! Faults of crowd options and agent options.

use replay_format::Code::{self, FlagInvalid, OptionOutOfRange, ValueNotFinite, ValueOutOfRange};
use replay_format::Stage::{self, Play, Restore};

use super::bases::{self, NAN, Parts, add, agent_options, live_of, operation_record, replay_of, step, stop};
use super::case::FileKind::{Live, Replay, Setup};
use super::case::{MalformedCase, case};
use super::headers::name_of;
use super::layout::Layout;
use super::numbers::huge_crowd;

/// The bits of the negative number next to 0.
const BELOW_ZERO: u64 = 1 << 63 | 1;

/// Every crowd option, below and above its range.
pub(super) fn crowd_options() -> Vec<MalformedCase> {
    let mut cases = vec![huge_crowd()];
    let mut push = |field: &str, word: &str, title: String, clauses: &str, options: Layout| {
        let (field, name) = (format!("options.{field}"), format!("options-{}-{word}", name_of(field)));
        let layout = Parts { options, ..Parts::default() }.setup();
        let fault = (Restore, OptionOutOfRange, field.as_str());
        cases.push(case((Setup, &name), &title, clauses, &layout, fault).nowhere());
    };
    for (field, clause, faults) in [
        (
            "max_agents",
            "CO-2",
            [("zero", 0), ("negative", -1), ("above-max", 1_000_001), ("huge", i32::MAX)].as_slice(),
        ),
        ("query_nodes", "CO-3", &[("zero", 0), ("lowest", i32::MIN), ("above-max", 1_000_001)]),
        ("max_walls_per_agent", "CO-5", &[("negative", -1), ("above-max", 65)]),
        ("max_walls_avoided", "CO-7", &[("negative", -1), ("above-max", 65)]),
    ] {
        for &(word, value) in faults {
            push(field, word, format!("{field} is {value}"), clause, bases::options().set(field, value));
        }
    }
    for value in [2_u8, 255] {
        let options = bases::options().set("query_node_model", value);
        push("query_node_model", &value.to_string(), format!("query_node_model is {value}"), "CO-4", options);
    }
    for (word, value) in [
        ("nan", NAN),
        ("infinite", f64::INFINITY.to_bits()),
        ("negative", BELOW_ZERO),
        ("above-max", 1024_f64.to_bits() + 1),
    ] {
        let field = "wall_refresh_distance";
        let title = format!("{field} is {:?}", f64::from_bits(value));
        push(field, word, title, "CO-6", bases::options().set(field, value));
    }
    let options = bases::options().set("query_node_model", 2_u8);
    let setup = Parts { options, ..Parts::default() }.setup();
    let (title, clauses) = ("query_node_model is 2", "CO-1 CO-4");
    let fault = (Restore, OptionOutOfRange, "setup.options.query_node_model");
    let name = "setup-options-query-node-model-2";
    cases.push(case((Replay, name), title, clauses, &replay_of(&setup, &bases::steps()), fault).nowhere());
    cases.push(case((Live, name), title, clauses, &live_of(&setup, &[]), fault).nowhere());
    cases
}

/// Every number of agent options and the range that SPEC.md gives it.
const RANGES: [(&str, f64, f64); 11] = [
    ("radius", 0.0, 1024.0),
    ("height", 0.0, 1024.0),
    ("max_speed", 0.0, 1024.0),
    ("max_acceleration", 0.0, 65_536.0),
    ("neighbour_distance", 0.0, 1024.0),
    ("agent_horizon", 0.015_625, 64.0),
    ("wall_horizon", 0.015_625, 64.0),
    ("wall_clearance", 0.0, 1024.0),
    ("follower.arrival_distance", 0.0, 1024.0),
    ("follower.slowing_distance", 0.0, 1024.0),
    ("follower.corner_cut", 0.0, 1.0),
];

/// Broken agent options: the field, a word and words for what is wrong, the options, the code, the clauses.
fn broken_agent_options() -> Vec<(&'static str, &'static str, String, Layout, Code, &'static str)> {
    let mut all = Vec::new();
    let not_finite = [NAN, f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()];
    for (index, (field, min, max)) in RANGES.into_iter().enumerate() {
        let options = agent_options(true);
        let below = if min == 0.0 { BELOW_ZERO } else { min.to_bits() - 1 };
        for (word, value) in [("below-min", below), ("above-max", max.to_bits() + 1)] {
            let title = format!("{field} is {:?}, the number next to its range", f64::from_bits(value));
            all.push((field, word, title, options.clone().set(field, value), ValueOutOfRange, "AO-1"));
        }
        let value = not_finite[index % 3];
        let title = format!("{field} is {:?}", f64::from_bits(value));
        all.push((field, "not-finite", title, options.set(field, value), ValueNotFinite, "AO-1"));
    }
    let crowded = agent_options(true).set("max_neighbours", 33_u8);
    all.push(("max_neighbours", "above-max", "max_neighbours is 33".into(), crowded, ValueOutOfRange, "AO-2"));
    all
}

/// Agent options in the state, which stage restore refuses.
pub(super) fn agent_options_of_states() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    for (field, word, title, options, code, clauses) in broken_agent_options() {
        let setup = setup_with_options(&options);
        let path = format!("state.agents[1].options.{field}");
        let name = format!("state-agents-1-options-{}-{word}", name_of(field));
        let clauses = format!("{clauses} STATE-9");
        cases.push(case((Setup, &name), &title, &clauses, &setup, (Restore, code, path.as_str())));
    }
    let setup = setup_with_options(&agent_options(true).set("has_follower", 2_u8));
    let fault = (Restore, FlagInvalid, "state.agents[1].options.has_follower");
    let title = "has_follower is 2";
    cases.push(case((Setup, "state-agents-1-options-has-follower-2"), title, "GEN-12 AO-3 STATE-9", &setup, fault));
    let setup = setup_with_options(&agent_options(true).set("follower.corner_cut", 1.5));
    let field = "setup.state.agents[1].options.follower.corner_cut";
    let fault = (Restore, ValueOutOfRange, field);
    let layout = live_of(&setup, &[]);
    cases.push(case((Live, &name_of(field)), "corner_cut is 1.5", "AO-1 STATE-9", &layout, fault));
    cases
}

/// A setup block whose second agent, which stands around, has these options.
fn setup_with_options(options: &Layout) -> Layout {
    let agent = Layout::new()
        .put("id", 3_i64)
        .embed("options", options)
        .put_point("position", [6.0, 0.25, 2.0])
        .put("polygon", 1_i32)
        .put("velocity.x", 0.0)
        .put("velocity.z", 0.0)
        .put("task", 0_u8)
        .put("walls.searched", 0_u8);
    Parts { agents: vec![bases::walking_agent(), agent], ..Parts::default() }.setup()
}

/// Agent options of an Add, which stage play refuses: the first step, so that no hash comes before.
pub(super) fn agent_options_of_operations() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    for (field, word, title, options, code, clauses) in broken_agent_options() {
        let steps = [step(&[stop(3), add(&options)], 0x6666_6666_6666_6666)];
        let path = format!("steps[0].operations[1].settings.{field}");
        let name = format!("steps-0-operations-1-settings-{}-{word}", name_of(field));
        let layout = replay_of(&bases::setup(), &steps);
        cases.push(case((Replay, &name), &title, &format!("{clauses} OP-7"), &layout, (Play, code, path.as_str())));
    }
    cases.push(settings_of_a_record());
    cases
}

fn settings_of_a_record() -> MalformedCase {
    let options = agent_options(false).set("height", -1.0);
    let records = [operation_record(&stop(3)), operation_record(&add(&options)), bases::step_record(0x7777)];
    let layout = live_of(&bases::setup(), &records);
    let fault: (Stage, Code, &str) = (Play, ValueOutOfRange, "records[1].operation.settings.height");
    case((Live, "records-1-operation-settings-height-negative"), "height is -1", "AO-1 OP-7", &layout, fault)
}
