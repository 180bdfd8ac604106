//! What was found, in sentences.

mod clock;
pub(super) mod digits;
mod histories;
mod law;
mod notes;
mod rows;
mod tensor;
mod torque;
mod walk;

use super::cadence::Cadence;
use super::charts::Chart;
use super::probes::Growing;
use super::symptom::{Bodies, Symptom};
use super::times::{Combination, Differential};
use super::{Claim, design, scheme};
use crate::thresholds::{EXPLAINED, FIRST_ORDER};
use clock::{clock, only_step};
use digits::{known_to, percent, round};
use histories::histories;
use law::{factor, law, law_numbers, law_of_rows, numbers, unknown};
use rows::{report, report_name};
use topsim_model::defect::{Defect, ReportingDefect};
use topsim_protocol::numbers::{brief, number, two};
use torque::case_torque;
use torque::{late_torque, torque_habit};
use walk::walk;

impl Claim {
    /// Returns its name, with the numbers that were measured.
    pub fn name(&self) -> String {
        said(self).0
    }
    /// Returns what was measured, and what it leaves unexplained.
    pub fn evidence(&self) -> String {
        said(self).1
    }
    /// Returns what it means, and where to look in the solver.
    pub fn advice(&self) -> String {
        advice(&self.symptom, self.id)
    }
    /// Returns its name and its evidence.
    pub(crate) fn sentence(&self) -> String {
        let (name, evidence) = said(self);
        format!("{name}: {evidence}")
    }
}

/// Says where to look, and how a solver that has no other step is judged.
fn advice(found: &Symptom, id: Defect) -> String {
    match found {
        Symptom::Cadence(_, Cadence::Fixed(step)) => {
            format!("{}; {}", id.advice(), only_step(*step))
        }
        Symptom::Cadence(_, Cadence::AtLeast(_)) => {
            "the solver makes no step shorter than its limit, so that its clock runs fast at shorter ones: remove the limit".into()
        }
        Symptom::OrderBelow(_) => {
            "look for what long runs have and short ones do not: a restart, a memory that is lost, a tolerance".into()
        }
        _ => id.advice().into(),
    }
}

