//! Errors, drifts and the order, as tables.

use super::table::{Align, Table};
use super::{Style, brief, number};
use crate::history::{Convergence, ErrorPair, Momentum, Worst};
use crate::report::{FileReport, Report};
use std::fmt::Write;

/// The worst and the last of each error and drift, for each history.
pub(super) fn sizes(out: &mut String, report: &Report, style: &Style) {
    let mut table = Table::new([
        (Align::Left, "history"),
        (Align::Left, "quantity"),
        (Align::Right, "worst"),
        (Align::Right, "at t"),
        (Align::Right, "last"),
        (Align::Right, "reference ±"),
    ]);
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
    if !table.is_empty() {
        out.push_str(&table.render(style));
    }
}

fn quantities(f: &FileReport) -> Vec<(String, Worst, Option<f64>)> {
    let f = &f.finding;
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

/// Errors and slopes of each step, and what order they show.
pub(super) fn order(out: &mut String, c: &Convergence, style: &Style) {
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
    let mut table = Table::new(columns.map(|name| (Align::Right, name)));
    let slope = |s: &[f64], k: usize| {
        let found = k.checked_sub(1).and_then(|k| s.get(k));
        found.map_or(String::new(), |p| format!("{p:.2}"))
    };
    for (k, r) in c.rungs.iter().enumerate() {
        table.push([
            number(r.step),
            number(r.time),
            brief(r.attitude),
            slope(&c.attitude, k),
            r.rate.map_or(String::new(), brief),
            slope(&c.rate, k),
            brief(r.worst_attitude),
            slope(&c.worst_attitude, k),
        ]);
    }
    out.push_str(&table.render(style));
    let _ = writeln!(out, "  {}", meaning(c));
    let last = |s: &[f64]| s.last().copied();
    if let (Some(worst), Some(end)) = (last(&c.worst_attitude), last(&c.attitude))
        && (worst - end).abs() > 0.3
    {
        let _ = writeln!(
            out,
            "  (of the worst attitude error; the error at the end alone has slope {end:.2}, as it passes \
             through smaller values)"
        );
    }
    if let (Some(a), Some(b)) = (c.order(), last(&c.rate))
        && a - b > 0.6
        && c.converges()
    {
        let _ = writeln!(
            out,
            "  the rate converges with order {b:.2} only: perhaps it belongs to another time, such as the \
             half step"
        );
    }
}

fn meaning(c: &Convergence) -> String {
    let Some(p) = c.order() else {
        return if c.converges() {
            "errors are as small as can be told from the reference's own: no order to measure"
                .into()
        } else {
            "no order: the histories are too far from this motion at these steps; it does not converge to this motion"
                .into()
        };
    };
    match p {
        p if p < 0.3 && !c.converges() => format!(
            "order {p:.2}: the errors do not fall with the step; it does not converge to this motion"
        ),
        p if !c.converges() => format!(
            "order {p:.2}: below first order; the steps are too coarse, or it does not converge to this motion"
        ),
        p if p < 1.5 => format!("order {p:.2}: first order, where second is usual"),
        p if p < 2.5 => format!("order {p:.2}: second order"),
        p => format!("order {p:.2}: higher than second order"),
    }
}
