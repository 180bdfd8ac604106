//! `topsim judge`: judges histories or a solver, or prints the problem that a solver would get.

use super::args::{CaseArgs, JudgeArgs};
use super::command_facts::{hashed, made, program_file};
use super::find::{self, Tolerances};
use super::plain::plain;
use super::terminal::{Terminal, watch_interrupts};
use super::{Answer, Failure, build, inputs, judge_file, model_file, run};
use crate::figure::FigureFormat;
use crate::report::{CREDIBILITY_TITLE, OutputError, credibility};
use crate::run::{Artifacts, CommandFacts, Histories, Results};
use crate::suite::Suite;
use document::{Markup, wrapped};
use indicatif::ProgressBar;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use topsim_case::Problem;
use topsim_judge::{
    AcceptedDefects, Claims, HistoryFile, JudgeError, JudgeErrorKind, Report as HistoryReport,
    Solver, SolverCommand, Watch, identify_model, judge_histories, judge_solver,
};
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{OnlyStep, ProblemChoice, ProblemForm, SolverProblem};
use whole_file::FolderLock;

/// Longest time for one step, unless another one is given, s.
pub(super) const TIME_LIMIT: f64 = 60.0;

pub(super) fn judge(args: &JudgeArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    if let Some(case) = args.cases.first().filter(|_| args.all) {
        return Err(Failure::Invalid(format!(
            "error: found `{case}` beside --all, which takes all cases made for judging; allowed: one of them; the command of a \
             solver is given as --solver \"COMMAND\""
        )));
    }
    let filled;
    let args = if args.solver.is_none() && args.history.is_empty() && !args.problem {
        filled = judge_file::fill(args, terminal)?;
        &filled
    } else {
        args
    };
    keep_inputs(args)?;
    // A folder that cannot be made, or that another program writes to, is reported before the solver runs.
    if let Some(out) = &args.out {
        whole_file::folder(out)?;
        drop(FolderLock::take(out).map_err(OutputError::from)?);
    }
    let only = args.relations == Some(RelationsChoice::Only);
    if only && args.claim.is_some() {
        return Err(Failure::Invalid(
            "error: found a claim beside `--relations only`, which needs no reference and judges no claim; allowed: one \
             of them, or `--relations`"
                .into(),
        ));
    }
    let placed = args
        .solver
        .as_ref()
        .is_some_and(SolverCommand::takes_tolerance);
    if placed && args.tolerances.is_empty() {
        return Err(Failure::Invalid(
            "error: found `{tolerance}` in the command, and no tolerance; allowed: `--tolerances 1e-4,1e-6,1e-8` beside it".into(),
        ));
    }
    match &args.solver {
        Some(command) => solver(args, command, terminal),
        None if args.problem => problem(args, terminal),
        None => histories(args, terminal),
    }
}

/// Refuses to write files that are read. A list of accepted defects may be written anew.
fn keep_inputs(args: &JudgeArgs) -> Result<(), Failure> {
    let [page, model, list] =
        [&args.credibility_report, &args.model, &args.write_accepted].map(Option::as_deref);
    let read = || {
        let cases = args.cases.iter().map(Path::new);
        let files = args.history.iter().map(PathBuf::as_path);
        cases.chain(files).chain([Path::new(judge_file::NAME)])
    };
    let written: Vec<&Path> = args.report.paths().chain(page).chain(model).collect();
    inputs::keep(read().chain(args.accepted.as_deref()), &written)?;
    inputs::keep(read(), list.as_slice())
}

/// Reads the one case that is asked for.
fn single(args: &JudgeArgs, terminal: &Terminal) -> Result<Suite, Failure> {
    match &args.cases[..] {
        [one] => find::single(one, terminal),
        all => {
            let is_history = |name: &&String| name.to_lowercase().ends_with(".csv");
            let hint = all.iter().find(is_history).map_or(String::new(), |name| {
                format!(" (`{name}` is no case: write `--history` before each history)")
            });
            Err(Failure::Invalid(format!(
                "error: found {} cases{hint}; allowed: one, or several with --solver",
                all.len()
            )))
        }
    }
}

/// Returns a solver with these options.
pub(super) fn solver_of(
    command: &SolverCommand,
    form: Option<ProblemForm>,
    time_limit: Option<f64>,
    jobs: Option<u16>,
    only_step: Option<OnlyStep>,
) -> Solver {
    Solver {
        program: command.clone().into(),
        form: form.unwrap_or_default(),
        time_limit: Duration::from_secs_f64(time_limit.unwrap_or(TIME_LIMIT)),
        jobs: jobs.map(usize::from),
        claims: Claims::default(),
        tolerance: None,
        only_step,
    }
}

/// Returns the cases that are named, or those made for judging.
pub(super) fn cases_or_all(named: &[String]) -> Vec<String> {
    if named.is_empty() {
        let made = topsim_case::builtin::made_for_judging();
        return made.map(Into::into).collect();
    }
    named.to_vec()
}

