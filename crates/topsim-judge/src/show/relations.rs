//! Relations for people: a line each, and the class of the cause of what fails.

use super::verdicts::{ACCEPTED, FAILED, HOLDS, UNDECIDED};
use super::{brief, number, two};
use crate::report::Report;
use document::{Document, ListItem, Text, bad, caution, good, marked};
use topsim_relations::{Holding, RelationReport};

/// What the relations of a case show.
pub(super) fn section(report: &Report) -> Document {
    let mut out = Document::default();
    let Some(relations) = &report.relations else {
        return out;
    };
    let (Some(step), Some(span)) = (relations.step, relations.span) else {
        return out;
    };
    let head = format!(
        "relations, {} s at steps from {} to {} s, {} runs:",
        number(span),
        number(step),
        number(step / 8.0),
        relations.runs
    );
    let mut below: Vec<Text> = Vec::new();
    let mut apart = Vec::new();
    for relation in &relations.relations {
        match line(relation, report) {
            Some(line) => below.push(line),
            None => apart.push(relation.relation.id()),
        }
    }
    if !apart.is_empty() {
        below.push(format!("not applicable: {}", apart.join(", ")).into());
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
        below.push(marked(&format!("they speak of {}{agrees}", class.says())));
    }
    for defect in &relations.contradicted {
        below.push(format!("relations that hold speak against {defect}").into());
    }
    out.item(ListItem::new(head, below));
    out
}

/// A line of a relation; none where it is not applicable.
fn line(r: &RelationReport, report: &Report) -> Option<Text> {
    let id = crate::VerdictId::Relation(r.relation);
    let accepted = report
        .verdicts
        .iter()
        .any(|v| v.id == id && v.known_defect.is_some());
    let said = match &r.holding {
        Holding::Exactly { identical: true } => "holds exactly, the same bits".into(),
        Holding::Exactly { .. } => "holds exactly".into(),
        Holding::InTheLimit { order: Some(q) } => {
            format!("holds in the limit, order {}", two(*q))
        }
        Holding::InTheLimit { order: None } => "holds in the limit".into(),
        Holding::Fails if accepted => "does not hold, accepted".into(),
        Holding::Fails => "does not hold".into(),
        Holding::Undecided { why } => format!("undecided: {why}"),
        Holding::NotRun { why } => format!("the solver did not run it: {why}"),
        Holding::NotApplicable { .. } => return None,
    };
    let mark = match &r.holding {
        Holding::Fails if accepted => caution(ACCEPTED).strong(),
        Holding::Fails => bad(FAILED).strong(),
        Holding::Undecided { .. } | Holding::NotRun { .. } => caution(UNDECIDED).strong(),
        _ => good(HOLDS),
    };
    let finest = r.residuals.last().filter(|f| f.size > 0.0);
    let size = finest.map_or(String::new(), |f| format!(", {} apart", brief(f.size)));
    Some(mark.then(marked(&format!(" {:<14} {said}{size}", r.relation))))
}
