//! Histories judged: the reference is made once, the files are read side by side.

use super::given_rate;
use crate::conclusions::verdicts;
use crate::counterpart::{Accusation, too_coarse};
use crate::diagnosis::{Context, diagnose, model};
use crate::error::JudgeError;
use crate::history::{
    Body, Convergence, Criteria, FileReport, Ladder, Start, ToleranceLadder, Tolerated, convergence,
};
use crate::identification::Identification;
use crate::identification::floor::Floor;
use crate::reference::with_reference;
use crate::report::Report;
use crate::thresholds::{HUNDREDTH, TENTH};
use crate::verdict::VerdictId;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::Problem;
use topsim_core::models::Model;
use topsim_core::verdict::Status;
use topsim_model::print::{Print, SINGLE};
use topsim_protocol::Claims;
use topsim_protocol::history::{HistoryError, ReadError, Reading, Rows};
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::StepFailure;

/// A history to be judged.
pub struct HistoryFile {
    /// Its name, for people.
    pub name: String,
    /// Its bytes.
    pub input: Box<dyn Read + Send>,
    /// Its step, where it is told, s.
    pub step: Option<f64>,
}

/// A reader that fails once somebody interrupts.
struct InterruptibleReader<'a> {
    input: Box<dyn Read + Send>,
    interrupt: &'a AtomicBool,
}

