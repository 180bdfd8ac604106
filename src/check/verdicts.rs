//! Evaluates checks: the verdicts that follow from them.

use super::metric::SelectedRuns;
use super::{AllowTable, Check, Context, Expect, MeasurementError};
use topsim_core::math::scalar;
use topsim_core::verdict::{Measurement, Provenance, Status, Subject, Verdict};

/// The verdicts of one check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckGroup<'a> {
    /// Name of the check.
    pub id: &'a str,
    /// One for each run or ladder looked at, at least one.
    pub verdicts: &'a [Verdict],
}

impl<'a> CheckGroup<'a> {
    /// Tests whether a suite may pass with it.
    pub fn is_good(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_good)
    }
    /// Tests whether nothing of it was judged.
    pub fn is_skipped(&self) -> bool {
        let skipped = |v: &Verdict| v.status == Status::Skipped;
        self.verdicts.iter().all(skipped)
    }
    /// Returns the verdict with the fewest digits to spare, failures first.
    pub fn tightest(&self) -> &'a Verdict {
        tightest(self.verdicts.iter())
    }
}

/// Returns the verdict with the fewest digits to spare, failures first; there must be one.
pub(crate) fn tightest<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> &'a Verdict {
    let digits = |v: &Verdict| v.digits.unwrap_or(f64::NEG_INFINITY);
    let tightest = verdicts.min_by(|a, b| {
        let good = a.is_good().cmp(&b.is_good());
        good.then_with(|| digits(a).total_cmp(&digits(b)))
    });
    tightest.expect("a check has at least one verdict")
}

/// Returns the verdicts of [`evaluate`], check by check.
pub fn by_check(verdicts: &[Verdict]) -> Vec<CheckGroup<'_>> {
    verdicts
        .chunk_by(|a, b| a.id == b.id)
        .map(|verdicts| CheckGroup {
            id: &verdicts[0].id,
            verdicts,
        })
        .collect()
}

/// Evaluates all checks of a case: at least one verdict for each, in their order.
pub fn evaluate(checks: &[Check], cx: &Context) -> Vec<Verdict> {
    let mut out = Vec::new();
    for check in checks {
        if let Some(why) = check.skipped {
            let mut skipped = unmeasured(check, Subject::default(), Status::Skipped);
            skipped.detail = Some(why.to_string());
            out.push(skipped);
            continue;
        }
        let observations = check.measure.read(&SelectedRuns {
            runs: &cx.selected(&check.runs),
            allow: &check.allow,
            context: cx,
        });
        if observations.is_empty() {
            let none = Err(MeasurementError::NoRun);
            out.push(verdict(check, Subject::default(), none));
        }
        let each = observations.into_iter();
        out.extend(each.map(|(subject, measured)| verdict(check, subject, measured)));
    }
    out
}

/// Returns the verdict of a check before anything is measured.
fn unmeasured(check: &Check, subject: Subject, status: Status) -> Verdict {
    let allow = &check.allow;
    let mut v = Verdict::new(&check.name, status);
    v.metric = check.measure.name().into();
    v.quantity = check.measure.needs().looked_at().into();
    v.subject = subject;
    v.allowed = Some(allow.interval());
    v.allowed_text = allow.describe();
    let source = check.how.clone().or_else(|| check.source.clone());
    v.provenance = Some(Provenance::new(check.kind, source));
    v
}

fn verdict(
    check: &Check,
    subject: Subject,
    measured: Result<Measurement, MeasurementError>,
) -> Verdict {
    let allow = &check.allow;
    let mut v = unmeasured(check, subject, Status::Failed);
    // A number that cannot be measured or trusted is no evidence of a known defect.
    let evident = match measured {
        Err(why) => {
            if matches!(why, MeasurementError::HiddenByReference(_)) {
                v.status = Status::Undecided;
            }
            v.detail = Some(why.to_string());
            false
        }
        Ok(m) if !m.value.is_finite() => {
            v.detail = Some(not_finite(&m));
            false
        }
        Ok(m) => {
            let within = allow.holds(m.value, m.uncertainty);
            if within.is_some() {
                v.digits = allow.deviation(m.value).map(digits);
            }
            let sure = m.uncertainty;
            let unsure = || format!("the reference itself is good to {sure:.1e} only: no verdict");
            (v.status, v.detail) = match within {
                Some(true) => (Status::Passed, None),
                Some(false) => (Status::Failed, amplified(&m, allow)),
                None => (Status::Undecided, Some(unsure())),
            };
            v.measured = Some(m);
            within.is_some()
        }
    };
    if evident && check.expect == Expect::Fail {
        v.known_defect = Some(check.reason.clone().unwrap_or_default());
    }
    v
}

/// Says that the motion multiplies the rounding of its start to more than a tenth of what is allowed.
fn amplified(m: &Measurement, allow: &AllowTable) -> Option<String> {
    let floor = m.start_floor?;
    let (_, tolerance) = allow.deviation(m.value)?;
    (floor > 0.1 * tolerance).then(|| {
        let times = floor / (0.5 * f64::EPSILON);
        format!(
            "the problem multiplies the last digit of the start by {times:.1e}: errors below {floor:.1e} cannot be told from it"
        )
    })
}

/// Says where a number ceased to be one.
fn not_finite(m: &Measurement) -> String {
    let time = m.time.map_or(String::new(), |t| format!(" at t = {t}"));
    let component = m.component.as_ref();
    let component = component.map_or(String::new(), |c| format!(", {c}"));
    format!("the measured value is not a finite number{time}{component}")
}

/// Returns the decimal digits by which a deviation stays below its tolerance, at most 17.
fn digits((deviation, tolerance): (f64, f64)) -> f64 {
    if deviation <= 0.0 {
        return 17.0;
    }
    scalar::log10(tolerance / deviation).clamp(-17.0, 17.0)
}
