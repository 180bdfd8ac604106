//! Figures as data, which the page draws itself so that they can be zoomed and read.

use super::numbers::single;
use crate::run::Case;
use crate::study::{MapPicture, Picture};
use serde_json::{Value, json};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style, decimate};

/// Number of pixel columns for which dense series are thinned.
const PIXELS: usize = 250;
/// Largest number of cells of a map along each side of its picture.
const CELLS: u32 = 160;

fn axis(axis: &Axis) -> Value {
    json!({ "label": axis.label, "log": axis.scale == Scale::Log10 })
}

fn series(series: &Series) -> Value {
    let points = decimate(&series.points, PIXELS);
    json!({
        "label": series.label,
        "x": single(points.iter().map(|p| p[0])),
        "y": single(points.iter().map(|p| p[1])),
        "line": series.style != Style::Markers,
        "markers": series.style != Style::Line,
    })
}

/// Returns a reference line or a slope; the page fills no areas.
fn mark(mark: &Mark) -> Option<Value> {
    Some(match mark {
        Mark::Horizontal { y, label } => json!({ "kind": "horizontal", "at": y, "label": label }),
        Mark::Vertical { x, label } => json!({ "kind": "vertical", "at": x, "label": label }),
        Mark::Slope { order, .. } => json!({ "kind": "slope", "order": order }),
        _ => return None,
    })
}

/// Returns a figure as data if the page can draw it: its curves go from left to right, and nothing is filled.
fn data(plot: &Plot) -> Option<Value> {
    let rising = |s: &Series| s.points.windows(2).all(|w| !(w[1][0] < w[0][0]));
    let marks: Option<Vec<Value>> = plot.marks.iter().map(mark).collect();
    let marks = marks.filter(|_| plot.series.iter().all(rising))?;
    Some(json!({
        "title": plot.title,
        "x": axis(&plot.x),
        "y": axis(&plot.y),
        "series": plot.series.iter().map(series).collect::<Vec<_>>(),
        "marks": marks,
    }))
}

/// Returns the figures of studies and histories that the page draws itself: those of times of this machine if `timed`, or
/// all others. Figures of motions are left out, because the page draws them from the motions.
pub(super) fn plots(case: Case, timed: bool) -> Vec<Value> {
    let findings = case.findings().filter(|f| f.timed == timed);
    let drawings = findings.flat_map(|f| &f.drawings);
    drawings
        .filter(|d| !d.of_motions)
        .filter_map(|d| match &d.picture {
            Picture::Curves(plot) => data(plot),
            Picture::Map(_) => None,
        })
        .collect()
}

/// Returns the maps of a case, no finer than the page shows them.
pub(super) fn maps(case: Case) -> Vec<Value> {
    let drawings = case.findings().flat_map(|f| &f.drawings);
    drawings
        .filter_map(|d| match &d.picture {
            Picture::Curves(_) => None,
            Picture::Map(map) => Some(of_map(map)),
        })
        .collect()
}

/// Returns a map: the ends and the number of cells of each direction, and the escape times in s of the cells of the picture,
/// row by row from the lowest; NaN for survivors.
fn of_map(map: &MapPicture) -> Value {
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
    json!({
        "title": map.title,
        "x": (grid.x.from, grid.x.to, grid.x.cells),
        "z": (grid.y.from, grid.y.to, grid.y.cells),
        "cells": cells,
        "seconds": single(seconds),
        "end": grid.time(f64::from(grid.limit)),
    })
}
