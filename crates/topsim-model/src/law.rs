//! The equations of motion as a solver may have them: a continuous family around the right ones.
//!
//! ```text
//! R' = R rate^          rate = s (k R^aW W + K W)
//! W' = s ( Jd⁻¹ (g D ((Jg W) × (R^aX W)) + R^aT T) + c W × R^aN W − d(W) − Jd⁻¹ m(W) + accelerations )
//! T  = tq ( gf (R^aL lever) × (−weight R^aU up) + R^aP τ_space + τ_body ) + constant torques
//! Jd, Jg = R^-a J R^a
//! d, m = sums of c |W|^p W/|W|, p = 0 … 3, and of cᵢ |Wᵢ|^p sign Wᵢ, p = 0 … 2
//! ```
//!
//! `R^a = exp(a log R)` with a real a, so that "turned", "not turned", "turned the wrong way" are numbers which a fit can
//! reach. Source: `docs/science/identification.md`, section 4; aX, aN and aT are needed
//! where an attitude that turns with a wrong rate is carried consistently.

use crate::probe::{Load, Start};
use std::sync::LazyLock;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Frame, Inertia, Torque};

/// How many numbers the family has.
pub const COUNT: usize = 114;

/// Where each number of the family stands, and what it is where the equations are right.
#[allow(
    missing_docs,
    reason = "each number has a row of its own, with a symbol and its meaning"
)]
pub mod at {
    use core::ops::Range;
    pub const CLOCK: usize = 0;
    pub const TORQUE: usize = 1;
    pub const GRAVITY: usize = 2;
    pub const GYROSCOPIC: usize = 3;
    pub const ROWS: Range<usize> = 4..7;
    pub const LEVER_TURNED: usize = 7;
    pub const UP_TURNED: usize = 8;
    pub const UP_TURNED_GRAVITY: usize = 9;
    pub const PUSH_TURNED: usize = 10;
    pub const TORQUE_TURNED: usize = 11;
    pub const INERTIA_TURNED: usize = 12;
    pub const GYROSCOPIC_INERTIA_TURNED: usize = 13;
    pub const GYROSCOPIC_RATE_TURNED: usize = 14;
    pub const TRANSPORT_TURNED: usize = 15;
    pub const RATE_TURNED: usize = 16;
    pub const RATE: usize = 17;
    pub const RATE_MATRIX: Range<usize> = 18..27;
    pub const LEVER: Range<usize> = 27..30;
    pub const UP: Range<usize> = 30..33;
    pub const DIVISOR: Range<usize> = 33..39;
    pub const INVERSE: Range<usize> = 39..48;
    pub const GYROSCOPIC_INERTIA: Range<usize> = 48..54;
    pub const DAMPING: usize = 54;
    pub const DAMPING_INERTIA: usize = 55;
    pub const DAMPING_QUADRATIC: usize = 56;
    pub const FRICTION: usize = 57;
    pub const DAMPING_AXES: Range<usize> = 58..61;
    pub const LINEAR: Range<usize> = 61..70;
    pub const TORQUE_BODY: Range<usize> = 70..73;
    pub const TORQUE_SPACE: Range<usize> = 73..76;
    pub const ACCELERATION_BODY: Range<usize> = 76..79;
    pub const ACCELERATION_SPACE: Range<usize> = 79..82;
    pub const CORIOLIS: usize = 82;
    pub const BODY_PUSH_TURNED: usize = 83;
    pub const DAMPING_CUBIC: usize = 84;
    pub const PUSH: usize = 85;
    pub const TURNED_BACK: usize = 86;
    pub const FRICTION_INERTIA: usize = 87;
    pub const QUADRATIC_INERTIA: usize = 88;
    pub const CUBIC_INERTIA: usize = 89;
    pub const FRICTION_AXES: Range<usize> = 90..93;
    pub const QUADRATIC_AXES: Range<usize> = 93..96;
    pub const FRICTION_INERTIA_AXES: Range<usize> = 96..99;
    pub const DAMPING_INERTIA_AXES: Range<usize> = 99..102;
    pub const QUADRATIC_INERTIA_AXES: Range<usize> = 102..105;
    pub const LINEAR_TORQUE: Range<usize> = 105..114;
}

/// Where the numbers of a resistance to turning stand.
struct Resistance {
    /// Of c |W|^p W/|W|, p from 0 to 3.
    whole: [usize; 4],
    /// Of cᵢ |Wᵢ|^p sign Wᵢ, p from 0 to 2: the first of three.
    axes: [usize; 3],
}

