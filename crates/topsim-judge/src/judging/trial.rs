//! Judges an integrator of your own, in Rust: a type that implements a scheme trait, or a function that makes one
//! step. What `topsim judge --solver` says of a program, this says of it, without files between them.

use super::histories::{JudgedHistories, judge_with};
use super::new_starts;
use super::rotation_problem::RotationProblem;
use super::stepped::{NoHistory, asked, paced, rows, states, stepped};
use crate::error::JudgeError;
use crate::history::{Criteria, FileReport};
use crate::identification::{Identification, Scope, as_row_floor, identify, of_case};
use crate::report::Report;
use crate::reversal::{Reversal, measure};
use crate::same_steps::{SameSteps, compare};
use std::sync::atomic::AtomicBool;
use topsim_case::Problem;
use topsim_case::builtin::made_for_judging;
use topsim_core::models::{self, Model, RigidTop, RotState, TorqueModel};
use topsim_core::schemes::Scheme;
use topsim_model::probe::{Stepper, Target};
use topsim_protocol::Claims;
use topsim_protocol::SchemeName;
use topsim_protocol::history::StepError;
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{InvalidOnlyStep, OnlyStep, ProblemChoice, SolverProblem};
use topsim_protocol::solver::{FailureKind, StepFailure};
use topsim_relations::{RelationsReport, examine};

/// A case on which an integrator is to be judged, with its steps and its end unless others are asked for.
pub struct Trial {
    problem: Problem,
    choice: ProblemChoice,
    claims: Claims,
    only_step: Option<OnlyStep>,
}

/// The cases made for judging, as `topsim judge --all` takes them: what one cannot show another does.
pub fn judging_set() -> impl Iterator<Item = Trial> {
    made_for_judging()
        .filter_map(Problem::builtin)
        .map(Trial::new)
}

impl Trial {
    /// A built-in case.
    ///
    /// # Errors
    /// [`JudgeError::UnknownCase`] where there is none of this name.
    pub fn case(name: &str) -> Result<Self, JudgeError> {
        let problem = Problem::builtin(name);
        let unknown = || JudgeError::UnknownCase(name.into());
        problem.map(Self::new).ok_or_else(unknown)
    }

    /// A problem of your own, such as one that [`Problem::read`] finds in a file.
    pub fn new(problem: Problem) -> Self {
        Self {
            problem,
            choice: ProblemChoice::default(),
            claims: Claims::default(),
            only_step: None,
        }
    }

    /// Other steps than the case's, s; two or more that differ, to measure an order.
    #[must_use]
    pub fn steps(mut self, steps: &[f64]) -> Self {
        self.choice.steps = steps.to_vec();
        self
    }

