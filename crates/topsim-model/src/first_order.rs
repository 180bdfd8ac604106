//! Rules of first order: a kick of the rate, and a turn of the attitude.

use crate::angles::AngleFrame;
use crate::equations::{Equations, turning};
use crate::habit::Habit;
use crate::law::Parts;
use crate::probe::nearest_rotation;
use crate::state::State;
use core::f64::consts::{FRAC_PI_4, FRAC_PI_8};
use nalgebra::Rotation3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// Change of the rate in a rule of first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kick {
    /// W + h W'.
    Explicit,
    /// The gyroscopic term by one step of Newton's rule, other torques explicitly (Catto).
    GyroscopicImplicit,
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

/// Map that turns an attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnMap {
    /// q exp(h W).
    Exponential,
    /// q + h q', normalised.
    Sum,
    /// q + h q'; the length of q grows.
    RawSum,
    /// exp(h W) q.
    FromLeft,
    /// q exp(h W), the angle no larger than π/4 (Bullet).
    Capped,
    /// R + h R', made the nearest rotation.
    Matrix,
    /// R + h R', its columns made orthogonal one after the other.
    Columns,
    /// Roll, pitch and yaw between the frames of the body and of space.
    Angles,
    /// Roll, pitch and yaw that begin at zero, the roll about the rate at the start.
    StartAngles,
}

/// Returns the rules of first order, the plain ones first.
pub(crate) fn families() -> impl Iterator<Item = (Kick, TurnRate, TurnMap)> {
    let all = Kick::VARIANTS.iter().flat_map(|&kick| {
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
        if kick == Kick::EnergyKept {
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
    let old = equations.parts(t, &y.quat, &y.omega).rate;
    let turn = |rate: &Vec3, y: &mut State| {
        let before = y.quat;
        map.turn(equations, &mut y.quat, rate, h);
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

/// Iterations of a solved kick at most.
const MOST_ITERATIONS: usize = 12;

impl Kick {
    /// Returns the rate after a step of `h`.
    fn apply(self, equations: &Equations, t: f64, h: f64, y: &State) -> Vec3 {
        let w = y.omega;
        let parts: Parts = equations.parts(t, &y.quat, &w);
        if matches!(self, Self::Explicit | Self::SpaceRate) {
            return w + parts.acceleration * h;
        }
        let j = equations.inertia();
        let momentum = j * w;
        let others = (parts.acceleration - parts.gyroscopic) * h;
        // J + h (Ŵ J − (J W)^): the derivative of J W + h W × J W.
        let slope = |w: &Vec3| j + (so3::hat(w) * j - so3::hat(&(j * w))) * h;
        let solved = |m: Mat3, b: Vec3| m.lu().solve(&b).unwrap_or_else(Vec3::zeros);
        match self {
            Self::Explicit | Self::SpaceRate => unreachable!("they have been made"),
            Self::SpaceMomentum => w + others,
            Self::GyroscopicImplicit => w + solved(slope(&w), j * parts.gyroscopic * h) + others,
            Self::GyroscopicOfOldMomentum => {
                let left = j - so3::hat(&momentum) * h;
                w + solved(left, j * parts.gyroscopic * h) + others
            }
            Self::LinearlyImplicit => w + solved(slope(&w), j * parts.acceleration * h),
            Self::MomentumKept | Self::EnergyKept => {
                let moved = w + parts.gyroscopic * h;
                let kept = |w: &Vec3| match self {
                    Self::EnergyKept => w.dot(&(j * w)),
                    _ => (j * w).norm_squared(),
                };
                let factor = (kept(&w) / kept(&moved)).sqrt();
                moved * if factor.is_finite() { factor } else { 1.0 } + others
            }
            Self::GyroscopicSolved => {
                let mut x = w;
                for _ in 0..MOST_ITERATIONS {
                    let left = j * x - momentum + x.cross(&(j * x)) * h;
                    let change = solved(slope(&x), left);
                    x -= change;
                    if !(change.norm() > 1e-16 * x.norm()) {
                        break;
                    }
                }
                x + others
            }
            Self::MomentumTurned => parts.inverse * (Rotation3::new(w * -h) * momentum) + others,
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

impl TurnMap {
    /// Returns true if engines that cut their steps turn so.
    pub(crate) fn is_of_engines(self) -> bool {
        matches!(self, Self::Exponential | Self::Sum | Self::Capped)
    }

    /// Turns the attitude with this rate for `h`.
    fn turn(self, equations: &Equations, q: &mut Quat, rate: &Vec3, h: f64) {
        let matrix = || {
            let att = so3::matrix_from_quat(q);
            att + att * so3::hat(rate) * h
        };
        let by_angles = |frame: AngleFrame| {
            let frames = frame.frames(equations.start());
            so3::quat_from_matrix(&frames.turned(&so3::matrix_from_quat(q), rate, h))
        };
        let sum = || -> Quat {
            let change = turning(q, rate);
            core::array::from_fn(|i| q[i] + h * change[i])
        };
        *q = match self {
            Self::Exponential => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
            Self::Sum => quaternion::unit(&sum()),
            Self::RawSum => sum(),
            Self::FromLeft => {
                quaternion::unit(&quaternion::product(&quaternion::exp(&(rate * h)), q))
            }
            Self::Capped if rate.norm() * h > FRAC_PI_4 => {
                // The axis is that of the whole turn, and longer than the sine of the half angle.
                let v = rate * (FRAC_PI_8.sin() * h / FRAC_PI_4);
                let turn = [FRAC_PI_8.cos(), v.x, v.y, v.z];
                quaternion::unit(&quaternion::product(q, &turn))
            }
            Self::Capped => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
            Self::Matrix => so3::quat_from_matrix(&nearest_rotation(matrix())),
            Self::Columns => so3::quat_from_matrix(&by_columns(&matrix())),
            Self::Angles => by_angles(AngleFrame::Given),
            Self::StartAngles => by_angles(AngleFrame::Start),
        };
    }
}

/// The rotation that the method of Gram and Schmidt makes of the first two columns.
pub(crate) fn by_columns(m: &Mat3) -> Mat3 {
    let first = m.column(0).normalize();
    let second = m.column(1) - first * first.dot(&m.column(1));
    let second = second.normalize();
    Mat3::from_columns(&[first, second, first.cross(&second)])
}
