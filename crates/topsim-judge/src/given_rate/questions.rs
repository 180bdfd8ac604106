//! The short problems that a solver of a given rate is asked.

use super::Answer;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::bodies::manufactured;
use topsim_core::models::given_rate::{Axes, Factor, Product, TimeFunction};
use topsim_core::models::{GivenRate, RateModel};
use topsim_core::schemes::given_rate::coning::{PHASES, small_cone};
use topsim_model::probe::RateProbe;
use topsim_protocol::problem::SAMPLES;

/// Axis of the turns about a fixed one: no component is zero, no two are equal.
pub(super) const AXIS: [f64; 3] = [0.36, 0.48, 0.8];
/// Constant rate, rad/s.
pub(super) const SPIN: f64 = 1.2;
/// Rate about the axis, rad/s, and its growth, rad/s².
pub(super) const GROWING: [f64; 2] = [0.5, 1.5];
/// The same, and the square of the time, rad/s³.
pub(super) const CURVED: [f64; 3] = [0.5, 0.0, 2.0];
/// Rate about the first axis, rad/s, and growth about the second, rad/s².
pub(super) const CROSSED: [f64; 2] = [0.3, 0.4];
/// Step of the questions, s, and rows after the first.
pub(super) const STEP: f64 = 0.25;
pub(super) const ROWS: u64 = 4;
/// Some questions are asked at a step that is shorter by so much, too: what falls then is an error of truncation.
pub(super) const FINER: u64 = 4;
/// Rows after the first of a small cone: rules with a memory have one in the last step.
const CONE_ROWS: u64 = 3;
/// Time between samples, s.
pub(super) const INTERVAL: f64 = STEP / SAMPLES as f64;

/// Turned, and so little that within a second of [`SPIN`] no Euler angles come near their singularity.
fn oblique() -> Mat3 {
    so3::exp(&Vec3::new(0.3, -0.2, 0.5))
}

fn polynomial(coefficients: &[f64]) -> TimeFunction {
    TimeFunction {
        polynomial: coefficients.to_vec(),
        sines: Vec::new(),
    }
}

/// Turns about the one axis; `rate` has the coefficients of its rate.
fn about_axis(rate: &[f64]) -> RateProbe {
    let powers = (1..).zip(rate).map(|(k, c)| c / f64::from(k));
    let angle: Vec<f64> = std::iter::once(0.0).chain(powers).collect();
    let factor = Factor {
        axis: AXIS,
        angle: polynomial(&angle),
    };
    let rate = RateModel::Product(Product {
        factors: vec![factor],
    });
    asking(rate, oblique())
}

fn asking(rate: RateModel, initial: Mat3) -> RateProbe {
    RateProbe {
        given: GivenRate { rate, initial },
        step: STEP,
        steps: ROWS,
    }
}

/// Two axes, one of them growing.
pub(super) fn crossed() -> RateProbe {
    let axes = Axes {
        x: polynomial(&[CROSSED[0]]),
        y: polynomial(&[0.0, CROSSED[1]]),
        z: polynomial(&[]),
    };
    asking(RateModel::Axes(axes), oblique())
}

/// Three turns that swing.
pub(super) fn swinging() -> RateProbe {
    let GivenRate { rate, initial } = manufactured();
    asking(rate, initial)
}

/// The same in shorter steps.
fn finer(question: RateProbe) -> RateProbe {
    RateProbe {
        step: question.step / FINER as f64,
        steps: question.steps * FINER,
        ..question
    }
}

/// The rows at the times `k` [`STEP`], at the step and at the shorter one.
pub(super) type Twice = [Vec<Mat3>; 2];

/// All answers.
pub(super) struct Answers {
    pub spin: Twice,
    pub growing: Vec<Mat3>,
    pub curved: Vec<Mat3>,
    pub crossed: Twice,
    pub swinging: Vec<Mat3>,
    /// The turn of a later step each, of the phases of [`PHASES`]; none where one was not answered.
    pub cones: Option<Vec<Mat3>>,
}

impl Answers {
    /// In the order in which [`Answers::of`] takes their answers.
    pub fn questions() -> Vec<RateProbe> {
        let mut all = vec![
            about_axis(&[SPIN]),
            finer(about_axis(&[SPIN])),
            about_axis(&GROWING),
            about_axis(&CURVED),
            crossed(),
            finer(crossed()),
            swinging(),
        ];
        all.extend(PHASES.map(|x| RateProbe {
            given: small_cone(),
            step: x,
            steps: CONE_ROWS,
        }));
        all
    }

    /// The answers, or why one is missing.
    pub fn of(answers: Vec<Answer>) -> Result<Self, String> {
        let mut answers = answers.into_iter();
        let mut next = |rows: u64| {
            let answer = answers.next().unwrap_or_else(|| Err("no answer".into()))?;
            let enough = answer.len() as u64 > rows;
            enough
                .then_some(answer)
                .ok_or_else(|| "its rows are too few".to_string())
        };
        let every = |rows: Vec<Mat3>| rows.into_iter().step_by(FINER as usize).collect();
        Ok(Self {
            spin: [next(ROWS)?, next(ROWS * FINER).map(every)?],
            growing: next(ROWS)?,
            curved: next(ROWS)?,
            crossed: [next(ROWS)?, next(ROWS * FINER).map(every)?],
            swinging: next(ROWS)?,
            // Coning turns evenly about the axis of the cone, so that every step makes the same turn but for that.
            cones: PHASES
                .iter()
                .map(|_| {
                    next(CONE_ROWS).map(|rows| {
                        let last = CONE_ROWS as usize;
                        rows[last - 1].tr_mul(&rows[last])
                    })
                })
                .collect::<Result<_, _>>()
                .ok(),
        })
    }
}