/// What is taken from W'.
const OF_RATE: Resistance = Resistance {
    whole: [
        at::FRICTION,
        at::DAMPING,
        at::DAMPING_QUADRATIC,
        at::DAMPING_CUBIC,
    ],
    axes: [
        at::FRICTION_AXES.start,
        at::DAMPING_AXES.start,
        at::QUADRATIC_AXES.start,
    ],
};
/// What is taken from the torque.
const OF_MOMENTUM: Resistance = Resistance {
    whole: [
        at::FRICTION_INERTIA,
        at::DAMPING_INERTIA,
        at::QUADRATIC_INERTIA,
        at::CUBIC_INERTIA,
    ],
    axes: [
        at::FRICTION_INERTIA_AXES.start,
        at::DAMPING_INERTIA_AXES.start,
        at::QUADRATIC_INERTIA_AXES.start,
    ],
};

/// A law of the family.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// The numbers of the family.
    pub values: [f64; COUNT],
    /// Whether other inertias are used only where there is gravity.
    pub gravity_only: bool,
    /// Whether one inertia is used whatever body is given.
    pub everywhere: bool,
}

/// The body on which inertias are fitted.
static STANDARD: LazyLock<Mat3> = LazyLock::new(|| *standard_inertia().tensor());

/// The body of `judge_top`: a full tensor, nothing aligned.
///
/// # Panics
/// Never: the tensor is positive definite.
#[must_use]
pub fn standard_inertia() -> Inertia {
    let m = Mat3::new(2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6);
    Inertia::new(m).expect("the tensor is symmetric and positive definite")
}

impl Default for Law {
    /// The right equations.
    fn default() -> Self {
        let mut values = [0.0; COUNT];
        for i in [
            at::CLOCK,
            at::TORQUE,
            at::GRAVITY,
            at::GYROSCOPIC,
            at::RATE,
            at::PUSH,
        ] {
            values[i] = 1.0;
        }
        values[at::ROWS].fill(1.0);
        Self {
            values,
            gravity_only: false,
            everywhere: false,
        }
    }
}

/// A state at which the law is evaluated; powers of its attitude are made often.
#[derive(Debug, Clone)]
pub struct Place {
    /// Body and state.
    pub start: Start,
    /// Time, s: of torques that depend on it.
    pub t: f64,
    /// log R.
    turn: Vec3,
    /// Whether the body is that on which inertias, levers and verticals are fitted.
    pub standard: bool,
}

impl Place {
    /// Returns the place of a state at time `t`.
    #[must_use]
    pub fn new(start: Start, t: f64, standard: bool) -> Self {
        Self {
            turn: so3::log(&start.att),
            start,
            t,
            standard,
        }
    }

    /// Moves to another state of the same body.
    pub fn move_to(&mut self, t: f64, att: Mat3, omega: Vec3) {
        (self.t, self.start.att, self.start.omega) = (t, att, omega);
        self.turn = so3::log(&self.start.att);
    }

    /// R^a v.
    fn turned(&self, a: f64, v: &Vec3) -> Vec3 {
        if a == 0.0 {
            *v
        } else if a == 1.0 {
            self.start.att * v
        } else if a == -1.0 {
            self.start.att.tr_mul(v)
        } else {
            so3::exp(&(self.turn * a)) * v
        }
    }

    /// R^-a J R^a.
    fn seen(&self, a: f64, j: &Mat3) -> Mat3 {
        if a == 0.0 {
            return *j;
        }
        let m = so3::exp(&(self.turn * a));
        m.transpose() * j * m
    }

    /// W' where ω = Λᵀ J⁻¹ Λ π is taken for the rate in space, with π' = t: the inertia turned the wrong way.
    fn turned_back(&self, torque: &Vec3) -> Vec3 {
        let (att, j) = (&self.start.att, self.start.inertia.tensor());
        let omega = att * self.start.omega;
        let hat = so3::hat(&omega);
        let changes = att.transpose() * (j * hat - hat * j) * att * omega;
        let inverse = att.transpose() * self.start.inertia.inverse() * att;
        att.tr_mul(&(inverse * (att * torque - changes)))
    }
}

fn vector(values: &[f64]) -> Vec3 {
    Vec3::new(values[0], values[1], values[2])
}

/// Of the six numbers xx, yy, zz, xy, xz, yz.
pub fn symmetric(v: &[f64]) -> Mat3 {
    Mat3::new(v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2])
}

