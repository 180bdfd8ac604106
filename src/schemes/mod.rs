//! Floor 2: integration schemes. One trait, one file a scheme or a family that shares its step.

mod akw;
mod implicit;
#[cfg(test)]
pub(crate) mod judge;
mod lie_rk;
mod liemid;
mod newmark;
mod quat_rk4;
mod rig;
mod rkmk;
mod scheme;
mod simo_wong;
mod terze;
#[cfg(test)]
pub(crate) mod testbed;
mod trapezoidal;
mod vlv;
#[cfg(test)]
pub(crate) mod wrong;

pub use akw::Akw;
pub use implicit::Newton;
pub use lie_rk::{Cf4, Cg3};
pub use liemid::{LieMidEa, LieMidImp};
pub use newmark::{LieNewmark, NewmarkExplicit};
pub use quat_rk4::QuatRk4;
pub use rig::{RigImp, RigNeg, RigPos};
pub use rkmk::{Rkmk4, Rkmk4Coadjoint};
pub use scheme::{
    Claims, Described, Effort, Energy, Evaluations, Momentum, RotationScheme, Scheme, SchemeInfo,
    StepFail,
};
pub use simo_wong::SimoWongC1;
pub use terze::Terze;
pub use trapezoidal::Trapezoidal;
pub use vlv::Vlv;
