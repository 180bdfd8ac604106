//! Quaternions `(w, x, y, z)` as increments of attitude: product, exponential, half angles.

use super::so3::AngleRange;
use super::{Quat, Vec3, scalar, so3};

/// Returns the product of two quaternions: for body components, the rotation `q` is applied first, then `p`.
#[inline(always)]
pub fn product(p: &Quat, q: &Quat) -> Quat {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    ]
}

/// Returns the product of `q` with a rotation about axis `k` given by cosine and sine of its half angle, which
/// takes eight multiplications instead of sixteen.
#[inline(always)]
pub(crate) fn times_axis(q: &Quat, k: usize, (cos, sin): (f64, f64)) -> Quat {
    let (a, b, c) = (k + 1, (k + 1) % 3 + 1, (k + 2) % 3 + 1);
    let mut out = [q[0] * cos - q[a] * sin, 0.0, 0.0, 0.0];
    out[a] = q[a] * cos + q[0] * sin;
    out[b] = q[b] * cos + q[c] * sin;
    out[c] = q[c] * cos - q[b] * sin;
    out
}

/// Returns `p + s q`.
#[inline(always)]
pub(crate) fn plus(p: &Quat, s: f64, q: &Quat) -> Quat {
    core::array::from_fn(|i| p[i] + s * q[i])
}

/// Returns the product of `q` with the vector `v`.
#[inline(always)]
pub fn times_vector(q: &Quat, v: &Vec3) -> Quat {
    [
        -(q[1] * v.x + q[2] * v.y + q[3] * v.z),
        q[0] * v.x + q[2] * v.z - q[3] * v.y,
        q[0] * v.y + q[3] * v.x - q[1] * v.z,
        q[0] * v.z + q[1] * v.y - q[2] * v.x,
    ]
}

/// Scales `q` to unit length. The square root is used because 1.5 − ½|q|² rounds to one side.
#[inline(always)]
pub fn unit(q: &Quat) -> Quat {
    let k = 1.0 / ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])).sqrt();
    q.map(|x| x * k)
}

/// Returns the body components `Rᵀ v` of a vector in space, for the unit quaternion of R.
#[inline(always)]
pub(crate) fn to_body(q: &Quat, v: &Vec3) -> Vec3 {
    let u = Vec3::new(q[1], q[2], q[3]);
    let t = u.cross(&(v * 2.0));
    v - t * q[0] + u.cross(&t)
}

/// Returns the same as [`to_body`] for `(0, 0, z)` with half the operations.
#[inline(always)]
pub(crate) fn vertical_to_body(q: &Quat, z: f64) -> Vec3 {
    let k = 2.0 * z;
    Vec3::new(
        (q[1] * q[3] - q[0] * q[2]) * k,
        (q[2] * q[3] + q[0] * q[1]) * k,
        z - (q[1] * q[1] + q[2] * q[2]) * k,
    )
}

/// Returns the unit quaternion of the rotation vector `psi` (rad).
#[inline(always)]
pub fn exp(psi: &Vec3) -> Quat {
    AngleRange::Any.quaternion(psi)
}

impl AngleRange {
    /// Returns the unit quaternion of the rotation vector `psi` (rad).
    #[inline(always)]
    pub(crate) fn quaternion(self, psi: &Vec3) -> Quat {
        let v = psi * 0.5;
        let x2 = v.norm_squared();
        let (a, b) = self.rodrigues(x2);
        [1.0 - b * x2, a * v.x, a * v.y, a * v.z]
    }

    /// Returns cosine and sine of half of `angle` (rad).
    #[inline(always)]
    pub(crate) fn half_angle(self, angle: f64) -> (f64, f64) {
        let x = 0.5 * angle;
        let (a, b) = self.rodrigues(x * x);
        (1.0 - b * x * x, a * x)
    }
}