fn choice(args: &JudgeArgs) -> ProblemChoice {
    ProblemChoice {
        steps: args.steps.clone(),
        tolerances: args.tolerances.clone(),
        end: args.end,
        relations: args.relations.unwrap_or_default(),
    }
}

pub(super) fn failure(e: JudgeError) -> Failure {
    match e.kind() {
        JudgeErrorKind::Invalid => Failure::Invalid(e.to_string()),
        JudgeErrorKind::Io => Failure::Io(e.to_string()),
        JudgeErrorKind::Interrupted => Failure::Interrupted("nothing was judged".into()),
    }
}

fn problem(args: &JudgeArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let suite = single(args, terminal)?;
    let posed = SolverProblem::all(&suite.problem, &choice(args));
    let posed = posed.map_err(|e| Failure::Invalid(format!("error: {e}")))?;
    let form = args.protocol.unwrap_or_default();
    // The printed problem is what a solver would read.
    let Some(first) = posed.first() else {
        return Ok(Answer::ok(String::new()));
    };
    let text = match args.only_step.map(|only| only.pose(first)).transpose() {
        Ok(paced) => form.write(paced.as_ref().unwrap_or(first)),
        Err(why) => return Err(Failure::Invalid(format!("error: --only-step: {why}"))),
    };
    Ok(Answer::ok(text))
}

fn histories(args: &JudgeArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    if !args.steps.is_empty() && args.steps.len() != args.history.len() {
        return Err(Failure::Invalid(format!(
            "error: --steps: found {} for {} histories; allowed: none, or one for each history in their order",
            args.steps.len(),
            args.history.len()
        )));
    }
    let Suite { problem, hash, .. } = single(args, terminal)?;
    if let Some(out) = &args.out {
        let files = args.history.iter().map(PathBuf::as_path);
        inputs::keep_out_of(&out.join(&problem.name), files)?;
    }
    let accepted = read_accepted(args, &[&problem.name], terminal)?;
    let mut files = Vec::new();
    for (i, path) in args.history.iter().enumerate() {
        let name = path.display().to_string();
        let unread = |e| Failure::Io(format!("cannot read {name}: {e}"));
        let input = std::fs::File::open(path).map_err(unread)?;
        files.push(HistoryFile {
            name,
            input: Box::new(input),
            step: args.steps.get(i).copied(),
        });
    }
    let report = judge_histories(&problem, files, &args.reading.reading(), watch_interrupts());
    let reports = vec![report.map_err(failure)?];
    let judged = (reports, None);
    answer((&[problem], &[hash]), judged, accepted, args, terminal)
}

fn solver(
    args: &JudgeArgs,
    command: &SolverCommand,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let cases = cases_or_all(&args.cases);
    let (_, suites) = find::load(&CaseArgs::of(cases), Tolerances::Ignored, terminal)?;
    let (problems, hashes): (Vec<Problem>, Vec<String>) =
        suites.into_iter().map(|s| (s.problem, s.hash)).unzip();
    let names: Vec<&str> = problems.iter().map(|p| p.name.as_str()).collect();
    let accepted = read_accepted(args, &names, terminal)?;
    if let Some(command) = &args.build {
        build::build(command)?;
    }
    let solver = Solver {
        claims: args.claim.unwrap_or_default(),
        tolerance: args.tolerances.iter().copied().reduce(f64::min),
        ..solver_of(
            command,
            args.protocol,
            args.time_limit,
            args.jobs,
            args.only_step,
        )
    };
    let bar = terminal.spinner();
    bar.set_length(problems.len() as u64);
    bar.set_message("measuring the solver's steps");
    let ended = |report: &HistoryReport| ended(&bar, report, terminal);
    let watch = Watch {
        interrupt: watch_interrupts(),
        ended: &ended,
    };
    let (choice, reading) = (choice(args), args.reading.reading());
    let judged = judge_solver(&problems, &choice, &solver, &reading, &watch);
    bar.finish_and_clear();
    let judged = judged.map_err(failure)?;
    let mut judged = (judged.cases, Some(judged.solver));
    if args.model.is_some() {
        for (problem, report) in problems.iter().zip(&mut judged.0) {
            identify_model(problem, report, watch_interrupts()).map_err(failure)?;
            let found = report.diagnosis.as_ref().is_some_and(|d| d.model.is_some());
            if found {
                break;
            }
        }
    }
    answer((&problems, &hashes), judged, accepted, args, terminal)
}

