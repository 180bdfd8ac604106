//! An escape map as files: NPY and CSV of whole step counts, the survival curve as CSV, a heat map.

use crate::study::{DataFile, csv_file, record};
use std::io::{self, Write};
use topsim_levitron::{EscapeGrid, MapAxis, MapSummary, Survival, ratio};
use topsim_plot::heat::{self, Heat};
use topsim_plot::{Axis, PlotError, Scale};

/// Names of the columns of the table.
const COLUMNS: [&str; 2] = ["x", "z"];

/// Writes a two-dimensional array of little-endian 32-bit integers, row after row, the row of the lowest
/// second coordinate first; version 1.0 of the format of numpy.
///
/// # Errors
/// Fails if `out` does.
pub(super) fn npy(grid: &EscapeGrid, out: &mut dyn Write) -> io::Result<()> {
    const START: usize = 10;
    let shape = format!("({}, {})", grid.y.cells, grid.x.cells);
    let mut head = format!("{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}");
    // The data begin at a multiple of 64 bytes.
    let length = (START + head.len() + 1).next_multiple_of(64) - START;
    head.extend(std::iter::repeat_n(' ', length - 1 - head.len()));
    head.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    // The length is below 256, because the two numbers have at most ten digits each.
    out.write_all(&(length as u16).to_le_bytes())?;
    out.write_all(head.as_bytes())?;
    for n in &grid.steps {
        out.write_all(&n.to_le_bytes())?;
    }
    Ok(())
}

/// Writes one row a cell: its centre in shortest round-trip decimals, and its steps, −1 for survivors.
///
/// # Errors
/// Fails if `out` does.
pub(super) fn csv(grid: &EscapeGrid, out: &mut dyn Write) -> io::Result<()> {
    let [first, second] = COLUMNS;
    writeln!(out, "{first},{second},steps")?;
    let x: Vec<String> = texts(&grid.x).collect();
    for (y, row) in texts(&grid.y).zip(grid.steps.chunks(x.len().max(1))) {
        for (x, n) in x.iter().zip(row) {
            writeln!(out, "{x},{y},{n}")?;
        }
    }
    Ok(())
}

/// Returns the largest length of the CSV file, in bytes.
pub(super) fn csv_length([x, y]: [&MapAxis; 2], limit: u32) -> u64 {
    let sum = |axis| texts(axis).map(|t| t.len() as u64).sum::<u64>();
    let (columns, rows) = (u64::from(x.cells), u64::from(y.cells));
    let rest = limit.to_string().len().max(2) as u64 + 3;
    let head: usize = COLUMNS.iter().map(|c| c.len() + 1).sum();
    let cells = columns.saturating_mul(rows).saturating_mul(rest);
    (head as u64 + 6)
        .saturating_add(sum(x).saturating_mul(rows))
        .saturating_add(sum(y).saturating_mul(columns))
        .saturating_add(cells)
}

fn texts(axis: &MapAxis) -> impl Iterator<Item = String> + '_ {
    axis.centres().map(|x| format!("{x:?}"))
}

/// Makes the CSV file of the survival curve: time, steps, survivors, and their fraction of all cells.
pub(super) fn survival(name: String, grid: &EscapeGrid, summary: &MapSummary) -> DataFile {
    let row = |p: &Survival| {
        let part = ratio(p.survivors, summary.cells);
        let t = grid.time(f64::from(p.steps));
        record(&[&t, &p.steps, &p.survivors, &part])
    };
    let names = ["t", "steps", "survivors", "fraction"];
    csv_file(name, names, summary.curve.iter().map(row))
}

/// Returns the heat map as SVG.
///
/// # Errors
/// Fails if the figure cannot be drawn.
pub(super) fn svg(
    grid: &EscapeGrid,
    summary: &MapSummary,
    title: &str,
) -> Result<String, PlotError> {
    let end = grid.time(f64::from(grid.limit));
    let least = grid.steps.iter().copied().filter(|n| *n > 0).min();
    // A map without escapes has no times to show; any range will do.
    let least = least.map_or(0.1 * end, |n| grid.time(f64::from(n)));
    let axis = |label: &str, a: &MapAxis| Axis {
        range: Some((1e3 * a.from, 1e3 * a.to)),
        ..Axis::new(label, Scale::Linear)
    };
    let percent = 100.0 * summary.fraction();
    let value = |cell: u64| {
        let n = grid.steps[cell as usize];
        (n >= 0).then(|| grid.time(f64::from(n)))
    };
    heat::svg(&Heat {
        title: title.into(),
        x: axis("Distance from the axis x [mm]", &grid.x),
        y: axis("Height above the equilibrium z − zₛ [mm]", &grid.y),
        bar: Axis {
            range: Some((least.min(0.5 * end), end)),
            ..Axis::new("Escape time [s]", Scale::Log10)
        },
        size: [grid.x.cells, grid.y.cells],
        value: &value,
        none: format!(
            "still there after {end} s: {} of {} ({percent:.2} %)",
            summary.survivors, summary.cells
        ),
    })
}

#[cfg(test)]
mod tests;
