//! Faults of headers, bytes that end too early, and bytes that are left over.

use replay_format::Code::{
    CountExceedsInput, KindUnsupported, MagicMismatch, ReservedNonzero, Truncated, VersionUnsupported,
};
use replay_format::Stage::{self, Read, Restore};

use super::bases::{self, Parts, live_of, operation_record, replay_of};
use super::case::FileKind::{Build, Live, Mesh, Replay, Setup};
use super::case::{FileKind, MalformedCase, case, surplus};
use super::layout::Layout;

/// Magic, version, kind and reserved bytes of every layout, also of those in others.
pub(super) fn headers() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    // File, its base, the path of the header, the clause, the stage, whether there is a kind byte, the magic.
    let places: [(FileKind, Layout, &str, &str, Stage, bool, &str); 8] = [
        (Setup, bases::setup(), "", "OPRS-1", Read, true, "OPRS"),
        (Setup, bases::setup(), "mesh.", "MESH-1", Restore, false, "OPNM"),
        (Replay, bases::replay(), "", "OPRP-1", Read, true, "OPRP"),
        (Replay, bases::replay(), "setup.", "OPRS-1", Read, true, "OPRS"),
        (Replay, bases::replay(), "setup.mesh.", "MESH-1", Restore, false, "OPNM"),
        (Live, bases::live(), "setup.", "OPRS-1", Read, true, "OPRS"),
        (Mesh, bases::mesh(), "", "MESH-1", Restore, false, "OPNM"),
        (Build, bases::build(), "", "OPBI-1", Read, false, "OPBI"),
    ];
    for (file, base, path, clause, stage, has_kind, magic) in places {
        let prefix = path.replace('.', "-");
        let field = |name: &str| format!("{path}{name}");
        let mut push = |name: &str, title: &str, rule: &str, layout: &Layout, code, at: &str| {
            let name = format!("{prefix}{name}");
            cases.push(case((file, &name), title, &format!("{clause} {rule}"), layout, (stage, code, &field(at))));
        };
        let lower = base.clone().set(&field("magic"), *b"op\xffS");
        push("magic-other", &format!("the magic is not {magic}"), "ERR-8", &lower, MagicMismatch, "magic");
        for version in [0_u8, 2] {
            let other = base.clone().set(&field("version"), version);
            let title = format!("the version is {version}");
            push(&format!("version-{version}"), &title, "ERR-8", &other, VersionUnsupported, "version");
        }
        if has_kind {
            let other = base.clone().set(&field("kind"), 2_u8);
            push("kind-2", "the kind is 2", "ERR-8", &other, KindUnsupported, "kind");
            let other = base.clone().set(&field("reserved"), [1_u8, 0]);
            push("reserved-first", "the first reserved byte is 1", "GEN-13", &other, ReservedNonzero, "reserved");
        } else {
            let other = base.clone().set(&field("reserved"), [128_u8, 0, 0]);
            push("reserved-first", "the first reserved byte is 128", "GEN-13", &other, ReservedNonzero, "reserved");
        }
    }
    let last = [
        (Setup, bases::setup().set("reserved", [0_u8, 255]), "OPRS-1 GEN-13", Read, 1),
        (Replay, bases::replay().set("reserved", [0_u8, 255]), "OPRP-1 GEN-13", Read, 1),
        (Mesh, bases::mesh().set("reserved", [0_u8, 0, 255]), "MESH-1 GEN-13", Restore, 2),
        (Build, bases::build().set("reserved", [0_u8, 255, 255]), "OPBI-1 GEN-13", Read, 1),
    ];
    for (file, layout, clauses, stage, further) in last {
        let title = "a later reserved byte is 255: the error stands at the first that is not 0";
        let fault = (stage, ReservedNonzero, "reserved");
        cases.push(case((file, "reserved-later"), title, clauses, &layout, fault).further(further));
    }
    cases.push(other_layouts());
    cases
}

