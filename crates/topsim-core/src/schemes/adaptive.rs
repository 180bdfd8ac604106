//! Embedded pairs on the quaternion that divide their steps to a tolerance: `adaptive_bogacki_shampine` … `adaptive_dop853`.
//!
//! Sources: `hairer1993`, section II.4 for the control and II.6 for dense output; the pairs name their own ([`pairs`](super::pairs)).
//! Letters: q quaternion (body → space), W body rate, Π = J W, `y = (q, Π)` and f as in [`quat_rk`](super::quat_rk), h inner step,
//! k slopes of its stages, the last of them f at its end.
//! - e = h Σ e_i k_i estimates the error of the rule of lower order; its size is `√((2 |e_q|)² + (|e_Π| / P)²)`, with P the largest |Π|
//!   since the start: an angle in rad, and a part of the momentum
//! - `err` is that size over the tolerance (error per step). A step with `err > 1` is rejected; the next is h times
//!   `0.9 err^(−1/p)`, at least 0.2 and at most 5, and after a rejection at most 1; p is the power of h with which e falls
//! - the first step turns and changes the momentum by `tolerance^(1/p)` at the slopes of the start; it is at most a thousand steps of the run
//! - a step ends where the torque has a kink or a jump ([`Torque::switches`]); that after it has the length that it would have had
//! - a row at `t + θh` is that of `y + θ(r1 + (1 − θ)(r2 + θ(r3 + (1 − θ)(r4 + …))))`, r1 = y' − y, r2 = h k_1 − r1, r3 = r1 − h k_s − r2,
//!   `r_(3+i) = h Σ d_ij k_j`
//!
//! The rule of higher order advances (local extrapolation). An error per step of tolerance ~ h^p and an order r of the rule make errors of
//! the motion ~ h^r = tolerance^(r/p), and r = p for these pairs: errors are proportional to the tolerance. Inner steps go on through the
//! ends of the steps of a run, which only say where rows are read. q is normalised after each inner step.

use super::pairs::{BOGACKI_SHAMPINE, DOP853, DORMAND_PRINCE, EmbeddedPair};
use super::prelude::*;
use super::quat_rk4::slopes;
use crate::math::quaternion::plus;
use crate::math::scalar;

/// Smallest tolerance of runs: some hundred roundings of the estimate, below which it is noise.
pub const LEAST_TOLERANCE: f64 = 1e-13;
/// Largest tolerance of runs, rad: with a larger error of one step the motion would be another one.
pub const MOST_TOLERANCE: f64 = 0.1;
/// Most steps of a run in the first inner step, for bodies at rest.
const FIRST: f64 = 1000.0;
/// Most tries within one step of a run: some seconds of work, so that a run ends where inner steps get nowhere.
const MOST_TRIES: u32 = 1_000_000;

/// Stages of the longest pair with its dense output: 12, the slope at the end, and 3.
const MOST_STAGES: usize = 16;
/// Coefficients of the longest dense output.
const MOST_COEFFICIENTS: usize = 7;

/// Quaternion and body momentum, or their slopes.
type Pair = (Quat, Vec3);

const NOTHING: Pair = ([0.0; 4], Vec3::new(0.0, 0.0, 0.0));

/// Control of inner steps: the elementary one of `hairer1993` (II.4.13).
#[derive(Debug, Clone, Copy)]
pub(super) struct Control {
    /// Largest error of an accepted step, in tolerances.
    pub accepts: f64,
    /// Negative power of `err`, as a multiple of that of the estimate.
    pub gain: f64,
}

/// The control itself; tests have others.
pub(super) const CONTROL: Control = Control {
    accepts: 1.0,
    gain: 1.0,
};
/// Part of the step whose error is expected to be the tolerance, one of those that the source recommends, as are the ratios.
const SAFETY: f64 = 0.9;
/// Smallest and largest ratio of neighbouring steps.
const RATIOS: [f64; 2] = [0.2, 5.0];

/// An embedded pair that divides its steps.
#[derive(Debug, Clone, Copy)]
pub struct Adaptive {
    pub(super) pair: &'static EmbeddedPair,
    pub(super) control: Control,
    pub(super) tolerance: f64,
}

/// Inner step that was made last, and where the next begins.
#[derive(Debug, Clone)]
pub struct InnerSteps {
    /// Times at its start and end, s.
    span: [f64; 2],
    /// State at its end.
    y: Pair,
    /// Slope there.
    slope: Pair,
    /// Length of the next inner step, s; `None` before the first.
    next: Option<f64>,
    /// Times at which the torque has a kink or a jump, s: an inner step ends there.
    switches: Vec<f64>,
    /// Largest |Π| since the start, kg m²/s.
    size: f64,
    /// State at its start, and the coefficients of the dense output.
    dense: (Pair, [Pair; MOST_COEFFICIENTS]),
}

