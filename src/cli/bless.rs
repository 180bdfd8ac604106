//! `topsim bless`: renews regression baselines, and nothing else.

use super::args::BlessArgs;
use super::find::{self, Tolerances};
use super::run::{NOTHING, integrate};
use super::terminal::Terminal;
use super::{Answer, Failure, exit};
use crate::check::{Baseline, BaselineRun, render_baseline};
use crate::run::{Case, WorkKind};
use crate::suite::Suite;
use document::wrapped;
use std::fmt::Write;
use topsim_core::models::{Group, Quantity};

pub(super) fn bless(args: &BlessArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let (found, suites) = find::load(&args.selection, Tolerances::Read, terminal)?;
    let mut text = String::new();
    // Only cases whose checks compare with a baseline get one, so that a folder of cases gets no unused baselines.
    let compared = |s: &Suite| {
        s.baseline.is_some() || s.checks.iter().any(|check| check.measure.needs().baseline)
    };
    let (compared, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .zip(suites)
        .partition(|(_, suite)| compared(suite));
    for (_, suite) in others {
        let name = &suite.problem.name;
        let _ = writeln!(text, "{name}: no check compares with a baseline");
    }
    let (found, suites): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
    let homeless: Vec<&str> = found
        .iter()
        .filter(|f| f.expected_dir.is_none())
        .map(|f| f.source.case.name.as_str())
        .collect();
    if !homeless.is_empty() {
        return Err(Failure::Invalid(format!(
            "error: no folder for the baseline of {}; allowed: case files with an `expected` folder \
             beside or above theirs, or `--expected DIR`",
            homeless.join(", ")
        )));
    }
    let old: Vec<Option<Baseline>> = suites.iter().map(|s| s.baseline.clone()).collect();
    let results = integrate(suites, &args.selection, terminal)?;
    if results.interrupted {
        return Err(Failure::Interrupted(NOTHING.into()));
    }
    let mut status = exit::PASSED;
    for ((case, f), old) in results.cases().zip(&found).zip(&old) {
        if !case.report.complete {
            for (_, stem, why) in case.incomplete().filter(|i| i.0 == WorkKind::Run) {
                let _ = writeln!(text, "{}: {stem} {why}", case.report.name);
            }
            let _ = writeln!(
                text,
                "{}: not blessed, a run did not complete",
                case.report.name
            );
            status = exit::INCOMPLETE;
            continue;
        }
        let new = take(case);
        if old.as_ref() == Some(&new) {
            let _ = writeln!(text, "{}: unchanged", case.report.name);
            continue;
        }
        compare(&mut text, case, old.as_ref(), &new);
        let Some(dir) = &f.expected_dir else { continue };
        let path = dir.join(format!("{}.baseline.csv", case.report.name));
        if args.accept {
            whole_file::write_through(&path, render_baseline(&new).as_bytes())?;
            let _ = writeln!(text, "{}: wrote {}", case.report.name, path.display());
        } else {
            let _ = writeln!(
                text,
                "{}: nothing written; --accept writes it",
                case.report.name
            );
            status = status.max(exit::FAILED);
        }
    }
    let text = wrapped(&text, Some(terminal.width));
    Ok(Answer { text, status })
}

fn take(case: Case) -> Baseline {
    let first = case.artifacts.runs.iter().take(1);
    let runs = case.artifacts.runs.iter();
    Baseline {
        columns: first
            .flat_map(|r| r.run.columns.names())
            .map(String::from)
            .collect(),
        runs: runs
            .map(|r| BaselineRun::take(&r.scheme, &r.step, &r.run))
            .collect(),
    }
}

/// Writes the largest change of each column, and whether the errors moved toward the reference or away from it.
fn compare(out: &mut String, case: Case, old: Option<&Baseline>, new: &Baseline) {
    let mut say = |text: String| {
        let _ = writeln!(out, "{}: {text}", case.report.name);
    };
    let Some(old) = old else {
        return say("no baseline yet".into());
    };
    for (c, name) in new.columns.iter().enumerate() {
        let Some(before) = old.columns.iter().position(|n| n == name) else {
            say(format!("{name}: new column"));
            continue;
        };
        let mut worst = (0.0, String::new());
        for run in &new.runs {
            let was = old.find(&run.scheme, &run.step).into_iter();
            let was = was.flat_map(BaselineRun::samples);
            for ((t, row), (t0, row0)) in run.samples().zip(was) {
                let change = (row[c] - row0[before]).abs();
                if t == t0 && change > worst.0 {
                    worst = (change, format!("{} h={} t={t}", run.scheme, run.step));
                }
            }
        }
        let (change, place) = worst;
        if change > 0.0 {
            say(format!("{name}: largest change {change:.3e} at {place}"));
        }
    }
    let same = |run: &&BaselineRun| old.find(&run.scheme, &run.step) == Some(*run);
    let (n, unchanged) = (new.runs.len(), new.runs.iter().filter(same).count());
    say(format!(
        "the baseline is stale: {} of {n} runs give other rows",
        n - unchanged
    ));
    for (all, others, what) in [(new, old, "new run"), (old, new, "gone")] {
        let only = |r: &&BaselineRun| others.find(&r.scheme, &r.step).is_none();
        for run in all.runs.iter().filter(only) {
            say(format!("{} h={}: {what}", run.scheme, run.step));
        }
    }
    // A changed first row tells of a changed problem: its energy and momentum depend on inertia, torque and state.
    let start = |b: &Baseline| b.runs.first().and_then(|r| r.rows.first().cloned());
    if old.columns == new.columns && start(old) != start(new) {
        let changed = "the case itself changed since its baseline; errors cannot be compared";
        say(changed.into());
    } else {
        moved(case, old).into_iter().for_each(say);
    }
}

/// Describes the errors at the end that changed.
fn moved(case: Case, old: &Baseline) -> Vec<String> {
    let mut out = Vec::new();
    let Ok(reference) = &case.artifacts.reference else {
        return out;
    };
    for r in case
        .artifacts
        .runs
        .iter()
        .filter(|r| r.run.columns.names().eq(&old.columns))
    {
        let run = &r.run;
        let k = run.times.len() - 1;
        let t = run.times[k];
        let before = old.find(&r.scheme, &r.step);
        let Some((_, before)) = before.and_then(|b| b.samples().find(|(x, _)| **x == t)) else {
            continue;
        };
        let mut exact = vec![f64::NAN; run.columns.width()];
        reference.row(t, &mut exact);
        let told = |g: &&Group| matches!(g.quantity, Quantity::Attitude | Quantity::BodyRate);
        for g in run.columns.groups.iter().filter(told) {
            let (was, is) = (g.distance(before, &exact), g.distance(run.row(k), &exact));
            if was != is {
                let way = if is < was { "toward" } else { "away from" };
                let (stem, name, by) = (r.stem(), &g.name, (is - was).abs());
                out.push(format!(
                    "{stem}: error of {name} at the end, {is:.3e}, moved {way} the reference by {by:.1e}"
                ));
            }
        }
    }
    out
}
