//! Steps that are words of kicks and turns.

use super::bench::{State, Step};
use super::runge_kutta::tolerance;
use super::sphere;
use crate::identification::experiment::Start;
use topsim_core::math::{Vec3, so3};
use topsim_core::models::{Free, Inertia, RigidTop, RotState};
use topsim_core::schemes::{self, COMPOSITIONS, Composition, RotationScheme, SimoWongC1, Vlv};

/// What a kick adds to the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kick {
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

/// How the attitude turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Exponential,
    Cayley,
    GramSchmidt,
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

/// A word: kicks and turns by the shares of a composition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// The parts of a kick, in order.
    pub kick: &'static [Kick],
    /// Whether their order is reversed in the second half of the step.
    pub mirrored: bool,
    pub turn: Turn,
    pub composition: Composition,
    /// Equal steps that a step is made of.
    pub parts: usize,
    pub residual: f64,
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
const WITH_GYRO: [&[Kick]; 16] = {
    use Kick as K;
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
    ]
};

const TURNS: [Turn; 3] = [Turn::Exponential, Turn::Cayley, Turn::GramSchmidt];

const FREE_TURNS: [Turn; 11] = [
    Turn::Carrying,
    Turn::Midpoint,
    Turn::Free,
    Turn::MoserVeselov(2),
    Turn::MoserVeselov(4),
    Turn::MoserVeselov(6),
    Turn::MoserVeselov(8),
    Turn::MoserVeselov(10),
    Turn::Axes,
    Turn::LieVerlet,
    Turn::SimoWong,
];

impl Word {
    /// The state after a step.
    pub fn predict(&self, step: &Step) -> State {
        let h = step.h / self.parts as f64;
        (0..self.parts).fold(step.from, |y, n| {
            self.once(&step.body, step.t + h * n as f64, h, y)
        })
    }

    fn once(&self, body: &Start, t: f64, h: f64, from: State) -> State {
        let (kicks, drifts) = (self.composition.kicks, self.composition.drifts);
        let mut y = from;
        let mut elapsed = 0.0;
        for (i, a) in kicks.iter().enumerate() {
            if *a != 0.0 {
                let torque = body.torque(t + elapsed * h, &y.0);
                let apply = |w: Vec3, k: &Kick| k.apply(&body.inertia, &w, &torque, a * h);
                y.1 = if self.mirrored && 2 * i >= kicks.len() {
                    self.kick.iter().rev().fold(y.1, apply)
                } else {
                    self.kick.iter().fold(y.1, apply)
                };
            }
            if let Some(b) = drifts.get(i) {
                y = self.turn.apply(&body.inertia, y, b * h);
                elapsed += b;
            }
        }
        y
    }
}

