//! The numerical reference: Taylor series where the motion has a recurrence; for any other Gauss
//! collocation of order 12, refined until two step sizes agree to round-off. The bound of its error is
//! the difference that is left, and what the motion makes of the rounding that both solutions share.

mod reduced;
mod rotation;
mod scatter;

pub use reduced::ReducedMotion;
pub use rotation::Numerical;

use super::gauss::{Gauss, Work};
use std::sync::Arc;

/// Parts of a state whose errors are told apart.
const PARTS: usize = 4;
/// Differences of the parts of two states, such as attitude, rate, position and velocity; what a motion does not
/// have is zero.
pub type Parts = [f64; PARTS];

/// A motion given by its equations, which [`RefinedMotion`] follows as accurately as it is asked to.
pub trait Motion {
    /// The state at the start.
    fn initial(&self) -> Vec<f64>;
    /// Writes the slope at time `t`.
    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]);
    /// Sizes of the parts of a state: its numbers are rounded to these.
    fn part_sizes(&self, y: &[f64]) -> Parts;
    /// The part that number `i` of a state belongs to, and the unit that it is counted in.
    fn part_of(&self, i: usize) -> (usize, f64);
    /// Rate of turn, rad/s: it chooses the steps.
    fn rate(&self, y: &[f64]) -> f64;
    /// Differences of two states, part by part.
    fn differences(&self, y: &[f64], z: &[f64]) -> Parts;
    /// One number for them, to see whether they fall: rad, or relative.
    fn worst(&self, d: &Parts) -> f64;
    /// Times within `(from, to)` at which the right-hand side has a kink or jump.
    fn switches(&self, from: f64, to: f64) -> Vec<f64>;
}

/// A motion computed over a span by Gauss collocation of order 12, refined until two step sizes agree.
#[derive(Debug, Clone)]
pub struct RefinedMotion<M> {
    motion: M,
    rule: Gauss,
    start: f64,
    track: Arc<Track>,
    /// Difference to the solution with twice the step, at each node: running maximum.
    differences: Vec<Parts>,
    /// Standard deviations of what rounding has become, at each node.
    scatter: Vec<Parts>,
    converged: bool,
}

/// One solution at its nodes; kinks of the torque are among them.
#[derive(Debug)]
struct Track {
    dimension: usize,
    times: Vec<f64>,
    /// State and compensation of each node, one after the other.
    states: Vec<f64>,
    /// Time of the first step whose stages did not settle.
    lost: Option<f64>,
    /// Largest angle of a step, rad.
    turn: f64,
}

impl Track {
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

/// Why no reference could be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumericalError {
    /// The state became infinite or the stages did not settle.
    #[error("the motion could not be followed beyond t = {0}")]
    Lost(f64),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// Refinement did not reach agreement within the memory allowed.
    #[error("refinement stopped at {nodes} nodes with a difference of {difference:.1e} rad")]
    TooLong {
        /// Nodes of the finest solution.
        nodes: usize,
        /// Difference of the last two solutions, rad.
        difference: f64,
    },
}

/// What the bound of the attitude's error cannot be below, whatever the motion: rounding, rad.
pub const LEAST_NUMERICAL_ERROR: f64 = 4.0 * f64::EPSILON;

/// How far a motion is refined.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Two solutions that differ less agree: rad, or relative.
    pub agreement: f64,
    /// Most numbers kept of a solution.
    pub numbers: usize,
}

impl Limits {
    /// To round-off, with 2^20 nodes of a rotating body.
    pub const ROUND_OFF: Self = Self {
        agreement: 1e-14,
        numbers: 14 << 20,
    };
}

