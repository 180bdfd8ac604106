//! The runs that are looked at, and the rules of files that checks, studies and figures share: the
//! quantity, the runs and the time must be there.

use super::{RunTime, SchemeRun, grouped};
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, meant, nearest, short};
use topsim_case::{RunPlan, claims_allowed, no_claim};
use topsim_core::integration::{PROPERTIES, SchemeSelector};
use topsim_core::models::Columns;
use topsim_core::verdict::Fineness;

/// The runs that a check, study or figure looks at.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// Schemes, by their labels, in which `*` stands for any characters, or by claims such as `order = 2 and not symplectic`.
    /// All without it.
    pub schemes: Option<Vec<SchemeSelector>>,
    /// Step sizes, s. All without it, and none beside `tolerances` alone.
    pub steps: Option<Vec<f64>>,
    /// Tolerances of schemes that divide their steps. All without it, and none beside `steps` alone.
    pub tolerances: Option<Vec<f64>>,
}

impl Selection {
    /// Returns whether the run that a plan makes belongs to it.
    pub fn takes(&self, plan: &RunPlan) -> bool {
        selects(self.schemes.as_deref(), &plan.scheme, &plan.scheme_name)
            && self.takes_fineness(&plan.fineness, plan.grid.h)
    }

    /// Returns whether a study or figure of it shows a run: it shows a guest whatever its label.
    pub(crate) fn shows(&self, run: &SchemeRun) -> bool {
        let of_scheme = || selects(self.schemes.as_deref(), &run.scheme, &run.scheme_name);
        self.takes_fineness(&run.fineness, run.run.h) && (run.guest || of_scheme())
    }

    fn takes_fineness(&self, fineness: &Fineness, h: f64) -> bool {
        let (own, others) = match fineness {
            Fineness::Step(_) => (&self.steps, &self.tolerances),
            Fineness::Tolerance(_) => (&self.tolerances, &self.steps),
        };
        let taken = |own: &Vec<f64>| own.contains(&fineness.number(h));
        own.as_ref().map_or(others.is_none(), taken)
    }
}

/// Returns whether one of the selectors takes a scheme; without selectors all are taken.
pub(crate) fn selects(selectors: Option<&[SchemeSelector]>, label: &str, name: &str) -> bool {
    selectors.is_none_or(|all| all.iter().any(|one| one.takes(label, name)))
}

/// A quantity that a metric or study asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestedQuantity<'a> {
    /// Its name.
    pub quantity: &'a str,
    pub(super) serves: QuantityKind,
}

/// The quantities that serve a metric or study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuantityKind {
    /// Columns.
    Column,
    /// Columns that are followed at every step.
    TrackedColumn,
    /// Columns and groups of columns.
    ColumnOrGroup,
}

/// Checks that the quantity is a column or group that serves the metric or study `by`.
pub(crate) fn quantity(
    asked: RequestedQuantity,
    by: &str,
    columns: &Columns,
    key: &str,
    faults: &mut Faults,
) {
    let q = asked.quantity;
    let all: Vec<&str> = columns.names().collect();
    let allowed = match asked.serves {
        QuantityKind::Column => all.clone(),
        QuantityKind::TrackedColumn => all[columns.tracked.clone()].to_vec(),
        QuantityKind::ColumnOrGroup => columns.names().chain(columns.group_names()).collect(),
    };
    if allowed.contains(&q) {
        return;
    }
    let found = if columns.unit(q).is_some() {
        format!("`{q}` cannot be measured by `{by}`")
    } else {
        let near = nearest(q, &allowed);
        format!("the history has no column or group `{q}`{}", meant(near))
    };
    faults.add(key, found, allowed.join(", "));
}

