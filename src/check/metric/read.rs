//! The measurements that metrics make.

use super::{DriftScale, Metric, Side, StepWork};
use crate::check::measurement::{
    LadderPoint, complete, error, event_index, extreme, find_event, ladder_errors, per_step,
    quantity, range, reversibility, sample, single, symplectic_defect,
};
use crate::check::trend::{half_range, slope, wave};
use crate::check::{AllowTable, Context, MeasurementError, RunTime, SchemeRun, Target, by_scheme};
use nalgebra::{DMatrix, DVector};
use topsim_core::integration::Run;
use topsim_core::math::slopes;
use topsim_core::models::GroupKind;
use topsim_core::verdict::{Measurement, Subject};

/// The number, or the reason why there is none.
type Measured = Result<Measurement, MeasurementError>;
/// A measurement of a run, ladder or study.
pub(crate) type Observation = (Subject, Measured);

/// The runs that a check selects, what it allows, and all else that is known of the case.
pub(crate) struct SelectedRuns<'a> {
    pub runs: &'a [&'a SchemeRun],
    pub allow: &'a AllowTable,
    pub context: &'a Context<'a>,
}

impl SelectedRuns<'_> {
    /// Measures a number of each run.
    fn each_run(&self, measure: impl Fn(&SchemeRun) -> Measured) -> Vec<Observation> {
        let subject = |r: &SchemeRun| Subject::new(&*r.scheme, Some(&r.fineness));
        let each = self.runs.iter();
        each.map(|r| (subject(r), measure(r))).collect()
    }

    /// Measures a slope over the steps of each scheme.
    fn each_ladder(
        &self,
        point: impl Fn(&SchemeRun) -> Result<LadderPoint, MeasurementError>,
    ) -> Vec<Observation> {
        self.each_scheme(|steps| {
            let points: Result<Vec<_>, _> = steps.iter().map(|r| point(r)).collect();
            last_slope(&points?, self.allow)
        })
    }

    /// Measures a number of the runs of each scheme.
    fn each_scheme(&self, measure: impl Fn(&[&SchemeRun]) -> Measured) -> Vec<Observation> {
        let schemes = by_scheme(self.runs).into_iter();
        let each = schemes.map(|(scheme, runs)| (Subject::new(scheme, None), measure(&runs)));
        each.collect()
    }
}

/// Returns that of the last two slopes which is farther from what is allowed.
fn last_slope(points: &[LadderPoint], allow: &AllowTable) -> Measured {
    if let Some(bad) = points.iter().find(|p| !p.1.is_finite()) {
        return Err(MeasurementError::NotANumberAt(bad.0));
    }
    let all = slopes(points);
    let [.., a, b] = all[..] else {
        let above = if all.is_empty() { 0 } else { all.len() + 1 };
        return Err(MeasurementError::TooFewSteps(above, points.len()));
    };
    let centre = allow.centre();
    let a_is_farther = (a - centre).abs() > (b - centre).abs();
    let worst = if a_is_farther { a } else { b };
    let fails = |slope| allow.holds(slope, 0.0) == Some(false);
    let nearer = match a_is_farther && fails(a) {
        true => ", nearer with finer steps",
        false => "",
    };
    Ok(Measurement::new(worst, "").in_component(&format!("slopes {a:.3}, {b:.3}{nearer}")))
}

