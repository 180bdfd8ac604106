//! What the columns of a history measure.

/// What a column, or a group of columns, measures. No decision hangs on a column's name.
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
    /// The Hamiltonian less its value at the start.
    EnergyDrift,
    /// An integral of the motion beside energy and momentum.
    ExtraIntegral,
    /// Angular momentum of one body, space frame.
    SpatialMomentum,
    /// How far the attitude is from a rotation.
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
    /// Whether it belongs to the scheme rather than to the motion: no reference knows it.
    pub fn belongs_to_scheme(self) -> bool {
        matches!(self, Self::Multiplier | Self::Iterations)
    }
}