impl Read for InterruptibleReader<'_> {
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
/// [`JudgeError`].
pub fn judge_histories(
    problem: &Problem,
    files: Vec<HistoryFile>,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<Report, JudgeError> {
    let threads = Threads::new(None);
    let ends = problem.plans.iter().map(|p| p.grid.time(p.grid.steps));
    let start = problem.plans.first().map_or(0.0, |p| p.grid.start);
    let span = [start, ends.fold(start, f64::max)];
    judge_with(problem, span, (None, interrupt), |judge| {
        judge_files(judge, files, reading, (&threads, interrupt))
    })
}

/// Units of times that are shorter than a second, with the number of them in a second.
const SHORT_UNITS: [(&str, f64); 2] = [("ms", 1e3), ("us", 1e6)];

/// Refuses histories that end so many times later than the case as a second has milliseconds.
fn times_in_seconds(files: &[FileReport], [start, end]: [f64; 2]) -> Result<(), JudgeError> {
    for file in files {
        let last = file.times[1];
        let times = (last - file.times[0]) / (end - start);
        let unit = SHORT_UNITS
            .iter()
            .find(|(_, n)| (times / n - 1.0).abs() < TENTH);
        if let Some(&(unit, times)) = unit {
            return Err(JudgeError::TimeUnit {
                name: file.file.clone(),
                last,
                end,
                times,
                unit,
            });
        }
    }
    Ok(())
}

/// Histories judged, and what has none.
#[derive(Default)]
pub(crate) struct JudgedHistories {
    pub files: Vec<FileReport>,
    pub failed: Vec<StepFailure>,
    /// Whether they were asked for step by step.
    pub by_step: bool,
}

/// Makes the reference of the case over `span`, has `all` judged by it, and concludes; `identified` is what the solver's
/// measured steps say, where it could be asked.
pub(crate) fn judge_with(
    problem: &Problem,
    span: [f64; 2],
    (identified, interrupt): (Option<&Identification>, &AtomicBool),
    all: impl FnOnce(&Criteria) -> Result<JudgedHistories, JudgeError>,
) -> Result<Report, JudgeError> {
    with_reference(problem, span, interrupt, |judge| {
        let judged = all(judge)?;
        if interrupt.load(Ordering::Relaxed) {
            return Err(JudgeError::Interrupted);
        }
        conclude(problem, judge, judged, (identified, interrupt))
    })
}

fn conclude(
    problem: &Problem,
    judge: &Criteria,
    judged: JudgedHistories,
    (identified, interrupt): (Option<&Identification>, &AtomicBool),
) -> Result<Report, JudgeError> {
    let JudgedHistories {
        files,
        failed,
        by_step,
    } = judged;
    let Criteria {
        body,
        span,
        reference,
        ..
    } = judge;
    if !by_step {
        times_in_seconds(&files, *span)?;
    }
    let floor = identified.and_then(Identification::measured_floor);
    let tolerated = files.iter().any(|f| f.tolerance.is_some());
    let (convergence, tolerances) = if tolerated {
        (None, tolerances(&files, floor.as_ref()))
    } else {
        (ladder(&files, floor.as_ref())?, None)
    };
    let context = Context {
        problem,
        body,
        span: *span,
        identified,
        tolerances: tolerated,
        wanted: &|| !interrupt.load(Ordering::Relaxed),
    };
    let diagnosis = match &problem.model {
        Model::GivenRate(_) if files.is_empty() => None,
        Model::GivenRate(_) => given_rate::diagnose(convergence.as_ref(), identified),
        _ => diagnose(&files, &context),
    };
    let mut report = Report {
        convergence,
        tolerances,
        rule: match identified {
            Some(known) => known.rule.clone(),
            None => diagnosis.as_ref().and_then(|d| d.identified_rule.clone()),
        },
        diagnosis,
        measured: floor.is_some(),
        precision: floor.and_then(|f| f.measured()),
        reference: reference.as_ref().ok().map(|r| r.provenance()),
        no_reference: reference.as_ref().err().cloned(),
        keeps_energy: body.keeps_energy(),
        keeps_momentum: body.keeps_momentum().is_some(),
        files,
        failed,
        ..Report::new(problem)
    };
    report.verdicts = verdicts(&report, by_step, (identified, None));
    let fails = |id| {
        let mut all = report.verdicts.iter();
        all.any(|v| v.id == id && v.status == Status::Failed)
    };
    let accused = fails(VerdictId::Convergence) || fails(VerdictId::NoneFits);
    if let Some(own) = report.convergence.as_ref().filter(|_| accused) {
        let scheme = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
        let same = scheme.map(|s| &*s.name);
        let told = report.files.iter().all(|f| f.told);
        let finest = own.rungs.last().map_or(f64::NAN, |r| r.step);
        let file = report.files.iter().find(|f| f.step == finest);
        let limit = report.diagnosis.as_ref().and_then(|d| d.own_limit.as_ref());
        let last = limit.and_then(|l| l.differences.last());
        let accused = Accusation {
            ladder: own,
            finest: file.map_or(&[], |f| &f.deviations),
            same,
            told,
            agree: last.is_some_and(|x| *x <= HUNDREDTH * own.finest()),
        };
        let coarse = too_coarse(&accused, problem, judge, interrupt)?;
        if coarse.is_some() {
            report.verdicts = verdicts(&report, by_step, (identified, coarse));
        }
    }
    let said = report.files.iter().filter_map(|f| f.claims);
    let said = said.fold(Claims::default(), |all, c| all.and(&c));
    report.claim(&said);
    Ok(report)
}

fn judge_files(
    judge: &Criteria,
    files: Vec<HistoryFile>,
    reading: &Reading,
    (threads, interrupt): (&Threads, &AtomicBool),
) -> Result<JudgedHistories, JudgeError> {
    let judged = threads.map(files, |file| {
        let input = InterruptibleReader {
            input: file.input,
            interrupt,
        };
        let found = Rows::new(input, reading).and_then(|rows| judge.judge(rows));
        (file.name, file.step, found)
    });
    if interrupt.load(Ordering::Relaxed) {
        return Err(JudgeError::Interrupted);
    }
    let mut reports = Vec::new();
    let mut wrong: Vec<(Vec<String>, HistoryError)> = Vec::new();
    let mut unread = Vec::new();
    for (file, step, found) in judged {
        match found {
            Ok(judged) => reports.push(FileReport {
                file,
                step: step.unwrap_or(judged.step),
                told: step.is_some(),
                ..judged
            }),
            Err(ReadError::Io(e)) => unread.push((file, e)),
            Err(ReadError::Content(fault)) => wrong.push((vec![file], fault)),
            // Files of one program have the same header, with the same faults.
            Err(ReadError::Header(faults)) => {
                for fault in faults {
                    match wrong.iter_mut().find(|(_, other)| *other == fault) {
                        Some((files, _)) => files.push(file.clone()),
                        None => wrong.push((vec![file.clone()], fault)),
                    }
                }
            }
        }
    }
    if !unread.is_empty() {
        return Err(JudgeError::Unreadable(unread));
    }
    if !wrong.is_empty() {
        return Err(JudgeError::InvalidHistories(wrong));
    }
    Ok(JudgedHistories {
        files: reports,
        ..JudgedHistories::default()
    })
}

fn ladder(
    reports: &[FileReport],
    floor: Option<&Floor>,
) -> Result<Option<Convergence>, JudgeError> {
    let mut rungs: Vec<Ladder> = Vec::new();
    for (i, r) in reports.iter().enumerate() {
        // Spacings that are not told to be steps, and near each other, are those of samples.
        let least = if r.told { 1.001 } else { 1.5 };
        let alike = |s: &&FileReport| (s.step / r.step).max(r.step / s.step) < least;
        if let Some(s) = reports[..i].iter().find(alike) {
            return Err(JudgeError::SameStep {
                names: [s.file.clone(), r.file.clone()],
                steps: [s.step, r.step],
            });
        }
        rungs.extend(rung(r, floor));
    }
    Ok((rungs.len() > 1).then(|| convergence(&rungs)))
}

/// Returns a history as one of a ladder, where it has errors.
fn rung<'a>(r: &'a FileReport, floor: Option<&Floor>) -> Option<Ladder<'a>> {
    Some(Ladder {
        step: r.step,
        length: r.step,
        errors: r.errors.as_ref()?,
        rows: &r.deviations,
        start: r.start.as_ref().map_or([0.0; 2], Start::digits),
        unit: floor.map_or_else(|| written_unit(r), |f| f.unit(r.step)),
    })
}

