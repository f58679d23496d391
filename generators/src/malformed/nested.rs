//! Faults of mesh snapshots and crowd states.

use replay_format::Code::{
    CorridorInvalid, FlagInvalid, IdOrder, IndexOutOfRange, LinkMismatch, MeshDigestMismatch, OptionsDigestMismatch,
    PolygonVertexRepeated, SpecVersionMismatch, StartStepMismatch, ValueOutOfRange, WallInvalid,
};
use replay_format::Stage::Restore;
use replay_format::{Code, xxh64};

use super::bases::{self, NEXT_ID, Parts, START_STEP, idle_agent, live_of, polygon, replay_of, walking_agent};
use super::case::FileKind::{Live, Mesh, Replay, Setup};
use super::case::{MalformedCase, case};
use super::layout::Layout;

/// Polygons, links and the revision.
pub(super) fn meshes() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let mut push = |name: &str, title: &str, clauses: &str, layout: Layout, code: Code, field: &str| {
        cases.push(case((Mesh, name), title, clauses, &layout, (Restore, code, field)));
    };
    let mesh = bases::mesh;
    let set = |field: &str, value: i32| mesh().set(field, value);
    push(
        "revision-negative",
        "the revision is -1",
        "MESH-2",
        mesh().set("revision", -1_i64),
        ValueOutOfRange,
        "revision",
    );
    push(
        "area-64",
        "the area is 64",
        "MESH-6",
        mesh().set("polygons[1].area", 64_u8),
        ValueOutOfRange,
        "polygons[1].area",
    );
    for corners in [0_u8, 2, 17, 255] {
        let field = "polygons[1].vertex_count";
        let layout = mesh().set(field, corners);
        let title = format!("the polygon has {corners} corners");
        push(&format!("polygon-of-{corners}-corners"), &title, "MESH-6", layout, ValueOutOfRange, field);
    }
    for (name, field, value, title) in [
        ("vertex-index-too-large", "polygons[0].vertices[3]", 7, "the corner is vertex 7 of 7"),
        ("vertex-index-negative", "polygons[2].vertices[0]", -1, "the corner is vertex -1"),
        ("link-too-large", "polygons[1].links[1]", 3, "the link leads to polygon 3 of 3"),
        ("link-minus-two", "polygons[1].links[0]", -2, "the link is -2"),
        ("link-lowest", "polygons[1].links[2]", i32::MIN, "the link is -2^31"),
    ] {
        let clauses = if name.starts_with("vertex") { "GEN-11 MESH-7" } else { "MESH-8" };
        push(name, title, clauses, set(field, value), IndexOutOfRange, field);
    }
    for (name, field, value, title) in [
        ("vertex-repeated", "polygons[0].vertices[2]", 0, "the third corner is the first again"),
        ("vertex-repeated-at-once", "polygons[1].vertices[1]", 1, "the second corner is the first again"),
        ("vertex-repeated-last", "polygons[2].vertices[2]", 6, "the last corner is the one before it again"),
    ] {
        push(name, title, "MESH-7", set(field, value), PolygonVertexRepeated, field);
    }
    for (name, layout, field, title) in [
        ("link-to-itself", set("polygons[0].links[2]", 0), "polygons[0].links[2]", "the link leads to its own polygon"),
        (
            "link-without-an-edge-back",
            set("polygons[0].links[0]", 2),
            "polygons[0].links[0]",
            "the polygon on the other side does not have that edge",
        ),
        (
            "link-not-returned",
            set("polygons[2].links[2]", -1),
            "polygons[1].links[1]",
            "the polygon on the other side has the edge, and no link there",
        ),
        (
            "link-returned-elsewhere",
            set("polygons[1].links[3]", 2),
            "polygons[0].links[1]",
            "the polygon on the other side has the edge, and a link to another polygon there",
        ),
        (
            "link-only-back",
            set("polygons[0].links[1]", -1),
            "polygons[1].links[3]",
            "the first polygon has no link where the second leads back to it",
        ),
    ] {
        push(name, title, "MESH-10", layout, LinkMismatch, field);
    }
    cases.push(self_links());
    cases.push(same_direction());
    let layout = Parts { mesh: set("polygons[2].links[0]", 1), ..Parts::default() }.setup();
    let fault = (Restore, LinkMismatch, "setup.mesh.polygons[2].links[0]");
    let title = "the link of an outer edge leads to a neighbour";
    cases.push(case((Replay, "setup-mesh-link-mismatch"), title, "MESH-10", &replay_of(&layout, &[]), fault));
    cases.push(case((Live, "setup-mesh-link-mismatch"), title, "MESH-10", &live_of(&layout, &[]), fault));
    cases
}

