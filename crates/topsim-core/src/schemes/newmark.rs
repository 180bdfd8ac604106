//! Newmark's method on the rotation group: `lie_newmark`, `newmark_explicit`.
//!
//! Source: Krysl & Endres 2005 (`krysl_endres2005`). Letters: Λ attitude (body → space), W body rate,
//! α its rate, Π = J W, T body torque, c = h/2.
//! - `lie_newmark`: `J W½ = J W + c (J W½ × W½ + T)`; `Λ' = Λ exp(hW½)`;
//!   `J W' = J W½ + c (J W½ × W½ + T')`
//! - `newmark_explicit`: `Λ' = Λ exp(hW + ½h² α)`; `J α' + W' × J W' = T'` with `W' = W + c (α + α')`
//!
//! Both solve `J u = A + c J u × u` with a known A: the torque stands outside the equation. Both are
//! symmetric; neither conserves spatial momentum.

use super::prelude::*;

scheme! {
    /// Turns with an implicit mean rate; for a free body the momentum follows the implicit midpoint
    /// rule, so that its energy is exact.
    LieNewmark(Newton) {
        name: "lie_newmark",
        title: "Lie–Newmark: midpoint rate, exact free-body energy",
        formula: "solve J W½ = J W + c (J W½ × W½ + T), c = h/2; Λ' = Λ exp(hW½)\n\
                  J W' = J W½ + c (J W½ × W½ + T'), T' = T(Λ', t + h)",
        citations: &["krysl_endres2005"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for LieNewmark {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let a = *pi + *torque * c;
        let size = pi.amax() + c.abs() * torque.amax();
        let guess = j.solve(&(a + pi.cross(&y.omega) * c));
        let load = |_: &Vec3| (a, size, ());
        let root = self.newton.gyroscopic(at, y, guess, load)?;
        let (w, (jw, ())) = (root.x, root.with);
        y.att *= so3::exp(&(w * h));
        *torque = top.torque_body(t + h, &y.att);
        *pi = jw + (jw.cross(&w) + *torque) * c;
        y.omega = j.solve(pi);
        Ok(Effort::new(1, root.iterations))
    }
}

scheme! {
    /// Turns with the rate and its rate at the start; implicit in the rate at the end only.
    NewmarkExplicit(Newton) {
        name: "newmark_explicit",
        title: "Krysl & Endres: Newmark/Verlet with an explicit attitude",
        formula: "Λ' = Λ exp(hW + ½h²α); T' = T(Λ', t + h)\n\
                  solve J α' + W' × J W' = T' with W' = W + c (α + α'), c = h/2",
        citations: &["krysl_endres2005"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

/// α at the end of the step before, rad/s².
#[derive(Debug, Clone, Copy)]
pub struct Alpha(Vec3);

impl Memory for Alpha {
    fn start(&Step { top, t, .. }: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        let torque = top.torque_body(t, &y.att);
        Ok(Self(top.acceleration(&y.omega, &torque)))
    }
}

impl RotationScheme for NewmarkExplicit {
    type Memory = Alpha;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Alpha(alpha) = m;
        let Step { top, t, h } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let mid = y.omega + *alpha * c;
        let att = y.att * so3::exp(&(mid * h));
        let torque = top.torque_body(t + h, &att);
        let begun = j.times(&mid);
        let a = begun + torque * c;
        let size = begun.amax() + c.abs() * torque.amax();
        let load = |_: &Vec3| (a, size, ());
        let root = self.newton.gyroscopic(at, y, mid + *alpha * c, load)?;
        y.att = att;
        y.omega = root.x;
        *alpha = top.acceleration(&y.omega, &torque);
        Ok(Effort::new(1, root.iterations))
    }
}
