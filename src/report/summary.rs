//! The report in one line.

use crate::check::{CheckGroup, by_check};
use crate::run::{Case, Results, WorkKind};
use crate::text;
use std::fmt::Write;
use topsim_core::verdict::{Status, Verdict};

/// The sum of the runs and studies of a report.
pub(super) struct Summary {
    /// True if it passed; `None` where nothing was judged.
    pub passed: Option<bool>,
    /// The counts behind it.
    pub text: String,
}

impl Summary {
    /// Makes the summary; returns `None` for a report without runs and studies.
    pub fn of(results: &Results) -> Option<Self> {
        let suites: Vec<Case> = results.cases().filter(|c| c.report.is_suite()).collect();
        if suites.is_empty() {
            return None;
        }
        let checks = suites.iter().flat_map(|c| by_check(&c.report.verdicts));
        let (skipped, checks): (Vec<_>, Vec<_>) = checks.partition(CheckGroup::is_skipped);
        let verdicts: usize = checks.iter().map(|g| g.verdicts.len()).sum();
        let bad = checks.iter().filter(|g| !g.is_good()).count();
        let is_known = |v: &Verdict| v.status == Status::Failed && v.known_defect.is_some();
        let known = checks.iter().filter(|g| g.verdicts.iter().any(is_known));
        let known = known.count();
        let runs: usize = suites.iter().map(|c| c.artifacts.runs.len()).sum();
        let incomplete = suites.iter().flat_map(|c| c.incomplete());
        let (broken_runs, broken_studies): (Vec<_>, Vec<_>) =
            incomplete.partition(|i| i.0 == WorkKind::Run);
        let complete = broken_runs.is_empty() && broken_studies.is_empty();
        let runs = match runs {
            0 => text::many(suites.iter().map(|c| c.findings().count()).sum(), "study"),
            n => text::many(n, "run"),
        };
        let judged = !checks.is_empty() || !complete;
        let skipped = match skipped.len() {
            0 => String::new(),
            n => format!(", {n} skipped"),
        };
        if !judged {
            let cases = text::many(suites.len(), "case");
            let checks = if skipped.is_empty() {
                ""
            } else {
                "; all checks skipped"
            };
            let text = format!("{runs} of {cases}{checks}");
            return Some(Self { passed: None, text });
        }
        let mut text = format!(
            "{} ({}) on {runs}: {} passed, {bad} failed{skipped}",
            text::many(checks.len(), "check"),
            text::many(verdicts, "verdict"),
            checks.len() - bad,
        );
        if known > 0 {
            let _ = write!(text, ", {known} with a known defect");
        }
        for (broken, kind) in [
            (broken_runs, WorkKind::Run),
            (broken_studies, WorkKind::Study),
        ] {
            if !broken.is_empty() {
                let _ = write!(
                    text,
                    "; {} not completed",
                    text::many(broken.len(), &kind.to_string())
                );
            }
        }
        let unjudged = suites.iter().filter(|c| !c.report.is_judged());
        let unjudged: Vec<&str> = unjudged.map(|c| &*c.report.name).collect();
        if !unjudged.is_empty() {
            let _ = write!(text, "; not judged: {}", unjudged.join(", "));
        }
        let passed = Some(bad == 0 && complete);
        Some(Self { passed, text })
    }

    /// Returns the verdict in a word or two.
    pub fn word(&self) -> &'static str {
        match self.passed {
            None => "NOT JUDGED",
            Some(true) => "PASSED",
            Some(false) => "FAILED",
        }
    }
}
