//! From what histories show to verdicts: each id once for a case, of all its histories together.

use crate::diagnosis::{Conclusion, Diagnosis};
use crate::history::{CONSISTENT, Convergence, Ended, Finding, Kinematics, LEAST_ORDER, Start};
use crate::report::{FileReport, Report};
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::verdict::Status;

/// A measured order may be so much below the one that is asked for.
pub const ORDER_SLACK: f64 = 0.25;

/// All verdicts on a case.
pub(crate) fn verdicts(report: &Report, by_step: bool) -> Vec<Verdict> {
    let mut out = steps(report, by_step);
    let files = &report.files;
    out.extend(finite(files));
    out.extend(row0(files));
    out.extend(kinematics(files));
    let mut converged = report.convergence.as_ref().map(converges);
    // Of the right motion, wrongly reported or too coarse for the whole span.
    let follows = |d: &Diagnosis| d.follows;
    if let Some(v) = converged.as_mut().filter(|v| !v.is_good())
        && report.diagnosis.as_ref().is_some_and(follows)
    {
        v.status = Status::Skipped;
        let said = v.detail.get_or_insert_default();
        said.push_str("; as far as they can be told they follow it: see the diagnosis");
    }
    out.extend(converged);
    if let Some(p) = report.order() {
        let said = format!("order {}", two(p));
        out.push(verdict(VerdictId::Order, Status::Skipped, said).measuring(p, ""));
    }
    motion(report, &mut out);
    debug_assert!(
        out.iter().all(|v| v.is_good() || v.id.can_fail()),
        "a list of accepted defects could not name all of {out:?}"
    );
    out
}

/// Steps of a solver, with or without a history.
fn steps(report: &Report, by_step: bool) -> Vec<Verdict> {
    let failed = report.failed.iter().map(|f| {
        let id = VerdictId::Step(f.step);
        (f.step, verdict(id, Status::Failed, f.message.clone()))
    });
    let there = report.files.iter().filter(|_| by_step).map(|f| {
        let said = format!("{} rows", f.finding.rows);
        let id = VerdictId::Step(f.step);
        (f.step, verdict(id, Status::Passed, said))
    });
    let mut all: Vec<_> = failed.chain(there).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, v)| v).collect()
}

/// The history with the largest number, which a NaN is, and that number.
fn worst<'a>(
    files: &'a [FileReport],
    size: &dyn Fn(&Finding) -> Option<f64>,
) -> Option<(&'a FileReport, f64)> {
    let mut found: Option<(&FileReport, f64)> = None;
    for f in files {
        let Some(x) = size(&f.finding) else { continue };
        if found.is_none_or(|(_, y)| !y.is_nan() && !(x <= y)) {
            found = Some((f, x));
        }
    }
    found
}

fn finite(files: &[FileReport]) -> Option<Verdict> {
    files.first()?;
    let lost = files.iter().find_map(|f| match &f.finding.ended {
        Ended::Lost(lost) => Some((f, lost)),
        Ended::Whole => None,
    });
    Some(match lost {
        None => verdict(
            VerdictId::Finite,
            Status::Passed,
            "all rows are states of a body",
        ),
        Some((f, lost)) => verdict(
            VerdictId::Finite,
            Status::Failed,
            format!(
                "{}: from row {} on it is no motion: `{}` holds {}",
                f.file, lost.row, lost.column, lost.why
            ),
        ),
    })
}

fn row0(files: &[FileReport]) -> Option<Verdict> {
    // What disagrees first, the attitude before the rate; angles are at most π.
    let rank = |s: &Start| match (s.attitude_matches, s.matches()) {
        (false, _) => 20.0 + s.attitude,
        (true, false) => 10.0 + s.attitude,
        (true, true) => s.attitude,
    };
    let (file, _) = worst(files, &|f| f.start.as_ref().map(rank))?;
    let s = file.finding.start.as_ref()?;
    let (name, a, w) = (&file.file, s.attitude, s.rate_body);
    let rate = |w: Option<f64>| w.map_or(String::new(), |w| format!(", its rate {w:.2e} rad/s"));
    let found = verdict(
        VerdictId::Row0,
        status(s.matches()),
        if s.matches() {
            format!(
                "row 0 is where it should be: its attitude is within {a:.2e} rad{}",
                rate(w)
            )
        } else {
            format!(
                "{name}: row 0 is not where it should be: its attitude is {a:.2e} rad off{}",
                rate(w)
            )
        },
    );
    // Where the attitude agrees and the rate does not, the rate is what was measured.
    Some(match w {
        Some(w) if s.attitude_matches && !s.matches() => found.measuring(w, "rad/s"),
        _ => found.measuring(a, "rad").at_most(s.allowed()),
    })
}

