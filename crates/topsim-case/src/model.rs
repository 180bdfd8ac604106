//! The body of a case, of any family.

use crate::file::{CaseFile, PotentialTable};
use crate::refuse::{given, refuse};
use crate::resolve_body::{flight, inertia, initial_state, torque};
use crate::resolve_jointed::jointed;
use crate::resolve_rate::given_rate;
use crate::resolve_reduced::reduced;
use strict_toml::Faults;
use topsim_core::models::{AnyTop, JointedBody, Model};

/// Makes the model of the bodies of the case, of any family.
pub(crate) fn model(
    file: &CaseFile,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<Model> {
    if let Some(rate) = &file.rate {
        return given_rate(file, rate, faults).map(Model::GivenRate);
    }
    let several =
        !file.particle.is_empty() || matches!(file.potential, Some(PotentialTable::Dipoles { .. }));
    let (body, start) = (file.body.as_ref(), file.initial.as_ref());
    let inertia = body.and_then(|body| inertia(body, faults, warnings));
    let state = start.and_then(|table| initial_state(table, inertia.as_ref(), faults));
    refuse! { faults;
        body.is_none() && !several => "", "missing key `body`", "the table [body], with inertia";
        start.is_none() && !several =>
            "", "missing key `initial`", "the table [initial], with angular_velocity";
    }
    if file.support.is_none() {
        only_with_a_support(faults);
    }
    if let Some(support) = &file.support {
        return jointed(file, support, inertia.zip(state), faults).map(Model::Jointed);
    }
    if let Some(potential) = &file.potential {
        let whole = inertia.zip(state);
        return reduced(file, potential, whole, faults, warnings).map(Model::Reduced);
    }
    only_in_a_potential(faults);
    let torque = torque(file.torque.as_ref(), faults, warnings);
    match flight(file, faults) {
        Some(flight) => Some(Model::Jointed(JointedBody::flight(
            inertia?, state?, flight,
        ))),
        None => Some(Model::Top(AnyTop {
            inertia: inertia?,
            torque: torque?,
            initial: state?,
        })),
    }
}

/// Refuses accelerations at the start, which only schemes that carry accelerations use.
fn only_with_a_support(faults: &mut Faults) {
    for key in given(faults, "initial", &["acceleration", "angular_acceleration"]) {
        faults.add(
            &format!("initial.{key}"),
            format!("`{key}` in a case without a [support]"),
            "this key only beside a [support]",
        );
    }
}

/// Refuses keys that have no meaning for a body whose attitude is followed.
fn only_in_a_potential(faults: &mut Faults) {
    let keys = [
        "particle",
        "damping",
        "body.mass",
        "initial.axis",
        "initial.position",
        "initial.velocity",
    ];
    for key in given(faults, "", &keys) {
        faults.add(
            key,
            format!("`{key}` in a case without a [potential]"),
            "this key only beside a [potential], or for some a [support] (a joint, or a free body); a spatial body has a [flight]",
        );
    }
}
