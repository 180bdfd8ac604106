//! Symmetric rigid bodies whose spin angle is eliminated: centre of mass r, velocity v = p/m, axis a (|a| = 1)
//! and angular momentum l, all in the space frame.
//!
//! `H = Σ p²/2m + l²/2Θ1 + c + U(r, a)`, `c = ½ (1/Θ3 − 1/Θ1) (l·a)²`; `ȧ = l × a/Θ1`, `l̇ = ∇_a U × a`,
//! `ṙ = p/m`, `ṗ = −∇_r U`. Casimirs of the Poisson structure: C1 = a·a and C2 = l·a of each body.
//!
//! Source: Dullin 2004 (`dullin2004`), eqs. (1)–(3). Its text has four slips: eq. (6) lacks the mass in −m g
//! e_z, "T independent of the momenta, U of the coordinates" is the wrong way round, "∇B = 0" is ∇·B = 0, and N
//! bodies live in R^{12N}. A body with a fixed point (the Lagrange top) has neither r nor p; its mass is zero
//! here.

mod dipoles;
mod levitron_potential;
mod measure;
mod phase_space;
mod system;
mod uniform;

pub use dipoles::Dipoles;
pub use levitron_potential::LevitronPotential;
pub use system::{
    AnyPotential, AnyReducedSystem, Axial, Potential, PotentialGradient, ReducedDamping,
    ReducedSystem, ReducedVisitor, SymmetricBody,
};
pub use uniform::Uniform;

#[cfg(test)]
pub(crate) mod tests;
