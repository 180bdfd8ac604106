//! The variational Lie–Verlet scheme: `vlv`.
//!
//! Source: Bou-Rabee & Marsden 2009 (`bourabee2009`). Letters: Λ attitude (body → space), W body
//! rate, Π = J W, T body torque, c = h/2, `u = W½`.
//! - `J u = J W + c (J u × u − c (u·J u) u + T)`
//! - `Λ' = Λ cay(hu)`
//! - `J W' = J u + c (J u × u + c (u·J u) u + T')`, `T' = T(Λ', t + h)`
//!
//! The first line is solved by full Newton; the torque stands outside it. Symplectic, symmetric, exact
//! momentum. The Cayley map turns by `2 atan(h|u|/2)` where `h|u|` is wanted: the phase error is large.

use super::implicit::{Residual, gyroscopic_matrix, terms};
use super::prelude::*;

scheme! {
    /// Symplectic and symmetric; implicit in the mean rate, one torque evaluation.
    Vlv(Newton) {
        name: "vlv",
        title: "Bou-Rabee & Marsden: variational Lie–Verlet with the Cayley map",
        formula: "solve J u = J W + c (J u × u − c (u·J u) u + T), c = h/2; Λ' = Λ cay(hu)\n\
                  J W' = J u + c (J u × u + c (u·J u) u + T'), T' = T(Λ', t + h)",
        citations: &["bourabee2009"],
        assumptions: Some("any inertia tensor; symplectic where the torque has a potential"),
        claims: Claims { order: 2, reversible: true, symplectic: true,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Vlv {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let a = *pi + *torque * c;
        let size = pi.amax() + c.abs() * torque.amax();
        let root = self.newton.solve(
            j.solve(&(a + pi.cross(&y.omega) * c)),
            |u| {
                let ju = j.times(u);
                Residual {
                    value: a + ju.cross(u) * c - u * (c * c * u.dot(&ju)) - ju,
                    size,
                    with: ju,
                }
            },
            |u, ju| {
                gyroscopic_matrix(j.tensor(), u, ju, c)
                    + (Mat3::from_diagonal_element(u.dot(ju)) + u * ju.transpose() * 2.0) * (c * c)
            },
            terms(at, y),
        )?;
        let turn = so3::cayley(&(root.x * h));
        y.att *= turn;
        *torque = top.torque_body(t + h, &y.att);
        // J u + c (J u × u + c (u·J u) u), without the residual of Newton's method in J u, which would accumulate.
        *pi = turn.tr_mul(&a) + *torque * c;
        y.omega = j.solve(pi);
        Ok(Effort::new(1, root.iterations))
    }
}
