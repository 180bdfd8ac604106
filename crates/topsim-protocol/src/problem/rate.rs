//! A given rate as it is posed: the formula, and its samples.

use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::integration::Grid;
use topsim_core::models::{Rate, RateModel};

/// Samples of the rate in each step: updates of 1, 2, 3, 4, 6 or 12 samples all end with the step.
pub const SAMPLES: u32 = 12;

/// The body rate W. A solver takes it from the formula, from its values or from its increments, as it would in its own place.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PosedRate")]
pub struct ProblemRate {
    /// W as a formula of the time, rad/s.
    pub function: RateModel,
    /// Samples in each step.
    pub samples_per_step: u32,
    /// Time between samples, s: step / samples_per_step.
    pub interval: f64,
    /// What a gyro delivers: the integral of W over each interval, rad, in the order of time; samples_per_step times steps rows.
    pub increments: Vec<[f64; 3]>,
    /// W at the ends of the intervals, rad/s: one row more, the first at `start`.
    pub values: Vec<[f64; 3]>,
}

impl ProblemRate {
    pub(super) fn of(rate: &RateModel, grid: &Grid) -> Self {
        let count = grid.steps * u64::from(SAMPLES);
        let interval = grid.h / f64::from(SAMPLES);
        // As multiples of the step where they are: a solver's clock shows these numbers.
        let time = |k: u64| grid.start + k as f64 * interval;
        Self {
            function: rate.clone(),
            samples_per_step: SAMPLES,
            interval,
            increments: (0..count)
                .map(|k| rate.increment(time(k), time(k + 1)).into())
                .collect(),
            values: (0..=count).map(|k| rate.at(time(k)).into()).collect(),
        }
    }
}
