//! The model of a solver that explains the rows of its histories.

use super::Context;
use super::law_claims::{law_of_motion, law_of_rule};
use super::report_claims::{of_report, starts_in_unit, unit};
use super::schemes::IdentifiedScheme;
use super::walked;
use crate::history::FileReport;
use crate::identification::experiment::Start;
use crate::identification::{
    Claim, Edit, Identification, LostPart, Restoration, SchemeFlaw, Symptom, first_order_flaw,
    memory, of_rows, torque_habit,
};
use crate::thresholds::{COARSELY, FEWEST_ROWS, FIRST_ORDER, SAME_SIZE, SERIES_LEFT};
use topsim_model::explain::Scope;
use topsim_model::ladder::Motion;
use topsim_model::report::RateUnit;
use topsim_model::stepping::{Kick, TurnMap};
use topsim_model::tableau;
use topsim_model::{
    Explanation, Found, Model, Observed, Print, Report, Rule, StepHistory, explain, follow,
};

/// Explains the rows of histories; returns none where they have no rates or too few rows. If `along`, right rules are followed along
/// the rows, and no other kind of model is tried.
pub(super) fn explain_rows(
    files: &[FileReport],
    along: bool,
    context: &Context,
) -> Option<(Observed, Explanation, Option<Identification>)> {
    let body = Start::from(&context.body.top());
    let history = |s: &FileReport| {
        let rows = s.trace.written();
        (rows.len() >= FEWEST_ROWS).then(|| StepHistory {
            step: s.step,
            print: Print::of(&rows),
            rows,
        })
    };
    let histories: Vec<StepHistory> = files.iter().filter_map(history).collect();
    let several = histories.len() > 1;
    let observed = Observed::new(&body, histories);
    observed.histories.first()?;
    let unit = unit(&observed);
    let mut steps = None;
    let explanation = match along {
        true => follow(&observed, unit, context.wanted),
        false => explain(
            &observed,
            Scope {
                laws: several,
                unit,
            },
            &mut |report| {
                steps = of_rows(&observed, report);
                steps.as_ref().is_some_and(|s| s.rule.is_some())
            },
            context.wanted,
        ),
    };
    // A rule with a slip says more than what it costs.
    let steps = steps.filter(|s| s.rule.is_some() || explanation.found.is_empty());
    Some((observed, explanation, steps))
}

/// Returns the claim that the torque acts late or coarsely between the rows, where no law and no rule explains these.
pub(super) fn torque_habit(observed: &Observed, by: &Explanation) -> Option<Claim> {
    let (report, _) = by.reports.first()?;
    let acts = torque_habit::of_histories(observed, report)?;
    Some(Claim::from(Symptom::TorqueHabit(acts)).less_sure())
}

/// Returns models whose scheme is named: those that explain the rows, or that come much nearer than all others.
fn named(by: &Explanation) -> &[Found] {
    if by.found.is_empty() {
        &by.nearest
    } else {
        &by.found
    }
}

/// Returns true if a known rule of the right law explains all rows, but for the step from the first.
pub(super) fn has_right_steps(by: &Explanation) -> bool {
    let all = |f: &Found| f.evidence.exceptions.iter().all(|i| i.row == 0);
    let best = named(by).first();
    best.is_some_and(|f| {
        let meant = slip(f.model.stepping.rule).is_none() && memory(named(by)).is_none();
        is_right(&f.model) && meant && (by.found.is_empty() || all(f))
    })
}

/// Returns the scheme whose steps these are.
pub(super) fn scheme(by: &Explanation) -> Option<IdentifiedScheme> {
    let best = named(by).first()?;
    // Among rules that make the same steps, one of the catalogue has a name that everybody knows.
    let of_catalogue = |f: &&Found| matches!(f.model.stepping.rule, Rule::Catalogue(_));
    let chosen = named(by).iter().find(of_catalogue).unwrap_or(best);
    let name = chosen.model.stepping.to_string();
    let mut alike: Vec<String> = Vec::new();
    for f in named(by) {
        let other = f.model.stepping.to_string();
        if other != name && !alike.contains(&other) {
            alike.push(other);
        }
    }
    Some(IdentifiedScheme {
        order: chosen.model.stepping.rule.claimed_order(),
        within: if by.found.is_empty() {
            chosen.evidence.left
        } else {
            chosen.evidence.worst
        },
        rows: chosen.evidence.explained,
        clamps: best.model.stepping.rule.clamps_momentum(),
        name,
        alike,
    })
}

