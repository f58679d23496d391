//! Acceptance scenes: what one expects of a crowd that one would ship, measured on whole runs.
//!
//! Each scene has at least 100 agents. What is demanded of each stands in [`measure::Demand`].

#![expect(clippy::disallowed_methods, reason = "what measures the engine need not give the same bits everywhere")]

mod measure;
mod plan;
mod scenes;
mod trouble;
