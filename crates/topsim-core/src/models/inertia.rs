//! Inertia tensor of a rigid body about its fixed point or centre of mass, body frame, kg m².

use crate::math::double_double::power_of_two_below;
use crate::math::fine::FineMat;
use crate::math::{Mat3, Vec3, eigen, lane_numbers, so3};
use std::sync::Arc;

/// Symmetric positive definite inertia tensor with its inverse.
#[derive(Debug, Clone, PartialEq)]
pub struct Inertia {
    tensor: Mat3,
    inverse: Mat3,
    /// True if all products of inertia vanish, so that a product takes three multiplications instead of nine.
    diagonal: bool,
    /// J to 32 digits, if it has more digits than the tensor.
    fine: Option<Arc<FineMat>>,
}

/// Reason why a matrix is no inertia tensor.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InertiaError {
    /// Entries (i, j) and (j, i) differ.
    #[error("not symmetric: entry ({i}, {j}) is {a}, entry ({j}, {i}) is {b}")]
    NotSymmetric {
        /// Row index, from 1.
        i: usize,
        /// Column index, from 1.
        j: usize,
        /// Entry (i, j).
        a: f64,
        /// Entry (j, i).
        b: f64,
    },
    /// A principal moment is not positive.
    #[error("not positive definite: the principal moments are {0}, {1}, {2}")]
    NotPositive(f64, f64, f64),
}

impl Inertia {
    /// Builds an inertia from `tensor` (kg m², body frame) after checks of its symmetry and positive
    /// definiteness.
    ///
    /// # Errors
    /// [`InertiaError`] with the offending entries or moments.
    pub fn new(tensor: Mat3) -> Result<Self, InertiaError> {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (tensor[(i, j)], tensor[(j, i)]);
            let scale = tensor[(i, i)].abs().max(tensor[(j, j)].abs());
            if !((a - b).abs() <= 1e-12 * scale) {
                let (i, j) = (i + 1, j + 1);
                return Err(InertiaError::NotSymmetric { i, j, a, b });
            }
        }
        // A tensor whose smallest moment is lost in round-off has no usable inverse. Sylvester's criterion in double decides most: the product of the two other
        // moments is at most a quarter of the square of the trace, so that the smallest is 4e-12 of the trace or more.
        let (trace, first) = (tensor.trace(), tensor[(0, 0)]);
        let second = first * tensor[(1, 1)] - tensor[(0, 1)] * tensor[(0, 1)];
        let least = 1e-12 * trace;
        let certain = first > least && second > least * trace;
        if !(certain && tensor.determinant() > least * trace * trace)
            && let m = principal_moments(&tensor)
            && !(m.x > 1e-14 * m.z)
        {
            return Err(InertiaError::NotPositive(m.x, m.y, m.z));
        }
        Ok(Self {
            tensor,
            inverse: invert(&tensor),
            diagonal: is_diagonal(&tensor),
            fine: None,
        })
    }

    /// Builds an inertia from J rounded and J to 32 digits.
    ///
    /// # Errors
    /// [`InertiaError`], as for [`Inertia::new`].
    pub(super) fn with_fine(tensor: Mat3, fine: FineMat) -> Result<Self, InertiaError> {
        let fine = Some(Arc::new(fine));
        Self::new(tensor).map(|rounded| Self { fine, ..rounded })
    }

    /// Returns an inertia without numbers, which a lane fills in.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Self {
            tensor: Mat3::zeros(),
            inverse: Mat3::zeros(),
            diagonal: false,
            fine: None,
        }
    }

    /// Returns J to 32 digits.
    pub fn fine(&self) -> FineMat {
        let rounded = || self.tensor.into();
        self.fine.as_deref().copied().unwrap_or_else(rounded)
    }

    /// Builds a diagonal tensor from principal moments (kg m²).
    ///
    /// # Errors
    /// [`InertiaError`], as for [`Inertia::new`].
    pub fn diagonal(moments: Vec3) -> Result<Self, InertiaError> {
        Self::new(Mat3::from_diagonal(&moments))
    }

    /// Returns the inertia tensor J, kg m².
    #[inline]
    pub fn tensor(&self) -> &Mat3 {
        &self.tensor
    }

    /// Returns the inverse J⁻¹.
    #[inline]
    pub fn inverse(&self) -> &Mat3 {
        &self.inverse
    }

    /// Returns the product J v.
    #[inline]
    pub fn times(&self, v: &Vec3) -> Vec3 {
        self.apply(&self.tensor, v)
    }

    /// Returns the solution J⁻¹ v.
    #[inline]
    pub fn solve(&self, v: &Vec3) -> Vec3 {
        self.apply(&self.inverse, v)
    }

    /// Returns k J⁻¹ v as one product, so that a loop with constant k computes k J⁻¹ once.
    #[inline]
    pub(crate) fn solve_by(&self, k: f64, v: &Vec3) -> Vec3 {
        self.apply(&(self.inverse * k), v)
    }

    /// Returns `m v`, written in components because the generic product keeps its operands in memory.
    #[inline(always)]
    fn apply(&self, m: &Mat3, v: &Vec3) -> Vec3 {
        let [a, b, c] = m.data.0;
        if self.diagonal {
            return Vec3::new(a[0] * v.x, b[1] * v.y, c[2] * v.z);
        }
        so3::to_space(m, v)
    }

    /// Returns the principal moments, ascending, kg m².
    pub fn moments(&self) -> Vec3 {
        principal_moments(&self.tensor)
    }

    /// Excess of the largest moment over the sum of the other two, if there is one: no real mass distribution
    /// has such a tensor.
    pub fn triangle_excess(&self) -> Option<f64> {
        let m = self.moments();
        let excess = m.z - (m.x + m.y);
        (excess > 1e-12 * m.z).then_some(excess)
    }
}

