//! Problems that are posed to an update. They are all known beforehand, so that an update in any language can be asked.

use crate::motion::{ImuSamples, NavigationMotion, NavigationState};
use crate::rule::SampleMemory;
use crate::scheme::NavigationEngine;
use crate::update::Field;
use topsim_core::math::{Mat3, Random, Vec3};
use topsim_core::models::given_rate::Rate;
use topsim_core::schemes::given_rate::coning::{PHASES, small_cone};

/// Lengths of an update on the motion without symmetry, s, and the end of that motion: errors of the fourth order fall from 1e-4 to 1e-8 over them.
pub const UPDATE_TIMES: [f64; 4] = [0.2, 0.1, 0.05, 0.025];
const END: f64 = 1.6;
/// Numbers of updates in a period of sculling. Constants are extrapolated from them, as their errors fall with the square.
pub const PERIOD_UPDATES: [usize; 3] = [8, 12, 16];
/// Updates of independent increments: 25 unknowns at most of each part, for three equations an update.
const RANDOM_UPDATES: usize = 40;
/// Length of their samples, s, and sizes of their increments, rad and m/s: products of three angles stand out of the rounding of single precision, and those
/// of an angle in degrees are below half a turn.
const RANDOM_INTERVAL: f64 = 0.01;
const RANDOM_ANGLE: f64 = 0.1;
const RANDOM_VELOCITY: f64 = 1.0;
/// Most samples of an update.
pub const MOST_SAMPLES: usize = 4;
/// Largest delay of a sample's end in jittered samples, in units of its length: an interval is off by up to ½ of it, and never negative.
const JITTER: f64 = 0.25;
/// Samples of which the last is lost, so that the next one comes after twice the time.
const DROPPED_OF: usize = 4;

/// Purpose of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeKind {
    /// Increments that are all independent: each term of the update is seen alone.
    Independent,
    /// The motion without symmetry, with updates of a length in s.
    Product(f64),
    /// The same with samples whose ends are early or late by up to a quarter of their length.
    Jittered(f64),
    /// The same, where every fourth sample takes twice the time, since one was lost and its increments came with the next; the length is the mean of all updates.
    Dropped(f64),
    /// The same in a frame that turns with the Earth.
    Earth(f64),
    /// One update of coning with a phase in rad, after another that fills a memory.
    Coning(f64),
    /// Two periods of sculling, with so many updates in each.
    Sculling(usize),
    /// Two periods of scrolling.
    Scrolling(usize),
}

/// A problem: samples of each update from a start.
#[derive(Debug, Clone, PartialEq)]
pub struct NavigationProbe {
    /// Purpose of the problem.
    pub kind: ProbeKind,
    /// State before the first update.
    pub start: NavigationState,
    /// Flag of a problem whose every update begins with the start, and not with the state after the update before.
    pub restarts: bool,
    /// Gravity in space, m/s².
    pub gravity: Vec3,
    /// Rate of the frame against inertial space, rad/s.
    pub frame_rate: Vec3,
    /// Samples of each update.
    pub updates: Vec<ImuSamples>,
}

impl NavigationProbe {
    /// Returns gravity and the rate of the frame.
    pub fn field(&self) -> Field {
        Field {
            gravity: self.gravity,
            frame_rate: self.frame_rate,
        }
    }

    /// Returns the states after each update of an engine.
    pub fn run(&self, engine: &NavigationEngine) -> Vec<NavigationState> {
        let (mut memory, mut state) = (SampleMemory::default(), self.start);
        let update = |samples| {
            if self.restarts {
                state = self.start;
            }
            state = engine.update(&state, samples, &self.field(), &mut memory);
            state
        };
        self.updates.iter().map(update).collect()
    }
}

/// Set of problems that an update is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSet {
    /// Samples of an update, 1 to [`MOST_SAMPLES`].
    pub samples: usize,
    /// Flag of samples of unequal lengths, which a filter with a fixed rate cannot take.
    pub uneven: bool,
    /// Flag of a frame that turns with the Earth, for updates that take its rate into account.
    pub earth: bool,
}

impl ProbeSet {
    /// Returns the set for updates of so many samples, in an inertial frame.
    pub fn of(samples: usize) -> Self {
        Self {
            samples,
            uneven: true,
            earth: false,
        }
    }
}

