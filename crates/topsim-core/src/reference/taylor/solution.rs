//! Computed motion: its nodes, values between them, and bounds on their errors.

use super::LINEAR;
use super::expansion::{RotationState, TaylorExpansion};
use super::segment::{Segment, SegmentUnits};
use super::tangent::ChangeSize;
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::fine::FineMat;
use crate::math::{Mat3, Vec3};
use crate::reference::RefError;

#[derive(Debug)]
pub(super) struct TaylorSolution {
    pub(super) units: SegmentUnits,
    /// Principal axes of the body, in columns: coefficients and states are about them.
    pub(super) axes: FineMat,
    pub(super) order: usize,
    pub(super) nodes: Vec<TaylorNode>,
    /// Index of the first node of each segment, and its body.
    pub(super) segments: Vec<(usize, Segment)>,
    /// Coefficients of the first steps, and the index at which those of each step begin.
    pub(super) kept: Vec<[f64; 12]>,
    pub(super) places: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct TaylorNode {
    pub(super) t: f64,
    pub(super) state: RotationState,
    /// Attitude and rate in the axes in which the body is given.
    pub(super) att: FineMat,
    pub(super) rate: Vec3,
    /// Order up to which the expansion at this node is double-double.
    pub(super) fine: usize,
    pub(super) deviations: ChangeSize,
    pub(super) floor: ChangeSize,
    /// Largest |W| so far.
    pub(super) fastest: f64,
}

/// Sums a series at `s`.
pub(super) fn sum(coefficients: &[[f64; 12]], s: f64) -> [f64; 12] {
    let mut out = [0.0; 12];
    for c in coefficients.iter().rev() {
        for (out, c) in out.iter_mut().zip(c) {
            *out = *out * s + c;
        }
    }
    out
}

/// Splits the twelve numbers into R and W.
pub(super) fn attitude_and_rate(numbers: &[f64; 12]) -> (Mat3, Vec3) {
    (
        Mat3::from_row_slice(&numbers[..9]),
        Vec3::from_column_slice(&numbers[9..]),
    )
}

/// Turns the twelve numbers from principal axes to the axes in which the body is given.
pub(super) fn turned(numbers: &[f64; 12], axes: &Mat3) -> [f64; 12] {
    let (att, rate) = attitude_and_rate(numbers);
    let (att, rate) = (att * axes.transpose(), axes * rate);
    core::array::from_fn(|i| match i {
        0..9 => att[(i / 3, i % 3)],
        _ => rate[i - 9],
    })
}

impl TaylorSolution {
    fn locate(&self, t: f64) -> usize {
        let after = self.nodes.partition_point(|node| node.t <= t);
        after.saturating_sub(1)
    }

    pub(super) fn at(&self, t: f64) -> (Mat3, Vec3) {
        let found = self.locate(t);
        let node = &self.nodes[found];
        let (att, rate) = if t == node.t {
            (node.att.rounded(), node.rate)
        } else {
            // The last node has no step of its own.
            let k = found.min(self.nodes.len().saturating_sub(2));
            let s = Fine::difference(t, self.nodes[k].t).scaled(self.units.rate);
            attitude_and_rate(&self.evaluate_step(k, s.value()))
        };
        (att, rate * self.units.rate)
    }

    /// Evaluates R and W within step `k`, `s` after its node.
    fn evaluate_step(&self, k: usize, s: f64) -> [f64; 12] {
        let node = &self.nodes[k];
        let expanded;
        let coefficients = match (self.places.get(k), self.places.get(k + 1)) {
            (Some(&from), Some(&to)) => &self.kept[from..to],
            (Some(&from), None) if k + 2 == self.nodes.len() => &self.kept[from..],
            _ => {
                let next = self.segments.partition_point(|(first, _)| *first <= k);
                let mut expansion = TaylorExpansion::default();
                let segment = &self.segments[next - 1].1;
                expansion.expand(segment, &node.state, node.t, self.order, node.fine);
                expanded = expansion.doubles(node.fine + 1).collect::<Vec<_>>();
                &expanded[..]
            }
        };
        let higher = turned(&sum(&coefficients[1..], s), &self.axes.rounded());
        core::array::from_fn(|i| {
            let first = match i {
                0..9 => node.att.0[i / 3][i % 3],
                _ => Fine::from(node.rate[i - 9]),
            };
            first.hi + (first.lo + higher[i] * s)
        })
    }

    /// Returns the nodes before and after a time; `None` outside the span.
    fn bracketing_nodes(&self, t: f64) -> Option<[&TaylorNode; 2]> {
        let (first, last) = (&self.nodes[0], &self.nodes[self.nodes.len() - 1]);
        let slack = 1e-9 * (last.t - first.t);
        // The test is written so that a NaN has no bound.
        if !(t >= first.t - slack && t <= last.t + slack) {
            return None;
        }
        let k = self.locate(t);
        let next = (k + 1).min(self.nodes.len() - 1);
        Some([&self.nodes[k], &self.nodes[next]])
    }

    pub(super) fn error(&self, t: f64) -> RefError {
        let Some(nodes) = self.bracketing_nodes(t) else {
            return RefError::UNKNOWN;
        };
        let steps = self.locate(t) + 1;
        // √K standard deviations bound the errors of K steps, independent or not.
        let factor = (steps as f64).sqrt().max(16.0);
        let worst = |f: &dyn Fn(&TaylorNode) -> f64| f(nodes[0]).max(f(nodes[1]));
        let rounding = 4.0 * f64::EPSILON;
        let attitude = rounding + factor * worst(&|n| n.deviations.angle);
        let speed = worst(&|n| n.rate.norm());
        let fastest = worst(&|n| n.fastest);
        let rate = rounding * speed + factor * worst(&|n| n.deviations.rate);
        // The test is written so that a NaN makes no claim.
        let claimed = attitude <= LINEAR;
        RefError {
            attitude: if claimed {
                attitude
            } else {
                core::f64::consts::PI
            },
            rate: self.units.rate * if claimed { rate } else { 2.0 * fastest },
        }
    }

    pub(super) fn floor(&self, t: f64) -> Option<RefError> {
        let nodes = self.bracketing_nodes(t)?;
        let worst = |f: &dyn Fn(&ChangeSize) -> f64| f(&nodes[0].floor).max(f(&nodes[1].floor));
        Some(RefError {
            // An angle never exceeds π, however much the motion amplifies the start.
            attitude: worst(&|p| p.angle).min(core::f64::consts::PI),
            rate: self.units.rate * worst(&|p| p.rate),
        })
    }
}
