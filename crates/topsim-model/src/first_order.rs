//! Rules of first order: a kick of the rate, and a turn of the attitude.

use crate::equations::Equations;
use crate::habit::Habit;
use crate::law::Parts;
use crate::state::State;
use crate::turn_map::TurnMap;
use crate::words::{NEWTON, WordKick, restored, solved};
use nalgebra::Rotation3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Quat, Vec3, so3};

/// Change of the rate in a rule of first order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kick {
    /// W + h W'.
    Explicit,
    /// W + h W', whose components are overwritten in the order x, y, z, so that later ones are made of new ones.
    InPlace,
    /// The same in the order z, y, x.
    InPlaceReversed,
    /// The gyroscopic term by one step of Newton's rule, other torques explicitly (Catto).
    GyroscopicImplicit,
    /// The same by the matrix J + h (a Ŵ J + b (J W)^) with these factors a and b, which should be 1 and −1.
    GyroscopicBy([f64; 2]),
    /// The gyroscopic term with the old momentum and the new rate, J W₀ × W, solved, other torques explicitly (Open Dynamics Engine).
    GyroscopicOfOldMomentum,
    /// All torques by one step of Newton's rule.
    LinearlyImplicit,
    /// The gyroscopic term explicitly with |J W| put back, then other torques (Jolt).
    MomentumKept,
    /// The gyroscopic term explicitly with W · J W put back, then other torques.
    EnergyKept,
    /// The gyroscopic term by the implicit rule, solved, other torques explicitly.
    GyroscopicSolved,
    /// The momentum turned by exp(−h W), and other torques.
    MomentumTurned,
    /// W + h W' as the rate in space, which the turn does not change.
    SpaceRate,
    /// J W + h T as the momentum in space, which the turn does not change.
    SpaceMomentum,
}

/// Rate with which a rule of first order turns the attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnRate {
    /// The new rate: semi-implicit.
    New,
    /// The old rate: explicit.
    Old,
    /// Their mean.
    Mean,
    /// The old rate, and the torque of the new attitude.
    First,
}

/// Kicks of the rules that are tried, the plain ones first.
const KICKS: [Kick; 13] = [
    Kick::Explicit,
    Kick::GyroscopicImplicit,
    Kick::GyroscopicOfOldMomentum,
    Kick::LinearlyImplicit,
    Kick::MomentumKept,
    Kick::EnergyKept,
    Kick::GyroscopicSolved,
    Kick::MomentumTurned,
    Kick::SpaceRate,
    Kick::SpaceMomentum,
    // One sign of the matrix is wrong, or both are.
    Kick::GyroscopicBy([1.0, 1.0]),
    Kick::GyroscopicBy([-1.0, -1.0]),
    Kick::GyroscopicBy([-1.0, 1.0]),
];

/// Returns the rules of first order, the plain ones first.
pub(crate) fn families() -> impl Iterator<Item = (Kick, TurnRate, TurnMap)> {
    let all = KICKS.into_iter().flat_map(|kick| {
        TurnRate::VARIANTS.iter().flat_map(move |&rate| {
            let maps = TurnMap::VARIANTS.iter();
            maps.map(move |&map| (kick, rate, map))
        })
    });
    all.filter(|&(kick, rate, map)| {
        if matches!(map, TurnMap::Angles | TurnMap::StartAngles) {
            return matches!(kick, Kick::Explicit | Kick::SpaceRate)
                && matches!(rate, TurnRate::New | TurnRate::Old);
        }
        if matches!(kick, Kick::EnergyKept | Kick::GyroscopicBy(_)) {
            return rate == TurnRate::New && map.is_of_engines();
        }
        // A turn about the new rate leaves it as it is, in the body as in space.
        kick != Kick::SpaceRate || rate != TurnRate::New || map == TurnMap::FromLeft
    })
}

