//! Rules whose steps need more than the state of a row: they are simulated from the start of a run.

pub use crate::base::Base;
use crate::base::explicit;
pub use crate::equations::TorqueShape;
use crate::equations::{Equations, Held};
use crate::held::HeldMemory;
pub use crate::held::{HeldTerm, Renewal, TermHold};
use crate::runge_kutta::{Numbers, RungeKutta};
pub use crate::slope_sum::{Begun, MOST_SLOPES, SlopeSum};
use crate::state::State;
use crate::torque_clock::{SingleTime, TorqueClock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Mat3, Vec3, quaternion};

/// A rule with a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Remembering {
    /// A sum of slopes of this and of earlier steps.
    Slopes(SlopeSum),
    /// A Runge–Kutta rule whose first slope is that of a stage of the step before, counted from 0.
    Reused {
        /// The rule.
        rule: RungeKutta,
        /// The stage.
        stage: usize,
    },
    /// A rule with a torque of earlier steps, held over the step.
    Torque {
        /// The torque.
        memory: TorqueMemory,
        /// The rule.
        rule: Base,
    },
    /// Semi-implicit Euler in space with an inertia that is turned as the step before.
    Inertia {
        /// True if the momentum is kept in space, and false if the rate is.
        momentum: bool,
    },
    /// A rule whose torque of time is read by another clock.
    Clocked {
        /// The clock.
        clock: TorqueClock,
        /// The rule.
        rule: Base,
    },
    /// A rule that evaluates a term of the law in some of its steps, and holds it in the steps between.
    Held(TermHold),
}

/// Torque of a step that is not that of its states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TorqueMemory {
    /// The torque of the step before.
    Before,
    /// The sum of all torques so far, in the body.
    SumInBody,
    /// The sum of all torques so far, in space.
    SumInSpace,
    /// The torque of so many seconds before, and that of the start until then.
    Delayed(f64),
    /// The torque behind a filter of first order with this time constant, s, which begins with the torque of the start.
    Filtered(f64),
    /// The torque behind the same filter, which begins with no torque.
    FilteredFromNone(f64),
    /// The torque whose components change by no more than so many N m in a second.
    Slewed(f64),
    /// The torque of each state in another shape.
    Shaped(TorqueShape),
}

impl Remembering {
    /// Returns all rules that whole runs are held against.
    pub(crate) fn families() -> impl Iterator<Item = Self> {
        let reused = explicit().flat_map(|rule| {
            (1..rule.tableau.stages).map(move |stage| Self::Reused { rule, stage })
        });
        let torques = [
            TorqueMemory::Before,
            TorqueMemory::SumInBody,
            TorqueMemory::SumInSpace,
        ];
        let torques = torques.into_iter().flat_map(|memory| {
            let rules = Base::families();
            rules.map(move |rule| Self::Torque { memory, rule })
        });
        let inertias = [false, true].map(|momentum| Self::Inertia { momentum });
        let all = SlopeSum::families().map(Self::Slopes).chain(torques);
        all.chain(inertias).chain(reused)
    }

    /// Returns the rules that begin anew at each row.
    pub(crate) fn renewed() -> impl Iterator<Item = Self> {
        Self::families().filter_map(|rule| match rule {
            Self::Slopes(sum) if sum.begun == Begun::Fewer => Some(Self::Slopes(SlopeSum {
                renewed: true,
                ..sum
            })),
            _ => None,
        })
    }

    /// Returns true if it differs from a rule without a memory under a torque alone.
    #[must_use]
    pub fn needs_torque(&self) -> bool {
        match self {
            Self::Torque { .. } | Self::Clocked { .. } => true,
            Self::Held(hold) => hold.term.is_torque(),
            _ => false,
        }
    }

    /// Returns the states after so many steps of `h` from a state at time `from`, which begin with no memory.
    #[must_use]
    pub fn steps(
        &self,
        equations: &Equations,
        (from, h): (f64, f64),
        steps: u32,
        start: &State,
    ) -> Vec<State> {
        let mut memory = Memory::default();
        let mut y = *start;
        let step = |n: u32| {
            let t = from + h * f64::from(n);
            self.step(equations, (t, h), &mut memory, &mut y);
            y
        };
        (0..steps).map(step).collect()
    }

    /// Returns the states of a run after numbers of steps, which rise; they end before the first that is none.
    pub(crate) fn run(
        &self,
        equations: &Equations,
        grid: (f64, f64),
        counts: &[u64],
        start: &State,
    ) -> Vec<State> {
        let steps = counts.last().copied().unwrap_or(0);
        let all = self.steps(equations, grid, steps as u32, start);
        let at = |n: &u64| match n {
            0 => Some(*start),
            n => all.get(*n as usize - 1).copied(),
        };
        let finite = |y: &State| y.is_finite();
        counts.iter().map_while(at).take_while(finite).collect()
    }

