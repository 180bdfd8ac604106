//! The command line: arguments, dispatch, exit status.

mod args;
mod bath;
mod bless;
mod build;
mod choice;
mod citation;
mod command_facts;
mod compare;
mod defect_page;
mod diff;
mod figures;
mod find;
mod gate;
mod guest;
mod hunt;
mod info;
mod init;
mod inputs;
mod judge;
mod judge_file;
mod model_file;
mod plain;
mod repro;
mod run;
mod scorecard;
mod shard;
mod solver_files;
mod terminal;

pub use args::Cli;

use crate::report::OutputError;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use clap_complete::CompleteEnv;
use document::{Markdown, Markup, wrapped};
use plain::plain;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use whole_file::WriteError;

/// Exit statuses.
pub mod exit {
    /// All checks passed.
    pub const PASSED: u8 = 0;
    /// Some check failed.
    pub const FAILED: u8 = 1;
    /// The usage is wrong, or a file is invalid.
    pub const INVALID: u8 = 2;
    /// A run could not complete.
    pub const INCOMPLETE: u8 = 3;
    /// A file could not be read or written.
    pub const IO: u8 = 4;
    /// Interrupted from the keyboard, as shells report it.
    pub const INTERRUPTED: u8 = 130;
}

/// The reason for which a command gave up; the text is for people.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The usage is wrong, or a file is invalid.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("error: {0}")]
    Io(String),
    /// A report that cannot be written.
    #[error("error: {0}")]
    Output(#[from] OutputError),
    /// A file that cannot be written.
    #[error("error: {0}")]
    Write(#[from] WriteError),
    /// The work is not complete.
    #[error("{0}")]
    Incomplete(String),
    /// Ctrl-C interrupted the command.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

/// A command's standard output and exit status.
pub struct Answer {
    /// Text for standard output.
    pub text: String,
    /// Exit status.
    pub status: u8,
}

impl Answer {
    fn ok(text: String) -> Self {
        Self {
            text,
            status: exit::PASSED,
        }
    }
}

/// The running program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name and its arguments.
    pub arguments: Vec<OsString>,
    /// Git revision that it was built of, which reports state; "unknown" where the build does not know it.
    pub revision: String,
    /// File with its code, whose size and date tell builds apart.
    pub file: Option<PathBuf>,
}

/// Runs the whole program: parses the arguments, runs the command, prints, and returns the exit status.
pub fn main(program: Program) -> u8 {
    let args = program.arguments.clone();
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(Cli::command).var(info::COMPLETE);
    match asked.try_complete(args.clone(), here.as_deref()) {
        Ok(false) => {}
        Ok(true) => return exit::PASSED,
        Err(e) => return e.print().map_or_else(|e| unprinted(&e), |()| exit::INVALID),
    }
    if args.len() <= 1 {
        return say(&args::help());
    }
    // The value lives as long as the program.
    let version: &'static str = match &*program.revision {
        "unknown" => env!("CARGO_PKG_VERSION"),
        revision => format!("{} ({revision})", env!("CARGO_PKG_VERSION")).leak(),
    };
    let parsed = Cli::command().version(version).try_get_matches_from(args);
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) if e.kind() == ErrorKind::InvalidUtf8 => {
            let unread = program.arguments.iter().filter(|a| a.to_str().is_none());
            let unread: Vec<_> = unread
                .map(|a| format!("`{}`", a.to_string_lossy()))
                .collect();
            let text = format!(
                "error: found {}, which is not UTF-8; allowed: names in UTF-8",
                unread.join(", ")
            );
            let printed = writeln!(std::io::stderr(), "{}", plain(&text));
            return printed.map_or_else(|e| unprinted(&e).max(exit::INVALID), |()| exit::INVALID);
        }
        Err(e) => {
            // clap returns help and version as errors; here they are answers.
            let failed = e.use_stderr();
            let status = if failed { exit::INVALID } else { exit::PASSED };
            let text = e.to_string();
            let printed = match plain(&text) {
                same if same == text => e.print(),
                // The message quotes an argument that a terminal would obey.
                changed => write!(std::io::stderr(), "{changed}"),
            };
            return printed.map_or_else(|e| unprinted(&e).max(status), |()| status);
        }
    };
    let terminal = terminal::Terminal::new(&cli, program);
    match dispatch(&cli, &terminal) {
        Ok(answer) => match say(&answer.text) {
            exit::PASSED => answer.status,
            unsaid => unsaid,
        },
        Err(failure) => {
            // Nothing is left to do if standard error itself is closed.
            let text = wrapped(failure.to_string().trim_end(), terminal.errors.width);
            let _ = writeln!(std::io::stderr(), "{}", plain(&text));
            match failure {
                Failure::Invalid(_) => exit::INVALID,
                Failure::Io(_) | Failure::Output(_) | Failure::Write(_) => exit::IO,
                Failure::Incomplete(_) => exit::INCOMPLETE,
                Failure::Interrupted(_) => exit::INTERRUPTED,
            }
        }
    }
}

fn dispatch(cli: &Cli, terminal: &terminal::Terminal) -> Result<Answer, Failure> {
    use args::Command;
    match &cli.command {
        Command::Run(a) => run::run(a, terminal),
        Command::Bless(a) => bless::bless(a, terminal),
        Command::Figures(a) => figures::figures(a, terminal),
        Command::Judge(a) => judge::judge(a, terminal),
        Command::Compare(a) => compare::compare(a, terminal),
        Command::Gate(a) => gate::gate(a, terminal),
        Command::Bath(a) => bath::bath(a, terminal),
        Command::Hunt(a) => hunt::hunt(a, terminal),
        Command::List { what } => Ok(info::list(*what, terminal)),
        Command::Diff(a) => diff::diff(a, terminal),
        Command::Init(a) => init::init(a, terminal),
        Command::Repro(a) => repro::repro(a, terminal),
        Command::Show {
            name, file: true, ..
        } => info::show_file(name, terminal),
        Command::Show { name, markdown, .. } => {
            let page = info::show(name, terminal)?;
            Ok(Answer::ok(match markdown {
                true => Markdown.render(&page),
                false => terminal.shown(&page),
            }))
        }
        Command::Scorecard(a) => scorecard::scorecard(a, terminal),
        Command::Schema { file } => Ok(Answer::ok(info::schema(*file))),
        Command::Man { name } => info::man(name.as_deref()).map(Answer::ok),
        Command::Completions { shell } => Ok(Answer::ok(info::completions(*shell))),
    }
}

/// Prints a text; a reader that has left (`topsim list | head`) is no error.
fn say(text: &str) -> u8 {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(plain(text).as_bytes());
    let flushed = written.and_then(|()| out.flush());
    flushed.map_or_else(|e| unprinted(&e), |()| exit::PASSED)
}

fn unprinted(e: &std::io::Error) -> u8 {
    if e.kind() == std::io::ErrorKind::BrokenPipe {
        return exit::PASSED;
    }
    // Nothing is left to do if standard error itself is closed.
    let text = format!("error: cannot write to standard output: {e}");
    let _ = writeln!(std::io::stderr(), "{text}");
    exit::IO
}
