//! The capabilities of the terminal: colours, width, progress.

use super::{Cli, Failure, Program};
use crate::report::{self, invalid};
use crate::run::Progress;
use document::{Console, Document, Markup};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use strict_toml::InvalidFile;
use tiles::CellProgress;

/// Smallest width that is assumed, in columns: no text or table fits into fewer.
const LEAST_WIDTH: u16 = 40;

/// Style of the output of a command.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// The running program.
    pub program: Program,
    /// Standard output; in a pipe its columns are those of the variable COLUMNS, or 100.
    pub console: Console,
    /// Standard error; it has columns only if it is a terminal.
    pub errors: Console,
    /// Request to print errors only.
    pub quiet: bool,
}

impl Terminal {
    pub(super) fn new(cli: &Cli, program: Program) -> Self {
        // NO_COLOR counts if it is set and not empty (https://no-color.org).
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let wanted =
            !dumb && !cli.no_color && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let (out, errors) = (std::io::stdout(), std::io::stderr());
        let width = match out.is_terminal() {
            true => Console::output_width(),
            false => std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()),
        };
        let console = |color: bool, width: Option<u16>| Console {
            color: wanted && color,
            width: width.map(|width| width.max(LEAST_WIDTH)),
        };
        Self {
            program,
            console: console(out.is_terminal(), width.or(Some(100))),
            errors: console(errors.is_terminal(), Console::error_width()),
            quiet: cli.quiet,
        }
    }

    /// Returns the style of a report.
    pub fn text_style(&self, verbose: bool) -> report::TextStyle {
        report::TextStyle {
            console: self.console,
            verbose,
            quiet: self.quiet,
        }
    }

    /// Returns a document as it is shown.
    pub fn shown(&self, document: &Document) -> String {
        self.console.render(document)
    }

    /// Returns the failure that shows the mistakes in a file.
    pub(super) fn invalid(&self, file: &InvalidFile) -> Failure {
        // Messages are wrapped, because they are prose.
        let width = self.errors.width.or(self.console.width);
        let columns = width.map_or(100, |width| width.min(100));
        Failure::Invalid(invalid::render(file, self.errors.color, columns.into()))
    }

    /// Returns a progress bar on standard error, which draws nothing unless that is a terminal.
    fn bar(&self) -> ProgressBar {
        let target = match self.quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        ProgressBar::with_draw_target(Some(0), target)
    }

    /// Returns a bar that shows a message and the time since now.
    pub(super) fn spinner(&self) -> ProgressBar {
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        let bar = self.bar().with_style(style.expect("the template is valid"));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// A progress bar on standard error, on terminals only.
pub struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(terminal: &Terminal) -> Self {
        let bar = Self(terminal.bar());
        bar.style("{wide_bar} {percent:>3} % · {eta} left");
        bar
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.0.set_style(style.expect("the template is valid"));
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn total(&self, steps: u64) {
        self.0.set_length(steps);
    }
    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl CellProgress for Bar {
    fn begin(&self, cells: u64) {
        self.style("{wide_bar} {pos}/{len} cells · {per_sec} · {eta} left");
        self.0.reset();
        self.0.set_length(cells);
    }
    fn cells(&self, cells: u64) {
        self.0.inc(cells);
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A second signal within this time counts as the first: `timeout` sends SIGTERM to a program and to its group.
const SAME: Duration = Duration::from_secs(1);

/// Listens for Ctrl-C: the first asks the runs to stop, a later one ends the program at once (files are written under
/// temporary names, so none is ever half-written).
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
