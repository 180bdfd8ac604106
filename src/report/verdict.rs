//! Verdicts of `judge`, for people and as JUnit XML: a suite for each case, a test case for each verdict.

use super::console::Look;
use crate::analysis::foreign::{STEP, Standing, Verdict};
use crate::runner::HistoryReport;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write;

/// The verdicts that a reader has to know: what fails, what is accepted, and what a baseline holds in vain.
pub(super) fn text(out: &mut String, verdicts: &[Verdict], look: &Look) {
    let told = |v: &&Verdict| match v.status {
        Standing::Failed | Standing::Accepted => true,
        Standing::Note => v.id.starts_with("baseline/"),
        Standing::Passed => false,
    };
    let told: Vec<&Verdict> = verdicts.iter().filter(told).collect();
    if !told.is_empty() {
        let _ = writeln!(out, "{}", look.paint("verdicts", "1"));
    }
    for v in told {
        let (mark, word) = match v.status {
            Standing::Failed => (look.paint("✗", "1;31"), "failed"),
            Standing::Accepted => (look.paint("~", "1;33"), "accepted"),
            Standing::Note | Standing::Passed => (look.paint("!", "1;33"), "note"),
        };
        let why = v
            .reason
            .as_deref()
            .map_or(String::new(), |r| format!(" ({r})"));
        let _ = writeln!(out, "  {mark} {word} {}{why}: {}", v.id, v.sentence);
    }
}

/// The reports as JUnit XML.
pub fn junit(reports: &[HistoryReport]) -> String {
    let mut out = Report::new("topsim judge");
    for report in reports {
        let mut suite = TestSuite::new(report.case.clone());
        for v in &report.verdicts {
            suite.add_test_case(test(report, v));
        }
        out.add_test_suite(suite);
    }
    // Names and messages are escaped by the writer; writing to memory does not fail.
    let mut text = out.to_string().expect("a report always serialises");
    text.push('\n');
    text
}

fn test(report: &HistoryReport, v: &Verdict) -> TestCase {
    let status = match v.status {
        Standing::Passed | Standing::Note => TestCaseStatus::success(),
        Standing::Accepted => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(v.reason.clone().unwrap_or_default());
            status.set_description(v.sentence.clone());
            status
        }
        Standing::Failed => {
            let kind = if v.about_step() {
                NonSuccessKind::Error
            } else {
                NonSuccessKind::Failure
            };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_message(v.sentence.clone());
            if let Some(detail) = detail(report, v) {
                status.set_description(detail);
            }
            status
        }
    };
    let mut test = TestCase::new(v.id.clone(), status);
    test.set_classname(format!("topsim.{}", report.case));
    if matches!(v.status, Standing::Passed | Standing::Note) {
        test.set_system_out(v.sentence.clone());
    }
    test
}

/// What the sentence leaves out: where to look, what a solver wrote last.
fn detail(report: &HistoryReport, v: &Verdict) -> Option<String> {
    let mut lines = Vec::new();
    let causes = report.diagnosis.iter().flat_map(|d| &d.causes);
    for cause in causes.filter(|c| c.id == v.id) {
        lines.push(format!("look: {}", cause.advice));
        let alike = cause.alike.iter();
        lines.extend(alike.map(|other| format!("or: {} [{}]", other.name, other.id)));
    }
    let failed = report.failed.iter();
    for f in failed.filter(|f| v.id == format!("{STEP}{}", f.step)) {
        lines.extend(f.stderr.iter().map(|line| format!("| {line}")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
