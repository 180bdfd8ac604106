//! The traits of schemes: a scheme is a step map with a memory between steps.

use super::coverage::{NotCovered, Note};
pub use super::fail::{StepFail, WayOut};
use super::lanes::StartLanes;
use super::steps::{Continuation, Halt};
use crate::math::Vec3;
use crate::math::so3::AngleRange;
use crate::models::{InLanes, Inertia, InitialValueProblem, RigidTop, RotState, Torque};
use std::ops::Range;

/// Number of steps between two questions whether to go on: few, because a step may take a twentieth of a second.
const ASK_STEPS: u64 = 16;

/// Makes the steps of these numbers while `wanted`.
#[inline(always)]
pub(super) fn while_wanted(
    numbers: Range<u64>,
    wanted: Continuation,
    mut step: impl FnMut(u64) -> Result<(), StepFail>,
) -> Result<(), Halt> {
    // The inner loop makes no call, so that the state stays in registers.
    let mut next = numbers.start;
    while next < numbers.end {
        if !wanted() {
            return Err(Halt::Stopped);
        }
        let until = numbers.end.min(next + ASK_STEPS);
        for k in next..until {
            step(k)?;
        }
        next = until;
    }
    Ok(())
}

/// Work done by one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Torque evaluations.
    pub torque: u32,
    /// Iterations of the nonlinear solver.
    pub iterations: u32,
    /// Inner steps that were made again with a shorter one.
    pub rejected: u32,
}

impl Effort {
    /// Returns an effort of so many torque evaluations and iterations.
    #[inline(always)]
    pub fn new(torque: u32, iterations: u32) -> Self {
        Self {
            torque,
            iterations,
            rejected: 0,
        }
    }
}

/// A one-step scheme for problems of type `P`.
pub trait Scheme<P: InitialValueProblem>: Send + Sync {
    /// Data carried from step to step beside the state.
    type Memory: Send;
    /// Checks that the scheme's theory covers this problem at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _p: &P, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }

    /// Returns notes for the user about steps of `h`, such as how inconsistent a start is.
    fn notes(&self, _p: &P, _h: f64) -> Vec<Note> {
        Vec::new()
    }

    /// Returns true if the scheme takes the accelerations of the start as they are given, right or wrong.
    fn starts_as_given(&self) -> bool {
        false
    }

    /// Returns true if a start from a state of its own run is as good as going on: steps may then end between the steps of a run.
    fn restarts(&self, _p: &P) -> bool {
        true
    }

    /// Prepares the memory before the first step from `(t, y)` with step `h`.
    ///
    /// # Errors
    /// [`StepFail`] where the preparation itself must solve equations and cannot.
    fn start(&self, p: &P, t: f64, h: f64, y: &mut P::State) -> Result<Self::Memory, StepFail>;
    /// Advances `y` from `t` to `t + h`.
    ///
    /// # Errors
    /// [`StepFail`]; `y` is then the state before the step.
    fn step(&self, p: &P, t: f64, h: f64, y: &mut P::State, m: &mut Self::Memory) -> StepResult;
    /// Makes the steps of these numbers, counted from `start`, where nobody looks at the states between them.
    ///
    /// # Errors
    /// [`Halt`]; `y` is then one of the states since the first.
    #[inline]
    fn steps(
        &self,
        p: &P,
        (start, h): (f64, f64),
        numbers: Range<u64>,
        (y, m): (&mut P::State, &mut Self::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        while_wanted(numbers, wanted, |k| {
            self.step(p, start + k as f64 * h, h, y, m).map(drop)
        })
    }
}

/// A scheme for rotations under any torque model. Implementing it gives [`Scheme`] for every [`RigidTop`] and
/// every [`JointedBody`](crate::models::JointedBody).
pub trait RotationScheme: Send + Sync + Sized {
    /// Data carried from step to step beside the state.
    type Memory: Memory;
    /// True for a scheme that takes the torque as a series in time, which not every torque has ([`Torque::piece`]).
    const NEEDS_SERIES: bool = false;
    /// True for a scheme whose torque must have no kink or jump in time, not even between steps ([`Torque::switches`]).
    const NEEDS_SMOOTH: bool = false;
    /// True for a scheme whose torque may depend on the rate ([`Torque::moving`]).
    const TAKES_RATE: bool = false;

