//! What a scheme is: a step map, and its memory between steps.

use super::coverage::{NotCovered, Note};
pub use super::fail::{StepFail, WayOut};
use super::probe::{Continuation, Halt};
use crate::math::Vec3;
use crate::models::{Inertia, Problem, RigidTop, RotState, Torque};
use std::ops::Range;

/// Steps between two questions whether to go on: few, for a step may take a twentieth of a second.
const ASK_STEPS: u64 = 16;

/// Makes the steps of these numbers while `wanted`.
#[inline(always)]
pub(super) fn while_wanted(
    numbers: Range<u64>,
    wanted: Continuation,
    mut step: impl FnMut(u64) -> Result<(), StepFail>,
) -> Result<(), Halt> {
    // No call within the inner loop: there the state stays in registers.
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
}

impl Effort {
    /// So many torque evaluations and iterations.
    #[inline(always)]
    pub fn new(torque: u32, iterations: u32) -> Self {
        Self { torque, iterations }
    }
}

/// A one-step scheme for problems of type `P`.
pub trait Scheme<P: Problem>: Send + Sync {
    /// What is carried from step to step beside the state.
    type Memory: Send;
    /// Whether the scheme's theory covers this problem at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _p: &P, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }

    /// What a user should know before the first step of `h`, such as how inconsistent a start is.
    fn notes(&self, _p: &P, _h: f64) -> Vec<Note> {
        Vec::new()
    }

    /// Whether it takes the accelerations of the start as they are given, right or wrong.
    fn starts_as_given(&self) -> bool {
        false
    }

    /// Whether a start from a state of its own run is as good as going on, so that steps may end between steps.
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

/// A scheme for rotations under any torque model. Implementing it gives [`Scheme`] for every
/// [`RigidTop`].
pub trait RotationScheme: Send + Sync {
    /// As [`Scheme::Memory`].
    type Memory: Send;
    /// Whether it takes the torque as a series in time, which not every torque has ([`Torque::piece`]).
    const NEEDS_SERIES: bool = false;
    /// Whether its torque must have no kink or jump in time, not even between steps ([`Torque::switches`]).
    const NEEDS_SMOOTH: bool = false;

    /// Whether its torque may depend on the rate ([`Torque::moving`]).
    const TAKES_RATE: bool = false;

    /// Whether the scheme's theory covers a body of this inertia that starts with this body rate,
    /// at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _inertia: &Inertia, _omega: &Vec3, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// As [`Scheme::start`].
    ///
    /// # Errors
    /// As [`Scheme::start`].
    fn start<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail>;
    /// As [`Scheme::step`].
    ///
    /// # Errors
    /// As [`Scheme::step`].
    fn step<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Self::Memory,
    ) -> StepResult;
    /// As [`Scheme::steps`].
    ///
    /// # Errors
    /// As [`Scheme::steps`].
    #[inline]
    fn steps<T: Torque>(
        &self,
        p: &RigidTop<T>,
        (start, h): (f64, f64),
        numbers: Range<u64>,
        (y, m): (&mut RotState, &mut Self::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        while_wanted(numbers, wanted, |k| {
            self.step(p, start + k as f64 * h, h, y, m).map(drop)
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
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail> {
        RotationScheme::start(self, p, t, h, y)
    }
    #[inline]
    fn step(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut S::Memory,
    ) -> StepResult {
        RotationScheme::step(self, p, t, h, y, m)
    }
    #[inline]
    fn steps(
        &self,
        p: &RigidTop<T>,
        from: (f64, f64),
        numbers: Range<u64>,
        state: (&mut RotState, &mut S::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        RotationScheme::steps(self, p, from, numbers, state, wanted)
    }
}

/// What a step did, or why it could not be made.
pub type StepResult = Result<Effort, StepFail>;

/// Where a step begins: the body, the time (s) and the step (s).
pub struct StepStart<'a, T> {
    /// The body.
    pub top: &'a RigidTop<T>,
    /// t.
    pub t: f64,
    /// h.
    pub h: f64,
}

/// What a [`OneStep`] scheme carries from step to step; it follows from the state.
pub trait Memory: Send {
    /// What is carried into the first step.
    fn start(at: &StepStart<impl Torque>, y: &RotState) -> Self;
}

/// Nothing.
impl Memory for () {
    fn start(_: &StepStart<impl Torque>, _: &RotState) {}
}

/// The body torque at the state, N m.
impl Memory for Vec3 {
    fn start(at: &StepStart<impl Torque>, y: &RotState) -> Self {
        at.top.torque_on(at.t, y)
    }
}

/// Π = J W at the state, kg m²/s, body frame. It is carried because J (J⁻¹ Π) is Π to rounding only, and for some J with a
/// bias: momentum would stray like n instead of √n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMomentum(pub Vec3);

impl Memory for BodyMomentum {
    fn start(at: &StepStart<impl Torque>, y: &RotState) -> Self {
        Self(at.top.inertia().times(&y.omega))
    }
}

/// Two things.
impl<A: Memory, B: Memory> Memory for (A, B) {
    fn start(at: &StepStart<impl Torque>, y: &RotState) -> Self {
        (A::start(at, y), B::start(at, y))
    }
}

/// A rotation scheme that starts from any state. Implementing it gives [`RotationScheme`].
pub trait OneStep: Send + Sync {
    /// What is carried from step to step beside the state.
    type Memory: Memory;
    /// As [`RotationScheme::NEEDS_SERIES`].
    const NEEDS_SERIES: bool = false;
    /// As [`RotationScheme::TAKES_RATE`].
    const TAKES_RATE: bool = false;

    /// As [`RotationScheme::covers`].
    ///
    /// # Errors
    /// As [`RotationScheme::covers`].
    fn covers(&self, _inertia: &Inertia, _omega: &Vec3, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// As [`Scheme::step`].
    ///
    /// # Errors
    /// As [`Scheme::step`].
    fn step(
        &self,
        at: &StepStart<impl Torque>,
        y: &mut RotState,
        m: &mut Self::Memory,
    ) -> StepResult;
}

impl<S: OneStep> RotationScheme for S {
    type Memory = S::Memory;
    const NEEDS_SERIES: bool = S::NEEDS_SERIES;
    const TAKES_RATE: bool = S::TAKES_RATE;

    fn covers(&self, inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
        OneStep::covers(self, inertia, omega, h)
    }
    fn start<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail> {
        Ok(Memory::start(&StepStart { top, t, h }, y))
    }
    #[inline]
    fn step<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Self::Memory,
    ) -> StepResult {
        OneStep::step(self, &StepStart { top, t, h }, y, m)
    }
}
