//! Names of rules, for people.

use crate::held::{HeldTerm, HoldingRule, Reading, Renewal, TermHold};
use crate::remembering::{Base, Begun, Remembering, SlopeSum, TorqueMemory, TorqueShape};
use crate::stepping::{
    Carrier, FrozenTerm, HalfSteps, Iterated, IteratedRule, Kick, Rule, RungeKutta, Stepping,
    TurnMap, TurnRate, Word, WordKick, WordTurn,
};
use crate::tableau;
use crate::torque_clock::{SingleTime, TorqueClock};
use crate::torque_habit::TorqueHabit;
use crate::words::NEWTON;
use core::fmt;

impl fmt::Display for Stepping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        match self.substeps {
            1 => Ok(()),
            n => write!(f, ", {n} steps of its own in a step"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Euler { kick, rate, map } => {
                write!(f, "{}{}, {}", rate.name(), kick.name(), map.name())
            }
            Self::Slipped { kick, rate, .. } => {
                write!(
                    f,
                    "{}{}, with a turn by a wrong formula",
                    rate.name(),
                    kick.name()
                )
            }
            Self::RungeKutta(rule) => rule.fmt(f),
            Self::HalfSteps(rule) => f.write_str(rule.name()),
            Self::Word(word) => word.fmt(f),
            Self::Iterated(rule) => rule.fmt(f),
            Self::Remembering(rule) => rule.fmt(f),
            Self::Catalogue(row) => f.write_str(row.info.name),
            Self::Flow => f.write_str("the motion itself"),
        }
    }
}

impl TurnRate {
    fn name(self) -> &'static str {
        match self {
            Self::New => "semi-implicit Euler",
            Self::Old => "explicit Euler",
            Self::Mean => "Euler with the mean of the old and the new rate",
            Self::First => "Euler that turns first",
        }
    }
}

impl Kick {
    fn name(self) -> &'static str {
        match self {
            Self::Explicit => "",
            Self::InPlace | Self::InPlaceReversed => {
                " with the components of the rate overwritten in place"
            }
            Self::GyroscopicImplicit => " with a linearly implicit gyroscopic term",
            Self::GyroscopicBy(_) => {
                " with a linearly implicit gyroscopic term by another matrix than its derivative's"
            }
            Self::GyroscopicOfOldMomentum => {
                " with the gyroscopic term of the old momentum and the new rate"
            }
            Self::LinearlyImplicit => " with linearly implicit torques",
            Self::MomentumKept => " that puts |J W| back after an explicit gyroscopic term",
            Self::EnergyKept => " that puts the energy back after an explicit gyroscopic term",
            Self::GyroscopicSolved => " with an implicit gyroscopic term",
            Self::MomentumTurned => " with the momentum turned by the step's rotation",
            Self::SpaceRate => " of the rate in space",
            Self::SpaceMomentum => " of the momentum in space",
        }
    }
}

impl TurnMap {
    fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential of the turn",
            Self::Sum => "sum of quaternions, normalised",
            Self::RawSum => "sum of quaternions, never normalised",
            Self::FromLeft => "exponential of the turn, applied in space",
            Self::Capped => "exponential of a turn of at most π/4",
            Self::Matrix => "sum of matrices, made the nearest rotation",
            Self::Columns => "sum of matrices, made orthogonal column by column",
            Self::Angles => "roll, pitch and yaw between body and space",
            Self::StartAngles => "roll, pitch and yaw from the start",
        }
    }
}

impl fmt::Display for RungeKutta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = match tableau::find(self.tableau.name) {
            Some(named) if named != self.tableau => " with other numbers",
            _ => "",
        };
        let Self {
            tableau,
            carrier,
            held,
        } = self;
        write!(
            f,
            "{}{own} on {}{}",
            tableau.name,
            carrier.name(),
            held.name()
        )
    }
}

