//! The trapezoidal rule for rotations: `trapezoidal`.
//!
//! Source: Krysl 2005 (`krysl2005`). Letters: Λ attitude (body → space), W body rate, Π = J W,
//! T body torque, c = h/2.
//! - `Λ' = Λ exp(cW) exp(cW')`
//! - `Π' = Π + c (Π×W + T + Π'×W' + T')`, `T' = T(Λ', t + h)`
//!
//! solved for W' by Newton with the derivative of the free part. Symmetric; neither energy nor
//! momentum is exact.

use super::prelude::*;
use super::turn::Turn;

scheme! {
    /// Implicit; the torque is evaluated in each iteration.
    Trapezoidal(Newton) {
        name: "trapezoidal",
        title: "Trapezoidal rule on the momentum, half turns with both end rates",
        formula: "solve for W': Λ' = Λ exp(cW) exp(cW'), c = h/2\n\
                  J W' = J W + c (J W × W + T + J W' × W' + T'), T' = T(Λ', t + h)",
        citations: &["krysl2005"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::EachIteration(1) },
    }
}

impl RotationScheme for Trapezoidal {
    type Memory = BodyTorque;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyTorque(torque) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let pi = j.times(&y.omega);
        let rate = pi.cross(&y.omega) + *torque;
        let begun = pi + rate * c;
        let att_half = y.att * so3::exp(&(y.omega * c));
        let load = |w: &Vec3| {
            let att = att_half * Turn::new(w * c).matrix();
            let torque = top.torque_on(t + h, &RotState { att, omega: *w });
            let size = begun.amax() + c.abs() * torque.amax();
            (begun + torque * c, size, (att, torque))
        };
        let guess = y.omega + j.solve(&rate) * h;
        let root = self.newton.gyroscopic(at, y, guess, load)?;
        y.omega = root.x;
        (_, (y.att, *torque)) = root.with;
        Ok(Effort::new(root.iterations + 1, root.iterations))
    }
}
