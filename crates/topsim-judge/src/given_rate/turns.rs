//! What a constant rate shows: its turn is known exactly, and so is that of every wrong way to make one.

use super::questions::{ASKED, Answers};
use crate::identification::{Certainty, Claim};
use crate::thresholds::*;
use core::f64::consts::{PI, TAU};
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_model::defect::{Defect, ModelDefect, SchemeDefect};
use topsim_model::euler::{ORDERS, Sequence};
use topsim_model::pair::AngleMap;
use topsim_protocol::problem::SAMPLES;

/// Updates may be of so many samples.
pub(super) const UPDATES: [u32; 6] = [1, 2, 3, 4, 6, 12];

pub(super) fn axis() -> Vec3 {
    Vec3::from(ASKED.axis)
}

/// The power of the step like which an error falls, where it does: it is one of truncation then. Of an equation that is
/// another one, most is left at any step.
pub(super) fn truncation([coarse, fine]: [f64; 2]) -> Option<f64> {
    let power = scalar::ln((coarse / fine).abs()) / scalar::ln(ASKED.finer as f64);
    (power > CONVERGES).then_some(power)
}

/// What a constant rate shows of a solver that turns about the right axis.
pub(super) struct Constant {
    pub claim: Option<Claim>,
    pub rule: Vec<String>,
    /// Updates that turn as it does, with the number of samples in each; none where they are exact, or of another kind.
    pub maps: Vec<(&'static Map, u32)>,
}

/// A constant rate turns about its own axis, by its length times the time. The first row has what comes before the start.
pub(super) fn constant(asked: &Answers) -> Result<Constant, Claim> {
    let turns = asked
        .spin
        .each_ref()
        .map(|rows| so3::log(&rows[1].tr_mul(&rows[2])));
    let beside = turns.map(|t| (t - axis() * t.dot(&axis())).norm());
    let angles = turns.map(|t| t.dot(&axis()));
    let other_axis = beside[0] > SINGLE_DIGITS && truncation(beside).is_none();
    if other_axis || angles[0].abs() < SINGLE_DIGITS {
        return Err(off_axis(&asked.spin[0], beside[0]));
    }
    let expected = ASKED.spin * ASKED.step;
    let [angle, fine] = angles;
    let factor = fine / expected;
    let named = |defect: ModelDefect, number: f64| {
        let part = if number > PI {
            format!(
                "but for whole turns that is {number:.4} times as much, radians taken for degrees"
            )
        } else {
            format!("{factor:.6} of it")
        };
        let evidence = format!(
            "a constant rate turns the attitude by {fine:.6} rad where {expected} rad are asked for: {part}"
        );
        Err(Claim::of_given_rate(defect, evidence))
    };
    for (number, defect) in [
        (-1.0, ModelDefect::TurnReversed),
        (2.0, ModelDefect::TurnDoubled),
        (0.5, ModelDefect::TurnHalved),
        (PI / 180.0, ModelDefect::TurnInDegrees),
        (180.0 / PI, ModelDefect::TurnFactor),
    ] {
        // A turn is known but for whole ones.
        let off = (fine - number * expected) / (2.0 * PI);
        if (off - off.round()).abs() < NEGLIGIBLE * number.abs().min(TWICE) * expected / TAU {
            return named(defect, number);
        }
    }
    let off = angles.map(|a| a - expected);
    if off[0].abs() > SINGLE_DIGITS && truncation(off).is_none() {
        return named(ModelDefect::TurnFactor, factor);
    }
    let all = [beside, off].map(|errors| (errors, truncation(errors)));
    let [beside, off] = all.map(|(errors, power)| (errors[0].abs(), power.unwrap_or(f64::NAN)));
    Ok(if beside.0 > SINGLE_DIGITS {
        // A chart, such as Euler angles, that is stepped.
        truncated(if beside.0 > off.0 { beside } else { off })
    } else {
        inexact(angle - expected, expected, off)
    })
}

/// An update that is not exact for a constant rate: the map by which it turns, and a name. All of them err by the third power of the angle,
/// or less, and are of order two at least.
pub(super) type Map = (AngleMap, &'static str);

const MAPS: [Map; 5] = [
    (
        AngleMap::Cayley,
        "q + ½ q ⊗ x, normalised (by 2 atan(x/2) for x, which is also Cayley's map)",
    ),
    (
        AngleMap::Polar,
        "R + R x, made a rotation (by atan x for x)",
    ),
    (
        AngleMap::QuaternionSecond,
        "the series of a quaternion to the second power",
    ),
    (
        AngleMap::QuaternionThird,
        "the series of a quaternion to the third power",
    ),
    (
        AngleMap::QuaternionFourth,
        "the series of a quaternion to the fourth power, as classical Runge–Kutta makes it",
    ),
];

/// What is to be said of an error of truncation, and the power like which it falls.
fn truncated((error, power): (f64, f64)) -> Constant {
    let step = ASKED.step;
    let words = format!("{error:.2e} rad off after {step} s, like h^{power:.1}");
    let (claim, rule) = if power.round() <= 1.0 {
        let claim = Claim::of_given_rate(
            SchemeDefect::AttitudeUpdate,
            format!("a constant rate turns the attitude {words}"),
        );
        let name = "a first-order update of the attitude";
        (Some(claim.named(name)), Vec::new())
    } else {
        let said = format!("A constant rate turns it with an error of truncation: {words}.");
        (None, vec![said])
    };
    Constant {
        claim,
        rule,
        maps: Vec::new(),
    }
}

fn inexact(off: f64, expected: f64, of_truncation: (f64, f64)) -> Constant {
    let said = |rule: String, maps: Vec<(&'static Map, u32)>| Constant {
        claim: None,
        rule: vec![rule],
        maps,
    };
    if off.abs() < ADDED_ROUNDING {
        return said("A constant rate turns it exactly.".into(), Vec::new());
    }
    // Several agree in the third power of the angle, and some in all: the nearest are meant.
    let pairs = MAPS
        .iter()
        .flat_map(|row| UPDATES.map(|samples| (row, samples)));
    let apart = |(row, samples): &(&Map, u32)| {
        let updates = f64::from(SAMPLES / samples);
        (updates * row.0.angle(expected / updates) - expected - off).abs()
    };
    let least = pairs
        .clone()
        .map(|p| apart(&p))
        .fold(f64::INFINITY, f64::min);
    if least < ADDED_ROUNDING.max(OTHER_FACTOR * off.abs()) {
        let near = |p: &(&Map, u32)| apart(p) <= least + ROUNDED_ALIKE;
        let maps: Vec<(&Map, u32)> = pairs.filter(near).collect();
        let words = maps
            .iter()
            .map(|((_, name), samples)| format!("by {name}, {}", of_samples(*samples)));
        let words = words.collect::<Vec<_>>().join(", or ");
        let said_so = format!(
            "A constant rate turns it {words}: {:.2e} rad off after {expected} rad, of order two.",
            off.abs()
        );
        return said(said_so, maps);
    }
    if off.abs() > SINGLE_DIGITS {
        return truncated(of_truncation);
    }
    let rounded = format!(
        "A constant rate turns it exactly, to {:.0e} rad.",
        off.abs()
    );
    said(rounded, Vec::new())
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
    if (in_space - axis() * ASKED.spin * ASKED.step).norm() < HUNDREDTH * ASKED.spin * ASKED.step {
        let evidence = "a constant body rate turns the attitude about that axis of space: R' = exp(θ) R where R' = R exp(θ) is meant";
        return Claim::of_given_rate(ModelDefect::BodyRateInSpace, evidence.into());
    }
    if let Some(words) = euler(rows) {
        let evidence =
            format!("with a constant rate its {words} grow evenly, by the components of the rate");
        return Claim::of_given_rate(ModelDefect::EulerRates, evidence);
    }
    let evidence = format!(
        "a constant rate turns the attitude about another axis, {beside:.2e} rad beside it: {}",
        beside_axis(rows)
    );
    Claim {
        certainty: Certainty::Unexplained,
        ..Claim::of_given_rate(Defect::Model(ModelDefect::Unexplained), evidence)
    }
}

/// What the turn of a constant rate is, beside that of its components: other axes, or a constant beside them.
fn beside_axis(rows: &[Mat3]) -> String {
    let rate = axis() * ASKED.spin;
    let turned = so3::log(&rows[1].tr_mul(&rows[2])) / ASKED.step;
    for order in ORDERS {
        for signs in 0..8_usize {
            let sign = |i: usize| if signs & (1 << i) == 0 { 1.0 } else { -1.0 };
            let other = Vec3::from_fn(|i, _| sign(i) * rate[order[i]]);
            if (other - turned).norm() < PRINTED * ASKED.spin && other != rate {
                let name =
                    |i: usize| format!("{}W{}", if sign(i) < 0.0 { "−" } else { "" }, order[i] + 1);
                return format!(
                    "(W1, W2, W3) are taken for ({}, {}, {})",
                    name(0),
                    name(1),
                    name(2)
                );
            }
        }
    }
    let [x, y, z] = <[f64; 3]>::from(turned);
    let [a, b, c] = <[f64; 3]>::from(turned - rate);
    format!(
        "the rate acts as ({x:.6}, {y:.6}, {z:.6}) rad/s, which is ({a:.6}, {b:.6}, {c:.6}) rad/s more than it is"
    )
}

/// The Euler angles whose derivatives the components of the rate are taken for.
fn euler(rows: &[Mat3]) -> Option<String> {
    let rate = axis() * ASKED.spin;
    for sequence in Sequence::all() {
        let angles = sequence.angles(&rows[0]);
        for first in [angles, sequence.again(angles)] {
            for order in ORDERS {
                let at = |t: f64| sequence.matrix([0, 1, 2].map(|i| first[i] + rate[order[i]] * t));
                let fits = |(k, row): (usize, &Mat3)| {
                    so3::angle_between(&at(k as f64 * ASKED.step), row) < SINGLE_DIGITS
                };
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