fn kinematics(files: &[FileReport]) -> Option<Verdict> {
    let told = Kinematics::contradicts;
    let residual = |f: &Finding| f.kinematics.as_ref().map(|k| k.residual);
    let against = |f: &Finding| residual(f).filter(|_| f.kinematics.as_ref().is_some_and(told));
    // Those that speak against it first.
    let (file, r) = worst(files, &against).or_else(|| worst(files, &residual))?;
    let k = file.finding.kinematics.as_ref()?;
    let name = &file.file;
    let (ended, said) = if told(k) {
        let why = if k.explained() {
            "another frame explains it"
        } else if k.degrees() {
            "degrees per second explain it"
        } else {
            "another unit of the time or the rate, or turns of another size, explain it"
        };
        let said = format!("{name}: the rate does not turn the attitude as the columns say; {why}");
        (Status::Failed, said)
    } else if k.consistent() {
        (Status::Passed, "the rate turns the attitude".into())
    } else {
        let said = format!(
            "{name}: the rate turns the attitude badly, and no frame or unit tried explains it"
        );
        (Status::Skipped, said)
    };
    let said = format!("{said}: residual {r:.2e} of the increments");
    let found = verdict(VerdictId::Kinematics, ended, said);
    Some(found.measuring(r, "").at_most(CONSISTENT))
}

fn converges(c: &Convergence) -> Verdict {
    let last = |s: &[f64]| s.last().copied().unwrap_or(f64::NAN);
    let slope = last(&c.worst_attitude).max(last(&c.attitude));
    let good = c.converges();
    let said = match (good, slope) {
        (false, p) if p.is_nan() => {
            "the histories do not converge to the motion of the case".into()
        }
        // Slopes of rows that have lost the motion say nothing.
        (false, p) if p >= LEAST_ORDER => {
            "the histories have lost the motion of the case: at the finest step too".into()
        }
        (false, p) => {
            format!(
                "the histories do not converge to the motion of the case: slope {}",
                two(p)
            )
        }
        (true, p) if p >= LEAST_ORDER => format!("the errors fall with the step: slope {}", two(p)),
        (true, _) => "the errors are as small as can be told".into(),
    };
    let (ended, said) = match (good, c.close()) {
        (false, false) if c.coarse() => (
            Status::Skipped,
            "all but the finest history have lost the motion: these steps are too coarse to tell".into(),
        ),
        (false, true) => (
            Status::Skipped,
            "the histories follow the motion closely and come no nearer with the step: a tolerance, single precision, \
             printed digits, or a number of the problem slightly off"
                .into(),
        ),
        _ => (status(good), said),
    };
    let found = verdict(VerdictId::Convergence, ended, said);
    if slope.is_nan() || (!good && slope >= LEAST_ORDER) {
        found
    } else {
        found.measuring(slope, "").at_least(LEAST_ORDER)
    }
}

/// Two decimals, and no minus before zero.
fn two(p: f64) -> String {
    format!("{:.2}", if p.abs() < 0.005 { 0.0 } else { p })
}

fn motion(report: &Report, out: &mut Vec<Verdict>) {
    let Some(d) = &report.diagnosis else {
        return;
    };
    for cause in &d.causes {
        let id = VerdictId::Defect(cause.id);
        if out.iter().all(|v| v.id != id) {
            let said = format!("{}: {}", cause.name, cause.evidence);
            out.push(verdict(id, Status::Failed, said));
        }
    }
    let (id, ended, said) = match d.conclusion {
        Conclusion::Named => return,
        Conclusion::Right => (
            VerdictId::Motion,
            Status::Passed,
            "the histories converge to the case's motion; no known defect shows",
        ),
        Conclusion::NoneFits => (
            VerdictId::NoneFits,
            Status::Failed,
            "the histories are those of another motion, and none of the known defects explains it",
        ),
        Conclusion::Unsettled => (
            VerdictId::Motion,
            Status::Skipped,
            "the histories do not tell right from wrong",
        ),
    };
    out.push(verdict(id, ended, said));
}

impl Report {
    /// Asks for an order of convergence to the case's motion.
    pub fn require_order(&mut self, order: f64) {
        let least = order - ORDER_SLACK;
        let (good, said) = match &self.convergence {
            None => (
                false,
                "no order was measured: give histories of two steps or more".into(),
            ),
            Some(c) => {
                let good = c.reaches(least);
                let said = match (c.order(), good) {
                    (Some(p), true) if p >= least => format!("order {}", two(p)),
                    (_, true) => "the errors are as small as can be told".into(),
                    (Some(p), false) => {
                        format!("order {}, and order {order} is asked for", two(p))
                    }
                    (None, false) => {
                        format!("no order could be measured, and order {order} is asked for")
                    }
                };
                (good, said)
            }
        };
        self.verdicts.retain(|v| v.id != VerdictId::Order);
        let mut found = verdict(VerdictId::Order, status(good), said).at_least(least);
        if let Some(p) = self.order() {
            found = found.measuring(p, "");
        }
        self.verdicts.push(found);
    }
}
