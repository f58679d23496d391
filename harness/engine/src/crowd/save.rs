//! The crowd's state as bytes: saved, hashed, restored. SPEC.md, chapters STATE and HASH.

use replay_format::{
    AgentRecord, CrowdState, Error, MeshSnapshot, Path, STATE_HEADER_BYTES, Setup, StateContext, StateHeader, xxh64,
};

use super::Crowd;
use crate::NavMesh;

impl Crowd {
    /// The crowd's state. Restoring it and going on equals never having stopped.
    #[must_use]
    pub fn save_state(&self) -> Vec<u8> {
        let mut out = self.state_header().to_vec();
        for agent in &self.agents {
            write_record(agent, &mut out);
        }
        out
    }

    /// The hash of the state: XXH64 over the header and the XXH64 of each agent's record.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut summary = Vec::with_capacity(STATE_HEADER_BYTES + 8 * self.agents.len());
        summary.extend_from_slice(&self.state_header());
        let mut record = Vec::with_capacity(512);
        for agent in &self.agents {
            record.clear();
            write_record(agent, &mut record);
            summary.extend_from_slice(&xxh64(&record).to_le_bytes());
        }
        xxh64(&summary)
    }

    /// The setup block of the crowd as it is now, for a run with time step `dt`.
    #[must_use]
    pub fn setup(&self, dt: f64) -> Setup<Vec<u8>> {
        Setup {
            dt,
            start_step: self.step_count,
            options: self.options.to_bits(),
            mesh: self.mesh.to_bytes(),
            mesh_offset: 0,
            state: self.save_state(),
            state_offset: 0,
        }
    }

    /// The crowd of a setup block, with one thread and no filter.
    ///
    /// # Errors
    /// Stage restore: the first check of the crowd options, the mesh and the state that fails, in this order.
    pub fn restore<B: AsRef<[u8]>>(setup: &Setup<B>) -> Result<Crowd, Error> {
        Crowd::restore_within(setup, &Path::ROOT)
    }

    /// [`Crowd::restore`], for a setup block whose field path is `path`.
    ///
    /// # Errors
    /// As [`Crowd::restore`].
    pub fn restore_within<B: AsRef<[u8]>>(setup: &Setup<B>, path: &Path<'_>) -> Result<Crowd, Error> {
        let options = setup.options.validate(&path.field("options"))?;
        let snapshot = MeshSnapshot::read_at(setup.mesh.as_ref(), setup.mesh_offset, &path.field("mesh"))?;
        let mut crowd = Crowd::new(NavMesh::from_snapshot(snapshot), options);
        let context = StateContext {
            mesh: crowd.mesh.snapshot(),
            mesh_digest: crowd.mesh.digest(),
            options: &crowd.options,
            options_digest: crowd.options_digest,
            start_step: Some(setup.start_step),
        };
        let state = CrowdState::read(setup.state.as_ref(), setup.state_offset, &path.field("state"), &context)?;
        crowd.step_count = state.header.step_count;
        crowd.next_id = state.header.next_id;
        crowd.agents = state.agents;
        Ok(crowd)
    }

    fn state_header(&self) -> [u8; STATE_HEADER_BYTES] {
        StateHeader {
            mesh_digest: self.mesh.digest(),
            options_digest: self.options_digest,
            step_count: self.step_count,
            next_id: self.next_id,
            agent_count: i32::try_from(self.agents.len()).unwrap_or(i32::MAX),
        }
        .to_bytes()
    }
}

/// A record's lists are bounded by the mesh and the options, so they always fit.
fn write_record(agent: &AgentRecord, out: &mut Vec<u8>) {
    let fits = agent.write(out);
    debug_assert!(fits.is_ok(), "corridors and walls are bounded");
}
