//! Floor 2: integration schemes. One trait, one file a scheme or a family that shares its step.

mod rig;
mod scheme;
#[cfg(test)]
pub(crate) mod testbed;
#[cfg(test)]
pub(crate) mod wrong;

pub use rig::{RigImp, RigNeg, RigPos};
pub use scheme::{
    Claims, Described, Effort, Energy, Momentum, RotationScheme, Scheme, SchemeInfo, StepFail,
};
