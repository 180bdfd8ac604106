//! Turns that are told by exact relations: about a fixed axis, and about two.

use super::questions::{AXIS, Asked, CROSSED, CURVED, GROWING, INTERVAL, SPIN, STEP, crossed};
use crate::defect::{Defect, ModelDefect, SchemeDefect};
use crate::identification::euler::Sequence;
use crate::identification::{Certainty, Claim};
use crate::protocol::SAMPLES;
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::schemes::Magnus6;
use topsim_core::schemes::probe;

/// Angles nearer than this are equal, rad: rows may be printed with nine digits.
const SAME: f64 = 1e-8;
/// Updates may be of so many samples.
pub(super) const UPDATES: [u32; 6] = [1, 2, 3, 4, 6, 12];

fn axis() -> Vec3 {
    Vec3::from(AXIS)
}

/// What a constant rate shows of a solver that turns about the right axis.
pub(super) struct Constant {
    pub claim: Option<Claim>,
    pub rule: Vec<String>,
}

/// A constant rate turns about its own axis, by its length times the time. The first row has what comes before the start.
pub(super) fn constant(rows: &[Mat3]) -> Result<Constant, Claim> {
    let turn = so3::log(&rows[1].tr_mul(&rows[2]));
    let angle = turn.dot(&axis());
    let beside = |v: &Vec3| (v - axis() * v.dot(&axis())).norm();
    if beside(&turn) > SAME || angle.abs() < SAME {
        return Err(off_axis(rows, beside(&turn)));
    }
    let expected = SPIN * STEP;
    let factor = angle / expected;
    let named = |defect: ModelDefect| {
        let evidence = format!(
            "a constant rate turns the attitude by {angle:.6} rad where {expected} rad are asked for: {factor:.6} of it"
        );
        Err(Claim::is(defect, evidence))
    };
    for (number, defect) in [
        (-1.0, ModelDefect::TurnReversed),
        (2.0, ModelDefect::TurnDoubled),
        (0.5, ModelDefect::TurnHalved),
        (core::f64::consts::PI / 180.0, ModelDefect::TurnInDegrees),
    ] {
        if (factor / number - 1.0).abs() < 1e-3 {
            return named(defect);
        }
    }
    // A first-order update of one step a row is 1 % off.
    if (factor - 1.0).abs() > 0.05 {
        return named(ModelDefect::TurnFactor);
    }
    Ok(inexact(angle, expected))
}

