//! The floor of a solver's rows, measured: a step from a start and from its neighbours differs by a smooth function of the
//! start and by rounding, and the third difference leaves the rounding alone.
//!
//! Source: `docs/science/identification.md`, section 3.

use super::design::{self, DesignPoint, Group, RUN, STEPS, Sizes};
use super::expansion::{self, RateTerms};
use super::experiment::{Row, Target};
use super::neighbours::{Family, NEIGHBOURS, Neighbours};
use super::precision;
use super::questions::{self, Scope};
use crate::thresholds::*;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::scalar;
use topsim_relations::RowFloor;

/// Weights of a third difference.
const THIRD: [f64; NEIGHBOURS + 1] = [-1.0, 3.0, -3.0, 1.0];
/// Variance of a third difference of independent numbers, in parts of their own.
const OF_THIRD_DIFFERENCE: f64 = 20.0;
/// Median of the square of three independent numbers, in parts of their variance.
const MEDIAN_OF_THREE: f64 = 2.366;
/// A rounding is at most so many of its scatters, if all are as frequent.
const BOUND: f64 = 2.0;

/// Scatter of the turn of a step, rad, and of the rate, relative to it, at each of the design's steps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Scatter {
    turn: [f64; 4],
    rate: [f64; 4],
    /// Rate and acceleration of the bodies, relative to the rate.
    motion: [f64; 2],
}

/// Numbers of a solver that are of single precision, or coarser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SinglePart {
    /// Attitude and rate.
    State,
    /// The attitude alone.
    Attitude,
    /// The rate alone.
    Rate,
    /// The attitude, from which the rate is made.
    RateOfTurns,
    /// Change that a step adds.
    Increments,
    /// The torque alone.
    Torque,
}

impl SinglePart {
    /// Returns a clause without its size.
    pub(crate) fn scatters(self) -> &'static str {
        match self {
            Self::State => "attitude and rate scatter",
            Self::Attitude => "the attitude alone scatters",
            Self::Rate => "the rate alone scatters",
            Self::RateOfTurns => "the attitude, from which the rate is made, scatters",
            Self::Increments => "the increment of a step scatters",
            Self::Torque => "the torque scatters",
        }
    }
}

/// Asks a solver for families of starts alone, and measures its floor; none where it does not answer.
pub(crate) fn measure(target: &dyn Target, scope: Scope) -> Option<Floor> {
    let all = questions::starts(Sizes::REDUCED, scope);
    let neighbours = Neighbours::new(&all);
    let chosen: Vec<DesignPoint> = neighbours.of.iter().map(|i| all[*i].clone()).collect();
    let asked = [&chosen[..], &neighbours.starts].concat();
    let answers = target.answers(&design::runs(&asked, STEPS));
    let mut rows: Vec<Option<Vec<Row>>> = answers.into_iter().map(Result::ok).collect();
    let written = precision::written(rows.iter().flatten().flatten());
    let near = rows.split_off(STEPS.len() * chosen.len());
    let mut at = expansion::answered(&chosen, STEPS, rows);
    for s in &mut at {
        s.index = neighbours.of[s.index];
    }
    let near = expansion::answered(&neighbours.starts, STEPS, near);
    let families = neighbours.families(&at, &near);
    (!families.is_empty()).then(|| Floor::new(written, &families))
}

/// The precision of a solver's numbers, measured between neighbouring starts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct MeasuredPrecision {
    /// The numbers that are of single precision.
    pub single: Option<SinglePart>,
    /// Scatter of these, or precision of the rows, relative.
    pub rounding: f64,
}

/// The least differences that the rows of a solver show.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Floor {
    /// Relative precision of written numbers.
    pub written: f64,
    /// Decimal unit of which all rates are whole numbers, rad/s, if there is one.
    pub unit_of_rates: Option<f64>,
    /// Scatter of all bodies.
    all: Scatter,
    /// Scatter of free bodies.
    free: Scatter,
    /// Scatter of bodies under a torque.
    heavy: Scatter,
}

/// Power of the step by which a scatter grows.
fn power(scatter: &[f64; 4]) -> f64 {
    let power = scalar::ln(scatter[0] / scatter[3]) / scalar::ln(STEPS[0] / STEPS[3]);
    if power.is_finite() { power } else { 0.0 }
}

