//! Several histories with different steps: order of convergence to the reference.

use super::comparison::{Deviation, ReferenceErrors};
use crate::thresholds::*;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{LEAST_ORDER, slopes};

/// One history of a ladder.
pub struct Ladder<'a> {
    /// Number in which the histories differ: the step, s, or the tolerance.
    pub step: f64,
    /// Length of its steps, s; that which was asked for, where the solver chooses its own.
    pub length: f64,
    /// Its errors.
    pub errors: &'a ReferenceErrors,
    /// Its rows.
    pub rows: &'a [Deviation],
    /// How far its row 0 is from where it should start exactly, rad and rad/s: the digits it is printed
    /// with.
    pub start: [f64; 2],
    /// Rounding of a step, relative.
    pub unit: f64,
}

/// Errors of one history at the common end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Rung {
    /// Step, s.
    pub step: f64,
    /// Time of the row, s.
    pub time: f64,
    /// Attitude error there, rad.
    pub attitude: f64,
    /// Rate error there, rad/s.
    pub rate: Option<f64>,
    /// Worst attitude error until there, rad.
    pub worst_attitude: f64,
    /// What the roundings of its steps may have become until there, rad.
    pub rounding: f64,
}

/// Order of convergence.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Convergence {
    /// The histories, coarse to fine.
    pub rungs: Vec<Rung>,
    /// Errors below this are not told apart from the reference's own, rad.
    pub attitude_floor: f64,
    /// The same of the rate, rad/s.
    pub rate_floor: f64,
    /// Slopes of the attitude's error at the common end, coarse to fine.
    pub attitude: Vec<f64>,
    /// Slopes of the rate's error there.
    pub rate: Vec<f64>,
    /// Slopes of the attitude's worst error until there.
    pub worst_attitude: Vec<f64>,
}

