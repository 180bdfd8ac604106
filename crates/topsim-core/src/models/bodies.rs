//! The bodies on which schemes are compared: asymmetric, so that no symmetry hides a mistake.

use super::jointed::{GivenStart, Jointed, JointedParts, Support};
use super::{Constant, Flight, Frame, Free, Gravity, Inertia, RigidTop, RotState, Torque};
use crate::math::{Mat3, Vec3, so3};

/// J = diag(0.6, 0.8, 1), Π0 = (1.8, 0.4, −0.9), Λ0 = I (Hairer & Vilmart 2006), under `torque`.
pub fn body<T: Torque>(torque: T) -> RigidTop<T> {
    let inertia = Inertia::diagonal(Vec3::new(0.6, 0.8, 1.0)).expect("positive moments");
    let omega = inertia.solve(&Vec3::new(1.8, 0.4, -0.9));
    RigidTop::new(
        inertia,
        torque,
        RotState {
            att: Mat3::identity(),
            omega,
        },
    )
}

/// Body f: free.
pub fn body_f() -> RigidTop<Free> {
    body(Free)
}

/// Body a: with the force (0, 0, −2) at the body point (0.3, −0.2, 0.5).
pub fn body_a() -> RigidTop<Gravity> {
    body(Gravity::new(2.0, Vec3::new(0.3, -0.2, 0.5), Vec3::z()))
}

/// For schemes of symmetric bodies: J = diag(0.8, 0.8, 1), the other numbers as for body a and f.
pub fn symmetric_body<T: Torque>(torque: T) -> RigidTop<T> {
    let inertia = Inertia::diagonal(Vec3::new(0.8, 0.8, 1.0)).expect("positive moments");
    let omega = inertia.solve(&Vec3::new(1.8, 0.4, -0.9));
    // Tilted: upright, the first half of a kick would vanish, and with it an order.
    let att = so3::exp(&Vec3::new(0.7, -0.4, 0.2));
    RigidTop::new(inertia, torque, RotState { att, omega })
}

/// The symmetric body, free.
pub fn symmetric_f() -> RigidTop<Free> {
    symmetric_body(Free)
}

/// The symmetric body with the force (0, 0, −2) at the body point (0, 0, 0.6).
pub fn symmetric_a() -> RigidTop<Gravity> {
    symmetric_body(Gravity::new(2.0, Vec3::new(0.0, 0.0, 0.6), Vec3::z()))
}

/// The published heavy top (Simo & Wong 1991; Solfec's validation manual): J = diag(5, 5, 1), weight
/// 20 at e3, tilted by 0.05 about e1, spun with 50 rad/s.
pub fn heavy_top() -> RigidTop<Gravity> {
    RigidTop::new(
        Inertia::diagonal(Vec3::new(5.0, 5.0, 1.0)).expect("positive moments"),
        Gravity::new(20.0, Vec3::z(), Vec3::z()),
        RotState {
            att: so3::exp(&Vec3::new(0.05, 0.0, 0.0)),
            omega: Vec3::new(0.0, 0.0, 50.0),
        },
    )
}

/// The heavy top of Brüls, Cardona & Arnold 2012 and of Kynema's regression suite: a disc of 15 kg
/// on an arm of 1 m, spun with 150 rad/s.
pub fn jointed_heavy_top() -> Jointed {
    Jointed::new(jointed_heavy_parts()).expect("a published body")
}

fn jointed_heavy_parts() -> JointedParts {
    JointedParts::new(
        15.0,
        Inertia::diagonal(Vec3::new(0.234375, 0.46875, 0.234375)).expect("positive moments"),
        Support::Joint { lever: Vec3::y() },
        Vec3::new(0.0, 0.0, -9.81),
        RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.0, 150.0, -4.61538),
        },
    )
}

/// The same top with the accelerations from which Kynema's regression test starts; they are wrong.
pub fn published_start() -> Jointed {
    let given = GivenStart {
        angular_acceleration: Some(Vec3::new(-692.307, 0.0, 0.0)),
        acceleration: Some(Vec3::new(0.0, 0.0, -0.654)),
        velocity: None,
    };
    Jointed::new(JointedParts {
        given: Some(given),
        ..jointed_heavy_parts()
    })
    .expect("a published body")
}

/// Kynema's `MassesTest.ExternalForce`: a free unit mass of unit inertia, pushed by 5 N and turned by
/// 3 N m, from accelerations of zero.
pub fn pushed_mass() -> Jointed {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    let parts = JointedParts::new(
        1.0,
        Inertia::diagonal(Vec3::new(1.0, 1.0, 1.0)).expect("positive moments"),
        support,
        Vec3::zeros(),
        RotState {
            att: Mat3::identity(),
            omega: Vec3::zeros(),
        },
    );
    Jointed::new(JointedParts {
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

/// A book tossed about its intermediate axis.
pub fn tossed_book() -> Jointed {
    let inertia = Inertia::diagonal(Vec3::new(1.9, 3.7, 5.5)).expect("positive moments");
    let rotation = RotState {
        att: Mat3::identity(),
        omega: Vec3::new(0.1, 20.0, 0.1),
    };
    let flight = Flight {
        mass: 0.7,
        position: Vec3::new(0.0, 1.0, 2.0),
        velocity: Vec3::new(1.0, -2.0, 5.0),
        gravity: Vec3::new(0.0, 0.5, -9.81),
    };
    Jointed::flight(inertia, rotation, flight)
}

/// Kynema's precession test: a free symmetric body, from an angular acceleration of zero.
pub fn precessing_mass() -> Jointed {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    let parts = JointedParts::new(
        1.0,
        Inertia::diagonal(Vec3::new(1.0, 1.0, 0.5)).expect("positive moments"),
        support,
        Vec3::zeros(),
        RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.5, 0.5, 1.0),
        },
    );
    Jointed::new(JointedParts {
        given: Some(GivenStart::REST),
        ..parts
    })
    .expect("a published body")
}

/// [`jointed_a`] without its joint and without load: a free body.
pub fn floating_f() -> Jointed {
    let support = Support::None {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
    };
    Jointed::new(JointedParts {
        support,
        gravity: Vec3::zeros(),
        ..jointed_a_parts()
    })
    .expect("a body")
}

/// A jointed body without any symmetry: full inertia tensor, oblique lever, tilted.
pub fn jointed_a() -> Jointed {
    Jointed::new(jointed_a_parts()).expect("a body")
}

/// [`jointed_a`] with a dead force and a torque fixed in space.
pub fn driven_a() -> Jointed {
    Jointed::new(driven_a_parts()).expect("a body")
}

/// [`driven_a`] with space turned by `q`.
pub fn driven_turned(q: &Mat3) -> Jointed {
    let parts = driven_a_parts();
    Jointed::new(JointedParts {
        gravity: q * parts.gravity,
        force: q * parts.force,
        torque: Constant {
            torque: q * parts.torque.torque,
            frame: Frame::Space,
        },
        rotation: RotState {
            att: q * parts.rotation.att,
            omega: parts.rotation.omega,
        },
        ..parts
    })
    .expect("a body")
}

/// [`driven_a`] without its joint: it flies.
pub fn thrown_a() -> Jointed {
    let support = Support::None {
        position: Vec3::new(0.4, -0.3, 1.0),
        velocity: Vec3::new(0.2, 1.0, 0.5),
    };
    Jointed::new(JointedParts {
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
