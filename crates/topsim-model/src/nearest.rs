//! Rules that come much nearer to rows than all others, where none explains them: solvers that stop an iteration early, or
//! choose their steps.

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::model::Model;
use crate::observed::Interval;
use crate::report::Report;
use crate::stepping::{Rule, Stepping};

/// Misses up to so many times the least are those of like rules.
const ALIKE: f64 = 30.0;
/// Part of all rows that a rule must come as near to.
const MOST: f64 = 0.8;
/// The next rule misses at least so many times the least.
const APART: f64 = 1000.0;
/// Largest miss of a rule that is said of a solver, relative: a wrong law misses by more.
const SMALL: f64 = 1e-6;
/// Largest miss of the motion itself that is said of a solver, relative: rules of high order come as near.
const MOTION: f64 = 1e-9;

impl Search<'_> {
    /// Returns the right models that come much nearer to the rows than all different ones; the motion itself alone, where it
    /// is one of them.
    pub(crate) fn nearest(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
    ) -> Vec<Found> {
        let Some((report, _)) = reports.first().filter(|_| self.few().len() > 2) else {
            return Vec::new();
        };
        let model = |stepping: &Stepping| Model::right(*stepping).reported(*report);
        let mut all = Vec::new();
        let (mut least, mut far) = (f64::INFINITY, false);
        for stepping in rules {
            if !(self.wanted)() {
                return Vec::new();
            }
            let miss = self.most_missed(&model(stepping), right, APART * ALIKE * least);
            if let Some(miss) = miss {
                least = least.min(miss);
                all.push((miss, stepping));
            } else {
                far = true;
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_motion = |s: &Stepping| matches!(s.rule, Rule::Flow);
        let (mut alike, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|a| a.0 <= ALIKE * least);
        if least <= MOTION && alike.iter().any(|a| is_motion(a.1)) {
            alike.retain(|a| is_motion(a.1));
        } else if least > SMALL || others.first().map_or(!far, |next| next.0 < APART * least) {
            return Vec::new();
        }
        let found = |(_, stepping): (f64, &Stepping)| {
            let model = model(stepping);
            // A few rows may lie before something happens.
            let all = &self.observed.intervals;
            let near = |i: &&Interval| {
                let miss = self.observed.miss(&model, right, i);
                miss.is_some_and(|r| r.size <= ALIKE * ALIKE * least)
            };
            let near = all.iter().filter(near).count() as f64;
            if near < MOST * all.len() as f64 {
                return None;
            }
            let evidence = self.observed.evidence(&model, right, self.few());
            Some(Found {
                bits: evidence.bits,
                numbers: 0,
                model,
                evidence,
            })
        };
        alike.into_iter().filter_map(found).collect()
    }

    /// Returns the largest miss of the few intervals but for one, relative; none where it is beyond `most`.
    fn most_missed(&self, model: &Model, equations: &Equations, most: f64) -> Option<f64> {
        let mut misses = [0.0; 2];
        for i in self.few() {
            let miss = self.observed.miss(model, equations, i);
            let miss = miss.map_or(f64::INFINITY, |r| r.size);
            if miss > misses[0] {
                misses = [miss, misses[0]];
            } else if miss > misses[1] {
                misses[1] = miss;
            }
            if !(misses[1] <= most) {
                return None;
            }
        }
        misses[1].is_finite().then_some(misses[1])
    }
}
