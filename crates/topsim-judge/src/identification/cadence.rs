//! By what time a solver advances for a step of h: hard-coded steps, steps that are cut off, steps that are rounded to
//! its own; and turns that are cut off or lost by their angle. None of these is a power series in h, so they are looked for before anything is expanded.
//!
//! Source: `docs/science/identification.md`, section 3.

use super::between::Between;
use super::design::Group;
use super::expansion::{self, AnsweredStart};
use super::experiment::{Probe, Row, Start};
use crate::thresholds::*;
use topsim_core::math::{Vec3, so3};

/// Steps of the slow sphere, s.
/// The last ones are no whole milliseconds, so that a clock that rounds to these shows.
const COARSE: [f64; 8] = [
    0.4,
    0.2,
    0.1,
    0.05,
    0.025,
    1.0 / 144.0,
    1.0 / 600.0,
    1.0 / 3000.0,
];

/// What advances by another time than the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClockPart {
    /// Everything.
    All,
    /// The attitude.
    Attitude,
    /// The rate, by the torque.
    Torque,
    /// The rate, by the gyroscopic term.
    Gyroscopic,
}

/// By what time it advances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cadence {
    /// The same whatever the step, s.
    Fixed(f64),
    /// The step, but no more than this, s.
    AtMost(f64),
    /// The step, but no less than this, s.
    AtLeast(f64),
    /// A whole number of these, s.
    Multiple(f64),
    /// The same of steps of this length, s, or more; shorter ones are made as they are.
    MultipleFrom(f64),
    /// The step on the whole, in whole steps of this length, s, with such rows between them.
    Between(Between, f64),
    /// The step, but a turn of no more than this, rad.
    TurnAtMost(f64),
    /// The step, but no turn up to this, rad.
    TurnAbove(f64),
}

/// Most steps of its own that a solver makes in the shortest step.
const MOST_OWN: u32 = 64;

impl Cadence {
    /// Returns true if this cadence changes a step of `h`.
    pub fn touches(self, h: f64) -> bool {
        match self {
            Self::Fixed(step) => (step / h - 1.0).abs() > NEGLIGIBLE,
            Self::AtMost(limit) => h > limit * (1.0 + NEGLIGIBLE),
            Self::AtLeast(limit) => h < limit * (1.0 - NEGLIGIBLE),
            Self::Multiple(own) | Self::Between(_, own) => {
                (h / own - (h / own).round()).abs() > NEGLIGIBLE
            }
            Self::MultipleFrom(own) => h > own && (h / own - (h / own).round()).abs() > NEGLIGIBLE,
            Self::TurnAtMost(_) | Self::TurnAbove(_) => true,
        }
    }

    /// Returns true unless it is a limit of longer turns than those of a start.
    pub fn is_reached_by(self, start: &AnsweredStart) -> bool {
        let Self::TurnAtMost(most) = self else {
            return true;
        };
        let rate = start.designed.start.omega.norm();
        start.steps.iter().any(|h| h * rate > most)
    }

    /// Returns the cadence of a solver from steps, coarse to fine, each with the time by which it advances, s.
    pub fn of(times: &[[f64; 2]]) -> Option<Self> {
        let [_, shortest] = *times.last()?;
        let within = |slack: f64, of: &dyn Fn(f64) -> f64| {
            let is = |[step, is]: &[f64; 2]| (is - of(*step)).abs() <= slack * of(*step);
            times.iter().all(is)
        };
        let all = |of: &dyn Fn(f64) -> f64| within(NEGLIGIBLE, of);
        if all(&|step| step) {
            // All steps are whole numbers of any time that is short enough: that is no cadence.
            return None;
        }
        if all(&|_| shortest) {
            return Some(Self::Fixed(shortest));
        }
        let longest = times[0][1];
        if all(&|step| step.min(longest)) {
            return Some(Self::AtMost(longest));
        }
        if all(&|step| step.max(shortest)) {
            return Some(Self::AtLeast(shortest));
        }
        let own = |parts: u32| shortest / f64::from(parts);
        let whole = |own: &f64, slack: f64| {
            within(slack, &|step| (step / own + NEGLIGIBLE).floor() * own)
                || within(slack, &|step| (step / own).round() * own)
                || within(slack, &|step| (step / own - NEGLIGIBLE).ceil() * own)
        };
        // Times that are known well tell the time that they are whole numbers of from its neighbours.
        let slacks = [SINGLE_DIGITS, FOUR_DIGITS, NEGLIGIBLE];
        let found = slacks.iter().find_map(|slack| {
            let mut all = (1..=MOST_OWN).map(own);
            all.find(|own| whole(own, *slack))
        });
        found.map(Self::Multiple)
    }
}

