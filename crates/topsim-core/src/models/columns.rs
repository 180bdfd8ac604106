//! Columns and groups of rotating bodies, shared by those that fly and those that do not.

use super::problem::{Channel, Columns, Group, GroupKind};
use std::borrow::Cow;
use std::ops::Range;

pub(super) fn channel(
    name: impl Into<Cow<'static, str>>,
    unit: &'static str,
    about: &'static str,
) -> Channel {
    Channel {
        name: name.into(),
        unit,
        about,
    }
}

/// Adjacent columns that form a vector.
pub(super) fn vector(
    name: impl Into<Cow<'static, str>>,
    channels: impl Into<Vec<usize>>,
    unit: &'static str,
) -> Group {
    Group {
        name: name.into(),
        kind: GroupKind::Vector,
        channels: channels.into(),
        unit,
    }
}

/// Columns of a body that turns about a point.
pub(super) const ROTATION: usize = 22;
/// Those followed at every step: W1 to orth.
pub(super) const TRACKED: Range<usize> = 9..19;

/// Columns of a body that turns about a point.
pub(super) fn rotation() -> Columns {
    const R: &str = "attitude Λ (body → space)";
    const W: &str = "angular velocity, body frame";
    const PI: &str = "angular momentum, space frame";
    const OMEGA: &str = "angular velocity, space frame";
    let mut channels = Vec::with_capacity(ROTATION);
    for i in 1..=3 {
        channels.extend((1..=3).map(|j| channel(format!("R{i}{j}"), "", R)));
    }
    channels.extend(["W1", "W2", "W3"].map(|n| channel(n, "rad/s", W)));
    channels.push(channel(
        "H",
        "J",
        "Hamiltonian: kinetic energy plus the torque's potential",
    ));
    channels.extend(["pi_x", "pi_y", "pi_z"].map(|n| channel(n, "kg m²/s", PI)));
    channels.extend([
        channel("drift", "J", "H − H(0)"),
        channel("W_norm", "rad/s", "length of the angular velocity"),
        channel("orth", "", "largest entry of |ΛᵀΛ − I|"),
    ]);
    channels.extend(["omega_x", "omega_y", "omega_z"].map(|n| channel(n, "rad/s", OMEGA)));
    let attitude = Group {
        name: "attitude".into(),
        kind: GroupKind::Attitude,
        channels: (0..9).collect(),
        unit: "rad",
    };
    Columns {
        channels,
        tracked: TRACKED,
        groups: vec![
            attitude,
            vector("axis3", [2, 5, 8], ""),
            vector("W", [9, 10, 11], "rad/s"),
            vector("pi", [13, 14, 15], "kg m²/s"),
            vector("omega", [19, 20, 21], "rad/s"),
        ],
    }
}

/// Columns of a body that flies.
pub(super) fn flight() -> Columns {
    const X: &str = "position of the centre of mass, space frame";
    const V: &str = "velocity of the centre of mass, space frame";
    let mut columns = rotation();
    let channels = &mut columns.channels;
    channels.extend(["x", "y", "z"].map(|n| channel(n, "m", X)));
    channels.extend(["vx", "vy", "vz"].map(|n| channel(n, "m/s", V)));
    columns.groups.extend([
        vector("position", [22, 23, 24], "m"),
        vector("velocity", [25, 26, 27], "m/s"),
    ]);
    columns
}

/// Those of a held body followed at every step: W1 to iterations.
pub(super) const HELD_TRACKED: Range<usize> = 9..22;

/// Columns of a body held by a joint.
pub(super) fn held() -> Columns {
    const F: &str = "force of the joint on the body, space frame";
    const L: &str = "multiplier of the joint, in the formulation's own sense and frame";
    const N: &str = "multiplier of the joint's own node (inertial formulation)";
    let mut columns = flight();
    // The constraint is followed at every step, as the energy is.
    columns.channels.splice(
        TRACKED.end..TRACKED.end,
        [
            channel("phi", "m", "distance of the body from its joint"),
            channel("phi_dot", "m/s", "velocity at which it leaves the joint"),
            channel("iterations", "", "Newton iterations of the step"),
        ],
    );
    columns.tracked = HELD_TRACKED;
    let shift = HELD_TRACKED.len() - TRACKED.len();
    for group in &mut columns.groups {
        for c in group.channels.iter_mut().filter(|c| **c >= TRACKED.end) {
            *c += shift;
        }
    }
    let start = columns.channels.len();
    let channels = &mut columns.channels;
    channels.extend(["Fx", "Fy", "Fz"].map(|n| channel(n, "N", F)));
    channels.extend((1..=3).map(|k| channel(format!("lambda_{k}"), "N", L)));
    channels.extend((4..=6).map(|k| channel(format!("lambda_{k}"), "N", N)));
    columns.groups.extend([
        vector("force", [start, start + 1, start + 2], "N"),
        vector("lambda", [start + 3, start + 4, start + 5], "N"),
    ]);
    columns
}
