//! Quantities that columns of a history measure.

/// Quantity that a column, or a group of columns, measures. Decisions use it instead of the column's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Entries of the rotation matrix, body → space.
    Attitude,
    /// A unit vector fixed in the body, in the space frame.
    Axis,
    /// Angular velocity, body frame.
    BodyRate,
    /// Length of the angular velocity.
    RateNorm,
    /// Angular velocity, space frame.
    SpatialRate,
    /// The Hamiltonian.
    Energy,
    /// The Hamiltonian minus its value at the start.
    EnergyDrift,
    /// An integral of the motion other than energy and momentum.
    ExtraIntegral,
    /// Angular momentum of one body, space frame.
    SpatialMomentum,
    /// Deviation of the attitude from a rotation.
    Orthogonality,
    /// Position of the centre of mass, space frame.
    Position,
    /// Velocity of the centre of mass, space frame.
    Velocity,
    /// Distance of the body from its joint.
    JointDistance,
    /// Speed at which the body leaves its joint.
    JointSpeed,
    /// Force of the joint on the body, space frame.
    JointForce,
    /// Multiplier of a constraint, in the scheme's own sense and frame.
    Multiplier,
    /// Iterations of the scheme's nonlinear solver.
    Iterations,
    /// Casimir a·a: squared length of the symmetry axis.
    AxisLength,
    /// Casimir l·a: angular momentum about the symmetry axis.
    SpinMomentum,
    /// Angular momentum of all bodies about the origin, space frame.
    TotalAngularMomentum,
    /// Momentum of all bodies, space frame.
    TotalMomentum,
}

impl Quantity {
    /// Returns true if the quantity belongs to the scheme rather than to the motion, so that no reference
    /// defines it.
    pub(crate) fn belongs_to_scheme(self) -> bool {
        matches!(self, Self::Multiplier | Self::Iterations)
    }
}
