//! Updates as data: sums of the increments of an update and of their products, and the few forms that codes take them in.
//!
//! An update of n samples has the increments θ₁ … θₙ of the angle and ν₁ … νₙ of the velocity; θ₀ and ν₀ are those of the sample before. With Θ = Σ θᵢ, V = Σ νᵢ
//! and T the length of the update
//!
//! ```text
//! R' = R exp(Θ + Σ cᵢⱼ θᵢ × θⱼ)
//! v' = v + g T + form(V) + R Σ wᵢⱼ θᵢ × νⱼ
//! p' = p + form,  or  p + v T + ½ g T² + T R (Σ sᵢ νᵢ + Σ uᵢⱼ θᵢ × νⱼ + d Θ × (Θ × V))
//! ```
//!
//! A linear rate and force fix some sums over the weights, with which the rule has its full order: [`coning_factor`] and [`RotationFactors`] are 1 then.

use crate::frame::FrameTerms;
use crate::motion::{ImuSamples, NavigationState};
use crate::update::{Field, Update};
use std::borrow::Cow;
use topsim_core::math::{Mat3, Vec3, so3};

/// Weight of a product of two increments, the first of an angle; 0 is the sample before the update, 1 the first of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair(pub usize, pub usize, pub f64);

/// Weights of products.
pub type Pairs = Cow<'static, [Pair]>;

/// Forms of a part of an update, right ones first, with their words.
macro_rules! forms {
    ($($(#[$of:meta])* $form:ident { $($(#[$doc:meta])* $name:ident $words:literal,)* })*) => {$(
        $(#[$of])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $form { $($(#[$doc])* $name,)* }

        impl $form {
            /// All forms.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the form as people name it.
            pub fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }
        }
    )*};
}

forms! {
    /// Form in which a rotation vector turns the attitude.
    TurnForm {
        /// R exp(φ).
        Exact "a turn by a rotation vector",
        /// R exp(θ₁) exp(θ₂) …, one sample after the other.
        EachSample "a turn by each sample",
        /// The quaternion times (1, φ/2), normalised.
        FirstOrder "the quaternion times (1, φ/2), normalised",
        /// R exp(φ₁) exp(φ₂) … with φᵢ = θᵢ + θᵢ₋₁ × θᵢ/12, and φ₁ = θ₁.
        EachConed "a turn by each sample, with the coning of the sample before it in the same update",
        /// R exp(α), α ← α + θᵢ + ½ (α + θᵢ₋₁/6) × θᵢ from sample to sample.
        Carried "a turn by a sum that is carried with its coning from sample to sample",
        /// exp(φ) R, which takes the increments for those about axes of space.
        InSpace "a turn about axes of space",
    }
    /// Form of the velocity that the sum V of the increments gives.
    VelocityForm {
        /// R (V + (1 − cos Θ)/Θ² Θ × V + (1 − sin Θ/Θ)/Θ² Θ × (Θ × V)), exact if rate and force are constant (Savage 1998, part 2).
        Exact "a velocity with the rotation of a constant rate",
        /// ½ (R + R') V.
        Mean "a velocity by the mean of both attitudes",
        /// V with the attitude in the middle of the turn from R to R'.
        Middle "a velocity by the attitude in the middle",
        /// R V.
        Start "a velocity by the attitude at the beginning and products of increments",
        /// R' V.
        End "a velocity by the attitude at the end",
    }
    /// Form of the new position; [`PositionForm::Integrated`] without weights is another one, and comes last.
    PositionForm {
        /// p + T (v + v')/2.
        Trapezoid "a position by the trapezoid of velocities",
        /// p + T v.
        Start "a position by the velocity at the beginning",
        /// p + T v'.
        End "a position by the velocity at the end",
        /// p + T v + ½ g T², and sums of the increments.
        Integrated "a position by sums of increments",
    }
    /// Numbers from which an update takes its increments.
    SampleInput {
        /// The increments of the update.
        Increments "increments",
        /// Trapezoids of the values at the ends of each sample.
        Trapezoids "trapezoids",
        /// The increments of one sample before.
        Late "late increments",
    }
}

impl TurnForm {
    /// Tests whether the turn is fixed by the increments, without weights of their products.
    pub fn is_fixed(self) -> bool {
        matches!(self, Self::EachSample | Self::EachConed | Self::Carried)
    }
}

impl VelocityForm {
    /// Returns the weight of each product θᵢ × νⱼ that the form has to leading order.
    pub fn weight(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::End => 1.0,
            Self::Exact | Self::Mean | Self::Middle => 0.5,
        }
    }

    /// Returns the velocity in space, with the attitudes at both ends.
    pub fn velocity(self, from: &Mat3, to: &Mat3, angle: &Vec3, sum: &Vec3) -> Vec3 {
        match self {
            Self::Start => from * sum,
            Self::End => to * sum,
            Self::Mean => (from * sum + to * sum) * 0.5,
            Self::Middle => from * (so3::exp(&(so3::log(&from.tr_mul(to)) * 0.5)) * sum),
            Self::Exact => {
                let (across, square) = (angle.cross(sum), angle.norm_squared());
                let double = angle.cross(&across) * so3::tangent_coefficient(square);
                from * (sum + across * so3::rodrigues(square).1 + double)
            }
        }
    }
}