fn small_mesh(polygons: &[Layout]) -> Layout {
    let mut layout = Layout::new()
        .put("magic", *b"OPNM")
        .put("version", 1_u8)
        .put("reserved", [0_u8; 3])
        .put("revision", 0_i64)
        .put("vertex_count", 4_i32)
        .put("polygon_count", i32::try_from(polygons.len()).unwrap_or(i32::MAX));
    for index in 0..4 {
        layout = layout.put_point(&format!("vertices[{index}]"), [f64::from(index), 0.0, f64::from(index * index)]);
    }
    for (index, polygon) in polygons.iter().enumerate() {
        layout = layout.embed(&format!("polygons[{index}]"), polygon);
    }
    layout
}

/// A single polygon that says of every edge that it leads back into it.
fn self_links() -> MalformedCase {
    let layout = small_mesh(&[polygon(1, &[0, 1, 2], &[0, 0, 0])]);
    let fault = (Restore, LinkMismatch, "polygons[0].links[0]");
    case((Mesh, "links-all-to-itself"), "every link leads to the one polygon", "MESH-10", &layout, fault)
}

/// Two polygons that run the same way along their common edge.
fn same_direction() -> MalformedCase {
    let layout = small_mesh(&[polygon(1, &[0, 1, 2], &[1, -1, -1]), polygon(1, &[0, 1, 3], &[0, -1, -1])]);
    let fault = (Restore, LinkMismatch, "polygons[0].links[0]");
    let title = "two polygons are linked by an edge that both run along in the same direction";
    case((Mesh, "link-same-direction"), title, "MESH-10", &layout, fault)
}

