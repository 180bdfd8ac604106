//! Closed forms of bodies whose torque acts along the angular momentum, and of bodies whose inertia breathes.
//! They follow the path of the free body with another dependence on time.
//!
//! With T = (ṁ/m) J W, m = 1 at the start, and R_F, W_F the free motion from the same start, the solution is
//! R(t) = R_F(s), W(t) = m W_F(s) with the clock s = ∫ m dt. Letters: L₀ is the angular momentum at the start
//! (space frame), λ the factor of a breathing inertia.
//! - Damping: [`Damping::clock`] returns s and m.
//! - Torque τ(t) fixed in space along û: |L| = |L₀| + ∫ τ·û. From rest, the free motion starts with the
//!   momentum û.
//! - Breathing inertia: m = λ₀/λ, s = ∫ λ₀/λ dt.

use super::closed_form::{ClosedForm, bind_form};
use super::{FreeBody, NoClosedForm, RefError, RowReference};
use crate::math::{Mat3, Vec3, scalar};
use crate::models::{
    BreathingInertia, Constant, Damping, Frame, InitialValueProblem, Model, RigidTop, RotState,
    TimeTorque, TorqueModel, VectorSeries,
};

/// Largest sine of the angle between torque and momentum that still counts as parallel: it is rounding of the case's numbers, and the
/// stated error contains what the part across the momentum does.
const PARALLEL: f64 = 1e-14;

/// Clock s(t) of the free motion and its rate m(t), by the kind of torque.
enum Clock {
    /// A damping torque, with the size of the angular momentum at the start.
    Damped(Damping, f64),
    /// A torque along the momentum: `along` is the torque divided by the initial momentum (by 1 N m s from
    /// rest), and `moving` is false for a body at rest.
    Pushed {
        along: VectorSeries,
        moving: bool,
    },
    Breathing(BreathingInertia),
}

struct AlongMomentum {
    free: FreeBody,
    clock: Clock,
    /// Start time, s.
    start: f64,
    /// Ratio of the largest moment of inertia to the smallest.
    slenderness: f64,
    /// Largest sine of the angle between torque and momentum.
    across: f64,
}

/// Returns the closed form of a body with a torque along its momentum, for runs that start at time `start`.
pub(super) fn along_momentum(
    model: &Model,
    start: f64,
) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| AlongMomentum::new(top, start))
        .unwrap_or(Err(NoClosedForm::NotAlongMomentum))
}

impl AlongMomentum {
    fn new(top: &RigidTop<TorqueModel>, start: f64) -> Result<Self, NoClosedForm> {
        let RotState { att, omega } = top.initial();
        let momentum = att * top.inertia().times(&omega);
        let (clock, omega, across) = match top.torque() {
            TorqueModel::Damping(damping) => {
                (Clock::Damped(damping.clone(), momentum.norm()), omega, 0.0)
            }
            TorqueModel::BreathingInertia(breathing) => {
                (Clock::Breathing(breathing.clone()), omega, 0.0)
            }
            TorqueModel::Constant(Constant {
                torque,
                frame: Frame::Space,
            }) => {
                let series = VectorSeries {
                    polynomial: vec![*torque],
                    ..VectorSeries::default()
                };
                pushed_clock(top, &series, &att, omega, &momentum)?
            }
            TorqueModel::TimeTorque(TimeTorque {
                series,
                frame: Frame::Space,
            }) => pushed_clock(top, series, &att, omega, &momentum)?,
            _ => return Err(NoClosedForm::NotAlongMomentum),
        };
        let moments = top.inertia().moments();
        Ok(Self {
            free: FreeBody::new(top.inertia().tensor(), &att, &omega)?,
            clock,
            start,
            slenderness: moments.z / moments.x,
            across,
        })
    }

    /// Returns the clock s and its rate m = ds/dt at `t` seconds after the start.
    fn clock_and_rate(&self, t: f64) -> (f64, f64) {
        match &self.clock {
            Clock::Damped(damping, momentum) => damping.clock(*momentum, t).into(),
            Clock::Pushed { along, moving } => {
                let begun = f64::from(u8::from(*moving));
                let [[first, second], [i0, s0]] =
                    [self.start + t, self.start].map(|t| along.integrals(t).map(|v| v.x));
                (begun * t + (second - s0 - i0 * t), begun + (first - i0))
            }
            Clock::Breathing(breathing) => {
                let begun = breathing.factor(self.start);
                let s = begun * integrate_inverse_factor(breathing, self.start, t);
                (s, begun / breathing.factor(self.start + t))
            }
        }
    }

