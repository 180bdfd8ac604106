//! `topsim gate`: hands right and wrong solvers to somebody's test of rotation code, and counts what the test lets pass.

use super::args::GateArgs;
use super::find;
use super::judge::TIME_LIMIT;
use super::terminal::{Terminal, watch_interrupts};
use super::{Answer, Failure, exit};
use crate::report::pretty;
use document::{Document, ListItem, bad, caution, good};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use topsim_gate::{GateAnswer, GateHistories, GateScore, GateVerdict, csv, histories, solvers};
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::CommandEnd;

/// Placeholder of the file with the shortest step.
const ONE: &str = "{history}";
/// Placeholder of the files of all steps.
const ALL: &str = "{histories}";
/// Placeholder of the steps of these files.
const STEPS: &str = "{steps}";

pub(super) fn gate(args: &GateArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    if !args
        .test
        .arguments()
        .iter()
        .any(|word| word.contains(ONE) || word == ALL)
    {
        return Err(Failure::Invalid(format!(
            "error: --test: found no history in the command; allowed: a command with `{ONE}` or the word `{ALL}`"
        )));
    }
    let problem = find::single(&args.case, terminal)?.problem;
    let all = histories(&problem)
        .map_err(|why| Failure::Invalid(format!("error: `{}`: {why}", problem.name)))?;
    whole_file::folder(&args.out)?;
    let bar = terminal.spinner();
    bar.set_length(all.len() as u64);
    let asked = |name: &str| all.iter().any(|of| of.solver.name == name);
    let names = solvers().into_iter().map(|solver| solver.name);
    let hidden: Vec<String> = names.filter(|name| !asked(name)).collect();
    let threads = Threads::new(args.jobs.map(usize::from));
    let answers = threads.map(all.into_iter().enumerate().collect(), |(i, of)| {
        let answer = ask(args, i, &of);
        bar.inc(1);
        answer
    });
    bar.finish_and_clear();
    let answers = answers.into_iter().collect::<Result<_, _>>()?;
    let score = GateScore { answers };
    let answers = score
        .answers
        .iter()
        .map(|a| json!({ "solver": a.solver, "right": a.is_right, "verdict": id(a.verdict) }));
    let file = json!({
        "case": problem.name,
        "rejected": score.rejected(),
        "answers": answers.collect::<Vec<_>>(),
        "hidden": hidden,
    });
    whole_file::write(&args.out.join("gate.json"), pretty(&file).as_bytes())?;
    let passed = score.accepts_right() && 100.0 * score.rejected() >= args.least;
    let text = match terminal.quiet && passed {
        true => String::new(),
        false => terminal.shown(&shown(&score, &hidden, passed)),
    };
    let status = if passed { exit::PASSED } else { exit::FAILED };
    Ok(Answer { text, status })
}

/// Writes the histories of a solver and asks the test.
fn ask(args: &GateArgs, number: usize, of: &GateHistories) -> Result<GateAnswer, Failure> {
    let kind = if of.solver.is_right { "right" } else { "wrong" };
    let mut files: Vec<PathBuf> = Vec::new();
    for solution in &of.steps {
        let name = format!("{:02}_{kind}_h{}.csv", number + 1, solution.step);
        let path = args.out.join(name);
        whole_file::write(&path, csv(solution).as_bytes())?;
        files.push(path);
    }
    let steps: Vec<String> = of.steps.iter().map(|s| s.step.to_string()).collect();
    let (verdict, said) = run(args, &files, &steps.join(","))?;
    Ok(GateAnswer {
        solver: of.solver.name.clone(),
        is_right: of.solver.is_right,
        verdict,
        said,
    })
}

/// Runs the test on the histories, the last of which has the shortest step. Returns its verdict, and the last line of its standard error.
fn run(args: &GateArgs, files: &[PathBuf], steps: &str) -> Result<(GateVerdict, String), Failure> {
    let finest = files.last().map(|path| path.display().to_string());
    let finest = finest.unwrap_or_default();
    let words = args.test.arguments().iter().flat_map(|word| match &**word {
        ALL => files
            .iter()
            .map(|path| path.display().to_string())
            .collect(),
        word => vec![word.replace(ONE, &finest).replace(STEPS, steps)],
    });
    let seconds = args.time_limit.unwrap_or(TIME_LIMIT);
    let limit = Duration::from_secs_f64(seconds);
    let end = args.test.run(words, limit, watch_interrupts());
    let end = end.map_err(|e| Failure::Io(format!("cannot start {}: {e}", args.test.program())))?;
    Ok(match end {
        CommandEnd::Ended { success, said } if success => (GateVerdict::Accepted, said),
        CommandEnd::Ended { said, .. } => (GateVerdict::Rejected, said),
        CommandEnd::TimeLimit => (
            GateVerdict::TimeLimit,
            format!("stopped after {seconds} s; `--time-limit SECONDS` gives it more"),
        ),
        CommandEnd::Interrupted => {
            return Err(Failure::Interrupted("the test was not scored".into()));
        }
    })
}

/// Id of a verdict in gate.json.
fn id(verdict: GateVerdict) -> &'static str {
    match verdict {
        GateVerdict::Accepted => "accepted",
        GateVerdict::Rejected => "rejected",
        GateVerdict::TimeLimit => "time_limit",
    }
}

/// Returns the score with the mistakes of the test, and the wrong solvers that are right on the case.
fn shown(score: &GateScore, hidden: &[String], passed: bool) -> Document {
    let mut out = Document::default();
    let item = |a: &GateAnswer| match a.verdict {
        GateVerdict::Accepted => caution(&a.solver).into(),
        _ => {
            let said = Some(&*a.said).filter(|said| !said.is_empty());
            ListItem::new(bad(&a.solver), said)
        }
    };
    let list = |out: &mut Document, verdict: GateVerdict, title: &str| {
        let mistakes = score.mistakes().filter(|a| a.verdict == verdict);
        let items: Vec<ListItem> = mistakes.map(item).collect();
        if !items.is_empty() {
            out.paragraph(title);
            out.items(items);
        }
    };
    use GateVerdict::{Accepted, Rejected, TimeLimit};
    list(
        &mut out,
        TimeLimit,
        "solvers on which the test does not end",
    );
    list(&mut out, Rejected, "right solvers that the test rejects");
    list(&mut out, Accepted, "wrong solvers that the test accepts");
    if !hidden.is_empty() {
        out.paragraph(
            "wrong solvers that are right on this case, so that no test with it can reject them",
        );
        out.items(hidden.iter().map(|name| &**name));
    }
    let count = |right: bool| {
        let all = score.on(right).count();
        let good = score.on(right).filter(|a| a.is_right_answer()).count();
        format!("{good} of {all}")
    };
    let word = if passed {
        good("PASSED")
    } else {
        bad("FAILED")
    };
    out.paragraph(word.strong().then(format!(
        "  {} wrong solvers rejected ({:.0} %), {} right ones accepted",
        count(false),
        100.0 * score.rejected(),
        count(true),
    )));
    out
}
