//! Columns shared by several families of bodies.

use super::quantity::Quantity;
use super::row::{GroupHeading, Members, headings};

headings! {
    pub(super) ATTITUDE: 9 = Attitude, ["R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"], "",
        "attitude Λ (body → space)".group("attitude");
    pub(super) BODY_RATE: 3 = BodyRate, ["W1", "W2", "W3"], "rad/s",
        "angular velocity, body frame".tracked().group("W");
    pub(super) ENERGY: 1 = Energy, ["H"], "J",
        "Hamiltonian: kinetic energy plus the torque's potential".tracked();
    pub(super) SPATIAL_MOMENTUM: 3 = SpatialMomentum, ["pi_x", "pi_y", "pi_z"], "kg m²/s",
        "angular momentum, space frame".tracked().group("pi");
    pub(super) ENERGY_DRIFT: 1 = EnergyDrift, ["drift"], "J",
        "H − H(0)".tracked();
    pub(super) RATE_NORM: 1 = RateNorm, ["W_norm"], "rad/s",
        "length of the angular velocity".tracked();
    pub(super) ORTHOGONALITY: 1 = Orthogonality, ["orth"], "",
        "largest entry of |ΛᵀΛ − I|".tracked();
    pub(super) EXTRA_INTEGRAL: 1 = ExtraIntegral, ["integral"], "",
        "the integral of Kovalevskaya, of Goryachev and Chaplygin, or the energy in the frame of the orbit".tracked();
    pub(super) SPATIAL_RATE: 3 = SpatialRate, ["omega_x", "omega_y", "omega_z"], "rad/s",
        "angular velocity, space frame".group("omega");
    pub(super) POSITION: 3 = Position, ["x", "y", "z"], "m",
        "position of the centre of mass, space frame".group("position");
    pub(super) VELOCITY: 3 = Velocity, ["vx", "vy", "vz"], "m/s",
        "velocity of the centre of mass, space frame".group("velocity");
}

pub(super) const THIRD_AXIS: GroupHeading = GroupHeading {
    name: "axis3",
    quantity: Quantity::Axis,
    unit: "",
    members: Members::Named(&["R13", "R23", "R33"]),
};
