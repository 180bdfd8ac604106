//! What shows in some places only: limits of the rate, branches of an angle, single precision, a clock that drifts.
//!
//! Source: `docs/science/identification.md`, section 2.

use super::design::{Random, standard_gravity, standard_inertia};
use super::experiment::{Load, Probe, Row, Start};
use super::law::{Law, Place};
use core::f64::consts::PI;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// Rates, rad/s.
const FAST: [f64; 6] = [10.0, 30.0, 60.0, 120.0, 400.0, 1500.0];

fn free(att: Mat3, omega: Vec3) -> Start {
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

/// Slow rates, rad/s.
const SLOW: [f64; 6] = [0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4];

/// Free bodies that turn slowly, long enough for a solver that waits before it puts a body to sleep.
pub(crate) fn slow() -> Vec<Probe> {
    let mut random = Random::new(31);
    SLOW.map(|w| Probe::new(&free(random.rotation(), random.direction(w)), 0.5, 4))
        .to_vec()
}

/// Whether the rate of a row is zero, which no motion of these problems comes to after its start.
pub(crate) fn rests(rows: &[Row]) -> bool {
    rows.iter().skip(1).any(|row| row.omega == Vec3::zeros())
}

/// The largest slow rate that comes back as zero, rad/s, and the smallest above it that does not, where rows have `digits`.
pub(crate) fn sleep(runs: &[(Probe, Vec<Row>)], digits: f64) -> Option<[f64; 2]> {
    let of = |rest: bool| {
        let which = runs.iter().filter(move |(_, rows)| rests(rows) == rest);
        which.map(|(p, _)| p.start.omega.norm())
    };
    let most = of(true).filter(|w| *w > 1e3 * digits).reduce(f64::max)?;
    // Where all come to rest, the solver does not turn bodies at all.
    let least = of(false).reduce(f64::min)?;
    (least > most).then_some([most, least])
}

/// Where rates are cut off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RateLimit {
    /// rad/s.
    pub most: f64,
    /// Whether each component is cut off by itself.
    pub each: bool,
}

