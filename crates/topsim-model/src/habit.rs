//! Habits: changes of the rate in each step beside the scheme.

use crate::law::{Change, LawTerm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::Vec3;

/// Factor of the rate once a step of `h`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// None.
    #[default]
    None,
    /// 1 − c h.
    Linear(f64),
    /// exp(−c h).
    Exponential(f64),
    /// 1/(1 + c h).
    Inverse(f64),
    /// 1 − c, whatever the step.
    Constant(f64),
}

/// Change of the rate in each step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Habit {
    /// Factor of the rate.
    pub factor: Factor,
    /// True if it is done after the attitude has turned, and false where the new rate turns it.
    pub after: bool,
}

impl Factor {
    /// Returns the law that the factor is, as steps become short; none of what acts once a step, whatever its length.
    #[must_use]
    pub fn law(self) -> Option<Change> {
        let (Self::Linear(c) | Self::Exponential(c) | Self::Inverse(c)) = self else {
            return None;
        };
        Some(Change::new(LawTerm::Damping, vec![c]))
    }
}

impl Habit {
    /// Returns true if nothing is done.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.factor == Factor::None
    }

    /// Returns the rate after a step of `h`.
    #[must_use]
    pub fn apply(&self, w: Vec3, h: f64) -> Vec3 {
        w * match self.factor {
            Factor::None => 1.0,
            Factor::Linear(c) => 1.0 - c * h,
            Factor::Exponential(c) => (-c * h).exp(),
            Factor::Inverse(c) => 1.0 / (1.0 + c * h),
            Factor::Constant(c) => 1.0 - c,
        }
    }
}
