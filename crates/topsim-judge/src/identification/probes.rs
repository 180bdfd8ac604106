//! What shows in some places only: limits of the rate, branches of an angle, single precision, a clock that drifts.
//!
//! Source: `docs/science/identification.md`, section 2.

use super::design::{sphere, standard_gravity, standard_inertia};
use super::experiment::{Load, Probe, Row, Start};
use super::law::{Law, Place};
use crate::thresholds::*;
use core::f64::consts::{FRAC_PI_2, PI};
use std::collections::BTreeSet;
use topsim_core::math::Random;
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::models::Inertia;

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
const SLOW: [f64; 8] = [3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4];

/// Free bodies that turn slowly, for 4 s: engines wait for up to 2 s before they put a body to sleep.
pub(crate) fn slow() -> Vec<Probe> {
    let mut random = Random::new(31);
    SLOW.map(|w| Probe::new(&free(random.rotation(), random.direction(w)), 0.1, 40))
        .to_vec()
}

/// Whether the rate of a row is zero, which no motion of these problems comes to after its start.
pub(crate) fn rests(rows: &[Row]) -> bool {
    rows.iter().skip(1).any(|row| row.omega == Vec3::zeros())
}

/// Slow bodies that are stopped, or slowed by one factor whatever their rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slowed {
    /// The largest rate of these, and the smallest above it that is kept, rad/s.
    pub rates: [f64; 2],
    /// Part of the momentum that is left after a run; zero where they come to rest.
    pub keeps: f64,
    /// True if components become zero, and others do not.
    pub components: bool,
}

/// Returns what becomes of slow bodies, where rows have `digits`, if faster ones go on.
pub(crate) fn slowed(runs: &[(Probe, Vec<Row>)], digits: f64) -> Option<Slowed> {
    let kept = |(p, rows): &(Probe, Vec<Row>)| {
        let momentum = |omega: &Vec3| p.start.inertia.times(omega).norm();
        let left = rows.last().map_or(0.0, |row| momentum(&row.omega));
        let part = if rests(rows) {
            0.0
        } else {
            left / momentum(&p.start.omega)
        };
        (p.start.omega.norm(), part)
    };
    let all = runs.iter().map(kept);
    let mut all: Vec<(f64, f64)> = all.filter(|(w, _)| *w > BEYOND_DIGITS * digits).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (_, keeps) = *all.first()?;
    // Where all are alike, the solver damps them, or does not turn bodies at all.
    let first = all.iter().position(|x| (x.1 - keeps).abs() > NEGLIGIBLE)?;
    let (slow, [(least, next), ..]) = all.split_at(first) else {
        return None;
    };
    // A scheme's own gain may cover what damping takes: at the next rate it is some ten times that of these, which are alike.
    let kept = *next >= 1.0 - NEGLIGIBLE && keeps < 1.0 - TENTH;
    let told = keeps == 0.0 || slow.len() > 1 && kept;
    let rates = [slow.last()?.0, *least];
    let in_part = |row: &Row| row.omega != Vec3::zeros() && row.omega.iter().any(|x| *x == 0.0);
    // With few digits small components are written as zeros.
    let components = digits < ALL_DIGITS
        && runs
            .iter()
            .any(|(_, rows)| rows.iter().skip(1).any(in_part));
    told.then_some(Slowed {
        rates,
        keeps,
        components,
    })
}

/// Returns the largest slow rate without a gyroscopic term, rad/s, and the smallest above it that has one, where rows have `digits`.
pub(crate) fn slow_gyroscopic(runs: &[(Probe, Vec<Row>)], digits: f64) -> Option<[f64; 2]> {
    let part = |(p, rows): &(Probe, Vec<Row>)| {
        let (_, omega) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
        let (expected, made) = (omega - p.start.omega, rows.get(1)?.omega - p.start.omega);
        // A body that does not turn keeps its rate with the term, too.
        let turn = so3::angle_between(&p.start.att, &rows.get(1)?.att);
        let turns = turn > HALF * p.step * p.start.omega.norm();
        let told = turns && expected.norm() > BY_FAR * digits * omega.norm();
        told.then(|| (omega.norm(), expected.dot(&made) / expected.norm_squared()))
    };
    let parts: Vec<(f64, f64)> = runs.iter().filter_map(part).collect();
    let rates = |least: f64, most: f64| {
        let within = parts
            .iter()
            .filter(move |(_, x)| (least..=most).contains(x));
        within.map(|(rate, _)| *rate)
    };
    let (missing, there) = (|| rates(-NEGLIGIBLE, NEGLIGIBLE), || rates(0.5, 1.5));
    let most = missing().reduce(f64::max)?;
    let least = there().reduce(f64::min)?;
    let all = missing().count() + there().count() == parts.len();
    (all && missing().count() > 1 && most < least).then_some([most, least])
}