fn said(claim: &Claim) -> (String, String) {
    let plain = claim.id.name();
    match &*claim.symptom {
        Symptom::Report(_, c) => (report_name(c, plain), report(c, "row 0 of all starts")),
        Symptom::SameRows => (
            plain,
            "in every run all rows have the same attitude and rate, which are not those of the start".into(),
        ),
        Symptom::AnotherStart { form, shown } => {
            let from = match (form, shown) {
                (Some(c), true) => report(c, "row 0 of all starts"),
                (Some(c), false) => report(c, "the start from which the steps go on"),
                (None, _) => "row 0 of all starts has another state than the given one".into(),
            };
            let said = match shown {
                true => format!("{from}; the motion goes on from there as the right equations say"),
                false => format!("row 0 of all starts is as given, and {from}"),
            };
            (plain, said)
        }
        Symptom::StartRounded(unit) => (
            plain,
            format!("rates of row 0 are multiples of {} rad/s, and those of later rows are not", brief(*unit)),
        ),
        Symptom::TorqueOfStep(factor) => (
            plain,
            format!("the torque acts with the factor {} h: in the limit of short steps the body is free", brief(*factor)),
        ),
        Symptom::NotCleared(left) => (
            plain,
            format!(
                "the second, third and fourth step of a run have two, three and four times the torque of the first; that leaves {}",
                brief(*left)
            ),
        ),
        Symptom::Rates(size) => (
            plain,
            format!(
                "over half a second the attitudes come to those of the right equations as the step falls; by the rates the equations \
                 would be off by {}",
                brief(*size)
            ),
        ),
        Symptom::Late(ReportingDefect::RateWholeStep) => (
            plain,
            "row 1 has the rate of row 0, and later rates are those of a step before; attitudes are right".into(),
        ),
        Symptom::Late(_) => (
            plain,
            "row 1 repeats row 0, and later rows are those of a step before".into(),
        ),
        Symptom::Cadence(what, c) => {
            let name = match c {
                Cadence::AtLeast(_) => "steps shorter than a limit are prolonged".into(),
                _ => plain,
            };
            (name, clock(*what, *c, claim))
        }
        Symptom::PerStep(s, size) => {
            let base = design::standard();
            let law: Vec<String> = s.terms.iter().map(|f| numbers(f, &base, true)).collect();
            let explained = if s.accepted {
                format!("in each step {}", law.join(" and "))
            } else {
                "no law that was tried explains it".into()
            };
            (
                plain,
                format!(
                    "the change of a step does not vanish with the step: {} of the state stays; {explained}",
                    brief(*size)
                ),
            )
        }
        Symptom::Law {
            defect,
            fitted,
            selection,
            elsewhere,
            base,
            on,
        } => {
            let of = (*defect, plain);
            let (name, evidence) = law(of, (fitted, base), selection, *elsewhere);
            match on {
                None => (name, evidence),
                Some(Bodies::WithoutGravity) => {
                    (format!("{name}, of bodies without gravity"), evidence)
                }
                Some(Bodies::UnderGravity) => {
                    (format!("{name}, of bodies under gravity"), evidence)
                }
            }
        }
        Symptom::Chart(of, left) => (plain, chart(*of, *left)),
        Symptom::UnknownLaw(table) => (plain, unknown(table)),
        Symptom::Start(_, [turn, rate]) => (
            plain,
            format!(
                "the first step is unlike the later ones: it makes {} of the turn and {} of the change of the rate; the later ones are \
                 right",
                number(round(1.0 + turn)),
                number(round(1.0 + rate))
            ),
        ),
        Symptom::Times(_, c) => (plain, format!("of first order: {}", times(c))),
        Symptom::AttitudeUpdate(size) => (
            plain,
            format!(
                "on a sphere without torque, where the attitude should be exact, a second of motion with steps of h seconds leaves \
                 {} h of the turn",
                brief(*size)
            ),
        ),
        Symptom::RateLimit(limit) => {
            let most = number(round(limit.most));
            let what = match (limit.each, limit.in_space) {
                (true, true) => "components in space",
                (true, false) => "components",
                (false, _) => "spins",
            };
            (
                format!("{plain}: {most} rad/s"),
                format!("faster {what} all come back with {most} rad/s"),
            )
        }
        Symptom::Sleep(slowed) if slowed.components => (
            "small components of the rate are set to zero".into(),
            format!(
                "components of the rates of free bodies become zero, and others stay; at {} rad/s all do",
                brief(slowed.rates[0])
            ),
        ),
        Symptom::Sleep(slowed) => {
            let [most, least] = slowed.rates.map(brief);
            let said = match slowed.keeps {
                0.0 => format!("come to rest, and with {least} rad/s they do not"),
                keeps => format!(
                    "and less have {} of their momentum after a run, and with {least} rad/s all of it",
                    percent(keeps)
                ),
            };
            (plain, format!("free bodies that turn with {most} rad/s {said}"))
        }
        Symptom::SlowGyroscopic([most, least]) => (
            "gyroscopic term missing on slow bodies".into(),
            format!(
                "free bodies that turn with {} rad/s keep their rate in the body, and with {} rad/s it changes",
                brief(*most),
                brief(*least)
            ),
        ),
        Symptom::RowsMatter(size, steps) => (
            plain,
            format!(
                "{steps} steps end elsewhere, by {} of the turn, where the rows between them are not asked for",
                brief(*size)
            ),
        ),
        Symptom::StepsAsOne(kind, steps) => (
            plain,
            format!(
                "one step is made for {steps} that are asked for, and {}",
                clock::between(*kind)
            ),
        ),
        Symptom::StopsAfter([before, after]) => (
            plain,
            format!(
                "free bodies stand still from a time between {} and {} s after the start on, whatever their rate",
                brief(*before),
                brief(*after)
            ),
        ),
        Symptom::TurnRounded(unit) => (
            plain,
            format!(
                "the turns of all steps, short and long, are whole numbers of {} rad, which is a turn over {}",
                known_to(*unit, 1e-6 * unit),
                known_to(core::f64::consts::TAU / unit, 1e-6 * core::f64::consts::TAU / unit)
            ),
        ),
        Symptom::HalfTurn(angle) => (
            plain,
            format!(
                "free bodies that turn through an angle of π jump by up to {} rad there, and nowhere else",
                brief(*angle)
            ),
        ),
        Symptom::Normalisation([.., off]) => (
            plain,
            format!(
                "after half a second quaternions or matrices are off a rotation by {}",
                brief(*off)
            ),
        ),
        Symptom::TorqueHabit(acts) => (plain, torque_habit(acts)),
        Symptom::TorqueInSingle(scatter) => (
            plain,
            format!(
                "between neighbouring starts the torque scatters by {} of it, and the motion of free bodies does not",
                brief(*scatter)
            ),
        ),
        Symptom::StateInSingle(growing) => (plain, grows(*growing)),
        Symptom::Coarse(part, scatter) => (
            "numbers that are rounded more coarsely than to single precision, or taken from a table".into(),
            format!(
                "{} by {} between neighbouring starts, and rows are written with more digits",
                part.scatters(),
                brief(*scatter)
            ),
        ),
        Symptom::LooseIteration(growing) => (
            plain,
            format!(
                "{}; neighbouring starts do not scatter, as they would by a rounding",
                grows(*growing)
            ),
        ),
        Symptom::RemembersProblems(size) => (
            plain,
            format!(
                "a free body has other rows, by {} of its turn, where another problem is solved before it",
                brief(*size)
            ),
        ),
        Symptom::Scatters(size) => (
            plain,
            format!(
                "a free body that is posed several times in a row has other rows each time, by {} of its turn, from the first step on",
                brief(*size)
            ),
        ),
        Symptom::InertiaOfFirst => (
            plain,
            "bodies move with the inertia of the first body that was posed, which has another one".into(),
        ),
        Symptom::OrderBelow(found) => (
            "the histories are of a lower order than the steps".into(),
            format!(
                "the errors of the histories fall with the slopes {} and {}, and steps from new starts are of order {} at least; no rule \
                 that was tried explains it",
                two(found.slopes[0]),
                two(found.slopes[1]),
                found.steps
            ),
        ),
        Symptom::BiasedRounding(part) => (
            plain,
            format!(
                "a sphere that nothing turns {} {} of its rate in each step",
                if *part > 0.0 { "gains" } else { "loses" },
                brief(part.abs())
            ),
        ),
        Symptom::Flaw(flaw @ scheme::SchemeFlaw::OffCentre(_)) => (
            "a step that is off its centre, and so of first order".into(),
            scheme::flaw(flaw),
        ),
        Symptom::Flaw(flaw @ scheme::SchemeFlaw::SmallTurns { .. }) => {
            ("small turns by a wrong formula".into(), scheme::flaw(flaw))
        }
        Symptom::Flaw(flaw @ scheme::SchemeFlaw::TurnSlip(_)) => (
            "the turn of a step is made by a wrong formula".into(),
            scheme::flaw(flaw),
        ),
        Symptom::Flaw(flaw @ scheme::SchemeFlaw::Angles(_)) => (
            "the turn of a step taken for Euler angles".into(),
            scheme::flaw(flaw),
        ),
        Symptom::Flaw(flaw @ scheme::SchemeFlaw::TorqueClock(_)) => (
            "the torque is read by a clock that is not the time of the steps".into(),
            scheme::flaw(flaw),
        ),
        Symptom::Flaw(flaw) => (plain, scheme::flaw(flaw)),
        Symptom::LawOfRows(law) => (plain, law_of_rows(law)),
        Symptom::Memory(rule, [given, of]) => (
            rule.finding().unwrap_or(plain),
            format!("simulated from the first row on, {rule} gives {given} of {of} rows to their rounding"),
        ),
        Symptom::Factor(of, rows, _) => (plain, factor(*of, rows)),
        Symptom::Walk(steps, body) => walk(steps, body),
        Symptom::CaseTorque(part, acts) => (plain, case_torque(*part, acts)),
        Symptom::LateTorque(late) => (plain, late_torque(*late)),
        Symptom::GivenRate { name, evidence, .. } => {
            (name.clone().unwrap_or(plain), evidence.clone())
        }
        _ => histories(claim),
    }
}

