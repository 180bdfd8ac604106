//! Wrong laws and habits with a rule that explain rows to their rounding: the law that the motion shows, and factors of the
//! rate, with each rule that comes near.

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::joint::Joint;
use crate::ladder::Motion;
use crate::model::Model;
use crate::observed::Observed;
use crate::report::Report;
use crate::sample::{Begun, Sample};
use crate::state::State;
use crate::stepping::{Rule, Stepping};
use crate::suspects::{Suspect, factors, laws_of_engines, limits};
use topsim_core::math::Vec3;

impl Search<'_> {
    /// Returns models with a wrong law, or with a factor of the rate, that explain the rows.
    pub fn laws(&self, report: Report, motion: &Motion, rules: &[Stepping]) -> Vec<Found> {
        let several = self.observed.histories.len() > 1;
        let few = self.observed.few(if several { ROWS.0 } else { ROWS.1 });
        let mut sample = Sample::new(self, report, few).with_rules(rules);
        let mut possible = Vec::new();
        if let Motion::Wrong(law) = motion {
            possible.extend(law.suspects.iter().take(LAWS).cloned());
        }
        let others = factors().chain(laws_of_engines());
        possible.extend(others.map(|suspect| {
            let from = vec![0.0; suspect.numbers()];
            (suspect, from)
        }));
        let torques = [self.gyroscopic_torque(report), self.torque(report)];
        let begins = torques.map(|size| limits().map(move |suspect| (suspect, vec![1.0 / size])));
        possible.extend(begins.into_iter().flatten());
        let mut out: Vec<Found> = Vec::new();
        for (suspect, from) in possible {
            // A law with more numbers is no rival of one with fewer that explains as much.
            if out.iter().any(|f| f.numbers < from.len()) {
                break;
            }
            let Some(begun) = begun(&sample, suspect, &from) else {
                continue;
            };
            let mut accepted = |sample: &mut Sample, stepping: Stepping, from: &[f64]| {
                let numbers = sample.numbers(&begun.suspect, stepping, from);
                let found = numbers.and_then(|numbers| {
                    let model = sample.model(&begun.suspect, stepping, &numbers);
                    let equations = model.equations(&self.observed.body);
                    self.accepted(model, &equations, numbers.len())
                });
                let is_found = found.is_some();
                out.extend(found);
                is_found
            };
            let flow = Rule::Flow.once();
            // No rule is told where steps leave no more than rounding.
            if begun.suspect.acts_in_steps() || !accepted(&mut sample, flow, &begun.numbers) {
                for (stepping, from) in sample.near_rules(&begun) {
                    if !(self.wanted)() {
                        return out;
                    }
                    accepted(&mut sample, stepping, &from);
                }
            }
        }
        if out.is_empty() && matches!(motion, Motion::Unknown(_)) {
            out = self.joint_laws(&mut sample);
        }
        out
    }

    /// Returns half of the median size of the gyroscopic torque in the rows, N m.
    fn gyroscopic_torque(&self, report: Report) -> f64 {
        let inertia = &self.observed.body.inertia;
        self.half_median(report, |_, y| y.omega.cross(&inertia.times(&y.omega)))
    }

    /// Returns half of the median size of the torque of the load in the rows, N m.
    fn torque(&self, report: Report) -> f64 {
        let body = &self.observed.body;
        self.half_median(report, |t, y| body.torque_at(t, &y.attitude(), &y.omega))
    }

    /// Returns half of the median size of a vector in the rows.
    fn half_median(&self, report: Report, of: impl Fn(f64, &State) -> Vec3) -> f64 {
        let rows = self.observed.histories.iter().flat_map(|h| &h.rows);
        let mut sizes: Vec<f64> = rows
            .map(|row| of(row.t, &report.read(row)).norm())
            .collect();
        sizes.sort_by(f64::total_cmp);
        (0.5 * sizes[sizes.len() / 2]).max(f64::MIN_POSITIVE.sqrt())
    }

    /// Returns models with a wrong law and a rule whose error hides it.
    fn joint_laws(&self, sample: &mut Sample) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        for Joint { suspect, stepping } in sample.joint() {
            let from = vec![0.0; suspect.numbers()];
            // A term with more numbers is no rival of one with fewer that explains as much.
            if out.iter().any(|f| f.numbers < from.len()) || !(self.wanted)() {
                continue;
            }
            let Some(numbers) = sample.numbers(&suspect, stepping, &from) else {
                continue;
            };
            let model = sample.model(&suspect, stepping, &numbers);
            let equations = model.equations(&self.observed.body);
            out.extend(self.accepted(model, &equations, numbers.len()));
        }
        out
    }
}

/// Returns the law with a limit with which a rule gives all rows.
#[must_use]
pub fn limited(observed: &Observed, stepping: Stepping) -> Option<Found> {
    let search = Search::new(observed, &|| true);
    let report = Report::default();
    let mut sample = Sample::new(&search, report, observed.few(ROWS.0));
    let begins = 1.0 / search.gyroscopic_torque(report);
    let right = Model::right(stepping);
    if search
        .accepted(right, &Equations::right(&observed.body), 0)
        .is_some()
    {
        return None;
    }
    limits().find_map(|suspect| {
        BEGINNINGS.iter().find_map(|times| {
            let fit = sample.fit(&suspect, stepping, &[begins / times], LONG)?;
            let numbers = sample.numbers(&suspect, stepping, &fit.numbers)?;
            let model = sample.model(&suspect, stepping, &numbers);
            let equations = model.equations(&observed.body);
            search.accepted(model, &equations, numbers.len())
        })
    })
}

/// Limits from which fits begin, over half of the median of the quantity. One over the limit doubles in an iteration while it is far
/// too small, and is lost where it is too large.
const BEGINNINGS: [f64; 4] = [1e6, 1e4, 100.0, 1.0];
/// Iterations of such a fit.
const LONG: usize = 12;
/// Intervals to which laws are fitted: of each of several histories, and of one.
const ROWS: (usize, usize) = (4, 8);
/// Laws that are tried with rules, at most.
const LAWS: usize = 6;
/// A factor of the rate, or a limit, that leaves a larger part of what the ordinary rule leaves without it explains nothing.
const EXPLAINS: f64 = 0.5;
/// Iterations of the fit to some rows of all histories.
const ITERATIONS: usize = 8;

/// Fits a suspect by the motion alone, or by the ordinary rule where it acts in steps; none of a factor or a limit that explains nothing.
fn begun(sample: &Sample, suspect: Suspect, from: &[f64]) -> Option<Begun> {
    let rule = Sample::first_rule(&suspect);
    let fit = sample.fit(&suspect, rule, from, ITERATIONS)?;
    let without = sample.fit(&Suspect::right(), rule, &[], 0)?.left;
    if (suspect.acts_in_steps() || suspect.is_limit()) && !(fit.left <= EXPLAINS * without) {
        return None;
    }
    Some(Begun {
        suspect,
        numbers: fit.numbers,
        left: fit.left,
    })
}
