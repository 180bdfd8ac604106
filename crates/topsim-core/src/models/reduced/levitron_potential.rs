//! Magnetic top over a base magnet, as a potential of reduced systems.

use super::{Axial, Potential, PotentialGradient};
use crate::math::Vec3;
use crate::models::levitron::Levitron;
use std::fmt::Debug;

/// Potential of a Levitron, `U = m g z − μ ⟨B(r), a⟩` (Dullin 2004, section 5, with the mass that its eq. (6)
/// lacks).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevitronPotential(pub Levitron);

impl Potential for LevitronPotential {
    type List<T: Copy + Debug + Send + Sync + 'static> = [T; 1];
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> [T; 1] {
        super::system::single_element(things)
    }
    fn energy(&self, y: &[Axial]) -> f64 {
        self.0.potential(y[0].position.into(), y[0].axis.into())
    }
    fn gradients(&self, y: &[Axial], out: &mut [PotentialGradient]) {
        let force = self.0.force(y[0].position.into(), y[0].axis.into());
        let (mu, weight) = (self.0.moment(), self.0.mass() * self.0.gravity());
        out[0] = PotentialGradient {
            position: Vec3::from(force.gradient) * -mu + Vec3::z() * weight,
            axis: Vec3::from(force.field) * -mu,
        };
    }
}
