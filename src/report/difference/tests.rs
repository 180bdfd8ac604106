use super::*;
use crate::run::CaseReport;
use topsim_core::verdict::{Fineness, Subject};

fn verdict(id: &str, status: &str, value: f64, known: Option<&str>) -> Verdict {
    let status = Status::ALL.into_iter().find(|s| s.id() == status);
    let mut verdict = Verdict::new(id, status.expect("a status"));
    verdict.subject = Subject::new("rig_pos", Some(&Fineness::Step("0.01".into())));
    verdict.known_defect = known.map(Into::into);
    let mut measured = Measurement::new(value, "J");
    measured.uncertainty = 1e-6;
    verdict.measured = Some(measured);
    verdict
}

fn report(verdicts: &[Verdict]) -> Report {
    let case = CaseReport {
        name: "top".into(),
        verdicts: verdicts.into(),
        ..CaseReport::default()
    };
    let written = serde_json::to_string(&Report::new("", vec![case])).unwrap();
    Report::read(&written).unwrap()
}

fn compared(old: &[Verdict], new: &[Verdict]) -> (bool, String) {
    let difference = ReportDifference::of(&report(old), &report(new), 1e-9);
    (difference.is_worse(), difference.text(10))
}

#[test]
fn what_is_worse_comes_first_and_round_off_is_no_change() {
    let old = [
        verdict("a", "passed", 1.0, None),
        verdict("b", "passed", 1.0, None),
        verdict("c", "failed", 1.0, None),
        verdict("d", "passed", 1.0, None),
    ];
    assert_eq!(
        compared(&old, &old),
        (
            false,
            "4 verdicts in both reports: nothing changed\n".into()
        )
    );
    let new = [
        // This change is within the uncertainty.
        verdict("a", "passed", 1.0 + 1e-7, None),
        verdict("b", "failed", 3.0, None),
        verdict("c", "passed", 1.0, None),
        verdict("e", "passed", 1.0, None),
    ];
    let (worse, text) = compared(&old, &new);
    assert!(worse);
    assert_eq!(
        text,
        "worse:\n  top: b [rig_pos h=0.01]: pass → FAIL, 1 J → 3 J (× 3.00)\n\
         no longer judged:\n  top: d [rig_pos h=0.01]: pass\n\
         better:\n  top: c [rig_pos h=0.01]: FAIL → pass, 1 J → 1 J\n\
         new:\n  top: e [rig_pos h=0.01]: pass\n\
         3 verdicts in both reports: 1 worse, 1 no longer judged, 1 better, 1 new\n"
    );
}

#[test]
fn a_number_that_moves_is_a_change_and_no_fault() {
    let old = [verdict("a", "passed", 1.0, None)];
    let new = [verdict("a", "passed", 1.1, None)];
    let (worse, text) = compared(&old, &new);
    assert!(
        !worse && text.contains("other numbers:\n  top: a [rig_pos h=0.01]: pass, 1 J → 1.1 J"),
        "{text}"
    );
    // A known defect that is gone is an error, as in the report itself.
    let known = [verdict("a", "failed", 1.0, Some("so published"))];
    let gone = [verdict("a", "passed", 1.0, Some("so published"))];
    assert!(compared(&known, &gone).0);
    let skipped = [verdict("a", "skipped", 1.0, None)];
    assert!(compared(&old, &skipped).0);
    assert!(!compared(&skipped, &old).0);
}

#[test]
fn a_defect_that_is_gone_is_better_and_a_new_one_worse() {
    let defect = |status| {
        let mut verdict = verdict("model/gyroscopic_missing", status, 1.0, None);
        verdict.measured = None;
        verdict
    };
    let (worse, text) = compared(&[defect("failed")], &[]);
    assert!(!worse && text.contains("FAIL → no longer there"), "{text}");
    let (worse, text) = compared(&[], &[defect("failed")]);
    assert!(worse && text.contains("new, FAIL"), "{text}");
    // A check that failed and is no longer made is no progress.
    let mut check = verdict("a", "failed", 1.0, None);
    check.metric = "error".into();
    assert!(compared(&[check], &[]).0);
    let multiple = |is| {
        compared(
            &[verdict("a", "passed", 2e-8, None)],
            &[verdict("a", "passed", is, None)],
        )
        .1
    };
    assert!(multiple(1e-4).contains("(× 5000)"), "{}", multiple(1e-4));
}
