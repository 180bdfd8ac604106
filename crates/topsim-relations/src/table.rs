//! The relations, each a row: its id, what it says, the images that it poses, and what a failure means.

use crate::cause::CauseClass;
use crate::image::{Image, ImageSource};
use crate::images;
use crate::not_applicable::NotApplicable;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use topsim_core::models::Symmetry;

/// The row of a relation.
pub(crate) struct Row {
    pub id: &'static str,
    /// What is done to the problem, and what must follow.
    pub says: &'static str,
    /// What fails it.
    pub finds: &'static str,
    pub class: CauseClass,
    /// The images of a motion.
    pub pose: fn(&ImageSource) -> Result<Vec<Image>, NotApplicable>,
}

macro_rules! relations {
    ($($variant:ident $id:literal $class:ident $pose:ident $says:literal $finds:literal;)*) => {
        /// An exact relation between a motion and its image.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Relation {
            $(#[doc = $says] $variant,)*
        }

        static ROWS: &[Row] = &[$(Row {
            id: $id,
            says: $says,
            finds: $finds,
            class: CauseClass::$class,
            pose: images::$pose,
        }),*];

        impl Relation {
            /// All, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        }
    };
}

relations! {
    SpaceTurn "space_turn" SpaceAxes space_turn
        "space turned with all that is fixed in it: the motion turns with it"
        "frames mixed, damping about axes of space, Euler angles";
    Azimuth "azimuth" SpaceAxes azimuth
        "turned about the vertical: the motion turns with it"
        "frames mixed, Euler angles about a fixed axis";
    BodyTurn "body_turn" BodyAxes body_turn
        "other axes in the body: the same motion in these axes"
        "a tensor diagonalised badly, products of inertia dropped, axes transposed";
    BodyPermute "body_permute" BodyAxes body_permute
        "body axes renamed: the same motion under the new names"
        "moments sorted without their axes";
    HalfTurn "half_turn" Signs half_turn
        "half a turn of the body about a principal axis: the same motion"
        "a component's sign that is lost, one sign in a formula by components";
    Mirror "mirror" Signs mirror
        "the mirror image of body, start and torque: the mirror image of the motion"
        "a left-handed formula, a sign of a component that is lost";
    TimeScale "time_scale" AbsoluteRate time_scale
        "rates, torques and steps on another scale of time: the same path on that scale"
        "damping, caps of the rate, absolute tolerances, switches at small rates";
    InertiaScale "inertia_scale" AbsoluteInertia inertia_scale
        "inertia and torque multiplied by one number: the same motion"
        "absolute thresholds of inertia or torque";
    LeverWeight "lever_weight" LeverAndUp lever_weight
        "half the lever reversed, twice the weight, up reversed: the same torque"
        "sign conventions of lever and up, a lever that is normalised";
    TimeReversal "time_reversal" Dissipation time_reversal
        "from the last state with the rate reversed: back to the start"
        "dissipation that does not vanish with the step";
    Restart "restart" HiddenState restart
        "started again from a row in the middle: the same rows from there on"
        "state that the rows do not hold: a lag, a warm start, a clock";
    InertiaShift "inertia_shift" Coupling inertia_shift
        "inverse inertia plus a number, the momentum kept: the path turns about it at a constant rate"
        "the coupling of rate and attitude, the gyroscopic term";
    SpinShift "spin_shift" Coupling spin_shift
        "another axial moment, the axial momentum kept: the same path with another spin"
        "an axial rate that is treated apart";
    Boost "boost" Translation boost
        "another place and velocity of the mass centre: the same rotation"
        "translation that leaks into the rotation";
    Clock "clock" DampingLaw clock
        "damping along the momentum: at its end the free motion of another time"
        "the wrong law of damping";
    Sphere "sphere" Coupling sphere
        "the body made a sphere: it turns uniformly"
        "a gyroscopic term that does not vanish, the attitude's update";
    PrincipalAxis "principal_axis" Coupling principal_axis
        "started about its axis of largest inertia: it turns uniformly"
        "a gyroscopic term that does not vanish, a tensor that is not the body's";
}

impl Relation {
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
    /// A name that does not change.
    pub fn id(self) -> &'static str {
        self.row().id
    }
    /// What is done to the problem, and what must follow.
    pub fn says(self) -> &'static str {
        self.row().says
    }
    /// What fails it.
    pub fn finds(self) -> &'static str {
        self.row().finds
    }
    /// Returns the symmetry of an opaque torque that it rests on; none where the torque itself must be known.
    pub(crate) fn symmetry(self) -> Option<Symmetry> {
        match self {
            Self::TimeReversal => Some(Symmetry::TimeReversal),
            Self::SpaceTurn => Some(Symmetry::SpaceTurn),
            Self::Azimuth => Some(Symmetry::Azimuth),
            Self::HalfTurn => Some(Symmetry::HalfTurn),
            Self::Mirror => Some(Symmetry::Mirror),
            _ => None,
        }
    }
    /// The class of the cause of a failure.
    pub fn class(self) -> CauseClass {
        self.row().class
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Relation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Relation {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Relation".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let ids: Vec<&str> = Self::ALL.iter().map(|r| r.id()).collect();
        schemars::json_schema!({
            "description": "A relation between a motion and its image.",
            "type": "string",
            "enum": ids,
        })
    }
}

/// No relation has this id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no relation is called `{0}`")]
pub struct UnknownRelation(pub String);

impl FromStr for Relation {
    type Err = UnknownRelation;
    fn from_str(text: &str) -> Result<Self, UnknownRelation> {
        let found = Self::ALL.iter().find(|r| r.id() == text);
        found.copied().ok_or_else(|| UnknownRelation(text.into()))
    }
}
