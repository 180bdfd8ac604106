//! Runge–Kutta rules, explicit and implicit, in several variables of a state.

use crate::equations::{Equations, turning};
use crate::law::Parts;
use crate::probe::nearest_rotation;
use crate::state::State;
use crate::tableau::{STAGES, Tableau};
use crate::turn_map::by_columns;
use nalgebra::SVector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, scalar, so3};

/// Variables in which a Runge–Kutta rule moves a state: those of the attitude, and the body rate where no other is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Carrier {
    /// Quaternion, normalised after the step.
    Quaternion,
    /// The same; stages evaluate 1 − 2(y² + z²) … of a quaternion that is not of unit length.
    QuaternionOneMinus,
    /// The same; stages evaluate w² + x² − y² − z² … of it.
    QuaternionHomogeneous,
    /// Quaternion, never normalised.
    RawQuaternion,
    /// Quaternion, normalised in each stage.
    StageQuaternion,
    /// Rotation vector with the closed form of dexp⁻¹ (Munthe-Kaas).
    RotationVector,
    /// Rotation vector, with its rate taken for W.
    RotationVectorNaive,
    /// Rotation vector, with one commutator of dexp⁻¹.
    OneCommutator,
    /// Rotation vector, with two commutators of dexp⁻¹.
    TwoCommutators,
    /// Rotation vector with the closed form of dexp⁻¹ of the other side: commutators of odd order have the wrong sign.
    ReversedVector,
    /// Rotation vector, with one commutator of the wrong sign.
    OneReversedCommutator,
    /// Rotation vector, with two commutators, the first of the wrong sign.
    TwoReversedCommutators,
    /// Rotation vector, with dexp in the place of its inverse.
    ForwardVector,
    /// Rotation vector, with two commutators, the second with 1/6 for 1/12.
    DoubledCommutator,
    /// Rotation vector with the closed form of dexp⁻¹; that of the whole step is added to the quaternion as a first-order turn.
    RetractedVector,
    /// Products of exponentials of the stages' rates (Crouch and Grossman).
    Products,
    /// Products of exponentials of sums (Celledoni, Marthinsen and Owren).
    CommutatorFree,
    /// Matrix, its columns made orthogonal one after the other after the step.
    Columns,
    /// Matrix, made the nearest rotation after the step.
    Matrix,
    /// Quaternion, normalised after the step, and the momentum in space.
    SpaceMomentum,
    /// The same; stages evaluate 1 − 2(y² + z²) …
    SpaceMomentumOneMinus,
    /// Quaternion, normalised after the step, and the rate in space.
    SpaceRate,
    /// The same; stages evaluate 1 − 2(y² + z²) …
    SpaceRateOneMinus,
    /// Rotation vector with the closed form of dexp⁻¹, and the momentum in the frame of the start of the step.
    StartMomentum,
}

/// Term that all stages of a step take from its start.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FrozenTerm {
    /// None.
    #[default]
    Nothing,
    /// All torques but the gyroscopic one, in the body frame.
    Torque,
    /// The gyroscopic term.
    Gyroscopic,
}

/// A Runge–Kutta rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RungeKutta {
    /// Its tableau.
    pub tableau: Tableau,
    /// Its variables.
    pub carrier: Carrier,
    /// Term that is held over a step.
    #[serde(default)]
    pub held: FrozenTerm,
}

/// A number of a state that a stage does not move, as where a loop over the numbers ends too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptNumber {
    /// The stage, counted from 0; none of all of them.
    pub stage: Option<usize>,
    /// Index of the number: the quaternion from 0, the rate from [`RATE`].
    pub number: usize,
}

/// A slip that no tableau has.
#[derive(Clone, Copy, Default)]
struct Slip {
    /// First slope in the place of that at the start.
    first: Option<Numbers>,
    kept: Option<KeptNumber>,
}

/// Kind of the numbers that an attitude is moved by.
#[derive(Clone, Copy, PartialEq)]
enum AttitudeVariable {
    Quaternion,
    /// Rotation vector from the start of the step.
    Vector,
    Matrix,
    /// Product of exponentials, kept as a quaternion.
    Product,
}

/// Kind of the numbers that a rate is moved by.
#[derive(Clone, Copy, PartialEq)]
enum RateVariable {
    Body,
    Space,
    SpaceMomentum,
    StartMomentum,
}

