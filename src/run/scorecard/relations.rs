//! Measures which relations a scheme holds, and how well.

use super::card::{Exactness, RelationResult};
use topsim_case::Problem;
use topsim_core::integration::registry::{SchemeFamily, SchemeRow};
use topsim_relations::{Holding, Relation, judge_relations, run_scheme};

/// Returns the cases on which relations are measured: of asymmetric bodies, or of a symmetric one for schemes that serve no
/// others.
fn cases(row: &SchemeRow) -> &'static [&'static str] {
    match row.family {
        SchemeFamily::Rotation => &["judge_top", "judge_free"],
        SchemeFamily::Splitting | SchemeFamily::Constrained => &["heavy_top"],
        // Relations compare motions of bodies, and a given rate has none.
        SchemeFamily::GivenRate | SchemeFamily::Adaptive => &[],
    }
}

/// Returns the relations that apply to the cases, in the order of their table.
pub(super) fn held(row: &SchemeRow) -> Vec<RelationResult> {
    let problems = cases(row).iter().filter_map(|name| Problem::builtin(name));
    let reports: Vec<_> = problems
        .map(|p| judge_relations(&p, &<_>::default(), &mut |motion| run_scheme(row, motion)))
        .collect();
    let of = |relation: &Relation| {
        let found = reports.iter().flat_map(|r| &r.relations);
        let own = found.filter(|r| r.relation == *relation);
        let held = own.filter_map(|r| match &r.holding {
            Holding::NotApplicable { .. } => None,
            Holding::Exactly { .. } => Some(Exactness::Exactly),
            Holding::InTheLimit { .. } => Some(Exactness::InTheLimit),
            _ => Some(Exactness::NotShown),
        });
        let held = held.max()?;
        Some(RelationResult {
            relation: *relation,
            held,
        })
    };
    Relation::ALL.iter().filter_map(of).collect()
}
