//! Explicit rules of particle codes: `spiral`, `spiral_leapfrog`, `richardson`, `fincham`, `espresso`, `pcdm`, `pcdm_leapfrog`, `mercurydpm`.
//!
//! Letters: Λ attitude (body → space), q its quaternion, W body rate, Π = J W, T body torque, c = h/2, α = J⁻¹ (T − W × J W).
//! - SPIRAL (`delvalle2024`; Yade, JaxDEM): `W' = S_h(W)`, the strong-stability rule of order 3 for `Ẇ = α(W)` with the torque held in
//!   the body. Step by step `Λ' = Λ exp(hW) exp(½h²α)`; leapfrog `Λ' = Λ exp(h W½)`, here between two half kicks S_c, the second with
//!   the new torque, which is the form that starts and ends at whole steps.
//! - `richardson` (LAMMPS, `lammps`): L = Λ (Π + c T) in space held, `W(q) = J⁻¹ Λ(q)ᵀ L`, a step of Euler q₁ and two half steps q₂ for
//!   `q̇ = ½ q W(q)`, each normalised, `q' = 2 q₂ − q₁`, normalised; `Π' = Λ'ᵀ L + c T'`
//! - `fincham` (`fincham1992`): the same with the midpoint rule, whose first half has the rate of the start of the step,
//!   `q½ = q + c ½ q W`, `q' = q + h ½ q½ W(q½)`
//! - `espresso` (Sonnenschein 1985, `sonnenschein1985`; λ of Omelyan 1998, `omelyan1998b`): `q̇ = ½ q W`, `q̈ = ½ q α − |q̇|² q`,
//!   `q' = (1 − λ) q + h q̇ + ½h² q̈` with the λ for which |q'| = 1; `W½ = W + c α`, and W' from `W = W½ + c J⁻¹ (T' − W × J W)` by six
//!   iterations without this product at first, as its source has it
//! - `pcdm` (Zhao & van Wachem 2013, `zhao2013`): the explicit midpoint rule of the rate, a prediction of the attitude of the half step by
//!   the rate of a quarter, and a turn with the rate of the half step in space, all by exponentials
//!
//! - `pcdm_leapfrog` (Seelen, Padding & Kuipers 2016, `seelen2016`; the step is that of m-AIA, `maia`): the same with one torque a step.
//!   The prediction has α of half a step before, where the torque before acted. Λ and W are those that the code stores, half a step beside its torques
//! - `mercurydpm` (MercuryDPM's clumps, `mercurydpm`): two half steps of the implicit Euler rule of the rate, by three iterations, and a
//!   turn with the rate between them; its source calls them those of PFC 4, which makes four iterations
//!
//! The papers have SPIRAL of order 3. `exp(hW) exp(½h²α)` is exp of `hW + ½h²α + ¼h³ W × α`; the motion has
//! `hW + ½h²α + h³ (α̇/6 + W × α/12)`, so that the turn of a free body is of order 2, and of order 3 with another factor,
//! `exp(h³ (α̇ − W × α)/6)`. The leapfrog lacks `h³ (α̇/24 + W × α/12)`. With the torque of the start for the whole step, W is of order 1.

use super::newmark::Alpha;
use super::prelude::*;
use super::quat_rk4::{AttitudeQuat, derivative};
use crate::math::quaternion::plus;
use crate::models::RigidTop;

