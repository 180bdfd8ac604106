//! Validation of jointed bodies.

use super::JointedParts;
use super::body::Support;

/// Reason why a description does not give a jointed body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum JointedError {
    /// A number is infinite or not a number.
    #[error("{what} must be finite, got {value}")]
    NotFinite {
        /// Name of the input.
        what: &'static str,
        /// First offending entry.
        value: f64,
    },
    /// The mass is zero or negative.
    #[error("the mass must be positive, got {0}")]
    Mass(f64),
    /// No mass distribution has such moments about its centre of mass.
    #[error(
        "the inertia about the centre of mass breaks the triangle rule: of the principal moments \
         {moments:?} the largest exceeds the sum of the others by {excess}"
    )]
    Triangle {
        /// Principal moments, ascending, kg m².
        moments: [f64; 3],
        /// Excess of the largest moment over the sum of the others, kg m².
        excess: f64,
    },
    /// The joint coincides with the centre of mass.
    #[error("the lever from the joint to the centre of mass must not vanish")]
    NoLever,
    /// The attitude is not a rotation; the value is the largest entry of |RᵀR − I|.
    #[error("the initial attitude must be a rotation: |RᵀR − I| = {0:e} (allowed 1e-12)")]
    NotRotation(f64),
    /// The inertia about the joint cannot be inverted in floating point.
    #[error("the inertia about the joint is not usable: {0}")]
    JointInertia(#[from] crate::models::InertiaError),
}

/// Checks everything except the tensor itself, which [`crate::models::Inertia`] has checked.
pub(super) fn check(p: &JointedParts) -> Result<(), JointedError> {
    let finite = |what, values: &[f64]| match values.iter().find(|v| !v.is_finite()) {
        Some(&value) => Err(JointedError::NotFinite { what, value }),
        None => Ok(()),
    };
    finite("the mass", &[p.mass])?;
    finite("the inertia", p.inertia.tensor().as_slice())?;
    finite("gravity", p.gravity.as_slice())?;
    finite("the force", p.force.as_slice())?;
    finite("the torque", p.torque.torque.as_slice())?;
    finite("the initial attitude", p.rotation.att.as_slice())?;
    finite("the initial body rate", p.rotation.omega.as_slice())?;
    if !(p.mass > 0.0) {
        return Err(JointedError::Mass(p.mass));
    }
    if let Some(excess) = p.inertia.triangle_excess() {
        return Err(JointedError::Triangle {
            moments: p.inertia.moments().into(),
            excess,
        });
    }
    let defect = crate::math::so3::orthogonality_defect(&p.rotation.att);
    if !(defect <= 1e-12 && p.rotation.att.determinant() > 0.0) {
        return Err(JointedError::NotRotation(defect));
    }
    match &p.support {
        Support::Joint { lever } => {
            finite("the lever", lever.as_slice())?;
            if !(lever.amax() > 0.0) {
                return Err(JointedError::NoLever);
            }
        }
        Support::None { position, velocity } => {
            finite("the initial position", position.as_slice())?;
            finite("the initial velocity", velocity.as_slice())?;
        }
    }
    if let Some(given) = &p.given {
        let parts = [
            ("the given angular acceleration", given.angular_acceleration),
            ("the given acceleration", given.acceleration),
            ("the given velocity", given.velocity),
        ];
        for (what, v) in parts {
            finite(what, v.unwrap_or_default().as_slice())?;
        }
    }
    Ok(())
}
