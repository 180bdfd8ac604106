//! What is hunted: anything that answers short runs.

use std::sync::atomic::{AtomicBool, Ordering};
use topsim_core::integration::{
    End, Experiment, Grid, Parameters, Stops, follow_together, registry,
};
use topsim_core::models::{AnyTop, Model};
use topsim_core::schemes::lanes::LANES;
use topsim_model::probe::{Answer, Load, NoRows, Probe, Row};
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::Runs;

/// A scheme of the catalogue.
pub(crate) struct Catalogue<'a> {
    pub row: &'static registry::SchemeRow,
    pub threads: &'a Threads,
    /// Set, no more runs are made.
    pub interrupt: &'a AtomicBool,
}

/// Probes that a thread takes at a time.
const PART: usize = 8 * LANES;

impl Runs for Catalogue<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        let parts: Vec<Vec<Probe>> = probes.chunks(PART).map(<[Probe]>::to_vec).collect();
        let done = self.threads.map(parts, |part| self.part(&part));
        done.into_iter().flatten().collect()
    }
}

impl Catalogue<'_> {
    /// Answers probes; runs of about the same length with one kind of torque are made side by side.
    fn part(&self, probes: &[Probe]) -> Vec<Answer> {
        let wanted = || !self.interrupt.load(Ordering::Relaxed);
        let bound: Vec<_> = probes.iter().map(|probe| self.bound(probe)).collect();
        let mut order: Vec<usize> = (0..probes.len()).filter(|&i| bound[i].is_ok()).collect();
        order.sort_by_key(|&i| (matches!(probes[i].start.load, Load::None), probes[i].steps));
        let mut rows: Vec<Vec<Row>> = vec![Vec::new(); probes.len()];
        let mut whole = vec![false; probes.len()];
        for group in order.chunks(LANES) {
            let most = group.iter().map(|&i| probes[i].steps).max();
            let counts: Vec<u64> = (0..=most.unwrap_or(0) as u64).collect();
            let runs = group
                .iter()
                .filter_map(|&i| Some((i, bound[i].as_ref().ok()?)));
            let (runs, experiments): (Vec<usize>, Vec<&Experiment>) = runs.unzip();
            let stops = runs.iter().map(|&i| Stops {
                start: probes[i].from,
                step: probes[i].step,
                counts: &counts,
                displacement: &[],
                wanted: &wanted,
            });
            let stops: Vec<Stops> = stops.collect();
            let made = follow_together(&experiments, &stops, &mut |k, stop, row| {
                let i = runs[k];
                let columns = experiments[k].columns();
                let state = columns.state(row).expect("a body with an attitude");
                let t = probes[i].from + stop as f64 * probes[i].step;
                if state.is_finite() {
                    rows[i].push(Row::of_state(t, &state));
                }
                state.is_finite() && stop < probes[i].steps
            });
            for (i, made) in runs.into_iter().zip(made) {
                whole[i] = made;
            }
        }
        let made = bound.into_iter().zip(rows).zip(whole).zip(probes);
        made.map(|(((bound, rows), whole), probe)| {
            let experiment = bound?;
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(NoRows::Stopped);
            }
            // A run that broke off is made again, so that it says why.
            if whole && rows.len() == probe.steps + 1 {
                Ok(rows)
            } else {
                alone(&experiment, probe)
            }
        })
        .collect()
    }

    fn bound(&self, probe: &Probe) -> Result<Experiment, NoRows> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(NoRows::Stopped);
        }
        let model = Model::Top(AnyTop::from(probe.start.top()));
        let refused = |why: &dyn std::fmt::Display| NoRows::Refused(why.to_string());
        let bound = (self.row.bind)(&model, &Parameters::default());
        let experiment = bound.map_err(|e| refused(&e))?;
        experiment.covers(probe.step).map_err(|e| refused(&e))?;
        Ok(experiment)
    }
}

/// Answers a probe by a run of its own.
fn alone(experiment: &Experiment, probe: &Probe) -> Answer {
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
        if !state.is_finite() {
            break;
        }
        rows.push(Row::of_state(*t, &state));
    }
    Ok(rows)
}
