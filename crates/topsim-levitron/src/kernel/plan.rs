//! The constants of an escape problem, which do not depend on the start and are computed once.

use super::{EscapeError, EscapeProblem};
use topsim_core::math::scalar::exp;
use topsim_core::schemes::Composition;

/// Largest number of terms of the rotation's series.
pub(super) const MAX_TERMS: usize = 12;

/// Terms of the series of the cosine for angles up to 0.6 and up to 2.5 rad per drift, that of the
/// sine having one less: the first terms left out are below 1e-16 of the sums.
pub(super) const SHORT_SERIES: usize = 7;
pub(super) const LONG_SERIES: usize = 11;

const SHORT_ANGLE: f64 = 0.6;
const LONG_ANGLE: f64 = 2.5;

/// Factor by which the axis may come to turn faster than at the start before the series lose digits,
/// which they do slowly.
const MARGIN: f64 = 1.15;

/// Lengths of a kick in units of each force.
#[derive(Debug, Clone, Copy)]
pub(super) struct KickLengths {
    /// τ μ/m times the strength of the field.
    pub force: f64,
    /// τ μ/Θ1 times the strength of the field.
    pub torque: f64,
    /// τ g.
    pub gravity: f64,
}

/// A drift: a += C c + P × c, c = P × a, P = S w. With θ = τ|w| and P of length √2 sin(θ/2)
/// this is the rotation by θ for C = √2 cos(θ/2).
#[derive(Debug, Clone, Copy)]
pub(super) struct DriftSeries {
    /// τ.
    pub time: f64,
    /// Coefficients of S in powers of |w|².
    pub sine: [f64; MAX_TERMS],
    /// Coefficients of C.
    pub cosine: [f64; MAX_TERMS],
}

/// Factors of the damping flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct DampingDecay {
    /// Factor of v.
    pub velocity: f64,
    /// Factor of w across the axis.
    pub across: f64,
    /// Factor of w along the axis, less `across`.
    pub along_more: f64,
}

/// A drift and the kick after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DriftKick {
    pub drift: DriftSeries,
    pub kick: KickLengths,
}

/// Damping around a run and between two steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct DampingFactors {
    /// Damping before the first kick of a run and after its last.
    pub half: DampingDecay,
    /// Damping between steps.
    pub full: DampingDecay,
}

/// The constants of the kernel.
#[derive(Debug, Clone)]
pub(super) struct EscapeConstants {
    /// The first kick of a step.
    pub first: KickLengths,
    /// The drifts but the last, each with its kick.
    pub stages: Vec<DriftKick>,
    /// The last drift.
    pub drift: DriftSeries,
    /// The last kick of a step.
    pub last: KickLengths,
    /// Last and first together.
    pub merged: KickLengths,
    /// True where neither a kick nor damping stands between two steps.
    pub idle: bool,
    /// The damping, if any.
    pub damped: Option<DampingFactors>,
    /// True where the shorter kernel serves: one drift, a small angle, no damping, the ball on the axis.
    pub quick: bool,
    /// w at the start, along the axis, rad/s.
    pub w0: f64,
    /// Centre and square of the radius of the ball.
    pub centre: [f64; 3],
    pub radius2: f64,
    /// N.
    pub steps: u32,
}

impl EscapeConstants {
    pub fn new(p: &EscapeProblem) -> Result<Self, EscapeError> {
        let d = p.damping;
        let within = |name, value: f64, least: f64, most: f64, allowed| {
            let refused = EscapeError::OutOfRange {
                name,
                value,
                allowed,
            };
            // The comparison is written so that a NaN is refused.
            let good = value >= least && value <= most;
            good.then_some(()).ok_or(refused)
        };
        let positive =
            |name, x| within(name, x, f64::MIN_POSITIVE, f64::MAX, "positive and finite");
        let rate = |name, x| within(name, x, 0.0, f64::MAX, "0 or more and finite");
        let finite = |name, x| within(name, x, f64::MIN, f64::MAX, "finite");
        positive("the step", p.h)?;
        positive("the radius of the ball", p.radius)?;
        rate("the damping of the velocity", d.translation)?;
        rate("the damping of the spin", d.spin)?;
        rate("the transverse damping", d.transverse)?;
        finite("the spin", p.spin)?;
        finite("the centre's x", p.centre[0])?;
        finite("the centre's y", p.centre[1])?;
        finite("the centre's z", p.centre[2])?;
        let (steps, most) = (f64::from(p.steps), f64::from(i32::MAX));
        within(
            "the number of steps",
            steps,
            1.0,
            most,
            "from 1 to 2147483647",
        )?;
        let (h, top) = (p.h, &p.levitron);
        let w0 = p.spin * (top.theta3() / top.theta1());
        let Composition { kicks, drifts, .. } = p.scheme;
        let longest = drifts.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
        let angle = (h * longest * w0).abs();
        let largest = LONG_ANGLE / MARGIN;
        if !(angle <= largest) {
            return Err(EscapeError::Angle {
                angle,
                largest,
                step: h * largest / angle,
            });
        }
        let pull = top.moment() * top.field().strength();
        let kick = |fraction: f64| {
            let tau = fraction * h;
            KickLengths {
                force: tau * (pull / top.mass()),
                torque: tau * (pull / top.theta1()),
                gravity: tau * top.gravity(),
            }
        };
        let last = drifts.len() - 1;
        let decay = |tau: f64| {
            let across = exp(-d.transverse * tau);
            DampingDecay {
                velocity: exp(-d.translation * tau),
                across,
                along_more: exp(-d.spin * tau) - across,
            }
        };
        let damp = [d.translation, d.spin, d.transverse]
            .iter()
            .any(|g| *g > 0.0);
        Ok(Self {
            first: kick(kicks[0]),
            stages: (0..last)
                .map(|i| DriftKick {
                    drift: DriftSeries::new(drifts[i] * h),
                    kick: kick(kicks[i + 1]),
                })
                .collect(),
            drift: DriftSeries::new(drifts[last] * h),
            last: kick(kicks[last + 1]),
            merged: kick(kicks[last + 1] + kicks[0]),
            idle: kicks[last + 1] + kicks[0] == 0.0 && !damp,
            damped: damp.then(|| DampingFactors {
                half: decay(0.5 * h),
                full: decay(h),
            }),
            quick: last == 0 && !damp && angle * MARGIN <= SHORT_ANGLE && p.centre[..2] == [0.0; 2],
            w0,
            centre: p.centre,
            radius2: p.radius * p.radius,
            steps: p.steps,
        })
    }
}

impl DriftSeries {
    fn new(time: f64) -> Self {
        let mut d = Self {
            time,
            sine: [0.0; MAX_TERMS],
            cosine: [0.0; MAX_TERMS],
        };
        // Powers of −τ²/4 over factorials.
        let x = -0.25 * time * time;
        let mut term = core::f64::consts::SQRT_2;
        for k in 0..MAX_TERMS {
            let n = 2.0 * k as f64;
            d.cosine[k] = term;
            d.sine[k] = 0.5 * time * term / (n + 1.0);
            term *= x / ((n + 1.0) * (n + 2.0));
        }
        d
    }
}
