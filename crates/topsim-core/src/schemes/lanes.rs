//! Steps of several bodies at once, one in each lane of the processor's registers.
//!
//! The step is the scheme's own, written for one body. The lanes stand side by side in arrays, and the compiler makes the
//! same operation of all lanes one instruction, of registers as wide as the processor's when the program runs. It fuses and
//! reorders nothing, so each body gets the bits of a step alone. Turns by more than ½ rad take a branch, which lanes cannot:
//! their numbers are then NaN ([`AngleRange::Series`]), and the steps since the last check are made again one body after the
//! other, as are those in which a step fails.

use super::scheme::{Memory, RotationScheme, Step, StepFail};
use crate::math::so3::AngleRange;
use crate::math::{LaneNumbers, Mat3, Vec3};
use crate::models::{InLanes, Inertia, InitialValueProblem, RigidTop, RotState, Torque};
use std::mem::ManuallyDrop;
use std::ops::Range;

/// Number of bodies that are stepped at once.
pub const LANES: usize = 8;

/// Number of steps between two checks.
const CHECKED: u64 = 64;

/// Largest number of numbers of a body, and of a state with its memory.
const MOST: usize = 48;

/// Bodies side by side, with the memories of their scheme.
pub struct Lanes<T, M> {
    /// Bodies.
    pub tops: [RigidTop<T>; LANES],
    /// Times of the starts, s.
    pub starts: [f64; LANES],
    /// Steps, s.
    pub steps: [f64; LANES],
    /// States.
    pub states: [RotState; LANES],
    /// Memories of the scheme.
    pub memories: [M; LANES],
    /// Failures of steps; the lane then stays.
    pub failed: [Option<StepFail>; LANES],
}

impl<T: Torque, M: Memory> Lanes<T, M> {
    /// Prepares the steps of bodies from their initial states; `times` are the start and the step of each, s.
    ///
    /// # Errors
    /// [`StepFail`] where the preparation itself must move a body and cannot.
    pub fn new<P: InLanes<Lane = T>>(
        bodies: [&RigidTop<P>; LANES],
        times: [(f64, f64); LANES],
    ) -> Result<Self, StepFail> {
        let tops = bodies.map(|top| RigidTop::bare(top.inertia().clone(), top.torque().lane()));
        let states = bodies.map(InitialValueProblem::initial);
        let memory = |i: usize| M::start(&Step::new(&tops[i], times[i].0, times[i].1), &states[i]);
        let mut memories = Vec::with_capacity(LANES);
        for i in 0..LANES {
            memories.push(memory(i)?);
        }
        let Ok(memories) = memories.try_into() else {
            unreachable!("a memory of each lane")
        };
        Ok(Self {
            tops,
            starts: times.map(|(start, _)| start),
            steps: times.map(|(_, step)| step),
            states,
            memories,
            failed: [None; LANES],
        })
    }
}

/// Makes the steps of these numbers in all lanes.
pub type LaneSteps<S, T> = fn(&S, &mut Lanes<T, <S as RotationScheme>::Memory>, Range<u64>);

/// Gives a scheme steps in lanes.
macro_rules! in_lanes {
    () => {
        fn in_lanes<T: Torque + LaneNumbers + Copy>()
        -> Option<$crate::schemes::lanes::LaneSteps<Self, T>> {
            Some($crate::schemes::lanes::steps)
        }
    };
}
pub(super) use in_lanes;

/// See [`LaneSteps`].
pub(super) fn steps<S: RotationScheme, T: Torque + LaneNumbers + Copy>(
    scheme: &S,
    lanes: &mut Lanes<T, S::Memory>,
    numbers: Range<u64>,
) where
    S::Memory: LaneNumbers + Copy,
{
    let mut bodies = Columns::new();
    for i in 0..LANES {
        let (inertia, torque) = (lanes.tops[i].inertia().clone(), *lanes.tops[i].torque());
        let times = (lanes.starts[i], lanes.steps[i]);
        bodies.put(
            i,
            LaneBody {
                inertia,
                torque,
                times,
                memory: lanes.memories[i],
            },
        );
    }
    // The columns keep what changes; the rest of a memory, the same in all lanes or in none, is that of the first.
    let like = (*lanes.tops[0].torque(), lanes.memories[0]);
    let mut at = numbers.start;
    while at < numbers.end {
        let until = numbers.end.min(at + CHECKED);
        let mut states = Columns::new();
        for i in 0..LANES {
            states.put(i, LaneState::new(lanes.states[i], lanes.memories[i]));
        }
        let columns = (bodies, states);
        let states = widest(
            #[inline(always)]
            move || side_by_side(scheme, like, columns, at..until),
        );
        for i in 0..LANES {
            let made = states.take(i, LaneState::new(lanes.states[i], lanes.memories[i]));
            if lanes.failed[i].is_none() && made.y.is_finite() {
                (lanes.states[i], lanes.memories[i]) = (made.y, made.memory);
            } else {
                alone(scheme, lanes, i, at..until);
            }
        }
        at = until;
    }
}

/// Makes the steps of one lane.
#[cold]
#[inline(never)]
fn alone<S: RotationScheme, T: Torque>(
    scheme: &S,
    lanes: &mut Lanes<T, S::Memory>,
    i: usize,
    numbers: Range<u64>,
) {
    let first = Step::new(&lanes.tops[i], lanes.starts[i], lanes.steps[i]);
    for k in numbers {
        if lanes.failed[i].is_none() {
            let (y, memory) = (&mut lanes.states[i], &mut lanes.memories[i]);
            lanes.failed[i] = scheme.step(&first.later(k), y, memory).err();
        }
    }
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
struct Columns([[f64; LANES]; MOST]);

impl Columns {
    fn new() -> Self {
        Self([[0.0; LANES]; MOST])
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
    (bodies, mut states): (Columns, Columns),
    numbers: Range<u64>,
) -> Columns
where
    S::Memory: LaneNumbers + Copy,
{
    for k in numbers.start..numbers.end - 1 {
        step::<_, _, false>(scheme, like, (&bodies, &mut states), k);
    }
    step::<_, _, true>(scheme, like, (&bodies, &mut states), numbers.end - 1);
    states
}

/// Makes a step of all lanes. The attitude is computed where the next step or the caller reads it: that of the `LAST` step always.
#[inline(always)]
fn step<S: RotationScheme, T: Torque + LaneNumbers + Copy, const LAST: bool>(
    scheme: &S,
    (torque, memory): (T, S::Memory),
    (bodies, states): (&Columns, &mut Columns),
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
        let blank = RotState {
            att: Mat3::zeros(),
            omega: Vec3::zeros(),
        };
        let mut state = states.take(i, LaneState::new(blank, body.memory));
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
        state.whole = LAST || !S::Memory::HAS_ATTITUDE;
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
