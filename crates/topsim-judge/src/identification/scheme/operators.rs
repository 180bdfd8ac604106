//! Kicks and turns.

use super::questioner::State;
use super::sphere;
use crate::thresholds::LAST_BIT;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Inertia, NoTorque, RigidTop, RotState};
use topsim_core::schemes::{self, Scheme, SimoWongC1, Vlv};

/// What a kick adds to the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kick {
    /// Torque and gyroscopic term.
    Whole,
    /// The torque.
    Torque,
    /// The gyroscopic term.
    Gyro,
    /// The gyroscopic term by one Newton step of its implicit equation.
    GyroNewton,
    /// The gyroscopic term, implicit.
    GyroImplicit,
    /// Both, implicit in the rate.
    WholeImplicit,
    /// Both by one Newton step.
    WholeNewton,
    /// The gyroscopic term, the momentum's length restored.
    GyroRestored,
    /// The free body's rate by the implicit midpoint rule.
    GyroMidpoint,
}

impl Kick {
    /// Returns whether it solves equations, linear ones among them.
    pub fn is_implicit(self) -> bool {
        match self {
            Self::Whole | Self::Torque | Self::Gyro | Self::GyroRestored => false,
            Self::GyroNewton
            | Self::GyroImplicit
            | Self::WholeImplicit
            | Self::WholeNewton
            | Self::GyroMidpoint => true,
        }
    }
}

/// How the attitude turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Exponential,
    Cayley,
    GramSchmidt,
    /// The momentum is carried along.
    Carrying,
    /// The midpoint rule in the momentum.
    Midpoint,
    /// The exact free motion.
    Free,
    /// Discrete Moser–Veselov, and its versions of higher order.
    MoserVeselov(u8),
    /// Exact turns about the principal axes 3 2 1 2 3.
    Axes,
    /// Lie–Verlet.
    LieVerlet,
    /// Simo and Wong.
    SimoWong,
}

impl Turn {
    /// Returns whether it solves equations.
    pub fn is_implicit(self) -> bool {
        match self {
            Self::Exponential
            | Self::Cayley
            | Self::GramSchmidt
            | Self::Carrying
            | Self::Free
            | Self::Axes => false,
            Self::Midpoint | Self::MoserVeselov(_) | Self::LieVerlet | Self::SimoWong => true,
        }
    }
}

