//! What must hold on every problem, and by how much it does.

use super::habits::{Habits, MODERATE};
use super::ladder::{ALL_RUNGS, Outcome, RUNGS, Shown};
use super::point::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is claimed of a solver on every problem. The first that fails names a finding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HuntClaim {
    /// A problem like those that it answers is answered with finite states.
    Answer,
    /// The errors fall with the step until rounding is left.
    Limit,
    /// A solver that is exact on ordinary problems is exact.
    Exact,
    /// The errors fall with the order of ordinary problems, or the one that is claimed.
    Order,
    /// The momentum is kept as on ordinary problems.
    Momentum,
    /// The energy is.
    Energy,
    /// The same motion in another unit of time is the same.
    TimeScale,
    /// The same motion in another unit of mass is.
    InertiaScale,
}

impl HuntClaim {
    /// All, the plainest first.
    pub const ALL: [Self; 8] = [
        Self::Answer,
        Self::Limit,
        Self::Exact,
        Self::Order,
        Self::Momentum,
        Self::Energy,
        Self::TimeScale,
        Self::InertiaScale,
    ];

    /// Its name in options and ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Limit => "limit",
            Self::Exact => "exact",
            Self::Order => "order",
            Self::Momentum => "momentum",
            Self::Energy => "energy",
            Self::TimeScale => "time_scale",
            Self::InertiaScale => "inertia_scale",
        }
    }
}

/// A claim on a problem: it holds where `room` is positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Margin {
    /// Which.
    pub claim: HuntClaim,
    /// Decades between what was measured and what is allowed.
    pub room: f64,
    /// What was measured.
    pub measured: f64,
    /// What is allowed.
    pub allowed: f64,
}

impl Margin {
    /// Something of which little is allowed.
    fn least(claim: HuntClaim, measured: f64, allowed: f64) -> Self {
        let room = (allowed / measured.max(f64::MIN_POSITIVE)).log10();
        Self {
            claim,
            // NaN fails.
            room: if room.is_nan() {
                f64::NEG_INFINITY
            } else {
                room
            },
            measured,
            allowed,
        }
    }
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.room >= 0.0
    }
}

/// Angles of a step up to which errors have to fall, rad.
const SHORT: f64 = 0.2;
/// Parts of a coarser error that a finer one may be: those of order 1 fall by a half.
const FALLS: f64 = 0.6;
/// Orders that a problem may show less.
const LESS: f64 = 0.75;
/// Parts of what ordinary problems show that others may.
const ROOM: f64 = 1e3;
/// What is kept no better than this is no finding.
const SMALL: f64 = 1e-10;

/// The margins of the claims that a problem can judge.
pub(super) fn margins(point: &Point, outcome: &Outcome, habits: &Habits) -> Vec<Margin> {
    let angle = point.step_angle();
    let shown = match outcome {
        Outcome::Shown(shown) => shown,
        Outcome::Failed(_) if angle <= SHORT => {
            return vec![Margin::least(HuntClaim::Answer, 1.0, 0.0)];
        }
        Outcome::Failed(_) | Outcome::Refused(_) | Outcome::NoOracle => return Vec::new(),
    };
    let heavy = usize::from(point.is_heavy());
    let mut out = vec![Margin::least(HuntClaim::Answer, 0.0, 1.0)];
    if angle <= SHORT {
        out.push(limit(shown, habits));
    }
    if angle <= 1.01 * habits.exact[heavy] {
        out.push(Margin::least(
            HuntClaim::Exact,
            shown.worst_over_floor(habits),
            100.0,
        ));
    }
    // A scheme that is exact has no order.
    if angle <= SHORT && habits.exact[heavy] < SHORT / 2.0 {
        out.extend(order(shown, &habits.orders[heavy], habits));
    }
    if angle > MODERATE {
        return out;
    }
    let rounding = SMALL.max(shown.floors[0][0]).max(shown.floors[0][1]);
    let kept = [HuntClaim::Momentum, HuntClaim::Energy].into_iter();
    let kept = kept.zip(shown.strayed.iter().zip(&habits.kept));
    let scaled = [HuntClaim::TimeScale, HuntClaim::InertiaScale].into_iter();
    let scaled = scaled.zip(shown.images.iter().zip(&habits.scaled));
    for (claim, (measured, usual)) in kept.chain(scaled) {
        if let (Some(measured), Some(usual)) = (measured, usual) {
            out.push(Margin::least(
                claim,
                *measured,
                (ROOM * usual).max(rounding),
            ));
        }
    }
    out
}

/// Whether some finer error is as large as a coarser one. Seven rungs must agree where there are so many.
fn limit(shown: &Shown, habits: &Habits) -> Margin {
    let mut worst = Margin::least(HuntClaim::Limit, 0.0, 1.0);
    for i in 0..2 {
        let errors = shown.errors.iter().map(|e| e[i]);
        let errors: Vec<f64> = errors.collect();
        let ratio = |k: usize| {
            let coarser = errors[..k]
                .iter()
                .fold(0.0, |a: f64, b| if *b <= a { a } else { *b });
            let allowed = FALLS * coarser + shown.floor(k, i, habits);
            Margin::least(HuntClaim::Limit, errors[k], allowed)
        };
        let mut all: Vec<Margin> = (2..errors.len()).map(ratio).collect();
        all.sort_by(|a, b| a.room.total_cmp(&b.room));
        let mut one = all[0];
        if errors.len() == ALL_RUNGS && one.room > -1.0 {
            // No jump: then the finest is as large as the coarsest of a solver whose errors do not fall, and a tenth
            // of it where two of them cancelled each other.
            let largest = errors
                .iter()
                .fold(0.0_f64, |a, b| if *b <= a { a } else { *b });
            let allowed = 0.3 * largest + shown.floor(ALL_RUNGS - 1, i, habits);
            let last = Margin::least(HuntClaim::Limit, errors[ALL_RUNGS - 1], allowed);
            one = if last.room > one.room { last } else { one };
        }
        if one.room < worst.room {
            worst = one;
        }
    }
    worst
}

/// The order that a problem shows, where its errors stand clear of rounding.
fn order(shown: &Shown, usual: &[Option<f64>; 2], habits: &Habits) -> Option<Margin> {
    let mut worst: Option<Margin> = None;
    for (i, usual) in usual.iter().enumerate() {
        let Some(usual) = usual else {
            continue;
        };
        let least = usual - LESS;
        let clear = |k: usize| shown.errors[k][i] > 10.0 * shown.floor(k, i, habits);
        let last = (0..shown.errors.len()).take_while(|k| clear(*k)).last();
        let Some(last) = last.filter(|k| *k >= RUNGS - 1) else {
            continue;
        };
        let between = |k: usize| (shown.errors[k][i] / shown.errors[k + 1][i]).log2();
        // The best that is seen: leading terms of opposite signs may cancel at some step.
        let slopes = (1..last).map(between).fold(f64::NEG_INFINITY, f64::max);
        let one = Margin {
            claim: HuntClaim::Order,
            room: (slopes - least) * core::f64::consts::LOG10_2,
            measured: slopes,
            allowed: least,
        };
        if worst.is_none_or(|w| one.room < w.room) {
            worst = Some(one);
        }
    }
    worst
}
