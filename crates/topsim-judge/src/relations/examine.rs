//! All relations of a problem over a ladder of steps.

use super::holding::StepDependence;
use super::image::NotApplicable;
use super::motion::{Function, Motion, MotionRows};
use super::report::{RelationReport, RelationsReport};
use super::residual::{Ran, Residual};
use super::table::Relation;
use crate::history::LEAST_ORDER;
use crate::identification::floor::Floor;
use crate::protocol::{ProblemChoice, span};
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::math::slopes;
use topsim_model::probe::{Answer, Probe, Target};

/// Steps of the ladder, each half of the one before.
const RUNGS: usize = 4;
/// Steps of its first rung: the finest makes eight times as many.
const MOST_STEPS: f64 = 125.0;
const FEWEST_STEPS: f64 = 8.0;

/// The motions of a problem, from its coarsest step on.
fn ladder(
    problem: &Problem,
    choice: &ProblemChoice,
    flies: bool,
) -> Result<Vec<Motion>, NotApplicable> {
    let [start, case_end] = span(problem).ok_or(NotApplicable::NotPosed("the case has no run"))?;
    let span = choice.end.unwrap_or(case_end).min(case_end) - start;
    let own = problem.grids.iter().map(|g| g.h);
    let asked = choice.steps.iter().copied();
    let coarsest = if choice.steps.is_empty() {
        own.fold(0.0, f64::max)
    } else {
        asked.fold(0.0, f64::max)
    };
    let step = coarsest.min(span / FEWEST_STEPS);
    let mut motion = Motion::of(problem, step)?;
    if !flies {
        motion.0.flight = None;
    }
    let steps = (span / step * (1.0 + 1e-12)).floor().min(MOST_STEPS) as usize;
    let rung = |k: usize| motion.stepped(step / (1 << k) as f64, steps << k);
    Ok((0..RUNGS).map(rung).collect())
}

/// Judges a function of this process by relations alone: `solver` gives the states of a motion, from its start on.
pub fn judge_relations(
    problem: &Problem,
    choice: &ProblemChoice,
    solver: &mut dyn FnMut(&Motion) -> MotionRows,
) -> RelationsReport {
    examine(problem, choice, &Function(RefCell::new(solver)), None)
}

/// Has a solver run a problem and its images, and says of each relation whether it holds; `floor` is that of its rows, where it
/// was measured.
pub(crate) fn examine(
    problem: &Problem,
    choice: &ProblemChoice,
    target: &dyn Target,
    floor: Option<Floor>,
) -> RelationsReport {
    let motions = match ladder(problem, choice, target.sees_flight()) {
        Ok(motions) => motions,
        Err(why) => return RelationsReport::not_run(&why, None),
    };
    let ran: Result<Vec<Ran>, _> = Ran::all(&motions, target, floor).into_iter().collect();
    let ran = match ran {
        Ok(ran) => ran,
        Err(why) => return RelationsReport::not_run(&why, Some(motions[0].step())),
    };
    let mut asked = Inquiry::default();
    let perturbed: Vec<usize> = ran.iter().map(|r| asked.put([r.perturbed()])).collect();
    let posed: Vec<_> = Relation::ALL
        .iter()
        .map(|&relation| {
            let images = ran.iter().map(|r| {
                let images = r.images(relation)?;
                let first = asked.put(images.iter().map(|i| i.motion.clone()));
                Ok((images, first))
            });
            (relation, images.collect::<Result<Vec<_>, NotApplicable>>())
        })
        .collect();
    let answers = target.answers(&asked.probes);
    let conditioning: Vec<f64> = ran
        .iter()
        .zip(&perturbed)
        .map(|(ran, &k)| ran.conditioning(&answers[k]))
        .collect();
    let own = own_error(&ran, &conditioning);
    let relations = posed.into_iter().map(|(relation, images)| {
        let residuals = images.and_then(|images| {
            let each = ran.iter().zip(images).zip(&conditioning);
            each.map(|((ran, (images, first)), &c)| {
                let own: Vec<Answer> = answers[first..first + images.len()].to_vec();
                ran.residual(&images, own, c)
            })
            .collect::<Result<Vec<Residual>, _>>()
        });
        RelationReport::new(relation, residuals, &own)
    });
    RelationsReport::new(
        relations.collect(),
        &ran[0].motion,
        own.order,
        answers.len() + ran.len(),
    )
}

/// What is asked for, all at once.
#[derive(Default)]
struct Inquiry {
    probes: Vec<Probe>,
}

impl Inquiry {
    /// Adds motions and gives the place of the first one.
    fn put(&mut self, motions: impl IntoIterator<Item = Motion>) -> usize {
        let first = self.probes.len();
        self.probes.extend(motions.into_iter().map(|m| m.0));
        first
    }
}

/// How the rows themselves change from step to step.
fn own_error(ran: &[Ran], conditioning: &[f64]) -> StepDependence {
    let pairs = ran.windows(2).zip(conditioning);
    let points: Vec<_> = pairs
        .map(|(pair, &c)| {
            let step = pair[0].motion.step();
            (step, pair[0].change_to(&pair[1]), pair[0].rounding(c))
        })
        .collect();
    StepDependence {
        // Rows that change without converging are those of a tolerance.
        order: slopes(&points)
            .last()
            .copied()
            .filter(|p| *p >= LEAST_ORDER),
        conditioning: conditioning.iter().copied().fold(1.0, f64::max),
    }
}
