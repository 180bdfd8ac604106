//! Closed forms bound to the bodies of cases; a body outside their family is refused in words.

use super::{FreeBody, LagrangeTop, RefError, RowReference, Solution, bind, bind_flight};
use crate::math::{Mat3, Vec3};
use crate::models::Inertia;
use crate::models::{Model, Problem, RigidTop, RotState, TorqueModel};

/// A closed form whose clock starts at `start`.
struct Shifted<S> {
    solution: S,
    start: f64,
}

impl Solution for Shifted<FreeBody> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        self.solution.at(t - self.start)
    }
    fn error(&self, t: f64) -> RefError {
        self.solution.error(t - self.start)
    }
    fn provenance(&self) -> String {
        "closed form of the free body (Jacobi's elliptic functions)".into()
    }
}

impl Solution for Shifted<LagrangeTop> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        self.solution.at(t - self.start)
    }
    fn error(&self, t: f64) -> RefError {
        self.solution.error(t - self.start)
    }
    fn provenance(&self) -> String {
        "closed form of the Lagrange top (Jacobi's elliptic functions)".into()
    }
}

/// The closed form of a free body, for runs that start at time `start`.
///
/// # Errors
/// Says why the body is not of that family.
pub fn free_body(model: &Model, start: f64) -> Result<Box<dyn RowReference>, String> {
    let solve = |inertia: &Inertia, y: &RotState| {
        FreeBody::new(inertia.tensor(), &y.att, &y.omega)
            .map(|solution| Shifted { solution, start })
            .map_err(|e| e.to_string())
    };
    match model {
        Model::Flying(flying) => {
            let solution = solve(flying.body().inertia(), &flying.body().initial())?;
            Ok(bind_flight(flying, start, solution))
        }
        Model::Top(top) => {
            let TorqueModel::Free(torque) = &top.torque else {
                return Err("no closed form: the body is not free, a torque acts on it".into());
            };
            let solution = solve(&top.inertia, &top.initial)?;
            let top = RigidTop::new(top.inertia.clone(), torque.clone(), top.initial);
            Ok(bind(top, solution))
        }
    }
}

/// The closed form of a symmetric top under gravity, for runs that start at time `start`.
///
/// # Errors
/// Says why the body is not of that family.
pub fn lagrange_top(model: &Model, start: f64) -> Result<Box<dyn RowReference>, String> {
    let (top, g) = match model {
        Model::Top(top) => match &top.torque {
            TorqueModel::Gravity(g) => Some((top, g)),
            _ => None,
        },
        Model::Flying(_) => None,
    }
    .ok_or("no closed form: the torque is not uniform gravity")?;
    let y = &top.initial;
    let solution = LagrangeTop::new(
        top.inertia.tensor(),
        g.weight(),
        g.lever(),
        g.up(),
        &y.att,
        &y.omega,
    )
    .map_err(|e| e.to_string())?;
    let top = RigidTop::new(top.inertia.clone(), g.clone(), *y);
    Ok(bind(top, Shifted { solution, start }))
}
