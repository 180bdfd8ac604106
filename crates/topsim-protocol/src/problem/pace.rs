//! Equivalent problems with another step: where the body turns σ times as fast under σ² times the torque, a step of h/σ does
//! what a step of h did. A solver that can make one step alone shows every step so.

use super::SolverProblem;
use std::fmt;
use std::str::FromStr;
use topsim_core::models::{Flight, TorqueModel};
use topsim_model::probe::{Answer, Load, NoRows, Probe, Row, Target};
use topsim_model::units::ChangeOfUnits;

/// The only step that a solver can make, s: problems with other steps are posed to it as equivalent ones with this step.
///
/// As a text it is a number such as `0.01`, or `1/60`. Decimals that end where those of one over a whole number are rounded,
/// such as `0.0166667`, are that number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlyStep(f64);

/// A text that is no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed: {}", Self::ALLOWED)]
pub struct InvalidOnlyStep;

impl InvalidOnlyStep {
    /// The allowed texts.
    pub const ALLOWED: &str = "a number of seconds greater than 0, at most 1e9, or one over a whole number such as `1/60`";
}

/// Least number of significant digits that are not by chance those of one over a whole number, rounded.
const ROUNDED_DIGITS: usize = 5;
/// Longest step, s.
const LONGEST: f64 = 1e9;

impl OnlyStep {
    /// Returns the step of this length; none if it is not greater than 0, or too long.
    pub fn new(seconds: f64) -> Option<Self> {
        (seconds > 0.0 && seconds <= LONGEST).then_some(Self(seconds))
    }
    /// Returns the step that is written as this number of seconds.
    ///
    /// # Errors
    /// [`InvalidOnlyStep`].
    pub fn written(seconds: f64) -> Result<Self, InvalidOnlyStep> {
        seconds.to_string().parse()
    }
    /// Returns its length, s.
    pub fn seconds(self) -> f64 {
        self.0
    }
    /// Returns the equivalent problem with this step.
    ///
    /// # Errors
    /// Returns the reason if there is no equivalent problem.
    pub fn pose(self, problem: &SolverProblem) -> Result<SolverProblem, &'static str> {
        self.pace(problem.step).pose(problem)
    }
    /// Returns the pace at which a step of `h` is posed as this one.
    pub fn pace(self, h: f64) -> Pace {
        Pace::new(h, self.0)
    }
}

impl FromStr for OnlyStep {
    type Err = InvalidOnlyStep;
    fn from_str(text: &str) -> Result<Self, InvalidOnlyStep> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let seconds = match text.split_once('/') {
            Some((a, b)) => number(a).zip(number(b)).map(|(a, b)| a / b),
            None => number(text).map(|x| unrounded(text.trim(), x)),
        };
        seconds.and_then(Self::new).ok_or(InvalidOnlyStep)
    }
}

/// Returns one over the whole number whose decimals, rounded, are this text, where there is one; else the number itself.
fn unrounded(text: &str, x: f64) -> f64 {
    let Some((_, decimals)) = text.split_once('.') else {
        return x;
    };
    let plain = decimals.bytes().all(|b| b.is_ascii_digit());
    let digits = decimals.trim_start_matches('0').len();
    let inverse = 1.0 / (1.0 / x).round();
    let same = || format!("{inverse:.*}", decimals.len()) == format!("{x:.*}", decimals.len());
    if plain && x < 1.0 && digits >= ROUNDED_DIGITS && same() {
        inverse
    } else {
        x
    }
}

impl fmt::Display for OnlyStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inverse = (1.0 / self.0).round();
        if self.0 == 1.0 / inverse && format!("{}", self.0).len() > ROUNDED_DIGITS + 3 {
            write!(f, "1/{inverse} s")
        } else {
            write!(f, "{} s", self.0)
        }
    }
}

/// Reasons for which a problem has no equivalent with another step.
const OPAQUE: &str = "only the solver knows the torque, so that topsim cannot pose it with the only step of the solver";
const NOT_SCALED: &str = "the torque has no number for its size, so that topsim cannot pose it with the only step of the solver";
const GIVEN_RATE: &str =
    "a given rate is posed with its own step, and not with the only step of the solver";

/// A step that is asked for, and the one by which a solver advances in the equivalent problem, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    asked: f64,
    made: f64,
    /// The step that the solver is told.
    named: f64,
}

impl Pace {
    /// Returns the pace at which a step of `asked` is posed as one that advances by `made`, s.
    pub fn new(asked: f64, made: f64) -> Self {
        Self {
            asked,
            made,
            named: made,
        }
    }
    /// Returns the same pace for a solver that is told another step than the one by which it advances.
    #[must_use]
    pub fn named(self, named: f64) -> Self {
        Self { named, ..self }
    }
    /// Returns the factor of rates.
    pub fn factor(self) -> f64 {
        self.asked / self.made
    }

