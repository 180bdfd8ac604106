//! Metrics: each is one variant of [`Metric`], whose fields are its parameters in tolerance files; its doc comment is its
//! page in the documentation.

mod needs;
mod read;
mod rules;
#[cfg(test)]
mod tests;

pub use needs::{Needs, StepFact};
pub(super) use read::SelectedRuns;

use super::{RunTime, at_end, attitude};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::{IntoStaticStr, VariantNames};

/// Measured number. A quantity is a column of the history (`H`, `W3`, `pi_z`, …) or a group of
/// columns (`attitude`, `W`, `pi`, `axis3`).
#[derive(Debug, Clone, Deserialize, JsonSchema, IntoStaticStr, VariantNames)]
#[serde(tag = "metric", rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum Metric {
    /// Value of a quantity at a time. A group is compared by its distance from the value given.
    Value {
        /// Column or group.
        quantity: String,
        /// Time of the value.
        at: RunTime,
    },
    /// Smallest or largest value over every step (tracked columns) or sample.
    Extreme {
        /// Column.
        quantity: String,
        /// End of the range.
        which: Side,
    },
    /// Largest deviation from the initial value over every step (tracked columns) or sample.
    MaxDrift {
        /// Column, or group (its worst component).
        quantity: String,
        /// Divisor of the deviation; absolute without it.
        scale: Option<DriftScale>,
        /// Keeps the sign of the deviation (default false).
        #[serde(default)]
        signed: bool,
    },
    /// Slope of the least-squares line through every step, per second, divided by h to a power.
    DriftRate {
        /// Tracked column.
        quantity: String,
        /// Power of h that the slope is divided by (default 0).
        #[serde(default)]
        power: u32,
        /// Period of an oscillation, s: it is then fitted to the samples together with the line,
        /// whose slope it would change.
        period: Option<f64>,
    },
    /// Power of h by which the drift rate falls: slopes of the last two pairs of the step ladder.
    DriftPower {
        /// Tracked column.
        quantity: String,
        /// Period of an oscillation that is fitted too, s, as for `drift_rate`.
        period: Option<f64>,
    },
    /// Half the range of the samples after their linear trend is removed, divided by h to a power.
    Oscillation {
        /// Column.
        quantity: String,
        /// Power of h that it is divided by (default 0).
        #[serde(default)]
        power: u32,
        /// Period of a wave, s: its amplitude is then measured instead of half the range.
        period: Option<f64>,
    },
    /// Distance from the reference.
    Error {
        /// Column or group.
        quantity: String,
        /// Time of the error; `"worst"` for the largest over the samples.
        at: RunTime,
        /// Norm of attitudes (default geodesic).
        norm: Option<Norm>,
        /// Divisor of the error (default 1).
        #[serde(default = "one")]
        scale: f64,
    },
    /// Order of convergence: slopes of the error over the last two pairs of the step ladder that
    /// stand above the round-off floor.
    Order {
        /// Column or group.
        quantity: String,
        /// Time of the error (default end).
        #[serde(default = "at_end")]
        at: RunTime,
    },
    /// Distance from the reference of what the runs tend to as the step goes to 0: Richardson's extrapolation over the step
    /// ladder. For an attitude it is the Frobenius norm over √2, which is the angle where that is small.
    Limit {
        /// Column or group.
        quantity: String,
        /// Time of the comparison (default end); all steps must meet it.
        #[serde(default = "at_end")]
        at: RunTime,
        /// The lowest power of h in the error; this one and those above it are removed, one with each step but the first.
        #[schemars(range(min = 1))]
        order: u8,
    },
    /// Time of an event, s.
    EventTime {
        /// Name of an `[[event]]` of the case.
        event: String,
        /// Number of the event, counted from 1 (default 1).
        #[serde(default = "first")]
        occurrence: u32,
    },
    /// Value of a column at an event.
    EventValue {
        /// Name of an `[[event]]` of the case.
        event: String,
        /// Column.
        quantity: String,
        /// Number of the event, counted from 1 (default 1).
        #[serde(default = "first")]
        occurrence: u32,
    },
    /// Number of times that an event happened.
    EventCount {
        /// Name of an `[[event]]` of the case.
        event: String,
    },
    /// Largest angle the body turns by in a step, |W| h, in degrees.
    RotationPerStep {
        /// Column with the length of the rate (default `W_norm`).
        #[serde(default = "length_of_rate")]
        quantity: String,
    },
    /// Work of the steps: torque evaluations or solver iterations.
    Effort {
        /// Kind of work.
        what: StepWork,
    },
    /// Distance from the start after all steps of the run forward and as many with −h back.
    Reversibility {
        /// Column or group (default `attitude`).
        #[serde(default = "attitude")]
        quantity: String,
    },
    /// Largest entry of DΦᵀ Ω DΦ − Ω for one step Φ from the start, in the coordinates (δ, Π) of
    /// T*SO(3), Λ = Λ0 exp δ; by sixth-order finite differences. Entries have the units |Π|, 1 and
    /// 1/|Π| of the case, with noise of some 1e-13 of each.
    SymplecticDefect {},
    /// A number of a study of the case that has a name. An escape map has `survivors`, `fraction`,
    /// `q05` … `q95` (s), and `escape_time(x, z)` (s) or `escape_steps(x, z)` (−1 for survivors) of a
    /// probe. A spin scan has `stable_low` and `stable_high` by linear theory, `lowest_surviving`,
    /// `highest_surviving` (rev/s), `survivors_inside` and `fraction_inside` of them, `…_outside`,
    /// `survivors(σ)` and `fraction(σ)` at a spin. A stability region has `z_s`, `region_z_low`,
    /// `berry_z_high`, `tip_z` (m), `stable_low`, `stable_high`, `tip_sigma` (rev/s), `omega_z`,
    /// `tip_omega` (rad/s), `stable_points` of the plane, `disagreements` between its modes and the
    /// edges; for each mode across the axis, by frequency, `omega_1` … `omega_4` (rad/s), `growth_1`
    /// (1/s), `krein_1` (sign of the energy), and under damping, to first order and per unit of its
    /// rate, `growth_translation_1`, `growth_transverse_1`. A coning drift has `constant(scheme)` and `power(scheme)`.
    Study {
        /// Name of the study.
        study: String,
        /// Name of the number.
        number: String,
    },
    /// Largest difference from the blessed baseline over its columns and times, each divided by
    /// the larger of 1 and the baseline's value.
    Baseline {},
}

