//! The class of the cause, from the pattern of relations that fail and hold.

use crate::cause::CauseClass;
use crate::table::Relation;

/// Relations that fail together have one cause: the first rows come first.
const TOGETHER: &[(CauseClass, &[Relation])] = &[
    (
        CauseClass::Damping,
        &[Relation::TimeScale, Relation::TimeReversal],
    ),
    (
        CauseClass::MixedFrames,
        &[Relation::SpaceTurn, Relation::BodyTurn],
    ),
];

/// The classes of the causes of failures, each once.
pub(crate) fn pattern(failing: &[Relation]) -> Vec<CauseClass> {
    let mut out = Vec::new();
    let mut left = failing.to_vec();
    for (class, together) in TOGETHER {
        if together.iter().all(|r| left.contains(r)) {
            out.push(*class);
            left.retain(|r| !together.contains(r) && !covered(*class, *r));
        }
    }
    for relation in left {
        if !out.contains(&relation.class()) {
            out.push(relation.class());
        }
    }
    out
}

/// Returns true if a failure follows from a cause whose own relations fail already.
fn covered(class: CauseClass, relation: Relation) -> bool {
    match class {
        CauseClass::MixedFrames => matches!(
            relation,
            Relation::Azimuth | Relation::BodyPermute | Relation::InertiaShift
        ),
        _ => false,
    }
}

/// Classes whose relations all hold here, so that no cause can be of them.
pub(crate) fn excluded(held: &[Relation]) -> Vec<CauseClass> {
    let single = [
        Relation::TimeScale,
        Relation::InertiaScale,
        Relation::TimeReversal,
    ];
    let classes = single
        .iter()
        .filter(|r| held.contains(r))
        .map(|r| r.class());
    let together = TOGETHER
        .iter()
        .filter(|(_, all)| all.iter().any(|r| held.contains(r)));
    together.map(|(class, _)| *class).chain(classes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_model::defect::ModelDefect as M;

    #[test]
    fn a_pattern_names_one_cause_where_there_is_one() {
        use Relation::*;
        assert_eq!(pattern(&[TimeScale]), [CauseClass::AbsoluteRate]);
        assert_eq!(pattern(&[TimeScale, TimeReversal]), [CauseClass::Damping]);
        let frames = [SpaceTurn, Azimuth, BodyTurn, BodyPermute];
        assert_eq!(pattern(&frames), [CauseClass::MixedFrames]);
        assert_eq!(pattern(&[BodyTurn, BodyPermute]), [CauseClass::BodyAxes]);
        assert_eq!(pattern(&[]), []);
    }

    #[test]
    fn what_holds_excludes() {
        assert!(excluded(&[Relation::TimeScale]).contains(&CauseClass::Damping));
        assert!(CauseClass::Damping.has(M::Damping.into()));
        assert!(!CauseClass::AbsoluteRate.has(M::Damping.into()));
    }
}