    fn change(self) -> ChangeOfUnits {
        ChangeOfUnits {
            rate: self.factor(),
            ..ChangeOfUnits::none()
        }
    }

    fn torque(self, torque: &TorqueModel) -> Result<TorqueModel, &'static str> {
        let factor = self.factor();
        match torque {
            TorqueModel::Opaque(_) => Err(OPAQUE),
            TorqueModel::TimeTorque(torque) => Ok(torque.faster(factor).into()),
            TorqueModel::Gyrostat(torque) => Ok(torque.faster(factor).into()),
            TorqueModel::Wheels(torque) => Ok(torque.faster(factor).into()),
            TorqueModel::AxisDamping(torque) => Ok(torque.faster(factor).into()),
            TorqueModel::GravityGradient(torque) => Ok(torque.clone().faster(factor).into()),
            torque => self.change().torque(torque).ok_or(NOT_SCALED),
        }
    }

    /// Returns the equivalent problem.
    pub fn pose(self, of: &SolverProblem) -> Result<SolverProblem, &'static str> {
        if self.asked == self.made {
            return Ok(of.clone());
        }
        if of.rate.is_some() {
            return Err(GIVEN_RATE);
        }
        let factor = self.factor();
        let mut out = of.clone();
        out.torque = of.torque.as_ref().map(|t| self.torque(t)).transpose()?;
        let times = |v: &mut [f64; 3], x: f64| v.iter_mut().for_each(|c| *c *= x);
        if let Some(translation) = &mut out.translation {
            times(&mut translation.gravity, factor * factor);
            times(&mut translation.force, factor * factor);
        }
        if let Some(joint) = &mut out.joint {
            times(&mut joint.gravity, factor * factor);
            times(&mut joint.force, factor * factor);
        }
        let start = &mut out.initial;
        times(&mut start.angular_velocity_body, factor);
        times(&mut start.angular_velocity_space, factor);
        start.velocity.iter_mut().for_each(|v| times(v, factor));
        out.start = of.start / factor;
        out.end = of.end / factor;
        out.step = self.made;
        // Whole steps, without the rounding of the factor.
        let count = |t: &f64| ((t - of.start) / self.asked).round();
        let time = |t| out.start + count(t) * self.made;
        out.times = of.times.iter().map(time).collect();
        Ok(out)
    }

    /// Returns the equivalent run.
    pub fn probe(self, of: &Probe) -> Result<Probe, &'static str> {
        if self.asked == self.named && self.asked == self.made {
            return Ok(of.clone());
        }
        let factor = self.factor();
        let mut start = of.start.clone();
        start.omega *= factor;
        if !matches!(start.load, Load::None) {
            start.load = Load::from(&self.torque(of.start.top().torque())?);
        }
        Ok(Probe {
            start,
            from: of.from / factor,
            step: self.named,
            steps: of.steps,
            ends: of.ends,
            flight: of.flight.map(|flight| Flight {
                velocity: flight.velocity * factor,
                gravity: flight.gravity * (factor * factor),
                ..flight
            }),
        })
    }

    /// Turns a row of the equivalent run into that of the run. Its numbers stay as they are written.
    fn back(self, row: &mut Row) {
        let factor = self.factor();
        row.t *= self.asked / self.named;
        row.omega /= factor;
        row.rate /= factor;
    }
}

/// A solver to which runs are posed with other steps than those that are asked for.
pub struct Paced<'a, F> {
    /// The solver.
    pub target: &'a dyn Target,
    /// Returns the pace of a step.
    pub pace: F,
}

impl<F: Fn(f64) -> Pace> Paced<'_, F> {
    fn posed(&self, probes: &[Probe]) -> (Vec<Pace>, Vec<Result<Probe, &'static str>>) {
        let paces: Vec<Pace> = probes.iter().map(|p| (self.pace)(p.step)).collect();
        let posed = probes.iter().zip(&paces).map(|(p, pace)| pace.probe(p));
        (paces.clone(), posed.collect())
    }
}

impl<F: Fn(f64) -> Pace> Target for Paced<'_, F> {
    fn sees_flight(&self) -> bool {
        self.target.sees_flight()
    }

    fn foresee(&self, probes: &[Probe]) {
        let posed: Vec<Probe> = self.posed(probes).1.into_iter().flatten().collect();
        self.target.foresee(&posed);
    }

    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let (paces, posed) = self.posed(probes);
        let asked: Vec<Probe> = posed.iter().flatten().cloned().collect();
        let mut answers = self.target.answers(&asked).into_iter();
        let each = posed.into_iter().zip(paces);
        each.map(|(posed, pace)| match posed {
            Err(why) => Err(NoRows::Refused(why.into())),
            Ok(_) => {
                let none = || Err("it is not answered".into());
                let mut rows = answers.next().unwrap_or_else(none)?;
                rows.iter_mut().for_each(|row| pace.back(row));
                Ok(rows)
            }
        })
        .collect()
    }
}
