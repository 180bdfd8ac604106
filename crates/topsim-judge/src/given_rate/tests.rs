//! Solvers written from scratch, right ones and wrong ones.

use super::*;
use crate::defect::{Defect, ModelDefect, SchemeDefect};
use crate::identification::euler::Sequence;
use crate::protocol::SAMPLES;
use topsim_core::math::{Mat3, Vec3, quaternion, so3};
use topsim_core::models::Rate;

/// What a solver has of an update: increments and values at their ends, the time between samples, and the attitude before.
struct Update<'a> {
    increments: &'a [Vec3],
    values: &'a [Vec3],
    interval: f64,
    /// The increment before; zero at the start.
    before: Vec3,
}

impl Update<'_> {
    fn sum(&self) -> Vec3 {
        self.increments.iter().sum()
    }
    fn length(&self) -> f64 {
        self.interval * self.increments.len() as f64
    }
}

/// Identifies a solver that makes an attitude of the one before in updates of so many samples.
fn identified(samples: usize, step: impl Fn(&Mat3, &Update) -> Mat3 + Sync) -> Identification {
    identify(&|questions: Vec<Question>| {
        let answer = |q: &Question| {
            let interval = q.step / f64::from(SAMPLES);
            let time = |k: usize| k as f64 * interval;
            let count = SAMPLES as usize * q.steps as usize;
            let rate = &q.given.rate;
            let increments: Vec<Vec3> = (0..count)
                .map(|k| rate.increment(time(k), time(k + 1)))
                .collect();
            let values: Vec<Vec3> = (0..=count).map(|k| rate.at(time(k))).collect();
            let mut att = q.given.initial;
            let mut rows = vec![att];
            for k in (0..count).step_by(samples) {
                let before = if k == 0 {
                    Vec3::zeros()
                } else {
                    increments[k - 1]
                };
                let update = Update {
                    increments: &increments[k..k + samples],
                    values: &values[k..=k + samples],
                    interval,
                    before,
                };
                att = step(&att, &update);
                if (k + samples).is_multiple_of(SAMPLES as usize) {
                    rows.push(att);
                }
            }
            Ok(rows)
        };
        questions.iter().map(answer).collect()
    })
}

fn named(found: &Identification) -> Vec<Defect> {
    found.claims.iter().map(|c| c.id).collect()
}

fn two_samples(att: &Mat3, u: &Update, weight: f64) -> Mat3 {
    att * so3::exp(&(u.sum() + u.increments[0].cross(&u.increments[1]) * weight))
}

#[test]
fn right_solvers_have_no_defect_and_their_rule_is_named() {
    let found = identified(2, |att, u| two_samples(att, u, 2.0 / 3.0));
    assert_eq!(named(&found), []);
    let rule = found.scheme.join(" ");
    assert!(
        rule.contains("`rotvec_2` in updates of 2 samples"),
        "{rule}"
    );
    assert!(rule.contains("(ΩH)^4/960.00, H its update"), "{rule}");
    let found = identified(12, |att, u| att * so3::exp(&(u.values[6] * u.length())));
    assert_eq!(named(&found), []);
    assert!(
        found.scheme[0].contains("`exp_midpoint`"),
        "{:?}",
        found.scheme
    );
    // A rule that the catalogue does not have: the mean of the values at both ends.
    let found = identified(4, |att, u| {
        att * so3::exp(&((u.values[0] + u.values[4]) * (0.5 * u.length())))
    });
    assert_eq!(named(&found), []);
    assert!(
        found
            .scheme
            .join(" ")
            .contains("without a coning term, in updates of 4 samples"),
        "{:?}",
        found.scheme
    );
}

#[test]
fn a_missing_coning_term_is_told_from_a_wrong_one() {
    for samples in [2, 3, 4, 6, 12] {
        let found = identified(samples, |att, u| att * so3::exp(&u.sum()));
        assert_eq!(
            named(&found),
            [SchemeDefect::ConingTerm.into()],
            "{samples}"
        );
        assert!(found.claims[0].name.contains("missing"));
        assert!(
            found.claims[0]
                .evidence
                .contains(&format!("updates of {samples} samples"))
        );
    }
    for weight in [-2.0 / 3.0, 4.0 / 3.0, 0.4] {
        let found = identified(2, |att, u| two_samples(att, u, weight));
        assert_eq!(named(&found), [SchemeDefect::ConingTerm.into()], "{weight}");
        let words = format!(
            "{:.2} of the right one in updates of 2 samples",
            1.5 * weight
        );
        assert!(
            found.claims[0].evidence.contains(&words),
            "{}",
            found.claims[0].evidence
        );
    }
    // One increment has none.
    let found = identified(1, |att, u| att * so3::exp(&u.sum()));
    assert_eq!(named(&found), []);
    assert!(found.scheme[0].contains("`rotvec_1`"), "{:?}", found.scheme);
}

#[test]
fn an_increment_in_space_is_told() {
    let found = identified(1, |att, u| so3::exp(&u.sum()) * att);
    assert_eq!(named(&found), [ModelDefect::BodyRateInSpace.into()]);
}

