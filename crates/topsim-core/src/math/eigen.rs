//! Principal axes of a symmetric 3×3 matrix by Jacobi rotations.

use super::{Mat3, Vec3};

/// Returns the principal moments `d` and the rotation `Q` whose columns are the axes, with `J = Q diag(d) Qᵀ`.
///
/// Cyclic Jacobi rotations to machine precision give the same bits on every platform. Only the upper triangle
/// is read. A diagonal matrix gives `Q = I` exactly and keeps the order; the moments are not sorted.
pub fn principal_axes(matrix: &Mat3) -> (Vec3, Mat3) {
    let mut a = *matrix;
    let mut q = Mat3::identity();
    for _ in 0..30 {
        let off = a[(0, 1)].abs() + a[(0, 2)].abs() + a[(1, 2)].abs();
        if off == 0.0 {
            break;
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut q, i, j);
        }
    }
    (Vec3::new(a[(0, 0)], a[(1, 1)], a[(2, 2)]), q)
}

/// Applies one Jacobi rotation that annihilates the entry `(i, j)`, `i < j`.
fn rotate(a: &mut Mat3, q: &mut Mat3, i: usize, j: usize) {
    let g = a[(i, j)];
    if g == 0.0 {
        return;
    }
    let (x, y) = (a[(i, i)], a[(j, j)]);
    if g.abs() < 1e-3 * f64::EPSILON * (x.abs().min(y.abs())).min((x - y).abs()) {
        a[(i, j)] = 0.0;
        return;
    }
    let theta = (y - x) / (2.0 * g);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if t.is_finite() { t } else { 0.0 };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let tau = s / (1.0 + c);
    a[(i, i)] = x - t * g;
    a[(j, j)] = y + t * g;
    a[(i, j)] = 0.0;
    // Index of the third axis; entries are kept in the upper triangle.
    let k = 3 - i - j;
    let (ki, kj) = ((k.min(i), k.max(i)), (k.min(j), k.max(j)));
    let (u, v) = (a[ki], a[kj]);
    a[ki] = u - s * (v + tau * u);
    a[kj] = v + s * (u - tau * v);
    for r in 0..3 {
        let (u, v) = (q[(r, i)], q[(r, j)]);
        q[(r, i)] = u - s * (v + tau * u);
        q[(r, j)] = v + s * (u - tau * v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;

    #[test]
    fn a_diagonal_matrix_is_left_alone() {
        let (d, q) = principal_axes(&Mat3::from_diagonal(&Vec3::new(3.0, 1.0, 2.0)));
        assert_eq!((d, q), (Vec3::new(3.0, 1.0, 2.0), Mat3::identity()));
    }

    #[test]
    fn axes_are_a_rotation_and_rebuild_the_tensor() {
        for d in [
            Vec3::new(1.0, 2.0, 3.0),
            Vec3::new(1.0, 1.0, 1.5),
            Vec3::new(2.0, 1.0, 1.0 + 1e-9),
            Vec3::new(1e-3, 1.0, 1.0),
        ] {
            for v in [
                Vec3::new(0.3, -1.0, 2.0),
                Vec3::new(1e-9, 0.0, 1e-5),
                Vec3::new(1.5, 1.5, 0.0),
                // A rotation about one coordinate axis leaves a single entry off the diagonal.
                Vec3::new(0.4, 0.0, 0.0),
                Vec3::new(0.0, -0.7, 0.0),
                Vec3::new(0.0, 0.0, 1.2),
            ] {
                let r = so3::exp(&v);
                let j = r * Mat3::from_diagonal(&d) * r.transpose();
                let j = (j + j.transpose()) * 0.5;
                let (e, q) = principal_axes(&j);
                assert!(so3::orthogonality_defect(&q) < 2e-15);
                assert!(q.determinant() > 0.0);
                let back = q * Mat3::from_diagonal(&e) * q.transpose();
                assert!((back - j).norm() < 4e-15 * j.norm(), "{d} {v}");
            }
        }
    }
}
