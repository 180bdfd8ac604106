//! Other variables, other habits, and what must not be named wrongly.

use super::solvers::{acc, by, many, one, with};
use super::*;
use topsim_core::math::{Quat, Vec3, quaternion, so3};
use topsim_core::models::RotState;
use wrong_solvers::{Habit, Rule, euler_angles, euler_matrix, rk4};

type Top = super::solvers::Top;

fn named(name: &str, target: &dyn Target, part: &str) {
    let f = said(name, target, 2e-16);
    assert!(
        f.name.as_deref().is_some_and(|n| n.contains(part)),
        "{name}: {:?}",
        f.name
    );
    assert!(f.flaws.is_empty(), "{name}: {:?}", f.flaws);
}

/// No name and no flaw.
fn silent(name: &str, target: &dyn Target) -> SchemeFindings {
    let f = said(name, target, 2e-16);
    assert!(f.name.is_none(), "{name}: {:?}", f.name);
    assert!(f.flaws.is_empty(), "{name}: {:?}", f.flaws);
    f
}

#[test]
fn other_variables() {
    named(
        "space momentum",
        &*one(|p, t, h, y| {
            let q = so3::quat_from_matrix(&y.att);
            let l = y.att * p.inertia().times(&y.omega);
            let z = rk4(h, [q[0], q[1], q[2], q[3], l.x, l.y, l.z], |after, z| {
                let q: Quat = [z[0], z[1], z[2], z[3]];
                let r = so3::matrix_from_quat(&q);
                let w = p.inertia().solve(&r.tr_mul(&Vec3::new(z[4], z[5], z[6])));
                let d = quaternion::product(&q, &[0.0, w.x / 2.0, w.y / 2.0, w.z / 2.0]);
                let m = r * p.torque_body(t + after, &r);
                [d[0], d[1], d[2], d[3], m.x, m.y, m.z]
            });
            y.att = so3::matrix_from_quat(&[z[0], z[1], z[2], z[3]]);
            y.omega = p
                .inertia()
                .solve(&y.att.tr_mul(&Vec3::new(z[4], z[5], z[6])));
        }),
        "RK4 on (quaternion, space momentum)",
    );
    for (terms, text) in [
        (0, "without commutators"),
        (1, "one commutator"),
        (2, "two commutators"),
    ] {
        let f = with(Rule::Rk4Commutators(terms), Habit::None);
        let name = f.name.as_deref().unwrap_or_default();
        assert!(name.contains(text), "{text}: {name}");
        assert!(f.flaws.is_empty(), "{text}: {:?}", f.flaws);
    }
}

/// Three angles: no family has them, and the axes of space are not alike.
#[test]
fn charts() {
    let f = said(
        "Euler angles 3-2-1",
        &*one(|p, t, h, y| {
            let sequence = [2, 1, 0];
            let a = euler_angles(&y.att, sequence);
            let w = y.omega;
            let z = rk4(h, [a[0], a[1], a[2], w.x, w.y, w.z], |d, z| {
                let w = Vec3::new(z[3], z[4], z[5]);
                let (s, c) = z[2].sin_cos();
                let (tan, cos) = (z[1].tan(), z[1].cos());
                let b = acc(p, t + d, &euler_matrix([z[0], z[1], z[2]], sequence), &w);
                let side = w.y * s + w.z * c;
                [
                    side / cos,
                    w.y * c - w.z * s,
                    w.x + side * tan,
                    b.x,
                    b.y,
                    b.z,
                ]
            });
            y.att = euler_matrix([z[0], z[1], z[2]], sequence);
            y.omega = Vec3::new(z[3], z[4], z[5]);
        }),
        2e-16,
    );
    assert!(f.name.is_none(), "{:?}", f.name);
    assert!(
        matches!(f.flaws[..], [SchemeFlaw::AxesOfSpace { .. }]),
        "{:?}",
        f.flaws
    );
}

