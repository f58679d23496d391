//! `conform build`: the mesh build, stage by stage.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use conform::corpus::sha256;
use conform::picture::{self, Painter};
use conform::{Format, figures_of};
use crowd_engine::NavMesh;
use crowd_engine::build::{BuildFailure, BuildObserver, BuildStage, Settings, StageOutput, build_mesh};
use replay_format::{BuildInput, Error};
use serde::Serialize;

use super::build_settings::BuildOptions;
use super::inspect::JsonError;
use super::output::{Output, colour, progress};
use super::{CannotRun, Done, cannot_write, write_file};

/// Build a navigation mesh and show what each stage made.
///
/// INPUT is a build input (.opbi) or an OBJ file (.obj, y up). Each stage stands in a line: its time, what it made, and the SHA-256 of
/// its bytes, which is the same on every machine. Settings given here go over those of the input.
///
/// --stages writes each stage's bytes (SPEC.md, chapter BUILD, says what they mean), --svg a picture of each stage seen from above,
/// -o the mesh. With --json each stage is one object a line: `stage`, `seconds`, `bytes`, `sha256`, `figures`; what is wrong is an
/// object with `error`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform build level.obj --svg pictures            look at it in a browser
  conform build level.opbi -o level.opnm            the mesh, for `conform inspect`
  conform build level.obj --partition layers --cell-size 0.2
  conform build level.opbi --json | jq -r .sha256   digests only

Exit codes: 0 built, 1 refused or malformed, 2 could not run.")]
pub(super) struct Build {
    /// The build input or OBJ file
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// Write the bytes of each stage into this folder: 01-voxelize.bin, …, 12-mesh.opnm
    #[arg(long, value_name = "DIR")]
    stages: Option<PathBuf>,
    /// Draw a picture of each stage into this folder: 01-voxelize.svg, …
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the mesh
    #[arg(short, long, value_name = "OUT.opnm")]
    output: Option<PathBuf>,
    /// Print a JSON object for each stage, one a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: BuildOptions,
}

/// A stage as JSON.
#[derive(Serialize)]
struct JsonStage<'a> {
    stage: &'a str,
    seconds: f64,
    bytes: usize,
    sha256: &'a str,
    figures: serde_json::Map<String, serde_json::Value>,
}

impl Build {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        if let Some(path) = &self.output {
            Format::of_path(path, &[Format::Mesh])?;
        }
        let input = match self.settings.input(&self.input)? {
            Ok(input) => input,
            Err(error) => return self.refused("malformed", &error, output),
        };
        for folder in [&self.stages, &self.svg].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        }
        let mut watcher = Watcher::new(self, output, &input)?;
        let built = build_mesh(&input, &mut watcher);
        watcher.bar.finish_and_clear();
        let (total, failure) = (watcher.total, watcher.failure.take());
        match built {
            Ok(mesh) => self.end(&mesh, total, output),
            Err(BuildFailure::Refused(error)) => self.refused("refused", &error.0, output),
            Err(BuildFailure::Stopped { .. }) => failure.map_or(Ok(Done::Conforms), Err),
        }
    }

    fn end(&self, mesh: &NavMesh, total: Duration, output: &mut Output) -> Result<Done, CannotRun> {
        if let Some(path) = &self.output {
            write_file(path, &mesh.to_bytes())?;
        }
        if self.json {
            return Ok(Done::Conforms);
        }
        output.line(format_args!("{:<12} {:>10}", "total", milliseconds(total)))?;
        if mesh.polygon_count() == 0 {
            output.line("there is nothing to walk on: the mesh has no polygons")?;
        }
        Ok(Done::Conforms)
    }

    fn refused(&self, how: &str, error: &Error, output: &mut Output) -> Result<Done, CannotRun> {
        if self.json {
            let error = serde_json::to_value(JsonError::from(error)).map_err(|error| CannotRun(error.to_string()))?;
            output.line(serde_json::json!({ "error": error }))?;
        } else {
            output.line(format_args!("{}{how}{}: {error}", colour::BAD, colour::PLAIN))?;
        }
        Ok(Done::DoesNot)
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Shows, writes and draws each stage when it has run.
struct Watcher<'a> {
    command: &'a Build,
    output: &'a mut Output,
    bar: indicatif::ProgressBar,
    painter: Option<Painter>,
    started: Instant,
    /// Of the stages alone.
    total: Duration,
    failure: Option<CannotRun>,
}

impl<'a> Watcher<'a> {
    fn new(command: &'a Build, output: &'a mut Output, input: &BuildInput) -> Result<Watcher<'a>, CannotRun> {
        if !command.json {
            let (vertices, triangles) = (input.vertices.len(), input.triangles.len());
            output.line(format_args!("{}: {vertices} vertices, {triangles} triangles", command.input.display()))?;
            output.line(format_args!("{:<12} {:>10}  {:<64}  what it made", "stage", "time", "SHA-256"))?;
        }
        let bar = progress(BuildStage::ALL.len(), "{bar:30} {pos}/{len} stages, {elapsed}, {msg}");
        let name = command.input.file_name().unwrap_or_default().to_string_lossy();
        // Settings that are refused have no stage to draw.
        let settings = command.svg.as_ref().and_then(|_| Settings::new(&input.settings).ok());
        let painter = settings.map(|settings| Painter::new(&name, &settings));
        let (started, total) = (Instant::now(), Duration::ZERO);
        Ok(Watcher { command, output, bar, painter, started, total, failure: None })
    }

    fn show(&mut self, stage: BuildStage, output: StageOutput<'_>, time: Duration) -> Result<(), CannotRun> {
        let bytes = output.to_bytes();
        let digest = sha256(&bytes);
        let figures = figures_of(output);
        if let Some(folder) = &self.command.stages {
            write_file(&file_in(folder, stage, if stage == BuildStage::Mesh { "opnm" } else { "bin" }), &bytes)?;
        }
        if let (Some(folder), Some(painter)) = (&self.command.svg, &mut self.painter) {
            write_file(&folder.join(picture::file_name(stage)), painter.draw(stage, output).as_bytes())?;
        }
        if self.command.json {
            let figures = figures.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            let (seconds, bytes) = (time.as_secs_f64(), bytes.len());
            let json = JsonStage { stage: stage.as_str(), seconds, bytes, sha256: &digest, figures };
            let line = serde_json::to_string(&json).map_err(|error| CannotRun(error.to_string()))?;
            return self.output.line(line);
        }
        let words: Vec<String> = figures.iter().map(|(name, value)| format!("{value} {name}")).collect();
        let line = format_args!("{stage:<12} {:>10}  {digest}  {}", milliseconds(time), words.join(", ")).to_string();
        self.bar.suspend(|| self.output.line(line))
    }
}

impl BuildObserver for Watcher<'_> {
    fn begins(&mut self, stage: BuildStage) -> ControlFlow<()> {
        if self.failure.is_some() || self.output.is_closed() {
            return ControlFlow::Break(());
        }
        self.bar.set_message(stage.as_str());
        self.started = Instant::now();
        ControlFlow::Continue(())
    }

    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        let time = self.started.elapsed();
        self.total += time;
        self.failure = self.show(stage, output, time).err();
        self.bar.inc(1);
    }
}

/// The file of a stage: its number, its name, an ending.
fn file_in(folder: &Path, stage: BuildStage, ending: &str) -> PathBuf {
    folder.join(format!("{:02}-{stage}.{ending}", stage.number()))
}
