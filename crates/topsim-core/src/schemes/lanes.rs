//! Steps of several bodies at once, one in each lane of the processor's registers.
//!
//! The step is the scheme's own, written for one body. The lanes stand side by side in arrays, and the compiler makes the
//! same operation of all lanes one instruction, of registers as wide as the processor's when the program runs. It fuses and
//! reorders nothing, so each body gets the bits of a step alone. Turns by more than ½ rad take a branch, which lanes cannot:
//! their numbers are then NaN ([`AngleRange::Series`]), and the steps since the last check are made again one body after the
//! other, as are those in which a step fails.

use super::scheme::{Memory, RotationScheme, Step, StepFail};
use crate::math::LaneNumbers;
use crate::math::so3::AngleRange;
use crate::models::{InLanes, Inertia, InitialValueProblem, RigidTop, RotState, Torque};
use std::mem::ManuallyDrop;
use std::ops::Range;

/// Number of bodies that are stepped at once.
pub const LANES: usize = 8;

/// Number of steps between two checks.
const CHECKED: u64 = 64;

/// Largest number of numbers of a body, and of a state with its memory.
const BODY: usize = 44;
const STATE: usize = 28;

/// Bodies side by side, moved by one scheme.
pub trait LaneMotion {
    /// Makes the steps of these numbers, counted from the starts.
    fn steps(&mut self, numbers: Range<u64>);
    /// Returns the state in a lane.
    fn state(&self, i: usize) -> RotState;
    /// Returns true if a step has failed in a lane, which then stays.
    fn has_failed(&self, i: usize) -> bool;
}

/// Puts bodies side by side at their initial states, with the start and the step of each, s.
///
/// # Errors
/// [`StepFail`] where the preparation itself must move a body and cannot.
pub type StartLanes<S, T> = for<'a> fn(
    &'a S,
    [&RigidTop<T>; LANES],
    [(f64, f64); LANES],
) -> Result<Box<dyn LaneMotion + 'a>, StepFail>;

/// Gives a scheme steps in lanes.
macro_rules! in_lanes {
    () => {
        fn in_lanes<T: InLanes>() -> Option<StartLanes<Self, T>> {
            Some($crate::schemes::lanes::start)
        }
    };
}
pub(crate) use in_lanes;

/// Implementation of [`LaneMotion`] for every scheme with such a memory.
struct Lanes<'a, S, T, M> {
    scheme: &'a S,
    tops: [RigidTop<T>; LANES],
    times: [(f64, f64); LANES],
    /// Memories at the start: of later ones the columns have what has changed.
    memories: Vec<M>,
    bodies: Columns<BODY>,
    states: Columns<STATE>,
    failed: [bool; LANES],
}

/// See [`StartLanes`].
pub(crate) fn start<'a, S: RotationScheme + 'static, T: InLanes>(
    scheme: &'a S,
    bodies: [&RigidTop<T>; LANES],
    times: [(f64, f64); LANES],
) -> Result<Box<dyn LaneMotion + 'a>, StepFail>
where
    S::Memory: LaneNumbers + Copy + 'static,
{
    let mut lanes = Lanes {
        scheme,
        tops: bodies.map(|top| RigidTop::bare(top.inertia().clone(), top.torque().lane())),
        times,
        memories: Vec::with_capacity(LANES),
        bodies: Columns::EMPTY,
        states: Columns::EMPTY,
        failed: [false; LANES],
    };
    for (i, body) in bodies.into_iter().enumerate() {
        let (top, y, times) = (&lanes.tops[i], body.initial(), times[i]);
        let memory = S::Memory::start(&Step::new(top, times.0, times.1), &y)?;
        lanes.memories.push(memory);
        lanes.states.put(i, LaneState::new(y, memory));
        let (inertia, torque) = (top.inertia().clone(), *top.torque());
        let body = LaneBody {
            inertia,
            torque,
            times,
            memory,
        };
        lanes.bodies.put(i, body);
    }
    Ok(Box::new(lanes))
}

impl<S: RotationScheme, T: Torque + LaneNumbers + Copy> Lanes<'_, S, T, S::Memory>
where
    S::Memory: LaneNumbers + Copy,
{
    fn like(&self, i: usize) -> LaneState<S::Memory> {
        LaneState::new(RotState::blank(), self.memories[i])
    }
}

impl<S: RotationScheme, T: Torque + LaneNumbers + Copy> LaneMotion for Lanes<'_, S, T, S::Memory>
where
    S::Memory: LaneNumbers + Copy,
{
    fn steps(&mut self, numbers: Range<u64>) {
        let (scheme, like) = (self.scheme, (*self.tops[0].torque(), self.memories[0]));
        let mut at = numbers.start;
        while at < numbers.end {
            let until = numbers.end.min(at + CHECKED);
            let before = self.states;
            // Moved in and out: by reference, bodies and states might be one for all that the compiler knows.
            let columns = (self.bodies, self.states);
            self.states = widest(
                #[inline(always)]
                move || side_by_side(scheme, like, columns, at..until),
            );
            for (i, finite) in self.states.finite().into_iter().enumerate() {
                if self.failed[i] || !finite {
                    let mut state = before.take(i, self.like(i));
                    let first = Step::new(&self.tops[i], self.times[i].0, self.times[i].1);
                    if !self.failed[i] {
                        self.failed[i] = alone(scheme, &first, at..until, &mut state).is_err();
                    }
                    self.states.put(i, state);
                }
            }
            at = until;
        }
    }

    fn state(&self, i: usize) -> RotState {
        self.states.take(i, self.like(i)).y
    }

    fn has_failed(&self, i: usize) -> bool {
        self.failed[i]
    }
}

