//! What a solver runs to be judged by relations: a body from a start, step by step.

use super::image::NotApplicable;
use crate::identification::experiment::{Answer, Load, Probe, Row, Start, Target};
use crate::protocol::{SolverProblem, rotation};
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::integration::Grid;
use topsim_core::models::{Flight, Inertia, Model, RigidTop, RotState, Support, TorqueModel};

/// The states of a motion, from its start on, after each step.
pub type MotionRows = Result<Vec<RotState>, String>;

/// A body that is to be followed from its start, each step of which is a row.
#[derive(Debug, Clone)]
pub struct Motion(pub(crate) Probe);

/// Most steps of a motion: relations show in short ones.
const MOST_STEPS: f64 = 1000.0;

impl Motion {
    /// The motion of a problem with steps of `step`, until its end or for a thousand steps.
    ///
    /// # Errors
    /// [`NotApplicable`] of a problem without an attitude, or with a span shorter than two steps.
    pub fn of(problem: &Problem, step: f64) -> Result<Self, NotApplicable> {
        let none = || NotApplicable::NotPosed("the case has no body with an attitude and a run");
        let [start, end] = span(problem).ok_or_else(none)?;
        let top = rotation(&problem.model).ok_or_else(none)?;
        let steps = ((end - start) / step * (1.0 + 1e-12))
            .floor()
            .min(MOST_STEPS);
        if !(step > Grid::least_step(start, end) && steps >= 2.0) {
            let why = "the step is longer than half the span, or lost in the rounding of time";
            return Err(NotApplicable::NotPosed(why));
        }
        let RotState { att, omega } = *top.initial;
        let begun = Start {
            att,
            omega,
            inertia: top.inertia,
            load: Load::Other(top.torque),
        };
        Ok(Self(Probe {
            from: start,
            flight: flight(&problem.model),
            ..Probe::new(&begun, step, steps as usize)
        }))
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

/// Start and end of the runs of a problem, s.
pub(crate) fn span(problem: &Problem) -> Option<[f64; 2]> {
    let start = problem.grids.first()?.start;
    problem.end.map(|end| [start, end])
}

/// How the mass centre of a body starts that nothing holds and no force but gravity moves.
fn flight(model: &Model) -> Option<Flight> {
    let Model::Jointed(body) = model else {
        return None;
    };
    let Support::None { position, velocity } = *body.support() else {
        return None;
    };
    (body.force().norm() == 0.0).then(|| Flight {
        mass: body.mass(),
        position,
        velocity,
        gravity: body.gravity(),
    })
}

/// A function of this process that makes the rows of a motion.
pub(super) struct Function<'a>(pub RefCell<&'a mut dyn FnMut(&Motion) -> MotionRows>);

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
