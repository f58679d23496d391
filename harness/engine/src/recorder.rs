//! The recorder: a host calls it instead of the crowd, and it keeps what was done. SPEC.md, chapter REC.

use std::fmt;

use replay_format::{
    AgentOptions, Operation, Point, RECORD_OPERATION, RECORD_STEP, Replay, Step, TooLarge, dt_is_valid, limits,
};

use crate::{Crowd, CrowdError};

/// Why the recorder refused a call. A refused call changes neither crowd nor recording and emits no live record.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RecorderError {
    /// The crowd refused it.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// The operations of one step may take 16 MiB, and this one would be too much.
    #[error("the operations of this step would take {bytes} bytes; at most {} can be recorded", limits::OPERATIONS_MAX)]
    OperationsOverLimit {
        /// How many bytes the step's operations would take.
        bytes: u64,
    },
    /// The mesh was edited since the recording began: edits are not recorded.
    #[error("the mesh was edited while recording (revision {now}, {then} at the start); a replay cannot hold that")]
    MeshChanged {
        /// The revision when the recording began.
        then: i64,
        /// The revision now.
        now: i64,
    },
    /// The crowd has a query filter: it cannot be recorded.
    #[error("the crowd has a query filter; a recorded crowd runs with none")]
    HasFilter,
    /// A replay holds at most 2^26 steps.
    #[error("the recording has {} steps, which is the most that a replay holds", limits::STEPS_MAX)]
    TooManySteps,
    /// A block is larger than the file layout can say.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A function that is given each live record's bytes.
pub type RecordCallback = Box<dyn FnMut(&[u8]) + Send>;

/// Records a crowd run: every operation and the state hash after each step.
pub struct CrowdRecorder {
    crowd: Crowd,
    dt: f64,
    revision: i64,
    recording: Replay<Vec<u8>>,
    pending: Vec<u8>,
    on_record: Option<RecordCallback>,
}

impl fmt::Debug for CrowdRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.recording.steps.len();
        f.debug_struct("CrowdRecorder").field("dt", &self.dt).field("steps", &steps).finish_non_exhaustive()
    }
}

impl CrowdRecorder {
    /// Begins a recording of `crowd` as it is now, stepped by `dt` seconds.
    ///
    /// # Errors
    /// Where `dt` is out of range or the crowd has a query filter.
    pub fn new(crowd: Crowd, dt: f64) -> Result<CrowdRecorder, RecorderError> {
        if !dt_is_valid(dt) {
            return Err(CrowdError::Dt { dt }.into());
        }
        if crowd.filter().is_some() {
            return Err(RecorderError::HasFilter);
        }
        let recording = Replay { setup: crowd.setup(dt), steps: Vec::new() };
        let revision = crowd.mesh().revision();
        Ok(CrowdRecorder { crowd, dt, revision, recording, pending: Vec::new(), on_record: None })
    }

    /// Calls `callback` with one live record after each recorded change.
    pub fn on_record(&mut self, callback: RecordCallback) {
        self.on_record = Some(callback);
    }

    /// The crowd.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The crowd, behind the recorder's back: what is changed here is not recorded, and the replay's hashes will show where.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// Ends the recording and gives the crowd back.
    #[must_use]
    pub fn into_crowd(self) -> Crowd {
        self.crowd
    }

    /// [`Crowd::try_add`], recorded. A failed add is recorded too: it fails in the same way on replay.
    ///
    /// # Errors
    /// Where the crowd refuses it or the step's operations would be too large.
    pub fn try_add(&mut self, position: &Point, options: &AgentOptions) -> Result<Option<i64>, RecorderError> {
        let settings = options.to_bytes();
        let operation = Operation::Add { position: *position, settings: &settings, settings_offset: 0 };
        self.apply(operation, |crowd| crowd.try_add(position, options))
    }

    /// [`Crowd::remove`], recorded.
    ///
    /// # Errors
    /// Where the crowd refuses it or the step's operations would be too large.
    pub fn remove(&mut self, id: i64) -> Result<(), RecorderError> {
        self.apply(Operation::Remove { agent: id }, |crowd| crowd.remove(id))
    }

