//! Measuring one number of one run.

use super::baseline::Baseline;
use super::check::{At, EffortKind, Measure, NamedTime, Norm, Scale, Side, Target, Within};
use super::quantity::{complete, distance, quantity, range, sample, single};
use super::trend;
use crate::drive::{EventSpec, Probes, Run};
use crate::models::GroupKind;
use crate::reference::RowReference;

/// One run with its names.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// Scheme label.
    pub scheme: &'a str,
    /// Step as the case writes it.
    pub step: &'a str,
    /// The run.
    pub run: &'a Run,
    /// What was found on its step map.
    pub probes: &'a Probes,
}

/// What the checks of a case may look at.
pub struct Context<'a> {
    /// All runs.
    pub runs: &'a [Bench<'a>],
    /// The reference, or why there is none.
    pub reference: Result<&'a dyn RowReference, String>,
    /// Events of the case.
    pub events: &'a [EventSpec],
    /// The blessed baseline.
    pub baseline: Option<&'a Baseline>,
    /// Numbers of the escape maps and surveys.
    pub maps: &'a [MapNumbers],
}

/// The numbers of an escape map or a survey, or why there are none.
#[derive(Debug, Clone, PartialEq)]
pub struct MapNumbers {
    /// Name of the study.
    pub study: String,
    /// Name, value and unit of each number; a value that is missing says why.
    pub numbers: Vec<(String, Result<f64, String>, &'static str)>,
}

impl Context<'_> {
    /// A number of an escape map or a survey.
    pub(super) fn map_number(&self, study: &str, number: &str) -> Result<Measured, String> {
        let map = self.maps.iter().find(|m| m.study == study);
        let map = map.ok_or_else(|| format!("the study `{study}` was not computed"))?;
        let found = map.numbers.iter().find(|(name, ..)| name == number);
        let (_, value, unit) =
            found.ok_or_else(|| format!("the study has no number `{number}`"))?;
        Ok(Measured::new(value.clone()?, *unit))
    }
}

/// A measured number with where it was met.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// Time of the worst value, s.
    pub time: Option<f64>,
    /// Component of the worst value.
    pub component: Option<String>,
    /// Unit.
    pub unit: String,
    /// Own error of what it was measured against.
    pub uncertainty: f64,
}

impl Measured {
    fn new(value: f64, unit: impl Into<String>) -> Self {
        Self {
            value,
            time: None,
            component: None,
            unit: unit.into(),
            uncertainty: 0.0,
        }
    }
    fn at(mut self, t: f64) -> Self {
        self.time = Some(t);
        self
    }
    fn in_component(mut self, c: &str) -> Self {
        self.component = Some(c.into());
        self
    }
}

fn power(h: f64, p: u32) -> f64 {
    (0..p).fold(1.0, |x, _| x * h)
}

