//! A finding and a hunt in words.

use crate::{
    Axis, AxisCoverage, Coverage, Finding, HuntClaim, HuntReport, MarginQuantity, Point,
    SomeWorlds, WorldFault, WorldPart,
};
use document::{Document, ListItem, Table, bad, caution, good, left, marked, right};
use std::fmt::Write;
use strict_toml::short;
use topsim_protocol::numbers::{brief, count};

/// Formats numbers for TOML, Python and JSON.
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
    }
}

/// Returns a finding as a sentence without its end.
pub(super) fn sentence(finding: &Finding) -> String {
    let where_ = finding.class.iter().map(|c| c.words());
    match where_.collect::<Vec<_>>().join(", ") {
        words if words.is_empty() => format!("{} on an ordinary problem", broken(finding.claim)),
        words => format!("{} on a problem with {words}", broken(finding.claim)),
    }
}

/// Significant digits of the numbers that people read; `finding.json`, the case and the script have all.
const DIGITS: usize = 4;

/// Returns the numbers of a problem on a line.
pub(super) fn problem(p: &Point) -> String {
    let p = &p.written(DIGITS);
    let numbers = |all: &[f64]| {
        let all: Vec<String> = all.iter().copied().map(short).collect();
        format!("[{}]", all.join(", "))
    };
    let mut out = format!("J = {} kg m²", numbers(&p.moments));
    if p.axes != [0.0; 3] {
        let _ = write!(out, " about axes turned by {} rad", numbers(&p.axes));
    }
    let _ = write!(out, ", W = {} rad/s about them", numbers(&p.rate));
    if p.attitude != [0.0; 3] {
        let _ = write!(out, ", attitude {} rad", numbers(&p.attitude));
    }
    if p.is_heavy() {
        let _ = write!(
            out,
            ", weight {} N at {} m",
            short(p.weight),
            short(p.lever)
        );
    }
    let steps = count(p.steps.into(), "step");
    let _ = write!(out, ", {steps} of {} s", short(p.step));
    if p.power.abs() > 1 {
        let _ = write!(out, ", and its image scaled by 2^{}", p.power);
    }
    out
}

/// Returns the words for a number of a margin: its name, its unit, and the kind of its bound.
fn measured(quantity: MarginQuantity) -> (&'static str, &'static str, &'static str) {
    let few = "at most";
    match quantity {
        MarginQuantity::Attitude => ("error of the attitude", " rad", few),
        MarginQuantity::Rate => ("error of the rate", " of the largest rate", few),
        MarginQuantity::Rounding => ("largest error", " times what rounding makes", few),
        MarginQuantity::AttitudeOrder => ("order of the attitude", "", "at least"),
        MarginQuantity::RateOrder => ("order of the rate", "", "at least"),
        MarginQuantity::HalfStepOrder => ("order of what half the step changes", "", "at least"),
        MarginQuantity::Change => ("relative change", "", few),
        MarginQuantity::Difference => ("relative difference", "", few),
        MarginQuantity::HalfStep => ("what half the step changes", "", few),
        _ => ("measured", "", few),
    }
}

/// Returns the measured number beside the allowed one.
fn beside(f: &Finding) -> String {
    let (name, unit, bound) = measured(f.quantity.unwrap_or(MarginQuantity::Failures));
    let found = f.measured.map(|x| brief(x) + unit);
    let found = found.unwrap_or("not finite".into());
    format!("{name} {found}, allowed {bound} {}", brief(f.allowed))
}