/// A slow sphere at long steps, the same at another rate, a slow body whose rate changes, and fast spheres: a limit of the step in
/// time is the same for all, and the fast ones turn by up to three radians in a step.
pub(crate) fn coarse() -> Vec<Probe> {
    let start = Start {
        att: so3::exp(&Vec3::new(0.4, -0.7, 0.5)),
        omega: Vec3::new(0.12, -0.16, 0.15),
        inertia: super::design::sphere(),
        load: super::experiment::Load::None,
    };
    let mut faster = start.clone();
    faster.omega *= FASTER;
    let mut body = start.clone();
    body.inertia = super::design::standard_inertia();
    let of = |s: &Start| COARSE.map(|h| Probe::new(s, h, 1));
    let mut all = [of(&start), of(&faster), of(&body)].concat();
    for times in FAST {
        let mut fast = start.clone();
        fast.omega *= times;
        all.extend(of(&fast));
    }
    all
}

/// The other rate of the slow sphere.
pub(super) const FASTER: f64 = 1.5;
/// Rates of the fast spheres, in those of the slow one.
const FAST: [f64; 2] = [12.0, 30.0];

/// Part of what was expected that moved.
pub(super) fn factor(pairs: impl Iterator<Item = (Vec3, Vec3)>) -> Option<f64> {
    let (mut xy, mut xx) = (0.0, 0.0);
    for (expected, moved) in pairs {
        xy += expected.dot(&moved);
        xx += expected.norm_squared();
    }
    (xx > 0.0).then(|| xy / xx).filter(|s| s.is_finite())
}

pub(super) fn turned(rows: &[Row]) -> Option<Vec3> {
    let [a, b] = [rows.first()?, rows.get(1)?];
    Some(so3::log(&a.att.tr_mul(&b.att)))
}

/// The law that factors at several steps follow, if they are not all one.
fn law(samples: &[(f64, f64)]) -> Option<Cadence> {
    let one = |s: f64| (s - 1.0).abs() <= MADE;
    if samples.len() < 3 || samples.iter().all(|(_, s)| one(*s)) {
        return None;
    }
    let range = |f: fn(f64, f64) -> f64, from: f64| samples.iter().map(|s| s.1).fold(from, f);
    // A clock that runs at another pace is a model.
    if range(f64::max, f64::NEG_INFINITY) - range(f64::min, f64::INFINITY) <= EXPLAINED {
        return None;
    }
    let times: Vec<f64> = samples.iter().map(|(h, s)| h * s).collect();
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    if mean > 0.0 && times.iter().all(|t| (t - mean).abs() <= HUNDREDTH * mean) {
        return Some(Cadence::Fixed(mean));
    }
    // Where steps are cut off or prolonged at a limit, the time is the same, and beyond the limit nothing or a law acts.
    let by_step = |a: &&(f64, f64), b: &&(f64, f64)| a.0.total_cmp(&b.0);
    let limited = |end: &(f64, f64), beyond: &dyn Fn(f64, f64) -> bool| {
        let limit = end.0 * end.1;
        let (at, others): (Vec<_>, Vec<_>) = samples.iter().partition(|(h, _)| beyond(*h, limit));
        let same = |(h, s): &(f64, f64)| (h * s - limit).abs() <= HUNDREDTH * limit;
        let several = at.iter().any(|(h, _)| (h / end.0 - 1.0).abs() > TENTH);
        let right = |(h, s): &(f64, f64)| one(*s) || several && (s - 1.0).abs() <= BY_LAW * h;
        let found = limit > 0.0 && !one(end.1) && at.iter().all(same) && others.iter().all(right);
        // A law takes as much of that step as of others.
        let sum = |f: &dyn Fn(f64, f64) -> f64| others.iter().map(|(h, s)| f(*h, *s)).sum::<f64>();
        let taken = sum(&|h, s| h * (1.0 - s)) / sum(&|h, _| h * h).max(f64::MIN_POSITIVE);
        found.then_some(limit * (1.0 + taken * limit))
    };
    let longest = samples.iter().max_by(by_step)?;
    if let Some(limit) = limited(longest, &|h, limit| h > (1.0 + HUNDREDTH) * limit) {
        return Some(Cadence::AtMost(limit));
    }
    let shortest = samples.iter().min_by(by_step)?;
    if let Some(limit) = limited(shortest, &|h, limit| h < (1.0 - HUNDREDTH) * limit) {
        return Some(Cadence::AtLeast(limit));
    }
    if let Some(own) = whole_from(samples) {
        return Some(Cadence::MultipleFrom(own));
    }
    // Whole multiples of a quantum: the largest that divides all, at least a quarter of the shortest step.
    multiple(samples, 0.0, shortest.0).or_else(|| {
        // What a law takes in each second shows in the longest step.
        let taken = (1.0 - longest.1) / longest.0;
        let told = samples.len() >= COARSE.len() && taken.abs() <= BY_LAW;
        told.then(|| multiple(samples, taken, shortest.0))?
    })
}