impl Convergence {
    /// Slopes of the worst error between histories that follow the motion, coarse to fine.
    pub(super) fn telling(&self) -> Vec<f64> {
        let pairs = self.rungs.windows(2).zip(&self.worst_attitude);
        pairs
            .filter(|(pair, _)| pair.iter().all(|r| r.worst_attitude <= LOST))
            .map(|(_, p)| *p)
            .collect()
    }
    /// Whether the finest history has lost the motion that a coarser one follows, or to which each coarser one is nearer.
    pub(crate) fn loses(&self) -> bool {
        let near = |most: f64| move |r: &Rung| r.worst_attitude <= most;
        let grows = |pair: &[Rung]| pair[1].worst_attitude >= GROWS * pair[0].worst_attitude;
        let all = &self.rungs;
        let each = all.len() > 2 && all.windows(2).all(grows);
        !(self.finest() <= LOST)
            && (all.iter().any(near(FOLLOWS)) || each && all.iter().any(near(LOST)))
    }
    /// Whether the order is the slope of one pair only, next to histories that have lost the motion, and far above
    /// what is claimed: such a slope is that of the motion being found, not that of a scheme.
    pub(crate) fn unconfirmed(&self, claimed: Option<f64>) -> bool {
        let highest = claimed.unwrap_or(HIGHEST_ORDER) + WHOLE_POWER;
        let lost = self.rungs.iter().any(|r| !(r.worst_attitude <= LOST));
        let alone = match self.telling()[..] {
            [.., before, last] => (before - last).abs() > WHOLE_POWER,
            _ => true,
        };
        lost && alone && self.order().is_some_and(|p| p > highest)
    }
    /// The worst error of the finest history, rad.
    pub(crate) fn finest(&self) -> f64 {
        self.rungs.last().map_or(0.0, |r| r.worst_attitude)
    }
    /// The last slope, of the worst errors or of those at the end.
    pub(crate) fn last_slope(&self) -> f64 {
        let last = |s: &[f64]| s.last().copied().unwrap_or(f64::NAN);
        last(&self.worst_attitude).max(last(&self.attitude))
    }
    /// Whether every history has lost the motion.
    pub(crate) fn lost(&self) -> bool {
        !self.rungs.iter().any(|r| r.worst_attitude <= LOST)
    }
    /// The order: the last slope of the worst error above rounding. An error at one time may pass through zero, and
    /// then its slopes say little. None where all but one history have lost the motion, or the errors no longer fall.
    pub fn order(&self) -> Option<f64> {
        if self.loses() {
            return None;
        }
        let slopes = self.above_rounding();
        let last = *slopes.last()?;
        // Where rounding alone makes the worst error, that at the end may still fall by one power.
        let steady = self.steady_end().filter(|p| *p > last);
        if steady.is_some() && self.finest() <= AMPLIFIED {
            return steady;
        }
        let possible = slopes.iter().copied().filter(|p| *p <= NO_ORDER);
        let most = possible.fold(f64::NEG_INFINITY, f64::max);
        let bent = last < HALF * most && self.finest() <= BENT;
        let stopped = last < LEAST_ORDER && self.at_floor();
        (!bent && !stopped).then_some(last)
    }
    /// The last slope of the error at the end that is that of the pair before too.
    fn steady_end(&self) -> Option<f64> {
        let mut pairs = self.attitude.windows(2).rev();
        let steady = pairs.find(|p| (p[0] - p[1]).abs() < ONE_POWER)?;
        Some(steady[1])
    }
    /// The telling slopes but for the last ones where the errors of finer steps fall less than before, and are so
    /// small that rounding may be the cause.
    pub(super) fn above_rounding(&self) -> Vec<f64> {
        let mut out = self.telling();
        // Slopes end where errors reach their floor, with the finer history of each pair.
        let finer = self.worst_attitude.len();
        let mut rungs = self.rungs[..self.rungs.len().min(finer + 1)].iter();
        while let [.., before, last] = out[..]
            && rungs
                .next_back()
                .is_some_and(|r| r.worst_attitude <= AMPLIFIED)
            && last < before - TENTH
            // A slope that no scheme has is that of other errors than the next one's.
            && !(before > NO_ORDER && last >= LEAST_ORDER)
        {
            out.pop();
        }
        out
    }
    /// Whether the errors fall, or are already as small as can be told.
    pub fn converges(&self) -> bool {
        let falls = |s: &[f64]| s.last().is_some_and(|p| *p >= LEAST_ORDER);
        let telling = self.telling();
        let near = !telling.is_empty() && self.finest() <= LOST;
        near && (falls(&telling) || falls(&self.attitude)) || self.at_floor()
    }
    /// Returns the rate's error at the finest step, rad/s, where the attitude's errors fall with the step and the rate's stay: far above
    /// what digits, rounding and the errors of the attitude leave.
    pub(crate) fn stray_rate(&self) -> Option<f64> {
        let [first, .., last] = &self.rungs[..] else {
            return None;
        };
        let (coarse, fine) = (first.rate?, last.rate?);
        let falls = first.worst_attitude >= FEW_TIMES * last.worst_attitude;
        let stays = coarse <= SAME_SIZE * fine && fine <= SAME_SIZE * coarse;
        let far = fine > BY_FAR * last.worst_attitude && fine > CLEARLY * self.rate_floor;
        (falls && stays && far && self.finest() <= LOST).then_some(fine)
    }
    /// Where all histories are still there, s.
    pub(crate) fn end(&self) -> f64 {
        let times = self.rungs.iter().map(|r| r.time);
        times.fold(f64::INFINITY, f64::min)
    }
    /// Whether the finest history alone follows the motion: the others are too coarse to tell.
    pub fn coarse(&self) -> bool {
        let near = self.rungs.iter().filter(|r| r.worst_attitude <= LOST);
        near.count() == 1 && self.finest() <= LOST && !self.at_floor()
    }
    /// Whether the finest history follows the motion closely, whatever its order.
    pub fn close(&self) -> bool {
        self.finest() <= FLOOR
    }
    /// Returns whether the errors of the finest history are those of the reference and of rounding.
    pub(crate) fn is_exact(&self) -> bool {
        self.finest() <= self.known()
    }
    /// Returns errors that the reference and rounding leave, rad; a motion that is lost has no such errors.
    fn known(&self) -> f64 {
        let rounding = self.rungs.last().map_or(0.0, |r| r.rounding);
        (10.0 * self.attitude_floor)
            .max(CLEARLY * rounding)
            .min(LOST)
    }
    /// Whether the finest histories are this motion as nearly as digits, tolerances and rounding let one tell.
    fn at_floor(&self) -> bool {
        if self.finest() <= AMPLIFIED.max(self.known()) {
            return true;
        }
        let worst: Vec<f64> = self.rungs.iter().map(|r| r.worst_attitude).collect();
        // Fell once, and never strayed again.
        let fell = |k: usize| {
            let rest = worst[k + 1..].iter().copied().fold(0.0, f64::max);
            self.worst_attitude[k] >= LEAST_ORDER && rest <= FEW_TIMES * worst[k + 1]
        };
        let pairs = self.worst_attitude.len().min(worst.len().saturating_sub(1));
        worst.iter().all(|w| !w.is_nan()) && self.finest() <= FLOOR && (0..pairs).any(fell)
    }
}

