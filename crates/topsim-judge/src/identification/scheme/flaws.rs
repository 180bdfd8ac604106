//! What of a scheme cannot have been meant. A scheme of first order by choice is none of it.

use super::fingerprint::{Coefficient, Fingerprint, Remainder};
use super::runge_kutta::Edit;
use super::{SchemeFindings, TorqueClock, Word};
use crate::thresholds::*;
use topsim_model::Rule;
use topsim_model::euler::Sequence;
use topsim_model::pair::{Form, Quantity};
use topsim_model::step_terms::Term;
use topsim_model::stepping::{Carrier, FrozenTerm, Kick};
use topsim_model::tableau;
use topsim_model::turn_slip::TurnSlip;

/// The part of the equations that costs a scheme its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LostPart {
    /// The torque as the body turns.
    Torque,
    /// The gyroscopic term.
    Gyro,
    /// The rate with which the attitude is turned.
    Turn,
    /// All of the rate's rule.
    Rate,
}

impl LostPart {
    /// Returns the part that a term costs which is held over a step.
    pub fn of(held: FrozenTerm) -> Option<Self> {
        match held {
            FrozenTerm::Nothing => None,
            FrozenTerm::Torque => Some(Self::Torque),
            FrozenTerm::Gyroscopic => Some(Self::Gyro),
        }
    }
}

/// What is kept by force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restoration {
    /// |J W|.
    Momentum,
    /// W·J W.
    Energy,
}

/// What cannot have been meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SchemeFlaw {
    /// A tableau with an edit that costs it its order.
    Edited { tableau: &'static str, edit: Edit },
    /// A rule of a rotation vector that has a wrong term or turn, which costs it its order.
    WrongChart {
        tableau: &'static str,
        carrier: Carrier,
    },
    /// Weights of the slopes of this and the two earlier rows, that make a multistep rule of first order.
    SlopeWeights([f64; 3]),
    /// A tableau of no name and of more than two stages that is of first order.
    TableauOrder { stages: usize },
    /// The torque is that of a time before the start of the step, in steps.
    StaleTorque { steps: f64 },
    /// One part is of first order and all else is not. `value`: its factor at h², which should be ½.
    OrderLost { part: LostPart, value: f64 },
    /// Free steps are of order 2, and a torque makes them of order 1.
    OrderLostByTorque,
    /// Three steps in one of which the first has this length, which is not that of order 4.
    Composition(f64),
    /// The implicit gyroscopic term is solved with these factors of Ŵ J and of (J W)^ in its matrix.
    Jacobian([f64; 2]),
    /// All slopes are those of this part of a step, which should be ½.
    OffCentre(f64),
    /// The turn alone is of first order, by an error that no product of the vectors of a step makes: its part at h².
    TurnLost(f64),
    /// A multistep rule begun with nothing before: the first step is this many steps long.
    ZeroHistory { length: f64 },
    /// The first step takes this part of the torque in the rate, and all of it in the attitude where the rates alone are of another time.
    StartTorque { part: f64, of_rows: bool },
    /// The acceleration before the first step is taken as zero.
    StartAcceleration,
    /// A kept quantity is put back after each step by scaling the rate.
    Restored(Restoration),
    /// The torque is read at times whose mean is not the middle of the step, in a scheme of second order else.
    TorqueTime { mean: f64 },
    /// The torque is read by another clock than that of the steps.
    TorqueClock(TorqueClock),
    /// The turn of a step is made of its components as if they were Euler angles of a sequence.
    Angles(Sequence),
    /// Small turns of a free sphere are off by this part of them, and larger ones are exact.
    SmallTurns { turn: f64, off: f64 },
    /// The term of two rates in the turn has the wrong sign.
    ConingSign,
    /// The turn of a free sphere is of first order.
    TruncatedTurn,
    /// The turn is made by a formula with a slip.
    TurnSlip(TurnSlip),
    /// Components of the rate are overwritten one after the other.
    RateInPlace,
    /// The motion depends on the axes of space that are chosen; the relative deviation.
    AxesOfSpace { deviation: f64 },
}

