//! The reports of several versions: what changed when.

use super::difference::{ReportDifference, verdicts_by_name};
use crate::run::Report;
use crate::text;
use document::{Document, Html, Markup, Table, left, right};
use std::collections::BTreeSet;
use topsim_core::verdict::Verdict;
use topsim_plot::{Axis, Plot, PlotError, Scale, Series, Style};

/// The report of a version.
pub struct ReportVersion {
    /// Name of the version: that of its file or folder.
    pub name: String,
    /// Report.
    pub report: Report,
}

/// Title of the page.
const TITLE: &str = "Versions compared";

/// Returns a page on the verdicts that changed from one version to another: a table of each over the versions, and a figure of
/// its number.
///
/// # Errors
/// [`PlotError`] where a figure cannot be drawn.
pub fn versions_page(versions: &[ReportVersion], tolerance: f64) -> Result<String, PlotError> {
    let all: Vec<_> = versions
        .iter()
        .map(|v| verdicts_by_name(&v.report))
        .collect();
    let names: BTreeSet<_> = all.iter().flat_map(|of| of.keys()).collect();
    let mut page = format!("<h1>{TITLE}</h1>\n");
    for name in names {
        let line: Vec<Option<&Verdict>> = all.iter().map(|of| of.get(name).copied()).collect();
        if !line
            .windows(2)
            .any(|pair| differs(pair[0], pair[1], tolerance))
        {
            continue;
        }
        let mut out = Document::default();
        out.heading(2, &*name.0);
        let mut table = Table::new([left("version"), left("verdict"), right("measured")]);
        for (version, verdict) in versions.iter().zip(&line) {
            let measured = verdict.map_or("–".into(), text::measured);
            let status = verdict.map_or("not judged", text::status);
            table.push([version.name.clone(), status.into(), measured]);
        }
        out.table(table);
        page += &Html.render(&out);
        let numbers = line.iter().enumerate();
        let numbers = numbers
            .filter_map(|(i, v)| Some([(i + 1) as f64, v.as_ref()?.measured.as_ref()?.value]));
        let numbers: Vec<[f64; 2]> = numbers.filter(|p| p[1].is_finite()).collect();
        if numbers.len() > 1 {
            let is_positive = numbers.iter().all(|p| p[1] > 0.0);
            let scale = if is_positive {
                Scale::Log10
            } else {
                Scale::Linear
            };
            let unit = line
                .iter()
                .flatten()
                .find_map(|v| Some(v.measured.as_ref()?.unit.clone()));
            let unit = unit.unwrap_or_default();
            page += &topsim_plot::svg(&Plot {
                title: name.0.clone(),
                x: Axis::new("Number of the version in the table", Scale::Linear),
                y: Axis::new(text::Column::new("Measured", unit).label(), scale),
                series: vec![Series::new("measured", numbers, Style::LineMarkers)],
                size: [640, 360],
                ..Plot::default()
            })?;
        }
    }
    Ok(Html.page_of(TITLE, &page))
}

/// Tests whether a verdict of two versions differs in its status or its number.
fn differs(was: Option<&Verdict>, is: Option<&Verdict>, tolerance: f64) -> bool {
    match (was, is) {
        (Some(was), Some(is)) => ReportDifference::has_changed(was, is, tolerance),
        (was, is) => was.is_some() != is.is_some(),
    }
}
