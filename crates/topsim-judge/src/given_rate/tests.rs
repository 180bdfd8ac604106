//! Solvers written from scratch, right ones and wrong ones.

use super::*;
use std::sync::Mutex;
use topsim_core::math::{Mat3, Vec3, quaternion, so3};
use topsim_core::models::Rate;
use topsim_model::defect::{Defect, ModelDefect, SchemeDefect};
use topsim_model::euler::Sequence;
use topsim_protocol::problem::SAMPLES;

/// What a solver has of an update: increments and values at their ends, the time between samples, and the attitude before.
struct Update<'a> {
    increments: &'a [Vec3],
    values: &'a [Vec3],
    interval: f64,
    /// The increments and the first value of the update before; there are none at the start.
    earlier: &'a [Vec3],
    value_before: Option<Vec3>,
}

impl Update<'_> {
    fn sum(&self) -> Vec3 {
        self.increments.iter().sum()
    }
    fn length(&self) -> f64 {
        self.interval * self.increments.len() as f64
    }
    /// The increment before; zero at the start.
    fn before(&self) -> Vec3 {
        self.earlier.last().copied().unwrap_or_default()
    }
}

/// Identifies a solver that makes an attitude of the one before in updates of so many samples.
fn identified(samples: usize, step: impl Fn(&Mat3, &Update) -> Mat3 + Sync) -> Identification {
    identify(&|questions: Vec<RateProbe>| {
        let answer = |q: &RateProbe| {
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
                let update = Update {
                    increments: &increments[k..k + samples],
                    values: &values[k..=k + samples],
                    interval,
                    earlier: &increments[k.saturating_sub(samples)..k],
                    value_before: k.checked_sub(samples).map(|k| values[k]),
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
        assert!(found.claims[0].name().contains("missing"));
        assert!(
            found.claims[0]
                .evidence()
                .contains(&format!("updates of {samples} samples"))
        );
    }
    for weight in [-2.0 / 3.0, 4.0 / 3.0, 0.4] {
        let found = identified(2, |att, u| two_samples(att, u, weight));
        assert_eq!(named(&found), [SchemeDefect::ConingTerm.into()], "{weight}");
        let words = format!(
            "{} of the right one in updates of 2 samples: {} θ1×θ2",
            (15e3 * weight).round() / 1e4,
            (1e4 * weight).round() / 1e4
        );
        assert!(
            found.claims[0].evidence().contains(&words),
            "{}",
            found.claims[0].evidence()
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
            assert!(found.claims[0].evidence().contains(&sequence.name()));
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
        (180.0 / core::f64::consts::PI, ModelDefect::TurnFactor),
    ] {
        let found = identified(2, |att, u| att * so3::exp(&(u.sum() * factor)));
        assert_eq!(named(&found)[0], defect.into(), "{factor}");
        let degrees = found.claims[0]
            .evidence()
            .contains("radians taken for degrees");
        assert_eq!(degrees, factor > 10.0, "{}", found.claims[0].evidence());
    }
}

#[test]
fn other_axes_of_the_sensor_and_a_bias_are_told() {
    let said = |by: fn(Vec3) -> Vec3| {
        let found = identified(2, |att, u| att * so3::exp(&by(u.sum())));
        found.claims[0].evidence()
    };
    let evidence = said(|u| Vec3::new(u.y, u.x, -u.z));
    assert!(
        evidence.ends_with("(W1, W2, W3) are taken for (W2, W1, −W3)"),
        "{evidence}"
    );
    let evidence = said(|u| u + Vec3::new(1e-3, 0.0, 0.0));
    assert!(evidence.contains("rad/s more than it is"), "{evidence}");
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
        found.claims[0].name()
    };
    let found = identified(1, |att, u| att * so3::exp(&(u.values[0] * u.interval)));
    assert_eq!(late(&found), "the rate is half a sample late");
    let found = identified(1, |att, u| att * so3::exp(&(u.values[1] * u.interval)));
    assert_eq!(late(&found), "the rate is half a sample early");
    let found = identified(1, |att, u| att * so3::exp(&u.before()));
    assert_eq!(late(&found), "the rate is one sample late");
    for (samples, words) in [
        (12, "half an update (6 samples)"),
        (6, "half an update (3 samples)"),
    ] {
        let found = identified(samples, |att, u| {
            att * so3::exp(&(u.values[0] * u.length()))
        });
        assert_eq!(late(&found), format!("the rate is {words} late"));
        let end = |att: &Mat3, u: &Update| att * so3::exp(&(u.values[samples] * u.length()));
        assert_eq!(
            late(&identified(samples, end)),
            format!("the rate is {words} early")
        );
    }
    let found = identified(12, |att, u| att * so3::exp(&u.earlier.iter().sum()));
    assert_eq!(late(&found), "the rate is one update (12 samples) late");
}

#[test]
fn updates_that_are_not_exact_are_told_and_no_defect() {
    let quaternion = |att: &Mat3, turn: &Vec3| {
        let q = so3::quat_from_matrix(att);
        let slope = quaternion::times_vector(&q, &(turn * 0.5));
        so3::matrix_from_quat(&core::array::from_fn(|i| q[i] + slope[i]))
    };
    for samples in [1, 4, 12] {
        let found = identified(samples, |att, u| quaternion(att, &u.sum()));
        let of_update = |d: &Defect| *d == SchemeDefect::AttitudeUpdate.into();
        assert!(!named(&found).iter().any(of_update));
        assert!(
            found.scheme[0].contains("2 atan(x/2)"),
            "{:?}",
            found.scheme
        );
    }
    // The rate of the start makes order one. These are rows of the catalogue.
    for (samples, late) in [
        (1, "half a sample"),
        (4, "half an update (2 samples)"),
        (12, "half an update (6 samples)"),
    ] {
        let found = identified(samples, |att, u| {
            quaternion(att, &(u.values[0] * u.length()))
        });
        assert_eq!(named(&found), [SchemeDefect::RateTime.into()]);
        assert_eq!(found.claims[0].name(), format!("the rate is {late} late"));
        assert!(
            found.scheme[0].contains("`quat_euler`"),
            "{:?}",
            found.scheme
        );
    }
    let found = identified(1, |att, u| {
        let turned = att * (Mat3::identity() + so3::hat(&u.sum()));
        topsim_model::probe::nearest_rotation(turned)
    });
    assert_eq!(named(&found), []);
    assert!(found.scheme[0].contains("atan x"), "{:?}", found.scheme);
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
    let found = identify(&|questions: Vec<RateProbe>| vec![Err("no".into()); questions.len()]);
    assert_eq!(found.not_measured.as_deref(), Some("no"));
}

/// The coning term summed over the samples of an update (Savage 1998), `weight` of the sample before; zero before the start.
fn summed(att: &Mat3, u: &Update, weight: f64) -> Mat3 {
    let (mut sum, mut coning, mut last) = (Vec3::zeros(), Vec3::zeros(), u.before());
    for now in u.increments {
        coning += (sum + last * weight).cross(now) * 0.5;
        sum += now;
        last = *now;
    }
    att * so3::exp(&(sum + coning))
}

#[test]
fn rules_with_a_memory_are_right() {
    for samples in [2, 4, 12] {
        let found = identified(samples, |att, u| summed(att, u, 1.0 / 6.0));
        assert_eq!(named(&found), [], "{samples}: {:?}", found.claims);
        let rule = found.scheme.join(" ");
        assert!(rule.contains("½ Σ (α + 1/6 θ′)×θ"), "{rule}");
        assert!(rule.contains("before the start as zero"), "{rule}");
        // One sample and the one before make 1/12 as well, in updates of one.
        let found = identified(samples, |att, u| {
            let before: Vec3 = u.earlier.iter().sum();
            att * so3::exp(&(u.sum() + before.cross(&u.sum()) / 12.0))
        });
        assert_eq!(named(&found), [], "{samples}: {:?}", found.claims);
        let rule = found.scheme.join(" ");
        assert!(rule.contains("1/12 θ′×θ"), "{rule}");
    }
    // Its drift is that of later updates: C of Savage's rule, per update of 12 samples, falls like the fourth power.
    let found = identified(12, |att, u| summed(att, u, 1.0 / 6.0));
    assert!(
        found.scheme.join(" ").contains("(ΩH)^4/"),
        "{:?}",
        found.scheme
    );
    // Another weight of the sample before is told, and none is a rule of one sample.
    let found = identified(12, |att, u| summed(att, u, 1.0 / 12.0));
    assert_eq!(named(&found), [SchemeDefect::ConingTerm.into()]);
    let found = identified(12, |att, u| summed(att, u, 0.0));
    assert_eq!(named(&found), []);
    let rule = found.scheme.join(" ");
    assert!(
        rule.contains("½ Σ α×θ over parts of one sample, in updates of 12 samples"),
        "{rule}"
    );
}

#[test]
fn two_step_rules_of_the_rate_are_right() {
    for samples in [1, 3, 12] {
        let found = identified(samples, |att, u| {
            let before = u.value_before.unwrap_or(u.values[0]);
            att * so3::exp(&((u.values[0] * 1.5 - before * 0.5) * u.length()))
        });
        assert_eq!(named(&found), [], "{samples}: {:?}", found.claims);
    }
}

/// Derivatives of the angles of zyx, from their rate in the body; `sign` is 1.
fn euler_rates([_, b, a]: [f64; 3], w: &Vec3, sign: f64) -> [f64; 3] {
    let side = a.sin() * w.y + a.cos() * w.z;
    [
        side / b.cos(),
        a.cos() * w.y - sign * a.sin() * w.z,
        w.x + b.tan() * side,
    ]
}

#[test]
fn euler_angles_that_are_stepped_rightly_have_an_error_of_truncation() {
    let zyx = Sequence([2, 1, 0]);
    let stepped = |att: &Mat3, u: &Update, fourth: bool, sign: f64| {
        let e = zyx.angles(att);
        let add = |s: f64, k: &[f64; 3]| core::array::from_fn(|i| e[i] + s * k[i]);
        let (h, n) = (u.length(), u.values.len() - 1);
        let slope = |e: [f64; 3], w: &Vec3| euler_rates(e, w, sign);
        let k1 = slope(e, &u.values[0]);
        let k2 = slope(add(0.5 * h, &k1), &u.values[n / 2]);
        if !fourth {
            return zyx.matrix(add(h, &k2));
        }
        let k3 = slope(add(0.5 * h, &k2), &u.values[n / 2]);
        let k4 = slope(add(h, &k3), &u.values[n]);
        let sum = core::array::from_fn(|i| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        zyx.matrix(add(h / 6.0, &sum))
    };
    for (samples, fourth) in [(12, true), (4, true), (12, false), (2, false)] {
        let found = identified(samples, |att, u| stepped(att, u, fourth, 1.0));
        assert_eq!(named(&found), [], "{samples}: {:?}", found.claims);
    }
    // One sign of the kinematics, and no step helps.
    let found = identified(12, |att, u| stepped(att, u, true, -1.0));
    assert_eq!(named(&found), [ModelDefect::Unexplained.into()]);
}

#[test]
fn wrong_factors_are_told_from_wrong_rules() {
    for factor in [1.001, 0.97] {
        for samples in [2, 12] {
            let found = identified(samples, |att, u| att * so3::exp(&(u.sum() * factor)));
            assert_eq!(named(&found), [ModelDefect::TurnFactor.into()], "{factor}");
            let evidence = found.claims[0].evidence();
            assert!(
                evidence.contains(&format!("{factor:.6} of it")),
                "{evidence}"
            );
        }
    }
    // Two halves of an update of all samples.
    for (weight, factor) in [
        (0.5, "0.75"),
        (1.0 / 3.0, "0.5"),
        (-2.0 / 3.0, "-1"),
        (0.67, "1.005"),
    ] {
        let found = identified(12, |att, u| {
            let [a, b] = [&u.increments[..6], &u.increments[6..]].map(|p| p.iter().sum::<Vec3>());
            att * so3::exp(&(a + b + a.cross(&b) * weight))
        });
        assert_eq!(named(&found), [SchemeDefect::ConingTerm.into()], "{weight}");
        assert_eq!(found.claims[0].name(), "the coning term is wrong");
        let evidence = found.claims[0].evidence();
        let words = format!("{factor} of the right one in updates of 12 samples: ");
        assert!(evidence.contains(&words), "{evidence}");
        assert_eq!(evidence.matches("of the right one").count(), 1);
    }
}

/// Attitudes that are kept in single precision are those of a right solver, and a coning term that is missing shows.
#[test]
fn single_precision_is_no_other_motion() {
    let single = |att: Mat3| {
        let q = so3::quat_from_matrix(&att).map(|x| f64::from(x as f32));
        so3::matrix_from_quat(&q)
    };
    for samples in [2, 12] {
        let found = identified(samples, |att, u| {
            let half = samples / 2;
            let [a, b] =
                [&u.increments[..half], &u.increments[half..]].map(|p| p.iter().sum::<Vec3>());
            single(att * so3::exp(&(a + b + a.cross(&b) * (2.0 / 3.0))))
        });
        assert_eq!(named(&found), [], "{samples}: {:?}", found.claims);
    }
    let found = identified(12, |att, u| single(att * so3::exp(&u.sum())));
    assert_eq!(named(&found), [SchemeDefect::ConingTerm.into()]);
}

/// Euler's rule for the rotation vector since the start: a constant rate turns it exactly, and nothing else does.
#[test]
fn a_first_order_that_is_carried_from_the_start_is_told() {
    let start = Mutex::new(Mat3::identity());
    let found = identified(1, |att, u| {
        let mut start = start.lock().expect("no test holds it");
        if u.earlier.is_empty() {
            *start = *att;
        }
        let turn = so3::log(&start.tr_mul(att));
        let once = turn.cross(&u.sum());
        let twice = turn.cross(&once);
        let four = turn.cross(&turn.cross(&twice));
        let change = u.sum() + once * 0.5 + twice / 12.0 - four / 720.0;
        *start * so3::exp(&(turn + change))
    });
    assert_eq!(named(&found), []);
    let rule = found.scheme.join(" ");
    assert!(rule.contains("It is of first order"), "{rule}");
    assert!(!rule.contains("made up for"), "{rule}");
}
