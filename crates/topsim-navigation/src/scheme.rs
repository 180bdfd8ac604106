//! Schemes of navigation, a row each, with the orders that they claim.

use crate::iteration::iterated;
use crate::motion::{ImuSamples, NavigationState};
use crate::rule::{Pair, Pairs, PositionForm, SampleMemory, TurnForm, UpdateRule, VelocityForm};
use crate::update::Field;
use std::borrow::Cow;

/// A scheme of navigation.
#[derive(Debug, Clone)]
pub struct NavigationScheme {
    /// Name.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Keys of the bibliography, or a name where there is no paper.
    pub source: &'static str,
    /// Samples of an update.
    pub samples: usize,
    /// Engine of an update.
    pub engine: NavigationEngine,
    /// Claimed orders of attitude, velocity and position.
    pub orders: [u32; 3],
}

/// Engine of an update.
#[derive(Debug, Clone)]
pub enum NavigationEngine {
    /// Sums of increments and their products.
    Rule(Box<UpdateRule>),
    /// Functional iteration.
    Iteration,
}

impl NavigationEngine {
    /// Makes an update.
    pub fn update(
        &self,
        state: &NavigationState,
        samples: &ImuSamples,
        field: &Field,
        memory: &mut SampleMemory,
    ) -> NavigationState {
        match self {
            Self::Iteration => iterated(state, samples, &field.gravity),
            Self::Rule(rule) => {
                let update = memory.next(rule, samples, field);
                rule.step(state, &update)
            }
        }
    }
}

/// Sculling of two samples: ⅔ (θ₁ × ν₂ + ν₁ × θ₂), which holds for a linear rate and force.
const TWO: [Pair; 2] = [Pair(1, 2, 2.0 / 3.0), Pair(2, 1, -2.0 / 3.0)];

/// Products of two samples in the position, with which a linear rate and force are integrated twice without error in second order.
const SCROLLING: [Pair; 4] = [
    Pair(1, 1, 2.0 / 5.0),
    Pair(1, 2, 4.0 / 15.0),
    Pair(2, 1, -1.0 / 15.0),
    Pair(2, 2, 1.0 / 15.0),
];

/// Products of one sample with that before it: (θ₀ × θ₁)/12, and the same in the sculling.
const BEFORE: [Pair; 2] = [Pair(0, 1, 1.0 / 12.0), Pair(1, 0, -1.0 / 12.0)];

/// Coning of three samples (Miller 1983) and of four (Ignagni 1990), with the fewest products.
const THREE: [Pair; 3] = [Pair(1, 3, 0.45), Pair(2, 3, 0.675), Pair(1, 2, 0.675)];
const FOUR: [Pair; 3] = [
    Pair(1, 4, 54.0 / 105.0),
    Pair(2, 4, 92.0 / 105.0),
    Pair(3, 4, 214.0 / 105.0),
];

/// Returns the weights ½ Σⱼ (θ₁ + … + θⱼ₋₁ + θⱼ₋₁/6) × xⱼ of a sum that is carried from sample to sample.
fn carried(samples: usize) -> Vec<Pair> {
    let mut out = Vec::new();
    for j in 1..=samples {
        out.extend((1..j).map(|i| Pair(i, j, 0.5)));
        out.push(Pair(j - 1, j, 1.0 / 12.0));
    }
    out
}

/// Returns the products of both kinds, θᵢ × νⱼ and νᵢ × θⱼ, with the same weights.
fn both(pairs: &[Pair]) -> Vec<Pair> {
    let turned = |p: &Pair| [*p, Pair(p.1, p.0, -p.2)];
    pairs.iter().flat_map(turned).collect()
}

/// Rows of schemes: name, samples, claimed orders of attitude, velocity and position, title, source, and how an update is made.
macro_rules! schemes {
    ($($name:literal of $samples:literal, $orders:expr, $title:literal, [$source:literal], $engine:expr;)*) => {
        vec![$(NavigationScheme { name: $name, title: $title, source: $source, samples: $samples, engine: $engine, orders: $orders }),*]
    };
}

