//! What shows in some places only: limits of the rate, branches of an angle, single precision, a clock that drifts.
//!
//! Source: `identification.md` of the project's notes, section 2.

use super::design::{Random, standard_gravity, standard_inertia};
use super::experiment::{Load, Probe, Row, Start};
use core::f64::consts::PI;
use topsim_core::math::{Vec3, scalar, so3};

/// Rates, rad/s.
const FAST: [f64; 6] = [10.0, 30.0, 60.0, 120.0, 400.0, 1500.0];

fn free(att: topsim_core::math::Mat3, omega: Vec3) -> Start {
    Start {
        att,
        omega,
        inertia: standard_inertia(),
        load: Load::None,
    }
}

/// Fast spins: does a limit cut the rate?
pub(crate) fn fast() -> Vec<Probe> {
    let mut random = Random::new(77);
    FAST.map(|w| {
        let start = free(random.rotation(), random.direction(w));
        Probe::new(&start, (0.05 / w).min(0.002), 4)
    })
    .to_vec()
}

/// The rate above which it is cut off, rad/s.
pub(crate) fn rate_limit(runs: &[(Probe, Vec<Row>)]) -> Option<f64> {
    let ended: Vec<(f64, f64)> = runs
        .iter()
        .filter_map(|(p, rows)| {
            let (_, exact) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
            Some((exact.norm(), rows.get(1)?.omega.norm()))
        })
        .collect();
    let cut: Vec<&(f64, f64)> = ended.iter().filter(|(w, got)| *got < 0.9 * w).collect();
    let limit = cut.first()?.1;
    let same = cut.len() > 1
        && cut
            .iter()
            .all(|(_, got)| (got - limit).abs() <= 0.05 * limit);
    let below = ended
        .iter()
        .all(|(w, got)| *w > 0.98 * limit || (got - w).abs() <= 0.05 * w);
    (same && below).then_some(limit)
}

/// Turns that pass an angle of π, and starts whose quaternion has a negative scalar part: the branches of angles and of
/// signs. The first six cross; the last three begin beyond.
pub(crate) fn branches() -> Vec<Probe> {
    let mut out = Vec::new();
    for k in 0..6 {
        let mut axis = Vec3::zeros();
        axis[k / 2] = if k % 2 == 0 { 1.0 } else { -1.0 };
        let tilted = (axis + Vec3::new(0.18, 0.14, 0.16)).normalize();
        let start = free(so3::exp(&(tilted * 3.05)), tilted * 6.0);
        out.push(Probe::new(&start, 0.004, 12));
    }
    out
}

/// An interval of a run that is off, and by how much, rad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Event {
    pub run: usize,
    pub row: usize,
    pub angle: f64,
}

/// Intervals that are far more off than the others of the same runs.
pub(crate) fn stand_out(runs: &[(Probe, Vec<Row>)]) -> Vec<Event> {
    let mut all = Vec::new();
    for (i, (p, rows)) in runs.iter().enumerate() {
        for (row, pair) in rows.windows(2).enumerate() {
            let t = p.time(row);
            let (att, omega) = p.start.exact(t, p.step, &pair[0].att, &pair[0].omega);
            let angle = so3::angle_between(&att, &pair[1].att);
            let rate = (omega - pair[1].omega).norm() / omega.norm().max(1e-9);
            all.push(Event {
                run: i,
                row,
                angle: angle.max(rate),
            });
        }
    }
    let mut sizes: Vec<f64> = all.iter().map(|e| e.angle).collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    all.retain(|e| !(e.angle <= 1e-3) && !(e.angle <= 100.0 * usual));
    all
}

/// The angle of an attitude, rad.
pub(crate) fn passes_half_turn(p: &Probe, row: usize) -> bool {
    let (a, _) = p
        .start
        .exact(0.0, p.step * row as f64, &p.start.att, &p.start.omega);
    let b = a * so3::exp(&(p.start.omega * p.step));
    let angle = |m| so3::log(&m).norm();
    let turn = so3::log(&a).normalize();
    angle(a) > PI - 0.2 && (turn.dot(&so3::log(&b)) < 0.0 || angle(a) > PI - 0.05)
}

/// A long run at three steps.
pub(crate) fn long() -> Vec<Probe> {
    let mut random = Random::new(5);
    let start = Start {
        att: random.rotation(),
        omega: random.vector(),
        inertia: standard_inertia(),
        load: standard_gravity(),
    };
    [500_usize, 1000, 2000]
        .map(|n| Probe::new(&start, 0.5 / n as f64, n))
        .to_vec()
}

/// What a long run shows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Long {
    /// Errors at the end, rad, coarse to fine.
    pub errors: [f64; 3],
    /// Largest difference of the times written from start + n h, s.
    pub times_off: f64,
}

impl Long {
    /// Whether errors grow as the step falls: the state is kept with few digits.
    pub fn grows(&self) -> bool {
        let [a, b, c] = self.errors;
        b > 1.05 * a && c > 1.05 * b && c > 1e-8 && c < 1e-3
    }
}

/// Measures the long runs.
pub(crate) fn measured(runs: &[(Probe, Vec<Row>)]) -> Option<Long> {
    let mut out = Long::default();
    for (k, (p, rows)) in runs.iter().enumerate() {
        let (mut att, mut omega) = (p.start.att, p.start.omega);
        for n in 0..50 {
            (att, omega) = p.start.exact(0.01 * f64::from(n), 0.01, &att, &omega);
        }
        let last = rows.get(p.steps)?;
        *out.errors.get_mut(k)? = so3::angle_between(&att, &last.att);
        for (n, row) in rows.iter().enumerate() {
            out.times_off = out.times_off.max((row.t - p.time(n)).abs());
        }
    }
    Some(out)
}

/// One tiny step from rest under gravity: J W₁/h is the torque with all digits it has.
pub(crate) fn tiny(starts: &[Start]) -> Vec<Probe> {
    starts.iter().map(|s| Probe::new(s, 2e-5, 1)).collect()
}

/// Whether the torques of tiny steps have the digits of single precision only: their errors are near 1e-7 of them.
pub(crate) fn torque_is_single(runs: &[(Probe, Vec<Row>)]) -> bool {
    let errors: Vec<f64> = runs
        .iter()
        .filter_map(|(p, rows)| {
            let (_, exact) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
            let off = (rows.get(1)?.omega - exact).norm() / exact.norm();
            off.is_finite().then_some(off)
        })
        .collect();
    // One of them may be exact by chance; doubles leave 1e-12, and schemes of first order h².
    let mut sorted = errors;
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    middle > 1e-9 && scalar::log10(middle) < -6.0
}
