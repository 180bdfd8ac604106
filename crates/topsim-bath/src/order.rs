//! The weak order of a scheme: how the bias of its means falls with the step.
//!
//! The biases b of several means at the steps h are fitted by b = c hᵖ with one order p and a constant c for each mean, by least squares in units of their
//! errors. The orders whose sum of squares is at most [`CONFIDENCE`]² above the least one are as probable as three standard deviations.

use crate::law::BathStatistic;
use crate::run::BathRun;
use serde::Serialize;
use topsim_core::math::scalar;
use topsim_core::verdict::Status;

/// Means whose bias shows the order: the temperatures and those of cos θ and cos² θ.
pub const BIASED: [BathStatistic; 5] = [
    BathStatistic::Temperature(1),
    BathStatistic::Temperature(2),
    BathStatistic::Temperature(3),
    BathStatistic::Attitude(3, 3),
    BathStatistic::AttitudeSquare(3, 3),
];
/// Standard deviations of the interval of the order.
pub const CONFIDENCE: f64 = 3.0;
/// Standard deviations by which the biases must exceed their noise to have an order.
const SIGNIFICANT: f64 = 5.0;
/// Part of an order that terms of higher order may take off at the steps of a file: an order fails only if its interval ends below the claimed one less this.
const HIGHER_TERMS: f64 = 0.25;
/// Part of an order by which the interval must lie above the next lower one: half the distance of two orders.
const LOWER_ORDER: f64 = 0.5;
/// Orders that are tried.
const MOST: f64 = 8.0;
const TRIES: u32 = 1600;

/// The weak order of a scheme on a rotor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BathOrder {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Claimed order.
    pub claimed: u32,
    /// Order that fits best, with the ends of its interval; none where noise hides the bias.
    pub fitted: Option<(f64, f64, f64)>,
    /// Verdict on the claim.
    pub status: Status,
}

/// Returns the order of each scheme.
pub fn bath_orders(runs: &[BathRun]) -> Vec<BathOrder> {
    let of = |runs: &[BathRun]| order(&runs[0].scheme, runs);
    let same = |a: &BathRun, b: &BathRun| a.scheme.name == b.scheme.name;
    runs.chunk_by(same).map(of).collect()
}

/// The bias of a mean at each step: step, bias and error.
type Ladder = Vec<(f64, f64, f64)>;

fn order(scheme: &crate::schemes::BathScheme, runs: &[BathRun]) -> BathOrder {
    let ladder = |statistic: &BathStatistic| -> Ladder {
        let point = |run: &BathRun| {
            let found = run.law.findings.iter().find(|f| f.statistic == *statistic);
            let found = found?;
            Some((run.step, found.difference(), found.error?))
        };
        runs.iter().filter_map(point).collect()
    };
    let ladders: Vec<Ladder> = BIASED.iter().map(ladder).collect();
    let fitted = fit(&ladders);
    let claimed = f64::from(scheme.order);
    let status = match fitted {
        Some((_, _, high)) if high < claimed - HIGHER_TERMS => Status::Failed,
        Some((_, low, _)) if low > claimed - LOWER_ORDER => Status::Passed,
        _ => Status::Undecided,
    };
    BathOrder {
        scheme: scheme.name,
        claimed: scheme.order,
        fitted,
        status,
    }
}

/// Returns the order that fits best, with its interval.
fn fit(ladders: &[Ladder]) -> Option<(f64, f64, f64)> {
    let points: usize = ladders.iter().map(Vec::len).sum();
    if ladders.iter().any(|l| l.len() < 2) {
        return None;
    }
    let left = |p: f64| ladders.iter().map(|l| left_over(l, p)).sum::<f64>();
    let tries = (0..=TRIES).map(|i| MOST * f64::from(i) / f64::from(TRIES));
    let all: Vec<(f64, f64)> = tries.map(|p| (p, left(p))).collect();
    let (best, least) = *all.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let whole: f64 = ladders
        .iter()
        .flatten()
        .map(|(_, b, e)| (b / e).powi(2))
        .sum();
    // Terms of higher order make the fit worse than noise alone; the interval grows with them.
    let free = points.saturating_sub(ladders.len() + 1).max(1) as f64;
    let scale = (least / free).max(1.0);
    if !(whole - least > SIGNIFICANT.powi(2) * scale + ladders.len() as f64) {
        return None;
    }
    let near = |x: f64| x - least <= CONFIDENCE.powi(2) * scale;
    let mut within = all.iter().filter(|(_, x)| near(*x)).map(|(p, _)| *p);
    let low = within.next()?;
    let high = within.next_back().unwrap_or(low);
    Some((best, low, high))
}

/// Returns the sum of squares that the best constant leaves of a ladder at an order.
fn left_over(ladder: &Ladder, order: f64) -> f64 {
    let (mut bb, mut bs, mut ss) = (0.0, 0.0, 0.0);
    let longest = ladder.iter().map(|(h, _, _)| *h).fold(0.0, f64::max);
    for (h, bias, error) in ladder {
        let shape = scalar::powf(h / longest, order) / error;
        let bias = bias / error;
        bb += bias * bias;
        bs += bias * shape;
        ss += shape * shape;
    }
    (bb - bs * bs / ss).max(0.0)
}
