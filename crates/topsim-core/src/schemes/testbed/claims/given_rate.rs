//! Judging a scheme of a given rate.

use super::Numbers;
use crate::math::so3;
use crate::models::bodies::manufactured;
use crate::schemes::given_rate::tests::{assert_is, constant, order};
use crate::schemes::testbed::there_and_back;
use crate::schemes::{Energy, Momentum, RateScheme, SchemeInfo, steps};

/// Asserts all that the description of a scheme of a given rate claims, true where claimed and false where not.
pub(crate) fn given_rate<S: RateScheme>(scheme: &S, info: &SchemeInfo, numbers: &Numbers) {
    let claims = info.claims;
    let order = order(scheme, numbers.steps(claims.order));
    let off = order - f64::from(claims.order);
    assert!(off.abs() < 0.05, "order {order}");
    let problem = manufactured();
    let back = there_and_back(scheme, &problem, 0.05, 20);
    let left = so3::angle_between(&back, &problem.initial);
    assert_eq!(left < 1e-13, claims.reversible, "irreversibility {left}");
    let mut att = problem.initial;
    let effort = steps::advance(scheme, &problem, (0.0, 0.1, 3), &mut att, &|| true).unwrap();
    assert!(claims.torque_evaluations.agree(&effort), "{effort:?}");
    assert!(so3::orthogonality_defect(&att) < 1e-15);
    // These claims are about a body, and here there is none.
    let none = (false, Energy::None, Momentum::None);
    assert_eq!((claims.symplectic, claims.energy, claims.momentum), none);
    if let Some((power, value)) = numbers.coning {
        assert_is(&constant(scheme), power, value);
    }
}
