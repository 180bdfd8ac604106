//! How right equations are stepped: a first step unlike the others, and which term is taken at which time.

use super::design::{Group, RUN};
use super::expansion::{AnsweredStart, Expansion};
use super::runs::MeasuredRuns;
use super::symptom::Symptom;
use super::times::Combination;
use super::{Identification, Note, times};
use crate::thresholds::*;
use topsim_core::math::{Vec3, so3};
use topsim_model::convention::Convention;
use topsim_model::defect::{ReportingDefect, SchemeDefect};

impl MeasuredRuns {
    /// Returns whether rows, their rates or their attitudes alone, are those of a step before, row 0 apart: row 1 has not moved.
    pub fn late_rows(&self) -> Option<Symptom> {
        // Whether each has moved, and what the last attitude leaves of a step, read as it is and as that of a step before.
        let (mut turns, mut rates) = (Vec::new(), Vec::new());
        let (mut right, mut late) = (true, 0.0_f64);
        let moving = |s: &&AnsweredStart| s.designed.group != Group::Sphere;
        for s in self.all.iter().filter(moving) {
            let start = &s.designed.start;
            for (h, rows) in s.steps.iter().zip(&s.rows) {
                let [before, after, .., last] = &rows[..] else {
                    return None;
                };
                let change = start.acceleration(0.0, &start.att, &start.omega).norm() * h;
                rates.push((after.omega - before.omega).norm() <= NEGLIGIBLE * change);
                let turn = so3::angle_between(&before.att, &after.att);
                let step = (start.omega.norm() + change) * h;
                turns.push(turn <= NEGLIGIBLE * step + DOUBLE);
                let off = |steps: usize| {
                    let (exact, _) = start.exact(0.0, steps as f64 * h, &start.att, &start.omega);
                    so3::angle_between(&exact, &last.att)
                };
                let steps = rows.len() - 1;
                let time = steps as f64 * h;
                let moved = 0.5 * change / h * time * time;
                right &= off(steps) <= TENTH * moved;
                // The errors of a rule are least in the shortest step of a body that turns.
                if *h == s.steps[3] && start.omega != Vec3::zeros() {
                    late = late.max(off(steps - 1) / step);
                }
            }
        }
        let all = |still: &[bool]| still.iter().all(|s| *s);
        match (all(&turns), all(&rates)) {
            _ if turns.is_empty() => None,
            (true, true) => Some(Symptom::Late(ReportingDefect::TimeStamps)),
            // Rates that lag in the solver itself do not turn it rightly.
            (false, true) if right => Some(Symptom::Late(ReportingDefect::RateWholeStep)),
            (true, false) if late <= TENTH => Some(Symptom::LateRows {
                late: 1.0,
                left: late,
            }),
            _ => self.attitudes_of_another_time(),
        }
    }

    /// Returns the part of a step by which rows of the shortest step, the `n`th after the first, are ahead of their time, in the
    /// attitude and in the rate, and what that leaves of both, over what one step changes.
    fn ahead(&self, n: usize) -> Option<[[f64; 2]; 2]> {
        // Sums of products with the change of a step, of its square, and of that of the difference.
        let mut sums = [[0.0_f64; 3]; 2];
        for s in &self.all {
            let (start, h) = (&s.designed.start, s.steps[3]);
            let row = s.rows[3].get(n)?;
            let (att, omega) = start.exact(0.0, n as f64 * h, &start.att, &start.omega);
            let slope = start.acceleration(n as f64 * h, &att, &omega);
            let turn = so3::log(&att.tr_mul(&row.att));
            let pairs = [(turn, omega * h), (row.omega - omega, slope * h)];
            for ([product, square, off], (difference, step)) in sums.iter_mut().zip(pairs) {
                *product += difference.dot(&step);
                *square += step.norm_squared();
                *off += difference.norm_squared();
            }
        }
        Some(sums.map(|[product, square, off]| {
            let ahead = product / square;
            let left = (off - ahead * product).max(0.0);
            [ahead, (left / square).sqrt()]
        }))
    }

    /// Returns that attitudes alone are those of a part of a step before or after their rows' times.
    fn attitudes_of_another_time(&self) -> Option<Symptom> {
        let all: Option<Vec<_>> = (1..=RUN).map(|n| self.ahead(n)).collect();
        let all = all?;
        let [ahead, left] = all[0][0];
        let same = all.iter().all(|[[a, left], [b, _]]| {
            (a - ahead).abs() <= HUNDREDTH && *left <= FIRST_ORDER && b.abs() <= HUNDREDTH
        });
        (same && ahead.abs() > TENTH).then_some(Symptom::LateRows { late: -ahead, left })
    }

