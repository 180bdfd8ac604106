//! Floor 2: integration schemes. One trait, one file a scheme or a family that shares its step.

mod buss2;
mod compositions;
mod dmv;
mod dmv_moments;
mod engines;
mod exact;
mod kicked;
mod rig;
mod scheme;
mod split3;
mod split_sym;
#[cfg(test)]
pub(crate) mod testbed;
#[cfg(test)]
pub(crate) mod wrong;

pub use buss2::Buss2;
pub use compositions::{COMPOSITIONS, Composition};
pub use dmv::{Dmv, Dmv4, Dmv6, Dmv8, Dmv10};
pub use engines::{Catto, EulerGyro, Jolt};
pub use exact::{ExactBm6, ExactStrang, ExactSuzuki4};
pub use rig::{RigImp, RigNeg, RigPos};
pub use scheme::{
    Claims, Described, Effort, Energy, Momentum, RotationScheme, Scheme, SchemeInfo, StepFail,
};
pub use split_sym::SplitSym;
pub use split3::Split3;
