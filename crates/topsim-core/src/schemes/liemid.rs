//! The midpoint rule in the Lie algebra: `liemid_ea`, `liemid_imp`.
//!
//! Source: Krysl 2005 (`krysl2005`). Letters: Λ attitude (body → space), W body rate, Π = J W,
//! T body torque, c = h/2, w = Ψ/h the mean rate of the step, E = exp(cw).
//! - free midpoint step: `Ψ = h J⁻¹ exp(−½Ψ̂) Π`, `Λ' = Λ exp(Ψ)`, `Π' = exp(−Ψ̂) Π`: solve
//!   `E J w = Π`; then `Λ' = Λ E E`, `Π' = Eᵀ J w`
//! - `liemid_ea`: kick c · free step of h/2 · free step of h/2 · kick c, with `Π += c T` a kick
//! - `liemid_imp`: `Ψ = h J⁻¹ (exp(−½Ψ̂) Π + c T½)`, `T½ = T(Λ exp(½Ψ), t + c)`,
//!   `Π' = exp(−Ψ̂) Π + h exp(−½Ψ̂) T½`: solve `J w = EᵀΠ + c T½`; then `Π' = Eᵀ (J w + c T½)`
//!
//! Both are symmetric and conserve spatial momentum.

use super::implicit::{Newton, Residual, terms, turned_matrix};
use super::prelude::*;
use super::turn::Turn;

/// Returns the mean rate of a free midpoint step of `2c` from the momentum Π, guessed from Euler's equations.
#[inline(always)]
pub(crate) fn mean_rate_guess(j: &Inertia, w: &Vec3, pi: &Vec3, c: f64) -> Vec3 {
    w + j.solve(&pi.cross(w)) * c
}

/// Makes a free midpoint step of `2c`; returns attitude and momentum after it, and the number of iterations.
#[inline(always)]
fn free_step(
    newton: &Newton,
    j: &Inertia,
    c: f64,
    att: &Mat3,
    pi: &Vec3,
) -> Result<(Mat3, Vec3, u32), StepFail> {
    let guess = mean_rate_guess(j, &j.solve(pi), pi, c);
    let (w, iterations) = newton.turned(j.tensor(), pi, c, guess)?;
    let turn = Turn::new(w * c);
    let e = turn.matrix();
    // The momentum is not computed from J w, because the residuals of Newton's method would accumulate.
    Ok((att * e * e, turn.back(&turn.back(pi)), iterations))
}

scheme! {
    /// Kicks with the end torques around two free midpoint steps; one torque evaluation.
    LieMidEa(Newton) {
        name: "liemid_ea",
        title: "Krysl: two half-steps of the midpoint Lie algorithm between kicks",
        formula: "Π += cT, c = h/2; twice: Ψ = c J⁻¹ exp(−Ψ/2) Π, Λ ← Λ exp(Ψ), Π ← exp(−Ψ) Π; Π' = Π + cT'",
        citations: &["krysl2005"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for LieMidEa {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let (c, q) = (0.5 * h, 0.25 * h);
        let j = top.inertia();
        let kicked = *pi + *torque * c;
        let (att, middle, first) = free_step(&self.newton, j, q, &y.att, &kicked)?;
        let (att, turned, second) = free_step(&self.newton, j, q, &att, &middle)?;
        *torque = top.torque_body(t + h, &att);
        y.att = att;
        *pi = turned + *torque * c;
        y.omega = j.solve(pi);
        Ok(Effort::new(1, first.max(second)))
    }
}

scheme! {
    /// The torque acts at the implicit midpoint; it is evaluated in each iteration.
    LieMidImp(Newton) {
        name: "liemid_imp",
        title: "Krysl: implicit midpoint Lie algorithm, torque at the midpoint",
        formula: "solve Ψ = h J⁻¹ (exp(−Ψ/2) Π + cT½), T½ = T(Λ exp(Ψ/2), t + c), c = h/2\n\
                  Λ' = Λ exp(Ψ); Π' = exp(−Ψ) Π + h exp(−Ψ/2) T½",
        citations: &["krysl2005"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::EachIteration(1) },
    }
}

impl RotationScheme for LieMidImp {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(pi) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let root = self.newton.solve(
            mean_rate_guess(j, &y.omega, pi, c),
            |w| {
                let turn = Turn::new(w * c);
                let att = y.att * turn.matrix();
                let jw = j.times(w);
                let torque = top.torque_moving(t + c, &att, w, &jw);
                let back = turn.back(pi);
                Residual {
                    value: back + torque * c - jw,
                    size: pi.amax() + c.abs() * torque.amax(),
                    with: (turn, back, torque, att),
                }
            },
            |_, (turn, back, ..)| turned_matrix(j.tensor(), back, c, turn),
            terms(at, y),
        )?;
        let (turn, back, torque, att) = root.with;
        y.att = att * turn.matrix();
        *pi = turn.back(&(back + torque * h));
        y.omega = j.solve(pi);
        Ok(Effort::new(root.iterations + 1, root.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::testbed::{advance, body_f};

    /// The iterations reported are those of the harder of the two solutions.
    #[test]
    fn iterations_are_the_most_of_both_halves() {
        let top = body_f();
        let (j, newton) = (top.inertia(), Newton::default());
        let mut differ = 0;
        for k in 1..200 {
            let h = 0.005 * f64::from(k);
            let mut y = top.initial();
            let pi = j.times(&y.omega);
            let (att, pi, first) = free_step(&newton, j, 0.25 * h, &y.att, &pi).unwrap();
            let (.., second) = free_step(&newton, j, 0.25 * h, &att, &pi).unwrap();
            let effort = advance(&LieMidEa::default(), &top, 0.0, h, 1, &mut y);
            assert_eq!(effort.iterations, first.max(second));
            differ += u32::from(first != second);
        }
        assert!(differ > 0);
    }
}