impl Memory for InnerSteps {
    fn start(at: &Step<impl Torque>, state: &RotState) -> Result<Self, StepFail> {
        let pi = at.top.inertia().times(&state.omega);
        let y = (so3::quat_from_matrix(&state.att), pi);
        Ok(Self {
            span: [at.t; 2],
            y,
            slope: slopes(at.top, at.t, &y.0, &y.1),
            next: None,
            switches: at.top.torque().switches(f64::NEG_INFINITY, f64::INFINITY),
            size: pi.norm(),
            dense: (y, [NOTHING; MOST_COEFFICIENTS]),
        })
    }
}

/// Returns `y + h Σ a_j k_j`.
#[inline(always)]
fn plus_sum(y: &Pair, h: f64, row: &[f64], k: &[Pair]) -> Pair {
    let terms = row.iter().zip(k).filter(|(a, _)| **a != 0.0);
    terms.fold(*y, |(q, pi), (a, k)| {
        (plus(&q, h * a, &k.0), pi + k.1 * (h * a))
    })
}

/// Returns the size of a change: an angle, and a part of the momentum `size`, which counts only if there is one.
fn size_of((q, pi): &Pair, size: f64) -> f64 {
    let turn = 2.0 * q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let part = if size > 0.0 { pi.norm() / size } else { 0.0 };
    scalar::hypot(turn, part)
}

/// Slopes of an inner step, and what it leads to.
pub(super) struct Trial {
    k: [Pair; MOST_STAGES],
    end: Pair,
    /// Estimate of its error, as a size.
    pub error: f64,
}

impl Adaptive {
    /// Makes an inner step, to be accepted or rejected.
    pub(super) fn trial(&self, at: &Step<impl Torque>, m: &InnerSteps) -> Trial {
        let Step { top, t, h, .. } = *at;
        let rule = self.pair.rule;
        let mut k = [NOTHING; MOST_STAGES];
        k[0] = m.slope;
        for (i, row) in rule.rows.iter().enumerate().skip(1) {
            let (q, pi) = plus_sum(&m.y, h, row, &k);
            k[i] = slopes(top, t + h * rule.time(i), &q, &pi);
        }
        let end = plus_sum(&m.y, h, rule.weights, &k);
        k[rule.weights.len()] = slopes(top, t + h, &end.0, &end.1);
        let size = m.size.max(end.1.norm());
        let [first, second] = [self.pair.estimate, self.pair.second]
            .map(|row| size_of(&plus_sum(&NOTHING, h, row, &k), size));
        let error = match self.pair.second {
            _ if first == 0.0 => 0.0,
            [] => first,
            _ => first * first / scalar::hypot(first, 0.1 * second),
        };
        Trial { k, end, error }
    }

    /// Prepares the dense output of an accepted inner step.
    pub(super) fn prepare(&self, at: &Step<impl Torque>, made: &mut Trial, m: &mut InnerSteps) {
        let Step { top, t, h, .. } = *at;
        let stages = self.pair.rule.weights.len();
        let start = m.dense.0;
        for (i, row) in self.pair.extra.iter().enumerate() {
            let (q, pi) = plus_sum(&start, h, row, &made.k);
            made.k[stages + 1 + i] = slopes(top, t + h * row.iter().sum::<f64>(), &q, &pi);
        }
        let r = &mut m.dense.1;
        r[0] = plus_sum(&made.end, -1.0, &[1.0], &[start]);
        r[1] = plus_sum(&NOTHING, 1.0, &[h, -1.0], &[made.k[0], r[0]]);
        r[2] = plus_sum(&r[0], -1.0, &[h, 1.0], &[made.k[stages], r[1]]);
        for (i, row) in self.pair.dense.iter().enumerate() {
            r[3 + i] = plus_sum(&NOTHING, h, row, &made.k);
        }
    }

    /// Returns the state of the dense output at a part of the inner step.
    pub(super) fn read(&self, part: f64, m: &InnerSteps) -> Pair {
        let used = 3 + self.pair.dense.len();
        let (start, r) = &m.dense;
        let mut sum = NOTHING;
        for (i, r) in r[..used].iter().enumerate().rev() {
            let factor = if i % 2 == 0 { part } else { 1.0 - part };
            let (q, pi) = plus_sum(&sum, 1.0, &[1.0], &[*r]);
            sum = (q.map(|x| x * factor), pi * factor);
        }
        plus_sum(start, 1.0, &[1.0], &[sum])
    }

