//! `split_sym`: a symmetric top and a remainder, both exact, with kicks.
//!
//! Source: the splitting of Touma & Wisdom 1994 (`touma1994`) and Dullweber, Leimkuhler &
//! McLachlan 1997 (`dullweber1997`); for I₁ = I₂ the Strang splitting of Dullin 2004
//! (`dullin2004`). Letters: Λ attitude, Π body momentum, T body torque, I principal moments.
//! Kick, `R(h/2) S(h) R(h/2)`, kick:
//! S is the motion of the top with moments (I₂, I₂, I₃),
//! `Λ' = Λ exp(h Π/I₂) exp(φ e₃)`, `φ = h Π₃ (1/I₃ − 1/I₂)`, `Π' = exp(−φ e₃) Π`;
//! R of the remainder `½ (1/I₁ − 1/I₂) Π₁²`, a turn about axis 1, none for I₁ = I₂.
//! Any inertia and torque. R turns by h Π₁ (1/I₁ − 1/I₂), so the two closest moments should come first: `topsim hunt` found a
//! rod along axis 2, J = (4, 0.033, 3.97) kg m², whose errors begin to fall at steps in which the body turns by 1e-3 rad.

use super::kicks::{FreeTurn, KickScheme, turn_back};
use super::prelude::*;
use crate::math::quaternion::{product, times_axis};

scheme! {
    /// Symmetric-top splitting.
    SplitSym {
        name: "split_sym",
        title: "Symmetric top and remainder, both exact: symplectic, explicit",
        formula: "Π += (h/2) T; R(h/2) S(h) R(h/2); Π += (h/2) T'\n\
                  S: Λ := Λ exp(hΠ/I2) exp(φ e3), Π := exp(−φ e3) Π, φ = h Π3 (1/I3 − 1/I2)\n\
                  R: turn by (h/2)(1/I1 − 1/I2) Π1 about axis 1",
        citations: &["touma1994", "dullweber1997", "dullin2004"],
        claims: Claims { order: 2, reversible: true, symplectic: true,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
        assumptions: Some("any inertia tensor, any torque of time and attitude; errors fall where h |J W| |1/I1 − 1/I2| is below about 1, so the \
                      two closest moments come first"),
    }
}

/// Constants of the two flows, from the principal moments.
#[derive(Debug, Clone, Copy)]
pub struct FlowConstants {
    /// 1/I₂.
    across: f64,
    /// 1/I₃ − 1/I₂.
    spin: f64,
    /// 1/I₁ − 1/I₂.
    rest: f64,
}

lane_numbers! { FlowConstants { across, spin, rest } }

impl KickScheme for SplitSym {
    type Constants = FlowConstants;
    in_lanes!();

    fn constants(i: &Vec3) -> FlowConstants {
        FlowConstants {
            across: 1.0 / i.y,
            spin: (i.y - i.z) / (i.y * i.z),
            rest: (i.y - i.x) / (i.y * i.x),
        }
    }

    #[inline(always)]
    fn turn(
        &self,
        k: &FlowConstants,
        angles: AngleRange,
        tau: f64,
        pi: &Vec3,
    ) -> Result<FreeTurn, StepFail> {
        let mut pi = *pi;
        let c = 0.5 * tau * k.rest;
        let first = c * pi.x;
        turn_back(angles, &mut pi, 0, first);
        let whole = angles.quaternion(&(pi * (tau * k.across)));
        let spin = tau * k.spin * pi.z;
        turn_back(angles, &mut pi, 2, spin);
        let last = c * pi.x;
        turn_back(angles, &mut pi, 0, last);
        let (cos, sin) = angles.half_angle(first);
        let q = product(&[cos, sin, 0.0, 0.0], &whole);
        let q = times_axis(&q, 2, angles.half_angle(spin));
        Ok(FreeTurn {
            quat: times_axis(&q, 0, angles.half_angle(last)),
            pi,
            rest: Vec3::zeros(),
            iterations: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, so3};
    use crate::models::{Gravity, Inertia, InitialValueProblem, RigidTop, RotState};
    use crate::schemes::testbed::run;

    /// Found by `topsim hunt`: the rounding of a full tensor, here of one that is turned twice, decided which axis came third.
    #[test]
    fn other_axes_of_a_symmetric_body_give_the_same_motion() {
        let turned = |by: &Mat3, tensor: &Mat3| {
            let turned = by * tensor * by.transpose();
            (turned + turned.transpose()) * 0.5
        };
        let top = |tensor: &Mat3, body: &Mat3| {
            RigidTop::new(
                Inertia::new(*tensor).unwrap(),
                Gravity::new(3.0, body * Vec3::z(), Vec3::z()),
                RotState {
                    att: body.transpose(),
                    omega: body * Vec3::new(0.9, 2.0, 2.0),
                },
            )
        };
        let moments = Mat3::from_diagonal(&Vec3::new(2.0, 2.0, 0.3));
        let plain = run(&SplitSym {}, &top(&moments, &Mat3::identity()), 0.05, 10);
        for n in 0..1000 {
            let n = f64::from(n);
            let once = so3::exp(&Vec3::new(n.sin(), 1.3 * (2.0 * n).cos(), (3.0 * n).sin()));
            let again = so3::exp(&Vec3::new((1.7 * n).cos(), n.cos(), 1.1 * (2.3 * n).sin()));
            let (tensor, body) = (turned(&again, &turned(&once, &moments)), again * once);
            let y = run(&SplitSym {}, &top(&tensor, &body), 0.05, 10);
            let apart = (y.att * body - plain.att).norm();
            assert!(apart < 1e-13, "{n}: {apart}");
        }
    }

    #[test]
    fn a_symmetric_body_gets_the_strang_splitting_of_the_symmetric_top() {
        for moments in [[5.0, 5.0, 1.0], [2.0, 2.0, 2.0]] {
            let [a, _, c] = moments;
            let top = RigidTop::new(
                Inertia::diagonal(Vec3::from(moments)).unwrap(),
                Gravity::new(20.0, Vec3::z(), Vec3::z()),
                RotState {
                    att: so3::exp(&Vec3::new(0.4, 0.0, 0.0)),
                    omega: Vec3::new(0.3, -0.2, 15.0),
                },
            );
            let h = 0.01;
            let y = run(&SplitSym {}, &top, 100.0 * h, 100);
            let mut att = top.initial().att;
            let mut pi = top.inertia().times(&top.initial().omega);
            for _ in 0..100 {
                pi += top.torque_body(0.0, &att) * (0.5 * h);
                let spin = so3::exp(&Vec3::new(0.0, 0.0, h * pi.z * (1.0 / c - 1.0 / a)));
                att = att * so3::exp(&(pi * (h / a))) * spin;
                pi = spin.tr_mul(&pi) + top.torque_body(0.0, &att) * (0.5 * h);
            }
            assert!((y.att - att).norm() < 1e-12);
            assert!((top.inertia().times(&y.omega) - pi).norm() < 1e-12);
        }
    }
}
