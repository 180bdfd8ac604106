//! Rules with a slip that costs them their order: a term that is held over a step, or an entry of a tableau with another value.

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::report::{Latent, Report};
use crate::sample::{LeastSquares, Sample};
use crate::stepping::{Carrier, FrozenTerm, Kick, Rule, RungeKutta, Stepping, TurnMap, TurnRate};
use crate::suspects::Suspect;
use crate::tableau::{self, Place};
use crate::turn_slip::TurnSlip;
use strum::VariantArray;

/// Reports with which slips are tried: those that come nearest.
const REPORTS: usize = 1;
/// Intervals of each history to which an entry is fitted.
const ROWS: usize = 4;
/// Entries that are fitted, at most: those that leave least to first order.
const FITTED: usize = 24;
/// An entry that leaves a larger part of what the rule leaves explains nothing.
const EXPLAINS: f64 = 0.3;
/// Iterations of a fit.
const ITERATIONS: usize = 8;
/// Stages of the longest rules of which two weights are changed.
const LONG: usize = 4;

/// Returns the explicit rules in the variables that files are held against.
fn explicit() -> impl Iterator<Item = RungeKutta> {
    let named = tableau::named().into_iter().filter(|t| t.order > 1);
    named.flat_map(|tableau| {
        let carriers = Carrier::VARIANTS.iter().filter(|c| !c.is_seldom());
        carriers.map(move |&carrier| RungeKutta {
            tableau,
            carrier,
            held: FrozenTerm::Nothing,
        })
    })
}

/// Returns rules of first order whose turn is made by a formula with a slip, or whose rate is overwritten in place.
pub fn first_order_with_slips() -> impl Iterator<Item = Stepping> {
    let rates = TurnRate::VARIANTS.iter();
    rates.flat_map(|&rate| {
        let slipped = [Kick::Explicit, Kick::InPlace]
            .into_iter()
            .flat_map(move |kick| {
                TurnSlip::all().map(move |slip| Rule::Slipped { kick, rate, slip })
            });
        let maps = [TurnMap::Exponential, TurnMap::Sum, TurnMap::Columns];
        let in_place = [Kick::InPlace, Kick::InPlaceReversed]
            .into_iter()
            .flat_map(move |kick| maps.map(move |map| Rule::Euler { kick, rate, map }));
        slipped.chain(in_place).map(Rule::once)
    })
}

impl Search<'_> {
    /// Returns rules of the right law with a slip that explain the rows.
    pub fn slips(&self, reports: &[(Report, f64)], right: &Equations) -> Vec<Found> {
        let reports = &reports[..reports.len().min(REPORTS)];
        let held = [FrozenTerm::Torque, FrozenTerm::Gyroscopic];
        let held = explicit().flat_map(|rule| {
            let with = move |held| Rule::RungeKutta(RungeKutta { held, ..rule }).once();
            held.map(with)
        });
        let held: Vec<Stepping> = held.collect();
        let with_slips = held.into_iter().chain(first_order_with_slips());
        let all: Vec<Stepping> = with_slips.collect();
        let found = self.right(reports, &all, right, Latent::None);
        if !found.is_empty() {
            return found;
        }
        let edited = reports.iter().flat_map(|(report, _)| self.edited(*report));
        edited.collect()
    }

    /// Returns rules with another value of an entry that explain the rows.
    fn edited(&self, report: Report) -> Vec<Found> {
        let mut sample = Sample::new(self, report, self.observed.few(ROWS));
        let right = Suspect::right();
        let mut all = Vec::new();
        for rule in explicit() {
            let stepping = Rule::RungeKutta(rule).once();
            let Some(missed) = sample.missed(&right, stepping, &[]) else {
                continue;
            };
            for place in Place::all(&rule.tableau) {
                if rule.tableau.stages > LONG && matches!(place, Place::Weights(..)) {
                    continue;
                }
                let entry = Suspect::Entry(place);
                let Some(slopes) = sample.slopes(&entry, stepping, &[0.0], &missed) else {
                    continue;
                };
                let left = LeastSquares::new(slopes).left(&missed);
                if left <= EXPLAINS * missed.norm() {
                    all.push((left, entry, stepping));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(FITTED);
        let mut out = Vec::new();
        for (_, entry, stepping) in all {
            if !(self.wanted)() {
                break;
            }
            let fit = sample.fit(&entry, stepping, &[0.0], ITERATIONS);
            let numbers = fit.and_then(|f| sample.numbers(&entry, stepping, &f.numbers));
            out.extend(numbers.and_then(|numbers| {
                let model = sample.model(&entry, stepping, &numbers);
                let equations = model.equations(&self.observed.body);
                self.accepted(model, &equations, numbers.len())
            }));
        }
        out
    }
}
