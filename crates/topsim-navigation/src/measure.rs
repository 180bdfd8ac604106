//! Measurements of an update without any model: orders of its errors on the motion without symmetry, and its drift on those that are made for one error.

use crate::fit::NavigationPart;
use crate::motion::{NavigationMotion, NavigationState, SMALL_TURN};
use crate::probe::{NavigationProbe, PERIOD_UPDATES, ProbeKind};
use serde::Serialize;
use topsim_core::math::{Vec3, scalar, slopes, so3};
use topsim_core::schemes::given_rate::ErrorConstant;

/// Units of rounding, times the number of updates, below which an error is rounding: an update adds some sixty of them.
const FLOOR: f64 = 64.0;
/// Sizes of the entries of the attitude, the velocity and the position on the motion without symmetry, m/s and m: their largest values are 4.90 and 8.96.
const SIZES: [f64; 3] = [1.0, 5.0, 9.0];

/// Relative difference of the two extrapolations of a constant, from the longer and the shorter updates, below which it is one.
const CONVERGED: f64 = 0.02;

/// Slope below which errors under a [`Condition`] do not fall, halfway between none and the first order: they are sums of an error of some order and a small one of
/// the first, and between the two a slope may be anything above.
pub const LEAST_UNDER_CONDITION: f64 = 0.5;

/// Course of errors as the update becomes shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// They fall, down to the shortest update or to rounding.
    Falls,
    /// They fall and then stop above rounding.
    Stops,
    /// They do not fall.
    Stays,
}

impl Course {
    /// Returns the course of errors with these slopes, from long to short updates; slopes below `least` are those of no order.
    fn of(slopes: &[f64], least: f64) -> Self {
        let falls = |slope: &f64| *slope >= least;
        match slopes {
            [.., last] if falls(last) => Self::Falls,
            [] => Self::Falls,
            _ if slopes.iter().any(falls) => Self::Stops,
            _ => Self::Stays,
        }
    }
}

/// Errors of one part of the state on the motion without symmetry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartErrors {
    /// Part of the state.
    pub part: NavigationPart,
    /// Length of the update, s, and largest error of a run, in rad, m/s or m.
    pub errors: Vec<(f64, f64)>,
    /// Order: the slope between the two shortest updates whose errors are above rounding.
    pub order: Option<f64>,
    /// Course of the errors.
    pub course: Course,
}

/// Measures the errors of each part on the problems of whose kind `length` knows the length of an update, s; `rounding` has the units of rounding of attitude,
/// velocity and position, and slopes below `least` are those of no order.
pub fn part_errors(
    runs: &[(&NavigationProbe, &[NavigationState])],
    rounding: [f64; 3],
    least: f64,
    length: impl Fn(ProbeKind) -> Option<f64>,
) -> Vec<PartErrors> {
    let motion = NavigationMotion::product();
    let mut points = [const { Vec::new() }; 3];
    for (probe, rows) in runs {
        let Some(time) = length(probe.kind) else {
            continue;
        };
        let (mut worst, mut t) = ([0.0_f64; 3], 0.0);
        for (update, row) in probe.updates.iter().zip(*rows) {
            t += update.time();
            let exact = motion.state(t);
            let off = [
                so3::angle_between(&exact.attitude, &row.attitude),
                (row.velocity - exact.velocity).norm(),
                (row.position - exact.position).norm(),
            ];
            (0..3).for_each(|i| worst[i] = worst[i].max(off[i]));
        }
        for i in 0..3 {
            let floor = FLOOR * rounding[i] * SIZES[i] * rows.len() as f64;
            points[i].push((time, worst[i], floor));
        }
    }
    let of = |(part, points): (NavigationPart, Vec<(f64, f64, f64)>)| {
        let slopes = slopes(&points);
        PartErrors {
            part,
            order: slopes.last().copied(),
            course: Course::of(&slopes, least),
            errors: points.iter().map(|(h, e, _)| (*h, *e)).collect(),
        }
    };
    NavigationPart::ALL
        .into_iter()
        .zip(points)
        .map(of)
        .collect()
}

/// Problem on the motion without symmetry that not all updates are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The ends of samples are early and late.
    Jittered,
    /// Every fourth sample takes twice the time.
    Dropped,
    /// The frame turns with the Earth.
    Earth,
}

