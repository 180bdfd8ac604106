//! What a study finds in the runs of a case: pure functions of numbers.

use super::check::{At, Measure, NamedTime, Side};
use super::evaluate::by_scheme;
use super::measure::{
    Bench, Context, extreme, ladder_point, reference_size, reversibility, symplectic_defect,
};
use super::order::slopes;
use super::quantity::{complete, quantity, range, single};
use super::study::{Study, Topic, Work};
use super::trend;
use crate::math::scalar;

/// A column of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name, for people and as CSV header.
    pub name: String,
    /// Unit, empty where it has none.
    pub unit: String,
}

impl Column {
    fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
        }
    }
}

/// One run in a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Step as the case writes it.
    pub step: String,
    /// Abscissa of the figure: the step (s), or the work.
    pub x: f64,
    /// One number for each column, or why there is none.
    pub values: Result<Vec<f64>, String>,
}

/// One scheme in a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Scheme label.
    pub scheme: String,
    /// Its runs, in the order of the case.
    pub points: Vec<Point>,
    /// What they say together: an order, a kind of drift.
    pub summary: String,
}

/// What a study found.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// The study.
    pub study: Study,
    /// What the abscissa is.
    pub x: Column,
    /// What the numbers are; the first is drawn.
    pub columns: Vec<Column>,
    /// What the summaries are; empty where there are none.
    pub summary: &'static str,
    /// One for each scheme.
    pub lines: Vec<Line>,
}

/// Makes a study on the runs of a case.
pub fn conduct(study: &Study, cx: &Context) -> Findings {
    let selected: Vec<&Bench> = cx
        .runs
        .iter()
        .filter(|b| study.runs.takes(b.scheme, b.run.h))
        .collect();
    let lines = by_scheme(&selected)
        .into_iter()
        .map(|(scheme, ladder)| {
            let points: Vec<Point> = ladder.iter().map(|b| point(study, b, cx)).collect();
            Line {
                scheme: scheme.into(),
                summary: summary(study, &ladder, &points, cx),
                points,
            }
        })
        .collect();
    Findings {
        study: study.clone(),
        x: match &study.what {
            Topic::WorkPrecision {
                against: Work::TorqueEvaluations,
                ..
            } => Column::new("torque evaluations", ""),
            Topic::WorkPrecision { .. } => Column::new("time of the bare steps", "s"),
            _ => Column::new("step", "s"),
        },
        columns: columns(study, &selected),
        summary: match &study.what {
            Topic::Convergence { .. } => "order",
            Topic::Drift { .. } => "kind",
            Topic::SymplecticDefect {} => "power of h",
            _ => "",
        },
        lines,
    }
}

fn columns(study: &Study, selected: &[&Bench]) -> Vec<Column> {
    let unit = study
        .quantity()
        .and_then(|name| quantity(selected.first()?.run, name).ok())
        .map_or_else(String::new, |q| q.unit);
    match &study.what {
        Topic::Convergence { quantity, at, .. } | Topic::WorkPrecision { quantity, at, .. } => {
            let when = match at {
                At::Named(NamedTime::End) => "at the end".into(),
                At::Named(NamedTime::Start) => "at the start".into(),
                At::Named(NamedTime::Worst) => "at its worst".into(),
                At::Time(t) => format!("at {t} s"),
                At::Within(w) => format!("at its worst from {} to {} s", w.worst[0], w.worst[1]),
            };
            if is_relative(study) {
                vec![Column::new(
                    format!("relative error of {quantity} {when}"),
                    "",
                )]
            } else {
                vec![Column::new(format!("error of {quantity} {when}"), unit)]
            }
        }
        Topic::Drift { quantity, .. } => vec![
            Column::new(format!("largest drift of {quantity}"), unit.clone()),
            Column::new("rate", format!("{unit}/s")),
            Column::new("oscillation", unit),
        ],
        Topic::Reversibility { quantity, .. } => {
            vec![Column::new(format!("{quantity}, there and back"), unit)]
        }
        Topic::SymplecticDefect {} => vec![Column::new("symplectic defect", "")],
        Topic::Orthogonality {} => vec![Column::new("orthogonality defect", "")],
    }
}

fn is_relative(study: &Study) -> bool {
    matches!(study.what, Topic::Convergence { relative: true, .. })
}

fn order_measure(quantity: &str, at: At) -> Measure {
    Measure::Order {
        quantity: quantity.into(),
        at,
    }
}

