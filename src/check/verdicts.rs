//! Checks to verdicts.

use super::check::{Allow, CheckSpec, Expect, Measure, SourceKind, Target};
use super::measure::{Bench, Context, Measured, ladder_point, measure};
use super::order::slopes;
use crate::math::scalar;
use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Within what is allowed.
    Pass,
    /// Not within it, or not measurable.
    Fail,
    /// A known defect showed itself, as expected.
    ExpectedFail,
    /// A known defect did not show itself: the file must be brought up to date.
    UnexpectedPass,
}

impl Status {
    /// Whether the suite may pass with it.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Pass | Self::ExpectedFail)
    }
}

/// The verdict on one run, or on one scheme's ladder.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Name of the check.
    pub check: String,
    /// Metric.
    pub metric: &'static str,
    /// Column, group or event.
    pub quantity: String,
    /// Scheme label; empty where no run was selected.
    pub scheme: String,
    /// Step as the case writes it; absent for a ladder.
    pub step: Option<String>,
    /// Measured number; absent where it could not be measured.
    pub measured: Option<f64>,
    /// Its unit.
    pub unit: String,
    /// What is allowed, for people.
    pub allowed: String,
    /// What is allowed, in numbers.
    pub allow: Allow,
    /// Decimal digits between the deviation and what is allowed; negative for a failure.
    pub headroom: Option<f64>,
    /// How it ended.
    pub status: Status,
    /// Time of the worst value, s.
    pub time: Option<f64>,
    /// Component of the worst value.
    pub component: Option<String>,
    /// Why it could not be measured or trusted; the reason of an expected failure.
    pub detail: Option<String>,
    /// Kind of source.
    pub kind: SourceKind,
    /// Source.
    pub source: Option<String>,
}

/// A check with its verdicts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Name.
    pub name: String,
    /// One for each run or ladder looked at.
    pub verdicts: Vec<Verdict>,
}

impl Judged {
    /// Worst status of its verdicts.
    pub fn is_good(&self) -> bool {
        self.verdicts.iter().all(|v| v.status.is_good())
    }
    /// The verdict with the least headroom, failures first.
    pub fn tightest(&self) -> &Verdict {
        self.verdicts
            .iter()
            .min_by(|a, b| {
                let key =
                    |v: &Verdict| (v.status.is_good(), v.headroom.unwrap_or(f64::NEG_INFINITY));
                let ((ga, ha), (gb, hb)) = (key(a), key(b));
                ga.cmp(&gb).then(ha.total_cmp(&hb))
            })
            .expect("a check has at least one verdict")
    }
}

/// Judges all checks of a case.
pub fn judge(checks: &[CheckSpec], cx: &Context) -> Vec<Judged> {
    checks
        .iter()
        .map(|check| {
            let selected: Vec<&Bench> = cx
                .runs
                .iter()
                .filter(|b| check.runs.takes(b.scheme, b.run.h))
                .collect();
            let verdicts = if let Measure::Study { study, number } = &check.measure {
                vec![verdict(check, study, None, cx.map_number(study, number))]
            } else if selected.is_empty() {
                vec![verdict(
                    check,
                    "",
                    None,
                    Err("no run fits the selection".into()),
                )]
            } else if check.measure.is_ladder() {
                ladders(check, &selected, cx)
            } else {
                selected
                    .iter()
                    .map(|b| {
                        let m = measure(&check.measure, check.allow.value.as_ref(), b, cx);
                        verdict(check, b.scheme, Some(b.step), m)
                    })
                    .collect()
            };
            Judged {
                name: check.name.clone(),
                verdicts,
            }
        })
        .collect()
}

fn ladders(check: &CheckSpec, selected: &[&Bench], cx: &Context) -> Vec<Verdict> {
    by_scheme(selected)
        .into_iter()
        .map(|(scheme, steps)| {
            let m = ladder(check, &steps, cx);
            verdict(check, scheme, None, m)
        })
        .collect()
}

/// Runs of each scheme, in the order in which schemes first come.
pub(super) fn by_scheme<'a>(selected: &[&'a Bench<'a>]) -> Vec<(&'a str, Vec<&'a Bench<'a>>)> {
    let mut out: Vec<(&str, Vec<&Bench>)> = Vec::new();
    for b in selected {
        match out.iter_mut().find(|(scheme, _)| *scheme == b.scheme) {
            Some((_, ladder)) => ladder.push(b),
            None => out.push((b.scheme, vec![b])),
        }
    }
    out
}

/// The last two slopes; the one farther from what is allowed speaks for both.
fn ladder(check: &CheckSpec, steps: &[&Bench], cx: &Context) -> Result<Measured, String> {
    let points: Vec<(f64, f64, f64)> = steps
        .iter()
        .map(|b| ladder_point(&check.measure, b, cx))
        .collect::<Result<_, _>>()?;
    if let Some(bad) = points.iter().find(|p| !p.1.is_finite()) {
        return Err(format!("not a number at h = {}", bad.0));
    }
    let all = slopes(&points);
    if all.len() < 2 {
        return Err(format!(
            "{} of {} steps stand above the round-off floor; an order needs three",
            if all.is_empty() { 0 } else { all.len() + 1 },
            points.len()
        ));
    }
    let last = &all[all.len() - 2..];
    let centre = match (&check.allow.value, check.allow.min, check.allow.max) {
        (Some(Target::Number(v)), ..) => *v,
        (_, Some(a), Some(b)) => 0.5 * (a + b),
        (_, Some(a), None) => a + 1e3,
        (_, None, Some(b)) => b - 1e3,
        _ => 0.0,
    };
    let worst = if (last[0] - centre).abs() > (last[1] - centre).abs() {
        last[0]
    } else {
        last[1]
    };
    Ok(Measured {
        value: worst,
        time: None,
        component: Some(format!("slopes {:.3}, {:.3}", last[0], last[1])),
        unit: String::new(),
        uncertainty: 0.0,
    })
}