#[test]
fn rates_taken_as_derivatives_of_euler_angles_are_told() {
    for sequence in Sequence::all() {
        let found = identified(1, |att, u| {
            let angles = sequence.angles(att);
            let sum = u.sum();
            sequence.matrix([0, 1, 2].map(|i| angles[i] + sum[sequence.0[i]]))
        });
        let proper = sequence.0[0] == sequence.0[2];
        if !proper {
            assert_eq!(
                named(&found),
                [ModelDefect::EulerRates.into()],
                "{}",
                sequence.name()
            );
            assert!(found.claims[0].evidence.contains(&sequence.name()));
        }
    }
    // φ, θ, ψ of zxz by the components in their order.
    let sequence = Sequence([2, 0, 2]);
    let found = identified(1, |att, u| {
        let (angles, sum) = (sequence.angles(att), u.sum());
        sequence.matrix([0, 1, 2].map(|i| angles[i] + sum[i]))
    });
    assert_eq!(named(&found), [ModelDefect::EulerRates.into()]);
}

#[test]
fn turns_of_another_size_are_told() {
    for (factor, defect) in [
        (-1.0, ModelDefect::TurnReversed),
        (2.0, ModelDefect::TurnDoubled),
        (0.5, ModelDefect::TurnHalved),
        (core::f64::consts::PI / 180.0, ModelDefect::TurnInDegrees),
        (1.3, ModelDefect::TurnFactor),
    ] {
        let found = identified(2, |att, u| att * so3::exp(&(u.sum() * factor)));
        assert_eq!(named(&found)[0], defect.into(), "{factor}");
    }
}

#[test]
fn a_rate_of_another_time_is_told() {
    let late = |found: &Identification| {
        assert_eq!(
            named(found),
            [SchemeDefect::RateTime.into()],
            "{:?}",
            found.claims
        );
        found.claims[0].name.clone()
    };
    let found = identified(1, |att, u| att * so3::exp(&(u.values[0] * u.interval)));
    assert_eq!(late(&found), "the rate is half a sample late");
    let found = identified(1, |att, u| att * so3::exp(&(u.values[1] * u.interval)));
    assert_eq!(late(&found), "the rate is half a sample early");
    let found = identified(1, |att, u| att * so3::exp(&u.before));
    assert_eq!(late(&found), "the rate is one sample late");
    let found = identified(12, |att, u| att * so3::exp(&(u.values[0] * u.length())));
    assert!(late(&found).contains("too late"));
    assert!(found.claims[0].evidence.contains("6 of an interval"));
}

#[test]
fn first_order_updates_of_the_attitude_are_told() {
    let quaternion = |att: &Mat3, turn: &Vec3| {
        let q = so3::quat_from_matrix(att);
        let slope = quaternion::times_vector(&q, &(turn * 0.5));
        so3::matrix_from_quat(&core::array::from_fn(|i| q[i] + slope[i]))
    };
    for samples in [1, 4, 12] {
        let found = identified(samples, |att, u| quaternion(att, &u.sum()));
        assert_eq!(named(&found)[0], SchemeDefect::AttitudeUpdate.into());
        assert!(found.claims[0].evidence.contains("2 atan(x/2)"));
    }
    // With the rate of the start, both.
    let found = identified(1, |att, u| quaternion(att, &(u.values[0] * u.interval)));
    assert_eq!(
        named(&found),
        [
            SchemeDefect::AttitudeUpdate.into(),
            SchemeDefect::RateTime.into()
        ]
    );
    let found = identified(1, |att, u| {
        let turned = att * (Mat3::identity() + so3::hat(&u.sum()));
        crate::history::nearest_rotation(turned)
    });
    assert_eq!(named(&found), [SchemeDefect::AttitudeUpdate.into()]);
    assert!(found.claims[0].evidence.contains("atan x"));
}

#[test]
fn classical_runge_kutta_is_no_defect() {
    let found = identified(2, |att, u| {
        let q = so3::quat_from_matrix(att);
        let slope = |q: &[f64; 4], w: &Vec3| quaternion::times_vector(q, &(w * 0.5));
        let add = |s: f64, k: &[f64; 4]| core::array::from_fn(|i| q[i] + s * k[i]);
        let h = u.length();
        let k1 = slope(&q, &u.values[0]);
        let k2 = slope(&add(0.5 * h, &k1), &u.values[1]);
        let k3 = slope(&add(0.5 * h, &k2), &u.values[1]);
        let k4 = slope(&add(h, &k3), &u.values[2]);
        let sum = core::array::from_fn(|i| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        so3::matrix_from_quat(&add(h / 6.0, &sum))
    });
    assert_eq!(named(&found), []);
    assert!(
        found.scheme[0].contains("`quat_rate_rk4` in updates of 2 samples"),
        "{:?}",
        found.scheme
    );
}

#[test]
fn who_answers_nothing_is_not_measured() {
    let found = identify(&|questions: Vec<Question>| vec![Err("no".into()); questions.len()]);
    assert_eq!(found.not_measured.as_deref(), Some("no"));
}