fn deviation(f: &Fingerprint, attitude: bool, term: Term) -> f64 {
    let of = |all: &[Coefficient]| {
        all.iter()
            .find(|c| c.order == 2 && c.term == term)
            // Of terms that no start has, such as those of a torque where all bodies are free, none is wrong.
            .map_or(0.0, Coefficient::deviation)
    };
    of(if attitude { &f.attitude } else { &f.rate })
}

/// Returns the slip of a rule of first order.
pub(crate) fn first_order_flaw(rule: Rule) -> Option<SchemeFlaw> {
    match rule {
        Rule::Slipped { slip, .. } => Some(SchemeFlaw::TurnSlip(slip)),
        Rule::Euler {
            kick: Kick::InPlace | Kick::InPlaceReversed,
            ..
        } => Some(SchemeFlaw::RateInPlace),
        _ => None,
    }
}

/// All flaws that the findings show.
pub(super) fn flaws(f: &SchemeFindings, noise: f64) -> Vec<SchemeFlaw> {
    let mut out = Vec::new();
    edits(f, &mut out);
    start(f, &mut out);
    let first = f.word.as_ref().and_then(|word| word.first);
    out.extend(first.map(SchemeFlaw::Composition));
    let jacobian = f.word.as_ref().and_then(Word::wrong_factors);
    out.extend(jacobian.map(SchemeFlaw::Jacobian));
    if let Some(weights) = f.slope_weights()
        && out.is_empty()
        && weights[2] != 0.0
        && f.order_of_weights() == Some(1)
    {
        out.push(SchemeFlaw::SlopeWeights(weights));
    }
    let series = f.later.as_ref().unwrap_or(&f.first);
    if !restored(f, series, &mut out) {
        if series.sees(2) {
            orders(f, series, &mut out);
        } else if f.name.is_none() && !f.sphere.first_order() {
            out.extend(turn_lost(series));
        }
    }
    if let Some(edited) = f.runge_kutta.filter(|_| out.is_empty()) {
        let lost = LostPart::of(edited.rule.held).filter(|_| edited.order() > 1);
        out.extend(lost.map(|part| SchemeFlaw::OrderLost { part, value: 0.0 }));
    }
    // Angles about one axis after the other are no turn by a rate.
    if let Some(Form::Angles(sequence)) = f.attitude.as_ref().map(|a| a.form)
        && out.is_empty()
    {
        out.push(SchemeFlaw::Angles(sequence));
    }
    let stale = |r: &super::Rule| {
        r.has(Quantity::TorquePast) && !r.has(Quantity::Torque0) && !r.has(Quantity::Torque1)
    };
    if f.rate.as_ref().is_some_and(stale)
        && !out
            .iter()
            .any(|x| matches!(x, SchemeFlaw::StaleTorque { .. }))
    {
        out.push(SchemeFlaw::StaleTorque { steps: 1.0 });
    }
    // Without gravity only the free steps tell the order, and a rule of the second may hold the torque of one end.
    let held = |mean: f64| [0.0, 1.0].iter().any(|end| (mean - end).abs() < EXPLAINED);
    let is_second = |mean: f64| match (series.of_rate(Term::TorqueTurning), series.order()) {
        (Some(c), _) => c.error < EXPLAINED && c.deviation().abs() < NEGLIGIBLE,
        (None, Some((order, _))) => order > 2 || order == 2 && !held(mean),
        (None, None) => false,
    };
    if let Some(mean) = f.torque_times.as_ref().and_then(super::TorqueTimes::mean)
        && f.clock.is_none()
        && is_second(mean)
        && (mean - 0.5).abs() > NEGLIGIBLE
    {
        out.push(SchemeFlaw::TorqueTime { mean });
    }
    out.extend(f.clock.map(SchemeFlaw::TorqueClock));
    if let Some(stages) = readings(f)
        && out.is_empty()
        && f.name.is_none()
        && series.order() == Some((1, false))
        // An error at h² that is none of a rule's terms, or is one of memory, says nothing of a tableau.
        && f.later.is_none()
        && series.left(2) <= series.unexplained
    {
        out.push(SchemeFlaw::TableauOrder { stages });
    }
    let of_rule = f.slipped.and_then(|s| first_order_flaw(s.rule));
    let slip = f.sphere.slip.map(SchemeFlaw::TurnSlip).or(of_rule);
    out.extend(slip);
    if slip.is_some() {
        // What it costs says no more.
        out.retain(|x| {
            !matches!(
                x,
                SchemeFlaw::TurnLost(_)
                    | SchemeFlaw::OrderLost { .. }
                    | SchemeFlaw::AxesOfSpace { .. }
            )
        });
    } else if f.sphere.first_order() && !out.iter().any(|x| matches!(x, SchemeFlaw::Angles(_))) {
        out.push(SchemeFlaw::TruncatedTurn);
    }
    if let (Some((turn, off)), None) = (f.sphere.small(), f.sphere.map) {
        out.push(SchemeFlaw::SmallTurns { turn, off });
    }
    if f.name.is_none() && out.is_empty() && is_coning_reversed(series) {
        out.push(SchemeFlaw::ConingSign);
    }
    if let Some(d) = f.relations.space_rotation.filter(|_| f.sphere.slip.is_none())
        && d > AMPLIFIED.max(BEYOND_DIGITS * noise)
        // Steps that are chosen by an error show in all relations.
        && [f.relations.restart, f.relations.time_scale]
            .iter()
            .all(|other| other.is_some_and(|x| x < NEGLIGIBLE * d))
    {
        out.push(SchemeFlaw::AxesOfSpace { deviation: d });
    }
    out
}

