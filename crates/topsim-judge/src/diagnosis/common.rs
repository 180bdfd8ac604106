//! Several histories at the times they share: how they approach their own limit, and how near they
//! are to a given motion.

use crate::history::{Body, FileReport, Trace};
use crate::identification::Note;
use crate::thresholds::*;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::reference::{Numerical, NumericalError, Solution};
use topsim_protocol::history::Sample;

/// Times compared.
const MOST: usize = 240;

/// Histories at common times, coarse to fine.
pub(crate) struct Common {
    /// Times, s.
    pub times: Vec<f64>,
    /// Steps of the histories, s.
    pub steps: Vec<f64>,
    /// Where the two finest part, s: what comes later is not compared.
    pub cut: Option<f64>,
    /// The rows of each.
    pub(super) rows: Vec<Vec<Sample>>,
}

/// How a ladder of histories behaves by itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SelfConvergence {
    /// Largest angle between each history and the next finer one, rad.
    pub differences: Vec<f64>,
    /// Order with which these fall; of three histories or more.
    pub order: Option<f64>,
    /// Time until which the histories were compared, s.
    pub until: f64,
    /// True if the two finest parted then.
    #[serde(skip)]
    pub(crate) parted: bool,
}

impl SelfConvergence {
    /// Returns true if the histories, so far from a motion, rad, converge to another one.
    pub(super) fn is_another(&self, off: f64) -> bool {
        let last = self.differences.last().copied().unwrap_or(f64::NAN);
        let converges = self.order.is_some_and(|p| p >= CONVERGES);
        converges && off > AMPLIFIED && last <= HUNDREDTH * off
    }
}

/// How near a motion is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Nearness {
    /// Largest angle between each history and the motion, coarse to fine, rad.
    pub errors: Vec<f64>,
    /// The same of the histories' extrapolated limit, rad.
    pub limit: Option<f64>,
}

impl Nearness {
    pub(super) fn finest(&self) -> f64 {
        self.errors.last().copied().unwrap_or(f64::NAN)
    }
}

impl Common {
    /// The times that all histories have, of those within the span; where they share fewer than
    /// three, the finest history alone.
    pub fn new(histories: &[FileReport], span: [f64; 2]) -> Option<Self> {
        let finest = histories.last()?;
        Self::of(histories, span).or_else(|| Self::of(core::slice::from_ref(finest), span))
    }

    fn of(histories: &[FileReport], span: [f64; 2]) -> Option<Self> {
        let least = histories.last()?.step;
        let traces: Vec<&Trace> = histories.iter().map(|s| &s.trace).collect();
        let slack = IN_TIME * least + ROUNDING * (span[1] - span[0]);
        let within = |t: f64| t >= span[0] - slack && t <= span[1] + slack;
        let rest = &traces[1..];
        let shared: Vec<f64> = traces[0]
            .points
            .iter()
            .map(|p| p.t)
            .filter(|t| within(*t) && rest.iter().all(|r| r.at(*t, slack).is_some()))
            .collect();
        if shared.len() < 3 {
            return None;
        }
        // Evenly spread in time: the first rows of a history lie closer.
        let gap = (shared[shared.len() - 1] - shared[0]) / MOST as f64;
        let mut times: Vec<f64> = Vec::new();
        for t in shared {
            if times.last().is_none_or(|last| t - last >= gap) {
                times.push(t);
            }
        }
        let rows = |trace: &&Trace| -> Vec<Sample> {
            times
                .iter()
                .filter_map(|t| trace.at(*t, slack))
                .cloned()
                .collect()
        };
        let rows: Vec<Vec<Sample>> = traces.iter().map(rows).collect();
        let mut out = Self {
            steps: histories.iter().map(|s| s.step).collect(),
            times,
            cut: None,
            rows,
        };
        out.keep_reliable();
        (out.times.len() >= 3).then_some(out)
    }

