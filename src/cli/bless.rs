//! `topsim bless`: renews regression baselines, and nothing else.

use super::args::BlessArgs;
use super::find::{self, Tolerances};
use super::run::{NOTHING, has_schemes, integrate};
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
    has_schemes(&suites)?;
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
    let (mut paths, mut homeless, mut suites) = (Vec::new(), Vec::new(), Vec::new());
    for (found, suite) in compared {
        let name = suite.problem.name.clone();
        match found.expected_dir {
            Some(dir) => paths.push(dir.join(format!("{name}.baseline.csv"))),
            None => homeless.push(name),
        }
        suites.push(suite);
    }
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
    for ((case, path), old) in results.cases().zip(&paths).zip(&old) {
        let mut lines = Vec::new();
        let new = case.report.complete.then(|| take(case));
        match &new {
            None => {
                let runs = case.incomplete().filter(|i| i.0 == WorkKind::Run);
                lines.extend(runs.map(|(_, stem, why)| format!("{stem} {why}")));
                lines.push("not blessed, a run did not complete".into());
                status = exit::INCOMPLETE;
            }
            same if same == old => lines.push("unchanged".into()),
            Some(new) => {
                match old {
                    None => lines.push("no baseline yet".into()),
                    Some(old) => changes(&mut lines, case, old, new),
                }
                if args.accept {
                    whole_file::write_through(path, render_baseline(new).as_bytes())?;
                    lines.push(format!("wrote {}", path.display()));
                } else {
                    lines.push("nothing written; --accept writes it".into());
                    status = status.max(exit::FAILED);
                }
            }
        }
        for line in lines {
            let _ = writeln!(text, "{}: {line}", case.report.name);
        }
    }
    let text = wrapped(&text, terminal.console.width);
    Ok(Answer { text, status })
}

fn take(case: Case) -> Baseline {
    let runs = &case.artifacts.runs;
    let columns = runs.first().map(|r| r.run.columns.names());
    Baseline {
        columns: columns.into_iter().flatten().map(String::from).collect(),
        runs: runs
            .iter()
            .map(|r| BaselineRun::take(&r.scheme, &r.fineness, &r.run))
            .collect(),
    }
}

/// Adds the largest change of each column, and the direction in which the errors moved, toward the reference or away.
fn changes(out: &mut Vec<String>, case: Case, old: &Baseline, new: &Baseline) {
    for (c, name) in new.columns.iter().enumerate() {
        let Some(before) = old.columns.iter().position(|n| n == name) else {
            out.push(format!("{name}: new column"));
            continue;
        };
        let (mut largest, mut place) = (0.0, String::new());
        for run in &new.runs {
            let was = old.find(&run.scheme, &run.fineness).into_iter();
            let was = was.flat_map(BaselineRun::samples);
            for ((t, row), (t0, row0)) in run.samples().zip(was) {
                let change = (row[c] - row0[before]).abs();
                if t == t0 && change > largest {
                    largest = change;
                    place = format!("{} {} t={t}", run.scheme, run.fineness);
                }
            }
        }
        if largest > 0.0 {
            out.push(format!("{name}: largest change {largest:.3e} at {place}"));
        }
    }
    let same = |run: &&BaselineRun| old.find(&run.scheme, &run.fineness) == Some(*run);
    let (n, unchanged) = (new.runs.len(), new.runs.iter().filter(same).count());
    out.push(format!(
        "the baseline is stale: {} of {n} runs give other rows",
        n - unchanged
    ));
    for (all, others, what) in [(new, old, "new run"), (old, new, "gone")] {
        let only = |r: &&BaselineRun| others.find(&r.scheme, &r.fineness).is_none();
        for run in all.runs.iter().filter(only) {
            out.push(format!("{} {}: {what}", run.scheme, run.fineness));
        }
    }
    // A changed first row tells of a changed problem: its energy and momentum depend on inertia, torque and state.
    let start = |b: &Baseline| b.runs.first().and_then(|r| r.rows.first().cloned());
    if old.columns == new.columns && start(old) != start(new) {
        out.push("the case itself changed since its baseline; errors cannot be compared".into());
    } else {
        moved(out, case, old);
    }
}

/// Adds the errors at the end that changed.
fn moved(out: &mut Vec<String>, case: Case, old: &Baseline) {
    let Ok(reference) = &case.artifacts.reference else {
        return;
    };
    for r in &case.artifacts.runs {
        let run = &r.run;
        let k = run.times.len() - 1;
        let t = run.times[k];
        let mut before = old.find(&r.scheme, &r.fineness).into_iter();
        let before = before.find_map(|b| b.samples().find(|(x, _)| **x == t));
        let Some((_, before)) = before.filter(|_| run.columns.names().eq(&old.columns)) else {
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
}
