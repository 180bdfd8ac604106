//! `topsim repro`: writes out and runs a case that shows an error of a publication or a program.

use super::args::{Cli, Command, ReproArgs, RunArgs, unknown};
use super::terminal::Terminal;
use super::{Answer, Failure, run};
use crate::suite::{REPRODUCTIONS, Reproduction, builtin};
use clap::Parser;
use document::wrapped;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(super) fn repro(args: &ReproArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let Some(id) = &args.id else {
        let line = |r: &Reproduction| format!("{}: {}. {}\n", r.id, r.project, r.shows);
        let text: String = REPRODUCTIONS.iter().map(line).collect();
        return Ok(Answer::ok(wrapped(&text, terminal.console.width)));
    };
    let known: Vec<&str> = REPRODUCTIONS.iter().map(|r| &*r.id).collect();
    let allowed = "a name that `topsim repro` lists";
    let row = REPRODUCTIONS.iter().find(|r| r.id == *id);
    let row = row.ok_or_else(|| unknown("no finding is called", id, &known, allowed))?;
    let folder = args.out.clone().unwrap_or_else(|| id.into());
    let case = write(row, &folder)?;
    let answer = run::run(&run_of(row, &case, &folder.join("results")), terminal)?;
    let told = format!(
        "{}: {}\n{}\n\n{}",
        row.id, row.project, row.shows, answer.text
    );
    Ok(Answer {
        text: wrapped(&told, terminal.console.width),
        ..answer
    })
}

/// Writes the case with its tolerance file; returns the path of the case.
fn write(row: &Reproduction, folder: &Path) -> Result<PathBuf, Failure> {
    let source = builtin(&row.case).expect("a test has each case");
    let case = folder.join("cases").join(format!("{}.toml", row.case));
    let mut files = vec![(case.clone(), source.case.text)];
    let beside = [(source.expected, "toml"), (source.baseline, "baseline.csv")];
    for (text, end) in beside {
        let path = folder.join("expected").join(format!("{}.{end}", row.case));
        files.extend(text.map(|t| (path, t.text)));
    }
    for (path, text) in files {
        whole_file::folder(path.parent().expect("each has a folder"))?;
        whole_file::write(&path, text.as_bytes())?;
    }
    Ok(case)
}

/// Returns the arguments of `topsim run CASE --check … --out … --verbose --no-figures`.
fn run_of(row: &Reproduction, case: &Path, out: &Path) -> RunArgs {
    let words = ["topsim", "run", "--verbose", "--no-figures", "--out"].map(OsStr::new);
    let checks = row.checks.iter().flat_map(|check| ["--check", check]);
    let words = words.into_iter().chain([out.as_os_str()]);
    let words = words.chain(checks.map(OsStr::new));
    match Cli::parse_from(words.chain([case.as_os_str()])).command {
        Command::Run(args) => args,
        _ => unreachable!("these are arguments of `run`"),
    }
}
