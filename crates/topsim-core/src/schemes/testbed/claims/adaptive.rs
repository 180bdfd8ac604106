//! Judging a scheme that divides its steps to a tolerance: its inner steps one by one, and errors against the tolerance.

use super::rotation::assert_failure;
use crate::math::{Vec3, so3};
use crate::models::{Frame, InitialValueProblem, RigidTop, RotState, Sin2Pulse, Torque, bodies};
use crate::schemes::adaptive::{Adaptive, InnerSteps};
use crate::schemes::testbed::{
    advance, axes_defect_a, body_a, body_f, body_pulsed, distance, drift_f, irreversibility_a, run,
    symplectic_defect_a,
};
use crate::schemes::{
    Effort, Energy, Memory, Momentum, QuatDormandPrince8, Scheme, SchemeInfo, Step,
};

/// Tolerances between which errors are compared. Two decades make the changes of a step at their ends small.
const TOLERANCES: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

/// Steps of a run over t = 2, so that most rows lie within inner steps.
const ROWS: u32 = 37;

/// Asserts all that the description claims of the scheme that `made` makes of a tolerance, true where claimed and false where not.
pub(crate) fn adaptive(made: &dyn Fn(f64) -> Adaptive, info: &SchemeInfo) {
    let claims = info.claims;
    inner_steps(&made(1e-6), info, &body_a());
    inner_steps(&made(1e-6), info, &body_pulsed());
    smooth(&made(1e-8));
    sharp(&made(1e-8));
    proportional(made, info, &body_a());
    proportional(made, info, &body_pulsed());
    let scheme = made(1e-4);
    let back = irreversibility_a(&scheme, 0.1);
    assert_eq!(back < 1e-11, claims.reversible, "irreversibility {back}");
    let defect = symplectic_defect_a(&scheme, 1.0);
    assert_eq!(
        defect < 1e-11,
        claims.symplectic,
        "symplectic defect {defect}"
    );
    let drift = |tolerance| drift_f(&made(tolerance), 0.1, 100);
    let [(coarse, momentum), (fine, _)] = [drift(1e-5), drift(1e-9)];
    let power = libm::log10((coarse / fine).abs()) / 4.0;
    let found = (power - 1.0).abs() < 0.15;
    assert_eq!(
        found,
        claims.energy == Energy::WithTolerance,
        "energy {coarse}, {fine}: {power}"
    );
    let exact = claims.momentum == Momentum::Exact;
    assert_eq!(momentum < 1e-12, exact, "momentum {momentum}");
    for h in [0.1, -0.1] {
        let top = body_a();
        let effort = advance(&made(1e-8), &top, 0.0, h, 3, &mut top.initial());
        assert!(claims.torque_evaluations.agree(&effort), "{effort:?}");
    }
    let axes = axes_defect_a(&scheme);
    assert!(axes < 1e-12, "other body axes change the motion by {axes}");
    assert_failure(&scheme);
}

/// Asserts the power of the estimate, the order of the rule and that of the dense output, by one inner step from the start and one of
/// half its length.
fn inner_steps<T: Torque>(scheme: &Adaptive, info: &SchemeInfo, top: &RigidTop<T>) {
    let pair = info.adaptive.expect("claims of inner steps");
    let longest = match info.claims.order {
        ..=4 => 0.02,
        5..=6 => 0.04,
        _ => 0.15,
    };
    let measured = |h: f64| {
        let at = Step::new(top, 0.0, h);
        let mut m = InnerSteps::start(&at, &top.initial()).unwrap();
        let mut trial = scheme.trial(&at, &m);
        scheme.prepare(&at, &mut trial, &mut m);
        let off = |part: f64| {
            let (q, pi) = scheme.read(part, &m);
            let y = RotState {
                att: so3::matrix_from_quat(&q),
                omega: top.inertia().solve(&pi),
            };
            distance(&y, &run(&QuatDormandPrince8 {}, top, part * h, 40))
        };
        let between = [0.2, 0.35, 0.5, 0.65, 0.8].map(off);
        [trial.error, off(1.0), between.iter().sum()]
    };
    let (coarse, fine) = (measured(longest), measured(0.5 * longest));
    let of_order = f64::from(info.claims.order + 1);
    for (i, (what, claimed)) in [
        ("estimate", f64::from(pair.estimate)),
        ("error", of_order),
        ("dense output", f64::from(pair.dense + 1)),
    ]
    .into_iter()
    .enumerate()
    {
        let power = libm::log2(coarse[i] / fine[i]);
        assert!(
            (power - claimed).abs() < 0.3,
            "{what}: h^{power}, claimed h^{claimed}: {:e}, {:e}",
            coarse[i],
            fine[i]
        );
    }
}

