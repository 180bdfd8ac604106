//! The equations of motion read off a history: `J Ẇ = a T + Σ gᵢ eᵢ (J W × W)ᵢ − c J W`, fitted to the
//! changes of the rate between neighbouring rows. Right are a = 1, g = (1, 1, 1), c = 0.
//!
//! The terms are those of the middle of each pair, so that a history of a second-order scheme fits to
//! O(h²), one of a first-order scheme to O(h); the same fit of the exact motion at the same times shows
//! what of the coefficients is due to the rows being apart.

use super::cause::Cause;
use super::common::Motion;
use crate::defect::ModelDefect;
use crate::defect::model::Terms;
use crate::history::{Body, Point};
use nalgebra::{DMatrix, DVector};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Vec3, so3};

/// Coefficients of the fit; `None` where the rows say nothing of one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FittedEquations {
    /// a, of the torque.
    pub torque: Option<f64>,
    /// g, of each row of the gyroscopic term in body axes.
    pub gyroscopic: [Option<f64>; 3],
    /// c, 1/s.
    pub damping: Option<f64>,
    /// Root mean square of what the fit leaves of J Ẇ, relative to that of J Ẇ.
    pub residual: f64,
    /// Pairs of rows.
    pub pairs: usize,
}

/// Rows further apart than this, rad, are left out.
const TURN: f64 = 0.2;
/// Pairs looked at.
const MOST: usize = 600;
/// A term smaller than this part of the largest is none.
const NONE: f64 = 1e-3;

/// The terms of a pair of rows, and J Ẇ between them.
type Line = ([Vec3; 5], Vec3);

/// Fits neighbouring rows; `None` where there are too few.
pub(super) fn fit(points: &[Point], body: &Body) -> Option<FittedEquations> {
    let top = body.top();
    let j = top.inertia();
    let mut lines: Vec<Line> = Vec::new();
    for pair in points.windows(2) {
        let [p, q] = pair else { continue };
        let (Some(w0), Some(w1)) = (p.omega, q.omega) else {
            continue;
        };
        let h = q.t - p.t;
        let turn = so3::log(&p.att.tr_mul(&q.att));
        let mean = (w0 + w1) * 0.5;
        if !(turn.norm() <= TURN && mean.norm() * h <= TURN) || lines.len() == MOST {
            continue;
        }
        let middle = p.att * so3::exp(&(turn * 0.5));
        let gyro = j.times(&mean).cross(&mean);
        let row = |i: usize| {
            let mut v = Vec3::zeros();
            v[i] = gyro[i];
            v
        };
        let torque = top.torque_body(0.5 * (p.t + q.t), &middle);
        let terms = [torque, row(0), row(1), row(2), -j.times(&mean)];
        lines.push((terms, j.times(&(w1 - w0)) / h));
    }
    if lines.len() < 12 {
        return None;
    }
    let size = |f: &dyn Fn(&Line) -> Vec3| {
        lines
            .iter()
            .map(|l| f(l).norm_squared())
            .sum::<f64>()
            .sqrt()
    };
    let sizes: Vec<f64> = (0..5).map(|k| size(&|l| l.0[k])).collect();
    let most = sizes.iter().copied().fold(0.0, f64::max);
    let whole = size(&|l| l.1);
    let used: Vec<usize> = (0..5).filter(|k| sizes[*k] > NONE * most).collect();
    if used.is_empty() || !(whole > 0.0) {
        return None;
    }
    // Columns of unit length: the terms differ by orders of magnitude.
    let entry = |r: usize, c: usize| lines[r / 3].0[used[c]][r % 3] / sizes[used[c]];
    let a = DMatrix::from_fn(3 * lines.len(), used.len(), entry);
    let b = DVector::from_fn(3 * lines.len(), |r, _| lines[r / 3].1[r % 3]);
    let svd = a.clone().svd(true, true);
    // Terms that go together cannot be told apart.
    if svd.singular_values.min() < 1e-3 * svd.singular_values.max() {
        return None;
    }
    let x = svd.solve(&b, 0.0).ok()?;
    let residual = (&a * &x - &b).norm() / whole;
    let at = |k: usize| {
        let c = used.iter().position(|u| *u == k)?;
        Some(x[c] / sizes[k])
    };
    Some(FittedEquations {
        torque: at(0),
        gyroscopic: [at(1), at(2), at(3)],
        damping: at(4),
        residual,
        pairs: lines.len(),
    })
}

/// What the fit may leave, beyond three times what it leaves of the exact motion's own rows, for its
/// coefficients to be believed: a damping that depends on the rate, as an engine has, leaves .013; an element of the
/// inertia off by a tenth .03.
const TRUSTED: f64 = 0.015;
/// Coefficients nearer than this to those of the exact motion's own rows are right.
const RIGHT: f64 = 1e-3;

