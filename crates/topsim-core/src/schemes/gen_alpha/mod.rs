//! Generalized-α on a Lie group for a jointed body, as a constrained system: `gen_alpha`.
//!
//! Source: Brüls, Cardona & Arnold 2012 (`bruls2012`); perturbed start and index 2: Arnold, Brüls &
//! Cardona 2015 (`arnold2015`); in inertial coordinates as in Kynema (`kynema`). Letters: x centre of
//! mass, R attitude (body → space), v velocity of the formulation, a algorithmic acceleration, λ
//! multipliers, x_r lever; ρ spectral radius at infinite frequency.
//! `α_m = (2ρ−1)/(ρ+1)`, `α_f = ρ/(ρ+1)`, `γ = ½ + α_f − α_m`, `β = ¼ (γ+½)²`. A step solves
//!
//! `M v̇' + g(q', v') + Bᵀλ' = 0`, `Φ(q') = 0` with
//! `(1−α_m) a' + α_m a = (1−α_f) v̇' + α_f v̇`, `v' = v + h(1−γ) a + hγ a'`,
//! `q' = q ∘ exp(h Δq)`, `Δq = v + h(½−β) a + hβ a'`
//!
//! by Newton's method from `v̇' = 0`, `λ' = 0`, with its exact matrix unless asked otherwise.

mod coefficients;
mod eliminate;
mod form;
mod inertial;
mod material;
mod parameters;
mod stabilised;
mod start;
mod step;
mod tangent;
#[cfg(test)]
mod tests;
mod twist;

pub use parameters::{ConstraintStiffness, Formulation, GenAlpha, Index, StartRule};
