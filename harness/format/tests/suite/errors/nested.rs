//! Crowd options, agent options, meshes and states.

use expect_test::expect;
use replay_format::{Code, CrowdOptionsBits, Error, Path, Setup};

use super::refuses;
use crate::fixtures::{bytes, patched};
use crate::layout::{Layout, World};

/// The options of the fixture with one of them changed.
fn options_error(change: impl FnOnce(&mut CrowdOptionsBits)) -> Error {
    let bytes = bytes("setup.oprs");
    let mut options = Setup::read(&bytes).unwrap().options;
    change(&mut options);
    options.validate(&Path::ROOT.field("setup").field("options")).unwrap_err()
}

#[test]
fn a_crowd_option_out_of_range() {
    let message = options_error(|options| options.max_agents = 0).to_string();
    expect!["setup.options.max_agents: found 0, expected 1 to 1000000 (restore: option-out-of-range)"]
        .assert_eq(&message);
    let message = options_error(|options| options.query_nodes = 1_000_001).to_string();
    expect!["setup.options.query_nodes: found 1000001, expected 1 to 1000000 (restore: option-out-of-range)"]
        .assert_eq(&message);
    let message = options_error(|options| options.query_node_model = 2).to_string();
    expect!["setup.options.query_node_model: found 2, expected 0 to 1 (restore: option-out-of-range)"]
        .assert_eq(&message);
    let message = options_error(|options| options.max_walls_per_agent = -1).to_string();
    expect!["setup.options.max_walls_per_agent: found -1, expected 0 to 64 (restore: option-out-of-range)"]
        .assert_eq(&message);
    let message = options_error(|options| options.wall_refresh_distance.0 = f64::NAN.to_bits()).to_string();
    expect!["setup.options.wall_refresh_distance: found NaN, expected 0.0 to 1024.0 (restore: option-out-of-range)"]
        .assert_eq(&message);
    let message = options_error(|options| options.max_walls_avoided = 65).to_string();
    expect!["setup.options.max_walls_avoided: found 65, expected 0 to 64 (restore: option-out-of-range)"]
        .assert_eq(&message);
}

#[test]
fn crowd_options_are_checked_in_file_order() {
    let error = options_error(|options| {
        options.max_walls_avoided = -1;
        options.query_nodes = 0;
    });
    assert_eq!((error.path(), error.offset()), ("setup.options.query_nodes", None));
}

#[test]
fn an_agent_option_that_is_not_finite() {
    refuses(
        Layout::Settings,
        &patched("settings.bin", "radius", f64::NAN.to_le_bytes()),
        expect!["radius: found NaN, expected a finite number (play at byte 0: value-not-finite)"],
    );
    let name = "agents[1].options.follower.corner_cut";
    refuses(
        Layout::State,
        &patched("state.opcs", name, f64::INFINITY.to_le_bytes()),
        expect![
            "agents[1].options.follower.corner_cut: found inf, expected a finite number (restore at byte 332: value-not-finite)"
        ],
    );
}

#[test]
fn a_number_of_a_nested_block_out_of_range() {
    refuses(
        Layout::Settings,
        &patched("settings.bin", "radius", (-5e-324_f64).to_le_bytes()),
        expect!["radius: found -5e-324, expected 0.0 to 1024.0 (play at byte 0: value-out-of-range)"],
    );
    refuses(
        Layout::Settings,
        &patched("settings.bin", "wall_horizon", 0.0_f64.to_le_bytes()),
        expect!["wall_horizon: found 0.0, expected 0.015625 to 64.0 (play at byte 48: value-out-of-range)"],
    );
    refuses(
        Layout::Settings,
        &patched("settings.bin", "max_neighbours", [33]),
        expect!["max_neighbours: found 33, expected at most 32 (play at byte 64: value-out-of-range)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "revision", (-1_i64).to_le_bytes()),
        expect!["revision: found -1, expected 0 or more (restore at byte 8: value-out-of-range)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygons[1].vertex_count", [2]),
        expect!["polygons[1].vertex_count: found 2, expected 3 to 16 (restore at byte 146: value-out-of-range)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygons[1].vertex_count", [17]),
        expect!["polygons[1].vertex_count: found 17, expected 3 to 16 (restore at byte 146: value-out-of-range)"],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", "polygons[0].area", [64]),
        expect!["polygons[0].area: found 64, expected at most 63 (restore at byte 121: value-out-of-range)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "step_count", (-7_i64).to_le_bytes()),
        expect!["step_count: found -7, expected 0 or more (restore at byte 20: value-out-of-range)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "next_id", 0_i64.to_le_bytes()),
        expect!["next_id: found 0, expected 1 or more (restore at byte 28: value-out-of-range)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].task", [7]),
        expect!["agents[0].task: found 7, expected at most 6 (restore at byte 158: value-out-of-range)"],
    );
    let name = "agents[0].corridor_count";
    refuses(
        Layout::State,
        &patched("state.opcs", name, 0_i32.to_le_bytes()),
        expect!["agents[0].corridor_count: found 0, expected 1 or more (restore at byte 207: value-out-of-range)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].walls.count", [17]),
        expect!["agents[0].walls.count: found 17, expected at most 16 (restore at byte 236: value-out-of-range)"],
    );
    let name = "agents[0].options.max_speed";
    refuses(
        Layout::State,
        &patched("state.opcs", name, 1e16_f64.to_le_bytes()),
        expect![
            "agents[0].options.max_speed: found 1e16, expected 0.0 to 1024.0 (restore at byte 64: value-out-of-range)"
        ],
    );
}

#[test]
fn a_vertex_twice_in_a_polygon() {
    let name = "polygons[1].vertices[2]";
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", name, 0_i32.to_le_bytes()),
        expect![
            "polygons[1].vertices[2]: found vertex 0 again, expected each vertex once (restore at byte 156: polygon-vertex-repeated)"
        ],
    );
}

#[test]
fn a_link_that_does_not_lead_back() {
    // The way back is missing, leads elsewhere, or the polygon is linked with itself.
    let name = "polygons[1].links[0]";
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", name, (-1_i32).to_le_bytes()),
        expect![
            "polygons[0].links[2]: found 1, which has no edge from vertex 0 to 2 that links back to 0, expected links that agree on both sides of an edge (restore at byte 142: link-mismatch)"
        ],
    );
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", name, 1_i32.to_le_bytes()),
        expect![
            "polygons[0].links[2]: found 1, which has no edge from vertex 0 to 2 that links back to 0, expected links that agree on both sides of an edge (restore at byte 142: link-mismatch)"
        ],
    );
    let name = "polygons[1].links[2]";
    refuses(
        Layout::Mesh,
        &patched("mesh.opnm", name, 0_i32.to_le_bytes()),
        expect![
            "polygons[1].links[2]: found 0, which has no edge from vertex 0 to 3 that links back to 1, expected links that agree on both sides of an edge (restore at byte 168: link-mismatch)"
        ],
    );
    // Links are checked when all polygons have been read, and before the end.
    let mut bytes = patched("mesh.opnm", name, 0_i32.to_le_bytes());
    bytes.push(0);
    assert_eq!(Layout::Mesh.error(&bytes).code(), Code::LinkMismatch);
}

