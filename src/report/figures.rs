//! From a case of the report to its figures.

use super::files::OutputError;
use super::{Case, RunItem};
use crate::check::grouped;
use crate::study::Column;
use crate::suite::{Figure, FigureKind, OnePer};
use rayon::prelude::*;
use topsim_plot::{Axis, Plot, PlotError, Scale, Series, Style};

/// Pixels of the PNG for each unit of the SVG.
const RASTER_SCALE: f32 = 2.0;

/// A drawn figure.
pub struct DrawnFigure {
    /// Stem of its files.
    pub name: String,
    /// The drawing.
    pub svg: String,
    /// Whether it shows times of this machine: it is then another drawing each time.
    pub timed: bool,
}

impl DrawnFigure {
    /// The drawing as PNG.
    ///
    /// # Errors
    /// [`OutputError::Draw`].
    pub fn png(&self) -> Result<Vec<u8>, OutputError> {
        topsim_plot::png(&self.svg, RASTER_SCALE).map_err(|e| draw_error(&self.name, e))
    }
}

fn draw_error(name: &str, why: PlotError) -> OutputError {
    OutputError::Draw {
        name: name.into(),
        why,
    }
}

/// Files of the figures a case asks for, but for those of times of this machine.
pub(super) fn figure_names(case: &Case) -> Vec<String> {
    let asked = case.figures.iter().flat_map(|figure| {
        let groups = groups(figure, case).into_iter();
        groups.map(|(key, _)| name(figure, key.as_deref()))
    });
    let findings = case.findings().filter(|f| !f.timed);
    let drawn = findings.flat_map(|f| f.drawings.iter().map(|d| d.stem.clone()));
    asked
        .chain(drawn)
        .flat_map(|name| ["svg", "png"].map(|end| format!("{name}.{end}")))
        .collect()
}

fn name(figure: &Figure, key: Option<&str>) -> String {
    let what = match figure.kind {
        FigureKind::History => figure.quantity.clone(),
        FigureKind::Error => format!("error_{}", figure.quantity),
    };
    match key {
        None => what,
        Some(k) => format!("{what}_{k}"),
    }
}

/// All figures a case asks for.
///
/// # Errors
/// [`OutputError::Draw`].
pub fn figures(case: &Case) -> Result<Vec<DrawnFigure>, OutputError> {
    let drawn = |name: String, timed, svg: Result<String, PlotError>| match svg {
        Ok(svg) => Ok(DrawnFigure { name, svg, timed }),
        Err(why) => Err(draw_error(&name, why)),
    };
    let asked = case.figures.iter().flat_map(|figure| {
        groups(figure, case).into_iter().map(move |(key, runs)| {
            let plot = draw(case, figure, key.as_deref(), &runs);
            drawn(name(figure, key.as_deref()), false, topsim_plot::svg(&plot))
        })
    });
    let found = case.findings().flat_map(|found| {
        let drawings = found.drawings.iter();
        drawings.map(move |d| drawn(d.stem.clone(), found.timed, d.svg()))
    });
    asked.chain(found).collect()
}

/// Figures with their PNGs, drawn on all cores; most of a run's time goes here.
///
/// # Errors
/// [`OutputError::Draw`].
pub fn with_rasters(figures: Vec<DrawnFigure>) -> Result<Vec<(DrawnFigure, Vec<u8>)>, OutputError> {
    figures
        .into_par_iter()
        .map(|f| f.png().map(|png| (f, png)))
        .collect()
}

/// Runs of each figure, with what names the figure.
fn groups<'a>(figure: &Figure, case: &'a Case) -> Vec<(Option<String>, Vec<&'a RunItem>)> {
    let drawn = |r: &&RunItem| figure.runs.shows(&r.scheme, r.run.h, r.guest);
    let key = |r: &RunItem| match figure.one_per {
        OnePer::Scheme => Some(r.scheme.clone()),
        OnePer::Step => Some(format!("h{}", r.step)),
        OnePer::Case => None,
    };
    grouped(case.runs().filter(drawn).map(|r| (key(r), r)))
}

fn draw(case: &Case, figure: &Figure, key: Option<&str>, runs: &[&RunItem]) -> Plot {
    // The coarsest step first, so that the finer lines lie on top of it.
    let mut runs = runs.to_vec();
    runs.sort_by(|a, b| b.run.h.total_cmp(&a.run.h));
    let title = match (figure.one_per, key) {
        (OnePer::Scheme, Some(k)) => format!("{}: {k}", case.title),
        (OnePer::Step, Some(_)) => format!("{}: h = {} s", case.title, runs[0].step),
        _ => case.title.clone(),
    };
    let one_step = runs.iter().all(|r| r.step == runs[0].step);
    let label = |r: &RunItem| {
        let run = match figure.one_per {
            OnePer::Scheme => format!("h = {} s", r.step),
            OnePer::Step => r.scheme.clone(),
            OnePer::Case if one_step => r.scheme.clone(),
            OnePer::Case => format!("{}, h = {} s", r.scheme, r.step),
        };
        match (r.outcome(), r.run.times.last()) {
            (Err(_), Some(t)) => format!("{run} (ends at {t:.3} s)"),
            _ => run,
        }
    };
    let series = |r: &RunItem| Series::new(label(r), points(case, figure, r), Style::Line);
    let scale = match figure.kind {
        FigureKind::History => Scale::Linear,
        FigureKind::Error => Scale::Log10,
    };
    Plot {
        title,
        x: Axis::new("Time [s]", Scale::Linear),
        y: Axis::new(Column::new(&*figure.label, &*figure.unit).label(), scale),
        series: runs.iter().map(|r| series(r)).collect(),
        marks: Vec::new(),
    }
}

fn points(case: &Case, figure: &Figure, r: &RunItem) -> Vec<[f64; 2]> {
    let run = &r.run;
    match figure.kind {
        FigureKind::History => run.column(&figure.quantity).map_or_else(Vec::new, |c| {
            let rows = run.times.iter().zip(run.series(c));
            rows.map(|(&t, x)| [t, x]).collect()
        }),
        FigureKind::Error => {
            let Ok(reference) = &case.reference else {
                return Vec::new();
            };
            let mut exact = vec![f64::NAN; run.columns.width()];
            let group = run.columns.group(&figure.quantity);
            let column = run.column(&figure.quantity);
            // The first sample has no error and no place on a logarithmic axis.
            let error = |k: usize| {
                reference.row(run.times[k], &mut exact);
                let e = match (group, column) {
                    (Some(g), _) => g.distance(run.row(k), &exact),
                    (None, Some(c)) => (run.row(k)[c] - exact[c]).abs(),
                    (None, None) => f64::NAN,
                };
                [run.times[k], e]
            };
            (1..run.times.len()).map(error).collect()
        }
    }
}
