//! Problems whose Hamiltonian is a sum T(momenta) + U(coordinates), with an exact flow for each part.

use super::InitialValueProblem;

/// Problem with kick and drift flows. A composition of these two flows preserves the Poisson structure, the
/// Casimirs and every momentum that both flows preserve.
pub trait Split: InitialValueProblem {
    /// Force at given coordinates, computed once and used for the kicks before and after it.
    type Force: Clone + Send;
    /// Returns storage of the right size for a force.
    fn empty_force(&self) -> Self::Force;
    /// Computes the force at the coordinates of `y`.
    fn force(&self, y: &Self::State, force: &mut Self::Force);
    /// Applies the flow of U over the time `tau` (s), with the force at the coordinates of `y`.
    fn kick(&self, tau: f64, force: &Self::Force, y: &mut Self::State);
    /// Applies the flow of T over the time `tau` (s).
    fn drift(&self, tau: f64, y: &mut Self::State);
    /// Applies the flow of the damping over the time `tau` (s); the coordinates stay. It does nothing for an
    /// undamped problem.
    fn damp(&self, _tau: f64, _y: &mut Self::State) {}
    /// Returns true if the problem is damped.
    fn is_damped(&self) -> bool {
        false
    }
}
