//! Attitude from a given rate: R' = R Ŵ(t), with the body rate W a formula of time. This is the problem of
//! strapdown navigation and of autopilots; schemes may evaluate the rate at any time, or take increments ∫W as
//! a gyro delivers them.

mod attitude;
mod rate;
mod time_function;

pub use attitude::GivenRate;
pub use rate::{Axes, Coning, Factor, GAUSS_8, Product, Rate, RateError, RateModel, RateTable};
pub use time_function::{Sine, TimeFunction};
