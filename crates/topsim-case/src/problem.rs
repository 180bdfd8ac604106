//! Problems: a body, its start, a span, steps and schemes, events, and a reference.

use crate::builtin;
use crate::file::{CaseFile, RunTable};
use crate::model::model;
use crate::refuse::{given, refuse};
use crate::resolve_jointed::check_consistent;
use crate::resolve_reference::{events, reference};
use crate::resolve_runs::{grids, plans, rate_steps, schemes, span};
use crate::run_plan::RunPlan;
use crate::source::CaseSource;
use strict_toml::{Faults, InvalidFile, TomlDocument, short};
use topsim_core::integration::{EventSpec, Grid};
use topsim_core::math::Vec3;
use topsim_core::models::{Model, TorqueModel};
use topsim_core::reference::ReferencePlan;

/// A problem ready to be integrated.
#[non_exhaustive]
pub struct Problem {
    /// Name of the case.
    pub name: String,
    /// Path of the case as the user gave it; built-in cases have a path that says so.
    pub origin: String,
    /// Title that reports and figures show.
    pub title: String,
    /// Sentence that says what the case is for.
    pub summary: String,
    /// Documents that the problem comes from.
    pub references: Vec<String>,
    /// Body with its torque and its start.
    pub model: Model,
    /// End of the runs in the case, s; their last step may lie beyond. `None` without runs.
    pub end: Option<f64>,
    /// Plans of all runs in the order of the case; none where topsim does not know the torque. Those of a case without schemes are
    /// of the first scheme that serves it, by which solvers are judged.
    pub plans: Vec<RunPlan>,
    /// True if the case names no schemes, so that topsim runs nothing itself.
    pub only_judged: bool,
    /// Times and samples that belong to each step of the case.
    pub grids: Vec<Grid>,
    /// Events to detect.
    pub events: Vec<EventSpec>,
    /// Reference with which the runs are compared.
    pub reference: ReferencePlan,
    /// Warnings on the case, which can be run all the same.
    pub warnings: Vec<String>,
}

impl Problem {
    /// Returns whether topsim does not know the torque, so that only solvers of others integrate the problem.
    pub fn is_opaque(&self) -> bool {
        matches!(&self.model, Model::Top(top) if matches!(top.torque, TorqueModel::Opaque(_)))
    }

    /// Reads the problem of a case file. Figures and studies of the file are ignored.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn read(source: &CaseSource) -> Result<Self, InvalidFile> {
        let (file, doc) = TomlDocument::read::<CaseFile>(&source.path, &source.text)?;
        let mut faults = Faults::new(&doc);
        match Self::resolve(source, &file, &mut faults) {
            Some(problem) if faults.list.is_empty() => Ok(problem),
            _ => Err(doc.reject(std::mem::take(&mut faults.list))),
        }
    }

    /// Returns the problem of a built-in case; `None` where no case has that name.
    ///
    /// # Panics
    /// Panics if a built-in case is not valid, which a test excludes.
    pub fn builtin(name: &str) -> Option<Self> {
        let source = builtin::find(name)?.source();
        match Self::read(&source) {
            Ok(problem) => Some(problem),
            Err(e) => panic!("the built-in case is not valid: {e}"),
        }
    }

    /// Makes the problem of a file that was read. Faults are added to `faults`; `None` where they leave no problem.
    pub fn resolve(source: &CaseSource, file: &CaseFile, faults: &mut Faults) -> Option<Self> {
        let mut warnings = Vec::new();
        doubtful(file, &mut warnings);
        let model = model(file, faults, &mut warnings);
        if let Some(run) = &file.run {
            span(run, faults);
            if !faults.list.is_empty() {
                // Names of schemes can still be checked; the rest needs a body.
                schemes(run, None, faults);
            }
        }
        if !faults.list.is_empty() {
            return None;
        }
        let mut problem = Self {
            name: source.name.clone(),
            origin: source.path.clone(),
            title: file.title.clone(),
            summary: file.summary.clone(),
            references: file.references.clone(),
            end: file.run.as_ref().map(|r| r.end),
            plans: Vec::new(),
            only_judged: file.run.as_ref().is_some_and(|r| r.schemes.is_none()),
            grids: file.run.as_ref().map_or(Vec::new(), grids),
            model: model?,
            events: Vec::new(),
            reference: ReferencePlan::None,
            warnings,
        };
        match &file.run {
            None => {
                for key in given(faults, "", &["reference", "event"]) {
                    no_runs_to_look_at(key, faults);
                }
            }
            Some(run) if problem.is_opaque() => only_for_others(file, run, faults),
            Some(run) => problem.add_runs(file, run, faults)?,
        }
        Some(problem)
    }

    /// Adds the runs of a case, with the events and the reference that look at them.
    fn add_runs(&mut self, file: &CaseFile, run: &RunTable, faults: &mut Faults) -> Option<()> {
        let schemes = schemes(run, Some(&self.model), faults)?;
        match &self.model {
            Model::Jointed(body) => check_consistent(body, &schemes, faults),
            Model::GivenRate(given) => rate_steps(run, &given.rate, faults),
            _ => {}
        }
        self.plans = plans(run, &schemes, faults);
        if !self.only_judged {
            notes(&self.plans, &mut self.warnings);
        }
        let ends = self.plans.iter().map(|p| p.grid.time(p.grid.steps));
        let span = (run.start, ends.fold(run.end, f64::max));
        self.events = events(file, &schemes.first()?.experiment, faults);
        self.reference = reference(file, &self.model, span, faults);
        Some(())
    }
}

