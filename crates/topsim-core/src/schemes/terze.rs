//! Terze, Müller & Zlatar's explicit scheme after Störmer–Verlet: `terze`.
//!
//! Source: `terze2015`. Letters: Λ attitude (body → space), W body rate, Π = J W, T body torque,
//! c = h/2.
//! 1. `G = Π + c T`
//! 2. `ω = J⁻¹ exp(−c [W]×) G`, the rate of the whole step
//! 3. `Λ' = Λ exp(hω)`
//! 4. `T' = Λ'ᵀ t(Λ', t + h)`: the one torque evaluation; it is the T of the next step
//! 5. `Π' = exp(−h [ω]×) G + c T'`
//!
//! The paper's `Ω = Ṙ Rᵀ` must be read as the body-frame `Rᵀ Ṙ`, as its update `R exp(hΩ)` shows.
//! Explicit, because Λ' is known before T' is wanted. Spatial momentum is exact; energy is not: the
//! first half-step turns with W, not with ω, so the scheme is not symmetric, and a free body gains
//! energy like h³. The "energy conserving" of the title belongs to the paper's implicit algorithm.

use super::prelude::*;

scheme! {
    /// Explicit, one torque evaluation; conserves spatial momentum, gains energy.
    Terze {
        name: "terze",
        title: "Terze, Müller & Zlatar: explicit, conserves spatial momentum",
        formula: "G = Π + cT, c = h/2; ω = J⁻¹ exp(−cW) G; Λ' = Λ exp(hω); T' = Λ'ᵀ t(Λ', t + h)\n\
                  Π' = exp(−hω) G + cT'",
        citations: &["terze2015"],
        // The title of the paper says it; it is true of the paper's other, implicit algorithm.
        literature: &[Statement {
            by: "terze2015",
            says: StatementKind::KeepsEnergy,
        }],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Terze {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let g = *pi + *torque * c;
        let omega = j.solve(&so3::exp(&(y.omega * c)).tr_mul(&g));
        let d = so3::exp(&(omega * h));
        y.att *= d;
        *torque = top.torque_body(t + h, &y.att);
        *pi = d.tr_mul(&g) + *torque * c;
        y.omega = j.solve(pi);
        Ok(Effort::new(1, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::Rkmk4;
    use crate::schemes::testbed::{advance, body_a, order_against, run};

    /// Faults of a twin.
    #[derive(Clone, Copy)]
    enum Fault {
        None,
        /// `exp(hω) Λ`.
        LeftMultiplication,
        /// `T' := T` within the step.
        TorqueOfTheStart,
        /// T' at `Λ exp(½hω)`, t + c.
        TorqueAtMidAttitude,
        /// Components in space taken as components in the body.
        SpaceTorqueInBody,
    }

    struct Twin(Fault);

    impl RotationScheme for Twin {
        type Memory = (BodyMomentum, BodyTorque);
        fn step(
            &self,
            at: &Step<impl Torque>,
            y: &mut RotState,
            m: &mut Self::Memory,
        ) -> StepResult {
            let (BodyMomentum(pi), BodyTorque(torque)) = m;
            let Step { top, t, h, .. } = *at;
            let c = 0.5 * h;
            let j = top.inertia();
            let g = *pi + *torque * c;
            let omega = j.solve(&so3::exp(&(y.omega * c)).tr_mul(&g));
            let d = so3::exp(&(omega * h));
            let before = y.att;
            y.att = match self.0 {
                Fault::LeftMultiplication => d * y.att,
                _ => y.att * d,
            };
            let fresh = match self.0 {
                Fault::TorqueAtMidAttitude => {
                    top.torque_body(t + c, &(before * so3::exp(&(omega * c))))
                }
                Fault::SpaceTorqueInBody => top.torque_space(t + h, &y.att),
                _ => top.torque_body(t + h, &y.att),
            };
            let used = match self.0 {
                Fault::TorqueOfTheStart => *torque,
                _ => fresh,
            };
            *pi = d.tr_mul(&g) + used * c;
            y.omega = j.solve(pi);
            *torque = fresh;
            Ok(Effort::default())
        }
    }

    #[test]
    fn the_twin_without_a_fault_is_the_scheme() {
        let top = body_a();
        let (mut y, mut z) = (top.initial(), top.initial());
        advance(&Terze {}, &top, 0.0, 0.03, 20, &mut y);
        advance(&Twin(Fault::None), &top, 0.0, 0.03, 20, &mut z);
        assert_eq!(y, z);
    }

    /// The order shows each misreading of the formula.
    #[test]
    fn misreadings_show_in_the_order() {
        let exact = run(&Rkmk4 {}, &body_a(), 2.0, 4000);
        for (fault, order) in [
            (Fault::None, 2.0),
            (Fault::LeftMultiplication, 0.0),
            (Fault::TorqueOfTheStart, 1.0),
            (Fault::TorqueAtMidAttitude, 1.0),
            (Fault::SpaceTorqueInBody, 0.0),
        ] {
            let measured = order_against(&Twin(fault), &exact, 800);
            assert!((measured - order).abs() < 0.02, "{measured} for {order}");
        }
    }
}
