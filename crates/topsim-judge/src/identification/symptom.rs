//! What identification finds, as data; `words` says it.

use super::cadence::{Cadence, ClockPart};
use super::design::{Group, RUN};
use super::experiment::{Load, Start};
use super::fit::{FittedLaw, Selection};
use super::report::Convention;
use super::scheme::{Restoration, SchemeFlaw};
use super::times::Combination;
use crate::defect::model::Values;
use crate::defect::{Defect, ModelDefect, ReportingDefect, SchemeDefect};
use topsim_core::math::Mat3;

/// How sure a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Certainty {
    /// It explains what was measured to its floor, and nothing else does.
    Is,
    /// It explains most of it, or something else explains as much.
    LooksLike,
    /// What is known is said; no law or scheme that was tried explains it.
    Unexplained,
}

/// Bodies on which a law may hold by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bodies {
    WithoutGravity,
    UnderGravity,
}

impl Bodies {
    pub const ALL: [Self; 2] = [Self::WithoutGravity, Self::UnderGravity];

    pub fn have(self, group: Group) -> bool {
        let gravity = matches!(group, Group::Rest | Group::Gravity);
        gravity == (self == Self::UnderGravity)
    }
    pub fn have_load(self, load: &Load) -> bool {
        matches!(load, Load::Gravity { .. }) == (self == Self::UnderGravity)
    }
}

/// Something that is wrong, with what was measured.
#[derive(Debug, Clone)]
pub(crate) enum Symptom {
    /// Rows are written in another convention.
    Report(ReportingDefect, Convention),
    /// Row 0 has another rate than the given one, and the equations are right.
    AnotherStart,
    /// Rows, or their rates, are those of a step before.
    Late(ReportingDefect),
    /// Another time than the step.
    Cadence(ClockPart, Cadence),
    /// Something is done once a step.
    PerStep(Box<Selection>, f64),
    /// Another law of motion.
    Law {
        defect: ModelDefect,
        fitted: Vec<FittedLaw>,
        selection: Box<Selection>,
        /// Part of the defects of other bodies that the law leaves, where it was tried.
        elsewhere: Option<f64>,
        /// The body whose inertia, lever and vertical were fitted.
        base: Box<Start>,
        /// On what bodies it holds, where it does not on all.
        on: Option<Bodies>,
    },
    /// Another law of motion that is outside the family: relative differences of rate and acceleration by group.
    UnknownLaw(Vec<(Group, [f64; 2])>),
    /// A first step unlike the later ones: parts of W' that are missing in attitude and rate.
    Start(Defect, [f64; 2]),
    /// First order, by terms at times that cannot have been meant.
    Times(SchemeDefect, Combination),
    /// The attitude's update is of first order on a sphere; relative size.
    AttitudeUpdate(f64),
    /// Rates are cut off above this, rad/s.
    RateLimit(super::probes::RateLimit),
    /// The largest slow rate that is set to zero and the smallest that is not, rad/s.
    Sleep([f64; 2]),
    /// The attitude jumps at half a turn, rad.
    HalfTurn(f64),
    /// Quaternions are not normalised: |q| − 1 at the end of a run, coarse to fine.
    Normalisation([f64; 3]),
    /// The torque has seven digits.
    TorqueInSingle,
    /// Errors grow as the step falls, rad.
    StateInSingle([f64; 3]),
    /// What of the scheme cannot have been meant.
    Flaw(SchemeFlaw),
}

/// The same law from another rate than the given one: the right momentum of a wrongly turned inertia.
pub(crate) fn from_another_rate(defect: ModelDefect) -> ModelDefect {
    match defect {
        ModelDefect::InertiaNotTurned => ModelDefect::InertiaNotTurnedStart,
        ModelDefect::InertiaTurnedBack => ModelDefect::InertiaTurnedBackStart,
        other => other,
    }
}

impl Symptom {
    pub fn defect(&self) -> Defect {
        match self {
            Self::Report(d, _) => (*d).into(),
            Self::Late(d) => (*d).into(),
            Self::AnotherStart => ModelDefect::AnotherStart.into(),
            Self::Cadence(_, Cadence::Fixed(_)) => SchemeDefect::FixedStep.into(),
            Self::Cadence(_, Cadence::AtMost(_)) => SchemeDefect::StepLimit.into(),
            Self::Cadence(_, Cadence::Multiple(_)) => SchemeDefect::StepRounded.into(),
            Self::Cadence(_, Cadence::TurnAtMost(_)) => SchemeDefect::TurnLimit.into(),
            Self::Cadence(_, Cadence::TurnAbove(_)) => SchemeDefect::SmallTurnsLost.into(),
            Self::PerStep(..) => SchemeDefect::PerStep.into(),
            Self::Law { defect, .. } => (*defect).into(),
            Self::UnknownLaw(_) => ModelDefect::Unexplained.into(),
            Self::Start(d, _) => *d,
            Self::Times(d, _) => (*d).into(),
            Self::AttitudeUpdate(_) => SchemeDefect::AttitudeUpdate.into(),
            Self::RateLimit(_) => SchemeDefect::RateLimit.into(),
            Self::Sleep(_) => SchemeDefect::Sleep.into(),
            Self::HalfTurn(_) => SchemeDefect::HalfTurn.into(),
            Self::Normalisation(_) => SchemeDefect::NormalisationMissing.into(),
            Self::TorqueInSingle => SchemeDefect::TorqueInSingle.into(),
            Self::StateInSingle(_) => SchemeDefect::StateInSingle.into(),
            Self::Flaw(flaw) => match flaw {
                SchemeFlaw::TableauEntry { .. }
                | SchemeFlaw::TableauMoved { .. }
                | SchemeFlaw::TableauOrder { .. } => SchemeDefect::RuleChanged,
                SchemeFlaw::StaleTorque { .. } => SchemeDefect::StaleTerm,
                SchemeFlaw::OrderLost { .. } => SchemeDefect::OrderLost,
                SchemeFlaw::ZeroHistory { .. } => SchemeDefect::MultistepStart,
                SchemeFlaw::StartAcceleration => SchemeDefect::StartAcceleration,
                SchemeFlaw::Restored(Restoration::Momentum) => SchemeDefect::MomentumClamp,
                SchemeFlaw::Restored(Restoration::Energy) => SchemeDefect::EnergyRestored,
                SchemeFlaw::TorqueTime { .. } => SchemeDefect::TorqueTime,
                SchemeFlaw::TruncatedTurn => SchemeDefect::AttitudeUpdate,
                SchemeFlaw::AxesOfSpace { .. } => SchemeDefect::AxesOfSpace,
            }
            .into(),
        }
    }