impl fmt::Display for Remembering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slopes(sum) => sum.fmt(f),
            Self::Reused { rule, stage } => write!(
                f,
                "{rule}, with the slope of stage {} of the step before for the first",
                stage + 1
            ),
            Self::Torque { memory, rule } => write!(f, "{rule}, with {memory}"),
            Self::Held(hold) => hold.fmt(f),
            Self::Clocked { clock, rule } => {
                write!(f, "{rule}, with a torque read by a clock that {clock}")
            }
            Self::Inertia { momentum } => {
                let kept = if *momentum { "momentum" } else { "rate" };
                write!(
                    f,
                    "semi-implicit Euler of the {kept} in space, with the inertia turned as the step before"
                )
            }
        }
    }
}

impl Remembering {
    /// Returns what is wrong with the rule, where its numbers say more than the name of the defect.
    #[must_use]
    pub fn finding(&self) -> Option<String> {
        let hold = match self {
            Self::Held(hold) => hold,
            Self::Clocked { clock, .. } => {
                return Some(format!("the clock by which the torque is read {clock}"));
            }
            _ => return None,
        };
        let term = hold.term.name();
        Some(format!(
            "{term} is evaluated {} and held in between",
            hold.renewed
        ))
    }
}

impl fmt::Display for TermHold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = match self.reading {
            Reading::Start => "",
            Reading::First => ", as at the start of a step that evaluates it in each stage",
            Reading::Last => ", as at the last stage of a step that evaluates it in each stage",
            Reading::AfterTurn => ", after the turn of the step",
        };
        write!(
            f,
            "{}, with {} evaluated {}{reading} and held in between",
            self.rule,
            self.term.name(),
            self.renewed
        )
    }
}

impl HeldTerm {
    /// Returns the name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Torque => "the torque in the body",
            Self::TorqueInSpace => "the torque in space",
            Self::Gyroscopic => "the gyroscopic term",
            Self::Acceleration => "the acceleration",
        }
    }
}

impl fmt::Display for TorqueClock {
    /// Writes what the clock shows, as the rest of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Six digits are what the steps tell of a time.
        let size = |x: f64| -> f64 { format!("{x:.5e}").parse().unwrap_or(x) };
        match *self {
            Self::Whole { of, nearest, .. } => {
                let which = if nearest {
                    "the nearest"
                } else {
                    "those before"
                };
                write!(f, "shows whole numbers of {} s, {which}", size(of))
            }
            Self::Anew(after) => write!(f, "begins anew after each {} s", size(after)),
            Self::AnewSteps(after) => write!(f, "begins anew after each {after} steps"),
            Self::Behind(by) if by < 0.0 => write!(f, "is ahead by {} s", size(-by)),
            Self::Behind(by) => write!(f, "is behind by {} s", size(by)),
            Self::SinceStart => f.write_str("shows the time since the start of the run"),
            Self::Single { made, .. } => f.write_str(match made {
                SingleTime::Rounded => "is of single precision",
                SingleTime::Summed => "is a sum of steps in single precision",
                SingleTime::Product => {
                    "is the number of the step times its length in single precision"
                }
            }),
            Self::Slips => f.write_str("is a whole step behind in some steps, and right in others"),
        }
    }
}

impl fmt::Display for Renewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(period) => write!(f, "each {period} steps"),
            Self::StepsBefore(period) => {
                write!(f, "each {period} steps, from step {period} on")
            }
            Self::Time(period) => write!(f, "each {period} s"),
            Self::TimeSince(period) => {
                write!(
                    f,
                    "in the first step that begins {period} s after the one before"
                )
            }
        }
    }
}

impl fmt::Display for HoldingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(rule) => rule.fmt(f),
            Self::Kicked(kick, rate, map) => {
                write!(f, "{}{}, {}", rate.name(), kick.name(), map.name())
            }
            Self::Slopes(sum) => sum.fmt(f),
        }
    }
}

