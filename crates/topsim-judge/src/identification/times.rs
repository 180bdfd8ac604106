//! First order: at which time a solver takes each term of the equations of motion.
//!
//! The linear term of the local defect is a combination of elementary differentials. With f = f_g + f_T, the
//! accelerations by the gyroscopic term and by the torque, `c + 1/2` is the time, in steps, at which a term is taken:
//! −1/2 is the start of the step, 0 its middle, 1/2 its end, −3/2 a step before it.
//!
//! Source: `docs/science/identification.md`, section 6.

use super::expansion::{Expansion, RateTerms};
use super::experiment::Start;
use crate::thresholds::{EXPLAINED, MOST, SERIES_LEFT};
use nalgebra::{DMatrix, DVector};
use topsim_core::math::{Vec3, so3};

/// A term of the first-order defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Differential {
    /// How the gyroscopic term changes by itself; in W'.
    GyroscopicByGyroscopic,
    /// How it changes by the torque; in W'.
    GyroscopicByTorque,
    /// How the torque changes as the body turns; in W'.
    TorqueByTurn,
    /// The gyroscopic part of the rate in the attitude.
    TurnByGyroscopic,
    /// The torque's part of the rate in the attitude.
    TurnByTorque,
    /// The inertia turned with another attitude than the rate belongs to.
    InertiaTurned,
    /// The length of the momentum put back.
    MomentumRestored,
    /// The energy put back.
    EnergyRestored,
    /// The gyroscopic term seen from an attitude that turned with another rate: W × f_T.
    FrameOfTorque,
    /// The same of the gyroscopic acceleration, W × f_g.
    FrameOfGyroscopic,
    /// The inertia that divides turned with another attitude.
    DivisorTurned,
    /// The torque of another attitude, held in space and not in the body: J⁻¹ (W × T).
    TorqueHeldInSpace,
    /// The momentum in the gyroscopic term at another time than its rate: J⁻¹ (J f × W).
    MomentumInGyroscopic,
}

impl Differential {
    pub const SCHEMES: [Self; 5] = [
        Self::GyroscopicByGyroscopic,
        Self::GyroscopicByTorque,
        Self::TorqueByTurn,
        Self::TurnByGyroscopic,
        Self::TurnByTorque,
    ];
    /// What no scheme should have.
    pub const OTHERS: [Self; 8] = [
        Self::MomentumInGyroscopic,
        Self::TorqueHeldInSpace,
        Self::InertiaTurned,
        Self::MomentumRestored,
        Self::EnergyRestored,
        Self::FrameOfTorque,
        Self::FrameOfGyroscopic,
        Self::DivisorTurned,
    ];

    /// Its value at a state: rate and acceleration.
    pub fn of(self, s: &Start) -> RateTerms {
        let w = s.omega;
        let j = &s.inertia;
        let gyroscopic = |w: &Vec3| j.solve(&j.times(w).cross(w));
        let torque = |att: &_| j.solve(&s.torque(0.0, att));
        const D: f64 = 1e-5;
        let along = |v: Vec3| (gyroscopic(&(w + v * D)) - gyroscopic(&(w - v * D))) / (2.0 * D);
        let (fg, ft) = (gyroscopic(&w), torque(&s.att));
        let mut out = RateTerms::zeros();
        let (row, value) = match self {
            Self::GyroscopicByGyroscopic => (3, along(fg)),
            Self::GyroscopicByTorque => (3, along(ft)),
            Self::TorqueByTurn => {
                let at = |sign: f64| torque(&(s.att * so3::exp(&(w * (sign * D)))));
                (3, (at(1.0) - at(-1.0)) / (2.0 * D))
            }
            Self::TurnByGyroscopic => (0, fg),
            Self::TurnByTorque => (0, ft),
            Self::InertiaTurned => (3, j.solve(&w.cross(&w.cross(&j.times(&w))))),
            Self::MomentumRestored => {
                let l = j.times(&w);
                (
                    3,
                    w * (l.cross(&w).norm_squared() / l.norm_squared().max(1e-300)),
                )
            }
            Self::EnergyRestored => {
                let l = j.times(&w);
                (3, w * (fg.dot(&j.times(&fg)) / l.dot(&w).max(1e-300)))
            }
            Self::FrameOfTorque => (3, w.cross(&ft)),
            Self::TorqueHeldInSpace => (3, j.solve(&w.cross(&s.torque(0.0, &s.att)))),
            Self::MomentumInGyroscopic => (3, j.solve(&j.times(&(fg + ft)).cross(&w))),
            Self::FrameOfGyroscopic => (3, w.cross(&fg)),
            Self::DivisorTurned => {
                let f = fg + ft;
                (3, j.solve(&w.cross(&j.times(&f))) - w.cross(&f))
            }
        };
        out.fixed_rows_mut::<3>(row).copy_from(&value);
        out
    }
}

/// A combination of differentials.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Combination {
    /// The coefficients, those of the schemes first.
    pub terms: Vec<(Differential, f64)>,
    /// Part of the defect that it leaves.
    pub left: f64,
}

