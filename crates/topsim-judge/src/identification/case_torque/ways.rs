//! Torques that a solver may have for the one of its case, term by term.

use super::super::experiment::{Load, Start};
use super::super::row_symptoms::TorqueForm;
use super::last_step::{LastStep, gave, mean};
use crate::identification::text::digits::sure;
use crate::thresholds::{EXPLAINED, FEW_TIMES, OTHER_FACTOR};
use core::f64::consts::PI;
use nalgebra::{DMatrix, DVector};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{Torque, TorqueModel, TorqueTable};

/// A torque in the body frame at a time, an attitude and a rate, N m.
type Term = Box<dyn Fn(f64, &Mat3, &Vec3) -> Vec3>;

/// A torque that a solver may have for the one of the case.
pub(super) struct Way {
    terms: Vec<Term>,
    /// Whether its first factor must be 1, to 2 %.
    as_it_is: bool,
    pub form: TorqueForm,
}

impl Way {
    /// The factors of the terms with which they are what acts, NaN of terms that the case does not have, and the part that
    /// they leave, which is below `limit`.
    pub fn fitted(&self, seen: &[LastStep], limit: f64) -> Option<(Vec<f64>, f64)> {
        let column = |term: &Term| {
            let of = |s: &LastStep| {
                let from = match self.form {
                    TorqueForm::SinceStart => s.from,
                    _ => 0.0,
                };
                mean(s, |t, att, w| {
                    s.start.inertia.solve(&term(t - from, att, w))
                })
            };
            let all: Vec<f64> = seen.iter().flat_map(|s| <[f64; 3]>::from(of(s))).collect();
            DVector::from_vec(all)
        };
        let acts: Vec<f64> = seen
            .iter()
            .flat_map(|s| <[f64; 3]>::from(gave(s)))
            .collect();
        let acts = DVector::from_vec(acts);
        let columns: Vec<DVector<f64>> = self.terms.iter().map(column).collect();
        // A term that is not there has no factor.
        let there = |c: &DVector<f64>| c.norm() > OTHER_FACTOR * acts.norm();
        let own: Vec<DVector<f64>> = columns.iter().filter(|c| there(c)).cloned().collect();
        if own.is_empty() {
            return None;
        }
        let matrix = DMatrix::from_columns(&own);
        let fit = matrix.clone().svd(true, true).solve(&acts, 1e-6).ok()?;
        let left = (acts.clone() - &matrix * &fit).norm() / acts.norm();
        // Of each the digits that what is left allows.
        let inverse = (matrix.transpose() * &matrix).try_inverse()?;
        let error = |k: usize| FEW_TIMES * left * acts.norm() * inverse[(k, k)].sqrt();
        let mut rest = (0..own.len()).map(|k| {
            let counts = (fit[k] * own[k].norm()).abs() > OTHER_FACTOR * acts.norm();
            if counts { sure(fit[k], error(k)) } else { 0.0 }
        });
        let factors = columns.iter().map(|c| match there(c) {
            true => rest.next().unwrap_or(f64::NAN),
            false => f64::NAN,
        });
        let factors: Vec<f64> = factors.collect();
        let as_it_is = !self.as_it_is
            || factors.iter().all(|f| f.abs() > 0.0) && (factors[0] - 1.0).abs() < EXPLAINED;
        (left < limit && as_it_is).then_some((factors, left))
    }
}

