//! Rules of physics engines: `euler_gyro`, `catto`, `jolt`, `ode`, `steel`, `rapier`.
//!
//! Letters: Λ attitude, W body rate, J inertia, Π = J W, T body torque at the start of the step.
//! - `euler_gyro`: `W' = W + h J⁻¹ (T − W × J W)`, the explicit gyroscopic term.
//! - `catto` (Catto 2015, `catto2015`; Bullet's implicit body mode): one Newton step from W of
//!   `J (W' − W) + h W' × J W' = 0`, that is `(J + h ([W]× J − [J W]×)) (W' − W) = −h W × J W`,
//!   then `W' += h J⁻¹ T`.
//! - `jolt` (`jolt`; Avian too): `Π' = Π − h W × Π` rescaled to |Π|, then `Π' += h T`.
//! - `ode` (Open Dynamics Engine, `ode`): `(J − h [J W]×) W' = J W`, then `W' += h J⁻¹ T`.
//! - `steel` (Newton's solver Steel, `newton_physics`): after `u = W + h J⁻¹ T`, n steps of h/n of the implicit midpoint rule of the free
//!   rate, each by at most eight iterations of `(J − S) u' = (J + S) u`, `S = (h/2n) [J (u + u')/2]×`, which keeps the energy whatever
//!   u' is on the right; `n = ⌈2h √(uᵀJu tr J⁻¹)⌉`, from 1 to 32.
//! - `rapier` (`rapier`): n steps of d = h/n, each of which adds `d J⁻¹ T`, held in space since the start of the whole step, makes the
//!   rescaled step of `jolt` without its torque, and turns.
//!
//! The others turn once with the new rate, `Λ' = Λ exp(h W')`; `ode`, `steel` and `rapier` turn with the Cayley map. Any inertia and torque; order 1.

use super::implicit::solve3;
use super::prelude::*;
use serde::Deserialize;

/// New body rate from the old one, the body torque and h.
type RateUpdate = fn(&Inertia, &Vec3, &Vec3, f64) -> Result<Vec3, StepFail>;

#[inline(always)]
fn explicit(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Result<Vec3, StepFail> {
    Ok(w + j.solve(&(torque - w.cross(&j.times(w)))) * h)
}

#[inline]
fn one_newton_step(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Result<Vec3, StepFail> {
    let pi = j.times(w);
    let k = j.tensor() + (so3::hat(w) * j.tensor() - so3::hat(&pi)) * h;
    let change = solve3(&k, &(w.cross(&pi) * -h)).ok_or(StepFail::Singular { iterations: 0 })?;
    Ok(w + change + j.solve(torque) * h)
}

#[inline(always)]
fn rescaled(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Result<Vec3, StepFail> {
    let pi = j.times(w);
    let moved = pi - w.cross(&pi) * h;
    let (before, after) = (pi.norm_squared(), moved.norm_squared());
    // A body at rest stays; a NaN goes on to the new rate.
    let scale = if before == 0.0 {
        1.0
    } else {
        (before / after).sqrt()
    };
    Ok(j.solve(&(moved * scale + torque * h)))
}

#[inline]
fn linearly_implicit(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Result<Vec3, StepFail> {
    let pi = j.times(w);
    let k = j.tensor() - so3::hat(&pi) * h;
    let moved = solve3(&k, &pi).ok_or(StepFail::Singular { iterations: 0 })?;
    Ok(moved + j.solve(torque) * h)
}

fn microsteps(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Result<Vec3, StepFail> {
    /// Most steps in a step, most iterations in one of them, and the square of the change, beside that of the rate, at which they end:
    /// those of the source.
    const STEPS: f64 = 32.0;
    const ITERATIONS: u32 = 8;
    const CLOSE: f64 = 1e-12;
    let energy = |w: &Vec3| w.dot(&j.times(w));
    let mut w = w + j.solve(torque) * h;
    let inverse = [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| e.dot(&j.solve(&e)));
    let fastest = (energy(&w) * inverse.iter().sum::<f64>()).sqrt();
    let n = (2.0 * h.abs() * fastest).ceil().clamp(1.0, STEPS);
    for _ in 0..n as u32 {
        let begun = w;
        for _ in 0..ITERATIONS {
            let s = so3::hat(&j.times(&(begun + w))) * (0.25 * h / n);
            let right = j.times(&begun) + s * begun;
            let next =
                solve3(&(j.tensor() - s), &right).ok_or(StepFail::Singular { iterations: 0 })?;
            let change = next - w;
            w = next;
            if energy(&change) <= CLOSE * energy(&begun) {
                break;
            }
        }
    }
    Ok(w)
}

/// Returns the Cayley map of `psi`, which is the same rational function at any angle.
#[inline(always)]
fn cayley(_: AngleRange, psi: &Vec3) -> Mat3 {
    so3::cayley(psi)
}

macro_rules! engines {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $title:literal, $cite:literal, $energy:expr, $rate:ident, $turn:path,
        $formula:literal $(, $lanes:ident)?;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                citations: &[$cite],
                claims: Claims { order: 1, reversible: false, symplectic: false,
                    energy: $energy, momentum: Momentum::Approximate,
                    torque_evaluations: Evaluations::Exactly(1) },
            }
        }

        impl RotationScheme for $scheme {
            type Memory = ();
            const TAKES_RATE: bool = true;
            $($lanes!();)?

            #[inline(always)]
            fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
                const RATE: RateUpdate = $rate;
                let Step { top, t, h, .. } = *at;
                let torque = top.torque_on(t, y);
                let omega = RATE(top.inertia(), &y.omega, &torque, h)?;
                y.att *= $turn(at.angles, &(omega * h));
                y.omega = omega;
                Ok(Effort::new(1, 0))
            }
        }
    )*};
}

