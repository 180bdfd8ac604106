//! The studies of a case.

use super::faults::Faults;
use super::file::CaseFile;
use super::plan::Job;
use super::sights;
use super::study_entry::StudyEntry;
use crate::analysis::{At, NamedTime, Study, Topic};

pub(super) fn studies(file: &CaseFile, jobs: &[Job], faults: &mut Faults) -> Vec<Study> {
    let mut out: Vec<Study> = Vec::new();
    for (i, entry) in file.study.iter().enumerate() {
        let StudyEntry::Ladder(study) = entry else {
            continue;
        };
        let key = format!("study[{i}]");
        let at = |k: &str| format!("{key}.{k}");
        if out.iter().any(|s| s.stem() == study.stem()) {
            faults.add(
                &key,
                "this study is asked for twice; its files would overwrite each other",
                "each kind once for a quantity",
            );
            continue;
        }
        out.push(study.clone());
        let Some(e) = jobs.first().map(|j| &*j.experiment) else {
            continue;
        };
        if let Some(quantity) = study.quantity() {
            let drift = matches!(study.what, Topic::Drift { .. });
            let asked = sights::Asked {
                quantity,
                by: study.kind(),
                tracked_only: drift,
                groups_too: !drift,
            };
            sights::quantity(&asked, e, &at("quantity"), faults);
        }
        if study.needs_reference() && file.reference.is_none() {
            faults.add(
                &at("kind"),
                format!("a study `{}` in a case without a reference", study.kind()),
                "this kind only with a [reference]",
            );
        }
        let Some(selected) = sights::selection(&study.runs, &at("runs"), jobs, faults) else {
            continue;
        };
        if matches!(study.what, Topic::Convergence { .. }) {
            sights::ladder(&selected, &at("runs"), faults);
        }
        if let Some(when) = study.at() {
            sights::within(when, &selected, &at("at"), faults);
            if when == At::Named(NamedTime::Start) {
                faults.add(
                    &at("at"),
                    "the start, where every run is exact",
                    "\"end\", \"worst\" or a time after the start",
                );
            }
        }
        let schemes = sights::labels(selected.iter().copied());
        sights::names(study.drawn.as_deref(), &at("drawn"), &schemes, faults);
    }
    out
}