/// Measures `m` on one run.
pub(super) fn measure(
    m: &Measure,
    target: Option<&Target>,
    bench: &Bench,
    cx: &Context,
) -> Result<Measured, String> {
    let run = bench.run;
    match m {
        Measure::Value { quantity: name, at } => value(run, name, *at, target),
        Measure::Extreme {
            quantity: name,
            which,
        } => extreme(run, name, *which),
        Measure::MaxDrift {
            quantity: name,
            scale,
            signed,
        } => max_drift(run, name, *scale, *signed),
        Measure::DriftRate {
            quantity: name,
            power: p,
            period,
        } => {
            let c = single(run, name)?;
            complete(run)?;
            let slope = slope(run, c, name, *period)?;
            let unit = format!("{}/s{}", run.columns.channels[c].unit, per_h(*p));
            Ok(Measured::new(slope / power(run.h, *p), unit))
        }
        Measure::Oscillation {
            quantity: name,
            power: p,
            period,
        } => {
            let c = single(run, name)?;
            complete(run)?;
            let amplitude = match period {
                Some(period) => trend::wave(run, c, *period)?.amplitude,
                None => trend::half_range(run, c),
            };
            let unit = format!("{}{}", run.columns.channels[c].unit, per_h(*p));
            Ok(Measured::new(amplitude / power(run.h, *p), unit))
        }
        Measure::Error {
            quantity: name,
            at,
            norm,
            scale,
        } => error(run, name, *at, *norm, *scale, cx),
        Measure::EventTime { event, occurrence } => {
            let e = find_event(run, cx, event, *occurrence)?;
            Ok(Measured::new(e.time, "s").at(e.time))
        }
        Measure::EventValue {
            event,
            quantity: name,
            occurrence,
        } => {
            let c = single(run, name)?;
            let e = find_event(run, cx, event, *occurrence)?;
            Ok(Measured::new(e.values[c], run.columns.channels[c].unit).at(e.time))
        }
        Measure::EventCount { event } => {
            complete(run)?;
            let spec = event_index(cx, event)?;
            if run.events_dropped > 0 {
                return Err(format!("{} events were not kept", run.events_dropped));
            }
            let count = run.events.iter().filter(|e| e.spec == spec).count();
            Ok(Measured::new(count as f64, ""))
        }
        Measure::RotationPerStep { quantity: name } => {
            let largest = extreme(run, name, Side::Max)?;
            let degrees = largest.value * run.h * 180.0 / core::f64::consts::PI;
            Ok(Measured {
                value: degrees,
                unit: "°".into(),
                ..largest
            })
        }
        Measure::Effort { what } => {
            complete(run)?;
            let steps = run.effort.steps as f64;
            Ok(match what {
                EffortKind::TorqueEvaluations => {
                    Measured::new(run.effort.torque as f64 / steps, "a step")
                }
                EffortKind::Iterations => {
                    Measured::new(run.effort.iterations as f64 / steps, "a step")
                }
                EffortKind::MostIterations => {
                    Measured::new(f64::from(run.effort.most_iterations), "")
                }
            })
        }
        Measure::Reversibility { quantity: name } => reversibility(bench, name),
        Measure::SymplecticDefect {} => symplectic_defect(bench),
        Measure::Study { study, number } => cx.map_number(study, number),
        Measure::Baseline {} => {
            complete(run)?;
            let baseline = cx
                .baseline
                .ok_or("there is no baseline yet: `topsim bless CASE.toml --accept` makes one")?;
            let d = baseline.compare(bench.scheme, bench.step, run)?;
            Ok(Measured::new(d.size, "").at(d.time).in_component(&d.column))
        }
        Measure::Order { .. } | Measure::DriftPower { .. } => {
            Err("needs the whole step ladder".into())
        }
    }
}

fn per_h(p: u32) -> String {
    match p {
        0 => String::new(),
        1 => " /h".into(),
        p => format!(" /h^{p}"),
    }
}

fn value(run: &Run, name: &str, at: At, target: Option<&Target>) -> Result<Measured, String> {
    let q = quantity(run, name)?;
    let k = sample(run, at)?;
    let row = run.row(k);
    let t = run.times[k];
    match (target, q.columns.as_slice()) {
        (Some(Target::Components(v)), columns) => {
            if v.len() != columns.len() {
                return Err(format!(
                    "`{name}` has {} components, the value {}",
                    columns.len(),
                    v.len()
                ));
            }
            let mut expected = row.to_vec();
            for (&c, x) in columns.iter().zip(v) {
                expected[c] = *x;
            }
            let unit = q.unit.clone();
            Ok(Measured::new(distance(&q, None, row, &expected), unit).at(t))
        }
        (_, [c]) => Ok(Measured::new(row[*c], q.unit).at(t)),
        (_, columns) => Err(format!(
            "`{name}` has {} components; give as many values",
            columns.len()
        )),
    }
}

