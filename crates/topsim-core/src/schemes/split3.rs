//! `split3`: the free body as exact rotations about its three principal axes, with kicks.
//!
//! Sources: Reich 1994 (`reich1994`), Touma & Wisdom 1994 (`touma1994`), Dullweber, Leimkuhler &
//! McLachlan 1997 (`dullweber1997`); NO_SQUISH (Miller et al. 2002, `miller2002`) is its quaternion
//! form. Letters: Λ attitude, Π body momentum, T body torque, J_k principal moments. Kick, then
//! the flows of `Π_k²/(2 J_k)`: a turn by `h Π_k/J_k` about axis k, in the order 3 (h/2), 2 (h/2),
//! 1 (h), 2 (h/2), 3 (h/2), then kick. Any inertia and torque.

use super::kicks::{FreeTurn, KickScheme, turn_back};
use super::prelude::*;
use crate::math::quaternion::times_axis;

scheme! {
    /// Three-rotation splitting.
    Split3 {
        name: "split3",
        title: "Rotations about the three principal axes (NO_SQUISH): symplectic, explicit",
        formula: "Π += (h/2) T; turns by τ Πk/Jk about axes 3, 2, 1, 2, 3 over τ = h/2, h/2, h, h/2, h/2\n\
                  each: Λ := Λ E, Π := EᵀΠ; then Π += (h/2) T'",
        citations: &["dullweber1997", "reich1994", "touma1994", "miller2002"],
        claims: Claims { order: 2, reversible: true, symplectic: true,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

/// Turns the momentum back about axis k by its component there times `factor`; returns cosine and sine of half the angle.
#[inline(always)]
fn turn_about(angles: AngleRange, (pi, k): (&mut Vec3, usize), factor: f64) -> (f64, f64) {
    let angle = pi[k] * factor;
    turn_back(angles, pi, k, angle);
    angles.half_angle(angle)
}

impl KickScheme for Split3 {
    /// Reciprocal principal moments.
    type Constants = Vec3;
    in_lanes!();

    fn constants(moments: &Vec3) -> Vec3 {
        moments.map(|i| 1.0 / i)
    }

    #[inline(always)]
    fn turn(
        &self,
        inverse: &Vec3,
        angles: AngleRange,
        tau: f64,
        pi: &Vec3,
    ) -> Result<FreeTurn, StepFail> {
        let (mut pi, c) = (*pi, 0.5 * tau);
        let mut at = |k: usize, time: f64| turn_about(angles, (&mut pi, k), time * inverse[k]);
        let (cos, sin) = at(2, c);
        let mut quat = [cos, 0.0, 0.0, sin];
        quat = times_axis(&quat, 1, at(1, c));
        quat = times_axis(&quat, 0, at(0, tau));
        quat = times_axis(&quat, 1, at(1, c));
        quat = times_axis(&quat, 2, at(2, c));
        Ok(FreeTurn {
            quat,
            pi,
            rest: Vec3::zeros(),
            iterations: 0,
        })
    }
}
