//! `topsim run`.

use super::args::{CaseArgs, MapArgs, RunArgs};
use super::choice::choose;
use super::command_facts::made;
use super::find::{self, FoundCase, Tolerances};
use super::info::runs;
use super::inputs;
use super::model_file::ModelGuest;
use super::terminal::{Bar, Terminal, watch_interrupts};
use super::{Answer, Failure, Program, exit};
use crate::check::IncompleteStudy;
use crate::report::Output;
use crate::run::{Case, CaseReport, Report, Results};
use crate::run::{Options, estimated_seconds, execute, history, need};
use crate::study::{Finding, TileFolders, Tiled, TilesRefused, Zoom};
use crate::suite::Suite;
use document::{Document, ListItem};
use indicatif::HumanDuration;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tiles::TileError;
use tiles::space::{FreeSpace, RequiredSpace, Shortage, bytes};

pub(super) fn run(args: &RunArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let tolerances = match args.no_checks {
        true => Tolerances::Ignored,
        false => Tolerances::Read,
    };
    let (found, suites) = find::load(&args.selection, tolerances, terminal)?;
    let read = found.iter().flat_map(FoundCase::files);
    let model = args.solver_model.iter().map(ModelGuest::path);
    let written: Vec<&Path> = args.report.paths().collect();
    inputs::keep(read.chain(model), &written)?;
    let mut suites = choose(suites, &args.choice)?;
    zoom(&mut suites, &args.map)?;
    let folders = TileFolders {
        out: args.out.clone(),
        shard: args.shard,
        others: args.from.clone(),
    };
    if let Some(shard) = args.shard {
        return super::shard::run(suites, folders, shard, args, terminal);
    }
    if args.dry_run {
        has_schemes(&suites)?;
        return Ok(Answer::ok(terminal.shown(&dry_run(&suites, &folders))));
    }
    make_ready(&suites, &folders)?;
    finish(suites, folders, args, terminal)
}

/// Prepares the folder of the results and the tiles there, and makes sure that there is room, before anything is computed.
pub(super) fn make_ready(suites: &[Suite], folders: &TileFolders) -> Result<(), Failure> {
    if let Some(opaque) = suites.iter().map(|s| &s.problem).find(|p| p.is_opaque()) {
        return Err(Failure::Invalid(format!(
            "error: the case `{}` has an opaque torque, which topsim cannot integrate; allowed: \
             `topsim judge {} --solver COMMAND --relations only`",
            opaque.name, opaque.origin
        )));
    }
    has_schemes(suites)?;
    whole_file::folder(&folders.out)?;
    enough_room(suites, &folders.out)?;
    for (suite, tiled) in tiled(suites) {
        let place = folders.place(&suite.problem.name);
        tiled.prepare(&place).map_err(refused)?;
    }
    Ok(())
}

/// Refuses cases that name no schemes, because they are there for judging.
pub(super) fn has_schemes(suites: &[Suite]) -> Result<(), Failure> {
    match suites.iter().map(|s| &s.problem).find(|p| p.only_judged) {
        None => Ok(()),
        Some(problem) => Err(Failure::Invalid(format!(
            "error: {}: found no `schemes` in [run], so that there is nothing to run; allowed: `schemes = [\"quat_rk4\"]` or others of \
             `topsim list schemes`, or `topsim judge {} --solver COMMAND`",
            problem.origin, problem.origin
        ))),
    }
}

/// Tests whether a suite has a study that is computed tile by tile.
pub(super) fn is_tiled(suite: &Suite) -> bool {
    suite.studies.iter().any(|s| s.tiled().is_some())
}

/// Returns the studies that are computed tile by tile, with their suites.
fn tiled(suites: &[Suite]) -> impl Iterator<Item = (&Suite, &dyn Tiled)> {
    let studies = suites
        .iter()
        .flat_map(|s| s.studies.iter().map(move |study| (s, study)));
    studies.filter_map(|(suite, study)| Some((suite, study.tiled()?)))
}

fn refused(e: TilesRefused) -> Failure {
    match e {
        TilesRefused::NoRoom { ref shortage, .. } => lacking(shortage, e.to_string()),
        TilesRefused::Tiles(TileError::OtherStudy { .. }) => {
            Failure::Invalid(format!("error: {e}"))
        }
        other => Failure::Io(other.to_string()),
    }
}

/// Makes sure that memory and disk suffice for the runs; histories that are replaced give their space back.
fn enough_room(suites: &[Suite], out: &Path) -> Result<(), Failure> {
    let mut all = RequiredSpace::default();
    for problem in suites.iter().map(|s| &s.problem) {
        let one = need(problem);
        all.memory = all.memory.saturating_add(one.memory);
        all.disk = all.disk.saturating_add(one.disk);
        for plan in &problem.plans {
            let path = out.join(&problem.name).join(format!("{}.csv", plan.stem()));
            let there = path.metadata().map_or(0, |file| file.len());
            all.disk = all.disk.saturating_sub(there.min(history(plan)));
        }
    }
    let Some(shortage) = FreeSpace::now(out).lacks(&all) else {
        return Ok(());
    };
    let of = |s: &&Suite| need(&s.problem).memory;
    let largest = suites.iter().max_by_key(of).map_or("", |s| &s.problem.name);
    let why = format!(
        "no room for the histories: {shortage}; the case `{largest}` needs most\n  \
         help: a larger `sample`, an earlier `end`, fewer `steps` or `schemes` in its [run], or fewer cases at a time; \
         `--dry-run` says what each needs"
    );
    Err(lacking(&shortage, why))
}

