//! The findings as plain sentences, at most six; the first says what the scheme is, or what is known of it.

use super::fingerprint::{Coefficient, Fingerprint};
use super::flaws::{LostPart, Restoration, SchemeFlaw};
use super::linear::spell;
use super::names::{self, weights};
use super::runge_kutta::Edit;
use super::{InnerLaw, SchemeFindings, TorqueTimes};
use crate::thresholds::*;
use topsim_model::pair::AngleMap;
use topsim_model::step_terms::Term;
use topsim_model::stepping::Carrier;
use topsim_model::tableau::Place;
use topsim_protocol::numbers::brief;

const MOST: usize = 6;

/// Returns the sentences about a scheme, beside those about the flaws that are claimed: six at most, the first of which names it or says
/// as much as is known.
pub(crate) fn sentences(f: &SchemeFindings, claimed: &[SchemeFlaw]) -> Vec<String> {
    let mut out = vec![first(f)];
    let unclaimed = f.flaws.iter().filter(|x| !claimed.contains(x));
    out.extend(unclaimed.map(flaw));
    out.extend(order(f));
    out.extend(begun(f));
    out.extend(limits(f));
    out.extend(kept(f));
    out.extend(turn(f));
    out.extend(times(f));
    out.truncate(MOST);
    out
}

/// What is not known of how it takes a torque, where only free bodies were asked for.
pub(in crate::identification) fn torque_rule(f: &SchemeFindings) -> Option<&'static str> {
    f.free.then_some(match f.torque_times {
        Some(_) => {
            "Its rule is known of free bodies; of torques, only at which times they are read."
        }
        None => "Its rule was measured without torques: how it takes one is not known.",
    })
}

fn first(f: &SchemeFindings) -> String {
    let noise = f.digits;
    if let Some(name) = &f.name {
        let ends = match (&f.rate, &f.attitude) {
            (Some(r), Some(a)) => Some(r.residual.max(a.residual)),
            _ => None,
        };
        let residual = f.residual.or(ends).unwrap_or(f64::NAN);
        let formula = match (&f.runge_kutta, &f.word, &f.rate, &f.attitude) {
            (None, None, Some(r), Some(a)) if f.corrected.is_none() && f.inner.is_none() => {
                let text = format!("{}; {}", names::formula(r, noise), names::formula(a, noise));
                let legend = names::legend(&[r, a]);
                if text == *name {
                    legend
                } else {
                    format!(": {text}{legend}")
                }
            }
            _ => String::new(),
        };
        let accuracy = if residual.is_finite() {
            format!(" (to {residual:.0e} on {} steps of 3 sizes)", f.steps)
        } else {
            String::new()
        };
        return format!("The scheme is {name}{formula}{accuracy}.");
    }
    if !f.alike.is_empty() {
        return format!(
            "At this precision the scheme is one of: {}.",
            f.alike[..f.alike.len().min(4)].join("; ")
        );
    }
    if let Some(inner) = &f.inner {
        let steps = match inner.law {
            InnerLaw::Number(n) => format!("{n} equal inner steps"),
            InnerLaw::Size(s) => format!("inner steps of {} s", names::spell_size(s)),
        };
        return format!(
            "Each step is made in {steps}; at this size their rule is not told apart from others."
        );
    }
    let exact = f
        .relations
        .composition
        .is_some_and(|c| c < ROUNDING.max(BY_FAR * noise));
    if exact && f.name.is_none() && f.rate.is_none() && f.attitude.is_none() {
        return "One step is as good as two of half its length: the solver takes small steps of its own, or none of the error is of its steps.".into();
    }
    match (&f.rate, &f.attitude, &f.rate_alone) {
        (Some(r), None, _) => format!(
            "The rate is advanced by {}{}; the attitude by no rule that is known.",
            names::formula(r, noise),
            names::legend(&[r])
        ),
        (None, Some(a), Some(r)) => format!(
            "The rate is that of {}; the attitude is advanced by {}.",
            names::runge_kutta(r, f.raw),
            names::formula(a, noise)
        ),
        (None, Some(a), None) => format!(
            "The attitude is advanced by {}{}; the rate by no rule that is known.",
            names::formula(a, noise),
            names::legend(&[a])
        ),
        (None, None, Some(r)) => format!(
            "The rate is that of {}; the attitude is advanced by no rule that is known.",
            names::runge_kutta(r, f.raw)
        ),
        _ => "The scheme is none of those known by name.".into(),
    }
}