/// Returns the times between which all slow bodies stop for good, whatever their rates, s.
pub(crate) fn stops(runs: &[(Probe, Vec<Row>)]) -> Option<[f64; 2]> {
    let stands = |pair: &[Row]| pair[0].att == pair[1].att && pair[0].omega == pair[1].omega;
    let last = |(p, rows): &(Probe, Vec<Row>)| {
        let moved = rows.windows(2).rposition(|pair| !stands(pair))?;
        // The last row that differs from the one before it, and rows that stand after it.
        (moved + 2 < rows.len()).then(|| [p.time(moved), p.time(moved + 1)])
    };
    let first = last(runs.first()?)?;
    let alike = runs.iter().all(|run| last(run) == Some(first));
    (runs.len() >= FEWEST_ROWS && first[0] > 0.0 && alike).then_some(first)
}

/// Returns the angle of which the turns of all steps are whole numbers, rad.
pub(crate) fn turn_unit<'a>(all: impl Iterator<Item = &'a [Row]>) -> Option<f64> {
    let turn = |pair: &[Row]| so3::angle_between(&pair[0].att, &pair[1].att);
    let turns: Vec<f64> = all.flat_map(|rows| rows.windows(2).map(turn)).collect();
    // Angles of nothing are those of a rounding of the cosine.
    let made = || {
        turns
            .iter()
            .copied()
            .filter(|x| *x > AMPLIFIED && *x < FRAC_PI_2)
    };
    let least = made().reduce(f64::min)?;
    let whole = |x: f64| (x / least).round();
    // A mean over all of them has less of the rounding of the least.
    let sums = made().fold([0.0; 2], |[a, b], x| [a + x, b + whole(x)]);
    let unit = sums[0] / sums[1];
    let is_whole = |x: f64| (x - (x / unit).round() * unit).abs() <= AMPLIFIED;
    let numbers: BTreeSet<u64> = made().map(|x| whole(x) as u64).collect();
    let told = unit > BY_FAR * AMPLIFIED && numbers.len() >= FEWEST_ROWS;
    (told && made().all(is_whole)).then_some(unit)
}

/// Where rates are cut off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RateLimit {
    /// rad/s.
    pub most: f64,
    /// Whether each component is cut off by itself.
    pub each: bool,
    /// Whether these are the components in space.
    pub in_space: bool,
}

