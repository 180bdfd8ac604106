//! Writes the files of a report: histories, studies and figures in a folder for each case, and `results.json`,
//! `timings.json` and `report.html`. Histories are written as runs finish, everything else when all is computed.

use super::figures::DrawnFigure;
use super::{figure_files, figures, html, pretty, run_record, timings};
use crate::check::SchemeRun;
use crate::figure::FigureFormat;
use crate::run::{Case, CaseReport, Report, Results, RunStore, WrittenCase};
use crate::suite::Suite;
use rayon::prelude::*;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use topsim_case::RunPlan;
use topsim_plot::PlotError;
use whole_file::{FolderLock, LockError, WriteError};

/// A file that could not be written, or a figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or folder that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder to which another program writes.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A figure that could not be drawn.
    #[error("cannot draw {name}: {why}")]
    Draw {
        /// The name of the figure.
        name: String,
        /// The reason.
        why: PlotError,
    },
    /// A folder of a case that is a link out of the results.
    #[error("cannot write below {}: it is a symbolic link; allowed: a folder", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
}

/// Returns the folder of a case below `out`, which is made if it does not exist.
///
/// # Errors
/// [`OutputError::Link`] for a symbolic link, which would lead elsewhere.
fn case_folder(out: &Path, case: &CaseReport) -> Result<PathBuf, OutputError> {
    let path = out.join(&case.name);
    if path.is_symlink() {
        return Err(OutputError::Link { path });
    }
    whole_file::folder(&path)?;
    whole_file::sweep(&path, STALE)?;
    Ok(path)
}

/// Age from which temporary files count as left behind by killed runs and are removed.
const STALE: Duration = Duration::from_secs(3600);

/// Shortest time between two updates of `results.json` during the runs: the file grows with the number of runs, and so does
/// the time to write it.
const UPDATE_INTERVAL: Duration = Duration::from_millis(500);

/// A folder of results while they are made. Runs are written as they finish, so that whatever ends the program costs only
/// unfinished ones. Until all is made, `results.json` lists what is missing, or what was missing at its last update.
pub struct Output {
    out: PathBuf,
    program: String,
    report: Mutex<Report>,
    /// Time of the last update of `results.json`.
    updated: Mutex<Instant>,
    failed: Mutex<Option<OutputError>>,
    _lock: Option<FolderLock>,
    /// Other folders of results whose finished runs are taken over too.
    pub shards: Vec<PathBuf>,
    /// True where another command takes the finished runs over.
    pub keeps_records: bool,
}

impl Output {
    /// Prepares the folder for these cases, of which nothing is made yet, and writes a report that calls itself interrupted.
    /// Runs that the same `program` finished there before stay for [`find`](Self::find).
    ///
    /// # Errors
    /// [`OutputError`], also if another program is writing there.
    pub fn begin(out: &Path, program: String, mut report: Report) -> Result<Self, OutputError> {
        whole_file::folder(out)?;
        let lock = FolderLock::take(out)?;
        whole_file::sweep(out, STALE)?;
        // Links are refused before anything is removed, so that nothing is touched through a link.
        for case in &report.cases {
            case_folder(out, case)?;
        }
        let (stale, earlier) = written_before(&report, out);
        report.earlier = earlier;
        let output = Self {
            out: out.into(),
            program,
            report: Mutex::new(report),
            updated: Mutex::new(Instant::now()),
            failed: Mutex::default(),
            _lock: lock,
            shards: Vec::new(),
            keeps_records: false,
        };
        // The report is written before anything is removed: what is there belongs to no complete report any more.
        output.write_results(&output.report())?;
        for path in stale {
            whole_file::remove(&path)?;
        }
        html::remove(out, &output.report().cases)?;
        Ok(output)
    }

    /// Takes the error with which a run could not be written, if there is one.
    pub fn failure(&self) -> Option<OutputError> {
        self.failed().take()
    }