impl PositionForm {
    /// Returns the part of the change that follows from the velocities at both ends, m.
    pub fn change(self, from: &Vec3, to: &Vec3, time: f64) -> Vec3 {
        match self {
            Self::Trapezoid => (from + to) * (0.5 * time),
            Self::Integrated | Self::Start => from * time,
            Self::End => to * time,
        }
    }
}

/// Numbers that are 1 in a right update, and biases that are 0 there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// Factor and bias (rad/s) of the angles.
    pub angle: (f64, Vec3),
    /// Factor and bias (m/s²) of the velocities.
    pub velocity: (f64, Vec3),
    /// Factor of gravity in the velocity.
    pub gravity: f64,
    /// Factor of the whole change of the position.
    pub position: f64,
    /// Factor of ½ g T² in the position; without effect in other forms than [`PositionForm::Integrated`].
    pub position_gravity: f64,
}

impl Factors {
    /// Numbers of a right update.
    pub const RIGHT: Self = Self {
        angle: (1.0, Vec3::new(0.0, 0.0, 0.0)),
        velocity: (1.0, Vec3::new(0.0, 0.0, 0.0)),
        gravity: 1.0,
        position: 1.0,
        position_gravity: 1.0,
    };
}

/// An update as data.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateRule {
    /// Source of the angles.
    pub angles: SampleInput,
    /// Source of the velocities.
    pub velocities: SampleInput,
    /// Form of the turn.
    pub turn: TurnForm,
    /// Weights c of θᵢ × θⱼ.
    pub coning: Pairs,
    /// Form of the velocity.
    pub velocity: VelocityForm,
    /// Weights w of θᵢ × νⱼ.
    pub sculling: Pairs,
    /// Form of the position.
    pub position: PositionForm,
    /// Weights s of νᵢ in the position, those of θᵢ × νⱼ, and that of Θ × (Θ × V).
    pub doubled: (Cow<'static, [f64]>, Pairs, f64),
    /// Numbers that are 1 or 0 in a right update.
    pub factors: Factors,
    /// Terms of a frame that turns.
    pub frame: FrameTerms,
}

impl UpdateRule {
    /// One sample without any compensation: the attitude at the beginning turns the force, and the position is Euler's.
    pub const PLAIN: Self = Self {
        angles: SampleInput::Increments,
        velocities: SampleInput::Increments,
        turn: TurnForm::Exact,
        coning: Cow::Borrowed(&[]),
        velocity: VelocityForm::Start,
        sculling: Cow::Borrowed(&[]),
        position: PositionForm::Start,
        doubled: (Cow::Borrowed(&[]), Cow::Borrowed(&[]), 0.0),
        factors: Factors::RIGHT,
        frame: FrameTerms::RIGHT,
    };

