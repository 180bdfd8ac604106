//! Simulation of a model from the start of a body.

use crate::model::Model;
use crate::probe::Start;
use crate::report::Latent;
use crate::state::State;
use crate::stepping::{Rule, Span, bound};
use topsim_core::integration::{Experiment, Stops};
use topsim_core::math::{Mat3, Vec3};

impl Model {
    /// Simulates the model from the start of a body at time `from`, in steps of `step`. Returns what its rows, read as their
    /// columns say, are taken for after these numbers of steps, which rise; they end before the first that is no state.
    ///
    /// A model whose rows hold parts of the step before has none before its start: its first row holds the start alone.
    #[must_use]
    pub fn run(&self, body: &Start, (from, step): (f64, f64), counts: &[u64]) -> Vec<State> {
        let latent = self.report.latent != Latent::None;
        // Each row with the one before it, where it holds parts of both.
        let pair = |n: u64| {
            if latent {
                n.saturating_sub(1)..=n
            } else {
                n..=n
            }
        };
        let mut needed: Vec<u64> = counts.iter().flat_map(|n| pair(*n)).collect();
        needed.dedup();
        let states = self.states(body, (from, step), &needed);
        let at = |n: u64| states.get(needed.binary_search(&n).ok()?);
        let seen = |n: &u64| {
            let seen = self
                .report
                .seen(at(n.saturating_sub(1)).or(at(*n))?, at(*n)?);
            Some(self.report.written(&seen)).filter(State::is_finite)
        };
        counts.iter().map_while(seen).collect()
    }

    /// States after numbers of steps, which end before the first that is none.
    fn states(&self, body: &Start, (from, step): (f64, f64), counts: &[u64]) -> Vec<State> {
        let mut y = State::new(&body.att, body.omega);
        let equations = self.equations(body);
        if let Rule::Catalogue(row) = self.stepping.rule {
            // The memory of its scheme goes on from row to row.
            let stops = Stops {
                start: from,
                step,
                counts,
                displacement: &[],
                wanted: &|| true,
            };
            let experiment = bound(row, &equations, &y);
            return experiment
                .and_then(|e| states(&e, &stops))
                .unwrap_or_default();
        }
        let mut made = 0;
        let next = |&count: &u64| {
            let span = Span {
                from: from + step * made as f64,
                step,
                steps: (count - made) as u32,
            };
            y = self
                .stepping
                .advance(&equations, &self.habit, span, &y, None)?;
            made = count;
            Some(y)
        };
        counts.iter().map_while(next).collect()
    }
}

/// States of a run of a scheme of the catalogue after numbers of steps.
pub(crate) fn states(experiment: &Experiment, stops: &Stops) -> Option<Vec<State>> {
    let columns = experiment.columns();
    let (r, w) = (columns.position("R11")?, columns.position("W1")?);
    let mut out = Vec::with_capacity(stops.counts.len());
    experiment.follow(stops, &mut |_, numbers| {
        let att = Mat3::from_row_slice(&numbers[r..r + 9]);
        let y = State::new(&att, Vec3::from_column_slice(&numbers[w..w + 3]));
        out.push(y);
        y.is_finite()
    });
    Some(out)
}
