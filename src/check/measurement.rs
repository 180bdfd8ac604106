//! Numbers of a run that metrics and studies share.

use super::metric::{Norm, Side};
use super::{Context, MeasurementError, NamedTime, RunTime, SchemeRun, SpanPart};
use std::ops::Range;
use topsim_core::integration::{End, Event, Run, Track};
use topsim_core::models::{Group, GroupKind};
use topsim_core::verdict::Measurement;

/// Returns the default quantity.
pub(crate) fn attitude() -> String {
    "attitude".into()
}

/// Returns the index of a column.
pub(crate) fn single(run: &Run, name: &str) -> Result<usize, MeasurementError> {
    run.column(name)
        .ok_or_else(|| MeasurementError::NoColumn(name.into()))
}

/// Returns a group, or a column as a group of one.
pub(crate) fn quantity(run: &Run, name: &str) -> Result<Group, MeasurementError> {
    let found = run.columns.group_or_column(name);
    found.ok_or_else(|| MeasurementError::NoQuantity(name.into()))
}

/// Refuses a run that ended early, on which a metric over the whole run means nothing.
pub(crate) fn complete(run: &Run) -> Result<(), MeasurementError> {
    match run.end {
        End::Reached => Ok(()),
        End::Stopped { at, .. } | End::Failed { at, .. } => Err(MeasurementError::EndedEarly(at)),
    }
}

/// Returns the index of the sample at a time.
pub(crate) fn sample(run: &Run, at: RunTime) -> Result<usize, MeasurementError> {
    match at {
        RunTime::Named(NamedTime::Start) => Ok(0),
        RunTime::Named(NamedTime::End) => match run.end {
            End::Reached => Ok(run.times.len() - 1),
            _ => Err(MeasurementError::NoEnd),
        },
        RunTime::Named(NamedTime::Worst) => Err(MeasurementError::WorstOfError),
        RunTime::Within(_) => Err(MeasurementError::WorstOfErrors),
        RunTime::Time(t) => {
            let slack = 1e-9 * run.h;
            let k = run.times.partition_point(|&x| x < t - slack);
            match run.times.get(k) {
                Some(&x) if x < t + run.h - slack => Ok(k),
                Some(&next) => Err(MeasurementError::NoSample(t, next)),
                None => Err(MeasurementError::NoSampleAfter(t)),
            }
        }
    }
}

/// Returns the indices of the samples between two times, up to round-off; the run must reach the second.
fn within(run: &Run, [from, to]: [f64; 2]) -> Result<Range<usize>, MeasurementError> {
    let slack = 1e-9 * run.h;
    let reached = run.times.last().is_some_and(|t| *t >= to - slack);
    if !reached {
        return Err(MeasurementError::NotReached(to));
    }
    let first = run.times.partition_point(|t| *t < from - slack);
    let end = run.times.partition_point(|t| *t <= to + slack);
    if first < end {
        Ok(first..end)
    } else {
        Err(MeasurementError::NoSampleBetween(from, to))
    }
}

/// Returns the first and extreme values of a column: over every step for a tracked one, else over the samples
/// and without a slope.
pub(crate) fn range(run: &Run, c: usize) -> Track {
    if let Some(track) = run.track(c) {
        return *track;
    }
    let samples = || run.series(c).zip(run.times.iter().copied());
    let nan = samples().find(|(x, _)| x.is_nan());
    let extreme = |beats: fn(f64, f64) -> bool| {
        let best = samples().reduce(|a, b| if beats(b.0, a.0) { b } else { a });
        nan.or(best).unwrap_or((f64::NAN, 0.0))
    };
    let (min, min_at) = extreme(|x, least| x < least);
    let (max, max_at) = extreme(|x, most| x > most);
    Track {
        first: run.row(0)[c],
        min,
        min_at,
        max,
        max_at,
        slope: f64::NAN,
    }
}

/// Returns the smallest or largest value of a column.
pub(crate) fn extreme(run: &Run, name: &str, which: Side) -> Result<Measurement, MeasurementError> {
    let c = single(run, name)?;
    complete(run)?;
    let range = range(run, c);
    let unit = run.columns.channels[c].unit;
    Ok(match which {
        Side::Min => Measurement::new(range.min, unit).at(range.min_at),
        Side::Max => Measurement::new(range.max, unit).at(range.max_at),
    })
}

/// Divides a number by a power of the step, with its unit.
pub(super) fn per_step(value: f64, unit: &str, h: f64, power: u32) -> Measurement {
    let divisor = (0..power).fold(1.0, |x, _| x * h);
    let unit = match power {
        0 => unit.into(),
        1 => format!("{unit} /h"),
        p => format!("{unit} /h^{p}"),
    };
    Measurement::new(value / divisor, unit)
}

