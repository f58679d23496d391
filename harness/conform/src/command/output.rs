//! Where a command's words go: results to stdout, everything else to stderr. Neither can make the program panic.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::CannotRun;

/// Standard output. A reader that has gone away (`conform … | head`) is no fault: what follows is dropped.
pub(super) struct Output {
    stream: io::BufWriter<anstream::AutoStream<io::Stdout>>,
    closed: bool,
}

impl Output {
    pub(super) fn new() -> Output {
        Output { stream: io::BufWriter::new(anstream::stdout()), closed: false }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), CannotRun> {
        self.write(format_args!("{line}\n"))
    }

    /// Writes something.
    pub(super) fn write(&mut self, text: fmt::Arguments<'_>) -> Result<(), CannotRun> {
        if self.closed {
            return Ok(());
        }
        let written = self.stream.write_fmt(text);
        self.settle(written)
    }

    /// Sees to it that everything is out.
    pub(super) fn flush(&mut self) -> Result<(), CannotRun> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.stream.flush();
        self.settle(flushed)
    }

    fn settle(&mut self, result: io::Result<()>) -> Result<(), CannotRun> {
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => {
                self.closed = true;
                Err(CannotRun(format!("standard output: {error}")))
            }
        }
    }
}

/// Says something on stderr. Where that is closed too, nobody can be told.
pub(super) fn tell(line: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// A progress bar on stderr, where that is a terminal.
pub(super) fn progress(length: usize, template: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(u64::try_from(length).ok(), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A duration as people say it.
pub(super) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// Colours, which [`Output`] takes out again where they are not wanted.
pub(super) mod colour {
    pub(crate) const GOOD: &str = "\u{1b}[32m";
    pub(crate) const BAD: &str = "\u{1b}[31m";
    pub(crate) const PLAIN: &str = "\u{1b}[0m";
}
