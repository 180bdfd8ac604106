//! The diagnosis of foreign histories: motions of wrong models in parallel, the catalogue's schemes,
//! and the judging set that tells models apart.

use super::common::Motion;
use super::schemes::Candidate;
use super::{Diagnosis, Subject, Suspects, diagnose};
use crate::defect::ModelDefect;
use crate::history::Body;
use crate::parallel::Threads;
use crate::report::FileReport;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::Problem;
use topsim_case::builtin::made_for_judging;
use topsim_core::integration::EventSpec;
use topsim_core::integration::Parameters;
use topsim_core::integration::registry::SCHEMES;
use topsim_core::models::Measured;
use topsim_core::schemes::Energy;

/// Two models differ on a problem if their motions part by more, rad, or their equations, relatively.
const APART: f64 = 0.05;
/// Times at which that is looked at.
const LOOKS: usize = 60;

/// A problem of the judging set.
struct JudgingProblem {
    name: &'static str,
    body: Body,
    times: Vec<f64>,
}

/// A motion, unless it cannot be followed.
type Known = Option<Arc<Motion>>;

/// The judging set and the motions on it that have been asked for.
struct Elsewhere<'a> {
    problems: Vec<JudgingProblem>,
    known: Mutex<BTreeMap<(usize, Option<ModelDefect>), Known>>,
    interrupt: &'a AtomicBool,
}

impl<'a> Elsewhere<'a> {
    /// The judging set without the case itself.
    fn new(case: &str, interrupt: &'a AtomicBool) -> Self {
        let problem = |name: &'static str| {
            let problem = Problem::builtin(name)?;
            let grid = problem.jobs.first()?.grid;
            let (start, end) = (grid.start, grid.time(grid.steps));
            let time = |k: usize| start + (end - start) * k as f64 / LOOKS as f64;
            Some(JudgingProblem {
                name,
                body: Body::of(&problem.model)?,
                times: (0..=LOOKS).map(time).collect(),
            })
        };
        let others = made_for_judging().filter(|n| *n != case);
        Self {
            problems: others.filter_map(problem).collect(),
            known: Mutex::default(),
            interrupt,
        }
    }

    fn motion(&self, i: usize, defect: Option<ModelDefect>) -> Option<Arc<Motion>> {
        let key = (i, defect);
        let known = |k: &Mutex<BTreeMap<_, _>>| k.lock().ok()?.get(&key).cloned();
        if let Some(found) = known(&self.known) {
            return found;
        }
        let p = &self.problems[i];
        let wanted = || !self.interrupt.load(Ordering::Relaxed);
        let found = Motion::new(&p.body, defect, (p.times[0], &p.times), &wanted).ok();
        let found = found.map(Arc::new);
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, found.clone());
        }
        found
    }

    /// A problem on which two models differ.
    fn tells(&self, a: Option<ModelDefect>, b: ModelDefect) -> Option<String> {
        let b = Some(b);
        let differ = |i: &usize| {
            if a.is_none() {
                // Equations that differ along the right motion lead away from it.
                let p = &self.problems[*i];
                let truth = self.motion(*i, a);
                return truth.is_some_and(|m| m.differs(&p.body, b, &p.times) > APART);
            }
            let pair = self.motion(*i, a).zip(self.motion(*i, b));
            pair.is_some_and(|(a, b)| a.apart(&b) > APART)
        };
        let i = (0..self.problems.len()).find(differ)?;
        Some(self.problems[i].name.into())
    }
}

/// The schemes that serve the case: the catalogue with its defaults, and the case's own.
fn catalogue(problem: &Problem) -> Vec<Candidate> {
    let clamps = |e: Energy| e == Energy::ToIntermediateAxis;
    let mut out: Vec<Candidate> = SCHEMES
        .iter()
        .filter_map(|row| {
            let experiment = (row.bind)(&problem.model, &Parameters::default()).ok()?;
            Some(Candidate {
                name: row.info.name.into(),
                order: row.info.claims.order,
                clamps: clamps(row.info.claims.energy),
                experiment: Arc::from(experiment),
            })
        })
        .collect();
    for job in &problem.jobs {
        let known = out.iter().any(|c| c.name == job.scheme);
        let row = topsim_core::integration::registry::find(&job.scheme_name);
        if let Some(row) = row.filter(|_| !known) {
            out.push(Candidate {
                name: job.scheme.clone(),
                order: row.info.claims.order,
                clamps: clamps(row.info.claims.energy),
                experiment: job.experiment.clone(),
            });
        }
    }
    out
}

/// The case's events that are met in the columns of a rotating body.
fn events(problem: &Problem, body: &Body) -> Vec<EventSpec> {
    let columns = body.top().columns();
    let own = problem.jobs.first().map(|j| j.experiment.columns());
    let moved = |e: &EventSpec| {
        let name = &own?.channels.get(e.column)?.name;
        Some(EventSpec {
            column: columns.position(name)?,
            ..e.clone()
        })
    };
    problem.events.iter().filter_map(moved).collect()
}

/// Diagnoses the histories of a case.
pub(crate) fn diagnosis(
    problem: &Problem,
    (body, span): (&Body, [f64; 2]),
    files: &[FileReport],
    (threads, interrupt): (&Threads, &AtomicBool),
) -> Option<Diagnosis> {
    let subjects: Vec<Subject> = files
        .iter()
        .map(|f| Subject {
            step: f.step,
            finding: &f.finding,
        })
        .collect();
    if subjects.is_empty() {
        return None;
    }
    let wanted = || !interrupt.load(Ordering::Relaxed);
    let motions = |models: &[Option<ModelDefect>], times: &[f64]| -> Vec<Motion> {
        let motion = |defect| Motion::new(body, defect, (span[0], times), &wanted).ok();
        let found = threads.map(models.to_vec(), motion);
        found.into_iter().flatten().collect()
    };
    let events = events(problem, body);
    let elsewhere = Elsewhere::new(&problem.name, interrupt);
    let catalogue = catalogue(problem);
    let suspects = Suspects {
        body,
        span,
        events: &events,
        catalogue: &catalogue,
        motions: &motions,
        told_by: &|a, b| elsewhere.tells(a, b),
    };
    Some(diagnose(&subjects, &suspects))
}
