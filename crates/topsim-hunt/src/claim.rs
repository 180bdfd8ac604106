//! Claims that must hold on every problem, and the room with which they do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Claim on a solver that must hold on every problem. The first that fails names a finding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HuntClaim {
    /// A problem like those that it answers is answered with finite states.
    Answer,
    /// The errors fall with the step until rounding is left.
    Limit,
    /// A solver that is exact on ordinary problems is exact.
    Exact,
    /// The errors fall with the order of ordinary problems, or the one that is claimed.
    Order,
    /// The momentum is kept as on ordinary problems.
    Momentum,
    /// The energy is.
    Energy,
    /// The same motion in another unit of time is the same.
    TimeScale,
    /// The same motion in another unit of mass is.
    InertiaScale,
    /// With half the weight on twice the lever, and so on.
    LeverWeight,
    /// In space turned about the vertical, or in any way where there is none.
    SpaceTurn,
    /// In other axes of the body.
    BodyTurn,
    /// In a mirror.
    Mirror,
}

impl HuntClaim {
    /// All, the plainest first.
    pub const ALL: [Self; 12] = [
        Self::Answer,
        Self::Limit,
        Self::Exact,
        Self::Order,
        Self::Momentum,
        Self::Energy,
        Self::TimeScale,
        Self::InertiaScale,
        Self::LeverWeight,
        Self::SpaceTurn,
        Self::BodyTurn,
        Self::Mirror,
    ];

    /// Its name in options and ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Limit => "limit",
            Self::Exact => "exact",
            Self::Order => "order",
            Self::Momentum => "momentum",
            Self::Energy => "energy",
            Self::TimeScale => "time_scale",
            Self::InertiaScale => "inertia_scale",
            Self::LeverWeight => "lever_weight",
            Self::SpaceTurn => "space_turn",
            Self::BodyTurn => "body_turn",
            Self::Mirror => "mirror",
        }
    }
}

/// Quantity of a number of a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MarginQuantity {
    /// Runs without finite states.
    Failures,
    /// The error of the attitude, rad.
    Attitude,
    /// The error of the rate, in parts of the largest rate.
    Rate,
    /// The largest error, in units of what rounding may make.
    Rounding,
    /// The order of the attitude.
    AttitudeOrder,
    /// The order of the rate.
    RateOrder,
    /// The order of what half the step changes.
    HalfStepOrder,
    /// A relative change of what is kept.
    Change,
    /// Difference of a motion and its image, relative.
    Difference,
    /// Change by half the step: of the attitude in rad, or the rate in parts of the largest, whichever is more.
    HalfStep,
}

impl MarginQuantity {
    /// Returns the name of its order; `None` for quantities that a scheme may keep better than its order.
    pub(crate) fn order(self) -> Option<Self> {
        match self {
            Self::Attitude => Some(Self::AttitudeOrder),
            Self::Rate => Some(Self::RateOrder),
            Self::HalfStep => Some(Self::HalfStepOrder),
            _ => None,
        }
    }
}

/// A claim on a problem: it holds where `room` is positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Margin {
    /// Which.
    pub claim: HuntClaim,
    /// Quantity of the numbers.
    pub quantity: MarginQuantity,
    /// Decades between what was measured and what is allowed.
    pub room: f64,
    /// Measured number.
    pub measured: f64,
    /// Allowed number.
    pub allowed: f64,
}

impl Margin {
    /// Something of which little is allowed.
    pub(crate) fn least(
        claim: HuntClaim,
        quantity: MarginQuantity,
        measured: f64,
        allowed: f64,
    ) -> Self {
        let room = (allowed / measured.max(f64::MIN_POSITIVE)).log10();
        Self {
            claim,
            quantity,
            // NaN fails.
            room: if room.is_nan() {
                f64::NEG_INFINITY
            } else {
                room
            },
            measured,
            allowed,
        }
    }
    /// Returns true if it holds.
    pub fn holds(&self) -> bool {
        self.room >= 0.0
    }
}