/// Returns what is wrong with the solver of histories whose rows are explained so.
pub(super) fn claims(
    files: &[FileReport],
    (observed, by): (&Observed, &Explanation),
) -> Vec<Claim> {
    let mut of_start = files.iter().filter_map(|f| f.start.as_ref());
    let differs = of_start.any(|s| s.rate_matches == Some(false));
    // A rate that is written in another form is no other rate.
    let another_rate = |report: &Report| differs && report.has_plain_rates();
    let mut out = Vec::new();
    if let Some((_, Motion::Clock(times))) = &by.motion
        && by.walk.is_some()
        && let Some(clock) = Claim::of_clock(times)
    {
        return vec![clock];
    }
    if let Some(walk) = &by.walk {
        out.extend(of_report(&walk.model.report, 0.0));
        out.push(walked::claim(walk, observed));
        return out;
    }
    if let Some(found) = by.found.first() {
        out.extend(of_report(&found.model.report, found.evidence.left));
        let another_rate = another_rate(&found.model.report);
        out.extend(law_of_rule(observed, another_rate, found, &by.found));
        out.extend(slip_of_all(&by.found).map(|flaw| Symptom::Flaw(flaw).into()));
        out.extend(memory(&by.found));
        return out;
    }
    match &by.motion {
        Some((report, Motion::Wrong(law))) => {
            let left = law.left.last().copied().unwrap_or(f64::NAN);
            out.extend(of_report(report, left));
            out.extend(law_of_motion(observed, another_rate(report), law));
        }
        Some((_, Motion::Clock(times))) => out.extend(Claim::of_clock(times)),
        Some((_, Motion::Right | Motion::Unknown(_))) | None => {
            // Rows that begin in the unit that is named stay in it.
            let other =
                |r: &&(Report, f64)| r.0.unit != RateUnit::Named && starts_in_unit(observed);
            if let Some((report, left)) = reported(by).filter(|r| !other(r)) {
                out.extend(of_report(report, *left));
            }
        }
    }
    out
}

/// Returns the model that explains the rows, or comes much nearer to them than all others: with a rule, or as the motion of a law.
pub(super) fn model(by: &Explanation) -> Option<Model> {
    if let Some(found) = named(by).first() {
        return Some(found.model.clone());
    }
    let Some((report, Motion::Wrong(law))) = &by.motion else {
        return None;
    };
    let mut model = Model::right(Rule::Flow.once()).reported(*report);
    model.law.clone_from(&law.law);
    Some(model)
}

/// Returns what the right law leaves from row to row, where it is the same at all steps and no more than a tolerance of a solver's
/// own may leave.
pub(super) fn tolerance(by: &Explanation) -> Option<f64> {
    let Some((_, Motion::Unknown(left))) = &by.motion else {
        return None;
    };
    let most = left.iter().copied().fold(0.0, f64::max);
    let least = left.iter().copied().fold(f64::INFINITY, f64::min);
    (most <= SERIES_LEFT && most <= SAME_SIZE * least).then_some(most)
}

/// Returns another report than the plain one, with which the motion comes much nearer to the rows.
fn reported(by: &Explanation) -> Option<&(Report, f64)> {
    let best = by.reports.first()?;
    let plain = by.reports.iter().find(|r| r.0 == Report::default());
    let far = plain.is_none_or(|p| best.1 <= COARSELY * p.1);
    (best.0 != Report::default() && far && best.1 <= FIRST_ORDER).then_some(best)
}

/// Returns true if nothing is wrong with the equations and nothing is done beside the scheme.
pub(super) fn is_right(model: &Model) -> bool {
    model.law.is_empty() && model.habit.is_none()
}

/// Returns what of a rule cannot have been meant, where all rules that make the same steps have the same wrong entry: with few digits,
/// another entry of another rule may do as well.
fn slip_of_all(found: &[Found]) -> Option<SchemeFlaw> {
    let flaw = slip(found.first()?.model.stepping.rule)?;
    let same = |f: &Found| match (slip(f.model.stepping.rule), &flaw) {
        (
            Some(SchemeFlaw::Edited { tableau, edit }),
            SchemeFlaw::Edited {
                tableau: own,
                edit: best,
            },
        ) => {
            let place = |edit: &Edit| match edit {
                Edit::Changed { place, .. } => Some(*place),
                _ => None,
            };
            tableau == *own && place(&edit) == place(best)
        }
        // Nothing is wrong with this one.
        (None, SchemeFlaw::Edited { .. }) => false,
        _ => true,
    };
    found.iter().all(same).then_some(flaw)
}

/// Returns what of a rule cannot have been meant.
fn slip(rule: Rule) -> Option<SchemeFlaw> {
    match rule {
        Rule::Euler {
            kick: Kick::EnergyKept,
            ..
        } => Some(SchemeFlaw::Restored(Restoration::Energy)),
        Rule::Euler {
            map: TurnMap::Columns,
            ..
        } => Some(SchemeFlaw::TruncatedTurn),
        Rule::Euler {
            kick: Kick::GyroscopicBy(factors),
            ..
        } => Some(SchemeFlaw::Jacobian(factors)),
        Rule::RungeKutta(rule) => {
            let own = tableau::find(rule.tableau.name)?;
            let edited = own.differs_in(&rule.tableau).map(|(place, is)| {
                let was = place.value(&own);
                let (tableau, edit) = (own.name, Edit::Changed { place, was, is });
                SchemeFlaw::Edited { tableau, edit }
            });
            // An edit that keeps the order makes another rule, not a wrong one.
            let lost = rule.tableau.conditions_met() < own.conditions_met();
            let held =
                LostPart::of(rule.held).map(|part| SchemeFlaw::OrderLost { part, value: 0.0 });
            edited.filter(|_| lost).or(held)
        }
        _ => first_order_flaw(rule),
    }
}
