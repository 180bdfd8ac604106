//! Whether a step back undoes a step: from where a step ends, with the rate reversed, another step of the same length
//! leads back to the start, with the rate reversed. Motions without a torque that depends on the time do so, and
//! time-reversible schemes do too, to rounding.

use crate::identification::Scope;
use crate::identification::design;
use crate::thresholds::BY_FAR;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Vec3, so3};
use topsim_model::probe::{Load, Probe, Start, Target};
use topsim_relations::LEFT_BY_ITERATIONS;

/// How far steps back are from undoing steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Reversal {
    /// Largest angle, and part of the rate, that stays.
    pub left: f64,
    /// What rounding and the digits of the rows may leave.
    pub allowed: f64,
}

/// Steps, s: long ones, of which what is left is far above rounding.
const STEPS: [f64; 2] = [0.05, 0.1];

/// Steps there and back; none where the solver does not make them.
pub(crate) fn measure(target: &dyn Target, scope: Scope) -> Option<Reversal> {
    let mut start = design::standard();
    if !scope.gravity {
        start.load = Load::None;
    }
    if start.omega.norm() < 1.0 {
        start.omega = Vec3::new(1.0, -2.0, 3.0);
    }
    let there: Vec<Probe> = STEPS.iter().map(|h| Probe::new(&start, *h, 1)).collect();
    let mut digits: f64 = 0.0;
    let mut back = Vec::new();
    for (probe, answer) in there.iter().zip(target.answers(&there)) {
        let rows = answer.ok()?;
        let [first, last, ..] = &rows[..] else {
            return None;
        };
        digits = digits.max(apart(&start, (&first.att, &first.omega), 1.0));
        let from = Start {
            att: last.att,
            omega: -last.omega,
            ..start.clone()
        };
        back.push(Probe::new(&from, probe.step, 1));
    }
    let mut left: f64 = 0.0;
    for answer in target.answers(&back) {
        let rows = answer.ok()?;
        let last = rows.get(1)?;
        left = left.max(apart(&start, (&last.att, &last.omega), -1.0));
    }
    left.is_finite().then(|| Reversal {
        left,
        allowed: LEFT_BY_ITERATIONS.max(BY_FAR * digits),
    })
}

fn apart(start: &Start, (att, omega): (&topsim_core::math::Mat3, &Vec3), sign: f64) -> f64 {
    let rate = (omega * sign - start.omega).norm() / start.omega.norm();
    so3::angle_between(att, &start.att).max(rate)
}