fn matrix(v: &[f64]) -> Mat3 {
    Mat3::from_row_slice(v)
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

fn is_zero(v: &[f64]) -> bool {
    v.iter().all(|x| *x == 0.0)
}

impl Law {
    fn vector(&self, range: core::ops::Range<usize>) -> Vec3 {
        vector(&self.values[range])
    }

    /// The torque in the body frame, N m.
    fn torque(&self, p: &Place) -> Vec3 {
        let v = &self.values;
        let start = &p.start;
        let mut torque = match &start.load {
            Load::None => Vec3::zeros(),
            Load::Gravity { weight, lever, up } => {
                let (mut lever, mut up) = (*lever, *up);
                if p.standard {
                    lever += self.vector(at::LEVER);
                    up += self.vector(at::UP);
                }
                let lever = p.turned(v[at::LEVER_TURNED], &lever);
                let exponent = v[at::UP_TURNED] + v[at::UP_TURNED_GRAVITY] - 1.0;
                let up = p.turned(exponent, &up);
                lever.cross(&(up * -*weight)) * v[at::GRAVITY]
            }
            Load::Constant { torque, frame } => {
                let torque = torque * v[at::PUSH];
                match frame {
                    Frame::Space => p.turned(v[at::UP_TURNED] + v[at::PUSH_TURNED] - 1.0, &torque),
                    Frame::Body => p.turned(v[at::BODY_PUSH_TURNED], &torque),
                }
            }
            Load::Pulse(pulse) => pulse.body(p.t, &start.att),
            Load::Other(other) => other.body(p.t, &start.att),
        };
        torque = p.turned(v[at::TORQUE_TURNED], &torque) * v[at::TORQUE];
        if !is_zero(&v[at::TORQUE_BODY.start..at::TORQUE_SPACE.end]) {
            torque += self.vector(at::TORQUE_BODY);
            torque += start.att.tr_mul(&self.vector(at::TORQUE_SPACE));
        }
        torque
    }

    /// What resists a rate; a body at rest begins to move along its acceleration.
    fn resistance(&self, at: &Resistance, w: &Vec3, acceleration: &Vec3) -> Vec3 {
        let [friction, linear, quadratic, cubic] = at.whole.map(|i| self.values[i]);
        let speed = w.norm();
        let along = if speed > 0.0 { w } else { acceleration };
        let mut out = w * (linear + speed * (quadratic + speed * cubic));
        out += along * (friction / along.norm().max(1e-300));
        for i in 0..3 {
            let [friction, linear, quadratic] = at.axes.map(|first| self.values[first + i]);
            let along = if w[i] == 0.0 { acceleration[i] } else { w[i] };
            out[i] += w[i] * (linear + quadratic * w[i].abs()) + friction * sign(along);
        }
        out
    }

    /// The rate with which the attitude turns (rad/s), and the derivative of the rate (rad/s²); both in the body frame.
    #[must_use]
    pub fn slopes(&self, p: &Place) -> (Vec3, Vec3) {
        let parts = self.parts(p);
        (parts.rate, parts.acceleration)
    }

    /// Returns the slopes with their parts.
    #[must_use]
    pub fn parts(&self, p: &Place) -> Parts {
        let v = &self.values;
        let start = &p.start;
        let w = start.omega;
        let mut rate = p.turned(v[at::RATE_TURNED], &w) * v[at::RATE];
        if !is_zero(&v[at::RATE_MATRIX]) {
            rate += matrix(&v[at::RATE_MATRIX]) * w;
        }
        let other =
            p.standard && (!self.gravity_only || matches!(start.load, Load::Gravity { .. }));
        let (mut divisor, mut inverse) = (*start.inertia.tensor(), *start.inertia.inverse());
        let mut gyroscopic = divisor;
        if other {
            gyroscopic += symmetric(&v[at::GYROSCOPIC_INERTIA]);
            if !is_zero(&v[at::DIVISOR]) {
                divisor += symmetric(&v[at::DIVISOR]);
                inverse = divisor.try_inverse().unwrap_or(inverse);
            }
            inverse += matrix(&v[at::INVERSE]);
        }
        if self.everywhere {
            divisor = *STANDARD + symmetric(&v[at::DIVISOR]);
            gyroscopic = divisor;
            inverse = divisor.try_inverse().unwrap_or(inverse);
        }
        if !self.gravity_only || other {
            inverse = p.seen(v[at::INERTIA_TURNED], &inverse);
            gyroscopic = p.seen(v[at::GYROSCOPIC_INERTIA_TURNED], &gyroscopic);
        }
        let mut moment = (gyroscopic * w).cross(&p.turned(v[at::GYROSCOPIC_RATE_TURNED], &w));
        moment = moment.component_mul(&self.vector(at::ROWS)) * v[at::GYROSCOPIC];
        let alone = inverse * moment;
        moment += self.torque(p);
        let mut acceleration = inverse * moment;
        if v[at::TRANSPORT_TURNED] != 0.0 {
            acceleration += w.cross(&p.turned(v[at::TRANSPORT_TURNED], &w));
        }
        acceleration += (gyroscopic * w).cross(&w) * v[at::CORIOLIS];
        if v[at::TURNED_BACK] != 0.0 {
            let wrong = p.turned_back(&self.torque(p));
            acceleration += (wrong - acceleration) * v[at::TURNED_BACK];
        }
        let begins = acceleration;
        acceleration -= self.resistance(&OF_RATE, &w, &begins);
        acceleration -= inverse * self.resistance(&OF_MOMENTUM, &w, &begins);
        if !is_zero(&v[at::LINEAR]) {
            acceleration += matrix(&v[at::LINEAR]) * w;
        }
        if !is_zero(&v[at::LINEAR_TORQUE]) {
            acceleration += inverse * (matrix(&v[at::LINEAR_TORQUE]) * w);
        }
        if !is_zero(&v[at::ACCELERATION_BODY.start..at::ACCELERATION_SPACE.end]) {
            acceleration += self.vector(at::ACCELERATION_BODY);
            acceleration += start.att.tr_mul(&self.vector(at::ACCELERATION_SPACE));
        }
        Parts {
            rate: rate * v[at::CLOCK],
            acceleration: acceleration * v[at::CLOCK],
            gyroscopic: alone * v[at::CLOCK],
            inverse,
        }
    }
}

/// Slopes of a law at a state, in the body frame.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Rate with which the attitude turns, rad/s.
    pub rate: Vec3,
    /// Derivative of the rate, rad/s².
    pub acceleration: Vec3,
    /// Part of it that the gyroscopic term makes, rad/s².
    pub gyroscopic: Vec3,
    /// Inverse of the inertia by which torques are divided, 1/(kg m²).
    pub inverse: Mat3,
}

