//! Faults of lengths, counts, the time step and the start step.

use replay_format::Code;
use replay_format::Code::{
    CountExceedsInput, CountNegative, CountOverLimit, DtOutOfRange, LengthExceedsInput, LengthNegative,
    LengthOverLimit, StartStepNegative, ValueOutOfRange,
};
use replay_format::Stage::{self, Read, Restore};

use super::bases::{self, NAN, Parts, replay_of};
use super::case::FileKind::{Build, Live, Mesh, Replay, Setup};
use super::case::{FileKind, MalformedCase, case};
use super::headers::name_of;
use super::layout::Layout;

/// The time step and the start step.
pub(super) fn setup_numbers() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    for (name, bits, title) in [
        ("dt-zero", 0, "the time step is 0"),
        ("dt-minus-zero", 1 << 63, "the time step is -0.0"),
        ("dt-negative", (-1_f64).to_bits(), "the time step is -1"),
        ("dt-negative-smallest", 1 << 63 | 1, "the time step is the negative number next to 0"),
        ("dt-nan", NAN, "the time step is a NaN"),
        ("dt-nan-payload", 0xfff0_0000_0000_0001, "the time step is a signalling NaN with its sign set"),
        ("dt-infinite", f64::INFINITY.to_bits(), "the time step is infinite"),
        ("dt-above-max", 3600_f64.to_bits() + 1, "the time step is the number after 3600"),
    ] {
        let layout = bases::setup().set("dt", bits);
        cases.push(case((Setup, name), title, "OPRS-2", &layout, (Read, DtOutOfRange, "dt")));
    }
    let layout = bases::replay().set("setup.dt", -0.03125);
    cases.push(case(
        (Replay, "setup-dt-negative"),
        "the time step is below 0",
        "OPRS-2",
        &layout,
        (Read, DtOutOfRange, "setup.dt"),
    ));
    let layout = bases::live().set("setup.dt", f64::NEG_INFINITY);
    let title = "the time step is minus infinity";
    cases.push(case((Live, "setup-dt-minus-infinite"), title, "OPRS-2", &layout, (Read, DtOutOfRange, "setup.dt")));
    for (name, value, title) in [
        ("start-step-negative", -1_i64, "the start step is -1"),
        ("start-step-lowest", i64::MIN, "the start step is -2^63"),
    ] {
        let layout = bases::setup().set("start_step", value);
        cases.push(case((Setup, name), title, "OPRS-3", &layout, (Read, StartStepNegative, "start_step")));
    }
    let layout = bases::replay().set("setup.start_step", -1_i64);
    let fault = (Read, StartStepNegative, "setup.start_step");
    cases.push(case((Replay, "setup-start-step-negative"), "the start step is -1", "OPRS-3", &layout, fault));
    cases
}

/// Lengths of blocks.
pub(super) fn lengths() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let length_of = |base: &Layout, block: &str| i64::try_from(base.len_of(block)).unwrap_or(i64::MAX);
    // File, base, field, clauses, and the block up to whose end bytes are left after the field.
    let places: [(FileKind, Layout, &str, &str, &str); 8] = [
        (Setup, bases::setup(), "mesh_length", "GEN-9 OPRS-6", ""),
        (Setup, bases::setup(), "state_length", "GEN-9 OPRS-7", ""),
        (Replay, bases::replay(), "setup_length", "GEN-9 OPRP-2", ""),
        (Replay, bases::replay(), "setup.mesh_length", "GEN-9 OPRS-6", "setup"),
        (Replay, bases::replay(), "setup.state_length", "GEN-9 OPRS-7", "setup"),
        (Replay, bases::replay(), "steps[0].operations_length", "GEN-9 OPRP-5", ""),
        (Replay, bases::replay(), "steps[2].operations_length", "GEN-9 OPRP-5", ""),
        (Live, bases::live(), "setup.state_length", "GEN-9 OPRS-7", ""),
    ];
    for (file, base, field, clauses, within) in places {
        let mut push = |name: &str, title: &str, value: i32, code| {
            let (name, title) = (format!("{}-{name}", name_of(field)), format!("{field} is {title}"));
            let layout = base.clone().set(field, value);
            cases.push(case((file, &name), &title, clauses, &layout, (Read, code, field)));
        };
        let end = if within.is_empty() { length_of(&base, "") } else { end_of(&base, within) };
        let left = end - i64::try_from(base.at(field)).unwrap_or(0) - 4;
        let more = i32::try_from(left + 1).unwrap_or(i32::MAX);
        push("negative", "-1", -1, LengthNegative);
        push("exceeds-input", "1 more than the bytes left", more, LengthExceedsInput);
        if field.ends_with("operations_length") {
            push("over-limit", "16 MiB and 1", 16_777_217, LengthOverLimit);
            push("huge", "2^31 - 1: the limit is checked before the bytes left", i32::MAX, LengthOverLimit);
            push("at-limit", "16 MiB, which is allowed, but not there", 16_777_216, LengthExceedsInput);
        } else {
            push("lowest", "-2^31", i32::MIN, LengthNegative);
            push("huge", "2^31 - 1", i32::MAX, LengthExceedsInput);
        }
    }
    cases.push(tiny_file_with_a_huge_length());
    cases
}

