//! The integration scheme of a solver, from its steps at states of our choice. `docs/science/scheme-identification.md`
//! derives it.
//!
//! Letters: R attitude, W body rate, J inertia, T torque in the body, g = J⁻¹(J W × W), α = J⁻¹T + g; index 0 and 1 the rows of a
//! step, −1 the row before; φ the turn, E = exp φ, E½ half of it.

mod catalogue;
mod clock;
mod ends;
mod expansion;
mod fingerprint;
mod flaws;
mod inner;
mod linear;
mod names;
mod open_tableau;
mod pairs;
mod questioner;
mod relations;
mod rows;
mod runge_kutta;
mod search;
mod sentences;
mod simulated;
mod sphere;
#[cfg(test)]
mod tests;
mod times;
mod words;

use super::IdentifiedRule;
use super::experiment::{Probe, Target};
use super::floor::Floor;
use super::questions::{Listener, Scope};
use crate::thresholds::*;
pub(crate) use ends::Rule;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use flaws::{LostPart, Restoration, SchemeFlaw, first_order_flaw};
pub(crate) use inner::{Inner, InnerLaw};
use questioner::{FAMILY, PseudoRandom, Questioner, State, Step};
pub(crate) use relations::Relations;
pub(crate) use rows::of_rows;
pub(crate) use runge_kutta::{Edit, EditedRule};
use search::{Candidate, Choice, Search};
pub(in crate::identification) use sentences::{flaw, sentences, torque_rule};
pub(crate) use sphere::Sphere;
pub(crate) use times::TorqueTimes;
use topsim_core::integration::registry::SchemeRow;
use topsim_model::pair::Quantity;
use topsim_model::slips::first_order_with_slips;
use topsim_model::stepping::{Iterated, Word};
pub(crate) use topsim_model::torque_clock::TorqueClock;
use topsim_model::{Rule as Stepped, Stepping};
use topsim_protocol::NamedRule;

/// What is known of a scheme.
#[derive(Debug, Clone, Default)]
pub(crate) struct SchemeFindings {
    /// What it is called, where it is one of those known and no other fits as well.
    pub name: Option<String>,
    /// The name of its row in the tables of rules, where it is one without an edit.
    pub row: Option<&'static str>,
    pub flaws: Vec<SchemeFlaw>,
    pub relations: Relations,
    pub sphere: Sphere,
    /// The first step as a series.
    pub first: Fingerprint,
    /// The second step; where a step needs what was before it.
    pub later: Option<Fingerprint>,
    /// The rule of the rate, from the ends of the steps.
    pub rate: Option<Rule>,
    /// The rule of the attitude.
    pub attitude: Option<Rule>,
    /// The rules of the first step, where a step needs what was before it.
    pub start: (Option<Rule>, Option<Rule>),
    /// The Runge–Kutta rule of the first step, where a step needs what was before it.
    pub start_rule: Option<EditedRule>,
    /// The Runge–Kutta rule.
    pub runge_kutta: Option<EditedRule>,
    /// The word of kicks and turns.
    pub word: Option<Word>,
    /// The rule of first order with a slip.
    pub slipped: Option<Stepping>,
    /// An implicit rule that is not iterated to its end.
    pub corrected: Option<Iterated>,
    /// Inner steps.
    pub inner: Option<Inner>,
    /// When the torque is read; none where the solver takes no torque of time.
    pub torque_times: Option<TorqueTimes>,
    /// The clock by which it is read, where that is not the time of the steps.
    pub clock: Option<TorqueClock>,
    /// The one that makes the rate alone.
    pub rate_alone: Option<EditedRule>,
    /// Largest miss of the rule that is known by its stages.
    pub residual: Option<f64>,
    /// Names of other rules that cannot be told apart at this noise.
    pub alike: Vec<String>,
    /// Names of their rows in the tables of rules.
    pub alike_rows: Vec<&'static str>,
    /// Whether a quaternion is written that is never normalised, or a matrix that is never made orthogonal.
    pub raw: bool,
    /// Relative precision of the rows.
    pub digits: f64,
    /// Whether the steps were asked for on free bodies: then their rule says nothing of a torque.
    pub free: bool,
    /// Steps that the rules were held against.
    pub steps: usize,
    /// Runs that were asked for.
    pub runs: usize,
}

