//! What is wrong with a solver, for people.

use super::wrap::wrapped;
use super::{Style, brief, number};
use crate::diagnosis::{
    Behaviour, Class, Conclusion, Conserved, ConservedQuantity, DefectEvidence, Diagnosis,
    EventTimes, IdentifiedScheme, Phase,
};
use crate::identification::{Certainty, Claim};
use std::fmt::Write;

/// What several problems say together.
pub(super) fn evidence(all: &[DefectEvidence], style: &Style) -> String {
    let mut out = String::new();
    for t in all {
        let not = match &t.not_on[..] {
            [] => String::new(),
            cases => format!("; not on {}", cases.join(", ")),
        };
        let _ = writeln!(
            out,
            "  {} {} [{}]: named on {}{not}",
            style.paint("✗", "1;31"),
            style.paint(&t.name, "1"),
            t.id,
            t.named_on.join(", "),
        );
        let _ = writeln!(out, "      seen: {}", t.evidence);
        let _ = writeln!(out, "      look: {}", t.advice);
    }
    wrapped(&out, style.width)
}

/// The diagnosis.
pub(super) fn text(d: &Diagnosis, style: &Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.paint("diagnosis", "1"));
    for cause in &d.causes {
        said(&mut out, cause, style);
    }
    if d.causes.is_empty() {
        let line = match d.conclusion {
            Conclusion::Right => {
                "the histories converge to the case's motion; no known defect shows"
            }
            Conclusion::NoneFits => {
                "the histories are those of another motion, and no law that was tried explains it"
            }
            Conclusion::Unsettled | Conclusion::Named => {
                "the histories do not tell right from wrong"
            }
        };
        let mark = match d.conclusion {
            Conclusion::NoneFits => style.paint("✗ ", "1;31"),
            _ => String::new(),
        };
        let _ = writeln!(out, "  {mark}{line}");
    }
    for remark in &d.remarks {
        let _ = writeln!(out, "  {remark}");
    }
    for sentence in &d.rule {
        let _ = writeln!(out, "  {sentence}");
    }
    if let Some(s) = &d.scheme {
        identified(&mut out, s);
    }
    // Of another motion these say nothing of the scheme.
    if d.follows {
        behaviour(&mut out, &d.behaviour);
    }
    wrapped(&out, style.width)
}

fn said(out: &mut String, cause: &Claim, style: &Style) {
    let sure = match cause.certainty {
        Certainty::Is => "",
        Certainty::LooksLike => "looks like: ",
        Certainty::Unexplained => "unexplained: ",
    };
    let _ = writeln!(
        out,
        "  {} {sure}{} [{}]",
        style.paint("✗", "1;31"),
        style.paint(&cause.name, "1"),
        cause.id
    );
    let _ = writeln!(out, "      seen: {}", cause.evidence);
    let _ = writeln!(out, "      look: {}", cause.advice);
}

fn identified(out: &mut String, s: &IdentifiedScheme) {
    let alike = match &s.alike[..] {
        [] => String::new(),
        all => format!("; {} the same steps here", words(all)),
    };
    let _ = writeln!(
        out,
        "  steps of `{}`: the same to {} rad in {} rows at the same step{alike}",
        s.name,
        brief(s.within),
        s.rows
    );
}

fn words(names: &[String]) -> String {
    match names {
        [one] => format!("`{one}` makes"),
        all => {
            let shown: Vec<String> = all.iter().map(|n| format!("`{n}`")).collect();
            format!("{} make", shown.join(", "))
        }
    }
}

/// What becomes of a conserved quantity.
fn becomes(c: &Conserved) -> String {
    let size = brief(c.deviation);
    // What does not shrink with the step is not the scheme's.
    let model = c.power.is_some_and(|p| p < 0.3) && c.deviation > 1e-3;
    let power = match c.power {
        Some(_) if model => ", which does not shrink with the step".into(),
        Some(p) => format!(", like h^{p:.1}"),
        None => String::new(),
    };
    let of_model =
        |verb: &str| format!("{verb}, by {size} of its size{power}: the model's, not the scheme's");
    match (c.class, c.quantity) {
        (Class::Kept, _) => {
            format!("kept to {size} of its size: exact, which a wrong motion may be too")
        }
        (Class::Bounded, _) => {
            format!("strays by up to {size} of its size and comes back{power}: no trend")
        }
        (Class::Grows, _) if model => of_model("grows"),
        (Class::Falls, _) if model => of_model("falls"),
        (Class::Grows | Class::Falls, ConservedQuantity::Momentum) => {
            format!("drifts, by {size} of its size{power}")
        }
        (Class::Grows, ConservedQuantity::Energy) => {
            format!("grows, by {size} of its size{power}: in longer runs without end")
        }
        (Class::Falls, ConservedQuantity::Energy) => {
            format!("falls, by {size} of its size{power}: the scheme damps")
        }
    }
}

fn phase(p: &Phase) -> String {
    let side = if p.along > 0.0 { "ahead" } else { "behind" };
    let kind = match p.across.abs() / p.along.abs() {
        x if x < 0.3 => "a clock that runs at another pace",
        x if x < 3.0 => "pace and axis",
        _ => "the axis, not the pace",
    };
    format!(
        "at t = {} the finest history is {} s {side} ({} rad about its rate) and {} rad beside: {kind}",
        number(p.time),
        brief(p.ahead.abs()),
        brief(p.along.abs()),
        brief(p.across)
    )
}

fn event(e: &EventTimes) -> String {
    let when = match e.worst {
        Some(w) => format!("times within {} s", brief(w)),
        None => "none to compare".into(),
    };
    if e.found == e.expected {
        format!("{} of {}, {when}", e.found, e.expected)
    } else {
        format!("{} where the motion has {}, {when}", e.found, e.expected)
    }
}

fn behaviour(out: &mut String, b: &Behaviour) {
    for c in &b.conserved {
        let _ = writeln!(out, "  {}: {}", c.quantity, becomes(c));
    }
    if let Some(p) = &b.phase {
        let _ = writeln!(out, "  phase: {}", phase(p));
    }
    for e in &b.events {
        let _ = writeln!(out, "  event `{}`: {}", e.name, event(e));
    }
}