impl Kick {
    pub fn has_torque(self) -> bool {
        matches!(
            self,
            Self::Whole | Self::Torque | Self::WholeImplicit | Self::WholeNewton
        )
    }
    pub fn apply(self, j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Vec3 {
        let l = j.times(w);
        let gyro = l.cross(w);
        let newton = |torque: &Vec3| {
            let k = j.tensor() + (so3::hat(w) * j.tensor() - so3::hat(&l)) * h;
            k.try_inverse()
                .map_or(*w, |k| w + k * ((gyro + torque) * h))
        };
        match self {
            Self::Whole => w + j.solve(&(gyro + torque)) * h,
            Self::Torque => w + j.solve(torque) * h,
            Self::Gyro => w + j.solve(&gyro) * h,
            Self::GyroNewton => newton(&Vec3::zeros()),
            Self::WholeNewton => newton(torque),
            Self::GyroImplicit => implicit(j, w, &Vec3::zeros(), h, 0.0),
            Self::WholeImplicit => implicit(j, w, torque, h, 0.0),
            Self::GyroMidpoint => implicit(j, w, &Vec3::zeros(), h, 0.5),
            Self::GyroRestored => {
                let moved = l + gyro * h;
                j.solve(&(moved * (l.norm() / moved.norm())))
            }
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "torque and gyroscopic term",
            Self::Torque => "torque",
            Self::Gyro => "gyroscopic term",
            Self::GyroNewton => "gyroscopic term by one Newton step",
            Self::GyroImplicit => "implicit gyroscopic term",
            Self::WholeImplicit => "torque and gyroscopic term, implicit in the rate",
            Self::WholeNewton => "torque and gyroscopic term by one Newton step",
            Self::GyroRestored => "gyroscopic term with the momentum's length restored",
            Self::GyroMidpoint => "gyroscopic term by the implicit midpoint rule",
        }
    }
}

/// x with J(x − w) = h(g(m) + T), m = x + old (w − x), by Newton's iteration.
fn implicit(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64, old: f64) -> Vec3 {
    let mut x = *w;
    for _ in 0..20 {
        let m = x + (w - x) * old;
        let l = j.times(&m);
        let value = j.times(&(x - w)) - (l.cross(&m) + torque) * h;
        let slope = j.tensor() + (so3::hat(&m) * j.tensor() - so3::hat(&l)) * (h * (1.0 - old));
        let Some(inverse) = slope.try_inverse() else {
            return x;
        };
        let change = inverse * value;
        x -= change;
        if !(change.norm() > LAST_BIT * x.norm()) {
            break;
        }
    }
    x
}

impl Turn {
    pub fn apply(self, j: &Inertia, (r, w): State, h: f64) -> State {
        let x = w * h;
        match self {
            Self::Exponential => (r * so3::exp(&x), w),
            Self::Cayley => (r * so3::cayley(&x), w),
            Self::GramSchmidt => (sphere::gram_schmidt(&(r + r * so3::hat(&x))), w),
            Self::Carrying => {
                let e = so3::exp(&x);
                (r * e, j.solve(&e.tr_mul(&j.times(&w))))
            }
            Self::Midpoint => free(&schemes::LieMidImp::default(), j, r, w, h),
            Self::Free => free(&schemes::ExactStrang {}, j, r, w, h),
            Self::MoserVeselov(2) => free(&schemes::Dmv::default(), j, r, w, h),
            Self::MoserVeselov(4) => free(&schemes::Dmv4::default(), j, r, w, h),
            Self::MoserVeselov(6) => free(&schemes::Dmv6::default(), j, r, w, h),
            Self::MoserVeselov(8) => free(&schemes::Dmv8::default(), j, r, w, h),
            Self::MoserVeselov(_) => free(&schemes::Dmv10::default(), j, r, w, h),
            Self::Axes => free(&schemes::Split3 {}, j, r, w, h),
            Self::LieVerlet => free(&Vlv::default(), j, r, w, h),
            Self::SimoWong => free(&SimoWongC1::default(), j, r, w, h),
        }
    }

    pub fn name(self) -> String {
        match self {
            Self::Exponential => "exponential map".into(),
            Self::Cayley => "Cayley's map".into(),
            Self::GramSchmidt => "matrix sum made orthogonal by columns".into(),
            Self::Carrying => "exponential map, the momentum carried along".into(),
            Self::Midpoint => "midpoint rule in the momentum".into(),
            Self::Free => "exact free motion".into(),
            Self::MoserVeselov(n) => format!("discrete Moser–Veselov rule of order {n}"),
            Self::Axes => "exact turns about the principal axes".into(),
            Self::LieVerlet => "Lie–Verlet rule".into(),
            Self::SimoWong => "rule of Simo and Wong".into(),
        }
    }
}

/// A step of the free body by a scheme of the catalogue.
fn free<S>(scheme: &S, j: &Inertia, att: Mat3, omega: Vec3, h: f64) -> State
where
    S: Scheme<RigidTop<NoTorque>>,
{
    let mut y = RotState { att, omega };
    let top = RigidTop::new(j.clone(), NoTorque, y);
    let done = scheme
        .start(&top, 0.0, h, &mut y)
        .and_then(|mut m| scheme.step(&top, 0.0, h, &mut y, &mut m));
    match done {
        Ok(_) => (y.att, y.omega),
        Err(_) => (att, Vec3::repeat(f64::NAN)),
    }
}
