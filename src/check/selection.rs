//! Which runs are looked at, and the rules of files that checks, studies and figures share: the
//! quantity, the runs and the time must be there.

use super::RunTime;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, meant, nearest, short};
use topsim_case::Job;
use topsim_core::models::Columns;

/// Which runs a check looks at.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// Scheme labels; `*` stands for any characters. All without it.
    pub schemes: Option<Vec<String>>,
    /// Step sizes, s. All without it.
    pub steps: Option<Vec<f64>>,
}

impl Selection {
    /// Whether a run belongs to it.
    pub fn takes(&self, scheme: &str, step: f64) -> bool {
        let schemes = self.schemes.as_ref();
        let by_scheme = schemes.is_none_or(|s| s.iter().any(|p| matches(p, scheme)));
        by_scheme && self.takes_step(step)
    }

    /// Whether a study or figure of it shows a run: a guest is shown whatever it is called.
    pub(crate) fn shows(&self, scheme: &str, step: f64, guest: bool) -> bool {
        guest && self.takes_step(step) || self.takes(scheme, step)
    }

    fn takes_step(&self, step: f64) -> bool {
        self.steps.as_ref().is_none_or(|s| s.contains(&step))
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for any characters.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&i| rest.is_char_boundary(i))
                .any(|i| matches(tail, &rest[i..]))
        }),
    }
}

/// A quantity that a metric or study asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestedQuantity<'a> {
    /// Its name.
    pub quantity: &'a str,
    pub(super) serves: QuantityKind,
}

/// Which quantities serve a metric or study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuantityKind {
    /// Columns.
    Column,
    /// Columns that are followed at every step.
    TrackedColumn,
    /// Columns and groups of columns.
    ColumnOrGroup,
}

/// The quantity must be a column or group that serves the metric or study `by`.
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

/// Every name and step in the selection must mean something: one that fits nothing is misspelt.
/// `None` if it says nothing sensible.
pub(crate) fn selection<'a>(
    runs: &Selection,
    key: &str,
    jobs: &'a [Job],
    faults: &mut Faults,
) -> Option<Vec<&'a Job>> {
    let schemes = labels(jobs);
    let steps: Vec<&str> = jobs
        .iter()
        .take(jobs.len() / schemes.len().max(1))
        .map(|j| j.step.as_str())
        .collect();
    let before = faults.list.len();
    let patterns = runs.schemes.as_deref();
    names(patterns, &format!("{key}.schemes"), &schemes, faults);
    for (i, step) in runs.steps.iter().flatten().enumerate() {
        if !jobs.iter().any(|j| j.grid.h == *step) {
            let found = format!("the case has no step {}", short(*step));
            faults.add(&format!("{key}.steps[{i}]"), found, steps.join(", "));
        }
    }
    if faults.list.len() > before {
        return None;
    }
    let takes = |j: &&Job| runs.takes(&j.scheme, j.grid.h);
    let selected: Vec<_> = jobs.iter().filter(takes).collect();
    if selected.is_empty() {
        let allowed = format!("schemes {}; steps {}", schemes.join(", "), steps.join(", "));
        faults.add(key, "no run of the case fits the selection", allowed);
        return None;
    }
    Some(selected)
}

/// Labels of the schemes, once each.
pub(crate) fn labels<'a>(jobs: impl IntoIterator<Item = &'a Job>) -> Vec<&'a str> {
    let mut schemes: Vec<&str> = jobs.into_iter().map(|j| j.scheme.as_str()).collect();
    schemes.dedup();
    schemes
}

/// Every pattern must fit some scheme.
pub(crate) fn names(patterns: Option<&[String]>, key: &str, schemes: &[&str], faults: &mut Faults) {
    if patterns.is_some_and(<[String]>::is_empty) {
        faults.add(key, "an empty list", schemes.join(", "));
    }
    for (i, pattern) in patterns.into_iter().flatten().enumerate() {
        if !schemes.iter().any(|s| matches(pattern, s)) {
            let near = meant(nearest(pattern, schemes));
            let found = format!("no scheme here fits \"{pattern}\"{near}");
            faults.add(&format!("{key}[{i}]"), found, schemes.join(", "));
        }
    }
}

/// An order needs three steps.
pub(crate) fn ladder(selected: &[&Job], key: &str, faults: &mut Faults) {
    let Some(first) = selected.first() else {
        return;
    };
    let steps = selected.iter().filter(|j| j.scheme == first.scheme).count();
    if steps < 3 {
        let s = if steps == 1 { "" } else { "s" };
        let found = format!("a ladder of {steps} step{s}");
        faults.add(key, found, "at least three steps for an order");
    }
}

/// A time that is looked at must lie in every run.
pub(crate) fn within(at: RunTime, selected: &[&Job], key: &str, faults: &mut Faults) {
    let t = match at {
        RunTime::Time(t) => t,
        RunTime::Within(w) => w.worst[1],
        RunTime::Named(_) => return,
    };
    let end = |j: &Job| j.grid.time(j.grid.steps);
    let outside = |j: &&&Job| !(j.grid.start..=end(j)).contains(&t);
    let shown = short(t);
    if let Some(job) = selected.iter().find(outside) {
        let Job { scheme, step, .. } = job;
        let found = format!("the time {shown} lies outside the run {scheme} h={step}");
        let (start, end) = (short(job.grid.start), short(end(job)));
        faults.add(key, found, format!("a time from {start} to {end}"));
    } else if let Some(job) = selected.iter().find(|j| !j.grid.has_sample(t)) {
        let Job { scheme, step, .. } = job;
        let spacing = short(job.grid.sample);
        faults.add(
            key,
            format!("the run {scheme} h={step} keeps no sample at the time {shown}"),
            format!(
                "a multiple of the spacing of the samples, {spacing}; or a `run.sample` that divides it"
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (p, t, yes) in [
            ("*", "rig_pos", true),
            ("rig_*", "rig_pos", true),
            ("rig_*", "terze", false),
            ("*_pos", "rig_pos", true),
            ("r*g*s", "rig_pos", true),
            ("rig", "rig_pos", false),
            ("", "x", false),
            ("a*", "ä", false),
        ] {
            assert_eq!(matches(p, t), yes, "{p} {t}");
        }
    }
}
