//! Closed forms bound to the bodies of cases.

use super::{
    FreeBody, LagrangeTop, RefError, ReferenceError, RowReference, Solution, bind, bind_jointed,
};
use crate::math::{Mat3, Vec3};
use crate::models::Inertia;
use crate::models::reduced::{AnyPotential, AnyReduced, Axial, Uniform};
use crate::models::{
    Columns, Measured, Model, Problem, Quantity, Reduced, RigidTop, RotState, TorqueModel,
};

/// Why a body has no closed form.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoClosedForm {
    /// That of the free body was asked for.
    #[error("no closed form: the body is not free, a torque acts on it")]
    NotFree,
    /// That of the free body was asked for, of reduced bodies.
    #[error("no closed form: the bodies move in a potential")]
    InPotential,
    /// That of the Lagrange top was asked for.
    #[error("no closed form: the torque is not uniform gravity")]
    NotUniformGravity,
    /// That of the Lagrange top was asked for, of reduced bodies.
    #[error("no closed form: it knows uniform potentials only, and no damping")]
    NotUniformPotential,
    /// The numbers of the body are outside the family.
    #[error(transparent)]
    Numbers(#[from] ReferenceError),
}

/// A closed form whose clock starts at `start`.
struct Shifted<S> {
    solution: S,
    start: f64,
}

macro_rules! solutions {
    ($($of:ident: $provenance:literal;)*) => {$(
        impl Solution for Shifted<$of> {
            fn at(&self, t: f64) -> (Mat3, Vec3) {
                self.solution.at(t - self.start)
            }
            fn error(&self, t: f64) -> RefError {
                self.solution.error(t - self.start)
            }
            fn provenance(&self) -> String {
                $provenance.into()
            }
        }
    )*};
}

solutions! {
    FreeBody: "closed form of the free body (Jacobi's elliptic functions)";
    LagrangeTop: "closed form of the Lagrange top (Jacobi's elliptic functions)";
}

/// The closed form of a free body, for runs that start at time `start`.
///
/// # Errors
/// [`NoClosedForm`].
pub fn free_body(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    let solve = |inertia: &Inertia, y: &RotState| {
        FreeBody::new(inertia.tensor(), &y.att, &y.omega)
            .map(|solution| Shifted { solution, start })
    };
    match model {
        Model::Top(top) => {
            let TorqueModel::Free(torque) = &top.torque else {
                return Err(NoClosedForm::NotFree);
            };
            let solution = solve(&top.inertia, &top.initial)?;
            let top = RigidTop::new(top.inertia.clone(), torque.clone(), top.initial);
            Ok(bind(top, solution))
        }
        Model::Jointed(jointed) => {
            let TorqueModel::Free(_) = jointed.top().torque() else {
                return Err(NoClosedForm::NotFree);
            };
            let solution = solve(jointed.top().inertia(), &jointed.top().initial())?;
            Ok(bind_jointed(jointed, start, solution))
        }
        Model::Reduced(_) => Err(NoClosedForm::InPotential),
    }
}

/// The closed form of a symmetric top under gravity, for runs that start at time `start`.
///
/// # Errors
/// [`NoClosedForm`].
pub fn lagrange_top(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    let solve = |inertia: &Inertia, torque: &TorqueModel, y: &RotState| {
        let TorqueModel::Gravity(g) = torque else {
            return Err(NoClosedForm::NotUniformGravity);
        };
        let (tensor, up) = (inertia.tensor(), g.up());
        LagrangeTop::new(tensor, g.weight(), g.lever(), up, &y.att, &y.omega)
            .map(|solution| (g.clone(), Shifted { solution, start }))
            .map_err(NoClosedForm::from)
    };
    match model {
        Model::Top(top) => {
            let (g, solution) = solve(&top.inertia, &top.torque, &top.initial)?;
            let top = RigidTop::new(top.inertia.clone(), g, top.initial);
            Ok(bind(top, solution))
        }
        Model::Jointed(jointed) => {
            let top = jointed.top();
            let (_, solution) = solve(top.inertia(), top.torque(), &top.initial())?;
            Ok(bind_jointed(jointed, start, solution))
        }
        Model::Reduced(reduced) => lagrange_reduced(reduced, start),
    }
}

/// The closed form of a symmetric body in a uniform potential, in the columns of reduced systems.
fn lagrange_reduced(
    reduced: &AnyReduced,
    start: f64,
) -> Result<Box<dyn RowReference>, NoClosedForm> {
    let (AnyPotential::Uniform(potential), true) = (&reduced.potential, reduced.damping.is_zero())
    else {
        return Err(NoClosedForm::NotUniformPotential);
    };
    let (body, y) = (&reduced.bodies[0], &reduced.initial[0]);
    // Any attitude with this axis: the spin is forgotten again.
    let att = crate::math::so3::frame_with_third(&y.axis);
    let moments = Vec3::new(body.theta1, body.theta1, body.theta3);
    let omega = att.tr_mul(&y.momentum).component_div(&moments);
    let strength = potential.field.norm();
    let (weight, up) = if strength > 0.0 {
        (strength, potential.field / strength)
    } else {
        (0.0, Vec3::z())
    };
    let tensor = Mat3::from_diagonal(&moments);
    let solution = LagrangeTop::new(&tensor, weight, &Vec3::z(), &up, &att, &omega)?;
    let problem = Reduced::new(
        &reduced.bodies,
        *potential,
        reduced.damping,
        &reduced.initial,
    );
    Ok(Box::new(ReducedTop {
        columns: problem.columns(),
        problem,
        moments,
        solution: Shifted { solution, start },
    }))
}

struct ReducedTop {
    problem: Reduced<Uniform>,
    columns: Columns,
    moments: Vec3,
    solution: Shifted<LagrangeTop>,
}

impl ReducedTop {
    fn state(&self, t: f64) -> Axial {
        let (att, omega) = self.solution.at(t);
        Axial {
            position: Vec3::zeros(),
            velocity: Vec3::zeros(),
            axis: att.column(2).into(),
            momentum: att * self.moments.component_mul(&omega),
        }
    }
}

impl RowReference for ReducedTop {
    fn provenance(&self) -> String {
        self.solution.provenance()
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        self.problem.measure(t, &[self.state(t)], row);
    }
    fn columns(&self) -> &Columns {
        &self.columns
    }
    fn error_of(&self, t: f64, quantity: Quantity) -> f64 {
        let RefError { attitude, rate } = self.solution.error(t);
        let momentum = self.state(t).momentum.norm();
        let momentum_error = self.moments.amax() * rate + momentum * attitude;
        match quantity {
            Quantity::Axis => attitude,
            Quantity::SpatialMomentum => momentum_error,
            Quantity::Energy | Quantity::EnergyDrift => {
                let slope = momentum / self.moments.amin();
                slope * momentum_error + self.problem.potential().field.norm() * attitude
            }
            _ => f64::INFINITY,
        }
    }
}
