//! Rules of tolerance files that types cannot express.

use super::plan::{CasePlan, ReferencePlan};
use super::resolve::Faults;
use crate::analysis::{At, CheckSpec, Expect, Measure, NamedTime, Norm, SourceKind, Target};

pub(super) fn apply(checks: &[CheckSpec], case: Option<&CasePlan>, faults: &mut Faults) {
    for (i, check) in checks.iter().enumerate() {
        let key = format!("check[{i}]");
        allow(check, &key, faults);
        provenance(check, &key, faults);
        measure(check, &key, faults);
        if let Some(case) = case {
            against_case(check, &key, case, faults);
        }
        if checks[..i].iter().any(|c| c.name == check.name) {
            faults.add(
                &format!("{key}.name"),
                format!("the name \"{}\" is used twice", check.name),
                "a name of its own for each check",
            );
        }
    }
}

fn allow(check: &CheckSpec, key: &str, faults: &mut Faults) {
    let a = &check.allow;
    let at = |k: &str| format!("{key}.allow.{k}");
    let tolerances = usize::from(a.abs.is_some()) + usize::from(a.rel.is_some());
    let bounds = a.min.is_some() || a.max.is_some();
    match (&a.value, tolerances, bounds) {
        (None, 0, true) | (Some(_), 1, false) => {}
        (Some(_), 0, false) => faults.add(
            &at("value"),
            "a value without a tolerance",
            "`abs` or `rel` beside it",
        ),
        (None, 0, false) => faults.add(
            &format!("{key}.allow"),
            "nothing is allowed",
            "`value` with `abs` or `rel`, or `min` and/or `max`",
        ),
        _ => faults.add(
            &format!("{key}.allow"),
            "more than one way to say what is allowed",
            "`value` with one of `abs` and `rel`, or `min` and/or `max`",
        ),
    }
    for (k, x) in [("abs", a.abs), ("rel", a.rel)] {
        if let Some(x) = x
            && !(x > 0.0)
        {
            faults.add(&at(k), format!("found {x}"), "a tolerance greater than 0");
        }
    }
    if let (Some(min), Some(max)) = (a.min, a.max)
        && !(max > min)
    {
        faults.add(
            &at("max"),
            format!("the largest value {max} is not above the smallest, {min}"),
            format!("a number above {min}"),
        );
    }
    if let (Some(_), Some(Target::Number(v))) = (a.rel, &a.value)
        && *v == 0.0
    {
        faults.add(
            &at("rel"),
            "a fraction of zero",
            "`abs`, where the value is 0",
        );
    }
    if let (Some(Target::Components(_)), false) =
        (&a.value, matches!(check.measure, Measure::Value { .. }))
    {
        faults.add(
            &at("value"),
            "a list of components",
            "one number; only the metric `value` compares groups",
        );
    }
}

fn provenance(check: &CheckSpec, key: &str, faults: &mut Faults) {
    let is_baseline = matches!(check.measure, Measure::Baseline {});
    match check.kind {
        SourceKind::Published | SourceKind::Exact => {
            if check.source.as_ref().is_none_or(|s| s.trim().is_empty()) {
                faults.add(
                    &format!("{key}.source"),
                    "no source",
                    "the document, derivation or program the number comes from",
                );
            }
            if is_baseline {
                faults.add(
                    &format!("{key}.kind"),
                    "our own past is neither published nor exact",
                    "`regression` for the metric `baseline`",
                );
            }
        }
        SourceKind::Regression => {
            if !is_baseline {
                faults.add(
                    &format!("{key}.kind"),
                    format!("a regression of the metric `{}`", check.measure.name()),
                    "`regression` for the metric `baseline` only: `topsim bless` keeps its numbers",
                );
            }
        }
    }
    if check.expect == Expect::Fail && check.reason.as_ref().is_none_or(|r| r.trim().is_empty()) {
        faults.add(
            &format!("{key}.reason"),
            "an expected failure without a reason",
            "`reason`: which known defect this is",
        );
    }
}

