//! The short problems that a solver of a given rate is asked.

use super::Answer;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::bodies::manufactured;
use topsim_core::models::given_rate::{Axes, Factor, Product, TimeFunction};
use topsim_core::models::{GivenRate, RateModel};
use topsim_core::schemes::given_rate::coning::{PHASES, small_cone};
use topsim_model::probe::RateProbe;
use topsim_protocol::problem::SAMPLES;

/// Numbers of the questions.
pub(super) struct Asked {
    /// Axis of the turns about a fixed one: no component is zero, no two are equal.
    pub axis: [f64; 3],
    /// Constant rate, rad/s.
    pub spin: f64,
    /// Rate about the axis, rad/s, and its growth, rad/s².
    pub growing: [f64; 2],
    /// The same, and the square of the time, rad/s³.
    pub curved: [f64; 3],
    /// Rate about the first axis, rad/s, and growth about the second, rad/s².
    pub crossed: [f64; 2],
    /// Step, s.
    pub step: f64,
    /// Rows after the first.
    pub rows: u64,
    /// Some questions are asked at a step that is shorter by so much, too: what falls then is an error of truncation.
    pub finer: u64,
    /// Rows after the first of a small cone: rules with a memory have one in the last step.
    pub cone_rows: u64,
}

pub(super) const ASKED: Asked = Asked {
    axis: [0.36, 0.48, 0.8],
    spin: 1.2,
    growing: [0.5, 1.5],
    curved: [0.5, 0.0, 2.0],
    crossed: [0.3, 0.4],
    step: 0.25,
    rows: 4,
    finer: 4,
    cone_rows: 3,
};
/// Time between samples, s.
pub(super) const INTERVAL: f64 = ASKED.step / SAMPLES as f64;

/// Turned, and so little that within a second of the spin no Euler angles come near their singularity.
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
        axis: ASKED.axis,
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
        step: ASKED.step,
        steps: ASKED.rows,
    }
}

/// Two axes, one of them growing.
pub(super) fn crossed() -> RateProbe {
    let axes = Axes {
        x: polynomial(&[ASKED.crossed[0]]),
        y: polynomial(&[0.0, ASKED.crossed[1]]),
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
        step: question.step / ASKED.finer as f64,
        steps: question.steps * ASKED.finer,
        ..question
    }
}

/// The rows at the times `k` steps, at the step and at the shorter one.
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
            about_axis(&[ASKED.spin]),
            finer(about_axis(&[ASKED.spin])),
            about_axis(&ASKED.growing),
            about_axis(&ASKED.curved),
            crossed(),
            finer(crossed()),
            swinging(),
        ];
        all.extend(PHASES.map(|x| RateProbe {
            given: small_cone(),
            step: x,
            steps: ASKED.cone_rows,
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
        let every = |rows: Vec<Mat3>| rows.into_iter().step_by(ASKED.finer as usize).collect();
        Ok(Self {
            spin: [
                next(ASKED.rows)?,
                next(ASKED.rows * ASKED.finer).map(every)?,
            ],
            growing: next(ASKED.rows)?,
            curved: next(ASKED.rows)?,
            crossed: [
                next(ASKED.rows)?,
                next(ASKED.rows * ASKED.finer).map(every)?,
            ],
            swinging: next(ASKED.rows)?,
            // Coning turns evenly about the axis of the cone, so that every step makes the same turn but for that.
            cones: PHASES
                .iter()
                .map(|_| {
                    next(ASKED.cone_rows).map(|rows| {
                        let last = ASKED.cone_rows as usize;
                        rows[last - 1].tr_mul(&rows[last])
                    })
                })
                .collect::<Result<_, _>>()
                .ok(),
        })
    }
}
