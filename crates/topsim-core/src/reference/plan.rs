//! Choice of the reference of a problem, and its computation.

use super::{
    LEAST_NUMERICAL_ERROR, NoClosedForm, Numerical, NumericalError, ReducedMotion, ReferenceKind,
    RowReference, bind, bind_jointed, given_rate,
};
use crate::models::reduced::{Potential, ReducedSystem, ReducedVisitor};
use crate::models::{Model, Quantity, RigidTop, TopVisitor, Torque};

/// Reference of a problem, available or still to be computed.
#[derive(Default)]
pub enum ReferencePlan {
    /// No reference.
    #[default]
    None,
    /// Reference that is available at once: a closed form.
    Ready(Box<dyn RowReference>),
    /// Numerical reference to be computed.
    Numerical {
        /// Model of the body.
        model: Box<Model>,
        /// Start time, s.
        start: f64,
        /// End of the longest run, s.
        end: f64,
    },
}

/// Reason why there is no reference.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoReference {
    /// The problem requests no reference.
    #[error("the case has no reference")]
    Unasked,
    /// The numerical reference could not be computed.
    #[error("the numerical reference failed: {0}")]
    Failed(NumericalError),
}

impl ReferencePlan {
    /// Selects the reference of a body over a span: the kind that is requested, or without a request a closed
    /// form if the body has one, and a computation otherwise.
    ///
    /// # Errors
    /// [`NoClosedForm`] if the body has no closed form of the requested kind.
    pub fn new(
        kind: Option<ReferenceKind>,
        model: &Model,
        (start, end): (f64, f64),
    ) -> Result<Self, NoClosedForm> {
        let closed = |kind: &ReferenceKind| kind.closed_form(model, start).ok().flatten();
        let form = match kind {
            Some(kind) => kind.closed_form(model, start)?,
            None => ReferenceKind::CLOSED.iter().find_map(closed),
        };
        Ok(match form {
            Some(mut reference) => {
                reference.certify(end);
                Self::Ready(reference)
            }
            None => Self::Numerical {
                model: Box::new(model.clone()),
                start,
                end,
            },
        })
    }

    /// Returns true if there is no reference.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Returns a lower limit of the stated error of a quantity at time `t`, which is known before a numerical
    /// reference is computed.
    pub fn least_error(&self, t: f64, quantity: &str) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Ready(reference) => reference.error(t, quantity),
            Self::Numerical { model, .. } => match model.columns().group(quantity) {
                Some(group) if group.quantity == Quantity::Attitude => LEAST_NUMERICAL_ERROR,
                _ => 0.0,
            },
        }
    }

    /// Returns a numerical reference over another span, and `None` for all other plans.
    #[must_use]
    pub fn until(&self, last: f64) -> Self {
        match self {
            Self::Numerical { model, start, .. } => Self::Numerical {
                model: model.clone(),
                start: *start,
                end: last,
            },
            Self::None | Self::Ready(_) => Self::None,
        }
    }

    /// Computes a numerical reference; `wanted` is polled periodically and returns false to cancel.
    ///
    /// # Errors
    /// [`NoReference`] if the computation fails or is cancelled, or there is nothing to compute.
    pub fn compute(&self, wanted: &dyn Fn() -> bool) -> Result<Box<dyn RowReference>, NoReference> {
        let Self::Numerical { model, start, end } = self else {
            return Err(NoReference::Unasked);
        };
        let solve = Solve {
            start: *start,
            end: *end,
            wanted,
        };
        match &**model {
            Model::Top(top) => top.visit(solve),
            Model::Reduced(reduced) => reduced.visit(solve),
            Model::GivenRate(problem) => {
                given_rate::solve_given_rate(problem, (*start, *end), wanted)
                    .map_err(NoReference::Failed)
            }
            Model::Jointed(jointed) => Ok(bind_jointed(
                jointed,
                *start,
                solve.solve(jointed.top().clone())?,
            )),
        }
    }
}

struct Solve<'a> {
    start: f64,
    end: f64,
    wanted: &'a dyn Fn() -> bool,
}

impl Solve<'_> {
    fn solve<T: Torque>(&self, top: RigidTop<T>) -> Result<Numerical<T>, NoReference> {
        Numerical::solve(top, self.start, self.end, self.wanted).map_err(NoReference::Failed)
    }
}

impl ReducedVisitor for Solve<'_> {
    type Out = Result<Box<dyn RowReference>, NoReference>;
    fn visit<U: Potential>(self, problem: ReducedSystem<U>) -> Self::Out {
        ReducedMotion::solve(problem, self.start, self.end, self.wanted)
            .map(|solved| Box::new(solved) as Box<dyn RowReference>)
            .map_err(NoReference::Failed)
    }
}

impl TopVisitor for Solve<'_> {
    type Out = Result<Box<dyn RowReference>, NoReference>;
    fn visit<T: Torque>(self, top: RigidTop<T>) -> Self::Out {
        Ok(bind(top.clone(), self.solve(top)?))
    }
}
