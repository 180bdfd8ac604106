//! Measurements on one run or ladder: orders, trends of the energy, distances, the longest step, times.

use super::card::{EnergyBehaviour, Limit};
use std::time::Instant;
use topsim_core::integration::{End, Experiment, Grid, Run};
use topsim_core::math::{scalar, slopes};
use topsim_core::models::{Group, Quantity};
use topsim_core::reference::RowReference;
use topsim_core::schemes::StepFail;

/// Returns the slope of the error of a quantity from the finest pair of step counts above the round-off floor of steps
/// with this many stages.
pub(super) fn order(
    e: &Experiment,
    (reference, of): (&dyn RowReference, Quantity),
    (span, stages): (f64, f64),
    counts: impl Iterator<Item = u64>,
) -> Option<f64> {
    let uncertain = reference.error_of(span, of);
    let floor = reference.start_floor(span, of);
    let floor = floor.unwrap_or(0.0);
    let points: Vec<(f64, f64, f64)> = counts
        .filter_map(|n| {
            // The rule of order checks, except that only the finest pair counts here: all stages round.
            let round_off = floor.max(f64::EPSILON) * (n as f64 * stages / 3.0).sqrt();
            let floor = 30.0 * (uncertain + round_off);
            Some((span / n as f64, error(e, (reference, of), span, n)?, floor))
        })
        .collect();
    slopes(&points).last().copied()
}

/// Returns the error of a quantity after `n` steps over `span`.
pub(super) fn error(
    e: &Experiment,
    (reference, of): (&dyn RowReference, Quantity),
    span: f64,
    n: u64,
) -> Option<f64> {
    let row = e.advance((0.0, span / n as f64, n), &|| true).ok()?;
    let mut exact = vec![f64::NAN; row.len()];
    reference.row(span, &mut exact);
    Some(distance(e, of, &row, &exact))
}

/// Trend of the energy over a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trend {
    h: f64,
    /// Mean of the last quarter less that of the first, J.
    pub rise: f64,
    /// Range within the first quarter, J.
    pub swing: f64,
    /// Bound on the effect of rounding alone, J: ten times a random walk.
    round_off: f64,
}

pub(super) fn trend(e: &Experiment, h: f64, end: f64) -> Option<Trend> {
    // A few thousand samples give the means; the step itself is far below a period.
    let run = e.run(&Grid::new(0.0, end, h, end / 4000.0), &[], &|_| None);
    if run.end != End::Reached {
        return None;
    }
    let drift: Vec<f64> = run.series(column(&run, Quantity::EnergyDrift)?).collect();
    let quarter = drift.len() / 4;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (first, last) = (&drift[..quarter], &drift[drift.len() - quarter..]);
    let low = first.iter().copied().fold(f64::INFINITY, f64::min);
    let high = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let energy = run.row(0)[column(&run, Quantity::Energy)?].abs();
    let found = Trend {
        h,
        rise: mean(last) - mean(first),
        swing: high - low,
        round_off: 10.0 * f64::EPSILON * energy * (run.effort.steps as f64).sqrt(),
    };
    (found.rise.is_finite() && found.swing.is_finite()).then_some(found)
}

/// Returns a trend at two steps that exceeds the swing and rounding, with its sign and power of h.
pub(super) fn secular([coarse, fine]: [Option<Trend>; 2]) -> Option<EnergyBehaviour> {
    let (coarse, fine) = (coarse?, fine?);
    let stands_out = |t: &Trend, least: f64| t.rise.abs() > t.round_off.max(least);
    let one_sign = coarse.rise * fine.rise > 0.0;
    if !(one_sign && stands_out(&coarse, coarse.swing) && stands_out(&fine, 0.0)) {
        return None;
    }
    let power = scalar::ln(coarse.rise / fine.rise) / scalar::ln(coarse.h / fine.h);
    Some(if coarse.rise > 0.0 {
        EnergyBehaviour::Gains { power }
    } else {
        EnergyBehaviour::Loses { power }
    })
}

pub(super) fn power(found: &EnergyBehaviour) -> f64 {
    match found {
        EnergyBehaviour::Gains { power } | EnergyBehaviour::Loses { power } => *power,
        _ => f64::NAN,
    }
}

pub(super) fn largest_change(run: &Run) -> f64 {
    let track = column(run, Quantity::EnergyDrift).and_then(|c| run.track(c));
    track.map_or(f64::NAN, |t| t.max.max(-t.min))
}

pub(super) fn column(run: &Run, of: Quantity) -> Option<usize> {
    run.columns.channels.iter().position(|c| c.quantity == of)
}

pub(super) fn group(e: &Experiment, of: Quantity) -> &Group {
    let found = e.columns().group_of(of);
    found.expect("every rotating body has this group")
}

pub(super) fn distance(e: &Experiment, of: Quantity, a: &[f64], b: &[f64]) -> f64 {
    group(e, of).distance(a, b)
}

/// Returns the largest h of the ladder with which, as with all below, the heavy top stays in its cone, and the reason
/// for which the next one fails.
pub(super) fn largest_step(e: &Experiment) -> (Option<f64>, Option<Limit>) {
    /// Twice the largest tilt of the exact motion, 0.05454 rad.
    const LOWEST: f64 = 0.994_056;
    // The last entry of the attitude is R33.
    let vertical = group(e, Quantity::Attitude).channels[8];
    let limit = |h: f64| {
        let run = e.run(&Grid::new(0.0, 10.0, h, h), &[], &|_| None);
        match run.end {
            End::Reached if run.series(vertical).all(|z| z >= LOWEST) => None,
            End::Failed { why, .. } if why != StepFail::NotFinite => Some(Limit::Solver),
            End::Reached | End::Failed { .. } => Some(Limit::Cone),
            End::Stopped { .. } => Some(Limit::Solver),
        }
    };
    let mut largest = None;
    // Each step is 2^(1/8) = 9 % longer than the one before.
    for k in 0..=72 {
        let h = 1e-3 * scalar::exp(f64::from(k) / 8.0 * core::f64::consts::LN_2);
        if let Some(why) = limit(h) {
            return (largest, Some(why));
        }
        largest = Some(h);
    }
    (largest, None)
}

/// Returns the shortest time of a bare step over a few repetitions.
pub(super) fn nanoseconds(e: &Experiment) -> Option<f64> {
    const STEPS: u64 = 5000;
    let mut least = f64::INFINITY;
    for _ in 0..7 {
        let started = Instant::now();
        e.advance((0.0, 0.003, STEPS), &|| true).ok()?;
        least = least.min(started.elapsed().as_secs_f64());
    }
    Some(least * 1e9 / STEPS as f64)
}
