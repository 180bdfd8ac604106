//! A problem and a scheme as one step map, their types erased: for the time loop, studies and scorecards.

use super::log::Log;
use crate::models::{Measured, PhaseSpace};
use crate::schemes::steps::{Continuation, Halt, Steps};
use crate::schemes::{Scheme, StepFail};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Start time and step of a step map, s.
pub(crate) type TimeAndStep = (f64, f64);

/// A state of a problem, and the scheme that moves it. A new one is at the initial state.
pub(crate) trait StepMap {
    /// Returns the state, to be read and set.
    fn state(&mut self) -> &mut dyn AnyState;
    /// Returns another step map at the same state.
    fn branch(&self) -> Box<dyn StepMap + '_>;
    /// Prepares the steps; a scheme may move the state before its first.
    fn start(&mut self, from: TimeAndStep) -> Result<(), StepFail>;
    /// Makes the steps of these numbers, counted from the start, while `wanted`, with nothing followed.
    ///
    /// # Errors
    /// [`Halt`]; the state is then one since the first of them.
    fn steps(
        &mut self,
        from: TimeAndStep,
        numbers: Range<u64>,
        wanted: Continuation,
    ) -> Result<(), Halt>;
    /// Makes the steps of these numbers, counted from the start, and follows in `log` what it holds.
    ///
    /// # Errors
    /// [`StepFail`]: the state is then that before the failed step, but after [`StepFail::NotFinite`], which the log
    /// finds, that after it.
    fn logged_steps(
        &mut self,
        from: TimeAndStep,
        numbers: Range<u64>,
        log: &mut Log,
    ) -> Result<(), StepFail>;
}

/// The state of a step map, its type erased: a trait of its own, so that it is compiled once for a problem and not for each
/// pair of a problem and a scheme.
pub(crate) trait AnyState {
    /// Takes the state that lies beside the initial one by these coordinates of [`PhaseSpace`].
    fn displace(&mut self, displacement: &[f64]);
    /// Writes the row of the state.
    fn measure(&self, t: f64, row: &mut [f64]);
    /// Returns [`PhaseSpace::scales`] of the state.
    fn scales(&self) -> Vec<f64>;
    /// Marks the state.
    fn mark(&mut self);
    /// Returns [`PhaseSpace::displacement`] of the state from the mark.
    fn displacement(&self) -> Vec<f64>;
    /// Returns [`PhaseSpace::symplectic_form`] at the state.
    fn symplectic_form(&self) -> DMatrix<f64>;
}

/// A state between steps.
struct CurrentState<'a, P: Measured> {
    problem: &'a P,
    /// State after the last step; `None` while [`StepMap::logged_steps`] holds it.
    now: Option<P::State>,
    mark: P::State,
}

impl<P: Measured> CurrentState<'_, P> {
    fn now(&self) -> &P::State {
        self.now.as_ref().expect("the state, between steps")
    }
}

impl<P: Measured + PhaseSpace> AnyState for CurrentState<'_, P> {
    fn displace(&mut self, displacement: &[f64]) {
        let initial = self.problem.initial();
        self.now = Some(self.problem.displaced(&initial, displacement));
    }
    fn measure(&self, t: f64, row: &mut [f64]) {
        measure(self.problem, t, self.now(), row);
    }
    fn scales(&self) -> Vec<f64> {
        self.problem.scales(self.now())
    }
    fn mark(&mut self) {
        self.mark = self.now().clone();
    }
    fn displacement(&self) -> Vec<f64> {
        self.problem.displacement(&self.mark, self.now())
    }
    fn symplectic_form(&self) -> DMatrix<f64> {
        self.problem.symplectic_form(self.now())
    }
}

/// Fills the row of a state: one copy a body, not one a scheme and body.
#[inline(never)]
fn measure<P: Measured>(problem: &P, t: f64, y: &P::State, row: &mut [f64]) {
    problem.measure(t, y, row);
}

/// Implementation of [`StepMap`] for every problem and scheme.
pub(crate) struct Motion<'a, P: Measured, S: Scheme<P>> {
    scheme: &'a S,
    state: CurrentState<'a, P>,
    memory: Option<S::Memory>,
}

impl<'a, P: Measured, S: Scheme<P>> Motion<'a, P, S> {
    /// Makes a step map at the initial state.
    pub fn new(problem: &'a P, scheme: &'a S) -> Self {
        let initial = problem.initial();
        Self {
            scheme,
            state: CurrentState {
                problem,
                now: Some(initial.clone()),
                mark: initial,
            },
            memory: None,
        }
    }

    /// Takes out state and memory, for steps that keep them in registers.
    fn take(&mut self) -> (P::State, S::Memory) {
        let y = self.state.now.take().expect("the state, between steps");
        (y, self.memory.take().expect("a start before the steps"))
    }

    fn put_back(&mut self, y: P::State, memory: S::Memory) {
        (self.state.now, self.memory) = (Some(y), Some(memory));
    }
}

