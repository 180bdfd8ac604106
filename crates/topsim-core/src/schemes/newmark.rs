//! Verlet's rule with implicit kicks of the rate: `lie_newmark`, `newmark_explicit`, `omelyan`, `liggghts`.
//!
//! Sources: Krysl & Endres 2005 (`krysl_endres2005`), Omelyan 1998 (`omelyan1998`; Yade), LIGGGHTS (`liggghts`). Letters: Λ attitude (body → space), W body rate,
//! α its rate, Π = J W, T body torque, c = h/2.
//! - `lie_newmark`: `J W½ = J W + c (J W½ × W½ + T)`; `Λ' = Λ exp(hW½)`;
//!   `J W' = J W½ + c (J W½ × W½ + T')`
//! - `omelyan`: the same rates with the midpoint rule of the quaternion, `q' = q + ½h ½(q + q') W½`, that is `Λ' = Λ cay(½hW½)²`. The
//!   paper has the leapfrog `J W₊ = J W₋ + h (T + ½ (J W₋ × W₋ + J W₊ × W₊))`: two of these half kicks, with W between them.
//! - `liggghts`: `J W½ = J W + c (J W̄ × W̄ + T)`, `W̄ = ½(W + W½)`; `Λ' = Λ cay(hW½)`; from W½ to W' so with T'
//! - `newmark_explicit`: `Λ' = Λ exp(hW + ½h² α)`; `J α' + W' × J W' = T'` with `W' = W + c (α + α')`
//!
//! All solve `J u = A + c J u × u`, `liggghts` with c/2, for a known A: the torque stands outside the equation. All are
//! symmetric; none conserves spatial momentum.

use super::implicit::Newton;
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
        between_kicks(&self.newton, at, y, m, so3::exp)
    }
}

/// Makes a step in which `turn` is made with the rate after an implicit half kick.
#[inline(always)]
fn between_kicks<T: Torque>(
    newton: &Newton,
    at: &Step<T>,
    y: &mut RotState,
    (BodyMomentum(pi), BodyTorque(torque)): &mut (BodyMomentum, BodyTorque),
    turn: impl Fn(&Vec3) -> Mat3,
) -> StepResult {
    let Step { top, t, h, .. } = *at;
    let c = 0.5 * h;
    let j = top.inertia();
    let a = *pi + *torque * c;
    let size = pi.amax() + c.abs() * torque.amax();
    let guess = j.solve(&(a + pi.cross(&y.omega) * c));
    let load = |_: &Vec3| (a, size, ());
    let root = newton.gyroscopic(at, y, guess, load)?;
    let (w, (jw, ())) = (root.x, root.with);
    y.att *= turn(&(w * h));
    *torque = top.torque_body(t + h, &y.att);
    *pi = jw + (jw.cross(&w) + *torque) * c;
    y.omega = j.solve(pi);
    Ok(Effort::new(1, root.iterations))
}

scheme! {
    /// The rates of `lie_newmark`, the midpoint rule of the quaternion.
    Omelyan(Newton) {
        name: "omelyan",
        title: "Omelyan: leapfrog of the rate, midpoint rule of the quaternion (Yade)",
        formula: "solve J W½ = J W + c (J W½ × W½ + T), c = h/2; q' = q + ½h ½(q + q') W½\n\
                  J W' = J W½ + c (J W½ × W½ + T'), T' = T(Λ', t + h)",
        citations: &["omelyan1998"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Omelyan {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        between_kicks(&self.newton, at, y, m, |turn| {
            let half = so3::cayley(&(turn * 0.5));
            half * half
        })
    }
}

scheme! {
    /// The implicit midpoint rule of the rate for each half step, the torque held.
    Liggghts(Newton) {
        name: "liggghts",
        title: "LIGGGHTS: half steps of the midpoint rule of the rate, Cayley map (superquadrics, scheme 2)",
        formula: "solve J W½ = J W + c (J W̄ × W̄ + T), W̄ = ½(W + W½), c = h/2; q' = q (1 + c W½), normalised\n\
                  solve J W' = J W½ + c (J W̄ × W̄ + T'), W̄ = ½(W½ + W'), T' = T(Λ', t + h)",
        citations: &["liggghts"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Exact, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Liggghts {
    type Memory = (BodyMomentum, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let half = Step::new(top, t, c);
        // Returns the momentum after half a step and the number of iterations.
        let moved = |y: &RotState, pi: &Vec3, torque: &Vec3| {
            let a = pi + torque * (0.5 * c);
            let size = pi.amax() + c.abs() * torque.amax();
            let guess = y.omega + j.solve(&(pi.cross(&y.omega) + torque)) * (0.5 * c);
            let root = self
                .newton
                .gyroscopic(&half, y, guess, |_: &Vec3| (a, size, ()))?;
            let (mean, (momentum, ())) = (root.x, root.with);
            Ok((pi + (momentum.cross(&mean) + torque) * c, root.iterations))
        };
        let (mid, first) = moved(y, pi, torque)?;
        let omega = j.solve(&mid);
        let att = y.att * so3::cayley(&(omega * h));
        let turned = RotState { att, omega };
        let after = top.torque_body(t + h, &att);
        let (end, second) = moved(&turned, &mid, &after)?;
        (*pi, *torque) = (end, after);
        *y = RotState {
            att,
            omega: j.solve(pi),
        };
        Ok(Effort::new(1, first + second))
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

/// α that was computed last, at the start that of the state, rad/s².
#[derive(Debug, Clone, Copy)]
pub struct Alpha(pub(super) Vec3);

impl Memory for Alpha {
    fn start(&Step { top, t, .. }: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        let torque = top.torque_on(t, y);
        Ok(Self(top.acceleration(&y.omega, &torque)))
    }
}

impl RotationScheme for NewmarkExplicit {
    type Memory = Alpha;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Alpha(alpha) = m;
        let Step { top, t, h, .. } = *at;
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
