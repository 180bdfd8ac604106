//! Conditions under which the steps of a solver are other ones: beyond a limit of a quantity, each so many steps, or once.

use super::followed::Followed;
use super::quantity::{At, Quantity};
use crate::probe::Start;

/// A condition under which steps are other ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Condition {
    /// A quantity is beyond a limit.
    Beyond {
        /// The quantity.
        quantity: Quantity,
        /// True if steps are other ones above it.
        above: bool,
        /// Numbers between which the limit is.
        between: [f64; 2],
    },
    /// The number of the step is a multiple of a number, or follows one.
    EachSteps {
        /// The number.
        period: u64,
        /// Number by which the steps follow a multiple.
        phase: u64,
        /// Numbers between which the period is.
        between: [u64; 2],
    },
    /// The step passes a multiple of a time, s.
    EachTime {
        /// The time.
        period: f64,
        /// Times between which it is.
        between: [f64; 2],
    },
    /// Number of the one step.
    Once(u64),
}

/// Fewest intervals that follow the rule, and fewest that do not, from which a condition is told.
const FEWEST: (usize, usize) = (8, 3);
/// Part of the intervals that may be on the wrong side of a limit: what a wrong term does may vanish to rounding.
const MISPLACED: f64 = 0.02;
/// Occasions of something that is done again and again, at least.
const OCCASIONS: u64 = 3;
/// Largest distance of a time from a whole number of periods, in parts of a step.
const WHOLE: f64 = 1e-6;

impl Condition {
    /// Returns all conditions that part the intervals, the simplest first.
    pub(super) fn all(followed: &[Followed], body: &Start) -> Vec<Self> {
        let bad = followed.iter().filter(|f| f.bad).count();
        let good = followed.len() - bad;
        if good < FEWEST.0 || bad == 0 {
            return Vec::new();
        }
        if bad < FEWEST.1 {
            return once(followed).into_iter().collect();
        }
        let h = followed[0].h;
        let several = followed.iter().any(|f| f.h != h);
        let quantities = Quantity::all().filter(|q| !q.is_kept(body));
        let quantities = quantities.filter(|q| several || !q.takes_several_steps());
        let beyond = |quantity| {
            let sides = [true, false].into_iter();
            sides.filter_map(move |above| limit(followed, body, quantity, above))
        };
        let mut out = each_steps(followed);
        if several {
            out.extend(each_time(followed, body));
        }
        out.extend(quantities.flat_map(beyond));
        out
    }

    /// Returns true if it holds of a step from a state to another; a quantity of the state is looked at in one of them. The limit
    /// is at a place between its numbers.
    pub(super) fn holds(&self, (from, to): (&At, &At), at: &At, place: f64, body: &Start) -> bool {
        match self {
            Self::Beyond {
                quantity,
                above,
                between: [low, high],
            } => {
                let at = if quantity.is_time() { from } else { at };
                let limit = low + place * (high - low);
                let of_step = quantity.of_step([from.state, to.state], body);
                of_step
                    .or_else(|| quantity.of(at, body))
                    .is_some_and(|x| if *above { x > limit } else { x < limit })
            }
            Self::EachSteps { period, phase, .. } => {
                to.steps >= *phase && (to.steps - phase).is_multiple_of(*period)
            }
            Self::EachTime { period, .. } => multiples(to, *period) > multiples(from, *period),
            Self::Once(number) => to.steps == *number,
        }
    }

    /// Returns true if it is a condition on the time or the number of steps, and not on the state.
    #[must_use]
    pub fn is_of_time(&self) -> bool {
        match self {
            Self::Beyond { quantity, .. } => quantity.is_time(),
            Self::EachSteps { .. } | Self::EachTime { .. } | Self::Once(_) => true,
        }
    }

    /// Returns whether an interval has such a step; none where it may or may not.
    pub(super) fn predicts(&self, f: &Followed, body: &Start) -> Option<bool> {
        let passes = |until: &dyn Fn(u64) -> u64| until(f.number + f.steps()) > until(f.number);
        match self {
            Self::Beyond {
                quantity,
                above,
                between: [low, high],
            } => {
                let sign = if *above { 1.0 } else { -1.0 };
                let [surely, perhaps] = f.surely_and_perhaps(*quantity, sign, body)?;
                let [least, most] = if *above { [*low, *high] } else { [-high, -low] };
                if surely > most {
                    Some(true)
                } else {
                    (perhaps < least).then_some(false)
                }
            }
            Self::EachSteps { period, phase, .. } => {
                Some(passes(&|n| (n + period - phase) / period))
            }
            Self::EachTime { period, .. } => {
                let until = |t: f64| ((t + WHOLE * f.h) / period).floor();
                let has = until(f.t + f.h * f.steps() as f64) > until(f.t);
                (!self.straddles(f, body)).then_some(has)
            }
            Self::Once(number) => Some(passes(&|n| u64::from(n >= *number))),
        }
    }

    /// Returns true if an interval is so near to a limit that it may be on either side.
    pub(super) fn straddles(&self, f: &Followed, body: &Start) -> bool {
        match self {
            Self::Beyond {
                quantity, between, ..
            } => f
                .extremes(*quantity, body)
                .is_some_and(|[least, most]| least <= between[1] && most >= between[0]),
            Self::EachSteps { .. } | Self::Once(_) => false,
            Self::EachTime { period, .. } => {
                let near = |t: f64| (t / period - (t / period).round()).abs() * period <= f.h;
                near(f.t) || near(f.t + f.h * f.steps() as f64)
            }
        }
    }
}

