//! A problem of the hunt as the few numbers that pose it, and what becomes of it when one of them is changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::models::Inertia;
use topsim_model::probe::{Load, Start};

/// A pair of numbers: of the attitude in rad, and of the rate in parts of the largest.
pub(crate) type Pair = [f64; 2];

/// What is known of the motion of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A free body: a closed form.
    Free,
    /// A symmetric body under gravity: a closed form.
    SymmetricTop,
    /// A body of three different moments under gravity: its energy, its vertical momentum, and its images.
    AsymmetricTop,
}

impl Kind {
    /// All, in the order of what is told of each.
    pub const ALL: [Self; 3] = [Self::Free, Self::SymmetricTop, Self::AsymmetricTop];
}

/// A body, its start and its step: a free body, or one under gravity with its lever along the third principal axis.
/// Free bodies and symmetric ones have a closed form.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Principal moments of inertia, kg m².
    pub moments: [f64; 3],
    /// Rotation vector of the principal axes in the body frame.
    pub axes: [f64; 3],
    /// Rotation vector of the attitude at the start.
    pub attitude: [f64; 3],
    /// Angular velocity at the start about the principal axes, rad/s.
    pub rate: [f64; 3],
    /// Weight, N; none if 0.
    pub weight: f64,
    /// From the fixed point to the centre of mass along the third principal axis, m.
    pub lever: f64,
    /// The longest step of the ladder, s.
    pub step: f64,
    /// Number of such steps.
    pub steps: u32,
    /// The image of a scaling is scaled by two to this power.
    pub power: i32,
}

/// Parts of a point that are made ordinary one by one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The size of the moments.
    InertiaSize,
    /// Their ratios.
    Moments,
    /// The direction of the principal axes in the body.
    Axes,
    /// The attitude at the start.
    Attitude,
    /// The size of the angular velocity.
    Rate,
    /// Its direction.
    Direction,
    /// Gravity.
    Gravity,
    /// The length of the lever; the torque stays.
    Lever,
    /// The step, as the angle that the body turns in it.
    StepAngle,
    /// The number of steps.
    Steps,
    /// The power of two of an image.
    Power,
}

impl Part {
    /// All, those whose change makes a problem simplest first.
    pub const ALL: [Self; 11] = [
        Self::Gravity,
        Self::Lever,
        Self::Attitude,
        Self::Axes,
        Self::InertiaSize,
        Self::Moments,
        Self::Rate,
        Self::Direction,
        Self::Steps,
        Self::StepAngle,
        Self::Power,
    ];
}

/// The moments of an ordinary body, kg m².
pub(crate) const MOMENTS: [f64; 3] = [2.0, 3.0, 4.0];
/// Those of an ordinary symmetric body.
const SYMMETRIC: [f64; 3] = [2.0, 2.0, 1.0];
/// Entries of a turn that are so near to 0 and 1 are these.
const QUARTER: f64 = 4.0 * f64::EPSILON;
/// An ordinary angular velocity, rad/s.
const RATE: [f64; 3] = [1.0, 2.0, 2.0];
/// Lengths of ordinary levers, m.
pub(crate) const LEVERS: [f64; 2] = [0.1, 10.0];
/// Bodies whose largest moment is more times the smallest are slender.
const SLENDER: f64 = 8.0;
/// An ordinary angle of a step, rad.
const STEP_ANGLE: f64 = 0.03;

impl Point {
    /// The simplest problem.
    pub const ORDINARY: Self = Self {
        moments: MOMENTS,
        axes: [0.0; 3],
        attitude: [0.0; 3],
        rate: RATE,
        weight: 0.0,
        lever: 0.0,
        step: 0.01,
        steps: 4,
        power: 1,
    };

