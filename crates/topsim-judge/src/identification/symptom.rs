//! Symptoms that identification and diagnosis find, as data; `text` words them.

use super::ClaimScope;
use super::between::Between;
use super::cadence::{Cadence, ClockPart};
use super::charts::Chart;
use super::design::{Group, RUN};
use super::experiment::{Load, Start};
use super::fit::Selection;
use super::floor::SinglePart;
use super::law;
use super::probes::Growing;
use super::row_symptoms::{ActingTorque, GivenRows, LateTorque, LawOfRows};
use super::scheme::{LostPart, Restoration, SchemeFlaw};
use super::times::Combination;
use super::torque_habit::{ActingHabit, TorqueHabit};
use crate::history;
use crate::thresholds::{BEYOND_CHANCE, DEFECT, EXPLAINED, FOUR_DIGITS, TENTH};
use topsim_core::math::Mat3;
use topsim_model::convention::Convention;
use topsim_model::defect::{Defect, ModelDefect, ReportingDefect, SchemeDefect};
use topsim_model::habit::Factor;
use topsim_model::remembering::Remembering;
use topsim_model::{Change, Walk};

/// Numbers of a symmetric tensor.
const TENSOR: usize = 6;

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

/// Histories of a lower order than the steps of which they are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OrderBelow {
    /// Slopes of the errors of the histories, of the last two pairs.
    pub slopes: [f64; 2],
    /// Order of the steps at least.
    pub steps: usize,
}