impl TorqueHabit {
    /// Returns what acts, as a sentence without its end, with the habit's number in its unit, and in seconds or steps where it is a time.
    #[must_use]
    pub fn sentence(self, size: &str, time: &str) -> String {
        let from_none = |yes: bool| if yes { ", from none at the start" } else { "" };
        match self {
            Self::Delayed { from_none: yes } => {
                format!("the torque is that of {time} before{}", from_none(yes))
            }
            Self::Filtered { from_none: yes } => format!(
                "the torque follows the right one by a filter of first order with the time {time}{}",
                from_none(yes)
            ),
            Self::DeadBand { each } => {
                let what = if each {
                    "each component of the torque"
                } else {
                    "the torque"
                };
                format!("{what} is zero below {size} N m")
            }
            Self::Rounded { nearest } => {
                let to = if nearest {
                    "to the nearest"
                } else {
                    "towards zero to a"
                };
                format!("each component of the torque is rounded {to} whole number of {size} N m")
            }
            Self::Held { nearest } => {
                let which = if nearest {
                    "nearest to it"
                } else {
                    "before it"
                };
                format!("the torque is that of the whole number of {time} {which}")
            }
            Self::Slewed => {
                format!(
                    "each component of the torque changes by no more than {size} N m in a second"
                )
            }
            Self::Switched { on } => {
                let when = if on { "until" } else { "from" };
                format!("no torque acts {when} {time} after the start")
            }
            Self::Ramp => {
                format!("the torque grows from none, in proportion to the time, for {size} s")
            }
            Self::Spring => {
                format!(
                    "a torque of {size} N m for each radian acts towards the attitude of the start"
                )
            }
            Self::EnergyDriven => format!(
                "the energy is driven to that of the start, by the part {size} of what is off in each second"
            ),
            Self::InertiaGrows { gyroscopic } => {
                let what = if gyroscopic {
                    "the inertia"
                } else {
                    "the inertia that divides, and not that of the gyroscopic term,"
                };
                format!("{what} grows by the part {size} of it in each second")
            }
        }
    }
}

impl fmt::Display for TorqueMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before => f.write_str("the torque of the step before"),
            Self::SumInBody => f.write_str("the sum of all torques so far"),
            Self::SumInSpace => f.write_str("the sum of all torques so far in space"),
            Self::Delayed(time) => write!(f, "the torque of {time:.4} s before"),
            Self::Filtered(time) => write!(
                f,
                "the torque behind a filter of {time:.6} s that begins with that of the start"
            ),
            Self::FilteredFromNone(time) => {
                write!(
                    f,
                    "the torque behind a filter of {time:.6} s that begins with none"
                )
            }
            Self::Slewed(most) => write!(
                f,
                "components of the torque that change by no more than {most:.6} N m in a second"
            ),
            Self::Shaped(TorqueShape::DeadBand(size)) => {
                write!(f, "a torque that is zero below {size:.4} N m")
            }
            Self::Shaped(TorqueShape::DeadBandAxes(size)) => {
                write!(
                    f,
                    "components of the torque that are zero below {size:.4} N m"
                )
            }
            Self::Shaped(TorqueShape::Rounded(size)) => {
                write!(
                    f,
                    "components of the torque in whole numbers of {size:.6} N m"
                )
            }
            Self::Shaped(TorqueShape::Truncated(size)) => write!(
                f,
                "components of the torque in whole numbers of {size:.6} N m, those towards zero"
            ),
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Euler(rate, map) => write!(f, "{}, {}", rate.name(), map.name()),
            Self::HalfSteps(rule) => f.write_str(rule.name()),
            Self::RungeKutta(rule) => rule.fmt(f),
        }
    }
}

