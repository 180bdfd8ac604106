//! Models that are integrated: inertia, torque models, and rigid bodies of all problem families.

pub mod bodies;
mod columns;
mod free_flow;
pub mod given_rate;
mod inertia;
mod integral;
pub mod jointed;
pub mod levitron;
mod model;
mod problem;
mod quantity;
pub mod reduced;
mod row;
mod split;
mod start;
mod symmetric_top;
#[cfg(test)]
pub(crate) mod testbed;
mod top;
mod torque;

pub use free_flow::FreeFlow;
pub(crate) use free_flow::are_equal;
pub use given_rate::{GivenRate, Rate, RateModel};
pub use inertia::{Inertia, InertiaError};
pub use integral::Integral;
pub use jointed::{Flight, JointedBody, JointedError, JointedParts, JointedState, Support};
pub use model::Model;
pub use problem::{Channel, Columns, Group, GroupKind, InitialValueProblem, Measured, PhaseSpace};
pub use quantity::Quantity;
pub use reduced::{AnyReducedSystem, ReducedSystem};
pub use row::{GroupHeading, Heading, Members, RowSink};
pub use split::Split;
pub use start::Start;
pub use symmetric_top::{AnySymmetricTop, NotSymmetric, SymmetricTop, TopState};
pub use top::{AnyTop, RigidTop, RotState, TopVisitor};
pub use torque::{
    AxisDamping, AxisDampingParameters, BodyMotion, BreathingInertia, Constant, Damping, Frame,
    Gravity, GravityGradient, GravityParameters, Gyrostat, GyrostatParameters, InLanes,
    Interpolation, KeptMomentum, LoadedGravity, NoTorque, Opaque, OpaqueValue, Orbit, Piece,
    Sin2Pulse, Symmetry, TableParameters, TableTorque, TimeTorque, TimeTorqueParameters, Torque,
    TorqueError, TorqueModel, TorqueTable, TwoWell, TwoWellParameters, Wheels, WheelsParameters,
};
pub(crate) use torque::{Drive, VectorSeries};
