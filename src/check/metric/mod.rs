//! What can be measured: one file and one row of [`METRICS`] each. The struct of a metric holds its
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
use prelude::*;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Deserializer;
use serde::de::{DeserializeOwned, Error};
use serde_json::json;
use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;
use topsim_core::math::slopes;
use topsim_core::verdict::Subject;

/// What the file of every metric begins with.
mod prelude {
    pub(super) use super::{Metric, Needs, Observation, SelectedRuns};
    pub(super) use crate::check::rules::Rules;
    pub(super) use schemars::JsonSchema;
    pub(super) use serde::Deserialize;
    pub(super) use topsim_core::verdict::Measurement;
}

/// A metric with its parameters.
pub(crate) trait Metric: Debug + Send + Sync {
    /// What must be there for it beside the runs.
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }
    /// Its numbers: one for each run, ladder or study that it speaks of.
    fn read(&self, on: &SelectedRuns) -> Vec<Observation>;
    /// Rules of its parameters that types cannot express.
    fn rules(&self, _: &mut Rules) {}
}

/// What must be there for a metric or a study over the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Needs<'a> {
    /// The column or group it looks at.
    pub quantity: Option<RequestedQuantity<'a>>,
    /// The event it looks at.
    pub event: Option<&'a str>,
    /// The study and its number, for what does not look at runs.
    pub study: Option<(&'a str, &'a str)>,
    /// When it looks.
    pub time: Option<RunTime>,
    /// A reference that is known at any time.
    pub reference: bool,
    /// At least three steps of each scheme, judged together.
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
    /// A column.
    pub(crate) fn column(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::Column)
    }
    /// A column that is followed at every step.
    pub(crate) fn tracked_column(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::TrackedColumn)
    }
    /// A column or a group of columns.
    pub(crate) fn column_or_group(quantity: &'a str) -> Self {
        Self::quantity(quantity, QuantityKind::ColumnOrGroup)
    }
    /// The error of a column or group against the reference at this time, over a ladder of steps.
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
    /// An event.
    pub(crate) fn event(event: &'a str) -> Self {
        Self {
            event: Some(event),
            ..Self::default()
        }
    }
    /// The column, group or event it looks at; empty without one.
    pub fn looked_at(&self) -> &'a str {
        let quantity = self.quantity.map(|asked| asked.quantity);
        quantity.or(self.event).unwrap_or_default()
    }
}

/// What was measured, and of which run, ladder or study.
pub(crate) type Observation = (Subject, Result<Measurement, MeasurementError>);

/// The runs that a check selects, what it allows, and all else that is known of the case.
pub(crate) struct SelectedRuns<'a> {
    pub runs: &'a [&'a SchemeRun],
    pub allow: &'a AllowTable,
    pub context: &'a Context<'a>,
}

impl SelectedRuns<'_> {
    /// A number of each run.
    fn each_run(
        &self,
        measure: impl Fn(&SchemeRun) -> Result<Measurement, MeasurementError>,
    ) -> Vec<Observation> {
        self.runs
            .iter()
            .map(|r| (Subject::new(&*r.scheme, Some(&r.step)), measure(r)))
            .collect()
    }

    /// A slope over the steps of each scheme.
    fn each_ladder(
        &self,
        point: impl Fn(&SchemeRun) -> Result<LadderPoint, MeasurementError>,
    ) -> Vec<Observation> {
        by_scheme(self.runs)
            .into_iter()
            .map(|(scheme, steps)| {
                let points: Result<Vec<_>, _> = steps.into_iter().map(&point).collect();
                let slope = points.and_then(|p| last_slope(&p, self.allow));
                (Subject::new(scheme, None), slope)
            })
            .collect()
    }
}

/// The last two slopes; the one farther from what is allowed speaks for both.
fn last_slope(points: &[LadderPoint], allow: &AllowTable) -> Result<Measurement, MeasurementError> {
    if let Some(bad) = points.iter().find(|p| !p.1.is_finite()) {
        return Err(MeasurementError::NotANumberAt(bad.0));
    }
    let all = slopes(points);
    let [.., a, b] = all[..] else {
        return Err(MeasurementError::TooFewSteps {
            above: if all.is_empty() { 0 } else { all.len() + 1 },
            of: points.len(),
        });
    };
    let centre = allow.centre();
    let worst = if (a - centre).abs() > (b - centre).abs() {
        a
    } else {
        b
    };
    Ok(Measurement::new(worst, "").in_component(&format!("slopes {a:.3}, {b:.3}")))
}

