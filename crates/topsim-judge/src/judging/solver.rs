//! A solver judged: it is measured, runs the cases at their steps, and its rows are judged as histories. One step that fails
//! does not void the others.

use super::histories::{JudgedHistories, judge_with};
use super::new_starts;
use crate::diagnosis::DefectEvidence;
use crate::error::JudgeError;
use crate::given_rate;
use crate::history::{Criteria, FileReport};
use crate::identification::{
    Identification, Listener, Note, Scope, as_row_floor, case_questions, floor, identify, of_case,
};
use crate::report::Report;
use crate::reversal::measure;
use crate::same_steps::compare;
use serde::Serialize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::Problem;
use topsim_core::models::Model;
use topsim_model::design::first_questions;
use topsim_model::probe::{Probe, Target};
use topsim_protocol::SchemeName;
use topsim_protocol::history::Reading;
use topsim_protocol::parallel::Threads;
use topsim_protocol::problem::{ProblemChoice, RelationsChoice, SolverProblem};
use topsim_protocol::solver::{Manner, Respondent, Solver, SolverSession, StepFailure};
use topsim_relations::{examine, image_questions, motion_questions};

/// Who watches while a solver is judged.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set, it ends everything.
    pub interrupt: &'a AtomicBool,
    /// Is told of each case as it ends.
    pub ended: &'a (dyn Fn(&Report) + Sync),
}

/// Answers of a solver on some cases.
#[derive(Debug, Clone, Serialize)]
pub struct SolverReport {
    /// The command, or the name of the function.
    pub solver: String,
    /// The cases, in their order.
    pub cases: Vec<Report>,
    /// Findings of its measured steps.
    pub identification: Identification,
}

impl SolverReport {
    /// Returns whether every step of every case was judged.
    pub fn complete(&self) -> bool {
        self.cases.iter().all(Report::complete)
    }
    /// Defects that the cases show together.
    pub fn evidence(&self) -> Vec<DefectEvidence> {
        Report::evidence(&self.cases.iter().collect::<Vec<_>>())
    }
    /// Returns whether a build may go on.
    pub fn acceptable(&self) -> bool {
        self.cases.iter().all(Report::acceptable)
    }
    /// Returns whether nothing speaks against the solver, and nothing is undecided.
    pub fn passed(&self) -> bool {
        self.cases.iter().all(Report::passed)
    }
}