pub(super) fn extreme(run: &Run, name: &str, which: Side) -> Result<Measured, String> {
    let c = single(run, name)?;
    complete(run)?;
    let (min, min_at, max, max_at, _) = range(run, c);
    let unit = run.columns.channels[c].unit;
    Ok(match which {
        Side::Min => Measured::new(min, unit).at(min_at),
        Side::Max => Measured::new(max, unit).at(max_at),
    })
}

fn max_drift(
    run: &Run,
    name: &str,
    scale: Option<Scale>,
    signed: bool,
) -> Result<Measured, String> {
    let q = quantity(run, name)?;
    complete(run)?;
    let mut worst = Measured::new(0.0, "");
    let mut seen = false;
    for &c in &q.columns {
        let (min, min_at, max, max_at, first) = range(run, c);
        let divisor = match scale {
            None => 1.0,
            Some(Scale::Number(s)) => s,
            Some(Scale::Named(_)) => first.abs(),
        };
        if divisor == 0.0 {
            return Err(format!(
                "{} starts at zero: give `scale` a number",
                run.columns.channels[c].name
            ));
        }
        for (x, t) in [(min, min_at), (max, max_at)] {
            let d = (x - first) / divisor;
            if !seen || !(d.abs() <= worst.value.abs()) {
                worst = Measured::new(d, "")
                    .at(t)
                    .in_component(&run.columns.channels[c].name);
                seen = true;
            }
        }
    }
    if scale.is_none() {
        worst.unit = q.unit;
    }
    if !signed {
        worst.value = worst.value.abs();
    }
    Ok(worst)
}

fn slope(run: &Run, c: usize, name: &str, period: Option<f64>) -> Result<f64, String> {
    if let Some(period) = period {
        return trend::wave(run, c, period).map(|w| w.slope);
    }
    run.track(c)
        .map(|t| t.slope)
        .ok_or_else(|| format!("`{name}` is not followed at every step; its drift rate is unknown"))
}

/// What a norm makes of an uncertain angle: a turn by δ moves the matrix by √2 δ in the Frobenius
/// norm.
pub fn widened(norm: Option<Norm>) -> f64 {
    match norm {
        Some(Norm::Frobenius) => 1.5,
        _ => 1.0,
    }
}

pub(super) fn error(
    run: &Run,
    name: &str,
    at: At,
    norm: Option<Norm>,
    scale: f64,
    cx: &Context,
) -> Result<Measured, String> {
    let reference = cx.reference.as_ref().map_err(Clone::clone)?;
    let q = quantity(run, name)?;
    let mut row = vec![f64::NAN; run.columns.width()];
    let mut one = |k: usize| {
        let t = run.times[k];
        reference.row(t, &mut row);
        let d = distance(&q, norm, run.row(k), &row) / scale;
        let own = reference.error(t, name);
        if own.is_infinite() {
            return Err(format!(
                "the reference has no `{name}`: it depends on the scheme{}",
                if name.starts_with("lambda") {
                    " and its formulation; `force` is the same for all"
                } else {
                    ""
                }
            ));
        }
        let mut m = Measured::new(d, if scale == 1.0 { q.unit.as_str() } else { "" }).at(t);
        m.uncertainty = widened(norm) * own / scale;
        Ok(m)
    };
    let samples = match at {
        At::Named(NamedTime::Worst) => {
            complete(run)?;
            0..run.times.len()
        }
        At::Within(Within { worst }) => within(run, worst)?,
        At::Named(_) | At::Time(_) => return one(sample(run, at)?),
    };
    let mut worst = one(samples.start)?;
    for k in samples.skip(1) {
        let m = one(k)?;
        let uncertainty = worst.uncertainty.max(m.uncertainty);
        // Written so that a NaN becomes the worst, and stays it.
        if !worst.value.is_nan() && !(m.value <= worst.value) {
            worst = m;
        }
        worst.uncertainty = uncertainty;
    }
    Ok(worst)
}

