//! Limits of the angle of a turn: long turns that are cut off, small ones that are lost or made by another factor.

use super::cadence::{Cadence, FASTER, Slow, coarse, factor, turned};
use super::design::Group;
use super::expansion::AnsweredStart;
use super::experiment::{Probe, Row};
use crate::thresholds::*;

/// Returns step, angle and part of all turns of spheres, those of the fast ones last.
fn turns(all: &[AnsweredStart], slow: &Slow) -> [Vec<(f64, f64, f64)>; 2] {
    let rate = coarse()[0].start.omega.norm();
    let of = |k: usize| {
        let angle = move |(h, s): &(f64, f64)| (*h, h * rate * [1.0, FASTER][k], *s);
        slow.turns[k].iter().map(angle)
    };
    let mut turns: Vec<(f64, f64, f64)> = of(0).chain(of(1)).collect();
    for s in all.iter().filter(|s| s.designed.group == Group::Sphere) {
        for (h, rows) in s.steps.iter().zip(&s.rows) {
            let expected = s.designed.start.omega * *h;
            let part = turned(rows).and_then(|turn| factor([(expected, turn)].into_iter()));
            turns.extend(part.map(|part| (*h, expected.norm(), part)));
        }
    }
    [turns, slow.fast.clone()]
}

/// A limit of the turn of a step, where it is the same at several rates and no limit in time is.
pub(super) fn turn_limit(all: &[AnsweredStart], long: &[(Probe, Vec<Row>)]) -> Option<Cadence> {
    let [turns, fast] = turns(all, &Slow::of(long));
    let with_fast = [&turns[..], &fast].concat();
    // Charts turn by other angles in long steps.
    limit_of(&turns).or_else(|| limit_of(&with_fast))
}

/// Returns the largest angle up to which spheres turn by one factor, and what that is more than one, where larger turns are right.
pub(super) fn small_turns(all: &[AnsweredStart], long: &[(Probe, Vec<Row>)]) -> Option<(f64, f64)> {
    let mut turns = turns(all, &Slow::of(long)).concat();
    turns.sort_by(|a, b| a.1.total_cmp(&b.1));
    let factor = turns.first()?.2;
    let like = |part: f64| move |t: &(f64, f64, f64)| (t.2 - part).abs() <= EXPLAINED;
    let (small, large) = turns.split_at(turns.iter().position(|t| !like(factor)(t))?);
    // Turns that are not made are lost, by whatever formula.
    let told = factor.abs() > EXPLAINED && !like(1.0)(&small[0]) && small.len() > A_FEW;
    // The same step is made at one rate and not at another.
    let by_angle = small.iter().any(|s| large.iter().any(|l| l.0 <= s.0));
    let right = large.len() > A_FEW && large.iter().all(like(1.0));
    (told && by_angle && right).then(|| (small[small.len() - 1].1, factor - 1.0))
}

/// The limit of turns, of which step, angle and part are given.
fn limit_of(turns: &[(f64, f64, f64)]) -> Option<Cadence> {
    let one = |s: f64| (s - 1.0).abs() <= EXPLAINED;
    let off: Vec<_> = turns.iter().filter(|t| !one(t.2)).collect();
    let range = |f: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let of = |start: f64, g: fn(f64, f64) -> f64| off.iter().map(|t| f(t)).fold(start, g);
        (of(f64::INFINITY, f64::min), of(0.0, f64::max))
    };
    let ((least, most), (shortest, longest)) = (range(&|t| t.1 * t.2), range(&|t| t.0 * t.2));
    let one_angle = least > 0.0 && most - least <= HUNDREDTH * most;
    let cut = off.len() > 1 && one_angle && longest - shortest > EXPLAINED * longest;
    let limit = (1.0 + EXPLAINED) * most;
    if cut && turns.iter().all(|t| one(t.2) == (t.1 <= limit)) {
        return Some(Cadence::TurnAtMost(most));
    }
    let lost = range(&|t| t.1).1;
    let none = off.len() > 1 && off.iter().all(|t| t.2.abs() <= EXPLAINED);
    let larger = |t: &&(f64, f64, f64)| t.1 > lost;
    let made = turns.iter().filter(larger);
    // The same step is made at one rate and lost at another.
    let by_angle = off
        .iter()
        .any(|o| turns.iter().any(|t| t.0 <= o.0 && one(t.2)));
    let apart = turns.iter().all(|t| one(t.2) == (t.1 > lost));
    (none && by_angle && apart && made.count() > 1).then_some(Cadence::TurnAbove(lost))
}