pub(in crate::identification) fn flaw(flaw: &SchemeFlaw) -> String {
    match flaw {
        SchemeFlaw::Edited { tableau, edit } => format!("In {tableau} {}.", edited(edit)),
        SchemeFlaw::WrongChart { tableau, carrier } => {
            let has = match carrier {
                Carrier::ForwardVector => {
                    "dexp for its inverse: θ′ = W − θ × W/2 + θ × (θ × W)/6 − … where W + θ × W/2 + θ × (θ × W)/12 − … is meant"
                }
                Carrier::DoubledCommutator => {
                    "the second commutator with 1/6: θ′ = W + θ × W/2 + θ × (θ × W)/12 is meant"
                }
                Carrier::RetractedVector => {
                    "a turn of first order at the end of the step: q₁ = q₀ + q₀ ⊗ (0, θ)/2, normalised, where q₀ ⊗ exp(θ/2) is meant"
                }
                _ => {
                    "the commutator with the wrong sign: θ′ = W − θ × W/2 + … where W + θ × W/2 + … is meant"
                }
            };
            let order = carrier.highest_order();
            format!("{tableau} on rotation vectors has {has}, which leaves order {order}.")
        }
        SchemeFlaw::SlopeWeights(weights) => format!(
            "The slopes of this row and of the two before have the weights {}, a rule of first order; those of Adams and Bashforth are 23/12, \
             −4/3 and 5/12.",
            weights.map(|w| spell(w, 1e-7)).join(", ")
        ),
        SchemeFlaw::TableauOrder { stages } => {
            format!("A rule that reads its torque at {stages} times or more should not be of first order.")
        }
        SchemeFlaw::StaleTorque { steps } => {
            let before = match spell(*steps, 1e-3).as_str() {
                "1" => "a step".into(),
                other => format!("{other} of a step"),
            };
            format!("The torque is that of {before} before the start of the step.")
        }
        SchemeFlaw::OrderLostByTorque => {
            "Free steps are of order 2, and a torque makes them of order 1: it is not turned with the body along the step, or the gyroscopic \
             term does not take up what the torque adds to the rate.".into()
        }
        SchemeFlaw::OrderLost { part, value } => {
            let (what, of) = match part {
                LostPart::Torque => ("the torque's change along the step", "the rate"),
                LostPart::Gyro => ("the gyroscopic term's change along the step", "the rate"),
                LostPart::Turn => ("the rate's change along the step", "the attitude"),
                LostPart::Rate => ("the acceleration's change along the step", "the rate"),
            };
            format!(
                "One part alone makes the scheme of first order: at h² {what} enters {of} with the factor {} instead of 1/2.",
                spell(*value, 1e-4)
            )
        }
        SchemeFlaw::Composition(first) => format!(
            "The first and the last of three steps in a step are {} of it, where 1/(2 − 2^(1/3)) = 1.3512 is of order 4: this rule is of order 2.",
            spell(*first, 1e-8)
        ),
        SchemeFlaw::OffCentre(part) => format!(
            "The mean time of a step's slopes is the part {} of the step, where 1/2 is of order 2: that of a rule between the explicit and the \
             implicit ones, or of weights that are wrong.",
            spell(*part, 1e-4)
        ),
        SchemeFlaw::TurnLost(left) => format!(
            "The rate's change is right to h², and {:.0} % of the turn at h² is no sum of products of the vectors of a step: the attitude's \
             update alone makes the scheme of first order.",
            100.0 * left
        ),
        SchemeFlaw::ZeroHistory { length } => format!(
            "The first step is {} of a step long: a rule of several steps is begun with nothing before it, or the first step has a length of its own.",
            spell(*length, 1e-3)
        ),
        SchemeFlaw::StartTorque { part, of_rows } => {
            let [attitude, why] = match of_rows {
                true => [" and all of it in the attitude", "the rates of the rows lack a part of their step's kick"],
                false => ["", "the kick before the first step is missing"],
            };
            let part = spell(*part, 1e-3);
            format!("The first step takes {part} of the torque in the rate{attitude}, and later ones all of it: {why}.")
        }
        SchemeFlaw::StartAcceleration => {
            "The acceleration before the first step is taken as zero: half of the first step's impulse is missing for good.".into()
        }
        SchemeFlaw::Restored(what) => format!(
            "The rate is scaled after each step so that {} is kept.",
            match what {
                Restoration::Momentum => "the momentum's length",
                Restoration::Energy => "the energy",
            }
        ),
        SchemeFlaw::TorqueTime { mean } => format!(
            "A torque that changes with time is read at {} of the step on the average, not at its middle: with such a torque the scheme is of first order.",
            spell(*mean, 1e-6)
        ),
        SchemeFlaw::TorqueClock(clock) => {
            format!("The clock by which a torque of time is read {clock}.")
        }
        SchemeFlaw::Angles(sequence) => format!(
            "The components of a step's turn are taken for Euler angles of the sequence {}: turns about one axis after the other are no turn by a rate.",
            sequence.name()
        ),
        SchemeFlaw::SmallTurns { turn, off } => format!(
            "Small turns of a free sphere are made by another formula than larger ones, and a wrong one: a turn of {} rad is off by {} of it.",
            brief(*turn),
            brief(*off)
        ),
        SchemeFlaw::ConingSign => {
            "In the turn W × W' enters at h³ with the factor −1/12 instead of 1/12: the coning term has the wrong sign.".into()
        }
        SchemeFlaw::Jacobian([a, b]) => format!(
            "The gyroscopic term is solved with the matrix J + h (a Ŵ J + b (J W)^), a = {} and b = {}: of its derivative they are 1 and −1.",
            spell(*a, 1e-6),
            spell(*b, 1e-6)
        ),
        SchemeFlaw::TurnSlip(slip) => {
            format!("The turn of a free sphere is that of a wrong formula: {slip}.")
        }
        SchemeFlaw::RateInPlace => {
            "The components of the rate are overwritten one after the other in a step of first order, so that later ones are made of new ones.".into()
        }
        SchemeFlaw::TruncatedTurn => {
            "Even a free sphere is turned with first order only: the increment of the attitude is cut short or repaired unequally.".into()
        }
        SchemeFlaw::AxesOfSpace { deviation } => format!(
            "The motion depends on the axes of space that are chosen (by {deviation:.0e}): the attitude is kept in coordinates, or its components are not treated alike."
        ),
    }
}