/// Returns the time of which all longer steps are whole numbers, where shorter steps are right.
fn whole_from(samples: &[(f64, f64)]) -> Option<f64> {
    let one = |s: f64| (s - 1.0).abs() <= MADE;
    let off = samples.iter().filter(|(_, s)| !one(*s));
    if off.clone().count() < 2 {
        return None;
    }
    let smallest = off.map(|(h, s)| h * s).reduce(f64::min)?;
    let is = |own: &f64| {
        let (shorter, longer): (Vec<_>, Vec<_>) = samples
            .iter()
            .partition(|(h, _)| *h < own * (1.0 - NEGLIGIBLE));
        let whole = |count: &dyn Fn(f64) -> f64| {
            longer
                .iter()
                .all(|(h, s)| (h * s - count(h / own) * own).abs() <= EXPLAINED * own + MADE * h)
        };
        shorter.len() > 1
            && shorter.iter().all(|(_, s)| one(*s))
            && (whole(&|x| (x + NEGLIGIBLE).floor()) || whole(&f64::round))
    };
    let mut parts = (1..=4).map(|k| smallest / f64::from(k));
    parts.find(is)
}

/// The time of which all steps are whole numbers, where a law takes this part of a turn in each second.
fn multiple(samples: &[(f64, f64)], taken: f64, shortest: f64) -> Option<Cadence> {
    let time = |(h, s): &(f64, f64)| h * s / (1.0 - taken * h);
    let times = || samples.iter().map(|sample| (sample.0, time(sample)));
    let moved = || times().filter(|(_, t)| *t > SINGLE_DIGITS);
    let smallest = moved().map(|(_, t)| t).reduce(f64::min)?;
    let is = |own: &f64| {
        // Laws make the count of long steps uncertain.
        let counted = |(_, t): &(f64, f64)| taken == 0.0 || *t < CLEARLY * own;
        let whole = |(_, t): (f64, f64)| (t / own - (t / own).round()).abs() <= EXPLAINED;
        let rounded = |(h, t): (f64, f64)| taken == 0.0 || (t - h).abs() <= (1.0 + EXPLAINED) * own;
        let seen = |(h, t): (f64, f64)| taken == 0.0 || (t - h).abs() > TENTH * own;
        times().filter(counted).all(whole)
            && times().all(rounded)
            && moved().filter(counted).any(seen)
    };
    let parts = (1..=4).map(|k| smallest / f64::from(k));
    let mut parts = parts.filter(|own| *own >= QUARTER * shortest);
    parts.find(is).map(Cadence::Multiple)
}