/// Iterations that stop early, corrections of all sorts.
#[test]
fn nothing_is_named_wrongly() {
    for rounds in [1, 2, 3] {
        let f = said(
            &format!("trapezoidal rule with {rounds} corrections"),
            &*one(move |p, t, h, y| {
                let (r, w) = (y.att, y.omega);
                let a = acc(p, t, &r, &w);
                let mut x = w + a * h;
                for _ in 0..rounds {
                    let e = r * so3::exp(&((w + x) * (0.5 * h)));
                    x = w + (a + acc(p, t + h, &e, &x)) * (0.5 * h);
                }
                y.att = r * so3::exp(&((w + x) * (0.5 * h)));
                y.omega = x;
            }),
            2e-16,
        );
        let plural = if rounds == 1 { "" } else { "s" };
        let name = format!(
            "trapezoidal rule, {rounds} round{plural} of its iteration from an Euler step, exponential map"
        );
        assert_eq!(f.name, Some(name));
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
    }
    // An implicit rule whose iteration stops at 1e-7.
    let f = said(
        "implicit midpoint, loose",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let mut x = w;
            loop {
                let m = (w + x) * 0.5;
                let next = w + acc(p, t + 0.5 * h, &(r * so3::exp(&(m * (0.5 * h)))), &m) * h;
                let moved = (next - x).norm();
                x = next;
                if moved < 1e-7 {
                    break;
                }
            }
            y.omega = x;
            y.att = r * so3::exp(&((w + x) * (0.5 * h)));
        }),
        2e-16,
    );
    assert!(
        f.name
            .as_deref()
            .is_none_or(|n| n.contains("implicit midpoint")),
        "{:?}",
        f.name
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
    named(
        "a rate of RK4, turned by the mean of three",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let x = by(Rule::Rk4NearestMatrix, p, t, h, y).omega;
            let a = acc(p, t, &r, &w);
            y.att = r * so3::exp(&((w + x + (w + a * (0.5 * h)) * 4.0) * (h / 6.0)));
            y.omega = x;
        }),
        "rate by RK4 on (matrix",
    );
    silent(
        "heun with a turn of half the old and half of the predicted rate, squared",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let a = acc(p, t, &r, &w);
            let v = w + a * h;
            let e = r * so3::exp(&(w * (0.5 * h))) * so3::exp(&(v * (0.5 * h)));
            y.att = e;
            y.omega = w + (a + acc(p, t + h, &e, &v)) * (0.5 * h);
        }),
    );
}

pub(super) fn slope(q: &Quat, w: &Vec3) -> Quat {
    quaternion::product(q, &[0.0, w.x / 2.0, w.y / 2.0, w.z / 2.0])
}

/// Adams–Bashforth on quaternion and rate, begun with the classical rule.
#[test]
fn quaternions_with_a_memory() {
    for (order, weights) in [
        (2, vec![1.5, -0.5]),
        (3, vec![23.0 / 12.0, -4.0 / 3.0, 5.0 / 12.0]),
    ] {
        let target = many(move |p, t, h, y, m: &mut Vec<(Quat, Vec3)>| {
            let mut q = so3::quat_from_matrix(&y.att);
            if let Some((_, _)) = m.first() {
                // The sign of the quaternion goes on.
                let last = m[0].0;
                let s: f64 = slope(&q, &y.omega)
                    .iter()
                    .zip(&last)
                    .map(|(a, b)| a * b)
                    .sum();
                if s < 0.0 {
                    q = q.map(|x| -x);
                }
            }
            m.insert(0, (slope(&q, &y.omega), acc(p, t, &y.att, &y.omega)));
            if m.len() < weights.len() {
                *y = by(Rule::Rk4NearestMatrix, p, t, h, y);
                return;
            }
            for (c, (dq, a)) in weights.iter().zip(m.iter()) {
                for i in 0..4 {
                    q[i] += h * c * dq[i];
                }
                y.omega += a * (h * c);
            }
            y.att = so3::matrix_from_quat(&q);
        });
        named(
            &format!("ab{order} on quaternions"),
            &*target,
            &format!("Adams–Bashforth of order {order}, quaternion sum"),
        );
    }
}

