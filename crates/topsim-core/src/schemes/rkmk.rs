//! Classical Runge–Kutta of order 4 in the Lie algebra: `rkmk4`, `rkmk4_coadjoint`.
//!
//! Source: Munthe-Kaas 1999 (`munthekaas1999`). Letters: Λ attitude (body → space), W body rate,
//! Π = J W, T body torque. The unknowns of a step are u, with attitude `Λ exp(u)`, and
//! - `rkmk4`: Π itself: `u̇ = dexp⁻¹_{−u} W`, `Π̇ = Π × W + T`
//! - `rkmk4_coadjoint`: m, with `Π = exp(−û)(Π_n + m)`: `ṁ = exp(û) T`, so that the spatial momentum
//!   `Λ_n (Π_n + m)` only changes by the torque, exactly
//!
//! both from u = 0, m = 0 by the classical tableau. `dexp⁻¹_{−u} W = W + ½ u×W + e u×(u×W)`.

use super::prelude::*;

/// Returns `dexp⁻¹_{−u} w = w + ½ u×w + e u×(u×w)`.
#[inline(always)]
pub(super) fn dexp_inv(angles: AngleRange, u: &Vec3, w: &Vec3) -> Vec3 {
    let uw = u.cross(w);
    w + uw * 0.5 + u.cross(&uw) * angles.tangent_inverse_coefficient(u.norm_squared())
}

/// Makes a step of the classical method of order 4 from (0, v) with derivatives `f(s, u, v)`, s the time within the
/// step.
#[inline(always)]
fn rk4(h: f64, v: Vec3, f: impl Fn(f64, &Vec3, &Vec3) -> (Vec3, Vec3)) -> (Vec3, Vec3) {
    let c = 0.5 * h;
    let (a1, b1) = f(0.0, &Vec3::zeros(), &v);
    let (a2, b2) = f(c, &(a1 * c), &(v + b1 * c));
    let (a3, b3) = f(c, &(a2 * c), &(v + b2 * c));
    let (a4, b4) = f(h, &(a3 * h), &(v + b3 * h));
    let s = h / 6.0;
    (
        (a1 + (a2 + a3) * 2.0 + a4) * s,
        v + (b1 + (b2 + b3) * 2.0 + b4) * s,
    )
}

scheme! {
    /// Order 4; body momentum by the classical method.
    Rkmk4 {
        name: "rkmk4",
        title: "Runge–Kutta–Munthe-Kaas, order 4",
        formula: "RK4 for u' = dexp⁻¹(−u) W, Π' = Π × W + T(Λ exp(u)) from u = 0; then Λ' = Λ exp(u)",
        citations: &["munthekaas1999"],
        claims: Claims { order: 4, reversible: false, symplectic: false,
            energy: Energy::Loses(5), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(4) },
    }
}

impl RotationScheme for Rkmk4 {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;
    in_lanes!();

    #[inline(always)]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(momentum) = m;
        let Step { top, t, h, .. } = *at;
        let j = top.inertia();
        let (u, pi) = rk4(
            h,
            *momentum,
            #[inline(always)]
            |s, u, pi| {
                let w = j.solve(pi);
                let torque = top.torque_moving(t + s, &(y.att * at.angles.exp(u)), &w, pi);
                (dexp_inv(at.angles, u, &w), pi.cross(&w) + torque)
            },
        );
        y.att *= at.angles.exp(&u);
        *momentum = pi;
        y.omega = j.solve(momentum);
        Ok(Effort::new(4, 0))
    }
}

scheme! {
    /// Order 4; momentum carried along by the coadjoint action, exact in space.
    Rkmk4Coadjoint {
        name: "rkmk4_coadjoint",
        title: "Runge–Kutta–Munthe-Kaas, order 4, conserves spatial momentum",
        formula: "RK4 for u' = dexp⁻¹(−u) W, m' = exp(u) T(Λ exp(u)), where J W = exp(−u)(Π + m), from u = m = 0\n\
                  Λ' = Λ exp(u); Π' = exp(−u)(Π + m)",
        citations: &["munthekaas1999"],
        claims: Claims { order: 4, reversible: false, symplectic: false,
            energy: Energy::Loses(5), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(4) },
    }
}

impl RotationScheme for Rkmk4Coadjoint {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;
    in_lanes!();

    #[inline(always)]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(momentum) = m;
        let Step { top, t, h, .. } = *at;
        let j = top.inertia();
        // `moved` is Π + m.
        let (u, moved) = rk4(
            h,
            *momentum,
            #[inline(always)]
            |s, u, moved| {
                let d = at.angles.exp(u);
                let momentum = d.tr_mul(moved);
                let w = j.solve(&momentum);
                let torque = top.torque_moving(t + s, &(y.att * d), &w, &momentum);
                (dexp_inv(at.angles, u, &w), d * torque)
            },
        );
        let d = at.angles.exp(&u);
        y.att *= d;
        *momentum = d.tr_mul(&moved);
        y.omega = j.solve(momentum);
        Ok(Effort::new(4, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dexp_inv_undoes_the_tangent_map() {
        for scale in [1e-3, 0.3, 0.49, 0.51, 2.0] {
            let u = Vec3::new(0.3, -0.5, 0.8).normalize() * scale;
            let w = Vec3::new(1.0, 2.0, -3.0);
            assert!(
                (dexp_inv(AngleRange::Any, &u, &(so3::right_tangent(&u) * w)) - w).norm() < 4e-15
            );
        }
    }
}
