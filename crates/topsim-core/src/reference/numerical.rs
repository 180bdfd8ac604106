//! Numerical references: Taylor series for motions with a recurrence, and Gauss collocation of order 12 for all
//! others, refined until two step sizes agree to round-off. The error bound of the latter is the remaining
//! difference plus the effect of the rounding that both solutions share.

mod reduced;
mod rotation;
mod scatter;

pub use reduced::ReducedMotion;
pub use rotation::Numerical;

use super::gauss::{GaussRule, StageBuffers};
use std::sync::Arc;

/// Number of parts of a state whose errors are bounded separately.
const PARTS: usize = 4;
/// Sizes or errors of the parts of a state, such as attitude, rate, position and velocity; parts that a motion
/// does not have are zero.
pub type StateParts = [f64; PARTS];

/// Equations of a motion, which [`RefinedMotion`] solves to a requested accuracy.
pub trait Equations {
    /// Returns the state at the start.
    fn initial(&self) -> Vec<f64>;
    /// Writes the slope at time `t`.
    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]);
    /// Sizes of the parts of a state, to which its numbers are rounded.
    fn part_sizes(&self, y: &[f64]) -> StateParts;
    /// Returns the part to which number `i` of a state belongs, and the unit of that number.
    fn part_of(&self, i: usize) -> (usize, f64);
    /// Sizes of the numbers from which each slope is made, to which it is rounded.
    fn slope_sizes(&self, _t: f64, _y: &[f64], slope: &[f64]) -> Vec<f64> {
        slope.iter().map(|x| x.abs()).collect()
    }
    /// Returns the rate of rotation, rad/s, from which the step is chosen.
    fn rate(&self, y: &[f64]) -> f64;
    /// Returns the differences of two states, part by part.
    fn differences(&self, y: &[f64], z: &[f64]) -> StateParts;
    /// Combines the differences into one number, rad or relative, that tells whether they decrease.
    fn worst(&self, d: &StateParts) -> f64;
    /// Returns the times within `(from, to)` at which the right-hand side has a kink or jump.
    fn switches(&self, from: f64, to: f64) -> Vec<f64>;
}

/// Motion computed over a span by Gauss collocation of order 12, refined until two step sizes agree.
#[derive(Debug, Clone)]
pub struct RefinedMotion<M> {
    motion: M,
    rule: GaussRule,
    start: f64,
    solution: Arc<NodalSolution>,
    /// Running maximum of the difference to the solution with twice the step, at each node.
    differences: Vec<StateParts>,
    /// Standard deviations of the propagated rounding, at each node.
    scatter: Vec<StateParts>,
    converged: bool,
}

/// Solution at its nodes, which include the kinks of the torque.
#[derive(Debug)]
struct NodalSolution {
    dimension: usize,
    times: Vec<f64>,
    /// State and compensation of each node, one after the other.
    states: Vec<f64>,
    /// Time of the first step whose stages did not converge.
    lost: Option<f64>,
    /// Largest rotation within a step, rad.
    turn: f64,
}

impl NodalSolution {
    fn push(&mut self, t: f64, y: &[f64], carry: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
        self.states.extend_from_slice(carry);
    }
    fn node(&self, k: usize) -> (&[f64], &[f64]) {
        let d = self.dimension;
        self.states[2 * d * k..2 * d * (k + 1)].split_at(d)
    }
    fn state(&self, k: usize) -> &[f64] {
        self.node(k).0
    }
}

/// Reason why a numerical reference could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumericalError {
    /// The state became infinite or the stages did not converge; the value is the last time reached, s.
    #[error("the motion could not be followed beyond t = {0}")]
    Lost(f64),
    /// The computation was cancelled.
    #[error("stopped")]
    Stopped,
    /// The required accuracy was not reached with this largest allowed number of nodes.
    #[error("the motion needs more than {0} nodes, the most that memory allows")]
    TooLong(usize),
}

/// Lower limit (rad) of the stated attitude error of every numerical reference: the rounding of the result.
pub const LEAST_NUMERICAL_ERROR: f64 = 4.0 * f64::EPSILON;

/// Limits of the refinement of a motion.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Difference of two solutions below which they agree: rad, or relative.
    pub agreement: f64,
    /// Largest number of values kept of a solution.
    pub numbers: usize,
}

