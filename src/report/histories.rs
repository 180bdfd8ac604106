//! Histories of somebody else's solver, for people: the judge's own text.

use super::{Histories, ProblemSummary, Report, TextStyle};
use crate::study::solver_histories;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use topsim_case::Problem;
use topsim_judge::show::{Style, several, text};
use topsim_judge::{JudgeError, Report as HistoryReport, beside, exact_motion};

impl Histories {
    /// What the judge says, without pictures.
    pub fn new(report: HistoryReport) -> Self {
        Self {
            report,
            findings: Vec::new(),
            exact: Vec::new(),
            exact_error: None,
        }
    }

    /// With what a page and figures show: errors, schemes of the catalogue beside the solver, the exact motion.
    ///
    /// # Errors
    /// [`JudgeError`], such as an interrupt.
    pub fn drawn(
        problem: &Problem,
        report: HistoryReport,
        interrupt: &AtomicBool,
    ) -> Result<Self, JudgeError> {
        if report.files.is_empty() {
            return Ok(Self::new(report));
        }
        let beside = beside(problem, &report, &solver_histories::SCHEMES, interrupt)?;
        let exact = exact_motion(problem, &nodes(problem, &report), interrupt)?;
        Ok(Self {
            findings: solver_histories::findings(&report, &beside),
            exact_error: exact.as_ref().ok().and_then(|m| m.errors.last().copied()),
            exact: exact.map_or(Vec::new(), |motion| motion.states),
            report,
        })
    }
}

/// Times at which the page shows the exact motion, until the last row of the histories.
fn nodes(problem: &Problem, report: &HistoryReport) -> Vec<f64> {
    let Some(mut posed) = ProblemSummary::of(problem) else {
        return Vec::new();
    };
    let ends = report.files.iter().map(|f| f.finding.times[1]);
    posed.span[1] = ends.fold(posed.span[0], f64::max).min(posed.span[1]);
    posed.nodes(ProblemSummary::NODES)
}

/// What several cases without any judgement mean for a claim.
pub(super) const NO_CLAIM_SHOWN: &str =
    "The solver says that it cannot do any of this, so what is claimed of it is not shown.";

/// The reports of the judge.
pub(super) fn write(out: &mut String, report: &Report, style: &TextStyle) {
    let TextStyle {
        color,
        width,
        verbose,
        ..
    } = *style;
    let style = Style {
        color,
        width,
        verbose,
    };
    let all: Vec<_> = report.cases.iter().flat_map(|c| c.histories()).collect();
    match (&all[..], &report.solver) {
        ([_, _, ..], Some(solver)) => out.push_str(&several(solver, &all, &style)),
        (all, _) => {
            let texts: Vec<String> = all.iter().map(|h| text(h, &style)).collect();
            out.push_str(&texts.join("\n"));
        }
    }
    if report.shows_no_claim() {
        let _ = writeln!(out, "{NO_CLAIM_SHOWN}");
    }
}
