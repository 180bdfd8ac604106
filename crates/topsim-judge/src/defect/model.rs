//! Defects of models: wrong equations of motion, and right ones with a wrong number in them.
//!
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, Λ̇ = Λ û, Ẇ = a. The right
//! model has `u = W`, `a = J⁻¹(T − W × J W)`.

use crate::identification::law::Block;

/// What is wrong with a model. Each is one row: its name in Rust with what it does, its id, its name for people, what it
/// means and where to look in the solver, and the numbers of the family of laws that it is.
macro_rules! model_defects {
    ($($(#[$doc:meta])* $variant:ident $id:literal $name:literal $advice:expr, $([$(($block:ident, $values:expr)),*])|*;)*) => {
        /// What is wrong with a model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ModelDefect {
            $($(#[$doc])* $variant,)*
        }

        /// All defects of models, in the order of the enum.
        static ROWS: &[ModelRow] = &[$(ModelRow {
            defect: ModelDefect::$variant,
            id: $id,
            name: $name,
            advice: $advice,
            laws: &[$(&[$((Block::$block, $values)),*]),*],
        }),*];
    };
}

/// The row of a model's defect.
#[derive(Debug)]
pub(crate) struct ModelRow {
    pub defect: ModelDefect,
    pub id: &'static str,
    pub name: &'static str,
    /// What it means, and where to look in the solver.
    pub advice: &'static str,
    /// The numbers of the family of laws that are it, in one way or another; none where another thing than a law tells it.
    pub laws: &'static [&'static [(Block, Values)]],
}

/// What the numbers of a block are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Values {
    /// Whatever they are.
    Any,
    /// One number above zero.
    Positive,
    /// One number below zero.
    Negative,
    /// One number.
    Of(f64),
    /// Three numbers.
    Each([f64; 3]),
    /// An inertia whose products are multiplied by a number.
    Products(f64),
}
use Values::{Any, Each, Negative, Of, Positive, Products};

impl ModelDefect {
    /// All, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|r| r.defect)
    }
    pub(crate) fn row(self) -> &'static ModelRow {
        &ROWS[self as usize]
    }
    /// A name that does not change.
    pub fn id(self) -> &'static str {
        self.row().id
    }
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// What it means, and where to look in the solver.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }
}

