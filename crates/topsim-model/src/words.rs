//! Steps that are words of kicks and turns.

use crate::equations::Equations;
use crate::law::Parts;
use crate::state::State;
use crate::turn_map::TurnMap;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{NoTorque, RigidTop, RotState};
use topsim_core::schemes::{self, COMPOSITIONS, Composition, Scheme};

/// Part of W' that a kick adds to the rate, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKick {
    /// Torque and gyroscopic term.
    Whole,
    /// The torque.
    Torque,
    /// The gyroscopic term.
    Gyro,
    /// The gyroscopic term by one Newton step of its implicit equation.
    GyroNewton,
    /// The gyroscopic term, implicit.
    GyroImplicit,
    /// Both, implicit in the rate.
    WholeImplicit,
    /// Both by one Newton step.
    WholeNewton,
    /// The gyroscopic term, the momentum's length restored.
    GyroRestored,
    /// The free body's rate by the implicit midpoint rule.
    GyroMidpoint,
}

/// Turn of the attitude in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordTurn {
    /// With the rate, which stays.
    By(TurnMap),
    /// The momentum is carried along.
    Carrying,
    /// The midpoint rule in the momentum.
    Midpoint,
    /// The exact free motion.
    Free,
    /// Discrete Moser–Veselov, and its versions of higher order.
    MoserVeselov(u8),
    /// Exact turns about the principal axes 3 2 1 2 3.
    Axes,
    /// Lie–Verlet.
    LieVerlet,
    /// Simo and Wong.
    SimoWong,
}

/// Kicks and turns by the shares of a composition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Word {
    /// The parts of a kick, in order.
    pub kick: &'static [WordKick],
    /// True if their order is reversed in the second half of the step.
    pub mirrored: bool,
    /// The turn.
    pub turn: WordTurn,
    /// Shares of the step.
    pub composition: Composition,
    /// Length of the first and the last of three steps, where it is another one than that of order 4.
    pub first: Option<f64>,
    /// Factors of Ŵ J and of (J W)^ in the matrix of a Newton step, J + h (a Ŵ J + b (J W)^).
    pub factors: [f64; 2],
}

/// Iterations of a solved kick at most.
const MOST_ITERATIONS: usize = 20;

impl WordKick {
    /// Returns true if it solves equations, linear ones among them.
    fn is_implicit(self) -> bool {
        match self {
            Self::Whole | Self::Torque | Self::Gyro | Self::GyroRestored => false,
            Self::GyroNewton
            | Self::GyroImplicit
            | Self::WholeImplicit
            | Self::WholeNewton
            | Self::GyroMidpoint => true,
        }
    }

    /// Returns true if it adds a torque.
    #[must_use]
    pub fn has_torque(self) -> bool {
        matches!(
            self,
            Self::Whole | Self::Torque | Self::WholeImplicit | Self::WholeNewton
        )
    }

    /// Returns the rate after `h`, from one with these slopes. The matrix of a Newton step has these factors of Ŵ J and of (J W)^.
    pub(crate) fn apply(
        self,
        j: &Mat3,
        parts: &Parts,
        w: &Vec3,
        h: f64,
        factors: [f64; 2],
    ) -> Vec3 {
        let newton = |change: Vec3| w + solved(slope(j, w, h, factors), j * change * h);
        match self {
            Self::Whole => w + parts.acceleration * h,
            Self::Torque => w + (parts.acceleration - parts.gyroscopic) * h,
            Self::Gyro => w + parts.gyroscopic * h,
            Self::GyroNewton => newton(parts.gyroscopic),
            Self::WholeNewton => newton(parts.acceleration),
            Self::GyroImplicit => implicit(j, w, &Vec3::zeros(), h, 0.0),
            Self::GyroMidpoint => implicit(j, w, &Vec3::zeros(), h, 0.5),
            Self::WholeImplicit => {
                let torque = j * (parts.acceleration - parts.gyroscopic);
                implicit(j, w, &torque, h, 0.0)
            }
            Self::GyroRestored => {
                let moved = w + parts.gyroscopic * h;
                restored(&moved, (j * w).norm() / (j * moved).norm())
            }
        }
    }
}

/// Factors of Ŵ J and of (J W)^ in the derivative of W × J W.
pub(crate) const NEWTON: [f64; 2] = [1.0, -1.0];
/// Factors that differ by less are the same: of rounding and of a fit.
const SAME: f64 = 1e-6;

/// J + h (a Ŵ J + b (J W)^), which with the factors of Newton's rule is the derivative of J W + h W × J W.
fn slope(j: &Mat3, w: &Vec3, h: f64, [a, b]: [f64; 2]) -> Mat3 {
    j + (so3::hat(w) * j * a + so3::hat(&(j * w)) * b) * h
}

pub(crate) fn solved(m: Mat3, b: Vec3) -> Vec3 {
    m.lu().solve(&b).unwrap_or_else(Vec3::zeros)
}