/// Refuses what only topsim's own runs use, in a case whose torque only solvers of others know.
fn only_for_others(file: &CaseFile, run: &RunTable, faults: &mut Faults) {
    let alone = "a case without it: topsim does not know the torque";
    refuse! { faults;
        run.schemes.as_ref().is_some_and(|s| !s.is_empty()) => "run.schemes", "schemes beside an opaque torque", "no schemes";
        file.reference.is_some() => "reference", "a reference beside an opaque torque", alone;
        !file.event.is_empty() => "event", "events beside an opaque torque", alone;
    }
}

/// Adds notes on numbers that may not be meant.
fn doubtful(file: &CaseFile, warnings: &mut Vec<String>) {
    let vector = file
        .initial
        .as_ref()
        .and_then(|initial| initial.rotation_vector);
    if let Some(angle) = vector.map(|v| Vec3::from(v).norm())
        && angle > core::f64::consts::TAU
    {
        warnings.push(format!(
            "`initial.rotation_vector` is a turn of {angle:.3} rad, more than a whole one: is it in degrees?"
        ));
    }
    if let Some((run, sample)) = file.run.as_ref().and_then(|run| Some((run, run.sample?)))
        && sample > run.end - run.start
    {
        warnings.push(format!(
            "`run.sample` is {} s, longer than the run: only its first and its last step are kept",
            short(sample)
        ));
    }
}

/// Adds the notes of each scheme on its longest step.
fn notes(plans: &[RunPlan], warnings: &mut Vec<String>) {
    let mut said: Vec<&str> = Vec::new();
    for plan in plans {
        if said.contains(&plan.scheme.as_str()) {
            continue;
        }
        said.push(&plan.scheme);
        let own = plans.iter().filter(|p| p.scheme == plan.scheme);
        let longest = own.max_by(|a, b| a.grid.h.total_cmp(&b.grid.h));
        if let Some(p) = longest {
            let notes = p.experiment.notes(p.grid.h);
            warnings.extend(notes.into_iter().map(|n| format!("`{}`: {n}", p.scheme)));
        }
    }
}

/// Adds the fault of a table that looks at runs in a case without runs.
pub fn no_runs_to_look_at(key: &str, faults: &mut Faults) {
    let found = "something that looks at runs, in a case without a [run]";
    faults.add(key, found, "a [run] beside it");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTIN;
    use crate::source::is_name;

    #[test]
    fn every_built_in_case_is_a_problem() {
        for b in BUILTIN {
            assert!(is_name(b.name), "{}", b.name);
            let problem = Problem::builtin(b.name).unwrap();
            assert_eq!(problem.name, b.name);
        }
        assert!(Problem::builtin("none").is_none());
    }
}
