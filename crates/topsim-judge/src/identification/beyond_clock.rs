//! Further identification of a solver that has a clock of its own: it is asked for steps that this clock lets it make, and
//! shows what else is wrong with it.
//!
//! Where a step is cut off or prolonged at a limit, problems are posed with steps on the other side of it, as equivalent ones.
//! Where the time that a step advances is known, they are posed for that time.

use super::between::Between;
use super::cadence::Cadence;
use super::design;
use super::equations::laws;
use super::experiment::{Load, Probe, Start, Target};
use super::floor::Floor;
use super::note::Note;
use super::runs;
use super::symptom::Symptom;
use crate::thresholds::{EXPLAINED, FITTED, HUNDREDTH};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_protocol::problem::Pace;

/// Rates of a sphere, rad/s, that measure the time of a step by its turn: the slower ones are more exact, where rows have the digits, and a
/// solver may not move them.
const RATES: [f64; 3] = [1e-3, 1e-2, 0.1];
/// Part of its own step by which a step that is posed is longer: rounding to the nearest and rounding down agree there.
const LONGER: f64 = 0.4;
/// A step that is posed to a solver with one of its own, over that: longer by more than rounding, lest it be one short.
const MORE: f64 = 1.0 + 1e-12;
/// Steps that are posed to a solver with a limit, in parts of the limit: below a longest step, and above a shortest one.
const WITHIN: f64 = 0.5;
const BEYOND: f64 = 2.0;

/// Times that a solver with a clock of its own can be asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum OwnClock {
    /// Steps up to this one, and the pace of all problems.
    UpTo(f64, f64),
    /// Steps from this one on, and the pace of all problems.
    From(f64, f64),
    /// Steps that all advance by this time, s.
    Always(f64),
    /// Whole numbers of this time, s, which may be one more than the number that is posed, and the pace of all problems.
    Whole(f64, f64, f64),
}

impl OwnClock {
    /// Measures the clock; returns none if the cadence is one of turns, or if the spheres do not show it again. The designed steps, long to
    /// short, are posed at one pace, so that a number of a law in seconds is one number at all of them.
    pub fn measured(target: &dyn Target, cadence: Cadence, floor: &Floor) -> Option<Self> {
        let [longest, .., shortest] = runs::steps(floor);
        let single = floor.single().is_some();
        let advance = |h: f64, expected: f64| advance(target, h, expected, single);
        match cadence {
            Cadence::AtMost(limit) | Cadence::MultipleFrom(limit) => {
                Some(Self::UpTo(limit, (WITHIN * limit / longest).min(1.0)))
            }
            Cadence::AtLeast(limit) => {
                Some(Self::From(limit, (BEYOND * limit / shortest).max(1.0)))
            }
            Cadence::Fixed(step) => advance(step, step).map(|t| Self::Always(meant(t))),
            Cadence::Multiple(own) => [0.0, 1.0].into_iter().find_map(|more| {
                // What damping takes of a turn grows with the square of the time.
                let time = |count: f64| advance((count + LONGER) * own, (count + more) * own);
                let [few, many] = [2.0 + more, 4.0 + more];
                let square = (many / few).powi(2);
                let own = (square * time(2.0)? - time(4.0)?) / (square * few - many);
                let own = meant(own);
                let count = (shortest / own).round().max(1.0 + more);
                Some(Self::Whole(own, more, count * own / shortest))
            }),
            Cadence::Between(Between::Held, own) => {
                advance((2.0 + LONGER) * own, 2.0 * own).map(|t| Self::Always(meant(0.5 * t)))
            }
            Cadence::Between(_, own) => Some(Self::Always(meant(own))),
            Cadence::TurnAtMost(_) | Cadence::TurnAbove(_) => None,
        }
    }

