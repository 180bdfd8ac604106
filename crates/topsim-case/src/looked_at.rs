//! What is looked at in the runs of a problem: events, and the reference.

use crate::file::{CaseFile, EventKindName, ReferenceTable};
use strict_toml::{Faults, meant, nearest};
use topsim_core::integration::{EventKind, EventSpec, Experiment};
use topsim_core::models::Model;
use topsim_core::reference::{self, ReferencePlan};

fn near_column(e: &dyn Experiment, name: &str) -> String {
    let names: Vec<&str> = e.columns().names().collect();
    meant(nearest(name, &names))
}

fn columns(e: &dyn Experiment) -> String {
    e.columns().names().collect::<Vec<_>>().join(", ")
}

pub(crate) fn events(file: &CaseFile, e: &dyn Experiment, faults: &mut Faults) -> Vec<EventSpec> {
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

pub(crate) fn reference(
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
        Some(ReferenceTable::LagrangeTop {}) => reference::lagrange_top(model, start),
        Some(ReferenceTable::FreeBody {}) => reference::free_body(model, start),
    };
    match made {
        Ok(r) => ReferencePlan::Ready(r),
        Err(why) => {
            faults.add(
                "reference.kind",
                why.to_string(),
                "a body of that family, or `kind = \"numerical\"`",
            );
            ReferencePlan::None
        }
    }
}
