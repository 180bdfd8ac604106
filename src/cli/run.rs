//! `topsim run`.

use super::args::{Format, RunArgs, Selection};
use super::find::{self, Unjudged};
use super::maps::{self, Folders};
use super::terminal::{Bar, Look, watch_interrupts};
use super::{Answer, Failure, exit};
use crate::analysis::Shard;
use crate::cases::{CasePlan, ReferencePlan};
use crate::output;
use crate::runner::{CaseReport, Options, SuiteReport, execute, execute_with};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Runs the cases; with `merged` the maps are put together from tiles instead of computed.
pub(super) fn run(
    args: &RunArgs,
    merged: Option<&[PathBuf]>,
    look: &Look,
) -> Result<Answer, Failure> {
    let unjudged = if args.no_checks || args.shard.is_some() {
        Unjudged::Allowed
    } else {
        Unjudged::Refused
    };
    let (_, mut plans) = find::load(&args.selection, unjudged, look)?;
    if args.no_checks || args.shard.is_some() {
        for plan in &mut plans {
            plan.checks.clear();
        }
    }
    maps::zoom(&mut plans, &args.map)?;
    if args.shard.is_some() || merged.is_some() {
        only_with_maps(&mut plans, args.shard.is_some())?;
    }
    if args.dry_run {
        return Ok(Answer::ok(dry_run(&plans, args)));
    }
    // A folder that cannot be made is known before the hour of computing, not after.
    output::folder(&args.out)?;
    let mut folders = Folders::open(&plans, &args.out, args.shard)?;
    if let Some(from) = merged {
        folders.gather(&plans, &args.out, from)?;
    }
    let has_maps = plans.iter().any(|p| !p.maps.is_empty());
    let stands = folders.stands(args.shard);
    let report = with_bar(&args.selection, look, |options, bar| {
        execute_with(plans, stands, options, bar, watch_interrupts())
    })?;
    if report.interrupted {
        return Err(Failure::Interrupted(if has_maps {
            "finished tiles are kept, the same command goes on"
        } else {
            NOTHING
        }));
    }
    if let Some(shard) = args.shard {
        return Ok(share(&report, shard, args, look));
    }
    let wanted = || !watch_interrupts().load(Ordering::Relaxed);
    if !output::write_all(&report, &args.out, !args.no_figures, &wanted)? {
        return Err(Failure::Interrupted("the results are not complete"));
    }
    // Tiles go when the map is written; those of shards stay, so that they can be merged again.
    let whole = report
        .cases
        .iter()
        .all(|c| c.maps.iter().all(|m| m.grid.is_some()));
    if merged.is_none() && whole {
        folders.remove()?;
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

/// Only cases with maps can be shared or merged; of a share nothing else is computed.
fn only_with_maps(plans: &mut [CasePlan], share: bool) -> Result<(), Failure> {
    if let Some(plan) = plans.iter().find(|p| p.maps.is_empty()) {
        return Err(Failure::Invalid(format!(
            "error: the case `{}` has no escape map to share or merge",
            plan.name
        )));
    }
    if share {
        for plan in plans {
            plan.jobs.clear();
            plan.studies.clear();
            plan.surveys.clear();
            plan.reference = ReferencePlan::None;
        }
    }
    Ok(())
}

/// What a share has to say.
fn share(report: &SuiteReport, shard: Shard, args: &RunArgs, look: &Look) -> Answer {
    let mut text = String::new();
    for case in &report.cases {
        for m in &case.maps {
            let cells = shard.cells(m.plan.cells());
            let said = match m.outcome() {
                Ok(()) => format!("{cells} of {} cells in tiles", m.plan.cells()),
                Err(why) => why,
            };
            let _ = writeln!(text, "{} {} shard {shard}: {said}", case.name, m.plan.name);
        }
    }
    let _ = writeln!(
        text,
        "tiles in {}; `topsim merge` puts all shards together",
        args.out.display()
    );
    if look.quiet {
        text.clear();
    }
    Answer {
        text,
        status: status(report),
    }
}

/// Runs the plans with a bar and an ear for Ctrl-C; nothing is kept of maps broken off.
pub(super) fn integrate(
    plans: Vec<CasePlan>,
    selection: &Selection,
    look: &Look,
) -> Result<SuiteReport, Failure> {
    with_bar(selection, look, |options, bar| {
        execute(plans, options, bar, watch_interrupts())
    })
}

fn with_bar<E: std::fmt::Display>(
    selection: &Selection,
    look: &Look,
    run: impl FnOnce(&Options, &Bar) -> Result<SuiteReport, E>,
) -> Result<SuiteReport, Failure> {
    let options = Options {
        jobs: selection.jobs.map(usize::from),
        timeout: selection.timeout.map(Duration::from_secs_f64),
    };
    let bar = Bar::new(look);
    let report =
        run(&options, &bar).map_err(|e| Failure::Io(format!("cannot start the threads: {e}")))?;
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

fn dry_run(plans: &[CasePlan], args: &RunArgs) -> String {
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
        for map in &plan.maps {
            let _ = writeln!(
                out,
                "  map {}: {} × {} cells, {} steps of {} s at most, {}",
                map.name, map.x.cells, map.z.cells, map.escape.steps, map.escape.h, map.scheme
            );
            let cells = args.shard.map_or(String::new(), |s| {
                format!("shard {s}, {} cells: ", s.cells(map.cells()))
            });
            let need = maps::need(map, plan, args.shard, &args.out);
            let _ = writeln!(out, "    {cells}{need}");
        }
        for s in &plan.surveys {
            let _ = writeln!(out, "  {} {}: {}", s.kind(), s.name(), s.size());
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