    /// Cuts where the two finest have parted: what comes later says nothing of a limit.
    fn keep_reliable(&mut self) {
        if let [.., a, b] = &self.rows[..] {
            let parted = |(x, y): (&Sample, &Sample)| !(so3::angle_between(&x.att, &y.att) <= LOST);
            let until = a.iter().zip(b).position(parted).unwrap_or(a.len());
            if until > 0 && until < self.times.len() {
                self.cut = Some(self.times[until - 1]);
            }
            self.times.truncate(until);
            for rows in &mut self.rows {
                rows.truncate(until);
            }
        }
    }

    /// How the histories approach each other.
    pub fn own_limit(&self) -> Option<SelfConvergence> {
        let worst = |a: &[Sample], b: &[Sample]| {
            let pairs = a.iter().zip(b);
            largest(pairs.map(|(x, y)| so3::angle_between(&x.att, &y.att)))
        };
        let differences: Vec<f64> = self.rows.windows(2).map(|w| worst(&w[0], &w[1])).collect();
        let last = *differences.last()?;
        let order = match (&differences[..], &self.steps[..]) {
            ([.., d0, d1], [.., h0, h1, _]) if d0.min(*d1) > ROUNDING => {
                Some(scalar::ln(d0 / d1) / scalar::ln(h0 / h1))
            }
            _ => None,
        };
        last.is_finite().then(|| SelfConvergence {
            differences,
            order,
            until: self.times[self.times.len() - 1],
            parted: self.cut.is_some(),
        })
    }

    /// The limit of the histories by Richardson's extrapolation with their own order, where three
    /// have one.
    pub(super) fn extrapolated(&self, own: &SelfConvergence) -> Option<Vec<Mat3>> {
        let order = own.order.filter(|p| *p > CONVERGES && *p < NO_ORDER)?;
        let whole = order.round().max(1.0);
        let order = if (order - whole).abs() < ORDER_SLACK {
            whole
        } else {
            order
        };
        let [.., coarse, fine] = &self.rows[..] else {
            return None;
        };
        let [.., h0, h1] = self.steps[..] else {
            return None;
        };
        let share = 1.0 / (scalar::exp(order * scalar::ln(h0 / h1)) - 1.0);
        let limit = |(c, f): (&Sample, &Sample)| {
            f.att * so3::exp(&(so3::log(&c.att.tr_mul(&f.att)) * share))
        };
        Some(coarse.iter().zip(fine).map(limit).collect())
    }

    /// Measures how near the histories, seen through `reading`, which is given the motion too, are to a motion known at the first times.
    pub(super) fn nearness(
        &self,
        motion: &[Mat3],
        limit: Option<&[Mat3]>,
        reading: &dyn Fn(&Mat3, &Mat3) -> Mat3,
    ) -> Nearness {
        // A motion that runs away long before the histories is none of theirs.
        if 2 * motion.len() < self.times.len() {
            return Nearness {
                errors: vec![f64::INFINITY; self.rows.len()],
                limit: limit.map(|_| f64::INFINITY),
            };
        }
        let angle = |(a, b): (&Mat3, &Mat3)| so3::angle_between(&reading(a, b), b);
        let worst =
            |rows: &Vec<Sample>| largest(rows.iter().map(|p| &p.att).zip(motion).map(angle));
        Nearness {
            errors: self.rows.iter().map(worst).collect(),
            limit: limit.map(|l| largest(l.iter().zip(motion).map(angle))),
        }
    }

