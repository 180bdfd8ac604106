//! Schemes of navigation, a row each, with the orders that they claim.

use crate::iteration::iterated;
use crate::motion::{ImuSamples, NavigationState};
use crate::rule::{Pair, PositionForm, SampleMemory, UpdateRule, VelocityForm};
use std::borrow::Cow;
use topsim_core::math::Vec3;

/// A scheme of navigation.
#[derive(Debug, Clone)]
pub struct NavigationScheme {
    /// Name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Samples of an update.
    pub samples: usize,
    /// How an update is made.
    pub engine: NavigationEngine,
    /// Claimed orders of attitude, velocity and position.
    pub orders: [u32; 3],
}

/// How an update is made.
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
        gravity: &Vec3,
        memory: &mut SampleMemory,
    ) -> NavigationState {
        match self {
            Self::Iteration => iterated(state, samples, gravity),
            Self::Rule(rule) => {
                let update = memory.next(rule, samples, gravity);
                rule.step(state, &update)
            }
        }
    }
}

/// Sculling of two samples: ⅔ (θ₁ × ν₂ + ν₁ × θ₂), which holds for a linear rate and force.
const TWO: [Pair; 2] = [Pair(1, 2, 2.0 / 3.0), Pair(2, 1, -2.0 / 3.0)];

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

/// Returns all schemes.
pub fn navigation_schemes() -> Vec<NavigationScheme> {
    let scheme = |name, title, source, samples, orders, rule: UpdateRule| NavigationScheme {
        name,
        title,
        source,
        samples,
        engine: NavigationEngine::Rule(Box::new(rule)),
        orders,
    };
    let iteration = |name, samples, order| NavigationScheme {
        name,
        title: "functional iteration on polynomials of its samples",
        source: "wu2018, wu2019",
        samples,
        engine: NavigationEngine::Iteration,
        orders: [order; 3],
    };
    let plain = || UpdateRule::PLAIN;
    let savage = || UpdateRule {
        coning: Cow::Borrowed(&[Pair(1, 2, 2.0 / 3.0)]),
        velocity: VelocityForm::Exact,
        sculling: Cow::Borrowed(&TWO),
        ..plain()
    };
    vec![
        scheme(
            "one_sample",
            "one sample without compensation, and Euler's position",
            "what many write first",
            1,
            [2, 1, 1],
            plain(),
        ),
        scheme(
            "one_sample_rotated",
            "one sample with rotation compensation, and the trapezoid of the velocities",
            "savage1998",
            1,
            [2, 2, 2],
            UpdateRule {
                velocity: VelocityForm::Exact,
                position: PositionForm::Trapezoid,
                ..plain()
            },
        ),
        scheme(
            "preintegration",
            "preintegration with the attitude at the beginning of a sample",
            "forster2017; GTSAM's TangentPreintegration",
            1,
            [2, 1, 1],
            UpdateRule {
                position: PositionForm::Integrated,
                doubled: (Cow::Borrowed(&[0.5]), Cow::Borrowed(&[]), 0.0),
                ..plain()
            },
        ),
        scheme(
            "savage_2",
            "two samples with coning, rotation and sculling, and the trapezoid of the velocities",
            "savage1998",
            2,
            [4, 3, 2],
            UpdateRule {
                position: PositionForm::Trapezoid,
                ..savage()
            },
        ),
        scheme(
            "savage_2_scrolling",
            "two samples with coning, rotation, sculling and scrolling",
            "savage1998; weights of the position from a linear rate and force",
            2,
            [4, 3, 3],
            UpdateRule {
                position: PositionForm::Integrated,
                doubled: (
                    Cow::Borrowed(&[5.0 / 6.0, 1.0 / 6.0]),
                    Cow::Borrowed(&[
                        Pair(1, 1, 2.0 / 5.0),
                        Pair(1, 2, 4.0 / 15.0),
                        Pair(2, 1, -1.0 / 15.0),
                        Pair(2, 2, 1.0 / 15.0),
                    ]),
                    1.0 / 24.0,
                ),
                ..savage()
            },
        ),
        scheme(
            "two_speed_4",
            "four samples whose coning and sculling are carried from sample to sample",
            "savage1998; tian2010, as PX4 means it",
            4,
            [3, 3, 2],
            UpdateRule {
                coning: Cow::Owned(carried(4)),
                velocity: VelocityForm::Exact,
                sculling: Cow::Owned(both(&carried(4))),
                position: PositionForm::Trapezoid,
                ..plain()
            },
        ),
        iteration("iteration_2", 2, 4),
        iteration("iteration_4", 4, 6),
    ]
}
