//! What a crowd state is read against, and states made to fit it.

use replay_format::{CrowdOptions, MeshSnapshot, Path, Setup, StateContext, xxh64};

/// Where the state's digests of mesh and options stand.
const DIGESTS: std::ops::Range<usize> = 4..20;
/// Where the state's step count stands.
const STEP_COUNT: std::ops::Range<usize> = 20..28;

/// The owner of a [`StateContext`].
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) mesh: MeshSnapshot,
    pub(crate) options: CrowdOptions,
    mesh_digest: u64,
    options_digest: u64,
}

impl Context {
    pub(crate) fn new(mesh: MeshSnapshot, mesh_bytes: &[u8], options: CrowdOptions) -> Context {
        let mut bytes = Vec::new();
        options.to_bits().write(&mut bytes);
        Context { mesh, options, mesh_digest: xxh64(mesh_bytes), options_digest: xxh64(&bytes) }
    }

    /// That of a setup block, where its options and its mesh are valid.
    pub(crate) fn of_setup<B: AsRef<[u8]>>(setup: &Setup<B>) -> Option<Context> {
        let options = setup.options.validate(&Path::ROOT).ok()?;
        let mesh = MeshSnapshot::read(setup.mesh.as_ref()).ok()?;
        Some(Context::new(mesh, setup.mesh.as_ref(), options))
    }

    pub(crate) fn borrow(&self, start_step: Option<i64>) -> StateContext<'_> {
        StateContext {
            mesh: &self.mesh,
            mesh_digest: self.mesh_digest,
            options: &self.options,
            options_digest: self.options_digest,
            start_step,
        }
    }

    /// The state with the digests, and the step count where there is a start step, that this context asks for: mutations
    /// elsewhere would never get past them.
    pub(crate) fn fit(&self, state: &[u8], start_step: Option<i64>) -> Vec<u8> {
        let mut state = state.to_vec();
        let mut digests = self.mesh_digest.to_le_bytes().to_vec();
        digests.extend_from_slice(&self.options_digest.to_le_bytes());
        if let Some(place) = state.get_mut(DIGESTS) {
            place.copy_from_slice(&digests);
        }
        if let (Some(place), Some(start_step)) = (state.get_mut(STEP_COUNT), start_step) {
            place.copy_from_slice(&start_step.to_le_bytes());
        }
        state
    }
}