fn verdict(
    check: &CheckSpec,
    scheme: &str,
    step: Option<&str>,
    measured: Result<Measured, String>,
) -> Verdict {
    let allow = &check.allow;
    let (mut within, mut headroom, mut detail) = (None, None, None);
    let (mut value, mut unit, mut time, mut component) = (None, String::new(), None, None);
    match measured {
        Err(why) => detail = Some(why),
        Ok(m) => {
            let u = m.uncertainty;
            // `None` is no verdict: what cannot be measured or trusted is a failure, and no
            // evidence of a known defect either.
            if m.value.is_finite() {
                within = allow.holds(m.value, u);
                if within.is_none() {
                    detail = Some(format!(
                        "the reference itself is good to {u:.1e} only: no verdict"
                    ));
                }
            } else {
                detail = Some("the measured value is not a finite number".into());
            }
            if within.is_some()
                && let Some((deviation, tolerance)) = allow.deviation(m.value)
            {
                headroom = Some(digits(deviation, tolerance));
            }
            value = Some(m.value);
            unit = m.unit;
            time = m.time;
            component = m.component;
        }
    }
    let status = match (check.expect, within) {
        (Expect::Pass, Some(true)) => Status::Pass,
        (Expect::Fail, Some(true)) => Status::UnexpectedPass,
        (Expect::Fail, Some(false)) => Status::ExpectedFail,
        _ => Status::Fail,
    };
    if matches!(status, Status::ExpectedFail | Status::UnexpectedPass) {
        detail = check.reason.clone().or(detail);
    }
    Verdict {
        check: check.name.clone(),
        metric: check.measure.name(),
        quantity: check
            .measure
            .quantity()
            .or(check.measure.event())
            .unwrap_or_default()
            .into(),
        scheme: scheme.into(),
        step: step.map(Into::into),
        measured: value.filter(|v| v.is_finite()),
        unit,
        allowed: allow.describe(),
        allow: allow.clone(),
        headroom,
        status,
        time,
        component,
        detail,
        kind: check.kind,
        source: check.source.clone(),
    }
}

/// Decimal digits by which `deviation` stays below `tolerance`, at most 17.
fn digits(deviation: f64, tolerance: f64) -> f64 {
    if deviation <= 0.0 {
        return 17.0;
    }
    scalar::log10(tolerance / deviation).clamp(-17.0, 17.0)
}

impl Allow {
    /// How far `x` deviates and how far it may; `None` for a bound on one side, which has no unit
    /// to count digits in, unless it bounds a size: its digits count from zero.
    fn deviation(&self, x: f64) -> Option<(f64, f64)> {
        match (&self.value, self.min, self.max) {
            (Some(Target::Number(v)), ..) => Some(((x - v).abs(), self.around(v.abs()))),
            // The measured number is the distance itself.
            (Some(Target::Components(v)), ..) => {
                Some((x, self.around(v.iter().map(|x| x * x).sum::<f64>().sqrt())))
            }
            (None, Some(a), Some(b)) => Some(((x - 0.5 * (a + b)).abs(), 0.5 * (b - a))),
            (None, None, Some(b)) if b > 0.0 => Some((x, b)),
            _ => None,
        }
    }

    /// Whether `x`, known to ±`u`, is allowed; `None` where that cannot be said. Written so that a
    /// NaN says nothing.
    fn holds(&self, x: f64, u: f64) -> Option<bool> {
        // The distance beyond what is allowed.
        let beyond = match (self.deviation(x), self.min, self.max) {
            (Some((deviation, tolerance)), ..) => deviation - tolerance,
            (None, Some(a), None) => a - x,
            (None, None, Some(b)) => x - b,
            _ => return None,
        };
        if beyond + u <= 0.0 {
            Some(true)
        } else if beyond - u > 0.0 {
            Some(false)
        } else {
            None
        }
    }

    fn around(&self, size: f64) -> f64 {
        self.abs.or(self.rel.map(|r| r * size)).unwrap_or(0.0)
    }

    /// Distance allowed from a number that is given.
    pub fn tolerance(&self) -> Option<f64> {
        match &self.value {
            Some(Target::Number(v)) => Some(self.around(v.abs())),
            _ => None,
        }
    }

    /// For people.
    pub fn describe(&self) -> String {
        let tolerance = match (self.abs, self.rel) {
            (Some(a), _) => plain(a),
            (None, Some(r)) => percent(r),
            _ => "0".into(),
        };
        match (&self.value, self.min, self.max) {
            (Some(Target::Number(v)), ..) => format!("{} ± {tolerance}", plain(*v)),
            (Some(Target::Components(_)), ..) => format!("distance ≤ {tolerance}"),
            (None, Some(a), Some(b)) => format!("{} … {}", plain(a), plain(b)),
            (None, Some(a), None) => format!("≥ {}", plain(a)),
            (None, None, Some(b)) => format!("≤ {}", plain(b)),
            (None, None, None) => "nothing".into(),
        }
    }
}

/// A ratio in percent, without the round-off of the product.
fn percent(ratio: f64) -> String {
    let x = 100.0 * ratio;
    format!("{} %", plain(format!("{x:.9e}").parse().unwrap_or(x)))
}

/// Shortest digits that read back, scientific where zeros would pile up.
fn plain(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}