/// 60 bytes that claim two thousand million.
fn tiny_file_with_a_huge_length() -> MalformedCase {
    let layout = bases::setup().set("mesh_length", i32::MAX).cut("mesh", 7);
    let title = "a file of 60 bytes whose mesh has 2^31 - 1";
    let fault = (Read, LengthExceedsInput, "mesh_length");
    case((Setup, "mesh-length-huge-in-60-bytes"), title, "GEN-9 GEN-14 OPRS-6", &layout, fault)
}

fn end_of(layout: &Layout, field: &str) -> i64 {
    i64::try_from(layout.at(field) + layout.len_of(field)).unwrap_or(i64::MAX)
}

/// A count, where it stands, and what is wrong with it.
struct CountPlace {
    file: FileKind,
    base: Layout,
    field: &'static str,
    clauses: &'static str,
    stage: Stage,
    limit: i32,
    /// The least count that needs more bytes than are there; none where it is above the limit.
    unbacked: Option<i32>,
}

/// Counts of items.
pub(super) fn counts() -> Vec<MalformedCase> {
    let crowd = Parts::default();
    let setup = crowd.setup();
    let place = |file, base: &Layout, field, clauses, stage, limit, unbacked| CountPlace {
        file,
        base: base.clone(),
        field,
        clauses,
        stage,
        limit,
        unbacked,
    };
    let (mesh, build, replay) = (bases::mesh(), bases::build(), bases::replay());
    let state_bytes = setup.len_of("state");
    let places = [
        place(Replay, &replay, "step_count", "GEN-10 OPRP-4", Read, 67_108_864, fits(replay.after("step_count"), 12)),
        place(Mesh, &mesh, "vertex_count", "GEN-10 MESH-3", Restore, 8_000_000, fits(mesh.after("vertex_count"), 24)),
        place(
            Mesh,
            &mesh,
            "polygon_count",
            "GEN-10 MESH-4",
            Restore,
            4_000_000,
            fits(mesh.after("polygon_count") - 7 * 24, 26),
        ),
        place(Build, &build, "vertex_count", "GEN-10 OPBI-3", Read, 4_000_000, fits(build.after("vertex_count"), 24)),
        place(
            Build,
            &build,
            "triangle_count",
            "GEN-10 OPBI-4",
            Read,
            8_000_000,
            fits(build.after("triangle_count") - 5 * 24, 12),
        ),
        place(
            Setup,
            &setup,
            "mesh.vertex_count",
            "GEN-10 MESH-3",
            Restore,
            8_000_000,
            fits(mesh.after("vertex_count"), 24),
        ),
        place(Setup, &setup, "state.agent_count", "GEN-10 STATE-7", Restore, 10, fits(state_bytes - 40, 120)),
        place(
            Setup,
            &setup,
            "state.agents[0].corridor_count",
            "GEN-10 STATE-13",
            Restore,
            1_000_000,
            fits(setup.after("state.agents[0].corridor_count"), 4),
        ),
    ];
    let mut cases: Vec<MalformedCase> = places.iter().flat_map(count_faults).collect();
    cases.extend(counts_that_fit_by_bytes());
    cases.extend(tiny_files_with_huge_counts());
    cases.extend(counts_of_nothing());
    let layout = setup.set("state.agents[0].corridor_count", 0_i32);
    let fault = (Restore, ValueOutOfRange, "state.agents[0].corridor_count");
    cases.push(case((Setup, "state-corridor-empty"), "a corridor of no polygon", "STATE-13", &layout, fault));
    cases
}

/// The least count of items of `size` bytes that does not fit into `left` bytes.
fn fits(left: u64, size: u64) -> Option<i32> {
    i32::try_from(left / size + 1).ok()
}

fn count_faults(place: &CountPlace) -> Vec<MalformedCase> {
    let mut faults: Vec<(&str, String, i32, Code)> = vec![
        ("negative", "-1".into(), -1, CountNegative),
        ("over-limit", format!("{}, 1 more than the limit", place.limit + 1), place.limit + 1, CountOverLimit),
        ("huge", "2^31 - 1: the limit is checked before the bytes left".into(), i32::MAX, CountOverLimit),
    ];
    if let Some(count) = place.unbacked.filter(|&count| count <= place.limit) {
        let title = format!("{count}, 1 more than the bytes left can hold");
        faults.push(("exceeds-input", title, count, CountExceedsInput));
    }
    let title = format!("{}, which is allowed, but not there", place.limit);
    faults.push(("at-limit", title, place.limit, CountExceedsInput));
    let of = |(name, title, count, code): (&str, String, i32, Code)| {
        let (name, title) = (format!("{}-{name}", name_of(place.field)), format!("{} is {title}", place.field));
        let layout = place.base.clone().set(place.field, count);
        case((place.file, &name), &title, place.clauses, &layout, (place.stage, code, place.field))
    };
    faults.into_iter().map(of).collect()
}