scheme! {
    /// SPIRAL between whole steps.
    Spiral {
        name: "spiral",
        title: "SPIRAL (del Valle et al.): two exponentials, torque of the start",
        formula: "Λ' = Λ exp(hW) exp(½h²α(W)), α(W) = J⁻¹(T − W × J W)\n\
                  W' = W + (k1 + k2 + 4k3)/6, k1 = hα(W), k2 = hα(W + k1), k3 = hα(W + ¼(k1 + k2))",
        citations: &["delvalle2024"],
        literature: &[Statement { by: "delvalle2024", says: StatementKind::FreeOrder(3) }],
        claims: Claims { order: 1, reversible: false, symplectic: false,
            energy: Energy::Loses(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// SPIRAL as a leapfrog.
    SpiralLeapfrog {
        name: "spiral_leapfrog",
        title: "SPIRAL (del Valle et al.), leapfrog: exponential of the rate of the half step",
        formula: "W½ = S(W, T), Λ' = Λ exp(hW½), W' = S(W½, T')\n\
                  S(W, T) = W + (k1 + k2 + 4k3)/6, k1 = (h/2)α(W), k2 = (h/2)α(W + k1), k3 = (h/2)α(W + ¼(k1 + k2)), α(W) = J⁻¹(T − W × J W)",
        citations: &["delvalle2024"],
        literature: &[Statement { by: "delvalle2024", says: StatementKind::FreeOrder(3) }],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Loses(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// Richardson's extrapolation of Euler's method for the quaternion, the momentum in space held.
    Richardson {
        name: "richardson",
        title: "Richardson's extrapolation of the quaternion (LAMMPS fix rigid, nve/asphere)",
        formula: "L = Λ(Π + (h/2)T), W(q) = J⁻¹Λ(q)ᵀL, |q| = 1 after each; q1 = q + ½h q W(q)\n\
                  q2 = q + ¼h q W(q), q2 += ¼h q2 W(q2); q' = 2q2 − q1; Π' = Λ'ᵀL + (h/2)T'",
        citations: &["lammps"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// Midpoint rule for the quaternion, the momentum in space held.
    Fincham {
        name: "fincham",
        title: "Fincham: midpoint rule of the quaternion, leapfrog of the momentum",
        formula: "L = Λ(Π + (h/2)T); q½ = q + ¼h q W; q' = q + ½h q½ J⁻¹Λ(q½)ᵀL, q' ← q'/|q'|; Π' = Λ'ᵀL + (h/2)T'",
        citations: &["fincham1992"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// Second-order series of the quaternion, normalised by the coefficient of its first term.
    Espresso {
        name: "espresso",
        title: "ESPResSo: quaternion to second order, half kicks of the rate (Sonnenschein, Omelyan)",
        formula: "α = J⁻¹(T − W × J W); q̇ = ½ q W, q̈ = ½ q α − |q̇|² q; q' = (1 − λ)q + h q̇ + ½h² q̈, λ for |q'| = 1\n\
                  W' = W + (h/2)α + (h/2)J⁻¹T'; six times W' = W + (h/2)α + (h/2)J⁻¹(T' − W' × J W')",
        citations: &["sonnenschein1985", "omelyan1998b", "espresso"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// Predictor and corrector by direct multiplication.
    Pcdm {
        name: "pcdm",
        title: "PCDM (Zhao & van Wachem): midpoint rule of the rate, exponentials in space",
        formula: "α = J⁻¹(T − W × J W); Λ½ = Λ exp((h/2)(W + (h/4)α)), W½ = W + (h/2)α\n\
                  W' = W + h J⁻¹(T(t + h/2, Λ½) − W½ × J W½); Λ' = exp(hΛ½W½) Λ",
        citations: &["zhao2013"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(2) },
    }
}

scheme! {
    /// Predictor and corrector as a leapfrog.
    PcdmLeapfrog {
        name: "pcdm_leapfrog",
        title: "PCDM as a leapfrog (Seelen, Padding & Kuipers): one torque a step",
        formula: "Λ½ = Λ exp((h/2)(W + (h/4)α₋)), W½ = W + (h/2)α₋, α = J⁻¹(T(t + h/2, Λ½, W½) − W½ × J W½)\n\
                  W' = W + h α; Λ' = exp(hΛ½W½) Λ; then α₋ = α, at the start J⁻¹(T − W × J W)",
        citations: &["seelen2016", "maia"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

scheme! {
    /// Half steps of the implicit Euler rule of the rate, the torque held.
    Mercurydpm {
        name: "mercurydpm",
        title: "MercuryDPM's clumps: half steps of the implicit Euler rule of the rate, exponential",
        formula: "W½ = S(W, T), Λ' = Λ exp(hW½), W' = S(W½, T')\n\
                  S(W, T): three times V = W + (h/2)J⁻¹(T − V × J V), from V = W",
        citations: &["mercurydpm"],
        claims: Claims { order: 1, reversible: false, symplectic: false,
            energy: Energy::Loses(1), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

/// Returns the rate after h of the strong-stability rule of order 3, with the body torque held.
#[inline(always)]
fn spun(top: &RigidTop<impl Torque>, w: &Vec3, torque: &Vec3, h: f64) -> Vec3 {
    let slope = |w: &Vec3| top.acceleration(w, torque) * h;
    let k1 = slope(w);
    let k2 = slope(&(w + k1));
    let k3 = slope(&(w + (k1 + k2) * 0.25));
    w + (k1 + k2 + k3 * 4.0) / 6.0
}

/// Returns the rate after h of the implicit Euler rule, with the body torque held, by as many iterations as MercuryDPM makes.
#[inline(always)]
fn iterated(top: &RigidTop<impl Torque>, w: &Vec3, torque: &Vec3, h: f64) -> Vec3 {
    const ITERATIONS: usize = 3;
    (0..ITERATIONS).fold(*w, |v, _| w + top.acceleration(&v, torque) * h)
}

impl RotationScheme for Spiral {
    type Memory = ();

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let torque = top.torque_body(t, &y.att);
        let alpha = top.acceleration(&y.omega, &torque);
        y.att *= so3::exp(&(y.omega * h)) * so3::exp(&(alpha * (0.5 * h * h)));
        y.omega = spun(top, &y.omega, &torque, h);
        Ok(Effort::new(1, 0))
    }
}

/// Makes a step in which `spun` moves the rate by half a step, with the body torque held, before and after a turn.
#[inline(always)]
fn between<T: Torque>(
    &Step { top, t, h, .. }: &Step<T>,
    y: &mut RotState,
    BodyTorque(torque): &mut BodyTorque,
    spun: impl Fn(&RigidTop<T>, &Vec3, &Vec3, f64) -> Vec3,
) -> StepResult {
    let mid = spun(top, &y.omega, torque, 0.5 * h);
    y.att *= so3::exp(&(mid * h));
    *torque = top.torque_body(t + h, &y.att);
    y.omega = spun(top, &mid, torque, 0.5 * h);
    Ok(Effort::new(1, 0))
}

impl RotationScheme for SpiralLeapfrog {
    type Memory = BodyTorque;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut BodyTorque) -> StepResult {
        between(at, y, m, spun)
    }
}

impl RotationScheme for Mercurydpm {
    type Memory = BodyTorque;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut BodyTorque) -> StepResult {
        between(at, y, m, iterated)
    }
}

/// Quaternion, body momentum and body torque.
type Particle = (AttitudeQuat, (BodyMomentum, BodyTorque));

fn unit(q: &Quat) -> Quat {
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    q.map(|v| v / length)
}

/// Makes a step in which `turned` moves the quaternion with the momentum in space, its second argument, held.
#[inline(always)]
fn kicked<T: Torque>(
    &Step { top, t, h, .. }: &Step<T>,
    y: &mut RotState,
    (AttitudeQuat(q), (BodyMomentum(pi), BodyTorque(torque))): &mut Particle,
    turned: impl Fn(&Quat, &dyn Fn(&Quat) -> Quat) -> Quat,
) -> StepResult {
    let c = 0.5 * h;
    let held = y.att * (*pi + *torque * c);
    let slope = |q: &Quat| {
        let body = so3::matrix_from_quat(q).tr_mul(&held);
        derivative(q, &top.inertia().solve(&body))
    };
    *q = unit(&turned(q, &slope));
    y.att = so3::matrix_from_quat(q);
    *torque = top.torque_body(t + h, &y.att);
    *pi = y.att.tr_mul(&held) + *torque * c;
    y.omega = top.inertia().solve(pi);
    Ok(Effort::new(1, 0))
}

impl RotationScheme for Richardson {
    type Memory = Particle;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Particle) -> StepResult {
        let h = at.h;
        kicked(at, y, m, |q, slope| {
            let begun = slope(q);
            let half = unit(&plus(q, 0.5 * h, &begun));
            let half = unit(&plus(&half, 0.5 * h, &slope(&half)));
            let whole = unit(&plus(q, h, &begun));
            core::array::from_fn(|i| 2.0 * half[i] - whole[i])
        })
    }
}

impl RotationScheme for Fincham {
    type Memory = Particle;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Particle) -> StepResult {
        let (h, rate) = (at.h, y.omega);
        kicked(at, y, m, |q, slope| {
            let half = plus(q, 0.5 * h, &derivative(q, &rate));
            plus(q, h, &slope(&half))
        })
    }
}

impl RotationScheme for Espresso {
    type Memory = (AttitudeQuat, BodyTorque);

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        /// Iterations for the rate of the end, of the source.
        const ITERATIONS: usize = 6;
        let (AttitudeQuat(q), BodyTorque(torque)) = m;
        let Step { top, t, h, .. } = *at;
        let (c, j) = (0.5 * h, top.inertia());
        let dot = |a: &Quat, b: &Quat| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let alpha = top.acceleration(&y.omega, torque);
        let first = derivative(q, &y.omega);
        let s = dot(&first, &first);
        let second = plus(&derivative(q, &alpha), -s, q);
        let [s1, s2] = [dot(&first, &second), dot(&second, &second)];
        let root = 1.0 - h * h * (s + h * (s1 + 0.5 * c * (s2 - s * s)));
        if root < 0.0 {
            let momentum = j.times(&y.omega).norm();
            return Err(StepFail::TooFast { momentum });
        }
        let lambda = 1.0 - 0.5 * s * h * h - root.sqrt();
        *q = plus(&plus(q, h, &plus(&first, c, &second)), -lambda, q);
        y.att = so3::matrix_from_quat(q);
        *torque = top.torque_body(t + h, &y.att);
        let begun = y.omega + (alpha + j.solve(torque)) * c;
        y.omega = (0..ITERATIONS).fold(begun, |w, _| begun + j.solve(&j.times(&w).cross(&w)) * c);
        Ok(Effort::new(1, 0))
    }
}

impl RotationScheme for Pcdm {
    type Memory = ();

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let alpha = top.acceleration(&y.omega, &top.torque_body(t, &y.att));
        let mid = y.omega + alpha * c;
        let turn = so3::exp(&((y.omega + alpha * (0.5 * c)) * c));
        let torque = top.torque_body(t + c, &(y.att * turn));
        y.att *= so3::exp(&(turn * mid * h));
        y.omega += top.acceleration(&mid, &torque) * h;
        Ok(Effort::new(2, 0))
    }
}

impl RotationScheme for PcdmLeapfrog {
    type Memory = Alpha;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Alpha) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let mid = RotState {
            att: y.att * so3::exp(&((y.omega + m.0 * (0.5 * c)) * c)),
            omega: y.omega + m.0 * c,
        };
        m.0 = top.acceleration(&mid.omega, &top.torque_on(t + c, &mid));
        y.att = so3::exp(&(mid.att * mid.omega * h)) * y.att;
        y.omega += m.0 * h;
        Ok(Effort::new(1, 0))
    }
}
