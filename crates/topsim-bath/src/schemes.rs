//! Langevin schemes as data: a step is a word of parts, each of which is solved exactly.
//!
//! In body momentum L with principal moments Jᵢ the Langevin equations of \[davidchack2015\] are
//!
//! ```text
//! dLᵢ = (L × J⁻¹L + τ)ᵢ dt − Γᵢ Lᵢ dt + √(2 Γᵢ Jᵢ k T) dwᵢ,    Γᵢ = Γ (1/Jᵢ) / Σ 1/Jₖ,    Ṙ = R [J⁻¹L]×
//! ```
//!
//! `docs/bath.md` derives them from those in quaternions. The free rotation is the product of turns about the axes 3, 2, 1, 2, 3, as in the paper.

use crate::rotor::{BathRotor, RotorSample};
use serde::Serialize;
use topsim_core::math::{Mat3, Random, Vec3, quaternion, scalar};

/// A part of a step; the number is the part of the step that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BathPart {
    /// The torque, with the attitude held.
    Kick(f64),
    /// The torque and the noise; all such parts of a step have the same noise.
    NoisyKick(f64),
    /// Friction without noise.
    Friction(f64),
    /// Friction and noise, an Ornstein–Uhlenbeck process.
    Bath(f64),
    /// The free rotation, by turns about the principal axes.
    Turn(f64),
}

/// A Langevin scheme.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BathScheme {
    /// Name in files and reports.
    pub name: &'static str,
    /// Claimed weak order of the bias.
    pub order: u32,
    /// Parts of a step, from the first.
    pub parts: &'static [BathPart],
}

use BathPart::{Bath, Friction, Kick, NoisyKick, Turn};

/// All schemes; `docs/bath.md` says which source each was compared with.
pub const BATH_SCHEMES: [BathScheme; 3] = [
    // Verlet's rule with noise in both kicks, and the friction apart at both ends.
    BathScheme {
        name: "split_friction",
        order: 2,
        parts: &[
            Friction(0.5),
            NoisyKick(0.5),
            Turn(1.0),
            NoisyKick(0.5),
            Friction(0.5),
        ],
    },
    // Verlet's rule, with friction and noise at both ends.
    BathScheme {
        name: "obabo",
        order: 2,
        parts: &[Bath(0.5), Kick(0.5), Turn(1.0), Kick(0.5), Bath(0.5)],
    },
    // Verlet's rule, with friction and noise in the middle of the free rotation.
    BathScheme {
        name: "langevin_c",
        order: 2,
        parts: &[Kick(0.5), Turn(0.5), Bath(1.0), Turn(0.5), Kick(0.5)],
    },
];

/// A part with the numbers that depend on the rotor and the step.
#[derive(Debug, Clone, Copy)]
enum PreparedPart {
    Kick(f64),
    NoisyKick(f64, Vec3),
    Bath(Vec3, Vec3),
    Turn(Vec3),
}

/// A scheme with a rotor and a step.
#[derive(Debug, Clone)]
pub struct BathStepper {
    rotor: BathRotor,
    parts: Vec<PreparedPart>,
    /// True if the noise is drawn once a step.
    shares_noise: bool,
}

impl BathStepper {
    /// Prepares a scheme for steps of length `h`, s.
    pub fn new(rotor: &BathRotor, scheme: &BathScheme, h: f64) -> Self {
        let rates = rotor.rates();
        let variance = rotor.moments * rotor.thermal_energy;
        let prepared = |part: &BathPart| match *part {
            Kick(f) => PreparedPart::Kick(f * h),
            NoisyKick(f) => {
                let spread = rates.component_mul(&variance) * (2.0 * h);
                PreparedPart::NoisyKick(f * h, spread.map(f64::sqrt) * f)
            }
            Friction(f) => PreparedPart::Bath(decay(&rates, f * h), Vec3::zeros()),
            Bath(f) => {
                let lost = rates.map(|r| -scalar::exp_m1(-2.0 * r * f * h));
                let noise = lost.component_mul(&variance).map(f64::sqrt);
                PreparedPart::Bath(decay(&rates, f * h), noise)
            }
            Turn(f) => PreparedPart::Turn(rotor.moments.map(|j| f * h / j)),
        };
        Self {
            rotor: rotor.clone(),
            parts: scheme.parts.iter().map(prepared).collect(),
            shares_noise: scheme.parts.iter().any(|p| matches!(p, NoisyKick(_))),
        }
    }

    /// Makes a step.
    #[inline]
    pub fn step(&self, state: &mut RotorSample, random: &mut Random) {
        let shared = match self.shares_noise {
            true => random.vector(),
            false => Vec3::zeros(),
        };
        for part in &self.parts {
            match part {
                PreparedPart::Kick(t) => state.momentum += self.rotor.torque(&state.attitude) * *t,
                PreparedPart::NoisyKick(t, noise) => {
                    let push = self.rotor.torque(&state.attitude) * *t;
                    state.momentum += push + noise.component_mul(&shared);
                }
                PreparedPart::Bath(keep, noise) => {
                    state.momentum.component_mul_assign(keep);
                    // Friction alone draws nothing.
                    if noise.x > 0.0 {
                        state.momentum += noise.component_mul(&random.vector());
                    }
                }
                PreparedPart::Turn(t) => {
                    for (axis, part) in [(2, 0.5), (1, 0.5), (0, 1.0), (1, 0.5), (2, 0.5)] {
                        turn(state, axis, part * t[axis] * state.momentum[axis]);
                    }
                }
            }
        }
    }
}

/// Returns what is left of the momenta after a time.
fn decay(rates: &Vec3, time: f64) -> Vec3 {
    rates.map(|r| scalar::exp(-r * time))
}

/// Turns the body by an angle about one of its axes; the momentum stays in space.
#[inline(always)]
pub(crate) fn turn(state: &mut RotorSample, axis: usize, angle: f64) {
    let (half, across) = quaternion::half_turn(angle);
    let (c, s) = (half * half - across * across, 2.0 * half * across);
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (a, b) = (state.momentum[i], state.momentum[j]);
    state.momentum[i] = c * a + s * b;
    state.momentum[j] = c * b - s * a;
    let m: &mut Mat3 = &mut state.attitude;
    for row in 0..3 {
        let (a, b) = (m[(row, i)], m[(row, j)]);
        m[(row, i)] = c * a + s * b;
        m[(row, j)] = c * b - s * a;
    }
}
