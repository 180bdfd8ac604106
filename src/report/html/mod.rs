//! One page for a browser: verdicts, figures that can be zoomed, the body in motion. It is one file, asks nothing of any
//! network, and its policy forbids to; whatever comes from outside is escaped. Of many cases each has a page of its own,
//! and the report is their index.
//!
//! What differs from one command to the next stands on lines with the attribute `data-varies`, and nowhere else.

mod assets;
mod body;
mod case;
mod checks;
mod data;
mod motion;
mod numbers;
mod outline;
mod page;
mod plots;
mod solver_facts;
mod stills;
mod studies;
mod torque;

use super::figures::{DrawnFigure, figures};
use super::{OutputError, Renderer};
use crate::run::{CaseReport, Results};
use page::{Part, page};
use rayon::prelude::*;
use std::path::Path;
use whole_file::WriteError;

/// Name of a page.
const NAME: &str = "report.html";
/// More cases than this have pages of their own.
const MANY: usize = 8;

/// The report as a page, all cases in one.
#[derive(Debug, Clone, Copy)]
pub struct Html;

impl Renderer for Html {
    fn render(&self, results: &Results) -> String {
        let drawn = results.cases().map(|c| figures(c).unwrap_or_default());
        page(results, &drawn.collect::<Vec<_>>(), Part::Whole)
    }
}

/// Writes the page, or the index and a page for each case; `stills` are the figures of each case.
///
/// # Errors
/// [`OutputError`].
pub(super) fn write(
    out: &Path,
    results: &Results,
    stills: &[Vec<DrawnFigure>],
) -> Result<(), OutputError> {
    let one = |path: &Path, part| whole_file::write(path, page(results, stills, part).as_bytes());
    let cases = &results.report.cases;
    if cases.len() <= MANY {
        return Ok(one(&out.join(NAME), Part::Whole)?);
    }
    cases
        .par_iter()
        .enumerate()
        .try_for_each(|(k, case)| one(&out.join(&case.name).join(NAME), Part::Case(k)))?;
    Ok(one(&out.join(NAME), Part::Index)?)
}

/// Removes the pages of an earlier report.
pub(super) fn remove(out: &Path, planned: &[CaseReport]) -> Result<(), WriteError> {
    whole_file::remove(&out.join(NAME))?;
    for case in planned {
        whole_file::remove(&out.join(&case.name).join(NAME))?;
    }
    Ok(())
}
