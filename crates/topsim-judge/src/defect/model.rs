//! Defects of models: wrong equations of motion, and right ones with a wrong number in them.
//!
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, Λ̇ = Λ û, Ẇ = a. The right
//! model has `u = W`, `a = J⁻¹(T − W × J W)`.

/// What is wrong with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ModelDefect {
    /// Another initial rate than the case's.
    AnotherStart,
    /// `a T` with some other a.
    TorqueFactor,
    /// `a W × J W` with some other a.
    GyroscopicFactor,
    /// `− c J W` with a positive c.
    Damping,
    /// `− c J W` with a negative c.
    Excitation,
    /// `T` missing.
    TorqueMissing,
    /// `−T`: also gravity, or the lever, of the opposite sign.
    TorqueReversed,
    /// `2 T`.
    TorqueDoubled,
    /// `T/2`.
    TorqueHalved,
    /// The space components of the torque used as body components.
    SpaceTorqueInBody,
    /// The body components of the torque turned by Λᵀ as if they were space components.
    BodyTorqueInSpace,
    /// The torque evaluated with Λᵀ for Λ.
    TorqueOfTranspose,
    /// The lever kept in space: `T = Λᵀ t(1)`, `t(1)` the space torque of an unturned body.
    LeverNotTurned,
    /// The load turning with the body: `T = T(1)`, the body torque of an unturned body.
    LoadTurnsWithBody,
    /// `W × J W` missing.
    GyroscopicMissing,
    /// `+ W × J W`.
    GyroscopicReversed,
    /// `2 W × J W`.
    GyroscopicDoubled,
    /// `½ W × J W`.
    GyroscopicHalved,
    /// The first component of `W × J W` of the wrong sign.
    GyroscopicRow1,
    /// The second component of `W × J W` of the wrong sign.
    GyroscopicRow2,
    /// The third component of `W × J W` of the wrong sign.
    GyroscopicRow3,
    /// `Λ̇ = Ŵ Λ`; W by Euler's equations.
    BodyRateInSpace,
    /// `Λ̇ = Ŵ Λ` with `W = J⁻¹ Λᵀ π`, `π̇ = t`.
    BodyRateInSpaceMomentum,
    /// `Λ̇ = Λ ω̂`, `ω = Λ W`; W by Euler's equations.
    SpaceRateInBody,
    /// `Λ̇ = Λ ω̂`, ω by Euler's equations in space with `Λ J Λᵀ`.
    SpaceRateInBodyEuler,
    /// `Λ̇ = Λ ω̂`, `ω = Λ J⁻¹ Λᵀ π`, `π̇ = t`.
    SpaceRateInBodyMomentum,
    /// `ω = J⁻¹ π`, `π̇ = t`: the inertia kept in space.
    InertiaNotTurned,
    /// The same from the right momentum: `ω = J⁻¹ π` at the start too, which is not the given rate.
    InertiaNotTurnedStart,
    /// `J ω̇ = t − ω × J ω` with J kept in space.
    InertiaNotTurnedEuler,
    /// `ω = Λᵀ J⁻¹ Λ π`, `π̇ = t`: the inertia turned the wrong way.
    InertiaTurnedBack,
    /// The same from the right momentum, which does not give the given rate.
    InertiaTurnedBackStart,
    /// The products of inertia left out.
    ProductsMissing,
    /// The products of inertia of the opposite sign.
    ProductsReversed,
    /// `a_i = (T − W × J W)_i / J_ii`: each element inverted by itself.
    InverseOfDiagonal,
    /// `Λ̇ = 2 Λ Ŵ`.
    TurnDoubled,
    /// `Λ̇ = ½ Λ Ŵ`.
    TurnHalved,
    /// `Λ̇ = −Λ Ŵ`.
    TurnReversed,
    /// `Λ̇ = (π/180) Λ Ŵ`.
    TurnInDegrees,
}

/// The row of a model's defect.
#[derive(Debug)]
pub(crate) struct ModelRow {
    pub defect: ModelDefect,
    pub id: &'static str,
    pub name: &'static str,
    /// What it means, and where to look in the solver.
    pub advice: &'static str,
    pub effect: Effect,
}

