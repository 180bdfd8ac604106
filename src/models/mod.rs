//! Floor 1: what is integrated. Inertia, torque models, rigid bodies that turn about a point.

mod free_flow;
mod inertia;
mod problem;
mod top;
mod torque;
mod two_well;

pub use free_flow::free_flow;
pub use inertia::{Inertia, InertiaError};
pub use problem::{Channel, Group, GroupKind, Measured, Problem};
pub use top::{AnyTop, RigidTop, RotState, TopVisitor};
pub use torque::{
    Constant, Frame, Free, Gravity, Interpolation, Sin2Pulse, Table, TableError, Torque,
    TorqueModel,
};
pub use two_well::TwoWell;
