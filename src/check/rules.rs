//! Rules of tolerance files that types cannot express.

use super::describe::{meant, nearest, short, values};
use super::faults::Faults;
use super::plan::{CasePlan, Job, ReferencePlan};
use super::sights;
use crate::analysis::{
    At, CheckSpec, Expect, Measure, NamedTime, Norm, SourceKind, Target, Within, widened,
};

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
        (None, 1.., false) => faults.add(
            &at(if a.abs.is_some() { "abs" } else { "rel" }),
            "a tolerance without a value",
            "`value` beside it, or `min` and/or `max` instead",
        ),
        (None, 0, false) => faults.add(
            &format!("{key}.allow"),
            "nothing is allowed",
            "`value` with `abs` or `rel`, or `min` and/or `max`",
        ),
        _ => {
            let given: Vec<&str> = [
                ("`value`", a.value.is_some()),
                ("`abs`", a.abs.is_some()),
                ("`rel`", a.rel.is_some()),
                ("`min`", a.min.is_some()),
                ("`max`", a.max.is_some()),
            ]
            .into_iter()
            .filter_map(|(k, yes)| yes.then_some(k))
            .collect();
            faults.add(
                &format!("{key}.allow"),
                format!("found {} together", given.join(", ")),
                "`value` with one of `abs` and `rel`, or `min` and/or `max`",
            );
        }
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
    let zero = match &a.value {
        Some(Target::Number(v)) => *v == 0.0,
        Some(Target::Components(v)) => v.iter().all(|x| *x == 0.0),
        None => false,
    };
    if a.rel.is_some() && zero {
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
                let found = match (&check.source, check.kind) {
                    (Some(_), _) => "found a blank source",
                    (None, SourceKind::Published) => "a published number without its source",
                    (None, _) => "an exact number without its source",
                };
                faults.add(
                    &format!("{key}.source"),
                    found,
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
    if check.expect == Expect::Pass && check.reason.is_some() {
        faults.add(
            &format!("{key}.reason"),
            "a reason to fail, but the check is expected to pass",
            "this key only beside `expect = \"fail\"`; remarks go to `note`",
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
        Measure::Value {
            at: At::Within(_), ..
        } => faults.add(
            &at("at"),
            "the worst of a part of the span",
            "\"start\", \"end\" or a time",
        ),
        Measure::Error {
            at: At::Within(Within { worst: [from, to] }),
            ..
        }
        | Measure::Order {
            at: At::Within(Within { worst: [from, to] }),
            ..
        } if !(from < to) => faults.add(
            &at("at"),
            format!("from {} to {}", short(*from), short(*to)),
            "two times, the second after the first",
        ),
        Measure::DriftRate {
            period: Some(p), ..
        }
        | Measure::DriftPower {
            period: Some(p), ..
        }
        | Measure::Oscillation {
            period: Some(p), ..
        } if !(*p > 0.0) => {
            faults.add(
                &at("period"),
                format!("found {}", short(*p)),
                "a period greater than 0, in s",
            );
        }
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

/// The study and the number must be there.
fn against_study(key: &str, (study, number): (&str, &str), case: &CasePlan, faults: &mut Faults) {
    let at = |k: &str| format!("{key}.measure.{k}");
    let maps = case.maps.iter().map(|m| (m.name.as_str(), m.numbers()));
    let surveys = case.surveys.iter().map(|s| (s.name(), s.numbers()));
    let studies: Vec<(&str, Vec<String>)> = maps.chain(surveys).collect();
    let Some((_, known)) = studies.iter().find(|s| s.0 == study) else {
        let known: Vec<&str> = studies.iter().map(|s| s.0).collect();
        faults.add(
            &at("study"),
            format!(
                "the case has no study of the name `{study}`{}",
                meant(nearest(study, &known))
            ),
            if known.is_empty() {
                "a case with a [[study]] of kind `escape_map`, `spin_scan` or `stability_region`"
                    .into()
            } else {
                known.join(", ")
            },
        );
        return;
    };
    if !known.iter().any(|n| n == number) {
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        faults.add(
            &at("number"),
            format!(
                "the study has no number `{number}`{}",
                meant(nearest(number, &names))
            ),
            known.join(", "),
        );
    }
}

fn against_case(check: &CheckSpec, key: &str, case: &CasePlan, faults: &mut Faults) {
    if let Measure::Study { study, number } = &check.measure {
        return against_study(key, (study, number), case, faults);
    }
    let Some(job) = case.jobs.first() else {
        faults.add(
            &format!("{key}.measure.metric"),
            "a metric of runs, in a case without any",
            "the metric `study`, or a [run] in the case",
        );
        return;
    };
    let e = &job.experiment;
    if let Some(q) = check.measure.quantity() {
        let tracked_only = matches!(
            check.measure,
            Measure::DriftRate { .. } | Measure::DriftPower { .. }
        );
        let groups_too = matches!(
            check.measure,
            Measure::Value { .. }
                | Measure::MaxDrift { .. }
                | Measure::Error { .. }
                | Measure::Order { .. }
                | Measure::Reversibility { .. }
        );
        let asked = sights::Asked {
            quantity: q,
            by: check.measure.name(),
            tracked_only,
            groups_too,
        };
        sights::quantity(&asked, &**e, &format!("{key}.measure.quantity"), faults);
        let group = e.columns().group(q);
        if matches!(check.measure, Measure::Value { .. }) {
            components(check, key, q, group.map(|g| g.channels.len()), faults);
        }
    }
    if let Some(event) = check.measure.event()
        && !case.events.iter().any(|e| e.name == event)
    {
        let known: Vec<&str> = case.events.iter().map(|e| e.name.as_str()).collect();
        faults.add(
            &format!("{key}.measure.event"),
            format!(
                "the case has no event `{event}`{}",
                meant(nearest(event, &known))
            ),
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
    let runs = format!("{key}.runs");
    let Some(selected) = sights::selection(&check.runs, &runs, &case.jobs, faults) else {
        return;
    };
    if check.measure.is_ladder() {
        sights::ladder(&selected, &runs, faults);
    }
    if let Measure::Value { at, .. } | Measure::Error { at, .. } | Measure::Order { at, .. } =
        &check.measure
    {
        sights::within(*at, &selected, &format!("{key}.measure.at"), faults);
    }
    digits(check, key, case, &selected, faults);
}

/// A reference that is less sure than the tolerance could give no verdict.
fn digits(check: &CheckSpec, key: &str, case: &CasePlan, selected: &[&Job], faults: &mut Faults) {
    let Measure::Error {
        quantity,
        at,
        norm,
        scale,
    } = &check.measure
    else {
        return;
    };
    if !(*scale > 0.0) {
        return;
    }
    let (allowed, at_key) = match (check.allow.abs, check.allow.max) {
        (Some(abs), _) => (abs, "abs"),
        (_, Some(max)) => (max, "max"),
        _ => return,
    };
    let sure = |job: &&Job| {
        let t = match at {
            At::Time(t) => *t,
            At::Named(NamedTime::Start) => job.grid.start,
            At::Within(Within { worst }) => worst[1],
            At::Named(_) => job.grid.time(job.grid.steps),
        };
        widened(*norm) * case.reference.least_error(t, quantity)
    };
    let error = selected.iter().map(sure).fold(0.0, f64::max);
    if error.is_infinite() {
        faults.add(
            &format!("{key}.measure.quantity"),
            format!("an error of `{quantity}`, which the reference does not have"),
            "a quantity that does not depend on the scheme, such as `force` instead of `lambda`",
        );
        return;
    }
    if error > allowed * scale {
        faults.add(
            &format!("{key}.allow.{at_key}"),
            format!(
                "more digits than the reference has: {} asked for, and it is sure of `{quantity}` to {error:.1e} there",
                short(allowed * scale)
            ),
            format!("a tolerance above {:.1e}, or an earlier time", error / scale),
        );
    }
}

/// A list of numbers for a group, one number for a column.
fn components(check: &CheckSpec, key: &str, q: &str, group: Option<usize>, faults: &mut Faults) {
    let at = format!("{key}.allow.value");
    let size = |n: usize| format!("`{q}` has {n} components");
    match (&check.allow.value, group) {
        (Some(Target::Components(v)), Some(n)) if v.len() != n => faults.add(
            &at,
            format!("found {}, but {}", values(v.len()), size(n)),
            format!("a list of {n} numbers"),
        ),
        (Some(Target::Number(_)), Some(n)) => faults.add(
            &at,
            format!("found one number, but {}", size(n)),
            format!("a list of {n} numbers"),
        ),
        (None, Some(n)) => faults.add(
            &format!("{key}.allow"),
            format!("bounds of a group: {}", size(n)),
            format!("`value` with a list of {n} numbers and a tolerance"),
        ),
        (Some(Target::Components(_)), None) => faults.add(
            &at,
            format!("found a list of numbers, but `{q}` is one number"),
            "one number",
        ),
        _ => {}
    }
}
