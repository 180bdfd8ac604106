//! The Levitron: a symmetric magnetic top that hovers above a base magnet (`dullin2004`, section 5).
//!
//! Centre of mass r (m), symmetry axis a of length one, both in the space frame, z up, origin in the centre of
//! the base. U(r, a) = m g z − μ ⟨B(r), a⟩. The spin angle about the axis is eliminated: what remains of the
//! rotation is a and the spatial angular momentum l (kg m²/s), with ⟨l, a⟩ conserved. Equations of motion with
//! v = p/m and w = l/Θ1: r' = v, a' = w × a, v' = (μ/m) ∇⟨B, a⟩ − g e_z, w' = (μ/Θ1) a × B. The paper's
//! equation (6) lacks the m before g.

mod equilibrium;
mod exact;
mod field;
mod series;
#[cfg(test)]
pub(crate) mod tests;
mod top;
mod validity;

pub use equilibrium::{Equilibria, LiftRange, NoEquilibrium};
pub use exact::ExactDisk;
pub use field::{
    AxialField, Field, FieldModel, FieldSlopes, FieldVisitor, MAX_ORDER, VerticalGradient,
};
pub use series::FieldSeries;
pub use top::{FieldForce, Levitron, LevitronError, LevitronParameters};
pub use validity::Validity;