lane_numbers! { Inertia { tensor, inverse, diagonal } }

fn is_diagonal(m: &Mat3) -> bool {
    (0..3).all(|i| (0..3).all(|j| i == j || m[(i, j)] == 0.0))
}

/// Inverts in double-double: the inverse of a slender full tensor is made of differences that are far smaller than its entries.
fn invert(m: &Mat3) -> Mat3 {
    // Scaling by a power of two keeps products from overflow and underflow.
    let unit = power_of_two_below(m.amax());
    FineMat::from(m / unit).inverse().rounded() / unit
}

fn principal_moments(m: &Mat3) -> Vec3 {
    let mut moments: [f64; 3] = eigen::principal_axes(m).0.into();
    moments.sort_by(f64::total_cmp);
    Vec3::from(moments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_full_tensor() {
        let j = Inertia::new(Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0)).unwrap();
        assert!((j.tensor() * j.inverse() - Mat3::identity()).norm() < 1e-15);
        assert_eq!(j.triangle_excess(), None);
    }

    #[test]
    fn invalid_inertia_is_refused() {
        assert!(matches!(
            Inertia::new(Mat3::new(5.0, 0.3, 0.0, 0.2, 7.0, 0.0, 0.0, 0.0, 3.0)),
            Err(InertiaError::NotSymmetric { i: 1, j: 2, .. })
        ));
        for bad in [[1.0, 1.0, 0.0], [1.0, -1.0, 1.0], [f64::NAN, 1.0, 1.0]] {
            assert!(Inertia::diagonal(Vec3::from(bad)).is_err());
        }
    }

    #[test]
    fn names_the_triangle_excess() {
        let j = Inertia::diagonal(Vec3::new(0.5, 2.0, 3.0)).unwrap();
        assert_eq!(j.triangle_excess(), Some(0.5));
        // A flat plate lies on the boundary and is valid.
        let j = Inertia::diagonal(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!(j.triangle_excess(), None);
    }
}