impl Carrier {
    /// Returns the order of a rule whose tableau has a higher one.
    #[must_use]
    pub fn highest_order(self) -> u8 {
        match self {
            Self::RotationVectorNaive => 2,
            Self::OneCommutator | Self::DoubledCommutator => 3,
            _ if self.is_wrong() => 2,
            _ => u8::MAX,
        }
    }

    /// Returns true for rotation vectors with a wrong term of dexp⁻¹ or a wrong turn, which costs rules of high order their order.
    #[must_use]
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::ReversedVector
                | Self::OneReversedCommutator
                | Self::TwoReversedCommutators
                | Self::ForwardVector
                | Self::DoubledCommutator
                | Self::RetractedVector
        )
    }

    /// Returns true for the variables that most authors take.
    #[must_use]
    pub fn is_usual(self) -> bool {
        matches!(
            self,
            Self::Quaternion
                | Self::QuaternionOneMinus
                | Self::QuaternionHomogeneous
                | Self::StageQuaternion
                | Self::RotationVector
                | Self::Matrix
        )
    }

    /// Returns true if the rate is advanced by the gyroscopic term.
    #[must_use]
    pub fn has_gyroscopic_term(self) -> bool {
        matches!(self.rate(), RateVariable::Body | RateVariable::Space)
    }

    /// Returns true for variables that files are not held against: few solvers have them, and a fifth more time would go into them.
    pub(crate) fn is_seldom(self) -> bool {
        let other = matches!(
            self,
            Self::QuaternionHomogeneous
                | Self::SpaceMomentumOneMinus
                | Self::SpaceRateOneMinus
                | Self::Products
                | Self::CommutatorFree
                | Self::StartMomentum
        );
        other || self.is_wrong()
    }

    fn attitude(self) -> AttitudeVariable {
        match self {
            Self::RotationVector
            | Self::RotationVectorNaive
            | Self::OneCommutator
            | Self::TwoCommutators
            | Self::ReversedVector
            | Self::OneReversedCommutator
            | Self::TwoReversedCommutators
            | Self::ForwardVector
            | Self::DoubledCommutator
            | Self::RetractedVector
            | Self::StartMomentum => AttitudeVariable::Vector,
            Self::Products | Self::CommutatorFree => AttitudeVariable::Product,
            Self::Columns | Self::Matrix => AttitudeVariable::Matrix,
            _ => AttitudeVariable::Quaternion,
        }
    }

    fn rate(self) -> RateVariable {
        match self {
            Self::SpaceRate | Self::SpaceRateOneMinus => RateVariable::Space,
            Self::SpaceMomentum | Self::SpaceMomentumOneMinus => RateVariable::SpaceMomentum,
            Self::StartMomentum => RateVariable::StartMomentum,
            _ => RateVariable::Body,
        }
    }

    /// Returns the matrix of a quaternion in a stage.
    fn stage_matrix(self, quat: &Quat) -> Mat3 {
        let unit = so3::matrix_from_quat(quat);
        let squared = || quat.iter().map(|x| x * x).sum::<f64>();
        match self {
            Self::QuaternionHomogeneous => unit * squared(),
            Self::QuaternionOneMinus | Self::SpaceMomentumOneMinus | Self::SpaceRateOneMinus => {
                Mat3::identity() + (unit - Mat3::identity()) * squared()
            }
            _ => unit,
        }
    }
}

/// Numbers of a state: nine of the attitude at most, then three of the rate.
pub(crate) type Numbers = SVector<f64, 12>;
/// Slopes of a step before any is known.
const NO_SLOPES: [Numbers; STAGES] =
    [Numbers::from_array_storage(nalgebra::ArrayStorage([[0.0; 12]])); STAGES];
/// Index of the first number of the rate.
pub const RATE: usize = 9;
/// Iterations of an implicit rule at most: each leaves a part of h |W| of what was left.
const MOST_ITERATIONS: usize = 100;
/// Change of a slope at which iterations end, relative.
const SOLVED: f64 = 1e-16;

/// A state in the variables of a carrier.
struct Variables<'a> {
    rule: &'a RungeKutta,
    equations: &'a Equations,
    /// State at the beginning of the step.
    from: &'a State,
    /// Its attitude.
    att: Mat3,
    /// Its slopes, where a term of them is held.
    held: Option<Parts>,
}

