//! Bytes and values of recorded crowds, and nothing else: no files, no floating-point arithmetic, no threads.
//!
//! The layouts are those of SPEC.md, which stands beside this crate. Outer layouts: [`Setup`], [`Replay`], [`Operation`],
//! [`LiveRecord`], [`LiveCapture`], [`BuildInput`]. Nested in them: [`AgentOptions`], [`CrowdOptionsBits`],
//! [`MeshSnapshot`], [`CrowdState`]. Outer readers refuse exactly what the layouts forbid and never look into nested blocks.
//!
//! Readers borrow ([`Replay::read`]) or stream ([`stream_replay`], [`stream_live`]); both run the same code over a
//! [`source::Source`]. Reading then writing gives the same bytes for every input that is accepted. An [`Error`] is data: code,
//! stage, offset in the outermost file, field path, what was found and what was expected. Every limit stands in [`limits`];
//! memory stays within a small multiple of the bytes that are present.
//!
//! ```
//! use replay_format::{Code, Replay};
//!
//! let error = Replay::read(b"OPRP\x02\x01\0\0").unwrap_err();
//! assert_eq!((error.code(), error.offset(), error.path()), (Code::VersionUnsupported, Some(4), "version"));
//! assert_eq!(error.to_string(), "version: found 2, expected 1 (read at byte 4: version-unsupported)");
//! ```

mod agent_options;
mod build_input;
mod crowd_options;
mod error;
mod fields;
pub mod limits;
mod live;
mod mesh;
mod operation;
mod path;
mod replay;
mod setup;
pub mod source;
mod state;

pub use agent_options::{AgentOptions, PathFollower};
pub use build_input::{BuildInput, BuildSettingsBits};
pub use crowd_options::{CrowdOptions, CrowdOptionsBits, NodeModel};
pub use error::{Code, Error, Fault, Stage};
pub use fields::{Bits64, Point, TooLarge, WriteError, check_point};
pub use live::{
    LiveCapture, LiveRecord, LiveRecords, LiveVisitor, RECORD_OPERATION, RECORD_STEP, stream_live, stream_live_with,
};
pub use mesh::{MeshPolygon, MeshSnapshot};
pub use operation::{Operation, Operations, SettingsExtent};
pub use path::Path;
pub use replay::{OperationsLayout, Replay, ReplayVisitor, Step, known_operations, stream_replay, write_replay_head};
pub use setup::{Setup, dt_is_valid};
pub use source::StreamError;
pub use state::{AgentRecord, CrowdState, STATE_HEADER_BYTES, StateContext, StateHeader, Task, WallCache, WallEdge};

/// XXH64 with seed 0: the hash of states, meshes and options. SPEC.md, chapter HASH.
#[must_use]
pub fn xxh64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}
