//! Texts about a judgement of an update.

use crate::fit::NavigationPart;
use crate::judge::{ExplainedForm, NavigationDefect, NavigationFinding, NavigationReport};
use crate::measure::DriftConstant;
use crate::rule::{PositionForm, TurnForm, VelocityForm};
use document::{Document, Table, Text, bad, good, right};

/// Degrees of a radian, and standard gravity: factors that are wrong units.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
const GRAVITY: f64 = 9.80665;

/// Returns the text about an update.
pub fn shown_navigation(report: &NavigationReport) -> Document {
    let mut out = Document::default();
    let orders: Vec<String> = report
        .errors
        .iter()
        .map(|e| {
            format!(
                "{} {}",
                part(e.part),
                e.order.map_or("unknown".into(), |o| format!("{o:.2}"))
            )
        })
        .collect();
    let verdict = if report.findings.is_empty() {
        good("PASSED")
    } else {
        bad("FAILED")
    };
    out.paragraph(
        verdict
            .strong()
            .then(format!("  orders: {}", orders.join(", "))),
    );
    for finding in &report.findings {
        out.item(bad("✗ ").then(sentence(finding)));
    }
    let mut table = Table::new([
        right("update (s)"),
        right("attitude (rad)"),
        right("velocity (m/s)"),
        right("position (m)"),
    ])
    .compact();
    let steps = report.errors.first().map_or(0, |e| e.errors.len());
    for k in 0..steps {
        let mut row = vec![Text::from(report.errors[0].errors[k].0.to_string())];
        row.extend(
            report
                .errors
                .iter()
                .map(|e| Text::from(format!("{:.2e}", e.errors[k].1))),
        );
        table.push(row);
    }
    out.table(table);
    let drifts = [
        ("attitude under coning", "−φ² Ω", report.coning),
        (
            "velocity under sculling",
            "−θ c",
            report.sculling.map(reversed),
        ),
        (
            "position under scrolling",
            "−θ c/Ω",
            report.scrolling.map(reversed),
        ),
    ];
    for (name, size, drift) in drifts {
        let said = drift.map_or("none, or none with a power of the update".into(), |d| {
            format!(
                "{size} (ΩH)^{}/{:.5}, H its update",
                d.power,
                shortened(d.constant)
            )
        });
        out.item(format!("drift of the {name}: {said}"));
    }
    let forms: Vec<&str> = report.explained.iter().map(form).collect();
    let missing: Vec<&str> = NavigationPart::ALL
        .into_iter()
        .filter(|p| !report.explained.iter().any(|f| part_of(f) == *p))
        .map(part)
        .collect();
    if !forms.is_empty() {
        out.paragraph(format!(
            "Its rows are those of {}, to their rounding.",
            forms.join("; ")
        ));
    }
    if !missing.is_empty() {
        out.paragraph(format!(
            "No rule gives its {}: errors and orders are measured, and no cause is named.",
            missing.join(" and ")
        ));
    }
    out
}

/// Returns a drift against the direction of the motion, as the formula of coning has it.
fn reversed(drift: DriftConstant) -> DriftConstant {
    DriftConstant {
        constant: -drift.constant,
        ..drift
    }
}

/// Returns a number with five digits.
fn shortened(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}

fn part(part: NavigationPart) -> &'static str {
    match part {
        NavigationPart::Attitude => "attitude",
        NavigationPart::Velocity => "velocity",
        NavigationPart::Position => "position",
    }
}

fn part_of(form: &ExplainedForm) -> NavigationPart {
    match form {
        ExplainedForm::Turn(_) => NavigationPart::Attitude,
        ExplainedForm::Velocity(_) => NavigationPart::Velocity,
        ExplainedForm::Position(_) => NavigationPart::Position,
    }
}