    /// Makes the next inner step, in as many tries as it takes, and prepares its dense output if the step `of_run` ends in it.
    fn advance(
        &self,
        of_run: &Step<impl Torque>,
        m: &mut InnerSteps,
        work: &mut Effort,
    ) -> Result<(), StepFail> {
        let (top, t, tolerance) = (of_run.top, m.span[1], self.tolerance);
        let (power, [least, most]) = (f64::from(self.pair.power), RATIOS);
        let stages = self.pair.rule.weights.len();
        let first = || {
            let h = scalar::powf(tolerance, 1.0 / power) / size_of(&m.slope, m.size);
            h.min(FIRST * of_run.h.abs()).copysign(of_run.h)
        };
        let mut h = m.next.unwrap_or_else(first);
        let mut growth = most;
        loop {
            let whole = t + h;
            let between = |s: &&f64| (**s - t) * h > 0.0 && (whole - **s) * h > 0.0;
            let nearer = |a: &f64, b: &f64| (a * h).total_cmp(&(b * h));
            let switch = m.switches.iter().filter(between).copied().min_by(nearer);
            let until = switch.unwrap_or(whole);
            if until == t || !until.is_finite() || work.torque > MOST_TRIES * stages as u32 {
                return Err(StepFail::NoInnerStep { t, tolerance });
            }
            let at = Step::new(top, t, until - t);
            let mut made = self.trial(&at, m);
            work.torque += stages as u32;
            let error = made.error / tolerance;
            let ratio = SAFETY * scalar::powf(error, -self.control.gain / power);
            // The ratio of a NaN is the smallest.
            let ratio = ratio.max(least).min(growth);
            if !(error <= self.control.accepts) {
                work.rejected += 1;
                growth = 1.0;
                h = at.h * ratio.min(1.0);
                continue;
            }
            m.span = [t, until];
            m.dense.0 = m.y;
            if (until - (of_run.t + of_run.h)) * h >= 0.0 {
                self.prepare(&at, &mut made, m);
                work.torque += self.pair.extra.len() as u32;
            }
            let length = made.end.0.iter().map(|v| v * v).sum::<f64>().sqrt();
            // The slope of q is linear in q.
            let (slope_q, slope_pi) = made.k[stages];
            m.y = (made.end.0.map(|v| v / length), made.end.1);
            m.slope = (slope_q.map(|v| v / length), slope_pi);
            m.size = m.size.max(m.y.1.norm());
            m.next = Some(switch.map_or(at.h * ratio, |_| h));
            return Ok(());
        }
    }
}

impl RotationScheme for Adaptive {
    type Memory = InnerSteps;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut InnerSteps) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let goal = t + h;
        let mut work = Effort::default();
        while (goal - m.span[1]) * h > 0.0 {
            self.advance(at, m, &mut work)?;
        }
        let [from, until] = m.span;
        let (q, pi) = self.read((goal - from) / (until - from), m);
        y.att = so3::matrix_from_quat(&q);
        y.omega = top.inertia().solve(&pi);
        Ok(work)
    }
}

macro_rules! pairs {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $pair:ident, [$($cite:literal),+], $title:literal, $stages:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $scheme {
            /// Tolerance of an inner step: an angle in rad, and a part of the largest momentum. Runs have theirs in `run.tolerances`.
            #[cfg_attr(feature = "schema", schemars(skip))]
            pub tolerance: f64,
        }
        scheme! { impl $scheme {
            name: $name,
            title: concat!($title, " on the quaternion, in inner steps that keep a tolerance"),
            formula: concat!($stages, "\nfor y = (q, Π), f = (½ q (0, W), Π × W + T(Λ(q), t)), q ← q/|q|; err = the estimate over the tolerance, \
                the next inner step h·0.9 err^(−1/p), again if err > 1; rows by dense output"),
            coefficients: Coefficients::Tableau($pair.rule),
            citations: &[$($cite),+],
            claims: Claims { order: $pair.rule.order, reversible: false, symplectic: false,
                energy: Energy::WithTolerance, momentum: Momentum::Approximate,
                torque_evaluations: Evaluations::EachTry($pair.rule.weights.len() as u32, $pair.extra.len() as u32) },
            adaptive: Some(AdaptiveClaims { estimate: $pair.power, dense: $pair.dense_order }),
        } }
        impl From<$scheme> for Adaptive {
            fn from($scheme { tolerance }: $scheme) -> Self {
                Self { pair: &$pair, control: CONTROL, tolerance }
            }
        }
    )*};
}

pairs! {
    /// Order 3, an estimate of order 2, Hermite's polynomial between the ends.
    AdaptiveBogackiShampine, "adaptive_bogacki_shampine", BOGACKI_SHAMPINE, ["bogacki1989", "hairer1993"], "Bogacki & Shampine's 3(2)",
        "k1 = f(y), k2 = f(y + ½h k1), k3 = f(y + ¾h k2), y' = y + h(2k1 + 3k2 + 4k3)/9, k4 = f(y'); e = h(−5k1 + 6k2 + 8k3 − 9k4)/72, p = 3";
    /// Order 5, an estimate of order 4, a polynomial of order 4 between the ends.
    AdaptiveDormandPrince, "adaptive_dormand_prince", DORMAND_PRINCE, ["dormand1980", "hairer1993"], "Dormand & Prince's 5(4)",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, k7 = f(y'), seven stages at 0, 1/5, 3/10, 4/5, 8/9, 1, 1 of the step; e = h Σ e_i k_i, p = 5";
    /// Order 8, estimates of the orders 5 and 3, a polynomial of order 7 between the ends for three more stages.
    AdaptiveDop853, "adaptive_dop853", DOP853, ["hairer1993"], "Dormand & Prince's 8(5,3)",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, k13 = f(y'), the tableau of DOP853; e = e5²/√(e5² + e3²/100) of two estimates, p = 8";
}
