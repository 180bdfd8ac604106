//! Runge–Kutta rules, explicit and implicit, in several variables of a state.

use crate::equations::{Equations, turning};
use crate::first_order::by_columns;
use crate::law::Parts;
use crate::probe::nearest_rotation;
use crate::state::State;
use crate::tableau::{STAGES, Tableau};
use nalgebra::SVector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// Variables in which a Runge–Kutta rule moves a state: those of the attitude, and the body rate where no other is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Carrier {
    /// Rotation vector, with its rate taken for W.
    RotationVectorNaive,
    /// Rotation vector, with so many terms of dexp⁻¹ after the first; none for the closed form.
    RotationVector(Option<u8>),
    /// Quaternion, normalised after the step.
    Quaternion,
    /// Quaternion, never normalised.
    RawQuaternion,
    /// Quaternion, normalised in each stage.
    StageQuaternion,
    /// Matrix, made the nearest rotation after the step.
    Matrix,
    /// Matrix, its columns made orthogonal one after the other after the step.
    Columns,
    /// Quaternion, normalised after the step, and the rate in space.
    SpaceRate,
    /// Quaternion, normalised after the step, and the momentum in space.
    SpaceMomentum,
}

impl Carrier {
    /// Variables with explicit rules.
    pub const ALL: [Self; 11] = [
        Self::RotationVectorNaive,
        Self::RotationVector(Some(1)),
        Self::RotationVector(Some(2)),
        Self::RotationVector(None),
        Self::Quaternion,
        Self::RawQuaternion,
        Self::StageQuaternion,
        Self::Matrix,
        Self::Columns,
        Self::SpaceRate,
        Self::SpaceMomentum,
    ];

    /// Returns the order of a rule whose tableau has a higher one.
    pub(crate) fn highest_order(self) -> u8 {
        match self {
            Self::RotationVectorNaive => 2,
            Self::RotationVector(Some(1)) => 3,
            _ => u8::MAX,
        }
    }

    fn is_vector(self) -> bool {
        matches!(self, Self::RotationVectorNaive | Self::RotationVector(_))
    }
}

/// Numbers of a state: nine of the attitude at most, then three of the rate.
type Numbers = SVector<f64, 12>;
/// Index of the first number of the rate.
const RATE: usize = 9;
/// Iterations of an implicit rule at most: each leaves a part of h |W| of what was left.
const MOST_ITERATIONS: usize = 100;
/// Change of a slope at which iterations end, relative.
const SOLVED: f64 = 1e-16;

/// A state in the variables of a carrier.
struct Variables<'a> {
    carrier: Carrier,
    equations: &'a Equations,
    /// State at the beginning of the step.
    from: &'a State,
}