model_defects! {
    /// Another initial rate than the case's.
    AnotherStart "another_start" "another initial rate; the equations are right"
        "look at how the initial rate is read",
        [];
    /// The body rate taken as the derivatives of Euler angles; told by the rows of a given rate.
    EulerRates "euler_rates" "body rate taken as the derivatives of Euler angles"
        "p, q, r are no derivatives of roll, pitch and yaw: turn them by the matrix of the angles, or step a quaternion",
        [];
    /// `a T` with some other a.
    TorqueFactor "torque_factor" "torque multiplied by a number"
        "a unit, a weight or a lever is off by this factor, or the torque acts for another time than the step",
        [(Torque, Any)];
    /// `a W × J W` with some other a.
    GyroscopicFactor "gyroscopic_factor" "gyroscopic term multiplied by a number"
        "W × J W comes with factor 1",
        [(Gyroscopic, Any)];
    /// `− c J W` with a positive c.
    Damping "damping" "damping"
        "the solver damps rotations; engines do so by default: set angular damping to zero",
        [(Damping, Positive)];
    /// `− c J W` with a negative c.
    Excitation "excitation" "the rate grows by itself"
        "something adds to the rotation that is not in the problem",
        [(Damping, Negative)];
    /// `T` missing.
    TorqueMissing "torque_missing" "torque missing"
        "no torque acts at all: is it applied, and in each step?",
        [(Torque, Of(0.0))];
    /// `−T`: also gravity, or the lever, of the opposite sign.
    TorqueReversed "torque_reversed" "torque of the wrong sign"
        "look at the order of the cross product (lever × force), the sign of gravity and of the lever; these three are the same motion on every problem",
        [(Torque, Of(-1.0))];
    /// `2 T`.
    TorqueDoubled "torque_doubled" "torque doubled"
        "the torque is applied twice, or its impulse with 2 h",
        [(Torque, Of(2.0))];
    /// `T/2`.
    TorqueHalved "torque_halved" "torque halved"
        "the torque's impulse takes h/2 for h",
        [(Torque, Of(0.5))];
    /// The space components of the torque used as body components.
    SpaceTorqueInBody "space_torque_in_body" "space torque used in the body frame"
        "T = Λᵀ t is missing: J Ẇ + W × J W = T wants the torque in the body frame",
        [(TorqueTurned, Of(1.0))];
    /// The body components of the torque turned by Λᵀ as if they were space components.
    BodyTorqueInSpace "body_torque_in_space" "body torque used in the space frame"
        "T is already in the body frame; it is turned by Λᵀ once more",
        [(TorqueTurned, Of(-1.0))];
    /// The torque evaluated with Λᵀ for Λ.
    TorqueOfTranspose "torque_of_transpose" "torque evaluated with the transposed attitude"
        "the torque routine takes Λ as space → body where it is body → space",
        [(UpTurned, Of(2.0))];
    /// The lever kept in space: `T = Λᵀ t(1)`, `t(1)` the space torque of an unturned body.
    LeverNotTurned "lever_not_turned" "lever not turned with the body"
        "the space torque needs the turned lever Λ r; an energy computed with the same unturned lever does not show it",
        [(LeverTurned, Of(-1.0))];
    /// The load turning with the body: `T = T(1)`, the body torque of an unturned body.
    LoadTurnsWithBody "load_turns_with_body" "load turned with the body"
        "gravity must be turned into the body frame, Λᵀ up",
        [(UpTurned, Of(1.0))];
    /// `W × J W` missing.
    GyroscopicMissing "gyroscopic_missing" "gyroscopic term missing"
        "J Ẇ = T − W × J W in the body frame: without W × J W the energy of a free body is still exact, so no energy check shows it",
        [(Gyroscopic, Of(0.0))];
    /// `+ W × J W`.
    GyroscopicReversed "gyroscopic_reversed" "gyroscopic term of the wrong sign"
        "it is −W × J W, or + J W × W",
        [(Gyroscopic, Of(-1.0))];
    /// `2 W × J W`.
    GyroscopicDoubled "gyroscopic_doubled" "gyroscopic term doubled"
        "W × J W comes with factor 1",
        [(Gyroscopic, Of(2.0))];
    /// `½ W × J W`.
    GyroscopicHalved "gyroscopic_halved" "gyroscopic term halved"
        "W × J W comes with factor 1",
        [(Gyroscopic, Of(0.5))];
    /// The first component of `W × J W` of the wrong sign.
    GyroscopicRow1 "gyroscopic_row1" "first row of the gyroscopic term of the wrong sign"
        "written out by components, one row of W × J W has its two products exchanged",
        [(Rows, Each([-1.0, 1.0, 1.0]))];
    /// The second component of `W × J W` of the wrong sign.
    GyroscopicRow2 "gyroscopic_row2" "second row of the gyroscopic term of the wrong sign"
        "written out by components, one row of W × J W has its two products exchanged",
        [(Rows, Each([1.0, -1.0, 1.0]))];
    /// The third component of `W × J W` of the wrong sign.
    GyroscopicRow3 "gyroscopic_row3" "third row of the gyroscopic term of the wrong sign"
        "written out by components, one row of W × J W has its two products exchanged",
        [(Rows, Each([1.0, 1.0, -1.0]))];
    /// `Λ̇ = Ŵ Λ`; W by Euler's equations.
    BodyRateInSpace "body_rate_in_space" "body rate integrated in the space frame"
        "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W",
        [(RateTurned, Of(-1.0))];
    /// `Λ̇ = Ŵ Λ` with `W = J⁻¹ Λᵀ π`, `π̇ = t`.
    BodyRateInSpaceMomentum "body_rate_in_space_momentum" "body rate integrated in the space frame (momentum carried in space)"
        "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W",
        [(RateTurned, Of(-1.0)), (GyroscopicRateTurned, Of(-1.0))];
    /// `Λ̇ = Λ ω̂`, `ω = Λ W`; W by Euler's equations.
    SpaceRateInBody "space_rate_in_body" "space rate integrated in the body frame"
        "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        [(RateTurned, Of(1.0))];
    /// `Λ̇ = Λ ω̂`, ω by Euler's equations in space with `Λ J Λᵀ`.
    SpaceRateInBodyEuler "space_rate_in_body_euler" "space rate integrated in the body frame (Euler's equations in space)"
        "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        [(RateTurned, Of(1.0)), (TransportTurned, Of(1.0))];
    /// `Λ̇ = Λ ω̂`, `ω = Λ J⁻¹ Λᵀ π`, `π̇ = t`.
    SpaceRateInBodyMomentum "space_rate_in_body_momentum" "space rate integrated in the body frame (momentum carried in space)"
        "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        [(RateTurned, Of(1.0)), (GyroscopicRateTurned, Of(1.0))];
    /// `ω = J⁻¹ π`, `π̇ = t`: the inertia kept in space.
    InertiaNotTurned "inertia_not_turned" "inertia not turned with the body"
        "in the space frame the inertia is Λ J Λᵀ, in every step",
        [(DivisorTurned, Of(1.0)), (Gyroscopic, Of(0.0))];
    /// The same from the right momentum: `ω = J⁻¹ π` at the start too, which is not the given rate.
    InertiaNotTurnedStart "inertia_not_turned_start" "inertia not turned with the body (from the right momentum)"
        "in the space frame the inertia is Λ J Λᵀ, in every step",
        [];
    /// `J ω̇ = t − ω × J ω` with J kept in space.
    InertiaNotTurnedEuler "inertia_not_turned_euler" "inertia not turned with the body (Euler's equations in space)"
        "in the space frame the inertia is Λ J Λᵀ, in every step",
        [(InertiaTurned, Of(1.0))];
    /// `ω = Λᵀ J⁻¹ Λ π`, `π̇ = t`: the inertia turned the wrong way.
    InertiaTurnedBack "inertia_turned_back" "inertia turned the wrong way"
        "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ",
        [(TurnedBack, Of(1.0))];
    /// The same from the right momentum, which does not give the given rate.
    InertiaTurnedBackStart "inertia_turned_back_start" "inertia turned the wrong way (from the right momentum)"
        "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ",
        [];
    /// The products of inertia left out.
    ProductsMissing "products_missing" "products of inertia missing"
        "the off-diagonal elements of J are not used",
        [(Inertia, Products(0.0))];
    /// The products of inertia of the opposite sign.
    ProductsReversed "products_reversed" "products of inertia of the wrong sign"
        "the tensor's off-diagonal elements are −∫ x y dm; products of inertia are often listed without that sign",
        [(Inertia, Products(-1.0))];
    /// `a_i = (T − W × J W)_i / J_ii`: each element inverted by itself.
    InverseOfDiagonal "inverse_of_diagonal" "inertia inverted element by element"
        "J⁻¹ is the inverse of the matrix, not of its elements",
        [(Divisor, Products(0.0))];
    /// `Λ̇ = 2 Λ Ŵ`.
    TurnDoubled "turn_doubled" "turns twice as fast as its rate"
        "q̇ = ½ q ⊗ W: the ½ is missing",
        [(Rate, Of(2.0))];
    /// `Λ̇ = ½ Λ Ŵ`.
    TurnHalved "turn_halved" "turns half as fast as its rate"
        "q̇ = ½ q ⊗ W: the ½ is taken twice",
        [(Rate, Of(0.5))];
    /// `Λ̇ = −Λ Ŵ`.
    TurnReversed "turn_reversed" "turns against its rate"
        "the attitude turns by −W: a conjugate, or a matrix of space → body multiplied as if it were body → space",
        [(Rate, Of(-1.0))];
    /// `Λ̇ = (π/180) Λ Ŵ`.
    TurnInDegrees "turn_in_degrees" "rate taken for degrees per second"
        "the angle of the turn is multiplied by π/180",
        [(Rate, Of(core::f64::consts::PI / 180.0))];
    /// `T` and `W × J W` act, and the attitude turns, for another time than the step.
    Clock "clock" "everything runs at another pace"
        "the step that is made is not the step that is asked for: a time scale, or a unit of time",
        [(Clock, Any)];
    /// `a T` of gravity alone.
    GravityFactor "gravity_factor" "gravity multiplied by a number"
        "the weight, the lever or g is off by this factor; other torques are right",
        [(Gravity, Any)];
    /// `a T` of applied torques alone.
    PushFactor "push_factor" "applied torque multiplied by a number"
        "an applied torque is off by this factor; gravity is right",
        [(Push, Any)];
    /// An applied torque in space taken as one in the body.
    SpacePushInBody "space_push_in_body" "torque applied in space used as one in the body"
        "turn the applied torque by Λᵀ before it enters Euler's equations in the body",
        [(PushTurned, Of(1.0))];
    /// An applied torque in the body turned as if it were one in space.
    BodyPushInSpace "body_push_in_space" "torque applied in the body used as one in space"
        "the applied torque is in the body frame already",
        [(BodyPushTurned, Of(-1.0))];
    /// Gravity of the transposed attitude; other torques are right.
    GravityOfTranspose "gravity_of_transpose" "gravity evaluated with the transposed attitude"
        "the vertical is turned by Λ for Λᵀ, or the quaternion is conjugated",
        [(UpTurnedGravity, Of(2.0))];
    /// Gravity that turns with the body; other torques are right.
    GravityTurnsWithBody "gravity_turns_with_body" "gravity turns with the body"
        "the vertical is not turned into the body frame: Λᵀ up",
        [(UpTurnedGravity, Of(1.0))];
    /// Parts of the torque are turned by some other power of the attitude.
    TorqueFrame "torque_frame" "parts of the torque in a wrong frame"
        "the lever belongs to the body and the vertical to space: look at what turns each",
        [(LeverAndUpTurned, Any)];
    /// Another lever.
    Lever "lever" "another lever"
        "the lever is from the fixed point to the centre of mass, in the body frame",
        [(Lever, Any)];
    /// Another vertical.
    Up "up" "another vertical"
        "the vertical is a unit vector in the space frame",
        [(Up, Any)];
    /// Another inertia.
    Inertia "inertia" "another inertia tensor"
        "look at how the tensor is read: rows, products and their sign, the point it belongs to",
        [(Inertia, Any)];
    /// Another inertia where there is gravity.
    InertiaUnderGravity "inertia_under_gravity" "another inertia tensor where there is gravity"
        "the tensor belongs to the fixed point: is it moved to or from the centre of mass?",
        [(InertiaGravity, Any)];
    /// Another inertia divides torques.
    InertiaOfTorque "inertia_of_torque" "torques divided by another inertia"
        "J⁻¹ is not that of the J in the gyroscopic term",
        [(Divisor, Any)];
    /// The same, where there is gravity.
    InertiaOfTorqueUnderGravity "inertia_of_torque_under_gravity" "torques divided by another inertia where there is gravity"
        "J⁻¹ is not that of the J in the gyroscopic term where there is gravity",
        [(DivisorGravity, Any)];
    /// The inverse is another matrix.
    InverseOfInertia "inverse_of_inertia" "a wrong inverse of the inertia"
        "J times what is used as J⁻¹ is not the identity",
        [(Inverse, Any)];
    /// Another inertia in the gyroscopic term.
    InertiaOfGyroscopic "inertia_of_gyroscopic" "another inertia in the gyroscopic term"
        "W × J W has another J than the one that divides",
        [(GyroscopicInertia, Any)];
    /// The products of inertia left out of the gyroscopic term.
    GyroscopicProductsMissing "gyroscopic_products_missing" "products of inertia left out of the gyroscopic term"
        "W × J W is made with the diagonal of J",
        [(GyroscopicInertia, Products(0.0))];
    /// Rows of the gyroscopic term times numbers.
    GyroscopicRows "gyroscopic_rows" "rows of the gyroscopic term multiplied by numbers"
        "look at each component of W × J W",
        [(Rows, Any)];
    /// `Λ̇ = a Λ Ŵ`.
    TurnFactor "turn_factor" "turns faster or slower than its rate"
        "the angle of the turn is multiplied by a number",
        [(Rate, Any)];
    /// `Λ̇ = Λ û` with u another linear function of W.
    TurnMatrix "turn_matrix" "turns about other axes than its rate"
        "the angle of the turn is another linear function of the rate: axes exchanged or scaled",
        [(RateMatrix, Any)];
    /// `− c W`, a torque.
    DampingTorque "damping_torque" "a damping torque proportional to the rate"
        "a torque −c W is applied that is not in the problem",
        [(DampingInertia, Any)];
    /// `− c |W| W`, of the rate or a torque, or of each component.
    DampingQuadratic "damping_quadratic" "damping that grows with the rate"
        "the solver damps rotations by a law quadratic in the rate",
        [(DampingQuadratic, Any)] | [(QuadraticInertia, Any)] | [(QuadraticAxes, Any)] | [(QuadraticInertiaAxes, Any)];
    /// `− c |W|² W`.
    DampingCubic "damping_cubic" "damping that grows with the square of the rate"
        "the solver damps rotations by a law cubic in the rate",
        [(DampingCubic, Any)] | [(CubicInertia, Any)];
    /// `− c W/|W|`, of the rate or a torque, or of each component.
    Friction "friction" "dry friction"
        "the solver takes a constant part of the rate's size each second",
        [(Friction, Any)] | [(FrictionInertia, Any)] | [(FrictionAxes, Any)] | [(FrictionInertiaAxes, Any)];
    /// Another damping about each axis.
    DampingAxes "damping_axes" "damping that differs from axis to axis"
        "the solver damps the components of the body rate by different numbers",
        [(DampingAxes, Any)] | [(DampingInertiaAxes, Any)];
    /// `B W` with any matrix, of the rate or a torque: also the momentum h of a rotor, W × h.
    LinearTerm "linear_term" "a term linear in the rate"
        "something proportional to the rate is added to W' or to the torque: a rotor's momentum, a magnetic or Coriolis term",
        [(Linear, Any)] | [(LinearTorque, Any)];
    /// A torque constant in the body.
    ConstantTorqueInBody "constant_torque_in_body" "a constant torque in the body that is not in the problem"
        "look for a motor, a bias or a force that is always there",
        [(TorqueBody, Any)];
    /// A torque constant in space.
    ConstantTorqueInSpace "constant_torque_in_space" "a constant torque in space that is not in the problem"
        "look for a wind, a bias or a force that is always there",
        [(TorqueSpace, Any)];
    /// An acceleration constant in the body.
    ConstantAccelerationInBody "constant_acceleration_in_body" "a constant acceleration in the body that is not in the problem"
        "something is added to W' in the body frame",
        [(AccelerationBody, Any)];
    /// An acceleration constant in space.
    ConstantAccelerationInSpace "constant_acceleration_in_space" "a constant acceleration in space that is not in the problem"
        "something is added to the rate in the space frame: a rotating frame?",
        [(AccelerationSpace, Any)];
    /// `c J W × W` beside the torque, not divided by J.
    GyroscopicNotDivided "gyroscopic_not_divided" "a gyroscopic term that no inertia divides"
        "the torque J W × W is added to W' as it is: J⁻¹ is missing before it",
        [(Coriolis, Any)];
    /// One inertia whatever body is given.
    InertiaHardCoded "inertia_hard_coded" "an inertia that is not the given body's, whatever body is given"
        "the solver does not read the inertia, or keeps that of another body",
        [(InertiaEverywhere, Any)];
    /// The torque of the case, where it is none that every solver is asked for.
    CaseTorque "case_torque" "the torque of the case is another one"
        "compare the solver with `torque.model` of the problem, term by term (docs/exact-problems.md): each frame, factor and sign, and the rate or the momentum that it takes",
        [];
    /// Equations that are of none of these kinds.
    Unexplained "unexplained" "another equation of motion, of no known kind"
        "the measured differences say in which equation it differs",
        [];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.defect as usize, i, "{}", row.id);
            assert!(!row.name.is_empty() && !row.advice.is_empty(), "{}", row.id);
        }
    }
}
