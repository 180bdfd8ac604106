//! Numbers as they are said: with the digits they have, and with their names.

use crate::thresholds::{FOUR_DIGITS, SCIENTIFIC, TENTH};
use core::f64::consts::PI;
use topsim_core::math::scalar;
use topsim_protocol::numbers::number;

pub(in crate::identification) fn percent(part: f64) -> String {
    if part < SCIENTIFIC {
        format!("{part:.0e}")
    } else {
        format!("{:.1} %", 100.0 * part)
    }
}

/// As many digits as a fitted number has, but six at most.
pub(in crate::identification) fn sure(x: f64, error: f64) -> f64 {
    let six = round(x);
    if !(error > 0.0 && error.is_finite()) || six == 0.0 {
        return six;
    }
    let last = scalar::log10(error).ceil();
    if last as i32 + 5 <= scalar::log10(six.abs()).floor() as i32 {
        return six;
    }
    let text = if last < 0.0 {
        format!("{x:.*}", -last as usize)
    } else {
        format!("{x:.0}")
    };
    text.parse().unwrap_or(x)
}

/// Six digits: what was fitted has no more.
pub(super) fn round(x: f64) -> f64 {
    let text = format!("{x:.5e}");
    text.parse().unwrap_or(x)
}

pub(super) fn vector(v: &[f64]) -> String {
    let largest = v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Four decimals, and as many digits of components that are all smaller.
    let smaller = Some(largest).filter(|x| *x > 0.0);
    let smaller = smaller.map_or(1.0, |x| -scalar::log10(x).floor());
    let decimals = smaller.clamp(1.0, 12.0) as i32 + 3;
    let unit = 10.0_f64.powi(decimals);
    // The sum has no negative zero.
    let written = |x: &f64| format!("{:.*}", decimals as usize, (x * unit).round() / unit + 0.0);
    let all: Vec<String> = v.iter().map(written).collect();
    format!("({})", all.join(", "))
}

/// A number that has a name.
pub(super) fn known(x: f64) -> String {
    known_to(x, 0.0)
}

/// The same of one that is known to `error`.
pub(in crate::identification) fn known_to(x: f64, error: f64) -> String {
    const G: f64 = 9.806_65;
    let names = [
        (PI / 180.0, "π/180: degrees taken for radians"),
        (180.0 / PI, "180/π: radians taken for degrees"),
        (2.0 * PI, "2π: turns taken for radians"),
        (0.5 / PI, "1/(2π): radians taken for turns"),
        (1000.0, "a factor of 1000 in a unit"),
        (0.001, "a factor of 1000 in a unit"),
        (60.0, "minutes and seconds"),
        (1.0 / 60.0, "minutes and seconds"),
        (G, "g: a mass taken for a weight, or the reverse"),
        (1.0 / G, "1/g: a mass taken for a weight, or the reverse"),
        (9.81 / G, "9.81 for 9.80665"),
        (G / 9.81, "9.80665 for 9.81"),
        (4.0 / 3.0, "4/3"),
        (2.0 / 3.0, "2/3"),
        (1.0 / 3.0, "1/3"),
    ];
    // A name for a number near one must be nearer than one is.
    let near = |y: f64| (x / y - 1.0).abs() < FOUR_DIGITS.min(TENTH * (y - 1.0).abs());
    let name = names.iter().find(|(y, _)| near(*y));
    let shown = match x - 1.0 {
        // Six digits of a number near one do not tell it from one.
        more if more != 0.0 && more.abs() < FOUR_DIGITS => {
            let sign = if more > 0.0 { '+' } else { '−' };
            format!("1 {sign} {:.2e}", more.abs())
        }
        _ => number(sure(x, error)),
    };
    name.map_or(shown.clone(), |(_, n)| format!("{shown} ({n})"))
}
