//! The terms of the family of laws, with the defects that their numbers are: one row each.
//!
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, Λ̇ = Λ û, Ẇ = a. The right
//! model has `u = W`, `a = J⁻¹(T − W × J W)`.

use super::defect::{DefectRow, Pattern, Values::*};
use super::evaluation::{Sum, bent};
use super::row::{Effect::*, Numbers::*, Scope, TermRow, Words, Words::*};
use super::{entries, matrix, symmetric, vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Vec3, so3};

/// The terms. Each has its name in Rust, what its numbers are, their symbol and unit, how many they are and which are
/// right, their effect, and how they are said; then, after `also`, the defects of other rows that its numbers are, and its
/// own defects: what each does, its name in Rust, the numbers that it is (of other terms too, where only all of them are
/// it), its id, its name for people, what it means and where to look in the solver. Defects that are `no law` are told by
/// other things than numbers.
///
/// Rows with few numbers come first: of laws that explain as much, the first of the table is meant most often.
macro_rules! terms {
    (no law {$($(#[$other_doc:meta])* $other:ident $other_id:literal $other_name:literal $other_advice:literal;)*}
    $($term:ident $meaning:literal, $symbol:literal, $unit:literal, $numbers:expr, $effect:expr, $words:expr, $(also $same:ident: $so:expr,)* {$(
        $(#[$doc:meta])* $defect:ident: $values:expr, $($with:ident: $besides:expr,)* $id:literal $name:literal $advice:literal;
    )*})*) => {
        /// A group of numbers that are fitted together; all others stay right.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum LawTerm { $(#[doc = $meaning] $term,)* }

        /// All terms, in the order of the enum.
        pub static TERMS: &[TermRow] = &[$(TermRow {
            term: LawTerm::$term,
            meaning: $meaning,
            symbol: $symbol,
            unit: $unit,
            numbers: $numbers,
            effect: $effect,
            words: $words,
        }),*];

        /// Each term by itself.
        pub(super) static ALONE: &[&[LawTerm]] = &[$(&[LawTerm::$term]),*];

        /// Defects of a model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ModelDefect {
            $($($(#[$doc])* $defect,)*)*
            $($(#[$other_doc])* $other,)*
        }

        /// All defects of models, in the order of the enum.
        pub(super) static DEFECTS: &[DefectRow] = &[
            $($(DefectRow { defect: ModelDefect::$defect, id: $id, name: $name, advice: $advice },)*)*
            $(DefectRow { defect: ModelDefect::$other, id: $other_id, name: $other_name, advice: $other_advice },)*
        ];

        /// Which numbers are which defect.
        pub(super) static PATTERNS: &[(ModelDefect, Pattern)] = &[$(
            $((ModelDefect::$same, &[(LawTerm::$term, $so)]),)*
            $((ModelDefect::$defect, &[(LawTerm::$term, $values) $(, (LawTerm::$with, $besides))*]),)*
        )*];
    };
}

const TENSOR: Words = Says("its tensor for the one given is {is}{pattern}");

terms! {
    no law {
        /// Another initial state than the case's.
        AnotherStart "another_start" "another initial state; the equations are right"
            "look at how the initial attitude and rate are read: the order of the quaternion, the frame and the unit of the rate";
        /// An entry of the kinematics of quaternions or Euler angles that is another one.
        Kinematics "kinematics" "one entry of the kinematics of quaternions or angles is wrong"
            "compare that entry with q' = ½ q ⊗ (0, W), or with the inverse of the rates of the angles: its sign, or which component it has";
        /// The body rate taken as the derivatives of Euler angles; told by the rows of a given rate too.
        EulerRates "euler_rates" "body rate taken as the derivatives of Euler angles"
            "p, q, r are no derivatives of roll, pitch and yaw: turn them by the matrix of the angles, or step a quaternion";
        /// The same from the right momentum: `ω = J⁻¹ π` at the start too, which is not the given rate.
        InertiaNotTurnedStart "inertia_not_turned_start" "inertia not turned with the body (from the right momentum)"
            "in the space frame the inertia is Λ J Λᵀ, in every step";
        /// The same from the right momentum, which does not give the given rate.
        InertiaTurnedBackStart "inertia_turned_back_start" "inertia turned the wrong way (from the right momentum)"
            "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ";
        /// The torque of the case, where it is none that every solver is asked for.
        CaseTorque "case_torque" "the torque of the case is another one"
            "compare the solver with `torque.model` of the problem, term by term (docs/exact-problems.md): each frame, factor and sign, and the rate or the momentum that it takes";
        /// A torque that acts late: delayed or filtered.
        TorqueLate "torque_late" "the torque acts late"
            "a delay or a filter stands before the torque: the exact motion has that of its own time and attitude";
        /// A torque that is rounded, or zero where it is small.
        TorqueRounded "torque_rounded" "the torque is rounded, or zero where it is small"
            "look for a dead band, a quantiser or a cast to a whole number before the torque";
        /// An energy that is driven to that of the start, as by a thermostat.
        EnergyDriven "energy_driven" "the energy is driven to that of the start"
            "a thermostat or an energy correction scales the rates: the torque does work, and the energy of rotation alone is not kept";
        /// An inertia that changes with time.
        InertiaGrows "inertia_grows" "an inertia that changes with time"
            "the tensor of the problem is constant: look for a mass that is burnt or added, or a body that is scaled";
        /// Other equations beyond a limit of a quantity.
        BeyondLimit "beyond_limit" "other equations of motion beyond a limit"
            "look for a branch or a guard at that number: a term is switched there";
        /// Other equations before or after a time.
        FromTime "from_time" "other equations of motion before or after a time"
            "look for what changes at that time: a term is switched there";
        /// Equations that are of none of these kinds.
        Unexplained "unexplained" "another equation of motion, of no known kind"
            "compare the equation that is off, that of the attitude or that of W', with `equations` of the problem, component by component";
    }
    Clock "speed of the clock", "s", "", Factor, Given(|s, v| s.clock = v[0]), Says("time runs {} times as fast"), {
        /// `T` and `W × J W` act, and the attitude turns, for another time than the step.
        Clock: Any, "clock" "everything runs at another pace"
            "the step that is made is not the step that is asked for (a time scale, a unit of time), or the weights of its rule add up to this factor";
    }
    Torque "factor of all torques", "q", "", Factor, Given(|s, v| s.torque = v[0]), Says("the torque is multiplied by {}"), {
        /// `a T` with some other a.
        TorqueFactor: Any, "torque_factor" "torque multiplied by a number"
            "a unit, a weight or a lever is off by this factor, or the torque acts for another time than the step";
        /// `T` missing.
        TorqueMissing: Of(0.0), "torque_missing" "torque missing"
            "no torque acts at all: is it applied, and in each step?";
        /// `−T`: also gravity, or the lever, of the opposite sign.
        TorqueReversed: Of(-1.0), "torque_reversed" "torque of the wrong sign"
            "look at the order of the cross product (lever × force), the sign of gravity and of the lever; these three are the same motion on every problem";
        /// `2 T`.
        TorqueDoubled: Of(2.0), "torque_doubled" "torque doubled"
            "the torque is applied twice, or its impulse with 2 h";
        /// `T/2`.
        TorqueHalved: Of(0.5), "torque_halved" "torque halved"
            "the torque's impulse takes h/2 for h";
    }
    Gravity "factor of gravity's torque", "w", "", Factor, Given(|s, v| s.gravity = v[0]), Says("gravity's torque is multiplied by {}"), {
        /// `a T` of gravity alone.
        GravityFactor: Any, "gravity_factor" "gravity multiplied by a number"
            "the weight, the lever or g is off by this factor; other torques are right";
    }
    Push "factor of applied torques", "p", "", Factor, Given(|s, v| s.push = v[0]), Says("applied torques are multiplied by {}"), {
        /// `a T` of applied torques alone.
        PushFactor: Any, "push_factor" "applied torque multiplied by a number"
            "an applied torque is off by this factor; gravity is right";
    }
    Gyroscopic "factor of the gyroscopic term", "g", "", Factor, Given(|s, v| s.gyroscopic = v[0]), Says("W × J W is multiplied by {}"), {
        /// `a W × J W` with some other a.
        GyroscopicFactor: Any, "gyroscopic_factor" "gyroscopic term multiplied by a number"
            "W × J W comes with factor 1";
        /// `W × J W` missing.
        GyroscopicMissing: Of(0.0), "gyroscopic_missing" "gyroscopic term missing"
            "J Ẇ = T − W × J W in the body frame: without W × J W the energy of a free body is still exact, so no energy check shows it";
        /// `+ W × J W`.
        GyroscopicReversed: Of(-1.0), "gyroscopic_reversed" "gyroscopic term of the wrong sign"
            "it is −W × J W, or + J W × W";
        /// `2 W × J W`.
        GyroscopicDoubled: Of(2.0), "gyroscopic_doubled" "gyroscopic term doubled"
            "W × J W comes with factor 1";
        /// `½ W × J W`.
        GyroscopicHalved: Of(0.5), "gyroscopic_halved" "gyroscopic term halved"
            "W × J W comes with factor 1";
        /// `a J⁻¹ (T − W × J W)`.
        AccelerationFactor: Same, Torque: Same, "acceleration_factor" "change of the rate multiplied by a number"
            "the weights of the rule for the rate add up to this factor, and those for the attitude are right";
    }
    GyroscopicLimit "one over the largest size of the gyroscopic torque",
        "1/G", "1/(N m)", Limit, Given(|s, v| s.gyroscopic_limit = v[0]), Says("the size of W × J W is cut off at {1/} N m"), {
        /// `W × J W` no larger than a limit.
        GyroscopicLimit: Any, "gyroscopic_limit" "gyroscopic torque cut off at a size"
            "W × J W is limited to a size, so that fast bodies turn as if it were smaller: remove the limit, or make it implicit instead";
    }
    TorqueLimit "one over the largest size of the torque",
        "1/L", "1/(N m)", Limit, Given(|s, v| s.torque_limit = v[0]), Says("the torque is cut off at a size of {1/} N m"), {
        /// `T`, or each of its components, no larger than a limit.
        TorqueLimit: Any, "torque_limit" "torque cut off at a size"
            "the torque is limited to a size, as by an actuator: remove the limit, or say that larger torques are not covered";
    }
    TorqueLimitAxes "one over the largest size of a component of the torque",
        "1/Lᵢ", "1/(N m)", Limit, Given(|s, v| s.torque_limit_axes = v[0]), Says("each component of the torque is cut off at {1/} N m"), also TorqueLimit: Any, {}
    AccelerationLimit "one over the largest size of the derivative of the rate",
        "1/A", "s²/rad", Limit, Given(|s, v| s.acceleration_limit = v[0]), Says("the size of W' is cut off at {1/} rad/s²"), {
        /// `W'` no larger than a limit.
        AccelerationLimit: Any, "acceleration_limit" "change of the rate cut off at a size"
            "the derivative of the rate is limited to a size: remove the limit, or say that larger torques are not covered";
    }
    Rate "factor of the rate that turns the attitude",
        "k", "", Factor, Given(|s, v| s.rate = v[0]), Says("the rate is multiplied by {} before it turns the attitude"), {
        /// `Λ̇ = 2 Λ Ŵ`.
        TurnDoubled: Of(2.0), "turn_doubled" "turns twice as fast as its rate"
            "q̇ = ½ q ⊗ W: the ½ is missing";
        /// `Λ̇ = ½ Λ Ŵ`.
        TurnHalved: Of(0.5), "turn_halved" "turns half as fast as its rate"
            "q̇ = ½ q ⊗ W: the ½ is taken twice";
        /// `Λ̇ = −Λ Ŵ`.
        TurnReversed: Of(-1.0), "turn_reversed" "turns against its rate"
            "the attitude turns by −W: a conjugate, or a matrix of space → body multiplied as if it were body → space";
        /// `Λ̇ = (π/180) Λ Ŵ`.
        TurnInDegrees: Of(core::f64::consts::PI / 180.0), "turn_in_degrees" "rate taken for degrees per second"
            "the angle of the turn is multiplied by π/180";
        /// `Λ̇ = a Λ Ŵ`.
        TurnFactor: Any, "turn_factor" "turns faster or slower than its rate"
            "the angle of the turn is multiplied by a number";
    }
    Damping "damping of the rate", "c₁", "1/s", One, Given(|s, v| s.damping().whole[1] = v[0]), OfRate("−c W with c = {}"), {
        /// `− c J W` with a positive c.
        Damping: Positive, "damping" "damping"
            "the solver damps rotations; engines do so by default: set angular damping to zero";
        /// `− c J W` with a negative c.
        Excitation: Negative, "excitation" "the rate grows by itself"
            "something adds to the rotation that is not in the problem";
    }
    DampingInertia "damping by a torque", "c₄", "N m s", One, Given(|s, v| s.resistance().whole[1] = v[0]), OfTorque("−c W with c = {}"), {
        /// `− c W`, a torque.
        DampingTorque: Any, "damping_torque" "a damping torque proportional to the rate"
            "a torque −c W is applied that is not in the problem";
    }
    DampingQuadratic "damping by the square of the rate", "c₂", "", One, Given(|s, v| s.damping().whole[2] = v[0]), OfRate("−c |W| W with c = {}"), {
        /// `− c |W| W`, of the rate or a torque, or of each component.
        DampingQuadratic: Any, "damping_quadratic" "damping that grows with the rate"
            "the solver damps rotations by a law quadratic in the rate";
    }
    DampingCubic "damping by the cube of the rate", "c₃", "s", One, Given(|s, v| s.damping().whole[3] = v[0]), OfRate("−c |W|² W with c = {}"), {
        /// `− c |W|² W`.
        DampingCubic: Any, "damping_cubic" "damping that grows with the square of the rate"
            "the solver damps rotations by a law cubic in the rate";
    }
    Friction "friction of a constant size", "c₅", "rad/s²", One, Given(|s, v| s.damping().whole[0] = v[0]), OfRate("−c W/|W| with c = {}"), {
        /// `− c W/|W|`, of the rate or a torque, or of each component.
        Friction: Any, "friction" "dry friction"
            "the solver takes a constant part of the rate's size each second";
    }
    FrictionInertia "friction torque of a constant size",
        "c₈", "N m", One, Given(|s, v| s.resistance().whole[0] = v[0]), OfTorque("−c W/|W| with c = {}"), also Friction: Any, {}
    QuadraticInertia "resisting torque by the square of the rate",
        "c₆", "kg m²", One, Given(|s, v| s.resistance().whole[2] = v[0]), OfTorque("−c |W| W with c = {}"), also DampingQuadratic: Any, {}
    CubicInertia "resisting torque by the cube of the rate",
        "c₇", "kg m² s", One, Given(|s, v| s.resistance().whole[3] = v[0]), OfTorque("−c |W|² W with c = {}"), also DampingCubic: Any, {}
    DampingCentre "damping of the centre of mass beside that of the rate",
        "c₉", "kg", One, Adds(Sum::Torque, "c₉ (|W| − |v|) lever × v with v = W × lever", |e, v| {
            let (_, lever) = e.place.start.load.weight_and_lever();
            let velocity = e.omega().cross(&lever);
            lever.cross(&velocity) * ((e.omega().norm() - velocity.norm()) * v[0])
        }), OfTorque("c (|W| − |v|) lever × v with v = W × lever and c = {}"), also DampingQuadratic: Any, {}
    Coriolis "factor of J W × W that is not divided by J",
        "f", "1/(kg m²)", One, Adds(Sum::Euler, "f Jg W × W", |e, v| (e.gyroscopic * e.omega()).cross(e.omega()) * v[0]), OfRate("f J W × W, not divided by J, with f = {}"), {
        /// `c J W × W` beside the torque, not divided by J.
        GyroscopicNotDivided: Any, "gyroscopic_not_divided" "a gyroscopic term that no inertia divides"
            "the torque J W × W is added to W' as it is: J⁻¹ is missing before it";
    }
    NotDivided "1 where no inertia divides the torque",
        "u", "", One, Adds(Sum::Euler, "u (T − Jd⁻¹ T)", |e, v| (e.torque - e.inverse * e.torque) * v[0]), Says("W' has {} (T − J⁻¹ T) more"), {
        /// `W' = T − J⁻¹ (W × J W)`.
        TorqueNotDivided: Of(1.0), "torque_not_divided" "a torque that no inertia divides"
            "the torque T is added to W' as it is: J⁻¹ is missing before it";
        /// `W' = a T − J⁻¹ (W × J W)`.
        TorqueDividedByNumber: Of(1.0), Torque: Any, "torque_divided_by_number" "a torque that a number divides"
            "J⁻¹ T takes the whole tensor: T is divided by one over this factor, such as a moment or the mean of the moments, whatever its axis";
    }
    DividedTwice "1 where the inertia divides the torque twice",
        "u₂", "", One, Adds(Sum::Euler, "u₂ (Jd⁻¹ Jd⁻¹ T − Jd⁻¹ T)", |e, v| e.inverse * (e.inverse * e.torque - e.torque) * v[0]), Says("W' has {} (J⁻¹ J⁻¹ T − J⁻¹ T) more"), {
        /// `W' = J⁻¹ (J⁻¹ T − W × J W)`.
        TorqueDividedTwice: Of(1.0), "torque_divided_twice" "a torque that the inertia divides twice"
            "the torque T is divided by the inertia before it is given to the equations, which divide it again";
    }
    TurnedBack "1 where the inertia in space is Λᵀ J Λ for Λ J Λᵀ",
        "back", "", One, Adds(Sum::Euler, "back ( W' with Λᵀ J Λ − W' )", |e, v| (e.place.turned_back(&e.torque) - e.acceleration) * v[0]), Says("the inertia in space is Λᵀ J Λ for Λ J Λᵀ"), {
        /// `ω = Λᵀ J⁻¹ Λ π`, `π̇ = t`: the inertia turned the wrong way.
        InertiaTurnedBack: Of(1.0), "inertia_turned_back" "inertia turned the wrong way"
            "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ";
    }
    EnergySink "torque that takes energy and keeps the momentum",
        "c₁₀", "1/(N m s)", One, Adds(Sum::Torque, "c₁₀ L × (L × W) with L = Jg W", |e, v| {
            let momentum = e.gyroscopic * e.omega();
            momentum.cross(&momentum.cross(e.omega())) * v[0]
        }), OfTorque("c L × (L × W) with L = J W and c = {}"), {
        /// `c L × (L × W)`, L = J W: what sloshes inside takes energy and no momentum.
        EnergySink: Any, "energy_sink" "a torque that takes energy and keeps the momentum"
            "an internal dissipation (slosh, a nutation damper) is left on that is not in the problem";
    }
    EnergyHeld "part of the torque's work that is taken from the energy",
        "κ", "", One, Adds(Sum::Euler, "−κ W (W·T)/(W·Jg W)", |e, v| {
            // A body at rest begins to turn by the torque.
            let w = if *e.omega() == Vec3::zeros() { e.inverse * e.torque } else { *e.omega() };
            let work = (e.gyroscopic * w).dot(&w).max(f64::MIN_POSITIVE);
            w * (-v[0] * w.dot(&e.torque) / work)
        }), OfRate("−k W (W·T)/(W·J W) with k = {}"), {
        /// `− W (W·T)/(W·J W)`: the energy of rotation stays though a torque acts.
        EnergyHeld: Any, "energy_held" "the energy of rotation is kept though a torque acts"
            "the rate is scaled after each step so that ½ W·J W is that of the start: a torque does work";
    }
    MomentumHeld "part of the torque along the momentum that is left out",
        "λ", "", One, Adds(Sum::Torque, "−λ L (L·T)/|L|² with L = Jg W", |e, v| {
            let momentum = e.gyroscopic * e.omega();
            // A body at rest begins to turn along the torque.
            let along = if momentum == Vec3::zeros() { e.torque } else { momentum };
            along * (-v[0] * along.dot(&e.torque) / along.norm_squared().max(f64::MIN_POSITIVE))
        }), OfTorque("−k L (L·T)/|L|² with L = J W and k = {}"), {
        /// `− L (L·T)/|L|²`: the size of the momentum stays though a torque acts.
        MomentumHeld: Any, "momentum_held" "the size of the momentum is kept though a torque acts"
            "the rate is scaled after each step so that |J W| is that of the start: a torque changes it";
    }
    Spring "spring towards the unturned attitude",
        "c₁₁", "N m", One, Adds(Sum::Torque, "−c₁₁ log Λ", |e, v| so3::log(&e.place.start.att) * -v[0]), OfTorque("−c log Λ with c = {}"), {
        /// `−c log Λ`, or towards the attitude of the start.
        Spring: Any, "spring" "a torque of a spring towards one attitude"
            "a torsion spring or a controller that holds an attitude is left on";
    }
    TorqueByRate "growth of the torque with the square of the rate",
        "c₁₂", "s²", One, Adds(Sum::Torque, "c₁₂ |W|² T", |e, v| e.torque * (e.omega().norm_squared() * v[0])), Says("the torque is multiplied by 1 + c |W|² with c = {}"), {
        /// `(1 + c |W|²) T`.
        TorqueByRate: Any, "torque_by_rate" "a torque that grows with the rate"
            "the torque is multiplied by a function of the rate: it depends on the attitude and the time alone";
    }
    TorqueSoft "one over the square of the size to which the torque bends",
        "σ", "1/(N² m²)", One, Adds(Sum::Torque, "T ( tanh x/x − 1 ) with x = |T| √σ", |e, v| e.torque * (bent(v[0] * e.torque.norm_squared()) - 1.0)),
        Says("the torque T is multiplied by tanh x/x with x = |T| √c and c = {}"), also TorqueLimit: Any, {}
    TorqueSoftAxes "one over the square of the size to which each component of the torque bends",
        "σᵢ", "1/(N² m²)", One, Adds(Sum::Torque, "Tᵢ ( tanh xᵢ/xᵢ − 1 ) with xᵢ = |Tᵢ| √σᵢ", |e, v| e.torque.map(|x| x * (bent(v[0] * x * x) - 1.0))),
        Says("each component T of the torque is multiplied by tanh x/x with x = |T| √c and c = {}"), also TorqueLimit: Any, {}
    GravityByHeight "growth of gravity with the height of the centre of mass",
        "z", "1/m", One, Given(|s, v| s.by_height = v[0]), Says("gravity's torque is multiplied by 1 + c z, z the height of the centre of mass and c = {}"), {
        /// `(1 + c z)` times gravity's torque, z the height of the centre of mass.
        GravityByHeight: Any, "gravity_by_height" "gravity that changes with the height"
            "the field is not uniform: g is the same at all heights in these problems";
    }
    LeverTurned "power of Λ that turns the lever", "aL", "", Power(0.0), Given(|s, v| s.turned.lever = v[0]), Says("the lever is {}"), {
        /// The lever kept in space: `T = Λᵀ t(1)`, `t(1)` the space torque of an unturned body.
        LeverNotTurned: Of(-1.0), "lever_not_turned" "lever not turned with the body"
            "the space torque needs the turned lever Λ r; an energy computed with the same unturned lever does not show it";
    }
    UpTurned "power of Λ that turns what is given in space",
        "aU = aP", "", Power(-1.0), Given(|s, v| (s.turned.up, s.turned.space) = (v[0], v[0])), Says("what is given in space is {}"), {
        /// The torque evaluated with Λᵀ for Λ.
        TorqueOfTranspose: Of(2.0), "torque_of_transpose" "torque evaluated with the transposed attitude"
            "the torque routine takes Λ as space → body where it is body → space";
        /// The load turning with the body: `T = T(1)`, the body torque of an unturned body.
        LoadTurnsWithBody: Of(1.0), "load_turns_with_body" "load turned with the body"
            "gravity must be turned into the body frame, Λᵀ up";
    }
    UpTurnedGravity "power of Λ that turns the vertical", "aU", "", Power(-1.0), Given(|s, v| s.turned.up += v[0]), Says("the vertical is {}"), {
        /// Gravity of the transposed attitude; other torques are right.
        GravityOfTranspose: Of(2.0), "gravity_of_transpose" "gravity evaluated with the transposed attitude"
            "the vertical is turned by Λ for Λᵀ, or the quaternion is conjugated";
        /// Gravity that turns with the body; other torques are right.
        GravityTurnsWithBody: Of(1.0), "gravity_turns_with_body" "gravity turns with the body"
            "the vertical is not turned into the body frame: Λᵀ up";
    }
    PushTurned "power of Λ that turns a torque given in space",
        "aP", "", Power(-1.0), Given(|s, v| s.turned.space += v[0]), Says("a torque given in space is {}"), {
        /// An applied torque in space turned into the body once too often.
        SpacePushTwice: Of(-1.0), "space_push_turned_twice" "torque applied in space turned into the body twice"
            "the applied torque is turned by Λᵀ where it is read and once more where it enters Euler's equations: turn it once";
        /// An applied torque in space taken as one in the body.
        SpacePushInBody: Of(1.0), "space_push_in_body" "torque applied in space used as one in the body"
            "turn the applied torque by Λᵀ before it enters Euler's equations in the body";
    }
    BodyPushTurned "power of Λ that turns a torque given in the body",
        "aB", "", Power(0.0), Given(|s, v| s.turned.body = v[0]), Says("a torque given in the body is {}"), {
        /// An applied torque in the body turned as if it were one in space.
        BodyPushInSpace: Of(-1.0), "body_push_in_space" "torque applied in the body used as one in space"
            "the applied torque is in the body frame already";
    }
    TorqueTurned "power of Λ that turns the torque", "aT", "", Power(0.0), Given(|s, v| s.turned.torque = v[0]), Says("the body torque is {}"), {
        /// The space components of the torque used as body components.
        SpaceTorqueInBody: Of(1.0), "space_torque_in_body" "space torque used in the body frame"
            "T = Λᵀ t is missing: J Ẇ + W × J W = T wants the torque in the body frame";
        /// The body components of the torque turned by Λᵀ as if they were space components.
        BodyTorqueInSpace: Of(-1.0), "body_torque_in_space" "body torque used in the space frame"
            "T is already in the body frame; it is turned by Λᵀ once more";
    }
    TorqueInAxes "power of the principal axes that turns the torque", "aA", "", Power(0.0), Given(|s, v| s.turned.axes = v[0]),
        Says("the torque is {}, with the principal axes of the body for Λ"), {
        /// A torque with the components of one frame, the body's or that of its principal axes, in the other.
        TorqueInPrincipalAxes: Any, "torque_in_principal_axes" "the body's components of a torque taken from those about the principal axes"
            "the torque is turned into the principal axes where its components are about the body's own, or not turned where they are";
    }
    DivisorTurned "power of Λ that turns the inertia that divides",
        "ad", "", Power(0.0), Given(|s, v| s.turned.divisor = v[0]), Says("the inertia that divides is {-}"), {
        /// `ω = J⁻¹ π`, `π̇ = t`: the inertia kept in space.
        InertiaNotTurned: Of(1.0), Gyroscopic: Of(0.0), "inertia_not_turned" "inertia not turned with the body"
            "in the space frame the inertia is Λ J Λᵀ, in every step";
    }
    InertiaTurned "powers of Λ that turn both inertias",
        "", "", Power(0.0), Moves(Scope::All, &[&[LawTerm::DivisorTurned, LawTerm::GyroscopicInertiaTurned]]), Says("the inertia in the body is {-}"), also InertiaTurnedBack: Of(2.0), {
        /// `J ω̇ = t − ω × J ω` with J kept in space.
        InertiaNotTurnedEuler: Of(1.0), "inertia_not_turned_euler" "inertia not turned with the body (Euler's equations in space)"
            "in the space frame the inertia is Λ J Λᵀ, in every step";
    }
    GyroscopicInertiaTurned "power of Λ that turns the inertia of the gyroscopic term",
        "ag", "", Power(0.0), Given(|s, v| s.turned.gyroscopic = v[0]), Says("the inertia of the gyroscopic term is {-}"), {}
    GyroscopicRateTurned "power of Λ that turns the rate of the gyroscopic term",
        "aX", "", Power(0.0), Given(|s, v| s.turned.gyroscopic_rate = v[0]), Says("the rate that carries the momentum is {}"), {
        /// `J W × Λ W`, or with another power of Λ.
        GyroscopicRateFrame: Any, "gyroscopic_rate_frame" "gyroscopic term with a rate of another frame"
            "W × J W takes both rates in the body, ω × (Λ J Λᵀ) ω both in space";
    }
    TransportTurned "power of Λ in W × Λ^aN W", "aN", "", Power(0.0), Given(|s, v| s.turned.transport = v[0]), Says("W' has W × u with u = W {}"), {}
    RateTurned "power of Λ that turns the rate of the attitude",
        "aW", "", Power(0.0), Given(|s, v| s.turned.rate = v[0]), Says("the rate that turns the attitude is {}"), {
        /// `Λ̇ = Ŵ Λ`; W by Euler's equations.
        BodyRateInSpace: Of(-1.0), "body_rate_in_space" "body rate integrated in the space frame"
            "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W";
        /// `Λ̇ = Ŵ Λ` with `W = J⁻¹ Λᵀ π`, `π̇ = t`.
        BodyRateInSpaceMomentum: Of(-1.0), GyroscopicRateTurned: Of(-1.0), "body_rate_in_space_momentum" "body rate integrated in the space frame (momentum carried in space)"
            "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W";
        /// `Λ̇ = Λ ω̂`, `ω = Λ W`; W by Euler's equations.
        SpaceRateInBody: Of(1.0), "space_rate_in_body" "space rate integrated in the body frame"
            "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q";
        /// `Λ̇ = Λ ω̂`, ω by Euler's equations in space with `Λ J Λᵀ`.
        SpaceRateInBodyEuler: Of(1.0), TransportTurned: Of(1.0), "space_rate_in_body_euler" "space rate integrated in the body frame (Euler's equations in space)"
            "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q";
        /// `Λ̇ = Λ ω̂`, `ω = Λ J⁻¹ Λᵀ π`, `π̇ = t`.
        SpaceRateInBodyMomentum: Of(1.0), GyroscopicRateTurned: Of(1.0), "space_rate_in_body_momentum" "space rate integrated in the body frame (momentum carried in space)"
            "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q";
    }
    LeverAndUpTurned "powers of Λ that turn the lever and the vertical",
        "", "", Power(0.0), Moves(Scope::All, &[&[LawTerm::LeverTurned], &[LawTerm::UpTurnedGravity]]), Says("the lever is {} and the vertical is {}"),
        also LeverNotTurned: Each(&[-1.0, 0.0]), also GravityOfTranspose: Each(&[0.0, 2.0]), also GravityTurnsWithBody: Each(&[0.0, 1.0]),
        also SpaceTorqueInBody: Each(&[1.0, 1.0]), also BodyTorqueInSpace: Each(&[-1.0, -1.0]), {
        /// Parts of the torque are turned by some other power of the attitude.
        TorqueFrame: Any, "torque_frame" "parts of the torque in a wrong frame"
            "the lever belongs to the body and the vertical to space: look at what turns each";
    }
    Rows "factors of the rows of the gyroscopic term",
        "D", "", Factors, Given(|s, v| s.rows = vector(v)), Says("the rows of W × J W are multiplied by {}"), {
        /// The first component of `W × J W` of the wrong sign.
        GyroscopicRow1: Each(&[-1.0, 1.0, 1.0]), "gyroscopic_row1" "first row of the gyroscopic term of the wrong sign"
            "written out by components, one row of W × J W has its two products exchanged";
        /// The second component of `W × J W` of the wrong sign.
        GyroscopicRow2: Each(&[1.0, -1.0, 1.0]), "gyroscopic_row2" "second row of the gyroscopic term of the wrong sign"
            "written out by components, one row of W × J W has its two products exchanged";
        /// The third component of `W × J W` of the wrong sign.
        GyroscopicRow3: Each(&[1.0, 1.0, -1.0]), "gyroscopic_row3" "third row of the gyroscopic term of the wrong sign"
            "written out by components, one row of W × J W has its two products exchanged";
        /// Rows of the gyroscopic term times numbers.
        GyroscopicRows: Any, "gyroscopic_rows" "rows of the gyroscopic term multiplied by numbers"
            "look at each component of W × J W";
    }
    PrincipalRows "factors of the rows of the gyroscopic term about the principal axes",
        "P", "", Factors, Given(|s, v| s.principal_rows = vector(v)), Says("the rows of W × J W about the principal axes are multiplied by {}"), {
        /// Rows of Euler's equations about the principal axes with a wrong sign or factor.
        PrincipalGyroscopicRows: Any, "principal_gyroscopic_rows" "rows of Euler's equations about the principal axes that are wrong"
            "about the principal axes the rows are (I₂ − I₃) W₂ W₃, (I₃ − I₁) W₃ W₁, (I₁ − I₂) W₁ W₂: compare the sign and the moments of each";
    }
    PrincipalTurns "factors of the turns about the principal axes",
        "O", "", Factors, Given(|s, v| s.principal_turns = vector(v)), Says("the turns about the principal axes, of attitude and momentum, are multiplied by {}"), {
        /// Free turns about the principal axes for other times than the step, or with other moments.
        PrincipalTurns: Any, "principal_turns" "turns about the principal axes that are too long or too short"
            "a partial turn about that axis is missing, is made twice, or divides by the moment of another axis";
    }
    TorqueRows "factors of the components of the torque",
        "E", "", Factors, Given(|s, v| s.torque_rows = vector(v)), Says("the components of the torque are multiplied by {}"), {
        /// Another linear function of the torque.
        TorqueMatrix: Any, "torque_matrix" "components of the torque turned or scaled"
            "the torque acts about other axes than it is given about: a mounting angle, a component of the wrong sign or scale, or axes exchanged";
    }
    TorqueMounting "rotation vector that turns the torque in the body",
        "τ", "", Vector, Given(|s, v| s.mounting = vector(v)), Says("the torque is turned in the body by the rotation vector {}"), also TorqueMatrix: Any, {}
    TurnBias "rate that is added where the attitude turns, in the body",
        "v", "rad/s", Vector, Adds(Sum::Turn, "v", |_, v| vector(v)), Says("the attitude turns with W + v, v = {} in the body"), {
        /// `Λ̇ = Λ (W + v)^`, v constant in the body or in space.
        TurnBias: Any, "turn_bias" "a constant rate beside the one that turns the attitude"
            "a bias of a sensor, or the rate of a frame that turns, is added to the rate in the kinematics alone";
    }
    TurnFrame "rate that is added where the attitude turns, in space",
        "φ", "rad/s", Vector, Adds(Sum::Turn, "Λᵀ φ", |e, v| e.in_body(v)), Says("the attitude turns with W + Λᵀ v, v = {} in space"), also TurnBias: Any, {}
    Lever "the lever", "lever ", "m", Lever, Given(|s, v| s.lever = vector(v)), Says("the lever is {is} where it was given as {given}"), {
        /// Another lever.
        Lever: Any, "lever" "another lever"
            "the lever is from the fixed point to the centre of mass, in the body frame";
    }
    Up "the vertical", "up ", "", Up, Given(|s, v| s.up = vector(v)), Says("the vertical is {is} where it was given as {given}"), {
        /// Another vertical.
        Up: Any, "up" "another vertical"
            "the vertical is a unit vector in the space frame";
    }
    DampingAxes "damping of each axis", "C", "1/s", Vector, Given(|s, v| s.damping().axes[1] = vector(v)), OfRate("−cᵢ Wᵢ with c = {}"), {
        /// Another damping about each axis.
        DampingAxes: Any, "damping_axes" "damping that differs from axis to axis"
            "the solver damps the components of the body rate by different numbers";
    }
    FrictionAxes "friction of each axis",
        "F", "rad/s²", Vector, Given(|s, v| s.damping().axes[0] = vector(v)), OfRate("−cᵢ sign Wᵢ with c = {}"), also Friction: Any, {}
    QuadraticAxes "damping of each axis by the square of its rate",
        "Q", "", Vector, Given(|s, v| s.damping().axes[2] = vector(v)), OfRate("−cᵢ |Wᵢ| Wᵢ with c = {}"), also DampingQuadratic: Any, {}
    FrictionInertiaAxes "friction torque of each axis",
        "G", "N m", Vector, Given(|s, v| s.resistance().axes[0] = vector(v)), OfTorque("−cᵢ sign Wᵢ with c = {}"), also Friction: Any, {}
    DampingInertiaAxes "damping torque of each axis",
        "M", "N m s", Vector, Given(|s, v| s.resistance().axes[1] = vector(v)), OfTorque("−cᵢ Wᵢ with c = {}"), also DampingAxes: Any, {}
    QuadraticInertiaAxes "resisting torque of each axis by the square of its rate",
        "R", "kg m²", Vector, Given(|s, v| s.resistance().axes[2] = vector(v)), OfTorque("−cᵢ |Wᵢ| Wᵢ with c = {}"), also DampingQuadratic: Any, {}
    DampingSpaceAxes "damping torque about each axis of space",
        "S", "N m s", Vector, Adds(Sum::Linear, "Jd⁻¹ Λᵀ (−S ∘ Λ W)", |e, v| -(e.inverse * e.resisted_in_space(v))), OfTorque("−cᵢ wᵢ about the axes of space with c = {}"), also DampingAxes: Any, {}
    FrameRate "rate of a frame that turns", "O", "rad/s", Vector, Adds(Sum::Linear, "W × Λᵀ O", |e, v| e.omega().cross(&e.in_body(v))), OfRate("W × Ω with Ω = {} in space"), {
        /// `W × Λᵀ Ω`: the derivative in a frame that turns.
        FrameRate: Any, "frame_rate" "rates in a frame that turns"
            "a rate relative to a frame that turns, such as the Earth, is taken for one in space, or the cross product with the rate of the frame has the wrong sign";
    }
    TorqueBody "constant torque in the body", "m", "N m", Vector, Adds(Sum::Torque, "m", |_, v| vector(v)), OfTorque("{} in the body"), {
        /// A torque constant in the body.
        ConstantTorqueInBody: Any, "constant_torque_in_body" "a constant torque in the body that is not in the problem"
            "look for a motor, a bias or a force that is always there";
    }
    TorqueSpace "constant torque in space", "n", "N m", Vector, Adds(Sum::Torque, "Λᵀ n", |e, v| e.in_body(v)), OfTorque("{} in space"), {
        /// A torque constant in space.
        ConstantTorqueInSpace: Any, "constant_torque_in_space" "a constant torque in space that is not in the problem"
            "look for a wind, a bias or a force that is always there";
    }
    AccelerationBody "constant acceleration in the body",
        "b", "rad/s²", Vector, Adds(Sum::Constant, "b", |_, v| vector(v)), OfRate("{} in the body"), {
        /// An acceleration constant in the body.
        ConstantAccelerationInBody: Any, "constant_acceleration_in_body" "a constant acceleration in the body that is not in the problem"
            "something is added to W' in the body frame";
    }
    AccelerationSpace "constant acceleration in space",
        "e", "rad/s²", Vector, Adds(Sum::Constant, "Λᵀ e", |e, v| e.in_body(v)), OfRate("{} in space"), {
        /// An acceleration constant in space.
        ConstantAccelerationInSpace: Any, "constant_acceleration_in_space" "a constant acceleration in space that is not in the problem"
            "something is added to the rate in the space frame: a rotating frame?";
    }
    GradientTorque "gradient of a field that acts on the inertia",
        "Γ", "1/s²", Gradient, Adds(Sum::Torque, "Σ Γᵢⱼ Λᵀeᵢ × Jg Λᵀeⱼ", |e, v| {
            let gradient = e.place.start.att.tr_mul(&(symmetric(&[v[0], v[1], 0.0, v[2], v[3], v[4]]) * e.place.start.att));
            let axes = gradient * e.gyroscopic;
            Vec3::new(axes[(1, 2)] - axes[(2, 1)], axes[(2, 0)] - axes[(0, 2)], axes[(0, 1)] - axes[(1, 0)])
        }), OfTorque("Σ Γᵢⱼ eᵢ × J eⱼ over the axes of space with Γ = {}, Γzz = 0"), {
        /// `3n² r × J r`, r a direction in space: the gradient of gravity.
        GradientTorque: Any, "gradient_torque" "a torque of a gradient of gravity"
            "a gravity-gradient torque, 3 μ/r³ r × J r, is left on that is not in the problem";
    }
    Inertia "both inertias", "", "kg m²", Inertia, Moves(Scope::All, &[&[LawTerm::Divisor, LawTerm::GyroscopicInertia]]), TENSOR, {
        /// The products of inertia left out.
        ProductsMissing: Products(0.0), "products_missing" "products of inertia missing"
            "the off-diagonal elements of J are not used";
        /// The products of inertia of the opposite sign.
        ProductsReversed: Products(-1.0), "products_reversed" "products of inertia of the wrong sign"
            "the tensor's off-diagonal elements are −∫ x y dm; products of inertia are often listed without that sign";
        /// Another inertia.
        Inertia: Any, "inertia" "another inertia tensor"
            "look at how the tensor is read: rows, products and their sign, the point it belongs to";
    }
    InertiaGravity "both inertias of bodies under gravity", "", "kg m²", Inertia, Moves(Scope::UnderGravity, &[&[LawTerm::Divisor, LawTerm::GyroscopicInertia]]), TENSOR, {
        /// Another inertia where there is gravity.
        InertiaUnderGravity: Any, "inertia_under_gravity" "another inertia tensor where there is gravity"
            "the tensor belongs to the fixed point: is it moved to or from the centre of mass?";
    }
    InertiaEverywhere "one inertia in place of that of every body",
        "", "kg m²", Inertia, Moves(Scope::EveryBody, &[&[LawTerm::Divisor, LawTerm::GyroscopicInertia]]), Says("every body has the tensor {is}"), {
        /// One inertia whatever body is given.
        InertiaHardCoded: Any, "inertia_hard_coded" "an inertia that is not the given body's, whatever body is given"
            "the solver does not read the inertia, or keeps that of another body";
    }
    Divisor "the inertia that divides", "Jd ", "kg m²", Inertia, Given(|s, v| s.divisor = symmetric(v)), TENSOR, {
        /// `a_i = (T − W × J W)_i / J_ii`: each element inverted by itself.
        InverseOfDiagonal: Products(0.0), "inverse_of_diagonal" "inertia inverted element by element"
            "J⁻¹ is the inverse of the matrix, not of its elements";
        /// Another inertia divides torques.
        InertiaOfTorque: Any, "inertia_of_torque" "torques divided by another inertia"
            "J⁻¹ is not that of the J in the gyroscopic term";
    }
    DivisorGravity "the inertia that divides, of bodies under gravity", "", "kg m²", Inertia, Moves(Scope::UnderGravity, &[&[LawTerm::Divisor]]), TENSOR, {
        /// The same, where there is gravity.
        InertiaOfTorqueUnderGravity: Any, "inertia_of_torque_under_gravity" "torques divided by another inertia where there is gravity"
            "J⁻¹ is not that of the J in the gyroscopic term where there is gravity";
    }
    GyroscopicInertia "the inertia of the gyroscopic term", "Jg ", "kg m²", Inertia, Given(|s, v| s.gyroscopic_inertia = symmetric(v)), TENSOR, {
        /// Another inertia in the gyroscopic term.
        InertiaOfGyroscopic: Any, "inertia_of_gyroscopic" "another inertia in the gyroscopic term"
            "W × J W has another J than the one that divides";
        /// The products of inertia left out of the gyroscopic term.
        GyroscopicProductsMissing: Products(0.0), "gyroscopic_products_missing" "products of inertia left out of the gyroscopic term"
            "W × J W is made with the diagonal of J";
    }
    Inverse "the inverse of the inertia", "Jd⁻¹ ", "1/(kg m²)", Inverse, Given(|s, v| s.inverse = matrix(v)), Says("J⁻¹ differs by {}"), {
        /// The inverse is another matrix.
        InverseOfInertia: Any, "inverse_of_inertia" "a wrong inverse of the inertia"
            "J times what is used as J⁻¹ is not the identity";
    }
    RateMatrix "matrix that is added to the factor of the rate",
        "K", "", Matrix, Adds(Sum::Turn, "K W", |e, v| matrix(v) * e.omega()), Says("the attitude turns with W + K W, K = {} by rows"), {
        /// `Λ̇ = Λ û` with u another linear function of W.
        TurnMatrix: Any, "turn_matrix" "turns about other axes than its rate"
            "the angle of the turn is another linear function of the rate: axes exchanged or scaled";
    }
    Linear "matrix of the rate", "B", "1/s", Matrix, Adds(Sum::Linear, "B W", |e, v| matrix(v) * e.omega()), OfRate("B W with B = {} by rows"), {
        /// `B W` with any matrix, of the rate or a torque: also the momentum h of a rotor, W × h.
        LinearTerm: Any, "linear_term" "a term linear in the rate"
            "something proportional to the rate is added to W' or to the torque: a rotor's momentum, a magnetic or Coriolis term";
    }
    Dipole "torques of each axis of the body in a field along each axis of space",
        "N", "N m", Matrix, Adds(Sum::Torque, "Σ Nᵢⱼ eᵢ × Λᵀeⱼ", |e, v| {
            let field = matrix(v) * e.place.start.att;
            Vec3::new(field[(1, 2)] - field[(2, 1)], field[(2, 0)] - field[(0, 2)], field[(0, 1)] - field[(1, 0)])
        }), OfTorque("Σ Nᵢⱼ eᵢ × Λᵀeⱼ with N = {} by rows"), {
        /// `m × Λᵀ b`: a vector of the body in a field of space.
        DipoleTorque: Any, "dipole_torque" "a torque of a vector of the body in a field of space"
            "a magnetic dipole m × B, or a force at a lever, acts that is not in the problem: N is the product of both vectors";
    }
    MatrixEntries "parts by which entries of the attitude's matrix are those of their transposed places, where it turns a torque of space",
        "ε", "", Entries, Given(|s, v| s.entries = entries(v)), Says("where a torque of space is turned into the body, these parts of the entries 12, 13, 21, 23, 31, 32 of the matrix are those of 21, 31, 12, 32, 13, 23: {}"),
        also MatrixEntry: Each(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]), also MatrixEntry: Each(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        also MatrixEntry: Each(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), also MatrixEntry: Each(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        also MatrixEntry: Each(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), {
        /// `Rᵢⱼ` with a product of the wrong sign, which is `Rⱼᵢ`.
        MatrixEntry: Each(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), "matrix_entry" "an entry of the attitude's matrix is that of its transposed place"
            "the matrix of a quaternion has 2 (xy − wz) in row 1, column 2 and 2 (xy + wz) in row 2, column 1: look for a sign or an index";
    }
    TorqueMatrix "matrix that is added to the factor of the torque",
        "U", "", Matrix, Given(|s, v| s.torque_matrix = matrix(v)), Says("the torque is T + U T, U = {} by rows"), also TorqueMatrix: Any, {}
    LinearTorque "matrix of the rate in a torque",
        "A", "N m s", Matrix, Adds(Sum::Linear, "Jd⁻¹ A W", |e, v| e.inverse * (matrix(v) * e.omega())), OfTorque("A W with A = {} by rows"), also LinearTerm: Any, {}
}
