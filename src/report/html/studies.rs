//! The findings of studies as tables.

use crate::study::{Finding, LadderTable, Line};
use crate::text;
use maud::{Markup, html};

/// Draws a study: its numbers, and those of each run.
pub(super) fn study(found: &Finding) -> Markup {
    html! {
        details.study {
            summary { (found.kind.replace('_', " ")) ": " (found.title) }
            @if let Some(why) = &found.incomplete { p.note { "not complete: " (why) } }
            @if !found.numbers.is_empty() {
                div.scroll { table { tbody {
                    @for number in &found.numbers {
                        tr { th scope="row" { (number.name) } td.number {
                            @match &number.value { Ok(x) => (text::number(*x)), Err(why) => (why) }
                        } }
                    }
                } } }
            }
            @if let Some(table) = &found.ladder { (ladder(table)) }
        }
    }
}

fn ladder(table: &LadderTable) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th { "Scheme" } th.number { "Step [s]" }
                @if let Some(work) = &table.work { th.number { (work.label()) } }
                @for column in &table.columns { th.number { (column.label()) } }
                th.number { "Slope" }
                @if !table.summary.is_empty() { th { (table.summary) } }
            } }
            @for line in &table.lines { tbody { (rows(table, line)) } }
        } }
    }
}

/// Formats a number with two decimals, and without a minus sign before zeros.
fn two_decimals(x: f64) -> String {
    let text = format!("{x:.2}");
    match text.strip_prefix('-') {
        Some(size) if size.chars().all(|c| "0.".contains(c)) => size.into(),
        _ => text,
    }
}

fn rows(table: &LadderTable, line: &Line) -> Markup {
    let slope = |i: usize| -> Option<f64> {
        let value = |k: usize| line.points[k].values.as_ref().ok()?.first().copied();
        let (a, b) = (value(i.checked_sub(1)?)?, value(i)?);
        let ratio = line.points[i - 1].x / line.points[i].x;
        let slope = libm::log(a / b) / libm::log(ratio);
        slope.is_finite().then_some(slope)
    };
    html! {
        @for (i, point) in line.points.iter().enumerate() {
            tr {
                @if i == 0 { th scope="row" rowspan=(line.points.len()) { (line.scheme) } }
                td.number { (String::from(point.fineness.clone())) }
                @if table.work.is_some() { td.number { (text::brief(point.x)) } }
                @match &point.values {
                    Ok(values) => @for x in values { td.number { (text::brief(*x)) } },
                    Err(why) => td colspan=(table.columns.len()) { (why) },
                }
                td.number { @if let Some(p) = slope(i) { (two_decimals(p)) } }
                @if i == 0 && !table.summary.is_empty() { td rowspan=(line.points.len()) { (line.summary) } }
            }
        }
    }
}
