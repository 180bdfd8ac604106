//! Implicit rules whose iteration ends after a number of rounds.

use crate::equations::Equations;
use crate::state::State;
use crate::turn_map::TurnMap;
use topsim_core::math::{Quat, Vec3};

/// Rule that is iterated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IteratedRule {
    /// The mean of the slopes of both ends.
    Trapezoidal,
    /// The slope of the middle.
    Midpoint,
    /// Half kicks whose gyroscopic term is implicit, around a turn.
    HalfKicks,
    /// A half kick, a turn, and a half kick with the new rate.
    SecondKick,
}

/// An implicit rule with a number of rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iterated {
    /// The rule.
    pub rule: IteratedRule,
    /// True if the iteration begins with an Euler step, and not with the old rate.
    pub predicted: bool,
    /// Map that turns the attitude.
    pub map: TurnMap,
    /// Number of rounds.
    pub rounds: usize,
}

/// Most rounds that are tried.
const MOST: usize = 8;

impl Iterated {
    /// Returns all of them, those of the fewest rounds first.
    pub fn families() -> impl Iterator<Item = Self> {
        let rules = [
            IteratedRule::Trapezoidal,
            IteratedRule::Midpoint,
            IteratedRule::HalfKicks,
        ];
        let ways = [TurnMap::Exponential, TurnMap::Sum];
        let ways = ways.map(|map| [false, true].map(|predicted| (predicted, map)));
        // One round of a second kick is a half kick with the old rate.
        let kicks = [TurnMap::Exponential, TurnMap::Sum]
            .into_iter()
            .flat_map(|map| {
                (2..=MOST).map(move |rounds| Self {
                    rule: IteratedRule::SecondKick,
                    predicted: false,
                    map,
                    rounds,
                })
            });
        let all = rules.into_iter().flat_map(move |rule| {
            ways.into_iter()
                .flatten()
                .flat_map(move |(predicted, map)| {
                    (1..=MOST).map(move |rounds| Self {
                        rule,
                        predicted,
                        map,
                        rounds,
                    })
                })
        });
        all.chain(kicks)
    }

    /// Makes a step of `h` from `t`.
    pub(crate) fn step(&self, equations: &Equations, (t, h): (f64, f64), y: &mut State) {
        let (q, w, half) = (y.quat, y.omega, 0.5 * h);
        let f = |t: f64, q: &Quat, w: &Vec3| equations.parts(t, q, w).acceleration;
        let turned = |by: &Vec3, h: f64| {
            let mut turned = q;
            self.map.turn(equations, &mut turned, by, h);
            turned
        };
        // The gyroscopic term of a rate beside the torque of the rate at the start of the step.
        let halves = |t: f64, q: &Quat, x: &Vec3| {
            let old = equations.parts(t, q, &w);
            old.acceleration - old.gyroscopic + equations.parts(t, q, x).gyroscopic
        };
        let first = f(t, &q, &w);
        if self.rule == IteratedRule::SecondKick {
            let middle = w + first * half;
            let end = turned(&middle, h);
            let kicked = |x: Vec3, _| middle + f(t + h, &end, &x) * half;
            (y.quat, y.omega) = (end, (0..self.rounds).fold(middle, kicked));
            return;
        }
        let halved = self.rule == IteratedRule::HalfKicks;
        let begin = match (self.predicted, halved) {
            (false, _) => 0.0,
            (true, true) => half,
            (true, false) => h,
        };
        let mut x = w + first * begin;
        for _ in 0..self.rounds {
            let mean = (w + x) * 0.5;
            x = match self.rule {
                IteratedRule::Trapezoidal => w + (first + f(t + h, &turned(&mean, h), &x)) * half,
                IteratedRule::Midpoint => w + f(t + half, &turned(&mean, half), &mean) * h,
                _ => w + halves(t, &q, &x) * half,
            };
        }
        (y.quat, y.omega) = if halved {
            let end = turned(&x, h);
            (end, x + halves(t + h, &end, &x) * half)
        } else {
            (turned(&((w + x) * 0.5), h), x)
        };
    }
}
