//! By how much a motion and its image differ, and what rounding may leave of it.

use crate::image::{Image, ImageSource, state};
use crate::motion::{Function, Motion, MotionRows};
use crate::not_applicable::NotApplicable;
use crate::table::Relation;
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::math::{Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::precision::{self, Precision};
use topsim_model::probe::{Answer, Probe, Row, Target};

/// A motion and its image side by side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Residual {
    /// Step, s.
    pub step: f64,
    /// Largest angle in rad, or part of the largest rate, between the motion and its image mapped back. Infinite where
    /// rows are missing.
    pub size: f64,
    /// What rounding may leave: 50 ε √n, as much as the motion amplifies differences.
    pub allowed: f64,
    /// Whether all numbers are the same bits.
    pub identical: bool,
    /// Time since the start at which it is largest, s.
    pub at: f64,
}

impl Residual {
    /// Whether rounding explains it.
    pub fn is_rounding(&self) -> bool {
        self.size <= self.allowed
    }
}

/// Rounding may leave so many units.
const UNITS: f64 = 50.0;
/// Relative rounding of double and of single numbers.
const DOUBLE: f64 = f64::EPSILON;
const SINGLE: f64 = f32::EPSILON as f64;

/// Measures a relation at one step of a problem: `solver` gives the states of a motion from its start on, one after each step.
///
/// # Errors
/// [`NotApplicable`] where the problem has no such image, or the solver gives no rows.
pub fn residual(
    relation: Relation,
    problem: &Problem,
    step: f64,
    solver: &mut dyn FnMut(&Motion) -> MotionRows,
) -> Result<Residual, NotApplicable> {
    let target = Function(RefCell::new(solver));
    let motion = Motion::of(problem, step)?;
    let ran = Ran::all(&[motion], &target, None).remove(0)?;
    let images = ran.images(relation)?;
    let probes: Vec<Probe> = images.iter().map(|i| i.motion.0.clone()).collect();
    let perturbed = target.answers(&[ran.perturbed().0]).remove(0);
    let conditioning = ran.conditioning(&perturbed);
    ran.residual(&images, target.answers(&probes), conditioning)
}

/// The floor of a solver's rows, as it was measured.
pub trait RowFloor {
    /// Detects numbers of single precision.
    fn is_single(&self) -> bool;
    /// Returns the rounding of a step of `h` s, relative.
    fn unit(&self, h: f64) -> f64;
}

/// A motion that the solver ran.
pub(crate) struct Ran<'a> {
    pub motion: Motion,
    pub rows: Vec<Row>,
    /// Form of its written numbers.
    pub precision: Precision,
    /// The floor of the solver's rows, where it was measured.
    pub floor: Option<&'a dyn RowFloor>,
    /// Largest rate, rad/s; 1 of a body that never moves.
    scale: f64,
}

/// A perturbation of the start, relative: large beside rounding, small beside the motion.
const PERTURBED: f64 = 1e-6;

impl<'a> Ran<'a> {
    /// Has the solver run motions.
    pub fn all(
        motions: &[Motion],
        target: &dyn Target,
        floor: Option<&'a dyn RowFloor>,
    ) -> Vec<Result<Self, NotApplicable>> {
        let probes: Vec<Probe> = motions.iter().map(|m| m.0.clone()).collect();
        let answers = target.answers(&probes);
        let each = motions.iter().zip(answers);
        each.map(|(motion, answer)| Self::new(motion, answer, floor))
            .collect()
    }

    fn new(
        motion: &Motion,
        answer: Answer,
        floor: Option<&'a dyn RowFloor>,
    ) -> Result<Self, NotApplicable> {
        let rows = whole(answer, motion.steps() + 1)?;
        let largest = rows.iter().map(|r| r.omega.norm()).fold(0.0, f64::max);
        Ok(Self {
            motion: motion.clone(),
            precision: precision::of_rows(|| rows.iter()),
            floor,
            scale: if largest > 0.0 { largest } else { 1.0 },
            rows,
        })
    }

    pub fn images(&self, relation: Relation) -> Result<Vec<Image>, NotApplicable> {
        (relation.row().pose)(&ImageSource {
            symmetry: relation.symmetry(),
            motion: &self.motion,
            rows: &self.rows,
            single: match &self.floor {
                Some(floor) => floor.is_single(),
                None => self.precision.single,
            },
        })
    }

