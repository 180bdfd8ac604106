//! Measurements of schemes of a given rate, and wrong twins that they reject.

use super::coning::small_cone;
use super::rotation_vector::combined;
use super::*;
use crate::models::bodies::{coning, manufactured};
use crate::models::{Model, RateModel};
use crate::reference::given_motion;
use crate::schemes::steps;

/// Returns the distance (rad) from the exact attitude after the time `end`, in `n` steps.
pub(crate) fn error<S: RateScheme>(
    scheme: &S,
    problem: &GivenRate<RateModel>,
    end: f64,
    n: u32,
) -> f64 {
    let mut att = problem.initial;
    let h = end / f64::from(n);
    steps::advance(scheme, problem, (0.0, h, n.into()), &mut att, &|| true).unwrap();
    let exact = given_motion(&Model::GivenRate(problem.clone()), 0.0).unwrap();
    let mut row = vec![0.0; exact.columns().width()];
    exact.row(end, &mut row);
    so3::angle_between(&att, &Mat3::from_row_slice(&row[..9]))
}

pub(crate) fn order<S: RateScheme>(scheme: &S, n: u32) -> f64 {
    let [coarse, fine] = [n, 2 * n].map(|n| error(scheme, &manufactured(), 2.0, n));
    libm::log2(coarse / fine)
}

pub(crate) fn constant<S: RateScheme>(scheme: &S) -> ErrorConstant {
    let update = |x: f64| {
        let mut att = Mat3::identity();
        steps::advance(scheme, &small_cone(), (0.0, x, 1), &mut att, &|| true).ok()?;
        Some(att)
    };
    ErrorConstant::of(update).unwrap()
}

pub(crate) fn assert_is(found: &ErrorConstant, power: i32, constant: f64) {
    assert_eq!(found.power, power, "{found:?}");
    assert!((found.constant / constant - 1.0).abs() < 2e-6, "{found:?}");
}

/// `rotvec_2` with another weight of its coning term.
pub(crate) struct WrongConing(pub f64);

impl RotationVector for WrongConing {
    fn vector(&self, rate: &impl Rate, (t, h): (f64, f64)) -> (Vec3, u32) {
        let (sum, _) = combined::<2>(rate, (t, h), &[]);
        let half = |k: f64| rate.increment(t + 0.5 * k * h, t + 0.5 * (k + 1.0) * h);
        (sum + half(0.0).cross(&half(1.0)) * self.0, 2)
    }
}

#[test]
fn without_its_coning_term_the_two_sample_update_has_order_two() {
    assert!((order(&WrongConing(2.0 / 3.0), 100) - 4.0).abs() < 0.05);
    for wrong in [0.0, -2.0 / 3.0, 0.6] {
        let order = order(&WrongConing(wrong), 400);
        assert!((order - 2.0).abs() < 0.05, "{wrong}: {order}");
    }
}

/// Exact for a rate along one axis, whatever it does in time, where increments are taken.
#[test]
fn turns_about_a_fixed_axis_are_exact_by_increments() {
    let RateModel::Product(mut product) = manufactured().rate else {
        unreachable!()
    };
    product.factors.truncate(1);
    let problem = GivenRate {
        rate: RateModel::Product(product),
        ..manufactured()
    };
    for error in [
        error(&Rotvec1 {}, &problem, 2.0, 10),
        error(&Rotvec4 {}, &problem, 2.0, 10),
    ] {
        assert!(error < 1e-14, "{error}");
    }
    assert!(error(&ExpMidpoint {}, &problem, 2.0, 10) > 1e-6);
}

/// Over a long run of coning one sample an update drifts at the rate −φ² Ω (ΩH)²/12 about the axis of the cone, to the digits
/// that H leaves.
#[test]
fn one_sample_drifts_about_the_axis_of_the_cone() {
    let (h, n) = (0.01, 20_000);
    let drift = error(&Rotvec1 {}, &coning(), h * f64::from(n), n);
    let expected = 0.01 * 5.0 * 0.05 * 0.05 / 12.0 * h * f64::from(n);
    assert!((drift / expected - 1.0).abs() < 0.01, "{drift} {expected}");
}
