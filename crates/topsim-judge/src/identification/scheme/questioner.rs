//! The questions: bodies and starts of our choice, and the answers as single steps.

use crate::identification::experiment::{Load, Probe, Row, Start, Target};
use core::cell::Cell;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::Inertia;
use topsim_model::Equations;
use topsim_model::habit::Habit;
use topsim_model::pair::{Moving, StepEnds};
use topsim_model::stepping::{KeptNumber, RungeKutta, Span, Stepping};

/// Runs that are asked for to learn one thing of a scheme.
pub(super) struct Asked {
    /// Number of starts.
    pub starts: usize,
    /// Size of the rates, rad/s.
    pub rate: f64,
    /// Weight of bodies that may be heavy.
    pub weight: f64,
    /// Longest step where rows have all their digits, or the usual one, s.
    pub step: f64,
    /// Steps of a run.
    pub steps: usize,
}

const fn asked(starts: usize, rate: f64, weight: f64, step: f64, steps: usize) -> Asked {
    Asked {
        starts,
        rate,
        weight,
        step,
        steps,
    }
}

/// Steps that rules are held against, of this size, half and twice of it.
pub(super) const FAMILY: Asked = asked(12, 2.5, 6.0, 0.1, 4);
/// Steps of many lengths, of which a series is made.
pub(super) const SERIES: Asked = asked(8, 2.3, 9.0, 0.12, 2);
/// A run and its images.
pub(super) const RELATIONS: Asked = asked(1, 2.5, 3.0, 0.2, 3);
/// A free sphere, of which the last step is looked at; the longest step turns it by a radian.
pub(super) const SPHERE: Asked = asked(1, 2.5, 0.0, 0.4, 3);
/// A sphere at rest under pulses of so many frequencies; a rule with a memory makes two steps.
pub(super) const PULSES: Asked = asked(10, 0.0, 0.0, 0.1, 2);

/// Asks a solver and counts its runs.
pub(super) struct Questioner<'a> {
    target: &'a dyn Target,
    /// Whether bodies may be heavy; else all are free.
    gravity: bool,
    runs: Cell<usize>,
}

impl<'a> Questioner<'a> {
    pub fn new(target: &'a dyn Target, gravity: bool) -> Self {
        Self {
            target,
            gravity,
            runs: Cell::new(0),
        }
    }
    /// The rows of each run; none where there is no answer.
    pub fn ask(&self, probes: &[Probe]) -> Vec<Vec<Row>> {
        self.runs.set(self.runs.get() + probes.len());
        let mut rows: Vec<Vec<Row>> = self
            .target
            .answers(probes)
            .into_iter()
            .map(Result::unwrap_or_default)
            .collect();
        rows.resize_with(probes.len(), Vec::new);
        rows
    }
    pub fn runs(&self) -> usize {
        self.runs.get()
    }
    /// A start with all that can go wrong: a rate of this size, any attitude, a body of this weight where it may be heavy.
    pub fn start(&self, chance: &mut PseudoRandom, asked: &Asked) -> Start {
        Start {
            att: chance.rotation(),
            omega: chance.direction() * asked.rate,
            inertia: inertia(),
            load: if self.gravity {
                gravity(asked.weight)
            } else {
                Load::None
            },
        }
    }
}

/// Numbers that look like chance, the same in every run.
pub(super) struct PseudoRandom(u64);

impl PseudoRandom {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }
    /// Uniform in (−1, 1).
    pub fn next(&mut self) -> f64 {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.next(), self.next(), self.next());
            let n = v.norm();
            if n > 0.3 && n < 1.0 {
                return v / n;
            }
        }
    }
    /// A rotation.
    pub fn rotation(&mut self) -> Mat3 {
        let angle = 1.4 + self.next();
        so3::exp(&(self.direction() * angle))
    }
}

/// A tensor with products of inertia and moments 1, 1.6, 2.2.
fn inertia() -> Inertia {
    let axes = so3::exp(&Vec3::new(0.6, -0.4, 0.9));
    let tensor = axes * Mat3::from_diagonal(&Vec3::new(1.0, 1.6, 2.2)) * axes.transpose();
    symmetric(&tensor)
}

/// The tensor without its round-off.
pub(super) fn symmetric(tensor: &Mat3) -> Inertia {
    Inertia::new((tensor + tensor.transpose()) * 0.5).expect("a tensor of inertia")
}

/// A sphere of a moment.
pub(super) fn sphere(moment: f64) -> Inertia {
    Inertia::diagonal(Vec3::repeat(moment)).expect("a positive moment")
}

/// The weight of a body, in N.
fn gravity(weight: f64) -> Load {
    Load::Gravity {
        weight,
        lever: Vec3::new(0.3, -0.5, 0.6),
        up: Vec3::new(0.36, -0.48, 0.8),
    }
}