/// Returns the rounding of a step of a solver that cannot be asked, relative, by the precision of the attitudes that it wrote.
fn written_unit(r: &FileReport) -> f64 {
    if Print::of(&r.trace.written()).single_attitude {
        SINGLE
    } else {
        f64::EPSILON
    }
}

/// Returns the errors of histories that differ in their tolerance.
fn tolerances(reports: &[FileReport], floor: Option<&Floor>) -> Option<ToleranceLadder> {
    let each = reports.iter().filter_map(|r| {
        Some(Tolerated {
            tolerance: r.tolerance?,
            ladder: rung(r, floor)?,
            trace: &r.trace,
        })
    });
    ToleranceLadder::new(each.collect())
}

/// Looks for the model of a solver in the histories of a report, where none was looked for: the steps of solvers that can be
/// asked are measured in another way.
///
/// # Errors
/// [`JudgeError`]: an interrupt.
pub fn identify_model(
    problem: &Problem,
    report: &mut Report,
    interrupt: &AtomicBool,
) -> Result<(), JudgeError> {
    let (Some(diagnosis), Some(body)) = (&mut report.diagnosis, Body::of(&problem.model)) else {
        return Ok(());
    };
    if diagnosis.model.is_none() {
        let context = Context {
            problem,
            body: &body,
            span: [problem.grids.first().map_or(0.0, |g| g.start); 2],
            identified: None,
            tolerances: report.tolerances.is_some(),
            wanted: &|| !interrupt.load(Ordering::Relaxed),
        };
        diagnosis.model = model(&report.files, &context);
    }
    match interrupt.load(Ordering::Relaxed) {
        true => Err(JudgeError::Interrupted),
        false => Ok(()),
    }
}
