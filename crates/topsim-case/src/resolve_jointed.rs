//! A body whose centre of mass is a coordinate, with a joint or none.

use crate::file::{CaseFile, InitialTable, JointName, SupportTable};
use crate::refuse::{check_mass, given, refuse};
use crate::run_plan::LabelledScheme;
use strict_toml::{Faults, short};
use topsim_core::math::Vec3;
use topsim_core::models::jointed::{GivenStart, JointedBody, JointedError, JointedParts, Support};
use topsim_core::models::{Constant, Inertia, Start};

/// Largest difference of a given acceleration from the consistent one, relative to it: the error of rounding to five digits.
const CONSISTENT: f64 = 1e-4;
/// Largest difference of a given acceleration from the consistent one, relative to the terms whose sum it is.
const ROUNDING: f64 = 1e-12;

/// Makes the body; `whole` is its inertia about the centre of mass with its rotation.
pub(crate) fn jointed(
    file: &CaseFile,
    support: &SupportTable,
    whole: Option<(Inertia, Start)>,
    faults: &mut Faults,
) -> Option<JointedBody> {
    let others = ["torque", "potential", "flight", "damping", "particle"];
    for key in given(faults, "", &others) {
        let found = format!("`{key}` beside a [support]");
        faults.add(key, found, "`gravity`, `force` and `torque` in [support]");
    }
    let mass = file.body.as_ref().and_then(|b| b.mass);
    if let Some(mass) = mass {
        check_mass("body.mass", mass, faults);
    }
    refuse! { faults;
        file.body.is_some() && mass.is_none() => "body",
            "a body whose centre of mass moves, without its mass", "`mass` in [body], in kg";
        file.body.as_ref().is_some_and(|b| b.nonphysical.is_some()) => "body.nonphysical",
            "a body that cannot exist, with a centre of mass of its own",
            "moments about the centre of mass that obey the triangle inequality";
    }
    let start = file.initial.as_ref();
    let place = place(support, start, faults);
    let (inertia, rotation) = whole?;
    let (mass, place, start) = (mass?, place?, start?);
    let vector = |v: Option<[f64; 3]>| v.map(Vec3::from);
    let begun = GivenStart {
        angular_acceleration: vector(start.angular_acceleration),
        acceleration: vector(start.acceleration),
        // The velocity of a free body is part of its state.
        velocity: vector(start.velocity).filter(|_| support.joint == JointName::Spherical),
    };
    let parts = JointedParts {
        force: support.force.into(),
        torque: Constant {
            torque: support.torque.into(),
            frame: support.frame,
        },
        given: (begun != GivenStart::default()).then_some(begun),
        ..JointedParts::new(mass, inertia, place, support.gravity.into(), rotation)
    };
    match JointedBody::new(parts) {
        Ok(body) => Some(body),
        Err(e) => {
            let key = match e {
                JointedError::Mass(_) => "body.mass",
                JointedError::Triangle { .. } | JointedError::JointInertia(_) => "body.inertia",
                JointedError::NoLever => "support.lever",
                JointedError::NotRotation(_) => "initial",
                JointedError::NotFinite { .. } => "support",
            };
            // A fault that is reported already is not reported twice.
            refuse! { faults;
                faults.list.is_empty() => key, e.to_string(), "a body that can exist, held at a distance";
            }
            None
        }
    }
}

/// Makes the support that holds the body.
fn place(
    support: &SupportTable,
    start: Option<&InitialTable>,
    faults: &mut Faults,
) -> Option<Support> {
    match (support.joint, support.lever) {
        (JointName::Spherical, Some(lever)) => {
            refuse! { faults;
                lever == [0.0; 3] => "support.lever",
                    "a lever of no length: the joint is at the centre of mass",
                    "a vector from the joint to the centre of mass, or `joint = \"none\"`";
                start.is_some_and(|s| s.angular_momentum.is_some()) => "initial.angular_momentum",
                    "an angular momentum beside a joint, about which of the two points?",
                    "`angular_velocity`";
                start.is_some_and(|s| s.position.is_some()) => "initial.position",
                    "the position of a body whose joint holds it",
                    "this key only with `joint = \"none\"`: the attitude says where the body is";
            }
            Some(Support::Joint {
                lever: lever.into(),
            })
        }
        (JointName::Spherical, None) => {
            let found = "a joint without the lever to the centre of mass";
            faults.add("support", found, "`lever` in [support], m, body frame");
            None
        }
        (JointName::None, Some(_)) => {
            let allowed = "this key only with `joint = \"spherical\"`";
            faults.add("support.lever", "a lever without a joint", allowed);
            None
        }
        (JointName::None, None) => {
            let vector = |v: Option<[f64; 3]>| Vec3::from(v.unwrap_or_default());
            Some(Support::None {
                position: vector(start.and_then(|s| s.position)),
                velocity: vector(start.and_then(|s| s.velocity)),
            })
        }
    }
}

/// Refuses a start that breaks the equations of motion, unless a scheme asks for the start as given.
pub(crate) fn check_consistent(
    body: &JointedBody,
    schemes: &[LabelledScheme],
    faults: &mut Faults,
) {
    let Some(found) = body.inconsistency() else {
        return;
    };
    if schemes.iter().any(|s| s.experiment.starts_as_given()) {
        return;
    }
    let write = |v: &Vec3| format!("[{}, {}, {}]", short(v.x), short(v.y), short(v.z));
    let [turn, push, speed] = body.term_sizes();
    for (key, [given, right], terms) in [
        ("angular_acceleration", found.angular_acceleration, turn),
        ("acceleration", found.acceleration, push),
        ("velocity", found.velocity, speed),
    ] {
        // Where the terms cancel, the right value is their round-off.
        let bound = CONSISTENT * right.norm() + ROUNDING * terms;
        if !((given - right).norm() <= bound) {
            let (found, right) = (write(&given), write(&right));
            faults.add(
                &format!("initial.{key}"),
                format!("found {found}, the equations of motion and the joint give {right}"),
                "the consistent value, or no such key; or a scheme that asks for it: `{ name = \"gen_alpha\", start = \"as_given\" }`",
            );
        }
    }
}