/// Number of the times at which a step of several stages reads a torque: inner steps have equal weights, and stages of a rule have
/// others.
fn readings(f: &SchemeFindings) -> Option<usize> {
    let super::TorqueTimes::Few(all) = f.torque_times.as_ref()? else {
        return None;
    };
    let mean = all.iter().map(|(_, weight)| weight).sum::<f64>() / all.len() as f64;
    let stages = all
        .iter()
        .any(|(_, weight)| (weight - mean).abs() > FIRST_ORDER * mean.abs());
    (all.len() >= A_FEW && stages).then_some(all.len())
}

fn edits(f: &SchemeFindings, out: &mut Vec<SchemeFlaw>) {
    let Some(edited) = &f.runge_kutta else { return };
    let (rule, order) = (edited.rule.tableau, edited.order());
    let carrier = edited.rule.carrier;
    // Steps that are right where they are short have the wrong term beyond a limit alone.
    let left = usize::from(carrier.highest_order());
    let short = f
        .series()
        .order()
        .is_none_or(|(p, at_least)| match at_least {
            true => p <= left,
            false => p == left,
        });
    if carrier.is_wrong() && left < usize::from(order) && short {
        let tableau = rule.name;
        out.push(SchemeFlaw::WrongChart { tableau, carrier });
        return;
    }
    match edited.edit {
        Some(Edit::Unnamed) if rule.stages > 2 && order < 2 => {
            let stages = rule.stages;
            out.push(SchemeFlaw::TableauOrder { stages });
        }
        Some(Edit::Unnamed) | None => {}
        Some(edit @ (Edit::Reused { .. } | Edit::Kept(_))) if order > 1 => {
            let tableau = rule.name;
            out.push(SchemeFlaw::Edited { tableau, edit });
        }
        Some(edit) => {
            let (tableau, own) = (rule.name, tableau::find(rule.name));
            // An edit that keeps the order makes another rule, not a wrong one.
            if own.is_some_and(|own| order < own.conditions_met()) {
                out.push(SchemeFlaw::Edited { tableau, edit });
            }
        }
    }
}

