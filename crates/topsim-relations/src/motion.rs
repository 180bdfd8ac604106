//! What a solver runs to be judged by relations: a body from a start, step by step.

use crate::not_applicable::NotApplicable;
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::models::{Inertia, RigidTop, RotState, TorqueModel};
use topsim_model::probe::{Answer, Load, Probe, Row, Start, Target};
use topsim_protocol::problem::{SolverProblem, case_probe};

/// The states of a motion, from its start on, after each step.
pub type MotionRows = Result<Vec<RotState>, String>;

/// A body that is to be followed from its start, each step of which is a row.
#[derive(Debug, Clone)]
pub struct Motion(pub(crate) Probe);

impl From<Probe> for Motion {
    fn from(probe: Probe) -> Self {
        Self(probe)
    }
}

impl Motion {
    /// The motion of a problem with steps of `step`, until its end or for a thousand steps.
    ///
    /// # Errors
    /// [`NotApplicable`] of a problem without an attitude, or with a span shorter than two steps.
    pub fn of(problem: &Problem, step: f64) -> Result<Self, NotApplicable> {
        case_probe(problem, step)
            .map(Self)
            .map_err(NotApplicable::NotPosed)
    }

    /// So many steps of this length instead.
    pub(crate) fn stepped(&self, step: f64, steps: usize) -> Self {
        Self(Probe {
            step,
            steps,
            ..self.0.clone()
        })
    }
    /// The body with its torque and its start.
    pub fn top(&self) -> RigidTop<TorqueModel> {
        self.0.start.top()
    }
    /// The state at the start.
    pub fn initial(&self) -> RotState {
        let Start { att, omega, .. } = self.0.start;
        RotState { att, omega }
    }
    /// Inertia about the point the body turns about, body frame, kg m².
    pub fn inertia(&self) -> &Inertia {
        &self.0.start.inertia
    }
    /// The torque model; none where the problem has no torque.
    pub fn torque(&self) -> &TorqueModel {
        match &self.0.start.load {
            Load::Other(torque) => torque,
            _ => &TorqueModel::NoTorque(topsim_core::models::NoTorque),
        }
    }
    /// Time of the start, s.
    pub fn start(&self) -> f64 {
        self.0.from
    }
    /// Step, s.
    pub fn step(&self) -> f64 {
        self.0.step
    }
    /// Number of steps; there is one more row.
    pub fn steps(&self) -> usize {
        self.0.steps
    }
    /// As it is told to a solver that knows nothing of topsim.
    pub fn posed(&self) -> SolverProblem {
        SolverProblem::of_probe(&self.0)
    }
}

/// A function of this process that makes the rows of a motion.
pub(crate) struct Function<'a>(pub RefCell<&'a mut dyn FnMut(&Motion) -> MotionRows>);

impl Target for Function<'_> {
    fn sees_flight(&self) -> bool {
        true
    }

    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let mut solver = self.0.borrow_mut();
        let answer = |p: &Probe| {
            let states = solver(&Motion(p.clone()))?;
            let rows = states.iter().enumerate();
            let finite = rows.take_while(|(_, y)| y.is_finite());
            Ok(finite.map(|(n, y)| Row::of(p.time(n), y)).collect())
        };
        probes.iter().map(answer).collect()
    }
}