impl fmt::Display for SlopeSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.slopes();
        if self.is_named() {
            write!(f, "the rule of Adams and Bashforth of order {n}")?;
        } else {
            let weights: Vec<String> = self.weights[..n].iter().map(f64::to_string).collect();
            write!(f, "a sum of slopes with the weights {}", weights.join(", "))?;
        }
        f.write_str(match self.turns {
            true => " on (turn, body rate)",
            false => " on (quaternion, body rate), normalised each step",
        })?;
        let begun = match self.begun {
            Begun::First => "the first slope in the place of those before it",
            Begun::Fewer => "rules of fewer slopes",
            Begun::Zero => "zero in the place of the slopes before it",
            Begun::RungeKutta => "RK4",
            Begun::Heun => "Heun's rule",
        };
        let when = if self.renewed { "at each row" } else { "once" };
        write!(f, ", begun {when} with {begun}")
    }
}

impl Carrier {
    /// Returns the name for people.
    #[must_use]
    pub fn name(self) -> String {
        self.named(self == Self::RawQuaternion)
    }

    /// Returns the name where the attitude is not made a rotation after the step.
    #[must_use]
    pub fn name_of_raw(self) -> String {
        self.named(true)
    }

    fn named(self, raw: bool) -> String {
        let quaternion = |rate: &str, detail: &str| {
            let when = if raw {
                "not normalised each step"
            } else {
                "normalised each step"
            };
            format!("(quaternion, {rate}), {when}{detail}")
        };
        const UNIT: &str = "";
        const OTHER: &str = ", with the matrix of the unnormalised stage";
        const HOMOGENEOUS: &str =
            ", with the matrix of the unnormalised stage (homogeneous formula)";
        let name = match self {
            Self::Quaternion | Self::RawQuaternion => return quaternion("body rate", UNIT),
            Self::QuaternionOneMinus => return quaternion("body rate", OTHER),
            Self::QuaternionHomogeneous => return quaternion("body rate", HOMOGENEOUS),
            Self::SpaceMomentum => return quaternion("space momentum", UNIT),
            Self::SpaceMomentumOneMinus => return quaternion("space momentum", OTHER),
            Self::SpaceRate => return quaternion("space rate", UNIT),
            Self::SpaceRateOneMinus => return quaternion("space rate", OTHER),
            Self::StageQuaternion => "(quaternion, body rate), normalised in each stage",
            Self::RotationVector => "(rotation vector, body rate), Munthe-Kaas",
            Self::RotationVectorNaive => "(rotation vector, body rate) without commutators",
            Self::OneCommutator => "(rotation vector, body rate) with one commutator",
            Self::TwoCommutators => "(rotation vector, body rate) with two commutators",
            Self::ReversedVector => "(rotation vector, body rate), with dexp⁻¹ of the wrong side",
            Self::OneReversedCommutator => {
                "(rotation vector, body rate) with one commutator of the wrong sign"
            }
            Self::TwoReversedCommutators => {
                "(rotation vector, body rate) with two commutators, the first of the wrong sign"
            }
            Self::ForwardVector => "(rotation vector, body rate), with dexp for its inverse",
            Self::DoubledCommutator => {
                "(rotation vector, body rate) with two commutators, the second with 1/6 for 1/12"
            }
            Self::RetractedVector => {
                "(rotation vector, body rate), the step's turn added to the quaternion as one of first order"
            }
            Self::StartMomentum => "(rotation vector, momentum), Munthe-Kaas",
            Self::Products => "products of exponentials (Crouch and Grossman)",
            Self::CommutatorFree => "products of exponentials of sums (commutator-free)",
            Self::Columns | Self::Matrix if raw => "(matrix, body rate), never made orthogonal",
            Self::Columns => "(matrix, body rate), made orthogonal by columns each step",
            Self::Matrix => "(matrix, body rate), made orthogonal each step",
        };
        name.into()
    }
}

impl FrozenTerm {
    /// Returns what follows the name of a rule that holds the term.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Torque => ", with the torque of the start in all stages",
            Self::Gyroscopic => ", with the gyroscopic term of the start in all stages",
        }
    }
}