impl Kick {
    fn apply(self, j: &Inertia, w: &Vec3, torque: &Vec3, h: f64) -> Vec3 {
        let l = j.times(w);
        let gyro = l.cross(w);
        let newton = |torque: &Vec3| {
            let k = j.tensor() + (so3::hat(w) * j.tensor() - so3::hat(&l)) * h;
            k.try_inverse()
                .map_or(*w, |k| w + k * ((gyro + torque) * h))
        };
        match self {
            Self::Whole => w + j.solve(&(gyro + torque)) * h,
            Self::Torque => w + j.solve(torque) * h,
            Self::Gyro => w + j.solve(&gyro) * h,
            Self::GyroNewton => newton(&Vec3::zeros()),
            Self::WholeNewton => newton(torque),
            Self::GyroImplicit => implicit(j, w, &Vec3::zeros(), h, 0.0),
            Self::WholeImplicit => implicit(j, w, torque, h, 0.0),
            Self::GyroMidpoint => implicit(j, w, &Vec3::zeros(), h, 0.5),
            Self::GyroRestored => {
                let moved = l + gyro * h;
                j.solve(&(moved * (l.norm() / moved.norm())))
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Whole => "torque and gyroscopic term",
            Self::Torque => "torque",
            Self::Gyro => "gyroscopic term",
            Self::GyroNewton => "gyroscopic term by one Newton step",
            Self::GyroImplicit => "implicit gyroscopic term",
            Self::WholeImplicit => "torque and gyroscopic term, implicit in the rate",
            Self::WholeNewton => "torque and gyroscopic term by one Newton step",
            Self::GyroRestored => "gyroscopic term with the momentum's length restored",
            Self::GyroMidpoint => "gyroscopic term by the implicit midpoint rule",
        }
    }
}

/// x with J(x − w) = h(g(m) + T), m = x + old (w − x), by Newton's iteration.
fn implicit(j: &Inertia, w: &Vec3, torque: &Vec3, h: f64, old: f64) -> Vec3 {
    let mut x = *w;
    for _ in 0..20 {
        let m = x + (w - x) * old;
        let l = j.times(&m);
        let value = j.times(&(x - w)) - (l.cross(&m) + torque) * h;
        let slope = j.tensor() + (so3::hat(&m) * j.tensor() - so3::hat(&l)) * (h * (1.0 - old));
        let Some(inverse) = slope.try_inverse() else {
            return x;
        };
        let change = inverse * value;
        x -= change;
        if !(change.norm() > 1e-16 * x.norm()) {
            break;
        }
    }
    x
}

impl Turn {
    fn apply(self, j: &Inertia, (r, w): State, h: f64) -> State {
        let x = w * h;
        match self {
            Self::Exponential => (r * so3::exp(&x), w),
            Self::Cayley => (r * so3::cayley(&x), w),
            Self::GramSchmidt => (sphere::gram_schmidt(&(r + r * so3::hat(&x))), w),
            Self::Carrying => {
                let e = so3::exp(&x);
                (r * e, j.solve(&e.tr_mul(&j.times(&w))))
            }
            Self::Midpoint => free(&schemes::LieMidImp::default(), j, r, w, h),
            Self::Free => free(&schemes::ExactStrang {}, j, r, w, h),
            Self::MoserVeselov(2) => free(&schemes::Dmv::default(), j, r, w, h),
            Self::MoserVeselov(4) => free(&schemes::Dmv4::default(), j, r, w, h),
            Self::MoserVeselov(6) => free(&schemes::Dmv6::default(), j, r, w, h),
            Self::MoserVeselov(8) => free(&schemes::Dmv8::default(), j, r, w, h),
            Self::MoserVeselov(_) => free(&schemes::Dmv10::default(), j, r, w, h),
            Self::Axes => free(&schemes::Split3 {}, j, r, w, h),
            Self::LieVerlet => free(&Vlv::default(), j, r, w, h),
            Self::SimoWong => free(&SimoWongC1::default(), j, r, w, h),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Exponential => "exponential map".into(),
            Self::Cayley => "Cayley's map".into(),
            Self::GramSchmidt => "matrix sum made orthogonal by columns".into(),
            Self::Carrying => "exponential map, the momentum carried along".into(),
            Self::Midpoint => "midpoint rule in the momentum".into(),
            Self::Free => "exact free motion".into(),
            Self::MoserVeselov(n) => format!("discrete Moser–Veselov rule of order {n}"),
            Self::Axes => "exact turns about the principal axes".into(),
            Self::LieVerlet => "Lie–Verlet rule".into(),
            Self::SimoWong => "rule of Simo and Wong".into(),
        }
    }
}

/// A step of the free body by a scheme of the catalogue.
fn free<S: RotationScheme>(
    scheme: &S,
    j: &Inertia,
    att: topsim_core::math::Mat3,
    omega: Vec3,
    h: f64,
) -> State {
    let mut y = RotState { att, omega };
    let top = RigidTop::new(j.clone(), Free, y);
    let done = scheme
        .start(&top, 0.0, h, &mut y)
        .and_then(|mut m| scheme.step(&top, 0.0, h, &mut y, &mut m));
    match done {
        Ok(_) => (y.att, y.omega),
        Err(_) => (att, Vec3::repeat(f64::NAN)),
    }
}

impl core::fmt::Display for Word {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let kicks: Vec<&str> = self.kick.iter().map(|k| k.name()).collect();
        let mut kick = kicks.join(", then ");
        if self.mirrored && self.kick.len() > 1 {
            kick += ", in reverse order at the end";
        }
        let shape = match self.composition.name {
            "first" => "a kick, then a turn".into(),
            "adjoint" => "a turn, then a kick".into(),
            "strang" => "half kick, turn, half kick".into(),
            name if self.composition.drifts.len() > 2 => {
                format!("the composition {name} of kicks and turns")
            }
            name => name.into(),
        };
        write!(f, "{shape} (kick: {kick}; turn: {})", self.turn.name())
    }
}

/// All words; the simplest first.
pub(super) fn all() -> Vec<Word> {
    let compositions: Vec<Composition> = COMPOSITIONS
        .into_iter()
        .chain([TURN_KICK_TURN, TWO_TURNS])
        .collect();
    let mut out = Vec::new();
    for composition in compositions {
        let mut add = |kick, mirrored, turn| {
            out.push(Word {
                kick,
                mirrored,
                turn,
                composition,
                parts: 1,
                residual: f64::INFINITY,
            });
        };
        for kick in WITH_GYRO {
            let halves =
                kick.len() > 1 && composition.kicks.iter().filter(|a| **a != 0.0).count() > 1;
            for turn in TURNS {
                add(kick, false, turn);
                if halves {
                    add(kick, true, turn);
                }
            }
        }
        for turn in FREE_TURNS {
            add(&[Kick::Torque], false, turn);
        }
    }
    out
}

/// Words that explain the steps: the best, and others that make another step and fit as well.
pub(super) fn word(steps: &[Step], noise: f64) -> (Option<Word>, Vec<Word>) {
    let (accept, floor) = tolerance(noise);
    let mut found: Vec<Word> = Vec::new();
    for mut word in all() {
        let mut worst: f64 = 0.0;
        for step in steps {
            worst = worst.max(step.miss(&word.predict(step)));
            if !(worst <= 100.0 * accept) {
                break;
            }
        }
        if worst <= 100.0 * accept {
            word.residual = worst;
            found.push(word);
        }
    }
    let least = found.iter().map(|w| w.residual).min_by(f64::total_cmp);
    let Some(least) = least.filter(|r| *r <= accept) else {
        return (None, Vec::new());
    };
    let best = found
        .iter()
        .find(|w| w.residual <= 10.0 * least.max(floor))
        .copied();
    let Some(best) = best else {
        return (None, Vec::new());
    };
    let limit = 100.0 * least.max(floor);
    // The same step written as another word is no rival.
    let differs = |w: &Word| {
        steps.iter().any(|s| {
            let mut same = s.clone();
            same.to = best.predict(s);
            same.miss(&w.predict(s)) > 2e-14
        })
    };
    let rivals = found
        .iter()
        .filter(|w| w.residual <= limit && differs(w))
        .copied()
        .collect();
    (Some(best), rivals)
}