/// Makes the steps of one lane.
///
/// # Errors
/// [`StepFail`]; the state is then that before the failed step.
#[cold]
#[inline(never)]
fn alone<S: RotationScheme>(
    scheme: &S,
    first: &Step<impl Torque>,
    numbers: Range<u64>,
    at: &mut LaneState<S::Memory>,
) -> Result<(), StepFail> {
    for k in numbers {
        scheme.step(&first.later(k), &mut at.y, &mut at.memory)?;
    }
    Ok(())
}

/// What no step changes.
struct LaneBody<T, M> {
    inertia: Inertia,
    torque: T,
    times: (f64, f64),
    memory: M,
}

impl<T: LaneNumbers, M: LaneNumbers> LaneNumbers for LaneBody<T, M> {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.inertia.each(f);
        self.torque.each(f);
        self.times.each(f);
        self.memory.each_constant(f);
    }
}

/// State of a body and memory of its scheme.
struct LaneState<M> {
    memory: M,
    y: RotState,
    /// False where nobody reads the attitude.
    whole: bool,
}

impl<M> LaneState<M> {
    #[inline(always)]
    fn new(y: RotState, memory: M) -> Self {
        let whole = true;
        Self { memory, y, whole }
    }
}

impl<M: LaneNumbers> LaneNumbers for LaneState<M> {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.memory.each(f);
        self.y.omega.each(f);
        if self.whole {
            self.y.att.each(f);
        }
    }
}

/// Numbers of bodies or states: a row has the same number of all lanes.
#[derive(Clone, Copy)]
struct Columns<const MOST: usize>([[f64; LANES]; MOST]);

impl<const MOST: usize> Columns<MOST> {
    const EMPTY: Self = Self([[0.0; LANES]; MOST]);

    /// Returns whether all numbers of each lane are finite.
    fn finite(&self) -> [bool; LANES] {
        // One sum replaces a test of each number: infinities and NaN survive additions, or turn into NaN.
        let mut sums = [0.0; LANES];
        for row in &self.0 {
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += x;
            }
        }
        sums.map(f64::is_finite)
    }

    #[inline(always)]
    fn put(&mut self, i: usize, mut value: impl LaneNumbers) {
        let mut row = 0;
        value.each(&mut |x| {
            self.0[row][i] = *x;
            row += 1;
        });
    }

    #[inline(always)]
    fn take<V: LaneNumbers>(&self, i: usize, mut like: V) -> V {
        let mut row = 0;
        like.each(&mut |x| {
            *x = self.0[row][i];
            row += 1;
        });
        like
    }
}

/// Makes the steps of all lanes; a lane in which one fails gets a state that is not finite.
#[inline(always)]
fn side_by_side<S: RotationScheme, T: Torque + LaneNumbers + Copy>(
    scheme: &S,
    like: (T, S::Memory),
    (bodies, mut states): (Columns<BODY>, Columns<STATE>),
    numbers: Range<u64>,
) -> Columns<STATE>
where
    S::Memory: LaneNumbers + Copy,
{
    // Where each step needs the attitude, the last is like all others.
    let last = if S::Memory::HAS_ATTITUDE {
        for k in numbers.start..numbers.end - 1 {
            step::<_, _, false>(scheme, like, (&bodies, &mut states), k);
        }
        numbers.end - 1
    } else {
        numbers.start
    };
    for k in last..numbers.end {
        step::<_, _, true>(scheme, like, (&bodies, &mut states), k);
    }
    states
}

/// Makes a step of all lanes, with its attitude if it is the `LAST`: others are not read.
#[inline(always)]
fn step<S: RotationScheme, T: Torque + LaneNumbers + Copy, const LAST: bool>(
    scheme: &S,
    (torque, memory): (T, S::Memory),
    (bodies, states): (&Columns<BODY>, &mut Columns<STATE>),
    k: u64,
) where
    S::Memory: LaneNumbers + Copy,
{
    for i in 0..LANES {
        let body = bodies.take(
            i,
            LaneBody {
                inertia: Inertia::blank(),
                torque,
                times: (0.0, 0.0),
                memory,
            },
        );
        let (start, h) = body.times;
        // It owns no memory, and a drop would be a call.
        let top = ManuallyDrop::new(RigidTop::bare(body.inertia, body.torque));
        let mut state = states.take(i, LaneState::new(RotState::blank(), body.memory));
        let at = Step {
            top: &top,
            t: start + k as f64 * h,
            h,
            angles: AngleRange::Series,
        };
        let made = scheme.step(&at, &mut state.y, &mut state.memory);
        if made.is_err() {
            state.y.omega.x = f64::NAN;
        }
        state.whole = LAST;
        states.put(i, state);
    }
}

/// Calls `f` compiled for the widest registers that this processor has; plainly without the feature.
#[inline(always)]
pub(super) fn widest<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(feature = "wide-registers")]
    return pulp::Arch::new().dispatch(f);
    #[cfg(not(feature = "wide-registers"))]
    f()
}
