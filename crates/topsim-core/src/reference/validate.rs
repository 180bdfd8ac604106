//! Validation of the inputs of closed forms.

use super::ReferenceError;
use crate::math::{Mat3, Vec3, so3};

/// Largest allowed entry of |RᵀR − I| of the initial attitude: rounded rotations pass, typing errors do not.
const ROTATION_DEFECT: f64 = 1e-9;

/// Requires all entries to be finite.
pub(super) fn finite(what: &'static str, values: &[f64]) -> Result<(), ReferenceError> {
    match values.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(ReferenceError::NotFinite { what, value }),
        None => Ok(()),
    }
}

/// Requires a rotation, up to rounding.
pub(super) fn rotation(att: &Mat3) -> Result<(), ReferenceError> {
    finite("the initial attitude", att.as_slice())?;
    let defect = so3::orthogonality_defect(att);
    let determinant = att.determinant();
    if defect <= ROTATION_DEFECT && determinant > 0.0 {
        Ok(())
    } else {
        Err(ReferenceError::NotRotation {
            defect,
            allowed: ROTATION_DEFECT,
            determinant,
        })
    }
}

/// Requires a finite symmetric tensor; opposite entries may differ by a few units in the last place.
pub(super) fn tensor(inertia: &Mat3) -> Result<(), ReferenceError> {
    finite("the inertia tensor", inertia.as_slice())?;
    let size = inertia.amax();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let difference = inertia[(i, j)] - inertia[(j, i)];
        if difference.abs() > 1e-14 * size {
            return Err(ReferenceError::TensorNotSymmetric {
                row: i + 1,
                column: j + 1,
                difference,
            });
        }
    }
    Ok(())
}

/// Requires all moments to be positive.
pub(super) fn positive(moments: &Vec3) -> Result<(), ReferenceError> {
    if moments.iter().all(|&x| x > 0.0) {
        Ok(())
    } else {
        Err(ReferenceError::MomentNotPositive {
            moments: [moments.x, moments.y, moments.z],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns that are too long by δ make entries of `RᵀR − I` up to 2 δ.
    #[test]
    fn a_rotation_is_one_to_a_part_in_a_thousand_million() {
        let stretched = |defect: f64| Mat3::identity() * (1.0 + defect / 2.0);
        assert!(rotation(&stretched(0.9e-9)).is_ok());
        assert!(rotation(&stretched(1.1e-9)).is_err());
    }
}
