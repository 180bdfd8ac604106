//! Histories computed elsewhere: the reference is made once, the files are read side by side.

use super::diagnosis::diagnosis;
use super::execute::{Options, compute};
use super::solver::StepFailure;
use super::verdict::verdicts;
use crate::analysis::foreign::diagnosis::Diagnosis;
use crate::analysis::foreign::{
    Body, Convergence, Finding, Judge, Ladder, ReadError, Reading, Rows, Start, Verdict,
    convergence,
};
use crate::cases::{CasePlan, ReferencePlan};
use crate::reference::RowReference;
use rayon::prelude::*;
use serde::Serialize;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

/// A history to be judged.
pub struct HistoryFile {
    /// Its name, for people.
    pub name: String,
    /// Its bytes.
    pub input: Box<dyn Read + Send>,
    /// Its step, where it is told, s.
    pub step: Option<f64>,
}

/// A judged history.
#[derive(Debug, Clone, Serialize)]
pub struct FileReport {
    /// Name.
    pub file: String,
    /// Its step: told, or the median spacing, s.
    pub step: f64,
    /// Whether the step was told.
    pub told: bool,
    /// What it shows.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What the histories of a case show.
#[derive(Debug, Clone, Serialize)]
pub struct HistoryReport {
    /// Case.
    pub case: String,
    /// Its title.
    pub title: String,
    /// Where the reference comes from.
    pub reference: Option<String>,
    /// Why there is none.
    pub no_reference: Option<String>,
    /// Whether the case's motion keeps the energy.
    pub keeps_energy: bool,
    /// The files, as they were named.
    pub files: Vec<FileReport>,
    /// Order of convergence, of several files with errors.
    pub convergence: Option<Convergence>,
    /// What is wrong with the solver.
    pub diagnosis: Option<Diagnosis>,
    /// Steps of a solver that have no history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<StepFailure>,
    /// What follows: whether it passed, and the exit status, from these alone.
    pub verdicts: Vec<Verdict>,
}

impl HistoryReport {
    /// Whether everything that was to be judged was there, or its absence is accepted.
    pub fn complete(&self) -> bool {
        !self.verdicts.iter().any(|v| v.failed() && v.about_step())
    }
    /// Whether nothing speaks against the histories but what is accepted.
    pub fn passed(&self) -> bool {
        !self.verdicts.iter().any(Verdict::failed)
    }
    /// The order of convergence to the case's motion, where it could be measured.
    pub fn order(&self) -> Option<f64> {
        self.convergence.as_ref().and_then(Convergence::order)
    }
}

/// Why histories were not judged.
#[derive(Debug, thiserror::Error)]
pub enum HistoryFailure {
    /// Bad files, a line each, or a case that cannot serve.
    #[error("{0}")]
    Invalid(String),
    /// A file that cannot be read.
    #[error("{0}")]
    Io(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// Ends where somebody interrupts.
struct Watched<'a> {
    input: Box<dyn Read + Send>,
    interrupt: &'a AtomicBool,
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("interrupted"));
        }
        self.input.read(bytes)
    }
}

