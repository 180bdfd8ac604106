//! What is looked at in the runs of a case: events, figures, the reference.

use super::describe::{meant, nearest};
use super::faults::Faults;
use super::file::{CaseFile, EventKindName, FigureTable, ReferenceTable};
use super::plan::{FigureKind, FigurePlan, Job, ReferencePlan};
use super::sights;
use crate::drive::{EventKind, EventSpec, Experiment};
use crate::models::Model;

fn near_column(e: &dyn Experiment, name: &str) -> String {
    let names: Vec<&str> = e.columns().names().collect();
    meant(nearest(name, &names))
}

fn columns(e: &dyn Experiment) -> String {
    e.columns().names().collect::<Vec<_>>().join(", ")
}

pub(super) fn events(file: &CaseFile, e: &dyn Experiment, faults: &mut Faults) -> Vec<EventSpec> {
    let mut out: Vec<EventSpec> = Vec::new();
    for (i, event) in file.event.iter().enumerate() {
        if out.iter().any(|o| o.name == event.name) {
            faults.add(
                &format!("event[{i}].name"),
                format!("the event `{}` is given twice", event.name),
                "a name of its own for each event",
            );
        }
        let Some(column) = e.columns().position(&event.quantity) else {
            faults.add(
                &format!("event[{i}].quantity"),
                format!(
                    "the history has no column `{}`{}",
                    event.quantity,
                    near_column(e, &event.quantity)
                ),
                columns(e),
            );
            continue;
        };
        let kind = match event.kind {
            EventKindName::Up => EventKind::Up,
            EventKindName::Down => EventKind::Down,
            EventKindName::Cross => EventKind::Cross,
            EventKindName::Minimum => EventKind::Minimum,
            EventKindName::Maximum => EventKind::Maximum,
        };
        out.push(EventSpec {
            name: event.name.clone(),
            column,
            level: event.level,
            kind,
        });
    }
    out
}

pub(super) fn figures(
    file: &CaseFile,
    e: &dyn Experiment,
    jobs: &[Job],
    faults: &mut Faults,
) -> Vec<FigurePlan> {
    let mut out = Vec::new();
    let same = |a: &FigureTable, b: &FigureTable| match (a, b) {
        (
            FigureTable::History {
                quantity: q,
                one_per: o,
                ..
            },
            FigureTable::History {
                quantity: r,
                one_per: p,
                ..
            },
        )
        | (
            FigureTable::Error {
                quantity: q,
                one_per: o,
                ..
            },
            FigureTable::Error {
                quantity: r,
                one_per: p,
                ..
            },
        ) => q == r && o == p,
        _ => false,
    };
    for (i, figure) in file.figure.iter().enumerate() {
        let key = format!("figure[{i}].quantity");
        if file.figure[..i].iter().any(|other| same(figure, other)) {
            faults.add(
                &format!("figure[{i}]"),
                "this figure is asked for twice; its files would overwrite each other",
                "each kind once for a quantity and `one_per`; `runs` does not change the files' names",
            );
            continue;
        }
        let runs = figure.runs().clone();
        sights::selection(&runs, &format!("figure[{i}].runs"), jobs, faults);
        match figure {
            FigureTable::History {
                quantity,
                label,
                one_per,
                ..
            } => match e.columns().position(quantity) {
                None => faults.add(
                    &key,
                    format!(
                        "the history has no column `{quantity}`{}",
                        near_column(e, quantity)
                    ),
                    columns(e),
                ),
                Some(c) => out.push(FigurePlan {
                    kind: FigureKind::History,
                    quantity: quantity.clone(),
                    label: label.clone().unwrap_or_else(|| quantity.clone()),
                    unit: e.columns().channels[c].unit.into(),
                    one_per: *one_per,
                    runs,
                }),
            },
            FigureTable::Error {
                quantity, one_per, ..
            } => match e.columns().unit(quantity) {
                None => faults.add(
                    &key,
                    format!("the history has no column or group `{quantity}`"),
                    format!(
                        "{}, {}",
                        e.columns().group_names().collect::<Vec<_>>().join(", "),
                        columns(e)
                    ),
                ),
                Some(_) if file.reference.is_none() => faults.add(
                    &format!("figure[{i}].kind"),
                    "an error figure in a case without a reference",
                    "this kind only with a [reference]",
                ),
                Some(unit) => out.push(FigurePlan {
                    kind: FigureKind::Error,
                    quantity: quantity.clone(),
                    label: format!("Error of {quantity}"),
                    unit: unit.into(),
                    one_per: *one_per,
                    runs,
                }),
            },
        }
    }
    out
}

pub(super) fn reference(
    file: &CaseFile,
    model: &Model,
    (start, end): (f64, f64),
    faults: &mut Faults,
) -> ReferencePlan {
    let made = match &file.reference {
        None => return ReferencePlan::None,
        Some(ReferenceTable::Numerical {}) => {
            return ReferencePlan::Numerical {
                model: Box::new(model.clone()),
                start,
                end,
            };
        }
        Some(ReferenceTable::LagrangeTop {}) => crate::reference::lagrange_top(model, start),
        Some(ReferenceTable::FreeBody {}) => crate::reference::free_body(model, start),
    };
    match made {
        Ok(r) => ReferencePlan::Ready(r),
        Err(why) => {
            faults.add(
                "reference.kind",
                why,
                "a body of that family, or `kind = \"numerical\"`",
            );
            ReferencePlan::None
        }
    }
}
