//! Solvers as their authors write them.

use super::*;
use crate::identification::experiment::Stepper;
use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_core::models::{RigidTop, RotState, TorqueModel};

pub(super) type Top = RigidTop<TorqueModel>;

fn torque(top: &Top, t: f64, r: &Mat3) -> Vec3 {
    top.inertia().solve(&top.torque_body(t, r))
}
fn gyro(top: &Top, w: &Vec3) -> Vec3 {
    top.inertia().solve(&top.inertia().times(w).cross(w))
}
fn acc(top: &Top, t: f64, r: &Mat3, w: &Vec3) -> Vec3 {
    torque(top, t, r) + gyro(top, w)
}
/// 1 + hŴ/2 in quaternions, normalised.
fn linear_turn(r: &Mat3, x: &Vec3) -> Mat3 {
    r * so3::cayley(x)
}

/// A solver without memory.
pub(super) fn one(
    step: impl Fn(&Top, f64, f64, &mut RotState) + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    Box::new(Stepper(move |top: &Top, _: f64, h: f64| {
        let top = top.clone();
        let step = step.clone();
        Ok(move |t: f64, y: &mut RotState| {
            step(&top, t, h, y);
            Ok::<(), String>(())
        })
    }))
}

/// A solver with a memory.
pub(super) fn many<M: Default + 'static>(
    step: impl Fn(&Top, f64, f64, &mut RotState, &mut M) + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    Box::new(Stepper(move |top: &Top, _: f64, h: f64| {
        let top = top.clone();
        let step = step.clone();
        let mut memory = M::default();
        Ok(move |t: f64, y: &mut RotState| {
            step(&top, t, h, y, &mut memory);
            Ok::<(), String>(())
        })
    }))
}

/// Fixed-point iteration.
fn iterate(from: Vec3, f: impl Fn(&Vec3) -> Vec3) -> Vec3 {
    (0..200).fold(from, |x, _| f(&x))
}

fn names(name: &str, target: &dyn Target, part: &str) -> SchemeFindings {
    let f = said(name, target, 2e-16);
    assert!(
        f.name.as_deref().is_some_and(|n| n.contains(part)),
        "{name}: {:?}",
        f.name
    );
    f
}

/// The scheme has this in its name, and no flaw.
fn right(name: &str, target: &dyn Target, part: &str) {
    let f = names(name, target, part);
    assert!(f.flaws.is_empty(), "{name}: {:?}", f.flaws);
}

#[test]
fn euler_rules() {
    right(
        "explicit",
        &*one(|p, t, h, y| {
            let a = acc(p, t, &y.att, &y.omega);
            y.att = linear_turn(&y.att, &(y.omega * h));
            y.omega += a * h;
        }),
        "explicit Euler",
    );
    right(
        "semi-implicit",
        &*one(|p, t, h, y| {
            y.omega += acc(p, t, &y.att, &y.omega) * h;
            y.att *= so3::exp(&(y.omega * h));
        }),
        "semi-implicit Euler, exponential map",
    );
    right(
        "semi-implicit quaternion",
        &*one(|p, t, h, y| {
            y.omega += acc(p, t, &y.att, &y.omega) * h;
            y.att = linear_turn(&y.att, &(y.omega * h));
        }),
        "semi-implicit Euler, quaternion sum",
    );
    right(
        "implicit",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            y.omega = iterate(w, |x| w + acc(p, t + h, &(r * so3::exp(&(x * h))), x) * h);
            y.att = r * so3::exp(&(y.omega * h));
        }),
        "implicit Euler, exponential",
    );
    right(
        "turn then kick",
        &*one(|p, t, h, y| {
            y.att *= so3::exp(&(y.omega * h));
            y.omega += (torque(p, t + h, &y.att) + gyro(p, &y.omega)) * h;
        }),
        "turn with the old rate",
    );
}

