//! Multistep rules: sums of slopes of this and of earlier steps.

use crate::equations::{Equations, plus, turning};
use crate::runge_kutta::{Carrier, RungeKutta};
use crate::state::State;
use crate::tableau::Tableau;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Vec3, quaternion};
use topsim_core::schemes::tableaus::{HEUN2, RK4};

/// A multistep rule of sums of slopes (Adams and Bashforth).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlopeSum {
    /// Weights of the slopes, the newest first.
    pub weights: [f64; MOST_SLOPES],
    /// Slopes before the first step.
    pub begun: Begun,
    /// True if the attitude turns by the exponential of the sum of rates, and false if quaternions are added.
    pub turns: bool,
    /// True if each row begins anew.
    pub renewed: bool,
}

/// Slopes that stand for those before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Begun {
    /// The slope at the start.
    First,
    /// None: the rules of fewer slopes make the first steps.
    Fewer,
    /// Zero.
    Zero,
    /// Those of steps of the classical Runge–Kutta rule.
    RungeKutta,
    /// Those of steps of Heun's rule.
    Heun,
}

/// Most slopes of a sum.
pub const MOST_SLOPES: usize = 4;
/// Weights of the rules of Adams and Bashforth of two to four slopes.
const ADAMS_BASHFORTH: [[f64; MOST_SLOPES]; MOST_SLOPES] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.5, -0.5, 0.0, 0.0],
    [23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0, 0.0],
    [55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0],
];
/// Weights that differ by less are the same: of rounding and of a fit.
const SAME: f64 = 1e-9;

impl SlopeSum {
    /// Returns the number of slopes.
    #[must_use]
    pub fn slopes(&self) -> usize {
        let last = self.weights.iter().rposition(|w| *w != 0.0);
        last.map_or(1, |last| last + 1)
    }

    /// Returns true if its weights are those of Adams and Bashforth.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let named = &ADAMS_BASHFORTH[self.slopes() - 1];
        let pairs = self.weights.iter().zip(named);
        pairs.into_iter().all(|(a, b)| (a - b).abs() < SAME)
    }

    /// Returns the order of whole runs, with what their first steps cost.
    #[must_use]
    pub fn order(&self) -> u8 {
        if !self.is_named() || self.begun == Begun::Zero || self.renewed {
            return 1;
        }
        let most = match self.begun {
            Begun::First | Begun::Fewer => 2,
            Begun::Heun => 3,
            Begun::Zero | Begun::RungeKutta => MOST_SLOPES,
        };
        self.slopes().min(most) as u8
    }

    /// Returns the rules that whole runs are held against.
    pub(crate) fn families() -> impl Iterator<Item = Self> {
        ADAMS_BASHFORTH[1..].iter().flat_map(|weights| {
            // Of two slopes, the first in the place of that before it makes a step of the rule of one.
            let of_two = weights[2] == 0.0;
            let begun = Begun::VARIANTS.iter();
            let begun = begun.filter(move |b| !(of_two && **b == Begun::First));
            begun.flat_map(move |&begun| {
                [false, true].map(|turns| SlopeSum {
                    weights: *weights,
                    begun,
                    turns,
                    renewed: false,
                })
            })
        })
    }
}

fn slope(equations: &Equations, t: f64, y: &State) -> State {
    let parts = equations.parts(t, &y.quat, &y.omega);
    State {
        quat: turning(&y.quat, &parts.rate),
        omega: parts.acceleration,
    }
}

impl SlopeSum {
    /// Makes a step of `h` from `t` after earlier slopes, the newest first.
    pub(crate) fn step(
        &self,
        equations: &Equations,
        (t, h): (f64, f64),
        slopes: &mut Vec<State>,
        y: &mut State,
    ) {
        // A turn is one of the rate, and not of its quaternion.
        let of = |y: &State| match self.turns {
            true => State {
                quat: [0.0, y.omega.x, y.omega.y, y.omega.z],
                omega: equations.parts(t, &y.quat, &y.omega).acceleration,
            },
            false => slope(equations, t, y),
        };
        let now = of(y);
        let n = self.slopes();
        let known = slopes.len();
        slopes.insert(0, now);
        slopes.truncate(MOST_SLOPES);
        let begins = known + 1 < n;
        let weights = match self.begun {
            Begun::Fewer if begins => &ADAMS_BASHFORTH[known],
            _ => &self.weights,
        };
        let by_one_step = match self.begun {
            Begun::RungeKutta => Some(&RK4),
            Begun::Heun => Some(&HEUN2),
            _ => None,
        };
        if let Some(tableau) = by_one_step.filter(|_| begins) {
            let carrier = match self.turns {
                true => Carrier::RotationVectorNaive,
                false => Carrier::QuaternionOneMinus,
            };
            let rule = RungeKutta::plain(Tableau::from(tableau), carrier);
            *y = rule.step(equations, (t, h), y);
            return;
        }
        let zero = State {
            quat: [0.0; 4],
            omega: Vec3::zeros(),
        };
        let sum = weights.iter().enumerate().fold(zero, |sum, (k, w)| {
            let first = slopes.last().filter(|_| self.begun == Begun::First);
            let slope = slopes.get(k).or(first);
            plus(&sum, *w, slope.unwrap_or(&zero))
        });
        let quat = match self.turns {
            true => {
                let turn = Vec3::new(sum.quat[1], sum.quat[2], sum.quat[3]) * h;
                quaternion::product(&y.quat, &quaternion::exp(&turn))
            }
            false => plus(y, h, &sum).quat,
        };
        *y = State {
            quat: quaternion::unit(&quat),
            omega: y.omega + sum.omega * h,
        };
    }
}
