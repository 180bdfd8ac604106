//! Claims of the scheme: its name, and that it solves equations.

use crate::identification::IdentifiedRule;
use crate::report::Report;
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::verdict::Status;
use topsim_protocol::ClaimKind;
use topsim_protocol::numbers::brief;
use topsim_protocol::{NamedRule, SchemeName};

/// Returns the verdict on the name of the scheme.
pub(super) fn named(report: &Report, claimed: SchemeName) -> Verdict {
    let name = claimed.as_str();
    let said =
        |ended: Status, said: String| verdict(VerdictId::Claim(ClaimKind::Scheme), ended, said);
    if claimed.scheme().is_some() {
        if let Some(same) = &report.same_steps {
            let apart = brief(same.apart);
            let (ended, text) = match (same.differ(), same.tell()) {
                (true, _) => {
                    let found = found(report);
                    let text =
                        format!("its steps are not those of `{name}`: {apart} apart; {found}");
                    (Status::Failed, text)
                }
                (false, true) => {
                    let text = format!("its steps are those of `{name}`: {apart} apart");
                    (Status::Passed, text)
                }
                (false, false) => {
                    let text = format!(
                        "its steps are within {apart} of those of `{name}`, whose error of {} is too small to tell it from \
                         other schemes",
                        brief(same.error)
                    );
                    (Status::Undecided, text)
                }
            };
            let judged = said(ended, text).measuring(same.apart, "");
            return judged.at_most(same.allowed);
        }
        let of_rows = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
        if let Some(scheme) = of_rows {
            let good = scheme.name == name || scheme.alike.iter().any(|other| other == name);
            let within = brief(scheme.within);
            let text = if good {
                format!("its rows are those of `{name}` within {within} rad")
            } else {
                format!("its rows are not those of `{name}`; {}", found(report))
            };
            return said(status(good), text);
        }
    }
    let Some(wanted) = claimed.rule() else {
        let text = format!(
            "whether the scheme is `{name}` could not be told: no step could be compared with its own"
        );
        return said(Status::Undecided, text);
    };
    match known(report) {
        Known::Rule(rule) if rule == Some(wanted) => said(
            Status::Passed,
            format!("its steps are those of {}", wanted.name),
        ),
        Known::Rule(_) => {
            let text = format!(
                "its steps are not those of {}; {}",
                wanted.name,
                found(report)
            );
            said(Status::Failed, text)
        }
        Known::OneOf(rules) if !rules.contains(&wanted) => {
            let text = format!(
                "its steps are not those of {}; {}",
                wanted.name,
                found(report)
            );
            said(Status::Failed, text)
        }
        Known::OneOf(_) | Known::Nothing => {
            let text = format!(
                "whether the scheme is {} could not be told; {}",
                wanted.name,
                found(report)
            );
            said(Status::Undecided, text)
        }
    }
}

/// Returns the verdict on the claim that the scheme solves equations.
pub(super) fn implicit(report: &Report) -> Verdict {
    let id = VerdictId::Claim(ClaimKind::Implicit);
    match report.rule.as_ref().and_then(|rule| rule.implicit) {
        Some(true) => {
            let said = format!("its steps solve equations: {}", found(report));
            verdict(id, Status::Passed, said)
        }
        Some(false) => {
            let said = format!(
                "its steps solve no equations: {}{}",
                found(report),
                ended_early(report)
            );
            verdict(id, Status::Failed, said)
        }
        None => {
            let said = format!(
                "whether its steps solve equations could not be told; {}",
                found(report)
            );
            verdict(id, Status::Undecided, said)
        }
    }
}

/// Explicit rules, with the implicit ones that make their steps if the iteration from the old state ends after a pass or two.
const ENDED_EARLY: [(&str, &str); 3] = [
    (
        "explicit_euler",
        "; an implicit midpoint or trapezoidal rule whose iteration ends after one pass makes the same steps",
    ),
    (
        "explicit_midpoint",
        "; an implicit midpoint rule whose iteration ends after two passes makes the same steps",
    ),
    (
        "heun",
        "; a trapezoidal rule whose iteration ends after two passes makes the same steps",
    ),
];

/// Returns what is said of an iteration that ends early; empty where no rule of those explicit ones was identified.
pub(super) fn ended_early(report: &Report) -> &'static str {
    let rule = report.rule.as_ref().and_then(|rule| rule.named);
    let row = ENDED_EARLY
        .iter()
        .find(|(id, _)| rule.is_some_and(|rule| rule.id == *id));
    row.map_or("", |(_, said)| said)
}

/// Returns what is said of rows that are those of a rule of a lower order than the claimed one; empty where they are of none.
pub(super) fn of_lower_order(report: &Report, claimed: f64) -> String {
    let scheme = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
    let lower = scheme.filter(|s| s.order > 0 && f64::from(s.order) < claimed);
    lower.map_or(String::new(), |s| {
        format!(
            "; its rows are those of `{}`, whose runs are of order {}",
            s.name, s.order
        )
    })
}

/// Facts that are known of the rule.
enum Known {
    /// The rule; none where it has no name in options.
    Rule(Option<&'static NamedRule>),
    /// Rules that are not told apart.
    OneOf(Vec<&'static NamedRule>),
    Nothing,
}

fn known(report: &Report) -> Known {
    if let Some(rule) = &report.rule {
        return match &rule.alike[..] {
            [] => Known::Rule(rule.named),
            alike => Known::OneOf(alike.to_vec()),
        };
    }
    let scheme = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
    let rule = scheme.and_then(|scheme| NamedRule::of_scheme(&scheme.name));
    rule.map_or(Known::Nothing, |rule| Known::Rule(Some(rule)))
}

/// Returns a clause on what was found instead.
fn found(report: &Report) -> String {
    let scheme = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
    match (&report.rule, scheme) {
        (Some(IdentifiedRule { name, .. }), _) => format!("they are those of {name}"),
        (None, Some(scheme)) => format!("they are those of `{}`", scheme.name),
        (None, None) if report.measured => {
            "they are of no rule that topsim knows, or its equations are other ones".into()
        }
        (None, None) => "rows alone do not show it here: judge the solver as a program".into(),
    }
}