fn point(study: &Study, bench: &Bench, cx: &Context) -> Point {
    let run = bench.run;
    let x = match &study.what {
        Topic::WorkPrecision {
            against: Work::TorqueEvaluations,
            ..
        } => run.effort.torque as f64,
        Topic::WorkPrecision { .. } => bench.probes.seconds.unwrap_or(f64::NAN),
        _ => run.h,
    };
    let values = match &study.what {
        Topic::Convergence { quantity, at, .. } | Topic::WorkPrecision { quantity, at, .. } => {
            let size = if is_relative(study) {
                reference_size(run, quantity, *at, cx)
            } else {
                Ok(1.0)
            };
            let error = ladder_point(&order_measure(quantity, *at), bench, cx);
            error.and_then(|(_, e, _)| Ok(vec![e / size?]))
        }
        Topic::Drift { quantity, .. } => drift(bench, quantity).map(|d| d.to_vec()),
        Topic::Reversibility { quantity, .. } => {
            reversibility(bench, quantity).map(|m| vec![m.value])
        }
        Topic::SymplecticDefect {} => symplectic_defect(bench).map(|m| vec![m.value]),
        Topic::Orthogonality {} => extreme(run, "orth", Side::Max).map(|m| vec![m.value]),
    };
    Point {
        step: bench.step.into(),
        x,
        values: values.and_then(|v| {
            let finite = v.iter().all(|x| x.is_finite());
            finite.then_some(v).ok_or_else(|| "not a number".into())
        }),
    }
}

/// `[largest |q − q0|, slope, half the range about the line]`.
fn drift(bench: &Bench, name: &str) -> Result<[f64; 3], String> {
    let run = bench.run;
    let c = single(run, name)?;
    complete(run)?;
    let (min, _, max, _, first) = range(run, c);
    let slope = run.track(c).map(|t| t.slope);
    let slope = slope.ok_or_else(|| format!("`{name}` is not followed at every step"))?;
    Ok([
        (max - first).max(first - min),
        slope,
        trend::half_range(run, c),
    ])
}

fn summary(study: &Study, ladder: &[&Bench], points: &[Point], cx: &Context) -> String {
    match &study.what {
        Topic::Convergence { quantity, at, .. } => {
            let m = order_measure(quantity, *at);
            let found: Vec<(f64, f64, f64)> = ladder
                .iter()
                .filter_map(|b| ladder_point(&m, b, cx).ok())
                .collect();
            power(&found)
        }
        Topic::SymplecticDefect {} => {
            // Noise of the finite differences, in the largest of the entries' units: |Π|, 1, 1/|Π|.
            let found: Vec<(f64, f64, f64)> = ladder
                .iter()
                .zip(points)
                .filter_map(|(b, p)| {
                    let defect = p.values.as_ref().ok()?[0];
                    let pi = quantity(b.run, "pi").ok()?;
                    let size = pi
                        .columns
                        .iter()
                        .map(|&c| b.run.row(0)[c] * b.run.row(0)[c])
                        .sum::<f64>();
                    let size = size.sqrt();
                    Some((b.run.h, defect, 1e-11 * size.max(1.0 / size)))
                })
                .collect();
            if found.iter().all(|p| p.1 <= p.2) && !found.is_empty() {
                "symplectic".into()
            } else {
                power(&found)
            }
        }
        Topic::Drift { quantity, .. } => kind_of_drift(ladder, quantity),
        _ => String::new(),
    }
}

/// Slope of the last pair of `(h, value, floor)` above the floor.
fn power(points: &[(f64, f64, f64)]) -> String {
    match slopes(points).last() {
        Some(slope) => format!("{slope:.2}"),
        None if points.iter().any(|p| p.1 <= p.2) => "round-off".into(),
        None => String::new(),
    }
}

/// A drift is secular if the line rises over the run by more than the whole range of what
/// oscillates about it.
fn kind_of_drift(ladder: &[&Bench], name: &str) -> String {
    let mut secular: Vec<(f64, f64)> = Vec::new();
    let mut at_round_off = 0;
    let mut counted = 0;
    for b in ladder {
        let Ok([largest, rate, oscillation]) = drift(b, name) else {
            continue;
        };
        counted += 1;
        let Ok(c) = single(b.run, name) else { continue };
        let (min, _, max, ..) = range(b.run, c);
        let size = min.abs().max(max.abs());
        if largest <= f64::EPSILON * size * b.run.effort.steps as f64 {
            at_round_off += 1;
            continue;
        }
        let span = b.run.times[b.run.times.len() - 1] - b.run.times[0];
        if rate.abs() * span > 2.0 * oscillation {
            secular.push((b.run.h, rate));
        }
    }
    secular.sort_by(|a, b| b.0.total_cmp(&a.0));
    let up = secular.iter().filter(|s| s.1 > 0.0).count();
    match (counted, secular.last()) {
        (0, _) => String::new(),
        _ if at_round_off == counted => "round-off".into(),
        (_, None) => "no trend".into(),
        _ if up != 0 && up != secular.len() => "drifts, either way".into(),
        _ => {
            let way = if up > 0 { "gains" } else { "loses" };
            match secular.as_slice() {
                [.., (h0, r0), (h1, r1)] => {
                    let p = scalar::ln(r0 / r1) / scalar::ln(h0 / h1);
                    format!("{way} like h^{p:.2}")
                }
                _ => way.into(),
            }
        }
    }
}
