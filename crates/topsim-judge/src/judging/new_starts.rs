//! New starts of a solver from its own rows, where these show that some steps follow another rule. The questions of all cases are
//! asked together, so that a program is started once.

use crate::diagnosis::Diagnosis;
use crate::identification::{Certainty, Claim, Symptom};
use crate::report::Report;
use crate::verdict::VerdictId;
use topsim_model::defect::Defect;
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
        if let Some(cause) = diagnosis.causes.iter().find(|c| c.id == now).cloned() {
            tell(report, before, &cause);
        }
    }
}

/// Makes the verdict of a defect that of another claim.
fn tell(report: &mut Report, before: Defect, cause: &Claim) {
    let verdicts = report.verdicts.iter_mut();
    for verdict in verdicts.filter(|v| v.id == VerdictId::Defect(before)) {
        verdict.id = VerdictId::Defect(cause.id);
        verdict.detail = Some(cause.sentence());
    }
}

/// Takes the certainty from laws of rows where those of another case show another law: one of them is right on its body alone.
pub(super) fn doubt_different_laws(reports: &mut [Report]) {
    let is_law = |c: &Claim| matches!(*c.symptom, Symptom::LawOfRows(_));
    let diagnoses = reports.iter().filter_map(|r| r.diagnosis.as_ref());
    let causes = diagnoses.flat_map(|d| d.causes.iter());
    let ids: Vec<Defect> = causes.filter(|c| is_law(c)).map(|c| c.id).collect();
    if ids.iter().all(|id| *id == ids[0]) {
        return;
    }
    for report in reports {
        let Some(diagnosis) = &mut report.diagnosis else {
            continue;
        };
        let mut doubtful = Vec::new();
        for cause in diagnosis.causes.iter_mut().filter(|c| is_law(c)) {
            cause.certainty = Certainty::LooksLike;
            doubtful.push(cause.clone());
        }
        for cause in doubtful {
            tell(report, cause.id, &cause);
        }
    }
}
