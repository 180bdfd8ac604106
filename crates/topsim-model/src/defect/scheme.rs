//! Defects of schemes: right equations of motion, stepped wrongly.

/// The defects of schemes. Each is one row: its name in Rust with its doc comment, its id, its name for people, and its meaning with
/// the place to look at.
macro_rules! scheme_defects {
    ($($(#[$doc:meta])* $variant:ident $id:literal $name:literal $advice:literal;)*) => {
        /// Defect of how a model is stepped.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum SchemeDefect {
            $($(#[$doc])* $variant,)*
        }

        impl SchemeDefect {
            /// Returns all defects, in the order of the table.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Self::$variant),*].into_iter()
            }
            /// Returns id, name and advice.
            fn row(self) -> [&'static str; 3] {
                match self {
                    $(Self::$variant => [$id, $name, $advice],)*
                }
            }
        }
    };
}

scheme_defects! {
    /// Attitudes are not kept rotations.
    NormalisationMissing "normalisation_missing" "missing normalisation"
        "normalise the quaternion (or make the matrix orthogonal) after each step; topsim did so before it judged the rest";
    /// Something is done once a step, whatever its length.
    PerStep "per_step" "something is done once a step, whatever its length"
        "a factor or an impulse is applied in each step without the step's length: c^h or c h is meant";
    /// The step is hard-coded.
    FixedStep "fixed_step" "a hard-coded step"
        "the step asked for is not the one that is made: look for a constant where the step belongs";
    /// Longer steps are cut off.
    StepLimit "step_limit" "steps longer than a limit are cut off"
        "the solver advances by at most its own longest step, and its clock runs slow: make several steps instead";
    /// Steps are rounded to a whole number of the solver's own.
    StepRounded "step_rounded" "steps are rounded to a whole number of the solver's own"
        "the solver makes whole steps of its own and loses the rest: carry the remainder, or divide the step";
    /// Rows are those of the last of the solver's own steps.
    StepCarried "step_carried" "rows are those of the last of the solver's own steps"
        "the solver makes whole steps of its own and carries the rest of the time over, so that a row is up to a step old: divide the step, or interpolate";
    /// A torque is multiplied by the step twice.
    StepTwice "step_twice" "a torque is multiplied by the step twice"
        "the torque, or what is made of it, has the step as a factor before the rule multiplies it by the step";
    /// The torque is not cleared between steps.
    TorqueNotCleared "torque_not_cleared" "the torque of each step is added to those of the steps before"
        "set the accumulated torque to zero before each step, or after it";
    /// The turn of a step is cut off.
    TurnLimit "turn_limit" "the turn of a step is cut off at an angle"
        "the turn of a step is limited by its angle: remove the limit, or make several steps instead";
    /// Small turns are not made.
    SmallTurnsLost "small_turns_lost" "small turns are lost"
        "below some angle the solver does not turn at all: its guard against small angles is too large, and a series is meant there";
    /// The turn of a step is a whole number of an angle.
    TurnRounded "turn_rounded" "the turn of a step is rounded to a whole number of an angle"
        "look for a table of sines without interpolation, an encoder's counts or a whole number in the place of the angle";
    /// A term is taken at a time before the step.
    StaleTerm "stale_term" "a term of a step before"
        "a torque, an acceleration or an attitude of an earlier step is used: update it before it is read";
    /// Components of the rate are overwritten one after the other.
    InPlace "in_place" "components of the rate are overwritten one after the other"
        "the slope of a component is computed from components that the same step has changed: compute all slopes first";
    /// A term is evaluated in some steps, and held in the steps between.
    TermHeld "term_held" "a term that is evaluated in some steps alone, and held in between"
        "a counter or a timer decides when the term is evaluated: evaluate it in each step, at the state of the step";
    /// The attitude's update is of first order by itself.
    AttitudeUpdate "attitude_update" "an update of the attitude that is of first order by itself"
        "with a constant rate the attitude must be exact, or of second order: look at the increment and how it is made a rotation";
    /// The inertia is turned with another attitude than the rate belongs to.
    InertiaTurnedLate "inertia_turned_late" "the inertia is turned with an attitude of another time than the rate's"
        "Λ J Λᵀ must belong to the time of the rate that it multiplies";
    /// The length of the momentum is put back in each step.
    MomentumClamp "momentum_clamp" "the length of the momentum is put back in each step"
        "|J W| is kept by force, the energy not: a free body is driven to a spin about its intermediate axis, and the motion is of first order";
    /// A conserved energy is put back in each step.
    EnergyRestored "energy_restored" "the energy is put back by force in each step"
        "scaling the rate keeps a number and not the motion";
    /// The first step of a multistep rule has no history.
    MultistepStart "multistep_start" "a multistep rule that is started without a history"
        "begin with a one-step rule of the same order, or with the slope before the start";
    /// The first acceleration is taken as zero.
    StartAcceleration "start_acceleration" "the acceleration at the start is taken as zero"
        "compute it from the equations of motion at the start";
    /// Rates above a limit are cut off.
    RateLimit "rate_limit" "rates above a limit are cut off"
        "engines limit rates by default: raise the limit, or say that faster bodies are not covered";
    /// Slow rates are set to zero, or lessened in each step.
    Sleep "sleep" "slow bodies are put to sleep"
        "rates below a threshold are set to zero or lessened: switch sleeping off, or set its threshold to zero";
    /// The attitude jumps where its angle passes π.
    HalfTurn "half_turn" "the attitude is lost where its angle passes half a turn"
        "a rotation vector or an angle must be continued beyond π, or another chart be taken";
    /// The torque is computed in single precision.
    TorqueInSingle "torque_in_single" "the torque is computed in single precision"
        "a number on the way to the torque is of single precision, while the state is of double";
    /// The state is rounded more coarsely than numbers of double precision, and is not of single precision.
    StateInSingle "state_in_single" "the state loses digits in each step"
        "errors grow as the step falls, though neither numbers of single precision nor few written digits explain it: look for a rounding of the state or of an increment";
    /// An iteration or an error control ends at a size that does not fall with the step.
    LooseIteration "loose_iteration" "an iteration ends at a size that does not fall with the step"
        "errors grow as the step falls: let the iteration end at rounding, or at a size that falls faster than the step";
    /// A solver does not begin each problem anew.
    RemembersProblems "remembers_problems" "something of a problem is left when the next one is solved"
        "a global, a static or a cache of the solver keeps a slope or a state of the problem before: begin each problem anew";
    /// The same problem has other rows each time.
    Scatters "scatters" "the same problem has other rows each time"
        "a random force, a thermostat's noise, an unset variable or a race of threads acts in each step: switch it off, or seed it anew for each problem";
    /// The motion depends on the rows that are asked for.
    RowsMatter "rows_matter" "the motion depends on the rows that are asked for"
        "writing a row changes the state: a history of slopes is dropped at it, the state is rounded to what is written, or the step is cut to \
         meet it. Write rows, and go on with the state as it is";
    /// A free body gains or loses a part of its rate in each step.
    BiasedRounding "biased_rounding" "a free body gains or loses rate in each step"
        "a rounding with a bias, or a factor next to 1 that is applied once a step: round to nearest, and do not scale the rate";
    /// One part of the step is of first order and all else is not.
    OrderLost "order_lost" "one part of the step is of first order, and all else is not"
        "the whole step has the order of its worst part: bring that part to the order of the rest";
    /// The torque is read at other times than the rule's: their mean is not the middle of the step, or another clock shows them.
    TorqueTime "torque_time" "the torque is read at wrong times within the step"
        "a torque that depends on time or state must be read at the rule's own times and states";
    /// The motion depends on the axes of space.
    AxesOfSpace "axes_of_space" "the motion depends on which axes of space are chosen"
        "the attitude is kept in angles or components that are not treated alike: another chart, or a rotation, is meant";
    /// The rate of another time turns the attitude.
    RateTime "rate_time" "the rate of another time"
        "the rate at the start of an interval, or the increment before, is used for an interval: take its middle, its mean or its own increment";
    /// The coning term of several increments is missing or wrong.
    ConingTerm "coning_term" "the coning term is missing or wrong"
        "increments of one update do not simply add up: for two of them the turn is θ1 + θ2 + ⅔ θ1×θ2, and without the cross products the order is 2";
    /// Something is done each so many steps, or each time that is passed.
    Periodic "periodic" "something is done once in a number of steps, or once in a time"
        "look for a counter or a timer that resets, rescales or restarts something";
    /// Steps before or after a time are other ones.
    FromTime "from_time" "the steps follow another rule before or after a time"
        "look for what changes at that time: a counter, an event, a term that is switched";
    /// Steps beyond a limit of a quantity are other ones.
    BeyondLimit "beyond_limit" "the steps follow another rule beyond a limit"
        "look for a branch, a guard or a limit at that number";
    /// One step is another one.
    Once "once" "one step does not follow the rule of all others"
        "look for what is done at that step alone";
    /// A tableau with an entry changed, or another rule that cannot have been meant.
    RuleChanged "rule_changed" "a known rule with an entry that differs"
        "compare the coefficients with the rule's: one is another number or stands in another place";
}

impl SchemeDefect {
    /// Returns the name that does not change.
    pub fn id(self) -> &'static str {
        self.row()[0]
    }
    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        self.row()[1]
    }
    /// Returns the meaning of the defect, and where to look in the solver.
    pub fn advice(self) -> &'static str {
        self.row()[2]
    }
}
