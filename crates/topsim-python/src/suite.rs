//! Built-in cases and the catalogue of schemes.

use super::watch::watched;
use super::{bytes, invalid};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use topsim::report::{HtmlPage, Human, Json, Renderer, TextStyle};
use topsim::run::{Options, Results, execute};
use topsim::suite::{SourceText, Suite, SuiteSource, builtin};
use topsim_case::CaseSource;
use topsim_core::integration::registry;

/// Returns names and titles of the built-in cases.
#[pyfunction]
pub fn cases() -> Vec<(String, String)> {
    let all = topsim_case::builtin::BUILTIN.iter();
    let named = all.filter_map(|b| topsim_case::Problem::builtin(b.name));
    named.map(|p| (p.name, p.title)).collect()
}

/// Returns names, orders and titles of the schemes.
#[pyfunction]
pub fn schemes() -> Vec<(&'static str, u8, &'static str)> {
    let all = registry::names().filter_map(registry::find);
    all.map(|row| (row.info.name, row.info.claims.order, row.info.title))
        .collect()
}

/// Cases that were run and judged.
#[pyclass(frozen, name = "Run")]
pub struct PyRun {
    results: Results,
}

#[pymethods]
impl PyRun {
    /// Returns the contents of `results.json`.
    fn json(&self) -> String {
        Json.render(&self.results)
    }
    /// Returns the output of `topsim run`.
    fn text(&self, verbose: bool) -> String {
        let style = TextStyle {
            verbose,
            ..TextStyle::default()
        };
        Human(style).render(&self.results)
    }
    /// Returns the page `report.html`.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| HtmlPage.render(&self.results))
    }
    /// Returns for each run: case, scheme, step, times, names of the columns, rows.
    #[expect(clippy::type_complexity)]
    fn histories<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<
        Vec<(
            String,
            String,
            f64,
            Bound<'py, PyBytes>,
            Vec<String>,
            Bound<'py, PyBytes>,
        )>,
    > {
        let mut all = Vec::new();
        for case in self.results.cases() {
            for item in &case.artifacts.runs {
                let run = &item.run;
                let rows: Vec<f64> = (0..run.times.len())
                    .flat_map(|k| run.row(k).iter().copied())
                    .collect();
                all.push((
                    case.report.name.clone(),
                    item.scheme.clone(),
                    run.h,
                    bytes(py, &run.times)?,
                    run.columns.names().map(Into::into).collect(),
                    bytes(py, &rows)?,
                ));
            }
        }
        Ok(all)
    }
}

fn source(case: &str) -> PyResult<SuiteSource> {
    if let Some(source) = builtin(case) {
        return Ok(source);
    }
    // The case is read as a problem first, so that a wrong name or file gives an error message.
    let problem = super::problem::load(case)?;
    let text = std::fs::read_to_string(case)?;
    let path = std::path::Path::new(case);
    let folder = path.parent().and_then(|p| p.parent());
    let expected = folder.map(|f| f.join("expected").join(format!("{}.toml", problem.name)));
    let expected = expected.and_then(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        let path = path.display().to_string();
        Some(SourceText { path, text })
    });
    Ok(SuiteSource {
        case: CaseSource {
            name: problem.name,
            path: case.into(),
            text,
        },
        expected,
        baseline: None,
    })
}

/// Largest number of threads, as in the program.
const MOST_JOBS: usize = 1024;

/// Runs and judges cases.
#[pyfunction]
pub fn run(py: Python<'_>, cases: Vec<String>, jobs: Option<usize>) -> PyResult<PyRun> {
    let mut suites = Vec::new();
    for case in &cases {
        let suite = Suite::read(&source(case)?).map_err(|all| {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            invalid(all.join("\n"))
        })?;
        if suite.problem.only_judged {
            let path = &suite.problem.origin;
            return Err(invalid(format!(
                "{path}: found no `schemes` in [run], so that there is nothing to run; allowed: schemes, or a solver for `topsim.judge`"
            )));
        }
        suites.push(suite);
    }
    if let Some(jobs) = jobs.filter(|jobs| !(1..=MOST_JOBS).contains(jobs)) {
        return Err(invalid(format!(
            "jobs: found {jobs}; allowed: a number from 1 to {MOST_JOBS}"
        )));
    }
    let mut options = Options::default();
    options.jobs = jobs;
    options.revision = "unknown".into();
    let results = watched(py, |stop| execute(suites, &options, &(), stop))?;
    Ok(PyRun {
        results: results.map_err(invalid)?,
    })
}