/// A rate times a factor, where that is a number.
pub(crate) fn restored(w: &Vec3, factor: f64) -> Vec3 {
    w * if factor.is_finite() { factor } else { 1.0 }
}

/// x with J(x − w) = h(J m × m + T), m = x + old (w − x), by Newton's iteration.
fn implicit(j: &Mat3, w: &Vec3, torque: &Vec3, h: f64, old: f64) -> Vec3 {
    let mut x = *w;
    for _ in 0..MOST_ITERATIONS {
        let m = x + (w - x) * old;
        let left = j * (x - w) - ((j * m).cross(&m) + torque) * h;
        let change = solved(slope(j, &m, h * (1.0 - old), NEWTON), left);
        x -= change;
        if !(change.norm() > 1e-16 * x.norm()) {
            break;
        }
    }
    x
}

impl WordTurn {
    fn is_implicit(self) -> bool {
        match self {
            Self::By(_) | Self::Carrying | Self::Free | Self::Axes => false,
            Self::Midpoint | Self::MoserVeselov(_) | Self::LieVerlet | Self::SimoWong => true,
        }
    }

    fn apply(self, equations: &Equations, y: &mut State, h: f64) {
        match self {
            Self::By(map) => map.turn(equations, &mut y.quat, &y.omega, h),
            Self::Carrying => {
                let momentum = equations.inertia() * y.omega;
                let back = so3::exp(&(y.omega * -h));
                TurnMap::Exponential.turn(equations, &mut y.quat, &y.omega, h);
                y.omega = equations.inverse() * (back * momentum);
            }
            Self::Midpoint => free(&schemes::LieMidImp::default(), equations, y, h),
            Self::Free => free(&schemes::ExactStrang {}, equations, y, h),
            Self::MoserVeselov(2) => free(&schemes::Dmv::default(), equations, y, h),
            Self::MoserVeselov(4) => free(&schemes::Dmv4::default(), equations, y, h),
            Self::MoserVeselov(6) => free(&schemes::Dmv6::default(), equations, y, h),
            Self::MoserVeselov(8) => free(&schemes::Dmv8::default(), equations, y, h),
            Self::MoserVeselov(_) => free(&schemes::Dmv10::default(), equations, y, h),
            Self::Axes => free(&schemes::Split3 {}, equations, y, h),
            Self::LieVerlet => free(&schemes::Vlv::default(), equations, y, h),
            Self::SimoWong => free(&schemes::SimoWongC1::default(), equations, y, h),
        }
    }
}

/// Makes a step of the free body by a scheme of the catalogue; the state is none where it has no step.
fn free<S>(scheme: &S, equations: &Equations, y: &mut State, h: f64)
where
    S: Scheme<RigidTop<NoTorque>>,
{
    let (att, omega) = (y.attitude(), y.omega);
    let mut end = RotState { att, omega };
    let made = equations.body(y).and_then(|body| {
        let top = RigidTop::new(body.inertia().clone(), NoTorque, end);
        let begun = scheme.start(&top, 0.0, h, &mut end);
        let mut memory = begun.ok()?;
        scheme.step(&top, 0.0, h, &mut end, &mut memory).ok()
    });
    *y = State::new(&end.att, end.omega);
    if made.is_none() {
        y.omega = Vec3::repeat(f64::NAN);
    }
}

const TURN_KICK_TURN: Composition = Composition {
    name: "half turn, kick, half turn",
    order: 2,
    kicks: &[0.0, 1.0, 0.0],
    drifts: &[0.5, 0.5],
};
const TWO_TURNS: Composition = Composition {
    name: "half kick, two half turns, half kick",
    order: 2,
    kicks: &[0.5, 0.0, 0.5],
    drifts: &[0.5, 0.5],
};

/// Kicks that leave nothing to the turn but to turn.
const WITH_GYRO: [&[WordKick]; 18] = {
    use WordKick as K;
    [
        &[K::Whole],
        &[K::Gyro, K::Torque],
        &[K::Torque, K::Gyro],
        &[K::GyroNewton, K::Torque],
        &[K::Torque, K::GyroNewton],
        &[K::GyroImplicit, K::Torque],
        &[K::Torque, K::GyroImplicit],
        &[K::GyroRestored, K::Torque],
        &[K::Torque, K::GyroRestored],
        &[K::GyroMidpoint, K::Torque],
        &[K::Torque, K::GyroMidpoint],
        &[K::WholeImplicit],
        &[K::WholeNewton],
        &[K::Gyro],
        &[K::GyroNewton],
        &[K::GyroImplicit],
        &[K::GyroRestored],
        &[K::GyroMidpoint],
    ]
};
const TURNS: [TurnMap; 3] = [TurnMap::Exponential, TurnMap::Sum, TurnMap::Columns];
const FREE_TURNS: [WordTurn; 11] = [
    WordTurn::Carrying,
    WordTurn::Midpoint,
    WordTurn::Free,
    WordTurn::MoserVeselov(2),
    WordTurn::MoserVeselov(4),
    WordTurn::MoserVeselov(6),
    WordTurn::MoserVeselov(8),
    WordTurn::MoserVeselov(10),
    WordTurn::Axes,
    WordTurn::LieVerlet,
    WordTurn::SimoWong,
];

