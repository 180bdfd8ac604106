//! Problems that are posed to an update. They are all known beforehand, so that an update in any language can be asked.

use crate::motion::{ImuSamples, NavigationMotion, NavigationState};
use crate::rule::SampleMemory;
use crate::scheme::NavigationEngine;
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

/// Purpose of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeKind {
    /// Increments that are all independent: each term of the update is seen alone.
    Independent,
    /// The motion without symmetry, with updates of a length in s.
    Product(f64),
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
    /// Samples of each update.
    pub updates: Vec<ImuSamples>,
}

impl NavigationProbe {
    /// Returns the states after each update of an engine.
    pub fn run(&self, engine: &NavigationEngine) -> Vec<NavigationState> {
        let (mut memory, mut state) = (SampleMemory::default(), self.start);
        let update = |samples| {
            if self.restarts {
                state = self.start;
            }
            state = engine.update(&state, samples, &self.gravity, &mut memory);
            state
        };
        self.updates.iter().map(update).collect()
    }
}

/// Returns the problems for updates of so many samples, 1 to [`MOST_SAMPLES`].
pub fn navigation_probes(samples: usize) -> Vec<NavigationProbe> {
    let of = |kind, motion: &NavigationMotion, count: usize, time: f64| NavigationProbe {
        kind,
        start: motion.state(0.0),
        restarts: false,
        gravity: motion.gravity,
        updates: (0..count)
            .map(|k| motion.samples(k as f64 * time, samples, time / samples as f64))
            .collect(),
    };
    let mut out = vec![independent(samples)];
    let product = NavigationMotion::product();
    for time in UPDATE_TIMES {
        out.push(of(
            ProbeKind::Product(time),
            &product,
            (END / time).round() as usize,
            time,
        ));
    }
    out.extend(PHASES.map(|phase| coning(samples, phase)));
    let (sculling, scrolling) = (NavigationMotion::sculling(), NavigationMotion::scrolling());
    for count in PERIOD_UPDATES {
        let time = std::f64::consts::TAU / count as f64;
        out.push(of(ProbeKind::Sculling(count), &sculling, 2 * count, time));
        out.push(of(ProbeKind::Scrolling(count), &scrolling, 2 * count, time));
    }
    out
}

fn independent(samples: usize) -> NavigationProbe {
    let mut random = Random::new(1);
    let h = RANDOM_INTERVAL;
    let mut vectors =
        |count: usize, size: f64| (0..count).map(|_| random.vector() * size).collect();
    let mut update = |_| ImuSamples {
        interval: h,
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
        updates: (0..RANDOM_UPDATES).map(&mut update).collect(),
    }
}

fn coning(samples: usize, phase: f64) -> NavigationProbe {
    let (rate, h) = (small_cone().rate, phase / samples as f64);
    let update = |first: f64| {
        let time = |k: usize| first + k as f64 * h;
        ImuSamples {
            interval: h,
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
        updates: vec![update(-phase), update(0.0)],
    }
}
