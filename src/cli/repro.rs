//! `topsim repro`: writes out and runs a case that shows an error of a publication or a program.

use super::args::{CaseArgs, ChoiceArgs, MapArgs, ReportArgs, ReproArgs, RunArgs, unknown};
use super::terminal::Terminal;
use super::{Answer, Failure, run};
use crate::figure::FigureFormat;
use crate::suite::{REPRODUCTIONS, Reproduction, builtin};
use document::wrapped;
use std::path::PathBuf;

pub(super) fn repro(args: &ReproArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let Some(id) = &args.id else {
        let line = |r: &Reproduction| format!("{}: {}. {}\n", r.id, r.project, r.shows);
        let text: String = REPRODUCTIONS.iter().map(line).collect();
        return Ok(Answer::ok(wrapped(&text, Some(terminal.width))));
    };
    let known: Vec<&str> = REPRODUCTIONS.iter().map(|r| r.id).collect();
    let allowed = "a name that `topsim repro` lists";
    let row = REPRODUCTIONS.iter().find(|r| r.id == id);
    let row = row.ok_or_else(|| unknown("no finding is called", id, &known, allowed))?;
    let folder = args.out.clone().unwrap_or_else(|| id.into());
    let case = write(row, &folder)?;
    let answer = run::run(&run_of(row, &case, folder.join("results")), terminal)?;
    let told = format!(
        "{}: {}\n{}\n\n{}",
        row.id, row.project, row.shows, answer.text
    );
    Ok(Answer {
        text: wrapped(&told, Some(terminal.width)),
        ..answer
    })
}

/// Writes the case with its tolerance file; returns the path of the case.
fn write(row: &Reproduction, folder: &std::path::Path) -> Result<PathBuf, Failure> {
    let source = builtin(row.case).expect("a test has each case");
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
fn run_of(row: &Reproduction, case: &std::path::Path, out: PathBuf) -> RunArgs {
    RunArgs {
        selection: CaseArgs::of(vec![case.display().to_string()]),
        out,
        report: ReportArgs::default(),
        dry_run: false,
        no_checks: false,
        solver: None,
        choice: ChoiceArgs {
            schemes: Vec::new(),
            steps: Vec::new(),
            end: None,
            check: row.checks.iter().map(|c| (*c).into()).collect(),
        },
        no_figures: true,
        figure_format: FigureFormat::USUAL.into(),
        verbose: true,
        map: MapArgs {
            window: None,
            size: None,
            simd: None,
        },
        shard: None,
        from: Vec::new(),
    }
}
