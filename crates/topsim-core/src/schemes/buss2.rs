//! `buss2`: Buss's augmented second-order scheme.
//!
//! Source: Buss 2000 (`buss2000`). Letters: Λ attitude, W body rate, `α = J⁻¹ (T − W × J W)`,
//! Π = J W, T body torque, c = h/2. `u = W + c α + (h²/12) α × W`, `Λ' = Λ exp(h u)`; the spatial
//! momentum is held, with the impulse of the torque by the trapezoidal rule:
//! `Π' = exp(−h u) (Π + c T) + c T'`. In the space frame u has the same components turned, and the
//! rotation acts from the left. Any inertia and torque. The torque T' is kept for the next step.

use super::prelude::*;

scheme! {
    /// Augmented second-order scheme.
    Buss2 {
        name: "buss2",
        title: "Buss: augmented second-order, explicit, conserves spatial momentum",
        formula: "α = J⁻¹(T − W × J W); u = W + (h/2)α + (h²/12) α × W; Λ' = Λ exp(hu)\n\
                  Π' = exp(−hu)(Π + (h/2)T) + (h/2)T'",
        citations: &["buss2000"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Buss2 {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let (j, w) = (top.inertia(), y.omega);
        let alpha = j.solve(&(*torque - w.cross(pi)));
        let u = w + alpha * c + alpha.cross(&w) * (h * h / 12.0);
        let turn = so3::exp(&(u * h));
        y.att *= turn;
        let next = top.torque_body(t + h, &y.att);
        *pi = turn.tr_mul(&(*pi + *torque * c)) + next * c;
        y.omega = j.solve(pi);
        *torque = next;
        Ok(Effort::new(1, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::testbed::drift_f;

    #[test]
    fn energy_drifts_with_the_third_power_of_the_step() {
        let drift = [0.02, 0.01].map(|h| drift_f(&Buss2 {}, h, (400.0 / h) as u32).0);
        assert!(
            drift[0] > 0.0 && (drift[0] / drift[1] / 8.0 - 1.0).abs() < 0.2,
            "{drift:?}"
        );
    }
}
