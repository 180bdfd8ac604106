//! Which explicit Runge–Kutta rule, in which variables: the named ones, those with an entry moved, those with one entry changed.

use super::carrier::{Carrier, FrozenTerm};
use super::linear;
use super::questioner::{State, Step};
use super::tableau::{self, Place, STAGES, Tableau};
use topsim_core::math::so3;

/// A change of a tableau.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edit {
    /// An entry of a row stands in another column, or two have changed places; counted from 1.
    Moved { row: usize, from: usize, to: usize },
    /// An entry has another value.
    Changed { place: Place, was: f64, is: f64 },
    /// Two entries have other values: the place, what it was and what it is.
    Twice([(Place, f64, f64); 2]),
    /// It is none of those with a name.
    Unnamed,
}

/// A Runge–Kutta rule that explains a solver's steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RungeKutta {
    /// With its edit.
    pub tableau: Tableau,
    pub carrier: Carrier,
    pub held: FrozenTerm,
    pub edit: Option<Edit>,
    /// Equal steps that a step is made of.
    pub parts: usize,
    pub residual: f64,
}

impl RungeKutta {
    pub fn plain(tableau: Tableau, carrier: Carrier, held: FrozenTerm) -> Self {
        Self {
            tableau,
            carrier,
            held,
            edit: None,
            parts: 1,
            residual: f64::INFINITY,
        }
    }

    /// The state after a step.
    pub(super) fn predict(&self, step: &Step) -> State {
        let h = step.h / self.parts as f64;
        (0..self.parts).fold(step.from, |y, n| {
            self.carrier.step(
                &self.tableau,
                self.held,
                &step.body,
                step.t + h * n as f64,
                h,
                &y,
            )
        })
    }

    /// The largest miss; early out above `bound`.
    pub(super) fn measured(mut self, steps: &[Step], bound: f64, part: Part) -> Option<Self> {
        let mut worst: f64 = 0.0;
        for step in steps {
            let to = self.predict(step);
            let miss = match part {
                Part::Whole => step.miss(&to),
                Part::Rate => step.miss_rate(&to.1),
            };
            worst = worst.max(miss);
            if !(worst <= bound) {
                return None;
            }
        }
        self.residual = worst;
        Some(self)
    }

    /// Returns the name of its tableau, where nothing of it is changed or held.
    pub fn row(&self) -> Option<&'static str> {
        let whole = self.edit.is_none() && self.held == FrozenTerm::Nothing;
        whole.then_some(self.tableau.name)
    }

    /// Its own order, edits and what is held left aside; at most 4 is told.
    pub fn order(&self) -> u8 {
        order(&self.tableau)
    }
}

/// What of a step is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Rate,
}

/// Candidates that leave no more than so many times what is accepted are compared at all.
const NEAR: f64 = 100.0;

/// The outcome of a search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    /// The best.
    pub best: Option<RungeKutta>,
    /// Others that make another step and fit as well, at this noise.
    pub rivals: Vec<RungeKutta>,
}

/// Of candidates, the first of the best residual, and its rivals.
pub(super) fn choose(
    mut all: Vec<RungeKutta>,
    steps: &[Step],
    (accept, floor): (f64, f64),
    part: Part,
) -> Choice {
    let Some(least) = all.iter().map(|c| c.residual).min_by(f64::total_cmp) else {
        return Choice::default();
    };
    if !(least <= accept) {
        return Choice::default();
    }
    // Round-off does not rank: the list's order does.
    let alike = 10.0 * least.max(floor);
    let Some(at) = all.iter().position(|c| c.residual <= alike) else {
        return Choice::default();
    };
    let best = all.remove(at);
    let limit = 100.0 * least.max(floor);
    let differs = |c: &RungeKutta| {
        steps.iter().any(|s| {
            let (a, b) = (best.predict(s), c.predict(s));
            let size = s.from.1.norm();
            let angle = so3::log(&a.0.tr_mul(&b.0)).norm() / (s.h * size);
            let rate = (a.1 - b.1).norm() / (s.h * size * size);
            rate > 2e-14 || part == Part::Whole && angle > 2e-14
        })
    };
    Choice {
        best: Some(best),
        rivals: all
            .into_iter()
            .filter(|c| c.residual <= limit && differs(c))
            .collect(),
    }
}

