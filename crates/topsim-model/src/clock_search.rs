//! The search for rules whose torque of time is read by a clock of single precision, over whole runs.

use crate::base::Base;
use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::model::Model;
use crate::probe::Load;
use crate::remembering::Remembering;
use crate::report::Report;
use crate::run_rows::RunRows;
use crate::stepping::Rule;
use crate::torque_clock::{SingleTime, TorqueClock};

/// Distance of the first row of a rule whose clock is of single precision, relative.
const NEAR: f64 = 1e-8;

impl Search<'_> {
    /// Returns rules that read a torque of time by a clock of single precision and explain whole runs, where the same rules that read it
    /// at the times of their steps do not.
    #[must_use]
    pub(crate) fn clocks(&self, report: &Report, right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        let of_time = matches!(self.observed.body.load, Load::Pulse(_) | Load::Other(_));
        let coarse = self.observed.histories.last().filter(|_| of_time);
        let Some((history, rows)) = coarse.and_then(|h| Some((h, RunRows::new(h, report)?))) else {
            return out;
        };
        if rows.states.len() < 2 || history.print.resolution() > NEAR {
            return out;
        }
        let evidence = |rule: Base, clock: TorqueClock| {
            let rule = Rule::Remembering(Remembering::Clocked { clock, rule });
            (rule, self.observed.run_evidence(rule, report, right))
        };
        for rule in Base::all() {
            if !(self.wanted)() {
                return out;
            }
            let (from, h) = rows.grid;
            let steps = 0..rows.counts[1];
            let first = steps.fold(rows.states[0], |y, n| {
                rule.step(right, (from + h * n as f64, h), &y)
            });
            let off = first.difference(&rows.states[1]);
            let speed = rows.states[1].omega.norm() + f64::MIN_POSITIVE;
            if !(off.turn.norm() + off.rate.norm() / speed <= NEAR)
                || evidence(rule, TorqueClock::Behind(0.0)).1.asserted
            {
                continue;
            }
            let tried = SingleTime::clocks().filter_map(|clock| {
                let (rule, own) = evidence(rule, clock);
                let model = Model::right(rule.once()).reported(*report);
                Found::asserted(model, own, 0)
            });
            out.extend(tried);
        }
        out
    }
}
