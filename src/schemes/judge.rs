//! Judging a scheme by its own description, with the measurements of the test bed.

use super::testbed::{
    advance, axes_defect_a, body_a, body_pulsed, drift_f, energy_trend_f, errors_f,
    irreversibility_a, order_a, order_on, symplectic_defect_a, vertical_drift_a,
};
use super::{Described, Energy, Momentum, RotationScheme};
use crate::models::Problem;

/// The claims of the property table for schemes without memory of their own.
#[derive(Debug)]
pub struct Expected {
    /// Order on body a.
    pub order: f64,
    /// Steps over t = 2 at which self-convergence shows the order.
    pub steps: u32,
    /// `(‖ΔΛ‖_F, |ΔΠ|)` on body f, to two digits.
    pub errors: Option<(f64, f64)>,
    /// Whether a step back undoes a step.
    pub reversible: bool,
    /// Whether the step map is symplectic.
    pub symplectic: bool,
    /// Whether the energy of body f is exact.
    pub energy_exact: bool,
    /// Whether the spatial momentum of body f is exact.
    pub momentum_exact: bool,
}

/// Asserts each claim, true where claimed and false where not.
pub fn judge<S: RotationScheme>(scheme: &S, e: &Expected) {
    let order = order_a(scheme, e.steps);
    assert!((order - e.order).abs() < 0.05, "order {order}");
    if let Some((att, pi)) = e.errors {
        let (a, p) = errors_f(scheme);
        // Two digits: half a unit of the second.
        assert!((a / att - 1.0).abs() < 0.05, "attitude error {a}");
        assert!((p / pi - 1.0).abs() < 0.05, "momentum error {p}");
    }
    let back = irreversibility_a(scheme);
    assert_eq!(back < 1e-11, e.reversible, "irreversibility {back}");
    let defect = symplectic_defect_a(scheme);
    assert_eq!(defect < 1e-10, e.symplectic, "symplectic defect {defect}");
    let (energy, momentum) = drift_f(scheme, 0.1, 100);
    assert_eq!(energy.abs() < 1e-12, e.energy_exact, "energy {energy}");
    assert_eq!(momentum < 1e-12, e.momentum_exact, "momentum {momentum}");
    let vertical = vertical_drift_a(scheme, 0.1, 100).abs();
    assert_eq!(vertical < 1e-12, e.momentum_exact, "L_z {vertical}");
}

/// Asserts all that a scheme's description claims; order from `steps` steps, `errors` as
/// [`Expected::errors`].
pub fn judge_claims<S: RotationScheme + Described>(
    scheme: &S,
    steps: u32,
    errors: Option<(f64, f64)>,
) {
    let claims = S::INFO.claims;
    judge(
        scheme,
        &Expected {
            order: f64::from(claims.order),
            steps,
            errors,
            reversible: claims.reversible,
            symplectic: claims.symplectic,
            energy_exact: claims.energy == Energy::Exact,
            momentum_exact: claims.momentum == Momentum::Exact,
        },
    );
    for h in [0.1, -0.1] {
        let top = body_a();
        let effort = advance(scheme, &top, 0.0, h, 3, &mut top.initial());
        assert!(claims.torque_evaluations.agree(&effort), "{effort:?}");
        assert!(effort.iterations <= 8, "{effort:?}");
        if effort.iterations > 0 {
            judge_failure(scheme);
        }
    }
    let order = order_on(scheme, &body_pulsed(), steps);
    assert!(
        (order - f64::from(claims.order)).abs() < 0.05,
        "order {order} where the torque varies in time"
    );
    let axes = axes_defect_a(scheme);
    assert!(axes < 1e-12, "other body axes change the motion by {axes}");
    let trend = |h, end| energy_trend_f(scheme, h, end);
    match claims.energy {
        Energy::Exact => {}
        Energy::Bounded => {
            let (rise, swing) = trend(0.1, 2000.0);
            assert!(rise.abs() < 0.02 * swing, "rise {rise}, swing {swing}");
        }
        Energy::Gains(power) => judge_trend(trend, 1.0, power),
        Energy::Loses(power) => judge_trend(trend, -1.0, power),
    }
}

/// A trend of this sign that falls with this power of h.
fn judge_trend(trend: impl Fn(f64, f64) -> (f64, f64), sign: f64, power: u8) {
    let (coarse, swing) = trend(0.05, 500.0);
    let (fine, _) = trend(0.025, 500.0);
    assert!(
        sign * fine > 0.0 && coarse.abs() > swing,
        "rises {coarse}, {fine}; swing {swing}"
    );
    let measured = libm::log2(coarse / fine);
    assert!(
        (measured - f64::from(power)).abs() < 0.25,
        "energy drifts as h^{measured}"
    );
}

/// Asserts that a step no solver can make is refused and leaves the state alone.
fn judge_failure<S: RotationScheme>(scheme: &S) {
    let top = body_a();
    for factor in [1e200, f64::NAN] {
        let mut y = top.initial();
        y.omega *= factor;
        let before = y;
        let mut memory = RotationScheme::start(scheme, &top, 0.0, 0.1, &mut y).unwrap();
        assert!(RotationScheme::step(scheme, &top, 0.0, 0.1, &mut y, &mut memory).is_err());
        assert!(y == before || factor.is_nan());
    }
}
