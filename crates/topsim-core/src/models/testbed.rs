//! Jointed and free bodies for tests.

pub(crate) mod published;

use super::bodies::{jointed_heavy_parts, moments, upright};
use super::jointed::{GivenStart, JointedBody, JointedParts, Support};
use super::{Constant, Flight, Frame, Inertia, RotState};
use crate::math::{Mat3, Vec3, so3};

/// Returns the heavy top with the initial accelerations of Kynema's regression test, which are inconsistent.
pub(crate) fn published_start() -> JointedBody {
    let given = GivenStart {
        angular_acceleration: Some(Vec3::new(-692.307, 0.0, 0.0)),
        acceleration: Some(Vec3::new(0.0, 0.0, -0.654)),
        velocity: None,
    };
    JointedBody::new(JointedParts {
        given: Some(given),
        ..jointed_heavy_parts()
    })
    .expect("a published body")
}

/// Returns the body of Kynema's `MassesTest.ExternalForce`: a free unit mass with unit inertia under a force of
/// 5 N and a torque of 3 N m, starting with accelerations of zero.
pub(crate) fn pushed_mass() -> JointedBody {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    let parts = JointedParts::new(
        1.0,
        moments(1.0, 1.0, 1.0),
        support,
        Vec3::zeros(),
        upright(Vec3::zeros()),
    );
    JointedBody::new(JointedParts {
        force: Vec3::new(5.0, 0.0, 0.0),
        torque: Constant {
            torque: Vec3::new(0.0, 3.0, 0.0),
            frame: Frame::Space,
        },
        given: Some(GivenStart::REST),
        ..parts
    })
    .expect("a published body")
}

/// Returns a book tossed about its intermediate axis.
pub(crate) fn tossed_book() -> JointedBody {
    let inertia = moments(1.9, 3.7, 5.5);
    let rotation = upright(Vec3::new(0.1, 20.0, 0.1));
    let flight = Flight {
        mass: 0.7,
        position: Vec3::new(0.0, 1.0, 2.0),
        velocity: Vec3::new(1.0, -2.0, 5.0),
        gravity: Vec3::new(0.0, 0.5, -9.81),
    };
    JointedBody::flight(inertia, rotation, flight)
}

/// Returns the body of Kynema's precession test: a free symmetric body that starts with an angular acceleration
/// of zero.
pub(crate) fn precessing_mass() -> JointedBody {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    let parts = JointedParts::new(
        1.0,
        moments(1.0, 1.0, 0.5),
        support,
        Vec3::zeros(),
        upright(Vec3::new(0.5, 0.5, 1.0)),
    );
    JointedBody::new(JointedParts {
        given: Some(GivenStart::REST),
        ..parts
    })
    .expect("a published body")
}

/// Returns [`jointed_a`] without its joint and without load: a free body.
pub(crate) fn floating_f() -> JointedBody {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    JointedBody::new(JointedParts {
        support,
        gravity: Vec3::zeros(),
        ..jointed_a_parts()
    })
    .expect("a body")
}

/// Returns a jointed body without any symmetry: full inertia tensor, oblique lever, tilted.
pub(crate) fn jointed_a() -> JointedBody {
    JointedBody::new(jointed_a_parts()).expect("a body")
}

/// Returns [`jointed_a`] with a dead force and a torque fixed in space.
pub(crate) fn driven_a() -> JointedBody {
    JointedBody::new(driven_a_parts()).expect("a body")
}

/// Returns [`driven_a`] with space rotated by `q`.
pub(crate) fn driven_turned(q: &Mat3) -> JointedBody {
    let parts = driven_a_parts();
    JointedBody::new(JointedParts {
        gravity: q * parts.gravity,
        force: q * parts.force,
        torque: Constant {
            torque: q * parts.torque.torque,
            frame: Frame::Space,
        },
        rotation: RotState {
            att: q * parts.rotation.att,
            omega: parts.rotation.omega,
        }
        .into(),
        ..parts
    })
    .expect("a body")
}

/// Returns [`driven_a`] without its joint, so that it flies.
pub(crate) fn thrown_a() -> JointedBody {
    let support = Support::None {
        position: Vec3::new(0.4, -0.3, 1.0),
        velocity: Vec3::new(0.2, 1.0, 0.5),
    };
    JointedBody::new(JointedParts {
        support,
        ..driven_a_parts()
    })
    .expect("a body")
}

fn driven_a_parts() -> JointedParts {
    JointedParts {
        force: Vec3::new(0.3, -0.5, 0.2),
        torque: Constant {
            torque: Vec3::new(-0.2, 0.4, 0.3),
            frame: Frame::Space,
        },
        ..jointed_a_parts()
    }
}

fn jointed_a_parts() -> JointedParts {
    let tensor = Mat3::new(0.6, 0.05, -0.1, 0.05, 0.8, 0.08, -0.1, 0.08, 1.0);
    JointedParts::new(
        0.7,
        Inertia::new(tensor).expect("positive definite"),
        Support::Joint {
            lever: Vec3::new(0.3, -0.2, 0.5),
        },
        Vec3::new(0.0, 0.0, -4.0),
        RotState {
            att: so3::exp(&Vec3::new(0.7, -0.4, 0.2)),
            omega: Vec3::new(1.8, 0.6, -0.9),
        },
    )
}
