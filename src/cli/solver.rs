//! `topsim judge --solver` and `--problem`.

use super::args::{JudgeArgs, JudgeFormat, Selection};
use super::baseline::{Baseline, status};
use super::find::{self, Unjudged};
use super::judge::{case, failure, reading};
use super::terminal::{Look, watch_interrupts};
use super::{Answer, Failure};
use crate::cases::made_for_judging;
use crate::cases::posed::{Choice, Posed};
use crate::output::{solver, verdict};
use crate::runner::{Solver, SolverCommand, judge_solver};
use std::time::Duration;

fn choice(args: &JudgeArgs) -> Choice {
    Choice {
        steps: args.steps.clone(),
        end: args.end,
    }
}

pub(super) fn problem(args: &JudgeArgs, look: &Look) -> Result<Answer, Failure> {
    let plan = find::single(case(args)?, look)?;
    let posed = Posed::all(&plan, &choice(args))
        .map_err(|e| Failure::Invalid(format!("error: {e}")))?
        .into_iter()
        .next();
    let mut text = serde_json::to_string_pretty(&posed).expect("plain data always serialises");
    text.push('\n');
    Ok(Answer::ok(text))
}

pub(super) fn judge(
    args: &JudgeArgs,
    command: &SolverCommand,
    look: &Look,
) -> Result<Answer, Failure> {
    let cases = if args.all {
        made_for_judging().map(Into::into).collect()
    } else {
        args.cases.clone()
    };
    let selection = Selection {
        cases,
        expected: None,
        jobs: None,
        timeout: None,
    };
    let (_, plans) = find::load(&selection, Unjudged::Allowed, look)?;
    let names: Vec<&str> = plans.iter().map(|p| p.name.as_str()).collect();
    let baseline = Baseline::new(args, &names, look)?;
    let solver = Solver {
        command: command.clone(),
        time_limit: Duration::from_secs_f64(args.time_limit),
        jobs: args.jobs.map(usize::from),
    };
    let interrupt = watch_interrupts();
    let mut report =
        judge_solver(plans, &choice(args), &solver, &reading(args), interrupt).map_err(failure)?;
    baseline.apply(args, &mut report.cases)?;
    let text = match args.format {
        JudgeFormat::Json => solver::json(&report),
        JudgeFormat::Junit => verdict::junit(&report.cases),
        JudgeFormat::Human if look.quiet && report.passed() => String::new(),
        JudgeFormat::Human => solver::text(&report, &look.console(false)),
    };
    let status = status(&report.cases);
    Ok(Answer { text, status })
}