/// A file of one layout under the ending of another.
fn other_layouts() -> MalformedCase {
    let (title, fault) = ("the file is a setup block, not a replay", (Read, MagicMismatch, "magic"));
    case((Replay, "setup-as-replay"), title, "OPRP-1 ERR-8", &bases::setup(), fault)
}

/// Files that end inside of a field, of every kind of field.
pub(super) fn truncations() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let mut cut = |file, base: Layout, field: &str, keep: usize, clauses: &str, stage| {
        let name = format!("truncated-{}", name_of(field));
        let title = match keep {
            0 => format!("the file ends before {field}"),
            1 => format!("the file ends after 1 byte of {field}"),
            _ => format!("the file ends after {keep} bytes of {field}"),
        };
        let clauses = format!("ERR-3 {clauses}");
        cases.push(case((file, &name), &title, &clauses, &base.cut(field, keep), (stage, Truncated, field)));
    };
    for (field, keep, clause) in [
        ("magic", 3, "OPRS-1"),
        ("version", 0, "OPRS-1"),
        ("kind", 0, "OPRS-1"),
        ("reserved", 1, "OPRS-1"),
        ("dt", 7, "OPRS-2"),
        ("start_step", 4, "OPRS-3"),
        ("options.max_agents", 0, "OPRS-4"),
        ("options.query_nodes", 1, "OPRS-4"),
        ("options.query_node_model", 0, "OPRS-4"),
        ("options.wall_refresh_distance", 5, "OPRS-4"),
        ("options.max_walls_avoided", 3, "OPRS-4"),
        ("mesh_length", 2, "OPRS-6"),
        ("state_length", 0, "OPRS-7"),
    ] {
        cut(Setup, bases::setup(), field, keep, clause, Read);
    }
    for (field, keep, clause) in [
        ("version", 0, "OPRP-1"),
        ("setup_length", 3, "OPRP-2"),
        ("step_count", 0, "OPRP-4"),
        ("steps[2].operations_length", 2, "OPRP-5"),
        ("steps[2].hash", 7, "OPRP-6"),
    ] {
        cut(Replay, bases::replay(), field, keep, clause, Read);
    }
    for (field, keep, clause) in [
        ("setup.dt", 0, "OPLR-1 OPRS-2"),
        ("records[0].operation.kind", 0, "LIVE-2 OP-1"),
        ("records[0].operation.position.z", 6, "LIVE-2 OP-2"),
        ("records[0].operation.settings", 50, "LIVE-2 OP-3"),
        ("records[1].operation.destination.x", 1, "LIVE-2 OP-4"),
        ("records[2].operation.agent", 7, "LIVE-2 OP-5"),
        ("records[3].hash", 4, "LIVE-2"),
        ("records[4].operation.position.y", 0, "LIVE-2 OP-6"),
    ] {
        cut(Live, bases::live(), field, keep, clause, Read);
    }
    for (field, keep, clause) in [
        ("magic", 1, "MESH-1"),
        ("revision", 7, "MESH-2"),
        ("vertex_count", 1, "MESH-3"),
        ("polygons[2].links[0]", 3, "MESH-8"),
        ("polygons[2].links[2]", 0, "MESH-8"),
    ] {
        cut(Mesh, bases::mesh(), field, keep, clause, Restore);
    }
    for (field, keep, clause) in [
        ("reserved", 2, "OPBI-1"),
        ("settings.agent_radius", 0, "OPBI-2"),
        ("settings.detail_max_error", 7, "OPBI-2"),
        ("settings.min_region_area", 3, "OPBI-2"),
        ("settings.partition", 0, "OPBI-2"),
        ("vertex_count", 2, "OPBI-3"),
    ] {
        cut(Build, bases::build(), field, keep, clause, Read);
    }
    // A count of 0 needs no bytes after it, so that the next field is the first that is not there.
    cut(Mesh, bases::mesh().set("vertex_count", 0_i32), "polygon_count", 0, "MESH-4", Restore);
    cut(Build, bases::build().set("vertex_count", 0_i32), "triangle_count", 3, "OPBI-4", Read);
    cases.extend(cut_after_a_count());
    cases.extend(empty_files());
    cases.extend(truncated_blocks());
    cases.push(truncated_optional_settings());
    cases
}