fn form(form: &ExplainedForm) -> &'static str {
    match form {
        ExplainedForm::Turn(TurnForm::Exact) => "a turn by a rotation vector",
        ExplainedForm::Turn(TurnForm::FirstOrder) => "the quaternion times (1, φ/2), normalised",
        ExplainedForm::Turn(TurnForm::EachSample) => "a turn by each sample",
        ExplainedForm::Turn(TurnForm::InSpace) => "a turn about axes of space",
        ExplainedForm::Velocity(VelocityForm::Exact) => {
            "a velocity with the rotation of a constant rate"
        }
        ExplainedForm::Velocity(VelocityForm::Mean) => "a velocity by the mean of both attitudes",
        ExplainedForm::Velocity(VelocityForm::Middle) => "a velocity by the attitude in the middle",
        ExplainedForm::Velocity(VelocityForm::Start) => {
            "a velocity by the attitude at the beginning"
        }
        ExplainedForm::Velocity(VelocityForm::End) => "a velocity by the attitude at the end",
        ExplainedForm::Position(PositionForm::Trapezoid) => {
            "a position by the trapezoid of velocities"
        }
        ExplainedForm::Position(PositionForm::Integrated) => "a position by sums of increments",
        ExplainedForm::Position(PositionForm::Start) => {
            "a position by the velocity at the beginning"
        }
        ExplainedForm::Position(PositionForm::End) => "a position by the velocity at the end",
    }
}

/// Returns what is wrong as a sentence.
pub fn sentence(finding: &NavigationFinding) -> String {
    use NavigationDefect as D;
    let number = finding.numbers.first().copied().unwrap_or(1.0);
    let is = |x: f64| (number - x).abs() < 1e-3 * x.abs().max(1.0);
    let term = |name: &str| match number {
        _ if finding.numbers.len() > 1 => {
            let (a, b) = (finding.numbers[0], finding.numbers[1]);
            format!(
                "the {name} is {a:.4} of the right one where the force changes, and {b:.4} where the rate changes"
            )
        }
        _ if is(0.0) => format!("the {name} is missing"),
        _ if is(-1.0) => format!("the {name} has the wrong sign"),
        x => format!("the {name} is {x:.4} of the right one"),
    };
    let scale = |name: &str| match number {
        _ if is(DEGREES) || is(1.0 / DEGREES) => {
            format!("the {name} are converted between degrees and radians once too often")
        }
        _ if is(GRAVITY) || (number * GRAVITY - 1.0).abs() < 1e-3 => {
            format!("the {name} are converted between g and m/s² once too often")
        }
        _ if is(-1.0) => format!("the {name} have the wrong sign"),
        x => format!("the {name} are multiplied by {x:.6}"),
    };
    let bias = || {
        let all: Vec<String> = finding.numbers.iter().map(|x| format!("{x:.4}")).collect();
        all.join(", ")
    };
    match finding.defect {
        D::TurnInSpace => "the attitude turns about axes of space, and the increments are about axes of the body".into(),
        D::AnglesLate => "the angle increments are used one sample late".into(),
        D::AnglesTrapezoids => "the angles are trapezoids of rates; the sample has their integrals".into(),
        D::AngleScale => scale("angle increments"),
        D::AngleBias => format!("a bias is added to the rate: ({}) rad/s", bias()),
        D::ConingTerm => term("coning term"),
        D::VelocitiesLate => "the velocity increments are used one sample late".into(),
        D::VelocitiesTrapezoids => "the velocity increments are trapezoids of forces; the sample has their integrals".into(),
        D::VelocityScale => scale("velocity increments"),
        D::VelocityBias => format!("a bias is added to the force: ({}) m/s²", bias()),
        D::RotationTerm if is(0.0) => "the rotation term ½ Θ × V is missing: the attitude at the beginning turns the whole increment".into(),
        D::RotationTerm if is(2.0) => "the rotation term ½ Θ × V is twice the right one: the attitude at the end turns the whole increment".into(),
        D::RotationTerm => term("rotation term ½ Θ × V"),
        D::ScullingTerm => term("sculling term"),
        D::Gravity => term("gravity in the velocity"),
        D::EulerPosition => "the position follows from the velocity at one end of the update: Euler's rule".into(),
        D::PositionScale => format!("the change of the position is multiplied by {number:.6}"),
        D::PositionGravity => term("gravity in the position"),
        D::PositionForce => term("part of the velocity increments in the position"),
    }
}