impl Condition {
    /// All conditions.
    pub const ALL: [Self; 3] = [Self::Jittered, Self::Dropped, Self::Earth];

    /// Returns the length of an update of problems with this condition.
    pub fn length(self, kind: ProbeKind) -> Option<f64> {
        match (self, kind) {
            (Self::Jittered, ProbeKind::Jittered(time))
            | (Self::Dropped, ProbeKind::Dropped(time))
            | (Self::Earth, ProbeKind::Earth(time)) => Some(time),
            _ => None,
        }
    }

    /// Returns its words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Jittered => "with jittered samples",
            Self::Dropped => "with lost samples",
            Self::Earth => "in the frame of the Earth",
        }
    }
}

/// Errors under a condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConditionErrors {
    /// Condition.
    pub condition: Condition,
    /// Errors and orders of attitude, velocity and position.
    pub errors: Vec<PartErrors>,
}

/// Drift −θ c xᵖ/C of an update with the phase x: the angle θ and the acceleration c swing once in a period of 2π s, and under coning θ c is φ² Ω.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DriftConstant {
    /// Power p of the phase.
    pub power: i32,
    /// Constant C.
    pub constant: f64,
}

/// Measures the drift of the attitude under coning; none if it is rounding.
pub fn coning(runs: &[(&NavigationProbe, &[NavigationState])]) -> Option<DriftConstant> {
    let found = ErrorConstant::of(|phase| {
        let mut of = runs
            .iter()
            .filter(|(p, _)| p.kind == ProbeKind::Coning(phase));
        of.find_map(|(_, rows)| rows.last()).map(|row| row.attitude)
    })?;
    found.constant.is_finite().then_some(DriftConstant {
        power: found.power,
        constant: found.constant,
    })
}

/// Measures the drift of the velocity under sculling, or that of the position under scrolling.
pub fn swinging(
    runs: &[(&NavigationProbe, &[NavigationState])],
    part: NavigationPart,
    rounding: f64,
) -> Option<DriftConstant> {
    let mut points = Vec::new();
    for count in PERIOD_UPDATES {
        let (kind, motion) = match part {
            NavigationPart::Position => {
                (ProbeKind::Scrolling(count), NavigationMotion::scrolling())
            }
            _ => (ProbeKind::Sculling(count), NavigationMotion::sculling()),
        };
        let (_, rows) = runs.iter().find(|(probe, _)| probe.kind == kind)?;
        let (period, phase) = (std::f64::consts::TAU, std::f64::consts::TAU / count as f64);
        let off = |state: &NavigationState, t: f64| -> Vec3 {
            match part {
                NavigationPart::Position => state.position - motion.state(t).position,
                _ => state.velocity - motion.state(t).velocity,
            }
        };
        // The first period fills the memory of the update.
        let (once, twice) = (rows.get(count - 1)?, rows.get(2 * count - 1)?);
        let drift = off(twice, 2.0 * period) - off(once, period);
        let floor = FLOOR * rounding * count as f64 / period;
        let rate = -drift.z / period / SMALL_TURN;
        if !(rate.abs() > floor) {
            return None;
        }
        points.push((phase, rate));
    }
    let slope = |k: usize| {
        let ((x, a), (y, b)) = (points[k], points[k + 1]);
        scalar::ln(a.abs() / b.abs()) / scalar::ln(x / y)
    };
    let power = slope(1).round();
    let scaled = [0, 1, 2].map(|k| points[k].1 / scalar::powf(points[k].0, power));
    let square = |k: usize| points[k].0 * points[k].0;
    // Neville's rule for the value at 0 of a polynomial in the square of the phase.
    let mix = |i: usize, j: usize, a: f64, b: f64| {
        (a * square(j) - b * square(i)) / (square(j) - square(i))
    };
    let (a, b) = (
        mix(0, 1, scaled[0], scaled[1]),
        mix(1, 2, scaled[1], scaled[2]),
    );
    // Other series than those in the square have no constant here; and an odd power is the rest of an error that depends on the phase at the start.
    if power as i32 % 2 != 0 || !((a - b).abs() < CONVERGED * b.abs()) {
        return None;
    }
    Some(DriftConstant {
        power: power as i32,
        constant: 1.0 / mix(0, 2, a, b),
    })
}