    fn step(&self, equations: &Equations, th: (f64, f64), memory: &mut Memory, y: &mut State) {
        match self {
            Self::Slopes(sum) => sum.step(equations, th, &mut memory.slopes, y),
            Self::Reused { rule, stage } => {
                let (slopes, end) = rule.slopes_from(equations, th, y, memory.first);
                memory.first = Some(slopes[*stage]);
                *y = end;
            }
            Self::Torque { memory: kept, rule } => {
                let torque = kept.torque(equations, th, memory, y);
                *y = equations.holding(torque, || rule.step(equations, th, y));
            }
            Self::Inertia { momentum } => turned_late(*momentum, equations, th, memory, y),
            Self::Clocked { clock, rule } => memory.clock.step((*clock, rule), equations, th, y),
            Self::Held(hold) => hold.step(equations, th, &mut memory.held, y),
        }
    }
}

/// What a rule keeps from one step to the next.
#[derive(Default)]
struct Memory {
    /// Slopes of earlier steps, the newest first.
    slopes: Vec<State>,
    first: Option<Numbers>,
    torque: Option<Vec3>,
    /// Torques of all steps, with their times.
    torques: Vec<(f64, Vec3)>,
    attitude: Option<Mat3>,
    momentum: Option<Vec3>,
    held: HeldMemory,
    clock: ClockMemory,
}

/// Memory of a clock from one step to the next.
#[derive(Default)]
struct ClockMemory {
    /// Time of the first step, s, and number of steps since.
    begun: Option<(f64, usize)>,
    /// Sum of the steps in single precision, s.
    sum: f32,
}

impl ClockMemory {
    /// Makes a step at the time that a clock shows.
    fn step(
        &mut self,
        (clock, rule): (TorqueClock, &Base),
        equations: &Equations,
        (t, h): (f64, f64),
        y: &mut State,
    ) {
        let (from, made) = *self.begun.get_or_insert((t, 0));
        if made == 0 {
            self.sum = from as f32;
        }
        let shown = match clock {
            // The sum of all steps so far is kept.
            TorqueClock::Single {
                made: SingleTime::Summed,
                ..
            } => f64::from(self.sum),
            _ => clock.time((from, h), made, 0.0),
        };
        self.begun = Some((from, made + 1));
        self.sum += h as f32;
        let step = || rule.step(equations, (shown, h), y);
        *y = match clock {
            TorqueClock::Single { within: true, .. } => equations.with_single_times(step),
            _ => step(),
        };
    }
}

impl TorqueMemory {
    /// Returns the torque that acts in a step from a state.
    fn torque(
        self,
        equations: &Equations,
        (t, h): (f64, f64),
        memory: &mut Memory,
        y: &State,
    ) -> Held {
        let parts = equations.parts(t, &y.quat, &y.omega);
        let own = parts.acceleration - parts.gyroscopic;
        let att = y.attitude();
        let kept = memory.torque;
        let torque = match self {
            Self::Shaped(shape) => return Held::Shape(shape),
            Self::Before => {
                memory.torque = Some(own);
                return Held::Torque(kept.unwrap_or(own));
            }
            Self::SumInBody => own + kept.unwrap_or_default(),
            Self::SumInSpace => {
                let sum = att * (equations.inertia() * own) + kept.unwrap_or_default();
                memory.torque = Some(sum);
                return Held::Torque(parts.inverse * att.tr_mul(&sum));
            }
            Self::Delayed(time) => {
                memory.torques.push((t, own));
                let early = |(at, _): &&(f64, Vec3)| *at <= t - time + IN_TIME * h;
                let known = memory.torques.iter().rev().find(early);
                known.map_or(memory.torques[0].1, |(_, torque)| *torque)
            }
            Self::Filtered(time) | Self::FilteredFromNone(time) => {
                let from = match self {
                    Self::Filtered(_) => own,
                    _ => Vec3::zeros(),
                };
                let before = kept.unwrap_or(from);
                before + (own - before) * (1.0 - (-h / time).exp())
            }
            Self::Slewed(most) => {
                let own = equations.inertia() * own;
                let before = kept.unwrap_or(own);
                let torque = before + (own - before).map(|x| x.clamp(-most * h, most * h));
                memory.torque = Some(torque);
                return Held::Torque(parts.inverse * torque);
            }
        };
        memory.torque = Some(torque);
        Held::Torque(torque)
    }
}

/// Part of a step by which a time may be off by rounding.
pub(crate) const IN_TIME: f64 = 1e-6;

/// Makes a step of semi-implicit Euler in space, with the inertia turned as at the start of the step before.
fn turned_late(
    of_momentum: bool,
    equations: &Equations,
    (t, h): (f64, f64),
    memory: &mut Memory,
    y: &mut State,
) {
    let att = y.attitude();
    let parts = equations.parts(t, &y.quat, &y.omega);
    let inertia = equations.inertia();
    let torque = att * (inertia * (parts.acceleration - parts.gyroscopic));
    let turned = memory.attitude.replace(att).unwrap_or(att);
    let divided = |moment: &Vec3| turned * (parts.inverse * turned.tr_mul(moment));
    let omega = if of_momentum {
        let before = memory.momentum.unwrap_or(att * (inertia * y.omega));
        let now = before + torque * h;
        memory.momentum = Some(now);
        divided(&now)
    } else {
        let omega = att * y.omega;
        let momentum = turned * (inertia * turned.tr_mul(&omega));
        omega + divided(&(torque - omega.cross(&momentum))) * h
    };
    let turn = quaternion::exp(&(omega * h));
    y.quat = quaternion::unit(&quaternion::product(&turn, &y.quat));
    y.omega = y.attitude().tr_mul(&omega);
}
