//! References of problems with a given rate: the motion from which the rate was derived, or, for a rate without
//! such a motion, Gauss collocation.

use super::numerical::{Equations, Limits, NumericalError, RefinedMotion, StateParts};
use super::{NoClosedForm, RowReference};
use crate::math::{Mat3, so3};
use crate::models::{Columns, GivenRate, Measured, Model, Quantity, Rate, RateModel};

/// Reference row of a problem with a given rate: the attitude comes from `attitude`, the rate from the problem.
struct KnownAttitude<A> {
    problem: GivenRate<RateModel>,
    columns: Columns,
    attitude: A,
}

/// An attitude as a function of the time.
trait AttitudeFunction: Send + Sync {
    fn at(&self, t: f64) -> Mat3;
    /// Returns the bound on the error of the attitude, rad.
    fn error(&self, t: f64) -> f64;
    fn provenance(&self) -> String;
}

/// Returns the motion from which the rate of the problem was derived, for runs that start at time `start`.
///
/// # Errors
/// [`NoClosedForm`] if the problem has no given rate, or the rate is given by its components.
pub fn given_motion(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    let Model::GivenRate(problem) = model else {
        return Err(NoClosedForm::NoGivenMotion);
    };
    let begun = problem
        .rate
        .attitude(start)
        .ok_or(NoClosedForm::NoGivenMotion)?;
    Ok(known(
        problem,
        ExactAttitude {
            rate: problem.rate.clone(),
            before: problem.initial * begun.transpose(),
            start,
        },
    ))
}

fn known(
    problem: &GivenRate<RateModel>,
    attitude: impl AttitudeFunction + 'static,
) -> Box<dyn RowReference> {
    Box::new(KnownAttitude {
        columns: problem.columns(),
        problem: problem.clone(),
        attitude,
    })
}

/// Exact attitude `R(t) = R(t₀) A(t₀)ᵀ A(t)`, with A the motion from which the rate was derived.
struct ExactAttitude {
    rate: RateModel,
    before: Mat3,
    start: f64,
}

impl AttitudeFunction for ExactAttitude {
    fn at(&self, t: f64) -> Mat3 {
        self.rate
            .attitude(t)
            .map_or(Mat3::from_element(f64::NAN), |a| self.before * a)
    }
    fn error(&self, t: f64) -> f64 {
        // Two matrix products add to the rounding of the attitudes themselves.
        self.rate.rounding(self.start) + self.rate.rounding(t) + 8.0 * f64::EPSILON
    }
    fn provenance(&self) -> String {
        "the motion from which the rate was made".into()
    }
}

/// Computes the attitude over a span; `wanted` is polled periodically and returns false to cancel.
///
/// # Errors
/// [`NumericalError`] if the motion cannot be followed or is cancelled.
pub(super) fn solve_given_rate(
    problem: &GivenRate<RateModel>,
    (start, end): (f64, f64),
    wanted: &dyn Fn() -> bool,
) -> Result<Box<dyn RowReference>, NumericalError> {
    let turning = QuaternionAt {
        problem: problem.clone(),
        start,
    };
    let refined = RefinedMotion::solve(turning, start, end, Limits::ROUND_OFF, wanted)?;
    Ok(known(problem, refined))
}

/// Equations of a unit quaternion and of the time since the start, at which the rate is evaluated.
#[derive(Debug, Clone)]
struct QuaternionAt {
    problem: GivenRate<RateModel>,
    start: f64,
}

fn state(y: &[f64]) -> Mat3 {
    so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]])
}

impl Equations for QuaternionAt {
    fn initial(&self) -> Vec<f64> {
        let mut y = so3::quat_from_matrix(&self.problem.initial).to_vec();
        y.push(0.0);
        y
    }
    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let q = [y[0], y[1], y[2], y[3]];
        let slope = crate::math::quaternion::times_vector(&q, &(self.problem.rate.at(t) * 0.5));
        out[..4].copy_from_slice(&slope);
        out[4] = 1.0;
    }
    fn part_sizes(&self, y: &[f64]) -> StateParts {
        [1.0, y[4].abs(), 0.0, 0.0]
    }
    fn part_of(&self, i: usize) -> (usize, f64) {
        (usize::from(i == 4), 1.0)
    }
    fn rate(&self, y: &[f64]) -> f64 {
        let t = self.start + y[4];
        self.problem.rate.at(t).norm() + self.problem.rate.frequency(t)
    }
    fn differences(&self, y: &[f64], z: &[f64]) -> StateParts {
        [so3::angle_between(&state(y), &state(z)), 0.0, 0.0, 0.0]
    }
    fn worst(&self, d: &StateParts) -> f64 {
        d[0]
    }
    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

impl AttitudeFunction for RefinedMotion<QuaternionAt> {
    fn at(&self, t: f64) -> Mat3 {
        state(&RefinedMotion::at(self, t))
    }
    fn error(&self, t: f64) -> f64 {
        self.bound(t)
            .map_or(f64::INFINITY, |([attitude, ..], _)| attitude)
    }
    fn provenance(&self) -> String {
        RefinedMotion::provenance(self)
    }
}

impl<A: AttitudeFunction> RowReference for KnownAttitude<A> {
    fn provenance(&self) -> String {
        self.attitude.provenance()
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        self.problem.measure(t, &self.attitude.at(t), row);
    }
    fn columns(&self) -> &Columns {
        &self.columns
    }
    /// The rate is given, so its error is only rounding.
    fn error_of(&self, t: f64, quantity: Quantity) -> f64 {
        let attitude = || self.attitude.error(t).min(core::f64::consts::PI);
        let rate = || {
            32.0 * f64::EPSILON
                * self
                    .problem
                    .rate
                    .at(t)
                    .norm()
                    .max(self.problem.rate.frequency(t))
        };
        match quantity {
            Quantity::Attitude | Quantity::Axis => attitude(),
            Quantity::BodyRate | Quantity::RateNorm => rate(),
            Quantity::SpatialRate => rate() + self.problem.rate.at(t).norm() * attitude(),
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bodies::{coning, manufactured};

    /// The exact and the computed motion are compared far from time 0 of the rate.
    #[test]
    fn the_exact_motion_and_the_computed_one_agree_within_their_bounds() {
        for (problem, most) in [(coning(), 1e-14), (manufactured(), 1e-13)] {
            for start in [0.0, 7.0] {
                let end = start + 5.0;
                let exact = given_motion(&Model::GivenRate(problem.clone()), start).unwrap();
                let computed = solve_given_rate(&problem, (start, end), &|| true).unwrap();
                let mut rows = [vec![0.0; 17], vec![0.0; 17]];
                for k in 0..=20 {
                    let t = start + 0.25 * f64::from(k);
                    exact.row(t, &mut rows[0]);
                    computed.row(t, &mut rows[1]);
                    let group = exact.columns().group("attitude").unwrap();
                    let apart = group.distance(&rows[0], &rows[1]);
                    let allowed = exact.error(t, "attitude") + computed.error(t, "attitude");
                    assert!(
                        apart <= allowed && allowed < 10.0 * most,
                        "{apart} {allowed} at {t}"
                    );
                    assert!(exact.error(t, "attitude") < most);
                }
            }
        }
    }
}