    /// Returns the state after an update.
    pub fn step(&self, from: &NavigationState, update: &Update) -> NavigationState {
        let attitude = self.attitude(from, update);
        let velocity = self.velocity(from, &attitude, update);
        NavigationState {
            attitude,
            velocity,
            position: self.position(from, &velocity, update),
        }
    }

    /// Returns the attitude after an update.
    pub fn attitude(&self, from: &NavigationState, update: &Update) -> Mat3 {
        let taken = self.frame.taken(&from.attitude, update);
        let more = products(&self.coning, &taken.angles, &taken.angles)
            + self.frame.vector(&from.attitude, update);
        let after = turned(self.turn, &from.attitude, &taken.angles, &more);
        self.frame.after(after, update)
    }

    /// Returns the velocity after an update that ends with `attitude`.
    pub fn velocity(&self, from: &NavigationState, attitude: &Mat3, update: &Update) -> Vec3 {
        let taken = self.frame.taken(&from.attitude, update);
        let (angle, sum) = taken.sums();
        let pairs = products(&self.sculling, &taken.angles, &taken.velocities);
        let change = update.field.gravity * (self.factors.gravity * update.time)
            + self
                .velocity
                .velocity(&from.attitude, attitude, &angle, &sum)
            + from.attitude * pairs;
        let force = from.attitude * sum;
        from.velocity + change + self.frame.velocity(&from.velocity, &change, &force, update)
    }

    /// Returns the position after an update that ends with `velocity`.
    pub fn position(&self, from: &NavigationState, velocity: &Vec3, update: &Update) -> Vec3 {
        let time = update.time;
        let mut change = self.position.change(&from.velocity, velocity, time);
        if self.position == PositionForm::Integrated {
            let (firsts, pairs, double) = &self.doubled;
            let each = firsts.iter().zip(&update.velocities[1..]);
            let (angle, sum) = update.sums();
            let inside = each.map(|(s, v)| v * *s).sum::<Vec3>()
                + products(pairs, &update.angles, &update.velocities)
                + angle.cross(&angle.cross(&sum)) * *double;
            let falls = update.field.gravity * (0.5 * time * time * self.factors.position_gravity);
            change += falls + from.attitude * inside * time;
        }
        from.position + change * self.factors.position
    }
}

/// Returns the attitude after a turn by the increments and the terms of their products.
pub fn turned(form: TurnForm, from: &Mat3, angles: &[Vec3], products: &Vec3) -> Mat3 {
    let vector = angles[1..].iter().sum::<Vec3>() + products;
    let each = || angles.windows(2);
    match form {
        TurnForm::Exact => from * so3::exp(&vector),
        TurnForm::FirstOrder => from * so3::cayley(&vector),
        TurnForm::EachSample => angles[1..].iter().fold(*from, |r, x| r * so3::exp(x)),
        TurnForm::EachConed => each().enumerate().fold(*from, |r, (k, x)| {
            let before = if k == 0 { 0.0 } else { 1.0 / 12.0 };
            r * so3::exp(&(x[1] + x[0].cross(&x[1]) * before))
        }),
        TurnForm::Carried => {
            let carried =
                |sum: Vec3, x: &[Vec3]| sum + x[1] + (sum + x[0] / 6.0).cross(&x[1]) * 0.5;
            from * so3::exp(&each().fold(Vec3::zeros(), carried))
        }
        TurnForm::InSpace => so3::exp(&vector) * from,
    }
}

/// Returns Σ w a × b.
pub(crate) fn products(pairs: &[Pair], a: &[Vec3], b: &[Vec3]) -> Vec3 {
    pairs
        .iter()
        .map(|Pair(i, j, w)| a[*i].cross(&b[*j]) * *w)
        .sum()
}

/// The samples that an update remembers: the increments of the last two.
#[derive(Debug, Clone, Default)]
pub struct SampleMemory {
    angles: [Vec3; 2],
    velocities: [Vec3; 2],
}

