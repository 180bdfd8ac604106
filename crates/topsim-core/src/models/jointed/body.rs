//! The jointed body, its state, and the equivalent body that rotates about the joint.
//!
//! Letters: m mass, J inertia about the centre of mass, x lever (joint → centre of mass), both in the body
//! frame; R attitude (body → space), W body rate. The inertia about the joint is `J̄ = J − m x̃ x̃`
//! (parallel-axis rule); the joint acts on the body with `F = m(ẍ_cm − g) − f`, where f is the dead force.
//!
//! Source: the heavy top of Brüls, Cardona & Arnold 2012 (`bruls2012`), also in Kynema's regression suite
//! (`kynema`).

use super::check::{JointedError, check};
use super::rates::GivenStart;
use crate::math::fine::{FineMat, FineVec};
use crate::math::{Vec3, so3};
use crate::models::{
    Constant, Frame, Gravity, Inertia, InertiaError, InitialValueProblem, LoadedGravity, NoTorque,
    RigidTop, RotState, Start, Torque, TorqueModel,
};

/// Support of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Support {
    /// Spherical joint at the origin of space.
    Joint {
        /// Vector from the joint to the centre of mass, m, body frame.
        lever: Vec3,
    },
    /// No support: the centre of mass moves freely.
    None {
        /// Position of the centre of mass at the start, m, space frame.
        position: Vec3,
        /// Velocity of the centre of mass at the start, m/s, space frame.
        velocity: Vec3,
    },
}

/// Description of a jointed body in a case.
#[derive(Debug, Clone, PartialEq)]
pub struct JointedParts {
    /// Mass m, kg.
    pub mass: f64,
    /// Inertia J about the centre of mass, body frame, kg m².
    pub inertia: Inertia,
    /// Support of the body.
    pub support: Support,
    /// Gravitational acceleration g, m/s², space frame.
    pub gravity: Vec3,
    /// Dead force f at the centre of mass, N, space frame.
    pub force: Vec3,
    /// Constant torque in addition to the forces, N m, in its own frame.
    pub torque: Constant,
    /// Attitude and body rate at the start.
    pub rotation: Start,
    /// Accelerations and velocity with which a scheme is to start; they may be inconsistent.
    pub given: Option<GivenStart>,
    /// True if histories contain the constraint, the joint force and the multipliers. Otherwise the energies of
    /// rotation and translation are summed separately.
    pub multipliers: bool,
}

impl JointedParts {
    /// Returns the load m g + f, N, space frame.
    fn load(&self) -> Vec3 {
        self.gravity * self.mass + self.force
    }
    /// Returns the reversed load −(m g + f) to 32 digits.
    fn fine_load(&self) -> FineVec {
        let gravity = FineVec::from(-self.gravity).times(self.mass.into());
        gravity.plus(&FineVec::from(-self.force))
    }
    /// Describes a body under gravity alone.
    pub fn new(
        mass: f64,
        inertia: Inertia,
        support: Support,
        gravity: Vec3,
        rotation: impl Into<Start>,
    ) -> Self {
        Self {
            mass,
            inertia,
            support,
            gravity,
            force: Vec3::zeros(),
            torque: Constant {
                torque: Vec3::zeros(),
                frame: Frame::Space,
            },
            rotation: rotation.into(),
            given: None,
            multipliers: true,
        }
    }
}

/// State of a jointed body: attitude, body rate, centre of mass, and results of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointedState {
    /// Attitude R and body rate W.
    pub rotation: RotState,
    /// Centre of mass, m, space frame.
    pub position: Vec3,
    /// Velocity of the centre of mass, m/s, space frame.
    pub velocity: Vec3,
    /// Force F of the joint on the body, N, space frame.
    pub joint_force: Vec3,
    /// Multipliers of the formulation, N: three of the joint, three of the joint's own node.
    pub multipliers: [f64; 6],
    /// Newton iterations of the last step.
    pub iterations: u32,
}

/// Jointed rigid body with any torque model, or with one known at compile time (`without_torque`).
#[derive(Debug, Clone)]
pub struct JointedBody<T = TorqueModel> {
    parts: JointedParts,
    /// Load m g + f, N, space frame.
    load: Vec3,
    /// Equivalent body that rotates about the joint, or about the centre of mass if there is no joint.
    top: RigidTop<T>,
    /// Energy H at the start, J; only its translational part where energies are summed separately.
    initial_energy: f64,
}