/// Order of a ladder with at least two histories.
pub fn convergence(ladder: &[Ladder]) -> Convergence {
    let end = ladder
        .iter()
        .map(|l| l.errors.until)
        .fold(f64::INFINITY, f64::min);
    let mut rungs: Vec<Rung> = Vec::new();
    for l in ladder {
        let slack = ROUNDING * end.abs() + IN_TIME * l.length;
        let count = l.rows.partition_point(|d| d.t <= end + slack);
        let compared = l.rows[..count]
            .iter()
            .filter_map(|d| Some((d, d.attitude?)));
        let Some((&Deviation { t: time, rate, .. }, attitude)) = compared.clone().next_back()
        else {
            continue;
        };
        let worst = compared.map(|(_, angle)| angle);
        let begun = l.rows.first().map_or(time, |d| d.t);
        let steps = ((time - begun) / l.length).max(1.0);
        rungs.push(Rung {
            step: l.step,
            time,
            attitude,
            rate,
            worst_attitude: worst.fold(0.0, |a, b| if b <= a { a } else { b }),
            // Each step is rounded as the start is, and the last ones grow less.
            rounding: l.errors.start_floor.max(f64::EPSILON)
                * (l.unit / f64::EPSILON)
                * (steps / 3.0).sqrt(),
        });
    }
    rungs.sort_by(|a, b| b.step.total_cmp(&a.step));
    let widest = |x: &dyn Fn(&Ladder) -> f64| {
        ladder
            .iter()
            .map(x)
            .fold(0.0, |a, b| if b <= a { a } else { b })
    };
    // Three times the bound, a few roundings, and what the digits of the files show.
    let attitude_floor =
        widest(&|l| FEW_TIMES * l.errors.attitude.uncertainty + CLEARLY * l.start[0]) + ROUNDINGS;
    let rate_floor = widest(&|l| {
        let own = l.errors.rate.map_or(0.0, |r| r.uncertainty);
        FEW_TIMES * own + CLEARLY * l.start[1]
    }) + ROUNDINGS;
    let points = |e: &dyn Fn(&Rung) -> f64, floor: &dyn Fn(&Rung) -> f64| {
        let points: Vec<_> = rungs.iter().map(|r| (r.step, e(r), floor(r))).collect();
        slopes(&points)
    };
    let attitude = |r: &Rung| attitude_floor.max(ADDED_UP * r.rounding);
    Convergence {
        attitude: points(&|r| r.attitude, &attitude),
        rate: points(&|r| r.rate.unwrap_or(f64::NAN), &|_| rate_floor),
        worst_attitude: points(&|r| r.worst_attitude, &attitude),
        attitude_floor,
        rate_floor,
        rungs,
    }
}