/// One term that is wrong, where it is the only one.
pub(super) fn cause(
    found: &FittedEquations,
    points: &[Point],
    body: &Body,
    motion: &dyn Fn(&[f64]) -> Option<Motion>,
) -> Option<Cause> {
    let times: Vec<f64> = points.iter().take(2 * MOST).map(|p| p.t).collect();
    let exact = motion(&times)?;
    let states = times.iter().zip(exact.att.iter().zip(&exact.omega));
    let exact: Vec<Point> = states
        .map(|(t, (att, omega))| Point {
            t: *t,
            att: *att,
            rate: Some(*omega),
            omega: Some(*omega),
        })
        .collect();
    let own = fit(&exact, body)?;
    if !(found.residual <= 3.0 * own.residual + TRUSTED) {
        return None;
    }
    let off = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(0.0, |(a, b)| a - b);
    let allowed = RIGHT + 2.0 * (found.residual - own.residual).abs();
    let torque = off(found.torque, own.torque);
    let rows: Vec<f64> = (0..3)
        .map(|i| off(found.gyroscopic[i], own.gyroscopic[i]))
        .collect();
    let damping = off(found.damping, own.damping);
    // In the time of the rows, the part of the rate that is lost.
    let span = times.last()? - times.first()?;
    let pushed = torque.abs() > allowed;
    let gyro = rows.iter().any(|r| r.abs() > allowed);
    let damped = damping.abs() * span > allowed;
    // The fitted defect tells what to do, one of a name of its own what it is.
    let (fitted, defect, name) = match (pushed, gyro, damped) {
        (true, false, false) => {
            let factor = found.torque?;
            (
                ModelDefect::TorqueFactor,
                of_factor(factor, allowed, |t| t.torque.factor()),
                format!("torque multiplied by {factor:.3}"),
            )
        }
        (false, true, false) if rows.iter().all(|r| (r - rows[0]).abs() <= allowed) => {
            let factor = found.gyroscopic[0]?;
            (
                ModelDefect::GyroscopicFactor,
                of_factor(factor, allowed, |t| t.gyroscopic.factor()),
                format!("gyroscopic term multiplied by {factor:.3}"),
            )
        }
        (false, false, true) if damping > 0.0 => (
            ModelDefect::Damping,
            None,
            format!("damping: the rate decays at {damping:.3} per second"),
        ),
        (false, false, true) => (
            ModelDefect::Excitation,
            None,
            format!("the rate grows at {:.3} per second by itself", -damping),
        ),
        _ => return None,
    };
    let evidence = format!(
        "{}, fitted to the changes of the rate in {} pairs of rows; the right motion's own rows give {}",
        words(found),
        found.pairs,
        words(&own)
    );
    Some(Cause::new(defect.unwrap_or(fitted), evidence, fitted.advice()).named(name))
}

/// The model that a factor is, of those that have a name of their own.
fn of_factor(
    factor: f64,
    allowed: f64,
    term: impl Fn(Terms) -> Option<f64>,
) -> Option<ModelDefect> {
    let near = |x: f64| (factor - x).abs() <= allowed;
    ModelDefect::all().find(|d| d.terms().and_then(&term).is_some_and(near))
}

/// The equation with its coefficients.
fn words(f: &FittedEquations) -> String {
    // Adding zero takes the sign from a rounded −0.000.
    let number = |x: Option<f64>| {
        x.map_or("?".into(), |x| {
            format!("{:.3}", (x * 1e3).round() / 1e3 + 0.0)
        })
    };
    let [a, b, c] = f.gyroscopic.map(number);
    format!(
        "J Ẇ = {} T + ({a}, {b}, {c}) J W × W {} {} J W (residual {:.1e})",
        number(f.torque),
        if f.damping.is_some_and(|d| d < 0.0) {
            '+'
        } else {
            '−'
        },
        number(f.damping.map(f64::abs)),
        f.residual
    )
}

impl core::fmt::Display for FittedEquations {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&words(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SolverModel;
    use crate::naive_scheme::{Kind, NaiveScheme, Rule, TorqueAt};
    use topsim_core::models::{Model, Problem, RotState, bodies};
    use topsim_core::schemes::probe;

    fn rows(defect: Option<ModelDefect>, damping: f64) -> (Vec<Point>, Body) {
        let top = bodies::body_a();
        let body = Body::of(&Model::Top(top.into())).unwrap();
        let p = SolverModel::new(body.top(), defect);
        let scheme = NaiveScheme {
            kind: Kind::RungeKutta {
                rule: Rule::Classical,
            },
            torque: TorqueAt::Rule,
        };
        let mut y = p.initial();
        let mut out = Vec::new();
        let h = 0.002;
        for n in 0..300 {
            let RotState { att, omega } = y;
            out.push(Point {
                t: f64::from(n) * h,
                att,
                rate: Some(omega),
                omega: Some(omega),
            });
            probe::advance(&scheme, &p, (f64::from(n) * h, h, 1), &mut y, &|| true).unwrap();
            y.omega *= 1.0 - damping * h;
        }
        (out, body)
    }

    #[track_caller]
    fn near(found: Option<f64>, wanted: f64) {
        assert!(
            found.is_some_and(|x| (x - wanted).abs() < 5e-3),
            "{found:?} {wanted}"
        );
    }

    #[test]
    fn the_coefficients_are_read_off() {
        let (points, body) = rows(None, 0.0);
        let f = fit(&points, &body).unwrap();
        near(f.torque, 1.0);
        f.gyroscopic.iter().for_each(|g| near(*g, 1.0));
        near(f.damping, 0.0);
        assert!(f.residual < 1e-2, "{f:?}");
        let (points, body) = rows(Some(ModelDefect::GyroscopicRow2), 0.1);
        let f = fit(&points, &body).unwrap();
        near(f.gyroscopic[1], -1.0);
        near(f.gyroscopic[0], 1.0);
        near(f.damping, 0.1);
        let (points, body) = rows(Some(ModelDefect::TorqueDoubled), 0.0);
        near(fit(&points, &body).unwrap().torque, 2.0);
    }

    #[test]
    fn too_few_rows_say_nothing() {
        let (points, body) = rows(None, 0.0);
        assert_eq!(fit(&points[..8], &body), None);
    }
}