impl JointedBody {
    /// Builds a body after checks of its description.
    ///
    /// # Errors
    /// [`JointedError`] with the offending numbers.
    pub fn new(parts: JointedParts) -> Result<Self, JointedError> {
        check(&parts)?;
        let torque = parts.torque.clone();
        let driven = torque.torque != Vec3::zeros();
        let (inertia, torque) = match &parts.support {
            Support::Joint { lever } => {
                let gravity = weight_along_load(&parts.load(), lever).with_load(parts.fine_load());
                let inertia = joint_inertia(&parts.inertia, parts.mass, lever);
                let torque = if driven {
                    LoadedGravity { gravity, torque }.into()
                } else {
                    gravity.into()
                };
                (inertia?, torque)
            }
            Support::None { .. } if driven => (parts.inertia.clone(), torque.into()),
            Support::None { .. } => (parts.inertia.clone(), NoTorque.into()),
        };
        let top = RigidTop::new(inertia, torque, parts.rotation.clone());
        Ok(Self::with_top(parts, top))
    }
    /// Returns the same body with no torque known at compile time; `None` if a torque acts.
    pub(crate) fn without_torque(&self) -> Option<JointedBody<NoTorque>> {
        let TorqueModel::NoTorque(free) = self.top.torque() else {
            return None;
        };
        let inertia = self.top.inertia().clone();
        let top = RigidTop::new(inertia, *free, self.parts.rotation.clone());
        Some(JointedBody::with_top(self.parts.clone(), top))
    }
}

