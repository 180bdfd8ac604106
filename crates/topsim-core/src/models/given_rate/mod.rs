//! Attitude from a given rate: R' = R Ŵ(t), with the body rate W as a formula of the time. This is the problem of strapdown
//! navigation and of every autopilot; the rate may be asked for at any time, or as increments ∫W as a gyro delivers them.

mod attitude;
mod rate;
mod time_function;

pub use attitude::GivenRate;
pub use rate::{Axes, Coning, Factor, Product, Rate, RateError, RateModel, RateTable};
pub use time_function::{Sine, TimeFunction};