/// The residual that a right rule may leave, and the floor of it.
pub(super) fn tolerance(noise: f64) -> (f64, f64) {
    (2e-12_f64.max(50.0 * noise), 1e-15_f64.max(5.0 * noise))
}

/// Named tableaus in all variables, plain, with the torque or the gyroscopic term held.
pub(super) fn named(steps: &[Step], noise: f64, part: Part) -> Choice {
    let (accept, floor) = tolerance(noise);
    let mut all = Vec::new();
    for held in [FrozenTerm::Nothing, FrozenTerm::Torque, FrozenTerm::Gyro] {
        for tableau in tableau::named() {
            for carrier in Carrier::ALL {
                all.extend(RungeKutta::plain(tableau, carrier, held).measured(
                    steps,
                    NEAR * accept,
                    part,
                ));
            }
        }
    }
    choose(all, steps, (accept, floor), part)
}

/// An entry moved.
pub(super) fn moved(steps: &[Step], noise: f64) -> Choice {
    let (accept, floor) = tolerance(noise);
    let mut all = Vec::new();
    for tableau in tableau::named() {
        for (changed, row, from, to) in tableau::moves(&tableau) {
            for held in [FrozenTerm::Nothing, FrozenTerm::Torque, FrozenTerm::Gyro] {
                for carrier in Carrier::ALL {
                    let mut candidate = RungeKutta::plain(changed, carrier, held);
                    candidate.edit = Some(Edit::Moved { row, from, to });
                    all.extend(candidate.measured(steps, NEAR * accept, Part::Whole));
                }
            }
        }
    }
    choose(all, steps, (accept, floor), Part::Whole)
}

/// Stages of the longest rules of which two weights are changed, and which are tried in all variables.
const LONG: usize = 4;

/// One entry free.
pub(super) fn changed(steps: &[Step], noise: f64) -> Choice {
    let (accept, floor) = tolerance(noise);
    let mut all = Vec::new();
    let few = &steps[..steps.len().min(3)];
    for tableau in tableau::named() {
        // Of rules with many stages, one number at a time, in the variables that their authors take.
        let long = tableau.stages > LONG;
        for place in Place::all(&tableau) {
            if long && matches!(place, Place::Weights(..)) {
                continue;
            }
            for carrier in Carrier::ALL {
                if long && !carrier.is_usual() {
                    continue;
                }
                let Some(delta) = free_entry(&tableau, place, carrier, few, accept) else {
                    continue;
                };
                let was = place.value(&tableau);
                let is = was + delta;
                // Digits that mean a fraction are taken for it.
                let fraction =
                    linear::fraction(is, 216, 1e-8).map(|(p, q)| p as f64 / f64::from(q));
                let mut tries = Vec::new();
                for value in fraction.into_iter().chain([is]) {
                    let mut c = RungeKutta::plain(
                        place.add(&tableau, value - was),
                        carrier,
                        FrozenTerm::Nothing,
                    );
                    c.edit = Some(Edit::Changed {
                        place,
                        was,
                        is: value,
                    });
                    tries.extend(c.measured(steps, accept, Part::Whole));
                }
                all.extend(tries.into_iter().next());
            }
        }
    }
    // Of edits that make the same step, the one with the simplest value.
    let weight = |c: &RungeKutta| match c.edit {
        Some(Edit::Changed { place, is, .. }) => {
            let pair = usize::from(matches!(place, Place::Weights(..)));
            let simple = linear::fraction(is, 216, 1e-9).map_or(1000, |f| f.1);
            (simple, pair)
        }
        _ => (0, 0),
    };
    all.sort_by_key(weight);
    choose(all, steps, (accept, floor), Part::Whole)
}