/// The rate above which it is cut off.
pub(crate) fn rate_limit(runs: &[(Probe, Vec<Row>)]) -> Option<RateLimit> {
    let ends = |in_space: bool| -> Vec<(Vec3, Vec3)> {
        let of = |(p, rows): &(Probe, Vec<Row>)| {
            let (att, exact) = p.start.exact(0.0, p.step, &p.start.att, &p.start.omega);
            let row = rows.get(1)?;
            Some(match in_space {
                true => (att * exact, row.att * row.omega),
                false => (exact, row.omega),
            })
        };
        runs.iter().filter_map(of).collect()
    };
    let limit = |in_space: bool, size: fn(&Vec3) -> f64, cut: &dyn Fn(&Vec3, f64) -> Vec3| {
        let ended = ends(in_space);
        let lost = ended.iter().filter(|(w, got)| size(got) < WHOLE * size(w));
        let sizes: Vec<f64> = lost.map(|(_, got)| size(got)).collect();
        let most = *sizes.first()?;
        let follows =
            |(w, got): &(Vec3, Vec3)| (cut(w, most) - got).norm() <= FIRST_ORDER * got.norm();
        (sizes.len() > 1 && most > 0.0 && ended.iter().all(follows)).then_some(most)
    };
    let whole = limit(false, Vec3::norm, &|w, c| w * (c / w.norm()).min(1.0));
    let each = |in_space| limit(in_space, Vec3::amax, &|w, c| w.map(|x| x.clamp(-c, c)));
    let of = |each: bool, in_space: bool| {
        move |most: f64| RateLimit {
            most,
            each,
            in_space,
        }
    };
    let each = [false, true]
        .into_iter()
        .find_map(|in_space| each(in_space).map(of(true, in_space)));
    whole.map(of(false, false)).or(each)
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
            let rate = (omega - pair[1].omega).norm() / omega.norm().max(ROUNDING);
            let (before, after) = (so3::log(&pair[0].att), so3::log(&att));
            let passes = before.dot(&after) < 0.0 && before.norm() > LARGEST_TURN;
            // What is lost there may show a row later.
            let near = passes || before.norm() > (1.0 - HUNDREDTH) * PI;
            let size = if near { &mut at } else { &mut others };
            *size = size.max(angle.max(rate));
        }
        if at > FLOOR.max(CLEARLY * others) {
            largest = Some(largest.map_or(at, |x| x.max(at)));
        }
    }
    largest
}

/// Time of the long runs, s.
const LONG: f64 = 0.5;
/// Numbers of steps of the long runs.
const LONG_RUNS: [usize; 7] = [20, 50, 100, 250, 500, 1000, 2000];

/// A long run at several steps, of a body under gravity or a free one.
pub(crate) fn long(gravity: bool) -> Vec<Probe> {
    let mut random = Random::new(5);
    let start = Start {
        att: random.rotation(),
        omega: random.vector(),
        inertia: standard_inertia(),
        load: if gravity {
            standard_gravity()
        } else {
            Load::None
        },
    };
    LONG_RUNS
        .map(|n| Probe::new(&start, LONG / n as f64, n))
        .to_vec()
}

/// Errors that grow below some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growing {
    /// The step at which they are least, s, and the shortest one.
    pub steps: [f64; 2],
    /// Errors at both after half a second, rad.
    pub errors: [f64; 2],
}

/// Returns the attitude and the rate with which the exact motion ends a long run.
fn exact_end(start: &Start) -> (Mat3, Vec3) {
    const PARTS: i32 = 50;
    let h = LONG / f64::from(PARTS);
    (0..PARTS).fold((start.att, start.omega), |(att, omega), n| {
        start.exact(h * f64::from(n), h, &att, &omega)
    })
}

/// Returns true if the errors of the finest long runs stay as the step falls.
pub(super) fn stays(runs: &[(Probe, Vec<Row>)]) -> bool {
    let errors = end_errors(runs);
    let [.., (_, coarse), _, (_, fine)] = errors[..] else {
        return false;
    };
    let largest = |[turn, rate]: [f64; 2]| turn.max(rate);
    largest(fine) > DEFECT.max(HALF * largest(coarse))
}

/// Returns the steps of the long runs, s, with the errors of their last attitudes, rad, and of the last rates, relative.
fn end_errors(runs: &[(Probe, Vec<Row>)]) -> Vec<(f64, [f64; 2])> {
    let Some((p, _)) = runs.first() else {
        return Vec::new();
    };
    let (att, omega) = exact_end(&p.start);
    let error = |(p, rows): &(Probe, Vec<Row>)| {
        let last = rows.get(p.steps)?;
        let rate = (last.omega - omega).norm() / omega.norm();
        Some((p.step, [so3::angle_between(&att, &last.att), rate]))
    };
    runs.iter().filter_map(error).collect()
}

