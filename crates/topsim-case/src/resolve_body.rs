//! The body of a case: inertia, torque, initial state.

use crate::file::{BodyTable, CaseFile, InertiaValue, InitialTable};
use crate::initial::{self, EulerSequence, InitialAttitude};
use crate::refuse::{check_mass, given, refuse};
use strict_toml::{Faults, short};
use topsim_core::math::fine::FineVec;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{
    Flight, Frame, GravityParameters, Inertia, InertiaError, NoTorque, RotState, Start,
    TorqueModel, TorqueTable,
};

pub(crate) fn inertia(
    body: &BodyTable,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<Inertia> {
    let made = match &body.inertia {
        InertiaValue::Moments(m) => Inertia::diagonal(Vec3::from(*m)),
        InertiaValue::Tensor(rows) => Inertia::new(Mat3::from_fn(|i, j| rows[i][j])),
    };
    let allowed = "a symmetric, positive definite tensor, or three positive moments";
    let refused = |e: InertiaError| faults.add("body.inertia", e.to_string(), allowed);
    let inertia = made.map_err(refused).ok()?;
    let m = inertia.moments();
    if !inertia.inverse().iter().sum::<f64>().is_finite() || !(m.z * m.z).is_finite() {
        let [x, y, z] = [m.x, m.y, m.z].map(short);
        let found = format!(
            "the principal moments {x}, {y} and {z} leave no room for products and inverses"
        );
        let allowed = "moments of a size between 1e-150 and 1e150";
        faults.add("body.inertia", found, allowed);
        return None;
    }
    match (inertia.triangle_excess(), &body.nonphysical) {
        (Some(excess), None) => faults.add(
            "body.inertia",
            format!(
                "the largest moment {} exceeds the sum of the other two, {} and {}, by {excess}: no mass distribution has it",
                m.z, m.x, m.y
            ),
            "moments that obey the triangle inequality, or `nonphysical = \"why\"` beside them",
        ),
        (Some(excess), Some(why)) => warnings.push(format!(
            "the body cannot exist: its largest moment exceeds the sum of the other two by {excess} ({why})"
        )),
        (None, Some(_)) => faults.add(
            "body.nonphysical",
            "the body obeys the triangle inequality",
            "this key only beside an inertia that does not",
        ),
        (None, None) => {}
    }
    Some(inertia)
}

pub(crate) fn torque(
    table: Option<&TorqueTable>,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<TorqueModel> {
    let Some(table) = table else {
        return Some(NoTorque.into());
    };
    if let TorqueTable::Gravity(gravity) = table {
        gravity_notes(gravity, warnings);
    }
    table
        .torque()
        .map_err(|e| faults.add(&format!("torque.{}", e.key), e.found, e.allowed))
        .ok()
}

/// Largest deviation of the length of `up` from 1 that its decimals may leave.
const UNIT: f64 = 1e-6;

/// Adds notes on a gravity that may not be meant.
fn gravity_notes(gravity: &GravityParameters, warnings: &mut Vec<String>) {
    let mut note = |is_so: bool, text: String| {
        if is_so {
            warnings.push(text);
        }
    };
    let weight = gravity.weight;
    note(
        weight < 0.0,
        format!(
            "`torque.weight` is {}: a negative weight pulls along `up`",
            short(weight)
        ),
    );
    let lever = gravity.lever;
    note(
        lever == [0.0; 3],
        "`torque.lever` is zero: gravity has no torque about the fixed point".into(),
    );
    let length = Vec3::from(gravity.up).norm();
    note(
        (length - 1.0).abs() > UNIT,
        format!(
            "`torque.up` has the length {}: it is a direction, and `weight` alone is the force",
            short(length)
        ),
    );
}

pub(crate) fn flight(file: &CaseFile, faults: &mut Faults) -> Option<Flight> {
    let table = file.flight.as_ref()?;
    check_mass("flight.mass", table.mass, faults);
    refuse! { faults;
        !matches!(file.torque, None | Some(TorqueTable::NoTorque(_))) => "flight",
            "a flight beside a torque: a spatial body turns freely about its centre of mass",
            "[flight] without [torque]";
    }
    Some(Flight {
        mass: table.mass,
        position: Vec3::from(table.position),
        velocity: Vec3::from(table.velocity),
        gravity: Vec3::from(table.gravity),
    })
}

/// Makes the attitude at the start.
pub(crate) fn initial_attitude(
    table: &InitialTable,
    faults: &mut Faults,
) -> Option<InitialAttitude> {
    let all = ["rotation_vector", "quaternion", "matrix", "euler", "axis"];
    let given = given(faults, "initial", &all);
    if let [_, second, ..] = given[..] {
        let (count, all) = (given.len(), given.join(", "));
        faults.add(
            &format!("initial.{second}"),
            format!("the attitude is given {count} times: {all}"),
            "one of rotation_vector, quaternion, matrix, euler, axis",
        );
        return None;
    }
    let (key, att) = if let Some(v) = table.rotation_vector {
        ("rotation_vector", Ok(initial::from_vector(&v)))
    } else if let Some(q) = &table.quaternion {
        ("quaternion", initial::from_quaternion(q))
    } else if let Some(m) = &table.matrix {
        ("matrix", initial::from_rows(m))
    } else if let Some(e) = &table.euler {
        ("euler", initial::from_euler(e))
    } else if let Some(a) = &table.axis {
        ("axis", initial::from_axis(a))
    } else {
        ("", Ok(InitialAttitude::identity()))
    };
    match att {
        Ok(att) => Some(att),
        Err(why) => {
            let allowed = match key {
                "quaternion" => "a quaternion (w, x, y, z) of length 1 within 1e-9",
                "axis" => "a direction, of any length but zero",
                "matrix" => "a rotation matrix, orthogonal within 1e-9, determinant 1",
                _ => EulerSequence::ALLOWED,
            };
            faults.add(&format!("initial.{key}"), why.to_string(), allowed);
            None
        }
    }
}

/// Makes attitude and rate at the start; `inertia` turns a momentum into a rate.
pub(crate) fn initial_state(
    table: &InitialTable,
    inertia: Option<&Inertia>,
    faults: &mut Faults,
) -> Option<Start> {
    let InitialAttitude { rounded, exact } = initial_attitude(table, faults)?;
    let body = |v: &[f64; 3]| {
        let given = Vec3::from(*v);
        match table.frame {
            Frame::Body => (given, given.into()),
            Frame::Space => (
                rounded.tr_mul(&given),
                exact.transpose().apply(&FineVec::from(given)),
            ),
        }
    };
    let (omega, exact_omega) = match (&table.angular_velocity, &table.angular_momentum) {
        (Some(w), None) => body(w),
        (None, Some(l)) => {
            let (l, exact) = body(l);
            let inertia = inertia?;
            let inverse = inertia.fine().inverse();
            (inertia.solve(&l), inverse.apply(&exact))
        }
        (velocity, _) => {
            refuse! { faults;
                velocity.is_some() => "initial.angular_momentum",
                    "an angular momentum beside an angular velocity", "one of them";
                velocity.is_none() => "initial", "missing key `angular_velocity`",
                    "the angular velocity, or `angular_momentum` instead";
            }
            return None;
        }
    };
    let state = RotState {
        att: rounded,
        omega,
    };
    Some(Start::new(state, exact, exact_omega))
}