engines! {
    /// Semi-implicit Euler with an explicit gyroscopic term.
    EulerGyro, "euler_gyro", "Engines: semi-implicit Euler, explicit gyroscopic term",
        "catto2015", Energy::Gains(1), explicit, AngleRange::exp,
        "W' = W + h J⁻¹(T − W × J W); Λ' = Λ exp(hW')", in_lanes;
    /// One Newton step of the implicit gyroscopic term.
    Catto, "catto", "Engines: one Newton step of the implicit gyroscopic term (Bullet)",
        "catto2015", Energy::Loses(1), one_newton_step, AngleRange::exp,
        "(J + h([W]× J − [J W]×))(W' − W) = −h W × J W; W' += h J⁻¹ T; Λ' = Λ exp(hW')";
    /// Explicit gyroscopic term, momentum rescaled: drives a free body to its intermediate axis.
    Jolt, "jolt", "Engines: explicit gyroscopic term with the momentum rescaled (Jolt, Avian)",
        "jolt", Energy::ToIntermediateAxis, rescaled, AngleRange::exp,
        "Π' = (Π − h W × Π) |Π| / |Π − h W × Π|; Π' += h T; W' = J⁻¹Π'; Λ' = Λ exp(hW')", in_lanes;
    /// Linearly implicit gyroscopic term, torque outside, Cayley map.
    Ode, "ode", "Engines: gyroscopic term of the old momentum and the new rate, Cayley map (Open Dynamics Engine)",
        "ode", Energy::Loses(1), linearly_implicit, cayley,
        "(J − h[J W]×)W' = J W; W' += h J⁻¹ T; Λ' = Λ cay(hW'), cay(u) = (1 − ½[u]×)⁻¹(1 + ½[u]×)";
    /// Implicit midpoint rule of the free rate in small steps, torque before, Cayley map.
    Steel, "steel", "Engines: small steps that keep the energy, after the torque; Cayley map (Newton's Steel)",
        "newton_physics", Energy::Exact, microsteps, cayley,
        "u = W + h J⁻¹ T; n = ⌈2h√(uᵀJu tr J⁻¹)⌉ steps (1 to 32) of h/n: (J − S)u' = (J + S)u, S = (h/2n)[J(u + u')/2]×\n\
         W' = u; Λ' = Λ cay(hW')";
}

/// Four steps of the rescaled gyroscopic term, the torque held in space.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Rapier {
    /// Number of steps in a step, Rapier's `num_solver_iterations`; between 1 and 1000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub iterations: u32,
}

impl Default for Rapier {
    fn default() -> Self {
        Self { iterations: 4 }
    }
}

