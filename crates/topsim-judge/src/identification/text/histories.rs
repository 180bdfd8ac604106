//! Words for the form and the start that rows of histories show.

use super::super::symptom::{Certainty, Symptom};
use super::digits::known_to;
use crate::history::Convention;
use crate::identification::Claim;
use crate::thresholds::HUNDREDTH;
use topsim_protocol::numbers::{brief, number};

/// Returns name and evidence.
pub(super) fn histories(claim: &Claim) -> (String, String) {
    let plain = claim.id.name();
    match &*claim.symptom {
        Symptom::LateStart(late) => {
            let late: Vec<String> = late.iter().map(|x| number(*x)).collect();
            let evidence = format!(
                "the first row is the case's initial state, at a time {} s after the start",
                late.join(", ")
            );
            (plain, evidence)
        }
        Symptom::RepeatedStart => (
            plain,
            "the second row of each history repeats the first, and each later one follows as from a step before; a first step that does \
             nothing gives the same rows"
                .into(),
        ),
        Symptom::StartForm(off, forms) => start_form(*off, forms, plain),
        Symptom::HiddenForm {
            name, near, off, ..
        } => {
            let evidence = format!(
                "read so, the finest history is within {near:.1e} rad of the case's motion, as it is {off:.1e} rad away"
            );
            (name.clone(), evidence)
        }
        Symptom::RowsFollow(_, left) => {
            let or = match claim.certainty {
                Certainty::LooksLike => {
                    "; or a term is taken at the state of the step before, which gives the same rows"
                }
                Certainty::Is | Certainty::Unexplained => "",
            };
            let evidence = format!(
                "read so, the rows follow each other to {}{or}",
                brief(*left)
            );
            (plain, evidence)
        }
        Symptom::ReadRates(_, [given, read]) => {
            let evidence = format!(
                "the attitudes follow the motion; the rates are off by up to {given:.2e} rad/s as the columns name them, and by \
                 {read:.2e} read so"
            );
            (plain, evidence)
        }
        Symptom::LateRates { late, left, off } => {
            let size = if late.abs() == 0.5 {
                "half a step"
            } else {
                "a step"
            };
            let (when, side) = if *late > 0.0 {
                ("earlier", "before")
            } else {
                ("later", "after")
            };
            let evidence = format!(
                "in every history the rates are those of {:.3} steps {side} their row's time; {:.1} % of their error stays \
                 unexplained; the attitudes are right to {off:.1e} rad",
                late.abs(),
                100.0 * left
            );
            (format!("rate of {size} {when} reported"), evidence)
        }
        Symptom::LateRows { late, left } => {
            let side = if *late > 0.0 { "before" } else { "after" };
            let (name, steps) = match late.abs() {
                1.0 => (plain, "one step".to_string()),
                part => (
                    "attitudes of another time than their rows'".into(),
                    format!("{} of a step", known_to(part, HUNDREDTH)),
                ),
            };
            let evidence = format!(
                "in every history the attitudes are those of {steps} {side} their row's time; {:.1} % of their error stays \
                 unexplained",
                100.0 * left
            );
            (name, evidence)
        }
        Symptom::UnevenRows { after, left } => {
            let each = after.map(|x| known_to(x, HUNDREDTH));
            let evidence = format!(
                "rows after the first are those of {} steps after their own times: the steps between them are not equally long; \
                 {:.1} % of their error stays unexplained",
                each.join(", "),
                100.0 * left
            );
            ("rows of other times than theirs".into(), evidence)
        }
        Symptom::NoRotations { size, time } => {
            let evidence = format!(
                "quaternions or matrices are off a rotation by up to {size:.2e}, at t = {}",
                number(*time)
            );
            (plain, evidence)
        }
        Symptom::StartOfOwn { near, rate, forms } => {
            let forms = forms.iter().map(|c| format!("; taken with {c}"));
            let evidence = format!(
                "from their own row 0 the histories follow the right equations, the finest to {near:.1e} rad; that row is \
                 {rate:.2e} rad/s off the case's initial rate{}",
                forms.collect::<String>()
            );
            (plain, evidence)
        }
        Symptom::MomentumClamp => (
            plain,
            "its rows are those of a rule that puts |J W| back".into(),
        ),
        _ => (plain, String::new()),
    }
}

fn start_form(off: f64, forms: &[Convention], plain: String) -> (String, String) {
    let Some((form, others)) = forms.split_first() else {
        return (plain, String::new());
    };
    let name = form.reading().map_or(form.to_string(), |r| r.name.into());
    let others: String = others.iter().map(|c| format!("; or {c}")).collect();
    let evidence = format!(
        "row 0 is {off:.2e} rad off the case's initial attitude as the columns name it, and agrees with {form}{others}"
    );
    (name, evidence)
}