#[inline]
fn numbers<const N: usize>(attitude: [f64; N], rate: &Vec3) -> Numbers {
    let mut out = Numbers::zeros();
    out.as_mut_slice()[..N].copy_from_slice(&attitude);
    out.fixed_rows_mut::<3>(RATE).copy_from(rate);
    out
}

/// Returns the numbers of a matrix by columns.
#[inline]
fn by_column(matrix: &Mat3) -> [f64; 9] {
    core::array::from_fn(|i| matrix[i])
}

fn first_three(x: &Numbers) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

impl Variables<'_> {
    fn begin(&self) -> Numbers {
        let omega = self.from.omega;
        let momentum = || self.equations.inertia() * omega;
        let rate = match self.rule.carrier.rate() {
            RateVariable::Body => omega,
            RateVariable::Space => self.att * omega,
            RateVariable::SpaceMomentum => self.att * momentum(),
            RateVariable::StartMomentum => momentum(),
        };
        match self.rule.carrier.attitude() {
            AttitudeVariable::Matrix => numbers(by_column(&self.att), &rate),
            AttitudeVariable::Vector => numbers([], &rate),
            AttitudeVariable::Quaternion | AttitudeVariable::Product => {
                numbers(self.from.quat, &rate)
            }
        }
    }

    /// Returns the quaternion, unless the attitude is a matrix, and the attitude.
    fn attitude(&self, x: &Numbers) -> (Quat, Mat3) {
        let mut quat: Quat = core::array::from_fn(|i| x[i]);
        match self.rule.carrier.attitude() {
            AttitudeVariable::Matrix => {
                return (quat, Mat3::from_column_slice(&x.as_slice()[..RATE]));
            }
            AttitudeVariable::Vector => {
                quat = quaternion::product(&self.from.quat, &quaternion::exp(&first_three(x)));
            }
            AttitudeVariable::Quaternion | AttitudeVariable::Product => {}
        }
        if self.rule.carrier == Carrier::StageQuaternion {
            quat = quaternion::unit(&quat);
        }
        (quat, self.rule.carrier.stage_matrix(&quat))
    }

    fn omega(&self, x: &Numbers, att: &Mat3) -> Vec3 {
        let rate = x.fixed_rows::<3>(RATE).into_owned();
        match self.rule.carrier.rate() {
            RateVariable::Body => rate,
            RateVariable::Space => att.tr_mul(&rate),
            RateVariable::SpaceMomentum => self.equations.inverse() * att.tr_mul(&rate),
            RateVariable::StartMomentum => {
                self.equations.inverse() * att.tr_mul(&(self.att * rate))
            }
        }
    }

    /// Returns the rate that turns the body, and the acceleration.
    #[inline]
    fn slopes(&self, t: f64, att: Mat3, omega: &Vec3) -> [Vec3; 2] {
        let Some(held) = &self.held else {
            return self.equations.slopes_at(t, att, omega);
        };
        let parts = self.equations.parts_at(t, att, omega);
        let change = if self.rule.held == FrozenTerm::Torque {
            (held.acceleration - held.gyroscopic) - (parts.acceleration - parts.gyroscopic)
        } else {
            held.gyroscopic - parts.gyroscopic
        };
        [parts.rate, parts.acceleration + change]
    }

    fn slope(&self, t: f64, x: &Numbers) -> Numbers {
        let (quat, att) = self.attitude(x);
        let omega = self.omega(x, &att);
        let [turn, acceleration] = self.slopes(t, att, &omega);
        let torque = || {
            let inertia = self.equations.inertia();
            att * (inertia * acceleration + omega.cross(&(inertia * omega)))
        };
        let rate = match self.rule.carrier.rate() {
            RateVariable::Body => acceleration,
            RateVariable::Space => att * acceleration,
            RateVariable::SpaceMomentum => torque(),
            RateVariable::StartMomentum => self.att.tr_mul(&torque()),
        };
        match self.rule.carrier.attitude() {
            AttitudeVariable::Matrix => numbers(by_column(&(att * so3::hat(&turn))), &rate),
            AttitudeVariable::Vector => {
                let turn = vector_rate(&first_three(x), &turn, self.rule.carrier);
                numbers(turn.into(), &rate)
            }
            AttitudeVariable::Product => numbers(turn.into(), &rate),
            AttitudeVariable::Quaternion => numbers(turning(&quat, &turn), &rate),
        }
    }

    /// Returns the numbers after slopes with these weights.
    fn after(&self, begin: &Numbers, h: f64, slopes: &[Numbers], weights: &[f64]) -> Numbers {
        let mut end = *begin;
        for (slope, weight) in slopes.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
            end += slope * (weight * h);
        }
        if self.rule.carrier.attitude() == AttitudeVariable::Product {
            let quat = self.product(h, slopes, weights);
            end.as_mut_slice()[..4].copy_from_slice(&quat);
        }
        end
    }

    /// Returns the attitude turned by exponentials of slopes with these weights.
    fn product(&self, h: f64, slopes: &[Numbers], weights: &[f64]) -> Quat {
        let sum = |weights: &[f64]| -> Vec3 {
            let all = slopes.iter().zip(weights);
            all.map(|(k, w)| first_three(k) * *w).sum()
        };
        let mut quat = self.from.quat;
        let mut turn = |by: Vec3| {
            quat = quaternion::product(&quat, &quaternion::exp(&(by * h)));
        };
        // The last row of the rule of order 4 of Celledoni, Marthinsen and Owren and the weights of both of their rules are
        // parted into two sums.
        let tableau = &self.rule.tableau;
        let first = match (self.rule.carrier, tableau.stages, slopes.len()) {
            (Carrier::Products, ..) => {
                let all = slopes.iter().zip(weights).filter(|(_, w)| **w != 0.0);
                all.for_each(|(k, w)| turn(first_three(k) * *w));
                return quat;
            }
            (_, 3, 3) | (_, 4, 3) => sum(&[tableau.a[1][0]]),
            (_, 4, 4) => {
                let [a, b, c, d] = [weights[0], weights[1], weights[2], weights[3]];
                sum(&[1.5 * a, 0.5 * b, 0.5 * c, -0.5 * d])
            }
            _ => {
                turn(sum(weights));
                return quat;
            }
        };
        turn(first);
        turn(sum(weights) - first);
        quat
    }

    fn end(&self, x: &Numbers) -> State {
        let (quat, att) = self.attitude(x);
        let quat = match self.rule.carrier {
            Carrier::RawQuaternion => quat,
            Carrier::RetractedVector => {
                let turn = turning(&self.from.quat, &first_three(x));
                quaternion::unit(&core::array::from_fn(|i| self.from.quat[i] + turn[i]))
            }
            Carrier::Matrix => so3::quat_from_matrix(&nearest_rotation(att)),
            Carrier::Columns => so3::quat_from_matrix(&by_columns(&att)),
            _ => quaternion::unit(&quat),
        };
        let omega = self.omega(x, &so3::matrix_from_quat(&quat));
        State { quat, omega }
    }
}

