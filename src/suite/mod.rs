//! A suite: a problem with the checks, studies, figures and baseline that stand beside it.

mod builtin;
mod choice;
mod reproductions;

pub use builtin::{builtin, builtins};
pub use choice::Choice;
pub use reproductions::{REPRODUCTIONS, Reproduction};

use crate::check::parse_baseline;
use crate::check::rules::{self, CaseFacts};
use crate::check::{Baseline, Check, NotABaseline, SchemeRun, StepFact, StudyNames, ToleranceFile};
use crate::figure::{self, Figure};
use crate::study::{self, Study, StudyKeys, StudyTable};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use strict_toml::{Faults, InvalidFile, TomlDocument, schema_of};
use topsim_case::file::CaseFile;
use topsim_case::{CaseSource, Problem, RunPlan, no_runs_to_look_at};

/// A text with its path, as the user gave it.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// Path.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// The texts of a suite.
#[derive(Debug, Clone)]
pub struct SuiteSource {
    /// The case file.
    pub case: CaseSource,
    /// The tolerance file, if there is one.
    pub expected: Option<SourceText>,
    /// The baseline, if there is one.
    pub baseline: Option<SourceText>,
}

/// A problem with its checks, studies, figures and baseline.
pub struct Suite {
    /// The problem that is integrated.
    pub problem: Problem,
    /// SHA-256 of the case file's text.
    pub hash: String,
    /// Figures to draw.
    pub figures: Vec<Figure>,
    /// Studies to make.
    pub studies: Vec<Box<dyn Study>>,
    /// Checks; empty only on request.
    pub checks: Vec<Check>,
    /// Blessed histories.
    pub baseline: Option<Baseline>,
    /// Runs of another solver, which studies and figures show too.
    pub guests: Vec<SchemeRun>,
}

/// The reason for which a suite cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSuite {
    /// A case or tolerance file with its errors.
    #[error(transparent)]
    File(#[from] InvalidFile),
    /// A baseline that cannot be read.
    #[error("{path}: {why}")]
    Baseline {
        /// Its path.
        path: String,
        /// The error.
        why: NotABaseline,
    },
}

/// Returns the JSON Schema of case files, with figures and studies.
pub fn case_schema() -> Value {
    schema_of::<CaseFile<Figure, StudyTable>>()
}

impl Suite {
    /// Reads and validates the texts of a suite.
    ///
    /// # Errors
    /// All that is wrong in the case file, the tolerance file and the baseline.
    pub fn read(source: &SuiteSource) -> Result<Self, Vec<InvalidSuite>> {
        let mut invalid: Vec<InvalidSuite> = Vec::new();
        let case = read_case(source).map_err(|e| invalid.push(e.into())).ok();
        let checks = source.expected.as_ref().and_then(|expected| {
            let read = read_checks(expected, &source.case.name, case.as_ref());
            read.map_err(|e| invalid.push(e.into())).ok()
        });
        let baseline = source
            .baseline
            .as_ref()
            .and_then(|SourceText { path, text }| {
                let path = path.clone();
                let refused = |why| invalid.push(InvalidSuite::Baseline { path, why });
                parse_baseline(text).map_err(refused).ok()
            });
        let Some(suite) = case.filter(|_| invalid.is_empty()) else {
            return Err(invalid);
        };
        Ok(Self {
            checks: checks.unwrap_or_default(),
            baseline,
            ..suite
        })
    }

    /// Adds the studies that show the numbers of a case to a suite without checks and studies.
    pub fn study_by_default(&mut self) {
        if self.checks.is_empty() && self.studies.is_empty() {
            self.studies = study::by_default(&self.problem);
        }
    }

    /// Returns the facts on the step map of a run that its checks and studies need.
    pub fn step_facts(&self, plan: &RunPlan) -> BTreeSet<StepFact> {
        let checks = self.checks.iter().filter(|c| c.runs.takes(plan));
        let checks = checks.map(|c| c.measure.needs());
        let studies = self.studies.iter().map(|s| s.needs(plan));
        checks.chain(studies).filter_map(|n| n.step_fact).collect()
    }
}

/// Reads the suite without its checks and baseline.
fn read_case(source: &SuiteSource) -> Result<Suite, InvalidFile> {
    let case = &source.case;
    let doc = TomlDocument::open(&case.path, &case.text, &case_schema())?;
    let file: CaseFile = doc.take()?;
    let figures: Vec<Figure> = doc.take_at("figure")?.unwrap_or_default();
    let studies: Vec<StudyTable> = doc.take_at("study")?.unwrap_or_default();
    let mut faults = Faults::new(&doc);
    if file.run.is_none() && studies.iter().all(StudyTable::needs_runs) {
        let allowed = "the table [run]: end, steps, schemes";
        faults.add("", "missing key `run`", allowed);
    }
    let suite = Problem::resolve(case, &file, &mut faults).map(|mut problem| {
        if file.run.is_none() {
            runless(&figures, &studies, &mut faults);
        }
        let studies = study::read(&studies, &mut problem, &mut faults);
        let figures = figure::checked(figures, &problem, &mut faults);
        Suite {
            problem,
            hash: hex(&Sha256::digest(case.text.as_bytes())),
            figures,
            studies,
            checks: Vec::new(),
            baseline: None,
            guests: Vec::new(),
        }
    });
    faults.into_result()?;
    suite.ok_or_else(|| doc.reject(Vec::new()))
}

/// Refuses figures and studies of runs in a case without any.
fn runless(figures: &[Figure], studies: &[StudyTable], faults: &mut Faults) {
    if !figures.is_empty() {
        no_runs_to_look_at("figure", faults);
    }
    if let Some(i) = studies.iter().position(StudyTable::needs_runs) {
        no_runs_to_look_at(&format!("study[{i}]"), faults);
    }
}

fn read_checks(
    SourceText { path, text }: &SourceText,
    name: &str,
    suite: Option<&Suite>,
) -> Result<Vec<Check>, InvalidFile> {
    let (file, doc) = TomlDocument::read::<ToleranceFile>(path, text)?;
    let mut faults = Faults::new(&doc);
    if file.case != name {
        let found = format!("found the case \"{}\"", file.case);
        let allowed = format!("\"{name}\", the case this file stands beside");
        faults.add("case", found, allowed);
    }
    if file.check.is_empty() {
        faults.add("check", "found no check", "at least one [[check]]");
    }
    let named = |s: &dyn Study| {
        let (study, numbers) = (s.name()?.into(), s.number_names());
        Some(StudyNames { study, numbers })
    };
    let studies = suite.iter().flat_map(|s| &s.studies);
    let studies: Vec<_> = studies.filter_map(|s| named(&**s)).collect();
    let facts = suite.map(|s| CaseFacts {
        problem: &s.problem,
        studies: &studies,
    });
    rules::apply(&file.check, facts.as_ref(), &mut faults);
    faults.into_result()?;
    Ok(file.check)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
