//! Whether a relation holds, from its residuals over a ladder of steps.

use crate::residual::Residual;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use topsim_core::math::slopes;
use topsim_protocol::numbers::two;

/// What a ladder of residuals says of a relation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Holding {
    /// At every step, to rounding.
    Exactly {
        /// Whether all numbers are the same bits.
        identical: bool,
    },
    /// The residual falls with the step as the solver's own error does.
    InTheLimit {
        /// Its power of the step; none where it falls to rounding at once.
        order: Option<f64>,
    },
    /// It does not fall.
    Fails,
    /// The ladder does not tell.
    Undecided {
        /// Why.
        why: UndecidedReason,
    },
    /// The solver did not run an image of a problem that it runs.
    NotRun {
        /// What happened.
        why: String,
    },
    /// The problem has no such image.
    NotApplicable {
        /// Why.
        why: String,
    },
}

/// Why a ladder does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum UndecidedReason {
    /// It stays, at little more than rounding leaves.
    NearRounding,
    /// It stays, at no more than the iterations of an implicit scheme leave.
    Iterations,
    /// The step has no effect: the solver chooses its own, and a tolerance may leave as much.
    OwnSteps,
    /// It falls with another power of the step than the solver's own error.
    Slower {
        /// Its power.
        order: f64,
        /// That of the solver's own error, where it is known.
        own: Option<f64>,
    },
}

impl fmt::Display for UndecidedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NearRounding => f.write_str("it is little more than rounding leaves"),
            Self::Iterations => {
                f.write_str("it is no more than the iterations of an implicit rule leave")
            }
            Self::OwnSteps => f.write_str(
                "the step has no effect on the rows, and a tolerance of the solver's own steps may leave as much",
            ),
            Self::Slower { order, own } => {
                write!(f, "it falls with order {}, and the rows ", two(order))?;
                match own {
                    Some(p) => write!(f, "converge with order {}", two(p))?,
                    None => f.write_str("do not show how they converge")?,
                }
                f.write_str(": shorter steps may tell")
            }
        }
    }
}

/// How rows change with the step, without any relation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepDependence {
    /// Power of the step with which rows converge, where they do.
    pub order: Option<f64>,
    /// How much the motion amplifies differences.
    pub conditioning: f64,
}

/// Part that the iterations of implicit schemes leave.
pub const LEFT_BY_ITERATIONS: f64 = 1e-9;
/// An order may be so much below the solver's own.
const SLACK: f64 = 0.3;
/// What stays is rounding up to 50 units, and a difference from 1000 on.
const DIFFERENCE: f64 = 1000.0 / 50.0;
/// Tolerances of solvers that choose their own steps may leave so much, relative: what the diagnosis takes for other
/// equations of motion begins here too.
const TOLERANCE: f64 = 1e-5;

impl Holding {
    /// Of residuals, coarse to fine.
    pub(crate) fn of(residuals: &[Residual], own: &StepDependence) -> Self {
        let undecided = |why| Self::Undecided { why };
        let Some(finest) = residuals.last() else {
            return undecided(UndecidedReason::NearRounding);
        };
        if residuals.iter().all(Residual::is_rounding) {
            let identical = residuals.iter().all(|r| r.identical);
            return Self::Exactly { identical };
        }
        if residuals.iter().any(|r| !r.size.is_finite()) {
            return Self::Fails;
        }
        let points: Vec<_> = residuals
            .iter()
            .map(|r| (r.step, r.size, r.allowed))
            .collect();
        let order = slopes(&points).last().copied();
        let wanted = own.order.unwrap_or(1.0) - SLACK;
        if finest.is_rounding() {
            return Self::InTheLimit { order };
        }
        match order {
            Some(q) if q >= wanted => Self::InTheLimit { order },
            Some(q) if q >= SLACK => undecided(UndecidedReason::Slower {
                order: q,
                own: own.order,
            }),
            _ if finest.size <= DIFFERENCE * finest.allowed => {
                undecided(UndecidedReason::NearRounding)
            }
            _ if finest.size <= LEFT_BY_ITERATIONS * own.conditioning => {
                undecided(UndecidedReason::Iterations)
            }
            _ if own.order.is_none() && finest.size <= TOLERANCE * own.conditioning => {
                undecided(UndecidedReason::OwnSteps)
            }
            _ => Self::Fails,
        }
    }

    /// Whether nothing speaks against the solver.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Exactly { .. } | Self::InTheLimit { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(size: impl Fn(f64) -> f64) -> Vec<Residual> {
        let residual = |k: i32| {
            let step = 0.04 * 0.5_f64.powi(k);
            Residual {
                step,
                size: size(step),
                allowed: 1e-13,
                identical: size(step) == 0.0,
                at: 0.0,
            }
        };
        (0..4).map(residual).collect()
    }

    #[test]
    fn each_ladder_has_its_verdict() {
        let second = StepDependence {
            order: Some(2.0),
            conditioning: 1.0,
        };
        let of = |size: &dyn Fn(f64) -> f64, own: &StepDependence| Holding::of(&ladder(size), own);
        assert_eq!(of(&|_| 0.0, &second), Holding::Exactly { identical: true });
        assert_eq!(
            of(&|_| 5e-14, &second),
            Holding::Exactly { identical: false }
        );
        let Holding::InTheLimit { order: Some(q) } = of(&|h| h * h, &second) else {
            panic!("it falls");
        };
        assert!((q - 2.0).abs() < 1e-9);
        assert_eq!(of(&|_| 6.5e-7, &second), Holding::Fails);
        assert_eq!(of(&|_| f64::INFINITY, &second), Holding::Fails);
        let undecided = |why| Holding::Undecided { why };
        let slower = UndecidedReason::Slower {
            order: 1.0,
            own: Some(4.0),
        };
        let fourth = StepDependence {
            order: Some(4.0),
            ..second
        };
        assert_eq!(of(&|h| 0.25 * h, &fourth), undecided(slower));
        assert_eq!(
            of(&|_| 1e-12, &second),
            undecided(UndecidedReason::NearRounding)
        );
        assert_eq!(
            of(&|_| 5e-10, &second),
            undecided(UndecidedReason::Iterations)
        );
        let adaptive = StepDependence {
            order: None,
            conditioning: 1.0,
        };
        assert_eq!(
            of(&|_| 1e-7, &adaptive),
            undecided(UndecidedReason::OwnSteps)
        );
        assert_eq!(of(&|_| 1e-3, &adaptive), Holding::Fails);
    }
}