/// What a defect does to the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Effect {
    /// It is found by fitting a number.
    Fitted,
    /// It replaces terms.
    Terms(Terms),
}

/// The terms of the equations of motion as a solver has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Terms {
    pub torque: TorqueTerm,
    pub gyroscopic: GyroscopicTerm,
    pub turn: TurnTerm,
    pub inertia: InertiaTerm,
}

/// The terms of the right model.
pub(crate) const RIGHT: Terms = Terms {
    torque: TorqueTerm::Right,
    gyroscopic: GyroscopicTerm::Right,
    turn: TurnTerm::Right,
    inertia: InertiaTerm::Right,
};

/// The body torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TorqueTerm {
    /// T.
    Right,
    /// None.
    Missing,
    /// −T.
    Reversed,
    /// T times a number.
    Times(f64),
    /// Its space components, taken as body components.
    SpaceInBody,
    /// Its body components, turned by Λᵀ as if they were space components.
    BodyInSpace,
    /// T of Λᵀ.
    OfTranspose,
    /// Λᵀ t of an unturned body.
    LeverNotTurned,
    /// T of an unturned body.
    LoadTurnsWithBody,
}

/// J Ẇ without the torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GyroscopicTerm {
    /// J W × W.
    Right,
    /// None.
    Missing,
    /// Of the opposite sign.
    Reversed,
    /// Times a number.
    Times(f64),
    /// One component, from 0, of the opposite sign.
    RowReversed(usize),
    /// What keeps π = Λ J W with the turn that is made: π̇ = t.
    OfSpatialMomentum,
    /// ω = Λ W obeys Euler's equations in space.
    OfSpaceRate,
}

/// The turn u.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TurnTerm {
    /// W.
    Right,
    /// Λᵀ W: a body rate multiplied from the left.
    BodyInSpace,
    /// Λ W: a space rate multiplied from the right.
    SpaceInBody,
    /// W times a number.
    Times(f64),
    /// −W.
    Reversed,
}

/// How the inertia is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InertiaTerm {
    /// As it is.
    Right,
    /// ω = J⁻¹ π.
    NotTurned(StartFrom),
    /// Euler's equations in space with J.
    NotTurnedEuler,
    /// ω = Λᵀ J⁻¹ Λ π.
    TurnedBack(StartFrom),
    /// Without its products.
    ProductsMissing,
    /// Its products of the opposite sign.
    ProductsReversed,
    /// Each element of the diagonal inverted by itself.
    InverseOfDiagonal,
}

/// What a model with a wrong inertia starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartFrom {
    /// The given rate.
    Rate,
    /// The right momentum, which is another rate.
    Momentum,
}

impl TorqueTerm {
    /// The number that the torque is multiplied by, where that is all.
    pub fn factor(self) -> Option<f64> {
        match self {
            Self::Missing => Some(0.0),
            Self::Reversed => Some(-1.0),
            Self::Times(x) => Some(x),
            _ => None,
        }
    }
}

impl GyroscopicTerm {
    /// The number that the term is multiplied by, where that is all.
    pub fn factor(self) -> Option<f64> {
        match self {
            Self::Missing => Some(0.0),
            Self::Reversed => Some(-1.0),
            Self::Times(x) => Some(x),
            _ => None,
        }
    }
}

impl ModelDefect {
    /// All, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|r| r.defect)
    }
    /// Those with equations of motion of their own, in the order of the table.
    pub fn wrong_equations() -> impl Iterator<Item = Self> {
        Self::all().filter(|d| d.terms().is_some())
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
    /// Its equations of motion, unless it is found by fitting a number.
    pub(crate) fn terms(self) -> Option<Terms> {
        match self.row().effect {
            Effect::Terms(terms) => Some(terms),
            Effect::Fitted => None,
        }
    }
}

