//! Columns and groups of rotating bodies, shared by those that fly and those that do not.

use super::problem::{Channel, Group, GroupKind};
use std::ops::Range;

pub(super) const fn channel(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
) -> Channel {
    Channel { name, unit, about }
}

const R: &str = "attitude Λ (body → space)";
const W: &str = "angular velocity, body frame";
const PI: &str = "angular momentum, space frame";
const OMEGA: &str = "angular velocity, space frame";

/// Columns of a body that turns about a point.
pub(super) const ROTATION: [Channel; 22] = [
    channel("R11", "", R),
    channel("R12", "", R),
    channel("R13", "", R),
    channel("R21", "", R),
    channel("R22", "", R),
    channel("R23", "", R),
    channel("R31", "", R),
    channel("R32", "", R),
    channel("R33", "", R),
    channel("W1", "rad/s", W),
    channel("W2", "rad/s", W),
    channel("W3", "rad/s", W),
    channel(
        "H",
        "J",
        "Hamiltonian: kinetic energy plus the torque's potential",
    ),
    channel("pi_x", "kg m²/s", PI),
    channel("pi_y", "kg m²/s", PI),
    channel("pi_z", "kg m²/s", PI),
    channel("drift", "J", "H − H(0)"),
    channel("W_norm", "rad/s", "length of the angular velocity"),
    channel("orth", "", "largest entry of |ΛᵀΛ − I|"),
    channel("omega_x", "rad/s", OMEGA),
    channel("omega_y", "rad/s", OMEGA),
    channel("omega_z", "rad/s", OMEGA),
];

/// Those followed at every step: W1 to orth.
pub(super) const TRACKED: Range<usize> = 9..19;

const fn vector(name: &'static str, channels: &'static [usize], unit: &'static str) -> Group {
    Group {
        name,
        kind: GroupKind::Vector,
        channels,
        unit,
    }
}

/// Groups of these columns.
pub(super) const ROTATION_GROUPS: [Group; 5] = [
    Group {
        name: "attitude",
        kind: GroupKind::Attitude,
        channels: &[0, 1, 2, 3, 4, 5, 6, 7, 8],
        unit: "rad",
    },
    vector("axis3", &[2, 5, 8], ""),
    vector("W", &[9, 10, 11], "rad/s"),
    vector("pi", &[13, 14, 15], "kg m²/s"),
    vector("omega", &[19, 20, 21], "rad/s"),
];

const X: &str = "position of the centre of mass, space frame";
const V: &str = "velocity of the centre of mass, space frame";

/// Columns of a body that flies.
pub(super) const FLIGHT: [Channel; 28] = [
    ROTATION[0],
    ROTATION[1],
    ROTATION[2],
    ROTATION[3],
    ROTATION[4],
    ROTATION[5],
    ROTATION[6],
    ROTATION[7],
    ROTATION[8],
    ROTATION[9],
    ROTATION[10],
    ROTATION[11],
    ROTATION[12],
    ROTATION[13],
    ROTATION[14],
    ROTATION[15],
    ROTATION[16],
    ROTATION[17],
    ROTATION[18],
    ROTATION[19],
    ROTATION[20],
    ROTATION[21],
    channel("x", "m", X),
    channel("y", "m", X),
    channel("z", "m", X),
    channel("vx", "m/s", V),
    channel("vy", "m/s", V),
    channel("vz", "m/s", V),
];

/// Groups of these columns.
pub(super) const FLIGHT_GROUPS: [Group; 7] = [
    ROTATION_GROUPS[0],
    ROTATION_GROUPS[1],
    ROTATION_GROUPS[2],
    ROTATION_GROUPS[3],
    ROTATION_GROUPS[4],
    vector("position", &[22, 23, 24], "m"),
    vector("velocity", &[25, 26, 27], "m/s"),
];
