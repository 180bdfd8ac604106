//! Things to know of a solver or its histories that are no defects, as data; `text` words them.

use super::Claim;
use super::cadence::Cadence;
use super::floor::SinglePart;
use super::probes::Growing;
use super::row_symptoms::LateTorque;
use super::times::Combination;
use topsim_protocol::problem::OnlyStep;

/// Something to know that is no defect.
#[derive(Debug, Clone)]
pub(crate) enum Note {
    /// Numbers of single precision, and how far they scatter.
    Single(SinglePart, f64),
    /// Rows with few digits, relative.
    FewDigits(f64),
    /// A step below which errors grow in single precision.
    Grows(Growing),
    /// Rows between steps of the solver's own, where the way in which they are made is a choice.
    RowsBetween(Cadence),
    /// Steps of the solver's own, s.
    OwnSteps(f64),
    /// The only step that the problems were posed with.
    OnlyStep(OnlyStep),
    /// Right equations, but for so much that follows no law.
    Tolerance(f64),
    /// A first step that differs from the later ones by so much, by no rule that is known.
    FirstStepUnlike(f64),
    /// A scheme of first order that may be a choice.
    FirstOrder(Combination),
    /// A torque of another time, by choice or by no rule that is known.
    LateTorque(LateTorque),
    /// Steps that the torque of the case makes wrong by another part at each length.
    WrongWithTorque,
    /// Steps with the torque of the case that are off at all lengths, as those of this right scheme are.
    RightSchemesLost(&'static str),
    /// A defect that other problems show: its evidence.
    Evidence(Claim),
    /// A defect that only problems with another torque show.
    WithOtherTorque(Claim),
    /// Steps that could not be measured, and the reason.
    NotMeasured(String),
    /// Histories that start from another attitude than the case.
    StartsElsewhere,
    /// Histories all of whose rows are one state, which is not that of the start.
    OneState,
    /// Too few rows within the case's span.
    TooFewRows,
    /// A motion of the case that could not be followed.
    MotionLost,
    /// Histories that were compared until this time, s.
    ComparedUntil(f64),
    /// Two histories, the finer so far off the case's motion, rad.
    TwoHistories(f64),
    /// One history alone.
    OneHistory,
    /// Histories with too few times in common.
    FewCommonTimes,
    /// Histories that are all the same.
    AllTheSame,
    /// Histories that follow the case's motion to this, rad, and come no nearer.
    Floor(f64),
    /// Histories this near to each other, and this far off the case's motion, rad.
    AnotherLimit([f64; 2]),
    /// Two histories that do not show whether they converge.
    TwoDoNotTell,
    /// Histories that follow the right equations by steps of no rule that is known.
    UnknownRule,
    /// Rows that no law, rule or habit explains that is known.
    UnknownCause,
    /// Histories that do not converge: their order towards each other.
    NoConvergence(f64),
}
