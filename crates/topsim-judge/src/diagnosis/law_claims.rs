//! Claims of the law and the habit of a model that explains rows, or of the law that the motion shows.

use super::explained::is_right;
use crate::identification::design::{standard, standard_gravity};
use crate::identification::experiment::{Load, Start};
use crate::identification::law::{Law, Place, simplest};
use crate::identification::row_symptoms::{GivenRows, LawEvidence, LawOfRows};
use crate::identification::{Claim, Symptom, from_another_rate};
use crate::thresholds::{FOUR_DIGITS, HUNDREDTH, MOST, MOST_NUMBERS, PRINTED};
use topsim_core::math::Vec3;
use topsim_model::defect::ModelDefect;
use topsim_model::habit::Factor;
use topsim_model::ladder::MotionLaw;
use topsim_model::{Change, Found, Observed};

/// Returns the law and the habit of a model that explains the rows with its rule, beside all that do.
pub(super) fn law_of_rule(
    observed: &Observed,
    from_another_rate: bool,
    found: &Found,
    all: &[Found],
) -> Vec<Claim> {
    let model = &found.model;
    if is_right(model) {
        return Vec::new();
    }
    // Factors that are so near to one come from a number that was rounded to single precision: they are no other law.
    let is_rounded = |c: &Change| {
        c.term.usual() == 1.0 && c.added.iter().all(|x| x.abs() < f64::from(f32::EPSILON))
    };
    if model.habit.factor == Factor::None && model.law.iter().all(is_rounded) {
        return Vec::new();
    }
    let rows = GivenRows::new(found, observed);
    let rivals = all.iter().filter(|f| {
        f.model.law.len() != model.law.len()
            || f.model
                .law
                .iter()
                .zip(&model.law)
                .any(|(a, b)| a.term != b.term)
    });
    let rivals: Vec<&[Change]> = rivals.map(|f| &f.model.law[..]).collect();
    if model.habit.factor != Factor::None {
        let body = Box::new(observed.body.clone());
        return vec![Symptom::Factor(model.habit.factor, rows, body).into()];
    }
    law_claims(
        observed,
        from_another_rate,
        &model.law,
        &rivals,
        &LawEvidence::Rule(rows),
        true,
    )
}

/// Returns the law that the motion alone shows.
pub(super) fn law_of_motion(
    observed: &Observed,
    from_another_rate: bool,
    found: &MotionLaw,
) -> Vec<Claim> {
    let evidence = LawEvidence::Motion {
        left: found.left.clone(),
        right: found.right.clone(),
    };
    let rivals: Vec<&[Change]> = found.rivals.iter().map(|r| &r[..]).collect();
    // The motion of one body takes many numbers for a law that is outside the family.
    let numbers: usize = found.law.iter().map(|c| c.added.len()).sum();
    // What a law leaves falls with the step, or is as little as rows can tell.
    let falls = matches!(found.left[..], [coarse, .., fine] if fine <= MOST * coarse);
    let exact = found.left.iter().all(|x| *x <= PRINTED);
    let certain = numbers <= MOST_NUMBERS && (falls || exact);
    law_claims(
        observed,
        from_another_rate,
        &found.law,
        &rivals,
        &evidence,
        certain,
    )
}

