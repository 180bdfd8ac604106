//! Short runs as they are posed to a solver, and the short run of a case.

use super::{EQUATIONS, PROTOCOL, ProblemBody, ProblemStart, SolverProblem, Translation, rotation};
use topsim_case::Problem;
use topsim_core::integration::Grid;
use topsim_core::models::{AnyTop, Flight, JointedBody, Model, RotState, Support};
use topsim_model::probe::{Load, Probe, RateProbe, Start};

impl SolverProblem {
    /// Returns a short problem of a given rate as it is posed; every step is a row.
    pub fn of_rate_probe(probe: &RateProbe) -> Self {
        let RateProbe { given, step, steps } = probe;
        let grid = Grid {
            dense: false,
            start: 0.0,
            h: *step,
            steps: *steps,
            sample: *step,
        };
        let title = "A short run that measures the solver";
        Self::turning(given, &grid, ("probe".into(), title.into()))
    }

    /// Returns a short problem as it is posed; every step is a row.
    pub fn of_probe(probe: &Probe) -> Self {
        let top = AnyTop::from(probe.start.top());
        let model = match probe.flight {
            Some(flight) => Model::Jointed(JointedBody::flight(
                top.inertia.clone(),
                top.initial.clone(),
                flight,
            )),
            None => Model::Top(top.clone()),
        };
        let times: Vec<f64> = probe.rows().map(|n| probe.time(n)).collect();
        Self {
            protocol: PROTOCOL,
            topsim: env!("CARGO_PKG_VERSION").into(),
            case: "probe".into(),
            title: "A short run that measures the solver".into(),
            body: Some(ProblemBody::of(&top, &model)),
            torque: Some(top.torque.clone()),
            rate: None,
            translation: Translation::of(&model),
            joint: None,
            initial: ProblemStart::of(&top, &model),
            equations: EQUATIONS,
            start: probe.from,
            end: probe.time(probe.steps),
            step: probe.step,
            steps: probe.steps as u64,
            tolerance: None,
            times,
        }
    }
}

/// Most steps of a short run of a case: relations show in short ones.
const MOST_STEPS: f64 = 1000.0;

/// Returns the run of a case with steps of `step`, until its end or for a thousand steps; or why there is none.
pub fn case_probe(problem: &Problem, step: f64) -> Result<Probe, &'static str> {
    let none = "the case has no body with an attitude and a run";
    let [start, end] = span(problem).ok_or(none)?;
    let top = rotation(&problem.model).ok_or(none)?;
    let steps = ((end - start) / step * (1.0 + 1e-12))
        .floor()
        .min(MOST_STEPS);
    if !(step > Grid::least_step(start, end) && steps >= 2.0) {
        return Err("the step is longer than half the span, or lost in the rounding of time");
    }
    let RotState { att, omega } = *top.initial;
    let begun = Start {
        att,
        omega,
        inertia: top.inertia,
        load: Load::Other(top.torque),
    };
    Ok(Probe {
        from: start,
        flight: flight(&problem.model),
        ..Probe::new(&begun, step, steps as usize)
    })
}

/// Returns start and end of the runs of a problem, s.
pub fn span(problem: &Problem) -> Option<[f64; 2]> {
    let start = problem.grids.first()?.start;
    problem.end.map(|end| [start, end])
}

/// Returns the flight of a body that nothing holds and no force but gravity moves.
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
