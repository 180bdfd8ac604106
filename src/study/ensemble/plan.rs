//! Computes the errors of each scheme of an ensemble at each step angle, member by member.

use super::EnsembleTable;
use super::family::{Family, FamilyMember};
use std::cell::Cell;
use std::convert::Infallible;
use tiles::{CellLayout, CellStudy, Definition, Unfinished};
use topsim_case::SchemeEntry;
use topsim_core::integration::registry::BindFunction;
use topsim_core::integration::{Experiment, Refusal, Stops, follow_together};
use topsim_core::math::{Mat3, scalar, so3};
use topsim_core::models::{Model, Quantity};
use topsim_core::schemes::lanes::LANES;

/// The number that a cell has where a step failed.
pub(super) const FAILED: i32 = -1;
/// Errors are kept as decimal logarithms in units of this: 2 parts in a million.
const UNIT: f64 = 1e-6;
/// The least error that is told from none.
const LEAST: f64 = 1e-20;
/// The largest number: no angle is larger than π.
const LIMIT: u32 = 21_000_000;
/// Number of times of a run, the last its end, at which the error is taken; the largest counts.
pub(super) const TIMES: u64 = 8;
/// The numbers change when this does: with a family, the times, or what a cell means.
const REVISION: u32 = 1;

/// Steps of an escape map, made in SIMD lanes, that take about as long as a step here.
const STEPS_OF_MAPS: u32 = 16;

/// A scheme with its parameters.
#[derive(Clone)]
pub(super) struct EnsembleScheme {
    pub entry: SchemeEntry,
    pub bind: BindFunction,
}

impl EnsembleScheme {
    /// Binds the scheme to a member of its family.
    pub fn bound(&self, member: &FamilyMember) -> Result<Experiment, Refusal> {
        (self.bind)(&member.model, &self.entry.parameters)
    }
}

/// A step angle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepAngle {
    /// φ = h times the largest rate of the motion, rad.
    pub angle: f64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps after which the error is taken.
    pub stops: Vec<u64>,
}

impl StepAngle {
    /// Returns the step of a member, s.
    fn step(&self, member: &FamilyMember) -> f64 {
        self.angle / member.rate
    }

    /// Makes a step angle of runs over so many radians; `None` where it does not divide them.
    pub fn new(angle: f64, radians: f64) -> Option<Self> {
        const WHOLE: f64 = 1e-9;
        let parts = radians / angle;
        let steps = parts.round();
        let divides = angle > 0.0 && (1.0..1e9).contains(&steps);
        if !(divides && (parts - steps).abs() <= WHOLE * steps) {
            return None;
        }
        let steps = steps as u64;
        let mut stops: Vec<u64> = (1..=TIMES).map(|i| (i * steps).div_ceil(TIMES)).collect();
        stops.dedup();
        Some(Self {
            angle,
            steps,
            stops,
        })
    }
}

/// An ensemble with its schemes and step angles.
#[derive(Clone)]
pub(super) struct EnsemblePlan {
    pub table: EnsembleTable,
    pub schemes: Vec<EnsembleScheme>,
    pub ladder: Vec<StepAngle>,
}

/// Returns the error of a number; `None` where a step failed.
pub(super) fn error_of(number: f64) -> Option<f64> {
    let is_error = number >= 0.0 && number <= f64::from(LIMIT);
    is_error.then(|| scalar::powf(10.0, number * UNIT) * LEAST)
}

/// Returns the number that stands for an error.
pub(super) fn number_of(error: f64) -> i32 {
    if !error.is_finite() {
        return FAILED;
    }
    let number = (scalar::log10(error.max(LEAST) / LEAST) / UNIT).round();
    number.min(f64::from(LIMIT)) as i32
}

impl EnsemblePlan {
    /// Returns how many numbers a member has: one for each scheme and each step angle.
    pub fn each(&self) -> usize {
        self.schemes.len() * self.ladder.len()
    }

    /// Returns how many steps a member takes.
    pub fn steps(&self) -> u64 {
        let once: u64 = self.ladder.iter().map(|r| r.steps).sum();
        once * self.schemes.len() as u64
    }

    fn drawn(&self, k: u64) -> FamilyMember {
        self.table.family.member(self.table.seed, k)
    }

