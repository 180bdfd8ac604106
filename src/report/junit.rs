//! The report as JUnit XML: a suite for each case, a test case for each run, study and verdict.

use super::Renderer;
use crate::run::{Case, Results};
use crate::text;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;
use topsim_core::verdict::{Status, Verdict};

/// The report as JUnit XML.
#[derive(Debug, Clone, Copy)]
pub struct Junit;

impl Renderer for Junit {
    fn render(&self, results: &Results) -> String {
        let mut out = quick_junit::Report::new("topsim");
        out.set_time(results.wall);
        for case in results.cases() {
            out.add_test_suite(suite(case));
        }
        // Writing to memory does not fail.
        let mut text = out.to_string().expect("a report always serialises");
        text.push('\n');
        text
    }
}

/// Replaces by U+FFFD the characters that XML 1.0 does not allow, not even escaped.
fn xml(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars()
        .map(|c| if allowed(c) { c } else { '\u{fffd}' })
        .collect()
}

fn suite(case: Case) -> TestSuite {
    let mut suite = TestSuite::new(xml(&case.report.name));
    let mut time = Duration::ZERO;
    let runs = case.artifacts.runs.iter().map(|run| {
        let outcome = run.outcome().map_err(|why| why.to_string());
        (("run", "runs"), run.stem(), outcome, run.wall)
    });
    let studies = case.report.studies().chain(&case.artifacts.timed);
    let studies = studies.map(|found| {
        let why = found.incomplete.as_ref().map(ToString::to_string);
        let outcome = why.map_or(Ok(()), Err);
        let stem = found.stem.clone();
        (("study", "studies"), stem, outcome, found.wall)
    });
    for ((noun, class), stem, outcome, wall) in runs.chain(studies) {
        let name = format!("{noun} [{stem}]");
        let mut status = TestCaseStatus::success();
        if let Err(why) = outcome {
            status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(xml(&why));
        }
        let mut test = TestCase::new(xml(&name), status);
        test.set_classname(xml(&format!("{}.{class}", case.report.name)));
        test.set_time(wall);
        time += wall;
        suite.add_test_case(test);
    }
    for verdict in &case.report.verdicts {
        suite.add_test_case(test(case, verdict));
    }
    suite.set_time(time);
    suite
}

fn test(case: Case, v: &Verdict) -> TestCase {
    let about = || xml(&text::sentence(v));
    let skipped = |message: String| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message);
        status
    };
    let described = |message: &str| {
        let mut status = skipped(xml(message));
        status.set_description(about());
        status
    };
    let status = match (v.status, &v.known_defect) {
        (Status::Failed, Some(reason)) => described(reason),
        // Verdicts that the judge skips, but for those about a step, count as passed by its rules and are good below.
        (Status::Skipped, _) if !v.metric.is_empty() || is_about_step(case, v) => skipped(about()),
        _ if v.is_good() => TestCaseStatus::success(),
        // An undecided verdict breaks no build where nothing is claimed of the solver.
        (Status::Undecided, _) if case.report.acceptable() => described("undecided"),
        (status, _) => {
            // A step of the solver that could not be judged is an error.
            let kind = match is_about_step(case, v) {
                true => NonSuccessKind::Error,
                false => NonSuccessKind::Failure,
            };
            let mut failure = TestCaseStatus::non_success(kind);
            failure.set_message(about());
            match status {
                Status::Passed => failure.set_type("unexpected pass"),
                Status::Undecided => failure.set_type("undecided"),
                Status::Failed | Status::Skipped => &mut failure,
            };
            if let Some(detail) = super::sections::where_to_look(case, v) {
                failure.set_description(xml(&detail));
            }
            failure
        }
    };
    let succeeded = matches!(status, TestCaseStatus::Success { .. });
    let mut test = TestCase::new(xml(&text::title(v)), status);
    let class = if v.metric.is_empty() {
        format!("topsim.{}", case.report.name)
    } else {
        format!("{}.{}", case.report.name, v.metric)
    };
    test.set_classname(xml(&class));
    if succeeded && v.metric.is_empty() {
        test.set_system_out(about());
    }
    test
}

/// Tests whether a verdict is about a step of a solver rather than about its motion.
fn is_about_step(case: Case, v: &Verdict) -> bool {
    case.judged().is_some_and(|h| h.is_about_step(&v.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_has_no_place_for_are_replaced() {
        assert_eq!(
            xml("a\u{fffe}b\u{0}c\u{1b}[1m\u{ffff}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}[1m\u{fffd}"
        );
        assert_eq!(xml("Λ ≤ 1e-9\t\n𝔸"), "Λ ≤ 1e-9\t\n𝔸");
    }
}
