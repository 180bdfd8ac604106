//! `topsim gate`: hands right and wrong solvers to somebody's test of rotation code, and counts what the test lets pass.

use super::args::GateArgs;
use super::find;
use super::terminal::Terminal;
use super::{Answer, Failure, exit};
use crate::report::pretty;
use document::{Document, ListItem, bad, caution, good};
use serde_json::json;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use topsim_gate::{GateAnswer, GateHistories, GateScore, csv, histories};
use topsim_judge::SolverCommand;
use topsim_protocol::parallel::Threads;

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
        .map(|a| json!({ "solver": a.solver, "right": a.is_right, "accepted": a.accepted }));
    let file = json!({
        "case": problem.name,
        "rejected": score.rejected(),
        "answers": answers.collect::<Vec<_>>(),
    });
    whole_file::write(&args.out.join("gate.json"), pretty(&file).as_bytes())?;
    let passed = score.accepts_right() && 100.0 * score.rejected() >= args.least;
    let text = match terminal.quiet && passed {
        true => String::new(),
        false => terminal.shown(&shown(&score, passed)),
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
    let (accepted, said) = run(&args.test, &files, &steps.join(","))?;
    Ok(GateAnswer {
        solver: of.solver.name.clone(),
        is_right: of.solver.is_right,
        accepted,
        said,
    })
}

/// Runs the test on the histories, the last of which has the shortest step. Returns whether it accepts them, and the last line of its
/// standard error.
fn run(test: &SolverCommand, files: &[PathBuf], steps: &str) -> Result<(bool, String), Failure> {
    let finest = files.last().map(|path| path.display().to_string());
    let finest = finest.unwrap_or_default();
    let words = test.arguments().iter().flat_map(|word| match &**word {
        ALL => files
            .iter()
            .map(|path| path.display().to_string())
            .collect(),
        word => vec![word.replace(ONE, &finest).replace(STEPS, steps)],
    });
    let output = Command::new(test.program())
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output();
    let output =
        output.map_err(|e| Failure::Io(format!("cannot start {}: {e}", test.program())))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty());
    let last = last.unwrap_or_default().trim().to_string();
    Ok((output.status.success(), last))
}

/// Returns the score with the mistakes of the test.
fn shown(score: &GateScore, passed: bool) -> Document {
    let mut out = Document::default();
    let item = |a: &GateAnswer| match a.is_right {
        true => {
            let said = Some(&*a.said).filter(|said| !said.is_empty());
            ListItem::new(bad(&a.solver), said)
        }
        false => caution(&a.solver).into(),
    };
    let list = |out: &mut Document, right: bool, title: &str| {
        let mistakes = score.mistakes().filter(|a| a.is_right == right);
        let items: Vec<ListItem> = mistakes.map(item).collect();
        if !items.is_empty() {
            out.paragraph(title);
            out.items(items);
        }
    };
    list(&mut out, true, "right solvers that the test rejects");
    list(&mut out, false, "wrong solvers that the test accepts");
    let count = |right: bool| {
        let all = score.on(right).count();
        let good = score.on(right).filter(|a| a.accepted == right).count();
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
