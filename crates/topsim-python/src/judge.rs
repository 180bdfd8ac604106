//! Judging of a Python function: the thread of the interpreter asks for problems and answers them, while the judge works on another
//! thread.

use super::problem::load;
use super::watch::{POLL, watched};
use super::{floats, invalid};
use document::{Console, Markup};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::fmt::{Display, Write};
use std::io::Cursor;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use topsim::report::{HtmlPage, Human, Json, Renderer, TextStyle};
use topsim::run::{Artifacts, Histories, Results};
use topsim_case::Problem;
use topsim_hunt::show::{covered, hunted};
use topsim_hunt::{HuntOptions, HuntReport, HuntTarget, HuntWatch, hunt};
use topsim_judge::{
    AcceptedDefects, Claims, FunctionFailure, HistoryFile, JudgeError, Reading,
    Report as HistoryReport, Solver, SolverFunction, SolverReport, Watch, judge_solver,
};
use topsim_protocol::history::RenamedColumn;
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{OnlyStep, ProblemChoice, ProblemForm};

/// Reports of the judge with their problems.
#[pyclass(frozen)]
pub struct JudgedReports {
    problems: Vec<Problem>,
    reports: Vec<HistoryReport>,
    solver: Option<String>,
}

impl JudgedReports {
    fn results(&self, drawn: bool) -> PyResult<Results> {
        let never = AtomicBool::new(false);
        let of = |(problem, report): (&Problem, &HistoryReport)| {
            let report = report.clone();
            let histories = if drawn {
                Histories::drawn(problem, report, &never).map_err(invalid)?
            } else {
                Histories::new(report)
            };
            Ok(Artifacts::of_histories(problem, histories))
        };
        let cases = self.problems.iter().zip(&self.reports).map(of);
        let cases = cases.collect::<PyResult<_>>()?;
        Ok(Results::new("unknown", cases).of_solver(self.solver.clone()))
    }
}

#[pymethods]
impl JudgedReports {
    /// Returns the output of `topsim judge --format json`.
    fn json(&self) -> PyResult<String> {
        Ok(Json.render(&self.results(false)?))
    }
    /// Returns the output of `topsim judge`.
    fn text(&self, verbose: bool) -> PyResult<String> {
        let style = TextStyle {
            verbose,
            ..TextStyle::default()
        };
        Ok(Human(style).render(&self.results(false)?))
    }
    /// Returns the page `report.html`.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| Ok(HtmlPage.render(&self.results(true)?)))
    }
}

/// Returns the names of the cases made for judging.
#[pyfunction]
pub fn judging_set() -> Vec<&'static str> {
    topsim_case::builtin::made_for_judging().collect()
}

/// Bytes of the longest double, such as -2.2250738585072014e-308, and a comma.
const LONGEST_NUMBER: usize = 25;

/// Formats rows of numbers as CSV below a line of column names.
#[pyfunction]
pub fn csv(header: &str, width: usize, rows: &[u8]) -> PyResult<String> {
    let numbers = floats(rows)?;
    let mut text = format!("{header}\n");
    for row in numbers.chunks(width.max(1)) {
        let longer = text.try_reserve(row.len() * LONGEST_NUMBER + 1);
        longer.map_err(|e| PyMemoryError::new_err(e.to_string()))?;
        for (i, x) in row.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{comma}{x:?}");
        }
        text.push('\n');
    }
    Ok(text)
}

