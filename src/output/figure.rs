//! From a case's report to its figures.

use super::files::OutputError;
use super::plot::{self, Axis, Plot, Scale, Series, Style};
use super::{map, study, survey};
use crate::analysis::group_distance;
use crate::cases::{FigureKind, FigurePlan, OnePer};
use crate::runner::{CaseReport, RunReport};

/// Pixels of the PNG for each unit of the SVG.
const RASTER_SCALE: f32 = 2.0;

/// A drawn figure.
pub struct Figure {
    /// Stem of its files.
    pub name: String,
    /// The drawing.
    pub svg: String,
    /// Whether it shows times of this machine: it is then another drawing each time.
    pub timed: bool,
}

impl Figure {
    /// The drawing as PNG.
    ///
    /// # Errors
    /// [`OutputError::Draw`].
    pub fn png(&self) -> Result<Vec<u8>, OutputError> {
        plot::png(&self.svg, RASTER_SCALE).map_err(|e| draw_error(&self.name, &e))
    }
}

fn draw_error(name: &str, e: &plot::PlotError) -> OutputError {
    OutputError::Draw {
        name: name.into(),
        why: e.to_string(),
    }
}

/// Files of the figures a case asks for.
pub fn figure_names(case: &CaseReport) -> Vec<String> {
    let mut out = Vec::new();
    for figure in &case.figures {
        for (key, _) in groups(figure, &case.runs) {
            let name = name(figure, key.as_deref());
            out.push(format!("{name}.svg"));
            out.push(format!("{name}.png"));
        }
    }
    for found in case.findings.iter().filter(|f| !f.study.is_timed()) {
        let name = found.study.stem();
        out.push(format!("{name}.svg"));
        out.push(format!("{name}.png"));
    }
    for m in case.maps.iter().filter(|m| m.grid.is_some()) {
        let name = m.plan.stem();
        out.push(format!("{name}.svg"));
        out.push(format!("{name}.png"));
    }
    for name in case.surveys.iter().flat_map(survey::stems) {
        out.push(format!("{name}.svg"));
        out.push(format!("{name}.png"));
    }
    out
}

fn name(figure: &FigurePlan, key: Option<&str>) -> String {
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
pub fn figures(case: &CaseReport) -> Result<Vec<Figure>, OutputError> {
    let mut out = Vec::new();
    for figure in &case.figures {
        for (key, runs) in groups(figure, &case.runs) {
            let name = name(figure, key.as_deref());
            let plot = draw(case, figure, key.as_deref(), &runs);
            let svg = plot::svg(&plot).map_err(|e| draw_error(&name, &e))?;
            out.push(Figure {
                name,
                svg,
                timed: false,
            });
        }
    }
    for found in &case.findings {
        let name = found.study.stem();
        let svg = plot::svg(&study::plot(case, found)).map_err(|e| draw_error(&name, &e))?;
        out.push(Figure {
            name,
            svg,
            timed: found.study.is_timed(),
        });
    }
    for m in &case.maps {
        if let (Some(grid), Some(summary)) = (&m.grid, &m.summary) {
            let name = m.plan.stem();
            let names = map::Names::of(&case.title, &m.plan);
            let svg = map::svg(grid, summary, &names).map_err(|e| draw_error(&name, &e))?;
            out.push(Figure {
                name,
                svg,
                timed: false,
            });
        }
    }
    for s in &case.surveys {
        let drawn = survey::svgs(s, &case.title);
        let drawn = drawn.map_err(|e| draw_error(&s.plan.stem(), &e))?;
        let named = survey::stems(s).into_iter().zip(drawn);
        out.extend(named.map(|(name, svg)| Figure {
            name,
            svg,
            timed: false,
        }));
    }
    Ok(out)
}

/// Runs of each figure, with what names the figure.
fn groups<'a>(
    figure: &FigurePlan,
    runs: &'a [RunReport],
) -> Vec<(Option<String>, Vec<&'a RunReport>)> {
    let mut out: Vec<(Option<String>, Vec<&RunReport>)> = Vec::new();
    let drawn = |r: &&RunReport| figure.runs.takes(&r.scheme, r.run.h);
    for r in runs.iter().filter(drawn) {
        let key = match figure.one_per {
            OnePer::Scheme => Some(r.scheme.clone()),
            OnePer::Step => Some(format!("h{}", r.step)),
            OnePer::Case => None,
        };
        match out.iter_mut().find(|g| g.0 == key) {
            Some(g) => g.1.push(r),
            None => out.push((key, vec![r])),
        }
    }
    out
}

fn draw(case: &CaseReport, figure: &FigurePlan, key: Option<&str>, runs: &[&RunReport]) -> Plot {
    // The coarsest step first, so that the finer lines lie on top of it.
    let mut runs = runs.to_vec();
    runs.sort_by(|a, b| b.run.h.total_cmp(&a.run.h));
    let title = match (figure.one_per, key) {
        (OnePer::Scheme, Some(k)) => format!("{}: {k}", case.title),
        (OnePer::Step, Some(_)) => format!("{}: h = {} s", case.title, runs[0].step),
        _ => case.title.clone(),
    };
    let one_step = runs.iter().all(|r| r.step == runs[0].step);
    let label = |r: &RunReport| {
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
    let scale = match figure.kind {
        FigureKind::History => Scale::Linear,
        FigureKind::Error => Scale::Log10,
    };
    let unit = if figure.unit.is_empty() {
        String::new()
    } else {
        format!(" [{}]", figure.unit)
    };
    Plot {
        title,
        x: Axis::new("Time [s]", Scale::Linear),
        y: Axis::new(format!("{}{unit}", figure.label), scale),
        series: runs
            .iter()
            .map(|r| Series {
                label: label(r),
                points: points(case, figure, r),
                style: Style::Line,
            })
            .collect(),
        marks: Vec::new(),
    }
}

fn points(case: &CaseReport, figure: &FigurePlan, r: &RunReport) -> Vec<[f64; 2]> {
    let run = &r.run;
    match figure.kind {
        FigureKind::History => match run.column(&figure.quantity) {
            Some(c) => run
                .times
                .iter()
                .zip(run.series(c))
                .map(|(&t, x)| [t, x])
                .collect(),
            None => Vec::new(),
        },
        FigureKind::Error => {
            let Ok(reference) = &case.reference else {
                return Vec::new();
            };
            let mut exact = vec![f64::NAN; run.columns.width()];
            let group = run.columns.group(&figure.quantity);
            let column = run.column(&figure.quantity);
            // The first sample has no error and no place on a logarithmic axis.
            (1..run.times.len())
                .map(|k| {
                    reference.row(run.times[k], &mut exact);
                    let e = match (group, column) {
                        (Some(g), _) => group_distance(g, run.row(k), &exact),
                        (None, Some(c)) => (run.row(k)[c] - exact[c]).abs(),
                        (None, None) => f64::NAN,
                    };
                    [run.times[k], e]
                })
                .collect()
        }
    }
}
