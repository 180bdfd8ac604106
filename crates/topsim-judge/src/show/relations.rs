//! Relations for people: a line each, and the class of the cause of what fails.

use super::{Style, brief, number, two};
use crate::relations::{Holding, RelationReport};
use crate::report::Report;
use std::fmt::Write;

/// What the relations of a case show.
pub(super) fn text(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    let Some(relations) = &report.relations else {
        return out;
    };
    let (Some(step), Some(span)) = (relations.step, relations.span) else {
        return out;
    };
    let _ = writeln!(
        out,
        "  relations, {} s at steps from {} to {} s, {} runs:",
        number(span),
        number(step),
        number(step / 8.0),
        relations.runs
    );
    let mut apart = Vec::new();
    for relation in &relations.relations {
        match line(relation, report, style) {
            Some(line) => {
                let _ = writeln!(out, "    {line}");
            }
            None => apart.push(relation.relation.id()),
        }
    }
    if !apart.is_empty() {
        let _ = writeln!(out, "    not applicable: {}", apart.join(", "));
    }
    for class in &relations.causes {
        let of_class = |d: &&crate::Defect| class.has(**d);
        let named: Vec<String> = relations
            .confirmed
            .iter()
            .filter(of_class)
            .map(ToString::to_string)
            .collect();
        let agrees = match &named[..] {
            [] if report.measured => "; the diagnosis names no such cause".into(),
            [] => String::new(),
            all => format!("; the diagnosis names the same: {}", all.join(", ")),
        };
        let _ = writeln!(out, "    they speak of {}{agrees}", class.says());
    }
    for defect in &relations.contradicted {
        let _ = writeln!(out, "    relations that hold speak against {defect}");
    }
    out
}

/// A line of a relation; none where it is not applicable.
fn line(r: &RelationReport, report: &Report, style: &Style) -> Option<String> {
    let id = crate::VerdictId::Relation(r.relation);
    let accepted = report
        .verdicts
        .iter()
        .any(|v| v.id == id && v.known_defect.is_some());
    let (mark, colour, said) = match &r.holding {
        Holding::Exactly { identical: true } => ("✓", "32", "holds exactly, the same bits".into()),
        Holding::Exactly { .. } => ("✓", "32", "holds exactly".into()),
        Holding::InTheLimit { order: Some(q) } => {
            ("✓", "32", format!("holds in the limit, order {}", two(*q)))
        }
        Holding::InTheLimit { order: None } => ("✓", "32", "holds in the limit".into()),
        Holding::Fails if accepted => ("~", "1;33", "does not hold, accepted".into()),
        Holding::Fails => ("✗", "1;31", "does not hold".into()),
        Holding::Undecided { why } => ("?", "1;33", format!("undecided: {why}")),
        Holding::NotRun { why } => ("?", "1;33", format!("the solver did not run it: {why}")),
        Holding::NotApplicable { .. } => return None,
    };
    let finest = r.residuals.last().filter(|f| f.size > 0.0);
    let size = finest.map_or(String::new(), |f| format!(", {} apart", brief(f.size)));
    Some(format!(
        "{} {:<14} {said}{size}",
        style.paint(mark, colour),
        r.relation
    ))
}
