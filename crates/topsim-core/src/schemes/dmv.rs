//! Discrete Moser–Veselov map with kicks, `dmv`, with preprocessed moments, `dmv4` … `dmv10`, and after a whole kick, `dmv_leapfrog`.
//!
//! Source: Moser & Veselov 1991 (`moser1991`); in this form McLachlan & Zanna 2005
//! (`mclachlan2005`); moments of Hairer & Vilmart 2006 (`hairer_vilmart2006`). RATTLE and the Lie group
//! variational integrator of Lee, Leok & McClamroch 2007 (`lee2007`, LGVI) are the same map.
//! Letters: Π body momentum, `u = (h/2) Ĩ⁻¹ Π`, c the half-angle vector, `α = 1 + |c|²`,
//! `f₁ = (Ĩ₂ − Ĩ₃)/Ĩ₁ c₂ c₃` and cyclic. Kick, then solve
//!
//! `c = α u + f(c)`, `F = (1, c)/√α`, `Λ' = Λ F`, `Π' = Fᵀ Π`,
//!
//! then kick. Ĩ = I for `dmv`; see `dmv_moments.rs` for the others, whose high order belongs to the
//! free motion: with torque the whole is of order 2.
//!
//! Assumes a step that turns the body by less than about h |W| = 1: beyond, no root exists.

use super::compositions::{Composition, KICK_DRIFT};
use super::coverage::NotCovered;
use super::dmv_moments::Moments;
use super::implicit::solve3;
use super::kicks::{FreeTurn, KickScheme};
use super::prelude::*;
use crate::math::double_double::two_sum_of;
use serde::Deserialize;

/// A residual this small beside |u| is round-off: stagnation there is convergence.
const STAGNATION: f64 = 1e-13;

/// Newton's method for `c = α u + f(c)`, f with the factors `g`.
#[inline]
fn solve(u: &Vec3, g: &Vec3, tolerance: f64, most: u32) -> Result<(Vec3, u32), StepFail> {
    let size = u.amax();
    let target = tolerance * size;
    let products = |c: &Vec3| Vec3::new(c.y * c.z, c.z * c.x, c.x * c.y);
    // The start is one fixed-point step, whose error is of third order in h.
    let mut c = u * (1.0 + u.norm_squared()) + g.component_mul(&products(u));
    let mut best = (c, f64::INFINITY);
    let mut iterations = 0;
    loop {
        let r = u * (1.0 + c.norm_squared()) + g.component_mul(&products(&c)) - c;
        let norm = r.amax();
        // `amax` may drop a NaN, but the sum does not: a NaN never passes.
        if norm <= target && r.sum().is_finite() {
            return Ok((c, iterations));
        }
        let falling = norm < best.1;
        if iterations >= 2 && !falling && best.1 <= STAGNATION * size {
            return Ok((best.0, iterations));
        }
        if falling {
            best = (c, norm);
        }
        if iterations == most {
            if best.1 <= STAGNATION * size {
                return Ok((best.0, iterations));
            }
            return Err(StepFail::NewtonStalled {
                iterations,
                residual: norm,
                target,
            });
        }
        let k = Mat3::identity()
            - u * (2.0 * c.transpose())
            - Mat3::new(
                0.0,
                g.x * c.z,
                g.x * c.y,
                g.y * c.z,
                0.0,
                g.y * c.x,
                g.z * c.y,
                g.z * c.x,
                0.0,
            );
        c += solve3(&k, &r).ok_or(StepFail::Singular { iterations })?;
        iterations += 1;
    }
}

/// Returns the map with moments `k` over `tau`.
#[inline]
fn turn<const DEGREE: usize>(
    k: &Moments<DEGREE>,
    tau: f64,
    pi: &Vec3,
    tolerance: f64,
    most: u32,
) -> Result<FreeTurn, StepFail> {
    let v = k.modified(tau, pi);
    let u = v.component_mul(pi) * (0.5 * tau);
    // (Ĩ₂ − Ĩ₃)/Ĩ₁ in reciprocals.
    let g = Vec3::new(
        v.x * (v.z - v.y) / (v.y * v.z),
        v.y * (v.x - v.z) / (v.z * v.x),
        v.z * (v.y - v.x) / (v.x * v.y),
    );
    let (c, iterations) = solve(&u, &g, tolerance, most)?;
    let across = c.cross(pi);
    let two = 2.0 / (1.0 + c.norm_squared());
    let unit = (0.5 * two).sqrt();
    let (pi, rest) = two_sum_of(pi, &((c.cross(&across) - across) * two));
    Ok(FreeTurn {
        quat: [unit, c.x * unit, c.y * unit, c.z * unit],
        pi,
        rest,
        iterations,
    })
}

