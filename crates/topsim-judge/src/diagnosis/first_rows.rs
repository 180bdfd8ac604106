//! A first step unlike the later ones: a rate that is off by a part of the first acceleration, and from then on follows.

use crate::identification::{Claim, Symptom};
use crate::thresholds::{A_FEW, CARRIED, FIRST_ORDER, HALF, MULTISTEP_AHEAD, TENTH};
use topsim_core::math::Vec3;
use topsim_model::defect::{ReportingDefect, SchemeDefect};
use topsim_model::observed::Residual;
use topsim_model::{Equations, Interval, Model, Observed, Report, Rule};

/// Returns the claim that the first step has another rule, where each history is off by one part of the first acceleration times
/// its step from its first row to the second, and by much less from there to the third.
pub(super) fn unlike(observed: &Observed, report: &Report) -> Option<Claim> {
    let n = observed.histories.len();
    if n < A_FEW {
        return None;
    }
    let right = Equations::right(&observed.body);
    let model = Model::right(Rule::Flow.once()).reported(*report);
    let missed = |history: usize, row: usize| -> Option<Residual> {
        let of = |i: &&Interval| i.history == history && i.row == row;
        observed.miss(&model, &right, observed.intervals.iter().find(of)?)
    };
    let body = &observed.body;
    let torque = |t: f64| body.inertia.solve(&body.torque(t, &body.att));
    // A body that turns on by another rate than its row has is one whose row has another rate than the body.
    let (mut parts, mut turns, mut of_rows) = (Vec::new(), Vec::new(), true);
    for (k, history) in observed.histories.iter().enumerate() {
        let (off, next) = (missed(k, 0)?.off, missed(k, 1)?.off);
        let first = off.rate;
        let t = history.rows.first()?.t;
        // The part by which the written rate is ahead of the motion's.
        let of = |slope: Vec3| -> Option<f64> {
            let gain = slope * history.step;
            let part = first.dot(&gain) / gain.norm_squared();
            let left = (first - gain * part).norm();
            (left <= CARRIED * first.norm()).then_some(part)
        };
        let whole = body.acceleration(t, &body.att, &body.omega);
        let part = of(whole).or_else(|| of(torque(t)))?;
        if !(next.rate.norm() <= TENTH * first.norm()) || part.abs() > MULTISTEP_AHEAD {
            return None;
        }
        let due = body.omega * history.step;
        turns.push(off.turn.dot(&due) / due.norm_squared().max(f64::MIN_POSITIVE));
        of_rows &= next.turn.norm() > HALF * history.step * first.norm();
        parts.push(part);
    }
    // The finest history is nearest to a first step alone.
    let part = parts[0];
    let same = |other: &f64| (other - part).abs() <= FIRST_ORDER.max(TENTH * part.abs());
    if part.abs() < TENTH || !parts.iter().all(same) {
        return None;
    }
    // A step of another length turns the body by that part, too.
    let shorter = turns.iter().all(|turn| (turn - part).abs() <= TENTH);
    let turn = if shorter { turns[0] } else { 0.0 };
    let defect = match (part + 0.5).abs() <= FIRST_ORDER {
        _ if shorter && part < 0.0 => SchemeDefect::Once.into(),
        _ if shorter => SchemeDefect::MultistepStart.into(),
        _ if of_rows => ReportingDefect::RateHalfStep.into(),
        true => SchemeDefect::StartAcceleration.into(),
        false => SchemeDefect::MultistepStart.into(),
    };
    Some(Claim::from(Symptom::Start(defect, [turn, part])).less_sure())
}
