//! `topsim judge`.

use super::args::{JudgeArgs, JudgeFormat};
use super::baseline::{Baseline, status};
use super::terminal::{Look, watch_interrupts};
use super::{Answer, Failure, find, solver};
use crate::analysis::foreign::Reading;
use crate::output::{foreign, verdict};
use crate::runner::{HistoryFailure, HistoryFile, judge_histories};

pub(super) fn judge(args: &JudgeArgs, look: &Look) -> Result<Answer, Failure> {
    match &args.solver {
        Some(command) => solver::judge(args, command, look),
        None if args.problem => solver::problem(args, look),
        None => histories(args, look),
    }
}

/// The one case that is asked for.
pub(super) fn case(args: &JudgeArgs) -> Result<&str, Failure> {
    match &args.cases[..] {
        [one] => Ok(one),
        all => Err(Failure::Invalid(format!(
            "error: found {} cases; allowed: one, or several with --solver",
            all.len()
        ))),
    }
}

/// How columns are to be read.
pub(super) fn reading(args: &JudgeArgs) -> Reading {
    Reading {
        quaternion: args.quaternion,
        euler: args.euler,
        transposed: args.transposed,
        rate_frame: args.rate_frame,
        rate_unit: args.rate_unit,
    }
}

pub(super) fn failure(e: HistoryFailure) -> Failure {
    match e {
        HistoryFailure::Invalid(text) => Failure::Invalid(text),
        HistoryFailure::Io(text) => Failure::Io(text),
        HistoryFailure::Interrupted => Failure::Interrupted("nothing was judged"),
    }
}

fn histories(args: &JudgeArgs, look: &Look) -> Result<Answer, Failure> {
    if !args.step.is_empty() && args.step.len() != args.history.len() {
        return Err(Failure::Invalid(format!(
            "error: --step: found {} for {} histories; allowed: none, or one for each history in their order",
            args.step.len(),
            args.history.len()
        )));
    }
    let plan = find::single(case(args)?, look)?;
    let baseline = Baseline::new(args, &[&plan.name], look)?;
    let mut files = Vec::new();
    for (i, path) in args.history.iter().enumerate() {
        let name = path.display().to_string();
        let input = std::fs::File::open(path)
            .map_err(|e| Failure::Io(format!("cannot read {name}: {e}")))?;
        files.push(HistoryFile {
            name,
            input: Box::new(input),
            step: args.step.get(i).copied(),
        });
    }
    let mut report =
        judge_histories(plan, files, &reading(args), watch_interrupts()).map_err(failure)?;
    baseline.apply(args, std::slice::from_mut(&mut report))?;
    let text = match args.format {
        JudgeFormat::Json => foreign::json(&report),
        JudgeFormat::Junit => verdict::junit(std::slice::from_ref(&report)),
        JudgeFormat::Human if look.quiet && report.passed() => String::new(),
        JudgeFormat::Human => foreign::text(&report, &look.console(false)),
    };
    let status = status(std::slice::from_ref(&report));
    Ok(Answer { text, status })
}
