//! The findings on a solver: its defects, its scheme, its order and its errors.

use crate::run::{Case, Results};
use crate::text;
use maud::{Markup, html};
use topsim_core::verdict::Verdict;
use topsim_judge::{Certainty, Claim, Coefficient, EQUATIONS, Report as HistoryReport, VerdictId};

/// Returns the words before the name of a cause that tell how certain it is.
fn certainty_words(cause: &Claim) -> &'static str {
    match cause.certainty {
        Certainty::Is => "",
        Certainty::LooksLike => "looks like: ",
        _ => "unexplained: ",
    }
}

/// Returns the cause that a verdict of a case states, if it states one.
fn cause_of<'a>(case: Case<'a>, v: &Verdict) -> Option<&'a Claim> {
    let diagnosed = case.judged()?.diagnosis.as_ref()?;
    let mut causes = diagnosed.causes.iter();
    causes.find(|cause| VerdictId::Defect(cause.id).to_string() == v.id)
}

/// Tests whether a verdict states a cause; other verdicts state its consequences.
pub(super) fn is_cause(case: Case, v: &Verdict) -> bool {
    cause_of(case, v).is_some()
}

/// Returns the words that tell how certain the cause in a verdict is; empty for other verdicts.
pub(super) fn certainty(case: Case, v: &Verdict) -> &'static str {
    cause_of(case, v).map_or("", certainty_words)
}

/// Draws the evidence of several cases together on what is wrong with a solver.
pub(super) fn combined_evidence(results: &Results) -> Markup {
    let all: Vec<&HistoryReport> = results.judged().collect();
    let evidence = if all.len() > 1 {
        HistoryReport::evidence(&all)
    } else {
        Vec::new()
    };
    html! {
        @if !evidence.is_empty() {
            section #found {
                h2 { "What is wrong with the solver" }
                @for defect in &evidence {
                    article.cause {
                        h3 { (defect.name) " " code { (defect.id) } }
                        p { (defect.evidence) }
                    (equations(&defect.coefficients))
                        p.advice { "Look: " (defect.advice) }
                        p { "Shown by: " (defect.named_on.join(", ")) }
                    }
                }
            }
        }
    }
}

/// Draws the findings on the histories of a case.
pub(super) fn histories(report: &HistoryReport, case: Case) -> Markup {
    let diagnosis = report.diagnosis.as_ref();
    let causes = diagnosis.map_or(&[][..], |d| &d.causes);
    html! {
        div.judged {
            p.outcome { strong { (report.outcome()) } ": " (report.summary()) }
            @for cause in causes {
                article.cause {
                    h3 { (certainty_words(cause)) (cause.name) " " code { (cause.id) } }
                    p { (cause.evidence) }
                    (equations(&cause.coefficients))
                    p.advice { "Look: " (cause.advice) }
                    @if case.findings().next().is_some() {
                        p { a href={ "#live-" (case.report.name) } { "See the motion and the errors" } }
                    }
                }
            }
            @if let Some(d) = diagnosis {
                @if !d.rule.is_empty() {
                    h3 { "The scheme it uses" }
                    ul { @for sentence in &d.rule { li { (sentence) } } }
                }
                @if !d.remarks.is_empty() {
                    h3 { "Notes" }
                    ul { @for remark in &d.remarks { li { (remark) } } }
                }
            }
            @for step in &report.failed {
                p.note { "Step " (step.step) ": " (step.message) }
                @if !step.stderr.is_empty() { pre { (step.stderr.join("\n")) } }
            }
            (error_table(report))
        }
    }
}

/// Formats a number with six digits: a fit seldom knows more.
fn six_digits(x: f64) -> String {
    text::number(format!("{x:.5e}").parse().unwrap_or(x))
}

/// Draws the coefficients of the equations of motion that differ in the solver from the right ones.
fn equations(all: &[Coefficient]) -> Markup {
    html! {
        @if !all.is_empty() {
            div.scroll { table.sizes {
                thead { tr {
                    th { "Number" } th { "What it is" } th.number { "Right" } th.number { "In the solver" }
                    th.number { "May be off by" } th { "Unit" }
                } }
                tbody { @for c in all {
                    tr {
                        td { (c.symbol) } td { (c.meaning) }
                        td.number { (six_digits(c.right)) }
                        td.number data-fitted=(c.fitted) { (six_digits(c.fitted)) }
                        td.number { @if let Some(error) = c.error { (text::brief(error)) } }
                        td { (c.unit) }
                    }
                } }
            } }
            details {
                summary { "The equations of these numbers" }
                pre { (EQUATIONS.join("\n")) }
            }
        }
    }
}

/// Draws the errors at each step, and the order.
fn error_table(report: &HistoryReport) -> Markup {
    let errors = report
        .files
        .iter()
        .filter_map(|f| Some((f, f.finding.errors.as_ref()?)));
    let errors: Vec<_> = errors.collect();
    html! {
        @if !errors.is_empty() {
            div.scroll { table.sizes {
                thead { tr {
                    th { "History" } th.number { "Step [s]" } th.number { "Rows" }
                    th.number { "Worst attitude error [rad]" } th.number { "at t [s]" }
                    th.number { "Worst rate error [rad/s]" }
                } }
                tbody {
                    @for (f, e) in &errors {
                        tr {
                            td { (f.file) } td.number { (crate::study::solver_histories::written(f.step)) }
                            td.number { (e.rows) }
                            td.number data-attitude=(e.attitude.size.worst) { (text::brief(e.attitude.size.worst)) }
                            td.number { (text::number(e.attitude.size.worst_at)) }
                            td.number { @if let Some(rate) = &e.rate { (text::brief(rate.size.worst)) } }
                        }
                    }
                }
            } }
            @if let Some(p) = report.order() { p { "Order " strong { (format!("{p:.2}")) } "." } }
        }
    }
}