/// Shows progress on standard error if it is a terminal: the finished cases if there are several.
fn ended(bar: &ProgressBar, report: &HistoryReport, terminal: &Terminal) {
    bar.inc(1);
    let (done, all) = (bar.position(), bar.length().unwrap_or_default());
    // The report on a single case follows at once, so no line announces it.
    if all > 1 && !bar.is_hidden() {
        let (case, outcome) = (&report.case, report.outcome());
        let line = format!("{case}: {outcome}  {}", report.summary());
        let line = plain(&wrapped(&line, terminal.errors.width));
        // Nothing is left to do if standard error itself is closed.
        let _ = bar.suspend(|| writeln!(std::io::stderr(), "{line}"));
    }
    bar.set_message(format!("{done} of {all} cases judged"));
}

/// Judges by the options, writes what is asked for, and shows the report.
fn answer(
    (problems, hashes): (&[Problem], &[String]),
    (mut reports, solver): (Vec<HistoryReport>, Option<String>),
    accepted: Option<AcceptedDefects>,
    args: &JudgeArgs,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let modelled = match &args.model {
        Some(path) => model_file::write(path, &reports)?,
        None => String::new(),
    };
    let claims = args.claim.unwrap_or_default();
    reports.iter_mut().for_each(|report| report.claim(&claims));
    if let (Some(list), Some(path)) = (accepted, &args.accepted) {
        list.accept(&mut reports, &path.display().to_string());
    }
    if let Some(path) = &args.write_accepted {
        ensure_replaceable(path, args.force)?;
        whole_file::write_through(path, AcceptedDefects::of(&reports).render().as_bytes())?;
    }
    let is_drawn = args.out.is_some() || args.report.has_page();
    let results = results((problems, hashes), reports, is_drawn, terminal)?;
    let files = match (&args.credibility_report, &args.solver) {
        (None, _) => Vec::new(),
        (_, Some(command)) => {
            let program = (command.program().into(), program_file(command.program()));
            let words = command.arguments().iter();
            let words = words.map(|word| (word.clone(), word.into()));
            hashed(std::iter::once(program).chain(words))
        }
        (_, None) => {
            let named = args.history.iter();
            hashed(named.map(|path| (path.display().to_string(), path.clone())))
        }
    };
    let mut results = results.of_solver(solver);
    results.made = Some(CommandFacts {
        files,
        ..made(terminal)
    });
    if let Some(path) = &args.credibility_report {
        let said = credibility(&results);
        let page = match path.extension() {
            Some(end) if end == "md" => document::Markdown.render(&said),
            _ => document::Html.page(CREDIBILITY_TITLE, &said),
        };
        whole_file::write_through(path, page.as_bytes())?;
    }
    let style = terminal.text_style(args.verbose);
    let mut text = args.report.print(&results, style);
    if args.report.is_for_people() && !terminal.quiet {
        text.push_str(&modelled);
    }
    if let Some(out) = &args.out {
        run::write_all(&mut results, out)?;
        if args.report.is_for_people() && !terminal.quiet {
            text.push_str(&run::results_in(out));
        }
    }
    args.report.write(&results, style)?;
    Ok(Answer {
        text,
        status: run::status(&results),
    })
}

/// Returns the results of what was judged, with or without its figures.
pub(super) fn results(
    (problems, hashes): (&[Problem], &[String]),
    reports: Vec<HistoryReport>,
    is_drawn: bool,
    terminal: &Terminal,
) -> Result<Results, Failure> {
    let mut cases = Vec::new();
    for ((problem, hash), report) in problems.iter().zip(hashes).zip(reports) {
        let histories = if is_drawn {
            Histories::drawn(problem, report, watch_interrupts()).map_err(failure)?
        } else {
            Histories::new(report)
        };
        let (mut case, artifacts) = Artifacts::of_histories(problem, histories);
        case.sha256.clone_from(hash);
        cases.push((case, artifacts));
    }
    let results = Results::new(&terminal.program.revision, cases);
    Ok(results.with_figures(FigureFormat::USUAL.into()))
}

/// Reads the list of `--accepted` before anything is judged, and makes sure that `--write-accepted` may be written.
fn read_accepted(
    args: &JudgeArgs,
    cases: &[&str],
    terminal: &Terminal,
) -> Result<Option<AcceptedDefects>, Failure> {
    if let Some(path) = &args.write_accepted {
        ensure_replaceable(path, args.force)?;
    }
    let Some(path) = &args.accepted else {
        return Ok(None);
    };
    let list = AcceptedDefects::read(&path.display().to_string(), &find::read(path)?, cases);
    list.map(Some).map_err(|e| terminal.invalid(&e))
}

/// Refuses to replace a file without `--force`. A pipe or a device is written into and stays.
fn ensure_replaceable(path: &Path, force: bool) -> Result<(), Failure> {
    if (path.is_file() || path.is_dir()) && !force {
        return Err(Failure::Invalid(format!(
            "error: --write-accepted: {} is there already; allowed: a new file, or `--force` to replace it",
            path.display()
        )));
    }
    Ok(())
}
