//! Judges an integrator of your own, in Rust: a type that implements a scheme trait, or a function that makes one
//! step. What `topsim judge --solver` says of a program, this says of it, without files between them.
//!
//! ```
//! use topsim::judge::{Problem, RotState, Trial};
//! use topsim::math::so3;
//!
//! /// One step of `h` from `t`, of order 1: the torque turns the rate, the rate the attitude.
//! fn step(p: &Problem, t: f64, h: f64, y: &mut RotState) {
//!     y.omega += p.acceleration(t, &y.att, &y.omega) * h;
//!     y.att *= so3::exp(&(y.omega * h));
//! }
//!
//! # fn main() -> Result<(), topsim::judge::HistoryFailure> {
//! let mut report = Trial::case("judge_top")?.steps(&[1e-3, 5e-4, 2.5e-4]).until(0.5).stepper(step)?;
//! assert!(report.passed() && (report.order().unwrap() - 1.0).abs() < 0.1, "{report}");
//! report.require_order(2.0);
//! assert!(!report.passed());
//! # Ok(())
//! # }
//! ```
//!
//! The attitude takes components in the body to components in space, `v_space = R v_body`; rates and torques are in
//! the body frame; SI units. `docs/judging.md` says what is judged, `docs/judging-problems.md` on which problems.

pub use super::foreign::{HistoryFailure, HistoryReport};
pub use crate::analysis::foreign::{Standing, Verdict};
pub use crate::cases::CasePlan;
pub use crate::math::{Mat3, Vec3};
pub use crate::models::RotState;

use super::foreign::{FileReport, Judged, judge_with};
use super::solver::{FailureKind, StepFailure};
use crate::analysis::foreign::{Judge, ReadError, States};
use crate::cases::posed::{Choice, Posed};
use crate::cases::{InvalidFile, builtin_case, made_for_judging};
use crate::models::{self, RigidTop, TorqueModel};
use crate::schemes::Scheme;
use std::sync::atomic::AtomicBool;

/// What is to be integrated: R' = R Ŵ, J W' = (J W) × W + T, with the rate W and the torque T in the body frame.
#[derive(Debug, Clone)]
pub struct Problem {
    case: String,
    start: f64,
    top: RigidTop<TorqueModel>,
}

impl Problem {
    /// Name of the case.
    pub fn case(&self) -> &str {
        &self.case
    }
    /// Time of the initial state, s: a function that remembers something from step to step begins anew at it.
    pub fn start(&self) -> f64 {
        self.start
    }
    /// The state there.
    pub fn initial(&self) -> RotState {
        models::Problem::initial(&self.top)
    }
    /// Inertia J about the point the body turns about, kg m², body frame.
    pub fn inertia(&self) -> &Mat3 {
        self.top.inertia().tensor()
    }
    /// Torque about that point at time `t`, N m, body frame.
    pub fn torque(&self, t: f64, att: &Mat3) -> Vec3 {
        self.top.torque_body(t, att)
    }
    /// J W, kg m²/s, body frame.
    pub fn momentum(&self, omega: &Vec3) -> Vec3 {
        self.top.inertia().times(omega)
    }
    /// The rate of a momentum, J⁻¹ Π, rad/s, body frame.
    pub fn rate(&self, momentum: &Vec3) -> Vec3 {
        self.top.inertia().solve(momentum)
    }
    /// W' by Euler's equations, rad/s², body frame.
    pub fn acceleration(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let gyroscopic = self.momentum(omega).cross(omega);
        self.rate(&(gyroscopic + self.torque(t, att)))
    }
    /// The body as the schemes of the catalogue take it.
    pub fn top(&self) -> &RigidTop<TorqueModel> {
        &self.top
    }
}

/// A case on which an integrator is to be judged, with its steps and its end unless others are asked for.
pub struct Trial {
    plan: CasePlan,
    choice: Choice,
}

/// The cases made for judging, as `topsim judge --all` takes them: what one cannot show another does.
pub fn judging_set() -> impl Iterator<Item = Trial> {
    // The test below reads them all.
    made_for_judging().filter_map(|name| Trial::case(name).ok())
}

impl Trial {
    /// A built-in case.
    ///
    /// # Errors
    /// [`HistoryFailure::Invalid`] where there is none of this name.
    pub fn case(name: &str) -> Result<Self, HistoryFailure> {
        let case = builtin_case(name).ok_or_else(|| {
            HistoryFailure::Invalid(format!(
                "error: no case is called `{name}`; allowed: a built-in case (`topsim list cases`), such as \
                 `judge_top`, or a plan of your own"
            ))
        })?;
        let text = |all: Vec<InvalidFile>| {
            let all: Vec<String> = all.iter().map(|e| e.render(false, 100)).collect();
            HistoryFailure::Invalid(all.join("\n"))
        };
        Ok(Self::plan(CasePlan::new(&case.source()).map_err(text)?))
    }

