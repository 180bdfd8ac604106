//! Initial attitudes from a rotation vector, a quaternion, a matrix or Euler angles. The numbers of the file, read as
//! doubles, define the attitude exactly; it is kept as the doubles of a matrix and with 32 digits.

use crate::file::{AngleUnit, EulerTable};
use std::str::FromStr;
use topsim_core::math::fine::FineMat;
use topsim_core::math::{Mat3, Vec3, so3};

/// Attitude at the start.
#[derive(Debug, Clone)]
pub struct InitialAttitude {
    /// Attitude from which schemes start.
    pub rounded: Mat3,
    /// Attitude with 32 digits.
    pub exact: FineMat,
}

impl InitialAttitude {
    /// Returns the attitude I.
    pub fn identity() -> Self {
        Self {
            rounded: Mat3::identity(),
            exact: FineMat::identity(),
        }
    }
}

/// Largest distance of a matrix from a rotation, and of a quaternion from unit length.
const SLACK: f64 = 1e-9;

/// A reason why numbers are no attitude.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotAnAttitude {
    /// A matrix that is not orthogonal.
    #[error("not a rotation: RᵀR differs from I by {0:.1e}")]
    NotOrthogonal(f64),
    /// An orthogonal matrix that mirrors.
    #[error("not a rotation: the determinant is −1 (a reflection)")]
    Reflection,
    /// A quaternion of another length than one.
    #[error("not a unit quaternion: its length is {0}")]
    NotUnit(f64),
    /// A direction without length.
    #[error("a vector of no length")]
    NoLength,
    /// Axes that are no sequence of Euler angles.
    #[error("`{0}` is no sequence of Euler angles")]
    NoSequence(String),
}

/// Returns the rotation by a vector.
pub fn from_vector(v: &[f64; 3]) -> InitialAttitude {
    InitialAttitude {
        rounded: so3::exp(&Vec3::from(*v)),
        exact: FineMat::exp(v),
    }
}

/// Returns the rotation nearest to the rows of a matrix.
pub fn from_rows(rows: &[[f64; 3]; 3]) -> Result<InitialAttitude, NotAnAttitude> {
    let m = Mat3::from_fn(|i, j| rows[i][j]);
    let defect = so3::orthogonality_defect(&m);
    if !(defect <= SLACK) {
        return Err(NotAnAttitude::NotOrthogonal(defect));
    }
    if m.determinant() < 0.0 {
        return Err(NotAnAttitude::Reflection);
    }
    // Digits cut in the file must not show as a defect of the run.
    Ok(InitialAttitude {
        rounded: so3::matrix_from_quat(&so3::quat_from_matrix(&m)),
        exact: FineMat::nearest_rotation(&m),
    })
}

/// Returns the rotation of a quaternion (w, x, y, z).
pub fn from_quaternion(q: &[f64; 4]) -> Result<InitialAttitude, NotAnAttitude> {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !((n - 1.0).abs() <= SLACK) {
        return Err(NotAnAttitude::NotUnit(n));
    }
    Ok(InitialAttitude {
        rounded: so3::matrix_from_quat(q),
        exact: FineMat::from_quaternion(q),
    })
}

/// Returns a rotation that takes e3 to a direction.
pub fn from_axis(a: &[f64; 3]) -> Result<InitialAttitude, NotAnAttitude> {
    match Vec3::from(*a).try_normalize(1e-150) {
        Some(axis) => {
            let rounded = so3::frame_with_third(&axis);
            let exact = FineMat::nearest_rotation(&rounded);
            Ok(InitialAttitude { rounded, exact })
        }
        None => Err(NotAnAttitude::NoLength),
    }
}

/// Sequence of the axes of Euler angles. As in SciPy, upper-case letters are axes that turn with the body (intrinsic:
/// Λ = R_a(α) R_b(β) R_c(γ) for `ABC`), lower-case letters those of space (extrinsic: Λ = R_c(γ) R_b(β) R_a(α) for `abc`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EulerSequence {
    axes: [usize; 3],
    extrinsic: bool,
}

impl EulerSequence {
    /// Allowed sequences, for messages.
    pub const ALLOWED: &str = "three axes, no two neighbours equal: upper case about the turned axes of the body, such as ZXZ or \
                               ZYX, or lower case about the axes of space, such as xyz, as in SciPy";

    /// Returns the axes and angles of the three rotations, in the order in which their product is the attitude.
    pub fn rotations(self, [a, b, c]: [f64; 3]) -> [(usize, f64); 3] {
        let [i, j, k] = self.axes;
        match self.extrinsic {
            false => [(i, a), (j, b), (k, c)],
            true => [(k, c), (j, b), (i, a)],
        }
    }
}

