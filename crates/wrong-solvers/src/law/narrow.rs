//! Laws that are wrong in a corner only.

use topsim_core::math::{Mat3, Vec3};
use topsim_model::probe::{Load, Start};

/// A law that is wrong for some bodies or states only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NarrowLaw {
    /// Moments nearer than this, relative, are taken as equal in the gyroscopic term.
    EqualMoments(f64),
    /// The gyroscopic term is of single precision, where the largest moment is so many times the smallest.
    SingleWhere(f64),
    /// There is no torque where the lever is nearer to the vertical than this.
    Upright(f64),
    /// There is no gyroscopic term where it is less than this, relative.
    SmallGyroscopic(f64),
    /// Products of inertia below this, relative, are dropped.
    SmallProducts(f64),
    /// There is no gyroscopic term where the determinant of the inertia is below this.
    SmallDeterminant(f64),
    /// A lever shorter than this is none, m.
    ShortLever(f64),
    /// A lever that is not along the third axis of the body is taken as half as long.
    OtherLever,
    /// The gyroscopic term is twice as large where gravity acts and the three moments differ: the energy is kept.
    AsymmetricTop,
    /// The torque of gravity is half as large where the three moments differ.
    AsymmetricWeight,
    /// The gyroscopic term is larger by this, relative, where the product of the rate's components is positive and the body
    /// slender.
    LeftHanded(f64),
}

/// Detects gravity on a body of three different moments.
pub(crate) fn is_asymmetric(start: &Start) -> bool {
    let moments = start.inertia.moments();
    let gap = |a: f64, b: f64| (a - b).abs() > 1e-6 * moments.max();
    let differ =
        gap(moments.x, moments.y) && gap(moments.y, moments.z) && gap(moments.z, moments.x);
    differ && matches!(start.load, Load::Gravity { .. })
}

impl NarrowLaw {
    /// Returns the inertia that is used for `j`.
    pub(super) fn inertia(self, mut j: Mat3) -> Mat3 {
        if let Self::SmallProducts(least) = self {
            let size = j.amax();
            for (i, k) in [(0, 1), (1, 2), (2, 0)] {
                if j[(i, k)].abs() < least * size {
                    (j[(i, k)], j[(k, i)]) = (0.0, 0.0);
                }
            }
        }
        j
    }

    /// Returns what is taken for the torque, body frame.
    pub(super) fn torque(self, start: &Start, att: &Mat3, torque: Vec3) -> Vec3 {
        let Load::Gravity { lever, up, .. } = &start.load else {
            return torque;
        };
        match self {
            Self::Upright(angle) if (att * lever).normalize().cross(up).norm() < angle => {
                Vec3::zeros()
            }
            Self::ShortLever(least) if lever.norm() < least => Vec3::zeros(),
            Self::OtherLever if lever.z.abs() < 0.5 * lever.norm() => torque * 0.5,
            Self::AsymmetricWeight if is_asymmetric(start) => torque * 0.5,
            _ => torque,
        }
    }

    /// Returns what is taken for the gyroscopic term (J W) × W.
    pub(super) fn gyroscopic(self, start: &Start, j: &Mat3, w: &Vec3, term: Vec3) -> Vec3 {
        let l = j * w;
        let slender = |ratio: f64| {
            let moments = j.symmetric_eigenvalues();
            moments.max() > ratio * moments.min()
        };
        match self {
            Self::EqualMoments(gap) => {
                let mut d: Vec3 = j.diagonal();
                if Mat3::from_diagonal(&d) != *j {
                    return term;
                }
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    if (d[a] - d[b]).abs() < gap * d[a] {
                        d[b] = d[a];
                    }
                }
                d.component_mul(w).cross(w)
            }
            Self::SingleWhere(ratio) if slender(ratio) => {
                let size = w.amax() * l.amax();
                term.map(|x| f64::from((x / size) as f32) * size)
            }
            Self::SmallGyroscopic(least) if term.norm() < least * l.norm() * w.norm() => {
                Vec3::zeros()
            }
            Self::SmallDeterminant(least) if j.determinant() < least => Vec3::zeros(),
            Self::AsymmetricTop if is_asymmetric(start) => term * 2.0,
            Self::LeftHanded(by) if w.x * w.y * w.z > 0.0 && slender(30.0) => term * (1.0 + by),
            _ => term,
        }
    }
}
