//! The numerical reference: Gauss collocation of order 12, refined until two step sizes agree to
//! round-off; the difference that is left is its error estimate.

use super::gauss::Gauss;
use super::{RefError, Solution};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{Measured, Problem, RigidTop, RotState, Torque};
use std::sync::Arc;

/// Quaternion (w, x, y, z) and body rate.
type Y = [f64; 7];

/// A motion of a rigid body computed to round-off over a span.
#[derive(Debug, Clone)]
pub struct Numerical<T> {
    top: RigidTop<T>,
    rule: Gauss,
    start: f64,
    track: Arc<Track>,
    /// Difference to the solution with twice the step, at each node: (rad, rad/s), running maximum.
    differences: Vec<(f64, f64)>,
    converged: bool,
}

/// One solution at its nodes; kinks of the torque are among them.
#[derive(Debug)]
struct Track {
    times: Vec<f64>,
    states: Vec<(Y, Y)>,
    /// ∫ |W| dt, rad: what rounding is proportional to.
    phases: Vec<f64>,
    /// Time of the first step whose stages did not settle.
    lost: Option<f64>,
    /// Largest angle of a step, rad.
    turn: f64,
}

/// Why no reference could be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
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
/// Most nodes kept (112 bytes each).
const MOST_NODES: usize = 1 << 20;

impl<T: Torque> Numerical<T> {
    /// As [`Numerical::new_while`], to the end.
    ///
    /// # Errors
    /// As [`Numerical::new_while`].
    pub fn new(top: RigidTop<T>, start: f64, end: f64) -> Result<Self, NumericalError> {
        Self::new_while(top, start, end, &|| true)
    }

    /// Solves from `start` to `end`, halving the step until the attitude no longer changes.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed, the span is too long for the memory, or
    /// `wanted`, asked every so many steps, says no.
    pub fn new_while(
        top: RigidTop<T>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        let rule = Gauss::new();
        let mut edges = vec![start];
        edges.extend(top.switches(start, end));
        edges.push(end);
        // A first step that turns the body by about half a radian at its first rate; the rates to
        // come are looked at in each solution.
        let rate = top.initial().omega.norm().max(1.0 / (end - start));
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
            if !(total * scale <= MOST_NODES as f64) {
                break;
            }
            let fine = Arc::new(solve(&top, &rule, &edges, &counts, scale, wanted)?);
            lost = fine.lost;
            let pair = coarse.replace(fine.clone());
            let trusted = |t: &Track| t.lost.is_none() && t.turn <= 1.0;
            let Some(pair) = pair.filter(|c| trusted(c) && trusted(&fine)) else {
                continue;
            };
            let differences = compare(&pair, &fine);
            let worst = differences.last().map_or(0.0, |d| d.0);
            let mut made = Self {
                top: top.clone(),
                rule: rule.clone(),
                start,
                track: fine,
                differences,
                converged: false,
            };
            // Below this nothing is left to gain; and once a halving no longer helps, the finer
            // solution only gathers round-off.
            let stalled = best
                .as_ref()
                .is_some_and(|(before, _)| worst < 1e-9 && worst > 0.25 * before);
            if worst < 1e-14 || stalled {
                if let Some((before, kept)) = best
                    && stalled
                    && before < worst
                {
                    made = kept;
                }
                made.converged = true;
                return Ok(made);
            }
            best = Some((worst, made));
        }
        match (best, lost) {
            (Some((_, made)), _) => Ok(made),
            (None, Some(t)) => Err(NumericalError::Lost(t)),
            (None, None) => Err(NumericalError::TooLong {
                nodes: MOST_NODES,
                difference: f64::NAN,
            }),
        }
    }

    fn locate(&self, t: f64) -> usize {
        let times = &self.track.times;
        times
            .partition_point(|&x| x <= t)
            .saturating_sub(1)
            .min(times.len() - 1)
    }
}

fn right_hand_side<T: Torque>(top: &RigidTop<T>) -> impl Fn(f64, &Y) -> Y + '_ {
    move |t, y| {
        let [w, x, z, v, ..] = *y;
        let omega = Vec3::new(y[4], y[5], y[6]);
        let att = so3::matrix_from_quat(&[w, x, z, v]);
        let momentum = top.inertia().times(&omega);
        let rate = top
            .inertia()
            .solve(&(momentum.cross(&omega) + top.torque_body(t, &att)));
        [
            -0.5 * (x * omega.x + z * omega.y + v * omega.z),
            0.5 * (w * omega.x + z * omega.z - v * omega.y),
            0.5 * (w * omega.y + v * omega.x - x * omega.z),
            0.5 * (w * omega.z + x * omega.y - z * omega.x),
            rate.x,
            rate.y,
            rate.z,
        ]
    }
}

