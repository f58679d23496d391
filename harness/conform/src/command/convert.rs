//! `conform convert`: an OBJ file as a build input.

use std::path::PathBuf;

use clap::Args;
use conform::Format;
use crowd_engine::build::{Settings, grid_of};

use super::build_settings::{BuildOptions, is_obj};
use super::output::Output;
use super::{CannotRun, Done, write_file};

/// Make a build input (.opbi) of an OBJ file.
///
/// All faces of all objects become triangles; materials, normals and texture coordinates are left out. y is up. Settings that a
/// build would refuse are refused here, and so is a grid that would be too large.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform convert level.obj level.opbi
  conform convert level.obj level.opbi --cell-size 0.2 --agent-radius 0.4 --partition monotone
  conform build level.opbi --svg pictures

Exit codes: 0 written, 2 could not run (wrong settings, too).")]
pub(super) struct Convert {
    /// The OBJ file
    #[arg(value_name = "IN.obj")]
    input: PathBuf,
    /// Where to write the build input
    #[arg(value_name = "OUT.opbi")]
    output: PathBuf,
    #[command(flatten)]
    settings: BuildOptions,
}

impl Convert {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        let (from, to) = (self.input.display(), self.output.display());
        if !is_obj(&self.input) {
            return Err(CannotRun(format!("{from}: this command takes an OBJ file (.obj)")));
        }
        Format::of_path(&self.output, &[Format::Build])?;
        let input = self.settings.of_obj(&self.input)?;
        let grid = Settings::new(&input.settings).and_then(|settings| grid_of(&input, &settings));
        let grid = grid.map_err(|error| CannotRun(format!("{from}: {error}")))?;
        let bytes = input.write().map_err(|error| CannotRun(format!("{from}: {error}")))?;
        write_file(&self.output, &bytes)?;
        let (vertices, triangles) = (input.vertices.len(), input.triangles.len());
        output.line(format_args!(
            "{to}: {vertices} vertices, {triangles} triangles, {} bytes; its grid has {} by {} columns",
            bytes.len(),
            grid.width,
            grid.depth
        ))?;
        Ok(Done::Conforms)
    }
}
