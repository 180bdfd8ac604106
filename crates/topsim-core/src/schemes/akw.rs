//! Austin, Krishnaprasad & Wang's almost-Poisson midpoint scheme: `akw`.
//!
//! Source: `austin1993`. Letters: Λ attitude (body → space), W body rate, Π = J W, T body torque,
//! c = h/2, `Π̄ = ½(Π + Π')`, `u = J⁻¹ Π̄`.
//! - `Π' = Π + h Π̄ × u + c (T + T')`, `T' = T(Λ', t + h)`
//! - `Λ' = Λ cay(hu)`
//!
//! solved for u, `J u = Π + ½c (T + T') + c J u × u`, by Newton with the derivative of the free
//! part. Energy and spatial momentum of a free body are exact. Under uniform gravity the total energy
//! and the vertical momentum are exact too: V is linear in Λ, `Λ' − Λ = ½(Λ + Λ') h û`, and the work
//! `hu·½(T + T')` is the work of gravity at `½(Λ + Λ')`.

use super::prelude::*;

scheme! {
    /// Implicit; exact total energy under uniform gravity. The torque is evaluated in each iteration.
    Akw(Newton) {
        name: "akw",
        title: "Austin, Krishnaprasad & Wang: midpoint momentum with Cayley map, exact energy",
        formula: "solve for u: J u = Π + ½c(T + T') + c J u × u, c = h/2\n\
                  Λ' = Λ cay(hu); T' = T(Λ', t + h); Π' = 2 J u − Π",
        citations: &["austin1993"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::EachIteration(1) },
    }
}

impl RotationScheme for Akw {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let begun = *pi + *torque * (0.5 * c);
        let guess = y.omega + j.solve(&(pi.cross(&y.omega) + *torque)) * c;
        let load = |u: &Vec3| {
            let att = y.att * so3::cayley(&(u * h));
            let torque = top.torque_body(t + h, &att);
            let size = begun.amax() + c.abs() * torque.amax();
            (begun + torque * (0.5 * c), size, (att, torque))
        };
        let root = self.newton.gyroscopic(at, y, guess, load)?;
        let u = root.x * c;
        let (_, (att, after)) = root.with;
        let impulse = (*torque + after) * c;
        (y.att, *torque) = (att, after);
        // 2 J u − Π, without the residual of Newton's method in J u, which would accumulate: (I + [cu]×) Π' = Π − cu × Π + …
        let v = *pi - u.cross(pi) + impulse;
        *pi = (v - u.cross(&v) + u * u.dot(&v)) / (1.0 + u.norm_squared());
        y.omega = j.solve(pi);
        Ok(Effort::new(root.iterations + 1, root.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::testbed::{advance, body_a};

    #[test]
    fn total_energy_is_exact_under_gravity() {
        let top = body_a();
        let mut y = top.initial();
        advance(&Akw::default(), &top, 0.0, 0.05, 2000, &mut y);
        let change = top.energy(&y) - top.energy(&top.initial());
        assert!(change.abs() < 1e-12, "{change}");
    }
}