    /// An earlier end than the case's, s.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.choice.end = Some(end);
        self
    }

    /// What its author claims of the integrator, to be judged.
    #[must_use]
    pub fn claiming(mut self, claims: &Claims) -> Self {
        self.claims = self.claims.and(claims);
        self
    }

    /// Judges it by [`topsim_relations`] too: it runs images of the problem, and needs no reference for them.
    #[must_use]
    pub fn relations(mut self) -> Self {
        self.choice.relations = RelationsChoice::Beside;
        self
    }

    /// The only step that the integrator can make, s. A [function](Self::stepper) of one step is called with this step alone,
    /// for bodies that turn faster or slower in its place.
    ///
    /// # Errors
    /// [`InvalidOnlyStep`] of what is no step.
    pub fn only_step(mut self, seconds: f64) -> Result<Self, InvalidOnlyStep> {
        self.only_step = Some(OnlyStep::new(seconds).ok_or(InvalidOnlyStep)?);
        Ok(self)
    }

    /// Name of the case.
    pub fn name(&self) -> &str {
        &self.problem.name
    }

    /// Judges a function that makes one step of `h` from time `t`, in place.
    ///
    /// First it is called for short problems of topsim's own choice, whose case is `probe`: they measure it (other bodies,
    /// torques and starts, four steps at a time). Then it is called for one step size after the other, each time from
    /// the case's start. A state with a NaN or an
    /// infinity ends a history; what was before is judged, and the report fails. A panic is not caught.
    ///
    /// # Errors
    /// [`JudgeError`]: a case without an attitude; steps or an end out of range.
    pub fn stepper(
        self,
        mut step: impl FnMut(&RotationProblem, f64, f64, &mut RotState),
    ) -> Result<Report, JudgeError> {
        let only = self.only_step;
        let measured = asked(&mut step, |target| {
            paced(only, target, |target| self.measured(target))
        });
        let judged = self.judge(&measured, |judge, p, posed| {
            let Some(pace) = only.map(|only| only.pace(posed.step)) else {
                return rows(judge, posed, p.initial(), |t, y| {
                    step(p, t, posed.step, y);
                    Ok(())
                });
            };
            let p = p.at(pace, posed.step).map_err(NoHistory::NotPosed)?;
            let fast = pace.pose(posed).map_err(NoHistory::NotPosed)?;
            let factor = pace.factor();
            states(
                judge,
                posed,
                stepped(&fast, p.initial(), factor, |t, y| {
                    step(&p, t, fast.step, y);
                    Ok(())
                }),
            )
        });
        let mut report = judged?;
        asked(&mut step, |target| {
            let reports = core::slice::from_mut(&mut report);
            paced(only, target, |target| new_starts::ask(reports, target));
        });
        Ok(report)
    }

    /// Judges a scheme: any [`RotationScheme`](topsim_core::schemes::RotationScheme) is one. It makes steps of any length, whatever
    /// [the only step](Self::only_step) is.
    ///
    /// # Errors
    /// As [`Trial::stepper`]. A step that the scheme cannot make is in the report.
    pub fn scheme<S: Scheme<RigidTop<TorqueModel>>>(
        mut self,
        scheme: &S,
    ) -> Result<Report, JudgeError> {
        self.only_step = None;
        let target = Stepper(|top: &RigidTop<TorqueModel>, from: f64, h: f64| {
            let top = top.clone();
            scheme.covers(&top, h).map_err(|e| e.to_string())?;
            let mut first = models::InitialValueProblem::initial(&top);
            let begun = scheme.start(&top, from, h, &mut first);
            let mut memory = begun.map_err(|e| e.to_string())?;
            let mut begun = false;
            Ok(move |t: f64, y: &mut RotState| {
                if !std::mem::replace(&mut begun, true) {
                    *y = first;
                }
                let made = scheme.step(&top, t, h, y, &mut memory);
                made.map(drop).map_err(|e| e.to_string())
            })
        });
        let measured = self.measured(&target);
        let judged = self.judge(&measured, |judge, p, posed| {
            let (top, h, mut y) = (p.top(), posed.step, p.initial());
            scheme.covers(top, h).map_err(NoHistory::NotCovered)?;
            let begun = scheme.start(top, posed.start, h, &mut y);
            let mut memory = begun.map_err(NoHistory::NotStarted)?;
            rows(judge, posed, y, |t, y| {
                let made = scheme.step(top, t, h, y, &mut memory);
                made.map(drop).map_err(|why| StepError { t, why })
            })
        });
        let mut report = judged?;
        new_starts::ask(core::slice::from_mut(&mut report), &target);
        Ok(report)
    }

    /// What short runs show.
    fn measured(&self, target: &dyn Target) -> ShortRuns {
        let scope = Scope::of(std::iter::once(&self.problem));
        let scheme = self.claims.scheme.and_then(SchemeName::scheme);
        let related = self.choice.relations != RelationsChoice::No;
        let identified = identify(target, scope, false);
        let floor = identified.measured_floor();
        ShortRuns {
            reversal: measure(target, scope),
            same_steps: scheme.and_then(|scheme| compare(target, scope, scheme)),
            relations: related.then(|| {
                let found = examine(
                    &self.problem,
                    &self.choice,
                    target,
                    as_row_floor(floor.as_ref()),
                );
                match self.only_step {
                    Some(_) => found.with_one_step(),
                    None => found,
                }
            }),
            identified: of_case(target, &self.problem, &identified),
        }
    }

    /// `each` judges the rows of a step size, or says why there are none.
    fn judge(
        self,
        short: &ShortRuns,
        mut each: impl FnMut(
            &Criteria,
            &RotationProblem,
            &SolverProblem,
        ) -> Result<FileReport, NoHistory>,
    ) -> Result<Report, JudgeError> {
        if matches!(self.problem.model, Model::GivenRate(_)) {
            return Err(JudgeError::NoBody(self.problem.name));
        }
        let posed = SolverProblem::all(&self.problem, &self.choice)?;
        let start = posed.first().map_or(0.0, |p| p.start);
        let end = posed.iter().fold(start, |e, p| e.max(p.span()[1]));
        let case = self.problem.name.clone();
        let nobody_stops_it = AtomicBool::new(false);
        let asked: Vec<f64> = posed.iter().map(|p| p.step).collect();
        let identified = short.identified.clone().touching(&asked);
        let all = |judge: &Criteria| {
            let problem = RotationProblem {
                case,
                start,
                top: judge.body.top(),
            };
            let mut out = JudgedHistories {
                by_step: true,
                ..JudgedHistories::default()
            };
            for p in &posed {
                match each(judge, &problem, p) {
                    Ok(report) => out.files.push(report),
                    Err(why) => {
                        let kind = match why {
                            NoHistory::NotPosed(_) => FailureKind::Skipped,
                            _ => FailureKind::Rows,
                        };
                        let failure = StepFailure::new(p.step, kind, why.to_string());
                        out.failed.push(failure);
                    }
                }
            }
            Ok(out)
        };
        let mut report = judge_with(
            &self.problem,
            [start, end],
            (Some(&identified), &nobody_stops_it),
            all,
        )?;
        report.reversal = short.reversal;
        report.same_steps = short.same_steps;
        if let Some(relations) = &short.relations {
            report.relate(relations.clone());
        }
        report.claim(&self.claims);
        Ok(report)
    }
}

/// What runs of states of our choice say of an integrator.
struct ShortRuns {
    identified: Identification,
    reversal: Option<Reversal>,
    same_steps: Option<SameSteps>,
    relations: Option<RelationsReport>,
}
