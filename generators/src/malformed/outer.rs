//! Faults of operations, live records and build geometry: positions, kinds, flags, indices.

use replay_format::Code::{
    FlagInvalid, IndexOutOfRange, OperationKindUnknown, PositionNotFinite, PositionOutOfRange, RecordKindUnknown,
};
use replay_format::Stage::{Read, Restore};
use replay_format::{Code, Stage};

use super::bases::{self, NAN, Parts, live_of, step_record};
use super::case::FileKind::{Build, Live, Mesh, Replay, Setup};
use super::case::{FileKind, MalformedCase, case};
use super::headers::name_of;
use super::layout::Layout;

/// The bits of coordinates that are refused, and why. Bits, since not every processor carries every NaN unchanged.
const BAD_COORDINATES: [(&str, u64, Code, &str); 6] = [
    ("nan", NAN, PositionNotFinite, "a NaN"),
    ("infinite", f64::INFINITY.to_bits(), PositionNotFinite, "infinite"),
    ("minus-infinite", f64::NEG_INFINITY.to_bits(), PositionNotFinite, "minus infinity"),
    ("too-far", 2_097_152_f64.to_bits(), PositionOutOfRange, "2^21"),
    ("too-far-negative", (-2_097_152_f64).to_bits(), PositionOutOfRange, "-2^21"),
    ("largest", f64::MAX.to_bits(), PositionOutOfRange, "the largest double"),
];

/// Coordinates of every point that a file can hold.
pub(super) fn positions() -> Vec<MalformedCase> {
    let (replay, live, build) = (bases::replay(), bases::live(), bases::build());
    let (setup, mesh) = (Parts::default().setup(), bases::mesh());
    // Every point gets two faults, on different axes, so that all faults and axes come with all points in turn.
    let points: [(FileKind, &Layout, &str, &str, Stage); 13] = [
        (Replay, &replay, "steps[0].operations[0].position", "GEN-8 OP-2", Read),
        (Replay, &replay, "steps[0].operations[1].destination", "GEN-8 OP-4", Read),
        (Replay, &replay, "steps[2].operations[1].position", "GEN-8 OP-6", Read),
        (Live, &live, "records[0].operation.position", "GEN-8 OP-2 LIVE-2", Read),
        (Live, &live, "records[1].operation.destination", "GEN-8 OP-4 LIVE-2", Read),
        (Live, &live, "records[4].operation.position", "GEN-8 OP-6 LIVE-2", Read),
        (Build, &build, "vertices[0]", "GEN-8 OPBI-5", Read),
        (Build, &build, "vertices[4]", "GEN-8 OPBI-5", Read),
        (Mesh, &mesh, "vertices[6]", "GEN-8 MESH-5", Restore),
        (Setup, &setup, "mesh.vertices[0]", "GEN-8 MESH-5", Restore),
        (Setup, &setup, "state.agents[0].position", "GEN-8 STATE-9", Restore),
        (Setup, &setup, "state.agents[0].destination", "GEN-8 STATE-12", Restore),
        (Setup, &setup, "state.agents[0].target", "GEN-8 STATE-12", Restore),
    ];
    let mut cases = Vec::new();
    for (index, (file, base, point, clauses, stage)) in points.into_iter().enumerate() {
        for (axis, fault) in [(index % 3, index % 6), ((index + 1) % 3, (index + 3) % 6)] {
            let field = format!("{point}.{}", ["x", "y", "z"][axis]);
            cases.push(coordinate(file, base, &field, clauses, stage, fault));
        }
    }
    for (index, field) in ["velocity.x", "velocity.z", "walls.anchor.x", "walls.anchor.z"].into_iter().enumerate() {
        let clauses = if index < 2 { "GEN-8 STATE-11" } else { "GEN-8 STATE-15" };
        let field = format!("state.agents[0].{field}");
        cases.push(coordinate(Setup, &setup, &field, clauses, Restore, index));
        cases.push(coordinate(Setup, &setup, &field, clauses, Restore, (index + 3) % 6));
    }
    cases.push(coordinate(Replay, &replay, "setup.state.agents[1].position.y", "GEN-8 STATE-9", Restore, 5));
    cases
}

