//! Verdicts on relations.

use crate::report::Report;
use crate::verdict::{Numbers, Verdict, VerdictId, verdict};
use topsim_core::verdict::Status;
use topsim_model::defect::Defect;
use topsim_protocol::numbers::{brief, two};
use topsim_protocol::solver::{FailureKind, StepFailure};
use topsim_relations::{Holding, RelationsReport};

impl Report {
    /// Adds the relations of the case with their verdicts, and holds the diagnosis against them.
    pub(crate) fn relate(&mut self, mut relations: RelationsReport) {
        if let Some(diagnosis) = &self.diagnosis {
            let named: Vec<Defect> = diagnosis.causes.iter().map(|c| c.id).collect();
            relations.against(&named);
        }
        if let Some(message) = &relations.not_run
            && self.files.is_empty()
            && self.failed.is_empty()
        {
            let step = relations.step.unwrap_or_default();
            let id = VerdictId::Step(step);
            let (status, kind) = match relations.refused {
                true => (Status::Skipped, FailureKind::Skipped),
                false => (Status::Failed, FailureKind::Rows),
            };
            self.verdicts.push(verdict(id, status, message.clone()));
            self.failed
                .push(StepFailure::new(step, kind, message.clone()));
        }
        self.verdicts.extend(verdicts(&relations));
        self.relations = Some(relations);
    }
}

/// Returns one verdict for each relation.
fn verdicts(report: &RelationsReport) -> impl Iterator<Item = Verdict> {
    report.relations.iter().map(|r| {
        let finest = r.residuals.last();
        let size = finest.map_or(String::new(), |f| {
            format!("{} apart at a step of {} s", brief(f.size), f.step)
        });
        let relation = r.relation;
        let (status, said) = match &r.holding {
            Holding::Exactly { identical: true } => {
                (Status::Passed, "holds exactly: the same bits".into())
            }
            Holding::Exactly { .. } => (Status::Passed, format!("holds exactly, {size}")),
            Holding::InTheLimit { order: Some(q) } => (
                Status::Passed,
                format!("holds in the limit, order {}, {size}", two(*q)),
            ),
            Holding::InTheLimit { order: None } => {
                (Status::Passed, format!("holds in the limit, {size}"))
            }
            Holding::Fails => (
                Status::Failed,
                format!(
                    "does not hold: {}; {size}, whatever the step. It often comes from: {}",
                    relation.says(),
                    relation.finds()
                ),
            ),
            Holding::Undecided { why } => (Status::Undecided, format!("{size}: {why}")),
            Holding::NotRun { why } => (
                Status::Undecided,
                format!("the solver did not run the image: {why}"),
            ),
            Holding::NotApplicable { why } => (Status::Skipped, format!("not applicable: {why}")),
        };
        let found = verdict(VerdictId::Relation(relation), status, said);
        match finest {
            Some(f) => found.measuring(f.size, "").at_most(f.allowed),
            None => found,
        }
    })
}
