//! Allowed values of a measured number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::verdict::Bounds;

/// A number, or one for each component of a group.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// Number for a column.
    Number(f64),
    /// Numbers for the components of a group.
    Components(Vec<f64>),
}

/// Allowed values: `value` with `abs` or `rel`, or `min` and/or `max`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AllowTable {
    /// Expected value.
    pub value: Option<Target>,
    /// Largest absolute distance from `value`.
    pub abs: Option<f64>,
    /// Largest distance from `value`, as a fraction of its size.
    pub rel: Option<f64>,
    /// Smallest value allowed.
    pub min: Option<f64>,
    /// Largest value allowed.
    pub max: Option<f64>,
}

impl AllowTable {
    /// Returns the deviation of `x` and the largest one allowed; `None` for a bound on one side, which has no unit
    /// to count digits in, unless it bounds a size: its digits count from zero.
    pub(super) fn deviation(&self, x: f64) -> Option<(f64, f64)> {
        match (&self.value, self.min, self.max) {
            (Some(Target::Number(v)), ..) => Some(((x - v).abs(), self.around(v.abs()))),
            // The measured number is the distance itself.
            (Some(Target::Components(v)), ..) => Some((x, self.around(norm(v)))),
            (None, Some(a), Some(b)) => Some(((x - 0.5 * (a + b)).abs(), 0.5 * (b - a))),
            (None, None, Some(b)) if b > 0.0 => Some((x, b)),
            _ => None,
        }
    }

    /// Tests whether `x`, known to ±`u`, is allowed; `None` where that is unknown, as for a NaN.
    pub(super) fn holds(&self, x: f64, u: f64) -> Option<bool> {
        // This is the distance beyond what is allowed.
        let beyond = match (self.deviation(x), self.min, self.max) {
            (Some((deviation, tolerance)), ..) => deviation - tolerance,
            (None, Some(a), None) => a - x,
            (None, None, Some(b)) => x - b,
            _ => return None,
        };
        if beyond + u <= 0.0 {
            Some(true)
        } else if beyond - u > 0.0 {
            Some(false)
        } else {
            None
        }
    }

    fn around(&self, size: f64) -> f64 {
        self.abs.or(self.rel.map(|r| r * size)).unwrap_or(0.0)
    }

    /// Returns the number in the middle of what is allowed, or one far on the allowed side of a bound.
    pub(super) fn centre(&self) -> f64 {
        match (&self.value, self.min, self.max) {
            (Some(Target::Number(v)), ..) => *v,
            (_, Some(a), Some(b)) => 0.5 * (a + b),
            (_, Some(a), None) => a + 1e3,
            (_, None, Some(b)) => b - 1e3,
            _ => 0.0,
        }
    }

    /// Returns the allowed interval of the measured number.
    pub fn interval(&self) -> Bounds {
        match &self.value {
            Some(Target::Number(v)) => Bounds::around(*v, self.around(v.abs())),
            Some(Target::Components(v)) => Bounds::at_most(self.around(norm(v))),
            None => Bounds::new(self.min, self.max),
        }
    }

    /// Describes what is allowed, for people.
    pub fn describe(&self) -> String {
        let tolerance = match (self.abs, self.rel) {
            (Some(a), _) => plain(a),
            (None, Some(r)) => percent(r),
            _ => "0".into(),
        };
        match (&self.value, self.min, self.max) {
            (Some(Target::Number(v)), ..) => format!("{} ± {tolerance}", plain(*v)),
            (Some(Target::Components(_)), ..) => format!("distance ≤ {tolerance}"),
            (None, Some(a), Some(b)) => format!("{} … {}", plain(a), plain(b)),
            (None, Some(a), None) => format!("≥ {}", plain(a)),
            (None, None, Some(b)) => format!("≤ {}", plain(b)),
            (None, None, None) => "nothing".into(),
        }
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Formats a ratio in percent, without the round-off of the product.
fn percent(ratio: f64) -> String {
    let x = 100.0 * ratio;
    format!("{} %", plain(format!("{x:.9e}").parse().unwrap_or(x)))
}

/// Formats a number with the shortest digits that read back, scientific where zeros would pile up.
fn plain(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}
