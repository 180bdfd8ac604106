//! A model of a solver, and its simulation from one row to the next.

use crate::equations::Equations;
use crate::habit::Habit;
use crate::law::{Change, Law, LawTerm};
use crate::probe::Start;
use crate::report::{Latent, Report};
use crate::state::State;
use crate::stepping::{Disturbance, Rule, Span, Stepping};
use nalgebra::{Matrix6, Vector6};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Vec3, quaternion};

/// A solver as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SolverModel")]
pub struct Model {
    /// Differences of its law of motion from the right one.
    #[serde(default)]
    pub law: Vec<Change>,
    /// Its scheme.
    pub stepping: Stepping,
    /// Habit beside its scheme.
    #[serde(default)]
    pub habit: Habit,
    /// Form of its rows.
    #[serde(default)]
    pub report: Report,
}

/// Reason for which a model cannot be simulated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidModel {
    /// A change of the law has too few or too many numbers for its term.
    #[error("law: found {found} numbers of `{term:?}`; allowed: {wanted}")]
    Numbers {
        /// Term.
        term: LawTerm,
        /// Number of its numbers.
        found: usize,
        /// Number that it has.
        wanted: usize,
    },
    /// A step is cut into none, or into very many.
    #[error("stepping.substeps: found {0}; allowed: 1 to {MOST_SUBSTEPS}")]
    Substeps(u32),
    /// Columns of the rate are not those of three components.
    #[error("report.columns: found {0:?}; allowed: 0, 1 and 2 in any order")]
    Columns([usize; 3]),
    /// Habits of rules that are simulated as they are.
    #[error(
        "habit: found one beside a scheme of the catalogue or the motion itself; allowed: none"
    )]
    Habit,
    /// A number that is not finite, or a unit of size zero.
    #[error(
        "found a number that is not finite; allowed: finite numbers, and a factor of a unit that is not 0"
    )]
    Infinite,
}

/// Most steps of its own that a step is cut into.
const MOST_SUBSTEPS: u32 = 1000;

/// Iterations in which a hidden state is found.
const ITERATIONS: usize = 6;

impl Model {
    /// Returns a right model with this scheme.
    #[must_use]
    pub fn right(stepping: Stepping) -> Self {
        Self {
            law: Vec::new(),
            stepping,
            habit: Habit::default(),
            report: Report::default(),
        }
    }

    /// Returns the model if it can be simulated.
    ///
    /// # Errors
    /// [`InvalidModel`]: numbers that no model has.
    pub fn checked(self) -> Result<Self, InvalidModel> {
        for change in &self.law {
            let (found, wanted) = (change.added.len(), change.term.row().len());
            if found != wanted {
                let term = change.term;
                return Err(InvalidModel::Numbers {
                    term,
                    found,
                    wanted,
                });
            }
        }
        let size = self.report.unit.size();
        let numbers = self.law.iter().flat_map(|change| &change.added);
        let mut numbers = numbers.chain(&self.report.signs).copied();
        let finite = numbers.all(f64::is_finite) && size.is_finite() && size != 0.0;
        drop(numbers);
        if !finite {
            return Err(InvalidModel::Infinite);
        }
        let mut columns = self.report.columns;
        columns.sort_unstable();
        let fixed = matches!(
            self.stepping.rule,
            Rule::Catalogue(_) | Rule::Flow | Rule::Remembering(_)
        );
        if !(1..=MOST_SUBSTEPS).contains(&self.stepping.substeps) {
            Err(InvalidModel::Substeps(self.stepping.substeps))
        } else if columns != [0, 1, 2] {
            Err(InvalidModel::Columns(self.report.columns))
        } else if fixed && !self.habit.is_none() {
            Err(InvalidModel::Habit)
        } else {
            Ok(self)
        }
    }

    /// Returns the same model that writes rows in this form.
    #[must_use]
    pub fn reported(self, report: Report) -> Self {
        Self { report, ..self }
    }

    /// Returns the equations of motion that it has for a body.
    #[must_use]
    pub fn equations(&self, body: &Start) -> Equations {
        if self.law.is_empty() {
            return Equations::right(body);
        }
        let mut law = Law::default();
        for change in &self.law {
            change.term.row().apply(&change.added, &mut law);
        }
        Equations::of(&law, body)
    }

    /// Returns what is written after the steps, where `from` was written before them.
    #[must_use]
    pub fn advance(
        &self,
        equations: &Equations,
        span: Span,
        from: &State,
        mut disturbance: Option<Disturbance>,
    ) -> Option<State> {
        if self.report.latent == Latent::None {
            return self
                .stepping
                .advance(equations, &self.habit, span, from, disturbance);
        }
        // The state one step before the written one is found; after the steps, one more is made.
        let hidden = self.hidden(equations, span, from)?;
        let d = disturbance.as_mut().map(|d| Disturbance {
            random: &mut *d.random,
            size: d.size,
        });
        let before = self
            .stepping
            .advance(equations, &self.habit, span, &hidden, d)?;
        let last = Span {
            from: span.from + span.step * f64::from(span.steps),
            ..span
        };
        self.seen_after_a_step(equations, last, &before)
    }

    /// Returns the state that is written after one step of the scheme's own.
    fn seen_after_a_step(&self, equations: &Equations, span: Span, y: &State) -> Option<State> {
        let own = Stepping {
            substeps: 1,
            ..self.stepping
        };
        let one = Span {
            step: span.step / f64::from(self.stepping.substeps),
            steps: 1,
            ..span
        };
        let next = own.advance(equations, &self.habit, one, y, None)?;
        Some(self.report.seen(y, &next))
    }

    /// The state whose next step is written as `seen`, by Newton's rule.
    fn hidden(&self, equations: &Equations, span: Span, seen: &State) -> Option<State> {
        let own = span.step / f64::from(self.stepping.substeps);
        let back = Span {
            from: span.from - own,
            ..span
        };
        let mut x = equations.flow(span.from, -own, seen);
        let moved = |x: &State, by: &Vector6<f64>| State {
            quat: quaternion::product(&x.quat, &quaternion::exp(&Vec3::new(by[0], by[1], by[2]))),
            omega: x.omega + Vec3::new(by[3], by[4], by[5]),
        };
        let left = |x: &State| {
            let off = self.seen_after_a_step(equations, back, x)?.difference(seen);
            Some(Vector6::from_iterator(
                off.turn.iter().chain(&off.rate).copied(),
            ))
        };
        for _ in 0..ITERATIONS {
            let now = left(&x)?;
            let size = x.omega.norm().max(1.0);
            let mut slope = Matrix6::zeros();
            for c in 0..6 {
                let mut by = Vector6::zeros();
                by[c] = if c < 3 { 1e-6 } else { 1e-6 * size };
                let column = (left(&moved(&x, &by))? - now) / by[c];
                slope.set_column(c, &column);
            }
            let by = -slope.lu().solve(&now)?;
            x = moved(&x, &by);
            if by.norm() < 1e-15 * size {
                break;
            }
        }
        x.is_finite().then_some(x)
    }
}
