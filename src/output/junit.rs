//! JUnit XML: a suite for each case, a test case for each verdict and each run.

use crate::analysis::{Status, Verdict};
use crate::output::words;
use crate::runner::{CaseReport, SuiteReport};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The report as JUnit XML.
pub fn xml(report: &SuiteReport) -> String {
    let mut out = Report::new("topsim");
    for case in &report.cases {
        out.add_test_suite(suite(case));
    }
    // Names and messages are escaped by the writer; writing to memory does not fail.
    let mut text = out.to_string().expect("a report always serialises");
    text.push('\n');
    text
}

fn suite(case: &CaseReport) -> TestSuite {
    let mut suite = TestSuite::new(case.name.clone());
    for run in &case.runs {
        let mut status = TestCaseStatus::success();
        if let Err(why) = run.outcome() {
            status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why);
        }
        let mut test = TestCase::new(format!("run [{}]", run.stem()), status);
        test.set_classname(format!("{}.runs", case.name));
        suite.add_test_case(test);
    }
    for verdict in case.judged.iter().flat_map(|j| &j.verdicts) {
        suite.add_test_case(test(case, verdict));
    }
    suite
}

fn test(case: &CaseReport, v: &Verdict) -> TestCase {
    let mut status = TestCaseStatus::success();
    if !v.status.is_good() {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(words::sentence(v));
        if v.status == Status::UnexpectedPass {
            status.set_type("unexpected pass");
        }
    }
    let mut test = TestCase::new(words::title(v), status);
    test.set_classname(format!("{}.{}", case.name, v.metric));
    test
}
