//! The turn of a free sphere, which is uniform whatever the rule of the rate: the map by which an increment becomes a turn.

use super::questioner::{self, PseudoRandom, Questioner, SPHERE};
use crate::identification::experiment::{Load, Probe, Row, Start};
use crate::thresholds::{ALL_DIGITS, DOUBLE, MADE, OF_NOISE, ROUNDING, SINGLE_DIGITS};
use strum::VariantArray;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_model::pair::AngleMap;
use topsim_model::turn_slip::TurnSlip;

/// What a sphere shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sphere {
    /// How an increment becomes a turn.
    pub map: Option<AngleMap>,
    /// Formula with a slip by which it becomes one.
    pub slip: Option<TurnSlip>,
    /// h|W| and the relative deviation of the turn from h W.
    pub off: Vec<(f64, f64)>,
    /// Order of that deviation in h; none where the turn is exact.
    pub order: Option<f64>,
}

impl Sphere {
    /// Whether the free sphere's attitude is of first order only.
    pub fn first_order(&self) -> bool {
        self.order.is_some_and(|p| p.round() <= 1.0) && self.off.get(2).is_some_and(|o| o.1 > MADE)
    }

    /// Returns the largest small turn that is off where a larger one is exact, rad, and the part of it that is off.
    pub fn small(&self) -> Option<(f64, f64)> {
        let exact = self.off.iter().position(|o| o.1 <= ALL_DIGITS)?;
        let wrong = self.off[..exact].last().filter(|o| o.1 > SINGLE_DIGITS);
        wrong.copied()
    }
}

/// Turns in a step, rad.
const TURNS: [f64; 7] = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];

/// Asks for seven runs of three steps; the last is looked at, so that no start of a rule of several steps is.
pub(super) fn sphere(bench: &Questioner, noise: f64) -> Sphere {
    let mut chance = PseudoRandom::new(2);
    let (att, direction) = (chance.rotation(), chance.direction());
    let start = Start {
        att,
        omega: direction * SPHERE.rate,
        inertia: questioner::sphere(1.7),
        load: Load::None,
    };
    let probes = TURNS.map(|x| Probe::new(&start, x / SPHERE.rate, SPHERE.steps));
    let rows = bench.ask(&probes);
    let turn = |(x, rows): (&f64, &Vec<Row>)| {
        let (before, end) = (rows.get(SPHERE.steps - 1)?, rows.get(SPHERE.steps)?);
        Some((*x, so3::log(&before.att.tr_mul(&end.att))))
    };
    let turns: Vec<(f64, Vec3)> = TURNS.iter().zip(&rows).filter_map(turn).collect();
    let mut out = Sphere::default();
    map(&mut out, &direction, &turns, noise);
    if out.map.is_none() && turns.len() == TURNS.len() {
        // The attitude before the first step is known exactly.
        let first = TURNS
            .iter()
            .zip(&rows)
            .filter_map(|(x, rows)| Some((*x, rows.get(1)?.att)));
        let first: Vec<(f64, Mat3)> = first.collect();
        let tolerance = DOUBLE.max(OF_NOISE * noise);
        let from = so3::quat_from_matrix(&att);
        out.slip = TurnSlip::all().find(|slip| {
            first.iter().all(|(x, end)| {
                let turned = slip.turned(&from, &start.omega, x / SPHERE.rate);
                so3::angle_between(&so3::matrix_from_quat(&turned), end) <= tolerance * x
            })
        });
    }
    out
}

fn map(out: &mut Sphere, direction: &Vec3, turns: &[(f64, Vec3)], noise: f64) {
    let tolerance = DOUBLE.max(OF_NOISE * noise);
    out.off = turns
        .iter()
        .map(|(x, phi)| (*x, (phi - direction * *x).norm() / x))
        .collect();
    if turns.len() != TURNS.len() {
        return;
    }
    if out.off.iter().any(|o| o.1 > tolerance.max(ROUNDING)) {
        let (a, b) = (out.off[0], out.off[2]);
        out.order = Some((b.1 / a.1).ln() / (b.0 / a.0).ln());
    }
    let aside = |phi: &Vec3| direction.cross(phi).norm();
    if turns
        .iter()
        .any(|(x, phi)| aside(phi) > tolerance.max(ALL_DIGITS) * x)
    {
        return;
    }
    out.map = AngleMap::VARIANTS.iter().copied().find(|m| {
        turns.iter().all(|(x, phi)| {
            m.increment(phi.norm())
                .is_some_and(|y| (y / x - 1.0).abs() < tolerance)
        })
    });
}