    /// So much is the start perturbed.
    fn perturbation(&self) -> f64 {
        (1e3 * self.precision.digits).clamp(PERTURBED, 1e-2)
    }

    /// The motion from a start nearby.
    pub fn perturbed(&self) -> Motion {
        let mut motion = self.motion.clone();
        let start = &mut motion.0.start;
        let size = self.perturbation();
        start.att *= so3::exp(&(Vec3::new(0.6, -0.48, 0.64) * size));
        start.omega += Vec3::new(-0.48, 0.64, 0.6) * (size * self.scale);
        motion
    }

    /// How much the motion amplifies a difference of its start; at least 1.
    pub fn conditioning(&self, perturbed: &Answer) -> f64 {
        let rows = perturbed.as_deref().unwrap_or_default();
        let beside = self.rows.iter().zip(rows);
        let apart = beside.map(|(a, b)| apart(&state(a), &state(b), self.scale));
        (apart.fold(0.0, f64::max) / self.perturbation()).max(1.0)
    }

    /// The rows of the images held beside those of the motion: the worst of them.
    pub fn residual(
        &self,
        images: &[Image],
        answers: Vec<Answer>,
        conditioning: f64,
    ) -> Result<Residual, NotApplicable> {
        let mut worst: Option<Residual> = None;
        for (image, answer) in images.iter().zip(answers) {
            let found = self.of_image(image, answer, conditioning)?;
            let identical = found.identical && worst.is_none_or(|w| w.identical);
            // A NaN is the worst of all.
            if worst.is_none_or(|w| !(found.size <= w.size)) {
                worst = Some(found);
            }
            if let Some(w) = &mut worst {
                w.identical = identical;
            }
        }
        worst.ok_or_else(|| NotApplicable::NotSolved("no image".into()))
    }

    fn of_image(
        &self,
        image: &Image,
        answer: Answer,
        conditioning: f64,
    ) -> Result<Residual, NotApplicable> {
        let wanted = image.motion.steps() + 1;
        let rows = answer?;
        let (mut size, mut at, mut identical) = (0.0, 0, rows.len() >= wanted);
        if rows.len() < wanted {
            (size, at) = (f64::INFINITY, rows.len());
        }
        for (k, (a, b)) in image.pairs(&self.rows, &rows).take(wanted).enumerate() {
            identical &= a == b;
            let apart = if a == b {
                0.0
            } else {
                apart(&a, &b, self.scale)
            };
            if !(apart <= size) {
                (size, at) = (apart, k);
            }
        }
        // Digits that are not written grow where a motion begins from them.
        let begun = if image.begins_from_row() {
            conditioning
        } else {
            0.0
        };
        Ok(Residual {
            step: self.motion.step(),
            size,
            allowed: self.rounding(conditioning) + UNITS * self.precision.digits * begun,
            identical,
            at: at as f64 * self.motion.step(),
        })
    }

    /// What rounding may leave of two motions: that of the steps grows with the motion, that of writing does not.
    pub fn rounding(&self, conditioning: f64) -> f64 {
        let Precision { digits, single } = self.precision;
        let unit = match &self.floor {
            Some(floor) => floor.unit(self.motion.step()).max(DOUBLE),
            None if single => SINGLE,
            None => DOUBLE,
        };
        let steps = (self.motion.steps() as f64).sqrt();
        UNITS * (unit * steps * conditioning + digits)
    }

    /// Largest difference from a run with half the step, at the times of this one.
    pub fn change_to(&self, finer: &Self) -> f64 {
        let beside = self.rows.iter().zip(finer.rows.iter().step_by(2));
        let apart = beside.map(|(a, b)| apart(&state(a), &state(b), self.scale));
        apart.fold(0.0, f64::max)
    }
}

/// All rows of an answer.
fn whole(answer: Answer, wanted: usize) -> Result<Vec<Row>, NotApplicable> {
    let rows = answer?;
    if rows.len() < wanted {
        let why = format!("{} of {wanted} rows are states of a body", rows.len());
        return Err(NotApplicable::NotSolved(why));
    }
    Ok(rows)
}

/// Angle between attitudes in rad, or difference of rates as a part of `scale`, whichever is larger.
fn apart(a: &RotState, b: &RotState, scale: f64) -> f64 {
    let (angle, rate) = (
        so3::angle_between(&a.att, &b.att),
        (a.omega - b.omega).norm() / scale,
    );
    if angle.is_nan() || rate.is_nan() {
        return f64::INFINITY;
    }
    angle.max(rate)
}
