//! From the written case to the plan: every rule that types cannot express, all errors collected.

use super::baseline_file;
use super::check_rules;
use super::document::Document;
use super::expected::ExpectedFile;
use super::faults::Faults;
use super::file::{CaseFile, PotentialTable, RunTable};
use super::plan::{CasePlan, CaseSource, FigurePlan, Job, ReferencePlan};
use super::problem::InvalidFile;
use super::resolve_body::{flight, inertia, initial_state, torque};
use super::resolve_held::{consistent, held};
use super::resolve_maps::maps;
use super::resolve_reduced::reduced;
use super::resolve_runs::{jobs, schemes, span};
use super::resolve_sights::{events, figures, reference};
use super::resolve_studies::studies;
use super::resolve_surveys::surveys;
use super::study_entry::StudyEntry;
use crate::analysis::Study;
use crate::drive::{EventSpec, Experiment};
use crate::models::{AnyTop, Flying, Model};
use sha2::{Digest, Sha256};
use std::sync::Arc;

impl CasePlan {
    /// Reads and validates the texts of a case.
    ///
    /// # Errors
    /// All that is wrong in the case file and in the tolerance file.
    pub fn new(source: &CaseSource) -> Result<Self, Vec<InvalidFile>> {
        resolve(source)
    }
}

fn resolve(source: &CaseSource) -> Result<CasePlan, Vec<InvalidFile>> {
    let mut invalid = Vec::new();
    let case = Document::read::<CaseFile>(&source.case_path, &source.case_text)
        .and_then(|(file, doc)| {
            let mut faults = Faults {
                doc: &doc,
                list: Vec::new(),
            };
            let plan = case_plan(source, &file, &mut faults);
            match plan {
                Some(plan) if faults.list.is_empty() => Ok(plan),
                _ => {
                    let list = std::mem::take(&mut faults.list);
                    Err(doc.reject(list))
                }
            }
        })
        .map_err(|e| invalid.push(e))
        .ok();
    let mut checks = Vec::new();
    if let Some((path, text)) = &source.expected {
        match Document::read::<ExpectedFile>(path, text) {
            Err(e) => invalid.push(e),
            Ok((file, doc)) => {
                let mut faults = Faults {
                    doc: &doc,
                    list: Vec::new(),
                };
                if file.case != source.name {
                    faults.add(
                        "case",
                        format!("found the case \"{}\"", file.case),
                        format!("\"{}\", the case this file stands beside", source.name),
                    );
                }
                if file.check.is_empty() {
                    faults.add("check", "found no check", "at least one [[check]]");
                }
                check_rules::apply(&file.check, case.as_ref(), &mut faults);
                if faults.list.is_empty() {
                    checks = file.check;
                } else {
                    let list = std::mem::take(&mut faults.list);
                    invalid.push(doc.reject(list));
                }
            }
        }
    }
    let mut baseline = None;
    if let Some((path, text)) = &source.baseline {
        match baseline_file::parse(text) {
            Ok(b) => baseline = Some(b),
            Err(why) => invalid.push(InvalidFile::plain(path, &why)),
        }
    }
    match case {
        Some(mut plan) if invalid.is_empty() => {
            plan.checks = checks;
            plan.baseline = baseline;
            Ok(plan)
        }
        _ => Err(invalid),
    }
}

fn case_plan(source: &CaseSource, file: &CaseFile, faults: &mut Faults) -> Option<CasePlan> {
    let mut warnings = Vec::new();
    let model = model(file, faults, &mut warnings);
    let of_runs = |e: &StudyEntry| matches!(e, StudyEntry::Ladder(_));
    if file.run.is_none() && file.study.iter().all(of_runs) {
        faults.add(
            "",
            "missing key `run`",
            "the table [run]: end, steps, schemes",
        );
    }
    if let Some(run) = &file.run {
        span(run, faults);
        if !faults.list.is_empty() {
            // Schemes can still be checked by name; the rest needs a body.
            schemes(run, None, faults);
        }
    }
    if !faults.list.is_empty() {
        return None;
    }
    let model = model?;
    if let Model::Held(held) = &model {
        consistent(file, held, faults);
    }
    let maps = maps(file, &model, faults);
    let surveys = surveys(file, &model, faults, &mut warnings);
    let runs = match &file.run {
        Some(run) => planned_runs(file, run, &model, faults, &mut warnings)?,
        None => {
            runless(file, faults);
            Runs::default()
        }
    };
    Some(CasePlan {
        name: source.name.clone(),
        origin: source.case_path.clone(),
        title: file.title.clone(),
        summary: file.summary.clone(),
        references: file.references.clone(),
        hash: hex(&Sha256::digest(source.case_text.as_bytes())),
        end: file.run.as_ref().map(|r| r.end),
        jobs: runs.jobs,
        model,
        events: runs.events,
        reference: runs.reference,
        figures: runs.figures,
        studies: runs.studies,
        maps,
        surveys,
        checks: Vec::new(),
        baseline: None,
        warnings,
    })
}

/// What a case has to integrate, and how its runs are looked at.
#[derive(Default)]
struct Runs {
    jobs: Vec<Job>,
    events: Vec<EventSpec>,
    figures: Vec<FigurePlan>,
    studies: Vec<Study>,
    reference: ReferencePlan,
}