/// Computes `cos √x` and `sin √x / √x`. Up to 2.5, which covers angles reduced by π, their series is used
/// without a root (next term below 1e-18). With the half vector v and x = |v|², the quaternion is `(cos, sinc ·
/// v)`.
#[inline(always)]
pub(crate) fn cos_sinc(x: f64) -> (f64, f64) {
    if x <= 2.5 {
        const COS: [f64; 12] = so3::alternating(0);
        const SINC: [f64; 12] = so3::alternating(1);
        (estrin12(&COS, x), estrin12(&SINC, x))
    } else {
        cos_sinc_closed(x)
    }
}

#[cold]
#[inline(never)]
fn cos_sinc_closed(x: f64) -> (f64, f64) {
    let angle = x.sqrt();
    let (s, c) = scalar::sincos(angle);
    (c, s / angle)
}

/// Evaluates a polynomial of degree 11 by Estrin's scheme.
#[inline(always)]
fn estrin12(p: &[f64; 12], x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let four = |k: usize| (p[k] + p[k + 1] * x) + (p[k + 2] + p[k + 3] * x) * x2;
    four(0) + (four(4) + four(8) * x4) * x4
}

/// Returns cosine and sine of half of `angle` (rad), possibly both with the opposite sign, which is the same
/// rotation. The absolute error stays that of rounding for angles below about 1e9.
#[inline(always)]
pub fn half_turn(angle: f64) -> (f64, f64) {
    // Adding and subtracting 1.5 · 2⁵² rounds to an integer; π is subtracted in two parts.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let x = 0.5 * angle;
    let n = (x * core::f64::consts::FRAC_1_PI + ROUND) - ROUND;
    let x = (x - n * core::f64::consts::PI) - n * 1.224_646_799_147_353_2e-16;
    let (c, s) = cos_sinc(x * x);
    (c, s * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_exponentials_are_those_of_rotations() {
        let (u, v) = (Vec3::new(0.3, -0.5, 0.8), Vec3::new(-2.0, 0.1, 1.4));
        let q = product(&exp(&u), &exp(&v));
        let r = so3::exp(&u) * so3::exp(&v);
        // |q|² is 1 only to 4 ε, and nothing divides by it.
        assert!((to_body(&q, &u) - r.tr_mul(&u)).norm() < 3e-15);
        let down = Vec3::new(0.0, 0.0, -20.0);
        assert!((vertical_to_body(&q, -20.0) - to_body(&q, &down)).norm() < 20.0 * 3e-15);
        let of_vector = product(&q, &[0.0, u.x, u.y, u.z]);
        assert!((0..4).all(|i| (times_vector(&q, &u)[i] - of_vector[i]).abs() < 1e-15));
        let long = unit(&q.map(|x| 3.0 * x));
        assert!((0..4).all(|i| (long[i] - q[i]).abs() < 1e-15));
        assert!((so3::matrix_from_quat(&q) - r).norm() < 2e-15);
        for k in 0..3 {
            let half = AngleRange::Any.half_angle(0.7);
            let mut turn = [half.0, 0.0, 0.0, 0.0];
            turn[k + 1] = half.1;
            let (sparse, full) = (times_axis(&q, k, half), product(&q, &turn));
            assert!((0..4).all(|i| (sparse[i] - full[i]).abs() < 1e-15));
        }
        for angle in [-3.0_f64, 1e-9, 0.2, 40.0] {
            let (c, s) = AngleRange::Any.half_angle(angle);
            assert!((c - libm::cos(angle / 2.0)).abs() < 1e-15);
            assert!((s - libm::sin(angle / 2.0)).abs() < 1e-15);
        }
        for k in -4000..4000 {
            let angle = 0.01 * f64::from(k);
            let (c, s) = half_turn(angle);
            let (cos, sin) = (libm::cos(angle / 2.0), libm::sin(angle / 2.0));
            let sign = if c * cos + s * sin < 0.0 { -1.0 } else { 1.0 };
            let off = (sign * c - cos).abs().max((sign * s - sin).abs());
            assert!(off < 2e-16 * (1.0 + angle.abs()), "{angle}: {off:e}");
            let (c, s) = cos_sinc(angle * angle);
            assert!((c - libm::cos(angle)).abs() < 3e-16);
            assert!((s * angle - libm::sin(angle)).abs() < 3e-16);
        }
    }
}