fn accept(reports: &mut [HistoryReport], accepted: Option<&str>, claims: &Claims) -> PyResult<()> {
    for report in reports.iter_mut() {
        report.claim(claims);
    }
    if let Some(path) = accepted {
        let text = std::fs::read_to_string(Path::new(path))?;
        let names: Vec<String> = reports.iter().map(|r| r.case.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let list = AcceptedDefects::read(path, &text, &names).map_err(invalid)?;
        list.accept(reports, path);
    }
    Ok(())
}

fn claims(text: Option<&str>) -> PyResult<Claims> {
    text.map_or(Ok(Claims::default()), |t| t.parse().map_err(invalid))
}

fn failed(e: JudgeError) -> PyErr {
    match e {
        JudgeError::Interrupted => PyKeyboardInterrupt::new_err(()),
        e => invalid(e),
    }
}

/// Bytes that a command would print, or why there are none.
type AnswerBytes = Result<Vec<u8>, FunctionFailure>;
/// Problem for the thread of the interpreter, and the channel for its answer.
type PendingProblem = (String, Sender<AnswerBytes>);
/// What came of it.
enum Told {
    /// Problems with what the judge says of their solver.
    Judged(Vec<Problem>, Box<Result<SolverReport, JudgeError>>),
    /// Report of a hunt.
    Hunted(Box<HuntReport>),
}

/// Judging under way. The interpreter asks for a problem, calls the solver, and gives the answer: so no function of Python is ever
/// called from here, and the interpreter may end while one runs.
#[pyclass(frozen)]
pub struct Judging {
    asked: Mutex<Option<Receiver<PendingProblem>>>,
    tell: Mutex<Option<Sender<AnswerBytes>>>,
    interrupt: Arc<AtomicBool>,
    worker: Mutex<Option<JoinHandle<Told>>>,
    claims: Claims,
    accepted: Option<String>,
}

impl Judging {
    /// Has a thread work with a solver whose problems the interpreter answers.
    fn begin(
        (name, form): (String, ProblemForm),
        claims: Claims,
        accepted: Option<String>,
        work: impl FnOnce(SolverFunction, ProblemForm, &AtomicBool) -> Told + Send + 'static,
    ) -> PyResult<Self> {
        let (ask, asked) = channel::<PendingProblem>();
        let interrupt = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&interrupt);
        let worker = thread::Builder::new().spawn(move || {
            let ask = Mutex::new(ask);
            let function = SolverFunction::of_bytes(name, move |problem| {
                let (tell, told) = channel();
                let sent = locked(&ask).send((problem.into(), tell));
                let answer = sent.ok().and_then(|()| told.recv().ok());
                answer.unwrap_or_else(|| Err(failure("interrupted".into(), Vec::new())))
            });
            work(function, form, &stop)
        })?;
        Ok(Self {
            asked: Mutex::new(Some(asked)),
            tell: Mutex::default(),
            interrupt,
            worker: Mutex::new(Some(worker)),
            claims,
            accepted,
        })
    }

    /// Waits for what came of it.
    fn told(&self, py: Python<'_>) -> PyResult<Told> {
        let worker = locked(&self.worker).take().ok_or_else(broken)?;
        py.detach(|| worker.join()).map_err(|_| broken())
    }
}

fn broken() -> PyErr {
    invalid("topsim failed while judging: please report it")
}

