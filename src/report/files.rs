//! The files of a report: histories, studies and figures in a folder for each case,
//! `results.json`, `timings.json`.

use super::{Case, Report, figures, history, json, with_rasters};
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};
use topsim_plot::PlotError;
use whole_file::WriteError;

/// A file that could not be written, or a figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or folder.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A figure that could not be drawn.
    #[error("cannot draw {name}: {why}")]
    Draw {
        /// The figure.
        name: String,
        /// Why.
        why: PlotError,
    },
    /// A folder of a case that leads out of the results.
    #[error("cannot write below {}: it is a symbolic link; allowed: a folder", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
}

/// The folder of a case below `out`, made if it is not there.
///
/// # Errors
/// [`OutputError::Link`] for a symbolic link, which would lead elsewhere.
fn case_folder(out: &Path, case: &Case) -> Result<PathBuf, OutputError> {
    let path = out.join(&case.name);
    if path.is_symlink() {
        return Err(OutputError::Link { path });
    }
    whole_file::folder(&path)?;
    whole_file::sweep(&path, STALE)?;
    Ok(path)
}

/// Temporary files of killed runs are removed when they are older than this.
const STALE: std::time::Duration = std::time::Duration::from_secs(3600);

/// Writes everything below `out`. Before each file `wanted` is asked; the answer is whether all
/// were.
///
/// # Errors
/// [`OutputError`]; files already written stay, none is half-written.
pub fn write_all(
    report: &Report,
    out: &Path,
    with_figures: bool,
    wanted: &dyn Fn() -> bool,
) -> Result<bool, OutputError> {
    whole_file::folder(out)?;
    whole_file::sweep(out, STALE)?;
    // Before anything is removed: nothing is touched through a link.
    let dirs: Vec<PathBuf> = report
        .cases
        .iter()
        .map(|case| case_folder(out, case))
        .collect::<Result<_, _>>()?;
    // It comes last, so that its presence says the rest is complete and belongs to it.
    let stale = written_before(report, out);
    whole_file::remove(&out.join("results.json"))?;
    for path in stale {
        whole_file::remove(&path)?;
    }
    for (case, dir) in report.cases.iter().zip(&dirs) {
        for r in case.runs() {
            if !wanted() {
                return Ok(false);
            }
            let path = dir.join(format!("{}.csv", r.stem()));
            whole_file::write(&path, history::csv(&r.run).as_bytes())?;
        }
        for file in case.findings().flat_map(|f| &f.files) {
            if !wanted() {
                return Ok(false);
            }
            whole_file::write_with(&dir.join(&file.name), |out| (file.write)(out))?;
        }
        if with_figures {
            for (f, png) in with_rasters(figures(case)?)? {
                if !wanted() {
                    return Ok(false);
                }
                whole_file::write(&dir.join(format!("{}.svg", f.name)), f.svg.as_bytes())?;
                whole_file::write(&dir.join(format!("{}.png", f.name)), &png)?;
            }
        }
    }
    let timings = json::timings(report);
    whole_file::write(&out.join("timings.json"), timings.as_bytes())?;
    whole_file::write(&out.join("results.json"), json::results(report).as_bytes())?;
    Ok(true)
}

/// What `results.json` and `timings.json` say of files that they belong to.
#[derive(Deserialize, Default)]
struct Written {
    #[serde(default)]
    cases: Vec<WrittenCase>,
}

#[derive(Deserialize)]
struct WrittenCase {
    name: String,
    #[serde(default)]
    files: Vec<String>,
}

/// Files that an earlier run of these cases wrote, by its own `results.json`: left in place, those
/// of other steps or schemes would pass for results of this one.
fn written_before(report: &Report, out: &Path) -> Vec<PathBuf> {
    let read = |name: &str| -> Vec<WrittenCase> {
        let text = std::fs::read_to_string(out.join(name)).unwrap_or_default();
        let written: Written = serde_json::from_str(&text).unwrap_or_default();
        written.cases
    };
    // Only plain file names, whatever somebody wrote into that JSON.
    let plain = |name: &String| {
        let mut parts = Path::new(name).components();
        matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none()
    };
    let ours = |case: &WrittenCase| report.cases.iter().any(|c| c.name == case.name);
    ["results.json", "timings.json"]
        .into_iter()
        .flat_map(read)
        .filter(ours)
        .flat_map(|case| {
            let dir = out.join(&case.name);
            let files = case.files.into_iter().filter(plain);
            files.map(move |f| dir.join(f)).collect::<Vec<_>>()
        })
        .collect()
}
