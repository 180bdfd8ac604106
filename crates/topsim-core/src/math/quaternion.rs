//! Quaternions `(w, x, y, z)` as increments of attitude: product, exponential, half angles.

use super::{Quat, Vec3, so3};

/// Product of two quaternions: the rotation `q` first, then `p`, of body components.
#[inline(always)]
pub fn product(p: &Quat, q: &Quat) -> Quat {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    ]
}

/// Product of `q` with the turn `(cos, sin e_k)` of half-angle functions about axis `k`: eight
/// multiplications instead of sixteen.
#[inline(always)]
pub fn times_axis(q: &Quat, k: usize, (cos, sin): (f64, f64)) -> Quat {
    let (a, b, c) = (k + 1, (k + 1) % 3 + 1, (k + 2) % 3 + 1);
    let mut out = [q[0] * cos - q[a] * sin, 0.0, 0.0, 0.0];
    out[a] = q[a] * cos + q[0] * sin;
    out[b] = q[b] * cos + q[c] * sin;
    out[c] = q[c] * cos - q[b] * sin;
    out
}

/// Unit quaternion of the rotation vector `psi` (rad).
#[inline(always)]
pub fn exp(psi: &Vec3) -> Quat {
    let v = psi * 0.5;
    let x2 = v.norm_squared();
    let (a, b) = so3::rodrigues(x2);
    [1.0 - b * x2, a * v.x, a * v.y, a * v.z]
}

/// Cosine and sine of half of `angle` (rad).
#[inline(always)]
pub fn half_angle(angle: f64) -> (f64, f64) {
    let x = 0.5 * angle;
    let (a, b) = so3::rodrigues(x * x);
    (1.0 - b * x * x, a * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_exponentials_are_those_of_rotations() {
        let (u, v) = (Vec3::new(0.3, -0.5, 0.8), Vec3::new(-2.0, 0.1, 1.4));
        let q = product(&exp(&u), &exp(&v));
        let r = so3::exp(&u) * so3::exp(&v);
        assert!((so3::matrix_from_quat(&q) - r).norm() < 2e-15);
        for k in 0..3 {
            let half = half_angle(0.7);
            let mut turn = [half.0, 0.0, 0.0, 0.0];
            turn[k + 1] = half.1;
            let (sparse, full) = (times_axis(&q, k, half), product(&q, &turn));
            assert!((0..4).all(|i| (sparse[i] - full[i]).abs() < 1e-15));
        }
        for angle in [-3.0_f64, 1e-9, 0.2, 40.0] {
            let (c, s) = half_angle(angle);
            assert!((c - libm::cos(angle / 2.0)).abs() < 1e-15);
            assert!((s - libm::sin(angle / 2.0)).abs() < 1e-15);
        }
    }
}
