//! Rules whose steps need more than the state of a row: they are simulated from the start of a run.

pub use crate::equations::TorqueShape;
use crate::equations::{Equations, Held, plus, turning};
use crate::first_order::{self, Kick, TurnRate};
use crate::habit::Habit;
use crate::half_steps::HalfSteps;
use crate::runge_kutta::{Carrier, Numbers, RungeKutta};
use crate::state::State;
use crate::tableau::{self, Tableau};
use crate::turn_map::TurnMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Vec3, quaternion};
use topsim_core::schemes::tableaus::{HEUN2, MIDPOINT, RK4};

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
}

/// A rule without a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a tableau has 63 numbers; rules are copied once a candidate, not once a step"
)]
pub enum Base {
    /// A rule of first order with an explicit kick.
    Euler(TurnRate, TurnMap),
    /// A rule of kicks and turns.
    HalfSteps(HalfSteps),
    /// A Runge–Kutta rule.
    RungeKutta(RungeKutta),
}

/// A multistep rule of sums of slopes (Adams and Bashforth).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlopeSum {
    /// Weights of the slopes, the newest first.
    pub weights: [f64; MOST_SLOPES],
    /// Slopes before the first step.
    pub begun: Begun,
    /// True if the attitude turns by the exponential of the sum of rates, and false if quaternions are added.
    pub turns: bool,
    /// True if each row begins anew.
    pub renewed: bool,
}

/// Slopes that stand for those before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Begun {
    /// The slope at the start.
    First,
    /// None: the rules of fewer slopes make the first steps.
    Fewer,
    /// Zero.
    Zero,
    /// Those of steps of the classical Runge–Kutta rule.
    RungeKutta,
    /// Those of steps of Heun's rule.
    Heun,
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

/// Most slopes of a sum.
pub const MOST_SLOPES: usize = 4;
/// Weights of the rules of Adams and Bashforth of two to four slopes.
const ADAMS_BASHFORTH: [[f64; MOST_SLOPES]; MOST_SLOPES] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.5, -0.5, 0.0, 0.0],
    [23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0, 0.0],
    [55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0],
];
/// Weights that differ by less are the same: of rounding and of a fit.
const SAME: f64 = 1e-9;

impl SlopeSum {
    /// Returns the number of slopes.
    #[must_use]
    pub fn slopes(&self) -> usize {
        let last = self.weights.iter().rposition(|w| *w != 0.0);
        last.map_or(1, |last| last + 1)
    }

    /// Returns true if its weights are those of Adams and Bashforth.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let named = &ADAMS_BASHFORTH[self.slopes() - 1];
        let pairs = self.weights.iter().zip(named);
        pairs.into_iter().all(|(a, b)| (a - b).abs() < SAME)
    }

    /// Returns the order of whole runs, with what their first steps cost.
    #[must_use]
    pub fn order(&self) -> u8 {
        if !self.is_named() || self.begun == Begun::Zero || self.renewed {
            return 1;
        }
        let most = match self.begun {
            Begun::First | Begun::Fewer => 2,
            Begun::Heun => 3,
            Begun::Zero | Begun::RungeKutta => MOST_SLOPES,
        };
        self.slopes().min(most) as u8
    }
}

