//! Judging a scheme of constrained systems, on jointed bodies without any symmetry.

use super::Numbers;
use crate::models::{InitialValueProblem, JointedBody, bodies};
use crate::schemes::testbed::jointed::{
    distance, energy_trend, irreversibility, order_of, symplectic_defect, vertical_drift,
};
use crate::schemes::{Energy, Momentum, Scheme, SchemeInfo, steps};

/// Steps over t = 2 at which orders up to four show.
const STEPS: u32 = 100;

/// Asserts all that the description of a scheme claims, true where claimed and false where not.
pub(crate) fn constrained<S: Scheme<JointedBody>>(
    scheme: &S,
    info: &SchemeInfo,
    numbers: &Numbers,
) {
    constrained_motion(scheme, info, numbers);
    let trend = |h, end| energy_trend(scheme, &bodies::floating_f(), h, end);
    match info.claims.energy {
        Energy::Exact => {
            // The bound is the rounding of 5000 steps.
            let (rise, swing) = trend(0.1, 500.0);
            assert!(rise.abs() < 1e-11 && swing < 1e-11, "{rise:e}, {swing:e}");
        }
        Energy::Bounded => {
            let (rise, swing) = trend(0.1, 500.0);
            assert!(
                swing > 1e-11 && rise.abs() < 0.02 * swing,
                "{rise:e}, {swing:e}"
            );
        }
        Energy::Gains(power) => assert_trend(trend, 1.0, power),
        Energy::Loses(power) => assert_trend(trend, -1.0, power),
        other => panic!("no constrained body shows {other}"),
    }
}

/// The means of the first and the last of four long parts are compared, so that the swing of order h² does not count.
fn assert_trend(trend: impl Fn(f64, f64) -> (f64, f64), sign: f64, power: u8) {
    let [coarse, fine] = [0.1, 0.05].map(|h| sign * trend(h, 2000.0).0);
    assert!(coarse > 0.0 && fine > 0.0, "{coarse:e} {fine:e}");
    let measured = libm::log2(coarse / fine);
    assert!((measured - f64::from(power)).abs() < 0.2, "h^{measured}");
}

/// Asserts the claims other than that of the energy.
pub(crate) fn constrained_motion<S: Scheme<JointedBody>>(
    scheme: &S,
    info: &SchemeInfo,
    numbers: &Numbers,
) {
    let claims = info.claims;
    for jointed in [bodies::jointed_a(), bodies::driven_a(), bodies::thrown_a()] {
        let order = order_of(scheme, &jointed, numbers.steps.unwrap_or(STEPS), distance);
        let off = order - f64::from(claims.order);
        assert!(off.abs() < 0.05, "order {order}");
        let back = irreversibility(scheme, &jointed);
        assert!(
            !claims.reversible || back < 1e-12,
            "irreversibility {back:e}"
        );
    }
    let jointed = bodies::jointed_a();
    let back = irreversibility(scheme, &jointed);
    holds("irreversibility", back, 1e-12, claims.reversible);
    let defect = symplectic_defect(scheme, &jointed);
    holds("symplectic defect", defect, 1e-11, claims.symplectic);
    let vertical = vertical_drift(scheme, &jointed).abs();
    holds("L_z", vertical, 1e-13, claims.momentum == Momentum::Exact);
    let mut y = jointed.initial();
    let work = steps::advance(scheme, &jointed, (0.0, 0.02, 3), &mut y, &|| true).unwrap();
    assert!(claims.torque_evaluations.agree(&work), "{work:?}");
}

/// Round-off where it is claimed, and far above it where it is not.
fn holds(what: &str, found: f64, noise: f64, claimed: bool) {
    let right = if claimed { found < noise } else { found > 1e-6 };
    assert!(right, "{what} {found:e}, claimed: {claimed}");
}
