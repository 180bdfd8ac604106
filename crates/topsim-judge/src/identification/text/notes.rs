//! Words for the things to know that are no defects.

use super::clock::{ONE_STEP, cadence};
use super::{first_order, grows, late_torque};
use crate::identification::cadence::ClockPart;
use crate::identification::note::Note;
use core::fmt;
use serde::{Serialize, Serializer};
use topsim_protocol::numbers::{brief, number};

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(part, scatter) => {
                let what = part.scatters();
                write!(
                    f,
                    "single precision: {what} by {} between neighbouring starts, and nothing smaller can be told",
                    brief(*scatter)
                )
            }
            Self::FewDigits(digits) => write!(
                f,
                "the rows are written with few digits: nothing below {} can be told",
                brief(*digits)
            ),
            Self::Grows(growing) => write!(f, "single precision: {}", grows(*growing)),
            Self::RowsBetween(c) => f.write_str(&cadence(ClockPart::All, *c)),
            Self::OwnSteps(step) => write!(
                f,
                "the solver makes steps of its own, of about {} s: the step asked for has no effect, and errors are those of \
                 its own step; {ONE_STEP}",
                brief(*step)
            ),
            Self::OnlyStep(only) => write!(
                f,
                "each problem was posed as the equivalent one with the solver's only step, {only}: for a step of h the body turned \
                 h/({only}) times as fast. A limit of the solver's own on rates, or a rate below which it puts bodies to sleep, shows at a rate divided by this factor"
            ),
            Self::Tolerance(size) => write!(
                f,
                "the equations of motion are right to {}, and what is left follows no law: a tolerance of the solver's own",
                brief(*size)
            ),
            Self::FirstStepUnlike(size) => write!(
                f,
                "the first step differs from the later ones by {}, by no rule that is known: a tolerance, or a start of its own",
                brief(*size)
            ),
            Self::FirstOrder(c) => f.write_str(&first_order(c)),
            Self::LateTorque(late) => f.write_str(&late_torque(*late)),
            Self::WrongWithTorque => f.write_str(
                "with the torque of the case its steps are not right, whatever the step, and off by another part at each",
            ),
            Self::RightSchemesLost(scheme) => write!(
                f,
                "with the torque of the case its steps are off at all lengths, and so are those of `{scheme}`, which is right: these \
                 steps do not show whether its torque is"
            ),
            Self::Evidence(claim) => f.write_str(&claim.evidence()),
            Self::WithOtherTorque(claim) => write!(
                f,
                "on problems with another torque: {} [{}]; this case does not show it",
                claim.name(),
                claim.id
            ),
            Self::NotMeasured(why) => write!(f, "its steps could not be measured: {why}"),
            Self::OneState => f.write_str(
                "all rows of each history hold one state, and it is not that of the start: rows keep a reference to a state that \
                 changes later, or are written after the run; write a copy of the state at each row",
            ),
            Self::StartsElsewhere => f.write_str(
                "the histories start from another attitude than the case; what comes after is not compared with its motion",
            ),
            Self::TooFewRows => f.write_str("too few rows within the case's span to compare"),
            Self::MotionLost => f.write_str("the case's own motion could not be followed"),
            Self::ComparedUntil(t) => write!(
                f,
                "compared until t = {} only: after that the two finest histories are more than half a radian apart; \
                 give finer steps for more",
                number(*t)
            ),
            Self::TwoHistories(off) => write!(
                f,
                "two histories, the finer {off:.1e} rad off the case's motion, may converge to it or near it: give \
                 three steps or more"
            ),
            Self::OneHistory => f.write_str(
                "one history alone does not tell an error of the step from another motion: give several steps",
            ),
            Self::FewCommonTimes => f.write_str(
                "the histories have too few times in common to be compared with each other: write the rows of all steps at the \
                 same times",
            ),
            Self::AllTheSame => {
                f.write_str("the histories are all the same: the step has no effect")
            }
            Self::Floor(off) => write!(
                f,
                "the histories follow the case's motion to {off:.1e} rad and come no nearer with the step: a tolerance, \
                 single precision, printed digits, or a number of the problem slightly off"
            ),
            Self::AnotherLimit([apart, off]) => write!(
                f,
                "the histories agree with each other to {apart:.1e} rad, and are {off:.1e} rad off the case's motion"
            ),
            Self::TwoDoNotTell => f.write_str(
                "two histories do not show whether they converge: give three steps or more",
            ),
            Self::UnknownRule => f.write_str(
                "no rule that is known, right or wrong, makes these steps: their order is judged, and what they do is not known; a \
                 solver that can be run (`--solver`) is asked for steps that tell it",
            ),
            Self::UnknownCause => f.write_str(
                "no law, rule or habit that is known gives these rows: the cause is not known; a solver that can be run \
                 (`--solver`) is asked for steps that tell which term it is",
            ),
            Self::NoConvergence(order) => write!(
                f,
                "the histories do not converge to anything yet (order {order:.2} towards each other): give finer steps"
            ),
        }
    }
}