/// A row of [`METRICS`].
pub struct MetricRow {
    /// Name in tolerance files.
    pub name: &'static str,
    /// JSON Schema of its parameters, described by its page.
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    /// Reads its parameters.
    read: fn(toml::Table) -> Result<Arc<dyn Metric>, toml::de::Error>,
}

const fn row<M: Metric + DeserializeOwned + JsonSchema + 'static>(name: &'static str) -> MetricRow {
    MetricRow {
        name,
        schema: M::json_schema,
        read: read::<M>,
    }
}

fn read<M: Metric + DeserializeOwned + 'static>(
    parameters: toml::Table,
) -> Result<Arc<dyn Metric>, toml::de::Error> {
    let metric: M = toml::Value::Table(parameters).try_into()?;
    Ok(Arc::new(metric))
}

/// All metrics, in the order of the documentation.
pub static METRICS: &[MetricRow] = &[
    row::<value::Value>("value"),
    row::<extreme::Extreme>("extreme"),
    row::<max_drift::MaxDrift>("max_drift"),
    row::<drift_rate::DriftRate>("drift_rate"),
    row::<drift_power::DriftPower>("drift_power"),
    row::<oscillation::Oscillation>("oscillation"),
    row::<error::Error>("error"),
    row::<order::Order>("order"),
    row::<limit::Limit>("limit"),
    row::<event_time::EventTime>("event_time"),
    row::<event_value::EventValue>("event_value"),
    row::<event_count::EventCount>("event_count"),
    row::<rotation_per_step::RotationPerStep>("rotation_per_step"),
    row::<effort::Effort>("effort"),
    row::<reversibility::Reversibility>("reversibility"),
    row::<symplectic_defect::SymplecticDefect>("symplectic_defect"),
    row::<study::Study>("study"),
    row::<baseline::Baseline>("baseline"),
];

/// What is measured: a table with a `metric` and its parameters.
#[derive(Debug, Clone)]
pub struct Measure {
    name: &'static str,
    metric: Arc<dyn Metric>,
}

impl Measure {
    /// Name of the metric.
    pub fn name(&self) -> &'static str {
        self.name
    }
    /// What must be there for it.
    pub fn needs(&self) -> Needs<'_> {
        self.metric.needs()
    }
    pub(super) fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        self.metric.read(on)
    }
    pub(super) fn rules(&self, rules: &mut Rules) {
        self.metric.rules(rules);
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = toml::Table::deserialize(deserializer)?;
        let tag = table.remove(TAG);
        let name = tag.as_ref().and_then(toml::Value::as_str);
        let row = METRICS.iter().find(|row| Some(row.name) == name);
        let row = row.ok_or_else(|| {
            let known: Vec<&str> = METRICS.iter().map(|row| row.name).collect();
            D::Error::custom(format!("`{TAG}` must be one of {}", known.join(", ")))
        })?;
        let metric = (row.read)(table).map_err(|e| D::Error::custom(e.message()))?;
        Ok(Self {
            name: row.name,
            metric,
        })
    }
}

/// The key that names the metric.
const TAG: &str = "metric";

impl JsonSchema for Measure {
    fn schema_name() -> Cow<'static, str> {
        "Measure".into()
    }

    /// The metrics side by side, so that the name tells them apart.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tagged = |row: &MetricRow| {
            let mut schema = (row.schema)(generator).to_value();
            schema["properties"][TAG] = json!({ "type": "string", "const": row.name });
            let mut required = vec![json!(TAG)];
            required.extend(schema["required"].as_array().cloned().unwrap_or_default());
            schema["required"] = required.into();
            schema
        };
        let alternatives: Vec<_> = METRICS.iter().map(tagged).collect();
        json_schema!({
            "description": "What is measured. A quantity is a column of the history (`H`, `W3`, `pi_z`, …) or a group of\ncolumns (`attitude`, `W`, `pi`, `axis3`).",
            "oneOf": alternatives,
        })
    }
}