fn measure(check: &CheckSpec, key: &str, faults: &mut Faults) {
    let at = |k: &str| format!("{key}.measure.{k}");
    match &check.measure {
        Measure::Value {
            at: At::Named(NamedTime::Worst),
            ..
        }
        | Measure::Order {
            at: At::Named(NamedTime::Worst),
            ..
        } => faults.add(&at("at"), "found \"worst\"", "\"start\", \"end\" or a time"),
        Measure::Error { scale, .. } if !(*scale > 0.0) => {
            faults.add(
                &at("scale"),
                format!("found {scale}"),
                "a number greater than 0",
            );
        }
        Measure::Error {
            norm: Some(Norm::Geodesic),
            quantity,
            ..
        } if quantity != "attitude" => faults.add(
            &at("norm"),
            format!("the geodesic angle of `{quantity}`"),
            "`geodesic` for the quantity `attitude` only",
        ),
        Measure::MaxDrift {
            scale: Some(crate::analysis::Scale::Number(s)),
            ..
        } if !(*s > 0.0) => {
            faults.add(
                &at("scale"),
                format!("found {s}"),
                "a number greater than 0",
            );
        }
        Measure::EventTime { occurrence: 0, .. } | Measure::EventValue { occurrence: 0, .. } => {
            faults.add(&at("occurrence"), "found 0", "a whole number from 1");
        }
        _ => {}
    }
}

fn against_case(check: &CheckSpec, key: &str, case: &CasePlan, faults: &mut Faults) {
    let Some(job) = case.jobs.first() else { return };
    let e = &job.experiment;
    if let Some(q) = check.measure.quantity() {
        let tracked_only = matches!(
            check.measure,
            Measure::DriftRate { .. } | Measure::DriftPower { .. }
        );
        let columns: Vec<&str> = if tracked_only {
            e.channels()[e.tracked()].iter().map(|c| c.name).collect()
        } else {
            e.channels().iter().map(|c| c.name).collect()
        };
        let groups_too = matches!(
            check.measure,
            Measure::Value { .. }
                | Measure::MaxDrift { .. }
                | Measure::Error { .. }
                | Measure::Order { .. }
        );
        let group = e.groups().iter().find(|g| g.name == q);
        let known = columns.contains(&q) || (groups_too && group.is_some());
        if !known {
            let mut allowed = columns;
            if groups_too {
                allowed.extend(e.groups().iter().map(|g| g.name));
            }
            faults.add(
                &format!("{key}.measure.quantity"),
                format!("`{q}` cannot be measured by `{}`", check.measure.name()),
                allowed.join(", "),
            );
        }
        if matches!(check.measure, Measure::Value { .. }) {
            let found = match &check.allow.value {
                Some(Target::Components(v)) => v.len(),
                _ => 1,
            };
            let wanted = group.map_or(1, |g| g.channels.len());
            if found != wanted {
                faults.add(
                    &format!("{key}.allow.value"),
                    format!("{found} number(s) for `{q}`"),
                    format!("{wanted} number(s)"),
                );
            }
        }
    }
    if let Some(event) = check.measure.event()
        && !case.events.iter().any(|e| e.name == event)
    {
        let known: Vec<&str> = case.events.iter().map(|e| e.name.as_str()).collect();
        faults.add(
            &format!("{key}.measure.event"),
            format!("the case has no event `{event}`"),
            if known.is_empty() {
                "an [[event]] of the case; it has none".to_string()
            } else {
                known.join(", ")
            },
        );
    }
    if check.measure.needs_reference() && matches!(case.reference, ReferencePlan::None) {
        faults.add(
            &format!("{key}.measure.metric"),
            format!("`{}` in a case without a reference", check.measure.name()),
            "this metric only where the case has a [reference]",
        );
    }
    let selected: Vec<_> = case
        .jobs
        .iter()
        .filter(|j| check.runs.takes(&j.scheme, j.grid.h))
        .collect();
    if selected.is_empty() {
        let steps: Vec<&str> = case.jobs.iter().map(|j| j.step.as_str()).collect();
        let mut schemes: Vec<&str> = case.jobs.iter().map(|j| j.scheme.as_str()).collect();
        schemes.dedup();
        let steps = &steps[..steps.len() / schemes.len().max(1)];
        faults.add(
            &format!("{key}.runs"),
            "no run of the case fits the selection",
            format!("schemes {}; steps {}", schemes.join(", "), steps.join(", ")),
        );
    } else if check.measure.is_ladder() {
        let first = &selected[0].scheme;
        let steps = selected.iter().filter(|j| j.scheme == *first).count();
        if steps < 3 {
            faults.add(
                &format!("{key}.runs"),
                format!("a ladder of {steps} step(s)"),
                "at least three steps for an order",
            );
        }
    }
}
