//! The equations of motion that a solver has: a law that explains its differences, or what is known of one that none
//! does.

use super::design::{self, Group, RUN, Sizes};
use super::expansion::{self, Expansion};
use super::experiment::{self, Target};
use super::fit::{Differences, Selection};
use super::law::{Law, Place};
use super::questions::Undone;
use super::runs::MeasuredRuns;
use super::symptom::{self, Bodies, Symptom};
use super::{Identification, Note, probes, times};
use crate::thresholds::*;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_model::Change;
use topsim_model::convention::Convention;

/// Error of a series by its change where the longest step is left out, in parts of that step, 1/s: a tenth at 0.016 s.
const TRUNCATED: f64 = 0.1 / design::STEPS[0];

impl MeasuredRuns {
    /// The length of a solver's own steps, s: they leave the same defect at every step, that of its scheme.
    pub fn own_steps(&self, later: &Expansion, size: f64) -> Option<f64> {
        if size >= FIRST_ORDER {
            return None;
        }
        let c = times::combination(later, 0, &times::Differential::SCHEMES)?;
        let step = 2.0 * c.largest();
        (c.left < EXPLAINED && step < LONGEST_OWN_STEP).then_some(step)
    }

    /// The longest of a solver's own steps, s, whose length depends on the step that is asked for: the defects are those
    /// of a scheme of first order at each step, and no series.
    pub fn uneven_steps(&self, expansion: &Expansion) -> Option<f64> {
        let mut lengths = [0.0; 4];
        for (j, length) in lengths.iter_mut().enumerate() {
            let h = expansion.steps[j];
            let raw = expansion.at_step(j);
            let terms = times::Differential::SCHEMES;
            let c = times::combination_of(expansion, &raw, &terms)?;
            let squares = raw.iter().map(|x| expansion.scales.relative(x));
            let squares: f64 = squares.map(|x| x * x).sum();
            let size = (squares / raw.len().max(1) as f64).sqrt();
            // The scheme's terms change along the interval.
            let slack =
                (FIRST_ORDER * h / expansion.steps[3]).max(ADDED_UP * self.floor.at(h) / h / size);
            *length = 2.0 * c.largest();
            if !(c.left < slack && *length < GROWS * h) {
                return None;
            }
        }
        let parts = core::array::from_fn::<f64, 4, _>(|j| lengths[j] / expansion.steps[j]);
        let most = parts.iter().copied().fold(0.0, f64::max);
        let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        // Of a scheme that makes the steps that are asked for all parts are the same.
        (most > GROWS * least).then_some(longest)
    }