/// Makes a step of `h` from `t`.
pub(crate) fn step(
    (kick, turned_by, map): (Kick, TurnRate, TurnMap),
    equations: &Equations,
    habit: &Habit,
    (t, h): (f64, f64),
    y: &mut State,
) {
    let turn = |q: &mut Quat, rate: &Vec3| map.turn(equations, q, rate, h);
    step_turned((kick, turned_by, turn), equations, habit, (t, h), y);
}

/// Makes a step of `h` from `t` whose turn a function makes of an attitude and a rate.
pub(crate) fn step_turned<F: Fn(&mut Quat, &Vec3)>(
    (kick, turned_by, turned): (Kick, TurnRate, F),
    equations: &Equations,
    habit: &Habit,
    (t, h): (f64, f64),
    y: &mut State,
) {
    let old = equations.parts(t, &y.quat, &y.omega).rate;
    let turn = |rate: &Vec3, y: &mut State| {
        let before = y.quat;
        turned(&mut y.quat, rate);
        kick.carry(equations, &before, y);
    };
    if turned_by == TurnRate::First {
        turn(&old, y);
    }
    y.omega = kick.apply(equations, t, h, y);
    if !habit.after {
        y.omega = habit.apply(y.omega, h);
    }
    let new = |y: &State| equations.parts(t, &y.quat, &y.omega).rate;
    match turned_by {
        TurnRate::First => {}
        TurnRate::Old => turn(&old, y),
        TurnRate::New => turn(&new(y), y),
        TurnRate::Mean => turn(&((old + new(y)) * 0.5), y),
    }
    if habit.after {
        y.omega = habit.apply(y.omega, h);
    }
}

impl Kick {
    /// Returns the rate after a step of `h`.
    fn apply(self, equations: &Equations, t: f64, h: f64, y: &State) -> Vec3 {
        let (w, j) = (y.omega, equations.inertia());
        let parts: Parts = equations.parts(t, &y.quat, &w);
        let by = |factors, of: WordKick| of.apply(j, &parts, &w, h, factors);
        let kick = |of: WordKick| by(NEWTON, of);
        let others = (parts.acceleration - parts.gyroscopic) * h;
        match self {
            Self::Explicit | Self::SpaceRate => kick(WordKick::Whole),
            Self::InPlace | Self::InPlaceReversed => {
                let order = match self {
                    Self::InPlace => [0, 1, 2],
                    _ => [2, 1, 0],
                };
                let mut w = w;
                for i in order {
                    w[i] += equations.parts(t, &y.quat, &w).acceleration[i] * h;
                }
                w
            }
            Self::SpaceMomentum => w + others,
            Self::GyroscopicImplicit => kick(WordKick::GyroNewton) + others,
            Self::GyroscopicBy(factors) => by(factors, WordKick::GyroNewton) + others,
            Self::GyroscopicOfOldMomentum => {
                let left = j - so3::hat(&(j * w)) * h;
                w + solved(left, j * parts.gyroscopic * h) + others
            }
            Self::LinearlyImplicit => kick(WordKick::WholeNewton),
            Self::MomentumKept => kick(WordKick::GyroRestored) + others,
            Self::EnergyKept => {
                let moved = kick(WordKick::Gyro);
                let energy = |w: &Vec3| w.dot(&(j * w));
                restored(&moved, (energy(&w) / energy(&moved)).sqrt()) + others
            }
            Self::GyroscopicSolved => kick(WordKick::GyroImplicit) + others,
            Self::MomentumTurned => parts.inverse * (Rotation3::new(w * -h) * (j * w)) + others,
        }
    }

    /// Changes the body rate where the attitude has turned from `before`, and the rate or the momentum is kept in space.
    fn carry(self, equations: &Equations, before: &Quat, y: &mut State) {
        let into_body = |v: &Vec3| y.attitude().tr_mul(&(so3::matrix_from_quat(before) * v));
        y.omega = match self {
            Self::SpaceRate => into_body(&y.omega),
            Self::SpaceMomentum => {
                equations.inverse() * into_body(&(equations.inertia() * y.omega))
            }
            _ => return,
        };
    }
}