impl Remembering {
    /// Returns all rules that whole runs are held against.
    pub(crate) fn families() -> impl Iterator<Item = Self> {
        let sums = ADAMS_BASHFORTH[1..].iter().flat_map(|weights| {
            // Of two slopes, the first in the place of that before it makes a step of the rule of one.
            let of_two = weights[2] == 0.0;
            let begun = Begun::VARIANTS.iter();
            let begun = begun.filter(move |b| !(of_two && **b == Begun::First));
            begun.flat_map(move |&begun| {
                [false, true].map(|turns| SlopeSum {
                    weights: *weights,
                    begun,
                    turns,
                    renewed: false,
                })
            })
        });
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
        let all = sums.map(Self::Slopes).chain(torques);
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
            Self::Slopes(sum) => sum.step(equations, th, memory, y),
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
}

fn slope(equations: &Equations, t: f64, y: &State) -> State {
    let parts = equations.parts(t, &y.quat, &y.omega);
    State {
        quat: turning(&y.quat, &parts.rate),
        omega: parts.acceleration,
    }
}

impl SlopeSum {
    fn step(&self, equations: &Equations, (t, h): (f64, f64), memory: &mut Memory, y: &mut State) {
        // A turn is one of the rate, and not of its quaternion.
        let of = |y: &State| match self.turns {
            true => State {
                quat: [0.0, y.omega.x, y.omega.y, y.omega.z],
                omega: equations.parts(t, &y.quat, &y.omega).acceleration,
            },
            false => slope(equations, t, y),
        };
        let now = of(y);
        let n = self.slopes();
        let known = memory.slopes.len();
        memory.slopes.insert(0, now);
        memory.slopes.truncate(MOST_SLOPES);
        let begins = known + 1 < n;
        let weights = match self.begun {
            Begun::Fewer if begins => &ADAMS_BASHFORTH[known],
            _ => &self.weights,
        };
        let by_one_step = match self.begun {
            Begun::RungeKutta => Some(&RK4),
            Begun::Heun => Some(&HEUN2),
            _ => None,
        };
        if let Some(tableau) = by_one_step.filter(|_| begins) {
            let rule = RungeKutta::plain(Tableau::from(tableau), Carrier::QuaternionOneMinus);
            *y = rule.step(equations, (t, h), y);
            return;
        }
        let zero = State {
            quat: [0.0; 4],
            omega: Vec3::zeros(),
        };
        let sum = weights.iter().enumerate().fold(zero, |sum, (k, w)| {
            let first = memory.slopes.last().filter(|_| self.begun == Begun::First);
            let slope = memory.slopes.get(k).or(first);
            plus(&sum, *w, slope.unwrap_or(&zero))
        });
        let quat = match self.turns {
            true => {
                let turn = Vec3::new(sum.quat[1], sum.quat[2], sum.quat[3]) * h;
                quaternion::product(&y.quat, &quaternion::exp(&turn))
            }
            false => plus(y, h, &sum).quat,
        };
        *y = State {
            quat: quaternion::unit(&quat),
            omega: y.omega + sum.omega * h,
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

impl Base {
    fn families() -> impl Iterator<Item = Self> {
        let rates = TurnRate::VARIANTS.iter().copied();
        let euler = rates.flat_map(|rate| {
            [TurnMap::Exponential, TurnMap::Sum].map(|map| Self::Euler(rate, map))
        });
        let halves = HalfSteps::VARIANTS.iter().copied().map(Self::HalfSteps);
        euler.chain(halves).chain(explicit().map(Self::RungeKutta))
    }

    /// Returns the rules that most solvers have.
    pub(crate) fn usual() -> impl Iterator<Item = Self> {
        let usual = |rule: &Self| match rule {
            Self::Euler(rate, _) => matches!(rate, TurnRate::New | TurnRate::Old),
            Self::HalfSteps(rule) => matches!(rule, HalfSteps::Verlet | HalfSteps::TurnKickTurn),
            Self::RungeKutta(rule) => {
                let carriers = [Carrier::Quaternion, Carrier::QuaternionOneMinus];
                USUAL.contains(&rule.tableau.name) && carriers.contains(&rule.carrier)
            }
        };
        Self::families().filter(usual)
    }

    fn step(&self, equations: &Equations, th: (f64, f64), from: &State) -> State {
        let mut y = *from;
        match self {
            Self::Euler(rate, map) => {
                let rule = (Kick::Explicit, *rate, *map);
                first_order::step(rule, equations, &Habit::default(), th, &mut y);
            }
            Self::HalfSteps(rule) => rule.step(equations, th, &mut y),
            Self::RungeKutta(rule) => y = rule.step(equations, th, from),
        }
        y
    }
}

/// Names of the explicit rules that most solvers have.
const USUAL: [&str; 3] = [MIDPOINT.name, HEUN2.name, RK4.name];

/// Returns explicit Runge–Kutta rules of order two and more in the variables that most authors take.
fn explicit() -> impl Iterator<Item = RungeKutta> {
    let named = tableau::named().into_iter().filter(|t| t.order > 1);
    named.flat_map(|tableau| {
        let carriers = Carrier::VARIANTS.iter().filter(|c| c.is_usual());
        carriers.map(move |&carrier| RungeKutta::plain(tableau, carrier))
    })
}

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
