//! Forms of rows, in words.

use super::digits::{known, round};
use crate::thresholds::ROUNDING;
use topsim_core::math::Mat3;
use topsim_model::convention::{AttitudeConvention, Convention};
use topsim_protocol::numbers::number;

pub(super) fn report_name(c: &Convention, plain: String) -> String {
    match c.attitude {
        AttitudeConvention::Components { order, signs } => {
            let shown: Vec<String> = (0..4)
                .map(|i| {
                    let sign = if signs[i] < 0.0 { "−" } else { "" };
                    format!("{sign}{}", ['w', 'x', 'y', 'z'][order[i]])
                })
                .collect();
            format!("{plain}: the columns w, x, y, z hold {}", shown.join(", "))
        }
        form @ (AttitudeConvention::Euler { .. }
        | AttitudeConvention::Axes { .. }
        | AttitudeConvention::Branch(_)) => {
            format!("{plain}: {form}")
        }
        _ => plain,
    }
}

pub(super) fn report(c: &Convention, subject: &str) -> String {
    let mut out = Vec::new();
    if c.read_too {
        out.push(format!(
            "{subject} is as given, and attitudes turn with their rates only when read so: the start is read so too"
        ));
    } else if c.attitude != AttitudeConvention::Named {
        out.push(format!(
            "{subject} agrees with the given attitudes when read so"
        ));
    }
    if c.rate.shift != 0.0 {
        let when = if c.rate.shift > 0.0 {
            "after"
        } else {
            "before"
        };
        out.push(format!(
            "rates are those of {} steps {when} their row's time",
            number(round(c.rate.shift.abs()))
        ));
    } else if c.rate.matrix != Mat3::identity() {
        let column = |i: usize| {
            let sum = (0..3).map(|k| (c.rate.matrix[(i, k)], ['x', 'y', 'z'][k]));
            let there = sum.filter(|(x, _)| x.abs() > ROUNDING);
            let words: Vec<String> = there.map(|(x, k)| format!("{} W{k}", known(x))).collect();
            match words.is_empty() {
                true => "0".into(),
                false => words.join(" + "),
            }
        };
        out.push(format!(
            "{subject} has {}; {}; {} of the given rate W",
            column(0),
            column(1),
            column(2)
        ));
    } else if !c.rate.named {
        let frame = match c.rate.turned {
            1 => "in space",
            -1 => "turned by Λᵀ once too often",
            _ => "in the body",
        };
        let times = match c.rate.factor {
            1.0 => String::new(),
            factor => format!("{} times ", known(factor)),
        };
        out.push(format!("{subject} has {times}the given rate {frame}"));
    }
    if c.stamp != 0.0 {
        out.push(format!(
            "row 0 is stamped {} steps after the start",
            number(round(c.stamp))
        ));
    }
    out.join("; ")
}
