//! What is looked at in the runs of a problem: events, and the reference.

use crate::file::{CaseFile, ReferenceTable};
use crate::refuse::refuse;
use strict_toml::{Faults, meant, nearest};
use topsim_core::integration::{EventSpec, Experiment};
use topsim_core::models::Model;
use topsim_core::reference::{self, ReferencePlan};

pub(crate) fn events(file: &CaseFile, e: &dyn Experiment, faults: &mut Faults) -> Vec<EventSpec> {
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
        Some(ReferenceTable::GivenMotion {}) => reference::given_motion(model, start),
    };
    match made {
        Ok(mut reference) => {
            reference.certify(end);
            ReferencePlan::Ready(reference)
        }
        Err(why) => {
            let allowed = "a body of that family, or `kind = \"numerical\"`";
            faults.add("reference.kind", why.to_string(), allowed);
            ReferencePlan::None
        }
    }
}
