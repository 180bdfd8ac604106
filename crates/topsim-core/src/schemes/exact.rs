//! Splittings with the exact flow of the free body: `exact_strang`, `exact_suzuki4`, `exact_bm6`, and `exact_srkn6b`,
//! `exact_srkn11b`, `exact_srkn14a`, which need the fewest torques for an error.
//!
//! Kicks `Π += a h T(Λ, t)` between exact free motions over `b h` ([`FreeFlow`]), in the compositions of
//! `compositions.rs`. Without torque a step is exact. Letters: Λ attitude, Π body momentum, T body torque.
//!
//! Source: Celledoni, Fassò, Säfström & Zanna 2008 (`celledoni2008`); compositions `strang1968`,
//! `suzuki1990`, `blanes2002`. Any inertia; energy and symplecticity for torques with a potential.

use super::compositions::{BM6, Composition, SRKN6B, SRKN11B, SRKN14A, STRANG, SUZUKI4};
use super::kicks::{FreeTurn, KickScheme};
use super::member::member;
use super::prelude::*;
use crate::models::FreeFlow;

#[inline(always)]
pub(super) fn exact_turn(flow: &FreeFlow, tau: f64, pi: &Vec3) -> Result<FreeTurn, StepFail> {
    let Some((quat, pi, rest)) = flow.after(pi, tau) else {
        let momentum = pi.norm();
        return Err(if momentum.is_finite() {
            StepFail::TooFast { momentum }
        } else {
            StepFail::NotFinite
        });
    };
    Ok(FreeTurn {
        quat,
        pi,
        rest,
        iterations: 0,
    })
}

/// Kicks between exact free motions, in any composition.
#[derive(Debug, Clone, Copy)]
pub struct ExactSplitting(&'static Composition);

impl KickScheme for ExactSplitting {
    type Constants = FreeFlow;
    #[inline(always)]
    fn composition(&self) -> &'static Composition {
        self.0
    }
    fn constants(moments: &Vec3) -> FreeFlow {
        FreeFlow::new(moments)
    }
    #[inline(always)]
    fn turn(
        &self,
        flow: &FreeFlow,
        _: AngleRange,
        tau: f64,
        pi: &Vec3,
    ) -> Result<FreeTurn, StepFail> {
        exact_turn(flow, tau, pi)
    }
}

macro_rules! exact {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $composition:ident, $cite:literal, $title:literal, $formula:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                coefficients: Coefficients::Composition(&$composition),
                citations: &["celledoni2008", $cite],
                literature: &[Statement { by: "celledoni2008", says: StatementKind::FreeMotionExact }],
                claims: Claims { order: $composition.order, reversible: true, symplectic: true,
                    energy: Energy::Exact, momentum: Momentum::Exact,
                    torque_evaluations: Evaluations::Exactly($composition.evaluations()) },
            }
        }

        member! { $scheme: ExactSplitting, |_| ExactSplitting(&$composition) }
    )*};
}

exact! {
    /// Half kick, exact free motion, half kick.
    ExactStrang, "exact_strang", STRANG, "strang1968",
        "Strang splitting with the exact free motion",
        "Π += (h/2) T(Λ, t); (Λ, Π) := exact free motion over h; Π += (h/2) T(Λ, t + h)";
    /// Suzuki's fourth-order composition with exact free motions.
    ExactSuzuki4, "exact_suzuki4", SUZUKI4, "suzuki1990",
        "Suzuki's fourth-order composition with the exact free motion",
        "five steps of exact_strang over p h, p h, (1 − 4p) h, p h, p h; p = 1/(4 − 4^(1/3))";
    /// Blanes and Moan's sixth-order composition S10 with exact free motions.
    ExactBm6, "exact_bm6", BM6, "blanes2002",
        "Blanes & Moan's sixth-order composition S10 with the exact free motion",
        "eleven kicks Π += a_i h T(Λ, ·) between ten exact free motions over b_i h";
    /// Blanes and Moan's fourth-order Nyström composition of six kicks.
    ExactSrkn6b, "exact_srkn6b", SRKN6B, "blanes2002",
        "Blanes & Moan's Nyström composition SRKN6b, order 4, with the exact free motion",
        "seven kicks Π += a_i h T(Λ, ·) between six exact free motions over b_i h";
    /// Blanes and Moan's sixth-order Nyström composition of eleven kicks.
    ExactSrkn11b, "exact_srkn11b", SRKN11B, "blanes2002",
        "Blanes & Moan's Nyström composition SRKN11b, order 6, with the exact free motion",
        "twelve kicks Π += a_i h T(Λ, ·) between eleven exact free motions over b_i h";
    /// Blanes and Moan's sixth-order Nyström composition of fourteen kicks.
    ExactSrkn14a, "exact_srkn14a", SRKN14A, "blanes2002",
        "Blanes & Moan's Nyström composition SRKN14a, order 6, with the exact free motion",
        "fourteen kicks Π += a_i h T(Λ, ·) between fifteen exact free motions over b_i h";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, so3};
    use crate::models::{Gravity, Inertia, InitialValueProblem, RigidTop, RotState};
    use crate::schemes::Scheme;
    use crate::schemes::testbed;

    /// The same body in turned axes: same motion, and nothing adds up over many steps.
    #[test]
    fn a_full_tensor_is_the_turned_diagonal_one() {
        let q = so3::exp(&Vec3::new(0.7, -0.4, 1.1));
        let moments = Vec3::new(0.6, 0.8, 1.0);
        let tensor = q * Mat3::from_diagonal(&moments) * q.transpose();
        let omega = Vec3::new(3.0, 0.5, -0.9);
        let (att, lever) = (
            so3::exp(&Vec3::new(0.1, 0.2, 0.3)),
            Vec3::new(0.3, -0.2, 0.5),
        );
        let plain = RigidTop::new(
            Inertia::diagonal(moments).unwrap(),
            Gravity::new(2.0, lever, Vec3::z()),
            RotState { att, omega },
        );
        let full = RigidTop::new(
            Inertia::new((tensor + tensor.transpose()) * 0.5).unwrap(),
            Gravity::new(2.0, q * lever, Vec3::z()),
            RotState {
                att: att * q.transpose(),
                omega: q * omega,
            },
        );
        let a = testbed::run(&ExactStrang {}, &plain, 5.0, 100);
        let b = testbed::run(&ExactStrang {}, &full, 5.0, 100);
        assert!((b.att * q - a.att).norm() < 1e-12);
        assert!((q.tr_mul(&b.omega) - a.omega).norm() < 1e-12);
        let long = testbed::run(&ExactStrang {}, &full, 1000.0, 20_000);
        assert!(so3::orthogonality_defect(&long.att) < 5e-13);
        assert!(
            (full.momentum_space(&long).z - full.momentum_space(&full.initial()).z).abs() < 1e-11
        );
    }

    #[test]
    fn a_hopeless_step_is_refused() {
        let top = testbed::body_a();
        for (omega, fail) in [(Vec3::repeat(1e30), true), (Vec3::repeat(f64::NAN), false)] {
            let mut y = RotState {
                omega,
                ..top.initial()
            };
            let mut m = Scheme::start(&ExactStrang {}, &top, 0.0, 0.1, &mut y).unwrap();
            let out = Scheme::step(&ExactStrang {}, &top, 0.0, 0.1, &mut y, &mut m);
            let too_fast = matches!(out, Err(StepFail::TooFast { .. }));
            assert_eq!((out.is_err(), too_fast), (true, fail));
        }
    }
}
