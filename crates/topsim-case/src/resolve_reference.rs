//! Events and the reference of a problem.

use crate::file::CaseFile;
use crate::refuse::refuse;
use strict_toml::{Faults, meant, nearest};
use topsim_core::integration::{EventSpec, Experiment};
use topsim_core::models::Model;
use topsim_core::reference::ReferencePlan;

pub(crate) fn events(file: &CaseFile, e: &Experiment, faults: &mut Faults) -> Vec<EventSpec> {
    let mut out: Vec<EventSpec> = Vec::new();
    for (i, event) in file.event.iter().enumerate() {
        refuse! { faults;
            out.iter().any(|o| o.name == event.name) => &format!("event[{i}].name"),
                format!("the event `{}` is given twice", event.name), "a name of its own for each event";
        }
        let Some(column) = e.columns().position(&event.quantity) else {
            let names: Vec<&str> = e.columns().names().collect();
            let meant = meant(nearest(&event.quantity, &names));
            let found = format!("the history has no column `{}`{meant}", event.quantity);
            faults.add(&format!("event[{i}].quantity"), found, names.join(", "));
            continue;
        };
        out.push(EventSpec {
            name: event.name.clone(),
            column,
            level: event.level,
            kind: event.kind,
        });
    }
    out
}

pub(crate) fn reference(
    file: &CaseFile,
    model: &Model,
    span: (f64, f64),
    faults: &mut Faults,
) -> ReferencePlan {
    let Some(table) = &file.reference else {
        return ReferencePlan::None;
    };
    ReferencePlan::new(table.kind, model, span).unwrap_or_else(|why| {
        let allowed =
            "a body of that family, `kind = \"numerical\"`, or no `kind`: it is then chosen";
        faults.add("reference.kind", why.to_string(), allowed);
        // What compares with a reference is not told that there is none.
        ReferencePlan::Numerical {
            model: Box::new(model.clone()),
            start: span.0,
            end: span.1,
        }
    })
}