impl HalfSteps {
    fn name(self) -> &'static str {
        match self {
            Self::Verlet => "half kick, turn, half kick with the old rate",
            Self::KickTurnKick => "half kick, turn, half kick with the new rate",
            Self::TurnKickTurn => "half turn, kick, half turn",
            Self::ImplicitEuler => "implicit Euler on the rotation group",
            Self::Trapezoidal => "the trapezoidal rule on the rotation group",
            Self::NewmarkExplicit => "Newmark's rule with an explicit turn",
            Self::NewmarkMean => "Newmark's rule with the mean acceleration",
            Self::NewmarkLinear => "Newmark's rule with a linear acceleration",
            Self::Midpoint => "the implicit midpoint rule on the rotation group",
            Self::LieNewmark => "implicit half kick, turn, explicit half kick",
        }
    }
}

impl WordKick {
    fn name(self) -> &'static str {
        match self {
            Self::Whole => "torque and gyroscopic term",
            Self::Torque => "torque",
            Self::Gyro => "gyroscopic term",
            Self::GyroNewton => "gyroscopic term by one Newton step",
            Self::GyroImplicit => "implicit gyroscopic term",
            Self::WholeImplicit => "torque and gyroscopic term, implicit in the rate",
            Self::WholeNewton => "torque and gyroscopic term by one Newton step",
            Self::GyroRestored => "gyroscopic term with the momentum's length restored",
            Self::GyroMidpoint => "gyroscopic term by the implicit midpoint rule",
        }
    }
}

impl WordTurn {
    fn name(self) -> String {
        match self {
            Self::By(TurnMap::Exponential) => "exponential map".into(),
            Self::By(TurnMap::Sum) => "Cayley's map".into(),
            Self::By(TurnMap::Columns) => "matrix sum made orthogonal by columns".into(),
            Self::By(map) => map.name().into(),
            Self::Carrying => "exponential map, the momentum carried along".into(),
            Self::Midpoint => "midpoint rule in the momentum".into(),
            Self::Free => "exact free motion".into(),
            Self::MoserVeselov(n) => format!("discrete Moser–Veselov rule of order {n}"),
            Self::Axes => "exact turns about the principal axes".into(),
            Self::LieVerlet => "Lie–Verlet rule".into(),
            Self::SimoWong => "rule of Simo and Wong".into(),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = self.turn.name();
        if self.kick.is_empty() {
            return write!(f, "a turn ({turn})");
        }
        let kicks: Vec<&str> = self.kick.iter().map(|k| k.name()).collect();
        let mut kick = kicks.join(", then ");
        if self.factors != NEWTON {
            let [a, b] = self.factors;
            kick += &format!(" by the matrix J + h ({a:.6} Ŵ J + {b:.6} (J W)^)");
        }
        if self.mirrored && self.kick.len() > 1 {
            kick += ", in reverse order at the end";
        }
        let mut shape: String = match self.composition.name {
            "first" => "a kick, then a turn".into(),
            "adjoint" => "a turn, then a kick".into(),
            "strang" => "half kick, turn, half kick".into(),
            name if self.composition.drifts.len() > 2 => {
                format!("the composition {name} of kicks and turns")
            }
            name => name.into(),
        };
        if let Some(first) = self.first {
            shape += &format!(" whose first step is {first:.8} of a step");
        }
        write!(f, "{shape} (kick: {kick}; turn: {turn})")
    }
}

impl fmt::Display for Iterated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            IteratedRule::Trapezoidal => "trapezoidal rule",
            IteratedRule::Midpoint => "implicit midpoint rule",
            IteratedRule::HalfKicks => "half kicks with an implicit gyroscopic term around a turn",
            IteratedRule::SecondKick => "half kick, turn, half kick with the new rate",
        };
        let rounds = match self.rounds {
            1 => "1 round".into(),
            n => format!("{n} rounds"),
        };
        let begin = if self.predicted {
            "an Euler step"
        } else {
            "the old rate"
        };
        let map = WordTurn::By(self.map).name();
        write!(f, "{rule}, {rounds} of its iteration from {begin}, {map}")
    }
}