/// A solution with `counts · scale` steps in the segments between the edges; `scale` is a power of
/// two, so that every node of one solution is a node of the next. Ends early where it is lost.
fn solve<T: Torque>(
    top: &RigidTop<T>,
    rule: &Gauss,
    edges: &[f64],
    counts: &[f64],
    scale: f64,
    wanted: &dyn Fn() -> bool,
) -> Result<Track, NumericalError> {
    let f = right_hand_side(top);
    let initial = top.initial();
    let q = so3::quat_from_matrix(&initial.att);
    let w = initial.omega;
    let mut y = [q[0], q[1], q[2], q[3], w.x, w.y, w.z];
    let mut carry = [0.0; 7];
    let rate = |y: &Y| Vec3::new(y[4], y[5], y[6]).norm();
    let mut track = Track {
        times: vec![edges[0]],
        states: vec![(y, carry)],
        phases: vec![0.0],
        lost: None,
        turn: 0.0,
    };
    let mut phase = 0.0;
    for (edge, count) in edges.windows(2).zip(counts) {
        let n = (count * scale) as u64;
        let h = (edge[1] - edge[0]) / n as f64;
        for k in 0..n {
            if k % 256 == 0 && !wanted() {
                return Err(NumericalError::Stopped);
            }
            let t = edge[0] + k as f64 * h;
            let before = rate(&y);
            let settled = rule.step(&f, t, h, &mut y, &mut carry);
            if !settled || !y.iter().sum::<f64>().is_finite() {
                track.lost = Some(t);
                return Ok(track);
            }
            let turn = before.max(rate(&y)) * h;
            track.turn = track.turn.max(turn);
            phase += turn;
            let end = if k + 1 == n {
                edge[1]
            } else {
                edge[0] + (k + 1) as f64 * h
            };
            track.times.push(end);
            track.states.push((y, carry));
            track.phases.push(phase);
        }
    }
    Ok(track)
}

/// Running maximum of the difference of two solutions at the nodes of the finer one; a node that
/// the coarser one lacks takes the difference of the next that it has.
fn compare(coarse: &Track, fine: &Track) -> Vec<(f64, f64)> {
    let mut out = vec![(0.0, 0.0); fine.times.len()];
    let mut worst = (0.0_f64, 0.0_f64);
    let mut known = 0;
    let mut c = 0;
    for (k, (t, (y, _))) in fine.times.iter().zip(&fine.states).enumerate() {
        while c < coarse.times.len() && coarse.times[c] < *t {
            c += 1;
        }
        if c < coarse.times.len() && coarse.times[c] == *t {
            let z = &coarse.states[c].0;
            let (a, b) = (attitude(y), attitude(z));
            let dw = Vec3::new(y[4] - z[4], y[5] - z[5], y[6] - z[6]).norm();
            worst = (worst.0.max(so3::angle_between(&a, &b)), worst.1.max(dw));
            out[known..=k].fill(worst);
            known = k + 1;
        }
    }
    out
}

fn attitude(y: &Y) -> Mat3 {
    so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]])
}

fn state(y: &Y) -> RotState {
    RotState {
        att: attitude(y),
        omega: Vec3::new(y[4], y[5], y[6]),
    }
}

impl<T: Torque> Solution for Numerical<T> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let k = self.locate(t);
        let (mut y, mut carry) = self.track.states[k];
        let t0 = self.track.times[k];
        if t != t0 {
            self.rule
                .step(&right_hand_side(&self.top), t0, t - t0, &mut y, &mut carry);
        }
        let s = state(&y);
        (s.att, s.omega)
    }

    fn error(&self, t: f64) -> RefError {
        let last = self.track.times[self.track.times.len() - 1];
        let slack = 1e-9 * (last - self.start);
        // Written so that a NaN knows nothing.
        if !(t >= self.start - slack && t <= last + slack) {
            return RefError {
                attitude: f64::INFINITY,
                rate: f64::INFINITY,
            };
        }
        let k = (self.locate(t) + 1).min(self.track.times.len() - 1);
        let (a, w) = self.differences[k];
        // Rounding that both solutions share does not show in their difference.
        let rounding = LEAST_NUMERICAL_ERROR + 2.0 * f64::EPSILON * self.track.phases[k];
        let rate = state(&self.track.states[k].0).omega.norm();
        RefError {
            attitude: 2.0 * a + rounding,
            rate: 2.0 * w + rounding * rate.max(w) + 4.0 * f64::EPSILON * rate,
        }
    }

    fn provenance(&self) -> String {
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

#[cfg(test)]
mod tests;