impl Limits {
    /// Refinement to round-off, with at most 2^20 nodes of a rotating body.
    pub const ROUND_OFF: Self = Self {
        agreement: 1e-14,
        numbers: 14 << 20,
    };
}

impl<M: Equations + Clone> RefinedMotion<M> {
    /// Solves from `start` to `end`, halving the step until the motion no longer changes; `wanted` is polled
    /// periodically and returns false to cancel.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed or is cancelled.
    pub fn solve(
        motion: M,
        start: f64,
        end: f64,
        limits: Limits,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        let rule = GaussRule::new();
        let mut edges = vec![start];
        edges.extend(motion.switches(start, end));
        edges.push(end);
        // The first step turns the body by about half a radian at its initial rate; later rates are examined in
        // each solution.
        let initial = motion.initial();
        let most_nodes = limits.numbers / (2 * initial.len());
        let rate = motion.rate(&initial).max(1.0 / (end - start));
        let counts: Vec<f64> = edges
            .windows(2)
            .map(|e| ((e[1] - e[0]) * rate / 0.5).ceil().max(1.0))
            .collect();
        let total: f64 = counts.iter().sum();
        let mut coarse: Option<Arc<NodalSolution>> = None;
        let mut best: Option<(f64, Self)> = None;
        let mut lost = None;
        for level in 0..48 {
            let scale = (1_u64 << level) as f64;
            if !(total * scale <= most_nodes as f64) {
                break;
            }
            let fine = Arc::new(solve(&motion, &rule, &edges, &counts, scale, wanted)?);
            lost = fine.lost;
            let pair = coarse.replace(fine.clone());
            let trusted = |t: &NodalSolution| t.lost.is_none() && t.turn <= 1.0;
            let Some(pair) = pair.filter(|c| trusted(c) && trusted(&fine)) else {
                continue;
            };
            let differences = compare(&motion, &pair, &fine);
            let worst = differences.last().map_or(0.0, |d| motion.worst(d));
            let mut made = Self {
                motion: motion.clone(),
                rule: rule.clone(),
                start,
                solution: fine,
                differences,
                scatter: Vec::new(),
                converged: false,
            };
            // Below the agreement limit nothing more is gained; and once a halving no longer helps, the finer
            // solution only accumulates round-off.
            let stalled = best
                .as_ref()
                .is_some_and(|(before, _)| worst < 1e-9 && worst > 0.25 * before);
            if worst < limits.agreement || stalled {
                if let Some((before, kept)) = best
                    && stalled
                    && before < worst
                {
                    made = kept;
                }
                made.converged = true;
                return Ok(made.with_scatter());
            }
            best = Some((worst, made));
        }
        match (best, lost) {
            (Some((_, made)), _) => Ok(made.with_scatter()),
            (None, Some(t)) => Err(NumericalError::Lost(t)),
            (None, None) => Err(NumericalError::TooLong(most_nodes)),
        }
    }

    fn with_scatter(mut self) -> Self {
        self.scatter = scatter::scatter(&self.motion, &self.solution);
        self
    }

    fn locate(&self, t: f64) -> usize {
        let times = &self.solution.times;
        times
            .partition_point(|&x| x <= t)
            .saturating_sub(1)
            .min(times.len() - 1)
    }

    /// Returns the state at time `t`.
    pub fn at(&self, t: f64) -> Vec<f64> {
        let k = self.locate(t);
        let (y, carry) = self.solution.node(k);
        let (mut y, mut carry) = (y.to_vec(), carry.to_vec());
        let t0 = self.solution.times[k];
        if t != t0 {
            let mut work = StageBuffers::new(y.len());
            let f = |t: f64, y: &[f64], out: &mut [f64]| self.motion.slope(t, y, out);
            self.rule
                .step(&f, t0, t - t0, (&mut y, &mut carry), &mut work);
        }
        y
    }