/// A start that is not as the steps after it.
fn start(f: &SchemeFindings, out: &mut Vec<SchemeFlaw>) {
    let Some(later) = &f.later else { return };
    // First steps that were asked for are measured as a series.
    if let Some(flaw) = start_of_ends(f).filter(|_| f.runs == 0) {
        out.push(flaw);
        return;
    }
    let value = |s: &Fingerprint, attitude: bool, term| {
        let c = if attitude {
            s.of_attitude(term)
        } else {
            s.of_rate(term)
        };
        c.filter(|c| c.order == 1 && c.error < EXPLAINED)
            .map(|c| c.value)
    };
    let all = |s: &Fingerprint| {
        let gyro = value(s, false, Term::Gyro)?;
        let torque = match s.of_rate(Term::Torque) {
            Some(_) => value(s, false, Term::Torque)?,
            None => gyro,
        };
        Some([value(s, true, Term::Rate)?, torque, gyro])
    };
    let (Some(first), Some(later)) = (all(&f.first), all(later)) else {
        return;
    };
    let is = |a: f64, b: f64| (a - b).abs() < EXPLAINED;
    if !later.iter().all(|x| is(*x, 1.0)) {
        return;
    }
    let [turn, torque, gyro] = first;
    if !is(torque, gyro) && is(turn, 1.0) && is(gyro, 1.0) {
        // The turn of a step that lacks the kick lacks it, too.
        let turned = f.first.of_attitude(Term::Torque);
        let of_rows = turned.is_some_and(|c| c.order == 2 && c.deviation().abs() < EXPLAINED);
        out.push(SchemeFlaw::StartTorque {
            part: torque,
            of_rows,
        });
    }
    if !is(torque, gyro) || is(torque, 1.0) {
        return;
    }
    if is(turn, torque) {
        out.push(SchemeFlaw::ZeroHistory { length: torque });
    } else if is(turn, 1.0) && is(torque, 0.5) {
        out.push(SchemeFlaw::StartAcceleration);
    } else if is(turn, 1.0) {
        // The rate alone has a history.
        out.push(SchemeFlaw::ZeroHistory { length: torque });
    }
}

/// What the rule of the first step says of the start: where it has one slope of the rate, that slope's weight.
fn start_of_ends(f: &SchemeFindings) -> Option<SchemeFlaw> {
    let [(slope, weight)] = &f.start.0.as_ref()?.terms[..] else {
        return None;
    };
    let whole = (weight - 1.0).abs() < SINGLE_DIGITS;
    let half = (weight - 0.5).abs() < SINGLE_DIGITS;
    match slope {
        Quantity::Acceleration0 if !whole => Some(SchemeFlaw::ZeroHistory { length: *weight }),
        Quantity::Acceleration1 if half => Some(SchemeFlaw::StartAcceleration),
        _ => None,
    }
}

