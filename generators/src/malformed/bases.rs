//! The valid files that the malformed ones are made from: small, and with every field that a layout can have.
//!
//! Numbers stand here as SPEC.md prints them; nothing is taken from the crates that read and write these layouts. The one
//! exception is the hash function, which SPEC.md defines with vectors of its own.

use replay_format::xxh64;

use super::layout::Layout;

/// The step count at which the setup block was taken.
pub(super) const START_STEP: i64 = 7;
/// The bits of a NaN.
pub(super) const NAN: u64 = 0x7ff8_0000_0000_0000;
/// The id that the next agent gets.
pub(super) const NEXT_ID: i64 = 5;

/// Two squares and a triangle in a row, linked: vertices 0 to 6, polygons 0 to 2.
pub(super) fn mesh() -> Layout {
    let vertices = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [4.0, 0.0, 4.0],
        [0.0, 0.0, 4.0],
        [8.0, 0.5, 0.0],
        [8.0, 0.5, 4.0],
        [10.0, 0.5, 2.0],
    ];
    let polygons: [(&[i32], &[i32]); 3] =
        [(&[0, 1, 2, 3], &[-1, 1, -1, -1]), (&[1, 4, 5, 2], &[-1, 2, -1, 0]), (&[4, 6, 5], &[-1, -1, 1])];
    let mut layout = Layout::new()
        .put("magic", *b"OPNM")
        .put("version", 1_u8)
        .put("reserved", [0_u8; 3])
        .put("revision", 0_i64)
        .put("vertex_count", 7_i32)
        .put("polygon_count", 3_i32);
    for (index, vertex) in vertices.into_iter().enumerate() {
        layout = layout.put_point(&format!("vertices[{index}]"), vertex);
    }
    for (index, (corners, links)) in polygons.into_iter().enumerate() {
        layout = layout.embed(&format!("polygons[{index}]"), &polygon(1, corners, links));
    }
    layout
}

/// One polygon of a mesh.
pub(super) fn polygon(area: u8, corners: &[i32], links: &[i32]) -> Layout {
    let count = u8::try_from(corners.len()).unwrap_or(u8::MAX);
    let mut layout = Layout::new().put("vertex_count", count).put("area", area);
    for (name, list) in [("vertices", corners), ("links", links)] {
        for (index, value) in list.iter().enumerate() {
            layout = layout.put(&format!("{name}[{index}]"), *value);
        }
    }
    layout
}

/// Crowd options of 10 agents that keep 4 walls.
pub(super) fn options() -> Layout {
    Layout::new()
        .put("max_agents", 10_i32)
        .put("query_nodes", 64_i32)
        .put("query_node_model", 1_u8)
        .put("max_walls_per_agent", 4_i32)
        .put("wall_refresh_distance", 0.5)
        .put("max_walls_avoided", 2_i32)
}

/// The options of an agent, with path-follower settings or without.
pub(super) fn agent_options(follower: bool) -> Layout {
    let layout = Layout::new()
        .put("radius", 0.3)
        .put("height", 1.8)
        .put("max_speed", 1.4)
        .put("max_acceleration", 8.0)
        .put("neighbour_distance", 4.0)
        .put("agent_horizon", 2.0)
        .put("wall_horizon", 0.5)
        .put("wall_clearance", 0.3)
        .put("max_neighbours", 12_u8)
        .put("has_follower", u8::from(follower));
    if !follower {
        return layout;
    }
    layout
        .put("follower.arrival_distance", 0.125)
        .put("follower.slowing_distance", 0.5)
        .put("follower.corner_cut", 0.25)
}