impl FromStr for EulerSequence {
    type Err = NotAnAttitude;
    fn from_str(text: &str) -> Result<Self, NotAnAttitude> {
        let axes = |names: &str| {
            let found: Option<Vec<usize>> = text.chars().map(|c| names.find(c)).collect();
            let axes = <[usize; 3]>::try_from(found?).ok()?;
            (axes[0] != axes[1] && axes[1] != axes[2]).then_some(axes)
        };
        let (body, space) = (axes("XYZ"), axes("xyz"));
        let Some(axes) = body.or(space) else {
            return Err(NotAnAttitude::NoSequence(text.into()));
        };
        let extrinsic = space.is_some();
        Ok(Self { axes, extrinsic })
    }
}

/// Returns the rotation of Euler angles.
pub fn from_euler(e: &EulerTable) -> Result<InitialAttitude, NotAnAttitude> {
    let sequence: EulerSequence = e.sequence.parse()?;
    let mut att = InitialAttitude::identity();
    for (axis, angle) in sequence.rotations(e.angles) {
        let (unit, turn) = match e.unit {
            AngleUnit::Rad => {
                let mut vector = [0.0; 3];
                vector[axis] = angle;
                (1.0, FineMat::exp(&vector))
            }
            AngleUnit::Deg => {
                let unit = core::f64::consts::PI / 180.0;
                (unit, FineMat::about(axis, angle))
            }
        };
        let mut vector = Vec3::zeros();
        vector[axis] = angle * unit;
        att.rounded *= so3::exp(&vector);
        att.exact = att.exact.times(&turn);
    }
    Ok(att)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_angles_compose_about_turned_axes() {
        let e = EulerTable {
            sequence: "ZXZ".into(),
            angles: [90.0, 90.0, 0.0],
            unit: AngleUnit::Deg,
        };
        let att = from_euler(&e).unwrap();
        let m = att.rounded;
        assert!((m - att.exact.rounded()).norm() < 1e-15);
        // e3 of the body: tilted by 90° about the turned x axis, which is y: e3 → e1.
        assert!((m * Vec3::z() - Vec3::x()).norm() < 1e-15);
        for bad in ["ZZX", "XY", "XYW", "", "Zxz", "zzx", "zxzy"] {
            let e = EulerTable {
                sequence: bad.into(),
                ..e.clone()
            };
            assert!(from_euler(&e).is_err(), "{bad}");
        }
    }

    #[test]
    fn letters_of_lower_case_are_axes_of_space() {
        let turned = |sequence: &str, angles, unit| {
            let sequence = sequence.into();
            let att = from_euler(&EulerTable {
                sequence,
                angles,
                unit,
            });
            att.unwrap().rounded
        };
        let about = |axis: usize, angle: f64| {
            let mut vector = Vec3::zeros();
            vector[axis] = angle;
            so3::exp(&vector)
        };
        let angles = [0.3, -0.5, 1.1];
        let extrinsic = turned("xyz", angles, AngleUnit::Rad);
        let product = about(2, 1.1) * about(1, -0.5) * about(0, 0.3);
        assert!((extrinsic - product).norm() < 1e-15);
        assert!((extrinsic - turned("XYZ", angles, AngleUnit::Rad)).norm() > 0.1);
        // SciPy 1.16: Rotation.from_euler("zyx", [10, 20, 30], degrees=True).as_matrix()[2]
        let third = Vec3::new(-0.2048741287028621, 0.5438381424823255, 0.8137976813493737);
        let degrees = turned("zyx", [10.0, 20.0, 30.0], AngleUnit::Deg);
        assert!((degrees.row(2).transpose() - third).norm() < 1e-15);
    }

    #[test]
    fn non_rotations_are_refused() {
        let reflection = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(from_rows(&reflection).unwrap_err() == NotAnAttitude::Reflection);
        let stretched = [[1.1, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(matches!(
            from_rows(&stretched),
            Err(NotAnAttitude::NotOrthogonal(_))
        ));
        assert!(from_quaternion(&[1.0, 1.0, 0.0, 0.0]).is_err());
        let r = so3::exp(&Vec3::new(0.3, -0.2, 0.5));
        let q = so3::quat_from_matrix(&r);
        for InitialAttitude { rounded, exact } in [
            from_quaternion(&q).unwrap(),
            from_rows(&[0, 1, 2].map(|i| [0, 1, 2].map(|j| r[(i, j)]))).unwrap(),
            from_vector(&[0.3, -0.2, 0.5]),
        ] {
            assert!((rounded - r).norm() < 1e-15);
            assert!((exact.rounded() - r).norm() < 1e-15);
        }
    }
}
