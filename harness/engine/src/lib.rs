//! The reference engine of the conformance harness: a navigation mesh with its queries, and a crowd on it that can be recorded
//! and played back bit for bit.
//!
//! * The mesh: [`NavMesh`] of convex polygons, made from polygon lists or restored from a snapshot; nearest polygon, A*,
//!   funnel, moves along the surface, rays, walls. SPEC.md (in `harness/format`), chapters GEO and QRY.
//! * The crowd: [`Crowd`] with its operations, step, state and hash. Chapters CROWD, STEP, STATE.
//! * The mesh build: [`build`], a Recast-class pipeline of pure functions. Chapter BUILD.
//! * Record and replay: [`CrowdRecorder`], [`CrowdPlayer`], [`find_mismatch`]. Chapter REC.
//!
//! # Determinism
//!
//! Results depend on the inputs alone, bit for bit: not on the processor, the optimisation level, the number of threads or the
//! platform's mathematical library. The engine computes in f64 with `+ - * /`, `sqrt`, `abs`, `floor` and `ceil` only; what is
//! banned, and why, stands in this crate's `clippy.toml`.
//!
//! The engine has no file access and reads no clock.

pub mod build;
mod crowd;
mod filter;
mod funnel;
mod geometry;
mod index;
mod lookup;
mod mesh;
mod nearest;
mod path;
mod player;
mod raycast;
mod recorder;
mod surface;
mod walls;

pub use crowd::{AgentTrace, Crowd, CrowdError, HalfPlane, solve_velocity};
pub use filter::{FilterError, QueryFilter};
pub use funnel::{Portal, string_pull};
pub use geometry::{closest_on_segment, cross, distance_squared};
pub use mesh::{MeshError, NavMesh, PolygonSpec, SurfacePoint};
pub use path::{FoundPath, PathScratch};
pub use player::{CrowdPlayer, Mismatch, find_mismatch};
pub use raycast::RayHit;
pub use recorder::{CrowdRecorder, RecordCallback, RecorderError};
pub use replay_format::{AgentOptions, AgentRecord, CrowdOptions, NodeModel, PathFollower, Point, Task, WallEdge};
