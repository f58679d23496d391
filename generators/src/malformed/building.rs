//! Build inputs that can be read, and that the mesh build must refuse.

use replay_format::{Code, Stage};

use super::case::{Expectation, FileKind, MalformedCase};
use crate::build_inputs::{Level, refused_levels};

/// The levels that the build must refuse: settings, grids and places out of their ranges.
pub(super) fn refusals() -> Vec<MalformedCase> {
    refused_levels().iter().filter_map(refusal).collect()
}

fn refusal(level: &Level) -> Option<MalformedCase> {
    let error = level.error.as_ref()?;
    let expect =
        Expectation { stage: Stage::Build, code: Code::parse(error.code)?, offset: None, field: error.field.clone() };
    Some(MalformedCase {
        kind: FileKind::Build,
        name: level.name.to_owned(),
        title: level.title.clone(),
        clauses: level.clauses.iter().map(|&clause| clause.to_owned()).collect(),
        tags: Vec::new(),
        bytes: level.input.write().ok()?,
        expect,
    })
}
