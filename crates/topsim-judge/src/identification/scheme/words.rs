//! Steps that are words of kicks and turns.

use super::linear::spell;
use super::operators::{Kick, Turn};
use super::questioner::{State, Step};
use super::runge_kutta::free_number;
use super::search::{Candidate, Choice, Search, vector};
use crate::identification::experiment::{Load, Start};
use topsim_core::math::Vec3;
use topsim_core::schemes::{COMPOSITIONS, Composition};

/// A word: kicks and turns by the shares of a composition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// The parts of a kick, in order.
    pub kick: &'static [Kick],
    /// Whether their order is reversed in the second half of the step.
    pub mirrored: bool,
    pub turn: Turn,
    pub composition: Composition,
    /// Length of the first and the last of three steps, where it is another one than that of order 4.
    pub first: Option<f64>,
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
const WITH_GYRO: [&[Kick]; 18] = {
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
        &[K::GyroRestored],
        &[K::GyroMidpoint],
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
    /// Whether its gyroscopic term is implicit, be it by one Newton step.
    pub fn is_implicit(&self) -> bool {
        self.kick.iter().any(|k| {
            matches!(
                k,
                Kick::GyroNewton | Kick::GyroImplicit | Kick::WholeImplicit | Kick::WholeNewton
            )
        })
    }

    /// Returns whether a kick or the turn solves equations, linear ones among them.
    pub fn solves_equations(&self) -> bool {
        self.turn.is_implicit() || self.kick.iter().any(|kick| kick.is_implicit())
    }

    /// Returns whether the length of the momentum is put back.
    pub fn restores_momentum(&self) -> bool {
        self.kick.contains(&Kick::GyroRestored)
    }

    pub(super) fn once(&self, body: &Start, t: f64, h: f64, from: State) -> State {
        let changed = self.first.map(jump);
        let (kicks, drifts) = match &changed {
            Some((kicks, drifts)) => (&kicks[..], &drifts[..]),
            None => (self.composition.kicks, self.composition.drifts),
        };
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

/// Returns the shares of kicks and turns of three steps, of which the first and the last have this length.
fn jump(first: f64) -> ([f64; 4], [f64; 3]) {
    let middle = 1.0 - 2.0 * first;
    let between = 0.5 * (first + middle);
    let kicks = [0.5 * first, between, between, 0.5 * first];
    (kicks, [first, middle, first])
}

impl Candidate for Word {
    fn predict(&self, step: &Step) -> State {
        step.repeated(|t, from| self.once(&step.body, t, step.h, from))
    }
}

impl core::fmt::Display for Word {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.kick.is_empty() {
            return write!(f, "a turn ({})", self.turn.name());
        }
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
        let shape = match self.first {
            Some(first) => format!(
                "{shape} whose first step is {} of a step",
                spell(first, 1e-8)
            ),
            None => shape,
        };
        write!(f, "{shape} (kick: {kick}; turn: {})", self.turn.name())
    }
}

/// All words; the simplest first. For steps of free bodies, those without a torque.
pub(super) fn all(steps: &[Step]) -> Vec<Word> {
    let free = steps
        .first()
        .is_some_and(|s| matches!(s.body.load, Load::None));
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
                first: None,
            });
        };
        for kick in WITH_GYRO {
            if free && kick.iter().any(|k| k.has_torque()) {
                continue;
            }
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
            let kick: &[Kick] = if free { &[] } else { &[Kick::Torque] };
            add(kick, false, turn);
        }
    }
    out
}

/// Words that explain the steps.
pub(super) fn word(search: &Search) -> Option<Choice<Word>> {
    let all = all(search.steps).into_iter();
    search.choose(all.filter_map(|word| search.near(word)).collect())
}

/// Turns of the shortest composition of order 4.
const THREE: usize = 3;

/// Words of three steps of another length than that of order 4.
pub(super) fn changed(search: &Search) -> Option<Choice<Word>> {
    let few = &search.steps[..search.steps.len().min(3)];
    let three = all(search.steps).into_iter();
    let three = three.filter(|word| word.composition.drifts.len() == THREE);
    let fitted = three.filter_map(|word| {
        let usual = word.composition.drifts[0];
        let with = |delta: f64| Word {
            first: Some(usual + delta),
            ..word
        };
        let misses = |delta: f64| -> Vec<f64> {
            let of = |s: &Step| vector(s, &with(delta).predict(s));
            few.iter().flat_map(of).collect()
        };
        search.accepted(with(free_number(&misses, search.accept)?))
    });
    search.choose(fitted.collect())
}