    pub fn certainty(&self) -> Certainty {
        match self {
            Self::Law {
                defect,
                selection,
                elsewhere,
                ..
            } => {
                let predicted = elsewhere.is_none_or(|left| left < 0.02);
                // Exact numbers of several blocks are not in doubt because others come as near.
                let exact = defect.row().laws.iter().any(|law| law.len() > 1);
                if (selection.rivals.is_empty() || exact) && predicted && !selection.rough {
                    Certainty::Is
                } else {
                    Certainty::LooksLike
                }
            }
            Self::PerStep(s, _) if !s.accepted => Certainty::Unexplained,
            Self::UnknownLaw(_) | Self::AttitudeUpdate(_) => Certainty::Unexplained,
            Self::Times(_, c) if c.left > 0.02 => Certainty::Unexplained,
            // As old as the run: it may not change at all.
            Self::Times(SchemeDefect::StaleTerm, c) if c.earliest() < 1.6 - RUN as f64 => {
                Certainty::LooksLike
            }
            _ => Certainty::Is,
        }
    }
}

/// Numbers agree with a pattern within this, or within what the fit leaves.
const PATTERN: f64 = 2e-4;

impl Values {
    fn matches(self, fitted: &FittedLaw, inertia: &Mat3, slack: f64) -> bool {
        let near = |x: f64, y: f64| (x - y).abs() <= slack * y.abs().max(1.0);
        match (self, &fitted.values[..]) {
            (Self::Any, _) => true,
            (Self::Positive, [x]) => *x > 0.0,
            (Self::Negative, [x]) => *x < 0.0,
            (Self::Of(y), [x]) => near(*x, y),
            (Self::Each(y), x) => x.iter().zip(y).all(|(x, y)| near(*x, y)),
            // What is added to xx, yy, zz, xy, xz and yz; a multiple of the identity is not seen by all.
            (Self::Products(c), [xx, yy, zz, xy, xz, yz]) => {
                let j = inertia;
                let mean = (xx + yy + zz) / 3.0;
                let scale = slack * j.norm();
                let diagonal = [xx, yy, zz].iter().all(|x| (*x - mean).abs() <= scale)
                    && mean.abs() <= 10.0 * scale.max(1e-3);
                let off = [(*xy, j[(0, 1)]), (*xz, j[(0, 2)]), (*yz, j[(1, 2)])];
                diagonal && off.iter().all(|(x, y)| (x - (c - 1.0) * y).abs() <= scale)
            }
            _ => false,
        }
    }
}

/// The defect that a block is, whatever its numbers.
pub(crate) fn of_block(block: super::law::Block) -> Option<ModelDefect> {
    let is = |law: &[(super::law::Block, Values)]| matches!(law, [(b, v)] if *b == block && matches!(v, Values::Any | Values::Positive | Values::Of(_)));
    ModelDefect::all().find(|d| d.row().laws.iter().any(|law| is(law)))
}

/// The defects whose rows are these numbers: one for all together where a row says so, or one for each block.
pub(crate) fn named(selection: &Selection, inertia: &Mat3) -> Vec<(ModelDefect, Vec<FittedLaw>)> {
    let slack = PATTERN.max(5.0 * selection.residual / selection.defect.max(1e-300));
    let rows = || {
        ModelDefect::all()
            .flat_map(|d| d.row().laws.iter().map(move |law| (d, *law)))
            .filter(|(_, law)| !law.is_empty())
    };
    let is = |law: &[(super::law::Block, Values)], fitted: &[FittedLaw]| {
        law.len() == fitted.len()
            && law.iter().all(|(block, values)| {
                fitted
                    .iter()
                    .any(|f| f.block == *block && values.matches(f, inertia, slack))
            })
    };
    // What is said by exact numbers comes before what any number is.
    let vague = |law: &[(super::law::Block, Values)]| law.iter().any(|(_, v)| *v == Values::Any);
    let find = |fitted: &[FittedLaw]| {
        let exact = rows().find(|(_, law)| !vague(law) && is(law, fitted));
        let any = || rows().find(|(_, law)| is(law, fitted));
        exact.or_else(any).map(|(d, _)| d)
    };
    // What is said by exact numbers of several blocks is not in doubt because others come as near.
    if let Some(defect) = find(&selection.blocks) {
        return vec![(defect, selection.blocks.clone())];
    }
    let each = selection.blocks.iter().map(|f| {
        let alone = vec![f.clone()];
        (find(&alone).unwrap_or(ModelDefect::Unexplained), alone)
    });
    each.collect()
}
