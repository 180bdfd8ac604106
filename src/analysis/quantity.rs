//! Quantities of a run: columns and groups of columns, their samples, ranges and distances.

use super::check::{At, NamedTime, Norm};
use crate::drive::{End, Run};
use crate::math::{Mat3, so3};
use crate::models::{Group, GroupKind};

/// A column or a group of columns of a run.
pub(super) struct Quantity {
    pub columns: Vec<usize>,
    pub kind: Option<GroupKind>,
    pub unit: String,
}

pub(super) fn quantity(run: &Run, name: &str) -> Result<Quantity, String> {
    if let Some(c) = run.column(name) {
        return Ok(Quantity {
            columns: vec![c],
            kind: None,
            unit: run.columns.channels[c].unit.into(),
        });
    }
    run.columns
        .group(name)
        .map(|g| Quantity {
            columns: g.channels.clone(),
            kind: Some(g.kind),
            unit: g.unit.into(),
        })
        .ok_or_else(|| format!("the history has no column or group `{name}`"))
}

pub(super) fn single(run: &Run, name: &str) -> Result<usize, String> {
    run.column(name)
        .ok_or_else(|| format!("the history has no column `{name}`"))
}

/// Distance of two rows in a quantity.
pub(super) fn distance(q: &Quantity, norm: Option<Norm>, a: &[f64], b: &[f64]) -> f64 {
    match (q.kind, norm) {
        (Some(GroupKind::Attitude), None | Some(Norm::Geodesic)) => geodesic(&q.columns, a, b),
        _ => euclidean(&q.columns, a, b),
    }
}

/// Distance of two rows in a group: geodesic angle (rad) for attitudes, norm for vectors.
pub fn group_distance(g: &Group, a: &[f64], b: &[f64]) -> f64 {
    match g.kind {
        GroupKind::Attitude => geodesic(&g.channels, a, b),
        GroupKind::Vector => euclidean(&g.channels, a, b),
    }
}

fn euclidean(columns: &[usize], a: &[f64], b: &[f64]) -> f64 {
    columns
        .iter()
        .map(|&c| (a[c] - b[c]) * (a[c] - b[c]))
        .sum::<f64>()
        .sqrt()
}

fn geodesic(columns: &[usize], a: &[f64], b: &[f64]) -> f64 {
    let matrix = |row: &[f64]| Mat3::from_row_iterator(columns.iter().map(|&c| row[c]));
    so3::angle_between(&matrix(a), &matrix(b))
}

pub(super) fn sample(run: &Run, at: At) -> Result<usize, String> {
    match at {
        At::Named(NamedTime::Start) => Ok(0),
        At::Named(NamedTime::End) => match run.end {
            End::Reached => Ok(run.times.len() - 1),
            _ => Err("the run did not reach its end".into()),
        },
        At::Named(NamedTime::Worst) => Err("`worst` belongs to the metric `error`".into()),
        At::Within(_) => Err("`worst` belongs to the metrics `error` and `order`".into()),
        At::Time(t) => {
            let slack = 1e-9 * run.h;
            let k = run.times.partition_point(|&x| x < t - slack);
            match run.times.get(k) {
                Some(&x) if x < t + run.h - slack => Ok(k),
                Some(&x) => Err(format!(
                    "no sample at t = {t}: the next one is at {x}; let `run.sample` divide it"
                )),
                None => Err(format!("the run has no sample at or after t = {t}")),
            }
        }
    }
}

/// A metric over the whole run means nothing on a prefix.
pub(super) fn complete(run: &Run) -> Result<(), String> {
    match run.end {
        End::Reached => Ok(()),
        End::Stopped { at, .. } | End::Failed { at, .. } => {
            Err(format!("the run ended early, after {at} steps"))
        }
    }
}

/// `(min, at, max, at, first)` of a column: every step for a tracked one, else the samples.
pub(super) fn range(run: &Run, c: usize) -> (f64, f64, f64, f64, f64) {
    if let Some(t) = run.track(c) {
        return (t.min, t.min_at, t.max, t.max_at, t.first);
    }
    let mut out = (f64::INFINITY, 0.0, f64::NEG_INFINITY, 0.0, f64::NAN);
    for (x, &t) in run.series(c).zip(&run.times) {
        if out.4.is_nan() {
            out.4 = x;
        }
        if x.is_nan() {
            return (x, t, x, t, out.4);
        }
        if x < out.0 {
            (out.0, out.1) = (x, t);
        }
        if x > out.2 {
            (out.2, out.3) = (x, t);
        }
    }
    out
}
