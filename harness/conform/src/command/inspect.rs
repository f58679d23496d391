//! `conform inspect`: what a file holds, with byte offsets.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use conform::walk::{Field, Value, walk};
use conform::{Format, Recording, read_file};
use crowd_engine::Crowd;
use replay_format::{BuildInput, Error, MeshSnapshot, RECORD_STEP, Setup};
use serde::Serialize;

use super::output::{Output, colour};
use super::{CannotRun, Done};

/// Show what a file holds, with byte offsets.
///
/// FILE is a replay (.oprp), a setup block (.oprs), a live capture (.oplr), a build input (.opbi), a mesh snapshot (.opnm) or a
/// crowd state (.opcs). Each field stands in a line: offset, path, value; hashes and bytes in hexadecimal. Of a malformed file,
/// everything is shown up to where it breaks, then what is wrong with it.
///
/// With --json: one object with `format`, `bytes`, `fields` and `error`. Each field has `offset`, `path`, `type` and `value`.
/// 64-bit integers and doubles are strings, hashes and bytes hexadecimal; a double also has its `bits`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  conform inspect run.oprp | head -40
  conform inspect run.oprp --step 17        the operations and the hash of step 17
  conform inspect state.opcs --json

Exit codes: 0 shown, 1 shown and malformed, 2 could not run.")]
pub(super) struct Inspect {
    /// The file
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show only this step (from 0) of a replay or live capture
    #[arg(long, value_name = "N")]
    step: Option<u64>,
}

/// A field as JSON.
#[derive(Serialize)]
struct JsonField {
    offset: u64,
    path: String,
    #[serde(rename = "type")]
    type_name: &'static str,
    value: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<String>,
}

/// An error as JSON.
#[derive(Serialize)]
pub(super) struct JsonError<'e> {
    stage: &'static str,
    code: &'static str,
    offset: Option<u64>,
    field: &'e str,
    message: String,
}

impl<'e> From<&'e Error> for JsonError<'e> {
    fn from(error: &'e Error) -> JsonError<'e> {
        JsonError {
            stage: error.stage().as_str(),
            code: error.code().as_str(),
            offset: error.offset(),
            field: error.path(),
            message: error.to_string(),
        }
    }
}

impl Inspect {
    pub(super) fn run(&self, output: &mut Output) -> Result<Done, CannotRun> {
        let format = Format::of_path(&self.file, &Format::ALL)?;
        if self.step.is_some() && !matches!(format, Format::Replay | Format::Live) {
            return Err(CannotRun(format!("--step: {}: a {format} has no steps", self.file.display())));
        }
        let bytes = read_file(&self.file)?;
        if let (Some(step), Ok(Some(recording))) = (self.step, Recording::read(format, &bytes))
            && recording.numbered().all(|(index, _)| index != step)
        {
            let (file, steps) = (self.file.display(), recording.steps.len());
            return Err(CannotRun(format!("--step: {file} has {steps} steps, there is no step {step}")));
        }
        let verdict = verdict(format, &bytes);
        self.begin(format, &bytes, output)?;
        self.fields(format, &bytes, output)?;
        self.end(&verdict, output)?;
        Ok(if verdict.is_ok() { Done::Conforms } else { Done::DoesNot })
    }

    fn begin(&self, format: Format, bytes: &[u8], output: &mut Output) -> Result<(), CannotRun> {
        if self.json {
            let name = serde_json::Value::from(format.ending());
            return output.write(format_args!("{{\"format\":{name},\"bytes\":{},\"fields\":[", bytes.len()));
        }
        output.line(format_args!("{}: {format}, {} bytes", self.file.display(), bytes.len()))?;
        if let (Some(step), Ok(Some(recording))) = (self.step, Recording::read(format, bytes)) {
            for line in recording.operations_in_words(step) {
                output.line(line)?;
            }
        }
        Ok(())
    }

    fn fields(&self, format: Format, bytes: &[u8], output: &mut Output) -> Result<(), CannotRun> {
        let width = bytes.len().to_string().len();
        let mut result = Ok(());
        let mut shown = false;
        let mut steps = StepOfField::default();
        walk(format, bytes, |field| {
            let path = field.path.to_string();
            let step = steps.of(field, &path);
            if self.step.is_some() && step != self.step {
                return ControlFlow::Continue(());
            }
            result = if self.json {
                let comma = if shown { "," } else { "" };
                let json =
                    serde_json::to_string(&json_field(field, path)).map_err(|error| CannotRun(error.to_string()));
                json.and_then(|json| output.write(format_args!("{comma}\n{json}")))
            } else {
                output.line(format_args!("{:>width$}  {path:<34} {}", field.offset, field.value))
            };
            shown = true;
            if result.is_err() || output.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        result
    }

    fn end(&self, verdict: &Result<(), Error>, output: &mut Output) -> Result<(), CannotRun> {
        let error = verdict.as_ref().err();
        if self.json {
            let error =
                serde_json::to_string(&error.map(JsonError::from)).map_err(|error| CannotRun(error.to_string()))?;
            return output.line(format_args!("\n],\"error\":{error}}}"));
        }
        match error {
            Some(error) => output.line(format_args!("{}malformed{}: {error}", colour::BAD, colour::PLAIN)),
            None => Ok(()),
        }
    }
}

/// Whether a file can be read and restored. A crowd state alone cannot: what it must fit stands elsewhere.
fn verdict(format: Format, bytes: &[u8]) -> Result<(), Error> {
    match format {
        Format::Replay | Format::Live => match Recording::read(format, bytes)? {
            Some(recording) => recording.player(1).map(drop),
            None => Ok(()),
        },
        Format::Setup => Crowd::restore(&Setup::read(bytes)?).map(drop),
        Format::Build => BuildInput::read(bytes).map(drop),
        Format::Mesh => MeshSnapshot::read(bytes).map(drop),
        Format::State => conform::walk::check_state(bytes),
    }
}

/// Finds out which step a field belongs to, as fields come.
#[derive(Default)]
struct StepOfField {
    /// The step that a live capture's next record belongs to.
    live: u64,
    /// Whether the last record of it has begun.
    ending: bool,
}

impl StepOfField {
    fn of(&mut self, field: &Field<'_, '_>, path: &str) -> Option<u64> {
        if let Some(rest) = path.strip_prefix("steps[") {
            return rest.split(']').next()?.parse().ok();
        }
        let (_, part) = path.strip_prefix("records[")?.split_once(']')?;
        let step = self.live;
        if part == ".kind" {
            self.ending = field.value == Value::U8(RECORD_STEP);
        } else if self.ending {
            self.live += 1;
        }
        Some(step)
    }
}

fn json_field(field: &Field<'_, '_>, path: String) -> JsonField {
    let text = || serde_json::Value::from(field.value.to_string());
    let (value, bits) = match field.value {
        Value::U8(value) => (value.into(), None),
        Value::U32(value) => (value.into(), None),
        Value::I32(value) => (value.into(), None),
        Value::I64(_) | Value::U64(_) => (text(), None),
        Value::F64(value) => (text(), Some(format!("{:016x}", value.0))),
        Value::Magic(letters) => (letters.escape_ascii().to_string().into(), None),
        Value::Bytes(bytes) => (bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(), None),
    };
    JsonField { offset: field.offset, path, type_name: field.value.type_name(), value, bits }
}