impl SchemeFindings {
    /// Whether a step needs what was before it.
    pub fn remembers(&self) -> bool {
        self.later.is_some()
    }
    /// Returns the rule as it can be claimed; none where no rule fits.
    pub fn identified(&self) -> Option<IdentifiedRule> {
        let alike = self
            .alike_rows
            .iter()
            .copied()
            .filter_map(NamedRule::of_row);
        let name = match (&self.name, &self.alike[..]) {
            (Some(name), _) => name.clone(),
            (None, []) => return None,
            (None, several) => format!("one of these: {}", several.join("; ")),
        };
        Some(IdentifiedRule {
            name,
            named: self.row.and_then(NamedRule::of_row),
            alike: alike.collect(),
            implicit: self.implicit(),
            order: self.known_order(),
            measured_order: match self.series().order() {
                Some((order, false)) => Some(order),
                _ => None,
            },
        })
    }
    /// Returns whether a step solves equations, where that is known.
    fn implicit(&self) -> Option<bool> {
        match (&self.word, &self.rate, &self.attitude) {
            _ if self.corrected.is_some() || self.inner.is_some() => None,
            _ if self.runge_kutta.is_some() => {
                self.runge_kutta.map(|r| r.rule.tableau.is_implicit())
            }
            // Implicit tableaus that steps are held against have no rivals.
            _ if self.name.is_none() && !self.alike_rows.is_empty() => Some(false),
            (Some(word), ..) => Some(word.solves_equations()),
            (None, Some(rate), Some(attitude)) => Some(ends::is_implicit(rate, attitude)),
            _ => None,
        }
    }
    /// Returns the order of the Runge–Kutta rule whose steps these are, where nothing of it is changed; at most 4 is told.
    pub fn known_order(&self) -> Option<usize> {
        let rule = self.runge_kutta.filter(|r| r.row().is_some())?;
        let order = rule.order().min(rule.rule.carrier.highest_order());
        (!self.raw).then_some(usize::from(order))
    }
    /// Returns the weights of the slopes of this and the two earlier rows, where the rule of the rate is their sum.
    pub fn slope_weights(&self) -> Option<[f64; 3]> {
        let mut out = [0.0; 3];
        for (quantity, weight) in &self.rate.as_ref().filter(|_| self.remembers())?.terms {
            match quantity {
                Quantity::Acceleration0 => out[0] = *weight,
                Quantity::AccelerationPast => out[1] = *weight,
                Quantity::AccelerationPast2 => out[2] = *weight,
                _ => return None,
            }
        }
        Some(out)
    }
    /// Returns the order of the multistep rule with these weights.
    pub fn order_of_weights(&self) -> Option<usize> {
        let [now, past, past2] = self.slope_weights()?;
        let conditions = [
            now + past + past2 - 1.0,
            -past - 2.0 * past2 - 0.5,
            past + 4.0 * past2 - 1.0 / 3.0,
        ];
        let tolerance = names::reading(self.digits);
        let met = |x: &&f64| x.abs() <= tolerance;
        Some(conditions.iter().take_while(met).count())
    }
    /// The series of the usual step.
    pub fn series(&self) -> &Fingerprint {
        self.later.as_ref().unwrap_or(&self.first)
    }
}

/// Measures a solver whose model and reports are right, on heavy bodies where its problems have gravity, else on free ones.
pub(crate) fn identify(target: &dyn Target, scope: Scope, floor: &Floor) -> SchemeFindings {
    target.foresee(&Listener::hear(|silent| measure(silent, scope, floor)));
    measure(target, scope, floor)
}

fn measure(target: &dyn Target, scope: Scope, floor: &Floor) -> SchemeFindings {
    let bench = Questioner::new(target, scope.gravity);
    let relations = relations::relations(&bench);
    let noise = floor.at(FAMILY.step);
    let sphere = sphere::sphere(&bench, noise);
    let series = expansion::fingerprint(&bench, noise, floor);
    let limit = ROUNDING.max(BEYOND_DIGITS * noise);
    // A quaternion that is never normalised goes on from its own length, a matrix from its own shape: no memory, but only
    // the first steps are known.
    let lengths = [relations.norm, relations.orthogonality];
    let raw = lengths.into_iter().flatten().any(|d| d > limit);
    let remembers = !raw && relations.restart.is_some_and(|d| d > limit);
    let mut f = SchemeFindings {
        relations,
        sphere,
        first: series.first,
        later: remembers.then_some(series.later),
        digits: noise,
        raw,
        free: !scope.gravity,
        ..SchemeFindings::default()
    };
    let mut steps = family_steps(&bench, noise);
    if raw {
        steps.retain(|s| s.past.is_empty());
    }
    if scope.reads_torque() {
        f.torque_times = times::torque_times(&bench, noise, remembers);
    }
    let readings = scope.time.then(|| clock::readings(&bench, noise)).flatten();
    f.runs = bench.runs();
    rules(&mut f, &steps);
    f.clock = readings.and_then(|readings| clock::clock(&readings, &f));
    f.flaws = flaws::flaws(&f, noise);
    f
}