impl Scatter {
    /// Measures families.
    fn of(all: &[&Family]) -> Self {
        let mut out = Self::default();
        for (j, h) in STEPS.into_iter().enumerate() {
            let (mut turns, mut rates) = (Vec::new(), Vec::new());
            for family in all {
                let size = family[0].designed.start.omega.norm();
                for row in 0..RUN {
                    let third = family
                        .iter()
                        .zip(THIRD)
                        .try_fold(RateTerms::zeros(), |sum, (s, c)| {
                            Some(sum + s.local(j, row)? * (c * h))
                        });
                    let Some(third) = third else {
                        continue;
                    };
                    turns.push(third.fixed_rows::<3>(0).norm_squared());
                    rates.push(third.fixed_rows::<3>(3).norm_squared() / (size * size));
                }
            }
            let root = |mut all: Vec<f64>| {
                all.sort_by(f64::total_cmp);
                let middle = all.get(all.len() / 2).copied().unwrap_or(0.0);
                let root = (middle / (MEDIAN_OF_THREE * OF_THIRD_DIFFERENCE)).sqrt();
                if root < DOUBLE { 0.0 } else { root }
            };
            (out.turn[j], out.rate[j]) = (root(turns), root(rates));
        }
        let n = all.len().max(1) as f64;
        for family in all {
            let s = &family[0].designed.start;
            let rate = s.omega.norm();
            out.motion[0] += rate / n;
            out.motion[1] += s.acceleration(0.0, &s.att, &s.omega).norm() / rate / n;
        }
        out
    }

    /// Returns a scatter at another step.
    fn at(scatter: &[f64; 4], h: f64) -> f64 {
        let power = power(scatter).clamp(-1.0, 1.0).round();
        // The nearest of the steps at which it was measured.
        let k = if h < STEPS[3] { 3 } else { 0 };
        if let Some(j) = STEPS.iter().position(|x| *x == h) {
            return scatter[j];
        }
        scatter[k] * (h / STEPS[k]).powf(power)
    }

    /// Returns the larger scatters of two kinds of bodies.
    fn larger(&self, other: &Self) -> Self {
        let larger = |a: &[f64; 4], b: &[f64; 4]| core::array::from_fn(|j| a[j].max(b[j]));
        Self {
            turn: larger(&self.turn, &other.turn),
            rate: larger(&self.rate, &other.rate),
            motion: core::array::from_fn(|k| self.motion[k].max(other.motion[k])),
        }
    }
}

impl Floor {
    /// Measures the floor of rows that are written with a relative precision.
    pub fn new(written: f64, families: &[Family]) -> Self {
        let of = |which: fn(Group) -> bool| {
            let chosen = families.iter().filter(|f| which(f[0].designed.group));
            Scatter::of(&chosen.collect::<Vec<_>>())
        };
        let (free, heavy) = (of(|g| g == Group::Free), of(|g| g != Group::Free));
        Self {
            written,
            unit_of_rates: None,
            all: free.larger(&heavy),
            free,
            heavy,
        }
    }

    /// Returns the scatter of the turn of a step of `h`, rad.
    pub fn turn(&self, h: f64) -> f64 {
        Scatter::at(&self.all.turn, h).max(self.written)
    }

    /// Returns the scatter of the rate after a step of `h`, relative.
    pub fn rate(&self, h: f64) -> f64 {
        Scatter::at(&self.all.rate, h).max(self.written)
    }

    /// Returns a bound of the rounding of both, relative.
    pub fn at(&self, h: f64) -> f64 {
        let scatter = Scatter::at(&self.all.turn, h).max(Scatter::at(&self.all.rate, h));
        self.written.max(BOUND * scatter)
    }

    /// Returns the rounding of a step of `h`, relative.
    pub fn unit(&self, h: f64) -> f64 {
        let scatter = Scatter::at(&self.all.turn, h).max(Scatter::at(&self.all.rate, h));
        scatter.max(f64::EPSILON)
    }

    /// Returns what the floor says of the precision of the solver's numbers; none where no neighbours were asked for.
    pub fn measured(&self) -> Option<MeasuredPrecision> {
        let single = self.single();
        let rounding = single.map_or_else(|| self.at(STEPS[3]), |(_, scatter)| scatter);
        (self.written > 0.0).then_some(MeasuredPrecision {
            single: single.map(|(part, _)| part),
            rounding,
        })
    }

    /// Returns the floor of rows that are written with a relative precision, and of which nothing else is known.
    #[cfg(test)]
    pub fn of_digits(written: f64) -> Self {
        Self {
            written,
            ..Self::default()
        }
    }

    /// Detects a scatter that does not depend on the step and is within these bounds.
    fn is_constant(&self, scatter: &[f64; 4], [least, most]: [f64; 2]) -> bool {
        power(scatter).abs() <= HALF_A_POWER
            && [scatter[0], scatter[3]]
                .iter()
                .all(|x| (least..=most).contains(x))
            && scatter[3] > ROUNDED_ONCE
            && scatter[3] > SAME_SIZE * self.written
    }

