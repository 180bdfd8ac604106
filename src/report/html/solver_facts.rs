//! The findings on a solver: its defects, its scheme, its order and its errors.

use super::said;
use crate::run::{Case, Results};
use crate::text;
use document::{Block, Document, Table, left, right};
use maud::{Markup, html};
use topsim_core::verdict::Verdict;
use topsim_judge::show::{case as judged_case, several};
use topsim_judge::{Certainty, Claim, Coefficient, Report as HistoryReport, VerdictId};

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
    let solver = results.report.solver.as_deref();
    let Some(solver) = solver.filter(|_| all.len() > 1) else {
        return html! {};
    };
    let mut out = Document::default();
    out.heading(2, "What is wrong with the solver");
    out.append(several(solver, &all, false));
    let evidence = HistoryReport::evidence(&all);
    equations(
        &mut out,
        evidence.iter().flat_map(|d| d.claim.coefficients()),
    );
    html! { section #found { (said(&out)) } }
}

/// Draws the findings on the histories of a case.
pub(super) fn histories(report: &HistoryReport, case: Case) -> Markup {
    let mut out = judged_case(report, true);
    // The heading with the name of the case stands above.
    out.blocks
        .retain(|block| !matches!(block, Block::Heading(..)));
    let causes = report.diagnosis.iter().flat_map(|d| &d.causes);
    equations(&mut out, causes.flat_map(Claim::coefficients));
    html! {
        div.judged {
            (said(&out))
            @if case.findings().next().is_some() {
                p { a href={ "#live-" (case.report.name) } { "See the motion and the errors" } }
            }
        }
    }
}

/// Formats a number with six digits: a fit seldom knows more.
fn six_digits(x: f64) -> String {
    text::number(format!("{x:.5e}").parse().unwrap_or(x))
}

/// Adds the coefficients of the equations of motion that differ in the solver from the right ones.
fn equations(out: &mut Document, all: impl Iterator<Item = Coefficient>) {
    let numbers = ["right", "in the solver", "may be off by"].map(right);
    let columns = ["number", "what it is"].map(left).into_iter();
    let mut table = Table::new(columns.chain(numbers).chain([left("unit")]));
    for c in all {
        table.push([
            c.symbol.to_string(),
            c.meaning.to_string(),
            six_digits(c.right),
            six_digits(c.fitted),
            c.error.map_or(String::new(), text::brief),
            c.unit.to_string(),
        ]);
    }
    if !table.rows.is_empty() {
        out.paragraph("Numbers of the equations that the solver has otherwise:");
        out.table(table);
        out.paragraph("The equations of these numbers:");
        out.preformatted(topsim_judge::equations().join("\n"));
    }
}
