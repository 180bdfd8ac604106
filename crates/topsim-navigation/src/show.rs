//! Texts about a judgement of an update.

use crate::judge::NavigationReport;
use crate::measure::{Course, PartErrors};
use document::{Document, Table, Text, bad, caution, good, right};
use topsim_core::verdict::Status;

/// Headings of the table of errors.
const HEADINGS: [&str; 4] = [
    "update (s)",
    "attitude (rad)",
    "velocity (m/s)",
    "position (m)",
];

/// Says which errors do not fall, or stop falling.
fn unexplained(out: &mut Document, errors: &[PartErrors], under: &str) {
    for part in errors {
        let words = part.part.words();
        match part.course {
            Course::Falls => {}
            Course::Stops => out.item(format!(
                "? the errors of the {words} stop falling with the update{under}: a tolerance, noise, or a number that is slightly off"
            )),
            Course::Stays => {
                let said = format!("the errors of the {words} do not fall with the update{under}");
                out.item(bad("✗ ").then(said));
            }
        }
    }
}

/// Returns the text about an update.
pub fn shown_navigation(report: &NavigationReport) -> Document {
    let mut out = Document::default();
    let (mut orders, mut missing) = (Vec::new(), Vec::new());
    for part in &report.errors {
        let order = part.order.map_or("unknown".into(), |o| format!("{o:.2}"));
        orders.push(format!("{} {order}", part.part.words()));
        if report.explained[part.part as usize].is_none() {
            missing.push(part.part.words());
        }
    }
    let verdict = match report.status() {
        Status::Passed | Status::Skipped => good("PASSED"),
        Status::Undecided => caution("UNDECIDED"),
        Status::Failed => bad("FAILED"),
    };
    let orders = format!("  orders: {}", orders.join(", "));
    out.paragraph(verdict.strong().then(orders));
    for finding in &report.findings {
        out.item(bad("✗ ").then(finding.sentence()));
    }
    // A defect explains why errors do not fall.
    if report.findings.is_empty() {
        unexplained(&mut out, &report.errors, "");
        for under in &report.conditions {
            let words = format!(" {}", under.condition.words());
            unexplained(&mut out, &under.errors, &words);
        }
    }
    let mut table = Table::new(HEADINGS.map(right)).compact();
    for k in 0..report.errors[0].errors.len() {
        let mut row = vec![Text::from(report.errors[0].errors[k].0.to_string())];
        let errors = report.errors.iter().map(|part| part.errors[k].1);
        row.extend(errors.map(|e| Text::from(format!("{e:.2e}"))));
        table.push(row);
    }
    out.table(table);
    for under in &report.conditions {
        let each = under.errors.iter().map(|part| {
            let order = part.order.map_or("unknown".into(), |o| format!("{o:.2}"));
            let (time, error) = part.errors.last().copied().unwrap_or_default();
            (order, time, error)
        });
        let (orders, times, errors): (Vec<_>, Vec<_>, Vec<_>) = each.collect();
        out.item(format!(
            "{}: orders {}; errors {:.2e} rad, {:.2e} m/s and {:.2e} m at {} s",
            under.condition.words(),
            orders.join(", "),
            errors[0],
            errors[1],
            errors[2],
            times[0]
        ));
    }
    let drifts = [
        ("attitude under coning: −φ² Ω", report.coning),
        ("velocity under sculling: −θ c", report.sculling),
        ("position under scrolling: −θ c/Ω", report.scrolling),
    ];
    for (name, drift) in drifts {
        if let Some(drift) = drift {
            let five: f64 = format!("{:.4e}", drift.constant)
                .parse()
                .unwrap_or(f64::NAN);
            let said = format!(
                "drift of the {name} (ΩH)^{}/{five}, H its update",
                drift.power
            );
            out.item(said);
        }
    }
    let forms: Vec<&str> = report.explained.iter().flatten().copied().collect();
    let (forms, missing) = (forms.join("; "), missing.join(" and "));
    if !forms.is_empty() {
        out.paragraph(format!("Its rows are those of {forms}, to their rounding."));
    }
    if !missing.is_empty() {
        let said = "errors and orders are measured, and no cause is named.";
        out.paragraph(format!("No rule gives its {missing}: {said}"));
    }
    out
}