fn coordinate(file: FileKind, base: &Layout, field: &str, clauses: &str, stage: Stage, fault: usize) -> MalformedCase {
    let (word, value, code, words) = BAD_COORDINATES[fault];
    let name = format!("{}-{word}", name_of(field));
    case((file, &name), &format!("{field} is {words}"), clauses, &base.clone().set(field, value), (stage, code, field))
}

/// Kinds of operations and records.
pub(super) fn kinds() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let mut push = |file, base: Layout, field: &str, value: u8, clauses: &str, code| {
        let name = format!("{}-{value}", name_of(field));
        let layout = base.set(field, value);
        cases.push(case((file, &name), &format!("{field} is {value}"), clauses, &layout, (Read, code, field)));
    };
    for value in [0, 6, 255] {
        push(Replay, bases::replay(), "steps[0].operations[0].kind", value, "OP-1", OperationKindUnknown);
    }
    push(Replay, bases::replay(), "steps[2].operations[3].kind", 6, "OP-1", OperationKindUnknown);
    push(Live, bases::live(), "records[2].operation.kind", 0, "OP-1 LIVE-2", OperationKindUnknown);
    push(Live, bases::live(), "records[5].operation.kind", 6, "OP-1 LIVE-2", OperationKindUnknown);
    for value in [0, 3, 255] {
        push(Live, bases::live(), "records[0].kind", value, "LIVE-1", RecordKindUnknown);
    }
    push(Live, bases::live(), "records[4].kind", 3, "LIVE-1", RecordKindUnknown);
    let records = [step_record(1), Layout::new().put("kind", 0_u8)];
    let title = "a zero byte stands after the last record: it is a record of no kind";
    let fault = (Read, RecordKindUnknown, "records[1].kind");
    cases.push(case(
        (Live, "zero-byte-after-the-records"),
        title,
        "LIVE-1 OPLR-2",
        &live_of(&bases::setup(), &records),
        fault,
    ));
    cases
}

/// The flag byte of agent settings, which tells stage read where an Add ends.
pub(super) fn flags() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    for (file, base, settings, value, clauses) in [
        (Replay, bases::replay(), "steps[0].operations[0].settings", 2_u8, "OP-3"),
        (Replay, bases::replay(), "steps[2].operations[0].settings", 255, "OP-3"),
        (Live, bases::live(), "records[0].operation.settings", 2, "OP-3 LIVE-2"),
    ] {
        let field = format!("{settings}.has_follower");
        let name = format!("{}-optional-flag-{value}", name_of(settings));
        let title = format!("the flag of the optional settings is {value}");
        let layout = base.set(&field, value);
        let fault = (Read, FlagInvalid, field.as_str());
        cases.push(case((file, &name), &title, clauses, &layout, fault).in_field(&format!("{settings}.optional_flag")));
    }
    cases
}

/// Corners of triangles.
pub(super) fn triangles() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    for (field, value, title) in [
        ("triangles[0][0]", 5_i32, "the index is 5, and there are 5 vertices"),
        ("triangles[1][1]", -1, "the index is -1"),
        ("triangles[3][2]", i32::MAX, "the index is 2^31 - 1"),
        ("triangles[3][1]", i32::MIN, "the index is -2^31"),
    ] {
        let name =
            format!("{}-{}", name_of(&field.replace("][", "-")), if value < 0 { "negative" } else { "too-large" });
        let layout = bases::build().set(field, value);
        cases.push(case((Build, &name), title, "GEN-11 OPBI-6", &layout, (Read, IndexOutOfRange, field)));
    }
    let layout = bases::build().set("vertex_count", 0_i32).cut("vertices[0].x", 0).put("triangles", [0_u8; 48]);
    let title = "there are triangles and no vertices";
    let fault = (Read, IndexOutOfRange, "triangles");
    cases.push(
        case((Build, "triangles-without-vertices"), title, "GEN-11 OPBI-6", &layout, fault).in_field("triangles[0][0]"),
    );
    cases
}