scheme! {
    impl Rapier {
        name: "rapier",
        title: "Engines: inner steps with the momentum rescaled, the torque held in space (Rapier)",
        formula: "n = 4 times, d = h/n: w += d R0 J⁻¹ T(t, R0) in space; W = Rᵀw; Π = J W − d W × J W, rescaled to |J W|; W' = J⁻¹Π; R' = R cay(dW'); w = R'W'",
        citations: &["rapier"],
        claims: Claims { order: 1, reversible: false, symplectic: false,
            energy: Energy::ToIntermediateAxis, momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl RotationScheme for Rapier {
    type Memory = ();
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let part = h / f64::from(self.iterations);
        let push = y.att * top.inertia().solve(&top.torque_on(t, y)) * part;
        for _ in 0..self.iterations {
            let pushed = y.omega + y.att.tr_mul(&push);
            y.omega = rescaled(top.inertia(), &pushed, &Vec3::zeros(), part)?;
            // The turn keeps its own axis, so that the rate has the same components before and after it.
            y.att *= so3::cayley(&(y.omega * part));
        }
        Ok(Effort::new(1, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::RotationScheme;
    use crate::schemes::testbed::{self, drift_f};

    #[test]
    fn energy_rises_and_falls_in_proportion_to_the_step() {
        for h in [1e-3, 5e-4] {
            let n = (20.0 / h) as u32;
            let ratio = |a: f64, b: f64| (a / b / 2.0 - 1.0).abs();
            let gain = [
                drift_f(&EulerGyro {}, h, n).0,
                drift_f(&EulerGyro {}, h / 2.0, 2 * n).0,
            ];
            assert!(gain[0] > 0.0 && ratio(gain[0], gain[1]) < 0.1, "{gain:?}");
            let loss = [
                drift_f(&Catto {}, h, n).0,
                drift_f(&Catto {}, h / 2.0, 2 * n).0,
            ];
            assert!(loss[0] < 0.0 && ratio(loss[0], loss[1]) < 0.1, "{loss:?}");
        }
    }

    #[test]
    fn jolt_drives_a_free_body_to_its_intermediate_axis() {
        let top = testbed::body_f();
        // L²/(2 I₂), from above and from below.
        for omega in [top.initial().omega, Vec3::new(0.5, 0.3, -2.0)] {
            let pi = top.inertia().times(&omega);
            let target = pi.norm_squared() / (2.0 * 0.8);
            let mut y = RotState {
                omega,
                ..top.initial()
            };
            let before = top.energy(&y);
            testbed::advance(&Jolt {}, &top, 0.0, 0.05, 60_000, &mut y);
            let after = top.energy(&y);
            assert!(
                (after - target).abs() < 0.05 * (before - target).abs(),
                "{before} {after} {target}"
            );
            assert!((top.inertia().times(&y.omega).norm() / pi.norm() - 1.0).abs() < 1e-11);
        }
    }

    #[test]
    fn a_free_body_at_rest_stays() {
        let top = testbed::body_f();
        let rest = RotState {
            omega: Vec3::zeros(),
            ..top.initial()
        };
        let mut y = [rest; 6];
        testbed::advance(&EulerGyro {}, &top, 0.0, 0.1, 3, &mut y[0]);
        testbed::advance(&Catto {}, &top, 0.0, 0.1, 3, &mut y[1]);
        testbed::advance(&Jolt {}, &top, 0.0, 0.1, 3, &mut y[2]);
        testbed::advance(&Ode {}, &top, 0.0, 0.1, 3, &mut y[3]);
        testbed::advance(&Steel {}, &top, 0.0, 0.1, 3, &mut y[4]);
        testbed::advance(&Rapier::default(), &top, 0.0, 0.1, 3, &mut y[5]);
        assert_eq!(y, [rest; 6]);
    }
    /// The rates of two first steps, with and without torque, differ by `h J⁻¹ T(t, Λ)`.
    #[test]
    fn the_torque_of_the_start_acts_for_the_whole_step() {
        fn judge(scheme: &impl RotationScheme) {
            let (free, pushed) = (testbed::body_f(), testbed::body_pulsed());
            let (t, h) = (0.3, 0.1);
            let [mut y, mut z] = [free.initial(), pushed.initial()];
            let torque = pushed.torque_body(t, &z.att);
            testbed::advance(scheme, &free, t, h, 1, &mut y);
            testbed::advance(scheme, &pushed, t, h, 1, &mut z);
            let push = pushed.inertia().solve(&torque) * h;
            assert!((z.omega - y.omega - push).norm() < 1e-14, "{}", z.omega);
            assert!((z.att - so3::exp(&(z.omega * h))).norm() < 1e-14);
        }
        judge(&EulerGyro {});
        judge(&Catto {});
        judge(&Jolt {});
    }
}