    /// Bounds on the errors of the parts at time `t`, and the state at a node nearby; `None` outside the span.
    /// A bound is the sum of twice the difference of the two finest solutions, six standard deviations of the
    /// propagated rounding, and the rounding of the result.
    pub fn bound(&self, t: f64) -> Option<(StateParts, &[f64])> {
        let last = self.solution.times[self.solution.times.len() - 1];
        let slack = 1e-9 * (last - self.start);
        // The test is written so that a NaN has no bound.
        if !(t >= self.start - slack && t <= last + slack) {
            return None;
        }
        let k = (self.locate(t) + 1).min(self.solution.times.len() - 1);
        let before = k.saturating_sub(1);
        let state = self.solution.state(k);
        let sizes = self.motion.part_sizes(state);
        let bound = core::array::from_fn(|p| {
            let scatter = self.scatter[before][p].max(self.scatter[k][p]);
            2.0 * self.differences[k][p] + 6.0 * scatter + LEAST_NUMERICAL_ERROR * sizes[p]
        });
        Some((bound, state))
    }

    fn motion(&self) -> &M {
        &self.motion
    }

    /// Returns true if two step sizes agree.
    pub(crate) fn has_converged(&self) -> bool {
        self.converged
    }

    /// Describes the computation for reports.
    pub fn provenance(&self) -> String {
        let how = if self.converged {
            "refined until two step sizes agree"
        } else {
            "as fine as the memory allows; two step sizes do not agree to round-off"
        };
        format!(
            "Gauss collocation of order 12, {} steps, {how}",
            self.solution.times.len() - 1
        )
    }
}

/// Computes a solution with `counts · scale` steps in the segments between the edges; `scale` is a power of
/// two, so that every node of one solution is a node of the next. The solution ends early at a step that does
/// not converge.
fn solve(
    motion: &impl Equations,
    rule: &GaussRule,
    edges: &[f64],
    counts: &[f64],
    scale: f64,
    wanted: &dyn Fn() -> bool,
) -> Result<NodalSolution, NumericalError> {
    let f = |t: f64, y: &[f64], out: &mut [f64]| motion.slope(t, y, out);
    let mut y = motion.initial();
    let mut carry = vec![0.0; y.len()];
    let mut work = StageBuffers::new(y.len());
    let mut solution = NodalSolution {
        dimension: y.len(),
        times: Vec::new(),
        states: Vec::new(),
        lost: None,
        turn: 0.0,
    };
    solution.push(edges[0], &y, &carry);
    // A step of thousands of bodies may take a second, so cancellation is then polled at every step.
    let every = if y.len() > 64 { 1 } else { 256 };
    for (edge, count) in edges.windows(2).zip(counts) {
        let n = (count * scale) as u64;
        let h = (edge[1] - edge[0]) / n as f64;
        for k in 0..n {
            if k % every == 0 && !wanted() {
                return Err(NumericalError::Stopped);
            }
            let t = edge[0] + k as f64 * h;
            let before = motion.rate(&y);
            let settled = rule.step(&f, t, h, (&mut y, &mut carry), &mut work);
            if !settled || !y.iter().sum::<f64>().is_finite() {
                solution.lost = Some(t);
                return Ok(solution);
            }
            let turn = before.max(motion.rate(&y)) * h;
            solution.turn = solution.turn.max(turn);
            let end = if k + 1 == n {
                edge[1]
            } else {
                edge[0] + (k + 1) as f64 * h
            };
            solution.push(end, &y, &carry);
        }
    }
    Ok(solution)
}

/// Returns the running maximum of the difference of two solutions at the nodes of the finer one; a node that
/// the coarser solution lacks takes the difference at the next common node.
fn compare(
    motion: &impl Equations,
    coarse: &NodalSolution,
    fine: &NodalSolution,
) -> Vec<StateParts> {
    let mut out = vec![[0.0; PARTS]; fine.times.len()];
    let mut worst = [0.0_f64; PARTS];
    let mut known = 0;
    let mut c = 0;
    for (k, t) in fine.times.iter().enumerate() {
        while c < coarse.times.len() && coarse.times[c] < *t {
            c += 1;
        }
        if c < coarse.times.len() && coarse.times[c] == *t {
            let found = motion.differences(fine.state(k), coarse.state(c));
            for (worst, found) in worst.iter_mut().zip(found) {
                *worst = worst.max(found);
            }
            out[known..=k].fill(worst);
            known = k + 1;
        }
    }
    out
}

#[cfg(test)]
mod tests;