/// Asserts that errors at the end fall with the claimed power of the tolerance, and are of its size.
fn proportional<T: Torque>(made: &dyn Fn(f64) -> Adaptive, info: &SchemeInfo, top: &RigidTop<T>) {
    let exact = run(&QuatDormandPrince8 {}, top, 2.0, 400);
    let errors =
        TOLERANCES.map(|tolerance| distance(&run(&made(tolerance), top, 2.0, ROWS), &exact));
    let power = libm::log10(errors[0] / errors[3]) / 6.0;
    let claimed = info.proportionality().expect("claims of inner steps");
    assert!(
        (power - claimed).abs() < 0.1,
        "tolerance^{power}, claimed {claimed}"
    );
    for (error, tolerance) in errors.iter().zip(TOLERANCES) {
        assert!(
            *error < 100.0 * tolerance,
            "{error:e} at the tolerance {tolerance:e}"
        );
    }
}

/// Returns the effort of each of 40 steps of 0.05.
fn efforts<T: Torque>(scheme: &Adaptive, top: &RigidTop<T>) -> Vec<Effort> {
    let (h, mut y) = (0.05, top.initial());
    let mut memory = Scheme::start(scheme, top, 0.0, h, &mut y).unwrap();
    let mut step = |k: u32| Scheme::step(scheme, top, f64::from(k) * h, h, &mut y, &mut memory);
    (0..40).map(|k| step(k).unwrap()).collect()
}

/// Asserts that steps are rejected where a pulse of 0.1 s begins and ends, and that the motion is followed through it.
fn sharp(scheme: &Adaptive) {
    let top = bodies::body(Sin2Pulse {
        amplitude: Vec3::new(10.0, -5.0, 7.0),
        frame: Frame::Space,
        rate: 10.0 * core::f64::consts::PI,
        from: 1.0,
        until: 1.1,
    });
    let rejected: Vec<u32> = efforts(scheme, &top).iter().map(|e| e.rejected).collect();
    let near: u32 = rejected[14..24].iter().sum();
    let all: u32 = rejected.iter().sum();
    assert!(near >= 1 && 4 * near >= 3 * all, "rejected {rejected:?}");
    let exact = run(&QuatDormandPrince8 {}, &top, 2.0, 8000);
    let error = distance(&run(scheme, &top, 2.0, 40), &exact);
    assert!(
        error < 1000.0 * scheme.tolerance,
        "error {error:e} behind a pulse"
    );
}

/// Asserts that few tries are rejected on a smooth motion: the control knows by how much to shorten a step.
fn smooth(scheme: &Adaptive) {
    let all = efforts(scheme, &body_f());
    let (tries, rejected) = all.iter().fold((0, 0), |(tries, rejected), e| {
        (
            tries + e.torque / scheme.pair.rule.weights.len() as u32,
            rejected + e.rejected,
        )
    });
    assert!(
        10 * rejected <= tries,
        "{rejected} of {tries} tries rejected"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::registry::find;
    use crate::schemes::adaptive::{CONTROL, Control};
    use crate::schemes::pairs::{DORMAND_PRINCE, EmbeddedPair};

    /// Judges a pair and a control by the claims of `adaptive_dormand_prince`, and returns the reason why they are refused.
    fn refusal(pair: EmbeddedPair, control: Control) -> Option<String> {
        let pair: &'static EmbeddedPair = Box::leak(Box::new(pair));
        let info = find("adaptive_dormand_prince").unwrap().info;
        let made = move |tolerance| Adaptive {
            pair,
            control,
            tolerance,
        };
        let judged = std::panic::catch_unwind(|| adaptive(&made, &info));
        judged
            .err()
            .map(|why| why.downcast_ref::<String>().unwrap().clone())
    }

    #[test]
    fn wrong_pairs_and_controls_are_refused_by_the_claim_that_they_break() {
        assert_eq!(refusal(DORMAND_PRINCE, CONTROL), None);
        const ESTIMATE: &[f64] = &[
            71.0 / 57600.0,
            0.0,
            -70.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339_200.0,
            22.0 / 525.0,
            -1.0 / 40.0,
        ];
        const DENSE: &[&[f64]] = &[&[-1.2, 0.0, 87_487_479_700.0 / 32_700_410_799.0]];
        for (pair, control, by) in [
            (
                EmbeddedPair {
                    estimate: ESTIMATE,
                    ..DORMAND_PRINCE
                },
                CONTROL,
                "estimate",
            ),
            (
                EmbeddedPair {
                    dense: &[],
                    ..DORMAND_PRINCE
                },
                CONTROL,
                "dense output",
            ),
            (
                EmbeddedPair {
                    dense: DENSE,
                    ..DORMAND_PRINCE
                },
                CONTROL,
                "dense output",
            ),
            (
                EmbeddedPair {
                    power: 4,
                    ..DORMAND_PRINCE
                },
                Control {
                    gain: 0.5,
                    ..CONTROL
                },
                "tolerance^",
            ),
            (
                DORMAND_PRINCE,
                Control {
                    gain: 2.0,
                    ..CONTROL
                },
                "tries rejected",
            ),
            (
                DORMAND_PRINCE,
                Control {
                    accepts: f64::INFINITY,
                    ..CONTROL
                },
                "rejected [",
            ),
        ] {
            let why = refusal(pair, control).unwrap_or_else(|| panic!("{by}: it passes"));
            assert!(why.starts_with(by) || why.contains(by), "{by}: {why}");
        }
    }
}
