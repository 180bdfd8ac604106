//! Runge–Kutta methods by products of exponentials: `cf4` (commutator-free), `cg3` (Crouch–Grossman).
//!
//! Sources: Celledoni, Marthinsen & Owren 2003 (`celledoni2003`); Crouch & Grossman 1993
//! (`crouch1993`). Letters: Λ attitude (body → space), W body rate, Π = J W, T body torque,
//! `k = h W` and `l = h (Π × W + T)` at a stage.
//! - `cf4`: stage attitudes Λ, `Λ exp(½k₁)`, `Λ exp(½k₂)`, `Λ exp(½k₁) exp(k₃ − ½k₁)`;
//!   `Λ' = Λ exp((3k₁+2k₂+2k₃−k₄)/12) exp((−k₁+2k₂+2k₃+3k₄)/12)`; Π by the classical tableau
//! - `cg3`: `a₂₁ = 3/4`, `a₃ = (119/216, 17/108)`, `b = (13/51, −2/3, 24/17)`; every combination of the
//!   k is a product of exponentials, in order, and of the l a sum
//!
//! Explicit; no invariant is kept.

use super::description::scheme;
use super::scheme::{At, BodyMomentum, Effort, OneStep, Stepped};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{RigidTop, RotState, Torque, Turning};

/// `(k, l)` of a stage.
#[inline(always)]
fn stage<T: Torque>(top: &RigidTop<T>, t: f64, h: f64, att: &Mat3, pi: &Vec3) -> (Vec3, Vec3) {
    let omega = top.inertia().solve(pi);
    let turning = Turning {
        omega,
        momentum: *pi,
    };
    let torque = top.torque_moving(t, att, &turning);
    (omega * h, (pi.cross(&omega) + torque) * h)
}

scheme! {
    /// Commutator-free, order 4: five exponentials, no brackets.
    Cf4 {
        name: "cf4",
        title: "Celledoni, Marthinsen & Owren: commutator-free, order 4",
        formula: "k = h W, Π by the classical RK4; stages Λ, Λ exp(½k1), Λ exp(½k2), Λ exp(½k1) exp(k3 − ½k1)\n\
                  Λ' = Λ exp((3k1 + 2k2 + 2k3 − k4)/12) exp((−k1 + 2k2 + 2k3 + 3k4)/12)",
        citations: &["celledoni2003"],
        assumptions: RATE_TOO,
        claims: Claims { order: 4, reversible: false, symplectic: false,
            energy: Energy::Loses(5), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(4) },
    }
}

impl OneStep for Cf4 {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(
        &self,
        at: &At<impl Torque>,
        y: &mut RotState,
        BodyMomentum(pi): &mut BodyMomentum,
    ) -> Stepped {
        let At { top, t, h } = *at;
        let c = 0.5 * h;
        let (k1, l1) = stage(top, t, h, &y.att, pi);
        let att2 = y.att * so3::exp(&(k1 * 0.5));
        let (k2, l2) = stage(top, t + c, h, &att2, &(*pi + l1 * 0.5));
        let att3 = y.att * so3::exp(&(k2 * 0.5));
        let (k3, l3) = stage(top, t + c, h, &att3, &(*pi + l2 * 0.5));
        let att4 = att2 * so3::exp(&(k3 - k1 * 0.5));
        let (k4, l4) = stage(top, t + h, h, &att4, &(*pi + l3));
        let middle = (k2 + k3) * 2.0;
        let s = 1.0 / 12.0;
        y.att = y.att
            * so3::exp(&((k1 * 3.0 + middle - k4) * s))
            * so3::exp(&((k4 * 3.0 + middle - k1) * s));
        *pi += (l1 + (l2 + l3) * 2.0 + l4) / 6.0;
        y.omega = top.inertia().solve(pi);
        Ok(Effort::new(4, 0))
    }
}

scheme! {
    /// Crouch–Grossman, order 3.
    Cg3 {
        name: "cg3",
        title: "Crouch & Grossman, order 3",
        formula: "k = h W; stages Λ, Λ exp(¾k1), Λ exp(119/216 k1) exp(17/108 k2); Π likewise by sums\n\
                  Λ' = Λ exp(13/51 k1) exp(−2/3 k2) exp(24/17 k3)",
        citations: &["crouch1993"],
        assumptions: RATE_TOO,
        claims: Claims { order: 3, reversible: false, symplectic: false,
            energy: Energy::Loses(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(3) },
    }
}

impl OneStep for Cg3 {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(
        &self,
        at: &At<impl Torque>,
        y: &mut RotState,
        BodyMomentum(pi): &mut BodyMomentum,
    ) -> Stepped {
        let At { top, t, h } = *at;
        const A21: f64 = 3.0 / 4.0;
        const A31: f64 = 119.0 / 216.0;
        const A32: f64 = 17.0 / 108.0;
        const B1: f64 = 13.0 / 51.0;
        const B2: f64 = -2.0 / 3.0;
        const B3: f64 = 24.0 / 17.0;
        let (k1, l1) = stage(top, t, h, &y.att, pi);
        let att2 = y.att * so3::exp(&(k1 * A21));
        let (k2, l2) = stage(top, t + A21 * h, h, &att2, &(*pi + l1 * A21));
        let att3 = y.att * so3::exp(&(k1 * A31)) * so3::exp(&(k2 * A32));
        let (k3, l3) = stage(
            top,
            t + (A31 + A32) * h,
            h,
            &att3,
            &(*pi + l1 * A31 + l2 * A32),
        );
        y.att = y.att * so3::exp(&(k1 * B1)) * so3::exp(&(k2 * B2)) * so3::exp(&(k3 * B3));
        *pi += l1 * B1 + l2 * B2 + l3 * B3;
        y.omega = top.inertia().solve(pi);
        Ok(Effort::new(3, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::testbed::judge_claims;

    #[test]
    fn claims_hold_where_made_and_fail_where_not() {
        judge_claims(&Cf4 {}, 100, Some((1.815e-5, 6.769e-6)));
        judge_claims(&Cg3 {}, 200, Some((1.541e-3, 3.082e-4)));
    }
}
