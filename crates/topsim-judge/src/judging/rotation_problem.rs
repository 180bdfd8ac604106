//! The problem that an integrator in Rust is given.

use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{self, RigidTop, RotState, TorqueModel};
use topsim_model::probe::{Probe, Start};
use topsim_protocol::problem::Pace;

/// What is to be integrated: R' = R Ŵ, J W' = (J W) × W + T, with the rate W and the torque T in the body frame.
#[derive(Debug, Clone)]
pub struct RotationProblem {
    pub(super) case: String,
    pub(super) start: f64,
    pub(super) top: RigidTop<TorqueModel>,
}

impl RotationProblem {
    /// Name of the case.
    pub fn case(&self) -> &str {
        &self.case
    }
    /// Time of the initial state, s: a function that remembers something from step to step begins anew at it.
    pub fn start(&self) -> f64 {
        self.start
    }
    /// The state there.
    pub fn initial(&self) -> RotState {
        models::InitialValueProblem::initial(&self.top)
    }
    /// Inertia J about the point the body turns about, kg m², body frame.
    pub fn inertia(&self) -> &Mat3 {
        self.top.inertia().tensor()
    }
    /// Torque about that point at time `t` on a body at rest, N m, body frame: all of it but for damping and other
    /// torques that depend on the rate.
    pub fn torque(&self, t: f64, att: &Mat3) -> Vec3 {
        self.top.torque_body(t, att)
    }
    /// Torque about that point at time `t` on the body in this state, N m, body frame.
    pub fn torque_on(&self, t: f64, state: &RotState) -> Vec3 {
        self.top.torque_on(t, state)
    }
    /// J W, kg m²/s, body frame.
    pub fn momentum(&self, omega: &Vec3) -> Vec3 {
        self.top.inertia().times(omega)
    }
    /// The rate of a momentum, J⁻¹ Π, rad/s, body frame.
    pub fn rate(&self, momentum: &Vec3) -> Vec3 {
        self.top.inertia().solve(momentum)
    }
    /// W' by Euler's equations, rad/s², body frame.
    pub fn acceleration(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let gyroscopic = self.momentum(omega).cross(omega);
        let (att, omega) = (*att, *omega);
        self.rate(&(gyroscopic + self.torque_on(t, &RotState { att, omega })))
    }
    /// Returns the equivalent problem at a pace; `h` is the step of this one.
    pub(super) fn at(&self, pace: Pace, h: f64) -> Result<Self, &'static str> {
        let start = Start::from(&self.top);
        let posed = pace.probe(&Probe {
            from: self.start,
            ..Probe::new(&start, h, 1)
        })?;
        Ok(Self {
            case: self.case.clone(),
            start: posed.from,
            top: posed.start.top(),
        })
    }
    /// The body as the schemes of the catalogue take it.
    pub fn top(&self) -> &RigidTop<TorqueModel> {
        &self.top
    }
}