/// An update that is not exact for a constant rate: the angle that it turns by for x, whether that is of first order, and a name.
type Map = (fn(f64) -> f64, bool, &'static str);

const MAPS: [Map; 5] = [
    (
        |x| 2.0 * scalar::atan2(0.5 * x, 1.0),
        true,
        "the first-order update of a quaternion (by 2 atan(x/2) for x, which is also Cayley's)",
    ),
    (
        |x| scalar::atan2(x, 1.0),
        true,
        "the first-order update of a matrix (by atan x for x)",
    ),
    (
        |x| 2.0 * scalar::atan2(0.5 * x, 1.0 - x * x / 8.0),
        false,
        "the series of a quaternion to the second power",
    ),
    (
        |x| 2.0 * scalar::atan2(0.5 * x - x * x * x / 48.0, 1.0 - x * x / 8.0),
        false,
        "the series of a quaternion to the third power",
    ),
    (
        |x| {
            2.0 * scalar::atan2(
                0.5 * x - x * x * x / 48.0,
                1.0 - x * x / 8.0 + x * x * x * x / 384.0,
            )
        },
        false,
        "the series of a quaternion to the fourth power, as classical Runge–Kutta makes it",
    ),
];

fn inexact(angle: f64, expected: f64) -> Constant {
    let off = angle - expected;
    let said = |rule: String| Constant {
        claim: None,
        rule: vec![rule],
    };
    if off.abs() < SAME {
        return said("A constant rate turns it exactly.".into());
    }
    // Several agree in the third power of the angle, and some in all: the nearest are meant.
    let pairs = MAPS
        .iter()
        .flat_map(|row| UPDATES.map(|samples| (row, samples)));
    let apart = |(row, samples): &(&Map, u32)| {
        let updates = f64::from(SAMPLES / samples);
        (updates * row.0(expected / updates) - angle).abs()
    };
    let least = pairs
        .clone()
        .map(|p| apart(&p))
        .fold(f64::INFINITY, f64::min);
    if least < SAME.max(1e-4 * off.abs()) {
        let meant: Vec<(&Map, u32)> = pairs.filter(|p| apart(p) <= least + 1e-14).collect();
        let words = meant
            .iter()
            .map(|((_, _, name), samples)| format!("by {name}, {}", of_samples(*samples)));
        let words = words.collect::<Vec<_>>().join(", or ");
        if !meant[0].0.1 {
            return said(format!("Of a constant rate it turns {words}."));
        }
        let evidence =
            format!("of a constant rate it turns {words}: {off:.2e} rad off after {expected} rad");
        let claim = Claim::is(SchemeDefect::AttitudeUpdate, evidence)
            .named("a first-order update of the attitude");
        return Constant {
            claim: Some(claim),
            rule: Vec::new(),
        };
    }
    said(format!(
        "A constant rate turns it by {off:.2e} rad too far after {expected} rad."
    ))
}

pub(super) fn of_samples(samples: u32) -> String {
    match samples {
        1 => "in updates of one sample".into(),
        n => format!("in updates of {n} samples"),
    }
}

/// Turns about another axis than that of the rate.
fn off_axis(rows: &[Mat3], beside: f64) -> Claim {
    let in_space = so3::log(&(rows[2] * rows[1].transpose()));
    if (in_space - axis() * SPIN * STEP).norm() < 1e-2 * SPIN * STEP {
        let evidence = "a constant body rate turns the attitude about that axis of space: R' = exp(θ) R where R' = R exp(θ) is meant";
        return Claim::is(ModelDefect::BodyRateInSpace, evidence.into());
    }
    if let Some(words) = euler(rows) {
        let evidence =
            format!("with a constant rate its {words} grow evenly, by the components of the rate");
        return Claim::is(ModelDefect::EulerRates, evidence);
    }
    let evidence = format!(
        "a constant rate turns the attitude about another axis, {beside:.2e} rad beside it"
    );
    Claim {
        certainty: Certainty::Unexplained,
        ..Claim::is(Defect::Model(ModelDefect::Unexplained), evidence)
    }
}

/// The Euler angles whose derivatives the components of the rate are taken for.
fn euler(rows: &[Mat3]) -> Option<String> {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [2, 1, 0],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
    ];
    let rate = axis() * SPIN;
    for sequence in Sequence::all() {
        let angles = sequence.angles(&rows[0]);
        for first in [angles, sequence.again(angles)] {
            for order in ORDERS {
                let at = |t: f64| sequence.matrix([0, 1, 2].map(|i| first[i] + rate[order[i]] * t));
                let fits =
                    |(k, row): (usize, &Mat3)| so3::angle_between(&at(k as f64 * STEP), row) < 1e-6;
                if rows.iter().enumerate().all(fits) {
                    let axes = order.map(|i| i + 1);
                    return Some(format!(
                        "Euler angles {} (of W{}, W{}, W{})",
                        sequence.name(),
                        axes[0],
                        axes[1],
                        axes[2]
                    ));
                }
            }
        }
    }
    None
}

/// Angles about the axis from the start to each row.
fn angles(rows: &[Mat3]) -> Vec<f64> {
    let mut sum = 0.0;
    let each = rows.windows(2).map(|pair| {
        sum += so3::log(&pair[0].tr_mul(&pair[1])).dot(&axis());
        sum
    });
    std::iter::once(0.0).chain(each).collect()
}