/// A group of numbers that are fitted together; all others stay right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "a block is the numbers of its row")]
pub enum Block {
    Clock,
    Torque,
    Gravity,
    Push,
    Gyroscopic,
    Rows,
    LeverTurned,
    UpTurned,
    UpTurnedGravity,
    LeverAndUpTurned,
    PushTurned,
    BodyPushTurned,
    TorqueTurned,
    InertiaTurned,
    DivisorTurned,
    GyroscopicInertiaTurned,
    GyroscopicRateTurned,
    TransportTurned,
    RateTurned,
    Rate,
    RateMatrix,
    Lever,
    Up,
    Inertia,
    Divisor,
    Inverse,
    GyroscopicInertia,
    InertiaGravity,
    InertiaEverywhere,
    DivisorGravity,
    Damping,
    DampingInertia,
    DampingQuadratic,
    DampingCubic,
    Friction,
    FrictionInertia,
    QuadraticInertia,
    CubicInertia,
    DampingAxes,
    FrictionAxes,
    QuadraticAxes,
    DampingInertiaAxes,
    FrictionInertiaAxes,
    QuadraticInertiaAxes,
    Linear,
    LinearTorque,
    TorqueBody,
    TorqueSpace,
    AccelerationBody,
    AccelerationSpace,
    Coriolis,
    TurnedBack,
}

/// Which numbers move with a parameter of a block.
type Ties = &'static [&'static [usize]];

/// A row of the table of blocks.
#[derive(Debug)]
pub struct BlockRow {
    /// The block.
    pub block: Block,
    /// For each parameter, the numbers that take its value (added to what is right).
    ties: Ties,
    /// Whether it is an exponent of an attitude: fits begin at several values.
    pub exponent: bool,
    /// Whether it holds only where there is gravity.
    pub gravity_only: bool,
    /// Whether it takes the place of every body's.
    pub everywhere: bool,
}

macro_rules! blocks {
    ($($block:ident: $ties:expr $(, $flag:ident)*;)*) => {
        /// All blocks, those of few parameters first.
        pub static BLOCKS: &[BlockRow] = &[$(
            #[allow(unused_mut, reason = "most blocks have no flag")]
            {
                const ROW: BlockRow = {
                    let mut row = BlockRow { block: Block::$block, ties: &$ties, exponent: false, gravity_only: false, everywhere: false };
                    $(row.$flag = true;)*
                    row
                };
                ROW
            }
        ),*];
    };
}