/// Returns the problems of a set.
pub fn navigation_probes(set: ProbeSet) -> Vec<NavigationProbe> {
    let samples = set.samples;
    let of = |kind, motion: &NavigationMotion, intervals: &[f64]| {
        let mut begin = 0.0;
        let updates = intervals.chunks_exact(samples).map(|intervals| {
            let update = motion.samples(begin, intervals);
            begin += update.time();
            update
        });
        NavigationProbe {
            kind,
            restarts: false,
            gravity: motion.gravity,
            frame_rate: motion.frame_rate,
            updates: updates.collect(),
            start: motion.state(0.0),
        }
    };
    let equal = |count: usize, time: f64| vec![time / samples as f64; count * samples];
    let count = |time: f64| (END / time).round() as usize;
    let mut out = vec![independent(samples)];
    let product = NavigationMotion::product();
    for time in UPDATE_TIMES {
        out.push(of(
            ProbeKind::Product(time),
            &product,
            &equal(count(time), time),
        ));
    }
    out.extend(PHASES.map(|phase| coning(samples, phase)));
    let (sculling, scrolling) = (NavigationMotion::sculling(), NavigationMotion::scrolling());
    for count in PERIOD_UPDATES {
        let intervals = equal(2 * count, std::f64::consts::TAU / count as f64);
        out.push(of(ProbeKind::Sculling(count), &sculling, &intervals));
        out.push(of(ProbeKind::Scrolling(count), &scrolling, &intervals));
    }
    for time in UPDATE_TIMES {
        let intervals = equal(count(time), time);
        if set.uneven {
            let jittered = jittered(&intervals);
            out.push(of(ProbeKind::Jittered(time), &product, &jittered));
            let dropped = dropped(&intervals);
            out.push(of(ProbeKind::Dropped(time), &product, &dropped));
        }
        if set.earth {
            let turning = product.clone().in_earth_frame();
            out.push(of(ProbeKind::Earth(time), &turning, &intervals));
        }
    }
    out
}

/// Moves the ends of all samples but the last one by up to [`JITTER`] of their lengths.
fn jittered(intervals: &[f64]) -> Vec<f64> {
    let mut random = Random::new(2);
    let mut late = 0.0;
    let last = intervals.len() - 1;
    let length = |(k, h): (usize, &f64)| {
        let before = std::mem::replace(&mut late, JITTER * (2.0 * random.uniform() - 1.0));
        if k == last {
            late = 0.0;
        }
        h * (1.0 + late - before)
    };
    intervals.iter().enumerate().map(length).collect()
}

/// Makes every [`DROPPED_OF`]th sample twice as long as the others, which leaves the sum.
fn dropped(intervals: &[f64]) -> Vec<f64> {
    let all = DROPPED_OF as f64;
    let lengths = (1..).map(|k| if k % DROPPED_OF == 0 { 2.0 } else { 1.0 });
    let length = |(h, length): (&f64, f64)| h * length * all / (all + 1.0);
    intervals.iter().zip(lengths).map(length).collect()
}

fn independent(samples: usize) -> NavigationProbe {
    let mut random = Random::new(1);
    let h = RANDOM_INTERVAL;
    let mut vectors =
        |count: usize, size: f64| (0..count).map(|_| random.vector() * size).collect();
    let mut update = |_| ImuSamples {
        intervals: vec![h; samples],
        angles: vectors(samples, RANDOM_ANGLE),
        velocities: vectors(samples, RANDOM_VELOCITY),
        rates: vectors(samples + 1, RANDOM_ANGLE / h),
        forces: vectors(samples + 1, RANDOM_VELOCITY / h),
    };
    NavigationProbe {
        kind: ProbeKind::Independent,
        start: NavigationState {
            attitude: NavigationMotion::product().state(0.0).attitude,
            velocity: Vec3::new(1.0, -2.0, 0.5),
            position: Vec3::new(0.3, 0.1, -0.2),
        },
        restarts: false,
        gravity: Vec3::new(0.0, 0.0, -9.80665),
        frame_rate: Vec3::zeros(),
        updates: (0..RANDOM_UPDATES).map(&mut update).collect(),
    }
}

pub(crate) fn coning(samples: usize, phase: f64) -> NavigationProbe {
    let (rate, h) = (small_cone().rate, phase / samples as f64);
    let update = |first: f64| {
        let time = |k: usize| first + k as f64 * h;
        ImuSamples {
            intervals: vec![h; samples],
            angles: (0..samples)
                .map(|k| rate.increment(time(k), time(k + 1)))
                .collect(),
            velocities: vec![Vec3::zeros(); samples],
            rates: (0..=samples).map(|k| rate.at(time(k))).collect(),
            forces: vec![Vec3::zeros(); samples + 1],
        }
    };
    NavigationProbe {
        kind: ProbeKind::Coning(phase),
        start: NavigationState {
            attitude: Mat3::identity(),
            velocity: Vec3::zeros(),
            position: Vec3::zeros(),
        },
        restarts: true,
        gravity: Vec3::zeros(),
        frame_rate: Vec3::zeros(),
        updates: vec![update(-phase), update(0.0)],
    }
}