    /// Writes all that is not written yet. `wanted` is asked before each file; the result tells whether all were written.
    ///
    /// # Errors
    /// [`OutputError`]; files already written stay, none is half-written.
    pub fn finish(
        &self,
        results: &mut Results,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, OutputError> {
        let report = self.report();
        self.write_results(&report)?;
        let cases: Vec<Case> = results.cases().collect();
        let stills: Option<Vec<_>> = cases
            .into_par_iter()
            .zip(&report.cases)
            .map(|(case, begun)| self.finish_case(case, begun, &results.figure_formats, wanted))
            .collect::<Result<_, _>>()?;
        let Some(stills) = stills else {
            return Ok(false);
        };
        let timings = timings::timings(results);
        whole_file::write(&self.out.join("timings.json"), timings.as_bytes())?;
        html::write(&self.out, results, &stills)?;
        results.report.earlier.clone_from(&report.earlier);
        let written = self.write_results(&results.report);
        results.report.earlier.clear();
        written?;
        // An incomplete report keeps its records, from which the same command goes on.
        if results.report.complete && !self.keeps_records {
            for case in results.cases() {
                for run in case.artifacts.runs.iter() {
                    let [_, beside] = run_record::names(&run.stem());
                    whole_file::remove(&self.out.join(&case.report.name).join(beside))?;
                }
            }
        }
        Ok(true)
    }

    /// Writes everything of a case but the runs that are written already. Returns its figures, or `None` if it was stopped.
    fn finish_case(
        &self,
        case: Case,
        begun: &CaseReport,
        formats: &[FigureFormat],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<DrawnFigure>>, OutputError> {
        let dir = self.out.join(&case.report.name);
        for run in case
            .artifacts
            .runs
            .iter()
            .filter(|r| begun.missing.contains(&r.stem()))
        {
            if !wanted() {
                return Ok(None);
            }
            run_record::write(&dir, None, run)?;
        }
        for file in case.findings().flat_map(|f| &f.files) {
            if !wanted() {
                return Ok(None);
            }
            whole_file::write_with(&dir.join(&file.name), |out| (file.write)(out))?;
        }
        if formats.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let drawn = figures(case)?;
        for file in figure_files(&drawn, formats)? {
            if !wanted() {
                return Ok(None);
            }
            whole_file::write(&dir.join(file.name), &file.contents)?;
        }
        Ok(Some(drawn))
    }

    fn write_results(&self, report: &Report) -> Result<(), WriteError> {
        whole_file::write(&self.out.join("results.json"), pretty(report).as_bytes())
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) -> MutexGuard<'_, Option<OutputError>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunStore for Output {
    fn find(&self, suite: &Suite, plan: &RunPlan) -> Option<SchemeRun> {
        let case = &suite.problem.name;
        let key = run_record::RunKey::new(&self.program, suite, plan);
        if let Some(found) = run_record::read(&self.out.join(case), &key, plan) {
            self.report().made(case, &plan.stem());
            return Some(found);
        }
        let mut shards = self.shards.iter();
        shards.find_map(|shard| run_record::read(&shard.join(case), &key, plan))
    }

    fn keep(&self, suite: &Suite, plan: &RunPlan, run: &SchemeRun) {
        if run.outcome().is_err() {
            return;
        }
        let case = &suite.problem.name;
        let key = run_record::RunKey::new(&self.program, suite, plan);
        let written = run_record::write(&self.out.join(case), Some(key), run).and_then(|()| {
            let mut report = self.report();
            report.made(case, &run.stem());
            let mut updated = self.updated.lock().unwrap_or_else(PoisonError::into_inner);
            if updated.elapsed() < UPDATE_INTERVAL {
                return Ok(());
            }
            *updated = Instant::now();
            self.write_results(&report)
        });
        if let Err(error) = written {
            *self.failed() = Some(error.into());
        }
    }

    fn has_failed(&self) -> bool {
        self.failed().is_some()
    }
}

/// The files that `results.json` and `timings.json` of an earlier command list.
#[derive(Deserialize, Default)]
struct EarlierFiles {
    #[serde(default)]
    cases: Vec<WrittenCase>,
    #[serde(default)]
    earlier: Vec<WrittenCase>,
}

/// Returns the files that earlier commands wrote for these cases, except those of runs that can be taken over, and the files
/// that they wrote for other cases. The former have to go: files of other steps or schemes would pass for results of this
/// command.
fn written_before(report: &Report, out: &Path) -> (Vec<PathBuf>, Vec<WrittenCase>) {
    let read = |name: &str| -> Vec<WrittenCase> {
        let path = out.join(name);
        let text = if path.is_file() {
            std::fs::read_to_string(path).unwrap_or_default()
        } else {
            String::new()
        };
        let before: EarlierFiles = serde_json::from_str(&text).unwrap_or_default();
        [before.cases, before.earlier].concat()
    };
    let mut listed = ["results.json", "timings.json"].map(read).concat();
    let mut stale = Vec::new();
    for case in &report.cases {
        let dir = out.join(&case.name);
        let entries = std::fs::read_dir(&dir).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let stems: Vec<String> = names
            .filter_map(|name| Some(run_record::stem_of(&name)?.to_string()))
            .collect();
        let (resumed, gone): (Vec<_>, Vec<_>) =
            stems.iter().partition(|stem| case.missing.contains(stem));
        let kept: Vec<String> = resumed
            .iter()
            .flat_map(|stem| run_record::names(stem))
            .collect();
        let listed = listed.iter_mut().filter(|t| t.name == case.name);
        let mut files: Vec<String> = listed.flat_map(|t| std::mem::take(&mut t.files)).collect();
        files.extend(gone.iter().flat_map(|stem| run_record::names(stem)));
        // Only plain file names are removed, whatever somebody wrote into that JSON.
        files.retain(|name| is_plain(name) && !kept.contains(name));
        stale.extend(files.iter().map(|name| dir.join(name)));
    }
    listed.retain(|t| report.cases.iter().all(|case| case.name != t.name));
    let mut earlier: Vec<WrittenCase> = Vec::new();
    for other in listed {
        match earlier.iter_mut().find(|e| e.name == other.name) {
            Some(same) => same.files.extend(other.files),
            None => earlier.push(other),
        }
    }
    (stale, earlier)
}

fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none()
}
