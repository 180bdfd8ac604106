//! `midpoint_euler`: the implicit midpoint rule of Euler's equations, and a turn with the mean rate.
//!
//! Letters: Λ attitude (body → space), W body rate, `W̄ = ½ (W + W')`, Π = J W, T̄ body torque in the middle, c = h/2.
//! - `J (W' − W) = h J W̄ × W̄ + h T̄`, `T̄ = T(Λ exp(cW̄), t + c)`
//! - `Λ' = Λ exp(hW̄)`
//!
//! Solved as `J W̄ = Π + c (J W̄ × W̄ + T̄)`, then `Π' = 2 J W̄ − Π`. The rule keeps quadratic invariants (`cooper1987`): energy and
//! |Π| of a free body are exact. The direction of the spatial momentum is not: it drifts like h². Of a free body the step is that
//! of `lie_newmark`. Any inertia and torque.

use super::prelude::*;

scheme! {
    /// Implicit midpoint rule in the body, with the torque in the middle.
    MidpointEuler(Newton) {
        name: "midpoint_euler",
        title: "Implicit midpoint rule of Euler's equations: exact free-body energy and |L|",
        formula: "solve J W̄ = J W + c (J W̄ × W̄ + T̄), c = h/2, T̄ = T(Λ exp(cW̄), t + c)\n\
                  J W' = 2 J W̄ − J W; Λ' = Λ exp(hW̄)",
        citations: &["cooper1987"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::EachIteration(1) },
    }
}

impl RotationScheme for MidpointEuler {
    type Memory = BodyMomentum;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(pi) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let guess = j.solve(&(*pi + pi.cross(&y.omega) * c));
        let load = |w: &Vec3| {
            let torque = top.torque_body(t + c, &(y.att * so3::exp(&(w * c))));
            let size = pi.amax() + c.abs() * torque.amax();
            (*pi + torque * c, size, torque)
        };
        let root = self.newton.gyroscopic(at, y, guess, load)?;
        let (w, (jw, torque)) = (root.x, root.with);
        // Π' − Π, not 2 J W̄ − Π: the residual of the iteration does not enter twice.
        *pi += (jw.cross(&w) + torque) * h;
        y.att *= so3::exp(&(w * h));
        y.omega = j.solve(pi);
        Ok(Effort::new(root.iterations + 1, root.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::LieNewmark;
    use crate::schemes::testbed::{body_f, drift_f, run};

    #[test]
    fn of_a_free_body_only_the_direction_of_the_momentum_drifts() {
        let top = body_f();
        let y = run(&MidpointEuler::default(), &top, 10.0, 100);
        let length = |omega| top.inertia().times(omega).norm();
        assert!((length(&y.omega) - length(&top.initial().omega)).abs() < 1e-13);
        let [coarse, fine] =
            [0.1, 0.05].map(|h| drift_f(&MidpointEuler::default(), h, (10.0 / h) as u32).1);
        assert!((coarse / fine - 4.0).abs() < 0.1, "{coarse} {fine}");
        let newmark = run(&LieNewmark::default(), &top, 10.0, 100);
        assert!((newmark.att - y.att).norm() < 1e-12);
    }
}