    /// Returns the size of the terms added up in s; the sum loses a few units in the last place of this size.
    fn summed_size(&self, t: f64, s: f64) -> f64 {
        match &self.clock {
            Clock::Damped(..) => s.abs(),
            Clock::Pushed { along, .. } => {
                let far = (self.start.abs() + t.abs()).max(1.0);
                let powers = along.polynomial.iter().zip(2..);
                let powers = powers.map(|(c, n)| c.x.abs() * far.powi(n)).sum::<f64>();
                let sines = along.amplitudes.iter().map(|a| a.x.abs()).sum::<f64>();
                t.abs() + powers + sines * far * far
            }
            Clock::Breathing(breathing) => {
                let turns = breathing.rate.abs() * (self.start.abs() + t.abs());
                let thin = 1.0 - breathing.amplitude.abs();
                t.abs() * (1.0 + turns + breathing.phase.abs()) / (thin * thin)
            }
        }
    }
}

/// Integrates 1/λ over the time `t` after `start`, with λ = 1 + a sin x. With q = √(1 − a²), b = a/(1 + q) and
/// u = b cos x/(1 + b sin x) the integral is (Δx + 2 Δ atan u)/(q rate), and atan u has no jumps. The
/// difference of the two arctangents is taken as one arctangent, so that slow breathing loses no digits.
fn integrate_inverse_factor(breathing: &BreathingInertia, start: f64, t: f64) -> f64 {
    let &BreathingInertia {
        amplitude: a,
        rate,
        phase,
    } = breathing;
    let q = ((1.0 - a) * (1.0 + a)).sqrt();
    let b = a / (1.0 + q);
    let half = 0.5 * rate * t;
    let x0 = rate * start + phase;
    let (middle, x1) = (x0 + half, x0 + 2.0 * half);
    let ends = (1.0 + b * scalar::sin(x0)) * (1.0 + b * scalar::sin(x1));
    let along = ends + b * b * scalar::cos(x0) * scalar::cos(x1);
    let across = -2.0 * b * scalar::sin(half) * (scalar::sin(middle) + b * scalar::cos(half));
    (rate * t + 2.0 * scalar::atan2(across, along)) / (q * rate)
}

/// Returns the clock of a torque fixed in space, the body rate with which the free motion starts, and the largest sine of the angle
/// between torque and momentum.
fn pushed_clock(
    top: &RigidTop<TorqueModel>,
    torque: &VectorSeries,
    att: &Mat3,
    omega: Vec3,
    momentum: &Vec3,
) -> Result<(Clock, Vec3, f64), NoClosedForm> {
    let size = momentum.norm();
    let moving = size > 0.0;
    let by_size = |a: &&Vec3, b: &&Vec3| a.norm_squared().total_cmp(&b.norm_squared());
    let largest = torque.vectors().max_by(by_size);
    let largest = largest.filter(|v| v.norm() > 0.0);
    let (direction, unit, omega) = match largest {
        _ if moving => (momentum / size, size, omega),
        Some(push) => {
            let direction = push.normalize();
            (direction, 1.0, top.inertia().solve(&att.tr_mul(&direction)))
        }
        None => return Err(NoClosedForm::NotAlongMomentum),
    };
    let vectors = torque.vectors().filter(|v| v.norm() > 0.0);
    let sines = vectors.map(|v| v.cross(&direction).norm() / v.norm());
    let across = sines.fold(0.0, f64::max);
    if !(across <= PARALLEL) {
        return Err(NoClosedForm::NotAlongMomentum);
    }
    // The first component holds the torque along the momentum.
    let along = |v: &Vec3| Vec3::x() * (v.dot(&direction) / unit);
    let along = VectorSeries {
        polynomial: torque.polynomial.iter().map(along).collect(),
        amplitudes: torque.amplitudes.iter().map(along).collect(),
        ..torque.clone()
    };
    Ok((Clock::Pushed { along, moving }, omega, across))
}

impl ClosedForm for AlongMomentum {
    const PROVENANCE: &'static str =
        "closed form of the free body on the clock of a torque along its momentum";

    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let (s, m) = self.clock_and_rate(t);
        let (att, omega) = self.free.at(s);
        (att, omega * m)
    }

    /// Adds to the error of the free motion at s the effect of rounding s and m, and that of the torque across the momentum: it
    /// turns the momentum by its sine, and the rate by as much times the slenderness.
    fn error(&self, t: f64) -> RefError {
        let (s, m) = self.clock_and_rate(t);
        let eps = 8.0 * f64::EPSILON;
        let late = eps * self.summed_size(t, s);
        let pace = eps * (m.abs() + self.summed_size(t, s) / t.abs().max(1.0));
        let RefError { attitude, rate } = self.free.error(s);
        let speed = self.free.at(s).1.norm();
        let turned = self.across * self.slenderness * speed;
        RefError {
            attitude: (attitude + speed * late + turned * self.summed_size(t, s))
                .min(core::f64::consts::PI),
            rate: m.abs() * (rate + self.slenderness * speed * speed * late)
                + pace * speed
                + turned * (1.0 + m.abs()),
        }
    }
}
