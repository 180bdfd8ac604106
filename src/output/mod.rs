//! Floor 8: sinks; each turns the report into bytes.

pub mod console;
mod diagnosis;
mod figure;
mod files;
pub mod font;
pub mod foreign;
mod history;
pub mod json;
pub mod junit;
pub mod map;
pub mod plot;
pub mod raster;
pub mod room;
pub mod scorecard;
pub mod solver;
pub mod study;
pub mod survey;
pub mod tiles;
pub mod verdict;
pub mod words;

pub use figure::{Figure, figures};
pub use files::{OutputError, folder, remove, write, write_with};

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
        for found in &case.findings {
            if !wanted() {
                return Ok(false);
            }
            let path = dir.join(format!("{}.csv", found.study.stem()));
            write(&path, study::csv(found).as_bytes())?;
        }
        for m in &case.maps {
            let (Some(grid), Some(summary)) = (&m.grid, &m.summary) else {
                continue;
            };
            if !wanted() {
                return Ok(false);
            }
            let [npy, csv, survival] = map::files(&m.plan).map(|name| dir.join(name));
            let names = map::Names::of(&case.title, &m.plan);
            write_with(&npy, |out| map::npy(grid, out))?;
            write_with(&csv, |out| map::csv(grid, &names, out))?;
            write(&survival, map::survival(grid, summary).as_bytes())?;
        }
        for s in &case.surveys {
            for (name, text) in survey::files(s) {
                if !wanted() {
                    return Ok(false);
                }
                write(&dir.join(name), text.as_bytes())?;
            }
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
    let read = |name: &str| -> serde_json::Value {
        std::fs::read_to_string(out.join(name))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    let list = |v: &serde_json::Value| v.as_array().cloned().unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    let mut name = |v: &serde_json::Value| names.extend(v.as_str().map(String::from));
    for case in list(&read("results.json")["cases"]) {
        list(&case["runs"]).iter().for_each(|r| name(&r["history"]));
        list(&case["figures"]).iter().for_each(&mut name);
        list(&case["studies"]).iter().for_each(|s| name(&s["data"]));
        for own in list(&case["maps"]).iter().chain(&list(&case["surveys"])) {
            list(&own["data"]).iter().for_each(&mut name);
        }
    }
    for study in list(&read("timings.json")["studies"]) {
        name(&study["data"]);
        if let Some(stem) = study["data"].as_str().and_then(|d| d.strip_suffix(".csv")) {
            for end in ["svg", "png"] {
                name(&format!("{stem}.{end}").into());
            }
        }
    }
    let ours = |n: &str| {
        // Only `case/file` names, whatever somebody wrote into that JSON.
        let mut parts = n.split('/');
        let case = parts.next().unwrap_or_default();
        n.split('/').count() == 2
            && !n.contains("..")
            && report.cases.iter().any(|c| c.name == case)
    };
    names
        .iter()
        .filter(|n| ours(n))
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
