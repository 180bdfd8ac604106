//! `topsim run`.

use super::args::{Format, RunArgs, Selection};
use super::find::{self, Unjudged};
use super::terminal::{Bar, Look, watch_interrupts};
use super::{Answer, Failure, exit};
use crate::cases::CasePlan;
use crate::output;
use crate::runner::{CaseReport, Options, SuiteReport, execute};
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub(super) fn run(args: &RunArgs, look: &Look) -> Result<Answer, Failure> {
    let unjudged = if args.no_checks {
        Unjudged::Allowed
    } else {
        Unjudged::Refused
    };
    let (_, mut plans) = find::load(&args.selection, unjudged, look)?;
    if args.no_checks {
        for plan in &mut plans {
            plan.checks.clear();
        }
    }
    if args.dry_run {
        return Ok(Answer::ok(dry_run(&plans)));
    }
    // A folder that cannot be made is known before the hour of computing, not after.
    output::folder(&args.out)?;
    let report = integrate(plans, &args.selection, look)?;
    if report.interrupted {
        return Err(Failure::Interrupted(NOTHING));
    }
    let wanted = || !watch_interrupts().load(Ordering::Relaxed);
    if !output::write_all(&report, &args.out, !args.no_figures, &wanted)? {
        return Err(Failure::Interrupted("the results are not complete"));
    }
    let text = match args.format {
        Format::Json => output::json::results(&report),
        Format::Junit => output::junit::xml(&report),
        Format::Human if look.quiet => {
            output::console::problems(&report, &look.console(args.verbose))
        }
        Format::Human => {
            let mut text = output::console::text(&report, &look.console(args.verbose));
            let _ = writeln!(text, "results in {}", args.out.display());
            text
        }
    };
    Ok(Answer {
        text,
        status: status(&report),
    })
}

/// Runs the plans with a bar and an ear for Ctrl-C.
pub(super) fn integrate(
    plans: Vec<CasePlan>,
    selection: &Selection,
    look: &Look,
) -> Result<SuiteReport, Failure> {
    let options = Options {
        jobs: selection.jobs.map(usize::from),
        timeout: selection.timeout.map(Duration::from_secs_f64),
    };
    let bar = Bar::new(look);
    let report = execute(plans, &options, &bar, watch_interrupts())
        .map_err(|e| Failure::Io(format!("cannot start the threads: {e}")))?;
    bar.finish();
    Ok(report)
}

/// What an interrupted command leaves behind.
pub(super) const NOTHING: &str = "nothing was written";

fn status(report: &SuiteReport) -> u8 {
    if !report.cases.iter().all(CaseReport::complete) {
        exit::INCOMPLETE
    } else if !report.cases.iter().all(CaseReport::passed) {
        exit::FAILED
    } else {
        exit::PASSED
    }
}

fn dry_run(plans: &[CasePlan]) -> String {
    let mut out = String::new();
    for plan in plans {
        let _ = writeln!(
            out,
            "{} · {} ({}): {} runs, {} checks",
            plan.name,
            plan.title,
            plan.origin,
            plan.jobs.len(),
            plan.checks.len()
        );
        for w in &plan.warnings {
            let _ = writeln!(out, "  note: {w}");
        }
        for job in &plan.jobs {
            let _ = writeln!(
                out,
                "  {} h={}: {} steps to t = {}",
                job.scheme,
                job.step,
                job.grid.steps,
                job.grid.time(job.grid.steps)
            );
        }
    }
    out
}