/// Returns the claims that are made of a law: one for all of its numbers where they are one defect, or one for each term.
fn law_claims(
    observed: &Observed,
    another_rate: bool,
    law: &[Change],
    rivals: &[&[Change]],
    evidence: &LawEvidence,
    certain: bool,
) -> Vec<Claim> {
    let law = &simplest(&with_given_trace(law, &observed.body), &observed.body)[..];
    let errors = law.iter().flat_map(|c| &c.errors).copied();
    let slack = errors.fold(FOUR_DIGITS, f64::max).min(HUNDREDTH);
    let of = |changes: &[Change]| {
        let found = defect(changes, observed, slack)?;
        Some(if another_rate {
            from_another_rate(found)
        } else {
            found
        })
    };
    let whole = of(law);
    // Of a rival with several terms, the names of those that the law does not have.
    let others = rivals.iter().flat_map(|r| match of(r) {
        Some(defect) => vec![defect],
        None => r.chunks(1).filter_map(&of).collect(),
    });
    let own: Vec<ModelDefect> = match whole {
        Some(defect) => vec![defect],
        None => law.chunks(1).filter_map(&of).collect(),
    };
    let mut others: Vec<ModelDefect> = others.filter(|d| !own.contains(d)).collect();
    others.sort_unstable_by_key(|d| d.name());
    others.dedup_by_key(|d| d.name());
    let groups: Vec<&[Change]> = match whole {
        Some(_) => vec![law],
        None => law.chunks(1).collect(),
    };
    let shared = groups.len() > 1;
    let claim = |changes: &[Change]| {
        let id = of(changes).unwrap_or(ModelDefect::Unexplained);
        let alone = others.is_empty() || whole.is_some_and(ModelDefect::has_several_terms);
        let claim = Claim::from(Symptom::LawOfRows(Box::new(LawOfRows {
            defect: id,
            law: changes.into(),
            body: observed.body.clone(),
            shared,
            by: evidence.clone(),
            rivals: others.clone(),
        })));
        // Steps that are rounded to the solver's own may all be shortened by one factor, as those of another clock.
        if certain && id != ModelDefect::Clock && alone {
            claim
        } else {
            claim.less_sure()
        }
    };
    groups.into_iter().map(claim).collect()
}

/// Returns true if a law of rows changes the motion of all bodies by so much that short steps of a few of them show it.
pub(super) fn shows_everywhere(claim: &Claim) -> bool {
    let Symptom::LawOfRows(rows) = &*claim.symptom else {
        return false;
    };
    // What is beyond a limit alone shows in few places.
    if rows.law.iter().any(|change| change.term.row().is_limit()) {
        return false;
    }
    let mut law = Law::default();
    for change in &rows.law {
        change.term.row().apply(&change.added, &mut law);
    }
    let start = Start {
        omega: Vec3::new(0.8, -0.6, 1.1),
        load: match &rows.body.load {
            Load::Gravity { .. } => standard_gravity(),
            Load::Constant { .. } => rows.body.load.clone(),
            Load::None | Load::Pulse(_) | Load::Other(_) => Load::None,
        },
        ..standard()
    };
    let slopes = [&law, &Law::default()].map(|l| l.slopes(&Place::new(start.clone(), 0.0, true)));
    let [(turn, acceleration), (rate, right)] = slopes;
    (turn - rate).norm() > FOUR_DIGITS * rate.norm()
        || (acceleration - right).norm() > FOUR_DIGITS * right.norm()
}

fn defect(changes: &[Change], observed: &Observed, slack: f64) -> Option<ModelDefect> {
    let found = ModelDefect::of(changes, observed.body.inertia.tensor(), slack)?;
    // A row with a wrong sign or moment is off by a large part: what is off by little is another thing, which does the same to one body.
    let slight = changes
        .iter()
        .flat_map(|c| &c.added)
        .all(|x| x.abs() < HUNDREDTH);
    (found != ModelDefect::PrincipalGyroscopicRows || !slight).then_some(found)
}

/// Returns a law of a free body with the inertia of the given trace: its motion is the same with a tensor times any number.
fn with_given_trace(law: &[Change], body: &Start) -> Vec<Change> {
    let mut out = law.to_vec();
    if body.load != Load::None {
        return out;
    }
    let given = body.inertia.tensor();
    for change in out.iter_mut().filter(|c| c.term.row().is_tensor()) {
        let Ok(added) = <[f64; 6]>::try_from(change.added.clone()) else {
            continue;
        };
        let of = |k: usize| match k {
            0..3 => given[(k, k)],
            3 => given[(0, 1)],
            4 => given[(0, 2)],
            _ => given[(1, 2)],
        };
        let own: f64 = (0..3).map(|k| of(k) + added[k]).sum();
        let scale = given.trace() / own;
        if own > 0.0 {
            change.added = (0..6).map(|k| scale * (of(k) + added[k]) - of(k)).collect();
        }
    }
    out
}