/// Returns the runs of a selection, and checks that every name and step in it means something: one that fits nothing is misspelt.
/// `None` if it says nothing sensible.
pub(crate) fn selection<'a>(
    runs: &Selection,
    key: &str,
    plans: &'a [RunPlan],
    faults: &mut Faults,
) -> Option<Vec<&'a RunPlan>> {
    let schemes = labels(plans);
    let fineness = |p: &'a RunPlan| ((&p.fineness, p.grid.h), ());
    let all = grouped(plans.iter().map(fineness));
    let finenesses: Vec<(&Fineness, f64)> = all.into_iter().map(|(key, _)| key).collect();
    let before = faults.list.len();
    let all: Vec<&RunPlan> = plans.iter().collect();
    let selectors = runs.schemes.as_deref();
    fit(selectors, &format!("{key}.schemes"), &all, faults);
    for (list, asked, noun) in [
        ("steps", &runs.steps, "step"),
        ("tolerances", &runs.tolerances, "tolerance"),
    ] {
        let of_kind = |fineness: &&(&Fineness, f64)| {
            matches!(fineness.0, Fineness::Step(_)) == (list == "steps")
        };
        let known: Vec<_> = finenesses.iter().filter(of_kind).collect();
        for (i, number) in asked.iter().flatten().enumerate() {
            if !known
                .iter()
                .any(|(fineness, h)| fineness.number(*h) == *number)
            {
                let found = format!("the case has no {noun} {}", short(*number));
                let names: Vec<String> = known
                    .iter()
                    .map(|(fineness, _)| String::from((*fineness).clone()))
                    .collect();
                faults.add(&format!("{key}.{list}[{i}]"), found, names.join(", "));
            }
        }
    }
    if faults.list.len() > before {
        return None;
    }
    let selected: Vec<_> = plans.iter().filter(|plan| runs.takes(plan)).collect();
    if selected.is_empty() {
        let names: Vec<String> = finenesses
            .iter()
            .map(|(fineness, _)| String::from((*fineness).clone()))
            .collect();
        let allowed = format!("schemes {}; steps {}", schemes.join(", "), names.join(", "));
        faults.add(key, "no run of the case fits the selection", allowed);
        return None;
    }
    Some(selected)
}

/// Returns the labels of the schemes, once each.
pub(crate) fn labels<'a>(plans: impl IntoIterator<Item = &'a RunPlan>) -> Vec<&'a str> {
    let mut schemes: Vec<&str> = plans.into_iter().map(|p| p.scheme.as_str()).collect();
    schemes.dedup();
    schemes
}

/// Checks that every selector fits the scheme of some plan.
pub(crate) fn fit(
    selectors: Option<&[SchemeSelector]>,
    key: &str,
    plans: &[&RunPlan],
    faults: &mut Faults,
) {
    let schemes = labels(plans.iter().copied());
    if selectors.is_some_and(<[_]>::is_empty) {
        faults.add(key, "an empty list", schemes.join(", "));
    }
    for (i, selector) in selectors.into_iter().flatten().enumerate() {
        let key = format!("{key}[{i}]");
        if let Some(found) = no_claim(selector, &schemes) {
            faults.add(&key, found, claims_allowed());
        } else if !plans
            .iter()
            .any(|p| selector.takes(&p.scheme, &p.scheme_name))
        {
            let text = selector.text();
            let claims = PROPERTIES.iter().map(|p| p.words);
            let known: Vec<&str> = schemes.iter().copied().chain(claims).collect();
            let near = meant(nearest(text, &known));
            let found = format!("no scheme here fits \"{text}\"{near}");
            faults.add(&key, found, schemes.join(", "));
        }
    }
}

/// Checks that there are the three steps or tolerances that an order needs.
pub(crate) fn ladder(selected: &[&RunPlan], key: &str, faults: &mut Faults) {
    let of_scheme = |p: &&RunPlan| selected.iter().filter(|q| q.scheme == p.scheme).count();
    let Some(steps) = selected.iter().map(of_scheme).min() else {
        return;
    };
    if steps < 3 {
        let s = if steps == 1 { "" } else { "s" };
        let found = format!("a ladder of {steps} step{s}");
        faults.add(key, found, "at least three steps for an order");
    }
}

/// Checks that a time that is looked at lies in every run.
pub(crate) fn within(at: RunTime, selected: &[&RunPlan], key: &str, faults: &mut Faults) {
    let t = match at {
        RunTime::Time(t) => t,
        RunTime::Within(w) => w.worst[1],
        RunTime::Named(_) => return,
    };
    let end = |p: &RunPlan| p.grid.time(p.grid.steps);
    let outside = |p: &&&RunPlan| !(p.grid.start..=end(p)).contains(&t);
    let shown = short(t);
    if let Some(plan) = selected.iter().find(outside) {
        let RunPlan {
            scheme, fineness, ..
        } = plan;
        let found = format!("the time {shown} lies outside the run {scheme} {fineness}");
        let (start, end) = (short(plan.grid.start), short(end(plan)));
        faults.add(key, found, format!("a time from {start} to {end}"));
    } else if let Some(plan) = selected.iter().find(|p| !p.grid.has_sample(t)) {
        let RunPlan {
            scheme, fineness, ..
        } = plan;
        let found = format!("the run {scheme} {fineness} keeps no sample at the time {shown}");
        let allowed = format!(
            "a multiple of the spacing of the samples, {}; or a `run.sample` that divides it",
            short(plan.grid.sample)
        );
        faults.add(key, found, allowed);
    }
}
