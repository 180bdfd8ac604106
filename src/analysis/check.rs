//! What a tolerance file can ask for. These types are the file format: serde reads them and the
//! JSON Schema is made from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One check: which runs, what is measured, what is allowed, and where the number comes from.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// What it says, for people.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// What is allowed.
    pub allow: Allow,
    /// Which runs; all without it.
    #[serde(default)]
    pub runs: Selection,
    /// Where the allowed number comes from.
    pub kind: SourceKind,
    /// The document, derivation or program the number comes from; required for `published` and
    /// `exact`.
    pub source: Option<String>,
    /// Whether the check is expected to pass (default) or, for a known defect, to fail.
    #[serde(default)]
    pub expect: Expect,
    /// Why it is expected to fail; required with `expect = "fail"`.
    pub reason: Option<String>,
    /// Why the tolerance is what it is.
    pub note: Option<String>,
}

/// Which runs a check looks at.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// Scheme labels; `*` stands for any characters. All without it.
    pub schemes: Option<Vec<String>>,
    /// Step sizes, s. All without it.
    pub steps: Option<Vec<f64>>,
}

/// Kinds of source; they never mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// Printed or computed by someone else.
    Published,
    /// A closed form or a high-precision computation.
    Exact,
    /// Our own past.
    Regression,
}

/// Whether a check should pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// It should pass.
    #[default]
    Pass,
    /// A known defect: it should fail, and passing is an error.
    Fail,
}

/// A time of a run.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum At {
    /// By name.
    Named(NamedTime),
    /// The first sample at or after this time, s; it must come within one step of it.
    Time(f64),
    /// The sample with the largest error between two times (metrics `error` and `order` only).
    Within(Within),
}

/// A part of the span.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// From and to, s.
    pub worst: [f64; 2],
}

/// Named times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedTime {
    /// The initial state.
    Start,
    /// The last step.
    End,
    /// The sample with the largest error (metric `error` only).
    Worst,
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

/// Ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Smallest value.
    Min,
    /// Largest value.
    Max,
}

/// What a deviation is divided by.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scale {
    /// By the size of the initial value.
    Named(InitialScale),
    /// By this number.
    Number(#[schemars(extend("exclusiveMinimum" = 0))] f64),
}

/// The one named scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InitialScale {
    /// |q(0)|.
    Initial,
}

/// Kinds of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffortKind {
    /// Torque evaluations a step, mean.
    TorqueEvaluations,
    /// Solver iterations a step, mean.
    Iterations,
    /// Most solver iterations in one step.
    MostIterations,
}

fn one() -> f64 {
    1.0
}
fn first() -> u32 {
    1
}
pub(super) fn attitude() -> String {
    "attitude".into()
}
pub(super) fn at_end() -> At {
    At::Named(NamedTime::End)
}
fn rotation_per_step_quantity() -> String {
    "W_norm".into()
}

/// What is measured. A quantity is a column of the history (`H`, `W3`, `pi_z`, …) or a group of
/// columns (`attitude`, `W`, `pi`, `axis3`).
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "metric", rename_all = "snake_case", deny_unknown_fields)]
pub enum Measure {
    /// Value of a quantity at a time. A group is compared by its distance from the value given.
    Value {
        /// Column or group.
        quantity: String,
        /// When.
        at: At,
    },
    /// Smallest or largest value over every step (tracked columns) or sample.
    Extreme {
        /// Column.
        quantity: String,
        /// Which end.
        which: Side,
    },
    /// Largest deviation from the initial value over every step (tracked columns) or sample.
    MaxDrift {
        /// Column, or group (its worst component).
        quantity: String,
        /// Divide by this; absolute without it.
        scale: Option<Scale>,
        /// Keep the sign of the deviation (default false).
        #[serde(default)]
        signed: bool,
    },
    /// Slope of the least-squares line through every step, per second, divided by h to a power.
    DriftRate {
        /// Tracked column.
        quantity: String,
        /// Power of h to divide by (default 0).
        #[serde(default)]
        power: u32,
        /// Period of an oscillation, s: it is then fitted to the samples together with the line,
        /// which alone would see it.
        period: Option<f64>,
    },
    /// Power of h by which the drift rate falls: slopes of the last two pairs of the step ladder.
    DriftPower {
        /// Tracked column.
        quantity: String,
        /// As for `drift_rate`.
        period: Option<f64>,
    },
    /// Half the range of the samples after their linear trend is removed, divided by h to a power.
    Oscillation {
        /// Column.
        quantity: String,
        /// Power of h to divide by (default 0).
        #[serde(default)]
        power: u32,
        /// Period, s: the amplitude of that wave, instead of half the range of all.
        period: Option<f64>,
    },
    /// Distance from the reference.
    Error {
        /// Column or group.
        quantity: String,
        /// When; `"worst"` for the largest over the samples.
        at: At,
        /// For attitudes (default geodesic).
        norm: Option<Norm>,
        /// Divide by this (default 1).
        #[serde(default = "one")]
        scale: f64,
    },
    /// Order of convergence: slopes of the error over the last two pairs of the step ladder that
    /// stand above the round-off floor.
    Order {
        /// Column or group.
        quantity: String,
        /// When (default end).
        #[serde(default = "at_end")]
        at: At,
    },
    /// Time of an event, s.
    EventTime {
        /// Name of an `[[event]]` of the case.
        event: String,
        /// Which one, from 1 (default 1).
        #[serde(default = "first")]
        occurrence: u32,
    },
    /// Value of a column at an event.
    EventValue {
        /// Name of an `[[event]]` of the case.
        event: String,
        /// Column.
        quantity: String,
        /// Which one, from 1 (default 1).
        #[serde(default = "first")]
        occurrence: u32,
    },
    /// How often an event happened.
    EventCount {
        /// Name of an `[[event]]` of the case.
        event: String,
    },
    /// Largest angle the body turns by in a step, |W| h, in degrees.
    RotationPerStep {
        /// Column with the length of the rate (default `W_norm`).
        #[serde(default = "rotation_per_step_quantity")]
        quantity: String,
    },
    /// Work.
    Effort {
        /// Which.
        what: EffortKind,
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
    /// A number of a study of the case that has a name. Of an escape map: `survivors`, `fraction`,
    /// `q05` … `q95` (s), `escape_time(x, z)` (s) or `escape_steps(x, z)` (−1 for survivors) of a
    /// probe. Of a spin scan: `stable_low` and `stable_high` by linear theory, `lowest_surviving`,
    /// `highest_surviving` (rev/s), `survivors_inside` and `fraction_inside` of them, `…_outside`,
    /// `survivors(σ)` and `fraction(σ)` at a spin. Of a stability region: `z_s`, `region_z_low`,
    /// `berry_z_high`, `tip_z` (m), `stable_low`, `stable_high`, `tip_sigma` (rev/s), `omega_z`,
    /// `tip_omega` (rad/s), `stable_points` of the plane, `disagreements` between its modes and the
    /// edges; of each mode across the axis, by frequency, `omega_1` … `omega_4` (rad/s), `growth_1`
    /// (1/s), `krein_1` (sign of the energy), and under damping, to first order and per unit of its
    /// rate, `growth_translation_1`, `growth_transverse_1`.
    Study {
        /// Name of the study.
        study: String,
        /// Which number.
        number: String,
    },
    /// Largest difference from the blessed baseline over its columns and times, each divided by
    /// the larger of 1 and the baseline's value.
    Baseline {},
}

/// A number, or one for each component of a group.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// For a column.
    Number(f64),
    /// For a group.
    Components(Vec<f64>),
}