/// Returns true if the attitudes of the long runs come to those of the right equations as the step falls, where the acceleration is
/// said to be off by `size`, relative, and the rates do not, or are far worse.
pub(crate) fn attitudes_alone_follow(runs: &[(Probe, Vec<Row>)], size: f64) -> bool {
    let [.., (_, [coarse, _]), (_, [fine, rate])] = end_errors(runs)[..] else {
        return false;
    };
    if rate <= HUNDREDTH && rate <= BY_FAR * fine {
        return false;
    }
    // Errors of first order are twice as large at the coarser of the two steps.
    let limit = (2.0 * fine - coarse).abs().min(fine);
    let moved = size * LONG * LONG;
    limit <= HUNDREDTH * moved && (coarse > SAME_SIZE * fine || fine < ADDED_ROUNDING)
}

/// Returns the step below which errors of the long runs grow, if they do.
pub(crate) fn growing(runs: &[(Probe, Vec<Row>)]) -> Option<Growing> {
    let all: Vec<(f64, f64)> = end_errors(runs).iter().map(|(h, e)| (*h, e[0])).collect();
    let (step, least) = *all.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (shortest, last) = *all.last()?;
    let grows = last > ADDED_ROUNDING && last < NEAR && last > FEW_TIMES * least;
    grows.then_some(Growing {
        steps: [step, shortest],
        errors: [least, last],
    })
}

/// Steps of the free sphere.
const SPINNING: usize = 1000;
/// The sphere turns by less than half a radian in a step, s; an error of the rule falls from one step to the other.
const SPINNING_STEPS: [f64; 2] = [0.01, 0.0025];

/// A free sphere that turns for many steps: its rate stays.
pub(crate) fn spinning() -> Vec<Probe> {
    let mut random = Random::new(61);
    let mut start = free(random.rotation(), random.direction(1.6));
    start.inertia = sphere();
    SPINNING_STEPS
        .map(|h| Probe::new(&start, h, SPINNING))
        .to_vec()
}

/// Step of the runs of which the ends alone are asked for, s, and their number of steps.
const ENDS: (f64, usize) = (0.05, 12);

/// The same run twice: with all its rows, and with its ends alone; and the finest long run with its ends alone.
pub(crate) fn ends(gravity: bool) -> Vec<Probe> {
    let mut random = Random::new(29);
    let start = free(random.rotation(), random.direction(1.4));
    let short = [false, true].map(|ends| Probe {
        ends,
        ..Probe::new(&start, ENDS.0, ENDS.1)
    });
    let finest = long(gravity).pop().map(|p| Probe { ends: true, ..p });
    short.into_iter().chain(finest).collect()
}

/// Returns how far apart the ends of a run are with all its rows and with its ends alone, relative to the turn and to the rate, and
/// the number of its steps: a few, which do not have the floor `at` of one step, or many, whose rows are written with `digits`.
pub(crate) fn rows_matter(
    runs: &[(Probe, Vec<Row>)],
    finest: Option<&(Probe, Vec<Row>)>,
    (at, digits): (f64, f64),
) -> Option<(f64, usize)> {
    let [few, few_ends, many_ends] = runs else {
        return None;
    };
    let apart = |(p, all): &(Probe, Vec<Row>), (_, ends): &(Probe, Vec<Row>)| {
        let [a, b] = [all.get(p.steps)?, ends.get(1)?];
        let rate = p.start.omega.norm();
        let turn = rate * p.step * p.steps as f64;
        let turned = so3::angle_between(&a.att, &b.att) / turn;
        Some((turned.max((a.omega - b.omega).norm() / rate), p.steps))
    };
    // A tolerance of the solver's own, with which it goes from row to row, leaves less.
    let of_few = |(size, steps): &(f64, usize)| *size > DEFECT.max(FEW_TIMES * *steps as f64 * at);
    let found = apart(few, few_ends).filter(of_few);
    found.or_else(|| {
        let many = finest?;
        let (exact, _) = exact_end(&many_ends.0.start);
        let off = |rows: &[Row]| Some(so3::angle_between(&exact, &rows.last()?.att));
        // Where rows end steps that are the solver's own, it comes nearer with them.
        let worse = off(&many.1)? > FEW_TIMES * off(&many_ends.1)?;
        apart(many, many_ends).filter(|(size, _)| worse && *size > DEFECT.max(FEW_TIMES * digits))
    })
}

