//! Rules shared by checks and studies: the quantity, the runs and the time they look at.

use super::describe::{meant, nearest, short};
use super::faults::Faults;
use super::plan::Job;
use crate::analysis::{At, Selection, matches};
use crate::drive::Experiment;

/// What is asked of a quantity.
pub(super) struct Asked<'a> {
    /// Its name.
    pub quantity: &'a str,
    /// Name of the metric or study.
    pub by: &'a str,
    /// Only columns followed at every step serve.
    pub tracked_only: bool,
    /// Groups of columns serve too.
    pub groups_too: bool,
}

/// The quantity must be a column or group that serves.
pub(super) fn quantity(asked: &Asked, e: &dyn Experiment, key: &str, faults: &mut Faults) {
    let q = asked.quantity;
    let all: Vec<&str> = e.columns().names().collect();
    let columns = if asked.tracked_only {
        all[e.columns().tracked.clone()].to_vec()
    } else {
        all.clone()
    };
    let group = e.columns().group(q).is_some();
    if columns.contains(&q) || (asked.groups_too && group) {
        return;
    }
    let mut allowed = columns;
    if asked.groups_too {
        allowed.extend(e.columns().group_names());
    }
    let found = if group || all.contains(&q) {
        format!("`{q}` cannot be measured by `{}`", asked.by)
    } else {
        let near = nearest(q, &allowed);
        format!("the history has no column or group `{q}`{}", meant(near))
    };
    faults.add(key, found, allowed.join(", "));
}

/// Every name and step in the selection must mean something: one that fits nothing is misspelt.
/// `None` if it says nothing sensible.
pub(super) fn selection<'a>(
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
    names(
        runs.schemes.as_deref(),
        &format!("{key}.schemes"),
        &schemes,
        faults,
    );
    for (i, step) in runs.steps.iter().flatten().enumerate() {
        if !jobs.iter().any(|j| j.grid.h == *step) {
            faults.add(
                &format!("{key}.steps[{i}]"),
                format!("the case has no step {}", short(*step)),
                steps.join(", "),
            );
        }
    }
    if faults.list.len() > before {
        return None;
    }
    let selected: Vec<_> = jobs
        .iter()
        .filter(|j| runs.takes(&j.scheme, j.grid.h))
        .collect();
    if selected.is_empty() {
        faults.add(
            key,
            "no run of the case fits the selection",
            format!("schemes {}; steps {}", schemes.join(", "), steps.join(", ")),
        );
        return None;
    }
    Some(selected)
}

/// Labels of the schemes, once each.
pub(super) fn labels<'a>(jobs: impl IntoIterator<Item = &'a Job>) -> Vec<&'a str> {
    let mut schemes: Vec<&str> = jobs.into_iter().map(|j| j.scheme.as_str()).collect();
    schemes.dedup();
    schemes
}

/// Every pattern must fit some scheme.
pub(super) fn names(patterns: Option<&[String]>, key: &str, schemes: &[&str], faults: &mut Faults) {
    if patterns.is_some_and(<[String]>::is_empty) {
        faults.add(key, "an empty list", schemes.join(", "));
    }
    for (i, pattern) in patterns.into_iter().flatten().enumerate() {
        if !schemes.iter().any(|s| matches(pattern, s)) {
            faults.add(
                &format!("{key}[{i}]"),
                format!(
                    "no scheme here fits \"{pattern}\"{}",
                    meant(nearest(pattern, schemes))
                ),
                schemes.join(", "),
            );
        }
    }
}

/// An order needs three steps.
pub(super) fn ladder(selected: &[&Job], key: &str, faults: &mut Faults) {
    let Some(first) = selected.first() else {
        return;
    };
    let steps = selected.iter().filter(|j| j.scheme == first.scheme).count();
    if steps < 3 {
        faults.add(
            key,
            format!(
                "a ladder of {steps} step{}",
                if steps == 1 { "" } else { "s" }
            ),
            "at least three steps for an order",
        );
    }
}

/// A time that is looked at must lie in every run.
pub(super) fn within(at: At, selected: &[&Job], key: &str, faults: &mut Faults) {
    let t = match at {
        At::Time(t) => t,
        At::Within(w) => w.worst[1],
        At::Named(_) => return,
    };
    let outside = |j: &&&Job| !(j.grid.start..=j.grid.time(j.grid.steps)).contains(&t);
    if let Some(job) = selected.iter().find(outside) {
        faults.add(
            key,
            format!(
                "the time {} lies outside the run {} h={}",
                short(t),
                job.scheme,
                job.step
            ),
            format!(
                "a time from {} to {}",
                short(job.grid.start),
                short(job.grid.time(job.grid.steps))
            ),
        );
        return;
    }
    if let Some(job) = selected.iter().find(|j| j.grid.sample_at(t).is_none()) {
        faults.add(
            key,
            format!(
                "the run {} h={} keeps no sample at the time {}",
                job.scheme,
                job.step,
                short(t)
            ),
            format!(
                "a multiple of the spacing of the samples, {}; or a `run.sample` that divides it",
                short(job.grid.sample)
            ),
        );
    }
}
