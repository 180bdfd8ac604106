//! `topsim run --shard`: one share of the cases. Every shard computes its tiles of the cases with studies in tiles; the
//! other cases are dealt out by their position, so that N shards run each of them once.

use super::args::RunArgs;
use super::run::{broken_off, dry_run, finish, is_tiled, make_ready, options, status, with_bar};
use super::terminal::Terminal;
use super::{Answer, Failure, exit};
use crate::run::Results;
use crate::study::TileFolders;
use crate::suite::Suite;
use std::fmt::Write;
use tiles::Shard;
use topsim_core::reference::ReferencePlan;

/// Beginning of the name of the folder with the whole cases of a shard.
pub(super) const FOLDER: &str = "shard_";

/// Leaves only the studies in tiles: a share has nothing to judge yet.
fn keep_tiles(suite: &mut Suite) {
    suite.problem.plans.clear();
    suite.studies.retain(|s| s.tiled().is_some());
    suite.problem.reference = ReferencePlan::None;
    suite.checks.clear();
}

pub(super) fn run(
    suites: Vec<Suite>,
    folders: TileFolders,
    shard: Shard,
    args: &RunArgs,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let (mut shared, others): (Vec<_>, Vec<_>) = suites.into_iter().partition(is_tiled);
    shared.iter_mut().for_each(keep_tiles);
    let (mut whole, mut elsewhere) = (Vec::new(), Vec::new());
    for (suite, turn) in others.into_iter().zip((0..shard.of()).cycle()) {
        if turn == shard.index() {
            whole.push(suite);
        } else {
            elsewhere.push(format!("{} ({turn}/{})", suite.problem.name, shard.of()));
        }
    }
    let elsewhere = match &elsewhere[..] {
        [] => String::new(),
        some => format!("other shards have: {}\n", some.join(", ")),
    };
    // Shards that share a folder write side by side.
    let own = TileFolders {
        out: folders
            .out
            .join(format!("{FOLDER}{}_of_{}", shard.index(), shard.of())),
        ..folders.clone()
    };
    if args.dry_run {
        let mut said = dry_run(&whole, &own);
        said.append(dry_run(&shared, &folders));
        said.items(elsewhere.lines());
        return Ok(Answer::ok(terminal.shown(&said)));
    }
    let for_people = args.report.is_for_people();
    let mut answer = Answer {
        text: String::new(),
        status: exit::PASSED,
    };
    make_ready(&shared, &folders)?;
    // A report in a format for programs is written even if it has no case.
    if !(whole.is_empty() && for_people && args.report.files.is_empty()) {
        make_ready(&whole, &own)?;
        answer = finish(whole, own, args, terminal)?;
    }
    if !shared.is_empty() {
        let mut options = options(&args.selection, terminal);
        options.tiles = Some(folders);
        let results = with_bar(shared, &options, terminal)?;
        if results.interrupted {
            return Err(broken_off(true));
        }
        answer.status = answer.status.max(status(&results));
        if for_people && !terminal.quiet {
            answer.text += &share(&results, shard, args);
        }
    }
    if for_people && !terminal.quiet {
        answer.text += &elsewhere;
    }
    Ok(answer)
}

/// Describes a share that was computed.
fn share(results: &Results, shard: Shard, args: &RunArgs) -> String {
    let mut text = String::new();
    let findings = results.cases();
    let findings = findings.flat_map(|c| c.findings().map(|f| (&c.report.name, f)));
    for (case, found) in findings {
        let (Some(name), Some(tiled)) = (&found.name, &found.tiles) else {
            continue;
        };
        let said = match &found.incomplete {
            None => format!("{} in tiles", tiled.share(shard)),
            Some(why) => why.to_string(),
        };
        let _ = writeln!(text, "{case} {name} shard {shard}: {said}");
    }
    let out = args.out.display();
    let _ = writeln!(
        text,
        "tiles in {out}; the same command without --shard puts all shards together"
    );
    text
}