/// The state's header: digests, counters.
pub(super) fn state_headers() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let parts = Parts::default();
    let mut push = |name: &str, title: &str, clauses: &str, layout: Layout, code: Code, field: &str| {
        cases.push(case((Setup, name), title, clauses, &layout, (Restore, code, field)));
    };
    for (name, version, title) in [
        ("state-spec-version-1-1", 0x0001_0001_u32, "the state was saved under version 1.1"),
        ("state-spec-version-2-0", 0x0002_0000, "the state was saved under version 2.0"),
        ("state-spec-version-swapped", 0x0000_0100, "the version's bytes are in big-endian order"),
    ] {
        let field = "state.spec_version";
        push(name, title, "STATE-2", parts.setup().set(field, version), SpecVersionMismatch, field);
    }
    let edited = Parts { mesh: bases::mesh().set("revision", 1_i64), ..parts.clone() };
    push(
        "state-of-another-mesh",
        "the state was saved before an edit of the mesh",
        "STATE-3 HASH-3",
        edited.setup_with(&parts.state()),
        MeshDigestMismatch,
        "state.mesh_digest",
    );
    let digest = xxh64(parts.mesh.bytes());
    push(
        "state-mesh-digest-swapped",
        "the mesh digest's bytes are in big-endian order",
        "STATE-3 HASH-2",
        parts.setup().set("state.mesh_digest", digest.swap_bytes()),
        MeshDigestMismatch,
        "state.mesh_digest",
    );
    let others = Parts { options: bases::options().set("max_walls_avoided", 3_i32), ..parts.clone() };
    push(
        "state-of-other-options",
        "the state was saved under other crowd options",
        "STATE-4 HASH-3",
        others.setup_with(&parts.state()),
        OptionsDigestMismatch,
        "state.options_digest",
    );
    let zero = Parts { options: bases::options().set("wall_refresh_distance", -0.0), ..parts.clone() };
    let plus = Parts { options: bases::options().set("wall_refresh_distance", 0.0), ..parts.clone() };
    push(
        "state-of-options-with-another-zero",
        "the state was saved under a wall_refresh_distance of 0.0, the setup block says -0.0",
        "STATE-4 GEN-3",
        zero.setup_with(&plus.state()),
        OptionsDigestMismatch,
        "state.options_digest",
    );
    for (name, value, code, title) in [
        ("state-step-count-negative", -1_i64, ValueOutOfRange, "the step count is -1"),
        (
            "state-step-count-before-start",
            START_STEP - 1,
            StartStepMismatch,
            "the step count is 1 before the start step",
        ),
        ("state-step-count-after-start", START_STEP + 1, StartStepMismatch, "the step count is 1 after the start step"),
        ("state-step-count-last", i64::MAX, StartStepMismatch, "the step count is 2^63 - 1, the start step is not"),
    ] {
        push(name, title, "STATE-5", parts.setup().set("state.step_count", value), code, "state.step_count");
    }
    for (name, value, title) in
        [("state-next-id-zero", 0_i64, "the next id is 0"), ("state-next-id-lowest", i64::MIN, "the next id is -2^63")]
    {
        push(name, title, "STATE-6", parts.setup().set("state.next_id", value), ValueOutOfRange, "state.next_id");
    }
    let replay = bases::replay().set("setup.state.step_count", 0_i64);
    let fault = (Restore, StartStepMismatch, "setup.state.step_count");
    cases.push(case(
        (Replay, "setup-start-step-mismatch"),
        "the step count is 0, the start step 7",
        "STATE-5",
        &replay,
        fault,
    ));
    cases
}