    /// Returns the scatter of what a step adds to a number that changes so fast, if it is within these bounds.
    fn of_change(&self, scatter: &[f64; 4], speed: f64, [least, most]: [f64; 2]) -> Option<f64> {
        let of_change = |j: usize| scatter[j] / (speed * STEPS[j]);
        let grows = power(scatter) > HALF_A_POWER && scatter[3] > SAME_SIZE * self.written;
        let within = [0, 3]
            .iter()
            .all(|j| (least..=most).contains(&of_change(*j)));
        (grows && within).then(|| of_change(3))
    }

    /// Returns the numbers that are of single precision, and their scatter.
    pub fn single(&self) -> Option<(SinglePart, f64)> {
        self.rounded([ROUNDING, SINGLE_DIGITS])
    }

    /// Returns the numbers that are rounded more coarsely than to single precision, and their scatter.
    pub fn coarse(&self) -> Option<(SinglePart, f64)> {
        self.rounded([SINGLE_DIGITS, HUNDREDTH])
    }

    /// Returns the numbers whose scatter is within these bounds.
    fn rounded(&self, bounds: [f64; 2]) -> Option<(SinglePart, f64)> {
        let Scatter { turn, rate, motion } = &self.all;
        // Decimals are no binary digits.
        let of_decimals = |unit: f64| (TENTH..=CLEARLY).contains(&(rate[3] * motion[0] / unit));
        if self.unit_of_rates.is_some_and(of_decimals) {
            return None;
        }
        let [least, most] = bounds;
        let from_turns =
            power(rate) < -HALF_A_POWER && (least..=most).contains(&(rate[3] * STEPS[3]));
        match (
            self.is_constant(turn, bounds),
            self.is_constant(rate, bounds),
        ) {
            (true, true) => Some((SinglePart::State, turn[3].max(rate[3]))),
            (true, false) if from_turns => Some((SinglePart::RateOfTurns, turn[3])),
            (true, false) => Some((SinglePart::Attitude, turn[3])),
            (false, true) => Some((SinglePart::Rate, rate[3])),
            (false, false) => {
                let torque = self
                    .of_change(&self.heavy.rate, self.heavy.motion[1], bounds)
                    .filter(|x| {
                        let of_free = self.free.rate[3] / (self.free.motion[1] * STEPS[3]);
                        self.free.turn[3] == 0.0 && of_free < TENTH * x
                    });
                let increments = || self.of_change(turn, motion[0], bounds);
                torque
                    .map(|x| (SinglePart::Torque, x))
                    .or_else(|| increments().map(|x| (SinglePart::Increments, x)))
            }
        }
    }
}

/// Returns a floor as relations take it.
pub(crate) fn as_row_floor(floor: Option<&Floor>) -> Option<&dyn RowFloor> {
    floor.map(|floor| floor as &dyn RowFloor)
}

impl RowFloor for Floor {
    fn is_single(&self) -> bool {
        self.single().is_some()
    }
    fn unit(&self, h: f64) -> f64 {
        Self::unit(self, h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identification::Scope;
    use crate::identification::questions::QuestionParts;
    use crate::identification::runs::MeasuredRuns;
    use crate::identification::{Sizes, experiment::Target};
    use wrong_solvers::{Precision, Print, Rule, Solver};

    fn floor(precision: Precision, rule: Rule, print: Print) -> Floor {
        let solver = Solver {
            precision,
            print,
            ..Solver::new(&[], rule)
        };
        let asked = QuestionParts::new(Sizes::REDUCED, Scope::whole(true));
        let answers = solver.answers(&asked.probes);
        MeasuredRuns::new(&asked, answers).unwrap().floor
    }

    #[test]
    fn what_is_of_single_precision_is_told() {
        use SinglePart as S;
        for (precision, wanted) in [
            (Precision::Double, None),
            (Precision::Whole, Some(S::State)),
            (Precision::State, Some(S::State)),
            (Precision::Principal, Some(S::State)),
            (Precision::Attitude, Some(S::Attitude)),
            (Precision::Rate, Some(S::Rate)),
            (Precision::RateOfTurns, Some(S::RateOfTurns)),
            (Precision::Increments, Some(S::Increments)),
            (Precision::Torque, Some(S::Torque)),
        ] {
            for rule in [Rule::Rk4, Rule::SemiImplicitEuler, Rule::MidpointTurn] {
                let floor = floor(precision, rule, Print::Whole);
                let found = floor.single().map(|x| x.0);
                assert_eq!(found, wanted, "{precision:?} {rule:?}: {floor:?}");
            }
        }
    }

    #[test]
    fn few_digits_are_not_single_precision() {
        for digits in [6, 9, 12] {
            let floor = floor(Precision::Double, Rule::Rk4, Print::Digits(digits));
            assert_eq!(floor.single(), None, "{floor:?}");
            assert!(
                floor.at(0.01) >= 4.9 * 10_f64.powi(-(digits as i32)),
                "{floor:?}"
            );
        }
    }
}
