//! Other variables, other habits, and what must not be named wrongly.

use super::solvers::{many, one};
use super::*;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_core::models::RotState;

type Top = super::solvers::Top;

pub(super) fn acc(p: &Top, t: f64, r: &Mat3, w: &Vec3) -> Vec3 {
    let j = p.inertia();
    j.solve(&(p.torque_body(t, r) + j.times(w).cross(w)))
}

pub(super) fn rk4<const N: usize>(
    t: f64,
    h: f64,
    y: [f64; N],
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let at = |k: &[f64; N], c: f64| -> [f64; N] { core::array::from_fn(|i| y[i] + c * k[i]) };
    let k1 = f(t, &y);
    let k2 = f(t + h / 2.0, &at(&k1, h / 2.0));
    let k3 = f(t + h / 2.0, &at(&k2, h / 2.0));
    let k4 = f(t + h, &at(&k3, h));
    core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

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

fn matrix_of(y: &[f64; 12]) -> (Mat3, Vec3) {
    (Mat3::from_row_slice(&y[..9]), Vec3::new(y[9], y[10], y[11]))
}

fn numbers(r: &Mat3, w: &Vec3) -> [f64; 12] {
    let mut out = [0.0; 12];
    out[..9].copy_from_slice(&so3::rows(r));
    out[9..].copy_from_slice(w.as_slice());
    out
}

fn matrix_rk4(p: &Top, t: f64, h: f64, y: &RotState) -> (Mat3, Vec3) {
    matrix_of(&rk4(t, h, numbers(&y.att, &y.omega), |t, y| {
        let (r, w) = matrix_of(y);
        numbers(&(r * so3::hat(&w)), &acc(p, t, &r, &w))
    }))
}

#[test]
fn other_variables() {
    named(
        "matrix, by columns",
        &*one(|p, t, h, y| {
            let (m, w) = matrix_rk4(p, t, h, y);
            let a = m.column(0).normalize();
            let b = (m.column(1) - a * a.dot(&m.column(1))).normalize();
            (y.att, y.omega) = (Mat3::from_columns(&[a, b, a.cross(&b)]), w);
        }),
        "RK4 on (matrix, body rate), made orthogonal by columns",
    );
    named(
        "matrix, by singular values",
        &*one(|p, t, h, y| {
            let (m, w) = matrix_rk4(p, t, h, y);
            let svd = m.svd(true, true);
            (y.att, y.omega) = (svd.u.unwrap() * svd.v_t.unwrap(), w);
        }),
        "RK4 on (matrix, body rate), made orthogonal each step",
    );
    named(
        "space momentum",
        &*one(|p, t, h, y| {
            let q = so3::quat_from_matrix(&y.att);
            let l = y.att * p.inertia().times(&y.omega);
            let z = rk4(t, h, [q[0], q[1], q[2], q[3], l.x, l.y, l.z], |t, z| {
                let q: Quat = [z[0], z[1], z[2], z[3]];
                let r = so3::matrix_from_quat(&q);
                let w = p.inertia().solve(&r.tr_mul(&Vec3::new(z[4], z[5], z[6])));
                let d = quaternion::product(&q, &[0.0, w.x / 2.0, w.y / 2.0, w.z / 2.0]);
                let m = r * p.torque_body(t, &r);
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
        named(
            text,
            &*one(move |p, t, h, y| {
                let z = rk4(
                    t,
                    h,
                    [0.0, 0.0, 0.0, y.omega.x, y.omega.y, y.omega.z],
                    |t, z| {
                        let (u, w) = (Vec3::new(z[0], z[1], z[2]), Vec3::new(z[3], z[4], z[5]));
                        let uw = u.cross(&w);
                        let d = match terms {
                            0 => w,
                            1 => w + uw * 0.5,
                            _ => w + uw * 0.5 + u.cross(&uw) / 12.0,
                        };
                        let a = acc(p, t, &(y.att * so3::exp(&u)), &w);
                        [d.x, d.y, d.z, a.x, a.y, a.z]
                    },
                );
                y.att *= so3::exp(&Vec3::new(z[0], z[1], z[2]));
                y.omega = Vec3::new(z[3], z[4], z[5]);
            }),
            text,
        );
    }
}

/// Three angles: no family has them, and the axes of space are not alike.
#[test]
fn charts() {
    let f = said(
        "Euler angles 3-2-1",
        &*one(|p, t, h, y| {
            let r = y.att;
            let a = [
                topsim_core::math::scalar::atan2(r.m21, r.m11),
                -r.m31.asin(),
                topsim_core::math::scalar::atan2(r.m32, r.m33),
            ];
            let matrix = |a: &[f64]| {
                so3::exp(&(Vec3::z() * a[0]))
                    * so3::exp(&(Vec3::y() * a[1]))
                    * so3::exp(&(Vec3::x() * a[2]))
            };
            let z = rk4(
                t,
                h,
                [a[0], a[1], a[2], y.omega.x, y.omega.y, y.omega.z],
                |t, z| {
                    let w = Vec3::new(z[3], z[4], z[5]);
                    let (s, c) = z[2].sin_cos();
                    let (tan, cos) = (z[1].tan(), z[1].cos());
                    let b = acc(p, t, &matrix(&z[..3]), &w);
                    [
                        (w.y * s + w.z * c) / cos,
                        w.y * c - w.z * s,
                        w.x + (w.y * s + w.z * c) * tan,
                        b.x,
                        b.y,
                        b.z,
                    ]
                },
            );
            y.att = matrix(&z[..3]);
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
            let (_, x) = matrix_rk4(p, t, h, y);
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

#[test]
fn forced_conservation() {
    use crate::identification::scheme::flaws::Restoration;
    let f = said(
        "energy restored",
        &*one(|p, t, h, y| {
            let j = p.inertia();
            let w = y.omega;
            let moved = w + j.solve(&j.times(&w).cross(&w)) * h;
            let scale = (w.dot(&j.times(&w)) / moved.dot(&j.times(&moved))).sqrt();
            y.omega = moved * scale + j.solve(&p.torque_body(t, &y.att)) * h;
            y.att *= so3::exp(&(y.omega * h));
        }),
        2e-16,
    );
    assert_eq!(f.flaws, [SchemeFlaw::Restored(Restoration::Energy)]);
}

#[test]
fn turns_cut_short() {
    let f = said(
        "one-sided repair",
        &*one(|p, t, h, y| {
            y.omega += acc(p, t, &y.att, &y.omega) * h;
            let m = y.att * (Mat3::identity() + so3::hat(&(y.omega * h)));
            let a = m.column(0).normalize();
            let b = (m.column(1) - a * a.dot(&m.column(1))).normalize();
            y.att = Mat3::from_columns(&[a, b, a.cross(&b)]);
        }),
        2e-16,
    );
    assert!(
        f.name
            .as_deref()
            .is_some_and(|n| n.starts_with("semi-implicit Euler, matrix sum")),
        "{:?}",
        f.name
    );
    assert_eq!(f.flaws, [SchemeFlaw::TruncatedTurn]);
}

#[test]
fn stale_torques() {
    for (name, held) in [
        ("torque of the step before in RK4", true),
        ("the same, with half of it", false),
    ] {
        let f = said(
            name,
            &*many(move |p, t, h, y, m: &mut Option<Vec3>| {
                let now = p.torque_body(t, &y.att);
                let before = m.replace(now).unwrap_or(now);
                let torque = if held { before } else { (before + now) * 0.5 };
                let j = p.inertia();
                let mut z = numbers(&y.att, &y.omega);
                z = rk4(t, h, z, |_, z| {
                    let (r, w) = matrix_of(z);
                    numbers(
                        &(r * so3::hat(&w)),
                        &j.solve(&(torque + j.times(&w).cross(&w))),
                    )
                });
                let (r, w) = matrix_of(&z);
                let svd = r.svd(true, true);
                (y.att, y.omega) = (svd.u.unwrap() * svd.v_t.unwrap(), w);
            }),
            2e-16,
        );
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::StaleTorque { .. }]),
            "{:?}",
            f.flaws
        );
    }
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
                let (r, w) = matrix_rk4(p, t, h, y);
                let svd = r.svd(true, true);
                (y.att, y.omega) = (svd.u.unwrap() * svd.v_t.unwrap(), w);
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
    let f = |t: f64, z: &[f64; 12]| {
        let (r, w) = matrix_of(z);
        numbers(&(r * so3::hat(&w)), &acc(p, t, &r, &w))
    };
    let mut z = numbers(&y.att, &y.omega);
    let mut now = 0.0;
    while now < h {
        let s = size.min(h - now);
        // Two halves against one whole: an error of order 4.
        let whole = rk4(t + now, s, z, f);
        let half = rk4(t + now, s / 2.0, z, f);
        let two = rk4(t + now + s / 2.0, s / 2.0, half, f);
        let error = whole
            .iter()
            .zip(&two)
            .map(|(a, b)| (a - b).abs() / (tolerance * (1.0 + b.abs())))
            .fold(0.0, f64::max);
        if error <= 1.0 {
            now += s;
            z = two;
        }
        *size = s * (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 4.0);
    }
    let (r, w) = matrix_of(&z);
    let svd = r.svd(true, true);
    (y.att, y.omega) = (svd.u.unwrap() * svd.v_t.unwrap(), w);
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
                let (r, w) = matrix_rk4(p, t, h, y);
                let svd = r.svd(true, true);
                (y.att, y.omega) = (svd.u.unwrap() * svd.v_t.unwrap(), w);
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
