//! Clocks of solvers and steps of their own, in words.

use super::digits::round;
use crate::identification::between::Between;
use crate::identification::cadence::{Cadence, ClockPart};
use crate::identification::{Certainty, Claim};
use topsim_protocol::numbers::{brief, number};

/// Advice for a solver that reaches each time wanted by steps of one length.
pub(super) const ONE_STEP: &str = "if it can make no other step, give the length of its step with `--only-step`: topsim then judges it by steps of this length";

pub(super) fn only_step(step: f64) -> String {
    format!(
        "a solver that can make no other step is judged with `--only-step {}`",
        number(round(step))
    )
}

/// Returns the evidence of a clock.
pub(super) fn clock(what: ClockPart, c: Cadence, claim: &Claim) -> String {
    let limit = match claim.certainty {
        Certainty::LooksLike => "; or longer steps are cut off there",
        Certainty::Is | Certainty::Unexplained => "",
    };
    let touched = match &claim.steps[..] {
        [] => String::new(),
        steps => touches(steps, c),
    };
    format!("{}{limit}{touched}", cadence(what, c))
}

pub(super) fn cadence(what: ClockPart, c: Cadence) -> String {
    let subject = match what {
        ClockPart::All => "the solver advances",
        ClockPart::Attitude => "the attitude advances",
        ClockPart::Torque => "the torque acts",
        ClockPart::Gyroscopic => "the gyroscopic term acts",
    };
    match c {
        Cadence::Fixed(t) => format!("{subject} for {} s whatever the step", number(round(t))),
        Cadence::AtMost(t) => format!("{subject} for at most {} s a step", number(round(t))),
        Cadence::AtLeast(t) => format!("{subject} for at least {} s a step", number(round(t))),
        Cadence::TurnAtMost(a) => format!("no step turns by more than {} rad", number(round(a))),
        Cadence::TurnAbove(a) => format!(
            "steps that should turn by up to {} rad do not turn at all, and larger turns are right",
            brief(a)
        ),
        Cadence::Between(kind, t) => {
            format!(
                "the solver makes steps of {} s whatever the step asked for, and {}",
                number(round(t)),
                between(kind)
            )
        }
        Cadence::MultipleFrom(t) => format!(
            "{subject} for a whole number of {} s a step, and shorter steps are made as they are",
            number(round(t))
        ),
        Cadence::Multiple(t) => {
            format!(
                "{subject} for a whole number of {} s a step",
                number(round(t))
            )
        }
    }
}

/// Says which of the steps of a case a limit touches.
fn touches(steps: &[f64], cadence: Cadence) -> String {
    let touched = steps.iter().copied().filter(|h| cadence.touches(*h));
    let touched: Vec<f64> = touched.collect();
    let listed = |steps: &[f64]| {
        let each = steps.iter().map(|h| format!("{h}"));
        each.collect::<Vec<_>>().join(", ")
    };
    match touched.len() {
        0 => "; it touches no step of this case".into(),
        n if n == steps.len() => "; it touches all steps of this case".into(),
        _ => format!(
            "; of the steps of this case it touches {} s",
            listed(&touched)
        ),
    }
}

/// Returns a clause on the rows between steps of the solver's own.
pub(super) fn between(kind: Between) -> &'static str {
    match kind {
        Between::Held => "rows at times between them repeat the last one",
        Between::Straight => "rates at times between them lie on straight lines",
        Between::Cubic => "rates at times between them lie on cubics",
    }
}
