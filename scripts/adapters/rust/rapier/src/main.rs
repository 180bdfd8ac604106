//! Rapier in double and single precision (the crates rapier3d-f64 and rapier3d) as a solver for `topsim judge`: a body in its
//! principal axes, and torques that are put on once a step.
//!
//! `topsim judge --all --solver "scripts/adapters/.venv/rust/release/rapier --setting one_iteration"`

use driver::{drive, setting};

/// The adapter of one precision: both crates have the same names.
macro_rules! adapter {
    ($module:ident, $rapier:ident, $real:ty) => {
        mod $module {
            use topsim_solver::{Quaternion, Vec3};
            use $rapier::parry::math::{Pose, Rotation};
            use $rapier::prelude::*;

            #[derive(Default)]
            pub struct Body {
                handle: RigidBodyHandle,
                parameters: IntegrationParameters,
                pipeline: PhysicsPipeline,
                islands: IslandManager,
                broad_phase: BroadPhaseBvh,
                narrow_phase: NarrowPhase,
                bodies: RigidBodySet,
                colliders: ColliderSet,
                joints: ImpulseJointSet,
                multibodies: MultibodyJointSet,
                soft: SoftBodySet,
                ccd: CCDSolver,
            }

            fn vector(v: Vec3) -> Vector {
                Vector::new(v[0] as $real, v[1] as $real, v[2] as $real)
            }

            impl Body {
                pub fn new(moments: Vec3, q: Quaternion, w: Vec3, h: f64, setting: &str) -> Self {
                    let [scalar, x, y, z] = q.map(|a| a as $real);
                    let turned = Rotation::from_xyzw(x, y, z, scalar);
                    let about = RigidBodyBuilder::dynamic()
                        .pose(Pose::from_parts(Vector::ZERO, turned))
                        .angvel(vector(w))
                        .additional_mass_properties(MassProperties::new(
                            Vector::ZERO,
                            1.0,
                            vector(moments),
                        ))
                        .can_sleep(setting == "default");
                    let mut body = Self::default();
                    body.parameters.dt = h as $real;
                    if setting == "one_iteration" {
                        body.parameters.num_solver_iterations = 1;
                    }
                    body.handle = body.bodies.insert(about);
                    body
                }
            }

            impl driver::Body for Body {
                fn step(&mut self, torque: Option<Vec3>) {
                    if let Some(torque) = torque {
                        let body = &mut self.bodies[self.handle];
                        body.reset_torques(false);
                        body.add_torque(vector(torque), true);
                    }
                    self.pipeline.step(
                        Vector::ZERO,
                        &self.parameters,
                        &mut self.islands,
                        &mut self.broad_phase,
                        &mut self.narrow_phase,
                        &mut self.bodies,
                        &mut self.colliders,
                        &mut self.joints,
                        &mut self.multibodies,
                        &mut self.soft,
                        &mut self.ccd,
                        &(),
                        &(),
                    );
                }

                fn get(&self) -> (Quaternion, Vec3) {
                    let body = &self.bodies[self.handle];
                    let (q, w) = (body.rotation(), body.angvel());
                    (
                        [q.w, q.x, q.y, q.z].map(f64::from),
                        [w.x, w.y, w.z].map(f64::from),
                    )
                }
            }
        }
    };
}

adapter!(double, rapier3d_f64, f64);
adapter!(single, rapier3d, f32);

const SETTINGS: [(&str, &str); 6] = [
    (
        "default",
        "rapier3d-f64 as it comes: 4 solver iterations, each of a quarter of the step; sleep",
    ),
    ("recommended", "rapier3d-f64, no sleep"),
    (
        "one_iteration",
        "rapier3d-f64, no sleep, one solver iteration",
    ),
    ("single_default", "rapier3d (single precision) as it comes"),
    (
        "single_recommended",
        "rapier3d (single precision), no sleep",
    ),
    (
        "single_one_iteration",
        "rapier3d (single precision), no sleep, one solver iteration",
    ),
];

fn main() {
    let asked = setting("Rapier 0.36.1", &SETTINGS);
    match asked.strip_prefix("single_") {
        Some(setting) => drive(|moments, q, w, h| single::Body::new(moments, q, w, h, setting)),
        None => drive(|moments, q, w, h| double::Body::new(moments, q, w, h, asked)),
    }
}
