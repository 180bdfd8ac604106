//! Columns that several families of bodies have in common.

use super::quantity::Quantity;
use super::row::{GroupHeading, Heading, Members};

pub(super) const ATTITUDE: Heading<9> = Heading::new(
    Quantity::Attitude,
    [
        "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33",
    ],
    "",
    "attitude Λ (body → space)",
)
.group("attitude");

pub(super) const THIRD_AXIS: GroupHeading = GroupHeading {
    name: "axis3",
    quantity: Quantity::Axis,
    unit: "",
    members: Members::Named(&["R13", "R23", "R33"]),
};

pub(super) const BODY_RATE: Heading<3> = Heading::new(
    Quantity::BodyRate,
    ["W1", "W2", "W3"],
    "rad/s",
    "angular velocity, body frame",
)
.tracked()
.group("W");

pub(super) const ENERGY: Heading<1> = Heading::new(
    Quantity::Energy,
    ["H"],
    "J",
    "Hamiltonian: kinetic energy plus the torque's potential",
)
.tracked();

pub(super) const SPATIAL_MOMENTUM: Heading<3> = Heading::new(
    Quantity::SpatialMomentum,
    ["pi_x", "pi_y", "pi_z"],
    "kg m²/s",
    "angular momentum, space frame",
)
.tracked()
.group("pi");

pub(super) const ENERGY_DRIFT: Heading<1> =
    Heading::new(Quantity::EnergyDrift, ["drift"], "J", "H − H(0)").tracked();

pub(super) const RATE_NORM: Heading<1> = Heading::new(
    Quantity::RateNorm,
    ["W_norm"],
    "rad/s",
    "length of the angular velocity",
)
.tracked();

pub(super) const ORTHOGONALITY: Heading<1> = Heading::new(
    Quantity::Orthogonality,
    ["orth"],
    "",
    "largest entry of |ΛᵀΛ − I|",
)
.tracked();

pub(super) const SPATIAL_RATE: Heading<3> = Heading::new(
    Quantity::SpatialRate,
    ["omega_x", "omega_y", "omega_z"],
    "rad/s",
    "angular velocity, space frame",
)
.group("omega");

pub(super) const POSITION: Heading<3> = Heading::new(
    Quantity::Position,
    ["x", "y", "z"],
    "m",
    "position of the centre of mass, space frame",
)
.group("position");

pub(super) const VELOCITY: Heading<3> = Heading::new(
    Quantity::Velocity,
    ["vx", "vy", "vz"],
    "m/s",
    "velocity of the centre of mass, space frame",
)
.group("velocity");
