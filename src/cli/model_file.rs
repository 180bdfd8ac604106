//! Files with the model of a solver: `topsim judge --model` writes them, `topsim run --solver-model` runs them.

use super::guest::body_for;
use super::{Failure, find};
use crate::run::guests;
use crate::suite::Suite;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use topsim_case::is_name;
use topsim_judge::{Model, Report};
use topsim_protocol::solver::solve_by_model;

/// Version of the form of these files.
const FORMAT: u32 = 1;

/// A solver as data: the model whose rows are those of its histories.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Version of this form: 1.
    format: u32,
    /// The case whose histories it explains.
    #[serde(default)]
    case: Option<String>,
    /// The model.
    model: Model,
}

/// Writes the model of the first case that has one; returns a line for people. Where there is none, the file that was asked for is
/// missing, and standard error says so.
///
/// # Errors
/// Fails if the file cannot be written.
pub(super) fn write(path: &Path, reports: &[Report]) -> Result<String, Failure> {
    let model = |r: &Report| Some((r.case.clone(), r.diagnosis.as_ref()?.model.clone()?));
    let Some((case, model)) = reports.iter().find_map(model) else {
        // Nothing is left to do if standard error itself is closed.
        let _ = writeln!(
            std::io::stderr(),
            "no model explains the histories: {} was not written",
            path.display()
        );
        return Ok(String::new());
    };
    let law = if model.law.is_empty() {
        "the right equations"
    } else {
        "other equations than the right ones"
    };
    let said = format!(
        "Model: {law}, by {}, explains the histories of {case}; see {}.\n",
        model.stepping,
        path.display()
    );
    let file = ModelFile {
        format: FORMAT,
        case: Some(case),
        model,
    };
    let text = serde_json::to_string_pretty(&file).expect("numbers and names are JSON");
    whole_file::write_through(path, format!("{text}\n").as_bytes())?;
    Ok(said)
}

/// A model among the schemes of a case.
#[derive(Debug, Clone)]
pub struct ModelGuest {
    name: String,
    path: PathBuf,
}

impl FromStr for ModelGuest {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let named = text.split_once('=').filter(|(name, _)| is_name(name));
        let (name, path) = named.unwrap_or(("solver_model", text));
        Ok(Self {
            name: name.into(),
            path: path.into(),
        })
    }
}

impl ModelGuest {
    /// Path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Simulates the model on the cases at their own steps and adds its runs to theirs.
    pub(super) fn join(&self, suites: &mut [Suite]) -> Result<(), Failure> {
        let shown = self.path.display();
        let text = find::read(&self.path)?;
        let invalid = |e: &dyn std::fmt::Display| {
            Failure::Invalid(format!(
                "error: {shown}: {e}\nhelp: `topsim schema model` describes such a file"
            ))
        };
        let file: ModelFile = serde_json::from_str(&text).map_err(|e| invalid(&e))?;
        if file.format != FORMAT {
            return Err(invalid(&format!(
                "format: found {}; allowed: {FORMAT}",
                file.format
            )));
        }
        let model = file.model.checked().map_err(|e| invalid(&e))?;
        for suite in suites {
            let top = body_for("--solver-model", &self.name, &suite.problem)?;
            let Some(made) = solve_by_model(&suite.problem, &model) else {
                return Err(Failure::Invalid(format!(
                    "error: {shown}: found a model that cannot be simulated on the body of `{}`; allowed: for a scheme of the \
                     catalogue, equations that are those of a body that it serves",
                    suite.problem.name
                )));
            };
            let called = (&*self.name, &*model.stepping.to_string());
            suite.guests = guests(&suite.problem, &top, called, made);
        }
        Ok(())
    }
}
