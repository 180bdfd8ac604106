//! Judging of a Python function: it is called on the thread of the interpreter, while the judge works on
//! another thread.

use super::problem::load;
use super::{floats, invalid};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use topsim::report::{HtmlPage, Human, Json, Renderer, TextStyle};
use topsim::run::{Artifacts, Histories, Results};
use topsim_case::Problem;
use topsim_judge::{
    AcceptedDefects, Claims, FunctionAnswer, FunctionFailure, HistoryFile, JudgeError, Reading,
    Report as HistoryReport, Solver, SolverFunction, Watch, judge_solver,
};
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{OnlyStep, ProblemChoice, ProblemForm};

/// Interval at which Ctrl-C is polled while Rust works.
const POLL: Duration = Duration::from_millis(20);

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

/// Formats rows of numbers as CSV below a line of column names.
#[pyfunction]
pub fn csv(header: &str, width: usize, rows: &[u8]) -> PyResult<String> {
    let numbers = floats(rows)?;
    let mut text = format!("{header}\n");
    for row in numbers.chunks(width.max(1)) {
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

/// Problem for the thread of the interpreter, and the channel for its answer.
type PendingProblem = (String, Sender<FunctionAnswer>);

/// Judges `answer(problem) -> ("csv", text, []) | ("skip", reason, []) | ("failed", message, lines)`.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub fn judge(
    py: Python<'_>,
    answer: &Bound<'_, PyAny>,
    name: String,
    cases: Vec<String>,
    steps: Vec<f64>,
    end: Option<f64>,
    claim: Option<&str>,
    accepted: Option<&str>,
    relations: Option<&str>,
    only_step: Option<f64>,
    tolerances: Vec<f64>,
) -> PyResult<JudgedReports> {
    let only_step = only_step.map(OnlyStep::written).transpose();
    let only_step = only_step.map_err(|e| invalid(format!("only_step: {e}")))?;
    let relations = relations.map_or(Ok(RelationsChoice::No), |r| r.parse().map_err(invalid))?;
    let problems: Vec<Problem> = cases.iter().map(|c| load(c)).collect::<PyResult<_>>()?;
    let claims = claims(claim)?;
    let (ask, asked) = channel::<PendingProblem>();
    let asked = Mutex::new(asked);
    let interrupt = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&interrupt);
    let worker = thread::spawn(move || {
        let ask = Mutex::new(ask);
        let function = SolverFunction::new(name, move |problem| {
            let (tell, told) = channel();
            let ask = ask.lock().unwrap_or_else(PoisonError::into_inner);
            let sent = ask.send((problem.into(), tell));
            let answer = sent.ok().and_then(|()| told.recv().ok());
            answer.unwrap_or_else(|| Err(failure("interrupted".into(), Vec::new())))
        });
        let solver = Solver {
            program: function.into(),
            form: ProblemForm::Json,
            time_limit: Duration::MAX,
            jobs: Some(1),
            claims,
            tolerance: tolerances.iter().copied().reduce(f64::min),
            only_step,
        };
        let watch = Watch {
            interrupt: &stop,
            ended: &|_| (),
        };
        let choice = ProblemChoice {
            steps,
            tolerances,
            end,
            relations,
        };
        let judged = judge_solver(&problems, &choice, &solver, &Reading::default(), &watch);
        (problems, judged)
    });
    let raised = serve(py, answer, &asked, &interrupt);
    // No thread waits for an answer any more.
    drop(asked);
    let (problems, judged) = py
        .detach(|| worker.join())
        .map_err(|_| invalid("topsim failed while judging: please report it"))?;
    raised?;
    let judged = judged.map_err(failed)?;
    let mut reports = judged.cases;
    accept(&mut reports, accepted, &claims)?;
    Ok(JudgedReports {
        problems,
        reports,
        solver: Some(judged.solver),
    })
}

fn failure(message: String, lines: Vec<String>) -> FunctionFailure {
    FunctionFailure::Failed { message, lines }
}

/// Answers problems until the judge has ended; an exception that is no `Exception`, such as Ctrl-C, ends the
/// loop.
fn serve(
    py: Python<'_>,
    answer: &Bound<'_, PyAny>,
    asked: &Mutex<Receiver<PendingProblem>>,
    interrupt: &AtomicBool,
) -> PyResult<()> {
    let next = || {
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.recv_timeout(POLL)
    };
    let stopped = |e: PyErr| {
        interrupt.store(true, Ordering::Relaxed);
        Err(e)
    };
    loop {
        match py.detach(next) {
            Ok((problem, tell)) => {
                let made = match answer.call1((problem,)).and_then(|a| answered(&a)) {
                    Ok(made) => made,
                    Err(e) if e.is_instance_of::<PyException>(py) => {
                        Err(failure(e.to_string(), Vec::new()))
                    }
                    Err(e) => return stopped(e),
                };
                // Sending fails only if the judge no longer waits for this answer.
                let _ = tell.send(made);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(e) = py.check_signals() {
                    return stopped(e);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

fn answered(answer: &Bound<'_, PyAny>) -> PyResult<FunctionAnswer> {
    let (kind, text, lines): (String, String, Vec<String>) = answer.extract()?;
    Ok(match kind.as_str() {
        "csv" => Ok(text),
        "skip" => Err(FunctionFailure::Skipped(text)),
        _ => Err(failure(text, lines)),
    })
}

/// Judges histories of one case, given by names, CSV texts and steps.
#[pyfunction]
pub fn judge_histories(
    py: Python<'_>,
    case: &str,
    files: Vec<(String, String, Option<f64>)>,
    claim: Option<&str>,
    accepted: Option<&str>,
) -> PyResult<JudgedReports> {
    let problem = load(case)?;
    let files = files.into_iter().map(|(name, text, step)| HistoryFile {
        name,
        input: Box::new(std::io::Cursor::new(text.into_bytes())),
        step,
    });
    let files: Vec<HistoryFile> = files.collect();
    let claims = claims(claim)?;
    let report = py.detach(|| {
        let never = AtomicBool::new(false);
        topsim_judge::judge_histories(&problem, files, &Reading::default(), &never)
    });
    let mut reports = vec![report.map_err(failed)?];
    accept(&mut reports, accepted, &claims)?;
    Ok(JudgedReports {
        problems: vec![problem],
        reports,
        solver: None,
    })
}
