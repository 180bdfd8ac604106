//! The body of a case, of whichever family.

use crate::file::{CaseFile, PotentialTable};
use crate::resolve_body::{flight, inertia, initial_state, torque};
use crate::resolve_jointed::jointed;
use crate::resolve_reduced::reduced;
use strict_toml::Faults;
use topsim_core::models::{AnyTop, Jointed, Model};

/// The bodies of the case, of whichever family.
pub(crate) fn model(
    file: &CaseFile,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<Model> {
    let several =
        !file.particle.is_empty() || matches!(file.potential, Some(PotentialTable::Dipoles { .. }));
    let inertia = file
        .body
        .as_ref()
        .and_then(|body| inertia(body, faults, warnings));
    let state = file
        .initial
        .as_ref()
        .and_then(|table| initial_state(table, inertia.as_ref(), faults));
    for (key, missing, inside) in [
        ("body", file.body.is_none(), "inertia"),
        ("initial", file.initial.is_none(), "angular_velocity"),
    ] {
        if missing && !several {
            faults.add(
                "",
                format!("missing key `{key}`"),
                format!("the table [{key}], with {inside}"),
            );
        }
    }
    if file.support.is_none() {
        only_with_a_support(file, faults);
    }
    if let (Some(potential), None) = (&file.potential, &file.support) {
        let whole = inertia.zip(state);
        return reduced(file, potential, whole, faults, warnings).map(Model::Reduced);
    }
    if let Some(support) = &file.support {
        let whole = inertia.zip(state);
        return jointed(file, support, whole, faults).map(Model::Jointed);
    }
    only_in_a_potential(file, faults);
    let torque = torque(file.torque.as_ref(), faults);
    match flight(file, faults) {
        Some(flight) => Some(Model::Jointed(Jointed::flight(inertia?, state?, flight))),
        None => Some(Model::Top(AnyTop {
            inertia: inertia?,
            torque: torque?,
            initial: state?,
        })),
    }
}

/// Accelerations at the start mean something to schemes that carry them only.
fn only_with_a_support(file: &CaseFile, faults: &mut Faults) {
    let start = file.initial.as_ref();
    for (key, given) in [
        ("acceleration", start.and_then(|s| s.acceleration)),
        (
            "angular_acceleration",
            start.and_then(|s| s.angular_acceleration),
        ),
    ] {
        if given.is_some() {
            faults.add(
                &format!("initial.{key}"),
                format!("`{key}` in a case without a [support]"),
                "this key only beside a [support]",
            );
        }
    }
}

/// Keys that mean nothing to a body whose attitude is followed.
fn only_in_a_potential(file: &CaseFile, faults: &mut Faults) {
    let start = file.initial.as_ref();
    for (key, given) in [
        ("particle", !file.particle.is_empty()),
        ("damping", file.damping.is_some()),
        (
            "body.mass",
            file.body.as_ref().is_some_and(|b| b.mass.is_some()),
        ),
        ("initial.axis", start.is_some_and(|s| s.axis.is_some())),
        (
            "initial.position",
            start.is_some_and(|s| s.position.is_some()),
        ),
        (
            "initial.velocity",
            start.is_some_and(|s| s.velocity.is_some()),
        ),
    ] {
        if given {
            faults.add(
                key,
                format!("`{key}` in a case without a [potential]"),
                "this key only beside a [potential], or for some a [support] (a joint, or a free body); a flying body has a [flight]",
            );
        }
    }
}
