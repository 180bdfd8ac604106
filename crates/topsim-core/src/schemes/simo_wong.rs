//! Simo & Wong's algorithm C1: `simo_wong_c1`.
//!
//! Source: `simo_wong1991`. Letters: Λ attitude (body → space), W body rate, Π = J W, T body torque,
//! c = h/2. With `Ψ = c (W + W')` and the midpoint torque `T½ = T(Λ exp(½Ψ), t + c)`:
//! - `Λ' = Λ exp(Ψ)`
//! - `Π' = exp(−Ψ̂) Π + h exp(−½Ψ̂) T½`
//!
//! solved for W' by Newton with the derivative of the free part. For a free body energy and spatial
//! momentum are exact: `Π' + Π` and `Π' − Π` are normal to each other in the metric of J⁻¹, because
//! both momenta have the same component along Ψ.

use super::implicit::{Residual, terms, turned_matrix};
use super::prelude::*;
use super::turn::Turn;

scheme! {
    /// Implicit; exact energy and momentum of a free body. The torque is evaluated in each iteration.
    SimoWongC1(Newton) {
        name: "simo_wong_c1",
        title: "Simo & Wong C1: implicit, exact free-body energy and momentum",
        formula: "solve for W': Ψ = c(W + W'), c = h/2; Λ' = Λ exp(Ψ); T½ = T(Λ exp(Ψ/2), t + c)\n\
                  J W' = exp(−Ψ) J W + h exp(−Ψ/2) T½",
        citations: &["simo_wong1991"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::EachIteration(1) },
    }
}

impl RotationScheme for SimoWongC1 {
    type Memory = BodyMomentum;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(pi) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let root = self.newton.solve(
            y.omega + j.solve(&pi.cross(&y.omega)) * h,
            |w| {
                let psi = (y.omega + w) * c;
                let half = Turn::new(psi * 0.5);
                let torque = top.torque_body(t + c, &(y.att * half.matrix()));
                let whole = Turn::new(psi);
                let back = whole.back(pi);
                let moved = back + half.back(&torque) * h;
                Residual {
                    value: moved - j.times(w),
                    size: pi.amax() + h.abs() * torque.amax(),
                    with: (whole, back, moved),
                }
            },
            |_, (whole, back, _)| turned_matrix(j.tensor(), back, c, whole),
            terms(at, y),
        )?;
        let (turn, _, moved) = root.with;
        y.att *= turn.matrix();
        *pi = moved;
        y.omega = j.solve(pi);
        Ok(Effort::new(root.iterations + 1, root.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::testbed::drift_f;

    #[test]
    fn free_energy_and_momentum_stay_at_round_off() {
        let (energy, momentum) = drift_f(&SimoWongC1::default(), 0.2, 2000);
        assert!(energy.abs() < 5e-13, "{energy}");
        assert!(momentum < 5e-13, "{momentum}");
    }
}
