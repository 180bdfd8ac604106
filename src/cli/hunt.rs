//! `topsim hunt`: runs a hunt within its time and writes its files and texts.

use super::args::{HuntArgs, HuntFormat, schemes, unknown};
use super::judge::solver_of;
use super::terminal::{Terminal, watch_interrupts};
use super::{Answer, Failure, build, exit, find, judge_file};
use crate::report::{OutputError, pretty};
use crate::text;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use topsim_case::is_name;
use topsim_core::integration::registry::{self, SchemeFamily};
use topsim_hunt::show::{covered, files, hunted};
use topsim_hunt::{
    Coverage, Finding, HuntOptions, HuntReport, HuntTarget, HuntWatch, hunt as search,
};
use whole_file::FolderLock;

/// Longest time of a hunt in s, unless another time or a number of problems is given.
const BUDGET: f64 = 60.0;
/// Time between two polls of the clock and signals.
const POLL: Duration = Duration::from_millis(20);

pub(super) fn hunt(args: &HuntArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let filled;
    let args = if args.solver.is_none() && args.scheme.is_none() {
        let (of_file, command) = judge_file::fill_hunt(args, terminal)?;
        if let Some(command) = &command {
            build::build(command)?;
        }
        filled = of_file;
        &filled
    } else {
        args
    };
    let begun = Instant::now();
    whole_file::folder(&args.out)?;
    let _lock = FolderLock::take(&args.out).map_err(OutputError::from)?;
    let reading = args.reading.reading();
    let of = |command| {
        solver_of(
            command,
            args.protocol,
            args.time_limit,
            args.jobs,
            args.only_step,
        )
    };
    let solver = args.solver.as_ref().map(of);
    let hunted_one = match (&solver, &args.scheme) {
        (Some(solver), _) => HuntTarget::Solver(solver, &reading),
        (None, name) => HuntTarget::Scheme(scheme(name.as_deref().unwrap_or_default())?),
    };
    let asked = args.claim.clone().unwrap_or_default();
    let options = HuntOptions {
        wanted: asked.wanted,
        claims: asked.claims,
        seed: args.seed,
        jobs: args.jobs.map(usize::from),
        problems: args.problems,
        known: known(&args.out)?,
        worlds: None,
    };
    let default = args.problems.is_none().then_some(BUDGET);
    let budget = args.budget.or(default);
    let bar = terminal.spinner();
    let mut failed = None;
    let (interrupted, over) = (watch_interrupts(), AtomicBool::new(false));
    let late = || budget.is_some_and(|b| begun.elapsed().as_secs_f64() >= b);
    let watch = HuntWatch {
        interrupt: &over,
        go_on: &mut |covered: &Coverage| {
            bar.set_message(format!("{} problems", covered.problems));
            true
        },
        // Findings are written at once, so that whatever ends the program costs none.
        found: &mut |finding: &Finding, replaced: &[String]| {
            bar.println(format!("found {}", finding.id));
            let written = write(&args.out, finding, replaced);
            failed = failed.take().or(written.err());
        },
    };
    let report = std::thread::scope(|scope| {
        let (_ends, ended) = channel::<()>();
        // The budget and a signal also end the runs of a slow solver.
        scope.spawn(|| {
            let ended = ended;
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if late() || interrupted.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        search(hunted_one, &options, watch)
    });
    bar.finish_and_clear();
    if let Some(e) = failed {
        return Err(e);
    }
    if interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted(ended_early(&report, &args.out)));
    }
    let text = match args.format {
        HuntFormat::Json => pretty(&report),
        HuntFormat::Human if terminal.quiet && report.passed() => String::new(),
        HuntFormat::Human => {
            let mut said = hunted(&report);
            if !terminal.quiet {
                said.append(covered(&report.coverage));
            }
            if !report.new.is_empty() {
                said.paragraph(format!("cases and scripts in {}", args.out.display()));
            }
            terminal.shown(&said)
        }
    };
    let status = match report.passed() {
        false => exit::FAILED,
        // A finding that should have been tried again was not.
        true if report.nothing_judged() || !report.untried.is_empty() => exit::INCOMPLETE,
        true => exit::PASSED,
    };
    Ok(Answer { text, status })
}

/// Returns the text on a hunt that a signal has ended.
fn ended_early(report: &HuntReport, out: &Path) -> String {
    let problems = text::count(report.coverage.problems, "problem");
    let new: Vec<&str> = report.new.iter().map(|f| f.id.as_str()).collect();
    if new.is_empty() {
        return format!("no new finding in {problems}");
    }
    let findings = text::count(new.len() as u64, "new finding");
    let (out, ids) = (out.display(), new.join(", "));
    format!("{findings} in {problems}, written to {out}: {ids}")
}

fn scheme(name: &str) -> Result<&'static registry::SchemeRow, Failure> {
    let allowed = "a name of `topsim list schemes`";
    let none = || unknown("no scheme is called", name, &schemes(), allowed);
    let row = registry::find(name).ok_or_else(none)?;
    let why = match row.family {
        SchemeFamily::Constrained => "needs a joint",
        SchemeFamily::Adaptive => "divides its steps",
        _ => return Ok(row),
    };
    Err(Failure::Invalid(format!(
        "error: --scheme: found `{name}`, which {why}; allowed: schemes of a body that turns, in steps of one length"
    )))
}

/// Reads the findings of a folder by their names.
fn known(out: &Path) -> Result<Vec<Finding>, Failure> {
    let io = |e: std::io::Error| Failure::Io(format!("cannot read {}: {e}", out.display()));
    let folder = std::fs::read_dir(out).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = folder.map_err(io)?.into_iter();
    let paths = entries.map(|entry| entry.path().join(FINDING));
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    let mut all: Vec<Finding> = Vec::new();
    for path in paths {
        let wrong = |found: String| {
            let path = path.display();
            Failure::Invalid(format!(
                "error: {path}: found {found}; allowed: a finding that `topsim hunt` wrote"
            ))
        };
        let finding: Finding =
            serde_json::from_str(&find::read(&path)?).map_err(|e| wrong(e.to_string()))?;
        if !(finding.problem.is_sound() && is_name(&finding.id)) {
            return Err(wrong(
                "a problem without a body, a start and a step, or a name that is none".into(),
            ));
        }
        if all.iter().any(|f| f.id == finding.id) {
            return Err(wrong(format!("the id `{}` twice", finding.id)));
        }
        all.push(finding);
    }
    Ok(all)
}

/// Name of the file from which a later hunt tries a finding again.
const FINDING: &str = "finding.json";

/// Writes the files of a finding and removes the folders of those that it replaces, which this hunt has made.
fn write(out: &Path, finding: &Finding, replaced: &[String]) -> Result<(), Failure> {
    for id in replaced {
        let gone = std::fs::remove_dir_all(out.join(id));
        gone.map_err(|e| Failure::Io(format!("cannot remove {}: {e}", out.join(id).display())))?;
    }
    let folder = out.join(&finding.id);
    whole_file::folder(&folder)?;
    let json = (FINDING.into(), pretty(finding));
    for (name, text) in std::iter::once(json).chain(files(finding)) {
        whole_file::write(&folder.join(&name), text.as_bytes())?;
    }
    Ok(())
}
