//! Judging a scheme of rotations with the measurements of the test bed.

use super::{Numbers, ROUND_OFF};
use crate::models::{InitialValueProblem, bodies};
use crate::schemes::testbed::{
    advance, axes_defect_a, body_a, body_pulsed, drift_f, energy_trend_f, errors_f,
    irreversibility_a, settled_order, symplectic_defect_a, vertical_drift_a,
};
use crate::schemes::{ClaimTest, Energy, Momentum, RotationScheme, Scheme, SchemeInfo};

/// Asserts all that the description of a scheme claims, true where claimed and false where not.
pub(crate) fn rotation<S: RotationScheme>(scheme: &S, info: &SchemeInfo, numbers: &Numbers) {
    let claims = info.claims;
    let judging = claims.judging();
    let steps = numbers.steps(claims.order);
    let order = if judging.order_on_a {
        settled_order(scheme, info, &body_a(), steps)
    } else {
        settled_order(scheme, info, &bodies::heavy_top(), steps)
    };
    assert!(info.shows_order(order, 0.05), "order {order}");
    if let Some((att, pi)) = numbers.free_errors {
        let (a, p) = errors_f(scheme);
        let near = |found: f64, known: f64| {
            if (att, pi) == ROUND_OFF {
                found < 1e-13
            } else {
                // The known value has two digits, so that half a unit of the second is allowed.
                (found / known - 1.0).abs() < 0.05
            }
        };
        assert!(near(a, att), "attitude error {a}");
        assert!(near(p, pi), "momentum error {p}");
    }
    let long = judging.stretch;
    let back = irreversibility_a(scheme, 0.05 * long);
    assert_eq!(back < 1e-11, claims.reversible, "irreversibility {back}");
    let defect = symplectic_defect_a(scheme, 0.2 * long);
    assert_eq!(
        defect < 1e-11,
        claims.symplectic,
        "symplectic defect {defect}"
    );
    let (energy, momentum) = drift_f(scheme, 0.1 * long, 100);
    let exact = claims.energy == Energy::Exact;
    assert_eq!(energy.abs() < 1e-12, exact, "energy {energy}");
    let exact = claims.momentum == Momentum::Exact;
    assert_eq!(momentum < 1e-12, exact, "momentum {momentum}");
    let vertical = vertical_drift_a(scheme, 0.1 * long, 100).abs();
    assert_eq!(vertical < 1e-12, exact, "L_z {vertical}");
    for h in [0.1, -0.1] {
        let top = body_a();
        let effort = advance(scheme, &top, 0.0, h, 3, &mut top.initial());
        assert!(claims.torque_evaluations.agree(&effort), "{effort:?}");
        assert!(effort.iterations <= 8, "{effort:?}");
        if effort.iterations > 0 {
            assert_failure(scheme);
        }
    }
    if judging.order_on_a {
        let order = settled_order(scheme, info, &body_pulsed(), steps);
        assert!(
            info.shows_order(order, 0.05),
            "order {order} where the torque varies in time"
        );
    }
    let axes = axes_defect_a(scheme);
    assert!(
        axes < 1e-12,
        "other body axes change the motion by {axes}; every scheme of the catalogue is independent of them"
    );
    let trend = |h, end| energy_trend_f(scheme, h, end);
    match claims.energy {
        // A test in `engines.rs` says where such a body ends.
        Energy::Exact | Energy::ToIntermediateAxis | Energy::None => {}
        Energy::WithTolerance => panic!("a scheme of fixed steps has no tolerance"),
        Energy::Bounded => {
            let (rise, swing) = trend(0.1, 2000.0);
            assert!(rise.abs() < 0.02 * swing, "rise {rise}, swing {swing}");
        }
        Energy::Gains(power) => assert_trend(trend, 1.0, power, &judging),
        Energy::Loses(power) => assert_trend(trend, -1.0, power, &judging),
    }
}

/// Returns a trend of this sign that falls with this power of h.
fn assert_trend(trend: impl Fn(f64, f64) -> (f64, f64), sign: f64, power: u8, judging: &ClaimTest) {
    // A first-order drift soon blows up: it is looked at with short steps, over a short time, and
    // needs no long one to stand out.
    let (h, end) = if power == 1 {
        ([1e-3, 5e-4], 20.0)
    } else {
        judging.trend
    };
    let (coarse, swing) = trend(h[0], end);
    let (fine, _) = trend(h[1], end);
    assert!(
        sign * fine > 0.0 && coarse.abs() > swing,
        "rises {coarse}, {fine}; swing {swing}"
    );
    let measured = libm::log(coarse / fine) / libm::log(h[0] / h[1]);
    assert!(
        (measured - f64::from(power)).abs() < judging.power,
        "energy drifts as h^{measured}"
    );
}

/// Asserts that a step no solver can make is refused and leaves the state alone.
pub(super) fn assert_failure<S: RotationScheme>(scheme: &S) {
    let top = body_a();
    for factor in [1e200, f64::NAN] {
        let mut y = top.initial();
        y.omega *= factor;
        let before = y;
        let mut memory = Scheme::start(scheme, &top, 0.0, 0.1, &mut y).unwrap();
        assert!(Scheme::step(scheme, &top, 0.0, 0.1, &mut y, &mut memory).is_err());
        assert!(y == before || factor.is_nan());
    }
}
