//! Published values, claims, and the full linear system with its deliberately wrong twins.

mod claims;
mod full_system;
mod published;

use super::GenAlpha;
use crate::math::{Mat3, Vec3, so3};
use crate::models::{InitialValueProblem, JointedBody, JointedState};
use crate::schemes::{Scheme, StepFail};

/// Returns the state after `n` steps of `h` and Newton iterations a step, or the steps made and why no more.
pub(super) fn run(
    scheme: &GenAlpha,
    jointed: &JointedBody,
    h: f64,
    n: u32,
) -> Result<(JointedState, f64), (u32, StepFail)> {
    let mut y = jointed.initial();
    let mut m = scheme.start(jointed, 0.0, h, &mut y).map_err(|e| (0, e))?;
    let mut iterations = 0;
    for k in 0..n {
        let work = scheme.step(jointed, f64::from(k) * h, h, &mut y, &mut m);
        iterations += work.map_err(|e| (k, e))?.iterations;
    }
    Ok((y, f64::from(iterations) / f64::from(n)))
}

/// Kynema's `HeavyTopTest.FinalState` after 400 steps of 0.002: displacement and attitude.
pub(super) fn final_state() -> (Vec3, Mat3) {
    let u = Vec3::new(
        -0.422_178_022_738_943_45,
        -0.094_582_635_300_507_03,
        -0.044_554_604_889_528_48,
    );
    let q = [
        -0.179_196_074_355_653_66,
        0.216_778_966_403_115_72,
        -0.959_477_696_085_359_6,
        -0.017_268_392_381_761_217,
    ];
    (u, so3::matrix_from_quat(&q))
}

/// Distances from it: m, rad.
pub(super) fn from_final_state(position: &Vec3, att: &Mat3) -> (f64, f64) {
    let (u, r) = final_state();
    let displacement = position - Vec3::y();
    ((displacement - u).amax(), so3::angle_between(&r, att))
}
