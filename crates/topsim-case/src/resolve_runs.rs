//! The runs of a case: their span, steps or tolerances, and schemes.

use crate::file::RunTable;
use crate::refuse::refuse;
use crate::run_plan::{LabelledScheme, RunPlan};
use crate::scheme_entry::SchemeEntry;
use crate::source::{NAMES_ALLOWED, is_name};
use std::sync::Arc;
use strict_toml::{Faults, short};
use topsim_core::integration::registry::{self, SCHEMES, SchemeRow};
use topsim_core::integration::{Grid, Parameters, SchemeSelector};
use topsim_core::models::{Model, RateModel};
use topsim_core::schemes::{LEAST_TOLERANCE, MOST_TOLERANCE};
use topsim_core::verdict::Fineness;

/// Largest number of steps of a run; beyond it a step counter in f64 arithmetic loses whole numbers.
pub(crate) const MOST_STEPS: f64 = 1e15;
/// Largest number of samples that are kept of a run, so that histories fit into memory.
pub(crate) const MOST_SAMPLES: f64 = 1e6;

/// Checks the span, the steps and the samples.
pub(crate) fn span(run: &RunTable, faults: &mut Faults) {
    let (start, end) = (short(run.start), short(run.end));
    let span = run.end - run.start;
    refuse! { faults;
        !(run.end > run.start) => "run.end",
            format!("the run ends at {end}, not after its start at {start}"), format!("a time after {start}");
        run.steps.is_empty() && run.tolerances.is_empty() =>
            "run.steps", "found no step size", "at least one, in s, or `tolerances`";
        !span.is_finite() =>
            "run.end", format!("the span from {start} to {end} overflows"), "a span below 1e308 s";
    }
    if !span.is_finite() {
        return;
    }
    // For shorter steps t_n and t_n + h would be the same number, or nearly so.
    let least = Grid::least_step(run.start, run.end);
    for (i, &h) in run.steps.iter().enumerate() {
        let (key, step) = written_step(faults, i, h);
        // Only the first broken rule is reported.
        let (found, allowed) = if !(h > 0.0) {
            (
                format!("found the step {step}"),
                "a step greater than 0, in s".into(),
            )
        } else if span / h > MOST_STEPS {
            (
                format!("a step of {step} s makes {:.1e} steps", span / h),
                format!("at most {MOST_STEPS:.0e} steps"),
            )
        } else if span > 0.0 && h < least {
            let far = short(run.start.abs().max(run.end.abs()));
            (
                format!("a step of {step} s is lost in the rounding of t = {far}"),
                format!("at least {least:.1e} s there, or a start nearer to 0"),
            )
        } else if span > 0.0 && h > span {
            (
                format!("a step of {step} s is longer than the span"),
                format!("at most {} s", short(span)),
            )
        } else if run.steps[..i].contains(&h) {
            (
                format!("the step {step} is given twice"),
                "each step once".into(),
            )
        } else {
            continue;
        };
        faults.add(&key, found, allowed);
    }
    refuse! { faults;
        run.schemes.is_none() && !run.tolerances.is_empty() => "run.tolerances", "tolerances in a case without schemes",
            "schemes that are `adaptive`, or no such list";
    }
    for (i, tolerance) in run.tolerances.iter().enumerate() {
        let key = format!("run.tolerances[{i}]");
        refuse! { faults;
            !(LEAST_TOLERANCE..=MOST_TOLERANCE).contains(tolerance) => &key, format!("found {}", short(*tolerance)),
                format!("a tolerance from {LEAST_TOLERANCE:e} to {MOST_TOLERANCE}");
            run.tolerances[..i].contains(tolerance) => &key,
                format!("the tolerance {} is given twice", short(*tolerance)), "each tolerance once";
        }
    }
    let (spacing, least) = (spacing(run), Grid::least_step(run.start, run.end));
    refuse! { faults;
        run.dense && spacing > 0.0 && spacing < least => "run.dense",
            format!("samples {spacing:.1e} s apart are lost in the rounding of the times"),
            format!("a `sample` of at least {least:.1e} s");
    }
    if let Some(sample) = run.sample {
        let written = faults.doc.text_of("run.sample");
        let written = written.unwrap_or_default().to_string();
        let finest = run.steps.iter().copied().fold(f64::INFINITY, f64::min);
        let shortest = if run.dense || !run.tolerances.is_empty() {
            0.0
        } else {
            finest
        };
        let count = span / sample.max(shortest);
        refuse! { faults;
            !(sample > 0.0) =>
                "run.sample", format!("found {written}"), "a spacing greater than 0, in s";
            sample > 0.0 && count > MOST_SAMPLES => "run.sample",
                format!("a spacing of {written} s keeps {count:.1e} samples of a run"),
                format!("at most {MOST_SAMPLES:.0e} samples a run");
        }
    }
}

