//! Principal axes of a symmetric 3×3 matrix by Jacobi rotations in double-double.

use super::double_double::{DoubleDouble as Fine, power_of_two_below};
use super::fine::{FineMat, FineVec};
use super::{Mat3, Vec3};

/// Number of sweeps. Each squares the entries off the diagonal, relative to the distance of the moments, once they are
/// small; twelve suffice from any start.
const SWEEPS: usize = 12;

/// Returns the principal moments `d` and the rotation `Q` whose columns are the axes, with `J = Q diag(d) Qᵀ`, rounded to
/// doubles.
///
/// The bits are the same on every platform. Only the upper triangle is read. A diagonal matrix gives `Q = I` exactly and keeps
/// the order; the moments are not sorted.
pub fn principal_axes(matrix: &Mat3) -> (Vec3, Mat3) {
    let (moments, axes) = fine_principal_axes(&FineMat::from(*matrix));
    (moments.rounded(), axes.rounded())
}

/// Returns the same to 32 digits of the largest moment: the entries are taken as exact, and the small moments of a slender body
/// are differences of large entries.
pub(crate) fn fine_principal_axes(matrix: &FineMat) -> (FineVec, FineMat) {
    // Scaling by a power of two keeps squares from overflow and underflow.
    let unit = power_of_two_below(matrix.rounded().amax());
    let mut a = matrix.scaled(1.0 / unit);
    let mut q = FineMat::identity();
    for _ in 0..SWEEPS {
        if [(0, 1), (0, 2), (1, 2)]
            .iter()
            .all(|&(i, j)| a.0[i][j] == Fine::ZERO)
        {
            break;
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut q, i, j);
        }
    }
    (FineVec([0, 1, 2].map(|i| a.0[i][i].scaled(unit))), q)
}

/// Applies one Jacobi rotation that annihilates the entry `(i, j)`, `i < j`. An entry that changes no digit of a moment is set to
/// zero.
fn rotate(a: &mut FineMat, q: &mut FineMat, i: usize, j: usize) {
    let g = a.0[i][j];
    a.0[i][j] = Fine::ZERO;
    let (x, y) = (a.0[i][i], a.0[j][j]);
    if g.hi.abs() < 1e-40 * x.hi.abs().max(y.hi.abs()) {
        return;
    }
    // tan of the angle is the smaller root of t² + 2θt − 1 with θ = half/g.
    let half = (y - x).scaled(0.5);
    let root = (half * half + g * g).sqrt();
    let t = if half.hi >= 0.0 {
        g / (half + root)
    } else {
        -(g / (root - half))
    };
    let c = Fine::ONE / (t * t + Fine::ONE).sqrt();
    let s = t * c;
    a.0[i][i] = x - t * g;
    a.0[j][j] = y + t * g;
    let turned = |u: Fine, v: Fine| (c * u - s * v, c * v + s * u);
    // Index of the third axis; entries are kept in the upper triangle.
    let k = 3 - i - j;
    let ([ki, li], [kj, lj]) = ([k.min(i), k.max(i)], [k.min(j), k.max(j)]);
    (a.0[ki][li], a.0[kj][lj]) = turned(a.0[ki][li], a.0[kj][lj]);
    for row in &mut q.0 {
        (row[i], row[j]) = turned(row[i], row[j]);
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
