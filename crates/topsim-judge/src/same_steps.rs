//! The steps of a solver beside those of a scheme of the catalogue: both run the same short problems.

use crate::identification::Scope;
use crate::identification::design;
use crate::thresholds::{BY_FAR, PRINTED};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::integration::registry::SchemeRow;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::{Load, Probe, Target};
use topsim_relations::LEFT_BY_ITERATIONS;
use topsim_relations::{Motion, run_scheme};

/// Distance of the steps of a solver from those of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SameSteps {
    /// Largest angle between the two, rad, and difference of the rates, relative.
    pub apart: f64,
    /// Part that rounding, iterations and the digits of the rows may leave.
    pub allowed: f64,
    /// Largest error of a step of the scheme itself: what is nearer to the exact motion is not told from it.
    pub error: f64,
}

impl SameSteps {
    /// Returns whether the steps differ.
    pub fn differ(&self) -> bool {
        !(self.apart <= self.allowed)
    }
    /// Returns whether steps that do not differ are those of the scheme: its errors are far above what is allowed.
    pub fn tell(&self) -> bool {
        self.error >= BY_FAR * self.allowed
    }
}

/// Steps, s: long ones, at which the errors of schemes are far above rounding.
const STEPS: [f64; 2] = [0.1, 0.2];
/// Steps of a run: a rule of several steps shows from the third on.
const RUN: usize = 4;

/// Returns how far the steps are apart; none where the solver does not answer, writes its rows in another convention, or the
/// scheme cannot make them.
pub(crate) fn compare(target: &dyn Target, scope: Scope, scheme: &SchemeRow) -> Option<SameSteps> {
    let standard = design::standard();
    let mut free = standard.clone();
    free.load = Load::None;
    let starts = if scope.gravity {
        vec![standard, free]
    } else {
        vec![free]
    };
    let each = starts.iter();
    let probes: Vec<Probe> = each
        .flat_map(|start| STEPS.map(|h| Probe::new(start, h, RUN)))
        .collect();
    let (mut digits, mut apart, mut error): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for (probe, answer) in probes.iter().zip(target.answers(&probes)) {
        let rows = answer.ok()?;
        let wanted = run_scheme(scheme, &Motion::from(probe.clone())).ok()?;
        if rows.len() < wanted.len() {
            return None;
        }
        let size = probe.start.omega.norm().max(1.0);
        let off = |att: &Mat3, omega: &Vec3, from: &RotState| {
            let rate = (omega - from.omega).norm() / size;
            let off = so3::angle_between(att, &from.att).max(rate);
            // A NaN is as far as can be.
            if off.is_nan() { f64::INFINITY } else { off }
        };
        for (k, (row, state)) in rows.iter().zip(&wanted).enumerate() {
            let worst = if k == 0 { &mut digits } else { &mut apart };
            *worst = worst.max(off(&row.att, &row.omega, state));
        }
        for (k, pair) in wanted.windows(2).enumerate() {
            let (t, from) = (probe.time(k), &pair[0]);
            let exact = probe.start.exact(t, probe.step, &from.att, &from.omega);
            error = error.max(off(&exact.0, &exact.1, &pair[1]));
        }
    }
    (digits < PRINTED).then(|| SameSteps {
        apart,
        allowed: LEFT_BY_ITERATIONS.max(BY_FAR * digits),
        error,
    })
}
