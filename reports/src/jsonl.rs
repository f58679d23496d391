//! The report of record: JSON Lines.
//!
//! One object a line, UTF-8, each with one key that says what the line is: `{"header": …}` first, a `{"case": …}` for each
//! case in order of kind, then name, `{"footer": …}` last. Every `u64` is a string of decimal digits, every smaller integer a
//! number. Each line is written and flushed whole, so a run that is killed leaves the lines before it, and no footer.
//!
//! The reader takes nothing on trust: it demands the footer, counts the lines again and compares. Per line it checks, in this
//! order: nothing follows the footer; the line is JSON; the first is a header, of the right schema version; the fields; the
//! line's place; the rules of the model; for the footer, the counts. The first fault is the error.

use crate::{
    CaseResult, Footer, Header, ReadError, Run, WriteError,
    header::SCHEMA,
    model::{Tally, Verdict},
};
use serde::{Deserialize, Serialize};
use std::io;

/// Writes a report line by line, as the results come. The cases are counted here; the footer is not for the caller to say.
#[derive(Debug)]
pub struct Writer<W: io::Write> {
    out: W,
    tally: Tally,
}

impl<W: io::Write> Writer<W> {
    /// Checks the header and writes its line.
    pub fn new(out: W, header: &Header) -> Result<Self, WriteError> {
        let mut writer = Self { tally: Tally::new(header)?, out };
        writer.write_line(&WrittenLine::Header(header))?;
        Ok(writer)
    }

    /// Checks the case and writes its line. It has to come after every case written before, in order of kind, then name.
    pub fn write_case(&mut self, case: &CaseResult) -> Result<(), WriteError> {
        self.tally.check(case)?;
        self.write_line(&WrittenLine::Case(case))?;
        Ok(self.tally.add(case)?)
    }

    /// Writes the footer and gives the output back. `duration_ms`: from the start of the run to its end. A run that was
    /// stopped is finished too: with fewer cases than were selected it is incomplete.
    pub fn finish(mut self, duration_ms: u64) -> Result<(W, Footer), WriteError> {
        let footer = self.tally.footer(duration_ms);
        self.write_line(&WrittenLine::Footer(&footer))?;
        Ok((self.out, footer))
    }

    fn write_line(&mut self, line: &WrittenLine<'_>) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        self.out.flush()
    }
}

/// Writes a whole run at once.
pub fn write_run<W: io::Write>(out: W, run: &Run) -> Result<(), WriteError> {
    let mut writer = Writer::new(out, run.header())?;
    for case in run.cases() {
        writer.write_case(case)?;
    }
    writer.finish(run.footer().duration_ms)?;
    Ok(())
}

/// Reads a report back. The line feed after the footer may be missing; anything else that is missing is an error.
pub fn read_run<R: io::BufRead>(mut input: R) -> Result<Run, ReadError> {
    let Some(first) = RawLine::next(&mut input, 0)? else {
        return Err(ReadError::NoHeader { found: "the input is empty" });
    };
    let header = read_header(&first)?;
    let in_line = |line| move |source| ReadError::Model { line, source };
    let mut tally = Tally::new(&header).map_err(in_line(1))?;
    let (mut number, mut cases) = (1, vec![]);
    loop {
        let Some(raw) = RawLine::next(&mut input, number)? else {
            return Err(ReadError::CutShort { line: number, cases: tally.cases() });
        };
        number = raw.number;
        match raw.parse(tally.cases())? {
            Line::Header(_) => return Err(ReadError::SecondHeader { line: number }),
            Line::Case(case) => {
                tally.add(&case).map_err(in_line(number))?;
                cases.push(case);
            }
            Line::Footer(stated) => {
                let counted = tally.footer(stated.duration_ms);
                check_footer(&stated, &counted, number)?;
                if RawLine::next(&mut input, number)?.is_some() {
                    return Err(ReadError::AfterFooter { line: number + 1 });
                }
                return Run::new(header, cases, stated.duration_ms).map_err(in_line(number));
            }
        }
    }
}

/// What is written; borrowed.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenLine<'a> {
    Header(&'a Header),
    Case(&'a CaseResult),
    Footer(&'a Footer),
}

/// What is read; owned.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Header(Box<Header>),
    Case(CaseResult),
    Footer(Footer),
}

/// A line as it stands in the input, without its line feed.
struct RawLine {
    number: u64,
    bytes: Vec<u8>,
    /// Whether a line feed followed. Only the last line of an input can be without.
    ended: bool,
}

impl RawLine {
    /// The line after line `before`, or none at the end of the input.
    fn next(input: &mut impl io::BufRead, before: u64) -> io::Result<Option<Self>> {
        let mut bytes = vec![];
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let ended = bytes.pop_if(|last| *last == b'\n').is_some();
        Ok(Some(Self { number: before + 1, bytes, ended }))
    }

    /// `cases`: whole cases before this line, for the error of a line that breaks off.
    fn parse<T: for<'de> Deserialize<'de>>(&self, cases: u32) -> Result<T, ReadError> {
        serde_json::from_slice(&self.bytes).map_err(|error| {
            let (line, column) = (self.number, error.column());
            // The JSON reader counts lines as well, within what it was given: always line 1.
            let position = format!(" at line {} column {}", error.line(), error.column());
            let message = error.to_string().trim_end_matches(&position).to_owned();
            match error.classify() {
                serde_json::error::Category::Data => ReadError::NotALine { line, column, message },
                _ if !self.ended => ReadError::CutShort { line, cases },
                _ => ReadError::NotJson { line, column, message },
            }
        })
    }
}

/// Looks at the schema version before anything else: the fields of another version mean nothing here.
fn read_header(raw: &RawLine) -> Result<Header, ReadError> {
    let value: serde_json::Value = raw.parse(0)?;
    let Some(header) = value.get("header") else {
        return Err(ReadError::NoHeader { found: "line 1 is something else" });
    };
    let schema = header.get("schema");
    if schema.and_then(serde_json::Value::as_u64) != Some(SCHEMA.into()) {
        let found = schema.map_or("missing".into(), ToString::to_string);
        return Err(ReadError::UnknownSchema { found, supported: SCHEMA });
    }
    match raw.parse(0)? {
        Line::Header(header) => Ok(*header),
        Line::Case(_) | Line::Footer(_) => Err(ReadError::NoHeader { found: "line 1 is something else" }),
    }
}

/// Compares in the order of the fields.
fn check_footer(stated: &Footer, counted: &Footer, line: u64) -> Result<(), ReadError> {
    let verdict = |verdict: Verdict| format!("`{verdict}`");
    let fields: [(&'static str, String, String); 9] = [
        ("cases", stated.cases.to_string(), counted.cases.to_string()),
        ("checks", stated.checks.to_string(), counted.checks.to_string()),
        ("passed", stated.passed.to_string(), counted.passed.to_string()),
        ("failed", stated.failed.to_string(), counted.failed.to_string()),
        ("errors", stated.errors.to_string(), counted.errors.to_string()),
        ("not_comparable", stated.not_comparable.to_string(), counted.not_comparable.to_string()),
        ("steps", stated.steps.to_string(), counted.steps.to_string()),
        ("agent_steps", stated.agent_steps.to_string(), counted.agent_steps.to_string()),
        ("verdict", verdict(stated.verdict), verdict(counted.verdict)),
    ];
    match fields.into_iter().find(|(_, stated, counted)| stated != counted) {
        Some((field, stated, counted)) => Err(ReadError::FooterDisagrees { line, field, stated, counted }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
