//! Simulation of a model from the start of a body.

use crate::equations::Equations;
use crate::model::Model;
use crate::probe::Start;
use crate::remembering::Remembering;
use crate::report::Latent;
use crate::state::State;
use crate::stepping::{Rule, Span, bound};
use topsim_core::integration::{Experiment, Stops};
use topsim_core::math::{Mat3, Vec3, quaternion};

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
        if let Some(run) = Run::new(self.stepping.rule, &equations, &y, (from, step)) {
            // The memory of its rule goes on from row to row.
            return run.states(counts, &[]).unwrap_or_default();
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

/// Runs of a rule whose memory is not written, from a state.
pub(crate) struct Run<'a> {
    equations: &'a Equations,
    from: &'a State,
    /// Start and step, s.
    grid: (f64, f64),
    rule: Runner,
}

enum Runner {
    Catalogue(Box<Experiment>),
    Remembering(Box<Remembering>),
}

impl<'a> Run<'a> {
    /// Returns none of a rule that does not serve the body, or has no memory.
    pub fn new(
        rule: Rule,
        equations: &'a Equations,
        from: &'a State,
        grid: (f64, f64),
    ) -> Option<Self> {
        let rule = match rule {
            Rule::Catalogue(row) => Runner::Catalogue(Box::new(bound(row, equations, from)?)),
            Rule::Remembering(rule) => Runner::Remembering(Box::new(rule)),
            _ => return None,
        };
        Some(Self {
            equations,
            from,
            grid,
            rule,
        })
    }

    /// Returns the states after numbers of steps from a start that is displaced by parts of its size; they end before the first that
    /// is none.
    pub fn states(&self, counts: &[u64], displacement: &[f64]) -> Option<Vec<State>> {
        let (start, step) = self.grid;
        match &self.rule {
            Runner::Catalogue(experiment) => {
                let stops = Stops {
                    start,
                    step,
                    counts,
                    displacement,
                    wanted: &|| true,
                };
                states(experiment, &stops)
            }
            Runner::Remembering(rule) => {
                let mut from = *self.from;
                if let &[a, b, c, d, e, f] = displacement {
                    let turn = quaternion::exp(&Vec3::new(a, b, c));
                    from.quat = quaternion::product(&from.quat, &turn);
                    from.omega += Vec3::new(d, e, f) * from.omega.norm();
                }
                Some(rule.run(self.equations, self.grid, counts, &from))
            }
        }
    }
}

/// States of a run of a scheme of the catalogue after numbers of steps.
fn states(experiment: &Experiment, stops: &Stops) -> Option<Vec<State>> {
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