    /// A case of your own.
    pub fn plan(plan: CasePlan) -> Self {
        Self {
            plan,
            choice: Choice::default(),
        }
    }

    /// Other steps than the case's, s; two or more that differ, to measure an order.
    #[must_use]
    pub fn steps(mut self, steps: &[f64]) -> Self {
        self.choice.steps = steps.to_vec();
        self
    }

    /// An earlier end than the case's, s.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.choice.end = Some(end);
        self
    }

    /// Name of the case.
    pub fn name(&self) -> &str {
        &self.plan.name
    }

    /// Judges a function that makes one step of `h` from time `t`, in place.
    ///
    /// It is called for one step size after the other, each time from the case's start. A state with a NaN or an
    /// infinity ends a history; what was before is judged, and the report fails. A panic is not caught.
    ///
    /// # Errors
    /// [`HistoryFailure::Invalid`]: a case without an attitude; steps or an end out of range.
    pub fn stepper(
        self,
        mut step: impl FnMut(&Problem, f64, f64, &mut RotState),
    ) -> Result<HistoryReport, HistoryFailure> {
        self.judge(|judge, p, posed| {
            rows(judge, posed, p.initial(), |t, y| {
                step(p, t, posed.step, y);
                Ok(())
            })
        })
    }

    /// Judges a scheme: any [`RotationScheme`](crate::schemes::RotationScheme) is one.
    ///
    /// # Errors
    /// As [`Trial::stepper`]. A step that the scheme cannot make is in the report.
    pub fn scheme<S: Scheme<RigidTop<TorqueModel>>>(
        self,
        scheme: &S,
    ) -> Result<HistoryReport, HistoryFailure> {
        self.judge(|judge, p, posed| {
            let (top, h, mut y) = (p.top(), posed.step, p.initial());
            scheme.covers(top, h)?;
            let begun = scheme.start(top, posed.start, h, &mut y);
            let mut memory = begun.map_err(|e| e.to_string())?;
            rows(judge, posed, y, |t, y| {
                let made = scheme.step(top, t, h, y, &mut memory);
                made.map(drop).map_err(|e| format!("at t = {t}: {e}"))
            })
        })
    }

    /// `each` judges the rows of a step size, or says why there are none.
    fn judge(
        self,
        mut each: impl FnMut(&Judge, &Problem, &Posed) -> Result<FileReport, String>,
    ) -> Result<HistoryReport, HistoryFailure> {
        let posed = Posed::all(&self.plan, &self.choice);
        let posed = posed.map_err(|e| HistoryFailure::Invalid(format!("error: {e}")))?;
        let start = posed.first().map_or(0.0, |p| p.start);
        let end = posed.iter().fold(start, |e, p| e.max(p.span()[1]));
        let case = self.plan.name.clone();
        judge_with(self.plan, [start, end], &AtomicBool::new(false), |judge| {
            let problem = Problem {
                case,
                start,
                top: judge.body.top(),
            };
            let mut out = Judged {
                by_step: true,
                ..Judged::default()
            };
            for p in &posed {
                match each(judge, &problem, p) {
                    Ok(report) => out.files.push(report),
                    Err(message) => out.failed.push(StepFailure {
                        step: p.step,
                        kind: FailureKind::Rows,
                        message,
                        stderr: Vec::new(),
                    }),
                }
            }
            Ok(out)
        })
    }
}

/// Steps through the times wanted and has the states judged.
fn rows(
    judge: &Judge,
    posed: &Posed,
    mut y: RotState,
    mut step: impl FnMut(f64, &mut RotState) -> Result<(), String>,
) -> Result<FileReport, String> {
    let (start, h) = (posed.start, posed.step);
    let mut n = 0.0;
    let states = posed.times.iter().map(|&wanted| {
        // Every time wanted is start + n h. A lost state is not stepped further.
        while start + (n + 0.5) * h < wanted && y.is_finite() {
            step(start + n * h, &mut y)?;
            n += 1.0;
        }
        Ok((wanted, y))
    });
    let finding = judge.judge(States::new(states)).map_err(|e| match e {
        ReadError::Content(e) => match e.column {
            Some(column) => format!("`{column}`: found {}; allowed: {}", e.found, e.allowed),
            None => e.found,
        },
        ReadError::Io(e) => e.to_string(),
    })?;
    Ok(FileReport {
        file: format!("step {h}"),
        step: h,
        told: true,
        finding,
    })
}