impl<T: Torque> JointedBody<T> {
    /// Combines the description with the equivalent rotating body.
    pub(super) fn with_top(parts: JointedParts, top: RigidTop<T>) -> Self {
        let mut jointed = Self {
            load: parts.load(),
            parts,
            top,
            initial_energy: 0.0,
        };
        let start = jointed.initial();
        jointed.initial_energy = if jointed.parts.multipliers {
            jointed.energy(&start)
        } else {
            jointed.translation_energy(&start)
        };
        jointed
    }
    /// Mass m, kg.
    #[inline]
    pub fn mass(&self) -> f64 {
        self.parts.mass
    }
    /// Returns the inertia J about the centre of mass, body frame.
    #[inline]
    pub fn inertia(&self) -> &Inertia {
        &self.parts.inertia
    }
    /// Returns the support of the body.
    #[inline]
    pub fn support(&self) -> &Support {
        &self.parts.support
    }
    /// Returns the lever, m, body frame; `None` without a joint.
    #[inline]
    pub fn lever(&self) -> Option<&Vec3> {
        match &self.parts.support {
            Support::Joint { lever } => Some(lever),
            Support::None { .. } => None,
        }
    }
    /// Returns the load m g + f, N, space frame.
    #[inline]
    pub fn load(&self) -> &Vec3 {
        &self.load
    }
    /// Returns the gravitational acceleration g, m/s², space frame.
    pub fn gravity(&self) -> Vec3 {
        self.parts.gravity
    }
    /// Returns the dead force f at the centre of mass, N, space frame.
    pub fn force(&self) -> Vec3 {
        self.parts.force
    }
    /// Returns true if histories contain the constraint, the joint force and the multipliers.
    #[inline]
    pub fn multipliers(&self) -> bool {
        self.parts.multipliers
    }
    /// Returns the change of the velocity of a body without a joint over the time `h`, m/s.
    #[inline]
    pub(crate) fn kick(&self, h: f64) -> Vec3 {
        if self.parts.multipliers {
            self.load * (h / self.parts.mass)
        } else {
            self.parts.gravity * h
        }
    }
    /// Returns the acceleration of a body without a joint, m/s², space frame.
    pub(crate) fn free_acceleration(&self) -> Vec3 {
        if self.parts.multipliers {
            self.load / self.parts.mass
        } else {
            self.parts.gravity
        }
    }
    /// Returns the torque in addition to the forces.
    #[inline]
    pub fn torque(&self) -> &Constant {
        &self.parts.torque
    }
    /// Accelerations and velocity given for the start.
    pub fn given(&self) -> Option<&GivenStart> {
        self.parts.given.as_ref()
    }
    /// Returns the equivalent body that rotates about the joint with the inertia `J − m x̃x̃`; without a joint, the
    /// rotation about the centre of mass.
    #[inline]
    pub fn top(&self) -> &RigidTop<T> {
        &self.top
    }
    /// Completes a rotation to a state: with a joint the centre of mass follows from the rotation, without one
    /// it is as given. F is computed from R and W by the equations of motion.
    #[inline]
    pub fn place(&self, rotation: RotState, position: Vec3, velocity: Vec3) -> JointedState {
        let (position, velocity, joint_force) = match self.lever() {
            Some(x) => {
                let rates = self.rates(&rotation);
                let arm = rotation.att * x;
                let speed = rotation.att * rotation.omega.cross(x);
                (arm, speed, rates.acceleration * self.parts.mass - self.load)
            }
            None => (position, velocity, Vec3::zeros()),
        };
        JointedState {
            rotation,
            position,
            velocity,
            joint_force,
            multipliers: [0.0; 6],
            iterations: 0,
        }
    }
    /// Returns the state of [`JointedBody::place`] for a body with a joint; a body without one is placed at the
    /// origin.
    #[inline]
    pub(crate) fn place_on_joint(&self, rotation: RotState) -> JointedState {
        self.place(rotation, Vec3::zeros(), Vec3::zeros())
    }
    /// Returns the energy ½ m |ẋ|² + ½ W·J W − (m g + f)·x, J.
    #[inline]
    pub fn energy(&self, y: &JointedState) -> f64 {
        if !self.parts.multipliers {
            return self.top.energy(&y.rotation) + self.translation_energy(y);
        }
        let w = &y.rotation.omega;
        0.5 * (self.parts.mass * y.velocity.norm_squared() + w.dot(&self.parts.inertia.times(w)))
            - self.load.dot(&y.position)
    }
    /// Returns the translational energy ½ m |ẋ|² − m g·x, J.
    #[inline]
    fn translation_energy(&self, y: &JointedState) -> f64 {
        self.parts.mass * (0.5 * y.velocity.norm_squared() - self.parts.gravity.dot(&y.position))
    }
    /// Returns the energy and its difference from that at the start, J.
    #[inline]
    pub(super) fn energy_and_drift(&self, y: &JointedState) -> [f64; 2] {
        if self.parts.multipliers {
            let energy = self.energy(y);
            return [energy, energy - self.initial_energy];
        }
        let turning = self.top.energy(&y.rotation);
        let moving = self.translation_energy(y);
        [
            turning + moving,
            turning - self.top.initial_energy() + (moving - self.initial_energy),
        ]
    }
    /// Returns the angular momentum in space about the joint, `R J W + m x × ẋ`, or about the centre of mass if there
    /// is no joint, kg m²/s.
    #[inline]
    pub(crate) fn momentum_space(&self, y: &JointedState) -> Vec3 {
        let own = y.rotation.att * self.parts.inertia.times(&y.rotation.omega);
        match self.lever() {
            Some(_) => own + y.position.cross(&y.velocity) * self.parts.mass,
            None => own,
        }
    }
}

/// Returns the inertia about the joint, `J − m x̃ x̃`.
fn joint_inertia(inertia: &Inertia, mass: f64, lever: &Vec3) -> Result<Inertia, InertiaError> {
    let k = so3::hat(lever);
    let square = FineMat::from(k).times(&FineMat::from(k));
    let fine = inertia.fine().plus_scaled(&square, -mass);
    Inertia::with_fine(inertia.tensor() - k * k * mass, fine)
}

/// Returns the load m g + f as a weight along its own direction.
fn weight_along_load(load: &Vec3, lever: &Vec3) -> Gravity {
    let weight = load.norm();
    let up = if weight > 0.0 {
        -load / weight
    } else {
        Vec3::z()
    };
    Gravity::new(weight, *lever, up)
}

impl<T: Torque> InitialValueProblem for JointedBody<T> {
    type State = JointedState;
    /// Returns the consistent state of the rotation at the start.
    fn initial(&self) -> JointedState {
        let (position, velocity) = match self.parts.support {
            Support::Joint { .. } => (Vec3::zeros(), Vec3::zeros()),
            Support::None { position, velocity } => (position, velocity),
        };
        self.place(*self.parts.rotation, position, velocity)
    }
}
