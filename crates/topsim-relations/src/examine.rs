//! All relations of a problem over a ladder of steps.

use crate::holding::StepDependence;
use crate::image::Image;
use crate::motion::{Function, Motion, MotionRows};
use crate::not_applicable::NotApplicable;
use crate::report::{RelationReport, RelationsReport};
use crate::residual::{Ran, Residual, RowFloor};
use crate::table::Relation;
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::math::{LEAST_ORDER, slopes};
use topsim_model::probe::{Answer, Probe, Target};
use topsim_protocol::problem::{ProblemChoice, span};

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

/// Returns the motions that are asked for before any image.
pub fn motion_questions(
    problem: &Problem,
    choice: &ProblemChoice,
    target: &dyn Target,
) -> Vec<Probe> {
    let motions = ladder(problem, choice, target.sees_flight()).unwrap_or_default();
    motions.into_iter().map(|motion| motion.0).collect()
}

/// Returns the images that are asked for once the motions are there.
pub fn image_questions(
    problem: &Problem,
    choice: &ProblemChoice,
    target: &dyn Target,
    floor: Option<&dyn RowFloor>,
) -> Vec<Probe> {
    let posed = Images::pose(problem, choice, target, floor);
    posed.map_or_else(|_| Vec::new(), |posed| posed.asked.probes)
}

/// Has a solver run a problem and its images, and says of each relation whether it holds; `floor` is that of its rows, where it
/// was measured.
pub fn examine(
    problem: &Problem,
    choice: &ProblemChoice,
    target: &dyn Target,
    floor: Option<&dyn RowFloor>,
) -> RelationsReport {
    match Images::pose(problem, choice, target, floor) {
        Ok(images) => images.judge(target),
        Err(report) => *report,
    }
}

/// The images of each relation at each step, and the places of their questions; or why a relation has none.
type RelationImages = Result<Vec<(Vec<Image>, usize)>, NotApplicable>;

/// The images of the motions that a solver ran.
struct Images<'a> {
    ran: Vec<Ran<'a>>,
    asked: Inquiry,
    /// Places of the motions whose starts are perturbed.
    perturbed: Vec<usize>,
    posed: Vec<(Relation, RelationImages)>,
}

impl<'a> Images<'a> {
    /// Has a solver run the motions, and poses their images.
    ///
    /// # Errors
    /// The report where it ran none.
    fn pose(
        problem: &Problem,
        choice: &ProblemChoice,
        target: &dyn Target,
        floor: Option<&'a dyn RowFloor>,
    ) -> Result<Self, Box<RelationsReport>> {
        let not_run = |why: &NotApplicable, step| Box::new(RelationsReport::not_run(why, step));
        let motions = ladder(problem, choice, target.sees_flight());
        let motions = motions.map_err(|why| not_run(&why, None))?;
        let ran: Result<Vec<Ran>, _> = Ran::all(&motions, target, floor).into_iter().collect();
        let ran = ran.map_err(|why| not_run(&why, Some(motions[0].step())))?;
        let mut asked = Inquiry::default();
        let perturbed: Vec<usize> = ran.iter().map(|r| asked.put([r.perturbed()])).collect();
        let posed = Relation::ALL
            .iter()
            .map(|&relation| {
                let images = ran.iter().map(|r| {
                    let images = r.images(relation)?;
                    let first = asked.put(images.iter().map(|i| i.motion.clone()));
                    Ok((images, first))
                });
                (relation, images.collect::<RelationImages>())
            })
            .collect();
        Ok(Self {
            ran,
            asked,
            perturbed,
            posed,
        })
    }

    fn judge(self, target: &dyn Target) -> RelationsReport {
        let Self { ran, .. } = self;
        let answers = target.answers(&self.asked.probes);
        let conditioning: Vec<f64> = ran
            .iter()
            .zip(&self.perturbed)
            .map(|(ran, &k)| ran.conditioning(&answers[k]))
            .collect();
        let own = own_error(&ran, &conditioning);
        let relations = self.posed.into_iter().map(|(relation, images)| {
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