#[test]
fn second_order_rules_of_the_ends() {
    right(
        "trapezoidal",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let a = acc(p, t, &r, &w);
            let turned = |x: &Vec3| r * so3::exp(&((w + x) * (0.5 * h)));
            y.omega = iterate(w, |x| w + (a + acc(p, t + h, &turned(x), x)) * (0.5 * h));
            y.att = turned(&y.omega);
        }),
        "trapezoidal rule, exponential",
    );
    right(
        "newmark",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let a = acc(p, t, &r, &w);
            let (beta, gamma) = (1.0 / 6.0, 0.5);
            let turned = |x: &Vec3| {
                let b = (x - w) / (h * gamma) - a * ((1.0 - gamma) / gamma);
                r * so3::exp(&(w * h + (a * (0.5 - beta) + b * beta) * (h * h)))
            };
            y.omega = iterate(w, |x| {
                w + (a * (1.0 - gamma) + acc(p, t + h, &turned(x), x) * gamma) * h
            });
            y.att = turned(&y.omega);
        }),
        "Newmark's rule, β = 1/6",
    );
    right(
        "midpoint",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let rate = |x: &Vec3| {
                let m = (w + x) * 0.5;
                w + acc(p, t + 0.5 * h, &(r * so3::exp(&(m * (0.5 * h)))), &m) * h
            };
            y.omega = iterate(w, rate);
            y.att = r * so3::exp(&((w + y.omega) * (0.5 * h)));
        }),
        "implicit midpoint rule",
    );
    right(
        "lie newmark",
        &*one(|p, t, h, y| {
            let (r, w) = (y.att, y.omega);
            let m = iterate(w, |x| w + (gyro(p, x) + torque(p, t, &r)) * (0.5 * h));
            y.att = r * so3::exp(&(m * h));
            y.omega = m + (gyro(p, &m) + torque(p, t + h, &y.att)) * (0.5 * h);
        }),
        "Lie–Newmark",
    );
}

#[test]
fn rules_with_a_memory() {
    right(
        "bdf2",
        &*many(|p, t, h, y, m: &mut Option<Vec3>| {
            let (r, w) = (y.att, y.omega);
            let turned = |x: &Vec3| r * so3::exp(&((w + x) * (0.5 * h)));
            let past = m.replace(w);
            y.omega = iterate(w, |x| {
                let a = acc(p, t + h, &turned(x), x);
                match past {
                    None => w + (acc(p, t, &r, &w) + a) * (0.5 * h),
                    Some(v) => (w * 4.0 - v) / 3.0 + a * (h * 2.0 / 3.0),
                }
            });
            y.att = turned(&y.omega);
        }),
        "BDF2",
    );
    right(
        "ab2 begun with Heun",
        &*many(|p, t, h, y, m: &mut Option<(Vec3, Vec3)>| {
            let (r, w) = (y.att, y.omega);
            let a = acc(p, t, &r, &w);
            let (a_eff, w_eff) = match m.replace((a, w)) {
                Some((b, v)) => (a * 1.5 - b * 0.5, w * 1.5 - v * 0.5),
                None => {
                    let v = w + a * h;
                    (
                        (a + acc(p, t + h, &(r * so3::exp(&(w * h))), &v)) * 0.5,
                        (w + v) * 0.5,
                    )
                }
            };
            y.att = r * so3::exp(&(w_eff * h));
            y.omega += a_eff * h;
        }),
        "Adams–Bashforth of order 2",
    );
    let zero = names(
        "ab2 begun with zeros",
        &*many(|p, t, h, y, m: &mut (Vec3, Vec3)| {
            let (r, w) = (y.att, y.omega);
            let a = acc(p, t, &r, &w);
            let (b, v) = core::mem::replace(m, (a, w));
            y.att = r * so3::exp(&((w * 1.5 - v * 0.5) * h));
            y.omega += (a * 1.5 - b * 0.5) * h;
        }),
        "Adams–Bashforth of order 2",
    );
    assert!(
        matches!(zero.flaws[..], [SchemeFlaw::ZeroHistory { length }] if (length - 1.5).abs() < 1e-3)
    );
    let lag = names(
        "lagged torque",
        &*many(|p, t, h, y, m: &mut Option<Vec3>| {
            let now = torque(p, t, &y.att);
            let acting = m.replace(now).unwrap_or(now);
            y.omega += (acting + gyro(p, &y.omega)) * h;
            y.att *= so3::exp(&(y.omega * h));
        }),
        "torque of the step before",
    );
    assert!(
        matches!(lag.flaws[..], [SchemeFlaw::StaleTorque { steps }] if (steps - 1.0).abs() < 1e-3)
    );
    let at_rest = said(
        "verlet begun with zero acceleration",
        &*many(|p, t, h, y, m: &mut Vec3| {
            y.att *= so3::exp(&((y.omega + *m * (0.5 * h)) * h));
            let next = acc(p, t + h, &y.att, &(y.omega + *m * h));
            y.omega += (*m + next) * (0.5 * h);
            *m = next;
        }),
        2e-16,
    );
    assert!(
        at_rest.flaws.contains(&SchemeFlaw::StartAcceleration),
        "{:?}",
        at_rest.flaws
    );
}