impl Word {
    /// Returns all words, the simplest first; for `free` bodies, those without a torque.
    #[must_use]
    pub fn families(free: bool) -> Vec<Self> {
        let mut out = Vec::new();
        for composition in COMPOSITIONS.into_iter().chain([TURN_KICK_TURN, TWO_TURNS]) {
            let mut add = |kick, mirrored, turn| {
                out.push(Self {
                    kick,
                    mirrored,
                    turn,
                    composition,
                    first: None,
                    factors: NEWTON,
                });
            };
            for kick in WITH_GYRO {
                if free && kick.iter().any(|k| k.has_torque()) {
                    continue;
                }
                let kicks = composition.kicks.iter().filter(|a| **a != 0.0);
                let halves = kick.len() > 1 && kicks.count() > 1;
                for turn in TURNS.map(WordTurn::By) {
                    add(kick, false, turn);
                    if halves {
                        add(kick, true, turn);
                    }
                }
            }
            for turn in FREE_TURNS {
                add(if free { &[] } else { &[WordKick::Torque] }, false, turn);
            }
        }
        out
    }

    /// Returns the words of one kick and one turn in which the gyroscopic term is one step of Newton's rule by a matrix with these
    /// factors.
    pub fn of_factors(free: bool, factors: [f64; 2]) -> impl Iterator<Item = Self> {
        let kick: &[WordKick] = match free {
            true => &[WordKick::GyroNewton],
            false => &[WordKick::GyroNewton, WordKick::Torque],
        };
        let plain = COMPOSITIONS.into_iter().filter(|c| c.order == 1);
        plain.flat_map(move |composition| {
            TURNS.map(|map| Self {
                kick,
                mirrored: false,
                turn: WordTurn::By(map),
                composition,
                first: None,
                factors,
            })
        })
    }

    /// Returns the factors of its matrix, if these are those of no rule: a rule takes the old rate, the new one or a mean of them.
    #[must_use]
    pub fn wrong_factors(&self) -> Option<[f64; 2]> {
        let [a, b] = self.factors;
        let is_mean = |x: f64| (-SAME..=1.0 + SAME).contains(&x);
        (!is_mean(a) || !is_mean(-b)).then_some(self.factors)
    }

    /// Returns true if its gyroscopic term is implicit, be it by one Newton step.
    #[must_use]
    pub fn is_implicit(&self) -> bool {
        let of_rate = |k: &WordKick| k.is_implicit() && *k != WordKick::GyroMidpoint;
        self.kick.iter().any(of_rate)
    }

    /// Returns true if a kick or the turn solves equations, linear ones among them.
    #[must_use]
    pub fn solves_equations(&self) -> bool {
        self.turn.is_implicit() || self.kick.iter().any(|kick| kick.is_implicit())
    }

    /// Returns true if the length of the momentum is put back.
    #[must_use]
    pub fn restores_momentum(&self) -> bool {
        self.kick.contains(&WordKick::GyroRestored)
    }

    /// Makes a step of `h` from `t`.
    pub(crate) fn step(&self, equations: &Equations, (t, h): (f64, f64), y: &mut State) {
        let changed = self.first.map(jump);
        let (kicks, drifts) = match &changed {
            Some((kicks, drifts)) => (&kicks[..], &drifts[..]),
            None => (self.composition.kicks, self.composition.drifts),
        };
        let mut elapsed = 0.0;
        for (i, a) in kicks.iter().enumerate() {
            if *a != 0.0 {
                let apply = |w: Vec3, k: &WordKick| {
                    let parts = equations.parts(t + elapsed * h, &y.quat, &w);
                    k.apply(equations.inertia(), &parts, &w, a * h, self.factors)
                };
                y.omega = if self.mirrored && 2 * i >= kicks.len() {
                    self.kick.iter().rev().fold(y.omega, apply)
                } else {
                    self.kick.iter().fold(y.omega, apply)
                };
            }
            if let Some(b) = drifts.get(i) {
                self.turn.apply(equations, y, b * h);
                elapsed += b;
            }
        }
    }
}

/// Returns the shares of kicks and turns of three steps, of which the first and the last have this length.
fn jump(first: f64) -> ([f64; 4], [f64; 3]) {
    let middle = 1.0 - 2.0 * first;
    let between = 0.5 * (first + middle);
    let kicks = [0.5 * first, between, between, 0.5 * first];
    (kicks, [first, middle, first])
}
