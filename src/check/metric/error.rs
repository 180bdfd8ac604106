//! Metric `error`.

use super::prelude::*;
use crate::check::{NamedTime, RunTime, SpanPart, measurement};
use strict_toml::short;
use topsim_case::Job;
use topsim_core::models::{Columns, GroupKind};

/// Norms for attitudes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// Angle of the rotation between two attitudes, rad.
    Geodesic,
    /// Frobenius norm of the difference of two attitude matrices.
    Frobenius,
}

impl Norm {
    /// Returns by how much a norm multiplies an uncertain angle, at most: a turn by δ moves the matrix by √2 δ in the
    /// Frobenius norm.
    pub(in crate::check) fn widened(norm: Option<Self>) -> f64 {
        match norm {
            Some(Self::Frobenius) => 1.5,
            Some(Self::Geodesic) | None => 1.0,
        }
    }
}

/// Distance from the reference.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorMetric {
    /// Column or group.
    quantity: String,
    /// Time of the error; `"worst"` for the largest over the samples.
    at: RunTime,
    /// Norm of attitudes (default geodesic).
    norm: Option<Norm>,
    /// Divisor of the error (default 1).
    #[serde(default = "one")]
    scale: f64,
}

fn one() -> f64 {
    1.0
}

impl Measuring for ErrorMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            time: Some(self.at),
            reference: true,
            ..Needs::column_or_group(&self.quantity)
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let (at, norm, scale) = (self.at, self.norm, self.scale);
            measurement::error(&r.run, &self.quantity, at, norm, scale, on.context)
        })
    }

    fn rules(&self, rules: &mut Rules) {
        rules.part_of_span(self.at);
        rules.positive("scale", self.scale, "a number greater than 0");
        let attitude = |c: &Columns| {
            let group = c.group(&self.quantity);
            group.is_some_and(|g| g.kind == GroupKind::Attitude)
        };
        if self.norm == Some(Norm::Geodesic) && rules.columns.is_some_and(|c| !attitude(c)) {
            let found = format!("the geodesic angle of `{}`", self.quantity);
            let allowed = "`geodesic` for the quantity `attitude` only";
            rules.add("measure.norm", found, allowed);
        }
        if self.scale > 0.0 {
            self.digits(rules);
        }
    }
}

impl ErrorMetric {
    /// Refuses a tolerance below the bound of the reference, which could give no verdict.
    fn digits(&self, rules: &mut Rules) {
        let allow = &rules.check.allow;
        let (allowed, key) = match (allow.abs, allow.max) {
            (Some(abs), _) => (abs, "allow.abs"),
            (_, Some(max)) => (max, "allow.max"),
            _ => return,
        };
        let (Some(case), false) = (rules.case, rules.selected.is_empty()) else {
            return;
        };
        let (quantity, scale) = (&self.quantity, self.scale);
        let sure = |job: &&Job| {
            let t = match self.at {
                RunTime::Time(t) => t,
                RunTime::Named(NamedTime::Start) => job.grid.start,
                RunTime::Within(SpanPart { worst }) => worst[1],
                RunTime::Named(_) => job.grid.time(job.grid.steps),
            };
            Norm::widened(self.norm) * case.problem.reference.least_error(t, quantity)
        };
        let error = rules.selected.iter().map(sure).fold(0.0, f64::max);
        if error.is_infinite() {
            let found = format!("an error of `{quantity}`, which the reference does not have");
            let allowed = "a quantity that does not depend on the scheme, such as `force` instead of `lambda`";
            rules.add("measure.quantity", found, allowed);
        } else if error > allowed * scale {
            let found = format!(
                "more digits than the reference has: {} asked for, and it is sure of `{quantity}` to {error:.1e} there",
                short(allowed * scale)
            );
            let allowed = format!(
                "a tolerance above {:.1e}, or an earlier time",
                error / scale
            );
            rules.add(key, found, allowed);
        }
    }
}