/// The rate above which it is cut off.
pub(crate) fn rate_limit(runs: &[(Probe, Vec<Row>)]) -> Option<RateLimit> {
    let ended: Vec<(Vec3, Vec3)> = runs
        .iter()
        .filter_map(|(p, rows)| {
            let (_, exact) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
            Some((exact, rows.get(1)?.omega))
        })
        .collect();
    let limit = |size: fn(&Vec3) -> f64, cut: &dyn Fn(&Vec3, f64) -> Vec3| {
        let lost = ended.iter().filter(|(w, got)| size(got) < 0.9 * size(w));
        let sizes: Vec<f64> = lost.map(|(_, got)| size(got)).collect();
        let most = *sizes.first()?;
        let follows = |(w, got): &(Vec3, Vec3)| (cut(w, most) - got).norm() <= 0.05 * got.norm();
        (sizes.len() > 1 && most > 0.0 && ended.iter().all(follows)).then_some(most)
    };
    let whole = limit(Vec3::norm, &|w, c| w * (c / w.norm()).min(1.0));
    let each = || limit(Vec3::amax, &|w, c| w.map(|x| x.clamp(-c, c)));
    let of = |each: bool| move |most: f64| RateLimit { most, each };
    whole.map(of(false)).or_else(|| each().map(of(true)))
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

/// The largest error of an interval in which the angle passes π, rad, where it stands out of the same run's others.
pub(crate) fn lost_at_half_turn(runs: &[(Probe, Vec<Row>)]) -> Option<f64> {
    let mut largest: Option<f64> = None;
    for (p, rows) in runs {
        let (mut at, mut others) = (0.0_f64, 0.0_f64);
        // Bodies that run away say nothing of their angle.
        let fast = 10.0 * p.start.omega.norm();
        let follows = |pair: &&[Row]| pair.iter().all(|row| row.omega.norm() < fast);
        for (n, pair) in rows.windows(2).take_while(follows).enumerate() {
            let (att, omega) = p
                .start
                .exact(p.time(n), p.step, &pair[0].att, &pair[0].omega);
            let angle = so3::angle_between(&att, &pair[1].att);
            let rate = (omega - pair[1].omega).norm() / omega.norm().max(1e-9);
            let (before, after) = (so3::log(&pair[0].att), so3::log(&att));
            let passes = before.dot(&after) < 0.0 && before.norm() > 2.0;
            // What is lost there may show a row later.
            let near = passes || before.norm() > PI - 0.04;
            let size = if near { &mut at } else { &mut others };
            *size = size.max(angle.max(rate));
        }
        if at > LOST.max(STANDS_OUT * others) {
            largest = Some(largest.map_or(at, |x| x.max(at)));
        }
    }
    largest
}

/// Smaller errors are an error control's, rad.
const LOST: f64 = 1e-3;
const STANDS_OUT: f64 = 20.0;

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

/// Where a law carries a probe to, by the classical rule.
pub(crate) fn carried(law: &Law, p: &Probe) -> (Mat3, Vec3) {
    const STEPS: usize = 250;
    let h = p.step * p.steps as f64 / STEPS as f64;
    let (mut att, mut w) = (p.start.att, p.start.omega);
    for n in 0..STEPS {
        let from = p.from + h * n as f64;
        // In the turn since the step's start: two terms of the tangent's inverse are of the rule's order.
        let slope = |d: f64, turn: Vec3, w: Vec3| {
            let at = Start {
                att: att * so3::exp(&turn),
                omega: w,
                inertia: p.start.inertia.clone(),
                load: p.start.load.clone(),
            };
            let (u, a) = law.slopes(&Place::new(at, from + d, true));
            let c = turn.cross(&u);
            (u + c * 0.5 + turn.cross(&c) / 12.0, a)
        };
        let zero = Vec3::zeros();
        let k1 = slope(0.0, zero, w);
        let k2 = slope(0.5 * h, k1.0 * (0.5 * h), w + k1.1 * (0.5 * h));
        let k3 = slope(0.5 * h, k2.0 * (0.5 * h), w + k2.1 * (0.5 * h));
        let k4 = slope(h, k3.0 * h, w + k3.1 * h);
        let turn = (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (h / 6.0);
        w += (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (h / 6.0);
        att *= so3::exp(&turn);
    }
    (att, w)
}

/// Tiny steps under gravity, from rest and from a moving start: J (W₁ − W₀)/h is the torque with all digits it has.
pub(crate) fn tiny(starts: &[Start]) -> Vec<Probe> {
    let mut random = Random::new(41);
    let rest = starts.iter().map(|s| Probe::new(s, 2e-5, 1));
    let moving = starts.iter().map(|s| {
        let mut start = s.clone();
        start.omega = random.direction(1.0);
        Probe::new(&start, 5e-6, 1)
    });
    rest.chain(moving).collect()
}

/// Whether the torques of tiny steps have the digits of single precision only: their errors are near 1e-7 of them. A
/// scheme that puts the energy back loses digits in steps from rest, and none in those from a moving start.
pub(crate) fn torque_is_single(runs: &[(Probe, Vec<Row>)]) -> bool {
    // What is off, as a vector, in parts of the change of the rate, and the change's direction.
    let off = |moving: bool| -> Vec<(Vec3, Vec3)> {
        let of = runs
            .iter()
            .filter(|(p, _)| (p.start.omega != Vec3::zeros()) == moving);
        of.filter_map(|(p, rows)| {
            let (_, exact) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
            let change = exact - p.start.omega;
            let off = (rows.get(1)?.omega - exact) / change.norm();
            (off.iter().all(|x| x.is_finite())).then(|| (off, change.normalize()))
        })
        .collect()
    };
    let middle = |all: &[(Vec3, Vec3)]| {
        let mut sizes: Vec<f64> = all.iter().map(|(off, _)| off.norm()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
    };
    let resting = off(false);
    // The same factor everywhere is a wrong number, not rounding.
    let factor = resting.first().map_or(0.0, |(off, along)| off.dot(along));
    let same = |(off, along): &(Vec3, Vec3)| (off - along * factor).norm() < 0.1 * factor.abs();
    if resting.iter().all(same) {
        return false;
    }
    // One of them may be exact by chance; doubles leave 1e-12, and schemes of first order h² from rest.
    let rest = middle(&resting);
    rest > 1e-9 && scalar::log10(rest) < -6.0 && middle(&off(true)) > 1e-9
}
