//! Every limit of every layout, in one place. SPEC.md prints them beside the fields they bind.

/// The magic of a setup block.
pub const SETUP_MAGIC: [u8; 4] = *b"OPRS";
/// The magic of a replay file.
pub const REPLAY_MAGIC: [u8; 4] = *b"OPRP";
/// The magic of a mesh-build input.
pub const BUILD_MAGIC: [u8; 4] = *b"OPBI";
/// The magic of a mesh snapshot.
pub const MESH_MAGIC: [u8; 4] = *b"OPNM";
/// The version byte of every layout.
pub const VERSION: u8 = 1;
/// The kind byte of a setup block and of a replay: a crowd.
pub const KIND_CROWD: u8 = 1;

/// The version of SPEC.md that this crate reads and writes, major in the upper 16 bits.
pub const SPEC_VERSION: u32 = 0x0001_0000;
/// The same, as it stands in reports and in `corpus.toml`.
pub const SPEC_VERSION_TEXT: &str = "1.0";

/// The largest time step, seconds.
pub const DT_MAX: f64 = 3600.0;
/// Every coordinate's magnitude is below this (2^21).
pub const POSITION_LIMIT: f64 = 2_097_152.0;
/// The most bytes that one step's operations take (16 MiB).
pub const OPERATIONS_MAX: u64 = 16_777_216;
/// The most steps of a replay (2^26).
pub const STEPS_MAX: u64 = 67_108_864;
/// The fewest bytes that a step of a replay takes.
pub const STEP_MIN_BYTES: u64 = 12;
/// The most vertices of a build input.
pub const BUILD_VERTICES_MAX: u64 = 4_000_000;
/// The most triangles of a build input.
pub const BUILD_TRIANGLES_MAX: u64 = 8_000_000;
/// The most columns of a build's grid.
pub const GRID_COLUMNS_MAX: u64 = 4_000_000;
/// The most height cells of a build's grid: spans have 16 bits for a height.
pub const HEIGHT_CELLS_MAX: u64 = 65_535;
/// The most pieces that a build's triangles are cut into, one for each triangle and column that it reaches (2^25).
pub const CELL_VISITS_MAX: u64 = 33_554_432;
/// The most spans of a build's heightfield.
pub const SPANS_MAX: u64 = 16_000_000;

/// The most agents of a crowd: the maximum of `MaxAgents`.
pub const MAX_AGENTS_MAX: i32 = 1_000_000;
/// The maximum of `QueryNodes`.
pub const QUERY_NODES_MAX: i32 = 1_000_000;
/// The maximum of `QueryNodeModel`.
pub const QUERY_NODE_MODEL_MAX: u8 = 1;
/// The maximum of `MaxWallsPerAgent`.
pub const WALLS_PER_AGENT_MAX: i32 = 64;
/// The maximum of `WallRefreshDistance`, metres.
pub const WALL_REFRESH_MAX: f64 = 1024.0;
/// The maximum of `MaxWallsAvoided`.
pub const WALLS_AVOIDED_MAX: i32 = 64;

/// The most vertices of a mesh.
pub const MESH_VERTICES_MAX: u64 = 8_000_000;
/// The most polygons of a mesh.
pub const MESH_POLYGONS_MAX: u64 = 4_000_000;
/// The fewest vertices of a mesh polygon.
pub const POLYGON_VERTICES_MIN: u8 = 3;
/// The most vertices of a mesh polygon.
pub const POLYGON_VERTICES_MAX: u8 = 16;
/// The highest area number. Area 0 is not walkable.
pub const AREA_MAX: u8 = 63;

/// The most polygons of an agent's corridor.
pub const CORRIDOR_MAX: u64 = 1_000_000;
/// The highest task of an agent.
pub const TASK_MAX: u8 = 6;

/// The maximum of an agent's `radius`, metres.
pub const RADIUS_MAX: f64 = 1024.0;
/// The maximum of an agent's `height`, metres.
pub const HEIGHT_MAX: f64 = 1024.0;
/// The maximum of an agent's `max_speed`, metres a second.
pub const SPEED_MAX: f64 = 1024.0;
/// The maximum of an agent's `max_acceleration`, metres a second squared.
pub const ACCELERATION_MAX: f64 = 65_536.0;
/// The maximum of an agent's `neighbour_distance`, metres.
pub const NEIGHBOUR_DISTANCE_MAX: f64 = 1024.0;
/// The minimum of an agent's `agent_horizon` and `wall_horizon`, seconds (1/64).
pub const HORIZON_MIN: f64 = 0.015_625;
/// The maximum of an agent's `agent_horizon` and `wall_horizon`, seconds.
pub const HORIZON_MAX: f64 = 64.0;
/// The maximum of an agent's `wall_clearance`, metres.
pub const WALL_CLEARANCE_MAX: f64 = 1024.0;
/// The maximum of an agent's `max_neighbours`.
pub const NEIGHBOURS_MAX: u8 = 32;
/// The maximum of a follower's `arrival_distance`, metres.
pub const ARRIVAL_DISTANCE_MAX: f64 = 1024.0;
/// The maximum of a follower's `slowing_distance`, metres.
pub const SLOWING_DISTANCE_MAX: f64 = 1024.0;
/// The maximum of a follower's `corner_cut`.
pub const CORNER_CUT_MAX: f64 = 1.0;

/// The bytes of agent options without path-follower settings.
pub const AGENT_OPTIONS_BYTES: u64 = 66;
/// The bytes of the path-follower settings.
pub const FOLLOWER_BYTES: u64 = 24;
/// The bytes of a point.
pub const POINT_BYTES: u64 = 24;
/// The bytes of a triangle of a build input.
pub const TRIANGLE_BYTES: u64 = 12;
/// The fewest bytes of a mesh polygon: a triangle.
pub const POLYGON_MIN_BYTES: u64 = 26;
/// The fewest bytes of an agent record.
pub const AGENT_MIN_BYTES: u64 = 120;
