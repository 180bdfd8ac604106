//! What is wrong with a solver, for people.

use super::wrap::wrapped;
use super::{Style, brief, number};
use crate::diagnosis::{
    Alike, Behaviour, Cause, Class, Conclusion, Conserved, ConservedQuantity, DefectEvidence,
    Diagnosis, EventTimes, IdentifiedScheme, Phase,
};
use std::fmt::Write;

/// A fit that leaves more is none.
const SHOWN: f64 = 0.05;

/// What several problems say together.
pub(super) fn evidence(all: &[DefectEvidence], style: &Style) -> String {
    let mut out = String::new();
    for t in all {
        let on = |words: &str, cases: &[String]| match cases {
            [] => String::new(),
            all => format!("; {words} {}", all.join(", ")),
        };
        let _ = writeln!(
            out,
            "  {} {} [{}]: named on {}{}{}{}",
            style.paint("✗", "1;31"),
            style.paint(&t.name, "1"),
            t.id,
            if t.named_on.is_empty() {
                "none".into()
            } else {
                t.named_on.join(", ")
            },
            on("possible on", &t.possible_on),
            on("cannot show on", &t.hidden_on),
            on("not on", &t.against)
        );
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
                "the histories are those of another motion, and none of the known defects explains it"
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
    if let Some(f) = d.fit.as_ref().filter(|f| f.residual <= SHOWN) {
        let _ = writeln!(out, "  its rows fit {f}");
    }
    if let Some(s) = &d.scheme {
        identified(&mut out, s);
    }
    // Of another motion these say nothing of the scheme.
    if d.follows {
        behaviour(&mut out, &d.behaviour);
    }
    if d.conclusion == Conclusion::NoneFits {
        for n in &d.nearest {
            let near = n.nearness.errors.last().copied().unwrap_or(f64::NAN);
            let _ = writeln!(
                out,
                "  nearest that is known: {}, {} rad away at the finest step",
                n.name,
                brief(near)
            );
        }
    }
    hidden(&mut out, &d.hidden);
    wrapped(&out, style.width)
}

fn said(out: &mut String, cause: &Cause, style: &Style) {
    let _ = writeln!(
        out,
        "  {} {} [{}]",
        style.paint("✗", "1;31"),
        style.paint(&cause.name, "1"),
        cause.id
    );
    let _ = writeln!(out, "      seen: {}", cause.evidence);
    if !cause.advice.is_empty() {
        let _ = writeln!(out, "      look: {}", cause.advice);
    }
    for other in &cause.alike {
        let _ = writeln!(out, "      or: {}", alike(other));
    }
}

fn alike(a: &Alike) -> String {
    match &a.told_by {
        Some(problem) => format!("{} [{}]; `{problem}` would tell them apart", a.name, a.id),
        None => format!("{} [{}]", a.name, a.id),
    }
}

fn identified(out: &mut String, s: &IdentifiedScheme) {
    let detail = if s.detail.is_empty() {
        String::new()
    } else {
        format!(" ({})", s.detail)
    };
    let _ = writeln!(
        out,
        "  scheme: {}{detail}; its {} rows at the same step agree to {} rad",
        s.name,
        s.rows,
        brief(s.within)
    );
    if !s.alike.is_empty() {
        let _ = writeln!(out, "    the same steps here: {}", s.alike.join(", "));
    }
    if let Some(w) = &s.weakness {
        let _ = writeln!(out, "    {w}");
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

/// What the case cannot show, by the problem that would.
fn hidden(out: &mut String, all: &[Alike]) {
    if all.is_empty() {
        return;
    }
    let mut problems: Vec<Option<&str>> = Vec::new();
    for a in all {
        if !problems.contains(&a.told_by.as_deref()) {
            problems.push(a.told_by.as_deref());
        }
    }
    for problem in problems {
        let names = all.iter().filter(|a| a.told_by.as_deref() == problem);
        let names: Vec<&str> = names.map(|a| a.name.as_str()).collect();
        let by = problem.map_or("no problem of the judging set would".into(), |p| {
            format!("`{p}` would")
        });
        let _ = writeln!(out, "  this case cannot show ({by}): {}", names.join("; "));
    }
}