impl SampleMemory {
    /// Returns what the next update takes by a rule. Before the first one the remembered increments are 0.
    pub fn next(&mut self, rule: &UpdateRule, samples: &ImuSamples, field: &Field) -> Update {
        let (lengths, factors) = (&samples.intervals, &rule.factors);
        let of = |memory: &mut [Vec3; 2],
                  input,
                  increments: &[Vec3],
                  values: &[Vec3],
                  (k, bias): (f64, Vec3)| {
            let taken: Vec<Vec3> = match input {
                SampleInput::Trapezoids => values
                    .windows(2)
                    .zip(lengths)
                    .map(|(v, h)| (v[0] + v[1]) * (0.5 * h))
                    .collect(),
                _ => increments.to_vec(),
            };
            let all: Vec<Vec3> = memory.iter().chain(&taken).copied().collect();
            let first = if input == SampleInput::Late { 0 } else { 1 };
            let lengths = lengths.first().into_iter().chain(lengths);
            let used = all[first..=first + taken.len()]
                .iter()
                .zip(lengths)
                .map(|(x, h)| x * k + bias * *h)
                .collect();
            memory.copy_from_slice(&all[all.len() - 2..]);
            used
        };
        Update {
            angles: of(
                &mut self.angles,
                rule.angles,
                &samples.angles,
                &samples.rates,
                factors.angle,
            ),
            velocities: of(
                &mut self.velocities,
                rule.velocities,
                &samples.velocities,
                &samples.forces,
                factors.velocity,
            ),
            intervals: lengths.clone(),
            time: samples.time(),
            field: *field,
        }
    }
}

/// Returns the part of the coning of a linear rate that the weights have: 1 is all of it.
///
/// With θᵢ = a h + b h² (i − ½) the products are θᵢ × θⱼ = (j − i) h³ a × b, and the rotation vector needs n³h³/12 a × b.
pub fn coning_factor(pairs: &[Pair], samples: usize) -> f64 {
    let sum: f64 = pairs
        .iter()
        .map(|Pair(i, j, w)| (*j as f64 - *i as f64) * w)
        .sum();
    sum * 12.0 / (samples as f64).powi(3)
}

/// Returns that of an update which turns by one sample after the other: (n² − 1)/n².
pub fn factor_of_single_samples(samples: usize) -> f64 {
    let n = samples as f64;
    (n * n - 1.0) / (n * n)
}

/// Parts that a velocity has of the terms of second order of a linear rate and force: 1 is all of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotationFactors {
    /// ½ Θ × V.
    pub rotation: f64,
    /// Sculling by a force that changes.
    pub force: f64,
    /// Sculling by a rate that changes.
    pub rate: f64,
}

/// Returns the parts of the terms of second order that a form of the velocity has with weights of θᵢ × νⱼ.
///
/// With the rate a + b t and the force c + d t the velocity needs H²/2 a × c + H³/3 a × d + H³/6 b × c, of which ½ Θ × V has H²/2, H³/4 and H³/4. A product has
/// h² a × c + (j − ½) h³ a × d + (i − ½) h³ b × c.
pub fn rotation_factors(form: VelocityForm, pairs: &[Pair], samples: usize) -> RotationFactors {
    let n = samples as f64;
    let mut sums = [0.0; 3];
    let mut add = |i: usize, j: usize, w: f64| {
        let places = [1.0, j as f64 - 0.5, i as f64 - 0.5];
        sums.iter_mut().zip(places).for_each(|(s, x)| *s += w * x);
    };
    (1..=samples).for_each(|i| (1..=samples).for_each(|j| add(i, j, form.weight())));
    pairs.iter().for_each(|Pair(i, j, w)| add(*i, *j, *w));
    let rotation = sums[0] * 2.0 / (n * n);
    let cube = n.powi(3);
    RotationFactors {
        rotation,
        force: (sums[1] - rotation * cube / 4.0) * 12.0 / cube,
        rate: (rotation * cube / 4.0 - sums[2]) * 12.0 / cube,
    }
}