/// Counts that the bytes left could just hold, if the items were the smallest: the error comes later.
fn counts_that_fit_by_bytes() -> Vec<MalformedCase> {
    let replay = bases::replay().put("steps[3].operations_length", Vec::new()).set("step_count", 4_i32);
    let fewer = bases::replay().set("step_count", 2_i32);
    let build = bases::build().set("vertex_count", 4_i32);
    vec![
        case(
            (Replay, "step-count-one-more"),
            "the count says 4 steps, there are 3",
            "ERR-3 OPRP-4 OPRP-5",
            &replay,
            (Read, Code::Truncated, "steps[3].operations_length"),
        ),
        case(
            (Replay, "step-count-one-less"),
            "the count says 2 steps, there are 3",
            "ERR-4 OPRP-4 OPRP-7",
            &fewer,
            (Read, Code::TrailingBytes, "steps[2].operations_length"),
        )
        .in_field(""),
        // What was vertex 4 is now read as two triangles; the first index of it is the low half of the double 0.0, and so
        // are the next two; the second triangle begins with those of y = 0.5.
        case(
            (Build, "vertex-count-one-less"),
            "the count says 4 vertices, there are 5: the last one is read as triangles",
            "OPBI-3 OPBI-6",
            &build,
            (Read, Code::IndexOutOfRange, "vertices[4].y"),
        )
        .further(4)
        .in_field("triangles[1][0]"),
    ]
}

/// Files of a few dozen bytes that claim as much as their fields can say.
fn tiny_files_with_huge_counts() -> Vec<MalformedCase> {
    let mesh = bases::mesh().set("vertex_count", 8_000_000_i32).cut("vertices[0].x", 0).put("filler", [0_u8; 36]);
    let build = bases::build().set("vertex_count", 0_i32).set("triangle_count", 8_000_000_i32).cut("vertices[0].x", 4);
    let empty = Parts { mesh: Layout::new(), ..Parts::default() };
    let setup = empty.setup_with(&Layout::new());
    let replay = replay_of(&setup, &[]).set("step_count", 67_108_864_i32);
    vec![
        case(
            (Mesh, "vertex-count-of-192-megabytes-in-60-bytes"),
            "a file of 60 bytes with 8,000,000 vertices",
            "GEN-10 GEN-14 MESH-3",
            &mesh,
            (Restore, CountExceedsInput, "vertex_count"),
        ),
        case(
            (Build, "triangle-count-of-96-megabytes-in-116-bytes"),
            "a file of 116 bytes with 8,000,000 triangles",
            "GEN-10 GEN-14 OPBI-4",
            &build,
            (Read, CountExceedsInput, "triangle_count"),
        ),
        case(
            (Replay, "step-count-of-805-megabytes-in-73-bytes"),
            "a file of 73 bytes with 2^26 steps, whose setup block is valid to stage read",
            "GEN-10 GEN-14 OPRP-4 OPRS-5",
            &replay,
            (Read, CountExceedsInput, "step_count"),
        ),
    ]
}

/// Found by fuzzing: a count of nothing does not fit where the vertices before it do not. A check over two fields belongs to
/// the later one.
fn counts_of_nothing() -> Vec<MalformedCase> {
    let mesh = bases::mesh().set("polygon_count", 0_i32).cut("vertices[6].z", 6);
    let build = bases::build().set("triangle_count", 0_i32).cut("vertices[4].z", 6);
    vec![
        case(
            (Mesh, "polygon-count-of-none-after-vertices-cut-short"),
            "no polygons, and two bytes less than the vertices take",
            "GEN-10 MESH-4",
            &mesh,
            (Restore, CountExceedsInput, "polygon_count"),
        ),
        case(
            (Build, "triangle-count-of-none-after-vertices-cut-short"),
            "no triangles, and two bytes less than the vertices take",
            "GEN-10 OPBI-4",
            &build,
            (Read, CountExceedsInput, "triangle_count"),
        ),
    ]
}

/// `MaxAgents` is far beyond its limit in a small file: nothing may be allocated for it.
pub(super) fn huge_crowd() -> MalformedCase {
    let options = bases::options().set("max_agents", i32::MAX);
    let parts = Parts { options, mesh: Layout::new(), agents: Vec::new(), ..Parts::default() };
    let title = "MaxAgents is 2^31 - 1 in a setup block of under 200 bytes";
    let fault = (Restore, Code::OptionOutOfRange, "options.max_agents");
    case((Setup, "options-max-agents-huge-in-a-tiny-file"), title, "CO-2 GEN-14", &parts.setup(), fault).nowhere()
}