impl<M: Motion + Clone> RefinedMotion<M> {
    /// Solves from `start` to `end`, halving the step until the motion no longer changes; `wanted`, asked every
    /// so many steps, says whether to go on.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed, or `wanted` says no.
    pub fn new_while(
        motion: M,
        start: f64,
        end: f64,
        limits: Limits,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        let rule = Gauss::new();
        let mut edges = vec![start];
        edges.extend(motion.switches(start, end));
        edges.push(end);
        // A first step that turns the body by about half a radian at its first rate; the rates to
        // come are looked at in each solution.
        let initial = motion.initial();
        let most_nodes = limits.numbers / (2 * initial.len());
        let rate = motion.rate(&initial).max(1.0 / (end - start));
        let counts: Vec<f64> = edges
            .windows(2)
            .map(|e| ((e[1] - e[0]) * rate / 0.5).ceil().max(1.0))
            .collect();
        let total: f64 = counts.iter().sum();
        let mut coarse: Option<Arc<Track>> = None;
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
            let trusted = |t: &Track| t.lost.is_none() && t.turn <= 1.0;
            let Some(pair) = pair.filter(|c| trusted(c) && trusted(&fine)) else {
                continue;
            };
            let differences = compare(&motion, &pair, &fine);
            let worst = differences.last().map_or(0.0, |d| motion.worst(d));
            let mut made = Self {
                motion: motion.clone(),
                rule: rule.clone(),
                start,
                track: fine,
                differences,
                scatter: Vec::new(),
                converged: false,
            };
            // Below this nothing is left to gain; and once a halving no longer helps, the finer
            // solution only gathers round-off.
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
                return Ok(made.scattered());
            }
            best = Some((worst, made));
        }
        match (best, lost) {
            (Some((_, made)), _) => Ok(made.scattered()),
            (None, Some(t)) => Err(NumericalError::Lost(t)),
            (None, None) => Err(NumericalError::TooLong {
                nodes: most_nodes,
                difference: f64::NAN,
            }),
        }
    }

    fn scattered(mut self) -> Self {
        self.scatter = scatter::scatter(&self.motion, &self.track);
        self
    }

    fn locate(&self, t: f64) -> usize {
        let times = &self.track.times;
        times
            .partition_point(|&x| x <= t)
            .saturating_sub(1)
            .min(times.len() - 1)
    }

    /// The state at time `t`.
    pub fn at(&self, t: f64) -> Vec<f64> {
        let k = self.locate(t);
        let (y, carry) = self.track.node(k);
        let (mut y, mut carry) = (y.to_vec(), carry.to_vec());
        let t0 = self.track.times[k];
        if t != t0 {
            let mut work = Work::new(y.len());
            let f = |t: f64, y: &[f64], out: &mut [f64]| self.motion.slope(t, y, out);
            self.rule
                .step(&f, t0, t - t0, (&mut y, &mut carry), &mut work);
        }
        y
    }

    /// Bounds of the errors of the parts at time `t`: twice the difference of the two finest solutions,
    /// six standard deviations of what rounding has become, and the rounding of the result; and a state
    /// nearby. `None` outside the span.
    pub fn bound(&self, t: f64) -> Option<(Parts, &[f64])> {
        let last = self.track.times[self.track.times.len() - 1];
        let slack = 1e-9 * (last - self.start);
        // Written so that a NaN knows nothing.
        if !(t >= self.start - slack && t <= last + slack) {
            return None;
        }
        let k = (self.locate(t) + 1).min(self.track.times.len() - 1);
        let before = k.saturating_sub(1);
        let state = self.track.state(k);
        let sizes = self.motion.part_sizes(state);
        let bound = core::array::from_fn(|p| {
            let scatter = self.scatter[before][p].max(self.scatter[k][p]);
            2.0 * self.differences[k][p] + 6.0 * scatter + LEAST_NUMERICAL_ERROR * sizes[p]
        });
        Some((bound, state))
    }

    /// Whether two step sizes agree.
    pub(crate) fn has_converged(&self) -> bool {
        self.converged
    }

    /// How it was computed, for people.
    pub fn provenance(&self) -> String {
        let how = if self.converged {
            "refined until two step sizes agree"
        } else {
            "as fine as the memory allows; two step sizes do not agree to round-off"
        };
        format!(
            "Gauss collocation of order 12, {} steps, {how}",
            self.track.times.len() - 1
        )
    }
}

/// A solution with `counts · scale` steps in the segments between the edges; `scale` is a power of
/// two, so that every node of one solution is a node of the next. Ends early where it is lost.
fn solve(
    motion: &impl Motion,
    rule: &Gauss,
    edges: &[f64],
    counts: &[f64],
    scale: f64,
    wanted: &dyn Fn() -> bool,
) -> Result<Track, NumericalError> {
    let f = |t: f64, y: &[f64], out: &mut [f64]| motion.slope(t, y, out);
    let mut y = motion.initial();
    let mut carry = vec![0.0; y.len()];
    let mut work = Work::new(y.len());
    let mut track = Track {
        dimension: y.len(),
        times: Vec::new(),
        states: Vec::new(),
        lost: None,
        turn: 0.0,
    };
    track.push(edges[0], &y, &carry);
    // A step of thousands of bodies may take a second.
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
                track.lost = Some(t);
                return Ok(track);
            }
            let turn = before.max(motion.rate(&y)) * h;
            track.turn = track.turn.max(turn);
            let end = if k + 1 == n {
                edge[1]
            } else {
                edge[0] + (k + 1) as f64 * h
            };
            track.push(end, &y, &carry);
        }
    }
    Ok(track)
}

/// Running maximum of the difference of two solutions at the nodes of the finer one; a node that
/// the coarser one lacks takes the difference of the next that it has.
fn compare(motion: &impl Motion, coarse: &Track, fine: &Track) -> Vec<Parts> {
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
