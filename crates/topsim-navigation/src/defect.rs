//! Defects of an update, a row each.

use crate::fit::DEGREES;
use serde::Serialize;

/// Standard gravity, m/s²: a factor that is a wrong unit.
const GRAVITY: f64 = 9.80665;
/// Relative difference below which a measured factor is one with a name.
const NAMED: f64 = 1e-3;

/// Form of the sentence with the numbers of a defect.
enum Kind {
    /// Sentence without a number.
    Plain,
    /// Term with its factor.
    Term,
    /// Increments with their factor.
    Scale,
    /// Quantity with a bias, and its unit.
    Bias(&'static str),
}
use Kind::{Bias, Plain, Scale, Term};

macro_rules! navigation_defects {
    ($($(#[$doc:meta])* $name:ident $kind:expr, $words:literal;)*) => {
        /// Defect of an update.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum NavigationDefect { $($(#[$doc])* $name,)* }

        impl NavigationDefect {
            /// All defects.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            fn row(self) -> (Kind, &'static str) {
                match self { $(Self::$name => ($kind, $words),)* }
            }
        }
    };
}

navigation_defects! {
    /// The attitude turns about axes of space.
    TurnInSpace Plain, "the attitude turns about axes of space, and the increments are about axes of the body";
    /// The angles are those of one sample before.
    AnglesLate Plain, "the angle increments are used one sample late";
    /// The angles are trapezoids of rates.
    AnglesTrapezoids Plain, "the angles are trapezoids of rates; the sample has their integrals";
    /// The angles are multiplied by a number.
    AngleScale Scale, "angle increments";
    /// A bias is added to the rate, rad/s.
    AngleBias Bias("rad/s"), "rate";
    /// The coning term has another factor.
    ConingTerm Term, "coning term";
    /// The velocity increments are those of one sample before.
    VelocitiesLate Plain, "the velocity increments are used one sample late";
    /// The velocity increments are trapezoids of forces.
    VelocitiesTrapezoids Plain, "the velocity increments are trapezoids of forces; the sample has their integrals";
    /// The velocity increments are multiplied by a number.
    VelocityScale Scale, "velocity increments";
    /// A bias is added to the force, m/s².
    VelocityBias Bias("m/s²"), "specific force";
    /// The attitude at the beginning turns the whole velocity increment.
    AttitudeAtStart Plain, "the attitude at the beginning of the update turns the whole velocity increment: the rotation term ½ Θ × V is missing";
    /// The attitude at the end turns the whole velocity increment.
    AttitudeAtEnd Plain, "the attitude at the end of the update turns the whole velocity increment: it has ½ Θ × V twice";
    /// The rotation term ½ Θ × V has another factor.
    RotationTerm Term, "rotation term ½ Θ × V";
    /// The sculling term has another factor.
    ScullingTerm Term, "sculling term";
    /// Gravity has another factor in the velocity.
    Gravity Term, "gravity in the velocity";
    /// The position follows from the velocity at one end.
    EulerPosition Plain, "the position follows from the velocity at one end of the update: Euler's rule";
    /// The change of the position has another factor.
    PositionScale Term, "change of the position";
    /// Gravity has another factor in the position.
    PositionGravity Term, "gravity in the position";
    /// The velocity increments have another factor in the position.
    PositionForce Term, "part of the velocity increments in the position";
    /// The turn of the frame has another factor.
    FrameTurn Term, "turn of the frame in the attitude";
    /// The Coriolis acceleration has another factor.
    Coriolis Term, "Coriolis acceleration";
}

/// A defect with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NavigationFinding {
    /// Defect.
    pub defect: NavigationDefect,
    /// Factor or bias that the update has: one number, three of a bias, or two of a sculling term whose halves differ.
    pub numbers: Vec<f64>,
}

impl NavigationFinding {
    /// Returns what is wrong as a sentence.
    pub fn sentence(&self) -> String {
        let (kind, words) = self.defect.row();
        let is = |wanted: f64| matches!(self.numbers[..], [x] if (x - wanted).abs() < NAMED * wanted.abs().max(NAMED));
        let numbers: Vec<String> = self.numbers.iter().map(|x| format!("{x:.4}")).collect();
        match kind {
            Plain => words.into(),
            Bias(unit) => format!(
                "a bias is added to the {words}: ({}) {unit}",
                numbers.join(", ")
            ),
            Scale if is(DEGREES) => format!("the {words} are in degrees, where radians are meant"),
            Scale if is(1.0 / DEGREES) => {
                format!("the {words} are taken for degrees, and are in radians")
            }
            Scale if is(GRAVITY) || is(1.0 / GRAVITY) => {
                format!("the {words} are converted between g and m/s² once too often")
            }
            Scale => format!("the {words} are multiplied by {}", numbers.join(", ")),
            Term if is(0.0) => format!("the {words} is missing"),
            Term if is(-1.0) => format!("the {words} has the wrong sign"),
            Term if numbers.len() == 2 => format!(
                "the {words} is {} of the right one where the force changes, and {} where the rate does",
                numbers[0], numbers[1]
            ),
            Term => format!("the {words} is {} of the right one", numbers.join(", ")),
        }
    }
}