/// dexp⁻¹ of a rotation vector applied to the body rate.
fn vector_rate(psi: &Vec3, rate: &Vec3, carrier: Carrier) -> Vec3 {
    let once = psi.cross(rate);
    let second = match carrier {
        Carrier::RotationVectorNaive => return *rate,
        Carrier::OneCommutator | Carrier::OneReversedCommutator => 0.0,
        Carrier::TwoCommutators | Carrier::TwoReversedCommutators => 1.0 / 12.0,
        Carrier::DoubledCommutator => 1.0 / 6.0,
        Carrier::ForwardVector => {
            let [first, second] = forward_coefficients(psi.norm());
            return *rate - once * first + psi.cross(&once) * second;
        }
        _ => so3::tangent_inverse_coefficient(psi.norm_squared()),
    };
    let first = match carrier {
        Carrier::ReversedVector
        | Carrier::OneReversedCommutator
        | Carrier::TwoReversedCommutators => -0.5,
        _ => 0.5,
    };
    rate + once * first + psi.cross(&once) * second
}

/// (1 − cos θ)/θ² and (θ − sin θ)/θ³; below 0.01 by series, whose next terms are below rounding.
fn forward_coefficients(angle: f64) -> [f64; 2] {
    let square = angle * angle;
    if angle < 0.01 {
        return [
            0.5 - square / 24.0 + square * square / 720.0,
            (1.0 - square / 20.0) / 6.0,
        ];
    }
    let (sin, cos) = scalar::sincos(angle);
    [(1.0 - cos) / square, (angle - sin) / (square * angle)]
}