    /// Returns the part of the differences that is left where the torque of each step is added to those before.
    pub fn not_cleared<'a>(&self, expand: &dyn Fn(usize) -> Expansion<'a>) -> Option<f64> {
        let mut left = 0.0;
        for row in 0..RUN {
            let expansion = expand(row);
            let sigma = DEFECT.max(expansion.noise[0]);
            let differences = self.differences(&expansion, sigma, expansion.power(0));
            let law = Law::with_torques_added(row as f64);
            left = f64::max(left, differences.left(&law));
        }
        (left <= NEGLIGIBLE).then_some(left)
    }

    /// Returns the factor of the step by which a torque acts that vanishes with the step.
    pub fn torque_of_step(&self, later: &Expansion) -> Option<f64> {
        let (mut product, mut square, mut seen) = (0.0, 0.0, 0.0);
        for (s, term) in later.starts.iter().zip(later.power(1)) {
            if s.designed.group == Group::Rest {
                let start = &s.designed.start;
                let due = start.acceleration(0.0, &start.att, &start.omega);
                let found: Vec3 = term.fixed_rows::<3>(3).into();
                product += found.dot(&due);
                square += due.norm_squared();
                seen += found.norm_squared();
            }
        }
        let left = seen - product * product / square;
        (left <= EXPLAINED * EXPLAINED * seen && product > HUNDREDTH * square)
            .then(|| product / square)
    }

    /// A law that explains the differences of the equations, or what is known of it.
    pub fn model(
        &self,
        (target, convention): (&dyn Target, &Convention),
        (first, later): (&Expansion, &Expansion),
        size: f64,
        out: &mut Identification,
    ) {
        // The long runs are those of a body under gravity, or of a free one.
        let felt = [Group::Gravity, Group::Free].map(|g| later.size_in(0, g));
        let heavy = later
            .starts
            .iter()
            .any(|s| s.designed.group == Group::Gravity);
        let [_, felt] = felt[usize::from(!heavy)];
        let told = felt > TENTH * NEGLIGIBLE && !out.own_steps;
        if told && probes::attitudes_alone_follow(&self.long, felt) {
            out.find(Symptom::Rates(felt));
            return;
        }
        // That of the first step is cleaner where it is the same.
        let apart = first
            .power(0)
            .into_iter()
            .zip(later.power(0))
            .map(|(a, b)| {
                let d = later.scales.relative(&(a - b));
                d * d
            });
        let apart = (apart.sum::<f64>() / later.starts.len().max(1) as f64).sqrt();
        let same = first.starts.len() == later.starts.len() && apart < EXPLAINED * size;
        let expansion = if same { first } else { later };
        let sigma = FITTED
            .max(TRUNCATED * expansion.steps[0] * expansion.truncation[0])
            .max(expansion.noise[0]);
        let differences = || self.differences(expansion, sigma, expansion.power(0));
        let (mut selection, mut own) = (None, false);
        if !out.own_steps {
            selection = Some(differences().select()).filter(explains);
        }
        // Friction has a kink at rest, of which a step makes neither the one side nor the other.
        let is_friction = |f: &Change| f.term.is_friction();
        let doubtful =
            |s: &Selection| s.terms.iter().any(is_friction) && (s.rough || s.terms.len() > 1);
        if selection.as_ref().is_none_or(doubtful) && !out.own_steps {
            let moving = |g: Group| g != Group::Rest;
            let moving = self.differences_at(expansion, &moving, sigma, expansion.power(0));
            if moving.starts().count() < expansion.starts.len() {
                let found = Some(moving.select())
                    .filter(|s| s.accepted && !s.rough && s.terms.iter().any(is_friction));
                let fewer = |s: &Selection| {
                    let all = selection.as_ref().map(Selection::numbers);
                    all.is_none_or(|all| s.numbers() < all)
                };
                selection = found.filter(fewer).or(selection);
            }
        }
        if selection.is_none()
            && !out.own_steps
            && let Some((chart, left)) = differences().chart()
        {
            out.find(Symptom::Chart(chart, left));
            return;
        }
        if selection.is_none() && size < HALF {
            // Another law, in steps of the solver's own.
            let beside = differences();
            let columns = times::columns(beside.starts());
            let beside = beside.without(&columns);
            own = true;
            let left = beside.left(&Law::default());
            if left > DEFECT.max(CLEARLY * sigma) {
                selection = Some(beside.select()).filter(explains);
            }
        }
        // A law that holds at the start alone is none: what acts later has another cause.
        let lasts = |s: &Selection| own || self.later_left(&s.law).is_none_or(|left| left <= TENTH);
        // Where bodies with and without gravity have simpler laws by themselves, that is what is wrong.
        if let Some(joint) = selection.as_ref().filter(|s| !own && s.terms.len() > 1)
            && let Some(apart) = self.apart(expansion, sigma)
            && apart.iter().all(|(_, law)| law.is_some())
            && apart
                .iter()
                .flat_map(|(_, law)| law)
                .map(Selection::numbers)
                .sum::<usize>()
                < joint.numbers()
        {
            return self.laws_apart((target, convention), (expansion, apart), out);
        }
        match selection {
            Some(selection) if lasts(&selection) => {
                let elsewhere = self.predicted((target, convention), &selection, (own, None));
                // Numbers of this body alone, beside others, fit it where those others are not the same on another body.
                let of_body = |c: &Change| c.term.row().is_of_one_body();
                let mixed = selection.terms.len() > 1 && selection.terms.iter().any(of_body);
                if mixed && elsewhere.is_some_and(|left| left > EXPLAINED) {
                    return self.unknown(expansion, &|_| true, out);
                }
                laws(&selection, convention.rate.explained, elsewhere, None)
                    .for_each(|law| out.find(law));
            }
            Some(_) => self.unknown(expansion, &|_| true, out),
            None if out.own_steps => {}
            None if size < NEGLIGIBLE => {
                out.own_steps = true;
                out.notes.push(Note::Tolerance(size));
            }
            None => {
                if let Some(step) = self.uneven_steps(expansion) {
                    out.makes_own_steps(step);
                } else if let Some(apart) = self.apart(expansion, sigma) {
                    self.laws_apart((target, convention), (expansion, apart), out);
                } else {
                    self.unknown(expansion, &|_| true, out);
                }
            }
        }
    }

    /// Laws of bodies without gravity, and under it, each by itself; none of those that are right. A law is none where none
    /// explains them, and all is none where there are too few states: a few fit anything.
    fn apart(&self, expansion: &Expansion, sigma: f64) -> Option<Vec<(Bodies, Option<Selection>)>> {
        let mut out = Vec::new();
        for on in Bodies::ALL {
            let have = |g: Group| on.have(g);
            let here = self.differences_at(expansion, &have, sigma, expansion.power(0));
            if here.starts().count() < STARTS_OF_SOME {
                return None;
            }
            if here.left(&Law::default()) > DEFECT.max(CLEARLY * sigma) {
                out.push((on, Some(here.select()).filter(|s| s.accepted && !s.rough)));
            }
        }
        Some(out)
    }

    /// Laws that hold on bodies without gravity, and under it, each by itself; what is known where neither does.
    fn laws_apart(
        &self,
        (target, convention): (&dyn Target, &Convention),
        (expansion, apart): (&Expansion, Vec<(Bodies, Option<Selection>)>),
        out: &mut Identification,
    ) {
        let mut unexplained = Vec::new();
        let before = out.claims.len();
        for (on, law) in apart {
            let Some(selection) = law else {
                unexplained.push(on);
                continue;
            };
            let asked = (target, convention);
            let elsewhere = self.predicted(asked, &selection, (false, Some(on)));
            // Loads of a few sizes fit a law that others refute.
            if elsewhere.is_some_and(|left| left > EXPLAINED) {
                unexplained.push(on);
                continue;
            }
            laws(&selection, convention.rate.explained, elsewhere, Some(on))
                .for_each(|law| out.find(law));
        }
        let none = out.claims.len() == before;
        if none || !unexplained.is_empty() {
            let wanted = |g: Group| none || unexplained.iter().any(|on| on.have(g));
            self.unknown(expansion, &wanted, out);
        }
    }

    /// What is known of a law that is outside the family.
    fn unknown(
        &self,
        expansion: &Expansion,
        wanted: &dyn Fn(Group) -> bool,
        out: &mut Identification,
    ) {
        let groups = [
            Group::Sphere,
            Group::Free,
            Group::Rest,
            Group::Gravity,
            Group::Push,
        ];
        let table = groups
            .into_iter()
            .filter(|g| wanted(*g) && expansion.starts.iter().any(|s| s.designed.group == *g));
        let table = table.map(|g| (g, expansion.size_in(0, g)));
        let table: Vec<_> = table.collect();
        // Beside another claim, what is right accuses nothing.
        let right = table.iter().flat_map(|(_, off)| off).all(|x| *x <= DEFECT);
        if !right || out.claims.is_empty() {
            out.find(Symptom::UnknownLaw(table));
        }
    }

    /// What a law leaves of the rate that half a second makes, relative to the difference of the equations; of the
    /// finest of the long runs.
    fn later_left(&self, law: &Law) -> Option<f64> {
        let (probe, rows) = self.long.last()?;
        let last = rows.get(probe.steps)?;
        let by = |law: &Law| probes::carried(law, probe);
        let (with, without) = (by(law), by(&Law::default()));
        let ended = (last.att, last.omega);
        let apart = states_apart(&with, &without);
        // The errors of the rule itself, of half and of all steps.
        let [.., (_, coarse), _] = &self.long[..] else {
            return None;
        };
        let coarse = coarse.last()?;
        let of_rule = states_apart(&(coarse.att, coarse.omega), &ended);
        let off = states_apart(&with, &ended) - 2.0 * of_rule;
        (apart > CLEARLY * of_rule && apart > DEFECT).then_some(off / apart)
    }

    /// Returns the part of the defects of another body that a law leaves, with its numbers of one body fitted anew there.
    fn predicted(
        &self,
        (target, convention): (&dyn Target, &Convention),
        selection: &Selection,
        (own_steps, on): (bool, Option<Bodies>),
    ) -> Option<f64> {
        let loads = |g: Group| self.all.iter().any(|a| a.designed.group == g);
        let mut others = design::starts(Sizes::REDUCED);
        others.retain(|d| {
            d.group == Group::Other
                && on.is_none_or(|on| on.have_load(&d.start.load))
                && match d.start.load {
                    experiment::Load::Gravity { .. } => loads(Group::Gravity),
                    experiment::Load::Constant { .. } => loads(Group::Push),
                    _ => true,
                }
        });
        let undone = Undone { target, convention };
        let steps = expansion::steps(&self.all);
        let answers = undone.answers(&design::runs(&others, steps));
        let rows = answers.into_iter().map(Result::ok).collect();
        let all = expansion::answered(&others, steps, rows);
        if all.len() < others.len() {
            return None;
        }
        let expansion = Expansion::new(&all, 0, &[], &self.floor);
        let observed = expansion
            .starts
            .iter()
            .zip(expansion.power(0))
            .map(|(s, x)| (Place::new(s.designed.start.clone(), 0.0, true), x));
        let mut differences = Differences::new(observed, selection.residual().max(FITTED));
        if own_steps {
            let columns = times::columns(differences.starts());
            differences = differences.without(&columns);
        }
        let before = differences.left(&Law::default());
        let floor = 10.0 * expansion.truncation[0].max(selection.residual());
        let left = differences.left_of(&selection.terms);
        // Where the other body shows nothing, and nothing is predicted, there is nothing to tell.
        (before.max(left) > floor).then(|| left / before.max(floor))
    }
}

/// Detects a law that explains the differences.
fn explains(s: &Selection) -> bool {
    s.accepted && s.residual() <= UNLIKE * s.defect
}

/// Returns a law by its defects; `explained` says that row 0 is.
pub(super) fn laws(
    selection: &Selection,
    explained: bool,
    elsewhere: Option<f64>,
    on: Option<Bodies>,
) -> impl Iterator<Item = Symptom> {
    let inertia = *design::standard_inertia().tensor();
    let selection = Box::new(selection.clone());
    let named = symptom::named(&selection, &inertia).into_iter();
    named.map(move |(defect, fitted)| Symptom::Law {
        defect: if explained {
            defect
        } else {
            symptom::from_another_rate(defect)
        },
        fitted,
        selection: selection.clone(),
        elsewhere,
        base: Box::new(design::standard()),
        on,
    })
}

/// How far two states are apart: angle, and rate by its size.
fn states_apart(a: &(Mat3, Vec3), b: &(Mat3, Vec3)) -> f64 {
    so3::angle_between(&a.0, &b.0) + (a.1 - b.1).norm() / a.1.norm().max(0.1)
}
