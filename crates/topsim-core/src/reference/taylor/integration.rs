//! Integration of a motion together with the propagation of small changes.

use super::expansion::{RotationState, TaylorExpansion};
use super::segment::SegmentUnits;
use super::solution::{TaylorNode, TaylorSolution, attitude_and_rate, sum};
use super::tangent::{ChangeSize, Tangent};
use super::{MOST_NUMBERS, ROUNDING, START_ROUNDING, STEP_ROUNDING, Settings, TOLERANCE};
use crate::math::Vec3;
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::fine::{FineMat, FineVec};
use crate::reference::NumericalError;

/// Integration in progress, with the part of the motion computed so far.
pub(super) struct Integration {
    pub(super) settings: Settings,
    pub(super) solution: TaylorSolution,
    pub(super) expansion: TaylorExpansion,
    pub(super) t: f64,
    pub(super) state: RotationState,
    pub(super) tangent: Tangent,
    pub(super) fine: usize,
    /// |W| at the start, and the largest so far.
    pub(super) rate: f64,
    pub(super) fastest: f64,
}

impl Integration {
    /// An integration that begins with the attitude `att` of the principal axes `axes`.
    pub(super) fn new(
        settings: Settings,
        units: SegmentUnits,
        t: f64,
        (att, axes): (FineMat, FineMat),
    ) -> Self {
        let nothing = ChangeSize {
            angle: 0.0,
            rate: 0.0,
        };
        Self {
            settings,
            solution: TaylorSolution {
                units,
                axes,
                order: settings.order,
                nodes: Vec::new(),
                segments: Vec::new(),
                kept: Vec::new(),
                places: Vec::new(),
            },
            expansion: TaylorExpansion::default(),
            t,
            state: RotationState {
                att,
                momentum: Vec3::zeros().into(),
            },
            tangent: Tangent::new(nothing),
            fine: settings.order / 2 + 3,
            rate: 0.0,
            fastest: 0.0,
        }
    }

    /// Sets the rate at the start about the principal axes, in the units.
    pub(super) fn begin(&mut self, rate: &FineVec) {
        let (_, segment) = self.solution.segments.last().expect("a segment");
        self.state.momentum = segment.moments.component_mul(rate);
        self.rate = rate.rounded().norm();
        let slenderness = segment.slenderness;
        self.tangent = Tangent::new(ChangeSize {
            angle: START_ROUNDING * self.settings.noise,
            rate: START_ROUNDING * self.rate * slenderness * self.settings.noise,
        });
    }

    /// Appends the current state as a node.
    pub(super) fn push_node(&mut self) {
        let (_, segment) = self.solution.segments.last().expect("a segment");
        let rate = segment.inverse.component_mul(&self.state.momentum);
        let rate = self.solution.axes.apply(&rate).rounded();
        self.fastest = self.fastest.max(rate.norm());
        let rounded = ChangeSize {
            angle: ROUNDING,
            rate: ROUNDING * self.rate,
        };
        self.solution.nodes.push(TaylorNode {
            t: self.t,
            state: self.state,
            att: self.state.att.times(&self.solution.axes.transpose()),
            rate,
            fine: self.fine,
            deviations: self.tangent.deviations(),
            floor: self.tangent.propagate(rounded),
            fastest: self.fastest,
        });
    }

    /// Integrates to the end of the current segment.
    pub(super) fn integrate_segment(
        &mut self,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Result<(), NumericalError> {
        let unit = self.solution.units.rate;
        while self.t < end {
            let count = self.solution.nodes.len();
            if count.is_multiple_of(64) && !wanted() {
                return Err(NumericalError::Stopped);
            }
            if count >= self.settings.most_nodes {
                return Err(NumericalError::TooLong(count));
            }
            self.push_node();
            let (_, segment) = self.solution.segments.last().expect("a segment");
            let order = self.settings.order;
            let fine = self.fine;
            self.expansion
                .expand(segment, &self.state, self.t, order, fine);
            let speed = self.expansion.rate().rounded().norm();
            let pace = speed.max(segment.pace);
            let pace = if pace > 0.0 { pace } else { 1.0 };
            let sizes: Vec<f64> = (0..=order).map(|n| self.expansion.size(n, pace)).collect();
            let (step, next_fine) = step(&sizes, fine);
            let step = step * self.settings.shortened;
            let next = (self.t + step / unit).min(end);
            // The test is written so that a NaN counts as lost.
            if !(step > 0.0 && next > self.t) {
                return Err(NumericalError::Lost(self.t));
            }
            let h = Fine::difference(next, self.t).scaled(unit);
            let tail = sizes[order] * h.hi.powi(order as i32);
            let tail = tail.max(sizes[order - 1] * h.hi.powi(order as i32 - 1));
            let error = self.settings.noise * (tail + STEP_ROUNDING);
            let own = ChangeSize {
                angle: error,
                rate: error * pace * segment.slenderness,
            };
            let coefficients: Vec<[f64; 12]> = self.expansion.doubles(order).collect();
            let passing = |s: f64| attitude_and_rate(&sum(&coefficients, s));
            let carried = if self.settings.transported { h.hi } else { 0.0 };
            let parts = (h.hi * pace / 0.4).ceil().clamp(1.0, 1e4) as u32;
            self.tangent
                .step(segment, (self.t, carried, parts), &passing, own);
            if self.solution.kept.len() * 12 < MOST_NUMBERS {
                self.solution.places.push(self.solution.kept.len());
                self.solution
                    .kept
                    .extend(&coefficients[..=(fine + 1).min(order)]);
            }
            self.state = self.expansion.at(h, fine);
            self.fine = next_fine;
            self.t = next;
        }
        Ok(())
    }
}

/// Returns the longest step whose terms beyond the order are below the tolerance and whose terms beyond `fine`
/// are below the rounding of a double; and the value of `fine` that would not have limited the step.
fn step(sizes: &[f64], fine: usize) -> (f64, usize) {
    let order = sizes.len() - 1;
    let reach = |small: f64, n: usize| libm::pow(small / sizes[n], 1.0 / n as f64);
    let longest = reach(TOLERANCE, order).min(reach(TOLERANCE, order - 1));
    let small = |n: &usize| sizes[*n] * libm::pow(longest, *n as f64) <= ROUNDING;
    let enough = (8..order)
        .find(|n| small(n) && small(&(n + 1)))
        .unwrap_or(order);
    let held = (fine..=(fine + 1).min(order)).map(|n| reach(ROUNDING, n));
    let held = if fine < order {
        held.fold(longest, f64::min)
    } else {
        longest
    };
    (held, enough)
}
