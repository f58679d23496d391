//! What a crowd refuses. A refused call changes nothing.

use replay_format::Code;

/// Why a call was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CrowdError {
    /// No agent has this id.
    #[error("no agent has the id {id}")]
    UnknownAgent {
        /// The id that was named.
        id: i64,
    },
    /// A coordinate is not finite, or its magnitude is 2^21 or more.
    #[error("{axis} of the position is {value:?}; every axis must be finite and below 2^21 in magnitude")]
    Position {
        /// `position-not-finite` or `position-out-of-range`.
        code: Code,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// What it is.
        value: f64,
    },
    /// An agent option is outside its range.
    #[error("{0}")]
    Options(replay_format::Error),
    /// The last id, 2^63 - 2, has been given out.
    #[error("the crowd has given out its last id")]
    IdsExhausted,
    /// The step count has reached 2^63 - 1.
    #[error("the crowd has taken its last step")]
    StepsExhausted,
    /// `dt` is not above 0 and at most 3600 seconds.
    #[error("dt is {dt:?}; it must be above 0 and at most 3600 seconds")]
    Dt {
        /// What it is.
        dt: f64,
    },
}

impl CrowdError {
    /// The code of the error, as replays know it.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            CrowdError::UnknownAgent { .. } => Code::UnknownAgent,
            CrowdError::Position { code, .. } => *code,
            CrowdError::Options(error) => error.code(),
            CrowdError::IdsExhausted => Code::IdsExhausted,
            CrowdError::StepsExhausted => Code::StepsExhausted,
            CrowdError::Dt { .. } => Code::DtOutOfRange,
        }
    }
}
