//! Kinds of references, selected by name or by the problem.

use super::along_momentum::along_momentum;
use super::gyrostat::gyrostat;
use super::precession::{grioli, staude};
use super::{NoClosedForm, RowReference, free_body, given_motion, lagrange_top};
use crate::models::Model;
use serde::Deserialize;

/// Kind of reference: a numerical computation, or the closed form of a family of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ReferenceKind {
    /// Closed form of a symmetric top under gravity.
    LagrangeTop,
    /// Closed form of a free body.
    FreeBody,
    /// Closed form of a body with a breathing inertia or a torque along its angular momentum (damping, or a
    /// torque fixed in space that is along the momentum or acts on a body at rest): the free motion with another
    /// dependence on time.
    AlongMomentum,
    /// Closed form of a body with a rotor along its axis of symmetry.
    Gyrostat,
    /// Closed form of Grioli's regular precession of an asymmetric heavy body.
    Grioli,
    /// Closed form of Staude's permanent rotations of a heavy body.
    Staude,
    /// Motion from which a given rate was derived.
    GivenMotion,
    /// Numerical solution: Taylor series in double-double, or Gauss collocation for motions without a
    /// recurrence.
    Numerical,
}

impl ReferenceKind {
    /// Kinds of closed forms, in the order in which they are tried.
    pub const CLOSED: [Self; 7] = [
        Self::FreeBody,
        Self::LagrangeTop,
        Self::Staude,
        Self::Grioli,
        Self::Gyrostat,
        Self::AlongMomentum,
        Self::GivenMotion,
    ];

    /// Returns the closed form of a body, for runs that start at time `start`; `None` for
    /// [`ReferenceKind::Numerical`].
    ///
    /// # Errors
    /// [`NoClosedForm`], with the reason why the body does not belong to the family.
    pub fn closed_form(
        self,
        model: &Model,
        start: f64,
    ) -> Result<Option<Box<dyn RowReference>>, NoClosedForm> {
        match self {
            Self::FreeBody => free_body(model, start),
            Self::LagrangeTop => lagrange_top(model, start),
            Self::AlongMomentum => along_momentum(model, start),
            Self::Gyrostat => gyrostat(model, start),
            Self::Grioli => grioli(model, start),
            Self::Staude => staude(model, start),
            Self::GivenMotion => given_motion(model, start),
            Self::Numerical => return Ok(None),
        }
        .map(Some)
    }
}
