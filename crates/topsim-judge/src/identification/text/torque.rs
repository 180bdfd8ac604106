//! Torques of a case that are other ones, or those of another time, in words.

use super::super::case_torque::STARTS;
use super::super::row_symptoms::{ActingTorque, LateTorque, TorqueForm};
use super::super::torque_habit::ActingHabit;
use super::digits::{known_to, percent};
use topsim_protocol::numbers::brief;

/// Vectors that a resistance may have.
const VECTORS: [&str; 3] = ["J W", "W", "diag(J) W"];
/// Orders with and without the torque of a case.
const FIRST_ORDER: &str =
    "with the torque of the case its steps are of the first order, and of a higher one without it";

/// Returns a number that runs of these steps give to five digits.
fn known(x: f64) -> String {
    known_to(x, 1e-5 * x.abs())
}

/// Returns a factor with its sign before it, as in a sum.
fn signed(x: f64) -> String {
    format!("{} {}", if x < 0.0 { "−" } else { "+" }, known(x.abs()))
}

/// Returns the evidence of another torque.
pub(super) fn case_torque(part: f64, acts: &ActingTorque) -> String {
    let acts = match acts {
        ActingTorque::None => "; it does not act at all".into(),
        ActingTorque::Times { factor, error } => {
            format!("; it acts {} times", known_to(*factor, *error))
        }
        ActingTorque::OtherFrame { frame, reversed } => {
            let sign = if *reversed {
                ", with the other sign"
            } else {
                ""
            };
            format!("; its components act as if they were those in the {frame} frame{sign}")
        }
        ActingTorque::Terms(form, factors) => format!("; {}", terms(*form, factors)),
        ActingTorque::Unknown => String::new(),
    };
    format!(
        "what the torque of the case adds to W' is off by {} of it, whatever the step, from {STARTS} states{acts}",
        percent(part)
    )
}

fn terms(form: TorqueForm, f: &[f64]) -> String {
    match form {
        TorqueForm::Linear(vector) => format!("what acts is {} {}", signed(f[0]), VECTORS[vector]),
        TorqueForm::Quadratic(vector, size) => format!(
            "what acts is {} {v} {} |{}| {v}",
            signed(f[0]),
            signed(f[1]),
            VECTORS[size],
            v = VECTORS[vector]
        ),
        TorqueForm::Rotor(in_space) => {
            let frame = match in_space {
                [false, _] => "",
                [_, true] => {
                    "the rotor's momentum is turned as if it were given in the space frame: "
                }
                _ => {
                    "the rotor's momentum is turned as if it were given in the space frame, its change is not: "
                }
            };
            let words = ["h × W", "−dh/dt", "the weight"];
            let each = f.iter().zip(words).filter(|(f, _)| f.is_finite());
            let each = each.map(|(f, word)| format!("{word} acts {} times", known(*f)));
            format!("{frame}{}", each.collect::<Vec<_>>().join(", "))
        }
        TorqueForm::Later => {
            let when = if f[1] < 0.0 { "earlier" } else { "later" };
            format!(
                "it is about that of {} s {when}, whatever the step",
                known(f[1].abs())
            )
        }
        TorqueForm::Backwards => {
            "it is that of the time −t: what turns or sways runs backwards".into()
        }
        TorqueForm::Frozen => "it is that of t = 0, at all times".into(),
        TorqueForm::OtherUnit { numbers, factor } => format!(
            "it is the one with its {numbers} multiplied by {}: degrees, radians and turns are taken for each other",
            known(factor)
        ),
        TorqueForm::SinceStart => {
            "it is that of the time since the start of the run, where the problem does not start at t = 0"
                .into()
        }
    }
}

/// Returns the evidence of a torque that acts late or coarsely.
pub(super) fn torque_habit(acts: &ActingHabit) -> String {
    let size = known_to(acts.number, acts.left * acts.number);
    let time = match acts.steps {
        None => format!("{size} s"),
        Some(steps) => format!("{} steps", known_to(steps, acts.left * steps)),
    };
    let said = acts.habit.sentence(&size, &time);
    format!(
        "in half a second of motion {said}; {} of what is off stays unexplained",
        percent(acts.left)
    )
}

/// Returns the evidence of a torque of another time.
pub(super) fn late_torque(late: LateTorque) -> String {
    let rest = match late {
        LateTorque::Unknown => String::new(),
        LateTorque::HeldStart => {
            ": the torque is that of the start of the step, held over it".into()
        }
        LateTorque::HeldEnd => ": the torque is that of the end of the step, held over it".into(),
        LateTorque::AttitudeOfStart => {
            ": the torque is that of the attitude with which the step begins".into()
        }
        LateTorque::OnceAStep => {
            ", as where a torque of the rate is applied once a step, or held over it".into()
        }
        LateTorque::MeanOfStart => {
            ": the torque is on average that of the start of the step".into()
        }
        LateTorque::Before(steps) => {
            let when = if steps > 0.0 {
                "before the step begins"
            } else {
                "after the step begins"
            };
            format!(
                ": the torque is that of {} steps {when}",
                brief(steps.abs())
            )
        }
    };
    format!("{FIRST_ORDER}{rest}")
}