impl Metric {
    /// Measures: one number for each run, ladder or study that the metric speaks of.
    pub(crate) fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        let cx = on.context;
        match self {
            Self::Value { quantity, at } => {
                let target = on.allow.value.as_ref();
                on.each_run(|r| value(&r.run, quantity, *at, target))
            }
            Self::Extreme { quantity, which } => on.each_run(|r| extreme(&r.run, quantity, *which)),
            Self::MaxDrift {
                quantity,
                scale,
                signed,
            } => on.each_run(|r| {
                let mut worst = max_drift(&r.run, quantity, *scale)?;
                if !signed {
                    worst.value = worst.value.abs();
                }
                Ok(worst)
            }),
            Self::DriftRate {
                quantity,
                power,
                period,
            } => on.each_run(|r| {
                let unit = format!("{}/s", unit(&r.run, quantity)?);
                let slope = slope(&r.run, quantity, *period)?;
                Ok(per_step(slope, &unit, r.run.h, *power))
            }),
            Self::DriftPower { quantity, period } => on.each_ladder(|r| {
                let run = &r.run;
                let first = run.row(0)[single(run, quantity)?].abs();
                let slope = slope(run, quantity, *period)?;
                let span = run.times[run.times.len() - 1] - run.times[0];
                Ok((
                    r.fineness_number(),
                    slope.abs(),
                    100.0 * f64::EPSILON * first / span,
                ))
            }),
            Self::Oscillation {
                quantity,
                power,
                period,
            } => on.each_run(|r| {
                let c = single(&r.run, quantity)?;
                complete(&r.run)?;
                let amplitude = match period {
                    Some(period) => wave(&r.run, c, *period)?.amplitude,
                    None => half_range(&r.run, c),
                };
                let unit = unit(&r.run, quantity)?;
                Ok(per_step(amplitude, unit, r.run.h, *power))
            }),
            Self::Error {
                quantity,
                at,
                norm,
                scale,
            } => on.each_run(|r| error(&r.run, quantity, *at, *norm, *scale, cx)),
            Self::Order { quantity, at } => on.each_scheme(|steps| {
                let each = steps.iter().map(|r| ladder_errors(quantity, *at, r, cx));
                let (points, unsure): (Vec<_>, Vec<_>) =
                    each.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
                let hidden = |(p, sure): (&LadderPoint, &f64)| 30.0 * sure >= p.1;
                match last_slope(&points, on.allow) {
                    Err(MeasurementError::TooFewSteps(..))
                        if points.iter().zip(&unsure).any(hidden) =>
                    {
                        let most = unsure.iter().copied().fold(0.0, f64::max);
                        Err(MeasurementError::HiddenByReference(most))
                    }
                    measured => measured,
                }
            }),
            Self::Limit {
                quantity,
                at,
                order,
            } => on.each_scheme(|runs| limit(runs, quantity, *at, *order, cx)),
            Self::EventTime { event, occurrence } => on.each_run(|r| {
                let e = find_event(&r.run, cx, event, *occurrence)?;
                Ok(Measurement::new(e.time, "s").at(e.time))
            }),
            Self::EventValue {
                event,
                quantity,
                occurrence,
            } => on.each_run(|r| {
                let (c, unit) = (single(&r.run, quantity)?, unit(&r.run, quantity)?);
                let e = find_event(&r.run, cx, event, *occurrence)?;
                Ok(Measurement::new(e.values[c], unit).at(e.time))
            }),
            Self::EventCount { event } => on.each_run(|r| {
                complete(&r.run)?;
                let spec = event_index(cx, event)?;
                if r.run.events_dropped > 0 {
                    return Err(MeasurementError::EventsDropped(r.run.events_dropped));
                }
                let count = r.run.events.iter().filter(|e| e.spec == spec).count();
                Ok(Measurement::new(count as f64, ""))
            }),
            Self::RotationPerStep { quantity } => on.each_run(|r| {
                let largest = extreme(&r.run, quantity, Side::Max)?;
                let degrees = largest.value * r.run.h * 180.0 / core::f64::consts::PI;
                let mut turned = Measurement::new(degrees, "°");
                turned.time = largest.time;
                Ok(turned)
            }),
            Self::Effort { what } => on.each_run(|r| effort(r, *what)),
            Self::Reversibility { quantity } => on.each_run(|r| reversibility(r, quantity)),
            Self::SymplecticDefect {} => on.each_run(symplectic_defect),
            // It reads one number, whichever runs are selected.
            Self::Study { study, number } => {
                vec![(Subject::new(&**study, None), cx.number(study, number))]
            }
            Self::Baseline {} => on.each_run(|r| {
                complete(&r.run)?;
                let baseline = cx.baseline.ok_or(MeasurementError::NoBaseline)?;
                baseline.departure(r)
            }),
        }
    }
}

fn unit<'a>(run: &'a Run, name: &str) -> Result<&'a str, MeasurementError> {
    Ok(run.columns.channels[single(run, name)?].unit)
}

/// Returns a value, or its distance from the components that are allowed.
fn value(run: &Run, name: &str, at: RunTime, target: Option<&Target>) -> Measured {
    let q = quantity(run, name)?;
    let k = sample(run, at)?;
    let (row, t) = (run.row(k), run.times[k]);
    let has = q.channels.len();
    match (target, q.channels.as_slice()) {
        (Some(Target::Components(v)), columns) => {
            if v.len() != has {
                let name = name.to_string();
                return Err(MeasurementError::OtherComponents(name, has, v.len()));
            }
            let mut expected = row.to_vec();
            for (&c, x) in columns.iter().zip(v) {
                expected[c] = *x;
            }
            Ok(Measurement::new(q.distance(row, &expected), q.unit).at(t))
        }
        (_, [c]) => Ok(Measurement::new(row[*c], q.unit).at(t)),
        _ => Err(MeasurementError::NoComponents(name.into(), has)),
    }
}

