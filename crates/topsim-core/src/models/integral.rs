//! Integrals of the motion other than energy and momentum, which some bodies have. They show errors that energy
//! and momentum do not.
//!
//! γ = Rᵀ up; c = weight · l/J₃, the centre of mass at (l, 0, 0) from the fixed point, body frame.
//! - Kovalevskaya, J = J₃ diag(2, 2, 1): K = |(W₁ + iW₂)² − c (γ₁ + iγ₂)|².
//! - Goryachev & Chaplygin, J = J₃ diag(4, 4, 1), no momentum along up: G = W₃ (W₁² + W₂²) − c γ₃ W₁.
//! - Gravity gradient on a circular orbit of rate n: with r the radial and s the normal unit vector in the body
//!   frame and V = W − n s: ½ V·JV + (3/2) n² r·Jr − ½ n² s·Js.

use super::{Gravity, GravityGradient, Inertia, RotState, Start};
use crate::math::Vec3;

/// Largest deviation from the conditions, relative to their terms, that counts as rounding.
const ROUNDING: f64 = 1e-14;

/// Integral of the motion other than energy and momentum.
#[derive(Debug, Clone, PartialEq)]
pub enum Integral {
    /// Integral K of a Kovalevskaya top.
    Kovalevskaya {
        /// Coefficient c, rad²/s².
        strength: f64,
        /// Direction against gravity, space frame, unit.
        up: Vec3,
    },
    /// Integral G of a Goryachev–Chaplygin top.
    GoryachevChaplygin {
        /// Coefficient c, rad²/s².
        strength: f64,
        /// Direction against gravity, space frame, unit.
        up: Vec3,
    },
    /// Energy in the orbital frame.
    Orbital(GravityGradient),
}

impl Integral {
    /// Returns the integral of a heavy body, if it has one.
    pub(super) fn of_top(gravity: &Gravity, inertia: &Inertia, start: &Start) -> Option<Self> {
        let (j, lever, up) = (inertia.tensor(), gravity.lever(), *gravity.up());
        let third = j[(2, 2)];
        let is = |ratio: f64| {
            let model = Vec3::new(ratio, ratio, 1.0) * third;
            (j - crate::math::Mat3::from_diagonal(&model)).amax() <= ROUNDING * third
        };
        let strength = gravity.weight() * lever.x / third;
        if strength == 0.0 || lever.y != 0.0 || lever.z != 0.0 {
            return None;
        }
        let momentum = start.att * inertia.times(&start.omega);
        let level = momentum.dot(&up).abs() <= ROUNDING * momentum.norm();
        if is(2.0) {
            Some(Self::Kovalevskaya { strength, up })
        } else if is(4.0) && level {
            Some(Self::GoryachevChaplygin { strength, up })
        } else {
            None
        }
    }

    /// Returns the value of the integral at time `t`.
    pub(super) fn at(&self, t: f64, y: &RotState, inertia: &Inertia) -> f64 {
        let w = y.omega;
        match self {
            Self::Kovalevskaya { strength, up } => {
                let g = y.att.tr_mul(up) * *strength;
                let re = (w.x - w.y) * (w.x + w.y) - g.x;
                let im = 2.0 * w.x * w.y - g.y;
                re * re + im * im
            }
            Self::GoryachevChaplygin { strength, up } => {
                let g = y.att.tr_mul(up) * *strength;
                w.z * (w.x * w.x + w.y * w.y) - g.z * w.x
            }
            Self::Orbital(orbit) => {
                let [radial, normal] = orbit.axes(t, &y.att);
                let n = orbit.rate();
                let v = w - normal * n;
                let half = |v: &Vec3| 0.5 * v.dot(&inertia.times(v));
                half(&v) + n * n * (3.0 * half(&radial) - half(&normal))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, so3};
    use crate::models::{Orbit, RigidTop, Torque};
    use crate::reference::{Numerical, Solution};

    /// Returns the largest change of the integral over eight seconds, with the right and with the opposite sign
    /// of `strength`.
    fn strays<T: Torque>(moments: [f64; 3], torque: T, omega: Vec3) -> [f64; 2] {
        let att = so3::exp(&Vec3::new(0.4, -0.7, 0.3));
        let inertia = Inertia::diagonal(Vec3::from(moments)).unwrap();
        let top = RigidTop::new(inertia.clone(), torque, RotState { att, omega });
        let right = top.integral().unwrap().clone();
        let mut wrong = right.clone();
        match &mut wrong {
            Integral::Kovalevskaya { strength, .. }
            | Integral::GoryachevChaplygin { strength, .. } => {
                *strength = -*strength;
            }
            Integral::Orbital(orbit) => *orbit = orbit.clone().reversed(),
        }
        let motion = Numerical::new(top, 0.0, 8.0).unwrap();
        [right, wrong].map(|integral| {
            let at = |t: f64| {
                let (att, omega) = motion.at(t);
                integral.at(t, &RotState { att, omega }, &inertia)
            };
            (1..=16)
                .map(|k| (at(0.5 * f64::from(k)) - at(0.0)).abs())
                .fold(0.0, f64::max)
        })
    }

    #[test]
    fn integrals_are_constant_and_with_another_sign_they_are_not() {
        let gravity = Gravity::new(3.0, Vec3::new(0.7, 0.0, 0.0), Vec3::z());
        let omega = Vec3::new(0.8, -0.5, 1.3);
        let [right, wrong] = strays([2.0, 2.0, 1.0], gravity.clone(), omega);
        assert!(right < 1e-11 && wrong > 0.1, "{right:e} {wrong:e}");
        // This start has no momentum along up.
        let j = Mat3::from_diagonal(&Vec3::new(4.0, 4.0, 1.0));
        let up = so3::exp(&Vec3::new(0.4, -0.7, 0.3)).tr_mul(&Vec3::z());
        let level = omega - up * (up.dot(&(j * omega)) / up.dot(&(j * up)));
        let [right, wrong] = strays([4.0, 4.0, 1.0], gravity, level);
        assert!(right < 1e-11 && wrong > 0.1, "{right:e} {wrong:e}");
        let orbit = Orbit {
            rate: 0.9,
            radial: Vec3::x(),
            normal: Vec3::z(),
        };
        let orbit = crate::models::TorqueTable::GravityGradient(orbit)
            .torque()
            .unwrap();
        let [right, wrong] = strays([1.0, 1.6, 2.1], orbit, omega);
        assert!(right < 1e-11 && wrong > 0.1, "{right:e} {wrong:e}");
    }

    #[test]
    fn other_bodies_have_none() {
        let integral = |moments: [f64; 3], lever: [f64; 3]| {
            let gravity = Gravity::new(3.0, Vec3::from(lever), Vec3::z());
            let inertia = Inertia::diagonal(Vec3::from(moments)).unwrap();
            let (att, omega) = (Mat3::identity(), Vec3::x());
            RigidTop::new(inertia, gravity, RotState { att, omega })
                .integral()
                .is_some()
        };
        assert!(integral([2.0, 2.0, 1.0], [0.5, 0.0, 0.0]));
        assert!(!integral([2.0, 2.0, 1.0], [0.5, 0.0, 0.1]));
        assert!(!integral([2.0, 2.1, 1.0], [0.5, 0.0, 0.0]));
        assert!(integral([4.0, 4.0, 1.0], [0.5, 0.0, 0.0]));
    }
}