/// Says what of a tableau is another one.
fn edited(edit: &Edit) -> String {
    let entry = |(place, was, is): (Place, f64, f64)| {
        let [was, is] = [was, is].map(|x| spell(x, 1e-8));
        match place {
            Place::Weights(i, j) => format!(
                "b{i} should be {was}, and is {is}; b{j} has the difference, so that the weights add up to 1"
            ),
            _ => format!("{place} should be {was}, and is {is}"),
        }
    };
    match edit {
        Edit::Moved { row, from, to } => format!(
            "the entry a{row}{from} stands in the place of a{row}{to}: stage {row} is made with the slope of another stage"
        ),
        Edit::Rows([i, j]) => format!("rows {i} and {j} of A stand in each other's places"),
        Edit::Accumulated => {
            "each stage begins at the state of the stage before, and not at the start of the step: the state is changed in place".into()
        }
        Edit::Reused { stage } => format!(
            "the first slope of a step is that of stage {stage} of the step before, which is not the slope at its end"
        ),
        Edit::Kept(kept) => format!(
            "the state has {}: a loop over its numbers ends too early",
            names::kept_number(kept)
        ),
        Edit::Changed { place, was, is } => entry((*place, *was, *is)),
        Edit::Twice(both) => both.map(entry).join(", and "),
        Edit::Weights(b) => format!("the stages are right, and the weights b are {}", weights(b)),
        Edit::Unnamed => "no row is that of a rule with a name".into(),
    }
}

