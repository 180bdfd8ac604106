//! What is seen of the last step of each run, and what of it a torque gives.

use super::super::experiment::{Probe, Row, Start, Target};
use super::super::floor::Floor;
use super::{RUN, RUNGS};
use crate::thresholds::{ADDED_UP, ROUNDED_ALIKE};
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// What is seen of one start at one step: the last step of its run.
#[derive(Clone)]
pub(super) struct LastStep {
    pub start: Start,
    /// Times of the start of the run and of the step, s.
    pub from: f64,
    pub t: f64,
    pub h: f64,
    pub before: Row,
    pub after: Row,
    /// What the step adds to the exact rate, over the step, rad/s².
    pub off: Vec3,
}

/// What is seen at each step size, coarse to fine; nothing where a run has too few rows.
pub(super) fn seen(target: &dyn Target, probes: &[Probe]) -> Option<Vec<Vec<LastStep>>> {
    let mut rungs: Vec<Vec<LastStep>> = (0..RUNGS).map(|_| Vec::new()).collect();
    for (k, (probe, answer)) in probes.iter().zip(target.answers(probes)).enumerate() {
        let rows = answer.ok()?;
        let (before, after) = (rows.get(RUN - 1)?.clone(), rows.get(RUN)?.clone());
        let (t, h) = (probe.time(RUN - 1), probe.step);
        let (_, exact) = probe.start.exact(t, h, &before.att, &before.omega);
        rungs[k % RUNGS].push(LastStep {
            start: probe.start.clone(),
            from: probe.from,
            t,
            h,
            off: (after.omega - exact) / h,
            before,
            after,
        });
    }
    Some(rungs)
}

pub(super) fn size(seen: &[LastStep]) -> f64 {
    norm(seen, &|s| s.off)
}

/// How much what is seen changes between two step sizes, at the same starts.
pub(super) fn apart(a: &[LastStep], b: &[LastStep]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a.off - b.off).norm_squared());
    squares.sum::<f64>().sqrt()
}

/// The step sizes, coarse to fine, at which rounding and the digits of the rows are small beside what is seen.
pub(super) fn above_rounding<'a>(rungs: &'a [Vec<LastStep>], floor: &Floor) -> &'a [Vec<LastStep>] {
    let rounding = |rung: &[LastStep]| {
        let of = |s: &LastStep| {
            let unit = (ADDED_UP * floor.at(s.h)).max(ROUNDED_ALIKE);
            unit * s.before.omega.norm() / s.h
        };
        rung.iter().map(of).fold(0.0, f64::max) * (rung.len() as f64).sqrt()
    };
    let below = rungs.iter().position(|r| !(size(r) > rounding(r)));
    &rungs[..below.unwrap_or(rungs.len())]
}

/// The power of the step with which it falls; without two steps above rounding it has fallen at once.
pub(super) fn power(rungs: &[Vec<LastStep>]) -> f64 {
    let [first, .., last] = rungs else {
        return f64::INFINITY;
    };
    let halvings = (rungs.len() - 1) as f64;
    scalar::ln(size(first) / size(last)) / (core::f64::consts::LN_2 * halvings)
}

/// J⁻¹ T at a time, of the state before the step.
pub(super) fn torque(s: &LastStep, t: f64) -> Vec3 {
    let Row { att, omega, .. } = &s.before;
    s.start.acceleration(t, att, omega) - free(s, omega)
}

/// J⁻¹ (J W × W).
pub(super) fn free(s: &LastStep, omega: &Vec3) -> Vec3 {
    let inertia = &s.start.inertia;
    inertia.solve(&inertia.times(omega).cross(omega))
}

/// The mean over the step, along the solver's own rows, by Simpson's rule.
pub(super) fn mean(s: &LastStep, of: impl Fn(f64, &Mat3, &Vec3) -> Vec3) -> Vec3 {
    let (a, b) = (&s.before, &s.after);
    let half = so3::exp(&(so3::log(&a.att.tr_mul(&b.att)) * 0.5));
    let middle = of(
        s.t + 0.5 * s.h,
        &(a.att * half),
        &((a.omega + b.omega) * 0.5),
    );
    (of(s.t, &a.att, &a.omega) + middle * 4.0 + of(s.t + s.h, &b.att, &b.omega)) / 6.0
}

/// What the solver's torque gives W', over the step, without the error that Simpson's rule makes on the exact one.
pub(super) fn gave(s: &LastStep) -> Vec3 {
    let by_rows =
        |s: &LastStep| (s.after.omega - s.before.omega) / s.h - mean(s, |_, _, w| free(s, w));
    let (att, omega) = s.start.exact(s.t, s.h, &s.before.att, &s.before.omega);
    let after = Row {
        att,
        omega,
        ..s.after.clone()
    };
    let exact = LastStep { after, ..s.clone() };
    by_rows(s) - (by_rows(&exact) - gives(&exact, |_, v| v))
}

/// What the torque of the case gives it, its components changed by `by`.
pub(super) fn gives(s: &LastStep, by: impl Fn(&Mat3, Vec3) -> Vec3) -> Vec3 {
    mean(s, |t, att, w| {
        let start = Start {
            omega: *w,
            ..s.start.clone()
        };
        s.start.inertia.solve(&by(att, start.torque(t, att)))
    })
}

/// The multiple of a direction that is nearest, and the part that it leaves.
pub(super) fn nearest(
    seen: &[LastStep],
    from: impl Fn(&LastStep) -> Vec3,
    along: impl Fn(&LastStep) -> Vec3,
) -> [f64; 2] {
    let sum = |f: &dyn Fn(&LastStep) -> f64| seen.iter().map(f).sum::<f64>();
    let (own, all) = (
        sum(&|s| along(s).norm_squared()),
        sum(&|s| from(s).norm_squared()),
    );
    let factor = sum(&|s| along(s).dot(&from(s))) / own;
    let left = sum(&|s| (from(s) - along(s) * factor).norm_squared());
    [factor, (left / all).sqrt()]
}

pub(super) fn norm(seen: &[LastStep], of: &dyn Fn(&LastStep) -> Vec3) -> f64 {
    seen.iter()
        .map(|s| of(s).norm_squared())
        .sum::<f64>()
        .sqrt()
}
