//! From what histories show to verdicts: each id once for a case, of all its histories together.

mod conservation;
mod convergence;
mod relations;
mod scheme;
mod tolerance;

use crate::counterpart::CoarseSteps;
use crate::history::{Convergence, FileReport, HistoryEnd, Kinematics, Start};
use crate::identification::Identification;
use crate::report::Report;
use crate::thresholds::CONSISTENT;
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use convergence::Equations;
use topsim_core::verdict::Status;
use topsim_model::defect::{Defect, SchemeDefect};
use topsim_protocol::numbers::{brief, two};
use topsim_protocol::{ClaimKind, Claims};

/// All verdicts on a case, before anything is claimed; `identified` is what the solver's measured steps say, and `coarse` why
/// its histories would be off at these steps were it right.
pub(crate) fn verdicts(
    report: &Report,
    by_step: bool,
    (identified, coarse): (Option<&Identification>, Option<CoarseSteps>),
) -> Vec<Verdict> {
    let equations = Equations::of(identified);
    let mut out = steps(report, by_step);
    let files = &report.files;
    out.extend(finite(files));
    out.extend(row0(files));
    out.extend(kinematics(files));
    let converged = report.convergence.as_ref();
    out.extend(converged.map(|c| convergence::convergence(report, c, equations, coarse)));
    out.extend(report.tolerances.as_ref().map(tolerance::errors));
    convergence::motion(report, equations, coarse, &mut out);
    out.extend(told_order(report));
    debug_assert!(
        out.iter()
            .all(|v| v.status != Status::Failed || v.id.can_fail()),
        "a list of accepted defects could not name all of {out:?}"
    );
    out
}

/// The order, where none is claimed.
fn told_order(report: &Report) -> Option<Verdict> {
    let p = report.order()?;
    let scatter = report.convergence.as_ref().and_then(Convergence::scatter);
    let said = match scatter {
        Some([least, most]) => format!(
            "the last slope is {}; slopes from {} to {} are no steady order",
            two(p),
            two(least),
            two(most)
        ),
        None => format!("order {}", two(p)),
    };
    Some(verdict(VerdictId::Order, Status::Skipped, said).measuring(p, ""))
}

/// Steps of a solver, with or without a history.
fn steps(report: &Report, by_step: bool) -> Vec<Verdict> {
    let failed = report.failed.iter().map(|f| {
        let id = VerdictId::Step(f.step);
        let ended = if f.is_skipped() {
            Status::Skipped
        } else {
            Status::Failed
        };
        (f.step, verdict(id, ended, f.message.clone()))
    });
    let there = report.files.iter().filter(|_| by_step).map(|f| {
        let said = format!("{} rows", f.rows);
        let id = VerdictId::Step(f.step);
        (f.step, verdict(id, Status::Passed, said))
    });
    let mut all: Vec<_> = failed.chain(there).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Several tolerances have one step; what failed comes first.
    all.dedup_by(|b, a| a.1.id == b.1.id);
    all.into_iter().map(|(_, v)| v).collect()
}

/// The history with the largest number, which a NaN is, and that number.
fn worst<'a>(
    files: &'a [FileReport],
    size: &dyn Fn(&FileReport) -> Option<f64>,
) -> Option<(&'a FileReport, f64)> {
    let mut found: Option<(&FileReport, f64)> = None;
    for f in files {
        let Some(x) = size(f) else { continue };
        if found.is_none_or(|(_, y)| !y.is_nan() && !(x <= y)) {
            found = Some((f, x));
        }
    }
    found
}

fn finite(files: &[FileReport]) -> Option<Verdict> {
    files.first()?;
    let lost = files.iter().find_map(|f| match &f.ended {
        HistoryEnd::Lost(lost) => Some((f, lost)),
        HistoryEnd::Whole => None,
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
    let s = file.start.as_ref()?;
    let (name, a, w) = (&file.file, s.attitude, s.rate_body);
    let rate =
        |w: Option<f64>| w.map_or(String::new(), |w| format!(", its rate {} rad/s", brief(w)));
    let found = verdict(
        VerdictId::Row0,
        status(s.matches()),
        if s.matches() {
            format!(
                "row 0 is where it should be: its attitude is within {} rad{}",
                brief(a),
                rate(w)
            )
        } else {
            format!(
                "{name}: row 0 is not where it should be: its attitude is {} rad off{}",
                brief(a),
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
    let residual = |f: &FileReport| f.kinematics.as_ref().map(|k| k.residual);
    let against = |f: &FileReport| residual(f).filter(|_| f.kinematics.as_ref().is_some_and(told));
    // Those that speak against it first.
    let (file, r) = worst(files, &against).or_else(|| worst(files, &residual))?;
    let k = file.kinematics.as_ref()?;
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
    let said = format!("{said}: residual {} of the increments", brief(r));
    let found = verdict(VerdictId::Kinematics, ended, said);
    Some(found.measuring(r, "").at_most(CONSISTENT))
}

impl Report {
    /// Judges what is claimed, beside what was claimed before.
    pub fn claim(&mut self, claims: &Claims) {
        self.claims = self.claims.and(claims);
        self.verdicts
            .retain(|v| !matches!(v.id, VerdictId::Claim(_) | VerdictId::Order));
        if self.skipped() {
            return;
        }
        if self.claims.order.is_none() {
            self.verdicts.extend(told_order(self));
        }
        let made = ClaimKind::ALL.into_iter().filter(|k| self.claims.has(*k));
        let judged: Vec<Verdict> = made
            .filter_map(|kind| conservation::claimed(self, kind))
            .collect();
        self.verdicts.extend(judged);
        self.forgive_low_order();
    }

    /// Makes defects that only cost a scheme its order remarks where the order that its author claims holds without it, and
    /// failures elsewhere.
    fn forgive_low_order(&mut self) {
        let claimed = VerdictId::Claim(ClaimKind::Order);
        let holds = |v: &Verdict| v.id == claimed && v.status == Status::Passed;
        let status = match self.verdicts.iter().any(holds) {
            true => Status::Skipped,
            false => Status::Failed,
        };
        for v in &mut self.verdicts {
            if matches!(v.id, VerdictId::Defect(d) if costs_order_alone(d)) {
                v.status = status;
            }
        }
    }
}

/// Returns true if the defect of a scheme does nothing but lower its order.
fn costs_order_alone(defect: Defect) -> bool {
    [
        SchemeDefect::OrderLost,
        SchemeDefect::AttitudeUpdate,
        SchemeDefect::TorqueTime,
    ]
    .into_iter()
    .any(|d| defect == d.into())
}