fn spelled(c: &Coefficient) -> String {
    spell(c.value, c.error.max(1e-5))
}

/// A term with its verb.
fn phrase(c: &Coefficient, attitude: bool) -> Option<String> {
    let what = match (c.order, c.term, attitude) {
        (2, Term::TorqueTurning, false) => "the torque's change as the body turns",
        (2, Term::GyroTorque, false) => "the gyroscopic term's change with the torque",
        (2, Term::GyroGyro, false) => "the gyroscopic term's own change",
        (2, Term::Torque, true) => "the torque in the turn",
        (2, Term::Gyro, true) => "the gyroscopic term in the turn",
        (3, Term::Cube, true) => "|W|²W in the turn",
        (3, Term::CommutatorTorque, true) => "W × J⁻¹T in the turn",
        (3, Term::CommutatorGyro, true) => "W × g in the turn",
        _ => return None,
    };
    Some(format!(
        "{what} has the factor {} instead of {}",
        spelled(c),
        spell(c.exact, 1e-9)
    ))
}

/// The order, and the first terms that are not exact.
fn order(f: &SchemeFindings) -> Option<String> {
    let series = f.series();
    if !series.sees(1) {
        return None;
    }
    let unlike = |x: &SchemeFlaw| {
        matches!(
            x,
            SchemeFlaw::ZeroHistory { .. } | SchemeFlaw::StartAcceleration
        )
    };
    if f.flaws.iter().any(unlike) {
        // The second step still shows the first one's start.
        return None;
    }
    let (order, at_least) = series.order()?;
    // A clock of whole nanoseconds hides the terms of higher orders, and not the rule.
    if f.known_order().is_some_and(|known| known > order) {
        return None;
    }
    if f.remembers() && at_least {
        let order = f.order_of_weights().filter(|p| *p >= order)?;
        return Some(format!("Its rule is of order {order}."));
    }
    if f.remembers() && order == 1 && !at_least {
        // The same may be so of a start that the second step still shows; histories tell the order.
        return None;
    }
    if at_least {
        return Some(format!(
            "Its steps are exact to h{}: it is of order {order} at least.",
            power(order)
        ));
    }
    let terms = terms(series, order + 1);
    if terms.is_empty() && f.name.is_some() {
        // The error of a rule that is known is that of the rule, such as of turns about principal axes.
        return Some(format!("Its steps are exact to h{}.", power(order)));
    }
    if terms.is_empty() {
        return Some(format!(
            "Its steps are exact to h{}; the error at h{} is no sum of products of the vectors of a step, as that of a tolerance or of an \
             iteration that ends early.",
            power(order),
            power(order + 1)
        ));
    }
    Some(format!(
        "It is of order {order}: at h{} {terms}.",
        power(order + 1)
    ))
}

fn power(n: usize) -> &'static str {
    ["⁰", "", "²", "³"][n.min(3)]
}

fn terms(series: &Fingerprint, order: usize) -> String {
    let wrong = |all: &[Coefficient], attitude: bool| -> Vec<String> {
        all.iter()
            .filter(|c| c.order == order && c.deviation().abs() > OTHER_FACTOR)
            .filter_map(|c| phrase(c, attitude))
            .collect()
    };
    let mut all = wrong(&series.rate, false);
    all.extend(wrong(&series.attitude, true));
    let more = all.len() > 2;
    all.truncate(2);
    let mut out = all.join(", ");
    if more {
        out += ", and more";
    }
    out
}

