//! The measurements of the test bed for schemes of jointed bodies.

use super::there_and_back;
use crate::models::{InitialValueProblem, JointedBody, JointedState};
use crate::schemes::{Scheme, steps};

/// Returns the distance of two states in attitude and rate.
pub fn distance(a: &JointedState, b: &JointedState) -> f64 {
    super::distance(&a.rotation, &b.rotation)
}

/// Returns the state after the time `end` in `n` steps.
pub fn run<S: Scheme<JointedBody>>(
    scheme: &S,
    jointed: &JointedBody,
    end: f64,
    n: u32,
) -> JointedState {
    let mut y = jointed.initial();
    let steps = (0.0, end / f64::from(n), n.into());
    steps::advance(scheme, jointed, steps, &mut y, &|| true).unwrap();
    y
}

/// Returns the order over t = 2 by self-convergence from `n`, 2n and 4n steps.
pub fn order_of<S: Scheme<JointedBody>>(
    scheme: &S,
    jointed: &JointedBody,
    n: u32,
    distance: impl Fn(&JointedState, &JointedState) -> f64,
) -> f64 {
    let [y1, y2, y4] = [n, 2 * n, 4 * n].map(|n| run(scheme, jointed, 2.0, n));
    libm::log2(distance(&y1, &y2) / distance(&y2, &y4))
}

/// Returns the distance from the start after 20 steps of 0.05 forward and 20 back.
pub fn irreversibility<S: Scheme<JointedBody>>(scheme: &S, jointed: &JointedBody) -> f64 {
    let y = there_and_back(scheme, jointed, 0.05, 20);
    distance(&y, &jointed.initial())
}

/// Returns the symplectic defect of one step of 0.2.
pub fn symplectic_defect<S: Scheme<JointedBody>>(scheme: &S, jointed: &JointedBody) -> f64 {
    super::symplectic_defect(scheme, jointed, 0.2)
}

/// Returns the change of the vertical spatial momentum over 50 steps of 0.05.
pub fn vertical_drift<S: Scheme<JointedBody>>(scheme: &S, jointed: &JointedBody) -> f64 {
    let y = run(scheme, jointed, 2.5, 50);
    jointed.momentum_space(&y).z - jointed.momentum_space(&jointed.initial()).z
}

/// Returns `(trend, swing)` of the energy over the time `end` with steps of `h`: its rise between the means
/// of the first and the last quarter, and the largest less the smallest value in the first.
pub fn energy_trend<S: Scheme<JointedBody>>(
    scheme: &S,
    jointed: &JointedBody,
    h: f64,
    end: f64,
) -> (f64, f64) {
    let mut y = jointed.initial();
    let n = libm::round(end / h / 4.0) as u32;
    let mut memory = scheme.start(jointed, 0.0, h, &mut y).unwrap();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut means = [0.0; 4];
    for k in 0..4 * n {
        let e = jointed.energy(&y) - jointed.energy(&jointed.initial());
        means[(k / n) as usize] += e / f64::from(n);
        if k < n {
            (low, high) = (low.min(e), high.max(e));
        }
        scheme.step(jointed, 0.0, h, &mut y, &mut memory).unwrap();
    }
    (means[3] - means[0], high - low)
}
