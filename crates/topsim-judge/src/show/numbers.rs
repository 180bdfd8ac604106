//! Errors, drifts and the order, as tables.

use super::{brief, number, two};
use crate::history::{Convergence, ErrorPair, FileReport, Momentum, ToleranceLadder, Worst};
use crate::report::Report;
use crate::thresholds::{HALF_A_POWER, TENTH, UNLIKE};
use document::{Document, Table, left, right};

/// The worst and the last of each error and drift, for each history.
pub(super) fn sizes(report: &Report) -> Table {
    let numbers = ["worst", "at t", "last", "reference ±"].map(right);
    let mut table = Table::new(
        [left("history"), left("quantity")]
            .into_iter()
            .chain(numbers),
    );
    for f in &report.files {
        // Its name in its first row only.
        let mut file = f.file.clone();
        for (name, size, own) in quantities(f) {
            let own = own.map_or(String::new(), brief);
            let (worst, last) = (brief(size.worst), brief(size.last));
            let at = number(size.worst_at);
            table.push([std::mem::take(&mut file), name, worst, at, last, own]);
        }
    }
    table
}

fn quantities(f: &FileReport) -> Vec<(String, Worst, Option<f64>)> {
    let mut out = Vec::new();
    if let Some(c) = &f.errors {
        let mut error = |name: &str, e| {
            if let Some(ErrorPair { size, uncertainty }) = e {
                out.push((name.into(), size, Some(uncertainty)));
            }
        };
        error("attitude error (rad)", Some(c.attitude));
        error("rate error (rad/s)", c.rate);
        error("position error (m)", c.position);
    }
    if let Some(d) = &f.energy {
        let name = format!("energy drift (J, from {})", number(d.first));
        out.push((name, d.size, None));
    }
    if let Some(w) = f.energy_column {
        out.push(("column H against attitude and rate (J)".into(), w, None));
    }
    if let Some(m) = &f.momentum {
        let what = match m.kept {
            Momentum::Whole => "momentum",
            Momentum::Vertical => "vertical momentum",
        };
        let from = number(m.drift.first);
        let name = format!("{what} drift (kg m²/s, from {from})");
        out.push((name, m.drift.size, None));
    }
    out
}

/// Rows of the short table.
const FEW: usize = 6;

/// The errors of each tolerance.
pub(super) fn tolerances(l: &ToleranceLadder) -> Table {
    let columns = [
        "tolerance",
        "worst attitude error (rad)",
        "at the end",
        "error / tolerance",
    ];
    let mut table = Table::new(columns.map(right)).compact();
    for r in &l.rungs {
        let tolerance = format!("{:e}", r.tolerance);
        table.push([
            tolerance,
            brief(r.worst_attitude),
            brief(r.attitude),
            brief(r.ratio),
        ]);
    }
    table
}

/// The errors of each step, and the order they show: the finest, where there are many.
pub(super) fn short(c: &Convergence) -> Table {
    let columns = [
        "step",
        "worst attitude error (rad)",
        "order",
        "at the end",
        "order",
    ];
    let mut table = Table::new(columns.map(right)).compact();
    let from = c.rungs.len().saturating_sub(FEW);
    for (k, r) in c.rungs.iter().enumerate().skip(from) {
        table.push([
            r.step.to_string(),
            brief(r.worst_attitude),
            slope(&c.worst_attitude, k),
            brief(r.attitude),
            slope(&c.attitude, k),
        ]);
    }
    table
}

/// The slope from the row before.
fn slope(slopes: &[f64], k: usize) -> String {
    let found = k.checked_sub(1).and_then(|k| slopes.get(k));
    found.map_or(String::new(), |p| two(*p))
}

/// Errors and slopes of each step, and what they say beside the order.
pub(super) fn order(out: &mut Document, c: &Convergence) {
    let columns = [
        "step",
        "at t",
        "attitude error",
        "order",
        "rate error",
        "order",
        "worst attitude",
        "order",
    ];
    let mut table = Table::new(columns.map(right));
    for (k, r) in c.rungs.iter().enumerate() {
        table.push([
            r.step.to_string(),
            number(r.time),
            brief(r.attitude),
            slope(&c.attitude, k),
            r.rate.map_or(String::new(), brief),
            slope(&c.rate, k),
            brief(r.worst_attitude),
            slope(&c.worst_attitude, k),
        ]);
    }
    out.table(table);
    let last = |s: &[f64]| s.last().copied();
    if let (Some(worst), Some(end)) = (last(&c.worst_attitude), last(&c.attitude))
        && (worst - end).abs() > UNLIKE
    {
        out.item(format!(
            "(of the worst attitude error; the error at the end alone has slope {end:.2}, as it passes \
             through smaller values)"
        ));
    }
    if let (Some(a), Some(b)) = (c.order(), last(&c.rate))
        && a - b > HALF_A_POWER + TENTH
        && c.converges()
    {
        out.item(format!(
            "the rate converges with order {b:.2} only: perhaps it belongs to another time, such as the \
             half step"
        ));
    }
}