/// Ways to have another torque than this one, the plainest first.
pub(super) fn ways(start: &Start, h: f64) -> Vec<Way> {
    // For derivatives with respect to time.
    let d = 1e-3 * h;
    let top = start.top();
    let (torque, inertia) = (top.torque().clone(), start.inertia.clone());
    let whole = {
        let start = start.clone();
        move |t: f64, att: &Mat3, w: &Vec3| {
            let start = Start {
                omega: *w,
                ..start.clone()
            };
            start.torque(t, att)
        }
    };
    let mut out = Vec::new();
    let mut add = |terms: Vec<Term>, form: TorqueForm| {
        out.push(Way {
            terms,
            as_it_is: false,
            form,
        });
    };
    match torque {
        TorqueModel::Damping(_) => {
            let j = inertia.clone();
            let momentum = move |w: &Vec3| j.times(w);
            let diagonal: Vec3 = inertia.tensor().diagonal();
            let of = move |kind: usize, w: &Vec3| match kind {
                0 => momentum(w),
                1 => *w,
                _ => diagonal.component_mul(w),
            };
            // One vector, or that and the same times a size.
            for vector in 0..3 {
                let of1 = of.clone();
                let linear: Term = Box::new(move |_, _, w| of1(vector, w));
                add(vec![linear], TorqueForm::Linear(vector));
            }
            for vector in 0..3 {
                for size in 0..3 {
                    let (of1, of2) = (of.clone(), of.clone());
                    let linear: Term = Box::new(move |_, _, w| of1(vector, w));
                    let quadratic: Term =
                        Box::new(move |_, _, w| of2(vector, w) * of2(size, w).norm());
                    add(vec![linear, quadratic], TorqueForm::Quadratic(vector, size));
                }
            }
        }
        rotor @ (TorqueModel::Gyrostat(_) | TorqueModel::Wheels(_)) => {
            let h = move |t: f64| rotor.whole_momentum(t, Vec3::zeros());
            let slope = {
                let h = h.clone();
                move |t: f64| (h(t + d) - h(t - d)) / (2.0 * d)
            };
            // The momentum and its change, in the body or in space.
            for [momentum, change] in [[false, false], [true, true], [true, false]] {
                let turned = |in_space: bool| {
                    move |att: &Mat3, v: Vec3| if in_space { att.tr_mul(&v) } else { v }
                };
                let (of_h, of_change) = (turned(momentum), turned(change));
                let (h1, d1, d2, at) = (h.clone(), slope.clone(), slope.clone(), whole.clone());
                let cross: Term = Box::new(move |t, att, w| of_h(att, h1(t)).cross(w));
                let motor: Term = Box::new(move |t, att, _| -of_change(att, d1(t)));
                let weight: Term = Box::new(move |t, att, _| at(t, att, &Vec3::zeros()) + d2(t));
                add(
                    [cross, motor, weight].into(),
                    TorqueForm::Rotor([momentum, change]),
                );
            }
        }
        _ => {}
    }
    let (at, moved) = (whole.clone(), whole.clone());
    let as_given: Term = Box::new(move |t, att, w| at(t, att, w));
    let slope: Term =
        Box::new(move |t, att, w| (moved(t + d, att, w) - moved(t - d, att, w)) / (2.0 * d));
    out.push(Way {
        terms: vec![as_given, slope],
        as_it_is: true,
        form: TorqueForm::Later,
    });
    let [at, since] = [whole.clone(), whole.clone()];
    let since: Term = Box::new(since);
    let backwards: Term = Box::new(move |t, att, w| at(-t, att, w));
    let frozen: Term = Box::new(move |_, att, w| whole(0.0, att, w));
    for (term, form) in [
        (backwards, TorqueForm::Backwards),
        (frozen, TorqueForm::Frozen),
        (since, TorqueForm::SinceStart),
    ]
    .into_iter()
    .chain(in_other_units(start, top.torque()))
    {
        out.push(Way {
            terms: vec![term],
            as_it_is: true,
            form,
        });
    }
    out
}

/// Keys of angles and of angular frequencies in the table of a torque, with what they are called.
const ANGLES: [(&[&str], &str); 4] = [
    (&["phases"], "phases"),
    (&["rates"], "angular frequencies"),
    (&["rate"], "angular frequency"),
    (&["rates", "phases"], "angular frequencies and phases"),
];

/// Returns a torque with angles or angular frequencies in another unit than radians.
fn in_other_units(start: &Start, torque: &TorqueModel) -> Vec<(Term, TorqueForm)> {
    let Ok(serde_json::Value::Object(mut table)) = serde_json::to_value(torque) else {
        return Vec::new();
    };
    // A file has no formula.
    table.remove("formula");
    let (degree, turn) = (PI / 180.0, 2.0 * PI);
    let factors = [degree, 1.0 / degree, turn, 1.0 / turn];
    let units = ANGLES
        .into_iter()
        .flat_map(|unit| factors.map(|factor| (unit, factor)));
    let other = |((keys, numbers), factor): ((&[&str], &'static str), f64)| {
        let mut table = table.clone();
        for key in keys {
            multiply(table.get_mut(*key)?, factor);
        }
        let table: TorqueTable = serde_json::from_value(table.into()).ok()?;
        let load = Load::Other(table.torque().ok()?);
        let start = Start {
            load,
            ..start.clone()
        };
        let term: Term = Box::new(move |t, att, w| start.torque_at(t, att, w));
        Some((term, TorqueForm::OtherUnit { numbers, factor }))
    };
    units.filter_map(other).collect()
}

/// Multiplies a number, or all numbers of a list.
fn multiply(value: &mut serde_json::Value, factor: f64) {
    if let Some(all) = value.as_array_mut() {
        all.iter_mut().for_each(|x| multiply(x, factor));
    } else if let Some(x) = value.as_f64() {
        *value = (x * factor).into();
    }
}