fn one_step(seconds: Option<f64>) -> PyResult<Option<OnlyStep>> {
    let step = seconds.map(OnlyStep::written).transpose();
    step.map_err(|e| invalid(format!("only_step: {e}")))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Judging {
    /// Begins.
    #[new]
    #[expect(clippy::too_many_arguments)]
    fn new(
        name: String,
        cases: Vec<String>,
        steps: Vec<f64>,
        end: Option<f64>,
        claim: Option<&str>,
        accepted: Option<String>,
        relations: Option<&str>,
        only_step: Option<f64>,
        tolerances: Vec<f64>,
        batches: bool,
    ) -> PyResult<Self> {
        let only_step = one_step(only_step)?;
        let relations =
            relations.map_or(Ok(RelationsChoice::No), |r| r.parse().map_err(invalid))?;
        let problems: Vec<Problem> = cases.iter().map(|c| load(c)).collect::<PyResult<_>>()?;
        let claims = claims(claim)?;
        let form = if batches {
            ProblemForm::Batch
        } else {
            ProblemForm::Json
        };
        Self::begin(
            (name, form),
            claims,
            accepted,
            move |function, form, stop| {
                let solver = Solver {
                    program: function.into(),
                    form,
                    time_limit: Duration::MAX,
                    jobs: Some(1),
                    claims,
                    tolerance: tolerances.iter().copied().reduce(f64::min),
                    only_step,
                };
                let watch = Watch {
                    interrupt: stop,
                    ended: &|_| (),
                };
                let choice = ProblemChoice {
                    steps,
                    tolerances,
                    end,
                    relations,
                };
                let judged = judge_solver(&problems, &choice, &solver, &Reading::default(), &watch);
                Told::Judged(problems, Box::new(judged))
            },
        )
    }

    /// Begins a hunt with so many problems, in batches of so many worlds.
    #[staticmethod]
    fn hunt(
        name: String,
        problems: u64,
        seed: u64,
        worlds: usize,
        claim: Option<&str>,
        only_step: Option<f64>,
    ) -> PyResult<Self> {
        let (claims, only_step) = (claims(claim)?, one_step(only_step)?);
        let named = (name, ProblemForm::Batch);
        Self::begin(named, claims, None, move |function, form, stop| {
            let solver = Solver {
                program: function.into(),
                form,
                time_limit: Duration::MAX,
                jobs: None,
                claims,
                tolerance: None,
                only_step,
            };
            let options = HuntOptions {
                claims,
                seed,
                problems: Some(problems),
                worlds: Some(worlds),
                ..HuntOptions::default()
            };
            let watch = HuntWatch {
                interrupt: stop,
                go_on: &mut |_| true,
                found: &mut |_, _| (),
            };
            let reading = Reading::default();
            let target = HuntTarget::Solver(&solver, &reading);
            Told::Hunted(Box::new(hunt(target, &options, watch)))
        })
    }

    /// Returns the next problem as JSON; none where all are answered.
    fn problem(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let next = || {
            let asked = locked(&self.asked);
            asked
                .as_ref()
                .map_or(Err(RecvTimeoutError::Disconnected), |a| {
                    a.recv_timeout(POLL)
                })
        };
        loop {
            match py.detach(next) {
                Ok((problem, tell)) => {
                    *locked(&self.tell) = Some(tell);
                    return Ok(Some(problem));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Takes the answer to the problem: `"rows"` with CSV or an array, `"skip"` with the reason, or `"failed"` with a message and lines.
    fn answer(&self, kind: &str, said: &[u8], lines: Vec<String>) {
        let text = || String::from_utf8_lossy(said).into_owned();
        let answer = match kind {
            "rows" => Ok(said.to_vec()),
            "skip" => Err(FunctionFailure::Skipped(text())),
            _ => Err(failure(text(), lines)),
        };
        if let Some(tell) = locked(&self.tell).take() {
            // Sending fails only if the judge no longer waits for this answer.
            let _ = tell.send(answer);
        }
    }

    /// Ends it before its end.
    fn stop(&self, py: Python<'_>) {
        self.interrupt.store(true, Ordering::Relaxed);
        // No thread waits for an answer any more.
        *locked(&self.tell) = None;
        *locked(&self.asked) = None;
        if let Some(worker) = locked(&self.worker).take() {
            // What a stopped judge says does not matter.
            let _ = py.detach(|| worker.join());
        }
    }

    /// Returns the reports.
    fn reports(&self, py: Python<'_>) -> PyResult<JudgedReports> {
        let Told::Judged(problems, judged) = self.told(py)? else {
            return Err(broken());
        };
        let judged = (*judged).map_err(failed)?;
        let mut reports = judged.cases;
        accept(&mut reports, self.accepted.as_deref(), &self.claims)?;
        Ok(JudgedReports {
            problems,
            reports,
            solver: Some(judged.solver),
        })
    }

    /// Returns the report of a hunt: whether it passed, JSON, and the text of `topsim hunt`.
    fn hunted(&self, py: Python<'_>) -> PyResult<(bool, String, String)> {
        let Told::Hunted(report) = self.told(py)? else {
            return Err(broken());
        };
        let mut text = hunted(&report);
        text.append(covered(&report.coverage));
        let json = serde_json::to_string_pretty(&report).map_err(invalid)?;
        let text = Console::default().render(&text);
        Ok((report.passed(), json, text))
    }
}

fn failure(message: String, lines: Vec<String>) -> FunctionFailure {
    FunctionFailure::Failed { message, lines }
}

/// Conventions by which files are read: the order of quaternions, Euler angles, whether the attitude takes space to body, frame and unit of the
/// rate, and names of columns with their headers.
type ReadingArguments = (
    Option<String>,
    Option<String>,
    bool,
    Option<String>,
    Option<String>,
    Vec<(String, String)>,
);

fn reading(arguments: ReadingArguments) -> PyResult<Reading> {
    let (quaternion, euler, transposed, rate_frame, rate_unit, columns) = arguments;
    fn read<T: FromStr<Err: Display>>(name: &str, text: Option<String>) -> PyResult<Option<T>> {
        let wrong = |text: &str, e| invalid(format!("{name}: found {text:?}; {e}"));
        text.map(|text| text.parse().map_err(|e| wrong(&text, e)))
            .transpose()
    }
    let columns = columns.iter().map(|(name, header)| {
        let column = RenamedColumn::new(name, header);
        column.map_err(|e| invalid(format!("columns: found {name:?} for {header:?}; {e}")))
    });
    Ok(Reading {
        columns: columns.collect::<PyResult<_>>()?,
        quaternion: read("quaternion", quaternion)?,
        euler: read("euler", euler)?,
        transposed,
        rate_frame: read("rate_frame", rate_frame)?,
        rate_unit: read("rate_unit", rate_unit)?,
    })
}

/// Judges histories of one case, given by names, CSV texts and steps.
#[pyfunction]
pub fn judge_histories(
    py: Python<'_>,
    case: &str,
    files: Vec<(String, PyBackedBytes, Option<f64>)>,
    claim: Option<&str>,
    accepted: Option<&str>,
    read: ReadingArguments,
) -> PyResult<JudgedReports> {
    let problem = load(case)?;
    let files = files.into_iter().map(|(name, text, step)| HistoryFile {
        name,
        input: Box::new(Cursor::new(text)),
        step,
    });
    let files: Vec<HistoryFile> = files.collect();
    let (claims, reading) = (claims(claim)?, reading(read)?);
    let report = watched(py, |stop| {
        topsim_judge::judge_histories(&problem, files, &reading, stop)
    })?;
    let mut reports = vec![report.map_err(failed)?];
    accept(&mut reports, accepted, &claims)?;
    Ok(JudgedReports {
        problems: vec![problem],
        reports,
        solver: None,
    })
}
