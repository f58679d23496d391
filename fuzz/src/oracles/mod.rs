//! Oracles: what must hold of any input, one property a file.
//!
//! Each first asks the readers (`observe`), then judges what they said (`judge`). The two are apart so that a test can doctor what
//! the readers said and demand that the judge notices.

mod build_input;
mod justify;
mod live_capture;
mod mesh_state;
mod operations;
mod play;
mod reading;
mod replay_reader;
mod setup;
mod streams;

pub use build_input::build_input;
pub use live_capture::live_capture;
pub use mesh_state::mesh_state;
pub use operations::operations;
pub use play::play;
pub use replay_reader::replay_reader;
pub use setup::setup;

use replay_format::Setup;

use crate::verdict::{Finding, ensure};

/// Demands that a block is what stands at its offset in the file.
fn ensure_window(bytes: &[u8], offset: u64, block: &[u8], name: &str) -> Result<(), Finding> {
    let there = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).is_some_and(|rest| rest.starts_with(block));
    ensure(there, "window", || format!("{name} is not what stands at {offset}"))
}

/// The setup block as a streamed reader gives it.
fn owned(setup: &Setup<&[u8]>) -> Setup<Vec<u8>> {
    Setup {
        dt: setup.dt,
        start_step: setup.start_step,
        options: setup.options,
        mesh: setup.mesh.to_vec(),
        mesh_offset: setup.mesh_offset,
        state: setup.state.to_vec(),
        state_offset: setup.state_offset,
    }
}