    /// Returns that rows are those of other times than theirs, now more and now less.
    pub fn uneven_rows(&self) -> Option<Symptom> {
        let all: Option<Vec<_>> = (1..=RUN).map(|n| self.ahead(n)).collect();
        let all = all?;
        let alike = |[[a, left], [b, of_rate]]: &[[f64; 2]; 2]| {
            (a - b).abs() <= HUNDREDTH && left.max(*of_rate) <= FIRST_ORDER
        };
        let after: [f64; RUN] = core::array::from_fn(|n| all[n][0][0]);
        let size = |x: f64| x.abs();
        let most = after.map(size).into_iter().fold(0.0, f64::max);
        // Another law, and a step that is lost, carry rows further and further away.
        let comes_back = after
            .windows(2)
            .any(|pair| size(pair[0]) > FIRST_ORDER && size(pair[1]) < HALF * size(pair[0]));
        let left = all.iter().flatten().map(|x| x[1]).fold(0.0, f64::max);
        (most > FIRST_ORDER && comes_back && all.iter().all(alike))
            .then_some(Symptom::UnevenRows { after, left })
    }

    /// A first step unlike the later ones.
    pub fn first_step(&self, (first, later): (&Expansion, &Expansion), out: &mut Identification) {
        let size = first.size(0);
        let floor = first.truncation[0].max(CLEARLY * first.noise[0]);
        if !(size > DEFECT.max(floor)) {
            return;
        }
        let (mut parts_of, mut left, mut whole) = ([0.0; 2], 0.0, 0.0);
        for (k, scale) in [(0, first.scales.rate), (3, first.scales.acceleration)] {
            let all = first.starts.iter().zip(first.power(0));
            let pairs = all.map(|(s, defect)| {
                let s = &s.designed.start;
                let f = s.acceleration(0.0, &s.att, &s.omega);
                let d: Vec3 = defect.fixed_rows::<3>(k).into();
                (f, d)
            });
            let (mut fd, mut ff, mut dd) = (0.0, 0.0, 0.0);
            for (f, d) in pairs {
                fd += f.dot(&d);
                ff += f.norm_squared();
                dd += d.norm_squared();
            }
            let c = if ff > 0.0 { fd / ff } else { 0.0 };
            parts_of[k / 3] = c;
            left += (dd - c * fd).max(0.0) / (scale * scale);
            whole += dd / (scale * scale);
        }
        if !(left <= EXPLAINED.powi(2) * whole) {
            out.notes.push(Note::FirstStepUnlike(size));
            return;
        }
        let late = times::combination(later, 1, &times::Differential::SCHEMES);
        let turn = late.map_or(0.0, |c| c.coefficient(times::Differential::TurnByTorque));
        let defect = match (parts_of[1] + 0.5).abs() < EXPLAINED {
            true if turn > QUARTER => ReportingDefect::RateHalfStep.into(),
            true => SchemeDefect::StartAcceleration.into(),
            false => SchemeDefect::MultistepStart.into(),
        };
        out.find(Symptom::Start(defect, parts_of));
    }

    /// First order: which term is taken at which time.
    pub fn order(
        &self,
        (first, later): (&Expansion, &Expansion),
        convention: &Convention,
        out: &mut Identification,
    ) {
        let [_, u1, _] = later.truncation;
        let size = later.size(1);
        let least = HUNDREDTH.max(FEW_TIMES * u1).max(CLEARLY * later.noise[1]);
        if !(size > least) {
            // What hides a tenth of it hides a rule of first order.
            out.least_order = (least <= TENTH).then_some(2);
            return;
        }
        out.least_order = Some(1);
        let rates_are_of_another_time =
            convention.rate.shift != 0.0 || out.has(ReportingDefect::RateHalfStep);
        if rates_are_of_another_time {
            return;
        }
        let sphere = later.size_in(1, Group::Sphere);
        if sphere[0] > HUNDREDTH.max(CLEARLY * later.noise[1]) {
            out.find(Symptom::AttitudeUpdate(sphere[0]));
            return;
        }
        let Some(c) = times::first_order(later) else {
            return;
        };
        use times::Differential as D;
        let known = c.left < EXPLAINED;
        let has = |d: D| c.coefficient(d).abs() > FIRST_ORDER;
        let earliest = D::SCHEMES.map(|d| c.coefficient(d));
        let momentum =
            c.coefficient(D::GyroscopicByTorque) + c.coefficient(D::MomentumInGyroscopic);
        let before_start = |x: f64| (-0.5 - x) > TENTH;
        let early = before_start(momentum) || earliest.into_iter().any(before_start);
        // Before the first step there is none: a solver whose first steps are like the later ones remembers nothing of a step before.
        let at_first = times::first_order(first);
        let alike = |of_first: Combination| {
            let mut all = D::SCHEMES.iter().chain(&D::OTHERS);
            all.all(|d| (of_first.coefficient(*d) - c.coefficient(*d)).abs() < TENTH)
        };
        let stale = early && !at_first.is_some_and(alike);
        let defect = if known && (has(D::InertiaTurned) || has(D::DivisorTurned)) {
            Some(SchemeDefect::InertiaTurnedLate)
        } else if known && has(D::MomentumRestored) {
            Some(SchemeDefect::MomentumClamp)
        } else if known && has(D::EnergyRestored) {
            Some(SchemeDefect::EnergyRestored)
        } else if known && stale {
            Some(SchemeDefect::StaleTerm)
        } else {
            None
        };
        match defect {
            Some(defect) => out.find(Symptom::Times(defect, c)),
            // What no fingerprint of the scheme can say.
            None if c.other().is_some() => out.notes.push(Note::FirstOrder(c)),
            None => out.scheme.push(Note::FirstOrder(c).to_string()),
        }
    }
}