/// Size of the reference's value of a column or vector at a sample.
pub(super) fn reference_size(run: &Run, name: &str, at: At, cx: &Context) -> Result<f64, String> {
    let reference = cx.reference.as_ref().map_err(Clone::clone)?;
    let q = quantity(run, name)?;
    let mut row = vec![f64::NAN; run.columns.width()];
    reference.row(run.times[sample(run, at)?], &mut row);
    Ok(q.columns
        .iter()
        .map(|&c| row[c] * row[c])
        .sum::<f64>()
        .sqrt())
}

/// The samples between two times, up to round-off; the run must reach the second.
fn within(run: &Run, [from, to]: [f64; 2]) -> Result<std::ops::Range<usize>, String> {
    let slack = 1e-9 * run.h;
    let reached = run.times.last().is_some_and(|t| *t >= to - slack);
    if !reached {
        return Err(format!("the run did not reach t = {to}"));
    }
    let first = run.times.partition_point(|t| *t < from - slack);
    let end = run.times.partition_point(|t| *t <= to + slack);
    if first < end {
        Ok(first..end)
    } else {
        Err(format!("no sample between t = {from} and {to}"))
    }
}

pub(super) fn reversibility(bench: &Bench, name: &str) -> Result<Measured, String> {
    let run = bench.run;
    complete(run)?;
    let q = quantity(run, name)?;
    let back = bench.probes.back.as_ref().ok_or("it was not measured")?;
    let back = back.as_ref().map_err(|e| format!("on the way back: {e}"))?;
    let d = distance(&q, None, run.row(0), back);
    Ok(Measured::new(d, q.unit))
}

pub(super) fn symplectic_defect(bench: &Bench) -> Result<Measured, String> {
    let defect = bench.probes.symplectic_defect.as_ref();
    match defect.ok_or("it was not measured")? {
        Ok(d) => Ok(Measured::new(*d, "")),
        Err(e) => Err(e.to_string()),
    }
}

fn event_index(cx: &Context, name: &str) -> Result<usize, String> {
    cx.events
        .iter()
        .position(|e| e.name == name)
        .ok_or_else(|| format!("the case has no event `{name}`"))
}

fn find_event<'a>(
    run: &'a Run,
    cx: &Context,
    name: &str,
    occurrence: u32,
) -> Result<&'a crate::drive::Event, String> {
    let spec = event_index(cx, name)?;
    let mut of_this = run.events.iter().filter(|e| e.spec == spec);
    let found = of_this.clone().count();
    of_this
        .nth((occurrence as usize).saturating_sub(1))
        .ok_or_else(|| format!("event `{name}` happened {found} times, not {occurrence}"))
}

/// Errors or drift rates over a ladder, as `(h, size, floor)`.
pub(super) fn ladder_point(
    m: &Measure,
    bench: &Bench,
    cx: &Context,
) -> Result<(f64, f64, f64), String> {
    let run = bench.run;
    match m {
        Measure::Order { quantity: name, at } => {
            let e = error(run, name, *at, None, 1.0, cx)?;
            // What n additions of round-off size can leave, beside the reference's own error.
            let q = quantity(run, name)?;
            let size = match q.kind {
                Some(GroupKind::Attitude) => 1.0,
                _ => q
                    .columns
                    .iter()
                    .map(|&c| {
                        let (min, _, max, ..) = range(run, c);
                        min.abs().max(max.abs())
                    })
                    .fold(0.0, f64::max),
            };
            let round_off = f64::EPSILON * size * (run.effort.steps as f64).sqrt();
            Ok((run.h, e.value, 10.0 * (e.uncertainty + round_off)))
        }
        Measure::DriftPower {
            quantity: name,
            period,
        } => {
            let c = single(run, name)?;
            complete(run)?;
            let first = run.row(0)[c].abs();
            let span = run.times[run.times.len() - 1] - run.times[0];
            let floor = 100.0 * f64::EPSILON * first / span;
            Ok((run.h, slope(run, c, name, *period)?.abs(), floor))
        }
        _ => Err("not a ladder metric".into()),
    }
}