/// Returns the failure for a shortage: the question is invalid if it needs more than the memory; a full disk is a failure of
/// the output.
fn lacking(shortage: &Shortage, why: String) -> Failure {
    match shortage.memory {
        Some(_) => Failure::Invalid(format!("error: {why}")),
        None => Failure::Io(why),
    }
}

/// Changes the window, the size and the instructions of every map of the suites.
fn zoom(suites: &mut [Suite], args: &MapArgs) -> Result<(), Failure> {
    let zoom = Zoom {
        window: args.window,
        size: args.size,
        simd: args.simd,
    };
    if zoom == Zoom::default() {
        return Ok(());
    }
    let mut studies = suites.iter().flat_map(|s| &s.studies);
    if studies.all(|study| study.zoomable().is_none()) {
        return Err(Failure::Invalid(
            "error: --window, --size and --simd are for escape maps, and none of these cases has one"
                .into(),
        ));
    }
    for suite in suites {
        let mut dropped = 0;
        for study in &mut suite.studies {
            let plane = study.zoomable();
            let (Some(plane), Some(name)) = (plane, study.name()) else {
                continue;
            };
            if zoom.is_another_map() {
                // The tolerances of the whole map say nothing about another map.
                let same = plane.numbers_of_points();
                let before = suite.checks.len();
                suite.checks.retain(|c| match c.measure.needs().study {
                    Some((of, number)) => of != name || same.iter().any(|n| n == number),
                    None => true,
                });
                dropped += before - suite.checks.len();
            }
            let zoomed = plane.zoomed(&zoom);
            *study = zoomed.map_err(|why| Failure::Invalid(format!("error: --window: {why}")))?;
        }
        if dropped > 0 {
            suite.problem.warnings.push(format!(
                "{dropped} checks of the whole map are left out: --window or --size make it another one"
            ));
        }
    }
    Ok(())
}

/// Runs the suites, writes their report and returns what is shown.
pub(super) fn finish(
    mut suites: Vec<Suite>,
    folders: TileFolders,
    args: &RunArgs,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    if let Some(guest) = &args.solver {
        guest.join(&mut suites, &args.selection)?;
    }
    if let Some(guest) = &args.solver_model {
        guest.join(&mut suites)?;
    }
    let keeps_tiles = tiled(&suites).next().is_some();
    let out = folders.out.clone();
    let mut options = options(&args.selection, terminal);
    options.tiles = Some(folders.clone());
    let planned = suites.iter().map(CaseReport::planned).collect();
    let planned = Report::planned(&terminal.program.revision, planned);
    let mut output = Output::begin(&out, program(terminal), planned)?;
    if args.shard.is_none() {
        output.shards = shard_folders(std::iter::once(&out).chain(&args.from));
    }
    output.keeps_records = args.shard.is_some();
    let output = Arc::new(output);
    options.output = Some(output.clone());
    let mut results = with_bar(suites, &options, terminal)?;
    results.made = Some(made(terminal));
    if !args.no_figures {
        results = results.with_figures(args.figure_format.clone());
    }
    if let Some(failure) = output.failure() {
        return Err(failure.into());
    }
    if results.interrupted {
        return Err(broken_off(keeps_tiles));
    }
    write(&output, &mut results)?;
    let status = status(&results);
    // The tiles of a study are removed when the study is written.
    if results.report.complete {
        remove_tiles(&results, &folders)?;
    }
    let style = terminal.text_style(args.verbose);
    args.report.write(&results, style)?;
    let mut text = args.report.print(&results, style);
    if args.report.is_for_people() && !terminal.quiet {
        text.push_str(&results_in(&out));
    }
    Ok(Answer { text, status })
}

/// Returns the folders of the whole cases that shards have run, below these folders of results.
fn shard_folders<'a>(outs: impl Iterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
    let entries = outs.flat_map(|out| std::fs::read_dir(out).into_iter().flatten().flatten());
    let is_of_shard = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(super::shard::FOLDER)
    };
    let mut folders: Vec<PathBuf> = entries.filter(is_of_shard).map(|e| e.path()).collect();
    folders.sort();
    folders
}

/// Returns the failure of a command that was interrupted.
pub(super) fn broken_off(keeps_tiles: bool) -> Failure {
    let tiles = if keeps_tiles { " and tiles" } else { "" };
    Failure::Interrupted(format!(
        "finished runs{tiles} are kept, the same command goes on"
    ))
}