/// Agent 1: follows a way through all three polygons and keeps two walls.
pub(super) fn walking_agent() -> Layout {
    let mut layout = Layout::new()
        .put("id", 1_i64)
        .embed("options", &agent_options(true))
        .put_point("position", [1.0, 0.0, 1.0])
        .put("polygon", 0_i32)
        .put("velocity.x", 0.5)
        .put("velocity.z", -0.0)
        .put("task", 2_u8)
        .put_point("destination", [9.0, 0.5, 2.0])
        .put_point("target", [9.0, 0.5, 2.0])
        .put("corridor_count", 3_i32);
    for (index, polygon) in [0_i32, 1, 2].into_iter().enumerate() {
        layout = layout.put(&format!("corridor[{index}]"), polygon);
    }
    layout = layout
        .put("walls.searched", 1_u8)
        .put("walls.anchor.x", 1.0)
        .put("walls.anchor.z", 1.0)
        .put("walls.count", 2_u8);
    for (index, edge) in [0_u8, 3].into_iter().enumerate() {
        layout = layout.put(&format!("walls[{index}].polygon"), 0_i32).put(&format!("walls[{index}].edge"), edge);
    }
    layout
}

/// Agent 3: stands around.
pub(super) fn idle_agent() -> Layout {
    Layout::new()
        .put("id", 3_i64)
        .embed("options", &agent_options(false))
        .put_point("position", [6.0, 0.25, 2.0])
        .put("polygon", 1_i32)
        .put("velocity.x", 0.0)
        .put("velocity.z", 0.0)
        .put("task", 0_u8)
        .put("walls.searched", 0_u8)
}

/// The parts of a setup block.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) start_step: i64,
    pub(super) options: Layout,
    pub(super) mesh: Layout,
    pub(super) next_id: i64,
    pub(super) agents: Vec<Layout>,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts {
            start_step: START_STEP,
            options: options(),
            mesh: mesh(),
            next_id: NEXT_ID,
            agents: vec![walking_agent(), idle_agent()],
        }
    }
}

impl Parts {
    /// The crowd state, on the mesh and under the options of these parts.
    pub(super) fn state(&self) -> Layout {
        let mut layout = self.state_header(self.start_step);
        for (index, agent) in self.agents.iter().enumerate() {
            layout = layout.embed(&format!("agents[{index}]"), agent);
        }
        layout
    }

    /// The state's header at some step.
    pub(super) fn state_header(&self, step_count: i64) -> Layout {
        Layout::new()
            .put("spec_version", 0x0001_0000_u32)
            .put("mesh_digest", xxh64(self.mesh.bytes()))
            .put("options_digest", xxh64(self.options.bytes()))
            .put("step_count", step_count)
            .put("next_id", self.next_id)
            .put("agent_count", i32::try_from(self.agents.len()).unwrap_or(i32::MAX))
    }

    /// The setup block with the state that belongs to it.
    pub(super) fn setup(&self) -> Layout {
        self.setup_with(&self.state())
    }

    /// The setup block with another state.
    pub(super) fn setup_with(&self, state: &Layout) -> Layout {
        Layout::new()
            .put("magic", *b"OPRS")
            .put("version", 1_u8)
            .put("kind", 1_u8)
            .put("reserved", [0_u8; 2])
            .put("dt", 0.03125)
            .put("start_step", self.start_step)
            .embed("options", &self.options)
            .put("mesh_length", self.mesh.length())
            .embed("mesh", &self.mesh)
            .put("state_length", state.length())
            .embed("state", state)
    }
}

/// The setup block of all defaults.
pub(super) fn setup() -> Layout {
    Parts::default().setup()
}

pub(super) fn add(settings: &Layout) -> Layout {
    Layout::new().put("kind", 1_u8).put_point("position", [2.0, 0.0, 3.0]).embed("settings", settings)
}

pub(super) fn remove(agent: i64) -> Layout {
    Layout::new().put("kind", 2_u8).put("agent", agent)
}

pub(super) fn set_destination(agent: i64) -> Layout {
    Layout::new().put("kind", 3_u8).put("agent", agent).put_point("destination", [1.0, 0.0, 3.0])
}

pub(super) fn stop(agent: i64) -> Layout {
    Layout::new().put("kind", 4_u8).put("agent", agent)
}

pub(super) fn teleport(agent: i64) -> Layout {
    Layout::new().put("kind", 5_u8).put("agent", agent).put_point("position", [7.0, 0.5, 1.0])
}

