//! What the terminal can show: colours, width, progress.

use super::Cli;
use crate::output::console;
use crate::runner::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to speak.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Colours on standard output.
    pub color: bool,
    /// Colours on standard error.
    pub error_color: bool,
    /// Columns.
    pub width: Option<u16>,
    /// Errors only.
    pub quiet: bool,
}

impl Look {
    pub(super) fn new(cli: &Cli) -> Self {
        // https://no-color.org: set and not empty.
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let wanted =
            !dumb && !cli.no_color && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let width = std::io::stdout()
            .is_terminal()
            .then(|| comfy_table::Table::new().width())
            .flatten();
        Self {
            color: wanted && std::io::stdout().is_terminal(),
            error_color: wanted && std::io::stderr().is_terminal(),
            width,
            quiet: cli.quiet,
        }
    }

    /// For tables.
    pub fn console(&self, verbose: bool) -> console::Look {
        console::Look {
            color: self.color,
            width: self.width,
            verbose,
        }
    }

    /// Width for messages.
    pub fn columns(&self) -> usize {
        self.width.map_or(100, usize::from)
    }
}

/// A bar on standard error, on terminals only.
pub struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(look: &Look) -> Self {
        let target = if look.quiet {
            ProgressDrawTarget::hidden()
        } else {
            // Draws nothing unless standard error is a terminal.
            ProgressDrawTarget::stderr()
        };
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} % · {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(ProgressBar::with_draw_target(Some(0), target).with_style(style))
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

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C asks the runs to stop; the second ends the program at once (files are written
/// under temporary names, so none is ever half-written).
pub fn watch_interrupts() -> &'static AtomicBool {
    // Fails only if a handler is already set, which is then ours.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(super::exit::INTERRUPTED));
        }
    });
    &INTERRUPTED
}
