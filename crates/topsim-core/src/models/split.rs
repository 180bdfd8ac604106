//! Problems whose Hamiltonian is a sum T(momenta) + U(coordinates), with an exact flow for each.

use super::Problem;

/// Kick and drift. A composition of these two flows preserves the Poisson structure, the Casimirs
/// and every momentum that both flows preserve.
pub trait Split: Problem {
    /// What a kick needs of the coordinates; worked out once and used for the kicks on both sides.
    type Force: Clone + Send;
    /// A place for the force, of the right size.
    fn empty_force(&self) -> Self::Force;
    /// The force at the coordinates of `y`.
    fn force(&self, y: &Self::State, force: &mut Self::Force);
    /// The flow of U over the time `tau` (s), from the force at the coordinates of `y`.
    fn kick(&self, tau: f64, force: &Self::Force, y: &mut Self::State);
    /// The flow of T over the time `tau` (s).
    fn drift(&self, tau: f64, y: &mut Self::State);
    /// The flow of the friction over the time `tau` (s); the coordinates stay. Nothing without.
    fn damp(&self, _tau: f64, _y: &mut Self::State) {}
    /// Whether there is friction.
    fn is_damped(&self) -> bool {
        false
    }
}
