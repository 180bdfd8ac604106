//! A symmetric body with a fixed point in a uniform field: the Lagrange top.

use super::{Axial, Gradient, Potential};
use crate::math::Vec3;
use std::fmt::Debug;

/// `U = d·a`; with `d = d e_z` the Lagrange top of Dullin 2004, section 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    /// d, J, space frame.
    pub field: Vec3,
}

impl Potential for Uniform {
    type List<T: Copy + Debug + Send + Sync + 'static> = [T; 1];
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> [T; 1] {
        super::system::one(things)
    }
    fn energy(&self, y: &[Axial]) -> f64 {
        self.field.dot(&y[0].axis)
    }
    #[inline]
    fn gradients(&self, _: &[Axial], out: &mut [Gradient]) {
        out[0] = Gradient {
            position: Vec3::zeros(),
            axis: self.field,
        };
    }
}
