//! Exact motions: an attitude that is a product of turns, and a position that is a formula of time.
//!
//! With R and p given, all else is a closed form: v = p', W from the turns, and the specific force f = Rᵀ(p″ − g) in the body. What gyros and accelerometers
//! deliver, the integrals of W and f over a sample, is taken by quadrature to rounding. The frame is inertial, and g is constant.

use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::given_rate::{
    Factor, GAUSS_8, Product, Rate, RateModel, Sine, TimeFunction,
};

/// Amplitude of the turn in [`NavigationMotion::sculling`] and [`NavigationMotion::scrolling`], rad: with it the third power of the angle, which hides the
/// constants of updates of many samples, is below the rounding of the first.
pub const SMALL_TURN: f64 = 1e-6;
/// Rate of the Earth, rad/s (IERS Conventions 2010, table 1.2).
pub const EARTH_RATE: f64 = 7.292115e-5;
/// Phase at which these motions begin, rad: with it no update turns by nothing, which would divide by 0 in many a code.
const BEGIN: f64 = 0.3;

/// Attitude, velocity and position of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NavigationState {
    /// Attitude, body to space.
    pub attitude: Mat3,
    /// Velocity in space, m/s.
    pub velocity: Vec3,
    /// Position in space, m.
    pub position: Vec3,
}

impl NavigationState {
    /// Returns the attitude row by row, the velocity and the position.
    pub fn numbers(&self) -> [f64; 15] {
        std::array::from_fn(|k| match k {
            0..9 => self.attitude[(k / 3, k % 3)],
            9..12 => self.velocity[k - 9],
            _ => self.position[k - 12],
        })
    }

    /// Returns the state with these numbers, in the order of [`NavigationState::numbers`].
    pub fn from_numbers(numbers: &[f64; 15]) -> Self {
        Self {
            attitude: Mat3::from_fn(|i, j| numbers[3 * i + j]),
            velocity: Vec3::from_fn(|i, _| numbers[9 + i]),
            position: Vec3::from_fn(|i, _| numbers[12 + i]),
        }
    }
}

/// Samples of one update: what the sensors deliver from its beginning to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct ImuSamples {
    /// Length of each sample, s.
    pub intervals: Vec<f64>,
    /// Integrals of the rate over each sample, rad, body frame.
    pub angles: Vec<Vec3>,
    /// Integrals of the specific force over each sample, m/s, body frame.
    pub velocities: Vec<Vec3>,
    /// Rates at the ends of the samples, rad/s: one more than there are samples.
    pub rates: Vec<Vec3>,
    /// Specific forces at the ends of the samples, m/s².
    pub forces: Vec<Vec3>,
}

impl ImuSamples {
    /// Returns the length of the update, s.
    pub fn time(&self) -> f64 {
        self.intervals.iter().sum()
    }
}

/// A motion that is known exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct NavigationMotion {
    turns: RateModel,
    position: [TimeFunction; 3],
    velocity: [TimeFunction; 3],
    acceleration: [TimeFunction; 3],
    /// Gravity in space, m/s²; where the frame turns, gravity with the centrifugal acceleration.
    pub gravity: Vec3,
    /// Rate of the frame against inertial space, rad/s, in the frame.
    pub frame_rate: Vec3,
}

impl NavigationMotion {
    /// Makes a motion of turns, with axes of length 1, and a position.
    fn new(turns: Vec<Factor>, position: [TimeFunction; 3], gravity: Vec3) -> Self {
        let velocity = position.each_ref().map(derivative);
        let acceleration = velocity.each_ref().map(derivative);
        Self {
            turns: RateModel::Product(Product { factors: turns }),
            position,
            velocity,
            acceleration,
            gravity,
            frame_rate: Vec3::zeros(),
        }
    }

    /// Returns the same motion in a frame that turns with the Earth. The axis is oblique to all axes of the frame.
    #[must_use]
    pub fn in_earth_frame(mut self) -> Self {
        self.frame_rate = Vec3::new(0.48, -0.6, -0.64) * EARTH_RATE;
        self
    }

    /// Returns a motion in which nothing is symmetric: two turns about oblique axes, and a position with another frequency along each axis.
    pub fn product() -> Self {
        let formula = |polynomial: &[f64], sine| TimeFunction {
            polynomial: polynomial.to_vec(),
            sines: vec![sine],
        };
        let turn = |axis, angle| Factor { axis, angle };
        let turns = vec![
            turn([0.0, 0.6, 0.8], formula(&[0.2, 0.7], sine(0.4, 1.3, 0.3))),
            turn([0.48, -0.6, 0.64], formula(&[0.1], sine(0.5, 1.7, 1.1))),
        ];
        let position = [
            formula(&[1.0, 2.0], sine(3.0, 0.9, 0.4)),
            formula(&[0.0, 0.5], sine(-2.0, 1.1, 1.0)),
            formula(&[4.0], sine(1.5, 1.4, -0.5)),
        ];
        Self::new(turns, position, Vec3::new(0.0, 0.0, -9.80665))
    }

    /// Returns classical sculling: the body turns about x by θ sin(t + 0.3), θ = [`SMALL_TURN`], and its acceleration along y is sin(t + 0.3), in phase with the turn.
    pub fn sculling() -> Self {
        Self::swing(0.0)
    }

    /// Returns the motion of a quarter of a period later: the acceleration is cos(t + 0.3), and what was an error of the velocity is one of the position.
    pub fn scrolling() -> Self {
        Self::swing(std::f64::consts::FRAC_PI_2)
    }

