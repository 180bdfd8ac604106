//! Vectors and attitudes to 32 digits, in double-double.
//!
//! The decimal numbers of a case, read as doubles, define its problem exactly. Quantities derived from them,
//! such as the matrix of a rotation vector, have more digits than a double, and the motion amplifies the error
//! of rounding them. References start from the values here; schemes start from the rounded ones.

use super::double_double::DoubleDouble as Fine;
use super::{Mat3, Vec3};

/// Vector to 32 digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineVec(pub(crate) [Fine; 3]);

/// 3×3 matrix to 32 digits, by rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineMat(pub(crate) [[Fine; 3]; 3]);

impl From<Vec3> for FineVec {
    fn from(v: Vec3) -> Self {
        Self([v.x, v.y, v.z].map(Fine::from))
    }
}

impl From<Mat3> for FineMat {
    fn from(m: Mat3) -> Self {
        Self::from_fn(|i, j| Fine::from(m[(i, j)]))
    }
}

impl FineVec {
    fn from_fn(f: impl Fn(usize) -> Fine) -> Self {
        Self([f(0), f(1), f(2)])
    }
    pub(crate) fn dot(&self, other: &Self) -> Fine {
        (0..3).map(|i| self.0[i] * other.0[i]).sum()
    }
    pub(crate) fn cross(&self, other: &Self) -> Self {
        Self::from_fn(|a| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            self.0[b] * other.0[c] - self.0[c] * other.0[b]
        })
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self::from_fn(|i| self.0[i] + other.0[i])
    }
    pub(crate) fn times(&self, factor: Fine) -> Self {
        Self::from_fn(|i| self.0[i] * factor)
    }
    pub(crate) fn component_mul(&self, other: &Self) -> Self {
        Self::from_fn(|i| self.0[i] * other.0[i])
    }
    /// Returns the vector scaled to length one; the zero vector stays as it is.
    pub(crate) fn unit(&self) -> Self {
        let square = self.dot(self);
        if square.hi > 0.0 {
            self.times(Fine::ONE / square.sqrt())
        } else {
            *self
        }
    }
    /// Returns the vector rounded to doubles.
    pub fn rounded(&self) -> Vec3 {
        Vec3::from(self.0.map(Fine::value))
    }
}

impl FineMat {
    fn from_fn(f: impl Fn(usize, usize) -> Fine) -> Self {
        Self([0, 1, 2].map(|i| [0, 1, 2].map(|j| f(i, j))))
    }
    /// Returns the identity matrix.
    pub fn identity() -> Self {
        Mat3::identity().into()
    }
    /// Returns the rotation by a rotation vector, rad.
    pub fn exp(v: &[f64; 3]) -> Self {
        let half = FineVec::from(Vec3::from(*v) * 0.5);
        let (cos, sinc) = cos_and_sinc(half.dot(&half));
        let [x, y, z] = half.times(sinc).0;
        Self::from_fine_quaternion(&[cos, x, y, z])
    }
    /// Returns the rotation by an angle (degrees) about a coordinate axis.
    pub fn about(axis: usize, degrees: f64) -> Self {
        let half = Fine::from(degrees) * Fine::TAU / Fine::from(720.0);
        let (cos, sinc) = cos_and_sinc(half * half);
        let mut q = [cos, Fine::ZERO, Fine::ZERO, Fine::ZERO];
        q[axis + 1] = half * sinc;
        Self::from_fine_quaternion(&q)
    }
    /// Returns the rotation of a quaternion (w, x, y, z) of any non-zero length.
    pub fn from_quaternion(q: &[f64; 4]) -> Self {
        Self::from_fine_quaternion(&q.map(Fine::from))
    }
    fn from_fine_quaternion(q: &[Fine; 4]) -> Self {
        let k = Fine::from(2.0) / q.iter().map(|x| *x * *x).sum();
        let v = FineVec([q[1], q[2], q[3]]);
        let square = v.dot(&v);
        Self::from_fn(|i, j| {
            let product = v.0[i] * v.0[j];
            // R = 1 + k (v vᵀ − v·v + w v̂).
            match (j + 3 - i) % 3 {
                0 => Fine::ONE + k * (product - square),
                1 => k * (product - q[0] * v.0[3 - i - j]),
                _ => k * (product + q[0] * v.0[3 - i - j]),
            }
        })
    }
    /// Returns the rotation nearest to a matrix that is a rotation up to rounding.
    pub fn nearest_rotation(m: &Mat3) -> Self {
        let mut r = Self::from(*m);
        // Each iteration squares the defect, which is at most 1e-9.
        for _ in 0..5 {
            let gram = r.transpose().times(&r);
            let half = Fine::from(0.5);
            let correction = Self::from_fn(|i, j| {
                let three = Fine::from(if i == j { 3.0 } else { 0.0 });
                (three - gram.0[i][j]) * half
            });
            r = r.times(&correction);
        }
        r
    }
    /// Returns the transpose.
    pub fn transpose(&self) -> Self {
        Self::from_fn(|i, j| self.0[j][i])
    }
    /// Returns the product with a matrix.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::from_fn(|i, j| (0..3).map(|k| self.0[i][k] * other.0[k][j]).sum())
    }
    /// Returns the sum with a multiple of a matrix.
    #[must_use]
    pub(crate) fn plus_scaled(&self, other: &Self, factor: f64) -> Self {
        Self::from_fn(|i, j| self.0[i][j] + other.0[i][j] * Fine::from(factor))
    }
    /// Returns the product with a power of two, which is exact.
    pub(crate) fn scaled(&self, power: f64) -> Self {
        Self::from_fn(|i, j| self.0[i][j].scaled(power))
    }
    /// Returns the product with a vector.
    pub fn apply(&self, v: &FineVec) -> FineVec {
        FineVec(self.0.map(|row| FineVec(row).dot(v)))
    }
    /// Returns the inverse, by cofactors.
    pub fn inverse(&self) -> Self {
        let [a, b, c] = self.0.map(FineVec);
        let columns = [b.cross(&c), c.cross(&a), a.cross(&b)];
        let determinant = a.dot(&columns[0]);
        Self::from_fn(|i, j| columns[j].0[i] / determinant)
    }
    /// Returns the matrix rounded to doubles.
    pub fn rounded(&self) -> Mat3 {
        Mat3::from_fn(|i, j| self.0[i][j].value())
    }
}