/// Returns the largest deviation from the initial value, with its sign.
fn max_drift(run: &Run, name: &str, scale: Option<DriftScale>) -> Measured {
    let q = quantity(run, name)?;
    complete(run)?;
    let unit = if scale.is_none() { q.unit } else { "" };
    let mut worst = Measurement::new(0.0, unit);
    let mut seen = false;
    for &c in &q.channels {
        let range = range(run, c);
        let name = &run.columns.channels[c].name;
        let divisor = match scale {
            None => 1.0,
            Some(DriftScale::Number(s)) => s,
            Some(DriftScale::Named(_)) => range.first.abs(),
        };
        if divisor == 0.0 {
            return Err(MeasurementError::StartsAtZero(name.to_string()));
        }
        for (x, t) in [(range.min, range.min_at), (range.max, range.max_at)] {
            let d = (x - range.first) / divisor;
            // The comparison is written so that a NaN becomes the worst.
            if !seen || !(d.abs() <= worst.value.abs()) {
                worst = Measurement::new(d, unit).at(t).in_component(name);
                seen = true;
            }
        }
    }
    Ok(worst)
}

fn effort(view: &SchemeRun, what: StepWork) -> Measured {
    complete(&view.run)?;
    let effort = &view.run.effort;
    let a_step = |n: u64| Measurement::new(n as f64 / effort.steps as f64, "a step");
    Ok(match what {
        StepWork::TorqueEvaluations => {
            let found = view.step_facts.evaluations;
            let [said, counted] = found.ok_or(MeasurementError::NotCounted)??;
            if said != counted {
                return Err(MeasurementError::OtherwiseCounted(said, counted));
            }
            a_step(effort.torque)
        }
        StepWork::Iterations => a_step(effort.iterations),
        StepWork::MostIterations => Measurement::new(f64::from(effort.most_iterations), ""),
        StepWork::Rejected => Measurement::new(effort.rejected as f64, ""),
    })
}

/// Returns the distance from the reference of what the runs of a scheme tend to, where their error begins with this power
/// of h.
fn limit(runs: &[&SchemeRun], name: &str, at: RunTime, order: u8, cx: &Context) -> Measured {
    let reference = cx.reference.clone()?;
    let first = &runs[0].run;
    let q = quantity(first, name)?;
    let t = first.times[sample(first, at)?];
    let mut limit = vec![0.0; first.columns.width()];
    let weights = weights(runs, order).ok_or(MeasurementError::NotANumber)?;
    for (view, weight) in runs.iter().zip(&weights) {
        let (run, k) = (&view.run, sample(&view.run, at)?);
        let next = run.times[k];
        if !((next - t).abs() <= 1e-9 * run.h) {
            return Err(MeasurementError::NoSample(t, next));
        }
        for (sum, x) in limit.iter_mut().zip(run.row(k)) {
            *sum += weight * x;
        }
    }
    let mut exact = vec![f64::NAN; limit.len()];
    reference.row(t, &mut exact);
    let squares = q.channels.iter().map(|&c| (limit[c] - exact[c]).powi(2));
    let angle = match q.kind {
        GroupKind::Attitude => 0.5,
        GroupKind::Vector => 1.0,
    };
    let mut measured = Measurement::new((angle * squares.sum::<f64>()).sqrt(), q.unit).at(t);
    measured.uncertainty = reference.group_error(t, q.quantity, q.channels.len());
    Ok(measured)
}

/// Returns `w` with `Σ w = 1` and `Σ w h^p = 0` for each power removed.
fn weights(runs: &[&SchemeRun], order: u8) -> Option<DVector<f64>> {
    let longest = runs.iter().map(|r| r.run.h).fold(0.0, f64::max);
    let conditions = DMatrix::from_fn(runs.len(), runs.len(), |row, run| match row {
        0 => 1.0,
        _ => (runs[run].run.h / longest).powi(i32::from(order) + row as i32 - 1),
    });
    let mut one = DVector::zeros(runs.len());
    one[0] = 1.0;
    conditions.lu().solve(&one)
}
