//! `topsim bless`: renews regression baselines, and nothing else.

use super::args::BlessArgs;
use super::find::{self, Unjudged};
use super::run::{NOTHING, integrate};
use super::terminal::Look;
use super::{Answer, Failure, exit};
use crate::check::{Baseline, render_baseline};
use crate::report::Case;
use std::fmt::Write;

pub(super) fn bless(args: &BlessArgs, look: &Look) -> Result<Answer, Failure> {
    let (found, suites) = find::load(&args.selection, Unjudged::Allowed, look)?;
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
    let report = integrate(suites, &args.selection, look)?;
    if report.interrupted {
        return Err(Failure::Interrupted(NOTHING));
    }
    let mut text = String::new();
    let mut status = exit::PASSED;
    for ((case, f), old) in report.cases.iter().zip(&found).zip(&old) {
        if !case.complete() {
            for r in case.runs() {
                if let Err(why) = r.outcome() {
                    let _ = writeln!(text, "{}: {} {why}", case.name, r.stem());
                }
            }
            let _ = writeln!(text, "{}: not blessed, a run did not complete", case.name);
            status = exit::INCOMPLETE;
            continue;
        }
        let new = take(case);
        if old.as_ref() == Some(&new) {
            let _ = writeln!(text, "{}: unchanged", case.name);
            continue;
        }
        compare(&mut text, case, old.as_ref(), &new);
        let Some(dir) = &f.expected_dir else { continue };
        let path = dir.join(format!("{}.baseline.csv", case.name));
        if args.accept {
            whole_file::write(&path, render_baseline(&new).as_bytes())?;
            let _ = writeln!(text, "{}: wrote {}", case.name, path.display());
        } else {
            let _ = writeln!(text, "{}: nothing written; --accept writes it", case.name);
            status = status.max(exit::FAILED);
        }
    }
    Ok(Answer { text, status })
}

fn take(case: &Case) -> Baseline {
    Baseline {
        columns: case.runs().next().map_or_else(Vec::new, |r| {
            r.run.columns.names().map(String::from).collect()
        }),
        runs: case
            .runs()
            .map(|r| Baseline::take(&r.scheme, &r.step, &r.run))
            .collect(),
    }
}

/// Largest change of each column, and whether the error moved toward or away from the reference.
fn compare(out: &mut String, case: &Case, old: Option<&Baseline>, new: &Baseline) {
    let Some(old) = old else {
        let _ = writeln!(out, "{}: no baseline yet", case.name);
        return;
    };
    for (c, name) in new.columns.iter().enumerate() {
        let Some(before) = old.columns.iter().position(|n| n == name) else {
            let _ = writeln!(out, "{}: {name}: new column", case.name);
            continue;
        };
        let mut worst = (0.0, String::new());
        for run in &new.runs {
            let Some(was) = old.find(&run.scheme, &run.step) else {
                continue;
            };
            for ((t, row), (t0, row0)) in run
                .times
                .iter()
                .zip(&run.rows)
                .zip(was.times.iter().zip(&was.rows))
            {
                let change = (row[c] - row0[before]).abs();
                if t == t0 && change > worst.0 {
                    worst = (change, format!("{} h={} t={t}", run.scheme, run.step));
                }
            }
        }
        if worst.0 > 0.0 {
            let _ = writeln!(
                out,
                "{}: {name}: largest change {:.3e} at {}",
                case.name, worst.0, worst.1
            );
        }
    }
    for run in &new.runs {
        if old.find(&run.scheme, &run.step).is_none() {
            let _ = writeln!(out, "{}: {} h={}: new run", case.name, run.scheme, run.step);
        }
    }
    for run in &old.runs {
        if new.find(&run.scheme, &run.step).is_none() {
            let _ = writeln!(out, "{}: {} h={}: gone", case.name, run.scheme, run.step);
        }
    }
    // The start measures the problem: its energy and momentum hold inertia, torque and state.
    let start = |b: &Baseline| b.runs.first().and_then(|r| r.rows.first().cloned());
    if old.columns == new.columns && start(old) != start(new) {
        let _ = writeln!(
            out,
            "{}: the case itself changed since its baseline; errors cannot be compared",
            case.name
        );
    } else {
        moved(out, case, old);
    }
}

fn moved(out: &mut String, case: &Case, old: &Baseline) {
    let Ok(reference) = &case.reference else {
        return;
    };
    for r in case.runs() {
        let run = &r.run;
        let k = run.times.len() - 1;
        let t = run.times[k];
        let names: Vec<&str> = run.columns.names().collect();
        if old.columns != names {
            continue;
        }
        let Some(before) = old.find(&r.scheme, &r.step).and_then(|b| {
            let i = b.times.iter().position(|x| *x == t)?;
            Some(&b.rows[i])
        }) else {
            continue;
        };
        let mut exact = vec![f64::NAN; names.len()];
        reference.row(t, &mut exact);
        for g in ["attitude", "W"]
            .iter()
            .filter_map(|name| run.columns.group(name))
        {
            let (was, is) = (g.distance(before, &exact), g.distance(run.row(k), &exact));
            if was != is {
                let way = if is < was { "toward" } else { "away from" };
                let _ = writeln!(
                    out,
                    "{}: {}: error of {} at the end, {is:.3e}, moved {way} the reference by {:.1e}",
                    case.name,
                    r.stem(),
                    g.name,
                    (is - was).abs()
                );
            }
        }
    }
}
