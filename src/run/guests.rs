//! Turns the histories of another solver into runs of a case.

use crate::check::SchemeRun;
use std::sync::Arc;
use std::time::Duration;
use topsim_case::{Problem, RunPlan};
use topsim_core::integration::{End, Run, RunEffort, StepFacts, Track};
use topsim_core::models::{AnyTop, Columns, Measured, RigidTop, TopVisitor, Torque};
use topsim_protocol::solver::StepSolution;

/// Returns the runs of a solver in a case of a rotating body.
pub fn guests(
    problem: &Problem,
    top: &AnyTop,
    (label, command): (&str, &str),
    mut solved: Vec<StepSolution>,
) -> Vec<SchemeRun> {
    // The order is that of the case's own runs.
    let place = |h: f64| {
        let asked = |p: &RunPlan| p.grid.h == h && p.has_step();
        problem.plans.iter().position(asked)
    };
    solved.sort_by_key(|s| place(s.step));
    let guest = |solved: StepSolution| {
        let plan = &problem.plans[place(solved.step)?];
        Some(SchemeRun {
            scheme: label.into(),
            scheme_name: command.into(),
            fineness: plan.fineness.clone(),
            guest: true,
            run: top.visit(Measure {
                solved: &solved,
                steps: plan.grid.steps,
            }),
            step_facts: StepFacts::default(),
            wall: Duration::ZERO,
        })
    };
    solved.into_iter().filter_map(guest).collect()
}

struct Measure<'a> {
    solved: &'a StepSolution,
    steps: u64,
}

impl TopVisitor for Measure<'_> {
    type Out = Run;
    fn visit<T: Torque>(self, top: RigidTop<T>) -> Run {
        let columns = Arc::new(top.columns());
        let mut rows = vec![0.0; self.solved.rows.len() * columns.width()];
        let places = rows.chunks_mut(columns.width());
        for ((t, state), row) in self.solved.rows.iter().zip(places) {
            top.measure(*t, state, row);
        }
        let times: Vec<f64> = self.solved.rows.iter().map(|r| r.0).collect();
        Run {
            tracks: tracks(&columns, &times, &rows),
            columns,
            h: self.solved.step,
            times,
            rows,
            events: Vec::new(),
            events_dropped: 0,
            effort: RunEffort {
                steps: self.steps,
                torque: self.solved.evaluations.unwrap_or(0),
                ..RunEffort::default()
            },
            straddled: Vec::new(),
            end: End::Reached,
        }
    }
}

/// Returns the extremes and trends of the tracked columns over the rows; values between the rows are unknown.
fn tracks(columns: &Columns, times: &[f64], rows: &[f64]) -> Vec<Track> {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let track = |c: usize| {
        let values = rows.iter().skip(c).step_by(columns.width());
        let series = || times.iter().copied().zip(values.clone().copied());
        let by_value = |a: &(f64, f64), b: &(f64, f64)| a.1.total_cmp(&b.1);
        let (min_at, min) = series().min_by(by_value).expect("a history has rows");
        let (max_at, max) = series().max_by(by_value).expect("a history has rows");
        let (mut tx, mut tt) = (0.0, 0.0);
        for (t, x) in series() {
            tx += (t - mean) * (x - rows[c]);
            tt += (t - mean) * (t - mean);
        }
        Track {
            first: rows[c],
            min,
            min_at,
            max,
            max_at,
            slope: tx / tt,
        }
    };
    columns.tracked.clone().map(track).collect()
}
