//! Implicit rules whose iteration is stopped after a number of rounds.

use super::questioner::{State, Step};
use super::search::{Candidate, Choice, Search};
use topsim_core::math::{Vec3, so3};

/// The rule that is iterated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaseRule {
    Trapezoidal,
    Midpoint,
    /// Half kicks whose gyroscopic term is implicit, around a turn.
    HalfKicks,
}

/// An implicit rule with a number of rounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CorrectorRule {
    pub rule: BaseRule,
    /// Whether the iteration begins with an Euler step, not with the old rate.
    pub predicted: bool,
    /// Whether the attitude is turned by Cayley's map, not by the exponential.
    pub cayley: bool,
    pub rounds: usize,
}

const MOST: usize = 8;

impl Candidate for CorrectorRule {
    fn predict(&self, step: &Step) -> State {
        step.repeated(|t, from| self.once(step, t, from))
    }
}

impl CorrectorRule {
    fn once(&self, step: &Step, t: f64, (r, w): State) -> State {
        let (body, h) = (&step.body, step.h);
        let turned = |x: &Vec3| {
            if self.cayley {
                r * so3::cayley(&(x * h))
            } else {
                r * so3::exp(&(x * h))
            }
        };
        let gyro = |x: &Vec3| body.inertia.solve(&body.inertia.times(x).cross(x));
        let first = body.acceleration(t, &r, &w);
        let share = if self.rule == BaseRule::HalfKicks {
            0.5
        } else {
            1.0
        };
        let mut x = if self.predicted {
            w + first * (h * share)
        } else {
            w
        };
        for _ in 0..self.rounds {
            let mean = (w + x) * 0.5;
            x = match self.rule {
                BaseRule::Trapezoidal => {
                    w + (first + body.acceleration(t + h, &turned(&mean), &x)) * (0.5 * h)
                }
                BaseRule::Midpoint => {
                    let half = turned(&(mean * 0.5));
                    w + body.acceleration(t + 0.5 * h, &half, &mean) * h
                }
                BaseRule::HalfKicks => {
                    let torque = body.inertia.solve(&body.torque(t, &r));
                    w + (gyro(&x) + torque) * (0.5 * h)
                }
            };
        }
        if self.rule == BaseRule::HalfKicks {
            let att = turned(&x);
            let torque = body.inertia.solve(&body.torque(t + h, &att));
            return (att, x + (gyro(&x) + torque) * (0.5 * h));
        }
        (turned(&((w + x) * 0.5)), x)
    }
}

impl core::fmt::Display for CorrectorRule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let rule = match self.rule {
            BaseRule::Trapezoidal => "trapezoidal rule",
            BaseRule::Midpoint => "implicit midpoint rule",
            BaseRule::HalfKicks => "half kicks with an implicit gyroscopic term around a turn",
        };
        let begin = if self.predicted {
            "an Euler step"
        } else {
            "the old rate"
        };
        let map = if self.cayley {
            "Cayley's map"
        } else {
            "exponential map"
        };
        let rounds = match self.rounds {
            1 => "1 round".into(),
            n => format!("{n} rounds"),
        };
        write!(f, "{rule}, {rounds} of its iteration from {begin}, {map}")
    }
}

/// The one that explains the steps.
pub(super) fn corrected(search: &Search) -> Option<Choice<CorrectorRule>> {
    let mut near = Vec::new();
    for rule in [
        BaseRule::Trapezoidal,
        BaseRule::Midpoint,
        BaseRule::HalfKicks,
    ] {
        for (predicted, cayley) in [(false, false), (true, false), (false, true), (true, true)] {
            near.extend((1..=MOST).filter_map(|rounds| {
                search.near(CorrectorRule {
                    rule,
                    predicted,
                    cayley,
                    rounds,
                })
            }));
        }
    }
    search.choose(near)
}