#[cfg(test)]
pub(super) use tests::of;

#[cfg(test)]
mod tests {
    use super::*;

    /// Of histories with these worst errors, each with half the step of the one before.
    pub(in crate::history) fn of(worst: &[f64]) -> Convergence {
        let steps = (0..worst.len() as i32).map(|k| 0.04 * 0.5_f64.powi(k));
        let rungs: Vec<Rung> = steps
            .zip(worst)
            .map(|(step, &e)| Rung {
                step,
                time: 1.0,
                attitude: e,
                rate: None,
                worst_attitude: e,
                rounding: 0.0,
            })
            .collect();
        let points: Vec<_> = rungs.iter().map(|r| (r.step, r.attitude, 1e-13)).collect();
        Convergence {
            attitude_floor: 1e-13,
            rate_floor: 1e-13,
            attitude: slopes(&points),
            rate: Vec::new(),
            worst_attitude: slopes(&points),
            rungs,
        }
    }

    #[test]
    fn finer_steps_that_lose_the_motion_are_told_from_coarse_ones_that_do() {
        let dead = of(&[1e-5, 2.5e-6, 3.11, 3.1]);
        assert!(dead.loses() && !dead.converges() && dead.order().is_none());
        assert!(!of(&[3.1, 2.9, 3.0]).loses() && !of(&[3.1, 0.6]).loses());
        assert!(!of(&[3.1, 0.1, 0.02]).loses());
        // What is done once a step, such as a factor of fast rates, makes errors like 1/h.
        assert!(of(&[0.35, 0.69, 1.34, 2.5]).loses());
        assert!(!of(&[0.35, 0.69, 0.5, 2.5]).loses() && !of(&[0.9, 1.4, 2.5]).loses());
    }

    #[test]
    fn a_slope_that_no_scheme_has_is_not_told_for_the_next_one() {
        // Each other row of the coarsest history is one of another time.
        let order = of(&[0.0218, 5.77e-7, 3.36e-8]).order().unwrap();
        assert!((order - 4.1).abs() < 0.01, "{order}");
    }

    /// Rates that are filtered stay where they are; those of another time, or printed with few digits, do not count.
    #[test]
    fn rates_that_stay_beside_attitudes_that_converge_are_seen() {
        let with = |rates: [f64; 3], floor: f64| {
            let mut found = of(&[4e-3, 1e-3, 2.5e-4]);
            for (rung, rate) in found.rungs.iter_mut().zip(rates) {
                rung.rate = Some(rate);
            }
            found.rate_floor = floor;
            found.stray_rate()
        };
        assert_eq!(with([0.34, 0.33, 0.33], 1e-13), Some(0.33));
        assert_eq!(with([0.4, 0.2, 0.1], 1e-13), None);
        assert_eq!(with([0.04, 0.04, 0.04], 0.05), None);
        assert_eq!(with([2e-2, 2e-2, 2e-2], 1e-13), None);
    }

    #[test]
    fn a_slope_out_of_lost_motion_is_no_order() {
        let found = of(&[3.11, 2.89, 0.178, 1.6e-4]);
        assert!(found.unconfirmed(Some(4.0)) && found.unconfirmed(None));
        // A pair that has the claimed order, and slopes that confirm each other.
        assert!(!of(&[3.11, 2.89, 0.16, 0.01]).unconfirmed(Some(4.0)));
        assert!(!of(&[3.11, 0.1, 3.9e-4, 1.5e-6]).unconfirmed(Some(4.0)));
        assert!(!of(&[0.4, 1.6e-4]).unconfirmed(Some(4.0)));
    }
}
