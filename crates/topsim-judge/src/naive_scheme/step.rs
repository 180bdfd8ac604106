//! The steps.

use super::{Kind, Memory, NaiveScheme, RateRule, Rule, TorqueAt, TurnMap, TurnRate};
use crate::model::SolverModel;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_core::models::RotState;
use topsim_core::schemes::solve3;

/// Iterations of the implicit rule; each gains a factor of h|W|.
const MOST_ITERATIONS: u32 = 60;

/// The torque a step takes, which may be older than the place where it asks.
struct Source<'a> {
    top: &'a SolverModel,
    /// The torque at the start of the step, or of the step before.
    old: Option<Vec3>,
}

impl Source<'_> {
    #[inline]
    fn torque(&self, t: f64, att: &Mat3) -> Vec3 {
        self.old.unwrap_or_else(|| self.top.torque(t, att))
    }
    #[inline]
    fn acceleration(&self, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        self.top.acceleration_by(&self.torque(t, att), att, w)
    }
}

fn turned(att: &Mat3, psi: &Vec3, map: TurnMap) -> Mat3 {
    match map {
        TurnMap::Exponential => att * so3::exp(psi),
        TurnMap::Linear => att * so3::cayley(psi),
        TurnMap::Matrix => att + att * so3::hat(psi),
        TurnMap::GramSchmidt => {
            let m = att + att * so3::hat(psi);
            let x = m.column(0).normalize();
            let y = m.column(1) - x * x.dot(&m.column(1));
            let y = y.normalize();
            Mat3::from_columns(&[x, y, x.cross(&y)])
        }
    }
}

impl NaiveScheme {
    #[inline]
    pub(super) fn advance(
        &self,
        top: &SolverModel,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Memory,
    ) {
        let fresh = top.torque(t, &y.att);
        let old = match self.torque {
            TorqueAt::Rule => None,
            TorqueAt::Held => Some(fresh),
            TorqueAt::Lagged => Some(m.torque.unwrap_or(fresh)),
        };
        m.torque = Some(fresh);
        let source = Source { top, old };
        match self.kind {
            Kind::OneByOne { push, turn, map } => {
                one_by_one(&source, (push, turn, map), (t, h), y, m);
            }
            Kind::RungeKutta { rule } => runge_kutta(&source, rule, (t, h), y),
            Kind::Verlet { map } => {
                let c = 0.5 * h;
                let half = y.omega + source.acceleration(t, &y.att, &y.omega) * c;
                y.att = turned(&y.att, &(top.turn(&y.att, &half) * h), map);
                y.omega = half + source.acceleration(t + h, &y.att, &half) * c;
            }
            Kind::Leapfrog {
                half_start,
                centred,
            } => {
                let first = m.carried.replace(y.omega).is_none();
                let c = if first && half_start { 0.5 * h } else { h };
                let torque = source.torque(t, &y.att);
                let w = y.omega;
                // The first half step starts at W itself.
                y.omega = if centred && !first {
                    implicit(w, |v| {
                        w + top.acceleration_by(&torque, &y.att, &((w + v) * 0.5)) * c
                    })
                } else {
                    w + top.acceleration_by(&torque, &y.att, &w) * c
                };
                let psi = top.turn(&y.att, &y.omega) * h;
                y.att = turned(&y.att, &psi, TurnMap::Exponential);
            }
            Kind::VelocityVerlet { .. } => {
                let a = accelerated_turn(top, h, y, m);
                let next = source.acceleration(t + h, &y.att, &(y.omega + a * h));
                y.omega += (a + next) * (0.5 * h);
                m.carried = Some(next);
            }
            Kind::Newmark { .. } => {
                let a = accelerated_turn(top, h, y, m);
                let torque = source.torque(t + h, &y.att);
                let next = implicit(a, |next| {
                    let w = y.omega + (a + next) * (0.5 * h);
                    top.acceleration_by(&torque, &y.att, &w)
                });
                y.omega += (a + next) * (0.5 * h);
                m.carried = Some(next);
            }
        }
    }
}

/// The fixed point of `map`, from `guess`.
fn implicit(guess: Vec3, map: impl Fn(Vec3) -> Vec3) -> Vec3 {
    let mut x = guess;
    for _ in 0..MOST_ITERATIONS {
        let better = map(x);
        let change = (better - x).amax();
        x = better;
        if !(change > 4.0 * f64::EPSILON * x.amax()) {
            break;
        }
    }
    x
}

/// Λ exp(hW + h²a/2); returns a.
fn accelerated_turn(top: &SolverModel, h: f64, y: &mut RotState, m: &Memory) -> Vec3 {
    let a = m.carried.unwrap_or_default();
    let psi = top.turn(&y.att, &(y.omega + a * (0.5 * h))) * h;
    y.att = turned(&y.att, &psi, TurnMap::Exponential);
    a
}