#[test]
fn first_order_by_one_part() {
    use crate::identification::scheme::flaws::LostPart;
    let lost = |name: &str, target: &dyn Target, part: LostPart| {
        let f = said(name, target, 2e-16);
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::OrderLost { part: p, .. }] if p == part),
            "{:?}",
            f.flaws
        );
    };
    lost(
        "verlet",
        &*one(|p, t, h, y| {
            let m = y.omega + acc(p, t, &y.att, &y.omega) * (0.5 * h);
            y.att *= so3::exp(&(m * h));
            y.omega = m + acc(p, t + h, &y.att, &m) * (0.5 * h);
        }),
        LostPart::Gyro,
    );
    lost(
        "mean rate fed by Euler",
        &*one(|p, t, h, y| {
            let w = y.omega;
            y.omega += acc(p, t, &y.att, &w) * h;
            y.att *= so3::exp(&((w + y.omega) * (0.5 * h)));
        }),
        LostPart::Rate,
    );
    lost(
        "torque held in RK4",
        &*rk(&RK4, When::Start),
        LostPart::Torque,
    );
    let f = said("time not advanced", &*rk(&RK4, When::StartTime), 2e-16);
    assert!(
        matches!(f.flaws[..], [SchemeFlaw::TorqueTime { mean }] if mean.abs() < 1e-6),
        "{:?}",
        f.flaws
    );
    let clamp = said(
        "momentum clamp",
        &*one(|p, t, h, y| {
            let j = p.inertia();
            let l = j.times(&y.omega);
            let moved = l + l.cross(&y.omega) * h;
            y.omega = j.solve(&(moved * (l.norm() / moved.norm()) + p.torque_body(t, &y.att) * h));
            y.att *= so3::exp(&(y.omega * h));
        }),
        2e-16,
    );
    assert!(
        matches!(clamp.flaws[..], [SchemeFlaw::Restored(_)]),
        "{:?}",
        clamp.flaws
    );
}

/// Where the torque is read.
#[derive(Clone, Copy)]
pub(super) enum When {
    Stage,
    /// At the start, for all stages.
    Start,
    /// At the attitude of the stage, at the time of the start.
    StartTime,
}

/// Rows of A from the second stage on, and b.
pub(super) struct Rule {
    pub a: Vec<Vec<f64>>,
    pub b: Vec<f64>,
}

struct Fixed(&'static [&'static [f64]], &'static [f64]);

static RK4: Fixed = Fixed(
    &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
);

impl Fixed {
    fn rule(&self) -> Rule {
        Rule {
            a: self.0.iter().map(|r| r.to_vec()).collect(),
            b: self.1.to_vec(),
        }
    }
}

fn rk(rule: &Fixed, when: When) -> Box<dyn Target> {
    quaternion_rule(rule.rule(), when)
}

/// On quaternion and rate, normalised each step.
pub(super) fn quaternion_rule(rule: Rule, when: When) -> Box<dyn Target> {
    let rule = std::sync::Arc::new(rule);
    one(move |p, t, h, y| {
        let q0 = so3::quat_from_matrix(&y.att);
        let start = p.torque_body(t, &y.att);
        let mut k: Vec<(Quat, Vec3)> = Vec::new();
        let at = |row: &[f64], k: &[(Quat, Vec3)]| {
            let mut q = q0;
            let mut w = y.omega;
            for (a, (dq, dw)) in row.iter().zip(k) {
                for i in 0..4 {
                    q[i] += h * a * dq[i];
                }
                w += dw * (h * a);
            }
            (q, w)
        };
        let empty = Vec::new();
        for i in 0..rule.b.len() {
            let row = if i == 0 { &empty } else { &rule.a[i - 1] };
            let (q, w) = at(row, &k);
            let r = so3::matrix_from_quat(&q);
            let s = t + h * row.iter().sum::<f64>();
            let torque = match when {
                When::Stage => p.torque_body(s, &r),
                When::Start => start,
                When::StartTime => p.torque_body(t, &r),
            };
            let dq =
                topsim_core::math::quaternion::product(&q, &[0.0, w.x / 2.0, w.y / 2.0, w.z / 2.0]);
            let l = p.inertia().times(&w);
            k.push((dq, p.inertia().solve(&(torque + l.cross(&w)))));
        }
        let (q, w) = at(&rule.b, &k);
        y.att = so3::matrix_from_quat(&q);
        y.omega = w;
    })
}

#[test]
fn runge_kutta_rules() {
    for (name, rule) in [
        ("explicit midpoint", Fixed(&[&[0.5]], &[0.0, 1.0])),
        ("Heun's rule on", Fixed(&[&[1.0]], &[0.5, 0.5])),
        (
            "Kutta's rule of order 3",
            Fixed(&[&[0.5], &[-1.0, 2.0]], &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]),
        ),
        (
            "RK4 on (quaternion, body rate), normalised each step",
            Fixed(RK4.0, RK4.1),
        ),
        (
            "3/8",
            Fixed(
                &[&[1.0 / 3.0], &[-1.0 / 3.0, 1.0], &[1.0, -1.0, 1.0]],
                &[0.125, 0.375, 0.375, 0.125],
            ),
        ),
    ] {
        right(name, &*rk(&rule, When::Stage), name);
    }
}