/// Returns what is said of the kinematics of a chart.
fn chart(chart: Chart, left: f64) -> String {
    let factor = |x: f64| match x {
        0.0 => "is missing".to_string(),
        x if x < 0.0 => "has the opposite sign".into(),
        x => format!("has the factor {}", number(x)),
    };
    let said = match chart {
        Chart::AngleRates(sequence, order) => {
            let [a, b, c] = order.map(|k| k + 1);
            format!(
                "the angles of the sequence {} grow with W{a}, W{b}, W{c}",
                sequence.name()
            )
        }
        Chart::Quaternion {
            component,
            rate,
            factor: x,
        } => format!(
            "in the derivative of q{} the product with W{} {}",
            ['w', 'x', 'y', 'z'][component],
            rate + 1,
            factor(x)
        ),
        Chart::Angles {
            sequence,
            angle,
            rate,
            factor: x,
        } => format!(
            "in the derivative of the {} of the angles {} the part with W{} {}",
            ["first", "second", "third"][angle],
            sequence.name(),
            rate + 1,
            factor(x)
        ),
    };
    format!("{said}; {} stays unexplained", brief(left))
}

/// At which time each term is taken.
fn times(c: &Combination) -> String {
    let there = |d: Differential| c.coefficient(d).abs() > FIRST_ORDER;
    let time = |from_middle: f64| match from_middle + 0.5 {
        x if x.abs() < EXPLAINED => "the start of the step".to_string(),
        x if (x - 0.5).abs() < EXPLAINED => "its middle".into(),
        x if (x - 1.0).abs() < EXPLAINED => "its end".into(),
        x if x < -EXPLAINED => format!("{:.2} steps before it", -x),
        x => format!("{x:.2} of it"),
    };
    let at = |d: Differential| time(c.coefficient(d));
    let held = if there(Differential::TorqueHeldInSpace) {
        ", and held in space while the body turns"
    } else {
        ""
    };
    let mut out = vec![
        format!(
            "the torque is taken at the attitude of {}{held}",
            at(Differential::TorqueByTurn)
        ),
        format!(
            "the gyroscopic term at the rate of {}",
            at(Differential::GyroscopicByTorque)
        ),
        format!(
            "the attitude turns with the rate of {}",
            at(Differential::TurnByTorque)
        ),
    ];
    for d in Differential::OTHERS {
        // Of both parts of the inertia one is said.
        let again = d == Differential::DivisorTurned && there(Differential::InertiaTurned);
        if there(d) && d != Differential::TorqueHeldInSpace && !again {
            let what = match d {
                Differential::InertiaTurned | Differential::DivisorTurned => {
                    "the inertia is turned late"
                }
                Differential::MomentumInGyroscopic => {
                    let gyroscopic = c.coefficient(Differential::GyroscopicByTorque);
                    let momentum = time(gyroscopic + c.coefficient(d));
                    out.push(format!("the momentum in it is that of {momentum}"));
                    continue;
                }
                Differential::MomentumRestored => "|J W| is put back",
                Differential::EnergyRestored => "the energy is put back",
                Differential::FrameOfGyroscopic => {
                    "the gyroscopic term belongs to another frame of the step"
                }
                _ => "the torque belongs to another frame of the step",
            };
            out.push(what.into());
        }
    }
    out.push(format!("{} stays unexplained", percent(c.left)));
    out.join("; ")
}