/// Returns the wrong formula by which a free sphere is turned.
pub(super) fn turn_slip(target: &dyn Target, floor: &Floor) -> Option<SchemeFlaw> {
    let bench = Questioner::new(target, false);
    let sphere = sphere::sphere(&bench, floor.at(FAMILY.step));
    sphere.slip.map(SchemeFlaw::TurnSlip)
}

/// Steps of three sizes, the longest first.
fn family_steps(bench: &Questioner, noise: f64) -> Vec<Step> {
    let mut chance = PseudoRandom::new(4);
    // With few digits longer steps tell more.
    let scale = if noise > FREE_NUMBERS { 2.0 } else { 1.0 };
    let probes: Vec<Probe> = (0..FAMILY.starts)
        .map(|i| {
            let h = [0.2, 0.05, 0.1][i % 3] * scale;
            Probe::new(&bench.start(&mut chance, &FAMILY), h, FAMILY.steps)
        })
        .collect();
    let rows = bench.ask(&probes);
    probes
        .iter()
        .zip(&rows)
        .flat_map(|(p, r)| questioner::steps(p, r))
        // Turns of more than half a revolution are not told from their opposites.
        .filter(|s| s.from.1.norm().max(s.to.1.norm()) * s.h < LARGEST_TURN)
        .collect()
}

/// The rules of the steps, and what they are called: of all, or of those that turn the body little.
fn rules(f: &mut SchemeFindings, steps: &[Step]) {
    rules_of(f, steps);
    if f.name.is_none() && f.alike.is_empty() {
        let turns_little = |s: &&Step| s.from.1.norm().max(s.to.1.norm()) * s.h < SHORT_TURN;
        let short: Vec<Step> = steps.iter().filter(turns_little).cloned().collect();
        if short.len() < steps.len() {
            rules_of(f, &short);
        }
    }
}

/// The rules of these steps, and what they are called.
fn rules_of(f: &mut SchemeFindings, steps: &[Step]) {
    let noise = f.digits;
    if steps.len() < FEWEST_STEPS {
        return;
    }
    if f.remembers() {
        let (first, later): (Vec<Step>, Vec<Step>) =
            steps.iter().cloned().partition(|s| s.past.is_empty());
        f.start = ends::rules(&first, noise);
        if f.start.0.is_none() || f.start.1.is_none() {
            f.start_rule = runge_kutta::named(&Search::new(&first, noise)).and_then(Choice::alone);
        }
        let later: Vec<Step> = later.into_iter().filter(|s| s.past.len() > 1).collect();
        f.steps = later.len();
        (f.rate, f.attitude) = ends::rules(&later, noise);
        if f.rate.is_none() || f.attitude.is_none() {
            chosen(f, runge_kutta::reused(&Search::new(&later, noise)));
        }
    } else if steps.iter().any(|s| s.count > 1) {
        f.steps = steps.len();
        stages(f, steps);
        let open = f.name.is_none() && f.alike.is_empty() && noise <= FREE_NUMBERS;
        let search = Search::new(steps, noise);
        if let Some((rate, attitude)) = open.then(|| simulated::pair(&search)).flatten() {
            (f.rate, f.attitude) = (Some(rate), Some(attitude));
        } else if let Some((rate, attitude)) = open.then(|| simulated::split(&search)).flatten() {
            f.name = Some(names::split(&rate, &attitude, f.raw, noise));
            f.residual = Some(attitude.residual);
            (f.rate_alone, f.attitude) = (Some(rate), Some(attitude));
        }
    } else {
        f.steps = steps.len();
        (f.rate, f.attitude) = ends::rules(steps, noise);
        let by_ends = match (&f.rate, &f.attitude) {
            (Some(r), Some(a)) => names::known(r, a, noise).is_some(),
            _ => false,
        };
        if !by_ends {
            stages(f, steps);
        }
    }
    if let (Some(r), Some(a)) = (&f.rate, &f.attitude)
        && f.name.is_none()
    {
        let formulas = || format!("{}; {}", names::formula(r, noise), names::formula(a, noise));
        let known = names::known(r, a, noise);
        f.row = known.as_ref().map(|known| known.row);
        f.name = Some(known.map_or_else(formulas, |known| known.text));
    }
}