/// Returns the distance from the reference at a time, or the largest over samples.
pub(crate) fn error(
    run: &Run,
    name: &str,
    at: RunTime,
    norm: Option<Norm>,
    scale: f64,
    cx: &Context,
) -> Result<Measurement, MeasurementError> {
    let reference = cx.reference.clone()?;
    let mut q = quantity(run, name)?;
    if norm == Some(Norm::Frobenius) {
        q.kind = GroupKind::Vector;
    }
    let unit = if scale == 1.0 { q.unit } else { "" };
    let mut row = vec![f64::NAN; run.columns.width()];
    let mut one = |k: usize| {
        let t = run.times[k];
        reference.row(t, &mut row);
        let d = q.distance(run.row(k), &row) / scale;
        let own = reference.group_error(t, q.quantity, q.channels.len());
        if own.is_infinite() {
            return Err(MeasurementError::NotInReference(name.into()));
        }
        let mut m = Measurement::new(d, unit).at(t);
        m.uncertainty = Norm::widened(norm) * own / scale;
        let floor = reference.start_floor(t, q.quantity);
        m.start_floor = floor.map(|f| Norm::widened(norm) * f / scale);
        Ok(m)
    };
    let samples = match at {
        RunTime::Named(NamedTime::Worst) => {
            complete(run)?;
            0..run.times.len()
        }
        RunTime::Within(SpanPart { worst }) => within(run, worst)?,
        RunTime::Named(_) | RunTime::Time(_) => return one(sample(run, at)?),
    };
    let mut worst = one(samples.start)?;
    for k in samples.skip(1) {
        let m = one(k)?;
        let uncertainty = worst.uncertainty.max(m.uncertainty);
        // The comparison is written so that a NaN becomes the worst and stays it.
        if !worst.value.is_nan() && !(m.value <= worst.value) {
            worst = m;
        }
        worst.uncertainty = uncertainty;
    }
    Ok(worst)
}

/// Returns the size of the reference's value of a column or vector at a sample.
pub(crate) fn reference_size(
    run: &Run,
    name: &str,
    at: RunTime,
    cx: &Context,
) -> Result<f64, MeasurementError> {
    let reference = cx.reference.clone()?;
    let q = quantity(run, name)?;
    let mut row = vec![f64::NAN; run.columns.width()];
    reference.row(run.times[sample(run, at)?], &mut row);
    let squares = q.channels.iter().map(|&c| row[c] * row[c]);
    Ok(squares.sum::<f64>().sqrt())
}

/// A point of a step ladder: the step, a size, and the floor above which the size says something.
pub(crate) type LadderPoint = (f64, f64, f64);

/// Returns the error of a run as a point of its ladder.
pub(crate) fn ladder_error(
    name: &str,
    at: RunTime,
    view: &SchemeRun,
    cx: &Context,
) -> Result<LadderPoint, MeasurementError> {
    Ok(ladder_errors(name, at, view, cx)?.0)
}

/// Returns the error of a run as a point of its ladder, and the error of the reference.
pub(crate) fn ladder_errors(
    name: &str,
    at: RunTime,
    view: &SchemeRun,
    cx: &Context,
) -> Result<(LadderPoint, f64), MeasurementError> {
    let run = &view.run;
    let e = error(run, name, at, None, 1.0, cx)?;
    // What the roundings of n steps can leave, beside the reference's own error: each is what the rounding of
    // the start is, and grows over what is left of the run (the mean square of a linear growth is a third).
    // A thirtieth of an error moves a slope between halved steps by 0.05.
    let q = quantity(run, name)?;
    let size = match q.kind {
        GroupKind::Attitude => 1.0,
        GroupKind::Vector => {
            let ranges = q.channels.iter().map(|&c| range(run, c));
            ranges.fold(0.0_f64, |most, r| most.max(r.min.abs().max(r.max.abs())))
        }
    };
    let one = (f64::EPSILON * size).max(e.start_floor.unwrap_or(0.0));
    let round_off = one * (run.effort.steps as f64 / 3.0).sqrt();
    let floor = 30.0 * (e.uncertainty + round_off);
    Ok(((view.fineness_number(), e.value, floor), e.uncertainty))
}

/// Returns the distance from the start after all steps forward and as many back.
pub(crate) fn reversibility(view: &SchemeRun, name: &str) -> Result<Measurement, MeasurementError> {
    let run = &view.run;
    complete(run)?;
    let q = quantity(run, name)?;
    let back = view.step_facts.back.as_ref();
    let back = back.ok_or(MeasurementError::NotMeasured)?.as_ref();
    let back = back.map_err(|e| MeasurementError::WayBack(*e))?;
    Ok(Measurement::new(q.distance(run.row(0), back), q.unit))
}

/// Returns the symplectic defect of one step from the start.
pub(crate) fn symplectic_defect(view: &SchemeRun) -> Result<Measurement, MeasurementError> {
    let defect = view.step_facts.symplectic_defect;
    let defect = defect.ok_or(MeasurementError::NotMeasured)??;
    Ok(Measurement::new(defect, ""))
}

/// Returns the index of an event among those of the case.
pub(super) fn event_index(cx: &Context, name: &str) -> Result<usize, MeasurementError> {
    let found = cx.events.iter().position(|e| e.name == name);
    found.ok_or_else(|| MeasurementError::NoEvent(name.into()))
}

/// Returns an event that happened, counted from 1.
pub(super) fn find_event<'a>(
    run: &'a Run,
    cx: &Context,
    name: &str,
    occurrence: u32,
) -> Result<&'a Event, MeasurementError> {
    let spec = event_index(cx, name)?;
    let mut of_this = run.events.iter().filter(|e| e.spec == spec);
    let found = of_this.clone().count();
    let asked = of_this.nth((occurrence as usize).saturating_sub(1));
    asked.ok_or_else(|| MeasurementError::TooFewEvents(name.into(), found, occurrence))
}