blocks! {
    Clock: [&[at::CLOCK]];
    Torque: [&[at::TORQUE]];
    Gravity: [&[at::GRAVITY]];
    Push: [&[at::PUSH]];
    Gyroscopic: [&[at::GYROSCOPIC]];
    Rate: [&[at::RATE]];
    Damping: [&[at::DAMPING]];
    DampingInertia: [&[at::DAMPING_INERTIA]];
    DampingQuadratic: [&[at::DAMPING_QUADRATIC]];
    DampingCubic: [&[at::DAMPING_CUBIC]];
    Friction: [&[at::FRICTION]];
    FrictionInertia: [&[at::FRICTION_INERTIA]];
    QuadraticInertia: [&[at::QUADRATIC_INERTIA]];
    CubicInertia: [&[at::CUBIC_INERTIA]];
    Coriolis: [&[at::CORIOLIS]];
    TurnedBack: [&[at::TURNED_BACK]];
    LeverTurned: [&[at::LEVER_TURNED]], exponent;
    UpTurned: [&[at::UP_TURNED]], exponent;
    UpTurnedGravity: [&[at::UP_TURNED_GRAVITY]], exponent;
    PushTurned: [&[at::PUSH_TURNED]], exponent;
    BodyPushTurned: [&[at::BODY_PUSH_TURNED]], exponent;
    TorqueTurned: [&[at::TORQUE_TURNED]], exponent;
    DivisorTurned: [&[at::INERTIA_TURNED]], exponent;
    InertiaTurned: [&[at::INERTIA_TURNED, at::GYROSCOPIC_INERTIA_TURNED]], exponent;
    GyroscopicInertiaTurned: [&[at::GYROSCOPIC_INERTIA_TURNED]], exponent;
    GyroscopicRateTurned: [&[at::GYROSCOPIC_RATE_TURNED]], exponent;
    TransportTurned: [&[at::TRANSPORT_TURNED]], exponent;
    RateTurned: [&[at::RATE_TURNED]], exponent;
    LeverAndUpTurned: [&[at::LEVER_TURNED], &[at::UP_TURNED_GRAVITY]], exponent;
    Rows: [&[4], &[5], &[6]];
    Lever: [&[27], &[28], &[29]];
    Up: [&[30], &[31], &[32]];
    DampingAxes: [&[58], &[59], &[60]];
    FrictionAxes: [&[90], &[91], &[92]];
    QuadraticAxes: [&[93], &[94], &[95]];
    FrictionInertiaAxes: [&[96], &[97], &[98]];
    DampingInertiaAxes: [&[99], &[100], &[101]];
    QuadraticInertiaAxes: [&[102], &[103], &[104]];
    TorqueBody: [&[70], &[71], &[72]];
    TorqueSpace: [&[73], &[74], &[75]];
    AccelerationBody: [&[76], &[77], &[78]];
    AccelerationSpace: [&[79], &[80], &[81]];
    Inertia: [&[33, 48], &[34, 49], &[35, 50], &[36, 51], &[37, 52], &[38, 53]];
    InertiaGravity: [&[33, 48], &[34, 49], &[35, 50], &[36, 51], &[37, 52], &[38, 53]], gravity_only;
    InertiaEverywhere: [&[33, 48], &[34, 49], &[35, 50], &[36, 51], &[37, 52], &[38, 53]], everywhere;
    Divisor: [&[33], &[34], &[35], &[36], &[37], &[38]];
    DivisorGravity: [&[33], &[34], &[35], &[36], &[37], &[38]], gravity_only;
    GyroscopicInertia: [&[48], &[49], &[50], &[51], &[52], &[53]];
    Inverse: [&[39], &[40], &[41], &[42], &[43], &[44], &[45], &[46], &[47]];
    RateMatrix: [&[18], &[19], &[20], &[21], &[22], &[23], &[24], &[25], &[26]];
    Linear: [&[61], &[62], &[63], &[64], &[65], &[66], &[67], &[68], &[69]];
    LinearTorque: [&[105], &[106], &[107], &[108], &[109], &[110], &[111], &[112], &[113]];
}

impl BlockRow {
    /// Returns the number of parameters.
    #[allow(clippy::len_without_is_empty, reason = "a block has a parameter")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.ties.len()
    }
    /// The numbers that move with a parameter.
    pub fn numbers(&self, parameter: usize) -> &'static [usize] {
        self.ties[parameter]
    }
    /// Adds the parameters to a law.
    pub fn apply(&self, parameters: &[f64], law: &mut Law) {
        law.gravity_only |= self.gravity_only;
        law.everywhere |= self.everywhere;
        for (x, ties) in parameters.iter().zip(self.ties) {
            for i in *ties {
                law.values[*i] += x;
            }
        }
    }
    /// Those numbers of a law that belong to the block, one for each parameter.
    pub fn values(&self, law: &Law) -> Vec<f64> {
        self.ties.iter().map(|t| law.values[t[0]]).collect()
    }
}
