//! Checks of the mesh build, level 4: `stages`, `mesh`, and `twice` of build inputs.

use replay_format::BuildInput;
use reports::Outcome;

use super::{Checked, Context, fail, fail_with, refused};
use crate::corpus;
use crate::sidecar::Expect;
use crate::{Built, Format, built, difference};

/// Each stage gives the bytes whose digest the sidecar has. Where one does not, the first is named: those after it follow from it.
pub(super) fn stages(context: &Context) -> Checked {
    let Expect::Build(expect) = &context.sidecar()?.expect else { return Ok(()) };
    let built = context.built()?;
    let mut expected = expect.stages.iter();
    for (stage, digest) in &built.stages {
        match expected.next() {
            Some((name, listed)) if name == stage && listed == digest => {}
            Some((name, listed)) if name == stage => {
                let message = format!("stage {stage}: the SHA-256 of its bytes is {digest}, the sidecar says {listed}");
                let later = built.stages.iter().skip_while(|(one, _)| one != stage).skip(1);
                let same = later.filter(|pair| expect.stages.contains(pair)).map(|(stage, _)| stage.as_str());
                let same: Vec<&str> = same.collect();
                let after = match same[..] {
                    [] => "no later stage is as expected".to_owned(),
                    _ => format!("of the later stages these are as expected: {}", same.join(", ")),
                };
                return Err(fail_with("stage-differs", message, vec![after]));
            }
            Some((name, _)) => {
                let message = format!("the build has stage {stage} where the sidecar has {name}");
                return Err(fail("stages-differ", message));
            }
            None => return Err(fail("stages-differ", format!("the sidecar has no digest of stage {stage}"))),
        }
    }
    match expected.next() {
        None => Ok(()),
        Some((name, _)) => Err(fail("stages-differ", format!("the build has no stage {name}, the sidecar has"))),
    }
}

/// The mesh is, byte for byte, the file beside the input.
pub(super) fn mesh(context: &Context) -> Checked {
    let Some(path) = &context.case.result else {
        let (input, _) = context.file()?;
        let stem = input.rsplit_once('.').map_or(input, |(stem, _)| stem);
        let message = format!("there is no {stem}.{} with the mesh that must come out", Format::Mesh.ending());
        return Err(fail("file-missing", message));
    };
    let expected = corpus::read(context.source(), path)
        .map_err(|error| Outcome::Error { code: "unreadable".into(), message: error.to_string() })?;
    match difference(Format::Mesh, &expected, &context.built()?.mesh) {
        None => Ok(()),
        Some(difference) => Err(fail("bytes-differ", format!("the mesh is not {path}: {difference}"))),
    }
}

/// A second build in the same process gives the same.
pub(super) fn twice(context: &Context) -> Checked {
    let first = context.built()?;
    let input = BuildInput::read(context.bytes()?).map_err(|error| refused(&error))?;
    let second = built::build(&input).map_err(|error| refused(&error))?;
    if *first == second {
        return Ok(());
    }
    let differs = |Built { stages, .. }: &Built| {
        let pairs = stages.iter().zip(&second.stages);
        pairs.filter(|(one, two)| one != two).map(|((stage, _), _)| stage.as_str()).next()
    };
    let stage = differs(first).unwrap_or("mesh");
    Err(fail("build-differs", format!("a second build gives other bytes, from stage {stage} on")))
}