/// Judges the histories against the case.
///
/// # Errors
/// [`HistoryFailure`].
pub fn judge_histories(
    plan: CasePlan,
    files: Vec<HistoryFile>,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<HistoryReport, HistoryFailure> {
    let ends = plan.jobs.iter().map(|j| j.grid.time(j.grid.steps));
    let start = plan.jobs.first().map_or(0.0, |j| j.grid.start);
    let span = [start, ends.fold(start, f64::max)];
    judge_with(plan, span, interrupt, |judge| {
        judge_files(judge, files, reading, interrupt)
    })
}

/// Histories judged, and what has none.
#[derive(Default)]
pub(super) struct Judged {
    pub files: Vec<FileReport>,
    pub failed: Vec<StepFailure>,
    /// Whether they were asked for step by step.
    pub by_step: bool,
}

/// Makes the reference of the case over `span`, has `all` judged by it, and concludes.
pub(super) fn judge_with(
    plan: CasePlan,
    span: [f64; 2],
    interrupt: &AtomicBool,
    all: impl FnOnce(&Judge) -> Result<Judged, HistoryFailure>,
) -> Result<HistoryReport, HistoryFailure> {
    let (Some(body), Some(first)) = (Body::of(&plan.model), plan.jobs.first()) else {
        return Err(HistoryFailure::Invalid(format!(
            "error: the case `{}` has no body with an attitude and a run; allowed: cases of a rotating body",
            plan.name
        )));
    };
    let computed;
    let reference: Result<&dyn RowReference, String> = match &plan.reference {
        ReferencePlan::Ready(r) => Ok(&**r),
        other => {
            computed = compute(&over(other, span), &Options::default(), interrupt);
            computed.as_deref().map_err(Clone::clone)
        }
    };
    let judge = Judge {
        body: &body,
        columns: first.experiment.columns(),
        span,
        reference: reference.clone(),
    };
    let Judged {
        files,
        failed,
        by_step,
    } = all(&judge)?;
    if interrupt.load(Ordering::Relaxed) {
        return Err(HistoryFailure::Interrupted);
    }
    let convergence = ladder(&files)?;
    let mut report = HistoryReport {
        convergence,
        diagnosis: diagnosis(&plan, &body, span, &files, interrupt),
        case: plan.name,
        title: plan.title,
        reference: reference.as_ref().ok().map(|r| r.provenance()),
        no_reference: reference.err(),
        keeps_energy: body.keeps_energy(),
        files,
        failed,
        verdicts: Vec::new(),
    };
    report.verdicts = verdicts(&report, by_step);
    Ok(report)
}

/// A numerical reference over another span.
fn over(plan: &ReferencePlan, span: [f64; 2]) -> ReferencePlan {
    match plan {
        ReferencePlan::Numerical { model, start, .. } => ReferencePlan::Numerical {
            model: model.clone(),
            start: *start,
            end: span[1],
        },
        _ => ReferencePlan::None,
    }
}

fn judge_files(
    judge: &Judge,
    files: Vec<HistoryFile>,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<Judged, HistoryFailure> {
    let judged: Vec<_> = files
        .into_par_iter()
        .with_max_len(1)
        .map(|file| {
            let input = Watched {
                input: file.input,
                interrupt,
            };
            let found = Rows::new(input, reading).and_then(|rows| judge.judge(rows));
            (file.name, file.step, found)
        })
        .collect();
    if interrupt.load(Ordering::Relaxed) {
        return Err(HistoryFailure::Interrupted);
    }
    let mut reports = Vec::new();
    let (mut wrong, mut unread) = (Vec::new(), Vec::new());
    for (file, step, found) in judged {
        match found {
            Ok(finding) => reports.push(FileReport {
                file,
                step: step.unwrap_or(finding.spacing),
                told: step.is_some(),
                finding,
            }),
            Err(ReadError::Content(e)) => wrong.push(format!("error: {file}:{e}")),
            Err(ReadError::Io(e)) => unread.push(format!("cannot read {file}: {e}")),
        }
    }
    if !unread.is_empty() {
        return Err(HistoryFailure::Io(unread.join("\n")));
    }
    if !wrong.is_empty() {
        return Err(HistoryFailure::Invalid(wrong.join("\n")));
    }
    Ok(Judged {
        files: reports,
        ..Judged::default()
    })
}

fn ladder(reports: &[FileReport]) -> Result<Option<Convergence>, HistoryFailure> {
    let mut rungs: Vec<Ladder> = Vec::new();
    for (i, r) in reports.iter().enumerate() {
        // Spacings that are not told to be steps, and near each other, are those of samples.
        let least = if r.told { 1.001 } else { 1.5 };
        let alike = |s: &&FileReport| (s.step / r.step).max(r.step / s.step) < least;
        if let Some(s) = reports[..i].iter().find(alike) {
            return Err(HistoryFailure::Invalid(format!(
                "error: {} and {}: found rows {} s and {} s apart, which are no two steps of a ladder; allowed: \
                 steps that differ, by `--step H` for each file in their order where the spacing of the rows is not the step",
                s.file, r.file, s.step, r.step
            )));
        }
        if let Some(errors) = &r.finding.errors {
            rungs.push(Ladder {
                step: r.step,
                errors,
                start: r.finding.start.as_ref().map_or([0.0; 2], Start::digits),
            });
        }
    }
    Ok((rungs.len() > 1).then(|| convergence(&rungs)))
}