    /// The principal axes as columns, in the body frame.
    pub(crate) fn turn(&self) -> Mat3 {
        match self.axes {
            [0.0, 0.0, 0.0] => Mat3::identity(),
            // Quarter turns are exact: the tensor stays diagonal.
            axes => so3::exp(&axes.into()).map(|x| {
                let whole = x.round();
                if (x - whole).abs() < QUARTER {
                    whole
                } else {
                    x
                }
            }),
        }
    }
    /// Whether the principal axes are those of the body, in some order.
    pub fn is_principal(&self) -> bool {
        self.turn().iter().all(|x| x.fract() == 0.0)
    }
    /// How far the start is from an attitude at which Euler angles are singular, rad: an axis of the body along another
    /// axis of space, such as a pitch of a quarter turn.
    pub fn singular(&self) -> f64 {
        let att = self.rotation();
        let off = (0..3).flat_map(|i| (0..3).filter(move |j| *j != i).map(move |j| (i, j)));
        let off = off.map(|(i, j)| {
            let mut across = att.column(i).into_owned();
            across[j] = 0.0;
            scalar::atan2(across.norm(), att[(j, i)].abs())
        });
        off.fold(f64::INFINITY, f64::min)
    }
    /// What is known of its motion.
    pub(crate) fn kind(&self) -> Kind {
        match self.is_heavy() {
            false => Kind::Free,
            true if self.moments[0] == self.moments[1] => Kind::SymmetricTop,
            true => Kind::AsymmetricTop,
        }
    }
    /// Whether its motion has a closed form.
    pub fn has_closed_form(&self) -> bool {
        self.kind() != Kind::AsymmetricTop
    }
    /// Inertia tensor, body frame, kg m²; `None` where rounding leaves none.
    pub fn inertia(&self) -> Option<Inertia> {
        let diagonal = Mat3::from_diagonal(&self.moments.into());
        let turn = self.turn();
        let full = turn * diagonal * turn.transpose();
        let tensor = if turn == Mat3::identity() {
            diagonal
        } else {
            (full + full.transpose()) * 0.5
        };
        Inertia::new(tensor).ok()
    }
    /// Angular velocity at the start, body frame, rad/s.
    pub fn omega(&self) -> Vec3 {
        self.turn() * Vec3::from(self.rate)
    }
    /// From the fixed point to the centre of mass, body frame, m.
    pub fn arm(&self) -> Vec3 {
        self.turn().column(2) * self.lever
    }
    /// Attitude at the start, body → space.
    pub fn rotation(&self) -> Mat3 {
        match self.attitude {
            [0.0, 0.0, 0.0] => Mat3::identity(),
            vector => so3::exp(&vector.into()),
        }
    }
    /// Whether gravity acts.
    pub fn is_heavy(&self) -> bool {
        self.weight != 0.0
    }
    /// The body at its start, where there is such a body.
    pub(crate) fn start(&self) -> Option<Start> {
        let load = if self.is_heavy() {
            Load::Gravity {
                weight: self.weight,
                lever: self.arm(),
                up: Vec3::z(),
            }
        } else {
            Load::None
        };
        Some(Start {
            att: self.rotation(),
            omega: self.omega(),
            inertia: self.inertia()?,
            load,
        })
    }
    /// The largest rate that matters to a step, rad/s: of the body, and of a pendulum.
    pub fn scale(&self) -> f64 {
        let swing = (self.weight * self.lever).abs()
            / self.moments.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        Vec3::from(self.rate).norm().max(swing.sqrt())
    }
    /// Angle of the longest step, rad.
    pub fn step_angle(&self) -> f64 {
        self.step * self.scale()
    }
    /// By what a small change grows in the run, at most.
    pub(crate) fn growth(&self) -> f64 {
        let angle = self.step_angle() * f64::from(self.steps);
        let [a, b, c] = self.sorted();
        let saddle = ((b - a) * (c - b) / (a * c)).max(0.0).sqrt();
        let exponent = if self.is_heavy() {
            angle
        } else {
            angle * saddle
        };
        exponent.min(40.0).exp()
    }
    /// The largest moment in parts of the smallest.
    fn condition(&self) -> f64 {
        let [a, _, c] = self.sorted();
        c / a
    }
    /// By what rounding grows in the run with so many steps, at most, in axes in which the tensor is full or not. Rounding
    /// of a momentum is larger in the rate by the condition of the tensor. Rounding of a full tensor changes its smallest
    /// moment by so much, and the torque over this moment is larger by as much again. The pair is that of the attitude and that of
    /// all else. Roundings of the rate may all have one sign, as in a motion that is nearly steady: then the attitude is off by
    /// half of what the rate is in the end, times the angle.
    pub(crate) fn loss(&self, steps: f64, full: bool) -> Pair {
        let condition = self.condition();
        let turned = self.step_angle() * f64::from(self.steps);
        let tensor = if full { condition * turned } else { 0.0 };
        let by = (self.stiffness() - 1.0) * self.step_angle();
        let slender = (f64::from(self.steps) * by.ln_1p()).min(40.0).exp();
        let grown = condition * self.growth() * slender;
        [steps * (1.0 + 0.5 * turned), steps].map(|n| (8.0 + n + tensor) * grown)
    }
    /// By how much shorter a step must be for a slender body: with its momentum given, a small turn across its axis
    /// changes the rate about it by so much, and schemes that carry the momentum feel that.
    pub(crate) fn stiffness(&self) -> f64 {
        (self.condition() / SLENDER).max(1.0)
    }
    /// The moments, the smallest first.
    pub fn sorted(&self) -> [f64; 3] {
        let mut all = self.moments;
        all.sort_by(f64::total_cmp);
        all
    }
    /// The smallest relative difference of two moments.
    pub fn gap(&self) -> f64 {
        let [a, b, c] = self.sorted();
        ((b - a) / c).min((c - b) / c)
    }
    /// With another size of the rate and the same angle of a step; gravity grows with it.
    #[must_use]
    pub fn with_rate(mut self, size: f64) -> Self {
        let by = size / self.scale();
        self.rate = self.rate.map(|x| x * by);
        self.weight *= by * by;
        self.step /= by;
        self
    }
    /// With another size of the largest moment; gravity grows with it.
    #[must_use]
    pub fn with_inertia(mut self, size: f64) -> Self {
        let by = size / self.sorted()[2];
        self.moments = self.moments.map(|x| x * by);
        self.weight *= by;
        self
    }
    /// With another lever and the same torque.
    #[must_use]
    pub fn with_lever(mut self, lever: f64) -> Self {
        self.weight *= (self.lever / lever).abs();
        self.lever = lever;
        self
    }
    /// With another angle of a step.
    #[must_use]
    pub fn with_step_angle(mut self, angle: f64) -> Self {
        self.step = angle / self.scale();
        self
    }
    /// With a part made ordinary, the others as they are.
    #[must_use]
    pub(crate) fn ordinary(mut self, part: Part) -> Self {
        let (size, scale, angle) = (self.sorted()[2], self.scale(), self.step_angle());
        match part {
            Part::InertiaSize => self = self.with_inertia(4.0),
            Part::Moments => {
                let plain = if self.is_heavy() { SYMMETRIC } else { MOMENTS };
                self.moments =
                    plain.map(|m| m / plain.iter().fold(0.0_f64, |a, b| a.max(*b)) * size);
            }
            Part::Axes => self.axes = [0.0; 3],
            Part::Attitude => self.attitude = [0.0; 3],
            Part::Rate => self = self.with_rate(3.0),
            Part::Direction => {
                let of = Vec3::from(RATE).normalize();
                self.rate = (of * Vec3::from(self.rate).norm()).into();
            }
            Part::Gravity => {
                (self.weight, self.lever) = (0.0, 0.0);
                if self.rate == [0.0; 3] {
                    self.rate = (Vec3::from(RATE).normalize() * scale).into();
                }
            }
            Part::Lever if self.is_heavy() => self = self.with_lever(self.lever.signum()),
            Part::Lever => {}
            Part::StepAngle => self = self.with_step_angle(STEP_ANGLE),
            Part::Steps => self.steps = Self::ORDINARY.steps,
            Part::Power => self.power = Self::ORDINARY.power,
        }
        if matches!(part, Part::Moments | Part::Direction | Part::Gravity) {
            self = self.with_step_angle(angle);
        }
        self
    }
    /// With numbers of so many significant digits.
    #[must_use]
    pub fn written(&self, digits: usize) -> Self {
        let each = |v: [f64; 3]| v.map(|x| rounded(x, digits));
        Self {
            moments: each(self.moments),
            axes: each(self.axes),
            attitude: each(self.attitude),
            rate: each(self.rate),
            weight: rounded(self.weight, digits),
            lever: rounded(self.lever, digits),
            step: rounded(self.step, digits),
            ..*self
        }
    }
    /// Whether all numbers are finite, and a body and a step are there.
    pub fn is_sound(&self) -> bool {
        let vectors = [self.moments, self.axes, self.attitude, self.rate];
        let [a, b, c] = self.sorted();
        vectors.as_flattened().iter().all(|x| x.is_finite())
            && (self.weight.is_finite() && self.lever.is_finite())
            && (self.step > 0.0 && self.step.is_finite() && self.steps > 0)
            && (a > 0.0 && a + b >= c * (1.0 - 1e-12))
            && self.scale() > 0.0
            && self.inertia().is_some()
    }
}

/// A number to so many significant digits.
pub(crate) fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}
