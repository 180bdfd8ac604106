//! What is said of a torque that is another one, or that of another time.

use super::super::experiment::Start;
use super::super::note::Note;
use super::super::row_symptoms::{ActingTorque, LateTorque};
use super::super::symptom::Symptom;
use super::super::{Claim, Identification};
use super::last_step::{LastStep, gave, gives, nearest, norm, torque};
use super::ways::ways;
use crate::thresholds::*;
use topsim_core::models::Torque;

/// A torque that stays another one.
pub(super) fn another(seen: &[LastStep]) -> Claim {
    let given = |s: &LastStep| gives(s, |_, v| v);
    let part = norm(seen, &|s| gave(s) - given(s)) / norm(seen, &given);
    // What explains it leaves little of what is off: as much as the steps of the solver and straight lines in time do.
    let off_of_all = norm(seen, &|s| gave(s) - given(s)) / norm(seen, &gave);
    let limit = (MOSTLY * off_of_all).min(EXPLAINED);
    let multiple = nearest(seen, gave, given);
    let frames = [
        (
            "space",
            nearest(seen, gave, |s| gives(s, |att, v| att.tr_mul(&v))),
        ),
        ("body", nearest(seen, gave, |s| gives(s, |att, v| att * v))),
    ];
    let acts = if norm(seen, &gave) < NEGLIGIBLE * norm(seen, &given) {
        ActingTorque::None
    } else if multiple[1] < limit {
        let [factor, left] = multiple;
        let error = left.max(DEFECT) * factor.abs();
        ActingTorque::Times { factor, error }
    } else if let Some((frame, [factor, _])) = frames
        .into_iter()
        .find(|(_, [f, left])| *left < limit && (f.abs() - 1.0).abs() < EXPLAINED)
    {
        let reversed = factor < 0.0;
        ActingTorque::OtherFrame { frame, reversed }
    } else {
        let ways = ways(&seen[0].start, seen[0].h).into_iter();
        let fits = ways.filter_map(|way| {
            let (factors, left) = way.fitted(seen, limit)?;
            Some((way.form, factors, left))
        });
        let fits: Vec<_> = fits.collect();
        let least = fits.iter().map(|f| f.2).fold(f64::INFINITY, f64::min);
        let good = (FEW_TIMES * least).max(OTHER_FACTOR * limit);
        let nearest = fits.into_iter().find(|f| f.2 <= good);
        nearest.map_or(ActingTorque::Unknown, |(form, factors, _)| {
            ActingTorque::Terms(form, factors)
        })
    };
    Symptom::CaseTorque(part, acts).into()
}

/// A torque of another time makes a rule of first order.
pub(super) fn late(seen: &[LastStep], may_hold: bool, out: &mut Identification) {
    let along = |s: &LastStep| {
        let (att, omega) = s.start.exact(s.t, s.h, &s.before.att, &s.before.omega);
        let later = Start {
            omega,
            ..s.start.clone()
        };
        let end = s.start.inertia.solve(&later.torque(s.t + s.h, &att));
        end - torque(s, s.t)
    };
    let in_time = |s: &LastStep| torque(s, s.t + s.h) - torque(s, s.t);
    // The torque of its time, as the attitude alone goes on.
    let turning = |s: &LastStep| along(s) - in_time(s);
    let all = [
        nearest(seen, |s| s.off, along),
        nearest(seen, |s| s.off, in_time),
        nearest(seen, |s| s.off, turning),
    ];
    // The right one is that of the middle. A torque that does not depend on time says nothing of it.
    let nearer = all.into_iter().filter(|[_, left]| left.is_finite());
    let nearest = nearer.min_by(|a, b| a[1].total_cmp(&b[1]));
    let [lag, left] = nearest.unwrap_or([0.0, f64::INFINITY]);
    let before = -lag - 0.5;
    // Of a torque of the rate only a time that the formula has is told from a state.
    let takes_rate = seen[0].start.top().torque().depends_on_rate();
    let of_rate = takes_rate && all[0][1] <= left;
    // Without a torque of time both are the same.
    let alone = !all[1][1].is_finite() || all[2][1] < UNLIKE * all[0][1];
    let of_attitude = !takes_rate && all[2][1] <= left && alone;
    let known = match before {
        // Something else than a time: the order that is measured says it too.
        _ if !(left <= EXPLAINED) && takes_rate => {
            out.notes.push(Note::LateTorque(LateTorque::OnceAStep));
            return;
        }
        _ if !(left <= CARRIED) => {
            out.notes.push(Note::LateTorque(LateTorque::Unknown));
            return;
        }
        b if may_hold && b.abs() < EXPLAINED => {
            out.notes.push(Note::LateTorque(LateTorque::HeldStart));
            return;
        }
        b if may_hold && (b + 1.0).abs() < EXPLAINED => {
            out.notes.push(Note::LateTorque(LateTorque::HeldEnd));
            return;
        }
        b if of_attitude && b.abs() < EXPLAINED => LateTorque::AttitudeOfStart,
        _ if of_rate => LateTorque::OnceAStep,
        b if b.abs() < EXPLAINED => LateTorque::MeanOfStart,
        b => LateTorque::Before(b),
    };
    out.claims.push(Symptom::LateTorque(known).into());
}