/// The equation in the attitude increment (angle and axis of `(1, c)`) is
/// `hΠ = 2 (J c + c × J c)/(1 + |c|²)`, whose right-hand side stays below `2 max J` for every c.
fn has_solution(inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
    let refused = turns_too_far(inertia, omega, h);
    refused.map_or(Ok(()), |[turned, most]| {
        Err(NotCovered::TurnsTooFar { turned, most })
    })
}

/// h |Π| and twice the largest moment, unless it is less.
pub(super) fn turns_too_far(inertia: &Inertia, omega: &Vec3, h: f64) -> Option<[f64; 2]> {
    let (turned, most) = (
        h.abs() * inertia.times(omega).norm(),
        2.0 * inertia.moments().z,
    );
    (!(turned < most)).then_some([turned, most])
}

macro_rules! dmv {
    ($($scheme:ident, $degree:literal, $name:literal, $cite:expr, $title:literal, $formula:expr;)*) => {$(
        #[doc = concat!($title, ".")]
        ///
        /// Newton stops at `tolerance · max|u|`, or when the residual no longer falls.
        #[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, default)]
        pub struct $scheme {
            /// Relative residual at which Newton stops; between 1e-16 and 1e-3.
            #[cfg_attr(feature = "schema", schemars(range(min = 1e-16, max = 1e-3)))]
            pub tolerance: f64,
            /// Most iterations before the step is reported as failed; between 1 and 1000.
            #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
            pub max_iterations: u32,
        }

        impl Default for $scheme {
            fn default() -> Self {
                Self { tolerance: 2e-16, max_iterations: 20 }
            }
        }

        scheme! {
            impl $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                coefficients: Coefficients::Formulas(TERMS.split_at(2 * $degree).0),
                citations: &$cite,
                literature: match $degree {
                    0 => &[],
                    _ => &[Statement { by: "hairer_vilmart2006", says: StatementKind::FreeOrder(2 * $degree + 2) }],
                },
                assumptions: Some("any inertia tensor, any torque of time and attitude; h |W| below about 1 (dmv: no solution where h |Π| ≥ 2 max J)"),
                // If the moments depend on Π, the scheme is not symplectic with kicks.
                claims: Claims { order: 2, reversible: true, symplectic: $degree == 0,
                    energy: Energy::Exact, momentum: Momentum::Exact,
                    torque_evaluations: Evaluations::Exactly(1) },
            }
        }

        impl KickScheme for $scheme {
            type Constants = Moments<$degree>;

            fn covers(&self, inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
                // The bound of the others would be that of their modified moments.
                if $degree == 0 { has_solution(inertia, omega, h) } else { Ok(()) }
            }

            fn constants(moments: &Vec3) -> Self::Constants {
                Moments::new(moments)
            }

            #[inline]
            fn turn(&self, k: &Self::Constants, _: AngleRange, tau: f64, pi: &Vec3) -> Result<FreeTurn, StepFail> {
                turn(k, tau, pi, self.tolerance, self.max_iterations)
            }
        }
    )*};
}

