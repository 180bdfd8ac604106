//! Errors in the inputs of closed forms.

/// Reason why a closed form does not apply to the given numbers.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// An input is infinite or not a number.
    #[error("{what} must be finite, got {value}")]
    NotFinite {
        /// Name of the input.
        what: &'static str,
        /// First offending entry.
        value: f64,
    },
    /// The inertia tensor is not symmetric.
    #[error(
        "the inertia tensor must be symmetric: entries ({row},{column}) and ({column},{row}) \
         differ by {difference:e}"
    )]
    TensorNotSymmetric {
        /// Row index, from 1.
        row: usize,
        /// Column index, from 1.
        column: usize,
        /// Difference of the two entries.
        difference: f64,
    },
    /// A principal moment is zero or negative.
    #[error("principal moments must be positive, got {moments:?}")]
    MomentNotPositive {
        /// The principal moments.
        moments: [f64; 3],
    },
    /// The initial attitude is not a rotation.
    #[error(
        "the initial attitude must be a rotation: |RᵀR − I| = {defect:e} (allowed {allowed:e}), \
         det R = {determinant}"
    )]
    NotRotation {
        /// Largest entry of |RᵀR − I|.
        defect: f64,
        /// Largest allowed entry of |RᵀR − I|.
        allowed: f64,
        /// Determinant of R.
        determinant: f64,
    },
    /// The up direction is not a unit vector.
    #[error(
        "the up direction must be a unit vector: its length is {length} (allowed 1 ± {allowed:e})"
    )]
    UpNotUnit {
        /// Length of the given vector.
        length: f64,
        /// Largest allowed deviation of the length from 1.
        allowed: f64,
    },
    /// The inertia is not symmetric about the lever, so the top is not a Lagrange top.
    #[error(
        "no closed form: the inertia must be symmetric about the lever direction {axis:?}; the \
         relative asymmetry is {asymmetry:e} (allowed {allowed:e}), the moment about the axis \
         {axial}, the mean moment across it {transverse}"
    )]
    NotAxisymmetric {
        /// Lever direction, body frame, unit.
        axis: [f64; 3],
        /// Relative asymmetry `|J − A I − (C − A) n nᵀ| / |J|`.
        asymmetry: f64,
        /// Largest allowed asymmetry.
        allowed: f64,
        /// Moment C about the axis.
        axial: f64,
        /// Mean A of the moments across the axis.
        transverse: f64,
    },
}
