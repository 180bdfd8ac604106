//! Floor 2: integration schemes. One trait, one file a scheme or a family that shares its step.

mod implicit;
mod rig;
mod rkmk;
mod scheme;
mod terze;
#[cfg(test)]
pub(crate) mod testbed;
#[cfg(test)]
pub(crate) mod wrong;

pub use implicit::Newton;
pub use rig::{RigImp, RigNeg, RigPos};
pub use rkmk::{Rkmk4, Rkmk4Coadjoint};
pub use scheme::{
    Claims, Described, Effort, Energy, Evaluations, Momentum, RotationScheme, Scheme, SchemeInfo,
    StepFail,
};
pub use terze::Terze;
