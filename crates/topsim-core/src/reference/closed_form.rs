//! Binding of closed forms to the bodies of cases.

use super::{
    FreeBody, LagrangeTop, Numerical, RefError, ReferenceError, RowReference, Solution, bind,
    bind_jointed,
};
use crate::math::{Mat3, Vec3};
use crate::models::reduced::{AnyPotential, AnyReducedSystem, Axial, Uniform};
use crate::models::{
    Columns, InitialValueProblem, Measured, Model, Quantity, ReducedSystem, RigidTop, TorqueModel,
};
use std::sync::OnceLock;

/// Reason why a body has no closed form of the requested kind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoClosedForm {
    /// The free body was requested, but a torque acts.
    #[error("no closed form: the body is not free, a torque acts on it")]
    NotFree,
    /// The free body was requested for bodies that move in a potential.
    #[error("no closed form: the bodies move in a potential")]
    InPotential,
    /// The Lagrange top was requested, but the torque is not uniform gravity.
    #[error("no closed form: the torque is not uniform gravity")]
    NotUniformGravity,
    /// The Lagrange top was requested for bodies whose potential is not uniform or that are damped.
    #[error("no closed form: the potential is not uniform, or the bodies are damped")]
    NotUniformPotential,
    /// A torque along the momentum was requested, but neither torque nor inertia is of that kind.
    #[error(
        "no closed form: the torque is neither damping nor fixed in space along the angular momentum, \
         and the inertia does not breathe"
    )]
    NotAlongMomentum,
    /// A symmetric gyrostat was requested, but no rotor turns about an axis of symmetry.
    #[error(
        "no closed form: the body has no rotor along an axis of symmetry with the lever along it"
    )]
    NotSymmetricGyrostat,
    /// Grioli's regular precession was requested, but body or start does not satisfy its conditions.
    #[error("no closed form: body and start are not those of Grioli's regular precession")]
    NotGrioli,
    /// A permanent rotation was requested, but the body does not start as one.
    #[error("no closed form: the body does not start as one of Staude's permanent rotations")]
    NotStaude,
    /// The closed form of a body was requested for a problem with a given rate.
    #[error("no closed form of this kind: the rate is given, and no body turns")]
    GivenRate,
    /// A given motion was requested, but the problem has no given rate or gives it by components.
    #[error("no closed form: the rate does not follow from a given motion")]
    NoGivenMotion,
    /// The numbers of the body lie outside the family.
    #[error(transparent)]
    Numbers(#[from] ReferenceError),
}

/// Closed form whose clock starts at time `start`.
struct ShiftedMotion<S> {
    solution: S,
    start: f64,
    /// The body and the time until which the error is to be measured.
    measured: Option<(RigidTop<TorqueModel>, f64)>,
    certificate: OnceLock<Option<Certificate>>,
}

/// Numerical solution of the same motion, for motions that take milliseconds to compute.
struct Certificate {
    motion: Numerical<TorqueModel>,
    /// True if the closed form is so inaccurate here that the computed motion replaces it.
    sharper: bool,
}

/// Distance (rad) from the computed motion beyond which the computed motion replaces the closed form. This
/// occurs near double roots of the polynomials, where the error budget does not hold.
const FAR: f64 = 1e-12;
/// Number of times at which the closed form is compared with the computed motion.
const COMPARED: u32 = 16;

impl<S> ShiftedMotion<S> {
    fn new(solution: S, start: f64, top: Option<RigidTop<TorqueModel>>) -> Self {
        Self {
            solution,
            start,
            measured: top.map(|top| (top, start)),
            certificate: OnceLock::new(),
        }
    }
}

/// Exact motion from time 0 with a bound on its error.
pub(super) trait ClosedForm: Send + Sync + 'static {
    /// Description of the closed form for reports.
    const PROVENANCE: &'static str;
    /// Returns the attitude (body → space) and body rate (rad/s) at time `t`.
    fn at(&self, t: f64) -> (Mat3, Vec3);
    /// Returns the bound on the error of [`ClosedForm::at`] at time `t`.
    fn error(&self, t: f64) -> RefError;
}

macro_rules! forms {
    ($($of:ident: $provenance:literal;)*) => {$(
        impl ClosedForm for $of {
            const PROVENANCE: &'static str = $provenance;
            fn at(&self, t: f64) -> (Mat3, Vec3) {
                $of::at(self, t)
            }
            fn error(&self, t: f64) -> RefError {
                $of::error(self, t)
            }
        }
    )*};
}

forms! {
    FreeBody: "closed form of the free body (Jacobi's elliptic functions)";
    LagrangeTop: "closed form of the Lagrange top (Jacobi's elliptic functions)";
}

impl<S: ClosedForm> ShiftedMotion<S> {
    fn certificate(&self) -> Option<&Certificate> {
        let (top, end) = self.measured.as_ref().filter(|m| m.1 > self.start)?;
        let make = || {
            let motion = Numerical::quick_solve(top, self.start, *end)?;
            let far = |k: u32| {
                let t = self.start + (end - self.start) * f64::from(k) / f64::from(COMPARED);
                let distance = (self.solution.at(t - self.start).0 - motion.at(t).0).norm();
                !(distance <= FAR + motion.error(t).attitude)
            };
            let sharper = (1..=COMPARED).any(far);
            Some(Certificate { motion, sharper })
        };
        self.certificate.get_or_init(make).as_ref()
    }
}

