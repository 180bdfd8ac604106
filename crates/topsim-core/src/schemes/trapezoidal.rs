//! The trapezoidal rule for rotations: `trapezoidal`.
//!
//! Source: Krysl 2005 (`krysl2005`). Letters: Λ attitude (body → space), W body rate, Π = J W,
//! T body torque, c = h/2.
//! - `Λ' = Λ exp(cW) exp(cW')`
//! - `Π' = Π + c (Π×W + T + Π'×W' + T')`, `T' = T(Λ', t + h)`
//!
//! solved for W' by Newton with the derivative of the free part. Symmetric; neither energy nor
//! momentum is exact.

use super::implicit::{Newton, Turn};
use super::scheme::{
    Claims, Described, Effort, Energy, Evaluations, Momentum, RotationScheme, SchemeInfo, StepFail,
};
use crate::math::{Vec3, so3};
use crate::models::{RigidTop, RotState, Torque};
use serde::Deserialize;

/// Implicit; the torque is evaluated in each iteration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Trapezoidal {
    /// When the iteration stops.
    pub newton: Newton,
}

impl Described for Trapezoidal {
    const INFO: SchemeInfo = SchemeInfo {
        name: "trapezoidal",
        title: "Trapezoidal rule on the momentum, half turns with both end rates",
        formula: "solve for W': Λ' = Λ exp(cW) exp(cW'), c = h/2\n\
                  J W' = J W + c (J W × W + T + J W' × W' + T'), T' = T(Λ', t + h)",
        citations: &["krysl2005"],
        literature: &[],
        assumptions: "any inertia tensor, any torque",
        claims: Claims {
            order: 2,
            reversible: true,
            symplectic: false,
            energy: Energy::Bounded,
            momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::EachIteration,
        },
    };
}

impl RotationScheme for Trapezoidal {
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
        let rate = pi.cross(&y.omega) + *torque;
        let begun = pi + rate * c;
        let att_half = y.att * so3::exp(&(y.omega * c));
        let root = self
            .newton
            .gyroscopic(j.tensor(), c, y.omega + j.solve(&rate) * h, |w| {
                let att = att_half * Turn::new(w * c).matrix();
                let torque = top.torque_body(t + h, &att);
                let size = begun.amax() + c.abs() * torque.amax();
                (begun + torque * c, size, (att, torque))
            })?;
        y.omega = root.x;
        (y.att, *torque) = root.with;
        Ok(Effort {
            torque: root.iterations + 1,
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
        judge_claims(&Trapezoidal::default(), 400, Some((3.893e-3, 6.507e-3)));
    }
}