    /// Returns what a symptom that was found at this clock's pace is in the solver's own time.
    pub fn in_own_time(self, mut symptom: Symptom) -> Vec<Symptom> {
        if let Self::Always(step) = self {
            return per_second(symptom, step);
        }
        let pace = self.common_pace();
        match &mut symptom {
            Symptom::Law {
                fitted, selection, ..
            } => {
                fitted.iter_mut().for_each(|f| f.slow_down(pace));
                selection.slow_down(pace);
            }
            Symptom::RateLimit(limit) => limit.most /= pace,
            Symptom::Sleep(slowed) => slowed.rates.iter_mut().for_each(|w| *w /= pace),
            Symptom::StateInSingle(growing) | Symptom::LooseIteration(growing) => {
                growing.steps.iter_mut().for_each(|h| *h *= pace)
            }
            _ => {}
        }
        vec![symptom]
    }

    /// Returns a note that was made at this clock's pace in the solver's own time.
    pub fn note_in_own_time(self, mut note: Note) -> Note {
        let pace = self.common_pace();
        match &mut note {
            Note::Grows(growing) => growing.steps.iter_mut().for_each(|h| *h *= pace),
            Note::OwnSteps(step) => *step *= pace,
            _ => {}
        }
        note
    }

    /// Returns the pace of all problems; one where each step has its own.
    fn common_pace(self) -> f64 {
        match self {
            Self::UpTo(_, pace) | Self::From(_, pace) | Self::Whole(_, _, pace) => pace,
            Self::Always(_) => 1.0,
        }
    }

    /// Returns the pace at which a step is posed.
    pub fn pace(self, h: f64) -> Pace {
        match self {
            Self::UpTo(limit, pace) => Pace::new(h, (h * pace).min(WITHIN * limit)),
            Self::From(limit, pace) => Pace::new(h, (h * pace).max(BEYOND * limit)),
            Self::Always(step) => Pace::new(h, step).named(step * MORE),
            Self::Whole(own, more, pace) => {
                let count = (h * pace / own - more).round().max(1.0);
                Pace::new(h, (count + more) * own).named((count + LONGER) * own)
            }
        }
    }
}

/// Returns the laws of a solver that always advances by one step which something that is done once a step is; another symptom is left.
fn per_second(symptom: Symptom, step: f64) -> Vec<Symptom> {
    let mut selection = match &symptom {
        Symptom::PerStep(selection, _) if selection.accepted => selection.clone(),
        _ => return vec![symptom],
    };
    for f in &mut selection.terms {
        f.added.iter_mut().for_each(|x| *x /= step);
        let errors = f.errors.iter_mut().zip(&f.added);
        errors.for_each(|(e, x)| *e = (*e / step).max(HUNDREDTH * x.abs()));
    }
    let laws: Vec<Symptom> = laws(&selection, true, None, None).collect();
    if laws.is_empty() { vec![symptom] } else { laws }
}

/// Returns the time by which a step of `h` advances a sphere, where it is about the one expected.
fn advance(target: &dyn Target, h: f64, expected: f64, single: bool) -> Option<f64> {
    let axis = Vec3::new(0.48, -0.6, 0.64);
    let mut rates = RATES;
    if single {
        rates.reverse();
    }
    let run = |rate: &f64| {
        let start = Start {
            att: Mat3::identity(),
            omega: axis * *rate,
            inertia: design::sphere(),
            load: Load::None,
        };
        Probe::new(&start, h, 1)
    };
    let answers = target.answers(&rates.each_ref().map(run));
    let times = answers.into_iter().zip(rates).filter_map(|(answer, rate)| {
        let rows = answer.ok()?;
        let turn = so3::log(&rows.first()?.att.tr_mul(&rows.get(1)?.att));
        Some(turn.norm() / rate)
    });
    let near = |t: &f64| (t / expected - 1.0).abs() <= EXPLAINED;
    times.into_iter().find(near)
}

/// Returns the number that is meant by one that is measured.
fn meant(t: f64) -> f64 {
    let near = |x: &f64| (x / t - 1.0).abs() <= FITTED;
    let short = format!("{t:.3e}").parse().ok();
    let inverse = 1.0 / (1.0 / t).round();
    short
        .filter(near)
        .or(Some(inverse).filter(near))
        .unwrap_or(t)
}
