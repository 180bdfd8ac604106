//! Numerical reference of symmetric bodies whose spin angle is eliminated.

use super::{Equations, Limits, NumericalError, RefinedMotion, StateParts};
use crate::math::Vec3;
use crate::models::reduced::{Axial, Potential, PotentialGradient};
use crate::models::{Columns, InitialValueProblem, Measured, Quantity, ReducedSystem};
use crate::reference::RowReference;

/// Motion of symmetric bodies computed to round-off over a span.
pub struct ReducedMotion<U: Potential> {
    columns: Columns,
    refined: RefinedMotion<ReducedEquations<U>>,
}

impl<U: Potential> ReducedMotion<U> {
    /// Solves from `start` to `end`, halving the step until the motion no longer changes; `wanted` is polled
    /// periodically and returns false to cancel.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed or is cancelled.
    pub fn solve(
        problem: ReducedSystem<U>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        let columns = problem.columns();
        let bodies = ReducedEquations::new(problem);
        let refined = RefinedMotion::solve(bodies, start, end, Limits::ROUND_OFF, wanted)?;
        Ok(Self { columns, refined })
    }
}

/// Equations in r, v, a, l of each body, in the units `scale`: one length, speed and momentum for all bodies,
/// so that the stages converge to the same digits in each.
#[derive(Debug, Clone)]
struct ReducedEquations<U: Potential> {
    problem: ReducedSystem<U>,
    scale: StateParts,
}

/// Numbers in the state of one body.
const NUMBERS: usize = 12;

impl<U: Potential> ReducedEquations<U> {
    fn new(problem: ReducedSystem<U>) -> Self {
        let start = problem.initial();
        let start = start.as_ref();
        let most = |f: &dyn Fn(&Axial) -> f64| start.iter().map(f).fold(0.0, f64::max);
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let inertia = problem
            .bodies()
            .iter()
            .map(|b| b.theta1)
            .fold(0.0, f64::max);
        let momentum = most(&|b| b.momentum.norm());
        let rate = or_one(momentum / inertia);
        let length = or_one(most(&|b| b.position.norm()));
        Self {
            scale: [length, length * rate, 1.0, inertia * rate],
            problem,
        }
    }

    fn state(&self, y: &[f64]) -> U::List<Axial> {
        let bodies: Vec<Axial> = y.chunks_exact(NUMBERS).map(|b| self.body(b)).collect();
        U::list(&bodies)
    }

    fn body(&self, b: &[f64]) -> Axial {
        let part = |k: usize| Vec3::new(b[3 * k], b[3 * k + 1], b[3 * k + 2]) * self.scale[k];
        Axial {
            position: part(0),
            velocity: part(1),
            axis: part(2),
            momentum: part(3),
        }
    }

    fn write(&self, body: &Axial, out: &mut [f64]) {
        let parts = [body.position, body.velocity, body.axis, body.momentum];
        for ((out, part), scale) in out.chunks_exact_mut(3).zip(parts).zip(self.scale) {
            out.copy_from_slice((part / scale).as_slice());
        }
    }
}

impl<U: Potential> Equations for ReducedEquations<U> {
    fn initial(&self) -> Vec<f64> {
        let start = self.problem.initial();
        let mut y = vec![0.0; NUMBERS * start.as_ref().len()];
        for (body, out) in start.as_ref().iter().zip(y.chunks_exact_mut(NUMBERS)) {
            self.write(body, out);
        }
        y
    }

    fn slope(&self, _: f64, y: &[f64], out: &mut [f64]) {
        let state = self.state(y);
        let mut slopes = state.clone();
        let mut gradients = U::list(&vec![PotentialGradient::ZERO; state.as_ref().len()]);
        self.problem
            .slope(state.as_ref(), gradients.as_mut(), slopes.as_mut());
        for (slope, out) in slopes.as_ref().iter().zip(out.chunks_exact_mut(NUMBERS)) {
            self.write(slope, out);
        }
    }

    fn part_sizes(&self, y: &[f64]) -> StateParts {
        let origin = vec![0.0; y.len()];
        self.differences(y, &origin)
    }

    fn part_of(&self, i: usize) -> (usize, f64) {
        let part = i % NUMBERS / 3;
        (part, self.scale[part])
    }

    fn rate(&self, y: &[f64]) -> f64 {
        let state = self.state(y);
        let pairs = self.problem.bodies().iter().zip(state.as_ref());
        pairs
            .map(|(b, y)| y.momentum.norm() / b.theta1)
            .fold(0.0, f64::max)
    }

    /// Returns the largest differences in r (m), v (m/s), a (rad) and l (kg m²/s) over the bodies.
    fn differences(&self, y: &[f64], z: &[f64]) -> StateParts {
        let mut worst = StateParts::default();
        for (y, z) in y.chunks_exact(NUMBERS).zip(z.chunks_exact(NUMBERS)) {
            let (y, z) = (self.body(y), self.body(z));
            let parts = [
                y.position - z.position,
                y.velocity - z.velocity,
                y.axis - z.axis,
                y.momentum - z.momentum,
            ];
            for (worst, part) in worst.iter_mut().zip(parts) {
                *worst = worst.max(part.norm());
            }
        }
        worst
    }

    /// Returns the largest difference relative to the units.
    fn worst(&self, d: &StateParts) -> f64 {
        let relative = d.iter().zip(self.scale).map(|(d, scale)| d / scale);
        relative.fold(0.0, f64::max)
    }

    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

impl<U: Potential> RowReference for ReducedMotion<U> {
    fn provenance(&self) -> String {
        self.refined.provenance()
    }

    fn row(&self, t: f64, row: &mut [f64]) {
        let motion = &self.refined.motion;
        motion
            .problem
            .measure(t, &motion.state(&self.refined.at(t)), row);
    }

    fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The vectors of N bodies together have √N times the bound of one.
    fn group_error(&self, t: f64, quantity: Quantity, columns: usize) -> f64 {
        (columns.div_ceil(3) as f64).sqrt() * self.error_of(t, quantity)
    }

    fn error_of(&self, t: f64, quantity: Quantity) -> f64 {
        let Some((bounds, near)) = self.refined.bound(t) else {
            return f64::INFINITY;
        };
        let problem = &self.refined.motion.problem;
        let part = |k: usize| bounds[k];
        match quantity {
            Quantity::Position => part(0),
            Quantity::Velocity => part(1),
            Quantity::Axis => part(2),
            Quantity::SpatialMomentum => part(3),
            // The error is of the first order in each part, with the slopes of H as factors.
            Quantity::Energy | Quantity::EnergyDrift => {
                let state = self.refined.motion.state(near);
                let mut gradients = U::list(&vec![PotentialGradient::ZERO; state.as_ref().len()]);
                problem
                    .potential()
                    .gradients(state.as_ref(), gradients.as_mut());
                let bodies = problem.bodies().iter().zip(state.as_ref());
                bodies
                    .zip(gradients.as_ref())
                    .map(|((b, y), g)| {
                        g.position.norm() * part(0)
                            + b.mass * y.velocity.norm() * part(1)
                            + g.axis.norm() * part(2)
                            + y.momentum.norm() / b.theta1.min(b.theta3) * part(3)
                    })
                    .sum()
            }
            _ => f64::INFINITY,
        }
    }
}
