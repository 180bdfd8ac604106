//! Metrics: each is one file and one variant of [`Metric`]. The struct of a metric holds its
//! parameters in tolerance files; its doc comment is its page in the documentation.

mod baseline;
mod drift_power;
mod drift_rate;
mod effort;
mod error;
mod event_count;
mod event_time;
mod event_value;
mod extreme;
mod limit;
mod max_drift;
mod order;
mod oscillation;
mod reversibility;
mod rotation_per_step;
mod study;
mod symplectic_defect;
mod value;

#[cfg(test)]
mod tests;

pub use error::Norm;
pub use extreme::Side;

use super::measurement::LadderPoint;
use super::selection::{QuantityKind, RequestedQuantity};
use super::{AllowTable, Context, MeasurementError, RunTime, SchemeRun, by_scheme};
use enum_dispatch::enum_dispatch;
use prelude::*;
use strum::{IntoStaticStr, VariantNames};
use topsim_core::math::slopes;
use topsim_core::verdict::Subject;

/// Imports of the file of every metric.
mod prelude {
    pub(super) use super::{Measuring, Needs, Observation, SelectedRuns};
    pub(super) use crate::check::rules::Rules;
    pub(super) use schemars::JsonSchema;
    pub(super) use serde::Deserialize;
    pub(super) use topsim_core::verdict::Measurement;
}

/// A metric with its parameters.
#[enum_dispatch]
pub(crate) trait Measuring {
    /// Returns what the metric requires beside the runs.
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }
    /// Measures: one number for each run, ladder or study that the metric speaks of.
    fn read(&self, on: &SelectedRuns) -> Vec<Observation>;
    /// Checks the rules of its parameters that types cannot express.
    fn rules(&self, _: &mut Rules) {}
}

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
    /// The row measured after all steps forward and as many back.
    pub back: bool,
    /// The symplectic defect of a step.
    pub symplectic_defect: bool,
    /// The torque evaluations of the first steps, counted.
    pub evaluations: bool,
    /// The time of the bare steps.
    pub seconds: bool,
    /// The blessed baseline.
    pub baseline: bool,
    /// A value for each component of a group.
    pub components: bool,
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
    /// Requires the error of a column or group against the reference at this time, over a ladder of steps.
    pub(crate) fn error_ladder(quantity: &'a str, at: RunTime) -> Self {
        Self {
            time: Some(at),
            reference: true,
            ladder: true,
            ..Self::column_or_group(quantity)
        }
    }
    fn quantity(quantity: &'a str, serves: QuantityKind) -> Self {
        Self {
            quantity: Some(RequestedQuantity { quantity, serves }),
            ..Self::default()
        }
    }
    /// Requires an event.
    pub(crate) fn event(event: &'a str) -> Self {
        Self {
            event: Some(event),
            ..Self::default()
        }
    }
    /// Returns the name of the column, group or event; empty without one.
    pub fn looked_at(&self) -> &'a str {
        let quantity = self.quantity.map(|asked| asked.quantity);
        quantity.or(self.event).unwrap_or_default()
    }
}

/// A measurement of a run, ladder or study.
pub(crate) type Observation = (Subject, Result<Measurement, MeasurementError>);

/// The runs that a check selects, what it allows, and all else that is known of the case.
pub(crate) struct SelectedRuns<'a> {
    pub runs: &'a [&'a SchemeRun],
    pub allow: &'a AllowTable,
    pub context: &'a Context<'a>,
}

impl SelectedRuns<'_> {
    /// Measures a number of each run.
    fn each_run(
        &self,
        measure: impl Fn(&SchemeRun) -> Result<Measurement, MeasurementError>,
    ) -> Vec<Observation> {
        let subject = |r: &SchemeRun| Subject::new(&*r.scheme, Some(&r.step));
        let each = self.runs.iter();
        each.map(|r| (subject(r), measure(r))).collect()
    }

    /// Measures a slope over the steps of each scheme.
    fn each_ladder(
        &self,
        point: impl Fn(&SchemeRun) -> Result<LadderPoint, MeasurementError>,
    ) -> Vec<Observation> {
        self.each_scheme(|steps| {
            let points: Result<Vec<_>, _> = steps.iter().map(|r| point(r)).collect();
            last_slope(&points?, self.allow)
        })
    }

    /// Measures a number of the runs of each scheme.
    fn each_scheme(
        &self,
        measure: impl Fn(&[&SchemeRun]) -> Result<Measurement, MeasurementError>,
    ) -> Vec<Observation> {
        let schemes = by_scheme(self.runs).into_iter();
        let each = schemes.map(|(scheme, runs)| (Subject::new(scheme, None), measure(&runs)));
        each.collect()
    }
}

/// Returns that of the last two slopes which is farther from what is allowed.
fn last_slope(points: &[LadderPoint], allow: &AllowTable) -> Result<Measurement, MeasurementError> {
    if let Some(bad) = points.iter().find(|p| !p.1.is_finite()) {
        return Err(MeasurementError::NotANumberAt(bad.0));
    }
    let all = slopes(points);
    let [.., a, b] = all[..] else {
        let above = if all.is_empty() { 0 } else { all.len() + 1 };
        return Err(MeasurementError::TooFewSteps(above, points.len()));
    };
    let centre = allow.centre();
    let a_is_farther = (a - centre).abs() > (b - centre).abs();
    let worst = if a_is_farther { a } else { b };
    Ok(Measurement::new(worst, "").in_component(&format!("slopes {a:.3}, {b:.3}")))
}

/// Measured number. A quantity is a column of the history (`H`, `W3`, `pi_z`, …) or a group of
/// columns (`attitude`, `W`, `pi`, `axis3`).
#[enum_dispatch(Measuring)]
#[derive(Debug, Clone, Deserialize, JsonSchema, IntoStaticStr, VariantNames)]
#[serde(tag = "metric", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs, reason = "the type of each variant has its description")]
pub enum Metric {
    Value(value::ValueMetric),
    Extreme(extreme::ExtremeMetric),
    MaxDrift(max_drift::MaxDriftMetric),
    DriftRate(drift_rate::DriftRateMetric),
    DriftPower(drift_power::DriftPowerMetric),
    Oscillation(oscillation::OscillationMetric),
    Error(error::ErrorMetric),
    Order(order::OrderMetric),
    Limit(limit::LimitMetric),
    EventTime(event_time::EventTimeMetric),
    EventValue(event_value::EventValueMetric),
    EventCount(event_count::EventCountMetric),
    RotationPerStep(rotation_per_step::RotationPerStepMetric),
    Effort(effort::EffortMetric),
    Reversibility(reversibility::ReversibilityMetric),
    SymplecticDefect(symplectic_defect::SymplecticDefectMetric),
    Study(study::StudyMetric),
    Baseline(baseline::BaselineMetric),
}

impl Metric {
    /// Returns its name in tolerance files.
    pub fn name(&self) -> &'static str {
        self.into()
    }
    /// Returns what it requires beside the runs.
    pub fn needs(&self) -> Needs<'_> {
        Measuring::needs(self)
    }
}