/// Returns all schemes.
pub fn navigation_schemes() -> Vec<NavigationScheme> {
    let rule = |rule| NavigationEngine::Rule(Box::new(rule));
    let rotated = UpdateRule {
        velocity: VelocityForm::Exact,
        position: PositionForm::Trapezoid,
        ..UpdateRule::PLAIN
    };
    let savage = UpdateRule {
        coning: Cow::Borrowed(&TWO[..1]),
        sculling: Cow::Borrowed(&TWO),
        ..rotated.clone()
    };
    schemes! {
        "one_sample" of 1, [2, 1, 1], "one sample without compensation, and Euler's position", ["what many write first"],
            rule(UpdateRule::PLAIN);
        "one_sample_rotated" of 1, [2, 2, 2], "one sample with rotation compensation, and the trapezoid of the velocities", ["savage1998b"],
            rule(rotated.clone());
        "preintegration" of 1, [2, 1, 1], "preintegration with the attitude at the beginning of a sample", ["GTSAM's TangentPreintegration"],
            rule(UpdateRule { position: PositionForm::Integrated, doubled: (vec![0.5].into(), Pairs::default(), 0.0), ..UpdateRule::PLAIN });
        "savage_2" of 2, [4, 3, 2], "two samples with coning, rotation and sculling, and the trapezoid of the velocities", ["savage1998, savage1998b"],
            rule(savage.clone());
        "savage_2_scrolling" of 2, [4, 3, 3], "the same with the integrals of a linear rate and force in the position", ["savage1998b; weights derived"],
            rule(UpdateRule { position: PositionForm::Integrated, doubled: (vec![5.0 / 6.0, 1.0 / 6.0].into(), Cow::Borrowed(&SCROLLING), 1.0 / 24.0), ..savage });
        "two_speed_4" of 4, [3, 3, 2], "four samples whose coning and sculling are carried from sample to sample", ["savage1998, savage1998b"],
            rule(UpdateRule { coning: carried(4).into(), sculling: both(&carried(4)).into(), ..rotated.clone() });
        "miller_3" of 3, [4, 3, 2], "three samples with the weights of Miller, the same in the sculling, and the trapezoid of the velocities", ["miller1983, roscoe2001"],
            rule(UpdateRule { coning: Cow::Borrowed(&THREE), sculling: both(&THREE).into(), ..rotated.clone() });
        "ignagni_4" of 4, [3, 3, 2], "four samples with the weights of Ignagni, the same in the sculling, and the trapezoid of the velocities", ["ignagni1990, roscoe2001"],
            rule(UpdateRule { coning: Cow::Borrowed(&FOUR), sculling: both(&FOUR).into(), ..rotated.clone() });
        "sample_before" of 1, [3, 3, 2], "one sample, with the products with the one before it", ["pyins"],
            rule(UpdateRule { coning: Cow::Borrowed(&BEFORE[..1]), sculling: Cow::Borrowed(&BEFORE), ..rotated.clone() });
        "ardupilot_4" of 4, [3, 1, 1], "four samples whose angle is carried with its coning, and no terms for the velocity", ["ArduPilot's AP_InertialSensor"],
            rule(UpdateRule { turn: TurnForm::Carried, velocity: VelocityForm::Start, ..rotated });
        "gtsam_coning_4" of 4, [2, 1, 1], "a turn by each of four samples, with the coning of neighbours in the update", ["GTSAM's coning helper"],
            rule(UpdateRule { turn: TurnForm::EachConed, ..UpdateRule::PLAIN });
        "iteration_2" of 2, [4, 4, 4], "functional iteration on polynomials of two samples", ["wu2018, wu2019"], NavigationEngine::Iteration;
        "iteration_4" of 4, [6, 6, 6], "functional iteration on polynomials of four samples", ["wu2018, wu2019"], NavigationEngine::Iteration;
    }
}
