//! Does the rate turn the attitude? `log(R_nᵀ R_{n+1})` against `h (W_n + W_{n+1})/2`, under the
//! frames in which the two may have been reported.
//!
//! With `u = log(R_nᵀ R_{n+1})` the space-frame increment is `log(R_{n+1} R_nᵀ) = R_n u`; of transposed
//! attitudes they are `−R_n u` and `−u`: one logarithm serves all four.

use crate::thresholds::*;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_protocol::history::Peak;

/// Frames in which attitude and rate may have been given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hypothesis {
    /// Attitude body → space, as read; rate in the body frame.
    Body,
    /// As read; rate in the space frame.
    Space,
    /// The attitude is the transpose of what was read; rate in the body frame.
    TransposedBody,
    /// The attitude is the transpose; rate in the space frame.
    TransposedSpace,
}

const ALL: [Hypothesis; 4] = [
    Hypothesis::Body,
    Hypothesis::Space,
    Hypothesis::TransposedBody,
    Hypothesis::TransposedSpace,
];

/// What the increments say. Residuals are root mean squares, relative to the increments'.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Kinematics {
    /// Steps looked at.
    pub steps: u64,
    /// Steps left out: they turn by more than 0.4 rad.
    pub skipped: u64,
    /// Steps looked at that agree with the rate if whole turns are added.
    pub whole_turns: u64,
    /// The frame the columns name.
    pub stated: Hypothesis,
    /// Residual under it.
    pub residual: f64,
    /// Largest residual of a step over its length, rad/s.
    pub worst: Peak,
    /// The hypothesis with the least residual.
    pub best: Hypothesis,
    /// Its residual.
    pub best_residual: f64,
    /// Factor on the stated rate that fits the increments best.
    pub factor: f64,
    /// Residual with it.
    pub factor_residual: f64,
}

impl Kinematics {
    /// Whether the rows stand near enough: where most of them turn too far, the others came back to small angles by chance,
    /// or after whole turns.
    fn tells(&self) -> bool {
        self.steps >= A_FEW as u64 && self.skipped + 2 * self.whole_turns <= self.steps
    }
    /// Whether the rate turns the attitude as stated, up to what sampling explains.
    pub fn consistent(&self) -> bool {
        self.residual <= CONSISTENT && !self.explained()
    }
    /// Whether another frame explains the history far better.
    pub fn explained(&self) -> bool {
        // Two that agree to round-off do not tell the frames apart.
        self.tells()
            && self.best != self.stated
            && self.residual > SINGLE_DIGITS
            && self.best_residual <= TENTH * self.residual
            && self.best_residual <= CONSISTENT
    }
    /// Whether rate and attitude contradict each other in a way that another convention explains.
    pub fn contradicts(&self) -> bool {
        self.explained() || self.degrees() || self.scaled()
    }
    /// Whether a factor explains it that is no matter of degrees: another unit of time, or turns of
    /// another size.
    pub fn scaled(&self) -> bool {
        self.tells()
            && self.residual > CONSISTENT
            && !self.degrees()
            && (self.factor - 1.0).abs() > TWICE * CONSISTENT
            && self.factor_residual <= HALF * CONSISTENT
    }
    /// Whether a factor of degrees explains it: the rate is in degrees per second.
    pub fn degrees(&self) -> bool {
        let ratio = self.factor / topsim_model::report::DEGREE;
        self.tells()
            && self.residual > CONSISTENT
            && (ratio - 1.0).abs() < FIRST_ORDER
            && self.factor_residual <= CONSISTENT
    }
}

/// Sums over the rows.
#[derive(Debug, Clone)]
pub(super) struct Increments {
    stated: Hypothesis,
    before: Option<(f64, Mat3, Vec3)>,
    steps: u64,
    skipped: u64,
    whole_turns: u64,
    squares: [f64; 4],
    turned: f64,
    rate_squares: f64,
    product: f64,
    worst: (f64, f64),
}

