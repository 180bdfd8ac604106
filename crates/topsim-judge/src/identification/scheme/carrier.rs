//! The variables in which a Runge–Kutta rule is written: one function for each kind.

use super::questioner::State;
use super::sphere;
use super::stages::{
    Field, carried, commutator_free, gyro, matrices, products, quaternions, rotation_vector,
};
use super::tableau::Tableau;
use crate::identification::experiment::Start;

/// The rotation of a quaternion that is not of unit length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StageMatrix {
    /// Of the unit quaternion.
    Unit,
    /// 1 − 2(y² + z²) and so on.
    OneMinus,
    /// w² + x² − y² − z² and so on.
    Homogeneous,
}

/// What stands for the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateVariable {
    /// W.
    Body,
    /// R J W.
    Momentum,
    /// R W.
    Space,
}

/// Variables of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// The quaternion, normalised after the step.
    Quaternion(RateVariable, StageMatrix),
    /// The quaternion, normalised in each stage.
    QuaternionStages(RateVariable),
    /// A rotation vector, with so many commutators of the inverse of the tangent map; 3 for all.
    RotationVector(u8),
    /// The same, all commutators, and the momentum in the frame of the start.
    RotationVectorMomentum,
    /// The matrix, made orthogonal by columns after the step.
    MatrixGramSchmidt,
    /// The matrix, made orthogonal alike in all axes.
    MatrixPolar,
    /// Products of exponentials of the stages' rates.
    Products,
    /// Products of exponentials of sums (Celledoni, Marthinsen and Owren).
    CommutatorFree,
}

/// What is taken at the start of the step in all stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrozenTerm {
    Nothing,
    Torque,
    Gyro,
}

impl Carrier {
    /// Returns true for the variables that most authors take: quaternion or matrix with the body rate, and the rotation vector.
    pub fn is_usual(self) -> bool {
        matches!(
            self,
            Self::Quaternion(RateVariable::Body, StageMatrix::Unit)
                | Self::QuaternionStages(RateVariable::Body)
                | Self::RotationVector(3)
                | Self::MatrixPolar
        )
    }

    /// All, the most common first.
    pub const ALL: [Self; 17] = {
        use RateVariable as V;
        use StageMatrix as M;
        [
            Self::Quaternion(V::Body, M::Unit),
            Self::Quaternion(V::Body, M::OneMinus),
            Self::Quaternion(V::Body, M::Homogeneous),
            Self::QuaternionStages(V::Body),
            Self::RotationVector(3),
            Self::RotationVector(0),
            Self::RotationVector(1),
            Self::RotationVector(2),
            Self::Products,
            Self::CommutatorFree,
            Self::MatrixGramSchmidt,
            Self::MatrixPolar,
            Self::Quaternion(V::Momentum, M::Unit),
            Self::Quaternion(V::Momentum, M::OneMinus),
            Self::Quaternion(V::Space, M::Unit),
            Self::Quaternion(V::Space, M::OneMinus),
            Self::RotationVectorMomentum,
        ]
    };

    /// One step.
    pub fn step(
        self,
        rule: &Tableau,
        held: FrozenTerm,
        body: &Start,
        t: f64,
        h: f64,
        from: &State,
    ) -> State {
        let field = Field {
            body,
            held,
            t,
            torque: body.torque(t, &from.0),
            gyro: gyro(body, &from.1),
        };
        match self {
            Self::Quaternion(variable, matrix) => {
                quaternions(rule, &field, h, from, variable, matrix, false)
            }
            Self::QuaternionStages(variable) => {
                quaternions(rule, &field, h, from, variable, StageMatrix::Unit, true)
            }
            Self::RotationVector(terms) => rotation_vector(rule, &field, h, from, terms),
            Self::RotationVectorMomentum => carried(rule, &field, h, from),
            Self::MatrixGramSchmidt | Self::MatrixPolar => {
                let (m, w) = matrices(rule, &field, h, from);
                let att = if self == Self::MatrixPolar {
                    sphere::polar(&m)
                } else {
                    sphere::gram_schmidt(&m)
                };
                (att, w)
            }
            Self::Products => products(rule, &field, h, from, &|row, k| {
                let turns = row.iter().zip(k).filter(|(a, _)| **a != 0.0);
                turns.map(|(a, k)| k * *a).collect()
            }),
            Self::CommutatorFree => commutator_free(rule, &field, h, from),
        }
    }

    /// What it is called; `raw` where its quaternion is never normalised, or its matrix never made orthogonal.
    pub fn name(self, raw: bool) -> String {
        let when = if raw {
            "never normalised"
        } else {
            "normalised each step"
        };
        match self {
            Self::Quaternion(v, m) => format!("(quaternion, {}), {when}{}", v.name(), m.detail()),
            Self::QuaternionStages(v) => {
                format!("(quaternion, {}), normalised in each stage", v.name())
            }
            Self::RotationVector(0) => "(rotation vector, body rate) without commutators".into(),
            Self::RotationVector(1) => "(rotation vector, body rate) with one commutator".into(),
            Self::RotationVector(2) => "(rotation vector, body rate) with two commutators".into(),
            Self::RotationVector(_) => "(rotation vector, body rate), Munthe-Kaas".into(),
            Self::RotationVectorMomentum => "(rotation vector, momentum), Munthe-Kaas".into(),
            Self::MatrixGramSchmidt | Self::MatrixPolar if raw => {
                "(matrix, body rate), never made orthogonal".into()
            }
            Self::MatrixGramSchmidt => {
                "(matrix, body rate), made orthogonal by columns each step".into()
            }
            Self::MatrixPolar => "(matrix, body rate), made orthogonal each step".into(),
            Self::Products => "products of exponentials (Crouch and Grossman)".into(),
            Self::CommutatorFree => "products of exponentials of sums (commutator-free)".into(),
        }
    }
}

impl RateVariable {
    fn name(self) -> &'static str {
        match self {
            Self::Body => "body rate",
            Self::Momentum => "space momentum",
            Self::Space => "space rate",
        }
    }
}

impl StageMatrix {
    fn detail(self) -> &'static str {
        match self {
            Self::Unit => "",
            Self::OneMinus => ", with the matrix of the unnormalised stage",
            Self::Homogeneous => {
                ", with the matrix of the unnormalised stage (homogeneous formula)"
            }
        }
    }
}
