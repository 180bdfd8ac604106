//! Reasons why a number could not be measured.

use super::IncompleteStudy;
use topsim_core::reference::NoReference;
use topsim_core::schemes::steps::Halt;
use topsim_core::verdict::Fineness;
use topsim_levitron::NoValue;

/// Reason why a number could not be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// The history has no column or group of this name.
    #[error("the history has no column or group `{0}`")]
    NoQuantity(String),
    /// The history has no column of this name.
    #[error("the history has no column `{0}`")]
    NoColumn(String),
    /// The column is known at the samples only.
    #[error("`{0}` is not followed at every step; its drift rate is unknown")]
    NotTracked(String),
    /// So many runs of an ensemble failed that the number does not exist.
    #[error("so many runs failed that there is no such number")]
    RunsFailed,
    /// A report that was read back states this reason.
    #[error("{0}")]
    Stated(String),
    /// The last step is missing.
    #[error("the run did not reach its end")]
    NoEnd,
    /// A number of the whole run means nothing on a part of it.
    #[error("the run ended early, after {0} steps")]
    EndedEarly(u64),
    /// The run ended before this time, s.
    #[error("the run did not reach t = {0}")]
    NotReached(f64),
    /// The samples are too far apart: the time asked for and that of the next sample, s.
    #[error("no sample at t = {0}: the next one is at {1}; let `run.sample` divide it")]
    NoSample(f64, f64),
    /// The samples end before this time, s.
    #[error("the run has no sample at or after t = {0}")]
    NoSampleAfter(f64),
    /// No sample lies between these times, s.
    #[error("no sample between t = {0} and {1}")]
    NoSampleBetween(f64, f64),
    /// The worst sample was asked for by a metric without errors.
    #[error("`worst` belongs to the metric `error`")]
    WorstOfError,
    /// The worst sample between two times was asked for by a metric without errors.
    #[error("`worst` belongs to the metrics `error` and `order`")]
    WorstOfErrors,
    /// The quantity has another number of components than the value.
    #[error("`{0}` has {1} components, the value {2}")]
    OtherComponents(String, usize, usize),
    /// The group has several components, and no value to compare them with is given.
    #[error("`{0}` has {1} components; give as many values")]
    NoComponents(String, usize),
    /// The initial value is zero, so that nothing can be divided by it.
    #[error("{0} starts at zero: give `scale` a number")]
    StartsAtZero(String),
    /// The case has no reference.
    #[error(transparent)]
    NoReference(#[from] NoReference),
    /// The reference knows nothing of this quantity.
    #[error("the reference has no `{0}`: it depends on the scheme")]
    NotInReference(String),
    /// The amount of work is unknown.
    #[error("the solver does not state its torque evaluations")]
    NoWork,
    /// The number of the step map was not measured.
    #[error("it was not measured")]
    NotMeasured,
    /// The evaluations of the torque were not counted.
    #[error("the torque evaluations of this body are not counted")]
    NotCounted,
    /// The scheme states another number of evaluations than was counted.
    #[error("the scheme says {0} torque evaluations in the first steps, and {1} were counted")]
    OtherwiseCounted(u64, u64),
    /// The steps back failed.
    #[error("on the way back: {0}")]
    WayBack(Halt),
    /// The steps for a number of the step map were not finished.
    #[error(transparent)]
    Halted(#[from] Halt),
    /// The case has no event of this name.
    #[error("the case has no event `{0}`")]
    NoEvent(String),
    /// The event happened fewer times than were asked for.
    #[error("event `{0}` happened {1} times, not {2}")]
    TooFewEvents(String, usize, u32),
    /// The run had more events than are kept.
    #[error("{0} events were not kept")]
    EventsDropped(u64),
    /// The case has no baseline yet.
    #[error("there is no baseline yet: `topsim bless CASE.toml --accept` makes one")]
    NoBaseline,
    /// The baseline has no rows of this run.
    #[error("the baseline has no rows for {0}, {1}")]
    NotInBaseline(String, Fineness),
    /// A column of the baseline is gone.
    #[error("the run has no column {0} of the baseline")]
    NoBaselineColumn(String),
    /// A sample of the baseline is gone.
    #[error("the run has no sample at the baseline's t = {0}")]
    NoBaselineSample(f64),
    /// The blessed run has no rows.
    #[error("the baseline of this run is empty")]
    EmptyBaseline,
    /// A wave cannot be told from a line.
    #[error("the samples do not cover one period of the oscillation")]
    NoPeriod,
    /// The number is NaN or infinite.
    #[error("not a number")]
    NotANumber,
    /// The number is NaN or infinite at a step of a ladder.
    #[error("not a number at h = {0}")]
    NotANumberAt(f64),
    /// Too few steps of the ladder have errors above the round-off floor.
    #[error("{0} of {1} steps stand above the round-off floor; an order needs three")]
    TooFewSteps(usize, usize),
    /// The error of the reference, of which this is the largest, hides those of the steps.
    #[error(
        "the reference itself is good to {0:.1e} only, and hides the errors of the steps: no verdict"
    )]
    HiddenByReference(f64),
    /// The selection has no run.
    #[error("no run fits the selection")]
    NoRun,
    /// The case has no study of this name.
    #[error("the study `{0}` was not computed")]
    NoStudy(String),
    /// The study has no number of this name.
    #[error("the study has no number `{0}`")]
    NoNumber(String),
    /// A number of a study of a Levitron has no value.
    #[error(transparent)]
    NoValue(#[from] NoValue),
    /// The study could not be made.
    #[error(transparent)]
    Incomplete(#[from] IncompleteStudy),
    /// Fewer than two medians of an ensemble can show an order.
    #[error("no two medians stand between rounding and what is lost")]
    RoundOff,
}

impl From<String> for MeasurementError {
    fn from(reason: String) -> Self {
        Self::Stated(reason)
    }
}
