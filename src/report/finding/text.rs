//! A finding and a hunt in words.

use crate::report::{TextStyle, table, wrapped};
use std::fmt::Write;
use topsim_judge::hunt::{Axis, Coverage, Finding, HuntClaim, HuntReport, MarginQuantity, Point};

/// Numbers as TOML, Python and JSON have them.
pub(super) fn numbers(all: &[f64]) -> String {
    let all: Vec<String> = all.iter().map(|x| format!("{x:?}")).collect();
    format!("[{}]", all.join(", "))
}

fn broken(claim: HuntClaim) -> &'static str {
    match claim {
        HuntClaim::Answer => "the solver gives no finite rows",
        HuntClaim::Limit => "the errors do not fall with the step",
        HuntClaim::Exact => "the solver is not exact, as it is on ordinary problems",
        HuntClaim::Order => "the order is too low",
        HuntClaim::Momentum => "the angular momentum is not kept",
        HuntClaim::Energy => "the energy is not kept",
        HuntClaim::TimeScale => "the motion depends on the unit of time",
        HuntClaim::InertiaScale => "the motion depends on the unit of mass",
        HuntClaim::LeverWeight => "with the same torque, the motion depends on the lever",
        HuntClaim::SpaceTurn => "the motion depends on the axes of space",
        HuntClaim::BodyTurn => "the motion depends on the axes of the body",
        HuntClaim::Mirror => "the mirrored problem does not give the mirrored motion",
        _ => "a claim does not hold",
    }
}

/// What a finding says, in a sentence without its end.
pub(super) fn sentence(finding: &Finding) -> String {
    let where_ = finding.class.iter().map(|c| c.words());
    match where_.collect::<Vec<_>>().join(", ") {
        words if words.is_empty() => format!("{} on an ordinary problem", broken(finding.claim)),
        words => format!("{} on a problem with {words}", broken(finding.claim)),
    }
}

/// So many of something.
pub fn counted(n: u64, what: &str) -> String {
    let many = if n == 1 { "" } else { "s" };
    format!("{n} {what}{many}")
}

/// The numbers of a problem on a line.
pub(super) fn problem(p: &Point) -> String {
    let mut out = format!("J = {} kg m²", numbers(&p.moments));
    if p.axes != [0.0; 3] {
        let _ = write!(out, " about axes turned by {} rad", numbers(&p.axes));
    }
    let _ = write!(out, ", W = {} rad/s about them", numbers(&p.rate));
    if p.attitude != [0.0; 3] {
        let _ = write!(out, ", attitude {} rad", numbers(&p.attitude));
    }
    if p.is_heavy() {
        let _ = write!(out, ", weight {:?} N at {:?} m", p.weight, p.lever);
    }
    let steps = counted(p.steps.into(), "step");
    let _ = write!(out, ", {steps} of {:?} s", p.step);
    if p.power.abs() > 1 {
        let _ = write!(out, ", and its image scaled by 2^{}", p.power);
    }
    out
}

/// A number of a margin in words: a name, how it is written, a unit, and whether little or much is allowed.
fn measured(quantity: MarginQuantity) -> (&'static str, bool, &'static str, &'static str) {
    let few = "at most";
    match quantity {
        MarginQuantity::Attitude => ("error of the attitude", false, " rad", few),
        MarginQuantity::Rate => ("error of the rate", false, " of the largest rate", few),
        MarginQuantity::Rounding => ("largest error", true, " times what rounding makes", few),
        MarginQuantity::AttitudeOrder => ("order of the attitude", true, "", "at least"),
        MarginQuantity::RateOrder => ("order of the rate", true, "", "at least"),
        MarginQuantity::HalfStepOrder => {
            ("order of what half the step changes", true, "", "at least")
        }
        MarginQuantity::Change => ("relative change", false, "", few),
        MarginQuantity::Difference => ("relative difference", false, "", few),
        MarginQuantity::HalfStep => ("what half the step changes", false, "", few),
        _ => ("measured", false, "", few),
    }
}

fn written(x: f64, plain: bool) -> String {
    if plain && x < 1e4 {
        format!("{x:.2}")
    } else {
        format!("{x:.2e}")
    }
}

/// What was measured and what is allowed.
fn beside(f: &Finding) -> String {
    let (name, plain, unit, bound) = measured(f.quantity.unwrap_or(MarginQuantity::Failures));
    let found = f.measured.map(|x| written(x, plain) + unit);
    let found = found.unwrap_or("not finite".into());
    format!(
        "{name} {found}, allowed {bound} {}",
        written(f.allowed, plain)
    )
}