impl<S: ClosedForm> Solution for ShiftedMotion<S> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        match self.certificate() {
            Some(Certificate {
                motion,
                sharper: true,
            }) => motion.at(t),
            _ => self.solution.at(t - self.start),
        }
    }
    /// Returns the distance to the computed motion plus the error of the latter; without a computed motion, the
    /// budget of the closed form.
    fn error(&self, t: f64) -> RefError {
        let Some(Certificate { motion, .. }) = self.certificate() else {
            return self.solution.error(t - self.start);
        };
        let ((att, omega), (own, rate)) = (self.at(t), motion.at(t));
        let error = motion.error(t);
        // The Frobenius norm of the difference is at least the angle between the attitudes, also for matrices
        // that are not exactly orthogonal.
        RefError {
            attitude: (att - own).norm() + error.attitude,
            rate: (omega - rate).norm() + error.rate,
        }
    }
    fn start_floor(&self, t: f64) -> Option<RefError> {
        self.certificate()?.motion.start_floor(t)
    }
    fn certify(&mut self, end: f64) {
        if let Some((_, until)) = &mut self.measured {
            *until = end;
        }
    }
    fn provenance(&self) -> String {
        match self.certificate() {
            Some(Certificate {
                motion,
                sharper: true,
            }) => motion.provenance(),
            _ => S::PROVENANCE.into(),
        }
    }
}

/// Returns the closed form of a free body, for runs that start at time `start`.
///
/// # Errors
/// [`NoClosedForm`] if a torque acts on the body, its numbers are invalid, or the model has no free body.
pub fn free_body(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| {
        let TorqueModel::NoTorque(_) = top.torque() else {
            return Err(NoClosedForm::NotFree);
        };
        let y = top.initial();
        Ok(FreeBody::new(top.inertia().tensor(), &y.att, &y.omega)?)
    })
    .unwrap_or(Err(NoClosedForm::InPotential))
}

/// Returns the closed form of a symmetric top under uniform gravity, for runs that start at time `start`.
///
/// # Errors
/// [`NoClosedForm`] if the torque is not uniform gravity, or the body is not symmetric about its lever.
pub fn lagrange_top(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    if let Model::Reduced(reduced) = model {
        return lagrange_reduced(reduced, start);
    }
    bind_form(model, start, |top| {
        let TorqueModel::Gravity(g) = top.torque() else {
            return Err(NoClosedForm::NotUniformGravity);
        };
        let (tensor, y) = (top.inertia().tensor(), top.initial());
        let (weight, lever, up) = (g.weight(), g.lever(), g.up());
        Ok(LagrangeTop::new(
            tensor, weight, lever, up, &y.att, &y.omega,
        )?)
    })
    .unwrap_or(Err(NoClosedForm::NotUniformPotential))
}

/// Solves the rotation of a body in closed form and binds it to the columns of the body; `None` for models
/// without an attitude.
pub(super) fn bind_form<S: ClosedForm>(
    model: &Model,
    start: f64,
    solve: impl Fn(&RigidTop<TorqueModel>) -> Result<S, NoClosedForm>,
) -> Option<Result<Box<dyn RowReference>, NoClosedForm>> {
    let top = match model {
        Model::Top(top) => {
            RigidTop::new(top.inertia.clone(), top.torque.clone(), top.initial.clone())
        }
        Model::Jointed(jointed) => jointed.top().clone(),
        Model::Reduced(_) => return None,
        Model::GivenRate(_) => return Some(Err(NoClosedForm::GivenRate)),
    };
    Some(solve(&top).map(|solution| {
        let shifted = ShiftedMotion::new(solution, start, Some(top.clone()));
        match model {
            Model::Jointed(jointed) => bind_jointed(jointed, start, shifted),
            _ => bind(top, shifted),
        }
    }))
}

/// Returns the closed form of a symmetric body in a uniform potential, in the columns of reduced systems.
fn lagrange_reduced(
    reduced: &AnyReducedSystem,
    start: f64,
) -> Result<Box<dyn RowReference>, NoClosedForm> {
    let (AnyPotential::Uniform(potential), true) = (&reduced.potential, reduced.damping.is_zero())
    else {
        return Err(NoClosedForm::NotUniformPotential);
    };
    let (body, y) = (&reduced.bodies[0], &reduced.initial[0]);
    // Any attitude with this axis will do, because reduced systems do not contain the spin angle.
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
    let problem = ReducedSystem::new(
        &reduced.bodies,
        *potential,
        reduced.damping,
        &reduced.initial,
    );
    Ok(Box::new(ReducedTop {
        columns: problem.columns(),
        problem,
        moments,
        solution: ShiftedMotion::new(solution, start, None),
    }))
}

struct ReducedTop {
    problem: ReducedSystem<Uniform>,
    columns: Columns,
    moments: Vec3,
    solution: ShiftedMotion<LagrangeTop>,
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
