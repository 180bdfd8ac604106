//! Floor 8: sinks; each turns the report into bytes.

pub mod console;
mod figure;
mod files;
pub mod font;
mod history;
pub mod json;
pub mod junit;
pub mod plot;
pub mod raster;
pub mod words;

pub use figure::{Figure, figures};
pub use files::{OutputError, folder, remove, write};

use crate::runner::SuiteReport;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Writes everything below `out`: histories and figures in a folder for each case, `results.json`,
/// `timings.json`. Before each file `wanted` is asked; the answer is whether all were.
///
/// # Errors
/// [`OutputError`]; files already written stay, none is half-written.
pub fn write_all(
    report: &SuiteReport,
    out: &Path,
    with_figures: bool,
    wanted: &dyn Fn() -> bool,
) -> Result<bool, OutputError> {
    folder(out)?;
    // It comes last, so that its presence says the rest is complete and belongs to it.
    let stale = written_before(report, out);
    remove(&out.join("results.json"))?;
    for path in stale {
        remove(&path)?;
    }
    for case in &report.cases {
        let dir = out.join(&case.name);
        folder(&dir)?;
        for r in &case.runs {
            if !wanted() {
                return Ok(false);
            }
            let path = dir.join(format!("{}.csv", r.stem()));
            write(&path, history::csv(&r.run).as_bytes())?;
        }
        if with_figures {
            for (f, png) in with_rasters(figures(case)?)? {
                if !wanted() {
                    return Ok(false);
                }
                write(&dir.join(format!("{}.svg", f.name)), f.svg.as_bytes())?;
                write(&dir.join(format!("{}.png", f.name)), &png)?;
            }
        }
    }
    write(&out.join("timings.json"), json::timings(report).as_bytes())?;
    write(&out.join("results.json"), json::results(report).as_bytes())?;
    Ok(true)
}

/// Files that an earlier run of these cases wrote, by its own `results.json`: left in place, those
/// of other steps or schemes would pass for results of this one.
fn written_before(report: &SuiteReport, out: &Path) -> Vec<PathBuf> {
    let Ok(text) = std::fs::read_to_string(out.join("results.json")) else {
        return Vec::new();
    };
    let old: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let mut names = Vec::new();
    for case in old["cases"].as_array().into_iter().flatten() {
        if report.cases.iter().all(|c| case["name"] != c.name.as_str()) {
            continue;
        }
        let histories = case["runs"].as_array().into_iter().flatten();
        names.extend(histories.filter_map(|r| r["history"].as_str()));
        let figures = case["figures"].as_array().into_iter().flatten();
        names.extend(figures.filter_map(|f| f.as_str()));
    }
    names
        .into_iter()
        // Only `case/file` names, whatever somebody wrote into that JSON.
        .filter(|n| n.split('/').count() == 2 && !n.contains(".."))
        .map(|n| out.join(n))
        .collect()
}

/// Figures with their PNGs, drawn on all cores; most of a run's time goes here.
///
/// # Errors
/// [`OutputError::Draw`].
pub fn with_rasters(figures: Vec<Figure>) -> Result<Vec<(Figure, Vec<u8>)>, OutputError> {
    figures
        .into_par_iter()
        .map(|f| f.png().map(|png| (f, png)))
        .collect()
}