fn one_by_one(
    source: &Source,
    (push, turn, map): (RateRule, TurnRate, TurnMap),
    (t, h): (f64, f64),
    y: &mut RotState,
    m: &mut Memory,
) {
    let top = source.top;
    let w = y.omega;
    let (past_w, past_a) = m.past.unwrap_or((w, Vec3::zeros()));
    let first = m.past.is_none();
    let mut a = Vec3::zeros();
    let explicit = |a: &mut Vec3, t: f64, att: &Mat3| {
        *a = source.acceleration(t, att, &w);
        w + *a * h
    };
    let mut momentum = None;
    let new = match push {
        RateRule::Euler => explicit(&mut a, t, &y.att),
        // Known once the attitude is.
        RateRule::AtNewAttitude => w,
        RateRule::PastMean | RateRule::Extrapolated => {
            a = source.acceleration(t, &y.att, &w);
            let before = if first { a } else { past_a };
            match push {
                RateRule::PastMean => w + (a + before) * (0.5 * h),
                _ => w + (a * 1.5 - before * 0.5) * h,
            }
        }
        RateRule::OneNewton => {
            let j = top.inertia();
            let pi = j * w;
            let k = j + (so3::hat(&w) * j - so3::hat(&pi)) * h;
            let change = solve3(&k, &(pi.cross(&w) * h)).unwrap_or_default();
            w + change + top.solve(&source.torque(t, &y.att)) * h
        }
        RateRule::Rescaled => {
            let pi = top.inertia() * w;
            let moved = pi + top.gyroscopic(&y.att, &w) * h;
            let (before, after) = (pi.norm(), moved.norm());
            let scale = if before > 0.0 { before / after } else { 1.0 };
            top.solve(&(moved * scale + source.torque(t, &y.att) * h))
        }
        RateRule::Momentum => {
            let pi = top.inertia() * w + source.torque(t, &y.att) * h;
            momentum = Some(y.att * pi);
            top.solve(&pi)
        }
    };
    let by = match turn {
        TurnRate::Old => w,
        TurnRate::New => new,
        TurnRate::Mean => (w + new) * 0.5,
        TurnRate::PastMean => (w + past_w) * 0.5,
        TurnRate::Extrapolated => w * 1.5 - past_w * 0.5,
    };
    y.att = turned(&y.att, &(top.turn(&y.att, &by) * h), map);
    y.omega = match (push, momentum) {
        (RateRule::AtNewAttitude, _) => explicit(&mut a, t + h, &y.att),
        (_, Some(pi)) => top.solve(&y.att.tr_mul(&pi)),
        _ => new,
    };
    m.past = Some((w, a));
}

/// Slope of quaternion and rate.
fn slope(source: &Source, t: f64, q: &Quat, w: &Vec3) -> (Quat, Vec3) {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let att = so3::matrix_from_quat(&q.map(|x| x / norm));
    let u = source.top.turn(&att, w) * 0.5;
    let dq = quaternion::product(q, &[0.0, u.x, u.y, u.z]);
    (dq, source.acceleration(t, &att, w))
}

fn runge_kutta(source: &Source, rule: Rule, (t, h): (f64, f64), y: &mut RotState) {
    // Rows of the tableau below the diagonal, their times, and the weights.
    let (rows, times, weights): (&[f64], &[f64], &[f64]) = match rule {
        Rule::Heun => (&[1.0], &[1.0], &[0.5, 0.5]),
        Rule::Midpoint => (&[0.5], &[0.5], &[0.0, 1.0]),
        Rule::Classical => (
            &[0.5, 0.5, 1.0],
            &[0.5, 0.5, 1.0],
            &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        ),
    };
    let q = so3::quat_from_matrix(&y.att);
    let moved = |(dq, dw): &(Quat, Vec3), c: f64| {
        let z: Quat = core::array::from_fn(|i| q[i] + c * dq[i]);
        (z, y.omega + dw * c)
    };
    let mut k = slope(source, t, &q, &y.omega);
    let mut sum = (k.0.map(|x| x * weights[0]), k.1 * weights[0]);
    for ((c, at), b) in rows.iter().zip(times).zip(&weights[1..]) {
        let (z, w) = moved(&k, c * h);
        k = slope(source, t + at * h, &z, &w);
        for i in 0..4 {
            sum.0[i] += b * k.0[i];
        }
        sum.1 += k.1 * *b;
    }
    let (z, w) = moved(&sum, h);
    let norm = z.iter().map(|x| x * x).sum::<f64>().sqrt();
    y.att = so3::matrix_from_quat(&z.map(|x| x / norm));
    y.omega = w;
}