/// Where a count needs bytes that are not there, it is refused before the next field can be found missing.
fn cut_after_a_count() -> Vec<MalformedCase> {
    let title = "the file ends after the vertex count: it is refused before the next field is missed";
    let fault = |stage| (stage, CountExceedsInput, "vertex_count");
    let (mesh, build) = (bases::mesh().cut("polygon_count", 0), bases::build().cut("triangle_count", 0));
    vec![
        case((Mesh, "ends-after-vertex-count"), title, "GEN-10 MESH-3", &mesh, fault(Restore)),
        case((Build, "ends-after-vertex-count"), title, "GEN-10 OPBI-3", &build, fault(Read)),
    ]
}

fn empty_files() -> Vec<MalformedCase> {
    let files = [
        (Setup, "magic", "OPRS-1", Read),
        (Replay, "magic", "OPRP-1", Read),
        (Live, "setup.magic", "OPLR-1 OPRS-1", Read),
        (Mesh, "magic", "MESH-1", Restore),
        (Build, "magic", "OPBI-1", Read),
    ];
    let of = |(file, field, clause, stage)| {
        let layout = Layout::new().put(field, Vec::new());
        case((file, "empty"), "the file has no bytes", &format!("ERR-3 {clause}"), &layout, (stage, Truncated, field))
    };
    files.into_iter().map(of).collect()
}

/// Blocks whose length is right for the file and too short for what stands in them.
fn truncated_blocks() -> Vec<MalformedCase> {
    let parts = Parts::default();
    let mut cases = Vec::new();
    let mut block = |file, layout: Layout, field: &str, clauses: &str, stage| {
        let name = format!("block-truncated-{}", name_of(field));
        let title = format!("the block ends in {field}, the file does not");
        cases.push(case((file, &name), &title, &format!("ERR-3 {clauses}"), &layout, (stage, Truncated, field)));
    };
    for (field, keep, clause) in
        [("magic", 2, "MESH-1"), ("revision", 0, "MESH-2"), ("polygons[2].links[1]", 1, "MESH-8")]
    {
        let mesh = Parts { mesh: bases::mesh().cut(field, keep), ..parts.clone() };
        block(Setup, mesh.setup(), &format!("mesh.{field}"), clause, Restore);
    }
    for (field, keep, clause) in [
        ("spec_version", 3, "STATE-2"),
        ("mesh_digest", 0, "STATE-3"),
        ("options_digest", 7, "STATE-4"),
        ("step_count", 1, "STATE-5"),
        ("next_id", 0, "STATE-6"),
        ("agent_count", 2, "STATE-7"),
        ("agents[1].velocity.z", 5, "STATE-11"),
        ("agents[1].task", 0, "STATE-12"),
        ("agents[1].walls.searched", 0, "STATE-15"),
    ] {
        // The agent's count must be backed by bytes, so where it is there the first agent has to be long enough for both.
        let state = parts.state().cut(field, keep);
        block(Setup, parts.setup_with(&state), &format!("state.{field}"), clause, Restore);
    }
    let state = parts.state().cut("agents[1].options.height", 4);
    block(
        Replay,
        replay_of(&parts.setup_with(&state), &bases::steps()),
        "setup.state.agents[1].options.height",
        "AO-1 STATE-9",
        Restore,
    );
    for (field, keep, clause) in [("magic", 0, "OPRS-1"), ("start_step", 7, "OPRS-3"), ("state_length", 1, "OPRS-7")] {
        let layout = replay_of(&bases::setup().cut(field, keep), &bases::steps());
        block(Replay, layout, &format!("setup.{field}"), &format!("OPRP-3 {clause}"), Read);
    }
    for (index, field, keep, clause) in [
        (2, "operations[3].agent", 7, "OP-5"),
        (2, "operations[1].position.x", 0, "OP-6"),
        (0, "operations[1].destination.z", 4, "OP-4"),
        (0, "operations[0].settings", 65, "OP-3"),
    ] {
        let mut steps = bases::steps();
        steps[index] = short_step(&steps[index], field, keep);
        let layout = replay_of(&bases::setup(), &steps);
        block(Replay, layout, &format!("steps[{index}].{field}"), &format!("OPRP-6 {clause}"), Read);
    }
    cases
}