/// Steps of the slow bodies, with the part of the expected that is made in each.
pub(super) struct Slow {
    /// Turns of the sphere at two rates.
    pub turns: [Vec<(f64, f64)>; 2],
    /// Step, angle and part of the turns of fast spheres.
    pub fast: Vec<(f64, f64, f64)>,
    /// Changes of the rate of the other body.
    rates: Vec<(f64, f64)>,
}

impl Slow {
    pub fn of(runs: &[(Probe, Vec<Row>)]) -> Self {
        let mut out = Self {
            turns: [Vec::new(), Vec::new()],
            fast: Vec::new(),
            rates: Vec::new(),
        };
        let slow = coarse()[0].start.omega.norm();
        let faster = FASTER * slow;
        for (p, rows) in runs {
            let start = &p.start;
            let sphere = start.inertia.tensor() == super::design::sphere().tensor();
            let pair = if sphere {
                turned(rows).map(|turn| (start.omega * p.step, turn))
            } else {
                let (_, omega) = start.exact(0.0, p.step, &start.att, &start.omega);
                rows.get(1)
                    .map(|row| (omega - start.omega, row.omega - start.omega))
            };
            let Some(s) = pair.and_then(|pair| factor([pair].into_iter())) else {
                continue;
            };
            let rate = start.omega.norm();
            if sphere && rate > HALF * FAST[0] * slow {
                out.fast.push((p.step, rate * p.step, s));
                continue;
            }
            let of = match (sphere, rate < WHOLE * faster) {
                (false, _) => &mut out.rates,
                (true, true) => &mut out.turns[0],
                (true, false) => &mut out.turns[1],
            };
            of.push((p.step, s));
        }
        out
    }

    /// Whether the rate's change is cut off with steps longer than `c`.
    fn rate_is_cut(&self, c: f64) -> bool {
        let mut longer = self.rates.iter().filter(|(h, _)| *h > SAME_SIZE * c);
        longer.all(|(h, s)| (s - c / h).abs() < (s - 1.0).abs())
    }
}