/// What is allowed: `value` with `abs` or `rel`, or `min` and/or `max`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Allow {
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

/// Names of all metrics.
pub const METRICS: [&str; 17] = [
    "value",
    "extreme",
    "max_drift",
    "drift_rate",
    "drift_power",
    "oscillation",
    "error",
    "order",
    "event_time",
    "event_value",
    "event_count",
    "rotation_per_step",
    "effort",
    "reversibility",
    "symplectic_defect",
    "study",
    "baseline",
];

impl Measure {
    /// Name in tolerance files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Value { .. } => "value",
            Self::Extreme { .. } => "extreme",
            Self::MaxDrift { .. } => "max_drift",
            Self::DriftRate { .. } => "drift_rate",
            Self::DriftPower { .. } => "drift_power",
            Self::Oscillation { .. } => "oscillation",
            Self::Error { .. } => "error",
            Self::Order { .. } => "order",
            Self::EventTime { .. } => "event_time",
            Self::EventValue { .. } => "event_value",
            Self::EventCount { .. } => "event_count",
            Self::RotationPerStep { .. } => "rotation_per_step",
            Self::Effort { .. } => "effort",
            Self::Reversibility { .. } => "reversibility",
            Self::SymplecticDefect {} => "symplectic_defect",
            Self::Study { .. } => "study",
            Self::Baseline {} => "baseline",
        }
    }

    /// The column or group it looks at.
    pub fn quantity(&self) -> Option<&str> {
        match self {
            Self::Value { quantity, .. }
            | Self::Extreme { quantity, .. }
            | Self::MaxDrift { quantity, .. }
            | Self::DriftRate { quantity, .. }
            | Self::DriftPower { quantity, .. }
            | Self::Oscillation { quantity, .. }
            | Self::Error { quantity, .. }
            | Self::Order { quantity, .. }
            | Self::EventValue { quantity, .. }
            | Self::Reversibility { quantity }
            | Self::RotationPerStep { quantity } => Some(quantity),
            _ => None,
        }
    }

    /// The event it looks at.
    pub fn event(&self) -> Option<&str> {
        match self {
            Self::EventTime { event, .. }
            | Self::EventValue { event, .. }
            | Self::EventCount { event } => Some(event),
            _ => None,
        }
    }

    /// Whether it needs a reference that is known at any time.
    pub fn needs_reference(&self) -> bool {
        matches!(self, Self::Error { .. } | Self::Order { .. })
    }

    /// Whether it looks at a whole step ladder instead of one run.
    pub fn is_ladder(&self) -> bool {
        matches!(self, Self::Order { .. } | Self::DriftPower { .. })
    }
}

impl Selection {
    /// Whether a run belongs to it.
    pub fn takes(&self, scheme: &str, step: f64) -> bool {
        let by_scheme = self
            .schemes
            .as_ref()
            .is_none_or(|s| s.iter().any(|p| matches(p, scheme)));
        let by_step = self.steps.as_ref().is_none_or(|s| s.contains(&step));
        by_scheme && by_step
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for any characters.
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&i| rest.is_char_boundary(i))
                .any(|i| matches(tail, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (p, t, yes) in [
            ("*", "rig_pos", true),
            ("rig_*", "rig_pos", true),
            ("rig_*", "terze", false),
            ("*_pos", "rig_pos", true),
            ("r*g*s", "rig_pos", true),
            ("rig", "rig_pos", false),
            ("", "x", false),
            ("a*", "ä", false),
        ] {
            assert_eq!(matches(p, t), yes, "{p} {t}");
        }
    }
}