/// Returns what becomes of the quaternion's length or the matrix's shape.
fn limits(f: &SchemeFindings) -> Option<String> {
    let large = |d: &f64| *d > ROUNDING.max(BEYOND_DIGITS * f.digits);
    if let Some(defect) = f.relations.orthogonality.filter(large) {
        return Some(format!(
            "The matrix is not made orthogonal (|RᵀR − I| is {defect:.0e} after three steps)."
        ));
    }
    let norm = f.relations.norm.filter(large)?;
    Some(format!(
        "The quaternion is not normalised (its length is off by {norm:.0e} after three steps)."
    ))
}

/// When the torque is read.
fn times(f: &SchemeFindings) -> Option<String> {
    match f.torque_times.as_ref()? {
        TorqueTimes::Few(all) => {
            let one =
                |(c, b): &(f64, f64)| format!("{} (weight {})", spell(*c, 1e-6), spell(*b, 1e-6));
            let all: Vec<String> = all.iter().map(one).collect();
            Some(format!(
                "The torque is read at these parts of the step: {}.",
                all.join(", ")
            ))
        }
        // Those of the first step are told with its name.
        _ if f.slope_weights().is_some() => None,
        // Those of a rule that is known are its stages.
        TorqueTimes::Many if f.known_order().is_some() => None,
        TorqueTimes::Many => Some("The torque is read at more than four times in a step.".into()),
    }
}

/// The first step of a rule with a memory.
fn begun(f: &SchemeFindings) -> Option<String> {
    if !f.remembers() {
        return None;
    }
    Some(match &f.start {
        (Some(r), Some(a)) => format!(
            "A step needs the ones before it; the first is {}.",
            names::known(r, a, f.digits).map_or_else(
                || format!(
                    "{}; {}",
                    names::formula(r, f.digits),
                    names::formula(a, f.digits)
                ),
                |known| known.text
            )
        ),
        _ => match &f.start_rule {
            Some(rule) => format!(
                "A step needs the ones before it; the first is {}.",
                names::runge_kutta(rule, f.raw)
            ),
            None => "A step needs the ones before it.".into(),
        },
    })
}

fn kept(f: &SchemeFindings) -> Option<String> {
    if f.digits > DOUBLE {
        return None;
    }
    let limit = ALL_DIGITS.max(BY_FAR * f.digits);
    let is = |x: Option<f64>| x.is_some_and(|x| x <= limit);
    let r = &f.relations;
    // A solver that takes small steps of its own keeps everything to its tolerance.
    if is(r.composition) && f.name.is_none() {
        return None;
    }
    let mut all = Vec::new();
    if is(r.momentum) {
        all.push("keeps the momentum of a free body");
    } else if is(r.momentum_norm) {
        all.push("keeps the length of a free body's momentum");
    }
    if is(r.energy) {
        all.push(if all.is_empty() {
            "keeps the energy of a free body"
        } else {
            "keeps its energy"
        });
    }
    if is(r.reversal) {
        all.push("can be run backward");
    }
    (!all.is_empty()).then(|| format!("It {}.", all.join(" and ")))
}

fn turn(f: &SchemeFindings) -> Option<String> {
    if f.name.is_some() {
        return None;
    }
    if let Some(map) = f.sphere.map {
        let other = map != AngleMap::Exponential;
        return other.then(|| format!("A free sphere is turned by the {}.", map.name()));
    }
    let ([short, ..], [.., long]) = (&f.sphere.off[..], &f.sphere.off[..]) else {
        return None;
    };
    let off = short.1.max(long.1) > FOUR_DIGITS;
    off.then(|| {
        format!(
            "A free sphere is turned by no map that is known: a turn of {} rad is off by {} of it, and one of {} rad by {}.",
            brief(short.0),
            brief(short.1),
            brief(long.0),
            brief(long.1)
        )
    })
}