/// What advances by another time than the step, and by which.
pub(crate) fn cadence(
    all: &[AnsweredStart],
    long: &[(Probe, Vec<Row>)],
) -> Option<(ClockPart, Cadence)> {
    let of = |group: Group| all.iter().filter(move |s| s.designed.group == group);
    let attitude = |j: usize| {
        factor(of(Group::Sphere).filter_map(|s| {
            let h = s.steps[j];
            Some((s.designed.start.omega * h, turned(&s.rows[j])?))
        }))
    };
    let rate = |group: Group, j: usize| {
        let changes = of(group).filter_map(|s| {
            let start = &s.designed.start;
            let (_, omega) = start.exact(0.0, s.steps[j], &start.att, &start.omega);
            let [a, b] = [s.rows[j].first()?, s.rows[j].get(1)?];
            Some((omega - start.omega, b.omega - a.omega))
        });
        let changes: Vec<(Vec3, Vec3)> = changes.collect();
        let factor = factor(changes.iter().copied())?;
        // What changes rates along another direction is no other time.
        let sum = |f: &dyn Fn(&(Vec3, Vec3)) -> Vec3| {
            changes.iter().map(|c| f(c).norm_squared()).sum::<f64>()
        };
        let left = sum(&|(expected, moved)| moved - expected * factor);
        // A change that is cut off at a size is another part of a small one than of a large one.
        let part = |(expected, moved): &(Vec3, Vec3)| expected.dot(moved) / expected.norm_squared();
        let most = changes.iter().map(|c| c.1.norm()).fold(0.0, f64::max);
        let one = |c: &(Vec3, Vec3)| {
            (c.1.norm() / most - 1.0).abs() <= NEGLIGIBLE || (part(c) - 1.0).abs() <= MADE
        };
        let of_size = changes.iter().all(one)
            && changes
                .iter()
                .any(|c| (part(c) - factor).abs() > EXPLAINED * factor.abs());
        (left <= UNLIKE * UNLIKE * sum(&|(_, moved)| *moved) && !of_size).then_some(factor)
    };
    let samples = |f: &dyn Fn(usize) -> Option<f64>| -> Vec<(f64, f64)> {
        let steps = expansion::steps(all);
        let found = |j: usize| Some((steps[j], f(j)?));
        (0..steps.len()).filter_map(found).collect()
    };
    let slow = Slow::of(long);
    let [mut turns, faster] = slow.turns.clone();
    turns.extend(samples(&attitude));
    // What is no turn's limit is the same time at two rates.
    let same = |(h, s): &(f64, f64)| {
        let other = faster.iter().find(|f| f.0 == *h);
        other.is_none_or(|(_, x)| (x - s).abs() <= EXPLAINED)
    };
    let attitude = law(&turns).filter(|_| turns.iter().all(same));
    let torque = law(&samples(&|j| rate(Group::Rest, j)));
    let gyroscopic = law(&samples(&|j| rate(Group::Free, j)));
    match (attitude, torque, gyroscopic) {
        (Some(a), Some(_), _) | (Some(a), _, Some(_)) => Some((ClockPart::All, a)),
        // A step that is longer than those in which a torque was looked at.
        (Some(a @ Cadence::AtMost(c)), ..) if slow.rate_is_cut(c) => Some((ClockPart::All, a)),
        (Some(a), ..) => Some((ClockPart::Attitude, a)),
        (_, Some(t), Some(_)) => Some((ClockPart::All, t)),
        (_, Some(t), _) => Some((ClockPart::Torque, t)),
        (_, _, Some(g)) => Some((ClockPart::Gyroscopic, g)),
        (None, None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantum_is_held_against_all_steps() {
        let of = |steps: &[f64], f: &dyn Fn(f64) -> f64| {
            let times: Vec<[f64; 2]> = steps.iter().map(|h| [*h, f(*h)]).collect();
            Cadence::of(&times)
        };
        let milliseconds = |h: f64| (h * 1e3).round() / 1e3;
        let nanoseconds = |h: f64| (h * 1e9).round() / 1e9;
        // Steps of whole milliseconds do not show a clock that rounds to milliseconds.
        assert_eq!(of(&[0.004, 0.002, 0.001], &milliseconds), None);
        let sixths = [0.01, 1.0 / 150.0, 1.0 / 600.0];
        assert_eq!(of(&sixths, &nanoseconds), None);
        let found = of(&sixths, &milliseconds);
        assert!(
            matches!(found, Some(Cadence::Multiple(q)) if 1e-3 % q < 1e-12),
            "{found:?}"
        );
        assert_eq!(
            of(&[0.01, 0.004, 0.002], &|h| h.max(0.005)),
            Some(Cadence::AtLeast(0.005))
        );
    }

    #[test]
    fn whole_numbers_of_a_time_tell_it_from_its_neighbours() {
        // 1.65e-4 gives 0.019965 in the place of the first, which is as near as 8e-4 of it.
        let times = [[0.02, 0.019_95], [0.01, 0.0099], [0.005, 0.004_95]];
        let found = Cadence::of(&times);
        assert!(
            matches!(found, Some(Cadence::Multiple(own)) if (own - 1.5e-4).abs() < 1e-12),
            "{found:?}"
        );
    }

    #[test]
    fn laws_are_told_apart() {
        let hs = [0.4, 0.2, 0.1, 0.05, 0.025, 0.016, 0.008, 0.004, 0.002];
        let of = |f: &dyn Fn(f64) -> f64| law(&hs.map(|h| (h, f(h) / h)));
        assert_eq!(of(&|h| h), None);
        assert_eq!(of(&|h| h * (1.0 + 0.002 * h)), None);
        assert_eq!(of(&|_| 0.01), Some(Cadence::Fixed(0.01)));
        assert_eq!(of(&|h| h.min(0.05)), Some(Cadence::AtMost(0.05)));
        assert_eq!(of(&|h| h.max(0.005)), Some(Cadence::AtLeast(0.005)));
        let rounded = of(&|h| (h / 0.0015).round() * 0.0015);
        assert!(matches!(rounded, Some(Cadence::Multiple(_))), "{rounded:?}");
        // A clock that runs at another pace is a model.
        assert_eq!(of(&|h| 1.1 * h), None);
    }
}
