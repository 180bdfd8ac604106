//! Drifts of histories: conserved quantities over time.

use super::common::{Common, Motion, largest};
use crate::history::{Body, Momentum};
use crate::thresholds::{ALL_DIGITS, HALF, QUARTER, TWICE};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Vec3, scalar};
use topsim_protocol::history::Sample;

/// What becomes of a conserved quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Kept to rounding.
    Kept,
    /// It strays and comes back.
    Bounded,
    /// It grows.
    Grows,
    /// It falls.
    Falls,
    /// A vector that turns away and keeps its length.
    Turns,
}

/// A quantity that a case conserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConservedQuantity {
    /// H.
    Energy,
    /// The spatial momentum, or its vertical part.
    Momentum,
}

impl std::fmt::Display for ConservedQuantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Energy => "energy",
            Self::Momentum => "momentum",
        })
    }
}

/// A conserved quantity in the finest history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Conservation {
    /// Which.
    pub quantity: ConservedQuantity,
    /// What becomes of it.
    pub class: Class,
    /// Largest deviation from the first row, relative to its natural size.
    pub deviation: f64,
    /// The largest of all histories.
    pub largest_deviation: f64,
    /// How often it came back near its first value in the coarsest history, after it had strayed.
    pub returns: usize,
    /// How far the straight line that fits the coarsest history best rises or falls, relative to what strays from that line.
    pub trend: f64,
    /// Power of the step with which the deviation falls between the two finest.
    pub power: Option<f64>,
    /// Its value, of a vector its length, in the first and in the last row compared: J, or kg m²/s.
    pub values: [f64; 2],
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Behaviour {
    /// Energy and momentum, where the case conserves them.
    pub conserved: Vec<Conservation>,
}

/// Deviations from the first row.
fn series(points: &[Sample], f: &dyn Fn(&Sample, &Vec3) -> f64) -> Vec<(f64, f64)> {
    points
        .iter()
        .filter_map(|p| Some((p.t, f(p, p.omega.as_ref()?))))
        .collect()
}

/// Slope of the best line through `at`, and the largest deviation from it.
fn line(s: &[(f64, f64)], (t0, x0): (f64, f64)) -> (f64, f64) {
    let at = |&(t, x): &(f64, f64)| (t - t0, x - x0);
    let (mut tx, mut tt) = (0.0, 0.0);
    for (t, x) in s.iter().map(at) {
        tx += t * x;
        tt += t * t;
    }
    let slope = if tt > 0.0 { tx / tt } else { 0.0 };
    let rest = largest(s.iter().map(at).map(|(t, x)| (x - slope * t).abs()));
    (slope, rest)
}

/// The rise of the best line of all over the span, for the largest deviation from it.
fn trend(s: &[(f64, f64)], span: f64) -> f64 {
    let count = s.len() as f64;
    let sum = |f: fn(&(f64, f64)) -> f64| s.iter().map(f).sum::<f64>();
    let (slope, rest) = line(s, (sum(|p| p.0) / count, sum(|p| p.1) / count));
    let rise = slope.abs() * span;
    if rise > 0.0 { rise / rest } else { 0.0 }
}

/// How often deviations fall below a quarter of the largest after they were above half of it.
fn returns(s: &[(f64, f64)], most: f64) -> usize {
    let mut away = false;
    let mut count = 0;
    for x in s.iter().map(|(_, x)| (x - s[0].1).abs()) {
        if x > HALF * most {
            away = true;
        } else if away && x < QUARTER * most {
            away = false;
            count += 1;
        }
    }
    count
}

/// A number of each row.
type OfRow<'a> = &'a dyn Fn(&Sample, &Vec3) -> f64;

/// `change` is what strays, from the first row on, and `value` what is told of it: where they differ, `change` is the
/// length of a vector's change.
fn conserved(
    quantity: ConservedQuantity,
    (rows, steps): (&[Vec<Sample>], &[f64]),
    size: f64,
    (change, value): (OfRow, OfRow),
) -> Option<Conservation> {
    let strays: Vec<_> = rows.iter().map(|r| series(r, change)).collect();
    let most_of = |s: &Vec<(f64, f64)>| largest(s.iter().map(|(_, x)| (x - s[0].1).abs()));
    let most: Vec<f64> = strays.iter().map(most_of).collect();
    let (coarsest, finest) = (strays.first()?, strays.last()?);
    let (slope, rest) = line(finest, *finest.first()?);
    let span = rows.last()?.last()?.t - rows.last()?.first()?.t;
    let values = series(rows.last()?, value);
    let values = [values.first()?.1, values.last()?.1];
    let deviation = most.last()? / size;
    let power = match (&most[..], steps) {
        ([.., a, b], [.., h0, h1]) if *b > ALL_DIGITS * size => {
            Some(scalar::ln(a / b) / scalar::ln(h0 / h1))
        }
        _ => None,
    };
    let gained = values[1] - values[0];
    // What comes back leaves the line by more than the line rises.
    let class = if !(deviation > ALL_DIGITS) {
        Class::Kept
    } else if slope.abs() * span < TWICE * rest {
        Class::Bounded
    } else if gained.abs() < HALF * slope.abs() * span {
        Class::Turns
    } else if gained > 0.0 {
        Class::Grows
    } else {
        Class::Falls
    };
    Some(Conservation {
        quantity,
        class,
        deviation,
        largest_deviation: largest(most.iter().copied()) / size,
        returns: returns(coarsest, *most.first()?),
        trend: trend(coarsest, span),
        power,
        values,
    })
}

/// How the histories stray from the motion they follow.
pub(super) fn behaviour(common: &Common, truth: &Motion, body: &Body) -> Behaviour {
    let mut out = Behaviour::default();
    let states = || truth.att.iter().zip(&truth.omega);
    let top = body.top();
    if body.keeps_energy() {
        let size = largest(states().map(|(_, w)| 0.5 * w.dot(&top.inertia().times(w))));
        let energy = |p: &Sample, w: &Vec3| body.energy(p.t, &p.att, w);
        out.conserved.extend(conserved(
            ConservedQuantity::Energy,
            (&common.rows, &common.steps),
            size,
            (&energy, &energy),
        ));
    }
    if let Some(kept) = body.keeps_momentum() {
        let momenta = common.times.iter().zip(&truth.omega);
        let size = largest(momenta.map(|(t, w)| body.scales(*t, w)[1]));
        let first = body.momentum(common.times[0], &truth.att[0], &truth.omega[0]);
        // Of a vector, the length of its change; of the vertical part, its sign too.
        let part = |p: &Sample, w: &Vec3| match kept {
            Momentum::Whole => (body.momentum(p.t, &p.att, w) - first).norm(),
            Momentum::Vertical => body.vertical(p.t, &p.att, w),
        };
        let length = |p: &Sample, w: &Vec3| match kept {
            Momentum::Whole => body.momentum(p.t, &p.att, w).norm(),
            Momentum::Vertical => body.vertical(p.t, &p.att, w),
        };
        out.conserved.extend(conserved(
            ConservedQuantity::Momentum,
            (&common.rows, &common.steps),
            size,
            (&part, &length),
        ));
    }
    out
}
