//! The result of a suite: data only; sinks draw it without integrating again.

use super::maps::MapReport;
use super::surveys::SurveyReport;
use crate::analysis::{Findings, Judged};
use crate::cases::{CasePlan, FigurePlan};
use crate::drive::{End, Probes, Run, StopReason};
use crate::reference::RowReference;
use std::time::Duration;

/// One integration.
#[derive(Debug, Clone)]
pub struct RunReport {
    /// Scheme label.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as the case writes it.
    pub step: String,
    /// History and numbers.
    pub run: Run,
    /// What was found on its step map.
    pub probes: Probes,
    /// Time it took.
    pub wall: Duration,
}

impl RunReport {
    /// Stem of its files.
    pub fn stem(&self) -> String {
        format!("{}_h{}", self.scheme, self.step)
    }

    /// How it ended, in words; a probe that was stopped leaves it incomplete too.
    pub fn outcome(&self) -> Result<(), String> {
        let t = |n: u64| self.run.times[0] + n as f64 * self.run.h;
        match self.run.end {
            End::Reached if self.probes.stopped() => {
                Err("stopped by --timeout on the way back of a study".into())
            }
            End::Reached => Ok(()),
            End::Stopped {
                at,
                why: StopReason::Deadline,
            } => Err(format!(
                "stopped by --timeout after {at} steps (t = {})",
                t(at)
            )),
            End::Stopped {
                at,
                why: StopReason::Interrupted,
            } => Err(format!("interrupted after {at} steps (t = {})", t(at))),
            End::Failed { at, why } => {
                Err(format!("failed at step {} (t = {}): {why}", at + 1, t(at)))
            }
        }
    }
}

/// One case.
pub struct CaseReport {
    /// Short name.
    pub name: String,
    /// Where the case was read.
    pub origin: String,
    /// Title.
    pub title: String,
    /// Summary.
    pub summary: String,
    /// SHA-256 of the case file.
    pub hash: String,
    /// Sources.
    pub references: Vec<String>,
    /// Integrations, in the order of the case.
    pub runs: Vec<RunReport>,
    /// The reference, or why there is none.
    pub reference: Result<Box<dyn RowReference>, String>,
    /// Verdicts, in the order of the tolerance file.
    pub judged: Vec<Judged>,
    /// What the studies found.
    pub findings: Vec<Findings>,
    /// Escape maps.
    pub maps: Vec<MapReport>,
    /// Spin scans and stability regions.
    pub surveys: Vec<SurveyReport>,
    /// Figures to draw.
    pub figures: Vec<FigurePlan>,
    /// Names of the events, in the order of `Run::events`' spec.
    pub events: Vec<String>,
    /// Things to know.
    pub warnings: Vec<String>,
}

impl CaseReport {
    pub(super) fn new(plan: CasePlan, runs: Vec<RunReport>) -> Self {
        Self {
            name: plan.name,
            origin: plan.origin,
            title: plan.title,
            summary: plan.summary,
            hash: plan.hash,
            references: plan.references,
            runs,
            reference: Err("the case has no reference".into()),
            judged: Vec::new(),
            findings: Vec::new(),
            maps: Vec::new(),
            surveys: Vec::new(),
            figures: plan.figures,
            events: plan.events.into_iter().map(|e| e.name).collect(),
            warnings: plan.warnings,
        }
    }

    /// Whether all checks passed.
    pub fn passed(&self) -> bool {
        self.judged.iter().all(Judged::is_good)
    }

    /// Whether all runs reached their end.
    pub fn complete(&self) -> bool {
        let maps = self.maps.iter().all(|m| m.outcome().is_ok());
        let surveys = self.surveys.iter().all(|s| s.found.is_ok());
        maps && surveys && self.runs.iter().all(|r| r.outcome().is_ok())
    }
}

/// A whole suite.
pub struct SuiteReport {
    /// Cases, in the order asked for.
    pub cases: Vec<CaseReport>,
    /// Whether somebody interrupted it.
    pub interrupted: bool,
    /// Time it took.
    pub wall: Duration,
}

impl CaseReport {
    /// Errors of a run against the reference at its last sample, for every group that the
    /// reference knows.
    pub fn end_errors<'r>(&self, r: &'r RunReport) -> std::collections::BTreeMap<&'r str, f64> {
        let Ok(reference) = &self.reference else {
            return std::collections::BTreeMap::new();
        };
        let run = &r.run;
        let k = run.times.len() - 1;
        let mut exact = vec![f64::NAN; run.columns.width()];
        reference.row(run.times[k], &mut exact);
        run.columns
            .groups
            .iter()
            .filter(|g| reference.error(run.times[k], &g.name).is_finite())
            .map(|g| {
                (
                    &*g.name,
                    crate::analysis::group_distance(g, run.row(k), &exact),
                )
            })
            .collect()
    }
}