/// A step of a replay.
pub(super) fn step(operations: &[Layout], hash: u64) -> Layout {
    let mut items = Layout::new();
    for (index, operation) in operations.iter().enumerate() {
        items = items.embed(&format!("operations[{index}]"), operation);
    }
    Layout::new().put("operations_length", items.length()).join("operations", &items).put("hash", hash)
}

/// The steps of the replay: every operation, with path-follower settings and without, and a step without any.
pub(super) fn steps() -> [Layout; 3] {
    let first = [add(&agent_options(false)), set_destination(3)];
    let last = [add(&agent_options(true)), teleport(3), stop(1), remove(5)];
    [step(&first, 0x1111_1111_1111_1111), step(&[], 0x2222_2222_2222_2222), step(&last, 0x3333_3333_3333_3333)]
}

/// A replay of these parts.
pub(super) fn replay_of(setup: &Layout, steps: &[Layout]) -> Layout {
    let mut layout = Layout::new()
        .put("magic", *b"OPRP")
        .put("version", 1_u8)
        .put("kind", 1_u8)
        .put("reserved", [0_u8; 2])
        .put("setup_length", setup.length())
        .embed("setup", setup)
        .put("step_count", i32::try_from(steps.len()).unwrap_or(i32::MAX));
    for (index, step) in steps.iter().enumerate() {
        layout = layout.embed(&format!("steps[{index}]"), step);
    }
    layout
}

/// The replay of all defaults.
pub(super) fn replay() -> Layout {
    replay_of(&setup(), &steps())
}

/// A live record that holds an operation.
pub(super) fn operation_record(operation: &Layout) -> Layout {
    Layout::new().put("kind", 1_u8).embed("operation", operation)
}

/// A live record that holds a step's hash.
pub(super) fn step_record(hash: u64) -> Layout {
    Layout::new().put("kind", 2_u8).put("hash", hash)
}

/// A live capture of these parts.
pub(super) fn live_of(setup: &Layout, records: &[Layout]) -> Layout {
    // The fields of the setup block have `setup` in their names; the records follow at once.
    let mut layout = Layout::new().embed("setup", setup);
    for (index, record) in records.iter().enumerate() {
        layout = layout.embed(&format!("records[{index}]"), record);
    }
    layout
}

/// The live capture of all defaults: an operation of each kind, a step after the first three, and operations after it.
pub(super) fn live() -> Layout {
    let records = [
        operation_record(&add(&agent_options(true))),
        operation_record(&set_destination(3)),
        operation_record(&stop(1)),
        step_record(0x4444_4444_4444_4444),
        operation_record(&teleport(3)),
        operation_record(&remove(1)),
    ];
    live_of(&setup(), &records)
}

/// A build input: a fan of four triangles around vertex 0.
pub(super) fn build() -> Layout {
    let vertices = [[2.0, 0.0, 2.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.5, 4.0], [0.0, 0.5, 4.0]];
    let doubles = [
        ("agent_radius", 0.3),
        ("agent_height", 1.8),
        ("walkable_climb", 0.4),
        ("max_slope", 45.0),
        ("cell_size", 0.25),
        ("cell_height", 0.125),
        ("contour_max_error", 1.3),
        ("max_edge_length", 12.0),
        ("detail_sample_distance", 1.5),
        ("detail_max_error", 0.125),
    ];
    let mut layout = Layout::new().put("magic", *b"OPBI").put("version", 1_u8).put("reserved", [0_u8; 3]);
    for (name, value) in doubles {
        layout = layout.put(&format!("settings.{name}"), value);
    }
    for (name, value) in
        [("min_region_area", 8), ("merge_region_area", 20), ("max_verts_per_poly", 6), ("partition", 0)]
    {
        layout = layout.put(&format!("settings.{name}"), value);
    }
    layout = layout.put("vertex_count", 5_i32).put("triangle_count", 4_i32);
    for (index, vertex) in vertices.into_iter().enumerate() {
        layout = layout.put_point(&format!("vertices[{index}]"), vertex);
    }
    for (index, corners) in [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4]].into_iter().enumerate() {
        for (corner, vertex) in corners.into_iter().enumerate() {
            layout = layout.put(&format!("triangles[{index}][{corner}]"), vertex);
        }
    }
    layout
}