/// Identifies the build: runs of another build are not taken over.
fn program(terminal: &Terminal) -> String {
    let Program { revision, file, .. } = &terminal.program;
    let file = file.as_ref().and_then(|file| std::fs::metadata(file).ok());
    let file = file.map_or(String::new(), |f| {
        format!("{} {:?}", f.len(), f.modified().ok())
    });
    format!("{} {revision} {file}", env!("CARGO_PKG_VERSION"))
}

/// Writes a report; Ctrl-C is obeyed between files.
fn write(output: &Output, results: &mut Results) -> Result<(), Failure> {
    let wanted = || !watch_interrupts().load(Ordering::Relaxed);
    match output.finish(results, &wanted)? {
        true => Ok(()),
        false => Err(Failure::Interrupted("the results are not complete".into())),
    }
}

/// Writes a report into a folder that it prepares first.
pub(super) fn write_all(results: &mut Results, out: &Path) -> Result<(), Failure> {
    let report = &results.report;
    let planned = report.cases.iter().map(CaseReport::unmade).collect();
    let planned = Report::planned(&report.revision, planned);
    write(&Output::begin(out, String::new(), planned)?, results)
}

/// Returns the line that says where the results are.
pub(super) fn results_in(out: &Path) -> String {
    format!("results in {}\n", out.display())
}

fn remove_tiles(results: &Results, folders: &TileFolders) -> Result<(), Failure> {
    for case in results.cases() {
        let place = folders.place(&case.report.name);
        for tiled in case.findings().filter_map(|f| f.tiles.as_ref()) {
            tiled.remove_tiles(&place).map_err(|e| refused(e.into()))?;
        }
    }
    Ok(())
}

pub(super) fn options(selection: &CaseArgs, terminal: &Terminal) -> Options {
    Options {
        jobs: selection.jobs.map(usize::from),
        time_limit: selection.time_limit.map(Duration::from_secs_f64),
        revision: terminal.program.revision.clone(),
        ..Options::default()
    }
}

/// Runs the suites with a bar until Ctrl-C; nothing is kept of maps broken off.
pub(super) fn integrate(
    suites: Vec<Suite>,
    selection: &CaseArgs,
    terminal: &Terminal,
) -> Result<Results, Failure> {
    with_bar(suites, &options(selection, terminal), terminal)
}

pub(super) fn with_bar(
    suites: Vec<Suite>,
    options: &Options,
    terminal: &Terminal,
) -> Result<Results, Failure> {
    let bar = Bar::new(terminal);
    let results = execute(suites, options, &bar, watch_interrupts())
        .map_err(|e| Failure::Io(format!("cannot start the threads: {e}")))?;
    bar.finish();
    Ok(results)
}

/// Text on an interrupted command that leaves nothing behind.
pub(super) const NOTHING: &str = "nothing was written";

/// Returns the exit status that follows from a report.
pub(super) fn status(results: &Results) -> u8 {
    let unkept = |f: &Finding| matches!(f.incomplete, Some(IncompleteStudy::Unkept(_)));
    if results.cases().flat_map(Case::findings).any(unkept) {
        exit::IO
    } else if !results.report.complete {
        exit::INCOMPLETE
    } else if !results.acceptable() {
        exit::FAILED
    } else {
        exit::PASSED
    }
}

/// Least time of the runs of a case that is worth saying, s.
const LONG: f64 = 5.0;

/// Returns the plan of what a command would do, with the time that a long case takes.
pub(super) fn dry_run(suites: &[Suite], folders: &TileFolders) -> Document {
    let mut out = Document::default();
    for suite in suites {
        let problem = &suite.problem;
        out.paragraph(format!(
            "{} · {} ({}): {} runs, {} checks",
            problem.name,
            problem.title,
            problem.origin,
            problem.plans.len(),
            suite.checks.iter().filter(|c| c.skipped.is_none()).count()
        ));
        let RequiredSpace { memory, disk } = need(problem);
        if memory > 0 {
            let (memory, disk) = (bytes(memory), bytes(disk));
            let room = format!("histories: {memory} of memory and {disk} of disk at most");
            out.item(room);
        }
        let seconds = estimated_seconds(suite);
        if seconds > LONG {
            let time = HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
            out.item(format!("time: some {time} on one core, by the first steps"));
        }
        out.items(problem.warnings.iter().map(|w| format!("note: {w}")));
        for study in suite.studies.iter().filter(|s| !s.extent().is_empty()) {
            let name = study.name().map_or_else(|| study.stem(), Into::into);
            let outlook = study.tiled().map(|tiled| {
                let share = |s| format!("shard {s}, {}: ", tiled.share(s));
                let share = folders.shard.map_or(String::new(), share);
                share + &tiled.outlook(&folders.place(&problem.name))
            });
            let extent = format!("{} {name}: {}", study.kind(), study.extent());
            out.item(ListItem::new(extent, outlook));
        }
        out.items(runs(problem));
    }
    out
}
