//! Metric `value`.

use super::prelude::*;
use crate::check::measurement::{quantity, sample};
use crate::check::{MeasurementError, NamedTime, RunTime, Target};
use strict_toml::values;
use topsim_core::integration::Run;

/// Value of a quantity at a time. A group is compared by its distance from the value given.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueMetric {
    /// Column or group.
    quantity: String,
    /// Time of the value.
    at: RunTime,
}

impl Measuring for ValueMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            time: Some(self.at),
            components: true,
            ..Needs::column_or_group(&self.quantity)
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| self.value(&r.run, on.allow.value.as_ref()))
    }

    fn rules(&self, rules: &mut Rules) {
        let a_time = "\"start\", \"end\" or a time";
        let found = match self.at {
            RunTime::Named(NamedTime::Worst) => Some("found \"worst\""),
            RunTime::Within(_) => Some("the worst of a part of the span"),
            RunTime::Named(_) | RunTime::Time(_) => None,
        };
        if let Some(found) = found {
            rules.add("measure.at", found, a_time);
        }
        self.components(rules);
    }
}

impl ValueMetric {
    fn value(&self, run: &Run, target: Option<&Target>) -> Result<Measurement, MeasurementError> {
        let q = quantity(run, &self.quantity)?;
        let k = sample(run, self.at)?;
        let (row, t) = (run.row(k), run.times[k]);
        let has = q.channels.len();
        match (target, q.channels.as_slice()) {
            (Some(Target::Components(v)), columns) => {
                if v.len() != has {
                    let (quantity, given) = (self.quantity.clone(), v.len());
                    return Err(MeasurementError::OtherComponents(quantity, has, given));
                }
                let mut expected = row.to_vec();
                for (&c, x) in columns.iter().zip(v) {
                    expected[c] = *x;
                }
                Ok(Measurement::new(q.distance(row, &expected), q.unit).at(t))
            }
            (_, [c]) => Ok(Measurement::new(row[*c], q.unit).at(t)),
            _ => Err(MeasurementError::NoComponents(self.quantity.clone(), has)),
        }
    }

    /// Demands a list of numbers for a group and one number for a column.
    fn components(&self, rules: &mut Rules) {
        let Some(columns) = rules.columns else { return };
        let q = &self.quantity;
        let group = columns.group(q).map(|g| g.channels.len());
        let has = |n: usize| format!("`{q}` has {n} components");
        let (found, allowed) = match (&rules.check.allow.value, group) {
            (Some(Target::Components(v)), Some(n)) if v.len() != n => {
                let found = format!("found {}, but {}", values(v.len()), has(n));
                (found, format!("a list of {n} numbers"))
            }
            (Some(Target::Number(_)), Some(n)) => {
                let found = format!("found one number, but {}", has(n));
                (found, format!("a list of {n} numbers"))
            }
            (None, Some(n)) => {
                let allowed = format!("`value` with a list of {n} numbers and a tolerance");
                return rules.add("allow", format!("bounds of a group: {}", has(n)), allowed);
            }
            (Some(Target::Components(_)), None) => {
                let found = format!("found a list of numbers, but `{q}` is one number");
                (found, "one number".into())
            }
            _ => return,
        };
        rules.add("allow.value", found, allowed);
    }
}
