//! Why nothing could be judged.

use strict_toml::InvalidFile;
use topsim_protocol::history::HistoryError;
use topsim_protocol::numbers::number;
use topsim_protocol::problem::NotPosed;
use topsim_protocol::solver::SolveError;

/// Why nothing was judged. What a solver does wrong is in the report, and no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// There is no built-in case of this name.
    #[error(
        "error: no case is called `{0}`; allowed: a built-in case (`topsim list cases`), such as `judge_top`, or a \
         problem of your own"
    )]
    UnknownCase(String),
    /// A case file that is not valid.
    #[error(transparent)]
    InvalidCase(#[from] InvalidFile),
    /// The case with this name cannot serve.
    #[error(
        "error: the case `{0}` has no body with an attitude and a run; allowed: cases of a rotating body"
    )]
    NoBody(String),
    /// A torque that topsim does not know, where a reference is needed.
    #[error(
        "error: the case `{0}` has an opaque torque, which topsim cannot integrate; allowed: a solver with --relations only"
    )]
    Opaque(String),
    /// Cases, steps or an end that cannot be posed to a solver.
    #[error("{}", lines(.0, |e| format!("error: {e}")))]
    NotPosed(Vec<NotPosed>),
    /// Faults of histories, each with the names of the files that have it.
    #[error("{}", lines(.0, |(names, e)| format!("error: {}:{e}{}", names[0], too(&names[1..]))))]
    InvalidHistories(Vec<(Vec<String>, HistoryError)>),
    /// Histories that cannot be read, by their names.
    #[error("{}", lines(.0, |(name, e)| format!("cannot read {name}: {e}")))]
    Unreadable(Vec<(String, std::io::Error)>),
    /// Two histories of the same step, or nearly so.
    #[error(
        "error: {} and {}: found rows {} s and {} s apart, which are no two steps of a ladder; allowed: steps that \
         differ, by `--steps H,H,…` for the files in their order where the spacing of the rows is not the step",
        .names[0], .names[1], number(.steps[0]), number(.steps[1])
    )]
    SameStep {
        /// Names of the two.
        names: [String; 2],
        /// Their steps, s.
        steps: [f64; 2],
    },
    /// A history whose times seem to be in another unit.
    #[error(
        "error: {name}: found times up to {}, {times} times the case's end of {} s: are they in {unit}? allowed: times in s, or a \
         header with their unit, `t [{unit}]`",
        number(*.last), number(*.end)
    )]
    TimeUnit {
        /// Name of the history.
        name: String,
        /// Its last time.
        last: f64,
        /// End of the case, s.
        end: f64,
        /// Quotient of both, rounded.
        times: f64,
        /// Unit in which its times would be right.
        unit: &'static str,
    },
    /// Somebody stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// Kinds of errors, as a program may want to tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeErrorKind {
    /// What was given cannot be judged.
    Invalid,
    /// A file cannot be read.
    Io,
    /// Somebody stopped it.
    Interrupted,
}

impl JudgeError {
    /// What kind of error it is.
    pub fn kind(&self) -> JudgeErrorKind {
        match self {
            Self::Unreadable(_) => JudgeErrorKind::Io,
            Self::Interrupted => JudgeErrorKind::Interrupted,
            Self::UnknownCase(_)
            | Self::InvalidCase(_)
            | Self::NoBody(_)
            | Self::NotPosed(_)
            | Self::Opaque(_)
            | Self::InvalidHistories(_)
            | Self::TimeUnit { .. }
            | Self::SameStep { .. } => JudgeErrorKind::Invalid,
        }
    }
}

impl From<SolveError> for JudgeError {
    fn from(e: SolveError) -> Self {
        match e {
            SolveError::NotPosed(why) => why.into(),
            SolveError::Interrupted => Self::Interrupted,
        }
    }
}

impl From<NotPosed> for JudgeError {
    fn from(e: NotPosed) -> Self {
        Self::NotPosed(vec![e])
    }
}

fn lines<T>(all: &[T], line: impl Fn(&T) -> String) -> String {
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Other files with the same fault.
fn too(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(" (the same in {})", names.join(", ")),
    }
}
