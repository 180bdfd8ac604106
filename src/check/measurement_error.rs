//! Why a number could not be measured.

use super::NoNumber;
use topsim_core::reference::NoReference;
use topsim_core::schemes::probe::Halt;

/// Why a number could not be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// Nothing of this name in the history.
    #[error("the history has no column or group `{0}`")]
    NoQuantity(String),
    /// No column of this name in the history.
    #[error("the history has no column `{0}`")]
    NoColumn(String),
    /// A column that is known at the samples only.
    #[error("`{0}` is not followed at every step; its drift rate is unknown")]
    NotTracked(String),
    /// Of the runs of an ensemble so many failed.
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
    /// The run is shorter than that.
    #[error("the run did not reach t = {0}")]
    NotReached(f64),
    /// The samples are too far apart.
    #[error("no sample at t = {t}: the next one is at {next}; let `run.sample` divide it")]
    NoSample {
        /// Time asked for, s.
        t: f64,
        /// Time of the next sample, s.
        next: f64,
    },
    /// The samples end before.
    #[error("the run has no sample at or after t = {0}")]
    NoSampleAfter(f64),
    /// The samples are too far apart.
    #[error("no sample between t = {from} and {to}")]
    NoSampleBetween {
        /// From, s.
        from: f64,
        /// To, s.
        to: f64,
    },
    /// The worst sample is one of an error.
    #[error("`worst` belongs to the metric `error`")]
    WorstOfError,
    /// The worst sample between two times is one of an error.
    #[error("`worst` belongs to the metrics `error` and `order`")]
    WorstOfErrors,
    /// A value with another number of components.
    #[error("`{quantity}` has {has} components, the value {given}")]
    OtherComponents {
        /// Column or group.
        quantity: String,
        /// Components of the quantity.
        has: usize,
        /// Components of the value.
        given: usize,
    },
    /// A group that is compared with no value.
    #[error("`{quantity}` has {has} components; give as many values")]
    NoComponents {
        /// The group.
        quantity: String,
        /// Its components.
        has: usize,
    },
    /// Nothing can be divided by the initial value.
    #[error("{0} starts at zero: give `scale` a number")]
    StartsAtZero(String),
    /// There is nothing to compare with.
    #[error(transparent)]
    NoReference(#[from] NoReference),
    /// The reference knows nothing of this quantity.
    #[error("the reference has no `{0}`: it depends on the scheme")]
    NotInReference(String),
    /// Nobody said how much work it was.
    #[error("the solver does not state its torque evaluations")]
    NoWork,
    /// The step map was not probed.
    #[error("it was not measured")]
    NotProbed,
    /// Nobody counted the evaluations of the torque.
    #[error("the torque evaluations of this body are not counted")]
    NotCounted,
    /// The scheme does not say what it does.
    #[error(
        "the scheme says {said} torque evaluations in the first steps, and {counted} were counted"
    )]
    OtherwiseCounted {
        /// By the scheme.
        said: u64,
        /// By the torque.
        counted: u64,
    },
    /// The steps back failed.
    #[error("on the way back: {0}")]
    WayBack(Halt),
    /// A probe of the step map failed.
    #[error(transparent)]
    Probe(#[from] Halt),
    /// No event of this name.
    #[error("the case has no event `{0}`")]
    NoEvent(String),
    /// It did not happen that often.
    #[error("event `{event}` happened {found} times, not {wanted}")]
    TooFewEvents {
        /// Name.
        event: String,
        /// How often it happened.
        found: usize,
        /// Which one was asked for.
        wanted: u32,
    },
    /// More events than are kept.
    #[error("{0} events were not kept")]
    EventsDropped(u64),
    /// Nothing was blessed.
    #[error("there is no baseline yet: `topsim bless CASE.toml --accept` makes one")]
    NoBaseline,
    /// This run was not blessed.
    #[error("the baseline has no rows for {scheme}, step {step}")]
    NotInBaseline {
        /// Scheme label.
        scheme: String,
        /// Step as the case writes it.
        step: String,
    },
    /// A column of the baseline is gone.
    #[error("the run has no column {0} of the baseline")]
    NoBaselineColumn(String),
    /// A sample of the baseline is gone.
    #[error("the run has no sample at the baseline's t = {0}")]
    NoBaselineSample(f64),
    /// A blessed run without rows.
    #[error("the baseline of this run is empty")]
    EmptyBaseline,
    /// A wave cannot be told from a line.
    #[error("the samples do not cover one period of the oscillation")]
    NoPeriod,
    /// NaN or infinity.
    #[error("not a number")]
    NotANumber,
    /// NaN or infinity at a step of a ladder.
    #[error("not a number at h = {0}")]
    NotANumberAt(f64),
    /// What lies below the round-off floor shows no order.
    #[error("{above} of {of} steps stand above the round-off floor; an order needs three")]
    TooFewSteps {
        /// Steps above the floor.
        above: usize,
        /// Steps in all.
        of: usize,
    },
    /// Nothing was selected.
    #[error("no run fits the selection")]
    NoRun,
    /// No study of this name.
    #[error("the study `{0}` was not computed")]
    NoStudy(String),
    /// No number of this name.
    #[error("the study has no number `{0}`")]
    NoNumber(String),
    /// The number of the study has no value.
    #[error(transparent)]
    NoValue(#[from] NoNumber),
}

impl From<String> for MeasurementError {
    fn from(reason: String) -> Self {
        Self::Stated(reason)
    }
}