    /// Checks that the scheme's theory covers a body of this inertia that starts with this body rate, at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _inertia: &Inertia, _omega: &Vec3, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// Makes a step.
    ///
    /// # Errors
    /// [`StepFail`]; `y` is then the state before the step.
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult;
    /// Returns what puts bodies into lanes, if this scheme has steps in lanes.
    fn in_lanes<T: InLanes>() -> Option<StartLanes<Self, T>> {
        None
    }
    /// Makes the steps of these numbers, counted from `origin`, where nobody looks at the states between them.
    ///
    /// # Errors
    /// [`Halt`]; `y` is then one of the states since the first.
    #[inline]
    fn steps(
        &self,
        origin: &Step<impl Torque>,
        numbers: Range<u64>,
        (y, m): (&mut RotState, &mut Self::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        let Step { top, h, .. } = *origin;
        while_wanted(numbers, wanted, |k| {
            Scheme::step(self, top, origin.later(k).t, h, y, m).map(drop)
        })
    }
}

impl<S: RotationScheme, T: Torque> Scheme<RigidTop<T>> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &RigidTop<T>, h: f64) -> Result<(), NotCovered> {
        RotationScheme::covers(self, p.inertia(), &p.initial().omega, h)
    }
    fn start(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail> {
        Memory::start(&Step::new(top, t, h), y)
    }
    #[inline]
    fn step(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut S::Memory,
    ) -> StepResult {
        RotationScheme::step(self, &Step::new(top, t, h), y, m)
    }
    #[inline]
    fn steps(
        &self,
        top: &RigidTop<T>,
        (t, h): (f64, f64),
        numbers: Range<u64>,
        state: (&mut RotState, &mut S::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        RotationScheme::steps(self, &Step::new(top, t, h), numbers, state, wanted)
    }
}

/// Work of a step, or the reason why it could not be made.
pub type StepResult = Result<Effort, StepFail>;

/// A step to be made: the body, the time at which the step begins and its length.
pub struct Step<'a, T> {
    /// Body that is turned.
    pub top: &'a RigidTop<T>,
    /// Time at which the step begins, s.
    pub t: f64,
    /// Length of the step, s.
    pub h: f64,
    /// Angles that its turns may have.
    pub(super) angles: AngleRange,
}

impl<'a, T> Step<'a, T> {
    /// Makes a step of `h` from the time `t`, in s, whose turns may have any angle.
    #[inline(always)]
    pub fn new(top: &'a RigidTop<T>, t: f64, h: f64) -> Self {
        let angles = AngleRange::Any;
        Self { top, t, h, angles }
    }

    /// Returns the step that begins `k` steps later.
    #[inline(always)]
    #[must_use]
    pub fn later(&self, k: u64) -> Self {
        let t = self.t + k as f64 * self.h;
        Self { t, ..*self }
    }
}

/// Data that a [`RotationScheme`] carries from step to step; it follows from the state.
pub trait Memory: Send + Sized {
    /// Returns the data for the first step.
    ///
    /// # Errors
    /// [`StepFail`] where the preparation itself must move the body and cannot.
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail>;
}

impl Memory for () {
    fn start(_: &Step<impl Torque>, _: &RotState) -> Result<Self, StepFail> {
        Ok(())
    }
}

/// Body torque at the state, N m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyTorque(pub Vec3);

impl Memory for BodyTorque {
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        Ok(Self(at.top.torque_on(at.t, y)))
    }
}

/// Body momentum Π = J W at the state, kg m²/s. It is carried because J (J⁻¹ Π) is Π to rounding only, and for some J with a
/// bias: momentum would stray like n instead of √n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMomentum(pub Vec3);

impl Memory for BodyMomentum {
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        Ok(Self(at.top.inertia().times(&y.omega)))
    }
}

impl<A: Memory, B: Memory> Memory for (A, B) {
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        Ok((A::start(at, y)?, B::start(at, y)?))
    }
}