fn finding(out: &mut String, f: &Finding, known: bool) {
    let mark = match (f.is_accepted(), known) {
        (true, _) => "accepted",
        (false, true) => "known",
        (false, false) => "new",
    };
    let _ = writeln!(out, "{mark}: {}: {}", f.id, sentence(f));
    let _ = writeln!(out, "    {}", problem(&f.problem));
    let _ = match f.claim {
        HuntClaim::Answer => writeln!(out, "    {}", f.said.as_deref().unwrap_or("no finite row")),
        _ => writeln!(out, "    {}", beside(f)),
    };
    if let Some(why) = f.accepted.as_ref().filter(|_| f.is_accepted()) {
        let _ = writeln!(out, "    accepted: {why}");
    }
}

fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::Inertia => "largest moment, kg m²",
        Axis::Gap => "least difference of two moments, relative",
        Axis::Slenderness => "smallest moment, relative",
        Axis::Rate => "angular velocity, rad/s",
        Axis::StepAngle => "angle of a step, rad",
        Axis::Steps => "steps of the longest run",
        Axis::Attitude => "angle of the start, rad",
        Axis::Singular => "start from a singular pitch, rad",
        Axis::Lever => "lever, m",
        Axis::LeverAngle => "lever from the body's third axis, rad",
        Axis::Gravity => "torque of gravity / J W²",
    }
}

/// The findings of a hunt, for people.
pub fn hunted(report: &HuntReport, style: &TextStyle) -> String {
    let coverage = &report.coverage;
    let mut out = String::new();
    let (new, known) = (report.new.len(), report.known.len());
    let sum = if report.nothing_judged() {
        "NOTHING JUDGED"
    } else if new > 0 {
        "FINDINGS"
    } else if !report.passed() {
        "KNOWN FINDINGS"
    } else {
        "NOTHING NEW FOUND"
    };
    let _ = writeln!(
        out,
        "{sum}  {new} new, {known} known, {} gone; {}, seed {}: {}",
        report.gone.len(),
        counted(coverage.problems, "problem"),
        report.seed,
        report.solver
    );
    let _ = if coverage.problems > 0 {
        writeln!(
            out,
            "`--seed {} --problems {}` makes the same hunt again",
            report.seed, coverage.problems
        )
    } else if report.stopped {
        writeln!(
            out,
            "the time was over before the ordinary problems were answered"
        )
    } else {
        writeln!(
            out,
            "no problem was made: a finding of before shows on an ordinary one"
        )
    };
    let begun = out.len();
    report.known.iter().for_each(|f| finding(&mut out, f, true));
    report.new.iter().for_each(|f| finding(&mut out, f, false));
    for id in &report.gone {
        let _ = writeln!(out, "gone: {id} no longer shows");
    }
    for id in &report.untried {
        let _ = writeln!(
            out,
            "not tried: {id}: the solver gave no answer to its problem, or the time was over"
        );
    }
    if coverage.refused > 0 {
        let why = coverage.refusal.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{} problems are refused: {why}", coverage.refused);
    }
    if out.len() > begun {
        out.insert(begun, '\n');
    }
    wrapped(&out, style.width)
}

/// What a hunt covered, and how near it came to findings.
pub fn covered(coverage: &Coverage, style: &TextStyle) -> String {
    let mut space = table(style, &["covered", "from", "to", "decades", "zero or none"]);
    for a in &coverage.axes {
        space.add_row([
            axis(a.axis).to_owned(),
            a.least.map_or("-".into(), |x| format!("{x:.1e}")),
            a.most.map_or("-".into(), |x| format!("{x:.1e}")),
            a.decades.to_string(),
            a.zero.to_string(),
        ]);
    }
    let mut claims = table(
        style,
        &[
            "claim",
            "judged",
            "suspected",
            "of a finding",
            "confirmed",
            "nearest",
        ],
    );
    let mut places = String::new();
    for c in &coverage.claims {
        // Who answers, and what is the same to the last digit, is not near to anything.
        let nearest = c.nearest.as_ref().filter(|(m, _)| m.measured != 0.0);
        claims.add_row([
            c.claim.id().to_owned(),
            c.judged.to_string(),
            c.suspected.to_string(),
            c.explained.to_string(),
            c.confirmed.to_string(),
            nearest.map_or("-".into(), |(m, _)| format!("{:.1} decades", m.room)),
        ]);
        if let Some((_, p)) = nearest {
            let _ = writeln!(places, "  {}: {}", c.claim.id(), problem(&p.written(3)));
        }
    }
    let mut out = format!("\n{space}\n\n{claims}\n");
    if !places.is_empty() {
        let _ = write!(out, "\nthe nearest problems, to 3 digits\n{places}");
    }
    wrapped(&out, style.width)
}
