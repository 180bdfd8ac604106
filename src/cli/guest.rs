//! Adds another solver to the schemes of cases, for `topsim run --solver`.

use super::args::CaseArgs;
use super::terminal::watch_interrupts;
use super::{Failure, judge};
use crate::run::guests;
use crate::suite::Suite;
use std::str::FromStr;
use topsim_case::{Problem, is_name};
use topsim_core::models::{AnyTop, Model};
use topsim_judge::{Reading, SolverCommand};
use topsim_protocol::problem::ProblemChoice;
use topsim_protocol::solver::InvalidCommand;
use topsim_protocol::solver::solve;

/// A solver among the schemes of a case.
#[derive(Debug, Clone)]
pub struct Guest {
    /// Label of the solver.
    pub name: String,
    /// Command that starts it.
    pub command: SolverCommand,
}

impl FromStr for Guest {
    type Err = InvalidCommand;
    fn from_str(text: &str) -> Result<Self, InvalidCommand> {
        let named = text.split_once('=').filter(|(name, _)| is_name(name));
        let (name, command) = named.unwrap_or(("your_solver", text));
        Ok(Self {
            name: name.into(),
            command: command.parse()?,
        })
    }
}

impl Guest {
    /// Runs the solver on the cases at their own steps and adds its runs to theirs.
    pub(super) fn join(&self, suites: &mut [Suite], selection: &CaseArgs) -> Result<(), Failure> {
        let (limit, jobs) = (selection.time_limit, selection.jobs);
        let solver = judge::solver_of(&self.command, None, limit, jobs, None);
        let called = (&*self.name, self.command.text());
        for suite in suites {
            let top = body_for("--solver", &self.name, &suite.problem)?;
            let problem = &mut suite.problem;
            let (choice, reading) = (ProblemChoice::default(), Reading::default());
            let solved = solve(problem, &choice, &solver, &reading, watch_interrupts());
            let (mut made, mut failed) = (Vec::new(), None);
            for step in solved.map_err(|e| judge::failure(e.into()))? {
                match step {
                    Ok(step) => made.push(step),
                    Err(why) => {
                        let cannot = match why.is_skipped() {
                            true => "cannot do this",
                            false => "failed",
                        };
                        let note = format!("`{}` {cannot}: {why}", self.name);
                        failed = failed.or((!why.is_skipped()).then(|| note.clone()));
                        problem.warnings.push(note);
                    }
                }
            }
            // The steps that the solver can do are shown even if others were too long for it.
            if let (true, Some(note)) = (made.is_empty(), failed) {
                let text = format!("error: {}: {note}", problem.name);
                return Err(Failure::Incomplete(text));
            }
            suite.guests = guests(problem, &top, called, made);
        }
        Ok(())
    }
}

/// Returns the body of a case that a solver of this name joins.
///
/// # Errors
/// Fails if the case has a scheme of the name, or if the attitude and the rate of one body are not all that its rows hold.
pub(super) fn body_for(option: &str, name: &str, problem: &Problem) -> Result<AnyTop, Failure> {
    if problem.plans.iter().any(|p| p.scheme == name) {
        return Err(Failure::Invalid(format!(
            "error: {option}: found the name `{name}`, a scheme of `{}`; allowed: a name of its own",
            problem.name
        )));
    }
    // The rows of other cases hold more than a solver prints: forces of a joint, axes of several bodies.
    match problem.model.clone() {
        Model::Top(top) => Ok(top),
        _ => Err(Failure::Invalid(format!(
            "error: {option}: found the case `{}`; allowed: cases of one body whose attitude and rate are all",
            problem.name
        ))),
    }
}