impl Metric {
    /// Returns its name in tolerance files.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}

fn first() -> u32 {
    1
}
fn length_of_rate() -> String {
    "W_norm".into()
}
fn one() -> f64 {
    1.0
}

/// Divisor of a deviation.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DriftScale {
    /// The size of the initial value.
    Named(InitialScale),
    /// A number.
    Number(#[schemars(extend("exclusiveMinimum" = 0))] f64),
}

/// The named scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InitialScale {
    /// The size of the initial value, |q(0)|.
    Initial,
}

/// Work of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepWork {
    /// Torque evaluations a step, mean; no verdict but a failure where the calls counted in the first steps are not
    /// those that the scheme says.
    TorqueEvaluations,
    /// Solver iterations a step, mean.
    Iterations,
    /// Most solver iterations in one step.
    MostIterations,
    /// Inner steps of a run that were made again with a shorter one.
    Rejected,
}

/// End of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Smallest value.
    Min,
    /// Largest value.
    Max,
}

/// Norms for attitudes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// Angle of the rotation between two attitudes, rad.
    Geodesic,
    /// Frobenius norm of the difference of two attitude matrices.
    Frobenius,
}

impl Norm {
    /// Returns by how much a norm multiplies an uncertain angle, at most: a turn by δ moves the matrix by √2 δ in the
    /// Frobenius norm.
    pub(super) fn widened(norm: Option<Self>) -> f64 {
        match norm {
            Some(Self::Frobenius) => 1.5,
            Some(Self::Geodesic) | None => 1.0,
        }
    }
}
