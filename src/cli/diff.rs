//! `topsim diff`: compares two reports, or those of several versions in their order.

use super::args::DiffArgs;
use super::terminal::Terminal;
use super::{Answer, Failure, exit, find};
use crate::report::{ReportDifference, ReportVersion, versions_page};
use crate::run::Report;
use document::wrapped;
use std::path::{Path, PathBuf};

/// Number of changes of a kind that are shown unless all are wanted.
const SHOWN: usize = 20;

pub(super) fn diff(args: &DiffArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let most = if args.verbose { usize::MAX } else { SHOWN };
    let (text, worse) = match &args.new {
        Some(new) => {
            let (old, new) = (read(&args.old)?, read(new)?);
            let difference = ReportDifference::of(&old, &new, args.tolerance);
            (difference.text(most), difference.is_worse())
        }
        None => versions(args, most)?,
    };
    let text = if terminal.quiet && !worse {
        String::new()
    } else {
        wrapped(&text, terminal.console.width)
    };
    let status = if worse { exit::FAILED } else { exit::PASSED };
    Ok(Answer { text, status })
}

/// Compares the reports in a folder, each with the one before it, and tests whether the last one is worse.
fn versions(args: &DiffArgs, most: usize) -> Result<(String, bool), Failure> {
    let mut versions = Vec::new();
    for (name, path) in reports(&args.old)? {
        let report = read(&path)?;
        versions.push(ReportVersion { name, report });
    }
    if versions.len() < 2 {
        return Err(Failure::Invalid(format!(
            "error: found {} below {}; allowed: two reports or more, NAME.json or NAME/results.json, or two arguments",
            crate::text::many(versions.len(), "report"),
            args.old.display()
        )));
    }
    if let Some(page) = &args.page {
        let text = versions_page(&versions, args.tolerance);
        let text = text.map_err(|e| Failure::Io(format!("{}: {e}", page.display())))?;
        whole_file::write_through(page, text.as_bytes())?;
    }
    let (mut text, mut worse) = (String::new(), false);
    for pair in versions.windows(2) {
        let difference = ReportDifference::of(&pair[0].report, &pair[1].report, args.tolerance);
        worse = difference.is_worse();
        text += &format!(
            "{} → {}\n{}\n",
            pair[0].name,
            pair[1].name,
            difference.text(most)
        );
    }
    Ok((text, worse))
}

/// Returns the reports of a folder with their names, in the order of the names, in which numbers count as such.
fn reports(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let entries = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|e| Failure::Io(format!("cannot read the folder {}: {e}", folder.display())))?;
    let report = |path: PathBuf| {
        let is_report = path.extension().is_some_and(|end| end == "json")
            || path.join("results.json").is_file();
        let name = if path.is_dir() {
            path.file_name()
        } else {
            path.file_stem()
        };
        let name = name?.to_string_lossy().into_owned();
        is_report.then_some((name, path))
    };
    let mut all: Vec<_> = entries
        .into_iter()
        .filter_map(|e| report(e.path()))
        .collect();
    all.sort_by_key(|(name, _)| parts(name));
    Ok(all)
}

/// Returns the parts of a name, so that `v0.10` comes after `v0.9`: digits with their number, other characters with zero.
fn parts(name: &str) -> Vec<(u64, String)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let parts = name.chars().collect::<Vec<_>>();
    let parts = parts.chunk_by(|a, b| is_digit(*a) == is_digit(*b));
    let part = |chars: &[char]| chars.iter().collect::<String>();
    parts
        .map(part)
        .map(|text| (text.parse().unwrap_or_default(), text))
        .collect()
}

/// Reads a `results.json`, or the one in a folder.
fn read(path: &Path) -> Result<Report, Failure> {
    let inside = path.join("results.json");
    let path = if path.is_dir() { &inside } else { path };
    let text = find::read_of(path, 1_000_000_000)?;
    Report::read(&text).map_err(|why| {
        Failure::Invalid(format!(
            "error: {}: found no report: {why}; allowed: a results.json, or what --format json printed",
            path.display()
        ))
    })
}