impl Increments {
    pub(super) fn new(stated: Hypothesis) -> Self {
        Self {
            stated,
            before: None,
            steps: 0,
            skipped: 0,
            whole_turns: 0,
            squares: [0.0; 4],
            turned: 0.0,
            rate_squares: 0.0,
            product: 0.0,
            worst: (0.0, f64::NAN),
        }
    }

    pub(super) fn push(&mut self, t: f64, att: &Mat3, w: &Vec3) {
        let Some((t0, att0, w0)) = self.before.replace((t, *att, *w)) else {
            return;
        };
        let h = t - t0;
        let turn = (w0 + w) * (0.5 * h);
        let u = so3::log(&att0.tr_mul(att));
        // Rates in degrees turn wildly: the attitude alone decides, below half of a turn.
        if !(u.norm() <= SMALL_TURN) {
            self.skipped += 1;
            return;
        }
        self.steps += 1;
        let space = att0 * u;
        let increments = [u, space, -space, -u];
        for (sum, d) in self.squares.iter_mut().zip(&increments) {
            *sum += (d - turn).norm_squared();
        }
        let stated = increments[self.stated as usize];
        let angle = turn.norm();
        let whole = core::f64::consts::TAU * (angle / core::f64::consts::TAU).round();
        if whole > 0.0 && (stated - turn * (1.0 - whole / angle)).norm() <= SMALL_TURN {
            self.whole_turns += 1;
        }
        self.turned += u.norm_squared();
        self.rate_squares += turn.norm_squared();
        self.product += stated.dot(&turn);
        let residual = (stated - turn).norm() / h;
        if !(residual <= self.worst.0) {
            self.worst = (residual, t0);
        }
    }

    pub(super) fn finish(&self) -> Option<Kinematics> {
        // A body at rest in every row says nothing.
        if self.steps == 0 || !(self.turned > 0.0) {
            return None;
        }
        let relative = |square: f64| (square.max(0.0) / self.turned).sqrt();
        let mut best = self.stated;
        for h in ALL {
            if self.squares[h as usize] < self.squares[best as usize] {
                best = h;
            }
        }
        let factor = if self.rate_squares > 0.0 {
            self.product / self.rate_squares
        } else {
            0.0
        };
        Some(Kinematics {
            steps: self.steps,
            skipped: self.skipped,
            whole_turns: self.whole_turns,
            stated: self.stated,
            residual: relative(self.squares[self.stated as usize]),
            worst: Peak {
                size: self.worst.0,
                time: self.worst.1,
            },
            best,
            best_residual: relative(self.squares[best as usize]),
            factor,
            factor_residual: relative(self.turned - factor * self.product),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A steady spin, its rate multiplied by a factor; rows so far apart.
    fn spin(h: f64, rows: u32, factor: f64) -> Option<Kinematics> {
        let w = Vec3::new(0.3, -0.4, 0.9);
        let mut all = Increments::new(Hypothesis::Body);
        for k in 0..rows {
            let t = f64::from(k) * h;
            all.push(t, &so3::exp(&(w * t)), &(w * factor));
        }
        all.finish()
    }

    #[test]
    fn a_rate_of_another_unit_is_seen_where_rows_are_near() {
        for factor in [1.0 / topsim_model::report::DEGREE, 0.1, 60.0] {
            assert!(spin(0.05, 40, factor).unwrap().contradicts(), "{factor}");
            // Two rows are one step: any factor fits it.
            assert!(!spin(0.05, 2, factor).unwrap().contradicts(), "{factor}");
        }
        assert!(!spin(0.05, 40, 1.0).unwrap().contradicts());
    }

    #[test]
    fn whole_turns_between_rows_are_no_other_unit() {
        let period = core::f64::consts::TAU / Vec3::new(0.3, -0.4, 0.9).norm();
        for h in [1.03 * period, 0.97 * period, 3.02 * period] {
            let seen = spin(h, 40, 1.0).unwrap();
            assert!(
                seen.whole_turns == seen.steps && !seen.contradicts(),
                "{seen:?}"
            );
        }
    }
}