impl Combination {
    pub fn coefficient(&self, d: Differential) -> f64 {
        let found = self.terms.iter().find(|t| t.0 == d);
        found.map_or(0.0, |t| t.1)
    }
    /// The first term that no scheme should have.
    pub fn other(&self) -> Option<Differential> {
        let mut terms = self.terms.iter().map(|t| t.0);
        terms.find(|d| Differential::OTHERS.contains(d))
    }
    /// The least of the schemes' coefficients.
    pub fn earliest(&self) -> f64 {
        let scheme = |t: &&(Differential, f64)| Differential::SCHEMES.contains(&t.0);
        let all = self.terms.iter().filter(scheme).map(|t| t.1);
        all.fold(0.0, f64::min)
    }
    /// The largest of the schemes' coefficients.
    pub fn largest(&self) -> f64 {
        let scheme = |t: &&(Differential, f64)| Differential::SCHEMES.contains(&t.0);
        let sizes = self.terms.iter().filter(scheme).map(|t| t.1.abs());
        sizes.fold(0.0, f64::max)
    }
}

/// What a scheme of first order adds to the differences of the equations at these states, for each of its terms.
pub(crate) fn columns<'a>(starts: impl Iterator<Item = &'a Start> + Clone) -> Vec<Vec<f64>> {
    let of = |d: &Differential| -> Vec<f64> {
        let six = starts.clone().map(|s| d.of(s));
        six.flat_map(<[f64; 6]>::from).collect()
    };
    let all = Differential::SCHEMES.iter().map(of);
    // Where no torque acts, its terms are none.
    all.filter(|c| c.iter().any(|x| *x != 0.0)).collect()
}

/// Least squares of vectors on columns: the coefficients, and the part that is left.
pub(crate) fn least_squares(columns: &[Vec<f64>], wanted: &[f64]) -> Option<(Vec<f64>, f64)> {
    let a = DMatrix::from_fn(wanted.len(), columns.len(), |i, k| columns[k][i]);
    let y = DVector::from_column_slice(wanted);
    // Columns of length one: small terms count as much as large ones.
    let norms: Vec<f64> = columns
        .iter()
        .map(|c| c.iter().map(|x| x * x).sum::<f64>().sqrt())
        .collect();
    if norms.iter().any(|n| !(*n > 0.0)) {
        return None;
    }
    let scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / norms[k]);
    let x = scaled.clone().svd(true, true).solve(&y, 1e-10).ok()?;
    let left = (&scaled * &x - &y).norm() / y.norm().max(1e-300);
    Some((x.iter().zip(&norms).map(|(x, n)| x / n).collect(), left))
}

/// Writes one coefficient of an expansion as a combination of differentials; `power` is 0 for a solver with steps of its
/// own, and 1 for one of first order.
pub(crate) fn combination(
    expansion: &Expansion,
    power: usize,
    terms: &[Differential],
) -> Option<Combination> {
    combination_of(expansion, &expansion.power(power), terms)
}

/// The same of any six numbers of each start.
pub(crate) fn combination_of(
    expansion: &Expansion,
    of: &[RateTerms],
    terms: &[Differential],
) -> Option<Combination> {
    let scales = expansion.scales;
    let scale = |x: &RateTerms| -> Vec<f64> {
        (0..6)
            .map(|k| {
                x[k] / if k < 3 {
                    scales.rate
                } else {
                    scales.acceleration
                }
            })
            .collect()
    };
    let wanted: Vec<f64> = of.iter().flat_map(scale).collect();
    let columns: Vec<Vec<f64>> = terms
        .iter()
        .map(|d| {
            let starts = expansion.starts.iter();
            starts
                .flat_map(|s| scale(&d.of(&s.designed.start)))
                .collect()
        })
        .collect();
    let (coefficients, left) = least_squares(&columns, &wanted)?;
    Some(Combination {
        terms: terms.iter().copied().zip(coefficients).collect(),
        left,
    })
}

/// The combination of a scheme of first order: the five times, and what else it takes.
pub(crate) fn first_order(expansion: &Expansion) -> Option<Combination> {
    let mut terms = Differential::SCHEMES.to_vec();
    let mut best = combination(expansion, 1, &terms)?;
    while best.left > EXPLAINED {
        let more = Differential::OTHERS.iter().filter(|d| !terms.contains(d));
        let tried = more.filter_map(|d| {
            let mut with = terms.clone();
            with.push(*d);
            combination(expansion, 1, &with)
        });
        let next = tried.min_by(|a, b| a.left.total_cmp(&b.left))?;
        if next.left > MOST * best.left {
            break;
        }
        terms = next.terms.iter().map(|t| t.0).collect();
        best = next;
    }
    if best.left > EXPLAINED {
        // Of two others the first alone may explain nothing.
        let all = [&Differential::SCHEMES[..], &Differential::OTHERS].concat();
        let whole = combination(expansion, 1, &all)?;
        if whole.left < SERIES_LEFT {
            let scheme = |d: &Differential| Differential::SCHEMES.contains(d);
            let there = |t: &&(Differential, f64)| scheme(&t.0) || t.1.abs() > EXPLAINED;
            let terms: Vec<_> = whole.terms.iter().filter(there).map(|t| t.0).collect();
            best = combination(expansion, 1, &terms)?;
        }
    }
    Some(best)
}