/// Something that is wrong, with what was measured.
#[derive(Debug, Clone)]
pub(crate) enum Symptom {
    /// Rows are written in another convention.
    Report(ReportingDefect, Convention),
    /// All rows of each run are the same, and are not the start.
    SameRows,
    /// The steps go on from a start in this form, where it has one, and the equations are right; row 0 is as given, or shows it.
    AnotherStart {
        form: Option<Box<Convention>>,
        shown: bool,
    },
    /// The torque of each step is added to those of the steps before; the part that this leaves.
    NotCleared(f64),
    /// The rates at the start are rounded to multiples of this, rad/s.
    StartRounded(f64),
    /// The torque acts by this factor, 1/s, times the step.
    TorqueOfStep(f64),
    /// Attitudes follow the right equations and rates do not, by this part of the acceleration.
    Rates(f64),
    /// Rows, or their rates, are those of a step before.
    Late(ReportingDefect),
    /// Another time than the step.
    Cadence(ClockPart, Cadence),
    /// So many steps are made as one, with such rows between.
    StepsAsOne(Between, usize),
    /// Something is done once a step.
    PerStep(Box<Selection>, f64),
    /// Another law of motion.
    Law {
        defect: ModelDefect,
        fitted: Vec<Change>,
        selection: Box<Selection>,
        /// Part of the defects of other bodies that the law leaves, where it was tried.
        elsewhere: Option<f64>,
        /// The body whose inertia, lever and vertical were fitted.
        base: Box<Start>,
        /// On what bodies it holds, where it does not on all.
        on: Option<Bodies>,
    },
    /// Kinematics of a chart, and the part of the differences that they leave.
    Chart(Chart, f64),
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
    /// Slow bodies are stopped, or slowed.
    Sleep(super::probes::Slowed),
    /// The largest slow rate without a gyroscopic term and the smallest that has one, rad/s.
    SlowGyroscopic([f64; 2]),
    /// So many of the same steps end elsewhere where the rows between are not asked for, by this part of the turn.
    RowsMatter(f64, usize),
    /// All bodies stop between these times, s.
    StopsAfter([f64; 2]),
    /// The turns of all steps are whole numbers of this angle, rad.
    TurnRounded(f64),
    /// The attitude jumps at half a turn, rad.
    HalfTurn(f64),
    /// Quaternions are not normalised: |q| − 1 at the end of a run, coarse to fine.
    Normalisation([f64; 3]),
    /// The torque acts late or coarsely, or as the start of a run has it.
    TorqueHabit(ActingHabit),
    /// The torque has seven digits: its scatter, relative.
    TorqueInSingle(f64),
    /// Errors grow as the step falls.
    StateInSingle(Growing),
    /// Errors grow as the step falls, and neighbouring starts do not scatter.
    LooseIteration(Growing),
    /// Rows of a problem differ by this much, relative, where another problem was solved before it.
    RemembersProblems(f64),
    /// The same problem has rows that differ by this much, relative, each time.
    Scatters(f64),
    /// All bodies have the inertia of the first one that was posed.
    InertiaOfFirst,
    /// Numbers that are rounded more coarsely than to single precision, or come from a table, and their scatter.
    Coarse(SinglePart, f64),
    /// Part of its rate that a free sphere gains in each step.
    BiasedRounding(f64),
    /// Histories are of a lower order than the steps.
    OrderBelow(OrderBelow),
    /// What of the scheme cannot have been meant.
    Flaw(SchemeFlaw),
    /// The first row of each history is the initial state, at times so long after the start, s.
    LateStart(Vec<f64>),
    /// The second row of each history repeats the first, and each later one is that of a step before.
    RepeatedStart,
    /// Row 0 is so far off, rad, and agrees in other forms.
    StartForm(f64, Vec<history::Convention>),
    /// In another form the finest history comes this near to the motion, and is this far away as it is written, rad.
    HiddenForm {
        defect: ReportingDefect,
        name: String,
        near: f64,
        off: f64,
    },
    /// In another form rows follow each other up to this part.
    RowsFollow(ReportingDefect, f64),
    /// Rates are off by so much as they are written, and by so much in another form, rad/s.
    ReadRates(ReportingDefect, [f64; 2]),
    /// Rates are those of so many steps before their row's time: that leaves a part, and attitudes are right to an angle, rad.
    LateRates { late: f64, left: f64, off: f64 },
    /// Attitudes are those of so many steps before their row's time, and that leaves a part.
    LateRows { late: f64, left: f64 },
    /// Rows of a run are those of so many steps after their own times, the first apart, by turns; and that leaves a part.
    UnevenRows { after: [f64; RUN], left: f64 },
    /// Attitudes are so far off a rotation, at a time, s.
    NoRotations { size: f64, time: f64 },
    /// From their own row 0, which has another rate, rad/s, histories follow the right equations, rad.
    StartOfOwn {
        near: f64,
        rate: f64,
        forms: Vec<history::Convention>,
    },
    /// Rows are those of a rule that puts |J W| back.
    MomentumClamp,
    /// Rows follow another law.
    LawOfRows(Box<LawOfRows>),
    /// The rate is multiplied by a factor in each step, on this body.
    Factor(Factor, GivenRows, Box<Start>),
    /// Whole runs are those of a rule with a memory that cannot have been meant: rows that it gives, of those that tell something.
    Memory(Box<Remembering>, [usize; 2]),
    /// Some steps follow another rule, on this body.
    Walk(Box<Walk>, Box<Start>),
    /// The torque of a case is another one, by this part.
    CaseTorque(f64, ActingTorque),
    /// That torque is taken at another time.
    LateTorque(LateTorque),
    /// Finding on a given rate: a name, where it says more than that of the defect, and what was measured.
    GivenRate {
        defect: Defect,
        name: Option<String>,
        evidence: String,
    },
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
            Self::Report(d, _)
            | Self::HiddenForm { defect: d, .. }
            | Self::RowsFollow(d, _)
            | Self::ReadRates(d, _) => (*d).into(),
            // There is one form at least.
            Self::StartForm(_, forms) => {
                let first = forms.first().map(|f| f.defect);
                first.unwrap_or(ReportingDefect::Transposed).into()
            }
            Self::LateStart(_)
            | Self::RepeatedStart
            | Self::LateRows { .. }
            | Self::UnevenRows { .. } => ReportingDefect::TimeStamps.into(),
            Self::LateRates { late, .. } if late.abs() == 0.5 => {
                ReportingDefect::RateHalfStep.into()
            }
            Self::LateRates { .. } => ReportingDefect::RateWholeStep.into(),
            Self::StartOfOwn { .. } => ModelDefect::AnotherStart.into(),
            Self::MomentumClamp => SchemeDefect::MomentumClamp.into(),
            Self::LawOfRows(rows) => rows.defect.into(),
            Self::Factor(factor, ..) => match factor.law() {
                None => SchemeDefect::PerStep.into(),
                Some(law) => law.term.defect().unwrap_or(ModelDefect::Unexplained).into(),
            },
            Self::Memory(rule, _) => rule.defect().unwrap_or(SchemeDefect::RuleChanged.into()),
            Self::Walk(walk, _) => walk.defect(),
            Self::CaseTorque(..) => ModelDefect::CaseTorque.into(),
            Self::LateTorque(late) => late.defect().into(),
            Self::GivenRate { defect, .. } => *defect,
            Self::Late(d) => (*d).into(),
            Self::SameRows => ReportingDefect::SameRows.into(),
            Self::AnotherStart { .. } | Self::StartRounded(_) => ModelDefect::AnotherStart.into(),
            Self::NotCleared(_) => SchemeDefect::TorqueNotCleared.into(),
            Self::TorqueOfStep(_) => SchemeDefect::StepTwice.into(),
            Self::Rates(_) => ReportingDefect::Rates.into(),
            Self::Cadence(_, Cadence::Fixed(_)) => SchemeDefect::FixedStep.into(),
            Self::Cadence(_, Cadence::AtMost(_) | Cadence::AtLeast(_)) => {
                SchemeDefect::StepLimit.into()
            }
            Self::Cadence(_, Cadence::Multiple(_) | Cadence::MultipleFrom(_)) => {
                SchemeDefect::StepRounded.into()
            }
            Self::Cadence(_, Cadence::Between(Between::Held, _)) => {
                SchemeDefect::StepCarried.into()
            }
            Self::Cadence(_, Cadence::Between(..)) => ReportingDefect::Interpolated.into(),
            Self::Cadence(_, Cadence::TurnAtMost(_)) => SchemeDefect::TurnLimit.into(),
            Self::Cadence(_, Cadence::TurnAbove(_)) => SchemeDefect::SmallTurnsLost.into(),
            Self::StepsAsOne(Between::Held, _) => SchemeDefect::StepCarried.into(),
            Self::StepsAsOne(..) => ReportingDefect::Interpolated.into(),
            Self::PerStep(..) => SchemeDefect::PerStep.into(),
            Self::Law { defect, .. } => (*defect).into(),
            Self::Chart(Chart::AngleRates(..), _) => ModelDefect::EulerRates.into(),
            Self::Chart(Chart::Quaternion { .. } | Chart::Angles { .. }, _) => {
                ModelDefect::Kinematics.into()
            }
            Self::UnknownLaw(_) => ModelDefect::Unexplained.into(),
            Self::Start(d, _) => *d,
            Self::Times(d, _) => (*d).into(),
            Self::AttitudeUpdate(_) => SchemeDefect::AttitudeUpdate.into(),
            Self::RateLimit(_) => SchemeDefect::RateLimit.into(),
            Self::Sleep(_) => SchemeDefect::Sleep.into(),
            Self::SlowGyroscopic(_) => ModelDefect::GyroscopicMissing.into(),
            Self::RowsMatter(..) => SchemeDefect::RowsMatter.into(),
            Self::StopsAfter(_) => SchemeDefect::FromTime.into(),
            Self::TurnRounded(_) => SchemeDefect::TurnRounded.into(),
            Self::HalfTurn(_) => SchemeDefect::HalfTurn.into(),
            Self::Normalisation(_) | Self::NoRotations { .. } => {
                SchemeDefect::NormalisationMissing.into()
            }
            Self::TorqueHabit(acts) => match acts.habit {
                TorqueHabit::DeadBand { .. } | TorqueHabit::Rounded { .. } => {
                    ModelDefect::TorqueRounded.into()
                }
                TorqueHabit::Switched { .. } => ModelDefect::FromTime.into(),
                TorqueHabit::Spring => ModelDefect::Spring.into(),
                TorqueHabit::EnergyDriven => ModelDefect::EnergyDriven.into(),
                TorqueHabit::InertiaGrows { .. } => ModelDefect::InertiaGrows.into(),
                _ => ModelDefect::TorqueLate.into(),
            },
            Self::TorqueInSingle(_) => SchemeDefect::TorqueInSingle.into(),
            Self::StateInSingle(_) | Self::Coarse(..) => SchemeDefect::StateInSingle.into(),
            Self::LooseIteration(_) => SchemeDefect::LooseIteration.into(),
            Self::RemembersProblems(_) | Self::InertiaOfFirst => {
                SchemeDefect::RemembersProblems.into()
            }
            Self::Scatters(_) => SchemeDefect::Scatters.into(),
            Self::OrderBelow(_) => SchemeDefect::OrderLost.into(),
            Self::BiasedRounding(_) => SchemeDefect::BiasedRounding.into(),
            Self::Flaw(SchemeFlaw::StartTorque { of_rows: true, .. }) => {
                ReportingDefect::RateHalfStep.into()
            }
            Self::Flaw(flaw) => match flaw {
                SchemeFlaw::Edited { .. }
                | SchemeFlaw::WrongChart { .. }
                | SchemeFlaw::SlopeWeights(_)
                | SchemeFlaw::Composition(_)
                | SchemeFlaw::Jacobian(_)
                | SchemeFlaw::TableauOrder { .. } => SchemeDefect::RuleChanged,
                SchemeFlaw::StaleTorque { .. } => SchemeDefect::StaleTerm,
                SchemeFlaw::OrderLost { .. }
                | SchemeFlaw::OrderLostByTorque
                | SchemeFlaw::TurnLost(_)
                | SchemeFlaw::OffCentre(_) => SchemeDefect::OrderLost,
                SchemeFlaw::RateInPlace => SchemeDefect::InPlace,
                // No rule of several steps makes a first step that is shorter than the others.
                SchemeFlaw::ZeroHistory { length } if *length < 1.0 => SchemeDefect::Once,
                SchemeFlaw::ZeroHistory { .. } | SchemeFlaw::StartTorque { .. } => {
                    SchemeDefect::MultistepStart
                }
                SchemeFlaw::StartAcceleration => SchemeDefect::StartAcceleration,
                SchemeFlaw::Restored(Restoration::Momentum) => SchemeDefect::MomentumClamp,
                SchemeFlaw::Restored(Restoration::Energy) => SchemeDefect::EnergyRestored,
                SchemeFlaw::TorqueTime { .. } | SchemeFlaw::TorqueClock(_) => {
                    SchemeDefect::TorqueTime
                }
                SchemeFlaw::TruncatedTurn
                | SchemeFlaw::TurnSlip(_)
                | SchemeFlaw::Angles(_)
                | SchemeFlaw::SmallTurns { .. } => SchemeDefect::AttitudeUpdate,
                SchemeFlaw::ConingSign => SchemeDefect::ConingTerm,
                SchemeFlaw::AxesOfSpace { .. } => SchemeDefect::AxesOfSpace,
            }
            .into(),
        }
    }

    /// Returns true if it is a choice: rows on a cubic between steps are as good as the steps of most rules.
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::Cadence(_, Cadence::Between(Between::Cubic, _)))
    }

    /// Returns the clock of the solver, if this symptom is a wrong one.
    pub fn clock(&self) -> Option<(ClockPart, Cadence)> {
        match self {
            Self::Cadence(part, cadence) => Some((*part, *cadence)),
            _ => None,
        }
    }

    /// Returns the bodies on which it acts.
    pub fn scope(&self) -> ClaimScope {
        let of_torque = |flaw: &SchemeFlaw| {
            let torque = LostPart::Torque;
            matches!(
                flaw,
                SchemeFlaw::StaleTorque { .. }
                    | SchemeFlaw::OrderLostByTorque
                    | SchemeFlaw::StartTorque { .. }
                    | SchemeFlaw::TorqueTime { .. }
                    | SchemeFlaw::TorqueClock(_)
            ) || matches!(flaw, SchemeFlaw::OrderLost { part, .. } if *part == torque)
        };
        let right = |table: &[(Group, [f64; 2])], of: &[Group]| {
            let mut of = table.iter().filter(|(group, _)| of.contains(group));
            of.all(|(_, off)| off.iter().all(|x| *x <= DEFECT))
        };
        let pushed = |table: &[(Group, [f64; 2])]| table.iter().any(|(g, _)| *g == Group::Push);
        match self {
            // A law that holds on some bodies alone is right on the others.
            Self::Law {
                selection,
                on: None,
                ..
            } => ClaimScope::OfLaw(Box::new(selection.law.clone())),
            Self::Law {
                on: Some(Bodies::UnderGravity),
                ..
            } => ClaimScope::UnderGravity,
            Self::TorqueInSingle(_) | Self::NotCleared(_) | Self::TorqueOfStep(_) => {
                ClaimScope::WithTorque
            }
            Self::TorqueHabit(acts) if acts.habit.needs_torque() => ClaimScope::WithTorque,
            Self::Memory(rule, _) if rule.needs_torque() => ClaimScope::WithTorque,
            Self::UnknownLaw(table) if right(table, &[Group::Sphere, Group::Free]) => {
                match pushed(table) && right(table, &[Group::Push]) {
                    true => ClaimScope::UnderGravity,
                    false => ClaimScope::WithTorque,
                }
            }
            Self::Flaw(flaw) if of_torque(flaw) => ClaimScope::WithTorque,
            _ => ClaimScope::All,
        }
    }

    /// Returns true if it is a law with this inertia for the given one.
    pub fn has_inertia(&self, tensor: &Mat3) -> bool {
        let Self::Law { fitted, base, .. } = self else {
            return false;
        };
        let is = |f: &Change| match f.added.len() {
            TENSOR => {
                let off = base.inertia.tensor() + law::symmetric(&f.added) - tensor;
                off.norm() < FOUR_DIGITS * tensor.norm()
            }
            _ => false,
        };
        fitted.iter().any(is)
    }

    /// Returns true if it may be one of a torque alone that acts late or coarsely.
    pub fn may_be_of_torque(&self) -> bool {
        match self {
            Self::PerStep(..) | Self::Start(..) => true,
            Self::Times(defect, _) => *defect == SchemeDefect::StaleTerm,
            Self::Flaw(flaw) => matches!(flaw, SchemeFlaw::StaleTorque { .. }),
            Self::UnknownLaw(_) => !matches!(self.scope(), ClaimScope::All),
            _ => false,
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
                let predicted = elsewhere.is_none_or(|left| left < EXPLAINED);
                // Exact numbers of several terms are not in doubt because others come as near.
                let exact = defect.has_several_terms();
                // Terms of one defect are no doubt of it.
                let mut rivals = selection.rivals.iter();
                let alone = rivals.all(|term| term.defect() == Some(*defect));
                if (alone || exact) && predicted && !selection.rough {
                    Certainty::Is
                } else {
                    Certainty::LooksLike
                }
            }
            Self::PerStep(s, _) if !s.accepted => Certainty::Unexplained,
            Self::LooseIteration(_) => Certainty::LooksLike,
            // A condition without an action that is simulated parts the rows and explains none.
            Self::Walk(walk, _) => match (&walk.action, walk.conditions.len()) {
                (None, _) => Certainty::Unexplained,
                (Some(_), 1) => Certainty::Is,
                (Some(_), _) => Certainty::LooksLike,
            },
            Self::UnknownLaw(_)
            | Self::AttitudeUpdate(_)
            | Self::OrderBelow(_)
            | Self::Flaw(SchemeFlaw::TurnLost(_)) => Certainty::Unexplained,
            Self::Times(_, c) if c.left > EXPLAINED => Certainty::Unexplained,
            // As old as the run: it may not change at all. What a solver keeps from a step before is a whole number of steps old.
            Self::Times(SchemeDefect::StaleTerm, c) => {
                let steps = c.earliest() + 0.5;
                let whole = (steps - steps.round()).abs() < TENTH;
                if steps - (2.0 - RUN as f64) < TENTH || !whole {
                    Certainty::LooksLike
                } else {
                    Certainty::Is
                }
            }
            _ => Certainty::Is,
        }
    }
}

/// The defects whose rows are these numbers: one for all together where a row says so, or one for each term.
pub(crate) fn named(selection: &Selection, inertia: &Mat3) -> Vec<(ModelDefect, Vec<Change>)> {
    let left = selection.residual() / selection.defect.max(1e-300);
    let slack = FOUR_DIGITS.max(BEYOND_CHANCE * left);
    let find = |fitted: &[Change]| ModelDefect::of(fitted, inertia, slack);
    if let Some(defect) = find(&selection.terms) {
        return vec![(defect, selection.terms.clone())];
    }
    let each = selection.terms.iter().map(|f| {
        let alone = vec![f.clone()];
        (find(&alone).unwrap_or(ModelDefect::Unexplained), alone)
    });
    each.collect()
}
