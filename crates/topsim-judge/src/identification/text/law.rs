//! A law of motion in words: what the numbers of each term mean.

use super::super::design::Group;
use super::super::experiment::{Load, Start};
use super::super::fit::Selection;
use super::super::law::{LawTerm, Words};
use super::super::row_symptoms::{GivenRows, LawEvidence, LawOfRows};
use super::digits::{known_to, percent, round, vector};
use super::tensor::{pattern, quantity};
use crate::thresholds::{EXPLAINED, FOUR_DIGITS, SINGLE_DIGITS};
use topsim_model::Change;
use topsim_model::defect::ModelDefect;
use topsim_model::habit::Factor;
use topsim_protocol::numbers::{brief, number};

/// The numbers of a term in a sentence: of what acts all the time, or of what is added once a step, whatever its length.
pub(super) fn numbers(f: &Change, base: &Start, per_step: bool) -> String {
    let row = f.term.row();
    if f.term == LawTerm::Clock && f.values()[0].abs() < SINGLE_DIGITS {
        return "the state does not change".into();
    }
    let (subject, text) = match (row.words, per_step) {
        (Words::Says(text), _) => return filled(text, f, base, row.unit),
        (Words::OfRate(text), false) => ("W' has", text),
        (Words::OfRate(text), true) => ("W changes by", text),
        (Words::OfTorque(text), false) => ("a torque", text),
        (Words::OfTorque(text), true) => ("J W changes by", text),
    };
    let unit = if per_step {
        times_second(row.unit)
    } else {
        row.unit.into()
    };
    format!("{subject} {}", filled(text, f, base, &unit))
}

/// A text of a term's row with its numbers.
fn filled(text: &str, f: &Change, base: &Start, unit: &str) -> String {
    let (row, values) = (f.term.row(), f.values());
    let numbers = row.numbers().zip(&values);
    let (given, is): (Vec<f64>, Vec<f64>) = numbers
        .map(|((terms, component), x)| {
            let right = terms[0].right(component, base);
            (right, right + x)
        })
        .unzip();
    if row.is_exponent() {
        return is.iter().fold(text.to_string(), |text, power| {
            let text = text.replacen("{-}", &turned(-power), 1);
            text.replacen("{}", &turned(*power), 1)
        });
    }
    let with_unit = |numbers: String| match unit {
        "" => numbers,
        unit => format!("{numbers} {unit}"),
    };
    let value = match values[..] {
        [x] => known_to(x, f.errors.first().copied().unwrap_or(0.0)),
        _ => vector(&values),
    };
    let inverse = values.first().map_or(0.0, |x| 1.0 / x);
    text.replace("{}", &with_unit(value))
        .replace("{1/}", &number(round(inverse)))
        .replace("{is}", &with_unit(quantity(&is)))
        .replace("{given}", &with_unit(quantity(&given)))
        .replace("{pattern}", &pattern(&is, &given))
}

/// The unit of what a rate in this unit makes in a second.
fn times_second(unit: &str) -> String {
    match unit {
        "" => "s".into(),
        "s" => "s²".into(),
        "1/s" => String::new(),
        "rad/s²" => "rad/s".into(),
        "N m s" => "kg m²".into(),
        "kg m² s" => "kg m² s²".into(),
        unit => format!("{unit} s"),
    }
}

/// A power of the attitude.
fn turned(power: f64) -> String {
    match power {
        d if d.abs() < FOUR_DIGITS => "not turned".into(),
        d if (d - 1.0).abs() < FOUR_DIGITS => "turned by Λ".into(),
        d if (d + 1.0).abs() < FOUR_DIGITS => "turned by Λᵀ".into(),
        d if (d + 2.0).abs() < FOUR_DIGITS => "turned by Λᵀ twice".into(),
        d if (d - 2.0).abs() < FOUR_DIGITS => "turned by Λ twice".into(),
        d => format!("turned by the power {} of Λ", number(round(d))),
    }
}

/// Returns what the numbers of a law say.
pub(super) fn law_numbers(fitted: &[Change], base: &Start) -> String {
    let numbers: Vec<String> = fitted.iter().map(|f| numbers(f, base, false)).collect();
    numbers.join(", and ")
}