#[test]
fn a_state_of_another_version() {
    refuses(
        Layout::State,
        &patched("state.opcs", "spec_version", 0x0001_0001_u32.to_le_bytes()),
        expect!["spec_version: found 0x00010001, expected 0x00010000 (1.0) (restore at byte 0: spec-version-mismatch)"],
    );
}

#[test]
fn a_state_of_another_mesh() {
    let mut world = World::of_fixture();
    world.mesh.revision = 1;
    let error = world.read_state(&bytes("state.opcs")).unwrap_err();
    expect!["mesh_digest: found c7e2bf8794860e0c, expected 54a3c255e86fc2bc (restore at byte 4: mesh-digest-mismatch)"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_state_under_other_options() {
    let mut world = World::of_fixture();
    world.options.wall_refresh_distance = -0.0;
    let error = world.read_state(&bytes("state.opcs")).unwrap_err();
    expect!["options_digest: found 1a28242889f19999, expected ce9de57d4cfa0ace (restore at byte 12: options-digest-mismatch)"].assert_eq(&error.to_string());
}

#[test]
fn a_state_at_another_step() {
    refuses(
        Layout::State,
        &patched("state.opcs", "step_count", 8_i64.to_le_bytes()),
        expect!["step_count: found 8, expected the setup's start step, 7 (restore at byte 20: start-step-mismatch)"],
    );
    let world = World { start_step: None, ..World::of_fixture() };
    let bytes = patched("state.opcs", "step_count", i64::MAX.to_le_bytes());
    assert_eq!(world.read_state(&bytes).unwrap().header.step_count, i64::MAX);
}

#[test]
fn ids_out_of_order() {
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].id", 0_i64.to_le_bytes()),
        expect!["agents[0].id: found 0, expected above 0 and below the next id, 4 (restore at byte 40: id-order)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].id", 1_i64.to_le_bytes()),
        expect!["agents[1].id: found 1, expected above 1 and below the next id, 4 (restore at byte 242: id-order)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].id", 4_i64.to_le_bytes()),
        expect!["agents[1].id: found 4, expected above 1 and below the next id, 4 (restore at byte 242: id-order)"],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[1].id", i64::MIN.to_le_bytes()),
        expect![
            "agents[1].id: found -9223372036854775808, expected above 1 and below the next id, 4 (restore at byte 242: id-order)"
        ],
    );
}

#[test]
fn a_corridor_that_leads_nowhere() {
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].corridor[0]", 1_i32.to_le_bytes()),
        expect![
            "agents[0].corridor[0]: found 1, expected the agent's polygon, 0 (restore at byte 211: corridor-invalid)"
        ],
    );
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].corridor[1]", 0_i32.to_le_bytes()),
        expect![
            "agents[0].corridor[1]: found 0, expected a polygon that is linked with 0 (restore at byte 215: corridor-invalid)"
        ],
    );
}

#[test]
fn a_wall_that_is_no_edge_or_stands_twice() {
    refuses(
        Layout::State,
        &patched("state.opcs", "agents[0].walls[0].edge", [3]),
        expect![
            "agents[0].walls[0].edge: found 3, expected an edge of polygon 0 (below 3), each once (restore at byte 241: wall-invalid)"
        ],
    );
    let mut twice = patched("state.opcs", "agents[0].walls.count", [2]);
    let wall = crate::fixtures::offset_of("state.opcs", "agents[0].walls[0].polygon");
    let copy: Vec<u8> = twice[wall..wall + 5].to_vec();
    twice.splice(wall..wall, copy);
    refuses(
        Layout::State,
        &twice,
        expect![
            "agents[0].walls[1].edge: found 0, expected an edge of polygon 0 (below 3), each once (restore at byte 246: wall-invalid)"
        ],
    );
}