fn planned_runs(
    file: &CaseFile,
    run: &RunTable,
    model: &Model,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<Runs> {
    let experiments = schemes(run, Some(model), faults)?;
    let jobs = jobs(run, &experiments, faults);
    notes(&jobs, warnings);
    let first: Arc<dyn Experiment> = experiments.first()?.1.clone();
    let longest = jobs
        .iter()
        .map(|j| j.grid.time(j.grid.steps))
        .fold(run.end, f64::max);
    Some(Runs {
        events: events(file, &*first, faults),
        figures: figures(file, &*first, &jobs, faults),
        studies: studies(file, &jobs, faults),
        reference: reference(file, model, (run.start, longest), faults),
        jobs,
    })
}

/// What schemes have to say before their first step, each once: of its longest step.
fn notes(jobs: &[Job], warnings: &mut Vec<String>) {
    let mut said: Vec<&str> = Vec::new();
    for job in jobs {
        if said.contains(&job.scheme.as_str()) {
            continue;
        }
        said.push(&job.scheme);
        let own = jobs.iter().filter(|j| j.scheme == job.scheme);
        let longest = own.max_by(|a, b| a.grid.h.total_cmp(&b.grid.h));
        if let Some(j) = longest {
            let notes = j.experiment.notes(j.grid.h);
            warnings.extend(notes.into_iter().map(|n| format!("`{}`: {n}", j.scheme)));
        }
    }
}

/// What looks at runs means nothing in a case without any.
fn runless(file: &CaseFile, faults: &mut Faults) {
    let ladder = file
        .study
        .iter()
        .position(|s| matches!(s, StudyEntry::Ladder(_)));
    for (key, given) in [
        ("reference".to_string(), file.reference.is_some()),
        ("event".into(), !file.event.is_empty()),
        ("figure".into(), !file.figure.is_empty()),
        (format!("study[{}]", ladder.unwrap_or(0)), ladder.is_some()),
    ] {
        if given {
            faults.add(
                &key,
                "something that looks at runs, in a case without a [run]",
                "a [run] beside it",
            );
        }
    }
}

/// The bodies of the case, of whichever family.
fn model(file: &CaseFile, faults: &mut Faults, warnings: &mut Vec<String>) -> Option<Model> {
    let several =
        !file.particle.is_empty() || matches!(file.potential, Some(PotentialTable::Dipoles { .. }));
    let inertia = file
        .body
        .as_ref()
        .and_then(|body| inertia(body, faults, warnings));
    let state = file
        .initial
        .as_ref()
        .and_then(|table| initial_state(table, inertia.as_ref(), faults));
    for (key, missing, inside) in [
        ("body", file.body.is_none(), "inertia"),
        ("initial", file.initial.is_none(), "angular_velocity"),
    ] {
        if missing && !several {
            faults.add(
                "",
                format!("missing key `{key}`"),
                format!("the table [{key}], with {inside}"),
            );
        }
    }
    if file.support.is_none() {
        only_with_a_support(file, faults);
    }
    if let (Some(potential), None) = (&file.potential, &file.support) {
        let whole = inertia.zip(state);
        return reduced(file, potential, whole, faults, warnings).map(Model::Reduced);
    }
    if let Some(support) = &file.support {
        let whole = inertia.zip(state);
        return held(file, support, whole, faults).map(Model::Held);
    }
    only_in_a_potential(file, faults);
    let torque = torque(file.torque.as_ref(), faults);
    match flight(file, faults) {
        Some(flight) => Some(Model::Flying(Flying::new(inertia?, state?, flight))),
        None => Some(Model::Top(AnyTop {
            inertia: inertia?,
            torque: torque?,
            initial: state?,
        })),
    }
}

/// Accelerations at the start mean something to schemes that carry them only.
fn only_with_a_support(file: &CaseFile, faults: &mut Faults) {
    let start = file.initial.as_ref();
    for (key, given) in [
        ("acceleration", start.and_then(|s| s.acceleration)),
        (
            "angular_acceleration",
            start.and_then(|s| s.angular_acceleration),
        ),
    ] {
        if given.is_some() {
            faults.add(
                &format!("initial.{key}"),
                format!("`{key}` in a case without a [support]"),
                "this key only beside a [support]",
            );
        }
    }
}

/// Keys that mean nothing to a body whose attitude is followed.
fn only_in_a_potential(file: &CaseFile, faults: &mut Faults) {
    let start = file.initial.as_ref();
    for (key, given) in [
        ("particle", !file.particle.is_empty()),
        ("damping", file.damping.is_some()),
        (
            "body.mass",
            file.body.as_ref().is_some_and(|b| b.mass.is_some()),
        ),
        ("initial.axis", start.is_some_and(|s| s.axis.is_some())),
        (
            "initial.position",
            start.is_some_and(|s| s.position.is_some()),
        ),
        (
            "initial.velocity",
            start.is_some_and(|s| s.velocity.is_some()),
        ),
    ] {
        if given {
            faults.add(
                key,
                format!("`{key}` in a case without a [potential]"),
                "this key only beside a [potential], or for some a [support] (a joint, or a free body); a flying body has a [flight]",
            );
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