    /// [`Crowd::set_destination`], recorded.
    ///
    /// # Errors
    /// Where the crowd refuses it or the step's operations would be too large.
    pub fn set_destination(&mut self, id: i64, destination: &Point) -> Result<(), RecorderError> {
        let operation = Operation::SetDestination { agent: id, destination: *destination };
        self.apply(operation, |crowd| crowd.set_destination(id, destination))
    }

    /// [`Crowd::stop`], recorded.
    ///
    /// # Errors
    /// Where the crowd refuses it or the step's operations would be too large.
    pub fn stop(&mut self, id: i64) -> Result<(), RecorderError> {
        self.apply(Operation::Stop { agent: id }, |crowd| crowd.stop(id))
    }

    /// [`Crowd::teleport`], recorded.
    ///
    /// # Errors
    /// Where the crowd refuses it or the step's operations would be too large.
    pub fn teleport(&mut self, id: i64, position: &Point) -> Result<(), RecorderError> {
        let operation = Operation::Teleport { agent: id, position: *position };
        self.apply(operation, |crowd| crowd.teleport(id, position))
    }

    /// [`Crowd::step`] by the recording's `dt`, recorded with the state hash after it, which it gives.
    ///
    /// # Errors
    /// Where the mesh was edited, the crowd got a filter, the recording is full, or the crowd refuses.
    pub fn step(&mut self) -> Result<u64, RecorderError> {
        let now = self.crowd.mesh().revision();
        if now != self.revision {
            return Err(RecorderError::MeshChanged { then: self.revision, now });
        }
        if self.crowd.filter().is_some() {
            return Err(RecorderError::HasFilter);
        }
        let taken = u64::try_from(self.recording.steps.len()).unwrap_or(u64::MAX);
        if taken >= limits::STEPS_MAX {
            return Err(RecorderError::TooManySteps);
        }
        self.crowd.step(self.dt)?;
        let hash = self.crowd.state_hash();
        let operations = std::mem::take(&mut self.pending);
        self.recording.steps.push(Step { operations, operations_offset: 0, hash });
        if let Some(callback) = &mut self.on_record {
            let mut record = vec![RECORD_STEP];
            record.extend_from_slice(&hash.to_le_bytes());
            callback(&record);
        }
        Ok(hash)
    }

    /// The setup block of the crowd as it is now: how a live viewer starts mid-run. It can be taken between any two calls.
    ///
    /// # Errors
    /// Where mesh or state are larger than the file layout can say.
    pub fn write_snapshot(&self) -> Result<Vec<u8>, RecorderError> {
        let mut out = Vec::new();
        self.crowd.setup(self.dt).write(&mut out)?;
        Ok(out)
    }

    /// The recording so far as a replay. Operations since the last step belong to no step yet and are not in it.
    #[must_use]
    pub fn replay(&self) -> &Replay<Vec<u8>> {
        &self.recording
    }

    /// The recording so far as the bytes of a replay file.
    ///
    /// # Errors
    /// Where mesh or state are larger than the file layout can say.
    pub fn replay_bytes(&self) -> Result<Vec<u8>, RecorderError> {
        Ok(self.recording.write()?)
    }

    /// Checks what the recording can hold, then changes the crowd, then records.
    fn apply<T>(
        &mut self,
        operation: Operation<'_>,
        change: impl FnOnce(&mut Crowd) -> Result<T, CrowdError>,
    ) -> Result<T, RecorderError> {
        let mut record = vec![RECORD_OPERATION];
        operation.write(&mut record);
        let bytes = u64::try_from(self.pending.len() + record.len() - 1).unwrap_or(u64::MAX);
        if bytes > limits::OPERATIONS_MAX {
            return Err(RecorderError::OperationsOverLimit { bytes });
        }
        let result = change(&mut self.crowd)?;
        self.pending.extend_from_slice(&record[1..]);
        if let Some(callback) = &mut self.on_record {
            callback(&record);
        }
        Ok(result)
    }
}