/// Binds the schemes to the problem, or only checks their names without one.
pub(crate) fn schemes(
    run: &RunTable,
    model: Option<&Model>,
    faults: &mut Faults,
) -> Option<Vec<LabelledScheme>> {
    let Some(written) = &run.schemes else {
        let any = any_scheme(run, model?);
        if any.is_none() {
            let found = "no scheme of the catalogue serves this body at these steps";
            faults.add("run.steps", found, "shorter steps");
        }
        return any.map(|scheme| vec![scheme]);
    };
    if written.is_empty() {
        let allowed = "at least one, which `topsim list schemes` names, or no `schemes` in a case by which solvers are judged";
        faults.add("run.schemes", "found no scheme", allowed);
        return None;
    }
    let mut out: Vec<LabelledScheme> = Vec::new();
    let entries = SchemeEntry::expanded(written, "run.schemes", faults);
    let mut labels: Vec<&str> = Vec::new();
    for (i, entry) in &entries {
        let key = format!("run.schemes[{i}]");
        let label = entry.label();
        refuse! { faults;
            labels.contains(&label) => &key, format!("the label `{label}` is used twice"),
                "a `label` of its own for each use of a scheme";
        }
        let folded = |other: &&&str| **other != label && other.eq_ignore_ascii_case(label);
        if let Some(other) = labels.iter().find(folded) {
            // The two would write one file where the file system ignores case.
            faults.add(
                &key,
                format!("the labels `{label}` and `{other}` differ in upper and lower case only"),
                "labels that differ in more than case",
            );
        }
        labels.push(label);
        refuse! { faults;
            !is_name(label) => &format!("{key}.label"), format!("the label `{label}` cannot name a file"),
                NAMES_ALLOWED;
            is_name(label) && !SchemeSelector::new(label).is_name() => &format!("{key}.label"),
                format!("the label `{label}` is a claim of schemes"), "another label";
        }
        let name = &entry.name;
        let (Some(row), Some(model)) = (registry::find(name), model) else {
            continue;
        };
        let finenesses: Vec<_> = match row.info.adaptive.is_some() {
            true => run.tolerances.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        for tolerance in finenesses {
            let parameters = tolerance.map(Parameters::with_tolerance);
            match (row.bind)(model, parameters.as_ref().unwrap_or(&entry.parameters)) {
                Ok(experiment) => out.push(LabelledScheme {
                    entry: *i,
                    label: label.to_string(),
                    name: name.clone(),
                    tolerance,
                    experiment: Arc::new(experiment),
                }),
                Err(why) => {
                    let is_claim = written[*i].name != *name;
                    let found = match is_claim {
                        true => format!("`{name}`: {why}"),
                        false => why.to_string(),
                    };
                    faults.add(&key, found, format!("see `topsim show {name}`"));
                    break;
                }
            }
        }
    }
    kinds_of_fineness(run, &entries, faults);
    Some(out)
}

/// Refuses schemes whose list of steps or tolerances is missing, and a list that no scheme of the case has.
fn kinds_of_fineness(run: &RunTable, entries: &[(usize, SchemeEntry)], faults: &mut Faults) {
    if run.steps.is_empty() && run.tolerances.is_empty() {
        return;
    }
    // Where one list is missing, that is said of its schemes.
    let both = !run.steps.is_empty() && !run.tolerances.is_empty();
    for (key, finenesses, keep, found, allowed) in [
        (
            "run.steps",
            &run.steps,
            false,
            "makes steps of one length",
            "`steps` beside it, or schemes that are `adaptive`",
        ),
        (
            "run.tolerances",
            &run.tolerances,
            true,
            "divides its steps to a tolerance",
            "`tolerances` beside it, or schemes that are `not adaptive`",
        ),
    ] {
        let of_kind = |(_, entry): &&(usize, SchemeEntry)| {
            registry::find(&entry.name).is_some_and(|row| row.info.adaptive.is_some() == keep)
        };
        match (entries.iter().find(of_kind), finenesses.is_empty()) {
            (Some((i, entry)), true) => {
                let found = format!("`{}` {found}, and the case has none", entry.label());
                faults.add(&format!("run.schemes[{i}]"), found, allowed);
            }
            (None, false) if both && !entries.is_empty() => {
                let found = format!("no scheme of the case {found}");
                faults.add(key, found, "a scheme that does, or no such list");
            }
            _ => {}
        }
    }
}

/// Returns the first scheme of the catalogue that serves a problem at its steps.
fn any_scheme(run: &RunTable, model: &Model) -> Option<LabelledScheme> {
    let serves = |row: &SchemeRow| {
        let experiment = (row.bind)(model, &Parameters::default()).ok()?;
        let covered = run.steps.iter().all(|h| experiment.covers(*h).is_ok());
        (covered && (experiment.restarts() || !run.dense)).then_some(LabelledScheme {
            entry: 0,
            label: row.info.name.into(),
            name: row.info.name.into(),
            tolerance: None,
            experiment: Arc::from(experiment),
        })
    };
    SCHEMES.iter().find_map(serves)
}

/// Refuses steps in which a given rate varies more than the sums of its increments resolve.
pub(crate) fn rate_steps(run: &RunTable, rate: &RateModel, faults: &mut Faults) {
    let longest = rate.longest_step(run.start, run.end);
    for (i, &h) in run.steps.iter().enumerate() {
        let (key, step) = written_step(faults, i, h);
        refuse! { faults;
            h > longest => &key, format!("the given rate varies too fast for a step of {step} s"),
                format!("at most {longest:.2e} s");
        }
    }
}

/// Returns the key of a step and its text as it is written.
fn written_step(faults: &Faults, i: usize, h: f64) -> (String, String) {
    let key = format!("run.steps[{i}]");
    let written = faults.doc.text_of(&key);
    let text = written.map_or_else(|| short(h), str::to_string);
    (key, text)
}

/// Returns the spacing of the samples, s.
fn spacing(run: &RunTable) -> f64 {
    run.sample.unwrap_or((run.end - run.start) / 200.0)
}

/// Returns times and samples of each step; without steps, of steps from sample to sample.
pub(crate) fn grids(run: &RunTable) -> Vec<Grid> {
    let sample = spacing(run);
    let grid = |h: &f64| Grid::new(run.start, run.end, *h, sample).with_dense(run.dense);
    match &run.steps[..] {
        [] => vec![between_samples(run.start, run.end, sample)],
        steps => steps.iter().map(grid).collect(),
    }
}

/// Returns the grid of runs with tolerances, whose inner steps do not depend on it.
pub(crate) fn between_samples(start: f64, end: f64, sample: f64) -> Grid {
    Grid::new(start, end, sample.min(end - start), sample)
}

/// Returns a plan for each scheme and step or tolerance.
pub(crate) fn plans(run: &RunTable, all: &[LabelledScheme], faults: &mut Faults) -> Vec<RunPlan> {
    let grids = grids(run);
    let mut out = Vec::new();
    for LabelledScheme {
        entry,
        label,
        name,
        tolerance,
        experiment,
    } in all
    {
        let plan = |fineness, grid| RunPlan {
            scheme: label.clone(),
            scheme_name: name.clone(),
            fineness,
            grid,
            experiment: experiment.clone(),
        };
        if let Some(tolerance) = tolerance {
            let grid = between_samples(run.start, run.end, spacing(run));
            out.push(plan(Fineness::Tolerance(*tolerance), grid));
            continue;
        }
        // A scheme that does not cover the body at steps a million times shorter covers it at no step.
        let at_all = run.steps.iter().map(|h| experiment.covers(1e-6 * h));
        if let Some(why) = at_all.filter_map(Result::err).next() {
            faults.add(
                &format!("run.schemes[{entry}]"),
                format!("`{label}` does not cover this body: {why}"),
                format!("other parameters, or a case without `{label}`"),
            );
            continue;
        }
        if run.dense && !experiment.restarts() {
            faults.add(
                "run.dense",
                format!("a sample between steps is a step after a new start, and `{label}` is not right there"),
                format!("dense = false, or a case without `{label}`"),
            );
        }
        for (i, &h) in run.steps.iter().enumerate() {
            let (key, step) = written_step(faults, i, h);
            if let Err(why) = experiment.covers(h) {
                faults.add(
                    &key,
                    format!("`{label}` does not cover this body at the step {step}: {why}"),
                    format!("a shorter step, or a case without `{label}`"),
                );
            }
            out.push(plan(Fineness::Step(step), grids[i]));
        }
    }
    out
}
