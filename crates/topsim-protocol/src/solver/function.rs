//! A solver that is a function of this process, and what both kinds of solvers are read by.

use super::command::SolverCommand;
use super::mark::Mark;
use super::process::{Process, ProcessEnd, first_line};
use std::fmt;
use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a function makes of one problem: the CSV that a command would print.
pub type FunctionAnswer = Result<String, FunctionFailure>;

/// Why a function gave no rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionFailure {
    /// It cannot do this problem, for this reason: no failure.
    Skipped(String),
    /// It failed: what happened, and lines that help to find the place, such as a traceback.
    Failed {
        /// In one sentence.
        message: String,
        /// The last lines.
        lines: Vec<String>,
    },
}

/// A function that is given a problem as a line of JSON, as a command is on its standard input.
#[derive(Clone)]
pub struct SolverFunction {
    name: String,
    answer: Arc<Answering>,
}

/// The bytes that a command would print, or why there are none.
type Answering = dyn Fn(&str) -> Result<Vec<u8>, FunctionFailure> + Send + Sync;

impl SolverFunction {
    /// A function under the name that reports show.
    pub fn new(
        name: impl Into<String>,
        answer: impl Fn(&str) -> FunctionAnswer + Send + Sync + 'static,
    ) -> Self {
        Self::of_bytes(name, move |problem| answer(problem).map(String::into_bytes))
    }

    /// A function whose answers are bytes, such as those of arrays that answer [batches](crate::problem::ProblemBatch).
    pub fn of_bytes(
        name: impl Into<String>,
        answer: impl Fn(&str) -> Result<Vec<u8>, FunctionFailure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            answer: Arc::new(answer),
        }
    }

    /// Its answer, as that of a command that has ended.
    fn output(&self, problem: &[u8]) -> Output<'static> {
        let problem = String::from_utf8_lossy(problem);
        let (text, mut ended) = match (self.answer)(problem.trim_end()) {
            Ok(text) => (text, ProcessEnd::default()),
            Err(FunctionFailure::Skipped(reason)) => (
                Vec::new(),
                ProcessEnd {
                    skip: Some(reason),
                    ..ProcessEnd::default()
                },
            ),
            Err(FunctionFailure::Failed { message, lines }) => (
                Vec::new(),
                ProcessEnd {
                    raised: Some(message),
                    stderr: lines,
                    ..ProcessEnd::default()
                },
            ),
        };
        ended.first_line = first_line(&text);
        Output::Text(Cursor::new(text), Box::new(ended))
    }
}

impl fmt::Debug for SolverFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SolverFunction").field(&self.name).finish()
    }
}

/// What is judged: a command that is started for each problem, or a function that is called.
#[derive(Debug, Clone)]
pub enum SolverProgram {
    /// A command.
    Command(SolverCommand),
    /// A function.
    Function(SolverFunction),
}

impl SolverProgram {
    /// The command as the user wrote it, or the name of the function.
    pub fn text(&self) -> &str {
        match self {
            Self::Command(command) => command.text(),
            Self::Function(function) => &function.name,
        }
    }
    /// The first word of the command, or the name of the function.
    pub(super) fn program(&self) -> &str {
        match self {
            Self::Command(command) => command.program(),
            Self::Function(function) => &function.name,
        }
    }
    /// Has it answer problems in a version of the protocol.
    ///
    /// # Errors
    /// Where a command cannot be started.
    pub(super) fn start<'a>(
        &self,
        mark: &Mark,
        (problems, protocol, tolerance): (Vec<u8>, u32, Option<f64>),
        limit: Duration,
        interrupt: &'a AtomicBool,
    ) -> std::io::Result<Output<'a>> {
        match self {
            Self::Command(command) => {
                let command = command.command(tolerance);
                Process::start(
                    (command, mark),
                    Some((problems, protocol)),
                    limit,
                    interrupt,
                )
                .map(|process| Output::Process(Box::new(process)))
            }
            Self::Function(function) => Ok(function.output(&problems)),
        }
    }
    /// Returns whether the command line has a place for the tolerance.
    pub fn takes_tolerance(&self) -> bool {
        matches!(self, Self::Command(command) if command.takes_tolerance())
    }
    /// Whether one start can answer several problems.
    pub(super) fn may_take_several(&self) -> bool {
        matches!(self, Self::Command(_))
    }
}

impl From<SolverCommand> for SolverProgram {
    fn from(command: SolverCommand) -> Self {
        Self::Command(command)
    }
}

impl From<SolverFunction> for SolverProgram {
    fn from(function: SolverFunction) -> Self {
        Self::Function(function)
    }
}

/// The output of a solver as a stream, and how it ended.
pub(super) enum Output<'a> {
    Process(Box<Process<'a>>),
    Text(Cursor<Vec<u8>>, Box<ProcessEnd>),
}

impl Output<'_> {
    pub fn finish(self) -> ProcessEnd {
        match self {
            Self::Process(process) => process.finish(),
            Self::Text(_, ended) => *ended,
        }
    }

    /// Gives a process the time limit anew.
    pub fn renew(&mut self, limit: Duration) {
        if let Self::Process(process) = self {
            process.renew(limit);
        }
    }
}

impl Read for Output<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Process(process) => process.read(bytes),
            Self::Text(text, _) => text.read(bytes),
        }
    }
}