    /// Whether the histories converge to a motion this near: in some pair of neighbouring steps they are
    /// as far from it as from each other, that falls with the step, and no finer history strays again:
    /// it may only stop at a floor of rounding, tolerance or printed digits.
    pub(super) fn explained_by(&self, near: &Nearness, own: Option<&SelfConvergence>) -> bool {
        let finest = near.finest();
        if finest <= AMPLIFIED {
            return true;
        }
        let Some(own) = own else {
            return false;
        };
        let errors = &near.errors;
        let pair = |k: usize| {
            let (e0, e1) = (errors[k], errors[k + 1]);
            let ratio = self.steps[k] / self.steps[k + 1];
            let order = scalar::ln(e0 / e1) / scalar::ln(ratio);
            // An error C h^p is C h^p (r^p − 1) away from the next coarser one: for p ≥ 1 and r = 2 at
            // least as far as from the limit; a little more for errors that are no pure power.
            let share = 1.0 / (ratio - 1.0);
            let apart = own.differences[k];
            let rest = largest(errors[k + 1..].iter().copied());
            let last = k + 2 == errors.len();
            order >= CONVERGES
                && e1 <= SAME_SIZE * share * apart + ROUNDING
                && (last || rest <= FLOOR && rest <= FEW_TIMES * e1)
        };
        let pairs = errors.len().saturating_sub(1).min(own.differences.len());
        (0..pairs).any(pair)
    }
}

/// The largest; NaN where one is.
pub(super) fn largest(x: impl Iterator<Item = f64>) -> f64 {
    x.fold(0.0, |a, b| if b <= a { a } else { b })
}

impl Common {
    /// Whether the histories, `off` from the case's motion, follow another reading of it this near.
    pub(super) fn fits(&self, near: &Nearness, off: f64, own: Option<&SelfConvergence>) -> bool {
        let finest = near.finest();
        let single = self.rows.len() < 2;
        self.explained_by(near, own) && finest <= HALF * off
            || finest <= NEGLIGIBLE * off && finest <= NEGLIGIBLE
            || single && finest <= FIRST_ORDER * off && finest <= NEAR
    }
}

/// Whether the histories tell right from wrong.
pub(super) fn settled(
    common: &Common,
    near: &Nearness,
    own: Option<&SelfConvergence>,
    follows: bool,
    several: bool,
    tolerances: bool,
    remarks: &mut Vec<Note>,
) -> bool {
    let off = near.finest();
    if follows {
        let two = common.rows.len() == 2 && off > NEAR;
        if two {
            remarks.push(Note::TwoHistories(off));
        }
        return !two;
    }
    let Some(own) = own else {
        // Of several tolerances the errors against these tell more.
        if off > AMPLIFIED && !tolerances {
            remarks.push(match several {
                true => Note::FewCommonTimes,
                false => Note::OneHistory,
            });
        }
        return off <= AMPLIFIED;
    };
    let last = own.differences.last().copied().unwrap_or(f64::NAN);
    let same = own.differences.iter().all(|d| *d <= ROUNDINGS);
    if same {
        remarks.push(Note::AllTheSame);
    }
    if off <= FLOOR {
        remarks.push(Note::Floor(off));
        return false;
    }
    if last <= NEGLIGIBLE * off {
        if !same {
            remarks.push(Note::AnotherLimit([last, off]));
        }
        return true;
    }
    let order = own.order.unwrap_or(f64::NAN);
    if !(order >= CONVERGES) {
        remarks.push(match common.steps.len() {
            2 => Note::TwoDoNotTell,
            _ => Note::NoConvergence(order),
        });
        return false;
    }
    true
}

/// The exact motion of a body at given times; fewer where it cannot be followed.
#[derive(Debug, Clone)]
pub(crate) struct Motion {
    /// Attitudes.
    pub att: Vec<Mat3>,
    /// Body rates, rad/s.
    pub omega: Vec<Vec3>,
}

impl Motion {
    /// Integrates accurately from the body's initial state at `start`.
    ///
    /// # Errors
    /// [`NumericalError`] where not even the first part of the motion can be followed, or `wanted`
    /// says no.
    pub fn new(
        body: &Body,
        (start, times): (f64, &[f64]),
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        let Some(&end) = times.last().filter(|t| **t > start) else {
            return Err(NumericalError::Lost(start));
        };
        let solve = |end: f64| Numerical::solve(body.top(), start, end, wanted);
        let solution = match solve(end) {
            Err(NumericalError::Lost(t)) if t > start => solve(start + 0.8 * (t - start)),
            other => other,
        }?;
        let (att, omega) = times.iter().map(|t| solution.at(*t)).unzip();
        Ok(Self { att, omega })
    }
}
