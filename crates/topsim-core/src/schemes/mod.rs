//! Integration schemes. One trait, one file a scheme or a family that shares its step.

mod adaptive;
mod akw;
mod buss2;
mod coefficients;
pub mod compositions;
mod coverage;
mod description;
mod dmv;
mod dmv_moments;
mod engines;
mod exact;
mod fail;
mod gauss;
mod gen_alpha;
pub mod given_rate;
mod implicit;
mod jointed;
mod kicks;
pub mod lanes;
mod lie_rk;
mod liemid;
mod member;
mod midpoint_euler;
mod multistep;
mod newmark;
mod pairs;
mod particles;
mod poisson;
mod prelude;
mod processed;
mod quat_implicit;
mod quat_rk;
mod quat_rk4;
mod rattle;
mod rig;
mod rkmk;
mod scheme;
mod simo_wong;
mod split3;
mod split_sym;
pub mod steps;
pub mod tableaus;
mod tables;
mod taylor;
mod terze;
#[cfg(test)]
pub(crate) mod testbed;
mod trapezoidal;
mod turn;
mod vlv;
#[cfg(any(test, feature = "wrong-schemes"))]
pub mod wrong;

pub use adaptive::{
    Adaptive, AdaptiveBogackiShampine, AdaptiveDop853, AdaptiveDormandPrince, LEAST_TOLERANCE,
    MOST_TOLERANCE,
};
pub use akw::Akw;
pub use buss2::Buss2;
pub use coefficients::Coefficients;
pub use compositions::{BM6, COMPOSITIONS, Composition, DRIFT_KICK, KICK_DRIFT, STRANG};
pub use coverage::{NotCovered, Note};
pub use description::{
    AdaptiveClaims, ClaimTest, Claims, Described, Energy, Evaluations, Momentum, SchemeInfo,
    Statement, StatementKind,
};
pub use dmv::{Dmv, Dmv4, Dmv6, Dmv8, Dmv10, DmvLeapfrog};
pub use engines::{Catto, EulerGyro, Jolt, Ode, Rapier, Steel};
pub use exact::{
    ExactBm6, ExactSplitting, ExactSrkn6b, ExactSrkn11b, ExactSrkn14a, ExactStrang, ExactSuzuki4,
};
pub use gauss::{Gauss, Gauss4, Gauss6};
pub use gen_alpha::{ConstraintStiffness, Formulation, GenAlpha, Index, StartRule};
pub use given_rate::{
    ExpMidpoint, Magnus4, Magnus6, QuatEuler, QuatRateRk4, RateScheme, Rotvec1, Rotvec2, Rotvec3,
    Rotvec4,
};
pub use implicit::{Newton, solve3};
pub use lie_rk::{
    Cf3, Cf3LowStorage, Cf4, Cf4LowStorage, Cg2, Cg3, Cg4, Cg5, LieRk, Rkmk2, Rkmk3, Rkmk5,
};
pub use liemid::{LieMidEa, LieMidImp};
pub use midpoint_euler::MidpointEuler;
pub use multistep::{
    JsbsimBuss1, JsbsimBuss2, JsbsimEuler, JsbsimLocalLinear, JsbsimTrapezoidal, Multistep,
    QuatAb2, QuatAb3, QuatAb4, QuatAbm4,
};
pub use newmark::{LieNewmark, Liggghts, NewmarkExplicit, Omelyan};
pub use particles::{
    Espresso, Fincham, Mercurydpm, Pcdm, PcdmLeapfrog, Richardson, Spiral, SpiralLeapfrog,
};
pub use poisson::{
    POISSON, PoissonAdjoint, PoissonBm4, PoissonBm6, PoissonFirst, PoissonKahanLi6,
    PoissonMcLachlan4, PoissonSrkn14a, PoissonStrang, PoissonSuzuki4, PoissonSuzukiUmeno8,
    PoissonYoshida4, PoissonYoshida6, Splitting,
};
pub use processed::ExactPmlf6;
pub use quat_implicit::{
    QuatAlexander2, QuatImplicit, QuatImplicitEuler, QuatLobatto3c, QuatTrapezoidal,
};
pub use quat_rk::{
    QuatButcher6, QuatCashKarp5, QuatDormandPrince5, QuatDormandPrince8, QuatFehlberg4,
    QuatFehlberg5, QuatGbs4, QuatGbs6, QuatGill, QuatHeun2, QuatHeun3, QuatKutta3, QuatMerson,
    QuatMidpoint, QuatNystrom3, QuatRalston2, QuatRalston3, QuatRalston4, QuatRk, QuatRk38,
    QuatSsp3, QuatVerner6,
};
pub use quat_rk4::QuatRk4;
pub use rattle::RattleDae;
pub use rig::{RigImp, RigNeg, RigPos};
pub use rkmk::{Rkmk4, Rkmk4Coadjoint};
pub use scheme::{
    BodyMomentum, BodyTorque, Effort, Memory, RotationScheme, Scheme, Step, StepFail, StepResult,
    WayOut,
};
pub use simo_wong::SimoWongC1;
pub use split_sym::SplitSym;
pub use split3::Split3;
pub use taylor::Taylor16;
pub use terze::Terze;
pub use trapezoidal::Trapezoidal;
pub use vlv::Vlv;
