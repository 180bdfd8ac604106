//! Euler angles.

use topsim_core::math::{Mat3, Vec3, so3};

/// Returns the angles of a sequence of axes, of which the first turns last, for an attitude.
pub fn euler_angles(att: &Mat3, [i, j, k]: [usize; 3]) -> [f64; 3] {
    // The middle angle from the corner of the matrix, the others from what is left.
    let mut axes = [Vec3::zeros(); 3];
    for (n, a) in axes.iter_mut().enumerate() {
        a[n] = 1.0;
    }
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let middle = if i == k {
        att[(i, i)].clamp(-1.0, 1.0).acos()
    } else {
        (sign * att[(i, k)]).clamp(-1.0, 1.0).asin()
    };
    // R e_k does not depend on the last angle: the first turns R_j(b) e_k to it about e_i.
    let from = so3::exp(&(axes[j] * middle)) * axes[k];
    let to = att * axes[k];
    let first = about(&axes[i], &from, &to);
    let left = (so3::exp(&(axes[i] * first)) * so3::exp(&(axes[j] * middle))).transpose() * att;
    let last = about(&axes[k], &axes[(k + 1) % 3], &(left * axes[(k + 1) % 3]));
    [first, middle, last]
}

/// Returns the angle by which `from` turns to `to` about an axis.
fn about(axis: &Vec3, from: &Vec3, to: &Vec3) -> f64 {
    let flat = |v: &Vec3| v - axis * axis.dot(v);
    let (a, b) = (flat(from), flat(to));
    a.cross(&b).dot(axis).atan2(a.dot(&b))
}

/// Returns the attitude of the angles of a sequence of axes.
pub fn euler_matrix(angles: [f64; 3], sequence: [usize; 3]) -> Mat3 {
    let mut out = Mat3::identity();
    for (angle, axis) in angles.into_iter().zip(sequence) {
        let mut v = Vec3::zeros();
        v[axis] = angle;
        out *= so3::exp(&v);
    }
    out
}