fn finding(f: &Finding, known: bool) -> ListItem {
    let mark = match (f.is_accepted(), known) {
        (true, _) => caution("accepted"),
        (false, true) => caution("known"),
        (false, false) => bad("new").strong(),
    };
    let shown = match f.claim {
        HuntClaim::Answer => f.said.clone().unwrap_or("no finite row".into()),
        _ => beside(f),
    };
    let accepted = f.accepted.as_ref().filter(|_| f.is_accepted());
    let accepted = accepted.map(|why| format!("accepted: {why}"));
    let below = [problem(&f.problem), shown].into_iter().chain(accepted);
    ListItem::new(mark.then(format!(": {}: {}", f.id, sentence(f))), below)
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

/// Returns some worlds by their numbers.
fn some(worlds: &SomeWorlds) -> String {
    let all = worlds.first.iter().map(ToString::to_string);
    let all = all.collect::<Vec<_>>().join(", ");
    match worlds.count - worlds.first.len() {
        _ if worlds.count == 1 => format!("world {all}"),
        0 => format!("worlds {all}"),
        more => format!("worlds {all} and {more} more"),
    }
}

/// Returns what makes the worlds of a batch depend on each other, as a sentence without its end.
fn fault(fault: &WorldFault) -> String {
    let name = |part: &WorldPart| match part {
        WorldPart::Inertia => "inertia",
        WorldPart::Torque => "torque",
        WorldPart::Attitude => "attitude at the start",
        WorldPart::Rate => "rate at the start",
    };
    match fault {
        WorldFault::Place { worlds } => format!(
            "where all {} worlds of a batch have the same problem, {} differ{} from most{}",
            worlds.of,
            some(worlds),
            if worlds.count == 1 { "s" } else { "" },
            if worlds.difference.is_finite() {
                format!(", by {}", brief(worlds.difference))
            } else {
                ": their states are not finite".into()
            }
        ),
        WorldFault::Leak {
            part,
            from,
            own,
            worlds,
        } => {
            let part = name(part);
            let rule = match worlds.first[..] {
                [into] if worlds.count == 1 => {
                    let sign = if into > *from { '−' } else { '+' };
                    let apart = into.abs_diff(*from);
                    format!("world i uses the {part} of world i {sign} {apart}: ")
                }
                _ => String::new(),
            };
            format!(
                "{rule}another {part} of world {from} changes the motion of {} by {}, and {}",
                some(worlds),
                brief(worlds.difference),
                if *own { "its own too" } else { "not its own" }
            )
        }
        WorldFault::Unused { part, from } => format!(
            "another {} of world {from} changes no motion in the batch: it is kept from a batch before, or from another world",
            name(part)
        ),
        WorldFault::Memory { worlds } => format!(
            "the same batch gives another motion of {} after other batches, by {}: something is kept from one batch to the next",
            some(worlds),
            brief(worlds.difference)
        ),
    }
}

/// Returns the findings of a hunt for people.
pub fn hunted(report: &HuntReport) -> Document {
    let coverage = &report.coverage;
    let mut out = Document::default();
    let (new, known) = (report.new.len(), report.known.len());
    let sum = if report.nothing_judged() {
        caution("NOTHING JUDGED")
    } else if new > 0 || !report.worlds.is_empty() {
        bad("FINDINGS")
    } else if !report.passed() {
        bad("KNOWN FINDINGS")
    } else {
        good("NOTHING NEW FOUND")
    };
    out.paragraph(sum.strong().then(format!(
        "  {new} new, {known} known, {} gone; {}, seed {}: {}",
        report.gone.len(),
        count(coverage.problems, "problem"),
        report.seed,
        report.solver
    )));
    if coverage.problems > 0 && !coverage.is_search() {
        let ordinary = count(coverage.ordinary, "ordinary problem");
        let was = if coverage.ordinary == 1 {
            "was"
        } else {
            "were"
        };
        out.paragraph(format!(
            "only the {ordinary} {was} posed: the search had not begun"
        ));
    }
    out.paragraph(if coverage.problems > 0 {
        marked(&format!(
            "`--seed {} --problems {}` makes the same hunt again",
            report.seed, coverage.problems
        ))
    } else if !report.worlds.is_empty() {
        "no problem was judged: the worlds of a batch are not problems of their own".into()
    } else if report.stopped {
        "the time was over before the ordinary problems were answered".into()
    } else {
        "no problem was made: a finding of before shows on an ordinary one".into()
    });
    let fault = |f| ListItem::from(bad("new").strong().then(format!(": {}", fault(f))));
    out.items(report.worlds.iter().map(fault));
    out.items(report.known.iter().map(|f| finding(f, true)));
    out.items(report.new.iter().map(|f| finding(f, false)));
    out.items(
        report
            .gone
            .iter()
            .map(|id| format!("gone: {id} no longer shows")),
    );
    out.items(report.untried.iter().map(|id| {
        format!("not tried: {id}: the solver gave no answer to its problem, or the time was over")
    }));
    if coverage.refused > 0 {
        let why = coverage.refusal.as_deref().unwrap_or_default();
        out.item(format!("{} problems are refused: {why}", coverage.refused));
    }
    out
}

/// Returns the space that a hunt covered, and the margins by which it missed findings.
pub fn covered(coverage: &Coverage) -> Document {
    // Where nothing is judged, nothing is covered either.
    if coverage.claims.iter().all(|c| c.judged == 0) {
        return Document::default();
    }
    let numbers = ["from", "to", "decades", "zero or none"].map(right);
    let mut space = Table::new([left("covered")].into_iter().chain(numbers));
    let met = |a: &&AxisCoverage| a.decades > 0 || a.zero > 0;
    for a in coverage.axes.iter().filter(met) {
        space.push([
            axis(a.axis).to_owned(),
            a.least.map_or("-".into(), |x| format!("{x:.1e}")),
            a.most.map_or("-".into(), |x| format!("{x:.1e}")),
            a.decades.to_string(),
            a.zero.to_string(),
        ]);
    }
    let numbers = [
        "judged",
        "suspected",
        "of a finding",
        "confirmed",
        "nearest",
    ]
    .map(right);
    let mut claims = Table::new([left("claim")].into_iter().chain(numbers));
    let mut places = Vec::new();
    for c in coverage.claims.iter().filter(|c| c.judged > 0) {
        // A claim that holds to the last digit has no nearest problem, and the claim `answer` has none either.
        let nearest = c.nearest.as_ref().filter(|(m, _)| m.measured != 0.0);
        claims.push([
            c.claim.id().to_owned(),
            c.judged.to_string(),
            c.suspected.to_string(),
            c.explained.to_string(),
            c.confirmed.to_string(),
            nearest.map_or("-".into(), |(m, _)| format!("{:.1} decades", m.room)),
        ]);
        if let Some((_, p)) = nearest {
            places.push(format!("{}: {}", c.claim.id(), problem(&p.written(3))));
        }
    }
    let mut out = Document::default();
    out.table(space);
    out.table(claims);
    if !places.is_empty() {
        out.paragraph("the nearest problems, to 3 digits");
        out.items(places);
    }
    out
}