pub(super) fn law(
    (defect, plain): (ModelDefect, String),
    (fitted, base): (&[Change], &Start),
    s: &Selection,
    elsewhere: Option<f64>,
) -> (String, String) {
    let mut evidence = format!(
        "{}; {} stays unexplained",
        law_numbers(fitted, base),
        percent(s.residual() / s.defect)
    );
    if s.rough {
        evidence.push_str(", more than the digits of its rows: a tolerance of the solver's own?");
    }
    match elsewhere {
        Some(left) if left < EXPLAINED => {
            evidence.push_str("; the same law explains the accelerations of another body too");
        }
        Some(left) => evidence.push_str(&format!(
            "; of the accelerations of another body {} stays unexplained: the name may be wrong",
            percent(left)
        )),
        None => {}
    }
    let rivals = s.rivals.iter().filter_map(|term| term.defect());
    let rivals = rivals.filter(|d| *d != defect);
    let others: Vec<&str> = rivals.map(|d| d.name()).collect();
    if !others.is_empty() {
        evidence.push_str(&format!("; not told here from: {}", others.join(", ")));
    }
    (plain, evidence)
}

pub(super) fn unknown(table: &[(Group, [f64; 2])]) -> String {
    let name = |g: Group| match g {
        Group::Sphere => "a free sphere",
        Group::Free => "the free body",
        Group::Rest => "gravity at rest",
        Group::Gravity => "gravity in motion",
        Group::Push => "applied torques",
        Group::Other => "another body",
    };
    let largest = table.iter().flat_map(|(_, x)| *x).fold(0.0, f64::max);
    // What is small beside the rest may be that of steps or digits.
    let shown = |x: f64| {
        if x < SINGLE_DIGITS {
            "right".into()
        } else if x < EXPLAINED * largest {
            format!("right to {}", brief(x))
        } else {
            format!("off by {}", brief(x))
        }
    };
    let rows = table.iter().map(|(g, [rate, acceleration])| {
        format!(
            "{}: turn {}, W' {}",
            name(*g),
            shown(*rate),
            shown(*acceleration)
        )
    });
    format!(
        "relative to typical sizes, with {}",
        rows.collect::<Vec<_>>().join("; with ")
    )
}

/// Returns the evidence of a law that explains rows.
pub(super) fn law_of_rows(found: &LawOfRows) -> String {
    let all = |sizes: &[f64]| {
        let sizes: Vec<String> = sizes.iter().map(|x| brief(*x)).collect();
        sizes.join(", ")
    };
    let evidence = match &found.by {
        LawEvidence::Rule(rows) => given(rows),
        LawEvidence::Motion { left, right } => format!(
            "followed from row to row, its motion leaves {} from the coarse to the fine step, and the right one leaves {}",
            all(left),
            all(right)
        ),
    };
    let together = if found.shared {
        "together with the other cause, "
    } else {
        ""
    };
    let numbers = law_numbers(&found.law, &found.body);
    let mut said = format!("{numbers}; {together}{evidence}");
    let has_tensor = found.law.iter().any(|c| c.term.row().is_tensor());
    if has_tensor && found.body.load == Load::None {
        said += "; a free body tells its tensor up to a factor: that of the given trace is shown";
    }
    if !found.rivals.is_empty() {
        let names: Vec<&str> = found.rivals.iter().map(|d| d.name()).collect();
        said += &format!("; not told here from: {}", names.join(", "));
    }
    // Steps that are rounded to the solver's own may all be shortened by one factor.
    if found.defect == ModelDefect::Clock {
        said += "; or steps are rounded to a whole number of the solver's own";
    }
    said
}

fn given(rows: &GivenRows) -> String {
    let without = rows.without;
    let without = without.map_or("more than can be told".into(), brief);
    format!(
        "simulated with it, {} gives {} of {} rows to their rounding; without it the same rule misses by up to {without}",
        rows.stepping, rows.explained, rows.informative
    )
}

/// Returns the evidence of a factor of the rate in each step.
pub(super) fn factor(factor: Factor, rows: &GivenRows) -> String {
    let (c, form, unit) = match factor {
        Factor::None => (0.0, "1", ""),
        Factor::Constant(c) => (c, "1 − c", ""),
        Factor::Linear(c) => (c, "1 − c h", " 1/s"),
        Factor::Exponential(c) => (c, "exp(−c h)", " 1/s"),
        Factor::Inverse(c) => (c, "1/(1 + c h)", " 1/s"),
    };
    format!(
        "W is multiplied by {form} with c = {}{unit} in each step; {}",
        brief(c),
        given(rows)
    )
}