impl Variables<'_> {
    fn numbers(attitude: &[f64], rate: &Vec3) -> Numbers {
        let mut out = Numbers::zeros();
        out.as_mut_slice()[..attitude.len()].copy_from_slice(attitude);
        out.fixed_rows_mut::<3>(RATE).copy_from(rate);
        out
    }

    fn begin(&self) -> Numbers {
        let (from, att) = (self.from, self.from.attitude());
        let rate = match self.carrier {
            Carrier::SpaceRate => att * from.omega,
            Carrier::SpaceMomentum => att * (self.equations.inertia() * from.omega),
            _ => from.omega,
        };
        match self.carrier {
            Carrier::Matrix | Carrier::Columns => Self::numbers(att.as_slice(), &rate),
            carrier if carrier.is_vector() => Self::numbers(&[], &rate),
            _ => Self::numbers(&from.quat, &rate),
        }
    }

    /// Returns the quaternion, unless the attitude is a matrix, and the attitude.
    fn attitude(&self, x: &Numbers) -> (Quat, Mat3) {
        let quat: Quat = core::array::from_fn(|i| x[i]);
        let quat = match self.carrier {
            Carrier::Matrix | Carrier::Columns => {
                return (quat, Mat3::from_column_slice(&x.as_slice()[..RATE]));
            }
            Carrier::StageQuaternion => quaternion::unit(&quat),
            carrier if carrier.is_vector() => {
                let turn = quaternion::exp(&Vec3::new(x[0], x[1], x[2]));
                quaternion::product(&self.from.quat, &turn)
            }
            _ => quat,
        };
        (quat, so3::matrix_from_quat(&quat))
    }

    fn omega(&self, x: &Numbers, att: &Mat3) -> Vec3 {
        let rate = x.fixed_rows::<3>(RATE).into_owned();
        match self.carrier {
            Carrier::SpaceRate => att.tr_mul(&rate),
            Carrier::SpaceMomentum => self.equations.inverse() * att.tr_mul(&rate),
            _ => rate,
        }
    }

    fn slope(&self, t: f64, x: &Numbers) -> Numbers {
        let (quat, att) = self.attitude(x);
        let omega = self.omega(x, &att);
        let parts: Parts = self.equations.parts_at(t, att, &omega);
        let rate = match self.carrier {
            Carrier::SpaceRate => att * parts.acceleration,
            Carrier::SpaceMomentum => {
                let inertia = self.equations.inertia();
                att * (inertia * parts.acceleration + omega.cross(&(inertia * omega)))
            }
            _ => parts.acceleration,
        };
        let turn = parts.rate;
        match self.carrier {
            Carrier::Matrix | Carrier::Columns => {
                Self::numbers((att * so3::hat(&turn)).as_slice(), &rate)
            }
            Carrier::RotationVector(terms) => {
                let psi = Vec3::new(x[0], x[1], x[2]);
                Self::numbers(vector_rate(&psi, &turn, terms).as_slice(), &rate)
            }
            Carrier::RotationVectorNaive => Self::numbers(turn.as_slice(), &rate),
            _ => Self::numbers(&turning(&quat, &turn), &rate),
        }
    }

    fn end(&self, x: &Numbers) -> State {
        let (quat, att) = self.attitude(x);
        let quat = match self.carrier {
            Carrier::RawQuaternion => quat,
            Carrier::Matrix => so3::quat_from_matrix(&nearest_rotation(att)),
            Carrier::Columns => so3::quat_from_matrix(&by_columns(&att)),
            _ => quaternion::unit(&quat),
        };
        let omega = self.omega(x, &so3::matrix_from_quat(&quat));
        State { quat, omega }
    }
}

/// dexp⁻¹ of a rotation vector applied to the body rate.
fn vector_rate(psi: &Vec3, rate: &Vec3, terms: Option<u8>) -> Vec3 {
    let once = psi.cross(rate);
    let twice = psi.cross(&once);
    match terms {
        Some(1) => rate + once * 0.5,
        Some(_) => rate + once * 0.5 + twice / 12.0,
        None => rate + once * 0.5 + twice * so3::tangent_inverse_coefficient(psi.norm_squared()),
    }
}

/// Returns the state after a step of `h`.
pub(crate) fn step(
    tableau: &Tableau,
    carrier: Carrier,
    equations: &Equations,
    (t, h): (f64, f64),
    from: &State,
) -> State {
    let variables = Variables {
        carrier,
        equations,
        from,
    };
    let begin = variables.begin();
    let after = |slopes: &[Numbers], weights: &[f64]| {
        let mut end = begin;
        for (slope, weight) in slopes.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
            end += slope * (weight * h);
        }
        end
    };
    let stages = tableau.stages;
    let slope = |i: usize, slopes: &[Numbers]| {
        let stage = after(slopes, &tableau.a[i]);
        variables.slope(t + h * tableau.time(i), &stage)
    };
    let mut slopes = [Numbers::zeros(); STAGES];
    if tableau.is_implicit() {
        slopes[..stages].fill(variables.slope(t, &begin));
        for _ in 0..MOST_ITERATIONS {
            let mut changed = false;
            for i in 0..stages {
                let next = slope(i, &slopes[..stages]);
                changed |= !((next - slopes[i]).norm() <= SOLVED * next.norm());
                slopes[i] = next;
            }
            if !changed {
                break;
            }
        }
    } else {
        for i in 0..stages {
            slopes[i] = slope(i, &slopes[..i]);
        }
    }
    variables.end(&after(&slopes[..stages], &tableau.b))
}
