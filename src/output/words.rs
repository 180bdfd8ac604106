//! Verdicts in words, shared by the console and JUnit.

use crate::analysis::{Status, Verdict};

/// Check and run, such as `H(0) as printed [rig_pos h=0.009]`.
pub fn title(v: &Verdict) -> String {
    match (v.scheme.as_str(), &v.step) {
        ("", _) => v.check.clone(),
        (s, None) => format!("{} [{s}]", v.check),
        (s, Some(h)) => format!("{} [{s} h={h}]", v.check),
    }
}

/// The run alone, such as `rig_pos h=0.009`.
pub fn run(v: &Verdict) -> String {
    match (v.scheme.as_str(), &v.step) {
        ("", _) => "none".into(),
        (s, None) => s.into(),
        (s, Some(h)) => format!("{s} h={h}"),
    }
}

/// A number for people: six digits, scientific where that is shorter.
pub fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs();
    if (1e-3..1e5).contains(&size) {
        // Enough decimals for the digits that tell values apart, trailing zeros cut.
        let text = format!("{x:.9}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return text.into();
    }
    format!("{x:.4e}")
}

/// A number in three digits, for tables that compare sizes.
pub fn brief(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if (0.01..100.0).contains(&size) {
        let places = if size < 0.1 {
            4
        } else if size < 1.0 {
            3
        } else if size < 10.0 {
            2
        } else {
            1
        };
        format!("{x:.places$}")
    } else if (100.0..1e6).contains(&size) {
        format!("{x:.0}")
    } else {
        format!("{x:.2e}")
    }
}

/// The measured number with its unit, and with the digits that its tolerance asks for.
pub fn measured(v: &Verdict) -> String {
    let Some(x) = v.measured else {
        return "—".into();
    };
    let text = match v.allow.tolerance() {
        Some(tolerance) => resolved(x, tolerance),
        None => number(x),
    };
    if v.unit.is_empty() {
        text
    } else {
        format!("{text} {}", v.unit)
    }
}

/// A number to a tenth of its tolerance.
fn resolved(x: f64, tolerance: f64) -> String {
    let size = x.abs();
    if !(tolerance > 0.0) || !(size > tolerance) {
        return number(x);
    }
    let places = |ratio: f64| (libm::ceil(libm::log10(ratio)) as usize).clamp(1, 16);
    if (1e-3..1e5).contains(&size) {
        format!("{x:.*}", places(10.0 / tolerance), x = x)
    } else {
        format!("{x:.*e}", places(10.0 * size / tolerance), x = x)
    }
}

/// Digits of headroom.
pub fn headroom(v: &Verdict) -> String {
    match v.headroom {
        None => String::new(),
        Some(d) if d >= 17.0 => "exact".into(),
        Some(d) => format!("{d:.1}"),
    }
}

/// A number of things, such as `1 run` or `9 runs`.
pub fn count(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// One word.
pub fn status(s: Status) -> &'static str {
    match s {
        Status::Pass => "pass",
        Status::Fail => "FAIL",
        Status::ExpectedFail => "known defect",
        Status::UnexpectedPass => "UNEXPECTED PASS",
    }
}

/// A failure in one sentence.
pub fn sentence(v: &Verdict) -> String {
    let mut out = format!("measured {}, allowed {}", measured(v), v.allowed);
    if let Some(t) = v.time {
        out.push_str(&format!(", at t = {}", number(t)));
    }
    if let Some(c) = &v.component {
        out.push_str(&format!(", {c}"));
    }
    if let Some(d) = &v.detail {
        out.push_str(&format!(": {d}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_for_people() {
        for (x, text) in [
            (0.0, "0"),
            (26.0, "26"),
            (1269.975, "1269.975"),
            (-5.8552e-7, "-5.8552e-7"),
            (1e6, "1.0000e6"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