/// How late the rate is taken, s, between two rows: turns about one axis add up, so that only the time at which the rate is taken
/// can show. `None` where that is not the same in all rows.
pub(super) fn late(asked: &Asked) -> Option<Claim> {
    let [_, growth] = GROWING;
    let angles = angles(&asked.growing);
    let exact = |k: usize| {
        let t = k as f64 * STEP;
        t * (GROWING[0] + 0.5 * growth * t)
    };
    let lag = |k: usize| {
        let turned = angles[k + 1] - angles[k];
        (exact(k + 1) - exact(k) - turned) / (growth * STEP)
    };
    // The first row has what comes before the start.
    let lags: Vec<f64> = (1..angles.len() - 1).map(|k| lag(k) / INTERVAL).collect();
    let mean = lags.iter().sum::<f64>() / lags.len() as f64;
    // An update that is not exact for a constant rate is off by more where the rate is higher.
    if !(mean.abs() > 0.2) || lags.iter().any(|l| !((l - mean).abs() < 0.1)) {
        return None;
    }
    let way = if mean > 0.0 { "late" } else { "early" };
    let whole = (2.0 * mean).round() / 2.0;
    let (certainty, size) = if (mean - whole).abs() < 0.1 {
        (
            Certainty::Is,
            format!("{} of an interval between samples", whole.abs()),
        )
    } else {
        (
            Certainty::LooksLike,
            format!("about {:.2} of an interval between samples", mean.abs()),
        )
    };
    let evidence =
        format!("with a rate that grows along one axis it turns as with the rate {size} too {way}");
    let name = match whole.abs() {
        0.5 => format!("the rate is half a sample {way}"),
        1.0 => format!("the rate is one sample {way}"),
        _ => format!("the rate of another time: too {way}"),
    };
    let claim = Claim::is(SchemeDefect::RateTime, evidence).named(name);
    Some(Claim { certainty, ..claim })
}

/// Error of the quadrature of a rate that curves, as that of the midpoint rule with one value a sample.
fn quadrature(asked: &Asked) -> f64 {
    let angles = angles(&asked.curved);
    let end = STEP * (angles.len() - 1) as f64;
    let exact = CURVED[0] * end + CURVED[2] * end * end * end / 3.0;
    let midpoint = CURVED[2] * end * INTERVAL * INTERVAL / 12.0;
    (angles[angles.len() - 1] - exact) / midpoint
}

/// The coning term of updates of n samples: without it they are short of (ns)³/12 a × b, that is n² s³/12 in each sample.
pub(super) fn coning(asked: &Asked) -> (Option<Claim>, Option<String>) {
    let question = crossed();
    let rows = &asked.crossed;
    let mut exact = question.given.initial;
    let fine = probe::advance(
        &Magnus6 {},
        &question.given,
        (0.0, STEP / 64.0, 64),
        &mut exact,
        &|| true,
    );
    if fine.is_err() {
        return (None, None);
    }
    let missing = so3::log(&rows[1].tr_mul(&exact)).z;
    let unit = CROSSED[0] * CROSSED[1] * INTERVAL * INTERVAL * INTERVAL / 12.0 * f64::from(SAMPLES);
    let short = missing / unit;
    if short.abs() < 0.05 {
        return (None, Some("The coning of an update is made up for.".into()));
    }
    let values = quadrature(asked).abs() > 1e-3;
    let of = UPDATES
        .into_iter()
        .find(|n| (short / f64::from(n * n) - 1.0).abs() < 0.02);
    match of {
        Some(n) if n == 1 || values => {
            let taken = if values { "values" } else { "increments" };
            (
                None,
                Some(format!(
                    "It takes {taken} of the rate without a coning term, {}: order 2.",
                    of_samples(n)
                )),
            )
        }
        Some(n) => {
            let evidence =
                format!("its updates of {n} samples turn by the sum of their increments alone");
            (
                Some(
                    Claim::is(SchemeDefect::ConingTerm, evidence)
                        .named("the coning term is missing"),
                ),
                None,
            )
        }
        None => {
            let factors = UPDATES.iter().filter(|n| **n > 1).map(|n| {
                let factor = 1.0 - short / f64::from(n * n);
                format!("{factor:.2} of the right one {}", of_samples(*n))
            });
            let evidence = format!(
                "its coning term is {}",
                factors.collect::<Vec<_>>().join(", or ")
            );
            let claim =
                Claim::is(SchemeDefect::ConingTerm, evidence).named("the coning term is wrong");
            (Some(claim), None)
        }
    }
}
