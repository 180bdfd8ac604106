//! Summaries of the members: quantiles of the error, survivors, orders.

use super::plan::{EnsemblePlan, EnsembleScheme, FAILED, StepAngle, error_of, number_of};
use crate::check::{MeasurementError, Number};
use topsim_core::math::slopes;
use topsim_levitron::Quantiles;

/// Medians below this are not used for an order: rounding may have a part in them.
const ROUND_OFF: f64 = 1e-10;

/// Errors of all members with a scheme at a step angle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cloud {
    /// Torque evaluations of a run.
    pub work: Option<f64>,
    /// Errors at [`Quantiles::PERCENT`], rad; none where so many runs failed.
    pub quantiles: [Option<f64>; 5],
    /// The largest error; none where a run failed.
    pub largest: Option<f64>,
    /// Part of the runs that were not lost.
    pub survival: f64,
    /// Runs in which a step failed.
    pub failed: u64,
}

/// The clouds of a scheme at the step angles of the plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clouds {
    pub label: String,
    pub rungs: Vec<Cloud>,
    /// Order of the medians, from the two shortest steps whose medians are above rounding and below the limit of the lost.
    pub order: Option<f64>,
}

/// The numbers of a cloud, by their names.
type CloudValue = fn(&Cloud) -> Option<f64>;
pub(super) const NUMBERS: [(&str, &str, CloudValue); 7] = [
    ("median", "rad", |c| c.quantiles[2]),
    ("q05", "rad", |c| c.quantiles[0]),
    ("q25", "rad", |c| c.quantiles[1]),
    ("q75", "rad", |c| c.quantiles[3]),
    ("q95", "rad", |c| c.quantiles[4]),
    ("max", "rad", |c| c.largest),
    ("survival", "", |c| Some(c.survival)),
];

impl Cloud {
    /// Summarises the numbers of the members, in any order.
    pub fn of(mut numbers: Vec<i32>, lost: f64, work: Option<f64>) -> Self {
        let all = numbers.len() as f64;
        let failed = numbers.iter().filter(|n| **n == FAILED).count() as u64;
        // A run that failed is worse than any that did not.
        let failures = numbers.iter_mut().filter(|n| **n == FAILED);
        failures.for_each(|n| *n = i32::MAX);
        numbers.sort_unstable();
        let limit = number_of(lost);
        let kept = numbers.partition_point(|n| *n <= limit);
        let quantiles = Quantiles::of(&numbers).map_or([None; 5], |q| q.0.map(error_of));
        Self {
            work,
            quantiles,
            largest: numbers.last().and_then(|n| error_of(f64::from(*n))),
            survival: kept as f64 / all,
            failed,
        }
    }
}

impl Clouds {
    /// Summarises each scheme, from the numbers of all members, member by member.
    pub fn of(plan: &EnsemblePlan, numbers: &[i32], work: &[Vec<Option<f64>>]) -> Vec<Self> {
        let (rungs, each) = (plan.ladder.len(), plan.each());
        let clouds = |(s, scheme): (usize, &EnsembleScheme)| {
            let rungs = (0..rungs).map(|r| {
                let column = numbers.iter().skip(s * rungs + r).step_by(each);
                Cloud::of(column.copied().collect(), plan.table.lost, work[s][r])
            });
            let rungs: Vec<Cloud> = rungs.collect();
            Self {
                label: scheme.entry.label().into(),
                order: order(plan, &rungs),
                rungs,
            }
        };
        plan.schemes.iter().enumerate().map(clouds).collect()
    }
}

fn order(plan: &EnsemblePlan, rungs: &[Cloud]) -> Option<f64> {
    let points = plan.ladder.iter().zip(rungs).filter_map(|(rung, cloud)| {
        let median = cloud.quantiles[2].filter(|m| *m <= plan.table.lost)?;
        Some((rung.angle, median, ROUND_OFF))
    });
    slopes(&points.collect::<Vec<_>>()).last().copied()
}

/// Returns the names of all numbers: those of each scheme at each step angle, and its order.
pub(super) fn names(plan: &EnsemblePlan) -> Vec<String> {
    let of_scheme = |scheme: &EnsembleScheme| {
        let label = scheme.entry.label();
        let of_rung =
            |r: &StepAngle| NUMBERS.map(|(name, ..)| format!("{name}({label}, {})", r.angle));
        let each = plan.ladder.iter().flat_map(of_rung);
        each.chain([format!("order({label})")]).collect::<Vec<_>>()
    };
    plan.schemes.iter().flat_map(of_scheme).collect()
}

/// Returns all numbers, in the order of their names.
pub(super) fn numbers(plan: &EnsemblePlan, clouds: &[Clouds]) -> Vec<Number> {
    let of_scheme = |clouds: &Clouds| {
        let of_rung = |cloud| {
            NUMBERS.map(|(_, unit, value)| (unit, value(cloud).ok_or(MeasurementError::RunsFailed)))
        };
        let order = ("", clouds.order.ok_or(MeasurementError::RoundOff));
        let each = clouds.rungs.iter().flat_map(of_rung);
        each.chain([order]).collect::<Vec<_>>()
    };
    let values = clouds.iter().flat_map(of_scheme);
    let both = names(plan).into_iter().zip(values);
    both.map(|(name, (unit, value))| Number::new(name, unit, value))
        .collect()
}