/// What the factors of h² say.
fn orders(f: &SchemeFindings, series: &Fingerprint, out: &mut Vec<SchemeFlaw>) {
    let d = |attitude, term| deviation(series, attitude, term);
    let torque = d(false, Term::TorqueTurning);
    let gyro = [d(false, Term::GyroTorque), d(false, Term::GyroGyro)];
    let turn = [d(true, Term::Torque), d(true, Term::Gyro)];
    // Hundredths of a factor are an error control's, not an author's.
    let right = |x: f64| x.abs() < EXPLAINED;
    // A start that is wrong shows in the factors of the second step too.
    if out.iter().any(|x| {
        matches!(
            x,
            SchemeFlaw::ZeroHistory { .. }
                | SchemeFlaw::StartTorque { .. }
                | SchemeFlaw::StartAcceleration
        )
    }) {
        return;
    }
    let before_start = -0.5 - torque;
    if before_start > TENTH {
        out.push(SchemeFlaw::StaleTorque {
            steps: before_start,
        });
        return;
    }
    if series.left(2) > series.unexplained {
        return;
    }
    if out.iter().any(|x| {
        matches!(
            x,
            SchemeFlaw::Edited { .. } | SchemeFlaw::WrongChart { .. } | SchemeFlaw::SlopeWeights(_)
        )
    }) {
        return;
    }
    let worst = |d: &[f64; 2]| if d[0].abs() > d[1].abs() { d[0] } else { d[1] };
    // Factors of 0 and 1 are those of the rules of Euler, which are choices. A rule of several steps has other factors after a start with one slope.
    let alike = f.later.is_none() && gyro.iter().chain(&turn).all(|x| right(x - torque));
    if alike && !right(torque) && torque.abs() < HALF && !right(0.5 - torque.abs()) {
        out.push(SchemeFlaw::OffCentre(0.5 + torque));
        return;
    }
    let gyro_right = gyro.into_iter().all(right);
    let turn_right = turn.into_iter().all(right);
    let lost = match (right(torque), gyro_right, turn_right) {
        (false, true, true) => Some((LostPart::Torque, torque)),
        (true, false, true) => Some((LostPart::Gyro, worst(&gyro))),
        (true, true, false) => Some((LostPart::Turn, worst(&turn))),
        (false, false, true) if torque * worst(&gyro) > 0.0 => Some((LostPart::Rate, torque)),
        // A torque that is held in space shows in the gyroscopic term, too.
        (false, false, true) => Some((LostPart::Torque, torque)),
        _ => None,
    };
    // An implicit gyroscopic term is a choice: it damps.
    let implicit = f.word.as_ref().is_some_and(Word::is_implicit);
    out.extend(lost.and_then(|(part, d)| match part {
        LostPart::Gyro if implicit => None,
        LostPart::Gyro if right(gyro[1]) => Some(SchemeFlaw::OrderLostByTorque),
        part => Some(SchemeFlaw::OrderLost {
            part,
            value: 0.5 + d,
        }),
    }));
}

/// Detects a turn that is right to h³ but for the sign of W × W'. Rules that leave W'' out have this term with other signs, too.
fn is_coning_reversed(series: &Fingerprint) -> bool {
    let close = |c: &Coefficient, to: f64| (c.value - to).abs() < EXPLAINED * to.abs().max(TENTH);
    let right = |c: &Coefficient| {
        let meant = c.value - c.deviation();
        match c.term {
            Term::CommutatorTorque | Term::CommutatorGyro => close(c, -meant),
            _ => close(c, meant),
        }
    };
    let third = || series.attitude.iter().filter(|c| c.order == 3);
    let turns = third().any(|c| c.term == Term::CommutatorGyro);
    turns && third().all(right)
}

/// Detects a rate that is right to h² beside a turn that is not.
fn turn_lost(series: &Fingerprint) -> Option<SchemeFlaw> {
    let left = |all: &[Remainder]| all.iter().find(|l| l.order == 2).map(|l| l.all);
    let (rate, turn) = (left(&series.rate_left)?, left(&series.attitude_left)?);
    let right =
        |c: &Coefficient| c.order > 2 || c.error < EXPLAINED && c.deviation().abs() < EXPLAINED;
    // Factors of the turn are not told where other terms are there.
    (rate <= series.unexplained
        && series.rate.iter().all(right)
        && turn.is_finite()
        && turn > FEW_TIMES * series.unexplained)
        .then_some(SchemeFlaw::TurnLost(turn))
}

/// The rate scaled after the step: what no term explains lies along W, and a free body keeps more than its scheme does.
fn restored(f: &SchemeFindings, series: &Fingerprint, out: &mut Vec<SchemeFlaw>) -> bool {
    if f.word.as_ref().is_some_and(Word::restores_momentum) {
        out.push(SchemeFlaw::Restored(Restoration::Momentum));
        return true;
    }
    let Some(left) = series.rate_left.iter().find(|l| l.order == 2) else {
        return false;
    };
    if !(left.all > series.unexplained && left.across < NEGLIGIBLE * left.all) {
        return false;
    }
    let kept = |x: Option<f64>| x.is_some_and(|x| x < ROUNDING);
    let what = if kept(f.relations.momentum_norm) {
        Restoration::Momentum
    } else if kept(f.relations.energy) {
        Restoration::Energy
    } else {
        return false;
    };
    out.push(SchemeFlaw::Restored(what));
    true
}
