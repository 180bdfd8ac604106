//! Rules of the parameters of metrics that types cannot express.

use super::{DriftScale, Metric, Norm};
use crate::check::rules::Rules;
use crate::check::{NamedTime, RunTime, SpanPart, Target};
use strict_toml::{short, values};
use topsim_case::RunPlan;
use topsim_core::models::GroupKind;

impl Metric {
    /// Checks the rules of its parameters that types cannot express.
    pub(crate) fn rules(&self, rules: &mut Rules) {
        let more_than_0 = "a number greater than 0";
        let of_steps = match self {
            Self::Limit { .. } | Self::RotationPerStep { .. } => true,
            Self::DriftRate { power, .. } | Self::Oscillation { power, .. } => *power > 0,
            _ => false,
        };
        if of_steps && rules.selected.iter().any(|plan| !plan.has_step()) {
            let found = format!(
                "`{}` of runs with tolerances, which have no step",
                self.name()
            );
            rules.add(
                "runs",
                found,
                "`steps` beside it, or schemes that are `not adaptive`",
            );
        }
        match self {
            Self::Value { quantity, at } => {
                let part = "the worst of a part of the span";
                match at {
                    RunTime::Named(NamedTime::Worst) => rules.add("measure.at", WORST, A_TIME),
                    RunTime::Within(_) => rules.add("measure.at", part, A_TIME),
                    RunTime::Named(_) | RunTime::Time(_) => {}
                }
                components(quantity, rules);
            }
            Self::MaxDrift {
                scale: Some(DriftScale::Number(s)),
                ..
            } => rules.positive("scale", *s, more_than_0),
            Self::DriftRate { period, .. }
            | Self::DriftPower { period, .. }
            | Self::Oscillation { period, .. } => {
                if let Some(period) = period {
                    rules.positive("period", *period, "a period greater than 0, in s");
                }
            }
            Self::Error {
                quantity,
                at,
                norm,
                scale,
            } => {
                part_of_span(*at, rules);
                rules.positive("scale", *scale, more_than_0);
                let group = rules.columns.map(|c| c.group(quantity));
                let other = group.is_some_and(|g| g.is_none_or(|g| g.kind != GroupKind::Attitude));
                if *norm == Some(Norm::Geodesic) && other {
                    let found = format!("the geodesic angle of `{quantity}`");
                    let allowed = "`geodesic` for the quantity `attitude` only";
                    rules.add("measure.norm", found, allowed);
                }
                if *scale > 0.0 {
                    digits(quantity, *at, *norm, *scale, rules);
                }
            }
            Self::Order { at, .. } => {
                part_of_span(*at, rules);
                if *at == RunTime::Named(NamedTime::Worst) {
                    rules.add("measure.at", WORST, A_TIME);
                }
            }
            Self::Limit { at, order, .. } => {
                part_of_span(*at, rules);
                rules.positive("order", f64::from(*order), "a whole number from 1");
            }
            Self::EventTime { occurrence: 0, .. } | Self::EventValue { occurrence: 0, .. } => {
                rules.add("measure.occurrence", "found 0", "a whole number from 1");
            }
            Self::Study { study, number } => studied(study, number, rules),
            Self::MaxDrift { .. }
            | Self::EventTime { .. }
            | Self::EventValue { .. }
            | Self::Extreme { .. }
            | Self::EventCount { .. }
            | Self::RotationPerStep { .. }
            | Self::Effort { .. }
            | Self::Reversibility { .. }
            | Self::SymplecticDefect {}
            | Self::Baseline {} => {}
        }
    }
}

/// Time that names no single row.
const WORST: &str = "found \"worst\"";
/// Allowed times of a single row.
const A_TIME: &str = "\"start\", \"end\" or a time";

fn part_of_span(at: RunTime, rules: &mut Rules) {
    if let RunTime::Within(SpanPart { worst: [from, to] }) = at
        && !(from < to)
    {
        let found = format!("from {} to {}", short(from), short(to));
        rules.add("measure.at", found, "two times, the second after the first");
    }
}

/// Demands that the study and the number are there.
fn studied(study: &str, number: &str, rules: &mut Rules) {
    let Some(case) = rules.case else { return };
    let names: Vec<&str> = case.studies.iter().map(|s| s.study.as_str()).collect();
    let missing = "the case has no study of the name";
    let none = "a case with a [[study]] with a name";
    rules.known("measure.study", missing, study, &names, none);
    let Some(found) = case.studies.iter().find(|s| s.study == study) else {
        return;
    };
    let numbers: Vec<&str> = found.numbers.iter().map(String::as_str).collect();
    let missing = "the study has no number";
    rules.known("measure.number", missing, number, &numbers, "");
}

/// Demands a list of numbers for a group and one number for a column.
fn components(q: &str, rules: &mut Rules) {
    let Some(columns) = rules.columns else { return };
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

/// Refuses a tolerance below the bound of the reference, which could give no verdict.
fn digits(quantity: &str, at: RunTime, norm: Option<Norm>, scale: f64, rules: &mut Rules) {
    let allow = &rules.check.allow;
    let (allowed, key) = match (allow.abs, allow.max) {
        (Some(abs), _) => (abs, "allow.abs"),
        (_, Some(max)) => (max, "allow.max"),
        _ => return,
    };
    let (Some(case), false) = (rules.case, rules.selected.is_empty()) else {
        return;
    };
    let sure = |plan: &&RunPlan| {
        let t = match at {
            RunTime::Time(t) => t,
            RunTime::Named(NamedTime::Start) => plan.grid.start,
            RunTime::Within(SpanPart { worst }) => worst[1],
            RunTime::Named(_) => plan.grid.time(plan.grid.steps),
        };
        Norm::widened(norm) * case.problem.reference.least_error(t, quantity)
    };
    let error = rules.selected.iter().map(sure).fold(0.0, f64::max);
    if error.is_infinite() {
        let found = format!("an error of `{quantity}`, which the reference does not have");
        let allowed =
            "a quantity that does not depend on the scheme, such as `force` instead of `lambda`";
        rules.add("measure.quantity", found, allowed);
    } else if error > allowed * scale {
        let found = format!(
            "more digits than the reference has: {} asked for, and it is sure of `{quantity}` to {error:.1e} there",
            short(allowed * scale)
        );
        let least = error / scale;
        let allowed = format!("a tolerance above {least:.1e}, or an earlier time");
        rules.add(key, found, allowed);
    }
}