pub(super) type State = Moving;

/// One step of a solver, and what it did before it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// The body; not the state.
    pub body: Start,
    equations: Equations,
    /// The state before it, as models take it.
    before: topsim_model::State,
    pub t: f64,
    pub h: f64,
    /// Number of steps of `h` from one state to the other: rows may be written after several.
    pub count: u32,
    pub from: State,
    pub to: State,
    /// The states of the rows before, the latest first.
    pub past: Vec<State>,
}

impl Step {
    /// A step of `h` from time `t`, without a past.
    pub fn new(body: &Start, (t, h): (f64, f64), from: State, to: State) -> Self {
        Self {
            body: body.clone(),
            equations: Equations::right(body),
            before: topsim_model::State::new(&from.0, from.1),
            t,
            h,
            count: 1,
            from,
            to,
            past: Vec::new(),
        }
    }
    /// Returns the same step after these rows, the latest first.
    pub fn after(self, past: Vec<State>) -> Self {
        Self { past, ..self }
    }
    /// Returns the state after a step of a model; not a number where there is none.
    pub fn advanced(&self, stepping: &Stepping) -> State {
        let span = Span {
            from: self.t,
            step: self.h,
            steps: self.count,
        };
        let habit = Habit::default();
        let to = stepping.advance(&self.equations, &habit, span, &self.before, None);
        to.map_or((self.from.0, Vec3::repeat(f64::NAN)), |y| {
            (y.attitude(), y.omega)
        })
    }
    /// Returns the state after a step whose first slope is that of a stage of the step before, counted from 0.
    pub fn advanced_reusing(&self, rule: &RungeKutta, stage: usize) -> State {
        let past = self.past.iter().rev();
        let past: Vec<_> = past.map(|s| topsim_model::State::new(&s.0, s.1)).collect();
        let states = (&past[..], &self.before);
        let y = rule.step_reusing(stage, &self.equations, (self.t, self.h), states);
        (y.attitude(), y.omega)
    }
    /// Returns the state after a step in which a number of the state stays as it is in a stage.
    pub fn advanced_keeping(&self, rule: &RungeKutta, kept: KeptNumber) -> State {
        let y = rule.step_keeping(kept, &self.equations, (self.t, self.h), &self.before);
        (y.attitude(), y.omega)
    }
    /// Returns the same as so many steps.
    pub fn of_steps(self, count: u32) -> Self {
        Self { count, ..self }
    }
    /// Time from one state to the other, s.
    pub fn span(&self) -> f64 {
        self.h * f64::from(self.count)
    }
    /// Returns the state after its steps, each of which `once` makes from a time and a state.
    pub fn repeated(&self, once: impl Fn(f64, State) -> State) -> State {
        let times = (0..self.count).map(|n| self.t + self.h * f64::from(n));
        times.fold(self.from, |y, t| once(t, y))
    }
    /// Returns a step of `h` from another state at another time.
    pub fn single(&self, t: f64, from: State) -> Self {
        Self {
            t,
            count: 1,
            from,
            before: topsim_model::State::new(&from.0, from.1),
            ..self.clone()
        }
    }
    /// Returns what is known at its ends.
    pub fn ends(&self) -> StepEnds<'_> {
        let ends = [self.from, self.to];
        StepEnds::new(&self.body, (self.t, self.h), ends, &self.past)
    }

    /// How far another step from the same state is off: the angle over that turned, the rate over that gained.
    pub fn miss(&self, to: &State) -> f64 {
        let size = self.from.1.norm().max(1e-3);
        let angle = so3::log(&(to.0.tr_mul(&self.to.0))).norm() / (self.span() * size);
        let rate = self.miss_rate(&to.1);
        if (angle + rate).is_nan() {
            f64::INFINITY
        } else {
            angle.max(rate)
        }
    }
    /// The part of the rate alone.
    pub fn miss_rate(&self, to: &Vec3) -> f64 {
        let size = self.from.1.norm().max(1e-3);
        let rate = (self.to.1 - to).norm() / (self.span() * size * size);
        if rate.is_nan() { f64::INFINITY } else { rate }
    }
}

/// The steps of a run.
pub(super) fn steps(probe: &Probe, rows: &[Row]) -> Vec<Step> {
    // The solver was given the start exactly, however its first row is printed.
    let state = |i: usize| match i {
        0 => (probe.start.att, probe.start.omega),
        _ => (rows[i].att, rows[i].omega),
    };
    let step = |n: usize| Step {
        past: (0..n - 1).rev().map(state).collect(),
        ..Step::new(
            &probe.start,
            (probe.time(n - 1), probe.step),
            state(n - 1),
            state(n),
        )
    };
    (1..rows.len()).map(step).collect()
}
