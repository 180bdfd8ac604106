//! The capabilities of the terminal: colours, width, progress.

use super::{Cli, Failure};
use crate::report::{self, invalid};
use crate::run::Progress;
use document::{Console, Document, Markup};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use strict_toml::InvalidFile;
use tiles::CellProgress;

/// Smallest width that is assumed, in columns: no text or table fits into fewer.
const LEAST_WIDTH: u16 = 40;

/// Style of the output of a command.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// Revision of the program.
    pub revision: String,
    /// Whether standard output has colours.
    pub color: bool,
    /// Whether standard error has colours.
    pub error_color: bool,
    /// Columns of the terminal; in a pipe those of the variable COLUMNS, or 100.
    pub width: u16,
    /// Columns of the terminal on standard error, if it is one.
    pub error_width: Option<u16>,
    /// Whether only errors are printed.
    pub quiet: bool,
}

impl Terminal {
    pub(super) fn new(cli: &Cli, revision: &str) -> Self {
        // NO_COLOR counts if it is set and not empty (https://no-color.org).
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let wanted =
            !dumb && !cli.no_color && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let least = |width: u16| width.max(LEAST_WIDTH);
        let width = match std::io::stdout().is_terminal() {
            true => Console::output_width(),
            false => std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()),
        };
        Self {
            revision: revision.into(),
            color: wanted && std::io::stdout().is_terminal(),
            error_color: wanted && std::io::stderr().is_terminal(),
            width: least(width.unwrap_or(100)),
            error_width: Console::error_width().map(least),
            quiet: cli.quiet,
        }
    }

    /// Returns the style of a report.
    pub fn text_style(&self, verbose: bool) -> report::TextStyle {
        report::TextStyle {
            console: self.console(),
            verbose,
            quiet: self.quiet,
        }
    }

    fn console(&self) -> Console {
        Console {
            color: self.color,
            width: Some(self.width),
        }
    }

    /// Returns a document as it is shown.
    pub fn shown(&self, document: &Document) -> String {
        self.console().render(document)
    }

    /// Returns the failure that shows the mistakes in a file.
    pub(super) fn invalid(&self, file: &InvalidFile) -> Failure {
        // The messages are prose.
        let columns = usize::from(self.error_width.unwrap_or(self.width)).min(100);
        Failure::Invalid(invalid::render(file, self.error_color, columns))
    }

    /// Returns a progress bar on standard error, which draws nothing unless that is a terminal.
    fn bar(&self) -> ProgressBar {
        ProgressBar::with_draw_target(
            Some(0),
            match self.quiet {
                true => ProgressDrawTarget::hidden(),
                false => ProgressDrawTarget::stderr(),
            },
        )
    }

    /// Returns a bar that shows a message and the time since now.
    pub(super) fn spinner(&self) -> ProgressBar {
        let bar = self.bar();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// A progress bar on standard error, on terminals only.
pub struct Bar {
    bar: ProgressBar,
    /// The start of the current map and the steps made since then.
    map: Mutex<Option<(Instant, u64)>>,
}

impl Bar {
    pub(super) fn new(terminal: &Terminal) -> Self {
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} % · {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Self {
            bar: terminal.bar().with_style(style),
            map: Mutex::new(None),
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn total(&self, steps: u64) {
        self.bar.set_length(steps);
    }
    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }
}

impl CellProgress for Bar {
    fn begin(&self, cells: u64) {
        let style = "{wide_bar} {pos}/{len} cells · {msg} · {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_length(cells);
        *self.map.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), 0));
    }
    fn cells(&self, cells: u64) {
        self.bar.inc(cells);
    }
    fn steps(&self, steps: u64) {
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, made)) = map.as_mut() {
            *made += steps;
            let seconds = since.elapsed().as_secs_f64();
            if seconds > 0.0 {
                let rate = *made as f64 * 1e-6 / seconds;
                self.bar.set_message(format!("{rate:.0} Mstep/s"));
            }
        }
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A second signal within this time counts as the first: `timeout` sends SIGTERM to a program and to its group.
const SAME: Duration = Duration::from_secs(1);

/// The first Ctrl-C asks the runs to stop; a later one ends the program at once (files are written
/// under temporary names, so none is ever half-written).
pub fn watch_interrupts() -> &'static AtomicBool {
    // This fails only if a handler is already set, which is then ours.
    let _ = ctrlc::set_handler(|| {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        let first = FIRST.get_or_init(Instant::now);
        if INTERRUPTED.swap(true, Ordering::Relaxed) && first.elapsed() > SAME {
            std::process::exit(i32::from(super::exit::INTERRUPTED));
        }
    });
    &INTERRUPTED
}
