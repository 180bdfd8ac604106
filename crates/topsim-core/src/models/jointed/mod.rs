//! A rigid body with a spherical joint at the origin, or with none, and the centre of mass as a
//! coordinate of its own: what constrained formulations integrate, and what every scheme of
//! rotations does as a body that turns about its joint.

mod body;
mod check;
mod columns;
mod flight;
mod rates;

pub use body::{JointedBody, JointedParts, JointedState, Support};
pub use check::JointedError;
pub use flight::Flight;
pub use rates::{GivenStart, Inconsistency, Rates};
