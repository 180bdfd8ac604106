//! nphysics (double precision) as a solver for `topsim judge`: a body in its principal axes, and torques that are put on once a step.
//!
//! `topsim judge --all --solver scripts/adapters/.venv/rust/release/nphysics`

use driver::{drive, setting};
use nphysics3d::force_generator::DefaultForceGeneratorSet;
use nphysics3d::joint::DefaultJointConstraintSet;
use nphysics3d::math::{Force, ForceType, Isometry, Velocity};
use nphysics3d::nalgebra::{Matrix3, Quaternion as Turn, Translation3, UnitQuaternion, Vector3};
use nphysics3d::object::{
    Body as _, DefaultBodyHandle, DefaultBodySet, DefaultColliderSet, RigidBody, RigidBodyDesc,
};
use nphysics3d::world::{DefaultGeometricalWorld, DefaultMechanicalWorld};
use topsim_solver::{Quaternion, Vec3};

const SETTINGS: [(&str, &str); 2] = [
    (
        "default",
        "as nphysics comes: the gyroscopic term linearly implicit; sleep",
    ),
    ("recommended", "no sleep"),
];

struct Body {
    handle: DefaultBodyHandle,
    world: DefaultMechanicalWorld<f64>,
    shapes: DefaultGeometricalWorld<f64>,
    bodies: DefaultBodySet<f64>,
    colliders: DefaultColliderSet<f64>,
    joints: DefaultJointConstraintSet<f64>,
    forces: DefaultForceGeneratorSet<f64>,
}

impl Body {
    fn new(moments: Vec3, q: Quaternion, w: Vec3, h: f64, setting: &str) -> Self {
        let turned = UnitQuaternion::from_quaternion(Turn::new(q[0], q[1], q[2], q[3]));
        let mut body: RigidBody<f64> = RigidBodyDesc::new()
            .position(Isometry::from_parts(Translation3::identity(), turned))
            .velocity(Velocity::new(Vector3::zeros(), Vector3::from(w)))
            .mass(1.0)
            .angular_inertia(Matrix3::from_diagonal(&Vector3::from(moments)))
            .build();
        if setting == "recommended" {
            body.set_deactivation_threshold(None);
        }
        let mut world = DefaultMechanicalWorld::new(Vector3::zeros());
        world.set_timestep(h);
        let mut bodies = DefaultBodySet::new();
        let handle = bodies.insert(body);
        let (shapes, colliders) = (DefaultGeometricalWorld::new(), DefaultColliderSet::new());
        let (joints, forces) = (
            DefaultJointConstraintSet::new(),
            DefaultForceGeneratorSet::new(),
        );
        Self {
            handle,
            world,
            shapes,
            bodies,
            colliders,
            joints,
            forces,
        }
    }
}

impl driver::Body for Body {
    fn step(&mut self, torque: Option<Vec3>) {
        if let (Some(torque), Some(body)) = (torque, self.bodies.get_mut(self.handle)) {
            body.apply_force(
                0,
                &Force::torque(Vector3::from(torque)),
                ForceType::Force,
                true,
            );
        }
        let (shapes, bodies) = (&mut self.shapes, &mut self.bodies);
        self.world.step(
            shapes,
            bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.forces,
        );
    }

    fn get(&self) -> (Quaternion, Vec3) {
        let Some(body) = self.bodies.rigid_body(self.handle) else {
            driver::refuse("the body is gone")
        };
        let (q, w) = (body.position().rotation, body.velocity().angular);
        ([q.w, q.i, q.j, q.k], [w.x, w.y, w.z])
    }
}

fn main() {
    let asked = setting("nphysics3d 0.24.0", &SETTINGS);
    drive(|moments, q, w, h| Body::new(moments, q, w, h, asked));
}
