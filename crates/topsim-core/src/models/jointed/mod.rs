//! Rigid body with a spherical joint at the origin, or without one, whose centre of mass is a coordinate of its
//! own. Constrained formulations integrate it in these coordinates, all schemes of rotations as a body that
//! rotates about the joint.

mod body;
mod check;
mod columns;
mod flight;
mod rates;

pub use body::{JointedBody, JointedParts, JointedState, Support};
pub use check::JointedError;
pub use flight::Flight;
pub use rates::{Accelerations, GivenStart, Inconsistency};
