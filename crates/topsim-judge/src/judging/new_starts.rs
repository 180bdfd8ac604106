//! New starts of a solver from its own rows, where these show that some steps follow another rule. The questions of all cases are
//! asked together, so that a program is started once.

use crate::diagnosis::Diagnosis;
use crate::report::Report;
use crate::verdict::VerdictId;
use topsim_model::probe::{Probe, Target};

/// Asks for the new starts of all cases, and puts the claims that the answers allow into their reports.
pub(super) fn ask(reports: &mut [Report], target: &dyn Target) {
    let of = |r: &Report| {
        r.diagnosis
            .as_ref()
            .map_or(Vec::new(), Diagnosis::questions)
    };
    let questions: Vec<Vec<Probe>> = reports.iter().map(of).collect();
    let all = questions.concat();
    if all.is_empty() {
        return;
    }
    let mut answers = target.answers(&all).into_iter();
    for (report, questions) in reports.iter_mut().zip(questions) {
        let own: Vec<_> = answers.by_ref().take(questions.len()).collect();
        let Some(diagnosis) = report.diagnosis.as_mut().filter(|_| !own.is_empty()) else {
            continue;
        };
        let Some([before, now]) = diagnosis.hear(&questions, &own) else {
            continue;
        };
        let cause = diagnosis.causes.iter().find(|c| c.id == now);
        let verdicts = report.verdicts.iter_mut();
        let told = verdicts.filter(|v| v.id == VerdictId::Defect(before));
        for (verdict, cause) in told.zip(cause) {
            verdict.id = VerdictId::Defect(now);
            verdict.detail = Some(cause.sentence());
        }
    }
}