/// What has to be added at a place, by Gauss and Newton; `None` where that does not lead to a fit.
fn free_entry(
    tableau: &Tableau,
    place: Place,
    carrier: Carrier,
    steps: &[Step],
    accept: f64,
) -> Option<f64> {
    const DIFFERENCE: f64 = 1e-4;
    let misses = |delta: f64| -> Vec<f64> {
        let rule = RungeKutta::plain(place.add(tableau, delta), carrier, FrozenTerm::Nothing);
        steps
            .iter()
            .flat_map(|s| vector(s, &rule.predict(s)))
            .collect()
    };
    let mut delta = 0.0;
    let mut r = misses(delta);
    let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    for round in 0..8 {
        let (a, b) = (misses(delta + DIFFERENCE), misses(delta - DIFFERENCE));
        let slope: Vec<f64> = a
            .iter()
            .zip(&b)
            .map(|(a, b)| (a - b) / (2.0 * DIFFERENCE))
            .collect();
        let size = square(&slope);
        if !(size > 1e-16) {
            return None;
        }
        let change = -slope.iter().zip(&r).map(|(s, r)| s * r).sum::<f64>() / size;
        if !(change.abs() < 4.0) {
            return None;
        }
        delta += change;
        let next = misses(delta);
        // Where one number explains the deviation, little is left at once.
        if round > 0 && square(&next) > 0.3 * square(&r) && square(&r).sqrt() > accept {
            return None;
        }
        if round == 0 && square(&next) > 0.5 * square(&r) {
            return None;
        }
        let done = change.abs() < 1e-12 || square(&next).sqrt() < 0.1 * accept;
        r = next;
        if done {
            break;
        }
    }
    (square(&r).sqrt() < 10.0 * accept && delta.abs() > 1e-6).then_some(delta)
}

/// Six numbers of a miss.
pub(super) fn vector(step: &Step, to: &State) -> [f64; 6] {
    let size = step.from.1.norm();
    let a = so3::log(&to.0.tr_mul(&step.to.0)) / (step.h * size);
    let w = (step.to.1 - to.1) / (step.h * size * size);
    [a.x, a.y, a.z, w.x, w.y, w.z]
}

/// The highest order, up to 4, whose conditions a tableau meets.
pub(super) fn order(t: &Tableau) -> u8 {
    let s = t.stages;
    let c: [f64; STAGES] = core::array::from_fn(|i| t.a[i].iter().sum());
    let times = |v: &[f64; STAGES]| -> [f64; STAGES] {
        core::array::from_fn(|i| (0..s).map(|j| t.a[i][j] * v[j]).sum())
    };
    let all = |f: &dyn Fn(usize) -> f64| -> f64 { (0..s).map(|i| t.b[i] * f(i)).sum() };
    let squares: [f64; STAGES] = core::array::from_fn(|i| c[i] * c[i]);
    let (ac, ac2) = (times(&c), times(&squares));
    let aac = times(&ac);
    let conditions = [
        vec![all(&|_| 1.0) - 1.0],
        vec![all(&|i| c[i]) - 0.5],
        vec![
            all(&|i| squares[i]) - 1.0 / 3.0,
            all(&|i| ac[i]) - 1.0 / 6.0,
        ],
        vec![
            all(&|i| squares[i] * c[i]) - 0.25,
            all(&|i| c[i] * ac[i]) - 0.125,
            all(&|i| ac2[i]) - 1.0 / 12.0,
            all(&|i| aac[i]) - 1.0 / 24.0,
        ],
    ];
    conditions
        .iter()
        .take_while(|of| of.iter().all(|x| x.abs() < 1e-6))
        .count() as u8
}
