//! What can be wrong with bytes, and where.
//!
//! An [`Error`] is data: a stable [`Code`], the [`Stage`] that found it, the byte offset in the outermost file, the path of
//! the field, what was found and what was expected. Words are put together in one place, `Display`.
//!
//! Order of checks: work goes in stages (read, then restore, then play or build) and each stage ends before the next
//! begins. Within a stage the checks run in file order and the first that fails is the error. SPEC.md, chapter ERR.

use std::fmt;

/// The stage of work that found an error. Stages run in this order and each ends before the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The outer layouts: framing, lengths, counts, positions.
    Read,
    /// The nested blocks: crowd options, mesh, crowd state.
    Restore,
    /// Applying operations and stepping.
    Play,
    /// The mesh build.
    Build,
}

impl Stage {
    /// The stage's name as it stands in sidecars and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Restore => "restore",
            Stage::Play => "play",
            Stage::Build => "build",
        }
    }

    /// The stage of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Stage> {
        [Stage::Read, Stage::Restore, Stage::Play, Stage::Build].into_iter().find(|s| s.as_str() == name)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// A stable name for one way of being wrong. SPEC.md, chapter ERR, says which clause raises which code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code, in the order of SPEC.md.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The code as it stands in sidecars and reports (kebab-case).
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)+
                }
            }
        }
    };
}

codes! {
    /// The bytes end inside this field.
    Truncated = "truncated",
    /// Bytes are left after the end of the layout.
    TrailingBytes = "trailing-bytes",
    /// The first four bytes are not the layout's magic.
    MagicMismatch = "magic-mismatch",
    /// The version byte is not 1.
    VersionUnsupported = "version-unsupported",
    /// The kind byte of a setup block or replay is not 1.
    KindUnsupported = "kind-unsupported",
    /// A reserved byte is not 0.
    ReservedNonzero = "reserved-nonzero",
    /// A length in bytes is below 0.
    LengthNegative = "length-negative",
    /// A length in bytes is above its limit.
    LengthOverLimit = "length-over-limit",
    /// A length in bytes is more than the bytes left.
    LengthExceedsInput = "length-exceeds-input",
    /// A count of items is below 0.
    CountNegative = "count-negative",
    /// A count of items is above its limit.
    CountOverLimit = "count-over-limit",
    /// A count of items needs more bytes than are left.
    CountExceedsInput = "count-exceeds-input",
    /// `dt` is not above 0 and at most 3600.
    DtOutOfRange = "dt-out-of-range",
    /// The start step is below 0.
    StartStepNegative = "start-step-negative",
    /// A coordinate is a NaN or an infinity.
    PositionNotFinite = "position-not-finite",
    /// A coordinate's magnitude is 2^21 or more.
    PositionOutOfRange = "position-out-of-range",
    /// The kind byte of an operation is none of 1 to 5.
    OperationKindUnknown = "operation-kind-unknown",
    /// The first byte of a live record is neither 1 nor 2.
    RecordKindUnknown = "record-kind-unknown",
    /// The operations of one step are more than 16 MiB together.
    OperationsOverLimit = "operations-over-limit",
    /// A flag byte is neither 0 nor 1.
    FlagInvalid = "flag-invalid",
    /// An index is below 0 or not below the number of items it points into.
    IndexOutOfRange = "index-out-of-range",
    /// A number of the crowd options is outside its range.
    OptionOutOfRange = "option-out-of-range",
    /// A number of the build settings is outside its range.
    SettingOutOfRange = "setting-out-of-range",
    /// The build's grid has too many columns, height cells, pieces or spans.
    GridOverLimit = "grid-over-limit",
    /// A number in a nested block is a NaN or an infinity.
    ValueNotFinite = "value-not-finite",
    /// A number in a nested block is outside its range.
    ValueOutOfRange = "value-out-of-range",
    /// A polygon names one of its vertices twice.
    PolygonVertexRepeated = "polygon-vertex-repeated",
    /// A link between two polygons is not matched by the one that leads back.
    LinkMismatch = "link-mismatch",
    /// The state was saved under another version of SPEC.
    SpecVersionMismatch = "spec-version-mismatch",
    /// The state was saved on another mesh.
    MeshDigestMismatch = "mesh-digest-mismatch",
    /// The state was saved under other crowd options.
    OptionsDigestMismatch = "options-digest-mismatch",
    /// The state's step count is not the setup's start step.
    StartStepMismatch = "start-step-mismatch",
    /// An agent's id is not above that of the agent before it, or not below the next id.
    IdOrder = "id-order",
    /// A corridor does not begin at the agent's polygon, or leads between polygons that are not linked.
    CorridorInvalid = "corridor-invalid",
    /// A wall names an edge that its polygon does not have, or one that was named before.
    WallInvalid = "wall-invalid",
    /// An operation names an agent that is not in the crowd.
    UnknownAgent = "unknown-agent",
    /// The crowd has given out its last id.
    IdsExhausted = "ids-exhausted",
    /// The crowd has taken its last step.
    StepsExhausted = "steps-exhausted",
}

impl Code {
    /// The code of that text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.as_str() == text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with some bytes.
///
/// Boxed inside, so that a `Result` of it stays one word wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Fault>);

/// The parts of an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of wrong.
    pub code: Code,
    /// Which stage found it.
    pub stage: Stage,
    /// The byte offset in the outermost file, where the fault has a place in it.
    pub offset: Option<u64>,
    /// The path of the field, such as `steps[3].operations[1].position.y`. Empty for the file as a whole.
    pub path: String,
    /// What stands there, in words.
    pub found: String,
    /// What is allowed there, in words.
    pub expected: String,
}

impl Error {
    /// An error at a place in the file.
    #[must_use]
    pub fn at(
        code: Code,
        stage: Stage,
        offset: u64,
        path: impl fmt::Display,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Error {
        Error(Box::new(Fault {
            code,
            stage,
            offset: Some(offset),
            path: path.to_string(),
            found: found.to_string(),
            expected: expected.to_string(),
        }))
    }

    /// An error that has a field but no place in a file (crowd options, build settings, the ends of counters).
    #[must_use]
    pub fn of_field(
        code: Code,
        stage: Stage,
        path: impl fmt::Display,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Error {
        Error(Box::new(Fault {
            code,
            stage,
            offset: None,
            path: path.to_string(),
            found: found.to_string(),
            expected: expected.to_string(),
        }))
    }

    /// All parts.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.0
    }

    /// What kind of wrong.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Which stage found it.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.0.stage
    }

    /// The byte offset in the outermost file, where the fault has a place in it.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The path of the field.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fault = self.fault();
        let subject = if fault.path.is_empty() { "file" } else { &fault.path };
        write!(f, "{subject}: found {}, expected {}", fault.found, fault.expected)?;
        match fault.offset {
            Some(offset) => write!(f, " ({} at byte {offset}: {})", fault.stage, fault.code),
            None => write!(f, " ({}: {})", fault.stage, fault.code),
        }
    }
}

impl std::error::Error for Error {}
