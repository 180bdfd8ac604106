//! Summaries of the members: quantiles of the error, survivors, orders.

use super::plan::{EnsemblePlan, FAILED, error_of, number_of};
use crate::check::{NoNumber, Number};
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
        numbers
            .iter_mut()
            .filter(|n| **n == FAILED)
            .for_each(|n| *n = i32::MAX);
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
    pub fn of(
        plan: &EnsemblePlan,
        lost: f64,
        numbers: &[i32],
        work: &[Vec<Option<f64>>],
    ) -> Vec<Self> {
        let (rungs, each) = (plan.ladder.len(), plan.each());
        let cloud = |s: usize, r: usize| {
            let column = numbers.iter().skip(s * rungs + r).step_by(each);
            Cloud::of(column.copied().collect(), lost, work[s][r])
        };
        let clouds = |s: usize, label: &str| {
            let rungs: Vec<Cloud> = (0..rungs).map(|r| cloud(s, r)).collect();
            Self {
                label: label.into(),
                order: order(plan, lost, &rungs),
                rungs,
            }
        };
        let all = plan.schemes.iter().enumerate();
        all.map(|(s, scheme)| clouds(s, &scheme.label)).collect()
    }
}

fn order(plan: &EnsemblePlan, lost: f64, rungs: &[Cloud]) -> Option<f64> {
    let points = plan.ladder.iter().zip(rungs);
    let points: Vec<_> = points
        .filter_map(|(rung, cloud)| {
            let median = cloud.quantiles[2].filter(|m| *m <= lost)?;
            Some((rung.angle, median, ROUND_OFF))
        })
        .collect();
    slopes(&points).last().copied()
}

/// The name of a number of a scheme at a step angle.
fn name(number: &str, label: &str, angle: f64) -> String {
    format!("{number}({label}, {angle})")
}

/// The names of all numbers, as [`numbers`] has them.
pub(super) fn names(plan: &EnsemblePlan) -> Vec<String> {
    let of_scheme = |label: &str| {
        let each = plan.ladder.iter().flat_map(|r| {
            let each = NUMBERS.iter();
            each.map(|(number, ..)| name(number, label, r.angle))
        });
        each.chain([format!("order({label})")]).collect::<Vec<_>>()
    };
    let labels = plan.schemes.iter().map(|s| &*s.label);
    labels.flat_map(of_scheme).collect()
}

/// Returns all numbers.
pub(super) fn numbers(plan: &EnsemblePlan, clouds: &[Clouds]) -> Vec<Number> {
    let number = |(name, unit, value): (String, &'static str, Result<f64, NoNumber>)| Number {
        name,
        unit: unit.into(),
        value,
        headline: false,
    };
    let of_scheme = |clouds: &Clouds| {
        let rungs = plan.ladder.iter().zip(&clouds.rungs);
        let each = rungs.flat_map(|(rung, cloud)| {
            NUMBERS.map(|(number, unit, value)| {
                let value = value(cloud).ok_or(NoNumber::RunsFailed);
                (name(number, &clouds.label, rung.angle), unit, value)
            })
        });
        let order = clouds.order.ok_or(NoNumber::RoundOff);
        let order = (format!("order({})", clouds.label), "", order);
        each.chain([order]).map(number).collect::<Vec<_>>()
    };
    clouds.iter().flat_map(of_scheme).collect()
}
