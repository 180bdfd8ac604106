//! One page for a browser, with verdicts, figures that can be zoomed and the body in motion. The page is one file that loads
//! nothing from a network, and its policy forbids it to; all text from outside is escaped. If there are many cases, each has
//! a page of its own and the report is their index.
//!
//! Everything that differs from one command to the next stands on lines with the attribute `data-varies`, and nowhere else.

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
use document::{Document, Html, Markup};
use maud::PreEscaped;
use page::{PageScope, page};
use rayon::prelude::*;
use std::path::Path;
use whole_file::WriteError;

/// File name of a page.
const NAME: &str = "report.html";
/// Largest number of cases on one page; more cases have a page each.
const MOST_ON_A_PAGE: usize = 8;

/// The report as one page with all cases.
#[derive(Debug, Clone, Copy)]
pub struct HtmlPage;

impl Renderer for HtmlPage {
    fn render(&self, results: &Results) -> String {
        let drawn = results.cases().map(|c| figures(c).unwrap_or_default());
        page(results, &drawn.collect::<Vec<_>>(), PageScope::Whole)
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
    if cases.len() <= MOST_ON_A_PAGE {
        return Ok(one(&out.join(NAME), PageScope::Whole)?);
    }
    cases
        .par_iter()
        .enumerate()
        .try_for_each(|(k, case)| one(&out.join(&case.name).join(NAME), PageScope::Case(k)))?;
    Ok(one(&out.join(NAME), PageScope::Index)?)
}

/// Draws a document within the page.
fn said(document: &Document) -> PreEscaped<String> {
    PreEscaped(Html.render(document))
}

/// Removes the pages of an earlier report.
pub(super) fn remove(out: &Path, cases: &[CaseReport]) -> Result<(), WriteError> {
    whole_file::remove(&out.join(NAME))?;
    for case in cases {
        whole_file::remove(&out.join(&case.name).join(NAME))?;
    }
    Ok(())
}
