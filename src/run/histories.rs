//! Histories of another solver in the report.

use super::ProblemSummary;
use crate::study::{Finding, solver_histories};
use std::sync::atomic::AtomicBool;
use topsim_case::Problem;
use topsim_core::models::RotState;
use topsim_judge::{JudgeError, Report as HistoryReport, beside, exact_motion};

/// Histories of another solver.
pub struct Histories {
    /// The judge's report on them.
    pub report: HistoryReport,
    /// Their figures and tables, where these were asked for.
    pub findings: Vec<Finding>,
    /// The exact motion, where it was asked for and is known.
    pub exact: Vec<(f64, RotState)>,
    /// Bounds of the errors of the exact motion at its last time: attitude in rad, rate in rad/s.
    pub exact_error: Option<[f64; 2]>,
}

impl Histories {
    /// Makes histories with the judge's report alone.
    pub fn new(report: HistoryReport) -> Self {
        Self {
            report,
            findings: Vec::new(),
            exact: Vec::new(),
            exact_error: None,
        }
    }

    /// Adds what pages and figures show: errors, schemes of the catalogue beside the solver, the exact motion.
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

/// Returns the times at which the page shows the exact motion, up to the last row of the histories.
fn nodes(problem: &Problem, report: &HistoryReport) -> Vec<f64> {
    let Some(mut posed) = ProblemSummary::of(problem) else {
        return Vec::new();
    };
    let ends = report.files.iter().map(|f| f.times[1]);
    posed.span[1] = ends.fold(posed.span[0], f64::max).min(posed.span[1]);
    posed.nodes(ProblemSummary::NODES)
}
