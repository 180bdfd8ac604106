//! The time at which a rate is taken: turns about one axis add up, so that only that time can show.

use super::questions::{ASKED, Answers, INTERVAL};
use super::turns::{Map, axis};
use crate::identification::Claim;
use crate::thresholds::{QUARTER, TENTH};
use topsim_core::math::{Mat3, so3};
use topsim_model::defect::SchemeDefect;
use topsim_protocol::problem::SAMPLES;

/// An update that is not exact for a constant rate, and how many samples it has; none where it is exact.
pub(super) type Update = Option<(&'static Map, u32)>;

/// The angle that a solver turns by from one time to another, where `angle` is the exact one at a time.
fn turned(update: Update, angle: impl Fn(f64) -> f64, [from, to]: [f64; 2]) -> f64 {
    let Some((map, samples)) = update else {
        return angle(to) - angle(from);
    };
    let updates = SAMPLES / samples;
    let edge = |k: u32| from + (to - from) * f64::from(k) / f64::from(updates);
    (0..updates)
        .map(|k| map.0.angle(angle(edge(k + 1)) - angle(edge(k))))
        .sum()
}

/// Angles about the axis between each row and the next, without the first, which has what comes before the start; and their times.
fn angles(rows: &[Mat3]) -> impl Iterator<Item = ([f64; 2], f64)> {
    let each = (0..).zip(rows.windows(2)).skip(1);
    each.map(|(k, pair)| {
        let turn = so3::log(&pair[0].tr_mul(&pair[1])).dot(&axis());
        (
            [f64::from(k), f64::from(k + 1)].map(|k| k * ASKED.step),
            turn,
        )
    })
}

/// How late the rate is taken, in samples; none where that is not the same in all rows.
fn lag(asked: &Answers, update: Update) -> Option<f64> {
    let [first, growth] = ASKED.growing;
    let exact = |t: f64| t * (first + 0.5 * growth * t);
    let lag = |(times, turn): ([f64; 2], f64)| {
        let mut late = 0.0;
        // The slope of a turn in the lag is this, or a few per cent less: each round gains a digit.
        for _ in 0..20 {
            let shifted = times.map(|t| t - late);
            late += (turned(update, exact, shifted) - turn) / (growth * ASKED.step);
        }
        late / INTERVAL
    };
    let lags: Vec<f64> = angles(&asked.growing).map(lag).collect();
    let mean = lags.iter().sum::<f64>() / lags.len() as f64;
    let alike = |lag: &f64| (lag - mean).abs() < TENTH;
    lags.iter().all(alike).then_some(mean)
}

/// The update whose rate is late by the same time in all rows, of several that turn alike at a constant rate, and that time in samples.
pub(super) fn lags(asked: &Answers, maps: &[(&'static Map, u32)]) -> Option<(Update, f64)> {
    let updates: Vec<Update> = if maps.is_empty() {
        vec![None]
    } else {
        maps.iter().copied().map(Some).collect()
    };
    let all = updates.into_iter();
    all.filter_map(|u| lag(asked, u).map(|late| (u, late)))
        .next()
}

/// A rate of another time, in updates of so many samples where that is known.
pub(super) fn late(lag: f64, samples: Option<u32>) -> Option<Claim> {
    if !(lag.abs() > QUARTER) {
        return None;
    }
    let way = if lag > 0.0 { "late" } else { "early" };
    let size = lag.abs();
    let half = (2.0 * size).round() / 2.0;
    let part = samples.filter(|n| *n > 1).map(f64::from).and_then(|n| {
        let parts = [(0.5 * n, "half an update"), (n, "one update")];
        parts.into_iter().find(|(part, _)| *part == half)
    });
    let certain = (size - half).abs() < TENTH;
    let words = match part {
        _ if !certain => format!("about {size:.2} samples"),
        _ if half == 0.5 => "half a sample".into(),
        _ if half == 1.0 => "one sample".into(),
        Some((_, part)) => format!("{part} ({half} samples)"),
        None => format!("{half} samples"),
    };
    let evidence =
        format!("with a rate that grows along one axis it turns as if the rate were {words} {way}");
    let claim = Claim::of_given_rate(SchemeDefect::RateTime, evidence)
        .named(format!("the rate is {words} {way}"));
    Some(if certain { claim } else { claim.less_sure() })
}

/// Whether a solver takes values of the rate by a rule that is not exact where the rate curves: the error of its quadrature is a part of
/// that of the midpoint rule with one value a sample, or more.
pub(super) fn takes_values(asked: &Answers, update: Update) -> bool {
    let exact = |t: f64| t * (ASKED.curved[0] + ASKED.curved[2] * t * t / 3.0);
    let errors = angles(&asked.curved).map(|(times, turn)| turn - turned(update, exact, times));
    let rows = asked.curved.len() - 2;
    let midpoint = ASKED.curved[2] * ASKED.step * rows as f64 * INTERVAL * INTERVAL / 12.0;
    errors.sum::<f64>().abs() > TENTH * midpoint
}