/// Runs the solver on all cases and steps, and judges what comes out.
///
/// # Errors
/// [`JudgeError`]: cases or steps that cannot be posed, an interrupt. What the solver does wrong is in the report.
pub fn judge_solver(
    problems: &[Problem],
    choice: &ProblemChoice,
    solver: &Solver,
    reading: &Reading,
    watch: &Watch,
) -> Result<SolverReport, JudgeError> {
    let interrupt = watch.interrupt;
    let only = choice.relations == RelationsChoice::Only;
    if let Some(opaque) = problems.iter().find(|p| p.is_opaque() && !only) {
        return Err(JudgeError::Opaque(opaque.name.clone()));
    }
    let mut posed = Vec::new();
    let mut wrong = Vec::new();
    for problem in problems {
        match SolverProblem::all(problem, choice) {
            Ok(steps) => posed.push((problem, steps)),
            Err(e) => wrong.push(e),
        }
    }
    if !wrong.is_empty() {
        return Err(JudgeError::NotPosed(wrong));
    }
    let threads = &Threads::new(solver.jobs);
    let started = &SolverSession::new(solver, reading, interrupt);
    let with_rate = |p: &&Problem| matches!(p.model, Model::GivenRate(_));
    let mut asked = Respondent::new(started, threads);
    let scope = Scope::of(problems.iter());
    // No body is asked for.
    let any_rate = problems.iter().any(|p| with_rate(&p));
    let rates_alone = any_rate && problems.iter().all(|p| with_rate(&p));
    let rate_questions = || given_rate::questions().into_iter();
    let (several, manner) = if rates_alone {
        let two: Vec<_> = rate_questions().take(2).collect();
        let posed: Vec<_> = two.iter().map(SolverProblem::of_rate_probe).collect();
        (started.try_rates(&posed), None)
    } else {
        let manner = asked.try_out(&first_questions(scope.gravity, scope.push));
        let several = manner.as_ref().is_ok_and(Manner::takes_several);
        (several, Some(manner))
    };
    // What is asked of the cases is not known from what is identified: both are asked for at a time.
    let foreseen = || {
        let steps = posed.iter().filter(|_| !only).flat_map(|(_, steps)| steps);
        let mut all: Vec<SolverProblem> = steps.cloned().collect();
        if any_rate {
            let each = rate_questions().map(|probe| SolverProblem::of_rate_probe(&probe));
            let left = each.filter(|problem| !started.has_kept(problem));
            all.extend(left);
        }
        let bodies = || problems.iter().filter(|p| !with_rate(p));
        let mut probes: Vec<Probe> = Vec::new();
        if !only {
            probes.extend(bodies().flat_map(case_questions));
        }
        if solver.claims.reversible && !rates_alone {
            probes.extend(Listener::hear(|silent| measure(silent, scope)));
        }
        if let Some(scheme) = solver.claims.scheme.and_then(SchemeName::scheme)
            && !rates_alone
        {
            probes.extend(Listener::hear(|silent| compare(silent, scope, scheme)));
        }
        if choice.relations != RelationsChoice::No {
            probes.extend(bodies().flat_map(|p| motion_questions(p, choice, &asked)));
        }
        all.extend(probes.iter().map(SolverProblem::of_probe));
        all
    };
    let parts = threads.map(vec![Part::Cases, Part::Steps], |part| match part {
        Part::Cases => {
            if several {
                started.prepare(foreseen(), solver.time_limit, threads);
            }
            None
        }
        Part::Steps => match &manner {
            _ if only => None,
            Some(Ok(manner)) => Some(identify(&asked, scope, manner.wants_few())),
            Some(Err(why)) => Some(Identification::impossible(why.clone())),
            None => None,
        },
    });
    let of_rates = any_rate
        .then(|| given_rate::identify(&|probes| threads.map(probes, |p| started.turned(&p))));
    let mut identified = match (parts.into_iter().flatten().next(), &of_rates) {
        (Some(found), _) => found,
        (None, Some(found)) if !only => found.clone(),
        (None, _) => Identification::impossible("only relations were asked for".into()),
    };
    identified
        .notes
        .extend(solver.only_step.map(Note::OnlyStep));
    if interrupt.load(Ordering::Relaxed) {
        return Err(JudgeError::Interrupted);
    }
    let floor = if only {
        let manner = manner.and_then(Result::ok);
        manner
            .filter(|m| !m.wants_few())
            .and_then(|_| floor::measure(&asked, scope))
    } else {
        identified.measured_floor()
    };
    if several && choice.relations != RelationsChoice::No {
        let images = problems.iter().filter(|p| !with_rate(p));
        let images =
            images.flat_map(|p| image_questions(p, choice, &asked, as_row_floor(floor.as_ref())));
        asked.foresee(&images.collect::<Vec<_>>());
    }
    let (reversal, same_steps) = (OnceLock::new(), OnceLock::new());
    let run = Run {
        started,
        interrupt,
        threads,
        asked: &asked,
        identified: &identified,
        of_rates: of_rates.as_ref(),
    };
    let cases = run.threads.map(posed, |(problem, steps)| {
        let mut report = if only {
            Report::new(problem)
        } else {
            run.case(problem, steps)?
        };
        if choice.relations != RelationsChoice::No {
            let found = examine(problem, choice, &asked, as_row_floor(floor.as_ref()));
            report.relate(match solver.only_step {
                Some(_) => found.with_one_step(),
                None => found,
            });
            if interrupt.load(Ordering::Relaxed) {
                return Err(JudgeError::Interrupted);
            }
        }
        // Who claims nothing of steps back is not asked for them.
        let claims = solver.claims.and(&report.claims);
        if claims.reversible && !with_rate(&problem) {
            report.reversal = *reversal.get_or_init(|| measure(&asked, scope));
        }
        if let Some(scheme) = claims.scheme.and_then(SchemeName::scheme)
            && !with_rate(&problem)
        {
            report.same_steps = *same_steps.get_or_init(|| compare(&asked, scope, scheme));
        }
        report.claim(&claims);
        (watch.ended)(&report);
        Ok(report)
    });
    let mut cases: Vec<Report> = cases.into_iter().collect::<Result<_, JudgeError>>()?;
    new_starts::ask(&mut cases, &asked);
    new_starts::doubt_different_laws(&mut cases);
    Ok(SolverReport {
        solver: solver.program.text().into(),
        cases,
        identification: identified,
    })
}

/// Problems for which a solver is asked at a time.
enum Part {
    /// The steps of the cases, and what else is asked of them.
    Cases,
    /// Short problems that measure its steps.
    Steps,
}

/// A solver that is being judged.
struct Run<'a> {
    started: &'a SolverSession<'a>,
    interrupt: &'a AtomicBool,
    threads: &'a Threads,
    asked: &'a Respondent<'a>,
    identified: &'a Identification,
    /// Identification of it on given rates, where a case has one.
    of_rates: Option<&'a Identification>,
}

impl Run<'_> {
    fn case(&self, problem: &Problem, mut steps: Vec<SolverProblem>) -> Result<Report, JudgeError> {
        let start = steps.first().map_or(0.0, |p| p.start);
        let ends = steps.iter().map(|p| p.span()[1]);
        let span = [start, ends.fold(start, f64::max)];
        let own;
        let identified = match &problem.model {
            Model::GivenRate(_) => self.of_rates,
            _ => {
                let asked: Vec<f64> = steps.iter().map(|p| p.step).collect();
                own = of_case(self.asked, problem, self.identified).touching(&asked);
                Some(&own)
            }
        };
        judge_with(problem, span, (identified, self.interrupt), |judge| {
            // The finest step takes longest: it comes first where the steps are ordered coarse to fine.
            steps.reverse();
            let judged = self.threads.map(steps, |step| self.step(step, judge));
            let mut out = JudgedHistories {
                by_step: true,
                ..JudgedHistories::default()
            };
            for step in judged.into_iter().rev() {
                match step {
                    Ok(report) => out.files.push(report),
                    Err(failure) => out.failed.push(failure),
                }
            }
            Ok(out)
        })
    }

    fn step(&self, problem: SolverProblem, judge: &Criteria) -> Result<FileReport, StepFailure> {
        let (step, tolerance) = (problem.step, problem.tolerance);
        let judged = self.started.step(problem, |rows| judge.judge(rows));
        let judged = judged.map_err(|mut failure| {
            if let Some(tolerance) = tolerance {
                failure.message = format!("tolerance {tolerance:e}: {}", failure.message);
            }
            failure
        })?;
        Ok(judged.of_step(step, tolerance))
    }
}