/// Step of the bodies that are posed again, s.
const AGAIN_STEP: f64 = 0.05;
/// Time at which one is posed again, s: nothing of a free body depends on it, and no answer that is kept is taken for it.
const AGAIN: f64 = 1.0 / 1_048_576.0;

/// Inertia of the first body of all, that of no other: what is left of it shows in all others.
pub(crate) fn first_inertia() -> Mat3 {
    Mat3::new(1.9, 0.2, -0.1, 0.2, 1.3, 0.3, -0.1, 0.3, 2.4)
}

/// A free body of an inertia of its own, one to compare with, another one that turns faster, and the one before that three times.
pub(crate) fn again() -> Vec<Probe> {
    let mut random = Random::new(83);
    let start = free(random.rotation(), random.direction(1.3));
    let other = free(random.rotation(), random.direction(4.0));
    let first = Start {
        inertia: Inertia::new(first_inertia()).expect("the tensor is positive definite"),
        ..other.clone()
    };
    let probe = |s: &Start, times: f64| Probe {
        from: AGAIN * times,
        ..Probe::new(s, AGAIN_STEP, 4)
    };
    let again = [1.0, 2.0, 3.0].map(|times| probe(&start, times));
    [first, start.clone(), other]
        .iter()
        .map(|s| probe(s, 0.0))
        .chain(again)
        .collect()
}

/// Finding of a body that is posed again.
pub(crate) enum PosedAgain {
    /// Its rows differ where another problem is solved before it, by this much, relative to the turn of a step.
    Remembers(f64),
    /// All of its rows differ though the same problem is solved before it.
    Scatters(f64),
}

/// Returns how the rows of a body differ that is posed again; none where they are the same.
pub(crate) fn posed_again(runs: &[(Probe, Vec<Row>)], written: f64) -> Option<PosedAgain> {
    let [.., (p, first), _, (_, second), (_, third), (_, last)] = runs else {
        return None;
    };
    let turn = p.start.omega.norm() * p.step;
    let rate = p.start.omega.norm();
    let apart = |(a, b): (&Row, &Row)| {
        (so3::angle_between(&a.att, &b.att) / turn).max((a.omega - b.omega).norm() / rate)
    };
    let least = DEFECT.max(BY_FAR * written);
    let all_differ = third
        .iter()
        .zip(last)
        .skip(1)
        .all(|pair| apart(pair) > least);
    // What is left of another problem makes one difference in the first step, which then turns with the body.
    let off: Vec<Vec3> = third
        .iter()
        .zip(last)
        .map(|(a, b)| a.omega - b.omega)
        .collect();
    let each_step = off
        .windows(2)
        .skip(1)
        .any(|d| (d[1] - d[0]).norm() > UNLIKE * d[0].norm().max(d[1].norm()));
    let size = |a: &[Row], b: &[Row]| a.iter().zip(b).map(apart).fold(0.0, f64::max);
    match (size(third, last), size(first, second)) {
        (scatter, _) if all_differ && each_step => Some(PosedAgain::Scatters(scatter)),
        (_, left) if left > least => Some(PosedAgain::Remembers(left)),
        _ => None,
    }
}

/// Returns the part of its rate that a free sphere gains in a step, if it is no random walk and no error of the rule.
pub(crate) fn creep(runs: &[(Probe, Vec<Row>)]) -> Option<f64> {
    let [(_, long), (_, short)] = runs else {
        return None;
    };
    let [gain, other] = [gain(long)?, gain(short)?];
    let alike = |a: f64, b: f64| a.abs() <= TWICE * b.abs();
    let same = gain * other > 0.0 && alike(gain, other) && alike(other, gain);
    same.then_some(gain)
}

/// Part of the rate that is gained in a row on the average, if it is no random walk.
fn gain(rows: &[Row]) -> Option<f64> {
    let rates: Vec<f64> = rows.iter().map(|r| scalar::ln(r.omega.norm())).collect();
    let gains: Vec<f64> = rates.windows(2).map(|w| w[1] - w[0]).collect();
    let n = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / n;
    let variance = gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / n;
    let sure = mean.abs() > ROUNDING.max(BEYOND_CHANCE * (variance / n).sqrt());
    sure.then_some(mean)
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
