//! Requirements of metrics and studies beside the runs.

use super::{Metric, StepWork};
use crate::check::RunTime;
use crate::check::selection::{QuantityKind, RequestedQuantity};
use serde::{Deserialize, Serialize};

/// Requirements of a metric or a study over the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Needs<'a> {
    /// Column or group of columns.
    pub quantity: Option<RequestedQuantity<'a>>,
    /// Name of an event.
    pub event: Option<&'a str>,
    /// A study and the name of its number; runs are then not looked at.
    pub study: Option<(&'a str, &'a str)>,
    /// Time of the rows.
    pub time: Option<RunTime>,
    /// A reference that is known at any time.
    pub reference: bool,
    /// Three steps or more of each scheme, judged together.
    pub ladder: bool,
    /// A fact on the step map, measured beside the run.
    pub step_fact: Option<StepFact>,
    /// The blessed baseline.
    pub baseline: bool,
    /// A value for each component of a group.
    pub components: bool,
}

/// A fact on the step map, which is measured beside a run where a check or a study asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepFact {
    /// The row measured after all steps forward and as many back.
    Back,
    /// The symplectic defect of one step.
    SymplecticDefect,
    /// The counted torque evaluations of the first steps.
    Evaluations,
    /// The time of the bare steps.
    Seconds,
}

impl<'a> Needs<'a> {
    /// Requires a column.
    pub(crate) fn column(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::Column)
    }
    /// Requires a column that is followed at every step.
    pub(crate) fn tracked_column(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::TrackedColumn)
    }
    /// Requires a column or a group of columns.
    pub(crate) fn column_or_group(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::ColumnOrGroup)
    }
    /// Requires the error of a column or group against the reference at this time.
    pub(crate) fn error(quantity: &'a str, at: RunTime) -> Self {
        Self {
            time: Some(at),
            reference: true,
            ..Self::column_or_group(quantity)
        }
    }
    /// Requires the error of a column or group against the reference at this time, over a ladder of steps.
    pub(crate) fn error_ladder(quantity: &'a str, at: RunTime) -> Self {
        Self {
            ladder: true,
            ..Self::error(quantity, at)
        }
    }
    fn quantity(quantity: &'a str, serves: QuantityKind) -> Self {
        Self {
            quantity: Some(RequestedQuantity { quantity, serves }),
            ..Self::default()
        }
    }
    /// Requires the way back of the run, and a column or a group of columns.
    pub(crate) fn back(quantity: &'a str) -> Self {
        Self {
            step_fact: Some(StepFact::Back),
            ..Self::column_or_group(quantity)
        }
    }
    /// Returns the name of the column, group or event; empty without one.
    pub fn looked_at(&self) -> &'a str {
        let quantity = self.quantity.map(|asked| asked.quantity);
        quantity.or(self.event).unwrap_or_default()
    }
}

impl Metric {
    /// Returns what it requires beside the runs.
    pub fn needs(&self) -> Needs<'_> {
        match self {
            Self::Value { quantity, at } => Needs {
                time: Some(*at),
                components: true,
                ..Needs::column_or_group(quantity)
            },
            Self::Extreme { quantity, .. }
            | Self::Oscillation { quantity, .. }
            | Self::RotationPerStep { quantity } => Needs::column(quantity),
            Self::MaxDrift { quantity, .. } => Needs::column_or_group(quantity),
            Self::DriftRate { quantity, .. } => Needs::tracked_column(quantity),
            Self::DriftPower { quantity, .. } => Needs {
                ladder: true,
                ..Needs::tracked_column(quantity)
            },
            Self::Error { quantity, at, .. } => Needs::error(quantity, *at),
            Self::Order { quantity, at } | Self::Limit { quantity, at, .. } => {
                Needs::error_ladder(quantity, *at)
            }
            Self::EventTime { event, .. } | Self::EventCount { event } => Needs {
                event: Some(event),
                ..Needs::default()
            },
            Self::EventValue {
                event, quantity, ..
            } => Needs {
                event: Some(event),
                ..Needs::column(quantity)
            },
            Self::Effort { what } => Needs {
                step_fact: (*what == StepWork::TorqueEvaluations).then_some(StepFact::Evaluations),
                ..Needs::default()
            },
            Self::Reversibility { quantity } => Needs::back(quantity),
            Self::SymplecticDefect {} => Needs {
                step_fact: Some(StepFact::SymplecticDefect),
                ..Needs::default()
            },
            Self::Study { study, number } => Needs {
                study: Some((study, number)),
                ..Needs::default()
            },
            Self::Baseline {} => Needs {
                baseline: true,
                ..Needs::default()
            },
        }
    }
}