scheme! {
    /// `dmv` with one kick: the momentum is that of half a step earlier, as programs that step positions by leapfrog report it.
    DmvLeapfrog {
        name: "dmv_leapfrog",
        title: "Discrete Moser–Veselov after a whole kick (OpenMM's constrained Verlet and leapfrog)",
        formula: "Π += h T; solve c = (1 + |c|²)(h/2) I⁻¹Π + f(c), f1 = (I2 − I3)/I1 c2 c3, cyclic\n\
                  F = (1, c)/√(1 + |c|²); Λ' = Λ F; Π' = FᵀΠ",
        citations: &["moser1991", "mclachlan2005", "openmm"],
        assumptions: Some("any inertia tensor, any torque of time and attitude; h |W| below about 1, no solution where h |Π| ≥ 2 max J"),
        claims: Claims { order: 1, reversible: false, symplectic: true,
            energy: Energy::Exact, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl KickScheme for DmvLeapfrog {
    type Constants = Moments<0>;

    fn composition(&self) -> &'static Composition {
        &KICK_DRIFT
    }

    fn covers(&self, inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
        has_solution(inertia, omega, h)
    }

    fn constants(moments: &Vec3) -> Self::Constants {
        Moments::new(moments)
    }

    #[inline]
    fn turn(
        &self,
        k: &Self::Constants,
        _: AngleRange,
        tau: f64,
        pi: &Vec3,
    ) -> Result<FreeTurn, StepFail> {
        let Dmv {
            tolerance,
            max_iterations,
        } = Dmv::default();
        turn(k, tau, pi, tolerance, max_iterations)
    }
}

const PREPROCESSED: &str = "dmv with 1/Ĩj = S/Ij + D for 1/Ij, S = 1 + S1 + …, D = D1 + … as far as they stand below; C = (h²/2)|Π|², H = (h²/2) Π·I⁻¹Π\n\
     δ = I1 I2 I3, sk = Σ Ii^k, xk = Σ Ii^−k, tab = Σ Ii^a/Ij^b over i ≠ j";

/// Terms of S and D, which [`super::dmv_moments`] computes; each scheme has two more than the one before it.
#[rustfmt::skip]
const TERMS: [&str; 8] = [
    "S1 = s1/(6δ) C − x1/3 H",
    "D1 = −C/(3δ) + s1/(6δ) H",
    "S2 = (s2/δ − x1)/(30δ) C² + (1 − t11)/(30δ) CH + (3s1/δ + 2x2)/60 H²",
    "D2 = −s1/(60δ²) C² + (x1/(10δ) − s2/(60δ²)) CH − (9 + t11)/(60δ) H²",
    "S3 = (4δ + 17s3 − 15δ t11)/(2520δ³) C³ + (9s1 + 10δ x2 − 6t21)/(420δ²) C²H + ((6t12 − 100x1)δ + 53s2)/(2520δ²) CH² + (15 − δ x3 − 2t11)/(630δ) H³",
    "D3 = (34δ x1 − 19s2)/(2520δ³) C³ + (s3 + 2δ t11 − 85δ)/(1260δ³) C²H + (47s1 + 13t21 − 38δ x2)/(2520δ²) CH² + (9δ x1 + δ t12 − 11s2)/(1260δ²) H³",
    "S4 = (62s4 − 94δ t21 + 66δ² x2 + 81δ s1)/(45360δ⁴) C⁴ + (214s2 − 77t31 + 75δ t12 − 240δ x1)/(22680δ³) C³H + (26δ t22 + 55s3 + 204δ − 50δ² x3 − 59δ t11)/(7560δ³) C²H² + (137δ x2 − δ t13 + 3s1 − 69t21)/(11340δ²) CH³ + (2δ² x4 + 5δ t12 − 171δ x1 + 159s2)/(45360δ²) H⁴",
    "D4 = (60δ t11 − 61s3 − 247δ)/(45360δ⁴) C⁴ + (54δ s1 − s4 + 218δ t21 − 426δ² x2)/(45360δ⁴) C³H + (125δ x1 − 5t31 − 130s2 + 4δ t12)/(7560δ³) C²H² + (67s3 − 735δ − 15δ t22 + 87δ t11 + 34δ² x3)/(22680δ³) CH³ + (165s1 − δ t13 − 9t21 − 145δ x2)/(45360δ²) H⁴",
];

dmv! {
    Dmv, 0, "dmv", ["moser1991", "mclachlan2005", "lee2007"],
        "Discrete Moser–Veselov = RATTLE = LGVI: symplectic, implicit",
        "Π += (h/2) T; solve c = (1 + |c|²)(h/2) I⁻¹Π + f(c), f1 = (I2 − I3)/I1 c2 c3, cyclic\n\
         F = (1, c)/√(1 + |c|²); Λ' = Λ F; Π := FᵀΠ; Π' = Π + (h/2) T'";
    Dmv4, 1, "dmv4", ["hairer_vilmart2006", "moser1991"],
        "Preprocessed discrete Moser–Veselov, free motion of order 4",
        PREPROCESSED;
    Dmv6, 2, "dmv6", ["hairer_vilmart2006", "moser1991"],
        "Preprocessed discrete Moser–Veselov, free motion of order 6",
        PREPROCESSED;
    Dmv8, 3, "dmv8", ["hairer_vilmart2006", "moser1991"],
        "Preprocessed discrete Moser–Veselov, free motion of order 8",
        PREPROCESSED;
    Dmv10, 4, "dmv10", ["hairer_vilmart2006", "moser1991"],
        "Preprocessed discrete Moser–Veselov, free motion of order 10",
        PREPROCESSED;
}

#[cfg(test)]
mod tests;
