//! `topsim compare`: several solvers on the same cases.

use super::args::{CaseArgs, CompareArgs, NamedSolver};
use super::find::{self, Tolerances};
use super::terminal::{Terminal, watch_interrupts};
use super::{Answer, Failure, exit, judge, run};
use crate::report::{ComparedSolver, comparison, comparison_csv, comparison_figures, pretty};
use document::Markup;
use serde_json::{Map, Value};
use std::path::Path;
use strict_toml::clip;
use topsim_case::{NAMES_ALLOWED, Problem, is_name};
use topsim_judge::{Reading, Report, Solver, Watch, judge_solver};
use topsim_protocol::problem::{ProblemChoice, SolverProblem};
use topsim_protocol::solver::time_of_step;

pub(super) fn compare(args: &CompareArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let twice = |(i, s): (usize, &NamedSolver)| args.solvers[..i].iter().any(|o| o.name == s.name);
    if let Some((_, solver)) = args.solvers.iter().enumerate().find(|s| twice(*s)) {
        return Err(Failure::Invalid(format!(
            "error: --solver: found the name `{}` twice; allowed: NAME=COMMAND with a name of its own for each",
            solver.name
        )));
    }
    let is_taken = |s: &&NamedSolver| !is_name(&s.name) || FILES.contains(&&*s.name);
    if let Some(solver) = args.solvers.iter().find(is_taken) {
        return Err(Failure::Invalid(format!(
            "error: --solver: found the name `{}`, which would name a folder of results; allowed: NAME=COMMAND with a name of {NAMES_ALLOWED}, \
             or {}",
            clip(&solver.name, 40),
            FILES.join(", ")
        )));
    }
    if let Some(out) = &args.out {
        whole_file::folder(out)?;
    }
    let cases = judge::cases_or_all(&args.cases);
    let (_, suites) = find::load(&CaseArgs::of(cases), Tolerances::Ignored, terminal)?;
    let (problems, hashes): (Vec<Problem>, Vec<String>) =
        suites.into_iter().map(|s| (s.problem, s.hash)).unzip();
    let reading = args.reading.reading();
    let choice = ProblemChoice {
        steps: args.steps.clone(),
        end: args.end,
        ..ProblemChoice::default()
    };
    let bar = terminal.spinner();
    bar.set_length(args.solvers.len() as u64);
    let mut compared = Vec::new();
    for NamedSolver { name, command } in &args.solvers {
        bar.set_message(format!("judging {name}"));
        let (form, limit) = (args.protocol, args.time_limit);
        let solver = judge::solver_of(command, form, limit, args.jobs, args.only_step);
        let watch = Watch {
            interrupt: watch_interrupts(),
            ended: &|_| {},
        };
        let judged = judge_solver(&problems, &choice, &solver, &reading, &watch);
        let mut reports = judged.map_err(judge::failure)?.cases;
        let claims = args.claim.unwrap_or_default();
        reports.iter_mut().for_each(|report| report.claim(&claims));
        bar.set_message(format!("timing {name}"));
        let seconds = match args.no_times {
            true => None,
            false => seconds((&problems, &choice), &reports, &solver, &reading),
        };
        compared.push(ComparedSolver {
            name: name.clone(),
            reports,
            seconds,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut text = terminal.shown(&comparison(&compared, args.verbose));
    let complete = compared
        .iter()
        .flat_map(|s| &s.reports)
        .all(Report::complete);
    if let Some(out) = &args.out {
        write(&compared, out)?;
        for solver in compared {
            let mut results = judge::results((&problems, &hashes), solver.reports, true, terminal)?;
            run::write_all(&mut results, &out.join(&solver.name))?;
        }
        if !terminal.quiet {
            text += &format!("\n{}", run::results_in(out));
        }
    }
    let status = if complete {
        exit::PASSED
    } else {
        exit::INCOMPLETE
    };
    Ok(Answer { text, status })
}

/// Returns the time of a step on the first case of which the solver has histories.
fn seconds(
    (problems, choice): (&[Problem], &ProblemChoice),
    reports: &[Report],
    solver: &Solver,
    reading: &Reading,
) -> Option<f64> {
    let answered = problems
        .iter()
        .zip(reports)
        .filter(|(_, r)| !r.files.is_empty());
    let mut times = answered.filter_map(|(problem, _)| {
        let posed = SolverProblem::all(problem, choice).ok()?;
        time_of_step(posed.last()?, solver, reading, watch_interrupts()).ok()
    });
    times.next()
}

/// Writes the page, the tables, the times and the figures of a comparison.
fn write(solvers: &[ComparedSolver], out: &Path) -> Result<(), Failure> {
    let document = comparison(solvers, true);
    let mut page = format!("<h1>{TITLE}</h1>\n{}", document::Html.render(&document));
    for (stem, plot) in comparison_figures(solvers) {
        let svg = topsim_plot::svg(&plot).map_err(|e| Failure::Io(format!("{stem}: {e}")))?;
        whole_file::write(&out.join(format!("{stem}.svg")), svg.as_bytes())?;
        page += &svg;
    }
    let times = solvers
        .iter()
        .filter_map(|s| Some((s.name.clone(), s.seconds?.into())));
    let times: Map<String, Value> = times.collect();
    let [html, markdown, csv] = FILES;
    let files = [
        (html, document::Html.page_of(TITLE, &page)),
        (markdown, document::Markdown.render(&document)),
        (csv, comparison_csv(solvers)),
        (
            "timings.json",
            pretty(&serde_json::json!({ "seconds_per_step": times })),
        ),
    ];
    for (name, text) in files {
        whole_file::write(&out.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// Names of the page and of the tables beside the folders of the solvers.
const FILES: [&str; 3] = ["compare.html", "compare.md", "compare.csv"];
/// Title of the page.
const TITLE: &str = "Solvers compared";