/// Agent records.
pub(super) fn agent_records() -> Vec<MalformedCase> {
    let mut cases = Vec::new();
    let parts = Parts::default();
    let mut push = |name: &str, title: &str, clauses: &str, layout: Layout, code: Code, field: &str| {
        cases.push(case((Setup, name), title, clauses, &layout, (Restore, code, field)));
    };
    let id = |agent: usize, id: i64| parts.setup().set(&format!("state.agents[{agent}].id"), id);
    for (name, layout, agent, title) in [
        ("state-id-zero", id(0, 0), 0, "the first id is 0"),
        ("state-id-negative", id(0, -1), 0, "the first id is -1"),
        ("state-id-twice", id(1, 1), 1, "both agents have the id 1"),
        ("state-id-falling", id(0, 4), 1, "the second id is below the first"),
        ("state-id-is-next", id(1, NEXT_ID), 1, "the second id is the next one to give out"),
        ("state-id-above-next", id(1, i64::MAX), 1, "the second id is 2^63 - 1"),
    ] {
        push(name, title, "STATE-8", layout, IdOrder, &format!("state.agents[{agent}].id"));
    }
    for (field, value, clauses, title) in [
        ("agents[0].polygon", 3, "GEN-11 STATE-10", "the agent is on polygon 3 of 3"),
        ("agents[1].polygon", -1, "GEN-11 STATE-10", "the agent is on polygon -1"),
        ("agents[0].corridor[1]", 3, "GEN-11 STATE-14", "the corridor goes through polygon 3 of 3"),
        ("agents[0].corridor[0]", -1, "GEN-11 STATE-14", "the corridor begins at polygon -1"),
        ("agents[0].walls[0].polygon", 3, "GEN-11 STATE-16", "the wall is of polygon 3 of 3"),
        ("agents[0].walls[1].polygon", i32::MIN, "GEN-11 STATE-16", "the wall is of polygon -2^31"),
    ] {
        let field = format!("state.{field}");
        let word = if value < 0 { "negative" } else { "too-large" };
        let name = format!("{}-{word}", super::headers::name_of(&field));
        push(&name, title, clauses, parts.setup().set(&field, value), IndexOutOfRange, &field);
    }
    for (name, field, value, title) in [
        (
            "state-corridor-of-another-start",
            "corridor[0]",
            1,
            "the corridor begins at another polygon than the agent's",
        ),
        ("state-corridor-unlinked", "corridor[1]", 2, "the corridor leads from polygon 0 to 2, which are not linked"),
        ("state-corridor-stands-still", "corridor[1]", 0, "the corridor leads from polygon 0 to itself"),
        (
            "state-corridor-unlinked-at-its-end",
            "corridor[2]",
            1,
            "the corridor leads from polygon 1 to itself at its end",
        ),
    ] {
        let field = format!("state.agents[0].{field}");
        push(name, title, "STATE-14", parts.setup().set(&field, value), CorridorInvalid, &field);
    }
    let edge = |wall: usize, edge: u8| parts.setup().set(&format!("state.agents[0].walls[{wall}].edge"), edge);
    for (name, layout, wall, title) in [
        ("state-wall-beyond-its-polygon", edge(0, 4), 0, "the wall is edge 4 of a polygon with 4"),
        ("state-wall-edge-255", edge(1, 255), 1, "the wall is edge 255"),
        ("state-wall-twice", edge(1, 0), 1, "both walls are the same"),
        (
            "state-wall-beyond-a-triangle",
            edge(1, 3).set("state.agents[0].walls[1].polygon", 2),
            1,
            "the wall is edge 3 of a triangle",
        ),
    ] {
        push(name, title, "STATE-16", layout, WallInvalid, &format!("state.agents[0].walls[{wall}].edge"));
    }
    for (name, field, value, code, clauses, title) in [
        ("state-task-7", "agents[1].task", 7_u8, ValueOutOfRange, "STATE-12", "the task is 7"),
        ("state-task-255", "agents[0].task", 255, ValueOutOfRange, "STATE-12", "the task is 255"),
        ("state-walls-flag-2", "agents[1].walls.searched", 2, FlagInvalid, "GEN-12 STATE-15", "the flag is 2"),
        (
            "state-walls-more-than-kept",
            "agents[0].walls.count",
            5,
            ValueOutOfRange,
            "STATE-16",
            "5 walls, and max_walls_per_agent is 4",
        ),
    ] {
        let field = format!("state.{field}");
        push(name, title, clauses, parts.setup().set(&field, value), code, &field);
    }
    cases.push(no_walls_allowed());
    cases.push(agents_in_a_live_capture());
    cases
}

/// The crowd keeps no walls at all, and an agent has two.
fn no_walls_allowed() -> MalformedCase {
    let options = bases::options().set("max_walls_per_agent", 0_i32);
    let layout = Parts { options, ..Parts::default() }.setup();
    let fault = (Restore, ValueOutOfRange, "state.agents[0].walls.count");
    case(
        (Setup, "state-walls-where-none-are-kept"),
        "2 walls, and max_walls_per_agent is 0",
        "STATE-16",
        &layout,
        fault,
    )
}

/// The first agent's record is fine and the second's is the first's again.
fn agents_in_a_live_capture() -> MalformedCase {
    let parts = Parts { agents: vec![walking_agent(), idle_agent(), walking_agent()], ..Parts::default() };
    let fault = (Restore, IdOrder, "setup.state.agents[2].id");
    let title = "the third agent is the first one again";
    case((Live, "setup-state-id-again"), title, "STATE-8", &live_of(&parts.setup(), &[]), fault)
}