    /// Computes the numbers of members, side by side: those of a member for each scheme and each step angle.
    ///
    /// # Errors
    /// [`Unfinished::Stopped`] after `go_on` has returned false.
    fn members(
        &self,
        cells: &[u64],
        out: &mut [i32],
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Unfinished<Infallible>> {
        let members: Vec<FamilyMember> = cells.iter().map(|&k| self.drawn(k)).collect();
        let truth = |rung: &StepAngle, member: &FamilyMember| {
            ExactAttitudes::of(self.table.family, &member.model, rung, rung.step(member))
        };
        let truths = self.ladder.iter().map(|rung| {
            let of_members = members.iter().map(|member| truth(rung, member));
            of_members.collect::<Vec<_>>()
        });
        let truths: Vec<_> = truths.collect();
        // A run that was stopped has not failed.
        let stopped = Cell::new(false);
        let wanted = || {
            let goes_on = go_on();
            stopped.set(stopped.get() || !goes_on);
            goes_on
        };
        out.fill(FAILED);
        for (s, scheme) in self.schemes.iter().enumerate() {
            let bound: Vec<_> = members.iter().map(|m| scheme.bound(m).ok()).collect();
            for (r, (rung, truths)) in self.ladder.iter().zip(&truths).enumerate() {
                let runs = bound.iter().zip(truths).enumerate();
                let runs =
                    runs.filter_map(|(m, (e, truth))| Some((m, e.as_ref()?, truth.as_ref()?)));
                let runs: Vec<_> = runs.collect();
                let experiments: Vec<&Experiment> = runs.iter().map(|run| run.1).collect();
                let stops = runs.iter().map(|&(m, ..)| Stops {
                    start: 0.0,
                    step: rung.step(&members[m]),
                    counts: &rung.stops,
                    displacement: &[],
                    wanted: &wanted,
                });
                let stops: Vec<Stops> = stops.collect();
                let mut errors: Vec<f64> = runs.iter().map(|run| run.2.bound).collect();
                let whole = follow_together(&experiments, &stops, &mut |i, stop, row| {
                    let (_, experiment, truth) = runs[i];
                    errors[i] = truth.worse(errors[i], experiment, stop, row);
                    errors[i].is_finite()
                });
                if stopped.get() {
                    return Err(Unfinished::Stopped);
                }
                for (((m, ..), error), whole) in runs.into_iter().zip(errors).zip(whole) {
                    if whole {
                        out[m * self.each() + s * self.ladder.len() + r] = number_of(error);
                    }
                }
            }
        }
        go_on().then_some(()).ok_or(Unfinished::Stopped)
    }

    /// Returns the torque evaluations of the runs of a scheme at each step angle: the mean over the first members.
    pub fn work(&self, scheme: &EnsembleScheme, go_on: &dyn Fn() -> bool) -> Vec<Option<f64>> {
        const COUNTED: u32 = 16;
        let mut sums = vec![Some(0.0); self.ladder.len()];
        let first = self.table.members.min(COUNTED);
        for k in 0..first {
            let member = self.drawn(u64::from(k));
            let bound = scheme.bound(&member).ok();
            for (sum, rung) in sums.iter_mut().zip(&self.ladder) {
                let steps = (0.0, rung.step(&member), rung.steps);
                let made = bound.as_ref().and_then(|e| e.evaluations(steps, go_on));
                let said = made.and_then(Result::ok).map(|[said, _]| said as f64);
                *sum = sum.zip(said).map(|(sum, said)| sum + said);
            }
        }
        let means = sums.into_iter().map(|sum| Some(sum? / f64::from(first)));
        means.collect()
    }
}

impl CellStudy for EnsemblePlan {
    type Error = Infallible;

    fn definition(&self) -> Definition {
        let table = &self.table;
        let schemes = self.schemes.iter().map(|s| {
            let SchemeEntry {
                name, parameters, ..
            } = &s.entry;
            format!("{} = {name} {:?}", s.entry.label(), parameters.0)
        });
        let schemes: Vec<String> = schemes.collect();
        let angles: Vec<String> = self.ladder.iter().map(|r| r.angle.to_string()).collect();
        Definition::default()
            .with("program", env!("CARGO_PKG_VERSION"))
            .with("revision", REVISION)
            .with("family", table.family.name())
            .with("seed", table.seed)
            .with("members", table.members)
            .with("radians", table.radians)
            .with("steps", angles.join(", "))
            .with("schemes", schemes.join("; "))
    }

    fn layout(&self) -> CellLayout {
        let steps = u32::try_from(self.steps()).unwrap_or(u32::MAX);
        CellLayout {
            cells: u64::from(self.table.members),
            each: self.each() as u32,
            limit: LIMIT,
            row: 1,
            cost: steps.saturating_mul(STEPS_OF_MAPS),
        }
    }

    fn fill(
        &self,
        cells: &[u64],
        numbers: &mut [i32],
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Unfinished<Infallible>> {
        let members = cells
            .chunks(LANES)
            .zip(numbers.chunks_mut(LANES * self.each()));
        for (cells, out) in members {
            self.members(cells, out, go_on)?;
        }
        Ok(())
    }
}

/// The exact attitudes of a member at the times of a step angle, and the bound of their error.
struct ExactAttitudes {
    attitudes: Vec<Mat3>,
    bound: f64,
}

impl ExactAttitudes {
    fn of(family: Family, model: &Model, rung: &StepAngle, h: f64) -> Option<Self> {
        let form = family.form().closed_form(model, 0.0).ok()??;
        let first = form.columns().position("R11")?;
        let mut row = vec![0.0; form.columns().width()];
        let mut truth = Self {
            attitudes: Vec::with_capacity(rung.stops.len()),
            bound: 0.0,
        };
        for &stop in &rung.stops {
            let t = stop as f64 * h;
            form.row(t, &mut row);
            truth.attitudes.push(attitude(&row, first));
            truth.bound = truth.bound.max(form.error_of(t, Quantity::Attitude));
        }
        Some(truth)
    }

    /// Returns the larger of an error and that of a row at a stop, rad; a value that is not a number stays.
    fn worse(&self, error: f64, experiment: &Experiment, stop: usize, row: &[f64]) -> f64 {
        let Some(first) = experiment.columns().position("R11") else {
            return f64::NAN;
        };
        let here = so3::angle_between(&attitude(row, first), &self.attitudes[stop]);
        if here <= error { error } else { here }
    }
}

fn attitude(row: &[f64], first: usize) -> Mat3 {
    Mat3::from_row_slice(&row[first..first + 9])
}
