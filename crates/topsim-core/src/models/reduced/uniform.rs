//! Symmetric body with a fixed point in a uniform field: the Lagrange top.

use super::{Axial, Potential, PotentialGradient};
use crate::math::Vec3;
use std::fmt::Debug;

/// Uniform field, `U = d·a`; with `d = d e_z` the Lagrange top of Dullin 2004, section 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    /// Field d, J, space frame.
    pub field: Vec3,
}

impl Potential for Uniform {
    type List<T: Copy + Debug + Send + Sync + 'static> = [T; 1];
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> [T; 1] {
        super::system::single_element(things)
    }
    fn energy(&self, y: &[Axial]) -> f64 {
        self.field.dot(&y[0].axis)
    }
    #[inline]
    fn gradients(&self, _: &[Axial], out: &mut [PotentialGradient]) {
        out[0] = PotentialGradient {
            position: Vec3::zeros(),
            axis: self.field,
        };
    }
}
