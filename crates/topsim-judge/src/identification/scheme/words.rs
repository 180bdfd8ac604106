//! Steps that are words of kicks and turns.

use super::operators::{Kick, Turn};
use super::questioner::{State, Step};
use super::search::{Candidate, Choice, Search};
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

impl Candidate for Word {
    fn predict(&self, step: &Step) -> State {
        self.once(&step.body, step.t, step.h, step.from)
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
