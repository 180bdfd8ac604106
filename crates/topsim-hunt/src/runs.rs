//! What is hunted: anything that answers short runs.

use std::sync::atomic::{AtomicBool, Ordering};
use topsim_core::integration::{End, Grid, Parameters, registry};
use topsim_core::models::{AnyTop, Model};
use topsim_model::probe::{Answer, NoRows, Probe, Row};
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::Runs;

/// A scheme of the catalogue.
pub(crate) struct Catalogue<'a> {
    pub row: &'static registry::SchemeRow,
    pub threads: &'a Threads,
    /// Set, no more runs are made.
    pub interrupt: &'a AtomicBool,
}

impl Runs for Catalogue<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        let parts: Vec<Vec<Probe>> = probes.chunks(16).map(<[Probe]>::to_vec).collect();
        let done = self.threads.map(parts, |part| {
            part.iter().map(|p| self.one(p)).collect::<Vec<_>>()
        });
        done.into_iter().flatten().collect()
    }
}

impl Catalogue<'_> {
    fn one(&self, probe: &Probe) -> Answer {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(NoRows::Stopped);
        }
        let model = Model::Top(AnyTop::from(probe.start.top()));
        let refused = |why: &dyn std::fmt::Display| NoRows::Refused(why.to_string());
        let bound = (self.row.bind)(&model, &Parameters::default());
        let experiment = bound.map_err(|e| refused(&e))?;
        experiment.covers(probe.step).map_err(|e| refused(&e))?;
        let grid = Grid {
            dense: false,
            start: probe.from,
            h: probe.step,
            steps: probe.steps as u64,
            sample: probe.step,
        };
        let run = experiment.run(&grid, &[], &|_| None);
        if let End::Failed { why, .. } = run.end {
            return Err(NoRows::Failed(why.to_string()));
        }
        let mut rows = Vec::with_capacity(run.times.len());
        for (k, t) in run.times.iter().enumerate() {
            let state = run
                .columns
                .state(run.row(k))
                .expect("a body with an attitude");
            if !state
                .omega
                .iter()
                .chain(state.att.iter())
                .all(|x| x.is_finite())
            {
                break;
            }
            rows.push(Row::of_state(*t, &state));
        }
        Ok(rows)
    }
}
