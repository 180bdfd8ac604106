//! `topsim diff`: compares two reports.

use super::args::DiffArgs;
use super::terminal::Terminal;
use super::{Answer, Failure, exit, find};
use crate::report::ReportDifference;
use crate::run::Report;
use document::wrapped;
use std::path::Path;

pub(super) fn diff(args: &DiffArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let difference = ReportDifference::of(&old, &new, args.tolerance);
    let worse = difference.is_worse();
    let most = if args.verbose { usize::MAX } else { 20 };
    let text = if terminal.quiet && !worse {
        String::new()
    } else {
        wrapped(&difference.text(most), terminal.console.width)
    };
    let status = if worse { exit::FAILED } else { exit::PASSED };
    Ok(Answer { text, status })
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
