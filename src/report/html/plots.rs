//! Figures as data, which the page draws itself so that they can be zoomed and read.

use super::numbers::single;
use crate::run::Case;
use crate::study::{MapPicture, Picture};
use serde::Serialize;
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style, decimate};

/// Number of pixel columns for which dense series are thinned.
const PIXELS: usize = 250;
/// Largest number of cells of a map along each side of its picture.
const CELLS: u32 = 160;

/// A figure of curves.
#[derive(Serialize)]
pub(super) struct PlotData {
    stem: String,
    title: String,
    x: AxisData,
    y: AxisData,
    series: Vec<SeriesData>,
    marks: Vec<MarkData>,
}

#[derive(Serialize)]
struct AxisData {
    label: String,
    log: bool,
}

#[derive(Serialize)]
struct SeriesData {
    label: String,
    x: String,
    y: String,
    line: bool,
    markers: bool,
}

/// A reference line or a slope.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum MarkData {
    Horizontal { at: f64, label: String },
    Vertical { at: f64, label: String },
    Slope { order: f64, near: Option<usize> },
}

/// A map of escape times.
#[derive(Serialize)]
pub(super) struct MapData {
    stem: String,
    title: String,
    /// Start, end and number of cells of the whole map in each direction.
    x: (f64, f64, u32),
    z: (f64, f64, u32),
    /// Number of cells of the picture in each direction.
    cells: [u32; 2],
    /// Escape times of the cells in s, row by row from the lowest; NaN for survivors.
    seconds: String,
    end: f64,
}

impl From<&Axis> for AxisData {
    fn from(axis: &Axis) -> Self {
        Self {
            label: axis.label.clone(),
            log: axis.scale == Scale::Log10,
        }
    }
}

fn series(series: &Series) -> SeriesData {
    let points = decimate(&series.points, PIXELS);
    SeriesData {
        label: series.label.clone(),
        x: single(points.iter().map(|p| p[0])),
        y: single(points.iter().map(|p| p[1])),
        line: series.style != Style::Markers,
        markers: series.style != Style::Line,
    }
}

/// Returns a figure as data if the page can draw it: its curves go from left to right, and nothing is filled.
fn data(stem: &str, plot: &Plot) -> Option<PlotData> {
    let rising = |s: &Series| s.points.windows(2).all(|w| !(w[1][0] < w[0][0]));
    let mark = |mark: &Mark| match mark {
        Mark::Horizontal { y, label } => Some(MarkData::Horizontal {
            at: *y,
            label: label.clone(),
        }),
        Mark::Vertical { x, label } => Some(MarkData::Vertical {
            at: *x,
            label: label.clone(),
        }),
        Mark::Slope { order, near } => Some(MarkData::Slope {
            order: *order,
            near: *near,
        }),
        _ => None,
    };
    let marks: Option<Vec<MarkData>> = plot.marks.iter().map(mark).collect();
    plot.series.iter().all(rising).then_some(())?;
    Some(PlotData {
        stem: stem.into(),
        title: plot.title.clone(),
        x: (&plot.x).into(),
        y: (&plot.y).into(),
        series: plot.series.iter().map(series).collect(),
        marks: marks?,
    })
}

/// Returns the figures of studies and histories that the page draws itself: those of times of this machine if `timed`, or
/// all others. Figures of motions are left out, because the page draws them from the motions.
pub(super) fn plots(case: Case, timed: bool) -> Vec<PlotData> {
    let findings = case.findings().filter(|f| f.timed == timed);
    let drawings = findings.flat_map(|f| &f.drawings);
    drawings
        .filter(|d| !d.of_motions)
        .filter_map(|d| match &d.picture {
            Picture::Curves(plot) => data(&d.stem, plot),
            Picture::Map(_) => None,
        })
        .collect()
}

/// Returns the maps of a case, no finer than the page shows them.
pub(super) fn maps(case: Case) -> Vec<MapData> {
    let drawings = case.findings().flat_map(|f| &f.drawings);
    drawings
        .filter_map(|d| match &d.picture {
            Picture::Curves(_) => None,
            Picture::Map(map) => Some(of_map(&d.stem, map)),
        })
        .collect()
}

fn of_map(stem: &str, map: &MapPicture) -> MapData {
    let grid = &map.grid;
    let cells = [grid.x.cells.min(CELLS), grid.y.cells.min(CELLS)];
    // A cell of the picture shows the middle one of the cells that it stands for.
    let of = |k: u32, shown: u32, all: u32| {
        let twice = u64::from(2 * k + 1) * u64::from(all);
        (twice / (2 * u64::from(shown))) as usize
    };
    let seconds = (0..cells[1]).flat_map(|j| {
        let row = of(j, cells[1], grid.y.cells) * grid.x.cells as usize;
        (0..cells[0]).map(move |i| {
            let n = grid.steps[row + of(i, cells[0], grid.x.cells)];
            if n < 0 {
                f64::NAN
            } else {
                grid.time(f64::from(n))
            }
        })
    });
    MapData {
        stem: stem.into(),
        title: map.title.clone(),
        x: (grid.x.from, grid.x.to, grid.x.cells),
        z: (grid.y.from, grid.y.to, grid.y.cells),
        cells,
        seconds: single(seconds),
        end: grid.time(f64::from(grid.limit)),
    }
}
