//! How histories stray: what becomes of conserved quantities, whether the motion is ahead or beside,
//! and when its events happen.

use super::common::{Common, Motion, largest};
use crate::history::{Body, Momentum, Sample, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::integration::{EventSpec, events_of};
use topsim_core::math::{Vec3, scalar, so3};
use topsim_core::models::{Measured, RotState};

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

/// The error of the finest history at the last time compared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Phase {
    /// Time, s.
    pub time: f64,
    /// Turn about the rate, rad; positive where the history is ahead.
    pub along: f64,
    /// The rest, rad.
    pub across: f64,
    /// The turn as a time, s.
    pub ahead: f64,
}

/// Times of one kind of event in the finest history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EventTimes {
    /// Its name in the case.
    pub name: String,
    /// How often it happens in the history.
    pub found: usize,
    /// How often in the case's motion.
    pub expected: usize,
    /// Largest error of their times, in order, s; of the first ones where the numbers differ.
    pub worst: Option<f64>,
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Behaviour {
    /// Energy and momentum, where the case conserves them.
    pub conserved: Vec<Conservation>,
    /// Ahead or beside.
    pub phase: Option<Phase>,
    /// Events.
    pub events: Vec<EventTimes>,
}

/// Deviations of rounding, relative.
const KEPT: f64 = 1e-11;

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
        if x > 0.5 * most {
            away = true;
        } else if away && x < 0.25 * most {
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
        ([.., a, b], [.., h0, h1]) if *b > KEPT * size => {
            Some(scalar::ln(a / b) / scalar::ln(h0 / h1))
        }
        _ => None,
    };
    let gained = values[1] - values[0];
    // What comes back leaves the line by more than the line rises.
    let class = if !(deviation > KEPT) {
        Class::Kept
    } else if slope.abs() * span < 2.0 * rest {
        Class::Bounded
    } else if gained.abs() < 0.5 * slope.abs() * span {
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
pub(super) fn behaviour(
    common: &Common,
    truth: &Motion,
    body: &Body,
    (finest, events): (&Trace, &[EventSpec]),
    motion: &dyn Fn(&[f64]) -> Option<Motion>,
) -> Behaviour {
    let mut out = Behaviour {
        phase: phase(common, truth),
        events: event_times(finest, events, body, motion),
        ..Behaviour::default()
    };
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

fn phase(common: &Common, truth: &Motion) -> Option<Phase> {
    let rows = common.rows.last()?;
    let k = rows.len().min(truth.att.len()).checked_sub(1)?;
    let w = truth.omega[k];
    let speed = w.norm();
    let off = so3::log(&truth.att[k].tr_mul(&rows[k].att));
    if !(speed > 0.0) || off.norm() < 1e-12 {
        return None;
    }
    let along = off.dot(&w) / speed;
    Some(Phase {
        time: common.times[k],
        along,
        across: (off - w * (along / speed)).norm(),
        ahead: along / speed,
    })
}

fn event_times(
    trace: &Trace,
    specs: &[EventSpec],
    body: &Body,
    motion: &dyn Fn(&[f64]) -> Option<Motion>,
) -> Vec<EventTimes> {
    let points: Vec<&Sample> = trace.points.iter().filter(|p| p.omega.is_some()).collect();
    let times: Vec<f64> = points.iter().map(|p| p.t).collect();
    if specs.is_empty() || times.len() < 6 {
        return Vec::new();
    }
    let Some(exact) = motion(&times) else {
        return Vec::new();
    };
    let top = body.top();
    let width = top.columns().width();
    let measured = |states: &mut dyn Iterator<Item = (f64, RotState)>| {
        let rows: Vec<(f64, Vec<f64>)> = states
            .map(|(t, y)| {
                let mut row = vec![0.0; width];
                top.measure(t, &y, &mut row);
                (t, row)
            })
            .collect();
        events_of(specs, width, rows.iter().map(|(t, r)| (*t, r.as_slice())))
    };
    let count = exact.att.len();
    let found = measured(&mut points[..count].iter().map(|p| {
        let omega = p.omega.unwrap_or_default();
        (p.t, RotState { att: p.att, omega })
    }));
    let expected = measured(&mut (0..count).map(|k| {
        let (att, omega) = (exact.att[k], exact.omega[k]);
        (times[k], RotState { att, omega })
    }));
    let of = |events: &[topsim_core::integration::Event], s: usize| -> Vec<f64> {
        events
            .iter()
            .filter(|e| e.spec == s)
            .map(|e| e.time)
            .collect()
    };
    specs
        .iter()
        .enumerate()
        .map(|(s, spec)| {
            let (a, b) = (of(&found, s), of(&expected, s));
            let off = a.iter().zip(&b).map(|(x, y)| (x - y).abs());
            EventTimes {
                name: spec.name.clone(),
                found: a.len(),
                expected: b.len(),
                worst: (!a.is_empty() && !b.is_empty()).then(|| largest(off)),
            }
        })
        .collect()
}
