//! Classes of the causes of broken relations, each with the defects of it.

use schemars::JsonSchema;
use serde::Serialize;
use topsim_model::defect::{Defect, ModelDefect as M, SchemeDefect as S};

macro_rules! classes {
    ($($variant:ident $says:literal [$($kind:ident::$defect:ident)*];)*) => {
        /// Class of the cause of broken relations.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum CauseClass {
            $(#[doc = $says] $variant,)*
        }

        impl CauseClass {
            /// In words.
            pub fn says(self) -> &'static str {
                match self { $(Self::$variant => $says,)* }
            }
            /// Whether a defect is of this class: it breaks the relations of the class, and is excluded where they hold.
            pub fn has(self, defect: Defect) -> bool {
                match self {
                    $(Self::$variant => {
                        let known: &[Defect] = &[$(classes!(@ $kind $defect)),*];
                        known.contains(&defect)
                    })*
                }
            }
        }
    };
    (@ M $defect:ident) => { Defect::Model(M::$defect) };
    (@ S $defect:ident) => { Defect::Scheme(S::$defect) };
}

classes! {
    Damping "a torque of the rate: damping, friction"
        [M::Damping M::Excitation M::DampingTorque M::DampingAxes M::Friction M::LinearTerm];
    MixedFrames "frames mixed: a vector of space used in the body, or of the body in space"
        [M::SpaceTorqueInBody M::BodyTorqueInSpace M::TorqueOfTranspose M::LeverNotTurned M::LoadTurnsWithBody
         M::BodyRateInSpace M::SpaceRateInBody M::GyroscopicRateFrame M::InertiaNotTurned M::InertiaTurnedBack M::SpacePushInBody
         M::SpacePushTwice M::BodyPushInSpace M::GravityOfTranspose M::GravityTurnsWithBody M::TorqueFrame];
    SpaceAxes "the axes of space: a direction that is fixed in the code, Euler angles"
        [M::ConstantTorqueInSpace M::ConstantAccelerationInSpace M::Up M::MatrixEntry S::AxesOfSpace S::HalfTurn];
    BodyAxes "the axes of the body: the tensor's products, its diagonal form, or the order of its moments"
        [M::ProductsMissing M::ProductsReversed M::InverseOfDiagonal M::GyroscopicProductsMissing M::GyroscopicRows
         M::TurnMatrix M::InverseOfInertia M::InertiaHardCoded M::ConstantTorqueInBody
         M::ConstantAccelerationInBody];
    Signs "signs of components of the body: an absolute value, or one sign in a formula by components"
        [M::ConstantTorqueInBody M::ConstantAccelerationInBody];
    AbsoluteRate "an absolute rate or time: a cap, an absolute tolerance, a hard-coded step, a switch at small rates"
        [S::RateLimit S::Sleep S::FixedStep S::StepLimit S::StepRounded S::StepCarried M::AccelerationLimit M::ConstantAccelerationInBody
         M::ConstantAccelerationInSpace M::ConstantTorqueInBody M::ConstantTorqueInSpace];
    AbsoluteInertia "an absolute inertia or torque: a threshold below which a body is another one"
        [M::InertiaHardCoded M::GyroscopicLimit M::TorqueLimit M::ConstantTorqueInBody M::ConstantTorqueInSpace];
    LeverAndUp "how lever, weight and vertical are read"
        [M::Lever M::Up];
    Dissipation "dissipation that does not vanish with the step"
        [S::PerStep M::DampingQuadratic M::DampingCubic];
    HiddenState "state that rows do not hold: a lag, a warm start, a clock of its own"
        [S::StaleTerm S::TermHeld S::MultistepStart S::TorqueNotCleared];
    Coupling "the coupling of rate and attitude: the gyroscopic term, or the turn by the rate"
        [M::GyroscopicFactor M::GyroscopicMissing M::GyroscopicReversed M::GyroscopicDoubled M::GyroscopicHalved M::GyroscopicLimit
         M::TurnDoubled M::TurnHalved M::TurnReversed M::TurnInDegrees M::TurnFactor M::InertiaOfGyroscopic
         M::GyroscopicNotDivided];
    Translation "translation that leaks into the rotation" [];
    DampingLaw "the law of damping" [M::DampingQuadratic M::DampingCubic];
}