/// A scheme of first order that may be a choice.
pub(super) fn first_order(c: &Combination) -> String {
    if c.left > EXPLAINED {
        return "of first order, by terms that no known rule has".into();
    }
    let all = Differential::SCHEMES.map(|d| c.coefficient(d));
    let near = |(x, y): (&f64, f64)| (x - y).abs() < EXPLAINED;
    let is = |pattern: [f64; 5]| all.iter().zip(pattern).all(near);
    let named = [
        ([-0.5; 5], "explicit Euler"),
        ([-0.5, -0.5, -0.5, 0.5, 0.5], "semi-implicit Euler"),
        ([0.5; 5], "implicit Euler"),
        (
            [0.5, 0.5, -0.5, 0.5, 0.5],
            "semi-implicit Euler with an implicit gyroscopic term",
        ),
        (
            [0.0, 0.5, -0.5, 0.0, 0.5],
            "a kick by the torque, then the exact free motion",
        ),
        (
            [0.0, 0.0, -0.5, 0.0, 0.0],
            "a rule of second order with the torque of the start held over the step",
        ),
    ];
    let name = named.iter().find(|(p, _)| is(*p)).map(|(_, n)| *n);
    let name = name.unwrap_or("a rule of first order");
    format!("{name}: {}", times(c))
}

fn grows(growing: Growing) -> String {
    let [step, shortest] = growing.steps;
    let [least, last] = growing.errors;
    format!(
        "below h = {} s its errors grow, from {} to {} rad after half a second with h = {} s",
        brief(step),
        brief(least),
        brief(last),
        brief(shortest)
    )
}