fn multiples(at: &At, period: f64) -> f64 {
    ((at.t + WHOLE * at.h) / period).floor()
}

/// Returns the limit of a quantity that parts the intervals.
///
/// A step may look at the quantity at its start, within it or at its end. So an interval surely has a step beyond a limit
/// above which both ends of a step are, and surely none if all its ends are below.
fn limit(
    followed: &[Followed],
    body: &Start,
    quantity: Quantity,
    above: bool,
) -> Option<Condition> {
    let sign = if above { 1.0 } else { -1.0 };
    let range = |f: &Followed| Some((f.surely_and_perhaps(quantity, sign, body)?, f.bad));
    let all: Option<Vec<([f64; 2], bool)>> = followed.iter().map(range).collect();
    let all = all?;
    let most = (MISPLACED * all.len() as f64).floor() as usize;
    let misplaced = |at: f64| {
        let wrong = |([low, high], bad): &&([f64; 2], bool)| {
            if *bad { *high <= at } else { *low > at }
        };
        all.iter().filter(wrong).take(most + 1).count()
    };
    let good = all.iter().filter(|a| !a.1).map(|a| a.0[0]);
    let best = good.map(|at| (misplaced(at), at));
    let best = best.min_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)))?;
    if best.0 > most {
        return None;
    }
    let beyond = all.iter().filter(|a| a.1 && a.0[1] > best.1);
    let upper = beyond.clone().map(|a| a.0[1]).fold(f64::INFINITY, f64::min);
    let far = beyond.count();
    if far < FEWEST.1 || !upper.is_finite() {
        return None;
    }
    let between = if above {
        [best.1, upper]
    } else {
        [-upper, -best.1]
    };
    Some(Condition::Beyond {
        quantity,
        above,
        between,
    })
}

/// Returns periods in steps that part the intervals: those without a phase first.
fn each_steps(followed: &[Followed]) -> Vec<Condition> {
    let mut fits = Vec::new();
    let Some(first) = followed
        .iter()
        .filter(|f| f.bad)
        .min_by_key(|f| (f.steps(), f.number))
    else {
        return Vec::new();
    };
    let last = followed.iter().map(|f| f.number + f.steps()).max();
    let longest = last.unwrap_or(0) / OCCASIONS;
    let most = (MISPLACED * followed.len() as f64).floor() as usize;
    for period in 2..=longest {
        for event in first.number + 1..=first.number + first.steps() {
            let phase = event % period;
            let until = |n: u64| (n + period - phase) / period;
            let wrong = |f: &&Followed| (until(f.number + f.steps()) > until(f.number)) != f.bad;
            if followed.iter().filter(wrong).take(most + 1).count() <= most {
                fits.push((phase, period));
            }
        }
    }
    let plain = |f: &(u64, u64)| f.0 == 0;
    if fits.iter().any(plain) {
        fits.retain(plain);
    }
    let periods = || fits.iter().map(|f| f.1);
    let between = [periods().min().unwrap_or(0), periods().max().unwrap_or(0)];
    let condition = |&(phase, period): &(u64, u64)| Condition::EachSteps {
        period,
        phase,
        between,
    };
    fits.iter().map(condition).collect()
}

/// Returns a period in time that parts the intervals, from those in steps of the finest history.
fn each_time(followed: &[Followed], body: &Start) -> Vec<Condition> {
    let h = followed.iter().map(|f| f.h).fold(f64::INFINITY, f64::min);
    let finest: Vec<Followed> = followed.iter().filter(|f| f.h == h).cloned().collect();
    let most = (MISPLACED * followed.len() as f64).floor() as usize;
    let parts = |condition: &Condition| {
        // The step before or after a multiple may be meant.
        let wrong = |f: &&Followed| condition.predicts(f, body).is_some_and(|has| has != f.bad);
        followed.iter().filter(wrong).count() <= most
    };
    let of = |c: Condition| match c {
        Condition::EachSteps {
            period, phase: 0, ..
        } => Some(Condition::EachTime {
            period: period as f64 * h,
            between: [period as f64 * h; 2],
        }),
        _ => None,
    };
    let all = each_steps(&finest).into_iter().filter_map(of);
    let first = all.filter(parts).take(1);
    first.map(|c| bounded(c, followed)).collect()
}

/// Returns a period in time with the times between which it is: each interval that does not follow the rule has a multiple.
fn bounded(condition: Condition, followed: &[Followed]) -> Condition {
    let Condition::EachTime { period, .. } = condition else {
        return condition;
    };
    let mut between = [0.0, f64::INFINITY];
    for f in followed.iter().filter(|f| f.bad) {
        let end = f.t + f.h * f.steps() as f64;
        let count = (0.5 * (f.t + end) / period).round();
        // The step before or after a multiple may be meant, but for one that ends at it.
        let [low, high] = [f.t / count, end / count];
        if count >= 1.0 && low <= between[1] && high >= between[0] {
            between = [between[0].max(low), between[1].min(high)];
        }
    }
    if !(between[0] < between[1] && between[1].is_finite()) {
        return condition;
    }
    // Multiples of the middle lie within the same steps.
    let period = between[0] + 0.75 * (between[1] - between[0]);
    Condition::EachTime { period, between }
}

/// Returns the one step in which all exceptions lie, if one of few steps can be told.
fn once(followed: &[Followed]) -> Option<Condition> {
    let mut bad = followed.iter().filter(|f| f.bad);
    let only = bad.next().filter(|f| f.steps() == 1)?;
    bad.all(|f| f.number < only.number + 1 && f.number + f.steps() > only.number)
        .then_some(Condition::Once(only.number + 1))
}