impl<P: Measured + PhaseSpace, S: Scheme<P>> StepMap for Motion<'_, P, S> {
    fn state(&mut self) -> &mut dyn AnyState {
        &mut self.state
    }

    fn branch(&self) -> Box<dyn StepMap + '_> {
        let CurrentState { problem, now, mark } = &self.state;
        Box::new(Self {
            scheme: self.scheme,
            state: CurrentState {
                problem,
                now: now.clone(),
                mark: mark.clone(),
            },
            memory: None,
        })
    }

    fn start(&mut self, (t, h): TimeAndStep) -> Result<(), StepFail> {
        let CurrentState { problem, now, .. } = &mut self.state;
        let y = now.as_mut().expect("the state, between steps");
        self.memory = Some(self.scheme.start(problem, t, h, y)?);
        Ok(())
    }

    fn steps(
        &mut self,
        (t, h): TimeAndStep,
        numbers: Range<u64>,
        wanted: Continuation,
    ) -> Result<(), Halt> {
        let y = self.state.now.as_mut().expect("the state, between steps");
        let memory = self.memory.as_mut().expect("a start before the steps");
        let problem = self.state.problem;
        self.scheme
            .steps(problem, (t, h), numbers, (y, memory), wanted)
    }

    fn logged_steps(
        &mut self,
        (t, h): TimeAndStep,
        numbers: Range<u64>,
        log: &mut Log,
    ) -> Result<(), StepFail> {
        let (problem, scheme) = (self.state.problem, self.scheme);
        let (mut y, mut memory) = self.take();
        let mut failed = None;
        for k in numbers {
            let made = scheme.step(problem, t + k as f64 * h, h, &mut y, &mut memory);
            let t = t + (k + 1) as f64 * h;
            let wanted = made.and_then(|work| {
                problem.track(t, &y, log.tracked());
                log.follow(t, work)
            });
            match wanted {
                Ok(false) => {}
                Ok(true) => {
                    // The state is copied: were the address of `y` itself given away, every step would have to
                    // store and reload it.
                    measure(problem, t, &y.clone(), log.row());
                    log.take_row(t);
                }
                Err(why) => {
                    failed = Some(why);
                    break;
                }
            }
        }
        self.put_back(y, memory);
        failed.map_or(Ok(()), Err)
    }
}

impl dyn StepMap + '_ {
    /// Makes `n` steps of `h` from the state at time `t` while `wanted`, with nothing followed.
    ///
    /// # Errors
    /// Fails as [`StepMap::steps`] does.
    pub(crate) fn advance(&mut self, (t, h, n): Steps, wanted: Continuation) -> Result<(), Halt> {
        self.start((t, h))?;
        self.steps((t, h), 0..n, wanted)
    }

    /// Returns the row of the state.
    pub(crate) fn row(&mut self, t: f64, width: usize) -> Vec<f64> {
        let mut row = vec![0.0; width];
        self.state().measure(t, &mut row);
        row
    }

    /// See [`Experiment::there_and_back`](super::Experiment::there_and_back).
    pub(crate) fn there_and_back(
        &mut self,
        (t, h, n): Steps,
        wanted: Continuation,
    ) -> Result<(), Halt> {
        self.advance((t, h, n), wanted)?;
        self.advance((t + n as f64 * h, -h, n), wanted)
    }

    /// See [`Experiment::symplectic_defect`](super::Experiment::symplectic_defect).
    pub(crate) fn symplectic_defect(
        &mut self,
        (t, h): TimeAndStep,
        wanted: Continuation,
    ) -> Result<f64, Halt> {
        let (scales, form) = (self.state().scales(), self.state().symplectic_form());
        let dimension = scales.len();
        self.displaced_step((t, h), &vec![0.0; dimension], wanted)?;
        self.state().mark();
        let form_after = self.state().symplectic_form();
        let mut tangent = DMatrix::zeros(dimension, dimension);
        for (k, scale) in scales.iter().enumerate() {
            let e = DISPLACEMENT * scale;
            let mut at = |m: f64| {
                let mut d = vec![0.0; dimension];
                d[k] = m * e;
                self.displaced_step((t, h), &d, wanted)?;
                Ok::<_, Halt>(DVector::from_vec(self.state().displacement()))
            };
            let column = ((at(1.0)? - at(-1.0)?) * 45.0 - (at(2.0)? - at(-2.0)?) * 9.0
                + (at(3.0)? - at(-3.0)?))
                / (60.0 * e);
            tangent.set_column(k, &column);
        }
        let defect = tangent.transpose() * form_after * &tangent - form;
        Ok(defect.amax())
    }

    /// Makes one step from a state beside the initial one.
    fn displaced_step(
        &mut self,
        (t, h): TimeAndStep,
        d: &[f64],
        wanted: Continuation,
    ) -> Result<(), Halt> {
        self.state().displace(d);
        self.advance((t, h, 1), wanted)
    }
}

/// Finite-difference step, in natural sizes of the coordinates: the truncation of the sixth-order
/// differences and round-off are then both near 1e-12.
const DISPLACEMENT: f64 = 2e-3;