/// Computes `cos x` and `sin x / x` from x²: x is halved until the series converges fast, then the results are
/// doubled.
pub(crate) fn cos_and_sinc(square: Fine) -> (Fine, Fine) {
    let (mut small, mut halvings) = (square, 0);
    while small.hi > 0.0625 && small.hi.is_finite() {
        small = small.scaled(0.25);
        halvings += 1;
    }
    // The last of 14 terms is below 16⁻¹⁴/28!.
    let series = |first: u32| {
        (0..14).rev().fold(Fine::ONE, |sum, k| {
            let n = first + 2 * k;
            Fine::ONE - small * sum / Fine::from(f64::from(n * (n + 1)))
        })
    };
    let (mut cos, mut sinc) = (series(1), series(2));
    for _ in 0..halvings {
        let sine_square = small * sinc * sinc;
        sinc = sinc * cos;
        cos = Fine::ONE - sine_square.scaled(2.0);
        small = small.scaled(4.0);
    }
    (cos, sinc)
}

/// Computes `cos` and `sin` of the product of two doubles.
pub(crate) fn cos_and_sin_of_product(a: f64, b: f64) -> (Fine, Fine) {
    let angle = Fine::product(a, b);
    let turns = (angle.hi / core::f64::consts::TAU).round();
    // 2π to 48 digits, so that whole turns are subtracted without an error in double-double.
    let tau = [Fine::TAU.hi, Fine::TAU.lo, -5.989_539_619_436_679e-33];
    let whole = tau.map(|part| Fine::product(part, turns));
    let x = whole.into_iter().fold(angle, |rest, part| rest - part);
    let (cos, sinc) = cos_and_sinc(x * x);
    (cos, x * sinc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;

    fn defect(a: &FineMat, b: &FineMat) -> f64 {
        let entries = (0..9).map(|k| (a.0[k / 3][k % 3] - b.0[k / 3][k % 3]).value().abs());
        entries.fold(0.0, f64::max)
    }

    /// Values computed by mpmath with 60 digits.
    #[test]
    fn cosines_and_sines_have_thirty_digits() {
        for ((a, b), cos, sin) in [
            (
                (1.0, 1.0),
                [0.5403023058681398, -4.760954612604417e-17],
                [0.8414709848078965, 1.776845092935536e-18],
            ),
            (
                (300.0, 7.0),
                [0.15407274591910985, 1.082280325473678e-17],
                [0.9880595067934651, -4.970433723546673e-17],
            ),
        ] {
            let (c, s) = cos_and_sin_of_product(a, b);
            for (found, [hi, lo]) in [(c, cos), (s, sin)] {
                let off = found - Fine { hi, lo };
                assert!(off.value().abs() < 1e-31, "{a} {b}: {off:?}");
            }
        }
    }

    #[test]
    fn rotations_agree_whichever_way_they_are_made() {
        let v = [0.4, -2.3, 1.7];
        let r = FineMat::exp(&v);
        let id = FineMat::identity();
        assert!(defect(&r.transpose().times(&r), &id) < 1e-31);
        assert!((r.rounded() - so3::exp(&Vec3::from(v))).amax() < 1e-15);
        let half = FineMat::exp(&v.map(|x| 0.5 * x));
        assert!(defect(&half.times(&half), &r) < 1e-30);
        let near = FineMat::nearest_rotation(&(r.rounded() * (1.0 + 1e-10)));
        assert!(defect(&near.transpose().times(&near), &id) < 1e-31);
        assert!(defect(&near, &r) < 2e-16);
        let (quarter, down) = (
            FineMat::about(0, 90.0),
            FineMat::from_quaternion(&[3.0, 3.0, 0.0, 0.0]),
        );
        assert!(defect(&quarter, &down) < 1e-31);
        assert!(defect(&down.times(&down.inverse()), &id) < 1e-31);
    }
}