/// A pair of order 5(4) that chooses its steps; it keeps the last one if asked to.
fn adaptive(p: &Top, t: f64, h: f64, y: &mut RotState, tolerance: f64, size: &mut f64) {
    let numbers = |y: &RotState| -> Vec<f64> { y.att.iter().chain(&y.omega).copied().collect() };
    let rule = Rule::Rk4NearestMatrix;
    let mut now = 0.0;
    while now < h {
        let s = size.min(h - now);
        // Two halves against one whole: an error of order 4.
        let whole = by(rule, p, t + now, s, y);
        let half = by(rule, p, t + now, s / 2.0, y);
        let two = by(rule, p, t + now + s / 2.0, s / 2.0, &half);
        let error = numbers(&whole)
            .iter()
            .zip(numbers(&two))
            .map(|(a, b)| (a - b).abs() / (tolerance * (1.0 + b.abs())))
            .fold(0.0, f64::max);
        if error <= 1.0 {
            now += s;
            *y = two;
        }
        *size = s * (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 4.0);
    }
}

/// Nothing is held against a solver that chooses its steps.
#[test]
fn adaptive_solvers() {
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
        let keeps = many(move |p, t, h, y, size: &mut Option<f64>| {
            let mut s = size.unwrap_or(0.01);
            adaptive(p, t, h, y, tolerance, &mut s);
            *size = Some(s);
        });
        let anew = one(move |p, t, h, y| adaptive(p, t, h, y, tolerance, &mut 0.1));
        for (text, target) in [("keeps its step", keeps), ("begins anew", anew)] {
            let f = said(&format!("adaptive {tolerance}, {text}"), &*target, 2e-16);
            assert!(f.name.is_none(), "{:?}", f.name);
            assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        }
    }
}

/// Single precision inside, whatever is said of the rows.
#[test]
fn single_precision_inside() {
    fn single(y: &mut RotState) {
        let q = so3::quat_from_matrix(&y.att).map(|x| f64::from(x as f32));
        y.att = so3::matrix_from_quat(&q);
        y.omega = y.omega.map(|x| f64::from(x as f32));
    }
    for noise in [6e-8, 2e-16] {
        let f = said(
            "semi-implicit Euler in float32",
            &*one(|p, t, h, y| {
                single(y);
                y.omega += acc(p, t, &y.att, &y.omega).map(|x| f64::from(x as f32)) * h;
                single(y);
                y.att *= so3::exp(&(y.omega * h));
                single(y);
            }),
            noise,
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        assert!(
            f.name
                .as_deref()
                .is_none_or(|n| n.starts_with("semi-implicit Euler")),
            "{:?}",
            f.name
        );
        let f = said(
            "RK4 in float32",
            &*one(|p, t, h, y| {
                single(y);
                *y = by(Rule::Rk4NearestMatrix, p, t, h, y);
                single(y);
            }),
            noise,
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        assert!(
            f.name
                .as_deref()
                .is_none_or(|n| n.starts_with("RK4 on (matrix")),
            "{:?}",
            f.name
        );
    }
}

/// The rate by the midpoint rule, the attitude by a sum whose parts are of different times.
#[test]
fn a_turn_that_alone_is_of_first_order_is_told() {
    for share in [1.0, 0.4, -0.7] {
        let target = one(move |p, t, h, y| {
            let middle = by(Rule::Midpoint, p, t, h, y);
            let w = y.omega;
            let half = w + acc(p, t, &y.att, &w) * (0.5 * h);
            let q = so3::quat_from_matrix(&y.att);
            let v = half * (0.5 * h);
            let mut d = quaternion::product(&q, &[0.0, v.x, v.y, v.z]);
            // The scalar part has the rate of the start, by a share.
            let side = |w: &Vec3| -(q[1] * w.x + q[2] * w.y + q[3] * w.z) * 0.5 * h;
            d[0] += (side(&w) - side(&half)) * share;
            let sum: Quat = core::array::from_fn(|i| q[i] * (1.0 - 0.5 * v.dot(&v)) + d[i]);
            y.att = so3::matrix_from_quat(&quaternion::unit(&sum));
            y.omega = middle.omega;
        });
        let f = said("uneven", &*target, 2e-16);
        assert!(
            f.flaws.iter().any(|x| matches!(x, SchemeFlaw::TurnLost(_))),
            "{share} {:?}",
            f.flaws
        );
    }
}