impl RungeKutta {
    /// Returns the state after a step of `h` from `t`.
    pub(crate) fn step(&self, equations: &Equations, th: (f64, f64), from: &State) -> State {
        self.stages(
            equations,
            th,
            from,
            Slip::default(),
            &mut NO_SLOPES.to_owned(),
        )
    }

    /// Returns the rule with a tableau that holds no term.
    #[must_use]
    pub const fn plain(tableau: Tableau, carrier: Carrier) -> Self {
        Self {
            tableau,
            carrier,
            held: FrozenTerm::Nothing,
        }
    }

    /// Returns the slopes of a step and its end, with another first slope where one is given.
    pub(crate) fn slopes_from(
        &self,
        equations: &Equations,
        th: (f64, f64),
        from: &State,
        first: Option<Numbers>,
    ) -> ([Numbers; STAGES], State) {
        let mut slopes = NO_SLOPES;
        let end = self.stages(equations, th, from, Slip { first, kept: None }, &mut slopes);
        (slopes, end)
    }

    /// Returns the state after a step of `h` from `t` in which a number of the state stays as it is in a stage, or in all.
    #[must_use]
    pub fn step_keeping(
        &self,
        kept: KeptNumber,
        equations: &Equations,
        th: (f64, f64),
        from: &State,
    ) -> State {
        let slip = Slip {
            first: None,
            kept: Some(kept),
        };
        self.stages(equations, th, from, slip, &mut NO_SLOPES.to_owned())
    }

    /// Returns the state after a step of `h` from `t` whose first slope is that of a stage of the step before, counted from 0, where
    /// there is one; `past` are the states before, the earliest first.
    #[must_use]
    pub fn step_reusing(
        &self,
        stage: usize,
        equations: &Equations,
        (t, h): (f64, f64),
        (past, from): (&[State], &State),
    ) -> State {
        let mut first = None;
        let mut before = from.quat;
        // Slopes of a quaternion are those of one of its signs.
        let mut of_one_sign = |state: &State| {
            let along: f64 = state.quat.iter().zip(&before).map(|(a, b)| a * b).sum();
            before = state.quat.map(|x| x * along.signum());
            State {
                quat: before,
                ..*state
            }
        };
        for (n, state) in past.iter().enumerate() {
            let at = t - h * (past.len() - n) as f64;
            let state = of_one_sign(state);
            first = Some(self.slopes_from(equations, (at, h), &state, first).0[stage]);
        }
        let from = of_one_sign(from);
        self.slopes_from(equations, (t, h), &from, first).1
    }

    /// Returns the end of a step, and writes its slopes.
    fn stages(
        &self,
        equations: &Equations,
        (t, h): (f64, f64),
        from: &State,
        slip: Slip,
        slopes: &mut [Numbers; STAGES],
    ) -> State {
        let att = from.attitude();
        let tableau = &self.tableau;
        let holds = self.held != FrozenTerm::Nothing;
        let variables = Variables {
            rule: self,
            equations,
            from,
            att,
            held: holds.then(|| equations.parts_at(t, att, &from.omega)),
        };
        let begin = variables.begin();
        let stages = tableau.stages;
        let slope = |i: usize, slopes: &[Numbers]| {
            let mut stage = variables.after(&begin, h, slopes, &tableau.a[i]);
            if let Some(kept) = slip.kept.filter(|kept| kept.stage.is_none_or(|k| k == i)) {
                stage[kept.number] = begin[kept.number];
            }
            variables.slope(t + h * tableau.time(i), &stage)
        };
        if tableau.is_implicit() {
            slopes[..stages].fill(variables.slope(t, &begin));
            for _ in 0..MOST_ITERATIONS {
                let mut changed = false;
                for i in 0..stages {
                    let next = slope(i, &slopes[..stages]);
                    changed |= !((next - slopes[i]).norm() <= SOLVED * next.norm());
                    slopes[i] = next;
                }
                if !changed {
                    break;
                }
            }
        } else {
            for i in 0..stages {
                let given = slip.first.filter(|_| i == 0);
                slopes[i] = given.unwrap_or_else(|| slope(i, &slopes[..i]));
            }
        }
        variables.end(&variables.after(&begin, h, &slopes[..stages], &tableau.b))
    }
}
