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

use super::implicit::Newton;
use super::scheme::{
    Claims, Described, Effort, Energy, Evaluations, Momentum, RotationScheme, SchemeInfo, StepFail,
};
use crate::math::{Vec3, so3};
use crate::models::{RigidTop, RotState, Torque};
use serde::Deserialize;

const fn info(
    name: &'static str,
    title: &'static str,
    formula: &'static str,
    energy: Energy,
) -> SchemeInfo {
    SchemeInfo {
        name,
        title,
        formula,
        citations: &["krysl_endres2005"],
        literature: &[],
        assumptions: "any inertia tensor, any torque",
        claims: Claims {
            order: 2,
            reversible: true,
            symplectic: false,
            energy,
            momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1),
        },
    }
}

/// Turns with an implicit mean rate; for a free body the momentum follows the implicit midpoint
/// rule, so that its energy is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LieNewmark {
    /// When the iteration stops.
    pub newton: Newton,
}

impl Described for LieNewmark {
    const INFO: SchemeInfo = info(
        "lie_newmark",
        "Lie–Newmark: midpoint rate, exact free-body energy",
        "solve J W½ = J W + c (J W½ × W½ + T), c = h/2; Λ' = Λ exp(hW½)\n\
         J W' = J W½ + c (J W½ × W½ + T'), T' = T(Λ', t + h)",
        Energy::Exact,
    );
}

impl RotationScheme for LieNewmark {
    /// T, the body torque at the end of the step before.
    type Memory = Vec3;

    fn start<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        _: f64,
        y: &mut RotState,
    ) -> Result<Vec3, StepFail> {
        Ok(top.torque_body(t, &y.att))
    }

    #[inline]
    fn step<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        torque: &mut Vec3,
    ) -> Result<Effort, StepFail> {
        let c = 0.5 * h;
        let j = top.inertia();
        let pi = j.times(&y.omega);
        let a = pi + *torque * c;
        let size = pi.amax() + c.abs() * torque.amax();
        let guess = j.solve(&(a + pi.cross(&y.omega) * c));
        let root = self
            .newton
            .gyroscopic(j.tensor(), c, guess, |_| (a, size, ()))?;
        let w = root.x;
        let jw = j.times(&w);
        y.att *= so3::exp(&(w * h));
        *torque = top.torque_body(t + h, &y.att);
        y.omega = j.solve(&(jw + (jw.cross(&w) + *torque) * c));
        Ok(Effort {
            torque: 1,
            iterations: root.iterations,
        })
    }
}

/// Turns with the rate and its rate at the start; implicit in the rate at the end only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct NewmarkExplicit {
    /// When the iteration stops.
    pub newton: Newton,
}

impl Described for NewmarkExplicit {
    const INFO: SchemeInfo = info(
        "newmark_explicit",
        "Krysl & Endres: Newmark/Verlet with an explicit attitude",
        "Λ' = Λ exp(hW + ½h²α); T' = T(Λ', t + h)\n\
         solve J α' + W' × J W' = T' with W' = W + c (α + α'), c = h/2",
        Energy::Bounded,
    );
}

/// `α = J⁻¹ (J W × W + T)`.
#[inline(always)]
fn acceleration<T: Torque>(top: &RigidTop<T>, omega: &Vec3, torque: &Vec3) -> Vec3 {
    let j = top.inertia();
    j.solve(&(j.times(omega).cross(omega) + torque))
}

impl RotationScheme for NewmarkExplicit {
    /// α at the end of the step before, rad/s².
    type Memory = Vec3;

    fn start<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        _: f64,
        y: &mut RotState,
    ) -> Result<Vec3, StepFail> {
        Ok(acceleration(top, &y.omega, &top.torque_body(t, &y.att)))
    }

    #[inline]
    fn step<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        alpha: &mut Vec3,
    ) -> Result<Effort, StepFail> {
        let c = 0.5 * h;
        let j = top.inertia();
        let mid = y.omega + *alpha * c;
        let att = y.att * so3::exp(&(mid * h));
        let torque = top.torque_body(t + h, &att);
        let begun = j.times(&mid);
        let a = begun + torque * c;
        let size = begun.amax() + c.abs() * torque.amax();
        let root = self
            .newton
            .gyroscopic(j.tensor(), c, mid + *alpha * c, |_| (a, size, ()))?;
        y.att = att;
        y.omega = root.x;
        *alpha = acceleration(top, &y.omega, &torque);
        Ok(Effort {
            torque: 1,
            iterations: root.iterations,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::testbed::judge_claims;

    #[test]
    fn claims_hold_where_made_and_fail_where_not() {
        judge_claims(&LieNewmark::default(), 400, Some((1.559e-2, 7.327e-3)));
        judge_claims(&NewmarkExplicit::default(), 400, Some((1.198e-2, 6.507e-3)));
    }
}