/// Rules that are known by their stages.
fn stages(f: &mut SchemeFindings, steps: &[Step]) {
    let noise = f.digits;
    let search = Search::new(steps, noise);
    if chosen(f, runge_kutta::named(&search)) {
        return;
    }
    if take_word(f, words::word(&search)) {
        return;
    }
    if chosen(f, runge_kutta::moved(&search)) {
        return;
    }
    if chosen(f, runge_kutta::implicit(&search)) {
        return;
    }
    if let Some(choice) = catalogue::scheme(&search) {
        let called = |row: &&SchemeRow| format!("`{}`, {}", row.info.name, row.info.title);
        f.residual = Some(choice.residual);
        match &choice.rivals[..] {
            [] => f.name = Some(called(&choice.best)),
            rivals => f.alike = [choice.best].iter().chain(rivals).map(called).collect(),
        }
        return;
    }
    let slipped = first_order_with_slips().filter_map(|s| search.accepted(s));
    if let Some(choice) = search.choose(slipped.collect()) {
        f.name = Some(choice.best.to_string());
        f.residual = Some(choice.residual);
        f.slipped = choice.alone();
        return;
    }
    // Of what has a free number few digits say nothing.
    if noise > FREE_NUMBERS {
        return;
    }
    if let Some(choice) = iterated(&search).filter(|c| c.rivals.is_empty()) {
        f.name = Some(choice.best.to_string());
        f.residual = Some(choice.residual);
        f.corrected = Some(choice.best);
        return;
    }
    if let Some(choice) = inner::inner(&search) {
        if choice.rivals.is_empty() {
            f.name = Some(names::inner(&choice.best));
            f.residual = Some(choice.residual);
        }
        f.inner = Some(choice.best);
        return;
    }
    if take_word(f, words::changed(&search))
        || take_word(f, words::other_factors(&search))
        || chosen(f, runge_kutta::kept(&search))
        || chosen(f, runge_kutta::changed(&search))
    {
        return;
    }
    if let Some(TorqueTimes::Few(times)) = f.torque_times.clone()
        && chosen(f, open_tableau::seen(&search, &times))
    {
        return;
    }
    // Without the times at which a torque is read.
    if f.torque_times.is_none() && chosen(f, open_tableau::near_named(&search)) {
        return;
    }
    if f.rate.is_none() {
        f.rate_alone = runge_kutta::named(&search.of_rate()).and_then(Choice::alone);
        if let (Some(rule), Some(attitude)) = (&f.rate_alone, &f.attitude) {
            f.name = Some(names::split(rule, attitude, f.raw, noise));
        }
    }
}

impl Candidate for Iterated {
    fn predict(&self, step: &Step) -> State {
        step.advanced(&Stepped::Iterated(*self).once())
    }
}

/// The implicit rule of so many rounds that explains the steps.
fn iterated(search: &Search) -> Option<Choice<Iterated>> {
    let near = Iterated::families().filter_map(|rule| search.near(rule));
    search.choose(near.collect())
}

/// Takes over a word that a search found; whether it found any.
fn take_word(f: &mut SchemeFindings, choice: Option<Choice<Word>>) -> bool {
    let Some(choice) = choice else {
        return false;
    };
    if choice.rivals.is_empty() {
        f.name = Some(choice.best.to_string());
        f.residual = Some(choice.residual);
        f.word = Some(choice.best);
    } else {
        let all = core::iter::once(&choice.best).chain(&choice.rivals);
        f.alike = all.map(ToString::to_string).collect();
        f.alike.sort();
        f.alike.dedup();
    }
    true
}

/// Takes over what a search found; whether it found anything.
fn chosen(f: &mut SchemeFindings, choice: Option<Choice<EditedRule>>) -> bool {
    let Some(choice) = choice else {
        return false;
    };
    let best = choice.best;
    if choice.rivals.is_empty() {
        f.name = Some(names::runge_kutta(&best, f.raw));
        f.row = best.row();
        f.residual = Some(choice.residual);
        f.runge_kutta = Some(best);
    } else {
        let all = core::iter::once(&best).chain(&choice.rivals);
        f.alike_rows = all.clone().filter_map(EditedRule::row).collect();
        f.alike = all.map(|r| names::runge_kutta(r, f.raw)).collect();
    }
    true
}