    fn swing(phase: f64) -> Self {
        let only = |sine| TimeFunction {
            polynomial: Vec::new(),
            sines: vec![sine],
        };
        let turns = vec![Factor {
            axis: [1.0, 0.0, 0.0],
            angle: only(sine(SMALL_TURN, 1.0, BEGIN)),
        }];
        let still = TimeFunction::default;
        let position = [still(), only(sine(-1.0, 1.0, BEGIN + phase)), still()];
        Self::new(turns, position, Vec3::zeros())
    }

    /// Returns the state at a time, s.
    pub fn state(&self, t: f64) -> NavigationState {
        let at = |f: &[TimeFunction; 3]| Vec3::from_fn(|i, _| f[i].at(t));
        NavigationState {
            attitude: self.turns.attitude(t).unwrap_or_else(Mat3::identity),
            velocity: at(&self.velocity),
            position: at(&self.position),
        }
    }

    /// Returns the body rate against inertial space at a time, rad/s.
    pub fn rate(&self, t: f64) -> Vec3 {
        self.turns.at(t) + self.frame_rate_in_body(t)
    }

    /// Returns the rate of the frame at a time in the body frame, rad/s.
    fn frame_rate_in_body(&self, t: f64) -> Vec3 {
        self.state(t).attitude.tr_mul(&self.frame_rate)
    }

    /// Returns the specific force at a time, m/s², body frame.
    pub fn force(&self, t: f64) -> Vec3 {
        let acceleration = Vec3::from_fn(|i, _| self.acceleration[i].at(t));
        let state = self.state(t);
        let coriolis = 2.0 * self.frame_rate.cross(&state.velocity);
        state
            .attitude
            .tr_mul(&(acceleration + coriolis - self.gravity))
    }

    /// Returns the samples of an update from `start`, s, with the lengths of each.
    pub fn samples(&self, start: f64, intervals: &[f64]) -> ImuSamples {
        let mut ends = vec![start];
        ends.extend(intervals.iter().scan(start, |t, h| {
            *t += h;
            Some(*t)
        }));
        let each = |f: &dyn Fn(f64, f64) -> Vec3| ends.windows(2).map(|t| f(t[0], t[1])).collect();
        ImuSamples {
            intervals: intervals.to_vec(),
            angles: each(&|a, b| {
                let turned = gauss(a, b, |t| self.frame_rate_in_body(t));
                self.turns.increment(a, b) + turned
            }),
            velocities: each(&|a, b| gauss(a, b, |t| self.force(t))),
            rates: ends.iter().map(|t| self.rate(*t)).collect(),
            forces: ends.iter().map(|t| self.force(*t)).collect(),
        }
    }
}

/// Returns an integral by one panel, across which the phase of no motion here grows by more than 1 rad, so that the error is below 1e-17 of the value.
fn gauss(from: f64, to: f64, value: impl Fn(f64) -> Vec3) -> Vec3 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let pair = |(node, weight): &(f64, f64)| {
        let ends = [middle - half * node, middle + half * node];
        (value(ends[0]) + value(ends[1])) * *weight
    };
    GAUSS_8.iter().map(pair).sum::<Vec3>() * half
}

/// Motions of drawn numbers, in the order in which `scripts/navigation_values.py` draws them.
#[cfg(test)]
impl NavigationMotion {
    pub(crate) fn drawn(seed: u64) -> Self {
        use topsim_core::math::Random;
        fn symmetric(random: &mut Random, size: f64) -> f64 {
            size * (2.0 * random.uniform() - 1.0)
        }
        fn formula(random: &mut Random, size: f64) -> TimeFunction {
            let polynomial = vec![symmetric(random, size), symmetric(random, size)];
            let amplitude = symmetric(random, size);
            let sine = sine(amplitude, 0.5 + random.uniform(), 6.0 * random.uniform());
            TimeFunction {
                polynomial,
                sines: vec![sine],
            }
        }
        let mut random = Random::new(seed);
        let turn = |random: &mut Random| {
            let [x, y, z] = [(); 3].map(|()| symmetric(random, 1.0));
            let length = (x * x + y * y + z * z).sqrt();
            Factor {
                axis: [x, y, z].map(|c| c / length),
                angle: formula(random, 1.0),
            }
        };
        let turns = vec![turn(&mut random), turn(&mut random)];
        let position = [(); 3].map(|()| formula(&mut random, 5.0));
        let gravity = Vec3::new(0.0, 0.0, -10.0 * random.uniform());
        let mut out = Self::new(turns, position, gravity);
        if seed % 2 == 1 {
            out.frame_rate = Vec3::from([(); 3].map(|()| symmetric(&mut random, 0.1)));
        }
        out
    }
}

fn sine(amplitude: f64, rate: f64, phase: f64) -> Sine {
    Sine {
        amplitude,
        rate,
        phase,
    }
}

/// Returns the derivative of a formula.
fn derivative(f: &TimeFunction) -> TimeFunction {
    let powers = f.polynomial.iter().enumerate().skip(1);
    let slope = |s: &Sine| {
        sine(
            s.amplitude * s.rate,
            s.rate,
            s.phase + std::f64::consts::FRAC_PI_2,
        )
    };
    TimeFunction {
        polynomial: powers.map(|(k, c)| c * k as f64).collect(),
        sines: f.sines.iter().map(slope).collect(),
    }
}
