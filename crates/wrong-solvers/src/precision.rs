//! Single precision in a solver: which of its numbers are rounded, and where.

use crate::rule::Rule;
use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::Start;

/// Numbers that a solver rounds to single precision in each step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Precision {
    /// None.
    Double,
    /// State, slopes, torque and time: everything is in single precision.
    Whole,
    /// Attitude and rate.
    State,
    /// The attitude alone.
    Attitude,
    /// The rate alone.
    Rate,
    /// Attitude and rate of the principal axes, which an adapter turns into rows in double precision.
    Principal,
    /// The turn of the step and the change of the rate.
    Increments,
    /// The attitude, from which the rate is made by division by the step.
    RateOfTurns,
    /// Components of attitude and rate are multiples of this: a defect.
    FixedPoint(f64),
    /// The torque alone: a defect.
    Torque,
    /// The attitude, and the rate grows by this part in each step, as by a rounding with a bias: a defect.
    Biased(f64),
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// Rounds an attitude in the numbers that the rule keeps.
fn rounded(rule: Rule, att: &Mat3) -> Mat3 {
    match rule {
        Rule::Rk4Matrix | Rule::Rk4NearestMatrix => att.map(single),
        _ => {
            let q = so3::quat_from_matrix(att).map(single);
            let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            so3::matrix_from_quat(&q.map(|x| x / n))
        }
    }
}

/// Returns the principal axes of a body as the columns of a rotation.
fn principal_axes(start: &Start) -> Mat3 {
    let axes = start.inertia.tensor().symmetric_eigen().eigenvectors;
    axes * axes.determinant().signum()
}

impl Precision {
    /// Returns the state from which a solver starts.
    pub(crate) fn start(self, rule: Rule, start: &Start, y: RotState) -> RotState {
        match self {
            Self::Whole | Self::State | Self::Attitude | Self::Rate | Self::Principal => {
                self.kept((rule, 1.0), start, &y, y)
            }
            _ => y,
        }
    }

    /// Returns the state after a step of `h` by a rule from `before`, as it is kept.
    pub(crate) fn kept(
        self,
        (rule, h): (Rule, f64),
        start: &Start,
        before: &RotState,
        y: RotState,
    ) -> RotState {
        let RotState { mut att, mut omega } = y;
        match self {
            Self::Double | Self::Torque => {}
            Self::Whole | Self::State => {
                att = rounded(rule, &att);
                omega = omega.map(single);
            }
            Self::Attitude => att = rounded(rule, &att),
            Self::Rate => omega = omega.map(single),
            Self::Principal => {
                let axes = principal_axes(start);
                att = rounded(rule, &(att * axes)) * axes.transpose();
                omega = axes * axes.tr_mul(&omega).map(single);
            }
            Self::Increments => {
                let turn = so3::log(&before.att.tr_mul(&att)).map(single);
                att = before.att * so3::exp(&turn);
                omega = before.omega + (omega - before.omega).map(single);
            }
            Self::RateOfTurns => {
                let kept = rounded(rule, &att);
                omega += so3::log(&att.tr_mul(&kept)) / h;
                att = kept;
            }
            Self::FixedPoint(spacing) => {
                let kept = |x: f64| (x / spacing).round() * spacing;
                att = so3::exp(&so3::log(&att).map(kept));
                omega = omega.map(kept);
            }
            Self::Biased(part) => {
                omega *= 1.0 + part;
                att = rounded(rule, &att);
            }
        }
        RotState { att, omega }
    }

    /// Returns a torque as it is computed.
    pub(crate) fn torque(self, torque: Vec3) -> Vec3 {
        match self {
            Self::Whole | Self::Torque => torque.map(single),
            _ => torque,
        }
    }

    /// Returns the slopes as they are computed.
    pub(crate) fn slopes(self, (rate, acceleration): (Vec3, Vec3)) -> (Vec3, Vec3) {
        match self {
            Self::Whole => (rate.map(single), acceleration.map(single)),
            _ => (rate, acceleration),
        }
    }

    /// Returns a time as it is kept.
    pub(crate) fn time(self, t: f64) -> f64 {
        match self {
            Self::Whole => single(t),
            _ => t,
        }
    }

    /// Draws one with which nothing is wrong.
    pub fn draw(r: &mut Random) -> Self {
        const ALL: [Precision; 7] = [
            Precision::Whole,
            Precision::State,
            Precision::Attitude,
            Precision::Rate,
            Precision::Principal,
            Precision::Increments,
            Precision::RateOfTurns,
        ];
        ALL[(r.bits() % 7) as usize]
    }

    /// Returns the ids of the defects that name it rightly; none where it is none.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Torque => &["scheme/torque_in_single"],
            Self::FixedPoint(_) => &["scheme/state_in_single"],
            Self::Biased(_) => &["scheme/biased_rounding", "scheme/per_step"],
            _ => &[],
        }
    }
}
