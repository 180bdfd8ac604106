//! Wrong solvers, each diagnosed by name; right ones that are not blamed.

mod laws;
mod own_torque;
mod reports;
mod right;
mod schemes;
mod sometimes;

use std::sync::atomic::AtomicBool;
use topsim_core::integration::Grid;
use topsim_judge::diagnosis::{Conclusion, Diagnosis};
use topsim_judge::history::Body;
use topsim_judge::{Claims, HistoryFile, Problem, Reading, Report, SchemeDefect, judge_histories};
use topsim_model::probe::Start;
use wrong_solvers::{Habit, Precision, Print, Report as Written, Rule, Solver, WrongLaw};

fn plan(case: &str) -> Problem {
    Problem::builtin(case).unwrap_or_else(|| panic!("{case}"))
}

fn judged(plan: Problem, files: Vec<(f64, String)>) -> Report {
    let files = files
        .into_iter()
        .map(|(h, text)| HistoryFile {
            name: format!("h = {h}"),
            input: Box::new(std::io::Cursor::new(text.into_bytes())),
            step: Some(h),
        })
        .collect();
    judge_histories(&plan, files, &Reading::default(), &AtomicBool::new(false)).unwrap()
}

fn said(d: &Diagnosis) -> String {
    let causes: Vec<String> = d
        .causes
        .iter()
        .map(|c| format!("{} {:?} ({})", c.id, c.certainty, c.evidence()))
        .collect();
    format!(
        "{:?} {causes:#?} scheme {:?} rule {:?} own {:?} truth {:?} {:?}",
        d.conclusion,
        d.scheme,
        d.rule,
        d.own_limit,
        d.truth,
        d.remarks().collect::<Vec<_>>()
    )
}

/// Histories of a case at these steps.
fn histories(plan: &Problem, steps: &[f64], solver: &Solver) -> Vec<(f64, String)> {
    let start = Start::from(&Body::of(&plan.model).unwrap().top());
    let first = plan.grids[0];
    let end = first.time(first.steps);
    let of = |h: &f64| {
        let grid = Grid::new(first.start, end, *h, first.sample);
        (*h, solver.history(&start, &grid))
    };
    steps.iter().map(of).collect()
}

/// Returns the report on the histories of a solver at the steps of a case.
fn run(case: &str, solver: &Solver) -> Report {
    let plan = plan(case);
    let mut steps: Vec<f64> = plan.grids.iter().map(|g| g.h).collect();
    steps.sort_by(|a, b| b.total_cmp(a));
    steps.dedup();
    let files = histories(&plan, &steps, solver);
    judged(plan, files)
}

/// The first cause is this one.
#[track_caller]
fn blames(report: &Report, id: &str) {
    let d = report.diagnosis.as_ref().unwrap();
    assert!(
        d.causes.first().is_some_and(|c| c.id.to_string() == id) && d.causes.len() == 1,
        "{id} expected: {}",
        said(d)
    );
    assert_eq!(d.conclusion, Conclusion::Named);
    assert!(!report.passed());
}