/// A step whose operations end `keep` bytes into a field; its length and hash are as they should be.
fn short_step(step: &Layout, field: &str, keep: usize) -> Layout {
    let cut = step.clone().cut(field, keep);
    let length = cut.length() - 4;
    cut.set("operations_length", length).put("the hash", 0x5555_5555_5555_5555_u64)
}

/// The flag of the agent settings says that more comes, and it does not.
fn truncated_optional_settings() -> MalformedCase {
    let record = operation_record(&bases::add(&bases::agent_options(true)));
    let layout = live_of(&bases::setup(), &[record]).cut("records[0].operation.settings.follower.corner_cut", 7);
    let title = "the flag of the agent settings is 1, and 89 of their 90 bytes are there";
    let fault = (Read, Truncated, "records[0].operation.settings");
    case((Live, "truncated-optional-settings"), title, "ERR-3 OP-3", &layout, fault)
}

/// Bytes after the end, at every level.
pub(super) fn surpluses() -> Vec<MalformedCase> {
    let parts = Parts::default();
    let long_mesh = Parts { mesh: bases::mesh().put("surplus", [0_u8, 0, 0]), ..parts.clone() };
    let long_state = parts.setup_with(&parts.state().put("surplus", 0_u8));
    let long_setup = bases::setup().put("surplus", [1_u8, 2]);
    let one = "1 byte is left";
    vec![
        surplus((Setup, "surplus"), one, "ERR-4 OPRS-9", &bases::setup().put("surplus", 0_u8), (Read, "surplus")),
        surplus((Replay, "surplus"), one, "ERR-4 OPRP-7", &bases::replay().put("surplus", 255_u8), (Read, "surplus")),
        surplus((Mesh, "surplus"), one, "ERR-4 MESH-9", &bases::mesh().put("surplus", 0_u8), (Restore, "surplus")),
        surplus((Build, "surplus"), one, "ERR-4 OPBI-7", &bases::build().put("surplus", 0_u8), (Read, "surplus")),
        surplus(
            (Build, "surplus-a-triangle"),
            "another triangle follows, which is not counted",
            "ERR-4 OPBI-7",
            &bases::build().put("surplus", [0_u8; 12]),
            (Read, "surplus"),
        ),
        surplus(
            (Replay, "setup-surplus"),
            "2 bytes are left in the setup block",
            "ERR-4 OPRP-3 OPRS-9",
            &replay_of(&long_setup, &bases::steps()),
            (Read, "setup.surplus"),
        ),
        surplus(
            (Setup, "mesh-surplus"),
            "3 bytes are left in the mesh",
            "ERR-4 MESH-9",
            &long_mesh.setup(),
            (Restore, "mesh.surplus"),
        ),
        surplus(
            (Live, "setup-mesh-surplus"),
            "3 bytes are left in the mesh of the setup block",
            "ERR-4 MESH-9",
            &live_of(&long_mesh.setup(), &[]),
            (Restore, "setup.mesh.surplus"),
        ),
        surplus(
            (Setup, "state-surplus"),
            "1 byte is left in the state",
            "ERR-4 STATE-17",
            &long_state,
            (Restore, "state.surplus"),
        ),
        surplus(
            (Replay, "setup-state-surplus"),
            "1 byte is left in the state of the setup block",
            "ERR-4 STATE-17",
            &replay_of(&long_state, &bases::steps()),
            (Restore, "setup.state.surplus"),
        ),
    ]
}

/// A field's path as a part of a file name.
pub(super) fn name_of(field: &str) -> String {
    field.replace(['.', '[', '_'], "-").replace(']', "")
}