/// All defects of models, in the order of the enum.
static ROWS: &[ModelRow] = &[
    ModelRow {
        defect: ModelDefect::AnotherStart,
        id: "another_start",
        name: "another initial rate; the equations are right",
        advice: "look at how the initial rate is read",
        effect: Effect::Fitted,
    },
    ModelRow {
        defect: ModelDefect::TorqueFactor,
        id: "torque_factor",
        name: "torque multiplied by a number",
        advice: "a unit, a weight or a lever is off by this factor, or the torque acts for another time than the step",
        effect: Effect::Fitted,
    },
    ModelRow {
        defect: ModelDefect::GyroscopicFactor,
        id: "gyroscopic_factor",
        name: "gyroscopic term multiplied by a number",
        advice: "W × J W comes with factor 1",
        effect: Effect::Fitted,
    },
    ModelRow {
        defect: ModelDefect::Damping,
        id: "damping",
        name: "damping",
        advice: "the solver damps rotations; engines do so by default: set angular damping to zero",
        effect: Effect::Fitted,
    },
    ModelRow {
        defect: ModelDefect::Excitation,
        id: "excitation",
        name: "the rate grows by itself",
        advice: "something adds to the rotation that is not in the problem",
        effect: Effect::Fitted,
    },
    ModelRow {
        defect: ModelDefect::TorqueMissing,
        id: "torque_missing",
        name: "torque missing",
        advice: "no torque acts at all: is it applied, and in each step?",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::Missing,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TorqueReversed,
        id: "torque_reversed",
        name: "torque of the wrong sign",
        advice: "look at the order of the cross product (lever × force), the sign of gravity and of the lever; these three are the same motion on every problem",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::Reversed,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TorqueDoubled,
        id: "torque_doubled",
        name: "torque doubled",
        advice: "the torque is applied twice, or its impulse with 2 h",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::Times(2.0),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TorqueHalved,
        id: "torque_halved",
        name: "torque halved",
        advice: "the torque's impulse takes h/2 for h",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::Times(0.5),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::SpaceTorqueInBody,
        id: "space_torque_in_body",
        name: "space torque used in the body frame",
        advice: "T = Λᵀ t is missing: J Ẇ + W × J W = T wants the torque in the body frame",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::SpaceInBody,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::BodyTorqueInSpace,
        id: "body_torque_in_space",
        name: "body torque used in the space frame",
        advice: "T is already in the body frame; it is turned by Λᵀ once more",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::BodyInSpace,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TorqueOfTranspose,
        id: "torque_of_transpose",
        name: "torque evaluated with the transposed attitude",
        advice: "the torque routine takes Λ as space → body where it is body → space",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::OfTranspose,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::LeverNotTurned,
        id: "lever_not_turned",
        name: "lever not turned with the body",
        advice: "the space torque needs the turned lever Λ r; an energy computed with the same unturned lever does not show it",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::LeverNotTurned,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::LoadTurnsWithBody,
        id: "load_turns_with_body",
        name: "load turned with the body",
        advice: "gravity must be turned into the body frame, Λᵀ up",
        effect: Effect::Terms(Terms {
            torque: TorqueTerm::LoadTurnsWithBody,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicMissing,
        id: "gyroscopic_missing",
        name: "gyroscopic term missing",
        advice: "J Ẇ = T − W × J W in the body frame: without W × J W the energy of a free body is still exact, so no energy check shows it",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::Missing,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicReversed,
        id: "gyroscopic_reversed",
        name: "gyroscopic term of the wrong sign",
        advice: "it is −W × J W, or + J W × W",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::Reversed,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicDoubled,
        id: "gyroscopic_doubled",
        name: "gyroscopic term doubled",
        advice: "W × J W comes with factor 1",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::Times(2.0),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicHalved,
        id: "gyroscopic_halved",
        name: "gyroscopic term halved",
        advice: "W × J W comes with factor 1",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::Times(0.5),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicRow1,
        id: "gyroscopic_row1",
        name: "first row of the gyroscopic term of the wrong sign",
        advice: "written out by components, one row of W × J W has its two products exchanged",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::RowReversed(0),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicRow2,
        id: "gyroscopic_row2",
        name: "second row of the gyroscopic term of the wrong sign",
        advice: "written out by components, one row of W × J W has its two products exchanged",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::RowReversed(1),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::GyroscopicRow3,
        id: "gyroscopic_row3",
        name: "third row of the gyroscopic term of the wrong sign",
        advice: "written out by components, one row of W × J W has its two products exchanged",
        effect: Effect::Terms(Terms {
            gyroscopic: GyroscopicTerm::RowReversed(2),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::BodyRateInSpace,
        id: "body_rate_in_space",
        name: "body rate integrated in the space frame",
        advice: "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::BodyInSpace,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::BodyRateInSpaceMomentum,
        id: "body_rate_in_space_momentum",
        name: "body rate integrated in the space frame (momentum carried in space)",
        advice: "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); from the left belongs the space rate ω = Λ W",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::BodyInSpace,
            gyroscopic: GyroscopicTerm::OfSpatialMomentum,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::SpaceRateInBody,
        id: "space_rate_in_body",
        name: "space rate integrated in the body frame",
        advice: "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::SpaceInBody,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::SpaceRateInBodyEuler,
        id: "space_rate_in_body_euler",
        name: "space rate integrated in the body frame (Euler's equations in space)",
        advice: "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::SpaceInBody,
            gyroscopic: GyroscopicTerm::OfSpaceRate,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::SpaceRateInBodyMomentum,
        id: "space_rate_in_body_momentum",
        name: "space rate integrated in the body frame (momentum carried in space)",
        advice: "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::SpaceInBody,
            gyroscopic: GyroscopicTerm::OfSpatialMomentum,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InertiaNotTurned,
        id: "inertia_not_turned",
        name: "inertia not turned with the body",
        advice: "in the space frame the inertia is Λ J Λᵀ, in every step",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::NotTurned(StartFrom::Rate),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InertiaNotTurnedStart,
        id: "inertia_not_turned_start",
        name: "inertia not turned with the body (from the right momentum)",
        advice: "in the space frame the inertia is Λ J Λᵀ, in every step",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::NotTurned(StartFrom::Momentum),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InertiaNotTurnedEuler,
        id: "inertia_not_turned_euler",
        name: "inertia not turned with the body (Euler's equations in space)",
        advice: "in the space frame the inertia is Λ J Λᵀ, in every step",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::NotTurnedEuler,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InertiaTurnedBack,
        id: "inertia_turned_back",
        name: "inertia turned the wrong way",
        advice: "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::TurnedBack(StartFrom::Rate),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InertiaTurnedBackStart,
        id: "inertia_turned_back_start",
        name: "inertia turned the wrong way (from the right momentum)",
        advice: "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::TurnedBack(StartFrom::Momentum),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::ProductsMissing,
        id: "products_missing",
        name: "products of inertia missing",
        advice: "the off-diagonal elements of J are not used",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::ProductsMissing,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::ProductsReversed,
        id: "products_reversed",
        name: "products of inertia of the wrong sign",
        advice: "the tensor's off-diagonal elements are −∫ x y dm; products of inertia are often listed without that sign",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::ProductsReversed,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::InverseOfDiagonal,
        id: "inverse_of_diagonal",
        name: "inertia inverted element by element",
        advice: "J⁻¹ is the inverse of the matrix, not of its elements",
        effect: Effect::Terms(Terms {
            inertia: InertiaTerm::InverseOfDiagonal,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TurnDoubled,
        id: "turn_doubled",
        name: "turns twice as fast as its rate",
        advice: "q̇ = ½ q ⊗ W: the ½ is missing",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::Times(2.0),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TurnHalved,
        id: "turn_halved",
        name: "turns half as fast as its rate",
        advice: "q̇ = ½ q ⊗ W: the ½ is taken twice",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::Times(0.5),
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TurnReversed,
        id: "turn_reversed",
        name: "turns against its rate",
        advice: "the attitude turns by −W: a conjugate, or a matrix of space → body multiplied as if it were body → space",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::Reversed,
            ..RIGHT
        }),
    },
    ModelRow {
        defect: ModelDefect::TurnInDegrees,
        id: "turn_in_degrees",
        name: "rate taken for degrees per second",
        advice: "the angle of the turn is multiplied by π/180",
        effect: Effect::Terms(Terms {
            turn: TurnTerm::Times(core::f64::consts::PI / 180.0),
            ..RIGHT
        }),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.defect as usize, i, "{}", row.id);
            assert!(!row.name.is_empty() && !row.advice.is_empty(), "{}", row.id);
        }
        assert_eq!(ModelDefect::wrong_equations().count(), 33);
    }
}
